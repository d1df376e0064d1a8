// What are the values that one thread of a launch computes, of which it is not said which one? It is the one
// that stored to an element of an array, so its numbers, and the iterations of the loops around the store,
// are functions of the element.
// Method: demand-driven over definitions, as for host code (value.c); parameters are what the launch passes.
// `blockIdx * blockDim + threadIdx` is one number, below gridDim * blockDim; a grid-stride loop over it is
// one number, too. Each value is that of its last execution before the store.
// Soundness: over-approximates: what is not understood is a function of the element of which nothing is
// known. A load counts if nothing in the kernel may write what it reads; then it is what the host had there
// before the launch. Numbers of threads and elements do not wrap (A1).
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/contents/contents.h"
#include "hostscan/objects.h"
#include "hostscan/series.h"
#include "hostscan/terms.h"
#include "hostscan/value.h"

#include <string.h>

static ExprRef wide(ExprPool *pool, ExprRef word) { // of a number that is not negative
  return expr_resize_unsigned(pool, word, 64);
}

// ---- where an address points to
static ExprRef variable_leaf(HostScan *scan, const char *name) {
  for (uint32_t i = 0; i < scan->module->globals.count; i++)
    if (strcmp(scan->module->globals.items[i].name, name) == 0)
      return host_leaf(scan, host_fixed_object(scan, HOST_DEVICE_VARIABLE, i));
  return 0;
}

// What lies at a place of a parameter of a launch that was read.
static ExprRef given_value(const LaneLaunch *launch, uint32_t param, uint32_t offset, IrType type) {
  ExprPool *pool = launch->scan->pool;
  if (param >= launch->given->args.count) return 0;
  const LaunchArg *arg = &launch->given->args.items[param];
  for (uint32_t i = 0; i < arg->pieces.count; i++) {
    const ArgPiece *piece = &arg->pieces.items[i];
    if (piece->offset != offset || piece->bytes != type.bytes) continue;
    if (piece->word || type.kind != IR_PTR) return piece->word;
    ExprRef address = 0;
    for (uint32_t t = piece->target_count; t-- > 0;) {
      const PointerTarget *target = &piece->targets[t];
      ExprRef leaf = launch->given->objects.items[target->object].leaf;
      ExprRef place = leaf ? host_add_offset(launch->scan, leaf, target->offset) : expr_const(pool, 64, 0);
      address = address && target->condition ? expr_ite(pool, target->condition, place, address) : place;
    }
    return address;
  }
  return 0;
}

// A parameter, or a pointer in one that is passed by value.
static ExprRef argument_value(const LaneLaunch *launch, IrRef ref) {
  const IrInst *load = ir_inst(launch->kernel, ref);
  int64_t offset = 0, step = 0;
  IrRef at = load ? load->ops[0] : ref;
  for (const IrInst *inst = NULL; (inst = ir_inst(launch->kernel, at)) && inst->op == IR_PTRADD;
       at = inst->ops[0]) {
    if (!ir_const_value(launch->kernel, inst->ops[1], &step)) return 0;
    offset += step;
  }
  if (ir_ref_kind(at) != IR_REF_PARAM || offset < 0) return 0;
  const IrParam *param = &launch->kernel->params.items[ir_ref_index(at)];
  if ((load != NULL) != (param->byval_bytes != 0)) return 0;
  if (launch->given)
    return given_value(launch, ir_ref_index(at), (uint32_t)offset, load ? load->type : param->type);
  return host_argument(launch->scan, &launch->arguments, launch->kernel, ir_ref_index(at), (uint32_t)offset,
                       load ? load->type : param->type);
}

static LanePlace root_place(const LaneLaunch *launch, IrRef ref, ExprRef *address) {
  const IrInst *inst = ir_inst(launch->kernel, ref);
  *address = 0;
  if (inst && inst->op == IR_ALLOCA) return LANE_PLACE_PRIVATE;
  if (ir_ref_kind(ref) == IR_REF_GLOBAL) {
    const IrGlobal *global = &launch->use->module->globals.items[ir_ref_index(ref)];
    if (global->space == IR_SPACE_SHARED) return LANE_PLACE_PRIVATE;
    *address = variable_leaf(launch->scan, global->name);
  } else if (ir_ref_kind(ref) == IR_REF_PARAM || (inst && inst->op == IR_LOAD)) {
    *address = argument_value(launch, ref);
  }
  return *address ? LANE_PLACE_GLOBAL : LANE_PLACE_UNKNOWN;
}

