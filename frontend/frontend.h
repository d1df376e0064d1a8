// Files in, IR out: runs clang on the host side and the device side of each file, brings both to a fixed
// simple form with LLVM passes, and lowers them. The only folder that includes llvm-c/*.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_FRONTEND_H
#define HGRD_FRONTEND_H

#include "core/diag.h"
#include "core/digest.h"
#include "core/finding.h"
#include "core/ir.h"
#include "core/overlay.h"

// What earlier runs have found out, by digests of everything that it follows from (the program itself is
// taken care of). May be called by one thread at a time.
typedef enum FrontendKept { KEPT_INPUTS, KEPT_EARLIER, KEPT_UNIT, KEPT_PROGRAM } FrontendKept;
typedef struct FrontendStore {
  const void *(*get)(void *context, FrontendKept kind, Digest key, Arena *arena, size_t *length);
  void (*unfit)(void *context, FrontendKept kind); // what was got last is of no use
  void (*put)(void *context, FrontendKept kind, Digest key, const void *bytes, size_t length);
  void *context;
} FrontendStore;

typedef struct FrontendOptions {
  const char
      *clang; // path of clang; NULL: HGRD_CLANG from the environment, else the one found at configure time
  const char *resource_dir; // folder that holds our CUDA declarations; NULL: found relative to the binary
  const char *cuda_path;    // toolkit folder whose headers come first; "none": bundled declarations only;
                            // NULL: those first, then those of a toolkit that stands where one usually does
  uint32_t arch;            // 80 for sm_80; 0: from the command line of the file, else 80
  uint32_t flag_count;      // after `--`, handed to clang unchanged except for what could load code
  const char *const *flags;
  const char *build_path; // -p DIR: folder of compile_commands.json, or NULL
  bool
      keep_going_host; // a host side that does not compile is a note, not an error, when the device side does
  bool is_verbose;     // show the commands as notes
  bool is_last;        // the process ends soon: what LLVM holds may be left to the system
  const FrontendStore *store; // NULL: everything is compiled
  const char *version;        // of the program: in units, which are of no use to any other
  void (*told)(void *context, uint32_t done, uint32_t count); // of the compilers' runs; NULL: not asked
  void *told_context;
  const Overlay *overlay; // texts that are not those of the disk, of files that are there; or NULL
  const char *
      device_code; // a file that stands for the compiled device side: host sides register their kernels with it, and are
                   // to run; NULL: they are read only
} FrontendOptions;

// Places whose meaning hangs on what was not there (`#ifdef FAST` behind a header that is not found).
typedef VEC(UndecidedReason) FrontendDoubts;

typedef struct FrontendUnit {
  const char *path; // as given
  IrModule *device; // NULL if the file has no device side (.cpp) or it failed
  IrModule
      *host;    // NULL if it failed; shared by all units of a program once linked (then only units[0] has it)
  bool is_part; // does not compile by itself, but another file of the program includes it: it has no modules
  bool is_linked;              // its device side took functions or variables of other files
  FrontendDoubts doubts;       // nothing that is read from this file is decided if there are any
  double clang_seconds;        // wall time of both clang runs together (they run in parallel)
  const Digest *device_digest; // of all of `device`, if there is a store
} FrontendUnit;

typedef struct Program {
  VEC(FrontendUnit) units;
  bool has_gaps; // a part of the input was not there or is left out; filled in by the caller
  bool has_main; // a main function was seen: the visible callers are all callers
} Program;

// Everything in *program lives in `arena`; what was not there or is left out is a gap (core/diag.h); errors
// (file missing, does not compile, clang missing) go to the sink with the cause and the mend; a file with one
// has no modules, and the others are taken as if it had not been given. Returns false if nothing can be
// analysed. No files are left behind.
MUST_USE bool frontend_load(const FrontendOptions *options, uint32_t path_count, const char *const *paths,
                            Arena *arena, StrTable *strings, DiagSink *sink, Program *program);

typedef VEC(const char *) FrontendPaths;

// Compiles one file to a unit: what frontend_load would make of it up to where files are linked, with flags,
// messages and what was missing, as bytes that depend on nothing else. A file of these bytes, whose name ends
// in
// ".hgrd", may stand for the source in frontend_load. `read` (may be NULL): all files that were read, those
// of the system too. False with an error.
MUST_USE bool frontend_compile_unit(const FrontendOptions *options, const char *path, Arena *arena,
                                    DiagSink *sink, StrBuf *unit, FrontendPaths *read);
// What clang makes of one file, for hgrd-run: unoptimised bitcode, in the arena of `host`; `device` is empty where the file has no
// device side. False with an error.
typedef struct FrontendBitcode {
  StrBuf host, device;
} FrontendBitcode;
MUST_USE bool frontend_compile_bitcode(const FrontendOptions *options, const char *path, Arena *arena,
                                       DiagSink *sink, FrontendBitcode *out);
const char *frontend_clang(const FrontendOptions *options, Arena *arena); // its path or name
// Is the text of this file ours, clang's or the system's, and not the user's?
bool frontend_is_system(const FrontendOptions *options, const char *path);

// The files of a build (-p DIR) that hold CUDA, each once, in the order of the build; false, with an error,
// if there are none.
// With the name of a target of CMake's: all files of it instead, those without CUDA too.
MUST_USE bool frontend_build_files(const char *build_path, const char *target, Arena *arena, DiagSink *sink,
                                   FrontendPaths *out);

// Writes the bundled declarations in clang's precompiled form for the architecture and the language of the
// options, to where frontend_load looks for them; false with an error.
MUST_USE bool frontend_precompile(const FrontendOptions *options, Arena *arena, DiagSink *sink);

// The versions of clang, as it says itself when it is run, and of the LLVM that was linked, a line each.
void frontend_describe(const FrontendOptions *options, StrBuf *out);

// One bitcode or .ll file without clang, for tests: lowers it as the device or host side.
MUST_USE bool frontend_lower_file(const char *path, bool is_device, Arena *arena, StrTable *strings,
                                  DiagSink *sink, IrModule **module);

#endif
