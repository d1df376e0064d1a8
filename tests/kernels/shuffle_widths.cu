// Which lane a shuffle reads hangs on its width: one that is no power of two cuts the warp into nobody knows which parts, so that
// several lanes may find themselves.
//@ verdict whole_ok: race-free
//@ verdict odd_bad: racy
__global__ void whole_ok(int *o) {
  int t = threadIdx.x, r = __shfl_sync(0xffffffffu, t, 0, 32);
  if (r == t) o[0] = t; // expect-clean
}
__global__ void odd_bad(int *o) {
  int t = threadIdx.x, r = __shfl_sync(0xffffffffu, t, 0, 31);
  if (r == t) o[0] = t; // expect-race
}

int main() {
  int *o;
  cudaMalloc(&o, 4);
  whole_ok<<<1, 32>>>(o);
  odd_bad<<<1, 32>>>(o);
  return 0;
}
