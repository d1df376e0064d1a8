// Two accesses that nothing was proved to order, and nothing to leave unordered, or of which the model says
// what only the kernel itself can compute: does a run of the whole launch show that they race? Method: all
// threads of the launch (of as many blocks as there is room for, those of the model's two threads first) are
// run together on the model's values, in several orders (core/team.h); whatever pairs race there are kept for
// the questions to come. Arrays that the kernel only reads, and of which neither model nor host code says
// what they hold, hold zeros and ones, by chance; a race that such a run shows is possible, not definite.
// Where contents decide (schedule_search_confirm), all memory holds chosen numbers at the start; what kernels of
// the program have computed before, they are run for (prior_launches.c), or it may be anything, if they cannot be.
// Soundness: a race that is found happened in a run of the IR; flags and counters of which the host code says
// nothing are zero at its start (A11). Finding none says nothing.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/facts.h"
#include "kernelscan/interval.h"
#include "kernelscan/memory.h"
#include "kernelscan/operations.h"
#include "kernelscan/order.h"
#include "kernelscan/witness/run_state.h"

enum {
  THREAD_LIMIT = 512,
  WIDE_THREAD_LIMIT = 1024,
  SCHEDULES = 17,
  WIDE_SCHEDULES = 10,
  CHOOSING = 5,
  RUN_STEPS = 600000,
  KERNEL_STEPS = 6000000,
  LAUNCH_LIMIT = 6,
  LARGER_LIMIT = 4
};

static ScheduleSearches *searches_of(Scan *scan) {
  ScheduleSearches *all = SCAN_STATE_OF(scan, schedule_search, ScheduleSearches);
  if (!all->is_asked) all->is_prior_unknown = !prior_exists(scan);
  all->is_asked = true;
  return all;
}

// ---- what is found
static WitnessThread witness_thread(const ScheduleSearch *run, uint32_t number) {
  const InterpThread *thread = &run->threads[number];
  WitnessThread out = {0};
  memcpy(out.block_idx, thread->block_idx, sizeof out.block_idx);
  memcpy(out.thread_idx, thread->thread_idx, sizeof out.thread_idx);
  int64_t linear =
      thread->thread_idx[0] +
      thread->block_dim[0] * (thread->thread_idx[1] + thread->block_dim[1] * thread->thread_idx[2]);
  out.warp = linear / 32;
  out.lane = linear % 32;
  return out;
}

static Extent extent_of(const ScheduleSearch *run, const WitnessThread *a, const WitnessThread *b) {
  bool is_split = clusters_kind(run->scan) == CLUSTERS_KNOWN;
  if (memcmp(a->block_idx, b->block_idx, sizeof a->block_idx) != 0)
    return is_split && clusters_are_same(run->launch.cluster, a->block_idx, b->block_idx)
               ? EXTENT_CLUSTER
               : EXTENT_INTER_BLOCK;
  return a->warp != b->warp ? EXTENT_INTRA_BLOCK : EXTENT_INTRA_WARP;
}

// Of whom does the barrier hold both?
static bool holds_both(const TeamPassed *passed, TeamReach reach, Extent extent, const WitnessThread *other) {
  if (reach == TEAM_GRID) return true;
  if (reach == TEAM_BLOCK) return !extent_is_between_blocks(extent);
  return extent == EXTENT_INTRA_WARP && (passed->lanes >> other->lane & 1);
}

// The latest that holds both threads, or (`is_own`) that does not; TEAM_REACHES: none.
static TeamReach latest(const TeamPassed *passed, Extent extent, const WitnessThread *other, bool is_own) {
  TeamReach found = TEAM_REACHES;
  for (TeamReach r = TEAM_LANES; r < TEAM_REACHES; r++) {
    if (!passed->count[r] || holds_both(passed, r, extent, other) == is_own) continue;
    if (found == TEAM_REACHES || passed->ordinal[r] > passed->ordinal[found]) found = r;
  }
  return found;
}

