// Which choices has the host already made? Programs that read options carry `was given ? its number :
// default` through sizes and dimensions, and test on the way whether it was given. Under that fact the choice
// is one of its arms, and two sizes become two symbols, which the solver can set equal. Method: a fact of the
// launch that stands in a condition as a part of it is replaced by what it says; the parts of each condition,
// never the whole. Soundness: only facts that are conditions of the same question, which stay as they are or
// get shorter themselves by facts that are parts of them, and so smaller: the conditions together say what
// they said before. A proof needs the facts that were used, which are added to its core.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/query/query.h"

enum { MAX_KNOWN = 64 };

typedef struct Choice { // a fact, or the contrary of one
  ExprRef condition;
  bool holds;
  uint32_t number; // in roots
} Choice;

typedef struct Equal {    // two words of which none is a symbol, which the solver sees to by itself
  ExprRef source, target; // the one made later, and what stands for it
  uint32_t number;
} Equal;

typedef struct Read { // what is left of an expression
  ExprRef result;
  uint64_t used; // roots
} Read;

// What is kept of a scan.
typedef struct Known {
  bool is_made;
  VEC(ExprRef) roots; // conditions of the launch
  VEC(uint32_t) facts;
  VEC(Choice) choices;
  VEC(Equal) equals;
  VEC(Read) memo;
  Map memo_of; // from an expression to its number in the memo + 1
} Known;

static bool is_symbol(const ExprPool *pool, ExprRef ref) {
  const ExprNode *node = expr_node(pool, ref);
  if (node->op == EXPR_TRUNC) node = expr_node(pool, node->a);
  return node->op == EXPR_SYM;
}

static void add_equal(Scan *scan, Known *known, const ExprNode *node, uint32_t number) {
  const ExprPool *pool = scan->pool;
  if (node->op != EXPR_EQ || expr_width(pool, node->a) == 1) return;
  if (is_symbol(pool, node->a) || is_symbol(pool, node->b)) return;
  bool is_left =
      expr_is_const(pool, node->b, NULL) || (!expr_is_const(pool, node->a, NULL) && node->a > node->b);
  Equal equal = {is_left ? node->a : node->b, is_left ? node->b : node->a, number};
  for (uint32_t i = 0; i < known->equals.count; i++)
    if (known->equals.items[i].source == equal.source) return;
  vec_push(scan->arena, &known->equals, equal);
}

static void add_root(Scan *scan, Known *known, ExprRef condition, uint32_t fact) {
  ASSERT(scan_has_word(scan, condition, 1) && fact < scan->launch->facts.count);
  ExprNode node = *expr_node(scan->pool, condition);
  if (node.op == EXPR_AND) {
    add_root(scan, known, node.a, fact);
    add_root(scan, known, node.b, fact);
    return;
  }
  if (node.op == EXPR_OR || node.op == EXPR_CONST || known->roots.count == MAX_KNOWN) return;
  uint32_t number = known->roots.count;
  vec_push(scan->arena, &known->roots, condition);
  vec_push(scan->arena, &known->facts, fact);
  vec_push(scan->arena, &known->choices, (Choice){condition, true, number});
  vec_push(scan->arena, &known->choices, (Choice){expr_not(scan->pool, condition), false, number});
  add_equal(scan, known, &node, number);
}

static Known *known_of(Scan *scan) {
  Known *known = SCAN_STATE_OF(scan, fact_substitution, Known);
  if (known->is_made) return known;
  known->is_made = true;
  for (uint32_t i = 0; i < scan->launch->facts.count; i++)
    add_root(scan, known, normal_facts_of(scan)[i].condition, i);
  return known;
}

static Read read(Scan *scan, Known *known, ExprRef ref);

static ExprRef operand(Scan *scan, Known *known, ExprRef ref, uint64_t *used) {
  if (!ref) return 0;
  for (uint32_t i = 0; expr_width(scan->pool, ref) == 1 && i < known->choices.count; i++) {
    const Choice *choice = &known->choices.items[i];
    if (choice->condition != ref) continue;
    ASSERT(choice->number < MAX_KNOWN); // a bit of the word that says what was used
    *used |= (uint64_t)1 << choice->number;
    return expr_bool(scan->pool, choice->holds);
  }
  for (uint32_t i = 0; expr_width(scan->pool, ref) > 1 && i < known->equals.count; i++) {
    const Equal equal = known->equals.items[i];
    if (equal.source != ref) continue;
    *used |= (uint64_t)1 << equal.number;
    return operand(scan, known, equal.target, used);
  }
  Read part = read(scan, known, ref);
  *used |= part.used;
  return part.result;
}

