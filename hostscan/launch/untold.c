// An unknown pointer that memory of the device holds, or an unknown number: did code of the program put it there whose text is seen, but
// not followed? Then nothing may be assumed of where it leads (A8 is for pointers from elsewhere), nor that it is zero (A11 is for words that
// nobody sets; of what kernels leave there runs tell, A15).
// Method: symbols of contents know the place that they belong to: behind a write, at the header of a loop, behind many ways. Of a loop, its
// first write to the array is looked for. Functions of an element are asked for the symbols that they stand for.
// Of a pointer that the launch itself is given it is asked likewise whether it may come from outside (A2): a parameter of a function that
// nothing calls, what a call without a text gives, what such calls left in memory.
// Soundness: in doubt there is such code; none is seen where memory is uninitialised, was there before the program's entry, was
// written by calls without a text, or lies behind a pointer that does not belong to the program.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/launch/launch.h"
#include "core/bug.h"
#include "hostscan/objects.h"
#include "hostscan/kernels.h"
#include "hostscan/names.h"
#include "hostscan/program.h"
#include "hostscan/series.h"
#include "hostscan/syntax.h"
#include "hostscan/terms.h"
#include "hostscan/value.h"

#include <string.h>

static const char *kernel_text(HostScan *scan, HostFrame *frame, uint32_t inst, HostCallKind kind) {
  const IrFunction *kernel = host_launched_kernel(scan, frame, inst, kind);
  if (!kernel) return "a kernel";
  return arena_printf(scan->arena, "kernel '%s'", host_display_name(kernel));
}

// Is it a launch, of what kind?
static bool is_launch_at(HostScan *scan, const HostFrame *frame, uint32_t inst, HostCallKind *kind) {
  const IrInst *writer = &frame->function->ir->insts.items[inst];
  *kind = writer->op == IR_CALL ? host_call(scan, writer, NULL)->kind : CALL_QUIET;
  return host_call_class(*kind) == CLASS_LAUNCHES ||
         (*kind == CALL_UNKNOWN && host_is_launch(scan, frame->function, inst, kind));
}

// It copies, perhaps pointers, in a way that is not followed.
static bool is_copy(const char *base) {
  static const char *const copies[] = {"cudaMemcpy", "cuMemcpy", "cublasSetVector", "cublasSetMatrix"};
  for (uint32_t i = 0; i < sizeof copies / sizeof *copies; i++)
    if (str_starts_with(base, copies[i])) return true;
  return false;
}

// In words, a call whose text is not seen.
static const char *unseen_call(HostScan *scan, const IrInst *call) {
  const char *name = host_name_of_callee(scan, call);
  return name ? arena_printf(scan->arena, "'%s'", name) : "a call through a pointer";
}

// Who writes there; NULL: its text is not seen.
static const char *writer_text(HostScan *scan, HostFrame *frame, uint32_t inst) {
  const IrInst *writer = &frame->function->ir->insts.items[inst];
  HostCallKind kind;
  size_t length = 0;
  if (writer->op != IR_CALL) return "host code";
  if (is_launch_at(scan, frame, inst, &kind)) return kernel_text(scan, frame, inst, kind);
  const char *name = host_callee_name(scan, writer);
  if (name && strcmp(name, "__hgrd_opaque_sync_library") == 0) return "an algorithm of a library";
  if (!name) return NULL;
  bool is_unseen = host_call_class(kind) == CLASS_UNKNOWN || kind == CALL_WRITES || kind == CALL_WRITES_FAR;
  if (is_unseen && !is_copy(host_base_name(name, &length))) return NULL;
  if (kind == CALL_LIBRARY)
    return arena_printf(scan->arena, "a library's '%s'", name + strlen(HOST_CONTENTS_PREFIX));
  return arena_printf(scan->arena, "'%s'", host_name_of_callee(scan, writer));
}

// ---- calls whose text is not there
static bool may_hold_pointers(HostScan *scan, const HostObject *object) {
  int64_t size = 8;
  bool is_text = object->kind == HOST_GLOBAL && scan->module->globals.items[object->index].is_constant;
  if (object->size_bytes) (void)expr_is_const(scan->pool, object->size_bytes, &size);
  return !is_text && size >= 8;
}

