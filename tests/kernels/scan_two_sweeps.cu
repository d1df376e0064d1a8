// Blelloch's scan: up the tree, clear the root, down the tree. The barrier at the top of each round orders the rounds; left
// out on the way down, a round reads what the round before, the clearing of the root or the last round up still write.
// The left child of a node is the right child of a node below, so the read of a left child meets only writes of right ones.
//@ verdict scan_ok: race-free
//@ verdict scan_bad: racy
__global__ void scan_ok(int *data) { // expect-clean
  __shared__ int s[256];
  int t = threadIdx.x, base = blockIdx.x * 256, d = 1;
  s[2 * t] = data[base + 2 * t];
  s[2 * t + 1] = data[base + 2 * t + 1];
  for (int n = 128; n > 0; n >>= 1) {
    __syncthreads();
    if (t < n)
      s[d * (2 * t + 2) - 1] += s[d * (2 * t + 1) - 1];
    d *= 2;
  }
  if (t == 0)
    s[255] = 0;
  for (int n = 1; n < 256; n *= 2) {
    d >>= 1;
    __syncthreads();
    if (t < n) {
      int left = s[d * (2 * t + 1) - 1];
      s[d * (2 * t + 1) - 1] = s[d * (2 * t + 2) - 1];
      s[d * (2 * t + 2) - 1] += left;
    }
  }
  __syncthreads();
  data[base + 2 * t] = s[2 * t];
  data[base + 2 * t + 1] = s[2 * t + 1];
}

__global__ void scan_bad(int *data) {
  __shared__ int s[256];
  int t = threadIdx.x, base = blockIdx.x * 256, d = 1;
  s[2 * t] = data[base + 2 * t];
  s[2 * t + 1] = data[base + 2 * t + 1];
  for (int n = 128; n > 0; n >>= 1) {
    __syncthreads();
    if (t < n)
      s[d * (2 * t + 2) - 1] += s[d * (2 * t + 1) - 1]; // expect-race[right]
    d *= 2;
  }
  if (t == 0)
    s[255] = 0; // expect-race[right]
  for (int n = 1; n < 256; n *= 2) {
    d >>= 1;
    if (t < n) {
      int left = s[d * (2 * t + 1) - 1];               // expect-race[left]
      s[d * (2 * t + 1) - 1] = s[d * (2 * t + 2) - 1]; // expect-race[right]
      s[d * (2 * t + 2) - 1] += left;                  // expect-race[left] expect-race[right]
    }
  }
  __syncthreads();
  data[base + 2 * t] = s[2 * t];
  data[base + 2 * t + 1] = s[2 * t + 1];
}

int main() {
  int *data;
  cudaMalloc((void **)&data, 64 * 256 * sizeof(int));
  scan_ok<<<64, 128>>>(data);
  scan_bad<<<64, 128>>>(data);
  return 0;
}
