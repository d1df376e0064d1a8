// The inner part of an LU decomposition in tiles of 16: for each offset, the blocks update the tiles to the right of and below the tile
// at (offset, offset), from tiles of its row and its column that this launch does not write. Rows and columns written are
// offset + 16 or more, and below dim: the grid has (dim - offset) / 16 - 1 blocks each way, and 0 <= offset by the loop of the host.
// Broken: one block more each way. Then columns reach dim + 15 at most, which is the start of the next row, where
// other blocks read the tiles of the column [rw]; what is written there lies left of column 16, so that writes do not meet.
//@ pairs: exact
//@ verdict luDecomposition: race-free
//@ verdict luDecomposition_broken: racy
#include <cstdlib>

__global__ void luDecomposition(float *m, int dim, int offset) { // expect-clean
  __shared__ float upper[16][16], left[16][16];
  int row = offset + (blockIdx.y + 1) * 16, column = offset + (blockIdx.x + 1) * 16;
  upper[threadIdx.y][threadIdx.x] = m[(offset + threadIdx.y) * dim + column + threadIdx.x];
  left[threadIdx.y][threadIdx.x] = m[(row + threadIdx.y) * dim + offset + threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 16; i++)
    sum += left[threadIdx.y][i] * upper[i][threadIdx.x];
  m[(row + threadIdx.y) * dim + column + threadIdx.x] -= sum;
}

__global__ void luDecomposition_broken(float *m, int dim, int offset) {
  __shared__ float upper[16][16], left[16][16];
  int row = offset + (blockIdx.y + 1) * 16, column = offset + (blockIdx.x + 1) * 16;
  upper[threadIdx.y][threadIdx.x] = m[(offset + threadIdx.y) * dim + column + threadIdx.x];
  left[threadIdx.y][threadIdx.x] = m[(row + threadIdx.y) * dim + offset + threadIdx.x]; // expect-race[rw](inter-block)
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 16; i++)
    sum += left[threadIdx.y][i] * upper[i][threadIdx.x];
  m[(row + threadIdx.y) * dim + column + threadIdx.x] -= sum; // expect-race[rw](inter-block)
}

int main(int argc, char **argv) {
  int dim = atoi(argv[1]);
  float *m;
  cudaMalloc((void **)&m, dim * dim * sizeof(float));
  for (int offset = 0; offset < dim - 16; offset += 16) {
    int blocks = (dim - offset) / 16 - 1;
    luDecomposition<<<dim3(blocks, blocks), dim3(16, 16)>>>(m, dim, offset);
    luDecomposition_broken<<<dim3(blocks + 1, blocks + 1), dim3(16, 16)>>>(m, dim, offset);
  }
  return 0;
}
