// A product of matrices as it is written by hand: four stages are copied ahead for each of two arrays in one piece of dynamic shared memory, by
// copies in loops; matrices of a tile are read in loops in loops. ok: two groups may be under way when a stage is read. late: three.
//@ verdict product_ok: race-free
//@ verdict product_late: racy
#include <cuda_fp16.h>

#define ROWS 64
#define DEPTH 32
#define STAGES 4
#define COPY(to, from) asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from))
#define COMMIT() asm volatile("cp.async.commit_group;\n" ::)
#define LEAVE(n) asm volatile("cp.async.wait_group %0;\n" ::"n"(n))

template <int LEFT> __device__ void product(const half *a, const half *b, unsigned *c, int n, int k) {
  extern __shared__ half shared[];
  half *as = shared, *bs = shared + STAGES * ROWS * DEPTH;
  int t = threadIdx.x, warp = t / 32, lane = t % 32, row = blockIdx.y * ROWS, column = blockIdx.x * ROWS;
  unsigned sum = 0;
  auto copy = [&](int stage, int step) {
    for (int i = 0; i < ROWS * DEPTH / 8 / 128; i++) {
      int piece = t + i * 128, r = piece / (DEPTH / 8), d = piece % (DEPTH / 8) * 8;
      COPY(&as[stage * ROWS * DEPTH + r * DEPTH + d], &a[(row + r) * k + step * DEPTH + d]); // expect-race[late]
    }
    for (int i = 0; i < ROWS * DEPTH / 8 / 128; i++) {
      int piece = t + i * 128, r = piece / (DEPTH / 8), d = piece % (DEPTH / 8) * 8;
      COPY(&bs[stage * ROWS * DEPTH + r * DEPTH + d], &b[(column + r) * k + step * DEPTH + d]); // expect-race[late]
    }
  };
  int steps = k / DEPTH;
  for (int s = 0; s < STAGES - 1; s++) {
    if (s < steps) copy(s, s);
    COMMIT();
  }
  for (int step = 0; step < steps; step++) {
    LEAVE(LEFT);
    __syncthreads();
    int next = step + STAGES - 1, stage = step % STAGES;
    if (next < steps) copy(next % STAGES, next);
    COMMIT();
    for (int d = 0; d < DEPTH; d += 16) {
      unsigned x[4], y[2];
      for (int i = 0; i < 2; i++) {
        half *from = &as[stage * ROWS * DEPTH + (warp / 2 * 32 + i * 16 + lane % 16) * DEPTH + d + lane / 16 * 8];
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" // expect-race[late]
                     : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "r"((unsigned)__cvta_generic_to_shared(from)));
        sum += x[0] + x[3];
      }
      for (int j = 0; j < 4; j++) {
        half *from = &bs[stage * ROWS * DEPTH + (warp % 2 * 32 + j * 8 + lane % 8) * DEPTH + d + lane / 8 % 2 * 8];
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];" // expect-race[late]
                     : "=r"(y[0]), "=r"(y[1]) : "r"((unsigned)__cvta_generic_to_shared(from)));
        sum += y[0] + y[1];
      }
    }
  }
  c[(blockIdx.y * gridDim.x + blockIdx.x) * 128 + t] = sum;
}
__global__ void product_ok(const half *a, const half *b, unsigned *c, int n, int k) { product<2>(a, b, c, n, k); } // expect-clean
__global__ void product_late(const half *a, const half *b, unsigned *c, int n, int k) { product<3>(a, b, c, n, k); }

int main() {
  half *a, *b;
  unsigned *c;
  cudaMalloc(&a, 512 * 512 * sizeof(half));
  cudaMalloc(&b, 512 * 512 * sizeof(half));
  cudaMalloc(&c, 8 * 8 * 128 * sizeof(unsigned));
  product_ok<<<dim3(8, 8), 128, 2 * STAGES * ROWS * DEPTH * sizeof(half)>>>(a, b, c, 512, 512);
  product_late<<<dim3(8, 8), 128, 2 * STAGES * ROWS * DEPTH * sizeof(half)>>>(a, b, c, 512, 512);
}
