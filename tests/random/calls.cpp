// What kernels call, and the callbacks of the instrumentation.
// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

#include <algorithm>
#include <cstring>

// ---- accesses -----------------------------------------------------------------------------------


#define CALLBACKS(n)                                                                                                             \
  void __tsan_read##n(void *p) { access(p, n, false); }                                                                   \
  void __tsan_write##n(void *p) { access(p, n, true); }                                                                   \
  void __tsan_unaligned_read##n(void *p) { access(p, n, false); }                                                         \
  void __tsan_unaligned_write##n(void *p) { access(p, n, true); }                                                                \
  void __tsan_read_write##n(void *p) { access(p, n, false), access(p, n, true); }                                                \
  void __tsan_volatile_read##n(void *p) { volatile_access(p, n, false); }                                                        \
  void __tsan_volatile_write##n(void *p) { volatile_access(p, n, true); }

static void volatile_access(void *at, size_t bytes, bool is_write) {
  if (!machine.runs) return;
  wait_as(RUNS, nullptr);
  access(at, bytes, is_write, VOLATILE);
  if (is_write) strong_write(at, true, false);
  else strong_read(at, true);
}

extern "C" {
CALLBACKS(1)
CALLBACKS(2)
CALLBACKS(4)
CALLBACKS(8)
CALLBACKS(16)
void __tsan_init() {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit() {}
void __tsan_read_range(void *p, size_t n) { access(p, n, false); }
void __tsan_write_range(void *p, size_t n) { access(p, n, true); }
void *__tsan_memcpy(void *to, const void *from, size_t n) {
  access(from, n, false);
  access(to, n, true);
  return memcpy(to, from, n);
}
void *__tsan_memset(void *to, int value, size_t n) {
  access(to, n, true);
  return memset(to, value, n);
}
}

int checked_index(int index, int length) {
  if (index < 0 || index >= length) leave(INVALID);
  return index;
}

// ---- strong operations --------------------------------------------------------------------------

static bool acquires(Order order) { return order == ACQUIRE || order == ACQ_REL || order == SEQ_CST; }
static bool releases(Order order) { return order == RELEASE || order == ACQ_REL || order == SEQ_CST; }

// Waits for its turn, and gives what is there.
static int read_strong(int *at, bool is_write, bool is_wide, Order order) {
  wait_as(RUNS, nullptr);
  access(at, sizeof *at, is_write, is_write ? UPDATE : ATOMIC, is_wide);
  strong_read(at, is_wide);
  if (acquires(order)) fence(is_wide, true, false);
  return *at;
}

static void write_strong(int *at, int value, bool is_wide, bool is_update, Order order) {
  if (releases(order)) {
    // Only this write tells it.
    Clock near = me().told_near, far = me().told_far;
    fence(is_wide, false, true);
    strong_write(at, is_wide, is_update);
    me().told_near = near, me().told_far = far;
  } else {
    strong_write(at, is_wide, is_update);
  }
  *at = value;
}

int atomic_load(int *at, Order order, bool is_wide) { return read_strong(at, false, is_wide, order); }

void atomic_store(int *at, int value, Order order, bool is_wide) {
  wait_as(RUNS, nullptr);
  access(at, sizeof *at, true, ATOMIC, is_wide);
  write_strong(at, value, is_wide, false, order);
}

static int updated(Update what, int old, int operand) {
  switch (what) {
  case ADD: return old + operand;
  case SUB: return old - operand;
  case EXCH: return operand;
  case MAX: return std::max(old, operand);
  case MIN: return std::min(old, operand);
  case OR: return old | operand;
  case AND: return old & operand;
  case INC: return (unsigned)old >= (unsigned)operand ? 0 : old + 1;
  }
  return old;
}

int atomic_update(int *at, Update what, int operand, Order order, bool is_wide) {
  int old = read_strong(at, true, is_wide, order);
  write_strong(at, updated(what, old, operand), is_wide, true, order);
  return old;
}

int atomic_swap(int *at, int expected, int value, Order order, bool is_wide) {
  int old = read_strong(at, true, is_wide, order);
  if (old == expected) write_strong(at, value, is_wide, true, order);
  return old;
}

void __threadfence_block() { fence(false); }
void __threadfence() { fence(true); }
void __threadfence_system() { fence(true); }
void fence_of(Order order, bool is_wide) { fence(is_wide, acquires(order), releases(order)); }

// ---- copies -------------------------------------------------------------------------------------

void __pipeline_memcpy_async(void *to, const void *from, size_t bytes) { issue_copy(to, from, bytes); }
void __pipeline_commit() { close_copies(); }
void __pipeline_wait_prior(unsigned but) { await_copies(but); }

// ---- barriers and exchanges ---------------------------------------------------------------------

// A mask without the lane that gives it has no meaning.
static void check_own_lane(unsigned lanes) {
  if (!(lanes >> lane_of(machine.current) & 1)) leave(INVALID);
}

// The lanes have given their values. Those of lanes that have ended are left undefined by CUDA: kernels must not use them.
static Range exchange(unsigned lanes, int value, void *place) {
  check_own_lane(lanes);
  me().value = value;
  me().lanes = lanes;
  wait_as(lanes == ~0u ? AT_EXCHANGE : AT_GIFT, place);
  return warp_of(machine.current);
}

static int lane_value(Range warp, uint32_t lane) {
  return warp.from + lane < warp.to ? machine.threads[warp.from + lane].taken : 0;
}

void named_sync(int name, int expected) {
  if (name < 1 || name >= NAMED) leave(INVALID);
  me().name = (uint32_t)name;
  me().expected = (uint32_t)expected;
  wait_as(AT_NAMED, nullptr);
}

void named_arrive(int name, int) {
  wait_as(RUNS, nullptr);
  if (name < 1 || name >= NAMED) leave(INVALID);
  Arrivals &arrivals = machine.arrivals[machine.current / machine.block_threads * NAMED + (uint32_t)name];
  arrivals.count++;
  Clock now = me().seen;
  now[machine.current]++;
  join(arrivals.clock, now);
  me().seen[machine.current]++;
}

__attribute__((noinline)) void __syncthreads() { wait_as(AT_BLOCK, __builtin_return_address(0)); }
__attribute__((noinline)) void __syncwarp(unsigned lanes) {
  check_own_lane(lanes);
  me().lanes = lanes;
  wait_as(lanes == ~0u ? AT_WARP : AT_LANES, __builtin_return_address(0));
}

__attribute__((noinline)) int __syncthreads_count(int value) {
  me().value = value != 0;
  wait_as(AT_BLOCK, __builtin_return_address(0));
  return me().votes;
}

__attribute__((noinline)) int __syncthreads_or(int value) {
  me().value = value != 0;
  wait_as(AT_BLOCK, __builtin_return_address(0));
  return me().votes > 0;
}

__attribute__((noinline)) int __shfl_xor_sync(unsigned lanes, int value, int bits) {
  return lane_value(exchange(lanes, value, __builtin_return_address(0)), lane_of(machine.current) ^ (uint32_t)bits);
}

__attribute__((noinline)) int __shfl_sync(unsigned lanes, int value, int lane) {
  return lane_value(exchange(lanes, value, __builtin_return_address(0)), (uint32_t)(lane & (WARP - 1)));
}

__attribute__((noinline)) int __shfl_down_sync(unsigned lanes, int value, unsigned by) {
  Range warp = exchange(lanes, value, __builtin_return_address(0));
  uint32_t lane = lane_of(machine.current);
  return lane_value(warp, lane + by < WARP ? lane + by : lane);
}

__attribute__((noinline)) int __shfl_up_sync(unsigned lanes, int value, unsigned by) {
  Range warp = exchange(lanes, value, __builtin_return_address(0));
  uint32_t lane = lane_of(machine.current);
  return lane_value(warp, lane >= by ? lane - by : lane);
}

// The lanes of which `says` holds, among those that took part.
template <typename Says> unsigned lanes_where(unsigned lanes, Range warp, Says says) {
  unsigned found = 0;
  for (uint32_t lane = 0; warp.from + lane < warp.to; lane++)
    if (lanes >> lane & 1 && machine.threads[warp.from + lane].took_part && says(lane_value(warp, lane))) found |= 1u << lane;
  return found;
}

__attribute__((noinline)) unsigned __ballot_sync(unsigned lanes, int value) {
  Range warp = exchange(lanes, value, __builtin_return_address(0));
  return lanes_where(lanes, warp, [](int given) { return given != 0; });
}

__attribute__((noinline)) unsigned __match_any_sync(unsigned lanes, int value) {
  Range warp = exchange(lanes, value, __builtin_return_address(0));
  return lanes_where(lanes, warp, [value](int given) { return given == value; });
}

__attribute__((noinline)) int __any_sync(unsigned lanes, int value) {
  Range warp = exchange(lanes, value, __builtin_return_address(0));
  return lanes_where(lanes, warp, [](int given) { return given != 0; }) != 0;
}

__attribute__((noinline)) int __all_sync(unsigned lanes, int value) {
  Range warp = exchange(lanes, value, __builtin_return_address(0));
  return lanes_where(lanes, warp, [](int given) { return given == 0; }) == 0;
}

unsigned __activemask() { return 1u << lane_of(machine.current); }
