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
  free(common->places.table);
  free(common->pairs);
}

uint64_t common_bytes(const Common *common) {
  RT_ASSERT(common);
  return common->places.capacity * (sizeof(RtPlace *) + sizeof(uint32_t)) +
         common->pair_capacity * sizeof(TellPair);
}

// ---- places
static uint64_t mix(uint64_t x) {
  x = (x ^ x >> 32) * 0x9e3779b97f4a7c15u;
  return x ^ x >> 29;
}

static uint32_t *place_slot(const Places *places, const RtPlace *place) {
  uint32_t mask = places->capacity - 1, at = (uint32_t)mix((uintptr_t)place) & mask;
  while (places->table[at] && places->items[places->table[at] - 1] != place)
    at = (at + 1) & mask;
  return &places->table[at];
}

static bool places_grow(Places *places) {
  if (places->count * 2 < places->capacity) return true;
  Places larger = *places;
  larger.capacity = places->capacity ? places->capacity * 2 : 64;
  larger.table = calloc(larger.capacity, sizeof *larger.table);
  larger.items = calloc(larger.capacity, sizeof *larger.items);
  if (!larger.table || !larger.items) {
    free(larger.table);
    free(larger.items);
    return false;
  }
  if (places->count) memcpy(larger.items, places->items, places->count * sizeof *larger.items);
  for (uint32_t i = 0; i < places->count; i++)
    *place_slot(&larger, places->items[i]) = i + 1;
  free(places->table);
  free(places->items);
  *places = larger;
  return true;
}

uint32_t place_number(Common *common, const RtPlace *place) {
  RT_ASSERT(common);
  RT_ASSERT(place);
  Places *places = &common->places;
  if (!places_grow(places)) {
    common->has_given_up = true;
    return 0;
  }
  uint32_t *slot = place_slot(places, place);
  if (!*slot) {
    places->items[places->count] = place;
    *slot = ++places->count;
  }
  return *slot;
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

static TellPair *pair_slot(const Common *common, const TellPair *pair) {
  uint64_t key = (uint64_t)pair->first << 32 | pair->second;
  uint32_t mask = common->pair_capacity - 1;
  uint32_t at = (uint32_t)mix(key ^ (uint64_t)pair->kinds << 24 ^ (uint64_t)pair->extent << 56) & mask;
  for (; common->pairs[at].second; at = (at + 1) & mask) {
    const TellPair *other = &common->pairs[at];
    if (other->first == pair->first && other->second == pair->second && other->kinds == pair->kinds &&
        other->extent == pair->extent)
      break;
  }
  return &common->pairs[at];
}

static bool pairs_grow(Common *common) {
  if (common->pair_count * 2 < common->pair_capacity) return true;
  Common larger = *common;
  larger.pair_capacity = common->pair_capacity ? common->pair_capacity * 2 : 32;
  larger.pairs = calloc(larger.pair_capacity, sizeof *larger.pairs);
  if (!larger.pairs) return false;
  for (uint32_t i = 0; i < common->pair_capacity; i++)
    if (common->pairs[i].second) *pair_slot(&larger, &common->pairs[i]) = common->pairs[i];
  free(common->pairs);
  *common = larger;
  return true;
}

static bool is_new(Common *common, TellPair pair) {
  if (!pairs_grow(common)) {
    common->has_given_up = true;
    return false;
  }
  TellPair *slot = pair_slot(common, &pair);
  if (slot->second) return false;
  *slot = pair;
  common->pair_count++;
  return true;
}

enum { SAME_VALUE = 0x80 }; // told again when they write two

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
  TellPair pair = {first->place, place, (uint8_t)(first->kind << 4 | (uint8_t)second->kind),
                   extent_of(seen_by(first), second->by)};
  if (writes_same(first, second, part)) pair.kinds |= SAME_VALUE;
  if (!is_new(common, pair)) return;
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
