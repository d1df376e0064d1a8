// Which arrays that a launch is given hold what the device computed before it: what an earlier kernel stored,
// or a function of a library whose body is not seen (a sort, a scan)? A possible race that needs certain
// numbers in such an array says so: who wrote it can tell whether they ever stand there. Method: the writers
// of each allocation, kernels by what they may write behind their parameters (kernels.c), calls of unknown
// functions by the pointers they are given, and whether control can get from the writer to the launch.
// Soundness: nothing is proved from it. Writers through pointers in memory are not found.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/internal.h"

#include <string.h>

typedef struct Writer {
  ExprRef leaf; // of the allocation
  const char *what;
  SrcLoc loc;
  HostFrame *frame;
  uint32_t inst;
} Writer;

typedef struct Search {
  HostScan *scan;
  VEC(Writer) writers;
  VEC(HostFrame *) frames; // that were looked through
} Search;

// ---- writers --------------------------------------------------------------------------------------
static void add_kernel(Search *search, const HostLaunchRead *read) {
  HostScan *scan = search->scan;
  const LaunchContext *launch = read->context;
  const HostKernelUse *use = read->kernel ? host_kernel_use(scan, read->kernel) : NULL;
  if (!use || launch->is_guess) return;
  const char *what = arena_printf(scan->arena, "kernel '%s'", host_display_name(read->kernel));
  for (uint32_t a = 0; a < launch->args.count && a < read->kernel->params.count; a++) {
    const LaunchArg *arg = &launch->args.items[a];
    for (uint32_t p = 0; use->writes[a] && p < arg->pieces.count; p++) {
      const ArgPiece *piece = &arg->pieces.items[p];
      for (uint32_t t = 0; t < piece->target_count; t++) {
        Writer writer = {launch->objects.items[piece->targets[t].object].leaf, what, launch->loc, read->frame,
                         read->inst};
        if (writer.leaf) vec_push(scan->arena, &search->writers, writer);
      }
    }
  }
}

static void add_call(Search *search, HostFrame *frame, uint32_t index) {
  HostScan *scan = search->scan;
  const IrInst *call = &frame->function->ir->insts.items[index];
  HostFunction *callee = NULL;
  const char *name = host_callee_name(scan, call);
  size_t length = 0;
  if (!name || host_call(scan, call, &callee)->kind != CALL_UNKNOWN) return;
  for (uint32_t a = 0; a < host_argument_count(call); a++) {
    HostTargets targets = {0};
    if (ir_ref_type(scan->module, frame->function->ir, call->ops[a]).kind != IR_PTR) continue;
    if (!host_targets(scan, host_settle(scan, host_value(scan, frame, call->ops[a])), &targets)) continue;
    for (uint32_t t = 0; t < targets.count; t++) {
      ExprRef leaf = targets.items[t].leaf;
      if (!leaf || host_object_of(scan, leaf)->kind != HOST_DEVICE) continue;
      Writer writer = {leaf, NULL, host_loc(scan, frame, call), frame, index};
      const char *base = host_base_name(name, &length);
      writer.what = arena_printf(scan->arena, "'%.*s'", (int)length, base);
      vec_push(scan->arena, &search->writers, writer);
    }
  }
}

static void add_calls(Search *search, HostFrame *frame) {
  for (; frame; frame = frame->parent) {
    for (uint32_t i = 0; i < search->frames.count; i++)
      if (search->frames.items[i] == frame) return;
    vec_push(search->scan->arena, &search->frames, frame);
    const IrFunction *ir = frame->function->ir;
    for (uint32_t i = 0; i < ir->insts.count; i++)
      if (ir->insts.items[i].op == IR_CALL &&
          frame->function->cfg->rpo_number[ir->insts.items[i].block] != CFG_NONE)
        add_call(search, frame, i);
  }
}

// ---- before the launch ------------------------------------------------------------------------------

// Does a way lead from the one instruction to the other?
static bool leads_to(Arena *scratch, const HostFunction *function, uint32_t from, uint32_t to) {
  const Cfg *cfg = function->cfg;
  uint32_t first = function->ir->insts.items[from].block, last = function->ir->insts.items[to].block,
           depth = 0;
  if (first == last && from < to) return true;
  uint8_t *seen = arena_array(scratch, function->ir->blocks.count, uint8_t);
  uint32_t *stack = arena_array(scratch, function->ir->blocks.count + 1u, uint32_t);
  stack[depth++] = first;
  while (depth) {
    uint32_t at = stack[--depth];
    for (uint32_t s = cfg->succ_first[at]; s < cfg->succ_first[at + 1]; s++) {
      uint32_t next = cfg->succs[s];
      if (next == last) return true;
      if (!seen[next]) stack[depth++] = next;
      seen[next] = 1;
    }
  }
  return false;
}

// Can the writer have been there before the launch? Where they have no function in common, it can.
static bool comes_before(Arena *scratch, const Writer *writer, const HostLaunchRead *read) {
  const HostFrame *one = writer->frame, *other = read->frame;
  uint32_t from = writer->inst, to = read->inst;
  if (one == other && from == to) return false; // the launch itself, in an earlier round: not the first time
  for (; one && !host_frame_is_above(one, other); one = one->parent)
    from = one->call;
  for (; other && other != one; other = other->parent)
    to = other->call;
  return !one || !other || leads_to(scratch, one->function, from, to);
}

static void mark(Search *search, const HostLaunchRead *read, Arena *scratch) {
  LaunchContext *launch = read->context;
  for (uint32_t i = 1; i < launch->objects.count; i++) {
    LaunchObject *object = &launch->objects.items[i];
    for (uint32_t w = 0; object->leaf && w < search->writers.count && !object->computed_by; w++) {
      const Writer *writer = &search->writers.items[w];
      if (writer->leaf != object->leaf || !comes_before(scratch, writer, read)) continue;
      object->computed_by = writer->what;
      object->computed_at = writer->loc;
    }
  }
}

void host_computed_add(HostScan *scan) {
  Search search = {.scan = scan};
  for (uint32_t i = 0; i < scan->all_launches.count; i++) {
    add_kernel(&search, &scan->all_launches.items[i]);
    add_calls(&search, scan->all_launches.items[i].frame);
  }
  Arena *scratch = arena_open();
  for (uint32_t i = 0; i < scan->all_launches.count && search.writers.count; i++)
    mark(&search, &scan->all_launches.items[i], scratch);
  arena_close(scratch);
}
