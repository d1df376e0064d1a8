// Memory of several devices at once (multimem): a multicast address stands for a place on each of them. Each thread its own place of the sum (sum_ok,
// vectors too); atomic counts meet (count_ok). same: all threads store at the first place. half: two threads, one place, of which one
// reads. What was read is not what was stored: the places of other devices count (read_back). A place that a sum from all devices says is any [by_sum].
// signals: words that may be the same memory are written by an address of their own; own_ok: the kernel's others are memory of its own.
// after_ok, after_bad: what a kernel that stores to several devices has left in an array that it names by no address is not known.
//@ verdict sum_ok: race-free
//@ verdict vector_ok: race-free
//@ verdict count_ok: race-free
//@ verdict same_bad: racy
//@ verdict half_bad: racy
//@ verdict by_sum_bad: racy
//@ known-undecided signals_ok: which memory a multicast address stands for is not followed
//@ verdict signals_ok: race-free
//@ verdict own_ok: race-free
//@ verdict guarded_ok: race-free
//@ verdict places_ok: race-free
//@ verdict places_bad: racy
#include <cuda/ptx>

__device__ float sum_at(const float *mc) {
  float sum;
  asm volatile("multimem.ld_reduce.relaxed.sys.global.add.f32 %0, [%1];" : "=f"(sum) : "l"(mc) : "memory");
  return sum;
}
__device__ void store_at(float *mc, float value) {
  asm volatile("multimem.st.relaxed.sys.global.f32 [%0], %1;" ::"l"(mc), "f"(value) : "memory");
}
__global__ void sum_ok(float *mc, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    store_at(mc + i, sum_at(mc + i));
}
__global__ void vector_ok(float *mc) { // expect-clean
  float *place = mc + 4 * (blockIdx.x * blockDim.x + threadIdx.x), x, y, z, w;
  asm volatile("multimem.ld_reduce.weak.global.add.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(x), "=f"(y), "=f"(z), "=f"(w) : "l"(place) : "memory");
  asm volatile("multimem.st.weak.global.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(place), "f"(x), "f"(y), "f"(z), "f"(w) : "memory");
}
__global__ void count_ok(unsigned *mc) { // expect-clean
  asm volatile("multimem.red.relaxed.sys.global.add.u32 [%0], %1;" ::"l"(mc), "r"(1) : "memory");
}
__global__ void same_bad(float *mc) {
  asm volatile("multimem.st.weak.global.f32 [%0], %1;" ::"l"(mc), "f"(threadIdx.x * 1.f) : "memory"); // expect-race
}
__global__ void half_bad(float *mc) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum;
  asm volatile("multimem.ld_reduce.weak.global.add.f32 %0, [%1];" : "=f"(sum) : "l"(mc + i) : "memory"); // expect-race[half]
  asm volatile("multimem.st.weak.global.f32 [%0], %1;" ::"l"(mc + i + 1), "f"(sum) : "memory");          // expect-race[half]
}
__global__ void by_sum_bad(unsigned *mc) {
  __shared__ int s[4];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sum;
  asm volatile("multimem.ld_reduce.weak.global.add.u32 %0, [%1];" : "=r"(sum) : "l"(mc + i) : "memory");
  s[sum & 3] = i; // expect-race[by_sum] {{possible}}
}
__global__ void signals_ok(float *mc, float *own, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    own[i] = sum_at(mc + n + i);
}
__global__ void own_ok(float *mc, const float *table, int n) { // expect-clean
  __shared__ float s[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i < n ? sum_at(mc + i) : 0;
  __syncthreads();
  if (i < n)
    store_at(mc + i, s[threadIdx.x]);
}
// Under a predicate.
__global__ void guarded_ok(float *mc) { // expect-clean
  asm volatile("{ .reg .pred p; setp.eq.u32 p, %2, 0; @p multimem.st.weak.global.f32 [%0], %1; }" ::"l"(mc), "f"(1.f),
               "r"(blockIdx.x * blockDim.x + threadIdx.x)
               : "memory");
}
__global__ void places_ok(int *out, const int *place) { // expect-clean
  out[place[threadIdx.x]] = threadIdx.x;
}
__global__ void places_bad(int *out, const int *place) {
  out[place[threadIdx.x]] = threadIdx.x; // expect-race[places] {{possible}}
}

void sums(float *mc, unsigned *counts, float *own, int n) {
  sum_ok<<<(n + 127) / 128, 128>>>(mc, n);
  vector_ok<<<4, 128>>>(mc);
  count_ok<<<4, 128>>>(counts);
  same_bad<<<1, 128>>>(mc);
  half_bad<<<4, 128>>>(mc);
  by_sum_bad<<<1, 128>>>(counts);
  signals_ok<<<(n + 127) / 128, 128>>>(mc, own, n);
  own_ok<<<(n + 127) / 128, 128>>>(mc, own, n);
  guarded_ok<<<4, 128>>>(mc);
}
void places(float *mc, int n) {
  int *out, *place, numbers[128];
  for (int i = 0; i < 128; i++)
    numbers[i] = 127 - i;
  cudaMalloc(&out, sizeof numbers);
  cudaMalloc(&place, sizeof numbers);
  cudaMemcpy(place, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  places_ok<<<1, 128>>>(out, place);
  sum_ok<<<(n + 127) / 128, 128>>>(mc, n);
  places_bad<<<1, 128>>>(out, place);
}
