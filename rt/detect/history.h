// Who touched a word, and what has been told through it? The cells of `clocks` (clocks.c), by whom alone this is used.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_RT_DETECT_HISTORY_H
#define HGRD_RT_DETECT_HISTORY_H

#include "rt/detect/clock.h"
#include "rt/map.h"

enum { REACH_BLOCK, REACH_ALL, REACH_COUNT }; // to whom a release or an acquire speaks

typedef struct Touch { // of lanes of one warp, at one place, in one epoch: 32 bytes
  uint32_t epoch, warp, lanes, place, after;
  uint32_t from, to; // strong writes are numbered in the order of the word; 0: it is none
  uint8_t kind, space, bytes, is_strong : 1, reaches_all : 1, is_volatile : 1, is_eternal : 1;
} Touch;

typedef struct ToldIn { // what those of one block have released so that their block knows it
  uint32_t block;
  Clock *clock;
} ToldIn;

// A strong operation has read what the strong writes `from` to `to`, one upon the other, have left: they come before all that
// comes behind it, fences or not.
typedef struct Observed {
  uint32_t warp, lane, epoch;
  uint32_t from, to;
} Observed;

typedef struct Sync { // of a word that strong operations use
  Clock *told;        // to all, by who wrote what it holds
  ToldIn *told_in;
  Observed *observed;
  uint32_t told_in_count, told_in_capacity, observed_count, observed_capacity;
  uint32_t writes;     // strong ones, so far
  uint32_t chain_from; // the first one of which something is left; 0: what it holds is plain
  Touch last;          // of the writes in this chain
} Sync;

typedef struct Word {
  Touch only;   // while there is one
  Touch *items; // more of them
  uint32_t count, capacity;
  uint32_t writes, weak; // touches that write; that are not strong, or do not reach all
  Sync *sync;
} Word;

typedef struct Runner { // a thread
  Clock *clock;
  Clock *released[REACH_COUNT];
  Clock *heard[REACH_COUNT]; // read, and no fence behind it yet
  uint32_t epoch;            // its latest releasing event
  bool is_told;              // nothing new since the last release
  uint8_t told_to;           // of what reach that was
} Runner;

typedef struct RunnerBlock {
  bool has_told; // something that others may learn
  Runner threads[];
} RunnerBlock;

typedef struct Blocks {
  RtMap
      map; // by block: RunnerBlock while it runs; `ended` if it has told something; nothing: nobody will ever know of it
  RunnerBlock *ended;
} Blocks;

struct RtDetector {
  Common common;
  ClockSpace space;
  Shadow shadow;
  Blocks blocks;
  uint32_t now;     // releasing events
  Runner **members; // scratch
  ClockEntry *entries;
  uint32_t member_count, member_capacity, entry_capacity;
  uint64_t bytes; // of words and blocks
};

extern const ShadowKind words_kind;

Touch touch_of(RtDetector *detector, const RtAccess *access, const Runner *runner, const ShadowPart *part);
// The access is made: what it races with is told, and it is remembered.
void word_touch(RtDetector *detector, Word *word, const RtAccess *access, const Runner *runner, Touch touch,
                const ShadowPart *part);
Sync *word_sync(RtDetector *detector, Word *word); // is made if need be; NULL: no memory
void sync_observe(RtDetector *detector, Sync *sync, const Touch *read);
void sync_write(const RtDetector *detector, Sync *sync, Touch *write, bool is_update); // numbers it
Clock **sync_told_in(RtDetector *detector, Sync *sync, uint32_t block, bool is_to_be_made);

#endif