// A parameter of a function that nothing calls, or what lies behind it.
static bool is_of_parameter(HostScan *scan, const HostObject *object) {
  (void)scan;
  return object->is_parameter;
}

// Is the call given a pointer to such an object, besides that to the array?
static bool is_given(HostScan *scan, HostFrame *frame, const IrInst *call, ExprRef array,
                     bool is_such(HostScan *, const HostObject *)) {
  for (uint32_t i = 0; i < host_argument_count(call); i++) {
    HostTargets targets = {0};
    if (ir_ref_type(scan->module, frame->function->ir, call->ops[i]).kind != IR_PTR) continue;
    if (!host_targets(scan, host_value(scan, frame, call->ops[i]), &targets)) return true;
    for (uint32_t k = 0; k < targets.count; k++) {
      ExprRef leaf = targets.items[k].leaf;
      if (leaf && leaf != array && is_such(scan, host_object_of(scan, leaf))) return true;
    }
  }
  return false;
}

// A call in front of the instruction.
static bool gave_parameter(HostScan *scan, HostFrame *frame, uint32_t call, uint32_t inst, ExprRef array) {
  return host_comes_behind(scan, frame->function, &call, 1, inst) &&
         is_given(scan, frame, &frame->function->ir->insts.items[call], array, is_of_parameter);
}

// Has code that is not seen got the address of another array before?
static bool knows_others(HostScan *scan, HostFrame *frame, uint32_t inst, ExprRef array) {
  uint32_t before = inst;
  for (HostFrame *at = frame; at; before = at->call, at = at->parent)
    for (uint32_t i = 0; i < at->function->ir->insts.count; i++) {
      const IrInst *made = &at->function->ir->insts.items[i];
      HostCallKind kind = made->op == IR_CALL ? host_call(scan, made, NULL)->kind : CALL_QUIET;
      if (kind == CALL_ALLOCATE || kind == CALL_ALLOCATE_PITCH) (void)host_allocation(scan, at, i);
      if (kind == CALL_UNKNOWN && i != before && gave_parameter(scan, at, i, before, array)) return true;
    }
  for (uint32_t i = 1; i < scan->objects.count; i++) {
    const HostObject *object = &scan->objects.items[i];
    HostCell cell = {object->leaf, host_element(scan), 8, IR_PTR};
    bool may_be = object->kind == HOST_DEVICE || object->kind == HOST_HEAP;
    if (may_be && object->leaf != array && host_is_handed_on(scan, frame, inst, cell)) return true;
  }
  return false;
}

// Memory that belongs to the program, so that its writers are seen.
static bool is_own(HostObjectKind kind) {
  return kind != HOST_POINTER && kind != HOST_NOTHING && kind != HOST_FUNCTION_ADDRESS;
}

// Does the array itself hold addresses of other arrays?
static bool holds_others(HostScan *scan, HostFrame *frame, uint32_t inst, ExprRef array) {
  HostTargets targets = {0};
  HostCell cell = {array, host_element(scan), 8, IR_PTR};
  if (!host_targets(scan, host_settle(scan, host_cell_before(scan, frame, inst, cell)), &targets))
    return false;
  for (uint32_t i = 0; i < targets.count; i++) {
    const HostObject *object = targets.items[i].leaf ? host_object_of(scan, targets.items[i].leaf) : NULL;
    if (object && (is_own(object->kind) || object->is_parameter)) return true;
  }
  return false;
}

// It may put a pointer that it knows at two places of the array; NULL: it knows none.
static const char *unseen_text(HostScan *scan, HostFrame *frame, uint32_t inst, ExprRef array) {
  const IrInst *call = &frame->function->ir->insts.items[inst];
  if (call->op != IR_CALL || host_call(scan, call, NULL)->kind != CALL_UNKNOWN) return NULL;
  if (!is_given(scan, frame, call, array, may_hold_pointers) && !knows_others(scan, frame, inst, array) &&
      !holds_others(scan, frame, inst, array))
    return NULL;
  const char *name = host_name_of_callee(scan, call);
  return name ? arena_printf(scan->arena, "'%s', which may put one pointer at two places,", name)
              : "a call through a pointer";
}

