// Which launches does the host code make, from which call chains? The walk over the program that the
// public header promises.
// Method: from each root (main; in a library every visible function) down through calls of functions that
// reach a launch, one frame for each call on the chain, and one context for each launch met. A function
// reached by more chains than the limit, or recursively, gets one frame without a caller instead, which
// stands for all chains.
// Soundness: every launch of the program is met from a frame whose parameters cover the real call: in a
// closed world (A5) a function is entered only through its visible callers, unless its address is taken.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/top.h"
#include "hostscan/contents.h"
#include "hostscan/invariants.h"
#include "hostscan/launch.h"
#include "hostscan/objects.h"
#include "hostscan/kernels.h"
#include "hostscan/program.h"
#include "hostscan/syntax.h"
#include "hostscan/value.h"

#include <stdlib.h>
#include <string.h>

enum { DEFAULT_CONTEXTS = 64 };

// ---- the walk
static uint32_t chain_limit(const HostScan *scan) {
  uint32_t limit = scan->options ? scan->options->context_limit : 0;
  return limit ? limit : DEFAULT_CONTEXTS;
}

static void descend(HostScan *scan, HostFrame *frame);

static void enter(HostScan *scan, HostFrame *frame, uint32_t inst, HostFunction *callee, ExprRef condition) {
  HostFrame *child =
      callee->chains < chain_limit(scan) ? host_frame_child_of(scan, frame, inst, callee) : NULL;
  if (!child) {
    callee->wants_root = true;
    return;
  }
  child->condition = condition;
  descend(scan, child);
}

// A call through a pointer: each function that it is seen to be; if it may be another one, any that fits.
static void enter_by_pointer(HostScan *scan, HostFrame *frame, uint32_t inst) {
  const IrInst *call = &frame->function->ir->insts.items[inst];
  HostTargets targets = {0};
  bool is_known = host_called_functions(scan, frame, inst, &targets);
  for (uint32_t i = 0; i < targets.count && is_known; i++) {
    HostFunction *callee = &scan->functions[host_object_of(scan, targets.items[i].leaf)->index];
    bool fits = host_may_call(scan, frame->function->ir, call, callee);
    if (fits && callee->reaches_launch) enter(scan, frame, inst, callee, targets.items[i].condition);
  }
  for (uint32_t i = 0; i < scan->module->functions.count && !is_known; i++) {
    HostFunction *callee = &scan->functions[i];
    if (callee->reaches_launch && host_may_call(scan, frame->function->ir, call, callee))
      callee->wants_root = callee->is_called_unseen = true;
  }
}

static void descend(HostScan *scan, HostFrame *frame) {
  HostFunction *function = frame->function;
  function->chains++;
  for (uint32_t i = 0; i < function->ir->insts.count; i++) {
    const IrInst *inst = &function->ir->insts.items[i];
    HostFunction *callee = NULL;
    HostCallKind kind = CALL_UNKNOWN;
    if (inst->op != IR_CALL || function->cfg->rpo_number[inst->block] == CFG_NONE) continue;
    (void)host_call(scan, inst, &callee);
    if (callee && callee->reaches_launch)
      enter(scan, frame, i, callee, 0);
    else if (host_is_launch(scan, function, i, &kind))
      host_launch_read(scan, frame, i, kind);
    else if (!host_callee_name(scan, inst) && inst->op_count)
      enter_by_pointer(scan, frame, i);
  }
}

static void descend_from_root(HostScan *scan, HostFunction *function) {
  if (function->is_root) return;
  function->is_root = true;
  HostFrame *frame = host_frame_make(scan, function, NULL, 0);
  // Of several programs checked together each has its main; only the first kept its name.
  const char *name = function->ir->display ? function->ir->display : function->ir->name;
  frame->is_entry = strcmp(name, "main") == 0;
  descend(scan, frame);
}

// ---- roots
static bool has_body(const HostFunction *function) {
  return !function->ir->is_declaration && function->ir->blocks.count > 0 && !function->is_generated;
}

static bool is_root(const HostScan *scan, const HostFunction *function) {
  bool is_closed = scan->options && scan->options->has_main;
  bool is_known = function->is_address_taken || function->ir->is_in_data;
  if (!has_body(function) || !function->reaches_launch) return false;
  // In a whole program a function whose address stays inside is entered by the calls through pointers.
  if (is_known) return !is_closed || function->gets_out;
  return function->callers.count == 0 || (!is_closed && function->ir->is_external);
}

