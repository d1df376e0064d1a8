// What does a thread know of the others? Vector clocks: entry u of thread t's clock is how far thread u had
// come when it last said so to t, over barriers, or fences and the words between them. Release and acquire go
// as far as the fence and the operation both reach. Soundness: see team.h.
// SPDX-License-Identifier: Apache-2.0
#include "core/team_internal.h"
#include "core/bug.h"

#include <string.h>

uint32_t *clock_make(Team *team) {
  team->clock_words += team->clock_size;
  return arena_array(team->arena, team->clock_size + 1, uint32_t);
}

// Most of a run's time goes into these two: no branches within a stretch, so that a compiler can take several
// entries at a time.
enum { STRETCH = 64 };

static bool is_stretch_within(const uint32_t *a, const uint32_t *b, uint32_t count) {
  uint32_t later = 0;
  for (uint32_t i = 0; i < count; i++)
    later |= a[i] > b[i];
  return !later;
}

static bool is_within(const Team *team, const uint32_t *a, const uint32_t *b) {
  uint32_t i = 0;
  for (; i + STRETCH <= team->clock_size; i += STRETCH)
    if (!is_stretch_within(a + i, b + i, STRETCH)) return false;
  return is_stretch_within(a + i, b + i, team->clock_size - i);
}

static void raise_stretch(uint32_t *restrict clock, const uint32_t *restrict by, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    clock[i] = by[i] > clock[i] ? by[i] : clock[i];
}

static void raise_to(const Team *team, uint32_t *clock, const uint32_t *by) {
  uint32_t i = 0;
  for (; i + STRETCH <= team->clock_size; i += STRETCH)
    raise_stretch(clock + i, by + i, STRETCH);
  raise_stretch(clock + i, by + i, team->clock_size - i);
}

Clock clock_join(Team *team, Clock a, Clock b) {
  if (!a || a == b) return b;
  if (!b || is_within(team, b, a)) return a;
  if (is_within(team, a, b)) return b;
  uint32_t *joined = clock_make(team);
  memcpy(joined, a, team->clock_size * sizeof *joined);
  raise_to(team, joined, b);
  return joined;
}

void member_learn(Team *team, Member *member, Clock clock) {
  ASSERT(member->number < team->count);
  if (!clock || is_within(team, clock, member->clock)) return;
  raise_to(team, member->clock, clock);
  member->is_told = false;
}

Clock member_snapshot(Team *team, Member *member) {
  ASSERT(member->number < team->count);
  uint32_t *copy = clock_make(team);
  memcpy(copy, member->clock, team->clock_size * sizeof *copy);
  member->clock[member->number]++;
  return copy;
}

static uint8_t reach_of(const Team *team, IrScope scope) {
  return scope > IR_SCOPE_BLOCK || team->request->reaches_all ? REACH_ALL : REACH_BLOCK;
}

void member_acquire(Team *team, Member *member, IrScope scope) {
  ASSERT(member->number < team->count);
  ASSERT(scope < IR_SCOPE_COUNT);
  uint8_t reach = reach_of(team, scope);
  for (uint8_t r = 0; r <= reach; r++) {
    member_learn(team, member, member->heard[r]);
    member->heard[r] = NULL;
  }
}

void member_release(Team *team, Member *member, IrScope scope) {
  ASSERT(member->number < team->count);
  ASSERT(scope < IR_SCOPE_COUNT);
  uint8_t reach = reach_of(team, scope);
  // What another lane has learned, this one knows as well.
  if (!team->request->warp_order && member->is_told && member->told_to > reach) return;
  Clock now = member_snapshot(team, member);
  for (uint8_t r = 0; r <= reach; r++)
    member->released[r] = now;
  member->is_told = true;
  member->told_to = (uint8_t)(reach + 1);
}

// A clock that many are joined to, one after the other: made when two of them differ.
typedef struct Sum {
  Clock clock;
  uint32_t *own; // where the clock is this sum's alone
} Sum;

static void add_to(Team *team, Sum *sum, Clock clock) {
  if (!clock || clock == sum->clock) return;
  if (!sum->clock) {
    sum->clock = clock;
    return;
  }
  if (!sum->own) {
    sum->own = clock_make(team);
    memcpy(sum->own, sum->clock, team->clock_size * sizeof *sum->own);
    sum->clock = sum->own;
  }
  raise_to(team, sum->own, clock);
}

// What fences have released, and what was read and waits for one, is everybody's behind the barrier, if the
// memory model takes fences of anybody for those of all; else it stays the thread's own.
static void share_fences(Team *team, Member *const *members, uint32_t count) {
  const MemoryRules *rules = &team->request->rules;
  for (int r = 0; r < REACH_COUNT; r++) {
    Sum released = {0}, heard = {0};
    for (uint32_t i = 0; i < count; i++) {
      add_to(team, &released, members[i]->released[r]);
      add_to(team, &heard, members[i]->heard[r]);
    }
    for (uint32_t i = 0; i < count; i++) {
      if (rules->release != FENCE_BESIDE_FLAG) members[i]->released[r] = released.clock;
      if (rules->acquire != FENCE_BESIDE_FLAG) members[i]->heard[r] = heard.clock;
    }
  }
}

void member_learn_of_left(Team *team, Member *member, const Member *left) {
  ASSERT(member->number < team->count);
  ASSERT(left->number < team->count);
  const MemoryRules *rules = &team->request->rules;
  member_learn(team, member, left->clock);
  for (int r = 0; r < REACH_COUNT; r++) {
    if (rules->release != FENCE_BESIDE_FLAG)
      member->released[r] = clock_join(team, member->released[r], left->released[r]);
    if (rules->acquire != FENCE_BESIDE_FLAG)
      member->heard[r] = clock_join(team, member->heard[r], left->heard[r]);
  }
}

void members_meet(Team *team, Member *const *members, uint32_t count) {
  if (!count) return;
  uint32_t *all = clock_make(team);
  for (uint32_t i = 0; i < count; i++)
    raise_to(team, all, members[i]->clock);
  share_fences(team, members, count);
  for (uint32_t i = 0; i < count; i++) {
    Member *member = members[i];
    memcpy(member->clock, all, team->clock_size * sizeof *all);
    member->clock[member->number]++;
    member->is_told = false;
  }
}
