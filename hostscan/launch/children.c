// Which launches does device code make, and with what? A kernel that is launched starts others with values
// that it computes from what it was given. Method: for each launch that is read, each call of HGRD_CHILD in
// its kernel is one more launch: dimensions and arguments as one thread of the parent computes them (lane.c),
// of which it is not said which one; what was known of the parent's launch, the branches that dominate the
// call and the ranges of the thread's numbers are facts. Parents of parents are gone through likewise.
// Soundness: over-approximates each launch that is read; a pointer that is not a parameter, or in one, points
// to memory of its own (A2). Kernels for which some launch may not be read, because the code that makes it is
// not a kernel, has no launch itself, calls itself, or is not understood, are not among those that are
// followed: they count as launched with any values besides.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/launch/launch.h"
#include "hostscan/contents.h"
#include "hostscan/kernels.h"
#include "hostscan/names.h"
#include "hostscan/program.h"
#include "hostscan/terms.h"

#include <string.h>

#define HGRD_HIDDEN_CHILD "__hgrd_launch_from_device" // its kernel has no name there

enum { CHILD_DEPTH = 4, CHILD_LIMIT = 64, FIRST_ARGUMENT = 8, SHARED = 7 };

typedef struct Child { // a launch in device code
  const IrModule *module;
  const IrFunction *parent, *kernel; // kernel NULL: not seen
  uint32_t inst;
} Child;

typedef struct Children {
  HostScan *scan;
  VEC(Child) list;
  VEC(uint32_t) depths; // by launch
  HostChildLaunches made;
} Children;

static bool is_loose(const Children *c, const IrFunction *kernel) {
  for (uint32_t i = 0; i < c->made.loose.count; i++)
    if (c->made.loose.items[i] == kernel) return true;
  return false;
}

static bool loosen(Children *c, const IrFunction *kernel) {
  if (is_loose(c, kernel)) return false;
  vec_push(c->scan->arena, &c->made.loose, kernel);
  return true;
}

// ---- calls
static const IrFunction *child_kernel(const HostScan *scan, const IrModule *module, const IrInst *call) {
  bool is_named = call->op_count > SHARED && ir_ref_kind(call->ops[0]) == IR_REF_FUNC;
  const IrFunction *kernel = is_named ? module->functions.items[ir_ref_index(call->ops[0])] : NULL;
  return kernel ? host_find_kernel(scan, kernel->name) : NULL;
}

static void find_in_function(Children *c, const IrModule *module, const IrFunction *function) {
  for (uint32_t i = 0; i < function->insts.count; i++) {
    const IrInst *inst = &function->insts.items[i];
    if (!host_is_child_launch(inst)) continue;
    vec_push(c->scan->arena, &c->list, (Child){module, function, child_kernel(c->scan, module, inst), i});
  }
}

static void find_calls(Children *c) {
  for (uint32_t d = 0; d < c->scan->device_count; d++) {
    const IrModule *module = c->scan->device[d];
    for (uint32_t f = 0; module && f < module->functions.count; f++)
      find_in_function(c, module, module->functions.items[f]);
  }
}

// ---- one launch
typedef struct Reading {
  Children *c;
  const Child *child;
  const LaunchContext *parent;
  uint32_t parent_number;
  LaneLaunch lane_launch;
  Lane *lane;
  LaunchContext *launch;
} Reading;

static void add_fact(Reading *r, ExprRef condition, FactClass class, SrcLoc loc) {
  HostScan *scan = r->c->scan;
  bool is_heavy = host_weight(scan, condition) > HOST_HEAVY;
  if (is_heavy || expr_is_true(scan->pool, condition)) return;
  Fact fact = {.condition = condition, .class = class, .loc = loc};
  fact.text = host_text(scan->pool, scan->arena, condition);
  vec_push(scan->arena, &r->launch->facts, fact);
}

static SrcLoc with_parent(const Reading *r, uint32_t loc) {
  const HostScan *scan = r->c->scan;
  return host_append_chain(r->c->scan, *ir_loc(r->child->module, loc),
                           arena_copy(scan->arena, &r->parent->loc, sizeof r->parent->loc));
}

static void add_branches(Reading *r, uint32_t block) {
  const Cfg *cfg = r->lane->cfg;
  for (; cfg->idom[block] != block; block = cfg->idom[block]) {
    uint32_t above = cfg->idom[block];
    const IrInst *last = ir_terminator(r->child->parent, above);
    for (uint32_t i = 0; i < last->block_count; i++) {
      if (!cfg_edge_dominates(cfg, above, last->blocks[i], block)) continue;
      ExprRef condition = lane_edge(r->lane, above, last->blocks[i]);
      if (condition) add_fact(r, condition, FACT_ASSERT, with_parent(r, last->loc));
    }
  }
}

