// How is a goal written down, to look at it, to keep it as a test, to send it to somebody? As S-expressions:
//
//   (goal NAME [safe|race|dead|undecided])          the expected verdict is for tests
//   (sym NAME WIDTH uniform|thread1|thread2 KIND [LO HI])     KIND: host grid block bid tid iteration memory
//   unknown (func NAME WIDTH memory|unknown [injective] [monotone] [LO HI]) (let NAME EXPR) (fact EXPR [TAG])
//   (context EXPR)  (extent EXPR)  (conflict EXPR)
//
// EXPR is a name, a number (as wide as its neighbour, else 32 bits; N:W gives the width), true, false, or (OP
// EXPR...): the names of core/expr.h, + - * << with suffix nsw, nuw, address joined by dots ("+.nsw"); zext
// sext trunc take the width first; and or + * take any number of operands; = /= > >= >u >=u => not are
// abbreviations; (FUNC EXPR...). Soundness: the printer writes what the reader reads; a test reads back what
// it wrote.
// SPDX-License-Identifier: Apache-2.0
#include "solver/internal.h"
#include "core/bug.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_NESTING = 2000 };

typedef struct Binding {
  const char *name;
  ExprRef expr; // or a function:
  bool is_func;
  uint32_t func;
} Binding;

typedef struct Reader {
  const char *text, *at;
  ExprPool *pool;
  Arena *arena;
  VEC(Binding) names;
  VEC(GoalCondition) conditions;
  GoalText goal;
  const char *error;
  uint32_t fact_count, depth;
} Reader;

// ---- tokens
static void fail(Reader *r, const char *what) {
  uint32_t line = 1;
  for (const char *c = r->text; c < r->at; c++)
    line += *c == '\n';
  if (!r->error) r->error = arena_printf(r->arena, "line %u: %s", line, what);
}

static void skip_space(Reader *r) {
  for (;; r->at++) {
    if (*r->at == ';')
      while (*r->at && *r->at != '\n')
        r->at++;
    if (*r->at != ' ' && *r->at != '\n' && *r->at != '\t' && *r->at != '\r') return;
  }
}

static bool next_is(Reader *r, char c) {
  skip_space(r);
  return *r->at == c;
}

static bool take(Reader *r, char c) {
  if (!next_is(r, c)) return false;
  r->at++;
  return true;
}

static void expect(Reader *r, char c) {
  if (!take(r, c)) fail(r, c == ')' ? "')' expected" : "'(' expected");
}

static const char *word(Reader *r) {
  skip_space(r);
  const char *start = r->at;
  while (*r->at && !strchr(" \t\r\n();", *r->at))
    r->at++;
  if (r->at == start) fail(r, "a word is expected");
  return arena_strndup(r->arena, start, (size_t)(r->at - start));
}

static bool is_number(const char *text) {
  if (*text == '-') text++;
  return *text >= '0' && *text <= '9';
}

static int64_t number(Reader *r) {
  const char *text = word(r);
  if (!is_number(text)) fail(r, "a number is expected");
  return (int64_t)(*text == '-' ? (uint64_t)strtoll(text, NULL, 10) : strtoull(text, NULL, 10));
}

static uint8_t width(Reader *r) {
  int64_t bits = number(r);
  if (bits < 1 || bits > 64) fail(r, "a width from 1 to 64 is expected");
  return r->error ? 32 : (uint8_t)bits;
}

// ---- expressions
typedef struct Operand {
  ExprRef ref;
  bool is_literal; // a number without a width of its own
} Operand;

static Operand expression(Reader *r);

static const Binding *find(const Reader *r, const char *name) {
  for (uint32_t i = r->names.count; i-- > 0;)
    if (strcmp(r->names.items[i].name, name) == 0) return &r->names.items[i];
  return NULL;
}

static Operand leaf(Reader *r) {
  const char *text = word(r);
  if (is_number(text)) {
    char *end;
    int64_t value = (int64_t)(*text == '-' ? (uint64_t)strtoll(text, &end, 10) : strtoull(text, &end, 10));
    long bits = *end == ':' ? strtol(end + 1, NULL, 10) : 32;
    if (bits < 1 || bits > 64) fail(r, "a width from 1 to 64 is expected");
    if (*end != ':' && (value < INT32_MIN || value > UINT32_MAX)) bits = 64;
    return (Operand){expr_const(r->pool, r->error ? 32 : (uint8_t)bits, value), *end != ':'};
  }
  if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
    return (Operand){expr_bool(r->pool, *text == 't'), false};
  const Binding *b = find(r, text);
  if (!b || b->is_func) {
    fail(r, arena_printf(r->arena, "unknown name '%s'", text));
    return (Operand){expr_const(r->pool, 32, 0), true};
  }
  return (Operand){b->expr, false};
}

