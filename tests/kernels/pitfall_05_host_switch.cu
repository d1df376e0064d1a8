// The host picks the instance of a template in a switch over the block size. The edge of each case tells that the block
// size and the template argument are equal; in the last arm of launch_bad they are not, and two blocks overlap.
//@ verdict fill_ok: race-free
//@ verdict fill_bad: racy
template <int block_size> __global__ void fill_ok(float *out) { // expect-clean
  out[blockIdx.x * block_size + threadIdx.x] = block_size + blockIdx.x;
}

template <int block_size> __global__ void fill_bad(float *out) {
  out[blockIdx.x * block_size + threadIdx.x] = block_size + blockIdx.x; // expect-race {{-Winter-block-race}}
}

void launch_ok(float *out, int blocks, int threads) {
  switch (threads) {
  case 512: fill_ok<512><<<blocks, threads>>>(out); break;
  case 256: fill_ok<256><<<blocks, threads>>>(out); break;
  case 128: fill_ok<128><<<blocks, threads>>>(out); break;
  }
}

void launch_bad(float *out, int blocks, int threads) {
  switch (threads) {
  case 512: fill_bad<512><<<blocks, threads>>>(out); break;
  case 256: fill_bad<256><<<blocks, threads>>>(out); break;
  case 128: fill_bad<64><<<blocks, threads>>>(out); break;
  }
}

int main(int argc, char **) {
  float *out;
  cudaMalloc((void **)&out, 1 << 20);
  launch_ok(out, 16, argc);
  launch_bad(out, 16, argc);
  return 0;
}
