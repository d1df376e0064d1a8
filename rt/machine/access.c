// What is a detector told of memory? Each access in front of it, with what stands there and what will. Whatever lies on the stack of a
// thread is its own and is left out; what lies in the shared memory of a resident block is shared; all else is global. After each
// access it may be another thread's turn.
// SPDX-License-Identifier: Apache-2.0
#include "rt/machine/internal.h"
#include "rt/memory_map.h"
#include "rt/contract.h"

#include <string.h>

enum { PIECE = 8 };

static bool is_within(const void *address, const unsigned char *low, uint64_t bytes) {
  return (uintptr_t)address - (uintptr_t)low < bytes;
}

static bool is_on_stack(const Thread *thread, const void *address) {
  return is_within(address, thread->fiber->low, (uint64_t)(thread->fiber->high - thread->fiber->low));
}

typedef struct Extent {
  uint64_t low, size;
} Extent;

static Extent shared_extent(const Block *block) {
  return (Extent){(uint64_t)(uintptr_t)block->shared, rt_machine.shared_bytes};
}

static bool is_in(Extent extent, const void *address) {
  return (uintptr_t)address - extent.low < extent.size;
}

static Extent outside_region(const Thread *thread, const void *address) {
  extern const unsigned char __executable_start[], _end[];
  const Extent program = {(uint64_t)(uintptr_t)__executable_start, (uint64_t)(_end - __executable_start)};
  RtMemory object;
  if (is_in(program, address)) return program; // constants that came with it
  for (const Block *block = thread->block->cluster ? rt_machine.resident : NULL; block; block = block->next)
    if (is_in(shared_extent(block), address)) return shared_extent(block);
  if (!rt_memory_find((uint64_t)(uintptr_t)address, &object) || !object.is_live) return (Extent){0};
  return (Extent){object.address, object.bytes};
}

// The object that lives there; of size 0 if there is none.
static Extent extent_at(const Thread *thread, const void *address) {
  if (is_in(shared_extent(thread->block), address)) return shared_extent(thread->block);
  const RtMemory *object = rt_memory_region_object(rt_machine.region, (uint64_t)(uintptr_t)address);
  if (object && object->is_live && (uintptr_t)address - object->address < object->bytes)
    return (Extent){object->address, object->bytes};
  return outside_region(thread, address);
}

// What belongs to no object ends the launch, before it is touched.
static void check(const void *address, uint32_t bytes, bool is_write, uint32_t place, uint32_t flags,
                  RtSite *site) {
  const Thread *thread = rt_machine.current;
  if (site_knows(site, address, flags)) return;
  Extent extent = extent_at(thread, address);
  if (is_in(extent, address) && bytes <= extent.size - ((uintptr_t)address - extent.low)) {
    site_learn(site, extent.low, extent.size, bytes, flags);
    return;
  }
  told_outside(address, bytes, is_write, place);
  machine_stop(RT_BAD_ADDRESS);
}

static RtSpace space_of(const Thread *thread, const void *address) {
  if (is_within(address, thread->block->shared, rt_machine.shared_bytes)) return RT_SHARED;
  for (const Block *block = thread->block->cluster ? rt_machine.resident : NULL; block; block = block->next)
    if (is_within(address, block->shared, rt_machine.shared_bytes)) return RT_SHARED;
  return RT_GLOBAL;
}

void access_step(void) {
  Thread *thread = rt_machine.current;
  rt_machine.met++;
  if (--thread->lane.budget == 0) thread_preempt();
}

void access_tell(const void *address, uint32_t bytes, RtAccessKind kind, uint32_t place, const void *before,
                 const void *after, uint32_t flags, RtScope scope, RtOrder order, uint32_t lock_form) {
  RT_ASSERT(rt_machine.current);
  RT_ASSERT(bytes > 0);
  const Thread *thread = rt_machine.current;
  if (!access_is_told(flags)) return;
  rt_machine.watched++;
  RtAccess access = {.by = thread->id,
                     .place = place_numbered(place ? place : thread->lane.place),
                     .address = (uint64_t)(uintptr_t)address,
                     .bytes = bytes,
                     .space = space_of(thread, address),
                     .kind = kind,
                     .is_volatile = flags & RT_VOLATILE,
                     .is_compare_swap = lock_form & LOCK_FORM_CAS,
                     .is_exchange = lock_form & LOCK_FORM_EXCHANGE,
                     .scope = flags & RT_STRONG ? RT_SCOPE_SYSTEM : scope,
                     .order = order,
                     .before = before,
                     .after = after};
  if (rt_machine.copy_count) copies_meet(&access);
  rt_machine.kind->access(rt_machine.detector, &access);
}

static void step(uint32_t flags) {
  if (flags & RT_COUNTED)
    rt_machine.met++;
  else
    access_step();
}

