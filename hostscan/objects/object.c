// What does a pointer point to, and can two pointers meet? An address expression is taken apart into
// targets: under a condition, an object and a byte offset. Whether unknown code has an address: captures.c.
// Method: objects are named by the symbol (or, made in a loop, by the function of the iteration numbers)
// that stands for their address; targets follow +, - and if-then-else down to such leaves.
// Soundness: two addresses are "distinct" only if they are different allocations, or one is an object
// whose address no unknown code can have, or was made when the other was there already, or the types of the
// accesses differ (strict aliasing, A9). What is not understood is an unknown pointer of its own.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/objects/objects.h"
#include "core/bug.h"
#include "hostscan/names.h"
#include "hostscan/program.h"
#include "hostscan/syntax.h"
#include "hostscan/series.h"
#include "hostscan/terms.h"

#include <string.h>

static const int64_t lowest_address = 4096, highest_address = (int64_t)1 << 56;

// ---- making
static uint32_t add_object(HostScan *scan, HostObject info) {
  if (scan->objects.count == 0) vec_push(scan->arena, &scan->objects, (HostObject){0});
  vec_push(scan->arena, &scan->objects, info);
  return scan->objects.count - 1;
}

static uint32_t func_object(const HostScan *scan, uint32_t func) {
  return func < scan->func_objects.count ? scan->func_objects.items[func] : 0;
}

static void set_func_object(HostScan *scan, uint32_t func, uint32_t object) {
  while (scan->func_objects.count <= func)
    vec_push(scan->arena, &scan->func_objects, 0);
  scan->func_objects.items[func] = object;
}

typedef VEC(ExprRef) ExprList;

static void add_counts(HostScan *scan, HostFrame *frame, uint32_t inst, ExprList *counts) {
  for (; frame; inst = frame->call, frame = frame->parent) {
    const Cfg *cfg = frame->function->cfg;
    uint32_t loop = cfg->loop_of[frame->function->ir->insts.items[inst].block];
    for (; loop != CFG_NONE; loop = cfg->loops.items[loop].parent)
      vec_push(scan->arena, counts, host_loop_count(scan, frame, loop));
  }
}

static ExprRef make_leaf(HostScan *scan, const HostObject *info, const ExprList *counts) {
  if (counts->count == 0)
    return host_unknown(scan, (HostUnknown){.width = 64,
                                            .name = info->name,
                                            .loc = info->loc,
                                            .lo = lowest_address,
                                            .hi = highest_address,
                                            .loop = CFG_NONE});
  uint32_t func = expr_new_func(scan->pool, (ExprFunc){.name = info->name,
                                                       .width = 64,
                                                       .kind = SYM_HOST_VALUE,
                                                       .lo = lowest_address,
                                                       .hi = highest_address,
                                                       .loc = info->loc});
  return expr_app(scan->pool, func, counts->count, counts->items);
}

static void bind_leaf(HostScan *scan, ExprRef leaf, uint32_t object) {
  const ExprNode *node = expr_node(scan->pool, leaf);
  if (node->op == EXPR_SYM)
    host_sym(scan, (uint32_t)node->value)->object = object;
  else
    set_func_object(scan, (uint32_t)node->value, object);
}

uint32_t host_site(HostScan *scan, HostFrame *frame, uint32_t inst, uint32_t which, HostObject info) {
  ASSERT(frame->function);
  ASSERT(host_function_has_inst(frame->function, inst));
  HostKey key = {{MEMO_SITE, frame->id, inst, which}};
  uint32_t object = host_map_get(&scan->memo, key);
  if (object) return object;
  ExprList counts = {0};
  if (info.kind != HOST_LOCAL) add_counts(scan, frame, inst, &counts);
  info.frame = frame;
  info.inst = inst;
  info.leaf = make_leaf(scan, &info, &counts);
  object = add_object(scan, info);
  bind_leaf(scan, info.leaf, object);
  host_map_put(&scan->memo, key, object);
  return object;
}

// Is the variable in constant memory, wherever one of that name is? Neither kernels nor stores of the host write there: only copies do (CUDA C++
// Programming Guide, __constant__).
static bool is_in_constant_memory(const HostScan *scan, const char *name) {
  bool is_found = false;
  for (uint32_t d = 0; d < scan->device_count; d++)
    for (uint32_t g = 0; scan->device[d] && g < scan->device[d]->globals.count; g++) {
      const IrGlobal *variable = &scan->device[d]->globals.items[g];
      if (strcmp(variable->name, name) != 0) continue;
      if (variable->space != IR_SPACE_CONSTANT) return false;
      is_found = true;
    }
  return is_found;
}

