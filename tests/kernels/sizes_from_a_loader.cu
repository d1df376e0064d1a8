// A loader looks for a file in many places, reads its head in a loop, and fails in many ways: where it succeeds, the stride
// is the width, rounded up, of whichever call was the last (ok); rounded down it is not (bad).
//@ verdict rows_ok: race-free
//@ verdict rows_bad: racy
//   One way out leaves the stride of the call before, and says that all is well.
//@ verdict early_bad: racy
#include <cstdio>
#include <cstdlib>

__global__ void rows_ok(float *out, int width, int height, int stride) { // expect-clean
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[y * stride + x] = x + 0.5f * y;
}
__global__ void rows_bad(float *out, int width, int height, int stride) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[y * stride + x] = x + 0.5f * y; // expect-race
}
__global__ void early_bad(float *out, int width, int height, int stride) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[y * stride + x] = x + 0.5f * y; // expect-race
}

static int up(int n) { return n % 32 == 0 ? n : n + 32 - n % 32; }
static int down(int n) { return n - n % 32; }

static FILE *find(const char *name) {
  FILE *file = fopen(name, "rb");
  char text[64];
  for (int i = 0; !file && i < 9; i++) {
    sprintf(text, "data%d/%s", i, name);
    if (text[0] == 'd' && i != 4) file = fopen(text, "rb");
    else if (i == 4 || text[1] == name[0]) file = fopen(text + i, "rb");
  }
  return file;
}

static bool read(const char *name, unsigned *w, unsigned *h) {
  char text[64];
  FILE *file = find(name);
  if (!file) return false;
  if (!fgets(text, 64, file)) return false;
  if (text[0] != 'P' || (text[1] != '5' && text[1] != '6')) return false;
  unsigned width = 0, height = 0, most = 0, got = 0;
  while (got < 3) {
    if (!fgets(text, 64, file)) return false;
    if (text[0] == '#') continue;
    if (got == 0) got += sscanf(text, "%u %u %u", &width, &height, &most);
    else if (got == 1) got += sscanf(text, "%u %u", &height, &most);
    else got += sscanf(text, "%u", &most);
  }
  *w = width;
  *h = height;
  fclose(file);
  return true;
}

enum Kind { UP, DOWN, EARLY };

template <Kind kind>
static bool load(const char *name, int &width, int &height, int &stride) {
  unsigned w = 0, h = 0;
  if (!read(name, &w, &h)) return false;
  width = w;
  height = h;
  if (kind == EARLY && w % 7 == 3) return true;
  stride = kind == DOWN ? down(width) : up(width);
  return true;
}

template <Kind kind>
static void run(char **argv, void (*rows)(float *, int, int, int)) {
  int width, height, stride;
  if (!load<kind>(argv[1], width, height, stride)) exit(1);
  if (!load<kind>(argv[2], width, height, stride)) exit(1);
  float *out;
  cudaMalloc(&out, stride * height * sizeof(float));
  dim3 block(32, 8), grid((width + 31) / 32, (height + 7) / 8);
  rows<<<grid, block>>>(out, width, height, stride);
}

int main(int, char **argv) {
  run<UP>(argv, rows_ok);
  run<DOWN>(argv, rows_bad);
  run<EARLY>(argv, early_bad);
}
