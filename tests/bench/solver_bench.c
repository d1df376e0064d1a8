// How fast and how complete is the solver on the stored goals? Reads every *.goal under a directory and decides
// each with a fresh solver; once more with fifty facts that have nothing to do with it; and, if asked, puts the
// same questions to plain Z3, over integers with real products and over bit-vectors. Times are CPU time.
//   solver_bench DIR [-v] [--plain SECONDS] [NAME-PREFIX]
// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/plain.h"

#include <dirent.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { MAX_GOALS = 10000, STRANGERS = 25, STRANGE_FACTS = 50 };

typedef struct Totals {
  const char *name;
  unsigned count, proved, witnessed, wrong, undecided;
  double *times, sum;
} Totals;

typedef struct Bench {
  const char *directory, *prefix;
  int plain_seconds; // 0: plain Z3 is not asked
  bool verbose;
  Totals ours, with_strangers, integers, words;
} Bench;

static double cpu_ms(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
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

static void add(Totals *totals, Verdict verdict, Verdict expected, double took) {
  bool is_decided = verdict != VERDICT_UNKNOWN, is_right = verdict == expected;
  totals->proved += is_decided && is_right && verdict != VERDICT_RACE;
  totals->witnessed += is_right && verdict == VERDICT_RACE;
  totals->wrong += is_decided && !is_right;
  totals->undecided += !is_decided;
  totals->times[totals->count++] = took;
  totals->sum += took;
}

// ---- ours ---------------------------------------------------------------------------------------
static void decide(Totals *totals, const char *name, const SolverGoal *goal, Verdict expected, bool verbose,
                   Arena *arena) {
  SolverOptions options = {.prefer_small = true};
  double start = cpu_ms(CLOCK_PROCESS_CPUTIME_ID);
  Solver *solver = solver_open(&options);
  SolverAnswer answer = solver_decide(solver, goal, arena);
  double took = cpu_ms(CLOCK_PROCESS_CPUTIME_ID) - start;
  solver_close(solver);
  if (verbose || answer.verdict != expected)
    printf("%-34s %7.1f ms %3u checks %8llu units  %s%s%s %s\n", name, took, answer.checks,
           (unsigned long long)answer.rlimit, verdict_name(answer.verdict),
           answer.verdict != expected ? "   <-- expected " : "",
           answer.verdict != expected ? verdict_name(expected) : "", answer.reason ? answer.reason : "");
  add(totals, answer.verdict, expected, took);
}

// Fifty facts, mostly of products, over symbols of their own; where the goal has a host value, every second one also
// speaks of that. They hold when stranger i is i + 1, and not when all are 0.
static SolverGoal add_strangers(const SolverGoal *goal, Arena *arena) {
  ExprPool *pool = goal->pool;
  ExprRef strangers[STRANGERS], host = 0;
  for (uint32_t i = 0; i < expr_sym_count(pool) && !host; i++)
    if (expr_sym_info(pool, i)->kind == SYM_HOST_VALUE && expr_sym_info(pool, i)->width == 32)
      host = expr_sym(pool, i);
  for (int i = 0; i < STRANGERS; i++) {
    ExprSym sym = {.name = arena_printf(arena, "stranger%d", i), .width = 32, .kind = SYM_HOST_VALUE, .lo = 0,
                   .hi = INT32_MAX};
    strangers[i] = expr_new_sym(pool, sym);
  }
  SolverGoal out = *goal;
  GoalCondition *conditions = arena_array(arena, goal->condition_count + STRANGE_FACTS, GoalCondition);
  memcpy(conditions, goal->conditions, goal->condition_count * sizeof *conditions);
  uint32_t seed = 12345;
  for (uint32_t i = 0; i < STRANGE_FACTS; i++) {
    int x[4], slack;
    for (int k = 0; k < 4; k++)
      x[k] = (int)((seed = seed * 1103515245u + 12345u) / 65536 % STRANGERS);
    slack = (int)(seed / 65536 % 5);
    ExprRef left, right;
    if (i % 5 == 4) { // a lower bound
      left = expr_const(pool, 32, x[0] - slack);
      right = strangers[x[0]];
    } else if (host && i % 2) { // low * host <= high * host + slack
      int low = x[0] < x[1] ? x[0] : x[1], high = x[0] < x[1] ? x[1] : x[0];
      left = expr_binary(pool, EXPR_MUL, EXPR_NSW, strangers[low], host);
      right = expr_binary(pool, EXPR_ADD, EXPR_NSW, expr_binary(pool, EXPR_MUL, EXPR_NSW, strangers[high], host),
                          expr_const(pool, 32, slack));
    } else {
      int missing = (x[0] + 1) * (x[1] + 1) - (x[2] + 1) * (x[3] + 1);
      left = expr_binary(pool, EXPR_MUL, EXPR_NSW, strangers[x[0]], strangers[x[1]]);
      right = expr_binary(pool, EXPR_ADD, EXPR_NSW,
                          expr_binary(pool, EXPR_MUL, EXPR_NSW, strangers[x[2]], strangers[x[3]]),
                          expr_const(pool, 32, (missing > 0 ? missing : 0) + slack));
    }
    conditions[out.condition_count++] = (GoalCondition){
        .condition = expr_binary(pool, EXPR_SLE, 0, left, right), .part = GOAL_FACT, .tag = 1000 + i};
  }
  out.conditions = conditions;
  return out;
}

// ---- plain Z3 -----------------------------------------------------------------------------------
static Verdict ask_z3(const SolverGoal *goal, PlainLogic logic, int seconds, double *took, Arena *arena) {
  char path[] = "/tmp/hgrd_bench_XXXXXX", answer[64] = "";
  int fd = mkstemp(path);
  FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
  StrBuf text = {.arena = arena};
  if (!file) return VERDICT_UNKNOWN;
  plain_print(goal, logic, &text);
  fputs(strbuf_text(&text), file);
  fclose(file);
  struct rusage before, after;
  getrusage(RUSAGE_CHILDREN, &before);
  FILE *z3 = popen(arena_printf(arena, "ulimit -t %d; z3 %s 2>/dev/null", seconds, path), "r");
  if (z3 && !fgets(answer, sizeof answer, z3)) answer[0] = 0;
  if (z3) pclose(z3);
  unlink(path);
  getrusage(RUSAGE_CHILDREN, &after);
  *took = (double)(after.ru_utime.tv_sec - before.ru_utime.tv_sec) * 1e3 +
          (double)(after.ru_utime.tv_usec - before.ru_utime.tv_usec) / 1e3;
  if (strncmp(answer, "(error", 6) == 0) fprintf(stderr, "%s: %s", goal->name ? goal->name : "", answer);
  if (strncmp(answer, "unsat", 5) == 0) return VERDICT_SAFE;
  return strncmp(answer, "sat", 3) == 0 ? VERDICT_RACE : VERDICT_UNKNOWN;
}

static void ask_plain(Totals *totals, const SolverGoal *goal, PlainLogic logic, const Bench *bench, Verdict expected,
                      Arena *arena) {
  double took = 0;
  Verdict verdict = ask_z3(goal, logic, bench->plain_seconds, &took, arena);
  if (bench->verbose) printf("  %-32s %7.1f ms  %s\n", totals->name, took, verdict_name(verdict));
  if (expected == VERDICT_DEAD) expected = VERDICT_SAFE; // unsat is all that it could say
  add(totals, verdict, expected, took);
}

// ---- all goals ----------------------------------------------------------------------------------
static void run_one(Bench *bench, const char *path, const char *name) {
  Arena *arena = arena_open();
  ExprPool *pool = expr_pool_make(arena);
  const char *error = NULL;
  char *text = read_file(path);
  GoalText *goal = text ? solver_goal_read(text, pool, arena, &error) : NULL;
  if (!goal) {
    printf("%-34s not read: %s\n", name, error ? error : "no file");
    bench->ours.wrong++;
  } else {
    if (bench->plain_seconds) {
      ask_plain(&bench->integers, &goal->goal, PLAIN_INTEGERS, bench, goal->expected, arena);
      ask_plain(&bench->words, &goal->goal, PLAIN_WORDS, bench, goal->expected, arena);
    }
    decide(&bench->ours, name, &goal->goal, goal->expected, bench->verbose, arena);
    SolverGoal crowded = add_strangers(&goal->goal, arena);
    decide(&bench->with_strangers, "  50 more facts", &crowded, goal->expected, bench->verbose, arena);
  }
  free(text);
  arena_close(arena);
}

static void print_row(const Totals *t) {
  unsigned n = t->count;
  if (!n) return;
  qsort(t->times, n, sizeof *t->times, by_value);
  printf("| %s | %u | %u | %u | %u | %.1f | %.1f | %.0f | %.2f |\n", t->name, t->proved, t->witnessed, t->wrong,
         t->undecided, t->times[n / 2], t->times[n * 95 / 100], t->times[n - 1], t->sum / 1e3);
}

static void print_table(const Bench *bench) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("| %u goals | proved | witness found | wrong | undecided | median ms | p95 ms | max ms | all s |\n",
         bench->ours.count);
  printf("|---|---|---|---|---|---|---|---|---|\n");
  print_row(&bench->ours);
  print_row(&bench->with_strangers);
  print_row(&bench->integers);
  print_row(&bench->words);
  printf("\nCPU time on one core; peak memory of this process %.0f MiB.\n", (double)usage.ru_maxrss / 1024);
}

