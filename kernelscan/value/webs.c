// What is known of a loop variable without a closed form? That it only ever hands on values from elsewhere,
// perhaps moved by multiples of a step. Method: the web of a header phi, that is the phis and selects of the
// loop through which its values flow (a def-use web; Muchnick, "Advanced Compiler Design", 1997, section
// 16.3), and additions of loop-invariant steps on the way; each value that enters the web is read in an
// earlier iteration of its own, with the conditions under which it entered. So `best = k` under `k < n` gives
// 0 <= best < n, and `top += 64 ... top -= 64` gives top = start + 64 * m. There are at most as many steps as rounds,
// times the most that lie on one way through a round: `if (i < n) { f(i); i += 64; }`. Where a web's values are the steps
// of what the loop tests, `if (i + step > n) step = n - i;`, the loop has gone on behind the round in which
// one entered: a step that is cut off at the end was not cut off before. Soundness: a disjunction over all
// values that enter: an over-approximation; a web that is too large or whose entries are not understood says
// nothing.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/value/value.h"

enum { WEB_LIMIT = 24, ENTRY_LIMIT = 6 };

typedef struct Entry {
  IrRef value;
  uint32_t block;  // where it enters; CFG_NONE: from outside the loop
  uint32_t to;     // the edge block -> to is taken; CFG_NONE: it is not an edge
  IrRef condition; // of a select; 0: none
  bool when_false;
} Entry;

typedef struct Web {
  Scan *scan;
  uint32_t loop, phi;
  uint32_t count;
  uint32_t members[WEB_LIMIT]; // instructions whose values are the web's, up to multiples of the step
  uint32_t entry_count;
  Entry entries[ENTRY_LIMIT];
  IrRef step;     // 0: none
  int64_t stride; // of constant steps: their greatest common divisor
  bool moves;
  bool goes_down, goes_up; // does it take steps away, or add them?
} Web;

static bool add_member(Web *web, uint32_t inst) {
  for (uint32_t i = 0; i < web->count; i++)
    if (web->members[i] == inst) return true;
  if (web->count == WEB_LIMIT) return false;
  web->members[web->count++] = inst;
  return true;
}

static bool add_entry(Web *web, Entry entry) {
  for (uint32_t i = 0; i < web->entry_count; i++) {
    const Entry *known = &web->entries[i];
    if (known->value == entry.value && known->block == entry.block && known->to == entry.to &&
        known->condition == entry.condition && known->when_false == entry.when_false)
      return true;
  }
  if (web->entry_count == ENTRY_LIMIT) return false;
  web->entries[web->entry_count++] = entry;
  return true;
}

