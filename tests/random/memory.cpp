// Which accesses race? Each is compared with the earlier ones to the same byte: two of different threads race if one of them
// writes, they are not both strong with a scope that holds the other, and nothing orders them. What orders: barriers, and fences
// with strong operations between them, as in the C++ memory model with scopes (vector clocks as in FastTrack, Flanagan and
// Freund, PLDI 2009; Batty et al., POPL 2011). Where the models leave room more is taken for ordered than need be: volatile
// reads need no fence to be behind what was told, a barrier passes on what its threads' fences made known, two volatile
// accesses do not race. So a race that is told here is one under each model of the analysis that is asked.
// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern char __start_hgrd_shared, __stop_hgrd_shared;

namespace {

// The shared memory of the blocks that do not run, as far as it was touched; the first one is what it held at the start.
struct Shared {
  std::vector<std::vector<char>> kept;
  std::vector<char> start;
  size_t from, to;
  uint32_t shown;
} shared;

const Array *array_at(uintptr_t at) {
  for (const Array &array : machine.arrays)
    if (at >= array.begin && at < array.end) return &array;
  return nullptr;
}

// The part that is exchanged when another block runs grows by whole pieces.
void touch(uintptr_t at) {
  enum { PIECE = 1024 };
  size_t offset = at - (uintptr_t)&__start_hgrd_shared, all = (size_t)(&__stop_hgrd_shared - &__start_hgrd_shared);
  if (offset >= shared.from && offset < shared.to) return;
  shared.from = std::min(shared.from, offset / PIECE * PIECE);
  shared.to = std::max(shared.to, std::min(all, offset / PIECE * PIECE + PIECE));
}

void tell_race(uintptr_t at, size_t bytes, const Access &one, const Access &other) {
  if (!machine.tells) leave(RACE);
  machine.outcome = RACE;
  const Array *array = array_at(at);
  uint32_t copies = (uint32_t)machine.threads.size(), threads = machine.block_threads;
  for (size_t i = 0; array && i < bytes; i++)
    printf("%c %u %u.%u %u.%u\n", array->name, (unsigned)(at + i - array->begin), one.block, one.thread % copies % threads,
           other.block, other.thread % copies % threads);
}

bool both_strong(const Access &one, const Access &other) {
  if (one.strength == PLAIN || other.strength == PLAIN) return false;
  return one.block == other.block || (one.is_wide && other.is_wide);
}

bool is_alive(uint32_t block) {
  return block >= machine.threads.front().block && block <= machine.threads.back().block;
}

bool comes_before(const Access &then, const Access &now) {
  if (!is_alive(then.block)) return false;
  Thread &reader = me();
  if (reader.seen[then.thread] > then.clock) return true;
  return now.strength == VOLATILE && !now.is_write && std::max(reader.near[then.thread], reader.far[then.thread]) > then.clock;
}

// Of this thread, or of a copy that it has under way.
bool is_own(const Access &then) {
  return (then.thread == machine.current || then.thread == machine.current + machine.threads.size()) && then.block == me().block;
}

// Atomic updates of one word come one after the other: who is behind one of them is behind those before it.
bool is_behind_later(const std::vector<Access> &earlier, const Access &then, const Access &now) {
  if (then.strength < ATOMIC || !then.is_write) return false;
  for (const Access &update : earlier)
    if (update.strength >= ATOMIC && update.is_write && update.time > then.time && both_strong(then, update) &&
        (is_own(update) || comes_before(update, now)))
      return true;
  return false;
}

// A strong write comes before what follows the strong read that returned it, or what updates made of it, without any fence: the write alone,
// and not what stands before it (PTX: observation order, then base causality order).
bool is_observed(const std::vector<Access> &earlier, const Access &then, const Access &now) {
  if (then.strength == PLAIN || !then.is_write) return false;
  auto is_between = [&](const Access &write, const Access &read) {
    return write.is_write && write.strength != UPDATE && write.time > then.time && write.time < read.time;
  };
  for (const Access &read : earlier) {
    bool has_read = (!read.is_write || read.strength == UPDATE) && read.time > then.time && both_strong(then, read) && (is_own(read) || comes_before(read, now));
    if (has_read && std::none_of(earlier.begin(), earlier.end(), [&](const Access &write) { return is_between(write, read); }))
      return true;
  }
  return false;
}

// What was accessed: the bytes of a word have one list, that of its first byte, until one of them is accessed without the others.
// Only what was used is cleared for the next run.
struct Cell {
  std::vector<Access> accesses;
  bool is_used, is_split;
};

struct Cells {
  std::vector<Cell> of_shared, of_arrays;
  std::vector<Cell *> used;
} cells;

Cell &cell_at(uintptr_t at) {
  bool in_shared = is_shared(at);
  uintptr_t from = in_shared ? (uintptr_t)&__start_hgrd_shared : machine.arrays.front().begin;
  std::vector<Cell> &all = in_shared ? cells.of_shared : cells.of_arrays;
  if (at - from >= all.size()) abort();
  Cell &cell = all[at - from];
  if (!cell.is_used) cells.used.push_back(&cell);
  cell.is_used = true;
  return cell;
}

void clear_cells() {
  for (Cell *used : cells.used) {
    used->accesses.clear();
    used->is_used = used->is_split = false;
  }
  cells.used.clear();
  cells.of_shared.resize((size_t)(&__stop_hgrd_shared - &__start_hgrd_shared));
  cells.of_arrays.resize(machine.arrays.back().end - machine.arrays.front().begin);
}

constexpr uintptr_t WORD_BYTES = 4;

void split(uintptr_t word) {
  Cell &first = cell_at(word);
  for (uintptr_t i = 1; !first.is_split && i < WORD_BYTES; i++)
    cell_at(word + i).accesses = first.accesses;
  first.is_split = true;
}

// A later access of the same kind by the same thread stands for the earlier ones: who comes after it comes after them, and the
// others race with it as they do with them.
void compare_at(uintptr_t at, size_t bytes, const Access &now) {
  bool in_shared = is_shared(at), is_known = false;
  std::vector<Access> &earlier = cell_at(at).accesses;
  for (Access &then : earlier) {
    if (in_shared && then.block != now.block) continue; // another block's memory at the same place
    if (is_own(then)) {
      bool is_same = then.thread == now.thread && then.is_write == now.is_write && then.strength == now.strength &&
                     then.is_wide == now.is_wide;
      if (is_same) then.clock = now.clock, then.time = now.time;
      is_known |= is_same;
      continue;
    }
    if ((!then.is_write && !now.is_write) || both_strong(then, now)) continue;
    if (!comes_before(then, now) && !is_behind_later(earlier, then, now) && !is_observed(earlier, then, now))
      tell_race(at, bytes, then, now);
  }
  if (!is_known) earlier.push_back(now);
}

void compare(uintptr_t from, size_t bytes, const Access &now) {
  for (uintptr_t at = from, width; at < from + bytes; at += width) {
    uintptr_t word = at / WORD_BYTES * WORD_BYTES;
    bool is_whole = at == word && from + bytes >= word + WORD_BYTES;
    if (!is_whole) split(word);
    width = is_whole && !cell_at(word).is_split ? WORD_BYTES : 1;
    compare_at(at, width, now);
  }
}

bool is_watched(uintptr_t at) { return machine.runs && (is_shared(at) || array_at(at)); }

std::vector<Message> &messages_at(const void *address) {
  uintptr_t at = (uintptr_t)address;
  return machine.messages[is_shared(at) ? at + ((uintptr_t)me().block << 48) : at];
}

void tell(std::vector<Message> &messages, const Clock &clock, bool is_wide) {
  if (clock.empty()) return;
  for (Message &message : messages)
    if (message.block == me().block && message.is_wide == is_wide) {
      join(message.clock, clock);
      return;
    }
  messages.push_back({clock, me().block, is_wide});
}

} // namespace

