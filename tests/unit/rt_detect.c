// Plays each stream of tests/rt to each detector: what is told is what the file expects, in any order. And the table of
// docs/detectors.md is the one that these streams make (unit_rt_detect --table prints it).
// SPDX-License-Identifier: Apache-2.0
#include "check.h"
#include "rt_stream.h"

#include <dirent.h>

static int is_stream(const struct dirent *entry) {
  size_t length = strlen(entry->d_name);
  return length > 7 && !strcmp(entry->d_name + length - 7, ".events");
}

static int by_text(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static void sort_words(const char *text, char *out, size_t size) {
  char copy[STREAM_LINE * 16], *words[STREAM_WORDS];
  snprintf(copy, sizeof copy, "%s", text);
  int count = stream_words(copy, words);
  qsort(words, (size_t)count, sizeof *words, by_text);
  out[0] = '\0';
  for (int i = 0; i < count; i++) {
    if (i && !strcmp(words[i], words[i - 1])) continue; // of warps and of blocks
    size_t length = strlen(out);
    snprintf(out + length, size - length, "%s%s", length ? " " : "", words[i]);
  }
}

typedef struct Table {
  char text[1 << 15];
} Table;

static void put(Table *table, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  size_t length = strlen(table->text);
  vsnprintf(table->text + length, sizeof table->text - length, format, arguments);
  va_end(arguments);
}

static const char *outcome(const Stream *s) {
  bool is_race = !strcmp(s->truth, "race");
  if (is_race) return s->told_count ? "found" : "**missed**";
  return s->told_count ? "**false alarm**" : "quiet";
}

// Returns whether anything differs between the two streams of the file.
static bool play_file(Stream *s, const char *path, const char *name, Table *table) {
  bool differs = false;
  char first[8][STREAM_LINE * 16];
  for (int second = 0; second < 2; second++) {
    for (unsigned i = 0; rt_detectors[i]; i++) {
      char told[STREAM_LINE * 16], expected[STREAM_LINE * 16];
      if (!CHECK(stream_play(s, path, second, rt_detectors[i]))) {
        fprintf(stderr, "%s\n", s->error);
        return true;
      }
      sort_words(s->told, told, sizeof told);
      sort_words(s->expected, expected, sizeof expected);
      if (!CHECK_TEXT(told, expected))
        fprintf(stderr, "%s, %s, stream %d\n", path, rt_detectors[i]->name, second + 1);
      if (i == 0)
        put(table, "| `%.*s`%s | %s", (int)(strlen(name) - 7), name, second ? ", mended" : "", s->truth);
      put(table, " | %s", outcome(s));
      if (!second) snprintf(first[i], sizeof first[i], "%s", told);
      differs |= second && strcmp(first[i], told);
    }
    put(table, " |\n");
  }
  return differs;
}

static void head(Table *table) {
  put(table, "| stream | truth");
  for (unsigned i = 0; rt_detectors[i]; i++)
    put(table, " | `%s`", rt_detectors[i]->name);
  put(table, " |\n|---|---");
  for (unsigned i = 0; rt_detectors[i]; i++)
    put(table, "|---");
  put(table, "|\n");
}

static bool file_holds(const char *path, const char *text) {
  FILE *file = fopen(path, "r");
  if (!file) return false;
  static char contents[1 << 17]; // one test program
  size_t length = fread(contents, 1, sizeof contents - 1, file);
  contents[length] = '\0';
  fclose(file);
  return strstr(contents, text);
}

static void test_names(void) {
  CHECK(rt_detector_named("clocks") == rt_detectors[0]);
  CHECK(!rt_detector_named("clock"));
  CHECK(!rt_detector_named(""));
  for (unsigned i = 0; rt_detectors[i]; i++)
    CHECK(rt_detectors[i]->paper && rt_detectors[i]->open && rt_detectors[i]->close &&
          rt_detectors[i]->bytes);
}

// Words that are read again and again, one of them by all: the memory grows with the words and threads, not with the accesses.
static void test_memory(const RtDetectorKind *kind) {
  RtLaunch launch = {.kernel = "k", .grid = {4, 1, 1}, .block = {128, 1, 1}, .number = 1};
  static const RtPlace place = {.file = "a.cu", .line = 1, .column = 1};
  Stream *s = calloc(1, sizeof *s);
  RtDetector *detector = s ? kind->open(&launch, stream_told, s) : NULL;
  if (!CHECK(detector)) return;
  uint64_t once = 0;
  for (int round = 0; round < 20; round++) {
    for (uint32_t t = 0; t < 512; t++) {
      RtAccess access = {
          .by = {t / 128, t % 128}, .place = &place, .address = 4096 + 4 * t, .bytes = 4, .kind = RT_READ};
      access.before = access.after = &round;
      kind->access(detector, &access);
      access.address = 4; // one word that all read
      kind->access(detector, &access);
    }
    if (round == 3) once = kind->bytes(detector);
  }
  CHECK(once > 0 && kind->bytes(detector) <= once);
  CHECK(s->told_count == 0);
  kind->close(detector);
  free(s);
}

int main(int count, char **arguments) {
  struct dirent **entries;
  int files = scandir(HGRD_TESTS_DIR "/rt", &entries, is_stream, alphasort);
  CHECK(files > 0);
  Stream *s = calloc(1, sizeof *s);
  Table *table = calloc(1, sizeof *table);
  if (!s || !table) return 1;
  head(table);
  for (int i = 0; i < files; i++) {
    char path[1024];
    snprintf(path, sizeof path, "%s/rt/%s", HGRD_TESTS_DIR, entries[i]->d_name);
    if (!CHECK(play_file(s, path, entries[i]->d_name, table)))
      fprintf(stderr, "%s: the twins do not differ\n", path);
    free(entries[i]);
  }
  if (files > 0) free(entries);
  if (count > 1 && !strcmp(arguments[1], "--table")) {
    fputs(table->text, stdout);
  } else {
    CHECK(file_holds(HGRD_TESTS_DIR "/../docs/detectors.md", table->text));
    test_names();
    for (unsigned i = 0; rt_detectors[i]; i++)
      test_memory(rt_detectors[i]);
  }
  free(s);
  free(table);
  return check_result();
}
