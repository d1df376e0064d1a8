// A table of vectors, of which one is a copy of another. The kernel shifts by one place. kept_not_copied.cu: the twin.
//@ verdict copied_bad: racy
#include <cuda_runtime.h>
#include <vector>

__global__ void copied_bad(float *a, const float *b, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n - 1) a[i] = b[i + 1]; // expect-race
}

int main(int argc, char **argv) {
  float *one;
  cudaMalloc(&one, 4096);
  std::vector<float> host(argc), kept;
  kept = host;
  std::vector<std::vector<float *>> all(argc + 2);
  all[1].push_back(one);
  all[2] = all[1];
  copied_bad<<<4, 256>>>(all[1][0], all[2][0], 1024);
  return 0;
}