// With a lane: the address as that thread computes it; without: of the start of the object.
LanePlace lane_place(const LaneLaunch *launch, Lane *lane, IrRef ref, ExprRef *address) {
  ASSERT(launch->kernel);
  ASSERT(address);
  HostScan *scan = launch->scan;
  ExprRef offset = expr_const(scan->pool, 64, 0);
  const IrInst *inst = ir_inst(launch->kernel, ref);
  for (; inst && ir_inst_is(inst, IR_SAME_OBJECT); inst = ir_inst(launch->kernel, ref)) {
    if (lane && inst->op == IR_PTRADD)
      offset = expr_binary(scan->pool, EXPR_ADD, EXPR_ADDRESS,
                           expr_resize_signed(scan->pool, lane_value(lane, inst->ops[1]), 64), offset);
    ref = inst->ops[0];
  }
  LanePlace kind = root_place(launch, ref, address);
  if (kind == LANE_PLACE_GLOBAL) *address = host_add_offset(scan, *address, offset);
  return kind;
}

// ---- numbers of the thread
static ExprRef new_function(Lane *lane, const char *name, uint8_t width, int64_t lo, int64_t hi,
                            const SrcLoc *loc, uint32_t *func) {
  if (lane->launch->given || lane->launch->is_probe)
    return host_unknown(
        lane->scan,
        (HostUnknown){.width = width, .name = name, .loc = *loc, .loop = CFG_NONE, .lo = lo, .hi = hi});
  ExprSym like = {.name = name, .width = width, .kind = SYM_HOST_VALUE, .lo = lo, .hi = hi, .loc = *loc};
  ExprRef value = host_function_of_element(lane->scan, &like, func);
  vec_push(lane->scan->arena, &lane->funcs, *func);
  return value;
}

// A number of the thread, or of an iteration, that all probes have in common.
static ExprRef common_number(const Lane *lane, HostLaneNumber which) {
  ExprRef *place = &lane->scan->lane_numbers[which];
  HostUnknown unknown = {.width = 32, .name = "number of a thread", .loop = CFG_NONE, .hi = INT32_MAX - 1};
  if (which < HOST_LANE_BLOCK) unknown.hi = 1023;
  if (!*place) *place = host_unknown(lane->scan, unknown);
  return *place;
}

// A loop around the site of a probe. What other loops leave is not known there.
static bool is_of_site(const Lane *lane, uint32_t loop) {
  return !lane->launch->is_probe || cfg_loop_contains(lane->cfg, loop, lane->launch->site);
}

static const SrcLoc *loc_of(const Lane *lane, const IrInst *inst) {
  return ir_loc(lane->launch->use->module, inst ? inst->loc : lane->kernel->loc);
}

static void know(Lane *lane, ExprRef condition) {
  if (!expr_is_true(lane->pool, condition)) vec_push(lane->scan->arena, &lane->known, condition);
}

static ExprRef below(Lane *lane, ExprRef number, ExprRef end) {
  return expr_binary(lane->pool, EXPR_SLT, 0, wide(lane->pool, number), end);
}

static ExprRef coordinate(Lane *lane, const IrInst *inst, bool is_block, uint32_t axis) {
  static const char *const names[2][3] = {{"threadIdx.x", "threadIdx.y", "threadIdx.z"},
                                          {"blockIdx.x", "blockIdx.y", "blockIdx.z"}};
  ExprRef *place = is_block ? &lane->block[axis] : &lane->thread[axis], value = 0;
  ExprRef end = is_block ? lane->launch->shape.grid[axis] : lane->launch->shape.block[axis];
  uint32_t func = 0;
  if (*place) return *place;
  int64_t most = is_block ? (axis == 0 ? INT32_MAX - 1 : 65534) : 1023, size = 0;
  if (expr_is_const(lane->pool, end, &size) && size > 0 && size <= most) most = size - 1;
  if (most == 0)
    value = expr_const(lane->pool, 32, 0);
  else if (lane->launch->is_probe)
    value = common_number(lane, (HostLaneNumber)((is_block ? HOST_LANE_BLOCK : HOST_LANE_THREAD) + axis));
  else
    value = new_function(lane, names[is_block][axis], 32, 0, most, loc_of(lane, inst), &func);
  *place = value;
  if (most > 0) know(lane, below(lane, value, wide(lane->pool, end)));
  return value;
}

// Words of 32 and 64 bits hold every number of a thread (A1), shorter ones do not.
static const IrInst *without_casts(const Lane *lane, IrRef ref) {
  const IrInst *inst = ir_inst(lane->kernel, ref);
  while (inst && ir_inst_is(inst, IR_RESIZES) && inst->type.bits >= 32)
    inst = ir_inst(lane->kernel, inst->ops[0]);
  return inst;
}

// The operand of __mul24 and __umul24: its low 24 bits, with or without sign.
static IrRef whole_operand(const Lane *lane, IrRef ref, bool *is_narrow) {
  const IrInst *inst = without_casts(lane, ref), *inner = NULL;
  int64_t value = 0;
  if (!inst || inst->op_count != 2 || !ir_const_value(lane->kernel, inst->ops[1], &value)) return ref;
  if (inst->op == IR_ASHR && value == 8) inner = without_casts(lane, inst->ops[0]);
  bool is_signed =
      inner && inner->op == IR_SHL && ir_const_value(lane->kernel, inner->ops[1], &value) && value == 8;
  if (!is_signed && (inst->op != IR_AND || value != 0xffffff)) return ref;
  *is_narrow = true;
  return is_signed ? inner->ops[0] : inst->ops[0];
}

