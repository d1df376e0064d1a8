// Shortest ways between all vertices, one launch for each vertex k that ways may go over. A thread has one element (i, j) and reads
// (i, k) and (k, j), so it races with whoever writes in column k or row k. Blocks are 16 x 16: threads of one row i are lanes of one
// warp or in other blocks [column]; threads of one column j are anywhere [row].
// In place: (i, k) is written only if a[i][k] + a[k][k] < a[i][k]: if a[k][k] is negative, and so for (k, j). A distance from k to k that is
// negative is a mistake in the input, but nothing in the host code excludes it: a possible race. That is benign for all other
// inputs: row k and column k stay as they are. The twin leaves them out, and is race-free for all inputs.
// With two buffers: race-free; the twin is given one array as both: then row k and column k are written with what was in them, which
// is a race all the same (definite: each thread writes).
//@ pairs: exact
//@ verdict place_ok: race-free
//@ verdict place_bad: racy
//@ verdict buffers_ok: race-free
//@ verdict buffers_bad: racy
__global__ void place_ok(int *a, int n, int k) { // expect-clean
  int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
  if (i < n && j < n && i != k && j != k) {
    int way = a[i * n + k];
    way += a[k * n + j];
    if (way < a[i * n + j])
      a[i * n + j] = way;
  }
}

__global__ void place_bad(int *a, int n, int k) {
  int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
  if (i < n && j < n) {
    int way = a[i * n + k]; // expect-race[column](inter-block,intra-warp) {{possible}}
    way += a[k * n + j];    // expect-race[row](every) {{possible}}
    if (way < a[i * n + j])
      a[i * n + j] = way; // expect-race[column](inter-block,intra-warp) expect-race[row](every)
  }
}

__global__ void buffers_ok(const int *from, int *to, int n, int k) { // expect-clean
  int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
  if (i < n && j < n) {
    int way = from[i * n + k];
    way += from[k * n + j];
    int old = from[i * n + j];
    to[i * n + j] = way < old ? way : old;
  }
}

__global__ void buffers_bad(const int *from, int *to, int n, int k) {
  int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
  if (i < n && j < n) {
    int way = from[i * n + k]; // expect-race[column2](inter-block,intra-warp)
    way += from[k * n + j];    // expect-race[row2](every)
    int old = from[i * n + j];
    to[i * n + j] = way < old ? way : old; // expect-race[column2](inter-block,intra-warp) expect-race[row2](every)
  }
}

int main(int argc, char **) {
  int n = argc;
  int *a, *b;
  cudaMalloc((void **)&a, n * n * sizeof(int));
  cudaMalloc((void **)&b, n * n * sizeof(int));
  dim3 grid((n + 15) / 16, (n + 15) / 16), block(16, 16);
  for (int k = 0; k < n; k++) {
    place_ok<<<grid, block>>>(a, n, k);
    place_bad<<<grid, block>>>(a, n, k);
  }
  int *from = a, *to = b;
  for (int k = 0; k < n; k++) {
    buffers_ok<<<grid, block>>>(from, to, n, k);
    int *other = from;
    from = to;
    to = other;
  }
  for (int k = 0; k < n; k++)
    buffers_bad<<<grid, block>>>(a, a, n, k);
  return 0;
}
