// Which objects are there in the memory that kernels may touch? Objects of the runtime lie in one region of addresses that is
// reserved at first use and backed by pages as they are touched; a table has the object of each grain, so that the machine
// finds it without a lock and without a search. What lies elsewhere (registered memory, variables) is in a list sorted by address.
// Fresh memory is zero, which a GPU does not promise: HGRD_RUN_FILL=BYTE fills it with something else. Reads of memory that was never
// written are not told. An access that skips a whole object and lands in another one that lives is none out of bounds here.
// SPDX-License-Identifier: Apache-2.0
#define _DEFAULT_SOURCE // mmap's MAP_ANONYMOUS and MAP_NORESERVE, madvise
#include "rt/host/object_map.h"
#include "rt/machine.h"
#include "rt/contract.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { OBJECT_LIMIT = 1 << 24, PAGE = 4096 };
#define REGION_BYTES (UINT64_C(1) << 38)
#define MOST_BYTES (UINT64_C(16) << 30)

static void *reserve(uint64_t bytes) {
  void *got = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return got == MAP_FAILED ? NULL : got;
}

static uint64_t number_in(const char *name, uint64_t otherwise) {
  const char *text = getenv(name);
  char *end = NULL;
  if (!text || !*text) return otherwise;
  unsigned long long value = strtoull(text, &end, 0);
  return *end ? otherwise : value;
}

// What the device has: three quarters of the machine's memory, 16 GiB at most.
static uint64_t device_bytes(void) {
  long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  uint64_t there = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page / 4 * 3 : MOST_BYTES;
  return number_in("HGRD_RUN_MEMORY", there < MOST_BYTES ? there : MOST_BYTES);
}

// Where addresses are limited (ulimit -v) a quarter of them: the program has to live, too.
static uint64_t region_bytes(void) {
  struct rlimit limit;
  uint64_t bytes = REGION_BYTES;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return bytes;
  while (bytes > (uint64_t)limit.rlim_cur / 4 && bytes > UINT64_C(1) << 30)
    bytes /= 2;
  return bytes;
}

bool memory_map_open(MemoryMap *map) {
  RT_ASSERT(map && !map->count);
  uint64_t bytes = region_bytes();
  void *region = reserve(bytes);
  while (!region && bytes > UINT64_C(1) << 30)
    region = reserve(bytes /= 2);
  map->grains = reserve(bytes / RT_MEMORY_GRAIN * sizeof *map->grains);
  map->objects = reserve(OBJECT_LIMIT * sizeof *map->objects);
  if (!region || !map->grains || !map->objects) return false;
  map->region = (RtMemoryRegion){
      .address = (uint64_t)(uintptr_t)region, .bytes = bytes, .grains = map->grains, .objects = map->objects};
  map->next = map->region.address;
  map->count = 1; // 0 is no object
  map->total = device_bytes();
  map->fill = (int)number_in("HGRD_RUN_FILL", 0);
  return true;
}

// ---- objects of the region

static uint64_t grains_of(uint64_t bytes) { // and one that is nobody's
  return (bytes + RT_MEMORY_GRAIN - 1) / RT_MEMORY_GRAIN + 1;
}

// A place whose object was freed and which is large enough, the one freed longest ago first; 0 if there is none. Only when the region
// has come to its end.
static uint64_t used_place(MemoryMap *map, uint64_t grains) {
  for (uint32_t i = 1; i < map->count; i++) {
    RtMemory *object = &map->objects[i];
    uint64_t have = grains_of(object->bytes);
    uint32_t first = (uint32_t)((object->address - map->region.address) / RT_MEMORY_GRAIN);
    if (object->is_live || have < grains || map->grains[first] != i) continue;
    return object->address;
  }
  return 0;
}

static uint64_t place_for(MemoryMap *map, uint64_t grains) {
  uint64_t bytes = grains * RT_MEMORY_GRAIN, end = map->region.address + map->region.bytes;
  if (bytes / RT_MEMORY_GRAIN != grains || bytes > end - map->next) return used_place(map, grains);
  uint64_t place = map->next;
  map->next += bytes;
  return place;
}

// Whole pages are given back, and come again as zeros.
static void clear_pages(uint64_t address, uint64_t bytes) {
  uint64_t first = (address + PAGE - 1) / PAGE * PAGE, end = (address + bytes) / PAGE * PAGE;
  if (first >= end) {
    memset((void *)(uintptr_t)address, 0, bytes);
    return;
  }
  memset((void *)(uintptr_t)address, 0, first - address);
  (void)madvise((void *)(uintptr_t)first, end - first, MADV_DONTNEED);
  memset((void *)(uintptr_t)end, 0, address + bytes - end);
}