static void agree(Reader *r, Operand *a, Operand *b) {
  uint8_t wa = expr_width(r->pool, a->ref), wb = expr_width(r->pool, b->ref);
  int64_t value;
  if (wa == wb) return;
  if (b->is_literal && expr_is_const(r->pool, b->ref, &value))
    b->ref = expr_const(r->pool, wa, value);
  else if (a->is_literal && expr_is_const(r->pool, a->ref, &value))
    a->ref = expr_const(r->pool, wb, value);
  else {
    fail(r, "operands of different widths");
    b->ref = expr_const(r->pool, wa, 0);
  }
}

typedef struct TextOp {
  const char *text;
  ExprOp op;
  bool swapped, negated, is_chain;
} TextOp;

static const TextOp text_ops[] = {
    {"+", EXPR_ADD, false, false, true},      {"-", EXPR_SUB, false, false, false},
    {"*", EXPR_MUL, false, false, true},      {"sdiv", EXPR_SDIV, false, false, false},
    {"srem", EXPR_SREM, false, false, false}, {"udiv", EXPR_UDIV, false, false, false},
    {"urem", EXPR_UREM, false, false, false}, {"<<", EXPR_SHL, false, false, false},
    {"lshr", EXPR_LSHR, false, false, false}, {">>", EXPR_ASHR, false, false, false},
    {"&", EXPR_AND, false, false, true},      {"|", EXPR_OR, false, false, true},
    {"and", EXPR_AND, false, false, true},    {"or", EXPR_OR, false, false, true},
    {"^", EXPR_XOR, false, false, true},      {"=", EXPR_EQ, false, false, false},
    {"==", EXPR_EQ, false, false, false},     {"/=", EXPR_EQ, false, true, false},
    {"<", EXPR_SLT, false, false, false},     {"<=", EXPR_SLE, false, false, false},
    {">", EXPR_SLT, true, false, false},      {">=", EXPR_SLE, true, false, false},
    {"<u", EXPR_ULT, false, false, false},    {"<=u", EXPR_ULE, false, false, false},
    {">u", EXPR_ULT, true, false, false},     {">=u", EXPR_ULE, true, false, false},
};

static uint8_t suffix_flags(Reader *r, char *text) {
  uint8_t flags = 0;
  for (char *dot = strchr(text, '.'); dot; dot = strchr(dot + 1, '.')) {
    if (strncmp(dot, ".nsw", 4) == 0)
      flags |= EXPR_NSW;
    else if (strncmp(dot, ".nuw", 4) == 0)
      flags |= EXPR_NUW;
    else if (strncmp(dot, ".address", 8) == 0)
      flags |= EXPR_ADDRESS;
    else
      fail(r, "unknown suffix");
  }
  if (strchr(text, '.')) *strchr(text, '.') = 0;
  return flags;
}

static Operand combine(Reader *r, const TextOp *op, uint8_t flags, Operand a, Operand b) {
  agree(r, &a, &b);
  if (r->error) return a;
  bool is_word = expr_width(r->pool, a.ref) > 1;
  bool is_logic = op->op == EXPR_AND || op->op == EXPR_OR || op->op == EXPR_XOR || op->op == EXPR_EQ;
  if (!is_word && !is_logic) {
    fail(r, "words expected, not truth values");
    return a;
  }
  ExprRef result = op->swapped ? expr_binary(r->pool, op->op, flags, b.ref, a.ref)
                               : expr_binary(r->pool, op->op, flags, a.ref, b.ref);
  return (Operand){op->negated ? expr_not(r->pool, result) : result, false};
}

static Operand binary(Reader *r, const TextOp *op, uint8_t flags) {
  Operand a = expression(r), b = expression(r);
  Operand result = combine(r, op, flags, a, b);
  while (op->is_chain && !r->error && !next_is(r, ')'))
    result = combine(r, op, flags, result, expression(r));
  return result;
}

static Operand cast(Reader *r, ExprOp op) {
  uint8_t to = width(r);
  ExprRef a = expression(r).ref;
  if (r->error) return (Operand){a, false};
  uint8_t from = expr_width(r->pool, a);
  if (op == EXPR_TRUNC ? to >= from : to <= from) {
    fail(r, "a cast to this width does nothing");
    return (Operand){a, false};
  }
  return (Operand){expr_unary(r->pool, op, to, a), false};
}

