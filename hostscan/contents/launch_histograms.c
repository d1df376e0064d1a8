// How many numbers can a launch draw from counters that start at sums of what an earlier launch counted?
// Building rows of edges: `atomicAdd(&degree[row[i]], 1)` for each edge, sums of prefixes of the degrees,
// then `out[atomicAdd(&next[row[i]], 1)] = ..` with `next` starting at the sums. The ranges of two rows do
// not overlap, since no more is drawn for a row than was counted. Method: what a launch adds to an element is
// a function of it, the HISTOGRAM (host_histogram). A later launch draws no more from an element than was counted
// there if every addition of it has one of the counting launch that surely happened as well, to the same
// element, of no smaller an amount: for the same thread, in the same iterations. That is seen by computing
// both with the same symbols for the numbers of the thread and of the iterations (PROBES, lane.c), and
// everything else as the host code says it is at the two launches: parameters, grid, block, what lies in
// memory. Equal expressions are equal values. Conditions of the earlier launch must all be among those of the
// later one. Soundness: additions of the earlier launch count only if the conditions on the way to them are
// known exactly, and loops around them end only at their headers; values that are not understood are new
// symbols in each probe, so they are equal to nothing. That counters do not wrap is A1.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/contents/lane.h"
#include "core/bug.h"
#include "hostscan/objects.h"
#include "hostscan/series.h"
#include "hostscan/terms.h"
#include "hostscan/value.h"

// ---- what is counted
uint32_t lane_histogram(const LaneLaunch *launch, uint32_t store) {
  ASSERT(launch->cell.bytes >= 4);
  HostScan *scan = launch->scan;
  for (uint32_t i = 0; i < scan->histograms.count; i++) {
    const HostHistogram *histogram = &scan->histograms.items[i];
    if (histogram->frame == launch->frame && histogram->inst == launch->inst &&
        histogram->base == launch->cell.base && histogram->bytes == launch->cell.bytes &&
        histogram->store == store)
      return histogram->func;
  }
  uint32_t site = store == CFG_NONE ? launch->additions.items[0].inst : store;
  SrcLoc loc = *ir_loc(launch->use->module, launch->kernel->insts.items[site].loc);
  ExprSym like = {.width = (uint8_t)(launch->cell.bytes * 8), .kind = SYM_HOST_VALUE, .loc = loc};
  like.name =
      arena_printf(scan->arena, store == CFG_NONE ? "count at line %u" : "count stored at line %u", loc.line);
  like.hi = INT32_MAX - 1;
  uint32_t func = 0;
  (void)host_function_of_element(scan, &like, &func);
  HostHistogram histogram = {
      func, launch->frame, launch->inst, (uint8_t)launch->kind, launch->cell.base, launch->cell.bytes, store};
  vec_push(scan->arena, &scan->histograms, histogram);
  HostKernelFill fill = {func, launch->frame, launch->arguments.begins, launch->arguments.stream};
  vec_push(scan->arena, &scan->kernel_fills, fill);
  return func;
}

static ExprRef raised(HostScan *scan, ExprRef value, ExprRef by) {
  ExprNode node = *expr_node(scan->pool, value);
  if (node.op == EXPR_ITE)
    return expr_ite(scan->pool, node.a, raised(scan, node.b, by), raised(scan, node.c, by));
  return expr_binary(scan->pool, EXPR_ADD, EXPR_NSW, value, by);
}

ExprRef host_histogram(const LaneLaunch *launch, ExprRef before) {
  HostScan *scan = launch->scan;
  if (launch->cell.bytes < 4 || launch->cell.offset != host_element(scan)) return 0;
  ExprRef element = launch->cell.offset;
  if (host_weight(scan, before) > HOST_HEAVY / 4) return 0;
  return raised(scan, before, expr_app(scan->pool, lane_histogram(launch, CFG_NONE), 1, &element));
}

// ---- probes
static bool stays_within(const Cfg *cfg, uint32_t loop, uint32_t block) {
  bool stays = cfg->succ_first[block] < cfg->succ_first[block + 1];
  for (uint32_t e = cfg->succ_first[block]; e < cfg->succ_first[block + 1]; e++)
    stays &= cfg_loop_contains(cfg, loop, cfg->succs[e]);
  return stays;
}

// Only the test at its header ends the loop.
static bool ends_at_header(const Cfg *cfg, uint32_t loop) {
  const CfgLoop *info = &cfg->loops.items[loop];
  bool ends = true;
  for (uint32_t i = 0; i < info->blocks.count; i++)
    ends &= info->blocks.items[i] == info->header || stays_within(cfg, loop, info->blocks.items[i]);
  return ends;
}

