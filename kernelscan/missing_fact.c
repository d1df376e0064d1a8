// Which one fact about the launch is missing? For a racy kernel: the simplest relation between host values
// (two parameters equal or ordered, a dimension of one, a divisor) under which its races cannot happen; the
// note "would be race-free if rows == cols".
// Method: abduction over a short list. Terms are the numbers that the kernel is given and the dimensions of
// the launch; a relation is a candidate for a racy goal if the goal's own witness breaks it, and so does
// each witness that candidates before it left (counterexamples). The solver is
// asked, with a small budget, whether goal and candidate together are impossible while the rest of the goal
// still can hold (two threads get there, but do not collide); equality goes first, and then the weaker order
// that is enough too. What refutes the goals of a kernel is then assumed as a fact of the launch, and the
// whole kernel is checked again: only a race-free answer is told as such.
// Soundness: no bearing on verdicts; what the note says is what the second check proved.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/top.h"
#include "kernelscan/finding.h"

enum {
  TERM_LIMIT = 16,
  DIVISORS = 6,
  PROBES = 48,            // questions for one kernel
  CHECKS = 3,             // of the whole kernel
  PROBE_RLIMIT = 200000,  // units for one question
  PROBES_RLIMIT = 1000000 // and for all of one kernel
};
static const uint64_t check_rlimit = 8000000; // a kernel that took more is not checked again

typedef struct Term {
  ExprRef value;    // width 64
  const char *name; // as a reader of the kernel says it
  bool is_dim;      // a dimension of the launch or a product of them
} Term;

typedef struct Candidate {
  ExprRef condition;
  const char *text;
  bool may_be_vacuous; // with one block no two blocks are left: that is the point
  ExprRef weaker[2];   // that it implies, and that may be enough; 0: none
  const char *weaker_text[2];
} Candidate;

typedef struct Divisors {
  uint32_t count;
  int64_t values[DIVISORS];
} Divisors;

typedef struct Counterexample { // two threads that still collide
  const RacyGoal *racy;
  SolverAnswer answer;
} Counterexample;

typedef struct FactSearch {
  Scan *scan;
  Solver *solver; // with a small budget
  uint32_t probes, checks;
  uint64_t rlimit; // units spent on probes
  VEC(Counterexample) counterexamples;
  uint32_t term_count;
  Term terms[TERM_LIMIT];
} FactSearch;

// ---- terms
typedef struct Occurrence {
  const Scan *scan;
  const ExprSet *seen;
  bool found;
} Occurrence;

static void look_for_sym(void *context, uint32_t sym) {
  Occurrence *occurrence = context;
  occurrence->found |= expr_set_has(occurrence->seen, expr_sym(occurrence->scan->pool, sym));
}

// Does the goal speak of the value, other than in facts of the host?
static bool occurs(const Scan *scan, const ExprSet *seen, ExprRef value) {
  if (expr_set_has(seen, value)) return true;
  Occurrence occurrence = {scan, seen, false};
  expr_each_sym(scan->pool, value, look_for_sym, &occurrence);
  return occurrence.found;
}

static void add_term(FactSearch *search, ExprRef value, const char *name, bool is_dim) {
  if (search->term_count == TERM_LIMIT || expr_is_const(search->scan->pool, value, NULL)) return;
  value = expr_resize_signed(search->scan->pool, value, 64);
  for (uint32_t i = 0; i < search->term_count; i++)
    if (search->terms[i].value == value) return;
  search->terms[search->term_count++] = (Term){value, name, is_dim};
}

static bool is_read(const IrFunction *fn, uint32_t param) {
  for (uint32_t i = 0; i < fn->insts.count; i++)
    for (uint32_t k = 0; k < fn->insts.items[i].op_count; k++)
      if (fn->insts.items[i].ops[k] == IR_REF(IR_REF_PARAM, param)) return true;
  return false;
}

static void add_parameters(FactSearch *search, const ExprSet *seen) {
  Scan *scan = search->scan;
  for (uint32_t a = 0; a < scan->launch->args.count && a < scan->fn->params.count; a++) {
    const LaunchArg *arg = &scan->launch->args.items[a];
    bool is_scalar = scan->fn->params.items[a].type.kind == IR_INT;
    if (!is_read(scan->fn, a)) continue;
    for (uint32_t p = 0; p < arg->pieces.count; p++) {
      ExprRef word = arg->pieces.items[p].word;
      if (!word || expr_width(scan->pool, word) < 32 || !occurs(scan, seen, word)) continue;
      StrBuf text = {.arena = scan->arena};
      expr_print(scan->pool, word, true, &text);
      add_term(search, word, is_scalar ? scan->fn->params.items[a].name : strbuf_text(&text), false);
    }
  }
}

