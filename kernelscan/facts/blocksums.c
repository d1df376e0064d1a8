// Which values are sums of prefixes over the threads of a block? Ranks of kept elements are, however they
// were added up: in one array or two, up and down a tree, by shuffles, by ballots and totals of warps.
// Method: the block is run with what each thread keeps as an atom (blockrun.c); a value that is, in every
// thread that computes it, c + factor * (the atoms of threads lo to hi - 1), with c, lo and hi linear in the
// warp's number, the lane's number and the round of the loop around it, is c + factor * (P(hi) - P(lo)),
// where P(x) is the sum of the first x atoms of the block. P grows by a thread's own atom at its own place,
// and falls nowhere (prefix.c says so to the solver). Soundness: exact for the run (see there), for atoms
// that are not negative; what is not proved stays an unknown value.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/facts/facts.h"
#include "kernelscan/facts/blockrun.h"
#include "kernelscan/memory.h"
#include "kernelscan/kernel.h"

enum { RUN_LIMIT = 10, TERM_LIMIT = 4, SUMMAND_LIMIT = 1 << 20, CUT_LIMIT = 3, SPLIT_COUNT = 7 };
static const uint8_t splits[SPLIT_COUNT] = {5, 10, 6, 4, 3, 7, 8};

// a * (thread >> split) + b * (thread & (1 << split) - 1) + d * round + c, up to `end` (exclusive).
typedef struct Line {
  int64_t a, b, c, d, end;
} Line;
typedef struct Curve {
  uint8_t split, count;
  Line lines[CUT_LIMIT];
} Curve;

typedef struct Term {
  uint32_t atom_class;
  int32_t factor;
  Curve lo, hi;
} Term;

typedef struct Fit {
  uint32_t run, inst, round; // CFG_NONE: any round
  bool fits;
  uint32_t term_count;
  Term terms[TERM_LIMIT];
  Curve constant;
} Fit;

// What is kept of a scan.
typedef struct BlockSums {
  VEC(BlockRun *) runs;
  VEC(Fit) fits;
  bool is_asked;
  bool is_open; // being made
} BlockSums;

static BlockSums *sums_of(const Scan *scan) {
  return SCAN_STATE_OF(scan, blocksums, BlockSums);
}

// ---- runs
static bool waits_in(const Scan *scan, uint32_t block) {
  const IrBlock *info = &scan->fn->blocks.items[block];
  for (uint32_t i = info->first; i < info->first + info->count; i++)
    if (ir_op_class((IrOp)scan->fn->insts.items[i].op) == IR_CLASS_SYNC) return true;
  return false;
}

// Blocks of a cluster may write each other's shared memory.
static bool has_clusters(const Scan *scan) {
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    const IrInst *inst = &scan->fn->insts.items[i];
    if (inst->op == IR_BARRIER && inst->scope == IR_SCOPE_CLUSTER) return true;
  }
  return false;
}

// Are there numbers that threads of a block tell each other?
static bool is_worth_it(const Scan *scan) {
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    const IrInst *inst = &scan->fn->insts.items[i];
    if (inst->op == IR_VOTE || (inst->op == IR_SHUFFLE && inst->type.kind == IR_INT)) return true;
  }
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const IrInst *inst = &scan->fn->insts.items[scan->accesses.items[a].inst];
    const Reach *reach = &scan->reaches[a];
    bool is_shared = !reach->is_complete;
    for (uint32_t i = 0; i < reach->count; i++)
      is_shared |= scan->objects.items[reach->objects[i]].kind == OBJ_SHARED;
    if (is_shared && inst->op == IR_LOAD && inst->type.kind == IR_INT) return true;
  }
  return false;
}

typedef struct Starts {
  uint32_t count;
  uint32_t blocks[RUN_LIMIT];
} Starts;

static void add_start(Scan *scan, Starts *starts, uint32_t block) {
  if (!together_comes_to(scan, EXTENT_INTRA_BLOCK, block)) return;
  for (uint32_t i = 0; i < starts->count; i++)
    if (starts->blocks[i] == block) return;
  if (starts->count < RUN_LIMIT) starts->blocks[starts->count++] = block;
}

