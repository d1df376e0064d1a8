// Which operation on memory of the device may be the next one after another, on some way of the host? Whether a word
// holds what it should hangs on the last launch that wrote it, and that is not the one that stands before in the text: a
// condition may pass one by, a loop may make no round or another one, a callee may return early.
// Method: a walk over the blocks of the activations (frames) that have such operations, into calls and back to where they
// were made; an operation ends the way. Edges whose condition is seen to be false are left out, as are those that a loop's
// first round does not take (the test at iteration 0), and those taken where a call of the runtime fails: launches are taken
// to succeed. In a library any function follows any other one.
// Two operations are in order if the second is put behind the first in its stream, if the host waits between (contents/waits.c),
// or if each way from the one to the other comes by a call that waits for the first.
// Soundness: over-approximates the ways, of one thread of the host. Where operations have roots that are not the program's
// entry (cycles of calls, calls through pointers), or one is put into a graph, any may follow any.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/top.h"
#include "core/bug.h"
#include "hostscan/contents.h"
#include "hostscan/kernels.h"
#include "hostscan/program.h"
#include "hostscan/series.h"
#include "hostscan/syntax.h"
#include "hostscan/terms.h"
#include "hostscan/value.h"

#include <string.h>

typedef struct Event { // in a frame: an operation, or a call that leads to some
  HostFrame *frame;
  uint32_t inst;
  uint32_t operation; // its number; HOST_OPERATIONS_MOST: it is a call
  HostFrame *callee;
} Event;

typedef struct At { // the way goes on at this instruction
  HostFrame *frame;
  uint32_t inst;
  bool is_entering; // the block is the header of a loop that begins
  bool is_in_later; // an edge back in a loop has been taken
} At;

typedef struct Walk {
  HostScan *scan;
  Arena *arena;
  const HostOperations *operations;
  VEC(Event) events;
  VEC(HostFrame *) roots;
  HostMap seen;
  VEC(At) work;
  const HostOperation *until; // ways end at calls that wait for it; NULL: at none
  ExprRef waiter;             // the stream that is to wait
} Walk;

// ---- what there is on the ways
static void add_event(Walk *walk, Event event) {
  for (uint32_t i = 0; i < walk->events.count; i++) {
    const Event *known = &walk->events.items[i];
    if (known->frame == event.frame && known->inst == event.inst && known->callee == event.callee &&
        known->operation == event.operation)
      return;
  }
  vec_push(walk->arena, &walk->events, event);
}

static void add_root(Walk *walk, HostFrame *root) {
  for (uint32_t i = 0; i < walk->roots.count; i++)
    if (walk->roots.items[i] == root) return;
  vec_push(walk->arena, &walk->roots, root);
}

static void find_events(Walk *walk) {
  for (uint32_t o = 0; o < walk->operations->count; o++) {
    const HostOperation *operation = &walk->operations->items[o];
    HostFrame *frame = operation->frame;
    add_event(walk, (Event){frame, operation->inst, o, NULL});
    for (; frame->parent; frame = frame->parent)
      add_event(walk, (Event){frame->parent, frame->call, HOST_OPERATIONS_MOST, frame});
    add_root(walk, frame);
  }
}

// The instruction of the first ones from there on in the block; CFG_NONE: there is none.
static uint32_t next_event(const Walk *walk, const HostFrame *frame, uint32_t from, uint32_t end) {
  uint32_t next = CFG_NONE;
  for (uint32_t i = 0; i < walk->events.count; i++) {
    const Event *event = &walk->events.items[i];
    if (event->frame == frame && event->inst >= from && event->inst < end && event->inst < next)
      next = event->inst;
  }
  return next;
}

// ---- which edges are taken
// Is it whether a call of the runtime failed? 1: it did, 0: it did not, -1: it is something else.
static int says_failure(HostScan *scan, HostFrame *frame, IrRef condition) {
  const IrFunction *ir = frame->function->ir;
  const IrInst *test = ir_inst(ir, condition);
  int64_t number = 1;
  if (!test || test->op != IR_ICMP || (test->pred != IR_EQ && test->pred != IR_NE)) return -1;
  const IrInst *call = ir_inst(ir, test->ops[0]);
  bool is_with_zero = call && call->op == IR_CALL &&
                      expr_is_const(scan->pool, host_value(scan, frame, test->ops[1]), &number) &&
                      number == 0;
  if (!is_with_zero) return -1;
  const char *name = host_callee_name(scan, call);
  size_t length = 0;
  const char *base = name ? host_base_name(name, &length) : "";
  bool is_of_runtime = str_starts_with(base, "cuda") && !strstr(base, "Query");
  return !is_of_runtime ? -1 : test->pred == IR_NE;
}

