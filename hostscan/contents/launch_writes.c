// What does a launched kernel write, and on which way does a thread come to it?
// Method: each write of the kernel's text, its address with the arguments of the launch (lane.c); the conditions of the edges that dominate its
// block. Soundness: a kernel of which one write is not understood is not read at all.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/contents/lane.h"
#include "core/bug.h"
#include "hostscan/objects.h"
#include "hostscan/kernels.h"
#include "hostscan/terms.h"

enum { KERNEL_SIZE = 4000 };

// ---- the stores of the kernel
enum { MOST_AMOUNT = 1024 };

// An atomic addition of a constant that is not negative, to a word as wide as the element.
static bool is_counting(const LaneLaunch *launch, const IrInst *write) {
  int64_t amount = -1;
  return write->op == IR_ATOMICRMW && write->rmw == IR_RMW_ADD && write->scope >= IR_SCOPE_DEVICE &&
         write->type.kind == IR_INT && write->type.bytes == launch->cell.bytes &&
         ir_const_value(launch->kernel, write->ops[1], &amount) && amount >= 0 && amount <= MOST_AMOUNT;
}

static bool add_write(LaneLaunch *launch, uint32_t inst) {
  const IrInst *write = &launch->kernel->insts.items[inst];
  HostScan *scan = launch->scan;
  if (launch->cell.base && launch->cell.kind == IR_PTR &&
      !ir_may_write_address(launch->use->module, launch->kernel, write))
    return true;
  HostTargets targets = {0};
  ExprRef address = 0, base = launch->cell.base;
  LanePlace place = lane_place(launch, NULL, write->ops[0], &address);
  if (place == LANE_PLACE_PRIVATE) return true;
  if (place == LANE_PLACE_UNKNOWN || !host_targets(scan, address, &targets)) return false;
  bool may_meet = false, is_only = true;
  for (uint32_t i = 0; i < targets.count; i++) {
    ExprRef leaf = targets.items[i].leaf;
    if (!leaf) continue;
    vec_push(scan->arena, &launch->written, targets.items[i]);
    if (!base) continue;
    may_meet |= leaf == base || !host_leaves_distinct(scan, leaf, base);
    is_only &= leaf == base;
  }
  if (!may_meet) return true;
  if (is_only && is_counting(launch, write) && launch->additions.count < LANE_STORES) {
    vec_push(scan->arena, &launch->additions, (LaneStore){inst, address});
    return true;
  }
  if (!is_only || write->op != IR_STORE || launch->stores.count == LANE_STORES) return false;
  vec_push(scan->arena, &launch->stores, (LaneStore){inst, address});
  return true;
}

static bool find_writes(LaneLaunch *launch) {
  for (uint32_t i = 0; i < launch->kernel->insts.count; i++) {
    const IrInst *inst = &launch->kernel->insts.items[i];
    if (launch->use->cfg->rpo_number[inst->block] == CFG_NONE || !ir_inst_writes(inst)) continue;
    if (!add_write(launch, i)) return false;
  }
  return !launch->cell.base || launch->cell.kind == IR_PTR || launch->stores.count > 0 ||
         launch->additions.count > 0;
}

bool lane_open_launch(LaneLaunch *launch, HostCallKind kind) {
  ASSERT(kind <= CALL_COPY_PLAIN);
  HostScan *scan = launch->scan;
  launch->kind = kind;
  launch->kernel = host_launched_kernel(scan, launch->frame, launch->inst, kind);
  if (!launch->kernel || launch->kernel->insts.count > KERNEL_SIZE) return false;
  launch->use = host_kernel_use(scan, launch->kernel);
  if (launch->use->writes_anything || !launch->use->cfg) return false;
  host_launch_shape(scan, launch->frame, launch->inst, kind, &launch->shape, &launch->arguments);
  return launch->shape.undecided.count == 0 && find_writes(launch);
}

// ---- the way to one of them
static bool add_edges(Lane *lane, uint32_t block, LaneConditions *conditions, LaneConditions *needed) {
  const Cfg *cfg = lane->cfg;
  uint32_t above = cfg->idom[block];
  const IrInst *last = ir_terminator(lane->kernel, above);
  bool is_always = cfg_post_dominates(cfg, block, above), is_certain = is_always;
  for (uint32_t i = 0; i < last->block_count; i++) {
    if (!cfg_edge_dominates(cfg, above, last->blocks[i], block)) continue;
    ExprRef condition = lane_edge(lane, above, last->blocks[i]);
    is_certain |= condition && cfg_post_dominates(cfg, block, last->blocks[i]);
    if (condition) vec_push(lane->scan->arena, conditions, condition);
    if (condition && !is_always) vec_push(lane->scan->arena, needed, condition);
  }
  return is_certain;
}

bool lane_way_to(Lane *lane, uint32_t block, LaneConditions *conditions, LaneConditions *needed) {
  bool is_exact = true;
  for (; lane->cfg->idom[block] != block; block = lane->cfg->idom[block])
    is_exact &= add_edges(lane, block, conditions, needed);
  return is_exact;
}
