// How many numbers can be drawn from a counter? `if (v < pivot) buf[atomicAdd(&left, 1)] = v; else
// buf[atomicSub(&right, 1)] = v;` fills one array from both ends, and the two lists do not meet, since there
// are as many draws as elements, of both counters together. Method: every draw has a TICKET, a number below a
// bound that no two draws have in common: the thread's number, the lane's (from counters that are each drawn
// from by one warp), or an index i that the guard `i < n` keeps below n; that tickets differ, between threads
// and between rounds of a loop, is asked of the solver. Then at most as many draws are made in the whole
// launch (in a block, for a counter in shared memory; or in a period of it, where each thread draws once
// between two times that the counters are set), and a number drawn is at most so many amounts away from
// what the counter is set to; the numbers drawn from two counters with common tickets are so together. Where
// one lane draws for all that voted with it (`atomicAdd(&n, __popc(mask))`), each of those has a ticket.
// Soundness: the object's other writes set it to constants, or to what is the same for the block, or are
// shown to be beside its counters; shared memory is read where it has been set (A12); a counter in global memory
// begins at zero, and not behind it, where it counts how many were drawn; counters do not wrap (A1). What the
// thread did not draw says nothing: a draw counts under the exact condition that it was made.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/facts/facts.h"
#include "kernelscan/facts/counter_words.h"
#include "kernelscan/proofs.h"
#include "kernelscan/memory.h"

enum { SITE_LIMIT = 6, SETTING_LIMIT = 8, GUARD_LIMIT = 4, MOST_AMOUNT = 1024, CHAIN_LIMIT = 32 };

// All that is done to one counter, or to the counters of an object.
typedef struct Line {
  uint32_t object;
  bool is_cell, is_known, is_down; // is_cell: at `offset` for all threads; else somewhere in the object
  int64_t offset, most;            // most: the largest amount
  uint32_t sites[SITE_LIMIT], site_count; // instructions
  uint32_t asked[SITE_LIMIT];             // who takes part in a draw: the site itself, or a vote (groups.c)
  bool has_groups;                        // a lane draws one amount for each of the lanes that it voted with
  uint32_t setting; // the one store that sets it; CFG_NONE: lo and hi say what it is set to
  uint32_t reset;   // the one store that sets it, to whatever; CFG_NONE: there are several
  int64_t lo, hi;
} Line;

typedef enum TicketKind { TICKET_NONE, TICKET_THREAD, TICKET_LANE, TICKET_GUARD, TICKET_PERIOD } TicketKind;

// How many draws there are; for a pair of lines, in all.
typedef struct Ticket {
  const Line *one, *two; // two: NULL, or another line
  TicketKind kind;
  bool is_unsigned;
  IrRef bound; // GUARD
} Ticket;

// What is kept of a scan, of fresh threads.
typedef struct Ends {
  VEC(Line *) lines;
  VEC(Ticket) tickets;
} Ends;

// ---- what is done to the counter

typedef struct Spot {
  uint32_t object;
  bool is_cell;
  int64_t offset;
} Spot;

static bool read_spot(Frame *any, IrRef address, Spot *spot) {
  SymValue value = frame_value(any, address);
  if (value.kind != SYM_POINTER || value.target_count != 1 || value.targets[0].condition ||
      value.targets[0].key)
    return false;
  spot->object = value.targets[0].object;
  spot->offset = 0;
  spot->is_cell = expr_is_const(any->scan->pool, value.targets[0].offset, &spot->offset);
  return true;
}

static bool add_site(Frame *any, const Access *access, Line *line) {
  const IrInst *inst = &any->scan->fn->insts.items[access->inst];
  int64_t amount = 0;
  ExprRef word = frame_word(any, inst->ops[1], 32);
  uint32_t asked = access->inst;
  if (line->site_count == SITE_LIMIT || access->bytes != 4 || !access->is_natural || !word) return false;
  if (!expr_is_const(any->scan->pool, word, &amount)) {
    if (!groups_counts_lanes(any->scan, access->inst, &asked)) return false;
    amount = 1;
    line->has_groups = true;
  }
  if (inst->rmw == IR_RMW_SUB) amount = -amount;
  bool is_down = amount < 0;
  if (is_down) amount = -amount;
  if (amount < 1 || amount > MOST_AMOUNT || (line->site_count > 0 && line->is_down != is_down)) return false;
  line->is_down = is_down;
  if (amount > line->most) line->most = amount;
  line->asked[line->site_count] = asked;
  line->sites[line->site_count++] = access->inst;
  return true;
}

