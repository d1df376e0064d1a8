// How do source files become a program? Every file is compiled for the host and, if it is CUDA, for the
// device, all processes in parallel; then each device module, with what it needs of the others, is simplified
// and lowered, and the host modules are linked to one, simplified and lowered. Contexts of LLVM live no
// longer than a call; what is handed out is in the arena. Soundness: a side that fails is an error (or, for
// the host, a note if the caller wants that) and its module is NULL; it is never replaced by an empty one.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LEFT_BITCODE_BYTES ((size_t)4 << 20)

typedef struct Unit {
  const char *path;
  Language language;
  const CompileFlags *flags;
  Process *host, *device; // device NULL if there is none
  LLVMModuleRef host_module, device_module;
  bool is_simple[2]; // the host module, the device module
  MendResult mended;
} Unit;

typedef struct Loading {
  const FrontendOptions *options;
  Toolchain tools;
  Arena *arena; // results
  Arena *scratch;
  StrTable *strings;
  DiagSink *sink;
  uint32_t errors_before; // in the sink
  Side sides[2];          // host, device
  VEC(Unit) units;
  VEC(Process) processes;
  IrClasses classes;
} Loading;

// ---- files ----------------------------------------------------------------------------------------------

static bool path_is_usable(const char *path, DiagSink *sink) {
  struct stat info;
  if (stat(path, &info) != 0) {
    diag_report(sink, DIAG_ERROR, NULL, "%s: %s: check the path", path, strerror(errno));
  } else if (S_ISDIR(info.st_mode)) {
    diag_report(sink, DIAG_ERROR, NULL, "%s is a folder: name the files in it", path);
  } else if (!S_ISREG(info.st_mode)) {
    diag_report(sink, DIAG_ERROR, NULL, "%s is no regular file: write what it gives to one and name that",
                path);
  } else if (access(path, R_OK) != 0) {
    diag_report(sink, DIAG_ERROR, NULL, "%s: %s: change its permissions", path, strerror(errno));
  } else {
    return true;
  }
  return false;
}

// ---- compiling ------------------------------------------------------------------------------------------

static void note_command(const Loading *loading, const Process *process) {
  StrBuf text = {.arena = loading->scratch};
  for (const char *const *arg = process->argv; *arg; arg++)
    strbuf_printf(&text, "%s%s", arg == process->argv ? "" : " ", *arg);
  diag_report(loading->sink, DIAG_NOTE, NULL, "%s", strbuf_text(&text));
}

static Process make_process(const Loading *loading, const Toolchain *tools, const Unit *unit,
                            bool is_device) {
  Process process = {0};
  process.output.arena = process.errors.arena = loading->scratch;
  process.argv = clang_command(tools, unit->flags, unit->path, is_device, loading->scratch);
  if (loading->options->is_verbose) note_command(loading, &process);
  return process;
}

static void compile_all(Loading *loading) {
  for (uint32_t i = 0; i < loading->units.count; i++) {
    const Unit *unit = &loading->units.items[i];
    vec_push(loading->scratch, &loading->processes, make_process(loading, &loading->tools, unit, false));
    if (unit->language == LANGUAGE_CUDA)
      vec_push(loading->scratch, &loading->processes, make_process(loading, &loading->tools, unit, true));
  }
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  process_run_all(loading->processes.items, loading->processes.count,
                  processors > 2 ? (uint32_t)processors : 2);
  uint32_t next = 0;
  for (uint32_t i = 0; i < loading->units.count; i++) {
    Unit *unit = &loading->units.items[i];
    unit->host = &loading->processes.items[next++];
    if (unit->language == LANGUAGE_CUDA) unit->device = &loading->processes.items[next++];
  }
}

static bool succeeded(const Process *process) {
  return process && process->start_error == 0 && process->exit_status == 0;
}

static bool retry_unit(Loading *loading, Unit *unit) {
  Process *sides[] = {unit->host, unit->device};
  uint32_t count = unit->device ? 2 : 1;
  return retry_mended(&loading->tools, count, sides, unit->path, loading->scratch, loading->sink,
                      &unit->mended);
}

static const Process *failed_side(const Unit *unit) {
  return unit->device && !succeeded(unit->device) ? unit->device : unit->host;
}

