// An unknown number that an array holds when a kernel starts: did code of the program put it there, whether its text is seen or not? Then no
// flag or counter in the array may be taken to be zero (A11 is for words that nobody sets; of what kernels leave there runs tell, A15).
// Method: the value of any element, as contents/ has it, is gone through. What is unknown in it belongs to a place in the text, of which
// untold.c says who writes there; what stands under a condition that a loop, a library or a copy hangs on is theirs. One list says who
// writes: whatever makes contents unknown makes them untold.
// Soundness: in doubt there is such code. Not asked: what stands under the condition that a launch wrote the element.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/launch/launch.h"
#include "core/bug.h"
#include "hostscan/objects.h"
#include "hostscan/names.h"
#include "hostscan/program.h"
#include "hostscan/series.h"
#include "hostscan/syntax.h"
#include "hostscan/terms.h"
#include "hostscan/value.h"

typedef struct Numbers {
  HostScan *scan;
  ExprRef array;
  HostMap seen;
  IndexList fills; // functions that say whether a launch wrote the element, or how much it counted there
  const char *who;
  bool is_strict; // launches count as well, and numbers that are known
} Numbers;

// Is it a launch, not a library or a copy?
static bool is_of_kernel(HostScan *scan, const HostKernelFill *fill) {
  const IrInst *inst = &fill->frame->function->ir->insts.items[fill->inst];
  return inst->op != IR_CALL || host_call_class(host_call(scan, inst, NULL)->kind) != CLASS_OUTPUTS;
}

static const char *set_by_host(const Numbers *n, uint32_t index, bool is_by_launch) {
  HostScan *scan = n->scan;
  const HostSym *sym = host_sym(scan, index);
  if (!sym->place || sym->is_uninitialised) return NULL; // a number of the host's, or nobody's
  const HostObject *holder = &scan->objects.items[sym->holder];
  if (holder != host_object_of(scan, n->array))
    return is_by_launch ? NULL : arena_printf(scan->arena, "a copy of '%s'", holder->name);
  return host_set_number(scan, sym);
}

static const char *function_set_by_host(const Numbers *n, uint32_t func, bool is_by_launch) {
  const HostFuncOrigin *origin =
      host_func_origin(n->scan, func); // without: what a loop, a kernel or a library puts there
  return origin && origin->sym ? set_by_host(n, origin->sym, is_by_launch) : NULL;
}

// A function, of no launch, that the condition hangs on: whether a loop of the host, or a library, wrote the element. 0: none.
static uint32_t filled_by_host(const Numbers *n, ExprRef ref) {
  if (!ref) return 0;
  ExprNode node = *expr_node(n->scan->pool, ref);
  if (node.op == EXPR_APP) return host_holds_func(n->scan->pool, ref, &n->fills) ? 0 : (uint32_t)node.value;
  uint32_t func = filled_by_host(n, node.a);
  if (!func) func = filled_by_host(n, node.b);
  return func ? func : filled_by_host(n, node.c);
}

typedef struct Under { // which conditions the value stands under
  bool is_launch;      // whether a launch wrote the element
  uint32_t host; // function that says whether the host did, in a loop or by a library; 0: it is not asked
} Under;

// Of an array, not a number of the host's own.
static bool is_content(const Numbers *n, const ExprNode *node) {
  if (node->op == EXPR_SYM) return host_sym(n->scan, (uint32_t)node->value)->place;
  const HostFuncOrigin *origin =
      node->op == EXPR_APP ? host_func_origin(n->scan, (uint32_t)node->value) : NULL;
  return origin && origin->sym && host_sym(n->scan, origin->sym)->place;
}

// Whose function it is, in words.
static const char *who_has(const Numbers *n, uint32_t func) {
  HostScan *scan = n->scan;
  for (uint32_t i = 0; i < scan->kernel_fills.count; i++) {
    const HostKernelFill *fill = &scan->kernel_fills.items[i];
    if (fill->func == func) return host_writer_at(scan, fill->frame, fill->inst);
  }
  return arena_printf(scan->arena, "code at line %u", expr_func_info(scan->pool, func)->loc.line);
}

// What stands there is nobody's number, a launch's, or one that the host knows.
static bool is_of_launch(const Numbers *n, ExprRef value, Under under) {
  return under.is_launch || host_is_unwritten(n->scan, value) ||
         host_holds_func(n->scan->pool, value, &n->fills);
}

// What lay in memory when the function began: zeros that nobody set, unless an earlier call of it may have left it.
static bool is_there_from_start(const Numbers *n, const HostSym *sym) {
  HostObjectKind kind = n->scan->objects.items[sym->holder].kind;
  return sym->place == 1 + PLACE_ENTRY && (kind == HOST_DEVICE || kind == HOST_HEAP ||
                                           (kind == HOST_DEVICE_VARIABLE && sym->place_frame->is_entry));
}

