// What is there one of for the process? The API has no context that is passed on, so here is the one place of rt/ with mutable state:
// two locks, the map of memory, the handles that are known, the errors. Other files reach it through functions.
// SPDX-License-Identifier: Apache-2.0
#include "rt/host/state.h"
#include "rt/host/object_map.h"
#include "rt/contract.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static HostState state;
static MemoryMap memory;
static pthread_mutex_t state_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t memory_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t memory_once = PTHREAD_ONCE_INIT;
static _Thread_local HostThread thread_state;

HostState *host_state(void) {
  return &state;
}

HostThread *host_thread(void) {
  return &thread_state;
}

void host_lock(void) {
  (void)pthread_mutex_lock(&state_lock);
}

void host_unlock(void) {
  (void)pthread_mutex_unlock(&state_lock);
}

static _Noreturn void end_without_memory(void) {
  (void)fputs("hgrd-run: no memory is left for the runtime itself\n", stderr);
  abort();
}

static void open_memory(void) {
  if (!memory_map_open(&memory)) end_without_memory();
}

MemoryMap *memory_map_take(void) {
  (void)pthread_once(&memory_once, open_memory);
  (void)pthread_mutex_lock(&memory_lock);
  return &memory;
}

// Without the lock, since the machine asks at each access: what it points to never changes.
const RtMemoryRegion *rt_memory_region(void) {
  (void)pthread_once(&memory_once, open_memory);
  return &memory.region;
}

void memory_map_give(void) {
  (void)pthread_mutex_unlock(&memory_lock);
}

void *host_new(size_t count, size_t bytes) {
  RT_ASSERT(bytes > 0);
  void *got = calloc(count ? count : 1, bytes ? bytes : 1);
  if (!got) end_without_memory();
  return got;
}

// The room doubles at each power of two, so the count says when it is full.
void host_push(void **items, size_t *count, size_t bytes, const void *item) {
  RT_ASSERT(items && count);
  RT_ASSERT(bytes > 0);
  RT_ASSERT(item);
  if ((*count & (*count - 1)) == 0) {
    void *more = realloc(*items, (*count ? 2 * *count : 1) * bytes);
    if (!more) end_without_memory();
    *items = more;
  }
  memcpy((char *)*items + *count * bytes, item, bytes);
  ++*count;
}

// ---- handles
void *host_handle_new(HostHandleKind kind, size_t bytes) {
  RT_ASSERT(kind);
  RT_ASSERT(bytes > 0);
  void *handle = host_new(1, bytes);
  host_lock();
  bool is_known = rt_map_put(&state.handles, (uintptr_t)handle, (uint64_t)kind);
  host_unlock();
  if (!is_known) end_without_memory();
  return handle;
}

bool host_handle_is(const void *handle, HostHandleKind kind) {
  if (!handle) return false;
  host_lock();
  bool is_it = rt_map_get(&state.handles, (uintptr_t)handle) == (uint64_t)kind;
  host_unlock();
  return is_it;
}

// The memory stays, and is known as what was dropped: who holds the handle still gets an error, and no other object's.
void host_handle_drop(void *handle) {
  host_lock();
  if (rt_map_get(&state.handles, (uintptr_t)handle))
    (void)rt_map_put(&state.handles, (uintptr_t)handle, HOST_DROPPED); // which needs no memory
  host_unlock();
}
