// Warp barrier. proteneer/timemachine #344, #347: a warp collects the atoms near a block in shared memory and writes 32 of them out as
// soon as it has them; the steps of collecting, writing out and moving the rest up had no barrier of the warp between them.
// A lane writes out what another has found [found], moves up what another has found, to where another has put or is going to put
// something [rest]; and a place that was moved up is found again, by another lane [place]. Votes and shuffles order nothing in memory.
// Fixed: __syncwarp() behind collecting and behind moving up; writing out and moving up look at places that the lane itself overwrites,
// or none. The number of atoms found is the same in all lanes; ranks under a ballot are distinct; each warp, a block of its own, gets
// its 32 places of the output by an atomic operation.
//@ pairs: exact
//@ verdict find_neighbors: racy
//@ verdict find_neighbors_fixed: race-free
//@ known-undecided find_neighbors_fixed: places found out by ballots that a loop carries on
#include <cstdlib>

__global__ void find_neighbors(const float *x, int n, float cutoff, int *total, int *out) {
  __shared__ int buffer[64];
  int lane = threadIdx.x, found = 0;
  float mine = x[blockIdx.x];
  for (int j = lane; j < n; j += 32) {
    bool near = fabsf(x[j] - mine) < cutoff;
    unsigned ballot = __ballot_sync(0xffffffffu, near);
    if (near)
      buffer[found + __popc(ballot & ((1u << lane) - 1))] = j; // expect-race[found](intra-warp) expect-race[rest](intra-warp) expect-race[place](intra-warp)
    found += __popc(ballot);
    if (found >= 32) {
      int at = 0;
      if (lane == 0)
        at = atomicAdd(total, 32);
      at = __shfl_sync(0xffffffffu, at, 0);
      out[at + lane] = buffer[lane];    // expect-race[found](intra-warp)
      buffer[lane] = buffer[lane + 32]; // expect-race[rest](intra-warp)
      found -= 32;
    }
  }
}

__global__ void find_neighbors_fixed(const float *x, int n, float cutoff, int *total, int *out) { // expect-clean
  __shared__ int buffer[64];
  int lane = threadIdx.x, found = 0;
  float mine = x[blockIdx.x];
  for (int j = lane; j < n; j += 32) {
    bool near = fabsf(x[j] - mine) < cutoff;
    unsigned ballot = __ballot_sync(0xffffffffu, near);
    if (near)
      buffer[found + __popc(ballot & ((1u << lane) - 1))] = j;
    found += __popc(ballot);
    __syncwarp();
    if (found >= 32) {
      int at = 0;
      if (lane == 0)
        at = atomicAdd(total, 32);
      at = __shfl_sync(0xffffffffu, at, 0);
      out[at + lane] = buffer[lane];
      buffer[lane] = buffer[lane + 32];
      found -= 32;
    }
    __syncwarp();
  }
}

int main(int argc, char **argv) {
  int n = 32 * atoi(argv[1]);
  float *x;
  int *total, *out;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&total, sizeof(int));
  cudaMalloc(&out, (size_t)n * n * sizeof(int));
  cudaMemset(total, 0, sizeof(int));
  find_neighbors<<<n, 32>>>(x, n, 1.5f, total, out);
  cudaMemset(total, 0, sizeof(int));
  find_neighbors_fixed<<<n, 32>>>(x, n, 1.5f, total, out);
}
