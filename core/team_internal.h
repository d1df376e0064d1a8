// Shared by the files that run threads together: members, what they wait for, words of memory, clocks.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CORE_TEAM_INTERNAL_H
#define HGRD_CORE_TEAM_INTERNAL_H

#include "core/interp_internal.h"
#include "core/table.h"
#include "core/team.h"

enum { REACH_BLOCK, REACH_ALL, REACH_COUNT }; // to whom a release or acquire speaks
enum { BARRIER_NUMBERS = 16, WORD_BYTES = 4, WARP = 32 };

// How far each thread has come, as somebody knows it. Never changed once it is shared; NULL: nothing.
typedef const uint32_t *Clock;

typedef enum MemberState {
  MEMBER_RUNS = 0,
  MEMBER_PARKED, // reads one word again and again: until it changes
  MEMBER_WAITS,
  MEMBER_LEFT,   // returned
  MEMBER_STOPPED // at something that is not followed
} MemberState;

typedef enum WaitKind {
  WAIT_NONE = 0,
  WAIT_BLOCK,
  WAIT_GRID,
  WAIT_LANES,
  WAIT_COMPANY, // for lanes that come by together with it
  WAIT_NUMBER,
  WAIT_GATE
} WaitKind;

// One access of one thread to a word: the latest one of its kind.
typedef struct Touch {
  uint32_t thread, inst;
  uint32_t clock;
  uint8_t mask; // bytes of the word
  bool is_write, is_strong;
  bool reaches_all;         // strong, and not of block scope
  const TeamPassed *passed; // by the thread; NULL: nothing
  uint32_t number;          // of a strong write among those of the word, from 1 on; 0: it is none
  uint32_t before;          // the one before it of the same thread, as `latest` names it
} Touch;

typedef struct Touches {
  VEC(Touch) items;
  uint32_t *latest; // by thread: one more than the place of its latest; 0: none. NULL: there are few
} Touches;

// What those of one block have released so that their block knows it.
typedef struct ToldIn {
  uint32_t block;
  Clock clock;
} ToldIn;

// A strong operation has read what the strong writes `from` to `to` of the word, numbered in their order,
// have left in it one upon the other: they come before all that comes behind it, fences or not.
typedef struct Observed {
  uint32_t thread, clock;
  uint32_t from, to;
} Observed;

// Strong writes of a word, `from` to `to`, each upon the one before it.
typedef struct Chain {
  uint32_t from, to;
} Chain;

typedef VEC(Chain) Chains; // none overlaps another one, the earlier first

typedef struct Word {
  uint32_t object; // as `key_of` numbers them
  int64_t index;
  uint32_t version;    // changes of its contents
  Clock told;          // to all, by who wrote what it holds
  VEC(ToldIn) told_in; // to their own blocks
  uint8_t told_mask;   // the bytes that it was told with
  uint32_t writes;     // strong ones, so far
  uint32_t chain_from; // the number of the first one of which something is left; 0: what it holds is plain
  Touch last;          // of the writes in this chain
  VEC(Observed) observed;
  Touches reads_touched, writes_touched;
} Word;

// A barrier object in memory.
typedef struct Gate {
  uint32_t object;
  int64_t offset;
  int64_t expected, pending;
  int64_t bytes;  // that are still to come in this phase
  uint64_t phase; // under way
  Clock arrived, done;
} Gate;

// A bulk copy that is still under way, of which this object is to be told.
typedef struct UnderWay {
  uint32_t gate;
  int64_t bytes;
  Clock clock; // of the engine, when it is over
} UnderWay;

// A pipeline as one thread uses it: how many stages it has handed over, and given back.
typedef struct Stages {
  uint32_t object;
  int64_t offset, filled, taken;
} Stages;

// Threads that hand stages of a pipeline over, and that take them.
typedef struct Parties {
  uint32_t object;
  int64_t offset, producers, consumers;
} Parties;

typedef struct NumberedBarrier {
  int64_t arrived;
  Clock clock;
} NumberedBarrier;

