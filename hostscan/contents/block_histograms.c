// How much did a block count in shared memory, when the counts are stored? `counts[digit * blocks + block]`
// gets what the block's threads added to `digits[digit]`. And which counters in shared memory does a later
// launch start at such places of an array, and draw from in the same way (launch_histograms.c)? Method: the COUNTERS of
// a block are a variable in shared memory that is set by stores, then only added to. Barriers of the block
// that stand outside of loops, each above the next, are passed by all threads in one order; so stores that no
// way leads to from a barrier above all additions were made before these, and additions that no way leads to
// from a barrier above a load were made before that. A stored count then is at least what was added. Whose
// count an element holds follows from the LAYOUT of the store: places of two threads or blocks differ, as
// digits of a number, and together they leave no gap.
// Soundness: a variable of another kind, a write that is not understood, or a barrier of another kind, and
// nothing is known. Threads of blocks and grids with one axis only. That offsets do not wrap is A1; that
// counters that are drawn from have been set is A12.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/contents/lane.h"
#include "core/bug.h"
#include "hostscan/objects.h"
#include "hostscan/series.h"
#include "hostscan/terms.h"

enum { WRITE_LIMIT = 4, BARRIER_LIMIT = 8, MOST_AMOUNT = 1024 };

typedef struct Counters {
  const LaneLaunch *launch;
  uint32_t global;
  uint32_t stores[WRITE_LIMIT], additions[WRITE_LIMIT], store_count, addition_count;
  uint32_t barriers[BARRIER_LIMIT], barrier_count; // of the block
} Counters;

// ---- the order of what a thread does
static uint32_t block_of(const Counters *counters, uint32_t inst) {
  return counters->launch->kernel->insts.items[inst].block;
}

static bool is_above(const Counters *counters, uint32_t one, uint32_t other) {
  uint32_t from = block_of(counters, one), to = block_of(counters, other);
  return from == to ? one < other : cfg_dominates(counters->launch->use->cfg, from, to);
}

// Does a way lead from the one instruction to the other?
static bool leads_to(const Counters *counters, uint32_t one, uint32_t other) {
  const Cfg *cfg = counters->launch->use->cfg;
  uint32_t from = block_of(counters, one), to = block_of(counters, other);
  bool found = from == to && one < other;
  Arena *scratch = arena_open();
  for (uint32_t e = cfg->succ_first[from]; e < cfg->succ_first[from + 1] && !found; e++)
    found = cfg_reachable(cfg, cfg->succs[e], CFG_NONE, scratch)[to] != 0;
  arena_close(scratch);
  return found;
}

static bool lead_nowhere(const Counters *counters, uint32_t from, const uint32_t *items, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (leads_to(counters, from, items[i])) return false;
  return true;
}

static bool is_above_all(const Counters *counters, uint32_t one, const uint32_t *items, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (!is_above(counters, one, items[i])) return false;
  return true;
}

// All stores come before all additions.
static bool are_set_first(const Counters *counters) {
  for (uint32_t b = 0; b < counters->barrier_count; b++)
    if (is_above_all(counters, counters->barriers[b], counters->additions, counters->addition_count) &&
        lead_nowhere(counters, counters->barriers[b], counters->stores, counters->store_count))
      return true;
  return false;
}

static bool is_behind_additions(const Counters *counters, uint32_t load) {
  for (uint32_t b = 0; b < counters->barrier_count; b++)
    if (is_above(counters, counters->barriers[b], load) &&
        lead_nowhere(counters, counters->barriers[b], counters->additions, counters->addition_count))
      return true;
  return false;
}

// ---- the variable
static bool add_barrier(Counters *counters, uint32_t inst) {
  const IrInst *barrier = &counters->launch->kernel->insts.items[inst];
  if (barrier->op != IR_BARRIER) return false;
  bool is_plain = barrier->imm <= IR_BARRIER_REDUCE_OR;
  if (is_plain && barrier->scope == IR_SCOPE_WARP) return true;
  if (!is_plain || barrier->scope != IR_SCOPE_BLOCK || counters->barrier_count == BARRIER_LIMIT ||
      counters->launch->use->cfg->loop_of[barrier->block] != CFG_NONE)
    return false;
  counters->barriers[counters->barrier_count++] = inst;
  return true;
}

