// How often has each thread, warp and block come to a barrier or a fence? Scalar counters, as HiRace's clocks and the
// synchronisation metadata of ScoRD and iGUARD are; blocks are made when they are first asked for and go when they end,
// but for those with fences: whether one came behind an access may be asked later. Of a block that is not there all are zero.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_RT_DETECT_COUNTERS_H
#define HGRD_RT_DETECT_COUNTERS_H

#include "rt/detect/common.h"
#include "rt/map.h"

enum { LOCKS_HELD = 4 };

// Locks inferred from what a thread, or a warp, does: a compare-and-swap that succeeds notes one, a fence behind it activates
// it, an exchange of the same word with the same scope gives it back (ScoRD IV.A, iGUARD 6.3). The papers' hashes of 6 and 18
// bits and their Bloom filters are of 32 bits here: no two locks are likely to be taken for one.
typedef struct LockTable {
  uint64_t address[LOCKS_HELD];
  uint8_t scope[LOCKS_HELD]; // of the compare-and-swap
  bool is_valid[LOCKS_HELD], is_active[LOCKS_HELD];
  uint8_t next;
} LockTable;

typedef struct LockSet {     // what was held at an access
  uint32_t lock[LOCKS_HELD]; // mixed address and scope; 0: none
} LockSet;

typedef struct ThreadCounters {
  uint32_t block_barriers, warp_barriers, grid_barriers;
  uint32_t block_fences, device_fences;
  LockTable locks;
} ThreadCounters;

typedef struct WarpCounters {
  uint32_t block_fences, device_fences;
  LockTable locks;
  uint32_t lock_owner; // the lane that noted the newest entry, + 1
  bool locks_by_thread;
} WarpCounters;

typedef struct BlockCounters {
  WarpCounters *warps;
  ThreadCounters threads[];
} BlockCounters;

typedef struct Counters {
  RtMap blocks; // of BlockCounters, by block
  BlockCounters *latest;
  uint32_t latest_block;
} Counters;

BlockCounters *counters_of(Counters *counters, Common *common, uint32_t block); // NULL: no memory
BlockCounters *counters_find(const Counters *counters, uint32_t block);         // NULL: there is none
void counters_end(Counters *counters, const Common *common, uint32_t block);
void counters_close(Counters *counters);
uint64_t counters_bytes(const Counters *counters, const Common *common);

void locks_note(LockTable *locks, uint64_t address, RtScope scope, uint32_t entries);
void locks_activate(LockTable *locks,
                    RtScope fence); // by a fence of this scope: those of this or a narrower one
void locks_give_back(LockTable *locks, uint64_t address, RtScope scope);
void locks_forget(LockTable *locks, uint64_t address); // given back by whatever write
bool locks_has_valid(const LockTable *locks);
LockSet locks_held(const LockTable *locks);
bool lockset_is_empty(const LockSet *set);
bool lockset_meets(const LockSet *a, const LockSet *b); // a lock in common

#endif
