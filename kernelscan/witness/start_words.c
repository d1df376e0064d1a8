// Do flags and counters hold at the start what the proofs take them to hold, where kernels that the program
// launches before have used them? What the host code says of a word has been read by start_values.c; of a word
// that nobody in the given files writes but the kernel itself, zero is an assumption (A11), listed with its
// name. Else the launches before, and in a loop of the host those of the round before, are run (prior_launches.c) on
// several small launches that the facts allow, and the word is read. Where the host's numbers make them too
// large to run, they are run with few blocks. Soundness: runs are samples, so what they bear out is listed as
// an assumption of its own (A15). Where a run leaves something else, or none can be made, the kernel is
// undecided, and the reason names the launch; a race that runs show from there on is told.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/facts.h"
#include "kernelscan/witness/prior_launches.h"
#include "kernelscan/witness/schedule_search.h"
#include "kernelscan/witness/shapes.h"

enum {
  WORDS_READ = 8, // of an array of flags
  SHAPES_TRIED = 3,
  SCHEDULES_TRIED = 4,
  STEP_LIMIT = 6000000,
  GOAL_UNITS = 400000,
  ALL_UNITS = 4000000
};

// ---- who has used it before
typedef struct Users {
  const LaunchContext *nearest;
  bool has_earlier, has_round, has_unseen, may_go_on;
} Users;

static Users users_of(const Scan *scan, const StartWord *word) {
  Users users = {0};
  const LaunchWriters *writers = prior_writers(scan, &scan->objects.items[word->object]);
  for (uint32_t w = 0; writers && w < writers->count; w++) {
    const LaunchWriter *writer = &writers->items[w];
    users.has_unseen |= !writer->launch;
    users.may_go_on |= writer->may_go_on;
    users.has_earlier |= writer->launch && writer->is_earlier;
    users.has_round |= writer->launch && !writer->is_earlier;
    if (writer->launch) users.nearest = writer->launch;
  }
  return users;
}

// ---- one launch
typedef enum Left { LEFT_UNKNOWN, LEFT_OTHERWISE, LEFT_AS_TAKEN } Left;

typedef struct Attempt {
  ReportRace *report;
  Scan *scan;
  const SolverAnswer *answer;
  ReplayLaunch launch;
  bool is_again, is_small;
  int64_t found; // LEFT_OTHERWISE: in the word
} Attempt;

// The places of the word: one, or the first of those that threads have each for itself.
static uint32_t places_of(const Attempt *attempt, const StartWord *word, int64_t *places) {
  const Obj *object = &attempt->scan->objects.items[word->object];
  int64_t size = INT64_MAX;
  if (expr_is_const(attempt->scan->pool, word->offset, &places[0])) return 1;
  if (object->kind == OBJ_LAUNCH)
    (void)replay_value(&attempt->launch, attempt->scan->launch->objects.items[object->index].size_bytes,
                       &size);
  else
    size = (int64_t)attempt->scan->module->globals.items[object->index].bytes;
  uint32_t count = 0;
  while (count < WORDS_READ && (count + 1) * (int64_t)word->bytes <= size) {
    places[count] = count * (int64_t)word->bytes;
    count++;
  }
  return count;
}

static Left look(Attempt *attempt, const StartWord *word) {
  int64_t taken = 0, places[WORDS_READ];
  if (!replay_value(&attempt->launch, word->value, &taken)) return LEFT_UNKNOWN;
  uint32_t number = prior_number(&attempt->launch, &attempt->scan->objects.items[word->object]);
  Arena *scratch = arena_open();
  PriorRequest request = {.scan = attempt->scan,
                          .answer = attempt->answer,
                          .launch = &attempt->launch,
                          .step_limit = STEP_LIMIT,
                          .is_again = attempt->is_again,
                          .taken_number = number,
                          .taken_bytes = word->bytes,
                          .taken = taken,
                          .is_small = attempt->is_small};
  PriorLaunches *prior = prior_open(&request, scratch);
  uint32_t count = places_of(attempt, word, places);
  Left left = count ? LEFT_AS_TAKEN : LEFT_UNKNOWN;
  for (uint32_t i = 0; i < count && left == LEFT_AS_TAKEN; i++) {
    if (!prior_read(prior, number, places[i], word->bytes, &attempt->found))
      left = LEFT_UNKNOWN;
    else if (word->is_least ? attempt->found < taken : attempt->found != taken)
      left = LEFT_OTHERWISE;
  }
  arena_close(scratch);
  return left;
}

