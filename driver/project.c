// With which options is a folder checked? The nearest `.hgrd-check` above the files says so, a line each:
//
//     arch = sm_90
//     W = no-same-value-write
//     baseline = ci/races.list          # paths are relative to the file
//     suppress = inter-block-race third_party/* relax* converges whatever the order
//     files = src/*.cu                  # if none is named
//     inherit                           # what the next file above says counts as well
//
// Each line becomes an argument of the command line, before those that were given, which therefore win.
//
// Soundness and safety: the file comes with the code that is checked, so it is not trusted. It may only say
// what is listed here: nothing that runs a program, writes a file, chooses the compiler or lowers the exit
// status. One in a folder that everybody may write to counts only if it belongs to the user or to root.
// SPDX-License-Identifier: Apache-2.0
#define _XOPEN_SOURCE 700 // realpath
#include "driver/project.h"
#include "core/bug.h"

#include "driver/files.h"
#include "report/report.h"

#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PROJECT_FILE ".hgrd-check"
enum { INHERIT_MAX = 16, PROJECT_BYTES_MAX = 1 << 20 };

typedef enum NameKind { NAME_PLAIN, NAME_PATH, NAME_ALONE, NAME_FILES, NAME_SUPPRESS, NAME_INHERIT } NameKind;

static const struct {
  const char *name;
  NameKind kind;
} names[] = {{"arch", NAME_PLAIN},
             {"memory-model", NAME_PLAIN},
             {"grid-dim", NAME_PLAIN},
             {"block-dim", NAME_PLAIN},
             {"same-value", NAME_PLAIN},
             {"overflow", NAME_PLAIN},
             {"docs-url", NAME_PLAIN},
             {"timeout", NAME_PLAIN},
             {"j", NAME_PLAIN},
             {"target", NAME_PLAIN},
             {"W", NAME_PLAIN},
             {"D", NAME_PLAIN},
             {"U", NAME_PLAIN},
             {"std", NAME_PLAIN},
             {"I", NAME_PATH},
             {"p", NAME_PATH},
             {"baseline", NAME_PATH},
             {"suppressions", NAME_PATH},
             {"strict", NAME_ALONE},
             {"files", NAME_FILES},
             {"suppress", NAME_SUPPRESS},
             {"inherit", NAME_INHERIT}};

// ---- finding

// In a folder for everybody, such as /tmp, others could have put it there.
static bool is_trustworthy(const char *folder, const struct stat *file) {
  struct stat info;
  bool is_own = file->st_uid == geteuid() || file->st_uid == 0;
  return is_own || (stat(folder, &info) == 0 && !(info.st_mode & S_IWOTH));
}

// In the folder or the nearest one above; NULL: there is none.
static const char *find_above(const char *start, Arena *arena) {
  char *folder = arena_strdup(arena, start);
  for (;;) {
    const char *path = arena_printf(arena, "%s/" PROJECT_FILE, strcmp(folder, "/") == 0 ? "" : folder);
    struct stat info;
    if (stat(path, &info) == 0 && S_ISREG(info.st_mode) && is_trustworthy(folder, &info)) return path;
    char *slash = strrchr(folder, '/');
    if (!slash || !folder[1]) return NULL;
    slash[slash == folder] = 0;
  }
}

static char *folder_of(const char *path, Arena *arena) {
  const char *slash = strrchr(path, '/');
  const char *folder = !slash          ? "."
                       : slash == path ? "/"
                                       : arena_strndup(arena, path, (size_t)(slash - path));
  char *real = realpath(folder, NULL);
  char *copy = real ? arena_strdup(arena, real) : NULL;
  free(real);
  return copy;
}

// `folder` becomes the last folder that is above both.
static void take_common(char *folder, const char *other) {
  size_t end = 0;
  for (size_t i = 0;; i++) {
    bool is_end = (!folder[i] || folder[i] == '/') && (!other[i] || other[i] == '/');
    if (is_end) end = i;
    if (folder[i] != other[i] || !folder[i]) break;
  }
  folder[end ? end : 1] = 0;
}

// As seen from here, if it is below.
static const char *from_here(const char *path, Arena *arena) {
  char *here = realpath(".", NULL);
  size_t length = here ? strlen(here) : 0;
  bool is_below = here && length > 1 && strncmp(path, here, length) == 0 && path[length] == '/';
  free(here);
  return is_below ? arena_strdup(arena, path + length + 1) : path;
}

const char *project_find(uint32_t count, const char *const *paths, Arena *arena) {
  ASSERT(paths || !count);
  ASSERT(arena);
  char *folder = count ? NULL : folder_of("x", arena);
  for (uint32_t i = 0; i < count; i++) {
    char *next = folder_of(paths[i], arena);
    if (next && folder)
      take_common(folder, next);
    else if (next)
      folder = next;
  }
  const char *path = folder ? find_above(folder, arena) : NULL;
  return path ? from_here(path, arena) : NULL;
}

