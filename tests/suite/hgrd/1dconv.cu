// One-dimensional convolution that scatters: thread i adds to elements i .. i + 4. Block b has the elements 128 b .. 128 b + 131,
// so the last four are also those of the next block, and an addition of block scope is not atomic there: the addition races
// with itself between blocks [a]. Within a block it is atomic. Mended: device scope for the four elements at either end.
//@ pairs: exact
//@ verdict conv1d: racy
//@ verdict conv1d_fixed: race-free
__global__ void conv1d(const int *in, const int *filter, int *out) {
  int base = blockIdx.x * 128;
  for (int k = 0; k < 5; k++) {
    int place = threadIdx.x + k;
    atomicAdd_block(&out[base + place], in[base + threadIdx.x] * filter[k]); // expect-race[a](inter-block) {{cause=insufficient-scope-atomic}}
  }
}

__global__ void conv1d_fixed(const int *in, const int *filter, int *out) { // expect-clean
  int base = blockIdx.x * 128;
  for (int k = 0; k < 5; k++) {
    int place = threadIdx.x + k;
    if (place < 4 || place >= 128)
      atomicAdd(&out[base + place], in[base + threadIdx.x] * filter[k]);
    else
      atomicAdd_block(&out[base + place], in[base + threadIdx.x] * filter[k]);
  }
}

int main() {
  int *in, *filter, *out;
  cudaMalloc((void **)&in, 1280 * sizeof(int));
  cudaMalloc((void **)&filter, 5 * sizeof(int));
  cudaMalloc((void **)&out, 1284 * sizeof(int));
  conv1d<<<10, 128>>>(in, filter, out);
  conv1d_fixed<<<10, 128>>>(in, filter, out);
  return 0;
}
