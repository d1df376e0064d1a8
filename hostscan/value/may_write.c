// May an instruction write a cell of host memory? No value is looked for. Method: what the instruction is given as addresses
// against the object of the cell (objects/object.c); a call with a body writes what some instruction of it does, a call
// without one what it is given, and what code that is not seen has got to know in front of it (the instructions that let
// the address of an array out). Soundness: yes, where it is not understood; an array whose address is kept where only
// code that is seen can read it is known to nobody else.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/value/value.h"
#include "core/bug.h"
#include "hostscan/objects.h"
#include "hostscan/kernels.h"
#include "hostscan/program.h"
#include "hostscan/syntax.h"
#include "hostscan/series.h"
#include "hostscan/terms.h"

#include <string.h>

// ---- what calls are given

const char *host_text_argument(HostScan *scan, HostFrame *frame, const IrInst *call, uint32_t index) {
  ASSERT(call->op == IR_CALL && frame->function);
  HostTarget target;
  int64_t offset = 0;
  if (index >= host_argument_count(call)) return NULL;
  ExprRef address = host_settle(scan, host_value(scan, frame, call->ops[index]));
  if (!host_sole_target(scan, address, &target) || !target.leaf ||
      !expr_is_const(scan->pool, target.offset, &offset))
    return NULL;
  const HostObject *object = host_object_of(scan, target.leaf);
  if (object->kind != HOST_GLOBAL || !host_is_constant_global(scan, object->index)) return NULL;
  const IrGlobal *text = &scan->module->globals.items[object->index];
  bool is_whole = text->data && offset >= 0 && (uint64_t)offset < text->bytes &&
                  memchr(text->data + offset, '\0', text->bytes - (uint64_t)offset);
  return is_whole ? (const char *)text->data + offset : NULL;
}

// Bytes that the call writes behind the argument at most; 0: any number.
static uint32_t bytes_behind(HostScan *scan, HostFrame *frame, uint32_t inst, uint32_t argument) {
  const IrInst *call = &frame->function->ir->insts.items[inst];
  const HostCall *known = host_call(scan, call, NULL);
  if (known->kind != CALL_WRITES) return 0;
  size_t length = strlen(known->name);
  bool scans = length >= 5 && strcmp(known->name + length - 5, "scanf") == 0;
  uint32_t format = 0;
  while (scans && format < 31 && !(known->outputs >> (format + 1) & 1))
    format++;
  const char *text = scans ? host_text_argument(scan, frame, call, format) : NULL;
  return text ? host_scanned_bytes(text, format, argument) : known->size;
}

// The driver takes addresses as numbers.
static bool is_number(IrType type) {
  return type.kind == IR_INT && type.bits >= 64;
}

// How far does one reach from an address?
typedef enum Reach {
  REACH_OBJECT,  // whoever has a pointer into an array may count it down as well as up
  REACH_FORWARD, // from there on
  REACH_BYTES    // likewise, so many bytes
} Reach;

// The address at which a member begins that the operand points into: the rest of its class is not reached by it. The
// operand itself if it points into no member.
static IrRef member_start(const IrFunction *ir, IrRef ref, bool *is_member) {
  IrRef at = ref;
  for (const IrInst *inst = ir_inst(ir, at); inst && inst->op == IR_PTRADD; inst = ir_inst(ir, at)) {
    *is_member = inst->owner && inst->imm > 0;
    if (*is_member) return at;
    at = inst->ops[0];
  }
  return ref;
}

// Does some byte of the cell lie in what is reached from the address; of REACH_BYTES, in the `bytes` (0: any number)
// behind it?
static bool is_reached(HostScan *scan, ExprRef address, bool is_pointer, Reach reach, uint32_t bytes,
                       HostCell cell) {
  HostTargets targets = {0};
  ExprNode base = *expr_node(scan->pool, cell.base);
  if (!host_targets(scan, address, &targets))
    return is_pointer || base.op != EXPR_SYM ||
           host_mentions(scan, host_settle(scan, address), (uint32_t)base.value);
  for (uint32_t i = 0; i < targets.count; i++) {
    if (targets.items[i].leaf && host_is_any_address(scan, targets.items[i].leaf)) return true;
    if (targets.items[i].leaf != cell.base) continue;
    if (reach == REACH_OBJECT) return true;
    int64_t lo = 0, hi = 0;
    ExprRef apart = expr_binary(scan->pool, EXPR_SUB, EXPR_ADDRESS, cell.offset, targets.items[i].offset);
    expr_range(scan->pool, apart, &lo, &hi);
    if (hi > -(int64_t)cell.bytes && (bytes == 0 || lo < (int64_t)bytes)) return true;
  }
  return false;
}

