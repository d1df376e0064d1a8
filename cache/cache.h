// What earlier runs have found out, found again by everything that it follows from. Entries are files in one
// folder of the user's; any number of runs may use it at once. Nothing that is found is ever wrong for its key:
// an entry is there whole, or not at all.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CACHE_H
#define HGRD_CACHE_H

#include "core/arena.h"
#include "core/digest.h"
#include "core/str.h"
#include "core/verdict.h"

typedef struct Cache Cache;

// What an entry is about, for the statistics; part of the key.
typedef enum CacheKind {
  CACHE_INPUTS = 0,
  CACHE_EARLIER,
  CACHE_UNIT,
  CACHE_PROGRAM,
  CACHE_KERNEL,
  CACHE_HOST,
  CACHE_KINDS
} CacheKind;

typedef struct CacheOptions {
  const char *folder;   // NULL: hgrd in $XDG_CACHE_HOME, or ~/.cache/hgrd
  uint64_t limit_bytes; // 0: as usual
  const char *version;  // of the program, exactly: part of every key
  size_t version_length;
} CacheOptions;

// Makes the folder if it is not there. NULL: it cannot be used, with one line in `*error`.
Cache *cache_open(const CacheOptions *options, Arena *arena, const char **error);
// Gives back what is too much; may take a while after a run that has added much.
void cache_close(Cache *cache);

// For several threads at once. NULL: nothing, or damaged, or somebody else's.
const void *cache_get(Cache *cache, CacheKind kind, Digest key, Arena *arena, size_t *length);
// What was found does not fit the question after all: it counts as missed.
void cache_unfit(Cache *cache, CacheKind kind);
// What cannot be written is not there the next time.
void cache_put(Cache *cache, CacheKind kind, Digest key, const void *bytes, size_t length);

typedef struct CacheStats {
  uint32_t found[CACHE_KINDS], missed[CACHE_KINDS]; // in this run
  uint32_t refused;                                 // that could not be written, in this run
  uint64_t entries, bytes, limit_bytes;             // in the folder
} CacheStats;
CacheStats cache_stats(Cache *cache);
const char *cache_folder(const Cache *cache);

#endif
