// Random runs. `clocks` tells a race of exactly those accesses that a plain model tells: dense vectors by thread, the whole history of a
// word, no epochs, groups or packing. And where whole barriers of warps and blocks are all that orders, `hirace`, whose state is of constant size,
// tells the same words, but that it does not know that an atomic operation comes before one that has seen its result.
// SPDX-License-Identifier: Apache-2.0
#include "rt/events.h"
#include "check.h"

#include <stdlib.h>

enum { BLOCKS = 3, LANES = 40, THREADS = BLOCKS * LANES, WORDS = 8, EVENTS = 700, REACHES = 2 };

typedef struct PriorLaunches { // an access
  uint32_t thread, time, word, number;
  bool writes, is_strong, reaches_all;
} PriorLaunches;

typedef struct Observation {
  uint32_t thread, time, from, to;
} Observation;

typedef struct Flag { // what strong operations have made of a word
  uint32_t told[THREADS], told_in[BLOCKS][THREADS];
  uint32_t writes, chain_from;
  PriorLaunches last;
  Observation seen[EVENTS];
  uint32_t seen_count;
} Flag;

typedef struct Model {
  uint32_t clock[THREADS][THREADS];
  uint32_t released[REACHES][THREADS][THREADS], heard[REACHES][THREADS][THREADS];
  PriorLaunches past[EVENTS * 2];
  uint32_t past_count;
  Flag flags[WORDS];
  bool races_now;
  bool races[2][WORDS]; // and where no observation counts
} Model;

typedef struct Run {
  uint64_t random;
  bool has_flags; // fences, strong accesses of all kinds
  bool is_long;   // many reads of few words
  bool has_ended[BLOCKS];
  Model model;
  const RtDetectorKind *kinds[2];
  RtDetector *detectors[2];
  bool told[2][WORDS], told_now, differs;
  RtPlace places[EVENTS * 2]; // each access, or each word, has its own, so that none is told once for several
  uint32_t place_count;
} Run;

typedef struct Listener {
  bool *told, *told_now; // the second one may be NULL
} Listener;

static void listen(void *context, const RtRace *race) {
  const Listener *listener = context;
  listener->told[race->second.address / 4 % WORDS] = true;
  if (listener->told_now) *listener->told_now = true;
}

static uint32_t pick(Run *run, uint32_t count) {
  run->random = run->random * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(run->random >> 33) % count;
}

static void raise_to(uint32_t *clock, const uint32_t *by) {
  for (int i = 0; i < THREADS; i++)
    if (by[i] > clock[i]) clock[i] = by[i];
}

static uint32_t block_of(uint32_t thread) {
  return thread / LANES;
}

// ---- the model's accesses
static bool is_observed(const Flag *flag, const uint32_t *clock, uint32_t thread,
                        const PriorLaunches *write) {
  for (uint32_t i = 0; write->number && i < flag->seen_count; i++) {
    const Observation *seen = &flag->seen[i];
    if (seen->from <= write->number && write->number <= seen->to &&
        (seen->thread == thread || seen->time <= clock[seen->thread]))
      return true;
  }
  return false;
}

static bool is_ordered(const Model *model, const PriorLaunches *before, const PriorLaunches *now) {
  if (before->thread == now->thread) return true;
  if (before->time <= model->clock[now->thread][before->thread]) return true;
  for (int r = 0; r < REACHES && now->is_strong; r++)
    if (before->time <= model->heard[r][now->thread][before->thread]) return true;
  return false;
}

static bool reach(const PriorLaunches *a, const PriorLaunches *b) {
  return (a->reaches_all && b->reaches_all) || block_of(a->thread) == block_of(b->thread);
}

