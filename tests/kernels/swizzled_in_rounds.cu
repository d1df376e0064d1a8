// A tile whose columns are exchanged by `x ^ row`, so that rows and columns are read without conflicts, filled by rows in rounds. The twin keeps some
// bits of the two only.
//@ verdict exchanged: race-free
//@ known-undecided exchanged: that `x ^ row` is below a power of two, where only the loop's test bounds the row, is not seen
//@ verdict kept: racy
__global__ void exchanged(float *out, const float *in) { // expect-clean
  __shared__ float tile[32 * 32];
  int x = threadIdx.x, y = threadIdx.y;
  for (int row = y; row < 32; row += 8)
    tile[row * 32 + (x ^ row)] = in[row * 32 + x];
  __syncthreads();
  for (int row = y; row < 32; row += 8)
    out[row * 32 + x] = tile[x * 32 + (row ^ x)];
}

__global__ void kept(float *out, const float *in) {
  __shared__ float tile[32 * 32];
  int x = threadIdx.x, y = threadIdx.y;
  for (int row = y; row < 32; row += 8)
    tile[row * 32 + (x & row)] = in[row * 32 + x]; // expect-race
  __syncthreads();
  for (int row = y; row < 32; row += 8)
    out[row * 32 + x] = tile[x * 32 + (row ^ x)];
}

int main() {
  float *out, *in;
  cudaMalloc(&out, 4096);
  cudaMalloc(&in, 4096);
  exchanged<<<1, dim3(32, 8)>>>(out, in);
  kept<<<1, dim3(32, 8)>>>(out, in);
}
