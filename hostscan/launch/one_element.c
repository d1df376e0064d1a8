// Two pointers that were read back from memory: may one function have found the same place for both, as `m["a"]` and `m[name]` of one map do?
// That different places hold different pointers is assumed (A8); that these are two places is not. Method: the calls in which the places
// were found, or that gave them, over what holds them; two calls of one function by one activation are compared by what they are given. Other objects, other numbers
// and other literals make other places. So are two functions with one text, as the instances of a template for two closures that say the same.
// Soundness: over, but for two things that are taken to be apart: what functions with different texts find, and what one finds in different objects (A2).
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/launch/launch.h"
#include "core/bug.h"
#include "hostscan/names.h"
#include "hostscan/objects.h"
#include "hostscan/program.h"
#include "hostscan/terms.h"
#include "hostscan/value.h"

#include <string.h>

enum { HOLDER_DEPTH = 8, ALIKE_DEPTH = 8 };

typedef struct Call { // that was being executed when a pointer was found, or has given it
  HostFrame *by;
  const IrInst *inst;
} Call;

typedef VEC(Call) Calls;

static void add_call(HostScan *scan, Calls *all, HostFrame *by, uint32_t inst) {
  const IrInst *call = &by->function->ir->insts.items[inst];
  if (call->op == IR_CALL) vec_push(scan->arena, all, ((Call){by, call}));
}

HostFrame *host_found_in(const HostScan *scan, const HostSym *sym) {
  ASSERT(sym);
  if (!sym->read_by && sym->place) return sym->place_frame;
  return !sym->read_by && sym->cell ? scan->cell_infos.items[sym->cell].frame : sym->frame;
}

// What a pointer was read from, as its text names it: a call's result, or something in what that leads to.
static uint32_t named_by(const HostSym *sym) {
  const IrFunction *ir = sym->frame->function->ir;
  const IrInst *root = &ir->insts.items[sym->read_by - 1];
  IrRef base = root->op == IR_LOAD ? root->ops[0] : IR_REF(IR_REF_INST, sym->read_by - 1);
  root = ir_inst(ir, ir_address_base(ir, base));
  return root ? (uint32_t)(root - ir->insts.items) : sym->read_by - 1;
}

ExprRef host_holder_of(HostScan *scan, const HostSym *sym) {
  ASSERT(sym);
  if (sym->holder) return host_leaf(scan, sym->holder);
  if (!sym->read_by) return 0;
  const IrInst *load = &sym->frame->function->ir->insts.items[sym->read_by - 1];
  HostTarget target;
  bool is_known =
      load->op == IR_LOAD && host_sole_target(scan, host_value(scan, sym->frame, load->ops[0]), &target);
  return is_known ? target.leaf : 0;
}

// The calls in which the pointer was found, and what holds it, and what holds that.
static Calls calls_of(HostScan *scan, ExprRef leaf) {
  Calls all = {.count = 0};
  for (uint32_t depth = 0; depth < HOLDER_DEPTH && leaf; depth++) {
    const ExprNode *node = expr_node(scan->pool, leaf);
    if (node->op != EXPR_SYM) break;
    HostSym sym = *host_sym(scan, (uint32_t)node->value);
    if (sym.read_by) add_call(scan, &all, sym.frame, named_by(&sym));
    for (HostFrame *frame = host_found_in(scan, &sym); frame && frame->parent; frame = frame->parent)
      add_call(scan, &all, frame->parent, frame->call);
    leaf = host_holder_of(scan, &sym);
  }
  return all;
}

// What an argument says by itself: a literal, or a variable that is set up once, by a constant or by a call with one literal.
typedef struct Key {
  enum { KEY_NONE, KEY_LITERAL, KEY_NUMBER, KEY_SEVERAL } kind;
  int64_t number; // or which variable of the module the literal is
} Key;

static void add_key(Key *key, Key more) {
  bool is_same = key->kind == more.kind && key->number == more.number;
  if (key->kind == KEY_NONE)
    *key = more;
  else if (!is_same)
    key->kind = KEY_SEVERAL;
}

static Key key_of_literal(const HostScan *scan, IrRef ref) {
  bool is_literal =
      ir_ref_kind(ref) == IR_REF_GLOBAL && scan->module->globals.items[ir_ref_index(ref)].is_constant;
  return is_literal ? (Key){KEY_LITERAL, ir_ref_index(ref)} : (Key){.kind = KEY_NONE};
}

static Key key_of(const HostScan *scan, const IrFunction *ir, IrRef ref) {
  Key key = key_of_literal(scan, ref);
  const IrInst *object = ir_inst(ir, ref);
  for (uint32_t i = 0; object && object->op == IR_ALLOCA && i < ir->insts.count; i++) {
    const IrInst *inst = &ir->insts.items[i];
    if (!inst->op_count || ir_inst(ir, inst->ops[0]) != object) continue;
    int64_t number = 0;
    if (inst->op == IR_STORE)
      add_key(&key, ir_const_value(ir, inst->ops[1], &number) ? (Key){KEY_NUMBER, number}
                                                              : (Key){.kind = KEY_SEVERAL});
    for (uint32_t a = 1; inst->op == IR_CALL && a < inst->op_count; a++)
      if (key_of_literal(scan, inst->ops[a]).kind) add_key(&key, key_of_literal(scan, inst->ops[a]));
  }
  return key;
}

