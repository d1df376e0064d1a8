// What are the statements of a piece of inline PTX? Comments are taken out, the text is cut at semicolons, each
// part into braces and labels, predicate, opcode and operands; then what the suffixes of an opcode say (PTX
// ISA, chapter 9). Soundness: text that is too long says so (is_cut) and is not understood as a whole.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/asm.h"
#include "core/bug.h"

#include <ctype.h>
#include <string.h>

static char *trim(char *text) {
  while (isspace((unsigned char)*text))
    text++;
  size_t length = strlen(text);
  while (length && isspace((unsigned char)text[length - 1]))
    text[--length] = '\0';
  return text;
}

static void split_operands(AsmText *text, Statement *statement, char *source) {
  int depth = 0;
  for (char *start = source, *at = source;; at++) {
    if (*at == '[' || *at == '{' || *at == '(') depth++;
    if (*at == ']' || *at == '}' || *at == ')') depth--;
    bool is_end = *at == '\0';
    bool is_border = *at == ',' || *at == '|'; // "d|p": two results
    if (!is_end && !(is_border && depth == 0)) continue;
    *at = '\0';
    char *operand = trim(start);
    text->is_cut |= *operand && statement->operand_count == OPERAND_LIMIT;
    if (*operand && statement->operand_count < OPERAND_LIMIT)
      statement->operands[statement->operand_count++] = operand;
    if (is_end) return;
    start = at + 1;
  }
}

static void add_statement(AsmText *text, Statement statement) {
  text->is_cut |= text->count == STATEMENT_LIMIT;
  if (text->count < STATEMENT_LIMIT) text->statements[text->count++] = statement;
}

static char *word_end(char *text) {
  while (*text && !isspace((unsigned char)*text))
    text++;
  return text;
}

// The end of the label with which the part begins: "name:", where a name may hold "${:uid}" or "%="; NULL if it does not.
static char *label_end(char *part) {
  char *at = part;
  while (isalnum((unsigned char)*at) || (*at && strchr("_$%=", *at)) || str_starts_with(at, "{:uid}"))
    at += *at == '{' ? strlen("{:uid}") : 1;
  while (isspace((unsigned char)*at))
    at++;
  return at > part && *at == ':' && at[1] != ':' ? at : NULL;
}

// Scopes open and close, and labels stand, before a statement.
static char *read_marks(AsmText *text, char *part) {
  for (char *colon;;) {
    part = trim(part);
    if (*part == '{' || *part == '}') {
      add_statement(text, (Statement){.opcode = *part++ == '{' ? "{" : "}"});
    } else if ((colon = label_end(part)) != NULL) {
      *colon = '\0';
      add_statement(text, (Statement){.opcode = "label", .operands = {trim(part)}, .operand_count = 1});
      part = colon + 1;
    } else {
      return part;
    }
  }
}

static void read_statement(AsmText *text, char *part) {
  part = read_marks(text, part);
  if (*part == '\0') return;
  Statement statement = {0};
  if (*part == '@') {
    statement.is_negated = part[1] == '!';
    statement.predicate = part + (statement.is_negated ? 2 : 1);
    char *end = word_end(part);
    if (*end) *end++ = '\0';
    part = trim(end);
  }
  char *end = word_end(part);
  if (*end) *end++ = '\0';
  statement.opcode = part;
  split_operands(text, &statement, end);
  add_statement(text, statement);
}

// Comments become spaces.
static void clean(char *text) {
  for (char *at = text; *at; at++) {
    if (str_starts_with(at, "//"))
      while (*at && *at != '\n')
        *at++ = ' ';
    if (str_starts_with(at, "/*"))
      while (*at && !str_starts_with(at, "*/"))
        *at++ = ' ';
    if (!*at) return;
    if (str_starts_with(at, "*/")) at[0] = at[1] = ' ';
  }
}

AsmText *asm_text_read(const char *source, size_t length, Arena *scratch) {
  ASSERT(source);
  AsmText *text = arena_new(scratch, AsmText);
  char *copy = arena_strndup(scratch, source, length);
  clean(copy);
  for (char *part = copy; part;) {
    char *end = strchr(part, ';');
    if (end) *end = '\0';
    read_statement(text, part);
    part = end ? end + 1 : NULL;
  }
  return text;
}

