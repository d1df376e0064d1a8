// Does the witness happen? Both threads are interpreted from kernel entry with the model's launch, and must
// make the two accesses on a common byte, after the same number of synchronisation points of the extent. If
// they do not, the model leaned on an over-approximated value; then all threads of that launch are run, in
// search of two that do collide. Soundness: a confirmed race happened in the IR; nothing else is called
// definite. Memory contents are never invented: a thread that needs what the kernel is given makes the race
// "possible"; one that needs what only the kernel puts into shared memory leaves it to a run (schedule_search.c).
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/copies.h"
#include "kernelscan/interval.h"
#include "kernelscan/memory.h"
#include "kernelscan/graph.h"
#include "kernelscan/operations.h"
#include "kernelscan/witness/replay.h"
#include "kernelscan/kernel.h"

#include <stdlib.h>

// SEARCH_STEPS: of all searches of one kernel together. Threads that wait for others would spin to
// STEP_LIMIT, each of them.
enum { STEP_LIMIT = 200000, SEARCH_THREADS = 2048, SEARCH_STEPS = 40000000, HIT_LIMIT = 20000 };

typedef struct Hit {
  uint32_t object;
  int64_t offset;
  uint32_t bytes;
  uint32_t interval; // synchronisation points of the extent passed before
  uint32_t thread;   // index of the thread in the run
  uint32_t side;     // 0, 1: which access
  // Asynchronous copies: still going on, and how many groups were committed behind it (-1: it is in none
  // yet).
  bool is_going_on;
  int32_t groups;
  uint32_t from, to; // numbers of the accesses of its thread between which it happens
} Hit;

typedef struct Replay {
  Scan *scan;
  const ReplayQuery *query;
  ReplayLaunch launch;
  uint32_t thread;          // being run
  const int64_t *block_idx; // of it
  uint32_t points_passed;   // by it: synchronisation points of the extent
  uint32_t named_passed; // by it: barriers with a number, or of a group that is not known, that are no points
  uint32_t access_count; // by it
  uint32_t partial_passed; // partial warp barriers that hold both threads
  uint32_t stopped_at;     // instruction at which the last run ended
  uint64_t steps;          // that it took
  uint32_t missing_from;   // instruction that had no value for it, or CFG_NONE
  bool is_search;          // all threads, not those of the model; then lane 0 of each warp is elected
  bool used_memory;        // contents of memory that the model chose were read
  uint32_t traced_to;      // number of the access up to which its rounds are counted, or 0
  WitnessInterval *traced; // of that access
  uint32_t traced_points;  // points_passed there
  uint32_t *rounds;        // by loop: in which iteration it is
  uint32_t host_rounds[2]; // how many of the witness's iterations are those of host loops: the first ones
  VEC(Hit) hits;
  VEC(uint32_t) going_on; // those of `thread` that are: a loop makes thousands that are not
} Replay;

// ---- running
// Does the access, made between the two halves of a barrier of the extent, go on behind it?
static bool is_behind_arrival(const Replay *replay, const Access *access) {
  const Scan *scan = replay->scan;
  CarriedOver *over = carried_over(scan);
  for (uint32_t i = 0; i < over->points.count; i++) {
    const Carried *carried = &over->points.items[i];
    if (carried->copy == access && carried->arrival &&
        point_orders(&scan->points.items[carried->point], replay->query->couple))
      return true;
  }
  return false;
}

// A write that goes on, for bulk copies, until a fence between the two ways to memory.
static bool is_unseen(const Replay *replay, uint32_t side) {
  const Scan *scan = replay->scan;
  const Access *write = replay->query->accesses[side], *copy = replay->query->accesses[1 - side];
  return proxies_is_bulk(scan, copy) && write->kind != ACCESS_READ && !proxies_is_bulk(scan, write);
}

static void add_hit(Replay *replay, Hit hit) {
  if (hit.is_going_on) vec_push(replay->scan->arena, &replay->going_on, replay->hits.count);
  vec_push(replay->scan->arena, &replay->hits, hit);
}