static void add_passed(Scan *scan, const TeamPassed *passed, TeamReach reach, bool is_common,
                       WitnessInterval *interval) {
  const IrInst *inst = &scan->fn->insts.items[passed->inst[reach]];
  static const IrScope scopes[] = {IR_SCOPE_WARP, IR_SCOPE_BLOCK, IR_SCOPE_DEVICE};
  vec_push(scan->arena, &interval->before,
           ((WitnessBarrier){*ir_loc(scan->module, inst->loc), scopes[reach], is_common}));
}

// What was behind the thread when it made its access. What lies before it is not kept by the run; how many
// barriers there were is not known where those of parts of a warp are among them.
static WitnessInterval interval_of(Scan *scan, const TeamPassed *passed, Extent extent,
                                   const WitnessThread *other) {
  WitnessInterval interval = {.is_known = true, .is_run = true};
  if (!passed) return interval;
  TeamReach common = latest(passed, extent, other, false), own = latest(passed, extent, other, true);
  uint32_t since = common == TEAM_REACHES ? 0 : passed->ordinal[common];
  if (common != TEAM_REACHES) add_passed(scan, passed, common, true, &interval);
  if (own != TEAM_REACHES && passed->ordinal[own] > since) add_passed(scan, passed, own, false, &interval);
  interval.is_run = extent != EXTENT_INTRA_WARP || passed->of_some == 0;
  for (TeamReach r = TEAM_LANES; r < TEAM_REACHES; r++)
    if (holds_both(passed, r, extent, other)) interval.passed += passed->count[r];
  return interval;
}

// What a launch before reads where nothing is known was chosen, too.
static bool used_choices(const ScheduleSearch *run) {
  return run->used_memory || (run->prior && prior_is_incomplete(run->prior));
}

static void on_race(void *context, const TeamRace *race) {
  ScheduleSearch *run = context;
  Found found = {.inst = {race->inst[0], race->inst[1]},
                 .is_write = {race->is_write[0], race->is_write[1]},
                 .offset = race->offset,
                 .used_memory = used_choices(run),
                 .is_wide = run->is_wide,
                 .has_prior = run->has_prior};
  for (int t = 0; t < 2; t++)
    found.threads[t] = witness_thread(run, race->thread[t]);
  found.extent = extent_of(run, &found.threads[0], &found.threads[1]);
  for (int t = 0; t < 2; t++)
    found.threads[t].interval = interval_of(run->scan, race->passed[t], found.extent, &found.threads[1 - t]);
  if (!run_contents_is_inside(run, race->object, race->offset)) return;
  memcpy(found.grid, run->launch.grid, sizeof found.grid);
  memcpy(found.block, run->launch.block, sizeof found.block);
  run_contents_list_chosen(run, &found);
  for (uint32_t i = 0; i < run->model.values.count; i++)
    vec_push(run->scan->arena, &found.values, run->model.values.items[i]);
  vec_push(run->scan->arena, &run->all->found, found);
}

static bool is_side(const Found *found, int side, const Access *access) {
  return found->inst[side] == access->inst && found->is_write[side] == (access->kind != ACCESS_READ);
}

// Where the launches before can be run, no other runs on chosen contents count.
static Found *find(ScheduleSearches *all, const ReplayQuery *query, bool also_wide, int *first) {
  for (uint32_t i = 0; i < all->found.count; i++) {
    Found *found = &all->found.items[i];
    if (found->extent != query->couple.extent || (found->is_wide && !also_wide)) continue;
    if (found->is_wide && found->has_prior == all->is_prior_unknown) continue;
    for (int f = 0; f < 2; f++) {
      if (!is_side(found, f, query->accesses[0]) || !is_side(found, 1 - f, query->accesses[1])) continue;
      *first = f;
      return found;
    }
  }
  return NULL;
}

// ---- which threads run
static int64_t product(const int64_t *dim) {
  for (int axis = 0; axis < 3; axis++)
    if (dim[axis] <= 0 || dim[axis] > 1 << 20) return INT64_MAX / 4;
  return dim[0] * dim[1] * dim[2];
}

static int64_t thread_limit(const ScheduleSearch *run) {
  return run->is_wide ? WIDE_THREAD_LIMIT : THREAD_LIMIT;
}

