// Which module does this text stand for? The inverse of ir_print.c, also for text written by hand.
// Method: one line, one thing. First pass over the file: places, globals, function heads (so that bodies may
// refer to any function); then for each body one pass that gives every name its index and one that builds.
// Recursive descent with one token of look-ahead. The first mistake is reported with its line and column and
// ends the reading. Invariant: every index, count and size is checked here, since the text may be hostile;
// memory is linear in the length of the text, but for runs in initial data, whose sum is bounded. What the
// text says is left to ir_verify. Soundness: no bearing on verdicts; a module is given back whole or not at
// all. SPDX-License-Identifier: Apache-2.0
#include "core/ir_text.h"

#include <inttypes.h>
#include <string.h>

typedef enum TokenKind {
  TOKEN_END,
  TOKEN_LINE, // end of a line
  TOKEN_WORD,
  TOKEN_NUMBER,
  TOKEN_STRING,
  TOKEN_REF, // sigil, then a name or a number
  TOKEN_SIGN // one character
} TokenKind;

typedef struct Token {
  TokenKind kind;
  char sign;        // SIGN, or the sigil of REF
  bool is_negative; // NUMBER
  bool is_position; // REF: %#2
  uint64_t number;  // NUMBER (magnitude), REF without a name
  const char *text; // WORD, STRING, REF with a name (interned); else NULL
  const char *at;   // where it starts
} Token;

typedef struct Body {
  IrFunction *function;
  IrNames params;
  const char *at; // the first line of the body
  uint32_t line;
} Body;

typedef struct Reader {
  IrModule *module;
  Arena *scratch;
  DiagSink *sink;
  const char *file_name;
  const char *at, *line_start;
  uint32_t line;
  bool has_failed;
  Token token;
  IrNames globals, functions;
  VEC(Body) bodies;
  uint64_t data_bytes; // initial data so far
  // of the function being read
  IrFunction *function;
  IrNames values, blocks; // params are their index, instructions params.count + index
  uint32_t inst_count, block_count;
  VEC(IrRef) ops;
  VEC(uint32_t) targets;
  VEC(int64_t) case_values;
} Reader;

enum { MAX_OPERANDS = UINT16_MAX };
static const uint64_t max_index = (1u << 28) - 1;
static const uint64_t max_data_bytes = UINT64_C(64) << 20;

// ---- mistakes --------------------------------------------------------------------------------------------

static bool fail_at(Reader *r, const char *at, const char *format, ...) __attribute__((format(printf, 3, 4)));

// Reports the first mistake only; always false.
static bool fail_at(Reader *r, const char *at, const char *format, ...) {
  if (r->has_failed) return false;
  r->has_failed = true;
  va_list args;
  va_start(args, format);
  const char *message = arena_vprintf(r->scratch, format, args);
  va_end(args);
  SrcLoc loc = {.file = str_intern(r->module->strings, r->file_name),
                .line = r->line,
                .column = (uint32_t)(at - r->line_start) + 1,
                .function = ""};
  diag_report(r->sink, DIAG_ERROR, &loc, "%s", message);
  return false;
}

#define fail(r, ...) fail_at((r), (r)->token.at, __VA_ARGS__)

// ---- tokens ----------------------------------------------------------------------------------------------

// -1 if c is no digit; capital digits are not written.
static int digit_value(char c, unsigned base) {
  int value = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
  return (unsigned)value < base ? value : -1;
}

static void skip_blanks(Reader *r) {
  while (*r->at == ' ' || *r->at == '\t' || *r->at == '\r')
    r->at++;
  if (r->at[0] == '/' && r->at[1] == '/')
    while (*r->at && *r->at != '\n')
      r->at++;
}

static bool lex_number(Reader *r, uint64_t *number) {
  unsigned base = r->at[0] == '0' && r->at[1] == 'x' ? 16 : 10;
  if (base == 16) r->at += 2;
  if (digit_value(*r->at, base) < 0) return fail_at(r, r->at, "expected a digit");
  *number = 0;
  for (int digit; (digit = digit_value(*r->at, base)) >= 0; r->at++) {
    if (*number > (UINT64_MAX - (unsigned)digit) / base) return fail_at(r, r->at, "the number is too large");
    *number = *number * base + (unsigned)digit;
  }
  if (ir_name_char(*r->at, true)) return fail_at(r, r->at, "a letter in a number");
  return true;
}

