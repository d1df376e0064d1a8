// Which arrays that a launch is given hold what the device computed before it: what an earlier kernel stored,
// or a function of a library whose body is not seen (a sort, a scan)? A possible race that needs certain
// numbers in such an array says so: who wrote it can tell whether they ever stand there. Method: the writers
// of each allocation, kernels by what they may write behind their parameters (kernels.c), calls of unknown
// functions by the pointers they are given, those of libraries that are known by their destination, and
// whether control can get from the writer to the launch. Of variables of the device, kernels by the names
// that they write to. Soundness: writers of variables, and of what a launch is given, are all of those whose
// launch is in the files, but for those through pointers in memory.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/top.h"
#include "hostscan/objects.h"
#include "hostscan/kernels.h"
#include "hostscan/names.h"
#include "hostscan/program.h"
#include "hostscan/syntax.h"
#include "hostscan/terms.h"
#include "hostscan/value.h"

#include <string.h>

enum { WRAPPER_DEPTH = 4, WRITERS_LIMIT = 32 };

typedef struct Writer {
  ExprRef leaf;         // of the allocation; 0: it is a variable
  const char *variable; // mangled
  const char *what;
  SrcLoc loc;
  HostFrame *frame;
  uint32_t inst;
  bool is_library;
  bool is_deferred;            // by a graph, which may be launched at any time
  const LaunchContext *launch; // NULL: it is none
  bool stores;
  bool may_pass;          // it may work on other memory
  ExprRef stream, behind; // HostArguments
  uint32_t begins;        // likewise
  uint32_t next;          // of the same allocation, + 1; 0: there is none
} Writer;

typedef struct Ways { // of the host, between those who write one allocation, or one variable
  HostOperations operations;
  const LaunchContext *launches[HOST_OPERATIONS_MOST]; // of the operations
  HostSuccessors after;
  bool is_cut; // they are too many
  bool is_found;
} Ways;

typedef struct Search {
  HostScan *scan;
  VEC(Writer) writers, variables;
  HostMap first;   // by allocation: its first writer, + 1
  HostMap ways_of; // by allocation, and by variable of the device: index into ways, + 1
  VEC(Ways *) ways;
  HostMap seen;     // frames that were looked through, by number
  HostMap wrappers; // by function and depth: 1, or 2 if a call of a library is in it
} Search;

// ---- writers
// A launch through a pointer that may be that of another kernel.
static bool is_one_of_several(const HostScan *scan, const HostLaunchRead *read) {
  for (uint32_t i = 0; i < scan->all_launches.count; i++) {
    const HostLaunchRead *other = &scan->all_launches.items[i];
    if (other != read && other->frame == read->frame && other->inst == read->inst) return true;
  }
  return read->context->is_guess;
}

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
        Writer writer = {.leaf = launch->objects.items[piece->targets[t].object].leaf,
                         .what = what,
                         .loc = launch->loc,
                         .frame = read->frame,
                         .inst = read->inst,
                         .launch = launch,
                         .is_deferred = read->is_deferred,
                         .may_pass = piece->target_count > 1 || is_one_of_several(scan, read),
                         .stream = read->stream,
                         .behind = read->behind,
                         .begins = read->begins,
                         .stores = use->stores[a]};
        if (writer.leaf) vec_push(scan->arena, &search->writers, writer);
      }
    }
  }
  for (uint32_t g = 0; g < use->globals.count; g++) {
    Writer writer = {.variable = use->globals.items[g].name,
                     .frame = read->frame,
                     .inst = read->inst,
                     .launch = launch,
                     .is_deferred = read->is_deferred,
                     .may_pass = is_one_of_several(scan, read),
                     .stream = read->stream,
                     .behind = read->behind,
                     .begins = read->begins,
                     .stores = true};
    if (use->globals.items[g].is_written) vec_push(scan->arena, &search->variables, writer);
  }
}

