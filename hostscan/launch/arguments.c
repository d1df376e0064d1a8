// What does the kernel find in its parameters? Operands of the launch, or the memory that an argument
// array points to (argument_sources.c), laid out as the kernel's parameters are.
// Method: a scalar is one piece; the pieces of a struct passed by value are those that the kernel reads
// (kernel_params.c). Of memory that a kernel reads pointers from, the host code is asked which ones lie there, at any
// place.
// Soundness: an unknown value is a symbol, an unknown pointer an object of its own (A2). Allocations of
// one site in different iterations are one object under the condition that the iterations are the same. Two pointers that
// are not followed may be one, but where the kernel declares one of them `__restrict__`: its text says that they are not (A2). What the
// program is seen to hand on as both counts all the same. Which of two objects is the other is asked once, and holds in all arguments.
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

enum { HELD_WEIGHT = 600, HELD_LIMIT = 24 };

// ---- objects of the launch
typedef struct Link { // two objects of the launch may be one
  uint32_t object, other;
  ExprRef condition, apart; // how far apart they are then, 0: not at all
  bool is_place;            // they are, whenever the condition holds; else it is a choice
} Link;

typedef struct Linked { // were those in front of an object compared with it?
  bool is_asked, is_restrict;
} Linked;

typedef struct Builder {
  HostScan *scan;
  LaunchContext *launch;
  VEC(ExprRef) leaves; // by object of the launch
  VEC(Linked) linked;  // likewise
  VEC(Link) links;     // they hold wherever the object comes up
  bool tests_null;     // the kernel asks whether the pointer in hand is null
  bool is_restrict; // the kernel says of it, or of all others, that nothing else leads there (`__restrict__`)
} Builder;

// "d[i]" made in a loop over i: of iteration 2 it is d[2].
static const char *instance_name(HostScan *scan, const HostObject *object, ExprRef leaf) {
  ExprNode made = *expr_node(scan->pool, object->leaf), here = *expr_node(scan->pool, leaf);
  if (leaf == object->leaf || made.op != EXPR_APP || here.op != EXPR_APP || made.arg_count == 0)
    return object->name;
  const ExprNode *count = expr_node(scan->pool, made.args[0]);
  if (count->op != EXPR_SYM) return object->name;
  const char *index =
      arena_printf(scan->arena, "[%s]", expr_sym_info(scan->pool, (uint32_t)count->value)->name);
  const char *at = strstr(object->name, index), *value = host_text(scan->pool, scan->arena, here.args[0]);
  if (!at) return arena_printf(scan->arena, "%s (%s)", object->name, value);
  return arena_printf(scan->arena, "%.*s[%s]%s", (int)(at - object->name), object->name, value,
                      at + strlen(index));
}

static LaunchObject describe_object(Builder *b, ExprRef leaf) {
  const HostObject *object = host_object_of(b->scan, leaf);
  LaunchObject result = {.kind = OBJECT_UNKNOWN, .loc = object->loc};
  result.name = instance_name(b->scan, object, leaf);
  switch (object->kind) {
  case HOST_LOCAL:
  case HOST_HEAP:
  case HOST_DEVICE: result.kind = OBJECT_ALLOCATION; break;
  case HOST_GLOBAL:
  case HOST_DEVICE_VARIABLE:
    result.kind = OBJECT_GLOBAL;
    result.name = b->scan->module->globals.items[object->index].name;
    break;
  case HOST_NOTHING:
  case HOST_POINTER:
  case HOST_FUNCTION_ADDRESS: break;
  }
  result.size_bytes = host_settle(b->scan, host_object_size(b->scan, leaf));
  return result;
}

static uint32_t object_for(Builder *b, ExprRef leaf) {
  LaunchContext *launch = b->launch;
  if (launch->objects.count == 0) {
    vec_push(b->scan->arena, &launch->objects, (LaunchObject){0});
    vec_push(b->scan->arena, &b->leaves, 0);
    vec_push(b->scan->arena, &b->linked, (Linked){0});
  }
  for (uint32_t i = 1; i < launch->objects.count; i++)
    if (b->leaves.items[i] == leaf) return i;
  LaunchObject object = {.kind = OBJECT_NULL, .name = "null"};
  if (leaf) object = describe_object(b, leaf);
  object.leaf = leaf;
  vec_push(b->scan->arena, &launch->objects, object);
  vec_push(b->scan->arena, &b->leaves, leaf);
  vec_push(b->scan->arena, &b->linked, (Linked){0});
  return launch->objects.count - 1;
}

