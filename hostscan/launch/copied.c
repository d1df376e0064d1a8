// Bytes were copied to where a pointer is read back: is it at two places when the kernel is launched? It is where its source stays. A variable of a
// function is made to be copied; so of a variable it is asked how often that is done, by itself or over other variables, and what was put into it:
// it holds one pointer twice if that came from memory where it stays, or if two copies, or the rounds of one, put the same there.
// Method: all that may write the variable, or copies out of it, in its function and in those whose text is gone into; of each copy, the range that it
// reads. Two copies count where control comes from one of them to the other.
// Soundness: in doubt (of an address, a length, of what is nested too deep, of ways that the search does not find, by which the copy in question is made) it is there twice. What functions without a text put into the variable is not
// known to be there, and so is no pointer that would be told apart; that they copy it on is not taken for possible.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/launch/launch.h"
#include "hostscan/names.h"
#include "hostscan/objects.h"
#include "hostscan/program.h"
#include "hostscan/series.h"
#include "hostscan/syntax.h"
#include "hostscan/terms.h"
#include "hostscan/value.h"

static bool leads_to(HostScan *scan, ExprRef address, ExprRef memory) {
  HostTargets targets = {0};
  bool leads = false;
  if (!host_targets(scan, address, &targets)) return false;
  for (uint32_t i = 0; i < targets.count; i++)
    leads |= targets.items[i].leaf == memory;
  return leads;
}

// When the launch is made whose arguments are read, control may have been there.
static bool is_before_launch(HostScan *scan, const HostFrame *frame, uint32_t inst) {
  const HostArguments *launch = scan->launch_read;
  if (!launch) return true;
  uint32_t at = launch->inst;
  for (HostFrame *around = launch->frame; around; at = around->call, around = around->parent)
    if (around == frame) return host_comes_behind(scan, around->function, &inst, 1, at);
  return true;
}

// Memory that is given back between the instruction and the launch, by the function or those that it was called from: what was copied from there has been moved.
static bool is_freed_behind(HostScan *scan, HostFrame *frame, uint32_t inst, ExprRef memory) {
  for (HostFrame *at = frame; at; inst = at->call, at = at->parent)
    for (uint32_t i = 0; i < at->function->ir->insts.count; i++) {
      const IrInst *call = &at->function->ir->insts.items[i];
      if (ir_is_heap_release(scan->module, call) && host_comes_behind(scan, at->function, &inst, 1, i) &&
          is_before_launch(scan, at, i) && leads_to(scan, host_value(scan, at, call->ops[0]), memory))
        return true;
    }
  return false;
}

// Where what the instruction puts into memory is copied from; 0: it is not. `by_any`: by a store of the program's own functions too (objects/stored_twice.c
// looks at those into memory).
static IrRef copied_from(HostScan *scan, const IrFunction *ir, const IrInst *copy, bool by_any) {
  if (copy->op == IR_MEMCPY) return copy->ops[1];
  if (copy->op == IR_CALL) return host_call(scan, copy, NULL)->kind == CALL_COPY_PLAIN ? copy->ops[1] : 0;
  bool is_store = copy->op == IR_STORE && (by_any || host_is_library(ir->display));
  const IrInst *value = is_store ? ir_inst(ir, copy->ops[1]) : NULL;
  return value && value->op == IR_LOAD && value->type.kind == IR_PTR ? value->ops[0] : 0;
}

// Memory that pointers were put into, and where they still are at the launch.
static bool keeps_pointers(HostScan *scan, HostFrame *frame, uint32_t inst, ExprRef memory) {
  return !is_freed_behind(scan, frame, inst, memory) && host_puts_pointers(scan, frame, inst, memory);
}

typedef struct Copy { // that reads a variable, or what it is filled from
  HostFrame *frame;
  uint32_t inst;
  ExprRef from, offset;
  int64_t length; // 0: not known
} Copy;

typedef struct Variable {
  HostScan *scan;
  HostFrame *home;
  HostCell cell;     // any of it
  VEC(Copy) in, out; // out: to memory that is none
  const Copy *
      known; // one of those out of it; where the search does not come by that, it misses others as well. NULL: none is
  bool has_known;
  uint32_t depth; // of variables that were copied into one another
  bool only_out;  // it is not asked what comes in
  bool is_twice;
} Variable;

enum { COPIED_DEPTH = 12, ENTERED_FRAMES = 8, ENTERED_SIZE = 3000 }; // instructions, with all that it calls

