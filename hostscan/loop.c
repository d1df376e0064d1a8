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
#include "hostscan/internal.h"

// ---- what changes in a loop
typedef struct PlaceSearch {
  const HostScan *scan;
  const HostFrame *frame;
  uint32_t loop;
  bool found;
} PlaceSearch;

static void look_at_place(void *context, uint32_t sym) {
  PlaceSearch *search = context;
  search->found = search->found || host_sym_varies(search->scan, sym, search->frame, search->loop);
}

bool host_sym_varies(const HostScan *scan, uint32_t sym, const HostFrame *frame, uint32_t loop) {
  if (sym >= scan->syms.count || !scan->syms.items[sym].frame) return false;
  // What lay somewhere before the loop is another word in each round, if the place is another one.
  PlaceSearch search = {scan, frame, loop, false};
  if (scan->syms.items[sym].cell_offset)
    expr_each_sym(scan->pool, scan->syms.items[sym].cell_offset, look_at_place, &search);
  if (search.found) return true;
  const HostFrame *at = scan->syms.items[sym].frame;
  uint32_t inner = scan->syms.items[sym].loop;
  for (; at && at != frame; at = at->parent) { // seen from the frame of the loop: at the call
    if (!at->parent) return false;
    inner = at->parent->function->cfg->loop_of[at->parent->function->ir->insts.items[at->call].block];
  }
  while (at && inner != CFG_NONE && inner != loop)
    inner = at->function->cfg->loops.items[inner].parent;
  return at && inner == loop;
}

typedef struct VarySearch {
  const HostScan *scan;
  const HostFrame *frame;
  uint32_t loop;
  uint32_t except; // a symbol that may vary, or UINT32_MAX
  bool found;
} VarySearch;

static bool look_for_varying(void *context, uint32_t sym) {
  VarySearch *search = context;
  if (sym != search->except && host_sym_varies(search->scan, sym, search->frame, search->loop))
    search->found = true;
  return !search->found;
}

static bool varies_except(HostScan *scan, ExprRef ref, const HostFrame *frame, uint32_t loop,
                          uint32_t except) {
  VarySearch search = {scan, frame, loop, except, false};
  host_each_sym(scan, host_settle(scan, ref), look_for_varying, &search);
  return search.found;
}

bool host_varies_in(HostScan *scan, ExprRef ref, const HostFrame *frame, uint32_t loop) {
  return varies_except(scan, ref, frame, loop, UINT32_MAX);
}

bool host_depends_only_on_count(HostScan *scan, ExprRef ref, const HostFrame *frame, uint32_t loop) {
  ExprRef count = frame->loops[loop].count;
  uint32_t sym = count ? (uint32_t)expr_node(scan->pool, count)->value : UINT32_MAX;
  return !varies_except(scan, ref, frame, loop, sym);
}

bool host_cell_varies(HostScan *scan, HostCell cell, const HostFrame *frame, uint32_t loop) {
  return host_varies_in(scan, cell.base, frame, loop) || host_varies_in(scan, cell.offset, frame, loop);
}

// ---- the iteration number
uint32_t host_loop_with_header(const Cfg *cfg, uint32_t block) {
  uint32_t loop = cfg->loop_of[block];
  return loop != CFG_NONE && cfg->loops.items[loop].header == block ? loop : CFG_NONE;
}

typedef struct Counter { // an integer phi that goes up or down by a constant
  const IrInst *phi;
  bool counts_from_zero; // 0, 1, 2 ...
  bool cannot_wrap;
} Counter;

static bool read_counter(const HostFrame *frame, uint32_t header, const IrInst *phi, Counter *counter) {
  const IrFunction *ir = frame->function->ir;
  int64_t start = 1, step = 0;
  *counter = (Counter){.phi = phi};
  if (phi->type.kind != IR_INT || phi->type.bits < 8) return false;
  for (uint32_t i = 0; i < phi->op_count; i++) {
    const IrInst *next = ir_inst(ir, phi->ops[i]);
    if (!host_is_back_edge(frame->function->cfg, phi->blocks[i], header)) {
      if (!ir_const_value(ir, phi->ops[i], &start)) start = 1;
      continue;
    }
    if (!next || next->op != IR_ADD || ir_inst(ir, next->ops[0]) != phi) return false;
    if (!ir_const_value(ir, next->ops[1], &step) || step == 0) return false;
    counter->cannot_wrap = (next->flags & IR_FLAG_NSW) != 0;
  }
  counter->counts_from_zero = start == 0 && step == 1;
  return step != 0;
}