static void add_dimensions(FactSearch *search, const ExprSet *seen) {
  static const char *const names[2][3] = {{"gridDim.x", "gridDim.y", "gridDim.z"},
                                          {"blockDim.x", "blockDim.y", "blockDim.z"}};
  Scan *scan = search->scan;
  for (int k = 0; k < 2; k++)
    for (int axis = 0; axis < 3; axis++) {
      ExprRef dim = k ? scan->launch->block[axis] : scan->launch->grid[axis];
      if (occurs(scan, seen, dim)) add_term(search, dim, names[k][axis], true);
    }
  for (int axis = 0; axis < 3; axis++) { // threads along an axis
    ExprPool *pool = scan->pool;
    if (!occurs(scan, seen, scan->launch->grid[axis])) continue;
    if (expr_is_const(pool, scan->launch->grid[axis], NULL)) continue;
    ExprRef threads =
        expr_binary(pool, EXPR_MUL, EXPR_NSW, expr_resize_signed(pool, scan->launch->grid[axis], 64),
                    expr_resize_signed(pool, scan->launch->block[axis], 64));
    add_term(search, threads, arena_printf(scan->arena, "%s * %s", names[0][axis], names[1][axis]), true);
  }
}

static void find_terms(FactSearch *search, const RacyGoal *racy) {
  Goal own = {0};
  for (uint32_t i = 0; i < racy->goal.conditions.count; i++)
    if (racy->goal.conditions.items[i].part != GOAL_FACT)
      vec_push(search->scan->arena, &own.conditions, racy->goal.conditions.items[i]);
  const ExprSet *seen = goal_occurrences(search->scan, &own);
  search->term_count = 0;
  add_parameters(search, seen);
  add_dimensions(search, seen);
}

// ---- candidates
static bool holds_in(const FactSearch *search, const SolverAnswer *answer, ExprRef condition) {
  int64_t value = 0;
  ExprEnv env = {.sym_values = answer->sym_values, .sym_count = answer->sym_count};
  return expr_eval(search->scan->pool, condition, &env, &value) == EXPR_EVAL_OK && value != 0;
}

// In the goal's own witness, or in one that another candidate left standing.
static bool holds_in_witness(const FactSearch *search, const RacyGoal *racy, ExprRef condition) {
  if (holds_in(search, racy->answer, condition)) return true;
  for (uint32_t i = 0; i < search->counterexamples.count; i++) {
    const Counterexample *example = &search->counterexamples.items[i];
    if (example->racy == racy && holds_in(search, &example->answer, condition)) return true;
  }
  return false;
}

static bool refutes(FactSearch *search, const RacyGoal *racy, const Candidate *candidate) {
  uint64_t most = (uint64_t)PROBES_RLIMIT >> search->scan->request->options.missing_fact_halvings;
  bool is_over = search->probes == PROBES || search->rlimit >= most;
  if (is_over || holds_in_witness(search, racy, candidate->condition)) return false;
  search->probes++;
  Goal goal = {0};
  for (uint32_t i = 0; i < racy->goal.conditions.count; i++)
    vec_push(search->scan->arena, &goal.conditions, racy->goal.conditions.items[i]);
  goal_add(search->scan, &goal, candidate->condition, GOAL_CONTEXT, 0);
  if (goal.is_false) return false;
  SolverGoal question = {
      .pool = search->scan->pool,
      .condition_count = goal.conditions.count,
      .conditions = goal.conditions.items,
      .name = arena_printf(search->scan->arena, "%s with %s", search->scan->fn->display, candidate->text)};
  uint64_t paid = solver_units_paid(search->solver);
  SolverAnswer answer = candidate->may_be_vacuous
                            ? solver_satisfiable(search->solver, &question, search->scan->arena)
                            : solver_decide(search->solver, &question, search->scan->arena);
  search->scan->result->queries++;
  paid = solver_units_paid(search->solver) - paid;
  search->scan->result->rlimit += paid;
  search->rlimit += paid;
  if (answer.verdict == VERDICT_RACE)
    vec_push(search->scan->arena, &search->counterexamples, (Counterexample){racy, answer});
  return answer.verdict == VERDICT_SAFE;
}

