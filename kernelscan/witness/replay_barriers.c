// Do two threads of one block really come to different barriers? Threads are interpreted from kernel entry
// with the model's launch, and the barriers of the block that each comes to are compared one by one. They
// part where the barriers differ, or where one thread ends after work that the other one does behind the
// barrier it waits at; a thread that merely ends counts as arrived, but not below sm_70. First those of the
// model, then all of its block, since the model may lean on an over-approximated value; at last those of the
// model with the contents of memory that it has chosen. A branch that hangs on something unknown and decides
// about no barrier is gone round. Of two blocks only barriers of the grid are compared, and a thread that ends
// has not arrived (divergence.c asks for one that arrives for its block). Soundness: contents of memory and results of floating-point operations are
// unknown, so what is said here holds whatever they are, but for what is told to have used them.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/graph.h"
#include "kernelscan/operations.h"
#include "kernelscan/witness/replay.h"

enum { STEP_LIMIT = 200000, BARRIER_LIMIT = 20000, SEARCH_STEPS = 8000000, MOST_THREADS = 1024 };

typedef struct Way {
  VEC(uint32_t) barriers; // that the thread came to
  VEC(uint8_t)
  rounds;               // by barrier, and for what came last: behind the one before, the thread left the
                        // branch in question by another edge than the one to the barrier
  VEC(uint32_t) works;  // accesses, each once between two barriers
  VEC(uint32_t) starts; // likewise by barrier: the first of those in front of it
  bool has_ended;
} Way;

typedef struct Run {
  Scan *scan;
  Arena *arena; // of the ways
  const ReplayQuery *query;
  const BarrierFork *fork;
  ReplayLaunch launch;
  const InterpJoin *joins;
  bool with_memory, used_memory; // what the model has chosen
  Way *way;                      // of the thread that is run
} Run;

// ---- one thread
static bool is_between_blocks(const Run *run) {
  return extent_is_between_blocks(run->query->couple.extent);
}

static bool is_compared(const Run *run, uint32_t inst) {
  const Scan *scan = run->scan;
  for (uint32_t p = 1; p < scan->points.count; p++) {
    const Point *point = &scan->points.items[p];
    if (point->inst == inst && point_is_of_all(point))
      return !is_between_blocks(run) || point->scope == IR_SCOPE_DEVICE;
  }
  return false;
}

static bool on_sync(void *context, const InterpSync *sync) {
  Run *run = context;
  Way *way = run->way;
  if (!is_compared(run, sync->inst)) return true;
  vec_push(run->arena, &way->barriers, sync->inst);
  vec_push(run->arena, &way->rounds, 0);
  vec_push(run->arena, &way->starts, way->works.count);
  return way->barriers.count < BARRIER_LIMIT;
}

static bool on_access(void *context, const InterpAccess *access) {
  Run *run = context;
  Way *way = run->way;
  if (operation_is_leaving(&run->scan->fn->insts.items[access->inst])) return true;
  for (uint32_t i = vec_last(&way->starts); i < way->works.count; i++)
    if (way->works.items[i] == access->inst) return true;
  vec_push(run->arena, &way->works, access->inst);
  return true;
}

static void on_edge(void *context, uint32_t from, uint32_t to) {
  Run *run = context;
  if (from == run->fork->branch && to != run->fork->toward) vec_last(&run->way->rounds) = 1;
}

static bool on_read(void *context, uint32_t object, int64_t offset, uint32_t bytes, InterpValue *value) {
  Run *run = context;
  if (replay_told(&run->launch, object, offset, bytes, value)) return true;
  bool is_known = run->with_memory && replay_is_given(&run->launch, object) &&
                  replay_initial(&run->launch, object, offset, bytes, value);
  run->used_memory |= is_known;
  return is_known;
}

// What is kept of a scan.
typedef struct Kept {
  uint64_t steps;          // taken so far where all threads of a launch are tried
  const InterpJoin *joins; // by block; NULL: not asked yet
} Kept;

static Kept *kept_of(Scan *scan) {
  return SCAN_STATE_OF(scan, replay_barriers, Kept);
}

static Way run_way(Run *run, const int64_t *block_idx, const int64_t *thread_idx) {
  Way way = {0};
  InterpEnd end = {0};
  InterpRequest request = replay_request(&run->launch, block_idx, thread_idx);
  request.step_limit = STEP_LIMIT;
  request.access = on_access;
  request.sync = on_sync;
  request.edge = on_edge;
  request.read = on_read;
  request.context = run;
  request.joins = run->joins;
  request.end = &end;
  request.passes_unknown_accesses = true;
  request.floats_are_unknown = !run->with_memory;
  vec_push(run->arena, &way.rounds, 0);
  vec_push(run->arena, &way.starts, 0);
  run->way = &way;
  Arena *scratch = arena_open();
  way.has_ended = interp_run(&request, scratch) == INTERP_DONE && way.barriers.count < BARRIER_LIMIT;
  arena_close(scratch);
  kept_of(run->scan)->steps += end.steps;
  return way;
}

