// Which of the user's compiler flags may clang see? Only what changes how the text is read: macros, include
// paths, the language and the -f switches of it. A list of what is taken, not of what is refused: an unknown
// flag cannot load code into clang, run another program or write a file. Options for warnings, optimisation,
// output and linking mean nothing here and are left out silently; the rest is left out with a note.
// Soundness: a flag that is left out can make the text differ from the one that is built; hence the note.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/internal.h"
#include "core/bug.h"

#include <stdlib.h>
#include <string.h>

typedef enum FlagAction {
  TAKE,            // as it is
  TAKE_WITH_VALUE, // with the value joined or in the next argument
  SKIP,            // means nothing here
  SKIP_WITH_VALUE, // and takes its value along
  REFUSE,          // could load code or write files
  REFUSE_WITH_VALUE,
  SWITCH, // -fNAME: taken if it is one of the language, else it means nothing here
  ARCH,   // names a GPU architecture
  SPEAKS, // names the language
  STREAM, // whose default stream it is: what nvcc says by a macro
  FAST    // optimises, which is skipped, and makes floating point fast, which is not
} FlagAction;

typedef struct FlagRule {
  const char *prefix;
  bool is_exact;
  FlagAction action;
} FlagRule;

// The first rule that fits decides.
static const FlagRule flag_rules[] = {
    {"-fplugin", false, REFUSE},
    {"-fpass-plugin", false, REFUSE},
    {"-Xclang", true, REFUSE_WITH_VALUE},
    {"-Xarch_host", true, REFUSE_WITH_VALUE},
    {"-Xarch_device", true, REFUSE_WITH_VALUE},
    {"-Xcuda-ptxas", true, SKIP_WITH_VALUE},
    {"-Xlinker", true, SKIP_WITH_VALUE},
    {"-Xassembler", true, SKIP_WITH_VALUE},
    {"-mllvm", true, REFUSE_WITH_VALUE},
    {"-load", true, REFUSE_WITH_VALUE},
    {"-cc1", false, REFUSE},
    {"-specs", false, REFUSE},
    {"--config", false, REFUSE},
    {"-resource-dir", false, REFUSE},
    {"-B", false, REFUSE},
    {"@", false, REFUSE},
    {"-save-temps", false, REFUSE},
    {"--save-temps", false, REFUSE},
    {"--serialize-diagnostics", true, REFUSE_WITH_VALUE},
    {"-fmodule", false, REFUSE},
    {"-fprebuilt", false, REFUSE},
    {"-fcuda-include", false, REFUSE},
    {"-foptimization-record", false, REFUSE},
    {"-fproc-stat-report", false, REFUSE},
    {"-fgpu-default-stream=", false, STREAM},
    {"-f", false, SWITCH},
    {"-include-pch", true, REFUSE_WITH_VALUE},
    {"-include", true, TAKE_WITH_VALUE},
    {"-imacros", true, TAKE_WITH_VALUE},
    {"-isystem", false, TAKE_WITH_VALUE},
    {"-iquote", false, TAKE_WITH_VALUE},
    {"-idirafter", false, TAKE_WITH_VALUE},
    {"-isysroot", true, TAKE_WITH_VALUE},
    {"--sysroot", false, TAKE},
    {"-I", false, TAKE_WITH_VALUE},
    {"-D", false, TAKE_WITH_VALUE},
    {"-U", false, TAKE_WITH_VALUE},
    {"-std=", false, TAKE},
    {"--std=", false, TAKE},
    {"-stdlib=", false, TAKE},
    {"-nostdinc", false, TAKE},
    {"-ansi", true, TAKE},
    {"-pthread", true, TAKE},
    {"-m32", true, TAKE},
    {"-m64", true, TAKE},
    {"-mavx", false, TAKE},
    {"-msse", false, TAKE},
    {"-mfma", true, TAKE},
    {"-march=", false, TAKE},
    {"-m", false, SKIP},
    {"--cuda-gpu-arch=", false, ARCH},
    {"--offload-arch=", false, ARCH},
    {"--cuda-path", false, SKIP},
    {"-x", false, SPEAKS},
    {"-o", true, SKIP_WITH_VALUE},
    {"-o", false, SKIP},
    {"-MF", true, SKIP_WITH_VALUE},
    {"-MT", true, SKIP_WITH_VALUE},
    {"-MQ", true, SKIP_WITH_VALUE},
    {"-MJ", true, SKIP_WITH_VALUE},
    {"-M", false, SKIP},
    {"-L", true, SKIP_WITH_VALUE},
    {"-l", true, SKIP_WITH_VALUE},
    {"-L", false, SKIP},
    {"-l", false, SKIP},
    {"-arch", false, ARCH},
    {"--gpu-architecture", false, ARCH},
    {"-gencode", false, ARCH},
    {"--generate-code", false, ARCH},
    {"-W", false, SKIP},
    {"-w", true, SKIP},
    {"-Ofast", true, FAST},
    {"-O", false, SKIP},
    {"-g", false, SKIP},
    {"-c", true, SKIP},
    {"-S", true, SKIP},
    {"-E", true, SKIP},
    {"-v", true, SKIP},
    {"-pedantic", false, SKIP},
    {"-pipe", true, SKIP},
    {"-shared", false, SKIP},
    {"-static", false, SKIP},
    {"-rdynamic", true, SKIP},
    {"-no-pie", true, SKIP},
    {"-pie", true, SKIP},
    {"--driver-mode", false, SKIP},
};