// Is one of the arguments an address from which the cell is reached?
typedef struct Given {
  uint32_t mask; // of arguments: bit i, or the last one for all behind
  Reach reach;   // REACH_BYTES: what the call is said to write there
} Given;

static bool is_reached_from(HostScan *scan, HostFrame *frame, uint32_t inst, uint32_t argument, Reach reach,
                            HostCell cell) {
  const IrFunction *ir = frame->function->ir;
  IrRef ref = ir->insts.items[inst].ops[argument];
  uint32_t bytes = reach == REACH_BYTES ? bytes_behind(scan, frame, inst, argument) : 0;
  bool is_member = false;
  if (reach == REACH_OBJECT) ref = member_start(ir, ref, &is_member);
  return is_reached(scan, host_value(scan, frame, ref), ir_ref_type(scan->module, ir, ref).kind == IR_PTR,
                    is_member ? REACH_FORWARD : reach, bytes, cell);
}

static bool is_among(HostScan *scan, HostFrame *frame, uint32_t inst, Given given, HostCell cell) {
  const IrInst *call = &frame->function->ir->insts.items[inst];
  for (uint32_t i = 0; i < host_argument_count(call); i++) {
    bool counts = i < 32 ? given.mask >> i & 1 : given.mask >> 31;
    IrType type = ir_ref_type(scan->module, frame->function->ir, call->ops[i]);
    if (!counts || (type.kind != IR_PTR && !is_number(type))) continue;
    if (is_reached_from(scan, frame, inst, i, given.reach, cell)) return true;
  }
  return false;
}

bool host_is_given(HostScan *scan, HostFrame *frame, uint32_t inst, uint32_t mask, HostCell cell) {
  ASSERT(host_function_has_inst(frame->function, inst));
  ASSERT(host_has_cell(scan, cell));
  return is_among(scan, frame, inst, (Given){mask, REACH_OBJECT}, cell);
}

// Likewise, of a call that writes from there on.
bool host_is_filled(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  ASSERT(host_function_has_inst(frame->function, inst));
  ASSERT(host_has_cell(scan, cell));
  return is_among(scan, frame, inst, (Given){1, REACH_FORWARD}, cell);
}

// Likewise, and the call is said to write so far behind it.
static bool is_written_behind(HostScan *scan, HostFrame *frame, uint32_t inst, uint32_t mask, HostCell cell) {
  return is_among(scan, frame, inst, (Given){mask, REACH_BYTES}, cell);
}

// The driver's calls are given addresses as numbers.
static bool is_address_as_number(HostScan *scan, HostFrame *frame, IrRef ref, HostCell cell) {
  IrType type = ir_ref_type(scan->module, frame->function->ir, ref);
  if (type.kind != IR_INT || type.bits < 64) return false;
  ExprNode base = *expr_node(scan->pool, cell.base);
  return base.op == EXPR_SYM &&
         host_mentions(scan, host_settle(scan, host_value(scan, frame, ref)), (uint32_t)base.value);
}

// Is a call without a body given a pointer to the array, or one to memory in which such a pointer may lie?
static bool is_handed_over(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  const IrInst *call = &frame->function->ir->insts.items[inst];
  if (host_is_given(scan, frame, inst, UINT32_MAX, cell)) return true;
  for (uint32_t i = 0; i < host_argument_count(call); i++) {
    HostTargets targets = {0};
    if (is_address_as_number(scan, frame, call->ops[i], cell)) return true;
    if (ir_ref_type(scan->module, frame->function->ir, call->ops[i]).kind != IR_PTR) continue;
    if (!host_targets(scan, host_value(scan, frame, call->ops[i]), &targets)) return true;
    for (uint32_t k = 0; k < targets.count; k++) {
      if (!targets.items[k].leaf) continue;
      const HostObject *object = host_object_of(scan, targets.items[k].leaf);
      bool is_text = object->kind == HOST_GLOBAL && scan->module->globals.items[object->index].is_constant;
      int64_t size = 8;
      bool is_small = object->size_bytes && expr_is_const(scan->pool, object->size_bytes, &size) && size < 8;
      if (!is_text && !is_small && object->kind != HOST_DEVICE) return true;
    }
  }
  return false;
}

