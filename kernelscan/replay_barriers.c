// Do two threads of one block really come to different barriers? Both are interpreted from kernel entry with
// the model's launch, and the barriers of the block that each comes to are compared one by one. They part
// where the barriers differ, or where one thread ends after work that the other one does behind the barrier
// it waits at; a thread that merely ends counts as arrived, but not below sm_70. Soundness: contents of
// memory and results of floating-point operations are unknown, so what is said here holds whatever they are.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/replay.h"

enum { STEP_LIMIT = 200000, BARRIER_LIMIT = 20000 };

typedef struct Way {
  Scan *scan;
  VEC(uint32_t) barriers; // that the thread came to
  VEC(uint32_t) works;    // accesses since the last of them
  bool has_ended;
} Way;

static bool is_barrier_of_all(const Scan *scan, uint32_t inst) {
  for (uint32_t p = 1; p < scan->points.count; p++)
    if (scan->points.items[p].inst == inst && point_is_of_all(&scan->points.items[p])) return true;
  return false;
}

static bool on_sync(void *context, const InterpSync *sync) {
  Way *way = context;
  if (!is_barrier_of_all(way->scan, sync->inst)) return true;
  vec_push(way->scan->arena, &way->barriers, sync->inst);
  way->works.count = 0;
  return way->barriers.count < BARRIER_LIMIT;
}

static bool on_access(void *context, const InterpAccess *access) {
  Way *way = context;
  if (barriers_is_leaving(&way->scan->fn->insts.items[access->inst])) return true;
  for (uint32_t i = 0; i < way->works.count; i++)
    if (way->works.items[i] == access->inst) return true;
  vec_push(way->scan->arena, &way->works, access->inst);
  return true;
}

static Way run_way(Scan *scan, const ReplayLaunch *launch, const View *view) {
  Way way = {.scan = scan};
  int64_t block_idx[3], thread_idx[3];
  if (!replay_triple(launch, view->block_idx, block_idx) ||
      !replay_triple(launch, view->thread_idx, thread_idx))
    return way;
  InterpRequest request = replay_request(launch, block_idx, thread_idx);
  request.step_limit = STEP_LIMIT;
  request.access = on_access;
  request.sync = on_sync;
  request.context = &way;
  request.passes_unknown_accesses = request.floats_are_unknown = true;
  Arena *scratch = arena_open();
  way.has_ended = interp_run(&request, scratch) == INTERP_DONE && way.barriers.count < BARRIER_LIMIT;
  arena_close(scratch);
  return way;
}

// The one thread ended, the other one waits at `barrier`: did the first do what the other does behind it?
static bool has_missed(Scan *scan, const Way *ended, uint32_t barrier) {
  if (!ended->has_ended) return false;
  if (scan->request->options.arch < 70) return true;
  const uint8_t *after =
      cfg_reachable(scan->cfg, scan->fn->insts.items[barrier].block, CFG_NONE, scan->arena);
  for (uint32_t i = 0; i < ended->works.count; i++)
    if (after[scan->fn->insts.items[ended->works.items[i]].block]) return true;
  return false;
}

bool replay_parts_at_barrier(Scan *scan, const ReplayQuery *query) {
  ReplayLaunch launch = {0};
  if (!replay_make_launch(scan, query->answer, &launch)) return false;
  Way one = run_way(scan, &launch, query->views[0]), two = run_way(scan, &launch, query->views[1]);
  uint32_t common = 0;
  while (common < one.barriers.count && common < two.barriers.count &&
         one.barriers.items[common] == two.barriers.items[common])
    common++;
  if (common < one.barriers.count && common < two.barriers.count) return true;
  if (common < one.barriers.count) return has_missed(scan, &two, one.barriers.items[common]);
  return common < two.barriers.count && has_missed(scan, &one, two.barriers.items[common]);
}
