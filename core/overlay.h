// Files whose text is another one than what lies on the disk: what an editor holds and has not saved.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CORE_OVERLAY_H
#define HGRD_CORE_OVERLAY_H

#include "core/arena.h"
#include "core/vec.h"

typedef struct OverlayFile {
  const char *path;      // absolute, without "." and ".."
  const char *text_path; // the file that has its text
} OverlayFile;

typedef struct Overlay {
  VEC(OverlayFile) files;
} Overlay;

// `path` under every name that a program in this folder may give it: as the system names the folder, as the
// shell does (PWD), and with links resolved. What is added last counts.
void overlay_add(Overlay *overlay, Arena *arena, const char *path, const char *text_path);
// Where the text of `path` lies: `path` itself unless it was added. `overlay` may be NULL.
const char *overlay_text_path(const Overlay *overlay, const char *path);

#endif
