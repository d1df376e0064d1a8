// Variables of the device: a counter raised by an atomic operation (ok) or by ++ (bad); constants are only read; two
// different arrays do not meet.
//@ verdict count_ok: race-free
//@ verdict count_bad: racy
__device__ int counter;
__device__ float table[1024];
__constant__ float factor[2];

__global__ void count_ok(const float *a) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  table[i] = a[i] * factor[0];
  if (a[i] > factor[1])
    atomicAdd(&counter, 1);
}

__global__ void count_bad(const float *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  table[i] = a[i] * factor[0];
  if (a[i] > factor[1])
    counter++; // expect-race
}

int main() {
  float *a;
  cudaMalloc((void **)&a, 1024 * sizeof(float));
  count_ok<<<8, 128>>>(a);
  count_bad<<<8, 128>>>(a);
  return 0;
}
