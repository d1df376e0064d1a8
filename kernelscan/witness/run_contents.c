// What does a run of a launch find in a word of memory that nobody has written in it? What the host code has put there,
// as far as it says so under the model's values (the solver is asked, once for each word); what launches before left
// (prior_launches.c); else a number that is chosen: zeros and ones by chance, of few kinds, where the model does not say what it
// holds. Soundness: nothing is proved from it: a run on chosen contents is one of those that can be, and each number
// that was chosen is told with the race that the run shows.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/witness/run_state.h"
#include "kernelscan/facts.h"
#include "kernelscan/interval.h"
#include "kernelscan/memory.h"

enum { GIVEN_LIMIT = 96, RUN_OF_ANY = 5 };

static bool is_object(const ScheduleSearch *run, uint32_t number, uint32_t object) {
  const Obj *info = &run->scan->objects.items[object];
  if (info->kind == OBJ_SHARED)
    return info->index < run->scan->module->globals.count &&
           run->launch.global_objects[info->index] == number;
  return replay_is_object(&run->launch, number, object);
}

static bool is_computed(const Scan *scan, const Obj *object) {
  return object->kind == OBJ_LAUNCH && scan->launch->objects.items[object->index].computed_by != NULL;
}

// What a block's own memory begins with, nobody knows either. What the device computed is not any number:
// where proofs are audited it stays unknown.
static bool may_choose_contents(const ScheduleSearch *run, uint32_t object) {
  const Scan *scan = run->scan;
  bool is_given = !is_computed(scan, &scan->objects.items[object]);
  return run->is_wide ? is_given || !run->is_audit : is_given && object_is_readonly(scan, object);
}

void run_contents_find_choosable(ScheduleSearch *run) {
  const Scan *scan = run->scan;
  if (run->choosable) return;
  run->choosable = arena_array(scan->arena, run->launch.first_private + 1, uint32_t);
  for (uint32_t number = 0; number < run->launch.first_private; number++)
    for (uint32_t o = 0; o < scan->objects.count && !run->choosable[number]; o++)
      if (is_object(run, number, o)) run->choosable[number] = may_choose_contents(run, o) ? o + 1 : 0;
}

static const Obj *choosable_object(const ScheduleSearch *run, uint32_t number) {
  uint32_t object = number < run->launch.first_private ? run->choosable[number] : 0;
  return object ? &run->scan->objects.items[object - 1] : NULL;
}

typedef struct Pins {
  const ScheduleSearch *run;
  Goal *goal;
} Pins;

static void pin(void *context, uint32_t sym) {
  const Pins *pins = context;
  Scan *scan = pins->run->scan;
  ExprRef ref = expr_sym(scan->pool, sym);
  if (!expr_set_has(pins->run->occurs, ref) || sym >= pins->run->answer->sym_count) return;
  ExprRef value = expr_const(scan->pool, expr_width(scan->pool, ref), pins->run->answer->sym_values[sym]);
  goal_add(scan, pins->goal, expr_eq(scan->pool, ref, value), GOAL_CONTEXT, 0);
}

// In an audit, a number picked out of several would have to go with those of other arrays: a sum with its
// parts.
static bool is_only_word(Scan *scan, Goal *goal, ExprRef value, int64_t word) {
  ExprRef same = expr_eq(scan->pool, value, expr_const(scan->pool, expr_width(scan->pool, value), word));
  goal_add(scan, goal, expr_not(scan->pool, same), GOAL_CONTEXT, 0);
  return goal->is_false || goal_satisfiable(scan, goal, "anything else").verdict == VERDICT_SAFE;
}

// A loop of the host has filled the array: which of its rounds wrote the word is not plain arithmetic.
static bool ask_host(const ScheduleSearch *run, Given *given) {
  Scan *scan = run->scan;
  const LaunchContent *content = given->content;
  ExprRef at = expr_const(scan->pool, 64, given->offset);
  ExprRef value = initial_contents_at(scan, content, content->value, at);
  Goal goal = {0};
  Pins pins = {run, &goal};
  goal_add_launch(scan, &goal);
  initial_contents_add_given(scan, &goal, content, value, at);
  uint32_t count = goal.conditions.count;
  for (uint32_t i = 0; i < count; i++)
    expr_each_sym(scan->pool, goal.conditions.items[i].condition, pin, &pins);
  SolverAnswer answer = goal_satisfiable(scan, &goal, "what the host puts there");
  ExprEnv env = model_env(&answer);
  if (goal.is_false || answer.verdict != VERDICT_RACE ||
      expr_eval(scan->pool, value, &env, &given->word) != EXPR_EVAL_OK)
    return false;
  return !run->is_audit || is_only_word(scan, &goal, value, given->word);
}

static bool host_puts(const ScheduleSearch *run, const LaunchContent *content, int64_t offset,
                      int64_t *word) {
  ScheduleSearches *all = run->all;
  if (all->given.count >= GIVEN_LIMIT) return false;
  Given given = {content, run->tried, offset, 0, false};
  given.is_known = ask_host(run, &given);
  vec_push(run->scan->arena, &all->given, given);
  *word = given.word;
  return given.is_known;
}