typedef struct Settings {
  uint32_t count, all_constant;
  uint32_t stores[SETTING_LIMIT];
} Settings;

static bool add_setting(Frame *any, const Access *access, Line *line, Settings *settings) {
  const Scan *scan = any->scan;
  const IrInst *inst = &scan->fn->insts.items[access->inst];
  int64_t value = 0;
  if (inst->op != IR_STORE || access->is_async || access->is_loose || access->bytes != 4 ||
      !access->is_natural || settings->count == SETTING_LIMIT)
    return false;
  ExprRef word = frame_word(any, inst->ops[1], 32);
  if (!word) return false;
  if (expr_is_const(scan->pool, word, &value)) {
    settings->all_constant++;
    line->lo = settings->count && line->lo < value ? line->lo : value;
    line->hi = settings->count && line->hi > value ? line->hi : value;
  } else if (scan->cfg->loop_of[inst->block] != CFG_NONE || !frame_is_of_block(any, word))
    return false;
  line->setting = access->inst;
  line->reset = settings->count ? CFG_NONE : access->inst;
  settings->stores[settings->count++] = access->inst;
  return true;
}

// Thread 0 has surely set the counter before anybody draws; one of several counters is taken to be set (A12).
static bool is_set_before(Frame *any, const Line *line, const Settings *settings) {
  for (uint32_t s = 0; s < line->site_count && line->is_cell; s++) {
    bool is_set = false;
    for (uint32_t r = 0; r < settings->count && !is_set; r++)
      is_set = counter_bounds_is_set_before(any, settings->stores[r], line->sites[s]);
    if (!is_set) return false;
  }
  if (!line->is_cell) any->scan->result->assumptions |= ASSUME_FILLED;
  return settings->count > 0;
}

static bool add_access(Frame *any, uint32_t index, Line *line, Settings *settings) {
  Scan *scan = any->scan;
  const Access *access = &scan->accesses.items[index];
  const IrInst *inst = &scan->fn->insts.items[access->inst];
  Spot spot;
  bool is_addition = inst->op == IR_ATOMICRMW && (inst->rmw == IR_RMW_ADD || inst->rmw == IR_RMW_SUB);
  if (!is_addition && counter_words_is_beside(scan, access, line->object)) return true;
  if (!access->bytes || !read_spot(any, access->address, &spot)) return false;
  if (spot.object != line->object) return true;
  bool is_elsewhere = spot.is_cell && line->is_cell &&
                      (spot.offset + access->bytes <= line->offset || line->offset + 4 <= spot.offset);
  if (is_elsewhere) return true;
  bool is_here = spot.is_cell ? line->is_cell && spot.offset == line->offset : !line->is_cell;
  if (is_addition) return is_here && add_site(any, access, line);
  // An array of counters is set by a store to any of them.
  return (is_here || !line->is_cell) && add_setting(any, access, line, settings);
}

// What the counters in an array hold when the kernel starts, by the words that are drawn from.
static bool start_there(Frame *any, const Line *line, bool (*as_asked)(Scan *, const Target *, uint32_t)) {
  for (uint32_t s = 0; s < line->site_count; s++) {
    SymValue at = frame_value(any, any->scan->fn->insts.items[line->sites[s]].ops[0]);
    if (!as_asked(any->scan, &at.targets[0], 4)) return false;
  }
  return true;
}

static bool read_line(Frame *any, Line *line) {
  Scan *scan = any->scan;
  Settings settings = {0};
  line->setting = line->reset = CFG_NONE;
  if (scan->has_opaque) return false;
  for (uint32_t a = 0; a < scan->accesses.count; a++)
    if (scan->accesses.items[a].kind != ACCESS_READ && access_may_touch(scan, a, line->object) &&
        !add_access(any, a, line, &settings))
      return false;
  if (!line->site_count) return false;
  if (scan->objects.items[line->object].kind == OBJ_SHARED) {
    if (settings.all_constant == settings.count) line->setting = CFG_NONE;
    bool is_said = settings.count == settings.all_constant || (settings.count == 1 && line->is_cell);
    return is_said && is_set_before(any, line, &settings);
  }
  return settings.count == 0 && start_there(any, line, start_values_are_not_negative);
}