static bool is_register(const Lane *lane, IrRef ref, IrSreg first, uint32_t *axis) {
  const IrInst *inst = without_casts(lane, ref);
  if (!inst || inst->op != IR_SREG || inst->imm < (int64_t)first || inst->imm > (int64_t)first + 2)
    return false;
  *axis = (uint32_t)(inst->imm - (int64_t)first);
  return true;
}

// blockDim.axis, or its value.
static bool is_extent(Lane *lane, IrRef ref, IrSreg first, uint32_t axis) {
  uint32_t found = 0;
  int64_t value = 0, extent = 0;
  const LaunchContext *shape = &lane->launch->shape;
  if (is_register(lane, ref, first, &found)) return found == axis;
  if (ir_inst(lane->kernel, ref)) return false;
  ExprRef size = first == IR_SREG_NTID_X ? shape->block[axis] : shape->grid[axis];
  return ir_const_value(lane->kernel, ref, &value) && expr_is_const(lane->pool, size, &extent) &&
         value == extent;
}

static bool is_block_start(Lane *lane, IrRef ref, uint32_t axis) {
  const IrInst *product = without_casts(lane, ref);
  uint32_t block_axis = 0;
  int64_t lo = 0, hi = 0;
  bool is_narrow = false;
  if (!product || product->op != IR_MUL) return false;
  IrRef operands[] = {whole_operand(lane, product->ops[0], &is_narrow),
                      whole_operand(lane, product->ops[1], &is_narrow)};
  expr_range(lane->pool, lane->launch->shape.grid[axis], &lo, &hi);
  if (is_narrow && hi > 1 << 23) return false; // 24 bits may be too few; nothing is launched below 1
  for (uint32_t k = 0; k < 2; k++)
    if (is_register(lane, operands[k], IR_SREG_CTAID_X, &block_axis) && block_axis == axis &&
        is_extent(lane, operands[1 - k], IR_SREG_NTID_X, axis))
      return true;
  return false;
}

// blockIdx * blockDim + threadIdx along one axis?
static bool is_whole_number(Lane *lane, const IrInst *inst, uint32_t *axis) {
  if (!inst || inst->op != IR_ADD || inst->type.bits < 32) return false;
  for (uint32_t side = 0; side < 2; side++)
    if (is_register(lane, inst->ops[1 - side], IR_SREG_TID_X, axis) &&
        is_block_start(lane, inst->ops[side], *axis))
      return true;
  return false;
}

static ExprRef thread_count(const Lane *lane, uint32_t axis) {
  const LaunchContext *shape = &lane->launch->shape;
  return expr_binary(lane->pool, EXPR_MUL, EXPR_NSW, wide(lane->pool, shape->grid[axis]),
                     wide(lane->pool, shape->block[axis]));
}

// A number that says which thread it is. Those of a grid-stride loop have no end.
static ExprRef number_value(Lane *lane, const IrInst *inst, uint32_t axis, ExprRef end) {
  uint32_t func = 0;
  const char *name = inst->name ? inst->name : "thread";
  ExprRef value = new_function(lane, name, inst->type.bits, 0, INT32_MAX - 1, loc_of(lane, inst), &func);
  lane->index_count++;
  lane->index = value;
  lane->index_axis = axis;
  lane->index_end = end;
  if (end) know(lane, below(lane, value, end));
  return value;
}

static ExprRef whole_number(Lane *lane, const IrInst *inst, uint32_t axis) {
  ExprRef *known = &lane->whole[axis];
  if (lane->launch->is_probe) *known = common_number(lane, (HostLaneNumber)(HOST_LANE_WHOLE + axis));
  if (!*known) *known = number_value(lane, inst, axis, thread_count(lane, axis));
  return expr_resize_unsigned(lane->pool, *known, inst->type.bits);
}

static void relate_axes(Lane *lane) {
  for (uint32_t axis = 0; axis < 3; axis++) {
    ExprRef number = lane->whole[axis];
    if (!number || (!lane->thread[axis] && !lane->block[axis])) continue;
    ExprRef thread = coordinate(lane, NULL, false, axis), block = coordinate(lane, NULL, true, axis);
    ExprRef way = expr_binary(lane->pool, EXPR_MUL, EXPR_NSW, wide(lane->pool, block),
                              wide(lane->pool, lane->launch->shape.block[axis]));
    way = expr_binary(lane->pool, EXPR_ADD, EXPR_NSW, way, wide(lane->pool, thread));
    know(lane, expr_eq(lane->pool, wide(lane->pool, number), way));
  }
}