static bool are_apart(HostScan *scan, HostFrame *frame, IrRef one, IrRef other, bool is_object) {
  const IrFunction *ir = frame->function->ir;
  if (one == other) return false;
  IrType type = ir_ref_type(scan->module, ir, one);
  if (type.kind != IR_PTR && type.kind != IR_INT) return false;
  ExprRef a = host_value(scan, frame, one), b = host_value(scan, frame, other);
  if (is_object && a != b && expr_node(scan->pool, a)->op == EXPR_SYM &&
      expr_node(scan->pool, b)->op == EXPR_SYM)
    return true; // A2
  if (type.kind == IR_INT || is_object) return expr_is_false(scan->pool, expr_eq(scan->pool, a, b));
  Key first = key_of(scan, ir, one), second = key_of(scan, ir, other);
  bool are_known = first.kind == second.kind && (first.kind == KEY_LITERAL || first.kind == KEY_NUMBER);
  return are_known && first.number != second.number;
}

static bool are_alike(const IrModule *module, const IrFunction *one, const IrFunction *other, uint32_t depth);

static bool is_one_operand(const IrModule *module, const IrFunction *one, const IrFunction *other, IrRef a,
                           IrRef b, uint32_t depth) {
  if (ir_ref_kind(a) != ir_ref_kind(b)) return false;
  if (ir_ref_kind(a) == IR_REF_FUNC)
    return are_alike(module, module->functions.items[ir_ref_index(a)],
                     module->functions.items[ir_ref_index(b)], depth - 1);
  if (ir_ref_kind(a) != IR_REF_CONST) return a == b;
  const IrConst *x = &one->consts.items[ir_ref_index(a)], *y = &other->consts.items[ir_ref_index(b)];
  return x->type.kind == y->type.kind && x->bits == y->bits;
}

static bool is_one_callee(const IrModule *module, const char *one, const char *other, uint32_t depth) {
  if (!one || !other || strcmp(one, other) == 0) return !one == !other;
  const IrFunction *first = ir_find_function(module, one), *second = ir_find_function(module, other);
  return first && second && are_alike(module, first, second, depth - 1);
}

static bool is_one_step(const IrInst *a, const IrInst *b) {
  return a->op == b->op && a->pred == b->pred && a->imm == b->imm && a->op_count == b->op_count &&
         a->block == b->block && a->type.kind == b->type.kind && a->type.bytes == b->type.bytes;
}

// Do the two do the same with what they are given?
static bool are_alike(const IrModule *module, const IrFunction *one, const IrFunction *other,
                      uint32_t depth) {
  uint32_t count = one->insts.count;
  if (one == other) return true;
  if (depth == 0 || count == 0 || count != other->insts.count) return false;
  for (uint32_t i = 0; i < count; i++) {
    const IrInst *a = &one->insts.items[i], *b = &other->insts.items[i];
    if (!is_one_step(a, b)) return false;
    if (a->op == IR_CALL && !is_one_callee(module, a->name, b->name, depth)) return false;
    for (uint32_t k = 0; k < a->op_count; k++)
      if (!is_one_operand(module, one, other, a->ops[k], b->ops[k], depth)) return false;
  }
  return true;
}

// Both calls may have given one element: they are of functions with one text, and no argument tells them apart.
// `*function` is the first one's; whether one without a text gives one element is asked in handed_on.c.
static bool may_find_one(HostScan *scan, const Call *one, const Call *other, HostFunction **function) {
  const IrInst *a = one->inst, *b = other->inst;
  HostFunction *second = NULL;
  if (one->by != other->by || a == b || a->op_count != b->op_count) return false;
  (void)host_call(scan, a, function);
  (void)host_call(scan, b, &second);
  if (!*function || !second || !are_alike(scan->module, (*function)->ir, second->ir, ALIKE_DEPTH))
    return false;
  for (uint32_t i = 0; i < a->op_count; i++)
    if (are_apart(scan, one->by, a->ops[i], b->ops[i], i == 0)) return false;
  return true;
}

const char *host_one_element(HostScan *scan, ExprRef one, ExprRef other) {
  ASSERT(expr_is_of(scan->pool, one));
  ASSERT(expr_is_of(scan->pool, other));
  Calls a = calls_of(scan, one), b = calls_of(scan, other);
  for (uint32_t i = 0; i < a.count; i++)
    for (uint32_t k = 0; k < b.count; k++) {
      HostFunction *function = NULL;
      if (!may_find_one(scan, &a.items[i], &b.items[k], &function)) continue;
      const SrcLoc *loc = ir_loc(scan->module, a.items[i].inst->loc);
      return arena_printf(scan->arena, "what '%s' finds (%s:%u)", host_name_of_callee(scan, a.items[i].inst),
                          loc->file ? loc->file : "?", loc->line);
    }
  return NULL;
}
