// Reads a stream of events as text, one event a line, and plays it to a detector; for tests. The notation is in
// tests/rt/README.md. A file is two streams that differ by a few lines, as a patch: lines that begin with `-` are the first one's
// alone, with `+` the second one's.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_TESTS_UNIT_RT_STREAM_H
#define HGRD_TESTS_UNIT_RT_STREAM_H

#include "rt/events.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STREAM_LINES = 400, STREAM_WORDS = 64, STREAM_LINE = 256, STREAM_BYTES = 1 << 16, STREAM_BLOCKS = 64 };
enum { STREAM_GLOBAL = 0x10000000, STREAM_SHARED = 0x20000000, STREAM_STRIDE = 1 << 12 };

typedef struct Stream {
  const char *path;
  RtPlace places[STREAM_LINES];
  unsigned char global[STREAM_BYTES], shared[STREAM_BLOCKS][STREAM_STRIDE];
  bool has_begun[STREAM_BLOCKS];
  RtLaunch launch;
  const RtDetectorKind *kind;
  RtDetector *detector;
  char error[STREAM_LINE * 2];
  unsigned line; // of the file, for errors
  // What is expected:
  char expected[STREAM_LINE], truth[STREAM_LINE];
  bool has_expected, has_truth;
  // What was told, as "3-5": the lines in the source of the first and the second one.
  char told[STREAM_LINE * 16];
  unsigned told_count;
} Stream;

static inline bool stream_fail(Stream *s, const char *text, const char *word) {
  if (!s->error[0]) snprintf(s->error, sizeof s->error, "%s:%u: %s: \"%s\"", s->path, s->line, text, word);
  return false;
}

static inline void stream_told(void *context, const RtRace *race) {
  Stream *s = context;
  char pair[32];
  snprintf(pair, sizeof pair, "%u-%u", race->first.place->line, race->second.place->line);
  size_t length = strlen(s->told);
  s->told_count++;
  if (length + strlen(pair) + 2 >= sizeof s->told) return;
  snprintf(s->told + length, sizeof s->told - length, "%s%s", length ? " " : "", pair);
}

static inline int stream_words(char *line, char **words) {
  int count = 0;
  for (char *word = strtok(line, " \t\r\n"); word && count < STREAM_WORDS; word = strtok(NULL, " \t\r\n"))
    words[count++] = word;
  return count;
}

static inline RtScope stream_scope(Stream *s, const char *word) {
  static const char *const names[] = {"none", "block", "cluster", "device", "system"};
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(word, names[i])) return (RtScope)i;
  stream_fail(s, "no scope", word);
  return RT_SCOPE_NONE;
}

static inline bool stream_order(const char *word, RtOrder *order) {
  static const char *const names[] = {"relaxed", "acquire", "release", "acq_rel", "seq_cst"};
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(word, names[i])) {
      *order = (RtOrder)i;
      return true;
    }
  return false;
}

// "0.5" or "0.0-31"
static inline bool stream_threads(Stream *s, const char *word, RtThread *first, uint32_t *last) {
  unsigned block, from, to;
  int count = sscanf(word, "%u.%u-%u", &block, &from, &to);
  uint32_t threads = s->launch.block[0];
  if (count < 2 || block >= s->launch.grid[0] || from >= threads || (count > 2 && to >= threads))
    return stream_fail(s, "no thread of the launch", word);
  *first = (RtThread){block, from};
  *last = count > 2 ? to : from;
  return true;
}

static inline void stream_begin(Stream *s, uint32_t block) {
  if (s->has_begun[block]) return;
  s->has_begun[block] = true;
  if (s->kind->block_begins) s->kind->block_begins(s->detector, block, STREAM_SHARED + block * STREAM_STRIDE);
}

static inline bool stream_place(Stream *s, const char *word, const RtPlace **place) {
  unsigned line = 0;
  if (sscanf(word, "@%u", &line) != 1 || !line || line >= STREAM_LINES)
    return stream_fail(s, "no place", word);
  s->places[line] = (RtPlace){.file = "a.cu", .function = "k", .line = line, .column = 1};
  *place = &s->places[line];
  return true;
}

typedef struct StreamAccess {
  RtAccess access;
  uint32_t stride;
  int64_t value;
  bool adds, is_shared;
  uint32_t offset;
} StreamAccess;

static inline bool stream_kind(StreamAccess *a, const char *word) {
  RtAccess *access = &a->access;
  bool is_rmw = !strcmp(word, "add") || !strcmp(word, "swap") || !strcmp(word, "exchange");
  if (!strcmp(word, "read") || !strcmp(word, "load"))
    access->kind = RT_READ;
  else if (!strcmp(word, "write") || !strcmp(word, "store"))
    access->kind = RT_WRITE;
  else if (is_rmw)
    access->kind = RT_ATOMIC;
  else if (!strcmp(word, "swap-failed"))
    access->kind = RT_ATOMIC_FAILED;
  else
    return false;
  bool is_plain = !strcmp(word, "read") || !strcmp(word, "write");
  if (!is_plain) access->scope = RT_SCOPE_DEVICE;
  access->is_compare_swap = !strncmp(word, "swap", 4);
  access->is_exchange = !strcmp(word, "exchange");
  a->adds = !strcmp(word, "add");
  a->value = a->adds;
  return true;
}

