// Unsigned arithmetic wraps on every run, not only for huge sizes.
// ring: 0u - 1 is 4294967295, its low five bits are 31; the read by thread 0 meets the write by thread 31.
// guard: with n >= 31 all threads but 0 return; thread 0 does not, since 0u - 1 is not below n. It writes what thread 5
// has read (bad) or thread 0 itself (ok).
// border: (unsigned)(i - 1) < w holds for i >= 1 when w >= 64, so only thread 0 takes the other arm; with i - 2 there are
// two such threads.
// never: what is equal times four is equal, where nothing wraps, which the proof says that it takes for granted; equal as it
// is (same), it takes nothing for granted.
//@ verdict ring_ok: race-free
//@ verdict never: race-free
//@ verdict never_same: race-free
//@ leans never: A1
//@ leans never_same: !A1
//@ verdict ring_bad: racy
//@ verdict guard_ok: race-free
//@ verdict guard_bad: racy
//@ verdict border_ok: race-free
//@ verdict border_bad: racy
#include <cassert>

__global__ void ring_ok(int *out) { // expect-clean
  __shared__ int s[32];
  unsigned i = threadIdx.x;
  s[i] = i;
  if (i == 0)
    out[blockIdx.x] = s[i & 31];
}

__global__ void ring_bad(int *out) {
  __shared__ int s[32];
  unsigned i = threadIdx.x;
  s[i] = i; // expect-race {{-Wintra-warp-race}}
  if (i == 0)
    out[blockIdx.x] = s[(i - 1) & 31]; // expect-race {{-Wintra-warp-race}}
}

__global__ void guard_ok(int *o, int *sum, unsigned n) { // expect-clean
  unsigned i = threadIdx.x;
  if (i == 0)
    sum[0] = o[0];
  if (i - 1 < n)
    return;
  o[0] = i;
}

__global__ void guard_bad(int *o, int *sum, unsigned n) {
  unsigned i = threadIdx.x;
  if (i == 5)
    sum[0] = o[0]; // expect-race {{-Wintra-warp-race}}
  if (i - 1 < n)
    return;
  o[0] = i; // expect-race {{-Wintra-warp-race}}
}

__global__ void border_ok(const int *in, int *out, int *border, unsigned w) { // expect-clean
  int i = threadIdx.x;
  if ((unsigned)(i - 1) < w)
    out[i] = in[i - 1];
  else
    border[0] = i;
}

__global__ void border_bad(const int *in, int *out, int *border, unsigned w) {
  int i = threadIdx.x;
  if ((unsigned)(i - 2) < w)
    out[i] = in[i - 2];
  else
    border[0] = i; // expect-race {{-Wintra-warp-race}}
}

__global__ void never(int *a, long n, long m) { // expect-clean
  if (n != m)
    a[0] = threadIdx.x;
}
__global__ void never_same(int *a, long n, long m) { // expect-clean
  if (n != m)
    a[0] = threadIdx.x;
}
void launch_never(int *a, unsigned n, unsigned m) {
  if (n * 4 == m * 4)
    never<<<1, 64>>>(a, n, m);
  if (n == m)
    never_same<<<1, 64>>>(a, n, m);
}

int main(int argc, char **) {
  unsigned n = argc;
  int *a, *b, *c;
  cudaMalloc((void **)&a, 4096);
  cudaMalloc((void **)&b, 4096);
  cudaMalloc((void **)&c, 4096);
  ring_ok<<<8, 32>>>(a);
  ring_bad<<<8, 32>>>(a);
  assert(n >= 64);
  guard_ok<<<1, 32>>>(a, b, n);
  guard_bad<<<1, 32>>>(a, b, n);
  border_ok<<<1, 64>>>(a, b, c, n);
  border_bad<<<1, 64>>>(a, b, c, n);
  return 0;
}
