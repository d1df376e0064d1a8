// Block barrier. glotzerlab/hoomd-blue, commit 0ee7d55de: the threads copy the parameters of all pairs of types to shared memory, word
// by word, and each then looks in there for the tables that it fetches as well, with no barrier between the two.
// The words of a pair's entry are written by other threads than those that read them [entry], of the same warp or of another: an entry
// has four words, and all threads look at each entry. Behind the second barrier all is there. Fixed: a barrier between copying and
// looking.
//@ pairs: exact
//@ verdict pair_forces: racy
//@ verdict pair_forces_fixed: race-free
#include <cstdlib>

struct PairEntry {
  int first;
  float scale, shift, cutoff;
};

__global__ void pair_forces(const float *r, float *force, int n, const PairEntry *entries, int pairs, const float *tables) {
  extern __shared__ float shared[];
  PairEntry *mine = (PairEntry *)shared;
  float *copied = (float *)(mine + pairs);
  for (int w = threadIdx.x; w < pairs * (int)(sizeof(PairEntry) / sizeof(int)); w += blockDim.x)
    ((int *)mine)[w] = ((const int *)entries)[w]; // expect-race[entry](intra-block,intra-warp)
  for (int p = 0; p < pairs; p++)
    for (int i = threadIdx.x; i < 64; i += blockDim.x)
      copied[p * 64 + i] = tables[mine[p].first + i]; // expect-race[entry](intra-block,intra-warp)
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    force[i] = mine[i % pairs].scale * copied[i % pairs * 64 + (unsigned)r[i] % 64];
}

__global__ void pair_forces_fixed(const float *r, float *force, int n, const PairEntry *entries, int pairs, const float *tables) { // expect-clean
  extern __shared__ float shared[];
  PairEntry *mine = (PairEntry *)shared;
  float *copied = (float *)(mine + pairs);
  for (int w = threadIdx.x; w < pairs * (int)(sizeof(PairEntry) / sizeof(int)); w += blockDim.x)
    ((int *)mine)[w] = ((const int *)entries)[w];
  __syncthreads();
  for (int p = 0; p < pairs; p++)
    for (int i = threadIdx.x; i < 64; i += blockDim.x)
      copied[p * 64 + i] = tables[mine[p].first + i];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    force[i] = mine[i % pairs].scale * copied[i % pairs * 64 + (unsigned)r[i] % 64];
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]), types = atoi(argv[2]), pairs = types * types;
  if (n < 1 || types < 1 || types > 8)
    return 1;
  float *r, *force, *tables;
  PairEntry *entries;
  cudaMalloc(&r, n * sizeof(float));
  cudaMalloc(&force, n * sizeof(float));
  cudaMalloc(&tables, pairs * 64 * sizeof(float));
  cudaMalloc(&entries, pairs * sizeof(PairEntry));
  size_t bytes = pairs * (sizeof(PairEntry) + 64 * sizeof(float));
  pair_forces<<<(n + 127) / 128, 128, bytes>>>(r, force, n, entries, pairs, tables);
  pair_forces_fixed<<<(n + 127) / 128, 128, bytes>>>(r, force, n, entries, pairs, tables);
  return cudaDeviceSynchronize();
}
