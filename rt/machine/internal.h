// The machine: what its files share. A launch is a Grid of Blocks of Threads, each thread a context with a stack of its own
// (fibers.c); schedule.c says who goes on, gates.c and warps.c where threads wait for each other, access.c what detectors are told,
// library_*.c what functions of CUDA do. All of it runs on the host thread that launches, one launch at a time (run_launch.c); so
// there is one machine, rt_machine, and nothing in it needs a lock.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_RT_MACHINE_INTERNAL_H
#define HGRD_RT_MACHINE_INTERNAL_H

#include "rt/code.h"
#include "rt/contract.h"
#include "rt/machine.h"

enum { WARP = 32, BLOCK_THREADS_MOST = 1024, NAMED_BARRIERS = 16, NO_LIMIT = 0, DIVERGENT_MOST = 32 };
#define FULL_MASK 0xffffffffu

// ---- numbers.c
void coordinates(const uint32_t size[3], uint32_t number, uint32_t out[3]);
extern const RtPlace place_nowhere;
static inline const RtPlace *place_numbered(uint32_t number) {
  return number < hgrd_image.place_count ? &hgrd_image.places[number] : &place_nowhere;
}

// ---- fibers.c
typedef struct Fiber {
  void *stack_pointer; // while it does not run
  unsigned char *low, *high;
  struct Fiber *next;
} Fiber;
Fiber *fiber_take(void (*body)(void)); // starts in `body`, which never returns; NULL: no memory
void fiber_give(Fiber *fiber);         // it will not go on
void fiber_switch(void **from, void *to);
void fibers_drop(void);

// ---- threads and what they wait for
typedef enum ThreadState { THREAD_NEW, THREAD_READY, THREAD_WAITING, THREAD_DONE } ThreadState;
typedef enum WaitKind { WAIT_NONE, WAIT_GATE, WAIT_WARP, WAIT_CONVERGED, WAIT_OBJECT } WaitKind;

// Operations of a warp.
typedef enum WarpOp {
  WARP_SYNC,
  WARP_SHUFFLE,
  WARP_SHUFFLE_UP,
  WARP_SHUFFLE_DOWN,
  WARP_SHUFFLE_XOR,
  WARP_ALL,
  WARP_ANY,
  WARP_UNI,
  WARP_BALLOT,
  WARP_MATCH_ANY,
  WARP_MATCH_ALL,
  WARP_ADD,
  WARP_MIN,
  WARP_MAX,
  WARP_UMIN,
  WARP_UMAX,
  WARP_AND,
  WARP_OR,
  WARP_XOR,
  WARP_ACTIVE
} WarpOp;

// A barrier in two halves: who has arrived, and how often all have.
typedef struct Gate {
  RtBarrierKind kind;
  const char *name;               // as it is told: "__syncthreads"
  uint32_t phase, arrived, count; // count: of those that are awaited; NO_LIMIT: all that have not ended
  uint32_t reduced_count;         // of the phase that is over: predicates that held
  uint32_t votes;                 // of the phase that goes on
  uint32_t voters, reduced_voters;
  RtThread *who;               // that arrived
  uint32_t place, other_place; // of the first arrival in the phase, and of one elsewhere; 0: all at one place
  uint32_t who_capacity;
  uint32_t first, lanes; // the threads of the block that it is for; lanes 0: all
} Gate;

struct Block;
typedef struct Thread { // begin_thread sets what is not set before it is used
  RtLane lane;          // first: hgrd_lane points to it
  struct Block *block;  // this and the sizes of the lane stay as long as the block's memory does
  RtThread id;
  Fiber *fiber;
  ThreadState state;
  WaitKind wait;
  Gate *gate; // that it waits at
  uint32_t gate_phase;
  const uint64_t *object; // a barrier object that it waits at
  WarpOp op;
  uint32_t mask, selector, width;
  uint64_t value, result;
  uint32_t result_flag;
  uint32_t copy_group;       // of asynchronous copies: how many groups it has committed
  uint32_t arrival_phase[3]; // of its block, cluster and grid gates: when it arrived last
} Thread;

typedef struct WarpLanes { // bits of a warp's lanes
  uint32_t came;           // that wait in an operation that names lanes in a mask
  uint32_t ended;          // or are none of the block
} WarpLanes;

