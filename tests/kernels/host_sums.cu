// Index arrays that the host makes by algorithms of the standard library that sum up, leave equal neighbours out, or sort by a
// comparison of the program. Each `_bad` twin differs by one thing.
//   summed: rows begin at sums of counts (partial_sum, behind a zero); the twin's counts may be negative.
//   before: likewise, by exclusive_scan; the twin's counts may be negative.
//   together: likewise, by inclusive_scan, in place; the counts of the twin may be negative.
//   distinct: numbers that are sorted, each once; the twin does not sort them.
//   arranged: numbers of elements in the order of their keys, by a lambda; the twin's lambda changes the numbers.
//   pointed: likewise, by a function; the twin's function writes a number into the array.
//@ verdict summed_ok: race-free
//@ verdict summed_bad: racy
//@ verdict before_ok: race-free
//@ verdict before_bad: racy
//@ verdict together_ok: race-free
//@ verdict together_bad: racy
//@ verdict distinct_ok: race-free
//@ verdict distinct_bad: racy
//@ verdict arranged_ok: race-free
//@ verdict arranged_bad: racy
//@ verdict pointed_ok: race-free
//@ verdict pointed_bad: racy
#include <algorithm>
#include <cstdlib>
#include <cuda_runtime.h>
#include <numeric>
#include <vector>

__device__ void rows(const int *first, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = first[i]; k < first[i + 1]; k++)
      out[k] = i; // expect-race
}
__global__ void summed_ok(const int *first, int *out, int n) { rows(first, out, n); } // expect-clean
__global__ void summed_bad(const int *first, int *out, int n) { rows(first, out, n); }
__global__ void before_ok(const int *first, int *out, int n) { rows(first, out, n); } // expect-clean
__global__ void before_bad(const int *first, int *out, int n) { rows(first, out, n); }
__global__ void together_ok(const int *first, int *out, int n) { rows(first, out, n); } // expect-clean
__global__ void together_bad(const int *first, int *out, int n) { rows(first, out, n); }

__device__ void put(const int *place, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[place[i]] = i; // expect-race
}
__global__ void distinct_ok(const int *place, int *out, int n) { put(place, out, n); } // expect-clean
__global__ void distinct_bad(const int *place, int *out, int n) { put(place, out, n); }
__global__ void arranged_ok(const int *place, int *out, int n) { put(place, out, n); } // expect-clean
__global__ void arranged_bad(const int *place, int *out, int n) { put(place, out, n); }
__global__ void pointed_ok(const int *place, int *out, int n) { put(place, out, n); } // expect-clean
__global__ void pointed_bad(const int *place, int *out, int n) { put(place, out, n); }

int *on_device(const int *list, int n) {
  int *there = nullptr;
  cudaMalloc(&there, n * sizeof(int));
  cudaMemcpy(there, list, n * sizeof(int), cudaMemcpyHostToDevice);
  return there;
}
#define LAUNCH(kernel, list, count, n) kernel<<<((n) + 255) / 256, 256>>>(on_device(list, count), out, n)

int keys[1000], spoilt[1000];
bool is_before(int a, int b) { return keys[a] < keys[b]; }
bool is_before_spoilt(int a, int b) {
  spoilt[7] = spoilt[6];
  return keys[a] < keys[b];
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  int *out = nullptr;
  cudaMalloc(&out, (size_t)n * 16 * sizeof(int));
  std::vector<int> counts(n + 1), any(n + 1);
  for (int i = 0; i <= n; i++)
    counts[i] = rand() % 7;
  for (int i = 0; i <= n; i++)
    any[i] = rand() % 7 - 3;
  if (argc == 2) {
    std::vector<int> good(n + 1), bad(n + 1);
    std::partial_sum(counts.begin(), counts.begin() + n, good.begin() + 1);
    std::partial_sum(any.begin(), any.begin() + n, bad.begin() + 1);
    LAUNCH(summed_ok, good.data(), n + 1, n);
    LAUNCH(summed_bad, bad.data(), n + 1, n);
  }
  if (argc == 3) {
    std::vector<int> good(n + 1), bad(n + 1);
    std::exclusive_scan(counts.begin(), counts.end(), good.begin(), 0);
    std::exclusive_scan(any.begin(), any.end(), bad.begin(), 0);
    LAUNCH(before_ok, good.data(), n + 1, n);
    LAUNCH(before_bad, bad.data(), n + 1, n);
  }
  if (argc == 4) {
    std::vector<int> good(counts), bad(any);
    std::inclusive_scan(good.data(), good.data() + n + 1, good.data());
    std::inclusive_scan(bad.data(), bad.data() + n + 1, bad.data());
    LAUNCH(together_ok, good.data(), n + 1, n);
    LAUNCH(together_bad, bad.data(), n + 1, n);
  }
  if (argc == 5) {
    std::vector<int> good(n), bad(n);
    for (int i = 0; i < n; i++)
      good[i] = bad[i] = rand() % n;
    std::sort(good.begin(), good.end());
    int kept = std::unique(good.begin(), good.end()) - good.begin();
    int left = std::unique(bad.begin(), bad.end()) - bad.begin();
    LAUNCH(distinct_ok, good.data(), n, kept);
    LAUNCH(distinct_bad, bad.data(), n, left);
  }
  if (argc == 6) {
    std::vector<int> good(n);
    std::iota(good.begin(), good.end(), 0);
    std::sort(good.begin(), good.end(), [&](int a, int b) { return counts[a] < counts[b]; });
    LAUNCH(arranged_ok, good.data(), n, n);
  }
  if (argc == 7) {
    std::vector<int> bad(n);
    std::iota(bad.begin(), bad.end(), 0);
    std::sort(bad.begin(), bad.end(), [&](int a, int b) {
      bad[7] = bad[6];
      return counts[a] < counts[b];
    });
    LAUNCH(arranged_bad, bad.data(), n, n);
  }
  if (argc == 8) {
    static int good[1000];
    std::iota(good, good + 1000, 0);
    std::stable_sort(good, good + 1000, is_before);
    LAUNCH(pointed_ok, good, 1000, 1000);
  }
  if (argc == 9) {
    std::iota(spoilt, spoilt + 1000, 0);
    std::sort(spoilt, spoilt + 1000, is_before_spoilt);
    LAUNCH(pointed_bad, spoilt, 1000, 1000);
  }
  return 0;
}
