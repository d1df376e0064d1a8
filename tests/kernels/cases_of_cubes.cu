// Cubes of a grid: each thread stores a corner, those at the end of a row the ones beyond it, then a case is made of eight corners, and tables of
// the host say what it needs; the last thread draws room for all of the block. Which of the tables' elements are read hangs on floating-point numbers in shared
// memory, eight of them, and on the lists of kernels before: that is a long question, which must not cost what the pairs are to be asked with.
//   cubes: the start of the room is read behind a barrier; the twin reads it at once. That branches on the way there hang on shared memory does not matter:
//     nobody passes the reading by.
//   list, parts: what the list holds is what two kernels have put there, one after the other.
//@ verdict cubes_ok: race-free
//@ verdict cubes_bad: racy
//@ verdict list: race-free
//@ verdict parts: race-free
#include <cuda_runtime.h>

enum { X = 4, Y = 4, Z = 8, THREADS = X * Y * Z, ROW = 60, PARTS = 225, GRID = 5 * ROW };

__device__ float level(unsigned x, unsigned y, unsigned z) {
  float a = int(x - 128) * 0.01f, b = int(y - 128) * 0.01f, c = int(z - 128) * 0.01f;
  return 1 - 16 * a * b * c - 4 * (a * a + b * b + c * c);
}

__device__ unsigned add_up(unsigned sum, unsigned lane) {
  for (int d = 1; d < 32; d *= 2) {
    unsigned before = __shfl_up_sync(0xffffffffu, sum, d);
    if (lane >= d) sum += before;
  }
  return sum;
}

// Who keeps something is given a place of its own.
__device__ unsigned place(unsigned kept, unsigned *count) {
  __shared__ unsigned sums[32], start;
  unsigned t = threadIdx.x, lane = t % 32, sum = add_up(kept, lane);
  if (lane == 31) sums[t / 32] = sum;
  __syncthreads();
  if (t < 32) sums[t] = add_up(t < 8 ? sums[t] : 0, lane);
  __syncthreads();
  if (t >= 32) sum += sums[t / 32 - 1];
  if (t == 255) start = atomicAdd(count, sum);
  __syncthreads();
  return start + sum - 1;
}

__global__ void list(const float *least, unsigned *blocks, unsigned *count) { // expect-clean
  unsigned i = blockIdx.x * 256 + threadIdx.x, kept = least[i] < 0, at = place(kept, count);
  if (kept) blocks[at] = i;
}

__global__ void parts(const float *least, const unsigned *blocks, unsigned n, unsigned *part, unsigned *count) { // expect-clean
  unsigned i = blockIdx.x * 256 + threadIdx.x, of = i / PARTS, kept = of < n ? least[i] < 0 : 0, at = place(kept, count);
  if (kept) {
    unsigned block = blocks[of], x = block % ROW, y = block / ROW % ROW, z = block / ROW / ROW, own = i % PARTS;
    part[at] = own % 5 + 5 * (x + ROW * (own / 5 % 5 + 5 * (y + ROW * (z * 9 + own / 25))));
  }
}

