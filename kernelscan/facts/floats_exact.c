// Which integer does a floating-point computation on one or two integers give? `a[(int)(t * 2.0f)]`,
// `a[(int)sqrtf(t)]`, `if (t == x)`. Two methods. Exact: sums, products, and quotients by powers of two of
// converted integers are integers over a power of two, and what the format can hold is not rounded. Tried: a
// computation on a single integer with few values is done for each of them; the results are told as pieces
// that rise by a constant step, or as what repeats with a period. Soundness: exact under the condition that
// is part of each fact: numerators stay within the format's digits (Goldberg 1991), and the integer
// arithmetic here cannot overflow, by ranges. Only operations that IEEE 754 rounds correctly are tried
// (others have names of their own: lower_arith.c), on numbers that are not denormal; a sum with a product in it
// may be computed in one step or in two, and counts only if both give the same.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/facts/facts.h"

#include <float.h>
#include <math.h>

enum {
  DEPTH = 10,
  MOST_SHIFT = 30,
  MOST_VALUES = 4096,
  MOST_PIECES = 96,
  MOST_PERIOD = 32,
  MOST_TRIED = 256
};

static const double MOST_NUMERATOR = 0x1p60; // sums of two fit a word

// ---- conversions
typedef enum Rounding { TO_ZERO, DOWN, UP, TO_EVEN } Rounding;

typedef struct Whole {
  ExprRef operand;
  uint8_t bits;  // of the operand
  uint8_t width; // of the integer
  bool is_unsigned;
  Rounding rounding;
} Whole;

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

