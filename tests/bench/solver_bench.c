// How fast and how complete is the solver on the stored goals? Reads every *.goal under a directory, decides
// each with a fresh solver, prints a line for each slow, wrong or undecided one and a summary.
//   solver_bench DIR [-v] [NAME-PREFIX]
// SPDX-License-Identifier: Apache-2.0
#include "solver/solver.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_GOALS = 10000 };

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static char *read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  char *text = calloc(1, (size_t)size + 1);
  if (text && fread(text, 1, (size_t)size, file) != (size_t)size) text[0] = 0;
  fclose(file);
  return text;
}

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}
static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

typedef struct Totals {
  unsigned count, wrong, undecided, open;
  double times[MAX_GOALS], sum;
} Totals;

static void run_one(const char *path, const char *name, bool verbose, Totals *totals) {
  Arena *arena = arena_open();
  ExprPool *pool = expr_pool_make(arena);
  const char *error = NULL;
  char *text = read_file(path);
  GoalText *goal = text ? solver_goal_read(text, pool, arena, &error) : NULL;
  if (!goal) {
    printf("%-34s not read: %s\n", name, error ? error : "no file");
    totals->wrong++;
  } else {
    SolverOptions options = {.prefer_small = true};
    double start = now_ms();
    Solver *solver = solver_open(&options);
    SolverAnswer answer = solver_decide(solver, &goal->goal, arena);
    double took = now_ms() - start;
    solver_close(solver);
    bool is_wrong = answer.verdict != goal->expected;
    if (verbose || is_wrong || took > 200)
      printf("%-34s %7.1f ms %3u checks %8llu units  %s%s%s%s\n", name, took, answer.checks,
             (unsigned long long)answer.rlimit, verdict_name(answer.verdict),
             is_wrong ? "   <-- expected " : "", is_wrong ? verdict_name(goal->expected) : "",
             answer.reason ? answer.reason : "");
    totals->wrong += is_wrong && answer.verdict != VERDICT_UNKNOWN;
    totals->undecided += answer.verdict == VERDICT_UNKNOWN && goal->expected != VERDICT_UNKNOWN;
    totals->open += goal->expected == VERDICT_UNKNOWN;
    totals->times[totals->count++] = took;
    totals->sum += took;
  }
  free(text);
  arena_close(arena);
}

int main(int argc, char **argv) {
  const char *prefix = "", *directory = NULL;
  bool verbose = false;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "-v") == 0)
      verbose = true;
    else if (!directory)
      directory = argv[i];
    else
      prefix = argv[i];
  }
  DIR *dir = directory ? opendir(directory) : NULL;
  if (!dir) return fprintf(stderr, "usage: solver_bench DIR [-v] [NAME-PREFIX]\n"), 2;
  char **names = calloc(MAX_GOALS, sizeof *names);
  Totals *totals = calloc(1, sizeof *totals);
  unsigned count = 0;
  for (struct dirent *entry; (entry = readdir(dir)) != NULL && count < MAX_GOALS;)
    if (strstr(entry->d_name, ".goal") && strncmp(entry->d_name, prefix, strlen(prefix)) == 0)
      names[count++] = strdup(entry->d_name);
  closedir(dir);
  qsort(names, count, sizeof *names, by_name);
  char path[4096];
  for (unsigned i = 0; i < count; i++) {
    snprintf(path, sizeof path, "%s/%s", directory, names[i]);
    run_one(path, names[i], verbose, totals);
    free(names[i]);
  }
  qsort(totals->times, totals->count, sizeof *totals->times, by_value);
  unsigned n = totals->count;
  if (n)
    printf("%u goals: %u decided, %u undecided, %u wrong; median %.1f ms, p95 %.1f ms, max %.1f ms, sum %.0f "
           "ms\n",
           n, n - totals->undecided, totals->undecided, totals->wrong, totals->times[n / 2],
           totals->times[n * 95 / 100], totals->times[n - 1], totals->sum);
  int failed = totals->wrong != 0 || totals->undecided != 0;
  free(names);
  free(totals);
  return failed;
}
