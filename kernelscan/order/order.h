// Synchronisation beyond barriers: locks, flags, counters. For two accesses that the solver found able to
// touch a common byte between the same barriers: does something else order or separate them?
// docs/memory-model.md says what counts.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_ORDER_ORDER_H
#define HGRD_KERNELSCAN_ORDER_ORDER_H

#include "kernelscan/order/words.h"

#include "core/memory_model.h"

// ==== Words

// Where it holds of a value that was carried on from strong reads: each of those reads, with the test. The
// latest one that the thread has made passes its test.
enum { CARRIED_LIMIT = 4 };
typedef struct CarriedRead {
  EdgeTest tests[CARRIED_LIMIT];
  uint32_t count, first; // `first`: one that is surely made stands for all; CARRIED_LIMIT: none does
  bool is_voted;         // brought to a barrier of the block by the leader: it releases to all of its threads
} CarriedRead;

// Locks that are held: `pending` where the operation was done, and the lock is held if it returned the free
// value.
typedef struct LockFacts {
  uint64_t held, pending;
  uint64_t unspent; // pending, or the operation has not been done yet (must only)
  uint64_t told;    // status values: if one says yes, the lock is held
  uint64_t no;      // those that say no
} LockFacts;

// The same with a fence behind the operation: none, of a block, of the device.
typedef enum LockFence { FENCED_NOT, FENCED_BLOCK, FENCED_DEVICE, FENCED_COUNT } LockFence;
typedef struct LockSet {
  LockFacts facts[FENCED_COUNT];
} LockSet;

typedef MemorySide OrderSide;

// ==== Lower parts: what a thread is, what its paths pass. None of them knows of a protocol.

