// By which rule are two accesses ordered, or kept from meeting? docs/memory-model.md says what each one asks
// for.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CORE_ORDER_RULE_H
#define HGRD_CORE_ORDER_RULE_H

#include "core/srcloc.h"
#include "core/vec.h"

// Names are fixed for ever. X(enumerator, name, one-line help)
#define ORDER_RULES(X)                                                                                       \
  X(ORDER_RULE_BARRIER, "barrier", "a barrier of the threads in question lies between the two on every way") \
  X(ORDER_RULE_LOCKSTEP, "lockstep",                                                                         \
    "lanes of a warp execute one instruction after the other (below sm_70)")                                 \
  X(ORDER_RULE_ATOMIC, "atomic", "both are atomic or otherwise strong, of one width and sufficient scope")   \
  X(ORDER_RULE_NAMED_BARRIER, "named-barrier", "a barrier with a number lies between the two")               \
  X(ORDER_RULE_PHASE, "phase",                                                                               \
    "the wait is for a phase of a barrier object that the first thread completes")                           \
  X(ORDER_RULE_LOCK, "lock", "both are made by who holds one lock")                                          \
  X(ORDER_RULE_READER_WRITER_LOCK, "reader-writer-lock",                                                     \
    "one is made by who holds the lock alone, the other one by who holds it, perhaps with others")           \
  X(ORDER_RULE_TURN, "turn", "both are made by whose turn it is, as a word says that is passed on")          \
  X(ORDER_RULE_TICKET_LOCK, "ticket-lock", "both are made by who has drawn the number that is served")       \
  X(ORDER_RULE_ONCE, "once", "the first thread has won a word for good, and the second one waited for it")   \
  X(ORDER_RULE_TEST_AND_SET, "test-and-set", "both are made by who was the first to change a bit")           \
  X(ORDER_RULE_SINGLE_THREAD, "single-thread", "both are made by who drew one certain number of a counter")  \
  X(ORDER_RULE_PROTOCOL_WORD, "protocol-word", "both are strong operations on the word of a lock or flag")   \
  X(ORDER_RULE_FLAG, "flag",                                                                                 \
    "the second thread waited for a value that is only stored behind the first "                             \
    "access")                                                                                                \
  X(ORDER_RULE_BIT_FLAG, "bit-flag", "the second thread waited for a bit that the first one sets")           \
  X(ORDER_RULE_FLAG_PER_ROUND, "flag-per-round", "the second thread waited for the number of the round")     \
  X(ORDER_RULE_COUNT, "count",                                                                               \
    "the second thread waited until so many have counted up, the first among them")                          \
  X(ORDER_RULE_LAST_ARRIVAL, "last-arrival", "the second thread drew the last number, or its block did")     \
  X(ORDER_RULE_GENERATION, "generation",                                                                     \
    "the last to arrive at a barrier made of a counter has started the next generation")

typedef enum OrderRule {
  ORDER_RULE_NONE = 0,
#define X(rule, name, help) rule,
  ORDER_RULES(X)
#undef X
      ORDER_RULE_END
} OrderRule;
const char *order_rule_name(OrderRule rule);
const char *order_rule_help(OrderRule rule);

// Pairs of accesses of one kernel that one rule orders, by the same release and acquire.
typedef struct OrderedPair {
  SrcLoc places[2];
} OrderedPair;
typedef struct OrderedGroup {
  OrderRule rule;
  SrcLoc release, acquire; // file NULL: none
  VEC(OrderedPair) pairs;  // each two places once, in the order of the kernel's text
} OrderedGroup;

#endif
