// Which objects can a pointer be that changes in a loop, and has no closed form there (`if (n & 1) p = q;`),
// or that is computed in bits (`p ^ 16`)? Method: what it is on entry and what it is handed at the ends of
// iterations, followed through other such pointers, is a set of objects. Which of them it is is an unknown
// choice, where within one an unknown offset if anything on the way moves it. An object that an earlier
// iteration made is that of an unknown earlier iteration. Soundness: all ways in which the pointer gets its
// value are followed, or the pointer stays what it is: an unknown one, of which A2 says that it points
// elsewhere. Which choices go together is not kept.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/objects/objects.h"
#include "core/bug.h"
#include "hostscan/syntax.h"
#include "hostscan/series.h"
#include "hostscan/terms.h"

typedef struct Step {
  ExprRef leaf;
  bool is_old; // as of an earlier iteration
} Step;

typedef struct Web {
  HostScan *scan;
  VEC(Step) work, seen;
  HostTargets found;
  VEC(HostSym) loops; // a pointer of each loop that hands something on
  bool is_moved, is_too_large;
  const char *name;
  SrcLoc loc;
} Web;

static const HostSym *origin_of(HostScan *scan, ExprRef leaf) {
  const ExprNode *node = leaf ? expr_node(scan->pool, leaf) : NULL;
  const HostSym *sym = node && node->op == EXPR_SYM ? host_sym(scan, (uint32_t)node->value) : NULL;
  return sym && sym->entering ? sym : NULL;
}

static ExprRef unknown_for(Web *w, const HostSym *at, uint8_t width, const char *what) {
  HostUnknown unknown = {.frame = at->frame, .loop = at->loop, .width = width, .loc = w->loc};
  unknown.name = arena_printf(w->scan->arena, "%s of %s", what, w->name);
  unknown.hi = width == 64 ? 0 : INT32_MAX;
  return host_unknown(w->scan, unknown);
}

static bool varies(Web *w, ExprRef ref) {
  for (uint32_t i = 0; i < w->loops.count; i++)
    if (host_varies_in(w->scan, ref, w->loops.items[i].frame, w->loops.items[i].loop)) return true;
  return false;
}

// ---- the set
static void visit(Web *w, ExprRef leaf, bool is_old) {
  for (uint32_t i = 0; i < w->seen.count; i++)
    if (w->seen.items[i].leaf == leaf && (w->seen.items[i].is_old || !is_old)) return;
  vec_push(w->scan->arena, &w->seen, (Step){leaf, is_old});
  vec_push(w->scan->arena, &w->work, (Step){leaf, is_old});
  w->is_too_large |= w->seen.count > 2 * HOST_TARGET_LIMIT;
}

static void note_loop(Web *w, const HostSym *sym) {
  for (uint32_t i = 0; i < w->loops.count; i++)
    if (w->loops.items[i].frame == sym->frame && w->loops.items[i].loop == sym->loop) return;
  vec_push(w->scan->arena, &w->loops, *sym);
}

// What it was that an earlier iteration had: `condition` of a target marks it, 1 bit for "old".
static void find(Web *w, HostTarget target, bool is_old) {
  target.condition = expr_bool(w->scan->pool, is_old);
  for (uint32_t i = 0; i < w->found.count; i++) {
    const HostTarget *known = &w->found.items[i];
    if (known->leaf == target.leaf && known->offset == target.offset && known->condition == target.condition)
      return;
  }
  vec_push(w->scan->arena, &w->found, target);
}

static void follow(Web *w, ExprRef value, bool is_old) {
  HostTargets targets = {0};
  int64_t distance = 1;
  w->is_too_large |= !host_targets(w->scan, value, &targets);
  for (uint32_t i = 0; i < targets.count && !w->is_too_large; i++) {
    const HostTarget *target = &targets.items[i];
    if (origin_of(w->scan, target->leaf)) {
      w->is_moved |= !expr_is_const(w->scan->pool, target->offset, &distance) || distance != 0;
      visit(w, target->leaf, is_old);
    } else {
      find(w, *target, is_old);
    }
  }
}