static void model_touch(Model *model, PriorLaunches now) {
  for (uint32_t i = 0; i < model->past_count; i++) {
    const PriorLaunches *before = &model->past[i];
    if (before->word != now.word || (!before->writes && !now.writes)) continue;
    if (before->is_strong && now.is_strong && reach(before, &now)) continue;
    if (is_ordered(model, before, &now)) continue;
    model->races[1][now.word] = true;
    if (!is_observed(&model->flags[now.word], model->clock[now.thread], now.thread, before))
      model->races[0][now.word] = model->races_now = true;
  }
  model->past[model->past_count++] = now;
}

static void model_release(Model *model, uint32_t thread, int scope_reach) {
  for (int r = 0; r <= scope_reach; r++)
    memcpy(model->released[r][thread], model->clock[thread], sizeof model->clock[thread]);
  model->clock[thread][thread]++;
}

static void model_acquire(Model *model, uint32_t thread, int scope_reach) {
  for (int r = 0; r <= scope_reach; r++) {
    raise_to(model->clock[thread], model->heard[r][thread]);
    memset(model->heard[r][thread], 0, sizeof model->heard[r][thread]);
  }
}

static void model_hear(Model *model, uint32_t thread, const Flag *flag, bool reaches_all, bool acquires) {
  raise_to(acquires ? model->clock[thread] : model->heard[0][thread], flag->told_in[block_of(thread)]);
  if (reaches_all) raise_to(acquires ? model->clock[thread] : model->heard[1][thread], flag->told);
}

static void model_tell(Model *model, uint32_t thread, Flag *flag, const PriorLaunches *now, bool is_update) {
  if (!is_update) {
    memset(flag->told, 0, sizeof flag->told);
    memset(flag->told_in, 0, sizeof flag->told_in);
  }
  if (!now->is_strong) return;
  if (now->reaches_all) raise_to(flag->told, model->released[1][thread]);
  raise_to(flag->told_in[block_of(thread)], model->released[0][thread]);
}

static void model_access(Model *model, const RtAccess *access) {
  uint32_t thread = access->by.block * LANES + access->by.thread;
  bool is_update = access->kind == RT_ATOMIC || access->kind == RT_ATOMIC_FAILED;
  PriorLaunches now = {.thread = thread,
                       .word = (uint32_t)(access->address / 4 % WORDS),
                       .writes = access->kind == RT_WRITE || access->kind == RT_ATOMIC,
                       .is_strong = access->scope != RT_SCOPE_NONE || access->is_volatile,
                       .reaches_all = access->scope != RT_SCOPE_BLOCK};
  bool orders = access->scope != RT_SCOPE_NONE && access->order != RT_RELAXED;
  bool acquires = orders && access->order != RT_RELEASE, releases = orders && access->order != RT_ACQUIRE;
  Flag *flag = &model->flags[now.word];
  if (now.writes && releases) model_release(model, thread, now.reaches_all);
  now.time = model->clock[thread][thread];
  if (now.is_strong && (!now.writes || is_update)) {
    model_hear(model, thread, flag, now.reaches_all, acquires);
    bool is_seen = flag->chain_from && reach(&flag->last, &now);
    if (is_seen)
      flag->seen[flag->seen_count++] = (Observation){thread, now.time, flag->chain_from, flag->writes};
  }
  if (now.writes && !now.is_strong) flag->chain_from = 0;
  if (now.writes && now.is_strong) {
    bool goes_on = is_update && flag->chain_from && reach(&flag->last, &now);
    now.number = ++flag->writes;
    if (!goes_on) flag->chain_from = now.number;
    flag->last = now;
  }
  model_touch(model, now);
  if (now.writes) model_tell(model, thread, flag, &now, is_update);
}