// For a reader: "'sort_them'", "a library's 'scan'".
static const char *writer_name(HostScan *scan, const char *name, HostCallKind kind) {
  size_t length = 0;
  if (kind == CALL_LIBRARY)
    return arena_printf(scan->arena, "a library's '%s'", name + strlen(HOST_CONTENTS_PREFIX));
  const char *base = host_base_name(name, &length);
  return arena_printf(scan->arena, "'%.*s'", (int)length, base);
}

static void add_call(Search *search, HostFrame *frame, uint32_t index) {
  HostScan *scan = search->scan;
  const IrInst *call = &frame->function->ir->insts.items[index];
  HostFunction *callee = NULL;
  const char *name = host_callee_name(scan, call);
  HostCallKind kind = name ? host_call(scan, call, &callee)->kind : CALL_QUIET;
  if (kind != CALL_UNKNOWN && kind != CALL_LIBRARY) return;
  uint32_t outputs = kind == CALL_LIBRARY ? 1 : host_argument_count(call);
  for (uint32_t a = 0; a < outputs; a++) {
    HostTargets targets = {0};
    if (ir_ref_type(scan->module, frame->function->ir, call->ops[a]).kind != IR_PTR) continue;
    if (!host_targets(scan, host_settle(scan, host_value(scan, frame, call->ops[a])), &targets)) continue;
    for (uint32_t t = 0; t < targets.count; t++) {
      ExprRef leaf = targets.items[t].leaf;
      if (!leaf || host_object_of(scan, leaf)->kind != HOST_DEVICE) continue;
      Writer writer = {.leaf = leaf, .loc = host_loc(scan, frame, call), .frame = frame, .inst = index};
      writer.what = writer_name(scan, name, kind);
      writer.is_library = kind == CALL_LIBRARY;
      vec_push(scan->arena, &search->writers, writer);
    }
  }
}

// Does the function call what is known of libraries, or one that does? Their templates wrap such calls.
static bool wraps_library(Search *search, const HostFunction *function, int depth) {
  HostKey key = {{function->index, (uint32_t)depth}};
  uint32_t known = host_map_get(&search->wrappers, key);
  bool wraps = known == 2;
  for (uint32_t i = 0; i < function->ir->insts.count && !known && !wraps; i++) {
    const IrInst *inst = &function->ir->insts.items[i];
    HostFunction *callee = NULL;
    if (inst->op != IR_CALL) continue;
    HostCallKind kind = host_call(search->scan, inst, &callee)->kind;
    wraps = kind == CALL_LIBRARY ||
            (kind == CALL_DEFINED && depth > 0 && wraps_library(search, callee, depth - 1));
  }
  host_map_put(&search->wrappers, key, wraps ? 2 : 1);
  return wraps;
}

static void add_calls_in(Search *search, HostFrame *frame, int depth) {
  if (host_map_get(&search->seen, (HostKey){{frame->id}})) return;
  host_map_put(&search->seen, (HostKey){{frame->id}}, 1);
  const IrFunction *ir = frame->function->ir;
  for (uint32_t i = 0; i < ir->insts.count; i++) {
    const IrInst *inst = &ir->insts.items[i];
    HostFunction *callee = NULL;
    if (inst->op != IR_CALL || frame->function->cfg->rpo_number[inst->block] == CFG_NONE) continue;
    add_call(search, frame, i);
    bool enters = depth > 0 && host_call(search->scan, inst, &callee)->kind == CALL_DEFINED &&
                  wraps_library(search, callee, depth - 1);
    HostFrame *child = enters ? host_frame_child(search->scan, frame, i) : NULL;
    if (child) add_calls_in(search, child, depth - 1);
  }
}

static void add_calls(Search *search, HostFrame *frame) {
  for (; frame; frame = frame->parent)
    add_calls_in(search, frame, WRAPPER_DEPTH);
}

// ---- before the launch

