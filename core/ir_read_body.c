// What stands in the body of a function, in text? Names get their indices in a first pass, so that operands may refer
// to what comes later; a second pass builds. Method and invariant: as ir_read.c, which reads the rest of a module.
// Soundness: no bearing on verdicts.
// SPDX-License-Identifier: Apache-2.0
#include "core/ir_read.h"
#include "core/bug.h"

#include <inttypes.h>
#include <string.h>

enum { MAX_OPERANDS = UINT16_MAX };

// ---- operands

static bool const_fits(const Token *number, IrType type) {
  if (type.kind == IR_PTR || type.kind == IR_BYTES) return true;
  if (number->is_negative) return type.kind == IR_INT && number->number <= UINT64_C(1) << (type.bits - 1);
  return type.bits == 64 || number->number < UINT64_C(1) << type.bits;
}

// A type behind a colon, or the one that is expected here.
static bool take_const_type(Reader *r, IrType expected, IrType *type) {
  *type = expected;
  return !lex_take_sign(&r->lex, ':') || read_type(r, type);
}

static bool read_number(Reader *r, IrType expected, IrRef *ref) {
  Token number = r->lex.token;
  IrType type;
  int64_t bits;
  if (!lex_expect_int64(&r->lex, &bits) || !take_const_type(r, expected, &type)) return false;
  if (type.kind == IR_VOID) return lex_fail_at(&r->lex, number.at, "the constant needs a type");
  if (!const_fits(&number, type))
    return lex_fail_at(&r->lex, number.at, "the constant does not fit its type");
  *ref = ir_const_typed(r->module, r->function, type, bits, false);
  return true;
}

static bool is_const_word(const Reader *r) {
  return lex_is_word(&r->lex, "true") || lex_is_word(&r->lex, "false") || lex_is_word(&r->lex, "undef") ||
         lex_is_word(&r->lex, "null") || lex_is_word(&r->lex, "zero");
}

static bool read_const_word(Reader *r, IrType expected, IrRef *ref) {
  const char *at = r->lex.token.at;
  bool is_true = lex_is_word(&r->lex, "true"), is_truth = is_true || lex_is_word(&r->lex, "false");
  bool is_undef = lex_is_word(&r->lex, "undef");
  IrTypeKind kind = lex_is_word(&r->lex, "null") ? IR_PTR : lex_is_word(&r->lex, "zero") ? IR_BYTES : IR_VOID;
  IrType type;
  lex_next(&r->lex);
  if (!take_const_type(r, is_truth ? ir_type_int(1) : expected, &type)) return false;
  bool good = is_truth ? type.kind == IR_INT : is_undef ? type.kind != IR_VOID : type.kind == (uint8_t)kind;
  if (!good) return lex_fail_at(&r->lex, at, "the constant needs another type");
  *ref = ir_const_typed(r->module, r->function, type, is_true, is_undef);
  return true;
}

static bool read_value_ref(Reader *r, IrRef *ref) {
  uint32_t number, params = r->function->params.count;
  bool is_param = r->lex.token.is_position;
  bool is_named = r->lex.token.text != NULL;
  if (!read_resolve(r, &r->values, is_param ? params : r->inst_count, &number)) return false;
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
  if (r->lex.token.kind == TOKEN_NUMBER) return read_number(r, expected, ref);
  if (is_const_word(r)) return read_const_word(r, expected, ref);
  if (lex_is_ref(&r->lex, '%')) return read_value_ref(r, ref);
  if (lex_is_ref(&r->lex, '$')) {
    if (!read_resolve(r, &r->globals, r->module->globals.count, &number)) return false;
    *ref = IR_REF(IR_REF_GLOBAL, number);
    return true;
  }
  if (lex_is_ref(&r->lex, '&')) {
    if (!read_resolve(r, &r->functions, r->module->functions.count, &number)) return false;
    *ref = IR_REF(IR_REF_FUNC, number);
    return true;
  }
  return lex_take_word(&r->lex, "none") || fail(r, "expected an operand");
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
  if (!lex_is_ref(&r->lex, '^')) return fail(r, "expected a block");
  if (!read_resolve(r, &r->blocks, r->block_count, &block)) return false;
  vec_push(r->scratch, &r->targets, block);
  return true;
}

// ---- instructions

