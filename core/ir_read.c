// Which module does this text stand for? The inverse of ir_print.c, also for text written by hand.
// Method: one line, one thing. First pass over the file: places, globals, function heads (so that bodies may
// refer to any function); then for each body one pass that gives every name its index and one that builds.
// Recursive descent with one token of look-ahead; the first mistake is reported with its line and column and
// ends the reading.
// Invariant: every index, count and size is checked here, since the text may be hostile; memory is linear in
// the length of the text, but for runs in initial data, whose sum is bounded. Whether the module is sound is
// asked of ir_verify, not here.
// Soundness: no bearing on verdicts; a module is given back whole or not at all.
// SPDX-License-Identifier: Apache-2.0
#include "core/ir_read.h"
#include "core/bug.h"

#include <inttypes.h>
#include <string.h>

static const uint64_t max_data_bytes = UINT64_C(64) << 20;

// ---- types

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

bool read_is_type(const Reader *r) {
  IrType type;
  return r->lex.token.kind == TOKEN_WORD && find_word_type(r->lex.token.text, &type);
}

bool read_type(Reader *r, IrType *type) {
  if (r->lex.token.kind != TOKEN_WORD || !find_word_type(r->lex.token.text, type))
    return fail(r, "expected a type");
  lex_next(&r->lex);
  if (type->kind != IR_BYTES) return true;
  return lex_expect_sign(&r->lex, '[') && lex_expect_u32(&r->lex, &type->bytes) &&
         lex_expect_sign(&r->lex, ']');
}

// ---- names

bool read_add_name(Reader *r, IrNames *names, const char *name, uint32_t number) {
  uint32_t other;
  if (ir_names_find(names, name, &other)) return fail(r, "'%s' is defined twice", name);
  ir_names_add(names, r->scratch, name, number);
  return true;
}

// Where something is defined as number `count` of its kind: by name, or by number and perhaps a name in
// quotes. `names` learns the name; NULL: it has done so before.
bool read_definition(Reader *r, char sigil, uint32_t count, IrNames *names, const char **name) {
  if (!lex_is_ref(&r->lex, sigil)) return fail(r, "expected '%c' and a name", sigil);
  *name = r->lex.token.text;
  if (*name) {
    if (names && !read_add_name(r, names, *name, count)) return false;
    lex_next(&r->lex);
    return true;
  }
  if (r->lex.token.number != count) return fail(r, "expected number %u here", count);
  lex_next(&r->lex);
  if (r->lex.token.kind != TOKEN_STRING) return true;
  return lex_expect_string(&r->lex, name);
}

// What the reference at hand stands for, in a table of `count`.
bool read_resolve(Reader *r, const IrNames *names, uint32_t count, uint32_t *number) {
  if (r->lex.token.text) {
    if (!ir_names_find(names, r->lex.token.text, number))
      return fail(r, "'%s' is not defined", r->lex.token.text);
  } else {
    if (r->lex.token.number >= count)
      return fail(r, "there is no number %" PRIu64 " here", r->lex.token.number);
    *number = (uint32_t)r->lex.token.number;
  }
  lex_next(&r->lex);
  return true;
}

bool read_take_loc(Reader *r, uint32_t *loc) {
  if (!lex_is_ref(&r->lex, '@')) return false;
  if (r->lex.token.text || r->lex.token.number >= r->module->locs.count)
    return fail(r, "there is no such place");
  *loc = (uint32_t)r->lex.token.number;
  lex_next(&r->lex);
  return true;
}

// ---- function heads

static bool read_param(Reader *r, IrFunction *f, IrNames *names) {
  IrParam param = {0};
  if (!read_type(r, &param.type)) return false;
  if (lex_is_ref(&r->lex, '%') && !r->lex.token.text && !r->lex.token.is_position)
    return fail(r, "expected %%# and a number");
  if (!read_definition(r, '%', f->params.count, names, &param.name)) return false;
  while (r->lex.token.kind == TOKEN_WORD) {
    if (lex_take_word(&r->lex, "restrict"))
      param.is_restrict = true;
    else if (lex_take_word(&r->lex, "result"))
      param.is_result = true;
    else if (lex_take_word(&r->lex, "unsigned"))
      param.is_unsigned = true;
    else if (lex_take_word(&r->lex, "low") || lex_take_word(&r->lex, "high")) {
      if (!lex_expect_string(&r->lex, &param.halves[param.halves[0] ? 1 : 0])) return false;
    } else if (!lex_take_word(&r->lex, "byval") || !lex_expect_u32(&r->lex, &param.byval_bytes))
      return fail(r, "unknown attribute of a parameter");
  }
  vec_push(r->module->arena, &f->params, param);
  return true;
}

