// When does an asynchronous copy of a kernel happen? At any time from its issue to the wait for it. One that its thread waits for is made at
// that wait, by that thread: so who relies on it with no barrier behind the wait is told by the detector. Until then it is on the list of what is under
// way, and whatever touches its target, or writes its source, is told at once, with any detector: no barrier helps against a copy that goes on.
// One that completes on a barrier object is made at its issue, before an arrival of its own at that object, and is under way until the phase is over.
// A copy that nobody waits for is made when its thread ends.
// Under-approximates: behind the phase of a barrier object, who has not waited at it but at another barrier is not told.
// SPDX-License-Identifier: Apache-2.0
#include "rt/machine/internal.h"
#include "rt/contract.h"

#include <stdlib.h>
#include <string.h>

static bool reserve(void) {
  if (rt_machine.copy_count < rt_machine.copy_capacity) return true;
  uint32_t capacity = rt_machine.copy_capacity ? rt_machine.copy_capacity * 2 : 256;
  AsyncCopy *larger = realloc(rt_machine.copies, capacity * sizeof *larger);
  if (!larger) return false;
  rt_machine.copies = larger;
  rt_machine.copy_capacity = capacity;
  return true;
}

static void note(AsyncCopy copy) {
  if (!reserve()) machine_stop(RT_NO_MEMORY);
  if (rt_machine.copy_count == 0) sites_forget(); // from now on what is proved may meet it
  rt_machine.copies[rt_machine.copy_count++] = copy;
}

static AsyncCopy copy_of(void *to, const void *from, uint64_t bytes, uint64_t zeros) {
  Thread *thread = rt_machine.current;
  return (AsyncCopy){.thread = thread,
                     .to = to,
                     .from = from,
                     .bytes = bytes,
                     .zeros = zeros < bytes ? zeros : bytes,
                     .place = thread->lane.place,
                     .group = thread->copy_group};
}

static void make(const AsyncCopy *copy) {
  uint32_t place = rt_machine.current->lane.place;
  uint64_t copied = copy->bytes - copy->zeros;
  rt_machine.current->lane.place = copy->place;
  hgrd_copy(copy->to, copy->from, copied, copy->place, 0);
  hgrd_fill((char *)copy->to + copied, 0, copy->zeros, copy->place, 0);
  rt_machine.current->lane.place = place;
}

void copy_begin(void *to, const void *from, uint64_t bytes, uint64_t zeros) {
  RT_ASSERT(rt_machine.current);
  RT_ASSERT(zeros <= bytes);
  note(copy_of(to, from, bytes, zeros));
}

void copy_begin_on(void *to, const void *from, uint64_t bytes, uint64_t *barrier) {
  RT_ASSERT(rt_machine.current);
  RT_ASSERT(barrier);
  AsyncCopy copy = copy_of(to, from, bytes, 0);
  make(&copy);
  copy.barrier = barrier;
  copy.phase = object_phase(barrier);
  note(copy);
}

void copies_commit(void) {
  RT_ASSERT(rt_machine.current);
  rt_machine.current->copy_group++;
}

static void drop(uint32_t at) {
  memmove(&rt_machine.copies[at], &rt_machine.copies[at + 1],
          (--rt_machine.copy_count - at) * sizeof *rt_machine.copies);
}

// Those of the current thread in the groups before this one.
static void make_before(uint32_t group) {
  const Thread *thread = rt_machine.current;
  for (uint32_t i = 0; i < rt_machine.copy_count;) {
    AsyncCopy copy = rt_machine.copies[i];
    if (copy.thread != thread || copy.barrier || copy.group >= group) {
      i++;
      continue;
    }
    drop(i);
    make(&copy); // others may go on meanwhile: begin again
    i = 0;
  }
}

void copies_await(uint32_t newest_groups_left) {
  RT_ASSERT(rt_machine.current);
  uint32_t group = rt_machine.current->copy_group;
  make_before(group > newest_groups_left ? group - newest_groups_left : 0);
}

void copies_await_all(void) {
  RT_ASSERT(rt_machine.current);
  make_before(UINT32_MAX);
}

void copies_of_object_over(const uint64_t *barrier) {
  RT_ASSERT(barrier);
  for (uint32_t i = 0; i < rt_machine.copy_count;)
    if (rt_machine.copies[i].barrier == barrier)
      drop(i);
    else
      i++;
}

void copies_thread_ends(void) {
  RT_ASSERT(rt_machine.current);
  const Thread *thread = rt_machine.current;
  if (!rt_machine.copy_count) return;
  copies_await_all();
  for (uint32_t i = 0; i < rt_machine.copy_count;)
    if (rt_machine.copies[i].thread == thread)
      drop(i);
    else
      i++;
}

void copies_forget(void) {
  rt_machine.copy_count = 0;
}

static bool meet(const void *a, uint64_t a_bytes, const void *b, uint64_t b_bytes) {
  uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;
  return x < y + b_bytes && y < x + a_bytes;
}

static void tell(AsyncCopy *copy, const RtAccess *access, bool is_target) {
  const void *start = is_target ? copy->to : copy->from;
  RtRace race = {.first = {.by = copy->thread->id,
                           .place = place_numbered(copy->place),
                           .address = (uint64_t)(uintptr_t)start,
                           .bytes = (uint32_t)copy->bytes,
                           .space = access->space,
                           .kind = is_target ? RT_WRITE : RT_READ},
                 .second = *access,
                 .why = "the asynchronous copy is still under way: nothing has waited for it"};
  copy->is_told = true;
  told_race(NULL, &race);
}

void copies_meet(const RtAccess *access) {
  RT_ASSERT(access && access->bytes);
  for (uint32_t i = 0; i < rt_machine.copy_count; i++) {
    AsyncCopy *copy = &rt_machine.copies[i];
    const void *at = (const void *)(uintptr_t)access->address;
    if (copy->is_told) continue;
    if (meet(copy->to, copy->bytes, at, access->bytes))
      tell(copy, access, true);
    else if (access->kind != RT_READ && meet(copy->from, copy->bytes - copy->zeros, at, access->bytes))
      tell(copy, access, false);
  }
}
