// The table of the memory models, line by line as docs/memory-model.md has it: whose fence counts across a
// barrier of the block, and how far operations reach.
// SPDX-License-Identifier: Apache-2.0
#include "core/memory_model.h"

#include "tests/unit/check.h"

static FenceState behind(MemoryModel model, MemorySide side, FenceState state) {
  return memory_behind_barrier(memory_rules(model), side, state);
}

// On the way from the data to the flag: the first fence is that of who writes the data, the second the
// leader's.
static void test_release(void) {
  CHECK(behind(MEMORY_MODEL_CUDA, SIDE_RELEASE, FENCE_SEEN) == FENCE_SEEN);
  CHECK(behind(MEMORY_MODEL_CUDA, SIDE_RELEASE, FENCE_NOT_SEEN) == FENCE_NOT_SEEN);
  CHECK(behind(MEMORY_MODEL_PTX, SIDE_RELEASE, FENCE_SEEN) == FENCE_NOT_SEEN);
  CHECK(behind(MEMORY_MODEL_SCORD, SIDE_RELEASE, FENCE_SEEN) == FENCE_SEEN);
  CHECK(behind(MEMORY_MODEL_SCORD, SIDE_RELEASE, FENCE_NOT_SEEN) == FENCE_TOO_LATE);
}

// From the flag to the data: the first fence is the leader's.
static void test_acquire(void) {
  CHECK(behind(MEMORY_MODEL_CUDA, SIDE_ACQUIRE, FENCE_NOT_SEEN) == FENCE_NOT_SEEN);
  CHECK(behind(MEMORY_MODEL_PTX, SIDE_ACQUIRE, FENCE_SEEN) == FENCE_SEEN);
  CHECK(behind(MEMORY_MODEL_PTX, SIDE_ACQUIRE, FENCE_NOT_SEEN) == FENCE_TOO_LATE);
  CHECK(memory_rules(MEMORY_MODEL_SCORD)->reads_acquire);
}

static void test_fences(void) {
  const IrInst full = {.op = IR_FENCE, .order = IR_ORDER_ACQ_REL},
               half = {.op = IR_FENCE, .order = IR_ORDER_ACQUIRE},
               none = {.op = IR_FENCE, .order = IR_ORDER_RELAXED};
  CHECK(memory_is_fence(&full, SIDE_BOTH) && memory_is_fence(&full, SIDE_RELEASE));
  CHECK(memory_is_fence(&half, SIDE_ACQUIRE) && !memory_is_fence(&half, SIDE_RELEASE));
  CHECK(!memory_is_fence(&half, SIDE_BOTH) && !memory_is_fence(&none, SIDE_ACQUIRE));
}

static void test_scopes(void) {
  const IrInst plain = {.op = IR_LOAD}, watched = {.op = IR_LOAD, .order = IR_ORDER_VOLATILE},
               narrow = {.op = IR_LOAD, .order = IR_ORDER_RELAXED, .scope = IR_SCOPE_BLOCK};
  CHECK(!memory_is_strong(&plain) && memory_scope(&plain) == IR_SCOPE_THREAD);
  CHECK(memory_is_strong(&watched) && memory_is_volatile(&watched) &&
        memory_scope(&watched) == IR_SCOPE_SYSTEM);
  CHECK(memory_is_strong(&narrow) && !memory_is_volatile(&narrow) && memory_scope(&narrow) == IR_SCOPE_BLOCK);
  CHECK(memory_scope_between(true, true) == IR_SCOPE_BLOCK);
  CHECK(memory_scope_between(false, true) == IR_SCOPE_CLUSTER);
  CHECK(memory_scope_between(false, false) == IR_SCOPE_DEVICE);
}

// A compare-and-swap that fails may have a weaker order.
static void test_orders(void) {
  IrInst swap = {.op = IR_CMPXCHG, .order = IR_ORDER_ACQ_REL};
  CHECK(memory_acquires(&swap, true) && memory_releases(&swap));
  swap.flags = IR_FLAG_WEAK_FAILURE;
  CHECK(memory_acquires(&swap, false) && !memory_acquires(&swap, true));
}

int main(void) {
  test_release();
  test_acquire();
  test_fences();
  test_scopes();
  test_orders();
  return check_result();
}
