// Is a launch that filled an array over when the array is read? Launches and copies of one stream follow each
// other, and the default stream waits for the others and they for it; between two other streams there must
// be a call that waits for the device or for the first stream.
// Method: such a call must dominate the later operation and be dominated by the launch, in the function that
// both chains of calls have in common; or stand behind the launch on all ways to the end of a callee; or
// before the later operation on all ways there from the start of one.
// Where another device may be current by the time of the later operation (devices.c), the default stream is not the same one,
// and waiting for "the device" counts only if that is certainly the first one's.
// Soundness: under-approximates: waiting for events is not looked at. In a program that makes streams with
// flags or priorities (they may not wait for the default stream), that gets them from elsewhere, or that has
// a default stream for each thread, the default stream is one like the others. A stream that is not known is
// in order with nothing, and so is a launch that may start early (launch_shape.c), and one that may be captured into a graph (deferred.c), which runs later or
// never. What two launches write that nothing orders is what neither is known to have left.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/contents.h"
#include "core/bug.h"
#include "hostscan/kernels.h"
#include "hostscan/program.h"
#include "hostscan/text.h"
#include "hostscan/terms.h"
#include "hostscan/value.h"

#include <string.h>

// ---- calls that wait
typedef enum Wait { WAIT_NONE, WAIT_STREAM, WAIT_DEVICE } Wait;

static Wait wait_of(HostScan *scan, HostFrame *frame, uint32_t index, ExprRef stream) {
  const IrInst *call = &frame->function->ir->insts.items[index];
  size_t length = 0;
  if (call->op != IR_CALL) return WAIT_NONE;
  const char *name = host_callee_name(scan, call), *base = name ? host_base_name(name, &length) : "";
  if (strcmp(base, "cudaDeviceSynchronize") == 0 || strcmp(base, "cudaThreadSynchronize") == 0)
    return WAIT_DEVICE;
  bool is_stream = str_starts_with(base, "cudaStreamSynchronize") && host_argument_count(call) > 0;
  return is_stream && stream && host_settle(scan, host_value(scan, frame, call->ops[0])) == stream
             ? WAIT_STREAM
             : WAIT_NONE;
}

static bool comes_before(const HostFunction *function, uint32_t a, uint32_t b) { // on all ways to b
  uint32_t x = function->ir->insts.items[a].block, y = function->ir->insts.items[b].block;
  return x == y ? a < b : cfg_dominates(function->cfg, x, y);
}

static bool comes_after(const HostFunction *function, uint32_t a, uint32_t b) { // on all ways from b
  uint32_t x = function->ir->insts.items[a].block, y = function->ir->insts.items[b].block;
  return x == y ? a > b : cfg_post_dominates(function->cfg, x, y);
}

typedef struct Waiting {
  HostScan *scan;
  ExprRef stream;  // of the launch
  bool is_default; // that is the default stream of its device
  bool may_move;   // another device may be current by the time of the later operation,
  bool is_deep;    // also in what is called, behind the launch, where that is not looked at
} Waiting;

// Between the launch and the call as well, as far as this function shows it.
static bool counts(const Waiting *waiting, HostFunction *function, Wait wait, HostBetween span,
                   uint32_t call) {
  if (wait == WAIT_NONE) return false;
  if (!waiting->may_move || (wait == WAIT_STREAM && !waiting->is_default)) return true;
  return span.has_first && span.has_last &&
         !host_device_changes_in(waiting->scan, function, (HostBetween){true, true, span.first, call});
}

static bool has_wait(void *context, HostFrame *frame, HostBetween span) {
  const Waiting *waiting = context;
  HostFunction *function = frame->function;
  if (waiting->is_deep && span.has_last) return false;
  for (uint32_t i = 0; i < function->ir->insts.count; i++) {
    if (function->cfg->rpo_number[function->ir->insts.items[i].block] == CFG_NONE) continue;
    if (!counts(waiting, function, wait_of(waiting->scan, frame, i, waiting->stream), span, i)) continue;
    // In the common function: the launch dominates the call, which dominates what comes later.
    bool is_behind = !span.has_first || (span.has_last ? comes_before(function, span.first, i)
                                                       : comes_after(function, i, span.first));
    if (is_behind && (!span.has_last || comes_before(function, i, span.last))) return true;
  }
  return false;
}

// ---- two operations
// Some text is compiled with a default stream for each thread (frontend/cuda/hgrd_default_stream.h).
static bool has_stream_of_each_thread(const HostScan *scan) {
  for (uint32_t i = 0; i < scan->module->globals.count; i++)
    if (str_starts_with(scan->module->globals.items[i].display, "hgrd_default_stream_per_thread"))
      return true;
  return false;
}

// Streams that may not wait for the default stream, or a default stream for each thread. Only streams that
// the program is seen to make plainly are known to wait.
static bool has_odd_streams(HostScan *scan) {
  bool makes_plain = false;
  for (uint32_t i = 0; i < scan->module->functions.count; i++) {
    size_t length = 0;
    const char *base = host_base_name(scan->module->functions.items[i]->name, &length);
    makes_plain |= str_starts_with(base, "cudaStreamCreate");
    if (str_starts_with(base, "cudaStreamCreateWith") || str_starts_with(base, "cuStreamCreate") ||
        str_ends_with(base, "_ptsz"))
      return true;
  }
  if (has_stream_of_each_thread(scan)) return true;
  return !makes_plain || !(scan->options && scan->options->has_main);
}

static bool is_over(HostScan *scan, const HostKernelFill *fill, HostFrame *frame, uint32_t inst,
                    ExprRef stream) {
  if (host_is_deferred(scan, fill->frame, fill->inst, fill->stream)) return false;
  Waiting waiting = {.scan = scan, .stream = fill->stream};
  waiting.may_move = host_device_may_change(scan, fill, frame, inst);
  waiting.is_deep = waiting.may_move && !host_frame_is_above(fill->frame, frame);
  waiting.is_default = fill->stream && host_is_default_stream(scan, fill->stream);
  bool has_default = waiting.is_default || (stream && host_is_default_stream(scan, stream));
  if (stream && fill->stream && !(waiting.may_move && has_default)) {
    if (stream == fill->stream) return true;
    if (has_default && !has_odd_streams(scan)) return true;
  }
  return host_any_between(fill, frame, inst, has_wait, &waiting);
}

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

bool host_fills_are_over(HostScan *scan, ExprRef value, HostFrame *frame, uint32_t inst, ExprRef stream) {
  ASSERT(expr_is_of(scan->pool, value));
  ASSERT(frame->function);
  ASSERT(host_function_has_inst(frame->function, inst));
  ASSERT(!stream || expr_is_of(scan->pool, stream));
  Search search = {.scan = scan, .seen = {.arena = scan->arena}};
  if (scan->kernel_fills.count == 0) return true;
  find_fills(&search, value);
  for (uint32_t i = 0; i < search.fills.count; i++) {
    HostKernelFill fill = scan->kernel_fills.items[search.fills.items[i]];
    if (!is_over(scan, &fill, frame, inst, stream)) return false;
  }
  return true;
}
