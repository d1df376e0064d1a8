// Facts about control-flow graphs, on graphs made by hand, and against naive definitions on random ones: a
// dominates b if b is not reached once a is removed, and so on. A graph is a string: "0>1,2 1>3 ..." is block
// 0 with a branch to 1 and 2; "3!" is one that stops the launch.
// SPDX-License-Identifier: Apache-2.0
#include "core/cfg.h"
#include "tests/unit/check.h"

#include <stdlib.h>

typedef struct Fixture {
  Arena *arena;
  IrModule *module;
} Fixture;

static Fixture fixture_open(void) {
  Fixture fixture = {.arena = arena_open()};
  fixture.module = ir_module_make(fixture.arena, str_table_make(fixture.arena), "test.cu", true);
  return fixture;
}

static void fixture_close(Fixture *fixture) {
  arena_close(fixture->arena);
}

// A terminator with these targets; what decides it does not matter here.
static void add_block(Fixture *fixture, IrFunction *function, uint32_t count, const uint32_t *targets,
                      IrOp end) {
  IrOp op = count == 0 ? end : count == 1 ? IR_BR : IR_SWITCH;
  int64_t *values = arena_array(fixture->arena, count + 1, int64_t);
  ir_block_add(fixture->module, function, NULL);
  ir_inst_add(
      fixture->module, function,
      (IrInst){.op = (uint8_t)op, .block_count = (uint16_t)count, .blocks = targets, .case_values = values});
}

static IrFunction *parse_graph(Fixture *fixture, const char *text) {
  IrFunction *function = ir_function_add(fixture->module, "f", NULL);
  char *at = arena_strdup(fixture->arena, text);
  while (*at) {
    uint32_t targets[16], count = 0;
    strtoul(at, &at, 10);
    if (*at == '>') do
        targets[count++] = (uint32_t)strtoul(at + 1, &at, 10);
      while (*at == ',');
    add_block(fixture, function, count, targets, *at == '!' ? IR_UNREACHABLE : IR_RET);
    while (*at == ' ' || *at == '!')
      at++;
  }
  return function;
}

static const Cfg *make(Fixture *fixture, const char *text) {
  return cfg_make(parse_graph(fixture, text), fixture->arena);
}

static const char *list(Fixture *fixture, const uint32_t *items, uint32_t count) {
  StrBuf buf = {.arena = fixture->arena};
  for (uint32_t i = 0; i < count; i++)
    if (items[i] == CFG_NONE)
      strbuf_printf(&buf, "%s-", i ? " " : "");
    else
      strbuf_printf(&buf, "%s%u", i ? " " : "", items[i]);
  return strbuf_text(&buf);
}

static const char *dependences(Fixture *fixture, const Cfg *cfg, uint32_t block) {
  CfgEdges edges = cfg_control_deps(cfg, block, fixture->arena);
  StrBuf buf = {.arena = fixture->arena};
  for (uint32_t i = 0; i < edges.count; i++)
    strbuf_printf(&buf, "%s%u>%u", i ? " " : "", edges.items[i].from, edges.items[i].to);
  return strbuf_text(&buf);
}

static void test_diamond(void) {
  Fixture fixture = fixture_open();
  const Cfg *cfg = make(&fixture, "0>1,2 1>3 2>3 3");
  CHECK_TEXT(list(&fixture, cfg->rpo, cfg->rpo_count), "0 1 2 3");
  CHECK_TEXT(list(&fixture, cfg->idom, 4), "0 0 0 0");
  CHECK_TEXT(list(&fixture, cfg->ipdom, 4), "3 3 3 -");
  CHECK_TEXT(list(&fixture, cfg->preds + cfg->pred_first[3], 2), "1 2");
  CHECK(cfg_edge_dominates(cfg, 0, 1, 1));
  CHECK(!cfg_edge_dominates(cfg, 0, 1, 3));
  CHECK(!cfg_edge_dominates(cfg, 1, 3, 3));
  CHECK(!cfg_edge_dominates(cfg, 2, 1, 1)); // no such edge
  CHECK(cfg->is_reducible && cfg->loops.count == 0);
  CHECK_TEXT(dependences(&fixture, cfg, 1), "0>1");
  CHECK_TEXT(dependences(&fixture, cfg, 3), "");
  fixture_close(&fixture);
}