typedef enum Asked {
  ASKED_POINTERS,
  ASKED_HELD,
  ASKED_FILLED,
  ASKED_NUMBERS,
  ASKED_COPIES
} Asked; // HELD: of calls that are not seen as well; FILLED: likewise, but not with zeros; COPIES: only of bytes that stay where they were, too

static const char *writer_at(HostScan *scan, HostFrame *frame, uint32_t inst, Asked asked, HostCell cell);

enum { ENTERED_SIZE = 3000, ENTERED_DEPTH = 64 }; // instructions, with all that it calls

// Of a call of a function whose text is seen: who writes the cell in there. false: it is not gone into.
static bool find_inside(HostScan *scan, HostFrame *frame, uint32_t inst, Asked asked, HostCell cell,
                        const char **who) {
  const IrInst *call = &frame->function->ir->insts.items[inst];
  HostFunction *callee = NULL;
  if (call->op != IR_CALL || host_call(scan, call, &callee)->kind != CALL_DEFINED || !callee) return false;
  if (host_function_size(scan, callee) > ENTERED_SIZE || scan->depth > HOST_MEMORY_DEPTH) return false;
  HostFrame *child = host_frame_child(scan, frame, inst);
  if (!child) return false;
  const HostFunction *function = child->function;
  bool is_touched = false;
  scan->depth += ENTERED_DEPTH;
  for (uint32_t b = 0; b < function->ir->blocks.count && !*who; b++)
    for (uint32_t e = function->effect_first[b]; e < function->effect_first[b + 1] && !*who; e++)
      if (host_touches(scan, child, function->effects[e], cell)) {
        is_touched = true;
        *who = writer_at(scan, child, function->effects[e], asked, cell);
      }
  scan->depth -= ENTERED_DEPTH;
  return is_touched;
}

// Is a call given a pointer into the array, or one that is not followed?
static bool is_given_array(HostScan *scan, HostFrame *frame, const IrInst *call, ExprRef array) {
  for (uint32_t i = 0; i < host_argument_count(call); i++) {
    HostTargets targets = {0};
    IrType type = ir_ref_type(scan->module, frame->function->ir, call->ops[i]);
    if (type.kind != IR_PTR && (type.kind != IR_INT || type.bits < 64)) continue;
    bool is_followed = host_targets(scan, host_value(scan, frame, call->ops[i]), &targets);
    if (!is_followed && type.kind == IR_PTR) return true;
    for (uint32_t k = 0; k < targets.count; k++)
      if (targets.items[k].leaf == array) return true;
  }
  return false;
}

// It puts zeros there, or it is a call whose text is not seen, and that is not given an array from outside.
static bool leaves_zero(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  const IrInst *writer = &frame->function->ir->insts.items[inst];
  HostCallKind kind = writer->op == IR_CALL ? host_call(scan, writer, NULL)->kind : CALL_QUIET;
  int64_t number = 1;
  if (kind == CALL_FILL || writer->op == IR_MEMSET || writer->op == IR_STORE)
    return expr_is_const(scan->pool, host_settle(scan, host_value(scan, frame, writer->ops[1])), &number) &&
           number == 0;
  return cell.base && host_object_of(scan, cell.base)->kind == HOST_POINTER &&
         host_call_class(kind) == CLASS_UNKNOWN && writer->op == IR_CALL &&
         !is_given_array(scan, frame, writer, cell.base);
}

// A call through a pointer, of what may be a function whose text is here.
static const char *text_by_pointer(HostScan *scan, const HostFrame *frame, uint32_t inst) {
  const IrFunction *ir = frame->function->ir;
  const IrInst *call = &ir->insts.items[inst];
  if (call->op != IR_CALL || host_callee_name(scan, call)) return NULL;
  for (uint32_t f = 0; f < scan->module->functions.count; f++)
    if (host_may_call(scan, ir, call, &scan->functions[f])) return "a call through a pointer";
  return NULL;
}

