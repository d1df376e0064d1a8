// Fence and scope. vllm-project/vllm #2760, #8558: in the two-stage all-reduce each rank adds its part, tells the others by flags, and
// reads their parts; between the part and the flag, and between the flag and reading, there was no fence.
// In small: the ranks are the blocks of a row of the grid, in the memory of one device. A thread reads what another rank's thread has
// written, told by the flag of another thread of that block behind a barrier [part]. Flags are volatile, one word for each pair of
// ranks. Fixed: a fence before the flags are set and one behind the wait.
//@ pairs: exact
//@ verdict all_reduce: racy
//@ verdict all_reduce_fixed: race-free
#include <cstdlib>

const int RANKS = 4;

__global__ void all_reduce(const float *in, float *parts, float *out, volatile unsigned *flags, int size) {
  int rank = blockIdx.y, t = threadIdx.x, first = blockIdx.x * 128;
  float sum = 0;
  if (t < 32)
    for (int r = 0; r < RANKS; r++)
      sum += in[r * size + first + rank * 32 + t];
  if (t < 32)
    parts[first + rank * 32 + t] = sum; // expect-race[part](inter-block) {{cause=missing-fence}}
  __syncthreads();
  if (t < RANKS) {
    flags[(blockIdx.x * RANKS + t) * RANKS + rank] = 1;
    while (flags[(blockIdx.x * RANKS + rank) * RANKS + t] == 0)
      ;
  }
  __syncthreads();
  out[rank * size + first + t] = parts[first + t]; // expect-race[part](inter-block) {{cause=missing-fence}}
}

__global__ void all_reduce_fixed(const float *in, float *parts, float *out, volatile unsigned *flags, int size) { // expect-clean
  int rank = blockIdx.y, t = threadIdx.x, first = blockIdx.x * 128;
  float sum = 0;
  if (t < 32)
    for (int r = 0; r < RANKS; r++)
      sum += in[r * size + first + rank * 32 + t];
  if (t < 32)
    parts[first + rank * 32 + t] = sum;
  __syncthreads();
  if (t < RANKS) {
    __threadfence_system();
    flags[(blockIdx.x * RANKS + t) * RANKS + rank] = 1;
    while (flags[(blockIdx.x * RANKS + rank) * RANKS + t] == 0)
      ;
    __threadfence_system();
  }
  __syncthreads();
  out[rank * size + first + t] = parts[first + t];
}

int main() {
  int blocks = 16, size = blocks * 128;
  float *in, *parts, *out;
  unsigned *flags;
  cudaMalloc(&in, RANKS * size * sizeof(float));
  cudaMalloc(&parts, size * sizeof(float));
  cudaMalloc(&out, RANKS * size * sizeof(float));
  cudaMalloc(&flags, blocks * RANKS * RANKS * sizeof(unsigned));
  cudaMemset(flags, 0, blocks * RANKS * RANKS * sizeof(unsigned));
  all_reduce<<<dim3(blocks, RANKS), 128>>>(in, parts, out, flags, size);
  cudaMemset(flags, 0, blocks * RANKS * RANKS * sizeof(unsigned));
  all_reduce_fixed<<<dim3(blocks, RANKS), 128>>>(in, parts, out, flags, size);
}