// Under which condition does the loop go on at its header?
static ExprRef round_condition(Lane *lane, uint32_t loop) {
  uint32_t header = lane->cfg->loops.items[loop].header;
  const IrInst *last = ir_terminator(lane->kernel, header);
  if (last->op != IR_CONDBR) return 0;
  bool first = cfg_loop_contains(lane->cfg, loop, last->blocks[0]);
  if (first == cfg_loop_contains(lane->cfg, loop, last->blocks[1])) return 0;
  return lane_edge(lane, header, last->blocks[first ? 0 : 1]);
}

ExprRef lane_shared_offset(Lane *lane, IrRef address) {
  ExprRef offset = expr_const(lane->pool, 64, 0);
  const IrInst *inst = ir_inst(lane->kernel, address);
  for (; inst && ir_inst_is(inst, IR_SAME_OBJECT); inst = ir_inst(lane->kernel, address)) {
    if (inst->op == IR_PTRADD)
      offset = expr_binary(lane->pool, EXPR_ADD, EXPR_ADDRESS,
                           expr_resize_signed(lane->pool, lane_value(lane, inst->ops[1]), 64), offset);
    address = inst->ops[0];
  }
  return offset;
}

bool lane_probe_read(LaneProbe *probe, uint32_t inst) {
  const IrInst *site = &probe->launch.kernel->insts.items[inst];
  HostTarget target;
  ExprRef address = 0;
  probe->launch.is_probe = true;
  probe->launch.site = site->block;
  Lane *lane = probe->lane = lane_make(&probe->launch);
  bool is_addition = site->op == IR_ATOMICRMW;
  if (!lane->cfg->is_reducible ||
      (is_addition && !ir_const_value(probe->launch.kernel, site->ops[1], &probe->amount)))
    return false;
  LanePlace place = lane_place(&probe->launch, lane, site->ops[0], &address);
  if (place == LANE_PLACE_UNKNOWN) return false;
  if (place == LANE_PLACE_GLOBAL && !host_sole_target(lane->scan, address, &target)) return false;
  probe->offset = place == LANE_PLACE_GLOBAL ? target.offset : lane_shared_offset(lane, site->ops[0]);
  probe->is_exact = lane_way_to(lane, site->block, &probe->way, &probe->needed);
  uint32_t loop = lane->cfg->loop_of[site->block];
  for (; loop != CFG_NONE; loop = lane->cfg->loops.items[loop].parent) {
    if (probe->depth == HOST_LANE_ROUNDS) return false;
    probe->rounds[probe->depth++] = round_condition(lane, loop);
    probe->is_exact &= ends_at_header(lane->cfg, loop);
  }
  return true;
}

// ---- one launch beside another
static bool is_among(const LaneConditions *conditions, ExprRef condition) {
  for (uint32_t i = 0; i < conditions->count; i++)
    if (conditions->items[i] == condition) return true;
  return false;
}

bool lane_probe_passes(const LaneProbe *drawn, const LaneProbe *counted) {
  bool passes = counted->is_exact && drawn->depth == counted->depth;
  for (uint32_t i = 0; i < drawn->depth && passes; i++)
    passes = drawn->rounds[i] && drawn->rounds[i] == counted->rounds[i];
  for (uint32_t i = 0; i < counted->needed.count && passes; i++)
    passes = is_among(&drawn->way, counted->needed.items[i]);
  return passes;
}

bool lane_has_same_shape(const LaneLaunch *one, const LaneLaunch *other) {
  HostScan *scan = one->scan;
  const LaunchContext *a = &one->shape, *b = &other->shape;
  bool is_same = true;
  for (int axis = 0; axis < 3; axis++)
    is_same &= host_settle(scan, a->grid[axis]) == host_settle(scan, b->grid[axis]) &&
               host_settle(scan, a->block[axis]) == host_settle(scan, b->block[axis]);
  return is_same;
}

bool lane_probes_follow(HostScan *scan, const LaneProbes *drawn, const LaneProbes *counted, int64_t *apart) {
  bool is_used[LANE_SITES] = {false};
  for (uint32_t d = 0; d < drawn->count; d++) {
    bool is_found = false;
    for (uint32_t c = 0; c < counted->count && !is_found; c++) {
      int64_t distance = 0;
      ExprRef way =
          expr_binary(scan->pool, EXPR_SUB, EXPR_ADDRESS, drawn->items[d]->offset, counted->items[c]->offset);
      is_found = !is_used[c] && lane_probe_passes(drawn->items[d], counted->items[c]) &&
                 drawn->items[d]->amount <= counted->items[c]->amount &&
                 expr_is_const(scan->pool, host_gather(scan, way), &distance) &&
                 (d == 0 || distance == *apart);
      is_used[c] |= is_found;
      if (is_found) *apart = distance;
    }
    if (!is_found) return false;
  }
  return drawn->count > 0;
}