typedef struct Block {
  uint32_t number, live, count;
  uint32_t begun; // threads, in the order of the schedule; of the others nothing is filled in but `block`
  uint32_t at[3]; // in the grid
  uint32_t lanes_converging; // that wait for those that come to their place with them
  WarpLanes warps[BLOCK_THREADS_MOST / WARP];
  uint32_t arrivals; // at its own gates, of phases that go on
  Thread *threads;
  unsigned char *shared;
  Gate gates[NAMED_BARRIERS];
  Gate halves; // barrier_arrive and barrier_wait
  Gate *tiles; // of groups wider than a warp; NULL until one is used
  struct Cluster *cluster;
  struct Block *next; // resident ones
} Block;

typedef struct Cluster {
  uint32_t number, live;
  Gate gate;
  struct Cluster *next;
} Cluster;

typedef struct AsyncCopy { // that is under way
  Thread *thread;          // that issued it
  void *to;
  const void *from;
  uint64_t bytes, zeros; // the last `zeros` of them are not read
  uint64_t *barrier;     // that it completes on, in `phase` of it; NULL: its thread waits for its group
  uint64_t phase;
  uint32_t place, group;
  bool is_told;
} AsyncCopy;

typedef enum ScheduleKind { SCHEDULE_IN_ORDER, SCHEDULE_REVERSED, SCHEDULE_SEEDED } ScheduleKind;
typedef struct Settings {
  ScheduleKind schedule;
  uint32_t seed, timeout;
  const char *detector, *seen, *record; // names; NULL: the usual one, no file
  bool is_again;                        // the output of the program was shown by an earlier run
  char text[4608];                      // HGRD_RUN, with the longest path in it
} Settings;

typedef struct Machine {
  Settings settings;
  // the launch that is under way
  const RtRequest *request;
  RtLaunch launch;
  const RtDetectorKind *kind;
  RtDetector *detector;
  Thread *current; // NULL: the scheduler runs
  void *scheduler; // its stack pointer
  RtOutcome outcome;
  bool is_over; // no thread is to go on
  uint32_t threads_per_block, next_block, block_count, resident_count, resident_target;
  uint64_t shared_bytes, dynamic_offset;
  Block *resident, *spare; // spare: that have ended
  Cluster *clusters;
  Gate grid_gate;
  uint64_t live;  // threads of resident blocks, and of those to come
  Thread **ready; // an entry of a thread that has not begun stands for all of its block that have not
  uint32_t ready_first, ready_entries, ready_capacity;
  uint32_t ready_count; // threads
  RtSite **sites;       // that are not empty
  uint32_t site_count, site_capacity;
  const struct RtMemoryRegion *region;
  AsyncCopy *copies;
  uint32_t copy_count, copy_capacity;
  uint32_t turn;     // steps that the current thread was given
  uint64_t ticks;    // of clock(), before the turn of the current thread began
  uint32_t patience; // threads that have run through their share since something else happened
  uint64_t random;
  // of the whole run
  long process;                          // that has begun: a child that it forks has nothing to tell
  uint64_t launches, faults, bytes_most; // faults: threads that cannot go on, accesses out of bounds
  uint64_t watched;                      // accesses of this launch
  uint64_t met, ticks_before;            // steps of it that were no accesses left out; ticks when it began
  struct RtReport *report;
  uint64_t divergent[DIVERGENT_MOST]; // pairs of places that are told
  uint32_t divergent_count;
  bool is_silent; // what is reported now was told by an earlier schedule
} Machine;
extern Machine rt_machine;

// ---- settings.c
void settings_read(Settings *out);

// ---- schedule.c
void schedule_begin(void);
bool schedule_add_block(void); // false: no memory
void schedule_run(void);       // until all have ended, or none can go on
void thread_wait(void);        // the current one, whose wait and state are filled in, until thread_wake
void thread_wake(Thread *thread);
void thread_preempt(void);
void threads_wake(Thread **threads, uint32_t count); // several, in the order of the schedule
static inline uint32_t order_of(const Block *block,
                                uint32_t thread) { // of the schedule, but for a seeded one
  return rt_machine.settings.schedule == SCHEDULE_REVERSED ? block->count - 1 - thread : thread;
}
static inline ThreadState thread_state(const Thread *thread) {
  const Block *block = thread->block;
  return order_of(block, (uint32_t)(thread - block->threads)) < block->begun ? thread->state : THREAD_NEW;
}
uint64_t random_next(void);
void machine_stop(RtOutcome outcome) __attribute__((noreturn)); // from a thread
uint32_t share_of_thread(void);