typedef VEC(PointerTarget) TargetList;

static void push_target(Builder *b, TargetList *list, ExprRef condition, uint32_t object, ExprRef offset) {
  if (expr_is_false(b->scan->pool, condition)) return;
  if (expr_is_true(b->scan->pool, condition)) condition = 0;
  vec_push(b->scan->arena, list, (PointerTarget){condition, object, offset});
}

// Two pointers out of one table, at places of which it is not seen that they differ: the condition that they
// are one place. 0 if they are no such pointers.
static ExprRef same_place(Builder *b, ExprRef leaf, ExprRef other) {
  const ExprNode *x = expr_node(b->scan->pool, leaf), *y = expr_node(b->scan->pool, other);
  if (leaf == other || x->op != EXPR_SYM || y->op != EXPR_SYM) return 0;
  const HostSym *a = host_sym(b->scan, (uint32_t)x->value), *c = host_sym(b->scan, (uint32_t)y->value);
  if (!a->holder || a->holder != c->holder || !a->cell_offset || !c->cell_offset) return 0;
  ExprRef same =
      expr_eq(b->scan->pool, host_settle(b->scan, a->cell_offset), host_settle(b->scan, c->cell_offset));
  return expr_is_false(b->scan->pool, same) ? 0 : same;
}

// How far the one lies behind the other; 0: they are one.
static ExprRef distance_of(Builder *b, const HostFork *fork, const char *const *names) {
  HostScan *scan = b->scan;
  if (!fork->is_far) return fork->distance ? expr_const(scan->pool, 64, fork->distance) : 0;
  HostUnknown unknown = {.width = 64, .loop = CFG_NONE, .loc = b->launch->loc};
  unknown.name = arena_printf(scan->arena, "distance from '%s' to '%s'", names[1], names[0]);
  return host_unknown(scan, unknown);
}

// All that was put at both places is allocations, each of them at one.
static bool are_held_once(HostScan *scan, ExprRef leaf, ExprRef other) {
  return host_are_kept(scan, leaf, other) && !host_is_copied(scan, leaf) && !host_is_copied(scan, other);
}

// Two pointers that were read back, and that the program's own stores may have made one, or that code which is not
// followed hands on: a choice, which a race that needs it names.
static ExprRef same_by_code(Builder *b, ExprRef leaf, ExprRef other, ExprRef *apart) {
  HostScan *scan = b->scan;
  HostFork fork = host_forked(scan, leaf, other);
  const char *what = host_kept_twice(scan, leaf, other);
  fork.is_far |= what && fork.distance; // or none
  if (!what) what = fork.what;
  if (!what && leaf != other) what = host_one_element(scan, leaf, other);
  if (!what && leaf != other) what = host_handed_on(scan, leaf, other);
  if (!what && leaf != other) what = host_put_since(scan, leaf, other);
  if (!what && leaf != other) what = host_put_since(scan, other, leaf);
  bool may_stray = !what && leaf != other && !b->is_restrict && !are_held_once(scan, leaf, other) &&
                   host_is_kept_somewhere(scan, leaf) && host_is_kept_somewhere(scan, other);
  if (may_stray) what = host_strayed(scan, leaf);
  if (may_stray && !what) what = host_strayed(scan, other);
  if (may_stray && what) fork.is_far |= host_holds_parts(scan, leaf) || host_holds_parts(scan, other);
  if (!what && leaf != other) {
    what = host_parts_given(scan, leaf, other);
    fork.is_far |= what != NULL;
  }
  if (!what) return 0;
  const char *names[2] = {host_object_of(scan, leaf)->name, host_object_of(scan, other)->name};
  HostUnknown unknown = {.width = 1, .loop = CFG_NONE, .loc = b->launch->loc};
  unknown.name = arena_printf(scan->arena, "'%s' is '%s'", names[0], names[1]);
  ExprRef same = host_unknown(scan, unknown);
  LaunchDoubt doubt = {
      .value = same, .before = expr_bool(scan->pool, false), .name = unknown.name, .loc = b->launch->loc};
  doubt.text = arena_printf(scan->arena, "only if '%s' and '%s' are %s: both may be %s", names[1], names[0],
                            fork.is_far || fork.distance ? "in one allocation" : "one pointer", what);
  vec_push(scan->arena, &b->launch->doubts, doubt);
  *apart = distance_of(b, &fork, names);
  return same;
}

