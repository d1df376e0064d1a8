// Index arrays that the host builds in vectors that grow, element by element: what was added in one iteration is behind what was
// added before, whichever memory the vector has by then. Each `_bad` twin differs by one thing.
//   listed: the numbers that pass a test, in order; the twin halves them.
//   border: cells of a grid out of two loops; the twin forgets the width.
//   offsets: parts of one array, each of which begins where the one before ends; the twin's begin one earlier.
//   colours: two vectors, filled side by side in one loop; the twin fills one of them twice.
//   reserved: room is asked for first, and elements are made in place; the twin goes over the numbers twice.
//   cleared: the vector is emptied before it is filled; in the twin it is not, and holds some numbers already.
//   patched: as listed; the twin overwrites an element afterwards.
//   first: as listed; the twin puts the last number first as well.
//   handed: a function that is given the vector fills it; the twin's adds each number twice.
//   copied: a copy of the vector is added to; the twin adds to it what it has.
//   sized: numbers are added behind zeros that nobody reads; the twin's kernel reads from the first one.
//   kept: a vector in an object, which is moved; the twin adds to what was moved what it holds already.
//   taken: numbers that are taken off again before others are added; the twin adds the last one again.
//   nested: vectors in a vector, each with its own numbers; the twin has them all add to one.
//@ verdict listed_ok: race-free
//@ verdict listed_bad: racy
//@ verdict border_ok: race-free
//@ verdict border_bad: racy
//@ verdict offsets_ok: race-free
//@ verdict offsets_bad: racy
//@ verdict colours_ok: race-free
//@ verdict colours_bad: racy
//@ verdict reserved_ok: race-free
//@ verdict reserved_bad: racy
//@ verdict cleared_ok: race-free
//@ verdict cleared_bad: racy
//@ verdict patched_ok: race-free
//@ verdict patched_bad: racy
//@ verdict first_ok: race-free
//@ verdict first_bad: racy
//@ verdict handed_ok: race-free
//@ verdict handed_bad: racy
//@ verdict copied_ok: race-free
//@ verdict copied_bad: racy
//@ verdict sized_ok: race-free
//@ verdict sized_bad: racy
//@ verdict kept_ok: race-free
//@ verdict kept_bad: racy
//@ verdict taken_ok: race-free
//@ verdict taken_bad: racy
//@ verdict nested_ok: race-free
//@ verdict nested_bad: racy
//@ known-false-alarm nested_ok: vectors in memory that another vector has made, at a place that changes from round to round
#include <cstdlib>
#include <cuda_runtime.h>
#include <utility>
#include <vector>

__device__ void put(const int *place, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[place[i]] = i; // expect-race
}
__global__ void listed_ok(const int *place, int *out, int n) { put(place, out, n); } // expect-clean
__global__ void listed_bad(const int *place, int *out, int n) { put(place, out, n); }
__global__ void border_ok(const int *place, int *out, int n) { put(place, out, n); } // expect-clean
__global__ void border_bad(const int *place, int *out, int n) { put(place, out, n); }
__global__ void colours_ok(const int *place, int *out, int n) { put(place, out, n); } // expect-clean
__global__ void colours_bad(const int *place, int *out, int n) { put(place, out, n); }
__global__ void reserved_ok(const int *place, int *out, int n) { put(place, out, n); } // expect-clean
__global__ void reserved_bad(const int *place, int *out, int n) { put(place, out, n); }
__global__ void cleared_ok(const int *place, int *out, int n) { put(place, out, n); } // expect-clean
__global__ void cleared_bad(const int *place, int *out, int n) { put(place, out, n); }
__global__ void patched_ok(const int *place, int *out, int n) { put(place, out, n); } // expect-clean
__global__ void patched_bad(const int *place, int *out, int n) { put(place, out, n); }
__global__ void first_ok(const int *place, int *out, int n) { put(place, out, n); } // expect-clean
__global__ void first_bad(const int *place, int *out, int n) { put(place, out, n); }
__global__ void handed_ok(const int *place, int *out, int n) { put(place, out, n); } // expect-clean
__global__ void handed_bad(const int *place, int *out, int n) { put(place, out, n); }
__global__ void copied_ok(const int *place, int *out, int n) { put(place, out, n); } // expect-clean
__global__ void copied_bad(const int *place, int *out, int n) { put(place, out, n); }
__global__ void sized_ok(const int *place, int *out, int n) { put(place, out, n); } // expect-clean
__global__ void sized_bad(const int *place, int *out, int n) { put(place, out, n); }
__global__ void kept_ok(const int *place, int *out, int n) { put(place, out, n); } // expect-clean
__global__ void kept_bad(const int *place, int *out, int n) { put(place, out, n); }
__global__ void taken_ok(const int *place, int *out, int n) { put(place, out, n); } // expect-clean
__global__ void taken_bad(const int *place, int *out, int n) { put(place, out, n); }
__global__ void nested_ok(const int *place, int *out, int n) { put(place, out, n); } // expect-clean
__global__ void nested_bad(const int *place, int *out, int n) { put(place, out, n); }

__device__ void parts(const int *first, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = first[i]; k < first[i + 1]; k++)
      out[k] = i;
}
__global__ void offsets_ok(const int *first, int *out, int n) { parts(first, out, n); } // expect-clean
__global__ void offsets_bad(const int *first, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = first[i]; k <= first[i + 1]; k++)
      out[k] = i; // expect-race
}

