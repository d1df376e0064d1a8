// What a kernel before has left in an array decides whether two threads meet: it is run, too. heads: the first of each run of equal
// digits writes to the digit's place. Where the keys of the block are sorted by that digit, there is one such run, which no fact says;
// a run of both kernels shows no race, so none is told (ok). Keys that were only copied (copied_bad), that are sorted by another digit
// (digit_bad), in parts smaller than the block (half_bad), into another array (other_bad), or only behind the launch (later_bad) do
// race. scattered: places come out of a table that a kernel has filled, for each block with its numbers in reverse order (ok), or with
// one number too few (twice_bad). The launches are too large to be run as a whole.
//@ pairs: exact
//@ verdict sort_keys: race-free
//@ verdict copy_keys: race-free
//@ verdict fill_places<62>: race-free
//@ verdict fill_places<63>: race-free
//@ verdict heads_ok: race-free
//@ known-undecided heads_ok: that keys are sorted is only seen in runs
//@ verdict heads_copied_bad: racy
//@ verdict heads_digit_bad: racy
//@ verdict heads_half_bad: racy
//@ verdict heads_other_bad: racy
//@ verdict heads_later_bad: racy
//@ verdict scattered_ok: race-free
//@ known-undecided scattered_ok: that the table has no number twice is only seen in runs
//@ verdict scattered_twice_bad: racy
#include <cstdio>

constexpr int N = 1 << 20;

// Each block sorts its SIZE keys by a digit, neighbours in turn.
template <int SIZE> __global__ void sort_keys(unsigned *keys, const unsigned *in, int shift) { // expect-clean
  __shared__ unsigned part[SIZE];
  int t = threadIdx.x, first = blockIdx.x * SIZE;
  part[t] = in[first + t];
  part[t + SIZE / 2] = in[first + t + SIZE / 2];
  __syncthreads();
  for (int round = 0; round < SIZE; round++) {
    int left = 2 * t + round % 2;
    if (left + 1 < SIZE) {
      unsigned one = part[left], two = part[left + 1];
      if ((one >> shift & 15) > (two >> shift & 15)) {
        part[left] = two;
        part[left + 1] = one;
      }
    }
    __syncthreads();
  }
  keys[first + t] = part[t];
  keys[first + t + SIZE / 2] = part[t + SIZE / 2];
}

__global__ void copy_keys(unsigned *keys, const unsigned *in) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  keys[i] = in[i];
}

__device__ bool is_head(const unsigned *keys, int i) {
  return threadIdx.x == 0 || (keys[i] & 15) != (keys[i - 1] & 15);
}

__global__ void heads_ok(const unsigned *keys, int *first) { // expect-clean
  int i = blockIdx.x * 64 + threadIdx.x;
  if (is_head(keys, i))
    first[blockIdx.x * 16 + (keys[i] & 15)] = threadIdx.x;
}

__global__ void heads_copied_bad(const unsigned *keys, int *first) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (is_head(keys, i))
    first[blockIdx.x * 16 + (keys[i] & 15)] = threadIdx.x; // expect-race[copied](intra-block,intra-warp)
}

__global__ void heads_digit_bad(const unsigned *keys, int *first) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (is_head(keys, i))
    first[blockIdx.x * 16 + (keys[i] & 15)] = threadIdx.x; // expect-race[digit](intra-block,intra-warp)
}

// In each half there is one such run. That lanes of one warp do not meet is only seen in runs.
__global__ void heads_half_bad(const unsigned *keys, int *first) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (is_head(keys, i))
    first[blockIdx.x * 16 + (keys[i] & 15)] = threadIdx.x; // expect-race[half](intra-block)
}

__global__ void heads_other_bad(const unsigned *keys, int *first) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (is_head(keys, i))
    first[blockIdx.x * 16 + (keys[i] & 15)] = threadIdx.x; // expect-race[other](intra-block,intra-warp)
}

__global__ void heads_later_bad(const unsigned *keys, int *first) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (is_head(keys, i))
    first[blockIdx.x * 16 + (keys[i] & 15)] = threadIdx.x; // expect-race[later](intra-block,intra-warp)
}

// The numbers 0 .. 63, or 0 .. 62 and 62, by way of shared memory.
template <int LAST> __global__ void fill_places(int *places) { // expect-clean
  __shared__ int numbers[64];
  int t = threadIdx.x;
  numbers[t] = t < LAST ? t : LAST;
  __syncthreads();
  places[blockIdx.x * 64 + t] = numbers[63 - t];
}

__global__ void scattered_ok(const int *places, float *out, const float *in) { // expect-clean
  int i = blockIdx.x * 64 + threadIdx.x;
  out[blockIdx.x * 64 + places[i]] = in[i];
}

__global__ void scattered_twice_bad(const int *places, float *out, const float *in) {
  int i = blockIdx.x * 64 + threadIdx.x;
  out[blockIdx.x * 64 + places[i]] = in[i]; // expect-race[twice](intra-warp)
}

int main() {
  static unsigned input[N];
  fread(input, sizeof(unsigned), N, stdin);
  unsigned *in, *keys, *copied, *digit, *half, *other;
  int *first, *places, *twice;
  float *from, *out;
  cudaMalloc((void **)&in, sizeof input);
  cudaMalloc((void **)&keys, sizeof input);
  cudaMalloc((void **)&copied, sizeof input);
  cudaMalloc((void **)&digit, sizeof input);
  cudaMalloc((void **)&half, sizeof input);
  cudaMalloc((void **)&other, sizeof input);
  cudaMalloc((void **)&first, N / 4 * sizeof(int));
  cudaMalloc((void **)&places, N * sizeof(int));
  cudaMalloc((void **)&twice, N * sizeof(int));
  cudaMalloc((void **)&from, N * sizeof(float));
  cudaMalloc((void **)&out, N * sizeof(float));
  cudaMemcpy(in, input, sizeof input, cudaMemcpyHostToDevice);
  cudaMemcpy(other, input, sizeof input, cudaMemcpyHostToDevice);
  sort_keys<64><<<N / 64, 32>>>(keys, in, 0);
  heads_ok<<<N / 64, 64>>>(keys, first);
  copy_keys<<<N / 256, 256>>>(copied, in);
  heads_copied_bad<<<N / 64, 64>>>(copied, first);
  sort_keys<64><<<N / 64, 32>>>(digit, in, 4);
  heads_digit_bad<<<N / 64, 64>>>(digit, first);
  sort_keys<32><<<N / 32, 16>>>(half, in, 0);
  heads_half_bad<<<N / 64, 64>>>(half, first);
  heads_other_bad<<<N / 64, 64>>>(other, first);
  heads_later_bad<<<N / 64, 64>>>(in, first);
  sort_keys<64><<<N / 64, 32>>>(in, other, 0);
  fill_places<63><<<N / 64, 64>>>(places);
  scattered_ok<<<N / 64, 64>>>(places, out, from);
  fill_places<62><<<N / 64, 64>>>(twice);
  scattered_twice_bad<<<N / 64, 64>>>(twice, out, from);
  return 0;
}
