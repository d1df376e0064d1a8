// What all detectors need beside the map of words: the shape of the launch, an access as a cell keeps it, and telling a race
// once for two places. No detector is a friend of the system's memory: where it gives none, the detector stops watching, and
// says so (RtDetectorKind.has_given_up).
//
// None of rt/ leans on core/: what is linked into the user's program is to be small, and core's arenas give nothing back, where
// these maps live as long as a launch does.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_RT_DETECT_COMMON_H
#define HGRD_RT_DETECT_COMMON_H

#include "rt/detect/shadow.h"
#include "rt/map.h"

enum { WARP_LANES = 32 };

typedef struct Seen { // an access, in a cell: 16 bytes
  uint32_t block;
  uint32_t place;  // as places_number gives it, + 1; 0: nothing is seen
  uint32_t after;  // the bytes behind it
  uint16_t thread; // of at most 1,024
  uint16_t kind : 3, space : 2, bytes : 3, flags : 8;
} Seen;

typedef struct Places { // pointers to numbers and back
  const RtPlace **items;
  RtMap numbers; // by address
  uint32_t count, capacity;
} Places;

typedef struct Common {
  RtLaunch launch;
  void (*told)(void *context, const RtRace *race);
  void *context;
  uint32_t threads, warps; // of each block
  Places places;
  RtMap told_pairs; // by the numbers of two places: a bit for each way in which they were told (way_of)
  bool has_given_up;
} Common;

void common_open(Common *common, const RtLaunch *launch, void (*told)(void *context, const RtRace *race),
                 void *context);
void common_close(Common *common);
uint64_t common_bytes(const Common *common);

static inline uint64_t thread_number(const Common *common, RtThread by) { // in the grid
  return (uint64_t)by.block * common->threads + by.thread;
}
static inline uint64_t warp_number(const Common *common, RtThread by) {
  return (uint64_t)by.block * common->warps + by.thread / WARP_LANES;
}
static inline bool is_same_thread(RtThread a, RtThread b) {
  return a.block == b.block && a.thread == b.thread;
}
static inline bool is_same_warp(RtThread a, RtThread b) {
  return a.block == b.block && a.thread / WARP_LANES == b.thread / WARP_LANES;
}
static inline bool access_is_write(const RtAccess *access) {
  return access->kind == RT_WRITE || access->kind == RT_ATOMIC;
}
static inline bool access_is_atomic(const RtAccess *access) { // loads and stores of cuda::atomic too
  return access->kind == RT_ATOMIC || access->kind == RT_ATOMIC_FAILED || access->scope != RT_SCOPE_NONE;
}
static inline bool access_is_strong(const RtAccess *access) {
  return access_is_atomic(access) || access->is_volatile;
}
static inline RtThread seen_by(const Seen *seen) {
  return (RtThread){seen->block, seen->thread};
}
static inline bool kind_writes(uint8_t kind) {
  return kind == RT_WRITE || kind == RT_ATOMIC;
}

uint32_t place_number(Common *common, const RtPlace *place); // from 1; 0: no memory
Seen seen_of(Common *common, const RtAccess *access, const ShadowPart *part);
uint32_t bytes_at(const void *bytes, const ShadowPart *part); // the word, or the byte, as a number

// Tells it unless these two places were told in this launch, with these kinds and this nearness of the threads.
void tell_race(Common *common, const Seen *first, const RtAccess *second, const ShadowPart *part,
               const char *why);

#endif