// if (a || b) body: the body's block is dominated by neither edge into it, though by the block of `a`.
static void test_short_circuit(void) {
  Fixture fixture = fixture_open();
  const Cfg *cfg = make(&fixture, "0>2,1 1>2,3 2>3 3");
  CHECK(cfg_dominates(cfg, 0, 2));
  CHECK(!cfg_dominates(cfg, 1, 2));
  CHECK(!cfg_edge_dominates(cfg, 0, 2, 2));
  CHECK(!cfg_edge_dominates(cfg, 1, 2, 2));
  CHECK(cfg_edge_dominates(cfg, 0, 1, 1));
  CHECK_TEXT(dependences(&fixture, cfg, 2), "0>2 1>2");
  CHECK_TEXT(dependences(&fixture, cfg, 1), "0>1");
  fixture_close(&fixture);
}

// The two cases of a switch that lead to one block, and a branch with both targets equal, say nothing as
// edges.
static void test_parallel_edges(void) {
  Fixture fixture = fixture_open();
  const Cfg *cfg = make(&fixture, "0>1,2,2 1>3,3 2>3 3");
  CHECK(cfg_dominates(cfg, 0, 2));
  CHECK(!cfg_edge_dominates(cfg, 0, 2, 2));
  CHECK(cfg_edge_dominates(cfg, 0, 1, 1));
  CHECK(!cfg_edge_dominates(cfg, 1, 3, 3));
  CHECK(cfg->pred_first[4] - cfg->pred_first[3] == 3);
  CHECK_TEXT(dependences(&fixture, cfg, 2), "0>2");
  fixture_close(&fixture);
}

// for (..) { for (..) { if (c) continue; .. } } with two latches of the inner loop, and a loop behind it.
static void test_nested_loops(void) {
  Fixture fixture = fixture_open();
  const Cfg *cfg = make(&fixture, "0>1 1>2,6 2>3,5 3>4,2 4>2 5>1 6>6,7 7");
  CHECK(cfg->is_reducible);
  if (!CHECK(cfg->loops.count == 3)) return;
  uint32_t outer = cfg->loop_of[1], inner = cfg->loop_of[3], alone = cfg->loop_of[6];
  const CfgLoop *loop = &cfg->loops.items[inner];
  CHECK(loop->header == 2 && loop->parent == outer && loop->depth == 2);
  CHECK_TEXT(list(&fixture, loop->blocks.items, loop->blocks.count), "2 3 4");
  CHECK_TEXT(list(&fixture, loop->latches.items, loop->latches.count), "3 4");
  loop = &cfg->loops.items[outer];
  CHECK(loop->header == 1 && loop->parent == CFG_NONE && loop->depth == 1);
  CHECK_TEXT(list(&fixture, loop->blocks.items, loop->blocks.count), "1 2 3 4 5");
  CHECK_TEXT(list(&fixture, loop->latches.items, loop->latches.count), "5");
  loop = &cfg->loops.items[alone];
  CHECK_TEXT(list(&fixture, loop->blocks.items, loop->blocks.count), "6");
  CHECK(outer < inner);
  CHECK(cfg_loop_contains(cfg, outer, 4) && !cfg_loop_contains(cfg, inner, 5) &&
        !cfg_loop_contains(cfg, alone, 0));
  CHECK(cfg->loop_of[0] == CFG_NONE && cfg->loop_of[7] == CFG_NONE);
  CHECK(cfg_edge_dominates(cfg, 1, 6, 7));
  CHECK(cfg_edge_dominates(cfg, 0, 1, 1)); // the back edge does not count
  CHECK(!cfg_edge_dominates(cfg, 5, 1, 1));
  CHECK_TEXT(dependences(&fixture, cfg, 2), "1>2 2>3");
  CHECK_TEXT(dependences(&fixture, cfg, 6), "6>6");
  fixture_close(&fixture);
}

