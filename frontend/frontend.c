// How do source files become a program? Every file is compiled for the host and, if it is CUDA, for the
// device, all processes in parallel; then each device module, with what it needs of the others, is simplified
// and lowered, and the host modules are linked to one, simplified and lowered. Of a single file, where there
// is nothing to link, a side goes the whole way while clang may still work on the other. Contexts of LLVM
// live no longer than a call; what is handed out is in the arena. Soundness: a side that fails is an error
// (or, for the host, a note if the caller wants that) and its module is NULL; it is never replaced by an
// empty one. The other files are analysed all the same, as if that one had not been given, and who calls what
// is then not wholly known.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/loading.h"
#include "core/bug.h"

#include "core/cfg.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LEFT_BITCODE_BYTES ((size_t)4 << 20)

// ---- files

static bool path_is_usable(const Overlay *overlay, const char *path, DiagSink *sink) {
  struct stat info;
  if (stat(overlay_text_path(overlay, path), &info) != 0) {
    diag_report(sink, DIAG_ERROR, NULL, "%s: %s: check the path", path, strerror(errno));
  } else if (S_ISDIR(info.st_mode)) {
    diag_report(sink, DIAG_ERROR, NULL, "%s is a folder: name the files in it", path);
  } else if (!S_ISREG(info.st_mode)) {
    diag_report(sink, DIAG_ERROR, NULL, "%s is no regular file: write what it gives to one and name that",
                path);
  } else if (access(overlay_text_path(overlay, path), R_OK) != 0) {
    diag_report(sink, DIAG_ERROR, NULL, "%s: %s: change its permissions", path, strerror(errno));
  } else {
    return true;
  }
  return false;
}

// ---- lowering

static void read_unit(Loading *loading, Unit *unit, bool is_device) {
  Side *side = &loading->sides[is_device];
  const Process *process = is_device ? unit->device : unit->host;
  if (!process_succeeded(process)) return;
  LLVMModuleRef module =
      bitcode_read(side->context, &process->output, unit->path, &side->messages, side->sink);
  *(is_device ? &unit->device_module : &unit->host_module) = module;
}

static void read_side(void *context, bool is_device) {
  Loading *loading = context;
  for (uint32_t i = 0; i < loading->units.count; i++)
    read_unit(loading, &loading->units.items[i], is_device);
}

static bool simplify(const Loading *loading, LLVMModuleRef module, const Unit *unit, bool is_device,
                     DiagSink *sink) {
  return is_device ? simplify_device(module, &loading->tools, sink, unit->path)
                   : simplify_host(module, &loading->tools, sink, unit->path);
}

static bool has_loop_with_entries(const IrModule *module) {
  bool found = false;
  Arena *scratch = arena_open();
  for (uint32_t f = 0; f < module->functions.count && !found; f++) {
    const IrFunction *fn = module->functions.items[f];
    found = !fn->is_declaration && !cfg_make(fn, scratch)->is_reducible;
  }
  arena_close(scratch);
  return found;
}

// Loops of the device with more than one entry get one, which goes on to where the way would have led. Where
// lanes that part run together again from some block on (below sm_70), that block must stay the program's.
static IrModule *lower_side(Loading *loading, LLVMModuleRef module, const Unit *unit, bool is_device) {
  LowerRequest request = {.module = module,
                          .tools = &loading->tools,
                          .path = unit->path,
                          .is_device = is_device,
                          .arch = clang_arch(&loading->tools, unit->flags),
                          .classes = is_device ? NULL : &loading->classes,
                          .arena = loading->sides[is_device].results,
                          .strings = loading->strings};
  IrModule *lowered = lower_module(&request);
  bool is_odd = is_device && request.arch >= 70 && has_loop_with_entries(lowered);
  return is_odd && simplify_loops(module, loading->sides[is_device].sink, unit->path) ? lower_module(&request)
                                                                                      : lowered;
}

static void finish_side(void *context, bool is_device) {
  Loading *loading = context;
  for (uint32_t i = 0; i < loading->units.count; i++) {
    Unit *unit = &loading->units.items[i];
    LLVMModuleRef module = is_device ? unit->device_module : unit->host_module;
    if (module && simplify(loading, module, unit, is_device, loading->sides[is_device].sink))
      *(is_device ? &unit->device_ir : &unit->host_ir) = lower_side(loading, module, unit, is_device);
  }
}

