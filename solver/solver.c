// Can this goal hold, and is the proof that it cannot worth something? The conditions are searched (lazy_facts.c).
// UNSAT is only SAFE when the conditions without the conflict can hold together, shown by a model; a
// contradiction among them is DEAD. Answers are cached under the key of the goal (key.c), and so is what is
// found about the conditions without the conflict, which many goals share. Soundness: SAFE needs a proof and
// a model of everything else; RACE needs a model of everything, evaluated exactly.
// SPDX-License-Identifier: Apache-2.0
#include "solver/internal.h"
#include "core/bug.h"

// Measured: 0.5 to 4 million units a second on one core (context_units). The budget of a goal is twelve times what the
// dearest of the stored goals takes (tests/goals).
// Once a pool is spent, a quarter as much is left for questions that take little. Where a third of it has gone into
// questions that stayed open, what is left most likely would: of the tests' kernels none that is decided takes more.
static const uint64_t default_rlimit = 2000000, rest_rlimit = 80000, flat_rlimit = 200000,
                      short_rlimit = 60000, reserve_part = 4, goal_part = 4, question_part = 8,
                      fruitless_part = 3, named_rlimit = 300000;
enum {
  SHORT_QUESTION = 64, // in keys
  HASH_BITS = 12       // of a constant factor
};
static const char *const spent = "the budget of the kernel is spent";

typedef enum Question { ASK_DECIDE, ASK_SATISFIABLE, ASK_VACUITY } Question;

typedef struct CacheEntry {
  GoalKey key;
  SolverAnswer answer; // sym_values and func by number in the key
  SmtResult rest;      // VACUITY: can the conditions hold?
  bool used_sizes;     // VACUITY
  uint32_t pool;       // the last that paid for it
  uint32_t rests[2];   // entries that the answer used; 0: none
  bool is_short;       // found with the limit of short questions, from the reserve
  bool is_fruitless;   // all of it was open in the end
  uint64_t units;      // to pay for this entry itself
} CacheEntry;

struct Solver {
  Arena *arena;
  SolverOptions options;
  SmtStore *store;
  SearchMemo *memo, *own_memo;
  VEC(CacheEntry) entries; // [0] is unused
  Table table;
  uint64_t pool_size, pool_left, reserve_left, reserve_half;
  uint64_t fruitless_left; // for questions that stay open
  uint32_t pool;           // number of the pool, from 1
  uint64_t units_paid;     // of all pools
  uint64_t most; // that one question may take, since the pool was cut or made small; 0: as its own limit says
  bool is_short; // of the question in hand: the pool is spent
  uint64_t first_look; // of the question in hand: its own limit, or 0
};

Solver *solver_open(const SolverOptions *options) {
  ASSERT(!options || !options->memory || (options->memory->find && options->memory->keep));
  Arena *arena = arena_open();
  Solver *solver = arena_new(arena, Solver);
  solver->arena = arena;
  solver->store = smt_store_open(arena);
  if (options) solver->options = *options;
  solver->memo = solver->options.memo;
  if (!solver->memo) solver->memo = solver->own_memo = solver_memo_open();
  if (solver->options.dump) solver->memo = NULL; // every search is to be seen there
  if (solver->options.rlimit == 0) solver->options.rlimit = default_rlimit;
  vec_push(arena, &solver->entries, (CacheEntry){0});
  solver_start_pool(solver, UINT64_MAX);
  return solver;
}

static uint64_t most_of(uint64_t units) {
  return units > short_rlimit ? units : short_rlimit;
}

void solver_start_pool(Solver *solver, uint64_t units) {
  ASSERT(solver->store); // it is open
  solver->pool++;
  solver->pool_size = solver->pool_left = units ? units : SOLVER_POOL_UNITS;
  solver->reserve_left = solver->pool_left / reserve_part;
  solver->reserve_half = solver->reserve_left / 2;
  solver->most = solver->pool_size < SOLVER_POOL_UNITS ? most_of(solver->pool_size / goal_part) : 0;
  // A larger one is not a kernel's: of facts that are tried, most are none.
  solver->fruitless_left =
      solver->pool_size > SOLVER_POOL_UNITS ? UINT64_MAX : most_of(solver->pool_size / fruitless_part);
}