// A variable of a loop; where it has no place of its own, that of the loop's test.
static SrcLoc loop_loc(HostScan *scan, const HostFrame *frame, uint32_t loop, const IrInst *phi) {
  const CfgLoop *info = &frame->function->cfg->loops.items[loop];
  SrcLoc loc = {0};
  if (phi) loc = host_loc(scan, frame, phi);
  for (uint32_t i = 0; i < info->blocks.count && loc.line == 0; i++)
    loc = host_loc(scan, frame, ir_terminator(frame->function->ir, info->blocks.items[i]));
  return loc;
}

// A signed 32-bit counter that must not wrap bounds the number of iterations; without one, 32 bits are
// only enough to know the iteration number modulo 2^32, which serves 32-bit phis just as well.
static HostUnknown describe_count(HostScan *scan, HostFrame *frame, uint32_t loop) {
  const IrFunction *ir = frame->function->ir;
  uint32_t header = frame->function->cfg->loops.items[loop].header;
  const IrBlock *block = &ir->blocks.items[header];
  HostUnknown count = {.frame = frame, .loop = loop, .width = 64, .hi = INT64_MAX / 2};
  const IrInst *named = NULL, *first = NULL;
  bool from_zero = false, has_wide = false, has_narrow = false, is_bounded = false;
  for (uint32_t i = block->first; i < block->first + block->count; i++) {
    const IrInst *inst = &ir->insts.items[i];
    Counter counter;
    if (inst->op != IR_PHI) break;
    if (!first && symeval_width(inst->type)) first = inst;
    has_wide |= inst->type.kind == IR_PTR || inst->type.bits == 64;
    if (!read_counter(frame, header, inst, &counter)) continue;
    has_narrow |= inst->type.bits <= 32;
    is_bounded |= inst->type.bits <= 32 && counter.cannot_wrap;
    if (!named || (counter.counts_from_zero && !from_zero)) named = inst;
    from_zero |= counter.counts_from_zero;
  }
  if (is_bounded || (has_narrow && !has_wide)) count.width = 32;
  if (count.width == 32) count.hi = is_bounded ? INT32_MAX : 0;
  if (!named) named = first;
  const char *name = named ? host_clean_name(scan, named->name) : NULL;
  count.name = !name ? "iteration" : from_zero ? name : arena_printf(scan->arena, "iteration(%s)", name);
  count.loc = loop_loc(scan, frame, loop, named);
  return count;
}

ExprRef host_loop_count(HostScan *scan, HostFrame *frame, uint32_t loop) {
  HostLoop *state = &frame->loops[loop];
  if (state->count) return state->count;
  HostUnknown info = describe_count(scan, frame, loop);
  ExprRef count = expr_new_sym(
      scan->pool,
      (ExprSym){
          .name = info.name, .width = info.width, .kind = SYM_ITERATION, .hi = info.hi, .loc = info.loc});
  HostSym *sym = host_sym(scan, (uint32_t)expr_node(scan->pool, count)->value);
  sym->frame = frame;
  sym->loop = loop;
  return state->count = count;
}

// ---- phis
static void close_loop(HostScan *scan, HostFrame *frame, uint32_t loop) {
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
  unknown.loc = loop_loc(scan, frame, loop, phi);
  ExprRef symbol = host_unknown(scan, unknown);
  host_make_placeholder(scan, symbol);
  return symbol;
}