static ExprRef truth(Reader *r) {
  ExprRef ref = expression(r).ref;
  if (!r->error && expr_width(r->pool, ref) != 1) fail(r, "a truth value is expected");
  return r->error ? expr_bool(r->pool, true) : ref;
}

static Operand application(Reader *r, const Binding *b) {
  VEC(ExprRef) args = {0};
  uint32_t func = b->func;
  while (!r->error && !next_is(r, ')'))
    vec_push(r->arena, &args, expression(r).ref);
  return (Operand){expr_app(r->pool, func, args.count, args.items), false};
}

static Operand operation(Reader *r, char *name) {
  const Binding *b = find(r, name);
  if (b && b->is_func) return application(r, b);
  if (strcmp(name, "not") == 0 || strcmp(name, "!") == 0)
    return (Operand){expr_not(r->pool, truth(r)), false};
  if (strcmp(name, "=>") == 0) {
    ExprRef premise = expr_not(r->pool, truth(r));
    return (Operand){expr_or(r->pool, premise, truth(r)), false};
  }
  if (strcmp(name, "ite") == 0) {
    ExprRef condition = truth(r);
    Operand a = expression(r), c = expression(r);
    agree(r, &a, &c);
    return (Operand){expr_ite(r->pool, condition, a.ref, c.ref), false};
  }
  if (strcmp(name, "zext") == 0) return cast(r, EXPR_ZEXT);
  if (strcmp(name, "sext") == 0) return cast(r, EXPR_SEXT);
  if (strcmp(name, "trunc") == 0) return cast(r, EXPR_TRUNC);
  uint8_t flags = suffix_flags(r, name);
  for (size_t i = 0; i < sizeof text_ops / sizeof *text_ops; i++)
    if (strcmp(text_ops[i].text, name) == 0) return binary(r, &text_ops[i], flags);
  fail(r, arena_printf(r->arena, "unknown operation '%s'", name));
  return (Operand){expr_const(r->pool, 32, 0), true};
}

static Operand expression(Reader *r) {
  Operand result = {expr_const(r->pool, 32, 0), true};
  if (r->error) return result;
  if (!take(r, '(')) return leaf(r);
  if (++r->depth > MAX_NESTING) fail(r, "nested too deeply");
  if (!r->error) result = operation(r, (char *)word(r));
  r->depth--;
  expect(r, ')');
  return result;
}

// ---- lines
static int choose(Reader *r, const char *text, const char *const *choices, int count) {
  for (int i = 0; i < count; i++)
    if (strcmp(text, choices[i]) == 0) return i;
  fail(r, arena_printf(r->arena, "unexpected '%s'", text));
  return 0;
}

static const char *const owner_names[] = {"uniform", "thread1", "thread2"};
static const char *const kind_names[] = {"host", "grid",      "block",  "bid",
                                         "tid",  "iteration", "memory", "unknown"};
static const char *const verdict_names[] = {"undecided", "safe", "race", "dead"};
static const char *const part_names[] = {"fact", "context", "extent", "conflict"};

static void read_sym(Reader *r) {
  ExprSym sym = {.name = word(r)};
  sym.width = width(r);
  sym.owner = (uint8_t)choose(r, word(r), owner_names, 3);
  sym.kind = (uint8_t)choose(r, word(r), kind_names, 8);
  size_t length = strlen(sym.name);
  if (sym.kind >= SYM_GRID_DIM && sym.kind <= SYM_THREAD_IDX && length)
    for (const char *c = sym.name; *c; c++)
      if (*c >= 'x' && *c <= 'z' && (c[1] == 0 || c[1] == '_' || c[1] == '@')) sym.axis = (uint8_t)(*c - 'x');
  if (!next_is(r, ')')) {
    sym.lo = number(r);
    sym.hi = number(r);
  }
  if (!r->error)
    vec_push(r->arena, &r->names, (Binding){.name = sym.name, .expr = expr_new_sym(r->pool, sym)});
}

static void read_func(Reader *r) {
  static const char *const kinds[] = {"memory", "unknown"};
  ExprFunc func = {.name = word(r)};
  func.width = width(r);
  func.kind = choose(r, word(r), kinds, 2) == 0 ? SYM_MEMORY : SYM_UNKNOWN;
  while (!r->error && !next_is(r, ')')) {
    const char *text = word(r);
    if (is_number(text)) {
      func.lo = strtoll(text, NULL, 10);
      func.hi = number(r);
    } else if (strcmp(text, "injective") == 0)
      func.is_injective = true;
    else if (strcmp(text, "monotone") == 0)
      func.is_monotone = true;
    else
      fail(r, "injective, monotone or a range is expected");
  }
  if (!r->error)
    vec_push(r->arena, &r->names,
             (Binding){.name = func.name, .is_func = true, .func = expr_new_func(r->pool, func)});
}