// What is seen in no run of the program itself only bears out.
static Left look_with_fewer(const Attempt *attempt, const StartWord *word) {
  Attempt fewer = *attempt;
  fewer.is_small = true;
  return look(&fewer, word) == LEFT_AS_TAKEN ? LEFT_AS_TAKEN : LEFT_UNKNOWN;
}

static Left look_in_rounds(Attempt *attempt, const StartWord *word, const Users *users) {
  Left left = LEFT_AS_TAKEN;
  for (int again = users->has_earlier ? 0 : 1; again <= users->has_round && left == LEFT_AS_TAKEN; again++) {
    attempt->is_again = again;
    left = look(attempt, word);
    if (left == LEFT_UNKNOWN) left = look_with_fewer(attempt, word);
  }
  return left;
}

// ---- what is told
static const char *place_text(Scan *scan, const SrcLoc *loc) {
  return arena_printf(scan->arena, "%s:%u", loc->file ? loc->file : "?", loc->line);
}

static void add_reason(Scan *scan, const char *text) {
  vec_push(scan->arena, &scan->result->undecided,
           ((UndecidedReason){.loc = *ir_loc(scan->module, scan->fn->loc), .text = text}));
}

static const char *kernel_name(const Scan *scan, const LaunchContext *launch) {
  const IrFunction *kernel = ir_find_function(scan->module, launch->kernel);
  return kernel ? kernel->display : launch->kernel;
}

static const char *launch_text(Scan *scan, const LaunchContext *launch) {
  if (!launch) return "launches before";
  return arena_printf(scan->arena, "kernel '%s', launched at %s", kernel_name(scan, launch),
                      place_text(scan, &launch->loc));
}

static void tell_unknown(Scan *scan, const StartWord *word, const LaunchContext *by) {
  const char *name = scan->objects.items[word->object].name;
  add_reason(scan,
             arena_printf(scan->arena,
                          "whether '%s' holds what it should when the kernel starts hangs on kernel '%s', "
                          "launched at %s, which could not be run to see what it leaves there: set it "
                          "before each launch (cudaMemset)",
                          name, kernel_name(scan, by), place_text(scan, &by->loc)));
}

static void tell_going_on(Scan *scan, const StartWord *word, const LaunchContext *by) {
  add_reason(scan, arena_printf(scan->arena,
                                "whether '%s' holds what it should when the kernel starts hangs on %s, which "
                                "need not be over by then: the launch allows the kernel to start early",
                                scan->objects.items[word->object].name, launch_text(scan, by)));
}

static void tell_otherwise(Scan *scan, const Attempt *attempt, const StartWord *word,
                           const LaunchContext *by) {
  const char *name = scan->objects.items[word->object].name;
  add_reason(scan, arena_printf(
                       scan->arena,
                       "'%s' is %lld when the kernel starts, as kernel '%s', launched at %s, has left it%s: "
                       "set it back before each launch (cudaMemset)",
                       name, (long long)attempt->found, kernel_name(scan, by), place_text(scan, &by->loc),
                       attempt->is_again ? " in the round before" : ""));
}

static void remark(Scan *scan, const char *text) {
  vec_push(scan->arena, &scan->result->remarks,
           ((UndecidedReason){.loc = *ir_loc(scan->module, scan->fn->loc), .text = text}));
}

static const char *value_text(Scan *scan, const StartWord *word) {
  StrBuf text = {.arena = scan->arena};
  expr_print(scan->pool, word->value, true, &text);
  return strbuf_text(&text);
}

static void tell_taken(Scan *scan, const StartWord *word, const LaunchContext *by) {
  const char *name = scan->objects.items[word->object].name, *value = value_text(scan, word);
  const char *more = word->is_least ? " or more" : "";
  scan->result->assumptions |= by ? ASSUME_LEFT : ASSUME_FLAGS_CLEAR;
  remark(scan, by ? arena_printf(
                        scan->arena,
                        "'%s' is taken to be %s%s when the kernel starts, as runs of kernel '%s', launched "
                        "at %s, leave it [A15]",
                        name, value, more, kernel_name(scan, by), place_text(scan, &by->loc))
                  : arena_printf(scan->arena, "'%s' is taken to be %s%s when the kernel starts [A11]", name,
                                 value, more));
}

// ---- a race from there on
static const Access *access_of(const Scan *scan, uint32_t inst, bool is_write) {
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *access = &scan->accesses.items[a];
    if (access->inst == inst && (access->kind != ACCESS_READ) == is_write) return access;
  }
  return NULL;
}

