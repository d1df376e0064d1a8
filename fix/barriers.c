// Where between two accesses may a barrier stand?
//
// Both places are statements in statements, through inlined calls too. Where the two ways part, one statement
// holds the first access and another one the second: a barrier stands before the later one, or behind the
// earlier one. Where a loop is around both, it may be the round before that races: a barrier stands at the end
// of the loop's body, or at its start; or both. If the witness is of two rounds, the loop comes first. Two
// accesses in one statement are parted by a variable for what is read. Whether all threads come to the place is
// not asked here: the check finds a barrier that some go round.
//
// Soundness: a candidate is nothing but a suggestion to check.
// SPDX-License-Identifier: Apache-2.0
#include "fix/internal.h"

#include <string.h>

typedef struct Between {
  Making *making;
  const char *statement;
  Levels levels[2];
  Level first, second; // statements in one block, in the order of the text; NO_NODE: the same one holds both
  Level common;        // what holds both
} Between;

static bool is_same_level(const Level *a, const Level *b) {
  return a->source == b->source && a->node == b->node;
}

// Fills in the three. False: nothing of the user's holds both.
static bool find_common(Between *between) {
  const Levels *one = &between->levels[0], *two = &between->levels[1];
  for (uint32_t i = 0; i < one->list.count; i++)
    for (uint32_t k = 0; k < two->list.count; k++) {
      if (!is_same_level(&one->list.items[i], &two->list.items[k])) continue;
      between->common = one->list.items[i];
      between->first = between->second = (Level){between->common.source, NO_NODE};
      bool are_apart = i > 0 && k > 0 && one->list.items[i - 1].source == between->common.source &&
                       two->list.items[k - 1].source == between->common.source;
      if (!are_apart) return true;
      between->first = one->list.items[i - 1];
      between->second = two->list.items[k - 1];
      if (between->first.node > between->second.node) {
        Level kept = between->first;
        between->first = between->second;
        between->second = kept;
      }
      return true;
    }
  return false;
}

static bool is_block(const Level *level) {
  return level->source->nodes.items[level->node].kind == NODE_BLOCK;
}

static const char *line_words(Between *between, const Level *level) {
  return level_words(between->making, level);
}

static Fix titled(Between *between, const char *where) {
  return (Fix){.title = arena_printf(between->making->arena, "insert %.*s %s",
                                     statement_words(between->statement), between->statement, where)};
}

// ---- one place
static void add_before_second(Between *between, Fix *fix) {
  edit_before(fix, between->second.source, between->second.node, between->statement, between->making->arena);
}

static bool are_apart(const Between *between) {
  return between->second.node != NO_NODE && is_block(&between->common);
}

static void offer_between(Between *between) {
  Arena *arena = between->making->arena;
  if (!are_apart(between)) return;
  Fix fix = titled(between, arena_printf(arena, "before %s", line_words(between, &between->second)));
  add_before_second(between, &fix);
  making_offer(between->making, &fix);
  bool are_neighbours = true;
  for (uint32_t i = between->first.node + 1; i < between->second.node; i++)
    are_neighbours &= between->first.source->nodes.items[i].parent !=
                      between->first.source->nodes.items[between->first.node].parent;
  if (are_neighbours) return;
  Fix behind = titled(between, arena_printf(arena, "behind %s", line_words(between, &between->first)));
  edit_behind(&behind, between->first.source, between->first.node, between->statement, arena);
  making_offer(between->making, &behind);
}

// ---- loops
static Level loop_around(const Level *level) {
  uint32_t node = level->node;
  while (node != NO_NODE && level->source->nodes.items[node].kind != NODE_LOOP)
    node = level->source->nodes.items[node].parent;
  return (Level){level->source, node};
}

static Level next_loop(const Level *loop) {
  Level parent = {loop->source, loop->source->nodes.items[loop->node].parent};
  return loop_around(&parent);
}

static void offer_in_loop(Between *between, const Level *loop, bool with_second) {
  Arena *arena = between->making->arena;
  const char *of = arena_printf(arena, "the loop at %s", line_words(between, loop));
  const char *and = with_second
                        ? arena_printf(arena, "before %s and ", line_words(between, &between->second))
                        : "";
  for (int k = 0; k < 2; k++) {
    Fix fix = titled(between, arena_printf(arena, "%sat the %s of %s", and, k ? "start" : "end", of));
    if (with_second) add_before_second(between, &fix);
    (k ? edit_at_start_of : edit_at_end_of)(&fix, loop->source, loop->node, between->statement, arena);
    making_offer(between->making, &fix);
  }
}

static void offer_in_loops(Between *between, bool with_second) {
  if (with_second && !are_apart(between)) return;
  for (Level loop = loop_around(&between->common); loop.node != NO_NODE; loop = next_loop(&loop))
    offer_in_loop(between, &loop, with_second);
}

static bool is_of_two_rounds(const Witness *witness) {
  for (uint32_t i = 0; i < witness->iterations[0].count; i++)
    for (uint32_t k = 0; k < witness->iterations[1].count; k++) {
      const WitnessValue *one = &witness->iterations[0].items[i], *two = &witness->iterations[1].items[k];
      if (strcmp(one->name, two->name) == 0 && one->value != two->value) return true;
    }
  return false;
}