static Ends *ends_of(Scan *scan) {
  return SCAN_STATE_OF(scan, draw_bounds, Ends);
}

// Does a counter in global memory begin where it is said to, and not behind that? No less is enough for the lower bound of what is drawn.
static bool starts_exactly(Scan *scan, const Line *line) {
  return start_there(counter_words_threads(scan, line->object).one, line, start_values_are_zero);
}

static const Line *line_of(Scan *scan, const DrawRange *draw) {
  Ends *ends = ends_of(scan);
  Line wanted = {.object = draw->counter};
  wanted.is_cell = expr_is_const(scan->pool, draw->offset, &wanted.offset);
  if (!wanted.is_cell) wanted.offset = 0;
  for (uint32_t i = 0; i < ends->lines.count; i++) {
    const Line *line = ends->lines.items[i];
    if (line->object == wanted.object && line->is_cell == wanted.is_cell && line->offset == wanted.offset)
      return line;
  }
  Line *line = arena_new(scan->arena, Line);
  *line = wanted;
  vec_push(scan->arena, &ends->lines, line);
  line->is_known = read_line(counter_words_threads(scan, line->object).one, line);
  return line;
}

// ---- tickets

typedef struct Guard {
  IrRef index, bound;
  bool is_unsigned;
} Guard;

// A ticket as it is tried: the sites of one or two lines, each with the guard that gives its number.
typedef struct Trial {
  Scan *scan;
  TicketKind kind;
  uint32_t object;
  bool is_cell;
  uint32_t sites[2 * SITE_LIMIT], asked[2 * SITE_LIMIT], count;
  Guard guards[2 * SITE_LIMIT];
  Frame *one, *two, *again; // again: the first thread, in other rounds
} Trial;

static ExprRef ticket_number(const Trial *trial, Frame *frame, uint32_t site) {
  ExprPool *pool = trial->scan->pool;
  if (trial->kind == TICKET_THREAD) return expr_resize_signed(pool, frame->view->linear, 64);
  if (trial->kind == TICKET_LANE) return expr_resize_signed(pool, frame->view->lane, 64);
  const Guard *guard = &trial->guards[site];
  IrType type = ir_ref_type(trial->scan->module, trial->scan->fn, guard->index);
  ExprRef word = frame_word(frame, guard->index, symeval_width(type));
  if (!word) return 0;
  return guard->is_unsigned ? expr_resize_unsigned(pool, word, 64) : expr_resize_signed(pool, word, 64);
}

static ExprRef bound_of(Frame *frame, const Guard *guard) {
  Scan *scan = frame->scan;
  IrType type = ir_ref_type(scan->module, scan->fn, guard->bound);
  ExprRef word = frame_word(frame, guard->bound, symeval_width(type));
  if (!word) return 0;
  return guard->is_unsigned ? expr_resize_unsigned(scan->pool, word, 64)
                            : expr_resize_signed(scan->pool, word, 64);
}

static ExprRef executes(Frame *frame, const Trial *trial, uint32_t site) {
  return meeting_block_condition(frame, trial->scan->fn->insts.items[trial->asked[site]].block);
}

static bool is_refuted(Trial *trial, Goal *goal, const char *name) {
  Scan *scan = trial->scan;
  goal_add_view(scan, goal, trial->one->view);
  goal_add_view(scan, goal, trial->two->view);
  goal_add_launch(scan, goal);
  if (goal->is_false) return true;
  SolverAnswer answer = goal_satisfiable(scan, goal, name);
  return proofs_is_refuted(scan, &answer);
}

static ExprRef same_thread(const Trial *trial) {
  ExprPool *pool = trial->scan->pool;
  ExprRef same = expr_bool(pool, true);
  for (int axis = 0; axis < 3; axis++) {
    same = expr_and(pool, same,
                    expr_eq(pool, trial->one->view->thread_idx[axis], trial->two->view->thread_idx[axis]));
    same = expr_and(pool, same,
                    expr_eq(pool, trial->one->view->block_idx[axis], trial->two->view->block_idx[axis]));
  }
  return same;
}

