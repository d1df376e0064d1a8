// The cells of `clocks`: FastTrack's history of a word, where one epoch is kept as long as one suffices, and a set where strong
// accesses or reads make it need one (Flanagan and Freund, "FastTrack", PLDI 2009). Lanes of one warp at one place in one epoch are one
// entry. A plain write that comes behind others in the order takes their place: who races with them races with it as well. When
// the set has doubled it is packed: entries of one warp are joined, and of blocks that have ended without telling anybody one
// entry for each place remains, as nobody will ever know of any of them. So a race of each word is found, though not each pair.
// SPDX-License-Identifier: Apache-2.0
#include "rt/detect/history.h"
#include "rt/contract.h"

#include <stdlib.h>
#include <string.h>

enum { FEW = 64 };

// ---- memory
static void *grown(RtDetector *detector, void *items, uint32_t *capacity, size_t size) {
  uint32_t wanted = *capacity ? *capacity * 2 : 4;
  void *larger = realloc(items, wanted * size);
  if (!larger) {
    detector->common.has_given_up = true;
    return NULL;
  }
  detector->bytes += (wanted - *capacity) * size;
  *capacity = wanted;
  return larger;
}

static void *copied(RtDetector *detector, const void *items, uint32_t capacity, size_t size) {
  void *copy = capacity ? malloc(capacity * size) : NULL;
  if (!copy) return NULL;
  memcpy(copy, items, capacity * size);
  detector->bytes += capacity * size;
  return copy;
}

static void sync_drop(RtDetector *detector, Sync *sync) {
  if (!sync) return;
  clock_drop(&detector->space, sync->told);
  for (uint32_t i = 0; i < sync->told_in_count; i++)
    clock_drop(&detector->space, sync->told_in[i].clock);
  detector->bytes -= sizeof *sync + sync->told_in_capacity * sizeof *sync->told_in +
                     sync->observed_capacity * sizeof *sync->observed;
  free(sync->told_in);
  free(sync->observed);
  free(sync);
}

static void word_drop(void *context, void *cell) {
  RtDetector *detector = context;
  Word *word = cell;
  detector->bytes -= word->capacity * sizeof *word->items;
  free(word->items);
  sync_drop(detector, word->sync);
}

static bool sync_copy(RtDetector *detector, Word *to, const Sync *from) {
  Sync *sync = to->sync = calloc(1, sizeof *sync);
  if (!sync) return false;
  *sync = *from;
  detector->bytes += sizeof *sync;
  sync->told_in = copied(detector, from->told_in, from->told_in_capacity, sizeof *from->told_in);
  sync->observed = copied(detector, from->observed, from->observed_capacity, sizeof *from->observed);
  bool is_whole = (!from->told_in || sync->told_in) && (!from->observed || sync->observed);
  if (!sync->told_in) sync->told_in_count = sync->told_in_capacity = 0;
  if (!sync->observed) sync->observed_count = sync->observed_capacity = 0;
  clock_keep(sync->told);
  for (uint32_t i = 0; i < sync->told_in_count; i++)
    clock_keep(sync->told_in[i].clock);
  return is_whole;
}

static bool word_copy(void *context, void *cell, const void *other) {
  // What is made is whole enough to be dropped, whether or not there was memory for all.
  RtDetector *detector = context;
  Word *to = cell;
  const Word *from = other;
  *to = *from;
  to->sync = NULL;
  to->items = copied(detector, from->items, from->capacity, sizeof *from->items);
  if (from->items && !to->items) *to = (Word){.count = 0};
  bool is_whole = (!from->items || to->items) && (!from->sync || sync_copy(detector, to, from->sync));
  return is_whole;
}

const ShadowKind words_kind = {.cell_bytes = sizeof(Word), .copy = word_copy, .drop = word_drop};

static Touch *items_of(Word *word) {
  return word->items ? word->items : &word->only;
}

static bool grow_items(RtDetector *detector, Word *word) {
  Touch *items = grown(detector, word->items, &word->capacity, sizeof *items);
  if (items && !word->items) items[0] = word->only;
  if (items) word->items = items;
  return items;
}

static void push(RtDetector *detector, Word *word, Touch touch) {
  if (word->count == 0 && !word->items) {
    word->only = touch;
    word->count = 1;
    return;
  }
  if (word->count < word->capacity || grow_items(detector, word)) word->items[word->count++] = touch;
}

// ---- who is known
static uint32_t lane_thread(const Common *common, const Touch *touch, uint32_t lane) { // in the block
  return touch->warp % common->warps * WARP_LANES + lane;
}

static uint32_t block_of(const Common *common, const Touch *touch) {
  return touch->warp / common->warps;
}