static const char *strictly(const Numbers *n, ExprRef value) {
  ExprNode node = *expr_node(n->scan->pool, value);
  const HostFuncOrigin *origin = node.op == EXPR_APP ? host_func_origin(n->scan, (uint32_t)node.value) : NULL;
  uint32_t index = node.op == EXPR_SYM ? (uint32_t)node.value : origin ? origin->sym : 0;
  const HostSym *sym = index ? host_sym(n->scan, index) : NULL;
  int64_t number = 0;
  if (host_is_unwritten(n->scan, value) || (sym && sym->place && is_there_from_start(n, sym))) return NULL;
  if (expr_is_const(n->scan->pool, value, &number) && number == 0) return NULL;
  const char *who = sym && sym->place ? set_by_host(n, index, false) : NULL;
  if (who) return who;
  return host_holds_func(n->scan->pool, value, &n->fills) || (sym && sym->place) ? "an earlier launch"
                                                                                 : "host code";
}

static void look_at_leaf(Numbers *n, ExprRef value, Under under) {
  ExprNode node = *expr_node(n->scan->pool, value);
  int64_t number = 0;
  bool is_function = node.op == EXPR_APP;
  if (n->is_strict) {
    bool is_leaf = node.op == EXPR_SYM || is_function || node.op == EXPR_CONST;
    if (is_leaf) n->who = strictly(n, value);
    return;
  }
  if (node.op == EXPR_SYM) n->who = set_by_host(n, (uint32_t)node.value, under.is_launch);
  if (is_function) n->who = function_set_by_host(n, (uint32_t)node.value, under.is_launch);
  bool is_other = (node.op == EXPR_SYM || is_function) && !is_content(n, &node);
  bool is_set = is_other || (expr_is_const(n->scan->pool, value, &number) && number != 0);
  uint32_t setter = under.host ? under.host : is_function ? (uint32_t)node.value : 0;
  if (is_set && !n->who && setter && !is_of_launch(n, value, under)) n->who = who_has(n, setter);
}

static void look_at_numbers(Numbers *n, ExprRef value, Under under);

// A loop that only launches, or sets to zero, leaves what was there before.
static void look_before_loop(Numbers *n, ExprRef value, Under under) {
  const ExprNode *node = expr_node(n->scan->pool, value);
  const HostFuncOrigin *origin =
      node->op == EXPR_APP ? host_func_origin(n->scan, (uint32_t)node->value) : NULL;
  uint32_t index = node->op == EXPR_SYM ? (uint32_t)node->value : origin ? origin->sym : 0;
  ExprRef before = index || node->op == EXPR_SYM ? host_sym(n->scan, index)->before_loop : 0;
  IndexList copies = {0};
  if (before) look_at_numbers(n, host_without_pending(n->scan, host_settle(n->scan, before), &copies), under);
}

static void look_at_numbers(Numbers *n, ExprRef value, Under under) {
  HostKey key = {{value, under.is_launch, under.host}};
  if (n->who || host_map_get(&n->seen, key)) return;
  host_map_put(&n->seen, key, 1);
  ExprNode node = *expr_node(n->scan->pool, value);
  look_at_leaf(n, value, under);
  if (node.op == EXPR_SYM || node.op == EXPR_APP) {
    if (!n->is_strict) look_before_loop(n, value, under);
    return;
  }
  if (node.op == EXPR_ITE) {
    under.is_launch |= host_holds_func(n->scan->pool, node.a, &n->fills);
    if (!under.host) under.host = filled_by_host(n, node.a);
  } else if (node.a)
    look_at_numbers(n, node.a, under);
  if (node.b) look_at_numbers(n, node.b, under);
  if (node.c) look_at_numbers(n, node.c, under);
}

const char *host_untold_number(HostScan *scan, ExprRef array, ExprRef value, bool is_strict) {
  ASSERT(expr_is_of(scan->pool, array));
  ASSERT(expr_is_of(scan->pool, value));
  Numbers n = {.scan = scan, .array = array, .seen = {.arena = scan->arena}, .is_strict = is_strict};
  for (uint32_t i = 0; i < scan->kernel_fills.count; i++)
    if (is_of_kernel(scan, &scan->kernel_fills.items[i]))
      vec_push(scan->arena, &n.fills, scan->kernel_fills.items[i].func);
  IndexList copies = {0};
  value = host_without_pending(scan, value, &copies); // over or not, it was set
  look_at_numbers(&n, value, (Under){.host = copies.count ? copies.items[0] : 0});
  return n.who;
}