static void run_all(Bench *bench, DIR *dir) {
  char **names = calloc(MAX_GOALS, sizeof *names), path[4096];
  unsigned count = 0;
  for (struct dirent *entry; (entry = readdir(dir)) != NULL && count < MAX_GOALS;)
    if (strstr(entry->d_name, ".goal") && strncmp(entry->d_name, bench->prefix, strlen(bench->prefix)) == 0)
      names[count++] = strdup(entry->d_name);
  qsort(names, count, sizeof *names, by_name);
  Totals *all[] = {&bench->ours, &bench->with_strangers, &bench->integers, &bench->words};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    all[i]->times = calloc(count + 1, sizeof *all[i]->times);
  for (unsigned i = 0; i < count; i++) {
    snprintf(path, sizeof path, "%s/%s", bench->directory, names[i]);
    run_one(bench, path, names[i]);
    free(names[i]);
  }
  print_table(bench);
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    free(all[i]->times);
  free(names);
}

int main(int argc, char **argv) {
  Bench bench = {.prefix = ""};
  bench.ours.name = "this solver";
  bench.with_strangers.name = "this solver, 50 more facts";
  bench.integers.name = "Z3, integers with products";
  bench.words.name = "Z3, bit-vectors";
  mallopt(M_MMAP_THRESHOLD, 32 << 20); // as driver/main.c does
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "-v") == 0)
      bench.verbose = true;
    else if (strcmp(argv[i], "--plain") == 0 && i + 1 < argc)
      bench.plain_seconds = atoi(argv[++i]);
    else if (!bench.directory)
      bench.directory = argv[i];
    else
      bench.prefix = argv[i];
  }
  DIR *dir = bench.directory ? opendir(bench.directory) : NULL;
  if (!dir) return fprintf(stderr, "usage: solver_bench DIR [-v] [--plain SECONDS] [NAME-PREFIX]\n"), 2;
  run_all(&bench, dir);
  closedir(dir);
  return bench.ours.wrong + bench.ours.undecided + bench.with_strangers.wrong ? 1 : 0;
}