static void note_place(Thread *thread, uint32_t place) {
  if (place) thread->lane.last = place;
}

void hgrd_load(const void *address, uint32_t bytes, uint32_t place, uint32_t flags, RtSite *site) {
  RT_ASSERT(rt_machine.current && bytes);
  Thread *thread = rt_machine.current;
  if (is_on_stack(thread, address)) {
    rt_machine.met += flags & RT_COUNTED ? 1 : 0;
    return;
  }
  note_place(thread, place);
  check(address, bytes, false, place, flags, site);
  step(flags);
  rt_machine.met -= !access_is_told(flags);
  access_tell(address, bytes, RT_READ, place, address, address, flags, RT_SCOPE_NONE, RT_RELAXED, 0);
}

void hgrd_store(void *address, uint32_t bytes, uint32_t place, uint32_t flags, uint64_t value, RtSite *site) {
  RT_ASSERT(rt_machine.current && bytes);
  hgrd_store_wide(address, bytes, place, flags, &value, site); // little endian
}

void hgrd_store_wide(void *address, uint32_t bytes, uint32_t place, uint32_t flags, const void *value,
                     RtSite *site) {
  RT_ASSERT(rt_machine.current && bytes);
  Thread *thread = rt_machine.current;
  if (is_on_stack(thread, address)) {
    rt_machine.met += flags & RT_COUNTED ? 1 : 0;
    return;
  }
  note_place(thread, place);
  check(address, bytes, true, place, flags, site);
  step(flags);
  rt_machine.met -= !access_is_told(flags);
  access_tell(address, bytes, RT_WRITE, place, address, value, flags, RT_SCOPE_NONE, RT_RELAXED, 0);
}

// As large a piece as both addresses are aligned for: struct copies are words.
static uint32_t piece_at(uintptr_t address, uint64_t left) {
  uint32_t piece = PIECE;
  while (piece > left || address % piece)
    piece /= 2;
  return piece;
}

void hgrd_copy(void *to, const void *from, uint64_t bytes, uint32_t place, uint32_t flags) {
  RT_ASSERT(rt_machine.current);
  Thread *thread = rt_machine.current;
  note_place(thread, place);
  bool is_to_own = is_on_stack(thread, to), is_from_own = is_on_stack(thread, from);
  if (is_to_own && is_from_own) bytes = (memmove(to, from, bytes), 0);
  bool is_backward = (uintptr_t)to - (uintptr_t)from < bytes && to != from;
  if (is_backward) { // overlapping: told as one sweep of reads, then one of writes
    hgrd_store_wide(to, (uint32_t)bytes, place, flags, from, NULL);
    memmove(to, from, bytes);
    return;
  }
  for (uint64_t done = 0; done < bytes;) {
    unsigned char *at = (unsigned char *)to + done;
    const unsigned char *source = (const unsigned char *)from + done;
    uint32_t piece = piece_at((uintptr_t)at | (uintptr_t)source, bytes - done);
    if (!is_from_own) hgrd_load(source, piece, place, flags, NULL);
    if (!is_to_own) hgrd_store_wide(at, piece, place, flags, source, NULL);
    memcpy(at, source, piece);
    done += piece;
  }
}

void hgrd_fill(void *to, uint32_t byte, uint64_t bytes, uint32_t place, uint32_t flags) {
  RT_ASSERT(rt_machine.current);
  unsigned char pattern[PIECE];
  memset(pattern, (int)byte, sizeof pattern);
  for (uint64_t done = 0; done < bytes;) {
    unsigned char *at = (unsigned char *)to + done;
    uint32_t piece = piece_at((uintptr_t)at, bytes - done);
    hgrd_store_wide(at, piece, place, flags, pattern, NULL);
    memcpy(at, pattern, piece);
    done += piece;
  }
}

void fence_tell(RtScope scope, RtOrder order) {
  RT_ASSERT(rt_machine.current);
  RT_ASSERT(scope > RT_SCOPE_NONE);
  Thread *thread = rt_machine.current;
  access_step();
  if (!rt_machine.detector || !rt_machine.kind->fence) return;
  RtFence fence = {thread->id, place_numbered(thread->lane.place), scope, order};
  rt_machine.kind->fence(rt_machine.detector, &fence);
}

void access_check(const void *address, uint32_t bytes, bool is_write) {
  RT_ASSERT(rt_machine.current);
  const Thread *thread = rt_machine.current;
  if (!is_on_stack(thread, address)) check(address, bytes, is_write, 0, 0, NULL);
}

// ---- atomics

static uint64_t take(const void *address, uint32_t bytes) {
  uint64_t value = 0;
  memcpy(&value, address, bytes);
  return value;
}

static int64_t as_signed(uint64_t value, uint32_t bytes) {
  uint32_t unused = 64 - bytes * 8;
  return (int64_t)(value << unused) >> unused;
}

