// What do arrays hold when a kernel starts? For what the kernel reads as integers, the host code is asked for
// the value of an element of which it is not said which one: `element` is a symbol for its offset. Method:
// memory.c walks back over copies, fills and stores as it does for any cell. A loop that stores to the array
// is not undone; some run of one of its stores wrote the element, or none did: functions of the element say
// which store it was and in which iterations (Skolem functions of "there is an iteration"), and what held
// there then is known of them: that the address is that of the element, and the conditions on the way to the
// store. Soundness: nothing is left out: stores of other widths, and whatever is not understood, give unknown
// values. That an element that the kernel reads has been written at all is assumption A12. A word is taken to
// lie at a multiple of its size (C requires it), so that two words of one size are the same or do not meet.
// SPDX-License-Identifier: Apache-2.0
#include "core/finding.h"
#include "hostscan/internal.h"

#include <string.h>

enum { STORE_LIMIT = 8, CONDITION_LIMIT = 24, VALUE_LIMIT = 600 };

static ExprRef element_symbol(HostScan *scan) {
  if (!scan->element)
    scan->element = host_unknown(
        scan,
        (HostUnknown){.width = 64, .name = "element", .loop = CFG_NONE, .lo = 0, .hi = (int64_t)1 << 48});
  return scan->element;
}

static bool mentions_element(HostScan *scan, ExprRef ref) {
  return scan->element && host_mentions(scan, ref, (uint32_t)expr_node(scan->pool, scan->element)->value);
}

bool host_is_element(HostScan *scan, HostCell cell) {
  return scan->element && (cell.offset == scan->element || mentions_element(scan, cell.offset));
}

static ExprRef function_of_element(HostScan *scan, const ExprSym *like, uint32_t *func) {
  *func = expr_new_func(scan->pool, (ExprFunc){.name = like->name,
                                               .width = like->width,
                                               .kind = like->kind,
                                               .lo = like->lo,
                                               .hi = like->hi,
                                               .loc = like->loc});
  return expr_app(scan->pool, *func, 1, &scan->element);
}

// ---- stores in a loop ---------------------------------------------------------------------------
typedef struct Varying { // a symbol that changes in the loop, and what it was when the element was written
  uint32_t sym;
  ExprRef then;
} Varying;

typedef struct Fill { // one store
  HostScan *scan;
  HostFrame *frame;
  uint32_t loop;
  uint32_t anchor; // function that all conditions are kept with
  VEC(Varying) varying;
  VEC(uint32_t) found; // symbols of the expression in hand
} Fill;

static bool find_varying(void *context, uint32_t sym) {
  Fill *fill = context;
  if (host_sym_varies(fill->scan, sym, fill->frame, fill->loop))
    vec_push(fill->scan->arena, &fill->found, sym);
  return true;
}

static ExprRef value_then(Fill *fill, uint32_t sym) {
  for (uint32_t i = 0; i < fill->varying.count; i++)
    if (fill->varying.items[i].sym == sym) return fill->varying.items[i].then;
  uint32_t func = 0;
  ExprSym info = *expr_sym_info(fill->scan->pool, sym);
  ExprRef then = function_of_element(fill->scan, &info, &func);
  vec_push(fill->scan->arena, &fill->varying, (Varying){sym, then});
  return then;
}

// The expression as it was when the element was written.
static ExprRef then(Fill *fill, ExprRef ref, bool *varies) {
  HostScan *scan = fill->scan;
  ref = host_settle(scan, ref);
  fill->found.count = 0;
  host_each_sym(scan, ref, find_varying, fill);
  *varies = fill->found.count > 0;
  uint32_t count = fill->found.count;
  uint32_t *found = arena_copy(scan->arena, fill->found.items, count * sizeof *found);
  for (uint32_t i = 0; i < count; i++)
    ref = host_replace(scan, ref, expr_sym(scan->pool, found[i]), value_then(fill, found[i]));
  return ref;
}

