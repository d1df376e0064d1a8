// Shared by the files of kernelscan/query/ only.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_QUERY_QUERY_H
#define HGRD_KERNELSCAN_QUERY_QUERY_H

#include "kernelscan/query.h"

// fact_substitution.c
// The goal with what its launch's facts decide replaced; `used`: which of them, for the core of a proof.
Goal fact_substitution_read(Scan *scan, const Goal *goal, uint64_t *used);
void fact_substitution_add_core(Scan *scan, uint64_t used, SolverAnswer *answer);

// mixed.c
// The goal with words whose bits are mixed taken for unknown where only a remainder of them matters; false: there
// are none. A refutation of it is one of the goal.
bool mixed_forget(Scan *scan, const Goal *goal, Goal *made);

// Expressions with some of their words replaced.
typedef struct Rewriting {
  Scan *scan;
  ExprRef *memo;   // by expression that was there before: what stands for it; 0: not known yet
  bool cuts_mixed; // also mixed words, where they are cut
  bool is_any;     // a mixed word was replaced
} Rewriting;
ExprRef mixed_rewrite(Rewriting *r, ExprRef ref);
void mixed_rewrite_goal(Rewriting *r, const Goal *goal, Goal *made); // adds its conditions to `made`
// The unknown that stands for the word: it can be all that the word can be by its interval.
ExprRef mixed_unknown_for(Scan *scan, ExprRef word);

// digits.c
typedef struct DigitWords {      // by thread
  ExprRef words[2], unknowns[2]; // and what stands for them
} DigitWords;
// Two goals that together are weaker than this one, where both threads' places are made of the digits of one word each; false: they are not.
// If neither can hold, this one cannot. `words`: with these two words unknown and not the same, do the places meet?
// `same`: can the threads have the same word?
bool digits_split(Scan *scan, const Goal *goal, Goal *words, Goal *same, DigitWords *of);
// That a word is below zero, with what the goal knows of its parts alone.
void digits_below_zero(Scan *scan, const Goal *goal, ExprRef word, Goal *made);
// The goal for threads whose words are those of a model of `words`; false: it cannot hold, or they have no value there. What holds of it, holds of the goal.
bool digits_as_found(Scan *scan, const Goal *goal, const DigitWords *of, const ExprEnv *found, Goal *made);

// radices.c
// The goal `words` of digits_split without divisions by uniform numbers: digits are unknowns of their own; false: they make no chain.
// Refutations of both are one of `words`. `doubts`: words are negative, or radices not above zero.
bool radices_apart(Scan *scan, const Goal *words, const ExprRef unknowns[2], Goal *doubts, Goal *made);

// example.c
// The goal where the host's numbers are those of the base; false: it cannot hold, or there are none in it. A model of it is one of the goal.
bool example_goal(Scan *scan, const Goal *goal, const SolverBase *base, Goal *made);

// goal.c
// Adds what the goal says beside its conflict, but that accesses stay in bounds.
void goal_add_known(Scan *scan, Goal *goal, const Goal *from);
// Expressions that the goal's conflict is made of: where the two touch one place.
ExprSet goal_conflict_places(const Scan *scan, const Goal *goal, Arena *arena);
// Adds the number of parts of the expression, up to one more than `most` in all.
void goal_count_parts(const ExprPool *pool, ExprRef ref, uint32_t most, uint32_t *count);

#endif
