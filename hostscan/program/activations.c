// Which activation is it? A frame is one function on one chain of calls: made once for each call of each frame.
// Soundness: a callee that is recursive or too deep, and those beyond the limit, have no frame: who asks knows nothing of it.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/program.h"
#include "core/bug.h"
#include "hostscan/syntax.h"

enum { CHAIN_DEPTH = 24 };

bool host_frame_is_above(const HostFrame *frame, const HostFrame *below) {
  ASSERT(frame->function);
  ASSERT(below->function);
  for (; below; below = below->parent)
    if (below == frame) return true;
  return false;
}

HostFrame *host_frame_make(HostScan *scan, HostFunction *function, HostFrame *parent, uint32_t call) {
  ASSERT(!parent || host_function_has_inst(parent->function, call));
  HostFrame *frame = arena_new(scan->arena, HostFrame);
  host_function_open(scan, function);
  frame->id = scan->frames.count + 1;
  frame->function = function;
  frame->parent = parent;
  frame->call = call;
  frame->depth = parent ? parent->depth + 1 : 0;
  frame->values = arena_array(scan->arena, function->ir->insts.count + 1u, ExprRef);
  frame->busy = arena_array(scan->arena, function->ir->insts.count + 1u, uint8_t);
  frame->params = arena_array(scan->arena, function->ir->params.count + 1u, ExprRef);
  frame->loops = arena_array(scan->arena, function->cfg->loops.count + 1u, HostLoop);
  scan->frame_slots += function->ir->insts.count;
  vec_push(scan->arena, &scan->frames, frame);
  return frame;
}

static bool is_on_chain(const HostFrame *frame, const HostFunction *function) {
  for (; frame; frame = frame->parent)
    if (frame->function == function) return true;
  return false;
}

HostFrame *host_frame_child_of(HostScan *scan, HostFrame *frame, uint32_t call, HostFunction *callee) {
  ASSERT(frame->function);
  ASSERT(host_function_has_inst(frame->function, call));
  HostKey key = {{MEMO_CHILD, frame->id, call, callee ? callee->index : 0}};
  uint32_t known = host_map_get(&scan->memo, key);
  if (known) return scan->frames.items[known - 1];
  if (!callee || is_on_chain(frame, callee) || frame->depth >= CHAIN_DEPTH ||
      (scan->frames.count >= scan->frame_limit && scan->frame_slots >= HOST_FRAME_SLOTS))
    return NULL;
  HostFrame *child = host_frame_make(scan, callee, frame, call);
  host_map_put(&scan->memo, key, child->id);
  return child;
}
