// Which operation beside an access is too weak, and what would be strong enough?
//
// Fences go behind the access that is to be known and before the one that learns of it; a copy is awaited
// before what it brings is used, by the words of the interface that began it; names that say "of the block"
// lose that in the statements of the accesses first, then in the functions around; a lock is given back by an
// atomic operation behind a fence.
//
// Soundness: a candidate is nothing but a suggestion to check.
// SPDX-License-Identifier: Apache-2.0
#include "fix/internal.h"

#include <string.h>

static bool is_plain(const Level *level) {
  return level->source->nodes.items[level->node].kind != NODE_BLOCK;
}

// Each statement around the place, from the inside out, with the statement before or behind it.
static void offer_beside(Making *making, const SrcLoc *loc, const char *statement, bool is_behind) {
  Levels levels = making_levels(making, loc);
  for (uint32_t i = 0; i < levels.list.count; i++) {
    const Level *level = &levels.list.items[i];
    if (!is_plain(level)) continue;
    Fix fix = {.title = arena_printf(making->arena, "insert %.*s %s %s", statement_words(statement),
                                     statement, is_behind ? "behind" : "before", level_words(making, level))};
    (is_behind ? edit_behind : edit_before)(&fix, level->source, level->node, statement, making->arena);
    making_offer(making, &fix);
  }
}

// ---- fences
static void offer_fences(Making *making, bool is_behind, const SrcLoc *loc) {
  if (making->finding->rule != RULE_INTER_BLOCK) offer_beside(making, loc, "__threadfence_block();", is_behind);
  offer_beside(making, loc, "__threadfence();", is_behind);
}

static int access_of(const Finding *finding, bool is_write) {
  bool is_first = (finding->accesses[0].kind != ACCESS_READ) == is_write;
  return is_first ? 0 : 1;
}

void try_fence(Making *making) {
  int write = access_of(making->finding, true);
  offer_fences(making, true, &making->finding->accesses[write].loc);
  offer_fences(making, true, &making->finding->accesses[1 - write].loc);
}

void try_acquire_fence(Making *making) {
  int read = access_of(making->finding, false);
  offer_fences(making, false, &making->finding->accesses[read].loc);
  offer_fences(making, false, &making->finding->accesses[1 - read].loc);
}

// ---- copies
// The first argument of the first call of the name, `block` of `memcpy_async(block, ...)`; NULL: no call.
static const char *first_argument(Making *making, const Source *source, const char *name) {
  for (uint32_t i = 0; i + 2 < source->tokens.count; i++) {
    if (!token_is(source, i, name) || !token_is(source, i + 1, "(")) continue;
    const Token *argument = &source->tokens.items[i + 2];
    if (argument->kind == TOKEN_WORD && token_is(source, i + 3, ","))
      return text_between(source, argument->start, argument->end, making->arena);
  }
  return NULL;
}

enum { WAITS_MAX = 2 };
// By the interface that the copies are begun with; how many there are.
static int copy_waits(Making *making, const Source *source, const char *waits[WAITS_MAX]) {
  const char *group = first_argument(making, source, "memcpy_async");
  if (strstr(source->text, "__pipeline_memcpy_async")) {
    waits[0] = "__pipeline_wait_prior(0);";
    waits[1] = "__pipeline_commit(); __pipeline_wait_prior(0);";
    return 2;
  }
  waits[0] = group ? arena_printf(making->arena, "cooperative_groups::wait(%s);", group)
                   : "asm volatile(\"cp.async.wait_all;\" ::: \"memory\");";
  return group || strstr(source->text, "cp.async") ? 1 : 0;
}

void try_copy_wait(Making *making) {
  const Finding *finding = making->finding;
  const Source *source = making_source(making, finding->accesses[0].loc.file);
  const char *waits[WAITS_MAX];
  int count = source ? copy_waits(making, source, waits) : 0;
  // The use stands later than the copy.
  const SrcLoc *use = &finding->accesses[finding->accesses[1].loc.line > finding->accesses[0].loc.line].loc;
  for (int i = 0; i < count; i++)
    offer_beside(making, use, waits[i], false);
  for (int i = 0; i < count; i++)
    offer_beside(making, use, arena_printf(making->arena, "%s __syncthreads();", waits[i]), false);
  try_block_barrier(making);
}

