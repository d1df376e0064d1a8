// Runs a kernel of a random program on the host. The text of the kernel is compiled with the instrumentation for races
// (-fsanitize=thread, but without its runtime: the callbacks are here), so that each access is seen (memory.cpp says which race).
// Threads are contexts that take turns at barriers and at strong operations, in random order. The blocks run one after the other,
// or, where some wait for others, all together. Up to the first race, values depend on the order of the threads only where
// strong operations return them, so for kernels without such "a race happens for these arguments" is exact, and elsewhere a
// lower bound. A run in which an index leaves its array (IX) or that takes too long says nothing. Threads of a block that meet
// at different barriers are told as divergent.
// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern char __start_hgrd_shared, __stop_hgrd_shared;
dim3 threadIdx, blockIdx, blockDim, gridDim;
Machine machine;

uint32_t roll(uint32_t sides) {
  machine.random = machine.random * 1664525u + 1013904223u;
  return (machine.random >> 8) % sides;
}

void leave(Outcome outcome) {
  machine.outcome = outcome;
  machine.has_left |= outcome == INVALID;
  _longjmp(machine.scheduler, 1);
}

void spend() {
  machine.work++;
  if (++machine.fuel <= FUEL) return;
  machine.is_spent = true;
  leave(INVALID);
}

void wait_as(Wait wait, void *place) {
  spend();
  Thread &thread = me();
  thread.wait = wait;
  thread.place = place;
  if (_setjmp(machine.fibers[machine.current].at) == 0) _longjmp(machine.scheduler, 1);
}

