// What did the user ask for?
//
// One table holds every option with its argument, default and help; the parser walks it and --help prints it.
// Long options take `--name=value` or `--name value`, short ones `-pDIR` or `-p DIR`. -W options are not in
// the table's parser part, because their names come from the rules; they are applied left to right, -Werror
// at the end.
//
// Soundness: an argument that is not understood is an error, never ignored.
// SPDX-License-Identifier: Apache-2.0
#include "driver/options.h"
#include "core/bug.h"
#include "driver/files.h"
#include "driver/project.h"
#include "report/report.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define USAGE "usage: hgrd-check [OPTION...] FILE... [-- FLAG...]"

typedef struct Parser {
  Arena *arena;
  Options *options;
  const char *error;
  const char *early_output;     // -o in front of the --format that it belongs to
  bool all_errors;              // -Werror
  bool has_list;                // --files-from
  bool never_error[RULE_COUNT]; // -Wno-error=rule
} Parser;

typedef struct OptionSpec {
  const char *name;     // without dashes; one letter: a short option
  const char *argument; // NULL: takes none; in brackets: may be left out; small letters: only behind '='
  const char *preset;   // NULL: none worth telling
  const char *help;     // NULL: another spelling, not in --help
  bool (*set)(Parser *parser, const char *value);
} OptionSpec;

static bool fail(Parser *parser, const char *message) {
  parser->error = message;
  return false;
}

// ---- values

static bool choose(Parser *parser, const char *option, const char *value, const char *const *names,
                   int *choice) {
  StrBuf all = {.arena = parser->arena};
  const char *nearest = NULL;
  uint32_t least_far = REPORT_NO_SLIP;
  for (int i = 0; names[i]; i++) {
    if (strcmp(names[i], value) == 0) {
      *choice = i;
      return true;
    }
    uint32_t far = report_slip(value, names[i]);
    if (far < least_far) least_far = far, nearest = names[i];
    strbuf_printf(&all, "%s%s", i ? ", " : "", names[i]);
  }
  if (nearest) strbuf_printf(&all, "; did you mean '%s'?", nearest);
  return fail(parser,
              arena_printf(parser->arena, "%s: '%s' is none of %s", option, value, strbuf_text(&all)));
}

// A whole number in [1, most]; *end is the first character behind it.
static bool read_number(const char *text, int64_t most, int64_t *value, const char **end) {
  if (*text < '0' || *text > '9') return false;
  errno = 0;
  char *stop;
  long long number = strtoll(text, &stop, 10);
  *end = stop;
  *value = number;
  return errno == 0 && number >= 1 && number <= most;
}

// 16 | 16,16 | [16,16,1] | (16,16)
bool options_read_triple(const char *text, int64_t triple[3]) {
  ASSERT(text);
  char close = *text == '[' ? ']' : *text == '(' ? ')' : 0;
  text += close != 0;
  int count = 0;
  for (; count < 3; count++) {
    while (*text == ' ')
      text++;
    if (!read_number(text, INT32_MAX, &triple[count], &text)) return false;
    if (*text != ',') break;
    text++;
  }
  for (int i = count + 1; i < 3; i++)
    triple[i] = 1;
  return count < 3 && *text == close && (!close || text[1] == 0);
}

static bool set_triple(Parser *parser, const char *option, const char *value, int64_t triple[3]) {
  int64_t read[3];
  if (!options_read_triple(value, read))
    return fail(parser, arena_printf(parser->arena,
                                     "%s: '%s' is no dimension; write one to three positive numbers, as in "
                                     "16,16 or [16,16,1]",
                                     option, value));
  memcpy(triple, read, sizeof read);
  return true;
}

// ---- setters, in the order of the table

static bool set_help(Parser *parser, const char *value) {
  (void)value;
  parser->options->action = ACTION_HELP;
  return true;
}

static bool set_version(Parser *parser, const char *value) {
  (void)value;
  parser->options->action = ACTION_VERSION;
  return true;
}

static bool set_precompile(Parser *parser, const char *value) {
  (void)value;
  parser->options->action = ACTION_PRECOMPILE;
  return true;
}

static bool set_compile(Parser *parser, const char *value) {
  (void)value;
  parser->options->action = ACTION_COMPILE;
  return true;
}

static bool set_depends(Parser *parser, const char *value) {
  (void)value;
  return parser->options->wants_depends = true;
}

static bool set_depend_file(Parser *parser, const char *value) {
  parser->options->depend_file = value;
  return parser->options->wants_depends = true;
}

// I/N with 1 <= I <= N
static bool set_shard(Parser *parser, const char *value) {
  int64_t shard, count;
  const char *end;
  if (!read_number(value, INT32_MAX, &shard, &end) || *end != '/' ||
      !read_number(end + 1, INT32_MAX, &count, &end) || *end || shard > count)
    return fail(parser,
                arena_printf(parser->arena,
                             "--shard: '%s' is no part of a whole; write 1/4 for the first of four", value));
  parser->options->shard = (uint32_t)shard;
  parser->options->shard_count = (uint32_t)count;
  return true;
}

static bool set_merge(Parser *parser, const char *value) {
  (void)value;
  parser->options->action = ACTION_MERGE;
  return true;
}

static bool set_lsp(Parser *parser, const char *value) {
  (void)value;
  parser->options->action = ACTION_LSP;
  return true;
}

// What editors add to the command of a server that talks over its standard streams, as this one does anyway.
static bool set_stdio(Parser *parser, const char *value) {
  (void)value;
  (void)parser;
  return true;
}

