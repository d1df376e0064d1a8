// Each warp has a queue of its own, and a counter in an array of counters: its lanes draw places, put what they keep there if
// there is room, and after __syncwarp() the warp copies its queue out. The counters stand in shared memory by the warp's number
// (warp), by the row of the block (row), in global memory (global), in a struct beside the items (member). Places drawn from one
// counter differ, start at zero, and end at the room; without the test for room a queue grows into the next (grows_bad); with the
// counters of others two lanes get one place (other_bad); without the barrier the counter is read too soon (soon_bad). drawn_ok
// copies to room that lane 0 draws for its warp (drawn_rounds_ok in each round of a loop), drawn_bad to room that each lane draws for
// itself; where some lanes take more of it (drawn_lane_bad), or all read theirs anew when more has been added
// (drawn_again_bad), they copy more than was drawn for. member_bad has room for one item more than there is: that is the next counter.
//@ verdict warp_ok: race-free
//@ verdict warp_grows_bad: racy
//@ verdict warp_other_bad: racy
//@ verdict warp_soon_bad: racy
//@ verdict row_ok: race-free
//@ verdict row_grows_bad: racy
//@ verdict row_other_bad: racy
//@ verdict row_soon_bad: racy
//@ verdict global_ok: race-free
//@ verdict global_grows_bad: racy
//@ verdict global_other_bad: racy
//@ verdict global_soon_bad: racy
//@ verdict drawn_ok: race-free
//@ verdict drawn_bad: racy
//@ verdict member_ok: race-free
//@ verdict member_bad: racy
//@ verdict drawn_lane_bad: racy
//@ verdict drawn_again_bad: racy
//@ verdict drawn_rounds_ok: race-free
enum { WARPS = 8, CAP = 16 };

struct Queue {
  int count, items[CAP];
};

__global__ void warp_ok(const int *in, int *list, int *total, int n) { // expect-clean
  __shared__ int count[WARPS], queue[WARPS][CAP];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32, thread = (blockIdx.x * WARPS + warp) * 32 + lane;
  if (lane == 0)
    count[warp] = 0;
  __syncwarp();
  if (in[thread] > n) {
    int pos = atomicAdd(&count[warp], 1);
    if (pos < CAP)
      queue[warp][pos] = in[thread];
  }
  __syncwarp();
  int kept = min(count[warp], CAP);
  for (int i = lane; i < kept; i += 32)
    list[(blockIdx.x * WARPS + warp) * CAP + i] = queue[warp][i];
}

__global__ void warp_grows_bad(const int *in, int *list, int *total, int n) {
  __shared__ int count[WARPS], queue[WARPS][CAP];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32, thread = (blockIdx.x * WARPS + warp) * 32 + lane;
  if (lane == 0)
    count[warp] = 0;
  __syncwarp();
  if (in[thread] > n) {
    int pos = atomicAdd(&count[warp], 1);
    queue[warp][pos] = in[thread]; // expect-race[wg0] expect-race[wg1]
  }
  __syncwarp();
  int kept = min(count[warp], CAP);
  for (int i = lane; i < kept; i += 32)
    list[(blockIdx.x * WARPS + warp) * CAP + i] = queue[warp][i]; // expect-race[wg1]
}

__global__ void warp_other_bad(const int *in, int *list, int *total, int n) {
  __shared__ int count[WARPS], queue[WARPS][CAP];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32, thread = (blockIdx.x * WARPS + warp) * 32 + lane;
  if (lane == 0)
    count[warp] = 0; // expect-race[wo2]
  __syncwarp();
  if (in[thread] > n) {
    int pos = atomicAdd(&count[lane % WARPS], 1); // expect-race[wo0] expect-race[wo2]
    if (pos < CAP)
      queue[warp][pos] = in[thread]; // expect-race[wo1]
  }
  __syncwarp();
  int kept = min(count[warp], CAP); // expect-race[wo0]
  for (int i = lane; i < kept; i += 32)
    list[(blockIdx.x * WARPS + warp) * CAP + i] = queue[warp][i];
}

__global__ void warp_soon_bad(const int *in, int *list, int *total, int n) {
  __shared__ int count[WARPS], queue[WARPS][CAP];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32, thread = (blockIdx.x * WARPS + warp) * 32 + lane;
  if (lane == 0)
    count[warp] = 0;
  __syncwarp();
  if (in[thread] > n) {
    int pos = atomicAdd(&count[warp], 1); // expect-race[ws0]
    if (pos < CAP)
      queue[warp][pos] = in[thread]; // expect-race[ws1]
  }
  int kept = min(count[warp], CAP); // expect-race[ws0]
  for (int i = lane; i < kept; i += 32)
    list[(blockIdx.x * WARPS + warp) * CAP + i] = queue[warp][i]; // expect-race[ws1]
}

