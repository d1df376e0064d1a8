// Sizes of copies and fills that are in use are not negative, and rows in use are no longer than their pitch. In the
// twins the size, or the width of the rows, is another number.
//@ verdict by_value_ok: race-free
//@ verdict by_value_bad: racy
//@ verdict elements_ok<of_from_symbol>: race-free
//@ verdict elements_bad<of_from_symbol>: racy
//@ verdict elements_ok<of_to_symbol>: race-free
//@ verdict elements_bad<of_to_symbol>: racy
//@ verdict elements_ok<of_to_symbol_async>: race-free
//@ verdict elements_bad<of_to_symbol_async>: racy
//@ verdict elements_ok<of_behind_symbol>: race-free
//@ verdict elements_bad<of_behind_symbol>: racy
//@ verdict elements_ok<of_peer>: race-free
//@ verdict elements_bad<of_peer>: racy
//@ verdict elements_ok<of_filled_async>: race-free
//@ verdict elements_bad<of_filled_async>: racy
//@ verdict elements_ok<of_box_filled>: race-free
//@ verdict elements_bad<of_box_filled>: racy
//@ verdict elements_ok<of_box_filled_async>: race-free
//@ verdict elements_bad<of_box_filled_async>: racy
//@ verdict elements_ok<of_box_copied>: race-free
//@ verdict elements_bad<of_box_copied>: racy
//@ verdict elements_ok<of_counted>: race-free
//@ verdict elements_bad<of_counted>: racy
//@ verdict elements_ok<of_host_copied>: race-free
//@ verdict elements_bad<of_host_copied>: racy
//@ verdict elements_ok<of_host_filled>: race-free
//@ verdict elements_bad<of_host_filled>: racy
//@ verdict elements_ok<of_registered>: race-free
//@ verdict elements_bad<of_registered>: racy
//@ verdict rows_ok<rows_copied>: race-free
//@ verdict rows_bad<rows_copied>: racy
//@ verdict rows_ok<rows_copied_back>: race-free
//@ verdict rows_bad<rows_copied_back>: racy
//@ verdict rows_ok<rows_copied_async>: race-free
//@ verdict rows_bad<rows_copied_async>: racy
//@ verdict rows_ok<rows_filled>: race-free
//@ verdict rows_bad<rows_filled>: racy
//@ verdict rows_ok<rows_filled_async>: race-free
//@ verdict rows_bad<rows_filled_async>: racy
//@ verdict rows_ok<rows_image>: race-free
//@ verdict rows_bad<rows_image>: racy
#include <cstdlib>
#include <cstring>

extern void use(int *p);
__device__ int table[1024];
static cudaPitchedPtr box;
static cudaArray_t image;

template <class T> __global__ void elements_ok(int *a, int n) { // expect-clean
  a[threadIdx.x * n] = threadIdx.x;
}
template <class T> __global__ void elements_bad(int *a, int n) {
  a[threadIdx.x * n] = threadIdx.x; // expect-race
}
template <class T> __global__ void rows_ok(int *a, int pitch, int w) { // expect-clean
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < w) a[blockIdx.y * pitch + x] = blockIdx.y;
}
template <class T> __global__ void rows_bad(int *a, int pitch, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < w) a[blockIdx.y * pitch + x] = blockIdx.y; // expect-race
}

static void copy_box(int *h, cudaPitchedPtr to, int n) {
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(h, 64, 64, 8);
  copy.dstPtr = to;
  copy.extent = make_cudaExtent(16, n, 4);
  copy.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&copy);
}