static bool set_cache(Parser *parser, const char *value) {
  if (!value[0]) return fail(parser, "--cache: the folder's name is empty; write 'off' for no cache");
  parser->options->cache = value;
  return true;
}

static bool set_cache_size(Parser *parser, const char *value) {
  int64_t number;
  const char *end;
  if (!read_number(value, INT32_MAX, &number, &end) || *end)
    return fail(parser, arena_printf(parser->arena, "--cache-size: '%s' is no number of MiB", value));
  parser->options->cache_mib = (uint64_t)number;
  return true;
}

static bool set_cache_stats(Parser *parser, const char *value) {
  (void)value;
  return parser->options->wants_cache_stats = true;
}

static const char *unknown_rule(Parser *parser, const char *option, const char *name, const char *nearest) {
  return arena_printf(parser->arena, "%s: unknown rule '%s'; %s", option, name,
                      report_meant(nearest, parser->arena));
}

static bool set_explain(Parser *parser, const char *value) {
  if (strcmp(value, "list") == 0) {
    parser->options->action = ACTION_LIST;
    return true;
  }
  parser->options->explain = report_find_rule(str_starts_with(value, "-W") ? value + 2 : value);
  parser->options->explained = cause_find(value);
  if (parser->options->explain == RULE_NONE && !parser->options->explained)
    return fail(parser, unknown_rule(parser, "--explain", value, report_nearest_explained(value)));
  parser->options->action = ACTION_EXPLAIN;
  return true;
}

static bool set_completion(Parser *parser, const char *value) {
  static const char *const names[] = {"bash", "zsh", "fish", NULL};
  int choice;
  if (!choose(parser, "--completion", value, names, &choice)) return false;
  parser->options->shell = (CompletionShell)choice;
  parser->options->action = ACTION_COMPLETION;
  return true;
}

static const char *const format_names[] = {"text", "json", "sarif", "html", "gitlab", "junit", "part", NULL};

static bool set_format(Parser *parser, const char *value) {
  int choice;
  if (!choose(parser, "--format", value, format_names, &choice)) return false;
  vec_push(parser->arena, &parser->options->outputs,
           (OutputRequest){(OutputFormat)choice, parser->early_output});
  parser->early_output = NULL;
  return true;
}

// A file belongs to the format named last, or to the one that follows.
static bool set_output(Parser *parser, const char *value) {
  Options *options = parser->options;
  if (!value[0]) return fail(parser, "--output: the file name is empty");
  const char **place = options->outputs.count ? &vec_last(&options->outputs).path : &parser->early_output;
  if (*place)
    return fail(parser, arena_printf(parser->arena,
                                     "--output: '%s' and '%s' for one report; write --format before each",
                                     *place, value));
  *place = value;
  return true;
}

static const char *const dump_names[] = {"ir", "host", "kernel", "sync", "pairs", "goals", "smt", NULL};

static bool set_dump(Parser *parser, const char *value) {
  int choice;
  if (!choose(parser, "--dump", value, dump_names, &choice)) return false;
  parser->options->dump = (DumpStage)(DUMP_IR + choice);
  return true;
}

static bool set_grid(Parser *parser, const char *value) {
  return set_triple(parser, "--grid-dim", value, parser->options->grid_dim);
}

bool options_fit_block(const int64_t block[3]) {
  return block[0] <= 1024 && block[1] <= 1024 && block[2] <= 64 && block[0] * block[1] * block[2] <= 1024;
}

static bool set_block(Parser *parser, const char *value) {
  int64_t *block = parser->options->block_dim;
  if (!set_triple(parser, "--block-dim", value, block)) return false;
  if (!options_fit_block(block))
    return fail(parser,
                arena_printf(parser->arena,
                             "--block-dim: '%s' is more than a block can have: 1024 threads in all, 64 in z",
                             value));
  return true;
}

static bool set_kernel(Parser *parser, const char *value) {
  parser->options->kernel_regex = value;
  return true;
}

static bool set_arch(Parser *parser, const char *value) {
  const char *digits = str_starts_with(value, "sm_") ? value + 3 : value;
  digits = str_starts_with(value, "compute_") ? value + 8 : digits;
  int64_t number;
  const char *end;
  if (!read_number(digits, 999, &number, &end) || (*end && strcmp(end, "a") != 0 && strcmp(end, "f") != 0))
    return fail(parser, arena_printf(parser->arena, "--arch: '%s' is no architecture; write sm_80", value));
  parser->options->arch = (uint32_t)number;
  return true;
}

static bool set_memory_model(Parser *parser, const char *value) {
  static const char *const names[] = {"cuda", "ptx", "scord"};
  static const MemoryModel models[] = {MEMORY_MODEL_CUDA, MEMORY_MODEL_PTX, MEMORY_MODEL_SCORD};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (strcmp(value, names[i]) != 0) continue;
    parser->options->memory_model = models[i];
    return true;
  }
  return fail(parser,
              arena_printf(parser->arena, "--memory-model: '%s' is no memory model; write cuda, ptx or scord",
                           value));
}

static bool set_cuda_path(Parser *parser, const char *value) {
  parser->options->cuda_path = value;
  return true;
}