static bool is_false(HostScan *scan, ExprRef condition) {
  int64_t value = 1;
  return condition && expr_is_const(scan->pool, host_settle(scan, condition), &value) && value == 0;
}

static bool is_taken(const Walk *walk, const At *at, uint32_t from, uint32_t to) {
  HostScan *scan = walk->scan;
  HostFrame *frame = at->frame;
  const IrInst *last = ir_terminator(frame->function->ir, from);
  if (last->op == IR_CONDBR && last->blocks[0] != last->blocks[1]) {
    int failure = says_failure(scan, frame, last->ops[0]);
    if (failure >= 0 && (last->blocks[0] == to) == (failure == 1)) return false;
  }
  ExprRef condition = host_edge_condition(scan, frame, from, to);
  if (is_false(scan, condition)) return false;
  uint32_t loop = at->is_entering ? host_loop_with_header(frame->function->cfg, from) : CFG_NONE;
  if (loop == CFG_NONE) return true;
  ExprRef count = host_loop_count(scan, frame, loop);
  ExprRef first = host_at_iteration(scan, host_settle(scan, condition), count,
                                    expr_const(scan->pool, expr_width(scan->pool, count), 0));
  return !is_false(scan, first);
}

// ---- the walk
static void go_on(Walk *walk, At at) {
  HostKey key = {{at.frame->id, at.inst, at.is_entering, at.is_in_later}};
  if (host_map_get(&walk->seen, key)) return;
  host_map_put(&walk->seen, key, 1);
  vec_push(walk->arena, &walk->work, at);
}

static void enter(Walk *walk, HostFrame *frame, bool is_in_later) {
  uint32_t first = frame->function->ir->blocks.items[0].first;
  go_on(walk, (At){.frame = frame, .inst = first, .is_in_later = is_in_later});
}

// The caller, or whoever calls into a library next.
static void leave(Walk *walk, const At *at) {
  const HostFrame *frame = at->frame;
  if (frame->parent) {
    go_on(walk, (At){.frame = frame->parent, .inst = frame->call + 1, .is_in_later = at->is_in_later});
    return;
  }
  bool is_library = !(walk->scan->options && walk->scan->options->has_main);
  for (uint32_t r = 0; r < walk->roots.count && is_library; r++)
    enter(walk, walk->roots.items[r], at->is_in_later);
}

static void take_edges(Walk *walk, const At *at, uint32_t block) {
  const HostFunction *function = at->frame->function;
  const Cfg *cfg = function->cfg;
  if (ir_terminator(function->ir, block)->op == IR_RET) leave(walk, at);
  for (uint32_t s = cfg->succ_first[block]; s < cfg->succ_first[block + 1]; s++) {
    uint32_t to = cfg->succs[s];
    if (!is_taken(walk, at, block, to)) continue;
    bool is_back = host_is_back_edge(cfg, block, to);
    bool is_entering = !is_back && host_loop_with_header(cfg, to) != CFG_NONE;
    go_on(walk, (At){at->frame, function->ir->blocks.items[to].first, is_entering,
                     at->is_in_later || is_back || !cfg->is_reducible});
  }
}

// Calls are entered. One through a pointer may come to another function.
static void take_calls(Walk *walk, const At *at, uint32_t inst, uint8_t *reached) {
  bool goes_by = false;
  for (uint32_t i = 0; i < walk->events.count; i++) {
    const Event *event = &walk->events.items[i];
    if (event->frame != at->frame || event->inst != inst) continue;
    if (event->callee) {
      goes_by |= !host_callee_name(walk->scan, &at->frame->function->ir->insts.items[inst]);
      enter(walk, event->callee, at->is_in_later);
      continue;
    }
    reached[event->operation] |= at->is_in_later ? HOST_NEXT_LATER : HOST_NEXT_NOW;
    goes_by |= walk->operations->items[event->operation].may_pass;
  }
  if (goes_by) go_on(walk, (At){at->frame, inst + 1, false, at->is_in_later});
}

// Does a call wait for the operation?
static bool has_wait(const Walk *walk, HostFrame *frame, uint32_t from, uint32_t end) {
  const HostKernelFill first = {.frame = walk->until ? walk->until->frame : NULL,
                                .inst = walk->until ? walk->until->begins : 0,
                                .stream = walk->until ? walk->until->stream : 0};
  for (uint32_t i = from; i < end && walk->until; i++)
    if (frame->function->ir->insts.items[i].op == IR_CALL &&
        host_waits_there(walk->scan, &first, frame, i, walk->waiter))
      return true;
  return false;
}

