// How is a race told? As a finding: one sentence, both places, the witness, the facts that bound its values,
// a hint. Reports of one kernel with the same places, object and rule are joined; a write against a write
// stands for the pair. Soundness: says nothing that the proof or the witness does not.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/finding/finding.h"
#include "kernelscan/operations.h"
#include "kernelscan/order.h"

static const SrcLoc *place_of(const Scan *scan, const Access *access) {
  return ir_loc(scan->module, scan->fn->insts.items[access->inst].loc);
}

static const char *object_name(const Scan *scan, uint32_t object) {
  const Obj *info = &scan->objects.items[object];
  return info->name && info->name[0] ? info->name : "memory";
}

// As the user wrote it, if there is more to say than the object's name.
static const char *memory_name(const Scan *scan, const RaceFacts *race, int at) {
  const char *place = scan->fn->insts.items[race->accesses[at]->inst].place;
  return place ? place : object_name(scan, race->object);
}

static const char *kind_word(AccessKind kind) {
  return kind == ACCESS_READ ? "read" : kind == ACCESS_WRITE ? "write" : "atomic access";
}

static const char *thread_text(Scan *scan, const WitnessThread *t) {
  return arena_printf(scan->arena, "thread (%lld,%lld,%lld) of block (%lld,%lld,%lld)",
                      (long long)t->thread_idx[0], (long long)t->thread_idx[1], (long long)t->thread_idx[2],
                      (long long)t->block_idx[0], (long long)t->block_idx[1], (long long)t->block_idx[2]);
}

// The place of the other access, as short as it can be said.
static const char *other_place(Scan *scan, const SrcLoc *here, const SrcLoc *there) {
  if (here->file == there->file && here->line == there->line) return "the same line";
  return arena_printf(scan->arena, "%s:%u", there->file ? there->file : "?", there->line);
}

static FindingRule rule_of(const RaceFacts *race) {
  if (race->is_same_value) return RULE_SAME_VALUE;
  switch (race->extent) {
  case EXTENT_INTER_BLOCK:
  case EXTENT_CLUSTER: return RULE_INTER_BLOCK;
  case EXTENT_INTRA_BLOCK: return RULE_INTRA_BLOCK;
  case EXTENT_INTRA_WARP: return RULE_INTRA_WARP;
  case EXTENT_COUNT: break;
  }
  return RULE_NONE;
}

// Atomic operations are indivisible towards those on the same bytes only.
static bool overlaps_in_part(const RaceFacts *race) {
  const Access *one = race->accesses[0], *two = race->accesses[1];
  return one->bytes != two->bytes || !one->is_natural || !two->is_natural;
}

// Does one thread set up the barrier object that the other one uses?
static bool is_about_set_up(const RaceFacts *race) {
  bool sets_up[2], is_object = true;
  for (int t = 0; t < 2; t++) {
    is_object &= race->accesses[t]->is_of_object;
    sets_up[t] = race->accesses[t]->kind == ACCESS_WRITE;
  }
  return is_object && sets_up[0] != sets_up[1];
}

static const char *cause_of(const Scan *scan, const RaceFacts *race) {
  bool is_atomic[2] = {race->accesses[0]->kind == ACCESS_ATOMIC, race->accesses[1]->kind == ACCESS_ATOMIC};
  if (is_about_set_up(race)) return "set-up-not-awaited";
  if (race->cause) return race->cause;
  if (is_atomic[0] && is_atomic[1])
    return overlaps_in_part(race) ? "mixed-width-atomic" : "insufficient-scope-atomic";
  if (is_atomic[0] || is_atomic[1]) return "atomic-vs-plain";
  bool is_shared = scan->objects.items[race->object].kind == OBJ_SHARED,
       one_place = race->accesses[0]->inst == race->accesses[1]->inst;
  if (is_shared || (!extent_is_between_blocks(race->extent) && !one_place))
    return race->extent == EXTENT_INTRA_WARP ? "missing-warp-barrier" : "missing-barrier";
  return "no-synchronisation";
}

