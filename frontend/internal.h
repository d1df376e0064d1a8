// What the files of the front end share. The way of a file: flags.c and clang.c make command lines, process_pool.c
// runs them, bitcode.c reads, links and inlines, lower*.c make IR, recognise.c knows the names, demangle.c
// reads them.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_FRONTEND_INTERNAL_H
#define HGRD_FRONTEND_INTERNAL_H

#include "core/bug.h"
#include "core/finding.h"
#include "core/table.h"
#include "frontend/frontend.h"
#include "frontend/bundled.h"
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <time.h>

// ---- ptr_map.c: from a foreign pointer to a number
typedef struct PtrMap {
  Arena *arena;
  Map map; // by the address
} PtrMap;

void ptr_map_put(PtrMap *map, const void *key, uint32_t value); // replaces
bool ptr_map_get(const PtrMap *map, const void *key, uint32_t *value);

// ---- process_pool.c: child processes
#define PROCESS_EXTRA_FILE "/proc/self/fd/3"
typedef struct Process {
  const char *const *argv; // NULL-terminated; argv[0] is looked up in PATH
  int extra_file;          // open file that it finds as PROCESS_EXTRA_FILE, 0: none
  double wall_seconds;     // it is killed after so long; 0: three times its limit of processor time
  bool is_done;            // it is not to run (again)
  bool wants_list;         // it is clang, and `list` is filled in
  StrBuf output, errors;   // what it wrote; output may be binary
  const char *list;        // the files that it has read, as make takes them; NULL: not told
  int exit_status;         // -1 if it was killed or never ran
  int signal;              // that killed it, or 0
  int start_error;         // errno of a failed start, or 0
  double started, ended;   // seconds of a monotonic clock
  struct timespec begun;   // by the clock of files
} Process;

// Runs all of them, at most `parallel` at once, and waits. Limits the time and memory of each.
void process_run_all_told(Process *processes, uint32_t count, uint32_t parallel,
                          void (*told)(void *context, uint32_t done, uint32_t count), void *context);
void process_run_all(Process *processes, uint32_t count, uint32_t parallel);
double process_clock(void);

// ---- flags.c: what the user may hand to clang
typedef enum Language { LANGUAGE_BY_NAME = 0, LANGUAGE_CUDA, LANGUAGE_CXX, LANGUAGE_C } Language;

typedef struct CompileFlags {
  VEC(const char *) args; // for clang, both sides
  uint32_t arch;          // from --cuda-gpu-arch and the like, 0 if not given
  bool has_standard;      // -std= is among them
  Language language;      // from -x
} CompileFlags;

// One note for each message, however many files of a build have it.
void flags_note_once(DiagSink *sink, const char *message);
void flags_note_gap(DiagSink *sink, const char *message); // of a flag that is left out
// Takes what is harmless for clang; the rest is left out, what could load code or write files with a note.
void flags_filter(uint32_t count, const char *const *flags, Arena *arena, DiagSink *sink, CompileFlags *out);
bool flags_take_language(const char *name, CompileFlags *out); // of -x; false: it is none

// ---- refused.c
// The flags without one that clang refuses, as the failed process says; it is noted. NULL: it refuses none.
const CompileFlags *flags_clang_takes(const CompileFlags *flags, const Process *process, Arena *arena,
                                      DiagSink *sink);

// ---- build_json.c, build_database.c, nvcc.c: the flags of the user's own build
typedef struct BuildEntry {
  const char *file, *resolved, *directory;
  const char *output;     // what it makes, if the entry says so by itself; or NULL
  VEC(const char *) args; // the whole line
} BuildEntry;

typedef struct BuildDatabase {
  const char *file;
  VEC(BuildEntry) entries;
  const char *roots[2]; // folders of the build, resolved: options files count only within them
} BuildDatabase;

typedef struct BuildCommand {
  const char *compiler;  // without its folder
  const char *directory; // where it ran
  uint32_t count;        // arguments after the compiler
  const char *const *args;
  const char *const *roots; // as in BuildDatabase
} BuildCommand;

