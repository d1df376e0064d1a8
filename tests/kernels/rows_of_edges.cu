// Edges sorted by row, as a sparse matrix is built: count the edges of each row, sum up the counts, and let each edge draw its place from
// the counter of its row, which starts at the sum. As many draw as were counted, so rows stay apart. What differs in the `_bad` twins:
//   guard: one edge more draws than was counted.       shape: only half of the blocks counted.
//   rows: rows are others than those counted.          amount: each draws two, as was counted (ok); one was counted (bad).
//   sums: the sums are inclusive, so a row with more edges than the next one reaches into the one behind that.
//   twice: what was drawn before, the counters have not been set back.   half: half of the counters had been set to zero.
//   stream: counted on a stream for which nobody waits.  changed: rows were changed in between.   leave: a thread that leaves early counts less.
//   second: an edge draws twice.                        sites: some edges draw once more.
//   rounds: by four bits of the row in each round (ok); with the bits of the next round, or counts that go on from round to round (bad).
//   steps: several edges for each thread, by a grid-stride loop, or in a row; the twin's last one was not counted.
//@ verdict degrees: race-free
//@ verdict degrees_by_two: race-free
//@ verdict degrees_by_bits: race-free
//@ verdict degrees_in_steps: race-free
//@ verdict degrees_in_a_row: race-free
//@ verdict degrees_leaving: race-free
//@ verdict add_one: race-free
//@ verdict fill_ok: race-free
//@ verdict guard_bad: racy
//@ verdict shape_bad: racy
//@ verdict rows_bad: racy
//@ verdict amount_ok: race-free
//@ verdict amount_bad: racy
//@ verdict sums_bad: racy
//@ verdict twice_bad: racy
//@ verdict half_bad: racy
//@ verdict stream_bad: racy
//@ verdict changed_bad: racy
//@ verdict leave_bad: racy
//@ verdict second_bad: racy
//@ verdict sites_bad: racy
//@ verdict rounds_ok: race-free
//@ verdict bits_bad: racy
//@ verdict rounds_bad: racy
//@ verdict steps_ok: race-free
//@ verdict row_ok: race-free
//@ verdict row_bad: racy
#include <cuda_runtime.h>
#include <thrust/execution_policy.h>
#include <thrust/scan.h>

__device__ int thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void degrees(const int *row, int *degree, int n) { // expect-clean
  int i = thread_number();
  if (i < n) atomicAdd(&degree[row[i]], 1);
}
__global__ void degrees_by_two(const int *row, int *degree, int n) { // expect-clean
  int i = thread_number();
  if (i < n) atomicAdd(&degree[row[i]], 2);
}
__global__ void degrees_by_bits(const int *row, int *degree, int n, int shift) { // expect-clean
  int i = thread_number();
  if (i < n) atomicAdd(&degree[row[i] >> shift & 15], 1);
}
__global__ void degrees_in_steps(const int *row, int *degree, int n) { // expect-clean
  for (int i = thread_number(); i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&degree[row[i]], 1);
}
__global__ void degrees_in_a_row(const int *row, int *degree, int n) { // expect-clean
  for (int k = 0; k < 4; k++) {
    int i = thread_number() * 4 + k;
    if (i < n) atomicAdd(&degree[row[i]], 1);
  }
}
__global__ void degrees_leaving(const int *row, int *degree, int n) { // expect-clean
  int i = thread_number();
  if (i < n && row[i] > 7) return;
  if (i < n) atomicAdd(&degree[row[i]], 1);
}
__global__ void add_one(int *row, int n) { // expect-clean
  int i = thread_number();
  if (i < n) row[i] += 1;
}