static const char *writer_at(HostScan *scan, HostFrame *frame, uint32_t inst, Asked asked, HostCell cell) {
  HostCallKind kind;
  const char *inside = NULL;
  if (find_inside(scan, frame, inst, asked, cell, &inside)) return inside;
  if (asked == ASKED_COPIES && !host_copies_what_stays(scan, frame, inst)) return NULL;
  if (asked == ASKED_NUMBERS &&
      (is_launch_at(scan, frame, inst, &kind) || leaves_zero(scan, frame, inst, cell)))
    return NULL;
  if (asked == ASKED_FILLED && leaves_zero(scan, frame, inst, cell)) return NULL;
  const char *what = writer_text(scan, frame, inst);
  if (!what && asked == ASKED_NUMBERS) what = unseen_call(scan, &frame->function->ir->insts.items[inst]);
  if (!what && (asked == ASKED_HELD || asked == ASKED_FILLED))
    what = unseen_text(scan, frame, inst, cell.base);
  if (!what && asked == ASKED_POINTERS) what = text_by_pointer(scan, frame, inst);
  if (!what) return NULL;
  SrcLoc loc = host_loc(scan, frame, &frame->function->ir->insts.items[inst]);
  return arena_printf(scan->arena, "%s at line %u", what, loc.line);
}

typedef struct Writers { // of a cell
  const char *who;       // the first whose text is seen; NULL: none is
  bool has_unseen;       // others write there
} Writers;

static void look_in_block(HostScan *scan, HostFrame *frame, uint32_t block, HostCell cell, Asked asked,
                          Writers *writers) {
  const HostFunction *function = frame->function;
  for (uint32_t e = function->effect_first[block]; e < function->effect_first[block + 1] && !writers->who;
       e++)
    if (host_touches(scan, frame, function->effects[e], cell)) {
      writers->who = writer_at(scan, frame, function->effects[e], asked, cell);
      writers->has_unseen |= !writers->who;
    }
}

static Writers writers_in_loop(HostScan *scan, HostFrame *frame, uint32_t loop, HostCell cell, Asked asked) {
  const CfgLoop *info = &frame->function->cfg->loops.items[loop];
  Writers writers = {0};
  for (uint32_t i = 0; i < info->blocks.count && !writers.who; i++)
    look_in_block(scan, frame, info->blocks.items[i], cell, asked, &writers);
  return writers;
}

static const char *code_before(HostScan *scan, HostFrame *frame, uint32_t block) {
  const IrFunction *ir = frame->function->ir;
  SrcLoc loc = host_loc(scan, frame, &ir->insts.items[ir->blocks.items[block].first]);
  return arena_printf(scan->arena, "code before line %u", loc.line);
}

// Of what a loop leaves in a cell, in a way that is not followed: if none of its instructions is seen to write there, it is something else
// about the loop that is not.
static const char *writer_in_loop(HostScan *scan, HostFrame *frame, uint32_t loop, HostCell cell,
                                  Asked asked) {
  Writers writers = writers_in_loop(scan, frame, loop, cell, asked);
  if (writers.who || writers.has_unseen) return writers.who;
  const HostFunction *function = frame->function;
  uint32_t header = function->cfg->loops.items[loop].header;
  const IrBlock *block = &function->ir->blocks.items[header];
  SrcLoc loc = host_loc(scan, frame, &function->ir->insts.items[block->first + block->count - 1]);
  return arena_printf(scan->arena, "a loop at line %u", loc.line);
}

// Control is at `inst` of the frame, and of each frame around at the call that leads here: only what can have come before counts.
static const char *writer_on_chain(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell,
                                   Asked asked) {
  const char *who = NULL;
  for (; frame && !who; inst = frame->call, frame = frame->parent) {
    const HostFunction *function = frame->function;
    for (uint32_t b = 0; b < function->ir->blocks.count && !who; b++)
      for (uint32_t e = function->effect_first[b]; e < function->effect_first[b + 1] && !who; e++)
        if (host_comes_behind(scan, frame->function, &function->effects[e], 1, inst) &&
            host_touches(scan, frame, function->effects[e], cell))
          who = writer_at(scan, frame, function->effects[e], asked, cell);
  }
  return who;
}

bool host_puts_pointers(HostScan *scan, HostFrame *frame, uint32_t inst, ExprRef memory) {
  HostCell cell = {memory, host_element(scan), 8, IR_PTR};
  return writer_on_chain(scan, frame, inst, cell, ASKED_FILLED) != NULL;
}