static bool add_write(Counters *counters, uint32_t inst) {
  const IrFunction *kernel = counters->launch->kernel;
  const IrInst *write = &kernel->insts.items[inst];
  int64_t amount = -1;
  if (ir_address_base(kernel, write->ops[0]) != IR_REF(IR_REF_GLOBAL, counters->global)) return true;
  IrType type = ir_ref_type(counters->launch->use->module, kernel, write->ops[1]);
  if (type.kind != IR_INT || type.bytes != 4) return false;
  if (write->op == IR_STORE && counters->store_count < WRITE_LIMIT) {
    counters->stores[counters->store_count++] = inst;
    return write->order == IR_ORDER_PLAIN;
  }
  if (write->op != IR_ATOMICRMW || write->rmw != IR_RMW_ADD || write->scope < IR_SCOPE_BLOCK ||
      counters->addition_count == WRITE_LIMIT || !ir_const_value(kernel, write->ops[1], &amount) ||
      amount < 0 || amount > MOST_AMOUNT)
    return false;
  counters->additions[counters->addition_count++] = inst;
  return true;
}

static bool is_in_one_order(const Counters *counters) {
  for (uint32_t a = 0; a < counters->barrier_count; a++)
    for (uint32_t b = 0; b < a; b++)
      if (!is_above(counters, counters->barriers[a], counters->barriers[b]) &&
          !is_above(counters, counters->barriers[b], counters->barriers[a]))
        return false;
  return true;
}

// The launch has been read, and all its writes are understood.
static bool read_counters(Counters *counters) {
  const LaneLaunch *launch = counters->launch;
  const IrGlobal *global = &launch->use->module->globals.items[counters->global];
  if (global->space != IR_SPACE_SHARED || global->is_dynamic_shared || !launch->use->cfg->is_reducible)
    return false;
  for (uint32_t i = 0; i < launch->kernel->insts.count; i++) {
    const IrInst *inst = &launch->kernel->insts.items[i];
    unsigned flags = ir_op_flags((IrOp)inst->op);
    if (launch->use->cfg->rpo_number[inst->block] == CFG_NONE) continue;
    if (flags & IR_SYNCS && inst->op != IR_FENCE && !add_barrier(counters, i)) return false;
    if (ir_inst_writes(inst) && !add_write(counters, i)) return false;
  }
  return counters->store_count > 0 && counters->addition_count > 0 && is_in_one_order(counters) &&
         are_set_first(counters);
}

// The variable in shared memory that the address goes back to; false: it is something else.
static bool shared_root(const LaneLaunch *launch, IrRef address, uint32_t *global) {
  IrRef root = ir_address_base(launch->kernel, address);
  if (ir_ref_kind(root) != IR_REF_GLOBAL) return false;
  *global = ir_ref_index(root);
  return launch->use->module->globals.items[*global].space == IR_SPACE_SHARED;
}

// The plain load of a word whose value is stored, if it is nothing else; NULL: it is something else.
static const IrInst *stored_load(const LaneLaunch *launch, uint32_t store) {
  const IrInst *load = ir_inst(launch->kernel, launch->kernel->insts.items[store].ops[1]);
  bool is_word = load && load->op == IR_LOAD && load->type.kind == IR_INT && load->type.bytes == 4 &&
                 load->order == IR_ORDER_PLAIN;
  return is_word && launch->use->cfg->loop_of[load->block] == CFG_NONE ? load : NULL;
}

// ---- the layout of the counts

// c + t * threadIdx.x + b * blockIdx.x + r * gridDim.x + tr * threadIdx.x * gridDim.x
typedef struct Form {
  int64_t c, t, b, r, tr;
} Form;

