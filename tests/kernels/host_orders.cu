// Index arrays that the host puts into another order by algorithms of the standard library. Each `_bad` twin differs by one thing.
//   shuffled: the numbers of elements, shuffled; the twin has each number twice.
//   plain: the same in an array, shuffled by rand; the twin overwrites one of them behind it.
//   part: the first half is shuffled; the twin's are the numbers twice, all of them shuffled.
//   turned: the numbers backwards; the twin's are any numbers.
//   sorted: places where parts begin, sorted; the twin puts any number among them behind it.
//   stable: likewise, sorted in two steps; the twin shuffles them behind it.
//   drawn: a number of the engine, taken once; the twin takes it before and behind the shuffle.
//@ verdict shuffled_ok: race-free
//@ verdict shuffled_bad: racy
//@ verdict plain_ok: race-free
//@ verdict plain_bad: racy
//@ verdict part_ok: race-free
//@ verdict part_bad: racy
//@ verdict turned_ok: race-free
//@ verdict turned_bad: racy
//@ verdict sorted_ok: race-free
//@ verdict sorted_bad: racy
//@ verdict stable_ok: race-free
//@ verdict stable_bad: racy
//@ verdict drawn_ok: race-free
//@ verdict drawn_bad: racy
#include <algorithm>
#include <cstdlib>
#include <cuda_runtime.h>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

__device__ void put(const int *place, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[place[i]] = i; // expect-race
}
__global__ void shuffled_ok(const int *place, int *out, int n) { put(place, out, n); } // expect-clean
__global__ void shuffled_bad(const int *place, int *out, int n) { put(place, out, n); }
__global__ void plain_ok(const int *place, int *out, int n) { put(place, out, n); } // expect-clean
__global__ void plain_bad(const int *place, int *out, int n) { put(place, out, n); }
__global__ void part_ok(const int *place, int *out, int n) { put(place, out, n); } // expect-clean
__global__ void part_bad(const int *place, int *out, int n) { put(place, out, n); }
__global__ void turned_ok(const int *place, int *out, int n) { put(place, out, n); } // expect-clean
__global__ void turned_bad(const int *place, int *out, int n) { put(place, out, n); }

__device__ void fill(const int *first, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = first[i]; k < first[i + 1]; k++)
      out[k] = i; // expect-race
}
__global__ void sorted_ok(const int *first, int *out, int n) { fill(first, out, n); } // expect-clean
__global__ void sorted_bad(const int *first, int *out, int n) { fill(first, out, n); }
__global__ void stable_ok(const int *first, int *out, int n) { fill(first, out, n); } // expect-clean
__global__ void stable_bad(const int *first, int *out, int n) { fill(first, out, n); }

__device__ void shift(int *out, unsigned to, unsigned from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i + to % 1000] = out[i + from % 1000] + 1; // expect-race
}
__global__ void drawn_ok(int *out, unsigned to, unsigned from, int n) { shift(out, to, from, n); } // expect-clean
__global__ void drawn_bad(int *out, unsigned to, unsigned from, int n) { shift(out, to, from, n); }

struct Engine {
  typedef unsigned result_type;
  unsigned state;
  static constexpr unsigned min() { return 0; }
  static constexpr unsigned max() { return 0xffffffffu; }
  unsigned operator()() { return state = state * 1664525u + 1013904223u; }
};

int *on_device(const int *list, int n) {
  int *there = nullptr;
  cudaMalloc(&there, n * sizeof(int));
  cudaMemcpy(there, list, n * sizeof(int), cudaMemcpyHostToDevice);
  return there;
}
#define LAUNCH(kernel, list, count) kernel<<<(n + 255) / 256, 256>>>(on_device(list, count), out, n)

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  int *out = nullptr;
  cudaMalloc(&out, (size_t)n * 16 * sizeof(int));
  if (argc == 1) {
    std::vector<int> good(n), bad(n);
    std::mt19937 engine(7);
    std::iota(good.begin(), good.end(), 0);
    for (int i = 0; i < n; i++)
      bad[i] = i / 2;
    std::shuffle(good.begin(), good.end(), engine);
    std::shuffle(bad.begin(), bad.end(), engine);
    LAUNCH(shuffled_ok, good.data(), n);
    LAUNCH(shuffled_bad, bad.data(), n);
  }
  if (argc == 2) {
    int *good = new int[n], *bad = new int[n];
    for (int i = 0; i < n; i++)
      good[i] = bad[i] = i;
    std::shuffle(good, good + n, std::mt19937(5));
    std::shuffle(bad, bad + n, std::mt19937(5));
    bad[n / 2] = bad[0];
    LAUNCH(plain_ok, good, n);
    LAUNCH(plain_bad, bad, n);
  }
  if (argc == 3) {
    int *good = new int[n], *bad = new int[2 * n];
    for (int i = 0; i < n; i++)
      good[i] = i;
    for (int i = 0; i < 2 * n; i++)
      bad[i] = i < n ? i : i - n;
    std::shuffle(good, good + n / 2, std::mt19937(5));
    std::shuffle(bad, bad + 2 * n, std::mt19937(5));
    LAUNCH(part_ok, good, n);
    LAUNCH(part_bad, bad, n);
  }
  if (argc == 4) {
    std::vector<int> good(n), bad(n);
    for (int i = 0; i < n; i++)
      good[i] = i;
    for (int i = 0; i < n; i++)
      bad[i] = rand() % n;
    std::reverse(good.begin(), good.end());
    std::reverse(bad.begin(), bad.end());
    LAUNCH(turned_ok, good.data(), n);
    LAUNCH(turned_bad, bad.data(), n);
  }
  if (argc == 5) {
    std::vector<int> good(n + 1), bad(n + 1);
    for (int i = 0; i <= n; i++)
      good[i] = rand() % 1000;
    for (int i = 0; i <= n; i++)
      bad[i] = rand() % 1000;
    std::sort(good.begin(), good.end());
    std::sort(bad.begin(), bad.end());
    bad[n / 2] = rand() % 1000;
    LAUNCH(sorted_ok, good.data(), n + 1);
    LAUNCH(sorted_bad, bad.data(), n + 1);
  }
  if (argc == 6) {
    int *good = new int[n + 1], *bad = new int[n + 1];
    for (int i = 0; i <= n; i++)
      good[i] = bad[i] = rand() % 1000;
    std::stable_sort(good, good + n + 1, std::greater<int>());
    std::stable_sort(good, good + n + 1, std::less<int>());
    std::stable_sort(bad, bad + n + 1);
    std::random_shuffle(bad, bad + n + 1);
    LAUNCH(stable_ok, good, n + 1);
    LAUNCH(stable_bad, bad, n + 1);
  }
  if (argc == 7) {
    Engine engine = {(unsigned)n};
    int *list = new int[n]();
    unsigned before = engine.state;
    std::shuffle(list, list + n, engine);
    drawn_ok<<<(n + 255) / 256, 256>>>(out, before, before, n);
    drawn_bad<<<(n + 255) / 256, 256>>>(out, before, engine.state, n);
  }
  return 0;
}
