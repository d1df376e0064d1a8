// The door of kernelscan/query/: a goal, the facts of its launch, the answer: who asks the solver.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_QUERY_H
#define HGRD_KERNELSCAN_QUERY_H

#include "core/expr_set.h"
#include "kernelscan/models.h"
#include "kernelscan/scan.h"

// Something that holds about a leaf whenever it has a value.
typedef struct Invariant {
  ExprRef leaf, condition;
  bool is_lazy;       // exact but heavy: used only when a model contradicts it
  bool is_of_host;    // leans on fact `tag` of the launch
  uint32_t tag;       // of a lazy one: TAG_GIVEN, or 0 for TAG_BOUNDS
  bool when_not_zero; // only where the goal says that the leaf is not zero
  bool is_interval;   // of TAG_GIVEN: also where the leaf only says through others which place is touched
} Invariant;

typedef struct Goal {
  VEC(GoalCondition) conditions;
  bool is_false; // a condition is plainly false: nothing to ask
} Goal;

// A supplier of facts about values that have no closed form. Each is a file of kernelscan/facts/ and a row of
// value_facts.def; the top gives them to the scan (ScanStart.suppliers), and whoever evaluates or asks knows none
// of them by name. What a supplier has nothing to say of is NULL.
typedef struct ValueFacts {
  // The leaf is the value of the instruction: keeps what is known of it (Scan.invariants, or a list of its own).
  void (*note)(Frame *frame, uint32_t inst, ExprRef leaf);
  bool is_of_third; // also of leaves of a third thread (View.is_third): it says nothing of pairs of threads
  // Likewise of any word, whether or not it has a form.
  void (*note_word)(Frame *frame, uint32_t inst, ExprRef word);
  // The value of the instruction; kind SYM_NONE: not known to be one of the supplier's.
  SymValue (*value)(Frame *frame, uint32_t inst);
  // The interval of what any thread has from the instruction, in any iteration; false: nothing is known.
  bool (*range)(Scan *scan, uint32_t inst, int64_t *lo, int64_t *hi);
  // The load reads this at the target, which the kernel does not write; a constant that is there, or 0.
  void (*note_read)(Frame *frame, uint32_t load, const Target *target, ExprRef word);
  ExprRef (*number)(Scan *scan, const Target *target, uint32_t bytes);
  // The store that the load reads, whichever thread of the block loads; CFG_NONE: not known.
  uint32_t (*last_write)(Scan *scan, uint32_t load);
  // Is anything kept that may be made? Then marks further values that say which places the goal is about, and makes what
  // is known of those that are marked.
  bool (*may_make)(const Scan *scan);
  void (*mark)(Scan *scan, const Goal *goal, ExprSet *places);
  void (*make)(Scan *scan, const ExprSet *places);
  // Adds what follows for the values that occur in the goal.
  void (*add)(Scan *scan, Goal *goal);
  // Likewise, what is only worth its price where the threads would meet without it.
  void (*add_heavy)(Scan *scan, Goal *goal);
} ValueFacts;

// A fact of the launch as it is asked with: shortened by what others say, which a proof then needs as well.
typedef struct NormalFact {
  ExprRef condition;
  uint32_t need_count;
  const uint32_t *needs; // facts
} NormalFact;

// Tags of facts that are not the launch's: accesses stay in bounds; what is read has been written.
enum { TAG_BOUNDS = 0x7fffffff, TAG_GIVEN = 0x7ffffffe };

// How a question is put.
typedef struct Manner {
  bool only_satisfiable;
  bool is_first_look; // with little budget
  bool is_of_many;    // a first look, but four times as long: for a goal that stands for many
  bool is_for_run;    // values to run with are asked for: a run finds out what else there is
  bool has_parts;     // they are asked next if it stays open
} Manner;

// invariant_index.c
// Is one of Scan.invariants about the leaf? Is that condition one of them?
bool invariants_tell_of(Scan *scan, ExprRef leaf);
bool invariants_say(Scan *scan, ExprRef condition);

// normal_facts.c
void normal_facts_find(Scan *scan);
const NormalFact *normal_facts_of(const Scan *scan); // by fact of the launch; after normal_facts_find