uint32_t host_fixed_object(HostScan *scan, HostObjectKind kind, uint32_t index) {
  ASSERT(index <
         (kind == HOST_FUNCTION_ADDRESS ? scan->module->functions.count : scan->module->globals.count));
  HostKey key = {{MEMO_ADDRESS, kind, index}};
  uint32_t object = host_map_get(&scan->memo, key);
  if (object) return object;
  HostObject info = {.kind = kind, .index = index};
  if (kind == HOST_FUNCTION_ADDRESS) {
    info.name = host_display_name(scan->module->functions.items[index]);
  } else {
    const IrGlobal *global = &scan->module->globals.items[index];
    info.name = kind == HOST_DEVICE_VARIABLE ? global->name
                : global->display            ? global->display
                                             : global->name;
    info.loc = *ir_loc(scan->module, global->loc);
    if (global->bytes) info.size_bytes = expr_const(scan->pool, 64, (int64_t)global->bytes);
    info.is_constant = kind == HOST_DEVICE_VARIABLE && is_in_constant_memory(scan, global->name);
    info.is_out_of_reach = info.is_constant;
  }
  info.leaf = make_leaf(scan, &info, &(ExprList){0});
  object = add_object(scan, info);
  bind_leaf(scan, info.leaf, object);
  host_map_put(&scan->memo, key, object);
  return object;
}

// ---- what stands behind a leaf
static uint32_t known_object(HostScan *scan, ExprRef leaf) {
  const ExprNode *node = expr_node(scan->pool, leaf);
  if (node->op == EXPR_SYM) return host_sym(scan, (uint32_t)node->value)->object;
  uint32_t object = node->op == EXPR_APP ? func_object(scan, (uint32_t)node->value) : 0;
  return object ? object : host_map_get(&scan->memo, (HostKey){{MEMO_LEAF, leaf}});
}

uint32_t host_pointer_object(HostScan *scan, ExprRef leaf, const char *name, SrcLoc loc) {
  ASSERT(host_has_word(scan, leaf, 64));
  ASSERT(name);
  uint32_t object = known_object(scan, leaf);
  if (object) return object;
  object = add_object(scan, (HostObject){.kind = HOST_POINTER, .name = name, .loc = loc, .leaf = leaf});
  if (expr_node(scan->pool, leaf)->op == EXPR_SYM)
    bind_leaf(scan, leaf, object);
  else
    host_map_put(&scan->memo, (HostKey){{MEMO_LEAF, leaf}}, object);
  return object;
}

HostObject *host_object_of(HostScan *scan, ExprRef leaf) {
  ASSERT(host_has_word(scan, leaf, 64));
  uint32_t object = known_object(scan, leaf);
  if (!object) {
    const ExprNode *node = expr_node(scan->pool, leaf);
    const ExprSym *sym = node->op == EXPR_SYM ? expr_sym_info(scan->pool, (uint32_t)node->value) : NULL;
    const char *name = sym ? sym->name : host_text(scan->pool, scan->arena, leaf);
    object = host_pointer_object(scan, leaf, name, sym ? sym->loc : (SrcLoc){0});
  }
  return &scan->objects.items[object];
}

// The size of an object made in a loop is that of its own iteration.
ExprRef host_object_size(HostScan *scan, ExprRef leaf) {
  ASSERT(host_has_word(scan, leaf, 64));
  const HostObject *object = host_object_of(scan, leaf);
  if (!object->size_bytes || leaf == object->leaf) return object->size_bytes;
  ExprNode made = *expr_node(scan->pool, object->leaf), here = *expr_node(scan->pool, leaf);
  if (made.op != EXPR_APP || here.op != EXPR_APP) return 0;
  ExprRef size = host_settle(scan, object->size_bytes);
  for (uint32_t i = 0; i < made.arg_count && i < here.arg_count; i++)
    size = host_at_iteration(scan, size, made.args[i], here.args[i]);
  return size;
}

// ---- taking addresses apart
static bool holds_object(HostScan *scan, ExprRef ref, uint32_t depth) {
  ExprNode node = *expr_node(scan->pool, ref);
  ExprRef pending = host_behind_pending(scan, &node);
  if (!pending && (node.op == EXPR_SYM || node.op == EXPR_APP)) return known_object(scan, ref) != 0;
  if (depth == 0) return false;
  if (pending) return holds_object(scan, pending, depth - 1);
  if (node.op == EXPR_ADD)
    return holds_object(scan, node.a, depth - 1) || holds_object(scan, node.b, depth - 1);
  if (node.op == EXPR_SUB) return holds_object(scan, node.a, depth - 1);
  if (node.op == EXPR_ITE)
    return holds_object(scan, node.b, depth - 1) || holds_object(scan, node.c, depth - 1);
  return known_object(scan, ref) != 0;
}

enum { ADDRESS_DEPTH = 24 };