static bool is_one(const Lane *lane, ExprRef extent) {
  int64_t size = 0;
  return expr_is_const(lane->pool, extent, &size) && size == 1;
}

void lane_numbers(Lane *lane, uint32_t inst, LaneNumbers *out) {
  ASSERT(inst < lane->kernel->insts.count);
  const LaunchContext *shape = &lane->launch->shape;
  bool in_loop = lane->cfg->loop_of[lane->kernel->insts.items[inst].block] != CFG_NONE;
  *out = (LaneNumbers){0};
  for (uint32_t axis = 0; axis < 3; axis++) {
    bool is_strided = in_loop && lane->index_axis == axis;
    if (is_strided || lane->whole[axis]) {
      out->items[out->count++] = is_strided ? lane->index : lane->whole[axis];
      continue;
    }
    if (!is_one(lane, shape->block[axis])) out->items[out->count++] = coordinate(lane, NULL, false, axis);
    if (!is_one(lane, shape->grid[axis])) out->items[out->count++] = coordinate(lane, NULL, true, axis);
  }
}

// ---- values of the thread
static ExprRef unknown(Lane *lane, const IrInst *inst, uint8_t width) {
  uint32_t func = 0;
  uint8_t bits = width == 1 ? 8 : width;
  const char *name = inst && inst->name ? inst->name : "value";
  int64_t half = (int64_t)((uint64_t)1 << (bits - 1));
  int64_t lo = bits == 64 ? INT64_MIN : -half, hi = bits == 64 ? INT64_MAX : half - 1;
  if (width == 1) lo = 0, hi = 1;
  ExprRef value = new_function(lane, name, bits, lo, hi, loc_of(lane, inst), &func);
  vec_push(lane->scan->arena, &lane->unknowns, func);
  if (!lane->launch->given) vec_push(lane->scan->arena, &lane->scan->computed_funcs, func);
  return width == 1 ? expr_eq(lane->pool, value, expr_const(lane->pool, 8, 1)) : value;
}

static ExprRef register_value(Lane *lane, const IrInst *inst) {
  const LaunchContext *shape = &lane->launch->shape;
  ExprRef value = 0;
  int64_t which = inst->imm;
  if (which >= IR_SREG_TID_X && which <= IR_SREG_TID_Z)
    value = coordinate(lane, inst, false, (uint32_t)(which - IR_SREG_TID_X));
  else if (which >= IR_SREG_CTAID_X && which <= IR_SREG_CTAID_Z)
    value = coordinate(lane, inst, true, (uint32_t)(which - IR_SREG_CTAID_X));
  else if (which >= IR_SREG_NTID_X && which <= IR_SREG_NTID_Z)
    value = shape->block[which - IR_SREG_NTID_X];
  else if (which >= IR_SREG_NCTAID_X && which <= IR_SREG_NCTAID_Z)
    value = shape->grid[which - IR_SREG_NCTAID_X];
  else if (which == IR_SREG_WARPSIZE)
    value = expr_const(lane->pool, 32, 32);
  return value ? expr_resize_unsigned(lane->pool, value, inst->type.bits) : 0;
}

static bool may_be_written(const LaneLaunch *launch, const HostTarget *read) {
  HostScan *scan = launch->scan;
  for (uint32_t i = 0; i < launch->written.count; i++) {
    HostTarget other = launch->written.items[i];
    bool may_meet = other.leaf == read->leaf || !host_leaves_distinct(scan, other.leaf, read->leaf);
    if (may_meet && !expr_is_false(scan->pool, expr_and(scan->pool, other.condition, read->condition)))
      return true;
  }
  return false;
}

enum { NESTED_LIMIT = 3 };

static void list_functions(Lane *lane, ExprRef ref) {
  if (!ref) return;
  ExprNode node = *expr_node(lane->pool, ref);
  if (node.op == EXPR_APP) vec_push(lane->scan->arena, &lane->steady, (uint32_t)node.value);
  for (uint32_t i = 0; i < node.arg_count; i++)
    list_functions(lane, node.args[i]);
  list_functions(lane, node.a);
  list_functions(lane, node.b);
  list_functions(lane, node.c);
}

// What lies at the place before the launch; 0: not known.
static ExprRef word_at(const Lane *lane, const HostTarget *target, uint32_t bytes) {
  HostScan *scan = lane->scan;
  const LaneLaunch *launch = lane->launch;
  if (!target->leaf || may_be_written(launch, target)) return 0;
  HostCell cell = {target->leaf, host_element(scan), bytes, IR_INT};
  if (launch->around.frame && !host_is_steady(scan, launch->around, cell)) return 0;
  ExprRef value = host_settle(scan, host_cell_before(scan, launch->frame, launch->inst, cell));
  if (host_weight(scan, value) > HOST_HEAVY) return 0;
  value = host_when_over(scan, value, launch->frame, launch->inst, launch->arguments.behind);
  return value ? host_at_element(scan, value, target->offset) : 0;
}

