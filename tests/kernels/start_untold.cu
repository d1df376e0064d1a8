// Flags that host code in view has set, to what is not said: none of them may be taken to be zero. One block stores and raises the
// flag, the other one waits for it.
// part: the host sets all bytes of the flag anew (ok), or only one of four (bad).
// given: it copies a zero into the flag (ok), or what somebody types in (bad).
// file: it copies an array that a file has filled, and clears the flag behind that (ok), or before (bad).
// rows: it clears the flag behind a fill by rows (ok), or before (bad).
// number: of two words that are copied the flag is the one that is zero (ok), the one that is the number of arguments (bad).
// perhaps: where there are many arguments the flag is set to zero once more (ok), to what it waits for (bad).
// filled: it copies an array that a loop has filled with zeros (ok), with ones, with ascending numbers (bad).
// rounds: before a loop, and at the end of each of its rounds, the host clears the flag (ok), or of each other round (bad).
// again: behind an earlier launch the host clears so many words (ok), or so many bytes (bad), a number that is not known.
//@ verdict part_ok: race-free
//@ leans part_ok: !A11
//@ verdict part_bad: racy
//@ verdict given_ok: race-free
//@ leans given_ok: !A11
//@ verdict given_bad: racy
//@ verdict file_ok: race-free
//@ leans file_ok: !A11
//@ verdict file_bad: racy
//@ verdict rows_ok: race-free
//@ leans rows_ok: !A11
//@ verdict rows_bad: racy
//@ verdict number_ok: race-free
//@ leans number_ok: !A11
//@ verdict number_bad: racy
//@ verdict perhaps_ok: race-free
//@ leans perhaps_ok: !A11
//@ verdict perhaps_bad: racy
//@ verdict filled_ok: race-free
//@ verdict filled_bad: racy
//@ verdict counted_bad: racy
//@ verdict rounds_ok: race-free
//@ leans rounds_ok: !A11 !A15
//@ verdict rounds_bad: racy
//@ verdict again_ok: race-free
//@ verdict again_bad: racy
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

__device__ void pass_on(int *data, volatile int *flag, int *out) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    data[0] = 5; // expect-race[any]
    __threadfence();
    *flag = 1;
  } else if (blockIdx.x == 1) {
    while (*flag == 0) {
    }
    __threadfence();
    out[0] = data[0]; // expect-race[any]
  }
}

__global__ void again_ok(int *data, int *flag, int *out) { pass_on(data, flag, out); } // expect-clean
__global__ void again_bad(int *data, int *flag, int *out) { pass_on(data, flag, out); }
__global__ void part_ok(int *data, int *flag, int *out) { pass_on(data, flag, out); } // expect-clean
__global__ void part_bad(int *data, int *flag, int *out) { pass_on(data, flag, out); }
__global__ void given_ok(int *data, int *flag, int *out) { pass_on(data, flag, out); } // expect-clean
__global__ void given_bad(int *data, int *flag, int *out) { pass_on(data, flag, out); }
__global__ void file_ok(int *data, int *flag, int *out) { pass_on(data, flag, out); } // expect-clean
__global__ void file_bad(int *data, int *flag, int *out) { pass_on(data, flag, out); }
__global__ void rows_ok(int *data, int *flag, int *out) { pass_on(data, flag, out); } // expect-clean
__global__ void rows_bad(int *data, int *flag, int *out) { pass_on(data, flag, out); }
__global__ void number_ok(int *data, int *flag, int *out) { pass_on(data, flag, out); } // expect-clean
__global__ void number_bad(int *data, int *flag, int *out) { pass_on(data, flag, out); }
__global__ void perhaps_ok(int *data, int *flag, int *out) { pass_on(data, flag, out); } // expect-clean
__global__ void perhaps_bad(int *data, int *flag, int *out) { pass_on(data, flag, out); }
__global__ void filled_ok(int *data, int *flag, int *out) { pass_on(data, flag, out); } // expect-clean
__global__ void filled_bad(int *data, int *flag, int *out) { pass_on(data, flag, out); }
__global__ void counted_bad(int *data, int *flag, int *out) { pass_on(data, flag, out); }
__global__ void rounds_ok(int *data, int *flag, int *out) { pass_on(data, flag, out); } // expect-clean
__global__ void rounds_bad(int *data, int *flag, int *out) { pass_on(data, flag, out); }

int *flags() {
  int *flags;
  cudaMalloc(&flags, 64);
  return flags;
}

