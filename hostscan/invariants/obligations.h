// The search for relations between members: invariant.c makes the candidates, obligations.c asks whether writers keep them.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_HOSTSCAN_INVARIANTS_OBLIGATIONS_H
#define HGRD_HOSTSCAN_INVARIANTS_OBLIGATIONS_H

#include "hostscan/invariants/invariants.h"

enum { MOST_OBLIGATIONS = 1000 }; // for each pair; one with more is refused

typedef enum Relation {
  AT_MOST,
  AT_LEAST,
  NOT_NEGATIVE,
  POSITIVE,
  CONSTANT,
  CONSTANT_OR_ZERO,
  MULTIPLE
} Relation;

typedef struct Candidate {
  uint32_t pair;
  Relation relation;
  int64_t number; // CONSTANT, CONSTANT_OR_ZERO, MULTIPLE
  bool is_dropped;
  uint32_t kept;  // by so many writers
  SrcLoc breaker; // one that does not
} Candidate;

typedef struct Obligation { // at one checkpoint of one writer
  uint32_t pair;
  ExprRef first, second; // values there, 64 bits
  VEC(ExprRef) facts;
  IndexList syms; // contents of members in them
  bool is_heavy;  // too much to ask about
} Obligation;

typedef VEC(Obligation) Obligations;

// What one writer owes to one pair: it holds at the end of the writer's block, or else at all checkpoints.
typedef struct Duty {
  uint32_t pair;
  HostFrame *frame; // NULL: an initial value, the only one of `late`
  const HostWriter *writer;
  const HostWriters *writers;
  bool has_early, has_late; // were computed
  Obligations early, late;  // at most one is early
} Duty;

typedef struct Pair {
  HostField first, second; // second.bytes 0: about one member only
  bool is_refused;
  bool is_unseen;  // for functions of the class that are not seen
  bool is_kept_in; // only functions of the class write the first, and not all that call them are seen
  uint32_t obligations, writers;
  SrcLoc loc; // of a writer
} Pair;

typedef struct Assumed { // what a candidate says of symbols
  uint32_t candidate;
  ExprRef condition;
} Assumed;
typedef VEC(Assumed) AssumedList;

typedef struct Between { // blocks of a function before which a writer may have done half of its work
  const HostFunction *function;
  const bool *begins; // by block
} Between;

typedef struct ClassWriters {
  const char *owner;
  HostWriters *writers;
  bool is_complete;
  VEC(Between) between; // by function that was asked about
} ClassWriters;

typedef struct Search {
  HostScan *scan;
  VEC(ClassWriters) known;
  VEC(const char *) classes;
  VEC(Pair) pairs;
  uint32_t open_pairs; // that were not refused at once
  VEC(Candidate) candidates;
  VEC(Duty) duties;
} Search;

// ---- invariant.c
ExprRef invariant_relation(ExprPool *pool, const Candidate *c, ExprRef first,
                           ExprRef second); // that it holds of the two
void invariant_say_of(Search *s, const IndexList *syms,
                      AssumedList *out); // what candidates say of these contents
ClassWriters *invariant_writers_of(Search *s, const char *owner);
// ---- obligations.c
void obligations_read_writers(Search *s, const char *owner); // the duties of each of the class
void obligations_add_value(Search *s, uint32_t pair, ExprRef first,
                           ExprRef second); // an initial value, a duty of its own
// Fill in the obligations at the end of the writer's block, and at all places where others can look.
void obligations_look_early(Search *s, Duty *duty);
void obligations_look_late(Search *s, Duty *duty);
bool obligations_are_met(Search *s, const Candidate *c, Duty *duty); // with what the candidates left say

#endif
