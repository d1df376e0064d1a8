// Each size of an array of five is what the caller gives, or a number if that is nothing: digits of one place, as if the sizes were
// plain ones (ok). In one of them the default is another than in the size that it is below (bad).
//@ verdict face_ok: race-free
//@ verdict face_bad: racy
#include <cstdlib>

__device__ void put(float *f, int nx, int ny, int ne, int na, int wide) {
  int ix = blockDim.x * blockIdx.x + threadIdx.x, iy = blockDim.y * blockIdx.y + threadIdx.y;
  int octant = blockDim.z * blockIdx.z + threadIdx.z;
  if (ix >= nx || iy >= ny || octant >= 8) return;
  for (int e = 0; e < ne; e++)
    for (int u = 0; u < 4; u++)
      for (int a = 0; a < na; a++)
        f[a + wide * (u + 4 * (e + ne * (ix + nx * (iy + ny * octant))))] = ix; // expect-race
}
__global__ void face_ok(float *f, int nx, int ny, int ne, int na) { // expect-clean
  put(f, nx, ny, ne, na, na);
}
__global__ void face_bad(float *f, int nx, int ny, int ne, int na, int wide) { put(f, nx, ny, ne, na, wide); }

int main(int argc, char **argv) {
  int given[4];
  for (int i = 0; i < 4; i++)
    given[i] = atoi(argv[i + 1]);
  int nx = given[0] ? given[0] : 5, ny = given[1] ? given[1] : 5, ne = given[2] ? given[2] : 30;
  int na = given[3] ? given[3] : 33, wide = given[3] ? given[3] : 32;
  float *f;
  cudaMalloc(&f, (size_t)nx * ny * ne * na * 32 * sizeof(float));
  dim3 grid((nx + 15) / 16, (ny + 15) / 16, 2), block(16, 16, 4);
  face_ok<<<grid, block>>>(f, nx, ny, ne, na);
  face_bad<<<grid, block>>>(f, nx, ny, ne, na, wide);
}
