// Which file does a name mean, by its letters?
//
// What clang's virtual file system takes for one file (-ivfsoverlay, core/overlay.c) and an editor for one
// document: names are equal once "." and ".." are taken out.
//
// Soundness: no effect on verdicts; through a link, ".." may lead elsewhere, for clang's overlay as for us.
// SPDX-License-Identifier: Apache-2.0
#include "core/path.h"
#include "core/bug.h"

#include <stdbool.h>
#include <string.h>

const char *path_join(const char *folder, const char *path, Arena *arena) {
  ASSERT(path);
  if (!folder || path[0] == '/') return path;
  return arena_printf(arena, "%s/%s", strcmp(folder, "/") == 0 ? "" : folder, path);
}

const char *path_plain(const char *folder, const char *path, Arena *arena) {
  ASSERT(folder);
  ASSERT(path);
  char *name = arena_strdup(arena, path_join(folder, path, arena));
  path_drop_dots(name);
  return name;
}

void path_drop_dots(char *path) {
  ASSERT(*path == '/');
  size_t end = 0;
  for (const char *at = path; *at;) {
    at += strspn(at, "/");
    size_t length = strcspn(at, "/");
    bool is_up = length == 2 && memcmp(at, "..", 2) == 0;
    while (is_up && end > 0 && path[--end] != '/')
      continue;
    if (!is_up && length > 0 && !(length == 1 && *at == '.')) {
      path[end++] = '/';
      memmove(path + end, at, length);
      end += length;
    }
    at += length;
  }
  if (end == 0) path[end++] = '/';
  path[end] = '\0';
}
