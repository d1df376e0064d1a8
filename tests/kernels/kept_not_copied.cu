// A table of vectors, each of which is given an allocation of its own; a vector that grows moves its pointers, and floats of the host are copied, which makes
// nothing one. The kernel shifts by one place. kept_copied.cu: the twin, in which one of the vectors is a copy of another.
//@ verdict filled_ok: race-free
//@ leans filled_ok: A2
#include <cuda_runtime.h>
#include <vector>

__global__ void filled_ok(float *a, const float *b, int n) { // expect-clean
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n - 1) a[i] = b[i + 1];
}

int main(int argc, char **argv) {
  float *one, *other;
  cudaMalloc(&one, 4096), cudaMalloc(&other, 4096);
  std::vector<float> host(argc), kept;
  kept = host;
  std::vector<std::vector<float *>> all(argc + 2);
  all[1].push_back(one);
  all[2].push_back(other);
  filled_ok<<<4, 256>>>(all[1][0], all[2][0], 1024);
  return 0;
}
