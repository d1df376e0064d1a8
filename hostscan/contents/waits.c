// Is a launch, a copy or a call of a library over when a later operation begins? Operations of one stream follow each
// other, and the default stream waits for the others and they for it; between two other streams there must be a call that
// waits: the host for the device, for the first stream, for an event or for a copy in the default stream, or the later stream for an event.
// Method: such a call must dominate the later operation and be dominated by the first one, in the function that
// both chains of calls have in common; or stand behind the first one on all ways to the end of a callee; or
// before the later operation on all ways there from the start of one. A wait for an event counts if a record of the event
// stands likewise between the first operation and the wait, the first one is over there (by the same rules), and no other record of what may be
// that event can come between record and wait.
// Where another device may be current by the time of the later operation (devices.c), the default stream is not the same one,
// and waiting for "the device" counts only if that is certainly the first one's.
// Soundness: under-approximates. In a program that makes streams with
// flags or priorities (they may not wait for the default stream), or that has a default stream for each thread, the default
// stream is one like the others, and so it is beside a stream that code may have given that is not seen. A stream that is not known is
// in order with nothing, and so is a launch that may start early (launch_shape.c), and one that may be captured into a graph (deferred.c), which runs later or
// never. A handle of an event is recorded by nobody who is not given it.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/contents/contents.h"
#include "core/bug.h"
#include "hostscan/contents.h"
#include "hostscan/kernels.h"
#include "hostscan/objects.h"
#include "hostscan/program.h"
#include "hostscan/terms.h"
#include "hostscan/syntax.h"
#include "hostscan/value.h"

#include <string.h>

// ---- what calls do
typedef enum Doing {
  DOES_NOTHING,
  WAITS_FOR_STREAM,
  WAITS_FOR_DEVICE,
  WAITS_FOR_EVENT,
  LETS_STREAM_WAIT,
  RECORDS
} Doing;

typedef struct Synchronisation {
  Doing doing;
  ExprRef stream, event; // that it names; 0: none
} Synchronisation;

static const struct Named {
  const char *name; // without the suffixes of versions and of default streams for each thread
  Doing doing;
  uint8_t stream, event; // argument + 1; 0: none
} named[] = {
    {"cudaDeviceSynchronize", WAITS_FOR_DEVICE, 0, 0}, {"cudaThreadSynchronize", WAITS_FOR_DEVICE, 0, 0},
    {"cuCtxSynchronize", WAITS_FOR_DEVICE, 0, 0},      {"cudaStreamSynchronize", WAITS_FOR_STREAM, 1, 0},
    {"cuStreamSynchronize", WAITS_FOR_STREAM, 1, 0},   {"cudaEventSynchronize", WAITS_FOR_EVENT, 0, 1},
    {"cuEventSynchronize", WAITS_FOR_EVENT, 0, 1},     {"cudaStreamWaitEvent", LETS_STREAM_WAIT, 1, 2},
    {"cuStreamWaitEvent", LETS_STREAM_WAIT, 1, 2},     {"cudaEventRecord", RECORDS, 2, 1},
    {"cudaEventRecordWithFlags", RECORDS, 2, 1},       {"cuEventRecord", RECORDS, 2, 1},
    {"cuEventRecordWithFlags", RECORDS, 2, 1},
};

static bool is_called(const char *base, size_t length, const char *name) {
  size_t count = strlen(name);
  return length >= count && strncmp(base, name, count) == 0 && (length == count || base[count] == '_');
}

static ExprRef argument(HostScan *scan, HostFrame *frame, const IrInst *call, uint32_t number) {
  if (number == 0 || number > host_argument_count(call)) return 0;
  return host_settle(scan, host_value(scan, frame, call->ops[number - 1]));
}

static Synchronisation synchronisation_of(HostScan *scan, HostFrame *frame, uint32_t inst) {
  const IrInst *call = &frame->function->ir->insts.items[inst];
  const char *name = call->op == IR_CALL ? host_callee_name(scan, call) : NULL;
  size_t length = 0;
  const char *base = name ? host_base_name(name, &length) : "";
  if (base[0] != 'c' || base[1] != 'u') return (Synchronisation){0};
  for (uint32_t i = 0; i < sizeof named / sizeof *named; i++)
    if (is_called(base, length, named[i].name))
      return (Synchronisation){named[i].doing, argument(scan, frame, call, named[i].stream),
                               argument(scan, frame, call, named[i].event)};
  return (Synchronisation){0};
}