template <bool WAITS>
__device__ void cubes(float at, const unsigned *blocks, const unsigned short *edges, const int *corners, const uchar4 *ends, unsigned *count, unsigned *found) {
  __shared__ float value[Z + 1][Y + 1][X + 1];
  __shared__ unsigned sums[32];
  unsigned x = threadIdx.x, y = threadIdx.y, z = threadIdx.z, block = blocks[blockIdx.x];
  unsigned gx = block % GRID * (X - 1) + x, gy = block / GRID % GRID * (Y - 1) + y, gz = block / GRID / GRID * (Z - 1) + z;
  unsigned own = 7;
  value[z][y][x] = level(gx, gy, gz);
  if (x == X - 1) {
    own &= 6;
    value[z][y][X] = level(gx + 1, gy, gz);
    if (y == Y - 1) value[z][Y][X] = level(gx + 1, gy + 1, gz);
  }
  if (y == Y - 1) {
    own &= 5;
    value[z][Y][x] = level(gx, gy + 1, gz);
    if (z == Z - 1) value[Z][Y][x] = level(gx, gy + 1, gz + 1);
  }
  if (z == Z - 1) {
    own &= 3;
    value[Z][y][x] = level(gx, gy, gz + 1);
    if (x == X - 1) value[Z][y][X] = level(gx + 1, gy, gz + 1);
  }
  __syncthreads();
  unsigned which = 0;
  if (value[z][y][x] < at) which |= 1;
  if (value[z][y][x + 1] < at) which |= 2;
  if (value[z][y + 1][x + 1] < at) which |= 4;
  if (value[z][y + 1][x] < at) which |= 8;
  if (value[z + 1][y][x] < at) which |= 16;
  if (value[z + 1][y][x + 1] < at) which |= 32;
  if (value[z + 1][y + 1][x + 1] < at) which |= 64;
  if (value[z + 1][y + 1][x] < at) which |= 128;
  unsigned cut = own ? edges[which] : 0, need = own == 7 ? cut & 7 : 0;
  unsigned t = x + X * (y + Y * z), lane = t % 32, sum = add_up(need, lane);
  if (lane == 31) sums[t / 32] = sum;
  __syncthreads();
  if (t < 32) sums[t] = add_up(t < THREADS / 32 ? sums[t] : 0, lane);
  __syncthreads();
  if (t >= 32) sum += sums[t / 32 - 1];
  if (own == 0) sums[31] = atomicAdd(count, sum); // expect-race[start]
  if (WAITS) __syncthreads();
  sum += sums[31]; // expect-race[start]
  for (unsigned k = 0; k < need; k++)
    atomicAdd(found, sum + ends[corners[16 * which + 3 * k]].x + ends[corners[16 * which + 3 * k + 1]].y + ends[corners[16 * which + 3 * k + 2]].z);
}
__global__ void cubes_ok(float at, const unsigned *blocks, const unsigned short *edges, const int *corners, const uchar4 *ends, unsigned *count, unsigned *found) { // expect-clean
  cubes<true>(at, blocks, edges, corners, ends, count, found);
}
__global__ void cubes_bad(float at, const unsigned *blocks, const unsigned short *edges, const int *corners, const uchar4 *ends, unsigned *count, unsigned *found) {
  cubes<false>(at, blocks, edges, corners, ends, count, found);
}

unsigned short edges[256];
int corners[256 * 16];
uchar4 ends[12] = {{0, 0, 0, 0}, {1, 0, 0, 1}, {0, 1, 0, 0}, {0, 0, 0, 1}, {0, 0, 1, 0}, {1, 0, 1, 1}, {0, 1, 1, 0}, {0, 0, 1, 1}, {0, 0, 0, 2}, {1, 0, 0, 2}, {1, 1, 0, 2}, {0, 1, 0, 2}};

int main() {
  unsigned *blocks, *part, *count, *found, n = 0;
  unsigned short *device_edges;
  int *device_corners;
  uchar4 *device_ends;
  float *least;
  for (int i = 0; i < 256; i++) edges[i] = i * 37 % 6 | i << 8;
  for (int i = 0; i < 256 * 16; i++) corners[i] = i % 12;
  cudaMalloc(&least, 4096 * PARTS * sizeof *least);
  cudaMalloc(&blocks, 4096 * sizeof *blocks);
  cudaMalloc(&part, 4096 * PARTS * sizeof *part);
  cudaMalloc(&count, 2 * sizeof *count);
  cudaMalloc(&found, sizeof *found);
  cudaMalloc(&device_edges, sizeof edges);
  cudaMalloc(&device_corners, sizeof corners);
  cudaMalloc(&device_ends, sizeof ends);
  cudaMemcpy(device_ends, ends, sizeof ends, cudaMemcpyHostToDevice);
  cudaMemcpy(device_edges, edges, sizeof edges, cudaMemcpyHostToDevice);
  cudaMemcpy(device_corners, corners, sizeof corners, cudaMemcpyHostToDevice);
  cudaMemset(least, 0, 4096 * PARTS * sizeof *least);
  cudaMemset(count, 0, 2 * sizeof *count);
  cudaMemset(found, 0, sizeof *found);
  list<<<16, 256>>>(least, blocks, count);
  cudaMemcpy(&n, count, sizeof n, cudaMemcpyDeviceToHost);
  parts<<<(n * PARTS + 255) / 256, 256>>>(least, blocks, n, part, count + 1);
  cudaMemcpy(&n, count + 1, sizeof n, cudaMemcpyDeviceToHost);
  if (n > 0) {
    cubes_ok<<<n, dim3(X, Y, Z)>>>(0.5f, part, device_edges, device_corners, device_ends, count, found);
    cubes_bad<<<n, dim3(X, Y, Z)>>>(0.5f, part, device_edges, device_corners, device_ends, count, found);
  }
  return 0;
}