static void read_condition(Reader *r, const char *part) {
  GoalCondition c = {.part = (GoalPart)choose(r, part, part_names, 4)};
  if (r->error) return;
  c.condition = truth(r);
  if (c.part == GOAL_FACT) c.tag = r->fact_count++;
  if (c.part == GOAL_FACT && !next_is(r, ')')) c.tag = (uint32_t)number(r);
  vec_push(r->arena, &r->conditions, c);
}

static void read_line(Reader *r) {
  expect(r, '(');
  if (r->error) return;
  const char *kind = word(r);
  if (strcmp(kind, "goal") == 0) {
    r->goal.goal.name = word(r);
    if (!next_is(r, ')')) r->goal.expected = (Verdict)choose(r, word(r), verdict_names, 4);
  } else if (strcmp(kind, "sym") == 0)
    read_sym(r);
  else if (strcmp(kind, "func") == 0)
    read_func(r);
  else if (strcmp(kind, "let") == 0) {
    const char *name = word(r);
    ExprRef expr = expression(r).ref;
    vec_push(r->arena, &r->names, (Binding){.name = name, .expr = expr});
  } else
    read_condition(r, kind);
  expect(r, ')');
}

GoalText *solver_goal_read(const char *text, ExprPool *pool, Arena *arena, const char **error) {
  ASSERT(text);
  ASSERT(error);
  Reader r = {.text = text, .at = text, .pool = pool, .arena = arena};
  r.goal.goal.name = "goal";
  while (!r.error && (skip_space(&r), *r.at))
    read_line(&r);
  *error = r.error;
  if (r.error) return NULL;
  r.goal.goal.pool = pool;
  r.goal.goal.condition_count = r.conditions.count;
  r.goal.goal.conditions = r.conditions.items;
  return arena_copy(arena, &r.goal, sizeof r.goal);
}

// ---- writing
typedef struct Writer {
  const ExprPool *pool;
  StrBuf *out;
  Arena *arena;
  Map shown; // by ref: 1 = bound by let
  Map uses;  // by ref: how often it occurs
  Map syms, funcs;
} Writer;

// Names may hold blanks or brackets ("idx[]"), and need not be unique: the number makes them so.
static void write_name(Writer *w, const char *name, char mark, uint64_t index) {
  char *text = arena_strdup(w->arena, name);
  for (char *c = text; *c; c++)
    if (strchr(" \t\r\n();|\\", *c)) *c = '_';
  if (is_number(text)) text[0] = '_';
  strbuf_printf(w->out, "%s%c%llu", text, mark, (unsigned long long)index);
}

static void write_range(Writer *w, int64_t lo, int64_t hi) {
  strbuf_printf(w->out, " %lld %lld)\n", (long long)lo, (long long)hi);
}

static void write_sym(Writer *w, uint32_t index) {
  const ExprSym *sym = expr_sym_info(w->pool, index);
  map_set(w->arena, &w->syms, index, 1);
  strbuf_add(w->out, "(sym ");
  write_name(w, sym->name, '@', index);
  strbuf_printf(w->out, " %u %s %s", sym->width, owner_names[sym->owner], kind_names[sym->kind]);
  write_range(w, sym->lo, sym->hi);
}

static void write_func(Writer *w, uint32_t index) {
  const ExprFunc *f = expr_func_info(w->pool, index);
  map_set(w->arena, &w->funcs, index, 1);
  strbuf_add(w->out, "(func ");
  write_name(w, f->name, '$', index);
  strbuf_printf(w->out, " %u %s%s%s", f->width, f->kind == SYM_MEMORY ? "memory" : "unknown",
                f->is_injective ? " injective" : "", f->is_monotone ? " monotone" : "");
  write_range(w, f->lo, f->hi);
}

// Symbols and functions first, and a count of the uses of each node.
static void write_leaves(Writer *w, ExprRef ref) {
  uint32_t uses = map_get(&w->uses, ref);
  map_set(w->arena, &w->uses, ref, uses + 1);
  if (uses) return;
  const ExprNode *n = expr_node(w->pool, ref);
  if (n->op == EXPR_SYM && !map_get(&w->syms, (uint64_t)n->value)) write_sym(w, (uint32_t)n->value);
  if (n->op == EXPR_APP && !map_get(&w->funcs, (uint64_t)n->value)) write_func(w, (uint32_t)n->value);
  if (n->a) write_leaves(w, n->a);
  if (n->b) write_leaves(w, n->b);
  if (n->c) write_leaves(w, n->c);
  for (uint32_t i = 0; i < n->arg_count; i++)
    write_leaves(w, n->args[i]);
}

