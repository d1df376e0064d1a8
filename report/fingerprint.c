// By what is a finding known again when the text around it has changed?
//
// Version 2: rule, kernel, and of either access its kind and its tokens as they stand in the text, over
// several lines if need be, without the names of variables: `tile[ty][tx + 1]` is `_[_][_+1]`; members,
// functions, the thread's numbers and constants stay. So comments, blanks, line breaks, renamed variables,
// and code that is moved to another place, file or helper change nothing, and neither does the order of the
// two accesses. What is equal then is numbered in the order of the report, and a baseline tells it apart by
// its object (baseline.c).
//
// Version 1: rule, kernel, object, and of either access kind, function and line without blanks. It is still
// computed, to read baselines that have it.
//
// Soundness: two findings of one print have two occurrences, so that a new one is never lost behind a known
// one.
// SPDX-License-Identifier: Apache-2.0
#include "core/tokens.h"
#include "core/bug.h"
#include "report/internal.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Hash {
  uint64_t high, low;
} Hash;

typedef struct TextFile {
  const char *path;
  SourceTokens tokens;
} TextFile;

typedef struct Printing {
  const ReportOptions *options;
  Arena *arena;
  VEC(TextFile) files;
} Printing;

static void hash_bytes(Hash *hash, const char *text, size_t length) {
  hash->high = str_hash(text, length, hash->high);
  hash->low = str_hash(text, length, hash->low);
  hash->high = str_hash("", 1, hash->high); // the NUL ends the piece: "ab" "c" differs from "a" "bc"
  hash->low = str_hash("", 1, hash->low);
}

static void hash_text(Hash *hash, const char *text) {
  hash_bytes(hash, text ? text : "", text ? strlen(text) : 0);
}

// Template arguments are left out: which instance shows a group may change when another one is added.
static void hash_name(Hash *hash, const char *name) {
  hash_bytes(hash, name ? name : "", name ? strcspn(name, "<") : 0);
}

static void write_hash(const Hash *hash, ReportPrint *out) {
  snprintf(out->hex, sizeof out->hex, "%016" PRIx64 "%016" PRIx64, hash->high, hash->low);
}

static const char *line_of(const ReportOptions *options, const SrcLoc *loc, uint32_t line) {
  if (!options->read_line || !loc_known(loc) || line == 0) return NULL;
  return options->read_line(options->context, loc->file, line);
}

// ---- version 1

static void hash_line(Hash *hash, const SrcLoc *loc, const ReportOptions *options, Arena *arena) {
  StrBuf packed = {.arena = arena};
  for (const char *line = line_of(options, loc, loc->line); line && *line; line++)
    if (!strchr(" \t\r\n\v\f", *line)) strbuf_add_n(&packed, line, 1);
  hash_text(hash, strbuf_text(&packed));
}

static void print_first(ReportGroup *group, const ReportOptions *options, Arena *arena) {
  const Finding *finding = &group->finding;
  Hash hash = {.high = 0x68677264u, .low = 0x31u}; // any two different seeds; part of the format for ever
  hash_text(&hash, finding_rule_info(finding->rule)->id);
  hash_name(&hash, finding->kernel);
  hash_text(&hash, finding->object);
  for (int i = 0; i < 2; i++) {
    const FindingAccess *access = &finding->accesses[i];
    hash_text(&hash, access_id(access->kind));
    hash_name(&hash, access->loc.function);
    hash_line(&hash, &access->loc, options, arena);
  }
  write_hash(&hash, &group->first_print);
}

// ---- the tokens of an access

static const SourceTokens *tokens_of(Printing *printing, const SrcLoc *loc) {
  for (uint32_t i = 0; i < printing->files.count; i++)
    if (strcmp(printing->files.items[i].path, loc->file) == 0) return &printing->files.items[i].tokens;
  SourceLexer lexer = {.arena = printing->arena};
  uint32_t number = 1;
  for (const char *line; (line = line_of(printing->options, loc, number)) != NULL; number++)
    source_lex_line(&lexer, line, number);
  vec_push(printing->arena, &printing->files, (TextFile){loc->file, lexer.tokens});
  return &vec_last(&printing->files).tokens;
}

