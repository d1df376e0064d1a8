// Which numbers do the digits of a word leave? `i = w / n, j = w % n`, and a place made of i and j in a way of its own: a triangle,
// rows in another order. Method: where all that a word is divided by makes a chain, each a multiple of the one before, w is
// d0 + r0 * (d1 + r1 * (d2 + ..)) in exactly one way, and each quotient and remainder is a part of that sum. So the digits are unknowns
// in the word's place, each below its radix, and words differ where some digit does; no division is left. What is below a multiple of
// the whole chain has its last digit below the factor. All of that holds of words that are not negative and of radices above zero, so
// whether they may be anything else is asked first.
// Soundness: if that is refuted, the digits that a word has are among the values of the unknowns: an over-approximation, so refutations of
// both goals are one of the goal that they are made of, and anything else is not used.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/query/query.h"

enum { MAX_FACTORS = 6, MAX_CUTS = 6, MAX_NODES = 32 };

typedef struct Product { // of a number and of uniform words that are none
  int64_t number;
  uint32_t count;
  ExprRef factors[MAX_FACTORS]; // ascending
} Product;

typedef struct Part { // what is left of the word behind `from`, up to `to`; `to`: no number: all
  Product from, to;
} Part;

typedef struct Radices {
  Scan *scan;
  ExprRef word[2], base[2]; // the unknown, and it as it is divided, by thread
  uint8_t op;               // quotients: EXPR_SDIV or EXPR_UDIV
  VEC(ExprRef) nodes;
  VEC(Part) parts; // by node
  VEC(Part)
  inner; // on the way to these: a radix is what the program divides by, so that it does not wrap around
  VEC(Product) cuts;
  ExprRef doubts;   // what must not be
  int64_t multiple; // that the words and the first radix are of
  ExprRef row;      // then: the radix
  Arena *arena;
} Radices;

// ---- products
static bool add_factor(Product *p, ExprRef factor) {
  if (p->count == MAX_FACTORS) return false;
  uint32_t i = p->count++;
  for (; i > 0 && p->factors[i - 1] > factor; i--)
    p->factors[i] = p->factors[i - 1];
  p->factors[i] = factor;
  return true;
}

// Products that may wrap around, as they are read, are one factor.
static bool read_product(const Radices *r, ExprRef ref, Product *p) {
  const ExprPool *pool = r->scan->pool;
  int64_t value = 0;
  const ExprNode *node = expr_node(pool, ref);
  uint8_t exact = r->op == EXPR_SDIV ? EXPR_NSW : EXPR_NSW | EXPR_NUW;
  if (expr_is_const(pool, ref, &value))
    return value > 0 && !__builtin_mul_overflow(p->number, value, &p->number);
  if (node->op == EXPR_MUL && (node->flags & exact))
    return read_product(r, node->a, p) && read_product(r, node->b, p);
  return add_factor(p, ref);
}

// p = q * rest
static bool divide(const Product *p, const Product *q, Product *rest) {
  *rest = (Product){.number = p->number / q->number};
  if (p->number % q->number || q->count > p->count) return false;
  uint32_t j = 0;
  for (uint32_t i = 0; i < p->count; i++) {
    bool is_shared = j < q->count && q->factors[j] == p->factors[i];
    if (is_shared)
      j++;
    else
      rest->factors[rest->count++] = p->factors[i];
  }
  return j == q->count;
}

static bool times(const Product *p, const Product *q, Product *out) {
  *out = *p;
  bool fits = !__builtin_mul_overflow(p->number, q->number, &out->number);
  for (uint32_t i = 0; i < q->count && fits; i++)
    fits = add_factor(out, q->factors[i]);
  return fits;
}

static ExprRef product_word(ExprPool *pool, const Product *p, uint8_t width, uint8_t flag) {
  ExprRef word = expr_const(pool, width, p->number);
  for (uint32_t i = 0; i < p->count; i++)
    word = expr_binary(pool, EXPR_MUL, flag, word, p->factors[i]);
  return word;
}

