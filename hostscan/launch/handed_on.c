// May two unknown pointers of a launch be one, since code whose text is seen, but is not followed, hands them on: what a function that calls
// itself is given or returns, or what a loop with several entries changes? Or since code whose text is not seen is handed the one and gives the other?
// Method: of two parameters all calls of the function are looked at, in each activation of the callers; they are apart if what is passed is, at
// each call, or is two such parameters of the function itself that are (induction over the calls). Of a parameter and something else it is asked
// whether a call passes just that. A call into code that is not seen may give back, or leave in what it is to fill, any pointer that is among its
// arguments, and a const member function what it has given before, for one object and the same arguments. What a call of a function that is being executed returns, and what a cycle with several entries merges, may be
// anything.
// Soundness: over-approximates for two parameters. Pointers that unseen code has kept from an earlier call, or finds in memory that it is handed,
// stay with A2. For a parameter and a pointer that is found in another way it is A2 that speaks, and so it does
// where two pointers lie in one object without being one. Functions whose address is taken are not looked at.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/launch/launch.h"
#include "core/bug.h"
#include "hostscan/names.h"
#include "hostscan/objects.h"
#include "hostscan/program.h"
#include "hostscan/terms.h"
#include "hostscan/syntax.h"
#include "hostscan/value.h"

#include <string.h>

typedef struct Given { // parameter of the frame without a caller
  HostFrame *frame;
  uint32_t param;
} Given;

typedef struct Asked {
  HostScan *scan;
  VEC(uint64_t) known; // pairs of parameters, and parameters, that are being asked about
} Asked;

static bool find_given(HostScan *scan, ExprRef leaf, Given *given) {
  bool is_closed = scan->options && scan->options->has_main;
  for (uint32_t f = 0; f < scan->frames.count && is_closed; f++) {
    HostFrame *frame = scan->frames.items[f];
    const HostFunction *function = frame->function;
    if (frame->parent || frame->is_entry || function->callers.count == 0) continue;
    if (function->is_address_taken || function->ir->is_in_data) continue;
    for (uint32_t p = 0; p < function->ir->params.count; p++) {
      *given = (Given){frame, p};
      if (frame->params[p] == leaf) return true;
    }
  }
  return false;
}

static bool is_asked(Asked *asked, uint64_t question) {
  for (uint32_t i = 0; i < asked->known.count; i++)
    if (asked->known.items[i] == question) return true;
  vec_push(asked->scan->arena, &asked->known, question);
  return false;
}

// ---- what the calls pass
typedef struct Passed {
  HostTargets targets[2];
} Passed;

typedef bool (*LookAtCall)(Asked *asked, const Given *given, void *what, const Passed *passed);

static bool read_passed(HostScan *scan, HostFrame *caller, const IrInst *call, const uint32_t *params,
                        Passed *passed) {
  for (int i = 0; i < 2; i++) {
    if (params[i] >= host_argument_count(call)) return false;
    ExprRef value = host_with_origins(scan, host_value(scan, caller, call->ops[params[i]]));
    if (!host_targets(scan, value, &passed->targets[i])) return false;
  }
  return true;
}

static bool each_call_in(Asked *asked, const Given *given, HostFrame *caller, uint32_t other, LookAtCall look,
                         void *what) {
  HostScan *scan = asked->scan;
  const IrFunction *ir = caller->function->ir;
  const uint32_t params[2] = {given->param, other};
  for (uint32_t i = 0; i < ir->insts.count; i++) {
    const IrInst *call = &ir->insts.items[i];
    HostFunction *callee = NULL;
    Passed passed = {0};
    if (call->op != IR_CALL || caller->function->cfg->rpo_number[call->block] == CFG_NONE) continue;
    (void)host_call(scan, call, &callee);
    if (callee != given->frame->function) continue;
    if (!read_passed(scan, caller, call, params, &passed) || !look(asked, given, what, &passed)) return false;
  }
  return true;
}

// False: somewhere `look` said so, or not all calls are seen.
static bool each_call(Asked *asked, const Given *given, uint32_t other, LookAtCall look, void *what) {
  HostScan *scan = asked->scan;
  const HostFunction *function = given->frame->function;
  for (uint32_t c = 0; c < function->callers.count; c++) {
    const HostFunction *caller = &scan->functions[function->callers.items[c]];
    bool is_seen = false;
    if (caller->wants_root && !caller->is_root) return false;
    for (uint32_t f = 0; f < scan->frames.count; f++) {
      if (scan->frames.items[f]->function != caller) continue;
      is_seen = true;
      if (!each_call_in(asked, given, scan->frames.items[f], other, look, what)) return false;
    }
    if (!is_seen) return false;
  }
  return true;
}