static void test_irreducible(void) {
  Fixture fixture = fixture_open();
  const Cfg *cfg = make(&fixture, "0>1,2 1>2 2>1,3 3");
  CHECK(!cfg->is_reducible);
  CHECK(cfg->loops.count == 0);
  CHECK_TEXT(list(&fixture, cfg->idom, 4), "0 0 0 2");
  // An irreducible region inside of a natural loop: the loop is found all the same.
  cfg = make(&fixture, "0>1 1>2,3 2>3 3>2,4 4>1,5 5");
  CHECK(!cfg->is_reducible);
  if (!CHECK(cfg->loops.count == 1)) return;
  const CfgLoop *loop = &cfg->loops.items[0];
  CHECK_TEXT(list(&fixture, loop->blocks.items, loop->blocks.count), "1 2 3 4");
  fixture_close(&fixture);
}

// Several exits: the way out decides; nothing post-dominates the branch between two returns.
static void test_exits(void) {
  Fixture fixture = fixture_open();
  const Cfg *cfg = make(&fixture, "0>1,2 1 2>3,4 3>5 4>5 5");
  CHECK_TEXT(list(&fixture, cfg->ipdom, 6), "- - 5 5 5 -");
  CHECK(!cfg_post_dominates(cfg, 5, 0));
  CHECK(cfg_post_dominates(cfg, 5, 2));
  CHECK(cfg_post_dominates(cfg, 1, 1));
  CHECK_TEXT(dependences(&fixture, cfg, 5), "0>2");
  CHECK_TEXT(dependences(&fixture, cfg, 1), "0>1");
  fixture_close(&fixture);
}

// while (1) beside a return: the return is what every way to an exit passes, the loop post-dominates nothing.
static void test_endless_loop(void) {
  Fixture fixture = fixture_open();
  const Cfg *cfg = make(&fixture, "0>1,3 1>2 2>1 3");
  CHECK_TEXT(list(&fixture, cfg->ipdom, 4), "3 - - -");
  CHECK(!cfg_post_dominates(cfg, 2, 1));
  CHECK(!cfg_post_dominates(cfg, 3, 1));
  CHECK_TEXT(dependences(&fixture, cfg, 2), "0>1 2>1");
  CHECK_TEXT(dependences(&fixture, cfg, 3), "0>3"); // not for certain: 0 may go round for ever
  cfg = make(&fixture, "0>1 1>1");
  CHECK_TEXT(list(&fixture, cfg->ipdom, 2), "- -");
  CHECK(cfg->loops.count == 1);
  fixture_close(&fixture);
}

static void test_unreachable(void) {
  Fixture fixture = fixture_open();
  const Cfg *cfg = make(&fixture, "0>2 1>2,1 2 3>1");
  CHECK_TEXT(list(&fixture, cfg->rpo, cfg->rpo_count), "0 2");
  CHECK_TEXT(list(&fixture, cfg->idom, 4), "0 - 0 -");
  CHECK_TEXT(list(&fixture, cfg->ipdom, 4), "2 - - -");
  CHECK(!cfg_dominates(cfg, 1, 2) && !cfg_dominates(cfg, 0, 1) && !cfg_dominates(cfg, 1, 1));
  CHECK(!cfg_post_dominates(cfg, 2, 1) && !cfg_post_dominates(cfg, 1, 1));
  CHECK(cfg_edge_dominates(cfg, 0, 2, 2)); // the other edge is never taken
  CHECK(!cfg_edge_dominates(cfg, 1, 2, 2));
  CHECK(cfg->loops.count == 0 && cfg->is_reducible);
  CHECK_TEXT(dependences(&fixture, cfg, 1), "");
  fixture_close(&fixture);
}

