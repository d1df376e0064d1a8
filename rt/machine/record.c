// How does a program read what was seen? Each new race is a line of a file, one JSON object: hgrd-run --json. Texts are those of the
// source; bytes that are no ASCII go through as they are.
// SPDX-License-Identifier: Apache-2.0
#include "rt/machine/internal.h"
#include "rt/contract.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void put_text(FILE *file, const char *key, const char *text) {
  fprintf(file, "\"%s\": \"", key);
  for (const unsigned char *at = (const unsigned char *)(text ? text : ""); *at; at++) {
    if (*at == '"' || *at == '\\')
      fprintf(file, "\\%c", *at);
    else if (*at < ' ')
      fprintf(file, "\\u%04x", *at);
    else
      fputc(*at, file);
  }
  fputc('"', file);
}

static void put_triple(FILE *file, const char *key, const uint32_t values[3]) {
  fprintf(file, "\"%s\": [%" PRIu32 ", %" PRIu32 ", %" PRIu32 "]", key, values[0], values[1], values[2]);
}

static void put_value(FILE *file, const char *key, const RtAccess *access, const void *bytes) {
  uint64_t value = 0;
  if (!bytes) return;
  memcpy(&value, bytes, access->bytes < sizeof value ? access->bytes : sizeof value);
  fprintf(file, ", \"%s\": %" PRIu64, key, value);
}

static const char *kind_of(const RtAccess *access) {
  switch (access->kind) {
  case RT_READ: return "read";
  case RT_WRITE: return "write";
  case RT_ATOMIC:
  case RT_ATOMIC_FAILED: break;
  }
  return "atomic";
}

static void put_access(FILE *file, const RtAccess *access) {
  const RtLaunch *launch = &rt_machine.launch;
  uint32_t block[3], thread[3];
  coordinates(launch->grid, access->by.block, block);
  coordinates(launch->block, access->by.thread, thread);
  fputc('{', file);
  put_text(file, "file", access->place ? access->place->file : NULL);
  fprintf(file, ", \"line\": %" PRIu32 ", \"column\": %" PRIu32 ", ", access->place ? access->place->line : 0,
          access->place ? access->place->column : 0);
  put_text(file, "kind", kind_of(access));
  fprintf(file, ", \"bytes\": %" PRIu32 ", ", access->bytes);
  put_triple(file, "block", block);
  fputs(", ", file);
  put_triple(file, "thread", thread);
  put_value(file, "before", access, access->before);
  put_value(file, "after", access, access->after);
  fputc('}', file);
}

void record_race(const RtRace *race, const char *schedule) {
  RT_ASSERT(race && race->first.place && race->second.place);
  const RtLaunch *launch = &rt_machine.launch;
  FILE *file = rt_machine.settings.record ? fopen(rt_machine.settings.record, "a") : NULL;
  if (!file) return;
  fputs("{\"race\": {", file);
  put_text(file, "kernel", launch->kernel);
  fputs(", ", file);
  put_text(file, "mangled", rt_machine.request->kernel->name);
  fputs(", \"launch\": {", file);
  put_text(file, "file", launch->file);
  fprintf(file, ", \"line\": %" PRIu32 ", \"number\": %" PRIu64 ", ", launch->line, launch->number);
  put_triple(file, "grid", launch->grid);
  fputs(", ", file);
  put_triple(file, "block", launch->block);
  fputs("}, ", file);
  put_text(file, "schedule", schedule);
  fputs(", ", file);
  put_text(file, "detector", rt_machine.kind->name);
  fputs(", ", file);
  put_text(file, "why", race->why ? race->why : "nothing orders them");
  fprintf(file, ", \"sameValue\": %s, \"space\": \"%s\", \"accesses\": [",
          rt_race_is_of_one_value(race) ? "true" : "false",
          race->second.space == RT_SHARED ? "shared" : "global");
  put_access(file, &race->first);
  fputs(", ", file);
  put_access(file, &race->second);
  fputs("]}}\n", file);
  (void)fclose(file);
}
