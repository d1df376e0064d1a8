// Does the program put parts of one array into memory, at places where a pointer is read back that is not followed? Two of them may be in one
// array then, at any distance.
// Method: each store by the program's own functions of a pointer that is moved on from another one, by the variable that it goes to, if that is
// seen; a pointer that is read back came from the variable which holds it, or from memory of which no more is known.
// Soundness: over-approximates for such stores. Parts that are put there by copies of structs, and what one function moves and another one
// stores, are not looked for (A2), nor parts that code which others run reads from two containers.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/launch/launch.h"
#include "core/bug.h"
#include "hostscan/names.h"
#include "hostscan/objects.h"
#include "hostscan/program.h"
#include "hostscan/syntax.h"
#include "hostscan/terms.h"

// Where a store goes: a variable of the function, one of the program, or neither.
typedef struct Room {
  const IrFunction *function; // of the variable; NULL: it is none of a function
  uint32_t index;             // of its ALLOCA, or of the variable of the program
  bool is_global;
} Room;

static Room room_of(const IrFunction *ir, IrRef address) {
  IrRef base = ir_address_base(ir, address);
  const IrInst *root = ir_inst(ir, base);
  if (ir_ref_kind(base) == IR_REF_GLOBAL) return (Room){.index = ir_ref_index(base), .is_global = true};
  if (root && root->op == IR_ALLOCA) return (Room){.function = ir, .index = ir_ref_index(base)};
  return (Room){0};
}

static bool is_same_room(const Room *a, const Room *b) {
  return a->function == b->function && a->index == b->index && a->is_global == b->is_global;
}

// Memory of the device, moved on.
static bool is_part(HostScan *scan, const IrFunction *ir, IrRef value) {
  const IrInst *inst = ir_inst(ir, value);
  int64_t step = 1;
  while (inst && inst->op == IR_BITCAST)
    inst = ir_inst(ir, inst->ops[0]);
  if (!inst || inst->op != IR_PTRADD || (ir_const_value(ir, inst->ops[1], &step) && step == 0)) return false;
  IrRef base = ir_address_base(ir, value);
  const IrInst *root = ir_inst(ir, base);
  if (!root) return ir_ref_kind(base) == IR_REF_PARAM;
  HostCallKind kind = root->op == IR_CALL ? host_call(scan, root, NULL)->kind : CALL_QUIET;
  return root->op != IR_ALLOCA && kind != CALL_NEW && kind != CALL_NEW_ZEROED;
}

static const IrInst *part_in(HostScan *scan, const Room *room) {
  for (uint32_t f = 0; f < scan->module->functions.count; f++) {
    const IrFunction *ir = scan->module->functions.items[f];
    bool is_own = !scan->functions[f].is_generated && !host_is_library(ir->display);
    for (uint32_t i = 0; is_own && i < ir->insts.count; i++) {
      const IrInst *store = &ir->insts.items[i];
      if (store->op != IR_STORE || ir_ref_type(scan->module, ir, store->ops[1]).kind != IR_PTR) continue;
      Room here = room_of(ir, store->ops[0]);
      if (is_same_room(&here, room) && is_part(scan, ir, store->ops[1])) return store;
    }
  }
  return NULL;
}

static const HostObject *holder_of(HostScan *scan, ExprRef leaf) {
  const ExprNode *node = expr_node(scan->pool, leaf);
  if (node->op != EXPR_SYM || host_object_of(scan, leaf)->kind != HOST_POINTER) return NULL;
  const HostSym sym = *host_sym(scan, (uint32_t)node->value);
  ExprRef holder = host_holder_of(scan, &sym);
  return holder ? host_object_of(scan, holder) : NULL;
}

static const IrInst *part_beside(HostScan *scan, const HostObject *holder) {
  Room room = {0};
  if (holder->kind == HOST_LOCAL && holder->frame)
    room = (Room){.function = holder->frame->function->ir, .index = holder->inst};
  if (holder->kind == HOST_GLOBAL) room = (Room){.index = holder->index, .is_global = true};
  return part_in(scan, &room);
}

bool host_holds_parts(HostScan *scan, ExprRef leaf) {
  ASSERT(expr_is_of(scan->pool, leaf));
  const HostObject *holder = holder_of(scan, leaf);
  return holder && part_beside(scan, holder);
}

// ---- code that others run
// Read by such code, out of memory that another pointer out of memory leads to: a container which the code was given.
static bool is_read_from_container(HostScan *scan, ExprRef leaf) {
  const HostObject *holder = holder_of(scan, leaf);
  if (!holder || holder->kind != HOST_POINTER || holder->is_parameter || !holder_of(scan, holder->leaf))
    return false;
  const HostSym sym = *host_sym(scan, (uint32_t)expr_node(scan->pool, leaf)->value);
  const HostFrame *frame = host_found_in(scan, &sym);
  while (frame && frame->parent)
    frame = frame->parent;
  return frame && host_is_run_unseen(frame->function);
}

const char *host_parts_given(HostScan *scan, ExprRef one, ExprRef other) {
  ASSERT(expr_is_of(scan->pool, one));
  ASSERT(expr_is_of(scan->pool, other));
  if (!scan->options || !scan->options->has_main || !is_read_from_container(scan, one) ||
      !is_read_from_container(scan, other))
    return NULL;
  if (holder_of(scan, one) != holder_of(scan, other)) return NULL;
  const IrInst *store = part_beside(scan, holder_of(scan, one));
  const SrcLoc *loc = store ? ir_loc(scan->module, store->loc) : NULL;
  return loc ? arena_printf(scan->arena, "parts of one array that are put into memory (%s:%u)",
                            loc->file ? loc->file : "?", loc->line)
             : NULL;
}
