// The launch makes the block as wide as a row, so that one block is one row (ok); with an argument of half a row blocks
// overlap (bad). final: one block alone may write out[threadIdx.x] (ok), two may not (bad).
// wrapped: a function whose callers are not seen is given all dimensions; the kernel looks along x only, so a caller gives it no
// other axis (ok). With what main computes for z, threads along z do the same work (bad).
//@ verdict wrapped_ok: race-free
//@ verdict wrapped_bad: racy
//@ verdict rows_ok: race-free
//@ verdict rows_bad: racy
//@ verdict final_ok: race-free
//@ verdict final_bad: racy
__global__ void rows_ok(float *a, int cols) { // expect-clean
  a[blockIdx.x * cols + threadIdx.x] = blockIdx.x;
}

__global__ void rows_bad(float *a, int cols) {
  a[blockIdx.x * cols + threadIdx.x] = blockIdx.x; // expect-race {{-Winter-block-race}}
}

__global__ void final_ok(float *out, const float *in) { // expect-clean
  out[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
}

__global__ void final_bad(float *out, const float *in) {
  out[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x]; // expect-race {{-Winter-block-race}}
}

__global__ void wrapped_ok(float *a) { // expect-clean
  a[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}

__global__ void wrapped_bad(float *a) {
  a[blockIdx.x * blockDim.x + threadIdx.x] += 1; // expect-race
}

void add_one(float *a, dim3 grid, dim3 block) {
  wrapped_ok<<<grid, block>>>(a);
}

int main(int argc, char **argv) {
  int rows = argc, cols = argv[0][0];
  float *a, *b;
  cudaMalloc((void **)&a, rows * cols * sizeof(float));
  cudaMalloc((void **)&b, rows * cols * sizeof(float));
  rows_ok<<<rows, cols>>>(a, cols);
  rows_bad<<<rows, cols>>>(a, cols / 2);
  final_ok<<<1, cols>>>(a, b);
  final_bad<<<2, cols>>>(a, b);
  wrapped_bad<<<dim3(rows, 1, cols), 64>>>(a);
  return 0;
}