static ExprRef as_word(ExprPool *pool, ExprRef ref, const Whole *w) {
  return w->is_unsigned ? expr_resize_unsigned(pool, ref, 64) : expr_resize_signed(pool, ref, 64);
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
static bool constant(const ExprPool *pool, ExprRef ref, uint8_t bits, double *value) {
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
    if (!constant(pool, floats_argument(pool, ref, 1), bits, &divisor) || frexp(divisor, &exponent) != 0.5 ||
        !exact_constant(pool, 1 / divisor, &b))
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
  if (constant(pool, ref, bits, &value)) return exact_constant(pool, value, e);
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
  if (!exact(pool, w->operand, w->bits, DEPTH, &e) || !exact_whole(pool, &e, w->rounding)) return false;
  int64_t most = w->width == 32 ? INT32_MAX : INT64_MAX, least = w->is_unsigned ? 0 : -most;
  ExprRef fits = expr_and(pool, expr_binary(pool, EXPR_SLE, 0, expr_const(pool, 64, least), e.number),
                          expr_binary(pool, EXPR_SLE, 0, e.number, expr_const(pool, 64, most)));
  ExprRef is_equal = expr_eq(pool, as_word(pool, ref, w), e.number);
  ExprRef fact = expr_or(pool, expr_not(pool, expr_and(pool, e.holds, fits)), is_equal);
  goal_add(scan, goal, fact, GOAL_FACT, TAG_BOUNDS);
  return true;
}

// ---- comparisons
typedef struct Compared {
  ExprRef ref, left, right;
  uint8_t bits;
  char kind; // '<', 'l' for at most, '='
} Compared;

static bool read_compared(const ExprPool *pool, ExprRef ref, Compared *c) {
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

// ---- tried
typedef struct Trial {
  const ExprPool *pool;
  ExprRef leaf; // the integer; 0: none yet
  int64_t value;
} Trial;

static bool same(double a, double b) {
  return a == b;
}

static double rounded(double value, uint8_t bits) {
  return bits == 32 ? (double)(float)value : value;
}

static bool find_leaf(Trial *t, ExprRef ref, uint32_t depth) {
  const ExprNode *node = expr_node(t->pool, ref);
  if (node->op == EXPR_CONST) return true;
  if (depth == 0) return false;
  if (node->op == EXPR_XOR || node->op == EXPR_NOT) return find_leaf(t, node->a, depth - 1);
  if (node->op == EXPR_ITE)
    return find_leaf(t, node->a, depth - 1) && find_leaf(t, node->b, depth - 1) &&
           find_leaf(t, node->c, depth - 1);
  if (node->op != EXPR_APP) return false;
  if (strcmp(floats_function(t->pool, ref), "sitofp64") == 0) {
    ExprRef leaf = node->args[0];
    if (expr_is_const(t->pool, leaf, NULL)) return true;
    if (t->leaf && t->leaf != leaf) return false;
    t->leaf = leaf;
    return true;
  }
  for (uint32_t i = 0; i < node->arg_count; i++)
    if (!find_leaf(t, node->args[i], depth - 1)) return false;
  return true;
}

static bool attempt(const Trial *t, ExprRef ref, uint8_t bits, double *out);

static bool attempt_truth(const Trial *t, ExprRef ref, int64_t *out);

static bool attempt_both(const Trial *t, ExprRef ref, uint8_t bits, double *a, double *b) {
  return attempt(t, floats_argument(t->pool, ref, 0), bits, a) &&
         attempt(t, floats_argument(t->pool, ref, 1), bits, b);
}

// Where an operand of a sum is a product, in one step the result is the same; what hides one is not followed.
static bool fused_is_same(const Trial *t, ExprRef product, uint8_t bits, double other, double sum) {
  double a = 0, b = 0;
  if (floats_hides_product(t->pool, product, bits)) return false;
  if (!floats_is_operation(t->pool, product, "fmul", bits)) return true;
  if (!attempt_both(t, product, bits, &a, &b)) return false;
  return same(bits == 32 ? (double)fmaf((float)a, (float)b, (float)other) : fma(a, b, other), sum);
}

static bool attempt_pair(const Trial *t, ExprRef ref, uint8_t bits, double *out) {
  static const struct Operation {
    const char *name;
    char op;
  } operations[] = {{"fadd", '+'}, {"fsub", '-'}, {"fmul", '*'}, {"fdiv", '/'}, {"frem", '%'}};
  double a = 0, b = 0;
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
    if (!floats_is_operation(t->pool, ref, operations[i].name, bits)) continue;
    if (!attempt_both(t, ref, bits, &a, &b)) return false;
    char op = operations[i].op;
    *out = rounded(op == '+'   ? a + b
                   : op == '-' ? a - b
                   : op == '*' ? a * b
                   : op == '/' ? a / b
                               : fmod(a, b),
                   bits);
    if (op == '+')
      return fused_is_same(t, floats_argument(t->pool, ref, 0), bits, b, *out) &&
             fused_is_same(t, floats_argument(t->pool, ref, 1), bits, a, *out);
    if (op == '-')
      return fused_is_same(t, floats_argument(t->pool, ref, 0), bits, -b, *out) &&
             fused_is_same(t, floats_argument(t->pool, ref, 1), bits, -a, -*out);
    return true;
  }
  static const struct Function {
    const char *name;
    double (*function)(double, double);
  } functions[] = {{"fmin", fmin}, {"fmax", fmax}, {"fmod", fmod}};
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    if (!floats_is_call(t->pool, ref, functions[i].name, bits)) continue;
    if (!attempt_both(t, ref, bits, &a, &b)) return false;
    *out = functions[i].function(a, b);
    return true;
  }
  return false;
}

static bool attempt_call(const Trial *t, ExprRef ref, uint8_t bits, double *out) {
  const char *name = floats_function(t->pool, ref);
  if (strcmp(name, "sitofp64") == 0) {
    *out = bits == 32 ? (double)(float)t->value : (double)t->value;
    return true;
  }
  if (bits == 64 && strcmp(name, "fpext32") == 0)
    return attempt(t, floats_argument(t->pool, ref, 0), 32, out);
  if (bits == 32 && strcmp(name, "fptrunc64") == 0) {
    bool is_done = attempt(t, floats_argument(t->pool, ref, 0), 64, out);
    *out = rounded(*out, 32);
    return is_done;
  }
  static const struct Function {
    const char *name;
    double (*function)(double);
  } functions[] = {{"floor", floor},         {"ceil", ceil},   {"trunc", trunc}, {"rint", rint},
                   {"nearbyint", nearbyint}, {"round", round}, {"sqrt", sqrt},   {"fabs", fabs}};
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    if (!floats_is_call(t->pool, ref, functions[i].name, bits)) continue;
    bool is_done = attempt(t, floats_argument(t->pool, ref, 0), bits, out);
    *out = rounded(functions[i].function(*out), bits);
    return is_done;
  }
  return attempt_pair(t, ref, bits, out);
}