// Who stops the launch takes the others with him: his branch decides about no block but those on that way.
static void test_stopped(void) {
  Fixture fixture = fixture_open();
  const Cfg *cfg = make(&fixture, "0>1,2 1>3,4 2>4 3>5 4 5!");
  CHECK_TEXT(dependences(&fixture, cfg, 4), "");
  CHECK_TEXT(dependences(&fixture, cfg, 1), "0>1");
  CHECK_TEXT(dependences(&fixture, cfg, 2), "0>2");
  CHECK_TEXT(dependences(&fixture, cfg, 3), "1>3");
  CHECK_TEXT(dependences(&fixture, cfg, 5), "1>3");
  CHECK(!cfg_post_dominates(cfg, 4, 1)); // there the way counts
  cfg = make(&fixture, "0>1,2 1>3 2>3 3");
  CHECK_TEXT(dependences(&fixture, cfg, 1), "0>1");
  // A loop that is left by being stopped only: what is in it depends on what leads there all the same.
  cfg = make(&fixture, "0>1,5 1>2,4 2>3,1 3>1 4! 5");
  CHECK_TEXT(dependences(&fixture, cfg, 3), "2>3");
  // A launch that is stopped in any case.
  cfg = make(&fixture, "0>1,2 1>3 2>3 3!");
  CHECK_TEXT(dependences(&fixture, cfg, 1), "0>1");
  CHECK_TEXT(dependences(&fixture, cfg, 3), "");
  fixture_close(&fixture);
}

static void test_declaration(void) {
  Fixture fixture = fixture_open();
  const Cfg *cfg = make(&fixture, "");
  CHECK(cfg->block_count == 0 && cfg->rpo_count == 0 && cfg->loops.count == 0 && cfg->is_reducible);
  CHECK(cfg_control_deps(cfg, 0, fixture.arena).count == 0);
  fixture_close(&fixture);
}

// ---- random graphs

enum { MAX_BLOCKS = 12 };

typedef struct Walk {
  const Cfg *cfg;
  uint32_t without_block;            // CFG_NONE: none
  uint32_t without_from, without_to; // one edge that is not there, CFG_NONE: none
} Walk;

// Reached from `start` by a way whose blocks and edges are all there.
static void walk(const Walk *w, uint32_t start, bool *reached) {
  if (reached[start] || start == w->without_block) return;
  reached[start] = true;
  for (uint32_t e = w->cfg->succ_first[start]; e < w->cfg->succ_first[start + 1]; e++)
    if (start != w->without_from || w->cfg->succs[e] != w->without_to) walk(w, w->cfg->succs[e], reached);
}

static bool reaches(const Walk *w, uint32_t from, uint32_t to) {
  bool reached[MAX_BLOCKS] = {false};
  walk(w, from, reached);
  return reached[to];
}

static bool reaches_exit(const Walk *w, uint32_t from) {
  bool reached[MAX_BLOCKS] = {false};
  walk(w, from, reached);
  for (uint32_t b = 0; b < w->cfg->block_count; b++)
    if (reached[b] && w->cfg->succ_first[b] == w->cfg->succ_first[b + 1]) return true;
  return false;
}

static uint32_t next_random(uint64_t *state) { // xorshift64*
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return (uint32_t)((*state * UINT64_C(2685821657736338717)) >> 32);
}

static const Cfg *random_graph(Fixture *fixture, uint64_t *state) {
  IrFunction *function = ir_function_add(fixture->module, "r", NULL);
  uint32_t count = 1 + next_random(state) % MAX_BLOCKS;
  for (uint32_t b = 0; b < count; b++) {
    uint32_t targets[3], degree = next_random(state) % 8;
    degree = degree == 0 ? 0 : degree < 4 ? 1 : degree < 7 ? 2 : 3;
    for (uint32_t i = 0; i < degree; i++)
      targets[i] = next_random(state) % count;
    add_block(fixture, function, degree, targets, IR_RET);
  }
  return cfg_make(function, fixture->arena);
}

