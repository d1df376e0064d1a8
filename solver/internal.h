// Shared by the files of the solver only. The way of one question:
//
//   conditions (ExprRef, machine words)
//     -> range.c    what interval can each word lie in, and can it wrap
//     -> linearize.c    polynomials over integer atoms, formulas over polynomial (in)equalities
//     -> lemma.c    valid facts about products and opaque atoms (schemas D P Q T X), products.c (M, on
//     demand)
//     -> smt.c      linear integer arithmetic: every product of atoms is one fresh integer (context.c: Z3's
//     contexts)
//     -> search.c   the loop: unsat is a proof, a model is evaluated exactly (model_check.c) or refuted by more
//     lemmas
//     -> lazy_facts.c    host facts as they are needed;  solver.c  vacuity, cache, answers
//
// One Query holds everything for one set of conditions and lives in one arena. Nothing in it depends on the
// numbering of the expression pool or on earlier questions, so answers do not depend on history.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_SOLVER_INTERNAL_H
#define HGRD_SOLVER_INTERNAL_H

#include "core/vec.h"
#include "core/table.h"
#include "solver/solver.h"

typedef __int128 Wide; // integers of lowered expressions: 64-bit unsigned readings and their sums fit easily

#define WIDE_INF ((Wide)1 << 110) // "no bound"; sums and products saturate here

typedef struct Range {
  Wide lo, hi;
} Range;

// ---- polynomials (poly.c)
typedef uint32_t AtomId; // index into Query.atoms; 0 is none
typedef uint32_t MonoId; // index into Query.monos; 0 is the empty product, the number 1

typedef struct Term {
  MonoId mono;
  Wide coef; // never 0
} Term;

// Interned: equal polynomials are one pointer. Terms stand in descending order (degree, then atoms), the
// constant last. NULL stands for "too large"; every operation on NULL gives NULL.
typedef struct Poly {
  uint32_t id; // by first appearance, so sorting by it is deterministic
  uint32_t count;
  uint32_t degree;
  uint8_t owners; // bit 0: holds something of thread 1, bit 1: of thread 2
  const Term *terms;
} Poly;

typedef VEC(const Poly *) PolyList;

typedef struct Mono {
  uint32_t degree;
  const AtomId *atoms; // ascending, with repetition
  uint8_t owners;
  MonoId private_part, uniform_part; // product of its private and of its uniform atoms
} Mono;

// ---- formulas (formula.c)
typedef uint32_t FormId; // index into Query.forms; 0 is "none": a lemma that could not be formed

typedef enum FormKind {
  FORM_NONE,
  FORM_TRUE,
  FORM_FALSE,
  FORM_UNKNOWN, // a condition that could not be lowered: a free truth value, the same weakening on both
                // polarities
  FORM_LE,      // poly <= 0
  FORM_EQ,      // poly = 0
  FORM_NE,      // poly /= 0
  FORM_AND,
  FORM_OR
} FormKind;

typedef struct Form {
  uint8_t kind;   // FormKind
  uint8_t owners; // whose symbols occur in it, as of an ExprNode; UNKNOWN: may be of anybody
  uint32_t count;
  const Poly *poly;
  const FormId *parts;
} Form;

// ---- atoms
typedef enum AtomKind {
  ATOM_NONE,
  ATOM_SYM,    // a symbol: index
  ATOM_APP,    // an uninterpreted function: index, args; ref is the expression
  ATOM_QUOT,   // a div b: `is_floor` rounds down (defined for b >= 1 only), else towards zero
  ATOM_REM,    // a - b * quotient; partner is the quotient, which may be found over another chain
  ATOM_WRAP,   // t with -2^(w-1) <= a - 2^w * t < 2^(w-1): how often a wraps around
  ATOM_MIXED,  // a reduced to w bits, where its multipliers are wide: a function of a, see atoms.c
  ATOM_CHOICE, // a if when_true else b
  ATOM_NAME,   // a short name for a, so that products of private sums stay small
  ATOM_POW2,   // 2^a, defined for 0 <= a <= 63
  ATOM_BITAND, // a & b
  ATOM_HALF,   // (x*x + x) / 2 for the atom x = partner
  ATOM_OPAQUE  // anything: nothing is known
} AtomKind;

