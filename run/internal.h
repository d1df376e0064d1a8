// hgrd-run: what its files share. The way of a program: main.c reads the command line (run_options.c), build.c has clang compile each file,
// host.c marks the launches of its host side, device_module.c makes one module of all device sides, which machine code is made of
// (externals.c, assembly.c, lane_pointer.c, shared.c, watch.c, guard.c, image.c), and links it with libhgrdrt; start.c runs it.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_RUN_INTERNAL_H
#define HGRD_RUN_INTERNAL_H

#include "core/diag.h"
#include "core/path.h"
#include "core/process.h"
#include "core/str.h"
#include "core/table.h"
#include "core/vec.h"
#include "frontend/frontend.h"
#include "rt/code.h"
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

// ---- run_options.c
typedef enum RunAction { RUN_ACTION_RUN, RUN_ACTION_BUILD, RUN_ACTION_HELP, RUN_ACTION_VERSION } RunAction;
typedef struct RunOptions {
  RunAction action;
  const char *out;      // of --build
  const char *detector; // NULL: the usual one
  const char *replay;   // NULL, or the name of a schedule
  const char *json;     // file, or NULL
  uint32_t schedules, timeout;
  bool is_verbose, watches_all;
  uint32_t file_count, flag_count, argument_count;
  const char *const *files, *const *flags, *const *arguments;
  uint32_t arch;
} RunOptions;
bool run_options_parse(int argc, char **argv, Arena *arena, RunOptions *out, const char **error);
void run_options_help(StrBuf *out);
// ---- run_version.c
void run_version(StrBuf *out);

// ---- device_module.c
typedef struct DeviceKernel {
  uint32_t unit;
  const char *name, *linked;
  uint32_t max_threads;
  bool is_judged, is_proved; // by hgrd-check, for all launches (proved_places.c)
} DeviceKernel;
typedef struct DeviceVariable {
  uint32_t unit;
  const char *name, *linked;
} DeviceVariable;
typedef struct DevicePlace {
  const char *file, *function, *path;
  uint32_t line, column;
} DevicePlace;
typedef struct Device {
  Arena *arena;
  DiagSink *sink;
  const FrontendOptions *options;
  StrTable *strings;
  LLVMContextRef context;
  LLVMModuleRef module; // NULL until the first unit
  LLVMBuilderRef builder;
  LLVMTargetDataRef layout;
  const char *host_triple, *host_layout;
  VEC(DeviceKernel) kernels;
  VEC(DeviceVariable) variables;
  VEC(DevicePlace) places;                    // the first one is none
  Table place_table;                          // of places by what they are; number 0 is no place
  bool has_proofs;                            // proved_places.c, with the next three
  VEC(bool) touched;                          // by the number of a place: memory is accessed there
  VEC(SrcLoc) open_places;                    // whose accesses are in pairs that are not proved apart
  VEC(LLVMValueRef) watched;                  // functions that a kernel without a proof may run
  VEC(const char *) system_files, user_files; // interned, already asked for
  LLVMMetadataRef
      last_file; // of scope_file, and what it answered: instructions of one file follow each other
  const char *last_name;
  VEC(const char *) library; // sorted: what the machine has, without the prefix
  StrBuf messages;
  LLVMTypeRef lane_type, i8, i32, i64, pointer;
  LLVMValueRef lane;           // hgrd_lane
  uint64_t common_shared;      // bytes of what several kernels use
  VEC(uint64_t) kernel_shared; // in the order of `kernels`: all static shared bytes
} Device;

void device_open(Device *device, Arena *arena, DiagSink *sink, const FrontendOptions *options);
void device_close(Device *device);
MUST_USE bool device_add(Device *device, uint32_t unit, const StrBuf *bitcode, const char *path);
#define MANAGED_PREFIX "hgrd_managed." // of names that the host side links as well
bool is_managed(LLVMValueRef global);  // __managed__
const char *managed_name(Device *device, LLVMValueRef global, uint32_t unit); // by which both sides link it
// The whole of it as bitcode for the machine; false with an error.
// `proofs`: a report of hgrd-check, or NULL.
MUST_USE bool device_finish(Device *device, const char *proofs, const char *out_path);

// Runs LLVM's passes over it; false with an error.
MUST_USE bool device_passes(Device *device, const char *passes);

// ---- value_names.c
const char *value_text(LLVMValueRef value); // its name
bool has_prefix(const char *text, const char *prefix);

// ---- places.c
uint32_t place_of(Device *device, LLVMValueRef instruction); // 0: its text is not the user's
bool is_system_function(Device *device, LLVMValueRef function);
bool is_system_text(Device *device, const char *file);
const char *scope_file(LLVMMetadataRef scope, Device *device);
const char *function_text(Device *device, LLVMValueRef function); // as the user wrote it
void function_place(Device *device, LLVMValueRef function, const char **file, uint32_t *line);

// ---- lane_pointer.c
// All work at the place of the builder.
LLVMValueRef lane_here(Device *device);                                     // the lane of the function there
LLVMValueRef lane_field(Device *device, LLVMValueRef lane, uint32_t field); // its address
LLVMValueRef lane_word(Device *device, uint32_t field, uint32_t index);
LLVMValueRef lane_pointer(Device *device, uint32_t field);
void lane_set_place(Device *device, uint32_t place);
void lane_declare(Device *device);

// ---- externals.c
MUST_USE bool library_read(Device *device, const char *path);
// Intrinsics of NVVM and functions without a text become what the machine has; false with an error for each that it has not.
MUST_USE bool library_bind(Device *device);
bool library_has(const Device *device, const char *name); // the machine has it
LLVMValueRef library_register(Device *device,
                              const char *name); // "tid.x", at the place of the builder; NULL: not a field

// ---- assembly.c
MUST_USE bool assembly_bind(
    Device *device); // PTX in line becomes code; false with an error for each text that it cannot be made of

// ---- shared.c
void shared_place(Device *device);

// ---- proved_places.c
void proofs_read(Device *device, const char *path);
bool proofs_are_for(const Device *device, LLVMValueRef function); // may accesses of it be left out?
bool proofs_cover(const Device *device, uint32_t place);          // and those at this place?

// ---- guard.c
LLVMValueRef site_new(Device *device);
LLVMValueRef guard_make(Device *device, const char *name, LLVMValueRef slow, LLVMTypeRef *type);
LLVMValueRef count_make(Device *device, const char *name, LLVMTypeRef *type);

// ---- watch.c
void watch_accesses(Device *device);

// ---- image.c
void image_write(Device *device);

// ---- host.c
// Marks the launches; writes the module to out_path. Also fills in triple and layout of the device. `defines_main` is set if it does.
MUST_USE bool host_prepare(Device *device, uint32_t unit, const StrBuf *bitcode, const char *path,
                           const char *out_path, bool *defines_main);

// ---- build.c
MUST_USE bool build_program(const RunOptions *options, const char *folder, const char *out, Arena *arena,
                            DiagSink *sink);

// ---- start.c
int start_program(const RunOptions *options, const char *program, const char *folder, Arena *arena);

#endif