// Viewers of SARIF follow it as it is, so it has to say by which way.
static bool set_docs_url(Parser *parser, const char *value) {
  size_t length = strlen(value);
  bool is_absolute = str_starts_with(value, "https://") || str_starts_with(value, "http://") ||
                     str_starts_with(value, "file:///");
  bool is_clean = strcspn(value, " \t\r\n\"<>?#") == length;
  if (!is_absolute || !is_clean)
    return fail(parser, arena_printf(parser->arena,
                                     "--docs-url: '%s' is no address of a folder of pages; write one as "
                                     "https://HOST/PATH or file:///PATH",
                                     value));
  while (value[length - 1] == '/')
    length--;
  parser->options->docs_url = arena_strndup(parser->arena, value, length);
  return true;
}

static bool set_build_path(Parser *parser, const char *value) {
  parser->options->build_path = value;
  return true;
}

static bool set_strict(Parser *parser, const char *value) {
  (void)value;
  return parser->options->is_strict = true;
}

static bool set_exit_zero(Parser *parser, const char *value) {
  (void)value;
  return parser->options->exit_zero = true;
}

static bool set_same_value(Parser *parser, const char *value) {
  static const char *const names[] = {"off", "note", "warn", NULL};
  static const FindingLevel levels[] = {LEVEL_NONE, LEVEL_NOTE, LEVEL_WARNING};
  int choice;
  if (!choose(parser, "--same-value", value, names, &choice)) return false;
  parser->options->levels[RULE_SAME_VALUE] = levels[choice];
  return true;
}

static bool set_overflow(Parser *parser, const char *value) {
  static const char *const names[] = {"assume", "check", NULL};
  int choice;
  if (!choose(parser, "--overflow", value, names, &choice)) return false;
  parser->options->check_overflow = choice == 1;
  return true;
}

// In builds with internal checks an audit of fewer steps is made anyway.
#ifdef HGRD_DEBUG_CHECKS
enum { USUAL_AUDIT_STEPS = 200000 };
#else
enum { USUAL_AUDIT_STEPS = 0 };
#endif
enum { AUDIT_STEPS = 3000000 };

static bool set_audit(Parser *parser, const char *value) {
  (void)value;
  parser->options->audit_steps = AUDIT_STEPS;
  return parser->options->audit_flags = true;
}

// The program's arguments, between blanks.
static bool set_confirm(Parser *parser, const char *value) {
  parser->options->confirm = value;
  return true;
}

static bool set_baseline(Parser *parser, const char *value) {
  parser->options->baseline = value;
  return true;
}

static bool set_suppressions(Parser *parser, const char *value) {
  vec_push(parser->arena, &parser->options->suppressions, value);
  return true;
}

static bool set_remap(Parser *parser, const char *value) {
  const char *mark = strrchr(value, '=');
  if (!mark || mark == value || !mark[1])
    return fail(parser, arena_printf(parser->arena,
                                     "--remap-file: '%s' names no two files; write FILE=TEXT, where TEXT is "
                                     "the file with the text of FILE",
                                     value));
  vec_push(parser->arena, &parser->options->remaps, value);
  return true;
}

static bool set_assumed(Parser *parser, const char *value) {
  if (!value[0]) return fail(parser, "--assume-filename: the file name is empty");
  parser->options->assumed_name = value;
  return true;
}

static bool set_write_baseline(Parser *parser, const char *value) {
  parser->options->write_baseline = value;
  return true;
}

static bool set_color(Parser *parser, const char *value) {
  static const char *const names[] = {"auto", "always", "never", NULL};
  int choice;
  if (!choose(parser, "--color", value, names, &choice)) return false;
  parser->options->color = (ColorMode)choice;
  return true;
}

static bool set_quiet(Parser *parser, const char *value) {
  (void)value;
  return parser->options->is_quiet = true;
}

static bool set_verbose(Parser *parser, const char *value) {
  (void)value;
  return parser->options->is_verbose = true;
}

static bool set_suggest_fixes(Parser *parser, const char *value) {
  (void)value;
  if (parser->options->fix == FIX_OFF) parser->options->fix = FIX_SUGGEST;
  return true;
}

static bool set_fix(Parser *parser, const char *value) {
  bool is_dry = strcmp(value, "dry-run") == 0;
  if (value[0] && !is_dry)
    return fail(parser, arena_printf(parser->arena,
                                     "--fix: '%s' is no way to fix; write --fix to change the files, or "
                                     "--fix=dry-run to see what it would change",
                                     value));
  parser->options->fix = is_dry ? FIX_DRY_RUN : FIX_WRITE;
  return true;
}

static bool set_stats(Parser *parser, const char *value) {
  (void)value;
  return parser->options->wants_stats = true;
}

// Flags that people are used to give to a compiler directly are handed on as they are.
static bool hand_on(Parser *parser, const char *flag, const char *value) {
  vec_push(parser->arena, &parser->options->flags, arena_printf(parser->arena, "%s%s", flag, value));
  return true;
}

static bool set_include(Parser *parser, const char *value) {
  return hand_on(parser, "-I", value);
}

static bool set_define(Parser *parser, const char *value) {
  return hand_on(parser, "-D", value);
}

static bool set_undefine(Parser *parser, const char *value) {
  return hand_on(parser, "-U", value);
}

static bool set_standard(Parser *parser, const char *value) {
  return hand_on(parser, "-std=", value);
}

static bool set_config(Parser *parser, const char *value) {
  if (!value[0]) return fail(parser, "--config: the file name is empty; write 'off' for no project file");
  parser->options->project_choice = value;
  return true;
}

static bool set_dump_config(Parser *parser, const char *value) {
  (void)value;
  return parser->options->dumps_config = true;
}