static const char *lex_name(Reader *r) {
  const char *start = r->at;
  while (ir_name_char(*r->at, r->at == start))
    r->at++;
  return str_intern_n(r->module->strings, start, (size_t)(r->at - start));
}

// One character of a string behind a backslash.
static bool lex_escape(Reader *r, char *c) {
  char kind = *r->at;
  if (kind == 'x') {
    int high = digit_value(r->at[1], 16), low = high < 0 ? -1 : digit_value(r->at[2], 16);
    if (low < 0 || high * 16 + low == 0) return fail_at(r, r->at, "expected two hexadecimal digits, not 00");
    *c = (char)(high * 16 + low);
    r->at += 3;
    return true;
  }
  if (kind != 'n' && kind != '"' && kind != '\\') return fail_at(r, r->at, "unknown escape in a string");
  *c = kind == 'n' ? '\n' : kind;
  r->at++;
  return true;
}

static bool lex_string(Reader *r) {
  const char *start = r->at++;
  size_t length = 0, room = 0;
  while (r->at[room] && r->at[room] != '\n' && r->at[room] != '"')
    room += r->at[room] == '\\' && r->at[room + 1] ? 2 : 1;
  ArenaMark mark = arena_mark(r->scratch);
  char *text = arena_alloc(r->scratch, room + 1);
  while (*r->at != '"') {
    if (*r->at == 0 || *r->at == '\n') return fail_at(r, start, "the string does not end on this line");
    if (*r->at != '\\')
      text[length++] = *r->at++;
    else if (r->at++, !lex_escape(r, &text[length++]))
      return false;
  }
  r->at++;
  r->token.kind = TOKEN_STRING;
  r->token.text = str_intern_n(r->module->strings, text, length);
  arena_release(r->scratch, mark);
  return true;
}

static bool lex_ref(Reader *r) {
  r->token.kind = TOKEN_REF;
  r->token.sign = *r->at++;
  if (r->token.sign == '%' && *r->at == '#') {
    r->token.is_position = true;
    r->at++;
  }
  if (!r->token.is_position && ir_name_char(*r->at, true)) {
    r->token.text = lex_name(r);
    return true;
  }
  return lex_number(r, &r->token.number);
}

// Reads the next token; after a mistake the token is END, so that nothing goes on.
static void next(Reader *r) {
  skip_blanks(r);
  r->token = (Token){.kind = TOKEN_END, .at = r->at};
  char c = *r->at;
  bool good = true;
  if (r->has_failed || c == 0) return;
  if (c == '\n') {
    r->token.kind = TOKEN_LINE;
    return; // the line is left by next_line, so that mistakes at its end are reported on it
  }
  if (ir_name_char(c, true)) {
    r->token.kind = TOKEN_WORD;
    r->token.text = lex_name(r);
  } else if (digit_value(c, 10) >= 0 || c == '-') {
    r->token.kind = TOKEN_NUMBER;
    r->token.is_negative = c == '-';
    r->at += c == '-';
    good = lex_number(r, &r->token.number);
  } else if (c == '"') {
    good = lex_string(r);
  } else if (strchr("%^$&@", c)) {
    good = lex_ref(r);
  } else if (strchr("()[]{},:=", c)) {
    r->token.kind = TOKEN_SIGN;
    r->token.sign = c;
    r->at++;
  } else {
    good = fail_at(r, r->at, "unexpected character");
  }
  if (!good) r->token.kind = TOKEN_END;
}

// From the end of a line to the first token of the next line that has one.
static void next_line(Reader *r) {
  while (r->token.kind == TOKEN_LINE) {
    r->line_start = ++r->at;
    r->line++;
    next(r);
  }
}

static void go_to(Reader *r, const char *at, uint32_t line) {
  r->at = r->line_start = at;
  r->line = line;
  next(r);
  next_line(r);
}

static bool is_sign(const Reader *r, char sign) {
  return r->token.kind == TOKEN_SIGN && r->token.sign == sign;
}
static bool is_ref(const Reader *r, char sigil) {
  return r->token.kind == TOKEN_REF && r->token.sign == sigil;
}
static bool is_word(const Reader *r, const char *word) {
  return r->token.kind == TOKEN_WORD && strcmp(r->token.text, word) == 0;
}
static bool is_line_end(const Reader *r) {
  return r->token.kind == TOKEN_LINE || r->token.kind == TOKEN_END;
}

