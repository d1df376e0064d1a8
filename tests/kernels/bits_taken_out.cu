// Who takes bits out of a word that they are never put back into, and finds some of them, is the only one.
//   same: all threads take out the same two bits (the twin: some take out one, others two, so that each may find one). own: each the bit of its place (the twin: looks at
//   another one than it takes out). kept: nobody puts the bit back (the twin: who has found it does).
//@ verdict same_ok: race-free
//@ verdict same_bad: racy
//@ verdict own_ok: race-free
//@ verdict own_bad: racy
//@ verdict kept_ok: race-free
//@ verdict kept_bad: racy

__global__ void same_ok(unsigned *word, int *out) { // expect-clean
  if (atomicAnd(word, ~3u) & 3u) out[0] = threadIdx.x;
}
__global__ void same_bad(unsigned *word, int *out) {
  unsigned bits = threadIdx.x & 1 ? 3u : 1u;
  if (atomicAnd(word, ~bits) & bits) out[0] = threadIdx.x; // expect-race
}

__global__ void own_ok(unsigned *word, int *out) { // expect-clean
  unsigned place = threadIdx.x & 31, bit = 1u << place;
  if (atomicAnd(word, ~bit) & bit) out[place] = threadIdx.x;
}
__global__ void own_bad(unsigned *word, int *out) {
  unsigned place = threadIdx.x & 31, bit = 1u << place;
  if (atomicAnd(word, ~(1u << (place ^ 1))) & bit) out[place] = threadIdx.x; // expect-race
}

__global__ void kept_ok(unsigned *word, int *out) { // expect-clean
  if (atomicAnd(word, ~1u) & 1u) {
    out[0] = threadIdx.x;
    atomicAnd(word, ~2u);
  }
}
__global__ void kept_bad(unsigned *word, int *out) {
  if (atomicAnd(word, ~1u) & 1u) {
    out[0] = threadIdx.x; // expect-race
    atomicOr(word, 1u);
  }
}

int main() {
  unsigned *word;
  int *out;
  cudaMalloc(&word, 4);
  cudaMalloc(&out, 4096);
  cudaMemset(word, 0xff, 4);
  same_ok<<<1, 64>>>(word, out);
  cudaMemset(word, 0xff, 4);
  same_bad<<<1, 64>>>(word, out);
  cudaMemset(word, 0xff, 4);
  own_ok<<<1, 64>>>(word, out);
  cudaMemset(word, 0xff, 4);
  own_bad<<<1, 64>>>(word, out);
  cudaMemset(word, 0xff, 4);
  kept_ok<<<1, 64>>>(word, out);
  cudaMemset(word, 0xff, 4);
  kept_bad<<<1, 64>>>(word, out);
  cudaDeviceSynchronize();
}
