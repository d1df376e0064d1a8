// Which class does an address computation or an access of the host code speak of? LLVM keeps the name of a
// class with the type of an address computation, "class.kaldi::CuMatrixBase.17", and in the marks for
// type-based alias analysis, as
// "_ZTSN5kaldi12CuMatrixBaseIfEE"; both come to "kaldi::CuMatrixBase" here. The marks know the first member
// as well, whose address is that of the object and is not computed. Soundness: different classes may get one
// name, for which readers of it must be prepared; without a name (NULL) they know less.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower.h"
#include "core/bug.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MEMBERS = 600, DEEPEST_CLASS = 16 };

const char *class_without_arguments(Arena *scratch, StrTable *strings, const char *name, size_t length) {
  ASSERT(name);
  char *plain = arena_alloc(scratch, length + 1);
  size_t count = 0;
  int depth = 0;
  for (size_t i = 0; i < length; i++) {
    depth += name[i] == '<';
    if (depth == 0) plain[count++] = name[i];
    depth -= name[i] == '>' && depth > 0;
  }
  return str_intern_n(strings, plain, count);
}

// Numbers behind a name tell apart what has one name, and may differ from file to file.
const char *lower_class_name(Lower *lower, LLVMTypeRef type) {
  ASSERT(lower->request);
  ASSERT(type);
  if (lower->request->is_device || LLVMGetTypeKind(type) != LLVMStructTypeKind) return NULL;
  const char *name = LLVMGetStructName(type), *dot = name ? strchr(name, '.') : NULL;
  if (!dot) return NULL;
  size_t length = strlen(++dot);
  while (length > 0 && isdigit((unsigned char)dot[length - 1]))
    length--;
  length = length > 0 && dot[length - 1] == '.' ? length - 1 : strlen(dot);
  if (length > 5 && memcmp(dot + length - 5, ".base", 5) == 0) length -= 5;
  return class_without_arguments(lower->scratch, lower->request->strings, dot, length);
}

// ---- mangled names

// Behind the template arguments that begin at `at`; NULL if that is too hard.
static const char *skip_arguments(const char *at) {
  int depth = 0;
  do {
    char c = *at++;
    if (c == '\0' || c == 'Z') return NULL;
    if (c == 'L') { // a literal
      at = *at == '_' ? NULL : strchr(at, 'E');
      if (!at++) return NULL;
    } else if (isdigit((unsigned char)c)) {
      size_t length = strtoul(at - 1, (char **)&at, 10);
      if (length > strlen(at)) return NULL;
      at += length;
    } else if (c == 'S' && isalnum((unsigned char)*at)) {
      at += islower((unsigned char)*at) ? 1 : strcspn(at, "_");
    } else {
      depth += (strchr("INXJF", c) != NULL) - (c == 'E');
    }
  } while (depth > 0);
  return at;
}

// "N5kaldi12CuMatrixBaseIfEE" to "kaldi::CuMatrixBase". Of a class in a function only its own name is left.
const char *class_name_of_id(Arena *scratch, StrTable *strings, const char *at) {
  ASSERT(at);
  StrBuf name = {.arena = scratch};
  if (*at == 'Z') { // the last name in it
    const char *last = NULL;
    for (const char *p = at; *p; p++)
      if (isdigit((unsigned char)*p) && strtoul(p, NULL, 10) == strlen(p) - strspn(p, "0123456789")) last = p;
    at = last;
  }
  if (at && *at == 'N') at++;
  while (at && *at && *at != 'E') {
    if (isdigit((unsigned char)*at)) {
      size_t length = strtoul(at, (char **)&at, 10);
      if (length > strlen(at)) return NULL;
      if (name.length) strbuf_add(&name, "::");
      bool is_unnamed = length == 12 && memcmp(at, "_GLOBAL__N_1", 12) == 0;
      if (is_unnamed)
        strbuf_add(&name, "(anonymous namespace)");
      else
        strbuf_add_n(&name, at, length);
      at += length;
    } else if (*at == 'I') {
      at = skip_arguments(at);
    } else if (at[0] == 'S' && at[1] == 't') {
      strbuf_add(&name, "std");
      at += 2;
    } else {
      return NULL;
    }
  }
  return at && name.length ? str_intern(strings, strbuf_text(&name)) : NULL;
}

// ---- marks of accesses

static unsigned operands_of(LLVMValueRef node, LLVMValueRef *operands) {
  if (!node || !LLVMIsAMDNode(node)) return 0;
  unsigned count = LLVMGetMDNodeNumOperands(node);
  if (count == 0 || count > MOST_MEMBERS) return 0;
  LLVMGetMDNodeOperands(node, operands);
  return count;
}

static uint64_t number_in(LLVMValueRef operand) {
  return operand && LLVMIsAConstantInt(operand) ? LLVMConstIntGetZExtValue(operand) : 0;
}

// A type is {name, member, offset, member, offset ...}, a plain one {name, parent, 0}: the innermost class at
// `offset`.
static LLVMValueRef innermost(LLVMValueRef type, LLVMValueRef accessed, uint64_t *offset) {
  LLVMValueRef operands[MOST_MEMBERS];
  for (int depth = 0; depth < DEEPEST_CLASS; depth++) {
    unsigned count = operands_of(type, operands), found = 0;
    for (unsigned i = 1; i + 1 < count; i += 2)
      if (number_in(operands[i + 1]) <= *offset) found = i;
    if (!found || operands[found] == accessed) return found ? type : NULL;
    *offset -= number_in(operands[found + 1]);
    type = operands[found];
  }
  return NULL;
}

const char *lower_accessed_class(Lower *lower, LLVMValueRef access, int64_t *offset) {
  ASSERT(lower->request && lower->function);
  ASSERT(access);
  LLVMValueRef tag[MOST_MEMBERS], operands[MOST_MEMBERS];
  if (lower->request->is_device || !LLVMHasMetadata(access)) return NULL;
  LLVMValueRef mark = LLVMGetMetadata(access, LLVMGetMDKindIDInContext(lower->context, "tbaa", 4));
  if (operands_of(mark, tag) < 3 || tag[0] == tag[1]) return NULL;
  uint64_t at = number_in(tag[2]);
  LLVMValueRef class = innermost(tag[0], tag[1], &at);
  unsigned length = 0;
  if (operands_of(class, operands) == 0 || !LLVMIsAMDString(operands[0])) return NULL;
  const char *name = LLVMGetMDString(operands[0], &length);
  if (length < 4 || memcmp(name, "_ZTS", 4) != 0) return NULL;
  *offset = (int64_t)at;
  return class_name_of_id(lower->scratch, lower->request->strings,
                          arena_strndup(lower->scratch, name + 4, length - 4));
}