// ---- order_threads.c
ExprRef order_class_condition(Scan *scan, const View *view, int class);
ExprRef order_same_block(Scan *scan, const View *one, const View *two);
ExprRef order_same_warp(Scan *scan, const View *one, const View *two);
ExprRef order_same_thread(Scan *scan, const View *one, const View *two);
static inline const IrInst *inst_at(const Scan *scan, uint32_t inst) {
  return &scan->fn->insts.items[inst];
}
static inline bool order_is_number(const Scan *scan, IrRef ref, int64_t wanted) { // this constant
  int64_t value = 0;
  return ir_const_value(scan->fn, ref, &value) && value == wanted;
}
bool order_only_leader(const Order *order, uint32_t inst); // executes it
// Classes of which threads come to the instruction: `for (int c = -1; order_next_class(order, inst, &c);)`.
static inline bool order_next_class(const Order *order, uint32_t inst, int *class) {
  uint32_t block = inst_at(order->scan, inst)->block;
  while (++*class < CLASS_COUNT)
    if (order->is_reached[*class][block]) return true;
  return false;
}
// Of two threads that come to one each: `for (ClassPair p = {0}; order_next_classes(order, question, &p);)`.
typedef struct ClassPair {
  int next, of[2];
} ClassPair;
bool order_next_classes(const Order *order, const OrderQuestion *question, ClassPair *pair);
ExprRef order_classes_condition(Scan *scan, const OrderQuestion *question, const ClassPair *pair);
// The parts of a condition in which all kinds of symbols `with` occur, and none of `without` (bits, as below); those that do
// not change while a thread runs: of its block, or of its own number as well.
ExprRef order_parts(ExprPool *pool, ExprRef condition, unsigned with, unsigned without);
ExprRef order_fixed_parts(ExprPool *pool, ExprRef condition, bool with_thread);
ExprRef order_comes_to(Frame *frame, uint32_t inst); // condition that the thread comes to the instruction
// Does an address, or a value, change while the thread runs, or from thread to thread of one block?
typedef enum Lasting { LASTS_NOT, LASTS_IN_THREAD, LASTS_IN_BLOCK } Lasting;
Lasting order_lasts(const Scan *scan, const Target *target);
Lasting order_value_lasts(const Scan *scan, ExprRef value);
enum { ORDER_DEPTH = 12 };
// Made of values that a thread has had before it came into the loop, in whatever round; or to the instruction `at`, which
// all paths pass (CFG_NONE: a loop is spoken of).
bool order_is_known(const Scan *scan, IrRef ref, uint32_t loop, uint32_t at, int depth);
// The instruction, in that loop (CFG_NONE: wherever), is made with one such value in each of its rounds (or for good).
bool order_is_one_in_round(const Scan *scan, uint32_t inst, IrRef ref, uint32_t loop);
// One thread, in rounds of the loops around the block that all threads are in.
Frame *order_in_rounds(const Order *order, uint32_t block);
// The word is another one in each round of an outermost loop, and lasts as long as the round.
bool order_lasts_in_round(const Order *order, const Signal *signal, Lasting *lasting);
// The only place that the address may be.
bool order_one_target(Frame *frame, IrRef address, Target *target);
// The same, whatever pointers were read before.
bool order_plain_target(Frame *frame, const Access *access, Target *target);
// Condition that what the one thread names so is the word that the other one does.
ExprRef order_one_word(Frame *one, const Target *p, Frame *two, const Target *q);
ExprRef order_name_one_word(Frame *one, const Access *p, Frame *two, const Access *q); // 0: not understood
// What a protocol owes: that something cannot be, whoever the threads are.
typedef struct Obligation {
  const Goal *known;       // of what is asked; NULL: no more than the launch
  ExprRef breach, context; // what must not hold where this does; context 0: anywhere
  Frame *one, *two;        // threads of which `known` does not speak; NULL: there are none
} Obligation;
bool order_is_met(Scan *scan, const Obligation *obligation, const char *name);
// The same of any one thread (`anyone`), of any two (the other one is `anyone_else`), of those of a goal.
bool order_never(const Order *order, ExprRef breach, ExprRef context, const char *name);
bool order_never_of_two(const Order *order, ExprRef breach, ExprRef context, const char *name);
bool order_never_in(Scan *scan, const Goal *known, ExprRef breach, const char *name);
// A model of what is asked in which that holds as well, to be kept; NULL: none was found. `what`: for the name of the goal.
const SolverAnswer *order_model(Scan *scan, const OrderQuestion *question, ExprRef holds, const char *what);
// Two lanes of one warp name one word so, and have one value (0: none) at hand.
bool order_is_word_of_warp(Order *order, const Access *access, IrRef value);
// Of all threads that may make the write to one word there is one.
bool order_has_one_maker(Order *order, const Access *write);
// ---- order_edges.c
// Edges from blocks that control may come to: `for (OrderEdge e = {0}; order_next_edge(cfg, &e);)`.
typedef struct OrderEdge {
  uint32_t from, to, at, next; // `at`: position in cfg->succs
} OrderEdge;
bool order_next_edge(const Cfg *cfg, OrderEdge *edge);
// The position of an edge in cfg->succs; CFG_NONE: there is none.
uint32_t order_edge_at(const Cfg *cfg, uint32_t from, uint32_t to);
// Threads of the class may take the edge (-1: of any).
bool order_is_feasible(const Order *order, int class, uint32_t from, uint32_t to);
bool order_next_exit(const Cfg *cfg, uint32_t loop, OrderEdge *edge); // that leave the loop (CFG_NONE: none)
bool order_edge_test(const Scan *scan, uint32_t from, uint32_t to, EdgeTest *test);
// The same for threads of the class, which do not come to `from` on all paths; -1: where that may be so.
bool order_edge_test_in(const Order *order, int class, uint32_t from, uint32_t to, EdgeTest *test);
// The test that a truth value comes from which is merged in `from`, where control came from `before`; false:
// there is none, or the value is a constant there, which says whether the edge is taken.
bool order_merged_test(const Scan *scan, uint32_t before, uint32_t from, uint32_t to, EdgeTest *test,
                       bool *is_taken);
// The nearest edge that control has certainly taken on its path to the block `*from`, from where it leaves; false: none.
bool order_edge_above(const Scan *scan, uint32_t *from, uint32_t *to);
// What is known where the truth value is `holds`.
bool order_truth_test(const Scan *scan, IrRef truth, bool holds, EdgeTest *test);
bool order_is_truth_test(const Scan *scan, const EdgeTest *test); // of a value against zero: is it true
bool order_is_same_test(const EdgeTest *one, const EdgeTest *two);
// What the value is compared with, as the thread reads it; 0: not understood.
ExprRef order_awaited(const EdgeTest *test, uint32_t bytes, Frame *frame);
ExprRef order_holds_of(const EdgeTest *test, ExprRef value,
                       Frame *frame); // that it holds of this value; 0: likewise
