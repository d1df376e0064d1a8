// Each thread keeps the best few candidates of a search in a list of its own in shared memory, in order: a new one is put in by moving the
// smaller ones up, or, once the list is full, down. The ways that lead there are long (a window that is cut off at the borders of an image, a
// sum over columns); what keeps a thread in its own list is little of them. best_ok: each its own KEEP places. more: a list of one place more than
// there is room for [more]. columns: sums of columns that the lanes of a warp hand over through shared memory without __syncwarp() [columns].
//@ verdict best_ok: race-free
//@ verdict more_bad: racy
//@ verdict columns_bad: racy

enum { LANES = 32, KEEP = 15, SIDE = 8, REACH = 19, WARPS = 4, WIDTH = (LANES - 1) * 3 + SIDE };

__device__ void put_in(unsigned *list, int k, unsigned value) {
  while (k > 0 && value > list[k - 1]) { // expect-race[more]
    list[k] = list[k - 1];               // expect-race[more]
    --k;
  }
  list[k] = value; // expect-race[more]
}
__device__ void keep(unsigned *list, unsigned char *count, unsigned value) {
  unsigned char n = *count;
  if (n < KEEP) {
    put_in(list, n, value);
    *count = n + 1;
  } else if (value < list[0]) {
    int k = 1;
    while (k < KEEP && value < list[k]) {
      list[k - 1] = list[k];
      k++;
    }
    list[k - 1] = value;
  }
}

template <bool hands_over>
__device__ void search(const unsigned char *image, unsigned *found, unsigned width, unsigned height, unsigned limit) {
  extern __shared__ unsigned data[];
  unsigned *sums = data, *lists = sums + WARPS * WIDTH;
  unsigned char *counts = (unsigned char *)(lists + WARPS * LANES * KEEP);
  int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
  unsigned *sum = sums + warp * WIDTH, start = blockIdx.x * LANES * 3, inner = lane * 3;
  counts[threadIdx.x] = 0;
  int x = start + inner, y = blockIdx.y * 3;
  if (y >= (int)height && y < (int)height + 2)
    y = height - 1;
  else if (y >= (int)height)
    return;
  if (x >= (int)width && x < (int)width + 2) {
    inner -= x - (width - 1);
    x = width - 1;
  }
  __syncthreads();
  int top = y - REACH < 0 ? -y : -REACH, left = ((int)start - REACH < 0 ? -(int)start : -REACH) + warp;
  for (int dy = top; dy <= REACH; ++dy) {
    if (y + dy >= (int)height)
      break;
    for (int dx = left; dx <= REACH; dx += WARPS) {
      if (dx == 0 && dy == 0)
        continue;
      unsigned from = start + dx, difference = 0;
      if (hands_over) {
        for (unsigned i = lane; i < WIDTH && start + i < width && from + i < width; i += LANES) {
          unsigned column = 0;
          for (unsigned r = 0; r < SIDE; ++r)
            column += abs(image[y * width + start + i + r] - image[(y + dy) * width + from + i + r]);
          sum[i] = column; // expect-race[columns]
        }
        if (x >= (int)width || from + inner >= width)
          continue;
        for (unsigned i = 0; i < SIDE; ++i)
          difference += sum[inner + i]; // expect-race[columns]
      } else {
        if (x >= (int)width || from + inner >= width)
          continue;
        for (unsigned i = 0; i < SIDE; ++i)
          difference += abs(image[y * width + x + i] - image[(y + dy) * width + from + inner + i]);
      }
      if (difference < limit)
        keep(lists + KEEP * threadIdx.x, counts + threadIdx.x, difference << 16 | (dy & 255) << 8 | (dx & 255));
    }
  }
  for (int k = 0; k < KEEP; k++)
    found[((blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x) * KEEP + k] = lists[KEEP * threadIdx.x + k];
}
__global__ void best_ok(const unsigned char *image, unsigned *found, unsigned width, unsigned height, unsigned limit) { // expect-clean
  search<false>(image, found, width, height, limit);
}
__global__ void more_bad(const unsigned char *image, unsigned *found, unsigned width, unsigned height, unsigned limit) {
  __shared__ unsigned lists[WARPS * LANES * KEEP];
  int count = 0;
  for (unsigned i = threadIdx.x; i < width * height && count <= KEEP; i += blockDim.x)
    if (image[i] < limit)
      put_in(lists + KEEP * threadIdx.x, count++, image[i]);
  for (int k = 0; k < KEEP; k++)
    found[(blockIdx.x * blockDim.x + threadIdx.x) * KEEP + k] = lists[KEEP * threadIdx.x + k]; // expect-race[more]
}
__global__ void columns_bad(const unsigned char *image, unsigned *found, unsigned width, unsigned height, unsigned limit) {
  search<true>(image, found, width, height, limit);
}

int main(int argc, char **argv) {
  unsigned width = argc * 100, height = argc * 80, *found;
  unsigned char *image;
  dim3 grid((width + 95) / 96, (height + 2) / 3);
  cudaMalloc(&image, width * height);
  cudaMalloc(&found, grid.x * grid.y * WARPS * LANES * KEEP * sizeof(unsigned));
  size_t bytes = (WARPS * WIDTH + WARPS * LANES * KEEP) * sizeof(unsigned) + WARPS * LANES;
  best_ok<<<grid, WARPS * LANES, bytes>>>(image, found, width, height, 4000);
  more_bad<<<1, WARPS * LANES>>>(image, found, width, height, 4000);
  columns_bad<<<grid, WARPS * LANES, bytes>>>(image, found, width, height, 4000);
}
