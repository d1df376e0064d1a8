// Which symbols are in an expression, and what is it with some of them replaced? The scan asks this often,
// on small expressions of a large pool.
// Method: depth-first walks with marks that are numbered by walk, so that none has to be cleared: each
// costs as much as the expression is large. Whether an expression holds placeholders is known for each
// once.
// Soundness: exact.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/terms.h"
#include "core/bug.h"
#include "hostscan/names.h"
#include "hostscan/syntax.h"

static uint32_t new_round(HostScan *scan) {
  while (scan->marks.count <= expr_count(scan->pool))
    vec_push(scan->arena, &scan->marks, (HostMark){0});
  return ++scan->mark_round;
}

// ---- size
uint32_t host_weight(HostScan *scan, ExprRef ref) {
  ASSERT(!ref || expr_is_of(scan->pool, ref));
  if (!ref) return 0;
  while (scan->weights.count <= ref)
    vec_push(scan->arena, &scan->weights, 0);
  if (scan->weights.items[ref]) return scan->weights.items[ref];
  ExprNode node = *expr_node(scan->pool, ref);
  uint64_t sum =
      1 + (uint64_t)host_weight(scan, node.a) + host_weight(scan, node.b) + host_weight(scan, node.c);
  for (uint32_t i = 0; i < node.arg_count; i++)
    sum += host_weight(scan, node.args[i]);
  scan->weights.items[ref] = sum > UINT32_MAX / 8 ? UINT32_MAX / 8 : (uint32_t)sum;
  return scan->weights.items[ref];
}

// ---- walking
typedef struct Walk {
  HostScan *scan;
  uint32_t round;
  HostSymVisit visit;
  void *context;
} Walk;

static bool walk(const Walk *w, ExprRef ref) {
  if (!ref || w->scan->marks.items[ref].round == w->round) return true;
  w->scan->marks.items[ref].round = w->round;
  const ExprNode *node = expr_node(w->scan->pool, ref);
  if (node->op == EXPR_SYM) return w->visit(w->context, (uint32_t)node->value);
  if (!walk(w, node->a) || !walk(w, node->b) || !walk(w, node->c)) return false;
  for (uint32_t i = 0; i < node->arg_count; i++)
    if (!walk(w, node->args[i])) return false;
  return true;
}

void host_each_sym(HostScan *scan, ExprRef ref, HostSymVisit visit, void *context) {
  ASSERT(expr_is_of(scan->pool, ref));
  Walk w = {scan, new_round(scan), visit, context};
  (void)walk(&w, ref);
}

typedef struct Listing {
  Arena *arena;
  IndexList syms;
} Listing;

static bool list_sym(void *context, uint32_t sym) {
  Listing *listing = context;
  vec_push(listing->arena, &listing->syms, sym);
  return true;
}

IndexList host_list_syms(HostScan *scan, Arena *arena, ExprRef ref) {
  ASSERT(expr_is_of(scan->pool, ref));
  Listing listing = {.arena = arena};
  host_each_sym(scan, ref, list_sym, &listing);
  return listing.syms;
}

static bool is_other_sym(void *context, uint32_t sym) {
  return sym != *(const uint32_t *)context;
}

bool host_mentions(HostScan *scan, ExprRef ref, uint32_t sym) {
  ASSERT(expr_is_of(scan->pool, ref));
  ASSERT(sym < expr_sym_count(scan->pool));
  Walk w = {scan, new_round(scan), is_other_sym, &sym};
  return !walk(&w, ref);
}

// ---- replacing
typedef struct Replace {
  HostScan *scan;
  uint32_t round;
  ExprRef what; // replaced by `by`; 0: all placeholders by their forms
  ExprRef by;
} Replace;

static ExprRef replace(const Replace *r, ExprRef ref);

static ExprRef replaced_sym(const Replace *r, ExprRef ref, uint32_t sym) {
  if (r->what) return ref;
  const HostScan *scan = r->scan;
  return sym < scan->forms.count && scan->forms.items[sym] ? scan->forms.items[sym] : ref;
}

static ExprRef rebuilt(const Replace *r, ExprRef ref, ExprNode node) {
  ExprPool *pool = r->scan->pool;
  if (node.op == EXPR_CONST) return ref;
  if (node.op == EXPR_SYM) return replaced_sym(r, ref, (uint32_t)node.value);
  if (node.op == EXPR_APP) {
    ExprRef *args = arena_array(r->scan->arena, node.arg_count + 1u, ExprRef);
    bool same = true;
    for (uint32_t i = 0; i < node.arg_count; i++) {
      args[i] = replace(r, node.args[i]);
      same &= args[i] == node.args[i];
    }
    return same ? ref : expr_app(pool, (uint32_t)node.value, node.arg_count, args);
  }
  ExprRef a = replace(r, node.a), b = node.b ? replace(r, node.b) : 0, c = node.c ? replace(r, node.c) : 0;
  if (a == node.a && b == node.b && c == node.c) return ref;
  if (c) return expr_ite(pool, a, b, c);
  if (node.op == EXPR_TRUNC) return host_narrowed(r->scan, a, node.width);
  return b ? expr_binary(pool, (ExprOp)node.op, node.flags, a, b)
           : expr_unary(pool, (ExprOp)node.op, node.width, a);
}