static void cut_rest(Solver *solver, uint64_t rest) {
  if (solver->reserve_left > rest) solver->reserve_left = rest;
  if (solver->reserve_half > rest / 2) solver->reserve_half = rest / 2;
}

void solver_cut_pool(Solver *solver, uint32_t part) {
  ASSERT(part >= 1);
  uint64_t most = solver->pool_size / part;
  if (solver->pool_left > most) solver->pool_left = most;
  cut_rest(solver, most / reserve_part);
  uint64_t each = most_of(most / question_part);
  if (!solver->most || solver->most > each) solver->most = each;
}

bool solver_is_spent(const Solver *solver) {
  ASSERT(solver->pool_left <= solver->pool_size);
  return solver->pool_left == 0 && solver->reserve_left == 0;
}

uint64_t solver_units_left(const Solver *solver) {
  ASSERT(solver->pool_left <= solver->pool_size);
  return solver->pool_left;
}

uint64_t solver_units_paid(const Solver *solver) {
  ASSERT(solver->store); // it is open
  return solver->units_paid;
}

bool solver_is_low(const Solver *solver) {
  ASSERT(solver->pool_left <= solver->pool_size);
  return solver->pool_left == 0;
}

bool solver_has_half_a_rest(const Solver *solver) {
  return solver->reserve_left > solver->reserve_half;
}

SearchMemo *solver_memo_of(const Solver *solver) {
  return solver->memo;
}

void solver_close(Solver *solver) {
  if (!solver) return;
  smt_store_close(solver->store);
  solver_memo_close(solver->own_memo);
  arena_close(solver->arena);
}

// ---- cache
static uint32_t cache_find(const Solver *solver, const GoalKey *key) { // 0: unknown
  uint32_t id;
  TableLook look = table_look(&solver->table, (uint32_t)key->hash);
  while ((id = table_next(&look)) != 0)
    if (goal_key_equal(&solver->entries.items[id].key, key)) return id;
  return 0;
}

static void take(uint64_t *left, uint64_t units) {
  *left -= units < *left ? units : *left;
}

static void pay_for_nothing(Solver *solver, uint64_t units) {
  take(&solver->fruitless_left, units);
  if (solver->fruitless_left) return;
  solver->pool_left = 0;
  cut_rest(solver, solver->pool_size / fruitless_part / reserve_part);
}

// Each pool pays once for an answer, whether it was found now or for an earlier pool: what is left of a pool
// does not depend on history.
static void pay(Solver *solver, uint32_t id) {
  CacheEntry *entry = &solver->entries.items[id];
  if (id == 0 || entry->pool == solver->pool) return;
  entry->pool = solver->pool;
  solver->units_paid += entry->units;
  take(entry->is_short ? &solver->reserve_left : &solver->pool_left, entry->units);
  if (entry->is_fruitless && !entry->is_short) pay_for_nothing(solver, entry->units);
  pay(solver, entry->rests[0]);
  pay(solver, entry->rests[1]);
}

static GoalKey key_copy(const GoalKey *key, Arena *arena) {
  GoalKey copy = {.arena = arena, .hash = key->hash};
  copy.bytes.count = copy.bytes.capacity = key->bytes.count;
  copy.bytes.items = arena_copy(arena, key->bytes.items, key->bytes.count);
  return copy;
}

static const int64_t *copy_values(Arena *arena, const int64_t *values, uint32_t count) {
  return count ? arena_copy(arena, values, count * sizeof *values) : NULL;
}

static uint32_t number_of(uint32_t index, const uint32_t *indices, uint32_t count) {
  uint32_t i = 0;
  while (i < count && indices[i] != index)
    i++;
  return i;
}

// From the numbering of the pool to that of the key: only what occurs in the goal.
static SolverAnswer answer_abstract(const SolverAnswer *answer, const GoalKey *key, Arena *arena) {
  SolverAnswer out = *answer;
  out.sym_count = answer->verdict == VERDICT_RACE && answer->sym_values ? key->syms.count : 0;
  int64_t *values = arena_array(arena, out.sym_count + 1, int64_t);
  for (uint32_t i = 0; i < out.sym_count; i++)
    values[i] = answer->sym_values[key->syms.items[i]];
  out.sym_values = values;
  SolverFuncValue *points = arena_array(arena, answer->func_value_count + 1, SolverFuncValue);
  for (uint32_t i = 0; i < answer->func_value_count; i++) {
    points[i] = answer->func_values[i];
    points[i].func = number_of(points[i].func, key->funcs.items, key->funcs.count);
    points[i].args = copy_values(arena, points[i].args, points[i].arg_count);
  }
  out.func_values = points;
  out.core = arena_copy(arena, answer->core, answer->core_count * sizeof *answer->core);
  out.reason = answer->reason ? arena_strdup(arena, answer->reason) : NULL;
  out.overflow_at = map_get(&key->number_of_expr, answer->overflow_at);
  return out;
}