// The answer of before, if the host was asked for the word; NULL if it was not. Of an array that it was asked
// for more than often enough, nothing is known: `none`.
static const Given *find_given(const ScheduleSearch *run, const LaunchContent *content, int64_t offset) {
  static const Given none = {0};
  const ScheduleSearches *all = run->all;
  bool is_asked_for = false;
  for (uint32_t i = 0; i < all->given.count; i++) {
    const Given *given = &all->given.items[i];
    is_asked_for |= given->content == content;
    if (given->content == content && given->offset == offset && given->tried == run->tried) return given;
  }
  return is_asked_for && all->given.count >= GIVEN_LIMIT ? &none : NULL;
}

bool run_contents_host_says(void *context, const LaunchContent *content, int64_t offset, int64_t *word) {
  ScheduleSearch *run = context;
  Scan *scan = run->scan;
  const Given *given = find_given(run, content, offset);
  if (!given) {
    ExprRef value = initial_contents_at(scan, content, content->value, expr_const(scan->pool, 64, offset));
    if (expr_eval(scan->pool, value, &run->launch.env, word) == EXPR_EVAL_OK) return true;
    return host_puts(run, content, offset, word) && (run->used_memory = true);
  }
  *word = given->word;
  return given->is_known && (run->used_memory = true);
}

// A number that stood there before the host loop that comes round to the launch: so its first round begins.
static bool begins_with(ScheduleSearch *run, uint32_t number, const Obj *object, int64_t offset,
                        uint32_t bytes, int64_t *word) {
  Scan *scan = run->scan;
  const LaunchContent *begun = initial_contents_begun(scan, object, bytes);
  ExprRef value =
      begun ? initial_contents_at(scan, begun, begun->value, expr_const(scan->pool, 64, offset)) : 0;
  if (!value || !expr_is_const(scan->pool, value, word)) return false;
  vec_push(scan->arena, &run->chosen, ((Chosen){number, offset, *word, bytes}));
  return run->used_memory = true;
}

// What the host code says that the memory holds, or the variable's initial data, if the host says nothing.
static bool host_says(ScheduleSearch *run, uint32_t number, int64_t offset, uint32_t bytes, int64_t *word) {
  Scan *scan = run->scan;
  for (uint32_t o = 0; o < scan->objects.count; o++) {
    const Obj *object = &scan->objects.items[o];
    if (!replay_is_object(&run->launch, number, o)) continue;
    const LaunchContent *content = initial_contents_find(scan, object, bytes);
    if (!content && begins_with(run, number, object, offset, bytes, word)) return true;
    if (!content)
      return object->kind == OBJ_GLOBAL &&
             scan->module->globals.items[object->index].space != IR_SPACE_SHARED &&
             start_values_in_data(scan, object, offset, bytes, word);
    return run_contents_host_says(run, content, offset, word);
  }
  return false;
}

// Accesses outside of their object are another mistake (A7).
bool run_contents_is_inside(const ScheduleSearch *run, uint32_t number, int64_t offset) {
  const Scan *scan = run->scan;
  int64_t size = INT64_MAX;
  if (number > 0 && number < scan->launch->objects.count)
    replay_value(&run->launch, scan->launch->objects.items[number].size_bytes, &size);
  for (uint32_t g = 0; g < scan->module->globals.count; g++)
    if (run->launch.global_objects[g] == number && scan->module->globals.items[g].bytes)
      size = (int64_t)scan->module->globals.items[g].bytes;
  return offset >= 0 && offset < size;
}

// In runs on chosen contents: what the model says of an array that the device computed is what it wished for.
static bool may_be_anything(const ScheduleSearch *run, uint32_t number) {
  const Scan *scan = run->scan;
  uint32_t object = run->is_wide && number < run->launch.first_private ? run->choosable[number] : 0;
  if (object && prior_computes_starts(scan, object - 1)) return true;
  return object && object_is_readonly(scan, object - 1) &&
         is_computed(scan, &scan->objects.items[object - 1]);
}

// Of a kind that an array is filled with in this run: bits, small numbers, ascending numbers with
// repetitions, what the model holds, zero; in one run all of them with any words, of which kernels take digits. Where the device computed it, no number is likelier than any
// other: what it is good for as an index, its writer has seen to.
static int64_t choose(ScheduleSearch *run, uint32_t object, int64_t index, uint32_t bytes) {
  run->random = run->random * 6364136223846793005u + 1442695040888963407u;
  uint32_t number = (uint32_t)(run->random >> 40);
  if (!run->is_wide && !run->is_audit) return number & 1;
  if (may_be_anything(run, object)) {
    uint64_t word = run->random ^ run->random >> 29;
    return bytes < 8 ? (int64_t)(word << (64 - 8 * bytes)) >> (64 - 8 * bytes) : (int64_t)word;
  }
  uint64_t kind = str_hash(&object, sizeof object, run->seed) % 5;
  if (kind == 4) return 0;
  const Witness *model = &run->model;
  if (run->seed == RUN_OF_ANY) return (int32_t)(run->random >> 32);
  if (kind == 1) return number % (run->seed % 2 ? 128 : 8);
  if (kind == 2) return index / 2;
  if (kind == 3 && model->memory.count) return model->memory.items[number % model->memory.count].value;
  return number & 1;
}