// The condition under which two leaves are one instance of one allocation, or so far apart in one (0: not at all); 0 if they surely are not.
static ExprRef same_instance(Builder *b, ExprRef leaf, ExprRef other, ExprRef *apart) {
  *apart = 0;
  ExprNode x = *expr_node(b->scan->pool, leaf), y = *expr_node(b->scan->pool, other);
  if (x.op == EXPR_SYM || y.op == EXPR_SYM) return same_by_code(b, leaf, other, apart);
  if (leaf == other || x.op != EXPR_APP || y.op != EXPR_APP || x.value != y.value) return 0;
  if (host_leaves_distinct(b->scan, leaf, other)) return 0;
  ExprRef same = expr_bool(b->scan->pool, true);
  for (uint32_t i = 0; i < x.arg_count; i++)
    same = expr_and(b->scan->pool, same, expr_eq(b->scan->pool, x.args[i], y.args[i]));
  return same;
}

// The object, or the first that it is by its place.
static void push_named(Builder *b, TargetList *list, ExprRef condition, uint32_t object, ExprRef offset) {
  ExprPool *pool = b->scan->pool;
  for (uint32_t i = 0; i < b->links.count; i++) {
    const Link link = b->links.items[i];
    if (link.object != object || !link.is_place) continue;
    push_target(b, list, expr_and(pool, condition, link.condition), link.other, offset);
    condition = expr_and(pool, condition, expr_not(pool, link.condition));
  }
  push_target(b, list, condition, object, offset);
}

static void add_link(Builder *b, Link link) {
  if (link.condition) vec_push(b->scan->arena, &b->links, link);
}

// Which objects in front of it may be the same? Asked once, so that what is given twice is one thing; again where only the second parameter
// is not `__restrict__`.
static void find_links(Builder *b, uint32_t own) {
  Linked *linked = &b->linked.items[own];
  if (linked->is_asked && (b->is_restrict || !linked->is_restrict)) return;
  ExprRef leaf = b->leaves.items[own];
  *linked = (Linked){true, b->is_restrict};
  for (uint32_t i = b->links.count; i-- > 0;)
    if (b->links.items[i].object == own) b->links.items[i].object = 0;
  for (uint32_t i = 1; leaf && i < own; i++) {
    ExprRef other = b->leaves.items[i], apart = 0;
    if (!other) continue;
    ExprRef same = same_instance(b, leaf, other, &apart);
    add_link(b, (Link){own, i, same_place(b, leaf, other), 0, true});
    add_link(b, (Link){own, i, same, apart, false});
  }
}

static void add_target(Builder *b, TargetList *list, const HostTarget *target) {
  ExprPool *pool = b->scan->pool;
  ExprRef condition = target->condition, offset = host_settle(b->scan, target->offset);
  uint32_t own = object_for(b, target->leaf);
  if (b->tests_null && b->launch->objects.items[own].kind == OBJECT_UNKNOWN) {
    ExprRef null = expr_eq(pool, target->leaf, expr_const(pool, expr_width(pool, target->leaf), 0));
    push_target(b, list, expr_and(pool, condition, null), object_for(b, 0), offset);
    condition = expr_and(pool, condition, expr_not(pool, null));
  }
  find_links(b, own);
  for (uint32_t i = 0; i < b->links.count; i++) {
    const Link link = b->links.items[i];
    if (link.object != own) continue;
    ExprRef there = link.apart ? host_add_offset(b->scan, offset, link.apart) : offset;
    ExprRef named = expr_and(pool, condition, link.condition);
    if (link.is_place)
      push_target(b, list, named, link.other, there);
    else
      push_named(b, list, named, link.other, there);
    condition = expr_and(pool, condition, expr_not(pool, link.condition));
  }
  push_target(b, list, condition, own, offset);
}

static bool is_elsewhere(Builder *b, ExprRef leaf);

