// Names of files.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CORE_PATH_H
#define HGRD_CORE_PATH_H

#include "core/arena.h"

// The path as seen from the folder (NULL: from here); an absolute one is what it is, in its own place.
const char *path_join(const char *folder, const char *path, Arena *arena);
// The same without "." and "..".
const char *path_plain(const char *folder, const char *path, Arena *arena);
// In place, by the letters alone (links are not followed): "/a/./b/../c" becomes "/a/c".
void path_drop_dots(char *path);

#endif