static SolverAnswer answer_concrete(const SolverAnswer *answer, const GoalKey *key, const ExprPool *pool,
                                    Arena *arena) {
  SolverAnswer out = *answer;
  out.from_cache = true;
  if (answer->overflow_at) out.overflow_at = key->exprs.items[answer->overflow_at - 1];
  out.core = arena_copy(arena, answer->core, answer->core_count * sizeof *answer->core);
  out.reason = answer->reason ? arena_strdup(arena, answer->reason) : NULL;
  if (answer->verdict != VERDICT_RACE) return out;
  Witness w;
  witness_start(pool, &w, arena);
  for (uint32_t i = 0; i < answer->sym_count; i++)
    w.sym_values[key->syms.items[i]] = answer->sym_values[i];
  out.sym_count = w.sym_count;
  out.sym_values = w.sym_values;
  SolverFuncValue *points = arena_array(arena, answer->func_value_count + 1, SolverFuncValue);
  for (uint32_t i = 0; i < answer->func_value_count; i++) {
    points[i] = answer->func_values[i];
    points[i].func = key->funcs.items[points[i].func];
    points[i].args = copy_values(arena, points[i].args, points[i].arg_count);
  }
  out.func_values = points;
  return out;
}

// What the search used besides goes with its own arena.
static SolverAnswer answer_copy(const SolverAnswer *answer, Arena *arena) {
  SolverAnswer out = *answer;
  SolverFuncValue *points = arena_array(arena, answer->func_value_count + 1, SolverFuncValue);
  for (uint32_t i = 0; i < answer->func_value_count; i++) {
    points[i] = answer->func_values[i];
    points[i].args = copy_values(arena, points[i].args, points[i].arg_count);
  }
  out.func_values = points;
  out.sym_values = copy_values(arena, answer->sym_values, answer->sym_count);
  out.core =
      answer->core_count ? arena_copy(arena, answer->core, answer->core_count * sizeof *answer->core) : NULL;
  out.reason = answer->reason ? arena_strdup(arena, answer->reason) : NULL;
  return out;
}

static uint32_t cache_add(Solver *solver, const GoalKey *key, CacheEntry entry) {
  entry.is_short = solver->is_short;
  entry.answer = answer_abstract(&entry.answer, key, solver->arena);
  entry.key = key_copy(key, solver->arena);
  vec_push(solver->arena, &solver->entries, entry);
  table_add(solver->arena, &solver->table, (uint32_t)key->hash, solver->entries.count - 1);
  pay(solver, solver->entries.count - 1);
  return solver->entries.count - 1;
}

// ---- questions
static void add_work(SolverAnswer *answer, const SearchResult *r) {
  answer->rlimit += r->stats.rlimit;
  answer->checks += r->stats.checks;
}

static uint64_t limit_of(const Solver *solver) {
  uint64_t most = solver->is_short ? short_rlimit : solver->first_look ? solver->first_look : UINT64_MAX;
  if (solver->most && solver->most < most) most = solver->most;
  return solver->options.rlimit < most ? solver->options.rlimit : most;
}

// Short questions are kept apart: what is found with more work is not known to those who have less.
static uint32_t key_number(const Solver *solver, uint32_t number) {
  return solver->is_short ? number + SHORT_QUESTION : number;
}

static SearchOptions options_of(const Solver *solver, const SolverGoal *goal, bool expects_model) {
  SearchOptions options = {.solver = &solver->options,
                           .store = solver->store,
                           .memo = solver->memo,
                           .name = goal->name,
                           .rlimit = limit_of(solver),
                           .expects_model = expects_model,
                           .prefer_small = solver->options.prefer_small && !expects_model};
  return options;
}

