// What would clang be told, where the build told nvcc? The options of nvcc that change how the text is read
// (include paths, macros, the language, the architecture, --options-file, what goes to the host compiler) are
// rewritten in clang's spelling and then go the way of all flags (flags.c); the options that only steer code
// generation or linking are known and left out. nvcc takes "-name value", "-name=value" and "--name" alike,
// and commas in lists (CUDA Compiler Driver NVCC, "Command Options"). Soundness: an option that is neither
// known here nor to flags.c is left out with one note.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/internal.h"
#include "core/bug.h"
#include "core/path.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { NESTING_LIMIT = 4, FILE_COUNT_LIMIT = 64, OPTIONS_FILE_LIMIT = 1 << 20 };

// clang has one flag for what nvcc says in parts: functions that are compiled with it carry a mark, behind which quotients and roots in single
// precision are taken for rounded somehow (lower_arith.c).
#define FAST_FLOATS "-fgpu-flush-denormals-to-zero"

typedef enum NvccAction {
  NVCC_SKIP,
  NVCC_SKIP_VALUE,
  NVCC_PREFIX,   // clang's spelling and each value of the list
  NVCC_LANGUAGE, // -x
  NVCC_ARCH,     // architectures stand in the value
  NVCC_HOST,     // a list of flags for the host compiler
  NVCC_IF_TRUE,
  NVCC_IF_FALSE,
  NVCC_FILE,   // more options in a file
  NVCC_DEFINE, // means a macro
  NVCC_STREAM
} NvccAction;

typedef struct NvccOption {
  const char *long_name, *short_name;
  NvccAction action;
  const char *clang;
} NvccOption;

