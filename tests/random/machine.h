// What the parts of the emulation share (emulation.h has what kernels see): threads, their clocks, memory.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_TESTS_RANDOM_MACHINE_H
#define HGRD_TESTS_RANDOM_MACHINE_H

#include "emulation.h"

#include <cstdint>
#include <deque>
#include <setjmp.h>
#include <ucontext.h>
#include <unordered_map>
#include <vector>

enum { WARP = 32, STACK = 1 << 16, FUEL = 400000, NAMED = 16, ALL = 1 << 14 };

// Of each thread that lives, and of the copies that each has under way (behind the threads): up to which of its own
// stretches one comes after it.
using Clock = std::vector<uint32_t>;

enum Strength { PLAIN, VOLATILE, ATOMIC, UPDATE }; // an update reads what it overwrites

struct Access {
  uint32_t block, thread, clock;
  bool is_write, is_wide; // its scope is the device
  Strength strength;
  uint64_t time; // when it was made
};

// GIFT: an exchange of some lanes of the warp. NAMED: a barrier with a number.
enum Wait { RUNS, AT_BLOCK, AT_WARP, AT_LANES, AT_EXCHANGE, AT_GIFT, AT_NAMED, ENDED };

// What a strong write carries to a strong read: what its thread knew at its last fence.
struct Message {
  Clock clock;
  uint32_t block;
  bool is_wide; // fence and write are of the device's scope
};

// A stack and where it stands. One that has come to the end of a kernel can run the next one; leaving it by jumps spares the
// two calls of the system that a change of context makes.
struct Fiber {
  ucontext_t context;
  std::vector<char> stack;
  jmp_buf at;
  bool is_started, is_parked;
};

struct Thread {
  Clock seen;           // what comes before this thread's next access
  Clock near, far;      // what strong reads brought that no fence has made known yet: from the block, from others
  Clock told_near, told_far; // what the last fence gives to later strong writes, by its scope
  dim3 index;
  uint32_t block;
  Wait wait;
  void *place; // of the barrier at which it waits
  int value, taken;
  int votes;      // of the block, that were not zero, at its last barrier
  unsigned lanes; // AT_LANES, AT_GIFT: for which it waits
  bool took_part; // in the last exchange of its warp
  bool is_slow;   // mostly lets the others pass
  uint32_t name, expected; // AT_NAMED
  uint32_t groups; // of copies that were closed
};

// Who has arrived at a numbered barrier of a block without waiting.
struct Arrivals {
  uint32_t count;
  Clock clock;
};

struct Array {
  uintptr_t begin, end;
  char name;
};

struct Machine {
  std::vector<Thread> threads; // those that live: of the block that runs, or of all blocks
  std::vector<Arrivals> arrivals; // by block that lives, NAMED of each
  std::unordered_map<uintptr_t, std::vector<Message>> messages; // by first byte, and block if it is shared
  std::vector<Array> arrays;
  std::deque<Fiber> fibers; // by thread
  jmp_buf scheduler;
  uint32_t current, block_threads;
  void (*kernel)();
  Outcome outcome;
  uint64_t time;       // accesses made so far
  uint64_t fuel, work; // of a run, of all runs of a kernel
  uint32_t random;
  bool runs;
  bool is_spent; // the run took too long
  bool tells; // all races, with their addresses and threads
  bool has_left; // an index left its array, or what was tried has no meaning, perhaps behind a race
  bool is_backward; // threads take turns from the last to the first
};

extern Machine machine;

struct Range {
  uint32_t from, to; // indices of threads
};

inline Thread &me() { return machine.threads[machine.current]; }
inline Range block_of(uint32_t t) {
  uint32_t from = t / machine.block_threads * machine.block_threads;
  return {from, from + machine.block_threads};
}
inline uint32_t lane_of(uint32_t t) { return t % machine.block_threads % WARP; }
inline Range warp_of(uint32_t t) {
  uint32_t from = t - lane_of(t), end = block_of(t).to;
  return {from, end < from + WARP ? end : from + WARP};
}

uint32_t roll(uint32_t sides);
void leave(Outcome outcome); // ends this run
void spend();
void wait_as(Wait wait, void *place);

// ---- memory.cpp
void join(Clock &into, const Clock &from);
bool is_shared(uintptr_t at);
void access(const void *address, size_t bytes, bool is_write, Strength strength = PLAIN, bool is_wide = true);
void fence(bool is_wide, bool acquires = true, bool releases = true);
// A strong operation reads what others told, and writes what its thread has to tell.
void strong_read(const void *address, bool is_wide);
void strong_write(const void *address, bool is_wide, bool is_update);
void issue_copy(void *to, const void *from, size_t bytes);
void close_copies();
void await_copies(uint32_t but);
// The block whose shared memory stands in the section.
void show_block(uint32_t block);
void start_memory(uint32_t blocks);

#endif