static FactsResult search(const Solver *solver, const SolverGoal *goal, bool assume_sizes, bool expects_model,
                          Arena *arena) {
  SearchOptions options = options_of(solver, goal, expects_model);
  options.base = goal->base;
  return facts_run(goal->pool, goal->conditions, goal->condition_count, assume_sizes, &options, arena);
}

// With what the search before left of the budget.
static FactsResult search_all_facts(const Solver *solver, const SolverGoal *goal, bool assume_sizes,
                                    const SearchResult *before, Arena *arena) {
  SearchOptions options = options_of(solver, goal, false);
  options.all_facts = true;
  options.rlimit = options.rlimit > before->stats.rlimit ? options.rlimit - before->stats.rlimit : 1;
  return facts_run(goal->pool, goal->conditions, goal->condition_count, assume_sizes, &options, arena);
}

static bool has_functions(const ExprPool *pool, ExprRef ref, Map *seen, Arena *arena) {
  if (!ref || map_get(seen, ref)) return false;
  map_set(arena, seen, ref, 1);
  const ExprNode *n = expr_node(pool, ref);
  if (n->op == EXPR_SYM || n->op == EXPR_CONST) return false;
  return n->op == EXPR_APP || has_functions(pool, n->a, seen, arena) ||
         has_functions(pool, n->b, seen, arena) || has_functions(pool, n->c, seen, arena);
}

// Is what a function gives multiplied by a wide constant somewhere, as in a hash of what was loaded?
static bool hashes_functions(const ExprPool *pool, ExprRef ref, Map *seen, Arena *arena) {
  int64_t factor;
  if (!ref || map_get(seen, ref)) return false;
  map_set(arena, seen, ref, 1);
  const ExprNode *n = expr_node(pool, ref);
  if (n->op == EXPR_SYM || n->op == EXPR_CONST) return false;
  Map below = {0};
  if (n->op == EXPR_MUL && expr_is_const(pool, n->b, &factor) && wide_bits(factor) > HASH_BITS &&
      has_functions(pool, n->a, &below, arena))
    return true;
  for (uint32_t i = 0; i < n->arg_count; i++)
    if (hashes_functions(pool, n->args[i], seen, arena)) return true;
  return hashes_functions(pool, n->a, seen, arena) || hashes_functions(pool, n->b, seen, arena) ||
         hashes_functions(pool, n->c, seen, arena);
}

static bool is_of_hashes(const SolverGoal *goal, Arena *arena) {
  Map seen = {0};
  for (uint32_t i = 0; i < goal->condition_count; i++)
    if (hashes_functions(goal->pool, goal->conditions[i].condition, &seen, arena)) return true;
  return false;
}

// A model in which the functions with numbers as values are constant, which is one however they are nested:
// rounded floats decide loops and guards, and nearly always one value does for all of them.
static FactsResult search_flat(const Solver *solver, const SolverGoal *goal, bool assume_sizes,
                               bool prefer_small, Arena *arena) {
  Map seen = {0};
  bool has_any = false;
  for (uint32_t i = 0; i < goal->condition_count && !has_any; i++)
    has_any = has_functions(goal->pool, goal->conditions[i].condition, &seen, arena);
  if (!has_any) return (FactsResult){0};
  SearchOptions options = options_of(solver, goal, true);
  options.prefer_small = prefer_small && solver->options.prefer_small;
  options.flat_functions = true;
  if (options.rlimit > flat_rlimit) options.rlimit = flat_rlimit;
  return facts_run(goal->pool, goal->conditions, goal->condition_count, assume_sizes, &options, arena);
}

// Without how products of many host values come about. Only UNSAT says something.
static FactsResult search_named(const Solver *solver, const SolverGoal *goal, bool assume_sizes,
                                Arena *arena) {
  if (solver->options.check_overflow)
    return (FactsResult){0}; // what the products are taken for is to be shown
  const GoalCondition *named =
      wide_products_named(goal->pool, goal->conditions, goal->condition_count, arena);
  if (!named) return (FactsResult){0};
  SearchOptions options = options_of(solver, goal, false);
  options.prefer_small = false;
  if (options.rlimit > named_rlimit) options.rlimit = named_rlimit;
  return facts_run(goal->pool, named, goal->condition_count, assume_sizes, &options, arena);
}