static void add_block(ScheduleSearch *run, int64_t number) {
  const int64_t *grid = run->launch.grid, *block = run->launch.block;
  int64_t index[3] = {number % grid[0], number / grid[0] % grid[1], number / grid[0] / grid[1]};
  for (uint32_t i = 0; i < run->thread_count; i++)
    if (memcmp(run->threads[i].block_idx, index, sizeof index) == 0) return;
  int64_t count = product(block);
  if (run->thread_count + count > thread_limit(run)) return;
  for (int64_t t = 0; t < count; t++) {
    InterpThread *thread = &run->threads[run->thread_count++];
    memcpy(thread->grid_dim, grid, sizeof thread->grid_dim);
    memcpy(thread->block_dim, block, sizeof thread->block_dim);
    memcpy(thread->cluster_dim, run->launch.cluster, sizeof thread->cluster_dim);
    memcpy(thread->block_idx, index, sizeof index);
    thread->thread_idx[0] = t % block[0];
    thread->thread_idx[1] = t / block[0] % block[1];
    thread->thread_idx[2] = t / block[0] / block[1];
  }
}

static bool choose_threads(ScheduleSearch *run, const ReplayQuery *query) {
  const int64_t *grid = run->launch.grid;
  int64_t blocks = product(grid), limit = thread_limit(run);
  if (product(run->launch.block) > limit || blocks >= INT64_MAX / 4) return false;
  run->threads = arena_array(run->scan->arena, limit + 1, InterpThread);
  run->is_whole_grid = blocks * product(run->launch.block) <= limit;
  for (int t = 0; query && t < 2 && !run->is_whole_grid; t++) {
    int64_t at[3];
    if (!replay_triple(&run->launch, query->views[t]->block_idx, at)) continue;
    int64_t number = at[0] + grid[0] * (at[1] + grid[1] * at[2]);
    if (number >= 0 && number < blocks) add_block(run, number);
  }
  for (int64_t b = 0; b < blocks && b < limit; b++)
    add_block(run, b);
  return run->thread_count > 0;
}

static uint64_t launch_hash(const ReplayLaunch *launch) {
  uint64_t hash = str_hash(launch->grid, sizeof launch->grid, 1);
  hash = str_hash(launch->block, sizeof launch->block, hash);
  for (uint32_t a = 0; a < launch->arg_count; a++)
    for (uint32_t p = 0; p < launch->args[a].piece_count; p++) {
      const InterpValue *value = &launch->args[a].pieces[p].value;
      int64_t parts[] = {(int64_t)value->kind, value->word, value->object};
      hash = str_hash(parts, sizeof parts, hash);
    }
  return hash;
}

// ---- running
static TeamRequest request_of(ScheduleSearch *run) {
  const Scan *scan = run->scan;
  return (TeamRequest){.base = {.module = scan->module,
                                .kernel = scan->fn,
                                .arg_count = run->launch.arg_count,
                                .args = run->launch.args,
                                .global_objects = run->launch.global_objects,
                                .first_private_object = run->launch.first_private,
                                .read = run_contents_on_read,
                                .context = run},
                       .thread_count = run->thread_count,
                       .threads = run->threads,
                       .is_whole_grid = run->is_whole_grid,
                       .rules = *memory_rules(scan->request->options.memory_model),
                       .warp_order = scan->request->options.arch < 70 ? warp_order(scan) : NULL,
                       .cfg = scan->cfg,
                       .step_limit = RUN_STEPS,
                       .race = on_race,
                       .context = run};
}

// Of the searches of a kernel: a later instance of a template has less of them, as of the solver's units.
static uint64_t most_steps(const ScheduleSearch *run) {
  uint64_t units = run->scan->request->options.solver_units;
  return units && units < SOLVER_POOL_UNITS ? KERNEL_STEPS / (SOLVER_POOL_UNITS / units) : KERNEL_STEPS;
}

static uint64_t *steps_of(ScheduleSearch *run) {
  return run->is_wide ? &run->all->wide_steps : &run->all->steps;
}