static bool read_phi(Reader *r, IrType shown) {
  if (!lex_is_sign(&r->lex, '[')) return true; // in a block without predecessors
  do {
    if (!lex_expect_sign(&r->lex, '[') || !add_operand(r, IR_PHI, shown) || !lex_expect_sign(&r->lex, ',') ||
        !add_target(r) || !lex_expect_sign(&r->lex, ']'))
      return false;
  } while (lex_take_sign(&r->lex, ','));
  return true;
}

static bool read_call(Reader *r, IrOp op, IrType shown, const char **name) {
  if (r->lex.token.kind == TOKEN_WORD || r->lex.token.kind == TOKEN_STRING) {
    *name = r->lex.token.text;
    lex_next(&r->lex);
  }
  if (!lex_expect_sign(&r->lex, '(')) return false;
  if (lex_take_sign(&r->lex, ')')) return true;
  do
    if (!add_operand(r, op, shown)) return false;
  while (lex_take_sign(&r->lex, ','));
  return lex_expect_sign(&r->lex, ')');
}

static bool read_item(Reader *r, IrOp op, IrType shown) {
  int64_t value;
  if (lex_is_ref(&r->lex, '^')) {
    if (op == IR_SWITCH && r->targets.count > 0) return fail(r, "expected the value of a case");
    return add_target(r);
  }
  if (op != IR_SWITCH || r->targets.count == 0) return add_operand(r, op, shown);
  if (!lex_expect_int64(&r->lex, &value) || !add_target(r)) return false;
  vec_push(r->scratch, &r->case_values, value);
  return true;
}

static bool read_items(Reader *r, IrOp op, IrType shown) {
  bool is_item = r->lex.token.kind == TOKEN_NUMBER ||
                 (r->lex.token.kind == TOKEN_REF && r->lex.token.sign != '@') || is_const_word(r) ||
                 lex_is_word(&r->lex, "none");
  if (!is_item) return true;
  do
    if (!read_item(r, op, shown)) return false;
  while (lex_take_sign(&r->lex, ','));
  return true;
}

bool read_take_word(Reader *r, const IrWords *words, uint32_t *number) {
  if (r->lex.token.kind != TOKEN_WORD || !ir_words_find(words, r->lex.token.text, number)) return false;
  lex_next(&r->lex);
  return true;
}

static bool read_attribute(Reader *r, IrInst *inst) {
  uint32_t number = 0;
  if (lex_is_word(&r->lex, "imm") || lex_is_word(&r->lex, ir_op_info((IrOp)inst->op)->imm_word)) {
    lex_next(&r->lex);
    return lex_expect_int64(&r->lex, &inst->imm);
  }
  if (read_take_word(r, &ir_order_words, &number)) {
    inst->order = (uint8_t)number;
  } else if (read_take_word(r, &ir_scope_words, &number)) {
    inst->scope = (uint8_t)number;
  } else if (lex_take_word(&r->lex, "pred")) {
    if (!read_take_word(r, &ir_pred_words, &number)) return fail(r, "unknown predicate");
    inst->pred = (uint8_t)number;
  } else if (lex_take_word(&r->lex, "rmw")) {
    if (!read_take_word(r, &ir_rmw_words, &number)) return fail(r, "unknown atomic operation");
    inst->rmw = (uint8_t)number;
  } else if (lex_take_word(&r->lex, "place")) {
    return lex_expect_string(&r->lex, &inst->place);
  } else if (lex_take_word(&r->lex, "name")) {
    return lex_expect_string(&r->lex, &inst->name);
  } else if (lex_take_word(&r->lex, "of")) {
    return lex_expect_string(&r->lex, &inst->owner);
  } else if (lex_take_word(&r->lex, "member")) {
    if (!lex_expect_u32(&r->lex, &number) || number > UINT8_MAX) return fail(r, "expected a small number");
    inst->member = (uint8_t)number;
  } else {
    return read_take_loc(r, &inst->loc) || fail(r, "expected an attribute or the end of the line");
  }
  return true;
}

