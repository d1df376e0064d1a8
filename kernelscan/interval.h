// The door of kernelscan/interval/: ways between synchronisation points, and an access as one of two threads
// makes it there.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_INTERVAL_H
#define HGRD_KERNELSCAN_INTERVAL_H

#include "kernelscan/ways.h"

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

// What goes on behind a point. Added to by who finds it: halves of barriers (arrivals.c), then copies (async.c); so all of
// it is known once async_find is done.
typedef struct CarriedOver {
  VEC(Carried) points;   // `point` is one of scan->points
  VEC(Carried) arrivals; // `point` is an arrival at a barrier object
} CarriedOver;

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
  Instance **carried[2];   // by index in CarriedOver.points
} Meeting;

typedef struct OrderQuestion {
  Meeting *meeting;
  const Instance *instances[2];
  const Target *targets[2];
  Extent extent;
  const Goal *goal; // satisfiable
  const char *name; // for dumps
  Models *models;   // of the goal
} OrderQuestion;

// instances.c
CarriedOver *carried_over(const Scan *scan); // filled in by arrivals_find and async_find
// The two threads at the point, which the couple is asked about; nothing is asked of them yet.
Meeting *meeting_make(Scan *scan, const Point *point, Couple couple, const View *one, const View *two);
// The meeting's couple where its threads are asked about as so far apart.
static inline Couple meeting_couple(const Meeting *meeting, Extent extent) {
  Couple couple = meeting->graph->couple;
  couple.extent = extent;
  return couple;
}
// What the thread reads in that phase when it is in the block.
Frame *meeting_frame(Meeting *meeting, int thread, uint32_t phase, uint32_t block);
// NULL if the thread cannot be at the access in that phase.
Instance *meeting_instance(Meeting *meeting, int thread, uint32_t access, uint32_t phase);
// The copy that is still going on at the meeting's point.
Instance *meeting_carried(Meeting *meeting, int thread, uint32_t carried);
// Values of the copy as they were for a thread that is `now` where it still goes on; and that it has come so
// far.
Frame *carried_frame(Frame *now, const Carried *carried, ExprRef *condition);
// How often a loop was gone round that the thread entered, or left, since it issued the copy (CARRIED_ROUNDS: or more often).
ExprRef carried_turns(Frame *now, uint32_t loop, uint32_t turns);
// The access as the frame's thread makes it, on any way from kernel entry.
Instance instance_in(Frame *frame, const Access *access);
// Condition of being in that state of the graph, as the thread sees it (the point's own condition included),
// and in that block.
ExprRef meeting_condition(Meeting *meeting, int thread, uint32_t state, uint32_t block);
// Condition that control gets from kernel entry to the block, as the frame's thread sees it.
ExprRef meeting_block_condition(Frame *frame, uint32_t block);

// lockstep.c
// Two accesses of lanes of one warp, in whatever iterations.
bool lockstep_orders(Scan *scan, const Access *one, const Access *two);
// May one lane of a warp be in the one block while another is in the other, neither before nor behind it?
bool lockstep_parts(Scan *scan, uint32_t one, uint32_t two);

// exclusive.c
// No thread comes to both blocks of the graph, in whatever rounds; false: not known.
bool exclusive_blocks(Scan *scan, uint32_t a, uint32_t b);

// warp_order.c
// By block: how far a lane has come in one round, where those of a warp go in lock step; NULL: there is no
// such order.
const uint32_t *warp_order(const Scan *scan);

// conflict.c
// Are the two in one piece of memory, for threads that are so far apart? Each block has its shared memory.
bool conflict_same_object(const Scan *scan, const Target *one, const Target *two, Extent extent);
// May both lead to one object that two such threads share? Of those that are known.
bool conflict_share_object(const Scan *scan, const Reach *one, const Reach *two, Extent extent);
// The condition that the two touch a common byte.
ExprRef conflict_condition(Scan *scan, const Instance *a, const Target *one, const Instance *b,
                           const Target *two);
ExprRef conflict_object_size(const Scan *scan, uint32_t object); // in bytes, width 64; 0: not known
// Accesses stay inside their objects (A7): outside, the program has no meaning.
void conflict_add_bounds(Scan *scan, Goal *goal, const Instance *instance, const Target *target);

#endif
