// Shared by the files of kernelscan/facts/ only.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_FACTS_FACTS_H
#define HGRD_KERNELSCAN_FACTS_FACTS_H

#include "kernelscan/facts.h"

// A value that another thread of the block may have given, by shared memory or a shuffle (reaching_stores.c).
typedef struct ReachingValue {
  ExprRef leaf;
  uint32_t inst;
  Frame *frame; // of the thread that reads it
  bool is_made; // what is known stands among the invariants
} ReachingValue;

// The result of a ballot, a shuffle or a butterfly of a whole warp, as one thread reads it (votes.c).
typedef struct Ballot {
  ExprRef leaf;
  uint32_t inst;
  Frame *frame;
  uint32_t lanes; // BUTTERFLY: bits of the lane's number that do not matter to it; else 0
} Ballot;

// A number that an atomic addition gave to one thread: the start of a range of `amount` that is its own.
typedef struct DrawRange {
  ExprRef leaf;
  uint8_t owner; // of the thread
  uint32_t extent;
  uint32_t counter; // object
  ExprRef offset, amount;
  IrScope scope;
  uint32_t bytes;
  uint32_t source;  // the addition
  uint32_t handed;  // of a draw that came by a shuffle: the shuffle
  bool is_carried;  // came from another thread of the block, through shared memory
  bool is_of_warp;  // came from one lane of the thread's warp, by a shuffle
  ExprRef mask;     // came from one lane of these, by a shuffle (groups.c); 0: none
  ExprRef only_if;  // it is a draw only under this condition; 0: always
  uint8_t state;    // how the counter counts: 0 not asked, 1 only up, 2 any way, 3 up between resets, 4 only
                    // down, 5 down between resets
  bool is_unsigned; // then: amounts are unsigned numbers
  bool has_halves;  // then: a word of 64 bits whose lower half counts up by itself
  bool leans_on_start; // it counts up if it starts at zero: it stands in its own list
  bool is_own;         // the addition's own result, in the iteration in which it was made
  Frame *frame;
} DrawRange;

// A shared variable that holds sums of prefixes behind a loop (prefix.c).
typedef struct PrefixSum {
  uint32_t object;     // 0: a sum over what threads hold (blocksums.c), of which only `func` and `most` count
  uint32_t init, step; // the two stores: each thread's number, and what a round adds
  uint32_t loop, phi;  // the loop of the rounds, and its distance
  uint32_t func;       // the sum of the first x numbers of a block
  int64_t most;        // no number is larger
} PrefixSum;

// What one file of this sub-room finds and others read.
typedef struct FactLists {
  VEC(DrawRange) draws; // draw_ranges.c, by leaf and frame; `state`: of its counter, as its frame sees it
  VEC(Ballot) ballots;  // votes.c and butterfly.c, by leaf and frame
  VEC(const PrefixSum *) sums; // prefix.c, histograms.c and blocksums.c
} FactLists;

static inline FactLists *fact_lists(const Scan *scan) {
  return SCAN_STATE_OF(scan, facts, FactLists);
}

typedef struct FloatInterval {
  double lo, hi; // may be infinite
} FloatInterval;

enum { LOCAL_STORE_LIMIT = 64 };

typedef struct LocalStores {
  uint32_t count;
  uint32_t insts[LOCAL_STORE_LIMIT];
} LocalStores;

// A store that fills the array from its start: with zeros (table 0), or with what a constant variable holds.
typedef struct Fill {
  int64_t bytes;
  uint32_t table; // object
} Fill;

// locals.c
// All that is ever stored in the array of the thread's own that is read, in words of the load's type at
// multiples of its size; false: not known, or nothing.
bool locals_stores(Frame *frame, const IrInst *load, LocalStores *stores);
bool locals_fill(Scan *scan, const IrInst *inst, Fill *fill);
ExprRef locals_fill_word(Scan *scan, const Fill *fill, ExprRef offset, uint32_t bytes); // 0: not known

// together.c
// Do all threads of the block (EXTENT_INTRA_BLOCK) or of the warp (EXTENT_INTRA_WARP) come there, or none, in
// each iteration of the loops around it?
bool together_comes_to(Scan *scan, Extent extent, uint32_t block);
bool together_meets_all(Scan *scan,
                        uint32_t operation); // together_meets, and so does any other lane that the mask names
