// Flags that calls of libraries, of the driver, or of code whose text is not seen have set: whatever may write to an array is a writer of
// its flags, so that none of these may be taken to be zero. One block stores and raises the flag, the other one waits for it.
// words: the driver fills the flag with words that are zero (ok), or one (bad). halves: likewise with halves of words that have only the
// upper byte set (bad). cleared: what a library leaves is set to zero behind it (ok), or before (bad). copied: thrust copies an array
// of zeros (ok), of ones (bad). sorted: keys that are sorted may be any. summed: a function that is in no file is given the flag before it
// is cleared (ok), or behind that (bad). queried: the runtime is asked about the pointer (ok); a library fills it with numbers by chance
// (bad). thread: another thread of the host launches a kernel that raises the flag (bad), or one that raises another one (ok).
// late: a copy that need not be over has set it to one (bad), or one in the launch's own stream to zero (ok).
// rounds: before a loop that clears the flag at the end of each round a library has set it (bad), or the driver to zero (ok).
//@ verdict words_ok: race-free
//@ leans words_ok: !A11
//@ verdict words_bad: racy
//@ verdict halves_ok: race-free
//@ leans halves_ok: !A11
//@ verdict halves_bad: racy
//@ verdict cleared_ok: race-free
//@ leans cleared_ok: !A11
//@ verdict cleared_bad: racy
//@ verdict copied_ok: race-free
//@ verdict copied_bad: racy
//@ verdict sorted_bad: racy
//@ verdict summed_ok: race-free
//@ leans summed_ok: !A11
//@ verdict summed_bad: racy
//@ verdict queried_ok: race-free
//@ verdict queried_bad: racy
//@ verdict thread_ok: race-free
//@ verdict thread_bad: racy
//@ verdict late_ok: race-free
//@ leans late_ok: !A11
//@ verdict late_bad: racy
//@ verdict rounds_ok: race-free
//@ leans rounds_ok: !A11
//@ verdict rounds_bad: racy
//@ verdict raise: race-free
#include <cublas_v2.h>
#include <cuda.h>
#include <cuda_runtime.h>
#include <curand.h>
#include <thread>
#include <thrust/copy.h>
#include <thrust/device_ptr.h>
#include <thrust/sort.h>

__device__ void pass_on(int *data, volatile int *flag, int *out) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    data[0] = 5; // expect-race[any]
    __threadfence();
    *flag = 77;
  } else if (blockIdx.x == 1) {
    while (*flag == 0) {
    }
    __threadfence();
    out[0] = data[0]; // expect-race[any]
  }
}

__global__ void words_ok(int *data, int *flag, int *out) { pass_on(data, flag, out); } // expect-clean
__global__ void words_bad(int *data, int *flag, int *out) { pass_on(data, flag, out); }
__global__ void halves_ok(int *data, int *flag, int *out) { pass_on(data, flag, out); } // expect-clean
__global__ void halves_bad(int *data, int *flag, int *out) { pass_on(data, flag, out); }
__global__ void cleared_ok(int *data, int *flag, int *out) { pass_on(data, flag, out); } // expect-clean
__global__ void cleared_bad(int *data, int *flag, int *out) { pass_on(data, flag, out); }
__global__ void copied_ok(int *data, int *flag, int *out) { pass_on(data, flag, out); } // expect-clean
__global__ void copied_bad(int *data, int *flag, int *out) { pass_on(data, flag, out); }
__global__ void sorted_bad(int *data, int *flag, int *out) { pass_on(data, flag, out); }
__global__ void summed_ok(int *data, int *flag, int *out) { pass_on(data, flag, out); } // expect-clean
__global__ void summed_bad(int *data, int *flag, int *out) { pass_on(data, flag, out); }
__global__ void queried_ok(int *data, int *flag, int *out) { pass_on(data, flag, out); } // expect-clean
__global__ void queried_bad(int *data, int *flag, int *out) { pass_on(data, flag, out); }
__global__ void thread_ok(int *data, int *flag, int *out) { pass_on(data, flag, out); } // expect-clean
__global__ void thread_bad(int *data, int *flag, int *out) { pass_on(data, flag, out); }
__global__ void late_ok(int *data, int *flag, int *out) { pass_on(data, flag, out); } // expect-clean
__global__ void late_bad(int *data, int *flag, int *out) { pass_on(data, flag, out); }
__global__ void rounds_ok(int *data, int *flag, int *out) { pass_on(data, flag, out); } // expect-clean
__global__ void rounds_bad(int *data, int *flag, int *out) { pass_on(data, flag, out); }
__global__ void raise(int *flag) { *flag = 1; } // expect-clean

extern "C" int sum_over_ranks(const void *from, void *to, size_t count);

int *cleared() {
  int *flag;
  cudaMalloc(&flag, 4);
  cudaMemset(flag, 0, 4);
  return flag;
}