// The same file with other tools. `attempt` is how far that came.
static bool retry_with(Loading *loading, Unit *unit, const Toolchain *tools, Unit *attempt) {
  Process *processes = arena_array(loading->scratch, 2, Process);
  *attempt = (Unit){.path = unit->path, .flags = unit->flags, .host = &processes[0], .device = &processes[1]};
  processes[0] = make_process(loading, tools, unit, false);
  processes[1] = make_process(loading, tools, unit, true);
  process_run_all(processes, 2, 2);
  Process *sides[] = {attempt->host, attempt->device};
  bool is_done = (succeeded(&processes[0]) && succeeded(&processes[1])) ||
                 retry_mended(tools, 2, sides, unit->path, loading->scratch, loading->sink, &attempt->mended);
  if (!is_done) return false;
  *unit->host = processes[0];
  *unit->device = processes[1];
  unit->mended = attempt->mended;
  return true;
}

// nvcc includes headers of the C library by itself. The bundled declarations name what programs mostly use of
// it, which takes no time; a program that needs more gets all of it.
static bool retry_with_c_library(Loading *loading, Unit *unit) {
  Toolchain other = loading->tools;
  Unit attempt;
  other.has_c_library = true;
  return !other.toolkit && retry_with(loading, unit, &other, &attempt);
}

// What the bundled declarations lack, the headers of a toolkit may have, and the other way round.
static bool retry_with_other_headers(Loading *loading, Unit *unit, Unit *attempt) {
  Toolchain other;
  if (!toolchain_other_headers(&loading->tools, &other)) return false;
  if (!retry_with(loading, unit, &other, attempt)) return false;
  diag_report(loading->sink, DIAG_NOTE, NULL,
              other.toolkit
                  ? "%s: does not compile with the bundled declarations: the headers of %s are used"
                  : "%s: does not compile with the headers of %s: the bundled declarations are used",
              unit->path, loading->tools.known_toolkit);
  return true;
}

// Some code is there for nvcc alone, which says that it is it.
static bool retry_as_nvcc(Loading *loading, Unit *unit) {
  Toolchain other = loading->tools;
  Unit attempt;
  other.toolkit = NULL;
  other.is_nvcc = other.has_c_library = true;
  if (!retry_with(loading, unit, &other, &attempt)) return false;
  diag_report(loading->sink, DIAG_NOTE, NULL,
              "%s: compiles only where __NVCC__ is defined: it is, with the bundled declarations",
              unit->path);
  return true;
}

// One that compiles, or would but for a header that is not there.
static bool can_include(const Unit *unit) {
  return unit->device && unit->device->start_error == 0 && unit->device->exit_status >= 0;
}

static bool is_part_of_another(Loading *loading, const Unit *unit) {
  bool has_failed = unit->device && failed_side(unit)->exit_status > 0;
  for (uint32_t i = 0; has_failed && i < loading->units.count; i++) {
    const Unit *other = &loading->units.items[i];
    if (other == unit || !can_include(other) ||
        !part_is_included(unit->path, other->device->argv, loading->scratch))
      continue;
    diag_report(loading->sink, DIAG_NOTE, NULL,
                "%s does not compile by itself, but %s includes it: it is checked there", unit->path,
                other->path);
    return true;
  }
  return false;
}

// One message for a file, whichever sides failed and whichever headers were tried; the errors shown are those
// in the user's own text, if there are any. True if there is something to go on with.
static bool judge_unit(Loading *loading, Unit *unit) {
  bool host_ok = succeeded(unit->host), device_ok = !unit->device || succeeded(unit->device);
  if ((host_ok && device_ok) || retry_unit(loading, unit)) return true;
  unit->mended = (MendResult){0};
  Unit attempt = {0};
  if (unit->device && failed_side(unit)->exit_status > 0 &&
      (retry_with_c_library(loading, unit) || retry_with_other_headers(loading, unit, &attempt) ||
       retry_as_nvcc(loading, unit)))
    return true;
  const Process *failed = failed_side(unit), *other = attempt.host ? failed_side(&attempt) : NULL;
  bool is_others = other && other->exit_status > 0 &&
                   clang_blames_user(&loading->tools, other, loading->scratch) &&
                   !clang_blames_user(&loading->tools, failed, loading->scratch);
  bool is_tolerated = device_ok && unit->device && loading->options->keep_going_host;
  DiagSeverity severity = is_tolerated ? DIAG_NOTE : DIAG_ERROR;
  clang_report_failure(&loading->tools, is_others ? other : failed, unit->path, severity, loading->scratch,
                       loading->sink);
  return is_tolerated;
}

// ---- lowering -------------------------------------------------------------------------------------------

