// When have all come to a barrier? A gate counts arrivals; the one that completes the count ends the phase: detectors are told who
// took part, and those that wait go on. A thread that has ended is awaited by no barrier, as on the machines there are. A part of a
// block names how many it awaits.
// SPDX-License-Identifier: Apache-2.0
#include "rt/machine/internal.h"
#include "rt/contract.h"

#include <stdlib.h>
#include <string.h>

void gate_open(Gate *gate, RtBarrierKind kind, const char *name) {
  RT_ASSERT(gate);
  RT_ASSERT(name);
  *gate = (Gate){.kind = kind, .name = name};
}

void gate_close(Gate *gate) {
  RT_ASSERT(gate);
  free(gate->who);
  gate->who = NULL;
}

// Tiles of 1024 threads stand first, then those of 512 and so on: of each size as many as a block can have.
enum { TILE_GATES = 2 * BLOCK_THREADS_MOST / WARP - 1 };

Gate *gate_of_tile(Thread *thread, uint32_t lanes) {
  RT_ASSERT(thread && thread->block);
  RT_ASSERT(lanes >= 2 && lanes <= BLOCK_THREADS_MOST && !(lanes & (lanes - 1)));
  Block *block = thread->block;
  if (!block->tiles) block->tiles = calloc(TILE_GATES, sizeof *block->tiles);
  if (!block->tiles) machine_stop(RT_NO_MEMORY);
  uint32_t tile = thread->id.thread / lanes;
  Gate *gate = &block->tiles[BLOCK_THREADS_MOST / lanes - 1 + tile];
  if (!gate->name) gate_open(gate, RT_BARRIER_PART, "the barrier of a tile");
  gate->first = tile * lanes;
  gate->lanes = lanes;
  return gate;
}

void gates_close_tiles(Block *block) {
  RT_ASSERT(block);
  for (int i = 0; block->tiles && i < TILE_GATES; i++)
    gate_close(&block->tiles[i]);
  free(block->tiles);
  block->tiles = NULL;
}

static uint32_t live_in_tile(const Gate *gate, const Block *block) {
  uint32_t live = 0;
  for (uint32_t i = gate->first; i < gate->first + gate->lanes && i < block->count; i++)
    live += thread_state(&block->threads[i]) != THREAD_DONE;
  return live;
}

static bool is_of_block(const Gate *gate) {
  return gate->kind == RT_BARRIER_BLOCK || gate->kind == RT_BARRIER_PART;
}

static void note_arrival(Gate *gate, RtThread who) {
  if (gate->arrived == gate->who_capacity) {
    uint32_t capacity = gate->who_capacity ? gate->who_capacity * 2 : WARP;
    RtThread *more = realloc(gate->who, capacity * sizeof *more);
    if (!more) machine_stop(RT_NO_MEMORY);
    gate->who = more;
    gate->who_capacity = capacity;
  }
  gate->who[gate->arrived++] = who;
}

static bool waits_at(const Thread *thread, const Gate *gate, uint32_t phase) {
  return thread_state(thread) == THREAD_WAITING && thread->wait == WAIT_GATE && thread->gate == gate &&
         thread->gate_phase == phase;
}

static void wake_block(Block *block, Gate *gate, uint32_t phase) {
  bool is_reversed = rt_machine.settings.schedule == SCHEDULE_REVERSED;
  for (uint32_t i = 0; i < block->count; i++) {
    Thread *thread = &block->threads[is_reversed ? block->count - 1 - i : i];
    if (waits_at(thread, gate, phase)) thread_wake(thread);
  }
}

static void complete(Gate *gate, Block *block, const RtPlace *place) {
  uint32_t phase = gate->phase++;
  if (gate == &block->gates[0] && gate->other_place && gate->count == NO_LIMIT)
    told_divergence(gate, gate->who[gate->arrived - 1]);
  if (rt_machine.detector && rt_machine.kind->barrier) {
    bool is_part = gate->kind == RT_BARRIER_BLOCK && gate->arrived < block->live;
    RtBarrier barrier = {is_part ? RT_BARRIER_PART : gate->kind, place, gate->arrived, gate->who};
    rt_machine.kind->barrier(rt_machine.detector, &barrier);
  }
  gate->reduced_count = gate->votes;
  gate->reduced_voters = gate->voters;
  if (is_of_block(gate)) block->arrivals -= gate->arrived;
  gate->arrived = gate->votes = gate->voters = 0;
  if (is_of_block(gate)) {
    wake_block(block, gate, phase);
    return;
  }
  for (Block *other = rt_machine.resident; other; other = other->next)
    wake_block(other, gate, phase);
}

static uint64_t awaited(const Gate *gate, const Block *block) {
  if (gate->count != NO_LIMIT) return gate->count;
  if (gate->lanes) return live_in_tile(gate, block);
  if (gate->kind == RT_BARRIER_GRID) return rt_machine.live;
  return gate->kind == RT_BARRIER_CLUSTER ? block->cluster->live : block->live;
}

uint32_t gate_arrive(Gate *gate, uint32_t expected, bool votes, bool vote) {
  RT_ASSERT(gate && rt_machine.current);
  RT_ASSERT(expected == NO_LIMIT || expected <= BLOCK_THREADS_MOST);
  RT_ASSERT(votes || !vote);
  Thread *thread = rt_machine.current;
  uint32_t phase = gate->phase;
  gate->count = expected;
  gate->voters += votes;
  gate->votes += votes && vote;
  if (gate->arrived == 0)
    gate->place = thread->lane.place, gate->other_place = 0;
  else if (gate->place != thread->lane.place)
    gate->other_place = thread->lane.place;
  note_arrival(gate, thread->id);
  if (is_of_block(gate)) thread->block->arrivals++;
  if (gate->arrived >= awaited(gate, thread->block))
    complete(gate, thread->block, place_numbered(thread->lane.place));
  return phase;
}

void gate_await(Gate *gate, uint32_t phase) {
  RT_ASSERT(gate && rt_machine.current);
  RT_ASSERT(gate->phase - phase <= UINT32_MAX / 2);
  Thread *thread = rt_machine.current;
  if (gate->phase != phase) { // all have come: it is another one's turn now and then
    access_step();
    return;
  }
  thread->wait = WAIT_GATE;
  thread->state = THREAD_WAITING;
  thread->gate = gate;
  thread->gate_phase = phase;
  thread_wait();
}

static void check(Gate *gate, Block *block, uint32_t place) {
  if (gate->arrived > 0 && gate->count == NO_LIMIT && gate->arrived >= awaited(gate, block))
    complete(gate, block, place_numbered(place));
}

void gates_thread_ended(Thread *thread) {
  RT_ASSERT(thread && thread_state(thread) == THREAD_DONE);
  Block *block = thread->block;
  uint32_t place = thread->lane.place;
  if (block->live > 0 && block->arrivals > 0) {
    for (int i = 0; i < NAMED_BARRIERS; i++)
      check(&block->gates[i], block, place);
    check(&block->halves, block, place);
    for (int i = 0; block->tiles && i < TILE_GATES; i++)
      check(&block->tiles[i], block, place);
  }
  if (block->cluster && block->cluster->live > 0) check(&block->cluster->gate, block, place);
  if (rt_machine.live > 0) check(&rt_machine.grid_gate, block, place);
}