void host_loop_prepare(HostScan *scan, HostFrame *frame, uint32_t loop) {
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
  state->open++;
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

// An address that changes from one iteration to the next: the writes of earlier iterations are not
// expressed in terms of it, so there must be none.
static ExprRef varying_cell(HostScan *scan, HostFrame *frame, uint32_t loop, HostCell cell,
                            ExprRef placeholder) {
  uint32_t header = frame->function->cfg->loops.items[loop].header;
  if (loop_may_write(scan, frame, loop, cell)) return placeholder;
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

bool host_split_affine(HostScan *scan, ExprRef offset, ExprRef count, ExprRef *start, int64_t *step_out) {
  ExprRef zero = expr_const(scan->pool, expr_width(scan->pool, count), 0);
  ExprRef one = expr_const(scan->pool, expr_width(scan->pool, count), 1);
  ExprRef two = expr_const(scan->pool, expr_width(scan->pool, count), 2);
  ExprRef at0 = host_at_iteration(scan, offset, count, zero),
          at1 = host_at_iteration(scan, offset, count, one);
  ExprRef at2 = host_at_iteration(scan, offset, count, two);
  ExprRef step = expr_binary(scan->pool, EXPR_SUB, 0, at1, at0),
          again = expr_binary(scan->pool, EXPR_SUB, 0, at2, at1);
  int64_t stride = 0, stride2 = 0;
  if (!expr_is_const(scan->pool, step, &stride) || !expr_is_const(scan->pool, again, &stride2)) return false;
  // Three points on a line are no proof: the shape must be a sum with one multiple of the iteration number.
  ExprRef wide = expr_resize_signed(scan->pool, count, 64);
  ExprRef product = expr_binary(scan->pool, EXPR_MUL, EXPR_NSW, wide, expr_const(scan->pool, 64, stride));
  ExprNode node = *expr_node(scan->pool, offset);
  bool is_plain = offset == product;
  if (node.op == EXPR_MUL) is_plain = node.a == wide;
  if (node.op == EXPR_ADD) {
    ExprNode x = *expr_node(scan->pool, node.a);
    is_plain = (x.op == EXPR_MUL && x.a == wide) || node.a == wide;
  }
  *start = at0;
  *step_out = stride;
  return is_plain && stride == stride2 && stride != 0;
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
  ExprRef offset = targets.items[0].offset;
  fill->inst = inst;
  return host_depends_only_on_count(scan, offset, frame, loop) &&
         host_split_affine(scan, offset, host_loop_count(scan, frame, loop), &fill->start, &fill->stride);
}

static bool find_fill(HostScan *scan, HostFrame *frame, uint32_t loop, HostCell cell, Fill *fill) {
  const HostFunction *function = frame->function;
  const CfgLoop *info = &function->cfg->loops.items[loop];
  uint32_t writes = 0;
  for (uint32_t i = 0; i < info->blocks.count; i++) {
    uint32_t block = info->blocks.items[i];
    for (uint32_t e = function->effect_first[block]; e < function->effect_first[block + 1]; e++) {
      if (!host_effect(scan, frame, function->effects[e], cell)) continue;
      if (++writes > 1 || !read_fill(scan, frame, loop, function->effects[e], cell, fill)) return false;
    }
  }
  return writes == 1;
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
  state->open++; // cells that are found on the way are classified together with this one
  bool is_kept = !loop_may_write(scan, frame, loop, cell);
  ExprRef filled =
      is_kept ? cell_side(scan, frame, header, cell, false) : filled_cell(scan, frame, loop, cell);
  if (is_kept && filled == placeholder) filled = 0;
  if (filled) {
    host_set_form(scan, placeholder, filled);
  } else {
    phi.init = cell_side(scan, frame, header, cell, false);
    phi.next = cell_side(scan, frame, header, cell, true);
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
    if (before) value = host_element_of_loop(scan, frame, loop, cell, before);
    host_sym(scan, (uint32_t)expr_node(scan->pool, unknown)->value)->before_loop = before;
  }
  host_map_put(&scan->cells, key, value ? value : unknown);
  return value ? value : unknown;
}

ExprRef host_loop_cell(HostScan *scan, HostFrame *frame, uint32_t loop, HostCell cell) {
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