// ---- one statement
// The mark of the assignment of a plain statement; 0: none.
static uint32_t assignment_of(const Source *source, uint32_t node) {
  const Node *plain = &source->nodes.items[node];
  for (uint32_t i = plain->first + 1; i < plain->last; i++) {
    if (source->tokens.items[i].mate > i) i = source->tokens.items[i].mate;
    char before = source->text[source->tokens.items[i].start - 1];
    if (token_is(source, i, "=") && !token_is(source, i + 1, "=") && !strchr("=!<>", before)) return i;
  }
  return 0;
}

// `a op= b;` becomes `auto value = b; barrier a op= value;`
static void offer_parted(Between *between, const Level *loop) {
  const Source *source = between->common.source;
  Arena *arena = between->making->arena;
  const Node *plain = &source->nodes.items[between->common.node];
  uint32_t mark = plain->kind == NODE_PLAIN ? assignment_of(source, between->common.node) : 0;
  if (!mark || !token_is(source, plain->last, ";")) return;
  uint32_t start = source->tokens.items[mark].end, end = source->tokens.items[plain->last].start;
  start += (uint32_t)strspn(source->text + start, " \t");
  if (start >= end) return;
  Fix fix = titled(between, arena_printf(arena, "between read and write of %s%s%s",
                                         line_words(between, &between->common),
                                         loop ? ", and at the end of the loop at " : "",
                                         loop ? line_words(between, loop) : ""));
  const char *name = "hgrd_value";
  edit_before(&fix, source, between->common.node,
              arena_printf(arena, "const auto %s = %s; %s", name, text_between(source, start, end, arena),
                           between->statement),
              arena);
  edit_replace(&fix, source, start, end, name, arena);
  if (loop) edit_at_end_of(&fix, loop->source, loop->node, between->statement, arena);
  making_offer(between->making, &fix);
}

static void offer_in_statement(Between *between) {
  if (between->second.node != NO_NODE || is_block(&between->common)) return;
  Level loop = loop_around(&between->common);
  offer_parted(between, NULL);
  if (loop.node != NO_NODE) offer_parted(between, &loop);
}

// ---- without a common statement
// Behind the statement of the write and before that of the other, from the inside out: for threads that tell
// others what their neighbours have done.
static void offer_beside(Between *between) {
  Arena *arena = between->making->arena;
  int write = between->making->finding->accesses[0].kind == ACCESS_READ ? 1 : 0;
  for (int k = 0; k < 2; k++) {
    const Levels *levels = &between->levels[k == 0 ? write : 1 - write];
    for (uint32_t i = 0; i < levels->list.count; i++) {
      const Level *level = &levels->list.items[i];
      if (is_block(level)) continue;
      Fix fix = titled(between, arena_printf(arena, "%s %s", k ? "before" : "behind", line_words(between, level)));
      (k ? edit_before : edit_behind)(&fix, level->source, level->node, between->statement, arena);
      making_offer(between->making, &fix);
    }
  }
}

static void try_statement(Making *making, const char *statement) {
  Between between = {.making = making, .statement = statement};
  for (int t = 0; t < 2; t++)
    between.levels[t] = making_levels(making, &making->finding->accesses[t].loc);
  if (find_common(&between)) {
    bool is_loop_first = is_of_two_rounds(&making->finding->witness);
    if (is_loop_first) offer_in_loops(&between, false);
    offer_between(&between);
    if (!is_loop_first) offer_in_loops(&between, false);
    offer_in_loops(&between, true);
    offer_in_statement(&between);
  }
  offer_beside(&between);
}

void try_warp_barrier(Making *making) {
  if (making->finding->rule == RULE_INTRA_WARP) try_statement(making, "__syncwarp();");
}

void try_block_barrier(Making *making) {
  FindingRule rule = making->finding->rule;
  bool is_told = strcmp(making->finding->cause, "missing-barrier") == 0; // a thread may tell for others
  if (rule == RULE_INTRA_WARP || rule == RULE_INTRA_BLOCK || is_told) try_statement(making, "__syncthreads();");
}

void try_cluster_barrier(Making *making) {
  static const char statement[] = "cooperative_groups::this_cluster().sync();";
  const Source *source = making_source(making, making->finding->accesses[0].loc.file);
  bool has_clusters = source && strstr(source->text, "this_cluster");
  if (making->finding->rule == RULE_INTER_BLOCK && has_clusters) try_statement(making, statement);
}

// ---- a barrier that some go round
static bool is_kind(const Level *level, NodeKind kind) {
  return level->source->nodes.items[level->node].kind == kind;
}

