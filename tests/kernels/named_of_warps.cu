// A barrier with a number counts whole warps, and each warp comes to it as a whole: what it does for parts of warps is not defined.
// groups: of 64 threads (ok), of 48, so that two of them share a warp (bad). lanes: two warps in turn (ok), odd and even lanes (bad).
// some: of 192 threads the first 128 (ok), the first 144 (bad).
//@ verdict groups_ok: race-free
//@ verdict groups_bad: undecided
//@ verdict lanes_ok: race-free
//@ verdict lanes_bad: undecided
//@ verdict some_ok: race-free
//@ verdict some_bad: undecided
__device__ void meet(int number, int count) { asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(count) : "memory"); }

template <int size> __device__ void groups(const float *in, float *out) {
  __shared__ float s[192];
  int group = threadIdx.x / size, own = threadIdx.x % size;
  s[threadIdx.x] = in[threadIdx.x];
  meet(1 + group, size);
  out[blockIdx.x * 192 + threadIdx.x] = s[group * size + size - 1 - own];
}
__global__ void groups_ok(const float *in, float *out) { groups<64>(in, out); } // expect-clean
__global__ void groups_bad(const float *in, float *out) { groups<48>(in, out); }

template <int bit> __device__ void lanes(const float *in, float *out) {
  __shared__ float s[192];
  s[threadIdx.x] = in[threadIdx.x];
  meet(1 + (threadIdx.x / bit & 1), 96);
  out[blockIdx.x * 192 + threadIdx.x] = s[(threadIdx.x + 2 * bit) % 192];
}
__global__ void lanes_ok(const float *in, float *out) { lanes<32>(in, out); } // expect-clean
__global__ void lanes_bad(const float *in, float *out) { lanes<1>(in, out); }

template <int count> __device__ void some(const float *in, float *out) {
  __shared__ float s[192];
  s[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x >= count) return;
  meet(1, count);
  out[blockIdx.x * 192 + threadIdx.x] = s[count - 1 - threadIdx.x];
}
__global__ void some_ok(const float *in, float *out) { some<128>(in, out); } // expect-clean
__global__ void some_bad(const float *in, float *out) { some<144>(in, out); }

void run(const float *in, float *out) {
  groups_ok<<<8, 192>>>(in, out);
  groups_bad<<<8, 192>>>(in, out);
  lanes_ok<<<8, 192>>>(in, out);
  lanes_bad<<<8, 192>>>(in, out);
  some_ok<<<8, 192>>>(in, out);
  some_bad<<<8, 192>>>(in, out);
}
