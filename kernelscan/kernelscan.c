// Is this kernel race-free under this launch? The scan, read aloud: collect accesses and synchronisation
// points, find loop forms and uniform values, check that barriers are reached by all, then ask for every pair
// whether it can race. Soundness: the verdict is race-free only if every pair was proved, nothing was left
// undecided, every access can happen at all, and the launch's facts do not contradict each other.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/top.h"
#include "kernelscan/audit.h"
#include "kernelscan/barrier.h"
#include "kernelscan/copies.h"
#include "kernelscan/facts.h"
#include "kernelscan/finding.h"
#include "kernelscan/kernel.h"
#include "kernelscan/memory.h"
#include "kernelscan/operations.h"
#include "kernelscan/pairs.h"
#include "kernelscan/witness.h"

static ExprRef some_larger(Scan *scan, const ExprRef *sizes, int64_t than) {
  ExprRef any = expr_bool(scan->pool, false);
  for (int axis = 0; axis < 3; axis++) {
    ExprRef larger = expr_binary(scan->pool, EXPR_SLT, 0, expr_const(scan->pool, 32, than), sizes[axis]);
    any = expr_or(scan->pool, any, larger);
  }
  return any;
}

typedef struct Spoken {
  bool *symbols;
  uint32_t count;
} Spoken;

static void note_symbol(void *context, uint32_t sym) {
  Spoken *spoken = context;
  if (sym < spoken->count) spoken->symbols[sym] = true;
}

// Values of the host under which there are several blocks, and several warps in each, if the facts allow
// that; else `any`, values that they allow.
static const SolverBase *base_of(Scan *scan, const SolverAnswer *any) {
  Goal goal = {0};
  goal_add(scan, &goal, some_larger(scan, scan->launch->grid, 1), GOAL_CONTEXT, 0);
  goal_add(scan, &goal, some_larger(scan, scan->launch->block, 32), GOAL_CONTEXT, 0);
  goal_add_launch(scan, &goal);
  SolverAnswer answer =
      goal.is_false ? *any : goal_satisfiable(scan, &goal, "several blocks of several warps");
  if (answer.verdict != VERDICT_RACE) answer = *any;
  if (answer.verdict != VERDICT_RACE) return NULL;
  Spoken spoken = {arena_array(scan->arena, answer.sym_count + 1, bool), answer.sym_count};
  for (uint32_t i = 0; i < goal.conditions.count; i++)
    expr_each_sym(scan->pool, goal.conditions.items[i].condition, note_symbol, &spoken);
  SolverBase *base = arena_new(scan->arena, SolverBase);
  *base = (SolverBase){arena_copy(scan->arena, &answer, sizeof answer), spoken.symbols};
  return base;
}

// The facts alone: a contradiction proves everything, so it is no proof.
static bool launch_is_dead(Scan *scan) {
  Goal goal = {0};
  goal_add_launch(scan, &goal);
  if (!goal.conditions.count) return false;
  if (goal.is_false) return true;
  SolverAnswer answer =
      goal_satisfiable(scan, &goal, arena_printf(scan->arena, "%s facts", scan->fn->display));
  goal_set_base(scan, base_of(scan, &answer));
  return answer.verdict == VERDICT_SAFE;
}

// ---- dimensions
// Does the condition say that the expression is one number?
static bool says_equal(const ExprPool *pool, ExprRef condition, ExprRef ref, int64_t *value) {
  const ExprNode *node = expr_node(pool, condition);
  if (node->op == EXPR_AND)
    return says_equal(pool, node->a, ref, value) || says_equal(pool, node->b, ref, value);
  if (node->op != EXPR_EQ || (node->a != ref && node->b != ref)) return false;
  return expr_is_const(pool, node->a == ref ? node->b : node->a, value);
}

// The fact that makes the dimension a number (`case 128: k<<<n, threads>>>` in a switch on threads); NULL:
// none does.
static const Fact *fact_of_dimension(const Scan *scan, ExprRef dimension, int64_t *value) {
  if (expr_is_const(scan->pool, dimension, NULL)) return NULL;
  for (uint32_t i = 0; i < scan->launch->facts.count; i++)
    if (says_equal(scan->pool, scan->launch->facts.items[i].condition, dimension, value))
      return &scan->launch->facts.items[i];
  return NULL;
}

static void note_fact(Scan *scan, const Fact *fact) {
  if (fact->class == FACT_ASSERT) scan->result->assumptions |= ASSUME_ASSERTS;
  vec_push(scan->arena, &scan->result->proof_facts, fact);
}

// A wrapper that is given its dimensions by callers that are not seen is like a launch that is not seen
// (A10): along x it has any extent.
static bool is_given_for_nothing(const Scan *scan, ExprRef dimension, int index) {
  const ExprNode *node = expr_node(scan->pool, dimension);
  return index % 3 != 0 && node->op == EXPR_SYM &&
         expr_sym_info(scan->pool, (uint32_t)node->value)->is_from_caller && !launch_looks_along(scan, index);
}

