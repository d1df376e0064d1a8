// What must a number of the host be for a race that hangs on it, where it need not be that? What a call may have left as it was, another
// thread may have changed, or the program computes in ways that are not followed: such a number is no choice of a witness.
// Method: each symbol that matters to the launch is looked at. What comes from outside of the program is no doubt (given.c). Where the number
// may be as it was before (a call that is not given it, the first round of a loop), it is asked whether that races; else none is as it was.
// Soundness: decides only how sure a race is; proofs let every symbol have any value. In doubt are too many.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/facts/facts.h"
#include "core/bug.h"
#include "hostscan/names.h"
#include "hostscan/objects.h"
#include "hostscan/program.h"
#include "hostscan/terms.h"
#include "hostscan/value.h"

// A value that changes from one round of a loop to the next by such calls alone: which one.
static uint32_t doubt_of_loop(HostScan *scan, uint32_t sym) {
  enum { MOST_CALLS = 16 };
  ExprRef at = host_sym(scan, sym)->coming_round;
  uint32_t found = 0;
  for (int i = 0; at && i < MOST_CALLS; i++) {
    const ExprNode *node = expr_node(scan->pool, host_settle(scan, at));
    uint32_t here = (uint32_t)node->value;
    if (node->op != EXPR_SYM) return 0;
    if (here == sym) return found;
    if (!host_sym(scan, here)->doubt) return 0;
    if (!found) found = here;
    at = host_before_doubt(scan, here);
  }
  return 0;
}

static LaunchDoubt doubt_about(HostScan *scan, uint32_t sym) {
  const ExprSym *info = expr_sym_info(scan->pool, sym);
  return (LaunchDoubt){.value = expr_sym(scan->pool, sym), .name = info->name, .loc = info->loc};
}

// Of a part of an address that the host computes with; of any, where its way is not followed.
static void add_address_doubt(HostScan *scan, uint32_t sym, LaunchContext *launch) {
  LaunchDoubt doubt = doubt_about(scan, sym);
  doubt.before = expr_const(scan->pool, 64, 0);
  doubt.text =
      arena_printf(scan->arena, "only if the %s is no multiple of what it is rounded to", doubt.name);
  if (host_sym(scan, sym)->is_unfollowed) {
    doubt.before = 0;
    doubt.text = arena_printf(
        scan->arena, "only if host code that is not followed makes the %s such a number", doubt.name);
  }
  vec_push(scan->arena, &launch->doubts, doubt);
}

// Of a volatile variable: signals, other threads and code that is not seen may have changed it.
static ExprRef add_change_doubt(HostScan *scan, uint32_t sym, ExprRef stored, LaunchContext *launch) {
  LaunchDoubt doubt = doubt_about(scan, sym);
  doubt.before = stored;
  if (stored == doubt.value || expr_width(scan->pool, stored) != expr_width(scan->pool, doubt.value))
    return 0;
  doubt.text = arena_printf(
      scan->arena, "only if other code than that which leads here changes '%s', which is volatile or atomic",
      doubt.name);
  vec_push(scan->arena, &launch->doubts, doubt);
  return stored;
}

// A call of a function whose text is here.
static bool is_in_view(HostScan *scan, const IrInst *call) {
  HostFunction *callee = NULL;
  if (call->op == IR_CALL) (void)host_call(scan, call, &callee);
  return callee;
}

// A pointer that a walk through memory has come to, in a program whose code is all there: some of it has put it there.
static bool is_walked_to(HostScan *scan, const HostObject *object) {
  if (object->kind != HOST_POINTER || object->is_parameter || !object->leaf) return false;
  const ExprNode *node = expr_node(scan->pool, object->leaf);
  if (node->op != EXPR_SYM) return false;
  const HostSym *sym = host_sym(scan, (uint32_t)node->value);
  if (sym->holder || sym->place || !sym->frame) return sym->holder || sym->place;
  if (!sym->read_by) return sym->loop != CFG_NONE;
  const IrInst *by = &sym->frame->function->ir->insts.items[sym->read_by - 1];
  return by->op == IR_LOAD || is_in_view(scan, by);
}