// The strong read that a compared value comes from, through additions and casts; CFG_NONE: none.
uint32_t order_find_root(const Scan *scan, IrRef ref);
// ---- order_ways.c
static inline uint32_t order_last_of(const Scan *scan, uint32_t block) { // its branch
  return scan->fn->blocks.items[block].first + scan->fn->blocks.items[block].count - 1;
}
static inline bool order_is_in_loop(const Scan *scan, uint32_t loop, uint32_t inst) { // CFG_NONE: it is not
  return loop != CFG_NONE && cfg_loop_contains(scan->cfg, loop, inst_at(scan, inst)->block);
}
// The innermost loop that both are in, or the outermost one; CFG_NONE: there is none.
uint32_t order_loop_of_both(const Scan *scan, uint32_t one, uint32_t two, bool is_outermost);
// An operation by which a thread may release what it has done before; by which it may acquire what others have done.
bool order_may_release(const Scan *scan, const Access *access);
bool order_may_acquire(const Scan *scan, const Access *access);
bool order_looks(const Scan *scan, const Access *access); // and leaves the word as it is
// The scope in which the instruction is a fence for what comes behind a read; THREAD: it is none.
IrScope order_fences(const Scan *scan, uint32_t inst);
// Can control get from one instruction to the other without passing a fence of at least that scope?
bool order_lacks_fence(const Scan *scan, uint32_t from, uint32_t to, IrScope scope, OrderSide side);
// The strong operation has acquire order; also where it is a compare-and-swap that fails; release order.
bool order_acquires(const Scan *scan, uint32_t read);
bool order_acquires_always(const Scan *scan, uint32_t read);
bool order_releases(const Scan *scan, uint32_t write);
// What is released by what the read reads is known at the instruction, on all paths from there.
bool order_acquires_by(const Scan *scan, uint32_t read, uint32_t to, IrScope scope);
// What is acquired by the read is relayed with the write: released.
bool order_relays(const Scan *scan, uint32_t read, uint32_t write, IrScope scope);
// Can control get from the access to the write without a fence, the write having no release order either? In
// ScoRD's model that order is the writer's own: it does not stand for the fences of others. `is_of_one`: one
// thread makes both.
bool order_lacks_release(const Scan *scan, uint32_t from, uint32_t write, IrScope scope, bool is_of_one);
// A fence too narrow on some path from the one to the other; CFG_NONE: there is none.
uint32_t order_narrow_fence(const Scan *scan, uint32_t from, uint32_t to, IrScope needed);
// Is there a path, between two barriers of the extent, on which a fence, or the release order of
// the write, orders them?
bool order_may_fence(const Scan *scan, uint32_t from, uint32_t to, IrScope scope, OrderSide side,
                     Couple couple, bool is_of_one);
// Does a path lead from behind the one instruction to the other, past no third one?
bool order_leads_to(const Order *order, uint32_t from, uint32_t to, uint32_t avoided);
// By instruction, this one marked; CFG_NONE: none is.
uint8_t *order_marks(const Scan *scan, uint32_t inst);                       // CFG_NONE: no mark
bool order_leader_avoids(const Order *order, uint32_t avoided, uint32_t to); // from kernel entry
// Stretches between barriers that the access may be in:
// `for (OrderInterval i = {0}; order_next_interval(order, access, &i);)`.
typedef struct OrderInterval {
  bool is_of_warp; // between barriers of the warp; else of the block
  uint32_t next;
  const Point *point;   // where it begins
  bool is_entry;        // which is the begin of the kernel
  const uint8_t *nodes; // all to which paths lead from there
} OrderInterval;
bool order_next_interval(Order *order, const Access *access, OrderInterval *interval);
// Is the write done before anybody of the block comes to the first block barrier, and `later` only after it?
bool order_is_before_all(Order *order, const Access *write, const Access *later);
// ---- order_leader.c
void order_choose_leader(Order *order);
// The one thread, other than thread 0, that a condition on `anyone` names; it may be of no block.
bool order_names_thread(Order *order, ExprRef condition, ExprRef number[3]);
// A thread of that number, in this block (NULL: in one of its own); one for each block, number and round of the loop (CFG_NONE:
// in none); the leader of the block.
View *order_numbered_view(Scan *scan, const ExprRef *block, const ExprRef number[3]);
Frame *order_thread_beside(Scan *scan, const View *view, const ExprRef number[3], uint32_t loop,
                           ExprRef round);