typedef struct Layout {
  const Lane *lane;
  ExprRef grid; // without extension
} Layout;

static ExprRef plain(const ExprPool *pool, ExprRef ref) {
  ExprNode node = *expr_node(pool, ref);
  while ((node.op == EXPR_ZEXT || node.op == EXPR_SEXT) && expr_width(pool, node.a) >= 32) {
    ref = node.a;
    node = *expr_node(pool, ref);
  }
  return ref;
}

static bool is_small(int64_t value) {
  return value >= -(1 << 20) && value <= 1 << 20;
}

static bool multiply(const Form *x, const Form *y, Form *form) {
  bool is_scaled = !y->t && !y->b && !y->r && !y->tr, is_of_grid = !y->c && !y->t && !y->b && !y->tr;
  if (is_scaled) {
    *form = (Form){x->c * y->c, x->t * y->c, x->b * y->c, x->r * y->c, x->tr * y->c};
  } else if (is_of_grid && !x->b && !x->r && !x->tr) {
    *form = (Form){.r = x->c * y->r, .tr = x->t * y->r};
  } else {
    return false;
  }
  return is_small(form->c) && is_small(form->t) && is_small(form->b) && is_small(form->r) &&
         is_small(form->tr);
}

static bool read_form(const Layout *layout, ExprRef ref, Form *form) {
  ExprPool *pool = layout->lane->pool;
  ref = plain(pool, ref);
  ExprNode node = *expr_node(pool, ref);
  *form = (Form){0};
  if (expr_is_const(pool, ref, &form->c)) return is_small(form->c);
  if (ref == layout->lane->thread[0]) form->t = 1;
  if (ref == layout->lane->block[0]) form->b = 1;
  if (ref == layout->grid) form->r = 1;
  if (form->t + form->b + form->r == 1) return true;
  Form x, y;
  if ((node.op != EXPR_ADD && node.op != EXPR_MUL && node.op != EXPR_SHL) || expr_width(pool, ref) < 32 ||
      !read_form(layout, node.a, &x) || !read_form(layout, node.b, &y))
    return false;
  if (node.op == EXPR_MUL) return multiply(&x, &y, form) || multiply(&y, &x, form);
  if (node.op == EXPR_SHL) {
    bool is_count = y.c >= 0 && y.c < 16 && !y.t && !y.b && !y.r && !y.tr;
    Form power = {.c = is_count ? (int64_t)1 << y.c : 0};
    return is_count && multiply(&x, &power, form);
  }
  *form = (Form){x.c + y.c, x.t + y.t, x.b + y.b, x.r + y.r, x.tr + y.tr};
  return true;
}

// So many threads of a block store, those with the smallest numbers; 0: that is not known.
static int64_t count_storing(const Lane *lane, const LaneConditions *way) {
  ExprPool *pool = lane->pool;
  int64_t count = 0;
  if (!expr_is_const(pool, lane->launch->shape.block[0], &count)) return 0;
  for (uint32_t i = 0; i < way->count; i++) {
    ExprNode node = *expr_node(pool, way->items[i]);
    int64_t end = 0;
    if (expr_is_true(pool, way->items[i])) continue;
    if ((node.op != EXPR_SLT && node.op != EXPR_ULT) || plain(pool, node.a) != lane->thread[0] ||
        !expr_is_const(pool, node.b, &end) || end < 1)
      return 0;
    if (end < count) count = end;
  }
  return count;
}

static bool has_one_axis(HostScan *scan, const LaunchContext *shape) {
  int64_t size = 0;
  for (int axis = 1; axis < 3; axis++)
    if (!expr_is_const(scan->pool, host_settle(scan, shape->grid[axis]), &size) || size != 1 ||
        !expr_is_const(scan->pool, host_settle(scan, shape->block[axis]), &size) || size != 1)
      return false;
  return true;
}

