// Shared by the files of hostscan/launch/ only.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_HOSTSCAN_LAUNCH_LAUNCH_H
#define HGRD_HOSTSCAN_LAUNCH_LAUNCH_H

#include "hostscan/launch.h"
#include "hostscan/contents.h"

// launch.c
// Limits of the machine, the words for the dimensions and the description, when all else is there.
void host_launch_finish(HostScan *scan, LaunchContext *launch, const IrFunction *kernel);

// arguments.c
// `kernel` may be NULL: then every operand is taken for a parameter.
void host_arguments_read(HostScan *scan, const HostArguments *from, const IrFunction *kernel,
                         LaunchContext *launch);
// From values that are known, one for each parameter: 64 bits and an address for a pointer. `from`: the launch of the host that leads there;
// memory is as that finds it.
void host_arguments_given(HostScan *scan, const HostArguments *from, const IrFunction *kernel,
                          const ExprRef *values, LaunchContext *launch);

// contents_read.c
bool host_is_unwritten(HostScan *scan, ExprRef value); // a content, of an element or not, that nobody wrote
// The condition, of any element, with what is known of the functions in it and in the value.
ExprRef host_with_conditions(HostScan *scan, LaunchContext *launch, ExprRef condition, ExprRef value);
// Under which condition is the value one that somebody wrote? 0: under all.
ExprRef host_is_written(HostScan *scan, ExprRef value);
// `is_child`: the launch is made by device code behind that one.
void host_contents_read(HostScan *scan, const HostArguments *from, const IrFunction *kernel,
                        const ExprRef *leaves, LaunchContext *launch, bool is_child);

// children_memory.c
typedef struct HostChildLaunch {     // made by device code
  uint32_t launch, parent;           // numbers among those of the result
  const IrFunction *kernel, *called; // that it starts; that makes it
  bool is_once;                      // each launch of `called` makes it once at most
} HostChildLaunch;
typedef struct HostChildLaunches {
  VEC(HostChildLaunch) all;
  VEC(const IrFunction *) loose; // kernels that may be launched in other ways besides
} HostChildLaunches;
// What the kernels on the way to each of them may write is not as the host's launch found it.
void host_children_memory(HostScan *scan, const HostChildLaunches *children);

// array_relations.c
// The instruction before which memory is as the content was found in it; CFG_NONE: none.
uint32_t host_place_of_content(const HostSym *sym);
// For a launch whose facts have been collected last.
void host_tables_compare(HostScan *scan, LaunchContext *launch);

// contents_idle.c
void host_contents_drop_idle(HostScan *scan, LaunchContext *launch);

// forks.c
typedef struct HostFork { // of one pointer, or of two into one allocation
  const char *what;       // in words; NULL: none is seen
  int64_t distance;       // from `other` to `one`
  bool is_far;            // which is not known
} HostFork;
// Two pointers that were read back, or are given by code that is not followed: does the program's text hand on one pointer, or two into one
// allocation, to where these come from?
HostFork host_forked(HostScan *scan, ExprRef one, ExprRef other);

// untold.c
// An unknown pointer out of memory: who in the program put it there, if the text is seen but not followed. NULL: none is.
const char *host_untold(HostScan *scan, ExprRef leaf);
// Of a pointer at a place that is known: the call whose text is not there that may have put it there; NULL: none.
const char *host_put_unseen(HostScan *scan, ExprRef leaf);
// The pointers that an element of memory may hold: of a loop's allocations each is at one element only. Who may have put one of them at two
// places, in words; NULL: nobody.
const char *host_held_twice(HostScan *scan, const HostTargets *targets);
// An unknown pointer of a launch that does not come from outside of the text that is given: what it is, in words that say who gave it. NULL:
// it may be assumed to lead elsewhere than others do (A2).
const char *host_strayed(HostScan *scan, ExprRef leaf);
// Were bytes copied to where the pointer was read, out of memory where they stay? Then it is at two places.
bool host_is_copied(HostScan *scan, ExprRef leaf);
// May code have put pointers into the memory before control is at the instruction?
bool host_puts_pointers(HostScan *scan, HostFrame *frame, uint32_t inst, ExprRef memory);
// Read behind setjmp: who may have put the other pointer there before control jumped back; NULL: nobody.
const char *host_put_since(HostScan *scan, ExprRef leaf, ExprRef other);
// Of a symbol for a number in memory: who of the host's code put it there, whether the text is seen or not; launches do not count (A15).
const char *host_set_number(HostScan *scan, const HostSym *sym);
// Who of it ever puts a number there, before the activation or after it.
const char *host_ever_set_number(HostScan *scan, HostFrame *frame, HostCell cell);
// In words, an instruction that is no launch and goes into no function.
const char *host_writer_at(HostScan *scan, HostFrame *frame, uint32_t inst);
// What the function of an element stands for, as it was said last; NULL: nothing was.
const HostFuncOrigin *host_func_origin(const HostScan *scan, uint32_t func);
// Who may write the cell when control is behind the instruction; NULL: nobody whose text is seen.
const char *host_changed_later(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell);

// copied.c
// Does the instruction copy pointers out of memory where they stay, or that holds one of them twice?
bool host_copies_what_stays(HostScan *scan, HostFrame *frame, uint32_t inst);

// untold_numbers.c
// Of the number that an array's element holds: who of the host's code put an unknown one there; strictly: who, launches as well, put
// another one than zero there.
const char *host_untold_number(HostScan *scan, ExprRef array, ExprRef value, bool is_strict);

// one_element.c
HostFrame *host_found_in(const HostScan *scan, const HostSym *sym); // where it was read
ExprRef host_holder_of(HostScan *scan,
                       const HostSym *sym); // what holds it, or what was read there; 0: not known
// Two pointers that were read back from memory: what may have found one place for both, in words; NULL: nothing is seen to.
const char *host_one_element(HostScan *scan, ExprRef one, ExprRef other);

// handed_on.c
// Two unknown pointers: which code that is not followed may have handed on one and the same as both, in words; NULL: none.
const char *host_handed_on(HostScan *scan, ExprRef leaf, ExprRef other);

// array_parts.c
// May the pointer, which is read back, be one that is moved on from another one?
bool host_holds_parts(HostScan *scan, ExprRef leaf);
// Why two that code reads which others run may be parts of one array; NULL: nothing says so.
const char *host_parts_given(HostScan *scan, ExprRef one, ExprRef other);

// related.c
// The launch's facts have been collected.
void host_related_doubt(HostScan *scan, LaunchContext *launch);

// texture_writes.c
void host_textures_check(HostScan *scan, const IrFunction *kernel, const ExprRef *leaves,
                         LaunchContext *launch);

// print.c
// "step<<<(n + 255) / 256, 256>>>(d_in, d_out, n)"
const char *host_describe_launch(const ExprPool *pool, Arena *arena, const char *kernel,
                                 const LaunchContext *launch);
// "d_in + n * 4", "k & 1 == 0 ? a : b", "n"
const char *host_describe_piece(const ExprPool *pool, Arena *arena, const LaunchContext *launch,
                                const ArgPiece *piece);

#endif
