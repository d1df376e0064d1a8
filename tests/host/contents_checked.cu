// A table is filled in each round, and each call of a round is checked. That the calls of the round in which an element
// was written had returned 0 says nothing of the element; that a number read there was 0 does, since the element is made
// from it.
#include <cstdio>
#include <cstdlib>

__global__ void from_copies(const int *table, int *out) { out[table[threadIdx.x]] = 1; }
__global__ void from_numbers(const int *table, int *out) { out[table[threadIdx.x]] = 1; }

static void check(cudaError_t error) {
  if (error != cudaSuccess) exit(1);
}

int main() {
  int host[8], *table, *out;
  cudaMalloc((void **)&table, sizeof host);
  cudaMalloc((void **)&out, 100 * sizeof(int));
  for (int round = 0; round < 9; round++) {
    for (int i = 0; i < 8; i++) {
      check(cudaGetLastError());
      host[i] = i * 2;
    }
    check(cudaMemcpy(table, host, sizeof host, cudaMemcpyHostToDevice));
    from_copies<<<1, 8>>>(table, out);
    for (int i = 0; i < 8; i++) {
      int by = rand();
      if (by != 0) exit(1);
      host[i] = i + by;
    }
    check(cudaMemcpy(table, host, sizeof host, cudaMemcpyHostToDevice));
    from_numbers<<<2, 8>>>(table, out);
  }
}

//@ launch: from_copies<<<1, 8>>>
//@ has: holds   table
//@ has: element == element / 4 * 4
//@ lacks: cudaGetLastError()
//@ launch: from_numbers<<<2, 8>>>
//@ has: holds   table
//@ has: element == element / 4 * 4
//@ has: rand()(element / 4) == 0
