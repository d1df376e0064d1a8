// Pointers that are numbers for a while. Each twin differs by one edit.
//   carve: arrays carved from one block of shared memory, the third rounded up to a multiple of 8; the twin rounds down, into
//     the second one.
//   wide: rounded up to a multiple of 128, which nothing says the block begins at; in the twin the mask makes it 128 too few.
//   rows: a loop from one pointer to another that is the end of the block's row; the twin goes on to the end itself, which is the
//     next row's first element.
//   apart: two pointers are subtracted; the twin divides by twice the size of the element.
//   tables: a pointer to global memory is rounded up in each thread, which gives each a slot of its own; the twin's slots are
//     half as far apart as the threads' data are long.
//   hop: the distance between two arrays leads from one to the other, where neighbours' elements are read.
//@ verdict hop_bad: racy
//@ known-undecided hop_bad: a distance between two arrays is no number that is followed
//@ verdict carve_ok: race-free
//@ verdict carve_bad: racy
//@ verdict wide_ok: race-free
//@ verdict wide_bad: racy
//@ verdict rows_ok: race-free
//@ verdict rows_bad: racy
//@ verdict apart_ok: race-free
//@ verdict apart_bad: racy
//@ verdict slots_ok: race-free
//@ verdict slots_bad: racy
typedef unsigned long long number;
extern __shared__ char pool[];

__global__ void carve_ok(float *g, int n) { // expect-clean
  int *counts = (int *)pool;
  double *sums = (double *)(((number)(counts + n) + 7) & ~(number)7);
  int t = threadIdx.x;
  if (t < n) {
    counts[t] = t;
    sums[t] = 0.5 * t;
  }
  __syncthreads();
  if (t < n) g[blockIdx.x * n + t] = counts[n - 1 - t] + sums[n - 1 - t];
}
__global__ void carve_bad(float *g, int n) {
  int *counts = (int *)pool;
  double *sums = (double *)((number)(counts + n) & ~(number)7);
  int t = threadIdx.x;
  if (t < n) {
    counts[t] = t;     // expect-race carve
    sums[t] = 0.5 * t; // expect-race carve
  }
}

__global__ void wide_ok(int n) { // expect-clean
  char *flags = pool, *data = (char *)(((number)(flags + n) + 127) & -128ll);
  int t = threadIdx.x;
  if (t < n) {
    flags[t] = t;
    data[t] = 2 * t;
  }
}
__global__ void wide_bad(int n) {
  char *flags = pool, *data = (char *)((number)(flags + n) & -128ll);
  int t = threadIdx.x;
  if (t < n) {
    flags[t] = t;    // expect-race wide
    data[t] = 2 * t; // expect-race wide
  }
}

__global__ void rows_ok(int *g, int n) { // expect-clean
  int *row = g + blockIdx.x * n, *end = row + n;
  for (row += threadIdx.x; row < end; row += blockDim.x)
    *row = blockIdx.x;
}
__global__ void rows_bad(int *g, int n) {
  int *row = g + blockIdx.x * n, *end = row + n;
  for (row += threadIdx.x; row <= end; row += blockDim.x)
    *row = blockIdx.x; // expect-race {{-Winter-block-race}}
}

__global__ void apart_ok(int *g, const int *unused) { // expect-clean
  int *mine = g + blockIdx.x * blockDim.x + threadIdx.x;
  long index = ((number)mine - (number)g) / sizeof(int);
  g[index] = threadIdx.x;
}
__global__ void apart_bad(int *g, const int *unused) {
  int *mine = g + blockIdx.x * blockDim.x + threadIdx.x;
  long index = ((number)mine - (number)g) / 8;
  g[index] = threadIdx.x; // expect-race
}

__global__ void slots_ok(char *g, int bytes) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  char *slot = (char *)(((number)g + 15 & -16ll) + i * (number)16);
  for (int k = 0; k < 16; k++)
    slot[k] = i;
}
__global__ void slots_bad(char *g, int bytes) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  char *slot = (char *)(((number)g + 15 & -16ll) + i * (number)8);
  for (int k = 0; k < 16; k++)
    slot[k] = i; // expect-race
}

__global__ void hop_bad(int *from, int *to) {
  long distance = (number)to - (number)from;
  int *there = (int *)((number)from + distance);
  there[threadIdx.x] = to[threadIdx.x + 1];
}
