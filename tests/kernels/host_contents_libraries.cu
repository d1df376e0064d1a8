// Kernels that are right because of what a library of the toolkit left in their index arrays. Each `_bad` twin gets an
// array that differs by one thing.
//   counted: thrust::sequence, from a start in steps; the twin's step is 0.
//   filled: thrust::fill with one number for each part of an array; the twin fills both parts alike.
//   order: numbers in the order of sorted keys (thrust::sort_by_key) are a permutation; the twin sorts halves.
//   heads: in sorted keys, only who differs from its neighbour writes to the key's place; the twin's keys are not sorted.
//   packed: a place from the exclusive sum of marks, used only where the mark is set; the twin uses it everywhere.
//   places: starts from an inclusive sum of lengths, one further on; the twin sums numbers that may be negative.
//   pairs: cub::DeviceRadixSort::SortPairs; the twin's values were no sequence.
//   sums: cub::DeviceScan::ExclusiveSum of marks; the twin sums numbers that may be negative.
//   slices: a block's part lies between two sums of lengths without a sign; one twin takes one element more, the other's have a sign.
//   unique: starts of runs, kept in order (thrust::unique_by_key); the twin goes one element too far.
//   copied: thrust::copy of a sequence; the twin copies the first half.
//   streams: a sequence made in another stream; the twin does not wait for it.
//   zeros: a device_vector begins with zeros; the twin adds no number of its own.
//@ verdict counted_ok: race-free
//@ verdict counted_bad: racy
//@ verdict filled_ok: race-free
//@ verdict filled_bad: racy
//@ verdict order_ok: race-free
//@ verdict order_bad: racy
//@ verdict heads_ok: race-free
//@ verdict heads_bad: racy
//@ verdict packed_ok: race-free
//@ verdict packed_bad: racy
//@ verdict places_ok: race-free
//@ verdict places_bad: racy
//@ verdict pairs_ok: race-free
//@ verdict pairs_bad: racy
//@ verdict sums_ok: race-free
//@ verdict sums_bad: racy
//@ verdict slices_ok: race-free
//@ verdict slices_bad: racy
//@ verdict signs_bad: racy
//@ verdict unique_ok: race-free
//@ verdict unique_bad: racy
//@ verdict copied_ok: race-free
//@ verdict copied_bad: racy
//@ verdict streams_ok: race-free
//@ verdict streams_bad: racy
//@ verdict zeros_ok: race-free
//@ verdict zeros_bad: racy
//@ verdict mark_positive: race-free
#include <cstdlib>
#include <cub/cub.cuh>
#include <cuda_runtime.h>
#include <thrust/copy.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/fill.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/unique.h>

__device__ int thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }

__device__ void scatter(const int *place, int *out, int n) {
  int i = thread_number();
  if (i < n) out[place[i]] = i; // expect-race
}
__global__ void counted_ok(const int *place, int *out, int n) { scatter(place, out, n); } // expect-clean
__global__ void counted_bad(const int *place, int *out, int n) { scatter(place, out, n); }
__global__ void order_ok(const int *place, int *out, int n) { scatter(place, out, n); } // expect-clean
__global__ void order_bad(const int *place, int *out, int n) { scatter(place, out, n); }
__global__ void pairs_ok(const int *place, int *out, int n) { scatter(place, out, n); } // expect-clean
__global__ void pairs_bad(const int *place, int *out, int n) { scatter(place, out, n); }
__global__ void copied_ok(const int *place, int *out, int n) { scatter(place, out, n); } // expect-clean
__global__ void copied_bad(const int *place, int *out, int n) { scatter(place, out, n); }
__global__ void streams_ok(const int *place, int *out, int n) { scatter(place, out, n); } // expect-clean
__global__ void streams_bad(const int *place, int *out, int n) { scatter(place, out, n); }

__device__ void shift(const int *by, int *out, int n) { // two halves, each moved by a number of its own
  int i = thread_number();
  if (i < n) out[(i < n / 2 ? i : i - n / 2) + by[i]] = i; // expect-race
}
__global__ void filled_ok(const int *by, int *out, int n) { shift(by, out, n); } // expect-clean
__global__ void filled_bad(const int *by, int *out, int n) { shift(by, out, n); }

__device__ void note_heads(const int *key, int *first, int n) {
  int i = thread_number();
  if (i < n && (i == 0 || key[i] != key[i - 1])) first[key[i]] = i; // expect-race
}
__global__ void heads_ok(const int *key, int *first, int n) { note_heads(key, first, n); } // expect-clean
__global__ void heads_bad(const int *key, int *first, int n) { note_heads(key, first, n); }