typedef struct Atom {
  uint8_t kind;   // AtomKind
  uint8_t owners; // as in Poly
  uint8_t width;  // WRAP, MIXED
  bool is_floor;
  uint32_t index; // SYM: symbol, APP: function
  AtomId partner;
  Range range;    // holds whenever the value means something: for decisions of lowering only
  Range asserted; // holds always, or by the conditions that sharpened it: symbols and functions
  const Poly *a, *b;
  FormId when_true,
      when_false; // CHOICE; REM of a quotient that another chain came to: when_true where it has no value
  uint32_t arg_count;
  const Poly *const *args; // APP
  ExprRef ref;             // APP
} Atom;

// ---- one question
typedef struct QueryCondition {
  ExprRef condition;
  GoalPart part;
  uint32_t tag;
  FormId form;
  bool is_sharpener; // lowering leans on it, so it belongs to every core
} QueryCondition;

// Intervals of words under three readings of the symbols.
typedef enum RangeMode {
  RANGE_SHARP, // ranges of the symbols, sharpened by the conditions of the question
  RANGE_SMALL, // symbols of magnitude at most 64: what cannot wrap for these is taken not to wrap (A1)
  RANGE_NEAR   // windows for witnesses, see range_near
} RangeMode;
enum { RANGE_MODE_COUNT = 3 };

typedef struct WordBound { // what a condition says of the range of a word that is no symbol
  ExprRef word;
  Range range;
  uint32_t condition; // the last that cut it
} WordBound;

typedef struct NestedDivision { // one dividend's chain of divisions by products
  const Poly *dividend, *divisor, *quotient, *remainder;
  bool is_floor;
} NestedDivision;

typedef struct DividendBound { // |low| < |high| by a condition
  const Poly *low, *high;
  uint32_t condition;
} DividendBound;

typedef struct Query {
  Arena *arena;
  ExprPool *pool;
  VEC(QueryCondition) conditions;
  // For models only: a number that a function gives is the one next to zero, everywhere. What truth functions
  // are asked of (whether a float is zero) stays as it is, so that the threads can differ in it.
  bool flat_functions;
  uint32_t in_truth; // of how many truth functions the arguments are being lowered
  bool assume_sizes; // host values read as unsigned are taken to be below 2^(w-1) (part of A1)

  VEC(Atom) atoms; // [0] unused
  VEC(Mono) monos; // [0] the empty product
  VEC(const Poly *) polys;
  VEC(Form) forms; // [0] none
  Table mono_table, poly_table, form_table, atom_table;
  VEC(Term) terms; // scratch of poly.c
  const Poly *zero, *one;
  FormId form_true, form_false;

  VEC(Range) sym_ranges[RANGE_MODE_COUNT]; // by symbol
  VEC(bool) sym_is_size;                   // by symbol: lower bound 0 is the assumption, not known
  Map packed_syms, packed_functions;       // words of several parts: their halves count by themselves
  VEC(WordBound) bounds;
  Map bound_of;                     // by ExprRef: index into bounds + 1
  uint32_t sharpened_by;            // the condition that is being read for bounds
  Map range_memo[RANGE_MODE_COUNT]; // by ExprRef: index into ranges + 1
  VEC(Range) ranges;
  Map known_memo; // by ExprRef: 1 = no symbol below it has a wide range, 2 = some has
  Map word_memo;  // by ExprRef: index into words + 1
  VEC(const Poly *) words;
  Map bool_memo; // by ExprRef * 2 + polarity: FormId
  VEC(NestedDivision) divisions;
  VEC(DividendBound) dividend_bounds;
  VEC(ExprRef) apps;
  Map definition_of;     // by symbol: what a condition says that it equals
  VEC(uint32_t) defined; // these symbols
  Map power_of_two;      // by symbol: 1 if a condition says that it is a power of two
  uint32_t depth;        // of the recursion of lowering
  uint32_t sharpen_round;
  bool used_no_overflow;
  const char *failure; // why lowering gave up, NULL if it did not

  VEC(FormId) defs;        // what the atoms mean: always asserted
  VEC(FormId) lazy_lemmas; // valid facts asserted when a model violates them
  Map lemma_seen, lemma_used;
  VEC(FormId) lemmas;     // valid facts asserted from the start
  VEC(FormId) meanings;   // divisors that are not 0, shift counts below the width
  PolyList conflicts;     // polynomials that are 0 in a conflict: where delinearisation starts
  VEC(FormId) identities; // what rewritings rest on, for the self-check; empty without HGRD_DEBUG_CHECKS
} Query;