static ExprRef dimension(Reading *r, IrRef ref) {
  return expr_resize_unsigned(r->c->scan->pool, lane_value(r->lane, ref), 32);
}

static ExprRef argument_of(Reading *r, IrRef ref) {
  const IrType type = ir_ref_type(r->child->module, r->child->parent, ref);
  ExprRef address = 0;
  if (type.kind == IR_INT || type.kind == IR_FLOAT) return lane_value(r->lane, ref);
  if (type.kind != IR_PTR) return 0;
  bool is_known = lane_place(&r->lane_launch, r->lane, ref, &address) == LANE_PLACE_GLOBAL;
  return is_known ? address : lane_value(r->lane, ref);
}

// The launch of the host that leads there.
static const HostLaunchRead *root_of(const Reading *r) {
  const HostScan *scan = r->c->scan;
  uint32_t at = r->parent_number;
  for (uint32_t i = r->c->made.all.count; i-- > 0;)
    if (r->c->made.all.items[i].launch == at) at = r->c->made.all.items[i].parent;
  for (uint32_t i = 0; i < scan->all_launches.count; i++)
    if (scan->all_launches.items[i].context == scan->result->launches.items[at])
      return &scan->all_launches.items[i];
  return NULL;
}

// One thread alone makes it, and not in a loop.
static bool is_made_once(const Reading *r, const IrInst *call) {
  for (uint32_t i = 0; i < 6; i++) {
    int64_t count = 0;
    ExprRef size = i < 3 ? r->parent->grid[i] : r->parent->block[i - 3];
    if (!expr_is_const(r->c->scan->pool, size, &count) || count != 1) return false;
  }
  return r->lane->cfg->loop_of[call->block] == CFG_NONE;
}

// False if the arguments are not understood.
static bool read_arguments(Reading *r, const IrInst *call) {
  const IrFunction *kernel = r->child->kernel;
  HostScan *scan = r->c->scan;
  if (call->op_count < FIRST_ARGUMENT + kernel->params.count) return false;
  ExprRef *values = arena_array(scan->arena, kernel->params.count + 1u, ExprRef);
  for (uint32_t i = 0; i < kernel->params.count; i++) {
    IrType type = ir_ref_type(r->child->module, r->child->parent, call->ops[FIRST_ARGUMENT + i]);
    const IrParam *param = &kernel->params.items[i];
    if (param->byval_bytes || type.kind != param->type.kind || type.bytes != param->type.bytes) return false;
    values[i] = argument_of(r, call->ops[FIRST_ARGUMENT + i]);
    if (!values[i]) return false;
  }
  const HostLaunchRead *root = root_of(r);
  if (!root) return false;
  HostArguments from = {.frame = root->frame, .inst = root->inst, .stream = root->stream};
  from.behind = root->behind;
  from.begins = root->begins;
  from.is_early = root->is_early;
  host_arguments_given(scan, &from, kernel, values, r->launch);
  return true;
}

static LaunchContext *start_launch(Reading *r, const IrInst *call) {
  LaunchContext *launch = arena_new(r->c->scan->arena, LaunchContext);
  launch->kernel = r->child->kernel->name;
  launch->loc = with_parent(r, call->loc);
  launch->assumptions = r->parent->assumptions;
  launch->is_guess = r->parent->is_guess;
  for (uint32_t i = 0; i < r->parent->undecided.count; i++)
    vec_push(r->c->scan->arena, &launch->undecided, r->parent->undecided.items[i]);
  return launch;
}

