// Block barrier. NVIDIA/cutlass #386, commit 288af365d: a block that works on one tile after another began to fill its shared memory for
// the next tile while other warps were still at the epilogue of the last one.
// The products of a tile are exchanged through the memory that also holds its operands: a warp that has stored its row of the result
// loads operands of the next tile there [next]. Within a tile there are barriers. Fixed: one at the head of each tile.
//@ pairs: exact
//@ verdict grouped: racy
//@ verdict grouped_fixed: race-free
#include <cstdlib>

union Storage {
  struct {
    float a[16][16], b[16][16];
  } operands;
  float result[16][16];
};

__global__ void grouped(const float *a, const float *b, float *c, int tiles) {
  __shared__ Storage storage;
  int x = threadIdx.x, y = threadIdx.y;
  for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    storage.operands.a[y][x] = a[tile * 256 + y * 16 + x]; // expect-race[next](intra-block,intra-warp)
    storage.operands.b[y][x] = b[tile * 256 + y * 16 + x];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 16; k++)
      sum += storage.operands.a[y][k] * storage.operands.b[k][x];
    __syncthreads();
    storage.result[y][x] = sum;
    __syncthreads();
    c[tile * 256 + y * 16 + x] = storage.result[x][y]; // expect-race[next](intra-block,intra-warp)
  }
}

__global__ void grouped_fixed(const float *a, const float *b, float *c, int tiles) { // expect-clean
  __shared__ Storage storage;
  int x = threadIdx.x, y = threadIdx.y;
  for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    __syncthreads();
    storage.operands.a[y][x] = a[tile * 256 + y * 16 + x];
    storage.operands.b[y][x] = b[tile * 256 + y * 16 + x];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 16; k++)
      sum += storage.operands.a[y][k] * storage.operands.b[k][x];
    __syncthreads();
    storage.result[y][x] = sum;
    __syncthreads();
    c[tile * 256 + y * 16 + x] = storage.result[x][y];
  }
}

int main(int argc, char **argv) {
  int problems = atoi(argv[1]), tiles = 0;
  for (int p = 0; p < problems; p++)
    tiles += atoi(argv[2 + p]);
  float *a, *b, *c;
  cudaMalloc(&a, tiles * 256 * sizeof(float));
  cudaMalloc(&b, tiles * 256 * sizeof(float));
  cudaMalloc(&c, tiles * 256 * sizeof(float));
  grouped<<<108, dim3(16, 16)>>>(a, b, c, tiles);
  grouped_fixed<<<108, dim3(16, 16)>>>(a, b, c, tiles);
}
