// Where are facts kept, and of which symbols do they speak? Conjunctions are taken apart; a fact that holds wherever its
// symbols occur hangs at each of them.
// Soundness: dropping facts is always sound: one that is too long is not kept.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/terms.h"
#include "core/bug.h"

const char *host_text(const ExprPool *pool, Arena *arena, ExprRef ref) {
  ASSERT(expr_is_of(pool, ref));
  StrBuf text = {.arena = arena};
  expr_print(pool, ref, true, &text);
  return strbuf_text(&text);
}

// A symbol that a disjunction only tests in one part of its own: "n < 32 || the copy went well". 0: none.
static uint32_t tested_sym(HostScan *scan, ExprRef condition, bool is_below) {
  ExprNode node = *expr_node(scan->pool, condition);
  if (node.op == EXPR_OR) {
    uint32_t found = tested_sym(scan, node.a, true);
    return found ? found : tested_sym(scan, node.b, true);
  }
  if (node.op == EXPR_NOT) node = *expr_node(scan->pool, node.a);
  int64_t value = 0, lo = 0, hi = 0;
  if (!is_below || node.op != EXPR_EQ || !expr_is_const(scan->pool, node.b, &value)) return 0;
  const ExprNode *tested = expr_node(scan->pool, node.a);
  expr_range(scan->pool, node.a, &lo, &hi);
  bool is_either = tested->op == EXPR_SYM && value >= lo && value <= hi && lo < hi;
  return is_either && !host_sym(scan, (uint32_t)tested->value)->is_placeholder ? (uint32_t)tested->value : 0;
}

void host_fact_add(const HostFactPlace *place, ExprRef condition, FactClass class, SrcLoc loc) {
  HostScan *scan = place->scan;
  ASSERT(host_has_word(scan, condition, 1) && place->list);
  condition = host_settle(scan, condition);
  ExprNode node = *expr_node(scan->pool, condition);
  if (expr_is_true(scan->pool, condition) || host_weight(scan, condition) > HOST_HEAVY * 4) return;
  if (node.op == EXPR_AND) {
    host_fact_add(place, node.a, class, loc);
    host_fact_add(place, node.b, class, loc);
    return;
  }
  ExprNode inner = node.op == EXPR_NOT ? *expr_node(scan->pool, node.a) : node;
  if (node.op == EXPR_NOT && inner.op == EXPR_OR) {
    host_fact_add(place, expr_not(scan->pool, inner.a), class, loc);
    host_fact_add(place, expr_not(scan->pool, inner.b), class, loc);
    return;
  }
  IndexList syms = host_list_syms(scan, scan->arena, condition);
  HostFact fact = {.fact = {.condition = condition, .class = class, .loc = loc},
                   .frame = place->frame,
                   .above = place->above,
                   .loop = place->loop,
                   .is_closed = syms.count == 0,
                   .tested = tested_sym(scan, condition, false),
                   .sym_count = syms.count,
                   .syms = syms.items};
  for (uint32_t i = 0; i < syms.count; i++) {
    HostSym *sym = host_sym(scan, syms.items[i]);
    scan->has_unfreed |= ++sym->fact_count == 2 && sym->is_tested;
  }
  vec_push(scan->arena, &scan->facts, fact);
  vec_push(scan->arena, place->list, scan->facts.count - 1);
}

static void link_side_fact(HostScan *scan, uint32_t sym, uint32_t fact) {
  if (scan->side_links.count == 0) vec_push(scan->arena, &scan->side_links, (HostFactLink){0});
  HostFactLink link = {.fact = fact, .next = host_sym(scan, sym)->side_facts, .sym = sym};
  host_sym(scan, sym)->side_facts = scan->side_links.count;
  vec_push(scan->arena, &scan->side_links, link);
}

void host_side_fact(HostScan *scan, ExprRef about, ExprRef condition, FactClass class, SrcLoc loc) {
  ASSERT(!about || expr_is_of(scan->pool, about));
  ASSERT(host_has_word(scan, condition, 1));
  IndexList list = {0};
  HostFactPlace place = {.scan = scan, .list = &list, .above = CFG_NONE, .loop = CFG_NONE};
  ExprNode node = about ? *expr_node(scan->pool, about) : (ExprNode){0};
  host_fact_add(&place, condition, class, loc);
  for (uint32_t i = 0; i < list.count; i++) {
    const HostFact *fact = &scan->facts.items[list.items[i]];
    bool is_named = node.op == EXPR_SYM && host_mentions(scan, fact->fact.condition, (uint32_t)node.value);
    for (uint32_t k = 0; k < fact->sym_count; k++)
      if (!is_named || fact->syms[k] == node.value) link_side_fact(scan, fact->syms[k], list.items[i]);
  }
}