// Any lane of a warp may be elected: the first one, or the last one that there is.
static void elect_lanes(ScheduleSearch *run, uint32_t schedule) {
  enum { WARP = 32 };
  int64_t count = product(run->launch.block);
  for (uint32_t i = 0; i < run->thread_count; i++) {
    int64_t first = (int64_t)i % count / WARP * WARP;
    bool is_last = schedule & 1;
    run->threads[i].elected = is_last ? (count - first < WARP ? count - first : WARP) - 1 : 0;
  }
}

static uint64_t block_size(const ScheduleSearch *run) {
  int64_t size = product(run->launch.block);
  return size < run->thread_count ? (uint64_t)size : run->thread_count;
}

static void run_team(ScheduleSearch *run, const TeamRequest *request) {
  Arena *scratch = arena_open();
  run->used_memory = false;
  run->chosen.count = 0;
  run->random = run->seed = request->schedule;
  run->may_choose = run->is_wide || request->schedule >= CHOOSING;
  elect_lanes(run, request->schedule);
  PriorRequest before = {.scan = run->scan,
                         .is_filled = run->is_audit,
                         .answer = run->answer,
                         .launch = &run->launch,
                         .seed = run->seed,
                         .step_limit =
                             most_steps(run) > *steps_of(run) ? most_steps(run) - *steps_of(run) : 1,
                         .is_again = run->is_again,
                         .host_says = run_contents_host_says,
                         .context = run};
  run->prior = run->has_prior ? prior_open(&before, scratch) : NULL;
  *steps_of(run) += team_run(request, scratch);
  if (run->prior) {
    *steps_of(run) += prior_steps(run->prior);
    // Once they were run, what later runs have no steps left for is no reason to take anything.
    bool is_incomplete = prior_is_incomplete(run->prior);
    run->all->was_prior_run |= !is_incomplete && prior_steps(run->prior) > 0;
    run->all->is_prior_unknown |= is_incomplete && !run->all->was_prior_run;
    run->prior = NULL;
  }
  // At each barrier, clocks of all threads are joined for those of a block.
  if (run->is_wide) *steps_of(run) += (uint64_t)run->thread_count * block_size(run);
  arena_close(scratch);
}

// What is missing? What would have ordered the two in the very same run: if all operations reached all
// threads (asked first: fences that are there, but narrow, are not missing), if whoever reads acquired, if
// whoever writes released.
static const char *cause_of(ScheduleSearch *run, const ReplayQuery *query, TeamRequest request) {
  static const struct {
    const char *cause;
    bool hears, tells, reaches;
  } kinder[] = {{"insufficient-scope-fence", false, false, true},
                {"missing-acquire-fence", true, false, false},
                {"missing-fence", false, true, false},
                {"missing-fence", true, true, false}};
  for (uint32_t k = 0; k < sizeof kinder / sizeof *kinder; k++) {
    ScheduleSearches none = {0};
    ScheduleSearch again = *run;
    int first = 0;
    again.all = &none;
    request.rules.reads_acquire |= kinder[k].hears;
    request.tells_without_fence = kinder[k].tells;
    request.reaches_all = kinder[k].reaches;
    request.context = &again;
    request.base.context = &again;
    run_team(&again, &request);
    request.rules = *memory_rules(run->scan->request->options.memory_model);
    if (!find(&none, query, true, &first)) return kinder[k].cause;
  }
  return NULL;
}

// In this run a copy came first, or second: it was not waited for, or began while its place was in use.
static const char *cause_of_copy(const Scan *scan, const Found *found) {
  const IrInst *insts = scan->fn->insts.items;
  if (ir_inst_is(&insts[found->inst[0]], IR_ASYNC)) return "missing-async-wait";
  return ir_inst_is(&insts[found->inst[1]], IR_ASYNC) ? "missing-barrier" : NULL;
}

static uint32_t schedule_count(const ScheduleSearch *run) {
  return run->is_wide ? WIDE_SCHEDULES : SCHEDULES;
}