__device__ void place(const int *row, int *next, int *out, int i) {
  int at = atomicAdd(&next[row[i]], 1);
  out[at] = i; // expect-race
}
__device__ void fill(const int *row, int *next, int *out, int n) {
  int i = thread_number();
  if (i < n) place(row, next, out, i);
}
__global__ void fill_ok(const int *row, int *next, int *out, int n) { fill(row, next, out, n); } // expect-clean
__global__ void rows_bad(const int *row, int *next, int *out, int n) { fill(row, next, out, n); }
__global__ void sums_bad(const int *row, int *next, int *out, int n) { fill(row, next, out, n); }
__global__ void twice_bad(const int *row, int *next, int *out, int n) { fill(row, next, out, n); }
__global__ void half_bad(const int *row, int *next, int *out, int n) { fill(row, next, out, n); }
__global__ void stream_bad(const int *row, int *next, int *out, int n) { fill(row, next, out, n); }
__global__ void changed_bad(const int *row, int *next, int *out, int n) { fill(row, next, out, n); }
__global__ void leave_bad(const int *row, int *next, int *out, int n) { fill(row, next, out, n); }
__global__ void guard_bad(const int *row, int *next, int *out, int n) { fill(row, next, out, n); }
__global__ void shape_bad(const int *row, int *next, int *out, int n) { fill(row, next, out, n); }
__device__ void fill_two(const int *row, int *next, int *out, int n) {
  int i = thread_number();
  if (i >= n) return;
  int at = atomicAdd(&next[row[i]], 2);
  out[at] = i; // expect-race
  out[at + 1] = i; // expect-race
}
__global__ void amount_ok(const int *row, int *next, int *out, int n) { fill_two(row, next, out, n); } // expect-clean
__global__ void amount_bad(const int *row, int *next, int *out, int n) { fill_two(row, next, out, n); }
__global__ void second_bad(const int *row, int *next, int *out, int n) {
  int i = thread_number();
  if (i >= n) return;
  int at = atomicAdd(&next[row[i]], 1), other = atomicAdd(&next[row[i]], 1);
  out[at] = other; // expect-race
}
__global__ void sites_bad(const int *row, int *next, int *out, int n) {
  int i = thread_number();
  if (i >= n) return;
  place(row, next, out, i);
  if (i % 3 == 0) atomicAdd(&next[row[i]], 1);
}
__device__ void fill_by_bits(const int *row, int *next, int *out, int n, int shift) {
  int i = thread_number();
  if (i >= n) return;
  int at = atomicAdd(&next[row[i] >> shift & 15], 1);
  out[at] = i; // expect-race
}
__global__ void rounds_ok(const int *row, int *next, int *out, int n, int shift) { fill_by_bits(row, next, out, n, shift); } // expect-clean
__global__ void bits_bad(const int *row, int *next, int *out, int n, int shift) { fill_by_bits(row, next, out, n, shift); }
__global__ void rounds_bad(const int *row, int *next, int *out, int n, int shift) { fill_by_bits(row, next, out, n, shift); }
__global__ void steps_ok(const int *row, int *next, int *out, int n) { // expect-clean
  for (int i = thread_number(); i < n; i += blockDim.x * gridDim.x)
    place(row, next, out, i);
}
__device__ void fill_in_a_row(const int *row, int *next, int *out, int n, int count) {
  for (int k = 0; k < count; k++) {
    int i = thread_number() * 4 + k;
    if (i < n) place(row, next, out, i);
  }
}
__global__ void row_ok(const int *row, int *next, int *out, int n) { fill_in_a_row(row, next, out, n, 4); } // expect-clean
__global__ void row_bad(const int *row, int *next, int *out, int n) { fill_in_a_row(row, next, out, n, 5); }

template <class Pointer> static void sum_up(Pointer degree, int *next, int rows) {
  thrust::exclusive_scan(thrust::device, degree, degree + rows, next);
}