static bool is_lane_known(const RtDetector *detector, const Clock *clock, const Touch *touch, uint32_t lane) {
  uint64_t thread = (uint64_t)block_of(&detector->common, touch) * detector->common.threads +
                    lane_thread(&detector->common, touch, lane);
  return clock_of_thread(clock, thread) > touch->epoch;
}

// The lanes of which nothing is known to the one that asks. A thread knows itself.
static uint32_t unknown_lanes(const RtDetector *detector, const Clock *clock, const Touch *touch,
                              const Touch *by) {
  uint32_t lanes = touch->lanes;
  if (touch->warp == by->warp) lanes &= ~by->lanes;
  if (!clock || !lanes) return lanes;
  if (clock_of_warp(&detector->space, clock, touch->warp) > touch->epoch) return 0;
  if (!clock_names_threads(clock)) return lanes;
  for (uint32_t left = lanes; left; left &= left - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(left);
    if (is_lane_known(detector, clock, touch, lane)) lanes &= ~(1u << lane);
  }
  return lanes;
}

// PTX: observation order, then base causality order. Of what its thread did before it that says nothing.
static bool is_observed(const RtDetector *detector, const Sync *sync, const Clock *clock, const Touch *write,
                        const Touch *by) {
  for (uint32_t i = sync && write->from ? sync->observed_count : 0; i-- > 0;) {
    const Observed *read = &sync->observed[i];
    if (read->from > write->from || write->to > read->to) continue;
    Touch reader = {.epoch = read->epoch, .warp = read->warp, .lanes = 1u << read->lane};
    if (!unknown_lanes(detector, clock, &reader, by)) return true;
  }
  return false;
}

static uint32_t unordered_lanes(const RtDetector *detector, const Word *word, const Runner *runner,
                                const Touch *touch, const Touch *by) {
  uint32_t lanes = unknown_lanes(detector, runner->clock, touch, by);
  for (int r = 0; r < REACH_COUNT && lanes && by->is_strong; r++)
    if (runner->heard[r]) lanes &= unknown_lanes(detector, runner->heard[r], touch, by);
  if (lanes && is_observed(detector, word->sync, runner->clock, touch, by)) return 0;
  return lanes;
}

// ---- races
static bool is_weak(const Touch *touch) {
  return !touch->is_strong || !touch->reaches_all;
}

// Strong accesses do not race if each reaches the other one's thread.
static bool collide(const Common *common, const Touch *a, const Touch *b) {
  if (!kind_writes(a->kind) && !kind_writes(b->kind)) return false;
  if (!a->is_strong || !b->is_strong) return true;
  return is_weak(a) || is_weak(b) ? block_of(common, a) != block_of(common, b) : false;
}

static const char *missing(const Touch *a, const RtAccess *access, const Common *common) {
  RtThread lane = {block_of(common, a), lane_thread(common, a, 0)};
  if (a->is_strong && access_is_strong(access)) return "the scope of one does not reach the other thread";
  if (lane.block != access->by.block) return "nothing orders the two blocks";
  return is_same_warp(lane, access->by) ? "no warp barrier between them" : "no block barrier between them";
}

static void tell(RtDetector *detector, const Touch *touch, uint32_t lanes, const RtAccess *access,
                 const ShadowPart *part) {
  Common *common = &detector->common;
  uint32_t lane = 0;
  while (!(lanes >> lane & 1))
    lane++;
  enum { OF_BLOCK = RT_SCOPE_BLOCK << 3, OF_DEVICE = RT_SCOPE_DEVICE << 3 };
  bool is_scoped = touch->is_strong && !touch->is_volatile;
  Seen seen = {.block = block_of(common, touch),
               .thread = lane_thread(common, touch, lane),
               .place = touch->place,
               .after = touch->after,
               .kind = touch->kind,
               .space = touch->space,
               .bytes = touch->bytes,
               .flags = (uint8_t)(touch->is_volatile | (!is_scoped           ? 0
                                                        : touch->reaches_all ? OF_DEVICE
                                                                             : OF_BLOCK))};
  tell_race(common, &seen, access, part, missing(touch, access, common));
}

// ---- remembering
static bool is_same_class(const Touch *a, const Touch *b) {
  return kind_writes(a->kind) == kind_writes(b->kind) && a->is_strong == b->is_strong &&
         a->reaches_all == b->reaches_all;
}

// Whoever races with `old`, which comes before `now` in the order, races with `now`.
static bool stands_for(const Touch *now, const Touch *old) {
  if (now->is_strong) return false;
  return kind_writes(now->kind) || (!kind_writes(old->kind) && !old->is_strong);
}

