// Which files need not be compiled again? Two steps. What a file was compiled from (commands, folder,
// environment, clang) is the key of its inputs: which files clang has read, as they were then, and what it
// did not find (inputs.c), the last time and, for each text that the file has had, the last time that it had
// it. If they still hold, the entry names what became of the file (unit.c). The names of
// all that became of the files are the key of the whole program, linked and lowered, with all that is to be
// said of it; only where that is not known are the units linked again.
//
// Soundness: kept is only what follows from what the trail (trail.c) of all attempts tells, mended or not, compiled or not.
// clang is known by its files; a clang that is a script may do anything, and nothing is kept. A toolkit, whose headers are
// searched for names that a file lacks, is known by its first header.
// SPDX-License-Identifier: Apache-2.0
#define _XOPEN_SOURCE 700 // realpath
#include "frontend/loading.h"

#include "core/ir_codec.h"

#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- who compiles, and where
static void add_file(StrBuf *out, const char *path) {
  struct stat info;
  if (stat(path, &info) != 0) return;
  strbuf_printf(out, "%s %" PRIu64 " %" PRIu64 " %jd.%09ld %jd.%09ld\n", path, (uint64_t)info.st_ino,
                (uint64_t)info.st_size, (intmax_t)info.st_mtim.tv_sec, info.st_mtim.tv_nsec,
                (intmax_t)info.st_ctim.tv_sec, info.st_ctim.tv_nsec);
}

static void add_files(StrBuf *out, const char *pattern, bool are_names_enough) {
  glob_t found;
  if (glob(pattern, 0, NULL, &found) != 0) return;
  for (size_t i = 0; i < found.gl_pathc; i++) {
    if (are_names_enough)
      strbuf_printf(out, "%s\n", found.gl_pathv[i]);
    else
      add_file(out, found.gl_pathv[i]);
  }
  globfree(&found);
}

static const char *program_path(const char *name, Arena *arena) {
  const char *folders = getenv("PATH");
  if (strchr(name, '/') || !folders) return name;
  while (*folders) {
    size_t length = strcspn(folders, ":");
    const char *path = arena_printf(arena, "%.*s/%s", (int)length, folders, name);
    if (length && access(path, X_OK) == 0) return path;
    folders += length + (folders[length] == ':');
  }
  return name;
}

static bool is_machine_code(const char *path) {
  char head[4] = {0};
  FILE *file = fopen(path, "re");
  if (!file) return false;
  bool is_elf = fread(head, 1, sizeof head, file) == sizeof head && memcmp(head, "\177ELF", 4) == 0;
  (void)fclose(file);
  return is_elf;
}

// Clang, its libraries, and the compilers of the system, one of whose headers it takes.
static bool add_clang(StrBuf *out, const char *clang, Arena *arena) {
  char *path = realpath(program_path(clang, arena), NULL);
  bool is_known = path && is_machine_code(path);
  if (is_known) {
    char *slash = strrchr(path, '/');
    add_file(out, path);
    *slash = '\0';
    add_files(out, arena_printf(arena, "%s/../lib/libclang-cpp*", path), false);
    add_files(out, arena_printf(arena, "%s/../lib/libLLVM*", path), false);
    add_files(out, "/usr/lib/gcc*/*/*", true);
    add_files(out, "/usr/include/c++/*", true);
  }
  free(path);
  return is_known;
}

static void add_text(StrBuf *out, const char *name, const char *text) {
  strbuf_printf(out, "%s=%s\n", name, text ? text : "(none)");
}

