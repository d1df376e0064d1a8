// A template with a hundred instances that the solver does not decide costs a hundred budgets, and says a
// hundred times the same. Instances differ in sizes and types, so what is decided in one need not be decided
// in another; but where a budget went for nothing, the next one most likely does, and where one was proved, the next
// will take about as much. Method: instances are gone through in waves that double, and the budget of a wave is half of
// that of the wave before it if any of that one stayed undecided at a price, but no less than four times what the dearest
// took that was proved. So a family of n undecided instances costs 1 + log2(n) / 2 budgets, whatever is decided cheaply
// between them, and one that is proved at a price loses nothing from there on. Instances that are racy
// at a price are racy in the same places for the most part: from wave to wave, half as much may be spent on further
// races once one is told, which no verdict hangs on, and on the fact that is missing, if none was found.
//
// The budget of a task follows from results of tasks before it in the plan, never from what happens to be
// done: the report is the same for any number of workers. Soundness: less budget leaves more undecided.
// SPDX-License-Identifier: Apache-2.0
#include "driver/families.h"
#include "core/bug.h"

#include <string.h>

// At the least a sixteenth: what is decided easily still is.
enum { MOST_HALVINGS = 4, PRICE_PART = 8, PROVED_TIMES = 4 };

typedef struct Wave {
  uint32_t left;       // tasks without a result
  Allowance allowance; // of each
  uint64_t dearest;    // units that one took which is proved, of this wave or before it
  bool has_open;       // one that stayed undecided at a price
  bool has_decided;    // or one that stayed undecided cheaply
  bool has_dear_race;  // at a price
  bool has_mend;       // the fact that is missing was found
} Wave;

typedef struct Family {
  uint32_t first; // task: stands for the others
  uint32_t count;
  VEC(Wave) waves;
} Family;

typedef struct Member {
  uint32_t family, wave;
} Member;

struct Families {
  VEC(Family) items;
  Member *members; // by task
};

// By the place in the text: names of instances are not always told apart from the template's.
static bool is_relative(const CheckTask *a, const CheckTask *b) {
  const SrcLoc *x = ir_loc(a->module, a->kernel->loc), *y = ir_loc(b->module, b->kernel->loc);
  if (x->line != y->line || x->column != y->column || strcmp(a->module->source, b->module->source) != 0)
    return false;
  if (!x->line || !x->file || !y->file) return strcmp(a->kernel->name, b->kernel->name) == 0;
  return strcmp(x->file, y->file) == 0;
}

// Lines move while others change, names do not.
uint64_t families_hash(const CheckTask *tasks, uint32_t task) {
  ASSERT(tasks);
  uint32_t first = 0;
  while (first < task && !is_relative(&tasks[first], &tasks[task]))
    first++;
  const char *source = tasks[first].module->source, *name = tasks[first].kernel->name;
  return str_hash(name, strlen(name), str_hash(source, strlen(source), 0));
}

static uint32_t family_of(Families *families, Table *table, const CheckPlan *plan, uint32_t task,
                          Arena *arena) {
  uint32_t line = ir_loc(plan->tasks[task].module, plan->tasks[task].kernel->loc)->line, id;
  TableLook look = table_look(table, line);
  while ((id = table_next(&look)) != 0)
    if (is_relative(&plan->tasks[families->items.items[id].first], &plan->tasks[task])) return id;
  vec_push(arena, &families->items, (Family){.first = task});
  table_add(arena, table, line, families->items.count - 1);
  return families->items.count - 1;
}

// Of the member that so many stand before: 0, 1, 2 2, 3 3 3 3, ...
static uint32_t wave_of(uint32_t before) {
  uint32_t wave = 0;
  for (; before; before /= 2)
    wave++;
  return wave;
}

Families *families_make(const CheckPlan *plan, Arena *arena) {
  ASSERT(plan);
  Families *families = arena_new(arena, Families);
  Table table = {0};
  vec_push(arena, &families->items, (Family){0}); // [0] is unused
  families->members = arena_array(arena, plan->task_count + 1u, Member);
  for (uint32_t i = 0; i < plan->task_count; i++) {
    uint32_t id = family_of(families, &table, plan, i, arena);
    Family *family = &families->items.items[id];
    uint32_t wave = wave_of(family->count++);
    if (wave == family->waves.count) vec_push(arena, &family->waves, (Wave){0});
    family->waves.items[wave].left++;
    families->members[i] = (Member){id, wave};
  }
  return families;
}

// Waves before it but one were waited for by that one.
bool families_is_ready(const Families *families, uint32_t task) {
  ASSERT(families);
  Member member = families->members[task];
  return member.wave == 0 || families->items.items[member.family].waves.items[member.wave - 1].left == 0;
}

static Wave *wave_of_task(const Families *families, uint32_t task) {
  Member member = families->members[task];
  return &families->items.items[member.family].waves.items[member.wave];
}

Allowance families_allowance(const Families *families, uint32_t task) {
  BUG_UNLESS(families_is_ready(families, task));
  return wave_of_task(families, task)->allowance;
}

static bool is_at_price(const KernelResult *result, Verdict verdict, uint32_t halvings) {
  return result->verdict == verdict &&
         result->rlimit >= ((uint64_t)SOLVER_POOL_UNITS >> halvings) / PRICE_PART;
}

static bool has_mend(const KernelResult *result) {
  for (uint32_t i = 0; i < result->findings.count; i++)
    if (result->findings.items[i].mend) return true;
  return false;
}

static uint32_t halved(uint32_t halvings) {
  return halvings < MOST_HALVINGS ? halvings + 1 : MOST_HALVINGS;
}

// Of the wave behind it.
static Allowance next_allowance(const Wave *wave) {
  Allowance next = wave->allowance;
  if (wave->has_open) next.all = halved(next.all);
  while (next.all > 0 && (uint64_t)SOLVER_POOL_UNITS >> next.all < PROVED_TIMES * wave->dearest)
    next.all--;
  if (wave->has_dear_race || !wave->has_decided) next.rest = halved(next.rest);
  if (wave->has_dear_race && !wave->has_mend) next.missing_fact = halved(next.missing_fact);
  return next;
}

void families_tell(Families *families, uint32_t task, const KernelResult *result) {
  ASSERT(result);
  Wave *wave = wave_of_task(families, task);
  BUG_UNLESS(wave->left > 0);
  bool is_open = is_at_price(result, VERDICT_UNKNOWN, wave->allowance.all);
  wave->has_open |= is_open;
  wave->has_decided |= !is_open;
  if (result->verdict == VERDICT_SAFE && result->rlimit > wave->dearest) wave->dearest = result->rlimit;
  wave->has_dear_race |= is_at_price(result, VERDICT_RACE, wave->allowance.rest);
  wave->has_mend |= has_mend(result);
  if (--wave->left > 0) return;
  Member member = families->members[task];
  Family *family = &families->items.items[member.family];
  if (member.wave + 1 == family->waves.count) return;
  wave[1].allowance = next_allowance(wave);
  wave[1].dearest = wave->dearest;
}