Frame *order_leader_beside(Scan *scan, const View *view);
// If one thread of the block comes to the barrier, so do all.
bool order_all_arrive(const Scan *scan, const Point *point);
// If another thread of the block comes to the barrier, so does its leader.
bool order_leader_arrives(const Scan *scan, const Point *point);
// The same of a barrier of the whole block: what the leader has acquired by then, all have; at the instruction.
bool order_block_meets(const Scan *scan, const Point *point);
bool order_block_meets_at(const Scan *scan, uint32_t inst);
// All lanes of a warp come there together, or none.
bool order_warp_meets(Scan *scan, const Point *point);
// A shuffle by which the first lane of each warp hands to all of its lanes what it brings.
bool order_is_of_first_lane(Scan *scan, uint32_t shuffle);
// ---- order_set_up.c
// Where somebody comes to `later`, a thread of his block surely makes the write to the word that he names.
bool order_is_made_for(Order *order, const WordWrite *write, const Target *word, uint32_t later);
// May it be made to the word that this thread names, in a way that is not asked for there?
bool order_may_be_made_for(Order *order, const WordWrite *write, Frame *user, const Target *word,
                           const Goal *known);

// ==== What is found once for a kernel (order_get.c): what is carried on, locks, waits.

// ---- order_carried.c
// Where the test holds, the value of a barrier of the block says that somebody brings one of which this test holds, or that all do.
typedef enum Vote { VOTE_NONE, VOTE_SOMEBODY, VOTE_ALL } Vote;
Vote order_read_vote(const Scan *scan, const EdgeTest *test, EdgeTest *brought);
void order_find_carried(Order *order);
const CarriedRead *order_carried(const Order *order, int class, uint32_t from, uint32_t to);
// ---- order_signals.c
// A truth value, or a number, that the leader stores in shared memory and all read behind a barrier: the
// store.
const Access *order_find_carrier(Order *order, const Access *load, bool is_number);
uint64_t order_signals_passed_at(const Order *order, uint32_t inst); // by whoever comes there
static inline bool order_is_passed_at(const Order *order, uint32_t s, uint32_t inst) {
  return order_signals_passed_at(order, inst) >> s & 1;
}
// Condition that the tests hold of this, as what the thread reads; 0: not understood. May they, of a constant? Where they
// hold, has a compare-and-swap stored nothing?
ExprRef order_passes_of(const Signal *signal, ExprRef found, Frame *waiting);
bool order_passes_with(const Order *order, const Signal *signal, int64_t found);
bool order_has_failed(const Order *order, const Signal *signal);
void order_find_signals(Order *order);
const SyncWord *order_word_of(Order *order, const Signal *signal); // that is read
void order_flow_signals(Order *order, int class);                  // which signals have been passed where
// Threads of the class that take the edge have passed the signal; or, `by_vote`, their leader has, as all know.
bool order_is_edge_of(const Order *order, int class, uint32_t from, uint32_t to, const Signal *signal,
                      bool by_vote);
// Marks those of leaders, by position in cfg->succs.
void order_mark_edges(const Order *order, const Signal *signal, uint8_t *edges);
// The first site of the access; NULL: it takes no lock.
static inline const LockSite *order_site_of(const Order *order, const Access *access) {
  for (uint32_t s = 0; s < order->lock_count; s++)
    if (order->locks[s].access == access) return &order->locks[s];
  return NULL;
}
static inline LockSite *order_add_lock(Order *order, LockSite site) { // NULL: there are too many
  bool has_room = order->lock_count < LOCK_LIMIT;
  order->has_too_many_locks |= !has_room;
  if (!has_room) return NULL;
  order->locks[order->lock_count] = site;
  return &order->locks[order->lock_count++];
}
// ---- order_starts.c
// Made to the word before anybody comes to the lock, by its block alone.
bool order_sets_up(Order *order, const LockSite *site, const WordWrite *write);
// What the word holds before anybody comes to the lock is one of the two; or is neither.
bool order_starts_with(Order *order, const LockSite *site, int64_t one, int64_t other, bool is_one_of);
bool order_is_binary(Order *order,
                     const LockSite *site); // it holds `free_value` or `taken`, and nothing else