static bool is_like(const Touch *a, const Touch *b) {
  return a->place == b->place && a->kind == b->kind && is_same_class(a, b) &&
         a->is_volatile == b->is_volatile && (a->after == b->after || !kind_writes(a->kind));
}

static void count_classes(Word *word) {
  const Touch *items = items_of(word);
  word->writes = word->weak = 0;
  for (uint32_t i = 0; i < word->count; i++) {
    word->writes += kind_writes(items[i].kind);
    word->weak += is_weak(&items[i]);
  }
}

static int by_group(const void *a, const void *b) {
  const Touch *x = a, *y = b;
  if (x->is_eternal != y->is_eternal) return x->is_eternal ? -1 : 1;
  if (x->place != y->place) return x->place < y->place ? -1 : 1;
  if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
  if (!x->is_eternal && x->warp != y->warp) return x->warp < y->warp ? -1 : 1;
  if (x->after != y->after && kind_writes(x->kind)) return x->after < y->after ? -1 : 1;
  return x->epoch < y->epoch ? -1 : x->epoch > y->epoch;
}

static bool can_join(const Touch *a, const Touch *b) {
  if (a->is_eternal != b->is_eternal || !is_like(a, b)) return false;
  if (a->is_eternal) return true;
  return a->warp == b->warp && a->epoch == b->epoch && !a->from && !b->from;
}

static void join(Touch *into, const Touch *other) {
  if (!into->is_eternal) {
    into->lanes |= other->lanes;
    return;
  }
  Touch newer = *other; // they are sorted by epoch
  bool are_numbered = into->from && newer.from;
  newer.from = !are_numbered ? 0 : into->from < newer.from ? into->from : newer.from;
  newer.to = !are_numbered ? 0 : into->to > newer.to ? into->to : newer.to;
  *into = newer;
}

static void pack(RtDetector *detector, Word *word) {
  Touch *items = items_of(word);
  for (uint32_t i = 0; i < word->count; i++)
    items[i].is_eternal = !rt_map_item(&detector->blocks.map, block_of(&detector->common, &items[i]));
  qsort(items, word->count, sizeof *items, by_group);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < word->count; i++) {
    if (kept && can_join(&items[kept - 1], &items[i]))
      join(&items[kept - 1], &items[i]);
    else
      items[kept++] = items[i];
  }
  word->count = kept;
  count_classes(word);
}

static bool join_recent(Word *word, const Touch *touch) {
  enum { RECENT = 4 };
  Touch *items = items_of(word);
  for (uint32_t i = word->count; i-- > 0 && i + RECENT >= word->count;) {
    Touch *other = &items[i];
    if (other->is_eternal || other->warp != touch->warp || !is_like(other, touch)) continue;
    if (other->lanes == touch->lanes) { // the same thread once more: the newer one stands for both
      *other = *touch;
      return true;
    }
    if (other->epoch != touch->epoch || other->from || touch->from) continue;
    other->lanes |= touch->lanes;
    return true;
  }
  return false;
}

static void remember(RtDetector *detector, Word *word, const Touch *touch) {
  if (join_recent(word, touch)) return;
  bool is_full = word->items && word->count >= word->capacity && word->count >= FEW;
  if (is_full) pack(detector, word);
  if (is_full && word->count > word->capacity / 2 && !grow_items(detector, word)) return;
  push(detector, word, *touch);
  word->writes += kind_writes(touch->kind);
  word->weak += is_weak(touch);
}

// Entries that the touch stands for go; those that it races with are told.
static void look_through(RtDetector *detector, Word *word, const RtAccess *access, const Runner *runner,
                         const Touch *touch, const ShadowPart *part) {
  Touch *items = items_of(word);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < word->count; i++) {
    const Touch *other = &items[i];
    bool may_race = collide(&detector->common, other, touch), may_go = stands_for(touch, other);
    uint32_t lanes = may_race || may_go ? unordered_lanes(detector, word, runner, other, touch) : 0;
    if (may_race && lanes) tell(detector, other, lanes, access, part);
    if (may_go && !lanes) continue;
    items[kept++] = *other;
  }
  if (kept == word->count) return;
  word->count = kept;
  count_classes(word);
}

void word_touch(RtDetector *detector, Word *word, const RtAccess *access, const Runner *runner, Touch touch,
                const ShadowPart *part) {
  RT_ASSERT(detector && word && runner);
  RT_ASSERT(touch.bytes > 0);
  RT_ASSERT(part && part->offset + part->bytes <= access->bytes);
  bool is_write = kind_writes(touch.kind);
  bool is_quiet = (!is_write && !word->writes) || (!is_weak(&touch) && !word->weak);
  if (!is_quiet) look_through(detector, word, access, runner, &touch, part);
  remember(detector, word, &touch);
}