static ExprRef replace(const Replace *r, ExprRef ref) {
  HostMark *mark = &r->scan->marks.items[ref];
  if (ref == r->what) return r->by;
  if (mark->round == r->round) return mark->result;
  ExprRef result = rebuilt(r, ref, *expr_node(r->scan->pool, ref));
  r->scan->marks.items[ref].round = r->round;
  r->scan->marks.items[ref].result = result;
  return result;
}

ExprRef host_at_iteration(HostScan *scan, ExprRef ref, ExprRef count, ExprRef iteration) {
  ASSERT(expr_is_of(scan->pool, ref));
  ASSERT(expr_is_of(scan->pool, count));
  ASSERT(expr_is_of(scan->pool, iteration));
  ExprNode node = *expr_node(scan->pool, count);
  if (node.op != EXPR_SYM || !host_mentions(scan, ref, (uint32_t)node.value)) return ref;
  Replace r = {scan, new_round(scan), count, iteration};
  return replace(&r, ref);
}

ExprRef host_replace(HostScan *scan, ExprRef ref, ExprRef what, ExprRef by) {
  ASSERT(expr_is_of(scan->pool, ref));
  ASSERT(!what || (expr_is_of(scan->pool, what) && expr_is_of(scan->pool, by)));
  Replace r = {scan, new_round(scan), what, by};
  return replace(&r, ref);
}

// ---- placeholders
static bool holds_placeholder(HostScan *scan, ExprRef ref) {
  if (!ref) return false;
  while (scan->holds.count <= ref)
    vec_push(scan->arena, &scan->holds, TRI_UNKNOWN);
  if (scan->holds.items[ref] != TRI_UNKNOWN) return scan->holds.items[ref] == TRI_YES;
  ExprNode node = *expr_node(scan->pool, ref);
  bool found = false;
  if (node.op == EXPR_SYM) found = host_sym(scan, (uint32_t)node.value)->is_placeholder;
  found = found || holds_placeholder(scan, node.a) || holds_placeholder(scan, node.b) ||
          holds_placeholder(scan, node.c);
  for (uint32_t i = 0; i < node.arg_count && !found; i++)
    found = holds_placeholder(scan, node.args[i]);
  scan->holds.items[ref] = found ? TRI_YES : TRI_NO;
  return found;
}

void host_make_placeholder(HostScan *scan, ExprRef symbol) {
  ASSERT(expr_is_of(scan->pool, symbol));
  host_sym(scan, (uint32_t)expr_node(scan->pool, symbol)->value)->is_placeholder = true;
}

void host_set_form(HostScan *scan, ExprRef placeholder, ExprRef form) {
  ASSERT(expr_is_of(scan->pool, placeholder));
  ASSERT(expr_is_of(scan->pool, form));
  uint32_t sym = (uint32_t)expr_node(scan->pool, placeholder)->value;
  while (scan->forms.count <= sym)
    vec_push(scan->arena, &scan->forms, 0);
  scan->forms.items[sym] = form;
  scan->replacements++;
  const ExprSym *info = expr_sym_info(scan->pool, sym);
  host_note_name(scan, form, info->name, false, info->loc);
}

ExprRef host_settle(HostScan *scan, ExprRef ref) {
  ASSERT(!ref || expr_is_of(scan->pool, ref));
  if (!holds_placeholder(scan, ref)) return ref;
  HostKey key = {{MEMO_SETTLED, ref}}, version_key = {{MEMO_SETTLED, ref, 1}};
  ExprRef settled = host_map_get(&scan->memo, key);
  if (settled && host_map_get(&scan->memo, version_key) == scan->replacements + 1) return settled;
  if (!settled) settled = ref;
  for (uint32_t rounds = 0; rounds < 64 && holds_placeholder(scan, settled); rounds++) {
    Replace r = {scan, new_round(scan), 0, 0};
    ExprRef next = replace(&r, settled);
    if (next == settled) break;
    settled = next;
  }
  host_map_put(&scan->memo, key, settled);
  host_map_put(&scan->memo, version_key, scan->replacements + 1);
  return settled;
}
