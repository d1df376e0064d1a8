// Shared by the files of kernelscan only: the state of one scan (one kernel under one launch) and its parts.
//
// Words used here: a NODE is a stretch of a basic block between barriers; a POINT is a place where threads
// are together (kernel entry, or a barrier); a WAY is how one thread gets from a point to an access without
// another synchronisation point of the extent; a FRAME says in which iteration of each loop values are read
// on that way.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_INTERNAL_H
#define HGRD_KERNELSCAN_INTERNAL_H

#include "core/bug.h"
#include "core/cfg.h"
#include "core/interp.h"
#include "core/symeval.h"
#include "kernelscan/kernelscan.h"

#include <string.h>

// How far apart two threads are. Where clusters matter (CLUSTERS_KNOWN), INTER_BLOCK are questions about
// blocks of two clusters, CLUSTER those about two blocks of one; else all pairs of blocks are INTER_BLOCK.
typedef enum Extent {
  EXTENT_INTER_BLOCK,
  EXTENT_CLUSTER,
  EXTENT_INTRA_BLOCK,
  EXTENT_INTRA_WARP,
  EXTENT_COUNT,
  EXTENT_NONE = EXTENT_COUNT // of a thread that is in no question about two
} Extent;
static inline bool extent_is_between_blocks(Extent extent) {
  return extent == EXTENT_INTER_BLOCK || extent == EXTENT_CLUSTER;
}

// Does it matter which blocks make up a cluster? NONE: nothing in the kernel speaks of clusters. SINGLE: each
// block is one. KNOWN: their size is that of the launch, in numbers or symbols.
typedef enum Clusters { CLUSTERS_NONE, CLUSTERS_UNKNOWN, CLUSTERS_SINGLE, CLUSTERS_KNOWN } Clusters;

typedef struct Node {
  uint32_t block;
  uint32_t first, end; // instructions [first, end); a barrier is the last one of its node
} Node;

// What a pointer may point to. Private memory is OBJ_LOCAL and never races. OBJ_HEAP is what one call in
// device code allocates (heap.c).
typedef enum ObjKind {
  OBJ_NONE,
  OBJ_LAUNCH,
  OBJ_GLOBAL,
  OBJ_SHARED,
  OBJ_LOCAL,
  OBJ_PARAM,
  OBJ_LOADED,
  OBJ_HEAP,
  OBJ_NULL
} ObjKind;

typedef struct Obj {
  ObjKind kind;
  const char *name;
  uint32_t index; // LAUNCH: in launch->objects; GLOBAL, SHARED: in module->globals; LOCAL, HEAP: inst; PARAM:
                  // parameter
  uint32_t slot_object;   // LOADED: the object the pointer was read from
  bool is_written;        // some access of the kernel may write it
  bool is_volatile;       // some access of the kernel is volatile or atomic
  bool is_named;          // goes by the name of a parameter
  bool is_unknown_origin; // assumption A2 is leaned on
  bool is_of_block;       // HEAP: thread 0 alone allocates it, for its block
} Obj;

// Under `condition` (0: always), the pointer is object + offset; `key` tells apart the pointees of pointers
// read from different slots of one object (0: none). Of SHARED: the rank of the block in the cluster whose
// memory it is, in 32 bits (0: the thread's own block).
typedef struct Target {
  ExprRef condition;
  uint32_t object;
  ExprRef key;
  ExprRef offset; // width 64
} Target;

typedef enum SymKind { SYM_NONE, SYM_WORD, SYM_POINTER, SYM_OPAQUE } SymKind;

typedef struct SymValue {
  SymKind kind;
  ExprRef word;
  uint32_t target_count;
  const Target *targets;
} SymValue;

typedef struct Access {
  uint32_t inst;
  uint32_t node;
  AccessKind kind;
  uint32_t bytes; // 0: `length` operand decides (memcpy, memset)
  IrRef address;
  IrRef length;      // 0 unless bytes is 0
  IrScope scope;     // atomics
  bool is_natural;   // aligned to its own power-of-two size
  bool is_async;     // goes on until a wait covers it
  bool is_loose;     // made between the two halves of a barrier: goes on behind its wait
  bool is_of_object; // what is done to a barrier object: set-up, arrival, wait, a copy that completes on it
} Access;

// By which rule something orders two accesses, from which instruction to which one: + 1, 0: none.
typedef struct OrderProof {
  OrderRule rule;
  uint32_t release, acquire;
} OrderProof;

// Two accesses that it orders, by index.
typedef struct OrderedAccesses {
  uint32_t a, b;
  OrderProof proof;
} OrderedAccesses;

// What the address of an access may point to.
typedef struct Reach {
  uint32_t count;
  const uint32_t *objects;
  bool is_complete; // else anything besides
} Reach;

typedef struct Point {
  uint32_t inst;  // the barrier; CFG_NONE for kernel entry
  uint32_t node;  // where threads go on
  uint32_t block; // in which it stands
  IrScope scope;  // DEVICE for entry and grid barriers, CLUSTER (CLUSTERS_KNOWN), BLOCK, WARP
  uint32_t cover; // 0: all threads of the group; else orders only lanes that scan->covers[cover - 1] covers
  bool is_divergent; // of a warp or a part: not all that it holds together surely come; keeps nobody together
} Point;

// A barrier for a part of the warp or of the block: which two threads does it hold together?
typedef enum CoverKind {
  COVER_TILE,
  COVER_MASK,
  COVER_COMPUTED,
  COVER_BALLOT,
  COVER_MATCH,
  COVER_RANGE
} CoverKind;
typedef struct Cover {
  CoverKind kind;
  uint32_t value;  // TILE: threads of a tile; MASK: the mask; RANGE: the first thread of the block
  uint32_t end;    // RANGE: behind the last one
  IrRef predicate; // COMPUTED: the mask; BALLOT: the value that was voted on; MATCH: lanes that gave the same
                   // value; TILE: as many lanes, where that is no constant
  bool is_of_block; // holds threads of several warps together
} Cover;

enum { COVER_LIMIT = 3 }; // barriers of a part that are told apart in one kernel

typedef struct Exclusives Exclusives;

// An asynchronous copy that goes on while its thread is at a point: issued as many rounds of `loop` ago.
enum { CARRIED_ROUNDS = 4 }; // as many, or more
typedef struct Carried {
  const Access *copy;
  uint32_t point;
  uint32_t loop, rounds;     // CFG_NONE, 0: all loops around both are in the same iteration
  uint32_t entered, turns;   // outermost loop entered since, or CFG_NONE; how often it was gone round
  uint32_t left, left_turns; // loop left since + 1, or 0; how often it was gone round
  bool is_uncertain;         // a wait may have covered it, which is not known
  bool or_more;              // that many rounds ago, or longer
  uint32_t arrival;          // no copy: made between this half of a barrier, less 1, and the point; 0: a copy
  bool is_unseen;            // a write of the thread itself, which bulk copies do not see yet (proxies.c)
} Carried;

// An operation on a barrier object, or a half of a barrier (arrivals.c).
typedef enum MeetState { MEET_OPEN, MEET_EARLY, MEET_WHOLE } MeetState;
typedef struct Meet {
  uint32_t inst, object;
  bool is_single; // all operations on the object are on one word
  ExprRef word;   // is_single: its offset, as the first thread sees it
  MeetState
      state; // WHOLE: of all threads of the block, or of its tile; EARLY: surely lets threads pass too early
  const char *text; // OPEN, EARLY: why
  bool is_kept;     // OPEN: nothing else is done to the memory of the object
  bool is_of_warp;  // only lanes of one warp share it
  uint32_t endless; // OPEN: the set-up by which it expects more arrivals than can come; 0: not seen
} Meet;

// bar.sync and bar.arrive with a number: the threads that take part.
typedef struct Named {
  uint32_t inst;
  int64_t number, count;
  bool waits;
  uint8_t *members; // by thread of the block: may execute it; NULL if not known
  uint32_t member_count;
  bool is_computed; // from the thread's number: one entry for each value
} Named;

