// The whole test framework: CHECK(condition) prints the place of a failure and counts it; main ends with
// `return check_result();`, which is 0 only if at least one check ran and none failed.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_TESTS_UNIT_CHECK_H
#define HGRD_TESTS_UNIT_CHECK_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

// One per test program, since a test is one .c file.
static unsigned check_count, check_failures;

static inline bool check_that(bool holds, const char *file, int line, const char *text) {
  check_count++;
  if (!holds) {
    check_failures++;
    fprintf(stderr, "%s:%d: CHECK failed: %s\n", file, line, text);
  }
  return holds;
}

static inline bool check_strings(const char *got, const char *want, const char *file, int line) {
  bool equal = got && want ? strcmp(got, want) == 0 : got == want;
  check_that(equal, file, line, "strings are equal");
  if (!equal)
    fprintf(stderr, "--- got\n%s\n--- expected\n%s\n---\n", got ? got : "(null)", want ? want : "(null)");
  return equal;
}

static inline int check_result(void) {
  if (check_count == 0) fprintf(stderr, "no check ran\n");
  return check_failures > 0 || check_count == 0;
}

// Both give back whether the check held, so that a test can stop before using what is missing.
#define CHECK(condition) check_that((condition) ? true : false, __FILE__, __LINE__, #condition)
#define CHECK_TEXT(got, want) check_strings((got), (want), __FILE__, __LINE__)

#endif