// Text of a regular file of at most `limit` bytes; NULL, with the reason in errno, EINVAL: no regular file.
const char *regular_file_text(const char *path, size_t limit, Arena *arena, size_t *length);
// Entries as they stand in the text; false with "LINE:COLUMN: what is wrong" or
// " entry NUMBER: what is wrong", as it follows the name of the file and a colon.
bool build_json_read(const char *text, size_t length, Arena *arena, BuildDatabase *out, const char **mistake);
// Adds the words of a command as a shell takes them apart; && || and ; are words of their own.
void build_split_command(BuildEntry *entry, const char *command, Arena *arena);
bool path_is_within(const char *path, const char *folder, Arena *arena); // after links and dots are resolved

bool build_database_read(const char *path, Arena *arena, DiagSink *sink, BuildDatabase *out);
const BuildEntry *build_database_find(const BuildDatabase *database, const char *path, Arena *arena);
BuildCommand build_entry_command(const BuildEntry *entry, Arena *arena);
void build_command_flags(const BuildCommand *command, Arena *arena, DiagSink *sink, CompileFlags *out);

// ---- special_files.c
typedef struct SpecialFile {
  const char *name, *kind; // as it is included; "a FIFO"
  const char *includer;    // "": the command line
  uint32_t line;
} SpecialFile;
typedef struct SpecialMemo SpecialMemo; // for many files with headers in common
struct Toolchain;
SpecialMemo *special_memo_make(Arena *arena);
// Does the file, or a header of the user's that it includes, include what cannot be read like a file?
bool special_file_included(const struct Toolchain *tools, const CompileFlags *flags, const char *path,
                           SpecialMemo *memo, Arena *arena, SpecialFile *found);

// ---- clang.c: finding clang and our declarations, command lines, failures
typedef struct Toolchain {
  const char *clang;           // compiler_find
  const char *cuda_dir;        // our declarations
  const char *toolkit;         // folder of a CUDA toolkit whose headers are used, or NULL
  const char *device_code;     // a file that host sides register as their device side, or NULL
  const char *known_toolkit;   // `toolkit`, or one that could be used; NULL if there is none or it is refused
  const char *precompiled;     // folder of our declarations in that form, or NULL
  bool has_toolkit_groups;     // cooperative groups and atomics are the toolkit's as well, not ours
  bool is_nvcc;                // __NVCC__ is defined, with the bundled declarations
  uint32_t arch;               // as asked for by the user, 0 if not
  const char *current_dirs[2]; // where clang runs: as the system and as the shell name it; either may be NULL
  const char *const *build_dirs;  // folders of the build, as in BuildDatabase; NULL: none is used
  VEC(const char *) foreign_dirs; // -isystem folders of all files: code in them is somebody else's
  const Overlay *overlay;         // texts that are not those of the disk, or NULL
  const char *overlay_file;       // its description for clang, or NULL
  int overlay_descriptor;
  struct Trail *trail; // of the file that is compiled; NULL: it is not asked for
} Toolchain;

// ---- virtual_files.c
// False, with an error, if clang cannot be told.
bool overlay_open(const FrontendOptions *options, Arena *arena, DiagSink *sink, Toolchain *tools);
void overlay_close(Toolchain *tools);
// A file without a name that holds the text, closed in children; -1 if there is none to be had.
int memory_file(const char *text, size_t length);

// regular_file_text of what clang reads under the name.
const char *source_text(const Toolchain *tools, const char *path, size_t limit, Arena *arena, size_t *length);

// ---- clang.c
const char *clang_find(const FrontendOptions *options, Arena *arena);    // its path or name
const char *compiler_find(const FrontendOptions *options, Arena *arena); // the same, or hgrd-clang's
bool toolchain_find(const FrontendOptions *options, Arena *arena, DiagSink *sink, Toolchain *out);
Language file_language(const CompileFlags *flags, const char *path); // never LANGUAGE_BY_NAME
// NULL-terminated argument list.
const char *const *clang_command(const Toolchain *tools, const CompileFlags *flags, const char *path,
                                 bool is_device, Arena *arena);
