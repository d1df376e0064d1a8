// How many blocks make up a cluster: as the kernel says, as an attribute of the launch says, or one; and not known where that
// is not read.
#include <cstdlib>

constexpr int deep = 4;
__cluster_dims__(2, 1, 1) __global__ void fixed(int *a) { a[blockIdx.x] = 1; }
template <int N> __global__ void __cluster_dims__(N, deep) sized(int *a) { a[blockIdx.x] = 1; }
__block_size__((32, 1, 1), (2, 1, 1)) __global__ void other(int *a) { a[blockIdx.x] = 1; }
__cluster_dims__(3) __global__ void unlaunched(int *a) { a[0] = 1; }
__global__ void plain(int *a) { a[blockIdx.x] = 1; }
__global__ void both(int *a) { a[blockIdx.x] = 1; }
__global__ void of_n(int *a) { a[blockIdx.x] = 1; }
__global__ void without(int *a) { a[blockIdx.x] = 1; }
__global__ void unread(int *a) { a[blockIdx.x] = 1; }
__global__ void preferred(int *a) { a[blockIdx.x] = 1; }
__global__ void counted(int *a) { a[blockIdx.x] = 1; }

int main(int, char **argv) {
  int n = atoi(argv[1]), *a;
  cudaMalloc(&a, 4096);
  fixed<<<n, 64>>>(a);
  sized<3><<<dim3(6, 8), 64>>>(a);
  other<<<2, 64>>>(a);
  plain<<<2, 64>>>(a);
  fixed<<<7, 64>>>(a);

  cudaLaunchAttribute attribute[2];
  attribute[0].id = cudaLaunchAttributeClusterDimension;
  attribute[0].val.clusterDim.x = 8;
  attribute[0].val.clusterDim.y = 1;
  attribute[0].val.clusterDim.z = 1;
  attribute[1].id = cudaLaunchAttributeCooperative;
  attribute[1].val.cooperative = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(n);
  config.blockDim = dim3(64);
  config.attrs = attribute;
  config.numAttrs = 2;
  cudaLaunchKernelEx(&config, both, a);
  config.numAttrs = 1;
  attribute[0].val.clusterDim.x = n / 8;
  cudaLaunchKernelEx(&config, of_n, a);
  config.numAttrs = 0;
  cudaLaunchKernelEx(&config, without, a);
  config.numAttrs = 2;
  attribute[1].id = (cudaLaunchAttributeID)atoi(argv[2]);
  cudaLaunchKernelEx(&config, unread, a);
  attribute[1].id = (cudaLaunchAttributeID)11; // a size that is preferred, but need not be
  cudaLaunchKernelEx(&config, preferred, a);
  config.numAttrs = n;
  cudaLaunchKernelEx(&config, counted, a);
  return 0;
}

//@ launch: fixed<<<n, 64>>>
//@ has: cluster (2, 1, 1)
//@ has: [launch] gridDim.x is a multiple of the cluster's 2
//@ launch: sized<3><<<dim3(6, 8), 64>>>
//@ has: cluster (3, 4, 1)
//@ lacks: multiple
//@ launch: other<<<
//@ has: cluster unknown
//@ launch: plain<<<
//@ lacks: cluster
//@ launch: fixed<<<7
//@ has: [launch] gridDim.x is a multiple of the cluster's 2
//@ launch: both<<<
//@ has: cluster (8, 1, 1)
//@ has: cooperative
//@ launch: of_n<<<
//@ has: cluster (n / 8, 1, 1)
//@ has: [launch] a cluster has at most 16 blocks
//@ lacks: cooperative
//@ launch: without<<<
//@ lacks: cluster
//@ launch: unread<<<
//@ has: cluster unknown
//@ launch: preferred<<<
//@ has: cluster unknown
//@ launch: counted<<<
//@ has: cluster unknown
//@ launch: unlaunched<<<gridDim.x
//@ has: cluster (3, 1, 1)