// Links all host modules into the first; the others are gone afterwards. `*program` is NULL if there is none.
// Returns the file that could not be linked, which has been reported, or NULL.
static Unit *link_hosts(Loading *loading, Unit **program) {
  Side *side = &loading->sides[false];
  *program = NULL;
  for (uint32_t i = 0; i < loading->units.count; i++) {
    Unit *unit = &loading->units.items[i];
    if (loading->units.count > 1) bitcode_keep_own(unit->host_module, unit->device_module, i, side->scratch);
    if (!unit->host_module) continue;
    if (!*program) {
      *program = unit;
      continue;
    }
    LLVMModuleRef host = unit->host_module;
    unit->host_module = NULL;
    if (!bitcode_link((*program)->host_module, host, unit->device_module, i, unit->path, &side->messages,
                      side->scratch, side->sink))
      return unit;
  }
  return NULL;
}

static void link_devices(Loading *loading) {
  Side *side = &loading->sides[true];
  uint32_t count = loading->units.count;
  LLVMModuleRef *modules = arena_array(loading->scratch, count + 1, LLVMModuleRef);
  const char **paths = arena_array(loading->scratch, count + 1, const char *);
  for (uint32_t i = 0; i < count; i++) {
    modules[i] = loading->units.items[i].device_module;
    paths[i] = loading->units.items[i].path;
  }
  if (count > 1) device_link(count, modules, paths, &side->messages, side->scratch, side->sink);
  for (uint32_t i = 0; i < count; i++) {
    loading->units.items[i].is_linked = loading->units.items[i].device_module != modules[i];
    loading->units.items[i].device_module = modules[i];
  }
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
    const FixupResult *mended = &loading->units.items[i].mended;
    // What calls and launches there are in what is left out is not known.
    if (mended->left_out.count || stand_ins_matter(loading, program, mended)) {
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

// Whether the host side of every file is in the program.
static bool sees_all_hosts(const Loading *loading, const Program *program) {
  for (uint32_t i = 0; i < loading->units.count; i++) {
    const Unit *unit = &loading->units.items[i];
    if (!program->units.items[i].is_part && !unit->has_host) return false;
  }
  return true;
}

static void survey(Loading *loading, Unit *first) {
  loading->defines_main = first && defines_main(first->host_module);
  if (first)
    classes_survey(first->host_module, loading->sides[false].results, loading->strings, &loading->classes);
}

static void drop_unit_modules(Unit *unit) {
  if (unit->host_module) LLVMDisposeModule(unit->host_module);
  if (unit->device_module) LLVMDisposeModule(unit->device_module);
  unit->host_module = unit->device_module = NULL;
  unit->host_ir = unit->device_ir = NULL;
}

// Half a file is not analysed: LLVM may refuse what clang made of a side.
static void drop_broken(Unit *unit) {
  bool is_broken = (process_succeeded(unit->host) && !unit->host_module) ||
                   (process_succeeded(unit->device) && !unit->device_module);
  if (is_broken) drop_unit_modules(unit);
  unit->has_host = unit->host_module != NULL;
}

static void lower_all(Loading *loading) {
  Unit *first, *failed;
  do { // what a failed link has left is not to be trusted: all are read again, without the file
    on_both_sides(read_side, loading);
    for (uint32_t i = 0; i < loading->units.count; i++)
      drop_broken(&loading->units.items[i]);
    failed = link_hosts(loading, &first);
    if (!failed) break;
    failed->host = failed->device = NULL;
    for (uint32_t i = 0; i < loading->units.count; i++)
      drop_unit_modules(&loading->units.items[i]);
  } while (true);
  link_devices(loading);
  survey(loading, first);
  on_both_sides(finish_side, loading);
}

// ---- one file

static void whole_side(void *context, bool is_device) {
  Loading *loading = context;
  Unit *unit = &loading->units.items[0];
  Process *process = is_device ? unit->device : unit->host;
  if (!process) return;
  process_run_all(process, 1, 1);
  read_unit(loading, unit, is_device);
  if (!is_device && unit->host_module) survey(loading, unit);
  finish_side(loading, is_device);
}

// True if both sides came through. If not, what one of them came to is dropped, as the file is compiled
// again.
static bool load_one(Loading *loading) {
  Unit *unit = &loading->units.items[0];
  if (!unit->host || unit->is_restored) return false;
  on_both_sides(whole_side, loading);
  if (process_succeeded(unit->host) && (!unit->device || process_succeeded(unit->device))) {
    drop_broken(unit);
    return true;
  }
  drop_unit_modules(unit);
  for (int i = 0; i < 2; i++)
    loading->sides[i].sink = diag_sink_make(loading->sides[i].scratch);
  return false;
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
  for (uint32_t i = 0; i < loading->units.count; i++)
    drop_unit_modules(&loading->units.items[i]);
}

static void open_sides(Loading *loading) {
  side_open(&loading->sides[false], loading->arena);
  side_open(&loading->sides[true], loading->arena);
}

static void start_sides(Loading *loading) {
  side_start(&loading->sides[false]);
  side_start(&loading->sides[true]);
}

static void close_sides(Loading *loading, bool are_left) {
  side_close(&loading->sides[false], are_left, loading->sink);
  side_close(&loading->sides[true], are_left, loading->sink);
}

// ---- the whole way

// `flags` NULL: a file that cannot be read.
static void add_unit(Loading *loading, Program *program, const char *path, const CompileFlags *flags) {
  Unit unit = {.path = path, .flags = flags};
  if (flags) unit.language = file_language(flags, path);
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
    diag_report_gap(loading->sink, NULL, "%s is not in %s: it is compiled with the flags after -- alone",
                    path, database->file);
  }
  flags_filter(options->flag_count, options->flags, loading->scratch, loading->sink, flags);
  return flags;
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

static uint32_t parallel(void) {
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  return processors > 2 ? (uint32_t)processors : 2;
}

static void hand_out_doubts(const Loading *loading, const MacroDoubts *doubts, FrontendDoubts *out) {
  for (uint32_t i = 0; i < doubts->count; i++) {
    UndecidedReason doubt = doubts->items[i];
    if (doubt.loc.file) doubt.loc.file = arena_strdup(loading->arena, doubt.loc.file);
    doubt.text = arena_strdup(loading->arena, doubt.text);
    vec_push(loading->arena, out, doubt);
  }
}

static bool hand_out(const Loading *loading, Program *program) {
  bool is_any = false;
  for (uint32_t i = 0; i < loading->units.count; i++) {
    program->units.items[i].device = loading->units.items[i].device_ir;
    program->units.items[i].host = loading->units.items[i].host_ir;
    program->units.items[i].is_linked = loading->units.items[i].is_linked;
    hand_out_doubts(loading, &loading->units.items[i].mended.doubts, &program->units.items[i].doubts);
    is_any = is_any || loading->units.items[i].device_ir || loading->units.items[i].host_ir;
  }
  program->has_main = loading->defines_main && sees_all_hosts(loading, program);
  note_device_launches(loading, program);
  return is_any;
}

enum { UNIT_BYTES_LIMIT = 1 << 30 };

// A unit stands for the file that it was made of.
static void add_made_unit(Loading *loading, Program *program, const char *path) {
  size_t length;
  const char *mistake = NULL;
  Unit unit = {0};
  const char *bytes = regular_file_text(path, UNIT_BYTES_LIMIT, loading->scratch, &length);
  bool is_read = bytes && unit_read(loading, bytes, length, &unit, &mistake);
  if (!is_read) {
    diag_report(loading->sink, DIAG_ERROR, NULL, "%s %s", path, mistake ? mistake : strerror(errno));
    add_unit(loading, program, path, NULL);
    return;
  }
  unit.is_restored = unit.is_known = true;
  unit.content = digest_of(bytes, length);
  unit.host->argv = clang_command(&loading->tools, unit.flags, unit.path, false, loading->scratch);
  if (unit.device)
    unit.device->argv = clang_command(&loading->tools, unit.flags, unit.path, true, loading->scratch);
  vec_push(loading->scratch, &loading->units, unit);
  vec_push(loading->arena, &program->units, (FrontendUnit){.path = unit.path});
  note_foreign_dirs(loading, unit.flags);
}

static void add_file(Loading *loading, Program *program, const BuildDatabase *database, const char *path) {
  bool is_usable = path_is_usable(loading->tools.overlay, path, loading->sink);
  if (is_usable && str_ends_with(path, ".hgrd")) {
    add_made_unit(loading, program, path);
    return;
  }
  add_unit(loading, program, path, is_usable ? flags_of(loading, database, path) : NULL);
  if (is_usable) note_foreign_dirs(loading, vec_last(&loading->units).flags);
}

// Such a file is as one that cannot be read.
static void refuse_special(Loading *loading) {
  SpecialMemo *memo = special_memo_make(loading->scratch);
  for (uint32_t i = 0; i < loading->units.count; i++) {
    Unit *unit = &loading->units.items[i];
    SpecialFile found;
    if (!unit->flags || unit->is_restored ||
        !special_file_included(&loading->tools, unit->flags, unit->path, memo, loading->scratch, &found))
      continue;
    SrcLoc at = {.file = arena_strdup(loading->arena, found.includer), .line = found.line, .column = 1};
    diag_report(loading->sink, DIAG_ERROR, found.line ? &at : NULL,
                "%s%s'%s' is %s and no file: write what it gives to a file, and include that",
                found.line ? "" : unit->path, found.line ? "" : ": ", found.name, found.kind);
    unit->flags = NULL;
  }
}

// Tools, and the files with their flags, ready to be compiled.
static bool prepare(Loading *loading, uint32_t path_count, const char *const *paths, Program *program) {
  const FrontendOptions *options = loading->options;
  BuildDatabase *database = options->build_path ? arena_new(loading->scratch, BuildDatabase) : NULL;
  if (!toolchain_find(options, loading->scratch, loading->sink, &loading->tools)) return false;
  if (database && !build_database_read(options->build_path, loading->scratch, loading->sink, database))
    return false;
  if (database) loading->tools.build_dirs = database->roots;
  program_cache_start(loading);
  for (uint32_t i = 0; i < path_count; i++)
    add_file(loading, program, database, paths[i]);
  refuse_special(loading);
  compile_prepare(loading);
  return true;
}

static bool load(Loading *loading, uint32_t path_count, const char *const *paths, Program *program) {
  if (!prepare(loading, path_count, paths, program)) return false;
  loading->first_diag = loading->sink->diags.count;
  if (program_cache_find(loading, program)) return true;
  start_sides(loading);
  bool is_done = loading->units.count == 1 && load_one(loading);
  if (loading->units.count > 1)
    process_run_all_told(loading->processes.items, loading->processes.count, parallel(),
                         loading->options->told, loading->options->told_context);
  compile_judge(loading, program);
  program_cache_put_units(loading);
  if (!is_done) lower_all(loading);
  return hand_out(loading, program);
}

bool frontend_load(const FrontendOptions *options, uint32_t path_count, const char *const *paths,
                   Arena *arena, StrTable *strings, DiagSink *sink, Program *program) {
  ASSERT(paths);
  *program = (Program){0};
  Loading loading = {
      .options = options, .arena = arena, .scratch = arena_open(), .strings = strings, .sink = sink};
  open_sides(&loading);
  bool is_loaded = load(&loading, path_count, paths, program);
  dispose_modules(&loading);
  close_sides(&loading, is_left(&loading));
  if (is_loaded) program_cache_put(&loading, program);
  overlay_close(&loading.tools);
  arena_close(loading.scratch);
  return is_loaded;
}

// Headers that are not there, or are only made up, are none that a change of is to be awaited.
static void add_listed(const Loading *loading, const char *list, FrontendPaths *out) {
  const char *at = strchr(list, ':');
  at = at ? at + 1 : "";
  for (const char *name; (name = part_list_next(&at, loading->scratch)) != NULL;)
    if (access(overlay_text_path(loading->tools.overlay, name), F_OK) == 0)
      vec_push(loading->scratch, out, name);
}

static void list_read(const Loading *loading, const Unit *unit, Arena *arena, FrontendPaths *read) {
  StrTable *strings = str_table_make(loading->scratch);
  Map seen = {0};
  FrontendPaths all = unit->read;
  for (uint32_t i = 0; i < unit->trail.lists.count; i++)
    add_listed(loading, unit->trail.lists.items[i], &all);
  for (uint32_t i = 0; i < unit->trail.wide_lists.count; i++)
    add_listed(loading, unit->trail.wide_lists.items[i], &all);
  for (uint32_t i = 0; i < all.count; i++) {
    uint64_t key = (uint64_t)(uintptr_t)str_intern(strings, all.items[i]);
    if (map_get(&seen, key) || str_starts_with(all.items[i], "/proc/self/")) continue;
    map_set(loading->scratch, &seen, key, 1);
    vec_push(arena, read, arena_strdup(arena, all.items[i]));
  }
}

static bool compile_unit(Loading *loading, const char *path, StrBuf *out, FrontendPaths *read, Arena *arena) {
  Program program = {0};
  loading->wants_lists = read != NULL;
  if (!prepare(loading, 1, &path, &program)) return false;
  Unit *unit = &loading->units.items[0];
  program_cache_find_units(loading);
  process_run_all(loading->processes.items, loading->processes.count, 2);
  compile_judge(loading, &program);
  program_cache_put_units(loading);
  if (!unit->host) return false; // it has been told why
  unit_write(loading, unit, out);
  if (read) list_read(loading, unit, arena, read);
  return true;
}

// For one file that is compiled and not lowered. In place: the sides' contexts hold its address.
static void open_one(Loading *loading, const FrontendOptions *options, Arena *arena, DiagSink *sink) {
  *loading = (Loading){.options = options,
                       .arena = arena,
                       .scratch = arena_open(),
                       .strings = str_table_make(arena),
                       .sink = sink};
  open_sides(loading);
}

// Was there no error?
static bool close_one(Loading *loading) {
  close_sides(loading, false);
  overlay_close(&loading->tools);
  arena_close(loading->scratch);
  return loading->sink->error_count == 0;
}

bool frontend_compile_unit(const FrontendOptions *options, const char *path, Arena *arena, DiagSink *sink,
                           StrBuf *unit, FrontendPaths *read) {
  ASSERT(path);
  Loading loading;
  open_one(&loading, options, arena, sink);
  bool is_made = compile_unit(&loading, path, unit, read, arena);
  return close_one(&loading) && is_made;
}

static bool compile_bitcode(Loading *loading, const char *path, FrontendBitcode *out) {
  Program program = {0};
  if (!prepare(loading, 1, &path, &program)) return false;
  Unit *unit = &loading->units.items[0];
  process_run_all(loading->processes.items, loading->processes.count, 2);
  compile_judge(loading, &program);
  if (!process_succeeded(unit->host)) return false;
  strbuf_add_n(&out->host, strbuf_text(&unit->host->output), unit->host->output.length);
  if (process_succeeded(unit->device))
    strbuf_add_n(&out->device, strbuf_text(&unit->device->output), unit->device->output.length);
  return true;
}

bool frontend_compile_bitcode(const FrontendOptions *options, const char *path, Arena *arena, DiagSink *sink,
                              FrontendBitcode *out) {
  ASSERT(path);
  ASSERT(out);
  *out = (FrontendBitcode){.host = {.arena = arena}, .device = {.arena = arena}};
  Loading loading;
  open_one(&loading, options, arena, sink);
  bool is_made = compile_bitcode(&loading, path, out);
  return close_one(&loading) && is_made;
}

bool frontend_lower_file(const char *path, bool is_device, Arena *arena, StrTable *strings, DiagSink *sink,
                         IrModule **module) {
  ASSERT(path);
  ASSERT(module);
  *module = NULL;
  Loading loading = {.arena = arena, .scratch = arena_open(), .strings = strings, .sink = sink};
  open_sides(&loading);
  CompileFlags flags = {0};
  Unit unit = {.path = path, .flags = &flags};
  start_sides(&loading);
  LLVMContextRef llvm = loading.sides[is_device].context;
  LLVMModuleRef read = path_is_usable(NULL, path, sink) ? bitcode_read_file(llvm, path, sink) : NULL;
  if (read) {
    if (simplify(&loading, read, &unit, is_device, sink))
      *module = lower_side(&loading, read, &unit, is_device);
    LLVMDisposeModule(read);
  }
  close_sides(&loading, false);
  arena_close(loading.scratch);
  return *module != NULL;
}
