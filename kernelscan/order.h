// The door of kernelscan/order/: locks, flags and counters: what orders two accesses besides barriers.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_ORDER_H
#define HGRD_KERNELSCAN_ORDER_H

#include "kernelscan/interval.h"

#include "core/memory_model.h"

// Of order/ alone.
typedef struct CarriedRead CarriedRead;
typedef struct LockSet LockSet;
typedef struct Permissions Permissions;
typedef struct SyncWord SyncWord;

typedef enum OrderVerdict { ORDER_UNKNOWN = 0, ORDER_PROTECTED, ORDER_UNPROTECTED } OrderVerdict;

typedef struct OrderAnswer {
  OrderVerdict verdict;
  const char *cause; // UNPROTECTED: "missing-fence" ...; NULL: nothing to add to the plain race
  const char *text;  // UNPROTECTED: for a note, or NULL; UNKNOWN: the reason
  const SolverAnswer
      *witness;      // UNPROTECTED: a model that keeps clear of what is protected, or NULL: the goal's
  bool is_of_copies; // PROTECTED: asynchronous copies are over as well
  OrderProof proof;  // PROTECTED: by what
} OrderAnswer;

// The thread that acts for its block, most often (0,0,0) (order_leader.c); first lanes of warps beside it;
// the others.
enum { CLASS_LEADER, CLASS_FIRST_LANES, CLASS_OTHERS, CLASS_COUNT };

enum { LOCK_LIMIT = 64 };

// What holds on a CFG edge: `value` stands in relation `pred` to `other`.
typedef struct EdgeTest {
  IrRef value, other;
  IrPred pred;
} EdgeTest;

// An operation that may take a lock: compare-and-swap from the free value, or exchange of another one.
typedef struct LockSite {
  const Access *access;
  int64_t free_value, taken;
  bool is_binary; // the word never holds anything but these two
  Target
      target; // of the lock word, in `anyone`; of several, each under a condition, there is a site for each
  uint32_t choice, choices; // which of how many it is
  IrRef bits;               // the lock is those bits of the word, set with a bit-or; 0: all of it
  ExprRef mask;             // the same in `anyone`
  bool is_shared;           // several may hold it together, but not with one who holds it alone
  bool is_disciplined;      // the free value is only written by who holds the lock
  bool is_released;         // somewhere in the kernel
  bool is_counted;          // taken by who counts it up from 0: order_counted.c
  bool is_asked;            // looked at under another lock, by who raises it then: order_once_locked.c
  bool is_opened;           // taken at the start; somebody who does not hold it sets it free once
  bool is_fixed;            // the address does not change while the thread runs
  bool is_of_block;         // nor is it different for threads of one block
  bool is_of_warp;          // nor for lanes of one warp, in one round if it is not fixed
  uint32_t breaking_inst;   // not disciplined: because of this write
  // A word that says whose turn it is: held from the edge with this test, passed on by any write.
  bool is_turn;
  EdgeTest awaited;
  const Access *draw; // the number that is awaited was drawn by this addition; NULL: it is given otherwise
} LockSite;

// How a value says whether a thread holds a lock.
typedef enum StatusKind {
  STATUS_NONE,
  STATUS_MERGED, // a phi: what the edge says by which its block was entered
  STATUS_CHOSEN, // a select
  STATUS_BOTH,   // an and
  STATUS_EITHER, // an or
  STATUS_HANDED, // a shuffle: what the first lane has handed to all
  STATUS_LOADED  // what the leader has left in shared memory
} StatusKind;

// A value that says whether a thread holds a lock.
typedef struct LockStatus {
  uint32_t inst;
  StatusKind kind;
  bool when;     // its truth value, if the lock is held
  uint32_t site; // of the lock
  // Not a value, but what this store of the leader left in shared memory, as read by this load.
  const Access *store;
  uint32_t load;
} LockStatus;

// By whom, and how, what was read is handed on.
typedef enum Handing {
  HANDED_NOT,
  HANDED_STORED,   // the leader has left it in shared memory, for its block
  HANDED_SHUFFLED, // the first lane has given it to its warp
  HANDED_ANY,      // a barrier of the block says whether somebody brings a true value,
  HANDED_ALL       // or whether all do
} Handing;

// What a thread knows that took this edge: a strong read returned an awaited value, or a counter the last
// number.
typedef struct Signal {
  EdgeTest test;
  uint32_t tested;    // the load or atomic operation whose value is looked at
  uint32_t from, to;  // one such edge
  EdgeTest before[2]; // of a compare-and-swap: its tests on the way to this edge, which is the only one
  uint32_t before_count;
  bool is_direct;     // its value is compared as it is
  bool is_ticket;     // `read` adds one to a counter
  const Access *read; // the strong read
  Handing handed;     // to those who have passed the signal without having read the word,
  IrRef brought;      // as this value of who has,
  uint32_t handed_by; // by this store, shuffle or barrier
  bool is_number;     // which is the very number that was read; else a truth value that is made of it
  bool is_own;        // no barrier of the warp behind the shuffle: only its giver has made the draw
  bool is_carried;    // what was read is looked at later, perhaps in a next round of a loop
  bool is_of_several; // stands for further reads of the same word
  Target target;      // of the word read, in `anyone`
  bool is_fixed, is_of_block, is_of_warp; // as of locks
  bool is_of_round; // another word in each round of the outermost loop that the edge stays in
  uint32_t last,
      change; // generations: signals + 1 of who drew the last number, and of who waited for a change
} Signal;