// Is the argument of a command in that of one side of a file alone?
bool clang_flag_is_of_one_side(const char *arg);
uint32_t clang_arch(const Toolchain *tools, const CompileFlags *flags);
uint32_t clang_known_arch(const Toolchain *tools, const CompileFlags *flags); // the nearest that clang knows
// The command that precompiles our header to the file `out`.
const char *const *clang_precompile_command(const Toolchain *tools, const CompileFlags *flags,
                                            const char *header, const char *out, bool is_device,
                                            Arena *arena);
// The toolchain with a toolkit's headers in place of ours, or ours in place of a toolkit's; false if there are
// none.
bool toolchain_other_headers(const Toolchain *tools, Toolchain *out);
// ---- precompiled.c
// Where precompiled declarations for this folder of ours lie; NULL if there are none.
const char *precompiled_folder(const char *cuda_dir, Arena *arena);
// The one for these flags, or NULL.
const char *precompiled_file(const Toolchain *tools, const CompileFlags *flags, bool is_device, Arena *arena);
// Did the process fail because clang does not take what was precompiled?
bool precompiled_is_refused(const Process *process);
const char *precompiled_place(const char *cuda_dir, Arena *arena); // the folder for them, there or not
const char *precompiled_record(const char *folder,
                               Arena *arena); // the file in it that says for which cuda_dir
// The name of one side's, there or not; NULL: with these flags they do not fit.
const char *precompiled_name(const char *folder, const CompileFlags *flags, uint32_t arch, bool is_device,
                             Arena *arena);

// ---- versions.c
// "19.1.7", as it says itself when it is run; NULL if it does not run or says something else.
const char *clang_ask_version(const char *clang, Arena *arena);

// ---- own_errors.c
// The process compiled the file `path`, and failed; so did `mended`, with empty headers in place of those that are
// not there (NULL: there was no such attempt). True: no other headers mend that.
bool errors_are_own(const Toolchain *tools, const Process *process, const Process *mended, const char *path,
                    Arena *arena);

// ---- failure.c
// What a line of what clang writes says, as an error or a note; NULL if it is neither. Is it at a place in
// the user's own text?
const char *clang_complaint(const Toolchain *tools, const char *line, bool *is_error, bool *is_users,
                            Arena *arena);
// Is there an error in the user's own text?
bool clang_blames_user(const Toolchain *tools, const Process *process, Arena *arena);
// Reports why `process` failed; `path` is the file it compiled.
void clang_report_failure(const Toolchain *tools, const Process *process, const char *path,
                          DiagSeverity severity, Arena *arena, DiagSink *sink);
// ---- clang.c: whose text is it?
// Ours, clang's or the system's, and not the user's.
bool path_is_system(const Toolchain *tools, const char *path);
bool toolchain_runs_in(const Toolchain *tools, const char *directory);
// Or somebody else's, by -isystem? Only for where to show an access: what such code means is not known to us.
bool path_is_foreign(const Toolchain *tools, const char *path);

// ---- sketches.c: our own files with what launches hang on of a library
typedef struct Sketch {
  const char *file;    // below the bundled declarations
  const char *library; // what it is called
} Sketch;
struct MissingHeader;
const Sketch *sketch_of_header(const struct MissingHeader *header); // NULL: its library has none

// ---- missing.c
typedef struct MissingHeader {
  const char *name, *includer; // as clang names them
  const char *plain;           // without "../" in front
  uint32_t line, column;       // of the name in the includer
  const char *folder;          // below which it lies, NULL: nowhere, or there are too many
  const Sketch *sketch;        // that is taken in its place, NULL: none is
} MissingHeader;
// The header because of which clang stopped. Where it lies is not filled in.
bool missing_header_of(const Process *process, Arena *arena, MissingHeader *out);
const char *missing_header_folder(const MissingHeader *header, Arena *arena);
void missing_header_complete(MissingHeader *header);       // fills in `plain`
bool missing_header_is_plain(const MissingHeader *header); // a name that one could have a file for