static void look_at_variable(HostScan *scan, ExprRef local, Variable *variable);

static int64_t length_of(HostScan *scan, HostFrame *frame, const IrInst *copy) {
  int64_t length = 0;
  if (copy->op == IR_STORE) return 8;
  return expr_is_const(scan->pool, host_settle(scan, host_value(scan, frame, copy->ops[2])), &length) ? length
                                                                                                      : 0;
}

static bool are_apart(HostScan *scan, const Copy *a, const Copy *b) {
  int64_t distance = 0;
  ExprRef offset = expr_binary(scan->pool, EXPR_SUB, 0, a->offset, b->offset);
  if (a->from != b->from) return true;
  if (!expr_is_const(scan->pool, host_settle(scan, offset), &distance)) return false;
  return distance >= 0 ? b->length && distance >= b->length : a->length && -distance >= a->length;
}

// Can control come from one of them to the other?
static bool are_both(HostScan *scan, const Copy *a, const Copy *b) {
  uint32_t first = a->inst;
  for (HostFrame *one = a->frame; one; first = one->call, one = one->parent) {
    uint32_t second = b->inst;
    for (HostFrame *two = b->frame; two; second = two->call, two = two->parent)
      if (one == two)
        return host_comes_behind(scan, one->function, &first, 1, second) ||
               host_comes_behind(scan, one->function, &second, 1, first);
  }
  return true;
}

static bool is_written_in_loop(HostScan *scan, HostFrame *frame, uint32_t loop, ExprRef memory) {
  const HostFunction *function = frame->function;
  HostCell cell = {memory, host_element(scan), 8, IR_PTR};
  for (uint32_t b = 0; b < function->ir->blocks.count; b++)
    for (uint32_t e = function->effect_first[b]; e < function->effect_first[b + 1]; e++)
      if (cfg_loop_contains(function->cfg, loop, b) && host_touches(scan, frame, function->effects[e], cell))
        return true;
  return false;
}

// Each round reads elsewhere.
static bool moves_on(HostScan *scan, HostFrame *frame, uint32_t loop, const Copy *copy) {
  ExprRef start = 0, count = host_loop_count(scan, frame, loop);
  int64_t stride = 0;
  return host_split_affine(scan, host_settle(scan, copy->offset), count, &start, &stride) && copy->length &&
         (stride >= copy->length || -stride >= copy->length);
}

// A loop around the copy finds there what it found a round before, unless it puts something else there, or each round has a variable of its own.
static bool is_repeated(const Variable *variable, const Copy *copy) {
  uint32_t inst = copy->inst;
  for (HostFrame *at = copy->frame; at; inst = at->call, at = at == variable->home ? NULL : at->parent) {
    const HostFunction *function = at->function;
    uint32_t loop = function->cfg->loop_of[function->ir->insts.items[inst].block];
    if (loop != CFG_NONE && !moves_on(variable->scan, at, loop, copy) &&
        !is_written_in_loop(variable->scan, at, loop, copy->from))
      return true;
  }
  return false;
}

static void add_in(Variable *variable, const Copy *copy) {
  HostScan *scan = variable->scan;
  Variable source = {.depth = variable->depth + 1, .known = copy};
  if (host_object_of(scan, copy->from)->kind == HOST_LOCAL) {
    look_at_variable(scan, copy->from, &source);
    variable->is_twice |= source.is_twice;
  } else {
    variable->is_twice |= keeps_pointers(scan, copy->frame, copy->inst, copy->from);
  }
  variable->is_twice |= is_repeated(variable, copy);
  for (uint32_t i = 0; i < variable->in.count; i++)
    variable->is_twice |= !are_apart(scan, &variable->in.items[i], copy);
  vec_push(scan->arena, &variable->in, *copy);
}

// To the memory, or over the variable that it is.
static void add_out(Variable *variable, const Copy *copy, ExprRef to) {
  HostScan *scan = variable->scan;
  Variable other = {.depth = variable->depth + 1, .only_out = true};
  if (to && host_object_of(scan, to)->kind == HOST_LOCAL) {
    look_at_variable(scan, to, &other);
    if (other.out.count == 0 && !other.is_twice) return;
    variable->is_twice |= other.is_twice;
  }
  variable->is_twice |= is_repeated(variable, copy);
  for (uint32_t i = 0; i < variable->out.count; i++)
    variable->is_twice |=
        !are_apart(scan, &variable->out.items[i], copy) && are_both(scan, &variable->out.items[i], copy);
  vec_push(scan->arena, &variable->out, *copy);
}