// The launch with numbers for such dimensions: shorter questions. What is proved leans on those facts.
static void fix_dimensions(Scan *scan) {
  LaunchContext *fixed = NULL;
  for (int i = 0; i < 6; i++) {
    int64_t value = 1;
    ExprRef dimension = i < 3 ? scan->launch->grid[i] : scan->launch->block[i - 3];
    const Fact *fact = fact_of_dimension(scan, dimension, &value);
    if (!fact && !is_given_for_nothing(scan, dimension, i)) continue;
    if (!fixed) fixed = arena_copy(scan->arena, scan->launch, sizeof *scan->launch);
    *(i < 3 ? &fixed->grid[i] : &fixed->block[i - 3]) = expr_const(scan->pool, 32, value);
    if (fact)
      note_fact(scan, fact);
    else
      scan->result->assumptions |= ASSUME_USED_AXES;
  }
  if (fixed) scan->launch = fixed;
}

// A divergent barrier is a mistake, but no race: what it orders is open (the kernel is undecided besides).
static bool is_a_race(const Finding *finding) {
  return finding->level >= LEVEL_WARNING && finding_rule_is_race(finding->rule);
}

static Verdict conclude(const Scan *scan) {
  for (uint32_t i = 0; i < scan->result->findings.count; i++)
    if (is_a_race(&scan->result->findings.items[i])) return VERDICT_RACE;
  if (scan->result->undecided.count) return VERDICT_UNKNOWN;
  return VERDICT_SAFE;
}

static void list_launch_reasons(Scan *scan) {
  for (uint32_t i = 0; i < scan->launch->undecided.count; i++)
    vec_push(scan->arena, &scan->result->undecided,
             (UndecidedReason){.loc = scan->launch->loc, .text = scan->launch->undecided.items[i]});
}

static void list_assumptions(Scan *scan) {
  scan->result->assumptions |= ASSUME_ALONE | ASSUME_IN_BOUNDS;
  uint32_t unknown = 0, loaded = 0;
  for (uint32_t i = 1; i < scan->objects.count; i++) {
    unknown += scan->objects.items[i].is_unknown_origin;
    loaded += scan->objects.items[i].kind == OBJ_LOADED && scan->objects.items[i].is_met;
  }
  if (unknown > 1) scan->result->assumptions |= ASSUME_NO_ALIAS;
  scan->result->assumptions |= scan->launch->assumptions;
  if (loaded) scan->result->assumptions |= ASSUME_LOADED_POINTERS;
}

// Dimensions are no conditions, so they are in no core; each that the kernel looks at counts as needed.
static void list_dimensions(Scan *scan) {
  if (scan->result->verdict != VERDICT_SAFE || scan->result->pairs == 0) return;
  for (int i = 0; i < 6; i++)
    if (launch_dimension_matters(scan, i))
      vec_push(scan->arena, &scan->result->proof_facts, &scan->request->launch->dimensions[i]);
}

static void dump_scan(const Scan *scan) {
  StrBuf *out = scan->request->options.dump_kernel;
  if (!out) return;
  static const char *const kinds[] = {"read", "write", "atomic"};
  static const char *const scopes[] = {"thread", "warp", "block", "cluster", "grid", "system"};
  strbuf_printf(out, "kernel %s under %s\n", scan->fn->display,
                scan->launch->description ? scan->launch->description : "any launch");
  for (uint32_t i = 0; i < scan->accesses.count; i++) {
    const Access *access = &scan->accesses.items[i];
    const SrcLoc *loc = ir_loc(scan->module, scan->fn->insts.items[access->inst].loc);
    strbuf_printf(out, "  %-6s %2u bytes at line %u:%u\n", kinds[access->kind], access->bytes, loc->line,
                  loc->column);
  }
  for (uint32_t i = 0; i < scan->points.count; i++) {
    const Point *point = &scan->points.items[i];
    if (point->inst == CFG_NONE) {
      strbuf_add(out, "  point  kernel entry\n");
      continue;
    }
    strbuf_printf(out, "  point  %s barrier at line %u\n", scopes[point->scope],
                  ir_loc(scan->module, scan->fn->insts.items[point->inst].loc)->line);
  }
  for (uint32_t i = 0; i < scan->cfg->loops.count; i++)
    strbuf_printf(out, "  loop   %u at line %u, depth %u%s\n", i, loop_line(scan, i),
                  scan->cfg->loops.items[i].depth,
                  scan->alike.exits_diverge[i] ? ", left at different times" : "");
}

// Ways from a barrier are told apart by the loops gone round: the questions grow with the square of their
// number, for each pair of accesses.
enum { MAX_LOOPS_AROUND_BARRIER = 20 };