static void run_schedules(ScheduleSearch *run, const ReplayQuery *query, int *first) {
  TeamRequest request = request_of(run);
  uint32_t *next = &run->all->launches.items[run->tried].next;
  while (*next < schedule_count(run) && *steps_of(run) < most_steps(run)) {
    if (run->has_prior && run->all->is_prior_unknown) return;
    uint32_t before = run->all->found.count;
    request.schedule = (*next)++;
    run_team(run, &request);
    Found *found = find(run->all, query, run->is_wide, first);
    if (!found) continue;
    if (run->all->found.count == before) return;
    found->cause = cause_of_copy(run->scan, found);
    bool is_atomic = query->accesses[0]->kind == ACCESS_ATOMIC && query->accesses[1]->kind == ACCESS_ATOMIC;
    if (!found->cause && !is_atomic && order_get(run->scan)->has_strong_access)
      found->cause = cause_of(run, query, request);
    return;
  }
}

// On other contents of memory a launch is another one.
static uint64_t contents_hash(const Witness *model, uint64_t hash) {
  for (uint32_t i = 0; i < model->memory.count; i++) {
    const WitnessValue *cell = &model->memory.items[i];
    hash = str_hash(&cell->value, sizeof cell->value, str_hash(cell->name, strlen(cell->name), hash));
  }
  return hash;
}

// Is there a schedule left in which this launch was not run?
static bool is_untried(ScheduleSearch *run) {
  ScheduleSearches *all = run->all;
  uint64_t hash = contents_hash(&run->model, launch_hash(&run->launch) + run->is_wide + run->has_prior);
  for (uint32_t i = 0; i < all->launches.count; i++)
    if (all->launches.items[i].hash == hash) {
      run->tried = i;
      return all->launches.items[i].next < schedule_count(run);
    }
  if (all->launches.count >= LAUNCH_LIMIT) return false;
  run->tried = all->launches.count;
  vec_push(run->scan->arena, &all->launches, ((Tried){hash, 0}));
  return true;
}

static void add_limit(Scan *scan, Goal *goal, ExprRef size, int64_t most) {
  if (!size) return;
  ExprRef limit = expr_const(scan->pool, expr_width(scan->pool, size), most);
  goal_add(scan, goal, expr_binary(scan->pool, EXPR_SLE, 0, size, limit), GOAL_CONTEXT, 0);
}

static void add_between(Scan *scan, Goal *goal, ExprRef word, int64_t low, int64_t high) {
  uint8_t width = expr_width(scan->pool, word);
  add_limit(scan, goal, word, high);
  goal_add(scan, goal, expr_binary(scan->pool, EXPR_SLE, 0, expr_const(scan->pool, width, low), word),
           GOAL_CONTEXT, 0);
}

// The same question of a launch with few blocks, with few threads in each, or both.
static bool ask_for_less(Scan *scan, const ReplayQuery *query, SolverAnswer *answer) {
  static const bool limits[][2] = {{true, true}, {true, false}, {false, true}};
  for (uint32_t l = 0; l < sizeof limits / sizeof *limits; l++) {
    Goal goal = goal_copy(scan, query->goal);
    for (int axis = 0; axis < 3; axis++) {
      if (limits[l][0]) add_limit(scan, &goal, scan->launch->grid[axis], axis ? 2 : 4);
      if (limits[l][1]) add_limit(scan, &goal, scan->launch->block[axis], axis ? 2 : 64);
    }
    if (goal.is_false) continue;
    *answer = goal_decide_for_run(scan, &goal, "with few threads");
    if (answer->verdict == VERDICT_RACE) return true;
  }
  return false;
}

static bool prepare(ScheduleSearch *run, const ReplayQuery *query, const SolverAnswer *answer) {
  Scan *scan = run->scan;
  if (*steps_of(run) >= most_steps(run) || !replay_make_launch(scan, answer, &run->launch)) return false;
  ReplayQuery made = *query;
  made.answer = answer;
  witness_from_model(scan, &made, &run->model);
  if (!is_untried(run) || !choose_threads(run, query)) return false;
  run->answer = arena_copy(scan->arena, answer, sizeof *answer);
  run->occurs = goal_occurrences(scan, query->goal);
  run_contents_find_choosable(run);
  return true;
}

