// Tables of pointers on the device, and code whose text is not there.
// alone: it is given the table and nothing else, and nobody has given it pointers before (ok, by A8). given: with pointers, of which it may store one twice. packed: with memory in which they lie.
// known: it was given one before. pinned: one of the host's memory. holding: the table itself holds some. mixed: it is given a table of the host's that is copied then; before (ok).
// grown: a table of the host's is moved by realloc, and then filled (ok). moved: calls that copy in ways that are not followed.
// again: visible code fills the table behind the call (ok). variable: a variable of the device that is set, and then perhaps by such a call; before (ok).
//@ verdict alone_ok: race-free
//@ verdict given_any: undecided
//@ verdict packed_any: undecided
//@ verdict known_any: undecided
//@ verdict pinned_any: undecided
//@ verdict holding_any: undecided
//@ verdict mixed_ok: race-free
//@ verdict mixed_any: undecided
//@ verdict grown_ok: race-free
//@ verdict grown_any: undecided
//@ verdict peer_any: undecided
//@ verdict cube_any: undecided
//@ verdict vector_any: undecided
//@ verdict again_ok: race-free
//@ verdict variable_ok: race-free
//@ verdict variable_any: undecided
#include <cstdlib>
#include <cuda_runtime.h>

void fill(float **table);
void fill_with(float **table, float *a, float *b);
void fill_from(float **table, void *all);
void keep(float *a);
void mix(float **table);
extern "C" int cublasSetVector(int, int, const void *, int, void *, int);
__device__ float *left, *right, *up, *down;

__global__ void alone_ok(float **rows) { rows[blockIdx.x][threadIdx.x] = blockIdx.x; } // expect-clean
__global__ void given_any(float **rows) { rows[blockIdx.x][threadIdx.x] = blockIdx.x; }
__global__ void packed_any(float **rows) { rows[blockIdx.x][threadIdx.x] = blockIdx.x; }
__global__ void known_any(float **rows) { rows[blockIdx.x][threadIdx.x] = blockIdx.x; }
__global__ void pinned_any(float **rows) { rows[blockIdx.x][threadIdx.x] = blockIdx.x; }
__global__ void holding_any(float **rows) { rows[blockIdx.x][threadIdx.x] = blockIdx.x; }
__global__ void mixed_ok(float **rows) { rows[blockIdx.x][threadIdx.x] = blockIdx.x; } // expect-clean
__global__ void mixed_any(float **rows) { rows[blockIdx.x][threadIdx.x] = blockIdx.x; }
__global__ void grown_ok(float **rows) { rows[blockIdx.x][threadIdx.x] = blockIdx.x; } // expect-clean
__global__ void grown_any(float **rows) { rows[blockIdx.x][threadIdx.x] = blockIdx.x; }
__global__ void peer_any(float **rows) { rows[blockIdx.x][threadIdx.x] = blockIdx.x; }
__global__ void cube_any(float **rows) { rows[blockIdx.x][threadIdx.x] = blockIdx.x; }
__global__ void vector_any(float **rows) { rows[blockIdx.x][threadIdx.x] = blockIdx.x; }
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
  float *pinned, **filled = table();
  cudaMallocHost(&pinned, 1024);
  keep(pinned);
  fill(filled);
  pinned_any<<<2, 64>>>(filled);
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

  float **holding = table();
  cudaMemcpy(holding, own, sizeof own, cudaMemcpyHostToDevice);
  fill(holding);
  holding_any<<<2, 64>>>(holding);

  float **mixed = table();
  cudaMemcpy(mixed, own, sizeof own, cudaMemcpyHostToDevice);
  mixed_ok<<<2, 64>>>(mixed);
  mix(own);
  cudaMemcpy(mixed, own, sizeof own, cudaMemcpyHostToDevice);
  mixed_any<<<2, 64>>>(mixed);

  float **grown = table(), **place = (float **)malloc(sizeof(float *));
  place[0] = a;
  place = (float **)realloc(place, 2 * sizeof(float *));
  cudaMemcpy(grown, place, 2 * sizeof(float *), cudaMemcpyHostToDevice);
  grown_any<<<2, 64>>>(grown);
  place[0] = a;
  place[1] = b;
  cudaMemcpy(grown, place, 2 * sizeof(float *), cudaMemcpyHostToDevice);
  grown_ok<<<2, 64>>>(grown);

  float *two[2] = {a, a}, **peer = table(), **cube = table(), **vector = table();
  cudaMemcpyPeerAsync(peer, 0, two, 0, sizeof two, 0);
  peer_any<<<2, 64>>>(peer);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(two, sizeof two, sizeof two, 1);
  copy.dstPtr = make_cudaPitchedPtr(cube, sizeof two, sizeof two, 1);
  copy.extent = make_cudaExtent(sizeof two, 1, 1);
  copy.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&copy);
  cube_any<<<2, 64>>>(cube);
  cublasSetVector(2, sizeof(float *), two, 1, vector, 1);
  vector_any<<<2, 64>>>(vector);
}