static void model_meet(Model *model, const uint32_t *threads, uint32_t count) {
  static const uint32_t none[THREADS];
  uint32_t all[THREADS], released[REACHES][THREADS], heard[REACHES][THREADS];
  memcpy(all, none, sizeof all);
  memset(released, 0, sizeof released);
  memset(heard, 0, sizeof heard);
  for (uint32_t i = 0; i < count; i++) {
    raise_to(all, model->clock[threads[i]]);
    for (int r = 0; r < REACHES; r++) {
      raise_to(released[r], model->released[r][threads[i]]);
      raise_to(heard[r], model->heard[r][threads[i]]);
    }
  }
  for (uint32_t i = 0; i < count; i++) {
    memcpy(model->clock[threads[i]], all, sizeof all);
    model->clock[threads[i]][threads[i]]++;
    for (int r = 0; r < REACHES; r++) {
      memcpy(model->released[r][threads[i]], released[r], sizeof released[r]);
      memcpy(model->heard[r][threads[i]], heard[r], sizeof heard[r]);
    }
  }
}

// ---- events
static RtThread any_thread(Run *run) { // few of them, so that they meet
  static const uint32_t lanes[] = {0, 1, 2, 33, 39};
  uint32_t block = pick(run, BLOCKS);
  while (run->has_ended[block])
    block = (block + 1) % BLOCKS;
  return (RtThread){block, run->is_long ? pick(run, LANES) : lanes[pick(run, sizeof lanes / sizeof *lanes)]};
}

static void do_access(Run *run) {
  uint32_t value = 0;
  RtPlace *place = &run->places[run->place_count++];
  RtAccess access = {.by = any_thread(run), .place = place, .bytes = 4, .before = &value, .after = &value};
  access.address = 4 * (WORDS * 100 + pick(run, run->is_long ? 2 : WORDS));
  access.kind = (RtAccessKind)(pick(run, run->is_long ? 40 : 5) ? RT_READ : RT_WRITE);
  uint32_t strength = pick(run, run->is_long ? 200 : 4);
  if (run->has_flags && strength == 0) access.is_volatile = true;
  if (strength == 1) {
    access.kind = run->has_flags ? (RtAccessKind)pick(run, 4) : RT_ATOMIC;
    access.scope = run->has_flags && pick(run, 2) ? RT_SCOPE_BLOCK : RT_SCOPE_DEVICE;
    access.order = run->has_flags ? (RtOrder)pick(run, 5) : RT_RELAXED;
  }
  bool is_shared = run->is_long && access.kind == RT_READ; // a place of the word, so that entries are joined
  if (is_shared) access.place = &run->places[EVENTS + access.address / 4 % WORDS];
  run->model.races_now = run->told_now = false;
  model_access(&run->model, &access);
  for (int i = 0; i < 2 && run->detectors[i]; i++)
    run->kinds[i]->access(run->detectors[i], &access);
  if (!is_shared && run->model.races_now != run->told_now) run->differs = true;
}

static void do_fence(Run *run) {
  RtFence fence = {.by = any_thread(run)};
  fence.scope = pick(run, 2) ? RT_SCOPE_BLOCK : RT_SCOPE_DEVICE;
  fence.order = (RtOrder)(RT_ACQUIRE + pick(run, 4));
  uint32_t thread = fence.by.block * LANES + fence.by.thread;
  int scope_reach = fence.scope != RT_SCOPE_BLOCK;
  if (fence.order != RT_RELEASE) model_acquire(&run->model, thread, scope_reach);
  if (fence.order != RT_ACQUIRE) model_release(&run->model, thread, scope_reach);
  for (int i = 0; i < 2 && run->detectors[i]; i++)
    if (run->kinds[i]->fence) run->kinds[i]->fence(run->detectors[i], &fence);
}

