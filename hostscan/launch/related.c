// Which numbers of a launch does visible code compute in ways that are not followed? Two of them may hang together (the width and
// the stride of one layer, a number of a list and the largest of all), so a witness that chooses both freely may be one that
// the program never gives. A race that is not there when the two are equal is possible, not definite, and says so.
// Method: symbols in arguments and dimensions that stand for what lay in memory behind stores that were not followed, or for
// what a loop changes in a way that has no form. One pair after another is a doubt (LaunchDoubt): what calls without a body leave is
// from outside, and counts as free.
// Soundness: decides only how sure a race is; proofs take nothing from here.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/launch/launch.h"
#include "core/bug.h"
#include "hostscan/program.h"
#include "hostscan/terms.h"

enum { MOST_NUMBERS = 8 };

// Is the number that of a call whose text is not there: input, as it may be?
static bool is_from_call(HostScan *scan, const HostSym *sym) {
  const IrInst *inst = &sym->place_frame->function->ir->insts.items[sym->place_index];
  if (inst->op != IR_CALL) return false;
  HostCallKind kind = host_call(scan, inst, NULL)->kind;
  return kind == CALL_UNKNOWN || kind == CALL_WRITES || kind == CALL_WRITES_FAR;
}

static bool is_computed(HostScan *scan, uint32_t number) {
  const HostSym *sym = host_sym(scan, number);
  if (sym->place == 1 + PLACE_AFTER) return sym->is_overwritten && !is_from_call(scan, sym);
  if (sym->place == 1 + PLACE_HEADER || sym->place == 1 + PLACE_START || sym->place == 1 + PLACE_END)
    return true;
  return sym->entering && sym->coming_round;
}

typedef struct Numbers {
  HostScan *scan;
  IndexList found;
} Numbers;

static bool find_computed(void *context, uint32_t sym) {
  Numbers *numbers = context;
  IndexList *found = &numbers->found;
  for (uint32_t i = 0; i < found->count; i++)
    if (found->items[i] == sym) return true;
  if (is_computed(numbers->scan, sym)) vec_push(numbers->scan->arena, found, sym);
  return found->count < MOST_NUMBERS;
}

static void look_at(Numbers *numbers, ExprRef value) {
  if (value) host_each_sym(numbers->scan, value, find_computed, numbers);
}

static void add_pair(HostScan *scan, uint32_t one, uint32_t other, LaunchContext *launch) {
  ExprRef value = expr_sym(scan->pool, one);
  ExprRef before = expr_resize_signed(scan->pool, expr_sym(scan->pool, other), expr_width(scan->pool, value));
  const char *names[] = {expr_sym_info(scan->pool, one)->name, expr_sym_info(scan->pool, other)->name};
  LaunchDoubt doubt = {.value = value, .before = before, .name = names[0], .loc = launch->loc};
  doubt.text = arena_printf(
      scan->arena, "only if the host code, which is not followed there, gives %s and %s such values together",
      names[0], names[1]);
  vec_push(scan->arena, &launch->doubts, doubt);
}

void host_related_doubt(HostScan *scan, LaunchContext *launch) {
  ASSERT(launch);
  Numbers numbers = {.scan = scan};
  for (uint32_t a = 0; a < launch->args.count; a++)
    for (uint32_t p = 0; p < launch->args.items[a].pieces.count; p++)
      look_at(&numbers, launch->args.items[a].pieces.items[p].word);
  for (int axis = 0; axis < 3; axis++) {
    look_at(&numbers, launch->grid[axis]);
    look_at(&numbers, launch->block[axis]);
  }
  for (uint32_t i = 0; i + 1 < numbers.found.count; i++)
    add_pair(scan, numbers.found.items[i], numbers.found.items[i + 1], launch);
}