// A word that the kernel does not write: what lies there before the launch.
static ExprRef loaded_value(Lane *lane, const IrInst *inst) {
  HostScan *scan = lane->scan;
  const LaneLaunch *launch = lane->launch;
  HostTargets targets = {0};
  ExprRef address = 0, value = 0;
  bool is_word = inst->type.kind == IR_INT || inst->type.kind == IR_FLOAT;
  bool is_plain = is_word && host_is_cell_size(inst->type.bytes) &&
                  (inst->order == IR_ORDER_PLAIN || inst->flags & IR_FLAG_READONLY);
  ExprRef argument =
      is_word ? argument_value(launch, IR_REF(IR_REF_INST, inst - lane->kernel->insts.items)) : 0;
  if (argument) return argument; // a member of a parameter
  if (launch->given) return 0;
  if (!is_plain || scan->fill_depth > NESTED_LIMIT ||
      lane_place(launch, lane, inst->ops[0], &address) != LANE_PLACE_GLOBAL ||
      !host_targets(scan, address, &targets))
    return 0;
  for (uint32_t i = targets.count; i-- > 0;) {
    ExprRef word = word_at(lane, &targets.items[i], inst->type.bytes);
    if (!word) return 0;
    value = value ? expr_ite(lane->pool, targets.items[i].condition, word, value) : word;
  }
  if (launch->around.frame) list_functions(lane, value);
  return value ? expr_resize_unsigned(lane->pool, value, symeval_width(inst->type)) : 0;
}

static bool has_no_sign(const Lane *lane, ExprRef ref) {
  int64_t lo = 0, hi = 0;
  expr_range(lane->pool, ref, &lo, &hi);
  return lo >= 0;
}

// Probes are compared: one form for one value, whether it was read with a sign or without. 0: there is just
// one.
static ExprRef without_sign(const Lane *lane, const IrInst *inst, const ExprRef *operands) {
  ExprPool *pool = lane->pool;
  if (inst->op == IR_SEXT && has_no_sign(lane, operands[0]))
    return expr_resize_unsigned(pool, operands[0], inst->type.bits);
  if (inst->op != IR_ICMP || !has_no_sign(lane, operands[0]) || !has_no_sign(lane, operands[1])) return 0;
  switch ((int)inst->pred) {
  case IR_ULT: return expr_binary(pool, EXPR_SLT, 0, operands[0], operands[1]);
  case IR_ULE: return expr_binary(pool, EXPR_SLE, 0, operands[0], operands[1]);
  case IR_UGT: return expr_binary(pool, EXPR_SLT, 0, operands[1], operands[0]);
  case IR_UGE: return expr_binary(pool, EXPR_SLE, 0, operands[1], operands[0]);
  default: return 0;
  }
}

static ExprRef computed_value(Lane *lane, const IrInst *inst) {
  ExprRef operands[16];
  if (!symeval_is_symbolic((IrOp)inst->op) || inst->op_count > 16) return 0;
  for (uint32_t i = 0; i < inst->op_count; i++) {
    IrType type = ir_ref_type(lane->launch->use->module, lane->kernel, inst->ops[i]);
    if (type.kind != IR_INT && type.kind != IR_FLOAT) return 0;
    operands[i] = lane_value(lane, inst->ops[i]);
  }
  ExprRef plain = lane->launch->is_probe ? without_sign(lane, inst, operands) : 0;
  if (plain) return plain;
  return symeval_inst(lane->pool, lane->launch->use->module, lane->kernel, inst, operands);
}

// ---- merges and loops
ExprRef lane_edge(Lane *lane, uint32_t from, uint32_t to) {
  ASSERT(from < lane->cfg->block_count && to < lane->cfg->block_count);
  const IrInst *last = ir_terminator(lane->kernel, from);
  if (last->op != IR_CONDBR || last->blocks[0] == last->blocks[1]) return 0;
  ExprRef condition = lane_value(lane, last->ops[0]);
  return last->blocks[0] == to ? condition : expr_not(lane->pool, condition);
}

// The way from the immediate dominator by which control came in from `pred`: which side of its branch?
static int side_of(const Lane *lane, uint32_t block, uint32_t pred) {
  uint32_t above = lane->cfg->idom[block];
  const IrInst *last = ir_terminator(lane->kernel, above);
  if (last->op != IR_CONDBR || last->blocks[0] == last->blocks[1]) return -1;
  for (int side = 0; side < 2; side++)
    if (pred == above ? last->blocks[side] == block
                      : cfg_edge_dominates(lane->cfg, above, last->blocks[side], pred))
      return side;
  return -1;
}