// A pointer out of an array, at a place that is not known: what any element of the array holds, asked of this one. false: not all of it is
// known.
static bool find_in_array(Builder *b, ExprRef leaf, HostTargets *found) {
  HostScan *scan = b->scan;
  ExprNode node = *expr_node(scan->pool, leaf);
  if (node.op != EXPR_SYM || host_object_of(scan, leaf)->kind != HOST_POINTER) return false;
  const HostSym sym = *host_sym(scan, (uint32_t)node.value);
  if (!sym.holder || !sym.cell_offset || sym.is_of_element || host_place_of_content(&sym) == CFG_NONE)
    return false;
  ExprRef offset = host_settle(scan, sym.cell_offset);
  HostCell cell = {scan->objects.items[sym.holder].leaf, host_element(scan), 8, IR_PTR};
  if (scan->objects.items[sym.holder].kind == HOST_POINTER || expr_is_const(scan->pool, offset, NULL))
    return false;
  ExprRef value = host_cell_before(scan, sym.place_frame, host_place_of_content(&sym), cell);
  value = host_settle(scan, value);
  HostTargets targets = {0};
  if (host_weight(scan, value) > HELD_WEIGHT ||
      !host_targets(scan, host_at_element(scan, value, offset), &targets))
    return false;
  for (uint32_t i = 0; i < targets.count; i++) {
    HostTarget target = targets.items[i];
    if (target.leaf && host_is_unwritten(scan, target.leaf)) continue;
    if (target.leaf == leaf || (target.leaf && is_elsewhere(b, target.leaf))) return false;
    target.condition =
        host_with_conditions(scan, b->launch, target.condition, target.leaf ? target.leaf : offset);
    vec_push(scan->arena, found, target);
  }
  return found->count > 0;
}

static void add_origins(Builder *b, TargetList *list, const HostTarget *target) {
  HostTargets origins = {0};
  bool has_origins = target->leaf && (host_origins(b->scan, target->leaf, &origins) ||
                                      find_in_array(b, target->leaf, &origins));
  if (!has_origins) {
    add_target(b, list, target);
    return;
  }
  for (uint32_t i = 0; i < origins.count; i++) {
    HostTarget one = origins.items[i];
    one.condition = expr_and(b->scan->pool, target->condition, one.condition);
    one.offset = host_add_offset(b->scan, one.offset, target->offset);
    add_target(b, list, &one);
  }
}

static void read_pointer(Builder *b, ExprRef value, const char *name, ArgPiece *piece) {
  HostTargets targets = {0};
  TargetList list = {0};
  value = host_settle(b->scan, value);
  if (!host_targets(b->scan, value, &targets)) {
    vec_push(b->scan->arena, &b->launch->undecided,
             arena_printf(b->scan->arena, "argument '%s' may point to too many objects", name));
    targets.count = 0;
    ExprRef zero = expr_const(b->scan->pool, 64, 0);
    (void)host_pointer_object(b->scan, value, name, b->launch->loc);
    vec_push(b->scan->arena, &targets, (HostTarget){expr_bool(b->scan->pool, true), value, zero});
  }
  for (uint32_t i = 0; i < targets.count; i++)
    add_origins(b, &list, &targets.items[i]);
  piece->target_count = list.count;
  piece->targets = list.items;
}

// ---- pointers in memory
// What lay there before (zeros, too: somebody may set them anew), or what is another pointer for each element: of
// this it is not said where it leads.
static bool is_elsewhere(Builder *b, ExprRef leaf) {
  HostScan *scan = b->scan;
  if (!leaf || host_is_any_address(scan, leaf) || host_is_uninitialised(scan, leaf)) return true;
  const ExprNode *node = expr_node(scan->pool, leaf);
  if (node->op != EXPR_SYM) return host_is_of_element(scan, leaf);
  const HostSym *sym = host_sym(scan, (uint32_t)node->value);
  HostTargets origins = {0};
  if (sym->is_placeholder && host_origins(scan, leaf, &origins)) return false;
  return sym->is_of_element || sym->is_placeholder ||
         host_object_of(scan, leaf)->kind == HOST_FUNCTION_ADDRESS;
}

