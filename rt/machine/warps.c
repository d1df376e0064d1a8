// How do the lanes of a warp meet? Under independent scheduling: a lane that names others in a mask waits until all of them that have
// not ended have come to the same operation with the same mask. Functions without a mask, and __activemask, are for the lanes that
// come to that place together: they go on when every lane of the warp waits for something, or one has run through its turn. Only
// __syncwarp orders memory; shuffles and votes hand over values alone.
// SPDX-License-Identifier: Apache-2.0
#include "rt/machine/internal.h"
#include "rt/contract.h"

#include <string.h>

typedef struct Meeting {
  Thread *lanes[WARP]; // that take part, by lane; NULL: does not
  uint32_t mask;
} Meeting;

static Thread *lane_of(const Thread *thread, uint32_t lane) {
  uint32_t number = thread->id.thread / WARP * WARP + lane;
  return number < thread->block->count ? &thread->block->threads[number] : NULL;
}

static bool has_ended(const Thread *thread) {
  return !thread || thread_state(thread) == THREAD_DONE;
}

// ---- what each operation gives

static uint32_t source_lane(const Thread *thread) {
  uint32_t lane = lane_number(thread), width = thread->width ? thread->width : WARP;
  uint32_t first = lane & ~(width - 1), last = first | (width - 1), from = lane;
  switch ((int)thread->op) {
  case WARP_SHUFFLE: return first | (thread->selector & (width - 1));
  case WARP_SHUFFLE_UP:
    return lane >= first + thread->selector && thread->selector <= lane ? lane - thread->selector : lane;
  case WARP_SHUFFLE_DOWN: from = lane + thread->selector; break;
  case WARP_SHUFFLE_XOR: from = lane ^ thread->selector; break;
  default: return lane;
  }
  return from <= last && from < WARP ? from : lane;
}

static uint64_t fold(WarpOp op, uint64_t a, uint64_t b) {
  switch ((int)op) {
  case WARP_ADD: return (uint32_t)(a + b);
  case WARP_MIN: return (uint32_t)((int32_t)a < (int32_t)b ? a : b);
  case WARP_MAX: return (uint32_t)((int32_t)a > (int32_t)b ? a : b);
  case WARP_UMIN: return (uint32_t)a < (uint32_t)b ? a : b;
  case WARP_UMAX: return (uint32_t)a > (uint32_t)b ? a : b;
  case WARP_AND: return a & b;
  case WARP_OR: return a | b;
  case WARP_XOR: return a ^ b;
  default: return a;
  }
}

static uint32_t lanes_with(const Meeting *meeting, uint64_t value) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < WARP; i++)
    if (meeting->lanes[i] && meeting->lanes[i]->value == value) found |= 1u << i;
  return found;
}

static uint32_t lanes_that_hold(const Meeting *meeting) {
  return meeting->mask & ~lanes_with(meeting, 0);
}

static uint64_t folded(const Meeting *meeting, WarpOp op) {
  bool is_first = true;
  uint64_t result = 0;
  for (uint32_t i = 0; i < WARP; i++) {
    if (!meeting->lanes[i]) continue;
    uint64_t value = meeting->lanes[i]->value;
    result = is_first ? value : fold(op, result, value);
    is_first = false;
  }
  return result;
}

// What is the same for all of them.
static uint64_t common_result(const Meeting *meeting, WarpOp op) {
  switch ((int)op) {
  case WARP_ALL: return lanes_that_hold(meeting) == meeting->mask;
  case WARP_ANY: return lanes_that_hold(meeting) != 0;
  case WARP_UNI: {
    uint32_t held = lanes_that_hold(meeting);
    return held == 0 || held == meeting->mask;
  }
  case WARP_BALLOT: return lanes_that_hold(meeting);
  case WARP_ACTIVE: return meeting->mask;
  case WARP_ADD:
  case WARP_MIN:
  case WARP_MAX:
  case WARP_UMIN:
  case WARP_UMAX:
  case WARP_AND:
  case WARP_OR:
  case WARP_XOR: return folded(meeting, op);
  default: return 0;
  }
}

static void give(const Meeting *meeting, Thread *thread, uint64_t common) {
  switch ((int)thread->op) {
  case WARP_SHUFFLE:
  case WARP_SHUFFLE_UP:
  case WARP_SHUFFLE_DOWN:
  case WARP_SHUFFLE_XOR: {
    Thread *from = meeting->lanes[source_lane(thread)];
    thread->result = from ? from->value : thread->value;
    break;
  }
  case WARP_MATCH_ANY: thread->result = lanes_with(meeting, thread->value); break;
  case WARP_MATCH_ALL: {
    uint32_t same = lanes_with(meeting, thread->value);
    thread->result_flag = same == meeting->mask;
    thread->result = same == meeting->mask ? same : 0;
    break;
  }
  default: thread->result = common; break;
  }
}

