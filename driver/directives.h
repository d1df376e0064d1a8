// Dimensions of launches in comments.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_DRIVER_DIRECTIVES_H
#define HGRD_DRIVER_DIRECTIVES_H

#include "core/diag.h"
#include "driver/files.h"

// Fills `grid` and `block` where they are not given ([0] is 0) and the comments in front of the file's code
// say what they are. Returns the line of the first such comment, 0 if there is none. Warnings go to the sink.
uint32_t directives_read(const char *path, SourceCache *sources, Arena *arena, DiagSink *sink,
                         int64_t grid[3], int64_t block[3]);

#endif
