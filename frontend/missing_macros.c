// Which macros does the text ask for that a header that is not there may define? An empty header in its place
// makes `#ifdef FAST` behind it false, whatever the real one says. The names that the user's files test are
// gathered from their directives, and those that are not defined where the header stands are poisoned there
// (#pragma GCC poison): then clang itself says where one of them is met first. That is a test, or a use in
// the text, or the text's own definition, after which the name is known. What stands in a macro of before is
// told by -Wundef, from a mark of the header's on. Tests in headers of libraries do not count, nor the guards
// that keep a header from being read twice, nor the names that compilers define. Soundness: what is not found
// here (a header that defines again what is defined) is left to the assumption that what was left out does
// not matter (A14); if the search itself fails, that is a doubt, too.
// SPDX-License-Identifier: Apache-2.0
#define _DEFAULT_SOURCE
#include "frontend/lower.h"
#include "core/bug.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_LIMIT = 16 << 20, NAME_LIMIT = 4096, DOUBT_LIMIT = 64 };
static const char mark[] = "hgrd: a header that is not there";

// ---- names that are tested

static bool is_word(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

static size_t word_length(const char *at) {
  size_t length = 0;
  while (is_word(at[length]))
    length++;
  return length;
}

static bool is_name(const char *at, size_t length) {
  return length > 0 && !isdigit((unsigned char)at[0]);
}

// Which compiler, system or side this is: no header of a program says that.
static bool is_of_compiler(const char *name) {
  static const char *const prefixes[] = {
      "__CUDA",    "__NV",     "__GNU",    "__GLIBC",   "__clang",     "__CLANG",      "__cplusplus",
      "__cpp_",    "__has_",   "_MSC_",    "__MSC",     "_WIN",        "__WIN",        "WIN32",
      "__linux",   "__APPLE",  "__INTEL",  "__ICC",     "__HIP",       "__AMD",        "_OPENMP",
      "_OPENACC",  "__x86",    "__i386",   "__amd64",   "__ARM",       "__arm",        "__aarch",
      "__PGI",     "__MINGW",  "__CYGWIN", "__STDC",    "__SIZEOF",    "__BYTE_ORDER", "__unix",
      "__LP64",    "__LIBCPP", "_LIBCPP",  "__ANDROID", "__FreeBSD",   "__SYCL",       "__OPENCL",
      "__powerpc", "__ppc",    "__SSE",    "__AVX",     "__FMA",       "__EXCEPTIONS", "__OPTIMIZE",
      "__DATE__",  "__FILE__", "__LINE__", "_M_",       "__COUNTER__", "__builtin_"};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (str_starts_with(name, prefixes[i])) return true;
  bool is_of_flags = strcmp(name, "_DEBUG") == 0; // of Microsoft's compiler, by /MDd
  return is_of_flags || strcmp(name, "defined") == 0 || strcmp(name, "true") == 0 ||
         strcmp(name, "false") == 0;
}

typedef struct Names {
  VEC(const char *) list;
  Arena *arena;
} Names;

static bool has_name(const Names *names, const char *name) {
  for (uint32_t i = 0; i < names->list.count; i++)
    if (strcmp(names->list.items[i], name) == 0) return true;
  return false;
}

static const char *skip_blanks(const char *at) {
  return at + strspn(at, " \t\r\f\v");
}

// The words of a condition up to the end of its line; a backslash goes on to the next one.
static const char *gather_condition(Names *names, const char *at) {
  while (*at && *at != '\n') {
    size_t length = word_length(at);
    bool is_comment = at[0] == '/' && (at[1] == '/' || at[1] == '*');
    if (is_comment) return at;
    if (at[0] == '\\' && *skip_blanks(at + 1) == '\n') {
      at = skip_blanks(at + 1) + 1;
    } else if (length) {
      const char *name = arena_strndup(names->arena, at, length);
      bool is_new = is_name(at, length) && !is_of_compiler(name) && !has_name(names, name);
      if (is_new && names->list.count < NAME_LIMIT) vec_push(names->arena, &names->list, name);
      at += length;
    } else {
      at++;
    }
  }
  return at;
}

static bool is_directive(const char *at, size_t length, const char *word) {
  return strlen(word) == length && memcmp(at, word, length) == 0;
}

static bool is_test(const char *at, size_t length) {
  static const char *const words[] = {"if", "ifdef", "ifndef", "elif", "elifdef", "elifndef"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (is_directive(at, length, words[i])) return true;
  return false;
}

static void gather_tests(Names *names, const char *text) {
  for (const char *at = text; *at;) {
    at = skip_blanks(at);
    if (*at == '#') {
      at = skip_blanks(at + 1);
      size_t length = word_length(at);
      if (is_test(at, length)) at = gather_condition(names, at + length);
    }
    at += strcspn(at, "\n");
    at += *at == '\n';
  }
}

// ---- a header in place of the one that is not there

bool missing_macros_header(const Toolchain *tools, const char *list, Arena *arena, StrBuf *out) {
  ASSERT(list);
  ASSERT(out);
  Names names = {.arena = arena};
  const char *at = list;
  for (const char *name; (name = part_list_next(&at, arena)) != NULL;) {
    size_t length;
    const char *text =
        path_is_foreign(tools, name) ? NULL : source_text(tools, name, TEXT_LIMIT, arena, &length);
    if (text) gather_tests(&names, text);
  }
  for (uint32_t i = 0; i < names.list.count; i++) {
    const char *name = names.list.items[i];
    strbuf_printf(out, "#ifndef %s\n#pragma GCC poison %s\n#endif\n", name, name);
  }
  strbuf_printf(out, "#warning %s\n", mark);
  return list[0] && names.list.count < NAME_LIMIT;
}

const char *const *missing_macros_command(const char *const *compile, Arena *arena) {
  ASSERT(compile);
  static const char *const swaps[][2] = {{"-c", "-E"},
                                         {"-emit-llvm", "-P"},
                                         {"-", "/dev/null"},
                                         {"-ferror-limit=20", "-ferror-limit=0"},
                                         {"-w", "-Wundef"}};
  VEC(const char *) out = {0};
  for (uint32_t i = 0; compile[i]; i++) {
    const char *word = compile[i];
    for (size_t k = 0; k < sizeof swaps / sizeof *swaps; k++)
      if (strcmp(word, swaps[k][0]) == 0) word = swaps[k][1];
    vec_push(arena, &out, word);
  }
  vec_push(arena, &out, NULL);
  return out.items;
}

// ---- what clang says

typedef struct Told { // one message and the line of text below it
  SrcLoc loc;
  const char *line;  // as clang shows it, "" if it does not
  const char *place; // in that line
} Told;

typedef struct MacroTests {
  const Toolchain *tools;
  const char *origin; // of the headers, for a reader
  Arena *arena;
  Names known; // of which the first mention was found
  bool is_behind;
  MacroDoubts *doubts;
} MacroTests;

// "PATH:LINE:COLUMN: error: ..."
static bool read_place(const char *line, const char *end, Arena *arena, SrcLoc *out) {
  const char *at = end;
  unsigned row = 0, column = 0;
  for (int colons = 0; at > line && colons < 2; colons += *at == ':')
    at--;
  if (at == line || sscanf(at, ":%u:%u", &row, &column) != 2) return false;
  *out = (SrcLoc){.file = arena_strndup(arena, line, (size_t)(at - line)), .line = row, .column = column};
  return true;
}

// "   12 | #ifdef FAST" and below it "      |        ^".
static void read_shown(const char *next, Arena *arena, Told *told) {
  size_t length = strcspn(next, "\n");
  const char *bar = memchr(next, '|', length), *below = next + length + (next[length] == '\n');
  const char *caret = memchr(below, '^', strcspn(below, "\n"));
  told->line = told->place = "";
  if (!bar || !caret || length < (size_t)(bar - next) + 2 || caret - below < bar - next + 2) return;
  size_t start = (size_t)(bar - next) + 2, column = (size_t)(caret - below);
  if (column > length) return;
  told->line = arena_strndup(arena, next + start, length - start);
  told->place = told->line + (column - start);
}

// Does the directive of the line define the name that stands at the place?
static bool is_definition(const Told *told) {
  const char *at = skip_blanks(told->line);
  if (*at != '#') return false;
  at = skip_blanks(at + 1);
  size_t length = word_length(at);
  if (!is_directive(at, length, "define") && !is_directive(at, length, "undef")) return false;
  return skip_blanks(at + length) == told->place;
}

// In what a macro stands for; it counts where that is tested.
static bool is_in_definition(const Told *told) {
  const char *at = skip_blanks(told->line);
  return *at == '#' && str_starts_with(skip_blanks(at + 1), "define");
}

typedef struct Directive {
  const char *word;
  size_t length;
  uint32_t line;
} Directive;

// The next directive of the text but #pragma; comments of more than one line are skipped where they begin a
// line. False at the end.
static bool next_directive(const char **at, uint32_t *line, Directive *out, bool *has_text) {
  while (**at) {
    const char *start = skip_blanks(*at);
    if (str_starts_with(start, "/*")) {
      const char *end = strstr(start + 2, "*/");
      for (const char *c = start; end && c < end; c++)
        *line += *c == '\n';
      *at = end ? end + 2 : start + strlen(start);
      continue;
    }
    *out = (Directive){.line = *line};
    if (*start == '#') out->word = skip_blanks(start + 1);
    bool is_blank = *start == '\n' || !*start || str_starts_with(start, "//");
    *at = start + strcspn(start, "\n");
    *line += **at == '\n';
    *at += **at == '\n';
    if (out->word) out->length = word_length(out->word);
    if (out->word && !is_directive(out->word, out->length, "pragma")) return true;
    *has_text |= !out->word && !is_blank;
  }
  return false;
}

// The whole file stands between `#ifndef NAME` with `#define NAME` below it and the last #endif.
static bool is_guard(const char *text, const SrcLoc *loc, const char *name) {
  const char *at = text;
  uint32_t line = 1, depth = 1, directives = 0;
  Directive first, next;
  bool has_text = false, has_body = false;
  if (!next_directive(&at, &line, &first, &has_text) || first.line != loc->line || has_text) return false;
  if (!next_directive(&at, &line, &next, &has_text) || !is_directive(next.word, next.length, "define") ||
      has_text)
    return false;
  const char *defined = skip_blanks(next.word + next.length);
  size_t length = word_length(defined);
  const char *body = skip_blanks(defined + length);
  if (!is_directive(defined, length, name)) return false;
  bool is_plain = *body == '\n' || *body == '1' || *body == '/';
  for (; depth > 0 && next_directive(&at, &line, &next, &has_body); directives++) {
    depth += str_starts_with(next.word, "if");
    depth -= is_directive(next.word, next.length, "endif");
    if (depth == 1 && str_starts_with(next.word, "el")) return false;
  }
  return depth == 0 && is_plain && (has_body || directives > 1) &&
         !next_directive(&at, &line, &next, &has_text) && !has_text;
}

// Both sides of a file may have it.
static void add_doubt(MacroTests *tests, const SrcLoc *loc, const char *text) {
  for (uint32_t i = 0; i < tests->doubts->count; i++) {
    const UndecidedReason *told = &tests->doubts->items[i];
    if (told->loc.line == loc->line && strcmp(told->text, text) == 0) return;
  }
  if (tests->doubts->count < DOUBT_LIMIT)
    vec_push(tests->arena, tests->doubts, (UndecidedReason){.loc = *loc, .text = text});
}

static void note_mention(MacroTests *tests, const Told *told, const char *name) {
  if (path_is_foreign(tests->tools, told->loc.file) || has_name(&tests->known, name)) return;
  bool is_own = is_definition(told);
  if (!is_own && is_in_definition(told)) return;
  vec_push(tests->arena, &tests->known.list, name);
  size_t length;
  const char *text = source_text(tests->tools, told->loc.file, TEXT_LIMIT, tests->arena, &length);
  if (is_own || !text || is_guard(text, &told->loc, name)) return;
  add_doubt(tests, &told->loc,
            arena_printf(tests->arena, "this line asks for '%s', which %s may define", name, tests->origin));
}

static void read_message(MacroTests *tests, const char *line, const char *next) {
  static const char poisoned[] = ": error: attempt to use a poisoned identifier";
  static const char undefined[] = "' is not defined, evaluates to 0";
  Arena *arena = tests->arena;
  const char *at = strstr(line, poisoned), *end = NULL;
  Told told = {0};
  tests->is_behind |= strstr(line, mark) != NULL;
  if (at && read_place(line, at, arena, &told.loc)) {
    read_shown(next, arena, &told);
    note_mention(tests, &told, arena_strndup(arena, told.place, word_length(told.place)));
  } else if (tests->is_behind && (at = strstr(line, ": warning: '")) != NULL &&
             (end = strstr(at, undefined)) && read_place(line, at, arena, &told.loc)) {
    at += strlen(": warning: '");
    const char *name = arena_strndup(arena, at, (size_t)(end - at));
    told.line = told.place = "";
    if (!is_of_compiler(name)) note_mention(tests, &told, name);
  }
}

void missing_macros_read(const Toolchain *tools, const char *errors, const char *origin, Arena *arena,
                         MacroDoubts *out) {
  ASSERT(errors);
  ASSERT(origin);
  ASSERT(out);
  MacroTests tests = {tools, origin, arena, {.arena = arena}, false, out};
  for (const char *at = errors; *at;) {
    size_t length = strcspn(at, "\n");
    const char *next = at + length + (at[length] == '\n');
    read_message(&tests, arena_strndup(arena, at, length), next);
    at = next;
  }
  if (!tests.is_behind)
    add_doubt(&tests, &(SrcLoc){0},
              arena_printf(arena, "which macros of %s the text asks for was not found out", origin));
}
