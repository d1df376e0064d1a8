// What does a kernel do to the memory behind its parameters: may it write there, and which numbers does it
// read? Method: from each access up to the roots of its address, through offsets, casts, merges and choices.
// Roots are parameters (also pointers that lie in a parameter passed by value), variables, and private
// memory. Soundness: "may write" over-approximates: a root of any other kind, such as a pointer read from
// memory, and a call without a body may write everything. Which numbers are read only says where it is worth
// looking.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/kernels.h"
#include "hostscan/program.h"
#include "hostscan/syntax.h"

#include <string.h>

typedef struct Roots {
  HostScan *scan;
  const IrModule *module;
  const IrFunction *kernel;
  HostKernelUse *use;
  HostMap seen;        // references, in this walk
  uint8_t widths;      // of the read that is followed; 0: it is a write
  bool is_strong;      // the access is to a flag or counter, as it may be
  bool makes_integers; // the kernel does, from floating-point numbers
} Roots;

// By a pointer of which nothing is known.
static void note_anywhere(Roots *roots) {
  roots->use->writes_anything |= roots->widths == 0;
  roots->use->own.writes_anything |= roots->widths == 0;
}

static void note_global(Roots *roots, uint32_t index) {
  const char *name = roots->module->globals.items[index].name;
  HostKernelGlobal *known = NULL;
  for (uint32_t i = 0; i < roots->use->globals.count; i++)
    if (strcmp(roots->use->globals.items[i].name, name) == 0) known = &roots->use->globals.items[i];
  if (!known) {
    vec_push(roots->scan->arena, &roots->use->globals, (HostKernelGlobal){.name = name});
    known = &vec_last(&roots->use->globals);
  }
  known->reads |= roots->widths;
  known->has_strong_reads |= roots->is_strong && roots->widths;
  known->is_written |= roots->widths == 0;
}

static void note_param(Roots *roots, uint32_t param) {
  roots->use->reads[param] |= roots->widths;
  if (roots->widths) return;
  roots->use->writes[param] = 1;
  roots->use->stores[param] |= !roots->is_strong;
}

static void note_memory(Roots *roots) {
  roots->use->reads_pointers |= roots->widths == HOST_READS_POINTERS;
}

static void walk_root(Roots *roots, IrRef ref);

static void walk_inst(Roots *roots, const IrInst *inst) {
  if (ir_inst_is(inst, IR_SAME_OBJECT)) {
    walk_root(roots, inst->ops[0]);
    return;
  }
  if (ir_inst_is(inst, IR_CHOOSES)) {
    for (uint32_t i = inst->op == IR_SELECT ? 1 : 0; i < inst->op_count; i++)
      walk_root(roots, inst->ops[i]);
    return;
  }
  if (inst->op == IR_ALLOCA) return;
  if (inst->op == IR_LOAD) {
    note_memory(roots); // a pointer in a parameter passed by value
    IrRef slot = inst->ops[0];
    while (ir_inst(roots->kernel, slot) && ir_inst(roots->kernel, slot)->op == IR_PTRADD)
      slot = ir_inst(roots->kernel, slot)->ops[0];
    bool is_param = ir_ref_kind(slot) == IR_REF_PARAM;
    if (is_param && roots->kernel->params.items[ir_ref_index(slot)].byval_bytes) {
      note_param(roots, ir_ref_index(slot));
      return;
    }
  }
  note_memory(roots);
  note_anywhere(roots);
}

static void walk_root(Roots *roots, IrRef ref) {
  HostKey key = {{ref}};
  if (host_map_get(&roots->seen, key)) return;
  host_map_put(&roots->seen, key, 1);
  switch (ir_ref_kind(ref)) {
  case IR_REF_PARAM:
    if (!roots->kernel->params.items[ir_ref_index(ref)].byval_bytes) note_memory(roots);
    note_param(roots, ir_ref_index(ref));
    return;
  case IR_REF_GLOBAL:
    note_memory(roots);
    note_global(roots, ir_ref_index(ref));
    return;
  case IR_REF_INST: walk_inst(roots, ir_inst(roots->kernel, ref)); return;
  case IR_REF_CONST: return; // null or undefined: nothing lies there
  case IR_REF_FUNC:
  case IR_REF_NONE: break;
  }
  note_memory(roots);
  note_anywhere(roots);
}

static void follow(Roots *roots, IrRef address, uint8_t widths, bool is_strong) {
  roots->widths = widths;
  roots->is_strong = is_strong;
  roots->seen = (HostMap){.arena = roots->scan->arena};
  walk_root(roots, address);
}

static bool is_used(const IrFunction *fn, uint32_t index) {
  for (uint32_t i = 0; i < fn->insts.count; i++)
    for (uint32_t o = 0; o < fn->insts.items[i].op_count; o++)
      if (fn->insts.items[i].ops[o] == IR_REF(IR_REF_INST, index)) return true;
  return false;
}

// Floating-point numbers are bits like others; they matter only where integers are made from them.
static bool is_number(const Roots *roots, IrType type) {
  return type.kind == IR_INT || (type.kind == IR_FLOAT && roots->makes_integers);
}

