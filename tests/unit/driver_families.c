// Budgets of instances of one template: waves of 1, 1, 2, 4 ... of which each waits for those before it; half of
// the budget behind a wave of which any stayed undecided at a price, but no less than four times what one took that was
// proved; nothing else bears on it.
// SPDX-License-Identifier: Apache-2.0
#include "driver/families.h"
#include "tests/unit/check.h"

#include <stdio.h>

enum { COUNT = 40 };

typedef struct Plan {
  Arena *arena;
  IrModule modules[2];
  IrFunction kernels[COUNT];
  CheckTask tasks[COUNT];
  CheckPlan plan;
} Plan;

static void open_plan(Plan *p) {
  *p = (Plan){.arena = arena_open(), .modules = {{.source = "a.cu"}, {.source = "b.cu"}}};
  for (uint32_t m = 0; m < 2; m++)
    for (uint32_t line = 0; line < 4; line++)
      vec_push(p->arena, &p->modules[m].locs, (SrcLoc){.file = line ? "k.cuh" : NULL, .line = line});
  p->plan = (CheckPlan){.tasks = p->tasks};
}

static void add_task(Plan *p, uint32_t module, uint32_t line, const char *name) {
  uint32_t i = p->plan.task_count++;
  p->kernels[i].name = name;
  p->kernels[i].loc = line;
  p->tasks[i] = (CheckTask){.module = &p->modules[module], .kernel = &p->kernels[i]};
}

static void add_instances(Plan *p, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    char name[20];
    snprintf(name, sizeof name, "k%u", i);
    add_task(p, 0, 1, arena_strdup(p->arena, name));
  }
}

static const KernelResult proved = {.verdict = VERDICT_SAFE, .rlimit = SOLVER_POOL_UNITS},
                          proved_cheaply = {.verdict = VERDICT_SAFE, .rlimit = SOLVER_POOL_UNITS / 100},
                          proved_in_part = {.verdict = VERDICT_SAFE, .rlimit = SOLVER_POOL_UNITS / 9},
                          spent = {.verdict = VERDICT_UNKNOWN, .rlimit = SOLVER_POOL_UNITS},
                          cheap = {.verdict = VERDICT_UNKNOWN, .rlimit = SOLVER_POOL_UNITS / 100};

static void tell(Families *families, uint32_t from, uint32_t past, const KernelResult *result) {
  for (uint32_t i = from; i < past; i++)
    families_tell(families, i, result);
}

static void test_halved(void) {
  Plan p;
  open_plan(&p);
  add_instances(&p, COUNT);
  Families *families = families_make(&p.plan, p.arena);
  const uint32_t firsts[] = {0, 1, 2, 4, 8, 16, 32, COUNT}, halvings[] = {0, 1, 2, 3, 4, 4, 4};
  for (uint32_t wave = 0; wave < 7; wave++) {
    uint32_t first = firsts[wave], past = firsts[wave + 1];
    for (uint32_t i = 0; i < COUNT; i++)
      CHECK(families_is_ready(families, i) == (i < past));
    for (uint32_t i = first; i < past; i++)
      CHECK(families_allowance(families, i).all == halvings[wave]);
    tell(families, first, past, &spent);
  }
  arena_close(p.arena);
}

// In whichever order the tasks of a wave are done.
static void test_beside_others(void) {
  const KernelResult *others[] = {&proved, &cheap, &proved_cheaply, &proved_in_part};
  const uint32_t next[] = {0, 3, 3, 1}, last[] = {0, 4, 4, 1};
  for (uint32_t i = 0; i < 8; i++) {
    Plan p;
    open_plan(&p);
    add_instances(&p, 9);
    Families *families = families_make(&p.plan, p.arena);
    tell(families, 0, 2, &spent);
    CHECK(families_allowance(families, 2).all == 2);
    tell(families, 2 + i % 2, 3 + i % 2, others[i / 2]);
    CHECK(!families_is_ready(families, 4));
    tell(families, 3 - i % 2, 4 - i % 2, &spent);
    CHECK(families_is_ready(families, 4) && families_allowance(families, 4).all == next[i / 2]);
    tell(families, 4, 8, &spent);
    CHECK(families_allowance(families, 8).all == last[i / 2]);
    arena_close(p.arena);
  }
}

// What is decided cheaply takes nothing from those behind it, and gives them nothing.
static void test_decided_between(void) {
  Plan p;
  open_plan(&p);
  add_instances(&p, 17);
  Families *families = families_make(&p.plan, p.arena);
  tell(families, 0, 2, &proved_cheaply);
  CHECK(families_allowance(families, 2).all == 0);
  tell(families, 2, 4, &spent);
  CHECK(families_allowance(families, 4).all == 1);
  tell(families, 4, 8, &proved_cheaply);
  CHECK(families_allowance(families, 8).all == 1);
  tell(families, 8, 16, &proved);
  CHECK(families_allowance(families, 16).all == 0);
  arena_close(p.arena);
}

// Racy ones leave the budget whole, but for what is spent behind the first race and on the fact that is missing.
static void test_racy(void) {
  const KernelResult dear = {.verdict = VERDICT_RACE, .rlimit = SOLVER_POOL_UNITS},
                     light = {.verdict = VERDICT_RACE, .rlimit = 1};
  Finding mended = {.mend = "n == m"};
  KernelResult told = dear;
  told.findings.items = &mended;
  told.findings.count = 1;
  const struct {
    const KernelResult *first, *second;
    Allowance last;
  } cases[] = {{&dear, &dear, {0, 2, 2}},   {&light, &light, {0, 0, 0}}, {&light, &dear, {0, 1, 1}},
               {&proved, &dear, {0, 1, 1}}, {&told, &told, {0, 2, 0}},   {&told, &dear, {0, 2, 1}},
               {&dear, &proved, {0, 1, 1}}, {&spent, &dear, {1, 2, 1}},  {&dear, &spent, {1, 2, 1}}};
  for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Plan p;
    open_plan(&p);
    add_instances(&p, 3);
    Families *families = families_make(&p.plan, p.arena);
    families_tell(families, 0, cases[i].first);
    families_tell(families, 1, cases[i].second);
    Allowance last = families_allowance(families, 2);
    CHECK(last.all == cases[i].last.all && last.rest == cases[i].last.rest &&
          last.missing_fact == cases[i].last.missing_fact);
    arena_close(p.arena);
  }
}

static void test_strangers(void) {
  Plan p;
  open_plan(&p);
  add_task(&p, 0, 1, "a");
  add_task(&p, 0, 2, "b"); // at another line
  add_task(&p, 1, 1, "a"); // of another file
  add_task(&p, 0, 0, "c"); // nobody knows where
  add_task(&p, 0, 0, "d");
  add_task(&p, 0, 1, "e");
  add_task(&p, 0, 0, "d"); // under another launch
  Families *families = families_make(&p.plan, p.arena);
  for (uint32_t i = 0; i < 7; i++)
    CHECK(families_is_ready(families, i) == (i < 5));
  CHECK(families_hash(p.tasks, 0) == families_hash(p.tasks, 5));
  CHECK(families_hash(p.tasks, 4) == families_hash(p.tasks, 6));
  for (uint32_t i = 1; i < 5; i++)
    CHECK(families_hash(p.tasks, 0) != families_hash(p.tasks, i));
  arena_close(p.arena);
}

int main(void) {
  test_halved();
  test_beside_others();
  test_decided_between();
  test_racy();
  test_strangers();
  return check_result();
}
