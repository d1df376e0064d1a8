// Calls that stay calls: of functions that call themselves, and through pointers. Nothing of them is seen by other threads if they touch no
// memory but what their thread alone has; what they return is unknown. Each twin differs by one edit.
//   factorial: the result is stored in the thread's own element; in the twin in half as many elements.
//   sorted: a recursive sort of an array of the thread's own; in the twin it sorts the global array itself.
//   chosen: a function out of a table that may be changed; in the twin one of those whose address is taken stores.
//   where: the result says where to store, of which nothing is known: no race is told, and none is ruled out.
//   picked: one of two functions by a parameter, a table of constants (listed), or thread by thread (each); all of them by name.
//@ verdict picked_ok: race-free
//@ leans picked_ok: !A5
//@ verdict picked_bad: racy
//@ verdict listed_ok: race-free
//@ verdict listed_bad: racy
//   inner: a table of the thread's own, a member of a struct.
//@ verdict inner_ok: race-free
//@ verdict inner_bad: racy
//@ verdict each_ok: race-free
//@ verdict each_bad: racy
//@ verdict factorial_ok: race-free
//@ verdict factorial_bad: racy
//@ verdict sorted_ok: race-free
//@ verdict sorted_bad: racy
//@ known-undecided sorted_bad: what a function that calls itself does to memory is not followed
//@ verdict chosen_ok: race-free
//@ leans chosen_ok: A5
//@ verdict chosen_bad: racy
//@ known-undecided chosen_bad: the call may store, and is not entered
//@ verdict where: undecided
__device__ int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }
__global__ void factorial_ok(int *g) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  g[i] = factorial(i & 7);
}
__global__ void factorial_bad(int *g) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  g[i / 2] = factorial(i & 7); // expect-race
}

__device__ void sort(int *a, int from, int to) {
  if (from >= to) return;
  int pivot = a[to], k = from;
  for (int j = from; j < to; j++)
    if (a[j] < pivot) {
      int t = a[j];
      a[j] = a[k];
      a[k++] = t;
    }
  a[to] = a[k];
  a[k] = pivot;
  sort(a, from, k - 1);
  sort(a, k + 1, to);
}
__global__ void sorted_ok(int *g) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x, own[8];
  for (int k = 0; k < 8; k++)
    own[k] = g[8 * i + k];
  sort(own, 0, 7);
  for (int k = 0; k < 8; k++)
    g[8 * i + k] = own[k];
}
__global__ void sorted_bad(int *g) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, own[8];
  for (int k = 0; k < 8; k++)
    own[k] = g[8 * i + k];
  sort(g, 0, 7);
  for (int k = 0; k < 8; k++)
    g[8 * i + k] = own[k];
}

__device__ int own_place(int *g, int i) { return g[i]++; }             // expect-race[listed] expect-race[each] expect-race[inner]
__device__ int next_place(int *g, int i) { return g[i + 1]++; }        // expect-race[listed] expect-race[each] expect-race[inner]
__device__ int behind_all(int *g, int i) {
  __syncthreads();
  return g[i ^ 1];
}
__device__ int at_once(int *g, int i) { return g[i ^ 1]; } // expect-race[picked]
__device__ int (*const places[])(int *, int) = {own_place, own_place, next_place};
__global__ void picked_ok(int *g, int which) { // expect-clean
  __shared__ int s[1024];
  int (*step)(int *, int) = own_place;
  if (which) step = behind_all;
  s[threadIdx.x] = which;
  g[blockIdx.x * blockDim.x + threadIdx.x] = step(s, threadIdx.x);
}
__global__ void picked_bad(int *g, int which) {
  __shared__ int s[1024];
  int (*step)(int *, int) = own_place;
  if (which) step = at_once;
  s[threadIdx.x] = which; // expect-race[picked]
  g[blockIdx.x * blockDim.x + threadIdx.x] = step(s, threadIdx.x);
}
__global__ void listed_ok(int *g, int which) { // expect-clean
  places[which & 1](g, blockIdx.x * blockDim.x + threadIdx.x);
}
__global__ void listed_bad(int *g, int which) { places[threadIdx.x & 2](g, blockIdx.x * blockDim.x + threadIdx.x); }
struct Steps {
  int first;
  int (*step)(int *, int);
};
__global__ void inner_ok(int *g, int which) { // expect-clean
  int (*own[])(int *, int) = {next_place, own_place};
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Steps steps = {1, next_place};
  if (which > 1) steps.step = own_place;
  if (which > 0)
    steps.step(g, i);
  else
    own[which & 1](g, i);
}
__global__ void inner_bad(int *g, int which) {
  int (*own[])(int *, int) = {next_place, own_place};
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Steps steps = {1, next_place};
  if (i > 1) steps.step = own_place;
  if (which > 0)
    steps.step(g, i);
  else
    own[i & 1](g, i);
}
__global__ void each_ok(int *g) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int (*step)(int *, int) = i % 2 ? own_place : next_place;
  if (i % 2 == 0) step(g, i);
}
__global__ void each_bad(int *g) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int (*step)(int *, int) = i % 2 ? own_place : next_place;
  step(g, i);
}

__device__ int last_value;
__device__ int next(int x) { return x + 1; }
__device__ int twice(int x) { return 2 * x; }
__device__ int twice_kept(int x, int) { return 2 * x; }
__device__ int next_kept(int x, int) { return last_value = x + 1; }
__device__ int (*steps[])(int) = {next, twice};
__device__ int (*kept_steps[])(int, int) = {next_kept, twice_kept};
__global__ void chosen_ok(int *g, int which) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  g[i] = steps[which & 1](i);
}
__global__ void chosen_bad(int *g, int which) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  g[i] = kept_steps[which & 1](i, which);
}
__global__ void where(int *g, int which) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  g[steps[which & 1](i)] = i;
}