static bool take_sign(Reader *r, char sign) {
  if (!is_sign(r, sign)) return false;
  next(r);
  return true;
}

static bool take_word(Reader *r, const char *word) {
  if (!is_word(r, word)) return false;
  next(r);
  return true;
}

static bool expect_sign(Reader *r, char sign) {
  return take_sign(r, sign) || fail(r, "expected '%c'", sign);
}

static bool expect_line_end(Reader *r) {
  if (!is_line_end(r)) return fail(r, "expected the end of the line");
  next_line(r);
  return !r->has_failed;
}

static bool expect_number(Reader *r, uint64_t limit, uint64_t *number) {
  if (r->token.kind != TOKEN_NUMBER || r->token.is_negative) return fail(r, "expected a number");
  if (r->token.number > limit) return fail(r, "the number is above %" PRIu64, limit);
  *number = r->token.number;
  next(r);
  return true;
}

static bool expect_u32(Reader *r, uint32_t *number) {
  uint64_t wide = 0;
  bool good = expect_number(r, UINT32_MAX, &wide);
  *number = (uint32_t)wide;
  return good;
}

static bool expect_string(Reader *r, const char **text) {
  if (r->token.kind != TOKEN_STRING) return fail(r, "expected a string");
  *text = r->token.text;
  next(r);
  return true;
}

static bool expect_string_or_none(Reader *r, const char **text) {
  *text = NULL;
  return take_word(r, "none") || expect_string(r, text);
}

// A number with a sign; above INT64_MAX it is a bit pattern.
static bool expect_int64(Reader *r, int64_t *value) {
  if (r->token.kind != TOKEN_NUMBER) return fail(r, "expected a number");
  if (r->token.is_negative && r->token.number > UINT64_C(1) << 63) return fail(r, "the number is too small");
  *value = (int64_t)(r->token.is_negative ? 0 - r->token.number : r->token.number);
  next(r);
  return true;
}

// ---- types -----------------------------------------------------------------------------------------------

static bool find_word_type(const char *word, IrType *type) {
  static const struct {
    const char *word;
    uint8_t kind, bits, space;
  } types[] = {{"void", IR_VOID, 0, 0},
               {"i1", IR_INT, 1, 0},
               {"i8", IR_INT, 8, 0},
               {"i16", IR_INT, 16, 0},
               {"i32", IR_INT, 32, 0},
               {"i64", IR_INT, 64, 0},
               {"f16", IR_FLOAT, 16, 0},
               {"f32", IR_FLOAT, 32, 0},
               {"f64", IR_FLOAT, 64, 0},
               {"ptr", IR_PTR, 64, IR_SPACE_GENERIC},
               {"ptr.global", IR_PTR, 64, IR_SPACE_GLOBAL},
               {"ptr.shared", IR_PTR, 64, IR_SPACE_SHARED},
               {"ptr.constant", IR_PTR, 64, IR_SPACE_CONSTANT},
               {"ptr.local", IR_PTR, 64, IR_SPACE_LOCAL},
               {"bytes", IR_BYTES, 0, 0}};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strcmp(word, types[i].word) == 0) {
      *type = (IrType){types[i].kind, types[i].bits, types[i].space, (types[i].bits + 7u) / 8u};
      return true;
    }
  return false;
}

static bool is_type(const Reader *r) {
  IrType type;
  return r->token.kind == TOKEN_WORD && find_word_type(r->token.text, &type);
}

static bool expect_type(Reader *r, IrType *type) {
  if (r->token.kind != TOKEN_WORD || !find_word_type(r->token.text, type)) return fail(r, "expected a type");
  next(r);
  if (type->kind != IR_BYTES) return true;
  return expect_sign(r, '[') && expect_u32(r, &type->bytes) && expect_sign(r, ']');
}

// ---- names -----------------------------------------------------------------------------------------------

static bool add_name(Reader *r, IrNames *names, const char *name, uint32_t number) {
  uint32_t other;
  if (ir_names_find(names, name, &other)) return fail(r, "'%s' is defined twice", name);
  ir_names_add(names, r->scratch, name, number);
  return true;
}