static Walk everything(const Cfg *cfg) {
  return (Walk){cfg, CFG_NONE, CFG_NONE, CFG_NONE};
}

static bool naive_dominates(const Cfg *cfg, uint32_t a, uint32_t b) {
  Walk all = everything(cfg), without = {cfg, a, CFG_NONE, CFG_NONE};
  return reaches(&all, 0, b) && !reaches(&without, 0, b);
}

static bool naive_post_dominates(const Cfg *cfg, uint32_t a, uint32_t b) {
  Walk all = everything(cfg), without = {cfg, a, CFG_NONE, CFG_NONE};
  if (!reaches(&all, 0, b)) return false;
  return a == b || (reaches_exit(&all, b) && !reaches_exit(&without, b));
}

static bool naive_edge_dominates(const Cfg *cfg, uint32_t from, uint32_t to, uint32_t block) {
  Walk all = everything(cfg), without = {cfg, CFG_NONE, from, to};
  uint32_t edges = 0;
  for (uint32_t e = cfg->succ_first[from]; e < cfg->succ_first[from + 1]; e++)
    edges += cfg->succs[e] == to;
  return edges == 1 && reaches(&all, 0, block) && !reaches(&without, 0, block);
}

// Ferrante et al. by their definition; with no endless region both trees agree.
static bool naive_depends(const Cfg *cfg, uint32_t block, uint32_t from, uint32_t to) {
  return naive_post_dominates(cfg, block, to) && (block == from || !naive_post_dominates(cfg, block, from));
}

static void check_pairs(const Cfg *cfg) {
  bool good = true;
  for (uint32_t a = 0; a < cfg->block_count; a++)
    for (uint32_t b = 0; b < cfg->block_count; b++) {
      good &= cfg_dominates(cfg, a, b) == naive_dominates(cfg, a, b);
      good &= cfg_post_dominates(cfg, a, b) == naive_post_dominates(cfg, a, b);
      for (uint32_t block = 0; block < cfg->block_count; block++)
        good &= cfg_edge_dominates(cfg, a, b, block) == naive_edge_dominates(cfg, a, b, block);
    }
  CHECK(good);
}

// An immediate dominator dominates strictly, and every other strict dominator dominates it.
static void check_immediate(const Cfg *cfg) {
  bool good = true;
  for (uint32_t b = 0; b < cfg->block_count; b++)
    for (uint32_t a = 0; a < cfg->block_count; a++) {
      bool over = a != b && naive_dominates(cfg, a, b), behind = a != b && naive_post_dominates(cfg, a, b);
      uint32_t idom = cfg->idom[b], ipdom = cfg->ipdom[b];
      if (over) good &= idom != CFG_NONE && naive_dominates(cfg, a, idom);
      if (behind) good &= ipdom != CFG_NONE && naive_post_dominates(cfg, a, ipdom);
      if (idom == a && a != b) good &= over;
      if (ipdom == a) good &= behind;
    }
  CHECK(good);
}

// The loop of a header: what reaches one of its latches without passing the header.
static bool naive_in_loop(const Cfg *cfg, uint32_t header, uint32_t block) {
  Walk all = everything(cfg), without = {cfg, header, CFG_NONE, CFG_NONE};
  if (!reaches(&all, 0, block)) return false;
  for (uint32_t latch = 0; latch < cfg->block_count; latch++) {
    bool is_latch = false;
    for (uint32_t e = cfg->succ_first[latch]; e < cfg->succ_first[latch + 1]; e++)
      is_latch |= cfg->succs[e] == header && naive_dominates(cfg, header, latch);
    if (is_latch && (block == header || reaches(&without, block, latch))) return true;
  }
  return false;
}