static Candidate relation(const FactSearch *search, ExprOp op, const Term *a, const Term *b) {
  ExprPool *pool = search->scan->pool;
  ExprRef condition =
      op == EXPR_EQ ? expr_eq(pool, a->value, b->value) : expr_binary(pool, op, 0, a->value, b->value);
  const char *text =
      arena_printf(search->scan->arena, "%s %s %s", a->name, op == EXPR_EQ ? "==" : "<=", b->name);
  return (Candidate){.condition = condition, .text = text};
}

static Candidate equality(const FactSearch *search, const Term *a, const Term *b) {
  Candidate equal = relation(search, EXPR_EQ, a, b);
  Candidate weaker[] = {relation(search, EXPR_SLE, a, b), relation(search, EXPR_SLE, b, a)};
  for (int i = 0; i < 2; i++) {
    equal.weaker[i] = weaker[i].condition;
    equal.weaker_text[i] = weaker[i].text;
  }
  return equal;
}

static Candidate against_number(const FactSearch *search, ExprOp op, const Term *term, int64_t number) {
  ExprPool *pool = search->scan->pool;
  ExprRef constant = expr_const(pool, 64, number);
  Candidate candidate = {.may_be_vacuous = term->is_dim};
  if (op == EXPR_EQ) {
    candidate.condition = expr_eq(pool, term->value, constant);
    candidate.text = arena_printf(search->scan->arena, "%s == %lld", term->name, (long long)number);
  } else if (op == EXPR_SLE) {
    candidate.condition = expr_binary(pool, EXPR_SLE, 0, constant, term->value);
    candidate.text = arena_printf(search->scan->arena, "%s >= %lld", term->name, (long long)number);
  } else { // divisible
    ExprRef rest = expr_binary(pool, EXPR_SREM, 0, term->value, constant);
    candidate.condition = expr_eq(pool, rest, expr_const(pool, 64, 0));
    candidate.text = arena_printf(search->scan->arena, "%s %% %lld == 0", term->name, (long long)number);
  }
  return candidate;
}

static Candidate divisible(const FactSearch *search, const Term *a, const Term *b) {
  ExprPool *pool = search->scan->pool;
  ExprRef zero = expr_const(pool, 64, 0);
  ExprRef rest = expr_binary(pool, EXPR_SREM, 0, a->value, b->value);
  ExprRef condition =
      expr_and(pool, expr_binary(pool, EXPR_SLT, 0, zero, b->value), expr_eq(pool, rest, zero));
  return (Candidate){.condition = condition,
                     .text = arena_printf(search->scan->arena, "%s %% %s == 0", a->name, b->name)};
}

typedef bool (*Accept)(FactSearch *search, const Candidate *candidate, const RacyGoal *racy);

// In the order in which a reader would like to hear them; true once one is accepted.
static bool try_numbers(FactSearch *search, const RacyGoal *racy, bool for_dims, Accept accept) {
  for (uint32_t i = 0; i < search->term_count; i++) {
    const Term *term = &search->terms[i];
    if (term->is_dim != for_dims) continue;
    bool is_product = term->is_dim && strchr(term->name, '*');
    Candidate candidate =
        term->is_dim ? against_number(search, EXPR_EQ, term, 1) : against_number(search, EXPR_SLE, term, 1);
    if (!is_product && refutes(search, racy, &candidate) && accept(search, &candidate, racy)) return true;
  }
  return false;
}

static void note_sym(void *context, uint32_t sym) {
  ((bool *)context)[sym] = true;
}

static bool share_sym(const Scan *scan, ExprRef a, ExprRef b) {
  uint32_t count = expr_sym_count(scan->pool), shared = 0;
  bool *in_a = arena_array(scan->arena, count + 1, bool), *in_b = arena_array(scan->arena, count + 1, bool);
  expr_each_sym(scan->pool, a, note_sym, in_a);
  expr_each_sym(scan->pool, b, note_sym, in_b);
  for (uint32_t i = 0; i < count; i++)
    shared += in_a[i] && in_b[i];
  return shared > 0;
}

