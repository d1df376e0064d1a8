// A stencil of radius 3 with its part of the array and a halo on both sides in shared memory. Without the barrier a thread
// reads what others have not loaded yet, over the borders of warps as well as inside them.
//@ verdict smooth_ok: race-free
//@ verdict smooth_bad: racy
const int radius = 3, width = 128;

__global__ void smooth_ok(const float *in, float *out, int n) { // expect-clean
  __shared__ float s[width + 2 * radius];
  int t = threadIdx.x, i = blockIdx.x * width + t;
  s[t + radius] = i < n ? in[i] : 0;
  if (t < radius) {
    s[t] = i >= radius ? in[i - radius] : 0;
    s[t + width + radius] = i + width < n ? in[i + width] : 0;
  }
  __syncthreads();
  float sum = 0;
  for (int k = -radius; k <= radius; k++)
    sum += s[t + radius + k];
  if (i < n)
    out[i] = sum;
}

__global__ void smooth_bad(const float *in, float *out, int n) {
  __shared__ float s[width + 2 * radius];
  int t = threadIdx.x, i = blockIdx.x * width + t;
  s[t + radius] = i < n ? in[i] : 0; // expect-race {{-Wintra-block-race}} expect-race {{-Wintra-warp-race}}
  if (t < radius) {
    s[t] = i >= radius ? in[i - radius] : 0;                   // expect-race {{-Wintra-warp-race}}
    s[t + width + radius] = i + width < n ? in[i + width] : 0; // expect-race {{-Wintra-block-race}}
  }
  float sum = 0;
  for (int k = -radius; k <= radius; k++)
    sum += s[t + radius + k]; // expect-race {{-Wintra-block-race}} expect-race {{-Wintra-warp-race}}
  if (i < n)
    out[i] = sum;
}

int main(int argc, char **) {
  int n = argc;
  float *in, *out;
  cudaMalloc((void **)&in, n * sizeof(float));
  cudaMalloc((void **)&out, n * sizeof(float));
  smooth_ok<<<(n + width - 1) / width, width>>>(in, out, n);
  smooth_bad<<<(n + width - 1) / width, width>>>(in, out, n);
  return 0;
}
