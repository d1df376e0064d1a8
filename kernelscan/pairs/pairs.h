// Shared by pairs.c and bundles.c: the state of all pairs of one kernel, and a question about two of them.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_PAIRS_PAIRS_H
#define HGRD_KERNELSCAN_PAIRS_PAIRS_H

#include "core/table.h"
#include "kernelscan/order.h"
#include "kernelscan/witness.h"
#include "kernelscan/pairs.h"

typedef enum ExtentState { EXTENT_NOT_ASKED = 0, EXTENT_SAFE, EXTENT_RACE, EXTENT_UNDECIDED } ExtentState;

typedef struct PairState {
  uint32_t a, b; // accesses
  ExtentState states[EXTENT_COUNT];
  RaceFacts races[EXTENT_COUNT];
  const char *reasons[EXTENT_COUNT]; // of those that are undecided
  bool is_spent[EXTENT_COUNT];       // for lack of budget only
} PairState;

// Can an access happen at all? SUSPECT: a question that it was part of contradicted itself.
typedef enum Liveness { LIVE_NOT_ASKED = 0, LIVE_SUSPECT, LIVE } Liveness;

typedef struct Later Later;           // later.c
typedef struct BundlePair BundlePair; // bundles.c

typedef enum Round {
  ROUND_COLLECT, // all pairs are found, and wait
  ROUND_WHOLE,   // the cheapest first: looks, then questions with all that they may take
  ROUND_REST     // what the spent budget has left for small questions
} Round;

typedef struct Pairs {
  Scan *scan;
  VEC(PairState) states;
  Table table; // by (a, b): index into states + 1
  bool has_warp_points;
  bool *address_reported; // by access
  uint64_t *met;          // a row of bits for each access: which others it can meet; symmetric
  Liveness *liveness;     // by access
  bool *behind;           // by access: behind a divergent barrier; NULL: there is none
  VEC(Meeting *) meetings;
  VEC(Later *) later; // for the next round
  Round round;
} Pairs;

typedef struct Question {
  Pairs *pairs;
  Meeting *meeting;
  const Instance *one, *two;
  const Target *first, *second;
  bool is_bundle; // the accesses stand for many
} Question;

// ---- pairs.c
// Atomic operations, or in PTX's model morally strong ones: two of them do not race.
bool pairs_both_strong(const Scan *scan, const Access *a, const Access *b, Extent extent);
// Can these two accesses race in this extent, for all that their kinds say?
bool pairs_can_race(const Pairs *pairs, uint32_t a, uint32_t b, Couple couple);
// False, and the reason noted, if the address of the access is not understood.
bool pairs_is_understood(Pairs *pairs, const Instance *instance);
void pairs_mark_met(Pairs *pairs, uint32_t a, uint32_t b);
void pairs_mark_row(Pairs *pairs, uint32_t access, const uint64_t *others); // a row of bits
PairState *pairs_state_of(Pairs *pairs, uint32_t a, uint32_t b);            // made when it is first asked for
// Once a race is told, or a pair stays open that no budget mends, the kernel is not race-free whatever is
// proved of the others: what is left is for races. Half of a budget finds those that all of it does. Where
// nothing but open pairs has come so far, an eighth says whether a race comes at all. Where only a proof is of use,
// what stays open ends it.
void pairs_cut_behind_race(Scan *scan);
void pairs_cut_behind_open(Scan *scan);
// ---- judge.c
bool pairs_is_settled(const PairState *state, Extent extent); // whatever else is asked changes nothing
// All pairs of targets of the two instances, and what they stand for.
void pairs_ask_instances(Pairs *pairs, Meeting *meeting, const Instance *one, const Instance *two,
                         Extent extent);
// Is a first look enough to prove the two apart, or all members of two bundles? If so, that is booked. False says nothing.
bool pairs_look(const Question *question, Extent extent);
// One access against one other, exactly: proved, told as a race, left undecided, or put off.
void pairs_ask(const Question *question, Extent extent);
// Proved apart for all members of two bundles? The accesses of the question stand for them. A false answer
// says nothing.
bool pairs_bundles_apart(const Question *question, Extent extent);
// Without a reason: the one before stays, if there was one.
void pairs_leave_open(PairState *state, Extent extent, const char *reason);
// ---- other_sync.c: each looks at what is known of a race that has a model, and changes `ordered` by it
bool sync_consider_proxies(const Question *question, OrderAnswer *ordered); // false: not of two proxies
void sync_consider_copies(const Question *question, OrderAnswer *ordered);
void sync_consider_objects(const Question *question, Extent extent, OrderAnswer *ordered);
void sync_name_wrong_group(const Question *question, Extent extent, OrderAnswer *ordered);
// ---- witness_check.c
// The answer is a model of the goal (and of more, which has no place in the goal, if it `is_of_order`): a
// race if it replays; else the pair is undecided in this extent.
void candidate_check(const Question *question, PairState *state, Extent extent, const Goal *goal,
                     const SolverAnswer *answer, bool is_of_order, const char *name);