// ---- quotients and remainders
static bool is_quotient(const ExprNode *node) {
  return node->op == EXPR_SDIV || node->op == EXPR_UDIV;
}

static bool take_rest(const Part *inner, const Product *by, Part *part) {
  Product rest;
  *part = *inner;
  bool is_shorter = !inner->to.number || divide(&inner->to, by, &rest);
  if (is_shorter) part->to = *by;
  return is_shorter || divide(by, &inner->to, &rest);
}

static bool take_quotient(const Part *inner, const Product *by, Part *part) {
  *part = (Part){0};
  return times(&inner->from, by, &part->from) && (!inner->to.number || divide(&inner->to, by, &part->to));
}

static ExprRef without_casts(const ExprPool *pool, ExprRef ref) {
  while (expr_node(pool, ref)->op == EXPR_SEXT || expr_node(pool, ref)->op == EXPR_ZEXT)
    ref = expr_node(pool, ref)->a;
  return ref;
}

static bool is_base(Radices *r, ExprRef ref) {
  ExprRef below = without_casts(r->scan->pool, ref);
  int t = below == r->word[1];
  if (below != r->word[t]) return false;
  if (!r->base[t]) r->base[t] = ref;
  return r->base[t] == ref;
}

static bool takes_part(Radices *r, ExprRef ref, Part *part) {
  const ExprPool *pool = r->scan->pool;
  ExprNode node = *expr_node(pool, ref);
  *part = (Part){.from = {.number = 1}};
  if (!expr_is_division(&node)) return is_base(r, ref);
  Product by = {.number = 1};
  Part inner;
  uint8_t op = node.op == EXPR_SDIV || node.op == EXPR_SREM ? EXPR_SDIV : EXPR_UDIV;
  if (r->op && r->op != op) return false;
  r->op = op;
  if (expr_node(pool, node.b)->owners != OWNER_UNIFORM || !read_product(r, node.b, &by) || !by.number)
    return false;
  if (!takes_part(r, node.a, &inner)) return false;
  vec_push(r->arena, &r->inner, inner);
  return is_quotient(&node) ? take_quotient(&inner, &by, part) : take_rest(&inner, &by, part);
}

static bool find_nodes(Radices *r, ExprRef ref, ExprSet *seen) {
  if (!ref || !expr_set_is_new(seen, ref)) return true;
  ExprNode node = *expr_node(r->scan->pool, ref);
  Part part;
  if (expr_is_division(&node) && node.owners != OWNER_UNIFORM && takes_part(r, ref, &part)) {
    if (r->nodes.count == MAX_NODES) return false;
    vec_push(r->arena, &r->nodes, ref);
    vec_push(r->arena, &r->parts, part);
    return true;
  }
  bool is_good = find_nodes(r, node.a, seen) && find_nodes(r, node.b, seen) && find_nodes(r, node.c, seen);
  for (uint32_t i = 0; i < node.arg_count && is_good; i++)
    is_good = find_nodes(r, expr_node(r->scan->pool, ref)->args[i], seen);
  return is_good;
}

// ---- the chain
static bool is_same(const Product *p, const Product *q) {
  Product rest;
  return divide(p, q, &rest) && rest.count == 0 && rest.number == 1;
}

// Puts the cut where it stands in the chain; false: it is in none.
static bool add_cut(Radices *r, const Product *cut) {
  Product rest;
  uint32_t at = 0;
  while (at < r->cuts.count && divide(cut, &r->cuts.items[at], &rest))
    if (is_same(cut, &r->cuts.items[at++])) return true;
  if (r->cuts.count == MAX_CUTS || (at < r->cuts.count && !divide(&r->cuts.items[at], cut, &rest)))
    return false;
  vec_push(r->arena, &r->cuts, *cut);
  for (uint32_t i = r->cuts.count - 1; i > at; i--)
    r->cuts.items[i] = r->cuts.items[i - 1];
  r->cuts.items[at] = *cut;
  return true;
}

static bool add_cuts(Radices *r, const Part *part) {
  Product end;
  if (!add_cut(r, &part->from)) return false;
  return !part->to.number || (times(&part->from, &part->to, &end) && add_cut(r, &end));
}