int main(int argc, char **argv) {
  int n = argc * 1000, rows = argc * 100 + 16, blocks = (n + 255) / 256;
  size_t bytes = rows * sizeof(int);
  int *row, *other, *degree, *next, *first, *out;
  cudaMalloc((void **)&row, n * sizeof(int));
  cudaMalloc((void **)&other, n * sizeof(int));
  cudaMalloc((void **)&out, 2 * n * sizeof(int));
  cudaMalloc((void **)&degree, bytes);
  cudaMalloc((void **)&next, bytes);
  cudaMalloc((void **)&first, bytes);

  cudaMemset(degree, 0, bytes);
  degrees<<<blocks, 256>>>(row, degree, n);
  sum_up(degree, first, rows);
  cudaMemcpy(next, first, bytes, cudaMemcpyDeviceToDevice);
  fill_ok<<<blocks, 256>>>(row, next, out, n);
  twice_bad<<<blocks, 256>>>(row, next, out, n);
  cudaMemcpy(next, first, bytes, cudaMemcpyDeviceToDevice);
  rows_bad<<<blocks, 256>>>(other, next, out, n);
  cudaMemcpy(next, first, bytes, cudaMemcpyDeviceToDevice);
  amount_bad<<<blocks, 256>>>(row, next, out, n);
  cudaMemcpy(next, first, bytes, cudaMemcpyDeviceToDevice);
  second_bad<<<blocks, 256>>>(row, next, out, n);
  cudaMemcpy(next, first, bytes, cudaMemcpyDeviceToDevice);
  sites_bad<<<blocks, 256>>>(row, next, out, n);
  thrust::inclusive_scan(thrust::device, degree, degree + rows, next);
  sums_bad<<<blocks, 256>>>(row, next, out, n);

  cudaMemset(degree, 0, bytes);
  degrees<<<blocks, 256>>>(row, degree, n - 1);
  sum_up(degree, next, rows);
  guard_bad<<<blocks, 256>>>(row, next, out, n);
  cudaMemset(degree, 0, bytes);
  degrees<<<blocks / 2, 256>>>(row, degree, n);
  sum_up(degree, next, rows);
  shape_bad<<<blocks, 256>>>(row, next, out, n);
  cudaMemset(degree, 0, bytes);
  degrees_by_two<<<blocks, 256>>>(row, degree, n);
  sum_up(degree, next, rows);
  amount_ok<<<blocks, 256>>>(row, next, out, n);

  cudaMemset(degree, 0, bytes);
  degrees_leaving<<<blocks, 256>>>(row, degree, n);
  sum_up(degree, next, rows);
  leave_bad<<<blocks, 256>>>(row, next, out, n);

  cudaMemset(degree, 0, bytes);
  degrees_in_steps<<<blocks / 2, 256>>>(row, degree, n);
  sum_up(degree, next, rows);
  steps_ok<<<blocks / 2, 256>>>(row, next, out, n);
  cudaMemset(degree, 0, bytes);
  degrees_in_a_row<<<blocks / 4, 256>>>(row, degree, n);
  sum_up(degree, next, rows);
  cudaMemcpy(first, next, bytes, cudaMemcpyDeviceToDevice);
  row_ok<<<blocks / 4, 256>>>(row, next, out, n);
  row_bad<<<blocks / 4, 256>>>(row, first, out, n);

  for (int shift = 0; shift < 32; shift += 4) {
    cudaMemset(degree, 0, bytes);
    degrees_by_bits<<<blocks, 256>>>(row, degree, n, shift);
    sum_up(degree, first, rows);
    cudaMemcpy(next, first, bytes, cudaMemcpyDeviceToDevice);
    rounds_ok<<<blocks, 256>>>(row, next, out, n, shift);
    cudaMemcpy(next, first, bytes, cudaMemcpyDeviceToDevice);
    bits_bad<<<blocks, 256>>>(row, next, out, n, (shift + 4) % 32);
  }
  cudaMemset(degree, 0, bytes);
  cudaMemset(next, 0, bytes);
  for (int shift = 0; shift < 32; shift += 4) {
    degrees_by_bits<<<blocks, 256>>>(row, degree, n, shift);
    rounds_bad<<<blocks, 256>>>(row, next, out, n, shift);
    sum_up(degree, next, rows);
  }

  cudaMemset(degree, 0, bytes);
  degrees<<<blocks, 256>>>(row, degree, n);
  sum_up(degree, next, rows);
  add_one<<<blocks, 256>>>(row, n);
  changed_bad<<<blocks, 256>>>(row, next, out, n);

  cudaMemset(degree, 255, bytes);
  cudaMemset(degree, 0, bytes / 2);
  degrees<<<blocks, 256>>>(row, degree, n);
  sum_up(degree, next, rows);
  half_bad<<<blocks, 256>>>(row, next, out, n);

  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaMemset(degree, 0, bytes);
  degrees<<<blocks, 256, 0, stream>>>(row, degree, n);
  sum_up(degree, next, rows);
  stream_bad<<<blocks, 256>>>(row, next, out, n);
  return 0;
}