// A model that keeps to what the facts are known to allow.
static FactsResult search_on_base(const Solver *solver, const SolverGoal *goal, bool assume_sizes,
                                  Arena *arena) {
  if (!goal->base) return (FactsResult){0};
  SearchOptions options = options_of(solver, goal, true);
  return facts_run_on_base(goal->pool, goal->conditions, goal->condition_count, goal->base, assume_sizes,
                           &options, arena);
}

// Tries to show what the proof took for granted. Facts of the same tag are used together.
static void discharge(const Solver *solver, const SolverGoal *goal, const FactsResult *proof,
                      SolverAnswer *answer, Arena *arena) {
  SearchOptions options = {.solver = &solver->options, .store = solver->store, .name = goal->name};
  bool *is_relevant = arena_array(arena, goal->condition_count + 1, bool);
  for (uint32_t i = 0; i < goal->condition_count; i++) {
    is_relevant[i] = goal->conditions[i].part != GOAL_FACT;
    for (uint32_t k = 0; k < proof->search.core_count; k++)
      is_relevant[i] = is_relevant[i] || goal->conditions[i].tag == proof->search.core[k];
  }
  SmtStats stats = {0};
  if (overflow_discharge(goal->pool, goal->conditions, goal->condition_count, is_relevant, &options, &stats,
                         &answer->overflow_at))
    answer->used_no_overflow = false;
  answer->rlimit += stats.rlimit;
  answer->checks += stats.checks;
}

// `is_shown`: somebody may read the model.
static SolverAnswer satisfiable(const Solver *solver, const SolverGoal *goal, bool assume_sizes,
                                bool is_shown, Arena *arena) {
  SolverAnswer answer = {0};
  FactsResult r = {0};
  if (!is_shown) {
    r = search_on_base(solver, goal, assume_sizes, arena);
    add_work(&answer, &r.search);
  }
  bool was_flat = r.search.result == SMT_UNKNOWN && is_of_hashes(goal, arena);
  if (was_flat) { // equal values have equal hashes, and those of zero are mostly small
    r = search_flat(solver, goal, assume_sizes, true, arena);
    add_work(&answer, &r.search);
    if (r.search.result != SMT_SAT)
      r.search.result = SMT_UNKNOWN; // others than constant functions may satisfy it
  }
  if (r.search.result != SMT_SAT && is_shown && !solver->first_look) { // a proof is expected
    r = search_named(solver, goal, assume_sizes, arena);
    add_work(&answer, &r.search);
    if (r.search.result != SMT_UNSAT) r.search.result = SMT_UNKNOWN;
  }
  if (r.search.result == SMT_UNKNOWN) {
    r = search(solver, goal, assume_sizes, false, arena);
    add_work(&answer, &r.search);
  }
  if (r.search.result == SMT_UNKNOWN && solver->first_look) {
    answer.reason = r.search.reason;
    return answer;
  }
  if (r.search.result == SMT_UNKNOWN && !was_flat) {
    FactsResult flat = search_flat(solver, goal, assume_sizes, true, arena);
    add_work(&answer, &flat.search);
    if (flat.search.result == SMT_SAT) r = flat;
  }
  if (r.search.result == SMT_UNKNOWN && r.left_facts) {
    r = search_all_facts(solver, goal, assume_sizes, &r.search, arena);
    add_work(&answer, &r.search);
  }
  if (r.search.result == SMT_SAT) {
    if (solver->options.prefer_small)
      witness_shrink(goal->pool, goal->conditions, goal->condition_count, &r.search.witness, &answer.rlimit);
    answer.verdict = VERDICT_RACE;
    answer.sym_count = r.search.witness.sym_count;
    answer.sym_values = r.search.witness.sym_values;
    answer.func_value_count = r.search.witness.funcs.count;
    answer.func_values = r.search.witness.funcs.items;
  } else if (r.search.result == SMT_UNSAT) {
    answer.verdict = VERDICT_SAFE;
    answer.core_count = r.search.core_count;
    answer.core = r.search.core;
    answer.used_no_overflow = r.used_no_overflow;
    if (solver->options.check_overflow && r.used_no_overflow && !r.used_sizes)
      discharge(solver, goal, &r, &answer, arena);
  } else
    answer.reason = r.search.reason;
  return answer;
}

