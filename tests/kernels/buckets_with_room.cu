// Threads put values into buckets that have room for a few: a place is drawn from the bucket's own counter and used if it is one. The
// counter stands in front of its items, in global memory (row) or in shared memory (shared), behind them (behind), or all counters
// stand in front of all items (table). No item is written to a counter: places start at zero and end at the room. One place too
// many is the next bucket's counter (row_bad), or the bucket's own (behind_bad); counters that start at -1 give a place that is the
// counter itself (shared_bad); counters of a block are none of buckets for all blocks (table_bad). Emptied between barriers (twice_ok)
// the places are drawn anew; where the first places are used when the counters count anew, two have one place (twice_bad).
//@ verdict row_ok: race-free
//@ verdict row_bad: racy
//@ verdict behind_ok: race-free
//@ verdict behind_bad: racy
//@ verdict shared_ok: race-free
//@ verdict shared_bad: racy
//@ verdict table_ok: race-free
//@ verdict table_bad: racy
//@ verdict twice_ok: race-free
//@ verdict twice_bad: racy
enum { CAP = 16, BUCKETS = 64 };
struct Row {
  int n, items[CAP];
};
struct Behind {
  int items[CAP], n;
};
struct Table {
  int n[BUCKETS], items[BUCKETS][CAP];
};

__global__ void row_ok(const int *in, Row *rows, int total) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= total)
    return;
  int b = in[i] & (BUCKETS - 1), k = atomicAdd(&rows[b].n, 1);
  if (k < CAP)
    rows[b].items[k] = in[i];
}

__global__ void row_bad(const int *in, Row *rows, int total) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= total)
    return;
  int b = in[i] & (BUCKETS - 1), k = atomicAdd(&rows[b].n, 1); // expect-race[ro]
  if (k <= CAP)
    rows[b].items[k] = in[i]; // expect-race[ro] expect-race[ro2]
}

__global__ void behind_ok(const int *in, Behind *rows, int total) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= total)
    return;
  int b = in[i] & (BUCKETS - 1), k = atomicAdd(&rows[b].n, 1);
  if (k < CAP)
    rows[b].items[k] = in[i];
}

__global__ void behind_bad(const int *in, Behind *rows, int total) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= total)
    return;
  int b = in[i] & (BUCKETS - 1), k = atomicAdd(&rows[b].n, 1); // expect-race[be]
  if (k <= CAP)
    rows[b].items[k] = in[i]; // expect-race[be] expect-race[be2]
}

__global__ void shared_ok(const int *in, int *out) { // expect-clean
  __shared__ Row rows[BUCKETS];
  int t = threadIdx.x;
  if (t < BUCKETS)
    rows[t].n = 0;
  __syncthreads();
  int v = in[blockIdx.x * 256 + t], b = v & (BUCKETS - 1), k = atomicAdd(&rows[b].n, 1);
  if (k < CAP)
    rows[b].items[k] = v;
  __syncthreads();
  for (int i = t; i < BUCKETS * CAP; i += 256)
    out[blockIdx.x * BUCKETS * CAP + i] = i % CAP < rows[i / CAP].n ? rows[i / CAP].items[i % CAP] : -1;
}

__global__ void shared_bad(const int *in, int *out) {
  __shared__ Row rows[BUCKETS];
  int t = threadIdx.x;
  if (t < BUCKETS)
    rows[t].n = -1;
  __syncthreads();
  int v = in[blockIdx.x * 256 + t], b = v & (BUCKETS - 1), k = atomicAdd(&rows[b].n, 1); // expect-race[sh]
  if (k < CAP)
    rows[b].items[k] = v; // expect-race[sh] expect-race[sh2]
  __syncthreads();
  for (int i = t; i < BUCKETS * CAP; i += 256)
    out[blockIdx.x * BUCKETS * CAP + i] = i % CAP < rows[i / CAP].n ? rows[i / CAP].items[i % CAP] : -1;
}

__global__ void table_ok(const int *in, Table *table, int total) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= total)
    return;
  int b = in[i] & (BUCKETS - 1), k = atomicAdd(&table->n[b], 1);
  if (k < CAP)
    table->items[b][k] = in[i];
}

__global__ void table_bad(const int *in, Table *table, int total) {
  __shared__ int n[BUCKETS];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < BUCKETS)
    n[threadIdx.x] = 0;
  __syncthreads();
  if (i >= total)
    return;
  int b = in[i] & (BUCKETS - 1), k = atomicAdd(&n[b], 1);
  if (k < CAP)
    table->items[b][k] = in[i]; // expect-race
}

__global__ void twice_ok(const int *in) { // expect-clean
  __shared__ Row rows[BUCKETS];
  int t = threadIdx.x, v = in[blockIdx.x * 256 + t], b = v & (BUCKETS - 1);
  if (t < BUCKETS)
    rows[t].n = 0;
  __syncthreads();
  int k = atomicAdd(&rows[b].n, 1);
  if (k < CAP)
    rows[b].items[k] = v;
  __syncthreads();
  if (t < BUCKETS)
    rows[t].n = 0;
  __syncthreads();
  int again = atomicAdd(&rows[b].n, 1);
  if (again < CAP)
    rows[b].items[again] = v;
}

__global__ void twice_bad(const int *in) {
  __shared__ Row rows[BUCKETS];
  int t = threadIdx.x, v = in[blockIdx.x * 256 + t], b = v & (BUCKETS - 1);
  if (t < BUCKETS)
    rows[t].n = 0;
  __syncthreads();
  int k = atomicAdd(&rows[b].n, 1);
  __syncthreads();
  if (t < BUCKETS)
    rows[t].n = 0;
  __syncthreads();
  if (k < CAP)
    rows[b].items[k] = v; // expect-race
  int again = atomicAdd(&rows[b].n, 1);
  if (again < CAP)
    rows[b].items[again] = v; // expect-race
}

int main(int argc, char **) {
  int total = argc * 1000, blocks = (total + 255) / 256, *in, *out;
  Row *rows;
  Behind *behind;
  Table *table;
  cudaMalloc(&in, 65536 * sizeof(int));
  cudaMalloc(&out, 64 * BUCKETS * CAP * sizeof(int));
  cudaMalloc(&rows, BUCKETS * sizeof(Row));
  cudaMalloc(&behind, BUCKETS * sizeof(Behind));
  cudaMalloc(&table, sizeof(Table));
  cudaMemset(rows, 0, BUCKETS * sizeof(Row));
  row_ok<<<blocks, 256>>>(in, rows, total);
  cudaMemset(rows, 0, BUCKETS * sizeof(Row));
  row_bad<<<blocks, 256>>>(in, rows, total);
  cudaMemset(behind, 0, BUCKETS * sizeof(Behind));
  behind_ok<<<blocks, 256>>>(in, behind, total);
  cudaMemset(behind, 0, BUCKETS * sizeof(Behind));
  behind_bad<<<blocks, 256>>>(in, behind, total);
  shared_ok<<<64, 256>>>(in, out);
  shared_bad<<<64, 256>>>(in, out);
  cudaMemset(table, 0, sizeof(Table));
  table_ok<<<blocks, 256>>>(in, table, total);
  table_bad<<<blocks, 256>>>(in, table, total);
  twice_ok<<<64, 256>>>(in);
  twice_bad<<<64, 256>>>(in);
  return 0;
}