// Switches that change what the text means, after "-f" or "-fno-" and before "=". All others steer how code
// is made or how messages look.
static const char *const language_switches[] = {"access-control",
                                                "aligned-allocation",
                                                "approx-func",
                                                "asm",
                                                "associative-math",
                                                "blocks",
                                                "bracket-depth",
                                                "builtin",
                                                "char8_t",
                                                "check-new",
                                                "concepts",
                                                "constexpr-backtrace-limit",
                                                "constexpr-depth",
                                                "constexpr-steps",
                                                "coroutines",
                                                "cuda-flush-denormals-to-zero",
                                                "cxx-exceptions",
                                                "declspec",
                                                "delayed-template-parsing",
                                                "denormal-fp-math",
                                                "denormal-fp-math-f32",
                                                "dollars-in-identifiers",
                                                "elide-constructors",
                                                "exceptions",
                                                "exec-charset",
                                                "fast-math",
                                                "finite-math-only",
                                                "fp-model",
                                                "freestanding",
                                                "gnu-keywords",
                                                "gnu89-inline",
                                                "gpu-flush-denormals-to-zero",
                                                "hosted",
                                                "inline",
                                                "input-charset",
                                                "lax-vector-conversions",
                                                "ms-compatibility",
                                                "ms-compatibility-version",
                                                "ms-extensions",
                                                "new-alignment",
                                                "operator-names",
                                                "pack-struct",
                                                "pic",
                                                "PIC",
                                                "PIE",
                                                "pie",
                                                "reciprocal-math",
                                                "relaxed-template-template-args",
                                                "rtti",
                                                "short-enums",
                                                "short-wchar",
                                                "signed-char",
                                                "signed-zeros",
                                                "sized-deallocation",
                                                "strict-enums",
                                                "strict-overflow",
                                                "template-depth",
                                                "trigraphs",
                                                "unsafe-math-optimizations",
                                                "unsigned-char",
                                                "wchar",
                                                "wrapv",
                                                "zero-initialized-in-bss"};

static bool is_language_switch(const char *flag) {
  const char *name = flag + strlen(str_starts_with(flag, "-fno-") ? "-fno-" : "-f");
  size_t length = strcspn(name, "=");
  for (size_t i = 0; i < sizeof language_switches / sizeof *language_switches; i++)
    if (strlen(language_switches[i]) == length && memcmp(language_switches[i], name, length) == 0)
      return true;
  // "-ftemplate-depth-1000", the old spelling
  return str_starts_with(name, "template-depth-");
}

static const FlagRule *rule_of(const char *flag) {
  for (size_t i = 0; i < sizeof flag_rules / sizeof *flag_rules; i++) {
    const FlagRule *rule = &flag_rules[i];
    if (rule->is_exact ? strcmp(flag, rule->prefix) == 0 : str_starts_with(flag, rule->prefix)) return rule;
  }
  return NULL;
}

