// Which functions are there, who calls whom, and where in them is host memory written? Prepared once per
// module; the expensive parts (graph, uses) only for functions that a call chain enters.
// Method: one pass over all instructions; "reaches a launch" is a fixpoint over the callers.
// Soundness: over-approximates effects: a call counts unless calls.c or the callee's body shows that it
// writes nothing. Recursive functions count as writing.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/program/program.h"
#include "core/bug.h"
#include "hostscan/syntax.h"

#include <string.h>

static const HostCall indirect_call = {"", CALL_UNKNOWN, 0, 0, false};
static const HostCall opaque_call = {"", CALL_UNKNOWN, 0, 0, false};
static const HostCall defined_call = {"", CALL_DEFINED, 0, 0, false};

static HostKey name_key(const char *name) {
  uint64_t hash = str_hash(name, strlen(name), 1);
  return (HostKey){{(uint32_t)hash, (uint32_t)(hash >> 32)}};
}

static const IrModule *module_number(const HostScan *scan, uint32_t number) {
  return number ? scan->device[number - 1] : scan->module;
}

static HostKey function_key(uint32_t module, const char *name) {
  HostKey key = name_key(name);
  key.word[2] = module;
  return key;
}

static void note_names(HostScan *scan) {
  scan->names.arena = scan->arena;
  for (uint32_t m = 0; m <= scan->device_count; m++) {
    const IrModule *module = module_number(scan, m);
    for (uint32_t i = module ? module->functions.count : 0; i-- > 0;) // of equal names the first
      host_map_put(&scan->names, function_key(m, module->functions.items[i]->name), i + 1);
  }
}

const IrFunction *host_function_named(const HostScan *scan, uint32_t number, const char *name) {
  ASSERT(number <= scan->device_count);
  const IrModule *module = module_number(scan, number);
  uint32_t at = module && name ? host_map_get(&scan->names, function_key(number, name)) : 0;
  const IrFunction *function = at ? module->functions.items[at - 1] : NULL;
  return function && strcmp(function->name, name) == 0 ? function : NULL;
}

// Functions of the program run in it: operations of MPI that are its own, nodes of a graph.
static bool runs_program(HostScan *scan, const HostCall *call) {
  static const char *const graphs[] = {"cudaGraphAddHostNode", "cudaGraphHostNodeSetParams",
                                       "cudaGraphExecHostNodeSetParams", "cuGraphAddHostNode"};
  bool has_main = scan->options && scan->options->has_main;
  if (host_call_may_run_program(call)) return !has_main || ir_find_function(scan->module, "MPI_Op_create");
  if (!host_call_launches_graph(call)) return false;
  for (size_t i = 0; i < sizeof graphs / sizeof *graphs; i++)
    if (ir_find_function(scan->module, graphs[i])) return true;
  return false;
}

// A function that the program declares, and does not define here, is none of a library, whatever its name is.
static bool is_of_program(const HostScan *scan, const char *name) {
  const IrFunction *function = host_function_named(scan, 0, name);
  return function && function->is_of_program;
}

static const HostCallee *callee_of(HostScan *scan, const char *name) {
  HostKey key = name_key(name);
  uint32_t at = host_map_get(&scan->callees, key);
  if (at && strcmp(scan->called.items[at - 1].name, name) == 0) return &scan->called.items[at - 1];
  HostCallee callee = {.name = name, .call = host_call_by_name(name), .printer = host_printer(name)};
  if (runs_program(scan, callee.call) || is_of_program(scan, name)) callee.call = &opaque_call;
  vec_push(scan->arena, &scan->called, callee);
  host_map_put(&scan->callees, key, scan->called.count);
  return &vec_last(&scan->called);
}

HostFunction *host_find_function(HostScan *scan, const char *name) {
  ASSERT(name);
  return callee_of(scan, name)->function;
}

// A call of a function's address is a call by name.
const char *host_callee_name(const HostScan *scan, const IrInst *inst) {
  ASSERT(inst->op == IR_CALL);
  if (inst->name || inst->op_count == 0) return inst->name;
  IrRef last = inst->ops[inst->op_count - 1u];
  return ir_ref_kind(last) == IR_REF_FUNC ? scan->module->functions.items[ir_ref_index(last)]->name : NULL;
}

