// A pointer that passes move on by a reference, which pass comes is read from a list: it may lead back to where its allocation begins. What has
// never lain in that variable, nor anywhere else, it does not lead to.
//@ verdict moved_bad: racy
//@ verdict other_ok: race-free
#include <cuda_runtime.h>

__device__ void shift(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1) out[i] = in[i + 1]; // expect-race{{ possible }}
}
__global__ void moved_bad(const float *in, float *out, int n) { shift(in, out, n); }
__global__ void other_ok(const float *in, float *out, int n) { shift(in, out, n); } // expect-clean

struct Pass {
  Pass *next;
  explicit Pass(Pass *n) : next(n) {}
  virtual void apply(float *&p) = 0;
};
struct Move : Pass {
  int by;
  Move(int b, Pass *n) : Pass(n), by(b) {}
  void apply(float *&p) override { p += by; }
};
struct Keep : Pass {
  using Pass::Pass;
  void apply(float *&) override {}
};

int main() {
  float *x, *y;
  cudaMalloc(&x, 1 << 20);
  cudaMalloc(&y, 1 << 20);
  Pass *passes = new Keep(new Move(-1000, nullptr));
  float *out = x + 1024;
  for (Pass *p = passes; p; p = p->next)
    p->apply(out);
  moved_bad<<<4, 256>>>(x, out, 1024);
  other_ok<<<4, 256>>>(y, out, 1024);
  return cudaDeviceSynchronize();
}