int64_t common_divisor(int64_t a, int64_t b) {
  ASSERT(a != INT64_MIN && b != INT64_MIN); // which have no absolute value
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

// One kind of step only: constants, or one and the same value.
static bool add_step(Web *web, IrRef step, bool is_negative) {
  int64_t constant = 0;
  bool is_const = ir_const_value(web->scan->fn, step, &constant);
  if (!is_const && (web->stride || (web->step && web->step != step))) return false;
  if (is_const && (web->step || constant == INT64_MIN || constant == 0)) return false;
  web->moves = true;
  if (!is_const) {
    web->step = step; // whatever its sign is
    web->goes_down |= is_negative;
    web->goes_up |= !is_negative;
    return true;
  }
  bool is_down = is_negative ? constant > 0 : constant < 0;
  web->goes_down |= is_down;
  web->goes_up |= !is_down;
  web->stride = common_divisor(web->stride, constant);
  return true;
}

static bool is_inner_induction(const Web *web, uint32_t index) {
  return index != web->phi && loops_induction(web->scan, index)->kind != INDUCTION_NONE;
}

static bool is_in_loop(const Web *web, const IrInst *inst) {
  return inst && cfg_loop_contains(web->scan->cfg, web->loop, inst->block);
}

// base + step or base - step with a step that the loop does not change: which operand is the base? -1:
// neither.
static int base_operand(const Web *web, const IrInst *inst) {
  if (!ir_inst_is(inst, IR_SUMS)) return -1;
  bool is_in[2] = {is_in_loop(web, ir_inst(web->scan->fn, inst->ops[0])),
                   is_in_loop(web, ir_inst(web->scan->fn, inst->ops[1]))};
  if (is_in[0] == is_in[1]) return -1;
  return is_in[0] ? 0 : inst->op == IR_ADD ? 1 : -1;
}

// A variable of the loop that goes by steps which the loop changes: what it hands on is its own.
static bool is_summed_up(const Web *web, uint32_t index) {
  const Scan *scan = web->scan;
  const IrInst *phi = &scan->fn->insts.items[index];
  IrRef start = 0, next = 0;
  if (index == web->phi || phi->block != scan->cfg->loops.items[web->loop].header ||
      !loops_split_phi(scan, phi, web->loop, &start, &next))
    return false;
  const IrInst *sum = ir_inst(scan->fn, next);
  return sum && ir_inst_is(sum, IR_SUMS) && is_in_loop(web, ir_inst(scan->fn, sum->ops[0])) &&
         is_in_loop(web, ir_inst(scan->fn, sum->ops[1]));
}

// Does the value come from a phi or a select of the loop, up to steps?
static bool flows_on(const Web *web, IrRef value) {
  for (int depth = 0; depth < WEB_LIMIT; depth++) {
    const IrInst *inst = ir_inst(web->scan->fn, value);
    if (!is_in_loop(web, inst)) return false;
    if (inst->op == IR_SELECT) return true;
    if (inst->op == IR_PHI)
      return !is_inner_induction(web, ir_ref_index(value)) && !is_summed_up(web, ir_ref_index(value));
    int base = base_operand(web, inst);
    if (base < 0) return false;
    value = inst->ops[base];
  }
  return false;
}

// The value flows on into the web, or enters it at this place.
static bool follow(Web *web, IrRef value, Entry entry) {
  entry.value = value;
  return flows_on(web, value) ? add_member(web, ir_ref_index(value)) : add_entry(web, entry);
}

static bool collect_phi(Web *web, uint32_t index) {
  const IrInst *phi = &web->scan->fn->insts.items[index];
  for (uint32_t i = 0; i < phi->op_count; i++) {
    if (web->scan->cfg->rpo_number[phi->blocks[i]] == CFG_NONE) continue;
    bool is_outside = !cfg_loop_contains(web->scan->cfg, web->loop, phi->blocks[i]);
    Entry entry = {.block = is_outside ? CFG_NONE : phi->blocks[i], .to = phi->block};
    if (!follow(web, phi->ops[i], entry)) return false;
  }
  return true;
}

static bool collect_select(Web *web, uint32_t index) {
  const IrInst *select = &web->scan->fn->insts.items[index];
  for (uint32_t i = 1; i <= 2; i++) {
    Entry entry = {.block = select->block, .to = CFG_NONE, .condition = select->ops[0], .when_false = i == 2};
    if (!follow(web, select->ops[i], entry)) return false;
  }
  return true;
}

static bool collect_sum(Web *web, uint32_t index) {
  const IrInst *sum = &web->scan->fn->insts.items[index];
  int base = base_operand(web, sum);
  return add_step(web, sum->ops[1 - base], sum->op == IR_SUB) &&
         follow(web, sum->ops[base], (Entry){.block = sum->block, .to = CFG_NONE});
}

static bool collect(Web *web) {
  add_member(web, web->phi);
  for (uint32_t i = 0; i < web->count; i++) {
    uint32_t index = web->members[i];
    IrOp op = (IrOp)web->scan->fn->insts.items[index].op;
    bool is_understood = op == IR_PHI      ? collect_phi(web, index)
                         : op == IR_SELECT ? collect_select(web, index)
                                           : collect_sum(web, index);
    if (!is_understood) return false;
  }
  return web->entry_count > 0;
}

static ExprRef fresh_symbol(Frame *frame, const Web *web, const char *what, bool is_shared, uint8_t width,
                            int64_t lo, int64_t hi) {
  Scan *scan = frame->scan;
  const SrcLoc *loc = ir_loc(scan->module, scan->fn->insts.items[web->phi].loc);
  return expr_new_sym(scan->pool, (ExprSym){.name = what,
                                            .width = width,
                                            .owner = is_shared ? OWNER_UNIFORM : frame->view->owner,
                                            .kind = SYM_ITERATION,
                                            .lo = lo,
                                            .hi = hi,
                                            .loc = *loc});
}

// Where what enters webs is read: all webs of a loop are read in the same round, so one frame has the values of all.
static Frame *frame_of_webs(Frame *frame, uint32_t loop, ExprRef round) {
  for (uint32_t i = 0; i < frame->of_webs.count; i++)
    if (frame->of_webs.items[i]->iteration[loop] == round && frame->of_webs.items[i]->web_loop == loop)
      return frame->of_webs.items[i];
  Frame *made = frame_of_round(frame, loop, round);
  made->in_web = true;
  made->web_loop = loop;
  vec_push(frame->scan->arena, &frame->of_webs, made);
  return made;
}

// The conditions on the way from the loop's header to the place where the value enters.
static ExprRef entry_condition(Frame *at, const Web *web, const Entry *entry) {
  Scan *scan = at->scan;
  ExprRef condition = frame_chain_condition(at, scan->cfg->loops.items[web->loop].header, entry->block);
  ExprRef edge = entry->to == CFG_NONE ? 0 : frame_edge_condition(at, entry->block, entry->to);
  if (entry->condition) {
    edge = frame_word(at, entry->condition, 1);
    if (edge && entry->when_false) edge = expr_not(scan->pool, edge);
  }
  return edge ? expr_and(scan->pool, condition, edge) : condition;
}

// ---- steps of what the loop tests

static bool is_member(const Web *web, IrRef ref) {
  for (uint32_t i = 0; i < web->count; i++)
    if (ir_ref_kind(ref) == IR_REF_INST && web->members[i] == ir_ref_index(ref)) return true;
  return false;
}

// A sum of which a part is the web's.
static bool is_moved(const Web *web, IrRef ref) {
  const IrInst *inst = ir_inst(web->scan->fn, ref);
  return inst && ir_inst_is(inst, IR_SUMS) && is_in_loop(web, inst) &&
         (is_member(web, inst->ops[0]) || is_member(web, inst->ops[1]));
}

// The variable of the loop that its head tests, and that goes by steps of the web; 0: there is none.
static const IrInst *moved_variable(const Web *web, const LoopExit *exit, IrRef *ref, IrRef *next) {
  const Scan *scan = web->scan;
  uint32_t header = scan->cfg->loops.items[web->loop].header;
  const IrInst *test = ir_inst(scan->fn, exit->condition);
  if (exit->from != header || !test || test->op != IR_ICMP) return NULL;
  for (uint32_t i = 0; i < 2; i++) {
    const IrInst *phi = ir_inst(scan->fn, test->ops[i]);
    IrRef start = 0;
    *ref = test->ops[i];
    if (phi && phi->op == IR_PHI && phi->block == header && !is_member(web, *ref) &&
        loops_split_phi(scan, phi, web->loop, &start, next) && is_moved(web, *next))
      return phi;
  }
  return NULL;
}

// What holds because a thread that went by the web's value in `round` is in a later one: the variable went on
// by it, and the test was passed in each round up to its own. True: nothing is known.
static ExprRef went_on(Frame *frame, const Web *web, Frame *at, ExprRef round) {
  Scan *scan = frame->scan;
  ExprPool *pool = scan->pool;
  LoopExit exit;
  IrRef ref = 0, next = 0;
  if (!nested_find_exit(scan, web->loop, &exit)) return expr_bool(pool, true);
  const IrInst *phi = moved_variable(web, &exit, &ref, &next);
  if (!phi) return expr_bool(pool, true);
  ExprRef after = expr_binary(pool, EXPR_ADD, EXPR_NSW, round, expr_const(pool, 32, 1));
  Frame *behind = frame_of_webs(frame, web->loop, after);
  uint8_t width = symeval_width(phi->type);
  ExprRef then = frame_word(behind, ref, width), came = frame_word(at, next, width);
  const IrInst *end = ir_terminator(scan->fn, exit.from);
  ExprRef stays = frame_edge_condition(behind, exit.from, end->blocks[exit.when_true ? 1 : 0]);
  if (!then || !came || !stays) return expr_bool(pool, true);
  ExprRef is_last = expr_binary(pool, EXPR_SLE, 0, frame_iteration(frame, web->loop), after);
  return expr_and(pool, expr_eq(pool, then, came), expr_or(pool, is_last, stays));
}

typedef struct Reading { // an entry as this thread reads it
  ExprRef value, condition;
  ExprRef round; // in which it entered; 0: before the first one
} Reading;

// The values that enter a web of phis, as one thread reads them (webs.c).
typedef struct Origin {
  uint32_t count;
  const void *readings;
} Origin;

// What is kept of a scan.
typedef struct Kept {
  VEC(Origin) origins;
  Table by_readings; // origins, plus 1
} Kept;

// The number under which these readings are known: the leaf of the same instruction in the same iteration is
// another one if other values enter.
static ExprRef origin_number(Scan *scan, const Reading *readings, uint32_t count) {
  ASSERT(readings || !count);
  Kept *kept = SCAN_STATE_OF(scan, webs, Kept);
  uint32_t hash = (uint32_t)str_hash(readings, count * sizeof *readings, count), number;
  TableLook look = table_look(&kept->by_readings, hash);
  while ((number = table_next(&look)) != 0)
    if (kept->origins.items[number - 1].count == count &&
        memcmp(kept->origins.items[number - 1].readings, readings, count * sizeof *readings) == 0)
      return expr_const(scan->pool, 32, number - 1);
  vec_push(scan->arena, &kept->origins,
           (Origin){count, arena_copy(scan->arena, readings, count * sizeof *readings)});
  table_add(scan->arena, &kept->by_readings, hash, kept->origins.count);
  return expr_const(scan->pool, 32, kept->origins.count - 1);
}

// C computes with such a variable in 32 bits and keeps what fits: it goes round without an overflow, and is as often one without a sign.
static bool is_narrow(uint8_t width) {
  return width < 32;
}

// start + m * step, with m of the sign that the steps allow.
static ExprRef moved(Frame *frame, const Web *web, ExprRef value, ExprRef times) {
  ExprPool *pool = frame->scan->pool;
  uint8_t width = expr_width(pool, value);
  ExprRef step = web->step ? frame_word(frame, web->step, width) : expr_const(pool, width, web->stride);
  if (!step) return 0;
  uint8_t flags = is_narrow(width) ? 0 : EXPR_NSW;
  return expr_binary(pool, EXPR_ADD, flags, value, expr_binary(pool, EXPR_MUL, flags, times, step));
}

// ---- how many steps there can be

// How many of the web's steps is the member's own, if it is a sum?
static int64_t own_steps(const Web *web, const IrInst *inst) {
  if (!ir_inst_is(inst, IR_SUMS)) return 0;
  int64_t constant = 0;
  if (web->step) return 1;
  (void)ir_const_value(web->scan->fn, inst->ops[1 - base_operand(web, inst)], &constant);
  return (constant < 0 ? -constant : constant) / web->stride;
}

// Found from the loop's variable on, along what the members are made of.
typedef struct Steps {
  const Web *web;
  bool is_known[WEB_LIMIT];
  int64_t most[WEB_LIMIT]; // on the way from the head of the round to the member
} Steps;

// The most that stand before a member; -1: not known yet.
static int64_t steps_before(const Steps *steps, const IrInst *inst) {
  const Web *web = steps->web;
  int64_t most = 0;
  for (uint32_t i = 1; i < web->count; i++) { // [0] is the variable
    for (uint32_t k = 0; k < inst->op_count; k++) {
      if (ir_ref_kind(inst->ops[k]) != IR_REF_INST || ir_ref_index(inst->ops[k]) != web->members[i]) continue;
      if (!steps->is_known[i]) return -1;
      if (steps->most[i] > most) most = steps->most[i];
    }
  }
  return most;
}

// The most steps that a round can make; 0: not known. Members of loops inside may be passed more than once.
static int64_t steps_of_round(const Web *web) {
  const Scan *scan = web->scan;
  const IrInst *insts = scan->fn->insts.items;
  Steps steps = {.web = web};
  for (uint32_t i = 1; i < web->count; i++)
    if (scan->cfg->loop_of[insts[web->members[i]].block] != web->loop) return 0;
  for (uint32_t known = 1; known < web->count;) {
    uint32_t before = known;
    for (uint32_t i = 1; i < web->count; i++) {
      const IrInst *inst = &insts[web->members[i]];
      int64_t most = steps.is_known[i] ? -1 : steps_before(&steps, inst);
      if (most < 0) continue;
      steps.is_known[i] = true;
      steps.most[i] = most + own_steps(web, inst);
      known++;
    }
    if (known == before) return 0;
  }
  int64_t most = steps_before(&steps, &insts[web->phi]);
  return most < INT16_MAX ? most : 0;
}

// That there are at most so many times, up or down, since the round `since`; 0: since the loop was come to. Nothing is said of the
// round before the first one, which is no round: values of the round before are spoken of in each.
static ExprRef few_steps(Frame *frame, const Web *web, ExprRef times, ExprRef since, int64_t of_round) {
  ExprPool *pool = frame->scan->pool;
  ExprRef iteration = frame_iteration(frame, web->loop);
  ExprRef is_none = expr_binary(pool, EXPR_SLT, 0, iteration, expr_const(pool, 32, 0));
  ExprRef rounds = expr_resize_signed(pool, iteration, 64);
  if (since) rounds = expr_binary(pool, EXPR_SUB, EXPR_NSW, rounds, expr_resize_signed(pool, since, 64));
  ExprRef most = expr_binary(pool, EXPR_MUL, EXPR_NSW, rounds, expr_const(pool, 64, of_round));
  ExprRef wide = expr_resize_signed(pool, times, 64), few = expr_bool(pool, true);
  ExprRef least = expr_binary(pool, EXPR_SUB, EXPR_NSW, expr_const(pool, 64, 0), most);
  if (web->goes_up) few = expr_binary(pool, EXPR_SLE, 0, wide, most);
  if (web->goes_down) few = expr_and(pool, few, expr_binary(pool, EXPR_SLE, 0, least, wide));
  return expr_or(pool, is_none, few);
}

static bool read_entries(Frame *frame, const Web *web, Frame *at, ExprRef round, Reading *readings) {
  ExprPool *pool = frame->scan->pool;
  ExprRef in_loop = expr_and(pool, expr_binary(pool, EXPR_SLT, 0, round, frame_iteration(frame, web->loop)),
                             went_on(frame, web, at, round));
  uint8_t width = symeval_width(frame->scan->fn->insts.items[web->phi].type);
  for (uint32_t i = 0; i < web->entry_count; i++) {
    const Entry *entry = &web->entries[i];
    bool is_outside = entry->block == CFG_NONE;
    readings[i].value = frame_word(is_outside ? frame : at, entry->value, width);
    readings[i].round = is_outside ? 0 : round;
    readings[i].condition =
        is_outside ? expr_bool(pool, true) : expr_and(pool, in_loop, entry_condition(at, web, entry));
    if (!readings[i].value) return false;
  }
  return true;
}

// Does anything that enters depend on the web itself, as read in the round it enters in?
static bool is_circular(Frame *at, const Web *web, const Reading *readings) {
  const ExprPool *pool = at->scan->pool;
  Arena *scratch = arena_open();
  ExprSet occurs = expr_set_make(scratch, pool);
  bool found = false;
  for (uint32_t i = 0; i < web->entry_count; i++)
    expr_set_add_below(&occurs, pool, readings[i].value);
  for (uint32_t m = 0; m < web->count; m++) {
    SymValue inside = *frame_known(at, web->members[m]);
    found |= inside.kind == SYM_WORD && expr_set_has(&occurs, inside.word);
  }
  arena_close(scratch);
  return found;
}

// The condition under which the leaf comes from that entry, `times` steps ago; 0: not understood.
static ExprRef came_from(Frame *frame, const Web *web, ExprRef leaf, const Reading *reading, ExprRef times) {
  ExprPool *pool = frame->scan->pool;
  ExprRef value = times ? moved(frame, web, reading->value, times) : reading->value;
  if (!value) return 0;
  ExprRef is_it = expr_and(pool, expr_eq(pool, leaf, value), reading->condition);
  int64_t of_round = times && !is_narrow(expr_width(pool, leaf)) ? steps_of_round(web) : 0;
  return of_round ? expr_and(pool, is_it, few_steps(frame, web, times, reading->round, of_round)) : is_it;
}

static void add_invariant(Frame *frame, const Web *web, ExprRef leaf, const Reading *readings,
                          bool is_shared) {
  Scan *scan = frame->scan;
  ExprPool *pool = scan->pool;
  if (invariants_tell_of(scan, leaf)) return;
  uint8_t width = expr_width(pool, leaf);
  ExprRef times = 0, any = expr_bool(pool, false);
  if (web->moves && is_narrow(width))
    times = fresh_symbol(frame, web, "steps", is_shared, width, -(1 << (width - 1)), (1 << (width - 1)) - 1);
  else if (web->moves)
    times = fresh_symbol(frame, web, "steps", is_shared, width, web->goes_down ? -INT32_MAX : 0,
                         web->goes_up ? INT32_MAX : 0);
  for (uint32_t i = 0; i < web->entry_count; i++) {
    ExprRef came = came_from(frame, web, leaf, &readings[i], times);
    if (!came) return;
    any = expr_or(pool, any, came);
  }
  vec_push(scan->arena, &scan->invariants, (Invariant){.leaf = leaf, .condition = any});
}

bool web_find(Frame *frame, uint32_t loop, uint32_t index, SymValue *value) {
  ASSERT(frame->view);
  ASSERT(scan_has_loop(frame->scan, loop));
  ASSERT(scan_has_inst(frame->scan, index));
  Scan *scan = frame->scan;
  Web web = {.scan = scan, .loop = loop, .phi = index};
  uint8_t width = symeval_width(scan->fn->insts.items[index].type);
  if (frame->in_web || width < 8 || !collect(&web)) return false;
  bool is_shared = frame_leaf_is_shared(frame, index);
  ExprRef iteration = frame_iteration(frame, loop);
  ExprRef round = frame_round(frame, loop, iteration, is_shared);
  Frame *at = frame_of_webs(frame, loop, round);
  Reading readings[ENTRY_LIMIT];
  if (!read_entries(frame, &web, at, round, readings) || is_circular(at, &web, readings)) return false;
  *value = frame_leaf(frame, index, origin_number(scan, readings, web.entry_count));
  if (value->kind == SYM_WORD) add_invariant(frame, &web, value->word, readings, is_shared);
  return true;
}

SymValue web_phi(Frame *frame, uint32_t loop, uint32_t index) {
  ASSERT(frame->view);
  ASSERT(scan_has_loop(frame->scan, loop));
  ASSERT(scan_has_inst(frame->scan, index));
  SymValue value;
  return web_find(frame, loop, index, &value) ? value : frame_leaf(frame, index, 0);
}