static void check_loops(const Cfg *cfg) {
  bool good = true;
  uint32_t headers = 0;
  for (uint32_t h = 0; h < cfg->block_count; h++)
    headers += naive_in_loop(cfg, h, h);
  good &= headers == cfg->loops.count;
  for (uint32_t l = 0; l < cfg->loops.count; l++) {
    const CfgLoop *loop = &cfg->loops.items[l];
    uint32_t members = 0;
    for (uint32_t b = 0; b < cfg->block_count; b++) {
      good &= cfg_loop_contains(cfg, l, b) == naive_in_loop(cfg, loop->header, b);
      members += naive_in_loop(cfg, loop->header, b);
    }
    good &= members == loop->blocks.count && loop->blocks.items[0] == loop->header;
    for (uint32_t i = 2; i < loop->blocks.count; i++)
      good &= loop->blocks.items[i - 1] < loop->blocks.items[i];
    good &= loop->parent == CFG_NONE
                ? loop->depth == 1
                : loop->parent < l && cfg->loops.items[loop->parent].depth + 1 == loop->depth;
  }
  CHECK(good);
}

// Reducible: without its back edges the reachable part has no cycle.
static bool naive_is_acyclic_from(const Cfg *cfg, uint32_t block, uint8_t *state) {
  state[block] = 1;
  for (uint32_t e = cfg->succ_first[block]; e < cfg->succ_first[block + 1]; e++) {
    uint32_t to = cfg->succs[e];
    if (naive_dominates(cfg, to, block) || state[to] == 2) continue;
    if (state[to] == 1 || !naive_is_acyclic_from(cfg, to, state)) return false;
  }
  state[block] = 2;
  return true;
}

static void check_control_deps(const Cfg *cfg, Arena *arena) {
  Walk all = everything(cfg);
  for (uint32_t b = 0; b < cfg->block_count; b++)
    if (reaches(&all, 0, b) && !reaches_exit(&all, b)) return;
  bool good = true;
  for (uint32_t block = 0; block < cfg->block_count; block++) {
    CfgEdges edges = cfg_control_deps(cfg, block, arena);
    bool listed[MAX_BLOCKS][MAX_BLOCKS] = {{false}}, wanted[MAX_BLOCKS][MAX_BLOCKS] = {{false}};
    for (uint32_t i = 0; i < edges.count; i++) {
      good &= !listed[edges.items[i].from][edges.items[i].to];
      listed[edges.items[i].from][edges.items[i].to] = true;
    }
    for (uint32_t from = 0; from < cfg->block_count; from++)
      for (uint32_t e = cfg->succ_first[from]; e < cfg->succ_first[from + 1]; e++)
        if (reaches(&all, 0, from))
          wanted[from][cfg->succs[e]] = naive_depends(cfg, block, from, cfg->succs[e]);
    good &= memcmp(listed, wanted, sizeof listed) == 0;
  }
  CHECK(good);
}

// Those of the block, and of each branch that any of them starts at: found round by round.
static void check_all_control_deps(const Cfg *cfg, Arena *arena) {
  bool good = true;
  for (uint32_t block = 0; block < cfg->block_count; block++) {
    bool is_asked[MAX_BLOCKS] = {false}, wanted[MAX_BLOCKS][MAX_BLOCKS] = {{false}};
    bool listed[MAX_BLOCKS][MAX_BLOCKS] = {{false}};
    is_asked[block] = true;
    for (bool changed = true; changed;) {
      changed = false;
      for (uint32_t at = 0; at < cfg->block_count; at++) {
        CfgEdges edges = {0};
        if (is_asked[at]) edges = cfg_control_deps(cfg, at, arena);
        for (uint32_t i = 0; i < edges.count; i++) {
          wanted[edges.items[i].from][edges.items[i].to] = true;
          changed |= !is_asked[edges.items[i].from];
          is_asked[edges.items[i].from] = true;
        }
      }
    }
    CfgEdges all = cfg_all_control_deps(cfg, block, arena);
    for (uint32_t i = 0; i < all.count; i++)
      listed[all.items[i].from][all.items[i].to] = true;
    good &= memcmp(listed, wanted, sizeof listed) == 0;
  }
  CHECK(good);
}

