// Which fence is enough for whom? The three memory models as a table, for the rules that prove order
// (kernelscan/order/) and for the runs that look for races (team.h). docs/memory-model.md says why.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CORE_MEMORY_MODEL_H
#define HGRD_CORE_MEMORY_MODEL_H

#include "core/cause.h"
#include "core/ir.h"

typedef enum MemorySide { SIDE_RELEASE, SIDE_ACQUIRE, SIDE_BOTH } MemorySide;

// Where a barrier of the block lies between the access and the operation on the flag: whose fence counts?
typedef enum FenceOwner {
  FENCE_OF_ANYBODY = 0, // of any thread on the way, before or behind the barrier: fences are cumulative
  FENCE_BESIDE_FLAG,    // of the thread that uses the flag, on its side of the barrier
  FENCE_BESIDE_ACCESS,  // of the thread that makes the access, on its side of the barrier
  FENCE_OF_NOBODY       // none is needed
} FenceOwner;

typedef struct MemoryRules {
  FenceOwner release, acquire;
  bool reads_acquire;  // who reads strongly has acquired: no fence behind it
  bool volatile_races; // two volatile accesses of one word are told, unless the word is one of a protocol
  bool volatile_sees;  // volatile data behind a wait need no fence between
  bool wants_strong;   // fences order strong accesses only
} MemoryRules;

const MemoryRules *memory_rules(MemoryModel model); // its row of the table

// A fence of this side seen on a way from the access to the flag, or from the flag to the access?
typedef enum FenceState { FENCE_NOT_SEEN, FENCE_SEEN, FENCE_TOO_LATE, FENCE_STATES } FenceState;
// What is seen, for this side, behind a barrier of the block, at which another thread goes on.
FenceState memory_behind_barrier(const MemoryRules *rules, MemorySide side, FenceState state);

bool memory_is_fence(const IrInst *inst, MemorySide side); // of this order, whatever its scope
// Atomic, volatile, or on a barrier object (but for setting that up): such a pair is morally strong if each
// one's scope holds the other one's thread.
bool memory_is_strong(const IrInst *inst);
bool memory_is_volatile(const IrInst *inst); // and no atomic operation
// A failed compare-and-swap may acquire less than one that succeeds.
bool memory_acquires(const IrInst *inst, bool may_fail);
bool memory_releases(const IrInst *inst);
IrScope memory_scope(const IrInst *inst); // volatile is relaxed with system scope; plain: the thread's own
IrScope memory_scope_between(bool is_same_block, bool is_same_cluster); // that holds both threads

#endif
