// Four stages of shared memory are copied ahead, and read as matrices, whose rows other lanes name, in loops within the loop over the stages:
// a lane that meets another one in an exchange does so in one round of all loops around it. late: one group more may be under way when its
// stage is read.
//@ verdict staged_ok: race-free
//@ verdict staged_late: racy
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

enum { STAGES = 4, STAGE = 512 };

template <int LEFT, bool BOTH> __device__ void staged(const half *in, unsigned *out, int steps) {
  __shared__ half tiles[STAGES * STAGE];
  int t = threadIdx.x, lane = t % 32;
  unsigned sum = 0;
  auto copy = [&](int stage, int step) {
    for (int i = 0; i < 2; i++)
      __pipeline_memcpy_async(&tiles[stage * STAGE + i * 256 + t * 8], &in[step * STAGE + i * 256 + t * 8], 16); // expect-race[staged]
  };
  for (int stage = 0; stage < STAGES - 1; stage++) {
    if (stage < steps) copy(stage, stage);
    __pipeline_commit();
  }
  for (int step = 0; step < steps; step++) {
    __pipeline_wait_prior(LEFT);
    __syncthreads();
    int next = step + STAGES - 1;
    if (next < steps) copy(next % STAGES, next);
    __pipeline_commit();
    for (int k = 0; k < 2; k++) {
      for (int i = 0; i < 2; i++) {
        unsigned m[4], row = (unsigned)__cvta_generic_to_shared(&tiles[step % STAGES * STAGE + k * 256 + lane % 16 * 16 + lane / 16 * 8]);
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" // expect-race[staged]
                     : "=r"(m[0]), "=r"(m[1]), "=r"(m[2]), "=r"(m[3]) : "r"(row));
        sum += m[0] + m[1] + m[2] + m[3];
      }
      for (int i = 0; BOTH && i < 2; i++) {
        unsigned m[2], row = (unsigned)__cvta_generic_to_shared(&tiles[step % STAGES * STAGE + i * 128 + lane % 8 * 8 + lane / 8 % 2 * 64]);
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];" : "=r"(m[0]), "=r"(m[1]) : "r"(row));
        sum += m[0] + m[1];
      }
    }
  }
  out[blockIdx.x * 32 + t] = sum;
}
__global__ void staged_ok(const half *in, unsigned *out, int steps) { staged<STAGES - 2, true>(in, out, steps); } // expect-clean
__global__ void staged_late(const half *in, unsigned *out, int steps) { staged<STAGES - 1, false>(in, out, steps); }

int main() {
  half *in;
  unsigned *out;
  cudaMalloc(&in, 32 * STAGE * sizeof(half));
  cudaMalloc(&out, 8 * 32 * sizeof(unsigned));
  staged_ok<<<8, 32>>>(in, out, 32);
  staged_late<<<8, 32>>>(in, out, 32);
}
