// What stands in that line of the source, and how does a report reach its file whole?
//
// Source files are read once and cut into lines. Output goes, piece by piece, to a temporary neighbour that
// is renamed over the target, so that readers see the old file or the new one; a target that is no regular
// file (/dev/stdout, a pipe) is written directly.
//
// Soundness: no effect on verdicts; a source file that cannot be read only costs the caret lines.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE // realpath, memfd_create
#include "driver/files.h"
#include "core/bug.h"
#include "core/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_BYTES_MAX = 512 << 20 };

// ---- reading

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
  ASSERT(path);
  ASSERT(length);
  int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); // opening a FIFO must not wait for its other end
  if (fd < 0) return NULL;
  struct stat info;
  char *text = NULL;
  int error = 0; // why it was not read
  if (fstat(fd, &info) != 0)
    error = errno;
  else if (!S_ISREG(info.st_mode))
    error = S_ISDIR(info.st_mode) ? EISDIR : EINVAL;
  else if (info.st_size > FILE_BYTES_MAX)
    error = EFBIG;
  if (!error) {
    *length = (size_t)info.st_size;
    text = arena_alloc(arena, *length + 1);
    if (!read_all(fd, text, *length)) text = NULL, error = errno ? errno : EIO;
  }
  close(fd);
  errno = error;
  return text;
}

static bool write_all(int fd, const char *text, size_t length) {
  while (length > 0) {
    ssize_t put = write(fd, text, length);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    text += put, length -= (size_t)put;
  }
  return true;
}

// Everything that comes, into memory.
static bool copy_stdin(int file) {
  char buffer[65536];
  ssize_t got;
  for (size_t length = 0; (got = read(STDIN_FILENO, buffer, sizeof buffer)) != 0; length += (size_t)got) {
    if (got < 0 && errno == EINTR) got = 0;
    if (got < 0) return false;
    if (length > FILE_BYTES_MAX) {
      errno = EFBIG;
      return false;
    }
    if (!write_all(file, buffer, (size_t)got)) return false;
  }
  return true;
}

const char *file_of_stdin(Arena *arena) {
  int file = memfd_create("stdin", MFD_CLOEXEC);
  if (file < 0 || !copy_stdin(file)) return NULL;
  return arena_printf(arena, "/proc/%ld/fd/%d", (long)getpid(), file);
}

typedef struct SourceFile {
  const char *path;
  VEC(const char *) lines;
} SourceFile;

struct SourceCache {
  Arena *arena;
  const Overlay *overlay;
  VEC(SourceFile) files;
};

SourceCache *source_cache_make(Arena *arena, const Overlay *overlay) {
  SourceCache *cache = arena_new(arena, SourceCache);
  cache->arena = arena;
  cache->overlay = overlay;
  return cache;
}

static SourceFile load_source(const char *path, const char *text_path, Arena *arena) {
  SourceFile file = {.path = arena_strdup(arena, path)};
  size_t length = 0;
  char *text = file_read(text_path, arena, &length);
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
  ASSERT(path);
  ASSERT(line > 0);
  SourceCache *cache = context;
  SourceFile *file = NULL;
  for (uint32_t i = 0; i < cache->files.count && !file; i++)
    if (strcmp(cache->files.items[i].path, path) == 0) file = &cache->files.items[i];
  if (!file) {
    vec_push(cache->arena, &cache->files,
             load_source(path, overlay_text_path(cache->overlay, path), cache->arena));
    file = &vec_last(&cache->files);
  }
  return line >= 1 && line <= file->lines.count ? file->lines.items[line - 1] : NULL;
}

// ---- writing

struct FileWriter {
  Arena *arena;
  const char *path;      // as given
  const char *target;    // links followed
  const char *neighbour; // NULL: written directly
  mode_t mode;
  int fd;
  int error; // errno of the first failure
};

static const char *failure(const FileWriter *writer, const char *what, int error) {
  return arena_printf(writer->arena, "cannot %s '%s': %s", what, writer->path, strerror(error));
}

// The mode a new file gets, or keeps: mkstemp's own is private to the user.
static mode_t output_mode(bool exists, const struct stat *info) {
  if (exists) return info->st_mode & 0777;
  mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

static void open_neighbour(FileWriter *writer, bool exists, const struct stat *info) {
  // A link keeps being a link: its target is replaced.
  char *real = exists ? realpath(writer->path, NULL) : NULL;
  writer->target = real ? arena_strdup(writer->arena, real) : writer->path;
  free(real);
  writer->mode = output_mode(exists, info);
  char *neighbour = arena_printf(writer->arena, "%s.XXXXXX", writer->target);
  writer->fd = mkstemp(neighbour);
  writer->neighbour = neighbour;
}

FileWriter *file_writer_open(const char *path, Arena *arena, const char **error) {
  ASSERT(path);
  ASSERT(error);
  FileWriter *writer = arena_new(arena, FileWriter);
  *writer = (FileWriter){.arena = arena, .path = path, .fd = -1};
  struct stat info;
  bool exists = stat(path, &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) {
    *error = failure(writer, "write", EISDIR);
    return NULL;
  }
  if (exists && !S_ISREG(info.st_mode))
    writer->fd = open(path, O_WRONLY | O_CLOEXEC);
  else
    open_neighbour(writer, exists, &info);
  if (writer->fd >= 0) return writer;
  *error = failure(writer, exists ? "open" : "create", errno);
  return NULL;
}

FileWriter *file_writer_stdout(Arena *arena) {
  FileWriter *writer = arena_new(arena, FileWriter);
  *writer = (FileWriter){.arena = arena, .path = NULL, .fd = STDOUT_FILENO};
  return writer;
}

void file_writer_add(FileWriter *writer, const char *text, size_t length) {
  ASSERT(text);
  if (!writer->error && !write_all(writer->fd, text, length)) writer->error = errno;
}

bool file_writer_close(FileWriter *writer, const char **error) {
  ASSERT(error);
  if (!writer->path) {
    if (writer->error)
      *error = arena_printf(writer->arena, "cannot write to standard output: %s", strerror(writer->error));
    return !writer->error;
  }
  if (!writer->error && writer->neighbour && fchmod(writer->fd, writer->mode) != 0) writer->error = errno;
  if (close(writer->fd) != 0 && !writer->error) writer->error = errno;
  if (!writer->error && writer->neighbour && rename(writer->neighbour, writer->target) != 0)
    writer->error = errno;
  if (!writer->error) return true;
  if (writer->neighbour) unlink(writer->neighbour);
  *error = failure(writer, "write", writer->error);
  return false;
}