// ---- scopes
static const char *wider(Making *making, const Source *source, uint32_t token) {
  const Token *at = &source->tokens.items[token];
  const char *text = text_between(source, at->start, at->end, making->arena);
  if (at->kind == TOKEN_WORD && strcmp(text, "thread_scope_block") == 0) return "thread_scope_device";
  if (at->kind == TOKEN_WORD && str_ends_with(text, "_block"))
    return arena_strndup(making->arena, text, strlen(text) - strlen("_block"));
  const char *cta = at->kind == TOKEN_QUOTED ? strstr(text, ".cta") : NULL;
  return cta ? arena_printf(making->arena, "%.*s.gpu%s", (int)(cta - text), text, cta + strlen(".cta")) : NULL;
}

static void widen(Making *making, Fix *fix, const Source *source, uint32_t first, uint32_t last) {
  for (uint32_t i = first; i <= last; i++) {
    const char *text = wider(making, source, i);
    if (!text) continue;
    const Token *at = &source->tokens.items[i];
    edit_replace(fix, source, at->start, at->end, text, making->arena);
  }
}

static void widen_level(Making *making, Fix *fix, const Level *level) {
  const Node *node = &level->source->nodes.items[level->node];
  widen(making, fix, level->source, node->first, node->last);
}

// The statements of the accesses from the inside out, then the whole files.
void try_wider_scope(Making *making) {
  Fix all = {.title = "use device scope throughout the file"};
  for (int t = 0; t < 2; t++) {
    Levels levels = making_levels(making, &making->finding->accesses[t].loc);
    for (uint32_t i = 0; i < levels.list.count; i++) {
      const Level *level = &levels.list.items[i];
      Fix fix = {.title = arena_printf(making->arena, is_plain(level) ? "use device scope at %s"
                                                                      : "use device scope in the block at %s",
                                       level_words(making, level))};
      widen_level(making, &fix, level);
      making_offer(making, &fix);
    }
  }
  for (uint32_t i = 0; i < making->read.count; i++)
    if (making->read.items[i]->tokens.count)
      widen(making, &all, making->read.items[i], 0, making->read.items[i]->tokens.count - 1);
  making_offer(making, &all);
}

// ---- a lock that a plain store gives back
// `*lock = 0;` in the functions around the accesses.
void try_release(Making *making) {
  for (int t = 0; t < 2; t++) {
    Levels levels = making_levels(making, &making->finding->accesses[t].loc);
    for (uint32_t l = 0; l < levels.list.count; l++) {
      const Source *source = levels.list.items[l].source;
      if (source->nodes.items[levels.list.items[l].node].parent != NO_NODE) continue;
      for (uint32_t n = levels.list.items[l].node; n < source->nodes.count; n++) {
        const Node *node = &source->nodes.items[n];
        if (node->kind != NODE_PLAIN || !node_is_within(source, n, levels.list.items[l].node)) continue;
        bool is_store = node->last > node->first + 2 && token_is(source, node->last, ";") &&
                        token_is(source, node->last - 1, "0") && token_is(source, node->last - 2, "=");
        bool is_place = token_is(source, node->first, "*") || token_is(source, node->last - 3, "]");
        if (!is_store || !is_place) continue;
        Level level = {source, n};
        const char *place = text_between(source, node_start(source, n),
                                         source->tokens.items[node->last - 3].end, making->arena);
        Fix fix = {.title = arena_printf(making->arena, "give the lock back by an atomic operation at %s",
                                         level_words(making, &level))};
        const char *text = arena_printf(making->arena, "__threadfence(); atomicExch(&(%s), 0);", place);
        bool is_sole = node->is_sole;
        edit_replace(&fix, source, node_start(source, n), node_end(source, n),
                     is_sole ? arena_printf(making->arena, "{ %s }", text) : text, making->arena);
        making_offer(making, &fix);
      }
    }
  }
}
