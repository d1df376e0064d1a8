// Which objects are there in the memory that kernels may touch, and what becomes of an access that misses them? The CUDA
// runtime on the CPU (rt/host) keeps the map; the machine (rt/machine) asks it for each access, so that an access out of
// bounds, or to what was freed, can be told with its object before it takes effect.
// What lies between two objects of the region belongs to nobody: each object starts at a multiple of RT_MEMORY_GRAIN and
// has at least one grain that is nobody's behind it, and addresses are not used again before the region has come to its end.
// Memory of the host that no call has registered is no object: kernels may not touch it, as on a GPU without such access.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_RT_MEMORY_MAP_H
#define HGRD_RT_MEMORY_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RT_MEMORY_GRAIN = 256 };

typedef enum RtMemoryKind {
  RT_MEMORY_DEVICE,
  RT_MEMORY_MANAGED,
  RT_MEMORY_PINNED,
  RT_MEMORY_ARRAY,      // behind a cudaArray: only texture and surface functions reach it
  RT_MEMORY_HEAP,       // malloc in a kernel
  RT_MEMORY_REGISTERED, // the program's own, by cudaHostRegister
  RT_MEMORY_VARIABLE,   // __device__, __constant__, __managed__
} RtMemoryKind;

typedef struct RtMemory {
  uint64_t address, bytes;
  uint64_t number; // of this run's objects, from 1
  RtMemoryKind kind;
  bool is_live; // false: it was freed
  bool is_constant;
  const char *
      by; // the call that made it ("cudaMalloc"), or a variable's name as the user wrote it; lives for the program
  const char *name; // a variable's name for the device; NULL for other objects
} RtMemory;

// The region of addresses in which all objects lie but registered memory and variables.
typedef struct RtMemoryRegion {
  uint64_t address, bytes;
  const uint32_t *grains;  // for each grain of it, the object that it belongs or belonged to; 0 for none
  const RtMemory *objects; // by these numbers; neither of the two ever moves
} RtMemoryRegion;

// There before any kernel is launched; the same for the whole run.
const RtMemoryRegion *rt_memory_region(void);

// The object that the grain belongs or belonged to; NULL if that is none of the region.
static inline const RtMemory *rt_memory_region_object(const RtMemoryRegion *region, uint64_t address) {
  uint64_t offset = address - region->address;
  if (offset >= region->bytes) return NULL;
  uint32_t number = region->grains[offset / RT_MEMORY_GRAIN];
  return number ? &region->objects[number] : NULL;
}
bool rt_memory_holds(uint64_t address, uint64_t bytes);

// The object that holds `address`, or held it; in `found`. False if there is none.
bool rt_memory_find(uint64_t address, RtMemory *found);

// What is wrong with `bytes` from `address` on, in words: "16 bytes behind the end of 400 bytes from cudaMalloc, the run's object
// 3". False, and nothing written, if nothing is.
bool rt_memory_tell(uint64_t address, uint64_t bytes, char *text, size_t size);

// A new object in the region, its bytes zero; or NULL if the device has no more memory, or the region is full. `by` lives for the program.
void *rt_memory_new(RtMemoryKind kind, uint64_t bytes, const char *by);

typedef enum RtMemoryFreed {
  RT_MEMORY_FREED,
  RT_MEMORY_FREED_BEFORE,
  RT_MEMORY_NO_OBJECT,
  RT_MEMORY_INSIDE
} RtMemoryFreed;
// RT_MEMORY_NO_OBJECT also where the object is not of `kind`; RT_MEMORY_INSIDE: `address` is not the object's first byte.
RtMemoryFreed rt_memory_drop(const void *address, RtMemoryKind kind);

// An object outside of the region, whose memory is somebody else's. False if it overlaps one that lives.
bool rt_memory_add(RtMemory object);

void rt_memory_left(uint64_t *free_bytes, uint64_t *total); // what the device has

#endif
