// What a loop of the host, or a library's fill, puts into all words of an array of flags or counters is what they begin with: that is no word that
// nobody sets (A11). flag: filled with zeros (ok), with ones, so that nobody waits (bad). vector: of zeros (ok), of ones (bad), the last block's
// count. least: in managed memory, counters that begin at zero (ok), at five (bad), at which all but the turn's own pass. some: a value that
// hangs on whether the program has an argument (bad), which is zero either way (ok).
//@ verdict flag_ok: race-free
//@ verdict flag_bad: racy
//@ verdict vector_ok: race-free
//@ verdict vector_bad: racy
//@ verdict least_ok: race-free
//@ verdict least_bad: racy
//@ verdict some_ok: race-free
//@ verdict some_bad: racy
#include <cuda_runtime.h>
#include <vector>

__device__ void pass_on(int *flag, int *data, int *out) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    data[0] = 7; // expect-race[passed]
    __threadfence();
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    out[blockIdx.x] = data[0]; // expect-race[passed]
  }
}
__global__ void flag_ok(int *flag, int *data, int *out) { pass_on(flag, data, out); } // expect-clean
__global__ void flag_bad(int *flag, int *data, int *out) { pass_on(flag, data, out); }
__global__ void least_ok(int *flag, int *data, int *out) { pass_on(flag, data, out); } // expect-clean
__global__ void least_bad(int *flag, int *data, int *out) { pass_on(flag, data, out); }
__global__ void some_ok(int *flag, int *data, int *out) { pass_on(flag, data, out); } // expect-clean
__global__ void some_bad(int *flag, int *data, int *out) { pass_on(flag, data, out); }

__device__ void sum_up(unsigned *count, float *parts, float *out) {
  if (threadIdx.x) return;
  parts[blockIdx.x] = blockIdx.x; // expect-race[last]
  __threadfence();
  if (atomicAdd(count, 1) != gridDim.x - 1) return;
  __threadfence();
  float sum = 0;
  for (int i = 0; i < gridDim.x; i++)
    sum += parts[i]; // expect-race[last]
  out[0] = sum;
}
__global__ void vector_ok(unsigned *count, float *parts, float *out) { sum_up(count, parts, out); } // expect-clean
__global__ void vector_bad(unsigned *count, float *parts, float *out) { sum_up(count, parts, out); }

int *filled(int value) {
  int *flag, set[8];
  for (int i = 0; i < 8; i++)
    set[i] = value;
  cudaMalloc(&flag, sizeof set);
  cudaMemcpy(flag, set, sizeof set, cudaMemcpyHostToDevice);
  return flag;
}
unsigned *counters(unsigned value) {
  std::vector<unsigned> set(16, value);
  unsigned *count;
  cudaMalloc(&count, 16 * sizeof(unsigned));
  cudaMemcpy(count, set.data(), 16 * sizeof(unsigned), cudaMemcpyHostToDevice);
  return count;
}
int *shared_flag(int value) {
  int *flag;
  cudaMallocManaged(&flag, 8 * sizeof(int));
  for (int i = 0; i < 8; i++)
    flag[i] = value;
  return flag;
}

int main(int argc, char **) {
  int *data, *out;
  float *parts, *sum;
  cudaMalloc(&data, sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMalloc(&parts, 64 * sizeof(float));
  cudaMalloc(&sum, sizeof(float));
  flag_ok<<<8, 32>>>(filled(0), data, out);
  flag_bad<<<8, 32>>>(filled(1), data, out);
  vector_ok<<<16, 32>>>(counters(0), parts, sum);
  vector_bad<<<16, 32>>>(counters(1), parts, sum);
  least_ok<<<8, 32>>>(shared_flag(0), data, out);
  least_bad<<<8, 32>>>(shared_flag(5), data, out);
  some_ok<<<8, 32>>>(filled(argc > 1 ? 0 : 0), data, out);
  some_bad<<<8, 32>>>(filled(argc > 1 ? 0 : 3), data, out);
  cudaDeviceSynchronize();
}