// The elements that are stored, each by one thread of one block; 0: that is not known.
static ExprRef stored_elements(const LaneCount *store) {
  const Lane *lane = store->lane;
  HostScan *scan = lane->scan;
  ExprPool *pool = scan->pool;
  const LaunchContext *shape = &lane->launch->shape;
  Layout layout = {lane, plain(pool, shape->grid[0])};
  Form form;
  int64_t threads = store->is_exact && has_one_axis(scan, shape) ? count_storing(lane, store->way) : 0;
  if (!threads || threads > 1 << 16 || !lane->thread[0] || !lane->block[0] ||
      !read_form(&layout, store->offset, &form) || form.r)
    return 0;
  int64_t bytes = lane->launch->cell.bytes;
  int64_t blocks_known = 0;
  bool is_known = expr_is_const(pool, shape->grid[0], &blocks_known);
  bool is_by_thread = form.b == bytes &&
                      (is_known ? form.t == bytes * blocks_known && !form.tr : form.tr == bytes && !form.t);
  bool is_by_block = form.t == bytes && !form.tr && form.b == bytes * threads;
  if (!is_by_thread && !is_by_block) return 0;
  ExprRef way =
      expr_binary(pool, EXPR_SUB, EXPR_ADDRESS, lane->launch->cell.offset, expr_const(pool, 64, form.c));
  ExprRef blocks = expr_resize_unsigned(pool, shape->grid[0], 64);
  ExprRef end = expr_binary(pool, EXPR_MUL, EXPR_NSW, blocks, expr_const(pool, 64, bytes * threads));
  return expr_and(pool, expr_binary(pool, EXPR_SLE, 0, expr_const(pool, 64, 0), way),
                  expr_binary(pool, EXPR_SLT, 0, way, end));
}

bool lane_count(LaneCount *store) {
  const LaneLaunch *launch = store->lane->launch;
  HostScan *scan = launch->scan;
  Counters counters = {.launch = launch};
  const IrInst *load = stored_load(launch, store->inst);
  const IrInst *inst = &launch->kernel->insts.items[store->inst];
  if (!load || launch->given || launch->cell.bytes != 4 ||
      launch->use->cfg->loop_of[inst->block] != CFG_NONE ||
      !shared_root(launch, load->ops[0], &counters.global) || !read_counters(&counters) ||
      !is_behind_additions(&counters, (uint32_t)(load - launch->kernel->insts.items)))
    return false;
  int64_t value = 0;
  for (uint32_t i = 0; i < counters.store_count; i++)
    if (!ir_const_value(launch->kernel, launch->kernel->insts.items[counters.stores[i]].ops[1], &value) ||
        (int32_t)value < 0)
      return false;
  store->covers = stored_elements(store);
  if (!store->covers) return false;
  ExprRef element = host_element(scan);
  store->value = expr_app(scan->pool, lane_histogram(launch, store->inst), 1, &element);
  return true;
}

// ---- one launch beside another

// Counters of the block, and where each of them is stored, or comes from.
typedef struct Side {
  Counters counters;
  LaneProbes additions;
  LaneProbe *store;
  ExprRef slot, place; // offsets: of the counter in shared memory, of the element
  ExprRef leaf;        // of the array that the element is in
} Side;

static bool global_place(LaneProbe *probe, IrRef address, Side *side) {
  HostTarget target;
  ExprRef at = 0;
  if (lane_place(&probe->launch, probe->lane, address, &at) != LANE_PLACE_GLOBAL ||
      !host_sole_target(probe->launch.scan, at, &target))
    return false;
  side->place = target.offset;
  side->leaf = target.leaf;
  return true;
}