// Of a symbol of a block, for what lies in memory at its start or its end.
static const char *writer_before(HostScan *scan, const HostSym *sym, HostCell cell, Asked asked) {
  const IrBlock *block = &sym->place_frame->function->ir->blocks.items[sym->place_index];
  bool is_end = sym->place == 1 + PLACE_END;
  uint32_t inst = is_end ? block->first + block->count - 1 : block->first;
  return writer_on_chain(scan, sym->place_frame, inst, cell, asked);
}

// Of a symbol for what lies in a cell at its place: the writer there, in the loop that it stands for, or before.
static const char *writer_of(HostScan *scan, const HostSym *sym, HostCell cell, Asked asked) {
  HostFrame *frame = sym->place_frame;
  uint32_t at = sym->place_index;
  const char *who = NULL;
  switch ((HostPlace)(sym->place - 1)) {
  case PLACE_ENTRY: return NULL;
  case PLACE_AFTER:
    who = writer_at(scan, frame, at, asked, cell);
    return who ? who : writer_on_chain(scan, frame, at, cell, asked);
  case PLACE_HEADER: return writers_in_loop(scan, frame, at, cell, asked).who;
  case PLACE_START:
  case PLACE_END: break;
  }
  return writer_before(scan, sym, cell, asked);
}

const char *host_changed_later(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  const char *who = NULL;
  for (; frame && !who; inst = frame->call, frame = frame->parent) {
    const HostFunction *function = frame->function;
    for (uint32_t b = 0; b < function->ir->blocks.count && !who; b++)
      for (uint32_t e = function->effect_first[b]; e < function->effect_first[b + 1] && !who; e++) {
        uint32_t at = function->effects[e];
        const IrInst *writer = &function->ir->insts.items[at];
        // The launch of a graph does what was put into it, which is looked at where it was.
        if (writer->op == IR_CALL && host_call(scan, writer, NULL)->kind == CALL_WRITES_FAR) continue;
        if (at != inst && host_comes_behind(scan, frame->function, &inst, 1, at) &&
            host_touches(scan, frame, at, cell))
          who = writer_at(scan, frame, at, ASKED_POINTERS, cell);
      }
  }
  return who;
}

// The pointer that the symbol stands for; at any place of its array, if that is not known.
static HostCell cell_of(HostScan *scan, const HostSym *sym) {
  ExprRef offset = sym->cell_offset ? sym->cell_offset : host_element(scan);
  return (HostCell){scan->objects.items[sym->holder].leaf, offset, 8, IR_PTR};
}

// What lay in another array, of which it is not asked what that was.
static const char *moved_from(HostScan *scan, const HostObject *array) {
  if (!array->is_copied) return NULL;
  return arena_printf(scan->arena, "'realloc' at line %u", array->loc.line);
}

const char *host_put_unseen(HostScan *scan, ExprRef leaf) {
  ASSERT(host_has_expr(scan, leaf));
  ExprNode node = *expr_node(scan->pool, leaf);
  if (node.op != EXPR_SYM || host_object_of(scan, leaf)->kind != HOST_POINTER) return NULL;
  const HostSym sym = *host_sym(scan, (uint32_t)node.value);
  if (!sym.place || sym.is_uninitialised || !sym.holder) return NULL;
  const HostObject holder = scan->objects.items[sym.holder];
  if (sym.place == 1 + PLACE_ENTRY) return moved_from(scan, &holder);
  if (sym.place != 1 + PLACE_AFTER || !is_own(holder.kind)) return NULL;
  const char *who = unseen_text(scan, sym.place_frame, sym.place_index, holder.leaf);
  SrcLoc loc = host_loc(scan, sym.place_frame, &sym.place_frame->function->ir->insts.items[sym.place_index]);
  return who ? arena_printf(scan->arena, "%s at line %u", who, loc.line) : NULL;
}

