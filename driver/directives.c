// Under which dimensions does a file say that its kernels run? Other verifiers read them in a comment in
// front of the code: `//--blockDim=64 --gridDim=[4,4]`. They count for kernels whose launch is not in the
// files, as
// --block-dim and --grid-dim do, which come first. Only comments before the first line of code are read. What
// stands there and is no dimension is told, and not used.
// SPDX-License-Identifier: Apache-2.0
#include "driver/directives.h"
#include "core/bug.h"

#include "driver/options.h"

#include <string.h>

enum { LINE_LIMIT = 100 };

typedef struct Reader {
  const char *path, *text;
  uint32_t line;
  Arena *arena;
  DiagSink *sink;
} Reader;

static bool read_dimensions(const Reader *reader, const char *name, bool is_block, int64_t dimensions[3]) {
  const char *at = strstr(reader->text, name);
  if (!at || dimensions[0]) return false;
  at += strlen(name);
  int64_t read[3];
  const char *value = arena_printf(reader->arena, "%.*s", (int)strcspn(at, " \t\r"), at);
  if (!options_read_triple(value, read) || (is_block && !options_fit_block(read))) {
    diag_report(reader->sink, DIAG_WARNING, &(SrcLoc){.file = reader->path, .line = reader->line},
                "the comment's '%s%s' is no dimension of a launch, and is not used", name, value);
    return false;
  }
  memcpy(dimensions, read, sizeof read);
  return true;
}

uint32_t directives_read(const char *path, SourceCache *sources, Arena *arena, DiagSink *sink,
                         int64_t grid[3], int64_t block[3]) {
  ASSERT(path);
  uint32_t found = 0;
  for (uint32_t line = 1; line <= LINE_LIMIT; line++) {
    const char *text = source_cache_line(sources, path, line);
    if (!text) return found;
    text += strspn(text, " \t\r");
    if (*text && strncmp(text, "//", 2) != 0) return found;
    Reader reader = {path, text, line, arena, sink};
    bool has_block = read_dimensions(&reader, "--blockDim=", true, block),
         has_grid = read_dimensions(&reader, "--gridDim=", false, grid);
    if (!found && (has_block || has_grid)) found = line;
  }
  return found;
}
