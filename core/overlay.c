// Where does the text of a file lie?
//
// Names are compared as clang's virtual file system (-ivfsoverlay) compares them: made absolute, "." and ".."
// taken out by the letters alone, links not followed. So whoever reads a name here reads what clang reads
// under it; a file that has further names through links is added under those that are known.
//
// Soundness: a name that is not listed has the text of the disk, for clang and for us alike.
// SPDX-License-Identifier: Apache-2.0
#define _XOPEN_SOURCE 700 // beyond plain POSIX: realpath
#include "core/overlay.h"
#include "core/bug.h"
#include "core/path.h"
#include "core/str.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void add_name(Overlay *overlay, Arena *arena, const char *folder, const char *path,
                     const char *text_path) {
  const char *name = path_plain(folder, path, arena);
  for (uint32_t i = 0; i < overlay->files.count; i++)
    if (strcmp(overlay->files.items[i].path, name) == 0) {
      overlay->files.items[i].text_path = text_path;
      return;
    }
  vec_push(arena, &overlay->files, (OverlayFile){name, text_path});
}

void overlay_add(Overlay *overlay, Arena *arena, const char *path, const char *text_path) {
  ASSERT(path);
  char here[PATH_MAX];
  const char *shells = getenv("PWD");
  char *real = realpath(path, NULL);
  const char *kept = arena_strdup(arena, text_path);
  if (getcwd(here, sizeof here)) add_name(overlay, arena, here, path, kept);
  if (shells && shells[0] == '/') add_name(overlay, arena, shells, path, kept);
  if (real) add_name(overlay, arena, "", real, kept);
  free(real);
}

const char *overlay_text_path(const Overlay *overlay, const char *path) {
  ASSERT(path);
  if (!overlay || overlay->files.count == 0) return path;
  char name[PATH_MAX * 2] = "";
  size_t length = strlen(path);
  if (length >= PATH_MAX || (path[0] != '/' && !getcwd(name, PATH_MAX))) return path;
  size_t start = strlen(name);
  if (path[0] != '/') name[start++] = '/';
  memcpy(name + start, path, length + 1);
  path_drop_dots(name);
  for (uint32_t i = 0; i < overlay->files.count; i++)
    if (strcmp(overlay->files.items[i].path, name) == 0) return overlay->files.items[i].text_path;
  return path;
}
