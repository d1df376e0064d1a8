// Places from a counter of the block in a slice of the block's own. Thread 0 sets it to 0 before a barrier, and each of the 64
// threads draws once: numbers stay below 64 (once_ok, and once_bad with slices of 63). In rounds it must be set again
// before anybody draws twice (rounds_ok; in rounds_bad only in the first round). Two additions give twice as many numbers
// (sites_ok, sites_bad). The thread that sets it has to exist (setter_bad) and to be there still (left_bad); without a barrier
// behind it (late_bad) or with a negative amount (down_bad) nothing is known of the number, nor if another place in the kernel
// sets it higher (high_bad; start_ok starts higher, too, in slices that still do not meet). What is read behind the next
// barrier is the total, at most 64 (total_ok, total_bad).
// A vote counts no more threads than the block has (voted_ok, voted_bad).
// Set again between two phases, it counts from there (phases_ok); set again on one way only it goes on (phases_bad).
//@ verdict phases_ok: race-free
//@ verdict phases_bad: racy
//@ verdict once_ok: race-free
//@ verdict once_bad: racy
//@ verdict rounds_ok: race-free
//@ verdict rounds_bad: racy
//@ verdict sites_ok: race-free
//@ verdict sites_bad: racy
//@ verdict setter_bad: racy
//@ verdict left_bad: racy
//@ verdict late_bad: racy
//@ verdict down_bad: racy
//@ verdict start_ok: race-free
//@ verdict high_bad: racy
//@ verdict voted_ok: race-free
//@ verdict voted_bad: racy
//@ verdict total_ok: race-free
//@ verdict total_bad: racy
//@ args: --grid-dim 4 --block-dim 64 --same-value=warn
__global__ void once_ok(int *list) { // expect-clean
  __shared__ int n;
  if (threadIdx.x == 0) n = 0;
  __syncthreads();
  int place = atomicAdd(&n, 1);
  list[blockIdx.x * 64 + place] = threadIdx.x;
}

__global__ void once_bad(int *list) {
  __shared__ int n;
  if (threadIdx.x == 0) n = 0;
  __syncthreads();
  int place = atomicAdd(&n, 1);
  list[blockIdx.x * 63 + place] = threadIdx.x; // expect-race
}

__global__ void rounds_ok(int *list, int rounds) { // expect-clean
  __shared__ int n;
  for (int i = 0; i < rounds; i++) {
    if (threadIdx.x == 0) n = 0;
    __syncthreads();
    int place = atomicAdd(&n, 1);
    list[(blockIdx.x * rounds + i) * 64 + place] = threadIdx.x;
    __syncthreads();
  }
}

__global__ void rounds_bad(int *list, int rounds) {
  __shared__ int n;
  for (int i = 0; i < rounds; i++) {
    if (threadIdx.x == 0 && i == 0) n = 0;
    __syncthreads();
    int place = atomicAdd(&n, 1);
    list[(blockIdx.x * rounds + i) * 64 + place] = threadIdx.x; // expect-race
    __syncthreads();
  }
}

__global__ void sites_ok(int *list) { // expect-clean
  __shared__ int n;
  if (threadIdx.x == 0) n = 0;
  __syncthreads();
  int first = atomicAdd(&n, 1);
  int second = atomicAdd(&n, 2);
  list[blockIdx.x * 192 + first] = threadIdx.x;
  list[blockIdx.x * 192 + second] = threadIdx.x;
}

__global__ void sites_bad(int *list) {
  __shared__ int n;
  if (threadIdx.x == 0) n = 0;
  __syncthreads();
  int first = atomicAdd(&n, 1);
  int second = atomicAdd(&n, 2);
  list[blockIdx.x * 128 + first] = threadIdx.x;  // expect-race[one] expect-race[both]
  list[blockIdx.x * 128 + second] = threadIdx.x; // expect-race[two] expect-race[both]
}

