// How many numbers can a launch draw from counters that start at sums of what an earlier launch counted?
// Building rows of edges: `atomicAdd(&degree[row[i]], 1)` for each edge, sums of prefixes of the degrees,
// then `out[atomicAdd(&next[row[i]], 1)] = ..` with `next` starting at the sums. The ranges of two rows do
// not overlap, since no more is drawn for a row than was counted. Method: what a launch adds to an element is
// a function of it, the TALLY (host_tally). A later launch draws no more from an element than was counted
// there if every addition of it has one of the counting launch that surely happened as well, to the same
// element, of no smaller an amount: for the same thread, in the same iterations. That is seen by computing
// both with the same symbols for the numbers of the thread and of the iterations (PROBES, lane.c), and
// everything else as the host code says it is at the two launches: parameters, grid, block, what lies in
// memory. Equal expressions are equal values. Conditions of the earlier launch must all be among those of the
// later one. Soundness: additions of the earlier launch count only if the conditions on the way to them are
// known exactly, and loops around them end only at their headers; values that are not understood are new
// symbols in each probe, so they are equal to nothing. That counters do not wrap is A1.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/lane.h"

// ---- what is counted ------------------------------------------------------------------------------
static uint32_t find_tally(HostScan *scan, const LaneLaunch *launch, HostCallKind kind) {
  for (uint32_t i = 0; i < scan->tallies.count; i++) {
    const HostTally *tally = &scan->tallies.items[i];
    if (tally->frame == launch->frame && tally->inst == launch->inst && tally->base == launch->cell.base &&
        tally->bytes == launch->cell.bytes)
      return tally->func;
  }
  const IrInst *site = &launch->kernel->insts.items[launch->additions.items[0].inst];
  SrcLoc loc = *ir_loc(launch->use->module, site->loc);
  ExprSym like = {.width = (uint8_t)(launch->cell.bytes * 8), .kind = SYM_HOST_VALUE, .loc = loc};
  like.name = arena_printf(scan->arena, "count at line %u", loc.line);
  like.hi = launch->cell.bytes >= 4 ? INT32_MAX - 1 : 0;
  uint32_t func = 0;
  (void)host_function_of_element(scan, &like, &func);
  HostTally tally = {func, launch->frame, launch->inst, (uint8_t)kind, launch->cell.base, launch->cell.bytes};
  vec_push(scan->arena, &scan->tallies, tally);
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

ExprRef host_tally(const LaneLaunch *launch, HostCallKind kind) {
  HostScan *scan = launch->scan;
  if (launch->cell.bytes < 4 || launch->cell.offset != host_element(scan)) return 0;
  ExprRef element = launch->cell.offset;
  ExprRef before = host_settle(scan, host_cell_before(scan, launch->frame, launch->inst, launch->cell));
  if (host_weight(scan, before) > HOST_HEAVY / 4) return 0;
  return raised(scan, before, expr_app(scan->pool, find_tally(scan, launch, kind), 1, &element));
}

// ---- probes ---------------------------------------------------------------------------------------
enum { SITE_LIMIT = 4 };

typedef struct Probe { // one addition, as some thread of the launch makes it
  LaneLaunch launch;
  ExprRef offset;
  int64_t amount;
  LaneConditions way;
  bool is_exact; // who passes these conditions makes it, in each iteration that they let through
  uint32_t depth;
  ExprRef rounds[HOST_LANE_ROUNDS]; // by loop around it, from within: the condition at its header; 0: unknown
} Probe;

typedef struct Probes {
  LaneLaunch launch;
  uint32_t count;
  Probe *items[SITE_LIMIT];
} Probes;

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

static bool read_probe(Probe *probe, uint32_t inst) {
  const IrInst *site = &probe->launch.kernel->insts.items[inst];
  HostTarget target;
  ExprRef address = 0;
  probe->launch.is_probe = true;
  probe->launch.site = site->block;
  Lane *lane = lane_make(&probe->launch);
  if (!lane->cfg->is_reducible || !ir_const_value(probe->launch.kernel, site->ops[1], &probe->amount))
    return false;
  if (lane_place(&probe->launch, lane, site->ops[0], &address) != LANE_PLACE_GLOBAL ||
      !host_sole_target(lane->scan, address, &target))
    return false;
  probe->offset = target.offset;
  probe->is_exact = lane_way_to(lane, site->block, &probe->way);
  uint32_t loop = lane->cfg->loop_of[site->block];
  for (; loop != CFG_NONE; loop = lane->cfg->loops.items[loop].parent) {
    if (probe->depth == HOST_LANE_ROUNDS) return false;
    probe->rounds[probe->depth++] = round_condition(lane, loop);
    probe->is_exact &= ends_at_header(lane->cfg, loop);
  }
  return true;
}

static bool read_probes(Probes *probes, HostCallKind kind) {
  HostScan *scan = probes->launch.scan;
  if (!lane_open_launch(&probes->launch, kind) || probes->launch.stores.count) return false;
  for (uint32_t i = 0; i < probes->launch.additions.count && i < SITE_LIMIT; i++) {
    Probe *probe = arena_new(scan->arena, Probe);
    probe->launch = probes->launch;
    if (!read_probe(probe, probes->launch.additions.items[i].inst)) return false;
    probes->items[probes->count++] = probe;
  }
  return probes->launch.additions.count <= SITE_LIMIT;
}

// ---- one launch beside another --------------------------------------------------------------------
static bool is_among(const LaneConditions *conditions, ExprRef condition) {
  for (uint32_t i = 0; i < conditions->count; i++)
    if (conditions->items[i] == condition) return true;
  return false;
}

// Whenever a thread makes the addition `drawn`, the same thread of the other launch has made `counted`.
static bool follows(const Probe *drawn, const Probe *counted) {
  bool follows = counted->is_exact && drawn->amount <= counted->amount && drawn->depth == counted->depth;
  for (uint32_t i = 0; i < drawn->depth && follows; i++)
    follows = drawn->rounds[i] && drawn->rounds[i] == counted->rounds[i];
  for (uint32_t i = 0; i < counted->way.count && follows; i++)
    follows = is_among(&drawn->way, counted->way.items[i]);
  return follows;
}

static bool has_same_shape(HostScan *scan, const LaunchContext *a, const LaunchContext *b) {
  bool is_same = true;
  for (int axis = 0; axis < 3; axis++)
    is_same &= host_settle(scan, a->grid[axis]) == host_settle(scan, b->grid[axis]) &&
               host_settle(scan, a->block[axis]) == host_settle(scan, b->block[axis]);
  return is_same;
}

// Each addition of the one has one of the other, at a place that lies `apart` bytes before its own.
static bool is_drawn_as_counted(HostScan *scan, const Probes *drawn, const Probes *counted, int64_t *apart) {
  bool is_used[SITE_LIMIT] = {false};
  if (!has_same_shape(scan, &drawn->launch.shape, &counted->launch.shape)) return false;
  for (uint32_t d = 0; d < drawn->count; d++) {
    bool is_found = false;
    for (uint32_t c = 0; c < counted->count && !is_found; c++) {
      int64_t distance = 0;
      ExprRef way =
          expr_binary(scan->pool, EXPR_SUB, EXPR_ADDRESS, drawn->items[d]->offset, counted->items[c]->offset);
      is_found = !is_used[c] && follows(drawn->items[d], counted->items[c]) &&
                 expr_is_const(scan->pool, host_gather(scan, way), &distance) &&
                 (d == 0 || distance == *apart);
      is_used[c] |= is_found;
      if (is_found) *apart = distance;
    }
    if (!is_found) return false;
  }
  return drawn->count > 0;
}

// ---- the launch -----------------------------------------------------------------------------------
static bool is_mentioned(HostScan *scan, const LaunchContent *content, uint32_t func) {
  IndexList funcs = {0};
  vec_push(scan->arena, &funcs, func);
  bool found = host_holds_func(scan->pool, content->value, &funcs);
  for (uint32_t i = 0; i < content->conditions.count && !found; i++)
    found = host_holds_func(scan->pool, content->conditions.items[i], &funcs);
  return found;
}

void host_tallies_read(HostScan *scan, HostFrame *frame, uint32_t inst, HostCallKind kind,
                       LaunchContext *launch) {
  for (uint32_t i = 0; i < launch->contents.count; i++) {
    const LaunchContent content = launch->contents.items[i];
    ExprRef leaf = content.object ? launch->objects.items[content.object].leaf : 0;
    if (!leaf) continue;
    HostCell cell = {leaf, host_element(scan), content.bytes, IR_INT};
    Probes drawn = {.launch = {.scan = scan, .frame = frame, .inst = inst, .cell = cell}};
    for (uint32_t t = 0, count = scan->tallies.count; t < count; t++) {
      const HostTally tally = scan->tallies.items[t];
      if (tally.bytes != content.bytes || !is_mentioned(scan, &content, tally.func)) continue;
      if (!drawn.count && !read_probes(&drawn, kind)) break;
      HostCell place = {tally.base, host_element(scan), tally.bytes, IR_INT};
      Probes counted = {.launch = {.scan = scan, .frame = tally.frame, .inst = tally.inst, .cell = place}};
      LaunchTally found = {.object = content.object, .bytes = content.bytes, .func = tally.func};
      if (read_probes(&counted, (HostCallKind)tally.kind) &&
          is_drawn_as_counted(scan, &drawn, &counted, &found.apart))
        vec_push(scan->arena, &launch->tallies, found);
    }
  }
}