static bool is_large(const ReplayLaunch *launch) {
  return product(launch->grid) > THREAD_LIMIT ||
         product(launch->grid) * product(launch->block) > THREAD_LIMIT;
}

// Runs the launch of this model, or a smaller one, unless it was run already.
static void search_with(Scan *scan, const ReplayQuery *query, const SolverAnswer *answer, int *first) {
  ScheduleSearch run = {.scan = scan, .all = searches_of(scan)};
  SolverAnswer less = {0};
  if (run.all->steps >= most_steps(&run) || !replay_make_launch(scan, answer, &run.launch)) return;
  bool is_less = is_large(&run.launch) && ask_for_less(scan, query, &less);
  if (prepare(&run, query, is_less ? &less : answer)) run_schedules(&run, query, first);
}

// The launch of a model in which the number that the kernel is given lies in between.
static void search_between(Scan *scan, const ReplayQuery *query, ExprRef word, int64_t low, int64_t high,
                           int *first) {
  Goal goal = goal_copy(scan, query->goal);
  add_between(scan, &goal, word, low, high);
  if (goal.is_false) return;
  SolverAnswer answer = goal_decide_for_run(scan, &goal, low ? "with some rounds" : "with zero");
  if (answer.verdict == VERDICT_RACE) search_with(scan, query, &answer, first);
}

// The number that the kernel is given as argument `a`; 0: it is none (truth values are none, either).
static ExprRef given_number(const Scan *scan, uint32_t a) {
  const LaunchArg *arg = &scan->launch->args.items[a];
  ExprRef word = arg->pieces.count == 1 ? arg->pieces.items[0].word : 0;
  return word && expr_width(scan->pool, word) >= 8 ? word : 0;
}

static void add_few_rounds(Scan *scan, Goal *goal) {
  for (uint32_t a = 0; a < scan->launch->args.count; a++) {
    ExprRef word = given_number(scan, a);
    if (word) add_between(scan, goal, word, 2, 4);
  }
}

// A launch with some more blocks and threads than the two that the question is about: a third block may tell
// one of them something wrong. If `with_numbers`, the numbers that the kernel is given are those of a few
// rounds.
static void search_larger(Scan *scan, const ReplayQuery *query, bool with_numbers, int *first) {
  if (searches_of(scan)->larger++ >= LARGER_LIMIT) return;
  Goal goal = goal_copy(scan, query->goal);
  add_between(scan, &goal, scan->launch->grid[0], 3, 4);
  add_between(scan, &goal, scan->launch->block[0], 2, 64);
  for (int axis = 1; axis < 3; axis++) {
    add_limit(scan, &goal, scan->launch->grid[axis], 2);
    add_limit(scan, &goal, scan->launch->block[axis], 2);
  }
  if (with_numbers) add_few_rounds(scan, &goal);
  if (goal.is_false) return;
  SolverAnswer answer = goal_decide_for_run(scan, &goal, "with some more threads");
  if (answer.verdict == VERDICT_RACE) search_with(scan, query, &answer, first);
}

// The model's launch; then launches in which one of the numbers that the kernel is given is zero, which is
// what flags and counters begin with. Buffers that are handed round are used again only after some rounds.
static void search_schedules(Scan *scan, const ReplayQuery *query, int *first) {
  enum { SOME_ROUNDS = 8, MANY_ROUNDS = 16 };
  search_with(scan, query, query->answer, first);
  for (int with = 1; with >= 0 && !find(searches_of(scan), query, false, first); with--)
    search_larger(scan, query, with, first);
  for (uint32_t a = 0; a < scan->launch->args.count && !find(searches_of(scan), query, false, first); a++) {
    ExprRef word = given_number(scan, a);
    if (!word || searches_of(scan)->launches.count >= LAUNCH_LIMIT) continue;
    search_between(scan, query, word, SOME_ROUNDS, MANY_ROUNDS, first);
    if (!find(searches_of(scan), query, false, first)) search_between(scan, query, word, 0, 0, first);
  }
}

