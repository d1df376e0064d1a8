// What is said of an element of an array of which it is not said which one? `element` is a symbol for its offset; what
// else is unknown of it is a function of the offset, so that the same can be said of another element.
// Method: symbols that are contents of the element are replaced by functions of it, each made once.
// Soundness: exact: a word lies at a multiple of its size (C requires it), so that two of one size are one or do not meet.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/series.h"
#include "core/bug.h"
#include "hostscan/terms.h"

ExprRef host_element(HostScan *scan) {
  if (!scan->element)
    scan->element = host_unknown(
        scan,
        (HostUnknown){.width = 64, .name = "element", .loop = CFG_NONE, .lo = 0, .hi = (int64_t)1 << 48});
  ASSERT(host_has_word(scan, scan->element, 64));
  return scan->element;
}

static bool mentions_element(HostScan *scan, ExprRef ref) {
  return scan->element && host_mentions(scan, ref, (uint32_t)expr_node(scan->pool, scan->element)->value);
}

bool host_is_element(HostScan *scan, HostCell cell) {
  ASSERT(host_has_cell(scan, cell));
  return scan->element && (cell.offset == scan->element || mentions_element(scan, cell.offset) ||
                           mentions_element(scan, cell.base)); // an address that could not be taken apart
}

ExprFunc host_function_like(const ExprSym *sym) {
  ASSERT(expr_is_width(sym->width));
  return (ExprFunc){.name = sym->name,
                    .width = sym->width,
                    .kind = sym->kind,
                    .lo = sym->lo,
                    .hi = sym->hi,
                    .loc = sym->loc};
}

ExprRef host_function_of_element(HostScan *scan, const ExprSym *like, uint32_t *func) {
  ASSERT(scan->element && func); // after host_element
  *func = expr_new_func(scan->pool, host_function_like(like));
  return expr_app(scan->pool, *func, 1, &scan->element);
}

void host_note_origin(HostScan *scan, HostFuncOrigin origin) {
  ASSERT(origin.func < expr_func_count(scan->pool));
  vec_push(scan->arena, &scan->func_origins, origin);
}

// An element's own unknown values: other ones for another element.
static ExprRef by_element(HostScan *scan, uint32_t sym) {
  if (!host_sym(scan, sym)->by_element) {
    ExprSym info = *expr_sym_info(scan->pool, sym);
    uint32_t func = 0;
    ExprRef made = host_function_of_element(scan, &info, &func);
    host_sym(scan, sym)->by_element = made;
    host_note_origin(scan, (HostFuncOrigin){.func = func, .sym = sym});
    if (host_sym(scan, sym)->is_uninitialised) vec_push(scan->arena, &scan->uninitialised_funcs, func);
  }
  return host_sym(scan, sym)->by_element;
}

typedef struct Symbols {
  HostScan *scan;
  IndexList of_element;
} Symbols;

static bool find_of_element(void *context, uint32_t sym) {
  Symbols *symbols = context;
  if (host_sym(symbols->scan, sym)->is_of_element) vec_push(symbols->scan->arena, &symbols->of_element, sym);
  return true;
}

ExprRef host_by_elements(HostScan *scan, ExprRef ref) {
  ASSERT(expr_is_of(scan->pool, ref));
  Symbols symbols = {.scan = scan};
  ref = host_settle(scan, ref);
  host_each_sym(scan, ref, find_of_element, &symbols);
  for (uint32_t i = 0; i < symbols.of_element.count; i++) {
    uint32_t sym = symbols.of_element.items[i];
    ref = host_replace(scan, ref, expr_sym(scan->pool, sym), by_element(scan, sym));
  }
  return ref;
}

ExprRef host_at_element(HostScan *scan, ExprRef ref, ExprRef element) {
  ASSERT(expr_is_of(scan->pool, ref));
  ASSERT(expr_is_of(scan->pool, element));
  return host_replace(scan, host_by_elements(scan, ref), scan->element, element);
}

bool host_is_of_element(HostScan *scan, ExprRef ref) {
  ASSERT(expr_is_of(scan->pool, ref));
  ExprRef of_element = host_by_elements(scan, ref);
  return of_element != host_settle(scan, ref) || mentions_element(scan, of_element);
}

bool host_holds_func(const ExprPool *pool, ExprRef ref, const IndexList *funcs) {
  ASSERT(!ref || expr_is_of(pool, ref));
  if (!ref) return false;
  ExprNode node = *expr_node(pool, ref);
  for (uint32_t i = 0; node.op == EXPR_APP && i < funcs->count; i++)
    if (funcs->items[i] == (uint32_t)node.value) return true;
  for (uint32_t i = 0; i < node.arg_count; i++)
    if (host_holds_func(pool, node.args[i], funcs)) return true;
  return host_holds_func(pool, node.a, funcs) || host_holds_func(pool, node.b, funcs) ||
         host_holds_func(pool, node.c, funcs);
}

void host_fill_fact(HostScan *scan, uint32_t func, ExprRef condition) {
  ASSERT(host_has_word(scan, condition, 1));
  vec_push(scan->arena, &scan->fill_facts, (HostFillFact){func, condition});
}

ExprRef host_is_at_element(HostScan *scan, ExprRef offset, uint32_t bytes, HostCell cell) {
  ASSERT(host_has_word(scan, offset, 64));
  ASSERT(bytes > 0);
  ASSERT(host_has_cell(scan, cell));
  ExprPool *pool = scan->pool;
  if (bytes == cell.bytes) return expr_eq(pool, offset, cell.offset);
  ExprRef end = host_add_offset(scan, offset, expr_const(pool, 64, bytes));
  ExprRef cell_end = host_add_offset(scan, cell.offset, expr_const(pool, 64, cell.bytes));
  return expr_and(pool, expr_binary(pool, EXPR_SLT, 0, cell.offset, end),
                  expr_binary(pool, EXPR_SLT, 0, offset, cell_end));
}