void join(Clock &into, const Clock &from) {
  if (into.size() < from.size()) into.resize(from.size(), 0);
  for (size_t i = 0; i < from.size(); i++)
    into[i] = std::max(into[i], from[i]);
}

bool is_shared(uintptr_t at) { return at >= (uintptr_t)&__start_hgrd_shared && at < (uintptr_t)&__stop_hgrd_shared; }

void start_memory(uint32_t blocks) {
  clear_cells();
  machine.messages.clear();
  size_t all = (size_t)(&__stop_hgrd_shared - &__start_hgrd_shared);
  shared.start.assign(&__start_hgrd_shared, &__start_hgrd_shared + all);
  shared.kept.assign(blocks > 1 ? blocks : 0, shared.start);
  shared.from = all, shared.to = 0, shared.shown = 0;
}

void show_block(uint32_t block) {
  if (shared.kept.empty() || block == shared.shown) return;
  if (shared.to > shared.from) {
    char *section = &__start_hgrd_shared;
    memcpy(shared.kept[shared.shown].data() + shared.from, section + shared.from, shared.to - shared.from);
    memcpy(section + shared.from, shared.kept[block].data() + shared.from, shared.to - shared.from);
  }
  shared.shown = block;
}

void access(const void *address, size_t bytes, bool is_write, Strength strength, bool is_wide) {
  uintptr_t from = (uintptr_t)address;
  if (!is_watched(from)) return;
  spend();
  if (is_shared(from)) touch(from), touch(from + bytes - 1);
  compare(from, bytes, {me().block, machine.current, me().seen[machine.current], is_write, is_wide, strength, ++machine.time});
}

void fence(bool is_wide, bool acquires, bool releases) {
  Thread &thread = me();
  if (acquires) {
    join(thread.seen, thread.near);
    if (is_wide) join(thread.seen, thread.far);
  }
  if (!releases) return;
  Clock now = thread.seen;
  now[machine.current]++;
  thread.told_near = now;
  if (is_wide) thread.told_far = now;
  thread.seen[machine.current]++;
}

void strong_read(const void *address, bool is_wide) {
  if (!is_watched((uintptr_t)address)) return;
  for (const Message &message : messages_at(address))
    if (message.block == me().block) join(me().near, message.clock);
    else if (is_wide && message.is_wide) join(me().far, message.clock);
}

void strong_write(const void *address, bool is_wide, bool is_update) {
  if (!is_watched((uintptr_t)address)) return;
  std::vector<Message> &messages = messages_at(address);
  if (!is_update) messages.clear();
  tell(messages, me().told_near, false);
  if (is_wide) tell(messages, me().told_far, true);
}

// A copy that is under way is a thread of its own: it is known to who issued it when that thread has waited for its group.
void issue_copy(void *to, const void *from, size_t bytes) {
  Thread &thread = me();
  Access now = {thread.block, machine.current + (uint32_t)machine.threads.size(), thread.groups, false, true, PLAIN, ++machine.time};
  if (is_watched((uintptr_t)from)) compare((uintptr_t)from, bytes, now);
  now.is_write = true;
  if (is_shared((uintptr_t)to)) touch((uintptr_t)to), touch((uintptr_t)to + bytes - 1);
  if (is_watched((uintptr_t)to)) compare((uintptr_t)to, bytes, now);
  memcpy(to, from, bytes);
  spend();
}

void close_copies() { me().groups++; }

void await_copies(uint32_t but) {
  Thread &thread = me();
  uint32_t &known = thread.seen[machine.current + machine.threads.size()];
  if (thread.groups > but) known = std::max(known, thread.groups - but);
}