static void look_at_copy(Variable *variable, HostFrame *frame, uint32_t inst) {
  HostScan *scan = variable->scan;
  const IrInst *copy = &frame->function->ir->insts.items[inst];
  IrRef from = copied_from(scan, frame->function->ir, copy, true);
  HostTargets sources = {0}, targets = {0};
  if (!from) return;
  bool is_in = !variable->only_out && host_touches(scan, frame, inst, variable->cell);
  bool is_followed = host_targets(scan, host_value(scan, frame, from), &sources);
  bool has_target = host_targets(scan, host_value(scan, frame, copy->ops[0]), &targets);
  variable->is_twice |= is_in && !is_followed;
  for (uint32_t i = 0; i < sources.count && !variable->is_twice; i++) {
    Copy read = {frame, inst, sources.items[i].leaf, sources.items[i].offset, length_of(scan, frame, copy)};
    if (!read.from) continue;
    variable->has_known |=
        variable->known && variable->known->frame == frame && variable->known->inst == inst;
    if (is_in) add_in(variable, &read);
    if (read.from == variable->cell.base)
      add_out(variable, &read, has_target && targets.count == 1 ? targets.items[0].leaf : 0);
  }
}

// A function that may write or copy the variable.
static bool is_given(Variable *variable, HostFrame *frame, const IrInst *call) {
  HostScan *scan = variable->scan;
  for (uint32_t i = 0; i < host_argument_count(call); i++)
    if (ir_ref_type(scan->module, frame->function->ir, call->ops[i]).kind == IR_PTR &&
        leads_to(scan, host_value(scan, frame, call->ops[i]), variable->cell.base))
      return true;
  return false;
}

static void look_at_frame(Variable *variable, HostFrame *frame, uint32_t depth) {
  HostScan *scan = variable->scan;
  const HostFunction *function = frame->function;
  for (uint32_t b = 0; b < function->ir->blocks.count; b++)
    for (uint32_t e = function->effect_first[b]; e < function->effect_first[b + 1] && !variable->is_twice;
         e++) {
      uint32_t inst = function->effects[e];
      HostFunction *callee = NULL;
      const IrInst *writer = &function->ir->insts.items[inst];
      bool is_call = writer->op == IR_CALL && host_call(scan, writer, &callee)->kind == CALL_DEFINED;
      if (!is_call || !callee) {
        look_at_copy(variable, frame, inst);
      } else if (is_given(variable, frame, writer) || host_touches(scan, frame, inst, variable->cell)) {
        bool is_small = depth < ENTERED_FRAMES && host_function_size(scan, callee) <= ENTERED_SIZE;
        HostFrame *child = is_small ? host_frame_child(scan, frame, inst) : NULL;
        variable->is_twice |= !child;
        if (child) look_at_frame(variable, child, depth + 1);
      }
    }
}

static void look_at_variable(HostScan *scan, ExprRef local, Variable *variable) {
  variable->scan = scan;
  variable->home = host_object_of(scan, local)->frame;
  variable->cell = (HostCell){local, host_element(scan), 8, IR_PTR};
  variable->is_twice = variable->depth > COPIED_DEPTH || !variable->home;
  if (!variable->is_twice) look_at_frame(variable, variable->home, 0);
  variable->is_twice |= variable->known && !variable->has_known;
}

static bool stays(HostScan *scan, HostFrame *frame, uint32_t inst, ExprRef source) {
  Copy copy = {.frame = frame, .inst = inst};
  Variable variable = {.known = &copy};
  if (host_object_of(scan, source)->kind != HOST_LOCAL) return keeps_pointers(scan, frame, inst, source);
  look_at_variable(scan, source, &variable);
  return variable.is_twice;
}

bool host_copies_what_stays(HostScan *scan, HostFrame *frame, uint32_t inst) {
  const IrFunction *ir = frame->function->ir;
  IrRef from = copied_from(scan, ir, &ir->insts.items[inst], false);
  HostTargets sources = {0};
  if (!from) return false;
  if (!host_targets(scan, host_value(scan, frame, from), &sources)) return true;
  for (uint32_t i = 0; i < sources.count; i++)
    if (sources.items[i].leaf && stays(scan, frame, inst, sources.items[i].leaf)) return true;
  return false;
}