static void keep(Fill *fill, ExprRef condition) {
  vec_push(fill->scan->arena, &fill->scan->fill_facts, (HostFillFact){fill->anchor, condition});
}

static void keep_conditions(Fill *fill, uint32_t inst, ExprRef wrote) {
  HostScan *scan = fill->scan;
  IndexList facts = {0};
  uint32_t kept = 0;
  host_facts_at(scan, fill->frame, inst, &facts);
  for (uint32_t i = 0; i < facts.count && kept < CONDITION_LIMIT; i++) {
    bool varies = false;
    ExprRef condition = then(fill, scan->facts.items[facts.items[i]].fact.condition, &varies);
    if (!varies || host_weight(scan, condition) > HOST_HEAVY / 4) continue;
    keep(fill, expr_or(scan->pool, expr_not(scan->pool, wrote), condition));
    kept++;
  }
}

// Where the store puts its word, against where the element lies: the same place, or, for another width,
// overlapping.
static ExprRef is_at_element(Fill *fill, ExprRef offset, uint32_t bytes, HostCell cell) {
  ExprPool *pool = fill->scan->pool;
  if (bytes == cell.bytes) return expr_eq(pool, offset, cell.offset);
  ExprRef end = host_add_offset(fill->scan, offset, expr_const(pool, 64, bytes));
  ExprRef cell_end = host_add_offset(fill->scan, cell.offset, expr_const(pool, 64, cell.bytes));
  return expr_and(pool, expr_binary(pool, EXPR_SLT, 0, cell.offset, end),
                  expr_binary(pool, EXPR_SLT, 0, offset, cell_end));
}

// The only object behind the address of a store that is not null.
static bool find_place(HostScan *scan, HostFrame *frame, const IrInst *store, HostCell cell,
                       ExprRef *offset) {
  HostTargets targets = {0};
  *offset = 0;
  if (store->op != IR_STORE || !host_targets(scan, host_value(scan, frame, store->ops[0]), &targets))
    return false;
  for (uint32_t i = 0; i < targets.count; i++) {
    if (!targets.items[i].leaf) continue; // nobody writes through null
    if (*offset || targets.items[i].leaf != cell.base) return false;
    *offset = targets.items[i].offset;
  }
  return *offset != 0;
}

static ExprRef unknown_value(HostScan *scan, HostCell cell, SrcLoc loc) {
  uint8_t width = (uint8_t)(cell.bytes * 8);
  int64_t half = (int64_t)((uint64_t)1 << (width - 1));
  ExprSym info = {.name = host_object_of(scan, cell.base)->name,
                  .width = width,
                  .kind = SYM_HOST_VALUE,
                  .lo = width == 64 ? INT64_MIN : -half,
                  .hi = width == 64 ? INT64_MAX : half - 1,
                  .loc = loc};
  uint32_t func = 0;
  return function_of_element(scan, &info, &func);
}

// The elements that the store has written in all iterations that are over; 0 if they are not known so
// exactly.
static ExprRef covered(Fill *fill, uint32_t inst, ExprRef offset, uint32_t bytes, HostCell cell) {
  HostScan *scan = fill->scan;
  ExprPool *pool = scan->pool;
  const Cfg *cfg = fill->frame->function->cfg;
  const CfgLoop *info = &cfg->loops.items[fill->loop];
  uint32_t block = fill->frame->function->ir->insts.items[inst].block;
  int64_t stride = 0;
  ExprRef start = 0, count = host_loop_count(scan, fill->frame, fill->loop);
  if (bytes != cell.bytes || cfg->loop_of[block] != fill->loop) return 0;
  for (uint32_t i = 0; i < info->latches.count; i++)
    if (!cfg_dominates(cfg, block, info->latches.items[i])) return 0;
  if (!host_depends_only_on_count(scan, offset, fill->frame, fill->loop) ||
      !host_split_affine(scan, host_gather(scan, host_settle(scan, offset)), count, &start, &stride))
    return 0;
  ExprRef way = expr_binary(pool, EXPR_MUL, EXPR_NSW, expr_resize_signed(pool, count, 64),
                            expr_const(pool, 64, stride));
  ExprRef end = expr_binary(pool, EXPR_ADD, EXPR_ADDRESS, start, way), at = cell.offset;
  bool is_up = stride > 0;
  ExprRef inside = expr_and(pool, expr_binary(pool, EXPR_SLE, 0, is_up ? start : at, is_up ? at : start),
                            expr_binary(pool, EXPR_SLT, 0, is_up ? at : end, is_up ? end : at));
  if (stride == (int64_t)bytes || -stride == (int64_t)bytes) return inside;
  ExprRef rest = expr_binary(pool, EXPR_SREM, 0, expr_binary(pool, EXPR_SUB, EXPR_ADDRESS, at, start),
                             expr_const(pool, 64, stride));
  return expr_and(pool, inside, expr_eq(pool, rest, expr_const(pool, 64, 0)));
}

