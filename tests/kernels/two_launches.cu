// One kernel, two launches. In the first one the parts of the blocks lie side by side, in the second they overlap: the
// kernel is racy, and the report names the second launch.
//@ verdict part: racy
__global__ void part(float *a, int size, int distance) {
  for (int i = threadIdx.x; i < size; i += blockDim.x)
    a[blockIdx.x * distance + i] += 1; // expect-race {{-Winter-block-race}}
}

int main(int argc, char **) {
  int n = argc;
  float *a;
  cudaMalloc((void **)&a, 8 * n * sizeof(float));
  part<<<8, 128>>>(a, n, n);
  part<<<8, 128>>>(a, n, n - 1);
  return 0;
}
