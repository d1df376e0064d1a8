// Divergent barrier. glotzerlab/hoomd-blue, commit 8d58d621c: each group of threads goes through the particles of its own cell in
// batches, with barriers around each batch, as often as its cell needs; cells have different numbers of particles.
// A group whose cell is empty is through when others still wait at the barriers of a batch. Fixed: all go round as often as the fullest
// cell may need. Counts and totals in shared memory are the threads' own between the barriers.
//@ verdict neighbor_list: undecided
//@ verdict neighbor_list_fixed: race-free
#include <cstdlib>

__global__ void neighbor_list(const int *size, const float *x, float cutoff, int most, int *neighbors) {
  __shared__ int found[128], total;
  int t = threadIdx.x, cell = blockIdx.x * 4 + t / 32, all = size[cell];
  if (t == 0)
    total = 0;
  for (int first = 0; first < all; first += 32) {
    int j = first + t % 32;
    found[t] = j < all && fabsf(x[cell * most + j]) < cutoff;
    __syncthreads(); // expect-divergence
    if (t == 0)
      for (int i = 0; i < 128; i++)
        total += found[i];
    __syncthreads(); // expect-divergence
  }
  if (t == 0)
    neighbors[blockIdx.x] = total;
}

__global__ void neighbor_list_fixed(const int *size, const float *x, float cutoff, int most, int *neighbors) { // expect-clean
  __shared__ int found[128], total;
  int t = threadIdx.x, cell = blockIdx.x * 4 + t / 32, all = size[cell];
  if (t == 0)
    total = 0;
  for (int first = 0; first < most; first += 32) {
    int j = first + t % 32;
    found[t] = j < all && fabsf(x[cell * most + j]) < cutoff;
    __syncthreads();
    if (t == 0)
      for (int i = 0; i < 128; i++)
        total += found[i];
    __syncthreads();
  }
  if (t == 0)
    neighbors[blockIdx.x] = total;
}

int main(int argc, char **argv) {
  int blocks = atoi(argv[1]), most = atoi(argv[2]), *size, *neighbors;
  float *x;
  cudaMalloc(&size, blocks * 4 * sizeof(int));
  cudaMalloc(&x, blocks * 4 * most * sizeof(float));
  cudaMalloc(&neighbors, blocks * sizeof(int));
  neighbor_list<<<blocks, 128>>>(size, x, 2.5f, most, neighbors);
  neighbor_list_fixed<<<blocks, 128>>>(size, x, 2.5f, most, neighbors);
}
