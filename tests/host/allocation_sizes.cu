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