// ---- reading

typedef struct Reading {
  Arena *arena;
  ProjectSettings *out;
  const char *path, *folder; // of the file; the folder with a slash, or ""
  const char *error;
  uint32_t depth;
  bool inherits;
} Reading;

static bool refuse(Reading *reading, uint32_t line, const char *why) {
  reading->error = arena_printf(reading->arena, "%s:%" PRIu32 ": %s", reading->path, line, why);
  return false;
}

static const char *nearest_name(const char *typed) {
  const char *nearest = NULL;
  uint32_t least = REPORT_NO_SLIP;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    uint32_t far = report_slip(typed, names[i].name);
    if (far < least) least = far, nearest = names[i].name;
  }
  return nearest;
}

static bool refuse_name(Reading *reading, uint32_t line, const char *name) {
  const char *nearest = nearest_name(name);
  StrBuf all = {.arena = reading->arena};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    strbuf_printf(&all, "%s%s", i ? ", " : "", names[i].name);
  return refuse(
      reading, line,
      nearest
          ? arena_printf(reading->arena, "a project file cannot say '%s'; did you mean '%s'?", name, nearest)
          : arena_printf(reading->arena, "a project file cannot say '%s', but %s", name, strbuf_text(&all)));
}

static const char *path_here(const Reading *reading, const char *value) {
  return value[0] == '/' ? value : arena_printf(reading->arena, "%s%s", reading->folder, value);
}

static bool add_setting(Reading *reading, uint32_t line, const char *name, const char *value, NameKind kind) {
  ProjectSetting setting = {.file = reading->path, .line = line};
  bool is_alone = kind == NAME_ALONE || kind == NAME_INHERIT;
  if (is_alone && value[0])
    return refuse(reading, line, arena_printf(reading->arena, "'%s' stands alone", name));
  if (!is_alone && !value[0])
    return refuse(reading, line,
                  arena_printf(reading->arena, "'%s' needs a value: write %s = ...", name, name));
  const char *dashes = name[1] == 0 ? "-" : "--", *joint = name[1] == 0 ? "" : "=";
  switch (kind) {
  case NAME_INHERIT: return reading->inherits = true;
  case NAME_ALONE: setting.argument = arena_printf(reading->arena, "--%s", name); break;
  case NAME_PATH: value = path_here(reading, value); // fall through
  case NAME_PLAIN:
    setting.argument = arena_printf(reading->arena, "%s%s%s%s", dashes, name, joint, value);
    break;
  case NAME_FILES: setting.files = path_here(reading, value); break;
  case NAME_SUPPRESS: setting.suppress = value; break;
  }
  vec_push(reading->arena, reading->out, setting);
  return true;
}

static char *trimmed(char *text) {
  text += strspn(text, " \t");
  for (size_t length = strlen(text); length && strchr(" \t\r", text[length - 1]); length--)
    text[length - 1] = 0;
  return text;
}

// A '#' begins a comment at the start of a line or behind a blank.
static void cut_comment(char *text) {
  for (char *at = text; *at; at++)
    if (*at == '#' && (at == text || at[-1] == ' ' || at[-1] == '\t')) *at = 0;
}

static bool read_setting(Reading *reading, char *text, uint32_t line) {
  cut_comment(text);
  text = trimmed(text);
  if (!text[0]) return true;
  char *sign = strchr(text, '=');
  const char *value = sign ? trimmed(sign + 1) : "";
  if (sign) *sign = 0;
  const char *name = trimmed(text);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i].name, name) == 0) return add_setting(reading, line, name, value, names[i].kind);
  return refuse_name(reading, line, name);
}

static bool read_file(Reading *reading);

// What the next file above says comes first, so that this one wins.
static bool read_inherited(const Reading *child, const char **error) {
  Arena *arena = child->arena;
  char *folder = folder_of(child->path, arena), *slash = folder ? strrchr(folder, '/') : NULL;
  if (!slash || !folder[1] || child->depth == INHERIT_MAX) return true;
  slash[slash == folder] = 0;
  const char *path = find_above(folder, arena);
  if (!path) return true;
  Reading above = {
      .arena = arena, .out = child->out, .path = from_here(path, arena), .depth = child->depth + 1};
  bool is_read = read_file(&above);
  *error = above.error;
  return is_read;
}