static bool set_target(Parser *parser, const char *value) {
  if (!value[0]) return fail(parser, "--target: the name is empty");
  parser->options->target = value;
  return true;
}

// Names from a file or standard input: with a NUL behind each, or a line each.
static bool set_files_from(Parser *parser, const char *value) {
  size_t length;
  const char *path = strcmp(value, "-") == 0 ? file_of_stdin(parser->arena) : value;
  char *text = path ? file_read(path, parser->arena, &length) : NULL;
  if (!text)
    return fail(parser,
                arena_printf(parser->arena, "--files-from: cannot read '%s': %s", value, strerror(errno)));
  char end = memchr(text, 0, length) ? 0 : '\n';
  parser->has_list = true;
  for (char *at = text; at < text + length;) {
    char *stop = memchr(at, end, (size_t)(text + length - at));
    if (!stop) stop = text + length;
    *stop = 0;
    if (*at) vec_push(parser->arena, &parser->options->paths, at);
    at = stop + 1;
  }
  return true;
}

static bool set_timeout(Parser *parser, const char *value) {
  int64_t number;
  const char *end;
  if (!read_number(value, INT32_MAX, &number, &end) || *end)
    return fail(parser,
                arena_printf(parser->arena, "--timeout: '%s' is no number of seconds from 1 on", value));
  parser->options->timeout = (uint32_t)number;
  return true;
}

static bool set_workers(Parser *parser, const char *value) {
  int64_t number;
  const char *end;
  if (!read_number(value, 256, &number, &end) || *end)
    return fail(parser, arena_printf(parser->arena, "-j: '%s' is no number of workers from 1 to 256", value));
  parser->options->workers = (uint32_t)number;
  return true;
}

// Another spelling stands right behind the option it means; the last line ends the table.
static const OptionSpec OPTIONS[] = {
    {"help", NULL, NULL, "show this text", set_help},
    {"h", NULL, NULL, NULL, set_help},
    {"version", NULL, NULL, "show the version, and those of clang, LLVM and Z3", set_version},
    {"explain", "[RULE]", NULL,
     "explain a rule, given by name or id, or the cause of a finding; alone: name them all", set_explain},
    {"completion", "bash|zsh|fish", NULL, "print a script that completes these options in that shell",
     set_completion},
    {"format", "FORM", "text",
     "text, json, sarif, html, gitlab, junit or part (for --merge); may be given several times", set_format},
    {"output", "FILE", NULL, "write the report of the --format before it to FILE, all of it or nothing",
     set_output},
    {"o", "FILE", NULL, NULL, set_output},
    {"dump", "STAGE", NULL, "print a stage instead of a report: ir, host, kernel, sync, pairs, goals or smt",
     set_dump},
    {"grid-dim", "X[,Y[,Z]]", NULL, "grid of kernels without a visible launch: 16,16 or [16,16,1]", set_grid},
    {"gridDim", "X[,Y[,Z]]", NULL, NULL, set_grid},
    {"block-dim", "X[,Y[,Z]]", NULL, "block of kernels without a visible launch", set_block},
    {"blockDim", "X[,Y[,Z]]", NULL, NULL, set_block},
    {"kernel", "REGEX", NULL, "check only kernels whose name matches (POSIX extended)", set_kernel},
    {"arch", "sm_XX", NULL, "GPU architecture; below sm_70 the lanes of a warp run in lock step", set_arch},
    {"memory-model", "cuda|ptx|scord", "cuda",
     "whose fence counts where threads of a block act for each other", set_memory_model},
    {"cuda-path", "DIR", NULL, "take headers from this CUDA toolkit first; 'none': the bundled ones alone",
     set_cuda_path},
    {"p", "DIR", NULL,
     "take compiler flags from DIR/compile_commands.json, and all its CUDA files if no FILE is named",
     set_build_path},
    {"target", "NAME", NULL, "with -p and no FILE: check all files of this target of CMake's, host code too",
     set_target},
    {"files-from", "FILE", NULL,
     "check the files that FILE, or standard input ('-'), names: a line each, or with a NUL behind each",
     set_files_from},
    {"config", "FILE|off", "the nearest .hgrd-check above the files", "the project file with further options",
     set_config},
    {"dump-config", NULL, NULL, "print the options in effect, in the form of a project file",
     set_dump_config},
    {"precompile", NULL, NULL,
     "only store the bundled declarations in precompiled form, for --arch and -- -std=; later runs start "
     "faster",
     set_precompile},
    {"c", NULL, NULL,
     "only compile the one FILE to a unit (-o FILE.hgrd); units stand for their sources when a program is "
     "checked",
     set_compile},
    {"MD", NULL, NULL, "with -c: also write which files were read, as a rule for make, to FILE.d",
     set_depends},
    {"MF", "FILE", NULL, "the same, to FILE", set_depend_file},
    {"shard", "I/N", NULL, "check only part I of N of the kernels; --format=part keeps it for --merge",
     set_shard},
    {"merge", NULL, NULL, "the report of a whole run, from the parts that the FILEs hold", set_merge},
    {"lsp", NULL, NULL,
     "serve an editor: the Language Server Protocol on standard input and output; other options are those of "
     "every check",
     set_lsp},
    {"stdio", NULL, NULL, NULL, set_stdio},
    {"cache", "DIR|off", "hgrd in $XDG_CACHE_HOME or ~/.cache",
     "where to keep what does not change from run to run; or HGRD_CACHE in the environment", set_cache},
    {"cache-size", "MIB", "4096", "what the cache may hold; what was used longest ago goes first",
     set_cache_size},
    {"cache-stats", NULL, NULL, "show what the cache holds, and what of it served this run", set_cache_stats},
    {"strict", NULL, NULL, "exit with status 3 if something is undecided or was not there", set_strict},
    {"exit-zero", NULL, NULL, "exit with status 0 whatever was found", set_exit_zero},
    {"same-value", "warn|note|off", "note", "how to report two writes of the same value", set_same_value},
    {"overflow", "assume|check", "assume",
     "whether to take for granted that index arithmetic stays in its width (A1), or to try to show it",
     set_overflow},
    {"audit", NULL, NULL,
     "run each kernel that is race-free, in many orders of its threads, and exit with status 4 if a run "
     "shows a "
     "race",
     set_audit},
    {"confirm", "[arguments]", NULL,
     "where a main is among the files: build the program with hgrd-run and execute it, with these arguments, "
     "to "
     "see races that are possible or undecided; nothing is executed otherwise",
     set_confirm},
    {"baseline", "FILE", NULL,
     "show only findings that are not in FILE: an earlier report (json, sarif) or list", set_baseline},
    {"write-baseline", "FILE", NULL, "list the findings in FILE, for --baseline", set_write_baseline},
    {"suppressions", "FILE", NULL, "findings that are meant to be: lines RULE PATH-GLOB KERNEL-GLOB REASON",
     set_suppressions},
    {"remap-file", "FILE=TEXT", NULL,
     "read FILE, which is there, as if it held what the file TEXT holds: for what an editor has not saved; "
     "may be "
     "given several times",
     set_remap},
    {"assume-filename", "FILE", "stdin.cu",
     "the name of what is read from standard input, where '-' stands in place of a file", set_assumed},
    {"docs-url", "URL", NULL,
     "where the documentation's pages lie: SARIF names URL/rules/RULE.html as the help of a rule",
     set_docs_url},
    {"color", "auto|always|never", "auto", "colours in text; auto: on a terminal, unless NO_COLOR is set",
     set_color},
    {"quiet", NULL, NULL, "no summary and no notes about the run", set_quiet},
    {"q", NULL, NULL, NULL, set_quiet},
    {"verbose", NULL, NULL, "show the compiler's commands, what proofs lean on, and every finding in full",
     set_verbose},
    {"v", NULL, NULL, NULL, set_verbose},
    {"suggest-fixes", NULL, NULL,
     "look for changes of the text that mend the findings, check each, and report those that are proved",
     set_suggest_fixes},
    {"fix", "[dry-run]", NULL,
     "make such changes in the files, one after the other, as long as findings go and none comes; dry-run: "
     "only "
     "print them as a diff",
     set_fix},
    {"stats", NULL, NULL,
     "show seconds, memory and what the solver spent; with --dump=goals, also what each goal took",
     set_stats},
    {"I", "DIR", NULL, "look for headers in DIR; -I, -D, -U and -std= need no '--' before them", set_include},
    {"D", "MACRO[=VALUE]", NULL, "define MACRO", set_define},
    {"U", "MACRO", NULL, "undefine MACRO", set_undefine},
    {"std", "STANDARD", NULL, "the language standard, as in -std=c++20", set_standard},
    {"j", "N", "one for each core", "number of workers; the report is the same for any number", set_workers},
    {"timeout", "SECONDS", NULL,
     "end after that time by the clock, with a report that names what was not checked", set_timeout},
    {NULL, NULL, NULL, NULL, NULL}};

