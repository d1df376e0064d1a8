// Does an unknown number of the host come from outside of the program? What it reads (arguments, files, the clock, the machine), what code
// gives that is not seen: there is a run for each such number. What the program itself computes, if only in ways that are not followed, is the
// number that it is: what a kernel left and is copied back, what host threads and callbacks store, what a loop comes to, what a function of
// its own arguments makes of these.
// Method: by the instruction that the symbol stands for. What calls of libraries make of memory that they are given is given if that is.
// Soundness: decides only how sure a race is. Too little is given, but for what code gives that is not seen, and what that makes of the
// program's numbers.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/facts/facts.h"
#include "hostscan/kernels.h"
#include "hostscan/names.h"
#include "hostscan/objects.h"
#include "hostscan/program.h"
#include "hostscan/series.h"
#include "hostscan/syntax.h"
#include "hostscan/terms.h"
#include "hostscan/value.h"

#include <string.h>

enum { GIVEN_DEPTH = 6 };

typedef struct Search {
  HostScan *scan;
  uint32_t depth;
  bool found;
} Search;

static bool is_given(HostScan *scan, uint32_t sym, uint32_t depth);

static bool look_at_sym(void *context, uint32_t sym) {
  Search *search = context;
  search->found = is_given(search->scan, sym, search->depth);
  return !search->found;
}

// Is something in it given?
static bool has_given(HostScan *scan, ExprRef value, uint32_t depth) {
  Search search = {scan, depth, false};
  if (depth && value) host_each_sym(scan, host_settle(scan, value), look_at_sym, &search);
  return search.found;
}

// ---- memory

// What lies behind a pointer that the program was given itself, as `argv[1]` is.
static bool is_memory_from_outside(HostScan *scan, ExprRef leaf, uint32_t depth) {
  const HostObject *object = host_object_of(scan, leaf);
  if (object->kind != HOST_POINTER) return false;
  if (object->is_parameter) return strcmp(host_display_name(object->given_to->ir), "main") == 0;
  return has_given(scan, leaf, depth);
}

static bool is_constant_text(HostScan *scan, ExprRef leaf) {
  const HostObject *object = host_object_of(scan, leaf);
  return object->kind == HOST_GLOBAL && host_is_constant_global(scan, object->index);
}

// Does the first byte there come from outside?
static bool is_given_text(HostScan *scan, HostFrame *frame, uint32_t inst, ExprRef address, uint32_t depth) {
  HostTargets targets = {0};
  bool is_any = false, is_somewhere = true;
  if (!depth || !host_targets(scan, address, &targets)) return false;
  for (uint32_t i = 0; i < targets.count && !is_any; i++) {
    is_somewhere &= targets.items[i].leaf && !is_constant_text(scan, targets.items[i].leaf);
    is_any = targets.items[i].leaf && is_memory_from_outside(scan, targets.items[i].leaf, depth);
  }
  if (is_any || !is_somewhere) return is_any;
  HostAccess byte = {.frame = frame, .inst = inst, .address = address, .bytes = 1, .kind = IR_INT};
  return has_given(scan, host_load(scan, byte), depth);
}

static bool is_given_load(HostScan *scan, HostFrame *frame, const IrInst *load, uint32_t depth) {
  HostTargets targets = {0};
  if (!host_targets(scan, host_value(scan, frame, load->ops[0]), &targets) || !targets.count) return false;
  for (uint32_t i = 0; i < targets.count; i++)
    if (targets.items[i].leaf && !is_memory_from_outside(scan, targets.items[i].leaf, depth)) return false;
  return true;
}

// ---- calls

static bool starts_with_one(const char *name, const char *const *prefixes, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (str_starts_with(name, prefixes[i])) return true;
  return false;
}

// Functions that read a number from the text that they are given first.
static bool reads_number(const char *name) {
  static const char *const readers[] = {"ato", "strto", "sscanf", "__isoc99_sscanf", "__isoc23_"};
  return starts_with_one(name, readers, sizeof readers / sizeof *readers);
}

