// Blelloch's scan: up the tree, clear the root, down the tree. The barrier at the top of each round orders the rounds; left
// out on the way down, a round reads what the round before, the clearing of the root or the last round up still write.
// The left child of a node is the right child of a node below, so the read of a left child meets only writes of right ones.
//@ verdict scan_ok: race-free
//@ verdict scan_bad: racy
// padded: the length is a parameter, the offset is what the first loop leaves, and every 32nd place is skipped; in the twin not by
// the left children. distance: one variable goes up and down again, and ranks are sums over all before; the twin lacks the barrier.
//@ verdict padded_ok: race-free
//@ verdict padded_bad: racy
//@ verdict distance_ok: race-free
//@ verdict distance_bad: racy
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

__global__ void padded_ok(int *data, int n) { // expect-clean
  extern __shared__ int room[];
  int t = threadIdx.x, offset = 1, low = t, high = t + n / 2;
  room[low + (low >> 5)] = data[low];
  room[high + (high >> 5)] = data[high];
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) {
      int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
      room[b + (b >> 5)] += room[a + (a >> 5)];
    }
    offset *= 2;
  }
  if (t == 0)
    room[n - 1 + ((n - 1) >> 5)] = 0;
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
      b += b >> 5;
      a += a >> 5;
      int left = room[a];
      room[a] = room[b];
      room[b] += left;
    }
  }
  __syncthreads();
  data[low] = room[low + (low >> 5)];
  data[high] = room[high + (high >> 5)];
}

__global__ void padded_bad(int *data, int n) {
  extern __shared__ int room[];
  int t = threadIdx.x, offset = 1, low = t, high = t + n / 2;
  room[low + (low >> 5)] = data[low];
  room[high + (high >> 5)] = data[high];
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) {
      int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
      room[b + (b >> 5)] += room[a + (a >> 5)];
    }
    offset *= 2;
  }
  if (t == 0)
    room[n - 1 + ((n - 1) >> 5)] = 0;
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
      b += b >> 5;
      int left = room[a]; // expect-race[low]
      room[a] = room[b]; // expect-race[high]
      room[b] += left; // expect-race[low] expect-race[high]
    }
  }
  __syncthreads();
  data[low] = room[low + (low >> 5)];
  data[high] = room[high + (high >> 5)];
}

__global__ void distance_ok(int *data) { // expect-clean
  __shared__ int s[256];
  int t = threadIdx.x, d;
  s[2 * t] = data[2 * t];
  s[2 * t + 1] = data[2 * t + 1];
  for (d = 1; d < 256; d <<= 1) {
    __syncthreads();
    int i = (t + 1) * d * 2 - 1;
    if (i < 256)
      s[i] += s[i - d];
  }
  for (d >>= 2; d > 0; d >>= 1) {
    __syncthreads();
    int i = (t + 1) * d * 2 - 1;
    if (i + d < 256)
      s[i + d] += s[i];
  }
  __syncthreads();
  data[2 * t] = s[2 * t];
  data[2 * t + 1] = s[2 * t + 1];
}

__global__ void distance_bad(int *data) {
  __shared__ int s[256];
  int t = threadIdx.x, d;
  s[2 * t] = data[2 * t];
  s[2 * t + 1] = data[2 * t + 1];
  for (d = 1; d < 256; d <<= 1) {
    __syncthreads();
    int i = (t + 1) * d * 2 - 1;
    if (i < 256)
      s[i] += s[i - d];
  }
  for (d >>= 2; d > 0; d >>= 1) {
    int i = (t + 1) * d * 2 - 1;
    if (i + d < 256)
      s[i + d] += s[i]; // expect-race
  }
  __syncthreads();
  data[2 * t] = s[2 * t];
  data[2 * t + 1] = s[2 * t + 1];
}

int main() {
  int *data;
  cudaMalloc((void **)&data, 64 * 256 * sizeof(int));
  scan_ok<<<64, 128>>>(data);
  scan_bad<<<64, 128>>>(data);
  padded_ok<<<1, 128, (256 + 8) * sizeof(int)>>>(data, 256);
  padded_bad<<<1, 128, (256 + 8) * sizeof(int)>>>(data, 256);
  distance_ok<<<1, 128>>>(data);
  distance_bad<<<1, 128>>>(data);
  return 0;
}