static void read_side(void *context, bool is_device) {
  Loading *loading = context;
  Side *side = &loading->sides[is_device];
  for (uint32_t i = 0; i < loading->units.count; i++) {
    Unit *unit = &loading->units.items[i];
    const Process *process = is_device ? unit->device : unit->host;
    if (!succeeded(process)) continue;
    LLVMModuleRef module =
        bitcode_read(side->context, &process->output, unit->path, &side->messages, side->sink);
    *(is_device ? &unit->device_module : &unit->host_module) = module;
  }
}

static bool simplify(const Loading *loading, LLVMModuleRef module, const Unit *unit, bool is_device,
                     DiagSink *sink) {
  return is_device ? simplify_device(module, &loading->tools, sink, unit->path)
                   : simplify_host(module, &loading->tools, sink, unit->path);
}

static void simplify_side(void *context, bool is_device) {
  Loading *loading = context;
  for (uint32_t i = 0; i < loading->units.count; i++) {
    Unit *unit = &loading->units.items[i];
    LLVMModuleRef module = is_device ? unit->device_module : unit->host_module;
    if (module)
      unit->is_simple[is_device] = simplify(loading, module, unit, is_device, loading->sides[is_device].sink);
  }
}

static IrModule *lower_side(Loading *loading, LLVMModuleRef module, const Unit *unit, bool is_device) {
  LowerRequest request = {.module = module,
                          .tools = &loading->tools,
                          .path = unit->path,
                          .is_device = is_device,
                          .arch = clang_arch(&loading->tools, unit->flags),
                          .classes = is_device ? NULL : &loading->classes,
                          .arena = loading->arena,
                          .strings = loading->strings};
  return lower_module(&request);
}

// Links all host modules into the first; the others are gone afterwards.
static Unit *link_hosts(Loading *loading) {
  Side *side = &loading->sides[false];
  Unit *program = NULL;
  for (uint32_t i = 0; i < loading->units.count; i++) {
    Unit *unit = &loading->units.items[i];
    if (!unit->host_module) continue;
    if (!program) {
      program = unit;
      continue;
    }
    LLVMModuleRef host = unit->host_module;
    unit->host_module = NULL;
    if (!bitcode_link(program->host_module, host, unit->device_module, i, unit->path, &side->messages,
                      side->scratch, side->sink))
      return NULL;
  }
  return program;
}

static bool link_devices(Loading *loading) {
  Side *side = &loading->sides[true];
  uint32_t count = loading->units.count;
  LLVMModuleRef *modules = arena_array(loading->scratch, count + 1, LLVMModuleRef);
  const char **paths = arena_array(loading->scratch, count + 1, const char *);
  for (uint32_t i = 0; i < count; i++) {
    modules[i] = loading->units.items[i].device_module;
    paths[i] = loading->units.items[i].path;
  }
  bool is_done = count < 2 || device_link(count, modules, paths, &side->messages, side->scratch, side->sink);
  for (uint32_t i = 0; i < count; i++)
    loading->units.items[i].device_module = modules[i];
  return is_done;
}

static bool defines_main(LLVMModuleRef module) {
  LLVMValueRef function = LLVMGetNamedFunction(module, "main");
  return function && !LLVMIsDeclaration(function);
}

static bool name_ends_with_word(const char *name, const char *word) {
  size_t length = strcspn(name, "<"), count = strlen(word);
  if (length < count || memcmp(name + length - count, word, count) != 0) return false;
  return length == count || name[length - count - 1] == ':';
}

// Whether any kernel has the name; without one all kernels.
static bool mark_launched(const Program *program, const char *name) {
  bool is_found = false;
  for (uint32_t i = 0; i < program->units.count; i++) {
    const IrModule *module = program->units.items[i].device;
    for (uint32_t k = 0; module && k < module->functions.count; k++) {
      IrFunction *function = module->functions.items[k];
      if (!function->is_kernel || (name && !name_ends_with_word(function->display, name))) continue;
      function->is_launched_by_device = is_found = true;
    }
  }
  return is_found;
}

static void note_device_launches(const Loading *loading, Program *program) {
  for (uint32_t i = 0; i < loading->units.count; i++) {
    const MendResult *mended = &loading->units.items[i].mended;
    if (mended->left_out) { // what calls and launches there are in it is not known
      (void)mark_launched(program, NULL);
      program->has_main = false;
    }
    for (uint32_t k = 0; k < mended->device_launches.count; k++)
      if (!mark_launched(program, mended->device_launches.items[k])) {
        (void)mark_launched(program, NULL);
        flags_note_once(
            loading->sink,
            arena_printf(loading->scratch,
                         "%s: device code launches '%s', which is no kernel seen in the files given: "
                         "every kernel is checked for any launch",
                         loading->units.items[i].path, mended->device_launches.items[k]));
      }
  }
}