// Where something is defined as number `count` of its kind: by name, or by number and perhaps a name in
// quotes. `names` learns the name; NULL: it has done so before.
static bool expect_definition(Reader *r, char sigil, uint32_t count, IrNames *names, const char **name) {
  if (!is_ref(r, sigil)) return fail(r, "expected '%c' and a name", sigil);
  *name = r->token.text;
  if (*name) {
    if (names && !add_name(r, names, *name, count)) return false;
    next(r);
    return true;
  }
  if (r->token.number != count) return fail(r, "expected number %u here", count);
  next(r);
  if (r->token.kind != TOKEN_STRING) return true;
  return expect_string(r, name);
}

// What the reference at hand stands for, in a table of `count`.
static bool resolve(Reader *r, const IrNames *names, uint32_t count, uint32_t *number) {
  if (r->token.text) {
    if (!ir_names_find(names, r->token.text, number)) return fail(r, "'%s' is not defined", r->token.text);
  } else {
    if (r->token.number >= count) return fail(r, "there is no number %" PRIu64 " here", r->token.number);
    *number = (uint32_t)r->token.number;
  }
  next(r);
  return true;
}

static bool take_loc(Reader *r, uint32_t *loc) {
  if (!is_ref(r, '@')) return false;
  if (r->token.text || r->token.number >= r->module->locs.count) return fail(r, "there is no such place");
  *loc = (uint32_t)r->token.number;
  next(r);
  return true;
}

// ---- operands --------------------------------------------------------------------------------------------

static bool const_fits(const Token *number, IrType type) {
  if (type.kind == IR_PTR || type.kind == IR_BYTES) return true;
  if (number->is_negative) return type.kind == IR_INT && number->number <= UINT64_C(1) << (type.bits - 1);
  return type.bits == 64 || number->number < UINT64_C(1) << type.bits;
}

// A type behind a colon, or the one that is expected here.
static bool take_const_type(Reader *r, IrType expected, IrType *type) {
  *type = expected;
  return !take_sign(r, ':') || expect_type(r, type);
}

static bool read_number(Reader *r, IrType expected, IrRef *ref) {
  Token number = r->token;
  IrType type;
  int64_t bits;
  if (!expect_int64(r, &bits) || !take_const_type(r, expected, &type)) return false;
  if (type.kind == IR_VOID) return fail_at(r, number.at, "the constant needs a type");
  if (!const_fits(&number, type)) return fail_at(r, number.at, "the constant does not fit its type");
  *ref = ir_const_typed(r->module, r->function, type, bits, false);
  return true;
}

static bool is_const_word(const Reader *r) {
  return is_word(r, "true") || is_word(r, "false") || is_word(r, "undef") || is_word(r, "null") ||
         is_word(r, "zero");
}

static bool read_const_word(Reader *r, IrType expected, IrRef *ref) {
  const char *at = r->token.at;
  bool is_true = is_word(r, "true"), is_truth = is_true || is_word(r, "false");
  bool is_undef = is_word(r, "undef");
  IrTypeKind kind = is_word(r, "null") ? IR_PTR : is_word(r, "zero") ? IR_BYTES : IR_VOID;
  IrType type;
  next(r);
  if (!take_const_type(r, is_truth ? ir_type_int(1) : expected, &type)) return false;
  bool good = is_truth ? type.kind == IR_INT : is_undef ? type.kind != IR_VOID : type.kind == (uint8_t)kind;
  if (!good) return fail_at(r, at, "the constant needs another type");
  *ref = ir_const_typed(r->module, r->function, type, is_true, is_undef);
  return true;
}

static bool read_value_ref(Reader *r, IrRef *ref) {
  uint32_t number, params = r->function->params.count;
  bool is_param = r->token.is_position;
  bool is_named = r->token.text != NULL;
  if (!resolve(r, &r->values, is_param ? params : r->inst_count, &number)) return false;
  if (is_named) {
    is_param = number < params;
    number = is_param ? number : number - params;
  }
  *ref = IR_REF(is_param ? IR_REF_PARAM : IR_REF_INST, number);
  return true;
}

static bool read_operand(Reader *r, IrType expected, IrRef *ref) {
  uint32_t number;
  *ref = 0;
  if (r->token.kind == TOKEN_NUMBER) return read_number(r, expected, ref);
  if (is_const_word(r)) return read_const_word(r, expected, ref);
  if (is_ref(r, '%')) return read_value_ref(r, ref);
  if (is_ref(r, '$')) {
    if (!resolve(r, &r->globals, r->module->globals.count, &number)) return false;
    *ref = IR_REF(IR_REF_GLOBAL, number);
    return true;
  }
  if (is_ref(r, '&')) {
    if (!resolve(r, &r->functions, r->module->functions.count, &number)) return false;
    *ref = IR_REF(IR_REF_FUNC, number);
    return true;
  }
  return take_word(r, "none") || fail(r, "expected an operand");
}