static const char *op_text(const ExprNode *n) {
  static const char *const names[] = {"?",
#define X(name, text, arity) text,
                                      EXPR_OPS(X)
#undef X
  };
  return names[n->op];
}

static void write_expr(Writer *w, ExprRef ref);

static void write_operation(Writer *w, const ExprNode *n) {
  strbuf_add(w->out, "(");
  if (n->op == EXPR_APP)
    write_name(w, expr_func_info(w->pool, (uint32_t)n->value)->name, '$', (uint64_t)n->value);
  else
    strbuf_add(w->out, op_text(n));
  if (n->flags & EXPR_NSW) strbuf_add(w->out, ".nsw");
  if (n->flags & EXPR_NUW) strbuf_add(w->out, ".nuw");
  if (n->flags & EXPR_ADDRESS) strbuf_add(w->out, ".address");
  if (n->op == EXPR_ZEXT || n->op == EXPR_SEXT || n->op == EXPR_TRUNC) strbuf_printf(w->out, " %u", n->width);
  ExprRef operands[3] = {n->a, n->b, n->c};
  for (int i = 0; i < 3; i++) {
    if (!operands[i]) continue;
    strbuf_add(w->out, " ");
    write_expr(w, operands[i]);
  }
  for (uint32_t i = 0; i < n->arg_count; i++) {
    strbuf_add(w->out, " ");
    write_expr(w, n->args[i]);
  }
  strbuf_add(w->out, ")");
}

static void write_expr(Writer *w, ExprRef ref) {
  const ExprNode *n = expr_node(w->pool, ref);
  if (map_get(&w->shown, ref))
    strbuf_printf(w->out, "e%u", ref);
  else if (n->op == EXPR_SYM)
    write_name(w, expr_sym_info(w->pool, (uint32_t)n->value)->name, '@', (uint64_t)n->value);
  else if (n->op == EXPR_CONST && n->width == 1)
    strbuf_add(w->out, n->value ? "true" : "false");
  else if (n->op == EXPR_CONST)
    strbuf_printf(w->out, "%lld:%u", (long long)n->value, n->width);
  else
    write_operation(w, n);
}

// What is used more than once gets a name, operands before their users.
static void write_lets(Writer *w, ExprRef ref, Map *seen) {
  if (map_get(seen, ref)) return;
  map_set(w->arena, seen, ref, 1);
  const ExprNode *n = expr_node(w->pool, ref);
  if (n->a) write_lets(w, n->a, seen);
  if (n->b) write_lets(w, n->b, seen);
  if (n->c) write_lets(w, n->c, seen);
  for (uint32_t i = 0; i < n->arg_count; i++)
    write_lets(w, n->args[i], seen);
  bool is_leaf = n->op == EXPR_SYM || n->op == EXPR_CONST;
  if (is_leaf || map_get(&w->uses, ref) < 2) return;
  strbuf_printf(w->out, "(let e%u ", ref);
  write_expr(w, ref);
  strbuf_add(w->out, ")\n");
  map_set(w->arena, &w->shown, ref, 1);
}

void solver_goal_print(const SolverGoal *goal, Verdict expected, StrBuf *out) {
  ASSERT(out);
  Writer w = {.pool = goal->pool, .out = out, .arena = arena_open()};
  Map seen = {0};
  strbuf_add(out, "(goal ");
  write_name(&w, goal->name ? goal->name : "goal", '@', 0);
  strbuf_printf(out, " %s)\n", verdict_names[expected]);
  for (uint32_t i = 0; i < goal->condition_count; i++)
    write_leaves(&w, goal->conditions[i].condition);
  for (uint32_t i = 0; i < goal->condition_count; i++)
    write_lets(&w, goal->conditions[i].condition, &seen);
  for (uint32_t i = 0; i < goal->condition_count; i++) {
    const GoalCondition *c = &goal->conditions[i];
    strbuf_printf(out, "(%s ", part_names[c->part]);
    write_expr(&w, c->condition);
    if (c->part == GOAL_FACT) strbuf_printf(out, " %u", c->tag);
    strbuf_add(out, ")\n");
  }
  arena_close(w.arena);
}
