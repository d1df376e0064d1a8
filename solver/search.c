// Can the conditions of one query hold together? The loop of SOLVER's method, cheap steps first:
//
//   1. linear check with lemmas D P Q T X. UNSAT: proved. SAT: the model, evaluated exactly, may be the
//   witness.
//   2. Otherwise small sizes: factors of products bounded, then fixed to their model values, which makes
//   every product
//      linear; again evaluated exactly.
//   3. Otherwise lemmas M that the model violates are added, and back to 1; then tangents.
//   4. Operands of shifts and masks replaced by constants (expressions become exact again); sizes up to 64,
//   1024, any;
//      real products with a time limit.
// Each stage has a budget of Z3's resource units; running out of one goes on to the next.
// Soundness: UNSAT comes only from checks whose assertions follow from the conditions (steps 1 and 3, and
// real products); restricted checks can only find witnesses. SPDX-License-Identifier: Apache-2.0
#include "solver/internal.h"

enum {
  MAX_ROUNDS = 30,
  LEMMAS_PER_ROUND = 40,
  TANGENT_ROUNDS = 12,
  MAX_SHRINKS = 16,
  TRIES_PER_LEVEL = 4,
};
static const uint64_t check_limit = 2000000, small_limit = 400000, shrink_limit = 60000;
static const Wide wide_values = (Wide)1 << 20;

typedef struct Search {
  Query *q;
  const SearchOptions *options;
  Arena *arena; // of the result
  Smt *smt;
  Model model;
  ProductTable table;
  VEC(AtomId) cover; // fixing these leaves at most one factor in each product of the conditions
  Map is_covered;
  uint64_t spent;
  uint32_t checks;
  bool has_witness;
  Witness witness;
} Search;

// ---- checks
// --------------------------------------------------------------------------------------------------------
static SmtResult check(Search *s, Smt *smt, uint64_t limit) {
  uint64_t before = smt_stats(smt).rlimit;
  if (s->spent >= s->options->rlimit) return SMT_UNKNOWN;
  uint64_t left = s->options->rlimit - s->spent;
  SmtResult r = smt_check(smt, limit < left ? limit : left);
  s->spent += smt_stats(smt).rlimit - before;
  s->checks++;
  if (r == SMT_SAT && !smt_model(smt, s->q->arena, &s->model)) return SMT_UNKNOWN;
  return r;
}

static bool accept(Search *s) {
  Witness w;
  if (witness_check(s->q, &s->model, s->arena, &w) != WITNESS_HOLDS) return false;
  s->witness = w;
  s->has_witness = true;
  return true;
}

// ---- cover of the products
// -------------------------------------------------------------------------------------------
static uint32_t open_factors(const Search *s, MonoId mono, AtomId *one) {
  const Mono *m = &s->q->monos.items[mono];
  uint32_t count = 0;
  for (uint32_t i = 0; i < m->degree; i++)
    if (!map_get(&s->is_covered, m->atoms[i])) {
      count++;
      *one = m->atoms[i];
    }
  return count;
}

// How many products an atom would open; squares count more, since only fixing their root helps.
static uint32_t weight(const Search *s, const MonoList *products, AtomId atom) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < products->count; i++) {
    const Mono *m = &s->q->monos.items[products->items[i]];
    uint32_t times = 0;
    AtomId one;
    for (uint32_t k = 0; k < m->degree; k++)
      times += m->atoms[k] == atom;
    if (times && open_factors(s, products->items[i], &one) >= 2) sum += times == 1 ? 1 : 5;
  }
  return sum;
}

static void find_cover(Search *s) {
  MonoList products = {0};
  lemma_products(s->q, false, &products);
  for (;;) {
    AtomId best = 0;
    uint32_t best_weight = 0;
    for (AtomId id = 1; id < s->q->atoms.count; id++) {
      if (map_get(&s->is_covered, id)) continue;
      uint32_t w = weight(s, &products, id);
      if (w && s->q->atoms.items[id].owners == 0) w += 1u << 20; // sizes before thread numbers
      if (w > best_weight) {
        best = id;
        best_weight = w;
      }
    }
    if (!best) return;
    vec_push(s->q->arena, &s->cover, best);
    map_set(s->q->arena, &s->is_covered, best, 1);
  }
}