struct of_from_symbol;
void run_from_symbol(int *a, int *h, int n) {
  cudaMemcpyFromSymbol(h, table, n * sizeof(int));
  elements_ok<of_from_symbol><<<1, 32>>>(a, n + 1);
}
void run_from_symbol_bad(int *a, int *h, int n, int m) {
  cudaMemcpyFromSymbol(h, table, m * sizeof(int));
  elements_bad<of_from_symbol><<<1, 32>>>(a, n + 1);
}
struct of_to_symbol;
void run_to_symbol(int *a, int *h, int n) {
  cudaMemcpyToSymbol(table, h, n * sizeof(int));
  elements_ok<of_to_symbol><<<1, 32>>>(a, n + 1);
}
void run_to_symbol_bad(int *a, int *h, int n, int m) {
  cudaMemcpyToSymbol(table, h, m * sizeof(int));
  elements_bad<of_to_symbol><<<1, 32>>>(a, n + 1);
}
struct of_to_symbol_async;
void run_to_symbol_async(int *a, int *h, int n) {
  cudaMemcpyToSymbolAsync(table, h, n * sizeof(int), 0, cudaMemcpyHostToDevice, 0);
  elements_ok<of_to_symbol_async><<<1, 32>>>(a, n + 1);
}
void run_to_symbol_async_bad(int *a, int *h, int n, int m) {
  cudaMemcpyToSymbolAsync(table, h, m * sizeof(int), 0, cudaMemcpyHostToDevice, 0);
  elements_bad<of_to_symbol_async><<<1, 32>>>(a, n + 1);
}
struct of_behind_symbol;
void run_behind_symbol(int *a, int *h, int n) {
  cudaMemcpyToSymbol(table, h, sizeof(int), n * sizeof(int));
  elements_ok<of_behind_symbol><<<1, 32>>>(a, n + 1);
}
void run_behind_symbol_bad(int *a, int *h, int n, int m) {
  cudaMemcpyToSymbol(table, h, sizeof(int), m * sizeof(int));
  elements_bad<of_behind_symbol><<<1, 32>>>(a, n + 1);
}
struct of_peer;
void run_peer(int *a, int *h, int n) {
  cudaMemcpyPeer(a, 0, h, 1, n * sizeof(int));
  elements_ok<of_peer><<<1, 32>>>(a, n + 1);
}
void run_peer_bad(int *a, int *h, int n, int m) {
  cudaMemcpyPeer(a, 0, h, 1, m * sizeof(int));
  elements_bad<of_peer><<<1, 32>>>(a, n + 1);
}
struct of_filled_async;
void run_filled_async(int *a, int *h, int n) {
  cudaMemsetAsync(a, 0, n * sizeof(int), 0);
  elements_ok<of_filled_async><<<1, 32>>>(a, n + 1);
}
void run_filled_async_bad(int *a, int *h, int n, int m) {
  cudaMemsetAsync(a, 0, m * sizeof(int), 0);
  elements_bad<of_filled_async><<<1, 32>>>(a, n + 1);
}
struct of_box_filled;
void run_box_filled(int *a, int *h, int n) {
  cudaMemset3D(box, 0, make_cudaExtent(8, n, 3));
  elements_ok<of_box_filled><<<1, 32>>>(a, n + 1);
}
void run_box_filled_bad(int *a, int *h, int n, int m) {
  cudaMemset3D(box, 0, make_cudaExtent(8, m, 3));
  elements_bad<of_box_filled><<<1, 32>>>(a, n + 1);
}
struct of_box_filled_async;
void run_box_filled_async(int *a, int *h, int n) {
  cudaMemset3DAsync(box, 0, make_cudaExtent(8, 8, n), 0);
  elements_ok<of_box_filled_async><<<1, 32>>>(a, n + 1);
}
void run_box_filled_async_bad(int *a, int *h, int n, int m) {
  cudaMemset3DAsync(box, 0, make_cudaExtent(8, 8, m), 0);
  elements_bad<of_box_filled_async><<<1, 32>>>(a, n + 1);
}
struct of_box_copied;
void run_box_copied(int *a, int *h, int n) {
  copy_box(h, box, n);
  elements_ok<of_box_copied><<<1, 32>>>(a, n + 1);
}
void run_box_copied_bad(int *a, int *h, int n, int m) {
  copy_box(h, box, m);
  elements_bad<of_box_copied><<<1, 32>>>(a, n + 1);
}
struct of_counted;
void run_counted(int *a, int *h, int n) {
  use((int *)calloc(n, 8));
  elements_ok<of_counted><<<1, 32>>>(a, n + 1);
}
void run_counted_bad(int *a, int *h, int n, int m) {
  use((int *)calloc(m, 8));
  elements_bad<of_counted><<<1, 32>>>(a, n + 1);
}
struct of_host_copied;
void run_host_copied(int *a, int *h, int n) {
  memcpy(h, a, n * sizeof(int));
  elements_ok<of_host_copied><<<1, 32>>>(a, n + 1);
}
void run_host_copied_bad(int *a, int *h, int n, int m) {
  memcpy(h, a, m * sizeof(int));
  elements_bad<of_host_copied><<<1, 32>>>(a, n + 1);
}
struct of_host_filled;
void run_host_filled(int *a, int *h, int n) {
  memset(h, 0, n * sizeof(int));
  elements_ok<of_host_filled><<<1, 32>>>(a, n + 1);
}
void run_host_filled_bad(int *a, int *h, int n, int m) {
  memset(h, 0, m * sizeof(int));
  elements_bad<of_host_filled><<<1, 32>>>(a, n + 1);
}
struct of_registered;
void run_registered(int *a, int *h, int n) {
  cudaHostRegister(h, n * sizeof(int), 0);
  elements_ok<of_registered><<<1, 32>>>(a, n + 1);
}
void run_registered_bad(int *a, int *h, int n, int m) {
  cudaHostRegister(h, m * sizeof(int), 0);
  elements_bad<of_registered><<<1, 32>>>(a, n + 1);
}
struct rows_copied;
void run_rows_copied(int *a, int *h, int p, int w, int r) {
  cudaMemcpy2D(a, p * sizeof(int), h, w * sizeof(int), w * sizeof(int), r, cudaMemcpyHostToDevice);
  rows_ok<rows_copied><<<dim3((w + 31) / 32, r), 32>>>(a, p, w);
}
void run_rows_copied_bad(int *a, int *h, int p, int w, int r) {
  cudaMemcpy2D(a, p * sizeof(int), h, w * sizeof(int), (w / 2) * sizeof(int), r, cudaMemcpyHostToDevice);
  rows_bad<rows_copied><<<dim3((w + 31) / 32, r), 32>>>(a, p, w);
}
struct rows_copied_back;
void run_rows_copied_back(int *a, int *h, int p, int w, int r) {
  cudaMemcpy2D(h, 4096, a, p * sizeof(int), w * sizeof(int), r, cudaMemcpyDeviceToHost);
  rows_ok<rows_copied_back><<<dim3((w + 31) / 32, r), 32>>>(a, p, w);
}
void run_rows_copied_back_bad(int *a, int *h, int p, int w, int r) {
  cudaMemcpy2D(h, 4096, a, p * sizeof(int), (w / 2) * sizeof(int), r, cudaMemcpyDeviceToHost);
  rows_bad<rows_copied_back><<<dim3((w + 31) / 32, r), 32>>>(a, p, w);
}
struct rows_copied_async;
void run_rows_copied_async(int *a, int *h, int p, int w, int r) {
  cudaMemcpy2DAsync(a, p * sizeof(int), h, w * sizeof(int), w * sizeof(int), r, cudaMemcpyHostToDevice, 0);
  rows_ok<rows_copied_async><<<dim3((w + 31) / 32, r), 32>>>(a, p, w);
}
void run_rows_copied_async_bad(int *a, int *h, int p, int w, int r) {
  cudaMemcpy2DAsync(a, p * sizeof(int), h, w * sizeof(int), (w / 2) * sizeof(int), r, cudaMemcpyHostToDevice, 0);
  rows_bad<rows_copied_async><<<dim3((w + 31) / 32, r), 32>>>(a, p, w);
}
struct rows_filled;
void run_rows_filled(int *a, int *h, int p, int w, int r) {
  cudaMemset2D(a, p * sizeof(int), 0, w * sizeof(int), r);
  rows_ok<rows_filled><<<dim3((w + 31) / 32, r), 32>>>(a, p, w);
}
void run_rows_filled_bad(int *a, int *h, int p, int w, int r) {
  cudaMemset2D(a, p * sizeof(int), 0, (w / 2) * sizeof(int), r);
  rows_bad<rows_filled><<<dim3((w + 31) / 32, r), 32>>>(a, p, w);
}
struct rows_filled_async;
void run_rows_filled_async(int *a, int *h, int p, int w, int r) {
  cudaMemset2DAsync(a, p * sizeof(int), 0, w * sizeof(int), r, 0);
  rows_ok<rows_filled_async><<<dim3((w + 31) / 32, r), 32>>>(a, p, w);
}
void run_rows_filled_async_bad(int *a, int *h, int p, int w, int r) {
  cudaMemset2DAsync(a, p * sizeof(int), 0, (w / 2) * sizeof(int), r, 0);
  rows_bad<rows_filled_async><<<dim3((w + 31) / 32, r), 32>>>(a, p, w);
}
struct rows_image;
void run_rows_image(int *a, int *h, int p, int w, int r) {
  cudaMemcpy2DToArray(image, 0, 0, a, p * sizeof(int), w * sizeof(int), r, cudaMemcpyDeviceToDevice);
  rows_ok<rows_image><<<dim3((w + 31) / 32, r), 32>>>(a, p, w);
}
void run_rows_image_bad(int *a, int *h, int p, int w, int r) {
  cudaMemcpy2DToArray(image, 0, 0, a, p * sizeof(int), (w / 2) * sizeof(int), r, cudaMemcpyDeviceToDevice);
  rows_bad<rows_image><<<dim3((w + 31) / 32, r), 32>>>(a, p, w);
}

// Two numbers in one register: what is said of one says nothing of the other, and does not contradict it.
struct Range {
  int low, high;
  bool is_valid() const { return low >= 32 && high > low; }
};
__global__ void by_value_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void by_value_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}
void run_by_value(int *a, Range range) {
  if (!range.is_valid()) return;
  by_value_ok<<<1, 33>>>(a, range.high);
  by_value_bad<<<1, 33>>>(a, range.low);
}