static const NvccOption nvcc_options[] = {
    {"include-path", "I", NVCC_PREFIX, "-I"},
    {"system-include", "isystem", NVCC_PREFIX, "-isystem"},
    {"define-macro", "D", NVCC_PREFIX, "-D"},
    {"undefine-macro", "U", NVCC_PREFIX, "-U"},
    {"pre-include", "include", NVCC_PREFIX, "-include"},
    {"iquote", "iquote", NVCC_PREFIX, "-iquote"}, // of the host compiler, as it may be passed on
    {"idirafter", "idirafter", NVCC_PREFIX, "-idirafter"},
    {"imacros", "imacros", NVCC_PREFIX, "-imacros"},
    {"std", "std", NVCC_PREFIX, "-std="},
    {"x", "x", NVCC_LANGUAGE, NULL},
    {"gpu-architecture", "arch", NVCC_ARCH, NULL},
    {"gpu-code", "code", NVCC_ARCH, NULL},
    {"generate-code", "gencode", NVCC_ARCH, NULL},
    {"compiler-options", "Xcompiler", NVCC_HOST, NULL},
    {"options-file", "optf", NVCC_FILE, NULL},
    {"extended-lambda", "extended-lambda", NVCC_DEFINE, "-D__CUDACC_EXTENDED_LAMBDA__"},
    {"expt-extended-lambda", "expt-extended-lambda", NVCC_DEFINE, "-D__CUDACC_EXTENDED_LAMBDA__"},
    {"expt-relaxed-constexpr", "expt-relaxed-constexpr", NVCC_DEFINE, "-D__CUDACC_RELAXED_CONSTEXPR__"},
    {"device-c", "dc", NVCC_DEFINE, "-D__CUDACC_RDC__"},
    {"default-stream", "default-stream", NVCC_STREAM, NULL},
    {"relocatable-device-code", "rdc", NVCC_IF_TRUE, "-D__CUDACC_RDC__"},
    {"device-debug", "G", NVCC_DEFINE, "-D__CUDACC_DEBUG__"},
    {"dopt", "dopt", NVCC_SKIP_VALUE, NULL},
    {"entries", "e", NVCC_SKIP_VALUE, NULL},
    {"frandom-seed", "frandom-seed", NVCC_SKIP_VALUE, NULL},
    {"static-global-template-stub", "static-global-template-stub", NVCC_SKIP_VALUE, NULL},
    {"compress-mode", "compress-mode", NVCC_SKIP_VALUE, NULL},
    {"jump-table-density", "jtd", NVCC_SKIP_VALUE, NULL},
    {"Ofast-compile", "Ofc", NVCC_SKIP_VALUE, NULL},
    {"time", "time", NVCC_SKIP_VALUE, NULL},
    {"fdevice-time-trace", "fdevice-time-trace", NVCC_SKIP_VALUE, NULL},
    {"version-ident", "dQ", NVCC_SKIP_VALUE, NULL},
    {"host-linker-script", "hls", NVCC_SKIP_VALUE, NULL},
    {"drive-prefix", "dp", NVCC_SKIP_VALUE, NULL},
    {"target-directory", "target-dir", NVCC_SKIP_VALUE, NULL},
    {"output-file", "o", NVCC_SKIP_VALUE, NULL},
    {"output-directory", "odir", NVCC_SKIP_VALUE, NULL},
    {"dependency-output", "MF", NVCC_SKIP_VALUE, NULL},
    {"dependency-target-name", "MT", NVCC_SKIP_VALUE, NULL},
    {"compiler-bindir", "ccbin", NVCC_SKIP_VALUE, NULL},
    {"linker-options", "Xlinker", NVCC_SKIP_VALUE, NULL},
    {"archive-options", "Xarchive", NVCC_SKIP_VALUE, NULL},
    {"ptxas-options", "Xptxas", NVCC_SKIP_VALUE, NULL},
    {"nvlink-options", "Xnvlink", NVCC_SKIP_VALUE, NULL},
    {"cudafe-options", "Xcudafe", NVCC_SKIP_VALUE, NULL},
    {"fatbin-options", "Xfatbin", NVCC_SKIP_VALUE, NULL},
    {"library", "l", NVCC_SKIP_VALUE, NULL},
    {"library-path", "L", NVCC_SKIP_VALUE, NULL},
    {"maxrregcount", "maxrregcount", NVCC_SKIP_VALUE, NULL},
    {"machine", "m", NVCC_SKIP_VALUE, NULL},
    {"optimize", "O", NVCC_SKIP_VALUE, NULL},
    {"threads", "t", NVCC_SKIP_VALUE, NULL},
    {"split-compile", "split-compile", NVCC_SKIP_VALUE, NULL},
    {"cudart", "cudart", NVCC_SKIP_VALUE, NULL},
    {"cudadevrt", "cudadevrt", NVCC_SKIP_VALUE, NULL},
    {"keep-dir", "keep-dir", NVCC_SKIP_VALUE, NULL},
    {"diag-suppress", "diag-suppress", NVCC_SKIP_VALUE, NULL},
    {"diag-error", "diag-error", NVCC_SKIP_VALUE, NULL},
    {"diag-warn", "diag-warn", NVCC_SKIP_VALUE, NULL},
    {"Werror", "Werror", NVCC_SKIP_VALUE, NULL},
    {"ftz", "ftz", NVCC_IF_TRUE, FAST_FLOATS},
    {"prec-div", "prec-div", NVCC_IF_FALSE, FAST_FLOATS},
    {"prec-sqrt", "prec-sqrt", NVCC_IF_FALSE, FAST_FLOATS},
    {"fmad", "fmad", NVCC_SKIP_VALUE, NULL},
    {"run-args", "run-args", NVCC_SKIP_VALUE, NULL},
    {"use_fast_math", "use_fast_math", NVCC_DEFINE, FAST_FLOATS},
    {"use-local-env", "use-local-env", NVCC_SKIP, NULL},
    {"compile", "c", NVCC_SKIP, NULL},
    {"device-w", "dw", NVCC_SKIP, NULL},
    {"device-link", "dlink", NVCC_SKIP, NULL},
    {"cuda", "cuda", NVCC_SKIP, NULL},
    {"ptx", "ptx", NVCC_SKIP, NULL},
    {"cubin", "cubin", NVCC_SKIP, NULL},
    {"fatbin", "fatbin", NVCC_SKIP, NULL},
    {"preprocess", "E", NVCC_SKIP, NULL},
    {"generate-dependencies", "M", NVCC_SKIP, NULL},
    {"generate-dependencies-with-compile", "MD", NVCC_SKIP, NULL},
    {"generate-nonsystem-dependencies-with-compile", "MMD", NVCC_SKIP, NULL},
    {"generate-dependency-targets", "MP", NVCC_SKIP, NULL},
    {"lib", "lib", NVCC_SKIP, NULL},
    {"link", "link", NVCC_SKIP, NULL},
    {"run", "run", NVCC_SKIP, NULL},
    {"shared", "shared", NVCC_SKIP, NULL},
    {"debug", "g", NVCC_SKIP, NULL},
    {"generate-line-info", "lineinfo", NVCC_SKIP, NULL},
    {"profile", "pg", NVCC_SKIP, NULL},
    {"disable-warnings", "w", NVCC_SKIP, NULL},
    {"keep", "keep", NVCC_SKIP, NULL},
    {"save-temps", "save-temps", NVCC_SKIP, NULL},
    {"clean-targets", "clean", NVCC_SKIP, NULL},
    {"dryrun", "dryrun", NVCC_SKIP, NULL},
    {"verbose", "v", NVCC_SKIP, NULL},
    {"resource-usage", "res-usage", NVCC_SKIP, NULL},
    {"restrict", "restrict", NVCC_SKIP, NULL},
    {"minimal", "minimal", NVCC_SKIP, NULL},
    {"no-compress", "no-compress", NVCC_SKIP, NULL},
    {"no-exceptions", "noeh", NVCC_SKIP, NULL},
    {"no-align-double", "no-align-double", NVCC_SKIP, NULL},
    {"device-stack-protector", "device-stack-protector", NVCC_SKIP, NULL},
    {"brief-diagnostics", "brief-diag", NVCC_SKIP, NULL},
    {"optix-ir", "optix-ir", NVCC_SKIP, NULL},
    {"ltoir", "ltoir", NVCC_SKIP, NULL},
    {"fdevice-syntax-only", "fdevice-syntax-only", NVCC_SKIP, NULL},
    {"relocatable-ptx", "reloc-ptx", NVCC_SKIP, NULL},
    {"extensible-whole-program", "ewp", NVCC_SKIP, NULL},
    {"objdir-as-tempdir", "objtemp", NVCC_SKIP, NULL},
    {"Wreorder", "Wreorder", NVCC_SKIP, NULL},
    {"Wdefault-stream-launch", "Wdefault-stream-launch", NVCC_SKIP, NULL},
    {"Wext-lambda-captures-this", "Wext-lambda-captures-this", NVCC_SKIP, NULL},
    {"dlink-time-opt", "dlto", NVCC_SKIP, NULL},
    {"extra-device-vectorization", "extra-device-vectorization", NVCC_SKIP, NULL},
    {"forward-unknown-to-host-compiler", "forward-unknown-to-host-compiler", NVCC_SKIP, NULL},
    {"forward-unknown-opts", "forward-unknown-opts", NVCC_SKIP, NULL},
    {"allow-unsupported-compiler", "allow-unsupported-compiler", NVCC_SKIP, NULL},
    {"display-error-number", "err-no", NVCC_SKIP, NULL},
    {"no-display-error-number", "no-err-no", NVCC_SKIP, NULL},
    {"source-in-ptx", "src-in-ptx", NVCC_SKIP, NULL},
    {"Wno-deprecated-gpu-targets", "Wno-deprecated-gpu-targets", NVCC_SKIP, NULL},
};