static const char *untold_symbol(HostScan *scan, uint32_t index) {
  const HostSym *sym = host_sym(scan, index);
  if (sym->object && is_own(scan->objects.items[sym->object].kind)) return NULL;
  if (sym->is_uninitialised || !sym->place) return NULL;
  const HostObject *holder = &scan->objects.items[sym->holder];
  HostFrame *frame = sym->place_frame;
  uint32_t at = sym->place_index;
  if (!is_own(holder->kind) && !host_strayed(scan, holder->leaf)) return NULL;
  HostCell cell = cell_of(scan, sym);
  switch ((HostPlace)(sym->place - 1)) {
  case PLACE_ENTRY:
    return moved_from(scan, holder); // else zeros that nobody set, or what another program left
  case PLACE_AFTER: return writer_at(scan, frame, at, ASKED_HELD, cell);
  case PLACE_HEADER: return writer_in_loop(scan, frame, at, cell, ASKED_HELD);
  case PLACE_START:
  case PLACE_END: break;
  }
  return code_before(scan, frame, at);
}

// ---- allocations of a loop
// Is it another number for each element? A function of the element does: it is the round of a loop that wrote the element, and no other one.
static bool moves_with_element(HostScan *scan, ExprRef ref) {
  ExprNode node = *expr_node(scan->pool, ref);
  int64_t number = 0;
  switch ((ExprOp)node.op) {
  case EXPR_SYM: return ref == host_element(scan);
  case EXPR_APP: return node.arg_count == 1 && moves_with_element(scan, node.args[0]);
  case EXPR_RESIZES: return moves_with_element(scan, node.a);
  case EXPR_ADD:
  case EXPR_SUB: break;
  case EXPR_MUL:
    return expr_is_const(scan->pool, node.b, &number) && number != 0 && moves_with_element(scan, node.a);
  case EXPR_SDIV: // of these it may be the same number for two elements
  case EXPR_SREM:
  case EXPR_UDIV:
  case EXPR_UREM:
  case EXPR_SHL:
  case EXPR_LSHR:
  case EXPR_ASHR:
  case EXPR_AND:
  case EXPR_OR:
  case EXPR_XOR:
  case EXPR_NOT:
  case EXPR_ITE:
  case EXPR_COMPARISONS:
  case EXPR_NONE:
  case EXPR_CONST:
  case EXPR_OP_COUNT: return false;
  }
  if (expr_is_const(scan->pool, node.b, &number)) return moves_with_element(scan, node.a);
  return expr_is_const(scan->pool, node.a, &number) && moves_with_element(scan, node.b);
}

static bool is_spread(HostScan *scan, ExprRef leaf) {
  ExprNode node = *expr_node(scan->pool, leaf);
  for (uint32_t i = 0; i < node.arg_count; i++)
    if (moves_with_element(scan, node.args[i])) return true;
  return false;
}

const char *host_held_twice(HostScan *scan, const HostTargets *targets) {
  for (uint32_t i = 0; i < targets->count; i++) {
    ExprRef leaf = targets->items[i].leaf ? host_by_elements(scan, targets->items[i].leaf) : 0;
    bool is_made = leaf && expr_node(scan->pool, leaf)->op == EXPR_APP &&
                   host_object_of(scan, leaf)->kind != HOST_POINTER;
    if (!is_made || !host_is_of_element(scan, leaf)) continue;
    bool is_twice = !is_spread(scan, leaf);
    for (uint32_t k = 0; k < i && !is_twice; k++) {
      ExprRef other = targets->items[k].leaf ? host_by_elements(scan, targets->items[k].leaf) : 0;
      is_twice = other && other != leaf && host_object_of(scan, other) == host_object_of(scan, leaf) &&
                 host_is_of_element(scan, other);
    }
    if (is_twice)
      return arena_printf(scan->arena, "code that may put one of the allocations at line %u at two places",
                          host_object_of(scan, leaf)->loc.line);
  }
  return NULL;
}

// ---- a pointer that the launch is given
static const char *code_at(HostScan *scan, SrcLoc loc) {
  return arena_printf(scan->arena, "what code at line %u gives", loc.line);
}

// What a call returns whose text is not seen comes from outside.
static const char *given_by(HostScan *scan, HostFrame *frame, uint32_t inst) {
  const IrInst *maker = &frame->function->ir->insts.items[inst];
  SrcLoc loc = host_loc(scan, frame, maker);
  if (maker->op != IR_CALL) return code_at(scan, loc);
  if (host_call(scan, maker, NULL)->kind != CALL_DEFINED) return NULL;
  return arena_printf(scan->arena, "what '%s' returns at line %u", host_name_of_callee(scan, maker),
                      loc.line);
}

