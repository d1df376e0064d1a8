// Which number of its cluster does a block read? Only how many blocks a cluster has along each axis is a
// special register of the IR; what follows from it and from the block's place in the grid is computed: ranks,
// indices, the number of the cluster. Method: the hardware numbers blocks of a cluster as threads of a block,
// x first, and clusters tile the grid. A kernel's own size (__cluster_dims__) stands as a constant, and an
// axis along which a cluster is one block deep is not looked at.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower.h"
#include "core/bug.h"

#include <string.h>

static IrRef read_register(Lower *lower, int64_t sreg) {
  return emit(lower, (IrInst){.op = IR_SREG, .type = ir_type_int(32), .imm = sreg}, 0, NULL);
}

static IrRef extent(Lower *lower, uint32_t axis) {
  uint32_t known = lower->function->cluster[axis];
  if (known && known != IR_CLUSTER_UNKNOWN) return emit_int(lower, 32, known);
  return read_register(lower, IR_SREG_CLUSTER_NCTAID_X + axis);
}

static bool is_one(const Lower *lower, IrRef ref) {
  int64_t value = 0;
  return ir_const_value(lower->function, ref, &value) && value == 1;
}

static IrRef product(Lower *lower, IrRef a, IrRef b) {
  if (is_one(lower, a) || is_one(lower, b)) return is_one(lower, a) ? b : a;
  IrInst inst = {.op = IR_MUL, .type = ir_type_int(32), .flags = IR_FLAG_NSW};
  return emit(lower, inst, 2, (IrRef[]){a, b});
}

static IrRef index_in(Lower *lower, uint32_t axis) {
  IrRef size = extent(lower, axis);
  if (is_one(lower, size)) return emit_int(lower, 32, 0);
  IrRef at = read_register(lower, IR_SREG_CTAID_X + axis);
  return emit_op(lower, IR_UREM, ir_type_int(32), 2, (IrRef[]){at, size});
}

static IrRef in_clusters(Lower *lower, int64_t sreg, uint32_t axis) {
  IrRef size = extent(lower, axis), number = read_register(lower, sreg + axis);
  return is_one(lower, size) ? number : emit_op(lower, IR_UDIV, ir_type_int(32), 2, (IrRef[]){number, size});
}

static IrRef block_count(Lower *lower) {
  IrRef count = extent(lower, 0);
  for (uint32_t axis = 1; axis < 3; axis++)
    count = product(lower, count, extent(lower, axis));
  return count;
}

// x + size.x * (y + size.y * z)
static IrRef rank(Lower *lower) {
  IrRef stride = emit_int(lower, 32, 1), sum = index_in(lower, 0);
  for (uint32_t axis = 1; axis < 3; axis++) {
    stride = product(lower, stride, extent(lower, axis - 1));
    if (is_one(lower, extent(lower, axis))) continue;
    IrInst add = {.op = IR_ADD, .type = ir_type_int(32), .flags = IR_FLAG_NSW};
    sum = emit(lower, add, 2, (IrRef[]){sum, product(lower, stride, index_in(lower, axis))});
  }
  return sum;
}

// "cluster.ctaid.x" of LLVM is "cluster_ctaid.x" of PTX.
static bool is_named(const char *name, const char *wanted) {
  size_t length = strlen(wanted);
  for (size_t i = 0; i < length; i++)
    if (name[i] != wanted[i] && !(wanted[i] == '.' && name[i] == '_')) return false;
  return true;
}

static bool takes_axis(const char *name, const char *wanted, uint32_t *axis) {
  if (!is_named(name, wanted)) return false;
  const char *rest = name + strlen(wanted);
  *axis = (uint32_t)(*rest - 'x');
  return *axis < 3 && rest[1] == '\0';
}

IrRef lower_cluster_number(Lower *lower, const char *name) {
  ASSERT(lower->request && lower->function);
  ASSERT(name);
  uint32_t axis = 0;
  if (takes_axis(name, "cluster.ctaid.", &axis)) return index_in(lower, axis);
  if (takes_axis(name, "cluster.nctaid.", &axis)) return extent(lower, axis);
  if (takes_axis(name, "clusterid.", &axis)) return in_clusters(lower, IR_SREG_CTAID_X, axis);
  if (takes_axis(name, "nclusterid.", &axis)) return in_clusters(lower, IR_SREG_NCTAID_X, axis);
  if (is_named(name, "cluster.ctarank") && !name[strlen("cluster.ctarank")]) return rank(lower);
  if (is_named(name, "cluster.nctarank") && !name[strlen("cluster.nctarank")]) return block_count(lower);
  return 0;
}
