// What are the values at the header of a loop? Phis of SSA and cells of memory are opened with a
// placeholder each, their values on entry and at the end of an iteration are computed in terms of the
// placeholders, and form.c finds closed forms over the iteration number.
// Method: the phis of a loop that depend on each other are found by evaluating; they are classified
// together when the outermost evaluation of that loop has ended. Loops around are opened first, so that
// inner placeholders can turn out to be outer ones (as in Braun et al., "Simple and Efficient Construction
// of Static Single Assignment Form", 2013). The form of a placeholder is substituted later, where values
// are used (host_settle).
// Soundness: a placeholder without a form is an unknown value of its own in each iteration. Cells whose
// address changes in the loop are known only if nothing in the loop may write them.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/value/value.h"
#include "core/bug.h"
#include "hostscan/objects.h"
#include "hostscan/names.h"
#include "hostscan/program.h"
#include "hostscan/syntax.h"
#include "hostscan/series.h"
#include "hostscan/terms.h"

// ---- what changes in a loop

bool host_cell_varies(HostScan *scan, HostCell cell, const HostFrame *frame, uint32_t loop) {
  ASSERT(host_has_cell(scan, cell));
  ASSERT(frame->function);
  ASSERT(host_function_has_loop(frame->function, loop));
  return host_varies_in(scan, cell.base, frame, loop) || host_varies_in(scan, cell.offset, frame, loop);
}

// ---- phis
// With it the loops around are open: what becomes of their phis in a round is known when those of the loops inside are.
static void open_loop(HostFrame *frame, uint32_t loop) {
  const CfgLoop *loops = frame->function->cfg->loops.items;
  for (; loop != CFG_NONE; loop = loops[loop].parent)
    frame->loops[loop].open++;
}

static void close_loop(HostScan *scan, HostFrame *frame, uint32_t loop) {
  const CfgLoop *loops = frame->function->cfg->loops.items;
  for (; loop != CFG_NONE; loop = loops[loop].parent)
    if (--frame->loops[loop].open == 0) host_classify(scan, frame, loop);
}

// What does not change in the loop is settled at once, so that addresses are known while others are
// evaluated.
static void note_phi(HostScan *scan, HostLoop *state, HostPhi phi) {
  if (!phi.init || !phi.next) return;
  ExprRef next = host_settle(scan, phi.next);
  if (next == phi.placeholder || next == host_settle(scan, phi.init))
    host_set_form(scan, phi.placeholder, phi.init);
  else
    vec_push(scan->arena, &state->pending, phi);
}

static ExprRef phi_side(HostScan *scan, HostFrame *frame, const IrInst *phi, bool is_back) {
  HostWays ways;
  if (!host_ways_in(frame, phi->block, is_back, &ways)) return 0;
  for (uint32_t w = 0; w < ways.count; w++)
    for (uint32_t i = 0; i < phi->op_count; i++)
      if (phi->blocks[i] == ways.preds[w]) ways.values[w] = host_value(scan, frame, phi->ops[i]);
  for (uint32_t w = 0; w < ways.count; w++)
    if (!ways.values[w]) return 0;
  return host_merge(scan, &ways);
}

static ExprRef phi_placeholder(HostScan *scan, HostFrame *frame, const IrInst *phi, uint32_t index,
                               uint32_t loop) {
  HostUnknown unknown = {.frame = frame, .loop = loop, .width = symeval_width(phi->type)};
  unknown.name = host_name_of_value(scan, frame, IR_REF(IR_REF_INST, index));
  unknown.loc = host_loop_loc(scan, frame, loop, phi);
  ExprRef symbol = host_unknown(scan, unknown);
  host_make_placeholder(scan, symbol);
  return symbol;
}

