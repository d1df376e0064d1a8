// What the analysis has to say: findings, and one result for each (kernel, launch). Produced by kernelscan,
// printed by report. Strings live in the arena that the result was made in.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CORE_FINDING_H
#define HGRD_CORE_FINDING_H

#include "core/cause.h"
#include "core/ir.h"
#include "core/launch.h"
#include "core/order_rule.h"
#include "core/verdict.h"

// Rule ids are fixed for ever. X(enumerator, id, name, default level, one-line help)
#define FINDING_RULES(X)                                                                                     \
  X(RULE_INTER_BLOCK, "HGRD1001", "inter-block-race", LEVEL_WARNING,                                         \
    "threads of two blocks access the same memory, one of them writes, and nothing orders them")             \
  X(RULE_INTRA_BLOCK, "HGRD1002", "intra-block-race", LEVEL_WARNING,                                         \
    "threads of two warps of a block access the same memory without a block barrier between")                \
  X(RULE_INTRA_WARP, "HGRD1003", "intra-warp-race", LEVEL_WARNING,                                           \
    "threads of one warp access the same memory without a warp barrier between")                             \
  X(RULE_BARRIER_DIVERGENCE, "HGRD2001", "barrier-divergence", LEVEL_WARNING,                                \
    "a barrier is reached by some threads of its group while others go round it")                            \
  X(RULE_GRID_BARRIER, "HGRD2002", "grid-barrier-launch", LEVEL_WARNING,                                     \
    "a barrier of the whole grid in a launch that is not cooperative")                                       \
  X(RULE_LOCK_MISUSE, "HGRD2003", "lock-misuse", LEVEL_WARNING,                                              \
    "a lock is taken twice, never given back, or given back by a thread that does not hold it")              \
  X(RULE_WARP_MASK, "HGRD2004", "warp-mask", LEVEL_WARNING,                                                  \
    "a lane executes a warp operation whose mask leaves it out")                                             \
  X(RULE_ENDLESS_WAIT, "HGRD2005", "endless-wait", LEVEL_WARNING,                                            \
    "a barrier object or numbered barrier expects more arrivals than can come")                              \
  X(RULE_SAME_VALUE, "HGRD3001", "same-value-write", LEVEL_NOTE,                                             \
    "two threads write the same value to the same memory")

typedef enum FindingLevel { LEVEL_NONE = 0, LEVEL_NOTE, LEVEL_WARNING, LEVEL_ERROR } FindingLevel;

typedef enum FindingRule {
  RULE_NONE = 0,
#define X(rule, id, name, level, help) rule,
  FINDING_RULES(X)
#undef X
      RULE_COUNT
} FindingRule;

typedef struct FindingRuleInfo {
  const char *id, *name, *help;
  FindingLevel level;
} FindingRuleInfo;
const FindingRuleInfo *finding_rule_info(FindingRule rule);
bool finding_rule_is_race(FindingRule rule); // else it is about the synchronisation itself

// Where a report says that a race-free kernel leans on an assumption. TELL_BESIDE: in the text, one line
// behind the findings; the other forms list all assumptions of each kernel. TELL_ALWAYS: in every form as a
// remark of its own, and even if only findings are asked for.
typedef enum AssumptionTelling { TELL_VERBOSE, TELL_BESIDE, TELL_ALWAYS } AssumptionTelling;