uint32_t asm_list(const char *text, const char **names, uint32_t limit, Arena *scratch) {
  ASSERT(text);
  ASSERT(names);
  char *copy = arena_strdup(scratch, text);
  uint32_t count = 0;
  for (char *at = copy; *at; at++)
    if (*at == '{' || *at == '}' || *at == ',') *at = ' ';
  for (char *at = trim(copy); *at && count < limit;) {
    names[count++] = at;
    at = word_end(at);
    if (*at) *at++ = '\0';
    at = trim(at);
  }
  return count;
}

// ---- suffixes

bool asm_has_part(const char *opcode, const char *part) {
  ASSERT(opcode);
  ASSERT(part);
  size_t length = strlen(part);
  for (const char *at = strstr(opcode, part); at; at = strstr(at + 1, part))
    if (at[length] == '\0' || at[length] == '.' || at[length] == ':') return true;
  return false;
}

bool asm_is_op(const char *opcode, const char *name) {
  ASSERT(opcode);
  ASSERT(name);
  size_t length = strlen(name);
  return strncmp(opcode, name, length) == 0 && (opcode[length] == '\0' || opcode[length] == '.');
}

typedef struct Suffix {
  const char *text;
  uint8_t value;
} Suffix;

static uint8_t suffix_value(const char *opcode, const Suffix *table, size_t count, uint8_t otherwise) {
  for (size_t i = 0; i < count; i++)
    if (asm_has_part(opcode, table[i].text)) return table[i].value;
  return otherwise;
}
#define SUFFIX_VALUE(opcode, table, otherwise)                                                               \
  suffix_value((opcode), (table), sizeof(table) / sizeof *(table), (otherwise))

uint8_t asm_scope(const char *opcode, uint8_t otherwise) {
  ASSERT(opcode);
  static const Suffix table[] = {{".cta", IR_SCOPE_BLOCK},
                                 {".cluster", IR_SCOPE_CLUSTER},
                                 {".gpu", IR_SCOPE_DEVICE},
                                 {".gl", IR_SCOPE_DEVICE},
                                 {".sys", IR_SCOPE_SYSTEM}};
  // "::cta" in ".shared::cta" is no scope.
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    size_t length = strlen(table[i].text);
    for (const char *at = strstr(opcode, table[i].text); at; at = strstr(at + 1, table[i].text))
      if (at[length] == '\0' || at[length] == '.') return table[i].value;
  }
  return otherwise;
}

uint8_t asm_order(const char *opcode, uint8_t otherwise) {
  ASSERT(opcode);
  static const Suffix table[] = {{".volatile", IR_ORDER_VOLATILE}, {".relaxed", IR_ORDER_RELAXED},
                                 {".acquire", IR_ORDER_ACQUIRE},   {".release", IR_ORDER_RELEASE},
                                 {".acq_rel", IR_ORDER_ACQ_REL},   {".sc", IR_ORDER_SEQ_CST},
                                 {".mmio", IR_ORDER_RELAXED}};
  return SUFFIX_VALUE(opcode, table, otherwise);
}

uint8_t asm_width(const char *opcode) {
  ASSERT(opcode);
  const char *last = strrchr(opcode, '.');
  static const Suffix table[] = {{".pred", 1}, {".b8", 8},    {".u8", 8},     {".s8", 8},     {".b16", 16},
                                 {".u16", 16}, {".s16", 16},  {".f16", 16},   {".b32", 32},   {".u32", 32},
                                 {".s32", 32}, {".f32", 32},  {".b64", 64},   {".u64", 64},   {".s64", 64},
                                 {".f64", 64}, {".bf16", 16}, {".f16x2", 32}, {".bf16x2", 32}};
  return last ? SUFFIX_VALUE(last, table, 0) : 0;
}

bool asm_is_signed(const char *opcode) {
  ASSERT(opcode);
  const char *last = strrchr(opcode, '.');
  return last && last[1] == 's' && asm_width(opcode) > 0;
}

bool asm_is_float(const char *opcode) {
  ASSERT(opcode);
  const char *last = strrchr(opcode, '.');
  return last && (strcmp(last, ".f32") == 0 || strcmp(last, ".f64") == 0);
}