// A format that is a literal, and stores nothing.
static bool only_prints(const HostScan *scan, const IrInst *call, uint32_t format) {
  if (format >= call->op_count || ir_ref_kind(call->ops[format]) != IR_REF_GLOBAL) return false;
  const IrGlobal *text = &scan->module->globals.items[ir_ref_index(call->ops[format])];
  bool is_text = text->is_constant && text->data && memchr(text->data, '\0', text->bytes);
  return is_text && !host_format_stores((const char *)text->data);
}

const HostCall *host_call(HostScan *scan, const IrInst *inst, HostFunction **callee) {
  ASSERT(inst->op == IR_CALL);
  const char *name = host_callee_name(scan, inst);
  if (callee) *callee = NULL;
  if (!name) return &indirect_call;
  const HostCallee *known = callee_of(scan, name);
  if (callee) *callee = known->function;
  bool is_printer = known->printer && !known->function;
  return is_printer && !only_prints(scan, inst, known->printer->format) ? &known->printer->storing
                                                                        : known->call;
}

// ---- the whole module

// A body counts where the table only has a rule of thumb; CUDA's templates are known better by name.
static bool wants_body(const HostCallee *callee) {
  return callee->call->kind == CALL_UNKNOWN || callee->call->outputs == 0xffffffffu ||
         str_starts_with(callee->name, "_ZNKSt") || str_starts_with(callee->name, "MPI_");
}

static void add_bodies(HostScan *scan) {
  for (uint32_t i = 0; i < scan->module->functions.count; i++) {
    HostFunction *function = &scan->functions[i];
    function->ir = scan->module->functions.items[i];
    function->index = i;
    const char *name = function->ir->name;
    function->is_stub = strstr(name, "__device_stub__") != NULL;
    function->is_generated = function->is_stub || str_starts_with(name, "__cuda_");
    function->is_constructor =
        str_starts_with(name, "_GLOBAL__sub_I") || str_starts_with(name, "__cxx_global_var_init");
    if (function->ir->is_declaration || function->ir->blocks.count == 0 || function->is_stub) continue;
    (void)callee_of(scan, name);
    HostCallee *callee = &scan->called.items[host_map_get(&scan->callees, name_key(name)) - 1];
    if (!wants_body(callee)) continue;
    callee->call = &defined_call;
    callee->function = function;
  }
}

static bool is_launch_kind(HostCallKind kind) {
  return host_call_is_launch(kind);
}

// What is passed on to visible code is met again where that calls it; what lies in memory that others may
// read, or is given to a function without a body, may be called from there.
static bool is_passed_on(HostScan *scan, HostFunction *function, const IrInst *inst) {
  if (inst->op == IR_CALL) {
    HostFunction *callee = NULL;
    return host_call(scan, inst, &callee)->kind == CALL_DEFINED;
  }
  if (inst->op == IR_STORE) {
    IrRef to = inst->ops[0];
    while (ir_inst(function->ir, to) && ir_inst(function->ir, to)->op == IR_PTRADD)
      to = ir_inst(function->ir, to)->ops[0];
    const IrInst *place = ir_inst(function->ir, to);
    return place && place->op == IR_ALLOCA && !host_lets_out(scan, function, ir_ref_index(to));
  }
  return ir_inst_is(inst, IR_CHOOSES) || inst->op == IR_ICMP || inst->op == IR_RET || inst->op == IR_BITCAST;
}

static void note_operand(HostScan *scan, HostFunction *function, const IrInst *inst, IrRef ref) {
  if (ir_ref_kind(ref) != IR_REF_FUNC) return;
  HostFunction *taken = &scan->functions[ir_ref_index(ref)];
  taken->is_address_taken = true;
  if (!taken->is_stub && !taken->gets_out) taken->gets_out = !is_passed_on(scan, function, inst);
}

static void note_call(HostScan *scan, HostFunction *function, const IrInst *inst, bool *has_push) {
  HostFunction *callee = NULL;
  const HostCall *call = host_call(scan, inst, &callee);
  *has_push |= call->kind == CALL_PUSH;
  function->has_indirect |= host_callee_name(scan, inst) == NULL;
  function->has_launch |= is_launch_kind(call->kind);
  if (callee && (callee->callers.count == 0 || vec_last(&callee->callers) != function->index))
    vec_push(scan->arena, &callee->callers, function->index);
}

