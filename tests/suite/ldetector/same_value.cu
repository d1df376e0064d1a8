// Same-value writes: LDetector compares values and takes writes of one value for no race; here they are notes.
// flag: all threads that find something set one word to 1. size: all threads of a block write the block's size. range: lanes write the number of their
// warp into the warp's word. Broken: the flag is the thread's number; the size is that of what is left for the thread; the number
// is the lane's. Then values differ: any two threads; threads of a block (each block has a word); lanes of a warp.
//@ pairs: exact
//@ verdict flag: race-free
//@ verdict flag_broken: racy
//@ verdict size: race-free
//@ verdict size_broken: racy
//@ verdict range: race-free
//@ verdict range_broken: racy
__global__ void flag(const int *in, int *found) {
  if (in[blockIdx.x * blockDim.x + threadIdx.x] < 0)
    found[0] = 1; // expect-same-value[s]
}

__global__ void flag_broken(const int *in, int *found) {
  if (in[blockIdx.x * blockDim.x + threadIdx.x] < 0)
    found[0] = threadIdx.x + blockIdx.x * blockDim.x; // expect-race[ww](every)
}

__global__ void size(int *sizes, int n) {
  sizes[blockIdx.x] = min(n - (int)(blockIdx.x * blockDim.x), (int)blockDim.x); // expect-same-value[s]
}

__global__ void size_broken(int *sizes, int n) {
  sizes[blockIdx.x] = n - (int)(blockIdx.x * blockDim.x + threadIdx.x); // expect-race[ww](intra-block,intra-warp)
}

__global__ void range(int *warps) {
  int i = blockIdx.x * 256 + threadIdx.x;
  warps[i / 32] = i / 32; // expect-same-value[s]
}

__global__ void range_broken(int *warps) {
  int i = blockIdx.x * 256 + threadIdx.x;
  warps[i / 32] = i % 32; // expect-race[ww](intra-warp)
}

int main(int argc, char **) {
  int *a, *b;
  cudaMalloc((void **)&a, 256 * argc * sizeof(int));
  cudaMalloc((void **)&b, 256 * argc * sizeof(int));
  flag<<<argc, 256>>>(a, b);
  flag_broken<<<argc, 256>>>(a, b);
  size<<<argc, 256>>>(a, 200 * argc);
  size_broken<<<argc, 256>>>(a, 200 * argc);
  range<<<argc, 256>>>(a);
  range_broken<<<argc, 256>>>(a);
  return 0;
}
