// Does the program hand one pointer, or two into one allocation, on to two places that are not followed, so that what comes back from there may
// be one allocation? The question is that of objects/stored_twice.c, asked of pointers that a function is given or has read. That pointers from such places point to memory of their own is an assumption (A2), against which the text speaks then.
// Method: where a pointer comes from is followed in its own function: through copies, sums, variables and members of local objects that are
// filled once, to an instruction, a parameter, what lies behind a parameter, or a variable. Of each function it is found out at which members of
// classes it stores what it is given (ways), also by what it calls. Two arguments of a call, or two stores of a function, with one origin are a fork: to two
// members, to code of a library that keeps them somewhere (a thread of the host, a closure), or, of a call through a pointer, to two parameters of
// the functions that it may come to. The distance between the two is kept where it is a constant.
// Soundness: over-approximates for what it follows; a fork of two calls, or of stores to two objects, counts for pointers that are read from two objects. What a
// function stores at more members than are looked at may be at any; where there are more forks, stores or arguments than are looked at, any two pointers from such
// places may be in one allocation. Left to A2: one pointer that goes to two members by variables that are filled more than once, over members of objects that
// are not local, or by two calls.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/launch/launch.h"
#include "core/bug.h"
#include "hostscan/names.h"
#include "hostscan/objects.h"
#include "hostscan/program.h"
#include "hostscan/syntax.h"
#include "hostscan/terms.h"
#include "hostscan/value.h"

#include <string.h>

// Where a pointer of a function comes from.
typedef struct Origin {
  enum { FROM_NOWHERE, FROM_INST, FROM_PARAM, FROM_BEHIND, FROM_VARIABLE, FROM_GLOBAL } kind;
  uint32_t index; // BEHIND: of the parameter; VARIABLE: its ALLOCA
  int64_t at;     // BEHIND, VARIABLE, GLOBAL: so many bytes in it
  int64_t offset; // from there
  bool is_far;    // by a number that is not known
} Origin;

typedef struct Fill { // what writes a pointer into a local object, at a place that is known
  uint32_t slot, inst;
  int64_t at;
} Fill;

typedef struct Way { // of what a function is given, to where it is stored
  HostSpot to;
  int64_t offset;
  bool is_far;
} Way;

typedef VEC(Way) Ways;

typedef struct Text { // of a function
  HostFunction *function;
  VEC(Fill) fills;
  Ways *ways[2]; // by parameter: of itself, of what lies behind it
  bool is_read, has_ways;
} Text;

typedef enum ForkKind { FORK_MEMBERS, FORK_KEPT, FORK_CALL } ForkKind;

typedef struct Fork {
  ForkKind kind;
  HostSpot to[2];         // MEMBERS
  int64_t distance;       // from the first to the second
  bool is_far, is_in_one; // of MEMBERS: in one object
  const IrFunction *by;
  const IrInst *inst;       // the call, or the second store
  const HostFunction *runs; // KEPT: that is called with them; NULL: none is known
  uint32_t argument[2];     // which of the call
} Fork;

struct HostForks {
  Text *texts; // by function
  VEC(Fork) all;
  const IrInst *cut; // the first at which there was more than is looked at; NULL: none
};

enum {
  ORIGIN_DEPTH = 12,
  WAYS_DEPTH = 16,
  WAYS_LIMIT = 32,
  ARGUMENTS = 64,
  FORK_LIMIT = 4000,
  HOLDER_DEPTH = 4
};

static void note_cut(HostScan *scan, const IrInst *at) {
  if (!scan->forks->cut) scan->forks->cut = at;
}

static int64_t sum(int64_t a, int64_t b) {
  return (int64_t)((uint64_t)a + (uint64_t)b);
}

static int64_t difference(int64_t a, int64_t b) {
  return (int64_t)((uint64_t)a - (uint64_t)b);
}

// ---- where a pointer comes from
// A place in a local object.
static bool place_of(const IrFunction *ir, IrRef address, uint32_t *slot, int64_t *at) {
  const IrInst *inst = ir_inst(ir, ir_fixed_base(ir, address, at));
  if (!inst || inst->op != IR_ALLOCA) return false;
  *slot = (uint32_t)(inst - ir->insts.items);
  return true;
}

