// Each construct that says something of a launch, one by one, with a twin in which it says a little less. A
// thread writes element `threadIdx.x % n`, which is right if there are no more threads than n, or
// `threadIdx.x * n`, which is right if n > 0.
//@ verdict asserted_ok: race-free
//@ verdict asserted_bad: racy
//@ verdict aborted_ok: race-free
//@ verdict aborted_bad: racy
//@ verdict exited_ok: race-free
//@ verdict exited_bad: racy
//@ verdict returned_ok: race-free
//@ verdict returned_bad: racy
//@ verdict thrown_ok: race-free
//@ verdict thrown_bad: racy
//@ verdict continued_ok: race-free
//@ verdict continued_bad: racy
//@ verdict broken_off_ok: race-free
//@ verdict broken_off_bad: racy
//@ verdict assumed_ok: race-free
//@ verdict assumed_bad: racy
//@ verdict unreachable_ok: race-free
//@ verdict unreachable_bad: racy
//@ verdict attribute_ok: race-free
//@ verdict attribute_bad: racy
//@ verdict checked_ok: race-free
//@ verdict checked_bad: racy
//@ verdict validated_ok: race-free
//@ verdict validated_bad: racy
//@ verdict either_ok: race-free
//@ verdict either_bad: racy
//@ verdict switched_ok: race-free
//@ verdict switched_bad: racy
//@ verdict dim3_copy_ok: race-free
//@ verdict dim3_copy_bad: racy
//@ verdict largest_ok: race-free
//@ verdict largest_bad: racy
//@ verdict smallest_ok: race-free
//@ verdict smallest_bad: racy
//@ verdict member_ok: race-free
//@ verdict member_bad: racy
//@ verdict reference_ok: race-free
//@ verdict reference_bad: racy
//@ verdict vector_size_ok: race-free
//@ verdict vector_size_bad: racy
//@ verdict ternary_ok: race-free
//@ verdict ternary_bad: racy
//@ verdict helper_ok: race-free
//@ verdict helper_bad: racy
//@ verdict enumerator_ok: race-free
//@ verdict enumerator_bad: racy
//@ verdict global_ok: race-free
//@ verdict global_bad: racy
//@ verdict added_ok: race-free
//@ verdict added_bad: racy
//@ verdict doubled_ok: race-free
//@ verdict doubled_bad: racy
//@ verdict halved_ok: race-free
//@ verdict halved_bad: racy
//@ verdict shifted_ok: race-free
//@ verdict shifted_bad: racy
//@ verdict shifted_up_ok: race-free
//@ verdict shifted_up_bad: racy
//@ verdict down_ok: race-free
//@ verdict down_bad: racy
//@ verdict two_variables_ok: race-free
//@ verdict two_variables_bad: racy
//@ verdict while_loop_ok: race-free
//@ verdict while_loop_bad: racy
//@ verdict do_loop_ok: race-free
//@ verdict do_loop_bad: racy
//@ verdict nested_ok: race-free
//@ verdict nested_bad: racy
//@ verdict bound_ok: race-free
//@ verdict bound_bad: racy
//@ verdict device_ok: race-free
//@ verdict device_bad: racy
//@ verdict managed_ok: race-free
//@ verdict managed_bad: racy
//@ verdict asynchronous_ok: race-free
//@ verdict asynchronous_bad: racy
//@ verdict pinned_ok: race-free
//@ verdict pinned_bad: racy
//@ verdict pitched_ok: race-free
//@ verdict pitched_bad: racy
//@ verdict volume_ok: race-free
//@ verdict volume_bad: racy
//@ verdict image_ok: race-free
//@ verdict image_bad: racy
//@ verdict new_array_ok: race-free
//@ verdict new_array_bad: racy
//@ verdict vector_ok: race-free
//@ verdict vector_bad: racy
//@ verdict own_size_ok: race-free
//@ verdict own_size_bad: racy
//@ verdict copied_ok: race-free
//@ verdict copied_bad: racy
//@ verdict filled_ok: race-free
//@ verdict filled_bad: racy
#include <algorithm>
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK_GE(a, b)                                                                                       \
  do {                                                                                                       \
    if (!((a) >= (b))) fail(__LINE__);                                                                       \
  } while (0)