static inline bool stream_option(Stream *s, StreamAccess *a, char **words, int count, int *at) {
  const char *word = words[*at];
  if (word[0] == '@') return stream_place(s, word, &a->access.place);
  if (word[0] == '=') return sscanf(word, "=%ld", &a->value) == 1 || stream_fail(s, "no value", word);
  if (!strcmp(word, "volatile")) return a->access.is_volatile = true;
  if (stream_order(word, &a->access.order)) return true;
  if (*at + 1 >= count) return stream_fail(s, "not understood", word);
  const char *next = words[++*at];
  if (!strcmp(word, "bytes")) return sscanf(next, "%u", &a->access.bytes) == 1;
  if (!strcmp(word, "stride")) return sscanf(next, "%u", &a->stride) == 1;
  if (!strcmp(word, "scope")) return (a->access.scope = stream_scope(s, next)) != RT_SCOPE_NONE;
  return stream_fail(s, "not understood", word);
}

static inline void stream_access(Stream *s, StreamAccess a, uint32_t index) {
  RtAccess *access = &a.access;
  uint32_t offset = a.offset + a.stride * index, room = a.is_shared ? STREAM_STRIDE : STREAM_BYTES;
  unsigned char *memory = a.is_shared ? s->shared[access->by.block] : s->global, before[16];
  if (access->bytes > sizeof before || offset + access->bytes > room) {
    stream_fail(s, "outside of the memory", "");
    return;
  }
  stream_begin(s, access->by.block);
  memcpy(before, memory + offset, access->bytes);
  int64_t old = 0;
  memcpy(&old, before, access->bytes < 8 ? access->bytes : 8);
  int64_t now = a.adds ? old + a.value : a.value;
  if (access->kind == RT_WRITE || access->kind == RT_ATOMIC)
    memcpy(memory + offset, &now, access->bytes < 8 ? access->bytes : 8);
  access->space = a.is_shared ? RT_SHARED : RT_GLOBAL;
  access->address =
      (a.is_shared ? STREAM_SHARED + access->by.block * STREAM_STRIDE : STREAM_GLOBAL) + (uint64_t)offset;
  access->before = before;
  access->after = memory + offset;
  s->kind->access(s->detector, access);
}

static inline bool stream_accesses(Stream *s, char **words, int count) {
  RtThread first = {0, 0};
  uint32_t last;
  StreamAccess a = {.access = {.bytes = 4}};
  char space;
  if (!stream_threads(s, words[0], &first, &last)) return false;
  if (!stream_kind(&a, words[1])) return stream_fail(s, "no event", words[1]);
  if (sscanf(words[2], "%c+%u", &space, &a.offset) != 2 || (space != 'g' && space != 's'))
    return stream_fail(s, "no address", words[2]);
  a.is_shared = space == 's';
  for (int i = 3; i < count; i++)
    if (!stream_option(s, &a, words, count, &i))
      return stream_fail(s, "not understood", words[i < count ? i : 0]);
  if (!a.access.place) return stream_fail(s, "a place is missing", words[1]);
  for (uint32_t t = first.thread; t <= last; t++) {
    a.access.by = (RtThread){first.block, t};
    stream_access(s, a, t - first.thread);
  }
  return true;
}

static inline bool stream_fence(Stream *s, char **words, int count) { // fence 0.5 device @7
  RtFence fence = {.order = RT_SEQ_CST};
  uint32_t last;
  if (count < 4 || !stream_threads(s, words[1], &fence.by, &last))
    return stream_fail(s, "no fence", words[0]);
  fence.scope = stream_scope(s, words[2]);
  for (int i = 3; i < count; i++)
    if (words[i][0] == '@' ? !stream_place(s, words[i], &fence.place) : !stream_order(words[i], &fence.order))
      return stream_fail(s, "not understood", words[i]);
  stream_begin(s, fence.by.block);
  for (; fence.by.thread <= last; fence.by.thread++)
    if (s->kind->fence) s->kind->fence(s->detector, &fence);
  return true;
}

