# hgrd-run: PTX in line is run: arithmetic, guards, registers of its own, chains of carries, loads and stores, which are accesses like others. Each line of
# the program's output is computed in C++, too. What is not understood is told before anything runs.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
hgrd_run=$HGRD_BUILD/hgrd-run
cat >assembly.cu <<'CU'
#include <cstdio>
#include <cstring>
typedef unsigned int u32;
typedef unsigned long long u64;
#define CHECK(expression, wanted) bad += ((expression) == (wanted) ? 0 : (printf("line %d\n", __LINE__), 1))
__device__ int bad;
__device__ u32 one(u32 a, u32 b) {
  u32 r;
  asm("mad.lo.u32 %0, %1, %2, 7;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
__device__ u32 several(u32 a, u32 b) { // the larger one, doubled if it is odd
  u32 r;
  asm("{ // a block\n"
      "  .reg .u32 t;\n  .reg .pred p, q<2>;\n"
      "  max.u32 t, %1, %2; /* the larger one */\n"
      "  and.b32 %0, t, 1;\n  setp.ne.u32 p, %0, 0;\n  setp.eq.s32 q1, %0, 0x0;\n"
      "  @p add.u32 t, t, t;\n  @!q1 add.u32 t, t, 0;\n"
      "  mov.u32 %0, t;\n}"
      : "=&r"(r) : "r"(a), "r"(b));
  return r;
}
__device__ void add128(u64 *r, const u64 *a, const u64 *b) {
  asm("add.cc.u64 %0, %2, %4;\n\taddc.u64 %1, %3, %5;" : "=l"(r[0]), "=l"(r[1]) : "l"(a[0]), "l"(a[1]), "l"(b[0]), "l"(b[1]));
}
__device__ void sub128(u64 *r, const u64 *a, const u64 *b) {
  asm("sub.cc.u64 %0, %2, %4; subc.u64 %1, %3, %5;" : "=l"(r[0]), "=l"(r[1]) : "l"(a[0]), "l"(a[1]), "l"(b[0]), "l"(b[1]));
}
__device__ u32 accumulate(u32 sum, u32 x) {
  asm volatile("add.u32 %0, %0, %1;" : "+r"(sum) : "r"(x));
  return sum;
}
__device__ int shift(int x, u32 by) {
  int r;
  asm("shr.s32 %0, %1, %2;" : "=r"(r) : "r"(x), "r"(by));
  return r;
}
__device__ u32 left(u32 x, u32 by) {
  u32 r;
  asm("shl.b32 %0, %1, %2;" : "=r"(r) : "r"(x), "r"(by));
  return r;
}
__device__ float floats(float x, float y) {
  float r;
  asm("{ .reg .f32 t; fma.rn.f32 t, %1, %2, 0f40000000; mul.f32.sat %0, t, 0f3E800000; }" : "=f"(r) : "f"(x), "f"(y));
  return r;
}
__device__ int converted(float x) {
  int r;
  asm("cvt.rni.s32.f32 %0, %1;" : "=r"(r) : "f"(x));
  return r;
}
__device__ u32 bytes(int x) { // to eight bits and back
  u32 r;
  asm("{ .reg .s32 t; cvt.s8.s32 t, %1; mov.b32 %0, t; }" : "=r"(r) : "r"(x));
  return r;
}
__device__ u64 wide(u32 a, u32 b) {
  u64 r;
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(r) : "r"(a), "r"(b));
  return r;
}
__device__ u32 thread() {
  u32 r;
  asm("mov.u32 %0, %%tid.x;" : "=r"(r));
  return r;
}
__global__ void arithmetic() {
  CHECK(one(5, 6), 37);
  CHECK(several(4, 3), 4);
  CHECK(several(4, 9), 18);
  u64 a[2] = {~0ull, 5}, b[2] = {2, 7}, r[2];
  add128(r, a, b);
  CHECK(r[0], 1); CHECK(r[1], 13);
  sub128(r, b, a);
  CHECK(r[0], 3); CHECK(r[1], 1);
  CHECK(accumulate(40, 2), 42);
  CHECK(shift(-8, 1), -4); CHECK(shift(-8, 99), -1); CHECK(left(3, 31), 0x80000000u); CHECK(left(3, 32), 0);
  CHECK(floats(1, 1), .75f); CHECK(floats(9, 9), 1); CHECK(floats(-9, 9), 0);
  CHECK(converted(2.5f), 2); CHECK(converted(-3.7f), -4); CHECK(converted(1e30f), 0x7fffffff);
  CHECK(bytes(0x17f), 0x7f); CHECK(bytes(0x80), 0xffffff80u);
  CHECK(wide(0xffffffffu, 0xffffffffu), 0xfffffffe00000001ull);
}
__global__ void warp(float *out) { // sums over eight lanes, of bits that are a float; who is odd
  float sum = threadIdx.x, other;
  u32 odd;
  for (int d = 1; d < 8; d *= 2) {
    asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x181f, 0xffffffff;" : "=f"(other) : "f"(sum), "r"(d));
    sum += other;
  }
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, -1; }" : "=r"(odd) : "r"(threadIdx.x & 1));
  out[threadIdx.x] = odd == 0xaaaaaaaau ? sum : -1;
}
__global__ void copied(int *out, const int *in, u32 is_first) { // a copy under a guard, with a hint in its name
  __shared__ int4 there;
  there = make_int4(-1, -1, -1, -1);
  u32 place = (u32)__cvta_generic_to_shared(&there);
  asm volatile("{\n .reg .pred p;\n setp.ne.b32 p, %0, 0;\n @p cp.async.cg.shared.global.L2::128B [%1], [%2], %3;\n}\n" ::"r"(is_first), "r"(place), "l"(in), "n"(16));
  asm volatile("cp.async.commit_group;\n" ::);
  asm volatile("cp.async.wait_group %0;\n" ::"n"(0));
  *out = there.z;
}
__global__ void memory(int *out, const int *in) {
  int4 v;
  asm volatile("ld.global.nc.v4.s32 {%0, %1, %2, %3}, [%4+16];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(in));
  asm volatile("st.global.u32 [%0], %1;" ::"l"(out + BEHIND + thread()), "r"(v.x + v.y * 10 + v.z * 100 + v.w * 1000) : "memory"); // at: store
#ifdef WAITS
  asm volatile("bar.sync 0;");
#endif
  int other;
  asm volatile("{ .reg .pred p; setp.lt.u32 p, %2, 64; mov.u32 %0, 0; @p ld.global.u32 %0, [%1]; }" : "=&r"(other) : "l"(out + (thread() ^ 1)), "r"(thread()));
  out[64 + thread()] = other;
}
int main() {
  int *p, h[128], left = 0;
  cudaMalloc(&p, 512);
  for (int i = 0; i < 8; i++) h[i] = i;
  cudaMemcpy(p + 96, h, 32, cudaMemcpyHostToDevice);
  arithmetic<<<1, 1>>>();
  cudaMemcpyFromSymbol(&left, bad, 4);
  memory<<<1, 32>>>(p, p + 96);
  printf("%d %s", left, cudaGetErrorName(cudaMemcpy(h, p, 512, cudaMemcpyDeviceToHost)));
  printf(" %d %d", h[31], h[64 + 3]);
  for (u32 i = 0; i < 2; i++) {
    copied<<<1, 1>>>(p, p + 96, i);
    cudaMemcpy(h, p, 4, cudaMemcpyDeviceToHost);
    printf(" %d", h[0]);
  }
  float *f;
  cudaMallocManaged(&f, 128);
  warp<<<1, 32>>>(f);
  cudaDeviceSynchronize();
  printf(" %g %g\n", f[0], f[9]);
}
#ifdef TEXT
__global__ void unknown(int *p) { // not understood
  int r = p[0];
  asm volatile(TEXT : "+r"(r) : "r"(p[1])); // at: text
  p[0] = r;
}
#endif
CU
store=$(grep -n 'at: store' assembly.cu | cut -d: -f1)
text=$(grep -n 'at: text' assembly.cu | cut -d: -f1)
run "$hgrd_run" --all assembly.cu -- -DBEHIND=0 -DWAITS
status_is 0
has out '^0 cudaSuccess 7654 7654 -1 2 28 92$'
has err ': 0 races'
run "$hgrd_run" --all assembly.cu -- -DBEHIND=0
status_is 1
has err "^assembly.cu:$store:.* race"
run "$hgrd_run" --all assembly.cu -- -DBEHIND=200 -DWAITS
has out 'cudaErrorIllegalAddress'
has err "^assembly.cu:$store:.* writes 4 bytes out of bounds"
refused() { # refused TEXT: the place and the text are told
  run "$hgrd_run" --all assembly.cu -- -DBEHIND=0 -DWAITS "-DTEXT=\"$1\""
  status_is 2
  has err "^assembly.cu:$text:.*PTX assembly cannot be run"
}
refused 'addc.u32 %0, %0, %1;'                     # whose carry?
refused 'add.sat.s32 %0, %0, %1;'                  # a modifier
refused '{ again: sub.s32 %0, %0, 1; bra again; }' # a label
refused '{ .reg .u32 t; { .reg .u32 t; mov.u32 t, 1; } mov.u32 %0, t; }'
refused 'ld.shared.u32 %0, [%1];'
refused 'mov.u32 %0, nowhere;'
