// One stage of a fast transform for each launch: thread t owns the pair of elements `half` apart in its group of 2 * half
// (ok). Groups that are only `half` apart overlap by half (bad). The host doubles `half` from launch to launch.
//@ verdict stage_ok: race-free
//@ verdict stage_bad: racy
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

int main(int argc, char **) {
  int pairs = argc;
  float *a;
  cudaMalloc((void **)&a, 2 * pairs * sizeof(float));
  for (int half = 1; half <= pairs; half *= 2) {
    stage_ok<<<(pairs + 127) / 128, 128>>>(a, half, pairs);
    stage_bad<<<(pairs + 127) / 128, 128>>>(a, half, pairs);
  }
  return 0;
}