static ExprRef merged_value(Lane *lane, const IrInst *phi) {
  if (phi->op_count != 2) return 0;
  int first = side_of(lane, phi->block, phi->blocks[0]), second = side_of(lane, phi->block, phi->blocks[1]);
  if (first < 0 || second < 0 || first == second) return 0;
  uint32_t above = lane->cfg->idom[phi->block];
  ExprRef condition = lane_value(lane, ir_terminator(lane->kernel, above)->ops[0]);
  return expr_ite(lane->pool, condition, lane_value(lane, phi->ops[first]),
                  lane_value(lane, phi->ops[second]));
}

static bool is_invariant(const Lane *lane, uint32_t loop, IrRef ref, uint32_t depth) {
  const IrInst *inst = ir_inst(lane->kernel, ref);
  if (!inst || !cfg_loop_contains(lane->cfg, loop, inst->block)) return true;
  IrOpClass class = ir_op_class((IrOp)inst->op);
  if (inst->op == IR_SREG) return inst->imm != IR_SREG_CLOCK && inst->imm != IR_SREG_OTHER;
  if (depth == 0 || (class != IR_CLASS_ARITH && class != IR_CLASS_CAST)) return false;
  for (uint32_t i = 0; i < inst->op_count; i++)
    if (!is_invariant(lane, loop, inst->ops[i], depth - 1)) return false;
  return true;
}

// gridDim * blockDim along the axis?
static bool is_grid_stride(Lane *lane, IrRef ref, uint32_t axis) {
  const IrInst *product = without_casts(lane, ref);
  if (!product || product->op != IR_MUL) return false;
  for (uint32_t k = 0; k < 2; k++)
    if (is_extent(lane, product->ops[k], IR_SREG_NTID_X, axis) &&
        is_extent(lane, product->ops[1 - k], IR_SREG_NCTAID_X, axis))
      return true;
  return false;
}

// Of the loops around the site of a probe, the one with so many around it.
static uint32_t depth_of(const Lane *lane, uint32_t loop) {
  uint32_t depth = 0;
  while ((loop = lane->cfg->loops.items[loop].parent) != CFG_NONE)
    depth++;
  return depth;
}

// The value that the header of the loop tests to go on, and whether it has to be true; 0: there is none.
static IrRef test_of_header(const Lane *lane, uint32_t loop, bool *goes_on_if) {
  const CfgLoop *info = &lane->cfg->loops.items[loop];
  const IrInst *last = ir_terminator(lane->kernel, info->header);
  if (last->op != IR_CONDBR) return 0;
  bool stays[2] = {cfg_loop_contains(lane->cfg, loop, last->blocks[0]),
                   cfg_loop_contains(lane->cfg, loop, last->blocks[1])};
  *goes_on_if = stays[0];
  return stays[0] != stays[1] ? last->ops[0] : 0;
}

static bool constant_value(Lane *lane, IrRef ref, int64_t *value) {
  return !ir_inst(lane->kernel, ref) && expr_is_const(lane->pool, lane_value(lane, ref), value);
}

// A counter from a constant on by a constant step, in the loop whose header it is in.
static bool is_counter(Lane *lane, IrRef ref, uint32_t loop, int64_t *start, int64_t *step) {
  const IrInst *phi = ir_inst(lane->kernel, ref);
  if (!phi || phi->op != IR_PHI || phi->op_count != 2 || phi->type.bits < 32 ||
      phi->block != lane->cfg->loops.items[loop].header)
    return false;
  uint32_t entry = cfg_loop_contains(lane->cfg, loop, phi->blocks[0]) ? 1 : 0;
  const IrInst *next = ir_inst(lane->kernel, phi->ops[1 - entry]);
  if (cfg_loop_contains(lane->cfg, loop, phi->blocks[entry]) || !next || next->op != IR_ADD) return false;
  bool is_left = next->ops[0] == ref;
  return (is_left || next->ops[1] == ref) && constant_value(lane, phi->ops[entry], start) &&
         constant_value(lane, next->ops[is_left ? 1 : 0], step) && *start >= 0 && *step > 0;
}

// How often can the loop have been gone round, if its header compares a counter with a constant?
static int64_t most_rounds(Lane *lane, uint32_t loop) {
  bool goes_on_if = false;
  IrRef test = test_of_header(lane, loop, &goes_on_if);
  const IrInst *compare = test ? ir_inst(lane->kernel, test) : NULL;
  int64_t start = 0, step = 0, end = 0;
  if (!compare || compare->op != IR_ICMP || !goes_on_if ||
      !is_counter(lane, compare->ops[0], loop, &start, &step))
    return INT32_MAX - 1;
  const IrInst *bound = ir_inst(lane->kernel, compare->ops[1]);
  bool is_fixed = (bound && bound->op == IR_LOAD) || is_invariant(lane, loop, compare->ops[1], 4);
  bool is_known = is_fixed && expr_is_const(lane->pool, lane_value(lane, compare->ops[1]), &end);
  bool is_up_to = compare->pred == IR_SLE || compare->pred == IR_ULE;
  bool is_below = compare->pred == IR_SLT || compare->pred == IR_ULT;
  if (!is_known || (!is_below && !is_up_to) || end < 0 || end > 1 << 28 || start > 1 << 28 || step > 1 << 28)
    return INT32_MAX - 1;
  end += is_up_to;
  return end <= start ? 0 : (end - start + step - 1) / step;
}