static bool add_targets(HostScan *scan, ExprRef ref, HostTarget so_far, uint32_t depth,
                        HostTargets *targets) {
  ExprNode node = *expr_node(scan->pool, ref);
  HostTarget next = so_far;
  if (depth == 0 || targets->count >= HOST_TARGET_LIMIT) return false;
  if (expr_is_false(scan->pool, so_far.condition)) return true;
  ExprRef pending = host_behind_pending(scan, &node); // when the copy is over
  if (pending) return add_targets(scan, pending, so_far, depth - 1, targets);
  if (node.op == EXPR_ITE) {
    next.condition = host_and(scan, so_far.condition, node.a);
    if (!add_targets(scan, node.b, next, depth - 1, targets)) return false;
    next.condition = host_and(scan, so_far.condition, expr_not(scan->pool, node.a));
    return add_targets(scan, node.c, next, depth - 1, targets);
  }
  if (node.op == EXPR_ADD || node.op == EXPR_SUB) {
    bool in_a = holds_object(scan, node.a, ADDRESS_DEPTH);
    bool in_b = !in_a && node.op == EXPR_ADD && holds_object(scan, node.b, ADDRESS_DEPTH);
    if (in_a || in_b) {
      next.offset = node.op == EXPR_ADD
                        ? host_add_offset(scan, so_far.offset, in_a ? node.b : node.a)
                        : expr_binary(scan->pool, EXPR_SUB, EXPR_ADDRESS, so_far.offset, node.b);
      return add_targets(scan, in_a ? node.a : node.b, next, depth - 1, targets);
    }
  }
  if (node.op == EXPR_CONST) { // null, or a fixed address
    next.offset = host_add_offset(scan, so_far.offset, ref);
    next.leaf = 0;
  } else {
    next.leaf = ref;
  }
  vec_push(scan->arena, targets, next);
  return true;
}

// It is asked millions of times, and nearly always of what has one target: room for the usual eight would be
// most of what the scan of a large program takes.
bool host_targets(HostScan *scan, ExprRef address, HostTargets *targets) {
  ASSERT(host_has_word(scan, address, 64));
  ASSERT(targets);
  targets->count = 0;
  if (targets->capacity == 0) {
    targets->items = arena_new(scan->arena, HostTarget);
    targets->capacity = 1;
  }
  HostTarget start = {expr_bool(scan->pool, true), 0, expr_const(scan->pool, 64, 0)};
  return add_targets(scan, host_settle(scan, address), start, ADDRESS_DEPTH, targets);
}

bool host_sole_target(HostScan *scan, ExprRef address, HostTarget *target) {
  ASSERT(host_has_word(scan, address, 64));
  HostTargets targets = {0};
  *target = (HostTarget){0};
  if (!host_targets(scan, address, &targets)) return false;
  for (uint32_t i = 0; i < targets.count; i++) {
    if (!targets.items[i].leaf) continue;
    if (target->leaf) return false;
    *target = targets.items[i];
  }
  if (target->leaf) (void)host_object_of(scan, target->leaf);
  return target->leaf != 0;
}

// ---- aliasing
static bool is_identified(HostObjectKind kind) { // an object of its own, different from all others
  return kind != HOST_POINTER && kind != HOST_NOTHING;
}

static bool is_private(HostScan *scan, HostObject *object) {
  if (object->kind == HOST_GLOBAL) return host_is_unaliased_global(scan, object->index);
  return (object->kind == HOST_LOCAL || object->kind == HOST_HEAP) && !host_is_captured(scan, object);
}

// One allocation in different iterations of its loops.
static bool instances_distinct(HostScan *scan, ExprRef a, ExprRef b) {
  ExprNode x = *expr_node(scan->pool, a), y = *expr_node(scan->pool, b);
  if (x.op != EXPR_APP || y.op != EXPR_APP || x.value != y.value) return false;
  for (uint32_t i = 0; i < x.arg_count; i++) {
    ExprRef same = expr_eq(scan->pool, x.args[i], y.args[i]);
    if (expr_is_false(scan->pool, same)) return true;
    ExprRef difference = expr_binary(scan->pool, EXPR_SUB, 0, x.args[i], y.args[i]);
    int64_t distance = 0;
    if (expr_is_const(scan->pool, difference, &distance) && distance != 0) return true;
  }
  return false;
}

static bool is_param_of(const HostFrame *frame, ExprRef leaf) {
  for (uint32_t i = 0; i < frame->function->ir->params.count; i++)
    if (frame->params[i] == leaf) return true;
  return false;
}

static const HostFrame *root_of(const HostFrame *frame) {
  while (frame->parent)
    frame = frame->parent;
  return frame;
}

