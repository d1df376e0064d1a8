// Shared by ir_read.c (a module in text) and ir_read_body.c (the body of a function). What these return is false after a
// mistake, which has been told.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CORE_IR_READ_H
#define HGRD_CORE_IR_READ_H

#include "core/ir_lex.h"
#include "core/ir_text.h"

typedef struct Body {
  IrFunction *function;
  IrNames params;
  const char *at; // the first line of the body
  uint32_t line;
} Body;

typedef struct Reader {
  Lexer lex;
  IrModule *module;
  Arena *scratch;
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

enum { MAX_INDEX = (1 << 28) - 1 };
#define fail(r, ...) lex_fail_here(&(r)->lex, __VA_ARGS__)

// ---- ir_read.c
bool read_is_type(const Reader *r);
bool read_type(Reader *r, IrType *type);
bool read_add_name(Reader *r, IrNames *names, const char *name, uint32_t number);
// Where something is defined as number `count` of its kind: by name, or by number and perhaps a name in
// quotes. `names` learns the name; NULL: it has done so before.
bool read_definition(Reader *r, char sigil, uint32_t count, IrNames *names, const char **name);
// What the reference at hand stands for, in a table of `count`.
bool read_resolve(Reader *r, const IrNames *names, uint32_t count, uint32_t *number);
bool read_take_loc(Reader *r, uint32_t *loc);
// ---- ir_read_body.c
bool read_body(Reader *r, const Body *body);
bool read_take_word(Reader *r, const IrWords *words, uint32_t *number); // one of these words; false: another

#endif