// Two threads have two tickets, at least for draws from one counter.
static bool differ_between_threads(Trial *trial, uint32_t first, uint32_t second) {
  Scan *scan = trial->scan;
  ExprPool *pool = scan->pool;
  if (trial->kind == TICKET_THREAD) return true;
  ExprRef one = ticket_number(trial, trial->one, first), two = ticket_number(trial, trial->two, second);
  if (!one || !two) return false;
  Goal goal = {0};
  bool are_own = trial->sites[first] == trial->asked[first] && trial->sites[second] == trial->asked[second];
  if (!trial->is_cell && are_own) {
    SymValue at = frame_value(trial->one, scan->fn->insts.items[trial->sites[first]].ops[0]),
             other = frame_value(trial->two, scan->fn->insts.items[trial->sites[second]].ops[0]);
    goal_add(scan, &goal, expr_eq(pool, at.targets[0].offset, other.targets[0].offset), GOAL_CONTEXT, 0);
  }
  goal_add(scan, &goal, expr_eq(pool, one, two), GOAL_CONFLICT, 0);
  goal_add(scan, &goal, expr_not(pool, same_thread(trial)), GOAL_CONTEXT, 0);
  goal_add(scan, &goal, executes(trial->one, trial, first), GOAL_CONTEXT, 0);
  goal_add(scan, &goal, executes(trial->two, trial, second), GOAL_CONTEXT, 0);
  return is_refuted(trial, &goal, "two threads with one ticket");
}

// One thread does not draw twice with one ticket.
static bool differ_in_a_thread(Trial *trial, uint32_t first, uint32_t second) {
  Scan *scan = trial->scan;
  ExprPool *pool = scan->pool;
  const IrInst *insts = scan->fn->insts.items;
  uint32_t loop = scan->cfg->loop_of[insts[trial->asked[first]].block];
  bool is_one_loop = loop == scan->cfg->loop_of[insts[trial->asked[second]].block];
  if (first != second && is_one_loop) { // in one round
    Goal both = {0};
    goal_add(scan, &both, executes(trial->one, trial, first), GOAL_CONTEXT, 0);
    goal_add(scan, &both, executes(trial->one, trial, second), GOAL_CONFLICT, 0);
    if (!is_refuted(trial, &both, "a thread that draws twice with one ticket")) return false;
  }
  if (is_one_loop && loop == CFG_NONE) return true;
  ExprRef one = ticket_number(trial, trial->one, first), two = ticket_number(trial, trial->again, second);
  if (!one || !two) return false;
  Goal goal = {0};
  goal_add(scan, &goal, expr_eq(pool, one, two), GOAL_CONFLICT, 0);
  if (is_one_loop)
    goal_add(scan, &goal,
             expr_ne(pool, frame_iteration(trial->one, loop), frame_iteration(trial->again, loop)),
             GOAL_CONTEXT, 0);
  goal_add(scan, &goal, executes(trial->one, trial, first), GOAL_CONTEXT, 0);
  goal_add(scan, &goal, executes(trial->again, trial, second), GOAL_CONTEXT, 0);
  return is_refuted(trial, &goal, "two rounds with one ticket");
}

static bool stays_below(Trial *trial, uint32_t site) {
  Scan *scan = trial->scan;
  ExprPool *pool = scan->pool;
  if (trial->kind != TICKET_GUARD) return true;
  ExprRef number = ticket_number(trial, trial->one, site), bound = bound_of(trial->one, &trial->guards[site]);
  if (!number || !bound || bound != bound_of(trial->one, &trial->guards[0])) return false;
  ExprRef inside = expr_and(pool, expr_binary(pool, EXPR_SLE, 0, expr_const(pool, 64, 0), number),
                            expr_binary(pool, EXPR_SLT, 0, number, bound));
  Goal goal = {0};
  goal_add(scan, &goal, expr_not(pool, inside), GOAL_CONFLICT, 0);
  goal_add(scan, &goal, executes(trial->one, trial, site), GOAL_CONTEXT, 0);
  return is_refuted(trial, &goal, "a ticket that leaves its bound");
}

