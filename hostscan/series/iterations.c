// In which iteration of a loop is control, and what changes from one to the next? The iteration number of a loop is a
// symbol, made when somebody asks; a symbol varies in the loop that it belongs to and in those around its place.
// Soundness: over-approximates what changes. A signed 32-bit counter that must not wrap bounds the number.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/series.h"
#include "core/bug.h"
#include "hostscan/terms.h"
#include "hostscan/names.h"
#include "hostscan/syntax.h"

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
  ASSERT(sym < expr_sym_count(scan->pool));
  ASSERT(frame->function);
  ASSERT(host_function_has_loop(frame->function, loop));
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
  ASSERT(expr_is_of(scan->pool, ref));
  ASSERT(frame->function);
  ASSERT(host_function_has_loop(frame->function, loop));
  return varies_except(scan, ref, frame, loop, UINT32_MAX);
}

bool host_depends_only_on_count(HostScan *scan, ExprRef ref, const HostFrame *frame, uint32_t loop) {
  ASSERT(expr_is_of(scan->pool, ref));
  ASSERT(frame->function);
  ASSERT(host_function_has_loop(frame->function, loop));
  ExprRef count = frame->loops[loop].count;
  uint32_t sym = count ? (uint32_t)expr_node(scan->pool, count)->value : UINT32_MAX;
  return !varies_except(scan, ref, frame, loop, sym);
}

// ---- the iteration number
uint32_t host_loop_with_header(const Cfg *cfg, uint32_t block) {
  ASSERT(block < cfg->block_count);
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
SrcLoc host_loop_loc(HostScan *scan, const HostFrame *frame, uint32_t loop, const IrInst *phi) {
  ASSERT(frame->function);
  ASSERT(host_function_has_loop(frame->function, loop));
  ASSERT(!phi || ir_has_inst(frame->function->ir, phi));
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
  count.loc = host_loop_loc(scan, frame, loop, named);
  return count;
}

ExprRef host_loop_count(HostScan *scan, HostFrame *frame, uint32_t loop) {
  ASSERT(frame->function);
  ASSERT(host_function_has_loop(frame->function, loop));
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

bool host_split_affine(HostScan *scan, ExprRef offset, ExprRef count, ExprRef *start, int64_t *step_out) {
  ASSERT(host_has_word(scan, offset, 64));
  ASSERT(expr_is_of(scan->pool, count));
  ExprRef zero = expr_const(scan->pool, expr_width(scan->pool, count), 0);
  ExprRef one = expr_const(scan->pool, expr_width(scan->pool, count), 1);
  ExprRef two = expr_const(scan->pool, expr_width(scan->pool, count), 2);
  ExprRef at0 = host_at_iteration(scan, offset, count, zero),
          at1 = host_at_iteration(scan, offset, count, one);
  ExprRef at2 = host_at_iteration(scan, offset, count, two);
  ExprRef step = expr_binary(scan->pool, EXPR_SUB, 0, at1, at0),
          again = expr_binary(scan->pool, EXPR_SUB, 0, at2, at1);
  int64_t stride = 0, stride2 = 0;
  step = host_gather(scan, step);
  again = host_gather(scan, again);
  if (!expr_is_const(scan->pool, step, &stride) || !expr_is_const(scan->pool, again, &stride2)) return false;
  // Three points on a line are no proof: the shape must be a sum with one multiple of the iteration number.
  ExprRef wide = expr_resize_signed(scan->pool, count, 64);
  ExprRef product = expr_binary(scan->pool, EXPR_MUL, EXPR_NSW, wide, expr_const(scan->pool, 64, stride));
  ExprNode node = *expr_node(scan->pool, offset);
  bool is_plain = offset == product;
  if (node.op == EXPR_MUL) is_plain = node.a == wide;
  for (int side = 0; node.op == EXPR_ADD && side < 2; side++) {
    ExprRef part = side ? node.b : node.a, other = side ? node.a : node.b;
    ExprNode x = *expr_node(scan->pool, part);
    bool is_multiple = part == wide || (x.op == EXPR_MUL && x.a == wide);
    is_plain |= is_multiple && !host_mentions(scan, other, (uint32_t)expr_node(scan->pool, count)->value);
  }
  *start = at0;
  *step_out = stride;
  return is_plain && stride == stride2 && stride != 0;
}