// Synchronisation points of the extent that the thread has passed. Partial barriers that hold both threads
// count; a named barrier may have ordered the two.
static uint32_t interval_number(const Replay *replay) {
  bool is_wide = extent_is_between_blocks(replay->query->couple.extent);
  return replay->points_passed * 4096 + (is_wide ? 0 : replay->partial_passed + replay->named_passed);
}

static bool on_access(void *context, const InterpAccess *access) {
  Replay *replay = context;
  uint32_t interval = interval_number(replay);
  replay->access_count++;
  if (replay->traced_to) {
    if (replay->access_count == replay->traced_to) replay->traced_points = replay->points_passed;
    return true;
  }
  if (access->after_opaque) return true; // whatever was called may have synchronised
  for (uint32_t side = 0; side < 2; side++) {
    const Access *wanted = replay->query->accesses[side];
    if (wanted->inst != access->inst || (wanted->kind == ACCESS_READ) == access->is_write) continue;
    for (uint32_t later = 0;
         later < (is_behind_arrival(replay, wanted) ? 2 : 1) && replay->hits.count < HIT_LIMIT; later++)
      add_hit(replay,
              (Hit){.object = replay_number_in_cluster(&replay->launch, replay->block_idx, access->object),
                    .offset = access->offset,
                    .bytes = access->bytes,
                    .interval = interval + later * 4096,
                    .thread = replay->thread,
                    .side = side,
                    .is_going_on = wanted->is_async || is_unseen(replay, side),
                    .groups = -1,
                    .from = replay->access_count,
                    .to = replay->access_count});
  }
  return true;
}

// The copy is done here: it was made in every interval since its issue.
static void finish_copy(Replay *replay, uint32_t index) {
  Hit copy = replay->hits.items[index];
  replay->hits.items[index].is_going_on = copy.is_going_on = false;
  replay->hits.items[index].to = copy.to = replay->access_count;
  uint32_t last = replay->points_passed * 4096 + copy.interval % 4096;
  for (uint32_t i = copy.interval + 4096; i <= last && i <= copy.interval + 64 * 4096; i += 4096) {
    copy.interval = i;
    if (replay->hits.count < HIT_LIMIT) vec_push(replay->scan->arena, &replay->hits, copy);
  }
}

static void keep_going_on(Replay *replay) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < replay->going_on.count; i++)
    if (replay->hits.items[replay->going_on.items[i]].is_going_on)
      replay->going_on.items[kept++] = replay->going_on.items[i];
  replay->going_on.count = kept;
}

static void pass_proxy_fence(Replay *replay, const IrInst *fence) {
  for (uint32_t i = 0; i < replay->going_on.count; i++) {
    uint32_t side = replay->hits.items[replay->going_on.items[i]].side;
    if (is_unseen(replay, side) && proxies_passes_fence(replay->scan, fence, replay->query->accesses[side]))
      finish_copy(replay, replay->going_on.items[i]);
  }
}

static void pass_group(Replay *replay, bool is_wait, int64_t left) {
  for (uint32_t i = 0; i < replay->going_on.count; i++) {
    Hit *hit = &replay->hits.items[replay->going_on.items[i]];
    if (operation_is_of_object(replay->scan, replay->query->accesses[hit->side]) ||
        is_unseen(replay, hit->side))
      continue;
    if (!is_wait) hit->groups++;
    if (is_wait && hit->groups >= 0 && hit->groups >= left) finish_copy(replay, replay->going_on.items[i]);
  }
}

static void on_async(void *context, uint32_t inst, int64_t left) {
  Replay *replay = context;
  const IrInst *made = &replay->scan->fn->insts.items[inst];
  if (proxies_is_fence(made))
    pass_proxy_fence(replay, made);
  else
    pass_group(replay, made->op == IR_ASYNCWAIT, left);
  keep_going_on(replay);
}

// The copies that belong to a barrier object are done behind its wait, if the thread had arrived behind them.
static void pass_object(Replay *replay, uint32_t inst, bool is_arrival) {
  bool is_pipeline = replay->scan->fn->insts.items[inst].op == IR_PIPELINE;
  for (uint32_t i = 0; i < replay->going_on.count; i++) {
    Hit *hit = &replay->hits.items[replay->going_on.items[i]];
    const Access *copy = replay->query->accesses[hit->side];
    if (is_unseen(replay, hit->side) || async_may_be_of_object(replay->scan, copy) == is_pipeline) continue;
    if (is_arrival)
      hit->groups = 0;
    else if (hit->groups >= 0)
      finish_copy(replay, replay->going_on.items[i]);
  }
  keep_going_on(replay);
}