static bool find_cuts(Radices *r) {
  bool is_chain = add_cut(r, &(Product){.number = 1});
  for (uint32_t i = 0; i < r->parts.count && is_chain; i++)
    is_chain = add_cuts(r, &r->parts.items[i]);
  for (uint32_t i = 0; i < r->inner.count && is_chain; i++)
    is_chain = add_cuts(r, &r->inner.items[i]);
  int64_t most = 0;
  for (uint32_t i = 0; i < r->cuts.count; i++)
    most = r->cuts.items[i].number > most ? r->cuts.items[i].number : most;
  uint8_t width = expr_width(r->scan->pool, r->base[0]);
  return is_chain && r->cuts.count > 1 && (width == 64 || most >> (width - 1) == 0);
}

static uint32_t cut_of(const Radices *r, const Product *product) {
  uint32_t at = 0;
  while (at + 1 < r->cuts.count && !is_same(&r->cuts.items[at], product))
    at++;
  return at;
}

// ---- digits
static void doubt(Radices *r, ExprRef condition) {
  r->doubts = expr_or(r->scan->pool, r->doubts, condition);
}

typedef struct DigitList { // of one thread
  ExprRef items[MAX_CUTS]; // the last one is the quotient by the whole chain
  ExprRef radices[MAX_CUTS];
} DigitList;

static ExprRef is_negative(ExprPool *pool, ExprRef ref) {
  return expr_binary(pool, EXPR_SLT, 0, ref, expr_const(pool, expr_width(pool, ref), 0));
}

static ExprRef is_none(ExprPool *pool, ExprRef ref) {
  return expr_binary(pool, EXPR_SLE, 0, ref, expr_const(pool, expr_width(pool, ref), 0));
}

// Words that are multiples of a number, in rows that are: so is the first digit.
static ExprRef first_digit(Radices *r, ExprRef digit) {
  ExprPool *pool = r->scan->pool;
  ExprRef factor = expr_const(pool, expr_width(pool, digit), r->multiple);
  ExprRef part = mixed_unknown_for(r->scan, expr_binary(pool, EXPR_SDIV, 0, digit, factor));
  return expr_binary(pool, EXPR_MUL, EXPR_NSW, part, factor);
}

static DigitList make_digits(Radices *r, int thread, Goal *made) {
  ExprPool *pool = r->scan->pool;
  ExprRef base = r->base[thread];
  uint8_t width = expr_width(pool, base), flag = r->op == EXPR_SDIV ? EXPR_NSW : EXPR_NUW;
  DigitList d = {0};
  doubt(r, is_negative(pool, base));
  for (uint32_t i = 0; i < r->cuts.count; i++) {
    ExprRef cut = product_word(pool, &r->cuts.items[i], width, flag);
    ExprRef digit = expr_binary(pool, (ExprOp)r->op, 0, base, cut);
    Product radix;
    bool is_last = i + 1 == r->cuts.count || !divide(&r->cuts.items[i + 1], &r->cuts.items[i], &radix);
    if (!is_last) {
      d.radices[i] = product_word(pool, &radix, width, flag);
      digit = expr_binary(pool, r->op == EXPR_SDIV ? EXPR_SREM : EXPR_UREM, 0, digit, d.radices[i]);
      doubt(r, is_none(pool, d.radices[i]));
    }
    d.items[i] = i == 0 && r->multiple > 1 ? first_digit(r, digit) : mixed_unknown_for(r->scan, digit);
    goal_add(r->scan, made, expr_not(pool, is_negative(pool, d.items[i])), GOAL_CONTEXT, 0);
    if (!is_last)
      goal_add(r->scan, made, expr_binary(pool, EXPR_SLT, 0, d.items[i], d.radices[i]), GOAL_CONTEXT, 0);
  }
  return d;
}