// From kernel entry, from the heads of loops with barriers, and from behind branches that hold up a run.
static void make_runs(Scan *scan, BlockSums *sums) {
  const Cfg *cfg = scan->cfg;
  Starts starts = {1, {0}};
  for (uint32_t l = 0; l < cfg->loops.count; l++) {
    const CfgLoop *loop = &cfg->loops.items[l];
    bool waits = false;
    for (uint32_t b = 0; b < loop->blocks.count; b++)
      waits |= waits_in(scan, loop->blocks.items[b]);
    if (waits && starts.count < RUN_LIMIT / 2) add_start(scan, &starts, loop->header);
  }
  for (uint32_t i = 0; i < starts.count; i++) {
    BlockRun *run = blockrun_make(scan, starts.blocks[i]);
    if (!run) return;
    vec_push(scan->arena, &sums->runs, run);
    for (uint32_t s = 0; s < run->stuck.count; s++) {
      uint32_t block = run->stuck.items[s];
      for (uint32_t next = cfg->succ_first[block]; next < cfg->succ_first[block + 1]; next++)
        if (cfg->idom[cfg->succs[next]] == block) add_start(scan, &starts, cfg->succs[next]);
    }
  }
}

// ---- curves
typedef struct Spot {
  int64_t thread, round, value;
} Spot;
typedef struct Spots {
  uint32_t count;
  Spot *items;
} Spots;

static int64_t high_of(const Spot *spot, uint8_t split) {
  return spot->thread >> split;
}
static int64_t low_of(const Spot *spot, uint8_t split) {
  return spot->thread & ((1 << split) - 1);
}

static int64_t line_at(const Line *line, const Spot *spot, uint8_t split) {
  return line->a * high_of(spot, split) + line->b * low_of(spot, split) + line->d * spot->round + line->c;
}

static int64_t curve_at(const Curve *curve, const Spot *spot) {
  for (uint8_t i = 0; i + 1 < curve->count; i++)
    if (spot->thread < curve->lines[i].end) return line_at(&curve->lines[i], spot, curve->split);
  return line_at(&curve->lines[curve->count - 1], spot, curve->split);
}

static bool set_slope(int64_t rise, int64_t run, int64_t *slope) {
  if (rise % run != 0) return false;
  *slope = rise / run;
  return true;
}

// The line through all spots of [first, end); false: there is none.
static bool find_line(const Spots *spots, uint32_t first, uint32_t end, uint8_t split, Line *line) {
  const Spot *base = &spots->items[first];
  *line = (Line){.end = INT32_MAX};
  bool has_a = false, has_b = false, has_d = false;
  for (uint32_t i = first + 1; i < end && !has_b; i++) {
    const Spot *spot = &spots->items[i];
    int64_t step = low_of(spot, split) - low_of(base, split);
    if (spot->round != base->round || high_of(spot, split) != high_of(base, split) || !step) continue;
    has_b = true;
    if (!set_slope(spot->value - base->value, step, &line->b)) return false;
  }
  for (uint32_t i = first + 1; i < end && !has_a; i++) {
    const Spot *spot = &spots->items[i];
    int64_t step = high_of(spot, split) - high_of(base, split);
    if (spot->round != base->round || !step) continue;
    has_a = true;
    int64_t rest = line->b * (low_of(spot, split) - low_of(base, split));
    if (!set_slope(spot->value - base->value - rest, step, &line->a)) return false;
  }
  for (uint32_t i = first + 1; i < end && !has_d; i++) {
    const Spot *spot = &spots->items[i];
    if (spot->round == base->round) continue;
    has_d = true;
    int64_t rest = line->b * (low_of(spot, split) - low_of(base, split)) +
                   line->a * (high_of(spot, split) - high_of(base, split));
    if (!set_slope(spot->value - base->value - rest, spot->round - base->round, &line->d)) return false;
  }
  line->c =
      base->value - line->a * high_of(base, split) - line->b * low_of(base, split) - line->d * base->round;
  for (uint32_t i = first; i < end; i++)
    if (line_at(line, &spots->items[i], split) != spots->items[i].value) return false;
  return true;
}