typedef struct Member {
  Interp run;
  uint32_t number, block, first; // its block, and that block's first member
  uint32_t lane;                 // linear number in the block
  MemberState state;
  uint32_t *clock;  // by member; its own, or its warp's
  uint32_t *rounds; // by loop: how often it has gone round since it came there, if lanes go on together
  const TeamPassed *passed; // barriers; NULL: none
  bool is_told;             // nothing new since the last release
  uint8_t told_to;          // of what reach that was, + 1
  Clock released[REACH_COUNT];
  Clock heard[REACH_COUNT]; // read, and no fence behind it yet
  // Asynchronous copies:
  uint32_t copies;         // issued so far: the clock of the thread's engine
  VEC(uint32_t) groups[2]; // that many had been issued; of bulk copies by themselves
  VEC(Stages) stages;
  // Waiting:
  WaitKind wait;
  int64_t wait_for; // mask of lanes, number, phase
  uint32_t gate;    // + 1
  bool is_parity;
  // Spinning:
  uint32_t spin_inst, spin_version;
  const Word *spin_word;
  uint32_t patience; // reads that do not park it
} Member;

typedef struct Block {
  uint32_t first, count, waiting, left;
  NumberedBarrier numbered[BARRIER_NUMBERS];
} Block;

typedef struct Told {
  uint32_t inst[2];
  bool is_write[2];
  uint8_t extent;
} Told;

typedef struct Team {
  const TeamRequest *request;
  Arena *arena;
  Member *members;
  uint32_t count;
  uint32_t clock_size; // entries: members, then their engines if there are copies
  Block *blocks;
  uint32_t block_count;
  uint32_t grid_waiting, left, parked;
  Interp memory;   // only what concerns memory is used
  bool *is_shared; // by object
  VEC(Word *) words;
  Table table;
  VEC(Gate) gates;
  VEC(UnderWay) under_way; // oldest first
  uint32_t finished;       // of these
  VEC(Parties) parties;
  VEC(Told) told;
  Chains observed_chains; // of whom is asked about: team_memory.c
  uint64_t steps, random;
  uint32_t turn;         // who runs
  uint32_t *rank, worst; // by member, where schedules go by that: the lowest one runs
  bool gives_turn;       // let somebody else run
  uint32_t kept_late;    // a thread that goes on when nobody else can; the count of threads: none
  bool has_insisted;     // once, that those who wait go on waiting
  uint64_t clock_words;  // made so far
} Team;

// ---- team_clock.c
uint32_t *clock_make(Team *team); // knows nothing
Clock clock_join(Team *team, Clock a, Clock b);
void member_learn(Team *team, Member *member,
                  Clock clock); // has happened before all that it does from now on
// Who has left the kernel has come to the barrier, with all that it did, and the fences that it passed.
void member_learn_of_left(Team *team, Member *member, const Member *left);
Clock member_snapshot(Team *team, Member *member);
void member_acquire(Team *team, Member *member, IrScope scope); // what it has heard, it knows from now on
void member_release(Team *team, Member *member, IrScope scope); // what it knows, it tells from now on
// The members have met: each knows what all knew.
void members_meet(Team *team, Member *const *members, uint32_t count);
// ---- team_memory.c
uint32_t team_key(const Team *team, const Member *member, uint32_t object);
// ---- team_meet.c: true: the instruction was dealt with
bool team_meet(Team *team, Member *member, const IrInst *inst);
// ---- team_gates.c: false: it is not followed
bool team_use_gate(Team *team, Member *member, const IrInst *inst); // a barrier object, groups of copies
bool team_join_pipeline(Team *team, Member *member, const IrInst *inst);
bool team_use_pipeline(Team *team, Member *member, const IrInst *inst);
// Before the copy is made; false: the member was stopped.
bool team_begin_copy(Team *team, Member *member, const IrInst *inst);
bool team_finish_copy(Team *team); // the oldest one that is under way; false: there is none
// ---- team_meet.c
void team_left(Team *team, Member *member); // it returned: nobody waits for it
// Nobody goes on: lanes of a warp that ask at one instruction who runs with them are told each other; false:
// none asks.
bool team_come_by(Team *team);
// ---- team.c
bool team_flip(Team *team); // a coin
void member_stop(Team *team, Member *member);
void member_resume(Team *team, Member *member, Value result); // behind the instruction that it waited at

#endif
