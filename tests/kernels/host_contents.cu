// Kernels that are right because of what the host wrote into their index arrays. Each `_bad` twin gets an array that
// differs by one thing.
//   scatter: places i at i; i / 2 hits each place twice; a copy of half of the array leaves zeros in the rest.
//   segments: sixteen elements from first[i] on; the twin writes seventeen.
//   turned: the transposed number of each cell of a grid, from two nested loops; the twin forgets a factor.
//   boxes: an offset in a struct that has members of other widths; the twin writes one element more than its box has.
//   behind: places from a std::vector, from the end; the twin clears the array on the device afterwards.
//   marked: the kernel before writes to the index array; in the good one it only reads it.
//   constant: strides in constant memory, copied from a table; the twin's table has a stride too small.
//   chosen: one of two stores for each element, odd and even ones apart; the twin lets them meet.
//   unread: threads without a value of their own do not read the array, and all write one place.
//   until: elements until the first of a kind; a thread starts at its own number, there is no element before that. The twin has
//     neighbours share a place.
//   either: places copied from one array; the twin's come from one of two, of which one holds zeros.
//@ verdict either_ok: race-free
//@ verdict either_bad: racy
//@ verdict until_ok: race-free
//@ verdict until_bad: racy
//@ verdict scatter_ok: race-free
//@ verdict scatter_bad: racy
//@ verdict scatter_half: racy
//@ verdict segments_ok: race-free
//@ verdict segments_bad: racy
//@ verdict turned_ok: race-free
//@ verdict turned_bad: racy
//@ verdict boxes_ok: race-free
//@ verdict boxes_bad: racy
//@ verdict behind_ok: race-free
//@ verdict behind_bad: racy
//@ verdict marked_ok: race-free
//@ verdict marked_bad: racy
//@ verdict mark: race-free
//@ verdict look: race-free
//@ verdict constant_ok: race-free
//@ verdict constant_bad: racy
//@ verdict chosen_ok: race-free
//@ verdict chosen_bad: racy
//@ verdict unread_ok: race-free
//@ verdict unread_bad: racy
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

__device__ int thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }

__device__ void scatter(const int *place, int *out, int n) {
  int i = thread_number();
  if (i < n) out[place[i]] = i; // expect-race
}
__global__ void scatter_ok(const int *place, int *out, int n) { scatter(place, out, n); } // expect-clean
__global__ void scatter_bad(const int *place, int *out, int n) { scatter(place, out, n); }
__global__ void scatter_half(const int *place, int *out, int n) { scatter(place, out, n); }

__global__ void segments_ok(const int *first, int *out, int n) { // expect-clean
  int i = thread_number();
  if (i < n)
    for (int k = 0; k < 16; k++)
      out[first[i] + k] = i;
}
__global__ void segments_bad(const int *first, int *out, int n) {
  int i = thread_number();
  if (i < n)
    for (int k = 0; k < 17; k++)
      out[first[i] + k] = i; // expect-race
}

__global__ void turned_ok(const int *cell, int *out, int n) { scatter(cell, out, n); } // expect-clean
__global__ void turned_bad(const int *cell, int *out, int n) { scatter(cell, out, n); }

struct Box {
  int x, y, number, level;
  long offset;
};

__global__ void boxes_ok(const Box *box, int *out) { // expect-clean
  for (int k = threadIdx.x; k < 100; k += blockDim.x)
    out[box[blockIdx.x].offset + k] = blockIdx.x;
}
__global__ void boxes_bad(const Box *box, int *out) {
  for (int k = threadIdx.x; k < 101; k += blockDim.x)
    out[box[blockIdx.x].offset + k] = blockIdx.x; // expect-race
}

__global__ void behind_ok(const int *place, int *out, int n) { scatter(place, out, n); } // expect-clean
__global__ void behind_bad(const int *place, int *out, int n) { scatter(place, out, n); }

__global__ void look(const int *place, int *sum, int n) { // expect-clean
  int i = thread_number();
  if (i < n) sum[i] = place[i] + 1;
}
__global__ void mark(int *place, int *sum, int n) { // expect-clean
  int i = thread_number();
  if (i < n) place[sum[i]] = i;
}
__global__ void marked_ok(const int *place, int *out, int n) { scatter(place, out, n); } // expect-clean
__global__ void marked_bad(const int *place, int *out, int n) { scatter(place, out, n); }

__constant__ int stride[2], short_stride[2];
__global__ void constant_ok(int *out) { out[blockIdx.x * stride[0] + threadIdx.x * stride[1]] = threadIdx.x; } // expect-clean
__global__ void constant_bad(int *out) {
  out[blockIdx.x * short_stride[0] + threadIdx.x * short_stride[1]] = threadIdx.x; // expect-race
}

__global__ void chosen_ok(const int *place, int *out, int n) { scatter(place, out, n); } // expect-clean
__global__ void chosen_bad(const int *place, int *out, int n) { scatter(place, out, n); }

__global__ void either_ok(const int *place, int *out, int n) { scatter(place, out, n); } // expect-clean
__global__ void either_bad(const int *place, int *out, int n) { scatter(place, out, n); }

__global__ void unread_ok(const int *place, int *out, int n) { // expect-clean
  int i = thread_number();
  int at = i < n ? place[i] : n + i;
  out[at] = i;
}
__global__ void unread_bad(const int *place, int *out, int n) {
  int i = thread_number();
  int at = i < n ? place[i] : n;
  out[at] = i; // expect-race
}