// Volatile words that somebody waits for are no data. Operations that do not reach the other thread race all
// the same.
static bool is_of_signal(Scan *scan, const ReplayQuery *query) {
  bool is_strong = true, is_waited_for = false;
  for (int t = 0; t < 2; t++)
    if (operation_scope(scan, query->accesses[t]) < operation_scope_needed(query->couple.extent))
      return false;
  if (!order_memory_rules(scan)->volatile_races) return false;
  for (int t = 0; t < 2; t++)
    is_strong &= operation_is_strong(scan, query->accesses[t]);
  for (int t = 0; t < 2 && is_strong; t++)
    is_waited_for |= order_is_signal_word(order_get(scan), query->accesses[t]);
  return is_waited_for;
}

void schedule_search_fill_witness(Scan *scan, const Found *found, int first, Witness *witness) {
  ASSERT(first == 0 || first == 1);
  memcpy(witness->grid_dim, found->grid, sizeof found->grid);
  memcpy(witness->block_dim, found->block, sizeof found->block);
  witness->threads[0] = found->threads[first];
  witness->threads[1] = found->threads[1 - first];
  witness->offset = found->offset;
  witness->iterations[0].count = witness->iterations[1].count = 0;
  witness->memory.count = witness->values.count = 0;
  for (uint32_t i = 0; i < found->values.count; i++)
    vec_push(scan->arena, &witness->values, found->values.items[i]);
  for (uint32_t i = 0; i < found->memory.count; i++)
    vec_push(scan->arena, &witness->memory, found->memory.items[i]);
  witness->is_replayed = !found->used_memory;
}

ReplayResult schedule_search_find(Scan *scan, const ReplayQuery *query, Witness *witness,
                                  const char **cause) {
  ASSERT(cause && witness);
  ASSERT(scan_has_access(scan, query->accesses[0]) && scan_has_access(scan, query->accesses[1]));
  ScheduleSearches *all = searches_of(scan);
  int first = 0;
  const Found *found = find(all, query, false, &first);
  if ((!found && !query->goal) || is_of_signal(scan, query)) return REPLAY_DIFFERS;
  if (!found && query->goal) {
    search_schedules(scan, query, &first);
    found = find(all, query, false, &first);
  }
  if (!found) return REPLAY_DIFFERS;
  *cause = found->cause;
  schedule_search_fill_witness(scan, found, first, witness);
  return found->used_memory ? REPLAY_NEEDS_MEMORY : REPLAY_CONFIRMED;
}

// The same question where the launches before are as the host says, too.
static SolverAnswer with_past(Scan *scan, const ReplayQuery *query, const SolverAnswer *answer) {
  Goal goal = goal_copy(scan, query->goal);
  prior_add_facts(scan, &goal);
  SolverAnswer both = goal_decide_for_run(scan, &goal, "with the launches before");
  return both.verdict == VERDICT_RACE ? both : *answer;
}

// The blocks of the model's two threads, with as many others as there is room for; then a smaller launch.
static void run_on_contents(Scan *scan, const ReplayQuery *query, const SolverAnswer *answer, int *first) {
  ScheduleSearch run = {.scan = scan, .all = searches_of(scan), .is_wide = true};
  run.has_prior = !run.all->is_prior_unknown;
  SolverAnswer both = run.has_prior ? with_past(scan, query, answer) : *answer;
  answer = &both;
  if (prepare(&run, query, answer)) run_schedules(&run, query, first);
  SolverAnswer less = {0};
  if (find(run.all, query, true, first) || !is_large(&run.launch) || !ask_for_less(scan, query, &less))
    return;
  if (prepare(&run, query, &less)) run_schedules(&run, query, first);
}

static void run_with(Scan *scan, const ReplayQuery *query, Goal *goal, int *first) {
  if (goal->is_false || find(searches_of(scan), query, true, first)) return;
  SolverAnswer answer = goal_decide_for_run(scan, goal, "with other numbers");
  if (answer.verdict == VERDICT_RACE) run_on_contents(scan, query, &answer, first);
}