// ---- two parameters
static bool are_apart(Asked *asked, HostFrame *frame, uint32_t one, uint32_t other);

static bool targets_apart(Asked *asked, const Given *given, ExprRef one, ExprRef other) {
  Given x = {0}, y = {0};
  if (one == other) return false;
  if (!one || !other) return true;
  bool is_x = find_given(asked->scan, one, &x), is_y = find_given(asked->scan, other, &y);
  if (!is_x && !is_y) return true; // different objects, or it is A2 that says so
  return is_x && is_y && x.frame == given->frame && y.frame == given->frame &&
         are_apart(asked, given->frame, x.param, y.param);
}

static bool passes_two(Asked *asked, const Given *given, void *what, const Passed *passed) {
  (void)what;
  for (uint32_t i = 0; i < passed->targets[0].count; i++)
    for (uint32_t k = 0; k < passed->targets[1].count; k++)
      if (!targets_apart(asked, given, passed->targets[0].items[i].leaf, passed->targets[1].items[k].leaf))
        return false;
  return true;
}

static bool are_apart(Asked *asked, HostFrame *frame, uint32_t one, uint32_t other) {
  uint32_t low = one < other ? one : other, high = one < other ? other : one;
  Given given = {frame, low};
  if (low == high) return false;
  if (is_asked(asked, (uint64_t)high << 32 | low)) return true;
  return each_call(asked, &given, high, passes_two, NULL);
}

// ---- a parameter and something else
static bool is_never(Asked *asked, HostFrame *frame, uint32_t param, ExprRef leaf);

static bool passes_another(Asked *asked, const Given *given, void *what, const Passed *passed) {
  const ExprRef *leaf = what;
  for (uint32_t i = 0; i < passed->targets[0].count; i++) {
    Given next = {0};
    if (passed->targets[0].items[i].leaf == *leaf) return false;
    if (find_given(asked->scan, passed->targets[0].items[i].leaf, &next) && next.frame == given->frame &&
        !is_never(asked, next.frame, next.param, *leaf))
      return false;
  }
  return true;
}

static bool is_never(Asked *asked, HostFrame *frame, uint32_t param, ExprRef leaf) {
  Given given = {frame, param};
  return is_asked(asked, param) || each_call(asked, &given, param, passes_another, &leaf);
}

static bool is_made_in(HostScan *scan, ExprRef leaf, const HostFrame *frame) {
  const HostObject *object = host_object_of(scan, leaf);
  return object->frame && host_frame_is_above(frame, object->frame);
}

// ---- what is not followed
static const char *lost_by(HostScan *scan, ExprRef leaf) {
  const ExprNode *node = expr_node(scan->pool, leaf);
  const HostSym *sym = node->op == EXPR_SYM ? host_sym(scan, (uint32_t)node->value) : NULL;
  HostFunction *callee = NULL;
  if (!sym || !sym->read_by || host_object_of(scan, leaf)->kind != HOST_POINTER) return NULL;
  const IrInst *inst = &sym->frame->function->ir->insts.items[sym->read_by - 1];
  unsigned line = host_loc(scan, sym->frame, inst).line;
  if (inst->op == IR_PHI && !sym->frame->function->cfg->is_reducible)
    return arena_printf(scan->arena, "what a loop with several entries in '%s' changes",
                        host_display_name(sym->frame->function->ir));
  if (inst->op != IR_CALL || host_call(scan, inst, &callee)->kind != CALL_DEFINED) return NULL;
  for (const HostFrame *at = sym->frame; at; at = at->parent)
    if (at->function == callee)
      return arena_printf(scan->arena, "what '%s', which calls itself, returns at line %u",
                          host_display_name(callee->ir), line);
  return NULL;
}

// ---- what calls into code that is not seen give back
static bool hands_in(HostScan *scan, HostFrame *frame, const IrInst *call, ExprRef leaf) {
  for (uint32_t i = 0; i < host_argument_count(call); i++) {
    HostTargets targets = {0};
    IrType type = ir_ref_type(scan->module, frame->function->ir, call->ops[i]);
    bool is_address = type.kind == IR_PTR || (type.kind == IR_INT && type.bits == 64);
    if (!is_address ||
        !host_targets(scan, host_with_origins(scan, host_value(scan, frame, call->ops[i])), &targets))
      continue;
    for (uint32_t t = 0; t < targets.count; t++)
      if (targets.items[t].leaf == leaf) return true;
  }
  return false;
}