// ---- arrays of the device whose address code that is not seen has got: it may write there whenever it is called

// May code that is not seen read what lies there?
static bool is_open(HostScan *scan, ExprRef address) {
  HostTargets targets = {0};
  if (!host_targets(scan, address, &targets)) return true;
  for (uint32_t i = 0; i < targets.count; i++) {
    if (!targets.items[i].leaf) continue;
    HostObject *object = host_object_of(scan, targets.items[i].leaf);
    bool is_own = object->kind == HOST_LOCAL || object->kind == HOST_HEAP;
    bool is_named = object->kind == HOST_GLOBAL && scan->module->globals.items[object->index].is_static &&
                    host_is_unaliased_global(scan, object->index);
    if (!is_named && (!is_own || host_is_captured(scan, object))) return true;
  }
  return false;
}

static bool may_point_to(HostScan *scan, ExprRef address, HostCell cell) {
  HostTargets targets = {0};
  if (!host_targets(scan, address, &targets)) return true;
  for (uint32_t i = 0; i < targets.count; i++)
    if (targets.items[i].leaf &&
        (host_is_any_address(scan, targets.items[i].leaf) ||
         host_object_of(scan, targets.items[i].leaf) == host_object_of(scan, cell.base)))
      return true;
  return false;
}

static bool store_lets_out(HostScan *scan, HostFrame *frame, const IrInst *store, HostCell cell) {
  IrRef stored = ir_stored_value(store);
  IrType type = ir_ref_type(scan->module, frame->function->ir, stored);
  bool is_whole = type.kind == IR_BYTES && type.bytes >= 8;
  if (type.kind != IR_PTR && !is_number(type) && !is_whole) return false;
  return (is_whole || may_point_to(scan, host_value(scan, frame, stored), cell)) &&
         is_open(scan, host_value(scan, frame, store->ops[0]));
}

static const IndexList *ways_out_of(HostScan *scan, HostFrame *frame, HostCell cell);

static bool call_lets_out(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  const IrInst *call = &frame->function->ir->insts.items[inst];
  HostFunction *callee = NULL;
  HostCallKind kind = host_call(scan, call, &callee)->kind;
  if (kind == CALL_UNKNOWN)
    return !host_is_launch(scan, frame->function, inst, &kind) && is_handed_over(scan, frame, inst, cell);
  if (host_call_class(kind) == CLASS_ALLOCATES) {
    const HostObject *object = host_object_of(scan, cell.base);
    return object->frame == frame && object->inst == inst &&
           is_open(scan, host_value(scan, frame, call->ops[0]));
  }
  if (kind == CALL_COPY_PLAIN) return is_open(scan, host_value(scan, frame, call->ops[0]));
  if (kind != CALL_DEFINED) return false;
  HostFrame *child =
      host_function_size(scan, callee) > HOST_CALLEE_SIZE ? NULL : host_frame_child(scan, frame, inst);
  if (!child) return true;
  const IndexList *ways = ways_out_of(scan, child, cell);
  return !ways || ways->count > 0;
}

static bool lets_out(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  const IrInst *at = &frame->function->ir->insts.items[inst];
  if (at->op == IR_CALL) return call_lets_out(scan, frame, inst, cell);
  if (at->op == IR_STORE || ir_inst_is(at, IR_ATOMIC)) return store_lets_out(scan, frame, at, cell);
  return at->op == IR_MEMCPY && is_open(scan, host_value(scan, frame, at->ops[0]));
}