// At most one loop around a site, and none where threads are the tickets.
static bool is_once_or_in_a_loop(const Trial *trial, uint32_t site) {
  const Cfg *cfg = trial->scan->cfg;
  uint32_t loop = cfg->loop_of[trial->scan->fn->insts.items[trial->asked[site]].block];
  if (loop == CFG_NONE) return true;
  return trial->kind == TICKET_GUARD && cfg->loops.items[loop].parent == CFG_NONE;
}

static bool works(Trial *trial) {
  for (uint32_t s = 0; s < trial->count; s++)
    if (!is_once_or_in_a_loop(trial, s) || !stays_below(trial, s)) return false;
  for (uint32_t s = 0; s < trial->count; s++)
    for (uint32_t other = s; other < trial->count; other++)
      if (!differ_in_a_thread(trial, s, other) || !differ_between_threads(trial, s, other)) return false;
  return true;
}

// Comparisons on the way to the site with a number that is one for all threads: index and bound.
static uint32_t find_guards(const Trial *trial, uint32_t site, Guard *guards) {
  Scan *scan = trial->scan;
  uint32_t count = 0, at = scan->fn->insts.items[trial->asked[site]].block;
  for (int step = 0; step < CHAIN_LIMIT && at != 0 && scan->cfg->idom[at] != CFG_NONE; step++) {
    at = scan->cfg->idom[at];
    const IrInst *end = ir_terminator(scan->fn, at);
    const IrInst *test = end && end->op == IR_CONDBR ? ir_inst(scan->fn, end->ops[0]) : NULL;
    if (!test || test->op != IR_ICMP || test->pred == IR_EQ || test->pred == IR_NE) continue;
    bool is_unsigned =
        test->pred == IR_ULT || test->pred == IR_ULE || test->pred == IR_UGT || test->pred == IR_UGE;
    for (int side = 0; side < 2 && count < GUARD_LIMIT; side++) {
      Guard guard = {test->ops[side], test->ops[1 - side], is_unsigned};
      if (!symeval_width(ir_ref_type(scan->module, scan->fn, guard.index))) continue;
      ExprRef bound = bound_of(trial->one, &guard);
      if (bound && frame_is_of_block(trial->one, bound) && !uniform_ref(scan, guard.index))
        guards[count++] = guard;
    }
  }
  return count;
}

// The first site's guards are tried; the other sites must have one with the same bound.
static bool guards_work(Trial *trial, Guard *found) {
  Guard guards[GUARD_LIMIT], others[GUARD_LIMIT];
  uint32_t count = find_guards(trial, 0, guards);
  for (uint32_t g = 0; g < count; g++) {
    trial->guards[0] = guards[g];
    ExprRef bound = bound_of(trial->one, &guards[g]);
    bool is_complete = true;
    for (uint32_t s = 1; s < trial->count && is_complete; s++) {
      uint32_t other_count = find_guards(trial, s, others);
      is_complete = false;
      for (uint32_t o = 0; o < other_count && !is_complete; o++) {
        trial->guards[s] = others[o];
        is_complete = bound_of(trial->one, &others[o]) == bound;
      }
    }
    *found = guards[g];
    if (is_complete && works(trial)) return true;
  }
  return false;
}

static void add_sites(Trial *trial, const Line *line) {
  for (uint32_t s = 0; line && s < line->site_count; s++) {
    trial->asked[trial->count] = line->asked[s];
    trial->sites[trial->count++] = line->sites[s];
  }
}

static Trial trial_of(Scan *scan, const Line *one, const Line *two) {
  Trial trial = {.scan = scan, .object = one->object, .is_cell = one->is_cell};
  CounterThreads threads = counter_words_threads(scan, one->object);
  trial.one = threads.one;
  trial.two = threads.two;
  ExprRef *rounds = arena_array(scan->arena, scan->cfg->loops.count + 1, ExprRef);
  for (uint32_t l = 0; l < scan->cfg->loops.count; l++)
    rounds[l] = iteration_new(scan, l, "another iteration", OWNER_THREAD1, 0);
  trial.again = frame_make(scan, trial.one->view, rounds, NULL);
  add_sites(&trial, one);
  add_sites(&trial, two);
  return trial;
}