static bool is_unseen(HostScan *scan, const IrInst *call) {
  if (call->op != IR_CALL) return false;
  HostCallKind kind = host_call(scan, call, NULL)->kind;
  return kind == CALL_UNKNOWN || kind == CALL_QUIET || kind == CALL_WRITES;
}

// Where a pointer comes from: the instruction that gives it, or behind which it was found in `memory` (0: not known whose).
typedef struct Origin {
  HostFrame *frame;
  uint32_t inst;
  ExprRef memory, offset; // in the memory
  uint32_t piece;         // of what the instruction gives
} Origin;

static Origin origin_of(HostScan *scan, const HostSym *sym) {
  Origin origin = {.inst = CFG_NONE};
  if (sym->read_by) origin = (Origin){.frame = sym->frame, .inst = sym->read_by - 1, .piece = sym->piece};
  if (sym->place == 1 + PLACE_AFTER) origin = (Origin){.frame = sym->place_frame, .inst = sym->place_index};
  if (sym->doubt)
    origin =
        (Origin){.frame = scan->doubts.items[sym->doubt].frame, .inst = scan->doubts.items[sym->doubt].inst};
  if (sym->holder) origin.memory = host_leaf(scan, sym->holder);
  if (sym->holder) origin.offset = sym->cell_offset;
  return origin;
}

// What one call has left there stays there behind the next one, which may have written it, too.
static const IrInst *handed_to(HostScan *scan, const Origin *origin, ExprRef pointer) {
  const IrFunction *ir = origin->frame->function->ir;
  for (uint32_t i = 0; i < ir->insts.count; i++) {
    const IrInst *call = &ir->insts.items[i];
    bool gives = i == origin->inst || origin->memory;
    if (!gives || !is_unseen(scan, call) || !hands_in(scan, origin->frame, call, pointer)) continue;
    if (i == origin->inst || hands_in(scan, origin->frame, call, origin->memory)) return call;
  }
  return NULL;
}

// The call that gives the pointer, or is given its memory, and not one that may only remember that.
static const IrInst *handed_with_memory(HostScan *scan, const Origin *origin, ExprRef pointer) {
  Origin giving = *origin;
  if (giving.memory) giving.inst = CFG_NONE;
  return handed_to(scan, &giving, pointer);
}

static bool is_given_unseen(HostScan *scan, ExprRef leaf, Origin *origin) {
  const ExprNode *node = expr_node(scan->pool, leaf);
  const HostSym *sym = node->op == EXPR_SYM ? host_sym(scan, (uint32_t)node->value) : NULL;
  if (!sym || host_object_of(scan, leaf)->kind != HOST_POINTER) return false;
  *origin = origin_of(scan, sym);
  return origin->inst != CFG_NONE && is_unseen(scan, &origin->frame->function->ir->insts.items[origin->inst]);
}

static const char *handed_text(HostScan *scan, const Origin *origin, const IrInst *call, ExprRef pointer) {
  return arena_printf(scan->arena, "'%s', which is handed to code that is not seen at line %u",
                      host_object_of(scan, pointer)->name, host_loc(scan, origin->frame, call).line);
}

static const char *given_back(HostScan *scan, ExprRef leaf, ExprRef other) {
  Origin origin;
  if (!other || !is_given_unseen(scan, leaf, &origin)) return NULL;
  const IrInst *call = handed_to(scan, &origin, other);
  return call ? handed_text(scan, &origin, call, other) : NULL;
}

// Two pointers of such code, which was handed one allocation for either: both may be that.
static const char *given_back_twice(HostScan *scan, ExprRef leaf, ExprRef other) {
  Origin one, two;
  if (!other || !is_given_unseen(scan, leaf, &one) || !is_given_unseen(scan, other, &two)) return NULL;
  for (uint32_t i = 1; i < scan->objects.count; i++) {
    if (scan->objects.items[i].kind != HOST_DEVICE) continue;
    ExprRef allocation = scan->objects.items[i].leaf;
    const IrInst *call = handed_with_memory(scan, &one, allocation);
    if (call && handed_with_memory(scan, &two, allocation)) return handed_text(scan, &one, call, allocation);
  }
  return NULL;
}