// The token that the place points into, or the first behind it; the count if there is none on its line.
static uint32_t token_at(const SourceTokens *tokens, const SrcLoc *loc) {
  uint32_t low = 0, high = tokens->count;
  while (low < high) { // the first that ends behind the place
    uint32_t middle = low + (high - low) / 2;
    const SourceToken *token = &tokens->items[middle];
    bool is_before =
        token->line < loc->line ||
        (token->line == loc->line && token->column + strlen(token->text) <= (loc->column ? loc->column : 1));
    if (is_before)
      low = middle + 1;
    else
      high = middle;
  }
  return low < tokens->count && tokens->items[low].line == loc->line ? low : tokens->count;
}

static bool is_word_at(const SourceTokens *tokens, uint32_t at) {
  return at < tokens->count && source_is_word(tokens->items[at].text[0]);
}

static bool is_pair(const SourceTokens *tokens, uint32_t at, const char *first, const char *second) {
  return source_token_is(tokens, at, first) && source_token_is(tokens, at + 1, second);
}

static bool ends_operand(const SourceTokens *tokens, uint32_t at) {
  return is_word_at(tokens, at) || source_token_is(tokens, at, "]") || source_token_is(tokens, at, ")");
}

static uint32_t bracket_before(const SourceTokens *tokens, uint32_t at) {
  int depth = 0;
  for (;; at--) {
    char c = tokens->items[at].text[0];
    depth += strchr(")]}", c) ? 1 : strchr("([{", c) ? -1 : 0;
    if (depth == 0 || at == 0) return at;
  }
}

// Where the operand begins whose last token is at `at`: a name with its subscripts, calls and members.
static uint32_t operand_begin(const SourceTokens *tokens, uint32_t at) {
  for (;;) {
    bool is_name = is_word_at(tokens, at);
    if (!is_name) at = bracket_before(tokens, at);
    if (at == 0) return at;
    if (is_name && source_token_is(tokens, at - 1, ".") && at >= 2)
      at -= 2;
    else if (is_name && at >= 3 && (is_pair(tokens, at - 2, "-", ">") || is_pair(tokens, at - 2, ":", ":")))
      at -= 3;
    else if (!is_name && ends_operand(tokens, at - 1))
      at--;
    else
      return at;
  }
}

// Behind the operand that begins at `at`, with the signs before it.
static uint32_t operand_end(const SourceTokens *tokens, uint32_t at) {
  while (at < tokens->count && strchr("*&+-!~", tokens->items[at].text[0]))
    at++;
  if (at >= tokens->count) return at;
  at = source_token_is(tokens, at, "(") ? source_behind_bracket(tokens, at) : at + 1;
  for (;;) {
    if (source_token_is(tokens, at, "[") || source_token_is(tokens, at, "("))
      at = source_behind_bracket(tokens, at);
    else if (source_token_is(tokens, at, ".") && is_word_at(tokens, at + 1))
      at += 2;
    else if ((is_pair(tokens, at, "-", ">") || is_pair(tokens, at, ":", ":")) && is_word_at(tokens, at + 2))
      at += 3;
    else
      return at;
  }
}

// A word that says what is done, and not only what something is called here.
static bool is_kept_word(const SourceTokens *tokens, uint32_t at) {
  static const char *const numbers[] = {"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"};
  const char *text = tokens->items[at].text;
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (strcmp(text, numbers[i]) == 0) return true;
  bool is_member =
      at >= 1 && (source_token_is(tokens, at - 1, ".") || (at >= 2 && is_pair(tokens, at - 2, "-", ">")) ||
                  (at >= 2 && is_pair(tokens, at - 2, ":", ":")));
  return is_member || isdigit((unsigned char)*text) || source_token_is(tokens, at + 1, "(") ||
         is_pair(tokens, at + 1, ":", ":");
}