static bool try_pairs(FactSearch *search, const RacyGoal *racy, bool with_dims, Accept accept) {
  for (uint32_t i = 0; i < search->term_count; i++)
    for (uint32_t k = i + 1; k < search->term_count; k++) {
      const Term *a = &search->terms[i], *b = &search->terms[k];
      if ((a->is_dim && b->is_dim) || (a->is_dim || b->is_dim) != with_dims) continue;
      // "height == gridDim.y" of a grid of (height + 3) / 4 blocks only says that the height is 1.
      if (with_dims && !strchr(b->name, '*') && share_sym(search->scan, a->value, b->value)) continue;
      Candidate candidate = equality(search, a, b);
      if (refutes(search, racy, &candidate) && accept(search, &candidate, racy)) return true;
    }
  return false;
}

// Numbers that the host divides by for the dimensions, and constant dimensions.
static void add_divisors(const ExprPool *pool, ExprRef ref, Divisors *divisors) {
  const ExprNode *node = expr_node(pool, ref);
  bool divides = node->op == EXPR_SDIV || node->op == EXPR_UDIV;
  ExprRef by = divides ? node->b : ref;
  bool is_known = !expr_is_const(pool, by, NULL) || divisors->count == DIVISORS;
  int64_t value = 0;
  if (!is_known && expr_is_const(pool, by, &value)) {
    for (uint32_t i = 0; i < divisors->count; i++)
      is_known |= divisors->values[i] == value;
    if (!is_known && value > 1) divisors->values[divisors->count++] = value;
  }
  if (divides) add_divisors(pool, node->a, divisors);
}

static bool try_divisors(FactSearch *search, const RacyGoal *racy, Accept accept) {
  Scan *scan = search->scan;
  Divisors divisors = {0};
  for (int axis = 0; axis < 3; axis++) {
    add_divisors(scan->pool, scan->launch->grid[axis], &divisors);
    add_divisors(scan->pool, scan->launch->block[axis], &divisors);
  }
  for (uint32_t i = 0; i < search->term_count; i++) {
    if (search->terms[i].is_dim) continue;
    for (uint32_t k = 0; k < divisors.count; k++) {
      Candidate candidate = against_number(search, EXPR_SREM, &search->terms[i], divisors.values[k]);
      if (refutes(search, racy, &candidate) && accept(search, &candidate, racy)) return true;
    }
    for (uint32_t k = 0; k < search->term_count; k++) {
      if (k == i || strchr(search->terms[k].name, '*')) continue;
      Candidate candidate = divisible(search, &search->terms[i], &search->terms[k]);
      if (refutes(search, racy, &candidate) && accept(search, &candidate, racy)) return true;
    }
  }
  return false;
}

// ---- the whole kernel
static bool same_loc(const SrcLoc *a, const SrcLoc *b) {
  return a->file == b->file && a->line == b->line && a->column == b->column;
}

static bool is_about(const Finding *finding, const SrcLoc *one, const SrcLoc *two) {
  const SrcLoc *a = &finding->accesses[0].loc, *b = &finding->accesses[1].loc;
  return (same_loc(a, one) && same_loc(b, two)) || (same_loc(a, two) && same_loc(b, one));
}

static bool is_told(const Finding *finding) {
  return finding->level >= LEVEL_WARNING;
}

// The kernel once more, with one fact more. Its findings are not kept.
static KernelResult *check_with(FactSearch *search, ExprRef condition, Arena *arena) {
  LaunchContext launch = *search->scan->launch;
  launch.facts.items = NULL;
  launch.facts.count = launch.facts.capacity = 0;
  for (uint32_t i = 0; i < search->scan->launch->facts.count; i++)
    vec_push(arena, &launch.facts, search->scan->launch->facts.items[i]);
  vec_push(arena, &launch.facts, (Fact){.condition = condition, .class = FACT_USER, .text = ""});
  KernelScanRequest request = *search->scan->request;
  request.launch = &launch;
  request.options.dump_pairs = request.options.dump_goals = request.options.dump_kernel = NULL;
  return kernelscan_check_plain(&request, arena);
}

static bool is_gone(const KernelResult *result, const Finding *finding) {
  if (result->undecided.count) return false;
  for (uint32_t i = 0; i < result->findings.count; i++)
    if (is_told(&result->findings.items[i]) &&
        is_about(&result->findings.items[i], &finding->accesses[0].loc, &finding->accesses[1].loc))
      return false;
  return true;
}

typedef struct Telling {
  const Candidate *candidate;
  int weaker; // which of the weaker forms is enough, -1: none
} Telling;

