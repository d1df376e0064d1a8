// Does a place hang on what the kernel itself puts into an array that the host has filled? `stack[top[b]]`,
// where the host sets each `top` and the kernel moves it: a load of what the kernel writes is any value to
// the solver, but what the array is given is known. Method: the loads, and the operations that return an old
// value, which have a say in the two places, directly or through equations of the goal, are said to return
// what the host has put where they look; if the question still has an answer, that is a race on given
// contents. If not, what they would have to return the kernel itself must have stored. Nobody gives shared memory
// anything: numbers that are drawn there, and others that the block has stored, such as sums, make a place together
// only as the kernel computes them; counters that begin with constants are left to the solver. Soundness: it decides
// only how sure a race has to be before it is told (schedule_search.c); values that come by other ways (branches) are
// not followed.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/pairs/pairs.h"
#include "kernelscan/facts.h"
#include "kernelscan/memory.h"

enum { READ_LIMIT = 8 };

static bool is_marked_symbol(const Scan *scan, ExprRef ref, const ExprSet *seen) {
  return expr_set_has(seen, ref) && expr_node(scan->pool, ref)->op == EXPR_SYM;
}

static ExprSet find_says(const Question *question, const Goal *goal) {
  const Scan *scan = question->pairs->scan;
  ExprSet seen = expr_set_make(scan->arena, scan->pool);
  expr_set_add_below(&seen, scan->pool, question->first->offset);
  expr_set_add_below(&seen, scan->pool, question->second->offset);
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (uint32_t i = 0; i < goal->conditions.count; i++) {
      const ExprNode *node = expr_node(scan->pool, goal->conditions.items[i].condition);
      if (node->op != EXPR_EQ || expr_set_has(&seen, node->a) == expr_set_has(&seen, node->b)) continue;
      ExprRef other = is_marked_symbol(scan, node->a, &seen)   ? node->b
                      : is_marked_symbol(scan, node->b, &seen) ? node->a
                                                               : 0;
      is_new |= other != 0;
      if (other) expr_set_add_below(&seen, scan->pool, other);
    }
  }
  return seen;
}

// A counter that is only added to: how far that goes is asked elsewhere (draw_bounds.c), and any number may be
// reached.
static bool is_only_counted(const Scan *scan, uint32_t object) {
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *access = &scan->accesses.items[a];
    const IrInst *inst = &scan->fn->insts.items[access->inst];
    bool is_sum = inst->op == IR_ATOMICRMW && (inst->rmw == IR_RMW_ADD || inst->rmw == IR_RMW_SUB);
    if (access->kind != ACCESS_READ && !is_sum && access_may_touch(scan, a, object)) return false;
  }
  return true;
}

static bool reads_integer(const Scan *scan, const Leaf *leaf) {
  if (leaf->inst >= scan->fn->insts.count) return false;
  const IrInst *inst = &scan->fn->insts.items[leaf->inst];
  return ir_op_class((IrOp)inst->op) == IR_CLASS_MEMORY && inst->type.kind == IR_INT && inst->op_count > 0;
}

// Counters that begin with constants are left to the solver like others that are only added to.
static bool is_stored_computed(const Scan *scan, uint32_t object) {
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *access = &scan->accesses.items[a];
    const IrInst *inst = &scan->fn->insts.items[access->inst];
    if (inst->op == IR_STORE && ir_ref_kind(inst->ops[1]) != IR_REF_CONST &&
        access_may_touch(scan, a, object))
      return true;
  }
  return false;
}

// `is_computed`: only such as holds what the kernel has computed counts.
static bool reads_shared(const Scan *scan, uint32_t inst, bool is_computed) {
  for (uint32_t a = 0; a < scan->accesses.count; a++)
    for (uint32_t o = 0; scan->accesses.items[a].inst == inst && o < scan->objects.count; o++)
      if (scan->objects.items[o].kind == OBJ_SHARED && access_may_touch(scan, a, o) &&
          (!is_computed || is_stored_computed(scan, o)))
        return true;
  return false;
}

bool computed_here_is_spoken_of(Scan *scan, const Goal *goal) {
  const Leaves *leaves = leaves_all(scan);
  const ExprSet *occurs = goal_occurrences(scan, goal);
  for (uint32_t i = 0; i < leaves->count; i++) {
    const Leaf *leaf = &leaves->items[i];
    if (leaf->value && expr_set_has(occurs, leaf->value) && reads_shared(scan, leaf->inst, false))
      return true;
  }
  return false;
}

// A number that was drawn in the block, and one that its threads have stored, together.
bool computed_here_in_block(const Question *question, const Goal *goal) {
  const Scan *scan = question->pairs->scan;
  const Leaves *leaves = leaves_all(scan);
  const ExprSet says = find_says(question, goal);
  bool is_drawn = false, is_computed = false;
  for (uint32_t i = 0; i < leaves->count && !(is_drawn && is_computed); i++) {
    const Leaf *leaf = &leaves->items[i];
    bool has_say = leaf->value && expr_set_has(&says, leaf->value) && reads_integer(scan, leaf);
    is_drawn |= has_say && scan->fn->insts.items[leaf->inst].op == IR_ATOMICRMW;
    is_computed |= has_say && reads_shared(scan, leaf->inst, true);
  }
  return is_drawn && is_computed;
}

// Where the leaf was read, if that is an array that the host has filled and the kernel writes; NULL:
// elsewhere.
static const Obj *read_filled(const Question *question, const Leaf *leaf, const LaunchContent **content,
                              ExprRef *offset) {
  Scan *scan = question->pairs->scan;
  if (!reads_integer(scan, leaf)) return NULL;
  const IrInst *inst = &scan->fn->insts.items[leaf->inst];
  Frame *frame = leaf->thread == OWNER_THREAD2 ? question->two->frame : question->one->frame;
  SymValue place = frame_value(frame, inst->ops[0]);
  if (place.kind != SYM_POINTER || place.target_count != 1 || place.targets[0].condition ||
      place.targets[0].key)
    return NULL;
  uint32_t object = place.targets[0].object;
  if (object_is_readonly(scan, object) || is_only_counted(scan, object)) return NULL;
  *content =
      initial_contents_find(scan, &scan->objects.items[object], expr_width(scan->pool, leaf->value) / 8);
  *offset = place.targets[0].offset;
  return *content ? &scan->objects.items[object] : NULL;
}

const char *computed_here(const Question *question, const Goal *goal, const char *name) {
  ASSERT(name);
  Scan *scan = question->pairs->scan;
  const Leaves *leaves = leaves_all(scan);
  const ExprSet says = find_says(question, goal);
  uint32_t count = leaves->count, read = 0;
  Goal given = goal_copy(scan, goal);
  const char *array = NULL;
  for (uint32_t i = 0; i < count && read < READ_LIMIT; i++) {
    const Leaf leaf = leaves->items[i];
    const LaunchContent *content = NULL;
    ExprRef offset = 0;
    if (!leaf.value || !expr_set_has(&says, leaf.value)) continue;
    const Obj *object = read_filled(question, &leaf, &content, &offset);
    if (!object) continue;
    initial_contents_add_given(scan, &given, content, leaf.value, offset);
    array = object->name ? object->name : "memory";
    read++;
  }
  if (!array) return NULL;
  if (given.is_false) return array;
  SolverAnswer answer =
      goal_decide(scan, &given, arena_printf(scan->arena, "%s, on what the host fills", name));
  return answer.verdict == VERDICT_RACE ? NULL : array;
}
