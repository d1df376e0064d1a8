// Which seeds does a random test run through? The first ones, a bounded number, unless the command line says
// otherwise: PROGRAM FIRST COUNT, or PROGRAM FIRST SECONDSs ("20s") as ./dev fuzz does it. With a first seed
// given, seeds_end prints how far it went, so that a run can be repeated.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_TESTS_UNIT_SEEDS_H
#define HGRD_TESTS_UNIT_SEEDS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct Seeds {
  uint64_t first, next, end; // end: one behind the last
  time_t deadline;           // 0: none
  bool is_default;           // the bounded run of the tests
} Seeds;

static inline Seeds seeds_of(int argc, char **argv, uint64_t count) {
  Seeds s = {.first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1, .is_default = argc <= 1};
  if (argc > 1) count = 1;
  if (argc > 2) {
    char *unit = NULL;
    count = strtoull(argv[2], &unit, 10);
    if (*unit == 's') {
      s.deadline = time(NULL) + (time_t)count;
      count = UINT64_MAX - s.first;
    }
  }
  s.next = s.first;
  s.end = s.first + count;
  return s;
}

static inline bool seeds_next(Seeds *s, uint64_t *seed) {
  if (s->next == s->end || (s->deadline && time(NULL) >= s->deadline)) return false;
  *seed = s->next++;
  return true;
}

static inline void seeds_end(const Seeds *s) {
  if (!s->is_default)
    printf("%llu inputs, seeds %llu to %llu\n", (unsigned long long)(s->next - s->first),
           (unsigned long long)s->first, (unsigned long long)s->next - 1);
}

#endif
