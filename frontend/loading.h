// The files of one program while it is loaded: what frontend.c and compile.c share.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_FRONTEND_LOADING_H
#define HGRD_FRONTEND_LOADING_H

#include "frontend/internal.h"

typedef struct Unit {
  const char *path;
  Language language;
  const CompileFlags *flags;
  Process *host, *device; // NULL if there is none; host NULL: the file cannot be read
  LLVMModuleRef host_module, device_module;
  bool is_linked; // the device side, with others
  bool has_host;  // before it was linked with others
  IrModule *host_ir, *device_ir;
  MendResult mended;
  const char *included; // what clang lists of it, for parts.c; NULL: not asked yet
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
} Loading;

// ---- compile.c ------------------------------------------------------------------------------------------
void compile_prepare(Loading *loading); // fills host and device of the units that can be read
bool process_succeeded(const Process *process);
// What clang said of each unit, corrected and repeated where it failed. A unit that is left without a side
// has been reported: as an error, or as a note if the device side can do without.
void compile_judge(Loading *loading, Program *program);

#endif