// Where in the activation, or in what it calls, the array is made; CFG_NONE: it was there before.
static uint32_t made_at(const HostFrame *frame, const HostObject *object) {
  if (!object->frame || !host_frame_is_above(frame, object->frame)) return CFG_NONE;
  const HostFrame *below = object->frame;
  uint32_t inst = object->inst;
  for (; below != frame; below = below->parent)
    inst = below->call;
  return inst;
}

static bool is_made_before(HostScan *scan, HostFrame *frame, uint32_t made, uint32_t inst) {
  return made == CFG_NONE || made == inst || host_comes_behind(scan, frame->function, &made, 1, inst);
}

// The instructions of the activation that let the address of the array out; NULL: they are being looked for.
static const IndexList *ways_out_of(HostScan *scan, HostFrame *frame, HostCell cell) {
  const HostFunction *function = frame->function;
  uint32_t object = (uint32_t)(host_object_of(scan, cell.base) - scan->objects.items);
  HostKey key = {{MEMO_WAYS_OUT, frame->id, object}};
  uint32_t known = host_map_get(&scan->memo, key);
  if (known) return scan->ways_out.items[known - 1];
  vec_push(scan->arena, &scan->ways_out, NULL);
  known = scan->ways_out.count;
  host_map_put(&scan->memo, key, known);
  IndexList *ways = arena_new(scan->arena, IndexList);
  uint32_t made = made_at(frame, &scan->objects.items[object]);
  for (uint32_t b = 0; b < function->ir->blocks.count; b++)
    for (uint32_t e = function->effect_first[b]; e < function->effect_first[b + 1]; e++)
      if (is_made_before(scan, frame, made, function->effects[e]) &&
          lets_out(scan, frame, function->effects[e], cell))
        vec_push(scan->arena, ways, function->effects[e]);
  scan->ways_out.items[known - 1] = ways;
  return ways;
}

static bool is_let_out_before(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  for (; frame; inst = frame->call, frame = frame->parent) {
    const IndexList *ways = scan->depth > HOST_MEMORY_DEPTH ? NULL : ways_out_of(scan, frame, cell);
    if (!ways || host_comes_behind(scan, frame->function, ways->items, ways->count, inst)) return true;
  }
  return false;
}

// A call that is given no pointer to it may know the array if some call, or some memory, has got one earlier.
bool host_is_handed_on(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  ASSERT(host_function_has_inst(frame->function, inst));
  ASSERT(host_has_cell(scan, cell));
  const IrInst *call = &frame->function->ir->insts.items[inst];
  HostFunction *callee = NULL;
  if (call->op != IR_CALL || host_call(scan, call, &callee)->kind == CALL_DEFINED) return true;
  return is_handed_over(scan, frame, inst, cell) || is_let_out_before(scan, frame, inst, cell);
}

// What lies in memory when setjmp returns again is what was stored before the jump.
bool host_returns_twice(const HostScan *scan, const IrInst *call) {
  ASSERT(call);
  const IrFunction *callee = call->op == IR_CALL ? host_function_named(scan, 0, call->name) : NULL;
  return callee && callee->returns_twice;
}

// Who cannot be looked into because of its size.
static bool is_too_large(HostScan *scan, const HostFrame *frame, uint32_t inst) {
  HostFunction *callee = NULL;
  const IrInst *call = &frame->function->ir->insts.items[inst];
  return call->op == IR_CALL && host_call(scan, call, &callee)->kind == CALL_DEFINED && callee &&
         host_function_size(scan, callee) > HOST_CALLEE_SIZE;
}

// The object is not there yet.
static bool is_made_behind(HostScan *scan, HostFrame *frame, uint32_t inst, const HostObject *object) {
  uint32_t made = object->is_parameter ? CFG_NONE : made_at(frame, object);
  return made != inst && !is_made_before(scan, frame, made, inst);
}

// The launch of a graph, or a call that is told where by a struct: may it write the memory through what was handed over
// before?
static bool is_far(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  const IrInst *call = &frame->function->ir->insts.items[inst];
  if (call->op != IR_CALL || host_call(scan, call, NULL)->kind != CALL_WRITES_FAR) return false;
  HostObject *object = host_object_of(scan, cell.base);
  if (object->kind == HOST_LOCAL ||
      object->kind == HOST_GLOBAL) // pointers among them are arguments of kernels, as a rule
    return cell.kind != IR_PTR && host_is_handed_before(scan, object, frame, inst);
  return object->kind == HOST_DEVICE || object->kind == HOST_DEVICE_VARIABLE || object->kind == HOST_HEAP;
}