static void test_random(void) {
  uint64_t state = UINT64_C(0x9e3779b97f4a7c15);
  uint32_t irreducible = 0, loops = 0;
  for (int round = 0; round < 3000; round++) {
    Fixture fixture = fixture_open();
    const Cfg *cfg = random_graph(&fixture, &state);
    uint8_t seen[MAX_BLOCKS] = {0};
    check_pairs(cfg);
    check_immediate(cfg);
    check_loops(cfg);
    check_control_deps(cfg, fixture.arena);
    check_all_control_deps(cfg, fixture.arena);
    CHECK(cfg->is_reducible == naive_is_acyclic_from(cfg, 0, seen));
    irreducible += !cfg->is_reducible;
    loops += cfg->loops.count > 1;
    fixture_close(&fixture);
  }
  CHECK(irreducible > 100 && loops > 100); // the graphs are worth the while
}

// ---- size

// Each block goes on or fails: one exit with as many predecessors as there are blocks.
static void test_checks_chain(uint32_t count) {
  Fixture fixture = fixture_open();
  IrFunction *function = ir_function_add(fixture.module, "chain", NULL);
  for (uint32_t b = 0; b + 1 < count; b++)
    add_block(&fixture, function, 2, (uint32_t[]){b + 1, count}, IR_RET);
  add_block(&fixture, function, 0, NULL, IR_RET);
  add_block(&fixture, function, 0, NULL, IR_RET);
  const Cfg *cfg = cfg_make(function, fixture.arena);
  CHECK(cfg->idom[count] == 0 && cfg->idom[count - 1] == count - 2);
  CHECK(cfg_edge_dominates(cfg, 0, 1, count - 1) && !cfg_edge_dominates(cfg, 0, 1, count));
  fixture_close(&fixture);
}

// Forward and backward edges between neighbours: entered in the middle, so nothing is a loop.
static void test_ladder(uint32_t count) {
  Fixture fixture = fixture_open();
  IrFunction *function = ir_function_add(fixture.module, "ladder", NULL);
  add_block(&fixture, function, 2, (uint32_t[]){1, count - 1}, IR_RET);
  for (uint32_t b = 1; b + 1 < count; b++)
    add_block(&fixture, function, 2, (uint32_t[]){b + 1, b > 1 ? b - 1 : 0}, IR_RET);
  add_block(&fixture, function, 2, (uint32_t[]){count - 2, count}, IR_RET);
  add_block(&fixture, function, 0, NULL, IR_RET);
  const Cfg *cfg = cfg_make(function, fixture.arena);
  CHECK(!cfg->is_reducible);
  CHECK(cfg->idom[count / 2] == 0);
  fixture_close(&fixture);
}

static void test_deep_nest(uint32_t depth) {
  Fixture fixture = fixture_open();
  IrFunction *function = ir_function_add(fixture.module, "nest", NULL);
  for (uint32_t b = 0; b < depth; b++)
    add_block(&fixture, function, 1, (uint32_t[]){b + 1}, IR_RET);
  for (uint32_t b = depth; b-- > 1;)
    add_block(&fixture, function, 2, (uint32_t[]){b, 2 * depth - b}, IR_RET);
  add_block(&fixture, function, 0, NULL, IR_RET);
  const Cfg *cfg = cfg_make(function, fixture.arena);
  CHECK(cfg->is_reducible && cfg->loops.count == depth - 1);
  CHECK(cfg->loops.items[0].header == 1 && cfg->loops.items[depth - 2].depth == depth - 1);
  fixture_close(&fixture);
}

int main(void) {
  test_diamond();
  test_short_circuit();
  test_parallel_edges();
  test_nested_loops();
  test_irreducible();
  test_exits();
  test_endless_loop();
  test_unreachable();
  test_stopped();
  test_declaration();
  test_random();
  test_checks_chain(50000);
  test_ladder(20000);
  test_deep_nest(1000);
  return check_result();
}