void *memory_map_new(MemoryMap *map, RtMemoryKind kind, uint64_t bytes, const char *by) {
  RT_ASSERT(map);
  RT_ASSERT(kind != RT_MEMORY_REGISTERED && kind != RT_MEMORY_VARIABLE);
  RT_ASSERT(by);
  if (bytes == 0 || map->count == OBJECT_LIMIT) return NULL;
  if (bytes > map->total || map->used > map->total - bytes) return NULL;
  uint64_t grains = grains_of(bytes), address = place_for(map, grains);
  if (!address) return NULL;
  uint32_t index = map->count++, first = (uint32_t)((address - map->region.address) / RT_MEMORY_GRAIN);
  map->objects[index] = (RtMemory){
      .address = address, .bytes = bytes, .number = ++map->numbers, .kind = kind, .is_live = true, .by = by};
  for (uint64_t i = 0; i + 1 < grains; i++)
    map->grains[first + i] = index;
  map->used += bytes;
  if (map->used > map->most) map->most = map->used;
  if (map->fill) memset((void *)(uintptr_t)address, map->fill, bytes);
  return (void *)(uintptr_t)address;
}

static RtMemory *region_object(const MemoryMap *map, uint64_t address) {
  uint64_t offset = address - map->region.address;
  if (offset >= map->region.bytes) return NULL;
  uint32_t index = map->grains[offset / RT_MEMORY_GRAIN];
  RtMemory *object = &map->objects[index];
  return index && address - object->address < object->bytes ? object : NULL;
}

// ---- objects outside of it