static void do_barrier(Run *run) {
  RtThread threads[THREADS];
  uint32_t numbers[THREADS];
  RtBarrier barrier = {.kind = RT_BARRIER_BLOCK, .threads = threads};
  uint32_t block = pick(run, BLOCKS), kind = pick(run, run->has_flags ? 8 : 4);
  uint32_t first = block * LANES, behind = first + LANES;
  if (kind < 2) barrier.kind = RT_BARRIER_WARP, first += 32 * kind, behind = kind ? behind : first + 32;
  if (kind == 4) barrier.kind = RT_BARRIER_PART, behind = first + 34;
  if (kind == 5) barrier.kind = RT_BARRIER_PART, behind = first + 2;
  if (kind == 6) barrier.kind = RT_BARRIER_CLUSTER, first = 0, behind = 2 * LANES;
  if (kind == 7) barrier.kind = RT_BARRIER_GRID, first = 0, behind = THREADS;
  uint32_t met = 0; // at a barrier of the grid whoever has ended counts as arrived
  for (uint32_t t = first; t < behind; t++) {
    if (run->has_ended[block_of(t)] && kind != 7) return;
    numbers[met++] = t;
    if (!run->has_ended[block_of(t)]) threads[barrier.count++] = (RtThread){block_of(t), t % LANES};
  }
  model_meet(&run->model, numbers, met);
  for (int i = 0; i < 2 && run->detectors[i]; i++)
    run->kinds[i]->barrier(run->detectors[i], &barrier);
}

static void end_block(Run *run) { // one goes on
  uint32_t block = pick(run, BLOCKS - 1);
  if (run->has_ended[block]) return;
  run->has_ended[block] = true;
  for (int i = 0; i < 2 && run->detectors[i]; i++)
    if (run->kinds[i]->block_ends) run->kinds[i]->block_ends(run->detectors[i], block);
}

static void do_event(Run *run) {
  uint32_t what = pick(run, run->is_long ? 12 : 10);
  if (!pick(run, run->is_long ? 200 : 60)) end_block(run);
  if (what < 3)
    do_barrier(run);
  else if (what < 5 && run->has_flags)
    do_fence(run);
  else
    do_access(run);
}

static bool play(uint64_t seed, bool has_flags, uint32_t *races) {
  Run *run = calloc(1, sizeof *run);
  if (!run) return false;
  run->random = seed * 2 + has_flags;
  run->has_flags = has_flags;
  run->kinds[0] = rt_detector_named("clocks");
  run->kinds[1] = has_flags ? NULL : rt_detector_named("hirace");
  RtLaunch launch = {.kernel = "k", .grid = {BLOCKS, 1, 1}, .block = {LANES, 1, 1}, .number = 1};
  for (int t = 0; t < THREADS; t++)
    run->model.clock[t][t] = 1;
  Listener listeners[2] = {{run->told[0], &run->told_now}, {run->told[1], NULL}};
  for (int i = 0; i < 2 && run->kinds[i]; i++) {
    run->detectors[i] = run->kinds[i]->open(&launch, listen, &listeners[i]);
    for (uint32_t block = 0; block < BLOCKS && run->kinds[i]->block_begins; block++)
      run->kinds[i]->block_begins(run->detectors[i], block, 1 << 20);
  }
  run->is_long = seed % 8 == 0;
  uint32_t events = pick(run, EVENTS / 3), part = 1 + pick(run, 8);
  events = run->is_long ? EVENTS : 10 + events / part;
  for (uint32_t i = 0; i < events; i++)
    do_event(run);
  bool is_same = !run->differs;
  for (int i = 0; i < 2 && run->detectors[i]; i++) {
    is_same &= !memcmp(run->told[i], run->model.races[i], sizeof run->model.races[i]);
    run->kinds[i]->close(run->detectors[i]);
  }
  for (int w = 0; w < WORDS; w++)
    *races += run->model.races[0][w];
  free(run);
  return is_same;
}

int main(int count, char **arguments) {
  uint64_t first = count > 1 ? strtoull(arguments[1], NULL, 10) : 1, seeds = count > 1 ? 1 : 600;
  uint32_t races = 0, words = 0;
  for (uint64_t seed = first; seed < first + seeds; seed++)
    for (int has_flags = 0; has_flags < 2; has_flags++, words += WORDS)
      if (!CHECK(play(seed, has_flags, &races)))
        fprintf(stderr, "seed %llu, flags %d\n", (unsigned long long)seed, has_flags);
  if (count < 2) CHECK(races > words / 10 && races < words * 9 / 10); // both answers occur
  printf("%u of %u words race\n", races, words);
  return check_result();
}
