// Can the conditions of one query hold together? Cheap steps first:
//
//   1. A linear check with the lemmas D P Q T X. UNSAT: proved. SAT: the model, evaluated exactly, may be the
//   witness.
//   2. Otherwise small sizes, see concrete.c.
//   3. Otherwise lemmas on products that the model violates are added (M, bits, tangents), and back to 1.
//   4. Larger sizes; bit-vectors (words.c; for bit tricks earlier); at last real products, with a time limit.
// Each step has a budget of Z3's resource units; running out of one goes on to the next.
// Soundness: UNSAT comes only from checks whose assertions follow from the conditions (steps 1 and 3, and
// real products); the restricted ones only find witnesses.
// SPDX-License-Identifier: Apache-2.0
#include "solver/internal.h"

enum {
  FIRST_TRIES = 2,
  TRIES = 10,
  MAX_ROUNDS = 30,
  LEMMAS_PER_ROUND = 40,
  LAZY_PER_ROUND = 20,
  BITS_PER_ROUND = 6,
  TANGENT_ROUNDS = 12
};
static const uint64_t check_limit = 1000000, wrap_limit = 200000, words_limit = 400000;
static const Wide wide_values = (Wide)1 << 20;

// ---- shared with concrete.c ---------------------------------------------------------------------
SmtResult search_check(Search *s, Smt *smt, uint64_t limit) {
  uint64_t before = smt_stats(smt).rlimit;
  if (s->spent >= s->options->rlimit) return SMT_UNKNOWN;
  uint64_t left = s->options->rlimit - s->spent;
  SmtResult r = smt_check(smt, limit < left ? limit : left);
  s->spent += smt_stats(smt).rlimit - before;
  s->checks++;
  if (r == SMT_SAT && !smt_model(smt, s->q->arena, &s->model)) return SMT_UNKNOWN;
  return r;
}

bool search_accept(Search *s) {
  Witness w;
  if (witness_check(s->q, &s->model, s->arena, &w) != WITNESS_HOLDS) return false;
  s->witness = w;
  return true;
}

void search_assert_late(Search *s) {
  for (; s->defs_asserted < s->q->defs.count; s->defs_asserted++)
    vec_push(s->q->arena, &s->late_defs, s->q->defs.items[s->defs_asserted]);
  for (uint32_t i = 0; i < s->late_defs.count; i++)
    smt_assert(s->smt, s->late_defs.items[i]);
}

static void assert_learned(Search *s, uint32_t from) {
  for (uint32_t i = from; i < s->learned.count; i++)
    smt_assert(s->smt, s->learned.items[i]);
  search_assert_late(s);
}

bool search_learn(Search *s, bool with_bits) {
  uint32_t before = s->learned.count;
  product_violated(s->q, &s->table, &s->model, LEMMAS_PER_ROUND, &s->learned);
  if (s->learned.count < before + LEMMAS_PER_ROUND)
    product_lazy(s->q, &s->model, LAZY_PER_ROUND, &s->learned);
  if (with_bits && s->learned.count == before) product_bits(s->q, &s->model, BITS_PER_ROUND, &s->learned);
  if (s->learned.count == before) return false;
  assert_learned(s, before);
  return true;
}

// Outside of all scopes: what was learned within them is valid, and stays.
static void keep_learned(Search *s) {
  assert_learned(s, 0);
  for (uint32_t i = 0; i < s->learned.count; i++)
    vec_push(s->q->arena, &s->q->lemmas, s->learned.items[i]);
  if (s->learned.count) product_collect(s->q, &s->table); // lemmas bring in products
  s->learned.count = 0;
  s->late_defs.count = 0;
}

// ---- the loop -----------------------------------------------------------------------------------
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
  return round == 0 || round == 3 || round == 6 || round == 11 || round == 18;
}

static bool find_small(Search *s, uint32_t tries) {
  bool found = concrete_try(s, 4, 64, tries) == SMT_SAT || concrete_try(s, 64, 1024, tries) == SMT_SAT;
  keep_learned(s);
  return found;
}

