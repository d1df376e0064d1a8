// A size of clusters that a call sets is not read: only what the kernel itself says is known then.
__cluster_dims__(2, 1, 1) __global__ void fixed(int *a) { a[blockIdx.x] = 1; }
__global__ void plain(int *a) { a[blockIdx.x] = 1; }

int main() {
  int *a;
  cudaMalloc(&a, 4096);
  cudaFuncSetAttribute(plain, cudaFuncAttributeRequiredClusterWidth, 2);
  fixed<<<2, 64>>>(a);
  plain<<<2, 64>>>(a);
  return 0;
}

//@ launch: fixed<<<
//@ has: cluster (2, 1, 1)
//@ launch: plain<<<
//@ has: cluster unknown
