// Files of the user: source lines for carets, and output that is there completely or not at all.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_DRIVER_FILES_H
#define HGRD_DRIVER_FILES_H

#include "core/overlay.h"
#include <stdbool.h>

typedef struct SourceCache SourceCache;
SourceCache *source_cache_make(Arena *arena, const Overlay *overlay); // the latter may be NULL
// The text of a line without its end; NULL if there is none. The signature is that of
// ReportOptions.read_line.
const char *source_cache_line(void *cache, const char *file, uint32_t line);

// The whole file, NUL-terminated; NULL, with errno set, if it is not a regular file that can be read, or is
// larger than 512 MiB.
char *file_read(const char *path, Arena *arena, size_t *length);
// All of standard input, as a file without a name that other processes find under the path returned as long
// as this one runs; NULL with the reason in errno.
const char *file_of_stdin(Arena *arena);
// A file that is written in pieces and is there completely or not at all: a neighbour that takes the name in
// the end. What is no regular file (/dev/stdout, a pipe) is written directly.
typedef struct FileWriter FileWriter;
FileWriter *file_writer_open(const char *path, Arena *arena, const char **error); // NULL: *error says why
FileWriter *file_writer_stdout(Arena *arena);
// Failures are remembered, and what follows is dropped.
void file_writer_add(FileWriter *writer, const char *text, size_t length);
// On failure: false, nothing changed under the name, and the reason in *error.
bool file_writer_close(FileWriter *writer, const char **error);

#endif
