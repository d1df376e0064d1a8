// Kernels that are right because of the order or the choice of what the host wrote into their index arrays. Each `_bad`
// twin gets an array that differs by one thing.
//   rows: the elements from first[i] up to first[i + 1], where first is a running sum of lengths, from the element before
//         or in a variable; in the twins lengths may be -1, or the sum goes down.
//   slots: length[i] elements from first[i] on, both from one loop; the twin writes one more.
//   shuffled: a permutation, from exchanges of two places; the twin loses one of the two values.
//   swapped: the same through the standard library, with std::iota; the twin fills with one value.
//@ verdict rows_ok: race-free
//@ verdict rows_bad: racy
//@ verdict rows_in_variable_ok: race-free
//@ verdict rows_in_variable_bad: racy
//@ verdict slots_ok: race-free
//@ verdict slots_bad: racy
//@ verdict shuffled_ok: race-free
//@ verdict shuffled_bad: racy
//@ verdict swapped_ok: race-free
//@ verdict swapped_bad: racy
#include <algorithm>
#include <cstdlib>
#include <cuda_runtime.h>
#include <numeric>
#include <vector>

__device__ int thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }

__device__ void rows(const int *first, int *out, int n) {
  int i = thread_number();
  if (i < n)
    for (int k = first[i]; k < first[i + 1]; k++)
      out[k] = i; // expect-race
}
__global__ void rows_ok(const int *first, int *out, int n) { rows(first, out, n); } // expect-clean
__global__ void rows_bad(const int *first, int *out, int n) { rows(first, out, n); }
__global__ void rows_in_variable_ok(const int *first, int *out, int n) { rows(first, out, n); } // expect-clean
__global__ void rows_in_variable_bad(const int *first, int *out, int n) { rows(first, out, n); }

__global__ void slots_ok(const int *first, const int *length, int *out, int n) { // expect-clean
  int i = thread_number();
  if (i < n)
    for (int k = 0; k < length[i]; k++)
      out[first[i] + k] = i;
}
__global__ void slots_bad(const int *first, const int *length, int *out, int n) {
  int i = thread_number();
  if (i < n)
    for (int k = 0; k <= length[i]; k++)
      out[first[i] + k] = i; // expect-race
}

__device__ void scatter(const int *place, int *out, int n) {
  int i = thread_number();
  if (i < n) out[place[i]] = i; // expect-race
}
__global__ void shuffled_ok(const int *place, int *out, int n) { scatter(place, out, n); } // expect-clean
__global__ void shuffled_bad(const int *place, int *out, int n) { scatter(place, out, n); }
__global__ void swapped_ok(const int *place, int *out, int n) { scatter(place, out, n); } // expect-clean
__global__ void swapped_bad(const int *place, int *out, int n) { scatter(place, out, n); }

static int *to_device(const int *values, int n) {
  int *copy = nullptr;
  cudaMalloc((void **)&copy, n * sizeof(int));
  cudaMemcpy(copy, values, n * sizeof(int), cudaMemcpyHostToDevice);
  return copy;
}

static int *numbers(int n) { return (int *)malloc(n * sizeof(int)); }

int main(int argc, char **argv) {
  if (argc < 2) return 1;
  int n = atoi(argv[1]), blocks = (n + 255) / 256, *out = nullptr;
  cudaMalloc((void **)&out, n * 1000 * sizeof(int));

  int *first = numbers(n + 1);
  first[0] = 0;
  for (int i = 0; i < n; i++)
    first[i + 1] = first[i] + rand() % 10;
  rows_ok<<<blocks, 256>>>(to_device(first, n + 1), out, n);

  int *down = numbers(n + 1);
  down[0] = 0;
  for (int i = 0; i < n; i++)
    down[i + 1] = down[i] + rand() % 10 - 1;
  rows_bad<<<blocks, 256>>>(to_device(down, n + 1), out, n);

  int *start = numbers(n + 1), sum = 0;
  for (int i = 0; i <= n; i++) {
    start[i] = sum;
    sum += rand() % 10;
  }
  rows_in_variable_ok<<<blocks, 256>>>(to_device(start, n + 1), out, n);

  int *less = numbers(n + 1);
  sum = 0;
  for (int i = 0; i <= n; i++) {
    less[i] = sum;
    sum -= rand() % 10;
  }
  rows_in_variable_bad<<<blocks, 256>>>(to_device(less, n + 1), out, n);

  int *slot = numbers(n), *length = numbers(n);
  sum = 0;
  for (int i = 0; i < n; i++) {
    length[i] = rand() % 10;
    slot[i] = sum;
    sum += length[i];
  }
  int *d_slot = to_device(slot, n), *d_length = to_device(length, n);
  slots_ok<<<blocks, 256>>>(d_slot, d_length, out, n);
  slots_bad<<<blocks, 256>>>(d_slot, d_length, out, n);

  int *place = numbers(n);
  for (int i = 0; i < n; i++)
    place[i] = i;
  for (int i = n - 1; i > 0; i--) {
    int j = rand() % (i + 1), kept = place[i];
    place[i] = place[j];
    place[j] = kept;
  }
  shuffled_ok<<<blocks, 256>>>(to_device(place, n), out, n);

  int *lost = numbers(n);
  for (int i = 0; i < n; i++)
    lost[i] = i;
  for (int i = n - 1; i > 0; i--) {
    int j = rand() % (i + 1), kept = lost[i];
    lost[i] = lost[j];
    lost[i] = kept;
    lost[j] = kept;
  }
  shuffled_bad<<<blocks, 256>>>(to_device(lost, n), out, n);

  std::vector<int> swapped(n), same(n);
  std::iota(swapped.begin(), swapped.end(), 0);
  std::fill(same.begin(), same.end(), 3);
  for (int i = 0; i < n; i++) {
    std::swap(swapped[i], swapped[rand() % n]);
    std::swap(same[i], same[rand() % n]);
  }
  swapped_ok<<<blocks, 256>>>(to_device(swapped.data(), n), out, n);
  swapped_bad<<<blocks, 256>>>(to_device(same.data(), n), out, n);
  return 0;
}
