// Two loads of one place give one value only if nobody writes it meanwhile.
// base: all threads of the block read the same base and write behind it (ok). When thread 0 also moves the base, some
// threads see the old and some the new one: the base itself is raced on, and so are the elements (bad).
// relabel: out[label[i]] with label[i] == i known to nobody; the good case writes out[i] beside its label. Given the same
// array twice, writing changes the labels that others still read (bad).
// chunk: thread 0 fetches a place for 256 elements and hands it on through shared memory behind a barrier (ok); a place
// for 128 overlaps with that of another block (bad).
//@ verdict base_ok: race-free
//@ verdict base_bad: racy
//@ verdict relabel_ok: race-free
//@ verdict relabel_bad: racy
//@ verdict chunk_ok: race-free
//@ verdict chunk_bad: racy
__global__ void base_ok(const int *base, int *out) { // expect-clean
  int first = *base;
  out[first + threadIdx.x] = threadIdx.x;
}

__global__ void base_bad(int *base, int *out) {
  int first = *base;                      // expect-race
  out[first + threadIdx.x] = threadIdx.x; // expect-race
  if (threadIdx.x == 0)
    *base = first + 1; // expect-race
}

__global__ void relabel_ok(const int *label, int *out) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = label[label[i]];
}

__global__ void relabel_bad(const int *label, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = label[label[i]]; // expect-race
}

__global__ void chunk_ok(int *next, int *out) { // expect-clean
  __shared__ int first;
  if (threadIdx.x == 0)
    first = atomicAdd(next, 256);
  __syncthreads();
  out[first + threadIdx.x] = blockIdx.x;
}

__global__ void chunk_bad(int *next, int *out) {
  __shared__ int first;
  if (threadIdx.x == 0)
    first = atomicAdd(next, 128);
  __syncthreads();
  out[first + threadIdx.x] = blockIdx.x; // expect-race {{-Winter-block-race}}
}

int main() {
  int *base, *out, *label;
  cudaMalloc((void **)&base, sizeof(int));
  cudaMalloc((void **)&out, 4096 * sizeof(int));
  cudaMalloc((void **)&label, 1024 * sizeof(int));
  cudaMemset(base, 0, sizeof(int));
  base_ok<<<1, 256>>>(base, out);
  base_bad<<<1, 256>>>(base, out);
  relabel_ok<<<4, 256>>>(label, out);
  relabel_bad<<<4, 256>>>(label, label);
  chunk_ok<<<4, 256>>>(base, out);
  chunk_bad<<<4, 256>>>(base, out);
  return 0;
}