static bool makes_integers(const IrFunction *fn) {
  for (uint32_t i = 0; i < fn->insts.count; i++) {
    const IrInst *inst = &fn->insts.items[i];
    bool is_call = inst->op == IR_PURE && inst->type.kind == IR_INT && inst->op_count > 0;
    if (ir_inst_is(inst, IR_TO_INTEGER) || is_call) return true;
  }
  return false;
}

// A read through a texture: of which parameter is the handle?
static void read_texture(Roots *roots, const IrInst *inst) {
  if (inst->op != IR_PURE || !inst->name || strcmp(inst->name, "__hgrd_pure_texture") != 0) return;
  IrRef handle = inst->ops[0];
  const IrInst *load = ir_inst(roots->kernel, handle);
  if (load && load->op == IR_LOAD) handle = load->ops[0];
  for (const IrInst *at = load ? ir_inst(roots->kernel, handle) : NULL; at && at->op == IR_PTRADD;
       at = ir_inst(roots->kernel, handle))
    handle = at->ops[0];
  bool is_param = ir_ref_kind(handle) == IR_REF_PARAM;
  is_param &= !load || roots->kernel->params.items[ir_ref_index(handle)].byval_bytes > 0;
  roots->use->reads_textures = true;
  if (is_param)
    roots->use->textures[ir_ref_index(handle)] = 1;
  else
    roots->use->reads_hidden_textures = true;
}

bool host_is_child_launch(const IrInst *inst) {
  ASSERT(inst->op < IR_OP_COUNT);
  return inst->op == IR_CALL && inst->name &&
         strstr(inst->name, "__hgrd_child"); // frontend/cuda/hgrd_launch.h
}

static void read_inst(Roots *roots, uint32_t index) {
  const IrInst *inst = &roots->kernel->insts.items[index];
  read_texture(roots, inst);
  bool is_word = is_number(roots, inst->type) && (inst->type.bytes == 1 || inst->type.bytes == 2 ||
                                                  inst->type.bytes == 4 || inst->type.bytes == 8);
  bool is_update = ir_inst_is(inst, IR_ATOMIC);
  if (inst->op == IR_LOAD && inst->type.kind == IR_PTR)
    follow(roots, inst->ops[0], HOST_READS_POINTERS, false);
  if (is_word && (inst->op == IR_LOAD || (is_update && is_used(roots->kernel, index))))
    follow(roots, inst->ops[0], (uint8_t)inst->type.bytes, is_update || inst->order != IR_ORDER_PLAIN);
  if (!ir_inst_writes(inst)) return;
  bool is_access = ir_inst_writes_there(inst);
  bool may_be_pointer = !is_access || ir_may_write_address(roots->module, roots->kernel, inst);
  if (is_access)
    follow(roots, inst->ops[0], 0, is_update);
  else
    roots->use->writes_anything = true;
  roots->use->writes_pointers |= may_be_pointer;
  if (host_is_child_launch(inst)) return;
  roots->use->own.writes_anything |= !is_access;
  roots->use->own.writes_pointers |= may_be_pointer;
}

static const IrModule *module_of(const HostScan *scan, const IrFunction *kernel) {
  for (uint32_t i = 0; i < scan->device_count; i++)
    if (host_function_named(scan, i + 1, kernel->name) == kernel) return scan->device[i];
  return NULL;
}

const HostKernelUse *host_kernel_use(HostScan *scan, const IrFunction *kernel) {
  ASSERT(kernel);
  for (uint32_t i = 0; i < scan->kernel_uses.count; i++)
    if (scan->kernel_uses.items[i]->kernel == kernel) return scan->kernel_uses.items[i];
  HostKernelUse *use = arena_new(scan->arena, HostKernelUse);
  *use = (HostKernelUse){.kernel = kernel, .module = module_of(scan, kernel)};
  use->writes = arena_array(scan->arena, kernel->params.count + 1u, uint8_t);
  use->stores = arena_array(scan->arena, kernel->params.count + 1u, uint8_t);
  use->textures = arena_array(scan->arena, kernel->params.count + 1u, uint8_t);
  use->reads = arena_array(scan->arena, kernel->params.count + 1u, uint8_t);
  Roots roots = {.scan = scan, .module = use->module, .kernel = kernel, .use = use};
  use->writes_anything = use->own.writes_anything = !use->module;
  roots.makes_integers = makes_integers(kernel);
  for (uint32_t i = 0; use->module && i < kernel->insts.count; i++)
    read_inst(&roots, i);
  if (use->module) use->cfg = cfg_make(kernel, scan->arena);
  vec_push(scan->arena, &scan->kernel_uses, use);
  return use;
}

bool host_kernel_writes_variable(const HostKernelUse *use, const char *name) {
  ASSERT(name);
  for (uint32_t i = 0; i < use->globals.count; i++)
    if (use->globals.items[i].is_written && strcmp(use->globals.items[i].name, name) == 0) return true;
  return false;
}