// Up to three lines, one after the other, for threads in ascending order.
static bool find_pieces(const Spots *spots, Curve *curve) {
  uint32_t first = 0;
  *curve = (Curve){.split = 10};
  while (first < spots->count) {
    if (curve->count == CUT_LIMIT) return false;
    Line line = {0}, longer;
    uint32_t end = first + 1;
    find_line(spots, first, end, 10, &line);
    while (end < spots->count && spots->items[end].round == spots->items[first].round &&
           spots->items[end].thread > spots->items[end - 1].thread &&
           find_line(spots, first, end + 1, 10, &longer)) {
      line = longer;
      end++;
    }
    if (end < spots->count && spots->items[end].thread <= spots->items[end - 1].thread) return false;
    line.end = end < spots->count ? spots->items[end].thread : INT32_MAX;
    curve->lines[curve->count++] = line;
    first = end;
  }
  return curve->count > 0;
}

static bool find_curve(const Spots *spots, Curve *curve) {
  if (!spots->count) return false;
  for (int s = 0; s < SPLIT_COUNT; s++) {
    *curve = (Curve){.split = splits[s], .count = 1};
    if (find_line(spots, 0, spots->count, splits[s], &curve->lines[0])) return true;
  }
  return find_pieces(spots, curve);
}

// ---- fitting
static const RunPiece *piece_of(const Sample *sample, uint32_t atom_class, uint32_t *count) {
  const RunPiece *found = NULL;
  *count = 0;
  for (uint32_t i = 0; sample->value.kind == RUN_SUM && i < sample->value.sum->count; i++)
    if (sample->value.sum->pieces[i].atom_class == atom_class) {
      found = &sample->value.sum->pieces[i];
      ++*count;
    }
  return found;
}

static bool is_summand(const Scan *scan, const AtomClass *atoms) {
  bool is_uniform = !atoms->is_vote && uniform_ref(scan, IR_REF(IR_REF_INST, atoms->inst));
  return atoms->visit == 0 && atoms->lo >= 0 && atoms->hi <= SUMMAND_LIMIT && !is_uniform;
}

static bool add_terms(const Scan *scan, const BlockRun *run, const Sample *sample, Fit *fit,
                      bool *is_of_several) {
  const RunSum *sum = sample->value.kind == RUN_SUM ? sample->value.sum : NULL;
  if (!sum) return sample->value.kind == RUN_NUMBER;
  for (uint32_t i = 0; i < sum->count; i++) {
    const RunPiece *piece = &sum->pieces[i];
    uint32_t t = 0;
    while (t < fit->term_count && fit->terms[t].atom_class != piece->atom_class)
      t++;
    if (t == TERM_LIMIT || !is_summand(scan, &run->classes.items[piece->atom_class])) return false;
    if (t == fit->term_count)
      fit->terms[fit->term_count++] = (Term){.atom_class = piece->atom_class, .factor = piece->factor};
    if (fit->terms[t].factor != piece->factor) return false;
    *is_of_several |= piece->hi - piece->lo > 1; // one thread's value is no sum (reaching_stores.c)
  }
  return true;
}

