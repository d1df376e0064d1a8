// Which thread goes on? A queue of those that can: in order, reversed, or by a generator of numbers that starts from the seed, which
// also cuts the turns short; so a run with a seed can be had again. Turns end after so many accesses at the latest, and who was
// preempted goes to the end: a thread that spins lets the others on. Blocks come one after another; when all that can go on have
// used up a turn (they may wait for a block that has not begun) one more comes. A cooperative launch has all of its blocks at once.
// Under-approximates: sequentially consistent, and few of the schedules that there are.
// SPDX-License-Identifier: Apache-2.0
#include "rt/machine/internal.h"
#include "rt/contract.h"

#include <stdlib.h>
#include <string.h>

enum { TURN = 20000, SEEDED_TURN = 64, SEEDED_BLOCKS = 4 };

uint64_t random_next(void) { // xorshift64*
  uint64_t x = rt_machine.random;
  x ^= x >> 12, x ^= x << 25, x ^= x >> 27;
  rt_machine.random = x;
  return x * UINT64_C(2685821657736338717) >> 16;
}

uint32_t share_of_thread(void) {
  if (rt_machine.settings.schedule != SCHEDULE_SEEDED) return TURN;
  // now and then a long one: a thread may come through where the others stand
  uint64_t number = random_next();
  return number % 8 == 0 ? TURN : 1 + (uint32_t)(number / 8 % SEEDED_TURN);
}

// ---- the queue

static uint32_t queue_at(uint32_t number) { // the capacity is a power of two
  return (rt_machine.ready_first + number) & (rt_machine.ready_capacity - 1);
}

static bool queue_reserve(uint32_t count) {
  if (count <= rt_machine.ready_capacity) return true;
  uint32_t capacity = rt_machine.ready_capacity ? rt_machine.ready_capacity : 1024;
  while (capacity < count)
    capacity *= 2;
  Thread **more = malloc(capacity * sizeof(Thread *));
  if (!more) return false;
  for (uint32_t i = 0; i < rt_machine.ready_entries; i++)
    more[i] = rt_machine.ready[queue_at(i)];
  free(rt_machine.ready);
  rt_machine.ready = more;
  rt_machine.ready_capacity = capacity;
  rt_machine.ready_first = 0;
  return true;
}

static void queue_put(Thread *thread) {
  rt_machine.ready[queue_at(rt_machine.ready_entries++)] = thread;
  rt_machine.ready_count++;
}

// What operations fill in before it is read is left as it was: this is a good part of what a short thread costs.
static void begin_thread(Block *block, uint32_t number) {
  Thread *thread = &block->threads[number];
  memcpy(thread->lane.block, block->at, sizeof thread->lane.block);
  thread->lane.place = thread->lane.last = 0;
  thread->id = (RtThread){block->number, number};
  thread->fiber = NULL;
  thread->state = THREAD_NEW;
  thread->wait = WAIT_NONE;
  thread->copy_group = 0;
  memset(thread->arrival_phase, 0, sizeof thread->arrival_phase);
  block->begun++;
}

static Thread *entry_taken(uint32_t at) {
  rt_machine.ready_first = queue_at(1);
  rt_machine.ready_entries--;
  return rt_machine.ready[at];
}

static Thread *queue_take(void) {
  uint32_t first = rt_machine.ready_first;
  if (rt_machine.settings.schedule == SCHEDULE_SEEDED) {
    uint32_t other = queue_at((uint32_t)(random_next() % rt_machine.ready_entries));
    Thread *chosen = rt_machine.ready[other];
    rt_machine.ready[other] = rt_machine.ready[first];
    rt_machine.ready[first] = chosen;
  }
  rt_machine.ready_count--;
  Thread *thread = rt_machine.ready[first];
  Block *block = thread->block;
  uint32_t number = (uint32_t)(thread - block->threads);
  if (order_of(block, number) < block->begun) return entry_taken(first);
  begin_thread(block, number);
  if (block->begun == block->count) return entry_taken(first);
  rt_machine.ready[first] = &block->threads[order_of(block, block->begun)];
  return thread;
}