// ---- choices

// What was read from memory then was read from the same place in the text.
static ExprRef earlier_value(Web *w, ExprRef leaf) {
  HostScan *scan = w->scan;
  const HostSym *at = &w->loops.items[0];
  const ExprNode *node = expr_node(scan->pool, leaf);
  uint32_t index = node->op == EXPR_SYM ? (uint32_t)node->value : 0;
  ExprRef earlier = unknown_for(w, at, 64, "earlier value");
  if (!index) return earlier;
  const HostSym then = *host_sym(scan, index);
  HostSym *sym = host_sym(scan, (uint32_t)expr_node(scan->pool, earlier)->value);
  sym->place = then.place;
  sym->place_frame = then.place_frame;
  sym->place_index = then.place_index;
  sym->holder = then.holder;
  sym->cell = then.cell;
  sym->cell_offset = 0; // of another round
  if (then.frame == sym->frame) sym->read_by = then.read_by;
  return earlier;
}

// The object as an earlier iteration made it.
static ExprRef as_of_earlier(Web *w, ExprRef leaf) {
  HostScan *scan = w->scan;
  ExprNode node = *expr_node(scan->pool, leaf);
  const HostSym *at = &w->loops.items[0];
  if (!leaf || !varies(w, leaf)) return leaf;
  if (node.op != EXPR_APP) return earlier_value(w, leaf);
  ExprRef *args = arena_array(scan->arena, node.arg_count + 1u, ExprRef);
  for (uint32_t i = 0; i < node.arg_count; i++) {
    args[i] = node.args[i];
    if (!varies(w, node.args[i])) continue;
    args[i] = unknown_for(w, at, expr_width(scan->pool, node.args[i]), "earlier round");
    if (w->loops.count > 1 || node.args[i] != at->frame->loops[at->loop].count) continue;
    host_side_fact(scan, args[i], expr_binary(scan->pool, EXPR_SLT, 0, args[i], node.args[i]), FACT_LOOP,
                   w->loc);
  }
  return expr_app(scan->pool, (uint32_t)node.value, node.arg_count, args);
}

static void settle_target(Web *w, HostTarget *target) {
  bool is_old = expr_is_true(w->scan->pool, target->condition);
  if (w->is_moved || (is_old && varies(w, target->offset)))
    target->offset = unknown_for(w, &w->loops.items[0], 64, "offset");
  if (is_old && target->leaf) target->leaf = as_of_earlier(w, target->leaf);
}

static void choose(Web *w, HostTargets *targets) {
  HostScan *scan = w->scan;
  for (uint32_t i = 0; i < w->found.count; i++) {
    HostTarget target = w->found.items[i];
    bool is_known = false;
    settle_target(w, &target);
    for (uint32_t k = 0; k < targets->count; k++)
      is_known |= targets->items[k].leaf == target.leaf && targets->items[k].offset == target.offset;
    if (!is_known) vec_push(scan->arena, targets, target);
  }
  HostUnknown unknown = {.frame = w->loops.items[0].frame, .loop = w->loops.items[0].loop, .width = 32};
  unknown.name = arena_printf(scan->arena, "choice of %s", w->name);
  unknown.loc = w->loc;
  unknown.hi = targets->count - 1;
  ExprRef which = targets->count > 1 ? host_unknown(scan, unknown) : 0;
  if (which) {
    HostSym *sym = host_sym(scan, (uint32_t)expr_node(scan->pool, which)->value);
    sym->hangs_on = w->loops.items[0].coming_round;
    sym->is_choice = true;
  }
  for (uint32_t i = 0; i < targets->count; i++)
    targets->items[i].condition =
        which ? expr_eq(scan->pool, which, expr_const(scan->pool, 32, i)) : expr_bool(scan->pool, true);
}

// ---- addresses that are computed
typedef struct Mentioned {
  HostScan *scan;
  ExprRef leaf; // of the only object that is mentioned
  bool is_other;
} Mentioned;

