// Inline PTX that touches several numbers at once: sums of vectors (each element in one step), what is discarded or filled (a plain write),
// and hints for the cache, which touch nothing. The twin reads or writes beside it without an order (bad).
//@ args: -- --cuda-gpu-arch=sm_90
//@ verdict sums_ok: race-free
//@ verdict sums_bad: racy
//@ verdict toolkit_ok: race-free
//@ verdict toolkit_bad: racy
//@ verdict halves_ok: race-free
//@ verdict halves_bad: racy
//@ verdict guarded_ok: race-free
//@ verdict guarded_bad: racy
//@ verdict hint_ok: race-free
//@ verdict hint_bad: racy
//@ verdict discard_ok: race-free
//@ verdict discard_bad: racy
//@ verdict fill_ok: race-free
//@ verdict fill_bad: racy
#include <cuda_runtime.h>

__device__ void add4(float *at, float value) {
  asm volatile("red.relaxed.gpu.global.add.v4.f32 [%0], {%1, %1, %1, %1};" ::"l"(at), "f"(value) : "memory"); // expect-race[last]
}
__global__ void sums_ok(float *out) { add4(out, threadIdx.x); } // expect-clean
__global__ void sums_bad(float *out) {
  add4(out, threadIdx.x);
  if (threadIdx.x == 7) out[3] = 0; // expect-race[last]
}

__device__ float2 add2(float2 *at, float2 value) {
  float2 old;
  asm volatile("atom.add.v2.f32 {%0, %1}, [%2], {%3, %4};" : "=f"(old.x), "=f"(old.y) : "l"(at), "f"(value.x), "f"(value.y) : "memory"); // expect-race[second]
  return old;
}
__global__ void toolkit_ok(float2 *out, float *seen) { seen[threadIdx.x] = add2(out, make_float2(1, 2)).y; } // expect-clean
__global__ void toolkit_bad(float2 *out, float *seen) {
  float2 old = add2(out, make_float2(1, 2));
  seen[threadIdx.x] = old.x + out->y;        // expect-race[second]
}

__device__ void add_halves(unsigned *at, unsigned value) {
  asm volatile("red.global.add.noftz.v2.f16x2 [%0], {%1, %1};" ::"l"(at), "r"(value) : "memory"); // expect-race[half]
}
__global__ void halves_ok(unsigned *out, unsigned short *seen) { // expect-clean
  add_halves(out, threadIdx.x);
  seen[threadIdx.x + 4] = threadIdx.x;
}
__global__ void halves_bad(unsigned *out, unsigned short *seen) {
  add_halves(out, threadIdx.x);
  seen[threadIdx.x + 3] = threadIdx.x; // expect-race[half]
}

__device__ void add4_if(float *at, float value, int is_wanted) {
  asm volatile("{.reg .pred p; setp.ne.s32 p, %2, 0; @p red.global.add.v4.f32 [%0], {%1, %1, %1, %1};}" ::"l"(at), "f"(value), "r"(is_wanted) // expect-race[guarded]
               : "memory");
}
__global__ void guarded_ok(float *out) { // expect-clean
  add4_if(out, 1, threadIdx.x == 5);
  if (threadIdx.x == 5) out[3] = 0;
}
__global__ void guarded_bad(float *out) {
  add4_if(out, 1, threadIdx.x >= 5);
  if (threadIdx.x == 5) out[3] = 0;  // expect-race[guarded]
}

__device__ int load_last(const int *at) {
  unsigned long long policy;
  int value;
  asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
  asm volatile("ld.global.L2::cache_hint.s32 %0, [%1], %2;" : "=r"(value) : "l"(at), "l"(policy) : "memory"); // expect-race[shifted]
  return value;
}
__global__ void hint_ok(int *out, const int *in) { out[threadIdx.x] = load_last(in + threadIdx.x); } // expect-clean
__global__ void hint_bad(int *out, const int *in) { out[threadIdx.x] = load_last(out + threadIdx.x + 1); } // expect-race[shifted]

__device__ void discard(int *at) { asm volatile("discard.global.L2 [%0], 128;" ::"l"(at) : "memory"); } // expect-race[gone]
__global__ void discard_ok(int *out, int *done) { // expect-clean
  done[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) discard(out);
}
__global__ void discard_bad(int *out, int *done) {
  done[threadIdx.x] = out[threadIdx.x]; // expect-race[gone]
  if (threadIdx.x == 0) discard(out);
}

__device__ void zero(int *at, int bytes) {
  asm volatile("st.bulk.weak.shared::cta [%0], %1, 0;" ::"r"((unsigned)__cvta_generic_to_shared(at)), "l"((long long)bytes) : "memory"); // expect-race[filled]
}
__global__ void fill_ok(int *out) { // expect-clean
  __shared__ int s[64];
  if (threadIdx.x == 0) zero(s, sizeof s);
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
__global__ void fill_bad(int *out) {
  __shared__ int s[64];
  if (threadIdx.x == 0) zero(s, sizeof s);
  out[threadIdx.x] = s[threadIdx.x];       // expect-race[filled]
}

int main() {
  float *sums;
  unsigned *halves;
  int *out, *in;
  cudaMalloc(&sums, 4096);
  cudaMalloc(&halves, 4096);
  cudaMalloc(&out, 4096);
  cudaMalloc(&in, 4096);
  sums_ok<<<1, 64>>>(sums);
  sums_bad<<<1, 64>>>(sums);
  toolkit_ok<<<1, 64>>>((float2 *)sums, sums + 64);
  toolkit_bad<<<1, 64>>>((float2 *)sums, sums + 64);
  halves_ok<<<1, 64>>>(halves, (unsigned short *)halves);
  halves_bad<<<1, 64>>>(halves, (unsigned short *)halves);
  guarded_ok<<<1, 64>>>(sums);
  guarded_bad<<<1, 64>>>(sums);
  hint_ok<<<1, 64>>>(out, in);
  hint_bad<<<1, 64>>>(out, in);
  discard_ok<<<1, 32>>>(out, in);
  discard_bad<<<1, 32>>>(out, in);
  fill_ok<<<1, 64>>>(out);
  fill_bad<<<1, 64>>>(out);
  cudaDeviceSynchronize();
}