// ---- what one object gives twice
// A member function that is const reads its object, and says the same of it each time.
static bool is_reading(HostScan *scan, const IrInst *call) {
  const char *name = is_unseen(scan, call) ? host_callee_name(scan, call) : NULL;
  return name && str_starts_with(name, "_ZNK");
}

static ExprRef argument_of(HostScan *scan, const Origin *origin, uint32_t inst, uint32_t argument) {
  const IrInst *call = &origin->frame->function->ir->insts.items[inst];
  return host_settle(scan, host_value(scan, origin->frame, call->ops[argument]));
}

static bool is_where_it_is_left(HostScan *scan, const Origin *origin, ExprRef argument) {
  HostTarget target;
  return origin->memory && host_sole_target(scan, argument, &target) && target.leaf == origin->memory;
}

// The call that leaves the pointer: of several that may have written its memory the one that is given that as its result; CFG_NONE: none.
static uint32_t reading_call(HostScan *scan, const Origin *origin) {
  const IrFunction *ir = origin->frame->function->ir;
  if (!origin->memory) return is_reading(scan, &ir->insts.items[origin->inst]) ? origin->inst : CFG_NONE;
  for (uint32_t i = 0; i < ir->insts.count; i++) {
    const IrInst *call = &ir->insts.items[i];
    if (call->op == IR_CALL && host_argument_count(call) && is_reading(scan, call) &&
        is_where_it_is_left(scan, origin, argument_of(scan, origin, i, 0)))
      return i;
  }
  return CFG_NONE;
}

// Such a function, called twice for one object with the same arguments.
static const char *given_twice(HostScan *scan, ExprRef leaf, ExprRef other) {
  Origin one, two;
  if (!other || !is_given_unseen(scan, leaf, &one) || !is_given_unseen(scan, other, &two)) return NULL;
  uint32_t first = reading_call(scan, &one), second = reading_call(scan, &two);
  if (first == CFG_NONE || second == CFG_NONE || one.piece != two.piece || one.offset != two.offset)
    return NULL;
  const IrInst *a = &one.frame->function->ir->insts.items[first],
               *b = &two.frame->function->ir->insts.items[second];
  bool is_other = strcmp(host_callee_name(scan, a), host_callee_name(scan, b)) != 0;
  if ((a == b && one.frame == two.frame) || is_other || host_argument_count(a) != host_argument_count(b))
    return NULL;
  for (uint32_t i = 0; i < host_argument_count(a); i++) {
    ExprRef x = argument_of(scan, &one, first, i), y = argument_of(scan, &two, second, i);
    if (x != y && !(is_where_it_is_left(scan, &one, x) && is_where_it_is_left(scan, &two, y))) return NULL;
  }
  return arena_printf(scan->arena, "what '%s' gives for one object at line %u", host_name_of_callee(scan, a),
                      host_loc(scan, one.frame, a).line);
}

static const char *given_text(HostScan *scan, const Given *given) {
  return arena_printf(scan->arena, "what the calls of '%s' pass",
                      host_display_name(given->frame->function->ir));
}

const char *host_handed_on(HostScan *scan, ExprRef leaf, ExprRef other) {
  ASSERT(host_has_word(scan, leaf, 64));
  ASSERT(expr_is_of(scan->pool, other));
  Given one = {0}, two = {0};
  Asked asked = {.scan = scan};
  const char *who = lost_by(scan, leaf);
  if (!who) who = lost_by(scan, other);
  if (!who) who = given_back(scan, leaf, other);
  if (!who) who = given_back(scan, other, leaf);
  if (!who) who = given_back_twice(scan, leaf, other);
  if (!who) who = given_twice(scan, leaf, other);
  if (who) return who;
  bool is_one = find_given(scan, leaf, &one), is_two = find_given(scan, other, &two);
  if (is_one && is_two && one.frame == two.frame)
    return are_apart(&asked, one.frame, one.param, two.param) ? NULL : given_text(scan, &one);
  if (is_one == is_two) return NULL;
  const Given *given = is_one ? &one : &two;
  ExprRef else_leaf = is_one ? other : leaf;
  if (is_made_in(scan, else_leaf, given->frame)) return NULL; // anew in each activation
  return is_never(&asked, given->frame, given->param, else_leaf) ? NULL : given_text(scan, given);
}