static bool barriers_are_too_deep(Scan *scan) {
  bool found = false;
  for (uint32_t p = 0; p < scan->points.count; p++) {
    const Point *point = &scan->points.items[p];
    uint32_t loop = point->inst == CFG_NONE ? CFG_NONE : scan->cfg->loop_of[point->block], depth = 0;
    for (; loop != CFG_NONE; loop = scan->cfg->loops.items[loop].parent)
      depth++;
    if (depth <= MAX_LOOPS_AROUND_BARRIER) continue;
    scan_undecided(scan, scan->fn->insts.items[point->inst].loc,
                   "a barrier inside of %u nested loops; up to %d are looked at", depth,
                   MAX_LOOPS_AROUND_BARRIER);
    found = true;
  }
  return found;
}

static void run(Scan *scan) {
  scan->cfg = cfg_make(scan->fn, scan->arena);
  scan_collect(scan);
  objects_mark_written(scan);
  loops_find_inductions(scan);
  uniform_compute(scan);
  uint32_t points = scan->points.count;
  exits_start(scan);
  if (scan->cfg->is_reducible) arrivals_find(scan);
  if (scan->points.count > points) uniform_compute(scan); // what is stable between more barriers
  dump_scan(scan);
  list_launch_reasons(scan);
  if (!scan->cfg->is_reducible) return; // iteration numbers mean nothing there
  if (barriers_are_too_deep(scan)) return;
  exits_find(scan);
  entered_start(scan);
  named_find(scan);
  divergence_check(scan);
  distributed_check(scan);
  divergence_find(scan);
  prefix_find(scan);
  async_find(scan, own_copies_check);
  dump_sync(scan);
  pairs_check(scan);
  heap_check_releases(scan);
  misuse_check(scan);
  divergence_tell_leavings(scan);
}

#define VALUE_FACTS(supplier) extern const ValueFacts supplier##_facts;
#include "kernelscan/value_facts.def"
#undef VALUE_FACTS
static const ValueFacts *const suppliers[] = {
#define VALUE_FACTS(supplier) &supplier##_facts,
#include "kernelscan/value_facts.def"
#undef VALUE_FACTS
    NULL};

static KernelResult *check(const KernelScanRequest *request, ScanStart start, Arena *arena);

// Whether a proof needs the numbers that counters start with is not kept: where they were not borne out, it is tried with what they are at
// least, then without them. NULL: it was.
static KernelResult *check_with_fewer_starts(const KernelScanRequest *request, ScanStart start,
                                             Arena *arena) {
  if (start.without_starts) return NULL;
  start.without_starts = start.without_exact_starts;
  start.without_exact_starts = true;
  return check(request, start, arena);
}

static KernelResult *check(const KernelScanRequest *request, ScanStart start, Arena *arena) {
  KernelResult *result = arena_new(arena, KernelResult);
  start.suppliers = suppliers;
  start.host_symbols = expr_sym_count(request->pool);
  Scan scan = {.request = request,
               .module = request->module,
               .fn = request->kernel,
               .launch = request->launch,
               .pool = request->pool,
               .arena = arena,
               .result = result,
               .states = arena_new(arena, ScanStates),
               .start = start};
  result->kernel = request->kernel->display;
  result->mangled = request->kernel->name;
  result->loc = *ir_loc(request->module, request->kernel->loc);
  result->launch = request->launch;
  solver_start_pool(request->solver, request->options.solver_units);
  normal_facts_find(&scan);
  if (launch_is_dead(&scan)) {
    result->verdict = VERDICT_DEAD;
    return result;
  }
  fix_dimensions(&scan);
  run(&scan);
  list_assumptions(&scan);
  result->verdict = conclude(&scan);
  bool is_safe_but_for_starts = result->verdict == VERDICT_SAFE;
  if (is_safe_but_for_starts) {
    start_words_check(&scan, finding_report_race);
    result->verdict = conclude(&scan);
    KernelResult *fewer =
        result->verdict == VERDICT_SAFE ? NULL : check_with_fewer_starts(request, start, arena);
    if (fewer && fewer->verdict == VERDICT_SAFE) return fewer;
  }
  list_dimensions(&scan);
  if (result->verdict == VERDICT_RACE) missing_fact_search(&scan);
  // What start words that are not as they should be leave open orders nothing, so no run can contradict it.
  if (!is_safe_but_for_starts || result->verdict == VERDICT_SAFE) audit_check(&scan);
  return result;
}

static bool is_whole(const KernelScanRequest *request) {
  return request->module && request->kernel && request->launch && request->pool && request->solver &&
         request->options.memory_model <= MEMORY_MODEL_SCORD;
}

KernelResult *kernelscan_check_plain(const KernelScanRequest *request, Arena *arena) {
  ASSERT(is_whole(request));
  return check(request, (ScanStart){.without_mend = true}, arena);
}

KernelResult *kernelscan_check(const KernelScanRequest *request, Arena *arena) {
  ASSERT(is_whole(request));
  return check(request, (ScanStart){0}, arena);
}
