// Four elements for each thread: blocks of four (ok); with threads three elements apart the last of four is the first of
// the next thread (bad).
//@ verdict fill_ok: race-free
//@ verdict fill_bad: racy
__global__ void fill_ok(int *a) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
  for (int k = 0; k < 4; k++)
    a[4 * i + k] = i;
}

__global__ void fill_bad(int *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
  for (int k = 0; k < 4; k++)
    a[3 * i + k] = i; // expect-race
}

int main() {
  int *a;
  cudaMalloc((void **)&a, 4 * 1024 * sizeof(int));
  fill_ok<<<8, 128>>>(a);
  fill_bad<<<8, 128>>>(a);
  return 0;
}