static bool is_in_container(HostScan *scan, uint32_t sym) {
  const HostSym *info = host_sym(scan, sym);
  if (info->holder) return is_walked_to(scan, &scan->objects.items[info->holder]);
  if (!info->read_by || !info->frame) return false;
  const IrInst *load = &info->frame->function->ir->insts.items[info->read_by - 1];
  if (load->op != IR_LOAD) return false;
  HostTargets targets = {0};
  if (!host_targets(scan, host_value(scan, info->frame, load->ops[0]), &targets)) return true; // anywhere
  bool is_any = false;
  for (uint32_t i = 0; i < targets.count; i++)
    is_any |= targets.items[i].leaf && is_walked_to(scan, host_object_of(scan, targets.items[i].leaf));
  return is_any;
}

// What a function gives whose text is here.
static bool is_given_in_view(HostScan *scan, uint32_t sym) {
  const HostSym *info = host_sym(scan, sym);
  return info->read_by && info->frame &&
         is_in_view(scan, &info->frame->function->ir->insts.items[info->read_by - 1]);
}

// What stands in the elements of containers that are not followed, and what a function gives that is not, is no input that may be anything.
static bool add_content_doubt(HostScan *scan, uint32_t sym, LaunchContext *launch) {
  if (!scan->options || !scan->options->has_main) return false;
  bool is_given = is_given_in_view(scan, sym);
  if (!is_given && !is_in_container(scan, sym)) return false;
  const ExprSym *info = expr_sym_info(scan->pool, sym);
  LaunchDoubt doubt = doubt_about(scan, sym);
  doubt.text = arena_printf(
      scan->arena,
      is_given ? "only if '%s', which is not followed, is such a number"
               : "only if host code that is not followed has put such a value where '%s' is read",
      info->name);
  vec_push(scan->arena, &launch->doubts, doubt);
  return true;
}

// Is the launch in the loop, or in a function that is called from there?
static bool is_within(const HostFrame *frame, uint32_t inst, const HostFrame *at, uint32_t loop) {
  for (; frame && frame != at; frame = frame->parent)
    inst = frame->call;
  return frame && cfg_loop_contains(frame->function->cfg, loop, frame->function->ir->insts.items[inst].block);
}

static bool is_before_of(HostScan *scan, ExprRef before, ExprRef value) {
  return before && before != value && expr_width(scan->pool, before) == expr_width(scan->pool, value);
}

// A variable that changes in its loop in ways that are not followed is as it was before in the first round; that it is any other number
// is a guess.
static ExprRef add_loop_doubt(HostScan *scan, uint32_t sym, LaunchContext *launch) {
  ExprRef before = host_sym(scan, sym)->entering, value = expr_sym(scan->pool, sym);
  before = before ? host_settle(scan, before) : 0;
  if (!is_before_of(scan, before, value)) return 0;
  LaunchDoubt doubt = doubt_about(scan, sym);
  doubt.before = before;
  doubt.text = arena_printf(
      scan->arena, "only if a loop of the host that is not followed makes '%s' such a number", doubt.name);
  vec_push(scan->arena, &launch->doubts, doubt);
  return before;
}

// What the program computes: any number is a guess.
static void add_computed_doubt(HostScan *scan, uint32_t sym, LaunchContext *launch) {
  const ExprSym *info = expr_sym_info(scan->pool, sym);
  LaunchDoubt doubt = doubt_about(scan, sym);
  if (info->is_nameless)
    doubt.text = "only if host code that is not followed leads there";
  else if (info->after)
    doubt.text = arena_printf(scan->arena, "only if '%s' is such a number after %s at line %u", info->name,
                              info->after, info->loc.line);
  else
    doubt.text =
        arena_printf(scan->arena, "only if '%s', which is not followed, is such a number", info->name);
  vec_push(scan->arena, &launch->doubts, doubt);
}

// ---- numbers beside others
typedef bool Beside(HostScan *scan, uint32_t sym, uint32_t other);

// The first symbol that matters to the launch before this one, and is so beside it; CFG_NONE: there is none.
static uint32_t first_beside(HostScan *scan, uint32_t sym, Beside *is_beside) {
  const IndexList *work = &scan->fact_work;
  for (uint32_t i = 0; i < work->count && work->items[i] != sym; i++)
    if (is_beside(scan, sym, work->items[i])) return work->items[i];
  return CFG_NONE;
}

