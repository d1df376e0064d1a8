// LDetector's radix sort, which has no race: one warp splits its 32 keys by one bit. A ballot counts the zeros before each lane; keys with a zero go
// to that place, the others behind all zeros in their order, which is a permutation. To see it one has to know what
// the ballot's bits mean. Twin: the ones are not put behind the zeros, so that a zero and a one may have the same place [ww].
//@ pairs: exact
//@ verdict radix_sort: race-free
//@ verdict radix_sort_broken: racy
__global__ void radix_sort(const unsigned *keys, unsigned *sorted, int bit) { // expect-clean
  __shared__ unsigned s[32];
  int lane = threadIdx.x;
  unsigned key = keys[lane], is_one = (key >> bit) & 1;
  unsigned zeros = __ballot_sync(0xffffffff, !is_one);
  int before = __popc(zeros & ((1u << lane) - 1));
  int place = is_one ? __popc(zeros) + lane - before : before;
  s[place] = key;
  __syncwarp();
  sorted[lane] = s[lane];
}

__global__ void radix_sort_broken(const unsigned *keys, unsigned *sorted, int bit) {
  __shared__ unsigned s[32];
  int lane = threadIdx.x;
  unsigned key = keys[lane], is_one = (key >> bit) & 1;
  unsigned zeros = __ballot_sync(0xffffffff, !is_one);
  int before = __popc(zeros & ((1u << lane) - 1));
  int place = is_one ? lane - before : before;
  s[place] = key; // expect-race[ww](intra-warp)
  __syncwarp();
  sorted[lane] = s[lane];
}

int main(int argc, char **) {
  unsigned *a, *b;
  cudaMalloc((void **)&a, 32 * sizeof(unsigned));
  cudaMalloc((void **)&b, 32 * sizeof(unsigned));
  radix_sort<<<1, 32>>>(a, b, argc);
  radix_sort_broken<<<1, 32>>>(a, b, argc);
  return 0;
}
