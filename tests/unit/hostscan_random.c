// Does what the host scan says of a launch hold when the launch happens? Random host programs (variables
// in memory, loops with counters, swaps and doublings, branches, early returns, arrays, calls) are run,
// and at each launch the arguments, dimensions and facts of its context are evaluated: parameters have
// their values, iteration numbers are those of the run, everything else is unknown and leaves an
// expression without a value.
// SPDX-License-Identifier: Apache-2.0
#include "core/cfg.h"
#include "core/symeval.h"
#include "hostscan/hostscan.h"
#include "tests/unit/check.h"

#include <stdlib.h>

enum { VARIABLES = 4, LOOPS = 64, PROGRAMS = 1200, RUNS = 6, FUEL = 4000, MEMORY = 1 << 16 };

// ---- programs
typedef struct Writer {
  Arena *arena;
  uint64_t seed;
  StrBuf head, text; // places and functions
  uint32_t names, lines, loops, budget, helpers;
  const char *block;       // the open block
  const char *counters[4]; // of the loops around
  uint32_t depth;
  bool in_helper;
} Writer;

static uint32_t roll(Writer *w, uint32_t sides) {
  w->seed = w->seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(w->seed >> 33) % sides;
}

static const char *fresh(Writer *w, const char *stem) {
  return arena_printf(w->arena, "%s%u", stem, w->names++);
}

// Every place is a line of its own.
static uint32_t place(Writer *w) {
  uint32_t line = ++w->lines;
  strbuf_printf(&w->head, "loc @%u \"p.cu\":%u:1 in \"f\"\n", line, line);
  return line;
}

static void open_block(Writer *w, const char *name) {
  strbuf_printf(&w->text, "^%s:\n", name);
  w->block = name;
}

static const char *emit(Writer *w, const char *operation) {
  const char *name = fresh(w, "t");
  strbuf_printf(&w->text, "  %%%s = %s\n", name, operation);
  return arena_printf(w->arena, "%%%s", name);
}

static const char *load(Writer *w, uint32_t variable) {
  return emit(w, arena_printf(w->arena, "load i32 %%v%u", variable));
}

static void store(Writer *w, uint32_t variable, const char *value) {
  strbuf_printf(&w->text, "  store i32 %%v%u, %s\n", variable, value);
}

static const char *operand(Writer *w) {
  uint32_t kind = roll(w, 8);
  if (kind < 3) return arena_printf(w->arena, "%d", (int)roll(w, 20) - 4);
  if (kind == 3 && w->depth) return w->counters[roll(w, w->depth)];
  if (kind == 4) return arena_printf(w->arena, "%%p%u", roll(w, 2));
  return load(w, roll(w, VARIABLES));
}

static const char *computed(Writer *w) {
  static const char *const ops[] = {"add", "sub", "mul", "and", "or", "xor", "add nsw", "sub nsw"};
  static const char *const by_constant[] = {"sdiv", "srem", "udiv", "urem"};
  if (roll(w, 3) == 0) {
    const char *value = operand(w);
    return emit(w, arena_printf(w->arena, "%s i32 %s, %u", by_constant[roll(w, 4)], value, 1 + roll(w, 5)));
  }
  const char *a = operand(w), *b = operand(w);
  if (roll(w, 6) == 0) {
    const char *wide = emit(w, arena_printf(w->arena, "%s i64 %s", roll(w, 2) ? "sext" : "zext", load(w, 0)));
    wide = emit(w, arena_printf(w->arena, "lshr i64 %s, %u:i64", wide, roll(w, 40)));
    a = emit(w, arena_printf(w->arena, "trunc i32 %s", wide));
  }
  return emit(w, arena_printf(w->arena, "%s i32 %s, %s", ops[roll(w, 8)], a, b));
}