static Text *text_of(HostScan *scan, HostFunction *function) {
  Text *text = &scan->forks->texts[function->index];
  const IrFunction *ir = function->ir;
  if (text->is_read) return text;
  text->is_read = true;
  text->function = function;
  for (uint32_t i = 0; i < ir->insts.count; i++) {
    const IrInst *inst = &ir->insts.items[i];
    Fill fill = {.inst = i};
    if ((inst->op == IR_STORE || host_allocates(scan, inst)) && inst->op_count &&
        place_of(ir, inst->ops[0], &fill.slot, &fill.at))
      vec_push(scan->arena, &text->fills, fill);
  }
  return text;
}

static Origin origin_of(HostScan *scan, Text *text, IrRef ref, uint32_t depth);

// What lies in a place of a local object.
static Origin origin_in(HostScan *scan, Text *text, uint32_t slot, int64_t at, uint32_t depth) {
  const IrFunction *ir = text->function->ir;
  Origin variable = {.kind = FROM_VARIABLE, .index = slot, .at = at};
  const Fill *only = NULL;
  for (uint32_t i = 0; i < text->fills.count; i++) {
    const Fill *fill = &text->fills.items[i];
    if (fill->slot != slot || fill->at != at) continue;
    if (only) return variable;
    only = fill;
  }
  if (!only || depth == 0) return variable;
  const IrInst *inst = &ir->insts.items[only->inst];
  if (inst->op == IR_CALL) return (Origin){.kind = FROM_INST, .index = only->inst};
  return origin_of(scan, text, inst->ops[1], depth - 1);
}

// What lies behind an address.
static Origin origin_behind(HostScan *scan, Text *text, IrRef address, uint32_t depth) {
  uint32_t slot = 0;
  int64_t at = 0;
  if (place_of(text->function->ir, address, &slot, &at)) return origin_in(scan, text, slot, at, depth);
  Origin base = depth ? origin_of(scan, text, address, depth - 1) : (Origin){.kind = FROM_NOWHERE};
  if (base.kind == FROM_PARAM && !base.is_far)
    return (Origin){.kind = FROM_BEHIND, .index = base.index, .at = base.offset};
  return (Origin){.kind = FROM_NOWHERE};
}

static Origin origin_of_global(IrRef ref, int64_t at) {
  return (Origin){.kind = FROM_GLOBAL, .index = ir_ref_index(ref), .at = at};
}

static Origin origin_of_load(HostScan *scan, Text *text, const IrInst *load, uint32_t depth) {
  const IrFunction *ir = text->function->ir;
  if (ir_ref_kind(load->ops[0]) == IR_REF_GLOBAL) return origin_of_global(load->ops[0], 0);
  Origin found = origin_behind(scan, text, load->ops[0], depth);
  if (found.kind) return found;
  return (Origin){.kind = FROM_INST, .index = (uint32_t)(load - ir->insts.items)};
}

static Origin origin_of(HostScan *scan, Text *text, IrRef ref, uint32_t depth) {
  const IrFunction *ir = text->function->ir;
  Origin origin = {.kind = FROM_NOWHERE};
  int64_t offset = 0, step = 0;
  bool is_far = false;
  const IrInst *inst = ir_inst(ir, ref);
  for (; inst && (inst->op == IR_BITCAST || inst->op == IR_PTRADD); inst = ir_inst(ir, ref)) {
    bool is_known = inst->op != IR_PTRADD || ir_const_value(ir, inst->ops[1], &step);
    if (inst->op == IR_PTRADD && is_known) offset = sum(offset, step);
    is_far |= !is_known;
    ref = inst->ops[0];
  }
  if (ir_ref_kind(ref) == IR_REF_PARAM) origin = (Origin){.kind = FROM_PARAM, .index = ir_ref_index(ref)};
  if (inst && inst->op == IR_LOAD) origin = origin_of_load(scan, text, inst, depth);
  if (inst && inst->op != IR_LOAD)
    origin = (Origin){.kind = FROM_INST, .index = (uint32_t)(inst - ir->insts.items)};
  origin.offset = sum(origin.offset, offset);
  origin.is_far |= is_far;
  return origin;
}

static bool is_one(const Origin *a, const Origin *b) {
  return a->kind && a->kind == b->kind && a->index == b->index && a->at == b->at;
}