static bool fit_term(Scan *scan, const Sample *const *samples, uint32_t count, Term *term) {
  Spots lo = {0, arena_array(scan->arena, count, Spot)}, hi = {0, arena_array(scan->arena, count, Spot)};
  for (uint32_t i = 0; i < count; i++) {
    uint32_t pieces = 0;
    const RunPiece *piece = piece_of(samples[i], term->atom_class, &pieces);
    if (pieces > 1) return false;
    if (!piece) continue;
    lo.items[lo.count++] = (Spot){samples[i]->thread, samples[i]->round, piece->lo};
    hi.items[hi.count++] = (Spot){samples[i]->thread, samples[i]->round, piece->hi};
  }
  if (!find_curve(&lo, &term->lo) || !find_curve(&hi, &term->hi)) return false;
  for (uint32_t i = 0; i < count; i++) { // no atoms: none by these numbers
    uint32_t pieces = 0;
    Spot at = {samples[i]->thread, samples[i]->round, 0};
    if (!piece_of(samples[i], term->atom_class, &pieces) &&
        curve_at(&term->lo, &at) != curve_at(&term->hi, &at))
      return false;
  }
  return true;
}

static bool find_fit(Scan *scan, const BlockRun *run, Fit *fit) {
  VEC(const Sample *) samples = {0};
  bool is_of_several = false, has_rounds = false, has_any = false;
  for (uint32_t i = 0; i < run->samples.count; i++) {
    const Sample *sample = &run->samples.items[i];
    bool is_any = sample->round == CFG_NONE;
    if (sample->inst != fit->inst || (!is_any && fit->round != CFG_NONE && sample->round != fit->round))
      continue;
    has_any |= is_any;
    has_rounds |= !is_any;
    if (!add_terms(scan, run, sample, fit, &is_of_several)) return false;
    vec_push(scan->arena, &samples, sample);
  }
  if (!is_of_several || (has_any && has_rounds)) return false;
  Spots constants = {0, arena_array(scan->arena, samples.count, Spot)};
  for (uint32_t i = 0; i < samples.count; i++) {
    const RunValue *value = &samples.items[i]->value;
    int64_t constant = value->kind == RUN_SUM ? value->sum->constant : value->number;
    constants.items[constants.count++] = (Spot){samples.items[i]->thread, samples.items[i]->round, constant};
  }
  if (!find_curve(&constants, &fit->constant)) return false;
  for (uint32_t t = 0; t < fit->term_count; t++)
    if (!fit_term(scan, samples.items, samples.count, &fit->terms[t])) return false;
  return true;
}

static const Fit *fit_of(Scan *scan, uint32_t run, uint32_t inst, uint32_t round) {
  BlockSums *sums = sums_of(scan);
  ASSERT(run < sums->runs.count && scan_has_inst(scan, inst));
  for (uint32_t i = 0; i < sums->fits.count; i++) {
    const Fit *known = &sums->fits.items[i];
    if (known->run == run && known->inst == inst && known->round == round) return known;
  }
  Fit fit = {.run = run, .inst = inst, .round = round};
  fit.fits = find_fit(scan, sums->runs.items[run], &fit);
  vec_push(scan->arena, &sums->fits, fit);
  return &vec_last(&sums->fits);
}

// ---- as expressions
// Words of 32 bits; nothing here leaves them.
static ExprRef times(ExprPool *pool, ExprRef value, int64_t factor) {
  return factor == 1 ? value : expr_binary(pool, EXPR_MUL, EXPR_NSW, value, expr_const(pool, 32, factor));
}

static ExprRef plus(ExprPool *pool, ExprRef a, ExprRef b) {
  int64_t zero = 1;
  if (expr_is_const(pool, a, &zero) && zero == 0) return b;
  return expr_is_const(pool, b, &zero) && zero == 0 ? a : expr_binary(pool, EXPR_ADD, EXPR_NSW, a, b);
}

static ExprRef line_of(const Frame *frame, const Line *line, uint8_t split, ExprRef round) {
  ExprPool *pool = frame->scan->pool;
  const View *view = frame->view;
  ExprRef value = expr_const(pool, 32, 0), size = expr_const(pool, 32, (int64_t)1 << split);
  ExprRef high = split == 5 ? view->warp : expr_binary(pool, EXPR_SDIV, 0, view->linear, size);
  ExprRef low = split == 5 ? view->lane : expr_binary(pool, EXPR_SREM, 0, view->linear, size);
  bool is_one_row = blockrun_threads(frame->scan) <= (int64_t)1 << split;
  if (line->a == line->b * (1 << split) || is_one_row)
    value = times(pool, view->linear, line->b);
  else
    value = plus(pool, times(pool, high, line->a), times(pool, low, line->b));
  if (line->d) value = plus(pool, value, times(pool, round, line->d));
  return plus(pool, value, expr_const(pool, 32, line->c));
}