// ---- events
// The call of such a name that made what the symbol stands for, a handle, at a place that is known; CFG_NONE: not seen.
static uint32_t maker_of(HostScan *scan, ExprRef handle, const char *maker, HostFrame **frame) {
  ExprNode node = *expr_node(scan->pool, handle);
  if (node.op != EXPR_SYM) return CFG_NONE;
  const HostSym sym = *host_sym(scan, (uint32_t)node.value);
  if (sym.place != 1 + PLACE_AFTER || !sym.cell) return CFG_NONE;
  const HostCellInfo cell = scan->cell_infos.items[sym.cell];
  const IrInst *call = &sym.place_frame->function->ir->insts.items[sym.place_index];
  const char *name = call->op == IR_CALL ? host_callee_name(scan, call) : NULL;
  HostTarget target;
  int64_t offset = 0;
  if (!name || !strstr(name, maker) || host_argument_count(call) == 0) return CFG_NONE;
  if (!host_sole_target(scan, host_value(scan, sym.place_frame, call->ops[0]), &target)) return CFG_NONE;
  *frame = sym.place_frame;
  bool is_there =
      target.leaf == cell.base && expr_is_const(scan->pool, target.offset, &offset) && offset == cell.offset;
  return is_there ? sym.place_index : CFG_NONE;
}

static bool are_two_events(HostScan *scan, ExprRef a, ExprRef b) {
  HostFrame *frame_a = NULL, *frame_b = NULL;
  uint32_t maker_a = maker_of(scan, a, "EventCreate", &frame_a),
           maker_b = maker_of(scan, b, "EventCreate", &frame_b);
  return maker_a != CFG_NONE && maker_b != CFG_NONE && (frame_a != frame_b || maker_a != maker_b);
}

// ---- where calls stand
static bool comes_before(const HostFunction *function, uint32_t a, uint32_t b) { // on all ways to b
  uint32_t x = function->ir->insts.items[a].block, y = function->ir->insts.items[b].block;
  return x == y ? a < b : cfg_dominates(function->cfg, x, y);
}

static bool comes_after(const HostFunction *function, uint32_t a, uint32_t b) { // on all ways from b
  uint32_t x = function->ir->insts.items[a].block, y = function->ir->insts.items[b].block;
  return x == y ? a > b : cfg_post_dominates(function->cfg, x, y);
}

// On all ways. In the common function the first operation dominates the call, which dominates what comes later.
static bool is_between(const HostFunction *function, HostBetween span, uint32_t inst) {
  if (function->cfg->rpo_number[function->ir->insts.items[inst].block] == CFG_NONE) return false;
  bool is_behind = !span.has_first || (span.has_last ? comes_before(function, span.first, inst)
                                                     : comes_after(function, inst, span.first));
  return is_behind && (!span.has_last || comes_before(function, inst, span.last));
}

// ---- streams
// Some text is compiled with a default stream for each thread (frontend/cuda/hgrd_default_stream.h).
static bool has_stream_of_each_thread(const HostScan *scan) {
  for (uint32_t i = 0; i < scan->module->globals.count; i++)
    if (str_starts_with(scan->module->globals.items[i].display, "hgrd_default_stream_per_thread"))
      return true;
  return false;
}

