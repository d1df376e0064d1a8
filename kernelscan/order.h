// The door of kernelscan/order/: locks, flags and counters: what orders two accesses besides barriers.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_ORDER_H
#define HGRD_KERNELSCAN_ORDER_H

#include "core/memory_model.h"
#include "kernelscan/query.h"
#include "kernelscan/interval.h"
#include "kernelscan/barrier.h"

typedef enum OrderVerdict { ORDER_UNKNOWN = 0, ORDER_PROTECTED, ORDER_UNPROTECTED } OrderVerdict;

// Models of one question that the solver has given: what holds in one of them need not be asked.
enum { MODEL_LIMIT = 6 };

typedef struct OrderModels {
  SolverAnswer items[MODEL_LIMIT];
  uint32_t count; // seen; the latest ones are kept
} OrderModels;

typedef struct OrderQuestion {
  Meeting *meeting;
  const Instance *instances[2];
  const Target *targets[2];
  Extent extent;
  const Goal *goal;    // satisfiable
  const char *name;    // for dumps
  OrderModels *models; // of the goal
} OrderQuestion;

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
  bool is_binary;         // the word never holds anything but these two
  Target target;          // of the lock word, in `anyone`
  IrRef bits;             // the lock is those bits of the word, set with a bit-or; 0: all of it
  ExprRef mask;           // the same in `anyone`
  bool is_shared;         // several may hold it together, but not with one who holds it alone
  bool is_disciplined;    // the free value is only written by who holds the lock
  bool is_released;       // somewhere in the kernel
  bool is_opened;         // taken at the start; somebody who does not hold it sets it free once
  bool is_fixed;          // the address does not change while the thread runs
  bool is_of_block;       // nor is it different for threads of one block
  bool is_of_warp;        // nor for lanes of one warp, in one round if it is not fixed
  uint32_t breaking_inst; // not disciplined: because of this write
  // A word that says whose turn it is: held from the edge with this test, passed on by any write.
  bool is_token;
  EdgeTest awaited;
} LockSite;

// A value that says whether a thread holds a lock.
typedef struct Receipt {
  uint32_t inst;
  bool when;     // its truth value, if the lock is held
  uint32_t site; // of the lock
  // Not a value, but what this store of the leader left in shared memory, as read by this load.
  const Access *store;
  uint32_t load;
} Receipt;

// What a thread knows that took this edge: a strong read returned an awaited value, or a counter the last
// number.
typedef struct Signal {
  EdgeTest test;
  uint32_t tested;       // the load or atomic operation whose value is looked at
  uint32_t from, to;     // one such edge
  bool is_direct;        // its value is compared as it is
  bool is_ticket;        // `read` adds one to a counter
  const Access *read;    // the strong read
  const Access *carrier; // handed on through shared memory by this store of the leader; or NULL
  bool is_number;        // and what is handed on is the number itself, which each thread compares
  IrRef voted;           // handed on by a barrier, to which each thread brings such a value; or 0
  bool is_of_all;        // which says whether all of them are true, not just one
  bool is_shuffled;      // `voted` is what the leader brings to a shuffle, handed to the lanes of its warp
  bool is_own;           // with no barrier of the warp behind it: the leader alone has made what it draws
  bool is_carried;       // what was read is looked at later, perhaps in a next round of a loop
  bool is_of_several;    // stands for further reads of the same word
  Target target;         // of the word read, in `anyone`
  bool is_fixed, is_of_block;
  uint32_t last,
      change; // generations: signals + 1 of who drew the last number, and of who waited for a change
} Signal;

// As in Scan: what is kept depends on nothing but what it stands under. A copy that is narrowed to the ways
// of one thread (order_narrow.c) shares all but `is_feasible`, `passed` and `is_of_one`; what it finds out is
// its own, and none of the fields below depends on these three.
typedef struct Order {
  Scan *scan;
  Frame *anyone, *anyone_else;  // one thread; another one, about whom nothing is known
  Frame *strangers[3];          // further ones: `anyone`, `anyone_else`, and a third
  Frame *mate;                  // a thread of the block of one of them
  VEC(Frame *) leaders;         // order_leader_beside: by block (the symbols of its number)
  VEC(struct SyncWord *) words; // order/words.h
  Frame *classes[CLASS_COUNT];
  uint8_t *is_feasible[CLASS_COUNT]; // by position in cfg->succs: threads of the class may take the edge
  uint8_t *is_reached[CLASS_COUNT];  // by block
  const CarriedRead **carried[CLASS_COUNT]; // by position in cfg->succs; NULL: nothing (order_carried.c)
  OrderModels models[CLASS_COUNT];          // of threads of the class
  // By point: nodes between it and the next barrier of the whole block, or of the whole warp (ways_of_all);
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
  uint64_t dropped;                              // tokens that are none
  uint32_t receipt_count;
  Receipt receipts[LOCK_LIMIT];
  uint64_t has_receipt; // locks of which a value tells
  uint32_t signal_count;
  Signal signals[LOCK_LIMIT];
  uint64_t *passed[CLASS_COUNT]; // by block, at its begin: signals
  bool is_of_one; // the analysis of signals is for one thread, to whom nobody hands anything on
  // order_decide.c, when first asked for:
  uint8_t *taints; // by instruction: on which kinds of reads its value depends (with the locks, all found)
  // By extent, scan->covering and instruction: kinds that decide whether it is executed, + 1; NULL: none
  // asked.
  uint8_t *gates[EXTENT_COUNT + 1][1 << COVER_LIMIT];
  // By access that tells and access that learns, in any two threads: may pass (1), cannot (2); order_links.c.
  uint8_t **passes;
  struct Relay *relays[2]; // by whether the reader acquires: what holds for all pairs; order_links.c
  int escapes;             // strong values are handed on: 0 not asked, 1 no, 2 yes
  bool has_strong_access;  // volatile, or atomic
  bool has_strong_global;  // one that may be to memory that several blocks see
} Order;

