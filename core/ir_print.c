// What does a module look like as text? One line for each place, global, function head, block and
// instruction, in the order of the tables; ir_read.c reads it back to the same module, docs/ir.md has the
// grammar. Names stand for indices where they are plain and unique in their table; else the number stands
// there, and the name follows once, quoted. Broken modules print too (that is when one wants to look), but
// may not read back. Soundness: no bearing on verdicts. Deterministic: no addresses, no order of hashes.
// SPDX-License-Identifier: Apache-2.0
#include "core/ir_text.h"
#include "core/bug.h"

#include <inttypes.h>
#include <string.h>

typedef struct Printer {
  StrBuf *out;
  const IrModule *module;
  const IrFunction *function;
  IrNames globals, functions; // of the module
  IrNames values, blocks;     // of the function
} Printer;

// ---- names

static void add_name(IrNames *names, Arena *arena, const char *name, uint32_t number) {
  if (ir_name_is_plain(name)) ir_names_add(names, arena, name, number);
}

static bool has_value_name(const IrInst *inst) {
  return inst->name && !ir_op_has_callee((IrOp)inst->op) && inst->type.kind != IR_VOID;
}

static void collect_module_names(Printer *p, Arena *scratch) {
  for (uint32_t i = 0; i < p->module->globals.count; i++)
    add_name(&p->globals, scratch, p->module->globals.items[i].name, i);
  for (uint32_t i = 0; i < p->module->functions.count; i++)
    add_name(&p->functions, scratch, p->module->functions.items[i]->name, i);
}

static void collect_function_names(Printer *p, Arena *scratch) {
  const IrFunction *f = p->function;
  p->values = p->blocks = (IrNames){0};
  for (uint32_t i = 0; i < f->params.count; i++)
    add_name(&p->values, scratch, f->params.items[i].name, i);
  for (uint32_t i = 0; i < f->insts.count; i++)
    if (has_value_name(&f->insts.items[i])) add_name(&p->values, scratch, f->insts.items[i].name, i);
  for (uint32_t i = 0; i < f->blocks.count; i++)
    add_name(&p->blocks, scratch, f->blocks.items[i].name, i);
}

// Sigil and plain unique name, or sigil and number.
static void print_name(Printer *p, const IrNames *names, const char *sigil, const char *name,
                       uint32_t number) {
  if (ir_names_is_unique(names, name))
    strbuf_printf(p->out, "%s%s", sigil, name);
  else
    strbuf_printf(p->out, "%s%u", sigil, number);
}

// Where something is defined: as it is referred to, and the name if that does not show it.
static void print_definition(Printer *p, const IrNames *names, const char *sigil, const char *name,
                             uint32_t number) {
  print_name(p, names, sigil, name, number);
  if (!name || ir_names_is_unique(names, name)) return;
  strbuf_add(p->out, " ");
  ir_string_print(p->out, name);
}

static void print_optional_string(Printer *p, const char *text) {
  if (text)
    ir_string_print(p->out, text);
  else
    strbuf_add(p->out, "none");
}

// Plain if it can be, else quoted; not for anything that is looked up.
static void print_word(Printer *p, const char *word) {
  if (ir_name_is_plain(word))
    strbuf_add(p->out, word);
  else
    ir_string_print(p->out, word);
}

static void print_loc_ref(Printer *p, uint32_t loc) {
  if (loc) strbuf_printf(p->out, " @%u", loc);
}

// ---- references

static void print_const(Printer *p, const IrConst *constant, IrType expected) {
  IrType type = constant->type;
  bool is_truth = type.kind == IR_INT && type.bits == 1;
  if (constant->is_undef)
    strbuf_add(p->out, "undef");
  else if (is_truth)
    strbuf_add(p->out, constant->bits ? "true" : "false");
  else if (type.kind == IR_PTR && constant->bits == 0)
    strbuf_add(p->out, "null");
  else if (type.kind == IR_BYTES && constant->bits == 0)
    strbuf_add(p->out, "zero");
  else if (type.kind == IR_FLOAT)
    strbuf_printf(p->out, "0x%0*" PRIx64, type.bits / 4, (uint64_t)constant->bits);
  else
    strbuf_printf(p->out, "%" PRId64, constant->bits);
  if (ir_types_equal(type, expected) || (is_truth && !constant->is_undef)) return;
  strbuf_add(p->out, ":");
  ir_type_print(p->out, type);
}