static void read_function(HostScan *scan, HostFunction *function) {
  bool has_push = false;
  for (uint32_t i = 0; i < function->ir->insts.count; i++) {
    const IrInst *inst = &function->ir->insts.items[i];
    uint32_t operands = inst->op == IR_CALL ? host_argument_count(inst) : inst->op_count;
    for (uint32_t k = 0; k < operands; k++)
      if (!function->is_generated) note_operand(scan, function, inst, inst->ops[k]);
    if (inst->op == IR_CALL && !function->is_generated) note_call(scan, function, inst, &has_push);
  }
  // An indirect call after a push may be a launch through a kernel pointer.
  function->has_launch |= has_push && function->has_indirect;
}

static void reach(HostScan *scan, HostFunction *function, IndexList *work) {
  if (function->reaches_launch) return;
  function->reaches_launch = true;
  vec_push(scan->arena, work, function->index);
}

bool host_may_call(const HostScan *scan, const IrFunction *caller, const IrInst *call,
                   const HostFunction *callee) {
  ASSERT(ir_has_inst(caller, call));
  uint32_t count = host_argument_count(call);
  bool is_known = callee->is_address_taken || callee->ir->is_in_data;
  if (!is_known || callee->is_generated || callee->ir->blocks.count == 0) return false;
  if (callee->ir->params.count != count) return false;
  for (uint32_t i = 0; i < count; i++) {
    IrType type = ir_ref_type(scan->module, caller, call->ops[i]), wanted = callee->ir->params.items[i].type;
    if (type.kind != wanted.kind || type.bytes != wanted.bytes) return false;
  }
  return true;
}

static bool calls_by_pointer(const HostScan *scan, const HostFunction *caller, const HostFunction *callee) {
  for (uint32_t i = 0; i < caller->ir->insts.count; i++) {
    const IrInst *inst = &caller->ir->insts.items[i];
    if (inst->op == IR_CALL && !host_callee_name(scan, inst) && host_may_call(scan, caller->ir, inst, callee))
      return true;
  }
  return false;
}

// Functions that may come to a launch through a pointer to `callee`.
static void reach_by_pointer(HostScan *scan, const HostFunction *callee, IndexList *work) {
  if (!callee->is_address_taken && !callee->ir->is_in_data) return;
  for (uint32_t i = 0; i < scan->module->functions.count; i++) {
    HostFunction *caller = &scan->functions[i];
    if (caller->has_indirect && !caller->reaches_launch && calls_by_pointer(scan, caller, callee))
      reach(scan, caller, work);
  }
}

static void spread_launches(HostScan *scan) {
  IndexList work = {0};
  for (uint32_t i = 0; i < scan->module->functions.count; i++)
    if (scan->functions[i].has_launch) reach(scan, &scan->functions[i], &work);
  while (work.count) {
    const HostFunction *function = &scan->functions[work.items[--work.count]];
    for (uint32_t i = 0; i < function->callers.count; i++)
      reach(scan, &scan->functions[function->callers.items[i]], &work);
    reach_by_pointer(scan, function, &work);
  }
}

// Functions whose text was inlined somewhere have a caller that is seen no more.
static void note_inlined(HostScan *scan) {
  HostMap names = {.arena = scan->arena};
  for (uint32_t i = 0; i < scan->module->locs.count; i++)
    for (const SrcLoc *loc = &scan->module->locs.items[i]; loc && loc->inlined_at; loc = loc->inlined_at)
      if (loc->function) host_map_put(&names, name_key(loc->function), 1);
  for (uint32_t i = 0; i < scan->module->functions.count; i++) {
    const char *display = scan->functions[i].ir->display;
    scan->functions[i].was_inlined = display && host_map_get(&names, name_key(display)) != 0;
  }
}

