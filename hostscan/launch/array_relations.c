// How do elements of two host arrays at one place compare? A pyramid of images keeps `widths[level]` and
// `strides[level]`; a launch that is given both knows nothing of either, but that the host filled them side by side.
// Method: two numbers of a launch that stand for what lay in two arrays at one offset, at the header of a loop that
// writes there or behind a store to another element. What any element holds there is what contents.c says of arrays
// of which no element is named; said of this offset, with all that is known of the functions in it, it is asked
// whether the one is at most the other. Only that is kept: the launch gets a comparison and no functions.
// Soundness: that of theorem 5 (docs/host-code.md); a comparison is kept only if it was proved. That the element has
// been written is assumption A12: to read one that nobody has written is another mistake.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/launch/launch.h"
#include "core/bug.h"
#include "core/finding.h"
#include "hostscan/objects.h"
#include "hostscan/names.h"
#include "hostscan/series.h"
#include "hostscan/terms.h"
#include "hostscan/value.h"

enum { MOST_ELEMENTS = 6, ELEMENT_WEIGHT = 600 };

typedef struct Element { // one element of an array, as the launch knows it
  uint32_t sym;
  ExprRef value,
      known; // what was put there; what holds of the functions in it, and of its having been written
} Element;

typedef VEC(Element) Elements;

// The instruction before which the array is as the symbol found it; CFG_NONE: not followed.
uint32_t host_place_of_content(const HostSym *info) {
  const HostFunction *function = info->place_frame ? info->place_frame->function : NULL;
  if (!function) return CFG_NONE;
  const IrFunction *ir = function->ir;
  if (info->place == 1 + PLACE_HEADER)
    return ir->blocks.items[function->cfg->loops.items[info->place_index].header].first;
  if (info->place != 1 + PLACE_AFTER) return CFG_NONE;
  const IrBlock *block = &ir->blocks.items[ir->insts.items[info->place_index].block];
  return info->place_index + 1 < block->first + block->count ? info->place_index + 1 : CFG_NONE;
}

static bool is_followed(const HostSym *info) {
  if (info->place == 1 + PLACE_AFTER &&
      info->place_frame->function->ir->insts.items[info->place_index].op != IR_STORE)
    return false;
  return host_place_of_content(info) != CFG_NONE;
}

static bool is_element(HostScan *scan, uint32_t sym) {
  const HostSym *info = host_sym(scan, sym);
  if (!info->holder || !info->cell_offset || info->is_of_element) return false;
  // One array, not one for each round of a loop.
  if (expr_node(scan->pool, scan->objects.items[info->holder].leaf)->op != EXPR_SYM) return false;
  return expr_sym_info(scan->pool, sym)->width >= 32 &&
         !expr_is_const(scan->pool, host_settle(scan, info->cell_offset), NULL) && is_followed(info);
}

static bool lies_beside(HostScan *scan, uint32_t one, uint32_t two) {
  const HostSym *a = host_sym(scan, one), *b = host_sym(scan, two);
  return one != two && a->holder != b->holder && a->place_frame == b->place_frame &&
         host_settle(scan, a->cell_offset) == host_settle(scan, b->cell_offset);
}

static Element find_element(HostScan *scan, LaunchContext *launch, uint32_t sym) {
  HostSym info = *host_sym(scan, sym);
  Element element = {.sym = sym};
  HostCell cell = {.base = scan->objects.items[info.holder].leaf,
                   .offset = host_element(scan),
                   .bytes = expr_sym_info(scan->pool, sym)->width / 8u,
                   .kind = IR_INT};
  ExprRef value =
      host_settle(scan, host_cell_before(scan, info.place_frame, host_place_of_content(&info), cell));
  if (host_weight(scan, value) > ELEMENT_WEIGHT) return element;
  element.value = host_at_element(scan, value, host_settle(scan, info.cell_offset));
  ExprRef is_written = host_is_written(scan, element.value);
  element.known = host_with_conditions(scan, launch, is_written ? is_written : expr_bool(scan->pool, true),
                                       element.value);
  return element;
}

static bool is_proved(HostScan *scan, const LaunchContext *launch, const Element *one, const Element *two,
                      ExprRef claim) {
  VEC(ExprRef) facts = {0};
  vec_push(scan->arena, &facts, one->known);
  vec_push(scan->arena, &facts, two->known);
  for (uint32_t i = 0; i < launch->facts.count; i++)
    vec_push(scan->arena, &facts, launch->facts.items[i].condition);
  return scan->options->prove(scan->options->prove_context, scan->pool, facts.count, facts.items, claim);
}

static void compare(HostScan *scan, LaunchContext *launch, const Element *one, const Element *two) {
  ExprPool *pool = scan->pool;
  ExprRef a = expr_resize_signed(pool, one->value, 64), b = expr_resize_signed(pool, two->value, 64);
  if (!is_proved(scan, launch, one, two, expr_binary(pool, EXPR_SLE, 0, a, b))) return;
  ExprRef first = expr_resize_signed(pool, expr_sym(pool, one->sym), 64),
          second = expr_resize_signed(pool, expr_sym(pool, two->sym), 64);
  Fact fact = {
      .condition = expr_binary(pool, EXPR_SLE, 0, first, second), .class = FACT_RELATION, .loc = launch->loc};
  fact.text = host_text(pool, scan->arena, fact.condition);
  vec_push(scan->arena, &launch->facts, fact);
  launch->assumptions |= ASSUME_FILLED | ASSUME_NO_OVERFLOW | ASSUME_HOST_MEMORY;
}

void host_tables_compare(HostScan *scan, LaunchContext *launch) {
  ASSERT(launch);
  Elements elements = {0};
  if (!scan->options || !scan->options->prove) return;
  IndexList syms = {0};
  for (uint32_t i = 0; i < scan->element_syms.count; i++)
    if (is_element(scan, scan->element_syms.items[i]))
      vec_push(scan->arena, &syms, scan->element_syms.items[i]);
  for (uint32_t i = 0; i < syms.count && elements.count < MOST_ELEMENTS; i++) {
    bool is_beside = false;
    for (uint32_t k = 0; k < syms.count; k++)
      is_beside |= lies_beside(scan, syms.items[i], syms.items[k]);
    if (!is_beside) continue;
    Element element = find_element(scan, launch, syms.items[i]);
    if (element.value) vec_push(scan->arena, &elements, element);
  }
  for (uint32_t i = 0; i < elements.count; i++)
    for (uint32_t k = 0; k < elements.count; k++)
      if (lies_beside(scan, elements.items[i].sym, elements.items[k].sym))
        compare(scan, launch, &elements.items[i], &elements.items[k]);
}