// One of the pointers that an element may hold. Of allocations that a loop has made it is one that is known already,
// or another one.
static void add_held(Builder *b, TargetList *list, HostTarget target) {
  ExprPool *pool = b->scan->pool;
  bool is_known = !is_elsewhere(b, target.leaf);
  target.offset = host_by_elements(b->scan, target.offset);
  target.condition = host_with_conditions(b->scan, b->launch, target.condition, target.offset);
  if (is_known) {
    add_origins(b, list, &target);
    return;
  }
  ExprRef leaf = target.leaf ? host_by_elements(b->scan, target.leaf) : 0;
  for (uint32_t i = 1; leaf && i < b->leaves.count && expr_node(pool, leaf)->op == EXPR_APP; i++) {
    bool is_made_in_loop = b->leaves.items[i] && expr_node(pool, b->leaves.items[i])->op == EXPR_APP;
    ExprRef apart = 0; // of two allocations of one loop it is 0
    ExprRef same = is_made_in_loop ? same_instance(b, leaf, b->leaves.items[i], &apart) : 0;
    if (!same) continue;
    same = host_with_conditions(b->scan, b->launch, same, leaf);
    push_target(b, list, expr_and(pool, target.condition, same), i, target.offset);
    target.condition = expr_and(pool, target.condition, expr_not(pool, same));
  }
  push_target(b, list, target.condition, 0, expr_const(pool, 64, 0));
}

// An element of the array, as far as that is known: a word in it, at a multiple of its size (A7).
static ExprRef is_inside(HostScan *scan, ExprRef leaf) {
  ExprPool *pool = scan->pool;
  ExprRef size = host_object_size(scan, leaf), element = host_element(scan), eight = expr_const(pool, 64, 8);
  ExprRef zero = expr_const(pool, 64, 0);
  if (!size) return expr_bool(pool, true);
  size = expr_resize_signed(pool, host_settle(scan, size), 64);
  ExprRef inside = expr_and(pool, expr_binary(pool, EXPR_SLE, 0, zero, element),
                            expr_binary(pool, EXPR_SLE, 0, host_add_offset(scan, element, eight), size));
  return expr_and(pool, inside, expr_eq(pool, expr_binary(pool, EXPR_SREM, 0, element, eight), zero));
}

// Is the condition true of no element of the array, with what is known of who wrote it?
static bool is_nowhere(Builder *b, ExprRef inside, ExprRef condition) {
  HostScan *scan = b->scan;
  if (expr_is_true(scan->pool, inside) || !scan->options || !scan->options->prove) return false;
  condition = host_with_conditions(scan, b->launch, condition, condition);
  return scan->options->prove(scan->options->prove_context, scan->pool, 1, &inside,
                              expr_not(scan->pool, condition));
}

// `value`: of the element; inside: of which elements.
static void hold(Builder *b, const HostArguments *from, ExprRef value, ExprRef inside, LaunchHeld *held) {
  HostScan *scan = b->scan;
  HostTargets targets = {0};
  TargetList list = {0};
  value = host_settle(scan, value);
  ExprRef left = host_when_over(scan, value, from->frame, from->inst, from->behind);
  if (left) value = left;
  if (host_weight(scan, value) > HELD_WEIGHT || !host_targets(scan, value, &targets)) {
    held->untold = "host code at many places";
    targets.count = 0;
  }
  if (!left) held->untold = "a kernel or a copy that need not be over";
  if (!held->untold) held->untold = host_held_twice(scan, &targets);
  for (int elsewhere = 0; elsewhere < 2; elsewhere++) // first those that others may be the same as
    for (uint32_t i = 0; i < targets.count; i++)
      if (is_elsewhere(b, targets.items[i].leaf) == elsewhere) {
        ExprRef at = targets.items[i].leaf;
        const char *who = held->untold ? NULL : elsewhere ? host_untold(scan, at) : host_put_unseen(scan, at);
        if (who && is_nowhere(b, inside, targets.items[i].condition)) continue;
        if (who) held->untold = who;
        add_held(b, &list, targets.items[i]);
      }
  held->pointer = (ArgPiece){.bytes = 8, .target_count = list.count, .targets = list.items};
}

// What the host has put into the array at `leaf`: pointers, in those of its elements for which `asked` holds.
static void find_held_of(Builder *b, const HostArguments *from, ExprRef leaf, ExprRef asked,
                         LaunchHeld *held) {
  held->element = host_element(b->scan);
  HostCell cell = {.base = leaf, .offset = held->element, .bytes = 8, .kind = IR_PTR};
  ExprRef inside = expr_and(b->scan->pool, is_inside(b->scan, leaf), asked);
  hold(b, from, host_cell_before(b->scan, from->frame, from->inst, cell), inside, held);
  // A kernel in a graph finds what is there when the graph is launched.
  if (!held->untold && host_is_deferred(b->scan, from->frame, from->inst, from->stream))
    held->untold = host_changed_later(b->scan, from->frame, from->inst, cell);
}