// ---- trail.c: what all attempts to compile a file have read and looked for
typedef struct HeaderSearch { // missing_header_folder: a question and its answer
  const char *includer, *plain, *folder;
} HeaderSearch;
typedef struct Trail {
  Arena *arena;
  VEC(const char *) lists;           // of what clang has read, as make takes them
  VEC(const char *) wide_lists;      // the same with names of headers that are not there, and of more files
  VEC(const char *) absent;          // names of headers that are not there
  VEC(const char *const *) commands; // that say where clang looks
  FrontendPaths folders;             // where it looks as well
  VEC(HeaderSearch) searches;
  struct timespec begun; // the first attempt
  bool is_partial;       // something else may have mattered
} Trail;
// A trail may be NULL: nothing is noted.
void trail_note_runs(Trail *trail, const Process *runs, uint32_t count); // that compiled
void trail_note_asked(Trail *trail, const Process *run);                 // that said what would be read
void trail_note_list(Trail *trail, const char *list);                    // by part_list; empty: it failed
void trail_note_folder(Trail *trail, const char *folder);
void trail_note_absent(Trail *trail, const char *name);
void trail_note_search(Trail *trail, const MissingHeader *header);
bool header_search_holds(const HeaderSearch *search, Arena *arena); // is that still the answer?

// ---- missing_all.c
// The next header that is not there, of what part_list_command's command wrote; *at is `list` at first.
bool missing_headers_next(const Toolchain *tools, const char *list, const char **at, Arena *arena,
                          MissingHeader *out);

// ---- missing_macros.c
typedef FrontendDoubts MacroDoubts;
// The text of a header for the place of one that is not there: it makes clang say where names are met that
// the files of the list test and that are not defined there. False if not all of them are in it.
bool missing_macros_header(const Toolchain *tools, const char *list, Arena *arena, StrBuf *out);
// The command that does so with that header in place.
const char *const *missing_macros_command(const char *const *compile, Arena *arena);
// Adds what clang has said there; `origin` names the headers: "the header 'config.h' ...".
void missing_macros_read(const Toolchain *tools, const char *errors, const char *origin, Arena *arena,
                         MacroDoubts *out);

// ---- demangle.c
// "void ns::k<float>(int*, unsigned int)" in parts. Plain C names have no arguments.
typedef struct Demangled {
  const char *display;   // "ns::k<float>"
  const char *qualified; // "ns::k"
  const char *base;      // "k"
  const char *arguments; // "int*, unsigned int", "" if none or unknown
} Demangled;
Demangled demangle(const char *mangled, Arena *arena);
// The mangled name of the kernel that a host stub launches ("_Z16__device_stub__kPf" gives "_Z1kPf"); NULL if
// `name` is no stub.
const char *stub_kernel_name(const char *name, Arena *arena);

