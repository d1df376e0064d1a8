// Control flow that is rare. What is not understood leaves the kernel undecided, with a reason; it does not end the analysis.
// into_a_loop: a goto leads into a loop, which has two entries then; to_its_head: to the head of the loop.
// recursion, by itself and of two functions: bodies are known, but stay calls; of two that touch no memory only the result is unknown.
// A kernel whose calls end by themselves is the twin.
// pointers to functions: chosen, from a table, where one of the functions has all threads write one element; a direct call of the other
// is the twin.
// barriers that nothing reaches order nothing (unreachable: behind `if (false)` or a contradiction), and do no harm (behind return).
// endless loops, with a barrier in each round or without: each thread changes its own element (ok), or reads its neighbour's besides
// (bad), which races within a round, where no barrier is. Neighbours are lanes of one warp, or 31 and 32.
// no accesses: nothing races.
//@ verdict into_a_loop: race-free
//@ verdict to_its_head: race-free
//@ verdict calls_itself: undecided
//@ verdict calls_other: race-free
//@ verdict calls_down: race-free
//@ verdict pointer_chosen: racy
//@ verdict pointer_of_table: racy
//@ verdict pointer_direct: race-free
//@ verdict unreachable_bad: racy
//@ verdict contradiction_bad: racy
//@ verdict behind_return_ok: race-free
//@ verdict no_accesses: race-free
//@ verdict no_body: race-free
//@ verdict endless_barrier_ok: race-free
//@ verdict endless_barrier_bad: racy
//@ verdict endless_ok: race-free
//@ verdict endless_bad: racy
__global__ void into_a_loop(int *out, int n) { // expect-clean
  int sum = 0, i = threadIdx.x;
  if (n > 3)
    goto middle;
  for (; i < n; i += 7) {
    sum += i;
  middle:
    sum *= 2;
  }
  out[threadIdx.x] = sum;
}

__global__ void to_its_head(int *out, int n) { // expect-clean
  int sum = 0, i = threadIdx.x;
  if (n > 3)
    goto head;
  sum = 5;
head:
  for (; i < n; i += 7) {
    sum += i;
    sum *= 2;
  }
  out[threadIdx.x] = sum;
}

__device__ void fill(int *out, int n) {
  if (n > 0) {
    out[n] = n;
    fill(out, n - 1);
  }
}

__global__ void calls_itself(int *out) {
  fill(out, threadIdx.x);
}

__device__ int odd(int n);
__device__ int even(int n) {
  return n == 0 ? 1 : odd(n - 1);
}
__device__ int odd(int n) {
  return n == 0 ? 0 : even(n - 1);
}

__global__ void calls_other(int *out) { // expect-clean
  out[threadIdx.x] = even(threadIdx.x);
}

__device__ int half(int n) {
  return n / 2;
}
__device__ int quarter(int n) {
  return half(half(n));
}

__global__ void calls_down(int *out) { // expect-clean
  out[threadIdx.x] = quarter(threadIdx.x);
}

__device__ void put_first(int *a) {
  a[0] = threadIdx.x; // expect-race
}
__device__ void put_own(int *a) {
  a[threadIdx.x] = threadIdx.x;
}
__device__ void (*const table[2])(int *) = {put_first, put_own};

__global__ void pointer_chosen(int *out, int n) {
  void (*put)(int *) = n > 3 ? put_first : put_own;
  put(out);
}

__global__ void pointer_of_table(int *out, int n) {
  table[n & 1](out);
}

__global__ void pointer_direct(int *out) { // expect-clean
  put_own(out);
}

__global__ void unreachable_bad(int *out) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x; // expect-race[u](intra-block)
  if (false)
    __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x]; // expect-race[u](intra-block)
}

__global__ void contradiction_bad(int *out, int n) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x; // expect-race[c](intra-block)
  if (n > 5 && n < 3)
    __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x]; // expect-race[c](intra-block)
}

__global__ void behind_return_ok(int *out) { // expect-clean
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x];
  return;
  __syncthreads();
}

__global__ void no_accesses(int n) { // expect-clean
  for (int i = 0; i < n; i++)
    __syncthreads();
}

__global__ void no_body() {} // expect-clean

__global__ void endless_barrier_ok(int *out) { // expect-clean
  for (;;) {
    out[threadIdx.x] += 1;
    __syncthreads();
  }
}

__global__ void endless_barrier_bad(int *out) {
  for (;;) {
    out[threadIdx.x] += out[threadIdx.x + 1]; // expect-race[eb](intra-block,intra-warp)
    __syncthreads();
  }
}

__global__ void endless_ok(int *out) { // expect-clean
  for (;;)
    out[threadIdx.x] += 1;
}

__global__ void endless_bad(int *out) {
  for (;;)
    out[threadIdx.x] += out[threadIdx.x + 1]; // expect-race[e](intra-block,intra-warp)
}

int main(int argc, char **) {
  int *out;
  cudaMalloc((void **)&out, 65 * sizeof(int));
  into_a_loop<<<1, 64>>>(out, argc);
  to_its_head<<<1, 64>>>(out, argc);
  calls_itself<<<1, 64>>>(out);
  calls_other<<<1, 64>>>(out);
  calls_down<<<1, 64>>>(out);
  pointer_chosen<<<1, 64>>>(out, argc);
  pointer_of_table<<<1, 64>>>(out, argc);
  pointer_direct<<<1, 64>>>(out);
  unreachable_bad<<<1, 64>>>(out);
  contradiction_bad<<<1, 64>>>(out, argc);
  behind_return_ok<<<1, 64>>>(out);
  no_accesses<<<1, 64>>>(argc);
  no_body<<<1, 64>>>();
  endless_barrier_ok<<<1, 64>>>(out);
  endless_barrier_bad<<<1, 64>>>(out);
  endless_ok<<<1, 64>>>(out);
  endless_bad<<<1, 64>>>(out);
  return 0;
}