// What a proof or a race leans on. X(bit, "A1", where it is told, text)
#define ASSUMPTIONS(X)                                                                                       \
  X(0, "A1", TELL_VERBOSE, "index arithmetic does not overflow")                                             \
  X(1, "A2", TELL_BESIDE, "pointers whose origin is not visible point to memory that does not overlap")      \
  X(2, "A3", TELL_VERBOSE, "asserts in host code hold")                                                      \
  X(3, "A4", TELL_VERBOSE, "no other kernel, copy or host access to the same memory runs at the same time")  \
  X(4, "A5", TELL_VERBOSE, "the callers seen are all callers")                                               \
  X(5, "A6", TELL_VERBOSE, "factors of an allocation's size, and of what a launch covers, are positive")     \
  X(6, "A7", TELL_VERBOSE, "accesses stay inside their objects")                                             \
  X(7, "A8", TELL_BESIDE, "pointers read from memory at different places do not overlap")                    \
  X(8, "A9", TELL_VERBOSE, "a host value read twice from memory has not changed in between")                 \
  X(9, "A10", TELL_BESIDE,                                                                                   \
    "a launch that is not visible, or is given its dimensions by a caller that is not, has no extent along " \
    "the axes y and z that the kernel never looks at")                                                       \
  X(10, "A11", TELL_BESIDE,                                                                                  \
    "flags and counters that threads wait for, and counters in their own lists, are zero when the kernel "   \
    "starts")                                                                                                \
  X(11, "A12", TELL_VERBOSE,                                                                                 \
    "what is read of an array that the host fills, or of shared memory, has been written")                   \
  X(12, "A13", TELL_VERBOSE,                                                                                 \
    "members of a class are written only by visible code, by their names or as parts of copies")             \
  X(13, "A14", TELL_ALWAYS, "what was not there when the files were read, or is left out, does not matter")  \
  X(14, "A15", TELL_VERBOSE,                                                                                 \
    "kernels launched before leave flags and counters as they do when they are run under small launches")
enum {
  ASSUME_NO_OVERFLOW = 1u << 0,
  ASSUME_NO_ALIAS = 1u << 1,
  ASSUME_ASSERTS = 1u << 2,
  ASSUME_ALONE = 1u << 3,
  ASSUME_ALL_CALLERS = 1u << 4,
  ASSUME_POSITIVE_FACTORS = 1u << 5,
  ASSUME_IN_BOUNDS = 1u << 6,
  ASSUME_LOADED_POINTERS = 1u << 7,
  ASSUME_HOST_MEMORY = 1u << 8,
  ASSUME_USED_AXES = 1u << 9,
  ASSUME_FLAGS_CLEAR = 1u << 10,
  ASSUME_FILLED = 1u << 11,
  ASSUME_MEMBERS = 1u << 12,
  ASSUME_INPUT = 1u << 13,
  ASSUME_LEFT = 1u << 14
};

typedef enum AccessKind { ACCESS_READ, ACCESS_WRITE, ACCESS_ATOMIC } AccessKind;
// Observed: seen in a run of the program (--confirm), with what is in Finding.observed.
typedef enum Certainty { CERTAINTY_DEFINITE, CERTAINTY_POSSIBLE, CERTAINTY_OBSERVED } Certainty;

typedef struct FindingAccess {
  AccessKind kind;
  SrcLoc loc;
  uint32_t bytes;
} FindingAccess;

// A barrier on the way of a thread of the witness.
typedef struct WitnessBarrier {
  SrcLoc loc;
  IrScope scope;   // of the threads that it waits for: the warp or a part of it, the block, the grid
  bool holds_both; // the other thread of the witness is one of them
} WitnessBarrier;

// Between which barriers the thread makes its access. On each side of it: the nearest one that holds both
// threads, and, where it was run with the witness's values, a nearer one that does not.
typedef struct WitnessInterval {
  bool is_known;
  bool is_run;                // else only what holds on every way from where both threads set out together
  bool is_whole;              // it was followed to a barrier that holds both threads, or to its end
  uint32_t passed;            // is_run: barriers that hold both threads, before the access
  uint32_t going_on;          // so many more are passed until they meet: of a copy that goes on
  VEC(WitnessBarrier) before; // from the one that holds both, which is missing if there is none, on
  VEC(WitnessBarrier) after;  // up to the one that holds both
} WitnessInterval;

typedef struct WitnessThread {
  int64_t block_idx[3], thread_idx[3];
  int64_t warp, lane; // within its block
  WitnessInterval interval;
} WitnessThread;