// `is_start`: the store is to the counter, and its value comes from the array; else the other way round.
static bool read_side(Side *side, const LaneLaunch *launch, uint32_t store, bool is_start) {
  HostScan *scan = launch->scan;
  const IrInst *inst = &launch->kernel->insts.items[store], *load = stored_load(launch, store);
  side->counters.launch = launch;
  IrRef slot = is_start || !load ? inst->ops[0] : load->ops[0];
  if (!load || launch->use->cfg->loop_of[inst->block] != CFG_NONE ||
      !shared_root(launch, slot, &side->counters.global) || !read_counters(&side->counters))
    return false;
  side->store = arena_new(scan->arena, LaneProbe);
  side->store->launch = *launch;
  if (!lane_probe_read(side->store, store)) return false;
  side->slot = lane_shared_offset(side->store->lane, slot);
  if (!global_place(side->store, is_start ? load->ops[0] : inst->ops[0], side)) return false;
  for (uint32_t i = 0; i < side->counters.addition_count; i++) {
    LaneProbe *probe = arena_new(scan->arena, LaneProbe);
    probe->launch = *launch;
    if (!lane_probe_read(probe, side->counters.additions[i])) return false;
    side->additions.items[side->additions.count++] = probe;
  }
  return true;
}

static bool is_distance(HostScan *scan, ExprRef one, ExprRef other, int64_t *distance) {
  ExprRef way = expr_binary(scan->pool, EXPR_SUB, EXPR_ADDRESS, one, other);
  return expr_is_const(scan->pool, host_gather(scan, way), distance);
}

// Each counter starts at the element that, `apart` bytes before it, holds what was counted in the same way.
static bool is_started_as_counted(HostScan *scan, const Side *drawn, const Side *counted, int64_t *apart) {
  int64_t of_slots = 0, of_additions = 0;
  return counted->store->is_exact && lane_probe_passes(drawn->store, counted->store) &&
         lane_probes_follow(scan, &drawn->additions, &counted->additions, &of_additions) &&
         is_distance(scan, drawn->slot, counted->slot, &of_slots) && of_slots == of_additions &&
         is_distance(scan, drawn->place, counted->place, apart);
}

static void add_start(HostScan *scan, const HostHistogram *histogram, const LaneLaunch *drawing,
                      uint32_t store, LaunchHistogram found, LaunchContext *launch) {
  HostCell cell = {histogram->base, host_element(scan), histogram->bytes, IR_INT};
  LaneLaunch counting = {.scan = scan, .frame = histogram->frame, .inst = histogram->inst, .cell = cell};
  Side drawn = {0}, counted = {0};
  if (!read_side(&drawn, drawing, store, true) || drawn.counters.store_count != 1 ||
      drawn.leaf != launch->objects.items[found.object].leaf)
    return;
  if (!lane_open_launch(&counting, (HostCallKind)histogram->kind) ||
      !lane_has_same_shape(&counting, drawing) || !read_side(&counted, &counting, histogram->store, false) ||
      !is_started_as_counted(scan, &drawn, &counted, &found.apart))
    return;
  found.shared = drawing->use->module->globals.items[drawn.counters.global].name;
  found.setting = store;
  found.of_block = expr_new_func(
      scan->pool, (ExprFunc){.name = "block of", .width = 32, .kind = SYM_HOST_VALUE, .hi = INT32_MAX - 1});
  found.of_slot = expr_new_func(
      scan->pool, (ExprFunc){.name = "counter of", .width = 64, .kind = SYM_HOST_VALUE, .hi = INT32_MAX});
  vec_push(scan->arena, &launch->histograms, found);
}

void lane_histograms_of_blocks(const LaneLaunch *drawing, const HostHistogram *histogram,
                               LaunchHistogram found, LaunchContext *launch) {
  ASSERT(launch);
  uint32_t global = 0;
  for (uint32_t i = 0; i < drawing->kernel->insts.count; i++) {
    const IrInst *store = &drawing->kernel->insts.items[i];
    if (store->op == IR_STORE && drawing->use->cfg->rpo_number[store->block] != CFG_NONE &&
        shared_root(drawing, store->ops[0], &global) && stored_load(drawing, i))
      add_start(drawing->scan, histogram, drawing, i, found, launch);
  }
}