// The pointer of an object that lay in memory when a function without a caller began: the symbol; NULL: it is none.
static const HostSym *at_entry(HostScan *scan, const HostObject *object) {
  const ExprNode *node = expr_node(scan->pool, object->leaf);
  const HostSym *sym = node->op == EXPR_SYM ? host_sym(scan, (uint32_t)node->value) : NULL;
  bool is_entry = sym && sym->place == 1 + PLACE_ENTRY && !sym->place_frame->parent;
  return is_entry && object->kind == HOST_POINTER && !object->is_parameter ? sym : NULL;
}

// Made by the caller for the call alone: a copy of an argument, or room for what is returned.
static bool is_made_for_call(const HostObject *object) {
  return object->kind == HOST_LOCAL && object->is_parameter;
}

static bool is_older_than_call(const HostFunction *called, const HostObject *given, const HostSym *sym) {
  if (given->kind == HOST_POINTER && given->is_parameter) return given->given_to == called;
  return sym && sym->place_frame->function == called;
}

// What a function without a caller was given, or what lay in memory when it began, points to nothing that was made since.
static bool is_older(HostScan *scan, const HostObject *given, const HostObject *made) {
  if (is_made_for_call(made)) return is_older_than_call(made->given_to, given, at_entry(scan, given));
  bool is_made = made->kind == HOST_LOCAL || made->kind == HOST_HEAP || made->kind == HOST_DEVICE;
  if (!is_made || !made->frame || made->is_parameter || made->is_copied) return false;
  if (given->kind == HOST_POINTER && given->is_parameter)
    return is_param_of(root_of(made->frame), given->leaf);
  const HostSym *sym = at_entry(scan, given);
  return sym && sym->place_frame == root_of(made->frame);
}

enum { OUTSIDE_DEPTH = 8 };

// What a function of a library is given, and what lies behind that when it begins, where nothing in view links it.
static bool is_from_outside(HostScan *scan, const HostObject *object) {
  if (scan->options && scan->options->has_main) return false;
  for (uint32_t depth = 0; depth < OUTSIDE_DEPTH && object->kind == HOST_POINTER; depth++) {
    if (object->is_parameter) return true;
    const HostSym *sym = at_entry(scan, object);
    if (!sym || !sym->holder || host_is_put_by_others(scan, object->leaf)) return false;
    object = &scan->objects.items[sym->holder];
  }
  return false;
}

bool host_are_from_outside(HostScan *scan, ExprRef one, ExprRef other) {
  ASSERT(!one || expr_is_of(scan->pool, one));
  ASSERT(!other || expr_is_of(scan->pool, other));
  if (!one || !other || one == other) return false;
  (void)host_object_of(scan, one); // both are made before pointers to them are taken
  const HostObject *y = host_object_of(scan, other), *x = host_object_of(scan, one);
  return is_from_outside(scan, x) && is_from_outside(scan, y) && !host_kept_twice(scan, one, other);
}

bool host_is_address(HostScan *scan, ExprRef leaf) {
  ASSERT(host_has_word(scan, leaf, 64));
  return known_object(scan, leaf) != 0;
}

bool host_is_any_address(HostScan *scan, ExprRef leaf) {
  ASSERT(host_has_word(scan, leaf, 64));
  const ExprNode *node = expr_node(scan->pool, leaf);
  return node->op == EXPR_SYM && host_sym(scan, (uint32_t)node->value)->is_any_address;
}

bool host_leaves_distinct(HostScan *scan, ExprRef a, ExprRef b) {
  ASSERT(!a || expr_is_of(scan->pool, a));
  ASSERT(!b || expr_is_of(scan->pool, b));
  if (a == b) return false;
  if (a == 0 || b == 0) return true; // nothing lies at absolute addresses
  if (host_is_any_address(scan, a) || host_is_any_address(scan, b)) return false;
  (void)host_object_of(scan, a); // both are made before pointers to them are taken
  HostObject *y = host_object_of(scan, b), *x = host_object_of(scan, a);
  if (x == y) return instances_distinct(scan, a, b);
  if (is_identified(x->kind) && is_identified(y->kind)) return true;
  if (is_private(scan, x) || is_private(scan, y) || is_older(scan, x, y) || is_older(scan, y, x)) return true;
  return host_is_guessed_apart(scan, a, b) || host_is_guessed_apart(scan, b, a);
}

bool host_kinds_distinct(uint8_t a, uint8_t b) {
  if (b == HOST_VIRTUAL_TABLE) b = IR_PTR;
  bool a_fits = a == IR_FLOAT || a == IR_PTR, b_fits = b == IR_FLOAT || b == IR_PTR;
  if (a == b || a == IR_BYTES || b == IR_BYTES || a == IR_VOID || b == IR_VOID) return false;
  return a_fits || b_fits; // integers may be parts of copied structs: only as a written float or pointer
}
