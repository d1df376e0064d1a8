// Files of the user: source lines for carets, and output that is there completely or not at all.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_DRIVER_FILES_H
#define HGRD_DRIVER_FILES_H

#include "core/arena.h"
#include <stdbool.h>

typedef struct SourceCache SourceCache;
SourceCache *source_cache_make(Arena *arena);
// The text of a line without its end; NULL if there is none. The signature is that of
// ReportOptions.read_line.
const char *source_cache_line(void *cache, const char *file, uint32_t line);

// The whole file, NUL-terminated; NULL if it is not a regular file that can be read, or is larger than 64
// MiB.
char *file_read(const char *path, Arena *arena, size_t *length);
// Writes a neighbour and renames it. On failure: false, nothing changed, and the reason in *error.
bool file_write(const char *path, const char *text, size_t length, Arena *arena, const char **error);

#endif