// goal.c
// Values that the launch's facts allow, for all goals asked later; NULL: not known, or no facts.
void goal_set_base(Scan *scan, const SolverBase *base);
// One more condition, of width 1; a conjunction by its parts. `tag`: of a fact, its number, else 0 or a TAG_.
void goal_add(Scan *scan, Goal *goal, ExprRef condition, GoalPart part, uint32_t tag);
Goal goal_copy(Scan *scan, const Goal *goal);
// The bytes at `one` and those at `two`, 64 bits each, have one in common.
ExprRef goal_overlap(ExprPool *pool, ExprRef one, uint32_t one_bytes, ExprRef two, uint32_t two_bytes);
void goal_add_launch(Scan *scan, Goal *goal); // host facts
// Adds that its numbers are those of a thread of the launch.
void goal_add_view(Scan *scan, Goal *goal, const View *view);
ExprRef goal_has_lane(Scan *scan, ExprRef mask, ExprRef lane); // the mask is computed, 32 bits
// The two are as far apart as that; EXTENT_NONE: they are any two of one block.
void goal_add_extent(Scan *scan, Goal *goal, Extent extent, const View *one, const View *two);
// Asks the solver whether the conditions can hold together, under the facts of the launch and what is known of the
// values in them, which are added to the goal: SAFE, no; RACE, with a model. `name` is for dumps.
SolverAnswer goal_decide(Scan *scan, Goal *goal, const char *name);
SolverAnswer goal_decide_whole(Scan *scan, Goal *goal,
                               const char *name); // if it stays open, its parts are asked
SolverAnswer goal_decide_for_run(Scan *scan, Goal *goal,
                                 const char *name); // values with which a run may show it
// A first look: what does not take much is decided as above, anything else is UNKNOWN. Four times as long if
// the goal stands for many.
SolverAnswer goal_look(Scan *scan, Goal *goal, bool is_of_many, const char *name);
// Without conditions that are very long: what is refuted so is refuted, another answer says nothing of the
// goal.
SolverAnswer goal_decide_short(Scan *scan, Goal *goal, const char *name);
// Where only a proof that they cannot hold together is of use: a first look, too. No proof of that kind was met
// that takes more, and what has a model may take much.
SolverAnswer goal_refute(Scan *scan, Goal *goal, const char *name);
// Only whether there are such values: no proof is made of what is refuted (solver_satisfiable).
SolverAnswer goal_satisfiable(Scan *scan, Goal *goal, const char *name);
const char *extent_name(Extent extent); // "inter-block"
// Which expressions occur in the goal; stays as it is, whatever is asked for later.
const ExprSet *goal_occurrences(Scan *scan, const Goal *goal);
// That the lane is one of those in the mask.
ExprRef goal_lane_in_mask(Scan *scan, ExprRef lane, uint32_t mask);

// address_goals.c
// Can the conflict of a long goal be refuted without what only the ways of the threads say? If so, `goal` is
// cut down to what was needed and `proof` is the answer, which says nothing of whether the ways are possible.
// `is_of_many`: the goal stands for many, so it is given no more than a look.
bool address_goals_are_apart(Scan *scan, Goal *goal, bool is_of_many, const char *name, SolverAnswer *proof);
// The same for places that hang on nothing but numbers of threads and of rounds, where the ways say much more than that: asked before all
// else, as what is said of values that are read or computed makes a goal dear by being spoken of.
bool address_goals_are_apart_by_numbers(Scan *scan, Goal *goal, const char *name, SolverAnswer *proof);
// The same, where only matters that the conditions cannot hold together.
bool address_goals_exclude(Scan *scan, const Goal *goal, const char *name, SolverAnswer *proof);
bool address_goals_is_long(const Scan *scan, const Goal *goal); // else there is nothing to be gained

// same_cluster.c
// Do both speak of shared memory of one block, or of one that is the same?
ExprRef clusters_is_same_memory(Scan *scan, const View *one, const Target *first, const View *two,
                                const Target *second);
ExprRef clusters_size(Scan *scan);                                                      // blocks of a cluster
ExprRef clusters_is_same(Scan *scan, const View *one, const View *two);                 // CLUSTERS_KNOWN
bool clusters_are_same(const int64_t *cluster, const int64_t *one, const int64_t *two); // block indices

#endif