static void finish_all(Replay *replay) {
  for (uint32_t i = 0; i < replay->going_on.count; i++)
    finish_copy(replay, replay->going_on.items[i]);
  replay->going_on.count = 0;
}

// ---- between which barriers
static bool is_behind_traced(const Replay *replay) {
  return replay->access_count >= replay->traced_to;
}

// The thread that is traced comes to a barrier; false: no more is asked of it.
static bool trace_barrier(Replay *replay, const InterpSync *sync, bool holds_both) {
  Scan *scan = replay->scan;
  WitnessInterval *interval = replay->traced;
  WitnessBarrier barrier = {*ir_loc(scan->module, scan->fn->insts.items[sync->inst].loc),
                            (IrScope)sync->scope, holds_both};
  bool is_half = sync->kind == IR_BARRIER_ARRIVAL || sync->kind == IR_BARRIER_NAMED_ARRIVE;
  if (is_half && !holds_both) return true;
  if (is_behind_traced(replay)) {
    if (holds_both || !interval->after.count) vec_push(scan->arena, &interval->after, barrier);
    interval->is_whole = holds_both;
    return !holds_both;
  }
  interval->passed += holds_both;
  if (holds_both)
    interval->before.count = 0;
  else if (interval->before.count && !vec_last(&interval->before).holds_both)
    interval->before.count--;
  vec_push(scan->arena, &interval->before, barrier);
  return true;
}

static void count_sync(Replay *replay, const InterpSync *sync) {
  const Scan *scan = replay->scan;
  bool is_point = false;
  if (arrivals_meet_of(scan, sync->inst)) pass_object(replay, sync->inst, sync->kind == IR_BARRIER_ARRIVAL);
  for (uint32_t p = 1; p < scan->points.count; p++) {
    const Point *point = &scan->points.items[p];
    if (point->inst != sync->inst) continue;
    is_point = true;
    if (point->cover)
      replay->partial_passed += replay->query->couple.covering >> (point->cover - 1) & 1;
    else
      replay->points_passed += point_orders(point, replay->query->couple);
  }
  // A tile whose size is not constant may hold both threads.
  bool may_hold_both = sync->kind == IR_BARRIER_NAMED ||
                       (sync->kind == IR_BARRIER_COALESCED && scan->fn->insts.items[sync->inst].op_count > 0);
  replay->named_passed += !is_point && may_hold_both;
}

static bool on_sync(void *context, const InterpSync *sync) {
  Replay *replay = context;
  uint32_t before = interval_number(replay);
  count_sync(replay, sync);
  return !replay->traced_to || trace_barrier(replay, sync, interval_number(replay) != before);
}

static bool read_told(void *context, uint32_t object, int64_t offset, uint32_t bytes, InterpValue *value) {
  const Replay *replay = context;
  return replay_told(&replay->launch, object, offset, bytes, value);
}

static bool on_read(void *context, uint32_t object, int64_t offset, uint32_t bytes, InterpValue *value) {
  Replay *replay = context;
  if (read_told(context, object, offset, bytes, value)) return true;
  bool is_known = replay_initial(&replay->launch, object, offset, bytes, value);
  replay->used_memory |= is_known;
  return is_known;
}

static void on_edge(void *context, uint32_t from, uint32_t to) {
  Replay *replay = context;
  const Cfg *cfg = replay->scan->cfg;
  uint32_t loop = cfg->loop_of[to];
  if (is_behind_traced(replay)) return;
  if (loop != CFG_NONE && cfg->loops.items[loop].header == to)
    replay->rounds[loop] = cfg_loop_contains(cfg, loop, from) ? replay->rounds[loop] + 1 : 0;
}