// Of two atomic operations between blocks: which one does not reach so far; NULL: it is not that.
static const char *narrow_text(Scan *scan, const RaceFacts *race) {
  if (race->explanation || !extent_is_between_blocks(race->extent)) return NULL;
  for (int i = 0; i < 2; i++) {
    const IrInst *inst = &scan->fn->insts.items[race->accesses[i]->inst];
    bool is_narrow = inst->scope == IR_SCOPE_BLOCK ||
                     (inst->scope == IR_SCOPE_CLUSTER && race->extent == EXTENT_INTER_BLOCK);
    if (race->accesses[i]->kind == ACCESS_ATOMIC && is_narrow)
      return arena_printf(scan->arena, "the operation at line %u has %s",
                          place_of(scan, race->accesses[i])->line,
                          order_narrow_words(scan, race->accesses[i]->inst, IR_SCOPE_DEVICE));
  }
  return NULL;
}

// "the loop at line 15": the first loop of which the two threads are in different iterations; NULL: none.
static const char *loop_between(const Witness *witness) {
  static const char mark[] = "iteration of ";
  for (uint32_t i = 0; i < witness->iterations[0].count; i++)
    for (uint32_t k = 0; k < witness->iterations[1].count; k++) {
      const WitnessValue *one = &witness->iterations[0].items[i], *other = &witness->iterations[1].items[k];
      if (strcmp(one->name, other->name) == 0 && one->value != other->value &&
          str_starts_with(one->name, mark))
        return one->name + strlen(mark);
    }
  return NULL;
}

// Where a barrier would have to stand.
static const char *barrier_place(Scan *scan, const RaceFacts *race) {
  const SrcLoc *a = place_of(scan, race->accesses[0]), *b = place_of(scan, race->accesses[1]);
  const char *loop = loop_between(&race->witness);
  if (loop) return arena_printf(scan->arena, "between the iterations of %s", loop);
  if (a->file != b->file || a->line == b->line || a->inlined_at || b->inlined_at)
    return "between the two accesses";
  return arena_printf(scan->arena, "between line %u and line %u", a->line < b->line ? a->line : b->line,
                      a->line < b->line ? b->line : a->line);
}

static const char *hint_of(Scan *scan, const RaceFacts *race) {
  if (race->cause) return cause_find(race->cause)->mend;
  if (race->is_same_value) return "let one of the threads write it";
  if (is_about_set_up(race))
    return "put __syncthreads() between the set-up of the barrier object and its first use";
  bool one_place = race->accesses[0]->inst == race->accesses[1]->inst;
  if (race->accesses[0]->kind == ACCESS_ATOMIC && race->accesses[1]->kind == ACCESS_ATOMIC)
    return overlaps_in_part(race)           ? "use atomic operations of one width on the same word"
           : race->extent == EXTENT_CLUSTER ? "use an atomic of cluster or device scope"
                                            : "use an atomic of device scope (without _block)";
  if (race->accesses[0]->kind == ACCESS_ATOMIC || race->accesses[1]->kind == ACCESS_ATOMIC)
    return "make both accesses atomic, or order them with a barrier";
  bool in_block = !extent_is_between_blocks(race->extent);
  if (race->extent == EXTENT_INTRA_WARP && !race->also[EXTENT_INTRA_BLOCK] && !one_place)
    return arena_printf(scan->arena, "put __syncwarp() %s", barrier_place(scan, race));
  if (in_block && !one_place)
    return arena_printf(scan->arena, "put __syncthreads() %s, where all threads of the block reach it",
                        barrier_place(scan, race));
  if (one_place) return "give each thread its own element, guard the access, or use an atomic operation";
  if (race->extent == EXTENT_CLUSTER)
    return arena_printf(scan->arena,
                        "put a barrier of the cluster (cluster.sync()) %s, where all of its threads reach it",
                        barrier_place(scan, race));
  return "no barrier orders threads of different blocks: let each block work on its own part, use atomics, "
         "or split the kernel in two launches";
}

static void add_access(const Scan *scan, const RaceFacts *race, int at, FindingAccess *out) {
  *out = (FindingAccess){race->accesses[at]->kind, *place_of(scan, race->accesses[at]),
                         race->accesses[at]->bytes};
}

static void add_fact_notes(Scan *scan, const RaceFacts *race, Finding *finding) {
  (void)race;
  for (int i = 0; i < 6; i++)
    if (launch_dimension_matters(scan, i))
      vec_push(scan->arena, &finding->facts, &scan->request->launch->dimensions[i]);
  // Facts of asserts, loops and allocations bound the witness; limits of the machine are no news.
  for (uint32_t i = 0; i < scan->launch->facts.count; i++) {
    const Fact *fact = &scan->launch->facts.items[i];
    if (fact->class == FACT_HARDWARE || fact->class == FACT_LAUNCH || !fact->text) continue;
    vec_push(scan->arena, &finding->facts, fact);
  }
}