// ---- where what a function is given is stored
static bool is_named(const HostSpot *spot) {
  bool is_class = spot->owner && !host_is_library(spot->owner) && strcmp(spot->owner, "anon") != 0;
  return is_class || (!spot->owner && spot->global);
}

static HostSpot spot_at(const IrFunction *ir, const IrInst *access, IrRef address) {
  HostSpot spot = host_spot_of(ir, access, address);
  const IrInst *object = ir_inst(ir, address);
  if (spot.owner || !object || object->op != IR_ALLOCA || !object->owner) return spot;
  spot.owner = object->owner;
  spot.offset = 0;
  return spot;
}

static void add_way(HostScan *scan, Text *text, const Origin *origin, Way way) {
  bool is_given = origin->kind == FROM_PARAM || (origin->kind == FROM_BEHIND && origin->at == 0);
  if (!is_given) return;
  Ways *ways = &text->ways[origin->kind == FROM_BEHIND][origin->index];
  way.offset = sum(way.offset, origin->offset);
  way.is_far |= origin->is_far;
  for (uint32_t i = 0; i < ways->count; i++)
    if (host_same_spot(&ways->items[i].to, &way.to) && ways->items[i].offset == way.offset) return;
  bool is_full = ways->count + 1 >= WAYS_LIMIT;
  if (is_full) way = (Way){.to = {.is_any = true}, .is_far = true};
  if (ways->count < WAYS_LIMIT) vec_push(scan->arena, ways, way);
}

static bool is_pointer(HostScan *scan, const IrFunction *ir, IrRef ref) {
  return ir_ref_type(scan->module, ir, ref).kind == IR_PTR;
}

static uint32_t pointers_among(HostScan *scan, const IrFunction *ir, const IrInst *call, uint32_t *which) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < host_argument_count(call); i++) {
    if (!is_pointer(scan, ir, call->ops[i])) continue;
    if (count == ARGUMENTS) note_cut(scan, call);
    if (count < ARGUMENTS) which[count++] = i;
  }
  return count;
}

static const Ways *ways_of(HostScan *scan, HostFunction *function, uint32_t param, bool is_behind,
                           uint32_t depth);

static void add_ways_of_call(HostScan *scan, Text *text, const IrInst *call, uint32_t depth) {
  HostFunction *callee = NULL;
  uint32_t which[ARGUMENTS];
  if (host_call(scan, call, &callee)->kind != CALL_DEFINED || !callee) return;
  uint32_t count = pointers_among(scan, text->function->ir, call, which);
  for (uint32_t i = 0; i < count; i++)
    for (int behind = 0; behind < 2; behind++) {
      Origin origin = behind ? origin_behind(scan, text, call->ops[which[i]], ORIGIN_DEPTH)
                             : origin_of(scan, text, call->ops[which[i]], ORIGIN_DEPTH);
      if (origin.kind != FROM_PARAM && origin.kind != FROM_BEHIND) continue;
      const Ways *ways = ways_of(scan, callee, which[i], behind, depth - 1);
      for (uint32_t w = 0; ways && w < ways->count; w++)
        add_way(scan, text, &origin, ways->items[w]);
    }
}

static void find_ways(HostScan *scan, Text *text, uint32_t depth) {
  const IrFunction *ir = text->function->ir;
  for (uint32_t i = 0; i < ir->insts.count; i++) {
    const IrInst *inst = &ir->insts.items[i];
    if (inst->op == IR_CALL) add_ways_of_call(scan, text, inst, depth);
    if (inst->op != IR_STORE || !is_pointer(scan, ir, inst->ops[1])) continue;
    Way way = {.to = spot_at(ir, inst, inst->ops[0])};
    Origin origin = origin_of(scan, text, inst->ops[1], ORIGIN_DEPTH);
    if (is_named(&way.to)) add_way(scan, text, &origin, way);
  }
}

// Of a function that calls itself those that are found by then.
static const Ways *ways_of(HostScan *scan, HostFunction *function, uint32_t param, bool is_behind,
                           uint32_t depth) {
  if (depth == 0 && function->ir->insts.count) note_cut(scan, &function->ir->insts.items[0]);
  if (depth == 0 || param >= function->ir->params.count) return NULL;
  Text *text = text_of(scan, function);
  if (!text->has_ways) {
    text->has_ways = true;
    text->ways[0] = arena_array(scan->arena, function->ir->params.count + 1u, Ways);
    text->ways[1] = arena_array(scan->arena, function->ir->params.count + 1u, Ways);
    find_ways(scan, text, depth);
  }
  return &text->ways[is_behind][param];
}

