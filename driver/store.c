// Which cache is used? The one that --cache names, or HGRD_CACHE, or the user's; "off" is none. One that was
// named and cannot be used is a mistake; the user's own is done without.
// SPDX-License-Identifier: Apache-2.0
#include "driver/store.h"
#include "core/bug.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool store_open(const Options *options, const char *version, Arena *arena, Cache **cache,
                const char **error) {
  ASSERT(version);
  ASSERT(cache);
  ASSERT(error);
  const char *named = options->cache ? options->cache : getenv("HGRD_CACHE");
  *cache = NULL;
  if (named && !named[0]) named = NULL;
  if (named && strcmp(named, "off") == 0) return true;
  CacheOptions cache_options = {.folder = named,
                                .limit_bytes = options->cache_mib << 20,
                                .version = version,
                                .version_length = strlen(version)};
  *cache = cache_open(&cache_options, arena, error);
  return *cache || !named;
}

static const CacheKind kinds[] = {[KEPT_INPUTS] = CACHE_INPUTS,
                                  [KEPT_EARLIER] = CACHE_EARLIER,
                                  [KEPT_UNIT] = CACHE_UNIT,
                                  [KEPT_PROGRAM] = CACHE_PROGRAM};

static const void *get(void *context, FrontendKept kind, Digest key, Arena *arena, size_t *length) {
  return cache_get(context, kinds[kind], key, arena, length);
}

static void unfit(void *context, FrontendKept kind) {
  cache_unfit(context, kinds[kind]);
}

static void put(void *context, FrontendKept kind, Digest key, const void *bytes, size_t length) {
  cache_put(context, kinds[kind], key, bytes, length);
}

FrontendStore store_for_frontend(Cache *cache) {
  return (FrontendStore){get, unfit, put, cache};
}

void store_print_stats(Cache *cache, StrBuf *out) {
  ASSERT(out);
  static const char *const names[CACHE_KINDS] = {
      [CACHE_INPUTS] = "files",   [CACHE_EARLIER] = "earlier texts",
      [CACHE_UNIT] = "units",     [CACHE_PROGRAM] = "programs",
      [CACHE_KERNEL] = "kernels", [CACHE_HOST] = "answers for host code"};
  if (!cache) {
    strbuf_add(out, "cache: off\n");
    return;
  }
  CacheStats stats = cache_stats(cache);
  strbuf_printf(out, "cache: %s\n", cache_folder(cache));
  for (int kind = 0; kind < CACHE_KINDS; kind++)
    if (stats.found[kind] + stats.missed[kind])
      strbuf_printf(out, "cache: %s: %" PRIu32 " of %" PRIu32 " found\n", names[kind], stats.found[kind],
                    stats.found[kind] + stats.missed[kind]);
  if (stats.refused) strbuf_add(out, "cache: could not be written to: nothing more was kept\n");
  strbuf_printf(out, "cache: %" PRIu64 " entries, %.1f MiB of at most %.0f MiB\n", stats.entries,
                (double)stats.bytes / (1 << 20), (double)stats.limit_bytes / (1 << 20));
}
