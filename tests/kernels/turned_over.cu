// Rows or columns of a matrix change places, the first with the last: each thread writes an element and its counterpart. Threads have the upper half, so that a
// place in one half is the counterpart of one thread alone, and the middle row its own.
//   columns: by columns of a matrix by columns (the twin: for an even number of them one too many). rows: by rows of a matrix by rows (the twin: a row too many). part: x / c is below q where x is
//   below q * c (the twin: where x may be q * c).
//@ verdict columns_ok: race-free
//@ verdict columns_bad: racy
//@ verdict rows_ok: race-free
//@ verdict rows_bad: racy
//@ verdict part_ok: race-free
//@ verdict part_bad: racy

__global__ void columns_ok(int *out, int rows, int columns) { // expect-clean
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= rows * ((columns + 1) / 2)) return;
  int row = i % rows, column = i / rows, other = (columns - column - 1) * rows + row;
  out[other] = i;
  out[i] = -1;
}

__global__ void columns_bad(int *out, int rows, int columns) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= rows * ((columns + 2) / 2)) return;
  int row = i % rows, column = i / rows, other = (columns - column - 1) * rows + row;
  out[other] = i; // expect-race[columns]
  out[i] = -1;     // expect-race[columns]
}

__global__ void rows_ok(int *out, int rows, int columns) { // expect-clean
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= ((rows + 1) / 2) * columns) return;
  int row = i / columns, column = i % columns, other = (rows - row - 1) * columns + column;
  out[other] = i;
  out[i] = -1;
}

__global__ void rows_bad(int *out, int rows, int columns) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= ((rows + 3) / 2) * columns) return;
  int row = i / columns, column = i % columns, other = (rows - row - 1) * columns + column;
  out[other] = i; // expect-race[rows]
  out[i] = -1;     // expect-race[rows]
}

__global__ void part_ok(int *out, int q, int c) { // expect-clean
  int x = threadIdx.x + blockIdx.x * blockDim.x;
  if (x < q * c) {
    out[q + x] = x;
    atomicAdd(&out[x / c], x);
  }
}

__global__ void part_bad(int *out, int q, int c) {
  int x = threadIdx.x + blockIdx.x * blockDim.x;
  if (x <= q * c) {
    out[q + x] = x;            // expect-race[part]
    atomicAdd(&out[x / c], x); // expect-race[part]
  }
}

void run(int *out, int *sums, int rows, int columns) {
  columns_ok<<<(rows * columns + 255) / 256, 256>>>(out, rows, columns);
  columns_bad<<<(rows * columns + 255) / 256, 256>>>(out, rows, columns);
  rows_ok<<<(rows * columns + 255) / 256, 256>>>(out, rows, columns);
  rows_bad<<<(rows * columns + 255) / 256, 256>>>(out, rows, columns);
  part_ok<<<(rows * columns + 255) / 256, 256>>>(sums, rows, columns);
  part_bad<<<(rows * columns + 256) / 256, 256>>>(sums, rows, columns);
}