// The write is made once, by one thread, to a lock that is taken at the start.
bool order_opens(Order *order, const LockSite *site, const WordWrite *write);
// ---- order_turns.c
void order_find_turns(Order *order); // waits for a turn, to be checked when it is known where they are held
bool order_is_turn(Order *order, const LockSite *site);
// ---- order_lock_discipline.c
void order_find_locks(Order *order);
static inline const SyncWord *order_word_of_lock(Order *order, const LockSite *site) {
  return order_word(order, &site->target, site->access->bytes);
}
// ---- order_missing_parts.c
// Half of an order: what one thread does before it releases it by an operation, or behind the operation by which it
// has acquired.
typedef enum Half {
  HALF_RELEASES,
  HALF_GIVES_BACK,
  HALF_RELAYS, // a third holder of a lock; the access is where it takes it
  HALF_ACQUIRES,
  HALF_TAKES,
  HALF_TAKES_ONCE // a lock that is never given back
} Half;
static inline bool order_is_release(Half half) {
  return half <= HALF_RELAYS;
}
// What it would take to make it whole, from the most to the least.
typedef enum GapKind { GAP_OPERATION, GAP_SCOPE, GAP_FENCE, GAP_NARROW_FENCE, GAP_NONE } GapKind;
typedef struct Gap {
  GapKind kind;
  Half half;
  uint32_t access, operation;
  IrScope needed;
} Gap;
// Of this half, with its kind: that is there on all paths between two barriers that hold the couple.
Gap order_gap_on_all_ways(const Scan *scan, Gap half, Couple couple, bool is_of_one);
Gap order_larger_gap(Gap release, Gap acquire); // which one is named
// The name of what is missing, and a note; no cause: nothing is, or there is no such operation.
typedef struct MissingPart {
  const char *cause, *text;
} MissingPart;
MissingPart order_name_gap(const Scan *scan, Gap gap);
// What keeps the lock from ordering the access with those of other holders.
Gap order_gap_of_lock(Order *order, int class, const LockSite *site, const Access *access, Extent extent);
// Nothing does, on whatever way it is held there.
bool order_lock_orders(Order *order, uint32_t s, const Access *access, Extent extent);
// ---- order_counted.c
enum { READERS_END = 1 << 30 }; // so many do not come in
// What is taken by an addition of one that passes the test, if by any; false: nothing is.
bool order_find_counter(Order *order, const EdgeTest *test, LockSite *site);
bool order_is_reader(const Scan *scan, const IrInst *swap); // counts one more in, of as many as it expects
void order_join_writers(Order *order);                      // locks that writers take beside such readers
bool order_counts_in(const Order *order, const WordWrite *write);
bool order_counts_out(const WordWrite *write); // one reader
bool order_is_readers(const Order *order, const Access *access, bool or_writer);
// Readers and locks that know nothing of them share a word.
bool order_mixes_readers(Order *order, const LockSite *site);
// Nobody but who has counted the word up counts it down, once.
bool order_all_count_out(Order *order, const LockSite *site);
// It is never given back: one thread wins the word for good.
static inline bool order_is_won_once(const LockSite *site) {
  return !site->is_turn && !site->is_shared && !site->bits && !site->is_released && !site->is_opened &&
         site->is_disciplined;
}
static inline bool order_is_any_won(const Order *order) {
  bool any = false;
  for (uint32_t s = 0; s < order->lock_count; s++)
    any |= order_is_won_once(&order->locks[s]);
  return any;
}
// ---- order_once_locked.c
void order_find_asked(
    Order *order); // looks at a word behind a lock, to be checked when it is known what is held
void order_keep_asked(Order *order); // those that are won once
// ---- order_permissions.c
void order_make_permissions(Order *order); // first of all
enum { LOOK_DEPTH = 3 };
// The operation whose result is looked at, or some bits of it; NULL: none is.
const Access *order_looked_at(const Scan *scan, IrRef ref, int depth);
// 1: where the test holds, the operation took the lock; -1: it did not; 0: neither is known.
int order_says(const Order *order, const LockSite *site, const EdgeTest *test);
int order_test_of_site(const Order *order, const LockSite *site,
                       const EdgeTest *test); // the same, of the locks
// Perhaps the write makes a word free that somebody has taken.
bool order_may_free(Order *order, const WordWrite *write, const LockSite *site);
// Condition that the two, who name one word, may hold it at the same time.
ExprRef order_may_both_hold(const Order *order, const LockSite *one, Frame *first, const LockSite *two,
                            Frame *second);