void host_loop_prepare(HostScan *scan, HostFrame *frame, uint32_t loop) {
  ASSERT(frame->function);
  ASSERT(host_function_has_loop(frame->function, loop));
  HostLoop *state = &frame->loops[loop];
  const IrFunction *ir = frame->function->ir;
  if (state->is_prepared) return;
  uint32_t parent = frame->function->cfg->loops.items[loop].parent;
  if (parent != CFG_NONE) host_loop_prepare(scan, frame, parent);
  if (state->is_prepared) return;
  state->is_prepared = true;
  const IrBlock *block = &ir->blocks.items[frame->function->cfg->loops.items[loop].header];
  uint32_t end = block->first;
  for (; end < block->first + block->count && ir->insts.items[end].op == IR_PHI; end++)
    if (symeval_width(ir->insts.items[end].type))
      frame->values[end] = phi_placeholder(scan, frame, &ir->insts.items[end], end, loop);
  open_loop(frame, loop);
  for (uint32_t i = block->first; i < end; i++) {
    if (!frame->values[i]) continue;
    HostPhi phi = {.placeholder = frame->values[i]};
    phi.init = phi_side(scan, frame, &ir->insts.items[i], false);
    phi.next = phi_side(scan, frame, &ir->insts.items[i], true);
    note_phi(scan, state, phi);
  }
  close_loop(scan, frame, loop);
}

// ---- cells
static ExprRef cell_side(HostScan *scan, HostFrame *frame, uint32_t header, HostCell cell, bool is_back) {
  HostWays ways;
  if (!host_ways_in(frame, header, is_back, &ways)) return 0;
  for (uint32_t w = 0; w < ways.count; w++)
    ways.values[w] = host_cell_at_end(scan, frame, ways.preds[w], header, cell);
  return host_merge(scan, &ways);
}

static bool loop_may_write(HostScan *scan, HostFrame *frame, uint32_t loop, HostCell cell) {
  const HostFunction *function = frame->function;
  const CfgLoop *info = &function->cfg->loops.items[loop];
  for (uint32_t i = 0; i < info->blocks.count; i++) {
    uint32_t block = info->blocks.items[i];
    for (uint32_t e = function->effect_first[block]; e < function->effect_first[block + 1]; e++)
      if (host_effect(scan, frame, function->effects[e], cell)) return true;
  }
  return false;
}

bool host_loop_touches(HostScan *scan, HostLoopPlace place, HostCell cell) {
  ASSERT(host_has_cell(scan, cell));
  const HostFunction *function = place.frame->function;
  const CfgLoop *info = &function->cfg->loops.items[place.loop];
  for (uint32_t i = 0; i < info->blocks.count; i++) {
    uint32_t block = info->blocks.items[i];
    for (uint32_t e = function->effect_first[block]; e < function->effect_first[block + 1]; e++)
      if (host_touches(scan, place.frame, function->effects[e], cell)) return true;
  }
  return false;
}

// A place that goes with the loop, in whichever round.
static HostCell in_any_round(HostScan *scan, HostFrame *frame, uint32_t loop, HostCell cell) {
  ExprRef count = frame->loops[loop].count;
  if (!host_varies_in(scan, cell.offset, frame, loop)) return cell;
  if (!count || !host_depends_only_on_count(scan, cell.offset, frame, loop)) {
    cell.offset = host_element(scan);
    return cell;
  }
  HostUnknown round = {
      .width = expr_width(scan->pool, count), .name = "round", .loop = CFG_NONE, .hi = INT32_MAX - 1};
  cell.offset = host_at_iteration(scan, cell.offset, count, host_unknown(scan, round));
  return cell;
}

// An address that changes from one iteration to the next: the writes of earlier iterations are not
// expressed in terms of it, so there must be none.
static ExprRef varying_cell(HostScan *scan, HostFrame *frame, uint32_t loop, HostCell cell,
                            ExprRef placeholder) {
  uint32_t header = frame->function->cfg->loops.items[loop].header;
  HostCell there = in_any_round(scan, frame, loop, cell);
  // What an array as a whole holds at the end of a round is not known before the values that go on from round to round are.
  bool is_anywhere = scan->element && there.offset == scan->element;
  if (is_anywhere ? host_loop_touches(scan, (HostLoopPlace){frame, loop}, there)
                  : loop_may_write(scan, frame, loop, there))
    return placeholder;
  ExprRef before = cell_side(scan, frame, header, cell, false);
  if (before && host_settle(scan, before) != placeholder) host_set_form(scan, placeholder, before);
  return host_settle(scan, placeholder);
}