static bool has_errors(const Loading *loading) {
  return loading->sink->error_count > loading->errors_before || loading->sides[false].sink->error_count ||
         loading->sides[true].sink->error_count;
}

static bool lower_all(Loading *loading, Program *program) {
  on_both_sides(read_side, loading);
  Unit *first = link_hosts(loading);
  if (!link_devices(loading) || has_errors(loading)) return false;
  program->has_main = first && defines_main(first->host_module);
  if (first) classes_survey(first->host_module, loading->arena, loading->strings, &loading->classes);
  on_both_sides(simplify_side, loading);
  for (uint32_t i = 0; i < loading->units.count; i++) {
    Unit *unit = &loading->units.items[i];
    FrontendUnit *out = &program->units.items[i];
    if (unit->is_simple[true]) out->device = lower_side(loading, unit->device_module, unit, true);
    if (unit->is_simple[false]) out->host = lower_side(loading, unit->host_module, unit, false);
  }
  note_device_launches(loading, program);
  return !has_errors(loading);
}

// Taking LLVM's memory apart is a tenth of our time; unless it is much, it can stay until the process ends.
static bool is_left(const Loading *loading) {
#ifdef HGRD_DEBUG_CHECKS
  (void)loading;
  return false; // a checker of leaks would find it
#else
  size_t bytes = 0;
  for (uint32_t i = 0; i < loading->processes.count; i++)
    bytes += loading->processes.items[i].output.length;
  return loading->options->is_last && bytes < LEFT_BITCODE_BYTES;
#endif
}

static void dispose_modules(Loading *loading) {
  if (is_left(loading)) return;
  for (uint32_t i = 0; i < loading->units.count; i++) {
    Unit *unit = &loading->units.items[i];
    if (unit->host_module) LLVMDisposeModule(unit->host_module);
    if (unit->device_module) LLVMDisposeModule(unit->device_module);
  }
}

static void open_sides(Loading *loading) {
  side_open(&loading->sides[false]);
  side_open(&loading->sides[true]);
}

static void close_sides(Loading *loading, bool are_left) {
  side_close(&loading->sides[false], are_left, loading->sink);
  side_close(&loading->sides[true], are_left, loading->sink);
}

// ---- the whole way --------------------------------------------------------------------------------------

static double wall_seconds(const Unit *unit) {
  double start = unit->host->started, end = unit->host->ended;
  if (unit->device && unit->device->started < start) start = unit->device->started;
  if (unit->device && unit->device->ended > end) end = unit->device->ended;
  return end > start ? end - start : 0;
}

static void add_unit(Loading *loading, Program *program, const char *path, const CompileFlags *flags) {
  Unit unit = {.path = path, .language = file_language(flags, path), .flags = flags};
  vec_push(loading->scratch, &loading->units, unit);
  vec_push(loading->arena, &program->units, (FrontendUnit){.path = arena_strdup(loading->arena, path)});
}

// The flags of the file's entry in the build, then those given by hand.
static const CompileFlags *flags_of(Loading *loading, const BuildDatabase *database, const char *path) {
  const FrontendOptions *options = loading->options;
  CompileFlags *flags = arena_new(loading->scratch, CompileFlags);
  const BuildEntry *entry = database ? build_database_find(database, path, loading->scratch) : NULL;
  if (entry) {
    BuildCommand command = build_entry_command(entry, loading->scratch);
    command.roots = database->roots;
    build_command_flags(&command, loading->scratch, loading->sink, flags);
  } else if (database) {
    diag_report(loading->sink, DIAG_NOTE, NULL,
                "%s is not in %s: it is compiled with the flags after -- alone", path, database->file);
  }
  flags_filter(options->flag_count, options->flags, loading->scratch, loading->sink, flags);
  return flags;
}

// Without the folder that we run in, as a user would name the file.
static const char *path_from_here(const char *path, Arena *arena) {
  char *folder = getcwd(NULL, 0);
  size_t length = folder ? strlen(folder) : 0;
  bool is_below = folder && strncmp(path, folder, length) == 0 && path[length] == '/';
  free(folder);
  return arena_strdup(arena, is_below ? path + length + 1 : path);
}

static bool is_named_before(const BuildDatabase *database, uint32_t which) {
  for (uint32_t i = 0; i < which; i++)
    if (strcmp(database->entries.items[i].resolved, database->entries.items[which].resolved) == 0)
      return true;
  return false;
}

