// Stores of 16 bytes: element i of an array of float4 (ok), or 16 bytes from element i of an array of float on, which takes
// in the three next elements (bad).
//@ verdict store_ok: race-free
//@ verdict store_bad: racy
__global__ void store_ok(float *a) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  ((float4 *)a)[i] = make_float4(i, i + 1, i + 2, i + 3);
}

__global__ void store_bad(float *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  *(float4 *)(a + i) = make_float4(i, i, i, i); // expect-race
}

int main() {
  float *a;
  cudaMalloc((void **)&a, 4 * 1024 * sizeof(float));
  store_ok<<<8, 128>>>(a);
  store_bad<<<8, 128>>>(a);
  return 0;
}
