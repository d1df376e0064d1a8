// Where something stands in the user's source, with the chain of inlined calls that leads there.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CORE_SRCLOC_H
#define HGRD_CORE_SRCLOC_H

#include <stdint.h>

typedef struct SrcLoc SrcLoc;
struct SrcLoc {
  const char
      *file;     // as the user wrote it on the command line or in an #include, interned; NULL: unknown place
  uint32_t line; // from 1; 0: unknown
  uint32_t column;      // from 1, in bytes; 0: unknown
  const char *function; // the function (demangled, without its arguments) whose text this is; "" if unknown
  const SrcLoc *inlined_at; // the call that was inlined, NULL when this text stands in the function itself
};

#endif