static void print_param_ref(Printer *p, uint32_t index) {
  const IrFunction *f = p->function;
  const char *name = index < f->params.count ? f->params.items[index].name : NULL;
  print_name(p, &p->values, ir_names_is_unique(&p->values, name) ? "%" : "%#", name, index);
}

static void print_inst_ref(Printer *p, uint32_t index) {
  const IrInst *inst = index < p->function->insts.count ? &p->function->insts.items[index] : NULL;
  print_name(p, &p->values, "%", inst && has_value_name(inst) ? inst->name : NULL, index);
}

static void print_module_ref(Printer *p, IrRefKind kind, uint32_t index) {
  const IrModule *m = p->module;
  if (kind == IR_REF_GLOBAL)
    print_name(p, &p->globals, "$", index < m->globals.count ? m->globals.items[index].name : NULL, index);
  else
    print_name(p, &p->functions, "&", index < m->functions.count ? m->functions.items[index]->name : NULL,
               index);
}

static void print_ref(Printer *p, IrRef ref, IrType expected) {
  uint32_t index = ir_ref_index(ref);
  switch (ir_ref_kind(ref)) {
  case IR_REF_NONE: strbuf_add(p->out, "none"); return;
  case IR_REF_INST: print_inst_ref(p, index); return;
  case IR_REF_PARAM: print_param_ref(p, index); return;
  case IR_REF_GLOBAL:
  case IR_REF_FUNC: print_module_ref(p, ir_ref_kind(ref), index); return;
  case IR_REF_CONST:
    if (index < p->function->consts.count)
      print_const(p, &p->function->consts.items[index], expected);
    else
      strbuf_printf(p->out, "const%u", index);
    return;
  }
  strbuf_printf(p->out, "ref%08x", ref);
}

static void print_block_ref(Printer *p, uint32_t block) {
  const IrFunction *f = p->function;
  print_name(p, &p->blocks, "^", block < f->blocks.count ? f->blocks.items[block].name : NULL, block);
}

// ---- instructions

static IrType shown_type_of(Printer *p, const IrInst *inst) {
  IrShownType shown = ir_shown_type((IrOp)inst->op);
  uint32_t place = shown == IR_SHOWS_SECOND ? 1 : 0;
  if (shown == IR_SHOWS_RESULT) return inst->type;
  return place < inst->op_count ? ir_ref_type(p->module, p->function, inst->ops[place]) : ir_type_void();
}

static void print_words_of(Printer *p, const IrWords *words, uint64_t number) {
  const char *word = ir_words_get(words, number);
  if (word)
    strbuf_printf(p->out, " %s", word);
  else
    strbuf_printf(p->out, " %" PRIu64, number);
}

static void print_flags(Printer *p, uint16_t flags) {
  for (unsigned i = 0; i < ir_flag_words.count; i++)
    if (flags & (1u << i)) print_words_of(p, &ir_flag_words, i);
}

static void print_sub_word(Printer *p, const IrInst *inst) {
  const IrWords *words = ir_sub_words((IrOp)inst->op);
  if (words == &ir_pred_words)
    print_words_of(p, words, inst->pred);
  else if (words == &ir_rmw_words)
    print_words_of(p, words, inst->rmw);
  else if (words)
    print_words_of(p, words, (uint64_t)inst->imm);
}

static void print_operands(Printer *p, const IrInst *inst, IrType shown) {
  for (uint32_t i = 0; i < inst->op_count; i++) {
    strbuf_add(p->out, i ? ", " : "");
    print_ref(p, inst->ops[i], ir_operand_type((IrOp)inst->op, shown, i));
  }
}

static void print_callee(Printer *p, const IrInst *inst, IrType shown) {
  strbuf_add(p->out, " ");
  if (inst->name) print_word(p, inst->name);
  strbuf_add(p->out, "(");
  print_operands(p, inst, shown);
  strbuf_add(p->out, ")");
}