// Does any token from `first` on say that the word is given another value, or may be?
static bool is_changed(const Source *source, uint32_t first, uint32_t last, uint32_t word) {
  const char *text = source->text;
  const Token *tokens = source->tokens.items;
  for (uint32_t i = first; i <= last; i++) {
    if (tokens[i].end - tokens[i].start != tokens[word].end - tokens[word].start ||
        memcmp(text + tokens[i].start, text + tokens[word].start, tokens[i].end - tokens[i].start) != 0)
      continue;
    uint32_t next = i + 1;
    while (token_is(source, next, "[") && tokens[next].mate > next)
      next = tokens[next].mate + 1;
    bool is_step = (token_is(source, next, "+") && token_is(source, next + 1, "+")) ||
                   (token_is(source, next, "-") && token_is(source, next + 1, "-"));
    bool is_stored = token_is(source, next, "=") && !token_is(source, next + 1, "=");
    bool is_updated = token_is(source, next + 1, "=") && !token_is(source, next, "<") &&
                      !token_is(source, next, ">") && !token_is(source, next, "!") &&
                      !token_is(source, next, "=") && tokens[next].kind == TOKEN_MARK;
    bool is_before = i > first && (token_is(source, i - 1, "&") || token_is(source, i - 1, "+") ||
                                   token_is(source, i - 1, "-"));
    if (is_step || is_stored || is_updated || is_before) return true;
  }
  return false;
}

// Is the condition between the brackets made of names and numbers alone, and nothing of it changed before the
// barrier?
static bool can_be_asked_twice(const Source *source, uint32_t open, uint32_t barrier) {
  uint32_t close = source->tokens.items[open].mate;
  for (uint32_t i = open + 1; i < close; i++) {
    const Token *token = &source->tokens.items[i];
    bool is_call = token_is(source, i, "(") && source->tokens.items[i - 1].kind == TOKEN_WORD;
    bool is_store = token_is(source, i, "=") && !token_is(source, i + 1, "=") &&
                    !strchr("=!<>", source->text[token->start - 1]);
    if (is_call || is_store || token_is(source, i, "[") || token_is(source, i, ";") || token_is(source, i, "*"))
      return false;
    if (token->kind == TOKEN_WORD && is_changed(source, close + 1, barrier, i)) return false;
  }
  return true;
}

// `if (c) { A barrier B }` becomes `if (c) { A } barrier if (c) { B }`.
static void offer_split(Making *making, const Level *barrier, const Level *branch, const char *statement) {
  const Source *source = barrier->source;
  const Node *at = &source->nodes.items[barrier->node], *outer = &source->nodes.items[branch->node];
  uint32_t open = outer->first + 1, block = at->parent;
  bool is_whole = token_is(source, open, "(") && block != NO_NODE &&
                  source->nodes.items[block].parent == branch->node &&
                  source->nodes.items[block].last == outer->last; // no else
  if (!is_whole || !can_be_asked_twice(source, open, at->first)) return;
  const char *head = text_between(source, node_start(source, branch->node),
                                  source->tokens.items[source->tokens.items[open].mate].end, making->arena);
  Fix fix = {.title = arena_printf(making->arena, "split the branch at %s around %.*s",
                                   level_words(making, branch), statement_words(statement), statement)};
  const char *outside = indent_of(source, branch->node, making->arena);
  const char *text = starts_line(source, node_start(source, barrier->node))
                         ? arena_printf(making->arena, "}\n%s%s\n%s%s {", outside, statement, outside, head)
                         : arena_printf(making->arena, "} %s %s {", statement, head);
  uint32_t start = node_start(source, barrier->node);
  if (starts_line(source, start)) {
    edit_replace(&fix, source, line_start(source, start), node_end(source, barrier->node),
                 arena_printf(making->arena, "%s%s", outside, text), making->arena);
  } else {
    edit_replace(&fix, source, start, node_end(source, barrier->node), text, making->arena);
  }
  making_offer(making, &fix);
}

static void offer_moved(Making *making, const Level *barrier, const Level *level, const char *statement) {
  for (int k = 0; k < 2; k++) {
    Fix fix = {.title = arena_printf(making->arena, "move %.*s %s the %s at %s", statement_words(statement),
                                     statement, k ? "before" : "behind",
                                     is_kind(level, NODE_LOOP) ? "loop" : "branch", level_words(making, level))};
    edit_remove(&fix, barrier->source, barrier->node, making->arena);
    (k ? edit_before : edit_behind)(&fix, level->source, level->node, statement, making->arena);
    making_offer(making, &fix);
  }
}

void try_moved_barrier(Making *making) {
  Levels levels = making_levels(making, &making->finding->accesses[0].loc);
  if (levels.list.count == 0 || !is_kind(&levels.list.items[0], NODE_PLAIN)) return;
  const Level *barrier = &levels.list.items[0];
  const Source *source = barrier->source;
  const char *statement =
      text_between(source, node_start(source, barrier->node), node_end(source, barrier->node), making->arena);
  for (uint32_t i = 1; i < levels.list.count && levels.list.items[i].source == source; i++) {
    const Level *level = &levels.list.items[i];
    if (is_kind(level, NODE_IF)) offer_split(making, barrier, level, statement);
    if (is_kind(level, NODE_IF) || is_kind(level, NODE_LOOP) || is_kind(level, NODE_SWITCH))
      offer_moved(making, barrier, level, statement);
  }
}
