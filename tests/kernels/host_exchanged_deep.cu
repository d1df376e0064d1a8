// Two pairs of pointers change places in the innermost of three loops of the host, behind a launch in a function that is called there: what the launch
// is given is asked for itself once for each loop around, until each has its placeholder. flow: they are exchanged (ok), one is only copied (bad).
//@ verdict flow_ok: race-free
//@ verdict flow_bad: racy
#include <cuda_runtime.h>
#include <utility>

template <bool EXCHANGES>
__device__ void flow(const float *x0, const float *y0, int n, float *x1, float *y1) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0 || i >= n) return;
  x1[i] = x0[i - 1] + y0[i - 1]; // expect-race[flow]
  y1[i] = y0[i - 1];
}
__global__ void flow_ok(const float *x0, const float *y0, int n, float *x1, float *y1) { flow<true>(x0, y0, n, x1, y1); } // expect-clean
__global__ void flow_bad(const float *x0, const float *y0, int n, float *x1, float *y1) { flow<false>(x0, y0, n, x1, y1); }

template <bool EXCHANGES> static void step(const float *x0, const float *y0, int w, float *x1, float *y1) {
  if (EXCHANGES)
    flow_ok<<<(w + 255) / 256, 256>>>(x0, y0, w, x1, y1);
  else
    flow_bad<<<(w + 255) / 256, 256>>>(x0, y0, w, x1, y1);
}

template <bool EXCHANGES> static void solve(int n, int levels, int warps, int steps) {
  float *x0, *x1, *y0, *y1;
  int *width = new int[levels];
  cudaMalloc(&x0, n * sizeof(float));
  cudaMalloc(&x1, n * sizeof(float));
  cudaMalloc(&y0, n * sizeof(float));
  cudaMalloc(&y1, n * sizeof(float));
  int level = levels - 1;
  width[level] = n;
  for (; level > 0; --level) width[level - 1] = width[level] / 2;
  for (; level < levels; level++)
    for (int warp = 0; warp < warps; warp++) {
      cudaMemset(x0, 0, n * sizeof(float));
      cudaMemset(x1, 0, n * sizeof(float));
      for (int i = 0; i < steps; i++) {
        step<EXCHANGES>(x0, y0, width[level], x1, y1);
        if (EXCHANGES)
          std::swap(x0, x1);
        else
          x0 = x1;
        std::swap(y0, y1);
      }
    }
}
void exchanged(int n, int levels, int warps, int steps) { solve<true>(n, levels, warps, steps); }
void copied(int n, int levels, int warps, int steps) { solve<false>(n, levels, warps, steps); }