static void print_phi(Printer *p, const IrInst *inst, IrType shown) {
  uint32_t count = inst->op_count < inst->block_count ? inst->op_count : inst->block_count;
  for (uint32_t i = 0; i < count; i++) {
    strbuf_add(p->out, i ? ", [" : " [");
    print_ref(p, inst->ops[i], shown);
    strbuf_add(p->out, ", ");
    print_block_ref(p, inst->blocks[i]);
    strbuf_add(p->out, "]");
  }
}

static void print_targets(Printer *p, const IrInst *inst) {
  for (uint32_t i = 0; i < inst->block_count; i++) {
    strbuf_add(p->out, i || inst->op_count ? ", " : " ");
    if (i && inst->op == IR_SWITCH && inst->case_values)
      strbuf_printf(p->out, "%" PRId64 " ", inst->case_values[i - 1]);
    print_block_ref(p, inst->blocks[i]);
  }
}

// What is not zero and has not been shown: nothing of an instruction is lost.
static void print_attributes(Printer *p, const IrInst *inst) {
  IrOp op = (IrOp)inst->op;
  const IrWords *sub = ir_sub_words(op);
  const char *imm_word = ir_op_info(op)->imm_word;
  if (!ir_imm_is_sub_word(op) && (inst->imm || strcmp(imm_word, "imm") != 0))
    strbuf_printf(p->out, " %s %" PRId64, imm_word, inst->imm);
  if (inst->order) print_words_of(p, &ir_order_words, inst->order);
  if (inst->scope) print_words_of(p, &ir_scope_words, inst->scope);
  if (inst->pred && sub != &ir_pred_words) {
    strbuf_add(p->out, " pred");
    print_words_of(p, &ir_pred_words, inst->pred);
  }
  if (inst->rmw && sub != &ir_rmw_words) {
    strbuf_add(p->out, " rmw");
    print_words_of(p, &ir_rmw_words, inst->rmw);
  }
  if (inst->place) {
    strbuf_add(p->out, " place ");
    ir_string_print(p->out, inst->place);
  }
  if (inst->owner) {
    strbuf_add(p->out, " of ");
    ir_string_print(p->out, inst->owner);
    if (inst->member) strbuf_printf(p->out, " member %u", inst->member);
  }
  if (!inst->name || ir_op_has_callee(op)) return;
  if (has_value_name(inst) && ir_names_is_unique(&p->values, inst->name)) return;
  strbuf_add(p->out, " name ");
  ir_string_print(p->out, inst->name);
}

static void print_inst(Printer *p, uint32_t index) {
  const IrInst *inst = &p->function->insts.items[index];
  IrOp op = (IrOp)inst->op;
  IrType shown = shown_type_of(p, inst);
  strbuf_add(p->out, "  ");
  if (inst->type.kind != IR_VOID) {
    print_inst_ref(p, index);
    strbuf_add(p->out, " = ");
  }
  strbuf_add(p->out, ir_op_name(op));
  print_sub_word(p, inst);
  print_flags(p, inst->flags);
  if (shown.kind != IR_VOID || ir_op_has_callee(op)) {
    strbuf_add(p->out, " ");
    ir_type_print(p->out, shown);
  }
  if (ir_op_has_callee(op)) {
    print_callee(p, inst, shown);
  } else if (op == IR_PHI) {
    print_phi(p, inst, shown);
  } else {
    strbuf_add(p->out, inst->op_count ? " " : "");
    print_operands(p, inst, shown);
    print_targets(p, inst);
  }
  print_attributes(p, inst);
  print_loc_ref(p, inst->loc);
  strbuf_add(p->out, "\n");
}

// ---- functions

static void print_param(Printer *p, uint32_t index) {
  const IrParam *param = &p->function->params.items[index];
  ir_type_print(p->out, param->type);
  strbuf_add(p->out, " ");
  print_definition(p, &p->values, ir_names_is_unique(&p->values, param->name) ? "%" : "%#", param->name,
                   index);
  if (param->is_restrict) strbuf_add(p->out, " restrict");
  if (param->is_result) strbuf_add(p->out, " result");
  if (param->is_unsigned) strbuf_add(p->out, " unsigned");
  if (param->byval_bytes) strbuf_printf(p->out, " byval %u", param->byval_bytes);
  for (uint32_t i = 0; i < 2 && param->halves[i]; i++) {
    strbuf_add(p->out, i ? " high " : " low ");
    ir_string_print(p->out, param->halves[i]);
  }
}

