// What does a detector remember of each word of memory? A sparse map from addresses to cells of one size, zero when they are
// first asked for. Method: pages of 1,024 cells in a map. A cell stands for an aligned word of four bytes; when an access
// to a part of the word comes, its cell is copied to four cells, one for each byte, and so it stays: neighbours in one word are
// no common memory, which detectors with one entry for four bytes (iGUARD, ScoRD) take them for. Nothing is forgotten.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_RT_DETECT_SHADOW_H
#define HGRD_RT_DETECT_SHADOW_H

#include "rt/events.h"
#include "rt/map.h"

typedef struct ShadowKind {
  size_t cell_bytes;
  bool (*copy)(void *context, void *to,
               const void *from);          // false: no memory, `to` stays zero; NULL: the bytes alone
  void (*drop)(void *context, void *cell); // NULL: it owns nothing
} ShadowKind;

typedef struct ShadowPage ShadowPage;
enum { SHADOW_RECENT = 1024 };
typedef struct ShadowRecent { // a page that was asked for, at the place of its number
  uint64_t number;
  ShadowPage *page;
} ShadowRecent;

typedef struct Shadow {
  const ShadowKind *kind;
  void *context; // of copy and drop
  RtMap pages;   // by number
  ShadowRecent recent[SHADOW_RECENT];
  uint64_t bytes; // of the pages and of their map
} Shadow;

typedef struct ShadowPart { // of an access: what one cell stands for
  uint64_t address;
  uint32_t bytes;  // 4 or 1
  uint32_t offset; // in the access
} ShadowPart;

// Calls `visit` for each cell that the access touches, in the order of the addresses. false: no memory for one.
bool shadow_visit(Shadow *shadow, const RtAccess *access,
                  void (*visit)(void *context, void *cell, const ShadowPart *part), void *context);
void shadow_clear(Shadow *shadow, uint64_t address, uint64_t bytes); // they are as if never asked for
void shadow_close(Shadow *shadow);

#endif