__global__ void mark_positive(const int *value, int *mark, int n) { // expect-clean
  int i = thread_number();
  if (i < n) mark[i] = value[i] > 0;
}
__device__ void pack(const int *mark, const int *place, int *out, int n) {
  int i = thread_number();
  if (i < n && mark[i]) out[place[i]] = i; // expect-race
}
__global__ void packed_ok(const int *mark, const int *place, int *out, int n) { pack(mark, place, out, n); } // expect-clean
__global__ void packed_bad(const int *mark, const int *place, int *out, int n) { scatter(place, out, n); }
__global__ void sums_ok(const int *mark, const int *place, int *out, int n) { pack(mark, place, out, n); } // expect-clean
__global__ void sums_bad(const int *mark, const int *place, int *out, int n) { pack(mark, place, out, n); }

__device__ void fill_lengths(const int *length, const int *start, int *out, int n) {
  int i = thread_number();
  if (i < n)
    for (int k = 0; k < length[i]; k++)
      out[start[i] + k] = i; // expect-race
}
__global__ void places_ok(const int *length, const int *start, int *out, int n) { fill_lengths(length, start, out, n); } // expect-clean
__global__ void places_bad(const int *length, const int *start, int *out, int n) { fill_lengths(length, start, out, n); }

__device__ void copy_slice(const int *start, int *out, int more) {
  int size = start[blockIdx.x + 1] - start[blockIdx.x] + more;
  for (int t = threadIdx.x; t < size; t += blockDim.x)
    out[start[blockIdx.x] + t] = t; // expect-race
}
__global__ void slices_ok(const int *start, int *out) { copy_slice(start, out, 0); } // expect-clean
__global__ void slices_bad(const int *start, int *out) { copy_slice(start, out, 1); }
__global__ void signs_bad(const int *start, int *out) { copy_slice(start, out, 0); }

__global__ void unique_ok(const int *start, int *out, int runs) { // expect-clean
  int i = thread_number();
  if (i < runs - 1)
    for (int k = start[i]; k != start[i + 1]; k++)
      out[k] = i;
}
__global__ void unique_bad(const int *start, int *out, int runs) {
  int i = thread_number();
  if (i < runs - 1)
    for (int k = start[i]; k != start[i + 1] + 1; k++)
      out[k] = i; // expect-race
}
__global__ void zeros_ok(const int *add, int *out, int n) { // expect-clean
  int i = thread_number();
  if (i < n) out[i + add[i]] = i;
}
__global__ void zeros_bad(const int *add, int *out, int n) {
  int i = thread_number();
  if (i < n) out[add[i]] = i; // expect-race
}