static bool add_operand(Reader *r, IrOp op, IrType shown) {
  IrRef ref;
  if (r->ops.count >= MAX_OPERANDS) return fail(r, "too many operands");
  if (!read_operand(r, ir_operand_type(op, shown, r->ops.count), &ref)) return false;
  vec_push(r->scratch, &r->ops, ref);
  return true;
}

static bool add_target(Reader *r) {
  uint32_t block;
  if (r->targets.count >= MAX_OPERANDS) return fail(r, "too many blocks");
  if (!is_ref(r, '^')) return fail(r, "expected a block");
  if (!resolve(r, &r->blocks, r->block_count, &block)) return false;
  vec_push(r->scratch, &r->targets, block);
  return true;
}

// ---- instructions ----------------------------------------------------------------------------------------

static bool read_phi(Reader *r, IrType shown) {
  if (!is_sign(r, '[')) return true; // in a block without predecessors
  do {
    if (!expect_sign(r, '[') || !add_operand(r, IR_PHI, shown) || !expect_sign(r, ',') || !add_target(r) ||
        !expect_sign(r, ']'))
      return false;
  } while (take_sign(r, ','));
  return true;
}

static bool read_call(Reader *r, IrOp op, IrType shown, const char **name) {
  if (r->token.kind == TOKEN_WORD || r->token.kind == TOKEN_STRING) {
    *name = r->token.text;
    next(r);
  }
  if (!expect_sign(r, '(')) return false;
  if (take_sign(r, ')')) return true;
  do
    if (!add_operand(r, op, shown)) return false;
  while (take_sign(r, ','));
  return expect_sign(r, ')');
}

static bool read_item(Reader *r, IrOp op, IrType shown) {
  int64_t value;
  if (is_ref(r, '^')) {
    if (op == IR_SWITCH && r->targets.count > 0) return fail(r, "expected the value of a case");
    return add_target(r);
  }
  if (op != IR_SWITCH || r->targets.count == 0) return add_operand(r, op, shown);
  if (!expect_int64(r, &value) || !add_target(r)) return false;
  vec_push(r->scratch, &r->case_values, value);
  return true;
}

static bool read_items(Reader *r, IrOp op, IrType shown) {
  bool is_item = r->token.kind == TOKEN_NUMBER || (r->token.kind == TOKEN_REF && r->token.sign != '@') ||
                 is_const_word(r) || is_word(r, "none");
  if (!is_item) return true;
  do
    if (!read_item(r, op, shown)) return false;
  while (take_sign(r, ','));
  return true;
}

static bool take_word_of(Reader *r, const IrWords *words, uint32_t *number) {
  if (r->token.kind != TOKEN_WORD || !ir_words_find(words, r->token.text, number)) return false;
  next(r);
  return true;
}

static bool read_attribute(Reader *r, IrInst *inst) {
  uint32_t number = 0;
  if (is_word(r, "imm") || is_word(r, ir_imm_word((IrOp)inst->op))) {
    next(r);
    return expect_int64(r, &inst->imm);
  }
  if (take_word_of(r, &ir_order_words, &number)) {
    inst->order = (uint8_t)number;
  } else if (take_word_of(r, &ir_scope_words, &number)) {
    inst->scope = (uint8_t)number;
  } else if (take_word(r, "pred")) {
    if (!take_word_of(r, &ir_pred_words, &number)) return fail(r, "unknown predicate");
    inst->pred = (uint8_t)number;
  } else if (take_word(r, "rmw")) {
    if (!take_word_of(r, &ir_rmw_words, &number)) return fail(r, "unknown atomic operation");
    inst->rmw = (uint8_t)number;
  } else if (take_word(r, "name")) {
    return expect_string(r, &inst->name);
  } else {
    return take_loc(r, &inst->loc) || fail(r, "expected an attribute or the end of the line");
  }
  return true;
}

