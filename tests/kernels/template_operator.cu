// A kernel template with an operator as parameter; device functions and a method in between. Each instance is a kernel.
//@ verdict map_ok: race-free
//@ verdict map_bad: racy
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
  return 0;
}