// Streams that may not wait for the default stream, or a default stream for each thread. Only streams that
// the program is seen to make plainly are known to wait.
static bool finds_odd_streams(const HostScan *scan) {
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

static bool has_odd_streams(HostScan *scan) {
  if (scan->has_odd_streams == TRI_UNKNOWN)
    scan->has_odd_streams = finds_odd_streams(scan) ? TRI_YES : TRI_NO;
  return scan->has_odd_streams == TRI_YES;
}

// May code that is not seen hand out streams of its own?
static bool has_unseen_code(HostScan *scan) {
  if (scan->has_unseen_code != TRI_UNKNOWN) return scan->has_unseen_code == TRI_YES;
  bool has = false;
  for (uint32_t i = 0; i < scan->module->functions.count && !has; i++) {
    const IrFunction *function = scan->module->functions.items[i];
    has = function->is_declaration && host_call_by_name(function->name)->kind == CALL_UNKNOWN;
  }
  for (uint32_t i = 0; i < scan->module->globals.count && !has; i++) {
    const IrGlobal *global = &scan->module->globals.items[i];
    has = global->is_external && !str_starts_with(global->name, "_ZSt") &&
          !str_starts_with(global->name, "_ZTV") && !str_starts_with(global->name, "std") &&
          !str_starts_with(global->name, "__");
  }
  scan->has_unseen_code = has ? TRI_YES : TRI_NO;
  return has;
}

// A stream that waits for the default one, and it for the stream: one that is seen to be made plainly, at best, or else any of a program
// that has none from elsewhere.
static bool is_plain(HostScan *scan, ExprRef stream) {
  ExprNode node = *expr_node(scan->pool, stream);
  if (expr_is_const(scan->pool, stream, NULL)) return true;
  if (node.op == EXPR_ITE) return is_plain(scan, node.b) && is_plain(scan, node.c);
  HostFrame *frame = NULL;
  if (maker_of(scan, stream, "StreamCreate", &frame) != CFG_NONE) return true;
  if (has_unseen_code(scan)) return false;
  const HostSym *sym = node.op == EXPR_SYM ? host_sym(scan, (uint32_t)node.value) : NULL;
  if (!sym || sym->place != 1 + PLACE_AFTER) return !sym || !sym->read_by;
  const IrInst *writer = &sym->place_frame->function->ir->insts.items[sym->place_index];
  const char *name = writer->op == IR_CALL ? host_callee_name(scan, writer) : NULL;
  return writer->op != IR_CALL ||
         (name && strstr(name, "StreamCreate")); // cublasGetStream: one from elsewhere
}

// Does what is put into `later` wait for what was put into `first` before?
static bool follows(HostScan *scan, ExprRef first, ExprRef later, bool device_may_change) {
  if (!first || !later) return false;
  bool has_default = host_is_default_stream(scan, first) || host_is_default_stream(scan, later);
  if (has_default && device_may_change) return false;
  return first == later ||
         (has_default && !has_odd_streams(scan) && is_plain(scan, first) && is_plain(scan, later));
}

// ---- waiting
enum { EVENTS_IN_A_ROW = 3 };

typedef struct Waiting {
  HostScan *scan;
  const HostKernelFill *first;
  ExprRef stream;   // of the later operation, 0: not known
  bool may_move;    // another device may be current by the time of the later operation,
  bool is_deep;     // also in what is called, behind the first one, where that is not looked at
  uint32_t left;    // events may be waited for so many times, one for another
  ExprRef event;    // a record of it is looked for,
  HostFrame *frame; // in front of this wait
  uint32_t wait;
} Waiting;

static bool is_over(const Waiting *waiting, HostFrame *frame, uint32_t inst, ExprRef stream);

// May a call on the way put something else into the event? The record itself has put the stream of the first operation there.
static bool may_record(const Waiting *waiting, HostFrame *frame, uint32_t inst) {
  HostScan *scan = waiting->scan;
  const IrInst *call = &frame->function->ir->insts.items[inst];
  if (call->op != IR_CALL) return false;
  Synchronisation does = synchronisation_of(scan, frame, inst);
  if (does.doing == RECORDS) return !does.event || !are_two_events(scan, does.event, waiting->event);
  if (host_call_does(scan, call, HOST_RECORDS_EVENT)) return true;
  bool is_given = false;
  for (uint32_t i = 0; host_call(scan, call, NULL)->kind == CALL_UNKNOWN && i < host_argument_count(call);
       i++)
    is_given |= host_settle(scan, host_value(scan, frame, call->ops[i])) == waiting->event;
  return is_given;
}

static bool is_recorded_again(void *context, HostFrame *frame, HostBetween span) {
  const Waiting *waiting = context;
  for (uint32_t i = 0; i < frame->function->ir->insts.count; i++) {
    bool is_end = (span.has_first && span.first == i) || (span.has_last && span.last == i);
    if (!is_end && may_record(waiting, frame, i) &&
        host_may_be_between(waiting->scan, frame->function, span, i))
      return true;
  }
  return false;
}

static bool is_recorded(void *context, HostFrame *frame, HostBetween span) {
  const Waiting *waiting = context;
  for (uint32_t i = 0; i < frame->function->ir->insts.count; i++) {
    if (!is_between(frame->function, span, i)) continue;
    Synchronisation does = synchronisation_of(waiting->scan, frame, i);
    if (does.doing != RECORDS || does.event != waiting->event) continue;
    const HostKernelFill record = {.frame = frame, .inst = i};
    if (is_over(waiting, frame, i, does.stream) &&
        !host_any_between(&record, waiting->frame, waiting->wait, is_recorded_again, context))
      return true;
  }
  return false;
}

// Is what the wait waits for behind the first operation?
static bool is_of_event(const Waiting *waiting, HostFrame *frame, uint32_t inst, ExprRef event) {
  Waiting inner = *waiting;
  if (!event || waiting->left == 0) return false;
  inner.left--;
  inner.event = event;
  inner.frame = frame;
  inner.wait = inst;
  return host_any_between(waiting->first, frame, inst, is_recorded, &inner);
}

// Between the first operation and the call as well, as far as this function shows it.
static bool is_of_device(const Waiting *waiting, HostFunction *function, HostBetween span, uint32_t call) {
  if (!waiting->may_move) return true;
  return span.has_first && span.has_last &&
         !host_does_in(waiting->scan, function, (HostBetween){true, true, span.first, call},
                       HOST_CHANGES_DEVICE);
}

static bool waits(const Waiting *waiting, HostFrame *frame, HostBetween span, uint32_t inst) {
  HostScan *scan = waiting->scan;
  const Synchronisation does = synchronisation_of(scan, frame, inst);
  ExprRef first = waiting->first->stream;
  switch (does.doing) {
  case RECORDS: return false;
  case DOES_NOTHING: // a copy that the host waits for has its turn in the default stream
    return follows(scan, first, expr_const(scan->pool, 64, 0), waiting->may_move) &&
           host_waits_by_copy(scan, frame, inst);
  case WAITS_FOR_STREAM:
    return first && does.stream == first &&
           (!host_is_default_stream(scan, first) || is_of_device(waiting, frame->function, span, inst));
  case WAITS_FOR_DEVICE: return is_of_device(waiting, frame->function, span, inst);
  case WAITS_FOR_EVENT: return is_of_event(waiting, frame, inst, does.event);
  case LETS_STREAM_WAIT:
    return follows(scan, does.stream, waiting->stream, waiting->may_move) &&
           is_of_event(waiting, frame, inst, does.event);
  }
  return false;
}

static bool has_wait(void *context, HostFrame *frame, HostBetween span) {
  const Waiting *waiting = context;
  if (waiting->is_deep && span.has_last) return false;
  for (uint32_t i = 0; i < frame->function->ir->insts.count; i++)
    if (is_between(frame->function, span, i) && waits(waiting, frame, span, i)) return true;
  return false;
}

static bool is_over(const Waiting *outer, HostFrame *frame, uint32_t inst, ExprRef stream) {
  Waiting waiting = *outer;
  waiting.stream = stream;
  waiting.may_move = host_device_may_change(outer->scan, outer->first, frame, inst);
  waiting.is_deep = waiting.may_move && !host_frame_is_above(outer->first->frame, frame);
  return follows(outer->scan, outer->first->stream, stream, waiting.may_move) ||
         host_any_between(outer->first, frame, inst, has_wait, &waiting);
}

bool host_is_over(HostScan *scan, const HostKernelFill *first, HostFrame *frame, uint32_t inst,
                  ExprRef stream) {
  ASSERT(host_function_has_inst(frame->function, inst));
  if (host_is_deferred(scan, first->frame, first->inst, first->stream)) return false;
  const Waiting waiting = {.scan = scan, .first = first, .left = EVENTS_IN_A_ROW};
  return is_over(&waiting, frame, inst, stream);
}

bool host_waits_there(HostScan *scan, const HostKernelFill *first, HostFrame *frame, uint32_t inst,
                      ExprRef stream) {
  ASSERT(host_function_has_inst(frame->function, inst));
  const Waiting waiting = {.scan = scan,
                           .first = first,
                           .stream = stream,
                           .may_move = host_names_devices(scan),
                           .left = EVENTS_IN_A_ROW};
  return !host_is_deferred(scan, first->frame, first->inst, first->stream) &&
         waits(&waiting, frame, (HostBetween){0}, inst);
}

bool host_is_in_order_with_all(HostScan *scan, ExprRef stream) {
  return host_is_default_stream(scan, stream) && !has_odd_streams(scan) && !has_unseen_code(scan) &&
         !host_names_devices(scan);
}
