// Do flags and counters hold at the start what the proofs take them to hold, where kernels that the program
// launches before have used them? What the host code says of a word has been read by start_values.c; of a word
// that nobody in the given files writes but the kernel itself, zero is an assumption (A11), listed with its
// name. Else the launches before, and in a loop of the host those of the round before, are run (prior_launches.c) on
// several small launches that the facts allow, and the word is read. Where the host's numbers make them too
// large to run, they are run with few blocks. That shows races. The word holds what it should only if no way of the host
// comes to the kernel with another number in it: launches that may follow each other (hostscan/successors.c) are run from
// one that found the word as it should be up to one that leaves it so, and the kernel may stand behind none in between.
// What the runs show counts where it hangs on nothing that another run may have otherwise (left_by.c); of words of which only a
// least value is needed that is not asked. Soundness: over-approximates the ways; runs are samples, so what they bear out is listed as
// an assumption of its own (A15). Where a run leaves something else, or none can be made, the kernel is
// undecided, and the reason names the launch; a race that runs show from there on is told.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/facts.h"
#include "kernelscan/witness/left_by.h"
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
  const LaunchWriters *writers;
  const LaunchContext *nearest, *going_on;
  bool has_earlier, has_round, has_unseen, may_go_on, is_early;
} Users;

static Users users_of(const Scan *scan, const StartWord *word) {
  const LaunchWriters *writers = prior_writers(scan, &scan->objects.items[word->object]);
  Users users = {.writers = writers};
  for (uint32_t w = 0; writers && w < writers->count; w++) {
    const LaunchWriter *writer = &writers->items[w];
    users.has_unseen |= !writer->launch;
    users.is_early |= writer->may_go_on;
    users.may_go_on |= writer->may_go_on || writer->may_meet;
    if (writer->may_go_on || writer->may_meet) users.going_on = writer->launch;
    users.has_earlier |= writer->launch && writer->is_earlier;
    users.has_round |= writer->launch && !writer->is_earlier;
    if (writer->launch) users.nearest = writer->launch;
  }
  return users;
}

// ---- one launch
typedef enum Left { LEFT_UNKNOWN, LEFT_OTHERWISE, LEFT_AS_TAKEN, LEFT_UNASKED } Left;

typedef struct Attempt {
  ReportRace *report;
  Scan *scan;
  const SolverAnswer *answer;
  ReplayLaunch launch;
  bool is_again, is_small;
  const LaunchContext *const *chain;
  uint32_t chain_count, from; // launches of the chain from there on have written what was read
  int64_t found;              // LEFT_OTHERWISE: in the word
} Attempt;

static bool is_one_word(const Scan *scan, const StartWord *word) {
  return expr_is_const(scan->pool, word->offset, NULL);
}

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
                          .chain = attempt->chain,
                          .chain_count = attempt->chain_count,
                          .is_small = attempt->is_small};
  PriorLaunches *prior = prior_open(&request, scratch);
  uint32_t count = places_of(attempt, word, places);
  Left left = count ? LEFT_AS_TAKEN : LEFT_UNKNOWN;
  const int64_t *asked = places;
  PriorPlaces written = {0};
  if (attempt->chain && !is_one_word(attempt->scan, word)) {
    if (!prior_places_in_chain(prior, number, word->bytes, &written)) left = LEFT_UNKNOWN;
    asked = written.offsets.items;
    count = written.offsets.count;
  }
  for (uint32_t i = 0; i < count && left == LEFT_AS_TAKEN; i++) {
    if (!prior_read(prior, number, asked[i], word->bytes, &attempt->found))
      left = LEFT_UNKNOWN;
    else if (word->is_least ? attempt->found < taken : attempt->found != taken)
      left = LEFT_OTHERWISE;
  }
  if (attempt->chain && is_one_word(attempt->scan, word) && left == LEFT_AS_TAKEN)
    attempt->from = prior_writer_in_chain(prior, number, places[0]);
  arena_close(scratch);
  return left;
}

