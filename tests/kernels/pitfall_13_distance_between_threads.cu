// s[t] and s[t + 1] have a constant distance for one thread, but two threads have two different t: without a barrier
// thread 0 reads what thread 1 writes (bad).
// wide: a 64-bit atomic and a 32-bit atomic overlap without having the same width; only atomics of one start and width
// exclude each other.
//@ verdict next_ok: race-free
//@ verdict next_bad: racy
//@ verdict wide_ok: race-free
//@ verdict wide_bad: racy
__global__ void next_ok(const float *in, float *out) { // expect-clean
  __shared__ float s[33];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 32 + t];
  __syncthreads();
  out[blockIdx.x * 32 + t] = s[t + 1] - s[t];
}

__global__ void next_bad(const float *in, float *out) {
  __shared__ float s[33];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 32 + t];             // expect-race {{-Wintra-warp-race}}
  out[blockIdx.x * 32 + t] = s[t + 1] - s[t]; // expect-race {{-Wintra-warp-race}}
}

struct Slot {
  int value, version;
};

__global__ void wide_ok(Slot *slots) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd((unsigned long long *)&slots[i / 2], 1ull << 32);
}

__global__ void wide_bad(Slot *slots) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 2)
    atomicAdd((unsigned long long *)&slots[i / 2], 1ull << 32); // expect-race {{-Wintra-warp-race}}
  else
    atomicAdd(&slots[i / 2].value, 1); // expect-race {{-Wintra-warp-race}}
}

int main() {
  float *in, *out;
  Slot *slots;
  cudaMalloc((void **)&in, 4096);
  cudaMalloc((void **)&out, 4096);
  cudaMalloc((void **)&slots, 4096);
  next_ok<<<8, 32>>>(in, out);
  next_bad<<<8, 32>>>(in, out);
  wide_ok<<<8, 32>>>(slots);
  wide_bad<<<8, 32>>>(slots);
  return 0;
}
