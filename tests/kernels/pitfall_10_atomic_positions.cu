// What atomicAdd returns is a place of one's own only if one added at least 1 to a counter shared with all others.
// pick: only threads that keep their element add 1 and write (ok); all write, and those that add 0 share a place (bad).
// put: a counter in global memory (ok); one in shared memory counts for each block, the target is global (bad).
// run_of: a range of `length` elements from the old value on (ok); one element too many (bad).
// rounds: a queue in shared memory that is emptied in each round, its places used behind a barrier (ok); a place used behind
// the loop may be from any round (late_bad).
// twice: the second half of a block draws after the counter was set back (bad).
// halves: two counts in one word of 64 bits; each half is counted (ok), or one of them only by some threads (bad).
//@ verdict halves_ok: race-free
//@ verdict halves_bad: racy
//@ verdict rounds_ok: race-free
//@ verdict late_bad: racy
//@ verdict twice_bad: racy
//@ verdict pick_ok: race-free
//@ verdict pick_bad: racy
//@ verdict put_ok: race-free
//@ verdict put_bad: racy
//@ verdict run_of_ok: race-free
//@ verdict run_of_bad: racy
__global__ void halves_ok(int *high, int *low, unsigned long long *counts) { // expect-clean
  unsigned long long at = atomicAdd(counts, (1ull << 32) + 1);
  high[(int)(at >> 32)] = threadIdx.x;
  low[(int)at] = threadIdx.x;
}

__global__ void halves_bad(int *high, int *low, unsigned long long *counts) {
  unsigned long long at = atomicAdd(counts, 1ull << 32);
  high[(int)(at >> 32)] = threadIdx.x;
  low[(int)at] = threadIdx.x; // expect-race
}

__global__ void pick_ok(const int *in, const int *keep, int *out, int *count, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && keep[i]) {
    int at = atomicAdd(count, 1);
    out[at] = in[i];
  }
}

__global__ void pick_bad(const int *in, const int *keep, int *out, int *count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int at = atomicAdd(count, keep[i]);
    out[at] = in[i]; // expect-race
  }
}

__global__ void put_ok(int *out, int *count) { // expect-clean
  int at = atomicAdd(count, 1);
  out[at] = threadIdx.x;
}

__global__ void put_bad(int *out) {
  __shared__ int count;
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  int at = atomicAdd(&count, 1);
  out[at] = blockIdx.x; // expect-race {{-Winter-block-race}}
}

__global__ void rounds_ok(const int *in, int n) { // expect-clean
  __shared__ int count, queue[256];
  int t = threadIdx.x;
  for (int base = 0; base < n; base += 256) {
    if (t == 0)
      count = 0;
    __syncthreads();
    bool keep = base + t < n && in[base + t] > 0;
    int at = 0;
    if (keep)
      at = atomicAdd(&count, 1);
    __syncthreads();
    if (keep)
      queue[at] = base + t;
    __syncthreads();
  }
}

__global__ void late_bad(const int *in, int n) {
  __shared__ int count, queue[256];
  int t = threadIdx.x, at = 0;
  for (int base = 0; base < n; base += 256) {
    if (t == 0)
      count = 0;
    __syncthreads();
    if (base + t < n && in[base + t] > 0)
      at = atomicAdd(&count, 1);
    __syncthreads();
  }
  queue[at] = t; // expect-race
}

__global__ void twice_bad() {
  __shared__ int count, queue[256];
  int t = threadIdx.x, at = 0;
  if (t == 0)
    count = 0;
  __syncthreads();
  if (t < 128)
    at = atomicAdd(&count, 1);
  __syncthreads();
  if (t == 0)
    count = 0;
  __syncthreads();
  if (t >= 128)
    at = atomicAdd(&count, 1);
  queue[at] = t; // expect-race
}

__global__ void run_of_ok(const unsigned *length, int *out, unsigned *count, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    unsigned at = atomicAdd(count, length[i]);
    for (unsigned j = 0; j < length[i]; j++)
      out[at + j] = i;
  }
}

__global__ void run_of_bad(const unsigned *length, int *out, unsigned *count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    unsigned at = atomicAdd(count, length[i]);
    for (unsigned j = 0; j <= length[i]; j++)
      out[at + j] = i; // expect-race
  }
}

int main(int argc, char **) {
  int n = argc, blocks = (n + 255) / 256;
  int *in, *keep, *out, *count;
  unsigned *length, *total;
  cudaMalloc((void **)&in, n * sizeof(int));
  cudaMalloc((void **)&keep, n * sizeof(int));
  cudaMalloc((void **)&out, n * sizeof(int));
  cudaMalloc((void **)&count, sizeof(int));
  cudaMalloc((void **)&length, n * sizeof(unsigned));
  cudaMalloc((void **)&total, sizeof(unsigned));
  cudaMemset(count, 0, sizeof(int));
  cudaMemset(total, 0, sizeof(unsigned));
  unsigned long long *counts;
  cudaMalloc((void **)&counts, sizeof(unsigned long long));
  cudaMemset(counts, 0, sizeof(unsigned long long));
  halves_ok<<<blocks, 256>>>(in, out, counts);
  halves_bad<<<blocks, 256>>>(in, out, counts);
  pick_ok<<<blocks, 256>>>(in, keep, out, count, n);
  pick_bad<<<blocks, 256>>>(in, keep, out, count, n);
  cudaMemset(count, 0, sizeof(int));
  put_ok<<<blocks, 256>>>(out, count);
  put_bad<<<blocks, 256>>>(out);
  rounds_ok<<<blocks, 256>>>(in, n);
  late_bad<<<blocks, 256>>>(in, n);
  twice_bad<<<blocks, 256>>>();
  run_of_ok<<<blocks, 256>>>(length, out, total, n);
  run_of_bad<<<blocks, 256>>>(length, out, total, n);
  return 0;
}
