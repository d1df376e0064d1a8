// How can one context of Z3 serve many questions, and each of them find it as new? To open a context costs a
// millisecond (Z3 clears two hash tables of 8.5 MB), which is more than most questions take. What an earlier
// question could leave behind that has an influence are the numbers of terms: Z3 orders terms by them, and
// hands out again what was given back, the last first. So after each question all free numbers are taken by
// dummies, and given back from the highest to the lowest: the next question gets them in ascending order, as
// in a new context. What a context makes once and keeps (sorts, small numerals) is made at its opening.
// Soundness: no bearing on verdicts. Determinism: if anything but that is still held, or too many numbers are
// free, the numbers do not come out as they should, and the context is closed. That a question costs the same
// units in a used context as in a new one is tested (tests/unit/solver_fuzz.c).
// SPDX-License-Identifier: Apache-2.0
#define _DEFAULT_SOURCE // madvise
#include "solver/context.h"
#include "core/bug.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// Dummies: at the opening, and at most. More of them take longer than opening a new context.
enum { FIRST_DUMMIES = 64, MOST_DUMMIES = 2000, SMALL_NUMERALS = 16 };

typedef struct Numbered {
  unsigned number;
  Z3_ast ast;
} Numbered;

typedef struct Numbers { // of terms, or of declarations
  Numbered items[MOST_DUMMIES];
  unsigned past;  // one past the highest of the dummies
  unsigned fixed; // how many below are never free
} Numbers;

struct SmtStore {
  Z3_context context; // NULL: none
  bool is_out;
  Numbers terms, declarations;
};

static void on_error(Z3_context context, Z3_error_code code) {
  (void)context; // the code is asked for after each check
  (void)code;
}