// ---- forks
static void add_fork(HostScan *scan, Fork fork, const Origin *one, const Origin *other) {
  fork.distance = sum(fork.distance, difference(other->offset, one->offset));
  fork.is_far |= one->is_far || other->is_far;
  if (scan->forks->all.count == FORK_LIMIT)
    note_cut(scan, fork.inst);
  else
    vec_push(scan->arena, &scan->forks->all, fork);
}

static bool is_variable(const IrInst *inst) {
  return inst->op == IR_ALLOCA && inst->imm <= 8;
}

// The host's own memory, but for variables that hold a pointer: what is handed on in two pieces of it are a beginning and an end, as a rule. So
// are what is one of several pointers, and two different pointers into what is read from memory, or given by a library.
static bool is_of_host(HostScan *scan, const IrFunction *ir, const Origin *one, const Origin *other) {
  if (one->kind != FROM_INST) return false;
  const IrInst *inst = &ir->insts.items[one->index];
  if (inst->op == IR_ALLOCA) return !is_variable(inst);
  bool are_equal = one->offset == other->offset && !one->is_far && !other->is_far;
  if (inst->op != IR_CALL) return inst->op != IR_LOAD || !are_equal;
  HostFunction *callee = NULL;
  HostCallKind kind = host_call(scan, inst, &callee)->kind;
  if (kind == CALL_NEW || kind == CALL_NEW_ZEROED) return true;
  return callee && host_is_library(callee->ir->display) && !are_equal;
}

// Is it seen of both where they go?
static bool add_forks_to_members(HostScan *scan, HostFunction *callee, Fork fork, const Origin *one,
                                 const Origin *other, bool is_behind) {
  const Ways *first = ways_of(scan, callee, fork.argument[0], is_behind, WAYS_DEPTH),
             *second = ways_of(scan, callee, fork.argument[1], is_behind, WAYS_DEPTH);
  for (uint32_t a = 0; first && second && a < first->count; a++)
    for (uint32_t b = 0; b < second->count; b++) {
      const Way *x = &first->items[a], *y = &second->items[b];
      if (!x->to.is_any && !y->to.is_any && host_same_spot(&x->to, &y->to)) continue;
      fork.kind = FORK_MEMBERS;
      fork.to[0] = x->to, fork.to[1] = y->to;
      fork.distance = difference(y->offset, x->offset);
      fork.is_far = x->is_far || y->is_far;
      fork.is_in_one = true;
      add_fork(scan, fork, one, other);
    }
  return first && second && first->count && second->count;
}

static bool find_origins(HostScan *scan, Text *text, const Fork *fork, bool is_behind, Origin *origin) {
  for (int i = 0; i < 2; i++)
    origin[i] = is_behind ? origin_behind(scan, text, fork->inst->ops[fork->argument[i]], ORIGIN_DEPTH)
                          : origin_of(scan, text, fork->inst->ops[fork->argument[i]], ORIGIN_DEPTH);
  return is_one(&origin[0], &origin[1]);
}

// Two arguments of a call: what they are, and what lies behind them.
static void look_at_two(HostScan *scan, Text *text, Fork fork) {
  const IrFunction *ir = text->function->ir;
  HostFunction *callee = NULL;
  const HostCall *known = host_call(scan, fork.inst, &callee);
  const char *name = callee ? callee->ir->display : host_callee_name(scan, fork.inst);
  bool is_seen = false, is_kept = host_is_library(name) && !host_is_library(ir->display);
  Origin origin[2][2];
  bool are_one[2];
  for (int behind = 0; behind < 2; behind++) {
    Origin *pair = origin[behind];
    are_one[behind] = find_origins(scan, text, &fork, behind, pair);
    if (are_one[behind] && known->kind == CALL_DEFINED && callee)
      is_seen |= add_forks_to_members(scan, callee, fork, &pair[0], &pair[1], behind);
  }
  fork.kind = name ? FORK_KEPT : FORK_CALL;
  fork.runs = host_function_among(scan, fork.inst);
  for (int behind = 0; behind < 2 && !is_seen; behind++)
    if (are_one[behind] &&
        (name ? is_kept && !is_of_host(scan, ir, &origin[behind][0], &origin[behind][1]) : !behind))
      add_fork(scan, fork, &origin[behind][0], &origin[behind][1]);
}