static uint64_t float_result(uint32_t operation, uint32_t bytes, uint64_t old, uint64_t operand) {
  uint64_t result = 0;
  if (bytes == sizeof(float)) {
    float a, b, c;
    memcpy(&a, &old, sizeof a), memcpy(&b, &operand, sizeof b);
    c = operation == RT_RMW_FADD   ? a + b
        : operation == RT_RMW_FSUB ? a - b
        : operation == RT_RMW_FMAX ? (a > b ? a : b)
                                   : (a < b ? a : b);
    memcpy(&result, &c, sizeof c);
  } else {
    double a, b, c;
    memcpy(&a, &old, sizeof a), memcpy(&b, &operand, sizeof b);
    c = operation == RT_RMW_FADD   ? a + b
        : operation == RT_RMW_FSUB ? a - b
        : operation == RT_RMW_FMAX ? (a > b ? a : b)
                                   : (a < b ? a : b);
    memcpy(&result, &c, sizeof c);
  }
  return result;
}

static uint64_t result_of(uint32_t operation, uint32_t bytes, uint64_t old, uint64_t operand) {
  int64_t a = as_signed(old, bytes), b = as_signed(operand, bytes);
  switch ((RtRmw)operation) {
  case RT_RMW_XCHG: return operand;
  case RT_RMW_ADD: return old + operand;
  case RT_RMW_SUB: return old - operand;
  case RT_RMW_AND: return old & operand;
  case RT_RMW_OR: return old | operand;
  case RT_RMW_XOR: return old ^ operand;
  case RT_RMW_MAX: return a > b ? old : operand;
  case RT_RMW_MIN: return a < b ? old : operand;
  case RT_RMW_UMAX: return old > operand ? old : operand;
  case RT_RMW_UMIN: return old < operand ? old : operand;
  case RT_RMW_INC: return old >= operand ? 0 : old + 1;
  case RT_RMW_DEC: return old == 0 || old > operand ? operand : old - 1;
  case RT_RMW_FADD:
  case RT_RMW_FSUB:
  case RT_RMW_FMAX:
  case RT_RMW_FMIN: return float_result(operation, bytes, old, operand);
  }
  return old;
}

uint64_t atomic_apply(void *address, uint32_t operation, uint32_t bytes, uint64_t operand, RtScope scope,
                      RtOrder order) {
  RT_ASSERT(rt_machine.current);
  RT_ASSERT(bytes <= 8);
  Thread *thread = rt_machine.current;
  note_place(thread, thread->lane.place);
  access_check(address, bytes, true);
  access_step();
  uint64_t old = take(address, bytes),
           masked = bytes < 8 ? operand & ((UINT64_C(1) << bytes * 8) - 1) : operand;
  uint64_t made = result_of(operation, bytes, old, masked);
  if (!is_on_stack(thread, address))
    access_tell(address, bytes, RT_ATOMIC, 0, address, &made, 0, scope, order,
                operation == RT_RMW_XCHG ? LOCK_FORM_EXCHANGE : 0);
  memcpy(address, &made, bytes);
  return old;
}

uint64_t atomic_swap_if(void *address, uint32_t bytes, uint64_t expected, uint64_t desired, RtScope scope,
                        RtOrder order) {
  RT_ASSERT(rt_machine.current);
  RT_ASSERT(bytes <= 16);
  Thread *thread = rt_machine.current;
  note_place(thread, thread->lane.place);
  access_check(address, bytes, true);
  access_step();
  uint64_t old = take(address, bytes), mask = bytes < 8 ? (UINT64_C(1) << bytes * 8) - 1 : ~UINT64_C(0);
  bool is_same = old == (expected & mask);
  if (!is_on_stack(thread, address))
    access_tell(address, bytes, is_same ? RT_ATOMIC : RT_ATOMIC_FAILED, 0, address,
                is_same ? (const void *)&desired : address, 0, scope, order, LOCK_FORM_CAS);
  if (is_same) memcpy(address, &desired, bytes);
  return old;
}

uint64_t hgrd_rmw(void *address, uint32_t operation, uint32_t bytes, uint64_t operand, uint32_t place) {
  RT_ASSERT(rt_machine.current && operation >= RT_RMW_XCHG && operation <= RT_RMW_FSUB);
  if (place) rt_machine.current->lane.place = place;
  return atomic_apply(address, operation, bytes, operand, RT_SCOPE_DEVICE, RT_RELAXED);
}

uint64_t hgrd_cas(void *address, uint32_t bytes, uint64_t expected, uint64_t desired, uint32_t place) {
  RT_ASSERT(rt_machine.current && bytes <= sizeof expected);
  if (place) rt_machine.current->lane.place = place;
  return atomic_swap_if(address, bytes, expected, desired, RT_SCOPE_DEVICE, RT_RELAXED);
}
