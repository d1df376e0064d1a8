// Places that the host has moved as they are. Each `_bad` twin differs by one thing.
//   rotated: numbers from 0 on, the beginning put behind the end; in the twin each number is there twice before.
//   rows: all rows of a table as one piece, without gaps; in the twin the table has gaps.
//   row: one row, with gaps behind it in both places; the twin has two.
//   later: as rows, in order in one stream; the twin's kernel is in another one.
//@ verdict rotated_ok: race-free
//@ verdict rotated_bad: racy
//@ verdict rows_ok: race-free
//@ verdict rows_bad: racy
//@ verdict row_ok: race-free
//@ verdict row_bad: racy
//@ verdict later_ok: race-free
//@ verdict later_bad: racy
#include <algorithm>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

__device__ void put(const int *place, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[place[i]] = i; // expect-race
}
__global__ void rotated_ok(const int *place, int *out, int n) { put(place, out, n); } // expect-clean
__global__ void rotated_bad(const int *place, int *out, int n) { put(place, out, n); }
__global__ void rows_ok(const int *place, int *out, int n) { put(place, out, n); } // expect-clean
__global__ void rows_bad(const int *place, int *out, int n) { put(place, out, n); }
__global__ void row_ok(const int *place, int *out, int n) { put(place, out, n); } // expect-clean
__global__ void row_bad(const int *place, int *out, int n) { put(place, out, n); }
__global__ void later_ok(const int *place, int *out, int n) { put(place, out, n); } // expect-clean
__global__ void later_bad(const int *place, int *out, int n) { put(place, out, n); }

static int *on_device(const int *list, int n) {
  int *there = nullptr;
  cudaMalloc(&there, n * sizeof(int));
  cudaMemcpy(there, list, n * sizeof(int), cudaMemcpyHostToDevice);
  return there;
}

template <int TIMES> std::vector<int> rotated(int n, int by) {
  std::vector<int> place(n);
  for (int i = 0; i < n; i++)
    place[i] = i / TIMES;
  std::rotate(place.begin(), place.begin() + by, place.end());
  return place;
}

int *table(int n, int pitch, int source_pitch, int width, int rows) {
  int *place = (int *)malloc(n * sizeof(int)), *there = nullptr;
  for (int i = 0; i < n; i++)
    place[i] = i;
  cudaMalloc(&there, n * sizeof(int));
  cudaMemcpy2D(there, pitch * sizeof(int), place, source_pitch * sizeof(int), width * sizeof(int), rows,
               cudaMemcpyHostToDevice);
  return there;
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]), by = atoi(argv[2]), blocks = (n + 255) / 256, *out = nullptr;
  cudaMalloc(&out, (size_t)n * n * sizeof(int));
  if (argc == 3) {
    std::vector<int> good = rotated<1>(n, by), bad = rotated<2>(n, by);
    rotated_ok<<<blocks, 256>>>(on_device(good.data(), n), out, n);
    rotated_bad<<<blocks, 256>>>(on_device(bad.data(), n), out, n);
  }
  if (argc == 4) {
    rows_ok<<<blocks * n, 256>>>(table(n * n, n, n, n, n), out, n * n);
    rows_bad<<<blocks * n, 256>>>(table(n * (n + 1), n + 1, n, n, n), out, n * n);
    row_ok<<<blocks, 256>>>(table(n, 2 * n, 3 * n, n, 1), out, n);
    row_bad<<<3 * blocks, 256>>>(table(3 * n, 2 * n, 3 * n, n, 2), out, 3 * n);
  }
  if (argc == 5) {
    cudaStream_t stream, other;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    int *place = nullptr, *there = nullptr;
    cudaMallocHost(&place, n * sizeof(int));
    for (int i = 0; i < n; i++)
      place[i] = i;
    cudaMalloc(&there, n * sizeof(int));
    cudaMemcpy2DAsync(there, 4, place, 4, 4, n, cudaMemcpyHostToDevice, stream);
    later_ok<<<blocks, 256, 0, stream>>>(there, out, n);
    later_bad<<<blocks, 256, 0, other>>>(there, out, n);
  }
  return 0;
}
