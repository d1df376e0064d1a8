// A place goes on in each round for those threads that are inside of a field, and in none for others: whether it does is one thing for all rounds.
//   march: planes of a field, tile by tile; the twin's planes begin a number before the last one ends.
//   through: the same through a pointer, which goes back down, and is moved on the other way of two branches; in the twin it goes back a number less.
//   halo: those at the border of a tile load another number each, in a part of their own; the twin's parts are a row too short.
//   both: two such steps, and one that all make; in the twin the second step is half as long.
//   own: each thread has its own reason to move, so that one that moves meets one that stays.
//   changes: who moves is another thread in each round.
//   either: of two tests, of which one holds for even threads and one for odd ones, each round looks at another.
//@ verdict march_ok: race-free
//@ verdict march_bad: racy
//@ verdict through_ok: race-free
//@ verdict through_bad: racy
//@ verdict halo_ok: race-free
//@ verdict halo_bad: racy
//@ verdict both_ok: race-free
//@ verdict both_bad: racy
//@ verdict own_bad: racy
//@ verdict changes_bad: racy
//@ verdict either_bad: racy
#include <cuda_runtime.h>

__device__ void march(const float *in, float *out, int nx, int ny, int nz, int plane) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, at = x + y * nx;
  bool is_inside = x < nx && y < ny;
  for (int k = 0; k < nz; k++) {
    int before = at;
    float value = 0;
    if (is_inside) {
      value = in[before];
      if (k > 0 && k < nz - 1) value += in[before + 1];
      at += plane;
    }
    if (is_inside) out[before] = value; // expect-race[march]
  }
}
__global__ void march_ok(const float *in, float *out, int nx, int ny, int nz) { march(in, out, nx, ny, nz, nx * ny); } // expect-clean
__global__ void march_bad(const float *in, float *out, int nx, int ny, int nz) { march(in, out, nx, ny, nz, nx * ny - 1); }

__global__ void through_ok(float *out, int *left, int nx, int ny, int nz) { // expect-clean
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  float *p = out + (nz - 1) * (nx * ny) + y * nx + x;
  for (int k = 0; k < nz; k++) {
    if (x < nx && y < ny) *p = k;
    if (x >= nx || y >= ny)
      atomicAdd(left, 1);
    else
      p -= nx * ny;
  }
}
__global__ void through_bad(float *out, int *left, int nx, int ny, int nz) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  float *p = out + (nz - 1) * (nx * ny) + y * nx + x;
  for (int k = 0; k < nz; k++) {
    if (x < nx && y < ny) *p = k; // expect-race
    if (x >= nx || y >= ny)
      atomicAdd(left, 1);
    else
      p -= nx * ny - 1;
  }
}

template <int PART> __device__ void halo(const float *in, float *out, int n) {
  int t = threadIdx.x, at = blockIdx.x * 256 + t, border = 0;
  bool is_border = t < 32 && blockIdx.x > 0;
  if (is_border) border = 1000000 + blockIdx.x * PART + t;
  for (int k = 0; k < 4; k++)
    if (is_border) {
      out[border] = in[at + k * n]; // expect-race[halo]
      border += 32;
    }
}
__global__ void halo_ok(const float *in, float *out, int n) { halo<128>(in, out, n); } // expect-clean
__global__ void halo_bad(const float *in, float *out, int n) { halo<96>(in, out, n); }

template <int SECOND> __device__ void both(float *out) {
  int t = threadIdx.x, at = blockIdx.x * 4096 + t;
  for (int k = 0; k < 4; k++) {
    if (t < 64) {
      out[at] = k;
      at += 64;
    }
    if (t >= 64 && t < 128) {
      out[at + 1024] = k; // expect-race[both]
      at += SECOND;
    }
    at += 64;
  }
}
__global__ void both_ok(float *out) { both<64>(out); } // expect-clean
__global__ void both_bad(float *out) { both<-32>(out); }

__global__ void own_bad(const int *x, int *out) {
  int t = threadIdx.x, at = t;
  bool moves = x[t] > 0;
  for (int k = 0; k < 4; k++) {
    out[at] = t; // expect-race
    if (moves) at += 32;
  }
}

__global__ void changes_bad(int *out) {
  int t = threadIdx.x, at = t;
  for (int k = 0; k < 4; k++) {
    out[at] = t; // expect-race
    if (t >> 5 == k) at += 32;
  }
}

__global__ void either_bad(int *out, int n) {
  int t = threadIdx.x, at = 8 * t;
  for (int k = 0; k < 4; k++) {
    out[at] = t; // expect-race
    if (k & 1 ? t % 2 == 0 : t % 2 == 1) at += 4;
  }
}

void run(const float *in, const int *x, float *out, int *numbers, int nx, int ny, int nz) {
  if (nx <= 0 || ny <= 0 || nz <= 0) return;
  dim3 grid((nx + 31) / 32, (ny + 7) / 8), block(32, 8);
  march_ok<<<grid, block>>>(in, out, nx, ny, nz);
  march_bad<<<grid, block>>>(in, out, nx, ny, nz);
  through_ok<<<grid, block>>>(out, numbers, nx, ny, nz);
  through_bad<<<grid, block>>>(out, numbers, nx, ny, nz);
  halo_ok<<<nx, 256>>>(in, out, ny);
  halo_bad<<<nx, 256>>>(in, out, ny);
  both_ok<<<nx, 128>>>(out);
  both_bad<<<nx, 128>>>(out);
  own_bad<<<1, 256>>>(x, numbers);
  changes_bad<<<1, 256>>>(numbers);
  either_bad<<<1, 256>>>(numbers, nx);
}