static void finish(const Meeting *meeting, const RtPlace *place) {
  Thread *threads[WARP];
  RtThread who[WARP];
  uint32_t count = 0;
  for (uint32_t i = 0; i < WARP; i++)
    if (meeting->lanes[i]) {
      threads[count] = meeting->lanes[i];
      who[count++] = meeting->lanes[i]->id;
    }
  uint64_t common = count ? common_result(meeting, threads[0]->op) : 0;
  for (uint32_t i = 0; i < count; i++)
    give(meeting, threads[i], common);
  if (count && threads[0]->op == WARP_SYNC && rt_machine.detector && rt_machine.kind->barrier) {
    RtBarrier barrier = {RT_BARRIER_WARP, place, count, who};
    rt_machine.kind->barrier(rt_machine.detector, &barrier);
  }
  threads_wake(threads, count);
}

// ---- with a mask

static bool has_come(const Thread *other, WarpOp op, uint32_t mask) {
  return thread_state(other) == THREAD_WAITING && other->wait == WAIT_WARP && other->op == op &&
         other->mask == mask;
}

static bool all_have_come(const Thread *thread, WarpOp op, uint32_t mask, Meeting *meeting) {
  const WarpLanes *lanes = &thread->block->warps[thread->id.thread / WARP];
  if (mask & ~(lanes->came | lanes->ended)) return false; // most often
  *meeting = (Meeting){.mask = 0};
  for (uint32_t i = 0; i < WARP; i++) {
    Thread *other = mask >> i & 1 ? lane_of(thread, i) : NULL;
    if (has_ended(other)) continue;
    if (!has_come(other, op, mask)) return false;
    meeting->lanes[i] = other;
    meeting->mask |= 1u << i;
  }
  return meeting->mask != 0;
}

uint64_t warp_meet(WarpOp op, uint32_t mask, uint64_t value, uint32_t selector, uint32_t width,
                   uint32_t *flag) {
  RT_ASSERT(rt_machine.current);
  RT_ASSERT(mask);
  Thread *thread = rt_machine.current;
  Meeting meeting;
  thread->op = op, thread->mask = mask, thread->value = value, thread->selector = selector,
  thread->width = width;
  thread->wait = WAIT_WARP;
  thread->state = THREAD_WAITING;
  thread->block->warps[thread->id.thread / WARP].came |= 1u << lane_number(thread);
  if (all_have_come(thread, op, mask, &meeting)) finish(&meeting, place_numbered(thread->lane.place));
  thread_wait(); // it may have been woken just now: then it stands in the queue
  if (flag) *flag = thread->result_flag;
  return thread->result;
}

// ---- without one

static bool is_still_running(const Thread *other) {
  return other && (thread_state(other) == THREAD_NEW || thread_state(other) == THREAD_READY);
}

static void settle_group(Thread *first) {
  Meeting meeting = {.mask = 0};
  for (uint32_t i = 0; i < WARP; i++) {
    Thread *other = lane_of(first, i);
    if (has_ended(other) || thread_state(other) != THREAD_WAITING || other->wait != WAIT_CONVERGED) continue;
    if (other->op != first->op || other->lane.place != first->lane.place) continue;
    meeting.lanes[i] = other;
    meeting.mask |= 1u << i;
  }
  finish(&meeting, place_numbered(first->lane.place));
}

void warp_settle(Thread *thread, bool is_forced) {
  RT_ASSERT(thread && thread->block);
  if (!thread->block->lanes_converging) return;
  for (uint32_t i = 0; i < WARP && !is_forced; i++)
    if (is_still_running(lane_of(thread, i))) return;
  for (uint32_t i = 0; i < WARP; i++) {
    Thread *other = lane_of(thread, i);
    if (!has_ended(other) && thread_state(other) == THREAD_WAITING && other->wait == WAIT_CONVERGED)
      settle_group(other);
  }
}

uint64_t warp_converged(WarpOp op, uint64_t value, uint32_t selector, uint32_t width) {
  RT_ASSERT(rt_machine.current);
  Thread *thread = rt_machine.current;
  thread->op = op, thread->mask = 0, thread->value = value, thread->selector = selector,
  thread->width = width;
  thread->wait = WAIT_CONVERGED;
  thread->state = THREAD_WAITING;
  thread->block->lanes_converging++;
  thread_wait();
  return thread->result;
}

void warp_thread_ended(Thread *thread) {
  RT_ASSERT(thread && thread_state(thread) == THREAD_DONE);
  Meeting meeting;
  WarpLanes *lanes = &thread->block->warps[thread->id.thread / WARP];
  lanes->ended |= 1u << lane_number(thread);
  for (uint32_t i = 0; i < WARP && lanes->came; i++) {
    Thread *other = lane_of(thread, i);
    if (has_ended(other) || thread_state(other) != THREAD_WAITING || other->wait != WAIT_WARP) continue;
    if (all_have_come(other, other->op, other->mask, &meeting))
      finish(&meeting, place_numbered(other->lane.place));
  }
  warp_settle(thread, false);
}
