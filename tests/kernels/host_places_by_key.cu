// Lists by keys that the host makes in two passes: how often each key comes, summed up, says where the places of a key begin, and each
// element takes the next of them. Each `_bad` twin differs by one thing.
//   shifted: counts behind their key, summed up in place; the twin counts one element less than it places.
//   before: counts at their key, which sums in front of them take the place of; the twin's loop counts every other element only.
//   apart: counts in an array of their own; in the twin a key changes in between.
//   listed: numbers of elements stored at the places, with a copy of the beginnings; the twin does not take the place.
//   early: all are counted; the twin may stop before.
//   again: the keys are read again behind the loop that counts them; in the twin that has halved them.
//   whole: the beginnings are of all counts; the twin's kernel is started in each round of the counting, with what has come so far.
//@ verdict shifted_ok: race-free
//@ verdict shifted_bad: racy
//@ verdict before_ok: race-free
//@ verdict before_bad: racy
//@ verdict apart_ok: race-free
//@ verdict apart_bad: racy
//@ verdict listed_ok: race-free
//@ verdict listed_bad: racy
//@ verdict early_ok: race-free
//@ verdict early_bad: racy
//@ verdict again_ok: race-free
//@ verdict again_bad: racy
//@ verdict whole_ok: race-free
//@ verdict whole_bad: racy
#include <cstdlib>
#include <cuda_runtime.h>

__device__ void put(const int *place, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[place[i]] = i; // expect-race
}
__global__ void shifted_ok(const int *place, int *out, int n) { put(place, out, n); } // expect-clean
__global__ void shifted_bad(const int *place, int *out, int n) { put(place, out, n); }
__global__ void before_ok(const int *place, int *out, int n) { put(place, out, n); } // expect-clean
__global__ void before_bad(const int *place, int *out, int n) { put(place, out, n); }
__global__ void apart_ok(const int *place, int *out, int n) { put(place, out, n); } // expect-clean
__global__ void apart_bad(const int *place, int *out, int n) { put(place, out, n); }
__global__ void listed_ok(const int *place, int *out, int n) { put(place, out, n); } // expect-clean
__global__ void listed_bad(const int *place, int *out, int n) { put(place, out, n); }
__global__ void early_ok(const int *place, int *out, int n) { put(place, out, n); } // expect-clean
__global__ void early_bad(const int *place, int *out, int n) { put(place, out, n); }
__global__ void again_ok(const int *place, int *out, int n) { put(place, out, n); } // expect-clean
__global__ void again_bad(const int *place, int *out, int n) { put(place, out, n); }
__global__ void whole_ok(const int *place, int *out, int n) { put(place, out, n); } // expect-clean
__global__ void whole_bad(const int *place, int *out, int n) { put(place, out, n); }

static int *on_device(const int *list, int n) {
  int *there = nullptr;
  cudaMalloc(&there, n * sizeof(int));
  cudaMemcpy(there, list, n * sizeof(int), cudaMemcpyHostToDevice);
  return there;
}
static int *numbers(int n) { return (int *)malloc(n * sizeof(int)); }
static int *zeros(int n) { return (int *)calloc(n, sizeof(int)); }
static int *drawn(int n, int end) {
  int *key = numbers(n);
  for (int e = 0; e < n; e++)
    key[e] = rand() % end;
  return key;
}
static void sum_up(int *row, int n) {
  for (int i = 0; i < n; i++)
    row[i + 1] += row[i];
}
static int *taken(int *row, const int *key, int n) {
  int *place = numbers(n);
  for (int e = 0; e < n; e++)
    place[e] = row[key[e]]++;
  return place;
}
#define LAUNCH(kernel, list) kernel<<<(n + 255) / 256, 256>>>(on_device(list, n), out, n)

template <int LESS> int *shifted(int n, int rows) {
  int *row = zeros(rows + 1), *key = drawn(n, rows);
  for (int e = 0; e < n - LESS; e++)
    row[key[e] + 1]++;
  sum_up(row, rows);
  return taken(row, key, n);
}

