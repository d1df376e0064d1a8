// How does a result outlive the memory of the kernel it was made for?
//
// Field by field. Texts are copied, NULL stays NULL; chains of inlined calls are copied too, since their
// links may have been made with the result.
//
// Soundness: no effect on verdicts.
// SPDX-License-Identifier: Apache-2.0
#include "driver/result_copy.h"

static const char *copy_text(const char *text, Arena *arena) {
  return text ? arena_strdup(arena, text) : NULL;
}

static SrcLoc copy_loc(const SrcLoc *loc, Arena *arena) {
  SrcLoc copy = *loc;
  copy.file = copy_text(loc->file, arena);
  copy.function = copy_text(loc->function, arena);
  SrcLoc *last = &copy;
  for (const SrcLoc *at = loc->inlined_at; at; at = at->inlined_at) {
    SrcLoc *link = arena_copy(arena, at, sizeof *at);
    link->file = copy_text(at->file, arena);
    link->function = copy_text(at->function, arena);
    last->inlined_at = link;
    last = link;
  }
  return copy;
}

static void copy_values(uint32_t count, WitnessValue *values, Arena *arena) {
  for (uint32_t i = 0; i < count; i++) {
    values[i].name = copy_text(values[i].name, arena);
    values[i].loc = copy_loc(&values[i].loc, arena);
  }
}

// Gives the vector its own block, with the items as they are.
#define COPY_ITEMS(arena, vec)                                                                               \
  ((vec)->capacity = (vec)->count,                                                                           \
   (vec)->items =                                                                                            \
       (vec)->count ? arena_copy((arena), (vec)->items, (vec)->count * sizeof *(vec)->items) : NULL)

static void copy_witness(Witness *witness, Arena *arena) {
  witness->address = copy_text(witness->address, arena);
  COPY_ITEMS(arena, &witness->values);
  copy_values(witness->values.count, witness->values.items, arena);
  for (int i = 0; i < 2; i++) {
    COPY_ITEMS(arena, &witness->iterations[i]);
    copy_values(witness->iterations[i].count, witness->iterations[i].items, arena);
  }
  COPY_ITEMS(arena, &witness->memory);
  copy_values(witness->memory.count, witness->memory.items, arena);
}

static void copy_finding(Finding *finding, Arena *arena) {
  finding->cause = copy_text(finding->cause, arena);
  finding->kernel = copy_text(finding->kernel, arena);
  finding->object = copy_text(finding->object, arena);
  finding->message = copy_text(finding->message, arena);
  finding->launch = copy_text(finding->launch, arena);
  finding->mend = copy_text(finding->mend, arena);
  finding->weaker_mend = copy_text(finding->weaker_mend, arena);
  finding->launch_loc = copy_loc(&finding->launch_loc, arena);
  for (int i = 0; i < 2; i++)
    finding->accesses[i].loc = copy_loc(&finding->accesses[i].loc, arena);
  copy_witness(&finding->witness, arena);
  COPY_ITEMS(arena, &finding->facts);
  COPY_ITEMS(arena, &finding->notes);
  for (uint32_t i = 0; i < finding->notes.count; i++) {
    finding->notes.items[i].loc = copy_loc(&finding->notes.items[i].loc, arena);
    finding->notes.items[i].text = copy_text(finding->notes.items[i].text, arena);
  }
}

static void copy_ordered(OrderedGroup *group, Arena *arena) {
  group->release = copy_loc(&group->release, arena);
  group->acquire = copy_loc(&group->acquire, arena);
  COPY_ITEMS(arena, &group->pairs);
  for (uint32_t i = 0; i < group->pairs.count; i++)
    for (int t = 0; t < 2; t++)
      group->pairs.items[i].places[t] = copy_loc(&group->pairs.items[i].places[t], arena);
}

KernelResult *result_copy(const KernelResult *result, Arena *arena) {
  KernelResult *copy = arena_copy(arena, result, sizeof *result);
  copy->kernel = copy_text(result->kernel, arena);
  copy->mangled = copy_text(result->mangled, arena);
  copy->loc = copy_loc(&result->loc, arena);
  copy->overflow = copy_text(result->overflow, arena);
  COPY_ITEMS(arena, &copy->proof_facts);
  COPY_ITEMS(arena, &copy->undecided);
  for (uint32_t i = 0; i < copy->undecided.count; i++) {
    copy->undecided.items[i].loc = copy_loc(&copy->undecided.items[i].loc, arena);
    copy->undecided.items[i].text = copy_text(copy->undecided.items[i].text, arena);
  }
  COPY_ITEMS(arena, &copy->contradictions);
  for (uint32_t i = 0; i < copy->contradictions.count; i++) {
    copy->contradictions.items[i].loc = copy_loc(&copy->contradictions.items[i].loc, arena);
    copy->contradictions.items[i].text = copy_text(copy->contradictions.items[i].text, arena);
  }
  COPY_ITEMS(arena, &copy->remarks);
  for (uint32_t i = 0; i < copy->remarks.count; i++) {
    copy->remarks.items[i].loc = copy_loc(&copy->remarks.items[i].loc, arena);
    copy->remarks.items[i].text = copy_text(copy->remarks.items[i].text, arena);
  }
  COPY_ITEMS(arena, &copy->dead_accesses);
  for (uint32_t i = 0; i < copy->dead_accesses.count; i++)
    copy->dead_accesses.items[i] = copy_loc(&copy->dead_accesses.items[i], arena);
  COPY_ITEMS(arena, &copy->ordered);
  for (uint32_t i = 0; i < copy->ordered.count; i++)
    copy_ordered(&copy->ordered.items[i], arena);
  COPY_ITEMS(arena, &copy->findings);
  for (uint32_t i = 0; i < copy->findings.count; i++)
    copy_finding(&copy->findings.items[i], arena);
  return copy;
}