static InterpStop run_thread(Replay *replay, const int64_t *block_idx, const int64_t *thread_idx,
                             uint32_t number, bool stops_at_unknown, Arena *scratch) {
  InterpEnd end = {0};
  InterpRequest request = replay_request(&replay->launch, block_idx, thread_idx);
  request.step_limit = STEP_LIMIT;
  request.read = stops_at_unknown ? read_told : on_read;
  request.access = on_access;
  request.sync = on_sync;
  request.async = on_async;
  if (replay->traced_to) request.edge = on_edge;
  request.context = replay;
  request.end = &end;
  request.passes_unknown_accesses = !stops_at_unknown;
  const View *view = replay->is_search ? NULL : replay->query->views[number];
  if (view && view->elected) replay_value(&replay->launch, view->elected, &request.thread.elected);
  replay->thread = number;
  replay->block_idx = block_idx;
  replay->named_passed = replay->partial_passed = replay->points_passed = replay->access_count = 0;
  InterpStop stop = interp_run(&request, scratch);
  replay->steps = end.steps;
  replay->stopped_at = end.inst;
  replay->missing_from = end.has_source ? end.source : CFG_NONE;
  finish_all(replay);
  return stop;
}

// One thread, whose own copy still goes on when it makes the other access.
static bool meets_itself(const Hit *a, const Hit *b) {
  return a->from < b->from && b->from <= a->to && a->object == b->object &&
         a->offset < b->offset + b->bytes && b->offset < a->offset + a->bytes;
}

static bool overlaps(const Hit *a, const Hit *b) {
  return a->object == b->object && a->interval == b->interval && a->offset < b->offset + b->bytes &&
         b->offset < a->offset + a->bytes;
}

static void add_rounds(const Replay *replay, uint32_t loop, Witness *witness, uint32_t t) {
  Scan *scan = replay->scan;
  if (loop == CFG_NONE) return;
  const CfgLoop *around = &scan->cfg->loops.items[loop];
  add_rounds(replay, around->parent, witness, t);
  WitnessValue entry = {iteration_name(scan, loop), replay->rounds[loop],
                        *ir_loc(scan->module, ir_terminator(scan->fn, around->header)->loc)};
  vec_push(scan->arena, &witness->iterations[t], entry);
}

// Its access is hits[t].
static void trace_thread(Replay *replay, Witness *witness, const Hit *hits, uint32_t t, Arena *scratch) {
  WitnessThread *thread = &witness->threads[t];
  WitnessInterval *interval = &thread->interval;
  *interval = (WitnessInterval){.is_known = replay->query->couple.extent != EXTENT_COUNT, .is_run = true};
  replay->traced_to = hits[t].from;
  replay->traced = interval;
  bool used_memory = replay->used_memory; // what is read behind the access has no part in it
  InterpStop stop = run_thread(replay, thread->block_idx, thread->thread_idx, t, false, scratch);
  replay->used_memory = used_memory;
  interval->is_whole |= stop == INTERP_DONE;
  interval->going_on = hits[t].interval / 4096 - replay->traced_points;
}

// What the replay has found, in place of what the model said: the thread is run once more, up to the access.
static void set_rounds(Replay *replay, Witness *witness, const Hit *hits) {
  const Scan *scan = replay->scan;
  Arena *scratch = arena_open();
  replay->rounds = arena_array(scratch, scan->cfg->loops.count + 1, uint32_t);
  for (uint32_t t = 0; t < 2; t++) {
    witness->iterations[t].count = replay->host_rounds[t];
    trace_thread(replay, witness, hits, t, scratch);
    add_rounds(replay, scan->cfg->loop_of[scan->fn->insts.items[replay->query->accesses[t]->inst].block],
               witness, t);
  }
  replay->traced_to = 0;
  arena_close(scratch);
}

static void set_place(Replay *replay, Witness *witness, const Hit *first, const Hit *second) {
  Hit hits[2] = {*first, *second};
  witness->offset = hits[0].offset > hits[1].offset ? hits[0].offset : hits[1].offset;
  set_rounds(replay, witness, hits);
}

// Memory that begins with nothing: what it holds, the kernel has put there. Where a pointer out of it leads
// was not left to the solver.
static bool reads_shared(const Replay *replay, uint32_t inst) {
  const Scan *scan = replay->scan;
  if (scan->fn->insts.items[inst].type.kind == IR_PTR) return false;
  for (uint32_t a = 0; a < scan->accesses.count; a++)
    for (uint32_t o = 0; scan->accesses.items[a].inst == inst && o < scan->objects.count; o++)
      if (scan->objects.items[o].kind == OBJ_SHARED && access_may_touch(scan, a, o)) return true;
  return false;
}

