// Rows of a compressed matrix begin at counts that host code keeps on from row to row, in a loop inside of the loop over rows: stored before the row is counted
// (before), behind it (behind), pushed onto a vector (pushed), counted in loops in loops (deep). A count that may also fall (before_bad, behind_bad), one that is
// taken from a second counter in some rows (two_bad), and one that begins
// anew in each row (anew_bad) leave rows that overlap.
//@ verdict before_ok: race-free
//@ verdict before_bad: racy
//@ verdict behind_ok: race-free
//@ verdict behind_bad: racy
//@ verdict pushed_ok: race-free
//@ verdict deep_ok: race-free
//@ verdict two_bad: racy
//@ verdict anew_bad: racy
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

__device__ void twice(float *values, const int *offset, int rows) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows)
    return;
  for (int i = offset[r]; i < offset[r + 1]; i++)
    values[i] = 2 * values[i]; // expect-race[rows]
}
__global__ void before_ok(float *v, const int *offset, int n) { twice(v, offset, n); } // expect-clean
__global__ void before_bad(float *v, const int *offset, int n) { twice(v, offset, n); }
__global__ void behind_ok(float *v, const int *offset, int n) { twice(v, offset, n); } // expect-clean
__global__ void behind_bad(float *v, const int *offset, int n) { twice(v, offset, n); }
__global__ void pushed_ok(float *v, const int *offset, int n) { twice(v, offset, n); } // expect-clean
__global__ void deep_ok(float *v, const int *offset, int n) { twice(v, offset, n); }   // expect-clean
__global__ void two_bad(float *v, const int *offset, int n) { twice(v, offset, n); }
__global__ void anew_bad(float *v, const int *offset, int n) { twice(v, offset, n); }

int main(int argc, char **argv) {
  int n = atoi(argv[1]), count = 0, other = 0, *h = (int *)malloc((n + 1) * sizeof(int));
  float *v;
  int *d;
  cudaMalloc((void **)&v, atoi(argv[2]) * sizeof(float));
  cudaMalloc((void **)&d, (n + 1) * sizeof(int));
  for (int i = 0; i < n; i++) {
    h[i] = count;
    for (int j = 0; j < n; j++)
      if (rand() % 3 == 0) count++;
  }
  h[n] = count;
  cudaMemcpy(d, h, (n + 1) * sizeof(int), cudaMemcpyHostToDevice);
  before_ok<<<(n + 255) / 256, 256>>>(v, d, n);
  count = 0;
  for (int i = 0; i < n; i++) {
    h[i] = count;
    for (int j = 0; j < n; j++)
      if (rand() % 3 == 0) count--;
      else count++;
  }
  h[n] = count;
  cudaMemcpy(d, h, (n + 1) * sizeof(int), cudaMemcpyHostToDevice);
  before_bad<<<(n + 255) / 256, 256>>>(v, d, n);
  count = 0;
  h[0] = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      if (rand() % 3 == 0) count++;
    h[i + 1] = count;
  }
  cudaMemcpy(d, h, (n + 1) * sizeof(int), cudaMemcpyHostToDevice);
  behind_ok<<<(n + 255) / 256, 256>>>(v, d, n);
  count = 0;
  h[0] = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      if (rand() % 3 == 0) count += rand() % 2 ? 1 : -1;
    h[i + 1] = count;
  }
  cudaMemcpy(d, h, (n + 1) * sizeof(int), cudaMemcpyHostToDevice);
  behind_bad<<<(n + 255) / 256, 256>>>(v, d, n);
  std::vector<int> starts = {0};
  count = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      if (rand() % 3 == 0) count++;
    starts.push_back(count);
  }
  cudaMemcpy(d, starts.data(), (n + 1) * sizeof(int), cudaMemcpyHostToDevice);
  pushed_ok<<<(n + 255) / 256, 256>>>(v, d, n);
  count = 0;
  for (int i = 0; i < n; i++) {
    h[i] = count;
    for (int j = 0; j < n; j++)
      for (int k = 0; k < j; k++)
        if (rand() % 3 == 0) count++;
  }
  h[n] = count;
  cudaMemcpy(d, h, (n + 1) * sizeof(int), cudaMemcpyHostToDevice);
  deep_ok<<<(n + 255) / 256, 256>>>(v, d, n);
  count = 0;
  h[0] = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      if (rand() % 3 == 0) count++;
      if (rand() % 5 == 0) other++;
    }
    h[i + 1] = i % 2 ? count : other;
  }
  cudaMemcpy(d, h, (n + 1) * sizeof(int), cudaMemcpyHostToDevice);
  two_bad<<<(n + 255) / 256, 256>>>(v, d, n);
  h[0] = 0;
  for (int i = 0; i < n; i++) {
    count = 0;
    for (int j = 0; j < n; j++)
      if (rand() % 3 == 0) count++;
    h[i + 1] = count;
  }
  cudaMemcpy(d, h, (n + 1) * sizeof(int), cudaMemcpyHostToDevice);
  anew_bad<<<(n + 255) / 256, 256>>>(v, d, n);
  return 0;
}
