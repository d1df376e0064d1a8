// A five-point stencil in two dimensions with two buffers that change places (ok), or in one buffer (bad).
//@ verdict step_ok: race-free
//@ verdict step_bad: racy
__global__ void step_ok(const float *in, float *out, int width, int height) { // expect-clean
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < width - 1 && y < height - 1) {
    int i = y * width + x;
    out[i] = 0.25f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
  }
}

__global__ void step_bad(const float *in, float *out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < width - 1 && y < height - 1) {
    int i = y * width + x;
    out[i] = 0.25f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
    // expect-race@-1 {{-Winter-block-race}} expect-race@-1 {{-Wintra-block-race}} expect-race@-1 {{-Wintra-warp-race}}
  }
}

void solve(float *a, float *b, int width, int height, int steps) {
  dim3 block(32, 8), grid((width + 31) / 32, (height + 7) / 8);
  for (int k = 0; k < steps; k++) {
    step_ok<<<grid, block>>>(a, b, width, height);
    float *keep = a;
    a = b;
    b = keep;
  }
  step_bad<<<grid, block>>>(a, a, width, height);
}

int main(int argc, char **argv) {
  int width = argc, height = argv[0][0];
  float *a, *b;
  cudaMalloc((void **)&a, width * height * sizeof(float));
  cudaMalloc((void **)&b, width * height * sizeof(float));
  solve(a, b, width, height, argv[0][1]);
  return 0;
}
