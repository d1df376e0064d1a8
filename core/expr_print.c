// How does an expression look to a reader? As C, with as few parentheses as precedence allows; `brief` leaves
// out casts. Soundness: no bearing on verdicts. Output is cut after a few hundred characters.
// SPDX-License-Identifier: Apache-2.0
#include "core/expr_internal.h"

#include "core/bug.h"

#include <string.h>

enum { LENGTH_LIMIT = 600 };

typedef struct Printer {
  const ExprPool *pool;
  bool brief;
  ExprRef spelled_out; // not by its name
  size_t start;
  StrBuf *out;
} Printer;

static void print(Printer *printer, ExprRef ref, int outer);

// C's precedence: larger binds tighter.
static int precedence(ExprOp op) {
  switch (op) {
  case EXPR_ITE: return 1;
  case EXPR_OR: return 4;
  case EXPR_XOR: return 5;
  case EXPR_AND: return 6;
  case EXPR_EQ: return 7;
  case EXPR_SLT:
  case EXPR_SLE:
  case EXPR_ULT:
  case EXPR_ULE: return 8;
  case EXPR_SHL:
  case EXPR_LSHR:
  case EXPR_ASHR: return 9;
  case EXPR_ADD:
  case EXPR_SUB: return 10;
  case EXPR_MUL:
  case EXPR_SDIV:
  case EXPR_SREM:
  case EXPR_UDIV:
  case EXPR_UREM: return 11;
  case EXPR_NOT: return 12;
  case EXPR_NONE:
  case EXPR_CONST:
  case EXPR_SYM:
  case EXPR_APP:
  case EXPR_ZEXT:
  case EXPR_SEXT:
  case EXPR_TRUNC:
  case EXPR_OP_COUNT: break;
  }
  return 13;
}

static const char *operator_text(const Printer *printer, const ExprNode *node) {
  bool brief = printer->brief, truth = node->width == 1;
  switch ((ExprOp)node->op) {
  case EXPR_ADD: return "+";
  case EXPR_SUB: return "-";
  case EXPR_MUL: return "*";
  case EXPR_SDIV: return "/";
  case EXPR_UDIV: return brief ? "/" : "/u";
  case EXPR_SREM: return "%";
  case EXPR_UREM: return brief ? "%" : "%u";
  case EXPR_SHL: return "<<";
  case EXPR_LSHR: return brief ? ">>" : ">>u";
  case EXPR_ASHR: return ">>";
  case EXPR_AND: return truth ? "&&" : "&";
  case EXPR_OR: return truth ? "||" : "|";
  case EXPR_XOR: return truth ? "!=" : "^";
  case EXPR_EQ: return "==";
  case EXPR_SLT: return "<";
  case EXPR_SLE: return "<=";
  case EXPR_ULT: return brief ? "<" : "<u";
  case EXPR_ULE: return brief ? "<=" : "<=u";
  case EXPR_NONE:
  case EXPR_CONST:
  case EXPR_SYM:
  case EXPR_APP:
  case EXPR_NOT:
  case EXPR_ZEXT:
  case EXPR_SEXT:
  case EXPR_TRUNC:
  case EXPR_ITE:
  case EXPR_OP_COUNT: break;
  }
  BUG("operation %d has no operator", (int)node->op);
}

static void print_symbol(Printer *printer, const ExprNode *node) {
  const ExprSym *sym = expr_sym_info(printer->pool, (uint32_t)node->value);
  strbuf_add(printer->out, sym->name);
  if (!printer->brief && sym->owner != OWNER_UNIFORM) strbuf_printf(printer->out, "@%d", sym->owner);
}

static void print_app(Printer *printer, const ExprNode *node) {
  const ExprFunc *func = expr_func_info(printer->pool, (uint32_t)node->value);
  bool is_table = str_ends_with(func->name, "[]"); // "idx[]" prints as idx[i]
  strbuf_add_n(printer->out, func->name, strlen(func->name) - (is_table ? 2 : 0));
  strbuf_add(printer->out, is_table ? "[" : "(");
  for (uint32_t i = 0; i < node->arg_count; i++) {
    if (i) strbuf_add(printer->out, ", ");
    print(printer, node->args[i], 0);
  }
  strbuf_add(printer->out, is_table ? "]" : ")");
}

