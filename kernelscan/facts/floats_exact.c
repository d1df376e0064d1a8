// Which integer does a floating-point computation on one or two integers give? `a[(int)(t * 2.0f)]`, `if (t == x)`. Method: sums,
// products, and quotients by powers of two of converted integers are integers over a power of two, and what the format can hold is not
// rounded. What is not of that form, `a[(int)sqrtf(t)]`, is tried for all values of its one integer (float_trials.c). Soundness: exact
// under the condition that is part of each fact: numerators stay within the format's digits (Goldberg 1991), and the integer arithmetic
// here cannot overflow, by ranges.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/facts/floats_exact.h"

#include <float.h>
#include <math.h>

enum { MOST_SHIFT = 30 };

static const double MOST_NUMERATOR = 0x1p60; // sums of two fit a word

// ---- conversions
typedef struct NamedConversion {
  const char *name; // with _rn, _rz, _ru or _rd behind it
  uint8_t bits, width;
  bool is_unsigned;
} NamedConversion;

static const NamedConversion conversions[] = {
    {"__float2int", 32, 32, false}, {"__float2uint", 32, 32, true},  {"__float2ll", 32, 64, false},
    {"__float2ull", 32, 64, true},  {"__double2int", 64, 32, false}, {"__double2uint", 64, 32, true},
    {"__double2ll", 64, 64, false}, {"__double2ull", 64, 64, true},
};

static bool read_rounding(const char *suffix, Rounding *out) {
  static const char *const suffixes[] = {[TO_ZERO] = "_rz", [DOWN] = "_rd", [UP] = "_ru", [TO_EVEN] = "_rn"};
  for (int i = 0; i < 4; i++)
    if (strcmp(suffix, suffixes[i]) == 0) {
      *out = (Rounding)i;
      return true;
    }
  return false;
}

static bool read_named(const char *name, Whole *w) {
  for (size_t i = 0; i < sizeof conversions / sizeof *conversions; i++) {
    size_t length = strlen(conversions[i].name);
    if (strncmp(name, conversions[i].name, length) != 0 || !read_rounding(name + length, &w->rounding))
      continue;
    w->bits = conversions[i].bits;
    w->width = conversions[i].width;
    w->is_unsigned = conversions[i].is_unsigned;
    return true;
  }
  return false;
}

static bool read_whole(const ExprPool *pool, ExprRef ref, Whole *w) {
  char name[24] = "";
  const char *full = floats_function(pool, ref);
  size_t length = strcspn(full, "."); // the widths of operands may follow
  if (length >= sizeof name) return false;
  memcpy(name, full, length);
  *w = (Whole){.width = expr_width(pool, ref), .rounding = TO_ZERO};
  if (strncmp(name, "fptosi", 6) == 0 || strncmp(name, "fptoui", 6) == 0) {
    w->is_unsigned = name[4] == 'u';
    w->bits = strcmp(name + 6, "32") == 0 ? 32 : strcmp(name + 6, "64") == 0 ? 64 : 0;
  } else if (strcmp(name, "lrintf") == 0 || strcmp(name, "llrintf") == 0) {
    w->bits = 32;
    w->rounding = TO_EVEN;
  } else if (strcmp(name, "lrint") == 0 || strcmp(name, "llrint") == 0) {
    w->bits = 64;
    w->rounding = TO_EVEN;
  } else if (!read_named(name, w)) {
    return false;
  }
  if (!w->bits || w->width != expr_width(pool, ref) || w->width < 32) return false;
  w->operand = floats_argument(pool, ref, 0);
  return true;
}

// ---- exact
// The value is number / 2^shift if `holds`; |number| <= most in any case.
typedef struct Exact {
  ExprRef number; // 64 bits
  uint8_t shift;
  double most;
  ExprRef holds;
} Exact;

static bool exact(ExprPool *pool, ExprRef ref, uint8_t bits, uint32_t depth, Exact *e);

// A number of so many digits is not rounded.
static bool settle(ExprPool *pool, uint8_t bits, Exact *e) {
  int64_t limit = (int64_t)1 << (bits == 32 ? 24 : 53);
  if (!(e->most <= MOST_NUMERATOR) || e->shift > MOST_SHIFT) return false;
  int64_t lo = 0, hi = 0;
  expr_range(pool, e->number, &lo, &hi);
  if (lo >= -limit && hi <= limit) return true;
  ExprRef is_low = expr_binary(pool, EXPR_SLE, 0, e->number, expr_const(pool, 64, limit));
  ExprRef is_high = expr_binary(pool, EXPR_SLE, 0, expr_const(pool, 64, -limit), e->number);
  e->holds = expr_and(pool, e->holds, expr_and(pool, is_low, is_high));
  return true;
}