void host_model_build(HostScan *scan) {
  ASSERT(scan->module && !scan->functions); // once
  scan->callees.arena = scan->arena;
  scan->functions = arena_array(scan->arena, scan->module->functions.count + 1u, HostFunction);
  scan->global_written = arena_array(scan->arena, scan->module->globals.count + 1u, uint8_t);
  note_names(scan);
  add_bodies(scan);
  for (uint32_t i = 0; i < scan->module->functions.count; i++) {
    scan->instruction_count += scan->module->functions.items[i]->insts.count;
    read_function(scan, &scan->functions[i]);
  }
  spread_launches(scan);
  note_inlined(scan);
}

// ---- one function
static bool call_has_effects(HostScan *scan, const IrInst *inst) {
  if (inst->flags & IR_FLAG_READONLY) return false;
  HostFunction *callee = NULL;
  const HostCall *call = host_call(scan, inst, &callee);
  HostCallClass class = host_call_class(call->kind);
  if (class == CLASS_DEFINED) return host_function_has_effects(scan, callee);
  return class != CLASS_QUIET; // a launch may write what it is given
}

static bool has_effect(HostScan *scan, const IrInst *inst) {
  if (inst->op == IR_CALL) return call_has_effects(scan, inst);
  return (ir_op_flags((IrOp)inst->op) & IR_WRITES) != 0;
}

static bool says_something(HostScan *scan, const IrInst *inst) {
  HostCallKind kind = inst->op == IR_CALL ? host_call(scan, inst, NULL)->kind : CALL_QUIET;
  return kind == CALL_ASSUME || kind == CALL_DEFINED || host_uses_sizes(scan, inst);
}

typedef bool (*InstTest)(HostScan *scan, const IrInst *inst);

static void list_by_block(HostScan *scan, const IrFunction *ir, InstTest test, uint32_t **first,
                          uint32_t **items) {
  IndexList list = {0};
  *first = arena_array(scan->arena, ir->blocks.count + 1u, uint32_t);
  for (uint32_t b = 0; b < ir->blocks.count; b++) {
    const IrBlock *block = &ir->blocks.items[b];
    for (uint32_t i = block->first; i < block->first + block->count; i++)
      if (test(scan, &ir->insts.items[i])) vec_push(scan->arena, &list, i);
    (*first)[b + 1] = list.count;
  }
  *items = list.items;
}

static bool use_slot(const IrFunction *ir, IrRef ref, uint32_t *slot) {
  if (ir_ref_kind(ref) == IR_REF_INST)
    *slot = ir_ref_index(ref);
  else if (ir_ref_kind(ref) == IR_REF_PARAM)
    *slot = ir->insts.count + ir_ref_index(ref);
  else
    return false;
  return true;
}

static void list_uses(Arena *arena, HostFunction *function) {
  const IrFunction *ir = function->ir;
  uint32_t count = ir->insts.count + ir->params.count, slot = 0, total = 0;
  uint32_t *first = arena_array(arena, count + 2u, uint32_t);
  for (uint32_t i = 0; i < ir->insts.count; i++)
    for (uint32_t k = 0; k < ir->insts.items[i].op_count; k++)
      if (use_slot(ir, ir->insts.items[i].ops[k], &slot)) {
        first[slot + 2]++;
        total++;
      }
  for (uint32_t i = 2; i < count + 2; i++)
    first[i] += first[i - 1];
  function->uses = arena_array(arena, total + 1u, uint32_t);
  for (uint32_t i = 0; i < ir->insts.count; i++)
    for (uint32_t k = 0; k < ir->insts.items[i].op_count; k++)
      if (use_slot(ir, ir->insts.items[i].ops[k], &slot)) function->uses[first[slot + 1]++] = i;
  function->use_first = first;
}