static ExprRef curve_of(const Frame *frame, const Curve *curve, ExprRef round) {
  ExprPool *pool = frame->scan->pool;
  ExprRef value = line_of(frame, &curve->lines[curve->count - 1], curve->split, round);
  for (uint8_t i = curve->count - 1; i > 0; i--) {
    const Line *line = &curve->lines[i - 1];
    ExprRef is_before = expr_binary(pool, EXPR_SLT, 0, frame->view->linear, expr_const(pool, 32, line->end));
    value = expr_ite(pool, is_before, line_of(frame, line, curve->split, round), value);
  }
  return value;
}

// Is the instruction executed once for each time that the run is, so that its value is one number of each
// thread in the rounds of the loops around the start?
static bool goes_with_start(const Scan *scan, const BlockRun *run, uint32_t inst) {
  const Cfg *cfg = scan->cfg;
  uint32_t block = scan->fn->insts.items[inst].block;
  return cfg->loop_of[block] == cfg->loop_of[run->start] &&
         (cfg_dominates(cfg, run->start, block) || cfg_dominates(cfg, block, run->start));
}

// The sum over the same atoms in a run from another start; 0: none.
static uint32_t known_elsewhere(const Scan *scan, const BlockRun *run, const AtomClass *atoms) {
  if (atoms->visit != 0 || !goes_with_start(scan, run, atoms->inst)) return 0;
  const BlockSums *sums = sums_of(scan);
  for (uint32_t r = 0; r < sums->runs.count; r++) {
    const BlockRun *other = sums->runs.items[r];
    if (other == run || !other->func_of || !goes_with_start(scan, other, atoms->inst)) continue;
    for (uint32_t c = 0; c < other->classes.count; c++) {
      const AtomClass *same = &other->classes.items[c];
      if (other->func_of[c] && same->inst == atoms->inst && same->visit == 0 &&
          same->is_vote == atoms->is_vote && same->lo == atoms->lo && same->hi == atoms->hi)
        return other->func_of[c];
    }
  }
  return 0;
}

static uint32_t func_of(Scan *scan, BlockRun *run, uint32_t atom_class) {
  FactLists *lists = fact_lists(scan);
  if (!run->func_of) run->func_of = arena_array(scan->arena, run->classes.count + 1, uint32_t);
  if (run->func_of[atom_class]) return lists->sums.items[run->func_of[atom_class] - 1]->func;
  const AtomClass *atoms = &run->classes.items[atom_class];
  run->func_of[atom_class] = known_elsewhere(scan, run, atoms);
  if (run->func_of[atom_class]) return lists->sums.items[run->func_of[atom_class] - 1]->func;
  const char *name = scan->fn->insts.items[atoms->inst].name;
  uint32_t line = ir_loc(scan->module, scan->fn->insts.items[atoms->inst].loc)->line;
  PrefixSum *sum = arena_new(scan->arena, PrefixSum);
  sum->most = atoms->hi;
  sum->func =
      expr_new_func(scan->pool, (ExprFunc){.name = atoms->is_vote || !name
                                                       ? arena_printf(scan->arena, "sum over line %u", line)
                                                       : arena_printf(scan->arena, "sum of %s", name),
                                           .width = 32,
                                           .kind = SYM_UNKNOWN,
                                           .hi = atoms->hi * RUN_THREADS + 1});
  vec_push(scan->arena, &lists->sums, sum);
  run->func_of[atom_class] = lists->sums.count;
  return sum->func;
}