// ---- branches that do not matter
// No thread waits in it, or ends there.
static bool is_plain_block(const Scan *scan, uint32_t block) {
  const IrBlock *all = &scan->fn->blocks.items[block];
  bool is_plain = true;
  for (uint32_t i = all->first; i < all->first + all->count && is_plain; i++)
    switch (ir_op_step((IrOp)scan->fn->insts.items[i].op)) {
    case IR_STEP_BARRIER:
    case IR_STEP_OBJECT:
    case IR_STEP_CALL:
    case IR_STEP_RET:
    case IR_STEP_UNREACHABLE: is_plain = false; break;
    case IR_STEPS_COMPUTED:
    case IR_STEP_ACCESS:
    case IR_STEP_COPIES:
    case IR_STEP_FENCE:
    case IR_STEP_LANES:
    case IR_STEP_BR:
    case IR_STEP_CONDBR:
    case IR_STEP_SWITCH: break;
    }
  return is_plain;
}

// Where the ways of the branch meet again, if no barrier is between.
static InterpJoin join_of(Scan *scan, uint32_t branch) {
  const Cfg *cfg = scan->cfg;
  InterpJoin join = {.block = UINT32_MAX};
  uint32_t first = cfg->succ_first[branch], end = cfg->succ_first[branch + 1], meet = cfg->ipdom[branch];
  if (end - first < 2 || meet == CFG_NONE) return join;
  uint8_t *between = arena_array(scan->arena, cfg->block_count + 1, uint8_t);
  for (uint32_t s = first; s < end; s++) {
    const uint8_t *reached = cfg_reachable(cfg, cfg->succs[s], meet, scan->arena);
    for (uint32_t b = 0; b < cfg->block_count; b++)
      between[b] |= reached[b];
  }
  for (uint32_t b = 0; b < cfg->block_count; b++)
    if (between[b] && !is_plain_block(scan, b)) return join;
  return (InterpJoin){meet, between};
}

static const InterpJoin *joins_of(Scan *scan) {
  Kept *kept = kept_of(scan);
  if (kept->joins) return kept->joins;
  InterpJoin *joins = arena_array(scan->arena, scan->cfg->block_count + 1, InterpJoin);
  for (uint32_t b = 0; b < scan->cfg->block_count; b++)
    joins[b] = join_of(scan, b);
  return kept->joins = joins;
}

// ---- two threads
static bool has_done(const Way *way, uint32_t interval, uint32_t inst) {
  uint32_t end = interval + 1 < way->starts.count ? way->starts.items[interval + 1] : way->works.count;
  for (uint32_t i = way->starts.items[interval]; i < end; i++)
    if (way->works.items[i] == inst) return true;
  return false;
}

// The one thread ended, the other one waits at its barrier `common`: did the first do what the other does
// behind it, and not in front of it?
static PartingKind judge_end(const Run *run, const Way *ended, const Way *waiting, uint32_t common) {
  const Scan *scan = run->scan;
  if (!ended->has_ended) return PARTING_NOT_SHOWN;
  if (is_between_blocks(run)) return PARTING_BLOCK_LEFT;
  if (scan->request->options.arch < 70) return PARTING_SHOWN;
  if (run->fork->is_leaving) return PARTING_BY_LEAVING;
  uint32_t barrier = waiting->barriers.items[common];
  const uint8_t *after = cfg_reachable(scan->cfg, scan->fn->insts.items[barrier].block, CFG_NONE, run->arena);
  for (uint32_t i = vec_last(&ended->starts); i < ended->works.count; i++) {
    uint32_t work = ended->works.items[i];
    if (after[scan->fn->insts.items[work].block] && !has_done(waiting, common, work)) return PARTING_SHOWN;
  }
  return PARTING_BY_LEAVING;
}

static uint32_t common_barriers(const Way *one, const Way *two) {
  uint32_t common = 0;
  while (common < one->barriers.count && common < two->barriers.count &&
         one->barriers.items[common] == two->barriers.items[common])
    common++;
  return common;
}

static PartingKind compare(const Run *run, const Way *one, const Way *two) {
  uint32_t common = common_barriers(one, two);
  if (common < one->barriers.count && common < two->barriers.count)
    return is_between_blocks(run) ? PARTING_NOT_SHOWN : PARTING_SHOWN; // blocks meet all the same
  if (common < one->barriers.count) return judge_end(run, two, one, common);
  if (common < two->barriers.count) return judge_end(run, one, two, common);
  return PARTING_NOT_SHOWN;
}

// Does `one` come to the barrier in question, where `two` leaves the branch by another edge?
static bool is_about_fork(const Run *run, const Way *one, const Way *two) {
  uint32_t common = common_barriers(one, two);
  return common < one->barriers.count && one->barriers.items[common] == run->fork->barrier &&
         two->rounds.items[common];
}