static ExprRef iteration(Lane *lane, uint32_t loop, const IrInst *phi) {
  uint32_t func = 0, depth = lane->launch->is_probe ? depth_of(lane, loop) : HOST_LANE_ROUNDS;
  if (depth < HOST_LANE_ROUNDS) return common_number(lane, (HostLaneNumber)(HOST_LANE_ROUND + depth));
  if (!lane->counts[loop]) {
    int64_t most = most_rounds(lane, loop);
    lane->counts[loop] = new_function(lane, "iteration", 32, 0, most, loc_of(lane, phi), &func);
    lane->count_funcs[loop] = func;
  }
  return lane->counts[loop];
}

// Does the expression hold the same in the round before, but for the number of the round?
static bool hangs_only_on_count(const Lane *lane, ExprRef ref, uint32_t loop) {
  IndexList others = {0};
  uint32_t numbers[9], count = 0;
  for (uint32_t axis = 0; axis < 3; axis++) {
    ExprRef known[] = {lane->thread[axis], lane->block[axis], lane->whole[axis]};
    for (int i = 0; i < 3; i++)
      if (known[i] && expr_node(lane->pool, known[i])->op == EXPR_APP)
        numbers[count++] = (uint32_t)expr_node(lane->pool, known[i])->value;
  }
  for (uint32_t i = 0; i < lane->funcs.count; i++) {
    bool is_fixed = lane->funcs.items[i] == lane->count_funcs[loop];
    for (uint32_t n = 0; n < count; n++)
      is_fixed |= lane->funcs.items[i] == numbers[n];
    if (!is_fixed) vec_push(lane->scan->arena, &others, lane->funcs.items[i]);
  }
  return !host_holds_func(lane->pool, ref, &others);
}

// Who has gone round has passed the header's test in the round before.
static void relate_round(Lane *lane, uint32_t loop) {
  bool goes_on_if = false;
  ExprRef count = lane->counts[loop];
  IrRef test = test_of_header(lane, loop, &goes_on_if);
  if (!test || expr_node(lane->pool, count)->op != EXPR_APP) return;
  ExprRef condition = lane_value(lane, test);
  if (!host_holds_func(lane->pool, condition, &(IndexList){.items = &lane->count_funcs[loop], .count = 1}) ||
      !hangs_only_on_count(lane, condition, loop))
    return;
  ExprRef one = expr_const(lane->pool, 32, 1), zero = expr_const(lane->pool, 32, 0);
  condition =
      host_replace(lane->scan, condition, count, expr_binary(lane->pool, EXPR_SUB, EXPR_NSW, count, one));
  if (!goes_on_if) condition = expr_not(lane->pool, condition);
  know(lane, expr_or(lane->pool, expr_eq(lane->pool, count, zero), condition));
}

void lane_relate_numbers(Lane *lane) {
  ASSERT(lane->counts);
  for (uint32_t loop = 0; loop < lane->cfg->loops.count && !lane->launch->given; loop++)
    if (lane->counts[loop]) relate_round(lane, loop);
  relate_axes(lane);
}

// A value that goes up by the same in each iteration.
static ExprRef stepped_value(Lane *lane, const IrInst *phi, uint32_t loop) {
  uint32_t entry = phi->op_count == 2 && cfg_loop_contains(lane->cfg, loop, phi->blocks[0]) ? 1 : 0, axis = 0;
  if (phi->op_count != 2 || phi->type.kind != IR_INT || phi->type.bits < 32 ||
      cfg_loop_contains(lane->cfg, loop, phi->blocks[entry]))
    return 0;
  IrRef self = IR_REF(IR_REF_INST, phi - lane->kernel->insts.items);
  const IrInst *next = ir_inst(lane->kernel, phi->ops[1 - entry]);
  if (!next || next->op != IR_ADD || (next->ops[0] != self && next->ops[1] != self)) return 0;
  IrRef step = next->ops[0] == self ? next->ops[1] : next->ops[0];
  if (!is_invariant(lane, loop, step, 4) || !is_of_site(lane, loop)) return 0;
  bool is_all =
      is_whole_number(lane, without_casts(lane, phi->ops[entry]), &axis) && is_grid_stride(lane, step, axis);
  if (is_all && lane->launch->is_probe) {
    if (lane->stride_loop[axis] && lane->stride_loop[axis] != loop + 1) return 0;
    lane->stride_loop[axis] = loop + 1;
    ExprRef number = common_number(lane, (HostLaneNumber)(HOST_LANE_STRIDE + axis));
    return expr_resize_unsigned(lane->pool, number, phi->type.bits);
  }
  if (is_all) {
    lane->index_loop = loop;
    return number_value(lane, phi, axis, 0);
  }
  uint8_t flags = next->flags & IR_FLAG_NSW ? EXPR_NSW : 0;
  ExprRef count = expr_resize_unsigned(lane->pool, iteration(lane, loop, phi), phi->type.bits);
  ExprRef way = expr_binary(lane->pool, EXPR_MUL, flags, count, lane_value(lane, step));
  return expr_binary(lane->pool, EXPR_ADD, flags, lane_value(lane, phi->ops[entry]), way);
}

