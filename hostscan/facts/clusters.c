// How many blocks make up a cluster of the launch, along each axis? What the kernel says (__cluster_dims__),
// else what an attribute of the launch says (launch.c), else one. Method: one size for each launch; where a
// program may set the size of a kernel from outside (cudaFuncSetAttribute), or anything about it was not
// read, there is none. Soundness: a size is kept only if the launch cannot happen with another one; a grid
// that its clusters do not fill makes the launch fail, so that they do is a fact.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/facts.h"
#include "core/bug.h"
#include "hostscan/program.h"
#include "hostscan/syntax.h"
#include "hostscan/terms.h"

#include <string.h>

enum { REQUIRED_WIDTH = 11, REQUIRED_DEPTH = 13, MOST_BLOCKS = 16 };

void host_clusters_set(ExprPool *pool, LaunchContext *launch, const uint32_t *size) {
  ASSERT(launch);
  for (uint32_t i = 0; i < 3; i++)
    launch->cluster[i] = expr_const(pool, 32, size ? size[i] : 1);
}

void host_clusters_forget(LaunchContext *launch) {
  ASSERT(launch);
  memset(launch->cluster, 0, sizeof launch->cluster);
}

// cudaFuncSetAttribute(f, attribute, value), and those of the driver.
static bool may_set_size(const HostScan *scan, const IrFunction *function, const IrInst *inst) {
  const char *callee = inst->op == IR_CALL ? host_callee_name(scan, inst) : NULL;
  size_t length = 0;
  const char *name = callee ? host_base_name(callee, &length) : NULL;
  int64_t attribute = 0;
  bool sets =
      name &&
      (str_starts_with(name, "cudaFuncSetAttribute") || str_starts_with(name, "cuFuncSetAttribute") ||
       str_starts_with(name, "cuKernelSetAttribute") || str_starts_with(name, "cudaKernelSetAttribute"));
  if (!sets) return false;
  bool is_known = inst->op_count > 1 && ir_const_value(function, inst->ops[1], &attribute);
  return !is_known || (attribute >= REQUIRED_WIDTH && attribute <= REQUIRED_DEPTH);
}

static bool may_be_set(HostScan *scan) {
  if (scan->sets_clusters != TRI_UNKNOWN) return scan->sets_clusters == TRI_YES;
  scan->sets_clusters = TRI_NO;
  for (uint32_t f = 0; f < scan->module->functions.count; f++) {
    const IrFunction *function = scan->module->functions.items[f];
    for (uint32_t i = 0; i < function->insts.count; i++)
      if (may_set_size(scan, function, &function->insts.items[i])) scan->sets_clusters = TRI_YES;
  }
  return scan->sets_clusters == TRI_YES;
}

static void add_fact(ExprPool *pool, Arena *arena, LaunchContext *launch, ExprRef condition,
                     const char *text) {
  if (expr_is_true(pool, condition)) return;
  Fact fact = {.condition = condition, .class = FACT_LAUNCH, .loc = launch->loc, .text = text};
  vec_push(arena, &launch->facts, fact);
}

static void add_facts(ExprPool *pool, Arena *arena, LaunchContext *launch) {
  ExprRef one = expr_const(pool, 32, 1), zero = expr_const(pool, 32, 0), blocks = one;
  bool is_given = true;
  for (uint32_t i = 0; i < 3; i++) {
    ExprRef size = launch->cluster[i];
    is_given &= expr_is_const(pool, size, NULL);
    const char *text = arena_printf(arena, "the cluster's %c-extent is positive", 'x' + (int)i);
    add_fact(pool, arena, launch, expr_binary(pool, EXPR_SLE, 0, one, size), text);
    text = arena_printf(arena, "gridDim.%c is a multiple of the cluster's %s", 'x' + (int)i,
                        host_text(pool, arena, size));
    add_fact(pool, arena, launch, expr_eq(pool, expr_binary(pool, EXPR_SREM, 0, launch->grid[i], size), zero),
             text);
    blocks = expr_binary(pool, EXPR_MUL, EXPR_NSW, blocks, size);
  }
  if (!is_given)
    add_fact(pool, arena, launch, expr_binary(pool, EXPR_SLE, 0, blocks, expr_const(pool, 32, MOST_BLOCKS)),
             "a cluster has at most 16 blocks");
}

static bool is_none(const uint32_t *size) {
  return size[0] == 0;
}

void host_clusters_of_kernel(ExprPool *pool, Arena *arena, LaunchContext *launch, const IrFunction *kernel) {
  ASSERT(launch);
  if (!is_none(kernel->cluster)) host_clusters_set(pool, launch, kernel->cluster);
  if (kernel->cluster[0] == IR_CLUSTER_UNKNOWN) host_clusters_forget(launch);
  if (launch->cluster[0]) add_facts(pool, arena, launch);
}

void host_clusters_settle(HostScan *scan, LaunchContext *launch, const IrFunction *kernel) {
  ASSERT(launch);
  if (!kernel || (is_none(kernel->cluster) && may_be_set(scan))) host_clusters_forget(launch);
  if (kernel) host_clusters_of_kernel(scan->pool, scan->arena, launch, kernel);
}