static bool read_params(Reader *r, IrFunction *f, IrNames *names) {
  if (!lex_expect_sign(&r->lex, '(')) return false;
  if (lex_take_sign(&r->lex, ')')) return true;
  do
    if (!read_param(r, f, names)) return false;
  while (lex_take_sign(&r->lex, ','));
  return lex_expect_sign(&r->lex, ')');
}

static bool read_folded_launch(Reader *r, IrFunction *f) {
  uint32_t loc = 0;
  if (!read_take_loc(r, &loc)) return fail(r, "expected a place");
  vec_push(r->module->arena, &f->folded_launches, loc);
  return true;
}

static bool read_function_attributes(Reader *r, IrFunction *f) {
  while (!lex_is_line_end(&r->lex) && !lex_is_sign(&r->lex, '{')) {
    bool good = true;
    if (lex_take_word(&r->lex, "kernel"))
      f->is_kernel = true;
    else if (lex_take_word(&r->lex, "of_library"))
      f->is_of_library = true;
    else if (lex_take_word(&r->lex, "of_program"))
      f->is_of_program = true;
    else if (lex_take_word(&r->lex, "device_launched"))
      f->is_launched_by_device = true;
    else if (lex_take_word(&r->lex, "external"))
      f->is_external = true;
    else if (lex_take_word(&r->lex, "data"))
      f->is_in_data = true;
    else if (lex_take_word(&r->lex, "folded_launch"))
      good = read_folded_launch(r, f);
    else if (lex_take_word(&r->lex, "declare"))
      f->is_declaration = true;
    else if (lex_take_word(&r->lex, "takes_const"))
      f->takes_const = true;
    else if (lex_take_word(&r->lex, "returns_twice"))
      f->returns_twice = true;
    else if (lex_take_word(&r->lex, "max_threads"))
      good = lex_expect_u32(&r->lex, &f->max_threads);
    else if (lex_take_word(&r->lex, "min_blocks"))
      good = lex_expect_u32(&r->lex, &f->min_blocks);
    else if (lex_take_word(&r->lex, "cluster"))
      good = lex_expect_u32(&r->lex, &f->cluster[0]) && lex_expect_u32(&r->lex, &f->cluster[1]) &&
             lex_expect_u32(&r->lex, &f->cluster[2]);
    else if (lex_take_word(&r->lex, "display"))
      good = lex_expect_string(&r->lex, &f->display);
    else
      good = read_take_loc(r, &f->loc) || fail(r, "unknown attribute of a function");
    if (!good) return false;
  }
  return true;
}

// Leaves the body for later; it ends at a line that starts with '}'.
static bool skip_body(Reader *r, Body body) {
  if (r->lex.token.kind != TOKEN_LINE) return fail(r, "expected the end of the line");
  body.at = r->lex.at + 1;
  body.line = r->lex.line + 1;
  vec_push(r->scratch, &r->bodies, body);
  do {
    r->lex.at += strcspn(r->lex.at, "\n");
    if (*r->lex.at == 0) return lex_fail_at(&r->lex, r->lex.at, "the body does not end");
    r->lex.line_start = ++r->lex.at;
    r->lex.line++;
    lex_skip_blanks(&r->lex);
  } while (*r->lex.at != '}');
  lex_next(&r->lex);
  lex_next(&r->lex);
  return lex_expect_line_end(&r->lex);
}

static bool read_function(Reader *r) {
  IrType result;
  const char *name;
  Body body = {0};
  uint32_t index = r->module->functions.count;
  if (index >= MAX_INDEX) return fail(r, "too many functions");
  if (!read_type(r, &result) || !read_definition(r, '&', index, &r->functions, &name)) return false;
  body.function = ir_function_add(r->module, name, NULL);
  body.function->result = result;
  if (!read_params(r, body.function, &body.params) || !read_function_attributes(r, body.function))
    return false;
  return lex_take_sign(&r->lex, '{') ? skip_body(r, body) : lex_expect_line_end(&r->lex);
}

// ---- the rest of a module

static bool read_byte_run(Reader *r, uint64_t limit, uint8_t *byte, uint64_t *count) {
  int high = lex_digit_value(r->lex.at[0], 16), low = high < 0 ? -1 : lex_digit_value(r->lex.at[1], 16);
  if (low < 0) return lex_fail_at(&r->lex, r->lex.at, "expected two hexadecimal digits or '}'");
  const char *start = r->lex.at;
  *byte = (uint8_t)(high * 16 + low);
  *count = 1;
  r->lex.at += 2;
  if (*r->lex.at == '*') {
    r->lex.at++;
    if (!lex_number(&r->lex, count)) return false;
  }
  return *count <= limit || lex_fail_at(&r->lex, start, "more initial data than there is room for");
}