Query *query_make(Arena *arena, ExprPool *pool);

// For contracts: made in this query. A polynomial that is too large (NULL) and a formula that could not be formed count.
static inline bool mono_is_of(const Query *q, MonoId mono) {
  return mono < q->monos.count;
}

static inline bool poly_is_of(const Query *q, const Poly *p) {
  return !p || (p->id < q->polys.count && q->polys.items[p->id] == p);
}

static inline bool form_is_of(const Query *q, FormId form) {
  return form < q->forms.count;
}

static inline bool forms_are_of(const Query *q, uint32_t count, const FormId *parts) {
  for (uint32_t i = 0; i < count; i++)
    if (!form_is_of(q, parts[i])) return false;
  return true;
}

MonoId mono_of_atom(Query *q, AtomId atom);
MonoId mono_mul(Query *q, MonoId a, MonoId b); // UINT32_MAX: degree too high
bool mono_divide(Query *q, MonoId a, MonoId b, MonoId *quotient);
int mono_compare(const Query *q, MonoId a, MonoId b);

const Poly *poly_const(Query *q, Wide value);
const Poly *poly_of_atom(Query *q, AtomId atom);
const Poly *poly_of_mono(Query *q, MonoId mono, Wide coef);
const Poly *poly_of_terms(Query *q, const Term *terms, uint32_t count); // any order, repetition allowed
const Poly *poly_add(Query *q, const Poly *a, const Poly *b);
const Poly *poly_sub(Query *q, const Poly *a, const Poly *b);
const Poly *poly_add_scaled(Query *q, const Poly *a, const Poly *b, Wide factor);
const Poly *poly_add_const(Query *q, const Poly *a, Wide value);
const Poly *poly_scale(Query *q, const Poly *a, Wide factor);
const Poly *poly_mul(Query *q, const Poly *a, const Poly *b);
// a = divisor * quotient + remainder, term by term from the leading one; exact coefficients only.
void poly_divide(Query *q, const Poly *a, const Poly *divisor, const Poly **quotient, const Poly **remainder);
const Poly *poly_primitive(Query *q, const Poly *a,
                           Wide *content); // leading coefficient > 0; a = content * result
const Poly *poly_substitute(Query *q, const Poly *a, AtomId atom, const Poly *by);
bool poly_is_const(const Poly *a, Wide *value); // value may be NULL
bool poly_is_atom(const Query *q, const Poly *a, AtomId *atom);
bool poly_has_atom(const Query *q, const Poly *a, AtomId atom);
Wide poly_constant_term(const Poly *a);
Range poly_range(const Query *q, const Poly *a); // from the ranges of its atoms

Wide wide_gcd(Wide a, Wide b);
Wide wide_floor_div(Wide a, Wide b);      // b >= 1
uint32_t wide_bits(Wide a);               // from the lowest to the highest that is set in its magnitude
Wide wide_wrapped(Wide a, uint8_t width); // the word of the low bits of a, in its signed reading
Range range_add(Range a, Range b);
Range range_mul(Range a, Range b);
Range range_meet(Range a, Range b); // empty, lo > hi, where they do not meet; so may be what is given
Range range_join(Range a, Range b);
Range range_of_width(uint8_t width);
bool range_inside(Range inner, Range outer);

FormId form_le0(Query *q, const Poly *p);
FormId form_eq0(Query *q, const Poly *p);
FormId form_ne0(Query *q, const Poly *p);
FormId form_le(Query *q, const Poly *a, const Poly *b);
FormId form_lt(Query *q, const Poly *a, const Poly *b);
FormId form_eq(Query *q, const Poly *a, const Poly *b);
FormId form_ne(Query *q, const Poly *a, const Poly *b);
FormId form_and(Query *q, uint32_t count, const FormId *parts);
FormId form_or(Query *q, uint32_t count, const FormId *parts);
#define FORM_AND_OF(q, ...)                                                                                  \
  form_and((q), sizeof((FormId[]){__VA_ARGS__}) / sizeof(FormId), (FormId[]){__VA_ARGS__})