static void find_held(Builder *b, const HostArguments *from, ExprRef leaf, LaunchHeld *held) {
  find_held_of(b, from, leaf, expr_bool(b->scan->pool, true), held);
}

static bool says_something(const LaunchHeld *held) {
  bool is_known = held->untold != NULL;
  for (uint32_t i = 0; i < held->pointer.target_count; i++)
    is_known |= held->pointer.targets[i].object != 0;
  return is_known;
}

static void read_held(Builder *b, const HostArguments *from, ExprRef leaf, LaunchHeld held) {
  find_held(b, from, leaf, &held);
  if (says_something(&held)) vec_push(b->scan->arena, &b->launch->held, held);
}

// A variable of the device; one that is managed is the host's as well.
static void read_variable(Builder *b, const HostArguments *from, uint32_t global, const char *name) {
  HostScan *scan = b->scan;
  LaunchHeld held = {.global = name}, own = {.global = name};
  find_held(b, from, host_leaf(scan, host_fixed_object(scan, HOST_DEVICE_VARIABLE, global)), &held);
  if (host_writes_as_its_own(scan, global)) {
    find_held(b, from, host_leaf(scan, host_fixed_object(scan, HOST_GLOBAL, global)), &own);
    if (says_something(&own) && says_something(&held)) own.untold = "host code and by copies or kernels";
    if (says_something(&own)) held = own;
  }
  if (says_something(&held)) vec_push(scan->arena, &b->launch->held, held);
}

// Of all that a kernel may read pointers from: what it is given, variables, and what pointers there lead to.
static void read_all_held(Builder *b, const HostArguments *from, const IrFunction *kernel) {
  HostScan *scan = b->scan;
  const HostKernelUse *use = host_kernel_use(scan, kernel);
  if (!use->reads_pointers) return;
  b->tests_null = host_tests_null_read(kernel);
  b->is_restrict = false;
  for (uint32_t i = 0; i < use->globals.count; i++)
    for (uint32_t g = 0; g < scan->module->globals.count; g++)
      if (use->globals.items[i].reads & HOST_READS_POINTERS &&
          strcmp(scan->module->globals.items[g].name, use->globals.items[i].name) == 0)
        read_variable(b, from, g, use->globals.items[i].name);
  for (uint32_t i = 1; i < b->leaves.count; i++) {
    HostObjectKind kind = b->leaves.items[i] ? host_object_of(scan, b->leaves.items[i])->kind : HOST_NOTHING;
    LaunchHeld held = {.object = i};
    if (kind == HOST_NOTHING || kind == HOST_POINTER || kind == HOST_FUNCTION_ADDRESS) continue;
    if (i < HELD_LIMIT) {
      read_held(b, from, b->leaves.items[i], held);
      continue;
    }
    held.element = host_element(scan);
    held.untold = "host code, into one of very many objects"; // who asks for all of them never ends
    vec_push(scan->arena, &b->launch->held, held);
  }
}

// ---- where a value stands

// A part of a struct that the host knows by its offset alone ("*dim", "dim[+8]") goes by what the kernel
// calls it.
static void name_piece(Builder *b, ExprRef value, const char *place) {
  const ExprNode *node = expr_node(b->scan->pool, value);
  if (!place || node->op != EXPR_SYM) return;
  const char *name = expr_sym_info(b->scan->pool, (uint32_t)node->value)->name;
  if (name && (name[0] == '*' || (strstr(name, "[+") && str_ends_with(name, "]"))))
    expr_sym_rename(b->scan->pool, (uint32_t)node->value, place);
}

static void push_piece(Builder *b, const HostArguments *from, const HostSource *source, HostPiece wanted,
                       const char *name, LaunchArg *arg) {
  ArgPiece piece = {
      .offset = wanted.offset, .bytes = wanted.type.bytes, .is_float = wanted.type.kind == IR_FLOAT};
  uint32_t bytes = wanted.type.bytes;
  if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) return;
  ExprRef value = host_source_read(b->scan, from, source, wanted.offset, wanted.type);
  if (!value) return;
  name_piece(b, value, wanted.place);
  if (wanted.type.kind == IR_PTR)
    read_pointer(b, value, name, &piece);
  else
    piece.word = host_settle(b->scan, expr_resize_unsigned(b->scan->pool, value, symeval_width(wanted.type)));
  vec_push(b->scan->arena, &arg->pieces, piece);
}

