// Class 5: sizes of allocations are positive (pitchLinear, copyFromVec).
#include <cstdlib>

__global__ void shift(float *odata, int pitch, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  odata[y * pitch + x] = 0;
}
__global__ void copy_from_vec(float *out, const float *v, int dim, int rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < dim) out[blockIdx.y * dim + i] = v[i];
}
__global__ void volume(cudaPitchedPtr p, int n) { ((char *)p.ptr)[p.pitch * n] = 0; }

__global__ void image(float *d, int w, int h, int depth) { d[w * h] = depth; }

// Arrays for textures: the width is positive, the other extents are not negative.
static void images(float *d, int w, int h, int depth, int dw, int dh) {
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t flat, deep;
  cudaMallocArray(&flat, &format, w, h);
  cudaMalloc3DArray(&deep, &format, make_cudaExtent(dw, dh, depth));
  image<<<w / 8, 8>>>(d, w, h, 1);
  image<<<w / 8, 16>>>(d, dw, dh, depth);
}

// What the runtime says of any device.
static void device(float *d) {
  cudaDeviceProp p;
  int multiprocessors, lanes, blocks, threads;
  cudaGetDeviceProperties(&p, 0);
  image<<<p.multiProcessorCount, p.maxThreadsPerBlock / p.warpSize>>>(d, p.regsPerMultiprocessor, 0, 0);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  cudaDeviceGetAttribute(&lanes, cudaDevAttrWarpSize, 0);
  image<<<multiprocessors * 2, lanes>>>(d, 0, 1, 0);
  cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, image);
  image<<<blocks, threads>>>(d, 0, 2, 0);
}

int main(int argc, char **argv) {
  int nx = atoi(argv[1]), ny = atoi(argv[2]);
  float *d_odata;
  size_t pitchBytes;
  cudaMallocPitch((void **)&d_odata, &pitchBytes, nx * sizeof(float), ny);
  shift<<<dim3(nx / 16, ny / 16), dim3(16, 16)>>>(d_odata, (int)(pitchBytes / sizeof(float)), nx, ny);

  int dim = atoi(argv[3]), rows = atoi(argv[4]);
  float *vec, *mat;
  cudaMalloc(&vec, dim * sizeof(float));
  cudaMalloc(&mat, (size_t)dim * rows * sizeof(float));
  copy_from_vec<<<dim3((dim + 255) / 256, rows), 256>>>(mat, vec, dim, rows);
  images(mat, atoi(argv[5]), atoi(argv[6]), atoi(argv[7]), atoi(argv[8]), atoi(argv[9]));
  device(mat);
  return 0;
}

//@ launch: shift<<<dim3(nx / 16, ny / 16), dim3(16, 16)>>>(d_odata, pitchBytes / 4, nx, ny)
//@ lacks: frontend
//@ has: [allocation] nx * 4 <= pitchBytes
//@ has: [allocation] 0 < nx
//@ has: [allocation] 0 < ny
//@ has: allocation of pitchBytes * ny bytes
//@ launch: copy_from_vec<<<dim3((dim + 255) / 256, rows), 256>>>(mat, vec, dim, rows)
//@ has: [allocation] 0 < dim (
//@ has: [allocation] 0 < rows (
//@ launch: image<<<w / 8, 8>>>
//@ has: [allocation] 0 < w (
//@ has: [allocation] 0 <= h (
//@ launch: image<<<w / 8, 16>>>
//@ has: [allocation] 0 < dw (
//@ has: [allocation] 0 <= dh (
//@ has: [allocation] 0 <= depth (
//@ launch: image<<<p.multiProcessorCount, p.maxThreadsPerBlock / 32>>>
//@ has: [hardware] 1 <= p.multiProcessorCount (
//@ has: [hardware] p.maxThreadsPerBlock <= 1024 (
//@ lacks: 1 <= p.regsPerMultiprocessor
//@ launch: image<<<multiprocessors * 2, 32>>>
//@ has: [hardware] 1 <= multiprocessors (
//@ launch: image<<<blocks, threads>>>
//@ has: [hardware] threads <= 1024 (