// ---- arrays filled by a loop
typedef struct Fill { // the only write to the array: element start + stride * count, in every iteration
  uint32_t inst;
  ExprRef start;
  int64_t stride;
} Fill;

static ExprRef written_address(HostScan *scan, HostFrame *frame, uint32_t index) {
  const IrInst *inst = &frame->function->ir->insts.items[index];
  if (inst->op == IR_STORE) return host_value(scan, frame, inst->ops[0]);
  if (inst->op != IR_CALL || host_call(scan, inst, NULL)->kind != CALL_ALLOCATE) return 0;
  return host_value(scan, frame, inst->ops[0]);
}

static bool read_fill(HostScan *scan, HostFrame *frame, uint32_t loop, uint32_t inst, HostCell cell,
                      Fill *fill) {
  const Cfg *cfg = frame->function->cfg;
  const CfgLoop *info = &cfg->loops.items[loop];
  uint32_t block = frame->function->ir->insts.items[inst].block;
  if (cfg->loop_of[block] != loop) return false;
  for (uint32_t i = 0; i < info->latches.count; i++)
    if (!cfg_dominates(cfg, block, info->latches.items[i])) return false;
  ExprRef address = written_address(scan, frame, inst);
  HostTargets targets = {0};
  if (!address || !host_targets(scan, address, &targets) || targets.count != 1) return false;
  if (targets.items[0].leaf != cell.base) return false;
  ExprRef offset = host_gather(scan, host_settle(scan, targets.items[0].offset));
  fill->inst = inst;
  return host_depends_only_on_count(scan, offset, frame, loop) &&
         host_split_affine(scan, offset, host_loop_count(scan, frame, loop), &fill->start, &fill->stride);
}

// The iteration that wrote the cell: (offset - start) / stride, where that is seen to be whole.
static ExprRef writing_iteration(HostScan *scan, const Fill *fill, ExprRef offset, uint8_t width) {
  ExprRef distance = expr_binary(scan->pool, EXPR_SUB, EXPR_ADDRESS, offset, fill->start);
  ExprNode node = *expr_node(scan->pool, distance);
  int64_t bytes = 0, factor = 0;
  if (expr_is_const(scan->pool, distance, &bytes))
    return bytes % fill->stride ? 0 : expr_const(scan->pool, width, bytes / fill->stride);
  if (fill->stride == 1) return expr_resize_signed(scan->pool, distance, width);
  if (node.op != EXPR_MUL || !expr_is_const(scan->pool, node.b, &factor) || factor % fill->stride) return 0;
  ExprRef index = expr_resize_signed(scan->pool, node.a, width);
  return expr_binary(scan->pool, EXPR_MUL, EXPR_NSW, index,
                     expr_const(scan->pool, width, factor / fill->stride));
}

// The test of the loop at its header, which every round has passed, if it is of its number and of what is plainly computed: of
// nothing in memory, so that asking for it asks for no other cell.
static bool is_plain(const IrFunction *ir, IrRef ref, int depth) {
  if (ir_ref_kind(ref) == IR_REF_CONST) return true;
  const IrInst *inst = ir_inst(ir, ref);
  if (!inst || depth == 0) return false;
  if (inst->op == IR_PHI) return true;
  IrOpClass class = ir_op_class((IrOp)inst->op);
  if (class != IR_CLASS_ARITH && class != IR_CLASS_COMPARE && class != IR_CLASS_CAST) return false;
  for (uint32_t i = 0; i < inst->op_count; i++)
    if (!is_plain(ir, inst->ops[i], depth - 1)) return false;
  return true;
}