// Taken by a writer, who leaves a number in the word that readers do not find.
bool order_is_writer(const Scan *scan, const LockSite *site);
bool order_is_of_bits(const Scan *scan, const LockSite *site); // that are set to take it
// A bit-and, or the like, that clears just those bits of the lock, if they are set.
bool order_clears_mask(Order *order, const Access *write, const LockSite *site);
// ---- order_lock_status.c
void order_find_lock_status(Order *order);
bool order_is_lock_status(const Order *order, uint32_t inst);
// What becomes of status values at an instruction; where the test holds; from one block to the next.
void order_pass_lock_status(const Order *order, int class, uint32_t inst, LockFacts *facts);
void order_test_lock_status(const Order *order, const EdgeTest *test, LockFacts *facts);
void order_merge_lock_status(const Order *order, uint32_t from, uint32_t to, LockFacts *facts);
// Status values that say yes to the thread that makes the access, and to all of its block or warp alike.
uint64_t order_lock_status_at(Order *order, const Access *access);
// ---- order_detours.c
// A thread that has come somewhere without taking certain edges: those on which it passes one of these waits, which acquire
// for good, or takes a lock.
typedef struct Detour {
  const Order *order;
  Frame *frame;             // of the thread
  int class;                // whose edges it takes; -1: of any
  uint64_t signals;         // waits of its own
  uint64_t leaders_signals; // of the leader of its block, of whom it acquires at barriers
  const LockSite *site;     // NULL: no lock
  uint64_t won,
      leaders_won; // locks that it, or the leader of its block, does not ever take, as another thread has won the word
  bool is_of_one; // the thread has passed the waits itself: a vote gives it nothing of them
  uint32_t round; // in one round of this loop; CFG_NONE: since the begin of the kernel
} Detour;
ExprRef order_detour(const Detour *detour, uint32_t inst); // condition that it has come there so
// Condition that the thread has come there though neither it has waited for the signal, nor its leader, or first lane, for it
// (`by_itself`: though it has not), in that round.
ExprRef order_has_not_waited(const Order *order, const Signal *signal, Frame *frame, uint32_t inst,
                             uint32_t round, bool by_itself);
// Taken in one round of it, whose inner loops leave the address as it is.
bool order_address_stays_in_round(const Scan *scan, const LockSite *site, uint32_t inst);
// Condition that the thread of the frame, which comes to the instruction, has perhaps not taken the lock, at the address
// that it has there, or no longer holds it: in the round of the loops around both.
ExprRef order_has_not_taken(const Order *order, uint32_t s, Frame *frame, uint32_t inst);
// ---- order_lockset.c
void order_flow_locks(Order *order);
// What one thread of the class holds just before the instruction.
uint64_t order_held_before(const Order *order, int class, uint32_t inst, bool is_must);
// The same with what other threads of its block or warp hold for it.
uint64_t order_held_at(Order *order, const Access *access, int class, Extent extent, bool is_must);
// Read at `inst`, is the address of the lock the one with which it was taken?
bool order_address_stays(const Order *order, const LockSite *site, uint32_t inst);
// Sites whose operation, if its thread has come to it, nothing that may give the lock back has followed since.
uint64_t order_unspent_before(const Order *order, int class, uint32_t inst);
// Whoever comes to the instruction has won a word for good: this one, as the thread of the frame sees it.
bool order_has_won(const Order *order, uint32_t s, Frame *frame, uint32_t inst, Target *word);
// On every path on which the lock is held there, whoever took it has made a fence since.
bool order_is_held_fenced(Order *order, uint32_t s, const Access *access, int class, Extent extent);

// ==== What all protocols ask of a pair, and of one direction.