// A struct that the kernel reads in ways that are not seen: as it was passed.
static void push_registers(Builder *b, const HostArguments *from, const HostSource *source, const char *name,
                           LaunchArg *arg) {
  for (uint32_t i = 0; !source->in_memory && i < source->register_count; i++) {
    HostPiece piece = {i * 8, ir_ref_type(b->scan->module, from->frame->function->ir, source->registers[i]),
                       NULL};
    if (piece.type.kind != IR_BYTES) push_piece(b, from, source, piece, name, arg);
  }
}

// Of the struct's bytes, those that the kernel reads pointers from at places that it computes.
static ExprRef is_in_table(HostScan *scan, const IrFunction *kernel, uint32_t param) {
  ExprPool *pool = scan->pool;
  ExprRef element = host_element(scan);
  int64_t low = 0, high = 0;
  if (!host_table_extent(kernel, param, &low, &high)) return expr_bool(pool, true);
  return expr_and(pool, expr_binary(pool, EXPR_SLE, 0, expr_const(pool, 64, low), element),
                  expr_binary(pool, EXPR_SLE, 0, element, expr_const(pool, 64, high - 8)));
}

// A table of pointers in a struct that is passed by value, which the kernel reads at places that it computes: in the
// host's copy of the struct, or in the two registers that it is passed in. What is not found there is not from elsewhere.
static void hold_table(Builder *b, const HostArguments *from, const HostSource *source,
                       const IrFunction *kernel, LaunchHeld held) {
  HostScan *scan = b->scan;
  HostTarget copy = {0};
  int64_t offset = 1;
  const IrType pointer = ir_type_ptr(0);
  held.element = host_element(scan);
  if (!source->in_memory) {
    ExprRef low = host_source_read(scan, from, source, 0, pointer),
            high = host_source_read(scan, from, source, 8, pointer);
    ExprRef is_low = expr_eq(scan->pool, held.element, expr_const(scan->pool, 64, 0));
    if (low && high)
      hold(b, from, expr_ite(scan->pool, is_low, low, high), expr_bool(scan->pool, true), &held);
    else
      held.untold = "host code";
  } else if (host_sole_target(scan, source->address, &copy) &&
             expr_is_const(scan->pool, copy.offset, &offset) && offset == 0 &&
             host_object_of(scan, copy.leaf)->kind == HOST_LOCAL) {
    find_held_of(b, from, copy.leaf, is_in_table(scan, kernel, held.parameter - 1), &held);
  } else {
    held.untold = "host code";
  }
  vec_push(scan->arena, &b->launch->held, held);
}

// Of each two pointers that the kernel is given, one of which is this one, is one declared `__restrict__`? What the kernel writes
// through one it may not touch through the other, then.
static bool is_restrict(const IrFunction *kernel, uint32_t index) {
  uint32_t others = 0;
  for (uint32_t i = 0; i < kernel->params.count; i++) {
    const IrParam *param = &kernel->params.items[i];
    others += i != index && !param->is_restrict && (param->byval_bytes || param->type.kind == IR_PTR);
  }
  return kernel->params.items[index].is_restrict || others == 0;
}

static void read_parameter(Builder *b, const HostArguments *from, const IrFunction *kernel, uint32_t index) {
  const IrParam *param = &kernel->params.items[index];
  HostSource source = {0};
  LaunchArg arg = {0};
  bool found = from->in_array ? host_source_in_array(b->scan, from, index, &source)
                              : host_source_in_operands(b->scan, from, kernel, index, &source);
  const char *name = param->name ? param->name : "argument";
  b->tests_null = host_tests_null(kernel, index);
  b->is_restrict = is_restrict(kernel, index);
  if (found && param->byval_bytes) {
    HostPieces pieces = {0};
    host_kernel_pieces(b->scan->arena, kernel, index, &pieces);
    for (uint32_t i = 0; i < pieces.count; i++)
      push_piece(b, from, &source, pieces.items[i], name, &arg);
    if (pieces.count == 0) push_registers(b, from, &source, name, &arg);
    if (host_reads_table(kernel, index) & HOST_READS_POINTERS)
      hold_table(b, from, &source, kernel, (LaunchHeld){.parameter = index + 1, .global = name});
  } else if (found) {
    push_piece(b, from, &source, (HostPiece){0, param->type, NULL}, name, &arg);
  }
  vec_push(b->scan->arena, &b->launch->args, arg);
}