// The word that some operations have directly behind their name.
static bool read_sub_word(Reader *r, IrInst *inst) {
  const IrWords *words = ir_sub_words((IrOp)inst->op);
  uint32_t number = 0;
  if (!words) return true;
  if (!read_take_word(r, words, &number)) return fail(r, "unknown kind of %s", ir_op_name((IrOp)inst->op));
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
  if (r->lex.token.kind != TOKEN_WORD || !ir_op_find(r->lex.token.text, &op))
    return fail(r, "unknown operation");
  lex_next(&r->lex);
  inst->op = (uint8_t)op;
  if (!read_sub_word(r, inst)) return false;
  while (read_take_word(r, &ir_flag_words, &flag))
    inst->flags |= (uint16_t)(1u << flag);
  *shown = ir_type_void();
  return !(read_is_type(r) || ir_op_has_callee(op)) || read_type(r, shown);
}

static bool read_rest(Reader *r, IrInst *inst, IrType shown) {
  IrOp op = (IrOp)inst->op;
  bool good = ir_op_has_callee(op) ? read_call(r, op, shown, &inst->name)
              : op == IR_PHI       ? read_phi(r, shown)
                                   : read_items(r, op, shown);
  while (good && !lex_is_line_end(&r->lex))
    good = read_attribute(r, inst);
  return good && lex_expect_line_end(&r->lex);
}

static bool read_inst(Reader *r) {
  IrInst inst = {0};
  IrType shown;
  const char *at = r->lex.token.at;
  bool has_result = lex_is_ref(&r->lex, '%');
  r->ops.count = r->targets.count = r->case_values.count = 0;
  if (has_result) {
    inst.name = r->lex.token.text;
    lex_next(&r->lex);
    if (!lex_expect_sign(&r->lex, '=')) return false;
  }
  if (!read_head(r, &inst, &shown)) return false;
  inst.type = ir_result_type((IrOp)inst.op, shown);
  if (ir_op_has_callee((IrOp)inst.op))
    inst.name = NULL; // read_call says; the result's name serves the text alone
  if (has_result && inst.type.kind == IR_VOID)
    return lex_fail_at(&r->lex, at, "this operation has no result");
  if (!read_rest(r, &inst, shown)) return false;
  inst.op_count = (uint16_t)r->ops.count;
  inst.block_count = (uint16_t)r->targets.count;
  inst.ops = r->ops.items;
  inst.blocks = r->targets.items;
  inst.case_values = r->case_values.items;
  ir_inst_add(r->module, r->function, inst);
  return true;
}

// ---- bodies

static void skip_to_line_end(Reader *r) {
  r->lex.at += strcspn(r->lex.at, "\n");
  lex_next(&r->lex);
  lex_next_line(&r->lex);
}

static bool index_inst(Reader *r) {
  if (r->block_count == 0) return fail(r, "expected a block");
  if (r->inst_count >= MAX_INDEX) return fail(r, "too many instructions");
  if (lex_is_ref(&r->lex, '%')) {
    uint32_t params = r->function->params.count;
    if (r->lex.token.is_position) return fail(r, "a parameter is no result");
    if (r->lex.token.text && !read_add_name(r, &r->values, r->lex.token.text, params + r->inst_count))
      return false;
    if (!r->lex.token.text && r->lex.token.number != r->inst_count)
      return fail(r, "expected number %u here", r->inst_count);
  }
  r->inst_count++;
  skip_to_line_end(r);
  return true;
}

// Gives all names of the body their numbers, so that they may be used before they are defined.
static bool index_body(Reader *r) {
  const char *name;
  while (!lex_is_sign(&r->lex, '}')) {
    if (lex_is_ref(&r->lex, '^')) {
      if (!read_definition(r, '^', r->block_count++, &r->blocks, &name)) return false;
      skip_to_line_end(r);
    } else if (r->lex.token.kind == TOKEN_END || !index_inst(r)) {
      return fail(r, "expected '}'");
    }
  }
  return true;
}

bool read_body(Reader *r, const Body *body) {
  IrFunction *f = r->function = body->function;
  r->values = body->params;
  r->blocks = (IrNames){0};
  r->inst_count = r->block_count = 0;
  lex_go_to(&r->lex, body->at, body->line);
  if (!index_body(r)) return false;
  lex_go_to(&r->lex, body->at, body->line);
  while (!lex_is_sign(&r->lex, '}')) {
    const char *name;
    if (!lex_is_ref(&r->lex, '^')) {
      if (!read_inst(r)) return false;
      continue;
    }
    if (!read_definition(r, '^', f->blocks.count, NULL, &name)) return false;
    if (!lex_expect_sign(&r->lex, ':') || !lex_expect_line_end(&r->lex)) return false;
    ir_block_add(r->module, f, name);
  }
  return true;
}