// Of two numbers that are read from one text the first may be any, and the other is what that text says then.
static void add_text_doubt(HostScan *scan, uint32_t sym, LaunchContext *launch) {
  uint32_t before = first_beside(scan, sym, host_is_read_again);
  if (before == CFG_NONE) return;
  LaunchDoubt doubt = doubt_about(scan, sym);
  doubt.text =
      arena_printf(scan->arena, "only if '%s' is such a number, which is read from the same text as '%s'",
                   doubt.name, expr_sym_info(scan->pool, before)->name);
  vec_push(scan->arena, &launch->doubts, doubt);
}

static bool is_choice_beside(HostScan *scan, uint32_t sym, uint32_t other) {
  return host_sym(scan, sym)->is_choice && host_sym(scan, other)->is_choice;
}

// Of two pointers that loops choose each may be any of its objects; which choices go together is not kept (origins.c).
static bool add_choice_doubt(HostScan *scan, uint32_t sym, LaunchContext *launch) {
  uint32_t other = first_beside(scan, sym, is_choice_beside);
  if (other == CFG_NONE) return false;
  LaunchDoubt doubt = doubt_about(scan, sym);
  doubt.text =
      arena_printf(scan->arena, "only if loops of the host make the %s and the %s such numbers at one time",
                   expr_sym_info(scan->pool, other)->name, doubt.name);
  vec_push(scan->arena, &launch->doubts, doubt);
  return true;
}

// The number of a round in which the launch is: each round comes.
static bool is_round_of_launch(HostScan *scan, const HostFrame *frame, uint32_t inst, uint32_t sym) {
  const HostSym *info = host_sym(scan, sym);
  return info->frame && info->loop != CFG_NONE &&
         info->frame->loops[info->loop].count == expr_sym(scan->pool, sym) &&
         is_within(frame, inst, info->frame, info->loop);
}

// Code of the program that others run may have stored what is read behind such a call.
static bool may_be_stored_unseen(HostScan *scan) {
  for (uint32_t i = 0; i < scan->module->functions.count; i++) {
    HostFunction *function = &scan->functions[i];
    if (!function->is_stub && !function->is_generated && function->ir->blocks.count &&
        host_is_run_unseen(function) && host_function_has_effects(scan, host_function_open(scan, function)))
      return true;
  }
  return false;
}

static ExprRef add_call_doubt(HostScan *scan, uint32_t sym, uint32_t by, LaunchContext *launch) {
  ExprRef before = by == sym ? host_before_doubt(scan, sym) : host_sym(scan, sym)->entering;
  ExprRef value = expr_sym(scan->pool, sym);
  before = before ? host_settle(scan, before) : 0;
  if (!is_before_of(scan, before, value)) return 0;
  const ExprSym *info = expr_sym_info(scan->pool, by);
  LaunchDoubt doubt = {.value = value,
                       .before = before,
                       .name = info->name,
                       .call = info->after ? info->after : "a call",
                       .loc = info->loc};
  vec_push(scan->arena, &launch->doubts, doubt);
  return before;
}

// ---- functions that stand for numbers
static bool is_in_whole_program(const HostScan *scan) {
  return scan->options && scan->options->has_main;
}

// What a variable was when an element was written: as given as the variable. Which run of a loop wrote it, and the like: the host's own.
static bool is_given_by_function(HostScan *scan, uint32_t func) {
  for (uint32_t i = 0; i < scan->func_origins.count; i++)
    if (scan->func_origins.items[i].func == func && scan->func_origins.items[i].sym)
      return host_is_given_number(scan, scan->func_origins.items[i].sym);
  return false;
}

typedef struct Functions {
  HostScan *scan;
  LaunchContext *launch;
  bool is_closed;
} Functions;

// What an operation gives that is followed as far as its operands only (of floating point, of bits, of a library): equal ones give equal
// numbers, and of what there is no choice.
static void add_operation_doubt(const Functions *f, ExprRef ref) {
  HostScan *scan = f->scan;
  const ExprName *name = expr_name(scan->pool, ref);
  LaunchDoubt doubt = {.value = ref, .loc = name && name->loc.file ? name->loc : f->launch->loc};
  doubt.name = host_text(scan->pool, scan->arena, ref);
  doubt.text = arena_printf(
      scan->arena,
      "only if '%s' at line %u, which is computed in a way that is not followed, is such a number",
      doubt.name, doubt.loc.line);
  vec_push(scan->arena, &f->launch->doubts, doubt);
}

