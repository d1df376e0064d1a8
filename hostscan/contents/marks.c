// Is a store of a loop made only where another array is not marked yet, beside the store of the mark? Then no place is marked in two
// rounds. Method: the mark is all that the loop stores to that array; with what it stores in place of what lay there
// the condition of the store is false. Soundness: the places are those of the store's own rounds; nothing else of the
// array is said.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/contents/fill.h"
#include "core/bug.h"
#include "hostscan/facts.h"
#include "hostscan/objects.h"
#include "hostscan/series.h"
#include "hostscan/terms.h"
#include "hostscan/value.h"

// The store that alone changes the array in the loop, one word beside the store of the element; NULL: there is none.
static const FillStore *only_mark(const Fill *fill, HostCell cell) {
  FillStores *stores = arena_new(fill->scan->arena, FillStores);
  stores->loop = (HostLoopPlace){fill->frame, fill->loop};
  if (!fill_list_stores(fill->scan, cell, stores)) return NULL;
  const FillStore *mark = stores->host.items, *store = fill->store;
  bool is_only = stores->host.count == 1 && stores->device.count == 0;
  if (!is_only || mark->frame != store->frame || !mark->value || mark->bytes != cell.bytes) return NULL;
  const IrInst *insts = store->frame->function->ir->insts.items;
  return insts[mark->inst].block == insts[store->inst].block ? mark : NULL;
}

// Is what the array held at this place at the start of the iteration marked by the store, so that the condition never holds
// of that place again?
static bool is_marked(const Fill *fill, ExprRef condition, uint32_t symbol) {
  HostScan *scan = fill->scan;
  const HostSym *sym = host_sym(scan, symbol);
  if (!sym->cell_offset || !sym->is_placeholder || sym->frame != fill->frame || sym->loop != fill->loop)
    return false;
  ExprRef was = expr_sym(scan->pool, symbol);
  uint32_t bytes = (expr_width(scan->pool, was) + 7u) / 8;
  HostCell cell = {scan->objects.items[sym->holder].leaf, scan->element, bytes, IR_INT};
  if (!host_is_cell_size(bytes) || cell.base == fill->cell.base) return false;
  const FillStore *mark = only_mark(fill, cell);
  if (!mark) return false;
  int64_t apart = 1, left = 0;
  ExprRef distance = expr_binary(scan->pool, EXPR_SUB, EXPR_ADDRESS, mark->offset, sym->cell_offset);
  ExprRef value = host_settle(scan, mark->value);
  if (!expr_is_const(scan->pool, host_gather(scan, host_settle(scan, distance)), &apart) || apart != 0 ||
      !expr_is_const(scan->pool, value, &left))
    return false;
  ExprRef now = expr_const(scan->pool, expr_width(scan->pool, was), left);
  return expr_is_false(scan->pool, host_settle(scan, host_replace(scan, condition, was, now)));
}

// `if (!listed[i]) { listed[i] = true; list[n++] = i; }`: no place is marked in two iterations, so there is a function that says of each place in which one.
enum { MOST_CONDITIONS = 24 };

static void keep_mark(Fill *fill, ExprRef condition) {
  HostScan *scan = fill->scan;
  ExprPool *pool = scan->pool;
  condition = host_settle(scan, condition);
  IndexList syms = host_list_syms(scan, scan->arena, condition);
  for (uint32_t i = 0; i < syms.count; i++) {
    if (!is_marked(fill, condition, syms.items[i])) continue;
    bool varies = false;
    ExprRef place = fill_then(fill, host_sym(scan, syms.items[i])->cell_offset, &varies),
            count = fill_then(fill, host_loop_count(scan, fill->frame, fill->loop), &varies);
    uint8_t width = expr_width(pool, count);
    uint32_t func = expr_new_func(
        pool, (ExprFunc){.name = "marked in iteration", .width = width, .kind = SYM_HOST_VALUE});
    fill_keep(fill, expr_eq(pool, expr_app(pool, func, 1, &place), count));
  }
}

void fill_keep_marks(Fill *fill) {
  HostScan *scan = fill->scan;
  IndexList facts = {0};
  if (fill->store->frame != fill->frame) return;
  host_facts_at(scan, fill->frame, fill->store->inst, &facts);
  for (uint32_t i = 0; i < facts.count && i < MOST_CONDITIONS; i++)
    keep_mark(fill, scan->facts.items[facts.items[i]].fact.condition);
}
