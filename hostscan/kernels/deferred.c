// Is what is put into a stream done at once? It may become part of a graph, which runs at another time, or never.
// Method: the names of the functions that capture streams, anywhere in the program; calls that make nodes of graphs.
// Soundness: over-approximates: in a program that captures, any stream but the default one may be captured.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/kernels.h"
#include "core/bug.h"
#include "hostscan/program.h"
#include "hostscan/syntax.h"

bool host_is_default_stream(HostScan *scan, ExprRef stream) { // 0, or cudaStreamLegacy
  int64_t value = -1;
  return expr_is_const(scan->pool, stream, &value) && (value == 0 || value == 1);
}

bool host_may_be_captured(HostScan *scan, ExprRef stream) {
  ASSERT(!stream || expr_is_of(scan->pool, stream));
  if (stream && host_is_default_stream(scan, stream)) return false;
  for (uint32_t i = 0; i < scan->module->functions.count; i++) {
    size_t length = 0;
    const char *base = host_base_name(scan->module->functions.items[i]->name, &length);
    if (str_starts_with(base, "cudaStreamBeginCapture") || str_starts_with(base, "cuStreamBeginCapture"))
      return true;
  }
  return false;
}

bool host_is_deferred(HostScan *scan, const HostFrame *frame, uint32_t inst, ExprRef stream) {
  ASSERT(frame->function);
  ASSERT(host_function_has_inst(frame->function, inst));
  ASSERT(!stream || expr_is_of(scan->pool, stream));
  const IrInst *call = &frame->function->ir->insts.items[inst];
  return (call->op == IR_CALL && host_call_is_node(host_call(scan, call, NULL)->kind)) ||
         host_may_be_captured(scan, stream);
}