typedef struct Stored {     // by the stores of a loop, so far
  ExprRef value;            // of the element
  ExprRef any;              // one of them wrote it
  VEC(HostFillFact) covers; // elements that surely were written, with the function to keep that with
} Stored;

// What the store put into the element, if it was the last one to write it. False if it is not understood.
static bool add_store(HostScan *scan, HostFrame *frame, uint32_t loop, uint32_t inst, HostCell cell,
                      Stored *stored) {
  const IrInst *store = &frame->function->ir->insts.items[inst];
  Fill fill = {.scan = scan, .frame = frame, .loop = loop};
  ExprRef offset = 0;
  bool varies = false;
  if (!find_place(scan, frame, store, cell, &offset)) return false;
  uint32_t bytes = ir_ref_type(scan->module, frame->function->ir, store->ops[1]).bytes;
  SrcLoc loc = host_loc(scan, frame, store);
  ExprSym truth = {.width = 8, .kind = SYM_HOST_VALUE, .lo = 0, .hi = 1, .loc = loc};
  truth.name = arena_printf(scan->arena, "written at line %u", loc.line);
  ExprRef flag = function_of_element(scan, &truth, &fill.anchor);
  ExprRef wrote = expr_eq(scan->pool, flag, expr_const(scan->pool, 8, 1));
  ExprRef value = bytes == cell.bytes ? host_value_piece(scan, frame, store->ops[1], 0, bytes) : 0;
  if (value) value = then(&fill, value, &varies);
  if (!value || host_weight(scan, value) > HOST_HEAVY) value = unknown_value(scan, cell, loc);
  ExprRef there = is_at_element(&fill, then(&fill, offset, &varies), bytes, cell);
  keep(&fill, expr_or(scan->pool, expr_not(scan->pool, wrote), there));
  keep_conditions(&fill, inst, wrote);
  stored->value = expr_ite(scan->pool, wrote, value, stored->value);
  stored->any = stored->any ? expr_or(scan->pool, stored->any, wrote) : wrote;
  ExprRef covers = covered(&fill, inst, offset, bytes, cell);
  if (covers) vec_push(scan->arena, &stored->covers, (HostFillFact){fill.anchor, covers});
  return true;
}

ExprRef host_element_of_loop(HostScan *scan, HostFrame *frame, uint32_t loop, HostCell cell, ExprRef before) {
  const HostFunction *function = frame->function;
  const CfgLoop *info = &function->cfg->loops.items[loop];
  Stored stored = {.value = before};
  uint32_t stores = 0;
  for (uint32_t i = 0; i < info->blocks.count; i++) {
    uint32_t block = info->blocks.items[i];
    for (uint32_t e = function->effect_first[block]; e < function->effect_first[block + 1]; e++) {
      uint32_t inst = function->effects[e];
      if (!host_touches(scan, frame, inst, cell)) continue;
      if (++stores > STORE_LIMIT || !add_store(scan, frame, loop, inst, cell, &stored)) return 0;
    }
  }
  for (uint32_t i = 0; i < stored.covers.count; i++) {
    HostFillFact known = stored.covers.items[i];
    known.condition = expr_or(scan->pool, expr_not(scan->pool, known.condition), stored.any);
    vec_push(scan->arena, &scan->fill_facts, known);
  }
  return stored.value;
}