static void add_surroundings(StrBuf *out, const Loading *loading) {
  static const char *const variables[] = {"CPATH",
                                          "C_INCLUDE_PATH",
                                          "CPLUS_INCLUDE_PATH",
                                          "OBJC_INCLUDE_PATH",
                                          "OBJCPLUS_INCLUDE_PATH",
                                          "COMPILER_PATH",
                                          "GCC_INSTALL_PREFIX",
                                          "SOURCE_DATE_EPOCH",
                                          "CCC_OVERRIDE_OPTIONS",
                                          "HGRD_CLANG_SECONDS",
                                          "HGRD_CLANG_MIB"};
  const Toolchain *tools = &loading->tools;
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
    add_text(out, variables[i], getenv(variables[i]));
  add_text(out, "folder", tools->current_dirs[0]);
  add_text(out, "shell's folder", tools->current_dirs[1]);
  add_text(out, "declarations", tools->cuda_dir);
  add_text(out, "precompiled", tools->precompiled);
  add_text(out, "toolkit", tools->toolkit);
  add_text(out, "known toolkit", tools->known_toolkit);
  if (tools->known_toolkit)
    add_file(out, arena_printf(loading->scratch, "%s/include/cuda_runtime.h", tools->known_toolkit));
  for (int i = 0; tools->build_dirs && i < 2; i++)
    add_text(out, "build", tools->build_dirs[i]);
  strbuf_printf(out, "arch %u host %d verbose %d\n", tools->arch, loading->options->keep_going_host,
                loading->options->is_verbose);
}

void program_cache_start(Loading *loading) {
  StrBuf text = {.arena = loading->scratch};
  if (!loading->options->store || !add_clang(&text, loading->tools.clang, loading->scratch)) return;
  add_surroundings(&text, loading);
  loading->identity = text.text;
}

static const void *get(const Loading *loading, FrontendKept kind, Digest key, size_t *length) {
  const FrontendStore *store = loading->options->store;
  return store->get(store->context, kind, key, loading->arena, length);
}

static void put(const Loading *loading, FrontendKept kind, Digest key, const Codec *codec) {
  const FrontendStore *store = loading->options->store;
  store->put(store->context, kind, key, codec->out.text, codec->out.length);
}

// ---- units
// Without the overlay: what it does to the text, the inputs tell.
static void add_command(StrBuf *out, const Toolchain *tools, const Process *process) {
  for (const char *const *arg = process ? process->argv : NULL; arg && *arg; arg++) {
    if (tools->overlay_file && arg[1] == tools->overlay_file)
      arg++;
    else
      strbuf_add_n(out, *arg, strlen(*arg) + 1);
  }
  strbuf_add_n(out, "\n", 1);
}

static Digest unit_key(const Loading *loading, const Unit *unit) {
  StrBuf text = {.arena = loading->scratch};
  strbuf_add(&text, "unit\n");
  strbuf_add(&text, loading->identity);
  strbuf_printf(&text, "%s\nlanguage %d\n", unit->path, (int)unit->language);
  add_command(&text, &loading->tools, unit->host);
  add_command(&text, &loading->tools, unit->device);
  return digest_of(text.text, text.length);
}

// The same, with the text that the file has now.
static bool earlier_key(const Unit *unit, InputMemo *memo, Digest *key) {
  bool is_there;
  Digest both[] = {unit->key, input_digest(memo, unit->path, &is_there)};
  *key = digest_of(both, sizeof both);
  return is_there;
}

// What it includes follows from the same files.
static void code_included(Codec *codec, Unit *unit) {
  bool is_there = unit->included != NULL;
  CODE_BOOL(codec, is_there);
  if (is_there) CODE_NAME(codec, unit->included);
}

// Sets `is_known` if what was read then would be read now.
static void look_at_inputs(Loading *loading, Unit *unit, FrontendKept kind, Digest key, InputMemo *memo) {
  size_t length;
  Inputs inputs = {0};
  const void *bytes = get(loading, kind, key, &length);
  if (!bytes) return;
  Codec codec = codec_reader(loading->scratch, NULL, bytes, length);
  codec_digest(&codec, &unit->content);
  inputs_code(&codec, &inputs);
  code_included(&codec, unit);
  unit->is_known = codec_is_whole(&codec) && inputs_hold(&inputs, memo);
  if (!unit->is_known) unit->included = NULL;
  if (!unit->is_known) loading->options->store->unfit(loading->options->store->context, kind);
  unit->searched.count = 0;
  for (uint32_t i = 0; codec_is_whole(&codec) && i < inputs.folders.count; i++)
    vec_push(loading->scratch, &unit->searched, inputs.folders.items[i]);
  for (uint32_t i = 0; unit->is_known && i < inputs.files.count; i++)
    vec_push(loading->scratch, &unit->read, inputs.files.items[i].path);
}

