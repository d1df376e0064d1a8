// Do clusters matter to the kernel, and what is a barrier of one? Method: a look at the operations and at the
// size that the launch gives. Soundness: where their size is not known, a cluster's barrier is one of the
// block.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/operations.h"

bool clusters_is_operation(const IrInst *inst) {
  ASSERT(inst->op < IR_OP_COUNT);
  bool has_scope = ir_inst_is(inst, IR_SCOPED);
  return has_scope && inst->scope == IR_SCOPE_CLUSTER;
}

// What is kept of a scan.
typedef struct Kept {
  Clusters kind;
  bool has_mapa;
  bool is_found;
} Kept;

static Kept *kept_of(const Scan *scan) {
  return SCAN_STATE_OF(scan, cluster_kind, Kept);
}

Clusters clusters_kind(const Scan *scan) {
  ASSERT(kept_of(scan)->is_found); // after clusters_find
  return kept_of(scan)->kind;
}

bool clusters_has_mapa(const Scan *scan) {
  ASSERT(kept_of(scan)->is_found); // after clusters_find
  return kept_of(scan)->has_mapa;
}

void clusters_find(Scan *scan) {
  Kept *kept = kept_of(scan);
  ASSERT(!kept->is_found); // once
  kept->is_found = true;
  const ExprRef *size = scan->launch->cluster;
  bool is_single = true, is_any = false;
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    is_any |= clusters_is_operation(&scan->fn->insts.items[i]);
    kept->has_mapa |= ir_is_mapa(&scan->fn->insts.items[i]);
  }
  for (int axis = 0; axis < 3; axis++) {
    int64_t blocks = 0;
    is_single &= size[axis] && expr_is_const(scan->pool, size[axis], &blocks) && blocks == 1;
  }
  kept->kind = !is_any && !kept->has_mapa ? CLUSTERS_NONE
               : !size[0]                 ? CLUSTERS_UNKNOWN
               : is_single                ? CLUSTERS_SINGLE
                                          : CLUSTERS_KNOWN;
}

IrScope clusters_point_scope(const Scan *scan, IrScope scope) {
  ASSERT(scope < IR_SCOPE_COUNT);
  if (scope == IR_SCOPE_SYSTEM) return IR_SCOPE_DEVICE;
  return scope == IR_SCOPE_CLUSTER && clusters_kind(scan) != CLUSTERS_KNOWN ? IR_SCOPE_BLOCK : scope;
}
