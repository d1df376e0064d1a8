// What does each option do?
//
// One table holds every option with its argument, default and help, and a function that takes the value into
// `Options`: the functions stand in the order of the table. The parser (options.c) walks the table, --help and
// the completions print it (option_help.c).
//
// Soundness: a value that is not understood is an error, never ignored or brought into range.
// SPDX-License-Identifier: Apache-2.0
#include "driver/option_table.h"
#include "core/bug.h"
#include "driver/files.h"
#include "report/report.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

const char *option_unknown_rule(Parser *parser, const char *option, const char *name, const char *nearest) {
  ASSERT(option && name);
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
    return fail(parser, option_unknown_rule(parser, "--explain", value, report_nearest_explained(value)));
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
  ASSERT(block);
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
const OptionSpec OPTIONS[] = {
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

// ---- what the table says of an option

// One dash in front of one letter, and of what compilers write so.
const char *option_dashes(const OptionSpec *spec) {
  ASSERT(spec && spec->name);
  return spec->name[1] && spec->name[0] != 'M' ? "--" : "-";
}

// Left out, the argument is "list".
bool option_is_optional(const OptionSpec *spec) {
  ASSERT(spec);
  return spec->argument && spec->argument[0] == '[';
}

const char *const *option_values(const OptionSpec *spec) {
  ASSERT(spec);
  return spec->set == set_format ? format_names : spec->set == set_dump ? dump_names : NULL;
}

bool option_explains(const OptionSpec *spec) {
  return spec->set == set_explain;
}