static ExprRef test_of_round(HostScan *scan, HostFrame *frame, uint32_t loop) {
  enum { DEPTH = 6 };
  const HostFunction *function = frame->function;
  uint32_t header = function->cfg->loops.items[loop].header;
  const IrBlock *block = &function->ir->blocks.items[header];
  const IrInst *end = &function->ir->insts.items[block->first + block->count - 1];
  if (end->op != IR_CONDBR || !is_plain(function->ir, end->ops[0], DEPTH)) return 0;
  bool first = cfg_loop_contains(function->cfg, loop, end->blocks[0]);
  if (first == cfg_loop_contains(function->cfg, loop, end->blocks[1])) return 0;
  ExprRef test = host_settle(scan, host_value(scan, frame, end->ops[0]));
  if (!host_depends_only_on_count(scan, test, frame, loop)) return 0;
  return first ? test : expr_not(scan->pool, test);
}

// Members side by side that one loop fills (`size[i] = a[i]; stride[i] = b[i];`): the round in which the store would come to the
// cell, by the steps that it goes in, is one that the loop does not make.
static bool is_written_elsewhere(HostScan *scan, HostFrame *frame, uint32_t loop, uint32_t inst,
                                 HostCell cell) {
  Fill other = {0};
  const IrInst *store = &frame->function->ir->insts.items[inst];
  int64_t round = 0;
  if (store->op != IR_STORE ||
      ir_ref_type(scan->module, frame->function->ir, store->ops[1]).bytes != cell.bytes ||
      store->block == frame->function->cfg->loops.items[loop].header || // which comes before the test
      !read_fill(scan, frame, loop, inst, cell, &other) || other.stride == 0 ||
      other.stride % cell.bytes != 0)
    return false;
  ExprRef count = host_loop_count(scan, frame, loop), test = test_of_round(scan, frame, loop);
  uint8_t width = expr_width(scan->pool, count);
  ExprRef distance =
      host_settle(scan, expr_binary(scan->pool, EXPR_SUB, EXPR_ADDRESS, cell.offset, other.start));
  int64_t bytes = 0;
  if (!test || !expr_is_const(scan->pool, distance, &bytes) || bytes % other.stride != 0) return false;
  round = bytes / other.stride;
  if (round < 0) return true;
  ExprRef there = host_at_iteration(scan, test, count, expr_const(scan->pool, width, round));
  return expr_is_false(scan->pool, there);
}

static bool find_fill(HostScan *scan, HostFrame *frame, uint32_t loop, HostCell cell, Fill *fill) {
  const HostFunction *function = frame->function;
  const CfgLoop *info = &function->cfg->loops.items[loop];
  uint32_t writes = 0;
  for (uint32_t i = 0; i < info->blocks.count; i++) {
    uint32_t block = info->blocks.items[i];
    for (uint32_t e = function->effect_first[block]; e < function->effect_first[block + 1]; e++) {
      if (!host_effect(scan, frame, function->effects[e], cell)) continue;
      if (is_written_elsewhere(scan, frame, loop, function->effects[e], cell)) continue;
      if (++writes > 1 || !read_fill(scan, frame, loop, function->effects[e], cell, fill)) return false;
    }
  }
  return writes == 1;
}

static ExprRef filled_cell(HostScan *scan, HostFrame *frame, uint32_t loop, HostCell cell) {
  Fill fill = {0};
  int64_t whole = 0;
  ExprRef size = host_object_of(scan, cell.base)->size_bytes;
  if (size && expr_is_const(scan->pool, size, &whole) && whole == cell.bytes) return 0; // no array
  if (!find_fill(scan, frame, loop, cell, &fill)) return 0;
  ExprRef count = host_loop_count(scan, frame, loop);
  HostCell element = cell;
  HostTargets targets = {0};
  if (!host_targets(scan, written_address(scan, frame, fill.inst), &targets)) return 0;
  element.offset = targets.items[0].offset;
  ExprRef written = host_effect(scan, frame, fill.inst, element);
  ExprRef iteration =
      writing_iteration(scan, &fill, host_settle(scan, cell.offset), expr_width(scan->pool, count));
  written = host_settle(scan, written);
  if (!written || !iteration || !host_depends_only_on_count(scan, written, frame, loop)) return 0;
  ExprRef before = cell_side(scan, frame, frame->function->cfg->loops.items[loop].header, cell, false);
  ExprRef value = host_at_iteration(scan, written, count, iteration);
  if (!before || host_is_uninitialised(scan, host_settle(scan, before))) return value; // nobody may read that
  ExprRef from = expr_const(scan->pool, expr_width(scan->pool, count), 0);
  ExprRef is_written = expr_and(scan->pool, expr_binary(scan->pool, EXPR_SLE, 0, from, iteration),
                                expr_binary(scan->pool, EXPR_SLT, 0, iteration, count));
  return expr_ite(scan->pool, is_written, value, before);
}