// First as it was compiled last; then, if it was another text, as it was compiled when it had this one.
static void find_unit(Loading *loading, Unit *unit, InputMemo *memo) {
  Digest earlier;
  unit->key = unit_key(loading, unit);
  look_at_inputs(loading, unit, KEPT_INPUTS, unit->key, memo);
  bool was_compiled = unit->searched.count > 0;
  if (!unit->is_known && was_compiled && earlier_key(unit, memo, &earlier))
    look_at_inputs(loading, unit, KEPT_EARLIER, earlier, memo);
}

static void restore_unit(Loading *loading, Unit *unit) {
  size_t length;
  const void *bytes = get(loading, KEPT_UNIT, unit->content, &length);
  Unit restored = *unit;
  Codec codec = codec_reader(loading->arena, NULL, bytes, bytes ? length : 0);
  restored.said = diag_sink_make(loading->arena);
  Process host = *unit->host, device = unit->device ? *unit->device : (Process){0};
  unit->is_known = false;
  if (!bytes) return;
  unit_code(&codec, &loading->tools, &restored);
  if (codec_is_whole(&codec) && strcmp(restored.path, unit->path) == 0) {
    restored.is_restored = restored.is_known = true;
    restored.path = unit->path;
    *unit = restored;
    return;
  }
  *unit->host = host;
  if (unit->device) *unit->device = device;
}

// ---- the program
static bool program_key(const Loading *loading, Digest *key) {
  StrBuf text = {.arena = loading->scratch};
  strbuf_add(&text, "program\n");
  strbuf_add(&text, loading->identity);
  for (uint32_t i = 0; i < loading->units.count; i++) {
    const Unit *unit = &loading->units.items[i];
    char content[DIGEST_TEXT];
    if (!unit->is_known) return false;
    digest_text(unit->content, content);
    strbuf_printf(&text, "%s %s\n", content, unit->path);
  }
  *key = digest_of(text.text, text.length);
  return true;
}

static void code_doubts(Codec *codec, FrontendDoubts *doubts) {
  CODE_ITEMS(codec, doubts);
  for (uint32_t i = 0; i < doubts->count; i++) {
    codec_loc(codec, &doubts->items[i].loc);
    CODE_NAME(codec, doubts->items[i].text);
    CODE_BOOL(codec, doubts->items[i].is_of_budget);
  }
}

static const Digest *digest_made(Arena *arena, const void *bytes, size_t length) {
  Digest *digest = arena_new(arena, Digest);
  *digest = digest_of(bytes, length);
  return digest;
}

// Each module stands by itself, so that its digest hangs on nothing else.
static IrModule *code_module(const Loading *loading, Codec *codec, IrModule *module, const Digest **digest) {
  bool is_there = module != NULL;
  CODE_BOOL(codec, is_there);
  if (!is_there) return NULL;
  Codec writer = codec_writer(loading->scratch);
  if (codec->is_writing) (void)ir_code(&writer, module);
  size_t length = writer.out.length;
  const void *bytes = codec_bytes(codec, writer.out.text, &length);
  if (digest) *digest = digest_made(loading->arena, bytes, length);
  if (codec->is_writing) return module;
  Codec reader = codec_reader(loading->arena, loading->strings, bytes, length);
  IrModule *made = ir_code(&reader, NULL);
  codec_expect(codec, codec_is_whole(&reader));
  return made;
}