// Does control or an address of one of the two threads depend on contents of memory that nobody knows?
static ReplayResult missing_memory(Replay *replay, const Witness *witness) {
  ReplayResult result = REPLAY_DIFFERS;
  Arena *scratch = arena_open();
  for (uint32_t t = 0; t < 2; t++) {
    InterpStop stop =
        run_thread(replay, witness->threads[t].block_idx, witness->threads[t].thread_idx, t, true, scratch);
    if (stop != INTERP_NEEDS_MEMORY && stop != INTERP_UNSUPPORTED) continue;
    if (replay->missing_from != CFG_NONE && reads_shared(replay, replay->missing_from))
      result = REPLAY_NOT_SHOWN;
    else if (result == REPLAY_DIFFERS)
      result = REPLAY_NEEDS_MEMORY;
  }
  arena_close(scratch);
  return result;
}

static void dump_replay(const Replay *replay, const InterpStop *stops) {
  StrBuf *out = replay->scan->request->options.dump_goals;
  if (!out) return;
  static const char *const names[] = {"done", "needs memory", "unsupported", "step limit", "undefined"};
  strbuf_printf(out, "  replay: first thread %s, second thread %s\n", names[stops[0]], names[stops[1]]);
  for (uint32_t i = 0; i < replay->hits.count && i < 16; i++) {
    const Hit *hit = &replay->hits.items[i];
    strbuf_printf(out, "    thread %u access %u: object %u byte %lld, interval %u\n", hit->thread, hit->side,
                  hit->object, (long long)hit->offset, hit->interval);
  }
}

// Do copies that one thread began meet its own other access?
static bool own_copy_meets(const Replay *replay, const Hit **first, const Hit **second) {
  for (uint32_t i = 0; i < replay->hits.count; i++)
    for (uint32_t j = 0; j < replay->hits.count; j++) {
      const Hit *a = &replay->hits.items[i], *b = &replay->hits.items[j];
      if (a->side != 0 || b->side != 1 || a->thread != b->thread || !meets_itself(a, b)) continue;
      *first = a;
      *second = b;
      return true;
    }
  return false;
}

static int compare_places(const void *x, const void *y) {
  const Hit *a = *(const Hit *const *)x, *b = *(const Hit *const *)y;
  if (a->object != b->object) return a->object < b->object ? -1 : 1;
  if (a->interval != b->interval) return a->interval < b->interval ? -1 : 1;
  return a->offset < b->offset ? -1 : a->offset > b->offset;
}

