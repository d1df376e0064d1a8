// What does one launch start, and how? Kernel, dimensions, shared memory, arguments, facts: one context
// for each kernel that the launch may start.
// Method: kernel pointers are expressions over the addresses of stubs, each possible one under its
// condition (launched.c); where the expression is too large or goes back an iteration, the stubs that flow into it,
// each at any time. How the kernel is launched is read by launch_shape.c, what it is given by arguments.c.
// Soundness: a kernel pointer whose value is unknown may be any stub that takes such arguments; these contexts are
// undecided.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/launch/launch.h"
#include "core/bug.h"
#include "hostscan/contents.h"
#include "hostscan/facts.h"
#include "hostscan/objects.h"
#include "hostscan/kernels.h"
#include "hostscan/names.h"
#include "hostscan/program.h"
#include "hostscan/syntax.h"
#include "hostscan/terms.h"
#include "hostscan/value.h"

#include <string.h>

// ---- kernels

// All functions that a pointer can be, through merges, choices and arguments, where their conditions are too
// many or hang on the iteration before. False if it may be something else.
typedef struct Walk {
  HostScan *scan;
  IndexList functions;
  HostMap seen; // (frame, reference)
} Walk;

static bool collect_functions(Walk *walk, HostFrame *frame, IrRef ref);

// A pointer from a constant table: any of the functions in it.
static bool collect_table(Walk *walk, HostFrame *frame, const IrInst *load) {
  HostScan *scan = walk->scan;
  HostTargets targets = {0};
  if (!host_targets(scan, host_value(scan, frame, load->ops[0]), &targets)) return false;
  for (uint32_t i = 0; i < targets.count; i++) {
    if (!targets.items[i].leaf) continue;
    const HostObject *object = host_object_of(scan, targets.items[i].leaf);
    if (object->kind != HOST_GLOBAL) return false;
    const IrGlobal *table = &scan->module->globals.items[object->index];
    uint32_t known = walk->functions.count;
    if (!host_is_constant_global(scan, object->index) || !table->data) return false;
    for (uint32_t k = 0; k < table->addresses.count; k++)
      if (ir_ref_kind(table->addresses.items[k].target) == IR_REF_FUNC)
        vec_push(scan->arena, &walk->functions, ir_ref_index(table->addresses.items[k].target));
    if (walk->functions.count == known) return false;
  }
  return true;
}

static bool collect_operands(Walk *walk, HostFrame *frame, const IrInst *inst) {
  for (uint32_t i = inst->op == IR_SELECT ? 1 : 0; i < inst->op_count; i++)
    if (!collect_functions(walk, frame, inst->ops[i])) return false;
  return true;
}

static bool collect_functions(Walk *walk, HostFrame *frame, IrRef ref) {
  const IrFunction *ir = frame->function->ir;
  HostKey key = {{frame->id, ref}};
  if (host_map_get(&walk->seen, key)) return true;
  host_map_put(&walk->seen, key, 1);
  switch (ir_ref_kind(ref)) {
  case IR_REF_FUNC: vec_push(walk->scan->arena, &walk->functions, ir_ref_index(ref)); return true;
  case IR_REF_CONST: return true; // null or undefined: nothing is launched through it
  case IR_REF_PARAM: {
    if (!frame->parent) return false;
    const IrInst *call = &frame->parent->function->ir->insts.items[frame->call];
    uint32_t index = ir_ref_index(ref);
    return index < host_argument_count(call) && collect_functions(walk, frame->parent, call->ops[index]);
  }
  case IR_REF_INST: {
    const IrInst *inst = ir_inst(ir, ref);
    if (inst->op == IR_LOAD) return collect_table(walk, frame, inst);
    bool is_passed_on = ir_inst_is(inst, IR_CHOOSES) || inst->op == IR_BITCAST;
    return is_passed_on && collect_operands(walk, frame, inst);
  }
  case IR_REF_NONE:
  case IR_REF_GLOBAL: break;
  }
  return false;
}

