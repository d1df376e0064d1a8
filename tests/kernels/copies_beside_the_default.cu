// A stream that does not wait for the default one: what calls without a stream leave to the device counts behind a wait.
// filled: a fill before (bad), or waited for (ok). copied: a copy from device to device (bad), or waited for (ok); from the host, which goes on when it is over (ok). fetched: it does not wait for other streams (bad). rows: pointers that
// are copied to the device, all of them apart at the end: in the launch's own stream (ok), or in another one (bad: all rows may be the first one still).
//@ verdict filled_ok: race-free
//@ verdict filled_bad: racy
//@ verdict copied_ok: race-free
//@ verdict copied_bad: racy
//@ verdict from_host_ok: race-free
//@ verdict fetched_bad: racy
//@ verdict rows_ok: race-free
//@ verdict rows_bad: undecided
#include <cuda_runtime.h>

__global__ void filled_ok(int *a, const int *shift) { a[shift[threadIdx.x] + threadIdx.x] = threadIdx.x; } // expect-clean
__global__ void filled_bad(int *a, const int *shift) { a[shift[threadIdx.x] + threadIdx.x] = threadIdx.x; } // expect-race
__global__ void copied_ok(int *a, const int *to) { a[to[threadIdx.x]] = threadIdx.x; } // expect-clean
__global__ void copied_bad(int *a, const int *to) { a[to[threadIdx.x]] = threadIdx.x; } // expect-race
__global__ void from_host_ok(int *a, const int *to) { a[to[threadIdx.x]] = threadIdx.x; } // expect-clean
__global__ void fetched_bad(int *a, const int *to) { a[to[threadIdx.x]] = threadIdx.x; } // expect-race
__global__ void rows_ok(int **rows) { rows[blockIdx.x][threadIdx.x] = blockIdx.x; } // expect-clean
__global__ void rows_bad(int **rows) { rows[blockIdx.x][threadIdx.x] = blockIdx.x; }

int main() {
  int *a, *places, *identity;
  cudaStream_t s, t;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  cudaMalloc(&a, 4096);
  cudaMallocHost(&places, 1024);
  for (int i = 0; i < 256; i++)
    places[i] = i;
  cudaMalloc(&identity, 1024);
  cudaMemcpy(identity, places, 1024, cudaMemcpyHostToDevice);
  from_host_ok<<<1, 256, 0, s>>>(a, identity);

  int *shift, *shifts;
  cudaMalloc(&shift, 1024);
  cudaMemcpy(shift, places, 1024, cudaMemcpyHostToDevice);
  cudaMemset(shift, 0, 1024);
  cudaDeviceSynchronize();
  filled_ok<<<1, 256, 0, s>>>(a, shift);
  cudaMalloc(&shifts, 1024);
  cudaMemcpy(shifts, places, 1024, cudaMemcpyHostToDevice);
  cudaMemset(shifts, 0, 1024);
  filled_bad<<<1, 256, 0, s>>>(a, shifts);

  int *to, *late;
  cudaMalloc(&to, 1024);
  cudaMemcpy(to, identity, 1024, cudaMemcpyDeviceToDevice);
  cudaStreamSynchronize(0);
  copied_ok<<<1, 256, 0, s>>>(a, to);
  cudaMalloc(&late, 1024);
  cudaMemset(late, 0, 1024);
  cudaDeviceSynchronize();
  cudaMemcpy(late, identity, 1024, cudaMemcpyDeviceToDevice);
  copied_bad<<<1, 256, 0, s>>>(a, late);

  int *before, number = 0;
  cudaMalloc(&before, 1024);
  cudaMemset(before, 0, 1024);
  cudaDeviceSynchronize();
  cudaMemcpyAsync(before, places, 1024, cudaMemcpyHostToDevice, t);
  cudaMemcpy(&number, a, sizeof number, cudaMemcpyDeviceToHost);
  fetched_bad<<<1, 256, 0, s>>>(a, before);

  int *one, *two, **rows, **other;
  cudaMalloc(&one, 1024);
  cudaMalloc(&two, 1024);
  int *same[2] = {one, one}, *apart[2] = {one, two};
  cudaMalloc(&rows, sizeof apart);
  cudaMemcpy(rows, same, sizeof same, cudaMemcpyHostToDevice);
  cudaMemcpyAsync(rows, apart, sizeof apart, cudaMemcpyHostToDevice, s);
  rows_ok<<<2, 256, 0, s>>>(rows);
  cudaMalloc(&other, sizeof apart);
  cudaMemcpy(other, same, sizeof same, cudaMemcpyHostToDevice);
  cudaMemcpyAsync(other, apart, sizeof apart, cudaMemcpyHostToDevice, t);
  rows_bad<<<2, 256, 0, s>>>(other);
}