// ---- gates.c
void gate_open(Gate *gate, RtBarrierKind kind, const char *name);
void gate_close(Gate *gate);
uint32_t gate_arrive(Gate *gate, uint32_t expected, bool votes, bool vote); // the phase that it arrived in
void gate_await(Gate *gate, uint32_t phase);
void gates_thread_ended(Thread *thread);
Gate *gate_of_tile(Thread *thread, uint32_t lanes); // more than a warp has
void gates_close_tiles(Block *block);

// ---- warps.c
uint64_t warp_meet(WarpOp op, uint32_t mask, uint64_t value, uint32_t selector, uint32_t width,
                   uint32_t *flag);
uint64_t warp_converged(WarpOp op, uint64_t value, uint32_t selector,
                        uint32_t width); // of those that come to this place together
void warp_thread_ended(Thread *thread);
// Lanes that wait for others to converge need not wait longer, where no lane of the warp can run, or if so it is said.
void warp_settle(Thread *thread, bool is_forced);
static inline uint32_t lane_number(const Thread *thread) {
  return thread->id.thread % WARP;
}

// ---- access.c
void access_tell(const void *address, uint32_t bytes, RtAccessKind kind, uint32_t place, const void *before,
                 const void *after, uint32_t flags, RtScope scope, RtOrder order, uint32_t lock_form);
enum { LOCK_FORM_CAS = 1, LOCK_FORM_EXCHANGE = 2 };
void access_check(const void *address, uint32_t bytes,
                  bool is_write); // ends the launch where no object holds it
void access_step(void);           // a thread has done something: it may be another one's turn
void fence_tell(RtScope scope, RtOrder order);
uint64_t atomic_apply(void *address, uint32_t operation, uint32_t bytes, uint64_t operand, RtScope scope,
                      RtOrder order);
uint64_t atomic_swap_if(void *address, uint32_t bytes, uint64_t expected, uint64_t desired, RtScope scope,
                        RtOrder order);

// ---- sites.c
bool access_is_told(uint32_t flags);
bool site_knows(RtSite *site, const void *address, uint32_t flags);
void site_learn(RtSite *site, uint64_t low, uint64_t size, uint32_t bytes, uint32_t flags); // an object
void sites_forget(void);

// ---- kernel_copies.c
void copy_begin(void *to, const void *from, uint64_t bytes, uint64_t zeros);
void copy_begin_on(void *to, const void *from, uint64_t bytes, uint64_t *barrier);
void copies_commit(void);
void copies_await(uint32_t newest_groups_left);
void copies_await_all(void);
void copies_of_object_over(const uint64_t *barrier); // its phase is over
void copies_thread_ends(void);                       // the current one
void copies_forget(void);                            // a launch begins
void copies_meet(const RtAccess *access);            // tells if it touches what is under way

// ---- barrier objects in memory (library_objects.c): the phase that goes on
enum { OBJECT_PHASE_AT = 60 };
static inline uint64_t object_phase(const uint64_t *object) {
  RT_ASSERT(object);
  return *object >> OBJECT_PHASE_AT;
}

// ---- library_sync.c
RtScope scope_of_number(int scope); // IrScope, IrOrder: what the bundled declarations give
RtOrder order_of_number(int order);

// ---- told.c
void told_race(void *context, const RtRace *race);
void told_stuck(void);
void told_divergence(const Gate *gate, RtThread who); // a barrier that was come to at two places
bool told_open(void);
void told_fault(const char *what); // of the current thread, at its last access
void told_stop(const char *what);  // it ended the launch itself
void told_outside(const void *address, uint32_t bytes, bool is_write, uint32_t place);
bool told_anything(void); // that the exit status tells
void told_at_end(void);

// ---- record.c
void record_race(const RtRace *race, const char *schedule); // as JSON, if it is asked for

// ---- faults.c
void crash_watch(bool is_on); // faults are those of kernels

#endif