// Between two times that all threads pass one barrier, behind which the counters were set anew, each of them
// draws once at most: the thread's number is the ticket in that period.
static bool is_once_in_a_period(Trial *trial, const Line *one, const Line *two) {
  uint32_t barrier = one->reset == CFG_NONE || one->has_groups || (two && two->has_groups)
                         ? CFG_NONE
                         : counter_bounds_period(trial->one, trial->sites, trial->count, one->reset);
  if (barrier == CFG_NONE || !two) return barrier != CFG_NONE;
  return two->reset != CFG_NONE &&
         counter_bounds_period(trial->one, trial->sites, trial->count, two->reset) == barrier;
}

static const int64_t MOST_BLOCKS = (int64_t)1 << 48;

// Of a counter that all blocks draw from; 0: that may be more than 64 bits can say.
static ExprRef all_threads(Scan *scan) {
  ExprRef threads = third_block_threads(scan);
  int64_t all = 1;
  for (int axis = 0; axis < 3; axis++) {
    int64_t lo = 0, hi = 0;
    ExprRef blocks = expr_resize_unsigned(scan->pool, scan->launch->grid[axis], 64);
    expr_range(scan->pool, blocks, &lo, &hi);
    if (lo < 0 || hi < 1 || hi > MOST_BLOCKS / all) return 0;
    all *= hi;
    threads = expr_binary(scan->pool, EXPR_MUL, EXPR_NSW, threads, blocks);
  }
  return threads;
}

static bool has_guard(Trial *trial, Ticket *ticket) {
  Guard guard;
  trial->kind = TICKET_GUARD;
  if (!guards_work(trial, &guard)) return false;
  ticket->kind = TICKET_GUARD;
  ticket->bound = guard.bound;
  ticket->is_unsigned = guard.is_unsigned;
  return true;
}

static bool has_number(Trial *trial, TicketKind kind, Ticket *ticket) {
  trial->kind = kind;
  if (!works(trial)) return false;
  ticket->kind = kind;
  return true;
}

static Ticket find_ticket(Scan *scan, const Line *one, const Line *two) {
  Ticket ticket = {.one = one, .two = two};
  Trial trial = trial_of(scan, one, two);
  if (scan->objects.items[one->object].kind != OBJ_SHARED) {
    bool is_counted =
        has_guard(&trial, &ticket) || (all_threads(scan) && has_number(&trial, TICKET_THREAD, &ticket));
    bool is_known = is_counted && starts_exactly(scan, one) && (!two || starts_exactly(scan, two));
    if (!is_known) ticket.kind = TICKET_NONE;
    return ticket;
  }
  bool is_found = (!one->is_cell && has_number(&trial, TICKET_LANE, &ticket)) ||
                  has_number(&trial, TICKET_THREAD, &ticket) || (one->is_cell && has_guard(&trial, &ticket));
  if (!is_found && one->is_cell && is_once_in_a_period(&trial, one, two)) ticket.kind = TICKET_PERIOD;
  return ticket;
}

static Ticket ticket_of(Scan *scan, const Line *one, const Line *two) {
  Ends *ends = ends_of(scan);
  for (uint32_t i = 0; i < ends->tickets.count; i++) {
    const Ticket *ticket = &ends->tickets.items[i];
    if (ticket->one == one && ticket->two == two) return *ticket;
  }
  Ticket ticket = find_ticket(scan, one, two);
  vec_push(scan->arena, &ends->tickets, ticket);
  return ticket;
}

// ---- what follows

static ExprRef most_draws(Frame *frame, const Ticket *ticket) {
  Scan *scan = frame->scan;
  bool is_shared = scan->objects.items[ticket->one->object].kind == OBJ_SHARED;
  if (ticket->kind == TICKET_THREAD && !is_shared) return all_threads(scan);
  if (ticket->kind == TICKET_THREAD || ticket->kind == TICKET_PERIOD) return third_block_threads(scan);
  if (ticket->kind == TICKET_LANE) return expr_const(scan->pool, 64, 32);
  Guard guard = {.bound = ticket->bound, .is_unsigned = ticket->is_unsigned};
  return ticket->kind == TICKET_GUARD ? bound_of(frame, &guard) : 0;
}