// The two tables take four thousand page faults if they come a page at a time, which on a virtual machine is a
// seventh of a small run. So they are to lie in the heap, where a closed context leaves them to the next, and
// the heap's free end is to be made of huge pages. Both are wishes: where they are not granted, it takes longer.
static void make_room_for_tables(void) {
  enum {
    MIB = 1 << 20,
    TABLES = 20 * MIB,
    LARGEST_IN_HEAP = 32 * MIB,
    KEPT_FREE = 64 * MIB,
    HUGE_PAGE = 2 * MIB
  };
  (void)mallopt(M_MMAP_THRESHOLD, LARGEST_IN_HEAP);
  (void)mallopt(M_TRIM_THRESHOLD, KEPT_FREE);
  void *room = malloc(TABLES);
  if (!room) return;
  uintptr_t begin = ((uintptr_t)room + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
  size_t length = ((uintptr_t)room + TABLES - begin) / HUGE_PAGE * HUGE_PAGE;
  (void)madvise((void *)begin, length, MADV_HUGEPAGE);
  free(room);
}

Z3_context context_new(void) {
  make_room_for_tables();
  Z3_config config = Z3_mk_config();
  Z3_context context = Z3_mk_context_rc(config);
  Z3_del_config(config);
  Z3_set_error_handler(context, on_error);
  return context;
}

// Z3 counts nothing for what it does between two branches on an integer unknown (tests of divisors, patches of the tableau,
// cubes), which takes as long as hundreds of its units: a third of a millisecond, for sums and products of all kinds.
enum { UNITS_OF_BRANCH = 300 };

uint32_t context_units(Z3_context context, Z3_solver solver) {
  ASSERT(context && solver);
  Z3_stats stats = Z3_solver_get_statistics(context, solver);
  Z3_stats_inc_ref(context, stats);
  uint32_t units = 0;
  for (unsigned i = 0, n = Z3_stats_size(context, stats); i < n; i++) {
    const char *key = Z3_stats_get_key(context, stats, i);
    if (strcmp(key, "rlimit count") == 0) units += Z3_stats_get_uint_value(context, stats, i);
    if (strcmp(key, "arith-branch") == 0)
      units += UNITS_OF_BRANCH * Z3_stats_get_uint_value(context, stats, i);
  }
  Z3_stats_dec_ref(context, stats);
  return units;
}

// While it checks, Z3 would handle SIGINT itself, by a handler that all threads share, and set it back behind each check: then one that is
// pending is lost where it was ignored before. Who waits for signals is the driver.
void context_set(Z3_context context, Z3_solver solver, const char *name, unsigned value) {
  ASSERT(name);
  Z3_params params = Z3_mk_params(context);
  Z3_params_inc_ref(context, params);
  Z3_params_set_uint(context, params, Z3_mk_string_symbol(context, name), value);
  Z3_params_set_bool(context, params, Z3_mk_string_symbol(context, "ctrl_c"), false);
  Z3_solver_set_params(context, solver, params);
  Z3_params_dec_ref(context, params);
}

SmtStore *smt_store_open(Arena *arena) {
  return arena_new(arena, SmtStore);
}

void smt_store_close(SmtStore *store) {
  if (store->context) Z3_del_context(store->context);
  store->context = NULL;
}

// ---- opening
static Z3_ast keep(Z3_context c, Z3_ast ast, Z3_ast *kept, unsigned *count) {
  Z3_inc_ref(c, ast);
  return kept[(*count)++] = ast;
}

// A question of each kind of term that smt.c makes, for what Z3 makes at the first of its kind.
static void warm_up(Z3_context c) {
  Z3_ast kept[SMALL_NUMERALS + 16], sides[2];
  unsigned n = 0;
  Z3_solver solver = Z3_mk_simple_solver(c);
  Z3_solver_inc_ref(c, solver);
  context_set(c, solver, "rlimit", 0);
  Z3_sort integer = Z3_mk_int_sort(c);
  for (int i = -1; i <= SMALL_NUMERALS; i++)
    keep(c, Z3_mk_int64(c, i, integer), kept, &n);
  Z3_ast two = kept[3];
  sides[0] = two;
  Z3_ast x = sides[1] = keep(c, Z3_mk_const(c, Z3_mk_int_symbol(c, 0), integer), kept, &n);
  sides[0] = keep(c, Z3_mk_mul(c, 2, sides), kept, &n);
  Z3_ast sum = keep(c, Z3_mk_add(c, 2, sides), kept, &n);
  sides[0] = keep(c, Z3_mk_le(c, two, sum), kept, &n);
  sides[1] = keep(c, Z3_mk_not(c, keep(c, Z3_mk_eq(c, x, two), kept, &n)), kept, &n);
  Z3_solver_assert(c, solver, keep(c, Z3_mk_or(c, 2, sides), kept, &n));
  Z3_solver_assert(c, solver, keep(c, Z3_mk_and(c, 2, sides), kept, &n));
  (void)Z3_solver_check(c, solver);
  Z3_solver_dec_ref(c, solver);
  while (n)
    Z3_dec_ref(c, kept[--n]);
}

// ---- numbers
// The context holds on to its last result, and to its last object.
static void let_go_of_last(Z3_context c) {
  Z3_params params = Z3_mk_params(c);
  Z3_params_inc_ref(c, params);
  Z3_params_dec_ref(c, params);
  (void)Z3_mk_true(c);
}

static void note(Z3_context c, Numbers *numbers, unsigned at, Z3_ast ast) {
  Z3_inc_ref(c, ast);
  unsigned number = Z3_get_ast_id(c, ast);
  numbers->items[at] = (Numbered){number, ast};
  if (number >= numbers->past) numbers->past = number + 1;
}

static int descending(const void *a, const void *b) {
  unsigned x = ((const Numbered *)a)->number, y = ((const Numbered *)b)->number;
  return x > y ? -1 : x < y;
}

static void give_back(Z3_context c, Numbers *numbers, unsigned count) {
  qsort(numbers->items, count, sizeof *numbers->items, descending);
  for (unsigned i = 0; i < count; i++)
    Z3_dec_ref(c, numbers->items[i].ast);
}

static bool has_all(const Numbers *numbers, unsigned count) {
  return count + numbers->fixed == numbers->past;
}

// False: some number is neither free nor one of the fixed, or there are too many.
static bool put_in_order(SmtStore *s, Z3_context c, bool is_new) {
  bool is_done = false;
  unsigned count = 0;
  let_go_of_last(c);
  Z3_sort sort = Z3_mk_bool_sort(c);
  s->terms.past = s->declarations.past = 0;
  while (!is_done && count < MOST_DUMMIES) {
    Z3_func_decl decl = Z3_mk_func_decl(c, Z3_mk_int_symbol(c, (int)count), 0, NULL, sort);
    note(c, &s->declarations, count, Z3_func_decl_to_ast(c, decl));
    note(c, &s->terms, count, Z3_mk_app(c, decl, 0, NULL));
    count++;
    is_done = is_new ? count == FIRST_DUMMIES : has_all(&s->terms, count) && has_all(&s->declarations, count);
  }
  if (is_new) {
    s->terms.fixed = s->terms.past - count;
    s->declarations.fixed = s->declarations.past - count;
  }
  let_go_of_last(c);
  give_back(c, &s->terms, count); // these hold the declarations
  give_back(c, &s->declarations, count);
  return is_done;
}

// ---- taking and giving
static Z3_context open_context(SmtStore *store) {
  Z3_context context = context_new();
  warm_up(context);
  (void)put_in_order(store, context, true);
  return context;
}

static Z3_context open_for_itself(void) {
  Arena *arena = arena_open();
  Z3_context context = open_context(smt_store_open(arena));
  arena_close(arena);
  return context;
}

Z3_context context_take(SmtStore *store) {
  ASSERT(!store || !store->is_out || store->context);
  if (!store || store->is_out) return open_for_itself();
  if (!store->context) store->context = open_context(store);
  store->is_out = true;
  return store->context;
}

void context_give(SmtStore *store, Z3_context context) {
  ASSERT(context != NULL);
  if (!store || context != store->context) {
    Z3_del_context(context);
    return;
  }
  store->is_out = false;
  if (Z3_get_error_code(context) == Z3_OK && put_in_order(store, context, false)) return;
  smt_store_close(store);
}

const char *solver_version(void) {
  return Z3_get_full_version();
}