// ---- small models
// ---------------------------------------------------------------------------------------------------- The
// part of a range next to zero (from one on, if that is possible) that is `size` wide.
static Range window(Range r, Wide lowest, Wide size) {
  if (r.lo > lowest) return (Range){r.lo, r.lo + size < r.hi ? r.lo + size : r.hi};
  if (r.hi < lowest) return (Range){r.hi - size > r.lo ? r.hi - size : r.lo, r.hi};
  return (Range){lowest, lowest + size < r.hi ? lowest + size : r.hi};
}

static void bound_cover(Search *s, Smt *smt, Wide limit) {
  for (uint32_t i = 0; i < s->cover.count; i++) {
    const Atom *atom = &s->q->atoms.items[s->cover.items[i]];
    Range r = window(atom->asserted, atom->owners == 0 ? 1 : 0, limit);
    smt_assert_between(smt, mono_of_atom(s->q, s->cover.items[i]), r.lo, r.hi);
  }
}

static void bound_symbols(Search *s, Smt *smt, Wide limit) {
  for (AtomId id = 1; id < s->q->atoms.count; id++) {
    const Atom *atom = &s->q->atoms.items[id];
    if (atom->kind != ATOM_SYM && atom->kind != ATOM_APP) continue;
    Range r = window(atom->asserted, -limit, 2 * limit);
    smt_assert_between(smt, mono_of_atom(s->q, id), r.lo, r.hi);
  }
}

// With the cover fixed to its model values, each product is a number times at most one atom.
static void fix_cover(Search *s, Smt *smt) {
  Model model = s->model;
  for (uint32_t i = 0; i < s->cover.count; i++) {
    MonoId m = mono_of_atom(s->q, s->cover.items[i]);
    smt_assert_between(smt, m, model.values[m], model.values[m]);
  }
  for (uint32_t i = 0; i < s->table.products.count; i++) {
    MonoId product = s->table.products.items[i];
    Mono m = s->q->monos.items[product];
    AtomId one = 0;
    if (open_factors(s, product, &one) > 1) continue;
    Wide factor = 1;
    bool fits = true;
    for (uint32_t k = 0; k < m.degree && fits; k++)
      if (m.atoms[k] != one)
        fits = !__builtin_mul_overflow(factor, model.values[mono_of_atom(s->q, m.atoms[k])], &factor);
    if (fits && factor < WIDE_INF && factor > -WIDE_INF)
      smt_assert_multiple(smt, product, factor, one ? mono_of_atom(s->q, one) : 0);
  }
}

static int shrink_order(const ExprSym *sym) {
  static const int8_t order[] = {
      [SYM_BLOCK_DIM] = 0, [SYM_GRID_DIM] = 1,   [SYM_HOST_VALUE] = 2, [SYM_ITERATION] = 3,
      [SYM_BLOCK_IDX] = 4, [SYM_THREAD_IDX] = 5, [SYM_MEMORY] = 6,     [SYM_UNKNOWN] = 7};
  return order[sym->kind] * 4 + sym->owner;
}

static Wide shrink_target(const ExprSym *sym) {
  Wide target =
      sym->kind == SYM_HOST_VALUE || sym->kind == SYM_GRID_DIM || sym->kind == SYM_BLOCK_DIM ? 1 : 0;
  return target < sym->lo ? sym->lo : target > sym->hi ? sym->hi : target;
}

static bool shrink_one(Search *s, MonoId m, Wide lo, Wide hi) {
  Model before = s->model;
  smt_push(s->smt);
  smt_assert_between(s->smt, m, lo, hi);
  if (check(s, s->smt, shrink_limit) == SMT_SAT && accept(s)) return true;
  smt_pop(s->smt);
  s->model = before;
  return false;
}