// Can these conditions hold together? A model is expected; proofs are tried if there is none.
static CacheEntry ask_rest(const Solver *from, const SolverGoal *rest, bool assume_sizes, Arena *arena) {
  CacheEntry entry = {0};
  Solver limited = *from; // the proof stands if this is not found out
  const Solver *solver = &limited;
  limited.first_look = limited.most = 0;
  if (limited.options.rlimit > rest_rlimit) limited.options.rlimit = rest_rlimit;
  FactsResult r = search_on_base(solver, rest, assume_sizes, arena);
  add_work(&entry.answer, &r.search);
  if (r.search.result != SMT_SAT) {
    r = search_flat(solver, rest, assume_sizes, false, arena);
    add_work(&entry.answer, &r.search);
  }
  if (r.search.result != SMT_SAT) {
    r = search(solver, rest, assume_sizes, true, arena);
    add_work(&entry.answer, &r.search);
  }
  if (r.search.result == SMT_UNKNOWN) {
    r = search(solver, rest, assume_sizes, false, arena);
    add_work(&entry.answer, &r.search);
  }
  if (r.search.result == SMT_UNKNOWN && r.left_facts) {
    r = search_all_facts(solver, rest, assume_sizes, &r.search, arena);
    add_work(&entry.answer, &r.search);
  }
  entry.rest = r.search.result;
  entry.used_sizes = r.used_sizes;
  entry.answer.used_no_overflow = r.used_no_overflow;
  entry.answer.core_count = r.search.core_count;
  entry.answer.core = r.search.core;
  return entry;
}

static uint32_t check_rest(Solver *solver, const SolverGoal *goal, bool assume_sizes, Arena *arena) {
  GoalCondition *conditions = arena_array(arena, goal->condition_count + 1, GoalCondition);
  SolverGoal rest = *goal;
  rest.conditions = conditions;
  rest.condition_count = 0;
  for (uint32_t i = 0; i < goal->condition_count; i++)
    if (goal->conditions[i].part != GOAL_CONFLICT) conditions[rest.condition_count++] = goal->conditions[i];
  GoalKey key = goal_key_make(goal->pool, conditions, rest.condition_count,
                              key_number(solver, ASK_VACUITY * 2 + assume_sizes), arena);
  goal_key_add_base(&key, goal->base);
  uint32_t known = cache_find(solver, &key);
  if (known) {
    pay(solver, known);
    return known;
  }
  CacheEntry entry = ask_rest(solver, &rest, assume_sizes, arena);
  entry.units = entry.answer.rlimit;
  return cache_add(solver, &key, entry);
}

// Fills in what the answer's entry in the cache holds.
static void decide(Solver *solver, const SolverGoal *goal, bool assume_sizes, CacheEntry *out, Arena *arena) {
  SolverAnswer answer = satisfiable(solver, goal, assume_sizes, true, arena);
  out->units += answer.rlimit;
  answer.rlimit += out->answer.rlimit;
  answer.checks += out->answer.checks;
  out->answer = answer;
  if (answer.verdict != VERDICT_SAFE) return;
  uint32_t id = check_rest(solver, goal, assume_sizes, arena);
  CacheEntry rest = solver->entries.items[id];
  out->rests[assume_sizes] = id;
  out->answer.rlimit += rest.answer.rlimit;
  out->answer.checks += rest.answer.checks;
  if (rest.rest == SMT_SAT) return;
  // The contradiction may come from our own assumption about sizes: ask without it.
  if (rest.rest == SMT_UNSAT && rest.used_sizes && assume_sizes) {
    decide(solver, goal, false, out, arena);
    return;
  }
  if (rest.rest == SMT_UNKNOWN) { // the proof stands, with its core
    out->answer.verdict = VERDICT_UNKNOWN;
    out->answer.is_refuted = true;
    out->answer.reason = "the overlap is refuted, but no launch was found that fulfils the other conditions";
    return;
  }
  out->answer.used_no_overflow = rest.answer.used_no_overflow;
  out->answer.overflow_at = 0;
  out->answer.verdict = VERDICT_DEAD;
  out->answer.core_count = rest.answer.core_count;
  out->answer.core = arena_copy(arena, rest.answer.core, out->answer.core_count * sizeof *rest.answer.core);
}

// With check_overflow, sizes are not taken to be small if it goes without.
static void decide_strictly(Solver *solver, const SolverGoal *goal, CacheEntry *out, Arena *arena) {
  if (solver->options.check_overflow) {
    decide(solver, goal, false, out, arena);
    if (out->answer.verdict == VERDICT_SAFE) return;
  }
  decide(solver, goal, true, out, arena);
}