static bool same_place(const SrcLoc *a, const SrcLoc *b) {
  return a->file && b->file && strcmp(a->file, b->file) == 0 && a->line == b->line && a->column == b->column;
}

static uint32_t chain_length(const SrcLoc *loc) {
  uint32_t length = 0;
  for (loc = loc->inlined_at; loc; loc = loc->inlined_at)
    length++;
  return length;
}

// Contexts of a function that was inlined into its callers, if each has a twin that was read from such a
// caller, which may itself be left of one that was inlined.
static void drop_twins(HostScan *scan, uint32_t first) {
  uint32_t count = scan->result->launches.count, kept = first;
  bool *is_twin = arena_array(scan->arena, count + 1u, bool);
  for (uint32_t i = first; i < count; i++) {
    const LaunchContext *launch = scan->result->launches.items[i];
    for (uint32_t k = 0; k < count && !is_twin[i]; k++) {
      const LaunchContext *other = scan->result->launches.items[k];
      bool is_farther = k < first || chain_length(&other->loc) > chain_length(&launch->loc);
      is_twin[i] =
          is_farther && same_place(&launch->loc, &other->loc) && strcmp(launch->kernel, other->kernel) == 0;
    }
  }
  for (uint32_t i = first; i < count; i++)
    if (!is_twin[i]) scan->result->launches.items[kept++] = scan->result->launches.items[i];
  scan->result->launches.count = kept;
}

// Chains that were cut, and what calls through unknown pointers may come to.
static void walk_wanted(HostScan *scan, bool with_unseen) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < scan->module->functions.count; i++) {
      HostFunction *function = &scan->functions[i];
      bool unseen = with_unseen && function->chains == 0 && function->reaches_launch && has_body(function);
      if (function->is_root || !(function->wants_root || unseen)) continue;
      descend_from_root(scan, function);
      changed = true;
    }
  }
}

static void walk_roots(HostScan *scan) {
  bool is_closed = scan->options && scan->options->has_main;
  uint32_t count = scan->module->functions.count;
  for (uint32_t i = 0; i < count; i++) {
    HostFunction *function = &scan->functions[i];
    bool is_leftover = is_closed && function->was_inlined && function->callers.count == 0;
    if (is_root(scan, function) && (!is_leftover || function->gets_out)) descend_from_root(scan, function);
  }
  walk_wanted(scan, false);
  uint32_t first = scan->result->launches.count;
  for (uint32_t i = 0; i < count && is_closed; i++) { // what is left of functions that were inlined
    HostFunction *function = &scan->functions[i];
    bool is_unseen = has_body(function) && function->reaches_launch && function->chains == 0;
    if (is_unseen && function->was_inlined && function->callers.count == 0) descend_from_root(scan, function);
  }
  drop_twins(scan, first);
  walk_wanted(scan, true); // and cycles that nothing outside calls
}

// ---- launches that cannot happen

static void add_folded(HostScan *scan, const IrModule *device, const IrFunction *kernel, SrcLoc loc) {
  LaunchContext *launch = hostscan_any_launch(scan->pool, device, kernel, scan->options, scan->arena);
  launch->is_any = false;
  launch->loc = loc;
  Fact fact = {.condition = expr_bool(scan->pool, false), .class = FACT_ASSERT, .loc = loc};
  fact.text = "the conditions on the way to the launch contradict each other";
  vec_push(scan->arena, &launch->facts, fact);
  vec_push(scan->arena, &scan->result->launches, launch);
}

// The front end left out launches that plainly contradict what was checked before.
static void add_folded_launches(HostScan *scan) {
  for (uint32_t f = 0; f < scan->module->functions.count; f++) {
    const IrFunction *stub = scan->module->functions.items[f];
    const char *name = stub->folded_launches.count ? host_stub_kernel(stub->name, scan->arena) : NULL;
    for (uint32_t d = 0; name && d < scan->device_count; d++) {
      const IrFunction *kernel = host_function_named(scan, d + 1, name);
      if (!kernel || !kernel->is_kernel || kernel->is_declaration) continue;
      for (uint32_t i = 0; i < stub->folded_launches.count; i++)
        add_folded(scan, scan->device[d], kernel, *ir_loc(scan->module, stub->folded_launches.items[i]));
    }
  }
}

