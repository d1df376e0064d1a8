// Index arrays that calls change which are not given the array, or not as a pointer. All threads of a `_bad` kernel may meet.
//   captured: what is captured into a graph runs when the graph is launched, or never; the good one is in the default stream,
//     which cannot be captured.
//   replayed: a graph is launched behind the kernel that fills the array.
//   capturing: the reader itself is captured, and the array changes before it runs.
//   cube: cudaMemcpy3D, cudaMemset3D: a struct says where to.
//   driver: cuMemsetD32 is given the address as a number; the good one's is that of another array.
//   sparse: a descriptor has the pointer.
//@ verdict captured_ok: race-free
//@ verdict captured_bad: racy
//@ known-undecided captured_bad: what the device has made of the array is not followed
//@ verdict replayed_bad: racy
//@ verdict capturing_bad: racy
//@ known-undecided capturing_bad: what the device has made of the array is not followed
//@ verdict cube_bad: racy
//@ known-undecided cube_bad: what the device has made of the array is not followed
//@ verdict filled_cube_bad: racy
//@ known-undecided filled_cube_bad: what the device has made of the array is not followed
//@ verdict driver_ok: race-free
//@ verdict driver_bad: racy
//@ verdict sparse_bad: racy
//@ known-undecided sparse_bad: what the device has made of the array is not followed
//@ verdict count_up: race-free
//@ verdict clear: race-free
//@ verdict clear_some_ok: race-free
//@ verdict clear_some_bad: racy
#include <cstdlib>
#include <cuda.h>
#include <cuda_runtime.h>
#include <cusparse.h>

__global__ void count_up(int *place, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) place[i] = i;
}
__global__ void clear(int *place, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) place[i] = 0;
}
// Fills of a length that is not constant, by one thread, and by two with different bytes.
__global__ void clear_some_ok(int *place, int bytes) { // expect-clean
  if (blockIdx.x * blockDim.x + threadIdx.x < 1) memset(place, 0, bytes);
}
__global__ void clear_some_bad(int *place, int bytes) {
  if (blockIdx.x * blockDim.x + threadIdx.x < 2) memset(place, threadIdx.x, bytes); // expect-race
}

__device__ void scatter(const int *place, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[place[i]] = i; // expect-race
}
__global__ void captured_ok(const int *place, int *out, int n) { scatter(place, out, n); } // expect-clean
__global__ void captured_bad(const int *place, int *out, int n) { scatter(place, out, n); }
__global__ void replayed_bad(const int *place, int *out, int n) { scatter(place, out, n); }
__global__ void capturing_bad(const int *place, int *out, int n) { scatter(place, out, n); }
__global__ void cube_bad(const int *place, int *out, int n) { scatter(place, out, n); }
__global__ void filled_cube_bad(const int *place, int *out, int n) { scatter(place, out, n); }
__global__ void driver_ok(const int *place, int *out, int n) { scatter(place, out, n); } // expect-clean
__global__ void driver_bad(const int *place, int *out, int n) { scatter(place, out, n); }
__global__ void sparse_bad(const int *place, int *out, int n) { scatter(place, out, n); }

static int *counted(int n) {
  int *place = nullptr;
  cudaMalloc((void **)&place, n * sizeof(int));
  count_up<<<(n + 255) / 256, 256>>>(place, n);
  return place;
}

static void capture(int n, int *out) {
  int blocks = (n + 255) / 256, *zeros = (int *)calloc(n, sizeof(int));
  int *never = counted(n), *later = counted(n), *changed = counted(n), *plain = counted(n);
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamCreate(&stream);
  clear<<<blocks, 256>>>(never, n);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  count_up<<<blocks, 256, 0, stream>>>(never, n);
  clear<<<blocks, 256, 0, stream>>>(later, n);
  capturing_bad<<<blocks, 256, 0, stream>>>(changed, out, n);
  cudaStreamEndCapture(stream, &graph);
  captured_bad<<<blocks, 256>>>(never, out, n);
  captured_ok<<<blocks, 256>>>(plain, out, n);
  cudaMemcpy(changed, zeros, n * sizeof(int), cudaMemcpyHostToDevice);
  count_up<<<blocks, 256>>>(later, n);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  replayed_bad<<<blocks, 256>>>(later, out, n);
}

int main(int argc, char **argv) {
  if (argc < 2) return 1;
  int n = atoi(argv[1]), blocks = (n + 255) / 256, zeros[4] = {}, *out = nullptr;
  cudaMalloc((void **)&out, n * sizeof(int));
  clear_some_ok<<<blocks, 256>>>(out, n);
  clear_some_bad<<<blocks, 256>>>(out, n);
  capture(n, out);

  int *place = counted(n);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(zeros, 16, 16, 1);
  copy.dstPtr = make_cudaPitchedPtr(place, 16, 16, 1);
  copy.extent = make_cudaExtent(16, 1, 1);
  copy.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&copy);
  cube_bad<<<blocks, 256>>>(place, out, n);
  place = counted(n);
  cudaMemset3D(make_cudaPitchedPtr(place, 16, 16, 1), 0, make_cudaExtent(16, 1, 1));
  filled_cube_bad<<<blocks, 256>>>(place, out, n);

  place = counted(n);
  cuMemsetD32((CUdeviceptr)out, 0, n);
  driver_ok<<<blocks, 256>>>(place, out, n);
  cuMemsetD32((CUdeviceptr)place, 0, n);
  driver_bad<<<blocks, 256>>>(place, out, n);

  place = counted(n);
  cusparseHandle_t sparse;
  cusparseSpMatDescr_t matrix;
  cusparseCreate(&sparse);
  cusparseCreateCsr(&matrix, n, n, n, out, out, place, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                    CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  count_up<<<blocks, 256>>>(place, n);
  cusparseSpGEMM_copy(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, 0, matrix, matrix, 0,
                      matrix, CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT, 0);
  sparse_bad<<<blocks, 256>>>(place, out, n);
  return 0;
}
