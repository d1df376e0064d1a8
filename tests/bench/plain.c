// How does one write a goal down for Z3 without thinking about it? One let-free definition for each expression,
// in the order in which they are used.
// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/plain.h"

#include <inttypes.h>

typedef struct Plain {
  const ExprPool *pool;
  PlainLogic logic;
  StrBuf *out;
  uint8_t *seen, *func_seen;
} Plain;

static const char *sort_of(const Plain *p, uint8_t width, Arena *arena) {
  if (width == 1) return "Bool";
  return p->logic == PLAIN_INTEGERS ? "Int" : arena_printf(arena, "(_ BitVec %u)", width);
}

static const char *number(const Plain *p, uint8_t width, int64_t value, Arena *arena) {
  if (width == 1) return value ? "true" : "false";
  if (p->logic == PLAIN_WORDS)
    return arena_printf(arena, "(_ bv%" PRIu64 " %u)", expr_unsigned_reading(value, width), width);
  if (value == INT64_MIN) return "(- 9223372036854775808)";
  return arena_printf(arena, value < 0 ? "(- %" PRId64 ")" : "%" PRId64, value < 0 ? -value : value);
}

static void put_range(const Plain *p, const char *name, uint8_t width, int64_t lo, int64_t hi) {
  Arena *a = p->out->arena;
  const char *le = p->logic == PLAIN_INTEGERS ? "<=" : "bvsle";
  if (width == 1) return;
  strbuf_printf(p->out, "(assert (and (%s %s %s) (%s %s %s)))\n", le, number(p, width, lo, a), name, le, name,
                number(p, width, hi, a));
}

static const char *operation(const Plain *p, const ExprNode *n, uint8_t from) {
  bool integers = p->logic == PLAIN_INTEGERS, truth = n->width == 1 && from == 1;
  switch ((ExprOp)n->op) {
  case EXPR_ADD: return integers ? "(+ e%u e%u)" : "(bvadd e%u e%u)";
  case EXPR_SUB: return integers ? "(- e%u e%u)" : "(bvsub e%u e%u)";
  case EXPR_MUL: return integers ? "(* e%u e%u)" : "(bvmul e%u e%u)";
  case EXPR_SDIV: return integers ? "(cdiv e%u e%u)" : "(bvsdiv e%u e%u)";
  case EXPR_SREM: return integers ? "(crem e%u e%u)" : "(bvsrem e%u e%u)";
  case EXPR_UDIV: return integers ? "(div e%u e%u)" : "(bvudiv e%u e%u)";
  case EXPR_UREM: return integers ? "(mod e%u e%u)" : "(bvurem e%u e%u)";
  case EXPR_AND: return truth ? "(and e%u e%u)" : integers ? NULL : "(bvand e%u e%u)";
  case EXPR_OR: return truth ? "(or e%u e%u)" : integers ? NULL : "(bvor e%u e%u)";
  case EXPR_XOR: return truth ? "(xor e%u e%u)" : integers ? NULL : "(bvxor e%u e%u)";
  case EXPR_NOT: return "(not e%u)";
  case EXPR_EQ: return "(= e%u e%u)";
  case EXPR_SLT: return integers ? "(< e%u e%u)" : "(bvslt e%u e%u)";
  case EXPR_SLE: return integers ? "(<= e%u e%u)" : "(bvsle e%u e%u)";
  case EXPR_ULT: return integers ? "(< e%u e%u)" : "(bvult e%u e%u)";
  case EXPR_ULE: return integers ? "(<= e%u e%u)" : "(bvule e%u e%u)";
  case EXPR_SHL: return integers ? NULL : "(bvshl e%u e%u)";
  case EXPR_LSHR: return integers ? NULL : "(bvlshr e%u e%u)";
  case EXPR_ASHR: return integers ? NULL : "(bvashr e%u e%u)";
  case EXPR_ITE: return "(ite e%u e%u e%u)";
  case EXPR_ZEXT:
  case EXPR_SEXT:
  case EXPR_TRUNC:
  case EXPR_CONST:
  case EXPR_SYM:
  case EXPR_APP:
  case EXPR_NONE:
  case EXPR_OP_COUNT: break;
  }
  return NULL;
}

// Shifts and masks by constants as an integer solver's user would write them.
static const char *as_division(const Plain *p, const ExprNode *n, Arena *a) {
  int64_t c;
  if (p->logic == PLAIN_WORDS || !n->b || !expr_is_const(p->pool, n->b, &c) || c < 0) return NULL;
  if (n->op == EXPR_AND && (c & (c + 1)) == 0) return arena_printf(a, "(mod e%u %" PRId64 ")", n->a, c + 1);
  if (c > 62) return NULL;
  if (n->op == EXPR_SHL) return arena_printf(a, "(* e%u %" PRId64 ")", n->a, (int64_t)1 << c);
  if (n->op == EXPR_LSHR || n->op == EXPR_ASHR)
    return arena_printf(a, "(div e%u %" PRId64 ")", n->a, (int64_t)1 << c);
  return NULL;
}