static const char *put_there_by(HostScan *scan, const char *who) {
  return who ? arena_printf(scan->arena, "what %s put there", who) : NULL;
}

// A new array (cudaArray_t) for each call.
static bool makes_array(HostScan *scan, const HostFrame *frame, uint32_t inst) {
  const IrInst *call = &frame->function->ir->insts.items[inst];
  return call->op == IR_CALL && host_call(scan, call, NULL)->kind == CALL_ALLOCATE_ARRAY;
}

static const char *strayed_content(HostScan *scan, const HostSym *sym) {
  const HostObject *holder = &scan->objects.items[sym->holder];
  HostCell cell = cell_of(scan, sym);
  HostFrame *frame = sym->place_frame;
  switch ((HostPlace)(sym->place - 1)) {
  case PLACE_ENTRY:
    return is_own(holder->kind) ? put_there_by(scan, moved_from(scan, holder))
                                : host_strayed(scan, holder->leaf);
  case PLACE_AFTER:
    if (makes_array(scan, frame, sym->place_index)) return NULL;
    return put_there_by(scan, writer_at(scan, frame, sym->place_index, ASKED_POINTERS, cell));
  case PLACE_HEADER:
    return put_there_by(scan, writer_in_loop(scan, frame, sym->place_index, cell, ASKED_POINTERS));
  case PLACE_START:
  case PLACE_END: break;
  }
  if (is_own(holder->kind)) return put_there_by(scan, code_before(scan, frame, sym->place_index));
  const char *who = put_there_by(scan, writer_before(scan, sym, cell, ASKED_POINTERS));
  return who ? who : host_strayed(scan, holder->leaf);
}

typedef struct Computed { // an address out of others
  HostScan *scan;
  const char *who;
} Computed;

static bool look_at_part(void *context, uint32_t sym) {
  Computed *computed = context;
  ExprPool *pool = computed->scan->pool;
  if (expr_sym_info(pool, sym)->width == 64)
    computed->who = host_strayed(computed->scan, expr_sym(pool, sym));
  return !computed->who;
}

// What a call may have changed: a jump back to setjmp finds there what visible code has put in since.
const char *host_put_since(HostScan *scan, ExprRef leaf, ExprRef other) {
  ASSERT(host_has_expr(scan, leaf) && host_has_expr(scan, other));
  const ExprNode *node = expr_node(scan->pool, leaf);
  const HostSym *sym = node->op == EXPR_SYM ? host_sym(scan, (uint32_t)node->value) : NULL;
  if (!sym || !sym->doubt) return NULL;
  HostDoubt doubt = scan->doubts.items[sym->doubt];
  const IrInst *call = &doubt.frame->function->ir->insts.items[doubt.inst];
  const HostObject *made = host_object_of(scan, other);
  bool is_younger = is_own(made->kind) && made->frame == doubt.frame &&
                    !host_comes_behind(scan, doubt.frame->function, &made->inst, 1, doubt.inst);
  if (!host_returns_twice(scan, call) || is_younger) return NULL;
  return arena_printf(scan->arena, "what code before a jump back to line %u put there",
                      host_loc(scan, doubt.frame, call).line);
}

const char *host_strayed(HostScan *scan, ExprRef leaf) {
  ExprNode node = *expr_node(scan->pool, leaf);
  const HostObject *object = host_object_of(scan, leaf);
  Computed computed = {.scan = scan};
  if (object->kind != HOST_POINTER || object->is_parameter) return NULL;
  if (node.op != EXPR_SYM) {
    host_each_sym(scan, leaf, look_at_part, &computed);
    return computed.who;
  }
  const HostSym *sym = host_sym(scan, (uint32_t)node.value);
  if (sym->is_uninitialised || sym->doubt) return NULL;
  if (sym->read_by) return given_by(scan, sym->frame, sym->read_by - 1);
  return sym->place ? strayed_content(scan, sym) : code_at(scan, object->loc);
}