// ---- the launch
static bool is_mentioned(HostScan *scan, const LaunchContent *content, uint32_t func) {
  IndexList funcs = {0};
  vec_push(scan->arena, &funcs, func);
  bool found = host_holds_func(scan->pool, content->value, &funcs);
  for (uint32_t i = 0; i < content->conditions.count && !found; i++)
    found = host_holds_func(scan->pool, content->conditions.items[i], &funcs);
  return found;
}

// The launch, and all its additions to the cell, if it does nothing else to it.
typedef struct Adding {
  LaneLaunch launch;
  LaneProbes additions;
} Adding;

static bool read_adding(Adding *adding, HostScan *scan, HostFrame *frame, uint32_t inst, HostCallKind kind) {
  adding->launch.scan = scan;
  adding->launch.frame = frame;
  adding->launch.inst = inst;
  if (!lane_open_launch(&adding->launch, kind) || adding->launch.stores.count) return false;
  for (uint32_t i = 0; i < adding->launch.additions.count; i++) {
    LaneProbe *probe = arena_new(scan->arena, LaneProbe);
    probe->launch = adding->launch;
    if (i == LANE_SITES || !lane_probe_read(probe, adding->launch.additions.items[i].inst)) return false;
    adding->additions.items[adding->additions.count++] = probe;
  }
  return true;
}

static void add_of_grid(const Adding *drawn, const HostHistogram *histogram, LaunchHistogram found,
                        LaunchContext *launch) {
  HostScan *scan = drawn->launch.scan;
  Adding counted = {0};
  counted.launch.cell = (HostCell){histogram->base, host_element(scan), histogram->bytes, IR_INT};
  if (drawn->additions.count &&
      read_adding(&counted, scan, histogram->frame, histogram->inst, (HostCallKind)histogram->kind) &&
      lane_has_same_shape(&drawn->launch, &counted.launch) &&
      lane_probes_follow(scan, &drawn->additions, &counted.additions, &found.apart))
    vec_push(scan->arena, &launch->histograms, found);
}

// The launch draws from the array, or reads it.
typedef struct Drawing {
  HostFrame *frame;
  uint32_t inst;
  HostCallKind kind;
} Drawing;

static void add_histograms(HostScan *scan, const Drawing *from, const LaunchContent *content,
                           LaunchContext *launch) {
  Adding drawn = {0};
  LaneLaunch reading = {.scan = scan, .frame = from->frame, .inst = from->inst};
  bool is_read = false, is_open = false, draws = false;
  for (uint32_t t = 0, count = scan->histograms.count; t < count; t++) {
    const HostHistogram histogram = scan->histograms.items[t];
    if (histogram.bytes != content->bytes || !is_mentioned(scan, content, histogram.func)) continue;
    LaunchHistogram found = {.object = content->object, .bytes = content->bytes, .func = histogram.func};
    if (!is_read) {
      drawn.launch.cell =
          (HostCell){launch->objects.items[content->object].leaf, host_element(scan), content->bytes, IR_INT};
      draws = read_adding(&drawn, scan, from->frame, from->inst, from->kind);
      is_open = lane_open_launch(&reading, from->kind);
      is_read = true;
    }
    if (histogram.store == CFG_NONE && draws) add_of_grid(&drawn, &histogram, found, launch);
    if (histogram.store != CFG_NONE && is_open)
      lane_histograms_of_blocks(&reading, &histogram, found, launch);
  }
}

void host_histograms_read(HostScan *scan, HostFrame *frame, uint32_t inst, HostCallKind kind,
                          LaunchContext *launch) {
  ASSERT(frame->function);
  ASSERT(host_function_has_inst(frame->function, inst));
  ASSERT(kind <= CALL_COPY_PLAIN);
  ASSERT(launch);
  const Drawing from = {frame, inst, kind};
  for (uint32_t i = 0; i < launch->contents.count && scan->histograms.count; i++) {
    const LaunchContent content = launch->contents.items[i];
    if (content.object && launch->objects.items[content.object].leaf)
      add_histograms(scan, &from, &content, launch);
  }
}