static bool note_mentioned(void *context, uint32_t index) {
  Mentioned *m = context;
  const HostSym *sym = host_sym(m->scan, index);
  ExprRef leaf = sym->object ? host_leaf(m->scan, sym->object) : 0;
  m->is_other |= sym->is_placeholder || (leaf && m->leaf && leaf != m->leaf);
  if (leaf) m->leaf = leaf;
  return !m->is_other;
}

// p ^ 16: somewhere in what p points to.
static void find_mentioned(HostScan *scan, ExprRef leaf, HostTargets *targets) {
  Mentioned m = {.scan = scan};
  host_each_sym(scan, leaf, note_mentioned, &m);
  if (!m.leaf || m.is_other) return;
  HostUnknown unknown = {.width = 64, .loop = CFG_NONE, .loc = host_object_of(scan, m.leaf)->loc};
  unknown.name = arena_printf(scan->arena, "offset in %s", host_object_of(scan, m.leaf)->name);
  HostTarget target = {expr_bool(scan->pool, true), m.leaf, host_unknown(scan, unknown)};
  host_sym(scan, (uint32_t)expr_node(scan->pool, target.offset)->value)->is_unfollowed = true;
  vec_push(scan->arena, targets, target);
}

static void find_in_web(HostScan *scan, ExprRef leaf, HostTargets *targets) {
  const ExprSym *info = expr_sym_info(scan->pool, (uint32_t)expr_node(scan->pool, leaf)->value);
  Web w = {.scan = scan, .name = info->name, .loc = info->loc};
  visit(&w, leaf, false);
  while (w.work.count && !w.is_too_large) {
    Step step = w.work.items[--w.work.count];
    const HostSym sym = *origin_of(scan, step.leaf);
    note_loop(&w, &sym);
    follow(&w, sym.entering, step.is_old);
    follow(&w, sym.coming_round, true);
  }
  if (!w.is_too_large && w.found.count <= HOST_TARGET_LIMIT) choose(&w, targets);
}

ExprRef host_with_origins(HostScan *scan, ExprRef address) {
  ASSERT(host_has_word(scan, address, 64));
  HostTargets targets = {0}, origins = {0};
  ExprRef value = 0;
  bool has_origins = false;
  if (!host_targets(scan, address, &targets)) return address;
  for (uint32_t i = targets.count; i-- > 0;) {
    const HostTarget *target = &targets.items[i];
    HostTarget itself = {expr_bool(scan->pool, true), target->leaf, expr_const(scan->pool, 64, 0)};
    bool is_web = target->leaf && origin_of(scan, target->leaf) && host_origins(scan, target->leaf, &origins);
    has_origins |= is_web;
    for (uint32_t o = is_web ? origins.count : 1; o-- > 0;) {
      const HostTarget *origin = is_web ? &origins.items[o] : &itself;
      ExprRef place = host_add_offset(scan, origin->offset, target->offset);
      ExprRef condition = expr_and(scan->pool, target->condition, origin->condition);
      if (origin->leaf) place = host_add_offset(scan, origin->leaf, place);
      value = value ? expr_ite(scan->pool, condition, place, value) : place;
    }
  }
  return has_origins ? value : address;
}

bool host_origins(HostScan *scan, ExprRef leaf, HostTargets *targets) {
  ASSERT(host_has_word(scan, leaf, 64));
  ASSERT(targets);
  HostKey key = {{MEMO_ORIGINS, leaf}};
  const ExprNode *node = expr_node(scan->pool, leaf);
  bool is_web = origin_of(scan, leaf) != NULL;
  if (!is_web && (node->op == EXPR_SYM || node->op == EXPR_APP)) return false;
  uint32_t known = host_map_get(&scan->memo, key);
  if (!known) {
    HostTargets made = {0};
    if (is_web)
      find_in_web(scan, leaf, &made);
    else
      find_mentioned(scan, leaf, &made);
    vec_push(scan->arena, &scan->origins, made);
    host_map_put(&scan->memo, key, known = scan->origins.count);
  }
  *targets = scan->origins.items[known - 1];
  return targets->count > 0;
}
