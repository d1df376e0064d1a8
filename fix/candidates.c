// Which changes may mend a finding, and which of them comes first?
//
// Each cause has a row of kinds of changes; each kind looks at the statements around the two places and offers
// edits. The order is that of trying: what holds the fewest threads together first (a barrier of the warp
// before one of the block), what only orders before what changes an operation, then what stands nearest to the
// accesses. docs/fixes.md has the same table.
//
// Soundness: a candidate is nothing but a suggestion to check.
// SPDX-License-Identifier: Apache-2.0
#include "fix/internal.h"
#include "core/bug.h"

#include <string.h>

enum { KINDS_MAX = 6 };
typedef void (*TryKind)(Making *making);
typedef struct CauseFixes {
  const char *cause;
  TryKind kinds[KINDS_MAX];
} CauseFixes;

static const CauseFixes CAUSE_FIXES[] = {
    {"missing-warp-barrier", {try_warp_barrier, try_block_barrier}},
    {"missing-barrier", {try_block_barrier}},
    {"set-up-not-awaited", {try_block_barrier}},
    {"flag-not-set-up", {try_block_barrier}},
    {"wrong-group", {try_warp_barrier, try_block_barrier}},
    {"missing-fence", {try_fence}},
    {"missing-acquire-fence", {try_acquire_fence}},
    {"insufficient-scope-lock", {try_wider_scope}},
    {"insufficient-scope-fence", {try_wider_scope}},
    {"insufficient-scope-atomic", {try_wider_scope}},
    {"plain-release", {try_release}},
    {"missing-async-wait", {try_copy_wait}},
    {"atomic-vs-plain",
     {try_warp_barrier, try_block_barrier, try_cluster_barrier, try_atomic_update, try_atomic_access}},
    {"no-synchronisation", {try_atomic_update, try_guard, try_bound, try_cluster_barrier, try_assert}},
    {"divergent-barrier", {try_moved_barrier}},
    {"left-before-barrier", {try_moved_barrier}},
};

const Source *making_source(Making *making, const char *file) {
  for (uint32_t i = 0; file && i < making->read.count; i++)
    if (strcmp(making->read.items[i]->file, file) == 0) return making->read.items[i];
  size_t length = 0;
  const char *text = file ? making->sources->read(making->sources->context, file, &length) : NULL;
  Source *source = text ? source_read(file, text, length, making->arena) : NULL;
  if (source) vec_push(making->arena, &making->read, source);
  return source;
}

static bool is_same(const Fix *a, const Fix *b) {
  bool same = a->edits.count == b->edits.count;
  for (uint32_t i = 0; same && i < a->edits.count; i++) {
    const FixEdit *one = &a->edits.items[i], *two = &b->edits.items[i];
    same = one->start == two->start && one->end == two->end && strcmp(one->text, two->text) == 0 &&
           strcmp(one->file, two->file) == 0;
  }
  return same;
}

static bool is_apart(const Fix *fix) {
  for (uint32_t i = 1; i < fix->edits.count; i++) {
    const FixEdit *one = &fix->edits.items[i - 1], *two = &fix->edits.items[i];
    if (strcmp(one->file, two->file) == 0 && two->start < one->end) return false;
  }
  return true;
}

void making_offer(Making *making, const Fix *fix) {
  ASSERT(fix);
  bool is_new = fix->edits.count > 0 && is_apart(fix) && making->out.list.count < FIX_CANDIDATES_MAX;
  for (uint32_t i = 0; is_new && i < making->out.list.count; i++)
    is_new = !is_same(&making->out.list.items[i], fix);
  if (is_new) vec_push(making->arena, &making->out.list, *fix);
}

Levels making_levels(Making *making, const SrcLoc *loc) {
  ASSERT(loc->line > 0);
  Levels levels = {0};
  for (; loc; loc = loc->inlined_at) {
    const Source *source = making_source(making, loc->file);
    uint32_t offset = source ? source_offset(source, loc->line, loc->column) : UINT32_MAX;
    uint32_t node = offset == UINT32_MAX ? NO_NODE : node_at(source, offset);
    for (; node != NO_NODE; node = source->nodes.items[node].parent)
      vec_push(making->arena, &levels.list, (Level){source, node});
  }
  return levels;
}

const char *level_words(Making *making, const Level *level) {
  ASSERT(level->node < level->source->nodes.count);
  uint32_t line = source_line(level->source, node_start(level->source, level->node));
  const char *main_file = making->finding->accesses[0].loc.file;
  if (main_file && strcmp(main_file, level->source->file) == 0)
    return arena_printf(making->arena, "line %u", line);
  return arena_printf(making->arena, "%s:%u", level->source->file, line);
}

FixCandidates fix_candidates(const Finding *finding, const FixSources *sources, Arena *arena) {
  ASSERT(finding->kernel && sources->read);
  Making making = {.finding = finding, .sources = sources, .arena = arena};
  for (size_t i = 0; i < sizeof CAUSE_FIXES / sizeof *CAUSE_FIXES; i++) {
    const CauseFixes *row = &CAUSE_FIXES[i];
    if (strcmp(row->cause, finding->cause ? finding->cause : "") != 0) continue;
    for (int k = 0; k < KINDS_MAX && row->kinds[k]; k++)
      row->kinds[k](&making);
  }
  return making.out;
}