// d[from] + radix[from] * (d[from + 1] + ..), up to, and without, `to`; nothing is left of what is divided by all that it is below of.
static ExprRef sum_of(const Radices *r, const DigitList *d, uint32_t from, uint32_t to) {
  ExprPool *pool = r->scan->pool;
  if (from >= to) return expr_const(pool, expr_width(pool, r->base[0]), 0);
  uint8_t flag = r->op == EXPR_SDIV ? EXPR_NSW : EXPR_NUW;
  ExprRef sum = d->items[to - 1];
  for (uint32_t i = to - 1; i > from; i--) {
    ExprRef higher = expr_binary(pool, EXPR_MUL, flag, sum, d->radices[i - 1]);
    sum = expr_binary(pool, EXPR_ADD, flag, higher, d->items[i - 1]);
  }
  return sum;
}

static uint8_t thread_of(const Radices *r, ExprRef ref) {
  return expr_node(r->scan->pool, ref)->owners == OWNER_THREAD2;
}

static void replace_nodes(const Radices *r, const DigitList digits[2], Rewriting *rewriting) {
  for (uint32_t i = 0; i < r->nodes.count; i++) {
    const Part *part = &r->parts.items[i];
    Product end;
    uint32_t from = cut_of(r, &part->from), to = r->cuts.count;
    if (part->to.number && times(&part->from, &part->to, &end)) to = cut_of(r, &end);
    rewriting->memo[r->nodes.items[i]] = sum_of(r, &digits[thread_of(r, r->nodes.items[i])], from, to);
  }
}

// The word is below `whole`, the whole chain, times `factor`, and so is what is left of it below the factor.
static ExprRef last_below(Radices *r, ExprRef last, ExprRef word, ExprRef whole, ExprRef factor, uint8_t op) {
  ExprPool *pool = r->scan->pool;
  uint8_t width = expr_width(pool, factor);
  if (expr_width(pool, last) > width) return 0;
  doubt(r, is_negative(pool, word));
  doubt(r, is_none(pool, whole));
  return expr_binary(pool, (ExprOp)op, 0, expr_resize_unsigned(pool, last, width), factor);
}

static ExprRef below_factor(Radices *r, const DigitList *d, int thread, ExprRef condition) {
  const ExprPool *pool = r->scan->pool;
  ExprNode node = *expr_node(pool, condition);
  if (node.op != EXPR_SLT && node.op != EXPR_ULT) return 0;
  ExprNode right = *expr_node(pool, node.b);
  if (without_casts(pool, node.a) != r->word[thread] || right.op != EXPR_MUL) return 0;
  if (node.op == EXPR_SLT && !(right.flags & EXPR_NSW))
    return 0; // as an unsigned one, a product is never less than what is left of it
  ExprRef sides[2] = {right.a, right.b};
  for (int i = 0; i < 2; i++) {
    ExprRef side = without_casts(pool, sides[i]);
    Product product = {.number = 1};
    if (read_product(r, side, &product) && is_same(&product, &r->cuts.items[r->cuts.count - 1]))
      return last_below(r, d->items[r->cuts.count - 1], r->word[thread], side, sides[!i], node.op);
  }
  return 0;
}

static void add_conditions(Radices *r, const Goal *words, const DigitList digits[2], Goal *made) {
  ExprPool *pool = r->scan->pool;
  Rewriting rewriting = {.scan = r->scan, .memo = arena_array(r->arena, expr_count(pool) + 1, ExprRef)};
  ExprRef differ = expr_bool(pool, false), distinct = expr_ne(pool, r->word[0], r->word[1]);
  replace_nodes(r, digits, &rewriting);
  for (int t = 0; t < 2; t++) {
    ExprRef sum = sum_of(r, &digits[t], 0, r->cuts.count);
    goal_add(r->scan, made, expr_eq(pool, r->base[t], sum), GOAL_CONTEXT, 0);
  }
  for (uint32_t i = 0; i < r->cuts.count; i++)
    differ = expr_or(pool, differ, expr_ne(pool, digits[0].items[i], digits[1].items[i]));
  for (uint32_t i = 0; i < words->conditions.count; i++) {
    const GoalCondition *known = &words->conditions.items[i];
    if (known->condition == distinct) {
      goal_add(r->scan, made, differ, known->part, known->tag);
      continue;
    }
    goal_add(r->scan, made, mixed_rewrite(&rewriting, known->condition), known->part, known->tag);
    for (int t = 0; t < 2; t++) {
      ExprRef below = below_factor(r, &digits[t], t, known->condition);
      if (below) goal_add(r->scan, made, below, known->part, known->tag);
    }
  }
}