static const char *compared(Writer *w) {
  static const char *const preds[] = {"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "uge"};
  const char *a = load(w, roll(w, VARIABLES)), *b = operand(w);
  return emit(w, arena_printf(w->arena, "icmp %s i32 %s, %s", preds[roll(w, 8)], a, b));
}

static void branch(Writer *w, const char *condition, const char *then, const char *other, uint32_t at) {
  strbuf_printf(&w->text, "  condbr %s, ^%s, ^%s @%u\n", condition, then, other, at);
}

static void jump(Writer *w, const char *to) {
  strbuf_printf(&w->text, "  br ^%s\n", to);
}

static void statements(Writer *w, uint32_t count);

static void write_if(Writer *w) {
  const char *then = fresh(w, "then"), *other = fresh(w, "else"), *end = fresh(w, "end");
  bool has_else = roll(w, 2) == 0;
  branch(w, compared(w), then, has_else ? other : end, place(w));
  open_block(w, then);
  statements(w, 2);
  uint32_t leaves = roll(w, 5);
  if (leaves == 0)
    strbuf_add(&w->text, w->in_helper ? "  br ^leave\n" : "  ret\n");
  else if (leaves == 1)
    strbuf_add(&w->text, "  call void abort()\n  unreachable\n");
  else
    jump(w, end);
  if (has_else) {
    open_block(w, other);
    statements(w, 2);
    jump(w, end);
  }
  open_block(w, end);
}

static void write_switch(Writer *w) {
  const char *a = fresh(w, "case"), *b = fresh(w, "case"), *end = fresh(w, "end");
  strbuf_printf(&w->text, "  switch i32 %s, ^%s, 1 ^%s, 2 ^%s, 3 ^%s @%u\n", load(w, roll(w, VARIABLES)), end,
                a, b, a, place(w));
  open_block(w, a);
  statements(w, 1);
  jump(w, roll(w, 2) ? b : end);
  open_block(w, b);
  statements(w, 1);
  jump(w, end);
  open_block(w, end);
}

typedef struct Carried { // a phi beside the counter
  const char *name, *start, *next;
} Carried;

// next values of two carried phis: swaps, toggles, sums, doublings, halvings, what the body computed
static void choose_next(Writer *w, Carried *x, Carried *y, const char *counter) {
  switch (roll(w, 9)) {
  case 0:
    x->next = y->name;
    y->next = x->name;
    return;
  case 1: x->next = emit(w, arena_printf(w->arena, "sub i32 1, %s", x->name)); break;
  case 2: x->next = emit(w, arena_printf(w->arena, "xor i32 %s, %u", x->name, roll(w, 8))); break;
  case 3: x->next = emit(w, arena_printf(w->arena, "add i32 %s, %u", x->name, roll(w, 9))); break;
  case 4:
    x->next =
        emit(w, arena_printf(w->arena, "srem i32 %s, %u",
                             emit(w, arena_printf(w->arena, "add i32 %s, 1", x->name)), 2 + roll(w, 12)));
    break;
  case 5: x->next = counter; break;
  case 6: x->next = load(w, roll(w, VARIABLES)); break;
  case 7: x->next = emit(w, arena_printf(w->arena, "sub i32 %s, %s", x->name, load(w, 1))); break;
  default: x->next = x->name; break;
  }
  y->next = roll(w, 2) ? y->name : x->name;
}

static const char *counter_step(Writer *w, const char *counter, uint32_t shape) {
  if (shape == 0) return emit(w, arena_printf(w->arena, "mul nsw i32 %s, 2", counter));
  if (shape == 1) return emit(w, arena_printf(w->arena, "sdiv i32 %s, 2", counter));
  if (shape == 2) return emit(w, arena_printf(w->arena, "ashr i32 %s, 1", counter));
  if (shape == 3) return emit(w, arena_printf(w->arena, "sub nsw i32 %s, %u", counter, 1 + roll(w, 3)));
  return emit(w,
              arena_printf(w->arena, "add %si32 %s, %u", roll(w, 2) ? "nsw " : "", counter, 1 + roll(w, 3)));
}

static void write_loop(Writer *w) {
  const char *head = fresh(w, "head"), *body = fresh(w, "body"), *latch = fresh(w, "latch"),
             *end = fresh(w, "end");
  const char *before = w->block, *counter = arena_printf(w->arena, "%%%s", fresh(w, "i"));
  uint32_t shape = roll(w, 9), at = place(w);
  const char *start = shape == 0 ? "1" : roll(w, 2) ? arena_printf(w->arena, "%u", roll(w, 40)) : load(w, 2);
  const char *bound = shape >= 1 && shape <= 3 ? "0" : operand(w);
  Carried x = {arena_printf(w->arena, "%%%s", fresh(w, "x")), operand(w), NULL};
  Carried y = {arena_printf(w->arena, "%%%s", fresh(w, "y")), operand(w), NULL};
  const char *next_counter = fresh(w, "next"), *next_x = fresh(w, "next"), *next_y = fresh(w, "next");
  jump(w, head);
  open_block(w, head);
  strbuf_printf(&w->text, "  %s = phi i32 [%s, ^%s], [%%%s, ^%s] @%u\n", counter, start, before, next_counter,
                latch, at);
  strbuf_printf(&w->text, "  %s = phi i32 [%s, ^%s], [%%%s, ^%s] @%u\n", x.name, x.start, before, next_x,
                latch, at);
  strbuf_printf(&w->text, "  %s = phi i32 [%s, ^%s], [%%%s, ^%s] @%u\n", y.name, y.start, before, next_y,
                latch, at);
  const char *goes_on = emit(w, arena_printf(w->arena, "icmp %s i32 %s, %s",
                                             shape >= 1 && shape <= 3 ? "sgt" : "slt", counter, bound));
  branch(w, goes_on, body, end, at);
  open_block(w, body);
  w->counters[w->depth++] = roll(w, 3) ? counter : x.name;
  statements(w, 3);
  if (roll(w, 3) == 0) store(w, roll(w, VARIABLES), y.name);
  if (roll(w, 4) == 0) {
    const char *more = fresh(w, "more");
    branch(w, compared(w), end, more, place(w));
    open_block(w, more);
  }
  w->depth--;
  choose_next(w, &x, &y, counter);
  const char *stepped = counter_step(w, counter, shape);
  jump(w, latch);
  open_block(w, latch);
  strbuf_printf(&w->text, "  %%%s = bitcast i32 %s\n  %%%s = bitcast i32 %s\n  %%%s = bitcast i32 %s\n",
                next_counter, stepped, next_x, x.next, next_y, y.next);
  jump(w, head);
  open_block(w, end);
  if (roll(w, 3) == 0) store(w, roll(w, VARIABLES), roll(w, 2) ? counter : x.name);
}

static void write_array(Writer *w) {
  const char *value = load(w, roll(w, VARIABLES));
  const char *index = roll(w, 2) ? arena_printf(w->arena, "%u", roll(w, 4))
                                 : emit(w, arena_printf(w->arena, "and i32 %s, 3", operand(w)));
  const char *wide = emit(w, arena_printf(w->arena, "sext i64 %s", index));
  const char *bytes = emit(w, arena_printf(w->arena, "mul nsw address i64 %s, 4:i64", wide));
  const char *cell = emit(w, arena_printf(w->arena, "ptradd address ptr %%array, %s", bytes));
  if (roll(w, 2))
    strbuf_printf(&w->text, "  store i32 %s, %s\n", cell, value);
  else
    store(w, roll(w, VARIABLES), emit(w, arena_printf(w->arena, "load i32 %s", cell)));
}

// Pointers in variables, to variables and into the array; words over two elements; copies of parts.
static void write_pointer(Writer *w) {
  uint32_t q = roll(w, 2);
  const char *pointer = emit(w, arena_printf(w->arena, "load ptr %%q%u", q));
  switch (roll(w, 9)) {
  case 0:
  case 1: {
    const char *cell = emit(w, arena_printf(w->arena, "ptradd address ptr %%array, %u:i64", 4 * roll(w, 3)));
    strbuf_printf(&w->text, "  store ptr %%q%u, %s\n", q, cell);
    break;
  }
  case 2: strbuf_printf(&w->text, "  store ptr %%q%u, %%v%u\n", q, roll(w, 2)); break;
  case 3: {
    const char *other = emit(w, arena_printf(w->arena, "load ptr %%q%u", 1 - q));
    strbuf_printf(&w->text, "  store ptr %%q%u, %s\n  store ptr %%q%u, %s\n", q, other, 1 - q, pointer);
    break;
  }
  case 4: strbuf_printf(&w->text, "  store i32 %s, %s\n", pointer, operand(w)); break;
  case 5: store(w, roll(w, VARIABLES), emit(w, arena_printf(w->arena, "load i32 %s", pointer))); break;
  case 6: {
    const char *at = emit(w, arena_printf(w->arena, "ptradd address ptr %%array, %u:i64", 4 * roll(w, 3)));
    const char *wide = emit(w, arena_printf(w->arena, "sext i64 %s", load(w, roll(w, VARIABLES))));
    wide = emit(w, arena_printf(w->arena, "mul i64 %s, 4294967299:i64", wide));
    strbuf_printf(&w->text, "  store i64 %s, %s\n", at, wide);
    break;
  }
  case 7: {
    const char *at = emit(w, arena_printf(w->arena, "ptradd address ptr %%array, %u:i64", 4 * roll(w, 3)));
    const char *wide = emit(w, arena_printf(w->arena, "load i64 %s", at));
    wide = emit(w, arena_printf(w->arena, "lshr i64 %s, %u:i64", wide, 8 * roll(w, 5)));
    store(w, roll(w, VARIABLES), emit(w, arena_printf(w->arena, "trunc i32 %s", wide)));
    break;
  }
  default: {
    const char *at = emit(w, arena_printf(w->arena, "ptradd address ptr %%array, %u:i64", 8 * roll(w, 2)));
    strbuf_printf(&w->text, "  memcpy %s, %%copy, 8\n  memcpy %%copy, %%array, %u\n", at, 4 + 4 * roll(w, 3));
    break;
  }
  }
}

static void write_launch(Writer *w) {
  const char *go = fresh(w, "go"), *end = fresh(w, "end");
  const char *size = emit(w, arena_printf(w->arena, "zext i64 %s", load(w, roll(w, VARIABLES))));
  size = emit(w, arena_printf(w->arena, "or i64 %s, 12884901888:i64", size)); // y is 3
  const char *failed = emit(w, arena_printf(w->arena,
                                            "call i32 __cudaPushCallConfiguration(%s, 1, 4294967304:i64, 1, "
                                            "0:i64, null:ptr)",
                                            size));
  failed = emit(w, arena_printf(w->arena, "icmp ne i32 %s, 0", failed));
  branch(w, failed, end, go, place(w));
  open_block(w, go);
  const char *values[VARIABLES];
  for (uint32_t i = 0; i < VARIABLES; i++)
    values[i] = load(w, i);
  const char *extra = w->depth ? w->counters[w->depth - 1] : "7";
  strbuf_printf(&w->text, "  call void __device_stub__kern(%s, %s, %s, %s, %s) @%u\n", values[0], values[1],
                values[2], values[3], extra, place(w));
  jump(w, end);
  open_block(w, end);
}

static void write_call(Writer *w) {
  if (roll(w, 2) || w->in_helper || w->helpers >= 3) {
    strbuf_printf(&w->text, "  call void mystery(%%v%u)\n", 2 + roll(w, 2));
    return;
  }
  strbuf_printf(&w->text,
                "  call void helper%u(%%p0, %s, %%v0, %%v1, %%v2, %%v3, %%array, %%q0, %%q1, %%copy) @%u\n",
                w->helpers++, operand(w), place(w));
}

static void statements(Writer *w, uint32_t count) {
  for (uint32_t i = 0; i < count && w->budget; i++) {
    w->budget--;
    switch (roll(w, 15)) {
    case 12:
    case 13:
    case 14: write_pointer(w); break;
    case 0: write_if(w); break;
    case 1: write_switch(w); break;
    case 2:
    case 3:
      if (w->depth < 3) write_loop(w);
      break;
    case 4: write_array(w); break;
    case 5:
    case 6: write_launch(w); break;
    case 7: write_call(w); break;
    case 8: {
      uint32_t a = roll(w, VARIABLES), b = roll(w, VARIABLES);
      const char *x = load(w, a), *y = load(w, b);
      store(w, a, y);
      store(w, b, x);
      break;
    }
    default: store(w, roll(w, VARIABLES), computed(w)); break;
    }
  }
}

static void write_helper(Writer *w, uint32_t index) {
  w->in_helper = true;
  w->budget = 6;
  w->depth = 0;
  strbuf_printf(&w->text,
                "\nfunc void &helper%u(i32 %%p0, i32 %%p1, ptr %%v0, ptr %%v1, ptr %%v2, ptr %%v3, ptr "
                "%%array, ptr %%q0, ptr %%q1, ptr %%copy) {\n",
                index);
  open_block(w, "entry");
  statements(w, 3);
  strbuf_add(&w->text, "  br ^leave\n^leave:\n  ret\n}\n");
}

static const char *write_program(Arena *arena, uint64_t seed) {
  Writer w = {.arena = arena, .seed = seed, .head = {.arena = arena}, .text = {.arena = arena}, .budget = 16};
  strbuf_add(&w.text, "\nfunc void &run(i32 %p0, i32 %p1) external {\n");
  open_block(&w, "entry");
  for (uint32_t i = 0; i < VARIABLES; i++)
    strbuf_printf(&w.text, "  %%v%u = alloca ptr size 4\n", i);
  strbuf_add(&w.text, "  %array = alloca ptr size 16\n  memset %array, 0:i8, 16\n  %q0 = alloca ptr size 8\n"
                      "  %q1 = alloca ptr size 8\n  %copy = alloca ptr size 16\n  memset %copy, 1:i8, 16\n"
                      "  store ptr %q0, %v0\n  store ptr %q1, %array\n");
  store(&w, 0, "%p0");
  store(&w, 1, "%p1");
  store(&w, 2, "5");
  store(&w, 3, "%p0");
  statements(&w, 6);
  write_launch(&w);
  strbuf_add(&w.text, "  ret\n}\n");
  for (uint32_t i = 0; i < w.helpers; i++)
    write_helper(&w, i);
  strbuf_add(&w.text,
             "\nfunc void &__device_stub__kern(i32 %a, i32 %b, i32 %c, i32 %d, i32 %e) external declare\n"
             "\nfunc void &mystery(ptr %p) external declare\n"
             "\nfunc void &abort() external declare\n"
             "\nfunc i32 &__cudaPushCallConfiguration(i64 %a, i32 %b, i64 %c, i32 %d, i64 %e, ptr %f) "
             "external declare\n");
  return arena_printf(arena, "module host \"p.cu\"\n\n%s%s", strbuf_text(&w.head), strbuf_text(&w.text));
}

// ---- running
typedef struct Machine {
  const IrModule *module;
  const HostScanResult *result;
  Arena *arena;
  const char *text;
  int64_t inputs[2];
  uint8_t memory[MEMORY];
  uint32_t top, fuel;
  int64_t counts[4096]; // by line of the header: times round
  uint64_t noise;
  bool stopped;
} Machine;

static uint32_t evaluated, launches_seen, unknown_values;

static int64_t value_of(const IrFunction *f, const int64_t *values, const int64_t *params, IrRef ref) {
  if (ir_ref_kind(ref) == IR_REF_INST) return values[ir_ref_index(ref)];
  if (ir_ref_kind(ref) == IR_REF_PARAM) return params[ir_ref_index(ref)];
  if (ir_ref_kind(ref) == IR_REF_CONST) return f->consts.items[ir_ref_index(ref)].bits;
  return 0;
}

static bool evaluate(const ExprPool *pool, ExprRef ref, const ExprEnv *env, int64_t *value) {
  ExprEvalResult result = expr_eval(pool, ref, env, value);
  if (result == EXPR_EVAL_OK) evaluated++;
  if (result == EXPR_EVAL_UNKNOWN) unknown_values++;
  return result == EXPR_EVAL_OK;
}

// Symbols without a value are cut off by putting those with one first.
typedef struct Known {
  int64_t *values;
  bool *has;
} Known;

static ExprRef with_values(const Machine *m, ExprPool *pool, const Known *known, ExprRef ref) {
  ExprRef *map = arena_array(m->arena, expr_sym_count(pool) + 1u, ExprRef);
  for (uint32_t i = 0; i < expr_sym_count(pool); i++)
    if (known->has[i]) map[i] = expr_const(pool, expr_sym_info(pool, i)->width, known->values[i]);
  return expr_substitute(pool, ref, map, expr_sym_count(pool));
}

static Known known_values(const Machine *m, const ExprPool *pool) {
  uint32_t count = expr_sym_count(pool);
  Known known = {arena_array(m->arena, count + 1u, int64_t), arena_array(m->arena, count + 1u, bool)};
  for (uint32_t i = 0; i < count; i++) {
    const ExprSym *sym = expr_sym_info(pool, i);
    if (sym->kind == SYM_ITERATION && sym->loc.line) {
      known.values[i] = m->counts[sym->loc.line];
      CHECK(sym->lo <= known.values[i] && known.values[i] <= sym->hi);
      known.has[i] = true;
    } else if (strcmp(sym->name, "p0") == 0 || strcmp(sym->name, "p1") == 0) {
      known.values[i] = m->inputs[sym->name[1] - '0'];
      known.has[i] = sym->loc.line == 0;
    }
  }
  return known;
}

static void complain(const Machine *m, const LaunchContext *launch, const char *what, ExprRef ref) {
  StrBuf out = {.arena = m->arena};
  hostscan_print(m->result->pool, launch, &out);
  strbuf_printf(&out, "inputs %lld %lld: %s: ", (long long)m->inputs[0], (long long)m->inputs[1], what);
  expr_print(m->result->pool, ref, false, &out);
  fprintf(stderr, "%s\n%s\n", m->text, strbuf_text(&out));
}

static void check_word(Machine *m, const LaunchContext *launch, const Known *known, ExprRef ref,
                       int64_t want) {
  ExprPool *pool = m->result->pool;
  ExprEnv env = {0};
  int64_t got = 0;
  if (!ref || !evaluate(pool, with_values(m, pool, known, ref), &env, &got)) return;
  if (!CHECK(got == expr_signed_reading(want, expr_width(pool, ref)))) complain(m, launch, "value", ref);
}

static void check_facts(Machine *m, const LaunchContext *launch, const Known *known) {
  ExprPool *pool = m->result->pool;
  ExprEnv env = {0};
  for (uint32_t i = 0; i < launch->facts.count; i++) {
    const Fact *fact = &launch->facts.items[i];
    int64_t holds = 1;
    if (fact->class == FACT_HARDWARE || fact->class == FACT_LAUNCH || fact->class == FACT_ALLOCATION)
      continue; // the run does not ask the driver, and what it launches is no number of elements (A6)
    if (!evaluate(pool, with_values(m, pool, known, fact->condition), &env, &holds)) continue;
    if (!CHECK(holds)) complain(m, launch, "fact", fact->condition);
  }
}

static void check_launch(Machine *m, uint32_t line, int64_t grid, const int64_t *args) {
  Known known = known_values(m, m->result->pool);
  uint32_t found = 0;
  for (uint32_t i = 0; i < m->result->launches.count; i++) {
    const LaunchContext *launch = m->result->launches.items[i];
    if (launch->loc.line != line) continue;
    found++;
    check_word(m, launch, &known, launch->grid[0], grid);
    check_word(m, launch, &known, launch->grid[1], 3);
    for (uint32_t a = 0; a < launch->args.count && a < 5; a++)
      check_word(m, launch, &known, launch->args.items[a].pieces.items[0].word, args[a]);
    check_facts(m, launch, &known);
  }
  CHECK(found == 1);
  launches_seen++;
}

static int64_t run_function(Machine *m, const IrFunction *f, const int64_t *params);

static void run_call(Machine *m, const IrFunction *f, const IrInst *inst, const int64_t *values,
                     const int64_t *params, int64_t *grid) {
  int64_t args[12] = {0};
  for (uint32_t i = 0; i < inst->op_count && i < 12; i++)
    args[i] = value_of(f, values, params, inst->ops[i]);
  if (strcmp(inst->name, "__cudaPushCallConfiguration") == 0) *grid = expr_signed_reading(args[0], 32);
  if (strcmp(inst->name, "__device_stub__kern") == 0)
    check_launch(m, ir_loc(m->module, inst->loc)->line, *grid, args);
  if (strcmp(inst->name, "mystery") == 0) {
    int32_t noise = (int32_t)((m->noise = m->noise * 25214903917u + 11) >> 20) % 50;
    memcpy(&m->memory[args[0]], &noise, 4);
  }
  const IrFunction *callee = ir_find_function(m->module, inst->name);
  if (callee && !callee->is_declaration) run_function(m, callee, args);
}

static bool is_undefined(const IrInst *inst, int64_t a, int64_t b) {
  if (!(inst->flags & IR_FLAG_NSW) || inst->type.bits != 32) return false;
  int64_t exact = inst->op == IR_ADD ? a + b : inst->op == IR_SUB ? a - b : a * b;
  return exact != (int32_t)exact;
}

static int64_t run_inst(Machine *m, const IrFunction *f, const IrInst *inst, const int64_t *values,
                        const int64_t *params) {
  int64_t ops[3] = {0};
  ExprRef refs[3];
  ExprPool *scratch = expr_pool_make(m->arena);
  for (uint32_t i = 0; i < inst->op_count && i < 3; i++) {
    ops[i] = value_of(f, values, params, inst->ops[i]);
    uint8_t width = symeval_width(ir_ref_type(m->module, f, inst->ops[i]));
    refs[i] = expr_const(scratch, width ? width : 64, ops[i]);
  }
  if (is_undefined(inst, ops[0], ops[1])) m->stopped = true;
  switch ((int)inst->op) {
  case IR_ALLOCA: m->top += 32; return (int64_t)m->top - 32;
  case IR_PTRADD: return ops[0] + ops[1];
  case IR_BITCAST: return ops[0];
  case IR_LOAD: {
    int64_t word = 0;
    memcpy(&word, &m->memory[ops[0]], inst->type.bytes);
    return inst->type.bytes == 4 ? (int32_t)word : word;
  }
  case IR_STORE: memcpy(&m->memory[ops[0]], &ops[1], ir_ref_type(m->module, f, inst->ops[1]).bytes); return 0;
  case IR_MEMCPY: memmove(&m->memory[ops[0]], &m->memory[ops[1]], (size_t)ops[2]); return 0;
  case IR_MEMSET: memset(&m->memory[ops[0]], (int)ops[1], (size_t)ops[2]); return 0;
  default: {
    int64_t value = 0;
    ExprRef result = symeval_inst(scratch, m->module, f, inst, refs);
    if (!result || !expr_is_const(scratch, result, &value)) m->stopped = true;
    return value;
  }
  }
}

static uint32_t next_block(const IrFunction *f, const IrInst *last, const int64_t *values,
                           const int64_t *params) {
  int64_t value = last->op_count ? value_of(f, values, params, last->ops[0]) : 0;
  if (last->op == IR_CONDBR) return last->blocks[value ? 0 : 1];
  for (uint32_t i = 1; last->op == IR_SWITCH && i < last->block_count; i++)
    if (last->case_values[i - 1] == value) return last->blocks[i];
  return last->blocks[0];
}

static void note_edge(Machine *m, const IrFunction *f, const Cfg *cfg, uint32_t from, uint32_t to) {
  uint32_t loop = cfg->loop_of[to];
  if (loop == CFG_NONE || cfg->loops.items[loop].header != to) return;
  int64_t *count = &m->counts[ir_loc(m->module, ir_terminator(f, to)->loc)->line];
  *count = cfg_loop_contains(cfg, loop, from) ? *count + 1 : 0;
}

static void run_phis(const IrFunction *f, uint32_t block, uint32_t from, int64_t *values,
                     const int64_t *params) {
  int64_t fresh_values[8] = {0};
  uint32_t first = f->blocks.items[block].first, count = 0;
  for (; f->insts.items[first + count].op == IR_PHI; count++)
    for (uint32_t i = 0; i < f->insts.items[first + count].op_count; i++)
      if (f->insts.items[first + count].blocks[i] == from)
        fresh_values[count] = value_of(f, values, params, f->insts.items[first + count].ops[i]);
  memcpy(&values[first], fresh_values, count * sizeof *values);
}

static int64_t run_function(Machine *m, const IrFunction *f, const int64_t *params) {
  int64_t *values = arena_array(m->arena, f->insts.count + 1u, int64_t), grid = 0;
  const Cfg *cfg = cfg_make(f, m->arena);
  for (uint32_t block = 0; !m->stopped;) {
    const IrBlock *b = &f->blocks.items[block];
    for (uint32_t i = b->first; i + 1 < b->first + b->count && !m->stopped; i++) {
      const IrInst *inst = &f->insts.items[i];
      if (inst->op == IR_PHI) continue;
      if (inst->op == IR_CALL)
        run_call(m, f, inst, values, params, &grid);
      else
        values[i] = run_inst(m, f, inst, values, params);
      if (m->fuel-- == 0) m->stopped = true;
    }
    const IrInst *last = ir_terminator(f, block);
    if (last->op == IR_RET) return 0;
    if (last->op == IR_UNREACHABLE) m->stopped = true;
    if (m->stopped) return 0;
    uint32_t next = next_block(f, last, values, params);
    note_edge(m, f, cfg, block, next);
    run_phis(f, next, block, values, params);
    block = next;
  }
  return 0;
}

static void test_text(Arena *arena, const char *text, uint64_t seed) {
  StrTable *strings = str_table_make(arena);
  DiagSink *sink = diag_sink_make(arena);
  const IrModule *module = ir_read(arena, strings, "p.ir", text, sink);
  if (!CHECK(module && ir_verify(module, sink))) {
    fprintf(stderr, "%s\n%u: %s\n", text, sink->diags.items[0].loc.line, sink->diags.items[0].message);
    exit(1);
  }
  HostScanOptions options = {0};
  HostScanResult *result = hostscan_run(module, 0, NULL, &options, arena, sink);
  Machine *machine = arena_new(arena, Machine);
  for (uint32_t run = 0; run < RUNS; run++) {
    ArenaMark mark = arena_mark(arena);
    *machine =
        (Machine){.module = module, .result = result, .arena = arena, .text = text, .fuel = FUEL, .top = 64};
    machine->noise = seed + run;
    machine->inputs[0] = (int64_t)((seed >> 7) * (run + 3) % 37) - 5;
    machine->inputs[1] = (int64_t)((seed >> 11) * (run + 1) % 21) - 3;
    ExprPool *pool = expr_pool_clone(result->pool, arena); // so that runs do not meet each other's constants
    HostScanResult view = {.pool = pool};
    view.launches.items = result->launches.items;
    view.launches.count = result->launches.count;
    machine->result = &view;
    run_function(machine, ir_find_function(module, "run"), machine->inputs);
    arena_release(arena, mark);
  }
}

static void test_program(uint64_t seed) {
  Arena *arena = arena_open();
  test_text(arena, write_program(arena, seed), seed);
  arena_close(arena);
}

// With arguments: the first program and their number, to look further or at one again.
int main(int argc, char **argv) {
  uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : argc > 1 ? 1 : PROGRAMS;
  for (uint64_t i = 0; i < count && check_failures == 0; i++) {
    test_program(first + i);
    if (check_failures) fprintf(stderr, "program %llu\n", (unsigned long long)(first + i));
  }
  if (argc <= 1 && check_failures == 0) {
    CHECK(launches_seen > PROGRAMS);
    CHECK(evaluated > unknown_values / 4);
  }
  printf("%u launches, %u values and facts compared, %u unknown\n", launches_seen, evaluated, unknown_values);
  return check_result();
}
