// A kernel template with an operator as parameter; device functions and a method in between. Each instance is a kernel.
//@ verdict map_ok: race-free
//@ verdict map_bad: racy
// Functions passed to functions that pass them on: what they write counts.
//@ verdict passed_ok: race-free
//@ verdict passed_bad: racy
struct Square {
  __device__ float operator()(float x) const { return x * x; }
};

struct Shift {
  float by;
  __device__ float operator()(float x) const { return x + by; }
};

template <class T> __device__ int place_of(int i, T *) { return i / (int)(sizeof(T) / 4); }

template <class Op, class T> __global__ void map_ok(T *out, const T *in, int n, Op op) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = op(in[i]);
}

template <class Op, class T> __global__ void map_bad(T *out, const T *in, int n, Op op) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[place_of(i, out)] = op(in[i]); // expect-race
}

__device__ void own(int *a, int i) { a[i] = i; }
__device__ void halved(int *a, int i) { a[i / 2] = i; } // expect-race
template <class F> __device__ void apply(F &&f, int *a, int i) { f(a, i); }
__device__ void each(void (*f)(int *, int), int *a, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    apply(f, a, i);
}

__global__ void passed_ok(int *a, int n) { each(own, a + blockIdx.x * n, n); } // expect-clean
__global__ void passed_bad(int *a, int n) { each(halved, a + blockIdx.x * n, n); }

int main(int argc, char **) {
  int n = argc, blocks = (n + 127) / 128;
  float *a, *b;
  double *c, *d;
  cudaMalloc((void **)&a, n * sizeof(float));
  cudaMalloc((void **)&b, n * sizeof(float));
  cudaMalloc((void **)&c, n * sizeof(double));
  cudaMalloc((void **)&d, n * sizeof(double));
  map_ok<<<blocks, 128>>>(a, b, n, Square());
  map_ok<<<blocks, 128>>>(c, d, n, Shift{1});
  map_bad<<<blocks, 128>>>(a, b, n, Square());
  map_bad<<<blocks, 128>>>(c, d, n, Square());
  int *e;
  cudaMalloc((void **)&e, 4 * n * sizeof(int));
  passed_ok<<<4, 128>>>(e, n);
  passed_bad<<<4, 128>>>(e, n);
  return 0;
}