static bool exact_constant(ExprPool *pool, double value, Exact *e) {
  *e = (Exact){.holds = expr_bool(pool, true)};
  while (value != floor(value) && e->shift < MOST_SHIFT) {
    value *= 2;
    e->shift++;
  }
  if (value != floor(value) || fabs(value) > 0x1p53) return false;
  e->number = expr_const(pool, 64, (int64_t)value);
  e->most = fabs(value);
  return true;
}

// A constant, also one that is converted.
bool floats_any_constant(const ExprPool *pool, ExprRef ref, uint8_t bits, double *value) {
  int64_t number = 0;
  if (floats_constant(pool, ref, bits, value)) return true;
  if (strcmp(floats_function(pool, ref), "sitofp64") != 0 || expr_width(pool, ref) != bits ||
      !expr_is_const(pool, floats_argument(pool, ref, 0), &number))
    return false;
  *value = bits == 32 ? (double)(float)number : (double)number;
  return true;
}

static bool exact_integer(ExprPool *pool, ExprRef number, Exact *e) {
  int64_t lo = 0, hi = 0;
  expr_range(pool, number, &lo, &hi);
  *e = (Exact){.number = number, .holds = expr_bool(pool, true)};
  e->most = fmax(fabs((double)lo), fabs((double)hi));
  return true;
}

static bool align(ExprPool *pool, Exact *e, uint8_t shift) {
  double factor = ldexp(1, shift - e->shift);
  if (e->shift == shift) return true;
  if (e->most * factor > MOST_NUMERATOR) return false;
  e->number = expr_binary(pool, EXPR_MUL, EXPR_NSW, e->number, expr_const(pool, 64, (int64_t)factor));
  e->most *= factor;
  e->shift = shift;
  return true;
}

static bool align_both(ExprPool *pool, Exact *a, Exact *b) {
  uint8_t shift = a->shift > b->shift ? a->shift : b->shift;
  return align(pool, a, shift) && align(pool, b, shift);
}

static bool exact_sum(ExprPool *pool, Exact a, Exact b, bool is_less, Exact *e) {
  if (!align_both(pool, &a, &b) || a.most + b.most > MOST_NUMERATOR) return false;
  *e = (Exact){.shift = a.shift, .most = a.most + b.most, .holds = expr_and(pool, a.holds, b.holds)};
  e->number = expr_binary(pool, is_less ? EXPR_SUB : EXPR_ADD, EXPR_NSW, a.number, b.number);
  return true;
}

static bool exact_product(ExprPool *pool, const Exact *a, const Exact *b, Exact *e) {
  *e = (Exact){.shift = (uint8_t)(a->shift + b->shift), .most = a->most * b->most};
  if (!(e->most <= MOST_NUMERATOR)) return false;
  e->holds = expr_and(pool, a->holds, b->holds);
  e->number = expr_binary(pool, EXPR_MUL, EXPR_NSW, a->number, b->number);
  return true;
}

static bool exact_extremum(ExprPool *pool, Exact a, Exact b, bool is_min, Exact *e) {
  if (!align_both(pool, &a, &b)) return false;
  *e = (Exact){.shift = a.shift, .most = fmax(a.most, b.most), .holds = expr_and(pool, a.holds, b.holds)};
  ExprRef is_less = expr_binary(pool, EXPR_SLT, 0, a.number, b.number);
  e->number = expr_ite(pool, is_less, is_min ? a.number : b.number, is_min ? b.number : a.number);
  return true;
}

// Rounded to a number without digits behind the point; false for ties.
static bool exact_whole(ExprPool *pool, Exact *e, Rounding rounding) {
  if (e->shift == 0) return true;
  if (rounding == TO_EVEN) return false;
  ExprRef zero = expr_const(pool, 64, 0), shift = expr_const(pool, 64, e->shift);
  if (rounding == UP) {
    ExprRef negated = expr_binary(pool, EXPR_SUB, EXPR_NSW, zero, e->number);
    e->number = expr_binary(pool, EXPR_SUB, EXPR_NSW, zero, expr_binary(pool, EXPR_ASHR, 0, negated, shift));
  } else if (rounding == DOWN) {
    e->number = expr_binary(pool, EXPR_ASHR, 0, e->number, shift);
  } else {
    ExprRef divisor = expr_const(pool, 64, (int64_t)1 << e->shift);
    e->number = expr_binary(pool, EXPR_SDIV, 0, e->number, divisor);
  }
  e->shift = 0;
  return true;
}