static void tell(Scan *scan, Finding *finding, const Telling *telling, bool is_whole) {
  const Candidate *candidate = telling->candidate;
  const char *form = is_whole ? "would be race-free if %s" : "these accesses would not race if %s";
  finding->mend = candidate->text;
  finding->mends_kernel = is_whole;
  const char *text = arena_printf(scan->arena, form, candidate->text);
  if (telling->weaker >= 0) {
    finding->weaker_mend = candidate->weaker_text[telling->weaker];
    text = arena_printf(scan->arena, "%s (%s is enough)", text, finding->weaker_mend);
  }
  vec_push(scan->arena, &finding->notes, (FindingNote){.text = text});
}

static bool refutes_all(FactSearch *search, const Candidate *candidate, const RacyGoal *racy,
                        bool only_same_place) {
  uint32_t count = 0;
  const RacyGoal *goals = racy_goals_kept(search->scan, &count);
  for (uint32_t i = 0; i < count; i++) {
    const RacyGoal *other = &goals[i];
    bool is_same = same_loc(other->one, racy->one) && same_loc(other->two, racy->two);
    if (other == racy || (only_same_place && !is_same)) continue;
    if (!refutes(search, other, candidate)) return false;
  }
  return true;
}

static bool check_and_tell(FactSearch *search, const Telling *telling) {
  if (search->checks >= (uint32_t)CHECKS >> search->scan->request->options.missing_fact_halvings)
    return false;
  search->checks++;
  Scan *scan = search->scan;
  const Candidate *candidate = telling->candidate;
  Arena *arena = arena_open();
  KernelResult *result = check_with(
      search, telling->weaker < 0 ? candidate->condition : candidate->weaker[telling->weaker], arena);
  scan->result->queries += result->queries;
  scan->result->rlimit += result->rlimit;
  bool is_whole = result->verdict == VERDICT_SAFE, found = false;
  for (uint32_t i = 0; i < scan->result->findings.count && result->verdict != VERDICT_DEAD; i++) {
    Finding *finding = &scan->result->findings.items[i];
    if (!is_told(finding) || finding->mend || !(is_whole || is_gone(result, finding))) continue;
    tell(scan, finding, telling, is_whole);
    found = true;
  }
  arena_close(arena);
  return found;
}

static bool settle(FactSearch *search, const Candidate *candidate, const RacyGoal *racy,
                   bool only_same_place) {
  if (!refutes_all(search, candidate, racy, only_same_place)) return false;
  for (int i = 0; i < 2; i++) {
    Candidate weaker = {.condition = candidate->weaker[i], .text = candidate->weaker_text[i]};
    if (weaker.condition && refutes(search, racy, &weaker) &&
        refutes_all(search, &weaker, racy, only_same_place) &&
        check_and_tell(search, &(Telling){candidate, i}))
      return true;
  }
  return check_and_tell(search, &(Telling){candidate, -1});
}

static bool accept_for_all(FactSearch *search, const Candidate *candidate, const RacyGoal *racy) {
  return settle(search, candidate, racy, false);
}

static bool accept_for_one(FactSearch *search, const Candidate *candidate, const RacyGoal *racy) {
  return settle(search, candidate, racy, true);
}

static bool try_all(FactSearch *search, const RacyGoal *racy, Accept accept) {
  find_terms(search, racy);
  return try_numbers(search, racy, false, accept) || try_pairs(search, racy, false, accept) ||
         try_pairs(search, racy, true, accept) || try_divisors(search, racy, accept) ||
         try_numbers(search, racy, true, accept);
}

static bool has_mend(const Scan *scan, const RacyGoal *racy) {
  for (uint32_t i = 0; i < scan->result->findings.count; i++) {
    const Finding *finding = &scan->result->findings.items[i];
    if (finding->mend && is_about(finding, racy->one, racy->two)) return true;
  }
  return false;
}

void missing_fact_search(Scan *scan) {
  ASSERT(scan->result->verdict == VERDICT_RACE);
  uint32_t count = 0;
  const RacyGoal *goals = racy_goals_kept(scan, &count);
  if (scan->start.without_mend || count == 0 || scan->result->rlimit > check_rlimit) return;
  // Instances of a template ask much the same.
  SolverOptions options = {.rlimit = PROBE_RLIMIT, .memo = solver_memo_of(scan->request->solver)};
  FactSearch search = {.scan = scan, .solver = solver_open(&options)};
  bool found = try_all(&search, &goals[0], accept_for_all);
  for (uint32_t i = 0; !found && i < count; i++)
    if (count > 1 && !has_mend(scan, &goals[i])) (void)try_all(&search, &goals[i], accept_for_one);
  solver_close(search.solver);
}
