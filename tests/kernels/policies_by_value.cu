// A policy holds the pointers of all tensors in one array; helpers that are made for each argument take the policy
// by reference or by value, and read the array at the argument's number and how many outputs there are, which was
// handed on by reference. The numbers are known once all calls are replaced.
//   sums_ok:  element `t + 512 * blockIdx.x` of both outputs, each its own array: 4 rounds of 128 threads, so
//             elements of two threads differ. Reads are of the arrays behind the outputs.
//   sums_bad: says that there is one output, so that the first input is the second output: a thread reads the next
//             element of what another thread writes.
//@ verdict sums_ok: race-free
//@ verdict sums_bad: racy
#include <cuda_runtime.h>

template <class T, int N> struct Row {
  T data[N];
  __host__ __device__ T operator[](int i) const { return data[i]; }
  __host__ __device__ T &operator[](int i) { return data[i]; }
};

template <int ARG> struct LoadOne {
  template <class P> static __device__ void apply(P &self, float *args, Row<unsigned, 2> at, int j, int outputs) {
    args[j] += ((float *)self.data[ARG + outputs])[at[ARG] + 1]; // expect-race[outputs]
  }
};
template <int OUT> struct StoreOne {
  template <class P> static __device__ void apply(P &self, Row<unsigned, 2> at, float value) {
    ((float *)self.data[OUT])[at[OUT]] = value; // expect-race[outputs]
  }
};
template <template <int> class F, int END, int AT = 0> struct Each {
  template <class... A> static __device__ void with(A &&...args) {
    F<AT>::apply(args...);
    Each<F, END, AT + 1>::with(args...);
  }
};
template <template <int> class F, int END> struct Each<F, END, END> {
  template <class... A> static __device__ void with(A...) {}
};

struct Policy {
  Row<char *, 4> data;
  int remaining;
  __device__ void run(int outputs) {
    float args[4] = {0};
    int t = threadIdx.x;
    for (int i = 0; i < 4; i++) {
      if (t >= remaining) return;
      unsigned place = t + 512 * blockIdx.x;
      Row<unsigned, 2> at = {{place, place}};
      Each<LoadOne, 2>::with(*this, args, at, i, outputs);
      Each<StoreOne, 2>::with(*this, at, args[i]);
      t += 128;
    }
  }
};
template <class P> __device__ void elements(P policy, int outputs) { policy.run(outputs); }
__global__ void sums_ok(int n, Row<char *, 4> data) { // expect-clean
  elements(Policy{data, n - 512 * (int)blockIdx.x}, 2);
}
__global__ void sums_bad(int n, Row<char *, 4> data) {
  elements(Policy{data, n - 512 * (int)blockIdx.x}, 1);
}

int main() {
  int n = 512 * 100;
  Row<char *, 4> d;
  char *a, *b, *c, *e;
  cudaMalloc(&a, n * 4);
  cudaMalloc(&b, n * 4);
  cudaMalloc(&c, n * 4 + 4);
  cudaMalloc(&e, n * 4 + 4);
  d[0] = a;
  d[1] = b;
  d[2] = c;
  d[3] = e;
  sums_ok<<<(n + 511) / 512, 128>>>(n, d);
  sums_bad<<<(n + 511) / 512, 128>>>(n, d);
}