// The word that some operations have directly behind their name.
static bool read_sub_word(Reader *r, IrInst *inst) {
  const IrWords *words = ir_sub_words((IrOp)inst->op);
  uint32_t number = 0;
  if (!words) return true;
  if (!take_word_of(r, words, &number)) return fail(r, "unknown kind of %s", ir_op_name((IrOp)inst->op));
  if (words == &ir_pred_words)
    inst->pred = (uint8_t)number;
  else if (words == &ir_rmw_words)
    inst->rmw = (uint8_t)number;
  else
    inst->imm = number;
  return true;
}

static bool read_head(Reader *r, IrInst *inst, IrType *shown) {
  IrOp op = IR_NONE;
  uint32_t flag;
  if (r->token.kind != TOKEN_WORD || !ir_op_find(r->token.text, &op)) return fail(r, "unknown operation");
  next(r);
  inst->op = (uint8_t)op;
  if (!read_sub_word(r, inst)) return false;
  while (take_word_of(r, &ir_flag_words, &flag))
    inst->flags |= (uint8_t)(1u << flag);
  *shown = ir_type_void();
  return !(is_type(r) || ir_op_has_callee(op)) || expect_type(r, shown);
}

static bool read_rest(Reader *r, IrInst *inst, IrType shown) {
  IrOp op = (IrOp)inst->op;
  bool good = ir_op_has_callee(op) ? read_call(r, op, shown, &inst->name)
              : op == IR_PHI       ? read_phi(r, shown)
                                   : read_items(r, op, shown);
  while (good && !is_line_end(r))
    good = read_attribute(r, inst);
  return good && expect_line_end(r);
}

static bool read_inst(Reader *r) {
  IrInst inst = {0};
  IrType shown;
  const char *at = r->token.at;
  bool has_result = is_ref(r, '%');
  r->ops.count = r->targets.count = r->case_values.count = 0;
  if (has_result) {
    inst.name = r->token.text;
    next(r);
    if (!expect_sign(r, '=')) return false;
  }
  if (!read_head(r, &inst, &shown) || !read_rest(r, &inst, shown)) return false;
  inst.type = ir_result_type((IrOp)inst.op, shown);
  if (has_result && inst.type.kind == IR_VOID) return fail_at(r, at, "this operation has no result");
  inst.op_count = (uint16_t)r->ops.count;
  inst.block_count = (uint16_t)r->targets.count;
  inst.ops = r->ops.items;
  inst.blocks = r->targets.items;
  inst.case_values = r->case_values.items;
  ir_inst_add(r->module, r->function, inst);
  return true;
}

// ---- bodies ----------------------------------------------------------------------------------------------

static void skip_to_line_end(Reader *r) {
  r->at += strcspn(r->at, "\n");
  next(r);
  next_line(r);
}

static bool index_inst(Reader *r) {
  if (r->block_count == 0) return fail(r, "expected a block");
  if (r->inst_count >= max_index) return fail(r, "too many instructions");
  if (is_ref(r, '%')) {
    uint32_t params = r->function->params.count;
    if (r->token.is_position) return fail(r, "a parameter is no result");
    if (r->token.text && !add_name(r, &r->values, r->token.text, params + r->inst_count)) return false;
    if (!r->token.text && r->token.number != r->inst_count)
      return fail(r, "expected number %u here", r->inst_count);
  }
  r->inst_count++;
  skip_to_line_end(r);
  return true;
}

// Gives all names of the body their numbers, so that they may be used before they are defined.
static bool index_body(Reader *r) {
  const char *name;
  while (!is_sign(r, '}')) {
    if (is_ref(r, '^')) {
      if (!expect_definition(r, '^', r->block_count++, &r->blocks, &name)) return false;
      skip_to_line_end(r);
    } else if (r->token.kind == TOKEN_END || !index_inst(r)) {
      return fail(r, "expected '}'");
    }
  }
  return true;
}

static bool read_body(Reader *r, const Body *body) {
  IrFunction *f = r->function = body->function;
  r->values = body->params;
  r->blocks = (IrNames){0};
  r->inst_count = r->block_count = 0;
  go_to(r, body->at, body->line);
  if (!index_body(r)) return false;
  go_to(r, body->at, body->line);
  while (!is_sign(r, '}')) {
    const char *name;
    if (!is_ref(r, '^')) {
      if (!read_inst(r)) return false;
      continue;
    }
    if (!expect_definition(r, '^', f->blocks.count, NULL, &name)) return false;
    if (!expect_sign(r, ':') || !expect_line_end(r)) return false;
    ir_block_add(r->module, f, name);
  }
  return true;
}

