// Two buffers change their roles from launch to launch: never the same on both sides of one launch (ok). In step_bad the
// second launch of a round was given the same buffer twice, and neighbours overwrite what is still to be read.
// chosen: buffers from an array, picked by c and 1 - c (ok), by c and c (bad). One helper allocates all of them.
//@ verdict step_ok: race-free
//@ verdict step_bad: racy
//@ verdict chosen_ok: race-free
//@ verdict chosen_bad: racy
#include <utility>

__global__ void step_ok(const float *in, float *out, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    out[i] = 0.5f * (in[i - 1] + in[i + 1]);
}

__global__ void step_bad(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    out[i] = 0.5f * (in[i - 1] + in[i + 1]); // expect-race {{-Winter-block-race}} expect-race {{-Wintra}}
}

__global__ void chosen_ok(const float *in, float *out, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    out[i] = 0.5f * (in[i - 1] + in[i + 1]);
}

__global__ void chosen_bad(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    out[i] = 0.5f * (in[i - 1] + in[i + 1]); // expect-race
}

float *device_array(int n) {
  float *p;
  cudaMalloc((void **)&p, n * sizeof(float));
  return p;
}

int main(int argc, char **) {
  int n = argc, blocks = (n + 255) / 256;
  float *a = device_array(n), *b = device_array(n);
  for (int t = 0; t < 100; t++) {
    step_ok<<<blocks, 256>>>(a, b, n);
    std::swap(a, b);
  }
  for (int t = 0; t < 100; t += 2) {
    step_bad<<<blocks, 256>>>(a, b, n);
    step_bad<<<blocks, 256>>>(b, b, n);
  }
  float *d[2];
  for (int i = 0; i < 2; i++)
    d[i] = device_array(n);
  int c = 0;
  for (int t = 0; t < 100; t++) {
    chosen_ok<<<blocks, 256>>>(d[c], d[1 - c], n);
    chosen_bad<<<blocks, 256>>>(d[c], d[c], n);
    c = 1 - c;
  }
  return 0;
}