static void open_cell(HostScan *scan, HostFrame *frame, uint32_t loop, HostCell cell, ExprRef placeholder) {
  uint32_t header = frame->function->cfg->loops.items[loop].header;
  HostLoop *state = &frame->loops[loop];
  HostPhi phi = {.placeholder = placeholder};
  open_loop(frame, loop); // cells that are found on the way are classified together with this one
  if (cell.kind == IR_PTR && cell.bytes == 8) {
    ExprRef entering = cell_side(scan, frame, header, cell, false);
    if (entering) host_guess(scan, placeholder, entering, (HostLoopText){frame->function->index, loop});
  }
  bool is_kept = !loop_may_write(scan, frame, loop, cell);
  ExprRef filled =
      is_kept ? cell_side(scan, frame, header, cell, false) : filled_cell(scan, frame, loop, cell);
  if (is_kept && filled == placeholder) filled = 0;
  if (filled) {
    host_guess_comes_round(scan, placeholder, filled);
    host_set_form(scan, placeholder, filled);
  } else {
    phi.init = cell_side(scan, frame, header, cell, false);
    phi.next = cell_side(scan, frame, header, cell, true);
    host_guess_comes_round(scan, placeholder, phi.next);
    note_phi(scan, state, phi);
  }
  close_loop(scan, frame, loop);
}

// The array of this very iteration has not been made yet at its header.
static bool is_made_inside(HostScan *scan, const HostFrame *frame, uint32_t loop, HostCell cell) {
  const HostObject *object = host_object_of(scan, cell.base);
  if (cell.base != object->leaf || !object->frame) return false;
  const HostFrame *at = object->frame;
  uint32_t inst = object->inst;
  for (; at && at != frame; at = at->parent)
    inst = at->call;
  return at && cfg_loop_contains(frame->function->cfg, loop, frame->function->ir->insts.items[inst].block);
}

// ---- elements that each round leaves as they were before the first
static ExprRef is_constant_under(ExprPool *pool, ExprRef value, ExprRef constant) {
  ExprNode node = *expr_node(pool, value);
  if (node.op != EXPR_ITE) return expr_bool(pool, value == constant);
  ExprRef then = is_constant_under(pool, node.b, constant), other = is_constant_under(pool, node.c, constant);
  return expr_or(pool, expr_and(pool, node.a, then), expr_and(pool, expr_not(pool, node.a), other));
}

// Work of an earlier round: its stream is another one if it changes in the loop.
static bool any_stream_varies(HostScan *scan, const IndexList *pending, const HostFrame *frame,
                              uint32_t loop) {
  for (uint32_t i = 0; i < pending->count; i++)
    for (uint32_t k = 0; k < scan->kernel_fills.count; k++) {
      const HostKernelFill *fill = &scan->kernel_fills.items[k];
      if (fill->func == pending->items[i] && fill->stream && host_varies_in(scan, fill->stream, frame, loop))
        return true;
    }
  return false;
}