#define ALSO_PREFIX "the same accesses also race "
#define PERHAPS_PREFIX "the same accesses possibly also race "

// What the wider race of a pair needs of memory: "", or ", if idx[0] = 7".
static const char *need_text(Scan *scan, const RaceFacts *other) {
  if (other->replay != REPLAY_NEEDS_MEMORY || other->witness.memory.count != 1) return "";
  const WitnessValue *value = &other->witness.memory.items[0];
  return arena_printf(scan->arena, ", if %s = %lld", value->name, (long long)value->value);
}

// The other extents in which the pair races, those that are sure or those that are not.
static void add_also_note(Scan *scan, const RaceFacts *race, bool is_sure, Finding *finding) {
  static const char *const words[] = {[EXTENT_INTER_BLOCK] = "between blocks",
                                      [EXTENT_CLUSTER] = "between blocks of one cluster",
                                      [EXTENT_INTRA_BLOCK] = "between warps of one block",
                                      [EXTENT_INTRA_WARP] = "between lanes of one warp"};
  StrBuf text = {.arena = scan->arena};
  for (int e = 0; e < EXTENT_COUNT; e++) {
    const RaceFacts *other = race->also[e];
    if (!other || race_is_sure(other) != is_sure) continue;
    if (extent_is_between_blocks((Extent)e) && extent_is_between_blocks(race->extent)) continue;
    finding->also |= 1u << rule_of(other);
    strbuf_printf(&text, "%s%s%s",
                  text.length ? " and "
                  : is_sure   ? ALSO_PREFIX
                              : PERHAPS_PREFIX,
                  words[e], need_text(scan, other));
  }
  if (text.length) vec_push(scan->arena, &finding->notes, (FindingNote){.text = strbuf_text(&text)});
}

static bool is_also_note(const char *text) {
  return str_starts_with(text, ALSO_PREFIX) || str_starts_with(text, PERHAPS_PREFIX);
}

static bool is_in_surface(const Scan *scan, IrRef address) {
  const IrInst *inst = ir_inst(scan->fn, address);
  for (; inst && ir_inst_is(inst, IR_SAME_OBJECT); inst = ir_inst(scan->fn, inst->ops[0]))
    if (inst->op == IR_BITCAST && inst->name && strcmp(inst->name, IR_SURFACE) == 0) return true;
  return false;
}

// Of a surface the row in words, and the byte in that row as its offset.
static const char *surface_text(Scan *scan, const RaceFacts *race, Witness *witness) {
  int64_t y = witness->offset >> IR_SURFACE_Y & ((1 << (IR_SURFACE_Z - IR_SURFACE_Y)) - 1),
          z = witness->offset >> IR_SURFACE_Z;
  witness->offset &= (1 << IR_SURFACE_Y) - 1;
  return arena_printf(scan->arena, "surface %s, y %lld, z %lld", object_name(scan, race->object),
                      (long long)y, (long long)z);
}

static const char *address_text(Scan *scan, const RaceFacts *race, Witness *witness) {
  uint32_t bytes = race->accesses[0]->bytes;
  if (is_in_surface(scan, race->accesses[0]->address)) return surface_text(scan, race, witness);
  if (bytes == 0 || witness->offset % bytes != 0)
    return arena_printf(scan->arena, "byte %lld of %s", (long long)witness->offset,
                        object_name(scan, race->object));
  return arena_printf(scan->arena, "%s[%lld]", object_name(scan, race->object),
                      (long long)(witness->offset / bytes));
}

static const char *race_sentence(Scan *scan, const RaceFacts *race, const Finding *finding, int first) {
  const FindingAccess *here = &finding->accesses[0], *there = &finding->accesses[1];
  const char *place = other_place(scan, &here->loc, &there->loc);
  const char *verb = race->is_same_value ? "writes the same value as" : "races with";
  bool same_line = here->loc.file == there->loc.file && here->loc.line == there->loc.line;
  return arena_printf(scan->arena, "%s to '%s' by %s %s %s %s %s by %s", kind_word(here->kind),
                      memory_name(scan, race, first), thread_text(scan, &finding->witness.threads[first]),
                      verb, kind_word(there->kind), same_line ? "on" : "at", place,
                      thread_text(scan, &finding->witness.threads[1 - first]));
}