// Within a scope whose models are witnesses: one symbol after the other to its smallest value, or to four at
// most.
static void shrink(Search *s) {
  uint32_t tries = 0, scopes = 0;
  for (int order = 0; order < 32; order++)
    for (AtomId id = 1; id < s->q->atoms.count; id++) {
      const Atom *atom = &s->q->atoms.items[id];
      if (atom->kind != ATOM_SYM || tries >= MAX_SHRINKS) continue;
      const ExprSym *sym = expr_sym_info(s->q->pool, atom->index);
      if (shrink_order(sym) != order) continue;
      MonoId m = mono_of_atom(s->q, id);
      Wide value = s->model.values[m], target = shrink_target(sym);
      if (value != target) {
        tries++;
        if (shrink_one(s, m, target, target)) {
          scopes++;
          continue;
        }
        if (value > target + 3 && ++tries && shrink_one(s, m, target, target + 3)) scopes++;
        value = s->model.values[m];
      }
      smt_push(s->smt);
      scopes++;
      smt_assert_between(s->smt, m, value < target ? value : target, value < target ? target : value);
    }
  for (; scopes; scopes--)
    smt_pop(s->smt);
}

static bool finish_small(Search *s) {
  if (s->options->prefer_small) shrink(s);
  return true;
}

// Looks for a witness with factors up to `limit` and other symbols up to `others` (0: not bounded).
static SmtResult try_small(Search *s, Wide limit, Wide others) {
  bool found = false;
  smt_push(s->smt);
  if (limit) bound_cover(s, s->smt, limit);
  if (others) bound_symbols(s, s->smt, others);
  SmtResult r = check(s, s->smt, small_limit);
  if (r == SMT_SAT) {
    bool holds = accept(s);
    smt_push(s->smt);
    fix_cover(s, s->smt);
    if (holds)
      found = finish_small(s);
    else if (check(s, s->smt, small_limit) == SMT_SAT && accept(s))
      found = finish_small(s);
    smt_pop(s->smt);
  }
  smt_pop(s->smt);
  return found ? SMT_SAT : r == SMT_SAT ? SMT_UNKNOWN : r;
}

// Several values of the cover, each tried once.
static bool try_covers(Search *s, Wide limit) {
  bool found = false;
  MonoId *monos = arena_array(s->q->arena, s->cover.count + 1, MonoId);
  Wide *values = arena_array(s->q->arena, s->cover.count + 1, Wide);
  smt_push(s->smt);
  if (limit) bound_cover(s, s->smt, limit);
  for (int i = 0; i < TRIES_PER_LEVEL && !found; i++) {
    if (check(s, s->smt, small_limit) != SMT_SAT) break;
    for (uint32_t k = 0; k < s->cover.count; k++) {
      monos[k] = mono_of_atom(s->q, s->cover.items[k]);
      values[k] = s->model.values[monos[k]];
    }
    smt_push(s->smt);
    fix_cover(s, s->smt);
    bound_symbols(s, s->smt, wide_values);
    if (check(s, s->smt, small_limit) == SMT_SAT && accept(s)) found = finish_small(s);
    smt_pop(s->smt);
    if (s->cover.count == 0) break;
    smt_assert_differs(s->smt, monos, values, s->cover.count);
  }
  smt_pop(s->smt);
  return found;
}

// ---- the loop
// --------------------------------------------------------------------------------------------------------
static Smt *open_solver(Search *s, SmtArithmetic arithmetic) {
  Query *q = s->q;
  Smt *smt = smt_open(q, arithmetic, s->options->solver, s->options->name);
  for (uint32_t i = 0; i < q->conditions.count; i++) {
    const QueryCondition *c = &q->conditions.items[i];
    if (c->part == GOAL_FACT)
      smt_assert_tagged(smt, c->form, i);
    else
      smt_assert(smt, c->form);
  }
  for (uint32_t i = 0; i < q->defs.count; i++)
    smt_assert(smt, q->defs.items[i]);
  for (uint32_t i = 0; i < q->lemmas.count; i++)
    smt_assert(smt, q->lemmas.items[i]);
  return smt;
}

static bool is_small_round(uint32_t round) {
  return round == 0 || round == 2 || round == 5 || round == 10 || round == 18;
}