void thread_wake(Thread *thread) {
  RT_ASSERT(thread && thread->state == THREAD_WAITING);
  RT_ASSERT(thread->wait != WAIT_NONE);
  if (thread->wait == WAIT_WARP)
    thread->block->warps[thread->id.thread / WARP].came &= ~(1u << lane_number(thread));
  thread->block->lanes_converging -= thread->wait == WAIT_CONVERGED;
  thread->state = THREAD_READY;
  thread->wait = WAIT_NONE;
  rt_machine.patience = 0;
  queue_put(thread);
}

void threads_wake(Thread **threads, uint32_t count) {
  RT_ASSERT(threads || !count);
  RT_ASSERT(count <= WARP);
  bool is_reversed = rt_machine.settings.schedule == SCHEDULE_REVERSED;
  for (uint32_t i = 0; i < count; i++)
    thread_wake(threads[is_reversed ? count - 1 - i : i]);
}

// ---- blocks

static void set_lane(Thread *thread, Block *block) {
  const RtRequest *request = rt_machine.request;
  thread->block = block;
  memcpy(thread->lane.block_size, request->block, sizeof request->block);
  memcpy(thread->lane.grid_size, request->grid, sizeof request->grid);
  coordinates(request->block, (uint32_t)(thread - block->threads), thread->lane.thread);
  thread->lane.shared = block->shared;
  thread->lane.dynamic_shared = block->shared + rt_machine.dynamic_offset;
}

static uint32_t cluster_of(uint32_t block) {
  const RtRequest *request = rt_machine.request;
  uint32_t at[3], size[3], count[3];
  coordinates(request->grid, block, at);
  for (int i = 0; i < 3; i++) {
    size[i] = request->cluster[i] ? request->cluster[i] : 1;
    count[i] = (request->grid[i] + size[i] - 1) / size[i];
    at[i] /= size[i];
  }
  return at[0] + count[0] * (at[1] + count[1] * at[2]);
}

static Cluster *cluster_for(uint32_t block) {
  uint32_t number = cluster_of(block);
  for (Cluster *cluster = rt_machine.clusters; cluster; cluster = cluster->next)
    if (cluster->number == number) return cluster;
  Cluster *made = calloc(1, sizeof *made);
  if (!made) return NULL;
  made->number = number;
  for (uint32_t i = 0; i < rt_machine.block_count; i++)
    if (cluster_of(i) == number) made->live += rt_machine.threads_per_block;
  gate_open(&made->gate, RT_BARRIER_CLUSTER, "cluster.sync");
  made->next = rt_machine.clusters;
  rt_machine.clusters = made;
  return made;
}

static bool has_clusters(void) {
  const uint32_t *size = rt_machine.request->cluster;
  return (uint64_t)size[0] * size[1] * size[2] > 1;
}

static void free_block(Block *block) {
  free(block->threads);
  free(block->shared);
  free(block);
}

static Block *allocate_block(void) {
  uint32_t count = rt_machine.threads_per_block;
  Block *block = calloc(1, sizeof *block);
  if (!block) return NULL;
  block->threads = calloc(count, sizeof *block->threads);
  block->shared = aligned_alloc(128, (rt_machine.shared_bytes + 255) / 128 * 128);
  if (!block->threads || !block->shared) {
    free_block(block);
    return NULL;
  }
  for (uint32_t i = 0; i < count; i++)
    set_lane(&block->threads[i], block);
  return block;
}

// One that has ended is taken again: its threads are where they were.
static Block *take_block(void) {
  Block *block = rt_machine.spare;
  if (!block) return allocate_block();
  rt_machine.spare = block->next;
  return block;
}

