// What do numbers of bits say of each other: the place of the lowest bit that is set (__ffs), a word turned round (__brev)? Method: the functions
// by themselves are opaque; of two applications it is said that their results agree just where the lowest bits, or the words, do. That tells `x & -x` of
// two threads apart where the places are, and the other way round. Soundness: both functions are one to one in what is compared, as
// CUDA defines them. Asked for only where the two threads would meet without it.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/facts/facts.h"

enum { MOST = 8 }; // applications in a goal

typedef struct Application {
  ExprRef result, word;
  ExprRef key; // of the word: the result says what it is, and nothing else
  bool is_reversal;
} Application;

static ExprRef lowest_alone(ExprPool *pool, ExprRef word) {
  ExprRef turned = expr_binary(pool, EXPR_SUB, 0, expr_const(pool, expr_width(pool, word), 0), word);
  return expr_binary(pool, EXPR_AND, 0, word, turned);
}

// Is it `x & -x`, which is one bit or none?
static bool is_alone(ExprPool *pool, ExprRef word) {
  const ExprNode node = *expr_node(pool, word);
  return node.op == EXPR_AND && (lowest_alone(pool, node.a) == word || lowest_alone(pool, node.b) == word);
}

static bool read_application(ExprPool *pool, ExprRef ref, Application *of) {
  const ExprNode *node = expr_node(pool, ref);
  if (node->op != EXPR_APP || node->arg_count != 1) return false;
  const char *name = expr_func_info(pool, (uint32_t)node->value)->name;
  bool is_lowest = strcmp(name, "__ffs") == 0 || strcmp(name, "__ffsll.64") == 0;
  *of = (Application){.result = ref, .word = node->args[0]};
  of->is_reversal = strcmp(name, "__brev") == 0 || strcmp(name, "__brevll") == 0;
  if (!is_lowest && !of->is_reversal) return false;
  of->key = of->is_reversal || is_alone(pool, of->word) ? of->word : lowest_alone(pool, of->word);
  return true;
}

static ExprRef agree(ExprPool *pool, ExprRef a, ExprRef b, ExprRef x, ExprRef y) {
  return expr_eq(pool, expr_eq(pool, a, b), expr_eq(pool, x, y));
}

// No bit is the lowest of none, and nothing else is reversed to nothing.
static ExprRef of_none(ExprPool *pool, const Application *a) {
  return agree(pool, a->result, expr_const(pool, expr_width(pool, a->result), 0), a->key,
               expr_const(pool, expr_width(pool, a->key), 0));
}

static void add_pair(Scan *scan, Goal *goal, const Application *a, const Application *b) {
  ExprPool *pool = scan->pool;
  if (a->is_reversal != b->is_reversal || expr_width(pool, a->key) != expr_width(pool, b->key)) return;
  goal_add(scan, goal, agree(pool, a->result, b->result, a->key, b->key), GOAL_CONTEXT, 0);
  ExprRef common = expr_binary(pool, EXPR_AND, 0, a->key, b->key);
  if (!a->is_reversal) // two single bits have one in common where they are the same
    goal_add(scan, goal,
             expr_or(pool, expr_not(pool, expr_eq(pool, a->key, b->key)), expr_eq(pool, common, a->key)),
             GOAL_CONTEXT, 0);
  if (a->is_reversal) // turned round twice it is the same
    goal_add(scan, goal, agree(pool, a->result, b->word, a->word, b->result), GOAL_CONTEXT, 0);
}

static void bit_functions_add_heavy(Scan *scan, Goal *goal) {
  const ExprSet *occurs = goal_occurrences(scan, goal);
  Application found[MOST];
  uint32_t count = 0;
  for (ExprRef ref = 0; count < MOST && (ref = expr_set_next(occurs, ref)) != 0;)
    if (read_application(scan->pool, ref, &found[count])) count++;
  for (uint32_t i = 0; i < count; i++) {
    goal_add(scan, goal, of_none(scan->pool, &found[i]), GOAL_CONTEXT, 0);
    for (uint32_t j = 0; j < i; j++)
      add_pair(scan, goal, &found[i], &found[j]);
  }
}

const ValueFacts bit_functions_facts = {.add_heavy = bit_functions_add_heavy};
