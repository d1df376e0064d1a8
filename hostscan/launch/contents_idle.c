// Which conditions of what arrays hold say nothing? A store in a loop with checked calls around it is known
// to have happened only where each of the calls had returned 0: `the store did not write the element, or
// cudaMemcpy()(iteration) == 0`, of which nothing else speaks. Method: a function that occurs in nothing but
// `f(...) == c` as one of the parts of disjunctions, with one and the same c, may as well be c everywhere:
// all these conditions hold then, whatever else does, and are left out. Again, until none is. Soundness:
// leaving out a condition is sound for proofs; since what is left can hold whenever all can, no race is told
// that the others would have ruled out.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/launch/launch.h"
#include "core/bug.h"
#include "hostscan/contents.h"
#include "hostscan/syntax.h"

enum { IDLE = 1, BUSY = 2 };

typedef struct Guard { // a function that is compared with a constant
  uint32_t func;
  int64_t value;
  uint8_t state;
} Guard;

typedef struct Idle {
  HostScan *scan;
  HostMap of_func; // index into guards, + 1
  VEC(Guard) guards;
  HostMap seen;
} Idle;

static Guard *guard_of(Idle *idle, uint32_t func) {
  uint32_t index = host_map_get(&idle->of_func, (HostKey){{func + 1}});
  return index ? &idle->guards.items[index - 1] : NULL;
}

// Is it f(...) == c, with a value that f can have, and no other claim on f?
static bool read_guard(const Idle *idle, ExprRef ref, Guard *guard) {
  const ExprPool *pool = idle->scan->pool;
  ExprNode node = *expr_node(pool, ref);
  if (node.op != EXPR_EQ || !expr_is_const(pool, node.b, &guard->value)) return false;
  ExprNode app = *expr_node(pool, node.a);
  if (app.op != EXPR_APP) return false;
  guard->func = (uint32_t)app.value;
  const ExprFunc *info = expr_func_info(pool, guard->func);
  return !info->is_injective && !info->is_float && info->lo <= guard->value && guard->value <= info->hi;
}

static void set_busy(Idle *idle, ExprRef ref) {
  if (!ref || host_map_get(&idle->seen, (HostKey){{ref}})) return;
  host_map_put(&idle->seen, (HostKey){{ref}}, 1);
  ExprNode node = *expr_node(idle->scan->pool, ref);
  Guard *guard = node.op == EXPR_APP ? guard_of(idle, (uint32_t)node.value) : NULL;
  if (guard) guard->state = BUSY;
  set_busy(idle, node.a);
  set_busy(idle, node.b);
  set_busy(idle, node.c);
  for (uint32_t i = 0; i < node.arg_count; i++)
    set_busy(idle, node.args[i]);
}

static void list_guards(Idle *idle, ExprRef condition) {
  ExprNode node = *expr_node(idle->scan->pool, condition);
  Guard guard = {.state = IDLE};
  if (node.op == EXPR_OR) {
    list_guards(idle, node.a);
    list_guards(idle, node.b);
  } else if (read_guard(idle, condition, &guard) && !guard_of(idle, guard.func)) {
    vec_push(idle->scan->arena, &idle->guards, guard);
    host_map_put(&idle->of_func, (HostKey){{guard.func + 1}}, idle->guards.count);
  }
}

// What a part of a disjunction does to the guards: those it compares with another number are busy, and so is
// all that stands elsewhere.
static void look_at_parts(Idle *idle, ExprRef condition) {
  ExprNode node = *expr_node(idle->scan->pool, condition);
  Guard guard = {0};
  if (node.op == EXPR_OR) {
    look_at_parts(idle, node.a);
    look_at_parts(idle, node.b);
    return;
  }
  if (!read_guard(idle, condition, &guard)) {
    set_busy(idle, condition);
    return;
  }
  Guard *known = guard_of(idle, guard.func);
  if (known->value != guard.value) known->state = BUSY;
  ExprNode app = *expr_node(idle->scan->pool, node.a);
  for (uint32_t i = 0; i < app.arg_count; i++)
    set_busy(idle, app.args[i]);
}

static bool has_idle_part(Idle *idle, ExprRef condition) {
  ExprNode node = *expr_node(idle->scan->pool, condition);
  Guard guard = {0};
  if (node.op == EXPR_OR) return has_idle_part(idle, node.a) || has_idle_part(idle, node.b);
  return read_guard(idle, condition, &guard) && guard_of(idle, guard.func)->state == IDLE;
}

static void look_at_launch(Idle *idle, const LaunchContext *launch) {
  for (uint32_t i = 0; i < launch->facts.count; i++)
    set_busy(idle, launch->facts.items[i].condition);
  for (uint32_t i = 0; i < launch->contents.count; i++) {
    const LaunchContent *content = &launch->contents.items[i];
    set_busy(idle, content->value);
    set_busy(idle, content->is_written);
    for (uint32_t k = 0; k < content->conditions.count; k++)
      look_at_parts(idle, content->conditions.items[k]);
  }
}

static bool drop_conditions(Idle *idle, LaunchContent *content) {
  uint32_t kept = 0, count = content->conditions.count;
  for (uint32_t i = 0; i < count; i++)
    if (!has_idle_part(idle, content->conditions.items[i]))
      content->conditions.items[kept++] = content->conditions.items[i];
  content->conditions.count = kept;
  return kept < count;
}

static bool drop_from(HostScan *scan, LaunchContext *launch) {
  Idle idle = {.scan = scan, .of_func = {.arena = scan->arena}, .seen = {.arena = scan->arena}};
  bool is_changed = false;
  for (uint32_t i = 0; i < launch->contents.count; i++)
    for (uint32_t k = 0; k < launch->contents.items[i].conditions.count; k++)
      list_guards(&idle, launch->contents.items[i].conditions.items[k]);
  if (idle.guards.count == 0) return false;
  look_at_launch(&idle, launch);
  for (uint32_t i = 0; i < launch->contents.count; i++)
    is_changed |= drop_conditions(&idle, &launch->contents.items[i]);
  return is_changed;
}

void host_contents_drop_idle(HostScan *scan, LaunchContext *launch) {
  ASSERT(launch);
  while (drop_from(scan, launch)) {
  }
}