// A pointer from outside is an object of its own, and so is a fresh allocation. Another unknown pointer may
// come from visible code that was not followed: that it points elsewhere is an assumption.
static bool is_lost(HostScan *scan, ExprRef leaf) {
  const ExprNode *node = expr_node(scan->pool, leaf);
  if (host_object_of(scan, leaf)->kind != HOST_POINTER) return false;
  if (node->op != EXPR_SYM) return true;
  const HostSym *sym = host_sym(scan, (uint32_t)node->value);
  if (!sym->holder) return !host_object_of(scan, leaf)->is_parameter;
  return sym->is_overwritten || sym->is_placeholder;
}

// Variables of the device that the kernel uses by name: an unknown pointer may be the address of one.
static uint32_t count_variables(HostScan *scan, const IrFunction *kernel) {
  const HostKernelUse *use = host_kernel_use(scan, kernel);
  uint32_t count = 0;
  for (uint32_t i = 0; i < use->globals.count; i++)
    for (uint32_t g = 0; g < scan->module->globals.count; g++)
      count += strcmp(scan->module->globals.items[g].name, use->globals.items[i].name) == 0;
  return count;
}

static void list_aliasing(Builder *b, const IrFunction *kernel) {
  uint32_t objects = count_variables(b->scan, kernel);
  bool has_lost = false;
  for (uint32_t i = 1; i < b->leaves.count; i++) {
    objects += b->leaves.items[i] != 0;
    has_lost |= b->leaves.items[i] && is_lost(b->scan, b->leaves.items[i]);
  }
  if (has_lost && objects > 1) b->launch->assumptions |= ASSUME_NO_ALIAS;
}

void host_arguments_given(HostScan *scan, const HostArguments *from, const IrFunction *kernel,
                          const ExprRef *values, LaunchContext *launch) {
  ASSERT(launch);
  Builder builder = {.scan = scan, .launch = launch};
  scan->launch_read = from;
  for (uint32_t i = 0; i < kernel->params.count; i++) {
    const IrParam *param = &kernel->params.items[i];
    ArgPiece piece = {.bytes = param->type.bytes, .is_float = param->type.kind == IR_FLOAT};
    LaunchArg arg = {0};
    builder.tests_null = host_tests_null(kernel, i);
    builder.is_restrict = is_restrict(kernel, i);
    if (param->type.kind == IR_PTR)
      read_pointer(&builder, values[i], param->name ? param->name : "argument", &piece);
    else
      piece.word = host_settle(scan, values[i]);
    vec_push(scan->arena, &arg.pieces, piece);
    vec_push(scan->arena, &launch->args, arg);
  }
  read_all_held(&builder, from, kernel);
  list_aliasing(&builder, kernel);
  host_textures_check(scan, kernel, builder.leaves.items, launch);
  host_contents_read(scan, from, kernel, builder.leaves.items, launch, true);
  scan->launch_read = NULL;
}

static void read_arguments(HostScan *scan, const HostArguments *from, const IrFunction *kernel,
                           LaunchContext *launch) {
  const IrFunction *ir = from->frame->function->ir;
  const IrInst *call = &ir->insts.items[from->inst];
  Builder builder = {.scan = scan, .launch = launch};
  if (kernel) {
    for (uint32_t i = 0; i < kernel->params.count; i++)
      read_parameter(&builder, from, kernel, i);
    if (!from->in_array && !host_operands_fit(scan, from, kernel))
      vec_push(scan->arena, &launch->undecided,
               "the arguments of the launch do not fit the kernel's parameters");
    read_all_held(&builder, from, kernel);
    list_aliasing(&builder, kernel);
    host_textures_check(scan, kernel, builder.leaves.items, launch);
    host_contents_read(scan, from, kernel, builder.leaves.items, launch, false);
    return;
  }
  for (uint32_t i = 0; !from->in_array && i < host_argument_count(call); i++) {
    HostSource source = {.registers = {call->ops[i]}, .register_count = 1};
    LaunchArg arg = {0};
    push_registers(&builder, from, &source, "argument", &arg);
    vec_push(scan->arena, &launch->args, arg);
  }
}

void host_arguments_read(HostScan *scan, const HostArguments *from, const IrFunction *kernel,
                         LaunchContext *launch) {
  ASSERT(launch);
  scan->launch_read = from;
  read_arguments(scan, from, kernel, launch);
  scan->launch_read = NULL;
}