// Functions of what they are given: of text, of memory, of numbers; the members of the library's classes. They give what comes from outside
// where text or memory does; what they make of numbers is the number that it is.
static bool is_of_its_arguments(const char *name) {
  static const char *const prefixes[] = {
      "snprintf",     "sprintf",       "str",      "mem",        "llvm.",      "_ZNKSt",        "_ZNSt",
      "_ZSt",         "_ZNSs",         "_ZNKSs",   "_ZNSi",      "_ZNSo",      "_ZNKSo",        "MPI_Bcast",
      "MPI_Reduce",   "MPI_Allreduce", "MPI_Scan", "MPI_Exscan", "MPI_Gather", "MPI_Allgather", "MPI_Scatter",
      "MPI_Alltoall", "MPI_Sendrecv",  "cublas",   "cusparse",   "cufft",      "cusolver"};
  return reads_number(name) || starts_with_one(name, prefixes, sizeof prefixes / sizeof *prefixes);
}

static bool is_given_by_arguments(HostScan *scan, HostFrame *frame, uint32_t inst, uint32_t depth) {
  const IrInst *call = &frame->function->ir->insts.items[inst];
  for (uint32_t i = 0; i < host_argument_count(call); i++) {
    IrType type = ir_ref_type(scan->module, frame->function->ir, call->ops[i]);
    if (type.kind != IR_PTR) continue;
    if (is_given_text(scan, frame, inst, host_value(scan, frame, call->ops[i]), depth)) return true;
  }
  return false;
}

// One that is given a function of the program may run it, and so may one that starts threads.
static bool may_run_program(HostScan *scan, HostFrame *frame, const IrInst *call) {
  if (host_call(scan, call, NULL)->kind == CALL_UNKNOWN && *host_call(scan, call, NULL)->name) return true;
  for (uint32_t i = 0; i < host_argument_count(call); i++) {
    HostTarget target = {0};
    if (ir_ref_type(scan->module, frame->function->ir, call->ops[i]).kind == IR_PTR &&
        host_sole_target(scan, host_value(scan, frame, call->ops[i]), &target) &&
        host_object_of(scan, target.leaf)->kind == HOST_FUNCTION_ADDRESS)
      return true;
  }
  return false;
}

static bool is_given_by_call(HostScan *scan, HostFrame *frame, uint32_t inst, uint32_t depth) {
  const IrInst *call = &frame->function->ir->insts.items[inst];
  HostFunction *callee = NULL;
  HostCallKind kind = host_call(scan, call, &callee)->kind;
  const char *name = host_callee_name(scan, call);
  if (callee || !name || host_is_launch(scan, frame->function, inst, &kind)) return false;
  HostCallClass class = host_call_class(kind);
  if (class == CLASS_ALLOCATES) return true;
  if (kind != CALL_UNKNOWN && kind != CALL_QUIET && kind != CALL_WRITES) return false;
  if (may_run_program(scan, frame, call)) return false;
  return !is_of_its_arguments(name) || is_given_by_arguments(scan, frame, inst, depth);
}

// ---- symbols

// What lies in a cell on entry: of what runs before main and of what unseen code calls the program itself has put it there.
static bool is_given_on_entry(HostScan *scan, const HostSym *sym) {
  const HostObject *object = sym->holder ? &scan->objects.items[sym->holder] : NULL;
  if (!object || object->kind != HOST_GLOBAL) return sym->place_frame->is_entry;
  if (scan->module->globals.items[object->index].is_external) return true;
  return sym->place_frame->is_entry && !host_is_set_before_main(scan, object->index);
}

static bool is_given_content(HostScan *scan, const HostSym *sym, uint32_t depth) {
  if (sym->place == 1 + PLACE_ENTRY) return is_given_on_entry(scan, sym);
  if (sym->place != 1 + PLACE_AFTER) return false;
  const IrInst *inst = &sym->place_frame->function->ir->insts.items[sym->place_index];
  return inst->op == IR_CALL && is_given_by_call(scan, sym->place_frame, sym->place_index, depth);
}