void driver(int *data, int *out) {
  int *words[2] = {cleared(), cleared()}, *halves[2] = {cleared(), cleared()};
  cuMemsetD32((CUdeviceptr)words[0], 0, 1);
  words_ok<<<2, 32>>>(data, words[0], out);
  cuMemsetD32((CUdeviceptr)words[1], 1, 1);
  words_bad<<<2, 32>>>(data, words[1], out);
  cuMemsetD16((CUdeviceptr)halves[0], 0, 2);
  halves_ok<<<2, 32>>>(data, halves[0], out);
  cuMemsetD16((CUdeviceptr)halves[1], 256, 2);
  halves_bad<<<2, 32>>>(data, halves[1], out);
}

void libraries(int *data, int *out) {
  int *set[2] = {cleared(), cleared()}, *copied[2] = {cleared(), cleared()}, *sorted = cleared(), *ones, *zeros = cleared();
  cudaMalloc(&ones, 4);
  cudaMemset(ones, 1, 4);
  cublasHandle_t blas;
  cublasCreate(&blas);
  cublasScopy(blas, 1, (float *)ones, 1, (float *)set[0], 1);
  cudaMemset(set[0], 0, 4);
  cleared_ok<<<2, 32>>>(data, set[0], out);
  cublasScopy(blas, 1, (float *)ones, 1, (float *)set[1], 1);
  cleared_bad<<<2, 32>>>(data, set[1], out);
  thrust::device_ptr<int> one(ones), zero(zeros);
  thrust::copy(zero, zero + 1, thrust::device_ptr<int>(copied[0]));
  copied_ok<<<2, 32>>>(data, copied[0], out);
  thrust::copy(one, one + 1, thrust::device_ptr<int>(copied[1]));
  copied_bad<<<2, 32>>>(data, copied[1], out);
  cudaMemcpy(sorted, ones, 4, cudaMemcpyDeviceToDevice);
  thrust::sort(thrust::device_ptr<int>(sorted), thrust::device_ptr<int>(sorted) + 1);
  sorted_bad<<<2, 32>>>(data, sorted, out);
}

void unseen(int *data, int *out) {
  int *summed[2] = {cleared(), cleared()}, *ones;
  cudaMalloc(&ones, 4);
  sum_over_ranks(ones, summed[0], 1);
  cudaMemset(summed[0], 0, 4);
  summed_ok<<<2, 32>>>(data, summed[0], out);
  sum_over_ranks(ones, summed[1], 1);
  summed_bad<<<2, 32>>>(data, summed[1], out);
}

void asked(int *data, int *out) {
  int *queried[2] = {cleared(), cleared()};
  cudaPointerAttributes about;
  cudaPointerGetAttributes(&about, queried[0]);
  queried_ok<<<2, 32>>>(data, queried[0], out);
  curandGenerator_t numbers;
  curandCreateGenerator(&numbers, CURAND_RNG_PSEUDO_DEFAULT);
  curandGenerate(numbers, (unsigned *)queried[1], 1);
  queried_bad<<<2, 32>>>(data, queried[1], out);
}

void threads(int *data, int *out) {
  int *flag[2] = {cleared(), cleared()}, *mine = flag[1];
  thread_ok<<<2, 32>>>(data, flag[0], out);
  std::thread worker([mine] {
    raise<<<1, 1>>>(mine);
    cudaDeviceSynchronize();
  });
  worker.join();
  thread_bad<<<2, 32>>>(data, mine, out);
}

void streams(int *data, int *out) {
  int *late[2], zero = 0, one = 1;
  for (int i = 0; i < 2; i++)
    cudaMalloc(&late[i], 4);
  cudaStream_t first, second;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaMemcpyAsync(late[0], &zero, 4, cudaMemcpyHostToDevice, first);
  late_ok<<<2, 32, 0, first>>>(data, late[0], out);
  cudaMemcpyAsync(late[1], &one, 4, cudaMemcpyHostToDevice, first);
  late_bad<<<2, 32, 0, second>>>(data, late[1], out);
}

void loops(int *data, int *out, int count) {
  int *flag[2] = {cleared(), cleared()}, *ones;
  cudaMalloc(&ones, 4);
  cudaMemset(ones, 1, 4);
  cublasHandle_t blas;
  cublasCreate(&blas);
  cuMemsetD32((CUdeviceptr)flag[0], 0, 1);
  for (int i = 0; i < count; i++) {
    rounds_ok<<<2, 32>>>(data, flag[0], out);
    cudaMemset(flag[0], 0, 4);
  }
  cublasScopy(blas, 1, (float *)ones, 1, (float *)flag[1], 1);
  for (int i = 0; i < count; i++) {
    rounds_bad<<<2, 32>>>(data, flag[1], out);
    cudaMemset(flag[1], 0, 4);
  }
}

int main(int argc, char **argv) {
  int *data, *out;
  cudaMalloc(&data, 64);
  cudaMalloc(&out, 64);
  driver(data, out);
  libraries(data, out);
  asked(data, out);
  streams(data, out);
  loops(data, out, argc);
  threads(data, out);
  unseen(data, out);
  return cudaDeviceSynchronize();
}
