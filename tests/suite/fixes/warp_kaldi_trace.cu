// Warp barrier. kaldi-asr/kaldi #3211, commit 4cfbd217a: the trace of a product of matrices ends with a sum in shared memory in which
// the last 32 threads were taken for running in lock step.
// In a step of the last warp a lane reads the place that another writes, in the same step or the one before [step]. Fixed as there:
// cub::BlockReduce, whose storage is used once. The tree above the last warp has its barriers.
//@ pairs: exact
//@ verdict trace_mat_mat_trans: racy
//@ verdict trace_mat_mat_trans_fixed: race-free
#include <cub/block/block_reduce.cuh>

struct MatrixDim {
  int rows, cols, stride;
};

__global__ void trace_mat_mat_trans(const float *a, const float *b, MatrixDim d, int b_stride, float *value) {
  __shared__ float sum[256];
  int tid = threadIdx.y * blockDim.x + threadIdx.x, j = blockIdx.x * blockDim.x + threadIdx.x;
  float mine = 0;
  if (j < d.cols)
    for (int i = blockIdx.y * blockDim.y + threadIdx.y; i < d.rows; i += gridDim.y * blockDim.y)
      mine += a[i * d.stride + j] * b[i * b_stride + j];
  sum[tid] = mine;
  __syncthreads();
  for (int shift = 128; shift > warpSize; shift >>= 1) {
    if (tid < shift)
      sum[tid] += sum[tid + shift];
    __syncthreads();
  }
  if (tid < warpSize) {
#pragma unroll
    for (int shift = warpSize; shift > 0; shift >>= 1)
      sum[tid] += sum[tid + shift]; // expect-race[step](intra-warp)
  }
  if (tid == 0)
    value[blockIdx.y * gridDim.x + blockIdx.x] = sum[0];
}

__global__ void trace_mat_mat_trans_fixed(const float *a, const float *b, MatrixDim d, int b_stride, float *value) { // expect-clean
  typedef cub::BlockReduce<float, 32, cub::BLOCK_REDUCE_WARP_REDUCTIONS, 8> Reduce;
  __shared__ Reduce::TempStorage storage;
  int tid = threadIdx.y * blockDim.x + threadIdx.x, j = blockIdx.x * blockDim.x + threadIdx.x;
  float mine = 0;
  if (j < d.cols)
    for (int i = blockIdx.y * blockDim.y + threadIdx.y; i < d.rows; i += gridDim.y * blockDim.y)
      mine += a[i * d.stride + j] * b[i * b_stride + j];
  mine = Reduce(storage).Sum(mine);
  if (tid == 0)
    value[blockIdx.y * gridDim.x + blockIdx.x] = mine;
}

int main() {
  MatrixDim d = {1000, 600, 640};
  int b_stride = 608;
  float *a, *b, *value;
  cudaMalloc(&a, d.rows * d.stride * sizeof(float));
  cudaMalloc(&b, d.rows * b_stride * sizeof(float));
  dim3 block(32, 8), grid((d.cols + 31) / 32, 16);
  cudaMalloc(&value, grid.x * grid.y * sizeof(float));
  trace_mat_mat_trans<<<grid, block>>>(a, b, d, b_stride, value);
  trace_mat_mat_trans_fixed<<<grid, block>>>(a, b, d, b_stride, value);
}