static bool is_given_name(HostScan *scan, const HostSym *sym, uint32_t depth) {
  const IrInst *inst = &sym->frame->function->ir->insts.items[sym->read_by - 1];
  if (inst->op == IR_CALL) return is_given_by_call(scan, sym->frame, sym->read_by - 1, depth);
  return inst->op == IR_LOAD && is_given_load(scan, sym->frame, inst, depth);
}

// A variable that each round of its loop keeps or sets to what is given, as the loop over a program's arguments does.
static bool is_set_to_given(HostScan *scan, uint32_t sym, ExprRef next, uint32_t depth, bool *is_any) {
  ExprNode node = *expr_node(scan->pool, next);
  while (node.op == EXPR_TRUNC || node.op == EXPR_SEXT || node.op == EXPR_ZEXT) // strtol, which is atoi
    node = *expr_node(scan->pool, node.a);
  if (node.op == EXPR_ITE)
    return is_set_to_given(scan, sym, node.b, depth, is_any) &&
           is_set_to_given(scan, sym, node.c, depth, is_any);
  if (node.op == EXPR_CONST || (node.op == EXPR_SYM && node.value == sym)) return true;
  bool is_here = node.op == EXPR_SYM && depth && is_given(scan, (uint32_t)node.value, depth - 1);
  *is_any |= is_here;
  return is_here;
}

static bool is_given(HostScan *scan, uint32_t sym, uint32_t depth) {
  const HostSym info = *host_sym(scan, sym);
  bool is_any = false;
  bool is_made_here = info.object && scan->objects.items[info.object].kind != HOST_POINTER;
  if (depth == 0 || info.is_uninitialised || is_made_here) return false;
  if (info.is_of_device) return true;
  if (info.coming_round && is_set_to_given(scan, sym, host_settle(scan, info.coming_round), depth, &is_any) &&
      is_any)
    return true;
  if (info.hangs_on) return has_given(scan, info.hangs_on, depth - 1);
  if (info.place) return is_given_content(scan, &info, depth - 1);
  if (info.read_by && info.frame) return is_given_name(scan, &info, depth - 1);
  return !info.frame;
}

// The text that a number is read from, by a call of a library; 0: it is not. `call` tells the calls apart.
static ExprRef text_of(HostScan *scan, uint32_t sym, HostKey *call) {
  const HostSym *info = host_sym(scan, sym);
  bool is_stored = info->place == 1 + PLACE_AFTER && info->place_frame;
  if (!is_stored && (info->place || !info->read_by || !info->frame)) return 0;
  HostFrame *frame = is_stored ? info->place_frame : info->frame;
  uint32_t index = is_stored ? info->place_index : info->read_by - 1;
  const IrInst *inst = &frame->function->ir->insts.items[index];
  const char *name = inst->op == IR_CALL ? host_callee_name(scan, inst) : NULL;
  *call = (HostKey){{frame->id, index}};
  bool is_read = name && reads_number(name) && host_argument_count(inst) &&
                 ir_ref_type(scan->module, frame->function->ir, inst->ops[0]).kind == IR_PTR;
  return is_read ? host_value(scan, frame, inst->ops[0]) : 0;
}

bool host_is_read_again(HostScan *scan, uint32_t sym, uint32_t before) {
  ASSERT(sym < expr_sym_count(scan->pool));
  ASSERT(before < expr_sym_count(scan->pool));
  HostKey call = {{0}}, other = {{0}};
  ExprRef text = text_of(scan, sym, &call);
  return text && text == text_of(scan, before, &other) && memcmp(&call, &other, sizeof call) != 0;
}

bool host_is_given_number(HostScan *scan, uint32_t sym) {
  ASSERT(sym < expr_sym_count(scan->pool));
  return host_sym(scan, sym)->is_uninitialised || is_given(scan, sym, GIVEN_DEPTH);
}