HostFunction *host_function_open(HostScan *scan, HostFunction *function) {
  ASSERT(function->ir && !function->ir->is_declaration);
  if (function->cfg) return function;
  const IrFunction *ir = function->ir;
  function->cfg = cfg_make(ir, scan->arena);
  list_by_block(scan, ir, has_effect, &function->effect_first, &function->effects);
  list_by_block(scan, ir, says_something, &function->fact_first, &function->facts);
  list_uses(scan->arena, function);
  function->quiet_region = arena_array(scan->arena, ir->blocks.count + 1u, uint8_t);
  function->quiet_loop = arena_array(scan->arena, function->cfg->loops.count + 1u, uint8_t);
  function->stamp = arena_array(scan->arena, ir->blocks.count + 1u, uint32_t);
  function->param_captured = arena_array(scan->arena, ir->params.count + 1u, uint8_t);
  function->param_later = arena_array(scan->arena, ir->params.count + 1u, uint8_t);
  function->param_captures = arena_array(scan->arena, ir->params.count + 1u, IndexList *);
  for (uint32_t b = 0; b < ir->blocks.count; b++)
    if (function->cfg->rpo_number[b] != CFG_NONE && ir_terminator(ir, b)->op == IR_RET)
      vec_push(scan->arena, &function->returns, b);
  return function;
}

bool host_function_has_effects(HostScan *scan, HostFunction *function) {
  ASSERT(function->ir);
  if (function->has_effects == TRI_UNKNOWN) {
    function->has_effects = TRI_BUSY;
    bool found = false;
    for (uint32_t i = 0; i < function->ir->insts.count && !found; i++) {
      HostFunction *callee = NULL;
      const IrInst *inst = &function->ir->insts.items[i];
      if (inst->op == IR_CALL) (void)host_call(scan, inst, &callee);
      found = callee != function && has_effect(scan, inst); // a call of itself does what the rest of it does
    }
    function->has_effects = found ? TRI_YES : TRI_NO;
  }
  return function->has_effects != TRI_NO;
}

uint32_t host_function_size(HostScan *scan, HostFunction *function) {
  ASSERT(function->ir);
  if (function->size) return function->size;
  uint64_t size = function->size = function->ir->insts.count + 1u; // what recursion meets
  for (uint32_t i = 0; i < function->ir->insts.count; i++) {
    HostFunction *callee = NULL;
    if (function->ir->insts.items[i].op == IR_CALL)
      (void)host_call(scan, &function->ir->insts.items[i], &callee);
    if (callee) size += host_function_size(scan, callee);
  }
  return function->size = size > UINT32_MAX ? UINT32_MAX : (uint32_t)size;
}

static bool block_has_effects(const HostFunction *function, uint32_t block) {
  return function->effect_first[block] != function->effect_first[block + 1];
}

bool host_loop_is_quiet(HostFunction *function, uint32_t loop) {
  ASSERT(host_function_has_loop(function, loop));
  if (function->quiet_loop[loop] == TRI_UNKNOWN) {
    const CfgLoop *info = &function->cfg->loops.items[loop];
    bool found = false;
    for (uint32_t i = 0; i < info->blocks.count && !found; i++)
      found = block_has_effects(function, info->blocks.items[i]);
    function->quiet_loop[loop] = found ? TRI_NO : TRI_YES;
  }
  return function->quiet_loop[loop] == TRI_YES;
}

enum { REGION_LIMIT = 256 };

// Backwards from `block` to its dominator, which is not looked at, as `block` is not.
static bool region_is_quiet(HostScan *scan, HostFunction *function, uint32_t block) {
  const Cfg *cfg = function->cfg;
  uint32_t stop = cfg->idom[block], seen = 0, round = ++function->stamp_round;
  IndexList work = {0};
  vec_push(scan->arena, &work, block);
  while (work.count) {
    uint32_t at = work.items[--work.count];
    for (uint32_t e = cfg->pred_first[at]; e < cfg->pred_first[at + 1]; e++) {
      uint32_t pred = cfg->preds[e];
      if (pred == stop || pred == block || cfg->rpo_number[pred] == CFG_NONE) continue;
      if (function->stamp[pred] == round) continue;
      if (block_has_effects(function, pred) || ++seen > REGION_LIMIT) return false;
      function->stamp[pred] = round;
      vec_push(scan->arena, &work, pred);
    }
  }
  return true;
}

bool host_region_is_quiet(HostScan *scan, HostFunction *function, uint32_t block) {
  ASSERT(host_function_has_block(function, block));
  if (function->quiet_region[block] == TRI_UNKNOWN) {
    bool quiet = region_is_quiet(scan, function, block);
    function->quiet_region[block] = quiet ? TRI_YES : TRI_NO;
  }
  return function->quiet_region[block] == TRI_YES;
}
