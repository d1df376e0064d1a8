// Counters of barriers and fences, and inferred locks (counters.h).
// SPDX-License-Identifier: Apache-2.0
#include "rt/detect/counters.h"
#include "rt/contract.h"

#include <stdlib.h>

static size_t size_of(const Common *common) {
  return sizeof(BlockCounters) + common->threads * sizeof(ThreadCounters) +
         common->warps * sizeof(WarpCounters);
}

static BlockCounters *block_make(const Common *common) {
  BlockCounters *made = calloc(1, size_of(common));
  if (made) made->warps = (WarpCounters *)(void *)&made->threads[common->threads];
  return made;
}

BlockCounters *counters_find(const Counters *counters, uint32_t block) {
  RT_ASSERT(counters);
  if (counters->latest && counters->latest_block == block) return counters->latest;
  return rt_map_item(&counters->blocks, block);
}

BlockCounters *counters_of(Counters *counters, Common *common, uint32_t block) {
  RT_ASSERT(counters && common);
  RT_ASSERT(common->threads > 0);
  BlockCounters *found = counters_find(counters, block);
  if (!found) {
    found = block_make(common);
    if (found && !rt_map_put(&counters->blocks, block, (uintptr_t)found)) {
      free(found);
      found = NULL;
    }
  }
  if (!found) common->has_given_up = true;
  counters->latest = found;
  counters->latest_block = block;
  return found;
}

static bool has_fences(const BlockCounters *block, uint32_t threads) {
  for (uint32_t i = 0; i < threads; i++)
    if (block->threads[i].block_fences || block->threads[i].device_fences) return true;
  return false;
}

void counters_end(Counters *counters, const Common *common, uint32_t block) {
  RT_ASSERT(counters && common);
  BlockCounters *found = rt_map_item(&counters->blocks, block);
  if (!found || has_fences(found, common->threads)) return;
  rt_map_remove(&counters->blocks, block);
  counters->latest = NULL;
  free(found);
}

void counters_close(Counters *counters) {
  RT_ASSERT(counters);
  for (uint32_t i = 0; i < counters->blocks.capacity; i++)
    free((void *)(uintptr_t)counters->blocks.table[i].value);
  rt_map_close(&counters->blocks);
}

uint64_t counters_bytes(const Counters *counters, const Common *common) {
  RT_ASSERT(counters && common);
  return rt_map_bytes(&counters->blocks) + counters->blocks.count * size_of(common);
}

// ---- locks
void locks_note(LockTable *locks, uint64_t address, RtScope scope, uint32_t entries) {
  RT_ASSERT(locks);
  RT_ASSERT(scope > RT_SCOPE_NONE);
  RT_ASSERT(entries > 0 && entries <= LOCKS_HELD);
  for (uint32_t i = 0; i < entries; i++)
    if (locks->is_valid[i] && locks->address[i] == address) {
      locks->scope[i] = (uint8_t)scope;
      locks->is_active[i] = false;
      return;
    }
  uint32_t at = locks->next % entries;
  for (uint32_t i = 0; i < entries && locks->is_valid[at]; i++)
    at = (at + 1) % entries;
  locks->address[at] = address;
  locks->scope[at] = (uint8_t)scope;
  locks->is_valid[at] = true;
  locks->is_active[at] = false;
  locks->next = (uint8_t)((at + 1) % entries);
}

void locks_activate(LockTable *locks, RtScope fence) {
  RT_ASSERT(locks);
  RT_ASSERT(fence > RT_SCOPE_NONE);
  for (uint32_t i = 0; i < LOCKS_HELD; i++)
    if (locks->is_valid[i] && locks->scope[i] <= fence) locks->is_active[i] = true;
}

void locks_give_back(LockTable *locks, uint64_t address, RtScope scope) {
  RT_ASSERT(locks);
  for (uint32_t i = 0; i < LOCKS_HELD; i++)
    if (locks->is_valid[i] && locks->address[i] == address && locks->scope[i] == scope)
      locks->is_valid[i] = locks->is_active[i] = false;
}

void locks_forget(LockTable *locks, uint64_t address) {
  RT_ASSERT(locks);
  for (uint32_t i = 0; i < LOCKS_HELD; i++)
    if (locks->is_valid[i] && locks->address[i] == address) locks->is_valid[i] = locks->is_active[i] = false;
}

bool locks_has_valid(const LockTable *locks) {
  RT_ASSERT(locks);
  for (uint32_t i = 0; i < LOCKS_HELD; i++)
    if (locks->is_valid[i]) return true;
  return false;
}

LockSet locks_held(const LockTable *locks) {
  RT_ASSERT(locks);
  LockSet set = {{0}};
  for (uint32_t i = 0; i < LOCKS_HELD; i++)
    if (locks->is_valid[i] && locks->is_active[i])
      set.lock[i] = (uint32_t)(locks->address[i] * 0x9e3779b97f4a7c15u >> 32) + locks->scope[i] + 1;
  return set;
}

bool lockset_is_empty(const LockSet *set) {
  RT_ASSERT(set);
  for (uint32_t i = 0; i < LOCKS_HELD; i++)
    if (set->lock[i]) return false;
  return true;
}

bool lockset_meets(const LockSet *a, const LockSet *b) {
  RT_ASSERT(a && b);
  for (uint32_t i = 0; i < LOCKS_HELD; i++)
    for (uint32_t k = 0; k < LOCKS_HELD; k++)
      if (a->lock[i] && a->lock[i] == b->lock[k]) return true;
  return false;
}
