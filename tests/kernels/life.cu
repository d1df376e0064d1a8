// Conway's game on a board that wraps around at its borders: read one board, write another (ok), or the same (bad).
//@ verdict life_ok: race-free
//@ verdict life_bad: racy
__device__ int neighbours(const char *board, int x, int y, int width, int height) {
  int sum = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      if (dx != 0 || dy != 0)
        sum += board[(y + dy + height) % height * width + (x + dx + width) % width]; // expect-race
  return sum;
}

__global__ void life_ok(const char *from, char *to, int width, int height) { // expect-clean
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    int k = neighbours(from, x, y, width, height);
    to[y * width + x] = k == 3 || (k == 2 && from[y * width + x]);
  }
}

__global__ void life_bad(char *board, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    int k = neighbours(board, x, y, width, height);
    board[y * width + x] = k == 3 || (k == 2 && board[y * width + x]); // expect-race
  }
}

int main(int argc, char **argv) {
  int width = argc, height = argv[0][0];
  if (width < 2 || height < 2)
    return 1;
  char *a, *b;
  cudaMalloc((void **)&a, width * height);
  cudaMalloc((void **)&b, width * height);
  dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
  for (int k = 0; k < 10; k++) {
    life_ok<<<grid, block>>>(a, b, width, height);
    life_ok<<<grid, block>>>(b, a, width, height);
  }
  life_bad<<<grid, block>>>(a, width, height);
  return 0;
}