Touch touch_of(RtDetector *detector, const RtAccess *access, const Runner *runner, const ShadowPart *part) {
  RT_ASSERT(detector && runner);
  RT_ASSERT(access->by.thread < detector->common.threads);
  bool is_strong = access_is_strong(access);
  return (Touch){.epoch = runner->epoch,
                 .warp = (uint32_t)warp_number(&detector->common, access->by),
                 .lanes = 1u << access->by.thread % WARP_LANES,
                 .place = place_number(&detector->common, access->place),
                 .after = bytes_at(access->after, part),
                 .kind = (uint8_t)access->kind,
                 .space = (uint8_t)access->space,
                 .bytes = (uint8_t)part->bytes,
                 .is_strong = is_strong,
                 .reaches_all = !is_strong || access->scope != RT_SCOPE_BLOCK,
                 .is_volatile = access->is_volatile};
}

// ---- what is told through a word
Sync *word_sync(RtDetector *detector, Word *word) {
  RT_ASSERT(detector && word);
  if (word->sync) return word->sync;
  word->sync = calloc(1, sizeof *word->sync);
  if (!word->sync) detector->common.has_given_up = true;
  if (word->sync) detector->bytes += sizeof *word->sync;
  return word->sync;
}

static bool is_morally_strong(const Common *common, const Touch *a, const Touch *b) {
  bool reach = (a->reaches_all && b->reaches_all) || block_of(common, a) == block_of(common, b);
  return reach && a->bytes == b->bytes;
}

static uint32_t lane_of(const Touch *touch) {
  uint32_t lane = 0;
  while (!(touch->lanes >> lane & 1))
    lane++;
  return lane;
}

// Of blocks that have ended without telling anything nobody learns what they have read.
static void pack_observed(RtDetector *detector, Sync *sync) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < sync->observed_count; i++)
    if (rt_map_item(&detector->blocks.map, sync->observed[i].warp / detector->common.warps))
      sync->observed[kept++] = sync->observed[i];
  sync->observed_count = kept;
}

void sync_observe(RtDetector *detector, Sync *sync, const Touch *read) {
  RT_ASSERT(detector && sync);
  RT_ASSERT(read);
  if (!sync->chain_from || !is_morally_strong(&detector->common, &sync->last, read)) return;
  Observed now = {read->warp, lane_of(read), read->epoch, sync->chain_from, sync->writes};
  enum { RECENT = 8 };
  for (uint32_t i = sync->observed_count; i-- > 0 && i + RECENT >= sync->observed_count;) {
    Observed *before = &sync->observed[i];
    if (before->warp != now.warp || before->lane != now.lane || before->epoch != now.epoch ||
        before->from != now.from)
      continue;
    before->to = now.to;
    return;
  }
  if (sync->observed_count >= sync->observed_capacity) {
    if (sync->observed_count >= FEW) pack_observed(detector, sync);
    Observed *items = sync->observed_count < sync->observed_capacity / 2
                          ? sync->observed
                          : grown(detector, sync->observed, &sync->observed_capacity, sizeof *items);
    if (!items) return;
    sync->observed = items;
  }
  sync->observed[sync->observed_count++] = now;
}

// A strong write begins a chain, or goes on with the one that it has read from; a plain one ends it.
void sync_write(const RtDetector *detector, Sync *sync, Touch *write, bool is_update) {
  RT_ASSERT(detector && sync);
  RT_ASSERT(write && kind_writes(write->kind));
  if (!write->is_strong) {
    sync->chain_from = 0;
    return;
  }
  bool goes_on = is_update && sync->chain_from && is_morally_strong(&detector->common, &sync->last, write);
  write->from = write->to = ++sync->writes;
  if (!goes_on) sync->chain_from = write->from;
  sync->last = *write;
}

Clock **sync_told_in(RtDetector *detector, Sync *sync, uint32_t block, bool is_to_be_made) {
  RT_ASSERT(detector && sync);
  for (uint32_t i = sync->told_in_count; i-- > 0;)
    if (sync->told_in[i].block == block) return &sync->told_in[i].clock;
  if (!is_to_be_made) return NULL;
  if (sync->told_in_count >= sync->told_in_capacity) {
    ToldIn *items = grown(detector, sync->told_in, &sync->told_in_capacity, sizeof *items);
    if (!items) return NULL;
    sync->told_in = items;
  }
  sync->told_in[sync->told_in_count++] = (ToldIn){block, NULL};
  return &sync->told_in[sync->told_in_count - 1].clock;
}
