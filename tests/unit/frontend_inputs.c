// Is what clang read told so that it can be known again, or refused? A header that came into a folder of the search while clang
// ran may have come behind clang's look into that folder; one that was there before cannot.
// SPDX-License-Identifier: Apache-2.0
#define _DEFAULT_SOURCE // mkdtemp
#include "frontend/inputs.h"
#include "tests/unit/check.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef struct Place {
  Arena *arena;
  char dir[64];
} Place;

static Place place_open(void) {
  Place place = {.arena = arena_open(), .dir = "/tmp/hgrd-test-XXXXXX"};
  CHECK(mkdtemp(place.dir) != NULL);
  return place;
}

static const char *inside(const Place *place, const char *name) {
  return arena_printf(place->arena, "%s/%s", place->dir, name);
}

static void put(const Place *place, const char *name, const char *text) {
  FILE *file = fopen(inside(place, name), "w");
  if (!CHECK(file != NULL)) return;
  fputs(text, file);
  fclose(file);
}

static void make_folders(const Place *place) {
  static const char *const folders[] = {"early", "late", "late/part", "aside"};
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
    CHECK(mkdir(inside(place, folders[i]), 0700) == 0);
  put(place, "late/x.h", "#define X 1\n");
  put(place, "late/part/y.h", "#define Y 1\n");
  put(place, "a.cu", "#include \"x.h\"\n#include \"part/y.h\"\n");
  put(place, "aside/y.h", "#define Y 0\n");
}

static void place_close(Place *place) {
  static const char *const names[] = {"early/x.h", "early/part/y.h", "early/part",    "early/other.h",
                                      "early",     "late/x.h",       "late/part/y.h", "late/part",
                                      "late",      "aside/y.h",      "aside",         "a.cu"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    remove(inside(place, names[i]));
  CHECK(rmdir(place->dir) == 0);
  arena_close(place->arena);
}

// Longer than files and clocks are told apart.
static void wait_a_step(void) {
  nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
}

static struct timespec now(void) {
  struct timespec time;
  CHECK(clock_gettime(CLOCK_REALTIME, &time) == 0);
  return time;
}

// Of an attempt that began then, and found both headers in the later folder.
static bool gathers(const Place *place, struct timespec begun) {
  Trail trail = {.arena = place->arena, .begun = begun};
  vec_push(place->arena, &trail.lists,
           arena_printf(place->arena, "a.o: %s %s %s\n", inside(place, "a.cu"), inside(place, "late/x.h"),
                        inside(place, "late/part/y.h")));
  FrontendPaths folders = {0};
  vec_push(place->arena, &folders, inside(place, "early"));
  vec_push(place->arena, &folders, inside(place, "late"));
  Inputs inputs;
  return inputs_gather(&trail, &folders, input_memo_make(place->arena, NULL), &inputs);
}

static void come_nothing(const Place *place) {
  (void)place;
}

static void come_header(const Place *place) {
  put(place, "early/x.h", "#define X 0\n");
}

static void come_other(const Place *place) {
  put(place, "early/other.h", "#define X 0\n");
}

static void come_moved_folder(const Place *place) {
  CHECK(rename(inside(place, "aside"), inside(place, "early/part")) == 0);
}

static void test(void (*come)(const Place *), bool is_kept) {
  Place place = place_open();
  make_folders(&place);
  wait_a_step();
  struct timespec begun = now();
  wait_a_step();
  come(&place);
  CHECK(gathers(&place, begun) == is_kept);
  wait_a_step();
  CHECK(gathers(&place, now()) == true); // there before the attempt begins
  place_close(&place);
}

int main(void) {
  test(come_nothing, true);
  test(come_header, false);
  test(come_other, true);
  test(come_moved_folder, false);
  return check_result();
}