static uint32_t outside_behind(const MemoryMap *map,
                               uint64_t address) { // the first one that starts behind `address`
  uint32_t low = 0, high = map->outside_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (map->outside[middle].address <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static RtMemory *outside_object(const MemoryMap *map, uint64_t address) {
  uint32_t behind = outside_behind(map, address);
  if (behind == 0) return NULL;
  RtMemory *object = &map->outside[behind - 1];
  return address - object->address < object->bytes ? object : NULL;
}

bool memory_map_add(MemoryMap *map, RtMemory object) {
  RT_ASSERT(map);
  RT_ASSERT(object.kind == RT_MEMORY_REGISTERED || object.kind == RT_MEMORY_VARIABLE);
  RT_ASSERT(object.address <= UINT64_MAX - object.bytes);
  if (object.bytes == 0) return false;
  uint32_t at = outside_behind(map, object.address);
  if (at > 0 && object.address - map->outside[at - 1].address < map->outside[at - 1].bytes) return false;
  if (at < map->outside_count && map->outside[at].address - object.address < object.bytes) return false;
  if (map->outside_count == map->outside_room) {
    uint32_t room = map->outside_room ? 2 * map->outside_room : 64;
    RtMemory *more = realloc(map->outside, room * sizeof *more);
    if (!more) return false;
    map->outside = more;
    map->outside_room = room;
  }
  memmove(&map->outside[at + 1], &map->outside[at], (map->outside_count - at) * sizeof *map->outside);
  object.number = ++map->numbers;
  object.is_live = true;
  map->outside[at] = object;
  map->outside_count++;
  return true;
}

static RtMemoryFreed drop_outside(MemoryMap *map, uint64_t address, RtMemoryKind kind) {
  RtMemory *object = outside_object(map, address);
  if (!object || object->kind != kind) return RT_MEMORY_NO_OBJECT;
  if (object->address != address) return RT_MEMORY_INSIDE;
  uint32_t at = (uint32_t)(object - map->outside);
  memmove(object, object + 1, (map->outside_count - at - 1) * sizeof *object);
  map->outside_count--;
  return RT_MEMORY_FREED;
}

// ---- both

RtMemory *memory_map_find(const MemoryMap *map, uint64_t address) {
  RT_ASSERT(map);
  RtMemory *object = region_object(map, address);
  return object ? object : outside_object(map, address);
}

RtMemoryFreed memory_map_drop(MemoryMap *map, uint64_t address, RtMemoryKind kind) {
  RT_ASSERT(map);
  RtMemory *object = region_object(map, address);
  if (!object) return drop_outside(map, address, kind);
  if (object->kind != kind) return RT_MEMORY_NO_OBJECT;
  if (!object->is_live) return RT_MEMORY_FREED_BEFORE;
  if (object->address != address) return RT_MEMORY_INSIDE;
  object->is_live = false;
  map->used -= object->bytes;
  clear_pages(object->address, object->bytes);
  return RT_MEMORY_FREED;
}

bool memory_map_holds(const MemoryMap *map, uint64_t address, uint64_t bytes) {
  RT_ASSERT(map);
  const RtMemory *object = memory_map_find(map, address);
  return object && object->is_live && bytes <= object->bytes - (address - object->address);
}

// ---- words

// The last object that starts at or before `address`, within a distance in which it is likely to be meant.
static const RtMemory *object_before(const MemoryMap *map, uint64_t address) {
  enum { FAR = 1 << 20 };
  uint64_t offset = address - map->region.address;
  const RtMemory *best = NULL;
  if (offset < map->region.bytes) {
    for (uint64_t grain = offset / RT_MEMORY_GRAIN, steps = 0; steps < FAR / RT_MEMORY_GRAIN;
         grain--, steps++) {
      if (map->grains[grain]) return &map->objects[map->grains[grain]];
      if (grain == 0) break;
    }
    return NULL;
  }
  uint32_t behind = outside_behind(map, address);
  if (behind > 0) best = &map->outside[behind - 1];
  return best && address - best->address - best->bytes < FAR ? best : NULL;
}

static const RtMemory *object_behind(const MemoryMap *map, uint64_t address) {
  enum { FAR = 4096 };
  uint64_t offset = address - map->region.address;
  if (offset < map->region.bytes) {
    for (uint64_t step = 0; step < FAR / RT_MEMORY_GRAIN; step++) {
      uint64_t grain = offset / RT_MEMORY_GRAIN + step;
      if (grain >= map->region.bytes / RT_MEMORY_GRAIN) return NULL;
      const RtMemory *object = &map->objects[map->grains[grain]];
      if (map->grains[grain] && object->address > address) return object;
    }
    return NULL;
  }
  uint32_t behind = outside_behind(map, address);
  return behind < map->outside_count && map->outside[behind].address - address < FAR ? &map->outside[behind]
                                                                                     : NULL;
}

static void describe(const RtMemory *object, char *text, size_t size) {
  if (object->kind == RT_MEMORY_VARIABLE)
    (void)snprintf(text, size, "the variable '%s' of %llu bytes", object->by,
                   (unsigned long long)object->bytes);
  else
    (void)snprintf(text, size, "%llu bytes from %s (object %llu of the run)",
                   (unsigned long long)object->bytes, object->by, (unsigned long long)object->number);
}

bool memory_map_tell(const MemoryMap *map, uint64_t address, uint64_t bytes, char *text, size_t size) {
  RT_ASSERT(map);
  RT_ASSERT(text && size > 0);
  char what[256];
  unsigned long long many = bytes, distance;
  if (memory_map_holds(map, address, bytes)) return false;
  const RtMemory *object = memory_map_find(map, address);
  if (object) {
    describe(object, what, sizeof what);
    uint64_t offset = address - object->address;
    distance = offset;
    if (!object->is_live)
      (void)snprintf(text, size, "%llu bytes at byte %llu of %s, which was freed", many, distance, what);
    else
      (void)snprintf(text, size, "%llu bytes at byte %llu of %s, which ends before them", many, distance,
                     what);
    return true;
  }
  const RtMemory *before = object_before(map, address), *behind = object_behind(map, address);
  if (before) {
    describe(before, what, sizeof what);
    distance = address - before->address - before->bytes;
    const char *freed = before->is_live ? "" : ", which was freed";
    if (distance)
      (void)snprintf(text, size, "%llu bytes %llu bytes behind the end of %s%s", many, distance, what, freed);
    else
      (void)snprintf(text, size, "%llu bytes right behind the end of %s%s", many, what, freed);
  } else if (behind) {
    describe(behind, what, sizeof what);
    distance = behind->address - address;
    (void)snprintf(text, size, "%llu bytes %llu bytes before the start of %s%s", many, distance, what,
                   behind->is_live ? "" : ", which was freed");
  } else if (address < PAGE) {
    (void)snprintf(text, size, "%llu bytes at address %llu: a null pointer", many,
                   (unsigned long long)address);
  } else {
    (void)snprintf(text, size,
                   "%llu bytes that belong to no object of the device (the host's, and not registered?)",
                   many);
  }
  return true;
}

// ---- the one map of the process

void *rt_memory_new(RtMemoryKind kind, uint64_t bytes, const char *by) {
  RT_ASSERT(by);
  MemoryMap *map = memory_map_take();
  void *got = memory_map_new(map, kind, bytes, by);
  memory_map_give();
  return got;
}

RtMemoryFreed rt_memory_drop(const void *address, RtMemoryKind kind) {
  RT_ASSERT(kind <= RT_MEMORY_VARIABLE);
  MemoryMap *map = memory_map_take();
  RtMemoryFreed freed = memory_map_drop(map, (uint64_t)(uintptr_t)address, kind);
  memory_map_give();
  return freed;
}

bool rt_memory_add(RtMemory object) {
  RT_ASSERT(object.bytes && object.by);
  MemoryMap *map = memory_map_take();
  bool is_new = memory_map_add(map, object);
  memory_map_give();
  return is_new;
}

bool rt_memory_holds(uint64_t address, uint64_t bytes) {
  const MemoryMap *map = memory_map_take();
  bool holds = memory_map_holds(map, address, bytes);
  memory_map_give();
  return holds;
}

bool rt_memory_find(uint64_t address, RtMemory *found) {
  RT_ASSERT(found);
  const MemoryMap *map = memory_map_take();
  const RtMemory *object = memory_map_find(map, address);
  if (object) *found = *object;
  memory_map_give();
  return object != NULL;
}

bool rt_memory_tell(uint64_t address, uint64_t bytes, char *text, size_t size) {
  RT_ASSERT(text && size > 0);
  const MemoryMap *map = memory_map_take();
  bool is_wrong = memory_map_tell(map, address, bytes, text, size);
  memory_map_give();
  return is_wrong;
}

void rt_memory_left(uint64_t *free_bytes, uint64_t *total) {
  RT_ASSERT(free_bytes && total);
  const MemoryMap *map = memory_map_take();
  *free_bytes = map->total - map->used;
  *total = map->total;
  memory_map_give();
}
