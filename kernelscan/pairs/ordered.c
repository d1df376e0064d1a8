// Which pairs of accesses does something order, and by which rule? What locks, flags and counters order was
// kept when the question was answered; what a barrier orders was never asked: two accesses that no interval
// between barriers of the extent holds together. Method: the intervals once more, as rows of bits; then the
// pairs are grouped by rule, release and acquire. Soundness: no effect on verdicts; a pair may be named here
// and be a race in another extent.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/pairs/pairs.h"
#include "kernelscan/graph.h"
#include "kernelscan/kernel.h"
#include "kernelscan/operations.h"

#include <stdlib.h>
#include <string.h>

// Two accesses that something orders, by index.
typedef struct OrderedAccesses {
  uint32_t a, b;
  OrderProof proof;
} OrderedAccesses;

// What is kept of a scan.
typedef struct Kept {
  VEC(OrderedAccesses) ordered; // in the order in which they were asked for
} Kept;

static Kept *kept_of(Scan *scan) {
  return SCAN_STATE_OF(scan, ordered, Kept);
}

void ordered_keep(Scan *scan, uint32_t a, uint32_t b, OrderProof proof) {
  ASSERT(a < scan->accesses.count && b < scan->accesses.count && proof.rule < ORDER_RULE_END);
  if (a > b) {
    ordered_keep(scan, b, a, proof);
    return;
  }
  Kept *kept = kept_of(scan);
  const OrderedAccesses *last = kept->ordered.count ? &vec_last(&kept->ordered) : NULL;
  if (!proof.rule || (last && last->a == a && last->b == b && last->proof.rule == proof.rule &&
                      last->proof.release == proof.release && last->proof.acquire == proof.acquire))
    return;
  vec_push(scan->arena, &kept->ordered, (OrderedAccesses){a, b, proof});
}

// ---- barriers
enum { ACCESS_LIMIT = 4096 }; // rows grow with the square

typedef struct Intervals {
  Pairs *pairs;
  Couple couple;
  uint32_t words;        // of a row
  uint64_t *rows;        // by access: those that an interval holds together with it
  const uint8_t **ahead; // by node: nodes that can be reached from it
} Intervals;

static void add_interval(Intervals *intervals, const Point *point) {
  Scan *scan = intervals->pairs->scan;
  const uint8_t *nodes = node_stretch(scan, point->node, intervals->couple);
  uint64_t *members = arena_array(scan->arena, intervals->words, uint64_t);
  for (uint32_t a = 0; a < scan->accesses.count; a++)
    if (nodes[scan->accesses.items[a].node]) members[a / 64] |= (uint64_t)1 << (a % 64);
  for (uint32_t a = 0; a < scan->accesses.count; a++)
    for (uint32_t w = 0; nodes[scan->accesses.items[a].node] && w < intervals->words; w++)
      intervals->rows[(size_t)a * intervals->words + w] |= members[w];
}

static bool comes_to(Intervals *intervals, uint32_t from, uint32_t to) {
  const uint8_t **ahead = &intervals->ahead[from];
  if (!*ahead) *ahead = node_reached_from(intervals->pairs->scan, from, false);
  return (*ahead)[to] != 0;
}

// The first barrier on a way from one of the two to the other: it is both release and acquire.
static uint32_t barrier_between(Intervals *intervals, uint32_t one, uint32_t two) {
  const Scan *scan = intervals->pairs->scan;
  for (uint32_t p = 1; p < scan->points.count; p++) {
    const Point *point = &scan->points.items[p];
    if (!point_orders(point, intervals->couple)) continue;
    uint32_t before = node_of_inst(scan, point->inst);
    if ((comes_to(intervals, one, before) && comes_to(intervals, point->node, two)) ||
        (comes_to(intervals, two, before) && comes_to(intervals, point->node, one)))
      return point->inst + 1;
  }
  return 0;
}

static void keep_unmet(Intervals *intervals, uint32_t a, uint32_t b) {
  Scan *scan = intervals->pairs->scan;
  const Access *one = &scan->accesses.items[a], *two = &scan->accesses.items[b];
  uint32_t at = barrier_between(intervals, one->node, two->node);
  if (at) ordered_keep(scan, a, b, (OrderProof){ORDER_RULE_BARRIER, at, at});
}

// Of whatever both threads do in one interval, the kinds of the accesses may say that it is no race.
static void keep_exempt(Intervals *intervals, uint32_t a, uint32_t b) {
  const Access *one = &intervals->pairs->scan->accesses.items[a],
               *two = &intervals->pairs->scan->accesses.items[b];
  if (one->kind == ACCESS_READ && two->kind == ACCESS_READ) return;
  bool is_atomic = pairs_both_strong(intervals->pairs->scan, one, two, intervals->couple.extent);
  ordered_keep(intervals->pairs->scan, a, b,
               (OrderProof){.rule = is_atomic ? ORDER_RULE_ATOMIC : ORDER_RULE_LOCKSTEP});
}

