// What does a launch find in the arrays that its kernel reads as integers? For each the value of an element
// (contents.c), with what is known of the functions in it. Of an array of which nothing is known it is said
// that it still holds what others were made from. Soundness: what launches left counts only where they are
// over (stream_order.c); that an element that the kernel reads has been written at all is assumption A12.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/launch/launch.h"
#include "core/bug.h"
#include "core/finding.h"
#include "hostscan/contents.h"
#include "hostscan/objects.h"
#include "hostscan/kernels.h"
#include "hostscan/program.h"
#include "hostscan/syntax.h"
#include "hostscan/series.h"
#include "hostscan/terms.h"
#include "hostscan/value.h"

#include <string.h>

enum { VALUE_LIMIT = 600 };

typedef struct Array { // what lies behind `leaf`
  ExprRef leaf;
  LaunchContent content;
} Array;

typedef struct Reading {
  HostScan *scan;
  LaunchContext *launch;
  HostMap seen;            // expressions gone through
  VEC(HostFillFact) funcs; // with the element that each is applied to
  VEC(Array) silent;       // what says no more than "whatever it was"
  bool is_deferred;        // the launch is part of a graph
  bool is_child;           // it is made by device code
} Reading;

static void note_func(Reading *r, uint32_t func, ExprRef element) {
  for (uint32_t i = 0; i < r->funcs.count; i++)
    if (r->funcs.items[i].func == func && r->funcs.items[i].condition == element) return;
  vec_push(r->scan->arena, &r->funcs, (HostFillFact){func, element});
}

static void look_through(Reading *r, ExprRef ref) {
  HostKey key = {{ref}};
  if (!ref || host_map_get(&r->seen, key)) return;
  host_map_put(&r->seen, key, 1);
  ExprNode node = *expr_node(r->scan->pool, ref);
  if (node.op == EXPR_APP && node.arg_count == 1) note_func(r, (uint32_t)node.value, node.args[0]);
  look_through(r, node.a);
  look_through(r, node.b);
  look_through(r, node.c);
  for (uint32_t i = 0; i < node.arg_count; i++)
    look_through(r, node.args[i]);
}

static ExprRef with_functions(Reading *r, ExprRef ref) {
  ref = host_by_elements(r->scan, ref);
  r->seen = (HostMap){.arena = r->scan->arena};
  look_through(r, ref);
  return ref;
}

bool host_is_unwritten(HostScan *scan, ExprRef value) {
  ExprNode node = *expr_node(scan->pool, value);
  for (uint32_t i = 0; node.op == EXPR_APP && i < scan->uninitialised_funcs.count; i++)
    if (scan->uninitialised_funcs.items[i] == (uint32_t)node.value) return true;
  return host_is_uninitialised(scan, value);
}

ExprRef host_is_written(HostScan *scan, ExprRef value) {
  ASSERT(expr_is_of(scan->pool, value));
  ExprNode node = *expr_node(scan->pool, value);
  if (host_is_unwritten(scan, value)) return expr_bool(scan->pool, false);
  if (node.op != EXPR_ITE) return 0;
  ExprRef yes = host_is_written(scan, node.b), no = host_is_written(scan, node.c);
  if (!yes && !no) return 0;
  ExprRef truth = expr_bool(scan->pool, true);
  return expr_or(scan->pool, expr_and(scan->pool, node.a, yes ? yes : truth),
                 expr_and(scan->pool, expr_not(scan->pool, node.a), no ? no : truth));
}

// Is a value known that is more than "whatever it was"?
static bool says_something(HostScan *scan, ExprRef value) {
  ExprNode node = *expr_node(scan->pool, value);
  if (node.op == EXPR_ITE) return says_something(scan, node.b) || says_something(scan, node.c);
  return node.op != EXPR_SYM || !host_sym(scan, (uint32_t)node.value)->is_of_element;
}

static bool is_known(const LaunchContent *content, ExprRef condition) {
  for (uint32_t i = 0; i < content->conditions.count; i++)
    if (content->conditions.items[i] == condition) return true;
  return false;
}

enum { CONDITIONS_OF_CONTENT = 200 };

// What is known of the functions in the value, for the elements that they are applied to.
static void add_conditions(Reading *r, LaunchContent *content) {
  HostScan *scan = r->scan;
  for (uint32_t f = 0; f < r->funcs.count && content->conditions.count < CONDITIONS_OF_CONTENT; f++)
    for (uint32_t i = 0; i < scan->fill_facts.count; i++) {
      HostFillFact used = r->funcs.items[f]; // the list grows while conditions mention others
      if (scan->fill_facts.items[i].func != used.func) continue;
      ExprRef condition = host_by_elements(scan, scan->fill_facts.items[i].condition);
      if (expr_width(scan->pool, used.condition) == 64)
        condition = host_replace(scan, condition, scan->element, used.condition);
      condition = with_functions(r, condition);
      if (!is_known(content, condition)) vec_push(scan->arena, &content->conditions, condition);
    }
}