typedef struct Drawn {
  const Line *line;
  uint32_t source, access; // instructions: the addition, and what uses the number
  ExprRef leaf, was_drawn; // was_drawn: the exact condition
  ExprRef tickets;         // how many take part in the draw, 64 bits
  ExprRef lo, hi;          // what the counter is set to
} Drawn;

// The draw's thread is at the access: under which condition did it draw? 0: that is not known.
static ExprRef condition_of(const DrawRange *draw, const Access *access) {
  const Scan *scan = draw->frame->scan;
  const Cfg *cfg = scan->cfg;
  uint32_t drawn = draw->mask || draw->is_of_warp ? draw->handed : draw->source;
  uint32_t site = scan->fn->insts.items[drawn].block, at = scan->fn->insts.items[access->inst].block;
  if (cfg->loop_of[site] != CFG_NONE && !cfg_loop_contains(cfg, cfg->loop_of[site], at)) return 0;
  uint32_t from = site;
  while (!cfg_dominates(cfg, from, at)) {
    if (from == 0 || cfg->idom[from] == CFG_NONE || cfg->idom[from] == from) return 0;
    from = cfg->idom[from];
  }
  // In one round of the loops around both.
  if (cfg->loop_of[site] != CFG_NONE && !cfg_loop_contains(cfg, cfg->loop_of[site], from)) return 0;
  return frame_exact_condition(draw->frame, from, site);
}

static bool read_drawn(Scan *scan, const DrawRange *draw, const Access *access, Drawn *drawn) {
  ExprPool *pool = scan->pool;
  bool is_single = draw->is_own || draw->mask || draw->is_of_warp;
  if (!is_single || draw->bytes != 4 || expr_width(pool, draw->leaf) != 32) return false;
  drawn->line = line_of(scan, draw);
  if (!drawn->line->is_known) return false;
  drawn->source = draw->source;
  drawn->access = access->inst;
  drawn->was_drawn = condition_of(draw, access);
  if (drawn->was_drawn && draw->only_if) drawn->was_drawn = expr_and(pool, drawn->was_drawn, draw->only_if);
  drawn->tickets = expr_const(pool, 64, 1);
  for (uint32_t s = 0; s < drawn->line->site_count; s++)
    if (drawn->line->sites[s] == draw->source && drawn->line->asked[s] != draw->source)
      drawn->tickets = expr_resize_unsigned(pool, draw->amount, 64);
  drawn->leaf = expr_resize_signed(pool, draw->leaf, 64);
  drawn->lo = expr_const(pool, 64, drawn->line->lo);
  drawn->hi = expr_const(pool, 64, drawn->line->hi);
  if (drawn->line->setting != CFG_NONE) {
    ExprRef set = frame_word(draw->frame, scan->fn->insts.items[drawn->line->setting].ops[1], 32);
    if (!set || !frame_is_of_block(draw->frame, set)) return false;
    drawn->lo = drawn->hi = expr_resize_signed(pool, set, 64);
  }
  return drawn->was_drawn != 0;
}

// At least so much was drawn before, since the counter was set.
static ExprRef drawn_before(ExprPool *pool, const Drawn *drawn) {
  return drawn->line->is_down ? expr_binary(pool, EXPR_SUB, EXPR_NSW, drawn->lo, drawn->leaf)
                              : expr_binary(pool, EXPR_SUB, EXPR_NSW, drawn->leaf, drawn->hi);
}

static ExprRef at_most(ExprPool *pool, ExprRef before, ExprRef draws, ExprRef others, int64_t amount) {
  ExprRef left = expr_binary(pool, EXPR_SUB, EXPR_NSW, draws, others);
  return expr_binary(pool, EXPR_SLE, 0, before,
                     expr_binary(pool, EXPR_MUL, EXPR_NSW, left, expr_const(pool, 64, amount)));
}