static void print_function_head(Printer *p, uint32_t index) {
  const IrFunction *f = p->function;
  strbuf_add(p->out, "\nfunc ");
  ir_type_print(p->out, f->result);
  strbuf_add(p->out, " ");
  print_definition(p, &p->functions, "&", f->name, index);
  strbuf_add(p->out, "(");
  for (uint32_t i = 0; i < f->params.count; i++) {
    strbuf_add(p->out, i ? ", " : "");
    print_param(p, i);
  }
  strbuf_add(p->out, ")");
  if (f->is_kernel) strbuf_add(p->out, " kernel");
  if (f->is_of_library) strbuf_add(p->out, " of_library");
  if (f->is_of_program) strbuf_add(p->out, " of_program");
  if (f->is_launched_by_device) strbuf_add(p->out, " device_launched");
  if (f->is_external) strbuf_add(p->out, " external");
  if (f->is_in_data) strbuf_add(p->out, " data");
  for (uint32_t i = 0; i < f->folded_launches.count; i++)
    strbuf_printf(p->out, " folded_launch @%u", f->folded_launches.items[i]);
  if (f->is_declaration) strbuf_add(p->out, " declare");
  if (f->takes_const) strbuf_add(p->out, " takes_const");
  if (f->returns_twice) strbuf_add(p->out, " returns_twice");
  if (f->max_threads) strbuf_printf(p->out, " max_threads %u", f->max_threads);
  if (f->min_blocks) strbuf_printf(p->out, " min_blocks %u", f->min_blocks);
  if (f->cluster[0]) strbuf_printf(p->out, " cluster %u %u %u", f->cluster[0], f->cluster[1], f->cluster[2]);
  if (strcmp(f->name, f->display) != 0) {
    strbuf_add(p->out, " display ");
    ir_string_print(p->out, f->display);
  }
  print_loc_ref(p, f->loc);
}

static void print_function(Printer *p, uint32_t index, Arena *scratch) {
  const IrFunction *f = p->function = p->module->functions.items[index];
  collect_function_names(p, scratch);
  print_function_head(p, index);
  if (f->blocks.count == 0) {
    strbuf_add(p->out, f->is_declaration ? "\n" : " {\n}\n");
    return;
  }
  strbuf_add(p->out, " {\n");
  for (uint32_t b = 0; b < f->blocks.count; b++) {
    const IrBlock *block = &f->blocks.items[b];
    print_definition(p, &p->blocks, "^", block->name, b);
    strbuf_add(p->out, ":\n");
    for (uint32_t i = 0; i < block->count && block->first + i < f->insts.count; i++)
      print_inst(p, block->first + i);
  }
  strbuf_add(p->out, "}\n");
}

// ---- the rest of a module

// Bytes in hexadecimal; a run of equal bytes as one byte and its length.
static void print_data(Printer *p, const uint8_t *data, uint64_t bytes) {
  strbuf_add(p->out, " = {");
  bool in_word = false;
  for (uint64_t i = 0, run; i < bytes; i += run) {
    for (run = 1; i + run < bytes && data[i + run] == data[i];)
      run++;
    if (run < 8) run = 1;
    strbuf_printf(p->out, "%s%02x", in_word && run == 1 ? "" : " ", data[i]);
    if (run > 1) strbuf_printf(p->out, "*%" PRIu64, run);
    in_word = run == 1 && i % 8 != 7;
  }
  strbuf_add(p->out, bytes ? " }" : "}");
}