// What one pair of the joined report says of other extents holds for the report.
static void keep_extents(Scan *scan, Finding *into, const Finding *from) {
  into->also |= from->also;
  for (uint32_t i = 0; i < from->notes.count; i++) {
    const char *text = from->notes.items[i].text;
    bool is_known = !is_also_note(text);
    for (uint32_t k = 0; k < into->notes.count; k++)
      is_known |= strcmp(into->notes.items[k].text, text) == 0;
    if (!is_known) vec_push(scan->arena, &into->notes, from->notes.items[i]);
  }
}

// Is this finding told already? Then it only counts, unless it is the better representative.
static bool join_with_known(Scan *scan, const Finding *finding) {
  KernelResult *result = scan->result;
  for (uint32_t i = 0; i < result->findings.count; i++) {
    Finding *old = &result->findings.items[i];
    if (old->rule != finding->rule || strcmp(old->object, finding->object) != 0) continue;
    bool same = old->accesses[0].loc.file == finding->accesses[0].loc.file &&
                old->accesses[1].loc.file == finding->accesses[1].loc.file &&
                old->accesses[0].loc.line == finding->accesses[0].loc.line &&
                old->accesses[1].loc.line == finding->accesses[1].loc.line;
    if (!same) continue;
    old->count++;
    keep_extents(scan, old, finding);
    bool better = finding->accesses[0].kind != ACCESS_READ && finding->accesses[1].kind != ACCESS_READ &&
                  (old->accesses[0].kind == ACCESS_READ || old->accesses[1].kind == ACCESS_READ);
    better |= old->level < finding->level;
    if (better || (old->certainty == CERTAINTY_POSSIBLE && finding->certainty == CERTAINTY_DEFINITE)) {
      Finding told = *old;
      *old = *finding;
      old->count = told.count;
      keep_extents(scan, old, &told);
    }
    return true;
  }
  return false;
}

static bool stands_later(const SrcLoc *a, const SrcLoc *b) {
  if (a->line != b->line) return a->line > b->line;
  return a->column > b->column;
}

static bool launch_is_open(const Scan *scan) {
  const LaunchContext *launch = scan->launch;
  if (!launch->is_any) return false;
  for (int axis = 0; axis < 3; axis++)
    if (!expr_is_const(scan->pool, launch->grid[axis], NULL) ||
        !expr_is_const(scan->pool, launch->block[axis], NULL))
      return true;
  return false;
}

// A parameter of a host function whose callers are not seen.
static bool is_from_caller(const Scan *scan, const WitnessValue *value) {
  for (uint32_t s = 0; s < expr_sym_count(scan->pool); s++) {
    const ExprSym *sym = expr_sym_info(scan->pool, s);
    if (sym->is_from_caller && sym->name == value->name && sym->loc.line == value->loc.line)
      return value->loc.function != NULL;
  }
  return false;
}

// Which of the witness's values come from callers of a host function that are not seen? They may be fine in a
// program that is not given as a whole; a reader should know.
enum { NAMES_OF_CALLERS = 4 };
static void add_callers_note(Scan *scan, Finding *finding) {
  const char *function = NULL;
  uint32_t count = 0;
  StrBuf names = {.arena = scan->arena};
  for (uint32_t i = 0; i < finding->witness.values.count; i++) {
    const WitnessValue *value = &finding->witness.values.items[i];
    if (!is_from_caller(scan, value) || (function && strcmp(function, value->loc.function) != 0)) continue;
    if (count < NAMES_OF_CALLERS) strbuf_printf(&names, "%s'%s'", count ? ", " : "", value->name);
    function = value->loc.function;
    count++;
  }
  if (!function) return;
  if (count > NAMES_OF_CALLERS) strbuf_printf(&names, " and %u more", count - NAMES_OF_CALLERS);
  FindingNote note = {.text =
                          arena_printf(scan->arena,
                                       "%s come%s from callers of '%s', which are not among the files: check "
                                       "them together, or assert what holds",
                                       strbuf_text(&names), count == 1 ? "s" : "", function)};
  vec_push(scan->arena, &finding->notes, note);
}

// A kernel that never looks at its blocks may be meant for one: who sees no launch of it should know what is
// missing.
static void add_launch_note(Scan *scan, Finding *finding) {
  bool of_grid = finding->rule == RULE_INTER_BLOCK && launch_extent_is_free(scan, 0);
  bool of_block = finding->rule != RULE_INTER_BLOCK && launch_extent_is_free(scan, 3);
  if (!of_grid && !of_block) return;
  const char *text =
      arena_printf(scan->arena,
                   "no launch of '%s' is among the files, and it never looks along %s: check "
                   "the file that launches it as well, or give the size with --%s-dim",
                   scan->fn->display, of_grid ? "gridDim.x" : "blockDim.x", of_grid ? "grid" : "block");
  vec_push(scan->arena, &finding->notes, (FindingNote){.text = text});
}