static void look_at_call(HostScan *scan, Text *text, const IrInst *call) {
  uint32_t which[ARGUMENTS];
  HostCallKind kind = host_call(scan, call, NULL)->kind;
  if (kind != CALL_DEFINED && kind != CALL_UNKNOWN) return;
  uint32_t count = pointers_among(scan, text->function->ir, call, which);
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < i; k++)
      look_at_two(scan, text,
                  (Fork){.by = text->function->ir, .inst = call, .argument = {which[k], which[i]}});
}

typedef struct Put { // a store of a pointer, or an allocation of which the address is stored
  const IrInst *inst;
  HostSpot to;
  IrRef base; // of the object
  Origin origin;
  uint32_t slot; // a local object that is no member of anything named
  bool is_named, is_local;
} Put;

typedef VEC(Put) Puts;

static void note_put(HostScan *scan, Text *text, uint32_t index, Puts *puts) {
  const IrFunction *ir = text->function->ir;
  const IrInst *inst = &ir->insts.items[index];
  bool is_allocation = host_allocates(scan, inst) && inst->op_count;
  if (!is_allocation && (inst->op != IR_STORE || !is_pointer(scan, ir, inst->ops[1]))) return;
  int64_t at = 0;
  Put put = {.inst = inst, .to = spot_at(ir, is_allocation ? NULL : inst, inst->ops[0])};
  put.is_named = is_named(&put.to);
  put.is_local = !put.is_named && place_of(ir, inst->ops[0], &put.slot, &at);
  if (put.is_local && is_variable(&ir->insts.items[put.slot])) return;
  if (!put.is_named && !put.is_local) return;
  put.base = ir_address_base(ir, inst->ops[0]);
  put.origin = is_allocation ? (Origin){.kind = FROM_INST, .index = index}
                             : origin_of(scan, text, inst->ops[1], ORIGIN_DEPTH);
  if (put.origin.kind) vec_push(scan->arena, puts, put);
  bool is_reference = put.origin.kind == FROM_INST && is_variable(&ir->insts.items[put.origin.index]);
  if (!put.is_local || !is_reference) return; // else a closure that has a variable by reference
  put.origin = origin_in(scan, text, put.origin.index, 0, ORIGIN_DEPTH);
  vec_push(scan->arena, puts, put);
}

// It holds one pointer as long as the function goes on, so far as that is seen.
static bool is_lasting(const HostScan *scan, const Text *text, const Origin *origin) {
  const IrFunction *ir = text->function->ir;
  bool is_read = origin->kind == FROM_BEHIND ||
                 (origin->kind == FROM_INST && ir->insts.items[origin->index].op == IR_LOAD);
  if (is_read) return scan->options && scan->options->has_main; // else it is from outside (A2)
  for (uint32_t i = 0; origin->kind == FROM_VARIABLE && i < text->fills.count; i++)
    if (text->fills.items[i].slot == origin->index && text->fills.items[i].at == origin->at) return false;
  return true;
}

// Both are executed, as far as the ways of the function tell.
static bool are_both_made(HostScan *scan, Text *text, const Put *a, const Put *b) {
  const IrInst *insts = text->function->ir->insts.items;
  uint32_t first = (uint32_t)(a->inst - insts), second = (uint32_t)(b->inst - insts);
  HostFunction *function = host_function_open(scan, text->function);
  return host_comes_behind(scan, function, &first, 1, second) ||
         host_comes_behind(scan, function, &second, 1, first);
}

enum { PUT_LIMIT = 400 };