static void print_ite(Printer *printer, const ExprNode *node) {
  print(printer, node->a, 2);
  strbuf_add(printer->out, " ? ");
  print(printer, node->b, 2);
  strbuf_add(printer->out, " : ");
  print(printer, node->c, 1);
}

static void print_operator(Printer *printer, const ExprNode *node) {
  int level = precedence((ExprOp)node->op);
  const ExprNode *right = expr_node(printer->pool, node->b);
  print(printer, node->a, level);
  if (node->op == EXPR_ADD && right->op == EXPR_CONST && right->value < 0 && right->value != INT64_MIN) {
    strbuf_printf(printer->out, " - %lld", -(long long)right->value);
    return;
  }
  strbuf_printf(printer->out, " %s ", operator_text(printer, node));
  print(printer, node->b, level + 1);
}

static void print_inner(Printer *printer, const ExprNode *node) {
  switch ((ExprOp)node->op) {
  case EXPR_CONST:
    if (node->width == 1)
      strbuf_add(printer->out, node->value ? "true" : "false");
    else
      strbuf_printf(printer->out, "%lld", (long long)node->value);
    return;
  case EXPR_SYM: print_symbol(printer, node); return;
  case EXPR_APP: print_app(printer, node); return;
  case EXPR_NOT: {
    const ExprNode *operand = expr_node(printer->pool, node->a);
    if (operand->op == EXPR_EQ) {
      print(printer, operand->a, 8);
      strbuf_add(printer->out, " != ");
      print(printer, operand->b, 8);
      return;
    }
    strbuf_add(printer->out, "!");
    print(printer, node->a, 12);
    return;
  }
  case EXPR_ITE: print_ite(printer, node); return;
  case EXPR_ZEXT:
  case EXPR_SEXT:
  case EXPR_TRUNC: {
    const char *kind = node->op == EXPR_ZEXT ? "u" : node->op == EXPR_SEXT ? "i" : "t";
    strbuf_printf(printer->out, "%s%u(", kind, node->width);
    print(printer, node->a, 0);
    strbuf_add(printer->out, ")");
    return;
  }
  case EXPR_ADD:
  case EXPR_SUB:
  case EXPR_MUL:
  case EXPR_SDIV:
  case EXPR_SREM:
  case EXPR_UDIV:
  case EXPR_UREM:
  case EXPR_SHL:
  case EXPR_LSHR:
  case EXPR_ASHR:
  case EXPR_AND:
  case EXPR_OR:
  case EXPR_XOR:
  case EXPR_EQ:
  case EXPR_SLT:
  case EXPR_SLE:
  case EXPR_ULT:
  case EXPR_ULE: print_operator(printer, node); return;
  case EXPR_NONE:
  case EXPR_OP_COUNT: break;
  }
  BUG("cannot print operation %d", (int)node->op);
}

static void print(Printer *printer, ExprRef ref, int outer) {
  if (printer->out->length - printer->start > LENGTH_LIMIT) {
    strbuf_add(printer->out, "...");
    return;
  }
  const ExprNode *node = expr_node(printer->pool, ref);
  const ExprName *name = printer->brief && ref != printer->spelled_out ? expr_name(printer->pool, ref) : NULL;
  if (name) {
    strbuf_add(printer->out, name->name);
    return;
  }
  if (printer->brief && (node->op == EXPR_ZEXT || node->op == EXPR_SEXT || node->op == EXPR_TRUNC)) {
    print(printer, node->a, outer);
    return;
  }
  int level = precedence((ExprOp)node->op);
  if (node->op == EXPR_NOT && expr_node(printer->pool, node->a)->op == EXPR_EQ) level = 7;
  bool parenthesise = level < outer;
  if (parenthesise) strbuf_add(printer->out, "(");
  print_inner(printer, node);
  if (parenthesise) strbuf_add(printer->out, ")");
}

void expr_print(const ExprPool *pool, ExprRef ref, bool brief, StrBuf *out) {
  ASSERT(expr_is_of(pool, ref));
  Printer printer = {pool, brief, 0, out->length, out};
  print(&printer, ref, 0);
}

void expr_print_in_full(const ExprPool *pool, ExprRef ref, StrBuf *out) {
  ASSERT(expr_is_of(pool, ref));
  Printer printer = {pool, true, ref, out->length, out};
  print(&printer, ref, 0);
}