// How the header phi of a loop changes from one iteration to the next.
typedef enum InductionKind {
  INDUCTION_NONE,
  INDUCTION_LINEAR,
  INDUCTION_SHIFT_LEFT,
  INDUCTION_HALVING,
  INDUCTION_PERIODIC,
  INDUCTION_CYCLE
} InductionKind;
enum { MAX_STEPS = 4 };
typedef struct Induction {
  InductionKind kind;
  IrRef start;
  IrRef step;    // SHIFT_LEFT, HALVING: the constant; PERIODIC: the other operand
  uint8_t flags; // of the update
  uint8_t step_count;
  IrRef steps[MAX_STEPS]; // LINEAR: what is added in each round: loop-invariant, at least as wide as the phi
  bool is_negated[MAX_STEPS];
  uint32_t period; // PERIODIC: value = starts[iteration % period]
  IrRef starts[4];
  IrRef mirror;         // PERIODIC of `c - x` or `x ^ c`: the instruction giving the second value
  uint32_t update;      // instruction of the update
  const int64_t *cycle; // CYCLE: value = cycle[iteration % period]
} Induction;

typedef struct View View;
typedef struct Frame Frame;
typedef struct WayGraph WayGraph;
typedef struct Stability Stability;
typedef struct Known Known;

// The value of an instruction that has no closed form, in one iteration of the loops around it.
typedef struct Leaf {
  uint32_t inst, company, thread; // of the view that it was read in; thread 0: one for the whole company
  uint32_t count;                 // loops around the instruction
  const ExprRef *iterations;
  ExprRef value;
} Leaf;

// Something that holds about a leaf whenever it has a value.
typedef struct Invariant {
  ExprRef leaf, condition;
  bool is_lazy;       // exact but heavy: used only when a model contradicts it
  bool is_of_host;    // leans on fact `tag` of the launch
  uint32_t tag;       // of a lazy one: TAG_GIVEN, or 0 for TAG_BOUNDS
  bool when_not_zero; // only where the goal says that the leaf is not zero
} Invariant;

// A value that another thread of the block may have given, by shared memory or a shuffle (givers.c).
typedef struct Gift {
  ExprRef leaf;
  uint32_t inst;
  Frame *frame; // of the thread that reads it
  bool is_made; // what is known stands among the invariants
} Gift;

// The result of a ballot, a shuffle or a butterfly of a whole warp, as one thread reads it (votes.c).
typedef struct Ballot {
  ExprRef leaf;
  uint32_t inst;
  Frame *frame;
  uint32_t lanes; // BUTTERFLY: bits of the lane's number that do not matter to it; else 0
} Ballot;

// The values that enter a web of phis, as one thread reads them (webs.c).
typedef struct Origin {
  uint32_t count;
  const void *readings;
} Origin;

// A number that an atomic addition gave to one thread: the start of a range of `amount` that is its own.
typedef struct Claim {
  ExprRef leaf;
  uint8_t owner; // of the thread
  uint32_t extent;
  uint32_t counter; // object
  ExprRef offset, amount;
  IrScope scope;
  uint32_t bytes;
  uint32_t source;  // the addition
  uint32_t handed;  // of a claim that came by a shuffle: the shuffle
  bool is_carried;  // came from another thread of the block, through shared memory
  bool is_of_warp;  // came from one lane of the thread's warp, by a shuffle
  ExprRef mask;     // came from one lane of these, by a shuffle (groups.c); 0: none
  ExprRef only_if;  // it is a claim only under this condition; 0: always
  uint8_t state;    // how the counter counts: 0 not asked, 1 only up, 2 any way, 3 up between resets, 4 only
                    // down, 5 down between resets
  bool is_unsigned; // then: amounts are unsigned numbers
  bool has_halves;  // then: a word of 64 bits whose lower half counts up by itself
  bool leans_on_start; // it counts up if it starts at zero: it stands in its own list
  bool is_own;         // the addition's own result, in the iteration in which it was made
  Frame *frame;
} Claim;

// Who set the counter that a claim's number was drawn from (tallies.c).
typedef struct Starter {
  ExprRef leaf;
  const Frame *frame;
  uint32_t setting; // the store
  ExprRef holds;    // what is known then; 0: nothing
} Starter;

// Between which values a counter of the block lies where an instruction reads it (counts.c).
typedef struct Bounds {
  bool is_asked, is_known;
  int64_t lo, hi, per_thread; // in [lo, hi + per_thread * threads of the block]
} Bounds;

// A shared variable that holds sums of prefixes behind a loop (prefix.c).
typedef struct PrefixSum {
  uint32_t object;     // 0: a sum over what threads hold (blocksums.c), of which only `func` and `most` count
  uint32_t init, step; // the two stores: each thread's number, and what a round adds
  uint32_t loop, phi;  // the loop of the rounds, and its distance
  uint32_t func;       // the sum of the first x numbers of a block
  int64_t most;        // no number is larger
} PrefixSum;

// Writes that cannot have been to the elements of an array that lie at such places (contents.c).
typedef struct OtherMembers {
  uint32_t content;
  uint64_t modulus, rest; // of the offsets
  VEC(uint32_t) flags;    // functions that say whether a write was to the element
} OtherMembers;

typedef struct Goal {
  VEC(GoalCondition) conditions;
  bool is_false; // a condition is plainly false: nothing to ask
} Goal;

// A fact of the launch as it is asked with: shortened by what others say, which a proof then needs as well.
typedef struct Settled {
  ExprRef condition;
  uint32_t need_count;
  const uint32_t *needs; // facts
} Settled;

// The conditions of a goal that cannot hold together, sorted; bits: a few of them, to compare quickly.
typedef struct Refuted {
  uint32_t count;
  const ExprRef *conditions;
  uint64_t bits;
} Refuted;

// A question that was asked, and its answer.
typedef struct AskedGoal {
  uint64_t hash;
  uint32_t count;
  bool only_satisfiable;
  const GoalCondition *conditions;
  SolverAnswer answer;
} AskedGoal;

typedef struct RacyGoal {
  const SrcLoc *one, *two; // the accesses
  Goal goal;
  const SolverAnswer *answer;
} RacyGoal;

typedef struct FloatFact {
  ExprRef ref, fact;
} FloatFact;

// A barrier, and a branch that leads there only by the edge to `toward`.
typedef struct BarrierFork {
  uint32_t barrier;        // instruction
  uint32_t branch, toward; // blocks
  bool is_leaving; // by the other edges a thread comes to no barrier and no work of the others any more
} BarrierFork;

typedef struct Audit Audit;

// A word of flags or counters, and what proofs take it to hold at the start.
typedef struct StartWord {
  uint32_t object, bytes;
  ExprRef offset, value;
  bool is_least;
} StartWord;

