// Kernels that are right for the shape in which the host launches them. Each `_bad` twin is the same kernel in another
// shape.
//   reduce: the second launch works in place, which one block can do behind its barrier, and several cannot.
//   init_table: the threads of one block share the work; a second block does the same work again.
//   cross_sum: thread 0 of each block writes the one result.
//   tone_map: no guard; the grid covers the image exactly, or goes over the end of the rows.
//   convolve_rows: eight results for each thread; exact only if the width is a multiple of 128.
//   number: shapes in variables of the program; a function that runs before main changes the second.
//@ verdict number_ok: race-free
//@ verdict number_bad: racy
//@ verdict reduce_ok: race-free
//@ verdict reduce_bad: racy
//@ verdict init_table_ok: race-free
//@ verdict init_table_bad: racy
//@ verdict cross_sum_ok: race-free
//@ verdict cross_sum_bad: racy
//@ verdict tone_map_ok: race-free
//@ verdict tone_map_bad: racy
//@ verdict convolve_rows_ok: race-free
//@ verdict convolve_rows_bad: racy
#include <cassert>
#include <cstdlib>

__device__ void reduce(const float *in, float *out, int n) {
  __shared__ float part[256];
  int t = threadIdx.x, i = blockIdx.x * 256 + t;
  part[t] = i < n ? in[i] : 0; // expect-race {{missing=gridDim.x == 1}}
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (t < half) part[t] += part[t + half];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0]; // expect-race {{missing=gridDim.x == 1}}
}

__device__ void init_table(unsigned long long *table, int size) {
  for (int i = threadIdx.x; i < size; i += blockDim.x)
    table[i] = (unsigned long long)i + blockIdx.x; // expect-race {{missing=gridDim.x == 1}}
}

__device__ void cross_sum(const double *terms, double *result, int n) {
  __shared__ double part[128];
  double sum = 0;
  for (int i = threadIdx.x; i < n; i += 128)
    sum += terms[i] * (blockIdx.x + 1);
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 64; half > 0; half >>= 1) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) result[0] = part[0]; // expect-race {{missing=gridDim.x == 1}}
}

__device__ void tone_map(float *image, float key, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  for (int channel = 0; channel < 4; channel++)
    image[4 * (y * width + x) + channel] *= key; // expect-race {{missing=width == gridDim.x * blockDim.x weaker=gridDim.x * blockDim.x <= width}}
}

__device__ void convolve_rows(float *out, const float *in, int width, int height) {
  int x = blockIdx.x * 128 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
  for (int k = 0; k < 8; k++)
    out[y * width + x + k * 16] = in[y * width + x + k * 16] * 0.5f; // expect-race {{missing=width % 128 == 0}}
}

__global__ void reduce_ok(const float *in, float *out, int n) { // expect-clean
  reduce(in, out, n);
}
__global__ void reduce_bad(const float *in, float *out, int n) { reduce(in, out, n); }
__global__ void init_table_ok(unsigned long long *table, int size) { // expect-clean
  init_table(table, size);
}
__global__ void init_table_bad(unsigned long long *table, int size) { init_table(table, size); }
__global__ void cross_sum_ok(const double *terms, double *result, int n) { // expect-clean
  cross_sum(terms, result, n);
}
__global__ void cross_sum_bad(const double *terms, double *result, int n) { cross_sum(terms, result, n); }
__global__ void tone_map_ok(float *image, float key, int width) { // expect-clean
  tone_map(image, key, width);
}
__global__ void tone_map_bad(float *image, float key, int width) { tone_map(image, key, width); }
__global__ void convolve_rows_ok(float *out, const float *in, int width, int height) { // expect-clean
  convolve_rows(out, in, width, height);
}
__global__ void convolve_rows_bad(float *out, const float *in, int width, int height) {
  convolve_rows(out, in, width, height);
}

template <typename T> static T *allocate(size_t count) {
  T *pointer;
  if (cudaMalloc((void **)&pointer, count * sizeof(T)) != cudaSuccess) std::exit(1);
  return pointer;
}

static void sum_up(const float *d_in, int n) {
  int blocks = (n + 255) / 256;
  float *d_part = allocate<float>(blocks);
  reduce_ok<<<blocks, 256>>>(d_in, d_part, n);
  reduce_ok<<<1, 256>>>(d_part, d_part, blocks);
  reduce_bad<<<(blocks + 255) / 256, 256>>>(d_part, d_part, blocks);
  cudaFree(d_part);
}

static void fill_table(int log_size) {
  int size = 1 << log_size;
  unsigned long long *d_table = allocate<unsigned long long>(size);
  init_table_ok<<<1, 128>>>(d_table, size);
  init_table_bad<<<(size + 127) / 128, 128>>>(d_table, size);
}

static void distance(int n, int blocks) {
  double *d_terms = allocate<double>(n), *d_result = allocate<double>(1);
  cross_sum_ok<<<1, 128>>>(d_terms, d_result, n);
  cross_sum_bad<<<blocks, 128>>>(d_terms, d_result, n);
}

static void filter(int width, int height) {
  float *d_image = allocate<float>((size_t)width * height * 4), *d_out = allocate<float>((size_t)width * height);
  dim3 block(16, 4);
  if (width % 16 == 0 && height % 4 == 0) {
    dim3 grid(width / 16, height / 4);
    tone_map_ok<<<grid, block>>>(d_image, 0.18f, width);
  }
  tone_map_bad<<<dim3((width + 15) / 16, (height + 3) / 4), block>>>(d_image, 0.18f, width);
  convolve_rows_bad<<<dim3((width + 127) / 128, (height + 3) / 4), block>>>(d_out, d_image, width, height);
  assert(width % (8 * 16) == 0);
  assert(height % 4 == 0);
  convolve_rows_ok<<<dim3(width / (8 * 16), height / 4), block>>>(d_out, d_image, width, height);
}

__global__ void number_ok(int *out) { // expect-clean
  out[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x + threadIdx.y;
}
__global__ void number_bad(int *out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x + threadIdx.y; // expect-race
}
dim3 fixed(64, 1, 1), changed(64, 1, 1);
__attribute__((constructor)) static void change() { changed.y = std::rand() % 4 + 1; }

int main(int argc, char **argv) {
  int *numbers = allocate<int>(1 << 16);
  number_ok<<<16, fixed>>>(numbers);
  number_bad<<<16, changed>>>(numbers);
  if (argc != 4) return 2;
  int n = std::atoi(argv[1]);
  sum_up(allocate<float>(n), n);
  fill_table(std::atoi(argv[2]));
  distance(n, std::atoi(argv[3]));
  filter(std::atoi(argv[2]), std::atoi(argv[3]));
  return cudaDeviceSynchronize() != cudaSuccess;
}
