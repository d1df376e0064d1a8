// What was put is got back for its key, kind and program alone.
// SPDX-License-Identifier: Apache-2.0
#define _XOPEN_SOURCE 700
#include "cache/cache.h"
#include "tests/unit/check.h"

#include <stdlib.h>
#include <string.h>

static Cache *open_as(const char *folder, const char *version, Arena *arena) {
  const char *error;
  CacheOptions options = {.folder = folder, .version = version, .version_length = strlen(version)};
  Cache *cache = cache_open(&options, arena, &error);
  CHECK(cache);
  return cache;
}

int main(void) {
  Arena *arena = arena_open();
  char folder[] = "/tmp/hgrd-cache-XXXXXX";
  size_t length;
  CHECK(mkdtemp(folder));
  Cache *one = open_as(folder, "one", arena), *two = open_as(folder, "two", arena);
  Digest key = digest_of("key", 3), other = digest_of("other", 5);
  CHECK(!cache_get(one, CACHE_KERNEL, key, arena, &length));
  cache_put(one, CACHE_KERNEL, key, "value", 5);
  const char *value = cache_get(one, CACHE_KERNEL, key, arena, &length);
  CHECK(value && length == 5 && memcmp(value, "value", 5) == 0);
  // Neither another kind, nor another key, nor another program.
  CHECK(!cache_get(one, CACHE_UNIT, key, arena, &length));
  CHECK(!cache_get(one, CACHE_KERNEL, other, arena, &length));
  CHECK(!cache_get(two, CACHE_KERNEL, key, arena, &length));
  cache_put(two, CACHE_KERNEL, key, "", 0);
  CHECK(cache_get(two, CACHE_KERNEL, key, arena, &length) && length == 0);
  value = cache_get(one, CACHE_KERNEL, key, arena, &length);
  CHECK(value && length == 5);
  cache_put(one, CACHE_KERNEL, key, "newer", 5);
  value = cache_get(one, CACHE_KERNEL, key, arena, &length);
  CHECK(value && memcmp(value, "newer", 5) == 0);
  CacheStats stats = cache_stats(one);
  CHECK(stats.found[CACHE_KERNEL] == 3 && stats.missed[CACHE_KERNEL] == 2 && stats.entries == 2);
  cache_close(one);
  cache_close(two);
  char command[64] = "rm -rf ";
  strcat(command, folder);
  CHECK(system(command) == 0);
  arena_close(arena);
  return check_result();
}