// What the answer follows from besides the goal is part of the question.
static Digest digest_of_question(const Solver *solver, const GoalKey *key) {
  GoalKey whole = key_copy(key, key->arena);
  goal_key_add_number(&whole, solver->options.rlimit);
  goal_key_add_number(&whole, solver->options.check_overflow);
  goal_key_add_number(&whole, solver->options.prefer_small);
  return digest_of(whole.bytes.items, whole.bytes.count);
}

// Units are paid for, so that what is left of the pool is the same with and without a memory.
static SolverAnswer satisfiable_or_known(const Solver *solver, const SolverGoal *goal, const GoalKey *key,
                                         Arena *arena) {
  const SolverMemory *memory = solver->options.memory;
  SolverKnown known;
  if (!memory) return satisfiable(solver, goal, true, false, arena);
  Digest question = digest_of_question(solver, key);
  if (memory->find(memory->context, question, &known))
    return (SolverAnswer){.verdict = known.verdict, .rlimit = known.units, .from_cache = true};
  SolverAnswer answer = satisfiable(solver, goal, true, false, arena);
  known = (SolverKnown){answer.verdict, answer.rlimit};
  memory->keep(memory->context, question, &known);
  return answer;
}

static SolverAnswer answer_anew(Solver *solver, const SolverGoal *goal, Question question, const GoalKey *key,
                                Arena *arena) {
  CacheEntry entry = {0};
  if (question == ASK_DECIDE)
    decide_strictly(solver, goal, &entry, arena);
  else {
    entry.answer = satisfiable_or_known(solver, goal, key, arena);
    entry.units = entry.answer.rlimit;
  }
  entry.is_fruitless =
      entry.answer.verdict == VERDICT_UNKNOWN && !entry.answer.is_refuted && !goal->has_parts;
  cache_add(solver, key, entry);
  return entry.answer;
}

static GoalKey key_of(const Solver *solver, const SolverGoal *goal, Question question, Arena *arena) {
  GoalKey key = goal_key_make(goal->pool, goal->conditions, goal->condition_count,
                              key_number(solver, (uint32_t)question * 2), arena);
  goal_key_add_base(&key, goal->base);
  if (solver->first_look) goal_key_add_number(&key, solver->first_look);
  if (solver->most && limit_of(solver) == solver->most) goal_key_add_number(&key, solver->most);
  return key;
}

static SolverAnswer ask(Solver *solver, const SolverGoal *goal, Question question, Arena *arena) {
  Arena *scratch = arena_open();
  solver->is_short = false;
  solver->first_look = goal->rlimit;
  GoalKey key = key_of(solver, goal, question, scratch);
  uint32_t known = cache_find(solver, &key);
  bool is_paid = known && solver->entries.items[known].pool == solver->pool;
  if (solver->pool_left == 0 && !is_paid) {
    solver->is_short = true;
    solver->first_look = 0;
    key = key_of(solver, goal, question, scratch);
    known = cache_find(solver, &key);
    is_paid = known && solver->entries.items[known].pool == solver->pool;
  }
  SolverAnswer answer;
  if (solver->is_short && solver->reserve_left == 0 && !is_paid) {
    answer = (SolverAnswer){.reason = spent, .is_spent = true};
  } else if (known) {
    pay(solver, known);
    answer = answer_concrete(&solver->entries.items[known].answer, &key, goal->pool, arena);
  } else {
    answer = answer_anew(solver, goal, question, &key, scratch);
    answer = answer_copy(&answer, arena);
  }
  if (solver->is_short && answer.verdict == VERDICT_UNKNOWN) {
    answer.reason = spent;
    answer.is_spent = true;
  }
  arena_close(scratch);
  return answer;
}

SolverAnswer solver_decide(Solver *solver, const SolverGoal *goal, Arena *arena) {
  ASSERT(solver->store && goal->pool && arena);
  return ask(solver, goal, ASK_DECIDE, arena);
}

SolverAnswer solver_satisfiable(Solver *solver, const SolverGoal *goal, Arena *arena) {
  ASSERT(solver->store && goal->pool && arena);
  return ask(solver, goal, ASK_SATISFIABLE, arena);
}