static void look_at_couple(Pairs *pairs, Couple couple) {
  Scan *scan = pairs->scan;
  uint32_t count = scan->accesses.count;
  Intervals intervals = {.pairs = pairs, .couple = couple, .words = count / 64 + 1};
  intervals.rows = arena_array(scan->arena, (size_t)count * intervals.words + 1, uint64_t);
  intervals.ahead = arena_array(scan->arena, scan->nodes.count + 1, const uint8_t *);
  for (uint32_t p = 0; p < scan->points.count; p++)
    if (point_orders(&scan->points.items[p], couple)) add_interval(&intervals, &scan->points.items[p]);
  for (uint32_t a = 0; a < count; a++)
    for (uint32_t b = a; b < count; b++) {
      bool meets = intervals.rows[(size_t)a * intervals.words + b / 64] >> (b % 64) & 1;
      bool can_race = pairs_can_race(pairs, a, b, couple);
      if (meets == can_race || (!meets && !can_race) ||
          !conflict_share_object(scan, &scan->reaches[a], &scan->reaches[b], couple.extent))
        continue;
      if (can_race)
        keep_unmet(&intervals, a, b);
      else
        keep_exempt(&intervals, a, b);
    }
}

// ---- groups
static SrcLoc place_of(const Scan *scan, uint32_t inst) {
  return *ir_loc(scan->module, scan->fn->insts.items[inst].loc);
}

static int compare_places(const SrcLoc *a, const SrcLoc *b) {
  if (a->file != b->file && (!a->file || !b->file)) return a->file ? 1 : -1;
  int order = a->file == b->file ? 0 : strcmp(a->file, b->file);
  return order ? order : (a->line > b->line) - (a->line < b->line);
}

// One pair with the rule and the lines by which it is sorted.
typedef struct Entry {
  OrderedGroup key; // without its pairs
  OrderedPair pair;
  uint32_t a, b;
} Entry;

static int compare_keys(const Entry *a, const Entry *b) {
  if (a->key.rule != b->key.rule) return a->key.rule < b->key.rule ? -1 : 1;
  int order = compare_places(&a->key.release, &b->key.release);
  return order ? order : compare_places(&a->key.acquire, &b->key.acquire);
}

static int compare_pairs(const Entry *a, const Entry *b) {
  int order = compare_places(&a->pair.places[0], &b->pair.places[0]);
  return order ? order : compare_places(&a->pair.places[1], &b->pair.places[1]);
}

static int compare_entries(const void *left, const void *right) {
  int order = compare_keys(left, right);
  return order ? order : compare_pairs(left, right);
}

static Entry entry_of(const Scan *scan, const OrderedAccesses *ordered) {
  const Access *accesses = scan->accesses.items;
  Entry entry = {.a = ordered->a, .b = ordered->b};
  const OrderProof *proof = &ordered->proof;
  entry.key.rule = proof->rule;
  if (proof->release) entry.key.release = place_of(scan, proof->release - 1);
  if (proof->acquire) entry.key.acquire = place_of(scan, proof->acquire - 1);
  entry.pair =
      (OrderedPair){{place_of(scan, accesses[ordered->a].inst), place_of(scan, accesses[ordered->b].inst)}};
  if (compare_places(&entry.pair.places[0], &entry.pair.places[1]) > 0) {
    SrcLoc first = entry.pair.places[0];
    entry.pair.places[0] = entry.pair.places[1];
    entry.pair.places[1] = first;
  }
  return entry;
}

static void make_groups(Scan *scan) {
  KernelResult *result = scan->result;
  const Kept *kept = kept_of(scan);
  uint32_t count = kept->ordered.count;
  Entry *entries = arena_array(scan->arena, count + 1, Entry);
  for (uint32_t i = 0; i < count; i++)
    entries[i] = entry_of(scan, &kept->ordered.items[i]);
  qsort(entries, count, sizeof *entries, compare_entries);
  for (uint32_t i = 0; i < count; i++) {
    if (i == 0 || compare_keys(&entries[i - 1], &entries[i]) != 0)
      vec_push(scan->arena, &result->ordered, entries[i].key);
    else if (compare_pairs(&entries[i - 1], &entries[i]) == 0)
      continue;
    vec_push(scan->arena, &vec_last(&result->ordered).pairs, entries[i].pair);
  }
}

// Barriers of parts order those that they hold together: all of them, or those of the block.
static Couple couple_of_all(const Scan *scan, Extent extent) {
  Couple couple = couple_of(extent);
  for (uint32_t i = 0; i < scan_text(scan)->covers.count; i++)
    if (extent == EXTENT_INTRA_WARP ||
        (extent == EXTENT_INTRA_BLOCK && scan_text(scan)->covers.items[i].is_of_block))
      couple.covering |= 1u << i;
  return couple;
}

void ordered_conclude(Pairs *pairs) {
  Scan *scan = pairs->scan;
  for (int e = 0; e < EXTENT_COUNT && scan->accesses.count <= ACCESS_LIMIT; e++) {
    if (e == EXTENT_CLUSTER && clusters_kind(scan) != CLUSTERS_KNOWN) continue;
    look_at_couple(pairs, couple_of_all(scan, (Extent)e));
  }
  make_groups(scan);
}