static Block *make_block(uint32_t number) {
  uint32_t count = rt_machine.threads_per_block;
  Cluster *cluster = has_clusters() ? cluster_for(number) : NULL;
  if (has_clusters() && !cluster) return NULL;
  Block *block =
      queue_reserve(rt_machine.ready_count + (rt_machine.resident_count + 1) * count) ? take_block() : NULL;
  if (!block) return NULL;
  *block = (Block){.number = number,
                   .live = count,
                   .count = count,
                   .threads = block->threads,
                   .shared = block->shared,
                   .cluster = cluster};
  if (count % WARP) block->warps[count / WARP].ended = FULL_MASK << count % WARP;
  coordinates(rt_machine.request->grid, number, block->at);
  memset(block->shared, 0xa5, rt_machine.shared_bytes); // nobody has written it
  for (int i = 0; i < NAMED_BARRIERS; i++)
    gate_open(&block->gates[i], RT_BARRIER_BLOCK, i ? "a named barrier" : "__syncthreads");
  gate_open(&block->halves, RT_BARRIER_BLOCK, "barrier_wait");
  return block;
}

// Threads begin when it is their turn. By a seed any of them may be the next one, so that each has an entry of its own.
static void queue_block(Block *block) {
  if (rt_machine.settings.schedule != SCHEDULE_SEEDED) {
    queue_put(&block->threads[order_of(block, 0)]);
    rt_machine.ready_count += block->count - 1;
    return;
  }
  for (uint32_t i = 0; i < block->count; i++) {
    begin_thread(block, i);
    queue_put(&block->threads[i]);
  }
}

bool schedule_add_block(void) {
  RT_ASSERT(rt_machine.request);
  RT_ASSERT(rt_machine.next_block < rt_machine.block_count);
  bool is_reversed = rt_machine.settings.schedule == SCHEDULE_REVERSED;
  uint32_t number = is_reversed ? rt_machine.block_count - 1 - rt_machine.next_block : rt_machine.next_block;
  Block *block = make_block(number);
  if (!block) return false;
  rt_machine.next_block++;
  rt_machine.resident_count++;
  block->next = rt_machine.resident;
  rt_machine.resident = block;
  if (rt_machine.detector && rt_machine.kind->block_begins)
    rt_machine.kind->block_begins(rt_machine.detector, number, (uint64_t)(uintptr_t)block->shared);
  queue_block(block);
  return true;
}

static void drop_block(Block *block) {
  Block **at = &rt_machine.resident;
  while (*at != block)
    at = &(*at)->next;
  *at = block->next;
  for (int i = 0; i < NAMED_BARRIERS; i++)
    gate_close(&block->gates[i]);
  gate_close(&block->halves);
  gates_close_tiles(block);
  for (uint32_t i = 0; i < block->begun; i++) {
    Thread *thread = &block->threads[order_of(block, i)];
    if (thread->fiber) fiber_give(thread->fiber);
  }
  block->next = rt_machine.spare;
  rt_machine.spare = block;
  if (rt_machine.resident_target > 1) sites_forget(); // its shared memory is nobody's now
  rt_machine.resident_count--;
}

static void end_block(Block *block) {
  if (rt_machine.detector && rt_machine.kind->block_ends)
    rt_machine.kind->block_ends(rt_machine.detector, block->number);
  drop_block(block);
}

// ---- threads

static bool wants_block(void) {
  if (rt_machine.next_block == rt_machine.block_count) return false;
  if (rt_machine.resident_count < rt_machine.resident_target || rt_machine.ready_count == 0) return true;
  return rt_machine.patience > rt_machine.ready_count;
}

static void stop_for_memory(void) {
  rt_machine.is_over = true;
  rt_machine.outcome = RT_NO_MEMORY;
}

// Whose turn it is; NULL if none can go on.
static Thread *next_thread(void) {
  while (!rt_machine.is_over && wants_block()) {
    rt_machine.patience = 0;
    if (!schedule_add_block()) stop_for_memory();
  }
  return rt_machine.is_over || rt_machine.ready_count == 0 ? NULL : queue_take();
}

static void turn_begins(Thread *thread) {
  thread->lane.budget = rt_machine.turn = share_of_thread();
  thread->state = THREAD_READY;
  rt_machine.current = thread;
  hgrd_lane = &thread->lane;
}

static void turn_ends(const Thread *thread) {
  rt_machine.ticks += rt_machine.turn - thread->lane.budget;
  rt_machine.current = NULL;
}

static void body(void);

