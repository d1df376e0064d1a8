// Does the program keep one allocation at two places, so that two pointers that are read back from memory may
// be the same? Where pointers come out of containers, tables and objects that are not followed, that
// different places hold different pointers is an assumption (A2); a program that stores one pointer twice
// speaks against it. Method: each variable that a call of the allocator fills is followed through loads to
// where it is stored in memory that is no plain variable. What counts of a place is the member of its class,
// or the container whose method has given the address. Two pointers may be one if some allocation is stored
// at both their places, by two places of the text or, in one place, by a loop that does not allocate it anew.
// Soundness: only adds a case. Pointers that were handed on in other ways (returned, copied with the object
// around them) are not found, and stay with A2.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/objects.h"
#include "core/bug.h"
#include "hostscan/program.h"
#include "hostscan/terms.h"

#include <string.h>

// Where in memory, as far as objects of one kind are concerned.
typedef struct Spot {
  const char *owner; // class; NULL: not known
  int64_t offset;    // in its object, or behind the address that a call has given
  const IrFunction *function;
  uint32_t container; // variable of the function whose method has given the address, + 1; 0: none
} Spot;

typedef struct Kept { // a store of what the allocation's variable holds
  const IrFunction *function;
  uint32_t slot; // the variable, an ALLOCA of the function
  Spot at;
  const SrcLoc *loc; // the user's own line
  bool is_repeated;  // by a loop that does not allocate
} Kept;

struct HostKept {
  VEC(Kept) stores;
};

// ---- stores
static const IrInst *stripped(const IrFunction *ir, IrRef ref) {
  const IrInst *inst = ir_inst(ir, ref);
  while (inst && inst->op == IR_BITCAST)
    inst = ir_inst(ir, inst->ops[0]);
  return inst;
}

static uint32_t container_of(const IrFunction *ir, const IrInst *call) {
  const IrInst *object = call && call->op == IR_CALL && call->op_count ? stripped(ir, call->ops[0]) : NULL;
  return object && object->op == IR_ALLOCA ? (uint32_t)(object - ir->insts.items) + 1 : 0;
}

// `access`: a load from the address or a store to it, which may know the class; NULL: none at hand.
static Spot spot_of(const IrFunction *ir, const IrInst *access, IrRef address) {
  Spot spot = {.function = ir, .owner = access ? access->owner : NULL};
  const IrInst *inst = stripped(ir, address);
  if (spot.owner) spot.offset = access->imm;
  for (int64_t step = 0; !spot.owner && inst && inst->op == IR_PTRADD; inst = stripped(ir, inst->ops[0])) {
    spot.owner = inst->owner;
    if (!ir_const_value(ir, inst->ops[1], &step)) break;
    spot.offset = inst->owner ? spot.offset + inst->imm : spot.offset + step;
  }
  if (!spot.owner) spot.container = container_of(ir, inst);
  return spot;
}

static bool same_spot(const Spot *a, const Spot *b) {
  if (a->offset != b->offset || !a->owner != !b->owner) return false;
  if (a->owner) return strcmp(a->owner, b->owner) == 0;
  return a->container == b->container && (!a->container || a->function == b->function);
}

// Another variable that holds just a pointer is followed by value; this is about objects and containers.
static bool is_plain_variable(const IrFunction *ir, IrRef address) {
  const IrInst *inst = stripped(ir, address);
  return inst && inst->op == IR_ALLOCA && !inst->owner && inst->imm <= 8;
}

static bool same_place(const SrcLoc *a, const SrcLoc *b) {
  if (!a || !b) return a == b;
  return a->line == b->line && a->column == b->column && a->file == b->file;
}

// The line of the store in the text that allocates, however deep in inlined calls it stands.
static const SrcLoc *line_beside(const SrcLoc *store, const SrcLoc *allocation) {
  const SrcLoc *line = store;
  for (const SrcLoc *scope = allocation; scope; scope = scope->inlined_at)
    for (line = store; line; line = line->inlined_at)
      if (same_place(line->inlined_at, scope->inlined_at)) return line;
  return store;
}

static bool loop_has(const Cfg *cfg, uint32_t loop, uint32_t block) {
  return loop != CFG_NONE && cfg_loop_contains(cfg, loop, block);
}