static uint32_t outermost_loop(const Cfg *cfg, uint32_t block) {
  uint32_t found = CFG_NONE;
  for (uint32_t loop = cfg->loop_of[block]; loop != CFG_NONE; loop = cfg->loops.items[loop].parent)
    found = loop;
  return found;
}

// Ways lead upwards in this order only within a loop: from a block to one before the header of its outermost
// loop, and outside of that, there is none.
static bool may_lead_to(const Cfg *cfg, uint32_t block, uint32_t last) {
  uint32_t loop = outermost_loop(cfg, block);
  uint32_t from = loop == CFG_NONE ? block : cfg->loops.items[loop].header;
  if (!cfg->is_reducible || (loop != CFG_NONE && cfg_loop_contains(cfg, loop, last))) return true;
  return cfg->rpo_number[from] <= cfg->rpo_number[last];
}

// Does a way lead from the one instruction to the other?
static bool leads_to(Arena *scratch, const HostFunction *function, uint32_t from, uint32_t to) {
  const Cfg *cfg = function->cfg;
  uint32_t first = function->ir->insts.items[from].block, last = function->ir->insts.items[to].block;
  uint32_t loop = outermost_loop(cfg, first), depth = 0;
  if (loop != CFG_NONE && cfg_loop_contains(cfg, loop, last)) return true;
  if (first == last && from < to) return true;
  if (first != last && cfg_dominates(cfg, first, last)) return true;
  if (!may_lead_to(cfg, first, last)) return false;
  uint8_t *seen = arena_array(scratch, function->ir->blocks.count, uint8_t);
  uint32_t *stack = arena_array(scratch, function->ir->blocks.count + 1u, uint32_t);
  stack[depth++] = first;
  while (depth) {
    uint32_t at = stack[--depth];
    for (uint32_t s = cfg->succ_first[at]; s < cfg->succ_first[at + 1]; s++) {
      uint32_t next = cfg->succs[s];
      if (next == last) return true;
      if (!seen[next] && may_lead_to(cfg, next, last)) stack[depth++] = next;
      seen[next] = 1;
    }
  }
  return false;
}

typedef struct Where {
  const HostFrame *frame;
  uint32_t inst;
} Where;

// Can control get from the one place to the other? Where they have no function in common, it can.
static bool may_follow(Arena *scratch, Where before, Where after) {
  const HostFrame *one = before.frame, *other = after.frame;
  uint32_t from = before.inst, to = after.inst;
  for (; one && !host_frame_is_above(one, other); one = one->parent)
    from = one->call;
  for (; other && other != one; other = other->parent)
    to = other->call;
  ArenaMark before_search = arena_mark(scratch);
  bool follows = !one || !other || leads_to(scratch, one->function, from, to);
  arena_release(scratch, before_search);
  return follows;
}

// Does a loop of the host, in any of the functions on the way, come round to the launch again? A function
// that others may call may be called twice, and a graph may be launched twice.
static bool is_repeated(const HostScan *scan, const HostLaunchRead *read) {
  if (read->is_deferred) return true;
  uint32_t inst = read->inst;
  for (const HostFrame *frame = read->frame; frame; inst = frame->call, frame = frame->parent) {
    const Cfg *cfg = frame->function->cfg;
    if (!cfg->is_reducible || cfg->loop_of[frame->function->ir->insts.items[inst].block] != CFG_NONE)
      return true;
    if (!frame->parent && !scan->options->has_main) return true;
  }
  return false;
}