static bool compute(const Trial *t, ExprRef ref, uint8_t bits, double *out) {
  const ExprNode *node = expr_node(t->pool, ref);
  int64_t word = 0, sign = bits == 32 ? INT32_MIN : INT64_MIN;
  *out = 0;
  if (node->width != bits) return false;
  if (constant(t->pool, ref, bits, out)) return true;
  if (node->op == EXPR_APP) return attempt_call(t, ref, bits, out) && isfinite(*out);
  if (node->op == EXPR_ITE)
    return attempt_truth(t, node->a, &word) && attempt(t, word ? node->b : node->c, bits, out);
  if (node->op != EXPR_XOR || !expr_is_const(t->pool, node->b, &word) || word != sign ||
      !attempt(t, node->a, bits, out))
    return false;
  *out = -*out;
  return true;
}

// Single-precision numbers below the normal ones are zeros in code that is compiled with -ftz=true.
static bool attempt(const Trial *t, ExprRef ref, uint8_t bits, double *out) {
  return compute(t, ref, bits, out) && (bits != 32 || *out == 0 || fabs(*out) >= (double)FLT_MIN);
}

static bool is_true_at(const Trial *t, const Compared *c, int64_t *out) {
  double a = 0, b = 0;
  if (!attempt(t, c->left, c->bits, &a) || !attempt(t, c->right, c->bits, &b)) return false;
  *out = c->kind == '=' ? same(a, b) : c->kind == '<' ? a < b : a <= b;
  return true;
}

static bool attempt_truth(const Trial *t, ExprRef ref, int64_t *out) {
  Compared c;
  const ExprNode *node = expr_node(t->pool, ref);
  bool is_negated = node->op == EXPR_NOT;
  if (!read_compared(t->pool, is_negated ? node->a : ref, &c) || !is_true_at(t, &c, out)) return false;
  *out = *out != is_negated;
  return true;
}

static bool attempt_whole(const Trial *t, const Whole *w, int64_t *out) {
  double value = 0, least = w->is_unsigned ? 0 : -0x1p31, most = w->is_unsigned ? 0x1p32 : 0x1p31;
  if (!attempt(t, w->operand, w->bits, &value)) return false;
  value = w->rounding == TO_ZERO ? trunc(value)
          : w->rounding == DOWN  ? floor(value)
          : w->rounding == UP    ? ceil(value)
                                 : rint(value);
  if (value < least || value >= most) return false;
  *out = (int64_t)value;
  return true;
}

// The only integer that is computed with, and its values.
static bool open_trial(Trial *t, const ExprPool *pool, ExprRef ref, int64_t *lo, int64_t *hi) {
  *t = (Trial){.pool = pool};
  if (!find_leaf(t, ref, DEPTH) || !t->leaf) return false;
  expr_range((ExprPool *)pool, t->leaf, lo, hi);
  return *lo >= -(int64_t)INT32_MAX && *hi <= INT32_MAX && *hi - *lo < MOST_VALUES;
}

static ExprRef is_in(ExprPool *pool, int64_t lo, ExprRef number, int64_t hi) {
  return expr_and(pool, expr_binary(pool, EXPR_SLE, 0, expr_const(pool, 64, lo), number),
                  expr_binary(pool, EXPR_SLE, 0, number, expr_const(pool, 64, hi)));
}

// The results for all values of the integer, from the lowest on.
typedef struct Results {
  const Trial *t;
  ExprRef whole;
  const int64_t *values;
  int64_t count, lo;
} Results;