static int *to_device(const int *values, int n) {
  int *copy = nullptr;
  cudaMalloc((void **)&copy, n * sizeof(int));
  cudaMemcpy(copy, values, n * sizeof(int), cudaMemcpyHostToDevice);
  return copy;
}

__device__ void until(const int *kinds, int *out, int n, int shift) {
  for (int i = thread_number(); i < n; i += gridDim.x * blockDim.x) {
    if (kinds[i] == 9) break;
    out[i >> shift] = i; // expect-race
  }
}
__global__ void until_ok(const int *kinds, int *out) { until(kinds, out, 10000, 0); } // expect-clean
__global__ void until_bad(const int *kinds, int *out) { until(kinds, out, 10000, 1); }

int main(int argc, char **argv) {
  if (argc < 4) return 1;
  int n = atoi(argv[1]), width = atoi(argv[2]), height = atoi(argv[3]);
  int blocks = (n + 255) / 256, *out = nullptr, *sum = nullptr;
  cudaMalloc((void **)&out, (size_t)n * 100 * sizeof(int));
  cudaMalloc((void **)&sum, (size_t)n * sizeof(int));

  int *kinds = (int *)malloc(10000 * sizeof(int));
  for (int i = 0; i < 10000; i++)
    kinds[i] = rand() % 5;
  int *d_kinds = to_device(kinds, 10000);
  until_ok<<<40, 256>>>(d_kinds, out);
  until_bad<<<40, 256>>>(d_kinds, out);

  int *place = (int *)malloc(n * sizeof(int));
  for (int i = 0; i < n; i++)
    place[i] = i;
  int *d_place = to_device(place, n);
  scatter_ok<<<blocks, 256>>>(d_place, out, n);
  int *either;
  cudaMalloc((void **)&either, n * sizeof(int));
  cudaMemcpy(either, place, n * sizeof(int), cudaMemcpyHostToDevice);
  either_ok<<<blocks, 256>>>(either, out, n);
  int *zeros = (int *)calloc(n, sizeof(int));
  cudaMemcpy(either, rand() % 2 ? place : zeros, n * sizeof(int), cudaMemcpyHostToDevice);
  either_bad<<<blocks, 256>>>(either, out, n);
  unread_ok<<<blocks, 256>>>(d_place, out, n);
  unread_bad<<<blocks, 256>>>(d_place, out, n);
  for (int round = 0; round < 10; round++) {
    look<<<blocks, 256>>>(d_place, sum, n);
    marked_ok<<<blocks, 256>>>(d_place, out, n);
  }
  mark<<<blocks, 256>>>(d_place, sum, n);
  marked_bad<<<blocks, 256>>>(d_place, out, n);

  int *d_half = nullptr;
  cudaMalloc((void **)&d_half, n * sizeof(int));
  cudaMemset(d_half, 0, n * sizeof(int));
  cudaMemcpy(d_half, place, n / 2 * sizeof(int), cudaMemcpyHostToDevice);
  scatter_half<<<blocks, 256>>>(d_half, out, n);

  for (int i = 0; i < n; i++)
    place[i] = i / 2;
  scatter_bad<<<blocks, 256>>>(to_device(place, n), out, n);

  for (int i = 0; i < n; i++)
    place[i] = i * 16;
  int *d_first = to_device(place, n);
  segments_ok<<<blocks, 256>>>(d_first, out, n);
  segments_bad<<<blocks, 256>>>(d_first, out, n);

  for (int i = 0; i < n; i += 2)
    place[i] = i;
  for (int i = 1; i < n; i += 2)
    place[i] = -i;
  chosen_ok<<<blocks, 256>>>(to_device(place, n), out, n);
  for (int i = 1; i < n; i += 2)
    place[i] = i - 1;
  chosen_bad<<<blocks, 256>>>(to_device(place, n), out, n);

  int cells = width * height, *cell = (int *)malloc(cells * sizeof(int));
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      cell[y * width + x] = x * height + y;
  turned_ok<<<(cells + 255) / 256, 256>>>(to_device(cell, cells), out, cells);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      cell[y * width + x] = x + y;
  turned_bad<<<(cells + 255) / 256, 256>>>(to_device(cell, cells), out, cells);

  Box *box = (Box *)malloc(n * sizeof(Box)), *d_box = nullptr;
  for (int i = 0; i < n; i++) {
    box[i].x = i % width;
    box[i].y = i / width;
    box[i].number = i;
    box[i].offset = box[i].number * 100;
  }
  cudaMalloc((void **)&d_box, n * sizeof(Box));
  cudaMemcpy(d_box, box, n * sizeof(Box), cudaMemcpyHostToDevice);
  boxes_ok<<<n, 128>>>(d_box, out);
  boxes_bad<<<n, 128>>>(d_box, out);

  std::vector<int> from_end(n);
  for (int i = 0; i < n; i++)
    from_end[i] = n - 1 - i;
  cudaMemcpy(d_first, from_end.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  behind_ok<<<blocks, 256>>>(d_first, out, n);
  cudaMemset(d_first, 0, n * sizeof(int));
  behind_bad<<<blocks, 256>>>(d_first, out, n);

  static const int table[2] = {256, 1}, short_table[2] = {255, 1};
  cudaMemcpyToSymbol(stride, table, sizeof table);
  cudaMemcpyToSymbol(short_stride, short_table, sizeof short_table);
  constant_ok<<<blocks, 256>>>(out);
  constant_bad<<<blocks, 256>>>(out);
  return 0;
}