int *on_device(const std::vector<int> &list) {
  int *there = nullptr;
  cudaMalloc(&there, list.size() * sizeof(int));
  cudaMemcpy(there, list.data(), list.size() * sizeof(int), cudaMemcpyHostToDevice);
  return there;
}
#define LAUNCH(kernel, list) kernel<<<((int)(list).size() + 255) / 256, 256>>>(on_device(list), out, (int)(list).size())

void add_once(std::vector<int> &list, int n) {
  for (int i = 0; i < n; i++)
    if (rand() % 3) list.push_back(i);
}
void add_all(std::vector<int> &list, int n) {
  for (int i = 0; i < n; i++)
    list.push_back(i);
}
void add_twice(std::vector<int> &list, int n) {
  for (int i = 0; i < n; i++) {
    list.push_back(i);
    list.push_back(i);
  }
}
struct Held {
  std::vector<int> list;
};

int main(int argc, char **argv) {
  int n = atoi(argv[1]), w = atoi(argv[2]), h = atoi(argv[3]);
  int *out = nullptr;
  cudaMalloc(&out, (size_t)n * 16 * sizeof(int));
  if (argc == 1) {
    std::vector<int> good, bad;
    for (int i = 0; i < n; i++)
      if (rand() % 3 == 0) good.push_back(i);
    for (int i = 0; i < n; i++)
      if (rand() % 3 == 0) bad.push_back(i / 2);
    LAUNCH(listed_ok, good);
    LAUNCH(listed_bad, bad);
  }
  if (argc == 2) {
    std::vector<int> good, bad;
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++)
        if (x == 0 || y == 0 || x == w - 1 || y == h - 1) good.push_back(y * w + x);
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++)
        if (x == 0 || y == 0 || x == w - 1 || y == h - 1) bad.push_back(y + x);
    LAUNCH(border_ok, good);
    LAUNCH(border_bad, bad);
  }
  if (argc == 3) {
    std::vector<int> first;
    first.push_back(0);
    for (int i = 0; i < n; i++)
      first.push_back(first.back() + rand() % 10);
    int *there = on_device(first);
    offsets_ok<<<(n + 255) / 256, 256>>>(there, out, n);
    offsets_bad<<<(n + 255) / 256, 256>>>(there, out, n);
  }
  if (argc == 4) {
    std::vector<int> red, black, either;
    for (int i = 0; i < n; i++) {
      if (i % 2) red.push_back(i);
      else black.push_back(i);
      either.push_back(i);
      if (i % 2) either.push_back(i);
    }
    LAUNCH(colours_ok, red);
    LAUNCH(colours_ok, black);
    LAUNCH(colours_bad, either);
  }
  if (argc == 5) {
    std::vector<int> good, bad;
    good.reserve(100);
    bad.reserve(100);
    for (int i = 0; i < n; i++)
      good.emplace_back(n - i);
    for (int i = 0; i < 2 * n; i++)
      bad.emplace_back(i < n ? i : i - n);
    LAUNCH(reserved_ok, good);
    LAUNCH(reserved_bad, bad);
  }
  if (argc == 6) {
    std::vector<int> good(10), bad(10);
    good.clear();
    add_all(good, n);
    add_all(bad, n);
    LAUNCH(cleared_ok, good);
    LAUNCH(cleared_bad, bad);
  }
  if (argc == 7) {
    std::vector<int> good, bad;
    add_once(good, n);
    add_once(bad, n);
    bad[0] = 7;
    LAUNCH(patched_ok, good);
    LAUNCH(patched_bad, bad);
    std::vector<int> listed, first;
    for (int i = 0; i < n; i++)
      listed.push_back(i);
    for (int i = 0; i < n; i++)
      first.push_back(i);
    first.front() = first.back();
    LAUNCH(first_ok, listed);
    LAUNCH(first_bad, first);
  }
  if (argc == 8) {
    std::vector<int> good, bad;
    add_once(good, n);
    add_twice(bad, n);
    LAUNCH(handed_ok, good);
    LAUNCH(handed_bad, bad);
  }
  if (argc == 9) {
    std::vector<int> good;
    for (int i = 0; i < n; i++)
      good.push_back(i);
    std::vector<int> more(good), again(good);
    more.push_back(n);
    again.push_back(n / 2);
    LAUNCH(copied_ok, more);
    LAUNCH(copied_bad, again);
  }
  if (argc == 10) {
    std::vector<int> list(2);
    for (int i = 0; i < n; i++)
      list.push_back(i);
    int *there = on_device(list);
    sized_ok<<<(n + 255) / 256, 256>>>(there + 2, out, n);
    sized_bad<<<(n + 255) / 256, 256>>>(there, out, n);
  }
  if (argc == 11) {
    Held held;
    for (int i = 0; i < n; i++)
      held.list.push_back(i);
    Held good = std::move(held);
    LAUNCH(kept_ok, good.list);
    good.list.push_back(3);
    LAUNCH(kept_bad, good.list);
  }
  if (argc == 12) {
    std::vector<int> good, bad;
    for (int i = 0; i < n; i++) {
      good.push_back(-1);
      good.pop_back();
      good.push_back(i);
    }
    for (int i = 0; i < n; i++)
      bad.push_back(i);
    bad.pop_back();
    bad.push_back(0);
    LAUNCH(taken_ok, good);
    LAUNCH(taken_bad, bad);
  }
  if (argc == 13) {
    std::vector<std::vector<int>> good(2), bad(2);
    for (int i = 0; i < n; i++)
      good[i % 2].push_back(i);
    for (int i = 0; i < n; i++)
      for (int k = 0; k < 2; k++)
        bad[1].push_back(i + k);
    LAUNCH(nested_ok, good[1]);
    LAUNCH(nested_bad, bad[1]);
  }
  cudaDeviceSynchronize();
  return 0;
}