// ---- -W

static FindingLevel at_least(FindingLevel level, FindingLevel least) {
  return level > least ? level : least;
}

static bool set_rule(Parser *parser, const char *text, const char *name, FindingLevel level) {
  FindingRule rule = report_find_rule(name);
  if (rule == RULE_NONE) return fail(parser, unknown_rule(parser, text, name, report_nearest_rule(name)));
  parser->options->levels[rule] = level;
  return true;
}

static bool set_no_error(Parser *parser, const char *text, const char *name) {
  FindingRule rule = report_find_rule(name);
  if (rule == RULE_NONE) return fail(parser, unknown_rule(parser, text, name, report_nearest_rule(name)));
  parser->never_error[rule] = true;
  FindingLevel level = parser->options->levels[rule];
  parser->options->levels[rule] = level == LEVEL_ERROR ? LEVEL_WARNING : level;
  return true;
}

static bool parse_warning(Parser *parser, const char *text) {
  const char *name = text + 2;
  if (strcmp(name, "error") == 0) return parser->all_errors = true;
  if (strcmp(name, "no-error") == 0) {
    parser->all_errors = false;
    return true;
  }
  if (str_starts_with(name, "error=")) return set_rule(parser, text, name + strlen("error="), LEVEL_ERROR);
  if (str_starts_with(name, "no-error=")) return set_no_error(parser, text, name + strlen("no-error="));
  if (str_starts_with(name, "no-")) return set_rule(parser, text, name + strlen("no-"), LEVEL_NONE);
  // Who asks for the rule by its name is told by warnings what it else says in notes.
  parser->options->warn_leaving |= report_find_rule(name) == RULE_BARRIER_DIVERGENCE;
  return set_rule(parser, text, name, LEVEL_WARNING);
}

// ---- the parser

