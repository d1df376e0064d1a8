// Barrier objects at which only a part of the block arrives, and that others wait for: which arrival is for
// which phase, and which phase does a wait await? phases.c finds that out for the kernel, phases_order.c
// orders two accesses by it.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_PHASES_PHASES_H
#define HGRD_KERNELSCAN_PHASES_PHASES_H

#include "kernelscan/phases.h"

enum {
  PHASES_TABLE = 40,  // rounds that are looked at
  PHASES_PERIOD = 12, // objects used in turn
  PHASES_EVENTS = 64
};
static const uint32_t PHASES_NUMBERS = UINT32_MAX; // in place of an object: barriers with a number

// Objects that are used in turn: place i is at base + i * stride.
typedef struct Channel {
  uint32_t object;
  int64_t base, stride, period;
  int64_t expected; // arrivals in a phase
  bool is_broken;
  bool is_pipeline; // stages of one: object, and which of the two by `base`
  bool is_named;    // a barrier with a number: `base`
  bool is_elected;  // whoever arrives is the elected lane of its warp: `members` has the first lanes for them
  uint8_t *members; // by thread of the block: may arrive; in a phase it counts for that many
} Channel;

// In round k of its loop the operation is on place (k + rotation) mod period, and of phase (k + turn) /
// period
// + shift.
typedef struct Form {
  int64_t rotation, turn, shift; // the first two in [0, period)
} Form;

typedef enum EventKind {
  EVENT_ARRIVAL,
  EVENT_WAIT,  // awaits the phase; what is known behind it
  EVENT_BYTES, // a bulk copy, or the announcement of its bytes: belongs to the phase of the arrival beside it
  EVENT_COPY   // an asynchronous copy that completes on the object
} EventKind;

typedef struct Event {
  EventKind kind;
  uint32_t inst, loop; // CFG_NONE: executed once, which counts as round 0
  uint32_t channel;
  Form form;
  int64_t first, trips; // executed in rounds from `first` on; trips: at most up to this one, -1: not known
  bool is_counted;      // the loop is always gone round equally often, as `trips` says
  int64_t last;         // of knowledge: holds in rounds before this one, 0: in all
  bool is_tail;         // executed once, behind the loop, in the round in which that is left; then not closed
  bool is_closed;       // and in all of these up to the last one in which it is executed
  bool is_valid;        // WAIT: the phase is known to be the one awaited
  bool only_in_time;    // of knowledge: the phase is over, but what its arrivals tell is not known
  bool takes_copies;    // ARRIVAL: the thread's asynchronous copies in groups are over with the phase
  bool only_copies;     // ARRIVAL: and nothing else that it did is published
  uint32_t beside;      // BYTES, COPY: event + 1 of the arrival
  uint8_t *members;     // ARRIVAL: by thread of the block
  bool is_elected;      // by elected lanes alone: `members` has the first lane of their warps
  uint8_t counts_for;   // ARRIVAL: as many
  uint32_t place;       // WAIT: known behind this instruction
} Event;

// Where an operation is in the rounds of its loop: bytes of an object, or eight times the number of a barrier.
typedef struct Site {
  uint32_t inst, loop, object; // PHASES_NUMBERS: a barrier with a number
  IrRef address;               // the number, of such
  int64_t trips, first;
  bool is_counted;
  int64_t count, offsets[PHASES_TABLE]; // of the rounds from `first` on
  int64_t distinct, low, stride;
} Site;

typedef struct Entailed { // whoever comes to the place has passed the wait in the same round
  uint32_t wait, place;
  int64_t first, back;
  bool holds;
} Entailed;

// What is kept of a scan (phases_get).
typedef struct Phases {
  bool is_asked;
  Scan *scan; // NULL: there is nothing of the kind, or it is not followed
  Frame *anyone;
  VEC(Channel) channels;
  VEC(Event) events;
  VEC(Event) knowledge;                    // valid waits, and what follows from them over one further thread
  Models models;                           // of conditions that one thread may meet
  VEC(Entailed) entailed, entailed_before; // in the same round; `back` rounds before
  VEC(Entailed) made_before;               // once, before
  VEC(Entailed) rounds_made;               // in all rounds of a loop before
} Phases;

Phases *
phases_get(Scan *scan); // made on first use; NULL: there is nothing of the kind, or it is not followed
// ---- phases_sites.c
bool phases_collect(Phases *phases); // events and channels, without numbers of phases; false: not understood
// Is the instruction behind the loop, which is left from its header alone, and around which there is none?
bool phases_is_behind_loop(const Scan *scan, uint32_t loop, uint32_t inst);
// Whoever comes to the instruction has made all rounds of the event that there can be (`trips`).
bool phases_rounds_are_made(Phases *phases, const Event *event, uint32_t inst);
// Is what the operation on an object orders left to the phases?
bool phases_is_open(Scan *scan, const Meet *meet);
// Fills in the loop of the event and the rounds in which it is executed; false: not known.
bool phases_read_rounds(Phases *phases, Event *event);
// Fills in the rounds of the site, whose loop is known, and its places in these; false: not known.
bool phases_read_site(Phases *phases, Site *site);
// The channels of the sites, which are those of the events from `first` on; fills in the rounds and forms of these.
bool phases_join_channels(Phases *phases, const Site *sites, uint32_t count, uint32_t first);
// ---- phases_pipelines.c
bool phases_collect_pipelines(Phases *phases); // with their phases; false: not understood
// ---- phases_named.c
bool phases_has_named(const Scan *scan);   // barriers with a number that are no points
void phases_collect_named(Phases *phases); // those of them that are understood, without numbers of phases
// ---- phases_sites.c
int64_t phases_floor(int64_t a, int64_t b);
bool phases_never(Phases *phases, ExprRef condition, const char *name);
// One thread in this round of the loop.
Frame *phases_frame_at(const Phases *phases, uint32_t loop, int64_t round); // CFG_NONE: once
// Condition that the instruction is executed in this round of its loop; 0: not known.
ExprRef phases_executed_in(const Phases *phases, uint32_t loop, uint32_t inst, ExprRef round);
int64_t phases_place(const Channel *channel, const Form *form, int64_t round);
int64_t phases_phase(const Channel *channel, const Form *form, int64_t round);
bool phases_dominates(const Scan *scan, uint32_t a, uint32_t b);
bool phases_in_each_round(const Scan *scan, uint32_t loop, uint32_t inst); // of those that go round
// ---- phases.c
// Does whoever comes to the instruction have all rounds of the event behind it?
bool phases_is_over_before(Phases *phases, const Event *event, uint32_t inst);
// And this place, which is executed once?
bool phases_is_made_before(Phases *phases, uint32_t place, uint32_t inst);
// ---- phases_knowledge.c
// Breaks the channels of which it cannot be shown that each wait awaits the phase that it is meant for.
void phases_settle(Phases *phases);
// Is the wait over in round `round - back` for a thread at the place in round `round` of the same loop?
bool phases_is_passed(Phases *phases, const Event *wait, uint32_t place, int64_t back);
// ---- phases.c, too
bool phases_same_rounds(const Event *a, const Event *b); // both are made in the same rounds of one loop
// No thread executes both.
bool phases_exclude(const Phases *phases, uint32_t a, uint32_t b);

#endif
