// Asynchronous copy. NVIDIA/TransformerEngine #2921, commit 5d947a037: a kernel that quantises a tile hands it from shared memory to a
// bulk store, and then uses that memory for the partial sums of the bias, while the store may still be reading.
// A thread's sum overwrites bytes that the copy, issued by thread 0, has not yet read [store]. Fixed: thread 0 waits until the copies
// have read their sources, and a barrier, before the sums. The tile itself is written, fenced for the copy's proxy and published before
// the copy is issued.
//@ pairs: exact
//@ args: --arch=sm_90
//@ verdict quantize: racy
//@ verdict quantize_fixed: race-free
#include <cuda/ptx>
#include <cstdlib>
namespace ptx = cuda::ptx;

__global__ void quantize(const float *in, int *out, float *bias, float scale) {
  __shared__ alignas(128) int tile[128];
  int t = threadIdx.x;
  float v = in[blockIdx.x * 128 + t];
  tile[t] = v * scale;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (t == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + blockIdx.x * 128, tile, 512); // expect-race[store](intra-block,intra-warp)
    ptx::cp_async_bulk_commit_group();
  }
  float *sums = (float *)tile;
  sums[t] = v; // expect-race[store](intra-block,intra-warp)
  __syncthreads();
  if (t < 16) {
    float sum = 0;
    for (int i = t; i < 128; i += 16)
      sum += sums[i];
    bias[blockIdx.x * 16 + t] = sum;
  }
  if (t == 0)
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}

__global__ void quantize_fixed(const float *in, int *out, float *bias, float scale) { // expect-clean
  __shared__ alignas(128) int tile[128];
  int t = threadIdx.x;
  float v = in[blockIdx.x * 128 + t];
  tile[t] = v * scale;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (t == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + blockIdx.x * 128, tile, 512);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
  __syncthreads();
  float *sums = (float *)tile;
  sums[t] = v;
  __syncthreads();
  if (t < 16) {
    float sum = 0;
    for (int i = t; i < 128; i += 16)
      sum += sums[i];
    bias[blockIdx.x * 16 + t] = sum;
  }
  if (t == 0)
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}

int main(int argc, char **argv) {
  int blocks = atoi(argv[1]), *out;
  float *in, *bias;
  cudaMalloc(&in, blocks * 128 * sizeof(float));
  cudaMalloc(&out, blocks * 128 * sizeof(int));
  cudaMalloc(&bias, blocks * 16 * sizeof(float));
  quantize<<<blocks, 128>>>(in, out, bias, 16);
  quantize_fixed<<<blocks, 128>>>(in, out, bias, 16);
}