[[noreturn]] static void fail(int line) {
  printf("line %d\n", line);
  exit(1);
}
static bool is_valid(int n, int least) {
  return n >= least && n < 1000;
}
static int blocks(int n, int size) {
  return (n + size - 1) / size;
}
static void set(int &to, int value) {
  to = value;
}
struct Sizes {
  int threads, elements;
};
enum { THREADS = 32, ELEMENTS = 32 };
static const int threads = 64;
static const cudaChannelFormatDesc format = {32, 0, 0, 0, cudaChannelFormatKindSigned};
extern void use(int *p);

__global__ void asserted_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void asserted_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}
__global__ void aborted_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void aborted_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}
__global__ void exited_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void exited_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}
__global__ void returned_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void returned_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}
__global__ void thrown_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void thrown_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}
__global__ void continued_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void continued_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}
__global__ void broken_off_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void broken_off_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}
__global__ void assumed_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void assumed_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}
__global__ void unreachable_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void unreachable_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}
__global__ void attribute_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void attribute_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}
__global__ void checked_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void checked_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}
__global__ void validated_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void validated_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}
__global__ void either_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void either_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}
__global__ void switched_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void switched_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}
__global__ void dim3_copy_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void dim3_copy_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}
__global__ void largest_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void largest_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}
__global__ void smallest_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void smallest_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}
__global__ void member_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void member_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}
__global__ void reference_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void reference_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}
__global__ void vector_size_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void vector_size_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}
__global__ void ternary_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void ternary_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}
__global__ void helper_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void helper_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}
__global__ void enumerator_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void enumerator_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}
__global__ void global_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void global_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}
__global__ void added_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void added_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}
__global__ void doubled_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void doubled_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}
__global__ void halved_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void halved_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}
__global__ void shifted_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void shifted_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}
__global__ void shifted_up_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void shifted_up_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}
__global__ void down_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void down_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}
__global__ void two_variables_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void two_variables_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}
__global__ void while_loop_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void while_loop_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}
__global__ void do_loop_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void do_loop_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}
__global__ void nested_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void nested_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}
__global__ void bound_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void bound_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}
__global__ void device_ok(int *a, int n) { // expect-clean
  a[threadIdx.x * n] = threadIdx.x;
}
__global__ void device_bad(int *a, int n) {
  a[threadIdx.x * n] = threadIdx.x; // expect-race
}
__global__ void managed_ok(int *a, int n) { // expect-clean
  a[threadIdx.x * n] = threadIdx.x;
}
__global__ void managed_bad(int *a, int n) {
  a[threadIdx.x * n] = threadIdx.x; // expect-race
}
__global__ void asynchronous_ok(int *a, int n) { // expect-clean
  a[threadIdx.x * n] = threadIdx.x;
}
__global__ void asynchronous_bad(int *a, int n) {
  a[threadIdx.x * n] = threadIdx.x; // expect-race
}
__global__ void pinned_ok(int *a, int n) { // expect-clean
  a[threadIdx.x * n] = threadIdx.x;
}
__global__ void pinned_bad(int *a, int n) {
  a[threadIdx.x * n] = threadIdx.x; // expect-race
}
__global__ void pitched_ok(int *a, int n) { // expect-clean
  a[threadIdx.x * n] = threadIdx.x;
}
__global__ void pitched_bad(int *a, int n) {
  a[threadIdx.x * n] = threadIdx.x; // expect-race
}
__global__ void volume_ok(int *a, int n) { // expect-clean
  a[threadIdx.x * n] = threadIdx.x;
}
__global__ void volume_bad(int *a, int n) {
  a[threadIdx.x * n] = threadIdx.x; // expect-race
}
__global__ void image_ok(int *a, int n) { // expect-clean
  a[threadIdx.x * n] = threadIdx.x;
}
__global__ void image_bad(int *a, int n) {
  a[threadIdx.x * n] = threadIdx.x; // expect-race
}
__global__ void new_array_ok(int *a, int n) { // expect-clean
  a[threadIdx.x * n] = threadIdx.x;
}
__global__ void new_array_bad(int *a, int n) {
  a[threadIdx.x * n] = threadIdx.x; // expect-race
}
__global__ void vector_ok(int *a, int n) { // expect-clean
  a[threadIdx.x * n] = threadIdx.x;
}
__global__ void vector_bad(int *a, int n) {
  a[threadIdx.x * n] = threadIdx.x; // expect-race
}
__global__ void copied_ok(int *a, int n) { // expect-clean
  a[threadIdx.x * n] = threadIdx.x;
}
__global__ void copied_bad(int *a, int n) {
  a[threadIdx.x * n] = threadIdx.x; // expect-race
}
__global__ void filled_ok(int *a, int n) { // expect-clean
  a[threadIdx.x * n] = threadIdx.x;
}
__global__ void filled_bad(int *a, int n) {
  a[threadIdx.x * n] = threadIdx.x; // expect-race
}
void run_asserted_ok(int *a, int n) {
  assert(n >= 32);
  asserted_ok<<<1, 32>>>(a, n);
}
void run_asserted_bad(int *a, int n) {
  assert(n >= 31);
  asserted_bad<<<1, 32>>>(a, n);
}
void run_aborted_ok(int *a, int n) {
  if (n < 32) abort();
  aborted_ok<<<1, 32>>>(a, n);
}
void run_aborted_bad(int *a, int n) {
  if (n < 31) abort();
  aborted_bad<<<1, 32>>>(a, n);
}
void run_exited_ok(int *a, int n) {
  if (n < 32) exit(1);
  exited_ok<<<1, 32>>>(a, n);
}
void run_exited_bad(int *a, int n) {
  if (n < 31) exit(1);
  exited_bad<<<1, 32>>>(a, n);
}
void run_returned_ok(int *a, int n) {
  if (n < 32) return;
  returned_ok<<<1, 32>>>(a, n);
}
void run_returned_bad(int *a, int n) {
  if (n < 31) return;
  returned_bad<<<1, 32>>>(a, n);
}
void run_thrown_ok(int *a, int n) {
  if (n < 32) throw n;
  thrown_ok<<<1, 32>>>(a, n);
}
void run_thrown_bad(int *a, int n) {
  if (n < 31) throw n;
  thrown_bad<<<1, 32>>>(a, n);
}
void run_continued_ok(int *a, int n) {
  for (int i = 0; i < 3; i++) {
    if (n + i < 32) continue;
    continued_ok<<<1, 32>>>(a, n + i);
  }
}
void run_continued_bad(int *a, int n) {
  for (int i = 0; i < 3; i++) {
    if (n + i < 32) continue;
    continued_bad<<<1, 32>>>(a, n + i - 1);
  }
}
void run_broken_off_ok(int *a, int n) {
  for (int i = 0; i < 3; i++) {
    if (n - i < 32) break;
    broken_off_ok<<<1, 32>>>(a, n - i);
  }
}
void run_broken_off_bad(int *a, int n) {
  for (int i = 0; i < 3; i++) {
    if (n - i < 31) break;
    broken_off_bad<<<1, 32>>>(a, n - i);
  }
}
void run_assumed_ok(int *a, int n) {
  __builtin_assume(n >= 32);
  assumed_ok<<<1, 32>>>(a, n);
}
void run_assumed_bad(int *a, int n) {
  __builtin_assume(n >= 31);
  assumed_bad<<<1, 32>>>(a, n);
}
void run_unreachable_ok(int *a, int n) {
  if (n < 32) __builtin_unreachable();
  unreachable_ok<<<1, 32>>>(a, n);
}
void run_unreachable_bad(int *a, int n) {
  if (n < 31) __builtin_unreachable();
  unreachable_bad<<<1, 32>>>(a, n);
}
void run_attribute_ok(int *a, int n) {
  [[assume(n >= 32)]];
  attribute_ok<<<1, 32>>>(a, n);
}
void run_attribute_bad(int *a, int n) {
  [[assume(n >= 31)]];
  attribute_bad<<<1, 32>>>(a, n);
}
void run_checked_ok(int *a, int n) {
  CHECK_GE(n, 32);
  checked_ok<<<1, 32>>>(a, n);
}
void run_checked_bad(int *a, int n) {
  CHECK_GE(n, 31);
  checked_bad<<<1, 32>>>(a, n);
}
void run_validated_ok(int *a, int n) {
  if (!is_valid(n, 32)) return;
  validated_ok<<<1, 32>>>(a, n);
}
void run_validated_bad(int *a, int n) {
  if (!is_valid(n, 31)) return;
  validated_bad<<<1, 32>>>(a, n);
}
void run_either_ok(int *a, int n) {
  if (n < 32 || n > 64) return;
  either_ok<<<1, 32>>>(a, n);
}
void run_either_bad(int *a, int n) {
  if (n < 32 && n > 16) return;
  either_bad<<<1, 32>>>(a, n);
}
void run_switched_ok(int *a, int n) {
  switch (n) {
  case 32:
  case 64: switched_ok<<<1, 32>>>(a, n);
  }
}
void run_switched_bad(int *a, int n) {
  switch (n) {
  case 31:
  case 64: switched_bad<<<1, 32>>>(a, n);
  }
}
void run_dim3_copy_ok(int *a, int n) {
  dim3 block(n), copy = block;
  dim3_copy_ok<<<1, copy>>>(a, n);
}
void run_dim3_copy_bad(int *a, int n) {
  dim3 block(n), copy = block;
  dim3_copy_bad<<<1, copy>>>(a, n - 1);
}
void run_largest_ok(int *a, int n) {
  largest_ok<<<1, 32>>>(a, std::max(n, 32));
}
void run_largest_bad(int *a, int n) {
  largest_bad<<<1, 32>>>(a, std::max(n, 31));
}
void run_smallest_ok(int *a, int n) {
  smallest_ok<<<1, std::min(n, 32)>>>(a, n);
}
void run_smallest_bad(int *a, int n) {
  smallest_bad<<<1, std::min(n, 32)>>>(a, n - 1);
}
void run_member_ok(int *a, int n) {
  Sizes s{n, n};
  member_ok<<<1, s.threads>>>(a, s.elements);
}
void run_member_bad(int *a, int n) {
  Sizes s{n, n - 1};
  member_bad<<<1, s.threads>>>(a, s.elements);
}
void run_reference_ok(int *a, int n) {
  int m = 0;
  set(m, n);
  reference_ok<<<1, n>>>(a, m);
}
void run_reference_bad(int *a, int n) {
  int m = 0;
  set(m, n - 1);
  reference_bad<<<1, n>>>(a, m);
}
void run_vector_size_ok(int *a, int n) {
  std::vector<int> v(n);
  vector_size_ok<<<1, v.size()>>>(a, n);
}
void run_vector_size_bad(int *a, int n) {
  std::vector<int> v(n + 1);
  vector_size_bad<<<1, v.size()>>>(a, n);
}
void run_ternary_ok(int *a, int n) {
  int m = n > 32 ? n : 32;
  ternary_ok<<<1, 32>>>(a, m);
}
void run_ternary_bad(int *a, int n) {
  int m = n > 31 ? n : 31;
  ternary_bad<<<1, 32>>>(a, m);
}
void run_helper_ok(int *a, int n) {
  helper_ok<<<1, n>>>(a, blocks(n, 32) * 32);
}
void run_helper_bad(int *a, int n) {
  helper_bad<<<1, n>>>(a, blocks(n, 32) * 32 - 32);
}
void run_enumerator_ok(int *a, int n) {
  enumerator_ok<<<1, THREADS>>>(a, ELEMENTS);
}
void run_enumerator_bad(int *a, int n) {
  enumerator_bad<<<1, THREADS>>>(a, ELEMENTS - 1);
}
void run_global_ok(int *a, int n) {
  global_ok<<<1, threads>>>(a, threads);
}
void run_global_bad(int *a, int n) {
  global_bad<<<1, threads>>>(a, threads - 1);
}
void run_added_ok(int *a, int n) {
  for (int m = 32; m < n; m += 32)
    added_ok<<<1, 32>>>(a, m);
}
void run_added_bad(int *a, int n) {
  for (int m = 0; m < n; m += 31)
    added_bad<<<1, 32>>>(a, m);
}
void run_doubled_ok(int *a, int n) {
  for (int m = 32; m < n; m *= 2)
    doubled_ok<<<1, 32>>>(a, m);
}
void run_doubled_bad(int *a, int n) {
  for (int m = 16; m < n; m *= 2)
    doubled_bad<<<1, 32>>>(a, m);
}
void run_halved_ok(int *a, int n) {
  for (int m = 256; m >= 32; m /= 2)
    halved_ok<<<1, 32>>>(a, m);
}
void run_halved_bad(int *a, int n) {
  for (int m = 256; m >= 16; m /= 2)
    halved_bad<<<1, 32>>>(a, m);
}
void run_shifted_ok(int *a, int n) {
  for (int m = 256; m > 16; m >>= 1)
    shifted_ok<<<1, 32>>>(a, m);
}
void run_shifted_bad(int *a, int n) {
  for (int m = 256; m > 15; m >>= 1)
    shifted_bad<<<1, 32>>>(a, m);
}
void run_shifted_up_ok(int *a, int n) {
  for (unsigned m = 32; m < 4096; m <<= 1)
    shifted_up_ok<<<1, 32>>>(a, m);
}
void run_shifted_up_bad(int *a, int n) {
  for (unsigned m = 16; m < 4096; m <<= 1)
    shifted_up_bad<<<1, 32>>>(a, m);
}
void run_down_ok(int *a, int n) {
  for (int m = n; m >= 32; m--)
    down_ok<<<1, 32>>>(a, m);
}
void run_down_bad(int *a, int n) {
  for (int m = n; m >= 31; m--)
    down_bad<<<1, 32>>>(a, m);
}
void run_two_variables_ok(int *a, int n) {
  for (int m = 64, i = 0; i < 3; m -= 16, i++)
    two_variables_ok<<<1, 32>>>(a, m);
}
void run_two_variables_bad(int *a, int n) {
  for (int m = 64, i = 0; i < 4; m -= 16, i++)
    two_variables_bad<<<1, 32>>>(a, m);
}
void run_while_loop_ok(int *a, int n) {
  int m = n;
  while (m >= 32) {
    while_loop_ok<<<1, 32>>>(a, m);
    m -= 7;
  }
}
void run_while_loop_bad(int *a, int n) {
  int m = n;
  while (m >= 32) {
    m -= 7;
    while_loop_bad<<<1, 32>>>(a, m);
  }
}
void run_do_loop_ok(int *a, int n) {
  int m = 32;
  do {
    do_loop_ok<<<1, 32>>>(a, m);
    m += 5;
  } while (m < n);
}
void run_do_loop_bad(int *a, int n) {
  int m = 31;
  do {
    do_loop_bad<<<1, 32>>>(a, m);
    m += 5;
  } while (m < n);
}
void run_nested_ok(int *a, int n) {
  for (int i = 1; i < 4; i++)
    for (int m = 32 * i; m < n; m += i)
      nested_ok<<<1, 32>>>(a, m);
}
void run_nested_bad(int *a, int n) {
  for (int i = 0; i < 4; i++)
    for (int m = 32 * i; m < n; m += i + 1)
      nested_bad<<<1, 32>>>(a, m);
}
void run_bound_ok(int *a, int n) {
  for (int m = n; m >= 64 / 2 + 0 * n; m -= 3)
    bound_ok<<<1, 32>>>(a, m);
}
void run_bound_bad(int *a, int n) {
  for (int m = n; m >= 64 / 3 + 0 * n; m -= 3)
    bound_bad<<<1, 32>>>(a, m);
}
void run_device_ok(int *a, int n) {
  int *p;
  cudaMalloc(&p, n * sizeof(int));
  device_ok<<<1, 32>>>(a, n);
}
void run_device_bad(int *a, int n) {
  int *p;
  cudaMalloc(&p, 4096 * sizeof(int));
  device_bad<<<1, 32>>>(a, n);
}
void run_managed_ok(int *a, int n) {
  int *p;
  cudaMallocManaged(&p, n * sizeof(int));
  managed_ok<<<1, 32>>>(a, n);
}
void run_managed_bad(int *a, int n) {
  int *p;
  cudaMallocManaged(&p, 4096 * sizeof(int));
  managed_bad<<<1, 32>>>(a, n);
}
void run_asynchronous_ok(int *a, int n) {
  int *p;
  cudaMallocAsync(&p, n * sizeof(int), 0);
  asynchronous_ok<<<1, 32>>>(a, n);
}
void run_asynchronous_bad(int *a, int n) {
  int *p;
  cudaMallocAsync(&p, 4096 * sizeof(int), 0);
  asynchronous_bad<<<1, 32>>>(a, n);
}
void run_pinned_ok(int *a, int n) {
  int *p;
  cudaHostAlloc(&p, n * sizeof(int), 0);
  pinned_ok<<<1, 32>>>(a, n);
}
void run_pinned_bad(int *a, int n) {
  int *p;
  cudaHostAlloc(&p, 4096 * sizeof(int), 0);
  pinned_bad<<<1, 32>>>(a, n);
}
void run_pitched_ok(int *a, int n) {
  int *p;
  size_t pitch;
  cudaMallocPitch(&p, &pitch, 64, n);
  pitched_ok<<<1, 32>>>(a, n);
}
void run_pitched_bad(int *a, int n) {
  int *p;
  size_t pitch;
  cudaMallocPitch(&p, &pitch, 64, 64);
  pitched_bad<<<1, 32>>>(a, n);
}
void run_volume_ok(int *a, int n) {
  cudaPitchedPtr p;
  cudaMalloc3D(&p, make_cudaExtent(64, 64, n));
  volume_ok<<<1, 32>>>(a, n);
}
void run_volume_bad(int *a, int n) {
  cudaPitchedPtr p;
  cudaMalloc3D(&p, make_cudaExtent(64, 64, 64));
  volume_bad<<<1, 32>>>(a, n);
}
void run_image_ok(int *a, int n) {
  cudaArray_t p;
  cudaMallocArray(&p, &format, n, 64);
  image_ok<<<1, 32>>>(a, n);
}
void run_image_bad(int *a, int n) {
  cudaArray_t p;
  cudaMallocArray(&p, &format, 64, 64);
  image_bad<<<1, 32>>>(a, n);
}
void run_new_array_ok(int *a, int n) {
  int *p = new int[n];
  use(p);
  new_array_ok<<<1, 32>>>(a, n + 1);
}
void run_new_array_bad(int *a, int n) {
  int *p = new int[4096];
  use(p);
  new_array_bad<<<1, 32>>>(a, n + 1);
}
__global__ void own_size_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void own_size_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}
void run_own_size_ok(int *a, int n) {
  std::vector<int> v(n); // allocates or not, and has n elements
  if (n >= 32) own_size_ok<<<1, 32>>>(a, (int)v.size());
}
void run_own_size_bad(int *a, int n) {
  std::vector<int> v(n);
  if (n >= 32) own_size_bad<<<1, 32>>>(a, (int)(v.size() / 2));
}
void run_vector_ok(int *a, int n) {
  std::vector<int> v(n);
  use(v.data());
  vector_ok<<<1, 32>>>(a, n + 1);
}
void run_vector_bad(int *a, int n) {
  std::vector<int> v(4096);
  use(v.data());
  vector_bad<<<1, 32>>>(a, n + 1);
}
void run_copied_ok(int *a, int n, int *b) {
  cudaMemcpy(a, b, n * sizeof(int), cudaMemcpyHostToDevice);
  copied_ok<<<1, 32>>>(a, n + 1);
}
void run_copied_bad(int *a, int n, int *b) {
  cudaMemcpy(a, b, 64 * sizeof(int), cudaMemcpyHostToDevice);
  copied_bad<<<1, 32>>>(a, n + 1);
}
void run_filled_ok(int *a, int n) {
  cudaMemset(a, 0, n * sizeof(int));
  filled_ok<<<1, 32>>>(a, n + 1);
}
void run_filled_bad(int *a, int n) {
  cudaMemset(a, 0, 64 * sizeof(int));
  filled_bad<<<1, 32>>>(a, n + 1);
}
