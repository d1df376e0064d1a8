// The map of rt/ against a plain list: what was put is found, what was taken out is not, nothing else moves, also where
// keys are far apart, lie side by side, or differ in their upper half alone.
// SPDX-License-Identifier: Apache-2.0
#include "rt/map.h"
#include "tests/unit/check.h"

enum { KEYS = 600, STEPS = 20000 };

static uint32_t next_number(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 33);
}

static uint32_t count_of(const RtMap *map) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < map->capacity; i++)
    count += map->table[i].value != 0;
  return count;
}

// Keys are multiples of `stride`.
static void check_map(uint64_t stride) {
  RtMap map = {0};
  uint64_t values[KEYS] = {0}, state = stride + 1;
  uint32_t count = 0;
  CHECK(!rt_map_get(&map, 0));
  rt_map_remove(&map, 0);
  for (uint32_t step = 0; step < STEPS; step++) {
    uint32_t at = next_number(&state) % KEYS, number = next_number(&state);
    bool is_put = number % 3 != 0;
    count += is_put && !values[at];
    count -= !is_put && values[at];
    values[at] = is_put ? number : 0;
    if (is_put)
      CHECK(rt_map_put(&map, at * stride, number));
    else
      rt_map_remove(&map, at * stride);
    if (map.count != count) break;
  }
  CHECK(map.count == count && count_of(&map) == count && 2 * count <= map.capacity);
  CHECK(rt_map_bytes(&map) == map.capacity * sizeof(RtMapEntry));
  bool is_same = true;
  for (uint32_t at = 0; at < KEYS; at++)
    is_same &= rt_map_get(&map, at * stride) == values[at];
  CHECK(is_same && !rt_map_get(&map, KEYS * stride));
  rt_map_close(&map);
  CHECK(!map.capacity && !rt_map_get(&map, stride));
}

int main(void) {
  const uint64_t strides[] = {1, 16, 4096, (uint64_t)1 << 32, 0x9e3779b97f4a7c15u};
  for (uint32_t i = 0; i < sizeof strides / sizeof *strides; i++)
    check_map(strides[i]);
  return check_result();
}
