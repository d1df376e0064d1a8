// Rows begin at sums of lengths of strings, rounded up (padded) or not (plain), counted in wider words (wide), and end before the next one begins. A length
// less one may be negative (less_bad), so may what a hash leaves when it is narrowed (hash_bad), and a length that is shifted beyond its width (shift_bad).
//@ verdict plain_ok: race-free
//@ verdict padded_ok: race-free
//@ verdict wide_ok: race-free
//@ verdict less_bad: racy
//@ verdict hash_bad: racy
//@ known-undecided hash_bad: of products of 64 bits no witness is found
//@ verdict shift_bad: racy
#include <cstdlib>
#include <cuda_runtime.h>
#include <fstream>
#include <string>
#include <vector>

template <class Offset> __device__ void twice(float *values, const Offset *offset, int rows) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  for (Offset i = offset[r]; i < offset[r + 1]; i++)
    values[i] = 2 * values[i]; // expect-race[rows]
}
__global__ void plain_ok(float *v, const int *offset, int n) { twice(v, offset, n); }  // expect-clean
__global__ void padded_ok(float *v, const int *offset, int n) { twice(v, offset, n); } // expect-clean
__global__ void wide_ok(float *v, const long *offset, int n) { twice(v, offset, n); }  // expect-clean
__global__ void less_bad(float *v, const int *offset, int n) { twice(v, offset, n); }
__global__ void hash_bad(float *v, const int *offset, int n) { twice(v, offset, n); }
__global__ void shift_bad(float *v, const int *offset, int n) { twice(v, offset, n); }

int main(int, char **argv) {
  std::vector<std::string> lines;
  std::ifstream file(argv[1]);
  for (std::string line; std::getline(file, line);)
    lines.push_back(line);
  int n = lines.size(), *h = (int *)malloc((n + 1) * sizeof(int)), *d;
  long *w = (long *)malloc((n + 1) * sizeof(long)), *wide;
  float *v;
  cudaMalloc((void **)&v, atoi(argv[2]) * sizeof(float));
  cudaMalloc((void **)&d, (n + 1) * sizeof(int));
  cudaMalloc((void **)&wide, (n + 1) * sizeof(long));
  dim3 grid((n + 255) / 256);
  h[0] = 0;
  w[0] = 0;
  for (int i = 0; i < n; i++)
    h[i + 1] = h[i] + (int)lines[i].size();
  cudaMemcpy(d, h, (n + 1) * sizeof(int), cudaMemcpyHostToDevice);
  plain_ok<<<grid, 256>>>(v, d, n);
  for (int i = 0; i < n; i++) {
    int length = lines[i].length();
    h[i + 1] = h[i] + length / 16 * 16 + 16;
  }
  cudaMemcpy(d, h, (n + 1) * sizeof(int), cudaMemcpyHostToDevice);
  padded_ok<<<grid, 256>>>(v, d, n);
  for (int i = 0; i < n; i++)
    w[i + 1] = w[i] + lines[i].size() + 1;
  cudaMemcpy(wide, w, (n + 1) * sizeof(long), cudaMemcpyHostToDevice);
  wide_ok<<<grid, 256>>>(v, wide, n);
  for (int i = 0; i < n; i++)
    h[i + 1] = h[i] + (int)lines[i].size() - 1;
  cudaMemcpy(d, h, (n + 1) * sizeof(int), cudaMemcpyHostToDevice);
  less_bad<<<grid, 256>>>(v, d, n);
  for (int i = 0; i < n; i++)
    h[i + 1] = h[i] + (int)(lines[i].size() * 0x9E3779B97F4A7C15ul);
  cudaMemcpy(d, h, (n + 1) * sizeof(int), cudaMemcpyHostToDevice);
  hash_bad<<<grid, 256>>>(v, d, n);
  for (int i = 0; i < n; i++)
    h[i + 1] = h[i] + (int)(lines[i].size() << 28);
  cudaMemcpy(d, h, (n + 1) * sizeof(int), cudaMemcpyHostToDevice);
  shift_bad<<<grid, 256>>>(v, d, n);
  return 0;
}