#define FORM_OR_OF(q, ...)                                                                                   \
  form_or((q), sizeof((FormId[]){__VA_ARGS__}) / sizeof(FormId), (FormId[]){__VA_ARGS__})
FormId form_unknown(Query *q);                 // a new one each time
FormId form_or_unknown(Query *q, FormId form); // in place of FORM_NONE, for what is too large
// Truth under values of the products; UNKNOWN leaves and overflow make it "true" (nothing is refuted).
bool form_holds(const Query *q, FormId form, const Wide *mono_values);
Wide poly_value(const Query *q, const Poly *p, const Wide *mono_values);

// ---- range.c
// Fills sym_ranges: SHARP from the symbols and from conditions that bound one symbol; SMALL from those.
void range_prepare(Query *q);
Range range_of(Query *q, RangeMode mode, ExprRef ref);
// May the result of this ADD, SUB, MUL, SHL or TRUNC be taken as the exact integer? *assumes: only under A1.
bool range_is_plain(Query *q, ExprRef ref, bool *assumes);
// Does the result, before it is reduced to its width, always lie in it?
bool range_fits(Query *q, RangeMode mode, ExprRef ref);
// Fills NEAR: symbols within `limit` of zero, or of the end of their sharp range that is next to it.
void range_near(Query *q, Wide limit);

// ---- atoms.c: opaque values and their definitions
AtomId atom_sym(Query *q, uint32_t sym);
const Poly *atom_app(Query *q, ExprRef ref, uint32_t count, const Poly *const *args);
void atom_divide(Query *q, const Poly *a, const Poly *d, bool is_floor, const Poly **quotient,
                 const Poly **remainder);
// A condition says that 0 <= low < high; so what is left of low divided by the factors of high is smaller
// too.
void atom_bound_dividend(Query *q, const Poly *low, const Poly *high, uint32_t condition);
const Poly *atom_wrap(Query *q, const Poly *a, uint8_t width);
const Poly *atom_choice(Query *q, FormId when_true, FormId when_false, const Poly *a, const Poly *b);
const Poly *atom_name(Query *q, const Poly *a);
const Poly *atom_pow2(Query *q, const Poly *exponent);
const Poly *atom_bitand(Query *q, const Poly *a, const Poly *b);
const Poly *atom_half(Query *q, AtomId of);
const Poly *atom_opaque(Query *q, uint8_t owners);
// The value that the definition gives, from the values of earlier atoms; false where it is not defined.
bool atom_evaluate(const Query *q, AtomId atom, const Wide *atom_values, Wide *value);

// ---- fold.c: indices taken apart and put together again
// The same sum, with m*(x div m) + x rem m read as x.
const Poly *fold_sum(Query *q, const Poly *p);
// a / d where it is exact for the definitions of the remainders in a; NULL if it is not. For d != 0.
const Poly *fold_quotient(Query *q, const Poly *a, const Poly *d);

// ---- lower_query.c
// Lowers all conditions; false with q->failure when the question is too large.
bool lower_query(Query *q);

// ---- linearize.c
const Poly *lower_word(Query *q, ExprRef ref);
FormId lower_bool(Query *q, ExprRef ref, bool polarity);
const Poly *lower_mask(Query *q, const Poly *a, Wide mask);              // a & mask, by floor divisions
FormId lower_count_in_width(Query *q, const Poly *count, uint8_t width); // 0 <= count < width
bool word_is_nonnegative(Query *q, ExprRef ref, const Poly *p);          // `p`: its signed reading

// ---- bijection.c
// If x and y both end in the same step that loses nothing, they become what goes into it: they are equal
// words if and only if these are.
bool bijection_peel(Query *q, ExprRef *x, ExprRef *y);

// ---- lemma_list.c, lemma.c, lemma_strides.c, lemma_squares.c, products.c
typedef VEC(FormId) FormList;
typedef VEC(MonoId) MonoList;
void lemma_generate(Query *q,
                    bool expects_model); // fills q->lemmas; those that only help proofs may be left out
