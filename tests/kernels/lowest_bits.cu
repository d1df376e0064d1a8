// Places named by the lowest bit of a word, and by words turned round.
// slot: each block takes a free bit of a common word, and the place of that number is its own (ok), also in a word of 64 bits (long_ok); two bits have one place (half),
// the word is given the bit and nobody looks whether it had it (unasked), the place is that of another bit (next).
// turned: each thread writes where its number turned round says (ok), the first half of it (half). wide: the same in 64 bits, of a number with ten (ok), of which
// nine are left (half). pairs: numbers change places with those that they are turned round, by the smaller one
// (ok), by both, and of some bits only (both).
//@ verdict slot_ok: race-free
//@ verdict slot_long_ok: race-free
//@ verdict slot_half_bad: racy
//@ verdict slot_unasked_bad: racy
//@ verdict slot_next_bad: racy
//@ verdict turned_ok: race-free
//@ verdict turned_half_bad: racy
//@ verdict wide_ok: race-free
//@ verdict wide_half_bad: racy
//@ verdict pairs_ok: race-free
//@ verdict pairs_both_bad: racy
enum Mistake { OK, HALF, UNASKED, NEXT, BOTH };

__device__ int lowest(unsigned bit) { return __ffs(bit) - 1; }
__device__ int lowest(unsigned long long bit) { return __ffsll(bit) - 1; }

template <class T, Mistake mistake> __device__ void slot(T *map, int *slots) {
  T bit;
  while (true) {
    T is_free = ~*(volatile T *)map; // expect-race
    if (is_free == 0)
      return;
    bit = is_free & -is_free;
    T before = atomicOr(map, bit); // expect-race
    if (mistake == UNASKED || (before & bit) == 0)
      break;
  }
  int at = lowest(bit);
  slots[mistake == HALF ? at / 2 : mistake == NEXT ? lowest(~bit) : at] = blockIdx.x; // expect-race
}

__global__ void slot_ok(unsigned *map, int *slots) { slot<unsigned, OK>(map, slots); } // expect-clean
__global__ void slot_long_ok(unsigned long long *map, int *slots) { slot<unsigned long long, OK>(map, slots); } // expect-clean
__global__ void slot_half_bad(unsigned *map, int *slots) { slot<unsigned, HALF>(map, slots); }
__global__ void slot_unasked_bad(unsigned *map, int *slots) { slot<unsigned, UNASKED>(map, slots); }
__global__ void slot_next_bad(unsigned *map, int *slots) { slot<unsigned, NEXT>(map, slots); }

template <Mistake mistake> __device__ void turned(const int *in, int *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[mistake == HALF ? __brev(i) >> 28 : __brev(i)] = in[i]; // expect-race
}

__global__ void turned_ok(const int *in, int *out) { turned<OK>(in, out); } // expect-clean
__global__ void turned_half_bad(const int *in, int *out) { turned<HALF>(in, out); }

template <Mistake mistake> __device__ void wide(int *out) {
  unsigned long long i = threadIdx.x;
  out[__brevll(i) >> (mistake == HALF ? 55 : 54)] = threadIdx.x; // expect-race
}

__global__ void wide_ok(int *out) { wide<OK>(out); } // expect-clean
__global__ void wide_half_bad(int *out) { wide<HALF>(out); }

template <Mistake mistake> __device__ void pairs(int *data) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, with = mistake == BOTH ? __brev(i) >> 26 : __brev(i);
  if (mistake == BOTH ? i != with : i < with) {
    int own = data[i]; // expect-race
    data[i] = data[with]; // expect-race
    data[with] = own; // expect-race
  }
}

__global__ void pairs_ok(int *data) { pairs<OK>(data); } // expect-clean
__global__ void pairs_both_bad(int *data) { pairs<BOTH>(data); }

template <class T> T *cleared(int count) {
  T *data;
  cudaMalloc(&data, count * sizeof(T));
  cudaMemset(data, 0, count * sizeof(T));
  return data;
}

void run(int blocks, const int *in, int *out) {
  slot_ok<<<blocks, 1>>>(cleared<unsigned>(1), cleared<int>(32));
  slot_long_ok<<<blocks, 1>>>(cleared<unsigned long long>(1), cleared<int>(64));
  slot_half_bad<<<blocks, 1>>>(cleared<unsigned>(1), cleared<int>(32));
  slot_unasked_bad<<<blocks, 1>>>(cleared<unsigned>(1), cleared<int>(32));
  slot_next_bad<<<blocks, 1>>>(cleared<unsigned>(1), cleared<int>(32));
  turned_ok<<<blocks, 256>>>(in, out);
  turned_half_bad<<<blocks, 256>>>(in, out);
  wide_ok<<<1, 1024>>>(cleared<int>(1024));
  wide_half_bad<<<1, 1024>>>(cleared<int>(1024));
  pairs_ok<<<blocks, 256>>>(out);
  pairs_both_bad<<<blocks, 256>>>(out);
}