// ---- recognise.c: functions that mean one IR operation
typedef enum RecogniseKind {
  REC_NONE = 0,
  REC_BARRIER,       // scope, detail = IrBarrierKind; `operands` of them are kept
  REC_TILE,          // a barrier of a tile whose number of lanes is the template argument of its class
  REC_FENCE,         // scope, order
  REC_RMW,           // scope, detail = IrRmw (signedness of min and max and float forms from the types)
  REC_CAS,           // scope
  REC_LOAD,          // order, scope: *argument 0
  REC_STORE,         // order, scope: *argument 0 = argument 1
  REC_LOAD_READONLY, // __ldg
  REC_SHUFFLE,       // `text` is the kind
  REC_VOTE,          // `text` is the kind
  REC_SREG,          // detail = IrSreg
  REC_CLUSTER,       // a number of the cluster, by name
  REC_MAPA,          // an address in shared memory of another block of the cluster
  REC_PURE,          // no memory; pointer arguments are results
  REC_DROP,          // no effect that matters
  REC_STOP,          // does not return
  REC_EXIT,          // ends the thread as a return of the kernel does
  REC_BITS,          // the same bits as another type
  REC_ADDRESS,       // a pointer or address of another address space
  REC_MUL24,         // detail 1: unsigned
  REC_MINMAX,        // detail = IrPred that selects the first argument
  REC_ABS,
  REC_MEMCPY,     // destination, source, length; the result is the destination
  REC_MEMSET,     // destination, byte, length
  REC_ASYNC_COPY, // destination, source, bytes (, bytes read or mbarrier)
  REC_ASYNC_FILL, // destination, source, bytes, bytes of them that become zeros
  REC_ASYNC_COMMIT,
  REC_ASYNC_WAIT,  // argument 0 or, if there is none, detail
  REC_MBARRIER,    // detail = IrMbarrierKind: address (, number), then order and scope if `operands` are more
  REC_PIPELINE,    // detail = IrPipelineKind: address (, number)
  REC_GIVEN_RMW,   // p, v, rmw, order, scope as constants
  REC_GIVEN_CAS,   // p, expected, desired, order, scope
  REC_GIVEN_LOAD,  // p, order, scope
  REC_GIVEN_STORE, // p, v, order, scope
  REC_GIVEN_FADD,  // p, v, order, scope
  REC_GIVEN_FENCE  // order, scope
} RecogniseKind;

typedef struct Recognition {
  const char *name;
  RecogniseKind kind;
  uint8_t scope, order;
  uint16_t detail;
  uint8_t operands; // arguments that are kept
  const char *text;
} Recognition;

// By base name of a C++ function or by its C name; NULL if it is nothing special.
const Recognition *recognise_function(const Demangled *name, bool is_device);
const Recognition *recognise_intrinsic(const char *name); // llvm.nvvm.*
bool recognise_is_pure_math(const char *name);
const char *recognise_name_of_library(const char *name); // "__nv_popc" is "__popc"; else the name itself
bool recognition_needs_declaration(RecogniseKind kind);  // a function with a body is better read

// ---- included_parts.c
// What the file that the command compiles includes, as clang lists it; "" if that cannot be told.
const char *part_list(const char *const *compile_other, Arena *arena);
// Does a file of the list that is not the system's have the word in it?
bool part_list_mentions(const char *list, const char *word, const Toolchain *tools);
bool part_is_in(const char *path, const char *list, Arena *arena);
const char *const *part_list_command(const char *const *compile, Arena *arena);
const char *part_list_next(const char **at, Arena *arena); // the next name of a list; NULL at its end

// ---- bitcode.c: modules of LLVM
// A context that collects LLVM's error messages.
LLVMContextRef bitcode_context_open(StrBuf *messages);
LLVMModuleRef bitcode_read(LLVMContextRef context, const StrBuf *bytes, const char *path,
                           const StrBuf *messages, DiagSink *sink);
LLVMModuleRef bitcode_read_file(LLVMContextRef context, const char *path, DiagSink *sink); // bitcode or text
// Gives variables of `device` that `host`, its other side, does not name names of their own. Both may be
// NULL.
void bitcode_keep_own(LLVMModuleRef host, LLVMModuleRef device, uint32_t unit, Arena *scratch);
// Adds `host` to `program` and disposes of it. `device` is the other side of the same file, or NULL.
bool bitcode_link(LLVMModuleRef program, LLVMModuleRef host, LLVMModuleRef device, uint32_t unit,
                  const char *path, const StrBuf *messages, Arena *scratch, DiagSink *sink);
const char *value_name(LLVMValueRef value); // never NULL

