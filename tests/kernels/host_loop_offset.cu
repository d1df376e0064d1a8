// The host goes through an array chunk by chunk, one launch for each; within a launch, threads write elements of the chunk
// (ok). In the bad kernel a thread also clears the element `chunk` further on, which belongs to the next launch but, for a
// chunk smaller than the grid, to another thread of this one.
//@ verdict chunk_ok: race-free
//@ verdict chunk_bad: racy
__global__ void chunk_ok(float *a, int first, int chunk) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < chunk)
    a[first + i] = first;
}

__global__ void chunk_bad(float *a, int first, int chunk) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[first + i] = i;          // expect-race
  a[first + i + chunk] = -i; // expect-race
}

int main(int argc, char **argv) {
  int n = argc, chunk = argv[0][0];
  if (chunk <= 0)
    return 1;
  float *a;
  cudaMalloc((void **)&a, 2 * n * sizeof(float));
  for (int first = 0; first < n; first += chunk) {
    chunk_ok<<<(chunk + 31) / 32, 32>>>(a, first, chunk);
    chunk_bad<<<(chunk + 31) / 32, 32>>>(a, first, chunk);
  }
  return 0;
}