static const OptionSpec *find_option(const char *name, size_t length) {
  for (const OptionSpec *spec = OPTIONS; spec->name; spec++)
    if (strlen(spec->name) == length && memcmp(spec->name, name, length) == 0) return spec;
  return NULL;
}

// One dash in front of one letter, and of what compilers write so.
static const char *dashes_of(const OptionSpec *spec) {
  return spec->name[1] && spec->name[0] != 'M' ? "--" : "-";
}

// Left out, the argument is "list".
static bool is_optional(const OptionSpec *spec) {
  return spec->argument && spec->argument[0] == '[';
}

static const char *spelled(Parser *parser, const OptionSpec *spec) {
  return arena_printf(parser->arena, "%s%s", dashes_of(spec), spec->name);
}

static bool is_long_with_one_dash(const char *text) {
  return str_starts_with(text, "-std=") || strcmp(text, "-MD") == 0 || strcmp(text, "-MF") == 0;
}

// Further flags of compilers; these go after '--'.
static bool is_compiler_flag(const char *text) {
  static const char *const starts[] = {"-std", "-isystem", "-include", "-f", "-m", "-x", "-O", "-g"};
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
    if (str_starts_with(text, starts[i])) return true;
  return false;
}

static const char *const *values_of(const OptionSpec *spec) {
  return spec->set == set_format ? format_names : spec->set == set_dump ? dump_names : NULL;
}

// The option of which the word is a value (`--json` for `--format=json`); NULL: none.
static const OptionSpec *option_with_value(const char *word) {
  for (const OptionSpec *spec = OPTIONS; spec->name; spec++)
    for (const char *const *value = values_of(spec); value && *value; value++)
      if (strcmp(*value, word) == 0) return spec;
  return NULL;
}

static bool fail_unknown(Parser *parser, const char *text) {
  if (is_compiler_flag(text))
    return fail(parser, arena_printf(parser->arena,
                                     "unknown option '%s'; flags for the compiler go after '--'", text));
  const char *name = text + strspn(text, "-");
  const char *bare = arena_strndup(parser->arena, name, strcspn(name, "="));
  const OptionSpec *nearest = NULL, *meant = option_with_value(bare);
  if (meant)
    return fail(parser, arena_printf(parser->arena, "unknown option '%s'; did you mean '%s=%s'?", text,
                                     spelled(parser, meant), bare));
  uint32_t least_far = REPORT_NO_SLIP;
  for (const OptionSpec *spec = OPTIONS; spec->name; spec++) {
    uint32_t far = spec->name[1] ? report_slip(bare, spec->name) : REPORT_NO_SLIP;
    if (far < least_far) least_far = far, nearest = spec;
  }
  if (!nearest)
    return fail(parser, arena_printf(parser->arena, "unknown option '%s'; --help lists all", text));
  return fail(parser, arena_printf(parser->arena, "unknown option '%s'; did you mean '%s'?", text,
                                   spelled(parser, nearest)));
}

// One option with `text` "--name", "--name=value", "-x" or "-xvalue"; `next` is the argument behind it or
// NULL.
static bool parse_option(Parser *parser, const char *text, const char *next, bool *used_next) {
  bool is_long = text[1] == '-' || is_long_with_one_dash(text);
  const char *name = text + (text[1] == '-' ? 2 : 1);
  size_t length = is_long ? strcspn(name, "=") : 1;
  const OptionSpec *spec = find_option(name, length);
  const char *value = name[length] ? name + length + (is_long ? 1 : 0) : NULL;
  if (!spec || is_long != (spec->name[1] != 0) || (!is_long && value && !spec->argument))
    return fail_unknown(parser, text);
  if (!spec->argument && value)
    return fail(parser, arena_printf(parser->arena, "%s takes no argument", spelled(parser, spec)));
  if (is_optional(spec) && !value && islower((unsigned char)spec->argument[1])) value = "";
  if (is_optional(spec) && !value && (!next || next[0] == '-')) value = "list";
  if (spec->argument && !value) {
    if (!next)
      return fail(parser, arena_printf(parser->arena, "%s needs an argument: %s", spelled(parser, spec),
                                       spec->argument));
    value = next;
    *used_next = true;
  }
  return spec->set(parser, value);
}

static void finish_levels(Parser *parser) {
  Options *options = parser->options;
  for (int rule = RULE_NONE + 1; rule < RULE_COUNT; rule++)
    if (parser->all_errors && !parser->never_error[rule] && options->levels[rule] == LEVEL_WARNING)
      options->levels[rule] = LEVEL_ERROR;
  options->warn_same_value = at_least(options->levels[RULE_SAME_VALUE], LEVEL_NOTE) > LEVEL_NOTE;
}

static void set_defaults(Options *options) {
  *options = (Options){.audit_steps = USUAL_AUDIT_STEPS};
  for (int rule = RULE_NONE + 1; rule < RULE_COUNT; rule++)
    options->levels[rule] = finding_rule_info((FindingRule)rule)->level;
}

// Two reports on one stream could not be told apart.
static void finish_outputs(Parser *parser) {
  Options *options = parser->options;
  if (options->outputs.count == 0)
    vec_push(parser->arena, &options->outputs, (OutputRequest){FORMAT_TEXT, parser->early_output});
  uint32_t on_stdout = 0;
  for (uint32_t i = 0; i < options->outputs.count; i++) {
    on_stdout += options->outputs.items[i].path == NULL;
    for (uint32_t k = 0; k < i && options->outputs.items[i].path; k++)
      if (options->outputs.items[k].path &&
          strcmp(options->outputs.items[i].path, options->outputs.items[k].path) == 0)
        fail(parser, arena_printf(parser->arena, "--output: two reports for one file, '%s'",
                                  options->outputs.items[i].path));
  }
  if (on_stdout > 1)
    fail(parser, "--format: two reports for standard output; write --output FILE behind all but one");
}