// ---- function heads --------------------------------------------------------------------------------------

static bool read_param(Reader *r, IrFunction *f, IrNames *names) {
  IrParam param = {0};
  if (!expect_type(r, &param.type)) return false;
  if (is_ref(r, '%') && !r->token.text && !r->token.is_position) return fail(r, "expected %%# and a number");
  if (!expect_definition(r, '%', f->params.count, names, &param.name)) return false;
  while (r->token.kind == TOKEN_WORD) {
    if (take_word(r, "restrict"))
      param.is_restrict = true;
    else if (take_word(r, "unsigned"))
      param.is_unsigned = true;
    else if (!take_word(r, "byval") || !expect_u32(r, &param.byval_bytes))
      return fail(r, "unknown attribute of a parameter");
  }
  vec_push(r->module->arena, &f->params, param);
  return true;
}

static bool read_params(Reader *r, IrFunction *f, IrNames *names) {
  if (!expect_sign(r, '(')) return false;
  if (take_sign(r, ')')) return true;
  do
    if (!read_param(r, f, names)) return false;
  while (take_sign(r, ','));
  return expect_sign(r, ')');
}

static bool read_function_attributes(Reader *r, IrFunction *f) {
  while (!is_line_end(r) && !is_sign(r, '{')) {
    bool good = true;
    if (take_word(r, "kernel"))
      f->is_kernel = true;
    else if (take_word(r, "external"))
      f->is_external = true;
    else if (take_word(r, "declare"))
      f->is_declaration = true;
    else if (take_word(r, "max_threads"))
      good = expect_u32(r, &f->max_threads);
    else if (take_word(r, "min_blocks"))
      good = expect_u32(r, &f->min_blocks);
    else if (take_word(r, "display"))
      good = expect_string(r, &f->display);
    else
      good = take_loc(r, &f->loc) || fail(r, "unknown attribute of a function");
    if (!good) return false;
  }
  return true;
}

// Leaves the body for later; it ends at a line that starts with '}'.
static bool skip_body(Reader *r, Body body) {
  if (r->token.kind != TOKEN_LINE) return fail(r, "expected the end of the line");
  body.at = r->at + 1;
  body.line = r->line + 1;
  vec_push(r->scratch, &r->bodies, body);
  do {
    r->at += strcspn(r->at, "\n");
    if (*r->at == 0) return fail_at(r, r->at, "the body does not end");
    r->line_start = ++r->at;
    r->line++;
    skip_blanks(r);
  } while (*r->at != '}');
  next(r);
  next(r);
  return expect_line_end(r);
}

static bool read_function(Reader *r) {
  IrType result;
  const char *name;
  Body body = {0};
  uint32_t index = r->module->functions.count;
  if (index >= max_index) return fail(r, "too many functions");
  if (!expect_type(r, &result) || !expect_definition(r, '&', index, &r->functions, &name)) return false;
  body.function = ir_function_add(r->module, name, NULL);
  body.function->result = result;
  if (!read_params(r, body.function, &body.params) || !read_function_attributes(r, body.function))
    return false;
  return take_sign(r, '{') ? skip_body(r, body) : expect_line_end(r);
}

// ---- the rest of a module --------------------------------------------------------------------------------

static bool read_byte_run(Reader *r, uint64_t limit, uint8_t *byte, uint64_t *count) {
  int high = digit_value(r->at[0], 16), low = high < 0 ? -1 : digit_value(r->at[1], 16);
  if (low < 0) return fail_at(r, r->at, "expected two hexadecimal digits or '}'");
  const char *start = r->at;
  *byte = (uint8_t)(high * 16 + low);
  *count = 1;
  r->at += 2;
  if (*r->at == '*') {
    r->at++;
    if (!lex_number(r, count)) return false;
  }
  return *count <= limit || fail_at(r, start, "more initial data than there is room for");
}

// Stands at the '{'. Bytes are read straight from the text, as 0102 would be a number for next().
static bool read_data(Reader *r, IrGlobal *global) {
  VEC(uint8_t) data = {0};
  uint64_t room = max_data_bytes - r->data_bytes;
  if (!is_sign(r, '{')) return fail(r, "expected '{'");
  if (global->bytes > room) return fail(r, "too much initial data");
  for (skip_blanks(r); *r->at != '}'; skip_blanks(r)) {
    uint8_t byte;
    uint64_t count;
    if (!read_byte_run(r, global->bytes - data.count, &byte, &count)) return false;
    for (; count > 0; count--)
      vec_push(r->scratch, &data, byte);
  }
  if (data.count != global->bytes) return fail_at(r, r->at, "less initial data than the size says");
  r->at++;
  next(r);
  r->data_bytes += global->bytes;
  global->data = arena_copy(r->module->arena, data.count ? data.items : (const uint8_t *)"", data.count);
  return true;
}