static bool exact_pair(ExprPool *pool, ExprRef ref, uint8_t bits, uint32_t depth, Exact *e) {
  bool is_sum = floats_is_operation(pool, ref, "fadd", bits),
       is_less = floats_is_operation(pool, ref, "fsub", bits);
  bool is_product = floats_is_operation(pool, ref, "fmul", bits);
  bool is_quotient = floats_is_operation(pool, ref, "fdiv", bits);
  bool is_min = floats_is_call(pool, ref, "fmin", bits), is_max = floats_is_call(pool, ref, "fmax", bits);
  if (!is_sum && !is_less && !is_product && !is_quotient && !is_min && !is_max) return false;
  Exact a, b;
  double divisor = 0;
  if (!exact(pool, floats_argument(pool, ref, 0), bits, depth, &a)) return false;
  if (is_quotient) {
    int exponent = 0;
    if (!floats_any_constant(pool, floats_argument(pool, ref, 1), bits, &divisor) ||
        frexp(divisor, &exponent) != 0.5 || !exact_constant(pool, 1 / divisor, &b))
      return false;
    return exact_product(pool, &a, &b, e);
  }
  if (!exact(pool, floats_argument(pool, ref, 1), bits, depth, &b)) return false;
  if (is_product) return exact_product(pool, &a, &b, e);
  return is_min || is_max ? exact_extremum(pool, a, b, is_min, e) : exact_sum(pool, a, b, is_less, e);
}

static bool exact_call(ExprPool *pool, ExprRef ref, uint8_t bits, uint32_t depth, Exact *e) {
  const char *name = floats_function(pool, ref);
  if (strcmp(name, "sitofp64") == 0) return exact_integer(pool, floats_argument(pool, ref, 0), e);
  if (bits == 64 && strcmp(name, "fpext32") == 0)
    return exact(pool, floats_argument(pool, ref, 0), 32, depth, e);
  if (bits == 32 && strcmp(name, "fptrunc64") == 0)
    return exact(pool, floats_argument(pool, ref, 0), 64, depth, e);
  static const struct Function {
    const char *name;
    Rounding rounding;
  } functions[] = {
      {"floor", DOWN}, {"ceil", UP}, {"trunc", TO_ZERO}, {"rint", TO_EVEN}, {"nearbyint", TO_EVEN}};
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (floats_is_call(pool, ref, functions[i].name, bits))
      return exact(pool, floats_argument(pool, ref, 0), bits, depth, e) &&
             exact_whole(pool, e, functions[i].rounding);
  return exact_pair(pool, ref, bits, depth, e);
}

static bool exact(ExprPool *pool, ExprRef ref, uint8_t bits, uint32_t depth, Exact *e) {
  double value = 0;
  const ExprNode node = *expr_node(pool, ref);
  if (node.width != bits || depth == 0) return false;
  if (floats_any_constant(pool, ref, bits, &value)) return exact_constant(pool, value, e);
  if (node.op == EXPR_APP) return exact_call(pool, ref, bits, depth - 1, e) && settle(pool, bits, e);
  int64_t word = 0, sign = bits == 32 ? INT32_MIN : INT64_MIN;
  Exact zero, other;
  if (node.op == EXPR_ITE) {
    if (!exact(pool, node.b, bits, depth - 1, e) || !exact(pool, node.c, bits, depth - 1, &other) ||
        !align_both(pool, e, &other))
      return false;
    e->number = expr_ite(pool, node.a, e->number, other.number);
    e->holds = expr_ite(pool, node.a, e->holds, other.holds);
    e->most = fmax(e->most, other.most);
    return true;
  }
  return node.op == EXPR_XOR && expr_is_const(pool, node.b, &word) && word == sign &&
         exact(pool, node.a, bits, depth - 1, e) && exact_constant(pool, 0, &zero) &&
         exact_sum(pool, zero, *e, true, e);
}