// ---- order_deciding_reads.c
enum { TAINT_LOCK = 1, TAINT_STRONG = 2, TAINT_MEMORY = 4 };
static inline Couple order_couple(const OrderQuestion *question) {
  return meeting_couple(question->meeting, question->extent);
}
// The kinds of reads that decide whether or when the instruction is executed, since the last barrier that holds
// the couple.
uint8_t order_gates(Order *order, uint32_t inst, Couple couple);
// It reads plainly what somebody may write, or what other lanes or threads hand over.
bool order_reads_memory(const Order *order, uint32_t inst);
// Is what a strong read returned handed on through plain memory, or lane by lane?
bool order_values_escape(Order *order);
// ---- order_communication.c
// By access: the reads, of any other thread, that may acquire what the write releases: by a strong read of its word, or over
// further threads.
const uint8_t *order_acquirers(Order *order, const Access *write);
// May what a thread does behind `from` come to be known before `to` in another one, with fences, between blocks: over a
// third thread, to or from which block scope is enough.
// `is_acquired`: as if whoever reads acquired.
bool order_may_relay(Order *order, uint32_t from, uint32_t to, bool is_acquired);
// ---- order_no_acquire.c
// A model of the question in which neither thread has made a strong read before its access, nor, if
// `with_memory`, any other one of what somebody writes; NULL: none was found.
const SolverAnswer *order_no_acquire(Order *order, const OrderQuestion *question, bool with_memory);
// ---- order_wait_candidates.c
// Shared memory holds anything at first: does somebody set the word up, and a barrier make that known?
bool order_is_set_up(Order *order, const Signal *signal);
// It may be in a way that is not understood, for this thread: an array of words, a loop.
bool order_may_be_set_up(Order *order, const Signal *signal, Frame *waiting, const Goal *known);
// May a write of its word store a value that ends the wait? And be what ended it?
bool order_may_satisfy(const Order *order, const Signal *signal, const WordWrite *write);
bool order_may_end(Order *order, const Signal *signal, const WordWrite *write);
// Rows that may: `for (WordRow row = {.word = order_word_of(order, signal)}; order_next_end(order, signal, &row);)`.
bool order_next_end(Order *order, const Signal *signal, WordRow *row);
ExprRef order_has_common_bit(ExprPool *pool, ExprRef one, ExprRef two);
// The bits that are waited for, one or all of them (`x & mask` is not 0, or is the mask; x is the mask), in a word that
// nothing but bit-ors writes; 0: it is no such wait. What a bit-or sets, in this thread.
ExprRef order_awaited_bits(Order *order, const Signal *signal, Frame *waiting, bool *is_all);
ExprRef order_bits_set(Frame *frame, const Access *write);
// Condition that the wait was ended by this write, or perhaps ended, in a round of the loop (CFG_NONE: of none) of the writer;
// 0: not understood.
ExprRef order_is_ended_by(Order *order, const Signal *signal, Frame *waiting, Frame *writer,
                          const WordWrite *write, uint32_t loop);
// ---- order_direction.c
typedef struct Direction {
  Order *order;
  const OrderQuestion *question;
  int first, second; // which of the two accesses comes first
  IrScope needed;
  OrderAnswer *answer; // what was nearly proved; may be NULL
  bool is_after_start; // as if nobody found the flag up when the kernel starts
  bool is_of_one;      // the second thread has waited itself; else it has, or acquired that at a barrier
  bool is_of_one_word; // and for one word only, as whoever found the direction knows
  uint32_t loops[2];   // by access: whose iterations are the rounds of its thread; CFG_NONE: it makes none
} Direction;
Direction order_direction(Order *order, const OrderQuestion *question, int first, OrderAnswer *answer);
uint32_t order_inst_of(const Direction *way, int which);
Frame *order_frame_of(const Direction *way, int which);
// A wait, not a draw, for what the word itself holds, by whoever it is.
bool order_is_plain_wait(const Signal *signal);
// A fence stands between the strong read and the second access; between the first one and the strong write.
bool order_is_acquired(const Direction *way, const Signal *signal);
bool order_is_released(const Direction *way, const Access *write);
// Which instances of the first access come before the write in round r of its thread: none, those in rounds before r, or
// up to r? Those made by any thread of the writer's block or warp, where barriers of it stand between (of a warp only where
// a fence of any lane does for it), or by the writer itself. Without rounds: none, or all.
typedef enum Maker { MAKER_OF_BLOCK, MAKER_OF_WARP, MAKER_ITSELF, MAKER_COUNT } Maker;
typedef enum Place { PLACE_NOT, PLACE_EARLIER_ROUNDS, PLACE_SAME_ROUND } Place;
Place order_place(const Direction *way, const Access *write, Maker maker);
// Condition that the first access is not known to come before the write, in that round of the writer (0: there are no rounds);
// before the same write of the leader of its block.
ExprRef order_is_not_before(const Direction *way, const Access *write, Frame *writer, ExprRef round);
ExprRef order_is_not_before_leader(const Direction *way, const Access *write, ExprRef round);
// The word that the wait was for is the same as seen from the second access.
bool order_word_stays(const Direction *way, const Signal *signal);
// The thread of this one's block that has the number of the first thread's block, along the axis, as its own. `waits`: that
// there is one, and it has waited for the signal when its block comes to a barrier before the instruction, in the same round
// of the loop (CFG_NONE: outside of loops). NULL: there is no such wait.
Frame *order_gatherer(const Direction *way, const View *beside, int axis, const Signal *signal, uint32_t inst,
                      uint32_t loop, ExprRef round, ExprRef *waits);