ExprRef host_with_conditions(HostScan *scan, LaunchContext *launch, ExprRef condition, ExprRef value) {
  ASSERT(launch);
  ASSERT(host_has_word(scan, condition, 1));
  ASSERT(expr_is_of(scan->pool, value));
  Reading r = {.scan = scan, .launch = launch};
  LaunchContent content = {0};
  (void)with_functions(&r, value);
  condition = with_functions(&r, condition);
  add_conditions(&r, &content);
  for (uint32_t i = 0; i < content.conditions.count; i++)
    condition = expr_and(scan->pool, condition, content.conditions.items[i]);
  return condition;
}

static SrcLoc place_of(HostScan *scan, const Reading *r) {
  for (uint32_t i = 0; i < r->funcs.count; i++) {
    const SrcLoc *loc = &expr_func_info(scan->pool, r->funcs.items[i].func)->loc;
    if (loc->file) return *loc;
  }
  return r->launch->loc;
}

static bool is_of_threads(const Reading *r) {
  for (uint32_t f = 0; f < r->funcs.count; f++)
    for (uint32_t i = 0; i < r->scan->kernel_fills.count; i++)
      if (r->scan->kernel_fills.items[i].func == r->funcs.items[f].func) return true;
  return false;
}

static bool is_counted(const HostScan *scan, const LaunchContent *content) {
  IndexList funcs = {0};
  for (uint32_t i = 0; i < scan->histograms.count; i++)
    vec_push(scan->arena, &funcs, scan->histograms.items[i].func);
  bool is_counted = funcs.count && host_holds_func(scan->pool, content->value, &funcs);
  for (uint32_t i = 0; i < content->conditions.count && funcs.count && !is_counted; i++)
    is_counted = host_holds_func(scan->pool, content->conditions.items[i], &funcs);
  return is_counted;
}

static void push_content(Reading *r, Array array) {
  HostScan *scan = r->scan;
  LaunchContext *launch = r->launch;
  LaunchContent content = array.content;
  ExprRef value = content.value;
  r->funcs.count = 0;
  content.is_written = host_is_written(scan, value);
  if (content.is_written) content.is_written = with_functions(r, content.is_written);
  content.value = with_functions(r, value);
  add_conditions(r, &content);
  content.is_counted = is_counted(scan, &content);
  content.is_of_threads = is_of_threads(r);
  content.is_computed = host_holds_func(scan->pool, content.value, &scan->computed_funcs);
  const char *name = content.object      ? launch->objects.items[content.object].name
                     : content.parameter ? content.global
                                         : host_object_of(scan, array.leaf)->name;
  Fact fact = {.condition = expr_bool(scan->pool, true), .class = FACT_CONTENTS, .loc = place_of(scan, r)};
  fact.text = arena_printf(scan->arena, "the contents of %s", name);
  content.fact = launch->facts.count;
  vec_push(scan->arena, &launch->facts, fact);
  vec_push(scan->arena, &launch->contents, content);
}

// What the element held before the first rounds of the loops that change it.
static ExprRef before_loops(HostScan *scan, ExprRef value) {
  enum { DEPTH = 8 };
  for (int i = 0; i < DEPTH; i++) {
    const ExprNode *node = expr_node(scan->pool, value);
    ExprRef before = node->op == EXPR_SYM ? host_sym(scan, (uint32_t)node->value)->before_loop : 0;
    if (!before) break;
    value = host_settle(scan, before);
  }
  return value;
}

static void add_untold(Reading *r, const char *who, const LaunchContent *content) {
  LaunchUntold untold = {content->object, content->global, content->bytes, who};
  if (who && !content->parameter) vec_push(r->scan->arena, &r->launch->untold, untold);
}

static void add_content(Reading *r, const HostArguments *from, ExprRef leaf, LaunchContent content) {
  HostScan *scan = r->scan;
  content.element = host_element(scan);
  HostCell cell = {.base = leaf, .offset = content.element, .bytes = content.bytes, .kind = IR_INT};
  scan->read_steps = 0;
  if (r->is_deferred) { // it runs whenever the graph does
    cell.kind = IR_BYTES;
    add_untold(r, host_ever_set_number(scan, from->frame, cell), &content);
    return;
  }
  ExprRef value = host_settle(scan, host_cell_before(scan, from->frame, from->inst, cell));
  ExprRef left = host_when_over(scan, value, from->frame, from->inst, from->behind);
  add_untold(r, host_untold_number(scan, leaf, left ? left : value, r->is_child), &content);
  if (!left || host_weight(scan, left) > VALUE_LIMIT) return;
  content.value = left;
  if (says_something(scan, left)) {
    push_content(r, (Array){leaf, content});
    return;
  }
  vec_push(scan->arena, &r->silent, ((Array){leaf, content}));
  value = before_loops(scan, left);
  if (host_weight(scan, value) > VALUE_LIMIT || !says_something(scan, value)) return;
  content.value = host_when_over(scan, value, from->frame, from->inst, from->behind);
  if (!content.value) return;
  content.value = host_by_elements(scan, content.value);
  vec_push(scan->arena, &r->launch->begun, content);
}