static bool has_kind(const Query *q, AtomKind kind) {
  for (AtomId id = 1; id < q->atoms.count; id++)
    if (q->atoms.items[id].kind == kind) return true;
  return false;
}

static SmtResult ask_words(Search *s, Wide limit) {
  if (s->spent >= s->options->rlimit) return SMT_UNKNOWN;
  uint64_t left = s->options->rlimit - s->spent;
  return words_run(s, limit, words_limit < left ? words_limit : left);
}

// SAT with small symbols, or UNSAT for all.
static SmtResult decide_words(Search *s) {
  s->asked_words = true;
  SmtResult small = ask_words(s, 64);
  if (small != SMT_SAT) small = ask_words(s, 1024);
  if (small != SMT_UNSAT) return small;
  SmtResult r = ask_words(s, 0);
  s->core_is_all = r == SMT_UNSAT;
  return r == SMT_UNSAT ? SMT_UNSAT : SMT_UNKNOWN; // a witness that needs large values is one by wrap-around
}

// The model at hand is a witness already: a smaller one if there is one.
static void improve(Search *s) {
  Witness first = s->witness;
  if (s->options->prefer_small && !find_small(s, FIRST_TRIES)) s->witness = first;
}

// Lemmas that the model violates, and then tangents at it.
static bool refine(Search *s, uint32_t *tangents) {
  bool learned = search_learn(s, true);
  if (!learned && (*tangents)++ < TANGENT_ROUNDS) {
    product_tangents(s->q, &s->table, &s->model, LEMMAS_PER_ROUND, &s->learned);
    learned = s->learned.count > 0;
    assert_learned(s, 0);
  }
  keep_learned(s);
  return learned;
}

static SmtResult main_loop(Search *s) {
  uint32_t tangents = 0;
  bool wraps = has_kind(s->q, ATOM_WRAP),
       mixes = wraps || has_kind(s->q, ATOM_BITAND) || has_kind(s->q, ATOM_POW2);
  if (wraps && guess_run(s->q, NULL, s->arena, &s->witness)) return SMT_SAT;
  for (uint32_t round = 0; round < MAX_ROUNDS; round++) {
    SmtResult r = search_check(s, s->smt, wraps ? wrap_limit : check_limit);
    if (r == SMT_UNKNOWN && wraps) return decide_words(s);
    if (r != SMT_SAT) return r;
    Model model = s->model;
    if (search_accept(s)) {
      improve(s);
      return SMT_SAT;
    }
    if (round == 0 && mixes) {
      if (guess_run(s->q, &model, s->arena, &s->witness)) return SMT_SAT;
      r = decide_words(s);
      if (r != SMT_UNKNOWN) return r;
    }
    if (is_small_round(round) && find_small(s, round == 0 ? FIRST_TRIES : TRIES)) return SMT_SAT;
    s->model = model;
    if (!refine(s, &tangents)) return SMT_UNKNOWN;
  }
  return SMT_UNKNOWN;
}

// UNSAT is a proof here too; the core is asked of the solver that proved it.
static SmtResult real_products(Search *s) {
  Smt *smt = open_solver(s, SMT_NONLINEAR);
  SmtResult r = search_check(s, smt, check_limit);
  if (r == SMT_SAT) r = search_accept(s) ? SMT_SAT : SMT_UNKNOWN;
  smt_close(r == SMT_UNSAT ? s->smt : smt);
  if (r == SMT_UNSAT) s->smt = smt;
  return r;
}

static SmtResult run_stages(Search *s) {
  SmtResult r = main_loop(s);
  if (r != SMT_UNKNOWN) return r;
  if (concrete_try(s, 1024, wide_values, TRIES) == SMT_SAT ||
      concrete_try(s, 0, wide_values, TRIES) == SMT_SAT)
    return SMT_SAT;
  if (!s->asked_words) r = decide_words(s);
  return r != SMT_UNKNOWN ? r : real_products(s);
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
    if (c->part == GOAL_FACT && (in_core || s->core_is_all || c->is_sharpener)) core[out->core_count++] = i;
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
  concrete_prepare(&s);
  s.defs_asserted = q->defs.count;
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
