// Barriers with a number in rounds (`bar.arrive 1, 256` of those who fill a buffer, `bar.sync 1, 256` of
// those who drain it): each number is an object that nobody sets up, a sync arrives there and waits for the
// phase that it arrived for. Numbers of rounds (`1 + (i & 1)`) are objects used in turn. Method: that of barrier objects (phases.c), which finds out which arrival is for
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

static bool is_first_of(const NamedBarriers *all, uint32_t i) {
  return i == 0 || all->items[i - 1].inst != all->items[i].inst;
}

// Whose numbers are all followed; `broken` gets a bit for each number of one that is not.
static bool read_numbers(Phases *phases, uint32_t at, Site *site, uint32_t *broken) {
  const Scan *scan = phases->scan;
  const NamedBarriers *all = named_all(scan);
  uint32_t inst = all->items[at].inst, numbers = 0;
  bool are_followed = true;
  for (uint32_t i = at; i < all->count && all->items[i].inst == inst; i++) {
    are_followed &= is_followed(scan, &all->items[i]);
    if (all->items[i].number >= 0 && all->items[i].number < NAMED_NUMBERS)
      numbers |= 1u << all->items[i].number;
  }
  *site = (Site){.inst = inst,
                 .loop = scan->cfg->loop_of[scan->fn->insts.items[inst].block],
                 .object = PHASES_NUMBERS,
                 .address = scan->fn->insts.items[inst].ops[0]};
  if (are_followed && phases_read_site(phases, site)) return true;
  *broken |= numbers;
  return false;
}

// All numbers of the channel count as many, and nothing is done to them that is not followed.
static void settle_channel(const Phases *phases, Channel *channel, uint32_t broken) {
  const NamedBarriers *all = named_all(phases->scan);
  channel->is_named = true;
  for (uint32_t i = 0; i < all->count; i++) {
    const Named *named = &all->items[i];
    int64_t place = (named->number * 8 - channel->base) / channel->stride;
    if (named->number * 8 < channel->base || place >= channel->period ||
        channel->base + place * channel->stride != named->number * 8)
      continue;
    channel->is_broken |=
        broken >> named->number & 1 || (channel->expected && channel->expected != named->count);
    channel->expected = named->count;
  }
}

void phases_collect_named(Phases *phases) {
  const Scan *scan = phases->scan;
  const NamedBarriers *all = named_all(scan);
  Site sites[PHASES_EVENTS];
  uint32_t count = 0, broken = 0, first = phases->events.count, channels = phases->channels.count;
  for (uint32_t i = 0; i < all->count; i++) {
    const Named *named = &all->items[i];
    if (!is_first_of(all, i) || !read_numbers(phases, i, &sites[count], &broken)) continue;
    Event event = {.kind = EVENT_ARRIVAL, .inst = named->inst, .place = named->inst, .counts_for = 1};
    vec_push(scan->arena, &phases->events, event);
    count++;
    if (named->waits) {
      event.kind = EVENT_WAIT;
      vec_push(scan->arena, &phases->events, event);
      sites[count] = sites[count - 1];
      count++;
    }
    if (count + 2 > PHASES_EVENTS) break;
  }
  bool are_joined = count + 2 <= PHASES_EVENTS && phases_join_channels(phases, sites, count, first);
  if (!are_joined) phases->events.count = first;
  for (uint32_t c = channels; c < phases->channels.count; c++) {
    settle_channel(phases, &phases->channels.items[c], broken);
    phases->channels.items[c].is_broken |= !are_joined;
  }
}