static bool read_global_attribute(Reader *r, IrGlobal *global) {
  if (take_word(r, "const"))
    global->is_constant = true;
  else if (take_word(r, "dynamic"))
    global->is_dynamic_shared = true;
  else if (take_word(r, "external"))
    global->is_external = true;
  else if (take_word(r, "size"))
    return expect_number(r, INT64_MAX, &global->bytes);
  else if (take_word(r, "align"))
    return expect_u32(r, &global->align);
  else if (take_word(r, "display"))
    return expect_string(r, &global->display);
  else
    return take_loc(r, &global->loc) || fail(r, "unknown attribute of a global");
  return true;
}

static bool read_global(Reader *r) {
  IrGlobal global = {0};
  uint32_t space, index = r->module->globals.count;
  if (index >= max_index) return fail(r, "too many globals");
  if (!expect_definition(r, '$', index, &r->globals, &global.name)) return false;
  if (!take_word_of(r, &ir_space_words, &space)) return fail(r, "expected an address space");
  global.space = (uint8_t)space;
  global.display = global.name;
  while (!is_line_end(r) && !is_sign(r, '='))
    if (!read_global_attribute(r, &global)) return false;
  if (take_sign(r, '=') && !read_data(r, &global)) return false;
  vec_push(r->module->arena, &r->module->globals, global);
  return expect_line_end(r);
}

static bool read_place(Reader *r, SrcLoc *loc) {
  loc->function = str_intern(r->module->strings, "");
  if (!expect_string_or_none(r, &loc->file) || !expect_sign(r, ':') || !expect_u32(r, &loc->line) ||
      !expect_sign(r, ':') || !expect_u32(r, &loc->column))
    return false;
  return !take_word(r, "in") || expect_string(r, &loc->function);
}

static bool read_loc(Reader *r) {
  SrcLoc loc = {0};
  const SrcLoc **tail = &loc.inlined_at;
  if (!is_ref(r, '@') || r->token.text || r->token.number != r->module->locs.count)
    return fail(r, "expected @%u", r->module->locs.count);
  next(r);
  if (!read_place(r, &loc)) return false;
  while (take_word(r, "at")) {
    SrcLoc *outer = arena_new(r->module->arena, SrcLoc);
    if (!read_place(r, outer)) return false;
    *tail = outer;
    tail = &outer->inlined_at;
  }
  vec_push(r->module->arena, &r->module->locs, loc);
  return expect_line_end(r);
}

static bool read_module_line(Reader *r) {
  IrModule *module = r->module;
  if (!take_word(r, "module")) return fail(r, "expected 'module'");
  module->is_device = take_word(r, "device");
  if (!module->is_device && !take_word(r, "host")) return fail(r, "expected 'device' or 'host'");
  if (!expect_string_or_none(r, &module->source)) return false;
  if (take_word(r, "arch") && !expect_u32(r, &module->arch)) return false;
  return expect_line_end(r);
}

static bool read_module(Reader *r) {
  if (!read_module_line(r)) return false;
  while (r->token.kind != TOKEN_END) {
    bool good = take_word(r, "loc")      ? read_loc(r)
                : take_word(r, "global") ? read_global(r)
                : take_word(r, "func")   ? read_function(r)
                                         : fail(r, "expected 'loc', 'global' or 'func'");
    if (!good) return false;
  }
  for (uint32_t i = 0; i < r->bodies.count; i++)
    if (!read_body(r, &r->bodies.items[i])) return false;
  return !r->has_failed;
}

IrModule *ir_read(Arena *arena, StrTable *strings, const char *file_name, const char *text, DiagSink *sink) {
  Reader r = {.scratch = arena_open(), .sink = sink, .file_name = file_name};
  r.module = ir_module_make(arena, strings, NULL, false);
  go_to(&r, text, 1);
  bool good = read_module(&r);
  arena_close(r.scratch);
  return good ? r.module : NULL;
}
