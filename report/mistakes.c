// Which findings are one mistake, so that a reader looks at it once?
//
// One missing barrier shows in many pairs of accesses, and so does one fact that the host code does not
// guarantee. Findings of one kernel are one mistake if
//   - the same host fact would mend them, and nothing else is said to be missing;
//   - they miss a barrier of one kind, and one place is between the accesses of all of them, or they are in
//     different rounds of one loop: the fewest places that meet all pairs are found by taking the pairs in
//     the order of their ends (the classical greedy cover of intervals by points);
//   - they have one cause and one array, whichever member or element of it, or two arrays whose accesses stand on
//     neighbouring lines, at both ends of the pair, and which the same two threads meet at the same place
//     (`sums[w] = a; squares[w] = b;`);
//   - one access of the pair races with itself in other threads: then its place is wrong, and no barrier
//   mends it. Threads that store one value at a place that races anyway are a symptom, too.
// The face of a mistake is a definite race, if there is one, else the first.
//
// Over-approximation: two mistakes with one array are told as one; all their places are still named.
// SPDX-License-Identifier: Apache-2.0
#include "report/internal.h"
#include "core/bug.h"

#include <stdlib.h>
#include <string.h>

typedef enum MistakeKind { BY_FACT, BY_LOOP, BY_GAP, BY_ARRAY } MistakeKind;

typedef struct Symptom {
  uint32_t group; // index
  MistakeKind kind;
  FindingLevel level;
  const SrcLoc *kernel, *low, *high;
  const Witness *witness;
  const char *cause, *array, *word; // word: the fact, the loop or the array; "" for a gap
  bool is_definite;
  bool is_remark; // one value is stored by all
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
                     .witness = &finding->witness,
                     .low = swapped ? b : a,
                     .high = swapped ? a : b,
                     .cause = finding->cause ? finding->cause : "",
                     .array = array_of(arena, finding->object),
                     .is_definite = finding->certainty != CERTAINTY_POSSIBLE,
                     .is_remark = finding->rule == RULE_SAME_VALUE};
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

static bool is_adopted(const Symptom *symptom, const Symptom *self) {
  bool is_of_itself_too = is_of_itself(symptom), is_remark_of = symptom->is_remark && !self->is_remark;
  if (!is_of_itself(self) || (is_of_itself_too && !is_remark_of) || (self->is_remark && !symptom->is_remark))
    return false;
  return (loc_compare(self->low, symptom->low) == 0 || loc_compare(self->low, symptom->high) == 0) &&
         loc_compare(self->kernel, symptom->kernel) == 0 && strcmp(self->array, symptom->array) == 0;
}

// A pair with an access that races with itself is a symptom of that.
static void adopt(Symptom *symptoms, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < count; k++) {
      const Symptom *self = &symptoms[k];
      if (!is_adopted(&symptoms[i], self)) continue;
      symptoms[i].kind = self->kind;
      symptoms[i].cause = self->cause;
      symptoms[i].word = self->word;
      symptoms[i].level = self->level;
      break;
    }
}

// ---- arrays side by side
static bool are_neighbours(const SrcLoc *a, const SrcLoc *b) {
  return loc_known(a) && loc_known(b) && strcmp(a->file, b->file) == 0 && a->line <= b->line + 1 &&
         b->line <= a->line + 1;
}

static const char *place_in_array(const Witness *witness) {
  const char *place = witness->address ? strchr(witness->address, '[') : NULL;
  return place ? place : "";
}

static bool same_thread(const WitnessThread *a, const WitnessThread *b) {
  bool is_same = true;
  for (int axis = 0; axis < 3; axis++)
    is_same &= a->block_idx[axis] == b->block_idx[axis] && a->thread_idx[axis] == b->thread_idx[axis];
  return is_same;
}

static bool meet_alike(const Witness *a, const Witness *b) {
  if (!*place_in_array(a)) return false;
  return same_thread(&a->threads[0], &b->threads[0]) && same_thread(&a->threads[1], &b->threads[1]) &&
         strcmp(place_in_array(a), place_in_array(b)) == 0;
}

static bool are_alike(const Symptom *a, const Symptom *b) {
  return a->kind == BY_ARRAY && b->kind == BY_ARRAY && a->level == b->level &&
         strcmp(a->cause, b->cause) == 0 && loc_compare(a->kernel, b->kernel) == 0;
}

// All that is said of the one array is said of the other.
static void name_alike(Symptom *symptoms, uint32_t count, const Symptom *one, const Symptom *other) {
  const Symptom from = *other;
  for (uint32_t i = 0; i < count; i++)
    if (are_alike(&symptoms[i], &from) && strcmp(symptoms[i].word, from.word) == 0)
      symptoms[i].word = one->word;
}

static void join_neighbours(Symptom *symptoms, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = i + 1; k < count; k++) {
      const Symptom *one = &symptoms[i], *other = &symptoms[k];
      if (are_alike(one, other) && one->is_definite == other->is_definite &&
          strcmp(one->word, other->word) != 0 && are_neighbours(one->low, other->low) &&
          are_neighbours(one->high, other->high) && meet_alike(one->witness, other->witness))
        name_alike(symptoms, count, one, other);
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
  if (a->is_remark != b->is_remark) return a->is_remark ? 1 : -1;
  if (a->is_definite != b->is_definite) return a->is_definite ? -1 : 1;
  return (a->group > b->group) - (a->group < b->group);
}

// The first is the face; the others follow in the order of the report, definite ones first.
static void join_mistake(ReportGroups *groups, Symptom *symptoms, uint32_t count, Arena *arena) {
  ASSERT(count > 0 && count <= groups->count);
  qsort(symptoms, count, sizeof *symptoms, compare_faces);
  ReportGroup *face = &groups->items[symptoms[0].group];
  for (uint32_t i = 1; i < count; i++) {
    groups->items[symptoms[i].group].face = face;
    vec_push(arena, &face->symptoms, &groups->items[symptoms[i].group]);
  }
}

void report_mistakes(ReportGroups *groups, Arena *arena) {
  ASSERT(groups->count == 0 || groups->items); // grouped, sorted by place
  Symptom *symptoms = arena_array(arena, groups->count + 1, Symptom);
  uint32_t count = 0;
  for (uint32_t i = 0; i < groups->count; i++) {
    const ReportGroup *group = &groups->items[i];
    bool counts =
        group_is_shown(group) && finding_rule_is_race(group->finding.rule) && loc_known(&group->result->loc);
    if (counts) symptoms[count++] = symptom_of(group, i, arena);
  }
  adopt(symptoms, count);
  join_neighbours(symptoms, count);
  if (count) qsort(symptoms, count, sizeof *symptoms, compare_symptoms);
  for (uint32_t first = 0, end; first < count; first = end) {
    for (end = first + 1; end < count && is_same_mistake(&symptoms[first], &symptoms[end]);)
      end++;
    join_mistake(groups, symptoms + first, end - first, arena);
  }
}
