// Block barrier. glotzerlab/hoomd-blue, commit 70dadf663: the sum over the particles of a rigid body begins to add the threads' parts of
// force and torque in shared memory without a barrier after they were put there.
// In the first step thread t of a window reads what thread t + window / 2 has put there [force][torque]: with a window of 64 in another
// warp, with a smaller one in its own; the window is at most the block, 64. The later steps have their barrier. Fixed: one before the
// first as well.
//@ pairs: exact
//@ verdict rigid_sum: racy
//@ verdict rigid_sum_fixed: race-free
#include <cstdlib>

__global__ void rigid_sum(const float *net_force, const float *net_torque, float *body, int window) {
  __shared__ float force[64], torque[64];
  int i = blockIdx.x * 64 + threadIdx.x, lane = threadIdx.x % window;
  force[threadIdx.x] = net_force[i];   // expect-race[force](intra-block,intra-warp)
  torque[threadIdx.x] = net_torque[i]; // expect-race[torque](intra-block,intra-warp)
  for (int offset = window >> 1; offset > 0; offset >>= 1) {
    if (lane < offset) {
      force[threadIdx.x] += force[threadIdx.x + offset];   // expect-race[force](intra-block,intra-warp)
      torque[threadIdx.x] += torque[threadIdx.x + offset]; // expect-race[torque](intra-block,intra-warp)
    }
    __syncthreads();
  }
  if (lane == 0) {
    body[2 * (i / window)] = force[threadIdx.x];
    body[2 * (i / window) + 1] = torque[threadIdx.x];
  }
}

__global__ void rigid_sum_fixed(const float *net_force, const float *net_torque, float *body, int window) { // expect-clean
  __shared__ float force[64], torque[64];
  int i = blockIdx.x * 64 + threadIdx.x, lane = threadIdx.x % window;
  force[threadIdx.x] = net_force[i];
  torque[threadIdx.x] = net_torque[i];
  __syncthreads();
  for (int offset = window >> 1; offset > 0; offset >>= 1) {
    if (lane < offset) {
      force[threadIdx.x] += force[threadIdx.x + offset];
      torque[threadIdx.x] += torque[threadIdx.x + offset];
    }
    __syncthreads();
  }
  if (lane == 0) {
    body[2 * (i / window)] = force[threadIdx.x];
    body[2 * (i / window) + 1] = torque[threadIdx.x];
  }
}

int main(int argc, char **argv) {
  int bodies = atoi(argv[1]), blocks = 0;
  float *force, *torque, *body;
  for (int window = 2; window <= 64; window *= 2) {
    blocks = (bodies * window + 63) / 64;
    cudaMalloc(&force, blocks * 64 * sizeof(float));
    cudaMalloc(&torque, blocks * 64 * sizeof(float));
    cudaMalloc(&body, blocks * 64 * sizeof(float));
    rigid_sum<<<blocks, 64>>>(force, torque, body, window);
    rigid_sum_fixed<<<blocks, 64>>>(force, torque, body, window);
    cudaFree(force), cudaFree(torque), cudaFree(body);
  }
}