static void code_file(const Loading *loading, Codec *codec, FrontendUnit *unit) {
  unit->device = code_module(loading, codec, unit->device, &unit->device_digest);
  unit->host = code_module(loading, codec, unit->host, NULL);
  CODE_BOOL(codec, unit->is_part);
  CODE_BOOL(codec, unit->is_linked);
  code_doubts(codec, &unit->doubts);
}

static void code_program(Loading *loading, Codec *codec, Program *program) {
  for (uint32_t i = 0; i < program->units.count; i++)
    code_file(loading, codec, &program->units.items[i]);
  CODE_BOOL(codec, program->has_main);
  DiagSink *sink = codec->is_writing ? loading->sink : diag_sink_make(loading->arena);
  diags_code(codec, sink, codec->is_writing ? loading->first_diag : 0);
  for (uint32_t i = 0; !codec->is_writing && codec_is_whole(codec) && i < sink->diags.count; i++)
    diag_pass_on(loading->sink, &sink->diags.items[i]);
}

static bool restore_program(Loading *loading, Program *program) {
  Digest key;
  size_t length;
  const void *bytes = program_key(loading, &key) ? get(loading, KEPT_PROGRAM, key, &length) : NULL;
  if (!bytes) return false;
  Program restored = *program;
  restored.units.items =
      arena_copy(loading->arena, program->units.items, program->units.count * sizeof *program->units.items);
  Codec codec = codec_reader(loading->arena, loading->strings, bytes, length);
  code_program(loading, &codec, &restored);
  if (!codec_is_whole(&codec)) return false;
  *program = restored;
  loading->is_restored = true;
  return true;
}

static void look_for_units(Loading *loading) {
  InputMemo *memo = input_memo_make(loading->scratch, loading->tools.overlay);
  for (uint32_t i = 0; i < loading->units.count; i++)
    if (loading->units.items[i].host && !loading->units.items[i].is_restored)
      find_unit(loading, &loading->units.items[i], memo);
}

static void restore_units(Loading *loading) {
  for (uint32_t i = 0; i < loading->units.count; i++)
    if (loading->units.items[i].is_known && !loading->units.items[i].is_restored)
      restore_unit(loading, &loading->units.items[i]);
}

bool program_cache_find(Loading *loading, Program *program) {
  if (!loading->identity) return false;
  look_for_units(loading);
  if (restore_program(loading, program)) return true;
  restore_units(loading);
  return false;
}

void program_cache_find_units(Loading *loading) {
  if (!loading->identity) return;
  look_for_units(loading);
  restore_units(loading);
}

// ---- keeping
// By command, without the file's name.
typedef struct Searched {
  Digest command;
  FrontendPaths folders;
  bool is_known;
} Searched;
typedef VEC(Searched) SearchedList;

static const Searched *search_folders(Loading *loading, SearchedList *list, const char *const *argv) {
  StrBuf text = {.arena = loading->scratch};
  strbuf_add(&text, loading->identity);
  for (const char *const *arg = argv; arg[0] && arg[1];
       arg++) // clang has each side look in the folders of both
    if (!clang_flag_is_of_one_side(*arg)) strbuf_add_n(&text, *arg, strlen(*arg) + 1);
  Digest command = digest_of(text.text, text.length);
  for (uint32_t i = 0; i < list->count; i++)
    if (digest_equal(list->items[i].command, command)) return &list->items[i];
  Searched searched = {.command = command};
  searched.is_known = inputs_search_folders(argv, loading->scratch, &searched.folders);
  vec_push(loading->scratch, list, searched);
  return &vec_last(list);
}