void once(int *data, int *out) {
  int zero = 0, typed = 0;
  int *part[2] = {flags(), flags()}, *given[2] = {flags(), flags()}, *file[2] = {flags(), flags()};
  cudaMemset(part[0], -1, 64);
  cudaMemset(part[0], 0, sizeof(int));
  part_ok<<<2, 32>>>(data, part[0], out);
  cudaMemset(part[1], -1, 64);
  cudaMemset(part[1], 0, 1);
  part_bad<<<2, 32>>>(data, part[1], out);
  cudaMemcpy(given[0], &zero, sizeof zero, cudaMemcpyHostToDevice);
  given_ok<<<2, 32>>>(data, given[0], out);
  if (scanf("%d", &typed) != 1) return;
  cudaMemcpy(given[1], &typed, sizeof typed, cudaMemcpyHostToDevice);
  given_bad<<<2, 32>>>(data, given[1], out);
  int *read = (int *)malloc(64);
  if (fread(read, sizeof(int), 16, stdin) != 16) return;
  cudaMemcpy(file[0], read, 64, cudaMemcpyHostToDevice);
  cudaMemset(file[0], 0, 64);
  file_ok<<<2, 32>>>(data, file[0], out);
  cudaMemset(file[1], 0, 64);
  cudaMemcpy(file[1], read, 64, cudaMemcpyHostToDevice);
  file_bad<<<2, 32>>>(data, file[1], out);
}

void more(int *data, int *out, int arguments) {
  int *rows[2] = {flags(), flags()}, *number = flags(), *perhaps[2] = {flags(), flags()};
  cudaMemset2D(rows[0], 16, 1, 4, 2);
  cudaMemset(rows[0], 0, 64);
  rows_ok<<<2, 32>>>(data, rows[0], out);
  cudaMemset(rows[1], 0, 64);
  cudaMemset2D(rows[1], 16, 1, 4, 2);
  rows_bad<<<2, 32>>>(data, rows[1], out);
  int words[2] = {arguments, 0};
  cudaMemcpy(number, words, sizeof words, cudaMemcpyHostToDevice);
  number_ok<<<2, 32>>>(data, number + 1, out);
  cudaMemcpy(number, words, sizeof words, cudaMemcpyHostToDevice);
  number_bad<<<2, 32>>>(data, number, out);
  cudaMemset(perhaps[0], 0, 64);
  if (arguments > 3) cudaMemset(perhaps[0], 0, 4);
  perhaps_ok<<<2, 32>>>(data, perhaps[0], out);
  cudaMemset(perhaps[1], 0, 64);
  if (arguments > 3) cudaMemset(perhaps[1], 1, 4);
  perhaps_bad<<<2, 32>>>(data, perhaps[1], out);
}

void rounds(int *data, int *out, int count) {
  int *flag[2] = {flags(), flags()};
  cudaMemset(flag[0], 0, 64);
  for (int i = 0; i < count; i++) {
    rounds_ok<<<2, 32>>>(data, flag[0], out);
    cudaMemset(flag[0], 0, sizeof(int));
  }
  cudaMemset(flag[1], 0, 64);
  for (int i = 0; i < count; i++) {
    rounds_bad<<<2, 32>>>(data, flag[1], out);
    if (i % 2) cudaMemset(flag[1], 0, sizeof(int));
  }
}

void filled(int *data, int *out) {
  int *flag[2] = {flags(), flags()};
  std::vector<int> zeros(16, 0), ones(16, 1);
  cudaMemset(flag[0], 0, 64);
  cudaMemcpy(flag[0], zeros.data(), 64, cudaMemcpyHostToDevice);
  filled_ok<<<2, 32>>>(data, flag[0], out);
  cudaMemset(flag[1], 0, 64);
  cudaMemcpy(flag[1], ones.data(), 64, cudaMemcpyHostToDevice);
  filled_bad<<<2, 32>>>(data, flag[1], out);
  int ascending[16], *counted = flags();
  for (int i = 0; i < 16; i++)
    ascending[i] = i;
  cudaMemcpy(counted, ascending, 64, cudaMemcpyHostToDevice);
  counted_bad<<<2, 32>>>(data, counted + 3, out);
}

void again(int *data, int *out, int n) {
  int *words, *bytes;
  cudaMalloc(&words, n * sizeof(int));
  cudaMalloc(&bytes, n * sizeof(int));
  cudaMemset(words, 0, n * sizeof(int));
  again_ok<<<2, 32>>>(data, words, out);
  cudaMemset(words, 0, n * sizeof(int));
  again_ok<<<2, 32>>>(data, words, out);
  cudaMemset(bytes, 0, n * sizeof(int));
  again_bad<<<2, 32>>>(data, bytes, out);
  cudaMemset(bytes, 0, n);
  again_bad<<<2, 32>>>(data, bytes, out);
}

int main(int argc, char **argv) {
  int *data, *out;
  cudaMalloc(&data, 64);
  cudaMalloc(&out, 64);
  once(data, out);
  more(data, out, argc);
  filled(data, out);
  rounds(data, out, argc);
  again(data, out, argc);
  cudaDeviceSynchronize();
}
