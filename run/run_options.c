// What does the command line of hgrd-run say? FILE... [-- FLAG...] [--- ARGUMENT...]: flags for clang, then arguments of the program.
// SPDX-License-Identifier: Apache-2.0
#include "run/internal.h"
#include "core/bug.h"

#include <stdlib.h>
#include <string.h>

void run_options_help(StrBuf *out) {
  ASSERT(out);
  strbuf_add(
      out,
      "usage: hgrd-run [OPTION...] FILE... [-- FLAG...] [--- ARGUMENT...]\n"
      "\n"
      "Builds the CUDA program that the files make, runs it on this machine's processor, without a GPU, and "
      "tells the\n"
      "data races that a detector sees in its kernels. The program is executed, with everything that it "
      "does;\n"
      "hgrd-check only reads programs.\n"
      "\n"
      "Options:\n"
      "  -h, --help            show this text\n"
      "  --version             show the version, and those of clang and LLVM\n"
      "  --build               build only; the program runs by itself, and takes its options from HGRD_RUN\n"
      "  -o FILE               with --build: where to put the program (default: a.out)\n"
      "  --detector=NAME       which detector watches; none: run only (default: the first one that there "
      "is)\n"
      "  --all                 watch also what hgrd-check proves to be free of races\n"
      "  --schedules=N         run the program N times: in order, reversed, then by seeds (default: 1)\n"
      "  --replay=SCHEDULE     run it once, as a finding names it: in-order, reversed or a seed\n"
      "  --json=FILE           write what is seen to FILE: a JSON document in each line\n"
      "  --timeout=SECONDS     end a run that takes longer (default: none)\n"
      "  --arch=sm_XX          GPU architecture that the kernels are compiled for (default: sm_80)\n"
      "  -v, --verbose         show the commands\n"
      "\n"
      "Exit status: that of the program; 1 if a race was seen; 2 if it cannot be built or run; 124 if it "
      "took too long;\n"
      "128 and the number of the signal that ended it.\n");
}

static bool take_number(const char *text, uint32_t least, uint32_t *out) {
  char *end;
  unsigned long value = strtoul(text, &end, 10);
  if (end == text || *end || *text == '-' || value < least || value > 1000000) return false;
  *out = (uint32_t)value;
  return true;
}

static bool take_schedule(const char *text) {
  uint32_t seed;
  return strcmp(text, "in-order") == 0 || strcmp(text, "reversed") == 0 || take_number(text, 1, &seed);
}

static const char *value_of(const char *word, const char *option) {
  size_t length = strlen(option);
  return strncmp(word, option, length) == 0 && word[length] == '=' ? word + length + 1 : NULL;
}

static bool take_value(const char *word, Arena *arena, RunOptions *out, const char **error) {
  const char *value;
  bool is_good = true;
  if ((value = value_of(word, "--detector")) != NULL)
    out->detector = value;
  else if ((value = value_of(word, "--json")) != NULL)
    is_good = *(out->json = value) != '\0';
  else if ((value = value_of(word, "--schedules")) != NULL)
    is_good = take_number(value, 1, &out->schedules);
  else if ((value = value_of(word, "--timeout")) != NULL)
    is_good = take_number(value, 1, &out->timeout);
  else if ((value = value_of(word, "--replay")) != NULL)
    is_good = take_schedule(out->replay = value);
  else if ((value = value_of(word, "--arch")) != NULL)
    is_good = str_starts_with(value, "sm_") && take_number(value + 3, 35, &out->arch);
  else {
    *error = arena_printf(arena, "unknown option '%s': see hgrd-run --help", word);
    return false;
  }
  if (!is_good) *error = arena_printf(arena, "'%s' has no value that it can take: see hgrd-run --help", word);
  return is_good;
}

static bool take_option(char **argv, int *at, Arena *arena, RunOptions *out, const char **error) {
  const char *word = argv[*at];
  if (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0)
    out->action = RUN_ACTION_HELP;
  else if (strcmp(word, "--version") == 0)
    out->action = RUN_ACTION_VERSION;
  else if (strcmp(word, "--build") == 0)
    out->action = RUN_ACTION_BUILD;
  else if (strcmp(word, "--all") == 0)
    out->watches_all = true;
  else if (strcmp(word, "-v") == 0 || strcmp(word, "--verbose") == 0)
    out->is_verbose = true;
  else if (strcmp(word, "-o") == 0 && argv[*at + 1])
    out->out = argv[++*at];
  else
    return take_value(word, arena, out, error);
  return true;
}

static bool check(RunOptions *out, const char **error) {
  *error = NULL;
  if (out->action == RUN_ACTION_HELP || out->action == RUN_ACTION_VERSION) return true;
  if (out->file_count == 0) *error = "no file given: see hgrd-run --help";
  if (out->out && out->action != RUN_ACTION_BUILD)
    *error = "-o is for --build: without it, the program is run and not kept";
  if (out->argument_count && out->action == RUN_ACTION_BUILD)
    *error = "arguments behind --- are for a run: give them to the program that --build makes";
  if (out->json && out->action == RUN_ACTION_BUILD)
    *error = "--json is for a run: with --build, nothing is seen";
  if (out->replay && out->schedules > 1) *error = "--replay runs one schedule: leave out --schedules";
  return *error == NULL;
}

bool run_options_parse(int argc, char **argv, Arena *arena, RunOptions *out, const char **error) {
  ASSERT(argv);
  ASSERT(out);
  ASSERT(error);
  VEC(const char *) files = {0}, flags = {0}, arguments = {0};
  *out = (RunOptions){.schedules = 1};
  int part = 0;
  for (int i = 1; i < argc; i++) {
    if (part < 1 && strcmp(argv[i], "--") == 0)
      part = 1;
    else if (part < 2 && strcmp(argv[i], "---") == 0)
      part = 2;
    else if (part == 2)
      vec_push(arena, &arguments, argv[i]);
    else if (part == 1)
      vec_push(arena, &flags, argv[i]);
    else if (argv[i][0] != '-')
      vec_push(arena, &files, argv[i]);
    else if (!take_option(argv, &i, arena, out, error))
      return false;
  }
  out->file_count = files.count, out->files = files.items;
  out->flag_count = flags.count, out->flags = flags.items;
  out->argument_count = arguments.count, out->arguments = arguments.items;
  return check(out, error);
}