typedef struct WitnessValue {
  const char *name; // host value or memory content: "rows", "idx[5]"
  int64_t value;
  SrcLoc loc;
} WitnessValue;

typedef struct Witness {
  int64_t grid_dim[3], block_dim[3];
  WitnessThread threads[2];
  int64_t offset;                  // common byte of the object
  const char *address;             // "out[16]"
  VEC(WitnessValue) values;        // host values
  VEC(WitnessValue) iterations[2]; // loop iterations of each thread
  VEC(WitnessValue) memory;        // contents that a possible race needs
  bool is_replayed;
} Witness;

typedef struct FindingNote {
  SrcLoc loc; // loc.file NULL: no place
  const char *text;
} FindingNote;

// What hgrd-run saw of two accesses, the first of which came first.
typedef struct Observation {
  const char *schedule; // of --replay: "in-order", "reversed", a seed
  const char *detector;
  const char *text; // one sentence: the order of the two, the values, what was missing
  SrcLoc launch_loc;
  uint64_t launch; // of the run, from 1
  int64_t grid_dim[3], block_dim[3];
  int64_t block_idx[2][3], thread_idx[2][3]; // in the order of Finding.accesses
} Observation;

typedef struct Finding {
  FindingRule rule;
  FindingLevel level;
  Certainty certainty;
  const char *cause;         // "missing-barrier", "no-synchronisation", "unguarded-access", "" ...
  const char *memory_model;  // under which it is one: "cuda" ...; NULL: not said
  const char *memory_rule;   // of that model, that the cause leans on; or NULL
  const char *kernel;        // display name
  const char *object;        // as the user wrote it
  const char *message;       // one self-contained sentence, without the rule name
  FindingAccess accesses[2]; // [0] is where the report stands
  Witness witness;
  const char *launch; // description
  SrcLoc launch_loc;
  VEC(const Fact *) facts; // host facts the witness respects that speak of its values
  VEC(FindingNote) notes;  // further notes: hint for the mend, "would be race-free if ..."
  const char *mend;        // the missing host fact: "rows == cols"; NULL: none was found
  const char *weaker_mend; // a weaker one that is enough: "rows <= cols"; or NULL
  bool mends_kernel;       // with it the kernel is race-free; else only these two accesses do not race
  unsigned assumptions;    // ASSUME_*
  unsigned also;           // 1 << FindingRule: further rules under which its accesses race, told in notes
  // By a run of the program (driver/confirm.c), or NULL. Not kept in files of results.
  const Observation *observed;
  uint32_t count; // how many (access, access) pairs and launches this one report stands for
} Finding;

typedef struct UndecidedReason {
  SrcLoc loc;
  const char *text;
  bool is_of_budget; // says only that nothing was left to ask with: told behind the others
} UndecidedReason;

// One (kernel, launch).
typedef struct KernelResult {
  const char *kernel; // display name
  const char *mangled;
  SrcLoc loc; // of the kernel
  const LaunchContext *launch;
  Verdict verdict;
  uint32_t pairs, proved; // access pairs that can meet; those proved apart
  uint32_t queries;       // goals sent to the solver
  uint64_t rlimit;        // resource units they took
  VEC(Finding) findings;
  VEC(UndecidedReason) undecided;
  VEC(SrcLoc) dead_accesses;           // that no thread gets to under this launch
  VEC(SrcLoc) open_accesses;           // of pairs that were not proved apart; each place once
  VEC(UndecidedReason) contradictions; // runs that show what was proved not to happen: our mistake
  VEC(UndecidedReason) remarks;        // what is right, but worth knowing
  VEC(const Fact *) proof_facts;       // host facts that the proofs needed (from unsat cores)
  unsigned assumptions;                // that the proofs leaned on
  VEC(OrderedGroup) ordered;           // pairs of accesses that something orders, sorted
  const char *overflow; // arithmetic that was not shown to stay in its width, if asked for; or NULL
} KernelResult;

#endif