static const char *access_tokens(Printing *printing, const FindingAccess *access) {
  StrBuf text = {.arena = printing->arena};
  strbuf_add(&text, access_id(access->kind));
  if (!loc_known(&access->loc) || !access->loc.line) return strbuf_text(&text);
  const SourceTokens *tokens = tokens_of(printing, &access->loc);
  uint32_t at = token_at(tokens, &access->loc), begin = at, end = at;
  if (at >= tokens->count) return strbuf_text(&text);
  // Of a store, the place is that of its operator.
  bool is_operator = !is_word_at(tokens, at) && at > 0 && ends_operand(tokens, at - 1) &&
                     !strchr("([{", tokens->items[at].text[0]);
  if (is_operator)
    begin = operand_begin(tokens, at - 1);
  else
    end = operand_end(tokens, at);
  for (uint32_t i = begin; i < end; i++) {
    bool is_name = is_word_at(tokens, i) && !is_kept_word(tokens, i);
    strbuf_printf(&text, " %s", is_name ? "_" : tokens->items[i].text);
  }
  return strbuf_text(&text);
}

static void print_second(Printing *printing, ReportGroup *group) {
  const Finding *finding = &group->finding;
  Hash hash = {.high = 0x68677264u, .low = 0x32u};
  const char *one = access_tokens(printing, &finding->accesses[0]);
  const char *other = access_tokens(printing, &finding->accesses[1]);
  bool swapped = strcmp(one, other) > 0;
  hash_text(&hash, finding_rule_info(finding->rule)->id);
  hash_name(&hash, finding->kernel);
  hash_text(&hash, swapped ? other : one);
  hash_text(&hash, swapped ? one : other);
  if (!strchr(one, ' ')) hash_text(&hash, finding->object); // its text is not to be had
  write_hash(&hash, &group->print);
}

// ---- equal ones

typedef struct Numbered {
  ReportPrint *print;
  uint32_t group;
} Numbered;

static int compare_numbered(const void *left, const void *right) {
  const Numbered *a = left, *b = right;
  int order = strcmp(a->print->hex, b->print->hex);
  return order ? order : (a->group > b->group) - (a->group < b->group);
}

// They are numbered in the order of the report.
static void number_equal(Numbered *prints, uint32_t count) {
  qsort(prints, count, sizeof *prints, compare_numbered);
  for (uint32_t i = 1; i < count; i++)
    if (strcmp(prints[i - 1].print->hex, prints[i].print->hex) == 0)
      prints[i].print->occurrence = prints[i - 1].print->occurrence + 1;
}

void report_fingerprints(ReportGroups *groups, const ReportOptions *options, Arena *arena) {
  ASSERT(groups->count == 0 || groups->items);
  Printing printing = {.options = options, .arena = arena_open()};
  Numbered *prints = arena_array(arena, groups->count + 1u, Numbered);
  for (uint32_t i = 0; i < groups->count; i++) {
    print_first(&groups->items[i], options, printing.arena);
    print_second(&printing, &groups->items[i]);
  }
  for (int version = 1; version <= 2; version++) {
    for (uint32_t i = 0; i < groups->count; i++) {
      ReportGroup *group = &groups->items[i];
      prints[i] = (Numbered){version == 1 ? &group->first_print : &group->print, i};
    }
    if (groups->count) number_equal(prints, groups->count);
  }
  arena_close(printing.arena);
}

const char *print_identity(const ReportPrint *print, Arena *arena) {
  return arena_printf(arena, "%s:%" PRIu32, print->hex, print->occurrence);
}

const char *group_identity(const ReportGroup *group, Arena *arena) {
  ASSERT(group);
  return print_identity(&group->print, arena);
}