// One kernel under one launch: what any field says holds for these alone, and is thrown away with them.
//
// WHAT IS KEPT, AND FOR WHOM. An answer that is kept stands under all that it depends on ("by ..."), and on
// nothing that changes while the scan goes on: not on the question in hand (its extent, its two views,
// `covering`, `ends_at_divergent`), not on the view or the frame that happened to ask first. So
//  - facts about all threads of a block or warp are asked of view_anyone, or of fresh views, and between
//    barriers of the whole group (point_orders_all, node_stretch_from, ways_of_all);
//  - facts about a leaf (invariants, claims, gifts, ballots ...) stand under the leaf, which is a symbol of
//    one thread (View.company, View.thread), in one iteration; those of one place under the frame as well;
//  - what is asked while an answer is under way gets "not known", which is never kept as the answer of
//    others, or errs on the safe side.
// Two things change once and are waited for: `last_rounds` (exits_find) is read by frames made later only,
// `is_divergent` of points is not believed before `knows_divergent`. Frames keep their values (Frame.values);
// `is_shifted` and `in_web` are of the frame, so they are part of whose values these are. What a leaf's name
// or range says was known when it was first read: a range that is missed (`in_locals`) leaves any value.
typedef struct Scan {
  const KernelScanRequest *request;
  const IrModule *module;
  const IrFunction *fn;
  const LaunchContext *launch;
  ExprPool *pool;
  Arena *arena;
  KernelResult *result;
  Cfg *cfg;
  VEC(Node) nodes;
  uint32_t *node_first; // first node of each block
  uint8_t *may_order;   // by block: it has a barrier or fence, or a half of a barrier
  uint64_t **reached;   // by block: set of the blocks that ways from its end enter; NULL: not asked yet
  VEC(Access) accesses;
  Reach *reaches;               // by access
  VEC(OrderedAccesses) ordered; // by ordered.c, in the order in which they were asked for
  const Reach **reach_of;       // by instruction, for loads
  VEC(Point) points;
  VEC(Cover) covers;
  Exclusives *exclusives; // exclusive.c
  VEC(Carried) carried;   // async.c
  VEC(Carried) under_way; // async.c: `point` is an arrival at a barrier object
  VEC(Carried) meanwhile; // async.c: `point` is an access, which the copying thread may make while it goes on
  VEC(Named) named;       // named.c
  VEC(Meet) meets;        // arrivals.c
  Bounds *bounds;         // by instruction, of any thread (view_anyone); NULL: none asked
  uint8_t *only_first;    // by block: 1: thread 0 alone of any block (view_anyone) executes it, 2: not known
  VEC(ExprRef) wanderers; // offsets that are anywhere in an object
  VEC(ExprRef) addresses; // by object: what its address is a multiple of; 0: not asked
  uint32_t *last_write;   // by load, whoever makes it (view_anyone): 1: not known, or the store + 2
  int64_t block_threads;  // of a block, if that is known; else 0
  Clusters clusters;      // clusters.c
  bool has_mapa;          // an address in shared memory of another block is made
  bool may_signal_remotely;   // distributed.c: operations on such memory may order threads
  uint32_t covering;          // bit set: those that hold both threads of the question in hand (point_orders)
  bool ends_at_divergent;     // ways end at divergent points as well
  bool knows_divergent;       // barriers_find_divergent is done: before, Point.is_divergent says nothing
  VEC(Obj) objects;           // [0] is OBJ_NONE
  Induction *inductions;      // by instruction
  uint8_t *is_uniform;        // by instruction: the same for all threads of a block in the same iteration
  uint8_t *is_broadcast;      // by instruction: load of shared memory that is stable between barriers
  Stability *stability;       // stable.c
  VEC(uint8_t) content_state; // by content of the launch: 0 not asked, 1 holds together, 2 contradicts itself
  VEC(OtherMembers) other_members; // by content, and by the residue of the offset
  VEC(uint8_t) noted;              // by expression: contents.c has looked at it
  uint8_t *exits_diverge;          // by loop: threads of a block may leave it in different iterations
  uint8_t *entered;                // by loop, for any thread: entered.c; NULL: not to be asked yet
  uint32_t *last_rounds;           // by loop: number of the iteration in which it is left + 1; 0: not known
  VEC(Leaf) leaves;                // by instruction, company, thread, and iterations of the loops around
  uint32_t *leaf_table;            // hash of all but the value to index + 1
  uint32_t leaf_table_size;
  VEC(uint32_t) load_funcs;       // triples object, bits, function
  struct Rehearsals *rehearsals;  // rehearsal.c; NULL: none yet
  bool without_starts;            // start_words.c: of such words nothing is taken to hold
  VEC(StartWord) start_words;     // start_words.c
  Audit *audit;                   // audit.c; NULL: none is asked for, or nothing noted yet
  uint64_t search_steps;          // replay.c: taken so far where all threads of a launch are tried
  uint64_t parting_steps;         // replay_barriers.c: likewise
  const struct InterpJoin *joins; // replay_barriers.c; NULL: not asked yet
  VEC(BarrierFork) leavings;      // barriers.c: who goes round the barrier there comes to none any more
  uint32_t host_symbols;          // symbols of the pool from here on are this scan's own
  VEC(Invariant) invariants;      // by leaf
  VEC(Origin) origins;            // by what enters the web, as this thread reads it
  VEC(Starter) starters;          // by leaf, frame and store
  VEC(Claim) claims;              // by leaf and frame; `state` is that of its counter as its frame sees it
  VEC(Ballot) ballots;            // by leaf and frame
  VEC(Gift) gifts;                // by leaf, which has one frame
  VEC(uint8_t) given;             // by expression: it is the leaf of a gift
  uint32_t giver_count;
  const View *anyone;                   // view_anyone; NULL until asked
  uint32_t company_count, thread_count; // identities given beyond those of questions (View)
  VEC(const PrefixSum *) sums;
  // blocksums.c; NULL: not asked yet
  struct BlockSums *block_sums;
  uint64_t *parted;            // lockstep.c: by block, a row of bits, from the graph alone; NULL until asked
  bool has_conversions;        // from floating point to integers, or comparisons of floating-point values
  VEC(FloatFact) tried_floats; // floats_exact.c, by expression: what trying all values has shown
  bool has_opaque;             // an operation with unknown effects
  bool has_named_barrier;      // orders some warps of the block: not modelled
  Frame *meet_frame;           // arrivals.c: a fresh thread; NULL until asked
  struct Phases *phases;       // phases.h; NULL until asked
  struct Order *order;         // order.h: locks, flags, counters; NULL until asked
  struct Counters *counters;   // counters.c: by object, by load, of fresh threads; NULL until asked
  uint8_t *warp_words; // warp_words.c: by load, of any warp, between its whole barriers; NULL until asked
  struct Ends *ends;   // drawings.c: by object and place, of fresh threads; NULL until asked
  struct Countings *countings; // counting.c: by object, of fresh threads; NULL until asked
  // By extent and owner (view_make): numbers of the thread and of its block; 0: not asked.
  ExprRef view_symbols[EXTENT_COUNT][4][7]; // the last one: the lane that is elected
  bool has_elected;                         // some lane of a warp is (elect.sync)
  Settled *settled;                         // by fact of the launch (facts.c)
  Known *known;                             // known.c; NULL until asked
  struct Calls *calls;                      // calls.c; NULL until asked
  uint8_t *private_calls;                   // by instruction: a call that others see nothing of
  const SolverBase *base; // values that the launch's facts allow; NULL: not known, or no facts
  VEC(Refuted) proofs;    // proofs.c: by conditions, all of them
  VEC(AskedGoal) asked;   // goal.c: by conditions with their parts and tags, and what is asked of them
  VEC(RacyGoal) racy;     // mend.c: what was answered with a race
  bool without_mend;
  bool in_locals; // an array's interval is being found: what it was made from may be anything (locals.c)
} Scan;

// A thread as it is looked at: one of the two of a question, or any other one. Values that have no form are
// symbols of their thread, so two views are told apart by their identity and by nothing else: `company` are
// threads of one block (or the two of a question), who have in common what is one for a block; `thread` is
// one of them. Views of one company and thread are one thread: they have the same numbers. Only the
// constructors give identities (view_make, view_fresh, view_beside, view_like).
struct View {
  Extent extent;            // of the question; EXTENT_NONE: of no question
  uint32_t company, thread; // see above; in a question `thread` is its owner
  uint8_t owner;            // OWNER_THREAD1 or 2: how its symbols are told apart in a goal about two threads
  bool is_giver;            // a third thread, which one of the two got a value from (givers.c)
  ExprRef thread_idx[3], block_idx[3]; // width 32
  ExprRef linear, warp, lane;          // width 32
  ExprRef elected;                     // lane of its warp; 0: nobody asks
};

// Values as the thread reads them at one place.
struct Frame {
  Scan *scan;
  const View *view;
  ExprRef *iteration; // by loop: number of the iteration, width 32; 0: not asked yet, then this thread's own
  ExprRef *before;    // by loop: iteration - 1 where exactly one back edge lies between, else 0
  SymValue *values;   // by instruction, SYM_NONE: not computed
  uint8_t *is_open;   // by instruction: being computed (a cycle that is no loop form)
  bool is_shifted;    // made to look one iteration back from a private one: not done twice
  bool in_web;        // made to read what enters a web: webs are not followed from there
  // By loop: on every way of the frame's phase it is in its first iteration, as are its rounds in loops that
  // do not hold the point; NULL: nothing is known.
  const uint8_t *is_entered_only;
  const uint8_t *is_around; // by loop: it holds the point; NULL like above
  const WayGraph *graph;    // the ways that the frame's phase is one of; NULL: none
  uint32_t phase;
  ExprRef is_at_end; // condition that loops left on the way were in their last iterations; 0: nothing to say
  ExprRef rounds_since; // of the loop around the point that the frame's phase goes round; 0: one or none
  uint32_t round_loop;  // that loop
  ExprRef *progress;    // by loop: what the iteration before says; 0: not asked (rounds.c)
  const PrefixSum *sum; // in the proof of a sum of prefixes: what the rounds before left, at this distance
  ExprRef distance;
  Frame *earlier; // the frame with iteration = before, NULL until asked
};