bool frontend_build_files(const char *build_path, Arena *arena, DiagSink *sink, FrontendPaths *out) {
  BuildDatabase database;
  DiagSink *unheard = diag_sink_make(arena); // what is to be said of flags is said when they are used
  if (!build_database_read(build_path, arena, sink, &database)) return false;
  for (uint32_t i = 0; i < database.entries.count; i++) {
    const BuildEntry *entry = &database.entries.items[i];
    BuildCommand command = build_entry_command(entry, arena);
    CompileFlags flags = {0};
    command.roots = database.roots;
    build_command_flags(&command, arena, unheard, &flags);
    if (file_language(&flags, entry->file) == LANGUAGE_CUDA && !is_named_before(&database, i))
      vec_push(arena, out, path_from_here(entry->resolved, arena));
  }
  if (out->count == 0)
    diag_report(sink, DIAG_ERROR, NULL, "%s names no CUDA files: name the files to check", database.file);
  return out->count > 0;
}

static void note_foreign_dirs(Loading *loading, const CompileFlags *flags) {
  for (uint32_t i = 0; i < flags->args.count; i++) {
    const char *arg = flags->args.items[i], *dir = NULL;
    if (!str_starts_with(arg, "-isystem")) continue;
    if (arg[strlen("-isystem")])
      dir = arg + strlen("-isystem");
    else if (i + 1 < flags->args.count)
      dir = flags->args.items[i + 1];
    size_t length = dir ? strlen(dir) : 0;
    while (length > 1 && dir[length - 1] == '/')
      length--;
    if (length)
      vec_push(loading->scratch, &loading->tools.foreign_dirs, arena_strndup(loading->scratch, dir, length));
  }
}

static bool load(Loading *loading, uint32_t path_count, const char *const *paths, Program *program) {
  const FrontendOptions *options = loading->options;
  BuildDatabase database;
  bool has_database = options->build_path != NULL;
  if (!toolchain_find(options, loading->scratch, loading->sink, &loading->tools)) return false;
  if (has_database && !build_database_read(options->build_path, loading->scratch, loading->sink, &database))
    return false;
  bool are_usable = true;
  for (uint32_t i = 0; i < path_count; i++) {
    if (!path_is_usable(paths[i], loading->sink))
      are_usable = false;
    else
      add_unit(loading, program, paths[i], flags_of(loading, has_database ? &database : NULL, paths[i]));
    if (are_usable) note_foreign_dirs(loading, vec_last(&loading->units).flags);
  }
  if (!are_usable) return false;
  compile_all(loading);
  bool are_compiled = true;
  for (uint32_t i = 0; i < loading->units.count; i++) { // before any is mended, which changes its command
    FrontendUnit *out = &program->units.items[i];
    out->clang_seconds = wall_seconds(&loading->units.items[i]);
    out->is_part = is_part_of_another(loading, &loading->units.items[i]);
  }
  for (uint32_t i = 0; i < loading->units.count; i++)
    are_compiled &= program->units.items[i].is_part || judge_unit(loading, &loading->units.items[i]);
  return are_compiled && lower_all(loading, program);
}

bool frontend_load(const FrontendOptions *options, uint32_t path_count, const char *const *paths,
                   Arena *arena, StrTable *strings, DiagSink *sink, Program *program) {
  *program = (Program){0};
  Loading loading = {
      .options = options, .arena = arena, .scratch = arena_open(), .strings = strings, .sink = sink};
  loading.errors_before = sink->error_count;
  open_sides(&loading);
  bool is_loaded = load(&loading, path_count, paths, program);
  dispose_modules(&loading);
  close_sides(&loading, is_left(&loading));
  arena_close(loading.scratch);
  return is_loaded;
}

bool frontend_lower_file(const char *path, bool is_device, Arena *arena, StrTable *strings, DiagSink *sink,
                         IrModule **module) {
  *module = NULL;
  Loading loading = {.arena = arena, .scratch = arena_open(), .strings = strings, .sink = sink};
  loading.errors_before = sink->error_count;
  open_sides(&loading);
  CompileFlags flags = {0};
  Unit unit = {.path = path, .flags = &flags};
  LLVMContextRef llvm = loading.sides[is_device].context;
  LLVMModuleRef read = path_is_usable(path, sink) ? bitcode_read_file(llvm, path, sink) : NULL;
  if (read) {
    if (simplify(&loading, read, &unit, is_device, sink))
      *module = lower_side(&loading, read, &unit, is_device);
    LLVMDisposeModule(read);
  }
  close_sides(&loading, false);
  arena_close(loading.scratch);
  return *module != NULL;
}