enum { MOST_LOOPS = 8 };
// P(count), in the rounds of the loops around the start; 0: too many loops.
static ExprRef sum_below(Frame *frame, BlockRun *run, uint32_t atom_class, ExprRef count) {
  Scan *scan = frame->scan;
  const View *view = frame->view;
  ExprRef args[4 + MOST_LOOPS] = {count, view->block_idx[0], view->block_idx[1], view->block_idx[2]};
  uint32_t used = 4;
  for (uint32_t l = scan->cfg->loop_of[run->start]; l != CFG_NONE; l = scan->cfg->loops.items[l].parent) {
    if (used == 4 + MOST_LOOPS) return 0;
    args[used++] = frame_iteration(frame, l);
  }
  args[0] = expr_resize_signed(scan->pool, count, 64);
  return expr_app(scan->pool, func_of(scan, run, atom_class), used, args);
}

// What the thread itself adds; 0: not known.
static ExprRef own_atom(Frame *frame, const AtomClass *atoms) {
  Scan *scan = frame->scan;
  ExprPool *pool = scan->pool;
  const IrInst *inst = &scan->fn->insts.items[atoms->inst];
  if (atoms->is_vote) {
    ExprRef truth = frame_truth(frame, inst->ops[1]);
    return truth ? expr_ite(pool, truth, expr_const(pool, 32, 1), expr_const(pool, 32, 0)) : 0;
  }
  ExprRef word = frame_word(frame, IR_REF(IR_REF_INST, atoms->inst), symeval_width(inst->type));
  if (!word) return 0;
  return inst->type.bits == 1 ? expr_resize_unsigned(pool, word, 32) : expr_resize_signed(pool, word, 32);
}

// Comes the thread to the block before it comes to the instruction, each time that the run is, if it is one
// of those that come to the block in the run (*comers: their number)?
static bool comes_before(const Scan *scan, const BlockRun *run, uint32_t inst, uint32_t index,
                         int64_t *comers) {
  const Cfg *cfg = scan->cfg;
  uint32_t block = scan->fn->insts.items[inst].block, round = cfg->loop_of[run->start];
  uint32_t at = scan->fn->insts.items[index].block;
  *comers = blockrun_threads(scan);
  if (cfg_dominates(cfg, block, at)) return true;
  if (run->is_missed[inst] || run->comers[block] == CFG_NONE || cfg->loop_of[block] != round) return false;
  *comers = run->comers[block];
  for (uint32_t end = cfg->ipdom[block]; end != CFG_NONE; end = cfg->ipdom[end])
    if (cfg_dominates(cfg, end, at))
      return cfg->loop_of[end] == round && end != run->start && cfg_dominates(cfg, run->start, end);
  return false;
}

// P grows by the thread's own atom at its own place.
static void note_own(Frame *frame, BlockRun *run, uint32_t atom_class, uint32_t index, ExprRef leaf) {
  Scan *scan = frame->scan;
  ExprPool *pool = scan->pool;
  const AtomClass *atoms = &run->classes.items[atom_class];
  int64_t comers = 0;
  if (!comes_before(scan, run, atoms->inst, index, &comers)) return; // it may have added nothing
  ExprRef own = own_atom(frame, atoms), place = frame->view->linear;
  if (!own) return;
  if (comers < blockrun_threads(scan)) {
    ExprRef is_one = expr_binary(pool, EXPR_SLT, 0, place, expr_const(pool, 32, comers));
    own = expr_ite(pool, is_one, own, expr_const(pool, 32, 0));
  }
  ExprRef before = sum_below(frame, run, atom_class, place),
          after = sum_below(frame, run, atom_class, plus(pool, place, expr_const(pool, 32, 1)));
  ExprRef condition = expr_eq(pool, after, plus(pool, before, own));
  for (uint32_t i = 0; invariants_say(scan, condition) && i < scan->invariants.count; i++)
    if (scan->invariants.items[i].condition == condition && scan->invariants.items[i].leaf == leaf) return;
  vec_push(scan->arena, &scan->invariants, (Invariant){.leaf = leaf, .condition = condition});
}