static const char *cast(const Plain *p, const ExprNode *n, uint8_t from, Arena *a) {
  if (from == 1)
    return arena_printf(a, "(ite e%u %s %s)", n->a, number(p, n->width, n->op == EXPR_SEXT ? -1 : 1, a),
                        number(p, n->width, 0, a));
  if (n->width == 1 && p->logic == PLAIN_WORDS) return arena_printf(a, "(= ((_ extract 0 0) e%u) #b1)", n->a);
  if (n->width == 1) return arena_printf(a, "(= (mod e%u 2) 1)", n->a);
  if (p->logic == PLAIN_INTEGERS) return arena_printf(a, "e%u", n->a);
  if (n->op == EXPR_TRUNC) return arena_printf(a, "((_ extract %u 0) e%u)", n->width - 1u, n->a);
  return arena_printf(a, "((_ %s %u) e%u)", n->op == EXPR_ZEXT ? "zero_extend" : "sign_extend",
                      (unsigned)(n->width - from), n->a);
}

static void put_function(Plain *p, ExprRef ref, const ExprNode *n) {
  Arena *a = p->out->arena;
  const ExprFunc *f = expr_func_info(p->pool, (uint32_t)n->value);
  if (!p->func_seen[n->value]) {
    p->func_seen[n->value] = 1;
    strbuf_printf(p->out, "(declare-fun f%u (", (unsigned)n->value);
    for (uint32_t i = 0; i < n->arg_count; i++)
      strbuf_printf(p->out, "%s ", sort_of(p, expr_width(p->pool, n->args[i]), a));
    strbuf_printf(p->out, ") %s)\n", sort_of(p, n->width, a));
  }
  strbuf_printf(p->out, "(define-fun e%u () %s %s", ref, sort_of(p, n->width, a), n->arg_count ? "(" : "");
  strbuf_printf(p->out, "f%u", (unsigned)n->value);
  for (uint32_t i = 0; i < n->arg_count; i++)
    strbuf_printf(p->out, " e%u", n->args[i]);
  strbuf_add(p->out, n->arg_count ? "))\n" : ")\n");
  put_range(p, arena_printf(a, "e%u", ref), n->width, f->lo, f->hi);
}

static void put_symbol(Plain *p, ExprRef ref, const ExprNode *n) {
  const ExprSym *sym = expr_sym_info(p->pool, (uint32_t)n->value);
  strbuf_printf(p->out, "(declare-fun e%u () %s)\n", ref, sort_of(p, n->width, p->out->arena));
  put_range(p, arena_printf(p->out->arena, "e%u", ref), n->width, sym->lo, sym->hi);
}

static void put(Plain *p, ExprRef ref) {
  if (!ref || p->seen[ref]) return;
  p->seen[ref] = 1;
  Arena *a = p->out->arena;
  ExprNode n = *expr_node(p->pool, ref);
  if (n.op != EXPR_SYM && n.op != EXPR_CONST) {
    put(p, n.a);
    put(p, n.b);
    put(p, n.c);
    for (uint32_t i = 0; i < n.arg_count; i++)
      put(p, n.args[i]);
  }
  if (n.op == EXPR_SYM) {
    put_symbol(p, ref, &n);
    return;
  }
  if (n.op == EXPR_APP) {
    put_function(p, ref, &n);
    return;
  }
  uint8_t from = n.a ? expr_width(p->pool, n.a) : 0;
  const char *form = operation(p, &n, from), *text = as_division(p, &n, a);
  bool is_cast = n.op == EXPR_ZEXT || n.op == EXPR_SEXT || n.op == EXPR_TRUNC;
  if (n.op == EXPR_CONST) text = number(p, n.width, n.value, a);
  if (is_cast) text = cast(p, &n, from, a);
  if (!text && form) text = n.c ? arena_printf(a, form, n.a, n.b, n.c) : arena_printf(a, form, n.a, n.b);
  const char *sort = sort_of(p, n.width, a);
  if (text)
    strbuf_printf(p->out, "(define-fun e%u () %s %s)\n", ref, sort, text);
  else
    strbuf_printf(p->out, "(declare-fun e%u () %s)\n", ref, sort);
}

void plain_print(const SolverGoal *goal, PlainLogic logic, StrBuf *out) {
  Arena *a = out->arena;
  Plain p = {.pool = goal->pool, .logic = logic, .out = out};
  p.seen = arena_array(a, expr_count(goal->pool) + 1, uint8_t);
  p.func_seen = arena_array(a, expr_func_count(goal->pool) + 1, uint8_t);
  if (logic == PLAIN_INTEGERS) {
    strbuf_add(out, "(define-fun cdiv ((a Int) (b Int)) Int (ite (>= a 0) (div a b) (- (div (- a) b))))\n");
    strbuf_add(out, "(define-fun crem ((a Int) (b Int)) Int (- a (* b (cdiv a b))))\n");
  }
  for (uint32_t i = 0; i < goal->condition_count; i++) {
    put(&p, goal->conditions[i].condition);
    strbuf_printf(out, "(assert e%u)\n", goal->conditions[i].condition);
  }
  strbuf_add(out, "(check-sat)\n");
}
