// What stands for an unknown value? A new symbol of the pool, with what the scan knows of it beside.
// Soundness: a symbol may have any value of its range.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/terms.h"
#include "core/bug.h"

HostSym *host_sym(HostScan *scan, uint32_t sym) {
  ASSERT(sym < expr_sym_count(scan->pool));
  while (scan->syms.count <= sym)
    vec_push(scan->arena, &scan->syms, (HostSym){.loop = CFG_NONE});
  return &scan->syms.items[sym];
}

ExprRef host_unknown(HostScan *scan, HostUnknown unknown) {
  ASSERT(expr_is_width(unknown.width) && unknown.lo <= unknown.hi);
  ExprRef ref = expr_new_sym(scan->pool, (ExprSym){.name = unknown.name ? unknown.name : "value",
                                                   .width = unknown.width,
                                                   .kind = SYM_HOST_VALUE,
                                                   .lo = unknown.lo,
                                                   .hi = unknown.hi,
                                                   .loc = unknown.loc,
                                                   .is_from_caller = unknown.is_from_caller,
                                                   .is_nameless = unknown.is_nameless,
                                                   .after = unknown.after});
  HostSym *sym = host_sym(scan, (uint32_t)expr_node(scan->pool, ref)->value);
  sym->frame = unknown.frame;
  sym->loop = unknown.loop;
  return ref;
}