// Stands at the '{'. Bytes are read straight from the text, as 0102 would be a number for next().
static bool read_data(Reader *r, IrGlobal *global) {
  VEC(uint8_t) data = {0};
  uint64_t room = max_data_bytes - r->data_bytes;
  if (!lex_is_sign(&r->lex, '{')) return fail(r, "expected '{'");
  if (global->bytes > room) return fail(r, "too much initial data");
  for (lex_skip_blanks(&r->lex); *r->lex.at != '}'; lex_skip_blanks(&r->lex)) {
    uint8_t byte = 0;
    uint64_t count = 0;
    if (!read_byte_run(r, global->bytes - data.count, &byte, &count)) return false;
    for (; count > 0; count--)
      vec_push(r->scratch, &data, byte);
  }
  if (data.count != global->bytes)
    return lex_fail_at(&r->lex, r->lex.at, "less initial data than the size says");
  r->lex.at++;
  lex_next(&r->lex);
  r->data_bytes += global->bytes;
  global->data = arena_copy(r->module->arena, data.count ? data.items : (const uint8_t *)"", data.count);
  return true;
}

static bool read_global_attribute(Reader *r, IrGlobal *global) {
  if (lex_take_word(&r->lex, "const"))
    global->is_constant = true;
  else if (lex_take_word(&r->lex, "dynamic"))
    global->is_dynamic_shared = true;
  else if (lex_take_word(&r->lex, "external"))
    global->is_external = true;
  else if (lex_take_word(&r->lex, "static"))
    global->is_static = true;
  else if (lex_take_word(&r->lex, "managed"))
    global->is_managed = true;
  else if (lex_take_word(&r->lex, "size"))
    return lex_expect_number(&r->lex, INT64_MAX, &global->bytes);
  else if (lex_take_word(&r->lex, "align"))
    return lex_expect_u32(&r->lex, &global->align);
  else if (lex_take_word(&r->lex, "display"))
    return lex_expect_string(&r->lex, &global->display);
  else if (lex_take_word(&r->lex, "of"))
    return lex_expect_string(&r->lex, &global->owner) &&
           lex_expect_number(&r->lex, INT64_MAX, &global->owner_bytes);
  else
    return read_take_loc(r, &global->loc) || fail(r, "unknown attribute of a global");
  return true;
}

static bool read_global(Reader *r) {
  IrGlobal global = {0};
  uint32_t space, index = r->module->globals.count;
  if (index >= MAX_INDEX) return fail(r, "too many globals");
  if (!read_definition(r, '$', index, &r->globals, &global.name)) return false;
  if (!read_take_word(r, &ir_space_words, &space)) return fail(r, "expected an address space");
  global.space = (uint8_t)space;
  global.display = global.name;
  while (!lex_is_line_end(&r->lex) && !lex_is_sign(&r->lex, '='))
    if (!read_global_attribute(r, &global)) return false;
  if (lex_take_sign(&r->lex, '=') && !read_data(r, &global)) return false;
  vec_push(r->module->arena, &r->module->globals, global);
  return lex_expect_line_end(&r->lex);
}

static bool read_place(Reader *r, SrcLoc *loc) {
  loc->function = str_intern(r->module->strings, "");
  if (!lex_expect_string_or_none(&r->lex, &loc->file) || !lex_expect_sign(&r->lex, ':') ||
      !lex_expect_u32(&r->lex, &loc->line) || !lex_expect_sign(&r->lex, ':') ||
      !lex_expect_u32(&r->lex, &loc->column))
    return false;
  return !lex_take_word(&r->lex, "in") || lex_expect_string(&r->lex, &loc->function);
}

static bool read_loc(Reader *r) {
  SrcLoc loc = {0};
  const SrcLoc **tail = &loc.inlined_at;
  if (!lex_is_ref(&r->lex, '@') || r->lex.token.text || r->lex.token.number != r->module->locs.count)
    return fail(r, "expected @%u", r->module->locs.count);
  lex_next(&r->lex);
  if (!read_place(r, &loc)) return false;
  while (lex_take_word(&r->lex, "at")) {
    SrcLoc *outer = arena_new(r->module->arena, SrcLoc);
    if (!read_place(r, outer)) return false;
    *tail = outer;
    tail = &outer->inlined_at;
  }
  vec_push(r->module->arena, &r->module->locs, loc);
  return lex_expect_line_end(&r->lex);
}