// Places of several elements: words are numbers of vectors, and a row that is no multiple of these has some of two rows.
static void find_multiple(Radices *r, const Goal *words) {
  const ExprPool *pool = r->scan->pool;
  const ExprNode *nodes[2] = {expr_node(pool, r->base[0]), expr_node(pool, r->base[1])};
  const Product *row = &r->cuts.items[1];
  bool is_interval = false;
  int64_t factors[2];
  for (uint32_t i = 0; i < words->conditions.count; i++) {
    const GoalCondition *known = &words->conditions.items[i];
    is_interval |= known->part == GOAL_CONFLICT && expr_node(pool, known->condition)->op == EXPR_SLT;
  }
  r->multiple = 1;
  for (int t = 0; t < 2; t++) {
    if (nodes[t]->op != EXPR_MUL || !expr_is_const(pool, nodes[t]->b, &factors[t]) || factors[t] < 1) return;
    bool is_power = (factors[t] & (factors[t] - 1)) == 0; // a multiple of it even where the word wraps around
    if (!is_power && !(nodes[t]->flags & EXPR_NSW)) return;
  }
  if (!is_interval || factors[0] != factors[1] || row->count != 1 || row->number != 1) return;
  r->multiple = factors[0];
  r->row = row->factors[0];
}

static void put_rows_in_parts(Radices *r, Goal *made) {
  ExprPool *pool = r->scan->pool;
  ExprRef factor = expr_const(pool, expr_width(pool, r->row), r->multiple);
  ExprRef rest = expr_binary(pool, EXPR_SREM, 0, r->row, factor),
          zero = expr_const(pool, expr_width(pool, r->row), 0);
  doubt(r, expr_ne(pool, rest, zero));
  ExprRef part = mixed_unknown_for(r->scan, expr_binary(pool, EXPR_SDIV, 0, r->row, factor));
  ExprRef whole = expr_binary(pool, EXPR_MUL, EXPR_NSW, part, factor);
  Rewriting rewriting = {.scan = r->scan, .memo = arena_array(r->arena, expr_count(pool) + 1, ExprRef)};
  Goal parts = {.is_false = made->is_false};
  rewriting.memo[r->row] = whole;
  mixed_rewrite_goal(&rewriting, made, &parts);
  *made = parts;
}

bool radices_apart(Scan *scan, const Goal *words, const ExprRef unknowns[2], Goal *doubts, Goal *made) {
  ASSERT(doubts && made);
  Arena *scratch = arena_open();
  Radices r = {.scan = scan,
               .word = {unknowns[0], unknowns[1]},
               .doubts = expr_bool(scan->pool, false),
               .arena = scratch};
  ExprSet seen = expr_set_make(scratch, scan->pool);
  bool is_read = !words->is_false;
  for (uint32_t i = 0; i < words->conditions.count && is_read; i++)
    is_read = find_nodes(&r, words->conditions.items[i].condition, &seen);
  is_read = is_read && r.nodes.count && r.base[0] && r.base[1];
  is_read =
      is_read && expr_width(scan->pool, r.base[0]) == expr_width(scan->pool, r.base[1]) && find_cuts(&r);
  if (is_read) {
    find_multiple(&r, words);
    const DigitList digits[2] = {make_digits(&r, 0, made), make_digits(&r, 1, made)};
    add_conditions(&r, words, digits, made);
    if (r.multiple > 1) put_rows_in_parts(&r, made);
    goal_add(scan, doubts, r.doubts, GOAL_CONFLICT, 0);
    goal_add_known(scan, doubts, words);
  }
  arena_close(scratch);
  return is_read;
}
