// The door of hostscan/series/: one value that stands for many: an element of an array, of which it is not said which one,
// and what a variable is in some round of a loop.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_HOSTSCAN_SERIES_H
#define HGRD_HOSTSCAN_SERIES_H

#include "hostscan/scan.h"

// elements.c
// Is the cell an element of which it is not said which one?
bool host_is_element(HostScan *scan, HostCell cell);
bool host_is_of_element(HostScan *scan, ExprRef ref); // is it another value for another element?
ExprRef host_element(HostScan *scan);                 // the symbol
// With the unknown values of the element as functions of it.
ExprRef host_by_elements(HostScan *scan, ExprRef ref);
// What is said of the element, said of another one.
ExprRef host_at_element(HostScan *scan, ExprRef ref, ExprRef element);
// An unknown function of the element, like the symbol. Its value for the element, and the function.
ExprRef host_function_of_element(HostScan *scan, const ExprSym *like, uint32_t *func);
// Keeps what a function stands for: its symbol; without one, what the writer put there.
void host_note_origin(HostScan *scan, HostFuncOrigin origin);
// A description of a function, to be made, of which is known what is known of the symbol.
ExprFunc host_function_like(const ExprSym *sym);
// "Is `offset`, to which a word of `bytes` is written, where the element lies?": the same place, or, for
// another width, overlapping.
ExprRef host_is_at_element(HostScan *scan, ExprRef offset, uint32_t bytes, HostCell cell);
bool host_holds_func(const ExprPool *pool, ExprRef ref, const IndexList *funcs); // one of them
// The condition holds of every value of the function, a fill.
void host_fill_fact(HostScan *scan, uint32_t func, ExprRef condition);

// pending.c
// Stands for the value, until it is known whether the copy at `inst` is over that put it there. It is an unknown function of the
// value and of the element for who does not ask; func: a function that is new (*is_new), or was made for this copy before.
ExprRef host_pending(HostScan *scan, const HostFrame *frame, uint32_t inst, ExprRef value, uint32_t *func,
                     bool *is_new);
ExprRef host_behind_pending(const HostScan *scan, const ExprNode *node); // what it stands for; 0: it is none
// The value without all such functions; they are added to the list, as far as they are not there.
ExprRef host_without_pending(HostScan *scan, ExprRef value, IndexList *funcs);
ExprRef host_with_pending(HostScan *scan, ExprRef value,
                          const IndexList *funcs); // until all of them are over

// iterations.c
uint32_t host_loop_with_header(const Cfg *cfg, uint32_t block); // CFG_NONE if it is no header
// The symbol of the loop's iteration number, always the same one.
ExprRef host_loop_count(HostScan *scan, HostFrame *frame, uint32_t loop);
// A variable of a loop; where it has no place of its own, that of the loop's test.
SrcLoc host_loop_loc(HostScan *scan, const HostFrame *frame, uint32_t loop, const IrInst *phi);
// Is the value another one in another round of this loop of the frame?
bool host_sym_varies(const HostScan *scan, uint32_t sym, const HostFrame *frame, uint32_t loop);
bool host_varies_in(HostScan *scan, ExprRef ref, const HostFrame *frame, uint32_t loop);
// Does `ref` change in the loop in no way but through its iteration number?
bool host_depends_only_on_count(HostScan *scan, ExprRef ref, const HostFrame *frame, uint32_t loop);
// Is it start + stride * count, where start does not change in the loop?
bool host_split_affine(HostScan *scan, ExprRef offset, ExprRef count, ExprRef *start, int64_t *stride);

#endif