static bool is_mentioned(const Reading *r, const IndexList *funcs) {
  for (uint32_t i = 0; i < r->launch->contents.count; i++) {
    const LaunchContent *content = &r->launch->contents.items[i];
    if (host_holds_func(r->scan->pool, content->value, funcs)) return true;
    for (uint32_t k = 0; k < content->conditions.count; k++)
      if (host_holds_func(r->scan->pool, content->conditions.items[k], funcs)) return true;
  }
  return false;
}

static void list_unknowns(const Reading *r, ExprRef value, IndexList *funcs) {
  ExprNode node = *expr_node(r->scan->pool, value);
  if (node.op == EXPR_APP) vec_push(r->scan->arena, funcs, (uint32_t)node.value);
  if (node.op != EXPR_ITE) return;
  list_unknowns(r, node.b, funcs);
  list_unknowns(r, node.c, funcs);
}

// An array of which nothing is known but that others were made from what it still holds.
static void add_silent(Reading *r) {
  for (uint32_t i = 0; i < r->silent.count; i++) {
    IndexList funcs = {0};
    list_unknowns(r, host_by_elements(r->scan, r->silent.items[i].content.value), &funcs);
    if (is_mentioned(r, &funcs)) push_content(r, r->silent.items[i]);
  }
}

// Memory that the program makes, or that is handed in from outside.
static bool is_followed(const HostObject *object) {
  HostObjectKind kind = object->kind;
  return kind == HOST_DEVICE || kind == HOST_HEAP || kind == HOST_DEVICE_VARIABLE || kind == HOST_POINTER;
}

static void read_object(Reading *r, const HostArguments *from, uint32_t object, uint8_t widths,
                        const ExprRef *leaves) {
  const LaunchContext *launch = r->launch;
  ExprRef leaf = leaves[object];
  if (!leaf) return;
  if (!is_followed(host_object_of(r->scan, leaf))) return;
  for (uint32_t bytes = 1; bytes <= 8; bytes *= 2) {
    bool is_known = false;
    for (uint32_t i = 0; i < launch->contents.count; i++)
      is_known |= launch->contents.items[i].object == object && launch->contents.items[i].bytes == bytes;
    if (widths & bytes && !is_known)
      add_content(r, from, leaf, (LaunchContent){.object = object, .bytes = bytes});
  }
}

static void read_variable(Reading *r, const HostArguments *from, const HostKernelGlobal *used) {
  HostScan *scan = r->scan;
  for (uint32_t i = 0; i < scan->module->globals.count; i++) {
    if (strcmp(scan->module->globals.items[i].name, used->name) != 0) continue;
    if (host_writes_as_its_own(scan, i)) return;
    ExprRef leaf = host_leaf(scan, host_fixed_object(scan, HOST_DEVICE_VARIABLE, i));
    for (uint32_t bytes = 1; bytes <= 8; bytes *= 2)
      if (used->reads & bytes)
        add_content(r, from, leaf, (LaunchContent){.global = used->name, .bytes = bytes});
    return;
  }
}

// A table in a struct that is passed by value: an element of the host's copy of the struct, at the launch.
static void read_table(Reading *r, const HostArguments *from, const IrFunction *kernel, uint32_t param) {
  HostScan *scan = r->scan;
  const IrParam *info = &kernel->params.items[param];
  uint8_t widths = info->byval_bytes ? host_reads_table(kernel, param) : 0;
  ExprRef address = widths ? host_argument_address(scan, from, kernel, param) : 0;
  HostTarget copy;
  int64_t offset = 0;
  if (!address || !host_sole_target(scan, address, &copy) || !copy.leaf ||
      !expr_is_const(scan->pool, copy.offset, &offset) || offset != 0 ||
      host_object_of(scan, copy.leaf)->kind != HOST_LOCAL)
    return;
  LaunchContent content = {.parameter = param + 1, .global = info->name ? info->name : "argument"};
  for (content.bytes = 1; content.bytes <= 8; content.bytes *= 2)
    if (widths & content.bytes) add_content(r, from, copy.leaf, content);
}

void host_contents_read(HostScan *scan, const HostArguments *from, const IrFunction *kernel,
                        const ExprRef *leaves, LaunchContext *launch, bool is_child) {
  ASSERT(launch);
  const HostKernelUse *use = host_kernel_use(scan, kernel);
  Reading r = {.scan = scan, .launch = launch, .is_child = is_child};
  r.is_deferred = host_is_deferred(scan, from->frame, from->inst, from->stream);
  for (uint32_t a = 0; a < launch->args.count && a < kernel->params.count; a++) {
    const LaunchArg *arg = &launch->args.items[a];
    if (!is_child) read_table(&r, from, kernel, a);
    for (uint32_t p = 0; use->reads[a] && p < arg->pieces.count; p++)
      for (uint32_t t = 0; t < arg->pieces.items[p].target_count; t++)
        read_object(&r, from, arg->pieces.items[p].targets[t].object, use->reads[a], leaves);
  }
  for (uint32_t i = 0; i < use->globals.count; i++)
    if (use->globals.items[i].reads &&
        (!use->globals.items[i].is_written || use->globals.items[i].has_strong_reads))
      read_variable(&r, from, &use->globals.items[i]);
  add_silent(&r);
  host_contents_drop_idle(scan, launch);
}
