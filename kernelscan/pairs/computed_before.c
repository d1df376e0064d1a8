// Does a place hang on what the device computed before the launch? Method: from the expressions of the two
// places through the conditions of the goal that say what a leaf is, and, where a leaf was drawn from a
// counter, to what that starts at: in shared memory through the values that the kernel puts there (`next[t] =
// first[t]` makes what is drawn from `next` hang on `first`), in an array that a kernel before has stored to.
// Soundness: it decides only how sure a race has to be before it is told (schedule_search.c); values that come by
// other ways (addresses, branches) are not followed.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/pairs/pairs.h"
#include "kernelscan/memory.h"

// The array that the function reads. What libraries leave is known as contents, as long as what they were
// given is; what is not known then is that.
static const LaunchObject *computed_array(const Scan *scan, uint32_t func) {
  const LaunchObject *found = NULL;
  const LoadFuncs *functions = load_functions(scan);
  for (uint32_t i = 0; i < functions->count && !found; i++)
    if (functions->items[i].func == func)
      found = prior_computed_object(scan, &scan->objects.items[functions->items[i].object]);
  return found && !found->is_of_library ? found : NULL;
}

// An array that the kernel only reads and that has a say in the expression.
static const LaunchObject *computed_in(const Scan *scan, ExprRef ref, ExprSet *seen) {
  if (!ref || !expr_set_is_new(seen, ref)) return NULL;
  const ExprNode *node = expr_node(scan->pool, ref);
  const LaunchObject *found = node->op == EXPR_APP ? computed_array(scan, (uint32_t)node->value) : NULL;
  const ExprRef operands[] = {node->a, node->b, node->c};
  for (int i = 0; i < 3 && !found; i++)
    found = computed_in(scan, operands[i], seen);
  for (uint32_t i = 0; i < node->arg_count && !found; i++)
    found = computed_in(scan, node->args[i], seen);
  return found;
}

static bool is_marked_leaf(const Scan *scan, ExprRef ref, const ExprSet *seen) {
  return expr_set_has(seen, ref) && expr_node(scan->pool, ref)->op == EXPR_SYM;
}

// ---- through shared memory

typedef struct Flow {
  const Scan *scan;
  uint8_t *is_visited; // by instruction
} Flow;

static const LaunchObject *flows_from(Flow *flow, IrRef ref);

// From what is put into the object: stored, or added.
static const LaunchObject *flows_through(Flow *flow, uint32_t object) {
  const Scan *scan = flow->scan;
  const LaunchObject *found = NULL;
  for (uint32_t a = 0; a < scan->accesses.count && !found; a++) {
    const Access *access = &scan->accesses.items[a];
    const IrInst *inst = &scan->fn->insts.items[access->inst];
    bool puts = inst->op == IR_STORE || inst->op == IR_ATOMICRMW;
    if (puts && access_may_touch(scan, a, object)) found = flows_from(flow, inst->ops[1]);
  }
  return found;
}

static const LaunchObject *flows_from_memory(Flow *flow, uint32_t index) {
  const Scan *scan = flow->scan;
  const LaunchObject *found = NULL;
  for (uint32_t a = 0; a < scan->accesses.count && !found; a++) {
    const Reach *reach = &scan->reaches[a];
    if (scan->accesses.items[a].inst != index || scan->accesses.items[a].kind == ACCESS_WRITE) continue;
    for (uint32_t i = 0; i < reach->count && !found; i++) {
      const Obj *object = &scan->objects.items[reach->objects[i]];
      if (object->kind == OBJ_SHARED)
        found = flows_through(flow, reach->objects[i]);
      else if (object_is_readonly(scan, reach->objects[i]))
        found = prior_computed_object(scan, object);
    }
  }
  return found;
}

// The array that the device wrote before and that the value comes from, by whatever arithmetic; NULL: none.
static const LaunchObject *flows_from_inst(Flow *flow, uint32_t index) {
  const IrInst *inst = &flow->scan->fn->insts.items[index];
  if (flow->is_visited[index]) return NULL;
  flow->is_visited[index] = 1;
  if (ir_op_class((IrOp)inst->op) == IR_CLASS_MEMORY) return flows_from_memory(flow, index);
  const LaunchObject *found = NULL;
  for (uint32_t i = 0; i < inst->op_count && !found; i++)
    found = flows_from(flow, inst->ops[i]);
  return found;
}

static const LaunchObject *flows_from(Flow *flow, IrRef ref) {
  return ir_ref_kind(ref) == IR_REF_INST ? flows_from_inst(flow, ir_ref_index(ref)) : NULL;
}

// The array of counters that the instruction draws from, if a kernel before has put their starts there.
static const LaunchObject *started_counters(const Scan *scan, uint32_t inst) {
  const LaunchObject *found = NULL;
  for (uint32_t a = 0; a < scan->accesses.count && !found; a++) {
    const Reach *reach = &scan->reaches[a];
    for (uint32_t i = 0; scan->accesses.items[a].inst == inst && i < reach->count && !found; i++)
      if (prior_computes_starts(scan, reach->objects[i]))
        found = prior_computed_object(scan, &scan->objects.items[reach->objects[i]]);
  }
  return found;
}

// What was drawn from a counter, and has a say: `seen`.
static const LaunchObject *computed_through_counters(const Scan *scan, const ExprSet *seen) {
  const Leaves *leaves = leaves_all(scan);
  Flow flow = {scan, arena_array(scan->arena, scan->fn->insts.count, uint8_t)};
  const LaunchObject *found = NULL;
  for (uint32_t i = 0; i < leaves->count && !found; i++) {
    const Leaf *leaf = &leaves->items[i];
    bool has_say = leaf->value && leaf->inst < scan->fn->insts.count && expr_set_has(seen, leaf->value);
    if (!has_say || scan->fn->insts.items[leaf->inst].op != IR_ATOMICRMW) continue;
    found = started_counters(scan, leaf->inst);
    if (!found) found = flows_from_inst(&flow, leaf->inst);
  }
  return found;
}

// ---- the question

// Whether a race that needs certain numbers in such an array ever happens, its writer knows. What went
// through shared memory is a leaf of its own, which a condition of the goal equates with what was stored.
const LaunchObject *computed_before(const Question *question, const Goal *goal) {
  Scan *scan = question->pairs->scan;
  ExprSet seen = expr_set_make(scan->arena, scan->pool);
  const LaunchObject *array = computed_in(scan, question->first->offset, &seen);
  if (!array) array = computed_in(scan, question->second->offset, &seen);
  for (bool is_new = true; is_new && !array;) {
    is_new = false;
    for (uint32_t i = 0; i < goal->conditions.count && !array; i++) {
      const ExprNode *node = expr_node(scan->pool, goal->conditions.items[i].condition);
      if (node->op != EXPR_EQ || expr_set_has(&seen, node->a) == expr_set_has(&seen, node->b)) continue;
      ExprRef other = is_marked_leaf(scan, node->a, &seen)   ? node->b
                      : is_marked_leaf(scan, node->b, &seen) ? node->a
                                                             : 0;
      is_new |= other != 0;
      array = computed_in(scan, other, &seen);
    }
  }
  return array ? array : computed_through_counters(scan, &seen);
}
