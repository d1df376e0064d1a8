// Which findings are one mistake, so that a reader looks at it once?
//
// One missing barrier shows in many pairs of accesses, and so does one fact that the host code does not
// guarantee. Findings of one kernel are one mistake if
//   - the same host fact would mend them, and nothing else is said to be missing;
//   - they miss a barrier of one kind, and one place is between the accesses of all of them, or they are in
//     different rounds of one loop: the fewest places that meet all pairs are found by taking the pairs in
//     the order of their ends (the classical greedy cover of intervals by points);
//   - they have one cause and one array, whichever member or element of it;
//   - one access of the pair races with itself in other threads: then its place is wrong, and no barrier
//   mends it.
// The face of a mistake is a definite race, if there is one, else the first.
//
// Over-approximation: two mistakes with one array are told as one; all their places are still named.
// SPDX-License-Identifier: Apache-2.0
#include "report/internal.h"

#include <stdlib.h>
#include <string.h>

typedef enum MistakeKind { BY_FACT, BY_LOOP, BY_GAP, BY_ARRAY } MistakeKind;

typedef struct Symptom {
  uint32_t group; // index
  MistakeKind kind;
  FindingLevel level;
  const SrcLoc *kernel, *low, *high;
  const char *cause, *array, *word; // word: the fact, the loop or the array; "" for a gap
  bool is_definite;
} Symptom;

static bool is_barrier_cause(const char *cause) {
  return strcmp(cause, "missing-barrier") == 0 || strcmp(cause, "missing-warp-barrier") == 0;
}

// "ranges[...].x" and "ranges[...].y" are places of "ranges".
static const char *array_of(Arena *arena, const char *object) {
  return arena_strndup(arena, object ? object : "", object ? strcspn(object, "[.") : 0);
}

// The loop of which the two threads are in different rounds; NULL: none.
static const char *loop_between(const Witness *witness) {
  for (uint32_t i = 0; i < witness->iterations[0].count; i++)
    for (uint32_t k = 0; k < witness->iterations[1].count; k++) {
      const WitnessValue *one = &witness->iterations[0].items[i], *other = &witness->iterations[1].items[k];
      if (strcmp(one->name, other->name) == 0 && one->value != other->value) return one->name;
    }
  return NULL;
}

static bool has_gap(const SrcLoc *low, const SrcLoc *high) {
  bool is_inlined = low->inlined_at || high->inlined_at;
  return loc_known(low) && loc_known(high) && !is_inlined && strcmp(low->file, high->file) == 0 &&
         loc_compare(low, high) < 0;
}

static Symptom symptom_of(const ReportGroup *group, uint32_t index, Arena *arena) {
  const Finding *finding = &group->finding;
  const SrcLoc *a = &finding->accesses[0].loc, *b = &finding->accesses[1].loc;
  bool swapped = loc_compare(a, b) > 0;
  Symptom symptom = {.group = index,
                     .kind = BY_ARRAY,
                     .level = finding->level,
                     .kernel = &group->result->loc,
                     .low = swapped ? b : a,
                     .high = swapped ? a : b,
                     .cause = finding->cause ? finding->cause : "",
                     .array = array_of(arena, finding->object),
                     .is_definite = finding->certainty != CERTAINTY_POSSIBLE};
  const char *loop = loop_between(&finding->witness);
  symptom.word = symptom.array;
  if (finding->mend && cause_is_plain(symptom.cause)) {
    symptom.kind = BY_FACT;
    symptom.word = finding->mend;
  } else if (is_barrier_cause(symptom.cause) && loop) {
    symptom.kind = BY_LOOP;
    symptom.word = loop;
  } else if (is_barrier_cause(symptom.cause) && has_gap(symptom.low, symptom.high)) {
    symptom.kind = BY_GAP;
    symptom.word = "";
  }
  return symptom;
}

static bool is_of_itself(const Symptom *symptom) {
  return loc_compare(symptom->low, symptom->high) == 0 && loc_known(symptom->low);
}

// A pair with an access that races with itself is a symptom of that.
static void adopt(Symptom *symptoms, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < count && !is_of_itself(&symptoms[i]); k++) {
      const Symptom *self = &symptoms[k];
      bool is_there = is_of_itself(self) && (loc_compare(self->low, symptoms[i].low) == 0 ||
                                             loc_compare(self->low, symptoms[i].high) == 0);
      if (!is_there || loc_compare(self->kernel, symptoms[i].kernel) != 0 ||
          strcmp(self->array, symptoms[i].array) != 0)
        continue;
      symptoms[i].kind = self->kind;
      symptoms[i].cause = self->cause;
      symptoms[i].word = self->word;
      break;
    }
}

// ---- equal but for the gap
static int compare_kinds(const Symptom *a, const Symptom *b) {
  int order = loc_compare(a->kernel, b->kernel);
  order = order ? order : (int)a->kind - (int)b->kind;
  order = order ? order : (int)a->level - (int)b->level;
  order = order || a->kind == BY_FACT ? order : strcmp(a->cause, b->cause);
  order = order ? order : strcmp(a->word, b->word);
  return order || a->kind != BY_GAP ? order : strcmp(a->high->file, b->high->file);
}

static int compare_symptoms(const void *left, const void *right) {
  const Symptom *a = left, *b = right;
  int order = compare_kinds(a, b);
  order = order || a->kind != BY_GAP ? order : loc_compare(a->high, b->high);
  return order ? order : (a->group > b->group) - (a->group < b->group);
}

// A place just before the end of the first pair of a mistake is between the accesses of a later pair if that
// begins before it.
static bool is_same_mistake(const Symptom *first, const Symptom *symptom) {
  return compare_kinds(first, symptom) == 0 &&
         (first->kind != BY_GAP || loc_compare(symptom->low, first->high) < 0);
}

static int compare_faces(const void *left, const void *right) {
  const Symptom *a = left, *b = right;
  if (a->is_definite != b->is_definite) return a->is_definite ? -1 : 1;
  return (a->group > b->group) - (a->group < b->group);
}

// The first is the face; the others follow in the order of the report, definite ones first.
static void join_mistake(ReportGroups *groups, Symptom *symptoms, uint32_t count, Arena *arena) {
  qsort(symptoms, count, sizeof *symptoms, compare_faces);
  ReportGroup *face = &groups->items[symptoms[0].group];
  for (uint32_t i = 1; i < count; i++) {
    groups->items[symptoms[i].group].face = face;
    vec_push(arena, &face->symptoms, &groups->items[symptoms[i].group]);
  }
}

void report_mistakes(ReportGroups *groups, Arena *arena) {
  Symptom *symptoms = arena_array(arena, groups->count + 1, Symptom);
  uint32_t count = 0;
  for (uint32_t i = 0; i < groups->count; i++) {
    const ReportGroup *group = &groups->items[i];
    bool counts = group_is_shown(group) && finding_rule_is_race(group->finding.rule) &&
                  group->finding.rule != RULE_SAME_VALUE && loc_known(&group->result->loc);
    if (counts) symptoms[count++] = symptom_of(group, i, arena);
  }
  adopt(symptoms, count);
  if (count) qsort(symptoms, count, sizeof *symptoms, compare_symptoms);
  for (uint32_t first = 0, end; first < count; first = end) {
    for (end = first + 1; end < count && is_same_mistake(&symptoms[first], &symptoms[end]);)
      end++;
    join_mistake(groups, symptoms + first, end - first, arena);
  }
}
