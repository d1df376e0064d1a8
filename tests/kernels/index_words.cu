// Indices as real codes compute them: a column of each thread, in a row that a comparison of floats chose (columns); 8 x 8
// elements for each thread of a tile (tile); rows that are left out by rounded floats (rows); the most of three, and two sums in
// one word (words); counters of loops in short words (short, down), which do not wrap where the bound and a step fit (in wraps they
// do not). Right, and with one number changed.
//@ verdict short_ok: race-free
//@ verdict short_bad: racy
//@ verdict wraps_bad: racy
//@ verdict down_ok: race-free
//@ verdict down_bad: racy
//   until: a loop that goes down until its counter is one number may begin below that, and goes around (bad); above a bound (ok).
//@ verdict until_ok: race-free
//@ verdict until_bad: racy
//@ verdict columns_ok: race-free
//@ verdict columns_bad: racy
//@ verdict tile_ok: race-free
//@ verdict tile_bad: racy
//@ verdict rows_ok: race-free
//@ verdict rows_bad: racy
//@ verdict words_ok: race-free
//@ verdict words_bad: racy
//   halves: two numbers in one word of the launch; the lower one is not the word.
//@ verdict halves_ok: race-free
//@ verdict halves_bad: racy
__global__ void columns_ok(const float *in) { // expect-clean
  __shared__ float counts[8 * 96];
  int best = 0;
  float most = in[threadIdx.x];
  for (int k = 1; k < 8; ++k)
    if (in[k * 96 + threadIdx.x] > most) {
      best = k;
      most = in[k * 96 + threadIdx.x];
    }
  counts[best * 96 + threadIdx.x] = most;
}

__global__ void columns_bad(const float *in) {
  __shared__ float counts[8 * 96];
  int best = 0;
  float most = in[threadIdx.x];
  for (int k = 1; k < 8; ++k)
    if (in[k * 96 + threadIdx.x] > most) {
      best = k;
      most = in[k * 96 + threadIdx.x];
    }
  counts[best * 64 + threadIdx.x] = most; // expect-race {{-Wintra-block-race}}
}

__global__ void tile_ok(float *out, int columns) { // expect-clean
  out += 128 * blockIdx.x * columns + 128 * blockIdx.y;
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; j += 4)
      *(float4 *)(out + (8 * threadIdx.x + i) * columns + 8 * threadIdx.y + j) = make_float4(blockIdx.y, blockIdx.y, blockIdx.y, blockIdx.y);
}

__global__ void tile_bad(float *out, int columns) {
  out += 128 * blockIdx.x * columns + 112 * blockIdx.y;
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; j += 4)
      *(float4 *)(out + (8 * threadIdx.x + i) * columns + 8 * threadIdx.y + j) = // expect-race {{-Winter-block-race}}
          make_float4(blockIdx.y, blockIdx.y, blockIdx.y, blockIdx.y);
}

__global__ void rows_ok(float *out, unsigned n, float scale) { // expect-clean
  unsigned first = (unsigned)floorf(blockIdx.x * scale), end = (unsigned)ceilf((blockIdx.x + 1) * scale);
  if (blockIdx.x >= n || end - first > 40) return;
  out[blockIdx.x * 64 + threadIdx.x] = 1;
}

__global__ void rows_bad(float *out, unsigned n, float scale) {
  unsigned first = (unsigned)floorf(blockIdx.x * scale), end = (unsigned)ceilf((blockIdx.x + 1) * scale);
  if (blockIdx.x >= n || end - first > 40) return;
  out[blockIdx.x * 63 + threadIdx.x] = (float)threadIdx.x; // expect-race {{-Winter-block-race}}
}

__global__ void words_ok(int *a) { // expect-clean
  int i = threadIdx.x;
  a[__vimax3_s32(i, 0, -7)] = i;
  a[1000 + (__viaddmax_s16x2(i << 16 | i, 0x00030003, 0) >> 16)] = i;
}

__global__ void words_bad(int *a) {
  int i = threadIdx.x;
  a[__vimax3_s32(i, 1, -7)] = i; // expect-race
  a[1000 + (__viaddmin_s16x2(i << 16 | i, 0x00030003, 0x00070007) >> 16)] = i; // expect-race
}

__global__ void short_ok(float *out, short width, short pitch) { // expect-clean
  for (short i = threadIdx.x; i < width + 2; i += blockDim.x)
    out[threadIdx.y * pitch + i] = i;
}
__global__ void short_bad(float *out, short width, short pitch) {
  for (short i = threadIdx.x; i < width + 3; i += blockDim.x)
    out[threadIdx.y * pitch + i] = i; // expect-race
}
__global__ void wraps_bad(float *out, short pitch) {
  for (short i = threadIdx.x; i < 32760; i += 16)
    out[threadIdx.y * pitch + i] = i; // expect-race
}
__global__ void until_ok(float *out) { // expect-clean
  for (short i = threadIdx.x; i > -1000; i -= 33)
    out[i + 32768] = threadIdx.x;
}
__global__ void until_bad(float *out) {
  for (short i = threadIdx.x; i != 32; i -= 33)
    out[i + 32768] = threadIdx.x; // expect-race
}
__global__ void down_ok(float *out) { // expect-clean
  for (short i = 95 - threadIdx.x; i >= 0; i -= 32)
    out[threadIdx.y * 96 + i] = i;
}
__global__ void down_bad(float *out) {
  for (short i = 95 - threadIdx.x; i >= -1; i -= 32)
    out[threadIdx.y * 96 + i] = i; // expect-race {{-Wintra-block-race}}
}

__global__ void halves_ok(int *a, long both) { // expect-clean
  int low = (int)both, high = (int)(both >> 32);
  if (low >= 1024 && high > low) a[threadIdx.x % low] = threadIdx.x;
}
__global__ void halves_bad(int *a, long both) {
  int low = (int)both, high = (int)(both >> 32);
  if (low >= 32 && high > low) a[threadIdx.x % low] = threadIdx.x; // expect-race
}

long read_number(void);

int main() {
  float *in, *out;
  cudaMalloc((void **)&in, 8 * 96 * sizeof(float));
  cudaMalloc((void **)&out, 4096 * 2304 * sizeof(float));
  columns_ok<<<1, 96>>>(in);
  columns_bad<<<1, 96>>>(in);
  tile_ok<<<dim3(32, 18), dim3(16, 16)>>>(out, 2304);
  tile_bad<<<dim3(32, 18), dim3(16, 16)>>>(out, 2304);
  rows_ok<<<128, 64>>>(out, 128, 2.5f);
  rows_bad<<<128, 64>>>(out, 128, 2.5f);
  short_ok<<<1, dim3(16, 4)>>>(out, 80, 82);
  short_bad<<<1, dim3(16, 4)>>>(out, 80, 82);
  wraps_bad<<<1, dim3(16, 4)>>>(out, 32760);
  until_ok<<<1, 32>>>(out);
  until_bad<<<1, 32>>>(out);
  down_ok<<<1, dim3(32, 4)>>>(out);
  down_bad<<<1, dim3(32, 4)>>>(out);
  words_ok<<<1, 64>>>((int *)out);
  words_bad<<<1, 64>>>((int *)out);
  halves_ok<<<1, 64>>>((int *)out, read_number());
  halves_bad<<<1, 64>>>((int *)out, read_number());
  return 0;
}