__global__ void setter_bad(int *list) {
  __shared__ int n;
  if (threadIdx.x == 64) n = 0;
  __syncthreads();
  int place = atomicAdd(&n, 1);
  list[blockIdx.x * 64 + place] = threadIdx.x; // expect-race
}

__global__ void left_bad(int *list) {
  __shared__ int n;
  if (threadIdx.x < 2) return;
  if (threadIdx.x < 1) n = 0;
  __syncthreads(); // expect-note {{sm_70 and later}}
  int place = atomicAdd(&n, 1);
  list[blockIdx.x * 64 + place] = threadIdx.x; // expect-race
}

__global__ void late_bad(int *list) {
  __shared__ int n;
  if (threadIdx.x == 0) n = 0;   // expect-race[counter]
  int place = atomicAdd(&n, 1);  // expect-race[counter]
  list[blockIdx.x * 64 + place] = threadIdx.x; // expect-race
}

__global__ void down_bad(int *list) {
  __shared__ int n;
  if (threadIdx.x == 0) n = 0;
  __syncthreads();
  if (blockIdx.x % 2)
    atomicSub(&n, 1);
  __syncthreads();
  int place = atomicAdd(&n, 1);
  list[blockIdx.x * 64 + place] = threadIdx.x; // expect-race
}

__global__ void start_ok(int *list) { // expect-clean
  __shared__ int n;
  if (threadIdx.x == 0) n = 500;
  __syncthreads();
  int place = atomicAdd(&n, 1);
  list[blockIdx.x * 64 + place] = threadIdx.x;
}

__global__ void high_bad(int *list, int much) {
  __shared__ int n;
  if (threadIdx.x == 0) n = 0;
  __syncthreads();
  if (threadIdx.x == 1 && blockIdx.x == much) n = 64;
  __syncthreads();
  int place = atomicAdd(&n, 1);
  list[blockIdx.x * 64 + place] = threadIdx.x; // expect-race
}

__global__ void total_ok(const int *in, int *out) { // expect-clean
  __shared__ int n;
  if (threadIdx.x == 0) n = 0;
  __syncthreads();
  if (in[blockIdx.x * 64 + threadIdx.x] > 0) atomicAdd(&n, 1);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x * 65 + n] = blockIdx.x;
}

__global__ void total_bad(const int *in, int *out) {
  __shared__ int n;
  if (threadIdx.x == 0) n = 0;
  __syncthreads();
  if (in[blockIdx.x * 64 + threadIdx.x] > 0) atomicAdd(&n, 1);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x * 64 + n] = blockIdx.x; // expect-race
}

__global__ void phases_ok(int *list, int *other, int again) { // expect-clean
  __shared__ int n;
  if (threadIdx.x == 0) n = 0;
  __syncthreads();
  list[blockIdx.x * 64 + atomicAdd(&n, 1)] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) n = 0;
  __syncthreads();
  other[blockIdx.x * 64 + atomicAdd(&n, 1)] = threadIdx.x;
}

__global__ void phases_bad(int *list, int *other, int again) {
  __shared__ int n;
  if (threadIdx.x == 0) n = 0;
  __syncthreads();
  list[blockIdx.x * 64 + atomicAdd(&n, 1)] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0 && blockIdx.x != again) n = 0;
  __syncthreads();
  other[blockIdx.x * 64 + atomicAdd(&n, 1)] = threadIdx.x; // expect-race
}

__global__ void voted_ok(int *list, const int *in) { // expect-clean
  int n = __syncthreads_count(in[blockIdx.x * 64 + threadIdx.x] > 0);
  if (threadIdx.x == 0) list[blockIdx.x * 65 + n] = blockIdx.x;
}

__global__ void voted_bad(int *list, const int *in) {
  int n = __syncthreads_count(in[blockIdx.x * 64 + threadIdx.x] > 0);
  if (threadIdx.x == 0) list[blockIdx.x * 64 + n] = blockIdx.x; // expect-race
}