static bool add_possible_starts(HostScan *scan, HostFrame *frame, IrRef pointer, HostStarts *starts) {
  Walk walk = {.scan = scan, .seen = {.arena = scan->arena}};
  starts->count = 0;
  if (!collect_functions(&walk, frame, pointer)) return false;
  for (uint32_t i = 0; i < walk.functions.count; i++) {
    const char *name = scan->module->functions.items[walk.functions.items[i]]->name;
    const char *kernel = host_stub_kernel(name, scan->arena);
    if (!kernel) return false;
    bool is_known = false;
    for (uint32_t k = 0; k < starts->count; k++)
      is_known |= strcmp(starts->items[k].kernel, kernel) == 0;
    if (!is_known)
      vec_push(scan->arena, starts, (HostStart){.kernel = kernel, .condition = expr_bool(scan->pool, true)});
  }
  return starts->count > 0;
}

// Could a stub of this type be called with these operands?
static bool fits_call(const HostScan *scan, const HostFrame *frame, const IrInst *call,
                      const IrFunction *stub) {
  uint32_t count = host_argument_count(call);
  if (stub->params.count != count) return false;
  for (uint32_t i = 0; i < count; i++) {
    IrType type = ir_ref_type(scan->module, frame->function->ir, call->ops[i]);
    if (type.kind != stub->params.items[i].type.kind || type.bytes != stub->params.items[i].type.bytes)
      return false;
  }
  return true;
}

// It may name a kernel by its text.
static bool is_of_driver(HostCallKind kind) {
  return kind == CALL_LAUNCH_DRIVER || kind == CALL_LAUNCH_DRIVER_EX || kind == CALL_LAUNCH_BLIND;
}

static bool asks_for_kernels(const HostScan *scan) {
  for (uint32_t i = 0; i < scan->module->functions.count; i++)
    if (host_gives_kernel(scan->module->functions.items[i]->name)) return true;
  return false;
}

static void add_all_starts(HostScan *scan, const HostFrame *frame, const IrInst *call, HostCallKind kind,
                           HostStarts *starts) {
  SrcLoc loc = host_loc(scan, frame, call);
  // A node may be of a kernel whose launch was captured.
  bool is_stub_call = kind == CALL_STUB;
  bool is_by_name = is_of_driver(kind) || host_call_is_node(kind) || asks_for_kernels(scan);
  starts->count = 0;
  for (uint32_t i = 0; i < scan->module->functions.count; i++) {
    const IrFunction *stub = scan->functions[i].ir;
    bool has_address = is_by_name || scan->functions[i].is_address_taken || stub->is_in_data ||
                       !scan->options || !scan->options->has_main; // else another file may take it
    if (!scan->functions[i].is_stub || !has_address) continue;
    if (is_stub_call && !fits_call(scan, frame, call, stub)) continue;
    const char *kernel = host_stub_kernel(stub->name, scan->arena);
    if (!kernel) continue;
    vec_push(scan->arena, starts,
             (HostStart){kernel, expr_bool(scan->pool, true),
                         "the kernel of this launch is a pointer of unknown value"});
  }
  if (starts->count == 0)
    diag_report(scan->sink, DIAG_NOTE, &loc,
                "this launch starts a kernel through a pointer of unknown value");
}

static void add_started_by_node(HostScan *scan, HostFrame *frame, uint32_t inst, HostCallKind kind,
                                HostStarts *starts) {
  if (kind == CALL_LAUNCH_ANY_NODE && host_node_starts_nothing(scan, frame, inst)) return;
  ExprRef function = host_node_function(scan, frame, inst, kind);
  if (!function || !host_starts_add(scan, function, starts))
    add_all_starts(scan, frame, &frame->function->ir->insts.items[inst], kind, starts);
}

static void find_starts(HostScan *scan, HostFrame *frame, uint32_t inst, HostCallKind kind,
                        HostStarts *starts) {
  const IrInst *call = &frame->function->ir->insts.items[inst];
  const char *name = kind == CALL_STUB ? host_callee_name(scan, call) : NULL;
  if (name) {
    const char *kernel = host_stub_kernel(name, scan->arena);
    vec_push(scan->arena, starts,
             (HostStart){.kernel = kernel ? kernel : name, .condition = expr_bool(scan->pool, true)});
    return;
  }
  if (host_call_is_node(kind)) {
    add_started_by_node(scan, frame, inst, kind, starts);
    return;
  }
  int64_t foreign = 0;
  uint32_t operand = host_launch_operand(kind, call);
  bool is_there = operand < call->op_count && kind != CALL_LAUNCH_BLIND;
  if (is_there && kind != CALL_STUB &&
      expr_is_const(scan->pool, host_value(scan, frame, call->ops[operand]), &foreign) &&
      (is_of_driver(kind) || foreign == HOST_FOREIGN_KERNEL))
    return;
  if (!is_there || (!host_starts_add(scan, host_value(scan, frame, call->ops[operand]), starts) &&
                    !add_possible_starts(scan, frame, call->ops[operand], starts)))
    add_all_starts(scan, frame, call, kind, starts);
}