int main(int argc, char **argv) {
  if (argc < 3) return 1;
  int n = atoi(argv[1]), blocks = (n + 255) / 256, *out = nullptr, *keys = nullptr;
  cudaMalloc((void **)&out, (size_t)n * 100 * sizeof(int));
  cudaMalloc((void **)&keys, n * sizeof(int));
  cudaMemcpy(keys, argv[2], n * sizeof(int), cudaMemcpyHostToDevice);
  thrust::device_ptr<int> key(keys);

  thrust::device_vector<int> counted(n), same(n), half(n), copy(n), copy_half(n, 0), zeros(n);
  thrust::sequence(counted.begin(), counted.end(), 7, 3);
  counted_ok<<<blocks, 256>>>(thrust::raw_pointer_cast(counted.data()), out, n);
  thrust::sequence(same.begin(), same.end(), 7, 0);
  counted_bad<<<blocks, 256>>>(thrust::raw_pointer_cast(same.data()), out, n);

  thrust::fill(half.begin(), half.begin() + n / 2, 0);
  thrust::fill(half.begin() + n / 2, half.end(), n);
  filled_ok<<<blocks, 256>>>(half.data().get(), out, n);
  thrust::fill(half.begin() + n / 2, half.end(), 0);
  filled_bad<<<blocks, 256>>>(half.data().get(), out, n);

  heads_bad<<<blocks, 256>>>(keys, out, n);
  thrust::device_vector<int> order(n), halves(n);
  thrust::sequence(order.begin(), order.end());
  thrust::sort_by_key(key, key + n, order.begin());
  order_ok<<<blocks, 256>>>(order.data().get(), out, n);
  heads_ok<<<blocks, 256>>>(keys, out, n);
  thrust::sequence(halves.begin(), halves.end(), 0, 0);
  thrust::sort_by_key(key, key + n, halves.begin());
  order_bad<<<blocks, 256>>>(halves.data().get(), out, n);

  int *mark = nullptr, *place = nullptr, *up_to = nullptr;
  cudaMalloc((void **)&mark, n * sizeof(int));
  cudaMalloc((void **)&place, n * sizeof(int));
  cudaMalloc((void **)&up_to, n * sizeof(int));
  mark_positive<<<blocks, 256>>>(keys, mark, n);
  thrust::exclusive_scan(thrust::device_ptr<int>(mark), thrust::device_ptr<int>(mark + n), thrust::device_ptr<int>(place));
  packed_ok<<<blocks, 256>>>(mark, place, out, n);
  packed_bad<<<blocks, 256>>>(mark, place, out, n);
  thrust::inclusive_scan(thrust::device_ptr<int>(mark), thrust::device_ptr<int>(mark + n), thrust::device_ptr<int>(up_to));
  places_ok<<<blocks, 256>>>(mark, up_to, out, n);
  thrust::inclusive_scan(key, key + n, thrust::device_ptr<int>(up_to));
  places_bad<<<blocks, 256>>>(keys, up_to, out, n);

  int *sorted = nullptr, *numbers = nullptr, *in_order = nullptr, *sums = nullptr;
  cudaMalloc((void **)&sorted, n * sizeof(int));
  cudaMalloc((void **)&numbers, n * sizeof(int));
  cudaMalloc((void **)&in_order, n * sizeof(int));
  cudaMalloc((void **)&sums, n * sizeof(int));
  void *work = nullptr, *more = nullptr;
  size_t bytes = 0;
  thrust::sequence(thrust::device_ptr<int>(numbers), thrust::device_ptr<int>(numbers) + n);
  cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys, sorted, numbers, in_order, n);
  cudaMalloc(&work, bytes);
  cub::DeviceRadixSort::SortPairs(work, bytes, keys, sorted, numbers, in_order, n);
  pairs_ok<<<blocks, 256>>>(in_order, out, n);
  cub::DeviceRadixSort::SortPairs(work, bytes, keys, sorted, mark, in_order, n);
  pairs_bad<<<blocks, 256>>>(in_order, out, n);

  cub::DeviceScan::ExclusiveSum(nullptr, bytes, mark, sums, n);
  cudaMalloc(&more, bytes);
  cub::DeviceScan::ExclusiveSum(more, bytes, mark, sums, n);
  sums_ok<<<blocks, 256>>>(mark, sums, out, n);
  cub::DeviceScan::ExclusiveSum(more, bytes, keys, sums, n);
  sums_bad<<<blocks, 256>>>(mark, sums, out, n);
  cub::DeviceScan::ExclusiveSum(more, bytes, (unsigned *)keys, (unsigned *)sums, n);
  slices_ok<<<n - 1, 128>>>(sums, out);
  slices_bad<<<n - 1, 128>>>(sums, out);
  cub::DeviceScan::ExclusiveSum(more, bytes, keys, sums, n);
  signs_bad<<<n - 1, 128>>>(sums, out);

  thrust::device_vector<int> start(n);
  thrust::sequence(start.begin(), start.end());
  auto end = thrust::unique_by_key(key, key + n, start.begin());
  int runs = end.first - key;
  unique_ok<<<blocks, 256>>>(start.data().get(), out, runs);
  unique_bad<<<blocks, 256>>>(start.data().get(), out, runs);

  thrust::copy(counted.begin(), counted.end(), copy.begin());
  copied_ok<<<blocks, 256>>>(copy.data().get(), out, n);
  thrust::copy(counted.begin(), counted.begin() + n / 2, copy_half.begin());
  copied_bad<<<blocks, 256>>>(copy_half.data().get(), out, n);

  cudaStream_t one, two;
  cudaStreamCreate(&one);
  cudaStreamCreate(&two);
  int *streamed = nullptr;
  cudaMalloc((void **)&streamed, n * sizeof(int));
  thrust::sequence(thrust::cuda::par.on(one), thrust::device_ptr<int>(streamed), thrust::device_ptr<int>(streamed) + n);
  streams_bad<<<blocks, 256, 0, two>>>(streamed, out, n);
  cudaStreamSynchronize(one);
  streams_ok<<<blocks, 256, 0, two>>>(streamed, out, n);

  zeros_ok<<<blocks, 256>>>(zeros.data().get(), out, n);
  zeros_bad<<<blocks, 256>>>(zeros.data().get(), out, n);
  return 0;
}