// ---- reading what a launch is given -------------------------------------------------------------
typedef struct Reading {
  HostScan *scan;
  LaunchContext *launch;
  HostMap seen; // expressions gone through
  VEC(uint32_t) funcs, symbols;
} Reading;

// An element's own unknown values: other ones for another element.
static ExprRef by_element(HostScan *scan, uint32_t sym) {
  if (!host_sym(scan, sym)->by_element) {
    ExprSym info = *expr_sym_info(scan->pool, sym);
    uint32_t func = 0;
    ExprRef made = function_of_element(scan, &info, &func);
    host_sym(scan, sym)->by_element = made;
  }
  return host_sym(scan, sym)->by_element;
}

static void note_func(Reading *r, uint32_t func) {
  for (uint32_t i = 0; i < r->funcs.count; i++)
    if (r->funcs.items[i] == func) return;
  vec_push(r->scan->arena, &r->funcs, func);
}

static void look_through(Reading *r, ExprRef ref) {
  HostKey key = {{ref}};
  if (!ref || host_map_get(&r->seen, key)) return;
  host_map_put(&r->seen, key, 1);
  ExprNode node = *expr_node(r->scan->pool, ref);
  if (node.op == EXPR_SYM && host_sym(r->scan, (uint32_t)node.value)->is_of_element)
    vec_push(r->scan->arena, &r->symbols, (uint32_t)node.value);
  if (node.op == EXPR_APP) note_func(r, (uint32_t)node.value);
  look_through(r, node.a);
  look_through(r, node.b);
  look_through(r, node.c);
  for (uint32_t i = 0; i < node.arg_count; i++)
    look_through(r, node.args[i]);
}

static ExprRef with_functions(Reading *r, ExprRef ref) {
  r->symbols.count = 0;
  r->seen = (HostMap){.arena = r->scan->arena};
  look_through(r, ref);
  for (uint32_t i = 0; i < r->symbols.count; i++)
    ref = host_replace(r->scan, ref, expr_sym(r->scan->pool, r->symbols.items[i]),
                       by_element(r->scan, r->symbols.items[i]));
  return ref;
}

// Under which condition is the value one that somebody wrote? 0: under all.
static ExprRef is_written(HostScan *scan, ExprRef value) {
  ExprNode node = *expr_node(scan->pool, value);
  if (node.op == EXPR_SYM) return host_is_uninitialised(scan, value) ? expr_bool(scan->pool, false) : 0;
  if (node.op != EXPR_ITE) return 0;
  ExprRef yes = is_written(scan, node.b), no = is_written(scan, node.c);
  if (!yes && !no) return 0;
  ExprRef truth = expr_bool(scan->pool, true);
  return expr_or(scan->pool, expr_and(scan->pool, node.a, yes ? yes : truth),
                 expr_and(scan->pool, expr_not(scan->pool, node.a), no ? no : truth));
}

// Is a value known that is more than "whatever it was"?
static bool says_something(HostScan *scan, ExprRef value) {
  ExprNode node = *expr_node(scan->pool, value);
  if (node.op == EXPR_ITE) return says_something(scan, node.b) || says_something(scan, node.c);
  return node.op != EXPR_SYM || !host_sym(scan, (uint32_t)node.value)->is_of_element;
}

static void add_conditions(Reading *r, LaunchContent *content) {
  HostScan *scan = r->scan;
  for (uint32_t f = 0; f < r->funcs.count; f++) // grows while conditions mention others
    for (uint32_t i = 0; i < scan->fill_facts.count; i++) {
      if (scan->fill_facts.items[i].func != r->funcs.items[f]) continue;
      ExprRef condition = with_functions(r, host_settle(scan, scan->fill_facts.items[i].condition));
      vec_push(scan->arena, &content->conditions, condition);
    }
}