static bool read_child(Reading *r) {
  HostScan *scan = r->c->scan;
  const IrInst *call = &r->child->parent->insts.items[r->child->inst];
  const HostKernelUse *use = host_kernel_use(scan, r->child->parent);
  if (!use->cfg || use->cfg->rpo_number[call->block] == CFG_NONE) return true; // never executed
  r->lane_launch = (LaneLaunch){.scan = scan, .use = use, .kernel = r->child->parent, .given = r->parent};
  r->lane_launch.shape = *r->parent;
  r->lane = lane_make(&r->lane_launch);
  r->launch = start_launch(r, call);
  for (uint32_t i = 0; i < 3; i++) {
    r->launch->grid[i] = dimension(r, call->ops[1 + i]);
    r->launch->block[i] = dimension(r, call->ops[4 + i]);
  }
  r->launch->shared_bytes = expr_resize_unsigned(scan->pool, lane_value(r->lane, call->ops[SHARED]), 64);
  if (!read_arguments(r, call)) return false;
  add_branches(r, call->block);
  lane_relate_numbers(r->lane);
  for (uint32_t i = 0; i < r->lane->known.count; i++)
    add_fact(r, r->lane->known.items[i], FACT_LAUNCH, with_parent(r, call->loc));
  for (uint32_t i = 0; i < r->parent->facts.count; i++)
    vec_push(scan->arena, &r->launch->facts, r->parent->facts.items[i]);
  host_launch_finish(scan, r->launch, r->child->kernel);
  HostChildLaunch made = {.launch = scan->result->launches.count, .parent = r->parent_number};
  made.kernel = r->child->kernel;
  made.called = r->child->parent;
  made.is_once = is_made_once(r, call);
  vec_push(scan->arena, &r->c->made.all, made);
  vec_push(scan->arena, &scan->result->launches, r->launch);
  return true;
}

// ---- all of them
static uint32_t count_of(const HostScan *scan, const char *kernel) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < scan->result->launches.count; i++)
    count += strcmp(scan->result->launches.items[i]->kernel, kernel) == 0;
  return count;
}

static void read_launch(Children *c, uint32_t index) {
  const LaunchContext *parent = c->scan->result->launches.items[index];
  for (uint32_t i = 0; i < c->list.count; i++) {
    const Child *child = &c->list.items[i];
    if (!child->kernel || strcmp(child->parent->name, parent->kernel) != 0) continue;
    bool is_itself = child->kernel == child->parent;
    bool is_deep =
        c->depths.items[index] >= CHILD_DEPTH || count_of(c->scan, child->kernel->name) >= CHILD_LIMIT;
    Reading reading = {.c = c, .child = child, .parent = parent, .parent_number = index};
    if (is_itself || is_deep || !read_child(&reading)) loosen(c, child->kernel);
    while (c->depths.count < c->scan->result->launches.count)
      vec_push(c->scan->arena, &c->depths, c->depths.items[index] + 1);
  }
}

// What a loose kernel launches is launched with any values, and so is what nobody launches launches.
static void spread_loose(Children *c) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < c->list.count; i++) {
      const Child *child = &c->list.items[i];
      bool is_open = !child->parent->is_kernel || is_loose(c, child->parent) ||
                     count_of(c->scan, child->parent->name) == 0;
      if (child->kernel && is_open) changed |= loosen(c, child->kernel);
    }
  }
}

// A launch whose kernel is told by no name may be one of any.
static bool has_hidden(const Children *c) {
  for (uint32_t d = 0; d < c->scan->device_count; d++)
    if (host_function_named(c->scan, d + 1, HGRD_HIDDEN_CHILD)) return true;
  for (uint32_t i = 0; i < c->list.count; i++)
    if (!c->list.items[i].kernel) return true;
  return false;
}

// Who launches a kernel from device code, if it may write to memory before.
static void note_launchers(Children *c) {
  for (uint32_t i = 0; i < c->list.count; i++) {
    const Child *child = &c->list.items[i];
    const HostKernelUse *use = host_kernel_use(c->scan, child->parent);
    bool may_write = use->own.writes_anything;
    for (uint32_t a = 0; a < child->parent->params.count; a++)
      may_write |= use->writes[a];
    for (uint32_t g = 0; g < use->globals.count; g++)
      may_write |= use->globals.items[g].is_written;
    if (!may_write) continue;
    HostLauncher launcher = {.kernel = child->kernel ? child->kernel->name : NULL};
    launcher.who = arena_printf(c->scan->arena, "'%s', which launches it", host_display_name(child->parent));
    vec_push(c->scan->arena, &c->scan->result->launchers, launcher);
  }
}

void host_children_add(HostScan *scan) {
  ASSERT(scan->functions && scan->result); // after host_model_build
  Children c = {.scan = scan};
  find_calls(&c);
  if (c.list.count == 0) return;
  for (uint32_t i = 0; i < scan->result->launches.count; i++)
    vec_push(scan->arena, &c.depths, 0);
  for (uint32_t i = 0; i < scan->result->launches.count; i++)
    read_launch(&c, i);
  spread_loose(&c);
  host_children_memory(scan, &c.made);
  note_launchers(&c);
  bool is_hidden = has_hidden(&c);
  for (uint32_t i = 0; i < c.list.count && !is_hidden; i++) {
    const IrFunction *kernel = c.list.items[i].kernel;
    if (!is_loose(&c, kernel)) vec_push(scan->arena, &scan->result->followed, kernel->name);
  }
}