static void look_at_puts(HostScan *scan, Text *text, const Puts *puts) {
  const IrFunction *ir = text->function->ir;
  if (puts->count > PUT_LIMIT) note_cut(scan, puts->items[PUT_LIMIT].inst);
  for (uint32_t i = 0; i < puts->count && i < PUT_LIMIT; i++)
    for (uint32_t k = 0; k < i; k++) {
      const Put *a = &puts->items[k], *b = &puts->items[i];
      if (a->is_named != b->is_named || !is_one(&a->origin, &b->origin)) continue;
      Fork fork = {.by = ir, .inst = b->inst, .is_in_one = a->base == b->base};
      fork.kind = a->is_named ? FORK_MEMBERS : FORK_KEPT;
      fork.to[0] = a->to, fork.to[1] = b->to;
      bool is_fork = a->is_named ? !host_same_spot(&a->to, &b->to)
                                 : a->slot == b->slot && !is_of_host(scan, ir, &a->origin, &b->origin);
      if (is_fork && is_lasting(scan, text, &a->origin) && are_both_made(scan, text, a, b))
        add_fork(scan, fork, &a->origin, &b->origin);
    }
}

static void look_at_function(HostScan *scan, HostFunction *function) {
  Text *text = text_of(scan, function);
  Puts puts = {.count = 0};
  for (uint32_t i = 0; i < function->ir->insts.count; i++) {
    if (function->ir->insts.items[i].op == IR_CALL) look_at_call(scan, text, &function->ir->insts.items[i]);
    note_put(scan, text, i, &puts);
  }
  look_at_puts(scan, text, &puts);
}

static const HostForks *forks_of(HostScan *scan) {
  if (scan->forks) return scan->forks;
  scan->forks = arena_new(scan->arena, HostForks);
  scan->forks->texts = arena_array(scan->arena, scan->module->functions.count + 1u, Text);
  for (uint32_t f = 0; f < scan->module->functions.count; f++)
    if (scan->module->functions.items[f]->blocks.count && !scan->functions[f].is_generated)
      look_at_function(scan, &scan->functions[f]);
  return scan->forks;
}

// ---- two pointers
typedef struct Asked { // a pointer
  bool is_read, is_named;
  HostSpot spot; // is_read
  const HostFunction
      *within;    // the function without a caller in which it is read, or of which it is a parameter
  uint32_t param; // of that; CFG_NONE: it is none
  ExprRef holder; // of what is read; 0: not known
} Asked;

static uint32_t param_of(const HostScan *scan, const HostFunction *function, ExprRef leaf) {
  for (uint32_t f = 0; function && f < scan->frames.count; f++) {
    const HostFrame *frame = scan->frames.items[f];
    if (frame->parent || frame->function != function) continue;
    for (uint32_t p = 0; p < function->ir->params.count; p++)
      if (frame->params[p] == leaf) return p;
  }
  return CFG_NONE;
}

static bool ask(HostScan *scan, ExprRef leaf, Asked *asked) {
  const ExprNode *node = expr_node(scan->pool, leaf);
  const HostObject *object = host_object_of(scan, leaf);
  *asked = (Asked){.param = CFG_NONE};
  if (node->op != EXPR_SYM || object->kind != HOST_POINTER) return false;
  if (object->is_parameter) {
    asked->within = object->given_to;
    asked->param = param_of(scan, object->given_to, leaf);
    return asked->param != CFG_NONE;
  }
  const HostSym sym = *host_sym(scan, (uint32_t)node->value);
  asked->is_read = host_read_back_at(scan, leaf, &asked->spot);
  asked->is_named = asked->is_read && is_named(&asked->spot);
  const HostFrame *frame = host_found_in(scan, &sym);
  for (; frame && frame->parent; frame = frame->parent)
    continue;
  asked->within = frame ? frame->function : NULL;
  asked->holder = host_holder_of(scan, &sym);
  return asked->is_read;
}

static uint32_t function_at(const IrInst *call) {
  for (uint32_t i = 0; i < host_argument_count(call); i++)
    if (ir_ref_kind(call->ops[i]) == IR_REF_FUNC) return i;
  return CFG_NONE;
}

typedef enum Match { MATCH_NONE, MATCH_FORTH, MATCH_BACK, MATCH_SOMEHOW } Match;

static Match match_arguments(const Fork *fork, uint32_t first, const Asked *one, const Asked *other) {
  if (fork->argument[0] == first + one->param && fork->argument[1] == first + other->param)
    return MATCH_FORTH;
  bool is_back = fork->argument[1] == first + one->param && fork->argument[0] == first + other->param;
  return is_back ? MATCH_BACK : MATCH_NONE;
}