static void add_function_doubt(const Functions *f, ExprRef ref, uint32_t func) {
  HostScan *scan = f->scan;
  const ExprFunc *info = expr_func_info(scan->pool, func);
  bool is_address = func < scan->func_objects.count && scan->func_objects.items[func];
  if (is_address || is_given_by_function(scan, func)) return;
  LaunchDoubt doubt = {.value = ref, .name = info->name, .loc = info->loc};
  doubt.text = "only if the stores of a host loop, which are not followed there, put such a pointer or "
               "number where it is read";
  vec_push(scan->arena, &f->launch->doubts, doubt);
}

static void look_for_functions(const Functions *f, ExprRef ref, uint8_t *seen) {
  if (!ref || seen[ref]) return;
  seen[ref] = 1;
  const ExprNode node = *expr_node(f->scan->pool, ref);
  if (node.op == EXPR_APP && f->is_closed &&
      expr_func_info(f->scan->pool, (uint32_t)node.value)->kind == SYM_HOST_VALUE)
    add_function_doubt(f, ref, (uint32_t)node.value);
  if (node.op == EXPR_APP && expr_func_info(f->scan->pool, (uint32_t)node.value)->kind == SYM_UNKNOWN) {
    add_operation_doubt(f, ref);
    return; // here its operands matter through it alone, and it may be any number already
  }
  look_for_functions(f, node.a, seen);
  look_for_functions(f, node.b, seen);
  look_for_functions(f, node.c, seen);
  for (uint32_t i = 0; i < node.arg_count; i++)
    look_for_functions(f, node.args[i], seen);
}

static void look_in_piece(const Functions *f, const ArgPiece *piece, uint8_t *seen) {
  look_for_functions(f, piece->word, seen);
  for (uint32_t t = 0; t < piece->target_count; t++) {
    look_for_functions(f, piece->targets[t].condition, seen);
    look_for_functions(f, piece->targets[t].offset, seen);
  }
}

void host_doubts_of_functions(HostScan *scan, LaunchContext *launch) {
  Arena *scratch = arena_open();
  uint8_t *seen = arena_array(scratch, expr_count(scan->pool) + 1u, uint8_t);
  Functions f = {.scan = scan, .launch = launch, .is_closed = is_in_whole_program(scan)};
  for (int i = 0; i < 3; i++) {
    look_for_functions(&f, launch->grid[i], seen);
    look_for_functions(&f, launch->block[i], seen);
  }
  for (uint32_t a = 0; a < launch->args.count; a++)
    for (uint32_t p = 0; p < launch->args.items[a].pieces.count; p++)
      look_in_piece(&f, &launch->args.items[a].pieces.items[p], seen);
  arena_close(scratch);
}

ExprRef host_doubts_say(HostScan *scan, const HostFrame *frame, uint32_t inst, uint32_t sym,
                        LaunchContext *launch) {
  ASSERT(sym < expr_sym_count(scan->pool));
  const HostSym info = *host_sym(scan, sym);
  ExprRef stored = host_as_stored(scan, sym);
  if (stored) return add_change_doubt(scan, sym, stored, launch);
  if (info.is_misalignment || info.is_unfollowed) {
    add_address_doubt(scan, sym, launch);
    return 0;
  }
  if (info.object || add_choice_doubt(scan, sym, launch)) return 0;
  bool is_closed = is_in_whole_program(scan);
  uint32_t by = info.doubt ? sym : doubt_of_loop(scan, sym);
  if (by && !(is_closed && may_be_stored_unseen(scan))) return add_call_doubt(scan, sym, by, launch);
  if (!is_closed || info.is_of_element) return 0;
  if (host_is_given_number(scan, sym)) {
    add_text_doubt(scan, sym, launch);
    return 0;
  }
  if (add_content_doubt(scan, sym, launch) || is_round_of_launch(scan, frame, inst, sym)) return 0;
  bool is_of_loop =
      info.entering && is_within(frame, inst, info.frame ? info.frame : info.place_frame, info.loop);
  if (is_of_loop) return add_loop_doubt(scan, sym, launch);
  add_computed_doubt(scan, sym, launch);
  return 0;
}