void flags_note_once(DiagSink *sink, const char *message) {
  ASSERT(message);
  for (uint32_t i = 0; i < sink->diags.count; i++)
    if (strcmp(sink->diags.items[i].message, message) == 0) return;
  diag_report(sink, DIAG_NOTE, NULL, "%s", message);
}

void flags_note_gap(DiagSink *sink, const char *message) {
  ASSERT(message);
  diag_report_gap(sink, NULL, "%s", message);
}

static void note_refused(Arena *arena, DiagSink *sink, const char *flag, const char *value) {
  flags_note_gap(sink, arena_printf(arena,
                                    "flag '%s%s%s' is not handed to clang: it could load code or write files",
                                    flag, value ? " " : "", value ? value : ""));
}

static void take_arch(const char *flag, CompileFlags *out) {
  const char *text = strrchr(flag, '_'); // sm_80, compute_90a, arch=compute_80,code=sm_86
  uint32_t arch = text ? (uint32_t)strtoul(text + 1, NULL, 10) : 0;
  if (arch > out->arch) out->arch = arch;
}

bool flags_take_language(const char *name, CompileFlags *out) {
  ASSERT(name);
  ASSERT(out);
  static const struct {
    const char *name;
    Language language;
  } names[] = {{"cu", LANGUAGE_CUDA}, {"cuda", LANGUAGE_CUDA},    {"c++", LANGUAGE_CXX},
               {"c", LANGUAGE_C},     {"none", LANGUAGE_BY_NAME}, {"c++-header", LANGUAGE_CXX}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i].name) == 0) {
      out->language = names[i].language;
      return true;
    }
  return false;
}

static void take_language(const char *name, Arena *arena, DiagSink *sink, CompileFlags *out) {
  if (!flags_take_language(name, out))
    flags_note_gap(sink,
                   arena_printf(arena, "flag '-x %s' is not handed to clang: write cuda, c++ or c", name));
}

static void take(const char *flag, Arena *arena, CompileFlags *out) {
  if (strstr(flag, "-std=")) out->has_standard = true;
  vec_push(arena, &out->args, arena_strdup(arena, flag));
}

// Does one flag; returns how many arguments it used.
static uint32_t filter_one(uint32_t left, const char *const *flags, Arena *arena, DiagSink *sink,
                           CompileFlags *out) {
  const char *flag = flags[0], *value = left > 1 ? flags[1] : NULL;
  const FlagRule *rule = rule_of(flag);
  if (!rule && flag[0] != '-') return 1; // a file
  if (!rule) {
    flags_note_gap(sink, arena_printf(arena, "flag '%s' is not handed to clang: it is not known here", flag));
    return 1;
  }
  bool value_is_next = strcmp(flag, rule->prefix) == 0 && value;
  switch (rule->action) {
  case TAKE: take(flag, arena, out); return 1;
  case TAKE_WITH_VALUE:
    if (strcmp(flag, rule->prefix) == 0 && !value) return 1;
    take(flag, arena, out);
    if (value_is_next) vec_push(arena, &out->args, arena_strdup(arena, value));
    return value_is_next ? 2 : 1;
  case SWITCH:
    if (is_language_switch(flag)) take(flag, arena, out);
    return 1;
  case STREAM:
    if (str_ends_with(flag, "=per-thread")) take("-DCUDA_API_PER_THREAD_DEFAULT_STREAM", arena, out);
    return 1;
  case FAST: take("-ffast-math", arena, out); return 1;
  case SKIP: return 1;
  case SKIP_WITH_VALUE: return value_is_next ? 2 : 1;
  case REFUSE: note_refused(arena, sink, flag, NULL); return 1;
  case REFUSE_WITH_VALUE: note_refused(arena, sink, flag, value); return value_is_next ? 2 : 1;
  case SPEAKS:
    take_language(value_is_next ? value : flag + 2, arena, sink, out);
    return value_is_next ? 2 : 1;
  case ARCH: take_arch(value_is_next ? value : flag, out); return value_is_next ? 2 : 1;
  }
  return 1;
}

void flags_filter(uint32_t count, const char *const *flags, Arena *arena, DiagSink *sink, CompileFlags *out) {
  ASSERT(out);
  for (uint32_t i = 0; i < count;)
    i += filter_one(count - i, flags + i, arena, sink, out);
}