static Match match_members(const Fork *fork, const Asked *one, const Asked *other) {
  if (!one->is_named || !other->is_named) return MATCH_NONE;
  if (!fork->is_in_one && one->holder && one->holder == other->holder) return MATCH_NONE;
  if (host_same_spot(&fork->to[0], &one->spot) && host_same_spot(&fork->to[1], &other->spot))
    return MATCH_FORTH;
  bool is_back = host_same_spot(&fork->to[1], &one->spot) && host_same_spot(&fork->to[0], &other->spot);
  return is_back ? MATCH_BACK : MATCH_NONE;
}

// Where the function is known that is called with what is handed on, what it is given, and what code of a library reads, which calls it.
static bool may_be_handed_to(const Fork *fork, const Asked *asked) {
  return !fork->runs || asked->within == fork->runs || host_is_library(asked->within->ir->display);
}

static Match match_kept(const Fork *fork, const Asked *one, const Asked *other) {
  if (one->is_named || other->is_named || !host_is_run_unseen(one->within) ||
      !host_is_run_unseen(other->within))
    return MATCH_NONE;
  if (!may_be_handed_to(fork, one) || !may_be_handed_to(fork, other)) return MATCH_NONE;
  bool are_params = one->param != CFG_NONE && other->param != CFG_NONE && one->within == fork->runs;
  return are_params ? match_arguments(fork, function_at(fork->inst) + 1, one, other) : MATCH_SOMEHOW;
}

static Match match_call(const HostScan *scan, const Fork *fork, const Asked *one, const Asked *other) {
  bool are_params = one->param != CFG_NONE && other->param != CFG_NONE && one->within == other->within;
  if (!are_params || !host_may_call(scan, fork->by, fork->inst, one->within)) return MATCH_NONE;
  return match_arguments(fork, 0, one, other);
}

static Match match_of(const HostScan *scan, const Fork *fork, const Asked *one, const Asked *other) {
  switch (fork->kind) {
  case FORK_MEMBERS: return match_members(fork, one, other);
  case FORK_KEPT: return match_kept(fork, one, other);
  case FORK_CALL: break;
  }
  return match_call(scan, fork, one, other);
}

// One more way in which the two may be in one allocation.
static void add_match(HostScan *scan, const Fork *fork, Match match, HostFork *found) {
  int64_t distance = match == MATCH_BACK ? fork->distance : difference(0, fork->distance);
  bool is_far = fork->is_far || (match == MATCH_SOMEHOW && distance != 0);
  const SrcLoc *loc = ir_loc(scan->module, fork->inst->loc);
  found->is_far |= is_far || (found->what && found->distance != distance);
  found->distance = distance;
  if (!found->what)
    found->what = arena_printf(scan->arena, "a pointer that is handed on twice (%s:%u)",
                               loc->file ? loc->file : "?", loc->line);
}

// Some forks were not looked at.
static HostFork forked_unseen(HostScan *scan, const IrInst *cut) {
  const SrcLoc *loc = ir_loc(scan->module, cut->loc);
  const char *what =
      arena_printf(scan->arena, "one of more pointers that are handed on than are looked at (%s:%u)",
                   loc->file ? loc->file : "?", loc->line);
  return (HostFork){.what = what, .is_far = true};
}

static HostFork forked(HostScan *scan, ExprRef one, ExprRef other, uint32_t depth) {
  HostFork found = {.what = NULL};
  Asked x, y;
  if (one == other || !ask(scan, one, &x) || !ask(scan, other, &y)) return found;
  const HostForks *forks = forks_of(scan);
  for (uint32_t i = 0; i < forks->all.count; i++) {
    Match match = match_of(scan, &forks->all.items[i], &x, &y);
    if (match != MATCH_NONE) add_match(scan, &forks->all.items[i], match, &found);
  }
  if (forks->cut && !found.what) return forked_unseen(scan, forks->cut);
  bool is_one_member = x.is_named && y.is_named && host_same_spot(&x.spot, &y.spot);
  if (found.what || !depth || !is_one_member || !x.holder || !y.holder) return found;
  return forked(scan, x.holder, y.holder, depth - 1); // of two objects, which may be one
}

HostFork host_forked(HostScan *scan, ExprRef one, ExprRef other) {
  ASSERT(expr_is_of(scan->pool, one));
  ASSERT(expr_is_of(scan->pool, other));
  return forked(scan, one, other, HOLDER_DEPTH);
}