bool host_call_reaches(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  ASSERT(frame->function);
  ASSERT(host_function_has_inst(frame->function, inst));
  ASSERT(host_has_cell(scan, cell));
  HostObject *object = host_object_of(scan, cell.base);
  if (object->kind == HOST_GLOBAL &&
      host_is_settled_global(scan, frame, &frame->function->ir->insts.items[inst], object->index))
    return false;
  if (host_returns_twice(scan, &frame->function->ir->insts.items[inst])) return true;
  if (is_too_large(scan, frame, inst) && is_made_behind(scan, frame, inst, object)) return false;
  if (object->kind == HOST_POINTER && host_is_unrelated_call(scan, object, frame, inst) &&
      !host_is_given(scan, frame, inst, UINT32_MAX, cell)) {
    host_object_of(scan, cell.base)->is_trusted = true;
    return false;
  }
  if (object->kind == HOST_DEVICE && host_is_element(scan, cell))
    return host_is_handed_on(scan, frame, inst, cell);
  if (object->kind != HOST_LOCAL && object->kind != HOST_HEAP) return true;
  return host_is_captured_before(scan, object, frame, inst) ||
         host_is_given(scan, frame, inst, UINT32_MAX, cell) ||
         (object->kind == HOST_LOCAL && is_far(scan, frame, inst, cell));
}

// cudaStreamCreate(&streams[d][s]): a handle goes to a place that is not known, and the cell holds a number.
static bool is_handle_elsewhere(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  const IrInst *call = &frame->function->ir->insts.items[inst];
  const char *name = host_call(scan, call, NULL)->name;
  HostTargets targets = {0};
  bool is_handle = str_starts_with(name, "cudaStreamCreate") || str_starts_with(name, "cudaEventCreate");
  if (!is_handle || !host_is_no_place_for_handles(cell) || host_argument_count(call) == 0) return false;
  if (!host_targets(scan, host_value(scan, frame, call->ops[0]), &targets)) return false;
  for (uint32_t i = 0; i < targets.count; i++) {
    const HostTarget *target = &targets.items[i];
    if (target->leaf && host_is_any_address(scan, target->leaf)) return false;
    ExprRef apart = expr_binary(scan->pool, EXPR_SUB, EXPR_ADDRESS, cell.offset, target->offset);
    if (target->leaf == cell.base && expr_is_const(scan->pool, apart, NULL)) return false;
  }
  host_object_of(scan, cell.base)->is_trusted = true;
  return true;
}

// Behind which arguments it writes: one that prints, by what its format says here.
static uint32_t outputs_of(HostScan *scan, HostFrame *frame, const IrInst *inst, const HostCall *call) {
  const HostPrinter *printer = host_printer(call->name);
  const char *text = printer ? host_text_argument(scan, frame, inst, printer->format) : NULL;
  if (text && !host_format_stores(text)) return host_call_outputs(host_call_by_name(call->name));
  return host_call_outputs(call);
}

static HostCopyTo side_of(HostScan *scan, HostFrame *frame, const IrInst *call) {
  int64_t direction = HOST_WAY_NOT_SAID;
  HostCallKind kind = call->op == IR_CALL ? host_call(scan, call, NULL)->kind : CALL_QUIET;
  if (kind == CALL_FILL) return HOST_COPY_TO_DEVICE;
  if (kind != CALL_COPY_LINEAR && kind != CALL_COPY_ROWS) return HOST_COPY_ANYWHERE;
  HostWay way = host_way_of_copy(host_callee_name(scan, call), kind, host_argument_count(call));
  ExprRef said = way.argument == UINT32_MAX ? 0 : host_value(scan, frame, call->ops[way.argument]);
  if (!said)
    direction = way.direction;
  else
    (void)expr_is_const(scan->pool, host_settle(scan, said), &direction);
  if (direction == HOST_TO_DEVICE || direction == DEVICE_TO_DEVICE) return HOST_COPY_TO_DEVICE;
  return direction == HOST_TO_HOST || direction == DEVICE_TO_HOST ? HOST_COPY_TO_HOST : HOST_COPY_ANYWHERE;
}