__global__ void row_ok(const int *in, int *list, int *total, int n) { // expect-clean
  __shared__ int count[WARPS], queue[WARPS][CAP];
  int warp = threadIdx.y, lane = threadIdx.x, thread = (blockIdx.x * WARPS + warp) * 32 + lane;
  if (lane == 0)
    count[warp] = 0;
  __syncwarp();
  if (in[thread] > n) {
    int pos = atomicAdd(&count[warp], 1);
    if (pos < CAP)
      queue[warp][pos] = in[thread];
  }
  __syncwarp();
  int kept = min(count[warp], CAP);
  for (int i = lane; i < kept; i += 32)
    list[(blockIdx.x * WARPS + warp) * CAP + i] = queue[warp][i];
}

__global__ void row_grows_bad(const int *in, int *list, int *total, int n) {
  __shared__ int count[WARPS], queue[WARPS][CAP];
  int warp = threadIdx.y, lane = threadIdx.x, thread = (blockIdx.x * WARPS + warp) * 32 + lane;
  if (lane == 0)
    count[warp] = 0;
  __syncwarp();
  if (in[thread] > n) {
    int pos = atomicAdd(&count[warp], 1);
    queue[warp][pos] = in[thread]; // expect-race[rg0] expect-race[rg1]
  }
  __syncwarp();
  int kept = min(count[warp], CAP);
  for (int i = lane; i < kept; i += 32)
    list[(blockIdx.x * WARPS + warp) * CAP + i] = queue[warp][i]; // expect-race[rg1]
}

__global__ void row_other_bad(const int *in, int *list, int *total, int n) {
  __shared__ int count[WARPS], queue[WARPS][CAP];
  int warp = threadIdx.y, lane = threadIdx.x, thread = (blockIdx.x * WARPS + warp) * 32 + lane;
  if (lane == 0)
    count[warp] = 0; // expect-race[ro2]
  __syncwarp();
  if (in[thread] > n) {
    int pos = atomicAdd(&count[lane % WARPS], 1); // expect-race[ro0] expect-race[ro2]
    if (pos < CAP)
      queue[warp][pos] = in[thread]; // expect-race[ro1]
  }
  __syncwarp();
  int kept = min(count[warp], CAP); // expect-race[ro0]
  for (int i = lane; i < kept; i += 32)
    list[(blockIdx.x * WARPS + warp) * CAP + i] = queue[warp][i];
}

__global__ void row_soon_bad(const int *in, int *list, int *total, int n) {
  __shared__ int count[WARPS], queue[WARPS][CAP];
  int warp = threadIdx.y, lane = threadIdx.x, thread = (blockIdx.x * WARPS + warp) * 32 + lane;
  if (lane == 0)
    count[warp] = 0;
  __syncwarp();
  if (in[thread] > n) {
    int pos = atomicAdd(&count[warp], 1); // expect-race[rs0]
    if (pos < CAP)
      queue[warp][pos] = in[thread]; // expect-race[rs1]
  }
  int kept = min(count[warp], CAP); // expect-race[rs0]
  for (int i = lane; i < kept; i += 32)
    list[(blockIdx.x * WARPS + warp) * CAP + i] = queue[warp][i]; // expect-race[rs1]
}

__global__ void global_ok(const int *in, int *list, int *total, int n, int *count, int *queue) { // expect-clean
  int thread = blockIdx.x * blockDim.x + threadIdx.x, warp = thread / 32, lane = threadIdx.x % 32;
  if (in[thread] > n) {
    int pos = atomicAdd(&count[warp], 1);
    if (pos < CAP)
      queue[warp * CAP + pos] = in[thread];
  }
  __syncwarp();
  int kept = min(count[warp], CAP);
  for (int i = lane; i < kept; i += 32)
    list[warp * CAP + i] = queue[warp * CAP + i];
}

__global__ void global_grows_bad(const int *in, int *list, int *total, int n, int *count, int *queue) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x, warp = thread / 32, lane = threadIdx.x % 32;
  if (in[thread] > n) {
    int pos = atomicAdd(&count[warp], 1);
    queue[warp * CAP + pos] = in[thread]; // expect-race[gg0] expect-race[gg1]
  }
  __syncwarp();
  int kept = min(count[warp], CAP);
  for (int i = lane; i < kept; i += 32)
    list[warp * CAP + i] = queue[warp * CAP + i]; // expect-race[gg1]
}