// A valid fact, asserted from the start, or lazily: when a model violates it. FORM_NONE is left out.
void lemma_add(Query *q, FormId form);
void lemma_add_lazy(Query *q, FormId form);
void lemma_list_add(Query *q, PolyList *list, const Poly *p); // once; NULL is left out
// Schemas D and P, for the differences in q->conflicts; the map holds which polynomials were delinearised.
void lemmas_d(Query *q, Map *delinearised);
void lemmas_p(Query *q, Map *delinearised);
void lemmas_squares(Query *q);                                               // schemas Q and T
void lemma_delinearise(Query *q, Map *delinearised, const Poly *difference); // NULL: nothing
void lemma_part_dividends(Query *q, Map *delinearised,
                          const Poly *distance); // the same, also by a single constant
// Products (degree >= 2) in conditions and definitions, and in lemmas if wanted.
void lemma_products(Query *q, bool with_lemmas, MonoList *out);

typedef struct Model { // values of the linear abstraction
  Wide *values;        // by monomial
  uint32_t count;      // monomials numbered from here on have no value
} Model;

// Pairs of products that share a factor, and pairs that correspond in the two threads.
typedef struct ProductPair {
  MonoId a, b;      // the products
  MonoId common;    // 0 for corresponding ones
  MonoId x, y;      // a = common * x, b = common * y
  uint8_t priority; // small ones first
} ProductPair;

typedef struct ProductTable {
  uint32_t base_count; // products that stand in conditions and definitions come first
  MonoList products;
  VEC(ProductPair) pairs;
} ProductTable;

// Up to `most` lazy lemmas that the values violate.
void product_lazy(Query *q, const Model *model, uint32_t most, FormList *out);
void product_collect(Query *q, ProductTable *table); // of everything asserted so far
// Up to `most` lemmas on products that the values violate, appended to `out`.
void product_violated(Query *q, const ProductTable *table, const Model *model, uint32_t most, FormList *out);
// Lemmas on powers of two and bitwise ands that the values violate: what they are for one value of an
// operand.
void product_bits(Query *q, const Model *model, uint32_t most, FormList *out);
// The same with lemmas about the neighbourhood of the values (tangents).
void product_tangents(Query *q, const ProductTable *table, const Model *model, uint32_t most, FormList *out);
#ifdef HGRD_DEBUG_CHECKS
// Evaluates definitions and lemmas on random values; BUG if one is violated.
void lemma_check_random(Query *q);
#endif

// ---- context.c
// A context of Z3 that questions use one after the other, each as if it were new. For one thread.
typedef struct SmtStore SmtStore;
SmtStore *smt_store_open(Arena *arena);
void smt_store_close(SmtStore *store);

// ---- smt.c: asks Z3 about linear arithmetic
typedef struct Smt Smt;
typedef enum SmtResult { SMT_UNKNOWN, SMT_SAT, SMT_UNSAT } SmtResult;

typedef struct SmtStats {
  uint64_t rlimit;
  uint32_t checks;
} SmtStats;

// Without a store, in a context of its own. With one, its answers and units are the same.
Smt *smt_open(const Query *q, const SolverOptions *options, SmtStore *store, const char *name);
// Before the first check: another order of decisions. 0: the one that Z3 has by itself.
void smt_seed(Smt *smt, unsigned seed);
void smt_close(Smt *smt); // NULL is allowed
void smt_assert(Smt *smt, FormId form);
void smt_assert_tagged(Smt *smt, FormId form, uint32_t tag); // the tag comes back in cores
void smt_assert_between(Smt *smt, MonoId mono, Wide lo, Wide hi);
void smt_push(Smt *smt);
void smt_pop(Smt *smt);
MUST_USE SmtResult smt_check(Smt *smt, uint64_t rlimit);
// After SAT: values by monomial (0 for those Z3 does not know). False if a number is out of reach.
bool smt_model(Smt *smt, Arena *arena, Model *model);
// After UNSAT: tags, ascending, without repetition.
uint32_t smt_core(Smt *smt, Arena *arena, const uint32_t **tags);
// The same, without those tags from `first` on that turn out not to be needed; a few checks more.
uint32_t smt_small_core(Smt *smt, uint32_t first, uint64_t rlimit, Arena *arena, const uint32_t **tags);
SmtStats smt_stats(const Smt *smt);

