// Bitonic sort of one block in shared memory: in each step the lower one of two partners t and t ^ j orders both, so no
// element belongs to two threads. Without the barrier a step begins while partners are still in the one before.
//@ verdict sort_ok: race-free
//@ verdict sort_bad: racy
__global__ void sort_ok(int *data) { // expect-clean
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = data[blockIdx.x * 256 + t];
  __syncthreads();
  for (int k = 2; k <= 256; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      int p = t ^ j;
      if (p > t) {
        int a = s[t], b = s[p];
        bool is_up = (t & k) == 0;
        if ((a > b) == is_up) {
          s[t] = b;
          s[p] = a;
        }
      }
      __syncthreads();
    }
  data[blockIdx.x * 256 + t] = s[t];
}

__global__ void sort_bad(int *data) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = data[blockIdx.x * 256 + t];
  __syncthreads();
  for (int k = 2; k <= 256; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      int p = t ^ j;
      if (p > t) {
        int a = s[t], b = s[p]; // expect-race
        bool is_up = (t & k) == 0;
        if ((a > b) == is_up) {
          s[t] = b; // expect-race
          s[p] = a; // expect-race
        }
      }
    }
  data[blockIdx.x * 256 + t] = s[t]; // expect-race
}

int main() {
  int *data;
  cudaMalloc((void **)&data, 64 * 256 * sizeof(int));
  sort_ok<<<64, 256>>>(data);
  sort_bad<<<64, 256>>>(data);
  return 0;
}