typedef struct Translation {
  Arena *arena;
  DiagSink *sink;
  const char *directory;
  CompileFlags *out;
  VEC(const char *) flags;  // in clang's spelling
  const char *const *roots; // folders that options files may lie in, NULL: anywhere
  int nesting, files;
  bool is_plain; // not nvcc, but a compiler with the options of gcc
} Translation;

// ---- finding the option

// Options of one letter take their value without a space: -DX, -Iinc, -O3, -lm.
static bool joins_value(const NvccOption *option) {
  return option->short_name[1] == '\0' && strchr("IDULlOo", option->short_name[0]);
}

// `*value` is the text after '=' or a joined value, NULL if there is none.
static const NvccOption *find_option(const char *flag, const char **value) {
  bool is_long = str_starts_with(flag, "--");
  const char *name = flag + (is_long ? 2 : 1);
  size_t length = strcspn(name, "=");
  for (size_t i = 0; i < sizeof nvcc_options / sizeof *nvcc_options; i++) {
    const NvccOption *option = &nvcc_options[i];
    const char *names[] = {option->long_name, option->short_name};
    for (int k = is_long ? 0 : 1; k < 2; k++) {
      if (strlen(names[k]) != length || strncmp(name, names[k], length) != 0) continue;
      *value = name[length] == '=' ? name + length + 1 : NULL;
      return option;
    }
  }
  for (size_t i = 0; !is_long && i < sizeof nvcc_options / sizeof *nvcc_options; i++)
    if (joins_value(&nvcc_options[i]) && name[0] == nvcc_options[i].short_name[0] && name[1]) {
      *value = name + 1;
      return &nvcc_options[i];
    }
  return NULL;
}