// What a word holds when the kernel starts: `value`, where `known` holds; for proofs that lean on A11.
typedef struct OrderStart {
  ExprRef value, known;
} OrderStart;
OrderAnswer order_decide(Scan *scan, const OrderQuestion *question);

// order_graph.c
Order *order_get(Scan *scan); // made on first use
// "block scope; the other access is in another block": of an operation that does not reach so far.
const char *order_narrow_words(const Scan *scan, uint32_t inst, IrScope needed); // of that operation
bool order_reaches(const Scan *scan, uint32_t from, uint32_t to);                // by at least one step
// The same without passing a barrier of the extent.
bool order_reaches_in(const Scan *scan, uint32_t from, uint32_t to, Extent extent);
bool order_is_barrier(const Scan *scan, uint32_t inst); // of any kind, objects that are followed as well
bool order_separates(const Scan *scan, uint32_t barrier, Extent extent); // is it a barrier of the extent
const MemoryRules *order_rules(const Scan *scan);                        // of the memory model of the run
IrScope order_scope_needed(Extent extent);
IrScope order_scope_of(const Scan *scan, const Access *access); // as an operation on a lock or flag
bool order_is_strong(const Scan *scan, const Access *access);
// Does this write leave the value as it is (an atomic addition of 0, used as a read)?
bool order_is_only_read(const Scan *scan, const Access *access);
// The value that a write stores, if it is one constant.
bool order_stored_constant(const Scan *scan, const Access *access, int64_t *value);
// May the access, made by any thread, touch the word at this target (of `anyone`)?
bool order_may_touch(Order *order, const Access *access, const Target *word, uint32_t bytes);
// Refuted: what the refutation leans on is listed with the kernel's proof.
bool order_is_refuted(Scan *scan, const SolverAnswer *answer);
// The conditions cannot hold together: asked first of those that say nothing of the host's values.
bool order_cannot_hold(Scan *scan, Goal *goal, const char *name);
// The solver was asked for values that satisfy a goal: keeps them, if it had any.
void order_keep_model(OrderModels *models, const SolverAnswer *answer);
bool order_holds_in_model(const ExprPool *pool, const OrderModels *models, ExprRef condition);

// order_decide.c
bool order_is_used(const Scan *scan, uint32_t inst); // its result, by any instruction

// order_named.c
// Does a barrier with a number order the two?
bool order_by_named(Scan *scan, const OrderQuestion *question, OrderProof *proof);
// A barrier with a number that is no synchronisation point, but may lie between the two instructions: the one
// comes to it, the other has waited there; NULL: none.
const Named *order_named_between(const Scan *scan, const uint32_t at[2]);

// order_phases.c
// Does a barrier object order the two, at which a part of the block arrives?
bool order_by_phases(Scan *scan, const OrderQuestion *question, OrderProof *proof);

// order_signals.c
// Waited for by a loop, or looked at and set with fences.
bool order_is_signal_word(Order *order, const Access *access);

// order_start.c
bool order_start_value(Scan *scan, const Target *word, uint32_t bytes, OrderStart *start);
bool order_starts_at_zero(Scan *scan, const Target *word, uint32_t bytes);
// The same for who proves nothing by it. false: nothing is known, or it is shared memory.
bool order_look_at_start(Scan *scan, const Target *word, uint32_t bytes, OrderStart *start);
// For who only needs that it is not negative.
bool order_starts_from_zero_up(Scan *scan, const Target *word, uint32_t bytes);

// order_binary.c
// Initial data of a variable at this place; false: there are none.
bool order_read_data(const Scan *scan, const Obj *object, int64_t at, uint32_t bytes, int64_t *value);

// order_rounds.c
// Does control get from one to the other within one round of the loop?
bool order_reaches_in_round(const Scan *scan, uint32_t loop, uint32_t from, uint32_t to);

// order_runs.c
// What is missing between two accesses that race in a run, which suggests a cause, or none (NULL); `text`:
// for the note, NULL: the usual one.
const char *order_cause_in_run(Scan *scan, const Access *const accesses[2], Extent extent, const char *cause,
                               const char **text);

// order_opened.c
// Nobody can take the lock before somebody has set its word free.
bool order_starts_taken(Order *order, const LockSite *site);

// order_locks.c
// The word of this access is certainly held by whoever comes to it: taken at `*held`.
bool order_holds_word(const Order *order, const Access *access, uint32_t *held);
bool order_gives_back(const Order *order, const LockSite *site, uint32_t inst);
// May the thread that makes the write hold the lock, itself or from another one?
bool order_may_hold(Order *order, const LockSite *site, const Access *write);
bool order_must_hold_at(const Order *order, uint32_t lock, uint32_t inst);

// order_locked.c
// Does one lock guard both accesses, as far as that is seen from where they are and from which locks are
// held? The question's goal need not be satisfiable. False: order_by_locks has to be asked.
bool order_is_under_one_lock(Scan *scan, const OrderQuestion *question, OrderProof *proof);

#endif