// ---- model_check.c
typedef struct Witness {
  uint32_t sym_count;
  int64_t *sym_values;
  bool *sym_fixed; // symbols that occur in the question
  VEC(SolverFuncValue) funcs;
  VEC(ExprRef) apps; // the application behind each function value
} Witness;

typedef enum WitnessCheck {
  WITNESS_HOLDS,
  WITNESS_FALSE,    // some condition is false
  WITNESS_OVERFLOW, // holds over the integers, but NSW arithmetic overflows
  WITNESS_UNKNOWN
} WitnessCheck;

// Exact evaluation of all conditions of the query under the model's symbols and function values.
WitnessCheck witness_holds(const Query *q, const Witness *witness); // all conditions of the query
WitnessCheck witness_check(const Query *q, const Model *model, Arena *arena, Witness *witness);
MUST_USE bool witness_take_symbols(const Query *q, const Model *model, Arena *arena, Witness *witness);
// For witnesses put together from several searches (lazy_facts.c).
void witness_start(const ExprPool *pool, Witness *witness,
                   Arena *arena); // each symbol has a value in its range
MUST_USE bool witness_add_point(const ExprPool *pool, Witness *witness, ExprRef app, Wide result,
                                ExprSeries *series, Arena *arena);
void witness_merge(Witness *into, const Witness *from, Arena *arena); // what is fixed in `into` stays
Wide witness_flat_value(const ExprPool *pool, uint32_t func); // of a function that is taken to be constant
WitnessCheck witness_evaluate(const ExprPool *pool, const Witness *witness, ExprRef condition,
                              ExprSeries *series);

// The value of an expression; false if it has none.
bool witness_value(const ExprPool *pool, const Witness *witness, ExprRef ref, int64_t *value);

// ---- repair.c
// Values for the symbols that are not fixed, such that all conditions hold. False: none were found; the
// values of open symbols are then anything.
MUST_USE bool witness_mend(const ExprPool *pool, const GoalCondition *conditions, uint32_t count,
                           Witness *witness, uint64_t *work);

// ---- shrink.c
// Smaller numbers, as far as trying finds them. The witness fulfils the conditions, before and after.
void witness_shrink(const ExprPool *pool, const GoalCondition *conditions, uint32_t count, Witness *witness,
                    uint64_t *work);
int witness_order(const ExprSym *sym);   // what is to be small first: the least
Wide witness_target(const ExprSym *sym); // the value one would like to read

// ---- search.c
typedef struct SearchResult {
  SmtResult result;
  const char *reason; // UNKNOWN
  Witness witness;    // SAT
  uint32_t core_count;
  const uint32_t *core; // UNSAT: indices of conditions
  SmtStats stats;
} SearchResult;

typedef struct SearchOptions {
  const SolverOptions *solver;
  SmtStore *store;  // NULL: none
  SearchMemo *memo; // NULL: none
  const char *name;
  uint64_t rlimit;        // for this search
  bool expects_model;     // a proof is not expected: fewer lemmas, small models first
  bool prefer_small;      // make the witness small
  bool flat_functions;    // look for models in which functions are constant; UNSAT says nothing
  bool is_inner;          // started from another search: no further substitution
  bool all_facts;         // from the beginning, not as they are needed
  const SolverBase *base; // or NULL: values that are tried where those that came up do not go with the facts
} SearchOptions;

SearchResult search_run(Query *q, const SearchOptions *options, Arena *arena);

typedef struct Search { // shared by search.c (the loop) and concrete.c (models with small, fixed sizes)
  Query *q;
  const SearchOptions *options;
  Arena *arena; // of the result
  Smt *smt;
  Model model;
  ProductTable table;
  VEC(AtomId) cover; // fixing these leaves at most one factor in each product of the conditions
  Map is_covered;
  FormList learned;       // lemmas found within a scope
  FormList late_defs;     // definitions of atoms that they brought in
  uint32_t defs_asserted; // of q->defs
  bool core_is_all;       // UNSAT without a core to ask for
  bool enumerated;        // guess_all had its turn
  bool asked_bits;        // enumeration and circuits had their turn
  bool is_decided;        // by them
  uint64_t spent;
  uint32_t checks;
  Witness witness; // the last that was accepted
} Search;

