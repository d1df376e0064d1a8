// What is the run asked to do? HGRD_RUN=KEY=VALUE,... from hgrd-run or from the user: schedule (in-order, reversed, a seed), detector,
// timeout in seconds. What cannot be understood ends the program before it starts.
// SPDX-License-Identifier: Apache-2.0
#include "rt/machine/internal.h"
#include "rt/contract.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STATUS_INPUT = 2 };

static void refuse(const char *what, const char *mend) {
  fprintf(stderr, "hgrd-run: error: HGRD_RUN: '%s': %s\n", what, mend);
  _exit(STATUS_INPUT);
}

static bool number(const char *text, uint32_t *out) {
  char *end;
  unsigned long value = strtoul(text, &end, 10);
  *out = (uint32_t)value;
  return end != text && !*end && *text != '-' && value <= UINT32_MAX;
}

static void take_schedule(Settings *out, const char *value) {
  if (strcmp(value, "in-order") == 0)
    out->schedule = SCHEDULE_IN_ORDER;
  else if (strcmp(value, "reversed") == 0)
    out->schedule = SCHEDULE_REVERSED;
  else if (number(value, &out->seed))
    out->schedule = SCHEDULE_SEEDED;
  else
    refuse(value, "a schedule is in-order, reversed or a number");
}

static void take_word(Settings *out, char *word) {
  char *value = strchr(word, '=');
  if (value) *value++ = '\0';
  if (strcmp(word, "again") == 0)
    out->is_again = true;
  else if (!value)
    refuse(word, "write KEY=VALUE,...");
  else if (strcmp(word, "schedule") == 0)
    take_schedule(out, value);
  else if (strcmp(word, "detector") == 0)
    out->detector = value;
  else if (strcmp(word, "seen") == 0)
    out->seen = value;
  else if (strcmp(word, "timeout") != 0)
    refuse(word, "what can be set is schedule, detector and timeout");
  else if (!number(value, &out->timeout))
    refuse(value, "a timeout is a number of seconds");
}

void settings_read(Settings *out) {
  RT_ASSERT(out);
  const char *given = getenv("HGRD_RUN");
  out->record = getenv("HGRD_RUN_RECORD"); // a path may have commas
  if (!given) return;
  if (strlen(given) >= sizeof out->text) refuse(given, "it is too long");
  memcpy(out->text, given, strlen(given) + 1);
  for (char *word = out->text, *next; word && *word; word = next) {
    next = strncmp(word, "seen=", 5) == 0 ? NULL : strchr(word, ','); // a path, and the last word
    if (next) *next++ = '\0';
    take_word(out, word);
  }
}
