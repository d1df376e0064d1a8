// How did each kernel fare over all its launches, why are some undecided, and what is the total?
//
// A kernel is one definition: results are joined by mangled name and place. Its verdict is the join of its
// launches' (core/verdict.h), so that one undecided launch makes the kernel undecided.
//
// Soundness: an undecided kernel always has a reason in the list, made up if nobody gave one.
// SPDX-License-Identifier: Apache-2.0
#include "report/internal.h"
#include "core/bug.h"

#include <stdlib.h>
#include <string.h>

typedef struct IndexedResult {
  const KernelResult *result;
  uint32_t index;
} IndexedResult;

static const char *result_name(const KernelResult *result) {
  if (result->mangled && result->mangled[0]) return result->mangled;
  return result->kernel ? result->kernel : "";
}

static int compare_kernel(const KernelResult *a, const KernelResult *b) {
  int order = loc_compare(&a->loc, &b->loc);
  return order ? order : strcmp(result_name(a), result_name(b));
}

static int compare_results(const void *left, const void *right) {
  const IndexedResult *a = left, *b = right;
  int order = compare_kernel(a->result, b->result);
  return order ? order : (a->index > b->index) - (a->index < b->index);
}

// ---- what is ordered
const char *report_line_in(const SrcLoc *kernel, const SrcLoc *place, Arena *arena) {
  ASSERT(kernel && place);
  if (!loc_known(place) || !place->line) return "";
  bool is_same = loc_known(kernel) && strcmp(kernel->file, place->file) == 0;
  return is_same ? arena_printf(arena, "%u", place->line)
                 : arena_printf(arena, "%s:%u", place->file, place->line);
}

// Lines count, columns do not.
static int compare_lines(const SrcLoc *a, const SrcLoc *b) {
  SrcLoc one = *a, two = *b;
  one.column = two.column = 0;
  return loc_compare(&one, &two);
}

static int compare_groups(const OrderedGroup *a, const OrderedGroup *b) {
  int order = (a->rule > b->rule) - (a->rule < b->rule);
  if (!order) order = compare_lines(&a->release, &b->release);
  return order ? order : compare_lines(&a->acquire, &b->acquire);
}

static int compare_pairs(const OrderedPair *a, const OrderedPair *b) {
  int order = compare_lines(&a->places[0], &b->places[0]);
  return order ? order : compare_lines(&a->places[1], &b->places[1]);
}

// Both are sorted: each pair once.
static void join_pairs(OrderedGroup *into, const OrderedGroup *more, Arena *arena) {
  OrderedGroup all = {.rule = into->rule, .release = into->release, .acquire = into->acquire};
  for (uint32_t i = 0, j = 0; i < into->pairs.count || j < more->pairs.count;) {
    int order = i == into->pairs.count   ? 1
                : j == more->pairs.count ? -1
                                         : compare_pairs(&into->pairs.items[i], &more->pairs.items[j]);
    vec_push(arena, &all.pairs, order > 0 ? more->pairs.items[j] : into->pairs.items[i]);
    i += order <= 0;
    j += order >= 0;
  }
  *into = all;
}

static void join_ordered(KernelSummary *kernel, const KernelResult *result, Arena *arena) {
  for (uint32_t g = 0; g < result->ordered.count; g++) {
    const OrderedGroup *group = &result->ordered.items[g];
    uint32_t at = 0;
    while (at < kernel->ordered.count && compare_groups(&kernel->ordered.items[at], group) < 0)
      at++;
    if (at < kernel->ordered.count && compare_groups(&kernel->ordered.items[at], group) == 0) {
      join_pairs(&kernel->ordered.items[at], group, arena);
      continue;
    }
    vec_push(arena, &kernel->ordered, *group);
    for (uint32_t i = kernel->ordered.count - 1; i > at; i--)
      kernel->ordered.items[i] = kernel->ordered.items[i - 1];
    kernel->ordered.items[at] = *group;
  }
}

static void add_result(KernelSummary *kernel, const KernelResult *result, Arena *arena) {
  vec_push(arena, &kernel->results, result);
  kernel->pairs += result->pairs;
  kernel->proved += result->proved;
  kernel->queries += result->queries;
  kernel->rlimit += result->rlimit;
  kernel->assumptions |= result->assumptions;
  join_ordered(kernel, result, arena);
  // The first sets the verdict: joining with the zero value would make every kernel undecided.
  kernel->verdict =
      kernel->results.count == 1 ? result->verdict : verdict_join(kernel->verdict, result->verdict);
}

KernelSummaries report_kernels(const ReportInput *input, Arena *arena) {
  ASSERT(input && arena);
  IndexedResult *sorted = arena_array(arena, input->result_count + 1, IndexedResult);
  for (uint32_t i = 0; i < input->result_count; i++)
    sorted[i] = (IndexedResult){input->results[i], i};
  qsort(sorted, input->result_count, sizeof *sorted, compare_results);
  KernelSummaries kernels = {.items = arena_array(arena, input->result_count + 1, KernelSummary)};
  for (uint32_t i = 0; i < input->result_count; i++) {
    if (i == 0 || compare_kernel(sorted[i - 1].result, sorted[i].result) != 0)
      kernels.items[kernels.count++].first = sorted[i].result;
    add_result(&kernels.items[kernels.count - 1], sorted[i].result, arena);
  }
  return kernels;
}

// ---- reasons

static bool same_reason(const UndecidedGroup *a, const UndecidedGroup *b) {
  return a->kernel == b->kernel && loc_compare(&a->loc, &b->loc) == 0 && strcmp(a->text, b->text) == 0;
}

static void add_reason(UndecidedGroups *groups, uint32_t kernel, const KernelResult *result,
                       UndecidedReason reason) {
  UndecidedGroup group = {kernel, result, loc_known(&reason.loc) ? reason.loc : result->loc, reason.text, 1};
  for (uint32_t i = groups->count; i > 0 && groups->items[i - 1].kernel == kernel; i--)
    if (same_reason(&groups->items[i - 1], &group)) {
      groups->items[i - 1].count++;
      return;
    }
  groups->items[groups->count++] = group;
}

// Those of the budget come last: the others say what to do.
static void add_reasons(UndecidedGroups *groups, const KernelSummaries *kernels, uint32_t index,
                        bool is_of_budget) {
  ASSERT(index < kernels->count);
  const KernelSummary *kernel = &kernels->items[index];
  for (uint32_t r = 0; r < kernel->results.count; r++) {
    const KernelResult *result = kernel->results.items[r];
    for (uint32_t i = 0; i < result->undecided.count; i++)
      if (result->undecided.items[i].is_of_budget == is_of_budget)
        add_reason(groups, index, result, result->undecided.items[i]);
    if (!is_of_budget && result->verdict == VERDICT_UNKNOWN && result->undecided.count == 0)
      add_reason(groups, index, result, (UndecidedReason){.text = "no reason was recorded"});
  }
}

UndecidedGroups report_undecided(const ReportInput *input, const KernelSummaries *kernels, Arena *arena) {
  ASSERT(input && kernels && arena);
  size_t most = 1;
  for (uint32_t i = 0; i < input->result_count; i++)
    most += input->results[i]->undecided.count + 1;
  UndecidedGroups groups = {.items = arena_array(arena, most, UndecidedGroup)};
  for (uint32_t i = 0; i < kernels->count; i++) {
    add_reasons(&groups, kernels, i, false);
    add_reasons(&groups, kernels, i, true);
  }
  return groups;
}
