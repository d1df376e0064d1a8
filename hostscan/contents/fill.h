// The stores of a loop of the host, of which it is not said which run of them wrote an element.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_HOSTSCAN_CONTENTS_FILL_H
#define HGRD_HOSTSCAN_CONTENTS_FILL_H

#include "hostscan/contents/contents.h"

typedef struct FillStore { // in the loop, or in a function that is called there
  HostFrame *frame;
  uint32_t inst;
  uint32_t top; // in the frame of the loop: the store, or the call that leads to it
  ExprRef offset, value;
  uint32_t bytes; // of a copy, more than the element
} FillStore;

typedef struct
    FillVarying { // a symbol that changes in the loop, and what it was when the element was written
  uint32_t sym;
  ExprRef then;
} FillVarying;

typedef struct Fill { // one store
  HostScan *scan;
  HostFrame *frame;
  uint32_t loop;
  HostCell cell;
  const FillStore *store;
  uint32_t anchor; // function that all conditions are kept with
  ExprRef wrote;   // the store wrote the element
  VEC(FillVarying) varying;
  VEC(uint32_t) found; // symbols of the expression in hand
  // Where this store alone changes the array in the loop: what the element held before the loop; else 0.
  ExprRef before;
  bool keeps_natural; // nothing in the array is negative, before the loop and in each round (sums.c)
} Fill;

typedef struct FillStores { // by instructions of the host, and by launches
  HostLoopPlace loop;
  VEC(FillStore) host;
  HostLaunchStores device;
} FillStores;

// ---- contents.c
// All stores of `stores->loop` to the array; false if there are others that are not understood.
bool fill_list_stores(HostScan *scan, HostCell cell, FillStores *stores);

// ---- fill.c
void fill_keep(Fill *fill, ExprRef condition); // it holds where the store wrote the element
// The expression as it was when the element was written; does it change in the loop?
ExprRef fill_then(Fill *fill, ExprRef ref, bool *varies);
bool fill_is_always_made(const Fill *fill); // in each round
// The store writes one word, or one piece of the same length, after another: from `start` + `stride` * iteration on.
bool fill_is_in_steps(Fill *fill, ExprRef *start, int64_t *stride);
// Is the symbol what lay somewhere in the array at the start of a round?
bool fill_is_at_header(HostScan *scan, HostLoopPlace loop, uint32_t symbol, HostCell cell);
// What an element of the array of that content of memory held where the symbol is that; 0: not seen.
ExprRef fill_content(HostScan *scan, const HostSym *sym, HostCell cell);
bool fill_is_read_in(const HostSym *sym, HostLoopPlace loop); // is the place where it was that in the loop?
// So many bytes behind what is stored?
bool fill_is_beside(const Fill *fill, ExprRef value, int64_t *bytes);

// ---- sums.c
void fill_note_naturals(Fill *fill); // sets keeps_natural
// At the end of a round, if that is never less than the symbol itself; else 0.
ExprRef fill_rising(const Fill *fill, uint32_t symbol);
// a[i + 1] = a[i] + d with d >= 0: what is stored, and *before with what lay before the first element that is written; else 0.
ExprRef fill_running_sum(Fill *fill, ExprRef *before);
ExprRef
fill_counted(const Fill *fill); // a[x] += d with d >= 0, wherever that is: what the element holds; else 0

// ---- counts.c
// Where the loop adds one to one element in each round, and does nothing else to the array: what the element holds then; else 0.
ExprRef fill_count(const Fill *fill);
// What an array in which the loop counts held in the element of a round, at its start; 0: it is not that.
ExprRef fill_number(Fill *fill, uint32_t symbol);

// What lay in another array, in which a loop has counted, when the element was written; 0: it is not that.
ExprRef fill_counted_before(Fill *fill, uint32_t symbol);

// ---- marks.c
void fill_keep_marks(Fill *fill);

#endif