// Are branches taken for granted just now? Then nothing that hangs on these answers may be kept.
bool together_is_open(const Scan *scan);

// initial_contents.c
// Is there an element for which all that is said holds together?
bool initial_contents_are_consistent(Scan *scan, const LaunchContent *content);

// floats_exact.c
void floats_add_exact(Scan *scan, Goal *goal, const ExprSet *occurs);

// float_intervals.c
// The name of the pure function that is applied; "" for what is no application.
const char *floats_function(const ExprPool *pool, ExprRef ref);
ExprRef floats_argument(const ExprPool *pool, ExprRef app, uint32_t index);
// A function of math.h on values of 32 or 64 bits, an operation of the language on them.
bool floats_is_call(const ExprPool *pool, ExprRef ref, const char *name, uint8_t bits);
bool floats_is_operation(const ExprPool *pool, ExprRef ref, const char *name, uint8_t bits);
// A product but for its sign. Compilers move signs about (|x * a| is x * a where that is not negative, 1 - x * a is 1 + x * -a), so that a sum with
// it may be computed in one step.
bool floats_hides_product(const ExprPool *pool, ExprRef ref, uint8_t bits);
// A finite constant.
bool floats_constant(const ExprPool *pool, ExprRef ref, uint8_t bits, double *value);
// The value is a number between these; false: nothing is known, it may be no number.
bool floats_interval(ExprPool *pool, ExprRef ref, uint8_t bits, FloatInterval *out);

// counter_bounds.c
// The node with the barrier behind the reset of a counter, which each thread passes between any two of these
// additions; CFG_NONE: there is none.
uint32_t counter_bounds_period(Frame *any, const uint32_t *sites, uint32_t count, uint32_t reset);
// Thread 0 surely sets the counter there before a barrier that all threads pass on their way to the addition.
bool counter_bounds_is_set_before(Frame *any, uint32_t reset, uint32_t site);
// The store into shared memory that the load reads, whichever thread of the block loads: thread 0 makes it
// before a barrier that the load stands behind, and no other write comes later; CFG_NONE: not known.
uint32_t counter_bounds_last_write(Scan *scan, uint32_t load);

// resets.c
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

// draw_ranges.c
enum { DRAW_DEPTH = 4 };
bool draw_ranges_is_addition(const IrInst *inst);             // or a subtraction
ExprRef draw_ranges_amount(Frame *frame, const IrInst *inst); // what is added; 0: not known
bool draw_ranges_stores_into(const Scan *scan, const Access *access, uint32_t global);
// One value for all of the block, made of the block's own and of what is read once for all of it.
bool draw_ranges_is_of_readings(Frame *frame, IrRef ref, int depth);

// draw_totals.c
bool draw_totals_is_reading(const Frame *frame, IrRef ref); // once, and one value in the block
void draw_totals_add(Scan *scan, Goal *goal, const DrawRange *drawn, const DrawRange *range);
void draw_totals_add_readings(Scan *scan, Goal *goal, const DrawRange *range); // of the counter, later on

// butterfly.c
// Are the two lanes among those that hold one value?
ExprRef butterfly_is_common(Scan *scan, const Ballot *one, const Ballot *two);

// votes.c
bool votes_is_ballot(const Scan *scan, const IrInst *inst); // by all lanes together
bool votes_is_from_lane(const IrInst *inst);                // a shuffle from one numbered lane
// If the thread is the lowest lane of this mask of a group, there is none below it.
void votes_add_rank(Scan *scan, Goal *goal, Frame *frame, IrRef mask, ExprRef rank);

// third.c
// So many third threads have been made that no more are worth it; one more that is made otherwise.
bool third_are_many(const Scan *scan);
void third_count(Scan *scan);
ExprRef third_block_threads(Scan *scan); // how many threads a block has, 64 bits
// Another thread of the reader's block; `owner`: whose values its own are, for the solver.
View *third_view(Scan *scan, const View *reader, uint8_t owner);
// That lane of the reader's warp, which may not be there (shuffles_has_lane); NULL: its numbers are not known.
View *third_lane(Scan *scan, const View *reader, ExprRef lane);
// Another thread at the block; `is_together`: in the reader's iterations of the loops around it, else in any.
Frame *third_frame(Frame *reader, const View *view, uint32_t block, bool is_together);
// That a thread comes to the block at all, exactly; 0: not known. What no way to an exit goes round says
// nothing: a thread that never left a loop would never have let others pass the next barrier.
ExprRef third_comes_to(Frame *frame, uint32_t block);