bool host_is_beside_copy(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  ASSERT(host_function_has_inst(frame->function, inst));
  ASSERT(host_has_cell(scan, cell));
  HostCopyTo to = side_of(scan, frame, &frame->function->ir->insts.items[inst]);
  return to != HOST_COPY_ANYWHERE && host_is_on_other_side(scan, cell.base, to);
}

// Does a call of this function of the runtime or a library write the cell, through its arguments or through what it was given before?
static bool is_output_of(HostScan *scan, HostFrame *frame, uint32_t inst, const HostCall *known,
                         HostCell cell) {
  const IrInst *at = &frame->function->ir->insts.items[inst];
  return is_far(scan, frame, inst, cell) ||
         is_written_behind(scan, frame, inst, outputs_of(scan, frame, at, known), cell);
}

bool host_is_output(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  ASSERT(host_function_has_inst(frame->function, inst));
  ASSERT(host_has_cell(scan, cell));
  if (is_handle_elsewhere(scan, frame, inst, cell)) return false;
  return is_output_of(scan, frame, inst, host_call(scan, &frame->function->ir->insts.items[inst], NULL),
                      cell);
}

bool host_writes_by_pointer(HostScan *scan, HostFrame *frame, uint32_t inst, HostFunction *callee,
                            HostCell cell) {
  ASSERT(host_function_has_inst(frame->function, inst));
  ASSERT(host_has_cell(scan, cell));
  if (callee->ir->blocks.count) return host_body_touches(scan, frame, inst, callee, cell);
  const HostCall *known = host_call_by_name(callee->ir->name);
  if (known->kind == CALL_QUIET) return false;
  return known->kind != CALL_WRITES || is_output_of(scan, frame, inst, known, cell);
}

// `std::stof` calls the function of C that it is made of through a pointer: what such a one does is known.
static bool writes_by_pointer(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  HostTargets targets = {0};
  if (!host_called_functions(scan, frame, inst, &targets) || targets.count == 0) return true;
  for (uint32_t i = 0; i < targets.count; i++) {
    HostFunction *callee = &scan->functions[host_object_of(scan, targets.items[i].leaf)->index];
    if (host_writes_by_pointer(scan, frame, inst, callee, cell)) return true;
  }
  return false;
}

// Where a variable of the device lies, which a call names by its host address; 0: it is not seen which.
ExprRef host_address_of_variable(HostScan *scan, ExprRef name) {
  ASSERT(expr_is_of(scan->pool, name));
  HostTargets targets = {0};
  if (!host_targets(scan, name, &targets) || targets.count != 1 || !targets.items[0].leaf ||
      host_object_of(scan, targets.items[0].leaf)->kind != HOST_GLOBAL)
    return 0;
  uint32_t global = host_object_of(scan, targets.items[0].leaf)->index;
  return host_leaf(scan, host_fixed_object(scan, HOST_DEVICE_VARIABLE, global));
}

// ---- any instruction

static bool may_be_in(HostScan *scan, ExprRef address, HostCell cell, uint8_t kind) {
  HostTargets targets = {0};
  bool is_in_reach = !host_object_of(scan, cell.base)->is_out_of_reach;
  if (!host_targets(scan, address, &targets)) return is_in_reach;
  for (uint32_t i = 0; i < targets.count; i++) {
    ExprRef leaf = targets.items[i].leaf;
    if (leaf == cell.base) return true;
    if (leaf && is_in_reach && !host_leaves_distinct(scan, leaf, cell.base) &&
        !host_kinds_distinct(kind, cell.kind))
      return true;
  }
  return false;
}

// A function with a body: some instruction of it does.
static bool body_touches(HostScan *scan, HostFrame *frame, uint32_t inst, HostFunction *callee,
                         HostCell cell) {
  HostFrame *child = host_function_size(scan, callee) > HOST_CALLEE_SIZE
                         ? NULL
                         : host_frame_child_of(scan, frame, inst, callee);
  if (!child || scan->depth > HOST_MEMORY_DEPTH) return true;
  const HostFunction *function = child->function;
  bool touches = false;
  scan->depth += 64;
  for (uint32_t b = 0; b < function->ir->blocks.count && !touches; b++)
    for (uint32_t e = function->effect_first[b]; e < function->effect_first[b + 1] && !touches; e++)
      touches = host_touches(scan, child, function->effects[e], cell);
  scan->depth -= 64;
  return touches;
}

