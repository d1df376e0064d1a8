// What did runs of the program show? The lines that hgrd-run --json writes, one JSON object each: races with their two accesses, and how
// each run ended. Soundness: a line that is not understood fails the whole, so that nothing seen is lost in silence.
// SPDX-License-Identifier: Apache-2.0
#include "report/json_util.h"
#include "core/bug.h"

#include <inttypes.h>
#include <string.h>

typedef struct LineReader {
  Arena *arena;
  Observations *out;
} LineReader;

static const char *text_of(const LineReader *reader, const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text && *text ? arena_strdup(reader->arena, text) : NULL;
}

static uint32_t number_of(const json_t *object, const char *key) {
  return (uint32_t)json_integer_value(json_object_get(object, key));
}

static bool read_triple(const json_t *object, const char *key, int64_t out[3]) {
  const json_t *values = json_object_get(object, key);
  for (size_t i = 0; i < 3; i++)
    out[i] = json_integer_value(json_array_get(values, i));
  return json_array_size(values) == 3;
}

static const char *kind_word(const json_t *access) {
  const char *word = json_string_value(json_object_get(access, "kind"));
  return word ? word : "";
}

static bool read_access(const LineReader *reader, const json_t *from, ObservedRace *race, int index) {
  ASSERT(index == 0 || index == 1);
  FindingAccess *access = &race->accesses[index];
  const char *kind = kind_word(from);
  access->loc = (SrcLoc){.file = text_of(reader, from, "file"),
                         .line = number_of(from, "line"),
                         .column = number_of(from, "column"),
                         .function = ""};
  access->bytes = number_of(from, "bytes");
  access->kind = strcmp(kind, "read") == 0    ? ACCESS_READ
                 : strcmp(kind, "write") == 0 ? ACCESS_WRITE
                                              : ACCESS_ATOMIC;
  return *kind && read_triple(from, "block", race->seen.block_idx[index]) &&
         read_triple(from, "thread", race->seen.thread_idx[index]);
}

static void put_number(StrBuf *out, const char *words, const json_t *access, const char *key) {
  const json_t *value = json_object_get(access, key);
  if (json_is_integer(value)) strbuf_printf(out, "%s %" PRIu64, words, (uint64_t)json_integer_value(value));
}

// "the write comes first and leaves 7; then the read finds 7; no block barrier between them"
static const char *sentence(const LineReader *reader, const json_t *from, const json_t *first,
                            const json_t *second) {
  StrBuf text = {.arena = reader->arena};
  strbuf_printf(&text, "the %s comes first", kind_word(first));
  if (strcmp(kind_word(first), "read") != 0) put_number(&text, " and leaves", first, "after");
  strbuf_printf(&text, "; then the %s", kind_word(second));
  put_number(&text, " finds", second, "before");
  if (strcmp(kind_word(second), "read") != 0) put_number(&text, " and leaves", second, "after");
  const char *why = json_string_value(json_object_get(from, "why"));
  strbuf_printf(&text, "; %s", why ? why : "nothing orders them");
  return strbuf_text(&text);
}

static bool read_race(const LineReader *reader, const json_t *from) {
  const json_t *launch = json_object_get(from, "launch"), *accesses = json_object_get(from, "accesses");
  const json_t *first = json_array_get(accesses, 0), *second = json_array_get(accesses, 1);
  ObservedRace race = {.kernel = text_of(reader, from, "kernel"),
                       .mangled = text_of(reader, from, "mangled"),
                       .space = text_of(reader, from, "space"),
                       .is_same_value = json_is_true(json_object_get(from, "sameValue"))};
  race.seen = (Observation){.schedule = text_of(reader, from, "schedule"),
                            .detector = text_of(reader, from, "detector"),
                            .launch_loc = {.file = text_of(reader, launch, "file"),
                                           .line = number_of(launch, "line"),
                                           .function = ""},
                            .launch = number_of(launch, "number")};
  bool is_good = race.mangled && race.seen.schedule && read_triple(launch, "grid", race.seen.grid_dim) &&
                 read_triple(launch, "block", race.seen.block_dim) && read_access(reader, first, &race, 0) &&
                 read_access(reader, second, &race, 1);
  race.seen.text = sentence(reader, from, first, second);
  vec_push(reader->arena, &reader->out->races, race);
  return is_good;
}

static bool read_run(const LineReader *reader, const json_t *from) {
  ObservedRun run = {.schedule = text_of(reader, from, "schedule"),
                     .status = (int)json_integer_value(json_object_get(from, "status")),
                     .signal = (int)json_integer_value(json_object_get(from, "signal"))};
  vec_push(reader->arena, &reader->out->runs, run);
  return run.schedule != NULL;
}

bool report_read_observations(const char *text, size_t length, Arena *arena, Observations *out) {
  ASSERT(text);
  ASSERT(out);
  const LineReader reader = {arena, out};
  bool is_good = true;
  *out = (Observations){0};
  for (size_t at = 0; is_good && at < length;) {
    const char *end = memchr(text + at, '\n', length - at);
    size_t size = end ? (size_t)(end - text) - at : length - at;
    json_t *line = json_loadb(text + at, size, 0, NULL);
    const json_t *race = json_object_get(line, "race"), *run = json_object_get(line, "run");
    is_good = race ? read_race(&reader, race) : run && read_run(&reader, run);
    json_decref(line);
    at += size + 1;
  }
  return is_good;
}