// Each `period` values further, the result is `rise` more. 0: there is no period.
static ExprRef as_period(ExprPool *pool, const Results *r) {
  const int64_t *values = r->values, count = r->count;
  for (int64_t period = 2; period <= MOST_PERIOD && 2 * period <= count; period++) {
    int64_t rise = values[period] - values[0], k = 1;
    while (k + period < count && values[k + period] - values[k] == rise)
      k++;
    if (k + period < count) continue;
    ExprRef from = expr_binary(pool, EXPR_SUB, EXPR_NSW, r->t->leaf, expr_const(pool, 64, r->lo));
    ExprRef width = expr_const(pool, 64, period), rest = expr_binary(pool, EXPR_SREM, 0, from, width);
    ExprRef value = expr_const(pool, 64, values[period - 1]);
    for (int64_t i = period - 1; i-- > 0;)
      value = expr_ite(pool, expr_eq(pool, rest, expr_const(pool, 64, i)), expr_const(pool, 64, values[i]),
                       value);
    ExprRef rounds = expr_binary(pool, EXPR_SDIV, 0, from, width);
    ExprRef risen = expr_binary(pool, EXPR_MUL, EXPR_NSW, rounds, expr_const(pool, 64, rise));
    return expr_eq(pool, r->whole, expr_binary(pool, EXPR_ADD, EXPR_NSW, risen, value));
  }
  return 0;
}

static int64_t end_of_piece(const int64_t *values, int64_t count, int64_t begin) {
  int64_t end = begin + 1;
  while (end + 1 < count && values[end + 1] - values[end] == values[begin + 1] - values[begin])
    end++;
  return end < count ? end : count - 1;
}

static ExprRef as_pieces(ExprPool *pool, const Results *r) {
  const int64_t *values = r->values, count = r->count, lo = r->lo;
  ExprRef all = expr_bool(pool, true);
  uint32_t pieces = 0;
  for (int64_t i = 0; i < count; i = end_of_piece(values, count, i) + 1)
    pieces++;
  if (pieces > MOST_PIECES) return all;
  for (int64_t i = 0, end; i < count; i = end + 1) {
    end = end_of_piece(values, count, i);
    int64_t step = end > i ? values[i + 1] - values[i] : 0;
    ExprRef moved = expr_binary(pool, EXPR_MUL, EXPR_NSW, r->t->leaf, expr_const(pool, 64, step));
    moved = expr_binary(pool, EXPR_ADD, EXPR_NSW, moved, expr_const(pool, 64, values[i] - step * (lo + i)));
    ExprRef fact = expr_eq(pool, r->whole, moved);
    if (pieces > 1) fact = expr_or(pool, expr_not(pool, is_in(pool, lo + i, r->t->leaf, lo + end)), fact);
    all = expr_and(pool, all, fact);
  }
  return all;
}

static ExprRef tried_whole(ExprPool *pool, ExprRef ref, const Whole *w) {
  Trial t;
  int64_t lo = 0, hi = 0;
  ExprRef fact = 0;
  if (!open_trial(&t, pool, w->operand, &lo, &hi)) return expr_bool(pool, true);
  Arena *scratch = arena_open();
  int64_t *values = arena_array(scratch, MOST_VALUES, int64_t), count = 0;
  bool is_done = true;
  for (t.value = lo; is_done && t.value <= hi; t.value++)
    is_done = attempt_whole(&t, w, &values[count++]);
  if (is_done) {
    Results r = {&t, as_word(pool, ref, w), values, count, lo};
    if (end_of_piece(values, count, 0) < count - 1) fact = as_period(pool, &r);
    if (!fact) fact = as_pieces(pool, &r);
  }
  arena_close(scratch);
  return fact ? fact : expr_bool(pool, true);
}