// reaching_stores.c
// Another thread of the reader's block that made the store, whichever it is: its frame, the store, and what
// holds of it; 0: there are too many such threads already.
ExprRef reaching_stores_by(Frame *reader, const Access *store, Frame **storer, Instance *made);
// The stores that may have put there what a load of shared memory reads.
enum { STORE_LIMIT = 8 };
typedef struct StoresLeft {
  uint32_t count;
  uint32_t insts[STORE_LIMIT];
  ExprRef overwritten
      [STORE_LIMIT]; // another of them has surely come behind it under this condition; 0: not known
} StoresLeft;
// All of them, each of which fills what is read; false: there are others. Not for a third thread. `overwritten` is made by the
// second, which costs much more.
bool reaching_stores_find(Frame *reader, uint32_t load, StoresLeft *left);
void reaching_stores_find_overwritten(Frame *reader, uint32_t load, StoresLeft *left);

// shuffles.c
// How many lanes, a power of two, exchange among themselves; 0: not known.
int64_t shuffles_width(const Scan *scan, const IrInst *shuffle);
// That the thread's warp has that lane, one of 0 to 31: the last warp of a block may have fewer than 32.
ExprRef shuffles_has_lane(Scan *scan, const View *view, ExprRef lane);
// That the lane is there and comes to the shuffle if the reader does; 0: not known.
ExprRef shuffles_source_comes(Frame *reader, uint32_t shuffle, ExprRef lane);
// What holds of the value that the shuffle gave; 0: nothing is known.
ExprRef shuffles_condition(Scan *scan, const ReachingValue *reaching, uint8_t owner);

// killed_stores.c
// The barrier behind the store's stretch, if each thread that makes the load has passed it in the same
// iterations; else NULL.
const Point *killed_stores_closing(Scan *scan, const Access *store, const Access *load);
// With that: whatever `earlier` put there is overwritten where a thread has made the store.
bool killed_stores_hide(Scan *scan, const Point *closing, const Access *store, const Access *load,
                        const Access *earlier);
// A thread like `like` that may have stored at the offset, in the reader's iterations; NULL: not computed.
View *killed_stores_writer(Frame *reader, const Access *store, const View *like, ExprRef offset);

// groups.c
bool groups_is_mask(const IrInst *inst);
// The shuffle `index` hands on what one lane of a group got from the addition; false: that is not known.
bool groups_note(Frame *frame, uint32_t index, uint32_t addition, ExprRef leaf, DrawRange *draw);
// A lane of the warp; where it is known, its rank among those that the mask names.
typedef struct GroupLane {
  ExprRef number;
  IrRef mask;
  ExprRef rank;
} GroupLane;
// Does the lane make the addition whose result it hands on by the shuffle? Asked of the solver.
bool groups_lane_adds(Frame *frame, const IrInst *shuffle, uint32_t addition, GroupLane lane);
// What a lane adds, the one of that number in its part of a warp, `width` lanes wide, as each lane of the
// part knows it; 0: it hangs on more than the number of the thread that adds.
ExprRef groups_amount_of_lane(Frame *frame, uint32_t addition, int64_t width, int64_t lane);
// Is what the addition adds the number of lanes that the mask of a vote names, and does one of these lanes at
// most add it? Then the vote.
bool groups_counts_lanes(Scan *scan, uint32_t addition, uint32_t *vote);
// Do lanes that named one label have one address, whatever rounds they are in? The mask of the shuffle names
// them.
bool groups_label_decides_word(Scan *scan, uint32_t shuffle, IrRef address);

// start_values.c
// For who only needs that it is not negative.
bool start_values_are_not_negative(Scan *scan, const Target *word, uint32_t bytes);
// That the proofs take the word to hold this, or no less, at the start, of which the host code says nothing.
void start_values_note(Scan *scan, const Target *word, uint32_t bytes, ExprRef value, bool is_least);

#endif
