// Barrier objects in memory (mbarrier, cuda::barrier): what their operations come to. The state is in the object itself, as on a device: arrivals
// expected and still awaited, bytes of copies that are announced, the phase. To detectors an arrival is an atomic operation of release order on the
// object, a wait that is over a read of acquire order: who waits knows what those who have arrived did before.
// SPDX-License-Identifier: Apache-2.0
#include "rt/machine/library.h"
#include "rt/contract.h"

enum {
  COUNT_BITS = 20,
  PENDING_AT = 20,
  BYTES_AT = 40,
  PHASE_AT = OBJECT_PHASE_AT,
  COUNT_MASK = (1 << COUNT_BITS) - 1
};

static uint32_t part(uint64_t word, int at) {
  return (uint32_t)(word >> at) & COUNT_MASK;
}

static uint64_t with(uint64_t word, int at, uint32_t value) {
  uint64_t mask = (uint64_t)COUNT_MASK << at;
  return (word & ~mask) | ((uint64_t)value << at & mask);
}

static void wake(const uint64_t *object) {
  for (Block *block = rt_machine.resident; block; block = block->next)
    for (uint32_t i = 0; i < block->count; i++) {
      Thread *thread = &block->threads[i];
      if (thread_state(thread) == THREAD_WAITING && thread->wait == WAIT_OBJECT && thread->object == object)
        thread_wake(thread);
    }
}

// The object becomes `word`, and its phase is over if nothing is awaited any more.
static void change(uint64_t *object, uint64_t word, int scope, int order) {
  bool is_over = part(word, PENDING_AT) == 0 && part(word, BYTES_AT) == 0;
  if (is_over) {
    word = with(word, PENDING_AT, part(word, 0));
    word = (word & ~(UINT64_C(15) << PHASE_AT)) | ((word >> PHASE_AT) + 1) << PHASE_AT;
  }
  access_tell(object, sizeof *object, RT_ATOMIC, 0, object, &word, 0, scope_of_number(scope),
              order_of_number(order), 0);
  *object = word;
  if (!is_over) return;
  copies_of_object_over(object);
  wake(object);
}

static void begin(uint64_t *object) {
  access_check(object, sizeof *object, true);
  access_step();
}

FUNCTION(void, object_init, "__hgrd_mbarrier_init", uint64_t *object, uint32_t expected) {
  uint64_t word = with(with(0, 0, expected), PENDING_AT, expected);
  hgrd_store(object, sizeof *object, 0, 0, word, NULL);
  *object = word;
}
FUNCTION(void, object_invalidate, "__hgrd_mbarrier_invalidate", uint64_t *object) {
  hgrd_store(object, sizeof *object, 0, 0, 0, NULL);
  *object = 0;
}
FUNCTION(uint64_t, object_arrive, "__hgrd_mbarrier_arrive", uint64_t *object, uint32_t count, int order,
         int scope) {
  begin(object);
  uint64_t word = *object;
  change(object, with(word, PENDING_AT, part(word, PENDING_AT) - count), scope, order);
  return word >> PHASE_AT;
}
FUNCTION(uint64_t, object_arrive_drop, "__hgrd_mbarrier_arrive_drop", uint64_t *object, uint32_t count,
         int order, int scope) {
  begin(object);
  uint64_t word = *object, less = with(word, 0, part(word, 0) - count);
  change(object, with(less, PENDING_AT, part(word, PENDING_AT) - count), scope, order);
  return word >> PHASE_AT;
}
enum { BY_BLOCK = 2, RELEASING = 4 }; // as IrScope and IrOrder number them

FUNCTION(void, object_expect, "__hgrd_mbarrier_expect", uint64_t *object, uint32_t bytes) {
  begin(object);
  change(object, with(*object, BYTES_AT, part(*object, BYTES_AT) + bytes), BY_BLOCK, RELEASING);
}
FUNCTION(void, object_complete, "__hgrd_mbarrier_complete", uint64_t *object, uint32_t bytes) {
  begin(object);
  change(object, with(*object, BYTES_AT, part(*object, BYTES_AT) - bytes), BY_BLOCK, RELEASING);
}

static bool is_over(const uint64_t *object, uint64_t phase, bool is_parity) {
  uint64_t now = object_phase(object);
  return is_parity ? (now & 1) != (phase & 1) : now != (phase & 15);
}

static bool test(uint64_t *object, uint64_t phase, bool is_parity, RtScope scope, RtOrder order) {
  begin(object);
  if (!is_over(object, phase, is_parity)) return false;
  access_tell(object, sizeof *object, RT_READ, 0, object, object, 0, scope, order, 0);
  return true;
}

static void await(uint64_t *object, uint64_t phase, bool is_parity, int order, int scope) {
  Thread *thread = rt_machine.current;
  while (!test(object, phase, is_parity, scope_of_number(scope), order_of_number(order))) {
    thread->wait = WAIT_OBJECT;
    thread->state = THREAD_WAITING;
    thread->object = object;
    thread_wait();
  }
}

FUNCTION(bool, object_test, "__hgrd_mbarrier_test", uint64_t *object, uint64_t token, int order, int scope) {
  return test(object, token, false, scope_of_number(scope), order_of_number(order));
}
FUNCTION(bool, object_test_parity, "__hgrd_mbarrier_test_parity", uint64_t *object, uint32_t parity,
         int order, int scope) {
  return test(object, parity, true, scope_of_number(scope), order_of_number(order));
}
FUNCTION(void, object_wait, "__hgrd_mbarrier_wait", uint64_t *object, uint64_t token, int order, int scope) {
  await(object, token, false, order, scope);
}
FUNCTION(void, object_wait_parity, "__hgrd_mbarrier_wait_parity", uint64_t *object, uint32_t parity,
         int order, int scope) {
  await(object, parity, true, order, scope);
}

// The thread's copies are made: an arrival for them that was not awaited before, so that it changes nothing but what is known.
FUNCTION(void, object_arrive_copies, "__hgrd_mbarrier_arrive_copies", uint64_t *object) {
  copies_await_all();
  begin(object);
  change(object, *object, BY_BLOCK, RELEASING);
}

FUNCTION(void, async_copy_on, "__hgrd_async_copy_on", void *to, const void *from, uint32_t bytes,
         uint64_t *object) {
  copy_begin_on(to, from, bytes, object);
  begin(object);
  change(object, *object, BY_BLOCK, RELEASING);
}
FUNCTION(void, async_bulk_on, "__hgrd_async_bulk_on", void *to, const void *from, uint32_t bytes,
         uint64_t *object) {
  copy_begin_on(to, from, bytes, object);
  begin(object);
  change(object, with(*object, BYTES_AT, part(*object, BYTES_AT) - bytes), BY_BLOCK, RELEASING);
}