// By launches before this one, and by nobody else on the device: a run of those shows what it holds, the
// words of flags and counters too.
static bool was_written_in_view(const ScheduleSearch *run, const LaunchWriters *writers) {
  bool is_in_view = writers && writers->count, is_earlier = false;
  for (uint32_t w = 0; is_in_view && w < writers->count; w++) {
    is_in_view = writers->items[w].launch != NULL;
    is_earlier |= writers->items[w].is_earlier || run->is_again;
  }
  return is_in_view && is_earlier;
}

static const LaunchWriters *writers_at(const ScheduleSearch *run, uint32_t number) {
  for (uint32_t o = 0; o < run->scan->objects.count; o++)
    if (replay_is_object(&run->launch, number, o))
      return prior_writers(run->scan, &run->scan->objects.items[o]);
  return NULL;
}

// An array that the kernel only reads, and other launches know too. What it writes itself may well be set
// back by somebody in between.
static bool is_from_before(const ScheduleSearch *run, uint32_t number) {
  const LaunchContext *launch = run->scan->launch;
  if (run->is_left && was_written_in_view(run, writers_at(run, number))) return true;
  uint32_t object =
      number < launch->objects.count && launch->objects.items[number].leaf ? run->choosable[number] : 0;
  return object &&
         (object_is_readonly(run->scan, object - 1) || prior_computes_starts(run->scan, object - 1));
}

// In an audit a model is one of the launch only: words of flags are no part of it.
static bool may_hold_model(const ScheduleSearch *run, uint32_t number) {
  return !run->is_audit || choosable_object(run, number) != NULL;
}

static bool is_told(const ScheduleSearch *run, uint32_t number, uint32_t bytes) {
  for (uint32_t o = 0; o < run->scan->objects.count; o++)
    if (replay_is_object(&run->launch, number, o))
      return initial_contents_are_told(run->scan, &run->scan->objects.items[o], bytes);
  return false;
}

// Nor is what launches before have left in them, where the proof takes it for zero (A11): the host does not
// say what they hold.
static bool begins_clear(const ScheduleSearch *run, uint32_t number, uint32_t bytes) {
  const LaunchContext *launch = run->scan->launch;
  bool is_left = number < launch->objects.count && launch->objects.items[number].computed_by;
  return run->is_audit && !run->is_left && is_left && !may_hold_model(run, number) &&
         !is_told(run, number, bytes);
}

bool run_contents_on_read(void *context, uint32_t object, int64_t offset, uint32_t bytes,
                          InterpValue *value) {
  ScheduleSearch *run = context;
  int64_t word = 0;
  if (run->is_audit && !run_contents_is_inside(run, object, offset)) return false;
  if (run->prior && is_from_before(run, object)) {
    if (!run_contents_is_inside(run, object, offset) || !prior_read(run->prior, object, offset, bytes, &word))
      return false;
    vec_push(run->scan->arena, &run->chosen, ((Chosen){object, offset, word, bytes}));
    *value = (InterpValue){.kind = INTERP_WORD, .word = word};
    return run->used_memory = true;
  }
  if (!may_be_anything(run, object) && may_hold_model(run, object) &&
      replay_initial(&run->launch, object, offset, bytes, value))
    return run->used_memory = true;
  if (!begins_clear(run, object, bytes) && host_says(run, object, offset, bytes, &word)) {
    *value = (InterpValue){.kind = INTERP_WORD, .word = word};
    return true;
  }
  const Obj *of = run->may_choose && bytes <= 8 ? choosable_object(run, object) : NULL;
  if (!of || initial_contents_are_told(run->scan, of, bytes)) return false;
  if (run->is_wide && !run_contents_is_inside(run, object, offset)) return false;
  run->used_memory = true;
  Chosen chosen = {object, offset, choose(run, object, offset / bytes, bytes), bytes};
  vec_push(run->scan->arena, &run->chosen, chosen);
  *value = (InterpValue){.kind = INTERP_WORD, .word = chosen.value};
  return true;
}

static const char *name_of(const ScheduleSearch *run, uint32_t number) {
  const Scan *scan = run->scan;
  for (uint32_t o = 0; o < scan->objects.count; o++)
    if (replay_is_object(&run->launch, number, o) && scan->objects.items[o].name)
      return scan->objects.items[o].name;
  return "memory";
}

void run_contents_list_chosen(const ScheduleSearch *run, Found *found) {
  enum { SHOWN = 6 };
  Scan *scan = run->scan;
  for (uint32_t i = 0; i < run->chosen.count && i < SHOWN; i++) {
    const Chosen *chosen = &run->chosen.items[i];
    const char *name = arena_printf(scan->arena, "%s[%lld]", name_of(run, chosen->object),
                                    (long long)(chosen->offset / chosen->bytes));
    vec_push(scan->arena, &found->memory, (WitnessValue){name, chosen->value, {0}});
  }
}