static ExprRef value_of_fit(Frame *frame, const Fit *fit, ExprRef round) {
  Scan *scan = frame->scan;
  ExprPool *pool = scan->pool;
  BlockRun *run = sums_of(scan)->runs.items[fit->run];
  ExprRef value = curve_of(frame, &fit->constant, round);
  for (uint32_t t = 0; t < fit->term_count; t++) {
    const Term *term = &fit->terms[t];
    ExprRef ends[2] = {curve_of(frame, &term->lo, round), curve_of(frame, &term->hi, round)};
    for (int side = 0; side < 2; side++) {
      int64_t none = 0;
      if (expr_is_const(pool, ends[side], &none) && none == 0) continue;
      ExprRef sum = sum_below(frame, run, term->atom_class, ends[side]);
      if (!sum) return 0;
      // What is one number for all threads is no reason to speak of any of them.
      if (expr_node(pool, ends[side])->owners) note_own(frame, run, term->atom_class, fit->inst, sum);
      value = plus(pool, value, times(pool, sum, side ? term->factor : -term->factor));
    }
  }
  return value;
}

// ---- their use
static bool make(Scan *scan) {
  BlockSums *sums = sums_of(scan);
  if (sums->is_asked) return !sums->is_open;
  sums->is_asked = true;
  if (scan->has_opaque || scan_text(scan)->has_named_barrier || !scan->cfg->is_reducible ||
      has_clusters(scan) || !is_worth_it(scan))
    return true;
  sums->is_open = true;
  make_runs(scan, sums);
  sums->is_open = false;
  return true;
}

// The loop behind the start of the run that the instruction is in; CFG_NONE: none.
static uint32_t loop_within(const Scan *scan, const BlockRun *run, uint32_t inst) {
  uint32_t loop = scan->cfg->loop_of[scan->fn->insts.items[inst].block];
  return loop != CFG_NONE && !cfg_loop_contains(scan->cfg, loop, run->start) ? loop : CFG_NONE;
}

static ExprRef value_by_run(Frame *frame, uint32_t r, uint32_t index) {
  Scan *scan = frame->scan;
  ASSERT(r < sums_of(scan)->runs.count && !sums_of(scan)->is_open && scan_has_inst(scan, index));
  const BlockRun *run = sums_of(scan)->runs.items[r];
  const IrInst *inst = &scan->fn->insts.items[index];
  if (run->is_missed[index] || !cfg_dominates(scan->cfg, run->start, inst->block)) return 0;
  uint32_t loop = loop_within(scan, run, index), number = 0;
  ExprRef round = 0;
  if (loop != CFG_NONE) {
    int64_t value = 0;
    round = frame_iteration(frame, loop);
    number = expr_is_const(scan->pool, round, &value) ? (uint32_t)value : CFG_NONE;
  }
  const Fit fit = *fit_of(scan, r, index, number);
  return fit.fits ? value_of_fit(frame, &fit, round) : 0;
}

static SymValue blocksums_value(Frame *frame, uint32_t index) {
  Scan *scan = frame->scan;
  const IrInst *inst = &scan->fn->insts.items[index];
  SymValue none = {.kind = SYM_NONE};
  bool is_candidate = inst->type.bits >= 32 && blockrun_is_sampled(scan, inst);
  if (!is_candidate || frame->sum || !scan->points.count || !make(scan)) return none;
  uint32_t best = 0;
  ExprRef found = 0;
  const BlockSums *sums = sums_of(scan);
  for (uint32_t r = 0; r < sums->runs.count; r++) {
    const BlockRun *run = sums->runs.items[r];
    uint32_t depth = scan->cfg->dom_enter[run->start];
    if (found && depth <= best) continue; // the innermost start says most
    ExprRef value = value_by_run(frame, r, index);
    if (!value) continue;
    found = value;
    best = depth;
  }
  if (!found) return none;
  uint8_t width = symeval_width(inst->type);
  return sym_value_word(expr_resize_signed(scan->pool, found, width));
}

const ValueFacts blocksums_facts = {.value = blocksums_value};
