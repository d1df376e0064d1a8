// Offsets of rows as the host makes them: entries are counted for each row, and the counts added up. Each `_bad` twin differs by one thing.
//   rows: counts, added up in place; the twin's kernel takes one entry more.
//   grouped: counts in one array, sums in another; the twin's counts go down.
//   vector: the same in vectors; the twin shifts the offsets behind the sum, as one who fills the rows does.
//   weighed: what is added is not negative; the twin adds what may be.
//   summed: the sum is taken from the front; the twin's is taken over what is not counted but any numbers.
//   once: one sum; the twin leaves it out.
//@ verdict rows_ok: race-free
//@ verdict rows_bad: racy
//@ verdict grouped_ok: race-free
//@ verdict grouped_bad: racy
//@ verdict vector_ok: race-free
//@ verdict vector_bad: racy
//@ verdict weighed_ok: race-free
//@ verdict weighed_bad: racy
//@ verdict summed_ok: race-free
//@ verdict summed_bad: racy
//@ verdict once_ok: race-free
//@ verdict once_bad: racy
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

__device__ void fill(const int *first, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = first[i]; k < first[i + 1]; k++)
      out[k] = i; // expect-race
}
__global__ void rows_ok(const int *first, int *out, int n) { fill(first, out, n); } // expect-clean
__global__ void rows_bad(const int *first, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = first[i]; k <= first[i + 1]; k++)
      out[k] = i; // expect-race
}
__global__ void grouped_ok(const int *first, int *out, int n) { fill(first, out, n); } // expect-clean
__global__ void grouped_bad(const int *first, int *out, int n) { fill(first, out, n); }
__global__ void vector_ok(const int *first, int *out, int n) { fill(first, out, n); } // expect-clean
__global__ void vector_bad(const int *first, int *out, int n) { fill(first, out, n); }
__global__ void weighed_ok(const int *first, int *out, int n) { fill(first, out, n); } // expect-clean
__global__ void weighed_bad(const int *first, int *out, int n) { fill(first, out, n); }
__global__ void summed_ok(const int *first, int *out, int n) { fill(first, out, n); } // expect-clean
__global__ void summed_bad(const int *first, int *out, int n) { fill(first, out, n); }
__global__ void once_ok(const int *first, int *out, int n) { fill(first, out, n); } // expect-clean
__global__ void once_bad(const int *first, int *out, int n) { fill(first, out, n); }

int *on_device(const int *first, int n) {
  int *there = nullptr;
  cudaMalloc(&there, n * sizeof(int));
  cudaMemcpy(there, first, n * sizeof(int), cudaMemcpyHostToDevice);
  return there;
}
#define LAUNCH(kernel, first) kernel<<<(n + 255) / 256, 256>>>(on_device(first, n + 1), out, n)

int main(int argc, char **argv) {
  int n = atoi(argv[1]), m = atoi(argv[2]);
  int *out = nullptr;
  cudaMalloc(&out, (size_t)m * sizeof(int));
  if (argc == 1) {
    int *first = (int *)calloc(n + 1, sizeof(int));
    for (int e = 0; e < m; e++)
      first[rand() % n + 1]++;
    for (int i = 0; i < n; i++)
      first[i + 1] += first[i];
    LAUNCH(rows_ok, first);
    LAUNCH(rows_bad, first);
  }
  if (argc == 2) {
    int *count = (int *)calloc(n, sizeof(int)), *fewer = (int *)calloc(n, sizeof(int));
    int *good = (int *)malloc((n + 1) * sizeof(int)), *bad = (int *)malloc((n + 1) * sizeof(int));
    for (int e = 0; e < m; e++)
      count[rand() % n]++;
    for (int e = 0; e < m; e++)
      fewer[rand() % n]--;
    good[0] = bad[0] = 0;
    for (int i = 0; i < n; i++)
      good[i + 1] = good[i] + count[i];
    for (int i = 0; i < n; i++)
      bad[i + 1] = bad[i] + fewer[i];
    LAUNCH(grouped_ok, good);
    LAUNCH(grouped_bad, bad);
  }
  if (argc == 3) {
    std::vector<int> good(n + 1, 0), bad(n + 1, 0);
    for (int e = 0; e < m; e++)
      good[rand() % n + 1]++;
    for (int i = 0; i < n; i++)
      good[i + 1] += good[i];
    for (int e = 0; e < m; e++)
      bad[rand() % n + 1]++;
    for (int i = 0; i < n; i++)
      bad[i + 1] += bad[i];
    for (int e = 0; e < m; e++)
      bad[rand() % n]++;
    LAUNCH(vector_ok, good.data());
    LAUNCH(vector_bad, bad.data());
  }
  if (argc == 4) {
    int *good = (int *)calloc(n + 1, sizeof(int)), *bad = (int *)calloc(n + 1, sizeof(int));
    for (int e = 0; e < m; e++)
      good[rand() % n + 1] += rand() % 7;
    for (int i = 0; i < n; i++)
      good[i + 1] += good[i];
    for (int e = 0; e < m; e++)
      bad[rand() % n + 1] += rand() % 7 - 3;
    for (int i = 0; i < n; i++)
      bad[i + 1] += bad[i];
    LAUNCH(weighed_ok, good);
    LAUNCH(weighed_bad, bad);
  }
  if (argc == 5) {
    int *good = (int *)calloc(n + 1, sizeof(int)), *bad = (int *)calloc(n + 1, sizeof(int));
    for (int e = 0; e < m; e++)
      good[rand() % n + 1]++;
    for (int i = 1; i <= n; i++)
      good[i] = good[i] + good[i - 1];
    for (int i = 0; i < n; i++)
      bad[i + 1] = atoi(argv[i]);
    for (int i = 1; i <= n; i++)
      bad[i] = bad[i] + bad[i - 1];
    LAUNCH(summed_ok, good);
    LAUNCH(summed_bad, bad);
  }
  if (argc == 6) {
    int *good = (int *)calloc(n + 1, sizeof(int)), *bad = (int *)calloc(n + 1, sizeof(int));
    for (int e = 0; e < m; e++)
      good[rand() % n + 1]++;
    for (int i = 0; i < n; i++)
      good[i + 1] += good[i];
    for (int e = 0; e < m; e++)
      bad[rand() % n + 1]++;
    LAUNCH(once_ok, good);
    LAUNCH(once_bad, bad);
  }
  return 0;
}
