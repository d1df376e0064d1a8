// What stands in that line of the source, and how does a report reach its file whole?
//
// Source files are read once and cut into lines. Output goes to a temporary neighbour that is renamed over
// the target, so that readers see the old file or the new one; a target that is no regular file (/dev/stdout,
// a pipe) is written directly.
//
// Soundness: no effect on verdicts; a source file that cannot be read only costs the caret lines.
// SPDX-License-Identifier: Apache-2.0
#define _XOPEN_SOURCE 700 // beyond plain POSIX: sigaltstack, realpath
#include "driver/files.h"
#include "core/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_BYTES_MAX = 64 << 20 };

// ---- reading
// -----------------------------------------------------------------------------------------------------

static bool read_all(int fd, char *text, size_t length) {
  for (size_t done = 0; done < length;) {
    ssize_t got = read(fd, text + done, length - done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    done += (size_t)got;
  }
  return true;
}

char *file_read(const char *path, Arena *arena, size_t *length) {
  int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); // opening a FIFO must not wait for its other end
  if (fd < 0) return NULL;
  struct stat info;
  char *text = NULL;
  if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size <= FILE_BYTES_MAX) {
    *length = (size_t)info.st_size;
    text = arena_alloc(arena, *length + 1);
    if (!read_all(fd, text, *length)) text = NULL;
  }
  close(fd);
  return text;
}

typedef struct SourceFile {
  const char *path;
  VEC(const char *) lines;
} SourceFile;

struct SourceCache {
  Arena *arena;
  VEC(SourceFile) files;
};

SourceCache *source_cache_make(Arena *arena) {
  SourceCache *cache = arena_new(arena, SourceCache);
  cache->arena = arena;
  return cache;
}

static SourceFile load_source(const char *path, Arena *arena) {
  SourceFile file = {.path = arena_strdup(arena, path)};
  size_t length = 0;
  char *text = file_read(path, arena, &length);
  for (char *end = text ? text + length : NULL; text && text < end;) {
    vec_push(arena, &file.lines, text);
    char *stop = memchr(text, '\n', (size_t)(end - text));
    stop = stop ? stop : end;
    if (stop > text && stop[-1] == '\r') stop[-1] = 0;
    *stop = 0;
    text = stop + 1;
  }
  return file;
}

const char *source_cache_line(void *context, const char *path, uint32_t line) {
  SourceCache *cache = context;
  SourceFile *file = NULL;
  for (uint32_t i = 0; i < cache->files.count && !file; i++)
    if (strcmp(cache->files.items[i].path, path) == 0) file = &cache->files.items[i];
  if (!file) {
    vec_push(cache->arena, &cache->files, load_source(path, cache->arena));
    file = &vec_last(&cache->files);
  }
  return line >= 1 && line <= file->lines.count ? file->lines.items[line - 1] : NULL;
}

// ---- writing
// -----------------------------------------------------------------------------------------------------

static bool write_all(int fd, const char *text, size_t length) {
  while (length > 0) {
    ssize_t put = write(fd, text, length);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    text += put, length -= (size_t)put;
  }
  return true;
}

static bool fail(const char *path, const char *what, Arena *arena, const char **error) {
  *error = arena_printf(arena, "cannot %s '%s': %s", what, path, strerror(errno));
  return false;
}

static bool write_directly(const char *path, const char *text, size_t length, Arena *arena,
                           const char **error) {
  int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return fail(path, "open", arena, error);
  bool is_written = write_all(fd, text, length);
  if (close(fd) != 0 || !is_written) return fail(path, "write", arena, error);
  return true;
}

// The mode a new file gets, or keeps: mkstemp's own is private to the user.
static mode_t output_mode(bool exists, const struct stat *info) {
  if (exists) return info->st_mode & 0777;
  mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

static bool replace(const char *path, const char *text, size_t length, mode_t mode, Arena *arena,
                    const char **error) {
  char *neighbour = arena_printf(arena, "%s.XXXXXX", path);
  int fd = mkstemp(neighbour);
  if (fd < 0) return fail(path, "create", arena, error);
  bool is_written = write_all(fd, text, length) && fchmod(fd, mode) == 0;
  is_written = close(fd) == 0 && is_written;
  if (is_written && rename(neighbour, path) == 0) return true;
  fail(path, "write", arena, error);
  unlink(neighbour);
  return false;
}

bool file_write(const char *path, const char *text, size_t length, Arena *arena, const char **error) {
  struct stat info;
  bool exists = stat(path, &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) {
    errno = EISDIR;
    return fail(path, "write", arena, error);
  }
  if (exists && !S_ISREG(info.st_mode)) return write_directly(path, text, length, arena, error);
  // A link keeps being a link: its target is replaced.
  char *real = exists ? realpath(path, NULL) : NULL;
  const char *target = real ? arena_strdup(arena, real) : path;
  free(real);
  return replace(target, text, length, output_mode(exists, &info), arena, error);
}
