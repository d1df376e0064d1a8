// Warp barrier. glotzerlab/hoomd-blue, commit b7e463efc: several threads add up the force on one particle, and do the last steps in
// volatile shared memory without any barrier, because they are in one warp.
// In each step a lane reads what another has put there in the step before [put], or before the loop [first]; at the end all read place 0
// [total][lone]. A place is read in one step and overwritten in the next by its own lane only. Volatile keeps the compiler from holding
// a value back; it does not make a lane wait. Fixed as there: with shuffles.
//@ pairs: exact
//@ verdict pair_force: racy
//@ verdict pair_force_fixed: race-free
#include <cstdlib>

__global__ void pair_force(const float *distance, const int *neighbors, float *force, int n, int most) {
  __shared__ float sums[256];
  int i = blockIdx.x * 32 + threadIdx.y, lane = threadIdx.x;
  volatile float *mine = sums + threadIdx.y * 8;
  float f = 0;
  if (i < n)
    for (int k = lane; k < neighbors[i]; k += 8)
      f += 1 / distance[i * most + k];
  mine[lane] = f; // expect-race[first](intra-warp) expect-race[lone](intra-warp)
  for (int left = 4; left >= 1; left /= 2)
    if (lane < left) {
      f += mine[left + lane]; // expect-race[first](intra-warp) expect-race[put](intra-warp)
      mine[lane] = f;         // expect-race[put](intra-warp) expect-race[total](intra-warp)
    }
  float total = mine[0]; // expect-race[total](intra-warp) expect-race[lone](intra-warp)
  if (i < n && lane == 0)
    force[i] = total;
}

__global__ void pair_force_fixed(const float *distance, const int *neighbors, float *force, int n, int most) { // expect-clean
  int i = blockIdx.x * 32 + threadIdx.y, lane = threadIdx.x;
  float f = 0;
  if (i < n)
    for (int k = lane; k < neighbors[i]; k += 8)
      f += 1 / distance[i * most + k];
  for (int left = 4; left >= 1; left /= 2)
    f += __shfl_down_sync(0xffffffffu, f, left, 8);
  if (i < n && lane == 0)
    force[i] = f;
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]), most = 64;
  float *distance, *force;
  int *neighbors;
  cudaMalloc(&distance, n * most * sizeof(float));
  cudaMalloc(&neighbors, n * sizeof(int));
  cudaMalloc(&force, n * sizeof(float));
  dim3 block(8, 32);
  pair_force<<<n / 32 + 1, block>>>(distance, neighbors, force, n, most);
  pair_force_fixed<<<n / 32 + 1, block>>>(distance, neighbors, force, n, most);
}