// Does the pair race in a run of the whole launch, which locks and flags do not tell? Then the race has that
// witness. Without a goal in the query: in a run that was made for other pairs.
bool candidate_search_schedules(Scan *scan, const ReplayQuery *query, RaceFacts *race);
bool candidate_search_question(const Question *question, RaceFacts *race);
// What is undecided is a race where one of the runs that were made, for whatever pair, shows it.
void candidate_look_at_runs(Scan *scan, PairState *state);
// ---- between.c
// Between which barriers the threads of the question make their accesses, if the witness does not say it yet.
void between_fill(const Question *question, RaceFacts *race);
// What comes behind the accesses, where a run has told what was before them, and no more.
void between_fill_after(Scan *scan, Couple couple, RaceFacts *race);
// ---- computed_before.c
// The array that the device wrote before the launch, in ways that are not followed, and that has a say in
// where the two accesses of the question are; NULL: none.
const LaunchObject *computed_before(const Question *question, const Goal *goal);
// ---- computed_here.c
// The array that the host fills and the kernel writes, of which the two places hang on more than what the
// host has put there; NULL: there is none, or the question has an answer without that.
const char *computed_here(const Question *question, const Goal *goal, const char *name);
// Do the two places hang on what threads of the block put into shared memory?
bool computed_here_in_block(const Question *question, const Goal *goal);
// Does what is asked, places and ways, say anything of what is read of shared memory?
bool computed_here_is_spoken_of(Scan *scan, const Goal *goal);
// ---- headline.c
int headline_widest(const PairState *state, bool is_same_value); // in which they race; -1: in none
// The race that the pair is told as, with the others in its notes; NULL: there is none.
const RaceFacts *headline_of(Scan *scan, PairState *state, bool is_same_value);
// ---- same_value.c
// Do the two write the same value, in all that the goal speaks of?
bool same_value_is_proved(const Question *question, const Goal *goal, const char *name);
// ---- ordered.c
// Which accesses, by index, a rule was found to order, for the result.
void ordered_keep(Scan *scan, uint32_t a, uint32_t b, OrderProof proof);
// All such pairs, those that barriers keep from meeting and those that are atomic, by rule and lines.
void ordered_conclude(Pairs *pairs);
// ---- liveness.c
void pairs_settle_liveness(Pairs *pairs);
// ---- later.c
// Does the question, or that about the two bundles that it is taken from, wait for the next round?
bool later_puts_off(const Question *question, Extent extent, const BundlePair *bundles);
// The rounds behind the first: in each, the cheapest questions come first.
void later_ask(Pairs *pairs);
// ---- bundles.c
// Asks all pairs of accesses of this meeting.
void bundles_check(Pairs *pairs, Meeting *meeting, Extent extent);
// Two that were put off: a first look (pairs_look), and all their pairs.
bool bundles_look(const BundlePair *bundles);
void bundles_ask(const BundlePair *bundles);

// call_effects.c
const char *call_effects_in_answer(Scan *scan,
                                   const SolverAnswer *answer); // that the answer itself makes use of
// Is there an answer to the goal in which calls without a body leave alone what they are not given? Then goal
// and answer are those from now on. Else what has to change for it, as a sentence; NULL if nothing.
const char *call_effects_settle(Scan *scan, Goal *goal, SolverAnswer *answer, const char *name);

// What the audit compares (audit_notes.c).
typedef struct PairOf { // instructions, in ascending order
  uint32_t inst[2];
  bool is_write[2];
  Extent extent;
} PairOf;

typedef struct Ordered {
  PairOf pair;
  ReplayQuery query;
} Ordered;

typedef struct Audit {
  VEC(PairOf) excused;
  VEC(Ordered) ordered;
  VEC(PairOf) told;
} Audit;

// audit_notes.c
Audit *audit_of(const Scan *scan); // NULL: none is asked for
PairOf audit_pair_of(const uint32_t inst[2], const bool is_write[2], Extent extent);
bool audit_is_excused(const Audit *audit, const PairOf *pair);
bool audit_is_ordered(const Audit *audit, const PairOf *pair);
bool audit_same_pair(const PairOf *a, const PairOf *b);
// All three do nothing unless the request asks for an audit.
// The two accesses can meet, and were proved to be ordered all the same: runs of the model are to bear it
// out.
void audit_note_ordered(Scan *scan, const ReplayQuery *query);
// Nothing is claimed of the two in this extent: open, racy, or a race that is not told as one.
void audit_excuse(Scan *scan, const Access *one, const Access *two, Extent extent);

// cluster_order.c
// Why something that clusters have may order the two blocks; NULL: nothing does, and goal and answer are
// about blocks of two clusters where it is not known which blocks make up one. The other one: why an
// operation of cluster scope may order two blocks of one cluster; NULL: there is none, or they are of two.
const char *clusters_may_be_ordered(const Question *question, Extent extent);
const char *clusters_may_order(const Question *question, Extent extent, Goal *goal, SolverAnswer *answer,
                               const char *name);

#endif
