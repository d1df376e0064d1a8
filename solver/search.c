// Can the conditions of one query hold together? Cheap steps first:
//
//   1. A linear check with the lemmas D P Q T X. UNSAT: proved. SAT: the model, evaluated exactly, may be the
//   witness.
//   2. Otherwise small sizes, see concrete.c.
//   3. Otherwise lemmas on products that the model violates are added (M, bits, tangents), and back to 1.
//   4. Larger sizes.
// Bit tricks, and what step 1 does not decide in a small budget, are enumerated (guess.c) if there are few
// values and turned into circuits (bitvectors.c) if these are small. Each step has a budget of resource units:
// Z3's own count, and estimates of the work done here. Running out of one goes on to the next; the clock has
// no say.
// Soundness: UNSAT comes only from checks whose assertions follow from the conditions (steps 1 and 3), from
// complete enumeration and from circuits without bounds; the restricted ones only find witnesses.
// SPDX-License-Identifier: Apache-2.0
#include "solver/internal.h"

enum {
  FIRST_TRIES = 2,
  TRIES = 10,
  MAX_ROUNDS = 30,
  LEMMAS_PER_ROUND = 40,
  LAZY_PER_ROUND = 20,
  BITS_PER_ROUND = 6,
  TANGENT_ROUNDS = 12,
  RESTARTS = 5
};
static const uint64_t first_limit = 40000, check_limit = 600000, wrap_limit = 60000, open_cost = 3000;
static const uint64_t restart_limits[RESTARTS] = {60000, 60000, 120000, 120000, 240000};
static const Wide wide_values = (Wide)1 << 20;

// ---- shared with concrete.c
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

// ---- the loop
static Smt *open_solver(Search *s) {
  Query *q = s->q;
  Smt *smt = smt_open(q, s->options->solver, s->options->store, s->options->name);
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
  return words_run(s, limit, s->options->rlimit - s->spent);
}

// Masks, shifts by constants and what wraps around: models of the linear abstraction seldom fit them.
static bool has_bits(const Query *q) {
  for (AtomId id = 1; id < q->atoms.count; id++) {
    const Atom *atom = &q->atoms.items[id];
    Wide divisor;
    if (atom->kind == ATOM_WRAP || atom->kind == ATOM_MIXED || atom->kind == ATOM_BITAND ||
        atom->kind == ATOM_POW2)
      return true;
    if (atom->kind == ATOM_QUOT && poly_is_const(atom->b, &divisor) && (divisor & (divisor - 1)) == 0)
      return true;
  }
  return false;
}

// UNSAT for all values, or SAT with small ones: a witness that needs large ones is one by wrap-around.
static SmtResult decide_words(Search *s) {
  SmtResult r = ask_words(s, 0);
  if (r == SMT_UNSAT) s->core_is_all = true;
  if (r == SMT_UNSAT || !has_bits(s->q)) return r == SMT_UNSAT ? r : SMT_UNKNOWN;
  return ask_words(s, 64) == SMT_SAT || ask_words(s, 1024) == SMT_SAT ? SMT_SAT : SMT_UNKNOWN;
}

static SmtResult enumerate(Search *s) {
  if (s->enumerated) return SMT_UNKNOWN;
  s->enumerated = true;
  SmtResult r = guess_all(s->q, s->arena, &s->witness, &s->spent);
  if (r == SMT_UNSAT) s->core_is_all = true;
  return r;
}

// What does not depend on arithmetic being linear. Once for each search.
static SmtResult decide_bits(Search *s, const Model *model) {
  if (s->asked_bits) return SMT_UNKNOWN;
  s->asked_bits = true;
  SmtResult r = enumerate(s);
  if (r != SMT_UNKNOWN) return r;
  if (model && guess_run(s->q, model, s->arena, &s->witness, &s->spent)) return SMT_SAT;
  return decide_words(s);
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

// What a check that was cut short has learned leads the next one astray: begin again, each time in another
// order of decisions. Most that is decided at all is decided soon in some order (Gomes et al. 2000,
// heavy-tailed phenomena in satisfiability).
static SmtResult check_again(Search *s) {
  SmtResult r = SMT_UNKNOWN;
  for (unsigned seed = 0; seed < RESTARTS && r == SMT_UNKNOWN && s->spent < s->options->rlimit; seed++) {
    smt_close(s->smt);
    s->smt = open_solver(s);
    smt_seed(s->smt, seed);
    s->spent += open_cost;
    r = search_check(s, s->smt, restart_limits[seed]);
  }
  return r;
}

// One check of the linear abstraction. At first with a small budget, and other ways if that is not enough.
static SmtResult check_linear(Search *s, bool wraps) {
  SmtResult r = search_check(s, s->smt, wraps ? wrap_limit : s->asked_bits ? check_limit : first_limit);
  if (r != SMT_UNKNOWN || s->asked_bits) return r;
  r = decide_bits(s, NULL);
  if (r == SMT_UNKNOWN && !wraps && concrete_try(s, 64, 1024, 1) == SMT_SAT)
    r = SMT_SAT; // sooner than the next order
  s->is_decided = r != SMT_UNKNOWN;
  return s->is_decided || wraps ? r : check_again(s);
}

static SmtResult main_loop(Search *s) {
  uint32_t tangents = 0;
  bool wraps = has_kind(s->q, ATOM_WRAP) || has_kind(s->q, ATOM_MIXED),
       mixes = wraps || has_kind(s->q, ATOM_BITAND) || has_kind(s->q, ATOM_POW2);
  SmtResult all = has_bits(s->q) ? enumerate(s) : SMT_UNKNOWN;
  if (all != SMT_UNKNOWN) return all;
  if (wraps && guess_run(s->q, NULL, s->arena, &s->witness, &s->spent)) return SMT_SAT;
  // Where a model is expected, a small one is found sooner than any.
  if (s->options->expects_model && concrete_try(s, 64, 1024, 1) == SMT_SAT) return SMT_SAT;
  keep_learned(s);
  for (uint32_t round = 0; round < MAX_ROUNDS; round++) {
    SmtResult r = check_linear(s, wraps);
    if (r != SMT_SAT || s->is_decided) return r;
    Model model = s->model;
    if (search_accept(s)) {
      improve(s);
      return SMT_SAT;
    }
    if (round == 0 && mixes) {
      r = decide_bits(s, &model);
      if (r != SMT_UNKNOWN) return r;
    }
    if (is_small_round(round) && find_small(s, round == 0 ? FIRST_TRIES : TRIES)) return SMT_SAT;
    s->model = model;
    if (!refine(s, &tangents)) return SMT_UNKNOWN;
  }
  return SMT_UNKNOWN;
}

static SmtResult run_stages(Search *s) {
  SmtResult r = main_loop(s);
  if (r != SMT_UNKNOWN) return r;
  if (concrete_try(s, 1024, wide_values, TRIES) == SMT_SAT ||
      concrete_try(s, 0, wide_values, TRIES) == SMT_SAT)
    return SMT_SAT;
  return decide_bits(s, NULL);
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
  s.smt = open_solver(&s);
  s.spent += open_cost;
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