static bool add_exact_whole(Scan *scan, Goal *goal, ExprRef ref, const Whole *w) {
  ExprPool *pool = scan->pool;
  Exact e;
  if (!exact(pool, w->operand, w->bits, FLOATS_DEPTH, &e) || !exact_whole(pool, &e, w->rounding))
    return false;
  int64_t most = w->width == 32 ? INT32_MAX : INT64_MAX, least = w->is_unsigned ? 0 : -most;
  ExprRef fits = expr_and(pool, expr_binary(pool, EXPR_SLE, 0, expr_const(pool, 64, least), e.number),
                          expr_binary(pool, EXPR_SLE, 0, e.number, expr_const(pool, 64, most)));
  ExprRef is_equal = expr_eq(pool, floats_as_word(pool, ref, w), e.number);
  ExprRef fact = expr_or(pool, expr_not(pool, expr_and(pool, e.holds, fits)), is_equal);
  goal_add(scan, goal, fact, GOAL_FACT, TAG_BOUNDS);
  return true;
}

// ---- comparisons
bool floats_read_compared(const ExprPool *pool, ExprRef ref, Compared *c) {
  const char *name = floats_function(pool, ref);
  if (strncmp(name, "fcmp_o", 6) != 0 || strlen(name) != 10) return false;
  *c = (Compared){.ref = ref,
                  .bits = strcmp(name + 8, "32") == 0   ? 32
                          : strcmp(name + 8, "64") == 0 ? 64
                                                        : 0};
  c->kind = strncmp(name + 6, "lt", 2) == 0 ? '<' : strncmp(name + 6, "le", 2) == 0 ? 'l' : '=';
  if (!c->bits || (c->kind == '=' && strncmp(name + 6, "eq", 2) != 0)) return false;
  c->left = floats_argument(pool, ref, 0);
  c->right = floats_argument(pool, ref, 1);
  return true;
}

// ---- facts
static bool add_exact_comparison(Scan *scan, Goal *goal, const Compared *c) {
  ExprPool *pool = scan->pool;
  Exact a, b;
  if (!exact(pool, c->left, c->bits, FLOATS_DEPTH, &a) || !exact(pool, c->right, c->bits, FLOATS_DEPTH, &b) ||
      !align_both(pool, &a, &b))
    return false;
  ExprRef holds = expr_and(pool, a.holds, b.holds);
  ExprRef truth = c->kind == '='   ? expr_eq(pool, a.number, b.number)
                  : c->kind == '<' ? expr_binary(pool, EXPR_SLT, 0, a.number, b.number)
                                   : expr_binary(pool, EXPR_SLE, 0, a.number, b.number);
  ExprRef fact = expr_or(pool, expr_not(pool, holds), expr_eq(pool, c->ref, truth));
  goal_add(scan, goal, fact, GOAL_FACT, TAG_BOUNDS);
  return true;
}

// What equals one value is equal.
static void add_common_value(Scan *scan, Goal *goal, const Compared *c, const Compared *d) {
  ExprPool *pool = scan->pool;
  if (c->kind != '=' || d->kind != '=' || c->bits != d->bits) return;
  bool is_left = c->left == d->left || c->left == d->right;
  ExprRef shared = is_left ? c->left : c->right, one = is_left ? c->right : c->left;
  if (d->left != shared && d->right != shared) return;
  Exact a, b;
  if (!exact(pool, one, c->bits, FLOATS_DEPTH, &a) ||
      !exact(pool, d->left == shared ? d->right : d->left, c->bits, FLOATS_DEPTH, &b) ||
      !align_both(pool, &a, &b))
    return;
  ExprRef when = expr_and(pool, expr_and(pool, c->ref, d->ref), expr_and(pool, a.holds, b.holds));
  ExprRef fact = expr_or(pool, expr_not(pool, when), expr_eq(pool, a.number, b.number));
  goal_add(scan, goal, fact, GOAL_FACT, TAG_BOUNDS);
}

void floats_add_exact(Scan *scan, Goal *goal, const ExprSet *occurs) {
  enum { MOST_COMPARED = 32 };
  Compared compared[MOST_COMPARED];
  uint32_t unknown = 0;
  for (ExprRef ref = 0; (ref = expr_set_next(occurs, ref)) != 0;) {
    Whole w;
    Compared c;
    if (expr_node(scan->pool, ref)->op != EXPR_APP) continue;
    if (read_whole(scan->pool, ref, &w)) {
      if (!add_exact_whole(scan, goal, ref, &w)) floats_add_tried(scan, goal, ref, &w, NULL);
    } else if (floats_read_compared(scan->pool, ref, &c) && !add_exact_comparison(scan, goal, &c)) {
      floats_add_tried(scan, goal, ref, NULL, &c);
      for (uint32_t i = 0; i < unknown; i++)
        add_common_value(scan, goal, &c, &compared[i]);
      if (unknown < MOST_COMPARED) compared[unknown++] = c;
    }
  }
}