SmtResult search_check(Search *s, Smt *smt, uint64_t limit); // fills s->model
bool search_accept(Search *s);                               // is s->model a witness? It becomes s->witness
void search_assert_late(Search *s); // definitions of atoms that lemmas brought in, in the current scope
// Asserts lemmas that s->model violates, in the current scope; false if there is none.
bool search_learn(Search *s, bool with_bits);

// ---- concrete.c, bitvectors.c
void concrete_prepare(Search *s);
// The conditions over bit-vectors, symbols up to `limit` in magnitude (0: any), see bitvectors.c. SAT: s->witness
// is one. UNSAT without a limit is a proof.
SmtResult words_run(Search *s, Wide limit, uint64_t rlimit);
// A witness with factors of products up to `limit` and other symbols up to `others` (0: any)? SAT: s->witness
// is one. UNSAT: none within these bounds.
SmtResult concrete_try(Search *s, Wide limit, Wide others, uint32_t tries);

// ---- guess.c
// Uniform symbols as in the model (NULL: small), the two threads' own symbols by enumeration. `work` grows by
// the number of evaluations.
bool guess_run(Query *q, const Model *model, Arena *arena, Witness *witness, uint64_t *work);
// All symbols by enumeration. UNSAT: every combination of values was tried.
SmtResult guess_all(Query *q, Arena *arena, Witness *witness, uint64_t *work);

// ---- key.c
typedef struct GoalKey {
  Arena *arena;
  uint64_t hash;
  VEC(uint8_t) bytes;
  VEC(uint32_t) syms, funcs; // by number in the key: index in the pool
  VEC(ExprRef) exprs;        // likewise
  Map number_of_sym, number_of_func, number_of_expr;
} GoalKey;
// `question` tells apart what is asked of the same conditions.
GoalKey goal_key_make(const ExprPool *pool, const GoalCondition *conditions, uint32_t count,
                      uint32_t question, Arena *arena);
bool goal_key_equal(const GoalKey *a, const GoalKey *b);
// The answer hangs on the base as well.
void goal_key_add_base(GoalKey *key, const SolverBase *base);
void goal_key_add_number(GoalKey *key, uint64_t number); // or on a number

// ---- memo.c
typedef struct MemoResult {
  SearchResult search;
  bool used_no_overflow, used_sizes; // as in FactsResult
} MemoResult;
// Of a search for these conditions, in this order, whose tags are not looked at: cores are their indices.
GoalKey memo_key(const ExprPool *pool, const GoalCondition *conditions, uint32_t count, bool assume_sizes,
                 const SearchOptions *options, Arena *arena);
void memo_keep(SearchMemo *memo, const GoalKey *key, const MemoResult *result);
// False: it was not made before. The result lives in `arena`.
bool memo_find(SearchMemo *memo, const GoalKey *key, const ExprPool *pool, MemoResult *out, Arena *arena);

// ---- lazy_facts.c
typedef struct FactsResult {
  SearchResult search; // core: tags of facts instead of indices
  bool used_no_overflow;
  bool used_sizes; // leans on host values that are read as unsigned being below 2^(w-1)
  bool left_facts; // UNKNOWN without some of the facts: with all of them it may be known
} FactsResult;

// The conditions together, facts as they are needed. A witness satisfies all of them.
FactsResult facts_run(ExprPool *pool, const GoalCondition *conditions, uint32_t count, bool assume_sizes,
                      const SearchOptions *options, Arena *arena);

// A witness with the base's values for what the facts say of the host, or UNKNOWN.
FactsResult facts_run_on_base(ExprPool *pool, const GoalCondition *conditions, uint32_t count,
                              const SolverBase *base, bool assume_sizes, const SearchOptions *options,
                              Arena *arena);

// ---- wide_products.c
// The conditions with one unknown for each product of many host values; NULL: there is none. For proofs only.
const GoalCondition *wide_products_named(ExprPool *pool, const GoalCondition *conditions, uint32_t count,
                                         Arena *arena);

// ---- overflow.c
// Do all operations of the relevant conditions (those that a proof used) stay within their width? The other
// conditions may help. If not, *culprit is one that was not shown to.
bool overflow_discharge(ExprPool *pool, const GoalCondition *conditions, uint32_t count,
                        const bool *is_relevant, const SearchOptions *options, SmtStats *stats,
                        ExprRef *culprit);

#endif
