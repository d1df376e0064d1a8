// One stage of a fast transform for each launch: thread t owns the pair of elements `half` apart in its group of 2 * half
// (ok). Groups that are only `half` apart overlap by half (bad). The host doubles `half` from launch to launch.
//@ verdict stage_ok: race-free
//@ verdict stage_bad: racy
// reversal: elements change places first, each to the place whose number has the bits of its own in the opposite order; with a bit
// too few (bad) two go to one place.
//@ verdict reversal_ok: race-free
//@ verdict reversal_bad: racy
__global__ void stage_ok(float *a, int half, int pairs) { // expect-clean
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < pairs) {
    int first = t / half * 2 * half + t % half;
    float u = a[first], v = a[first + half];
    a[first] = u + v;
    a[first + half] = u - v;
  }
}

__global__ void stage_bad(float *a, int half, int pairs) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < pairs) {
    int first = t / half * half + t % half;
    float u = a[first], v = a[first + half]; // expect-race
    a[first] = u + v;                        // expect-race
    a[first + half] = u - v;                 // expect-race
  }
}

__global__ void reversal_ok(float *a) { // expect-clean
  __shared__ float s[256];
  int t = threadIdx.x;
  s[__brev(t) >> 24] = a[t];
  __syncthreads();
  a[t] = s[t];
}

__global__ void reversal_bad(float *a) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[__brev(t) >> 25] = a[t]; // expect-race
  __syncthreads();
  a[t] = s[t];
}

int main(int argc, char **) {
  int pairs = argc;
  float *a;
  cudaMalloc((void **)&a, 2 * pairs * sizeof(float));
  for (int half = 1; half <= pairs; half *= 2) {
    stage_ok<<<(pairs + 127) / 128, 128>>>(a, half, pairs);
    stage_bad<<<(pairs + 127) / 128, 128>>>(a, half, pairs);
  }
  reversal_ok<<<1, 256>>>(a);
  reversal_bad<<<1, 256>>>(a);
  return 0;
}