static PartingKind try_model(Run *run) {
  int64_t block_idx[3], thread_idx[3];
  Way ways[2];
  for (int t = 0; t < 2; t++) {
    const View *view = run->query->views[t];
    if (!replay_triple(&run->launch, view->block_idx, block_idx) ||
        !replay_triple(&run->launch, view->thread_idx, thread_idx))
      return PARTING_NOT_SHOWN;
    ways[t] = run_way(run, block_idx, thread_idx);
  }
  return compare(run, &ways[0], &ways[1]);
}

// ---- all threads of the block
static void place_thread(const Run *run, int64_t linear, WitnessThread *thread) {
  const int64_t *size = run->launch.block;
  thread->thread_idx[0] = linear % size[0];
  thread->thread_idx[1] = linear / size[0] % size[1];
  thread->thread_idx[2] = linear / size[0] / size[1];
  thread->warp = linear / 32;
  thread->lane = linear % 32;
}

// Ways that are alike need not be compared twice.
typedef struct Kinds {
  VEC(Way) ways;
  VEC(int64_t) threads;
} Kinds;

static bool is_alike(const Way *a, const Way *b) {
  return a->has_ended == b->has_ended && a->barriers.count == b->barriers.count &&
         common_barriers(a, b) == a->barriers.count && a->works.count == b->works.count &&
         (!a->works.count ||
          memcmp(a->works.items, b->works.items, a->works.count * sizeof *a->works.items) == 0) &&
         memcmp(a->rounds.items, b->rounds.items, a->rounds.count) == 0;
}

static void add_kind(Run *run, Kinds *kinds, const Way *way, int64_t thread) {
  for (uint32_t i = 0; i < kinds->ways.count; i++)
    if (is_alike(&kinds->ways.items[i], way)) return;
  vec_push(run->arena, &kinds->ways, *way);
  vec_push(run->arena, &kinds->threads, thread);
}

static PartingKind best_pair(Run *run, const Kinds *kinds, int64_t *threads) {
  PartingKind best = PARTING_NOT_SHOWN;
  for (uint32_t i = 0; i < kinds->ways.count; i++)
    for (uint32_t k = 0; k < kinds->ways.count; k++) {
      const Way *one = &kinds->ways.items[i], *two = &kinds->ways.items[k];
      if (i == k || !is_about_fork(run, one, two)) continue;
      PartingKind kind = compare(run, one, two);
      if (kind <= best) continue;
      best = kind;
      threads[0] = kinds->threads.items[i];
      threads[1] = kinds->threads.items[k];
    }
  return best;
}

static PartingKind search_block(Run *run, Parting *parting) {
  Scan *scan = run->scan;
  int64_t count = run->launch.block[0] * run->launch.block[1] * run->launch.block[2], block_idx[3];
  if (count <= 1 || count > MOST_THREADS ||
      !replay_triple(&run->launch, run->query->views[0]->block_idx, block_idx))
    return PARTING_NOT_SHOWN;
  Kinds kinds = {0};
  for (int64_t t = 0; t < count && kept_of(scan)->steps < SEARCH_STEPS; t++) {
    WitnessThread thread;
    place_thread(run, t, &thread);
    Way way = run_way(run, block_idx, thread.thread_idx);
    add_kind(run, &kinds, &way, t);
  }
  int64_t threads[2] = {0, 0};
  PartingKind kind = best_pair(run, &kinds, threads);
  for (int t = 0; t < 2; t++) {
    memcpy(parting->threads[t].block_idx, block_idx, sizeof block_idx);
    place_thread(run, threads[t], &parting->threads[t]);
  }
  parting->is_of_other_threads = kind != PARTING_NOT_SHOWN;
  return kind;
}

static Parting find_parting(Run *run) {
  Parting parting = {.kind = try_model(run)}, searched = {0};
  if (parting.kind == PARTING_SHOWN || is_between_blocks(run)) return parting;
  searched.kind = search_block(run, &searched);
  if (searched.kind > parting.kind) parting = searched;
  if (parting.kind == PARTING_SHOWN) return parting;
  run->with_memory = true;
  if (try_model(run) != PARTING_SHOWN || !run->used_memory) return parting;
  return (Parting){.kind = PARTING_SHOWN, .used_memory = true};
}

Parting replay_parts_at_barrier(Scan *scan, const ReplayQuery *query, const BarrierFork *fork) {
  ASSERT(query->answer && view_is_made(query->views[0]) && view_is_made(query->views[1]));
  ASSERT(scan_has_inst(scan, fork->barrier) && scan_has_block(scan, fork->branch) &&
         scan_has_block(scan, fork->toward));
  Parting parting = {0};
  Run run = {.scan = scan, .query = query, .fork = fork, .joins = joins_of(scan)};
  if (!replay_make_launch(scan, query->answer, &run.launch)) return parting;
  run.arena = arena_open();
  parting = find_parting(&run);
  arena_close(run.arena);
  return parting;
}