// A pointer in initial data: "address $table 8 = &function".
static bool read_address(Reader *r) {
  IrModule *module = r->module;
  IrAddress address = {0};
  uint32_t global = 0, target = 0;
  if (!lex_is_ref(&r->lex, '$')) return fail(r, "expected '$' and a name");
  if (!read_resolve(r, &r->globals, module->globals.count, &global)) return false;
  IrGlobal *holder = &module->globals.items[global];
  uint64_t least = holder->addresses.count ? vec_last(&holder->addresses).at + 8 : 0;
  if (!lex_expect_number(&r->lex, INT64_MAX, &address.at) || !lex_expect_sign(&r->lex, '=')) return false;
  if (!holder->data || address.at < least || holder->bytes < 8 || address.at > holder->bytes - 8)
    return fail(r, "the global has no room for an address there");
  bool is_function = lex_is_ref(&r->lex, '&');
  if (!is_function && !lex_is_ref(&r->lex, '$')) return fail(r, "expected a global or a function");
  bool good = is_function ? read_resolve(r, &r->functions, module->functions.count, &target)
                          : read_resolve(r, &r->globals, module->globals.count, &target);
  if (!good) return false;
  address.target = IR_REF(is_function ? IR_REF_FUNC : IR_REF_GLOBAL, target);
  if (!lex_is_line_end(&r->lex) && !lex_expect_int64(&r->lex, &address.offset)) return false;
  vec_push(module->arena, &holder->addresses, address);
  return lex_expect_line_end(&r->lex);
}

static bool read_class(Reader *r) {
  IrModule *module = r->module;
  IrClass class = {0};
  if (!lex_expect_string(&r->lex, &class.name)) return false;
  if (module->classes.count && strcmp(vec_last(&module->classes).name, class.name) >= 0)
    return fail(r, "classes come in order, each once");
  if (lex_take_word(&r->lex, "unseen")) {
    class.constructs = lex_take_word(&r->lex, "constructor");
    if (!lex_expect_string(&r->lex, &class.unseen)) return false;
  }
  while (lex_take_word(&r->lex, "hidden")) {
    IrHidden hidden = {0};
    if (!lex_expect_number(&r->lex, INT64_MAX, &hidden.at)) return false;
    if (!lex_expect_number(&r->lex, INT64_MAX, &hidden.bytes)) return false;
    const IrHidden *last = class.hidden.count ? &vec_last(&class.hidden) : NULL;
    if (last && (last->at > hidden.at || (last->at == hidden.at && last->bytes >= hidden.bytes)))
      return fail(r, "hidden members come in order");
    vec_push(module->arena, &class.hidden, hidden);
  }
  vec_push(module->arena, &module->classes, class);
  return lex_expect_line_end(&r->lex);
}

static bool read_module_line(Reader *r) {
  IrModule *module = r->module;
  if (!lex_take_word(&r->lex, "module")) return fail(r, "expected 'module'");
  module->is_device = lex_take_word(&r->lex, "device");
  if (!module->is_device && !lex_take_word(&r->lex, "host")) return fail(r, "expected 'device' or 'host'");
  if (!lex_expect_string_or_none(&r->lex, &module->source)) return false;
  if (lex_take_word(&r->lex, "arch") && !lex_expect_u32(&r->lex, &module->arch)) return false;
  return lex_expect_line_end(&r->lex);
}

static bool read_module(Reader *r) {
  if (!read_module_line(r)) return false;
  while (r->lex.token.kind != TOKEN_END) {
    bool good = lex_take_word(&r->lex, "loc")      ? read_loc(r)
                : lex_take_word(&r->lex, "global") ? read_global(r)
                : lex_take_word(&r->lex, "func")   ? read_function(r)
                : lex_take_word(&r->lex, "class")  ? read_class(r)
                : lex_take_word(&r->lex, "address")
                    ? read_address(r)
                    : fail(r, "expected 'loc', 'global', 'func', 'class' or 'address'");
    if (!good) return false;
  }
  for (uint32_t i = 0; i < r->bodies.count; i++)
    if (!read_body(r, &r->bodies.items[i])) return false;
  return !r->lex.has_failed;
}

IrModule *ir_read(Arena *arena, StrTable *strings, const char *file_name, const char *text, DiagSink *sink) {
  ASSERT(file_name);
  ASSERT(text);
  Arena *scratch = arena_open();
  Lexer lexer = {.strings = strings, .scratch = scratch, .sink = sink, .file_name = file_name};
  Reader r = {.lex = lexer, .scratch = scratch};
  r.module = ir_module_make(arena, strings, NULL, false);
  lex_go_to(&r.lex, text, 1);
  bool good = read_module(&r);
  arena_close(scratch);
  return good ? r.module : NULL;
}
