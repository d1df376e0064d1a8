// Surfaces: a place for each x (in bytes), y and z, which are written and read by handles. fill: each thread its own element (ok);
// x is not given in bytes of the element (bad). copy: from one surface into another, mirrored (ok); into the same one (bad). layers: each
// block a layer (ok), all the same one (bad). table: handles out of memory, a surface for each layer of blocks (ok), the next one as well (bad).
// members: handles in a struct (ok); one of them is there twice (bad). clamped: places outside are those at the border, of which nothing is known.
//@ verdict fill_ok: race-free
//@ verdict fill_bad: racy
//@ verdict copy_ok: race-free
//@ verdict copy_bad: racy
//@ verdict layers_ok: race-free
//@ verdict layers_bad: racy
//@ verdict table_ok: race-free
//@ verdict table_bad: racy
//@ verdict members_ok: race-free
//@ verdict members_bad: racy
//@ verdict clamped: undecided
//@ verdict compared: undecided
#include <cuda_runtime.h>

#include <cstdlib>

__global__ void fill_ok(cudaSurfaceObject_t out, int w, int h) { // expect-clean
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h)
    surf2Dwrite(make_float4(x, y, 0, 0), out, x * (int)sizeof(float4), y);
}

__global__ void fill_bad(cudaSurfaceObject_t out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h)
    surf2Dwrite(make_float4(x, y, 0, 0), out, x * (int)sizeof(float), y); // expect-race expect-same-value
}

__device__ void copy(cudaSurfaceObject_t in, cudaSurfaceObject_t out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  uchar4 value = surf2Dread<uchar4>(in, x * 4, h - 1 - y); // expect-race[copy]
  surf2Dwrite(value, out, x * 4, y); // expect-race[copy]
}
__global__ void copy_ok(cudaSurfaceObject_t in, cudaSurfaceObject_t out, int w, int h) { copy(in, out, w, h); } // expect-clean
__global__ void copy_bad(cudaSurfaceObject_t in, cudaSurfaceObject_t out, int w, int h) { copy(in, out, w, h); }

__global__ void layers_ok(cudaSurfaceObject_t out) { // expect-clean
  surf2DLayeredwrite((float)threadIdx.x, out, threadIdx.x * 4, 3, blockIdx.x);
}

__global__ void layers_bad(cudaSurfaceObject_t out) {
  surf2DLayeredwrite((float)(blockIdx.x + threadIdx.x), out, threadIdx.x * 4, 3, blockIdx.x / 2); // expect-race
}

__global__ void table_ok(const cudaSurfaceObject_t *out) { // expect-clean
  surf3Dwrite(threadIdx.x, out[blockIdx.x], threadIdx.x * 4, 0, 1, cudaBoundaryModeZero);
}

__global__ void table_bad(const cudaSurfaceObject_t *out) {
  for (int i = 0; i < 2; i++)
    surf3Dwrite(threadIdx.x + blockIdx.x, out[blockIdx.x + i], threadIdx.x * 4, 0, 1, cudaBoundaryModeZero); // expect-race
}

struct Levels {
  cudaSurfaceObject_t from, to;
};
__device__ void halve(Levels levels) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = surf1Dread<float>(levels.from, 8 * x) + surf1Dread<float>(levels.from, 8 * x + 4); // expect-race[halve]
  surf1Dwrite(sum, levels.to, 4 * x); // expect-race[halve]
}
__global__ void members_ok(Levels levels) { halve(levels); } // expect-clean
__global__ void members_bad(Levels levels) { halve(levels); }

__global__ void clamped(cudaSurfaceObject_t out) {
  surf1Dwrite(threadIdx.x, out, threadIdx.x * 4, cudaBoundaryModeClamp);
}

__global__ void compared(cudaSurfaceObject_t out, cudaSurfaceObject_t other) {
  if (out != other)
    surf1Dwrite(threadIdx.x, out, threadIdx.x * 4);
}

int main(int argc, char **argv) {
  int w = atoi(argv[1]), h = atoi(argv[2]);
  cudaSurfaceObject_t one, two;
  cudaResourceDesc first = {}, second = {};
  cudaCreateSurfaceObject(&one, &first);
  cudaCreateSurfaceObject(&two, &second);
  dim3 block(16, 16), grid((w + 15) / 16, (h + 15) / 16);
  fill_ok<<<grid, block>>>(one, w, h);
  fill_bad<<<grid, block>>>(one, w, h);
  copy_ok<<<grid, block>>>(one, two, w, h);
  copy_bad<<<grid, block>>>(two, two, w, h);
  layers_ok<<<8, 64>>>(one);
  layers_bad<<<8, 64>>>(one);
  Levels levels = {one, two}, same = {one, one};
  members_ok<<<h, 64>>>(levels);
  members_bad<<<h, 64>>>(same);
  clamped<<<1, 64>>>(one);
  compared<<<1, 64>>>(one, two);
  return 0;
}