// The model's launch; then those in which the numbers that the kernel is given are for a few rounds, or one
// of them is zero.
static void search_contents(Scan *scan, const ReplayQuery *query, int *first) {
  run_on_contents(scan, query, query->answer, first);
  if (find(searches_of(scan), query, true, first) || searches_of(scan)->wider++ >= LARGER_LIMIT) return;
  Goal few = goal_copy(scan, query->goal);
  add_few_rounds(scan, &few);
  run_with(scan, query, &few, first);
  for (uint32_t a = 0; a < scan->launch->args.count; a++) {
    ExprRef word = given_number(scan, a);
    if (!word || searches_of(scan)->launches.count >= LAUNCH_LIMIT) continue;
    Goal none = goal_copy(scan, query->goal);
    add_between(scan, &none, word, 0, 0);
    run_with(scan, query, &none, first);
  }
}

ReplayResult schedule_search_confirm(Scan *scan, const ReplayQuery *query, Witness *witness) {
  ASSERT(query->goal && witness);
  ASSERT(scan_has_access(scan, query->accesses[0]) && scan_has_access(scan, query->accesses[1]));
  ScheduleSearches *all = searches_of(scan);
  int first = 0;
  const Found *found = find(all, query, true, &first);
  for (bool again = true; again && !found;) {
    bool had_past = !all->is_prior_unknown;
    search_contents(scan, query, &first);
    found = find(all, query, true, &first);
    again = had_past && all->is_prior_unknown; // it cannot be run: then anything goes
    if (again) all->wider = 0;
  }
  if (!found) return REPLAY_NOT_SHOWN;
  schedule_search_fill_witness(scan, found, first, witness);
  return found->used_memory ? REPLAY_NEEDS_MEMORY : REPLAY_CONFIRMED;
}

bool schedule_search_runs_prior(const Scan *scan) {
  const ScheduleSearches *all = SCAN_STATE_OF(scan, schedule_search, ScheduleSearches);
  return all->is_asked && !all->is_prior_unknown;
}

ScheduleSearch *schedule_search_open(Scan *scan, const Goal *goal, const SolverAnswer *answer, Start start) {
  ScheduleSearch *run = arena_new(scan->arena, ScheduleSearch);
  *run = (ScheduleSearch){.scan = scan,
                          .all = arena_new(scan->arena, ScheduleSearches),
                          .is_wide = start == START_CHOSEN,
                          .is_left = start == START_LEFT || start == START_AGAIN,
                          .is_again = start == START_AGAIN,
                          .is_audit = true};
  run->has_prior = run->is_left || prior_exists(scan);
  run->answer = arena_copy(scan->arena, answer, sizeof *answer); // the launch keeps a pointer to it
  if (!replay_make_launch(scan, run->answer, &run->launch) || !choose_threads(run, NULL)) return NULL;
  vec_push(scan->arena, &run->all->launches, ((Tried){launch_hash(&run->launch) + (uint64_t)start, 0}));
  run->occurs = goal_occurrences(scan, goal);
  run_contents_find_choosable(run);
  return run;
}

uint64_t schedule_search_hash(const ScheduleSearch *run) {
  return run->all->launches.items[0].hash;
}

uint64_t schedule_search_run(ScheduleSearch *run, uint32_t schedule) {
  TeamRequest request = request_of(run);
  request.schedule = schedule;
  request.base.chooses_any = true;
  *steps_of(run) = 0;
  run_team(run, &request);
  return *steps_of(run) + (uint64_t)run->thread_count * run->thread_count;
}

uint32_t schedule_search_found_count(const ScheduleSearch *run) {
  return run->all->found.count;
}

const Found *schedule_search_found(const ScheduleSearch *run, uint32_t index) {
  return &run->all->found.items[index];
}

bool schedule_search_is_left(const ScheduleSearch *run) {
  return run->is_left;
}

const ReplayLaunch *schedule_search_launch(const ScheduleSearch *run) {
  return &run->launch;
}
