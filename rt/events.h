// What happens while a kernel runs, as the detectors are told of it: one stream of events for each launch, in the order of
// the run. The machine (rt/machine) makes it, a detector (rt/detectors.def) reads it; neither knows the other one. The
// order is sequentially consistent: an access is told where it takes effect, and one call at a time is made.
// Ownership: what a pointer points to lives for the call, but for places and the launch's name, which live for the program.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_RT_EVENTS_H
#define HGRD_RT_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A place in the user's source. `path` holds the calls that led there, innermost last; NULL if it is in the kernel itself.
typedef struct RtPlace {
  const char *file, *function, *path;
  uint32_t line, column;
} RtPlace;

typedef struct RtThread { // linear numbers, x fastest
  uint32_t block;         // in the grid
  uint32_t thread;        // in the block; its warp is thread / 32
} RtThread;

typedef enum RtScope {
  RT_SCOPE_NONE,
  RT_SCOPE_BLOCK,
  RT_SCOPE_CLUSTER,
  RT_SCOPE_DEVICE,
  RT_SCOPE_SYSTEM
} RtScope;
typedef enum RtOrder { RT_RELAXED, RT_ACQUIRE, RT_RELEASE, RT_ACQ_REL, RT_SEQ_CST } RtOrder;
typedef enum RtSpace { RT_GLOBAL, RT_SHARED, RT_LOCAL } RtSpace;
typedef enum RtAccessKind {
  RT_READ,
  RT_WRITE,
  RT_ATOMIC,        // a read-modify-write that wrote
  RT_ATOMIC_FAILED, // a compare-and-swap that found another value: it only read
} RtAccessKind;

typedef struct RtAccess {
  RtThread by;
  const RtPlace *place;
  uint64_t address; // of the machine; a word of shared memory has the address of its block's copy
  uint32_t bytes;
  RtSpace space;
  RtAccessKind kind;
  bool is_volatile;
  bool is_compare_swap, is_exchange; // of RT_ATOMIC and RT_ATOMIC_FAILED: what locks are made of
  RtScope scope;                     // RT_SCOPE_NONE: a plain (weak) access
  RtOrder order;                     // of strong ones
  const void *before, *after; // `bytes` of what stood there, and of what stands there now; of a read the same
} RtAccess;

typedef enum RtBarrierKind {
  RT_BARRIER_WARP,
  RT_BARRIER_PART,
  RT_BARRIER_BLOCK,
  RT_BARRIER_CLUSTER,
  RT_BARRIER_GRID
} RtBarrierKind;

typedef struct RtBarrier { // told once, when all have come and none has gone on
  RtBarrierKind kind;
  const RtPlace *place; // of the last one that came
  uint32_t count;
  const RtThread *threads; // who took part
} RtBarrier;

typedef struct RtFence {
  RtThread by;
  const RtPlace *place;
  RtScope scope;
  RtOrder order;
} RtFence;

typedef struct RtLaunch {
  const char *kernel; // as the user wrote it
  const char *file;   // where it is launched; NULL if that is not known
  uint32_t line;
  uint32_t grid[3], block[3];
  uint64_t shared_bytes; // of each block, static and dynamic
  uint64_t number;       // of this run's launches, from 1
} RtLaunch;

// Two accesses that nothing has ordered. The first one came first in this run.
typedef struct RtRace {
  RtAccess first, second; // `before` and `after` are NULL where a detector does not keep them
  const char
      *why; // what was missing, in the words of a report ("no barrier between them"); lives for the program
} RtRace;

// Both write, and leave the same.
bool rt_race_is_of_one_value(const RtRace *race);

typedef struct RtDetector RtDetector;

// A row of rt/detectors.def. All functions but `open` and `close` may be NULL: the event is nothing to it.
typedef struct RtDetectorKind {
  const char *name;
  const char *paper; // where its rules are from
  // `told` is called for each race, not more than once for two places and a direction in one launch. Returns NULL for lack of memory.
  RtDetector *(*open)(const RtLaunch *launch, void (*told)(void *context, const RtRace *race), void *context);
  void (*block_begins)(RtDetector *detector, uint32_t block,
                       uint64_t shared_address); // its shared memory is fresh
  void (*block_ends)(RtDetector *detector, uint32_t block);
  void (*access)(RtDetector *detector, const RtAccess *access);
  void (*barrier)(RtDetector *detector, const RtBarrier *barrier);
  void (*fence)(RtDetector *detector, const RtFence *fence);
  uint64_t (*bytes)(const RtDetector *detector);    // of memory that it holds now
  bool (*has_given_up)(const RtDetector *detector); // for lack of memory: what came behind was not watched
  void (*close)(RtDetector *detector);              // the kernel has ended
} RtDetectorKind;

extern const RtDetectorKind *const rt_detectors[]; // ends with NULL; the first one is the usual one
const RtDetectorKind *rt_detector_named(const char *name);

#endif