template <int STEP> int *before(int n, int rows) {
  int *row = zeros(rows + 1), *key = drawn(n, rows), sum = 0;
  for (int e = 0; e < n; e += STEP)
    row[key[e]]++;
  for (int i = 0; i <= rows; i++) {
    int count = row[i];
    row[i] = sum;
    sum += count;
  }
  return taken(row, key, n);
}

template <bool CHANGES> int *apart(int n, int rows) {
  int *count = zeros(rows), *row = numbers(rows + 1), *key = drawn(n, rows);
  for (int e = 0; e < n; e++)
    count[key[e]]++;
  if (CHANGES) key[n / 2] = 0;
  row[0] = 0;
  for (int i = 0; i < rows; i++)
    row[i + 1] = row[i] + count[i];
  return taken(row, key, n);
}

template <int STEP> int *listed(int n, int rows) {
  int *row = zeros(rows + 1), *next = numbers(rows + 1), *list = numbers(n), *key = drawn(n, rows);
  for (int e = 0; e < n; e++)
    row[key[e] + 1]++;
  sum_up(row, rows);
  for (int i = 0; i <= rows; i++)
    next[i] = row[i];
  for (int e = 0; e < n; e++) {
    list[next[key[e]]] = e / (2 - STEP);
    next[key[e]] += STEP;
  }
  return list;
}

template <bool STOPS> int *early(int n, int rows, int end) {
  int *row = zeros(rows + 1), *key = drawn(n, rows);
  for (int e = 0; e < n; e++) {
    if (STOPS && e == end) break;
    row[key[e] + 1]++;
  }
  sum_up(row, rows);
  return taken(row, key, n);
}

template <bool HALVES> int *again(int n, int rows) {
  int *row = zeros(rows + 1), *key = drawn(n, rows);
  for (int e = 0; e < n; e++) {
    row[key[e] + 1]++;
    if (HALVES) key[e] /= 2;
  }
  sum_up(row, rows);
  return taken(row, key, n);
}

static int *copied(const int *row, int rows) {
  int *copy = numbers(rows + 1);
  for (int i = 0; i <= rows; i++)
    copy[i] = row[i];
  sum_up(copy, rows);
  return copy;
}

template <bool EACH> void whole(int *out, int n, int rows) {
  int *row = zeros(rows + 1), *key = drawn(n, rows);
  for (int e = 0; e < n; e++) {
    row[key[e] + 1]++;
    if (EACH) LAUNCH(whole_bad, taken(copied(row, rows), key, n));
  }
  if (!EACH) LAUNCH(whole_ok, taken(copied(row, rows), key, n));
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]), rows = atoi(argv[2]), *out = nullptr;
  cudaMalloc(&out, (size_t)n * sizeof(int));
  if (argc == 3) {
    LAUNCH(shifted_ok, shifted<0>(n, rows));
    LAUNCH(shifted_bad, shifted<1>(n, rows));
    LAUNCH(before_ok, before<1>(n, rows));
    LAUNCH(before_bad, before<2>(n, rows));
  }
  if (argc == 4) {
    LAUNCH(apart_ok, apart<false>(n, rows));
    LAUNCH(apart_bad, apart<true>(n, rows));
    LAUNCH(listed_ok, listed<1>(n, rows));
    LAUNCH(listed_bad, listed<0>(n, rows));
  }
  if (argc == 5) {
    LAUNCH(again_ok, again<false>(n, rows));
    LAUNCH(again_bad, again<true>(n, rows));
    LAUNCH(early_ok, early<false>(n, rows, atoi(argv[3])));
    LAUNCH(early_bad, early<true>(n, rows, atoi(argv[3])));
    whole<false>(out, n, rows);
    whole<true>(out, n, rows);
  }
  return 0;
}