// How far down the program an instruction of the frame stands: -1: before, 1: behind the other one, on the
// way that takes no loop again; 0: nobody can tell.
static int in_program_order(const HostFrame *one, uint32_t from, const HostFrame *other, uint32_t to) {
  while (one && one->depth > other->depth) {
    from = one->call;
    one = one->parent;
  }
  while (other && one && other->depth > one->depth) {
    to = other->call;
    other = other->parent;
  }
  while (one && other && one != other) {
    from = one->call;
    to = other->call;
    one = one->parent;
    other = other->parent;
  }
  if (!one || one != other || from == to) return 0;
  const IrInst *insts = one->function->ir->insts.items;
  const Cfg *cfg = one->function->cfg;
  uint32_t first = cfg->rpo_number[insts[from].block], last = cfg->rpo_number[insts[to].block];
  if (first == CFG_NONE || last == CFG_NONE || !cfg->is_reducible) return 0;
  if (first == last) return from < to ? -1 : 1;
  return first < last ? -1 : 1;
}

static void number_launches(HostScan *scan) {
  uint32_t count = scan->all_launches.count;
  for (uint32_t i = 0; i < count; i++) {
    const HostLaunchRead *one = &scan->all_launches.items[i];
    for (uint32_t k = 0; k < count; k++) {
      const HostLaunchRead *other = &scan->all_launches.items[k];
      one->context->place += in_program_order(other->frame, other->inst, one->frame, one->inst) < 0;
    }
  }
}

static void add_writer(Arena *arena, LaunchWriters *writers, LaunchWriter added) {
  for (uint32_t i = 0; i < writers->count; i++) {
    LaunchWriter *known = &writers->items[i];
    if (known->launch != added.launch || known->is_earlier != added.is_earlier) continue;
    known->stores |= added.stores;
    known->in_round |= added.in_round;
    known->may_go_on |= added.may_go_on;
    return;
  }
  vec_push(arena, writers, added);
  for (uint32_t i = writers->count - 1; i > 0; i--) {
    LaunchWriter *two = &writers->items[i - 1];
    if (!two[1].launch || !two->launch || two->launch->place <= two[1].launch->place) break;
    LaunchWriter kept = *two;
    two[0] = two[1];
    two[1] = kept;
  }
}

// Of very many launches, each would carry all others with it: the nearest ones stay by name, those before
// them are somebody who was not seen.
static void keep_nearest(LaunchWriters *writers) {
  uint32_t left[2] = {WRITERS_LIMIT, WRITERS_LIMIT}, kept = writers->count;
  LaunchWriter others = {.is_any = true};
  for (uint32_t i = writers->count; i-- > 0;) {
    const LaunchWriter *writer = &writers->items[i];
    uint32_t *room = &left[writer->is_earlier];
    if (*room || !writer->launch) {
      *room -= *room && writer->launch;
      writers->items[--kept] = *writer;
      continue;
    }
    others.is_earlier |= writer->is_earlier;
    others.in_round |= writer->in_round;
    others.may_go_on |= writer->may_go_on;
    others.stores |= writer->stores;
  }
  if (!kept) return;
  writers->items[--kept] = others;
  writers->count -= kept;
  memmove(writers->items, writers->items + kept, writers->count * sizeof *writers->items);
}

// ---- which one comes last
static void add_operation(Ways *ways, const Writer *writer) {
  HostOperations *operations = &ways->operations;
  for (uint32_t o = 0; o < operations->count; o++) {
    HostOperation *known = &operations->items[o];
    if (ways->launches[o] != writer->launch || known->frame != writer->frame || known->inst != writer->inst)
      continue;
    known->may_pass &= writer->may_pass;
    return;
  }
  ways->is_cut |= operations->count + 1 == HOST_OPERATIONS_MOST;
  if (ways->is_cut) return;
  ways->launches[operations->count] = writer->launch;
  operations->items[operations->count++] = (HostOperation){.frame = writer->frame,
                                                           .inst = writer->inst,
                                                           .stream = writer->stream,
                                                           .behind = writer->behind,
                                                           .begins = writer->begins,
                                                           .is_deferred = writer->is_deferred,
                                                           .is_call = !writer->launch,
                                                           .may_pass = writer->may_pass};
}