// ---- facts
static bool add_exact_comparison(Scan *scan, Goal *goal, const Compared *c) {
  ExprPool *pool = scan->pool;
  Exact a, b;
  if (!exact(pool, c->left, c->bits, DEPTH, &a) || !exact(pool, c->right, c->bits, DEPTH, &b) ||
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

// One side is a constant.
static ExprRef tried_comparison(ExprPool *pool, const Compared *c) {
  Trial t;
  int64_t lo = 0, hi = 0, before = -1, now = 0;
  ExprRef nothing = expr_bool(pool, true);
  if (!open_trial(&t, pool, c->ref, &lo, &hi)) return nothing;
  uint32_t runs = 0;
  for (t.value = lo; t.value <= hi; t.value++) {
    if (!is_true_at(&t, c, &now)) return nothing;
    runs += now != before;
    before = now;
  }
  if (runs > MOST_PIECES) return nothing;
  ExprRef truth = expr_bool(pool, false);
  int64_t from = lo;
  for (t.value = lo; t.value <= hi + 1; t.value++) {
    before = t.value > lo ? now : -1;
    if (t.value > hi || !is_true_at(&t, c, &now) || now != before) {
      if (t.value > lo && before == 1) truth = expr_or(pool, truth, is_in(pool, from, t.leaf, t.value - 1));
      from = t.value;
    }
  }
  return expr_eq(pool, c->ref, truth);
}

// What equals one value is equal.
static void add_common_value(Scan *scan, Goal *goal, const Compared *c, const Compared *d) {
  ExprPool *pool = scan->pool;
  if (c->kind != '=' || d->kind != '=' || c->bits != d->bits) return;
  bool is_left = c->left == d->left || c->left == d->right;
  ExprRef shared = is_left ? c->left : c->right, one = is_left ? c->right : c->left;
  if (d->left != shared && d->right != shared) return;
  Exact a, b;
  if (!exact(pool, one, c->bits, DEPTH, &a) ||
      !exact(pool, d->left == shared ? d->right : d->left, c->bits, DEPTH, &b) || !align_both(pool, &a, &b))
    return;
  ExprRef when = expr_and(pool, expr_and(pool, c->ref, d->ref), expr_and(pool, a.holds, b.holds));
  ExprRef fact = expr_or(pool, expr_not(pool, when), expr_eq(pool, a.number, b.number));
  goal_add(scan, goal, fact, GOAL_FACT, TAG_BOUNDS);
}

// ---- goals
typedef struct FloatFact {
  ExprRef ref, fact;
} FloatFact;

// What is kept of a scan.
typedef struct Kept {
  VEC(FloatFact) tried; // by expression: what trying all values has shown
} Kept;

// What was found out by trying is kept: goals have the same computations again and again.
static void add_tried(Scan *scan, Goal *goal, ExprRef ref, const Whole *w, const Compared *c) {
  Kept *kept = SCAN_STATE_OF(scan, floats_exact, Kept);
  for (uint32_t i = 0; i < kept->tried.count; i++)
    if (kept->tried.items[i].ref == ref) {
      goal_add(scan, goal, kept->tried.items[i].fact, GOAL_FACT, TAG_BOUNDS);
      return;
    }
  if (kept->tried.count == MOST_TRIED) return;
  ExprRef fact = w ? tried_whole(scan->pool, ref, w) : tried_comparison(scan->pool, c);
  vec_push(scan->arena, &kept->tried, (FloatFact){ref, fact});
  goal_add(scan, goal, fact, GOAL_FACT, TAG_BOUNDS);
}

void floats_add_exact(Scan *scan, Goal *goal, const uint8_t *seen, uint32_t count) {
  enum { MOST_COMPARED = 32 };
  Compared compared[MOST_COMPARED];
  uint32_t unknown = 0;
  for (ExprRef ref = 1; ref <= count; ref++) {
    Whole w;
    Compared c;
    if (!seen[ref] || expr_node(scan->pool, ref)->op != EXPR_APP) continue;
    if (read_whole(scan->pool, ref, &w)) {
      if (!add_exact_whole(scan, goal, ref, &w)) add_tried(scan, goal, ref, &w, NULL);
    } else if (read_compared(scan->pool, ref, &c) && !add_exact_comparison(scan, goal, &c)) {
      add_tried(scan, goal, ref, NULL, &c);
      for (uint32_t i = 0; i < unknown; i++)
        add_common_value(scan, goal, &c, &compared[i]);
      if (unknown < MOST_COMPARED) compared[unknown++] = c;
    }
  }
}