namespace {

// ---- who waits for whom -------------------------------------------------------------------------

void run_thread() {
  for (;;) {
    machine.kernel();
    me().wait = ENDED;
    machine.fibers[machine.current].is_parked = true;
    if (_setjmp(machine.fibers[machine.current].at) == 0) _longjmp(machine.scheduler, 1);
    machine.fibers[machine.current].is_parked = false;
  }
}

// Ready to run a kernel from its beginning.
void start_fiber(Fiber &fiber) {
  if (fiber.is_started && fiber.is_parked) return;
  fiber.is_started = fiber.is_parked = false;
  fiber.stack.resize(STACK);
  getcontext(&fiber.context);
  fiber.context.uc_stack.ss_sp = fiber.stack.data();
  fiber.context.uc_stack.ss_size = STACK;
  fiber.context.uc_link = nullptr;
  makecontext(&fiber.context, run_thread, 0);
}

void enter_fiber(Fiber &fiber) {
  if (_setjmp(machine.scheduler) != 0) return;
  if (fiber.is_started) _longjmp(fiber.at, 1);
  fiber.is_started = true;
  setcontext(&fiber.context);
}

// What all of them know, and what their fences have made known.
struct Knowledge {
  Clock seen, near, far, told_near, told_far;
};

void learn(Knowledge &all, uint32_t t) {
  const Thread &thread = machine.threads[t];
  Clock now = thread.seen;
  now[t]++;
  join(all.seen, now);
  join(all.near, thread.near);
  join(all.far, thread.far);
  join(all.told_near, thread.told_near);
  join(all.told_far, thread.told_far);
}

// A barrier of the block is a fence for it.
void teach(const Knowledge &all, uint32_t t, bool is_block) {
  Thread &thread = machine.threads[t];
  thread.seen = all.seen;
  thread.near = all.near, thread.far = all.far;
  thread.told_near = all.told_near, thread.told_far = all.told_far;
  if (!is_block) return;
  join(thread.seen, all.near);
  thread.told_near = thread.seen;
}

// The threads of the range that have not ended go on; if the barrier orders memory, each comes after all of them, and after
// those that have ended, which count as having arrived.
void release(Range range, bool orders, bool is_block) {
  Knowledge all;
  int votes = 0;
  machine.work += 4 * (range.to - range.from); // clocks are longer than accesses
  for (uint32_t t = range.from; t < range.to; t++) {
    Thread &thread = machine.threads[t];
    thread.taken = thread.value;
    thread.took_part = thread.wait != ENDED;
    if (thread.took_part) thread.wait = RUNS;
    if (orders) learn(all, t);
    votes += thread.took_part && thread.value != 0;
  }
  for (uint32_t t = range.from; orders && t < range.to; t++) {
    if (machine.threads[t].wait != ENDED) teach(all, t, is_block);
    if (is_block) machine.threads[t].votes = votes; // now: other warps may exchange values before this thread goes on
  }
}

// Do the threads of the range that have not ended all wait in this way? Not where all have ended.
bool all_wait(Range range, Wait wait) {
  const void *place = nullptr;
  bool differs = false;
  for (uint32_t t = range.from; t < range.to; t++) {
    const Thread &thread = machine.threads[t];
    if (thread.wait == ENDED) continue;
    if (thread.wait != wait) return false;
    differs |= place && place != thread.place;
    place = thread.place;
  }
  if (differs) machine.outcome = DIVERGENT;
  return place != nullptr;
}

// The lanes that the thread waits for, if all of them that have not ended wait for each other.
std::vector<uint32_t> group_of(uint32_t t, Range warp) {
  const Thread &thread = machine.threads[t];
  std::vector<uint32_t> group;
  if (thread.wait != AT_LANES && thread.wait != AT_GIFT) return group;
  for (uint32_t u = warp.from; u < warp.to; u++) {
    const Thread &other = machine.threads[u];
    if (!(thread.lanes >> (u - warp.from) & 1) || other.wait == ENDED) continue;
    if (other.wait != thread.wait || other.lanes != thread.lanes) return {};
    group.push_back(u);
  }
  return group;
}

// The lanes of one mask go on.
bool release_lanes(Range warp) {
  std::vector<uint32_t> group;
  for (uint32_t t = warp.from; t < warp.to && group.empty(); t++)
    group = group_of(t, warp);
  if (group.empty()) return false;
  bool orders = machine.threads[group[0]].wait == AT_LANES;
  for (uint32_t t = warp.from; t < warp.to; t++)
    machine.threads[t].took_part = false;
  Knowledge all;
  for (uint32_t t : group)
    learn(all, t);
  for (uint32_t t : group) {
    Thread &thread = machine.threads[t];
    if (orders) teach(all, t, false);
    thread.taken = thread.value;
    thread.took_part = true;
    thread.wait = RUNS;
  }
  return true;
}

Arrivals &arrivals_at(uint32_t t, uint32_t name) { return machine.arrivals[t / machine.block_threads * NAMED + name]; }

// Those that wait at the numbered barrier of this thread, if as many have come as it expects.
bool release_named(uint32_t t) {
  const Thread &first = machine.threads[t];
  if (first.wait != AT_NAMED) return false;
  std::vector<uint32_t> group;
  Range block = block_of(t);
  for (uint32_t u = block.from; u < block.to; u++)
    if (machine.threads[u].wait == AT_NAMED && machine.threads[u].name == first.name) group.push_back(u);
  Arrivals &arrivals = arrivals_at(t, first.name);
  if (group.size() + arrivals.count < first.expected) return false;
  Knowledge all;
  for (uint32_t u : group)
    learn(all, u);
  join(all.seen, arrivals.clock);
  arrivals = {};
  for (uint32_t u : group) {
    teach(all, u, false);
    machine.threads[u].wait = RUNS;
  }
  return true;
}

// What some thread waits for, a bit for each Wait.
uint32_t all_waits() {
  uint32_t waits = 0;
  for (const Thread &thread : machine.threads)
    waits |= 1u << thread.wait;
  return waits;
}

bool release_warp(Range warp) {
  bool any = release_lanes(warp);
  for (Wait wait : {AT_WARP, AT_EXCHANGE})
    if (all_wait(warp, wait)) {
      release(warp, wait == AT_WARP, false);
      any = true;
    }
  return any;
}

bool release_some(uint32_t waits) {
  uint32_t count = (uint32_t)machine.threads.size();
  bool any = false;
  if (waits & (1u << AT_LANES | 1u << AT_GIFT | 1u << AT_WARP | 1u << AT_EXCHANGE))
    for (uint32_t from = 0; from < count; from = warp_of(from).to)
      any |= release_warp(warp_of(from));
  for (uint32_t t = 0; waits >> AT_NAMED & 1 && t < count; t++)
    any |= release_named(t);
  for (uint32_t from = 0; waits >> AT_BLOCK & 1 && from < count; from += machine.block_threads)
    if (all_wait(block_of(from), AT_BLOCK)) {
      release(block_of(from), true, true);
      any = true;
    }
  return any;
}

// ---- turns --------------------------------------------------------------------------------------

void start_thread(Thread &thread, uint32_t block, uint32_t number, size_t width) {
  thread.seen.assign(width, 0);
  for (Clock *clock : {&thread.near, &thread.far})
    clock->assign(width, 0);
  thread.told_near.clear(), thread.told_far.clear();
  thread.index = dim3(number % blockDim.x, number / blockDim.x % blockDim.y, number / blockDim.x / blockDim.y);
  thread.block = block;
  thread.wait = RUNS;
  thread.value = thread.taken = 0;
  thread.took_part = false;
  thread.is_slow = roll(6) == 0;
  thread.groups = 0;
}

void start_blocks(uint32_t first, uint32_t blocks) {
  uint32_t slow = roll(2 * blocks);
  machine.threads.resize(blocks * machine.block_threads);
  machine.arrivals.assign(blocks * NAMED, {});
  while (machine.fibers.size() < machine.threads.size())
    machine.fibers.emplace_back();
  for (uint32_t t = 0; t < machine.threads.size(); t++) {
    start_thread(machine.threads[t], first + t / machine.block_threads, t % machine.block_threads, 2 * machine.threads.size());
    start_fiber(machine.fibers[t]);
    machine.threads[t].is_slow |= blocks > 1 && t / machine.block_threads == slow;
  }
}

bool has_stopped() { return machine.outcome != CLEAN && !(machine.tells && machine.outcome == RACE); }

void let_run(uint32_t t) {
  Thread &thread = machine.threads[t];
  machine.current = t;
  show_block(t / machine.block_threads);
  threadIdx = thread.index;
  blockIdx = dim3(thread.block % gridDim.x, thread.block / gridDim.x % gridDim.y, thread.block / gridDim.x / gridDim.y);
  enter_fiber(machine.fibers[t]);
}

// Lets the threads run, from a random one on, until each waits or has ended. False where all have ended.
bool run_round() {
  uint32_t count = (uint32_t)machine.threads.size(), first = roll(count);
  bool is_alive = false;
  for (uint32_t i = 0; i < count && !has_stopped(); i++) {
    uint32_t t = (first + (machine.is_backward ? count - i : i)) % count;
    Thread &thread = machine.threads[t];
    bool waits = thread.is_slow && roll(8);
    while (thread.wait == RUNS && !waits && !has_stopped()) {
      let_run(t);
      if (roll(2)) break; // where it gave way at a strong operation
    }
    is_alive |= thread.wait != ENDED;
  }
  return is_alive;
}

// Some wait for what the others never reach. A barrier that expects too many says nothing of those of the block.
Outcome stuck() {
  for (const Thread &thread : machine.threads)
    if (thread.wait == AT_NAMED) return INVALID;
  return DIVERGENT;
}

// Blocks that all live at the same time.
void run_blocks(uint32_t first, uint32_t blocks) {
  start_blocks(first, blocks);
  while (!has_stopped() && run_round()) {
    uint32_t waits = all_waits();
    // Where blocks run together, the one that waits at a barrier does not wait for the others.
    if (!release_some(waits) && !(waits >> RUNS & 1)) machine.outcome = stuck();
  }
}

} // namespace