static void add_single(Scan *scan, Goal *goal, Frame *frame, const Drawn *drawn) {
  ExprPool *pool = scan->pool;
  Ticket ticket = ticket_of(scan, drawn->line, NULL);
  ExprRef draws = most_draws(frame, &ticket);
  ExprRef holds = drawn->line->is_down ? expr_binary(pool, EXPR_SLE, 0, drawn->leaf, drawn->hi)
                                       : expr_binary(pool, EXPR_SLE, 0, drawn->lo, drawn->leaf);
  if (draws)
    holds = expr_and(pool, holds,
                     at_most(pool, drawn_before(pool, drawn), draws, drawn->tickets, drawn->line->most));
  scan->result->assumptions |= ASSUME_NO_OVERFLOW;
  goal_add(scan, goal, expr_or(pool, expr_not(pool, drawn->was_drawn), holds), GOAL_CONTEXT, 0);
}

// The number is used in the period in which it was drawn, so that two that meet drew in one.
static bool is_of_period(Scan *scan, const Drawn *drawn) {
  return resets_are_apart(scan, drawn->line->object, drawn->source, drawn->access, NULL);
}

static void add_together(Scan *scan, Goal *goal, Frame *frame, const Drawn *one, const Drawn *two) {
  ExprPool *pool = scan->pool;
  const Line *low = one->line, *high = two->line;
  bool is_swapped = low->object > high->object || (low->object == high->object && low->offset > high->offset);
  bool are_shared = scan->objects.items[low->object].kind == OBJ_SHARED;
  if (low == high || !low->is_cell || !high->is_cell ||
      are_shared != (scan->objects.items[high->object].kind == OBJ_SHARED))
    return;
  Ticket ticket = is_swapped ? ticket_of(scan, high, low) : ticket_of(scan, low, high);
  ExprRef draws = most_draws(frame, &ticket);
  if (!draws || (ticket.kind == TICKET_PERIOD && !(is_of_period(scan, one) && is_of_period(scan, two))))
    return;
  ExprRef before = expr_binary(pool, EXPR_ADD, EXPR_NSW, drawn_before(pool, one), drawn_before(pool, two));
  ExprRef tickets = expr_binary(pool, EXPR_ADD, EXPR_NSW, one->tickets, two->tickets);
  ExprRef holds = at_most(pool, before, draws, tickets, low->most > high->most ? low->most : high->most);
  ExprRef both = expr_and(pool, one->was_drawn, two->was_drawn);
  goal_add(scan, goal, expr_or(pool, expr_not(pool, both), holds), GOAL_CONTEXT, 0);
}

static void add_below_count(Scan *scan, Goal *goal, const DrawRange *draw, const Access *access) {
  ExprRef holds = histograms_below_count(scan, draw);
  if (!holds) holds = histograms_between_sums(scan, draw);
  bool is_told = two_pass_counts_tell(scan, draw);
  ExprRef was_drawn = holds || is_told ? condition_of(draw, access) : 0;
  if (was_drawn && holds)
    goal_add(scan, goal, expr_or(scan->pool, expr_not(scan->pool, was_drawn), holds), GOAL_CONTEXT, 0);
  if (was_drawn && is_told) two_pass_counts_add(scan, goal, draw, was_drawn);
}

void draw_bounds_add(Scan *scan, Goal *goal, const ExprSet *occurs, Extent extent,
                     const Instance *const pair[2]) {
  ASSERT(scan_is_extent(extent));
  FactLists *lists = fact_lists(scan);
  for (uint32_t i = 0, count = lists->draws.count; i < count; i++) {
    const DrawRange draw = lists->draws.items[i];
    int side = draw.frame == pair[0]->frame ? 0 : 1;
    Drawn one, two;
    if (draw.frame != pair[side]->frame || !expr_set_has(occurs, draw.leaf)) continue;
    add_below_count(scan, goal, &draw, pair[side]->access);
    if (!read_drawn(scan, &draw, pair[side]->access, &one)) continue;
    add_single(scan, goal, draw.frame, &one);
    bool is_of_block = scan->objects.items[draw.counter].kind == OBJ_SHARED;
    for (uint32_t j = 0; j < count && side == 0 && !(is_of_block && extent_is_between_blocks(extent)); j++) {
      const DrawRange other = lists->draws.items[j];
      if (other.frame == pair[1]->frame && expr_set_has(occurs, other.leaf) &&
          read_drawn(scan, &other, pair[1]->access, &two))
        add_together(scan, goal, draw.frame, &one, &two);
    }
  }
}