static Ways *ways_at(Search *search, HostKey key) {
  uint32_t known = host_map_get(&search->ways_of, key);
  if (known) return search->ways.items[known - 1];
  vec_push(search->scan->arena, &search->ways, arena_new(search->scan->arena, Ways));
  host_map_put(&search->ways_of, key, search->ways.count);
  return vec_last(&search->ways);
}

static const Ways *find_ways(Search *search, Ways *ways) {
  ways->is_found = true;
  if (!ways->is_cut) host_successors_find(search->scan, &ways->operations, &ways->after);
  return ways;
}

static const Ways *ways_of_object(Search *search, ExprRef leaf) {
  Ways *ways = ways_at(search, (HostKey){{leaf}});
  if (ways->is_found) return ways;
  uint32_t at = host_map_get(&search->first, (HostKey){{leaf}});
  for (; at; at = search->writers.items[at - 1].next)
    add_operation(ways, &search->writers.items[at - 1]);
  return find_ways(search, ways);
}

static const Ways *ways_of_variable(Search *search, const char *name, uint32_t first) {
  Ways *ways = ways_at(search, (HostKey){{0, first + 1}});
  if (ways->is_found) return ways;
  for (uint32_t w = first; w < search->variables.count; w++)
    if (strcmp(search->variables.items[w].variable, name) == 0)
      add_operation(ways, &search->variables.items[w]);
  return find_ways(search, ways);
}

// Those of the launches among them, as a set of operations.
static uint64_t operations_of(const Ways *ways, const LaunchContext *launch) {
  uint64_t set = 0;
  for (uint32_t o = 0; o < ways->operations.count; o++)
    if (ways->launches[o] == launch) set |= UINT64_C(1) << o;
  return set;
}

static uint64_t after_any(const uint64_t *after, uint64_t operations) {
  uint64_t set = 0;
  for (uint32_t o = 0; o < HOST_OPERATIONS_MOST; o++)
    if (operations >> o & 1) set |= after[o];
  return set;
}

// A launch that only reads there is none of them: any writer may be the last one before it.
static void relate(const Ways *ways, const HostLaunchRead *read, LaunchWriters *writers) {
  uint64_t here = operations_of(ways, read->context), all = here,
           first = ways->after.next[ways->operations.count];
  bool is_cut = ways->is_cut || writers->count > HOST_OPERATIONS_MOST;
  for (uint32_t i = 0; i < writers->count; i++)
    all |= operations_of(ways, writers->items[i].launch);
  for (uint32_t i = 0; i < writers->count; i++) {
    LaunchWriter *writer = &writers->items[i];
    uint64_t own = operations_of(ways, writer->launch), next = after_any(ways->after.next, own);
    writer->is_any |= is_cut;
    writer->is_first = !here || (first & own);
    writer->is_last = !here || (next & here);
    writer->may_meet = after_any(ways->after.may_meet, own) & all;
    for (uint32_t k = 0; k < writers->count && !is_cut; k++)
      if (!here || (operations_of(ways, writers->items[k].launch) & next)) writer->next |= UINT64_C(1) << k;
  }
}

// AGAIN: in an earlier call of a function of a library.
typedef enum Before { BEFORE_NOT, BEFORE_ITSELF, BEFORE_AGAIN, BEFORE_OTHER } Before;

// May the writer have been there when the launch begins?
static Before look_before(const HostScan *scan, Arena *scratch, const Writer *writer,
                          const HostLaunchRead *read, LaunchWriter *out) {
  Where there = {writer->frame, writer->inst}, here = {read->frame, read->inst};
  bool is_itself = there.frame == here.frame && there.inst == here.inst;
  bool is_any_time = writer->is_deferred || read->is_deferred;
  bool is_library = !(scan->options && scan->options->has_main);
  bool follows = is_itself ? is_repeated(scan, read) : is_any_time || may_follow(scratch, there, here);
  if (!follows && !is_library) return BEFORE_NOT;
  *out = (LaunchWriter){.launch = writer->launch, .stores = writer->stores};
  out->is_earlier = in_program_order(there.frame, there.inst, here.frame, here.inst) < 0;
  out->may_go_on = read->is_early;
  out->in_round = is_itself || is_any_time || !follows || may_follow(scratch, here, there);
  return is_itself ? BEFORE_ITSELF : follows ? BEFORE_OTHER : BEFORE_AGAIN;
}

