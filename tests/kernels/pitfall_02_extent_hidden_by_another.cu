// A pair may be protected in one extent and race in another; a witness in the protected one must not hide the other.
// count: a block-scope atomic orders threads of one block, not of two. rotate: a warp barrier orders lanes of one warp;
// lane 31 of warp 0 reads what lane 0 of warp 1 writes.
//@ verdict count_ok: race-free
//@ verdict count_bad: racy
//@ verdict rotate_ok: race-free
//@ verdict rotate_bad: racy
__global__ void count_ok(int *c) { // expect-clean
  atomicAdd(&c[(blockIdx.x * 64 + threadIdx.x) % 32], 1);
}

__global__ void count_bad(int *c) {
  atomicAdd_block(&c[(blockIdx.x * 64 + threadIdx.x) % 32], 1); // expect-race {{-Winter-block-race}}
}

__global__ void rotate_ok(int *a) { // expect-clean
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  a[blockIdx.x * 64 + threadIdx.x] = s[(threadIdx.x + 1) % 64];
}

__global__ void rotate_bad(int *a) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x; // expect-race {{-Wintra-block-race}}
  __syncwarp();
  a[blockIdx.x * 64 + threadIdx.x] = s[(threadIdx.x + 1) % 64]; // expect-race {{-Wintra-block-race}}
}

int main() {
  int *d_c, *d_a;
  cudaMalloc((void **)&d_c, 32 * sizeof(int));
  cudaMalloc((void **)&d_a, 8 * 64 * sizeof(int));
  count_ok<<<8, 64>>>(d_c);
  count_bad<<<8, 64>>>(d_c);
  rotate_ok<<<8, 64>>>(d_a);
  rotate_bad<<<8, 64>>>(d_a);
  return 0;
}
