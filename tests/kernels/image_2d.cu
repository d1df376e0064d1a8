// A picture of width x height in two dimensions. ok: guards on both sides. stride_bad: rows taken to be `height` long, so
// rows overlap where width > height. guard_bad: no guard for the column, the end of a row runs into the next one.
//@ verdict invert_ok: race-free
//@ verdict stride_bad: racy
//@ verdict guard_bad: racy
__global__ void invert_ok(unsigned char *p, int width, int height) { // expect-clean
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    p[y * width + x] = 255 - p[y * width + x];
}

__global__ void stride_bad(unsigned char *p, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    p[y * height + x] = 255 - p[y * width + x]; // expect-race
}

__global__ void guard_bad(unsigned char *p, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y < height)
    p[y * width + x] = 255 - p[y * width + x]; // expect-race
}

int main(int argc, char **argv) {
  int width = argc, height = argv[0][0];
  unsigned char *p;
  cudaMalloc((void **)&p, width * height);
  dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
  invert_ok<<<grid, block>>>(p, width, height);
  stride_bad<<<grid, block>>>(p, width, height);
  guard_bad<<<grid, block>>>(p, width, height);
  return 0;
}
