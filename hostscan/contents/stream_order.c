// Is what was put into memory there when a launch, a library or a copy reads it? Launches, copies and libraries work in streams; what
// they leave counts once they are over (waits.c).
// Method: what a launch or a library left is a function of its own in the value, what a copy left is marked by one
// (series/pending.c). For each of them it is asked whether the operation is over.
// Soundness: who writes the array of an earlier operation that need not be over leaves what neither is known to have left: the earlier one may come last. A copy
// reads its source when it is called (A12), so that what lies there has to be in order with it.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/contents/contents.h"
#include "core/bug.h"
#include "hostscan/contents.h"
#include "hostscan/kernels.h"
#include "hostscan/program.h"
#include "hostscan/series.h"
#include "hostscan/terms.h"
#include "hostscan/syntax.h"
#include "hostscan/value.h"

#include <string.h>

// ---- what a value hangs on
typedef struct Search {
  HostScan *scan;
  HostMap seen;
  IndexList fills;
} Search;

static void find_fills(Search *search, ExprRef ref) {
  HostKey key = {{ref}};
  if (!ref || host_map_get(&search->seen, key)) return;
  host_map_put(&search->seen, key, 1);
  ExprNode node = *expr_node(search->scan->pool, ref);
  for (uint32_t i = 0; node.op == EXPR_APP && i < search->scan->kernel_fills.count; i++)
    if (search->scan->kernel_fills.items[i].func == (uint32_t)node.value)
      vec_push(search->scan->arena, &search->fills, i);
  find_fills(search, node.a);
  find_fills(search, node.b);
  find_fills(search, node.c);
  for (uint32_t i = 0; i < node.arg_count; i++)
    find_fills(search, node.args[i]);
}

ExprRef host_when_over(HostScan *scan, ExprRef value, HostFrame *frame, uint32_t inst, ExprRef stream) {
  ASSERT(expr_is_of(scan->pool, value));
  ASSERT(frame->function);
  ASSERT(host_function_has_inst(frame->function, inst));
  ASSERT(!stream || expr_is_of(scan->pool, stream));
  Search search = {.scan = scan, .seen = {.arena = scan->arena}};
  if (scan->kernel_fills.count == 0) return value;
  find_fills(&search, value);
  for (uint32_t i = 0; i < search.fills.count; i++) {
    HostKernelFill fill = scan->kernel_fills.items[search.fills.items[i]];
    if (!host_is_over(scan, &fill, frame, inst, stream)) return 0;
  }
  IndexList copies = {0};
  return host_without_pending(scan, value, &copies);
}

// ---- calls of the runtime
static bool is_named(HostScan *scan, const IrInst *call, const char *part) {
  const char *name = host_callee_name(scan, call);
  return name && strstr(name, part);
}

static ExprRef stream_of(HostScan *scan, HostFrame *frame, uint32_t inst) {
  const IrInst *call = &frame->function->ir->insts.items[inst];
  uint32_t count = host_argument_count(call);
  if (host_call(scan, call, NULL)->kind == CALL_LIBRARY)
    return count > 3 ? host_settle(scan, host_value(scan, frame, call->ops[3])) : 0;
  if (count > 0 && is_named(scan, call, "Async"))
    return host_settle(scan, host_value(scan, frame, call->ops[count - 1]));
  return expr_const(scan->pool, 64, 0);
}

// Of a copy, as far as it is a constant.
static int64_t direction_of(HostScan *scan, HostFrame *frame, const IrInst *call) {
  int64_t value = HOST_WAY_NOT_SAID;
  HostCallKind kind = host_call(scan, call, NULL)->kind;
  HostWay way = host_way_of_copy(host_callee_name(scan, call), kind, host_argument_count(call));
  if (way.argument == UINT32_MAX) return way.direction;
  ExprRef said = host_value(scan, frame, call->ops[way.argument]);
  (void)expr_is_const(scan->pool, host_settle(scan, said), &value);
  return value;
}

// Does the host go on only when it is over? Fills, and copies from device to device, are left to the device by the calls
// without a stream, too.
static bool is_waited_for(HostScan *scan, HostFrame *frame, uint32_t inst) {
  const IrInst *call = &frame->function->ir->insts.items[inst];
  if (is_named(scan, call, "Async") || host_call(scan, call, NULL)->kind == CALL_FILL) return false;
  int64_t direction = direction_of(scan, frame, call);
  return direction >= HOST_TO_HOST && direction < DEVICE_TO_DEVICE;
}

static bool is_copy(HostCallKind kind) {
  return kind == CALL_COPY_LINEAR || kind == CALL_COPY_SYMBOL || kind == CALL_COPY_FROM_SYMBOL;
}

// A copy of nothing, or within the host's memory, need not have its turn in the stream.
static bool is_put_into_stream(HostScan *scan, HostFrame *frame, const IrInst *call) {
  enum { COUNT = 2 };
  int64_t bytes = 0;
  return direction_of(scan, frame, call) != HOST_TO_HOST &&
         expr_is_const(scan->pool, host_settle(scan, host_value(scan, frame, call->ops[COUNT])), &bytes) &&
         bytes > 0;
}

bool host_waits_by_copy(HostScan *scan, HostFrame *frame, uint32_t inst) {
  ASSERT(host_function_has_inst(frame->function, inst));
  const IrInst *call = &frame->function->ir->insts.items[inst];
  return call->op == IR_CALL && is_copy(host_call(scan, call, NULL)->kind) &&
         is_waited_for(scan, frame, inst) && is_put_into_stream(scan, frame, call);
}

ExprRef host_found_by_call(HostScan *scan, const HostQuestion *question) {
  ExprRef stream = stream_of(scan, question->frame, question->index);
  return host_when_over(scan, host_settle(scan, question->before), question->frame, question->index, stream);
}

ExprRef host_left_by_copy(HostScan *scan, const HostQuestion *question) {
  ExprRef stream = stream_of(scan, question->frame, question->index);
  uint32_t func = 0;
  bool is_new = false;
  if (is_waited_for(scan, question->frame, question->index) ||
      (stream && host_is_in_order_with_all(scan, stream)))
    return question->before;
  ExprRef value = host_pending(scan, question->frame, question->index, question->before, &func, &is_new);
  HostKernelFill fill = {func, question->frame, question->index, stream};
  if (is_new) vec_push(scan->arena, &scan->kernel_fills, fill);
  return value;
}

void host_note_copy(HostScan *scan, HostFrame *frame, uint32_t inst, uint32_t func, HostLoopPlace around) {
  ASSERT(host_function_has_inst(frame->function, inst));
  const IrInst *call = &frame->function->ir->insts.items[inst];
  HostCallKind kind = call->op == IR_CALL ? host_call(scan, call, NULL)->kind : CALL_QUIET;
  bool is_of_runtime = is_copy(kind) || kind == CALL_FILL;
  if (!is_of_runtime || is_waited_for(scan, frame, inst)) return;
  ExprRef stream = stream_of(scan, frame, inst);
  if (stream && host_is_in_order_with_all(scan, stream)) return;
  if (stream && host_varies_in(scan, stream, around.frame, around.loop)) stream = 0;
  vec_push(scan->arena, &scan->kernel_fills, ((HostKernelFill){func, frame, inst, stream}));
}