// Who uses the part of a group's copy that he takes for his own should know why that is none.
static void add_parts_note(Scan *scan, const RaceFacts *race, Finding *finding) {
  const IrInst *insts = scan->fn->insts.items;
  bool is_part = false;
  for (int i = 0; i < 2; i++)
    is_part |= (insts[race->accesses[i]->inst].flags & IR_FLAG_PART) != 0;
  if (is_part)
    vec_push(scan->arena, &finding->notes,
             (FindingNote){.text = "which thread of the group copies which part is not specified"});
}

static void add_hint(Scan *scan, Finding *finding, const char *hint) {
  vec_push(scan->arena, &finding->notes, (FindingNote){.text = arena_printf(scan->arena, "hint: %s", hint)});
}

void finding_hint_of_cause(Scan *scan, Finding *finding) {
  add_hint(scan, finding, cause_find(finding->cause)->mend);
}

void finding_name_rule(Scan *scan, Finding *finding) {
  MemoryModel model = scan->request->options.memory_model;
  const CauseInfo *info = cause_find(finding->cause);
  BUG_UNLESS(info);
  finding->memory_model = memory_model_name(model);
  finding->memory_rule = info->rule[model];
  if (cause_is_plain(finding->cause) || !finding_rule_is_race(finding->rule)) return;
  const char *text = arena_printf(scan->arena, "rule %s, memory model %s: %s", finding->cause,
                                  finding->memory_model, finding->memory_rule);
  vec_push(scan->arena, &finding->notes, (FindingNote){.text = text});
}

void finding_report_race(Scan *scan, const RaceFacts *race) {
  ASSERT(scan_has_access(scan, race->accesses[0]) && scan_has_access(scan, race->accesses[1]));
  ASSERT(scan_has_object(scan, race->object) && scan_is_extent(race->extent));
  Finding finding = {.rule = rule_of(race),
                     .kernel = scan->fn->display,
                     .object = object_name(scan, race->object),
                     .count = 1};
  finding.level = finding_rule_info(finding.rule)->level;
  if (race->is_same_value && scan->request->options.warn_same_value) finding.level = LEVEL_WARNING;
  // Without a visible launch, whether the shape that races is ever used is open.
  bool is_definite = race_is_sure(race) && !launch_is_open(scan);
  finding.certainty = is_definite ? CERTAINTY_DEFINITE : CERTAINTY_POSSIBLE;
  finding.cause = cause_of(scan, race);
  // The report stands at a write; of two, at the later line.
  int first = race->accesses[0]->kind == ACCESS_READ ? 1 : 0;
  bool both_write = race->accesses[0]->kind != ACCESS_READ && race->accesses[1]->kind != ACCESS_READ;
  if (both_write && stands_later(place_of(scan, race->accesses[1]), place_of(scan, race->accesses[0])))
    first = 1;
  add_access(scan, race, first, &finding.accesses[0]);
  add_access(scan, race, 1 - first, &finding.accesses[1]);
  finding.witness = race->witness;
  finding.witness.address = address_text(scan, race, &finding.witness);
  finding.message = race_sentence(scan, race, &finding, first);
  if (first == 1) {
    finding.witness.threads[0] = race->witness.threads[1];
    finding.witness.threads[1] = race->witness.threads[0];
    finding.witness.iterations[0] = race->witness.iterations[1];
    finding.witness.iterations[1] = race->witness.iterations[0];
  }
  finding.launch = scan->launch->description;
  finding.launch_loc = scan->launch->loc;
  add_fact_notes(scan, race, &finding);
  add_also_note(scan, race, true, &finding);
  add_also_note(scan, race, false, &finding);
  if (race->doubt) vec_push(scan->arena, &finding.notes, (FindingNote){.text = race->doubt});
  if (race->explanation) vec_push(scan->arena, &finding.notes, (FindingNote){.text = race->explanation});
  const char *narrow =
      strcmp(finding.cause, "insufficient-scope-atomic") == 0 ? narrow_text(scan, race) : NULL;
  if (narrow) vec_push(scan->arena, &finding.notes, (FindingNote){.text = narrow});
  add_parts_note(scan, race, &finding);
  finding_name_rule(scan, &finding);
  add_callers_note(scan, &finding);
  add_launch_note(scan, &finding);
  add_hint(scan, &finding, hint_of(scan, race));
  if (scan->objects.items[race->object].is_unknown_origin) finding.assumptions |= ASSUME_NO_ALIAS;
  if (!join_with_known(scan, &finding)) vec_push(scan->arena, &scan->result->findings, finding);
}