// ---- values

static void push(Translation *translation, const char *flag) {
  vec_push(translation->arena, &translation->flags, flag);
}

// Calls `take` for each part of a list with commas; "\," is a comma in a part, and quotes around a part go.
static void for_each_part(Translation *translation, const char *list, const char *prefix,
                          void (*take)(Translation *, const char *prefix, const char *part)) {
  StrBuf part = {.arena = translation->arena};
  for (const char *at = list;; at++) {
    if (*at == '\\' && at[1] == ',') {
      strbuf_add_n(&part, ++at, 1);
    } else if (*at == ',' || *at == '\0') {
      if (part.length) take(translation, prefix, arena_strdup(translation->arena, part.text));
      part.length = 0;
      if (*at == '\0') return;
    } else {
      strbuf_add_n(&part, at, 1);
    }
  }
}

static void take_prefixed(Translation *translation, const char *prefix, const char *part) {
  bool is_separate = str_starts_with(prefix, "-i"); // -isystem, -include and the like
  if (is_separate) push(translation, prefix);
  push(translation, is_separate ? part : arena_printf(translation->arena, "%s%s", prefix, part));
}

static void take_host_flag(Translation *translation, const char *prefix, const char *part) {
  (void)prefix;
  for (const char *at = part; *at;) { // the shell that runs the host compiler separates words
    size_t length = strcspn(at, " \t\n");
    if (length) push(translation, arena_strndup(translation->arena, at, length));
    at += length + (at[length] != '\0');
  }
}

// Every architecture in "arch=compute_80,code=[sm_80,compute_86]"; the highest counts.
static void take_archs(CompileFlags *out, const char *value) {
  for (const char *at = value; (at = strchr(at, '_')); at++) {
    bool is_named = at - value >= 2 && (strncmp(at - 2, "sm", 2) == 0 ||
                                        (at - value >= 7 && strncmp(at - 7, "compute", 7) == 0));
    uint32_t arch = is_named ? (uint32_t)strtoul(at + 1, NULL, 10) : 0;
    if (arch > out->arch) out->arch = arch;
  }
}

// ---- the list

static void translate(Translation *translation, uint32_t count, const char *const *args);
static void translate_plain(Translation *translation, uint32_t count, const char *const *args);

// Words separated by spaces, with quotes, as nvcc reads an options file.
static void translate_text(Translation *translation, const char *text) {
  VEC(const char *) words = {0};
  for (const char *at = text; *at;) {
    StrBuf word = {.arena = translation->arena};
    char quote = '\0';
    while (isspace((unsigned char)*at))
      at++;
    if (!*at) break;
    for (; *at && (quote || !isspace((unsigned char)*at)); at++) {
      bool is_quote = quote ? *at == quote : (*at == '"' || *at == '\'');
      if (is_quote)
        quote = quote ? '\0' : *at;
      else
        strbuf_add_n(&word, at, 1);
    }
    vec_push(translation->arena, &words, strbuf_text(&word));
  }
  if (translation->is_plain)
    translate_plain(translation, words.count, words.items);
  else
    translate(translation, words.count, words.items);
}