// ---- the order of results
typedef struct Ranked {
  LaunchContext *launch;
  uint32_t arrival;
} Ranked;

static int compare_ranked(const void *a, const void *b) {
  const Ranked *x = a, *y = b;
  const SrcLoc *p = &x->launch->loc, *q = &y->launch->loc;
  int files = strcmp(p->file ? p->file : "", q->file ? q->file : "");
  if (files) return files;
  if (p->line != q->line) return p->line < q->line ? -1 : 1;
  if (p->column != q->column) return p->column < q->column ? -1 : 1;
  return x->arrival < y->arrival ? -1 : x->arrival > y->arrival;
}

static void sort_launches(HostScan *scan) {
  uint32_t count = scan->result->launches.count;
  Ranked *ranked = arena_array(scan->arena, count + 1u, Ranked);
  for (uint32_t i = 0; i < count; i++)
    ranked[i] = (Ranked){scan->result->launches.items[i], i};
  qsort(ranked, count, sizeof *ranked, compare_ranked);
  for (uint32_t i = 0; i < count; i++)
    scan->result->launches.items[i] = ranked[i].launch;
}

bool hostscan_follows(const HostScanResult *result, const IrFunction *kernel) {
  ASSERT(kernel->name);
  for (uint32_t i = 0; i < result->followed.count; i++)
    if (strcmp(result->followed.items[i], kernel->name) == 0) return true;
  return !kernel->is_launched_by_device;
}

static const HostContents contents[] = {
#define HOST_CONTENTS(about, function) {HOST_ABOUT_##about, function},
#include "hostscan/contents/contents.def"
#undef HOST_CONTENTS
    {HOST_ABOUT_WRITE, NULL}};

typedef struct Host { // what is read
  const IrModule *module;
  uint32_t device_count;
  const IrModule *const *device;
  const HostScanOptions *options;
} Host;

static HostScan *scan_make(const Host *host, Arena *arena, DiagSink *sink) {
  HostScanResult *result = arena_new(arena, HostScanResult);
  result->pool = expr_pool_make(arena);
  HostScan *scan = arena_new(arena, HostScan);
  *scan = (HostScan){.arena = arena,
                     .pool = result->pool,
                     .module = host->module,
                     .device_count = host->device_count,
                     .device = host->device,
                     .options = host->options,
                     .sink = sink,
                     .result = result,
                     .contents = contents,
                     .frame_limit = HOST_FRAMES,
                     .cells = {.arena = arena},
                     .memo = {.arena = arena}};
  host_model_build(scan);
  return scan;
}

static HostScan *scan_read(const Host *host, bool allows_guesses, HostLoopTexts *broken, Arena *arena,
                           DiagSink *sink) {
  HostScan *scan = scan_make(host, arena, sink);
  scan->guesses_allowed = allows_guesses;
  scan->unguessed = *broken;
  walk_roots(scan);
  if (!host_guesses_hold(scan, broken)) return NULL;
  host_invariants_add(scan);
  host_computed_add(scan);
  host_kernels_handed(scan);
  host_children_add(scan);
  add_folded_launches(scan);
  return host_guesses_hold(scan, broken) ? scan : NULL;
}

// Begins anew where a guess has not held (objects/guesses.c).
enum { TRIES = 4 };

HostScanResult *hostscan_run(const IrModule *host, uint32_t device_count, const IrModule *const *device,
                             const HostScanOptions *options, Arena *arena, DiagSink *sink) {
  ASSERT(arena && (!device_count || device));
  HostScanResult *nothing = arena_new(arena, HostScanResult);
  nothing->pool = expr_pool_make(arena);
  if (!host) return nothing;
  Host read = {.device_count = device ? device_count : 0, .device = device, .options = options};
  read.module = host_with_variables(arena, host, read.device_count, device);
  HostLoopTexts broken = {0};
  HostScan *scan = NULL;
  DiagSink *said = NULL;
  for (uint32_t i = 0; !scan; i++) {
    said = diag_sink_make(arena);
    scan = scan_read(&read, i < TRIES, &broken, arena, said);
  }
  for (uint32_t i = 0; sink && i < said->diags.count; i++)
    diag_pass_on(sink, &said->diags.items[i]);
  sort_launches(scan);
  return scan->result;
}