// A thread in a round of a loop (CFG_NONE: in none).
typedef struct ThreadBeside {
  Frame *frame;
  uint32_t loop;
  ExprRef round;
} ThreadBeside;

// As in Scan: what is kept depends on nothing but what it stands under.
typedef struct Order {
  Scan *scan;
  Frame *anyone, *anyone_else; // one thread; another one, about whom nothing is known
  Frame *strangers[4];         // further ones: `anyone`, `anyone_else`, and two more
  Frame *same_block;           // a thread of the block of one of them
  VEC(ThreadBeside) beside;    // order_thread_beside
  VEC(SyncWord *) words;       // order/words.h
  Frame *classes[CLASS_COUNT];
  uint8_t *is_feasible[CLASS_COUNT]; // by position in cfg->succs: threads of the class may take the edge
  uint8_t *is_reached[CLASS_COUNT];  // by block
  const CarriedRead **carried[CLASS_COUNT]; // by position in cfg->succs; NULL: nothing (order_carried.c)
  Models models[CLASS_COUNT];               // of threads of the class
  // By point: nodes between it and the next barrier of the whole block, or of the whole warp (couple_of);
  // NULL: not asked.
  uint8_t **intervals, **warp_intervals;
  ExprRef leader[3], leader_exists; // its numbers; that a block has one
  uint8_t *leader_known;            // by point: whoever comes there has one (1), perhaps not (2)
  uint32_t lock_count;
  bool has_too_many_locks;
  LockSite locks[LOCK_LIMIT];
  LockSet *must[CLASS_COUNT], *may[CLASS_COUNT]; // by block, at its begin
  uint64_t *takes, *ends, *may_end;              // by instruction: locks it takes, gives back, may give back
  uint64_t *own_end;                             // may give back of those that its own thread holds
  uint64_t turns;                                // sites that say whose turn it is
  uint64_t dropped;                              // turns, and locks that are counted up, that are none
  uint32_t status_count;
  LockStatus statuses[LOCK_LIMIT];
  Permissions *permissions; // order_permissions.c
  uint32_t signal_count;
  Signal signals[LOCK_LIMIT];
  uint64_t *passed[CLASS_COUNT]; // by block, at its begin: signals
  uint8_t
      *warps_meet; // by instruction: a barrier where other lanes acquire what their first one has waited for
  // order_deciding_reads.c, when first asked for:
  uint8_t *taints; // by instruction: on which kinds of reads its value depends (with the locks, all found)
  // By couple (extent and covering) and instruction: kinds that decide whether it is executed, + 1; NULL: none
  // asked.
  uint8_t *gates[EXTENT_COUNT + 1][1 << COVER_LIMIT];
  // By access that releases and access that acquires, in any two threads: may pass (1), cannot (2); order_communication.c.
  uint8_t **passes;
  uint8_t **acquirers;    // by write, and by access: what order_acquirers has found out
  int escapes;            // strong values are handed on: 0 not asked, 1 no, 2 yes
  bool has_strong_access; // volatile, or atomic
  bool has_strong_global; // one that may be to memory that several blocks see
} Order;

// order_decide.c
// Do locks, flags or counters keep the two accesses of the question apart, or is what would do so incomplete?
OrderAnswer order_decide(Scan *scan, const OrderQuestion *question);

// order_get.c
Order *order_get(Scan *scan); // made on first use
// What is made already, for those who work for order_get, or are asked after it.
static inline Order *order_made(const Scan *scan) {
  Order *order = SCAN_STATE_OF(scan, order, Order);
  BUG_UNLESS(order->scan);
  return order;
}

// order_ways.c
// "block scope; the other access is in another block": of an operation that does not reach so far.
const char *order_narrow_words(const Scan *scan, uint32_t inst, IrScope needed); // CFG_NONE: any
// Can control get from behind the one instruction to the other, past no barrier that holds the couple?
bool order_reaches_in(const Scan *scan, uint32_t from, uint32_t to, Couple couple);
bool order_separates(const Scan *scan, uint32_t barrier, Couple couple); // does it hold the couple
const MemoryRules *order_memory_rules(const Scan *scan);                 // of the memory model of the run

// order_signals.c
// Waited for by a loop, or looked at and set with fences.
bool order_is_signal_word(Order *order, const Access *access);

// order_cause_in_run.c
// What is missing between two accesses that race in a run, which suggests a cause, or none (NULL); `text`:
// for the note, NULL: the usual one.
const char *order_cause_in_run(Scan *scan, const Access *const accesses[2], Extent extent, const char *cause,
                               const char **text);

// order_starts.c
// Nobody can take the lock before somebody has set its word free.
bool order_starts_taken(Order *order, const LockSite *site);

// order_lock_discipline.c
// The word of this access is certainly held by whoever comes to it: taken at `*held`.
bool order_holds_word(const Order *order, const Access *access, uint32_t *held);
// Does the instruction end what was taken at the site?
bool order_gives_back(const Order *order, const LockSite *site, uint32_t inst);
// May the thread that makes the write hold the lock, itself or from another one?
bool order_may_hold(Order *order, const LockSite *site, const Access *write);

// order_lockset.c
// Does every thread that comes to the instruction hold the lock (an index into Order.locks)?
bool order_must_hold_at(const Order *order, uint32_t lock, uint32_t inst);

// order_common_lock.c
// Does one lock guard both accesses, as far as that is seen from where they are and from which locks are
// held? The question's goal need not be satisfiable. False: order_by_locks has to be asked.
bool order_is_under_one_lock(Scan *scan, const OrderQuestion *question, OrderProof *proof);

#endif
