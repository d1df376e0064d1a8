// What the printer and the reader of the IR's text form share: the words, which parts of an instruction stand
// where, and names. For core/ir_print.c, core/ir_read.c and core/ir_verify.c only.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CORE_IR_TEXT_H
#define HGRD_CORE_IR_TEXT_H

#include "core/ir.h"
#include "core/table.h"

// A list of words for a small enumeration; NULL where a number has none.
typedef struct IrWords {
  const char *const *words;
  uint32_t count;
} IrWords;

extern const IrWords ir_pred_words, ir_rmw_words, ir_order_words, ir_scope_words, ir_sreg_words;
extern const IrWords ir_barrier_words, ir_mbarrier_words, ir_pipeline_words, ir_space_words;
extern const IrWords ir_flag_words; // word i is the flag 1 << i

const char *ir_words_get(const IrWords *words, uint64_t number); // NULL if there is none
bool ir_words_find(const IrWords *words, const char *text, uint32_t *number);
bool ir_op_find(const char *text, IrOp *op);

// Which word of the operation stands directly behind its name ("icmp slt", "sreg tid.x"); NULL for most.
const IrWords *ir_sub_words(IrOp op);
bool ir_imm_is_sub_word(IrOp op); // sreg and barrier keep their word in imm
bool ir_op_has_callee(IrOp op);   // `name` is what is called, asked or done, and not the name of the result

// Each instruction shows one type. Which one it is, and what follows from it for the result and for
// constants.
typedef enum IrShownType {
  IR_SHOWS_RESULT,
  IR_SHOWS_FIRST, // of operand 0: compares, switch, ret
  IR_SHOWS_SECOND // of operand 1: store
} IrShownType;
IrShownType ir_shown_type(IrOp op);
IrType ir_result_type(IrOp op, IrType shown);
// A constant of this type at this place needs no type of its own; VOID: it always does.
IrType ir_operand_type(IrOp op, IrType shown, uint32_t place);

void ir_type_print(StrBuf *out, IrType type);
void ir_string_print(StrBuf *out, const char *text); // quoted, with escapes

// ---- names

// A name that can stand behind a sigil: a letter or _, then letters, digits and _ . $ -
bool ir_name_is_plain(const char *name);
bool ir_name_char(char c, bool is_first);

// Which names are taken, by text. A name that was added twice belongs to nobody.
typedef struct IrNameUse {
  const char *name;
  uint32_t number;
} IrNameUse;
typedef struct IrNames {
  Table table; // index into names + 1
  VEC(struct IrNameUse) names;
} IrNames;

#define IR_NAME_TWICE UINT32_MAX
void ir_names_add(IrNames *names, Arena *arena, const char *name, uint32_t number);
bool ir_names_find(const IrNames *names, const char *name, uint32_t *number); // also IR_NAME_TWICE
bool ir_names_is_unique(const IrNames *names, const char *name);              // plain, and added exactly once

#endif
