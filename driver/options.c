// What did the user ask for?
//
// The parser walks the table of all options (option_table.c), whose functions take the values. Long options take `--name=value` or `--name value`, short ones `-pDIR` or `-p DIR`. -W options are not in
// the table's parser part, because their names come from the rules; they are applied left to right, -Werror
// at the end.
//
// Soundness: an argument that is not understood is an error, never ignored.
// SPDX-License-Identifier: Apache-2.0
#include "driver/options.h"
#include "driver/option_table.h"
#include "core/bug.h"
#include "driver/files.h"
#include "driver/project.h"
#include "report/report.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

// ---- -W

static FindingLevel at_least(FindingLevel level, FindingLevel least) {
  return level > least ? level : least;
}

static bool set_rule(Parser *parser, const char *text, const char *name, FindingLevel level) {
  FindingRule rule = report_find_rule(name);
  if (rule == RULE_NONE)
    return fail(parser, option_unknown_rule(parser, text, name, report_nearest_rule(name)));
  parser->options->levels[rule] = level;
  return true;
}

static bool set_no_error(Parser *parser, const char *text, const char *name) {
  FindingRule rule = report_find_rule(name);
  if (rule == RULE_NONE)
    return fail(parser, option_unknown_rule(parser, text, name, report_nearest_rule(name)));
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

static const char *spelled(Parser *parser, const OptionSpec *spec) {
  return arena_printf(parser->arena, "%s%s", option_dashes(spec), spec->name);
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

// The option of which the word is a value (`--json` for `--format=json`); NULL: none.
static const OptionSpec *option_with_value(const char *word) {
  for (const OptionSpec *spec = OPTIONS; spec->name; spec++)
    for (const char *const *value = option_values(spec); value && *value; value++)
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
  if (option_is_optional(spec) && !value && islower((unsigned char)spec->argument[1])) value = "";
  if (option_is_optional(spec) && !value && (!next || next[0] == '-')) value = "list";
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

// In builds with internal checks an audit of fewer steps is made anyway.
#ifdef HGRD_DEBUG_CHECKS
enum { USUAL_AUDIT_STEPS = 200000 };
#else
enum { USUAL_AUDIT_STEPS = 0 };
#endif

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
  ASSERT(parser.error || options->shard <= options->shard_count);
  ASSERT(parser.error || options->action != ACTION_CHECK || has_files);
  return !parser.error;
}
