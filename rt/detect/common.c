// Shared by the detectors (common.h).
// SPDX-License-Identifier: Apache-2.0
#include "rt/detect/common.h"
#include "rt/contract.h"

#include <stdlib.h>
#include <string.h>

static uint32_t product(const uint32_t *dim) {
  uint64_t count = (uint64_t)dim[0] * dim[1] * dim[2];
  return count ? (uint32_t)count : 1;
}

void common_open(Common *common, const RtLaunch *launch, void (*told)(void *context, const RtRace *race),
                 void *context) {
  RT_ASSERT(common);
  RT_ASSERT(launch && launch->kernel);
  RT_ASSERT(told);
  RT_ASSERT(launch->block[0] && launch->block[1] && launch->block[2]);
  uint32_t threads = product(launch->block);
  *common = (Common){.launch = *launch,
                     .told = told,
                     .context = context,
                     .threads = threads,
                     .warps = (threads + WARP_LANES - 1) / WARP_LANES};
}

void common_close(Common *common) {
  RT_ASSERT(common);
  free(common->places.items);
  rt_map_close(&common->places.numbers);
  rt_map_close(&common->told_pairs);
}

uint64_t common_bytes(const Common *common) {
  RT_ASSERT(common);
  return common->places.capacity * sizeof(RtPlace *) + rt_map_bytes(&common->places.numbers) +
         rt_map_bytes(&common->told_pairs);
}

// ---- places
static bool has_room(Places *places) {
  if (places->count < places->capacity) return true;
  uint32_t capacity = places->capacity ? places->capacity * 2 : 32;
  const RtPlace **items = realloc(places->items, capacity * sizeof *items);
  if (!items) return false;
  places->items = items;
  places->capacity = capacity;
  return true;
}

uint32_t place_number(Common *common, const RtPlace *place) {
  RT_ASSERT(common);
  RT_ASSERT(place);
  Places *places = &common->places;
  uint32_t known = (uint32_t)rt_map_get(&places->numbers, (uintptr_t)place);
  if (known) return known;
  if (!has_room(places) || !rt_map_put(&places->numbers, (uintptr_t)place, places->count + 1)) {
    common->has_given_up = true;
    return 0;
  }
  places->items[places->count] = place;
  return ++places->count;
}

// ---- an access in a cell
enum { SEEN_VOLATILE = 1, SEEN_SWAP = 2, SEEN_EXCHANGE = 4, SEEN_SCOPE_SHIFT = 3 };

uint32_t bytes_at(const void *bytes, const ShadowPart *part) {
  RT_ASSERT(bytes);
  RT_ASSERT(part && (part->bytes == 1 || part->bytes == 4));
  uint32_t number = 0;
  if (!bytes) return 0;
  const unsigned char *from = (const unsigned char *)bytes + part->offset;
  if (part->bytes != sizeof number) return *from;
  memcpy(&number, from, sizeof number);
  return number;
}

Seen seen_of(Common *common, const RtAccess *access, const ShadowPart *part) {
  RT_ASSERT(common);
  RT_ASSERT(access->by.thread < common->threads);
  RT_ASSERT(part && part->offset + part->bytes <= access->bytes);
  uint8_t flags = (access->is_volatile ? SEEN_VOLATILE : 0) | (access->is_compare_swap ? SEEN_SWAP : 0) |
                  (access->is_exchange ? SEEN_EXCHANGE : 0);
  return (Seen){.block = access->by.block,
                .thread = (uint16_t)access->by.thread,
                .place = place_number(common, access->place),
                .after = bytes_at(access->after, part),
                .kind = (uint8_t)access->kind & 7,
                .space = (uint8_t)access->space & 3,
                .bytes = (uint8_t)part->bytes & 7,
                .flags = (uint8_t)(flags | access->scope << SEEN_SCOPE_SHIFT)};
}

// ---- telling
static uint8_t extent_of(RtThread a, RtThread b) {
  return a.block != b.block ? 0 : is_same_warp(a, b) ? 2 : 1;
}

// Which of the ways in which two places can race: the kinds of the accesses, whether both write one value (told again when they
// write two), how near the threads are.
static uint32_t way_of(RtAccessKind first, RtAccessKind second, bool is_of_one_value, uint8_t extent) {
  enum { KINDS = RT_ATOMIC_FAILED + 1, EXTENTS = 3 };
  RT_ASSERT(extent < EXTENTS && (!is_of_one_value || (first == RT_WRITE && second == RT_WRITE)));
  uint32_t kinds = is_of_one_value ? KINDS * KINDS : (uint32_t)first * KINDS + (uint32_t)second;
  return kinds * EXTENTS + extent; // at most 50
}

static bool is_new(Common *common, uint32_t first, uint32_t second, uint32_t way) {
  uint64_t key = (uint64_t)first << 32 | second, told = rt_map_get(&common->told_pairs, key);
  if (told >> way & 1) return false;
  if (rt_map_put(&common->told_pairs, key, told | (uint64_t)1 << way)) return true;
  common->has_given_up = true;
  return false;
}

static bool writes_same(const Seen *first, const RtAccess *second, const ShadowPart *part) {
  return first->kind == RT_WRITE && second->kind == RT_WRITE && first->bytes == part->bytes &&
         first->after == bytes_at(second->after, part);
}

void tell_race(Common *common, const Seen *first, const RtAccess *second, const ShadowPart *part,
               const char *why) {
  RT_ASSERT(common->told);
  RT_ASSERT(first && first->place);
  RT_ASSERT(second && part);
  RT_ASSERT(why);
  uint32_t place = place_number(common, second->place);
  if (!first->place || !place || common->has_given_up) return;
  uint32_t way = way_of((RtAccessKind)first->kind, second->kind, writes_same(first, second, part),
                        extent_of(seen_by(first), second->by));
  if (!is_new(common, first->place, place, way)) return;
  RtRace race = {.first = {.by = seen_by(first),
                           .place = common->places.items[first->place - 1],
                           .address = part->address,
                           .bytes = part->bytes,
                           .space = (RtSpace)first->space,
                           .kind = (RtAccessKind)first->kind,
                           .is_volatile = first->flags & SEEN_VOLATILE,
                           .is_compare_swap = first->flags & SEEN_SWAP,
                           .is_exchange = first->flags & SEEN_EXCHANGE,
                           .scope = (RtScope)(first->flags >> SEEN_SCOPE_SHIFT),
                           .after = kind_writes(first->kind) ? &first->after : NULL},
                 .second = *second,
                 .why = why};
  race.second.address = part->address; // the bytes that both touch
  race.second.bytes = part->bytes;
  if (second->before) race.second.before = (const unsigned char *)second->before + part->offset;
  if (second->after) race.second.after = (const unsigned char *)second->after + part->offset;
  common->told(common->context, &race);
}