// In all rounds of a loop the thread waits for one value of one word.
bool order_awaits_one_value(Order *order, const Signal *signal);
// Somebody holds the word then: locks say more of it.
bool order_is_lock_word(const Order *order, const Signal *signal);
// Condition that the wait ends at once, though nobody has set the flag.
ExprRef order_met_at_start(Order *order, const Signal *signal, Frame *waiting);
// May the wait end at once, in what is known of the waiting thread? It has waited itself, or its leader for
// it, before it comes to `later`; CFG_NONE: itself.
bool order_is_met_at_start(Order *order, const Signal *signal, Frame *waiting, uint32_t later,
                           const Goal *known);
// By this rule, which the wait or draw of the signal is for: the operation that ends the wait is the release.
OrderProof order_proof_of(const Direction *way, OrderRule rule, const Signal *signal);
// Ordered by what fences release, as far as the memory model has it; without them.
OrderAnswer order_proved(const Order *order, const OrderQuestion *question, OrderProof proof);
OrderAnswer order_proved_by_itself(OrderProof proof);

// ==== The protocols: rows of protocols.def. None calls the engine, nor another row but through what it gives
// below.
// A row of one direction gives the condition under which the second thread, for all that the wait says, does not know of
// the first access, and by which rule it does otherwise; 0: the wait says nothing.
#define PAIR(function) OrderAnswer function(Order *order, const OrderQuestion *question);
#define WAIT(function) ExprRef function(const Direction *way, uint32_t s, OrderRule *rule);
#define PASSED(function) WAIT(function)
#include "kernelscan/order/protocols.def"
#undef PAIR
#undef WAIT
#undef PASSED

// ---- order_flags.c
// In rounds: condition that the wait, of the second thread in that round, may be over though the first access is not made.
ExprRef order_flag_leaves_open(const Direction *way, const Signal *signal, Frame *waiting);
// ---- order_arrivals.c
// The first access is the draw of the signal: it comes before what follows the last draw on the same word, fence or not.
bool order_is_draw_of(const Direction *way, const Signal *signal);
// ---- order_rounds.c
// Loops whose iterations may be the rounds of the two threads, by access (CFG_NONE: they make none):
// `for (RoundLoops l = {0}; order_next_rounds(order, question, &l);)`.
typedef struct RoundLoops {
  uint32_t next, of[2];
} RoundLoops;
bool order_next_rounds(const Order *order, const OrderQuestion *question, RoundLoops *loops);
// ---- order_counter_values.c
// Where a signal is passed, by whom a number of its counter was seen.
typedef struct Passing {
  Order *order;
  const Signal *signal;
  const Access *draw; // by which blocks count up
  ExprRef rounds;     // how often each does; 0: once
} Passing;
// The operation, made once by a thread, by which those draw or count up whom the signal is for; NULL: none.
const Access *order_find_draw(Order *order, const Signal *signal);
bool order_is_grid_word(Order *order, const Signal *signal); // one word, that holds zero at the start
// One counter for the grid, zero at the start, that nothing changes but draws, by instruction, and who has
// passed one of the signals `lasts`.
bool order_is_grid_counter(Order *order, const Signal *signal, uint64_t lasts, const uint8_t *draws);
Verdict order_says_that_all_have_drawn(const Passing *passing); // SAFE: the number that was seen says so
bool order_says_that_none_has_drawn_again(const Passing *passing);
// ---- order_generation.c
// Barriers of the grid whose last arrival starts the next generation: a signal for what passes them, by
// either way.
void order_find_generations(Order *order);
bool order_is_generation(Order *order, const Signal *signal); // they are a barrier
// ---- order_sense.c
// In a leader, at the instruction, does the value equal the number of draws that it has made, or that number
// modulo 2?
bool order_keeps_step(const Order *order, const uint8_t *draws, IrRef ref, uint32_t at);

// ==== The engine: the first row of a pair that says something, or what the waits of both directions say together. UNKNOWN
// without a text: nothing does.

// ---- order_protocols.c
OrderAnswer order_by_pairs(Order *order, const OrderQuestion *question);
OrderAnswer order_by_waits(Order *order, const OrderQuestion *question);

#endif