// `cudaMemset` before the loop and at the end of each round: at the header the elements that both cover are that
// number. What stands in the way elsewhere does not matter.
static ExprRef set_back_in_loop(HostScan *scan, HostFrame *frame, uint32_t loop, HostCell cell,
                                ExprRef before) {
  ExprRef next = cell_side(scan, frame, frame->function->cfg->loops.items[loop].header, cell, true);
  IndexList pending = {0}; // copies and fills of other rounds, that have to be over
  if (!next) return 0;
  ExprNode node = *expr_node(scan->pool, host_without_pending(scan, host_settle(scan, next), &pending));
  before = host_without_pending(scan, host_settle(scan, before), &pending);
  if (any_stream_varies(scan, &pending, frame, loop) || node.op != EXPR_ITE ||
      !expr_is_const(scan->pool, node.b, NULL))
    return 0;
  ExprRef is_there = is_constant_under(scan->pool, before, node.b);
  ExprRef is_known = expr_and(scan->pool, node.a, is_there);
  if (expr_is_false(scan->pool, is_known) || host_varies_in(scan, is_known, frame, loop)) return 0;
  ExprRef unknown = host_cell_symbol(scan, (HostCellSymbol){frame, PLACE_HEADER, loop, loop}, cell);
  return expr_ite(scan->pool, is_known, host_with_pending(scan, node.b, &pending), unknown);
}

static ExprRef element_of_loop(HostScan *scan, HostFrame *frame, uint32_t loop, HostCell cell) {
  uint32_t header = frame->function->cfg->loops.items[loop].header;
  HostKey key = host_cell_key(frame, PLACE_HEADER, loop, cell);
  ExprRef unknown = host_cell_symbol(scan, (HostCellSymbol){frame, PLACE_HEADER, loop, loop}, cell),
          value = 0;
  host_map_put(&scan->cells, key, unknown); // for what asks again on the way
  const HostObject *object = host_object_of(scan, cell.base);
  if (is_made_inside(scan, frame, loop, cell)) {
    bool is_new = !object->is_copied;
    value = object->is_zeroed ? expr_const(scan->pool, (uint8_t)(cell.bytes * 8), 0) : unknown;
    host_sym(scan, (uint32_t)expr_node(scan->pool, unknown)->value)->is_uninitialised = is_new;
  } else {
    ExprRef before = cell_side(scan, frame, header, cell, false);
    HostQuestion question = {
        .about = HOST_ABOUT_LOOP, .frame = frame, .index = loop, .cell = cell, .before = before};
    if (before) value = host_ask(scan, &question);
    if (before && !value) value = set_back_in_loop(scan, frame, loop, cell, before);
    host_sym(scan, (uint32_t)expr_node(scan->pool, unknown)->value)->before_loop = before;
  }
  host_map_put(&scan->cells, key, value ? value : unknown);
  return value ? value : unknown;
}

ExprRef host_loop_cell(HostScan *scan, HostFrame *frame, uint32_t loop, HostCell cell) {
  ASSERT(frame->function);
  ASSERT(host_function_has_loop(frame->function, loop));
  ASSERT(host_has_cell(scan, cell));
  const Cfg *cfg = frame->function->cfg;
  uint32_t header = cfg->loops.items[loop].header, parent = cfg->loops.items[loop].parent;
  host_loop_prepare(scan, frame, loop); // addresses in the loop are clearer with closed forms
  HostKey key = host_cell_key(frame, PLACE_HEADER, loop, cell);
  ExprRef known = host_map_get(&scan->cells, key);
  if (known) return host_settle(scan, known);
  if (host_loop_is_quiet(frame->function, loop)) {
    ExprRef before = cell_side(scan, frame, header, cell, false);
    if (before) return before;
  }
  if (host_is_element(scan, cell)) return element_of_loop(scan, frame, loop, cell);
  // Loops around first: see the head of this file.
  if (parent != CFG_NONE && !host_cell_varies(scan, cell, frame, parent))
    (void)host_cell_at_start(scan, frame, cfg->loops.items[parent].header, cell);
  known = host_map_get(&scan->cells, key);
  if (known) return host_settle(scan, known);
  ExprRef placeholder = host_cell_symbol(scan, (HostCellSymbol){frame, PLACE_HEADER, loop, loop}, cell);
  host_make_placeholder(scan, placeholder);
  host_map_put(&scan->cells, key, placeholder);
  if (host_cell_varies(scan, cell, frame, loop)) return varying_cell(scan, frame, loop, cell, placeholder);
  open_cell(scan, frame, loop, cell, placeholder);
  return host_settle(scan, placeholder);
}