static void mark_object(Search *search, const HostLaunchRead *read, LaunchObject *object, Arena *scratch) {
  uint32_t at = object->leaf ? host_map_get(&search->first, (HostKey){{object->leaf}}) : 0;
  for (const Writer *writer; at; at = writer->next) {
    LaunchWriter found = {0};
    writer = &search->writers.items[at - 1];
    Before before = look_before(search->scan, scratch, writer, read, &found);
    if (before == BEFORE_NOT) continue;
    add_writer(search->scan->arena, &object->writers, found);
    // A kernel of the program's own is named before a library.
    if (before != BEFORE_OTHER || (object->computed_by && (!object->is_of_library || writer->is_library)))
      continue;
    object->computed_by = writer->what;
    object->computed_at = writer->loc;
    object->is_of_library = writer->is_library;
  }
  keep_nearest(&object->writers);
  if (object->writers.count) relate(ways_of_object(search, object->leaf), read, &object->writers);
}

static void mark_variable(Search *search, const HostLaunchRead *read, const char *name, Arena *scratch) {
  LaunchVariable variable = {.name = name};
  uint32_t first = CFG_NONE;
  for (uint32_t w = 0; w < search->variables.count; w++) {
    LaunchWriter found = {0};
    const Writer *writer = &search->variables.items[w];
    if (strcmp(writer->variable, name) != 0) continue;
    if (first == CFG_NONE) first = w;
    if (look_before(search->scan, scratch, writer, read, &found) != BEFORE_NOT)
      add_writer(search->scan->arena, &variable.writers, found);
  }
  keep_nearest(&variable.writers);
  if (variable.writers.count) relate(ways_of_variable(search, name, first), read, &variable.writers);
  if (variable.writers.count) vec_push(search->scan->arena, &read->context->variables, variable);
}

static void mark(Search *search, const HostLaunchRead *read, Arena *scratch) {
  LaunchContext *launch = read->context;
  const HostKernelUse *use = read->kernel ? host_kernel_use(search->scan, read->kernel) : NULL;
  for (uint32_t i = 1; i < launch->objects.count; i++)
    mark_object(search, read, &launch->objects.items[i], scratch);
  for (uint32_t g = 0; use && g < use->globals.count && search->variables.count; g++)
    mark_variable(search, read, use->globals.items[g].name, scratch);
}

static void link_writers(Search *search) {
  for (uint32_t w = search->writers.count; w-- > 0;) {
    HostKey key = {{search->writers.items[w].leaf}};
    search->writers.items[w].next = host_map_get(&search->first, key);
    host_map_put(&search->first, key, w + 1);
  }
}

void host_computed_add(HostScan *scan) {
  ASSERT(scan->functions && scan->result); // after host_model_build
  Search search = {.scan = scan,
                   .first = {.arena = scan->arena},
                   .ways_of = {.arena = scan->arena},
                   .seen = {.arena = scan->arena},
                   .wrappers = {.arena = scan->arena}};
  for (uint32_t i = 0; i < scan->all_launches.count; i++) {
    add_kernel(&search, &scan->all_launches.items[i]);
    add_calls(&search, scan->all_launches.items[i].frame);
  }
  link_writers(&search);
  number_launches(scan);
  Arena *scratch = arena_open();
  for (uint32_t i = 0; i < scan->all_launches.count && search.writers.count + search.variables.count; i++)
    mark(&search, &scan->all_launches.items[i], scratch);
  arena_close(scratch);
}