// From thread to thread, and to the scheduler when there is none.
static void go_on(void **from, Thread *next) {
  if (next && next->state == THREAD_NEW && !(next->fiber = fiber_take(body))) {
    stop_for_memory();
    next = NULL;
  }
  if (next) turn_begins(next);
  fiber_switch(from, next ? next->fiber->stack_pointer : rt_machine.scheduler);
}

static void leave(Thread *thread) {
  turn_ends(thread);
  Thread *next = next_thread();
  if (next == thread)
    turn_begins(thread);
  else
    go_on(&thread->fiber->stack_pointer, next);
}

static void thread_ended(Thread *thread) {
  Block *block = thread->block;
  thread->state = THREAD_DONE;
  thread->fiber = NULL;
  block->live--;
  rt_machine.live--;
  rt_machine.patience = 0;
  if (block->cluster) block->cluster->live--;
  warp_thread_ended(thread);
  gates_thread_ended(thread);
  if (block->live == 0) end_block(block);
}

// A stack goes from a thread that has ended to the next one that has not begun.
static void body(void) {
  for (;;) {
    Thread *thread = rt_machine.current;
    Fiber *fiber = thread->fiber;
    rt_machine.request->kernel->run(rt_machine.request->arguments);
    copies_thread_ends();
    turn_ends(thread);
    thread_ended(thread);
    Thread *next = next_thread();
    if (next && next->state == THREAD_NEW) {
      next->fiber = fiber;
      turn_begins(next);
      continue;
    }
    fiber_give(fiber);
    go_on(&fiber->stack_pointer, next);
  }
}

void thread_wait(void) {
  RT_ASSERT(rt_machine.current);
  Thread *thread = rt_machine.current;
  if (thread->state == THREAD_WAITING) warp_settle(thread, false);
  leave(thread);
}

void thread_preempt(void) {
  RT_ASSERT(rt_machine.current);
  Thread *thread = rt_machine.current;
  rt_machine.patience++;
  if (rt_machine.patience > rt_machine.ready_count)
    warp_settle(thread, true); // who runs may wait for those that wait
  queue_put(thread);
  leave(thread);
}

void machine_stop(RtOutcome outcome) {
  RT_ASSERT(rt_machine.current);
  Thread *thread = rt_machine.current;
  rt_machine.outcome = outcome;
  rt_machine.is_over = true;
  leave(thread);
  __builtin_unreachable();
}

void schedule_begin(void) {
  RT_ASSERT(rt_machine.request && !rt_machine.resident);
  bool is_seeded = rt_machine.settings.schedule == SCHEDULE_SEEDED;
  rt_machine.random = ((uint64_t)rt_machine.settings.seed << 32 | (rt_machine.launches & 0xffffffff)) *
                          UINT64_C(0x9e3779b97f4a7c15) +
                      1;
  rt_machine.next_block = rt_machine.resident_count = rt_machine.patience = 0;
  rt_machine.resident_target = is_seeded ? 1 + (uint32_t)(random_next() % SEEDED_BLOCKS) : 1;
  if (rt_machine.request->is_cooperative || has_clusters())
    rt_machine.resident_target = rt_machine.block_count;
  rt_machine.ready_first = rt_machine.ready_entries = rt_machine.ready_count = 0;
  copies_forget();
  sites_forget();
  gate_open(&rt_machine.grid_gate, RT_BARRIER_GRID, "grid.sync");
}

static void drop_all(void) {
  while (rt_machine.resident)
    drop_block(rt_machine.resident);
  for (Cluster *cluster; (cluster = rt_machine.clusters) != NULL;) {
    rt_machine.clusters = cluster->next;
    gate_close(&cluster->gate);
    free(cluster);
  }
  for (Block *block; (block = rt_machine.spare) != NULL;) {
    rt_machine.spare = block->next;
    free_block(block);
  }
  gate_close(&rt_machine.grid_gate);
}

void schedule_run(void) {
  RT_ASSERT(!rt_machine.current);
  Thread *first = next_thread();
  if (first) go_on(&rt_machine.scheduler, first);
  if (!rt_machine.is_over && rt_machine.live > 0) {
    told_stuck();
    rt_machine.outcome = RT_DEADLOCK;
  }
  drop_all();
}