__global__ void global_other_bad(const int *in, int *list, int *total, int n, int *count, int *queue) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x, warp = thread / 32, lane = threadIdx.x % 32;
  if (in[thread] > n) {
    int pos = atomicAdd(&count[lane], 1); // expect-race[go0]
    if (pos < CAP)
      queue[warp * CAP + pos] = in[thread]; // expect-race[go1]
  }
  __syncwarp();
  int kept = min(count[warp], CAP); // expect-race[go0]
  for (int i = lane; i < kept; i += 32)
    list[warp * CAP + i] = queue[warp * CAP + i];
}

__global__ void global_soon_bad(const int *in, int *list, int *total, int n, int *count, int *queue) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x, warp = thread / 32, lane = threadIdx.x % 32;
  if (in[thread] > n) {
    int pos = atomicAdd(&count[warp], 1); // expect-race[gs0]
    if (pos < CAP)
      queue[warp * CAP + pos] = in[thread]; // expect-race[gs1]
  }
  int kept = min(count[warp], CAP); // expect-race[gs0]
  for (int i = lane; i < kept; i += 32)
    list[warp * CAP + i] = queue[warp * CAP + i]; // expect-race[gs1]
}

__global__ void drawn_ok(const int *in, int *list, int *total, int n) { // expect-clean
  __shared__ int count[WARPS], queue[WARPS][CAP];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32, thread = (blockIdx.x * WARPS + warp) * 32 + lane;
  if (lane == 0)
    count[warp] = 0;
  __syncwarp();
  if (in[thread] > n) {
    int pos = atomicAdd(&count[warp], 1);
    if (pos < CAP)
      queue[warp][pos] = in[thread];
  }
  __syncwarp();
  int kept = min(count[warp], CAP), base = 0;
  if (lane == 0)
    base = atomicAdd(total, kept);
  base = __shfl_sync(0xffffffff, base, 0);
  for (int i = lane; i < kept; i += 32)
    list[base + i] = queue[warp][i];
}

__global__ void drawn_lane_bad(const int *in, int *list, int *total, int n) {
  __shared__ int count[WARPS], queue[WARPS][CAP];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32, thread = (blockIdx.x * WARPS + warp) * 32 + lane;
  if (lane == 0)
    count[warp] = 0;
  __syncwarp();
  if (in[thread] > n) {
    int pos = atomicAdd(&count[warp], 1);
    if (pos < CAP)
      queue[warp][pos] = in[thread];
  }
  __syncwarp();
  int kept = min(count[warp], lane > 3 ? CAP : 4), base = 0;
  if (lane == 0)
    base = atomicAdd(total, kept);
  base = __shfl_sync(0xffffffff, base, 0);
  for (int i = lane; i < kept; i += 32)
    list[base + i] = thread; // expect-race
}

__global__ void drawn_again_bad(const int *in, int *list, int *total, int n) {
  __shared__ int count[WARPS], queue[WARPS][CAP];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32, thread = (blockIdx.x * WARPS + warp) * 32 + lane;
  if (lane == 0)
    count[warp] = 0;
  __syncwarp();
  if (in[thread] > n) {
    int pos = atomicAdd(&count[warp], 1);
    if (pos < CAP)
      queue[warp][pos] = in[thread];
  }
  __syncwarp();
  int kept = min(count[warp], CAP), base = 0;
  if (lane == 0)
    base = atomicAdd(total, kept);
  base = __shfl_sync(0xffffffff, base, 0);
  __syncwarp();
  atomicAdd(&count[warp], 1);
  __syncwarp();
  kept = min(count[warp], CAP);
  for (int i = lane; i < kept; i += 32)
    list[base + i] = thread; // expect-race
}

__global__ void drawn_rounds_ok(const int *in, int *list, int *total, int n) { // expect-clean
  __shared__ int count[WARPS], queue[WARPS][CAP];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int thread = blockIdx.x * blockDim.x + threadIdx.x; thread < 4096 * 4; thread += 4096) {
    if (lane == 0)
      count[warp] = 0;
    __syncwarp();
    if (in[thread] > n) {
      int pos = atomicAdd(&count[warp], 1);
      if (pos < CAP)
        queue[warp][pos] = in[thread];
    }
    __syncwarp();
    int kept = min(count[warp], CAP), base = 0;
    if (lane == 0)
      base = atomicAdd(total, kept);
    base = __shfl_sync(0xffffffff, base, 0);
    for (int i = lane; i < kept; i += 32)
      list[base + i] = queue[warp][i];
    __syncwarp();
  }
}