// ---- all arguments ------------------------------------------------------------------------------

Outcome run_grid(dim3 grid, dim3 block, void (*kernel)(), bool together) {
  gridDim = grid;
  blockDim = block;
  machine.block_threads = block.x * block.y * block.z;
  machine.kernel = kernel;
  machine.outcome = CLEAN;
  machine.fuel = together ? FUEL / 2 : 0; // who waits for ever, waits long
  machine.is_spent = false;
  machine.runs = true;
  uint32_t count = grid.x * grid.y * grid.z, first = roll(count);
  start_memory(together ? count : 1);
  if (together) run_blocks(0, count);
  for (uint32_t i = 0; !together && i < count && !has_stopped(); i++)
    run_blocks((first + i) % count, 1);
  show_block(0);
  machine.runs = false;
  return machine.outcome;
}

int *array(char name, size_t length) {
  static int all[ALL];
  static size_t used = 0;
  int *made = all + used;
  used += length;
  if (used > ALL) abort();
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
  machine.has_left = false;
  for (const Array &array : machine.arrays)
    fill((int *)array.begin, (int *)array.end, array.name == 'c' || array.name == 'f' ? 0 : trial);
  fill((int *)&__start_hgrd_shared, (int *)&__stop_hgrd_shared, trial);
  tried.reset();
  return tried.run();
}

} // namespace

// Small arguments first: a kernel that takes long is not tried with all of them, and then is not called clean without reserve.
void try_all(const char *name, const Tried &tried) {
  enum { PATIENCE = 10, WORK = 4000000 };
  static const char *const words[] = {"clean", "race", "divergent", "invalid"};
  int counts[4] = {0, 0, 0, 0}, spent = 0, at_n = 0, at_m = 0;
  machine.work = 0;
  for (int n = 1; n <= MAX_N; n++)
    for (int m = 0; m <= MAX_M; m++)
      for (int trial = 0; trial < TRIALS && !counts[RACE]; trial++) {
        if (spent >= PATIENCE || machine.work > WORK) {
          counts[INVALID]++;
          continue;
        }
        counts[run_once(tried, trial, n, m, 0)]++;
        spent += machine.is_spent;
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
      if (run_once(tried, trial, n, m, order) == INVALID || machine.has_left) printf("%s invalid\n", name);
}