bool host_body_touches(HostScan *scan, HostFrame *frame, uint32_t inst, HostFunction *callee, HostCell cell) {
  ASSERT(host_function_has_inst(frame->function, inst));
  ASSERT(host_has_cell(scan, cell) && callee);
  if (!host_call_reaches(scan, frame, inst, cell)) return false;
  HostKey key = {{MEMO_TOUCHED, frame->id, inst, cell.base, cell.offset,
                  callee->index * 256u + cell.bytes * 16u + cell.kind}};
  uint32_t known = cell.bytes < 16 ? host_map_get(&scan->memo, key) : TRI_UNKNOWN;
  if (!known) {
    known = body_touches(scan, frame, inst, callee, cell) ? TRI_YES : TRI_NO;
    if (cell.bytes < 16) host_map_put(&scan->memo, key, known);
  }
  return known == TRI_YES;
}

bool host_makes_array(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  ASSERT(frame->function);
  ASSERT(host_function_has_inst(frame->function, inst));
  ASSERT(host_has_cell(scan, cell));
  const HostObject *object = host_object_of(scan, cell.base);
  return (object->kind == HOST_DEVICE || object->kind == HOST_HEAP) && !object->is_parameter &&
         object->frame == frame && object->inst == inst && cell.base == object->leaf &&
         host_is_element(scan, cell);
}

static bool call_touches(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  const IrInst *call = &frame->function->ir->insts.items[inst];
  HostFunction *callee = NULL;
  HostCallKind kind = host_call(scan, call, &callee)->kind;
  if (host_makes_array(scan, frame, inst, cell)) return true;
  if (kind == CALL_UNKNOWN && host_is_launch(scan, frame->function, inst, &kind))
    return host_launch_touches(scan, frame, inst, kind, cell);
  if (kind == CALL_COPY_SYMBOL) {
    if (host_is_managed(scan, cell.base)) return true;
    if (host_object_of(scan, cell.base)->kind != HOST_DEVICE_VARIABLE) return false;
    ExprRef variable = host_address_of_variable(scan, host_value(scan, frame, call->ops[0]));
    return !variable || variable == cell.base;
  }
  if (host_is_beside_copy(scan, frame, inst, cell)) return false;
  switch (host_call_class(kind)) {
  case CLASS_DEFINED: return host_body_touches(scan, frame, inst, callee, cell);
  case CLASS_UNKNOWN:
    return host_call_reaches(scan, frame, inst, cell) && writes_by_pointer(scan, frame, inst, cell);
  case CLASS_OUTPUTS: return host_is_output(scan, frame, inst, cell);
  case CLASS_ALLOCATES:
    return may_be_in(scan, host_value(scan, frame, call->ops[0]), cell, IR_PTR) ||
           (kind == CALL_ALLOCATE_PITCH &&
            may_be_in(scan, host_value(scan, frame, call->ops[1]), cell, IR_INT));
  case CLASS_LAUNCHES: return host_launch_touches(scan, frame, inst, kind, cell);
  case CLASS_QUIET: break;
  }
  return false;
}

bool host_touches(HostScan *scan, HostFrame *frame, uint32_t index, HostCell cell) {
  ASSERT(frame->function);
  ASSERT(host_function_has_inst(frame->function, index));
  ASSERT(host_has_cell(scan, cell));
  const IrInst *inst = &frame->function->ir->insts.items[index];
  if (inst->op == IR_CALL) return call_touches(scan, frame, index, cell);
  if (!ir_inst_writes_there(inst)) return host_call_reaches(scan, frame, index, cell);
  uint8_t kind = inst->op == IR_STORE
                     ? (uint8_t)ir_ref_type(scan->module, frame->function->ir, inst->ops[1]).kind
                     : IR_BYTES;
  return may_be_in(scan, host_value(scan, frame, inst->ops[0]), cell, kind);
}
