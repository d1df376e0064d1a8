// Library storage. NVIDIA/cccl #10985: a reduction over groups of warps kept its scratch by the rank of a warp in its group; two groups
// of one block have the same ranks and separate barriers, so that they used the same scratch at the same time.
// Warp 0 of one group and warp 0 of the other write one slot [write], and a group reads what the other writes [read]. Fixed: a slot by
// the number of the warp in the block. The two groups wait at named barriers of 96 threads each.
//@ pairs: exact
//@ verdict grouped_sum: racy
//@ verdict grouped_sum_fixed: race-free
#include <cstdlib>

__device__ void group_sync(int group) { asm volatile("bar.sync %0, 96;" : : "r"(group + 1) : "memory"); }

__global__ void grouped_sum(const float *in, float *out) {
  __shared__ float slots[6];
  int t = threadIdx.x, warp = t / 32, group = warp / 3, rank = warp % 3;
  float v = in[blockIdx.x * 192 + t];
  for (int offset = 16; offset > 0; offset /= 2)
    v += __shfl_down_sync(0xffffffffu, v, offset);
  if (t % 32 == 0)
    slots[rank] = v; // expect-race[write](intra-block) expect-race[read](intra-block)
  group_sync(group);
  if (t % 96 == 0)
    out[blockIdx.x * 2 + group] = slots[0] + slots[1] + slots[2]; // expect-race[read](intra-block)
}

__global__ void grouped_sum_fixed(const float *in, float *out) { // expect-clean
  __shared__ float slots[6];
  int t = threadIdx.x, warp = t / 32, group = warp / 3;
  float v = in[blockIdx.x * 192 + t];
  for (int offset = 16; offset > 0; offset /= 2)
    v += __shfl_down_sync(0xffffffffu, v, offset);
  if (t % 32 == 0)
    slots[warp] = v;
  group_sync(group);
  if (t % 96 == 0)
    out[blockIdx.x * 2 + group] = slots[group * 3] + slots[group * 3 + 1] + slots[group * 3 + 2];
}

int main(int argc, char **argv) {
  int blocks = atoi(argv[1]);
  float *in, *out;
  cudaMalloc(&in, blocks * 192 * sizeof(float));
  cudaMalloc(&out, blocks * 2 * sizeof(float));
  grouped_sum<<<blocks, 192>>>(in, out);
  grouped_sum_fixed<<<blocks, 192>>>(in, out);
}