// '-' is read under a name.
static void finish_stdin(Parser *parser) {
  Options *options = parser->options;
  const char *name = options->assumed_name ? options->assumed_name : "stdin.cu";
  for (uint32_t i = 0; i < options->paths.count; i++) {
    if (strcmp(options->paths.items[i], "-") != 0) continue;
    if (options->stdin_name) fail(parser, "'-' is named twice: standard input can be read once");
    options->paths.items[i] = options->stdin_name = name;
  }
  if (options->assumed_name && !options->stdin_name)
    fail(parser, "--assume-filename names standard input: write '-' in place of the file");
  if (options->stdin_name && options->action == ACTION_MERGE)
    fail(parser, "--merge reads parts from files, not from standard input");
}

// Statistics of the cache are asked for by themselves, or beside a run.
static void finish_action(Parser *parser) {
  Options *options = parser->options;
  bool has_files = options->paths.count > 0 || options->build_path;
  if (options->action == ACTION_CHECK && options->wants_cache_stats && !has_files)
    options->action = ACTION_CACHE_STATS;
  if (options->action == ACTION_COMPILE && options->paths.count != 1)
    fail(parser, "-c makes one unit of one file: name just one");
  if (options->action == ACTION_COMPILE && (options->outputs.count > 1 || options->dump != DUMP_NONE))
    fail(parser, "-c makes no report: leave out --format and --dump");
  for (uint32_t i = 0; i < options->outputs.count; i++)
    if (options->outputs.items[i].format == FORMAT_PART && !options->outputs.items[i].path)
      fail(parser, "--format=part needs a file: write -o FILE behind it");
  if (options->action == ACTION_MERGE && (options->shard_count || options->dump != DUMP_NONE))
    fail(parser, "--merge checks nothing: leave out --shard and --dump");
  if (options->action == ACTION_MERGE && options->paths.count == 0)
    fail(parser, "--merge needs the parts: name the files of --format=part");
  if (options->action == ACTION_LSP && options->paths.count > 0)
    fail(parser, arena_printf(parser->arena, "--lsp takes no file, the editor names them: leave out '%s'",
                              options->paths.items[0]));
  if (options->action == ACTION_LSP && (options->outputs.items[0].path || options->dump != DUMP_NONE))
    fail(parser, "--lsp makes no report: leave out --output and --dump");
  bool checks_whole = options->action == ACTION_CHECK && options->dump == DUMP_NONE && !options->shard_count;
  if (options->fix != FIX_OFF && !checks_whole)
    fail(parser, "fixes are looked for in a whole run: leave out --shard, --merge, --dump and -c");
  for (uint32_t i = 0; i < options->outputs.count && options->fix != FIX_OFF; i++)
    if (options->outputs.items[i].format == FORMAT_PART)
      fail(parser, "--format=part holds no fixes: leave out --suggest-fixes and --fix");
  if (options->confirm && (!checks_whole || options->remaps.count || options->stdin_name))
    fail(parser, "--confirm runs the program that the files make: leave out --shard, --merge, --dump, -c, "
                 "--remap-file "
                 "and '-'");
  if (options->fix == FIX_WRITE && (options->remaps.count || options->stdin_name))
    fail(parser, "--fix changes files: it goes neither with --remap-file nor with standard input; write "
                 "--suggest-fixes or --fix=dry-run");
  if (options->action != ACTION_COMPILE && options->wants_depends)
    fail(parser, "-MD and -MF tell of a unit: they go with -c");
}

static void parse_arguments(Parser *parser, int count, char *const *arguments) {
  Options *options = parser->options;
  int i = 1;
  for (; i < count && !parser->error && strcmp(arguments[i], "--") != 0; i++) {
    const char *text = arguments[i];
    bool used_next = false;
    if (text[0] != '-' || text[1] == 0)
      vec_push(parser->arena, &options->paths, text);
    else if (text[1] == 'W')
      parse_warning(parser, text);
    else
      parse_option(parser, text, i + 1 < count ? arguments[i + 1] : NULL, &used_next);
    i += used_next;
  }
  for (i++; i < count; i++)
    vec_push(parser->arena, &options->flags, arguments[i]);
}

static bool wants_project(const Options *options) {
  bool is_run =
      options->action == ACTION_CHECK || options->action == ACTION_COMPILE || options->action == ACTION_MERGE;
  return is_run && !(options->project_choice && strcmp(options->project_choice, "off") == 0);
}

// Before the options of the command line, which come later and win.
static void apply_setting(Parser *parser, const ProjectSetting *setting) {
  bool used_next = false;
  if (setting->suppress)
    vec_push(parser->arena, &parser->options->project_suppressions,
             (ProjectSuppression){setting->file, setting->suppress, setting->line});
  if (!setting->argument || parser->error) return;
  if (setting->argument[1] == 'W')
    parse_warning(parser, setting->argument);
  else
    parse_option(parser, setting->argument, NULL, &used_next);
  if (parser->error)
    parser->error = arena_printf(parser->arena, "%s:%u: %s", setting->file, setting->line, parser->error);
}

