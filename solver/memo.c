// Was this search made before? Launches of one template, or of one kernel from two branches of the host, ask
// nearly the same: their goals differ in a fact or two, and most searches never look at these (lazy_facts.c takes
// facts as they are needed). Method: results of searches are kept under the key (key.c) of the conditions
// that they looked at, and of the options that steer them. Soundness: a search is a function of its key, up
// to the numbering of symbols and functions, and what is given out for a result that is known is what the
// search would have found, its units included: budgets do not depend on what was asked before,
// by this solver or another one of the run.
// SPDX-License-Identifier: Apache-2.0
#include "solver/internal.h"
#include "core/bug.h"

#include <pthread.h>

// What takes less is found anew nearly as soon as it is looked up.
static const uint64_t least_units = 10000;

typedef struct MemoEntry {
  GoalKey key;
  MemoResult result; // symbols, functions and applications by number in the key
} MemoEntry;

struct SearchMemo {
  Arena *arena;
  pthread_mutex_t mutex;  // guards what follows, and the arena; what an entry points to does not change
  VEC(MemoEntry) entries; // [0] is unused
  Table table;
};

SearchMemo *solver_memo_open(void) {
  Arena *arena = arena_open();
  SearchMemo *memo = arena_new(arena, SearchMemo);
  memo->arena = arena;
  pthread_mutex_init(&memo->mutex, NULL);
  vec_push(arena, &memo->entries, (MemoEntry){0});
  return memo;
}

void solver_memo_close(SearchMemo *memo) {
  if (!memo) return;
  pthread_mutex_destroy(&memo->mutex);
  arena_close(memo->arena);
}

GoalKey memo_key(const ExprPool *pool, const GoalCondition *conditions, uint32_t count, bool assume_sizes,
                 const SearchOptions *options, Arena *arena) {
  ASSERT(conditions || !count);
  uint32_t steering = (uint32_t)assume_sizes | (uint32_t)options->expects_model << 1 |
                      (uint32_t)options->prefer_small << 2 | (uint32_t)options->flat_functions << 3 |
                      (uint32_t)options->is_inner << 4;
  GoalKey key = goal_key_make(pool, conditions, count, steering, arena);
  goal_key_add_number(&key, options->rlimit);
  return key;
}

static const int64_t *copy_args(const SolverFuncValue *point, Arena *arena) {
  return point->arg_count ? arena_copy(arena, point->args, point->arg_count * sizeof *point->args) : NULL;
}

// From the numbering of the pool to that of the key; false: the witness speaks of what is not in it.
static bool number_witness(const Witness *from, const GoalKey *key, Witness *to, Arena *arena) {
  *to = (Witness){.sym_count = key->syms.count};
  to->sym_values = arena_array(arena, to->sym_count + 1, int64_t);
  to->sym_fixed = arena_array(arena, to->sym_count + 1, bool);
  for (uint32_t i = 0; i < from->sym_count; i++)
    if (from->sym_fixed[i] && !map_get(&key->number_of_sym, i)) return false;
  for (uint32_t i = 0; i < to->sym_count; i++) {
    to->sym_values[i] = from->sym_values[key->syms.items[i]];
    to->sym_fixed[i] = from->sym_fixed[key->syms.items[i]];
  }
  for (uint32_t i = 0; i < from->funcs.count; i++) {
    SolverFuncValue point = from->funcs.items[i];
    uint32_t func = map_get(&key->number_of_func, point.func),
             app = map_get(&key->number_of_expr, from->apps.items[i]);
    if (!func || !app) return false;
    point.func = func;
    point.args = copy_args(&point, arena);
    vec_push(arena, &to->funcs, point);
    vec_push(arena, &to->apps, app);
  }
  return true;
}

static Witness name_witness(const Witness *from, const GoalKey *key, const ExprPool *pool, Arena *arena) {
  Witness to;
  witness_start(pool, &to, arena);
  for (uint32_t i = 0; i < from->sym_count; i++) {
    to.sym_values[key->syms.items[i]] = from->sym_values[i];
    to.sym_fixed[key->syms.items[i]] = from->sym_fixed[i];
  }
  for (uint32_t i = 0; i < from->funcs.count; i++) {
    SolverFuncValue point = from->funcs.items[i];
    point.func = key->funcs.items[point.func - 1];
    point.args = copy_args(&point, arena);
    vec_push(arena, &to.funcs, point);
    vec_push(arena, &to.apps, key->exprs.items[from->apps.items[i] - 1]);
  }
  return to;
}

static SearchResult copy_plain(const SearchResult *from, Arena *arena) {
  SearchResult to = *from;
  to.core = from->core_count ? arena_copy(arena, from->core, from->core_count * sizeof *from->core) : NULL;
  to.reason = from->reason ? arena_strdup(arena, from->reason) : NULL;
  to.witness = (Witness){0};
  return to;
}

static void keep(SearchMemo *memo, const GoalKey *key, const MemoResult *result) {
  Arena *arena = memo->arena;
  MemoEntry entry = {.result = *result};
  entry.result.search = copy_plain(&result->search, arena);
  if (result->search.result == SMT_SAT &&
      !number_witness(&result->search.witness, key, &entry.result.search.witness, arena))
    return;
  entry.key = (GoalKey){.arena = arena, .hash = key->hash};
  entry.key.bytes.count = entry.key.bytes.capacity = key->bytes.count;
  entry.key.bytes.items = arena_copy(arena, key->bytes.items, key->bytes.count);
  vec_push(arena, &memo->entries, entry);
  table_add(arena, &memo->table, (uint32_t)key->hash, memo->entries.count - 1);
}

void memo_keep(SearchMemo *memo, const GoalKey *key, const MemoResult *result) {
  ASSERT(result);
  if (result->search.stats.rlimit < least_units && result->search.result != SMT_UNKNOWN) return;
  pthread_mutex_lock(&memo->mutex);
  keep(memo, key, result);
  pthread_mutex_unlock(&memo->mutex);
}

static bool look(SearchMemo *memo, const GoalKey *key, MemoResult *out) {
  uint32_t id;
  bool found = false;
  pthread_mutex_lock(&memo->mutex);
  TableLook look = table_look(&memo->table, (uint32_t)key->hash);
  while (!found && (id = table_next(&look)) != 0) {
    const MemoEntry *entry = &memo->entries.items[id];
    found = goal_key_equal(&entry->key, key);
    if (found) *out = entry->result;
  }
  pthread_mutex_unlock(&memo->mutex);
  return found;
}

bool memo_find(SearchMemo *memo, const GoalKey *key, const ExprPool *pool, MemoResult *out, Arena *arena) {
  ASSERT(out);
  MemoResult kept;
  if (!look(memo, key, &kept)) return false;
  *out = kept;
  out->search = copy_plain(&kept.search, arena);
  if (out->search.result == SMT_SAT)
    out->search.witness = name_witness(&kept.search.witness, key, pool, arena);
  return true;
}
