// Tables of pointers on the device, and code whose text is not there.
// alone: it is given the table and nothing else, and nobody has given it pointers before (ok, by A8). given: with pointers, of which it may store one twice. packed: with memory in which they lie.
// known: it was given one before. again: visible code fills the table behind the call (ok). variable: a variable of the device that is set, and then perhaps by such a call; before (ok).
//@ verdict alone_ok: race-free
//@ verdict given_any: undecided
//@ verdict packed_any: undecided
//@ verdict known_any: undecided
//@ verdict again_ok: race-free
//@ verdict variable_ok: race-free
//@ verdict variable_any: undecided
#include <cuda_runtime.h>

void fill(float **table);
void fill_with(float **table, float *a, float *b);
void fill_from(float **table, void *all);
void keep(float *a);
__device__ float *left, *right, *up, *down;

__global__ void alone_ok(float **rows) { rows[blockIdx.x][threadIdx.x] = blockIdx.x; } // expect-clean
__global__ void given_any(float **rows) { rows[blockIdx.x][threadIdx.x] = blockIdx.x; }
__global__ void packed_any(float **rows) { rows[blockIdx.x][threadIdx.x] = blockIdx.x; }
__global__ void known_any(float **rows) { rows[blockIdx.x][threadIdx.x] = blockIdx.x; }
__global__ void again_ok(float **rows) { rows[blockIdx.x][threadIdx.x] = blockIdx.x; } // expect-clean
__global__ void variable_ok() { left[threadIdx.x] = right[threadIdx.x + 1]; } // expect-clean
__global__ void variable_any() { up[threadIdx.x] = down[threadIdx.x + 1]; }

static float **table() {
  float **made;
  cudaMalloc(&made, 2 * sizeof(float *));
  return made;
}

int main() {
  float *a, *b;
  float **alone = table(), **given = table(), **packed = table(), **known = table(), **again = table();
  fill(alone);
  alone_ok<<<2, 64>>>(alone);
  cudaMalloc(&a, 1024);
  cudaMalloc(&b, 1024);
  cudaMemcpyToSymbol(left, &a, sizeof a);
  cudaMemcpyToSymbol(right, &b, sizeof b);
  cudaMemcpyToSymbol(up, &a, sizeof a);
  cudaMemcpyToSymbol(down, &b, sizeof b);
  variable_ok<<<1, 64>>>();
  fill_with(given, a, b);
  given_any<<<2, 64>>>(given);
  variable_any<<<1, 64>>>();
  float *all[2] = {a, b};
  fill_from(packed, all);
  packed_any<<<2, 64>>>(packed);
  keep(a);
  fill(known);
  known_any<<<2, 64>>>(known);
  fill_with(again, a, b);
  float *own[2] = {a, b};
  cudaMemcpy(again, own, sizeof own, cudaMemcpyHostToDevice);
  again_ok<<<2, 64>>>(again);
}