// What is seen in no run of the program itself only bears out.
static Left look_with_fewer(Attempt *attempt, const StartWord *word) {
  Attempt fewer = *attempt;
  fewer.is_small = true;
  Left left = look(&fewer, word);
  attempt->from = fewer.from;
  return left == LEFT_AS_TAKEN ? LEFT_AS_TAKEN : LEFT_UNKNOWN;
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

// ---- which launch comes last
enum { CHAIN_LIMIT = 6, CHAINS_RUN = 64 };

// Launches that may follow each other, from one on that found the word as it should be. The last one leaves it otherwise.
typedef struct Ways {
  Scan *scan;
  const Goal *of;
  const StartWord *word;
  const LaunchWriters *writers;
  const LaunchContext *chain[CHAIN_LIMIT];
  uint32_t count, runs;
  uint64_t begun, waiting; // writers that may find it as it should be
  Left left;
  LeftOn on;               // LEFT_UNKNOWN: it hangs on more than the runs show
  const LaunchContext *by; // whom it hangs on, where it need not be left as taken
  int64_t found;
} Ways;

static bool ask_launch(Ways *ways, const Goal *of, uint32_t shape, SolverAnswer *answer,
                       ReplayLaunch *launch) {
  Goal goal;
  return shapes_ask(ways->scan, of, shape, &goal, answer) && replay_make_launch(ways->scan, answer, launch);
}

// On what does it hang that the chain leaves it as taken? Those who have written it last count, and what they found there.
static LeftOn chain_hangs_on(const Ways *ways, const Attempt *attempt, bool is_small) {
  const Obj *object = &ways->scan->objects.items[ways->word->object];
  bool is_one = is_one_word(ways->scan, ways->word), reads_word = !is_one || attempt->from == ways->count;
  LeftOn on = LEFT_ON_RUN;
  for (uint32_t i = ways->count; i-- > 0 && (i >= attempt->from || reads_word);) {
    bool is_fixed = left_by_fixed_sizes(ways->scan, ways->chain[i]);
    LeftBy by = left_by(ways->scan, ways->chain[i], object, is_small || !is_fixed);
    if (!is_one && !is_fixed && by.on == LEFT_ON_RUN) by.on = LEFT_ON_SIZE;
    if (by.on > on) on = by.on;
    reads_word |= by.reads_word;
  }
  return ways->word->is_least ? LEFT_ON_RUN : on;
}

// In another round of a loop other facts hold, so that those of all launches need not hold together.
static Left run_chain(Ways *ways) {
  Goal goal = goal_copy(ways->scan, ways->of);
  Left left = LEFT_UNKNOWN;
  for (uint32_t i = 0; i < ways->count; i++)
    for (uint32_t f = 0; f < ways->chain[i]->facts.count; f++)
      goal_add(ways->scan, &goal, ways->chain[i]->facts.items[f].condition, GOAL_CONTEXT, 0);
  for (uint32_t s = 0; s < SHAPES_TRIED; s++) {
    SolverAnswer answer;
    Attempt attempt = {
        .scan = ways->scan, .answer = &answer, .chain = ways->chain, .chain_count = ways->count};
    bool is_asked = (!goal.is_false && ask_launch(ways, &goal, s, &answer, &attempt.launch)) ||
                    (s == 0 && ask_launch(ways, ways->of, s, &answer, &attempt.launch));
    if (!is_asked) break;
    left = look(&attempt, ways->word);
    bool is_small = left == LEFT_UNKNOWN && is_one_word(ways->scan, ways->word);
    if (is_small) left = look_with_fewer(&attempt, ways->word);
    ways->found = attempt.found;
    ways->on = left == LEFT_AS_TAKEN ? chain_hangs_on(ways, &attempt, is_small) : LEFT_ON_RUN;
    if (left != LEFT_AS_TAKEN || ways->on != LEFT_ON_RUN) break;
  }
  return left == LEFT_AS_TAKEN && ways->on != LEFT_ON_RUN ? LEFT_UNKNOWN : left;
}

static bool take_next(Ways *ways, uint32_t index);

static bool end_with(Ways *ways, Left left, const LaunchContext *by) {
  ways->left = left;
  ways->by = by;
  return false;
}

// The last one has left it otherwise, or it is not known how. false: it may be as that is when the kernel starts.
static bool take_all_next(Ways *ways, const LaunchWriter *last, Left left) {
  bool goes_on = !last->is_last || end_with(ways, left, last->launch);
  for (uint32_t i = 0; i < ways->writers->count && goes_on; i++)
    if (last->next >> i & 1) goes_on = take_next(ways, i);
  return goes_on;
}

static bool take_next(Ways *ways, uint32_t index) {
  const LaunchWriter *writer = &ways->writers->items[index];
  bool is_repeated = false, goes_on = true;
  for (uint32_t i = 0; i < ways->count; i++)
    is_repeated |= ways->chain[i] == writer->launch;
  ways->on = LEFT_ON_RUN;
  if (writer->is_any || is_repeated || ways->count == CHAIN_LIMIT || ways->runs++ == CHAINS_RUN)
    return end_with(ways, LEFT_UNKNOWN, writer->launch);
  ways->chain[ways->count++] = writer->launch;
  Left left = writer->launch ? run_chain(ways) : LEFT_AS_TAKEN; // who is not seen leaves it so (A11)
  if (left == LEFT_AS_TAKEN)
    ways->waiting |= writer->next;
  else
    goes_on = take_all_next(ways, writer, left);
  ways->count--;
  return goes_on;
}

// May some way of the host come to the launch with the word left otherwise?
static void look_at_ways(Ways *ways) {
  bool goes_on = ways->writers->count <= 64 || end_with(ways, LEFT_UNKNOWN, NULL);
  ways->left = goes_on ? LEFT_AS_TAKEN : LEFT_UNKNOWN;
  for (uint32_t i = 0; i < ways->writers->count && goes_on; i++)
    if (ways->writers->items[i].is_first) ways->waiting |= UINT64_C(1) << i;
  while (goes_on && (ways->waiting & ~ways->begun)) {
    uint32_t i = 0;
    while (!((ways->waiting & ~ways->begun) >> i & 1))
      i++;
    ways->begun |= UINT64_C(1) << i;
    ways->count = 0;
    goes_on = i >= ways->writers->count || take_next(ways, i);
  }
}

// Does the host say it after all, of each place that there is, whatever the launches before have left?
static bool host_says(Scan *scan, const Goal *of, const StartWord *word) {
  ExprPool *pool = scan->pool;
  const Obj *object = &scan->objects.items[word->object];
  const LaunchContent *content = initial_contents_find(scan, object, word->bytes);
  ExprRef known = content ? initial_contents_at(scan, content, content->value, word->offset) : 0;
  ExprRef size = object->kind == OBJ_LAUNCH ? scan->launch->objects.items[object->index].size_bytes : 0;
  if (!known || expr_width(pool, known) != expr_width(pool, word->value)) return false;
  Goal goal = goal_copy(scan, of);
  if (size) goal_add(scan, &goal, expr_binary(pool, EXPR_ULT, 0, word->offset, size), GOAL_CONTEXT, 0);
  goal_add(scan, &goal, expr_ne(pool, known, word->value), GOAL_CONTEXT, 0);
  return goal.is_false || goal_satisfiable(scan, &goal, "for what the host says").verdict == VERDICT_SAFE;
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
  if (!by) {
    add_reason(scan,
               arena_printf(scan->arena,
                            "whether '%s' holds what it should when the kernel starts hangs on launches "
                            "before, which are too many: set it before each launch (cudaMemset)",
                            name));
    return;
  }
  add_reason(scan,
             arena_printf(scan->arena,
                          "whether '%s' holds what it should when the kernel starts hangs on kernel '%s', "
                          "launched at %s, which could not be run to see what it leaves there: set it "
                          "before each launch (cudaMemset)",
                          name, kernel_name(scan, by), place_text(scan, &by->loc)));
}

static void tell_going_on(Scan *scan, const StartWord *word, const Users *users) {
  const char *why = users->is_early ? "the launch allows the kernel to start early"
                                    : "nothing orders its stream before what comes next";
  add_reason(scan,
             arena_printf(scan->arena,
                          "whether '%s' holds what it should when the kernel starts hangs on %s, which "
                          "need not be over by then: %s",
                          scan->objects.items[word->object].name, launch_text(scan, users->going_on), why));
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

static void tell_hanging(Scan *scan, const Ways *ways) {
  const char *on = ways->on == LEFT_ON_SIZE ? "on numbers that are not fixed" : "on what memory holds";
  add_reason(scan,
             arena_printf(scan->arena,
                          "whether '%s' holds what it should when the kernel starts hangs on %s, and what "
                          "that leaves there %s: set it before each launch (cudaMemset)",
                          scan->objects.items[ways->word->object].name, launch_text(scan, ways->by), on));
}

static void tell_way(Scan *scan, const Ways *ways) {
  const char *name = scan->objects.items[ways->word->object].name;
  add_reason(scan,
             arena_printf(scan->arena,
                          "'%s' may be %lld when the kernel starts: on some way through the host code %s is "
                          "the last to write it, and leaves it so: set it back on all of them",
                          name, (long long)ways->found, launch_text(scan, ways->by)));
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
  Left all = LEFT_UNASKED;
  for (uint32_t s = 0; s < SHAPES_TRIED && !of->is_false && !users->has_unseen; s++) {
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
  return all;
}

// Of each way of the host, and not only of that on which all launches in front have been made once.
static bool settle_ways(Scan *scan, const Goal *of, const StartWord *word, const Users *users) {
  Ways ways = {.scan = scan, .of = of, .word = word, .writers = users->writers};
  look_at_ways(&ways);
  if (ways.left == LEFT_OTHERWISE) tell_way(scan, &ways);
  if (ways.left == LEFT_UNKNOWN && ways.on != LEFT_ON_RUN) tell_hanging(scan, &ways);
  if (ways.left == LEFT_UNKNOWN && ways.on == LEFT_ON_RUN) tell_unknown(scan, word, ways.by);
  return ways.left == LEFT_AS_TAKEN;
}

static bool is_settled(const StartWord *words, uint32_t index) {
  for (uint32_t i = 0; i < index; i++)
    if (words[i].object == words[index].object && words[i].offset == words[index].offset) return true;
  return false;
}

// false: the kernel is undecided, or racy.
static bool check_word(Scan *scan, const Goal *own, const Goal *together, const StartWord *word,
                       ReportRace *report) {
  Users users = users_of(scan, word);
  if (users.may_go_on) {
    tell_going_on(scan, word, &users);
    return false;
  }
  if (!users.nearest) return true;
  Left left = settle(scan, together, word, &users, report);
  if (left == LEFT_OTHERWISE) return false;
  return host_says(scan, own, word) || settle_ways(scan, own, word, &users);
}

static void check_words(Scan *scan, const StartWord *words, uint32_t count, ReportRace *report) {
  Goal own = {0};
  goal_add_launch(scan, &own);
  Goal together = goal_copy(scan, &own);
  prior_add_facts(scan, &together);
  for (uint32_t i = 0; i < count && !own.is_false; i++) {
    Users users = users_of(scan, &words[i]);
    if (!check_word(scan, &own, &together, &words[i], report)) return;
    if (is_settled(words, i)) continue;
    if (users.has_unseen || !users.nearest) tell_taken(scan, &words[i], NULL);
    if (users.nearest) tell_taken(scan, &words[i], users.nearest);
  }
}

// With a solver of its own: the questions are about which launch to run, and prove nothing.
void start_words_check(Scan *scan, ReportRace *report) {
  ASSERT(report && scan->result->verdict == VERDICT_SAFE); // of a proof
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