static bool read_file(Reading *reading) {
  size_t length;
  Arena *arena = reading->arena;
  char *text = file_read(reading->path, arena, &length);
  if (!text || length > PROJECT_BYTES_MAX || memchr(text, 0, length)) {
    reading->error = arena_printf(arena, "cannot read the project file '%s': %s", reading->path,
                                  text ? "it is no text of a project file" : strerror(errno));
    return false;
  }
  const char *slash = strrchr(reading->path, '/');
  reading->folder = slash ? arena_strndup(arena, reading->path, (size_t)(slash + 1 - reading->path)) : "";
  ProjectSettings own = {0}, *out = reading->out;
  reading->out = &own;
  for (uint32_t line = 1; text; line++) {
    char *end = strchr(text, '\n');
    if (end) *end = 0;
    if (!read_setting(reading, text, line)) return false;
    text = end ? end + 1 : NULL;
  }
  reading->out = out;
  if (reading->inherits && !read_inherited(reading, &reading->error)) return false;
  for (uint32_t i = 0; i < own.count; i++)
    vec_push(arena, out, own.items[i]);
  return true;
}

bool project_read(const char *path, Arena *arena, ProjectSettings *out, const char **error) {
  ASSERT(path);
  ASSERT(out);
  ASSERT(error);
  Reading reading = {.arena = arena, .out = out, .path = path};
  bool is_read = read_file(&reading);
  *error = reading.error;
  return is_read;
}

void project_files(const char *pattern, Arena *arena, Options *options) {
  ASSERT(pattern);
  glob_t found;
  if (glob(pattern, 0, NULL, &found) == 0)
    for (size_t i = 0; i < found.gl_pathc; i++)
      vec_push(arena, &options->paths, arena_strdup(arena, found.gl_pathv[i]));
  globfree(&found);
}

// ---- printing

static void print_triple(StrBuf *out, const char *name, const int64_t triple[3]) {
  if (triple[0])
    strbuf_printf(out, "%s = %" PRId64 ",%" PRId64 ",%" PRId64 "\n", name, triple[0], triple[1], triple[2]);
}

static void print_text(StrBuf *out, const char *name, const char *value) {
  if (value) strbuf_printf(out, "%s = %s\n", name, value);
}

// A flag as the file spells it, "I = include"; others, which a file cannot say, in a comment.
static void print_flag(StrBuf *out, const char *flag) {
  if (str_starts_with(flag, "-std="))
    print_text(out, "std", flag + strlen("-std="));
  else if (strlen(flag) > 2 && flag[0] == '-' && strchr("IDU", flag[1]))
    strbuf_printf(out, "%c = %s\n", flag[1], flag + 2);
  else
    strbuf_printf(out, "# flag of the compiler: %s\n", flag);
}

static void print_levels(const Options *options, StrBuf *out) {
  for (int rule = RULE_NONE + 1; rule < RULE_COUNT; rule++) {
    const char *name = finding_rule_info((FindingRule)rule)->name;
    switch (options->levels[rule]) {
    case LEVEL_NONE: strbuf_printf(out, "W = no-%s\n", name); break;
    case LEVEL_NOTE: strbuf_printf(out, "# %s: note\n", name); break;
    case LEVEL_WARNING: strbuf_printf(out, "W = %s\n", name); break;
    case LEVEL_ERROR: strbuf_printf(out, "W = error=%s\n", name); break;
    }
  }
}

void project_print(const Options *options, StrBuf *out) {
  ASSERT(out);
  strbuf_printf(out, "# project file: %s\n", options->project ? options->project : "none");
  if (options->arch) strbuf_printf(out, "arch = sm_%" PRIu32 "\n", options->arch);
  print_text(out, "memory-model", memory_model_name(options->memory_model));
  print_text(out, "overflow", options->check_overflow ? "check" : "assume");
  print_triple(out, "grid-dim", options->grid_dim);
  print_triple(out, "block-dim", options->block_dim);
  print_levels(options, out);
  if (options->is_strict) strbuf_add(out, "strict\n");
  print_text(out, "p", options->build_path);
  print_text(out, "target", options->target);
  print_text(out, "baseline", options->baseline);
  for (uint32_t i = 0; i < options->suppressions.count; i++)
    print_text(out, "suppressions", options->suppressions.items[i]);
  for (uint32_t i = 0; i < options->project_suppressions.count; i++)
    print_text(out, "suppress", options->project_suppressions.items[i].text);
  print_text(out, "docs-url", options->docs_url);
  if (options->timeout) strbuf_printf(out, "timeout = %" PRIu32 "\n", options->timeout);
  if (options->workers) strbuf_printf(out, "j = %" PRIu32 "\n", options->workers);
  for (uint32_t i = 0; i < options->flags.count; i++)
    print_flag(out, options->flags.items[i]);
  for (uint32_t i = 0; i < options->paths.count; i++)
    print_text(out, "files", options->paths.items[i]);
}