static ExprRef phi_value(Lane *lane, const IrInst *phi) {
  uint32_t loop = host_loop_with_header(lane->cfg, phi->block);
  if (loop != CFG_NONE) return stepped_value(lane, phi, loop);
  return merged_value(lane, phi);
}

// A word of an aggregate that was put together word by word.
static ExprRef extracted_value(Lane *lane, const IrInst *extract) {
  int64_t offset = extract->imm;
  const IrInst *from = ir_inst(lane->kernel, extract->ops[0]);
  while (from && ir_inst_is(from, IR_PIECE)) {
    if (from->op == IR_INSERT) {
      IrType piece = ir_ref_type(lane->launch->use->module, lane->kernel, from->ops[1]);
      bool is_it =
          from->imm == offset && piece.bytes == extract->type.bytes && piece.kind == extract->type.kind;
      if (is_it) return lane_value(lane, from->ops[1]);
      if (from->imm < offset + extract->type.bytes && offset < from->imm + piece.bytes) return 0;
    } else {
      offset += from->imm;
    }
    from = ir_inst(lane->kernel, from->ops[0]);
  }
  return 0;
}

static ExprRef evaluate(Lane *lane, const IrInst *inst) {
  uint32_t axis = 0;
  if (is_whole_number(lane, inst, &axis)) return whole_number(lane, inst, axis);
  if (inst->op == IR_SREG) return register_value(lane, inst);
  if (inst->op == IR_PHI) return phi_value(lane, inst);
  if (inst->op == IR_LOAD) return loaded_value(lane, inst);
  return ir_inst_is(inst, IR_PIECE) ? extracted_value(lane, inst) : computed_value(lane, inst);
}

static ExprRef inst_value(Lane *lane, uint32_t index) {
  const IrInst *inst = &lane->kernel->insts.items[index];
  if (lane->values[index]) return lane->values[index];
  uint8_t width = symeval_width(inst->type);
  ExprRef value = 0;
  if (!lane->busy[index] && lane->scan->depth < HOST_MEMORY_DEPTH) {
    lane->busy[index] = 1;
    lane->scan->depth++;
    value = evaluate(lane, inst);
    lane->scan->depth--;
    lane->busy[index] = 0;
  }
  bool fits = value && expr_width(lane->pool, value) == width && host_weight(lane->scan, value) <= HOST_HEAVY;
  if (!fits) value = unknown(lane, inst, width ? width : 64);
  if (!lane->values[index]) lane->values[index] = value;
  return lane->values[index];
}

ExprRef lane_value(Lane *lane, IrRef ref) {
  ExprRef value = 0;
  uint8_t width = symeval_width(ir_ref_type(lane->launch->use->module, lane->kernel, ref));
  switch (ir_ref_kind(ref)) {
  case IR_REF_INST: return inst_value(lane, ir_ref_index(ref));
  case IR_REF_CONST: value = symeval_const(lane->pool, &lane->kernel->consts.items[ir_ref_index(ref)]); break;
  case IR_REF_PARAM: value = argument_value(lane->launch, ref); break;
  case IR_REF_GLOBAL:
  case IR_REF_FUNC:
  case IR_REF_NONE: break;
  }
  return value && expr_width(lane->pool, value) == width ? value : unknown(lane, NULL, width ? width : 64);
}

Lane *lane_make(const LaneLaunch *launch) {
  ASSERT(launch->kernel);
  ASSERT(launch->use && launch->use->cfg);
  Arena *arena = launch->scan->arena;
  Lane *lane = arena_new(arena, Lane);
  *lane = (Lane){.launch = launch,
                 .scan = launch->scan,
                 .pool = launch->scan->pool,
                 .kernel = launch->kernel,
                 .cfg = launch->use->cfg,
                 .index_loop = CFG_NONE};
  lane->values = arena_array(arena, launch->kernel->insts.count + 1u, ExprRef);
  lane->busy = arena_array(arena, launch->kernel->insts.count + 1u, uint8_t);
  lane->counts = arena_array(arena, lane->cfg->loops.count + 1u, ExprRef);
  lane->count_funcs = arena_array(arena, lane->cfg->loops.count + 1u, uint32_t);
  return lane;
}
