// LDetector's b+tree: the threads of a block compare one key with the keys of a node, and whoever finds the range that it falls in writes the child
// into one word of the block. If keys of the node are equal or unsorted, several threads find one [ww]; which is up
// to the contents of the tree. Twin: the word is written with atomicMax.
//@ pairs: exact
//@ verdict b_tree: racy
//@ verdict b_tree_fixed: race-free
__global__ void b_tree(const int *keys, const int *children, const int *wanted, int *node, int *next, int height) {
  int t = threadIdx.x, b = blockIdx.x;
  for (int level = 0; level < height; level++) {
    int here = node[b] * 257;
    if (keys[here + t] <= wanted[b] && keys[here + t + 1] > wanted[b])
      next[b] = children[here + t]; // expect-race[ww](intra-block,intra-warp)
    __syncthreads();
    if (t == 0)
      node[b] = next[b];
    __syncthreads();
  }
}

__global__ void b_tree_fixed(const int *keys, const int *children, const int *wanted, int *node, int *next, int height) { // expect-clean
  int t = threadIdx.x, b = blockIdx.x;
  for (int level = 0; level < height; level++) {
    int here = node[b] * 257;
    if (keys[here + t] <= wanted[b] && keys[here + t + 1] > wanted[b])
      atomicMax(&next[b], children[here + t]);
    __syncthreads();
    if (t == 0)
      node[b] = next[b];
    __syncthreads();
  }
}

int main(int argc, char **) {
  int *keys, *children, *wanted, *node, *next;
  cudaMalloc((void **)&keys, 257 * 1000 * sizeof(int));
  cudaMalloc((void **)&children, 257 * 1000 * sizeof(int));
  cudaMalloc((void **)&wanted, 6000 * sizeof(int));
  cudaMalloc((void **)&node, 6000 * sizeof(int));
  cudaMalloc((void **)&next, 6000 * sizeof(int));
  b_tree<<<6000, 256>>>(keys, children, wanted, node, next, argc);
  b_tree_fixed<<<6000, 256>>>(keys, children, wanted, node, next, argc);
  return 0;
}
