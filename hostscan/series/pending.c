// What an asynchronous copy puts into memory is there when the copy is over. Who reads it has to ask whether that is so; until
// then the value stands behind a function that belongs to the copy.
// Soundness: who does not ask finds an unknown function of the value and of the element.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/series.h"
#include "core/bug.h"
#include "hostscan/terms.h"
#include "hostscan/syntax.h"

static ExprRef behind(HostScan *scan, uint32_t func, ExprRef value) {
  ExprRef arguments[] = {host_element(scan), value};
  return expr_app(scan->pool, func, 2, arguments);
}

ExprRef host_pending(HostScan *scan, const HostFrame *frame, uint32_t inst, ExprRef value, uint32_t *func,
                     bool *is_new) {
  ASSERT(host_function_has_inst(frame->function, inst));
  ASSERT(expr_is_of(scan->pool, value));
  uint8_t width = expr_width(scan->pool, value);
  HostKey key = {{MEMO_COPY, frame->id, inst, width}};
  uint32_t known = host_map_get(&scan->memo, key);
  *is_new = known == 0;
  if (!known) {
    SrcLoc loc = *ir_loc(scan->module, frame->function->ir->insts.items[inst].loc);
    ExprFunc info = {.name = "copied", .width = width, .kind = SYM_HOST_VALUE, .loc = loc};
    known = expr_new_func(scan->pool, info) + 1;
    host_map_put(&scan->memo, key, known);
    host_map_put(&scan->memo, (HostKey){{MEMO_PENDING, known - 1}}, 1);
  }
  *func = known - 1;
  return behind(scan, *func, value);
}

ExprRef host_behind_pending(const HostScan *scan, const ExprNode *node) {
  ASSERT(node->op < EXPR_OP_COUNT);
  if (node->op != EXPR_APP || node->arg_count != 2) return 0;
  HostKey key = {{MEMO_PENDING, (uint32_t)node->value}};
  return host_map_get(&scan->memo, key) ? node->args[1] : 0;
}

// ---- values that wait for several
static ExprRef outermost(HostScan *scan, ExprRef ref, HostMap *seen) {
  HostKey key = {{ref}};
  if (!ref || host_map_get(seen, key)) return 0;
  host_map_put(seen, key, 1);
  ExprNode node = *expr_node(scan->pool, ref);
  if (host_behind_pending(scan, &node)) return ref;
  ExprRef found = outermost(scan, node.a, seen);
  if (!found) found = outermost(scan, node.b, seen);
  if (!found) found = outermost(scan, node.c, seen);
  for (uint32_t i = 0; i < node.arg_count && !found; i++)
    found = outermost(scan, node.args[i], seen);
  return found;
}

ExprRef host_without_pending(HostScan *scan, ExprRef value, IndexList *funcs) {
  ASSERT(expr_is_of(scan->pool, value));
  for (;;) {
    HostMap seen = {.arena = scan->arena};
    ExprRef mark = outermost(scan, value, &seen);
    if (!mark) return value;
    ExprNode node = *expr_node(scan->pool, mark);
    bool is_listed = false;
    for (uint32_t i = 0; i < funcs->count; i++)
      is_listed |= funcs->items[i] == (uint32_t)node.value;
    if (!is_listed) vec_push(scan->arena, funcs, (uint32_t)node.value);
    value = host_replace(scan, value, mark, host_behind_pending(scan, &node));
  }
}

ExprRef host_with_pending(HostScan *scan, ExprRef value, const IndexList *funcs) {
  ASSERT(expr_is_of(scan->pool, value));
  for (uint32_t i = 0; i < funcs->count; i++)
    value = behind(scan, funcs->items[i], value);
  return value;
}
