// Does a bulk copy see what threads wrote? Bulk copies (`cp.async.bulk`) go to memory by a way of their own,
// the async proxy: what a thread wrote by plain means is seen by them only behind `fence.proxy.async` of that
// thread, whatever barriers stand between the two. (PTX ISA, "Memory consistency model", proxies.) Method:
// such a write goes on, as an asynchronous copy does, until that fence (the walk is that of async.c); at the
// barriers that it is carried over it conflicts with bulk copies alone. What bulk copies wrote is seen by
// whoever waited for them, and what was only read before a bulk copy overwrites it needs a barrier alone.
// Soundness: a fence of another thread than the writer's decides nothing; where something else than a barrier
// of the block orders the two, the fence has to stand on all ways from the write to whatever tells others of
// it.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/copies/copies.h"
#include "kernelscan/graph.h"

bool proxies_is_bulk(const Scan *scan, const Access *access) {
  ASSERT(scan_has_access(scan, access));
  const IrInst *inst = &scan->fn->insts.items[access->inst];
  return access->is_async && (inst->flags & IR_FLAG_BULK) && ir_inst_has_source(scan->module, scan->fn, inst);
}

bool copies_share_an_object(const Scan *scan, const Access *a, const Access *b) {
  ASSERT(scan_has_access(scan, a));
  ASSERT(scan_has_access(scan, b));
  const Reach *one = &scan->reaches[a - scan->accesses.items],
              *two = &scan->reaches[b - scan->accesses.items];
  for (uint32_t i = 0; i < one->count; i++)
    for (uint32_t j = 0; j < two->count; j++)
      if (one->objects[i] == two->objects[j]) return true;
  return !one->is_complete || !two->is_complete;
}

bool proxies_may_matter(Scan *scan, const Access *access) {
  ASSERT(scan_has_access(scan, access));
  if (access->kind == ACCESS_READ || proxies_is_bulk(scan, access) || access->is_of_object) return false;
  for (uint32_t a = 0; a < scan->accesses.count; a++)
    if (proxies_is_bulk(scan, &scan->accesses.items[a]) &&
        copies_share_an_object(scan, access, &scan->accesses.items[a]))
      return true;
  return false;
}

bool proxies_is_fence(const IrInst *inst) {
  ASSERT(inst->op < IR_OP_COUNT);
  return inst->op == IR_PROXYFENCE;
}

bool proxies_passes_fence(const Scan *scan, const IrInst *inst, const Access *write) {
  ASSERT(ir_has_inst(scan->fn, inst));
  ASSERT(scan_has_access(scan, write));
  if (!proxies_is_fence(inst)) return false;
  const Reach *reach = &scan->reaches[write - scan->accesses.items];
  int64_t needed = reach->is_complete ? 0 : IR_PROXY_SHARED | IR_PROXY_GLOBAL;
  for (uint32_t i = 0; i < reach->count; i++)
    needed |= scan->objects.items[reach->objects[i]].kind == OBJ_SHARED ? IR_PROXY_SHARED : IR_PROXY_GLOBAL;
  return (inst->imm & needed) == needed;
}

static uint32_t line_of(const Scan *scan, uint32_t inst) {
  return ir_loc(scan->module, scan->fn->insts.items[inst].loc)->line;
}

const char *proxies_text(Scan *scan, const Access *write, const Access *copy) {
  ASSERT(scan_has_access(scan, write));
  ASSERT(scan_has_access(scan, copy));
  return arena_printf(scan->arena,
                      "the bulk copy at line %u does not see what was written at line %u: the writing thread "
                      "makes no fence.proxy.async behind it, and a barrier alone does not do",
                      line_of(scan, copy->inst), line_of(scan, write->inst));
}

// Something by which a thread tells others what it has done.
static bool tells(const IrInst *inst) {
  bool is_strong =
      ir_inst_is(inst, IR_ATOMIC) || (ir_inst_is(inst, IR_WRITES) && inst->order != IR_ORDER_PLAIN);
  bool syncs =
      ir_inst_is(inst, IR_SYNCS) && !ir_inst_is(inst, IR_GROUPS); // not those of its own copies alone
  return is_strong || syncs || ir_op_class((IrOp)inst->op) == IR_CLASS_CALL;
}

typedef struct GettingOut {
  const Access *write;
  uint32_t copy;
  bool by_telling;
} GettingOut;

static GraphStep visit(const Scan *scan, uint32_t index, void *context) {
  const GettingOut *out = context;
  const IrInst *inst = &scan->fn->insts.items[index];
  if (index == out->copy || (out->by_telling && tells(inst))) return GRAPH_FOUND;
  return proxies_passes_fence(scan, inst, out->write) ? GRAPH_STOPS : GRAPH_GOES_ON;
}

// Is there a way from the place to the copy, or to where others hear of what was written, without the fence?
static bool gets_out(Scan *scan, uint32_t from, const Access *write, uint32_t copy, bool by_telling) {
  GettingOut out = {write, copy, by_telling};
  return graph_walk(scan, &(GraphWalk){.from = from, .visit = visit, .context = &out});
}

bool proxies_fences_itself(Scan *scan, const Carried *write, const Access *copy) {
  ASSERT(scan_has_access(scan, copy));
  return !gets_out(scan, scan->points.items[write->point].inst, write->copy, copy->inst, false);
}

const char *proxies_between(Scan *scan, const Access *one, const Access *two, bool *is_sure) {
  ASSERT(scan_has_access(scan, one));
  ASSERT(scan_has_access(scan, two));
  const Access *copy = proxies_is_bulk(scan, one) ? one : two, *write = copy == one ? two : one;
  *is_sure = true;
  if (!proxies_is_bulk(scan, copy) || write->kind == ACCESS_READ || proxies_is_bulk(scan, write) ||
      write->is_of_object)
    return NULL;
  bool is_behind =
      node_reached_from(scan, node_of_inst(scan, copy->inst), false)[node_of_inst(scan, write->inst)] &&
      !node_reached_from(scan, node_of_inst(scan, write->inst), false)[node_of_inst(scan, copy->inst)];
  if (is_behind || !gets_out(scan, write->inst, write, copy->inst, true)) return NULL;
  for (uint32_t i = 0; i < scan->fn->insts.count; i++)
    *is_sure &= !proxies_is_fence(&scan->fn->insts.items[i]);
  return *is_sure ? proxies_text(scan, write, copy)
                  : arena_printf(scan->arena,
                                 "whether fence.proxy.async stands between the write at line %u and the bulk "
                                 "copy at line %u is not known",
                                 line_of(scan, write->inst), line_of(scan, copy->inst));
}
