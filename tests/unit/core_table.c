// The hash table and the map against a plain list: what was put is found, nothing else is, also where many things
// have one hash, where hashes differ in nothing but the bits that no place is made of, and after it has grown.
// SPDX-License-Identifier: Apache-2.0
#include "core/table.h"

#include "core/bug.h"
#include "tests/unit/check.h"

#include <setjmp.h>

enum { ITEMS = 3000, KEYS = 700 };

static uint32_t count_with(const Table *table, uint32_t hash, uint64_t *sum) {
  uint32_t count = 0;
  TableLook look = table_look(table, hash);
  for (uint32_t number; (number = table_next(&look)) != 0; count++)
    *sum += number;
  return count;
}

// Numbers 1 to ITEMS, number n under the hash hashes[n % kinds]: each look gives just those of its hash.
static void check_hashes(const uint32_t *hashes, uint32_t kinds, uint32_t absent) {
  Arena *arena = arena_open();
  Table table = {0};
  uint64_t none = 0;
  CHECK(count_with(&table, hashes[0], &none) == 0);
  for (uint32_t n = 1; n <= ITEMS; n++)
    table_add(arena, &table, hashes[n % kinds], n);
  CHECK(table.count == ITEMS && 2 * table.count <= table.capacity);
  Table copy = table_copy(arena, &table);
  table_add(arena, &table, absent, ITEMS + 1); // not seen in the copy
  bool is_right = true;
  for (uint32_t kind = 0; kind < kinds; kind++) {
    uint64_t found = 0, wanted = 0;
    uint32_t count = 0;
    for (uint32_t n = 1; n <= ITEMS; n++)
      if (n % kinds == kind) count++, wanted += n;
    is_right &= count_with(&table, hashes[kind], &found) == count && found == wanted;
  }
  CHECK(is_right);
  CHECK(count_with(&copy, absent, &none) == 0 && none == 0);
  CHECK(count_with(&table, absent, &none) == 1 && none == ITEMS + 1);
  arena_close(arena);
}

static void check_tables(void) {
  const uint32_t one[] = {7}, high[] = {0, 1u << 31, 1u << 30, 3u << 30},
                 around[] = {UINT32_MAX, 0, 1, UINT32_MAX - 1};
  check_hashes(one, 1, 8);
  check_hashes(high, 4, 1u << 29);
  check_hashes(around, 4, 2);
}

static void check_map(uint64_t seed) {
  Arena *arena = arena_open();
  Map map = {0};
  uint64_t keys[KEYS];
  uint32_t values[KEYS], count = 0;
  bool is_right = map_get(&map, 0) == 0 && !map_find(&map, 0);
  for (uint32_t step = 0; step < 4 * KEYS && count < KEYS; step++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    uint64_t key =
        seed >> 33 & 1 ? seed >> 55 : seed & ~UINT64_C(0xffffffff); // few small ones, and large ones
    uint32_t value = (uint32_t)(seed >> 20) & 3, at = 0;            // 0 as well
    while (at < count && keys[at] != key)
      at++;
    is_right &= (map_find(&map, key) != NULL) == (at < count);
    if (step % 5 == 0) {
      is_right &= map_is_new(arena, &map, key) == (at == count);
      value = at == count ? 1 : values[at];
    } else
      map_set(arena, &map, key, value);
    count += at == count;
    keys[at] = key;
    values[at] = value;
  }
  for (uint32_t i = 0; i < count; i++)
    is_right &= map_find(&map, keys[i]) && map_get(&map, keys[i]) == values[i];
  CHECK(is_right && count > 400 && map.entries.count == count);
  arena_close(arena);
}

static jmp_buf back;
static void note(const char *file, int line, const char *message) {
  (void)file, (void)line, (void)message;
  longjmp(back, 1);
}

// The number 0 means "free"; whoever adds it is told.
static void check_zero(void) {
  Arena *arena = arena_open();
  Table table = {0};
  bug_set_hook(note);
  bool was_told = setjmp(back) != 0;
  if (!was_told) table_add(arena, &table, 1, 0);
  bug_set_hook(NULL);
  CHECK(was_told && table.count == 0);
  arena_close(arena);
}

int main(void) {
  check_tables();
  for (uint64_t seed = 1; seed <= 20; seed++)
    check_map(seed);
  check_zero();
  return check_result();
}