// barrier block 0 @7 | barrier warp 0.0-31 @7 | barrier part 0.0-15 0.20 @7 | barrier cluster 0 1 @7 | barrier grid @7
static inline bool stream_barrier(Stream *s, char **words, int count) {
  static const char *const names[] = {"warp", "part", "block", "cluster", "grid"};
  RtBarrier barrier = {.kind = RT_BARRIER_WARP};
  RtThread threads[STREAM_BLOCKS * 128];
  int kind = 0;
  while (kind < 5 && strcmp(words[1], names[kind]))
    kind++;
  if (count < 3 || kind == 5 || !stream_place(s, words[count - 1], &barrier.place))
    return stream_fail(s, "no barrier", words[1]);
  barrier.kind = (RtBarrierKind)kind;
  bool is_of_threads = barrier.kind == RT_BARRIER_WARP || barrier.kind == RT_BARRIER_PART;
  uint32_t groups = barrier.kind == RT_BARRIER_GRID ? s->launch.grid[0] : (uint32_t)count - 3;
  for (uint32_t i = 0; i < groups; i++) {
    RtThread first = {barrier.kind == RT_BARRIER_GRID ? i : (uint32_t)atoi(words[2 + i]), 0};
    uint32_t last = s->launch.block[0] - 1;
    if (is_of_threads && !stream_threads(s, words[2 + i], &first, &last)) return false;
    if (first.block >= s->launch.grid[0]) return stream_fail(s, "no block", words[2 + i]);
    stream_begin(s, first.block);
    for (; first.thread <= last; first.thread++)
      threads[barrier.count++] = first;
  }
  barrier.threads = threads;
  if (s->kind->barrier) s->kind->barrier(s->detector, &barrier);
  return true;
}

static inline bool stream_end_block(Stream *s, const char *word) {
  uint32_t block = (uint32_t)atoi(word);
  if (block >= s->launch.grid[0] || !s->has_begun[block]) return stream_fail(s, "does not run", word);
  s->has_begun[block] = false;
  if (s->kind->block_ends) s->kind->block_ends(s->detector, block);
  return true;
}

static inline bool stream_launch(Stream *s, char **words, int count) { // launch grid 2 block 64
  unsigned grid, block;
  if (count != 5 || sscanf(words[2], "%u", &grid) != 1 || sscanf(words[4], "%u", &block) != 1 ||
      s->detector || grid > STREAM_BLOCKS || block > 128)
    return stream_fail(s, "no launch", words[0]);
  s->launch = (RtLaunch){.kernel = "k",
                         .file = "a.cu",
                         .line = 1,
                         .grid = {grid, 1, 1},
                         .block = {block, 1, 1},
                         .shared_bytes = STREAM_STRIDE,
                         .number = 1};
  s->detector = s->kind->open(&s->launch, stream_told, s);
  return s->detector || stream_fail(s, "no memory", "");
}

static inline bool stream_expect(Stream *s, char **words,
                                 int count) { // expect hirace 3-5 7-9 | expect hirace none
  if (count < 3) return stream_fail(s, "no expectation", words[0]);
  if (!rt_detector_named(words[1])) return stream_fail(s, "no detector", words[1]);
  if (strcmp(words[1], s->kind->name)) return true;
  s->has_expected = true;
  s->expected[0] = '\0';
  for (int i = 2; i < count && strcmp(words[i], "none"); i++) {
    size_t length = strlen(s->expected);
    snprintf(s->expected + length, sizeof s->expected - length, "%s%s", length ? " " : "", words[i]);
  }
  return true;
}

static inline bool stream_line(Stream *s, char *line) {
  char *words[STREAM_WORDS];
  line[strcspn(line, "#")] = '\0';
  int count = stream_words(line, words);
  if (!count) return true;
  if (!strcmp(words[0], "launch")) return stream_launch(s, words, count);
  if (!strcmp(words[0], "expect")) return stream_expect(s, words, count);
  if (!strcmp(words[0], "truth") && count == 2) {
    s->has_truth = true;
    snprintf(s->truth, sizeof s->truth, "%s", words[1]);
    return !strcmp(words[1], "race") || !strcmp(words[1], "ordered") || stream_fail(s, "no truth", words[1]);
  }
  if (!s->detector) return stream_fail(s, "before the launch", words[0]);
  if (count < 2) return stream_fail(s, "not understood", words[0]);
  if (!strcmp(words[0], "fence")) return stream_fence(s, words, count);
  if (!strcmp(words[0], "barrier")) return stream_barrier(s, words, count);
  if (!strcmp(words[0], "end")) return stream_end_block(s, words[1]);
  if (count < 4) return stream_fail(s, "not understood", words[0]);
  return stream_accesses(s, words, count);
}

// Plays one of the two streams of the file. false: `error` says what is wrong with it.
static inline bool stream_play(Stream *s, const char *path, bool is_second, const RtDetectorKind *kind) {
  memset(s, 0, sizeof *s);
  s->path = path;
  s->kind = kind;
  FILE *file = fopen(path, "r");
  if (!file) return stream_fail(s, "cannot be read", path);
  char line[STREAM_LINE];
  bool is_fine = true;
  while (is_fine && fgets(line, sizeof line, file)) {
    s->line++;
    char other = is_second ? '-' : '+', own = is_second ? '+' : '-';
    if (line[0] == other) continue;
    is_fine = stream_line(s, line[0] == own ? line + 1 : line);
  }
  fclose(file);
  if (s->detector) {
    if (kind->has_given_up(s->detector)) is_fine = stream_fail(s, "the detector has given up", kind->name);
    kind->close(s->detector);
  }
  if (is_fine && !s->has_truth) is_fine = stream_fail(s, "no truth", "");
  if (is_fine && !s->has_expected) is_fine = stream_fail(s, "nothing is expected of", kind->name);
  return is_fine;
}

#endif
