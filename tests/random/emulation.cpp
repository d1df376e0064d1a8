// Which accesses of a kernel race, in fact? The text of the kernel is compiled for the host with clang's instrumentation for
// races (-fsanitize=thread, but without its runtime: the callbacks are here) and run with all threads of the grid, which take
// turns at barriers and atomic operations, in random order. Each access is compared with all earlier ones to the same byte: two
// of different threads race if one of them writes, not both are atomic, and no barrier of the block or warp lies between
// (vector clocks within a block, as in FastTrack, Flanagan and Freund, PLDI 2009; blocks are never ordered). Up to the first
// race, values depend on the order of the threads only where atomic operations return them, so for kernels without such "a
// race happens for these arguments" is exact, and elsewhere a lower bound. A run in which an index leaves its array (IX) or
// that takes too long says nothing. Threads of a block that meet at different barriers are told as divergent.
// SPDX-License-Identifier: Apache-2.0
#include "emulation.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ucontext.h>
#include <unordered_map>
#include <vector>

enum { WARP = 32, STACK = 1 << 16, FUEL = 400000 };

extern char __start_hgrd_shared, __stop_hgrd_shared;
dim3 threadIdx, blockIdx, blockDim, gridDim;

namespace {

struct Access {
  uint32_t block, thread, clock;
  bool is_write, is_atomic;
};

// GIFT: an exchange of some lanes of the warp.
enum Wait { RUNS, AT_BLOCK, AT_WARP, AT_LANES, AT_EXCHANGE, AT_GIFT, ENDED };

struct Thread {
  ucontext_t context;
  std::vector<char> stack;
  std::vector<uint32_t> seen; // of each thread of the block: the clock up to which this one comes after it
  dim3 index;
  Wait wait;
  void *place; // of the barrier at which it waits
  int value, taken;
  int votes; // of the block, that were not zero, at its last barrier
  unsigned lanes; // AT_LANES, AT_GIFT: for which it waits
  bool took_part; // in the last exchange of its warp
};

struct Array {
  uintptr_t begin, end;
  char name;
};

struct Machine {
  std::vector<Thread> threads;                               // of the block that runs
  std::unordered_map<uintptr_t, std::vector<Access>> memory; // by byte
  std::vector<Array> arrays;
  ucontext_t scheduler;
  uint32_t block, current;
  void (*kernel)();
  Outcome outcome;
  uint64_t fuel;
  uint32_t random;
  bool runs;
  bool tells; // all races, with their addresses and threads
  bool is_backward; // threads take turns from the last to the first
} machine;

uint32_t roll(uint32_t sides) {
  machine.random = machine.random * 1664525u + 1013904223u;
  return (machine.random >> 8) % sides;
}

void leave(Outcome outcome) {
  machine.outcome = outcome;
  setcontext(&machine.scheduler);
}

void spend() {
  if (++machine.fuel > FUEL) leave(INVALID);
}

// ---- accesses -----------------------------------------------------------------------------------

bool is_shared(uintptr_t at) { return at >= (uintptr_t)&__start_hgrd_shared && at < (uintptr_t)&__stop_hgrd_shared; }

const Array *array_at(uintptr_t at) {
  for (const Array &array : machine.arrays)
    if (at >= array.begin && at < array.end) return &array;
  return nullptr;
}

void race(uintptr_t at, const Access &one, const Access &other) {
  if (!machine.tells) leave(RACE);
  machine.outcome = RACE;
  const Array *array = array_at(at);
  if (array)
    printf("%c %u %u.%u %u.%u\n", array->name, (unsigned)(at - array->begin), one.block, one.thread, other.block, other.thread);
}

void access(const void *address, size_t bytes, bool is_write, bool is_atomic) {
  uintptr_t from = (uintptr_t)address;
  bool in_shared = is_shared(from);
  if (!machine.runs || (!in_shared && !array_at(from))) return;
  spend();
  Thread &me = machine.threads[machine.current];
  Access now = {machine.block, machine.current, me.seen[machine.current], is_write, is_atomic};
  for (uintptr_t at = from; at < from + bytes; at++) {
    bool is_known = false;
    for (const Access &then : machine.memory[at]) {
      if (in_shared && then.block != now.block) continue; // another block's memory at the same place
      if (then.block == now.block && then.thread == now.thread) {
        is_known |= then.clock == now.clock && then.is_write == is_write && then.is_atomic == is_atomic;
        continue;
      }
      if ((!then.is_write && !is_write) || (then.is_atomic && is_atomic)) continue;
      if (then.block != now.block || me.seen[then.thread] <= then.clock) race(at, then, now);
    }
    if (!is_known) machine.memory[at].push_back(now);
  }
}

// ---- threads ------------------------------------------------------------------------------------

void wait_as(Wait wait, void *place) {
  spend();
  Thread &me = machine.threads[machine.current];
  me.wait = wait;
  me.place = place;
  swapcontext(&me.context, &machine.scheduler);
}

void run_thread() {
  machine.kernel();
  machine.threads[machine.current].wait = ENDED;
  setcontext(&machine.scheduler);
}

// The threads of [from, to) that have not ended go on; if the barrier orders memory, each comes after all of them, and after
// those that have ended, which count as having arrived.
void release(uint32_t from, uint32_t to, bool orders, bool is_block) {
  std::vector<uint32_t> all(machine.threads.size(), 0);
  for (uint32_t t = from; t < to; t++) {
    Thread &thread = machine.threads[t];
    thread.taken = thread.value;
    thread.took_part = thread.wait != ENDED;
    if (thread.took_part) thread.wait = RUNS;
    for (size_t i = 0; i < all.size(); i++)
      all[i] = std::max(all[i], thread.seen[i] + (i == t));
  }
  int votes = 0;
  for (uint32_t t = from; t < to; t++)
    votes += machine.threads[t].took_part && machine.threads[t].value != 0;
  for (uint32_t t = from; orders && t < to; t++) {
    Thread &thread = machine.threads[t];
    if (thread.wait != ENDED) thread.seen = all;
    if (is_block) thread.votes = votes; // now: other warps may exchange values before this thread goes on
  }
}

// Do the threads of [from, to) that have not ended all wait in this way? Not where all have ended.
bool all_wait(uint32_t from, uint32_t to, Wait wait) {
  const void *place = nullptr;
  for (uint32_t t = from; t < to; t++) {
    const Thread &thread = machine.threads[t];
    if (thread.wait == ENDED) continue;
    if (thread.wait != wait) return false;
    if (place && place != thread.place) machine.outcome = DIVERGENT;
    place = thread.place;
  }
  return place != nullptr;
}

// The lanes that the thread waits for, if all of them that have not ended wait for each other.
std::vector<uint32_t> group_of(uint32_t t, uint32_t from, uint32_t to) {
  const Thread &thread = machine.threads[t];
  std::vector<uint32_t> group;
  if (thread.wait != AT_LANES && thread.wait != AT_GIFT) return group;
  for (uint32_t u = from; u < to; u++) {
    const Thread &other = machine.threads[u];
    if (!(thread.lanes >> (u - from) & 1) || other.wait == ENDED) continue;
    if (other.wait != thread.wait || other.lanes != thread.lanes) return {};
    group.push_back(u);
  }
  return group;
}

// The lanes of one mask go on.
bool release_lanes(uint32_t from, uint32_t to) {
  std::vector<uint32_t> all(machine.threads.size(), 0), group;
  for (uint32_t t = from; t < to && group.empty(); t++)
    group = group_of(t, from, to);
  if (group.empty()) return false;
  bool orders = machine.threads[group[0]].wait == AT_LANES;
  for (uint32_t t = from; t < to; t++)
    machine.threads[t].took_part = false;
  for (uint32_t t : group)
    for (size_t i = 0; i < all.size(); i++)
      all[i] = std::max(all[i], machine.threads[t].seen[i] + (i == t));
  for (uint32_t t : group) {
    Thread &thread = machine.threads[t];
    if (orders) thread.seen = all;
    thread.taken = thread.value;
    thread.took_part = true;
    thread.wait = RUNS;
  }
  return true;
}

bool release_some() {
  uint32_t count = (uint32_t)machine.threads.size();
  bool any = false;
  for (uint32_t from = 0; from < count; from += WARP) {
    uint32_t to = std::min(count, from + WARP);
    any |= release_lanes(from, to);
    for (Wait wait : {AT_WARP, AT_EXCHANGE})
      if (all_wait(from, to, wait)) {
        release(from, to, wait == AT_WARP, false);
        any = true;
      }
  }
  if (any || !all_wait(0, count, AT_BLOCK)) return any;
  release(0, count, true, true);
  return true;
}

void start_block() {
  uint32_t count = blockDim.x * blockDim.y * blockDim.z;
  machine.threads.resize(count);
  for (uint32_t t = 0; t < count; t++) {
    Thread &thread = machine.threads[t];
    thread.stack.resize(STACK);
    thread.seen.assign(count, 0);
    thread.index = dim3(t % blockDim.x, t / blockDim.x % blockDim.y, t / blockDim.x / blockDim.y);
    thread.wait = RUNS;
    thread.value = thread.taken = 0;
    thread.took_part = false;
    getcontext(&thread.context);
    thread.context.uc_stack.ss_sp = thread.stack.data();
    thread.context.uc_stack.ss_size = STACK;
    thread.context.uc_link = nullptr;
    makecontext(&thread.context, run_thread, 0);
  }
}

bool has_stopped() { return machine.outcome != CLEAN && !(machine.tells && machine.outcome == RACE); }

// Lets the threads run, from a random one on, until each waits or has ended. False where all have ended.
bool run_round() {
  uint32_t count = (uint32_t)machine.threads.size(), first = roll(count);
  bool is_alive = false;
  for (uint32_t i = 0; i < count && !has_stopped(); i++) {
    uint32_t t = (first + (machine.is_backward ? count - i : i)) % count;
    while (machine.threads[t].wait == RUNS && !has_stopped()) {
      machine.current = t;
      threadIdx = machine.threads[t].index;
      swapcontext(&machine.scheduler, &machine.threads[t].context);
      if (roll(2)) break; // where it gave way at an atomic operation
    }
    is_alive |= machine.threads[t].wait != ENDED;
  }
  return is_alive;
}

void run_block() {
  start_block();
  while (!has_stopped() && run_round()) {
    bool is_running = false;
    for (const Thread &thread : machine.threads)
      is_running |= thread.wait == RUNS;
    if (!is_running && !release_some()) machine.outcome = DIVERGENT; // some wait for what the others never reach
  }
}

// A mask without the lane that gives it has no meaning.
void check_own_lane(unsigned lanes) {
  if (!(lanes >> machine.current % WARP & 1)) leave(INVALID);
}

// The lanes have given their values. Those of lanes that have ended are left undefined by CUDA: kernels must not use them.
uint32_t exchange(unsigned lanes, int value, void *place) {
  Thread &me = machine.threads[machine.current];
  check_own_lane(lanes);
  me.value = value;
  me.lanes = lanes;
  wait_as(lanes == ~0u ? AT_EXCHANGE : AT_GIFT, place);
  return machine.current / WARP * WARP;
}

int lane_value(uint32_t thread) { return thread < machine.threads.size() ? machine.threads[thread].taken : 0; }

} // namespace