bool host_is_copied(HostScan *scan, ExprRef leaf) {
  ASSERT(host_has_expr(scan, leaf));
  const ExprNode *node = expr_node(scan->pool, leaf);
  const HostSym sym = node->op == EXPR_SYM ? *host_sym(scan, (uint32_t)node->value) : (HostSym){0};
  if (!sym.place || !sym.holder) return false;
  HostCell cell = cell_of(scan, &sym);
  if (writer_of(scan, &sym, cell, ASKED_COPIES)) return true;
  if (sym.place != 1 + PLACE_HEADER) return false;
  const HostFunction *function = sym.place_frame->function;
  uint32_t header = function->cfg->loops.items[sym.place_index].header;
  uint32_t first = function->ir->blocks.items[header].first;
  return writer_on_chain(scan, sym.place_frame, first, cell, ASKED_COPIES) != NULL;
}

const HostFuncOrigin *host_func_origin(const HostScan *scan, uint32_t func) {
  for (uint32_t i = scan->func_origins.count; i-- > 0;)
    if (scan->func_origins.items[i].func == func) return &scan->func_origins.items[i];
  return NULL;
}

static const char *untold_function(HostScan *scan, uint32_t func) {
  if (func < scan->func_objects.count && scan->func_objects.items[func]) return NULL; // an allocation
  const HostFuncOrigin *origin = host_func_origin(scan, func);
  if (origin) return origin->sym ? untold_symbol(scan, origin->sym) : origin->writer;
  return arena_printf(scan->arena, "the code at line %u", expr_func_info(scan->pool, func)->loc.line);
}

const char *host_untold(HostScan *scan, ExprRef leaf) {
  ASSERT(!leaf || host_has_expr(scan, leaf));
  if (!leaf) return NULL;
  ExprNode node = *expr_node(scan->pool, leaf);
  if (node.op == EXPR_SYM) return untold_symbol(scan, (uint32_t)node.value);
  if (node.op == EXPR_APP) return untold_function(scan, (uint32_t)node.value);
  return "code that computes addresses";
}

// ---- numbers
static bool is_launch_of(HostScan *scan, const HostSym *sym) {
  HostCallKind kind;
  return is_launch_at(scan, sym->place_frame, sym->place_index, &kind);
}

const char *host_set_number(HostScan *scan, const HostSym *sym) {
  ASSERT(sym->holder);
  HostCell cell = cell_of(scan, sym);
  cell.kind = IR_BYTES;
  if (sym->place == 1 + PLACE_AFTER && is_launch_of(scan, sym))
    return writer_at(scan, sym->place_frame, sym->place_index, ASKED_NUMBERS, cell);
  return writer_of(scan, sym, cell, ASKED_NUMBERS);
}

const char *host_writer_at(HostScan *scan, HostFrame *frame, uint32_t inst) {
  ASSERT(host_function_has_inst(frame->function, inst));
  return writer_at(scan, frame, inst, ASKED_NUMBERS, (HostCell){0});
}

// The launch of a graph does what was put into it, which is looked at where it was.
static bool is_graph_launch(HostScan *scan, const IrInst *inst) {
  const char *name = inst->op == IR_CALL ? host_callee_name(scan, inst) : NULL;
  return name && strstr(name, "GraphLaunch");
}

static bool is_made_at(HostScan *scan, const HostFrame *frame, uint32_t inst, ExprRef array) {
  const HostObject *object = host_object_of(scan, array);
  return object->frame == frame && object->inst == inst;
}

const char *host_ever_set_number(HostScan *scan, HostFrame *frame, HostCell cell) {
  const char *who = NULL;
  for (; frame && !who; frame = frame->parent) {
    const HostFunction *function = frame->function;
    for (uint32_t b = 0; b < function->ir->blocks.count && !who; b++)
      for (uint32_t e = function->effect_first[b]; e < function->effect_first[b + 1] && !who; e++) {
        uint32_t at = function->effects[e];
        bool is_other = is_graph_launch(scan, &function->ir->insts.items[at]) ||
                        is_made_at(scan, frame, at, cell.base); // zeros that nobody set, or what was there
        if (!is_other && host_touches(scan, frame, at, cell))
          who = writer_at(scan, frame, at, ASKED_NUMBERS, cell);
      }
  }
  return who;
}