// The earliest of the sorted hits that `a` overlaps, or NULL; `widest` is the most bytes that one of them
// has.
static const Hit *earliest_overlap(const Hit *const *sorted, uint32_t count, uint32_t widest, const Hit *a) {
  Hit key = *a;
  key.offset = a->offset - widest;
  uint32_t low = 0, high = count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    const Hit *wanted = &key;
    if (compare_places(&sorted[middle], &wanted) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  const Hit *best = NULL;
  for (uint32_t i = low; i < count; i++) {
    const Hit *b = sorted[i];
    if (b->object != a->object || b->interval != a->interval || b->offset >= a->offset + a->bytes) break;
    if (overlaps(a, b) && (!best || b < best)) best = b;
  }
  return best;
}

static uint32_t distance(const Hit *a, const Hit *b) {
  return a->from > b->from ? a->from - b->from : b->from - a->from;
}

// Of the thread's hits that overlap the other one's, the nearest to it: a loop may make many of them.
static const Hit *nearest(const Replay *replay, const Hit *of, const Hit *other) {
  const Hit *best = of;
  for (uint32_t i = 0; i < replay->hits.count; i++) {
    const Hit *hit = &replay->hits.items[i];
    if (hit->side == of->side && hit->thread == of->thread && overlaps(hit, other) &&
        distance(hit, other) < distance(best, other))
      best = hit;
  }
  return best;
}

// Thread 0 makes access 0, thread 1 makes access 1; for one access both sides are recorded for both threads.
// The second thread's hits are looked up by their places: a loop makes thousands on each side.
static bool two_threads_meet(const Replay *replay, const Hit **first, const Hit **second) {
  uint32_t count = 0, widest = 0;
  Arena *scratch = arena_open();
  const Hit **sorted = arena_array(scratch, replay->hits.count + 1, const Hit *);
  for (uint32_t i = 0; i < replay->hits.count; i++) {
    const Hit *hit = &replay->hits.items[i];
    if (hit->side != 1 || hit->thread != 1) continue;
    sorted[count++] = hit;
    if (hit->bytes > widest) widest = hit->bytes;
  }
  if (count) qsort(sorted, count, sizeof *sorted, compare_places);
  *second = NULL;
  for (uint32_t i = 0; i < replay->hits.count && !*second; i++) {
    *first = &replay->hits.items[i];
    if ((*first)->side == 0 && (*first)->thread == 0)
      *second = earliest_overlap(sorted, count, widest, *first);
  }
  arena_close(scratch);
  if (!*second) return false;
  *second = nearest(replay, *second, *first);
  *first = nearest(replay, *first, *second);
  return true;
}

static ReplayResult run_model_threads(Replay *replay, Witness *witness) {
  InterpStop stops[2];
  Arena *scratch = arena_open();
  for (uint32_t t = 0; t < 2; t++) {
    stops[t] =
        run_thread(replay, witness->threads[t].block_idx, witness->threads[t].thread_idx, t, false, scratch);
    uint32_t *undefined_at = replay->query->undefined_at;
    if (undefined_at) undefined_at[t] = stops[t] == INTERP_UNDEFINED ? replay->stopped_at : CFG_NONE;
  }
  arena_close(scratch);
  dump_replay(replay, stops);
  const Hit *first, *second;
  bool may_be_own = replay->query->couple.extent == EXTENT_COUNT,
       is_own = may_be_own && replay->query->views[0] == replay->query->views[1]; // one thread, run twice
  if ((may_be_own && own_copy_meets(replay, &first, &second)) ||
      (!is_own && two_threads_meet(replay, &first, &second))) {
    set_place(replay, witness, first, second);
    return REPLAY_CONFIRMED;
  }
  if (stops[0] == INTERP_STEP_LIMIT || stops[1] == INTERP_STEP_LIMIT) return REPLAY_IMPOSSIBLE;
  return missing_memory(replay, witness);
}

// ---- search in one launch
static int compare_hits(const void *x, const void *y) {
  const Hit *a = x, *b = y;
  if (a->object != b->object) return a->object < b->object ? -1 : 1;
  if (a->interval != b->interval) return a->interval < b->interval ? -1 : 1;
  if (a->offset != b->offset) return a->offset < b->offset ? -1 : 1;
  if (a->side != b->side) return a->side < b->side ? -1 : 1;
  return a->thread < b->thread ? -1 : a->thread > b->thread;
}

typedef struct RunThread {
  int64_t block_idx[3], thread_idx[3];
  int64_t linear;
} RunThread;

static bool extent_holds(const Replay *replay, const RunThread *a, const RunThread *b) {
  bool same_block = memcmp(a->block_idx, b->block_idx, sizeof a->block_idx) == 0;
  if (extent_is_between_blocks(replay->query->couple.extent)) {
    bool is_split = clusters_kind(replay->scan) == CLUSTERS_KNOWN,
         same_cluster = is_split && clusters_are_same(replay->launch.cluster, a->block_idx, b->block_idx);
    return !same_block && (!is_split || same_cluster == (replay->query->couple.extent == EXTENT_CLUSTER));
  }
  if (!same_block || a->linear == b->linear) return false;
  bool same_warp = a->linear / 32 == b->linear / 32;
  return same_warp == (replay->query->couple.extent == EXTENT_INTRA_WARP);
}

static void fill_thread(WitnessThread *out, const RunThread *thread) {
  memcpy(out->block_idx, thread->block_idx, sizeof out->block_idx);
  memcpy(out->thread_idx, thread->thread_idx, sizeof out->thread_idx);
  out->warp = thread->linear / 32;
  out->lane = thread->linear % 32;
}

static bool search_collision(Replay *replay, const RunThread *threads, Witness *witness) {
  if (!replay->hits.count) return false;
  qsort(replay->hits.items, replay->hits.count, sizeof(Hit), compare_hits);
  for (uint32_t i = 0; i < replay->hits.count; i++) {
    const Hit *a = &replay->hits.items[i];
    for (uint32_t j = i + 1; j < replay->hits.count && j < i + 256; j++) {
      const Hit *b = &replay->hits.items[j];
      if (a->object != b->object || a->interval != b->interval || b->offset >= a->offset + a->bytes) break;
      if (a->side == b->side || !extent_holds(replay, &threads[a->thread], &threads[b->thread])) continue;
      const Hit *first = a->side == 0 ? a : b, *second = a->side == 0 ? b : a;
      fill_thread(&witness->threads[0], &threads[first->thread]);
      fill_thread(&witness->threads[1], &threads[second->thread]);
      set_place(replay, witness, first, second);
      return true;
    }
  }
  return false;
}

// What is kept of a scan.
typedef struct Kept {
  uint64_t search_steps; // taken so far where all threads of a launch are tried
} Kept;

static bool search_launch(Replay *replay, Witness *witness) {
  int64_t per_block = replay->launch.block[0] * replay->launch.block[1] * replay->launch.block[2];
  int64_t blocks = replay->launch.grid[0] * replay->launch.grid[1] * replay->launch.grid[2];
  if (per_block <= 0 || blocks <= 0 || per_block > 1024) return false;
  int64_t run_blocks = SEARCH_THREADS / per_block;
  if (run_blocks > blocks) run_blocks = blocks;
  RunThread *threads = arena_array(replay->scan->arena, (size_t)(run_blocks * per_block) + 1, RunThread);
  replay->hits.count = 0;
  replay->is_search = true;
  Arena *scratch = arena_open();
  Kept *kept = SCAN_STATE_OF(replay->scan, replay, Kept);
  ASSERT(kept->search_steps <= SEARCH_STEPS + STEP_LIMIT);
  uint32_t count = 0;
  for (int64_t b = 0; b < run_blocks; b++) {
    for (int64_t t = 0; t < per_block && kept->search_steps < SEARCH_STEPS; t++) {
      RunThread *thread = &threads[count];
      *thread =
          (RunThread){{b % replay->launch.grid[0], b / replay->launch.grid[0] % replay->launch.grid[1],
                       b / replay->launch.grid[0] / replay->launch.grid[1]},
                      {t % replay->launch.block[0], t / replay->launch.block[0] % replay->launch.block[1],
                       t / replay->launch.block[0] / replay->launch.block[1]},
                      t};
      InterpStop stop = run_thread(replay, thread->block_idx, thread->thread_idx, count, false, scratch);
      (void)stop; // what a thread did before it stopped has happened
      kept->search_steps += replay->steps;
      count++;
    }
  }
  arena_close(scratch);
  return search_collision(replay, threads, witness);
}

ReplayResult replay_check(Scan *scan, const ReplayQuery *query, Witness *witness) {
  ASSERT(query->answer && query->goal && witness);
  ASSERT(scan_has_access(scan, query->accesses[0]) && scan_has_access(scan, query->accesses[1]));
  Replay replay = {.scan = scan, .query = query};
  witness_fill(scan, query, witness, replay.host_rounds);
  if (!replay_make_launch(scan, query->answer, &replay.launch)) return REPLAY_IMPOSSIBLE;
  ReplayResult result = run_model_threads(&replay, witness);
  bool may_search = query->couple.extent != EXTENT_COUNT && !scan_text(scan)->covers.count;
  if ((result == REPLAY_DIFFERS ||
       ((result == REPLAY_NEEDS_MEMORY || result == REPLAY_NOT_SHOWN) && !query->is_of_order)) &&
      may_search) {
    replay.used_memory = false;
    if (search_launch(&replay, witness)) {
      witness->memory.count = 0; // it spoke of the model's threads
      result = REPLAY_CONFIRMED;
    }
  }
  witness->is_replayed = result == REPLAY_CONFIRMED;
  // What leans on chosen contents of memory is possible, not definite.
  return result == REPLAY_CONFIRMED && replay.used_memory ? REPLAY_NEEDS_MEMORY : result;
}