// ---- what kernels call --------------------------------------------------------------------------

#define CALLBACKS(n)                                                                                                             \
  void __tsan_read##n(void *p) { access(p, n, false, false); }                                                                   \
  void __tsan_write##n(void *p) { access(p, n, true, false); }                                                                   \
  void __tsan_unaligned_read##n(void *p) { access(p, n, false, false); }                                                         \
  void __tsan_unaligned_write##n(void *p) { access(p, n, true, false); }

extern "C" {
CALLBACKS(1)
CALLBACKS(2)
CALLBACKS(4)
CALLBACKS(8)
CALLBACKS(16)
void __tsan_init() {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit() {}
void *__tsan_memcpy(void *to, const void *from, size_t n) {
  access(from, n, false, false);
  access(to, n, true, false);
  return memcpy(to, from, n);
}
void *__tsan_memset(void *to, int value, size_t n) {
  access(to, n, true, false);
  return memset(to, value, n);
}
}

int checked_index(int index, int length) {
  if (index < 0 || index >= length) leave(INVALID);
  return index;
}

int atomicAdd(int *at, int amount) {
  wait_as(RUNS, nullptr);
  access(at, sizeof *at, true, true);
  int old = *at;
  *at = old + amount;
  return old;
}

// Waits for its turn, and gives what was there.
static int take_turn(int *at) {
  wait_as(RUNS, nullptr);
  access(at, sizeof *at, true, true);
  return *at;
}

int atomicSub(int *at, int amount) { return atomicAdd(at, -amount); }

int atomicExch(int *at, int value) {
  int old = take_turn(at);
  *at = value;
  return old;
}

int atomicMax(int *at, int value) {
  int old = take_turn(at);
  *at = std::max(old, value);
  return old;
}

int atomicOr(int *at, int value) {
  int old = take_turn(at);
  *at = old | value;
  return old;
}

unsigned atomicInc(unsigned *at, unsigned limit) {
  unsigned old = (unsigned)take_turn((int *)at);
  *at = old >= limit ? 0 : old + 1;
  return old;
}

int atomicCAS(int *at, int expected, int value) {
  wait_as(RUNS, nullptr);
  access(at, sizeof *at, true, true);
  int old = *at;
  if (old == expected) *at = value;
  return old;
}

__attribute__((noinline)) void __syncthreads() { wait_as(AT_BLOCK, __builtin_return_address(0)); }
__attribute__((noinline)) void __syncwarp(unsigned lanes) {
  check_own_lane(lanes);
  machine.threads[machine.current].lanes = lanes;
  wait_as(lanes == ~0u ? AT_WARP : AT_LANES, __builtin_return_address(0));
}

__attribute__((noinline)) int __syncthreads_count(int value) {
  machine.threads[machine.current].value = value != 0;
  wait_as(AT_BLOCK, __builtin_return_address(0));
  return machine.threads[machine.current].votes;
}

__attribute__((noinline)) int __syncthreads_or(int value) {
  machine.threads[machine.current].value = value != 0;
  wait_as(AT_BLOCK, __builtin_return_address(0));
  return machine.threads[machine.current].votes > 0;
}

__attribute__((noinline)) int __shfl_xor_sync(unsigned lanes, int value, int bits) {
  return lane_value(exchange(lanes, value, __builtin_return_address(0)) + (machine.current % WARP ^ (uint32_t)bits));
}

__attribute__((noinline)) int __shfl_sync(unsigned lanes, int value, int lane) {
  return lane_value(exchange(lanes, value, __builtin_return_address(0)) + (uint32_t)(lane & (WARP - 1)));
}

__attribute__((noinline)) int __shfl_down_sync(unsigned lanes, int value, unsigned by) {
  uint32_t warp = exchange(lanes, value, __builtin_return_address(0));
  return lane_value(machine.current - warp + by < WARP ? machine.current + by : machine.current);
}

__attribute__((noinline)) int __shfl_up_sync(unsigned lanes, int value, unsigned by) {
  uint32_t warp = exchange(lanes, value, __builtin_return_address(0));
  return lane_value(machine.current - warp >= by ? machine.current - by : machine.current);
}

// The lanes of which `says` holds, among those that took part.
template <typename Says> unsigned lanes_where(unsigned lanes, uint32_t warp, Says says) {
  unsigned found = 0;
  for (uint32_t t = warp; t < warp + WARP && t < machine.threads.size(); t++)
    if (lanes >> (t - warp) & 1 && machine.threads[t].took_part && says(lane_value(t))) found |= 1u << (t - warp);
  return found;
}

__attribute__((noinline)) unsigned __ballot_sync(unsigned lanes, int value) {
  uint32_t warp = exchange(lanes, value, __builtin_return_address(0));
  return lanes_where(lanes, warp, [](int given) { return given != 0; });
}

__attribute__((noinline)) unsigned __match_any_sync(unsigned lanes, int value) {
  uint32_t warp = exchange(lanes, value, __builtin_return_address(0));
  return lanes_where(lanes, warp, [value](int given) { return given == value; });
}

__attribute__((noinline)) int __any_sync(unsigned lanes, int value) {
  uint32_t warp = exchange(lanes, value, __builtin_return_address(0));
  return lanes_where(lanes, warp, [](int given) { return given != 0; }) != 0;
}

__attribute__((noinline)) int __all_sync(unsigned lanes, int value) {
  uint32_t warp = exchange(lanes, value, __builtin_return_address(0));
  return lanes_where(lanes, warp, [](int given) { return given == 0; }) == 0;
}

unsigned __activemask() { return 1u << (machine.current % WARP); }

// ---- all arguments ------------------------------------------------------------------------------

Outcome run_grid(dim3 grid, dim3 block, void (*kernel)()) {
  gridDim = grid;
  blockDim = block;
  machine.memory.clear();
  machine.kernel = kernel;
  machine.outcome = CLEAN;
  machine.fuel = 0;
  machine.runs = true;
  uint32_t count = grid.x * grid.y * grid.z, first = roll(count);
  for (uint32_t i = 0; i < count && !has_stopped(); i++) {
    machine.block = (first + i) % count;
    blockIdx = dim3(machine.block % grid.x, machine.block / grid.x % grid.y, machine.block / grid.x / grid.y);
    run_block();
  }
  machine.runs = false;
  return machine.outcome;
}

int *array(char name, size_t length) {
  int *made = (int *)calloc(length, sizeof(int));
  if (!made) abort();
  machine.arrays.push_back({(uintptr_t)made, (uintptr_t)(made + length), name});
  return made;
}

namespace {

// Small contents first, because they are used as indices.
void fill(int *from, int *to, int trial) {
  for (int *at = from; at < to; at++)
    *at = trial == 0 ? (int)roll(4) : trial == 1 ? (int)roll(64) : (int)roll(256) - 64;
}

Outcome run_once(const Tried &tried, int trial, int n, int m, int order) {
  *tried.n = n;
  *tried.m = m;
  machine.random = (uint32_t)(trial * 1000 + n * 10 + m + order * 10000);
  machine.is_backward = order % 2 != 0;
  for (const Array &array : machine.arrays)
    fill((int *)array.begin, (int *)array.end, array.name == 'c' ? 0 : trial);
  fill((int *)&__start_hgrd_shared, (int *)&__stop_hgrd_shared, trial);
  memset(tried.counters, 0, tried.counters_bytes);
  return tried.run();
}

} // namespace

void try_all(const char *name, const Tried &tried) {
  static const char *const words[] = {"clean", "race", "divergent", "invalid"};
  int counts[4] = {0, 0, 0, 0}, at_n = 0, at_m = 0;
  for (int trial = 0; trial < TRIALS; trial++)
    for (int n = 1; n <= MAX_N; n++)
      for (int m = 0; m <= MAX_M && !counts[RACE]; m++) {
        counts[run_once(tried, trial, n, m, 0)]++;
        if (counts[RACE]) at_n = n, at_m = m;
      }
  Outcome said = counts[RACE] ? RACE : counts[DIVERGENT] ? DIVERGENT : counts[CLEAN] ? CLEAN : INVALID;
  printf("%s %s invalid=%d n=%d m=%d\n", name, words[said], counts[INVALID], at_n, at_m);
}

void tell_races(const char *name, const Tried &tried, int n, int m) {
  machine.tells = true;
  // Where a race feeds an index, who meets whom depends on who comes first.
  for (int order = 0; order < ORDERS; order++)
    for (int trial = 0; trial < TRIALS; trial++)
      if (run_once(tried, trial, n, m, order) == INVALID) printf("%s invalid\n", name);
}