// Nodes that a thread can be at after leaving a point, split by the outermost loop around the point whose
// back edge was crossed on the way (phase 0: none).
typedef struct State {
  uint32_t node, phase;
  uint32_t pred_first, pred_count;
  uint32_t idom;
} State;
typedef struct StateEdge {
  uint32_t from;                 // state
  uint32_t from_block, to_block; // CFG edge; equal when it passes a barrier inside a block
  bool is_back;                  // goes against the order of a loop that does not change the phase
} StateEdge;
struct WayGraph {
  Scan *scan;
  const Point *point;
  Extent extent;
  bool is_of_all;       // ways_of_all
  uint32_t loop_count;  // loops around the point
  uint32_t *loops;      // outermost first
  bool *goes_round;     // by phase: the crossed loop can be gone round again without a synchronisation point
  uint32_t *state_of;   // by node * (loop_count + 1) + phase: state + 1
  uint8_t *enters;      // by the same: the head of a loop that is come to anew, and not passed by
  VEC(State) states;    // in reverse post-order, [0] is the point
  VEC(StateEdge) edges; // grouped by target state
};

// ---- scan.c: what is in the kernel
void scan_collect(Scan *scan);
void scan_undecided(Scan *scan, uint32_t loc, const char *format, ...) __attribute__((format(printf, 3, 4)));
// The same; `is_of_budget`: other reasons are told before it.
void scan_leave_open(Scan *scan, uint32_t loc, bool is_of_budget, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// ---- calls.c
// The call touches nothing that other threads see: all that is unknown is what it returns.
bool call_is_private(Scan *scan, const IrInst *call);
// ---- loops.c
void loops_find_inductions(Scan *scan);
// A sum that goes by `step` (or by less) in each round: can it not wrap in any round that a thread comes to?
bool loops_stays_in_width(Frame *frame, uint32_t phi, ExprRef step, bool is_negated);
// Its value, if so.
ExprRef loops_narrow_sum(Frame *frame, ExprRef iteration, ExprRef start, ExprRef step, bool is_down);
// ---- cycles.c
bool cycles_match(Scan *scan, uint32_t phi, uint32_t loop, Induction *form);
ExprRef cycles_value(Scan *scan, const Induction *form, ExprRef iteration, uint8_t width);
// ---- uniform.c
void uniform_compute(Scan *scan);
bool uniform_ref(const Scan *scan, IrRef ref);
// Do all threads of the block come there, or none? Not if a branch on which that depends tells them apart.
bool uniform_comes_to(Scan *scan, uint32_t block);
// The same for all threads of the frame's block, in each iteration.
bool frame_is_of_block(const Frame *frame, ExprRef value);
// ---- stable.c: says which loads are broadcasts, and takes back what is_uniform does not bear out
void stable_start(Scan *scan);
bool stable_take_back(Scan *scan);
// ---- own_words.c
bool own_word_of_block(const Scan *scan, uint32_t access); // no other block writes the word
// ---- ways.c
// Does the barrier hold together the two threads of the question in hand (scan->covering), which are so far
// apart? For what is said of more threads than these two, or is kept: any two threads of the group.
bool point_orders(const Scan *scan, const Point *point, Extent extent);
bool point_orders_all(const Scan *scan, const Point *point, Extent extent);
bool point_would_order(const Scan *scan, const Point *point, Extent extent); // if all came that it holds
// Barriers of a part of the block are for those who come to them.
bool point_is_of_all(const Point *point);
WayGraph *ways_make(Scan *scan, const Point *point, Extent extent);   // of the question in hand
WayGraph *ways_of_all(Scan *scan, const Point *point, Extent extent); // ended by barriers of the whole group
uint32_t ways_common_dominator(const WayGraph *graph, uint32_t a, uint32_t b); // of two states
uint32_t ways_state(const WayGraph *graph, uint32_t node, uint32_t phase);     // CFG_NONE: not reachable
// ---- eval.c
void view_number(Scan *scan, View *view);        // linear number, warp and lane, from threadIdx
ExprRef view_elected(Scan *scan, uint8_t owner); // the lane of some warp that is elected
// A thread of the question about two that are so far apart: the same thread whenever it is asked for.
View *view_make(Scan *scan, Extent extent, uint8_t owner, ExprRef shared_block_idx[3]);
// A thread that is no other one as far as anybody knows: of this block, or of a block of its own (NULL). Who
// means the same thread twice keeps the view.
View *view_fresh(Scan *scan, const ExprRef block_idx[3]);
const View *view_anyone(Scan *scan);            // one thread, for what is kept and holds of all of them
View *view_beside(Scan *scan, const View *one); // another thread of its block, whoever that is
View *view_like(Scan *scan, const View *other); // likewise, with the same numbers until it gets others
// `iteration` and `before` by loop, 0 where the thread's own; copied.
Frame *frame_make(Scan *scan, const View *view, const ExprRef *iteration, const ExprRef *before);
bool frame_is_block_idx(const Frame *frame, uint32_t sym); // an index of the frame's block
// In other iterations of the same place and phase.
Frame *frame_like(const Frame *frame, const ExprRef *iteration, const ExprRef *before);
SymValue frame_value(Frame *frame, IrRef ref);
ExprRef frame_word(Frame *frame, IrRef ref, uint8_t width); // 0 if it is no word
ExprRef frame_edge_condition(Frame *frame, uint32_t from_block,
                             uint32_t to_block); // width 1; 0: not understood
ExprRef frame_iteration(Frame *frame, uint32_t loop);
// A new symbol for the number of an iteration.
const char *iteration_name(Scan *scan, uint32_t loop); // "iteration of the loop at line 15"
ExprRef iteration_new(Scan *scan, uint32_t loop, const char *name, uint8_t owner, int64_t lo);
uint32_t loop_line(const Scan *scan, uint32_t loop);
// The value of an instruction without a closed form. `origin` tells apart values that started from different
// things (0: none).
SymValue frame_leaf(Frame *frame, uint32_t inst, ExprRef origin);
bool frame_leaf_is_shared(const Frame *frame, uint32_t inst);
// An iteration of the loop before `iteration`, of the thread's own (or of all, if shared).
ExprRef frame_round(Frame *frame, uint32_t loop, ExprRef iteration, bool is_shared);
// The number of the loop's last iteration, one for all threads of the block.
ExprRef frame_last_iteration(Frame *frame, uint32_t loop);
// ---- exits.c: loops that were left
void exits_start(Scan *scan); // nothing is known of any loop
void exits_find(Scan *scan);
// The innermost loop around the block whose last iteration is known: all places in one loop, and in none of
// the others, read the same. CFG_NONE: in none.
uint32_t exits_place(const Scan *scan, Extent extent, uint32_t block);
// The thread is at that place: other loops whose last iteration is known are in that one, as far as the frame
// does not say otherwise.
void exits_fix(Frame *frame, uint32_t place);
// The same at the end of the frame's way, for loops around the point as well (is_at_end); `frame` itself if
// that says nothing more.
Frame *exits_at_end(Frame *frame, uint32_t place);
// ---- entered.c
// Every thread that comes to the loop goes round it at least once.
bool entered_surely(Scan *scan, uint32_t loop);
void entered_start(Scan *scan); // from here on it may be asked
// ---- rounds.c
bool rounds_pass_points(const Frame *frame, uint32_t loop);
// A frame in which the loop is in iteration `round`, and the loops inside in iterations of their own.
Frame *frame_of_round(Frame *frame, uint32_t loop, ExprRef round);
// ---- wander.c
// The pointer that the merge gives if nothing but the leaf `unknown` is known of it.
SymValue wander_pointer(Frame *frame, uint32_t inst, SymValue unknown);
// Nothing is known of the value: it is what a call returned that is seen but not entered.
void wander_note(Scan *scan, ExprRef value);
// Does the offset come from such a pointer, or such a value? Then no race is told of it.
bool wander_is_in(const Scan *scan, ExprRef offset);
// ---- webs.c
SymValue web_phi(Frame *frame, uint32_t loop, uint32_t inst);
// The same; false: nothing is known of where its values come from.
bool web_find(Frame *frame, uint32_t loop, uint32_t inst, SymValue *value);
int64_t common_divisor(int64_t a, int64_t b); // the greatest one; of 0 and b: |b|
// ---- eval.c
// Condition under which control that is at block `from` gets to `to` (from dominates to), back edges not
// taken.
ExprRef frame_region_condition(Frame *frame, uint32_t from, uint32_t to);
// Condition that control that is at block `from`, a dominator of `to`, gets to `to`, in the frame's
// iterations; 0 if it is not known exactly: for what holds because a thread surely gets there.
ExprRef frame_exact_condition(Frame *frame, uint32_t from, uint32_t to);
// The same along the dominators from `to` up to `from`, link by link: a link that is not understood is left
// out.
ExprRef frame_chain_condition(Frame *frame, uint32_t from, uint32_t to);
// ---- heap.c: malloc and new in device code
bool heap_is_allocation(const Scan *scan, const IrInst *inst);
bool heap_is_call(const Scan *scan, const IrInst *inst); // or a release
uint32_t heap_object(Scan *scan, uint32_t call);
SymValue heap_pointer(Frame *frame, uint32_t call);
// The memory is one for all threads of the block that hold a pointer to it.
bool heap_is_of_block(const Scan *scan, uint32_t object);
// Undecided where it is used to order threads.
void heap_check_access(Scan *scan, const Access *access, uint32_t object);
// Undecided where memory may be released while another thread uses it.
void heap_check_releases(Scan *scan);
// ---- objects.c
uint32_t object_find(Scan *scan, ObjKind kind, uint32_t index, const char *name);
SymValue object_of_global(Scan *scan, uint32_t global);
SymValue object_of_param(Scan *scan, uint32_t param);
SymValue object_param_piece(Scan *scan, uint32_t param, int64_t offset, IrType type);
SymValue sym_value_word(ExprRef word);
SymValue sym_value_opaque(void);
void objects_mark_written(Scan *scan);
// ---- dump_sync.c
void dump_sync(Scan *scan); // if --dump=sync asks for it

bool object_is_readonly(const Scan *scan, uint32_t object);
bool access_may_touch(const Scan *scan, uint32_t access, uint32_t object); // its address may lead there
int64_t object_alignment(const Scan *scan, uint32_t object); // its address is a multiple of this
// ---- addresses.c: pointers as numbers; kind OPAQUE: not understood
SymValue address_arith(Frame *frame, const IrInst *inst); // an operand is a pointer
SymValue address_compare(Frame *frame, const IrInst *inst);

// ---- instances.c: an access as one thread makes it on a way from a point
typedef struct Instance {
  const Access *access;
  uint32_t phase;
  Frame *frame;
  ExprRef condition; // that the thread gets there
  SymValue address;
  ExprRef length;         // bytes, width 64
  const Carried *carried; // a copy that was issued before the point; NULL: an access behind it
} Instance;

// Both threads of a question start together at one point.
typedef struct Meeting {
  Scan *scan;
  WayGraph *graph;
  const View *views[2];
  Frame ***frames[2];      // by loop + 1 (exits_place) and phase, for ways; NULL: not asked
  Frame ***ends[2];        // the same, at the end of a way
  ExprRef reached[2];      // condition that the point itself is reached
  ExprRef **links[2];      // by loop + 1 and state: condition from its immediate dominator; 0: not asked
  Instance **instances[2]; // by access * (loop_count + 1) + phase
  Instance **carried[2];   // by index in scan->carried
} Meeting;
Meeting *meeting_make(Scan *scan, const Point *point, Extent extent, const View *one, const View *two);
// What the thread reads in that phase when it is in the block.
Frame *meeting_frame(Meeting *meeting, int thread, uint32_t phase, uint32_t block);
// NULL if the thread cannot be at the access in that phase.
Instance *meeting_instance(Meeting *meeting, int thread, uint32_t access, uint32_t phase);
// The copy that is still going on at the meeting's point.
Instance *meeting_carried(Meeting *meeting, int thread, uint32_t carried);
// Values of the copy as they were for a thread that is `now` where it still goes on; and that it has come so
// far.
Frame *carried_frame(Frame *now, const Carried *carried, ExprRef *condition);
ExprRef carried_turns(Frame *now, uint32_t loop, uint32_t turns);
// The access as the frame's thread makes it, on any way from kernel entry.
Instance instance_in(Frame *frame, const Access *access);
// Condition of being in that state of the graph, as the thread sees it (the point's own condition included),
// and in that block.
ExprRef meeting_condition(Meeting *meeting, int thread, uint32_t state, uint32_t block);
// Condition that the thread goes round the loop, in the frame's iteration, without passing a point of its
// graph.
ExprRef meeting_round_condition(Frame *at, uint32_t loop);
// Condition that control gets from kernel entry to the block, as the frame's thread sees it.
ExprRef meeting_block_condition(Frame *frame, uint32_t block);

// ---- tables.c: pointers in initial data
typedef enum TableKind { TABLE_NONE, TABLE_KNOWN, TABLE_UNKNOWN } TableKind;
TableKind table_kind(const Scan *scan, uint32_t object);
// For a known one: what the pointer at the slot points to; every object that one in it points to, false if
// there are others.
SymValue table_pointer(Scan *scan, const Target *slot);
ExprRef table_word(Scan *scan, const Target *place, uint32_t bytes); // an aligned number; 0: not known
bool table_each(Scan *scan, uint32_t object, void (*visit)(void *context, uint32_t pointee), void *context);
// ---- objects.c: the address without casts and offsets
bool object_is_in_parameter(const Scan *scan, IrRef address);
IrRef object_address_base(const Scan *scan, IrRef address);
// ---- contents.c: what the host wrote into arrays
// `value` is what the load with this index reads at the target.
void contents_note(Frame *frame, uint32_t load, const Target *target, ExprRef value);
// The constant that the host put there; 0: it is not known to be one.
ExprRef contents_number(Scan *scan, const Target *target, uint32_t bytes);
// What the host code says of elements of this size, or NULL; `said` of it, for the element at the offset.
const LaunchContent *contents_find(const Scan *scan, const Obj *object, uint32_t bytes);
// What it held before the first round of a host loop, where that is known and no more.
const LaunchContent *contents_begun(const Scan *scan, const Obj *object, uint32_t bytes);
// Is there an element for which all that is said holds together?
bool contents_are_consistent(Scan *scan, const LaunchContent *content);
ExprRef contents_at(const Scan *scan, const LaunchContent *content, ExprRef said, ExprRef offset);
// Adds that the value is what the element at the offset holds when the kernel starts.
void contents_add_given(Scan *scan, Goal *goal, const LaunchContent *content, ExprRef value, ExprRef offset);
// Does the host code say what elements of this size hold?
bool contents_are_told(const Scan *scan, const Obj *object, uint32_t bytes);
// ---- floats.c: integers that are made from floating-point values
void floats_add(Scan *scan, Goal *goal);
// ---- floats_exact.c: what floating-point computations on integers give; of the applications that are `seen`
void floats_add_exact(Scan *scan, Goal *goal, const uint8_t *seen, uint32_t count);
// ---- intervals.c: floating-point values between constants
typedef struct FloatInterval {
  double lo, hi; // may be infinite
} FloatInterval;
// The name of the pure function that is applied; "" for what is no application.
const char *floats_function(const ExprPool *pool, ExprRef ref);
ExprRef floats_argument(const ExprPool *pool, ExprRef app, uint32_t index);
// A function of math.h on values of 32 or 64 bits, an operation of the language on them.
bool floats_is_call(const ExprPool *pool, ExprRef ref, const char *name, uint8_t bits);
bool floats_is_operation(const ExprPool *pool, ExprRef ref, const char *name, uint8_t bits);
// A finite constant.
bool floats_constant(const ExprPool *pool, ExprRef ref, uint8_t bits, double *value);
// The value is a number between these; false: nothing is known, it may be no number.
bool floats_interval(ExprPool *pool, ExprRef ref, uint8_t bits, FloatInterval *out);
// ---- claims.c: numbers drawn from counters
// The leaf is the value of instruction `index`; notes it if it is a claim.
void claims_note(Frame *frame, uint32_t index, ExprRef leaf);
// ---- nodes.c: walks over the graph of nodes
typedef struct NodeWalk {
  Scan *scan;
  uint8_t *seen;   // by node: a way leads to its start
  uint32_t *stack; // nodes whose ways on are still to be followed
  uint32_t depth;
} NodeWalk;
uint32_t node_of_inst(const Scan *scan, uint32_t inst);
NodeWalk node_walk(Scan *scan); // has seen nothing yet
void node_walk_visit(NodeWalk *walk, uint32_t node);
void node_walk_next(NodeWalk *walk, uint32_t node); // visits what comes after the node
// By node: all on the ways on from here; with `stops`, up to the next barriers of the block.
const uint8_t *node_reached_from(Scan *scan, uint32_t node, bool stops);
// The same up to the barriers that order any threads that are apart by the extent; the two in hand.
const uint8_t *node_stretch_from(Scan *scan, uint32_t node, Extent extent);
const uint8_t *node_stretch_of_two(Scan *scan, uint32_t node, Extent extent);
// Can both be between the same two barriers that hold threads together which are apart by the extent?
bool node_share_stretch(Scan *scan, Extent extent, uint32_t one, uint32_t other);
// ---- counts.c: counters of a block
// The leaf is the value of instruction `index`; notes its bounds if that reads a counter.
void counts_note(Frame *frame, uint32_t index, ExprRef leaf);
// The node with the barrier behind the reset of a counter, which each thread passes between any two of these
// additions; CFG_NONE: there is none.
uint32_t counts_period(Frame *any, const uint32_t *sites, uint32_t count, uint32_t reset);
// Thread 0 surely sets the counter there before a barrier that all threads pass on their way to the addition.
bool counts_is_set_before(Frame *any, uint32_t reset, uint32_t site);
// Thread 0 of the block is the only one that executes this block of the graph.
bool counts_only_first(Scan *scan, uint32_t block);
// The store into shared memory that the load reads, whichever thread of the block loads: thread 0 makes it
// before a barrier that the load stands behind, and no other write comes later; CFG_NONE: not known.
uint32_t counts_last_write(Scan *scan, uint32_t load);
// ---- locals.c
enum { LOCAL_STORE_LIMIT = 64 };
typedef struct LocalStores {
  uint32_t count;
  uint32_t insts[LOCAL_STORE_LIMIT];
} LocalStores;
// All that is ever stored in the array of the thread's own that is read, in words of the load's type at
// multiples of its size; false: not known, or nothing.
bool locals_stores(Frame *frame, const IrInst *load, LocalStores *stores);
// A store that fills the array from its start: with zeros (table 0), or with what a constant variable holds.
typedef struct Fill {
  int64_t bytes;
  uint32_t table; // object
} Fill;
bool locals_fill(Scan *scan, const IrInst *inst, Fill *fill);
ExprRef locals_fill_word(Scan *scan, const Fill *fill, ExprRef offset, uint32_t bytes); // 0: not known
// The constant variable that the array of the thread's own (its alloca) is filled from, as a whole and by
// nothing else: its object; 0: there is none.
uint32_t locals_only_table(Scan *scan, uint32_t array);
// The interval of a number read from an array of the thread's own; false: nothing is known.
bool locals_range(const Frame *at, const IrInst *load, int64_t *lo, int64_t *hi);
// ---- kept_pointers.c
// The pointer that is loaded from an array of the thread's own, or from shared memory; OPAQUE: not known.
SymValue kept_pointer(Frame *frame, uint32_t load, const Target *place);
// ---- prefix.c
void prefix_find(Scan *scan);
// The load's value where it is a sum of a prefix; kind SYM_NONE where it is not known to be one.
SymValue prefix_load(Frame *frame, uint32_t index);
// What sums that occur in the goal say of each other.
void prefix_add(Scan *scan, Goal *goal);
// ---- blocksums.c
// The value where it is a sum over threads of the block; kind SYM_NONE where it is not known to be one.
SymValue blocksums_value(Frame *frame, uint32_t index);
// ---- lockstep.c: --arch below sm_70
// Two accesses of lanes of one warp, in whatever iterations.
bool lockstep_orders(Scan *scan, const Access *one, const Access *two);
// May one lane of a warp be in the one block while another is in the other, neither before nor behind it?
bool lockstep_parts(Scan *scan, uint32_t one, uint32_t two);
// ---- resets.c
bool resets_may_reset(Scan *scan, const Access *access, uint32_t object);
// The addition and the access that uses its result are in one period of the counter: no reset between them,
// nor between the barriers around the addition.
bool resets_are_apart(Scan *scan, uint32_t object, uint32_t addition, uint32_t access,
                      const Frame *reader); // of the counter itself, or NULL
// The write is made by who alone made the reading before, and by nobody else.
bool resets_is_behind_reading(const Frame *frame, const Access *write, uint32_t reading);
// The same for two lanes of a warp, if the counter is one that only their own warp sets.
bool resets_are_apart_in_warp(Scan *scan, uint32_t object, uint32_t addition, uint32_t access);
// Every addition to the object is over when the reading is made, and nothing writes it between the same
// barriers, unless who reads it does so afterwards.
bool resets_is_behind_all(const Frame *frame, uint32_t object, uint32_t reading);
bool resets_is_final(Scan *scan, uint32_t object, uint32_t reading); // nothing writes it any more
// ---- totals.c: a block draws what its threads drew
bool totals_is_reading(const Frame *frame, IrRef ref); // once, and one value in the block
void totals_add(Scan *scan, Goal *goal, const Claim *drawn, const Claim *range);
void totals_add_readings(Scan *scan, Goal *goal, const Claim *range); // of the counter, later on
// ---- scan.c
// A number that a thread makes of nothing but its place and the launch: the same in all rounds of loops.
bool scan_is_same_each_time(const Scan *scan, IrRef ref, int depth);
uint32_t scan_add_cover(Scan *scan, Cover cover); // 0: too many
bool scan_covers_block(const Scan *scan,
                       uint32_t covering);              // only such as hold threads of several warps together
void scan_grid_barrier(Scan *scan, const IrInst *inst); // has it a meaning under this launch?
uint32_t scan_node_behind(const Scan *scan, uint32_t inst); // a barrier, or the wait of one
// ---- arrivals.c: barriers in two halves, and barrier objects
void arrivals_find(Scan *scan);
const Meet *arrivals_meet_of(const Scan *scan, uint32_t inst); // NULL: it is no operation on such a barrier
Frame *arrivals_frame(Scan *scan); // one thread, in any round: Meet.word is as it sees it
// The shared variable that holds the barrier object at this address; 0: not known.
uint32_t arrivals_object(const Scan *scan, Frame *frame, IrRef address);
bool arrivals_is_arrival(const IrInst *inst);
// Nothing is done to a pipeline behind it: to leave it there withholds no arrival from anybody.
bool arrivals_is_last(const Scan *scan, uint32_t quit);
bool arrivals_is_wait(const IrInst *inst);
// ---- arrivals_tiles.c: a barrier object for each tile of the block
// As many threads as a tile has, each of which has an object of its own; 0: not known.
uint32_t arrivals_find_tiles(Scan *scan, const uint32_t *uses, uint32_t count);
bool arrivals_add_tile_point(Scan *scan, uint32_t wait, uint32_t threads);
bool arrivals_is_set_up_by(Scan *scan, uint32_t init, uint32_t use); // may be, by some thread of the block
// ---- misuse.c: mistakes in the synchronisation itself
typedef struct Misuse {
  FindingRule rule;
  Certainty certainty;
  const char *cause;
  uint32_t inst;
  const SrcLoc *second; // or NULL
  const char *message;
} Misuse;
void misuse_check(Scan *scan);
void misuse_report(Scan *scan, const Misuse *misuse); // once for a place
// ---- masks.c: lanes that execute an operation whose mask leaves them out
void masks_check(Scan *scan);
// ---- named.c: barriers with a number
void named_find(Scan *scan);
int64_t named_count_threads(Scan *scan); // of a block; 0: not known, or too many
// Which threads of a block may come to the basic block; false: not known.
bool named_may_execute(Scan *scan, uint32_t block, uint8_t *members);
// Likewise, if this lane of each warp is the elected one.
bool named_may_execute_if(Scan *scan, uint32_t block, int64_t elected, uint8_t *members);
// Which threads of a block have this value there, outside of loops; false: not known.
bool named_where(Scan *scan, IrRef ref, int64_t value, uint8_t *members);
// Condition that the view's thread is one of these.
ExprRef named_membership(Scan *scan, const View *view, const uint8_t *members);
// ---- opaque.c
const char *
opaque_asm(const char *text); // what of it is not followed, in words; NULL: nothing is known of it
// ---- bytes.c: bytes of bulk copies, as one thread has them in one round
bool bytes_add(Frame *frame, ExprRef *sum, IrRef length); // false: not understood
bool bytes_are_all(Frame *frame, ExprRef sum, IrRef announced);
// ---- async.c: copies that go on
void async_find(Scan *scan);
// Does the copy complete on a barrier object (and is so in no group)?
bool async_completes_on_object(const Scan *scan, const IrInst *copy);
// Is the copy done when the phase of a barrier object is complete?
bool async_is_of_object(const Scan *scan, const Access *access);
// Likewise, or a later instruction may bind it to one.
bool async_may_be_of_object(const Scan *scan, const Access *access);
// The barrier object that waits for all bytes of this bulk copy, whoever makes it; 0: none, or not known.
uint32_t async_told_object(Scan *scan, const Access *access);
bool async_is_carried(const Scan *scan, const Access *access, uint32_t point);
// The thread that copies may come to the access without having waited for the copy, and no loop is around
// both: what to say of that; else NULL.
// No thread comes to both blocks of the graph, in whatever rounds; false: not known.
bool exclusive_blocks(Scan *scan, uint32_t a, uint32_t b);
const char *async_not_awaited(Scan *scan, const Access *copy, const Access *access);
// ---- async_choices.c: the ways that a thread can take past commits and waits
enum { CHOSEN_STATES = 81, ELSEWHERE_STATES = 27 };
typedef struct Choices Choices;
typedef struct WaysTaken {
  uint8_t now, before; // in this round, and in the one before; 0: nothing is known
  uint8_t elsewhere;   // the last time
} WaysTaken;
typedef enum IssuedIn { ISSUED_NOW, ISSUED_BEFORE, ISSUED_EARLIER } IssuedIn; // in which round the copy was
Choices *choices_find(Scan *scan, uint32_t copy_block);                       // NULL: no branch decides
uint32_t choices_loop(const Choices *choices);                                // CFG_NONE: none
// Goes over the edge; false: no thread does that which has gone these ways.
bool choices_go(Choices *choices, WaysTaken *chosen, uint32_t from, uint32_t to, IssuedIn issued);
// ---- proxies.c: writes that bulk copies do not see
bool proxies_is_bulk(const Scan *scan, const Access *access); // a bulk copy
bool proxies_may_matter(Scan *scan, const Access *access);    // a write to what a bulk copy may touch
bool proxies_fence_fits(const Scan *scan, const IrInst *fence, const Access *write);
// What one side wrote may be unknown to the bulk copy on the other side, though the two are ordered: NULL, or
// the text; `is_sure`: there is no such fence at all.
const char *proxies_between(Scan *scan, const Access *one, const Access *two, bool *is_sure);
// Does whoever issues the copy make such a fence behind the barrier that the write is carried over?
bool proxies_fences_itself(Scan *scan, const Carried *write, const Access *copy);
const char *proxies_text(Scan *scan, const Access *write, const Access *copy);
// ---- order_phases.c
// The conditions of the goal, about a copy and another access of one thread, cannot hold together: the copy
// is over by then.
bool order_own_copy_by_phases(Scan *scan, const Instance *copy, const Instance *other, const Goal *goal);
// ---- votes.c
// The leaf is the value of instruction `index`; notes it if it is a ballot or a shuffle of a whole warp.
void votes_note(Frame *frame, uint32_t index, ExprRef leaf);
// ---- butterfly.c
// Keeps the value among the ballots, if it is one for lanes of the warp after a butterfly.
void butterfly_note(Frame *frame, uint32_t index, ExprRef value);
// Are the two lanes among those that hold one value?
ExprRef butterfly_is_common(Scan *scan, const Ballot *one, const Ballot *two);
bool votes_is_ballot(const Scan *scan, const IrInst *inst);    // by all lanes together
bool votes_is_broadcast(const Scan *scan, const IrInst *inst); // from one lane, to all
bool votes_is_from_lane(const IrInst *inst);                   // a shuffle from one numbered lane
// If the thread is the lowest lane of this mask of a group, there is none below it.
void votes_add_rank(Scan *scan, Goal *goal, Frame *frame, IrRef mask, ExprRef rank);
// ---- givers.c: what other threads of the block wrote, or handed on
// The leaf is the value of instruction `index`; notes it if that may come from another thread.
void givers_note(Frame *frame, uint32_t index, ExprRef leaf);
// Adds what is known of those that occur, by ref up to `known`, to the invariants.
void givers_make(Scan *scan, const uint8_t *occurs, uint32_t known);
// Are both loads by one thread, of one place?
bool givers_read_one_place(const Gift *a, const Gift *b);
// Another thread at the block; `is_together`: in the reader's iterations of the loops around it, else in any.
Frame *givers_frame(Frame *reader, const View *view, uint32_t block, bool is_together);
// Another thread of the reader's block that made the store, whichever it is: its frame, the store, and what
// holds of it; 0: there are too many such threads already.
ExprRef givers_storing(Frame *reader, const Access *store, Frame **giver, Instance *made);
// ---- overwrites.c: what a later store left of an earlier one
// The barrier behind the store's stretch, if each thread that makes the load has passed it in the same
// iterations; else NULL.
const Point *overwrites_closing(Scan *scan, const Access *store, const Access *load);
// With that: whatever `earlier` put there is overwritten where a thread has made the store.
bool overwrites_hides(Scan *scan, const Point *closing, const Access *store, const Access *load,
                      const Access *earlier);
// A thread like `like` that may have stored at the offset, in the reader's iterations; NULL: not computed.
View *overwrites_writer(Frame *reader, const Access *store, const View *like, ExprRef offset);
// ---- groups.c: lanes that run together
bool groups_is_mask(const IrInst *inst);
// The shuffle `index` hands on what one lane of a group got from the addition; false: that is not known.
bool groups_note(Frame *frame, uint32_t index, uint32_t addition, ExprRef leaf, Claim *claim);
// What a lane adds, the one of that number in its part of a warp, `width` lanes wide, as each lane of the
// part knows it; 0: it hangs on more than the number of the thread that adds.
ExprRef groups_amount_of_lane(Frame *frame, uint32_t addition, int64_t width, int64_t lane);
// Is what the addition adds the number of lanes that the mask of a vote names, and does one of these lanes at
// most add it? Then the vote.
bool groups_counts_lanes(Scan *scan, uint32_t addition, uint32_t *vote);
// Do lanes that named one label have one address, whatever rounds they are in? The mask of the shuffle names
// them.
bool groups_label_decides_word(Scan *scan, uint32_t shuffle, IrRef address);
// ---- pairs.c
void pairs_check(Scan *scan);
// Does a thread touch what its own asynchronous copy is still working on?
void pairs_check_own(Scan *scan, const Instance *copy, const Instance *other);
// Proved to be apart, or the copy to be over; nothing is said if not.
bool pairs_own_apart(Scan *scan, const Instance *copy, const Instance *other);
// ---- clusters.c
void clusters_find(Scan *scan);
// A place in the shared memory of the block with that rank; OPAQUE: not understood.
SymValue clusters_mapped(Frame *frame, const IrInst *inst);
// Do both speak of shared memory of one block, or of one that is the same?
ExprRef clusters_is_same_memory(Scan *scan, const View *one, const Target *first, const View *two,
                                const Target *second);
ExprRef clusters_size(Scan *scan); // blocks of a cluster
// ---- distributed.c: shared memory of other blocks
void distributed_check(Scan *scan);
// Of the barriers of this scope, which hold together?
IrScope clusters_point_scope(const Scan *scan, IrScope scope);
ExprRef clusters_is_same(Scan *scan, const View *one, const View *two);                 // CLUSTERS_KNOWN
bool clusters_are_same(const int64_t *cluster, const int64_t *one, const int64_t *two); // block indices
// ---- barriers.c
void barriers_check(Scan *scan);
void barriers_tell_leavings(Scan *scan);      // of threads that count as arrived at a barrier
void barriers_find_divergent(Scan *scan);     // those of a warp or of a part: sets Point.is_divergent
bool barriers_is_leaving(const IrInst *inst); // arrive_and_drop
// ---- facts.c
void facts_settle(Scan *scan);
// ---- known.c
// The goal with what its launch's facts decide replaced; `used`: which of them, for the core of a proof.
Goal known_read(Scan *scan, const Goal *goal, uint64_t *used);
void known_add_core(Scan *scan, uint64_t used, SolverAnswer *answer);
// ---- proofs.c
Refuted proofs_of(Scan *scan, const Goal *goal);          // before the goal is asked
bool proofs_cover(const Scan *scan, const Refuted *goal); // a part of it was refuted already
void proofs_keep(Scan *scan, Refuted proof);
// ---- goal.c
// The value as C takes it for a condition; 0 if it is not understood.
ExprRef frame_truth(Frame *frame, IrRef ref);
// Tags of facts that are not the launch's: accesses stay in bounds; what is read has been written.
enum { TAG_BOUNDS = 0x7fffffff, TAG_GIVEN = 0x7ffffffe };
void goal_add(Scan *scan, Goal *goal, ExprRef condition, GoalPart part, uint32_t tag);
Goal goal_copy(Scan *scan, const Goal *goal);
// The bytes at `one` and those at `two`, 64 bits each, have one in common.
ExprRef goal_overlap(ExprPool *pool, ExprRef one, uint32_t one_bytes, ExprRef two, uint32_t two_bytes);
void goal_add_launch(Scan *scan, Goal *goal); // host facts
void goal_add_view(Scan *scan, Goal *goal, const View *view);
// Which partial warp barriers hold both threads (scan->covering says which of them do in this question).
ExprRef goal_lane_in_mask(Scan *scan, ExprRef lane, uint32_t mask);
ExprRef goal_has_lane(Scan *scan, ExprRef mask, ExprRef lane); // the mask is computed, 32 bits
void goal_add_covers(Scan *scan, Goal *goal, Extent extent, Frame *one, Frame *two);
void goal_add_extent(Scan *scan, Goal *goal, Extent extent, const View *one, const View *two);
// What the earlier iterations of the frame's loops say, for those that occur in the goal.
void goal_add_rounds(Scan *scan, Goal *goal, Frame *frame);
// What ballots that occur in the goal say of the lanes and their ranks.
void goal_add_votes(Scan *scan, Goal *goal, Extent extent, const Frame *first, const Frame *second);
// What the numbers drawn by the two say of each other; accesses that stand for many others are no places.
void claims_add(Scan *scan, Goal *goal, Extent extent, const Instance *const pair[2], bool stands_for_many);
// Adds the number of parts of the expression, up to one more than `most` in all.
void goal_count_parts(const ExprPool *pool, ExprRef ref, uint32_t most, uint32_t *count);
SolverAnswer goal_decide(Scan *scan, Goal *goal, const char *name);
// Without conditions that are very long: what is refuted so is refuted, another answer says nothing of the
// goal.
SolverAnswer goal_decide_short(Scan *scan, Goal *goal, const char *name);
SolverAnswer goal_satisfiable(Scan *scan, Goal *goal, const char *name);
// ---- places.c
// Can the conflict of a long goal be refuted without what only the ways of the threads say? If so, `goal` is
// cut down to what was needed and `proof` is the answer, which says nothing of whether the ways are possible.
bool places_are_apart(Scan *scan, Goal *goal, const char *name, SolverAnswer *proof);
// The same, where only matters that the conditions cannot hold together.
bool places_exclude(Scan *scan, const Goal *goal, const char *name, SolverAnswer *proof);
bool places_goal_is_long(const Scan *scan, const Goal *goal); // else there is nothing to be gained
const char *extent_name(Extent extent);
// Marks the expression and all that it is made of, by ref.
void goal_mark_below(const ExprPool *pool, ExprRef ref, uint8_t *seen);
// Which expressions occur in the goal, by ref.
uint8_t *goal_occurrences(Scan *scan, const Goal *goal);
// ---- replay.c
typedef enum ReplayResult {
  REPLAY_CONFIRMED,
  REPLAY_NEEDS_MEMORY, // it happens if memory that the kernel is given holds what is shown
  REPLAY_NOT_SHOWN,    // it hangs on contents of memory that the kernel itself computes
  REPLAY_DIFFERS,
  REPLAY_IMPOSSIBLE
} ReplayResult;
typedef struct ReplayQuery {
  const Access *accesses[2];
  Extent extent;
  const SolverAnswer *answer;
  const View *views[2];
  ExprRef offsets[2];     // of the two accesses, in bytes
  const Goal *goal;       // the conditions that the model satisfies: which values are worth showing
  uint32_t *undefined_at; // NULL, or by thread: the instruction without a meaning at which it stopped, else
                          // CFG_NONE
  bool is_of_order;       // the model holds more than the goal: which threads they are matters
} ReplayQuery;
// Fills the witness (launch, threads, address) from the model; on a difference searches the same launch for
// two other threads that do collide.
ReplayResult replay_check(Scan *scan, const ReplayQuery *query, Witness *witness);
// ---- replay_barriers.c
typedef enum PartingKind {
  PARTING_NOT_SHOWN,
  PARTING_BY_LEAVING, // one of the two has merely ended where the other one waits
  PARTING_SHOWN
} PartingKind;
typedef struct Parting {
  PartingKind kind;
  bool used_memory;         // contents that the model has chosen
  const char *doubt;        // RaceFacts
  bool is_of_other_threads; // of the same launch than those of the model:
  WitnessThread threads[2]; // the first one comes to the barrier
} Parting;
// Do the two threads of the answer, or others of their block, come to different barriers?
Parting replay_parts_at_barrier(Scan *scan, const ReplayQuery *query, const BarrierFork *fork);
// ---- computed_before.c: see also pairs.h
bool computed_starts(const Scan *scan, uint32_t object);
// ---- start_words.c
// That the proofs take the word to hold this, or no less, at the start, of which the host code says nothing.
void start_words_note(Scan *scan, const Target *word, uint32_t bytes, ExprRef value, bool is_least);
// Lists what is assumed of them; leaves the kernel undecided, or tells a race, where runs speak against it.
void start_words_check(Scan *scan);
// ---- doubts.c
// Is there an answer to the goal in which calls without a body leave alone what they are not given? Then goal
// and answer are those from now on. Else what has to change for it, as a sentence; NULL if nothing.
const char *doubts_settle(Scan *scan, Goal *goal, SolverAnswer *answer, const char *name);
const char *doubts_in_answer(Scan *scan, const SolverAnswer *answer); // that the answer itself makes use of
// ---- rehearsal.c
// Runs the whole launch of the model: CONFIRMED or NEEDS_MEMORY if the two accesses race there, with threads
// and address put into the witness, and the cause if it is known; DIFFERS if that was not seen. A query
// without a goal only looks at what was found before.
ReplayResult rehearsal_find(Scan *scan, const ReplayQuery *query, Witness *witness, const char **cause);
// The same in runs on chosen contents of all memory that the kernel is given: what it computes itself comes
// out of them, what kernels before it have computed out of runs of those, or it may be anything, if they
// cannot be run. NEEDS_MEMORY, with the witness, if the two accesses race in one of them; else NOT_SHOWN.
ReplayResult rehearsal_confirm(Scan *scan, const ReplayQuery *query, Witness *witness);
bool rehearsal_runs_past(const Scan *scan); // were the kernels before run for that?
// ---- report.c
typedef struct RaceFacts {
  const Access *accesses[2];
  uint32_t object;
  Extent extent;
  ReplayResult replay;
  Witness witness;
  bool is_computed_here; // it hangs on what the kernel puts into an array that the host has filled
  bool is_same_value;
  bool is_open;                    // nothing is known to order the two, nor that nothing does
  const char *cause, *explanation; // what locks or flags lack; NULL: nothing to say
  const char *doubt;               // a call that has to change something for that, as a sentence; NULL: none
  bool also[EXTENT_COUNT];
  const SolverAnswer *answer;
  Goal goal; // that the answer is a model of
} RaceFacts;
// ---- mend.c: which fact is missing?
// Keeps a goal that has an answer; then looks for what would refute them all.
void mend_keep(Scan *scan, const SrcLoc *one, const SrcLoc *two, const Goal *goal,
               const SolverAnswer *answer);
void mend_search(Scan *scan);
// ---- warp_order.c
// By block: how far a lane has come in one round, where those of a warp go in lock step; NULL: there is no
// such order.
const uint32_t *warp_order(const Scan *scan);
// ---- kernelscan.c
bool launch_dimension_matters(const Scan *scan, int index); // of LaunchContext.dimensions
// Has the dimension any extent although the kernel, of which no launch is seen, never looks along it?
bool launch_extent_is_free(const Scan *scan, int index);
// Without looking for missing facts.
KernelResult *kernelscan_check_plain(const KernelScanRequest *request, Arena *arena);

void report_race(Scan *scan, const RaceFacts *race);
// Its cause's rule, under the memory model of the run.
void report_name_rule(Scan *scan, Finding *finding);
void report_divergence(Scan *scan, const BarrierFork *fork, const ReplayQuery *query, const Parting *parting);
// Launch, threads and values from a model, without running anything.
void witness_from_model(Scan *scan, const ReplayQuery *query, Witness *witness);

#endif