// ---- one context

static void add_start_fact(HostScan *scan, const HostStart *start, LaunchContext *launch) {
  ExprRef condition = host_settle(scan, start->condition);
  if (expr_is_true(scan->pool, condition)) return;
  Fact fact = {.condition = condition, .class = FACT_ASSERT, .loc = launch->loc};
  fact.text = host_text(scan->pool, scan->arena, condition);
  vec_push(scan->arena, &launch->facts, fact);
}

// What the dimensions say, in words; their expressions are used themselves.
static void describe_dimensions(HostScan *scan, LaunchContext *launch) {
  static const char *const names[] = {"gridDim", "blockDim"};
  for (int i = 0; i < 6; i++) {
    ExprRef dim = i < 3 ? launch->grid[i] : launch->block[i - 3];
    if (expr_is_const(scan->pool, dim, NULL)) continue;
    Fact *fact = &launch->dimensions[i];
    *fact = (Fact){.condition = expr_bool(scan->pool, true), .class = FACT_LAUNCH, .loc = launch->loc};
    fact->text = arena_printf(scan->arena, "%s.%c == %s", names[i / 3], 'x' + i % 3,
                              host_text(scan->pool, scan->arena, dim));
  }
}

void host_launch_finish(HostScan *scan, LaunchContext *launch, const IrFunction *kernel) {
  ASSERT(launch);
  describe_dimensions(scan, launch);
  host_facts_hardware(scan->pool, scan->arena, launch, kernel ? kernel->max_threads : 0);
  host_clusters_settle(scan, launch, kernel);
  const char *name = kernel ? host_display_name(kernel) : launch->kernel;
  launch->description = host_describe_launch(scan->pool, scan->arena, name, launch);
}

static void read_one(HostScan *scan, HostFrame *frame, uint32_t inst, HostCallKind kind,
                     const HostStart *start) {
  LaunchContext *launch = arena_new(scan->arena, LaunchContext);
  HostArguments arguments;
  const IrFunction *kernel = host_find_kernel(scan, start->kernel);
  launch->kernel = start->kernel;
  launch->loc = host_loc(scan, frame, &frame->function->ir->insts.items[inst]);
  launch->is_guess = start->undecided != NULL;
  if (start->undecided) vec_push(scan->arena, &launch->undecided, start->undecided);
  host_launch_shape(scan, frame, inst, kind, launch, &arguments);
  if (arguments.in_array && !arguments.array)
    vec_push(scan->arena, &launch->undecided, "the arguments of this launch were not found");
  else
    host_arguments_read(scan, &arguments, kernel, launch);
  bool is_deferred = host_is_deferred(scan, frame, inst, arguments.stream);
  if (launch->undecided.count == 0 && !is_deferred && !arguments.is_early)
    host_histograms_read(scan, frame, inst, kind, launch);
  add_start_fact(scan, start, launch);
  host_facts_collect(scan, frame, inst, launch);
  HostLaunch read = {.context = launch};
  for (uint32_t i = 0; i < scan->content_syms.count; i++)
    vec_push(scan->arena, &read.syms, scan->content_syms.items[i]);
  if (read.syms.count) vec_push(scan->arena, &scan->launches, read);
  host_tables_compare(scan, launch);
  host_related_doubt(scan, launch);
  host_launch_finish(scan, launch, kernel);
  vec_push(scan->arena, &scan->result->launches, launch);
  vec_push(scan->arena, &scan->all_launches,
           (HostLaunchRead){launch, frame, inst, kernel, is_deferred, arguments.is_early, arguments.stream,
                            arguments.behind, arguments.begins});
}

void host_launch_read(HostScan *scan, HostFrame *frame, uint32_t inst, HostCallKind kind) {
  ASSERT(frame->function);
  ASSERT(host_function_has_inst(frame->function, inst));
  ASSERT(kind <= CALL_COPY_PLAIN);
  HostStarts starts = {0};
  find_starts(scan, frame, inst, kind, &starts);
  for (uint32_t i = 0; i < starts.count; i++)
    read_one(scan, frame, inst, kind, &starts.items[i]);
}