// Of all attempts: one that failed looked for headers, too. Where clang looks hangs on the command and not on
// the text: those that are kept with an older text of the file are all that the first attempts search, those
// that are not there included, and need not be asked for again (which takes as long as the compilation of a
// small file). More folders than are searched do no harm.
static bool add_folders(Loading *loading, SearchedList *list, const Unit *unit, FrontendPaths *out) {
  bool is_known = true;
  const Trail *trail = &unit->trail;
  for (uint32_t i = 0; i < trail->folders.count; i++)
    vec_push(loading->scratch, out, trail->folders.items[i]);
  if (unit->searched.count > 0 && trail->commands.count == (unit->device ? 2u : 1u)) {
    for (uint32_t i = 0; i < unit->searched.count; i++)
      vec_push(loading->scratch, out, unit->searched.items[i]);
    return true;
  }
  for (uint32_t c = 0; c < trail->commands.count; c++) {
    const Searched *searched = search_folders(loading, list, trail->commands.items[c]);
    is_known &= searched->is_known;
    for (uint32_t i = 0; i < searched->folders.count; i++)
      vec_push(loading->scratch, out, searched->folders.items[i]);
  }
  return is_known;
}

static bool asks_for_this_machine(const Trail *trail) {
  for (uint32_t c = 0; c < trail->commands.count; c++)
    for (const char *const *arg = trail->commands.items[c]; *arg; arg++)
      if (str_ends_with(*arg, "=native")) return true;
  return false;
}

// A file that does not compile is kept, too, with what was said of it.
static bool may_be_kept(const Unit *unit) {
  return !unit->is_restored && unit->said && unit->trail.commands.count > 0 && !unit->trail.is_partial &&
         !asks_for_this_machine(&unit->trail) && (unit->said->error_count > 0) == unit->has_failed;
}

static void keep_unit(Loading *loading, Unit *unit, InputMemo *memo, SearchedList *searched) {
  FrontendPaths folders = {0};
  Inputs inputs;
  if (!may_be_kept(unit) || !add_folders(loading, searched, unit, &folders) ||
      !inputs_gather(&unit->trail, &folders, memo, &inputs))
    return;
  Codec content = codec_writer(loading->scratch), about = codec_writer(loading->scratch);
  unit_code(&content, &loading->tools, unit);
  unit->content = digest_of(content.out.text, content.out.length);
  codec_digest(&about, &unit->content);
  inputs_code(&about, &inputs);
  code_included(&about, unit);
  put(loading, KEPT_UNIT, unit->content, &content);
  put(loading, KEPT_INPUTS, unit->key, &about);
  Digest earlier;
  if (earlier_key(unit, memo, &earlier)) put(loading, KEPT_EARLIER, earlier, &about);
  unit->is_known = true;
}

void program_cache_put_units(Loading *loading) {
  if (!loading->identity) return;
  InputMemo *memo = input_memo_make(loading->scratch, loading->tools.overlay);
  SearchedList searched = {0};
  for (uint32_t i = 0; i < loading->units.count; i++)
    keep_unit(loading, &loading->units.items[i], memo, &searched);
}

// Kernels are kept under the digest of their module, even where the program is not.
static void fill_digests(Loading *loading, Program *program) {
  Codec codec = codec_writer(loading->scratch);
  for (uint32_t i = 0; i < program->units.count; i++) {
    FrontendUnit *unit = &program->units.items[i];
    if (unit->device && !unit->device_digest)
      (void)code_module(loading, &codec, unit->device, &unit->device_digest);
  }
}

// Than those of files that do not compile, which the program's key tells.
static bool has_other_errors(const Loading *loading) {
  uint32_t known = 0;
  for (uint32_t i = 0; i < loading->units.count; i++)
    if (loading->units.items[i].said) known += loading->units.items[i].said->error_count;
  return loading->sink->error_count != known;
}

void program_cache_put(Loading *loading, Program *program) {
  Digest key;
  if (!loading->options->store || loading->is_restored) return;
  if (!loading->identity || has_other_errors(loading) || !program_key(loading, &key)) {
    fill_digests(loading, program);
    return;
  }
  Codec codec = codec_writer(loading->scratch);
  code_program(loading, &codec, program);
  put(loading, KEPT_PROGRAM, key, &codec);
}