static void walk_on(Walk *walk, uint8_t *reached) {
  while (walk->work.count) {
    const At at = walk->work.items[--walk->work.count];
    const IrFunction *ir = at.frame->function->ir;
    uint32_t block = ir->insts.items[at.inst].block;
    uint32_t end = ir->blocks.items[block].first + ir->blocks.items[block].count;
    uint32_t event = next_event(walk, at.frame, at.inst, end);
    if (has_wait(walk, at.frame, at.inst, event == CFG_NONE ? end : event)) continue;
    if (event == CFG_NONE)
      take_edges(walk, &at, block);
    else
      take_calls(walk, &at, event, reached);
  }
}

static void start(Walk *walk, uint32_t from) {
  walk->seen = (HostMap){.arena = walk->arena};
  walk->work.count = 0;
  if (from < walk->operations->count) {
    const HostOperation *operation = &walk->operations->items[from];
    go_on(walk, (At){.frame = operation->frame, .inst = operation->inst + 1});
  } else
    for (uint32_t r = 0; r < walk->roots.count; r++)
      enter(walk, walk->roots.items[r], false);
}

// ---- order
static bool varies(HostScan *scan, ExprRef stream, const HostOperation *operation) {
  uint32_t inst = operation->inst;
  for (const HostFrame *frame = operation->frame; frame; inst = frame->call, frame = frame->parent) {
    const Cfg *cfg = frame->function->cfg;
    uint32_t loop = cfg->loop_of[frame->function->ir->insts.items[inst].block];
    for (; loop != CFG_NONE; loop = cfg->loops.items[loop].parent)
      if (host_varies_in(scan, stream, frame, loop)) return true;
  }
  return false;
}

// A stream that is another one in another round is not known there.
static ExprRef stream_in_round(const Walk *walk, const HostOperation *operation, ExprRef stream,
                               uint8_t how) {
  bool is_another = stream && (how & HOST_NEXT_LATER) && varies(walk->scan, stream, operation);
  return is_another ? 0 : stream;
}

static bool is_in_order(Walk *walk, uint32_t from, uint32_t to, uint8_t how) {
  HostOperation first = walk->operations->items[from];
  const HostOperation *later = &walk->operations->items[to];
  uint8_t reached[HOST_OPERATIONS_MOST] = {0};
  first.stream = stream_in_round(walk, &first, first.stream, how);
  ExprRef behind = stream_in_round(walk, later, later->behind, how);
  const HostKernelFill fill = {.frame = first.frame, .inst = first.begins, .stream = first.stream};
  if (host_is_over(walk->scan, &fill, later->frame, later->inst, behind)) return true;
  walk->until = &first;
  walk->waiter = behind;
  start(walk, from);
  walk_on(walk, reached);
  walk->until = NULL;
  return !reached[to];
}

static bool may_be_any_time(const Walk *walk) {
  bool is_any = walk->scan->options && walk->scan->options->has_main &&
                (walk->roots.count > 1 || (walk->roots.count && !walk->roots.items[0]->is_entry));
  for (uint32_t o = 0; o < walk->operations->count; o++)
    is_any |= walk->operations->items[o].is_deferred;
  return is_any;
}

void host_successors_find(HostScan *scan, const HostOperations *operations, HostSuccessors *out) {
  ASSERT(operations->count < HOST_OPERATIONS_MOST);
  Arena *scratch = arena_open();
  Walk walk = {.scan = scan, .arena = scratch, .operations = operations};
  find_events(&walk);
  bool is_any_time = may_be_any_time(&walk);
  for (uint32_t from = 0; from <= operations->count; from++) {
    uint8_t reached[HOST_OPERATIONS_MOST] = {0};
    start(&walk, from);
    walk_on(&walk, reached);
    for (uint32_t to = 0; to < operations->count; to++) {
      if (is_any_time) reached[to] = HOST_NEXT_NOW | HOST_NEXT_LATER;
      if (reached[to]) out->next[from] |= UINT64_C(1) << to;
      bool is_asked = reached[to] && from < operations->count && !is_any_time &&
                      !operations->items[to].is_call && !operations->items[from].is_call;
      if (is_asked && !is_in_order(&walk, from, to, reached[to])) out->may_meet[from] |= UINT64_C(1) << to;
    }
  }
  arena_close(scratch);
}
