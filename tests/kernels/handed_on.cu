// Places that a thread has from others of its block, or kept itself: what is read is what some thread stored there, or the source
// lane put in. Each twin hands on another number.
// origin: thread 0 says where its block begins. table: four threads say where four parts begin. round: anew in each round of a loop.
// reversal: each thread's place goes to the thread at the other end. twice: one variable, two values, barriers between; in the twin
// the second is read where the first may still be there. exchange, first, above: by shuffles. kept: in an array of the thread's own.
// skipped: an element that is read only where it was written; elsewhere a place of its own, which in the twin is another's.
// pointer: thread 0 says by a pointer. pointers: kept in an array, one for each round.
//@ verdict pointer_ok: race-free
//@ verdict pointer_bad: racy
//@ verdict pointers_ok: race-free
//@ verdict pointers_bad: racy
//@ verdict origin_ok: race-free
//@ verdict origin_bad: racy
//@ verdict table_ok: race-free
//@ verdict table_bad: racy
//@ verdict round_ok: race-free
//@ verdict round_bad: racy
//@ verdict reversal_ok: race-free
//@ verdict reversal_bad: racy
//@ verdict twice_ok: race-free
//@ verdict twice_bad: racy
//@ verdict exchange_ok: race-free
//@ verdict exchange_bad: racy
//@ verdict first_ok: race-free
//@ verdict first_bad: racy
//@ verdict above_ok: race-free
//@ verdict above_bad: racy
//@ verdict kept_ok: race-free
//@ verdict kept_bad: racy
//@ verdict skipped_ok: race-free
//@ verdict skipped_bad: racy
template <int WIDTH> __device__ void origin(int *out) {
  __shared__ int begin;
  int t = threadIdx.x;
  if (t == 0)
    begin = blockIdx.x * WIDTH;
  __syncthreads();
  out[begin + t] = t; // expect-race {{-Winter-block-race}}
}

__global__ void origin_ok(int *out) { // expect-clean
  origin<64>(out);
}

__global__ void origin_bad(int *out) {
  origin<63>(out);
}

__global__ void table_ok(int *out) { // expect-clean
  __shared__ int begin[4];
  int t = threadIdx.x;
  if (t < 4)
    begin[t] = blockIdx.x * 256 + t * 64;
  __syncthreads();
  for (int k = 0; k < 4; k++)
    out[begin[k] + t] = t + k;
}

__global__ void table_bad(int *out) {
  __shared__ int begin[4];
  int t = threadIdx.x;
  if (t < 4)
    begin[t] = blockIdx.x * 256 + t * 63;
  __syncthreads();
  for (int k = 0; k < 4; k++)
    out[begin[k] + t] = t + k; // expect-race {{-Wintra-block-race}}
}

__global__ void round_ok(int *out) { // expect-clean
  __shared__ int begin;
  int t = threadIdx.x;
  for (int k = 0; k < 5; k++) {
    if (t == 0)
      begin = (blockIdx.x * 5 + k) * 64;
    __syncthreads();
    out[begin + t] = t;
    __syncthreads();
  }
}

__global__ void round_bad(int *out) {
  __shared__ int begin;
  int t = threadIdx.x;
  for (int k = 0; k < 5; k++) {
    if (t == 0)
      begin = (blockIdx.x * 4 + k) * 64;
    __syncthreads();
    out[begin + t] = t + k; // expect-race {{-Winter-block-race}}
    __syncthreads();
  }
}

__global__ void reversal_ok(int *out) { // expect-clean
  __shared__ int place[64];
  int t = threadIdx.x;
  place[t] = blockIdx.x * 64 + t;
  __syncthreads();
  out[place[63 - t]] = t;
}

__global__ void reversal_bad(int *out) {
  __shared__ int place[64];
  int t = threadIdx.x;
  place[t] = blockIdx.x * 64 + t / 2;
  __syncthreads();
  out[place[63 - t]] = t; // expect-race {{-Wintra-warp-race}}
}

__global__ void twice_ok(int *out) { // expect-clean
  __shared__ int begin;
  int t = threadIdx.x;
  if (t == 0)
    begin = blockIdx.x * 128;
  __syncthreads();
  out[begin + t] = blockIdx.x;
  __syncthreads();
  if (t == 0)
    begin = blockIdx.x * 128 + 7;
}

__global__ void twice_bad(int *out) {
  __shared__ int begin;
  int t = threadIdx.x;
  if (t == 0)
    begin = blockIdx.x * 128;
  __syncthreads();
  out[begin + t] = blockIdx.x; // expect-race {{-Winter-block-race}} expect-race expect-race
  if (t == 0)
    begin = (blockIdx.x + 1) * 128; // expect-race {{-Wintra-block-race}} expect-race {{-Wintra-warp-race}}
}

template <int SHIFT> __device__ int place_of(int t) {
  return blockIdx.x * 64 + (t >> SHIFT);
}

__global__ void exchange_ok(int *out) { // expect-clean
  int t = threadIdx.x, place = __shfl_xor_sync(0xffffffffu, place_of<0>(t), 5);
  out[place] = t;
}