static bool tell_race(const Attempt *attempt, const Found *found, const Goal *goal, const char *explanation) {
  Scan *scan = attempt->scan;
  RaceFacts race = {.extent = found->extent,
                    .replay = REPLAY_NEEDS_MEMORY,
                    .cause = "not-reset",
                    .explanation = explanation,
                    .answer = arena_copy(scan->arena, attempt->answer, sizeof *attempt->answer),
                    .goal = *goal};
  for (int t = 0; t < 2; t++) {
    race.accesses[t] = access_of(scan, found->inst[t], found->is_write[t]);
    if (!race.accesses[t]) return false;
  }
  if (race.accesses[0]->kind == ACCESS_ATOMIC && race.accesses[1]->kind == ACCESS_ATOMIC) return false;
  const Reach *reach = &scan->reaches[race.accesses[0] - scan->accesses.items];
  if (!reach->count) return false;
  race.object = reach->objects[0];
  schedule_search_fill_witness(scan, found, 0, &race.witness);
  attempt->report(scan, &race);
  return true;
}

static bool find_race(const Attempt *attempt, const Goal *goal) {
  Scan *scan = attempt->scan;
  ScheduleSearch *run =
      schedule_search_open(scan, goal, attempt->answer, attempt->is_again ? START_AGAIN : START_LEFT);
  bool is_told = false;
  const char *why = vec_last(&scan->result->undecided).text;
  for (uint32_t s = 0; run && s < SCHEDULES_TRIED && !is_told; s++) {
    (void)schedule_search_run(run, s);
    for (uint32_t i = 0; i < schedule_search_found_count(run) && !is_told; i++)
      is_told = tell_race(attempt, schedule_search_found(run, i), goal, why);
  }
  return is_told;
}

// ---- all of it
static Left settle(Scan *scan, const Goal *of, const StartWord *word, const Users *users,
                   ReportRace *report) {
  Left all = LEFT_UNKNOWN;
  for (uint32_t s = 0; s < SHAPES_TRIED; s++) {
    Goal goal;
    SolverAnswer answer;
    Attempt attempt = {.scan = scan, .answer = &answer, .report = report};
    if (!shapes_ask(scan, of, s, &goal, &answer) || !replay_make_launch(scan, &answer, &attempt.launch))
      break;
    Left left = look_in_rounds(&attempt, word, users);
    if (left == LEFT_OTHERWISE) {
      tell_otherwise(scan, &attempt, word, users->nearest);
      if (find_race(&attempt, &goal)) scan->result->undecided.count--; // the race says it
    }
    all = left;
    if (left != LEFT_AS_TAKEN) break;
  }
  if (all == LEFT_UNKNOWN) tell_unknown(scan, word, users->nearest);
  return all;
}

static bool is_settled(const StartWord *words, uint32_t index) {
  for (uint32_t i = 0; i < index; i++)
    if (words[i].object == words[index].object && words[i].offset == words[index].offset) return true;
  return false;
}

static void check_words(Scan *scan, const StartWord *words, uint32_t count, ReportRace *report) {
  Goal goal = {0};
  goal_add_launch(scan, &goal);
  prior_add_facts(scan, &goal);
  for (uint32_t i = 0; i < count && !goal.is_false; i++) {
    const StartWord *word = &words[i];
    Users users = users_of(scan, word);
    bool is_assumed = users.has_unseen || !users.nearest;
    if (users.may_go_on) {
      tell_going_on(scan, word, users.nearest);
      return;
    }
    if (!is_assumed && settle(scan, &goal, word, &users, report) != LEFT_AS_TAKEN) return;
    if (!is_settled(words, i)) tell_taken(scan, word, is_assumed ? NULL : users.nearest);
  }
}

// With a solver of its own: the questions are about which launch to run, and prove nothing.
void start_words_check(Scan *scan, ReportRace *report) {
  uint32_t count = 0;
  const StartWord *words = start_values_noted(scan, &count);
  if (!count) return;
  const KernelScanRequest *own = scan->request;
  KernelScanRequest request = *own;
  SolverOptions options = {.rlimit = GOAL_UNITS, .prefer_small = true};
  uint64_t queries = scan->result->queries;
  request.solver = solver_open(&options);
  solver_start_pool(request.solver, ALL_UNITS);
  request.options.dump_goals = NULL;
  scan->request = &request;
  check_words(scan, words, count, report);
  scan->request = own;
  solver_close(request.solver);
  scan->result->queries = (uint32_t)queries;
}