__global__ void drawn_bad(const int *in, int *list, int *total, int n) {
  __shared__ int count[WARPS], queue[WARPS][CAP];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32, thread = (blockIdx.x * WARPS + warp) * 32 + lane;
  if (lane == 0)
    count[warp] = 0;
  __syncwarp();
  if (in[thread] > n) {
    int pos = atomicAdd(&count[warp], 1);
    if (pos < CAP)
      queue[warp][pos] = in[thread];
  }
  __syncwarp();
  int kept = min(count[warp], CAP), base = 0;
  base = atomicAdd(total, 1);
  for (int i = lane; i < kept; i += 32)
    list[base + i] = queue[warp][i]; // expect-race
}

__global__ void member_ok(const int *in, int *list, int *total, int n) { // expect-clean
  __shared__ Queue queues[WARPS];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32, thread = (blockIdx.x * WARPS + warp) * 32 + lane;
  if (lane == 0)
    queues[warp].count = 0;
  __syncwarp();
  if (in[thread] > n) {
    int pos = atomicAdd(&queues[warp].count, 1);
    if (pos < CAP)
      queues[warp].items[pos] = in[thread];
  }
  __syncwarp();
  int kept = min(queues[warp].count, CAP);
  for (int i = lane; i < kept; i += 32)
    list[(blockIdx.x * WARPS + warp) * CAP + i] = queues[warp].items[i];
}

__global__ void member_bad(const int *in, int *list, int *total, int n) {
  __shared__ Queue queues[WARPS];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32, thread = (blockIdx.x * WARPS + warp) * 32 + lane;
  if (lane == 0)
    queues[warp].count = 0; // expect-race[mb0]
  __syncwarp();
  if (in[thread] > n) {
    int pos = atomicAdd(&queues[warp].count, 1); // expect-race[mb1]
    if (pos <= CAP)
      queues[warp].items[pos] = in[thread]; // expect-race[mb0] expect-race[mb1] expect-race[mb2] expect-race[mb3] expect-race[mb4]
  }
  __syncwarp();
  int kept = min(queues[warp].count, CAP); // expect-race[mb3]
  for (int i = lane; i < kept; i += 32)
    list[(blockIdx.x * WARPS + warp) * CAP + i] = queues[warp].items[i]; // expect-race[mb4]
}

int main() {
  int *in, *list, *total, *count, *queue;
  cudaMalloc((void **)&in, 4096 * sizeof(int));
  cudaMalloc((void **)&list, 4096 * sizeof(int));
  cudaMalloc((void **)&total, sizeof(int));
  cudaMalloc((void **)&count, 128 * sizeof(int));
  cudaMalloc((void **)&queue, 128 * 16 * sizeof(int));
  warp_ok<<<16, 256>>>(in, list, total, 0);
  warp_grows_bad<<<16, 256>>>(in, list, total, 0);
  warp_other_bad<<<16, 256>>>(in, list, total, 0);
  warp_soon_bad<<<16, 256>>>(in, list, total, 0);
  row_ok<<<16, dim3(32, 8)>>>(in, list, total, 0);
  row_grows_bad<<<16, dim3(32, 8)>>>(in, list, total, 0);
  row_other_bad<<<16, dim3(32, 8)>>>(in, list, total, 0);
  row_soon_bad<<<16, dim3(32, 8)>>>(in, list, total, 0);
  cudaMemset(count, 0, 128 * sizeof(int));
  global_ok<<<16, 256>>>(in, list, total, 0, count, queue);
  cudaMemset(count, 0, 128 * sizeof(int));
  global_grows_bad<<<16, 256>>>(in, list, total, 0, count, queue);
  cudaMemset(count, 0, 128 * sizeof(int));
  global_other_bad<<<16, 256>>>(in, list, total, 0, count, queue);
  cudaMemset(count, 0, 128 * sizeof(int));
  global_soon_bad<<<16, 256>>>(in, list, total, 0, count, queue);
  cudaMemset(total, 0, sizeof(int));
  drawn_ok<<<16, 256>>>(in, list, total, 0);
  cudaMemset(total, 0, sizeof(int));
  drawn_lane_bad<<<16, 256>>>(in, list, total, 0);
  cudaMemset(total, 0, sizeof(int));
  drawn_again_bad<<<16, 256>>>(in, list, total, 0);
  cudaMemset(total, 0, sizeof(int));
  drawn_rounds_ok<<<16, 256>>>(in, list, total, 0);
  cudaMemset(total, 0, sizeof(int));
  drawn_bad<<<16, 256>>>(in, list, total, 0);
  member_ok<<<16, 256>>>(in, list, total, 0);
  member_bad<<<16, 256>>>(in, list, total, 0);
  return 0;
}