static void add_lemmas(Search *s, const FormList *lemmas) {
  for (uint32_t i = 0; i < lemmas->count; i++) {
    vec_push(s->q->arena, &s->q->lemmas, lemmas->items[i]);
    smt_assert(s->smt, lemmas->items[i]);
  }
}

// The model at hand is a witness already: a smaller one if there is one.
static void improve(Search *s) {
  Witness first = s->witness;
  if (!s->options->prefer_small) return;
  if (try_small(s, 4, 64) == SMT_SAT || try_small(s, 64, 1024) == SMT_SAT) return;
  s->witness = first;
  s->has_witness = true;
}

static SmtResult main_loop(Search *s) {
  uint32_t tangents = 0;
  for (uint32_t round = 0; round < MAX_ROUNDS; round++) {
    SmtResult r = check(s, s->smt, check_limit);
    if (r != SMT_SAT) return r;
    Model model = s->model;
    if (accept(s)) {
      improve(s);
      return SMT_SAT;
    }
    if (is_small_round(round) && (try_small(s, 4, 64) == SMT_SAT || try_small(s, 64, 1024) == SMT_SAT))
      return SMT_SAT;
    FormList violated = {0};
    product_violated(s->q, &s->table, &model, LEMMAS_PER_ROUND, &violated);
    if (violated.count == 0 && tangents++ < TANGENT_ROUNDS)
      product_tangents(s->q, &s->table, &model, LEMMAS_PER_ROUND, &violated);
    if (violated.count == 0) return SMT_UNKNOWN;
    add_lemmas(s, &violated);
  }
  return SMT_UNKNOWN;
}

static SmtResult real_products(Search *s) {
  Smt *smt = open_solver(s, SMT_NONLINEAR);
  SmtResult r = check(s, smt, check_limit);
  if (r == SMT_SAT) r = accept(s) ? SMT_SAT : SMT_UNKNOWN;
  if (r == SMT_UNSAT) {
    smt_close(s->smt);
    s->smt = smt; // the core comes from here
    return r;
  }
  smt_close(smt);
  return r;
}

static SmtResult run_stages(Search *s) {
  SmtResult r = main_loop(s);
  if (r != SMT_UNKNOWN) return r;
  if (try_covers(s, 64) || try_covers(s, 1024) || try_covers(s, 0)) return SMT_SAT;
  return real_products(s);
}

static void add_core(Search *s, SearchResult *out) {
  const uint32_t *from_smt;
  uint32_t count = smt_core(s->smt, s->q->arena, &from_smt), *core;
  core = arena_array(s->arena, s->q->conditions.count + 1, uint32_t);
  uint32_t next = 0;
  for (uint32_t i = 0; i < s->q->conditions.count; i++) {
    const QueryCondition *c = &s->q->conditions.items[i];
    while (next < count && from_smt[next] < i)
      next++;
    bool in_core = next < count && from_smt[next] == i;
    if (c->part == GOAL_FACT && (in_core || c->is_sharpener)) core[out->core_count++] = i;
  }
  out->core = core;
}

SearchResult search_run(Query *q, const SearchOptions *options, Arena *arena) {
  SearchResult out = {.result = SMT_UNKNOWN};
  if (!lower_query(q)) {
    out.reason = arena_strdup(arena, q->failure);
    return out;
  }
  Search s = {.q = q, .options = options, .arena = arena};
  lemma_generate(q, options->expects_model);
#ifdef HGRD_DEBUG_CHECKS
  lemma_check_random(q);
#endif
  find_cover(&s);
  product_collect(q, &s.table);
  s.smt = open_solver(&s, SMT_LINEAR);
  out.result = run_stages(&s);
  if (out.result == SMT_UNSAT) add_core(&s, &out);
  if (out.result == SMT_SAT) out.witness = s.witness;
  if (out.result == SMT_UNKNOWN)
    out.reason = s.spent >= options->rlimit ? "the budget of resource units is spent"
                                            : "neither a proof nor a witness was found";
  out.stats = (SmtStats){s.spent, s.checks};
  smt_close(s.smt);
  return out;
}
