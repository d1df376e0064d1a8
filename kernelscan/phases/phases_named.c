// Barriers with a number in rounds (`bar.arrive 1, 256` of those who fill a buffer, `bar.sync 1, 256` of
// those who drain it): each number is an object that nobody sets up, a sync arrives there and waits for the
// phase that it arrived for. Method: that of barrier objects (phases.c), which finds out which arrival is for
// which phase. Soundness: as there; a number with an instruction whose count or threads are not known is left
// out, and orders nothing.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/phases/phases.h"

static bool is_point(const Scan *scan, uint32_t inst) {
  for (uint32_t p = 1; p < scan->points.count; p++)
    if (scan->points.items[p].inst == inst) return true;
  return false;
}

bool phases_has_named(const Scan *scan) {
  const NamedBarriers *all_named = named_all(scan);
  for (uint32_t i = 0; i < all_named->count; i++)
    if (!is_point(scan, all_named->items[i].inst)) return true;
  return false;
}

// Is it known of all instructions of this number who executes them, and how many they are for?
static bool is_followed(const Scan *scan, const Named *named) {
  const NamedBarriers *all_named = named_all(scan);
  bool is_whole = true; // each of them orders all that it can by itself
  for (uint32_t i = 0; i < all_named->count; i++) {
    const Named *other = &all_named->items[i];
    if (!other->members) return false;
    if (other->number != named->number) continue;
    if (other->count != named->count) return false;
    is_whole &= is_point(scan, other->inst);
  }
  return !is_whole;
}

static uint32_t channel_of(Phases *phases, const Named *named) {
  for (uint32_t c = 0; c < phases->channels.count; c++)
    if (phases->channels.items[c].is_named && phases->channels.items[c].base == named->number) return c;
  Channel made = {.base = named->number, .period = 1, .expected = named->count, .is_named = true};
  made.members = arena_array(phases->scan->arena, (size_t)named_threads(phases->scan) + 1, uint8_t);
  vec_push(phases->scan->arena, &phases->channels, made);
  return phases->channels.count - 1;
}

void phases_collect_named(Phases *phases) {
  const Scan *scan = phases->scan;
  const NamedBarriers *all_named = named_all(scan);
  for (uint32_t i = 0; i < all_named->count; i++) {
    const Named *named = &all_named->items[i];
    if (!is_followed(scan, named)) continue;
    Event event = {.kind = EVENT_ARRIVAL, .inst = named->inst, .place = named->inst, .counts_for = 1};
    event.channel = channel_of(phases, named);
    if (!phases_read_rounds(phases, &event)) {
      phases->channels.items[event.channel].is_broken = true;
      continue;
    }
    vec_push(scan->arena, &phases->events, event);
    event.kind = EVENT_WAIT;
    if (named->waits) vec_push(scan->arena, &phases->events, event);
  }
}