// The same with its parts replaced, not itself.
static Read read_anew(Scan *scan, Known *known, ExprRef ref) {
  ExprPool *pool = scan->pool;
  ExprNode node = *expr_node(pool, ref);
  Read made = {ref, 0};
  if (node.op == EXPR_SYM || node.op == EXPR_CONST) return made;
  if (node.op == EXPR_APP) {
    ExprRef *args = arena_array(scan->arena, node.arg_count + 1u, ExprRef);
    for (uint32_t i = 0; i < node.arg_count; i++)
      args[i] = operand(scan, known, expr_node(pool, ref)->args[i], &made.used);
    if (made.used) made.result = expr_app(pool, (uint32_t)node.value, node.arg_count, args);
    return made;
  }
  ExprRef a = operand(scan, known, node.a, &made.used), b = operand(scan, known, node.b, &made.used),
          c = operand(scan, known, node.c, &made.used);
  if (!made.used) return made;
  if (node.op == EXPR_ITE)
    made.result = expr_ite(pool, a, b, c);
  else
    made.result = b ? expr_binary(pool, (ExprOp)node.op, node.flags, a, b)
                    : expr_unary(pool, (ExprOp)node.op, node.width, a);
  return made;
}

static Read read(Scan *scan, Known *known, ExprRef ref) {
  uint32_t number = map_get(&known->memo_of, ref);
  if (number) return known->memo.items[number - 1];
  Read made = read_anew(scan, known, ref);
  vec_push(scan->arena, &known->memo, made);
  map_set(scan->arena, &known->memo_of, ref, known->memo.count);
  return made;
}

// A condition with its parts replaced. What stands below a negation is no part: "not x" is what makes x
// false.
static Read read_condition(Scan *scan, Known *known, ExprRef condition) {
  ExprNode node = *expr_node(scan->pool, condition);
  if (node.op != EXPR_NOT) return read(scan, known, condition);
  Read inner = read(scan, known, node.a);
  if (inner.used) inner.result = expr_not(scan->pool, inner.result);
  return inner.used ? inner : (Read){condition, 0};
}

// What says that two words are equal stays as it is.
static bool is_equation(const Known *known, ExprRef condition) {
  for (uint32_t i = 0; i < known->equals.count; i++)
    if (known->roots.items[known->equals.items[i].number] == condition) return true;
  return false;
}

static bool has_condition(const Goal *goal, ExprRef condition) {
  for (uint32_t i = 0; i < goal->conditions.count; i++)
    if (goal->conditions.items[i].condition == condition) return true;
  return false;
}

Goal fact_substitution_read(Scan *scan, const Goal *goal, uint64_t *used) {
  Known *known = known_of(scan);
  *used = 0;
  for (uint32_t i = 0; i < known->roots.count; i++)
    if (!has_condition(goal, known->roots.items[i])) return *goal; // asked without the launch
  Goal made = {.is_false = goal->is_false};
  for (uint32_t i = 0; i < goal->conditions.count; i++) {
    GoalCondition condition = goal->conditions.items[i];
    Read whole = {condition.condition, 0};
    if (!is_equation(known, condition.condition)) whole = read_condition(scan, known, condition.condition);
    *used |= whole.used;
    goal_add(scan, &made, whole.result, condition.part, condition.tag);
  }
  return *used ? made : *goal;
}

void fact_substitution_add_core(Scan *scan, uint64_t used, SolverAnswer *answer) {
  const Known *known = known_of(scan);
  uint32_t *core = arena_array(scan->arena, answer->core_count + MAX_KNOWN, uint32_t), count = 0;
  for (uint32_t i = 0; i < answer->core_count; i++)
    core[count++] = answer->core[i];
  for (uint32_t i = 0; i < known->roots.count; i++)
    if (used >> i & 1) core[count++] = known->facts.items[i];
  answer->core = core;
  answer->core_count = count;
}
