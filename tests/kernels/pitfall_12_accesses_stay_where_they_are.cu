// The compiler passes before the analysis must neither move nor merge accesses.
// peek: only thread 0 reads s[0], which thread 0 wrote; a speculated load would be a false alarm, and without the
// condition the race is real.
// levels: two conditional stores to one place by one thread each (i == a, i == b); the host asserts a == b in the ok case,
// so only one thread stores at all; their lines must stay apart.
// copy: a structure assignment is a read and a write of 48 bytes.
//@ verdict peek_ok: race-free
//@ verdict peek_bad: racy
//@ verdict levels_ok: race-free
//@ verdict levels_bad: racy
//@ verdict copy_ok: race-free
//@ verdict copy_bad: racy
#include <cassert>

struct Row {
  int value[12];
};

__global__ void peek_ok(int *out) { // expect-clean
  __shared__ int s[32];
  int t = threadIdx.x, v = 0;
  if (t == 0)
    s[0] = 5;
  if (t == 0)
    v = s[0];
  out[blockIdx.x * 32 + t] = v;
}

__global__ void peek_bad(int *out) {
  __shared__ int s[32];
  int t = threadIdx.x, v = 0;
  if (t == 0)
    s[0] = 5; // expect-race {{-Wintra-warp-race}}
  v = s[0];   // expect-race {{-Wintra-warp-race}}
  out[blockIdx.x * 32 + t] = v;
}

__global__ void levels_ok(int *q, int a, int b) { // expect-clean
  int i = threadIdx.x;
  if (i == a)
    q[blockIdx.x] = 1;
  if (i == b)
    q[blockIdx.x] = 2;
}

__global__ void levels_bad(int *q, int a, int b) {
  int i = threadIdx.x;
  if (i == a)
    q[blockIdx.x] = 1; // expect-race
  if (i == b)
    q[blockIdx.x] = 2; // expect-race
}

__global__ void copy_ok(Row *to, const Row *from) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i];
}

__global__ void copy_bad(Row *to, const Row *from) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i / 2] = from[i]; // expect-race {{-Wintra-warp-race}}
}

int main(int argc, char **argv) {
  int a = argc, b = argv[0][0];
  int *out;
  Row *rows, *more;
  cudaMalloc((void **)&out, 4096);
  cudaMalloc((void **)&rows, 1024 * sizeof(Row));
  cudaMalloc((void **)&more, 1024 * sizeof(Row));
  peek_ok<<<8, 32>>>(out);
  peek_bad<<<8, 32>>>(out);
  levels_bad<<<8, 32>>>(out, a, b);
  copy_ok<<<8, 128>>>(rows, more);
  copy_bad<<<8, 128>>>(rows, more);
  assert(a == b);
  levels_ok<<<8, 32>>>(out, a, b);
  return 0;
}
