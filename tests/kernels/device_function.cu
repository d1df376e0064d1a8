// The access lies in a device function; the report names its line, with the call. `push` writes one element further than
// the thread's own (bad).
//@ verdict fill_ok: race-free
//@ verdict fill_bad: racy
__device__ void put(float *a, int i, float v) { a[i] = v; }

__device__ void push(float *a, int i, float v) {
  a[i] = v;     // expect-race
  a[i + 1] = v; // expect-race
}

__device__ int own_index() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void fill_ok(float *a) { // expect-clean
  put(a, own_index(), 1.0f);
}

__global__ void fill_bad(float *a) {
  push(a, own_index(), threadIdx.x);
}

int main() {
  float *a;
  cudaMalloc((void **)&a, 1025 * sizeof(float));
  fill_ok<<<8, 128>>>(a);
  fill_bad<<<8, 128>>>(a);
  return 0;
}
