// Kernels launched from device code, which nvcc takes: the host shows one launch, but not with what the device launches
// (bad). A kernel that launches is undecided, since what the child does is not compared with its own accesses. Children whose
// template arguments are deduced, launches in functions of both sides and in macros are seen alike. A launch whose values are not
// followed has any number of blocks.
//@ verdict kernels::spread_ok: race-free
//@ verdict kernels::spread_bad: racy
//@ verdict spread_template_ok<int>: race-free
//@ verdict spread_template_bad<int>: racy
//@ verdict parent: undecided
//@ verdict through_function: undecided
//@ verdict deduced_ok<int>: race-free
//@ verdict deduced_bad<int>: racy
//@ verdict from_both_ok: race-free
//@ verdict from_both_bad: racy
//@ verdict through_both: undecided
//@ verdict from_macro_ok<float>: race-free
//@ verdict from_macro_bad<float>: racy
//@ verdict from_macro_bad<int>: racy
//@ verdict through_macro: undecided
//@ verdict from_outer_macro_ok: race-free
//@ verdict from_outer_macro_bad: racy
//@ verdict through_outer_macro: undecided
//@ verdict with_null_ok<int>: race-free
//@ verdict with_null_bad<int>: racy
//@ verdict gives_null: undecided
namespace kernels {
__global__ void spread_ok(int *a, int step) { // expect-clean
  a[step * threadIdx.x] = threadIdx.x;
}

__global__ void spread_bad(int *a, int step) {
  a[step * threadIdx.x] = threadIdx.x; // expect-race
}
} // namespace kernels

template <class T> __global__ void spread_template_ok(T *a) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
}

template <class T> __global__ void spread_template_bad(T *a) {
  a[threadIdx.x / 2] = threadIdx.x; // expect-race
}

__global__ void parent(int *a, const int *steps, int n) {
  if (threadIdx.x == 0) {
    kernels::spread_bad<<<1, n>>>(a, steps[blockIdx.x]);
    spread_template_ok<int><<<dim3(1), dim3(32, 1), n * sizeof(int)>>>(a);
    spread_template_bad<int>
        <<<(n > 2 ? 1 : 2), 32>>>(a);
  }
}

__device__ void launch(int *a) {
  if (blockIdx.x == 0) kernels::spread_bad<<<1, 32>>>(a, 1);
}

__global__ void through_function(int *a) { launch(a); }

template <class T> __global__ void deduced_ok(T *a) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
}

template <class T> __global__ void deduced_bad(T *a) {
  a[threadIdx.x / 2] = threadIdx.x; // expect-race
}

__global__ void from_both_ok(int *a, int step) { // expect-clean
  a[step * threadIdx.x] = threadIdx.x;
}

__global__ void from_both_bad(int *a, int step) {
  a[step * threadIdx.x] = threadIdx.x; // expect-race
}

__host__ __device__ void launch_anywhere(int *a, int step) {
  from_both_bad<<<1, 32>>>(a, step - 1);
  deduced_ok<<<1, 32>>>(a + step);
  deduced_bad<<<1, 32>>>(a + step);
}

__global__ void through_both(int *a, int n) {
  if (threadIdx.x == 0) launch_anywhere(a + threadIdx.x, n);
}

#define LAUNCH(kernel, blocks, threads, ...) kernel<<<blocks, threads>>>(__VA_ARGS__)

template <class T> __global__ void from_macro_ok(T *a) { // expect-clean
  a[threadIdx.x] = threadIdx.x;
}

template <class T> __global__ void from_macro_bad(T *a) {
  a[threadIdx.x / 2] = threadIdx.x; // expect-race
}

__global__ void through_macro(int *a) {
  LAUNCH(from_macro_bad, 1, 32, a);
}

template <class T> __global__ void with_null_ok(T *a, int *also) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  if (also) a[i] = 1;
}

template <class T> __global__ void with_null_bad(T *a, int *also) {
  a[threadIdx.x / 2] = threadIdx.x; // expect-race
}

__global__ void gives_null(int *a) {
  with_null_ok<<<1, 32>>>(a, NULL);
  with_null_bad<<<1, 32>>>(a, NULL );
}

// A macro that comes to the launch by another one.
#define LAUNCH_ALL(function, n, ...) LAUNCH(function, (n + 31) / 32, 32, __VA_ARGS__)

__global__ void from_outer_macro_ok(int *a, int *also, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = also ? 1 : 2;
}

__global__ void from_outer_macro_bad(int *a, int *also, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i / 2] = also ? i + 1 : i; // expect-race
}

__global__ void through_outer_macro(int *a, int n) {
  LAUNCH_ALL(from_outer_macro_ok, n, a, NULL, n);
  LAUNCH_ALL(from_outer_macro_bad, n, a, NULL, n);
}

int main() {
  int *a, *b;
  cudaMalloc((void **)&a, 1024 * sizeof(int));
  cudaMalloc((void **)&b, 1024 * sizeof(int));
  kernels::spread_ok<<<1, 64>>>(a, 2);
  kernels::spread_bad<<<1, 64>>>(a, 2);
  parent<<<1, 32>>>(a, b, 7);
  through_function<<<1, 32>>>(b);
  through_both<<<1, 32>>>(b, 2);
  from_both_ok<<<1, 32>>>(a, 2);
  launch_anywhere(b, 3);
  float *f;
  cudaMalloc((void **)&f, 1024 * sizeof(float));
  LAUNCH(from_macro_ok, 1, 32, f);
  LAUNCH(from_macro_bad, 1, 32, f);
  LAUNCH_ALL(from_outer_macro_ok, 1024, a, NULL, 1024);
  through_macro<<<1, 1>>>(a);
  through_outer_macro<<<1, 1>>>(a, 1024);
  return 0;
}