// ---- sides.c: the host and the device side at once
typedef struct Side {
  LLVMContextRef context; // NULL: not started
  StrBuf messages;        // of LLVM
  Arena *scratch;
  Arena *results; // lives as long as the program
  DiagSink *sink; // of this side alone, in `scratch`
} Side;
void side_open(Side *side, Arena *owner); // of what the side leaves; without a context
void side_start(Side *side);              // with one: LLVM is started
// Adds the side's messages to `sink`. `is_left`: the context and all modules in it stay where they are.
void side_close(Side *side, bool is_left, DiagSink *sink);
typedef void (*SideWork)(void *context, bool is_device);
void on_both_sides(SideWork work, void *context); // calls `work` for either side, at the same time

// ---- device_link.c
// Puts into each device module what it uses and another one defines; replaced modules are disposed of.
void device_link(uint32_t count, LLVMModuleRef *modules, const char *const *paths, const StrBuf *messages,
                 Arena *scratch, DiagSink *sink);

// ---- simplify.c: to a fixed simple form
bool simplify_device(LLVMModuleRef module, const Toolchain *tools, DiagSink *sink, const char *path);
// Loops with more than one entry become loops with one.
bool simplify_loops(LLVMModuleRef module, DiagSink *sink, const char *path);
bool simplify_host(LLVMModuleRef module, const Toolchain *tools, DiagSink *sink, const char *path);
void kernels_of(LLVMModuleRef module, PtrMap *kernels); // the functions marked as kernels
// ---- growth.c: vectors of the host keep their elements where they are when they grow
void vectors_stay_in_place(LLVMModuleRef module);
// ---- compiled_already.c: what the C++ library has compiled is a call of the library, though its text is seen
void compiled_functions_are_calls(LLVMModuleRef module);
// ---- looks_only.c: does the function write to no memory but its own variables?
bool function_only_looks(LLVMValueRef function);
// ---- host_orders.c: sorts, shuffles and sums of the host say what they leave
void orders_are_told(LLVMModuleRef module);
// A builder in a new first block, which has to end the function: what was there is not reached any more. The caller disposes of it.
LLVMBuilderRef function_rewrite(LLVMValueRef function);
// ---- inline.c
// The recognition of a function of LLVM, which counts only where its text is not the user's.
const Recognition *recognise_value(LLVMValueRef function, const Toolchain *tools, bool is_device,
                                   Arena *scratch);
bool global_is_managed(LLVMValueRef global); // __managed__: one variable of both sides
bool function_is_in_system(LLVMValueRef function, const Toolchain *tools);
// In an include folder of the system or of a toolkit, not in a program that lies there.
bool function_is_of_library(LLVMValueRef function, const Toolchain *tools);
bool call_is(LLVMValueRef instruction); // call or invoke
// ---- unused_reads.c
void reads_keep(LLVMModuleRef module);    // before passes: reads whose result nobody uses are to stay
void reads_release(LLVMModuleRef module); // after them; nothing else is left of it
// ---- constant_indices.c
bool constant_indices(LLVMModuleRef module); // folds them; whether an address has become known
// ---- own_params.c
// A kernel that may write a struct that it is given by value gets a variable of its own for it. True if it
// has one now that it had not.
bool own_params_copy(LLVMModuleRef module, LLVMValueRef kernel);
// Copies of such a struct that nobody changes are left out. True if there were any.
bool own_params_share(LLVMModuleRef module, LLVMValueRef kernel);
// ---- chosen_calls.c: calls through pointers that go back to functions with names; true if the module
// changed
bool chosen_calls_expand(LLVMModuleRef module);

// ---- unseen.c
// The classes of a host module that are seen whole, by name; before anything is inlined or left out.
void classes_survey(LLVMModuleRef module, Arena *arena, StrTable *strings, IrClasses *out);

// ---- lower.c
typedef struct LowerRequest {
  LLVMModuleRef module;
  const Toolchain *tools;
  const char *path;
  bool is_device;
  uint32_t arch;
  const IrClasses *classes; // NULL: none
  Arena *arena;
  StrTable *strings;
} LowerRequest;
IrModule *lower_module(const LowerRequest *request);

#endif