__global__ void exchange_bad(int *out) {
  int t = threadIdx.x, place = __shfl_xor_sync(0xffffffffu, place_of<1>(t), 5);
  out[place] = t; // expect-race {{-Wintra-warp-race}}
}

__global__ void first_ok(int *out) { // expect-clean
  int t = threadIdx.x, begin = 0;
  if (t % 32 == 0)
    begin = place_of<0>(t);
  begin = __shfl_sync(0xffffffffu, begin, 0);
  out[begin + t % 32] = t;
}

__global__ void first_bad(int *out) {
  int t = threadIdx.x, begin = 0;
  if (t % 32 == 0)
    begin = place_of<1>(t);
  begin = __shfl_sync(0xffffffffu, begin, 0);
  out[begin + t % 32] = t; // expect-race {{-Wintra-block-race}}
}

__global__ void above_ok(int *out) { // expect-clean
  int t = threadIdx.x, place = __shfl_up_sync(0xffffffffu, place_of<0>(t), 1);
  if (t % 32)
    out[place] = t;
}

__global__ void above_bad(int *out) { // lane 0 reads its own
  int t = threadIdx.x, place = __shfl_up_sync(0xffffffffu, place_of<0>(t), 1);
  out[place] = t; // expect-race {{-Wintra-warp-race}}
}

template <int EACH> __device__ void kept(int *out) {
  int places[4], t = threadIdx.x;
  for (int k = 0; k < 4; k++)
    places[k] = (blockIdx.x * 64 + t) * EACH + k;
  for (int k = 0; k < 4; k++)
    out[places[k]] = t; // expect-race {{-Wintra-warp-race}} expect-race {{-Wintra-block-race}} expect-race {{-Winter-block-race}}
}

__global__ void kept_ok(int *out) { // expect-clean
  kept<4>(out);
}

__global__ void kept_bad(int *out) {
  kept<3>(out);
}

__global__ void skipped_ok(int *out) { // expect-clean
  __shared__ int place[32];
  int t = threadIdx.x, to = blockIdx.x * 64 + t;
  if (t < 32)
    place[t] = blockIdx.x * 64 + 31 - t;
  __syncthreads();
  if (t < 32)
    to = place[t];
  out[to] = t;
}

__global__ void skipped_bad(int *out) {
  __shared__ int place[32];
  int t = threadIdx.x, to = blockIdx.x * 64 + t - 1;
  if (t < 32)
    place[t] = blockIdx.x * 64 + 31 - t;
  __syncthreads();
  if (t < 32)
    to = place[t];
  out[to] = t; // expect-race {{-Wintra-block-race}}
}

__global__ void pointer_ok(int *out) { // expect-clean
  __shared__ int *part;
  if (threadIdx.x == 0)
    part = out + blockIdx.x * 64;
  __syncthreads();
  part[threadIdx.x] = threadIdx.x;
}

__global__ void pointer_bad(int *out) {
  __shared__ int *part;
  if (threadIdx.x == 0)
    part = out + blockIdx.x * 32;
  __syncthreads();
  part[threadIdx.x] = threadIdx.x; // expect-race {{-Winter-block-race}}
}

__global__ void pointers_ok(int *out) { // expect-clean
  int *parts[3] = {out, out + 512, out + 1024};
  for (int k = 0; k < 3; k++)
    parts[k][blockIdx.x * 64 + threadIdx.x] = k;
}

__global__ void pointers_bad(int *out) {
  int *parts[3] = {out, out + 512, out + 1023};
  for (int k = 0; k < 3; k++)
    parts[k][blockIdx.x * 64 + threadIdx.x] = k; // expect-race
}

int main() {
  int *out;
  cudaMalloc((void **)&out, 1 << 20);
  pointer_ok<<<8, 64>>>(out);
  pointer_bad<<<8, 64>>>(out);
  pointers_ok<<<8, 64>>>(out);
  pointers_bad<<<8, 64>>>(out);
  origin_ok<<<8, 64>>>(out);
  origin_bad<<<8, 64>>>(out);
  table_ok<<<8, 64>>>(out);
  table_bad<<<8, 64>>>(out);
  round_ok<<<8, 64>>>(out);
  round_bad<<<8, 64>>>(out);
  reversal_ok<<<8, 64>>>(out);
  reversal_bad<<<8, 64>>>(out);
  twice_ok<<<8, 64>>>(out);
  twice_bad<<<8, 64>>>(out);
  exchange_ok<<<8, 64>>>(out);
  exchange_bad<<<8, 64>>>(out);
  first_ok<<<8, 64>>>(out);
  first_bad<<<8, 64>>>(out);
  above_ok<<<8, 64>>>(out);
  above_bad<<<8, 64>>>(out);
  kept_ok<<<8, 64>>>(out);
  kept_bad<<<8, 64>>>(out);
  skipped_ok<<<8, 64>>>(out);
  skipped_bad<<<8, 64>>>(out);
  return 0;
}