// Again, with what the project says. A file of its own settles which files are meant only if nobody named
// any.
static void parse_with_project(Parser *parser, const char *path, int count, char *const *arguments) {
  ProjectSettings settings = {0};
  Options *options = parser->options;
  VEC(const char *) named = {0};
  named.items = options->paths.items, named.count = options->paths.count;
  if (!project_read(path, parser->arena, &settings, &parser->error)) return;
  *parser = (Parser){.arena = parser->arena, .options = options, .has_list = parser->has_list};
  set_defaults(options);
  options->project = path;
  for (uint32_t i = 0; i < settings.count; i++)
    apply_setting(parser, &settings.items[i]);
  if (named.count) options->target = NULL; // chosen by hand
  if (!parser->error) parse_arguments(parser, count, arguments);
  options->paths.items = named.items, options->paths.count = named.count; // read from standard input once
  bool names_none = named.count == 0 && !parser->has_list;
  for (uint32_t i = 0; i < settings.count && names_none; i++)
    if (settings.items[i].files) project_files(settings.items[i].files, parser->arena, options);
}

bool options_parse(int count, char *const *arguments, Arena *arena, Options *options, const char **error) {
  ASSERT(arguments);
  ASSERT(error);
  set_defaults(options);
  Parser parser = {.arena = arena, .options = options};
  parse_arguments(&parser, count, arguments);
  if (!parser.error && wants_project(options)) {
    const char *chosen = options->project_choice;
    const char *path = chosen ? chosen : project_find(options->paths.count, options->paths.items, arena);
    if (path) parse_with_project(&parser, path, count, arguments);
  }
  finish_levels(&parser);
  if (!parser.error) finish_outputs(&parser);
  if (!parser.error) finish_stdin(&parser);
  if (!parser.error && options->action == ACTION_PRECOMPILE && options->paths.count > 0)
    fail(&parser, arena_printf(arena, "--precompile takes no file: '%s'", options->paths.items[0]));
  if (!parser.error) finish_action(&parser);
  bool has_files = options->paths.count > 0 || options->build_path;
  if (!parser.error && options->target && (!options->build_path || options->paths.count > 0))
    fail(&parser, "--target chooses files of a build: it goes with -p DIR, and without names of files");
  if (!parser.error && options->dumps_config) options->action = ACTION_DUMP_CONFIG;
  if (!parser.error && options->action == ACTION_CHECK && !has_files && parser.has_list)
    fail(&parser, "--files-from names no files");
  if (!parser.error && options->action == ACTION_CHECK && !has_files) fail(&parser, "no input files\n" USAGE);
  *error = parser.error;
  return !parser.error;
}

// ---- help

enum { HELP_COLUMN = 28 };

// `short_form` is another spelling with one letter, or NULL.
static void print_option(StrBuf *out, const OptionSpec *spec, const OptionSpec *short_form) {
  size_t start = out->length;
  strbuf_add(out, "  ");
  if (short_form) strbuf_printf(out, "-%s, ", short_form->name);
  const char *dashes = dashes_of(spec);
  strbuf_printf(out, "%s%s", dashes, spec->name);
  if (is_optional(spec))
    strbuf_printf(out, "[=%s", spec->argument + 1);
  else if (spec->argument)
    strbuf_printf(out, "%s%s", dashes[1] ? "=" : " ", spec->argument);
  if (out->length - start >= HELP_COLUMN) {
    strbuf_add(out, "\n");
    start = out->length;
  }
  strbuf_printf(out, "%*s%s", (int)(HELP_COLUMN - (out->length - start)), "", spec->help);
  if (spec->preset) strbuf_printf(out, " (default: %s)", spec->preset);
  strbuf_add(out, "\n");
}

static void print_rules(StrBuf *out) {
  strbuf_add(out, "\nRules, for -WRULE, -Wno-RULE, -Werror, -Werror=RULE, -Wno-error=RULE:\n");
  for (int rule = RULE_NONE + 1; rule < RULE_COUNT; rule++) {
    const FindingRuleInfo *info = finding_rule_info((FindingRule)rule);
    strbuf_printf(out, "  %s  %-20s %s\n", info->id, info->name, info->help);
  }
}

bool options_at(uint32_t index, OptionInfo *out) {
  ASSERT(out);
  uint32_t count = 0;
  while (OPTIONS[count].name)
    count++;
  if (index >= count) return false;
  const OptionSpec *spec = &OPTIONS[index];
  *out = (OptionInfo){.dashes = dashes_of(spec),
                      .name = spec->name,
                      .argument = spec->argument,
                      .help = spec->help,
                      .values = values_of(spec),
                      .explains = spec->set == set_explain};
  return true;
}

void options_print_help(StrBuf *out) {
  ASSERT(out);
  strbuf_add(out, USAGE "\n");
  strbuf_add(
      out,
      "\nFinds data races in CUDA kernels while compiling. The files given make one program.\n\nOptions:\n");
  for (const OptionSpec *spec = OPTIONS; spec->name; spec++) {
    const OptionSpec *next = spec + 1;
    bool has_short = next->name && !next->help && next->name[1] == 0;
    if (spec->help) print_option(out, spec, has_short ? next : NULL);
  }
  strbuf_printf(out, "  %-26s%s\n", "-- FLAG...",
                "further flags for the compiler, as in -- -isystem include");
  print_rules(out);
  strbuf_add(out, "\nExit status: 0 clean, 1 findings, 2 usage or input, 3 undecided or left out and "
                  "--strict, 4 internal error,\n"
                  "130 interrupted.\n");
}
