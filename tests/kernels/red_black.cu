// Gauss and Seidel on a chess board: cells of one colour change, their neighbours have the other colour (ok). Without the
// question for the colour, neighbours change at the same time (bad).
//@ verdict sweep_ok: race-free
//@ verdict sweep_bad: racy
__global__ void sweep_ok(float *a, int width, int height, int color) { // expect-clean
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < width - 1 && y < height - 1 && (x + y) % 2 == color) {
    float *c = a + y * width + x;
    *c = 0.25f * (c[-1] + c[1] + c[-width] + c[width]);
  }
}

__global__ void sweep_bad(float *a, int width, int height, int color) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < width - 1 && y < height - 1) {
    float *c = a + y * width + x;
    *c = 0.25f * (c[-1] + c[1] + c[-width] + c[width]); // expect-race
  }
}

int main(int argc, char **argv) {
  int width = argc, height = argv[0][0];
  float *a;
  cudaMalloc((void **)&a, width * height * sizeof(float));
  dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
  for (int color = 0; color < 2; color++) {
    sweep_ok<<<grid, block>>>(a, width, height, color);
    sweep_bad<<<grid, block>>>(a, width, height, color);
  }
  return 0;
}
