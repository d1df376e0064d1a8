// A counter in the array whose places it numbers: numbers are not negative if it starts at zero (A11), so places behind it are not it.
// behind: the list begins one element behind the counter; twin: it begins with it. pairs: two elements for each number drawn by two; twin:
// drawn by one. member: counter and list are members of a struct; twin: places begin one element earlier, at the counter.
// other: another write goes to places from an array (racy). lowered: the counter goes down to below zero (racy).
// Counters that only go down give places of one's own as well.
// taken: one at a time; twin: what was taken is given back. several: a number of elements for each; twin: one more.
// signed: an amount that may be negative takes and gives (racy).
// Bits that are tested after they were shifted down. found: who finds the bit clear is alone; twin: another bit is tested.
//@ pairs: exact
//@ verdict behind_ok: race-free
//@ verdict behind_bad: racy
//@ verdict pairs_ok: race-free
//@ verdict pairs_bad: racy
//@ verdict member_ok: race-free
//@ verdict member_bad: racy
//@ verdict other_bad: racy
//@ verdict lowered_bad: racy
//@ verdict taken_ok: race-free
//@ verdict taken_bad: racy
//@ verdict several_ok: race-free
//@ verdict several_bad: racy
//@ verdict signed_bad: racy
//@ verdict found_ok: race-free
//@ verdict found_bad: racy
__device__ int number() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void behind_ok(int *list, const int *in) { // expect-clean
  if (in[number()] > 0)
    list[1 + atomicAdd(&list[0], 1)] = number();
}
__global__ void behind_bad(int *list, const int *in) {
  if (in[number()] > 0)
    list[atomicAdd(&list[0], 1)] = number(); // expect-race[behind]
}

template <unsigned DRAWN> __device__ void pairs(unsigned *list) {
  unsigned at = atomicAdd(list, DRAWN);
  list[2 + at] = number(); // expect-race[pairs]
  list[3 + at] = 7; // expect-race[pairs]
}
__global__ void pairs_ok(unsigned *list) { pairs<2>(list); } // expect-clean
__global__ void pairs_bad(unsigned *list) { pairs<1>(list); }

struct Queue {
  int count, item[1];
};
template <int EARLIER> __device__ void member(Queue *queue) {
  queue->item[atomicAdd(&queue->count, 1) - EARLIER] = number(); // expect-race[member]
}
__global__ void member_ok(Queue *queue) { member<0>(queue); } // expect-clean
__global__ void member_bad(Queue *queue) { member<1>(queue); }

__global__ void other_bad(int *list, const int *in) {
  int i = number();
  if (in[i] > 0)
    list[1 + atomicAdd(&list[0], 1)] = i; // expect-race[other] expect-race[own]
  else
    list[5 + in[i]] = i; // expect-race[other] expect-race[placed]
}

__global__ void lowered_bad(int *list) {
  list[1 + atomicSub(&list[0], 1)] = number(); // expect-race[lowered]
}

template <bool BACK> __device__ void taken(int *list, int *count) {
  list[atomicSub(count, 1)] = number(); // expect-race[taken]
  if (BACK)
    atomicAdd(count, 1);
}
__global__ void taken_ok(int *list, int *count) { taken<false>(list, count); } // expect-clean
__global__ void taken_bad(int *list, int *count) { taken<true>(list, count); }

template <int MORE> __device__ void several(int *list, int *count, const int *in, int mask) {
  int i = number(), amount = in[i] & mask, at = atomicAdd(count, -amount);
  for (int j = 0; j < amount + MORE; j++)
    list[at - j] = i; // expect-race[several]
}
__global__ void several_ok(int *list, int *count, const int *in) { several<0>(list, count, in, 3); } // expect-clean
__global__ void several_bad(int *list, int *count, const int *in) { several<1>(list, count, in, 3); }
__global__ void signed_bad(int *list, int *count, const int *in) { several<0>(list, count, in, -1); }

template <unsigned OTHER> __device__ void found(unsigned *bits, int *data, const int *in) {
  unsigned key = in[number()], before = atomicOr(&bits[key >> 5], 1u << (key & 31));
  if (!(before >> (key & 31 - OTHER) & 1))
    data[key] = number(); // expect-race[found]
}
__global__ void found_ok(unsigned *bits, int *data, const int *in) { found<0>(bits, data, in); } // expect-clean
__global__ void found_bad(unsigned *bits, int *data, const int *in) { found<1>(bits, data, in); }

int main(int argc, char **argv) {
  int n = argc * 256, *a, *b, *in, *count;
  unsigned *bits;
  Queue *queue;
  cudaMalloc((void **)&a, n * 8 * sizeof(int));
  cudaMalloc((void **)&b, n * 8 * sizeof(int));
  cudaMalloc((void **)&in, n * sizeof(int));
  cudaMalloc((void **)&count, sizeof(int));
  cudaMalloc((void **)&bits, n * sizeof(int));
  cudaMalloc((void **)&queue, (n + 1) * sizeof(int));
  cudaMemcpy(in, argv[1], n * sizeof(int), cudaMemcpyHostToDevice);
  behind_ok<<<argc, 256>>>(a, in);
  behind_bad<<<argc, 256>>>(a, in);
  pairs_ok<<<argc, 256>>>((unsigned *)a);
  pairs_bad<<<argc, 256>>>((unsigned *)a);
  member_ok<<<argc, 256>>>(queue);
  member_bad<<<argc, 256>>>(queue);
  other_bad<<<argc, 256>>>(a, in);
  lowered_bad<<<argc, 256>>>(a);
  taken_ok<<<argc, 256>>>(a, count);
  taken_bad<<<argc, 256>>>(a, count);
  several_ok<<<argc, 256>>>(a, count, in);
  several_bad<<<argc, 256>>>(a, count, in);
  signed_bad<<<argc, 256>>>(a, count, in);
  found_ok<<<argc, 256>>>(bits, b, in);
  found_bad<<<argc, 256>>>(bits, b, in);
  return 0;
}