static void look_at_store(HostScan *scan, HostFunction *function, uint32_t slot, uint32_t allocated,
                          uint32_t index) {
  const IrFunction *ir = function->ir;
  const IrInst *store = &ir->insts.items[index], *value = stripped(ir, store->ops[1]);
  if (!value || value->op != IR_LOAD || value->ops[0] != IR_REF(IR_REF_INST, slot) ||
      is_plain_variable(ir, store->ops[0]))
    return;
  uint32_t loop = function->cfg->loop_of[store->block];
  Kept kept = {.function = ir, .slot = slot, .at = spot_of(ir, store, store->ops[0])};
  kept.loc =
      line_beside(ir_loc(scan->module, store->loc), ir_loc(scan->module, ir->insts.items[allocated].loc));
  kept.is_repeated = loop != CFG_NONE && !loop_has(function->cfg, loop, ir->insts.items[allocated].block);
  vec_push(scan->arena, &scan->kept->stores, kept);
}

static bool allocates(HostScan *scan, const IrInst *call) {
  HostCallKind kind = call->op == IR_CALL ? host_call(scan, call, NULL)->kind : CALL_QUIET;
  return kind == CALL_ALLOCATE || kind == CALL_ALLOCATE_PITCH;
}

static void look_at_function(HostScan *scan, HostFunction *function) {
  const IrFunction *ir = function->ir;
  for (uint32_t i = 0; i < ir->insts.count; i++) {
    const IrInst *call = &ir->insts.items[i];
    const IrInst *slot = call->op_count && allocates(scan, call) ? stripped(ir, call->ops[0]) : NULL;
    if (!slot || slot->op != IR_ALLOCA) continue;
    host_function_open(scan, function);
    for (uint32_t k = 0; k < ir->insts.count; k++)
      if (ir->insts.items[k].op == IR_STORE)
        look_at_store(scan, function, (uint32_t)(slot - ir->insts.items), i, k);
  }
}

static void find_kept(HostScan *scan) {
  scan->kept = arena_new(scan->arena, struct HostKept);
  for (uint32_t f = 0; f < scan->module->functions.count; f++)
    if (scan->module->functions.items[f]->blocks.count && !scan->functions[f].is_generated)
      look_at_function(scan, &scan->functions[f]);
}

// ---- two pointers
static bool are_two_places(const Kept *a, const Kept *b) {
  return !same_spot(&a->at, &b->at) || a->is_repeated || !same_place(a->loc, b->loc);
}

static const IrInst *load_from(const IrFunction *ir, IrRef address) {
  for (uint32_t i = 0; i < ir->insts.count; i++)
    if (ir->insts.items[i].op == IR_LOAD && ir->insts.items[i].ops[0] == address) return &ir->insts.items[i];
  return NULL;
}

// Read back from memory: a symbol for a content of something, that nobody is seen to have put there.
static bool read_back_at(HostScan *scan, ExprRef leaf, Spot *spot) {
  const ExprNode *node = expr_node(scan->pool, leaf);
  const HostObject *object = host_object_of(scan, leaf);
  if (node->op != EXPR_SYM || object->kind != HOST_POINTER || object->is_parameter) return false;
  const HostSym *sym = host_sym(scan, (uint32_t)node->value);
  if (sym->read_by) {
    const IrFunction *ir = sym->frame->function->ir;
    const IrInst *load = &ir->insts.items[sym->read_by - 1];
    if (load->op == IR_LOAD) *spot = spot_of(ir, load, load->ops[0]);
    return load->op == IR_LOAD;
  }
  const HostCellInfo *info = sym->cell ? &scan->cell_infos.items[sym->cell] : NULL;
  if (!info || !info->reader) return false;
  *spot = spot_of(info->reader->ir, load_from(info->reader->ir, info->address), info->address);
  spot->offset += info->behind;
  return true;
}

const char *host_kept_twice(HostScan *scan, ExprRef one, ExprRef other) {
  ASSERT(expr_is_of(scan->pool, one));
  ASSERT(expr_is_of(scan->pool, other));
  Spot spots[2];
  if (one == other || !read_back_at(scan, one, &spots[0]) || !read_back_at(scan, other, &spots[1]))
    return NULL;
  if (!scan->kept) find_kept(scan);
  for (uint32_t i = 0; i < scan->kept->stores.count; i++)
    for (uint32_t k = 0; k < scan->kept->stores.count; k++) {
      const Kept *a = &scan->kept->stores.items[i], *b = &scan->kept->stores.items[k];
      if (a->function != b->function || a->slot != b->slot || !same_spot(&a->at, &spots[0]) ||
          !same_spot(&b->at, &spots[1]) || !are_two_places(a, b))
        continue;
      const char *name = a->function->insts.items[a->slot].name;
      return arena_printf(scan->arena, "'%s', which is kept at two places (%s:%u%s)",
                          name ? name : "one allocation", a->loc->file ? a->loc->file : "?", a->loc->line,
                          a->loc->line == b->loc->line ? ""
                                                       : arena_printf(scan->arena, " and %u", b->loc->line));
    }
  return NULL;
}