// The threads that were found in place of the model's: of what the model says, only the launch is theirs.
static void take_threads(Scan *scan, const ReplayQuery *query, const Parting *parting, Witness *witness) {
  witness_from_model(scan, query, witness);
  witness->address = "";
  if (!parting->used_memory) witness->memory.count = 0; // whatever it holds
  if (!parting->is_of_other_threads) return;
  for (int t = 0; t < 2; t++) {
    witness->threads[t] = parting->threads[t];
    witness->iterations[t].count = 0;
  }
}

// How the other thread fails to come to the barrier, and what to do about it.
typedef struct PartingWords {
  const char *how, *behind_line, *hint;
} PartingWords;

static const PartingWords words_of_partings[] = {
    [PARTING_NOT_SHOWN] = {0},
    [PARTING_BY_LEAVING] =
        {"leaves the kernel by the branch",
         ": right on sm_70 and later, where it counts as arrived, wrong on devices before and of "
         "other makers",
         "hint: let all threads of the block reach the barrier, and test behind it"},
    [PARTING_BLOCK_LEFT] =
        {"leaves the kernel by the branch",
         ": its block never arrives at this barrier of the grid, and the others wait without end",
         "hint: let all threads of the grid reach the barrier, and test behind it"},
    [PARTING_SHOWN] = {"goes another way", "",
                       "hint: move the barrier out of the branch, so that all threads of the block reach it"},
};

static void tell_parting(Scan *scan, const Parting *parting, uint32_t line, Finding *finding) {
  const PartingWords *words = &words_of_partings[parting->kind];
  finding->message =
      arena_printf(scan->arena, "barrier is reached by %s but not by %s, which %s at line %u%s",
                   thread_text(scan, &finding->witness.threads[0]),
                   thread_text(scan, &finding->witness.threads[1]), words->how, line, words->behind_line);
  vec_push(scan->arena, &finding->notes, (FindingNote){.text = words->hint});
}

static FindingLevel level_of_parting(const Scan *scan, const Parting *parting) {
  bool is_note = parting->kind == PARTING_BY_LEAVING && !scan->request->options.warn_leaving;
  return is_note ? LEVEL_NOTE : LEVEL_WARNING;
}

void finding_report_divergence(Scan *scan, const BarrierFork *fork, const ReplayQuery *query,
                               const Parting *parting) {
  ASSERT(scan_has_inst(scan, fork->barrier) && scan_has_block(scan, fork->branch));
  ASSERT(query->goal && query->answer);
  bool is_definite = !parting->used_memory && !parting->doubt && !launch_is_open(scan);
  Finding finding = {.rule = RULE_BARRIER_DIVERGENCE,
                     .level = level_of_parting(scan, parting),
                     .certainty = is_definite ? CERTAINTY_DEFINITE : CERTAINTY_POSSIBLE,
                     .cause =
                         parting->kind == PARTING_BY_LEAVING ? "left-before-barrier" : "divergent-barrier",
                     .kernel = scan->fn->display,
                     .object = "barrier",
                     .count = 1};
  finding_name_rule(scan, &finding);
  take_threads(scan, query, parting, &finding.witness);
  const SrcLoc *at = ir_loc(scan->module, scan->fn->insts.items[fork->barrier].loc);
  const SrcLoc *branch = ir_loc(scan->module, ir_terminator(scan->fn, fork->branch)->loc);
  finding.accesses[0] = (FindingAccess){ACCESS_READ, *at, 0};
  finding.accesses[1] = (FindingAccess){ACCESS_READ, *branch, 0};
  if (parting->doubt) vec_push(scan->arena, &finding.notes, (FindingNote){.text = parting->doubt});
  tell_parting(scan, parting, branch->line, &finding);
  finding.launch = scan->launch->description;
  finding.launch_loc = scan->launch->loc;
  if (parting->kind == PARTING_SHOWN)
    racy_goals_keep(scan, at, branch, query->goal,
                    arena_copy(scan->arena, query->answer, sizeof *query->answer));
  if (!join_with_known(scan, &finding)) vec_push(scan->arena, &scan->result->findings, finding);
}