static void take_file(Translation *translation, const char *prefix, const char *name) {
  (void)prefix;
  Arena *arena = translation->arena;
  const char *path = path_join(translation->directory, name, arena), *text = NULL;
  size_t length = 0;
  const char *const *roots = translation->roots;
  bool is_within = !roots || path_is_within(path, roots[0], arena) || path_is_within(path, roots[1], arena);
  bool is_deep = translation->nesting == NESTING_LIMIT || translation->files == FILE_COUNT_LIMIT;
  if (is_within && !is_deep) text = regular_file_text(path, OPTIONS_FILE_LIMIT, arena, &length);
  if (!text) {
    const char *reason = !is_within        ? "lies outside the build"
                         : is_deep         ? "stands in one that stands in another, or there are too many"
                         : errno == EINVAL ? "is no regular file"
                                           : strerror(errno);
    flags_note_gap(
        translation->sink,
        arena_printf(arena, "the options file %s is left out (%s): its flags are missing", path, reason));
    return;
  }
  translation->nesting++;
  translation->files++;
  translate_text(translation, text);
  translation->nesting--;
}

static void apply(Translation *translation, const NvccOption *option, const char *value) {
  switch (option->action) {
  case NVCC_SKIP:
  case NVCC_SKIP_VALUE: return;
  case NVCC_DEFINE: push(translation, option->clang); return;
  case NVCC_PREFIX: for_each_part(translation, value, option->clang, take_prefixed); return;
  case NVCC_HOST: for_each_part(translation, value, NULL, take_host_flag); return;
  case NVCC_FILE: for_each_part(translation, value, NULL, take_file); return;
  case NVCC_IF_TRUE:
    if (strcmp(value, "true") == 0) push(translation, option->clang);
    return;
  case NVCC_IF_FALSE:
    if (strcmp(value, "false") == 0) push(translation, option->clang);
    return;
  case NVCC_LANGUAGE: (void)flags_take_language(value, translation->out); return;
  case NVCC_ARCH: take_archs(translation->out, value); return;
  case NVCC_STREAM:
    if (strcmp(value, "per-thread") == 0) push(translation, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM");
    return;
  }
}

static void translate(Translation *translation, uint32_t count, const char *const *args) {
  for (uint32_t i = 0; i < count; i++) {
    const char *value = NULL;
    if (args[i][0] == '@') take_file(translation, NULL, args[i] + 1);
    if (args[i][0] != '-') continue; // the file itself, objects
    const NvccOption *option = find_option(args[i], &value);
    if (!option) {
      push(translation, args[i]);
      continue;
    }
    bool has_value = option->action != NVCC_SKIP && option->action != NVCC_DEFINE;
    if (has_value && !value) value = i + 1 < count ? args[++i] : "";
    apply(translation, option, value);
  }
}

// Paths in flags are relative to where the build ran; the analyzer runs elsewhere.
static void make_paths_absolute(Translation *translation) {
  for (uint32_t i = 0; i < translation->flags.count; i++) {
    const char *flag = translation->flags.items[i];
    if (str_starts_with(flag, "-I") && flag[2])
      translation->flags.items[i] = arena_printf(
          translation->arena, "-I%s", path_join(translation->directory, flag + 2, translation->arena));
    static const char *const separate[] = {"-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros"};
    for (size_t k = 0; k < sizeof separate / sizeof *separate; k++)
      if (strcmp(flag, separate[k]) == 0 && i + 1 < translation->flags.count) {
        translation->flags.items[i + 1] =
            path_join(translation->directory, translation->flags.items[i + 1], translation->arena);
        i++;
        break;
      }
  }
}

static void translate_plain(Translation *translation, uint32_t count, const char *const *args) {
  for (uint32_t i = 0; i < count; i++) {
    const char *flag = args[i];
    if (flag[0] == '@')
      take_file(translation, NULL, flag + 1);
    else
      push(translation, flag);
  }
}

void build_command_flags(const BuildCommand *command, Arena *arena, DiagSink *sink, CompileFlags *out) {
  ASSERT(out);
  Translation translation = {.arena = arena, .sink = sink, .directory = command->directory, .out = out};
  translation.roots = command->roots;
  translation.is_plain = !str_starts_with(command->compiler, "nvcc");
  if (translation.is_plain)
    translate_plain(&translation, command->count, command->args);
  else
    translate(&translation, command->count, command->args);
  make_paths_absolute(&translation);
  flags_filter(translation.flags.count, translation.flags.items, arena, sink, out);
}
