// The files of one program while it is loaded: what frontend.c and compile.c share.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_FRONTEND_LOADING_H
#define HGRD_FRONTEND_LOADING_H

#include "frontend/inputs.h"
#include "frontend/fixup.h"

typedef struct Unit {
  const char *path;
  Language language;
  const CompileFlags *flags;
  Process *host, *device; // NULL if there is none; host NULL: the file cannot be read
  LLVMModuleRef host_module, device_module;
  bool is_linked; // the device side, with others
  bool has_host;  // before it was linked with others
  IrModule *host_ir, *device_ir;
  FixupResult mended;
  const char *included; // what clang lists of it, for included_parts.c; NULL: not asked yet
  // What is kept (program_cache.c): what was said of it, what clang has read in all attempts, and how it is known.
  DiagSink *said;
  Trail trail;
  FrontendPaths searched; // where clang looked when an older text of the file was compiled by this command;
                          // empty: not known
  bool has_failed;        // it does not compile, and what was said of it says why
  bool is_bare;           // included by another file that is given: which sides compile is known, and no more
  bool host_compiles, device_compiles; // if it is bare
  bool is_restored;                    // not compiled in this run
  bool is_known;                       // `content` is there
  FrontendPaths read;                  // if it was found: the files that were read
  Digest key, content;
} Unit;

typedef struct Loading {
  const FrontendOptions *options;
  Toolchain tools;
  Arena *arena; // results
  Arena *scratch;
  StrTable *strings;
  DiagSink *sink;
  Side sides[2]; // host, device
  VEC(Unit) units;
  VEC(Process) processes;
  bool defines_main;
  IrClasses classes;
  bool wants_lists;     // of what clang reads, even if nothing is kept
  const char *identity; // of clang and where it runs; NULL: nothing is kept
  uint32_t first_diag;  // of those that the files are told by
  bool is_restored;     // the whole program
} Loading;

// ---- compile.c
void compile_prepare(Loading *loading); // fills host and device of the units that can be read
bool process_succeeded(const Process *process);
// What clang said of each unit, corrected and repeated where it failed. A unit that is left without a side
// has been reported: as an error, or as a note if the device side can do without.
void compile_judge(Loading *loading, Program *program);

// ---- unit.c
// What became of a file, without its links to others, as bytes and back.
void unit_code(Codec *codec, const Toolchain *tools, Unit *unit);
// The same as a file of its own. On a mistake: false and what is wrong, to follow the file's name.
void unit_write(const Loading *loading, Unit *unit, StrBuf *out);
bool unit_read(const Loading *loading, const char *bytes, size_t length, Unit *unit, const char **mistake);

// ---- stand_ins_used.c
// Could it be seen that something only stands in for a name of a header that is not there? Then its callers and launches are not all seen.
bool stand_ins_matter(const Loading *loading, const Program *program, const FixupResult *mended);

// ---- program_cache.c
void program_cache_start(Loading *loading); // finds `identity`
bool program_cache_find(Loading *loading,
                        Program *program);       // restores units; true: the whole program is restored
void program_cache_find_units(Loading *loading); // restores units alone
void program_cache_put_units(Loading *loading);
void program_cache_put(Loading *loading, Program *program);

#endif
