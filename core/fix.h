// A change of the text that was checked: with it the finding is gone and nothing new has come.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CORE_FIX_H
#define HGRD_CORE_FIX_H

#include "core/vec.h"
#include <stdbool.h>
#include <stddef.h>

// What stands in [start, end) is replaced. Lines and columns from 1, columns in bytes.
typedef struct FixEdit {
  const char *file; // as reports name it
  size_t start, end;
  uint32_t start_line, start_column, end_line, end_column;
  const char *text;
} FixEdit;

typedef struct Fix {
  const char *title;  // "insert __syncthreads() before line 17"
  VEC(FixEdit) edits; // by file, then place; none overlap
  const char *diff;   // the same as a unified diff, once it is proved
  bool is_assumption; // it says what the host has to guarantee (A3), and mends nothing by itself
} Fix;

#endif