static void print_global(Printer *p, uint32_t index) {
  const IrGlobal *global = &p->module->globals.items[index];
  strbuf_add(p->out, "global ");
  print_definition(p, &p->globals, "$", global->name, index);
  print_words_of(p, &ir_space_words, global->space);
  strbuf_printf(p->out, " size %" PRIu64 " align %u", global->bytes, global->align);
  if (global->is_constant) strbuf_add(p->out, " const");
  if (global->is_dynamic_shared) strbuf_add(p->out, " dynamic");
  if (global->is_external) strbuf_add(p->out, " external");
  if (global->is_managed) strbuf_add(p->out, " managed");
  if (global->is_static) strbuf_add(p->out, " static");
  if (global->display && (!global->name || strcmp(global->display, global->name) != 0)) {
    strbuf_add(p->out, " display ");
    ir_string_print(p->out, global->display);
  }
  if (global->owner) {
    strbuf_add(p->out, " of ");
    ir_string_print(p->out, global->owner);
    strbuf_printf(p->out, " %" PRIu64, global->owner_bytes);
  }
  print_loc_ref(p, global->loc);
  if (global->data) print_data(p, global->data, global->bytes);
  strbuf_add(p->out, "\n");
}

// Behind all functions, since they may be among the targets.
static void print_addresses(Printer *p, uint32_t index) {
  const IrGlobal *global = &p->module->globals.items[index];
  for (uint32_t i = 0; i < global->addresses.count; i++) {
    const IrAddress *address = &global->addresses.items[i];
    strbuf_add(p->out, "address ");
    print_module_ref(p, IR_REF_GLOBAL, index);
    strbuf_printf(p->out, " %" PRIu64 " = ", address->at);
    print_module_ref(p, ir_ref_kind(address->target), ir_ref_index(address->target));
    if (address->offset) strbuf_printf(p->out, " %" PRId64, address->offset);
    strbuf_add(p->out, "\n");
  }
}

static void print_place(Printer *p, const SrcLoc *loc) {
  print_optional_string(p, loc->file);
  strbuf_printf(p->out, ":%u:%u", loc->line, loc->column);
  if (!loc->function || !loc->function[0]) return;
  strbuf_add(p->out, " in ");
  ir_string_print(p->out, loc->function);
}

static void print_loc(Printer *p, uint32_t index) {
  const SrcLoc *loc = &p->module->locs.items[index];
  strbuf_printf(p->out, "loc @%u ", index);
  print_place(p, loc);
  for (loc = loc->inlined_at; loc; loc = loc->inlined_at) {
    strbuf_add(p->out, " at ");
    print_place(p, loc);
  }
  strbuf_add(p->out, "\n");
}

static void print_class(Printer *p, const IrClass *class) {
  strbuf_add(p->out, "class ");
  ir_string_print(p->out, class->name);
  if (class->unseen) {
    strbuf_add(p->out, class->constructs ? " unseen constructor " : " unseen ");
    ir_string_print(p->out, class->unseen);
  }
  for (uint32_t i = 0; i < class->hidden.count; i++) {
    const IrHidden *hidden = &class->hidden.items[i];
    strbuf_printf(p->out, " hidden %" PRIu64 " %" PRIu64, hidden->at, hidden->bytes);
  }
  strbuf_add(p->out, "\n");
}

void ir_print(const IrModule *module, StrBuf *out) {
  ASSERT(module && out);
  Arena *scratch = arena_open();
  Printer p = {.out = out, .module = module};
  collect_module_names(&p, scratch);
  strbuf_printf(out, "module %s ", module->is_device ? "device" : "host");
  print_optional_string(&p, module->source);
  if (module->arch) strbuf_printf(out, " arch %u", module->arch);
  strbuf_add(out, module->locs.count > 1 ? "\n\n" : "\n");
  for (uint32_t i = 1; i < module->locs.count; i++)
    print_loc(&p, i);
  if (module->globals.count) strbuf_add(out, "\n");
  for (uint32_t i = 0; i < module->globals.count; i++)
    print_global(&p, i);
  for (uint32_t i = 0; i < module->functions.count; i++) {
    ArenaMark mark = arena_mark(scratch);
    print_function(&p, i, scratch);
    arena_release(scratch, mark);
  }
  if (module->classes.count) strbuf_add(out, "\n");
  for (uint32_t i = 0; i < module->classes.count; i++)
    print_class(&p, &module->classes.items[i]);
  bool has_addresses = false;
  for (uint32_t i = 0; i < module->globals.count; i++) {
    if (module->globals.items[i].addresses.count && !has_addresses) strbuf_add(out, "\n");
    has_addresses |= module->globals.items[i].addresses.count > 0;
    print_addresses(&p, i);
  }
  arena_close(scratch);
}