static SrcLoc place_of(HostScan *scan, const Reading *r) {
  for (uint32_t i = 0; i < r->funcs.count; i++) {
    const SrcLoc *loc = &expr_func_info(scan->pool, r->funcs.items[i])->loc;
    if (loc->file) return *loc;
  }
  return r->launch->loc;
}

static void add_content(HostScan *scan, HostFrame *frame, uint32_t inst, ExprRef leaf, LaunchContent content,
                        LaunchContext *launch) {
  Reading r = {.scan = scan, .launch = launch};
  content.element = element_symbol(scan);
  HostCell cell = {.base = leaf, .offset = content.element, .bytes = content.bytes, .kind = IR_INT};
  ExprRef value = host_settle(scan, host_cell_before(scan, frame, inst, cell));
  if (host_weight(scan, value) > VALUE_LIMIT || !says_something(scan, value)) return;
  content.is_written = is_written(scan, value);
  if (content.is_written) content.is_written = with_functions(&r, content.is_written);
  content.value = with_functions(&r, value);
  add_conditions(&r, &content);
  const char *name =
      content.object ? launch->objects.items[content.object].name : host_object_of(scan, leaf)->name;
  Fact fact = {.condition = expr_bool(scan->pool, true), .class = FACT_CONTENTS, .loc = place_of(scan, &r)};
  fact.text = arena_printf(scan->arena, "the contents of %s", name);
  content.fact = launch->facts.count;
  vec_push(scan->arena, &launch->facts, fact);
  vec_push(scan->arena, &launch->contents, content);
}

static void read_object(HostScan *scan, HostFrame *frame, uint32_t inst, uint32_t object, uint8_t widths,
                        const ExprRef *leaves, LaunchContext *launch) {
  ExprRef leaf = leaves[object];
  if (!leaf) return;
  HostObjectKind kind = host_object_of(scan, leaf)->kind;
  if (kind != HOST_DEVICE && kind != HOST_HEAP && kind != HOST_DEVICE_VARIABLE) return;
  for (uint32_t bytes = 1; bytes <= 8; bytes *= 2) {
    bool is_known = false;
    for (uint32_t i = 0; i < launch->contents.count; i++)
      is_known |= launch->contents.items[i].object == object && launch->contents.items[i].bytes == bytes;
    if (widths & bytes && !is_known)
      add_content(scan, frame, inst, leaf, (LaunchContent){.object = object, .bytes = bytes}, launch);
  }
}

static void read_variable(HostScan *scan, HostFrame *frame, uint32_t inst, const HostKernelGlobal *used,
                          LaunchContext *launch) {
  for (uint32_t i = 0; i < scan->module->globals.count; i++) {
    if (strcmp(scan->module->globals.items[i].name, used->name) != 0) continue;
    ExprRef leaf = host_leaf(scan, host_fixed_object(scan, HOST_DEVICE_VARIABLE, i));
    for (uint32_t bytes = 1; bytes <= 8; bytes *= 2)
      if (used->reads & bytes)
        add_content(scan, frame, inst, leaf, (LaunchContent){.global = used->name, .bytes = bytes}, launch);
    return;
  }
}

void host_contents_read(HostScan *scan, HostFrame *frame, uint32_t inst, const IrFunction *kernel,
                        const ExprRef *leaves, LaunchContext *launch) {
  const HostKernelUse *use = host_kernel_use(scan, kernel);
  for (uint32_t a = 0; a < launch->args.count && a < kernel->params.count; a++) {
    const LaunchArg *arg = &launch->args.items[a];
    for (uint32_t p = 0; use->reads[a] && p < arg->pieces.count; p++)
      for (uint32_t t = 0; t < arg->pieces.items[p].target_count; t++)
        read_object(scan, frame, inst, arg->pieces.items[p].targets[t].object, use->reads[a], leaves, launch);
  }
  for (uint32_t i = 0; i < use->globals.count; i++)
    if (use->globals.items[i].reads && !use->globals.items[i].is_written)
      read_variable(scan, frame, inst, &use->globals.items[i], launch);
}
