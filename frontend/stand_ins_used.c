// Does the program tell a stand-in from what it stands for? Names of a header that is not there are compiled as functions without a body and
// objects of which nothing is known (fixup_stand_ins.c). Method: a function of the program's own files with one of these names may be what is
// called there; and the size of such an object is a number that stands in no program by itself, so that whoever computes with it is
// seen. Soundness: over-approximates: a word in the name is enough. A number that is computed of the size while compiling, so that neither it nor
// a few times or an eighth of it is left, is not seen.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/loading.h"
#include "core/bug.h"
#include "frontend/internal.h"

#include <ctype.h>
#include <string.h>

static bool is_of_name(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

// "run", "ns::run", "run::~run": the word stands in what is shown of the function, without template arguments.
static bool has_name(const IrFunction *function, const char *word) {
  size_t length = strlen(word), shown = strcspn(function->display, "<");
  for (size_t at = 0; at + length <= shown; at++)
    if (memcmp(function->display + at, word, length) == 0 && !is_of_name(function->display[at + length]) &&
        !(at > 0 && is_of_name(function->display[at - 1])))
      return true;
  return false;
}

// Has a function of the program the name of something that a header which is not there would have declared?
static bool defines_stand_in(const Loading *loading, const Program *program, const FixupResult *mended) {
  for (uint32_t i = 0; i < program->units.count && mended->stand_ins.count; i++) {
    const IrModule *module = program->units.items[i].host;
    for (uint32_t f = 0; module && f < module->functions.count; f++)
      for (uint32_t k = 0; k < mended->stand_ins.count; k++) {
        const IrFunction *function = module->functions.items[f];
        const SrcLoc *loc = ir_loc(module, function->loc);
        bool is_own =
            !function->is_declaration && !(loc && loc->file && path_is_system(&loading->tools, loc->file));
        if (is_own && has_name(function, mended->stand_ins.items[k])) return true;
      }
  }
  return false;
}

// A few times one of the sizes, or an eighth of it, and something beside.
static bool is_of_size(int64_t value) {
  const int64_t least = INT64_C(1) << (STAND_IN_BITS - 4), part = STAND_IN_BYTES / 8;
  if (value >= least && value < least << 8) return value % least < INT64_C(1) << 32;
  return value >= part && value <= STAND_IN_BYTES * 64 && value % part < 4096;
}

// An address in a variable of the function; in one that is such an object.
static bool is_local(const IrFunction *function, IrRef address, bool is_such) {
  const IrInst *base = ir_inst(function, ir_address_base(function, address));
  return base && base->op == IR_ALLOCA && (!is_such || is_of_size(base->imm));
}

// Is a number of the size of a class computed with that only stands in for one (`sizeof(T)`)? Not by the library, whose containers of such
// objects are the host's, nor to reach one in an array of the function, or to copy one variable to another.
static bool uses_size(const Loading *loading, const IrModule *module, const IrFunction *function,
                      const IrInst *inst) {
  const SrcLoc *loc = ir_loc(module, inst->loc);
  bool is_used = false;
  for (uint32_t k = 0; k < inst->op_count && !is_used; k++) {
    int64_t value = 0;
    is_used = ir_const_value(function, inst->ops[k], &value) && is_of_size(value);
  }
  if (!is_used || (loc && loc->file && path_is_system(&loading->tools, loc->file))) return false;
  bool is_step =
      inst->op == IR_PTRADD && (inst->owner || is_local(function, inst->ops[0], false)); // or to a member
  return !is_step && !(inst->op == IR_MEMCPY && is_local(function, inst->ops[0], true) &&
                       is_local(function, inst->ops[1], true));
}

static bool uses_size_of_stand_in(const Loading *loading, const Program *program, const FixupResult *mended) {
  for (uint32_t i = 0; i < program->units.count && mended->stand_ins.count; i++) {
    const IrModule *modules[] = {program->units.items[i].host, program->units.items[i].device};
    for (int m = 0; m < 2; m++)
      for (uint32_t f = 0; modules[m] && f < modules[m]->functions.count; f++) {
        const IrFunction *function = modules[m]->functions.items[f];
        for (uint32_t k = 0; k < function->insts.count; k++)
          if (uses_size(loading, modules[m], function, &function->insts.items[k])) return true;
      }
  }
  return false;
}

// ---- classes of the program that are handed over
static bool is_stand_in(const Loading *loading, const char *word, size_t length) {
  for (uint32_t u = 0; u < loading->units.count; u++) {
    const FixupResult *mended = &loading->units.items[u].mended;
    for (uint32_t i = 0; i < mended->stand_ins.count; i++)
      if (strlen(mended->stand_ins.items[i]) == length &&
          memcmp(mended->stand_ins.items[i], word, length) == 0)
        return true;
  }
  return false;
}

// Of the name of a type, a word of the language, of the toolkit or of the header: not the program's.
static bool is_known_word(const Loading *loading, const char *word, size_t length) {
  static const char *const known[] = {"const", "volatile", "unsigned", "signed", "int",  "long", "short",
                                      "char",  "float",    "double",   "bool",   "void", "auto", "decltype",
                                      "true",  "false",    "operator", "lambda", "dim3"};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strlen(known[i]) == length && memcmp(known[i], word, length) == 0) return true;
  return is_stand_in(loading, word, length) || (length > 4 && memcmp(word, "cuda", 4) == 0) ||
         (length > 2 && memcmp(word, "CU", 2) == 0) || isdigit((unsigned char)word[0]);
}

// A scope is no class by itself; nor is what stands behind `std::`, or in the scope of all stand-ins.
static bool names_own_class(const Loading *loading, const char *text) {
  for (size_t at = 0; text[at];) {
    if (!is_of_name(text[at])) {
      at++;
      continue;
    }
    size_t end = at;
    bool is_of_library = str_starts_with(text + at, "std::") || str_starts_with(text + at, "hgrd_missing::");
    while (is_of_name(text[end]) || (is_of_library && text[end] == ':'))
      end++;
    bool is_scope = strncmp(text + end, "::", 2) == 0;
    if (!is_of_library && !is_scope && !is_known_word(loading, text + at, end - at)) return true;
    at = end;
  }
  return false;
}

// Is an object of a class of the program, or one of its types, given to a stand-in? What the header does with it may call functions of the class, which
// are not there, as nothing here calls them.
static bool hands_over_class(const Loading *loading, const Program *program, const FixupResult *mended,
                             Arena *scratch) {
  for (uint32_t i = 0; i < program->units.count && mended->stand_ins.count; i++) {
    const IrModule *module = program->units.items[i].host;
    for (uint32_t f = 0; module && f < module->functions.count; f++) {
      const IrFunction *function = module->functions.items[f];
      if (!function->is_declaration) continue;
      Demangled name = demangle(function->name, scratch);
      bool is_such = strstr(name.display, "hgrd_missing::") != NULL;
      for (uint32_t k = 0; k < mended->stand_ins.count && !is_such; k++)
        is_such = has_name(function, mended->stand_ins.items[k]);
      const char *types = strchr(name.display, '<');
      if (is_such && ((types && names_own_class(loading, types)) || names_own_class(loading, name.arguments)))
        return true;
    }
  }
  return false;
}

bool stand_ins_matter(const Loading *loading, const Program *program, const FixupResult *mended) {
  ASSERT(mended);
  Arena *scratch = arena_open();
  bool is_handed = hands_over_class(loading, program, mended, scratch);
  arena_close(scratch);
  return is_handed || defines_stand_in(loading, program, mended) ||
         uses_size_of_stand_in(loading, program, mended);
}
