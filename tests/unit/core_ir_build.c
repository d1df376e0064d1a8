// Building modules through the interface: constants are canonical and one of each, instructions land in the
// newest block with copies of their lists, places and names are shared; and all of it in reasonable time on
// large functions.
// SPDX-License-Identifier: Apache-2.0
#include "core/bug.h"
#include "core/cfg.h"
#include "core/ir.h"
#include "tests/unit/check.h"

#include <setjmp.h>

static IrModule *make_module(Arena *arena) {
  return ir_module_make(arena, str_table_make(arena), "test.cu", true);
}

static void test_operations(void) {
  CHECK_TEXT(ir_op_name(IR_ADD), "add");
  CHECK_TEXT(ir_op_name(IR_UNREACHABLE), "unreachable");
  CHECK(ir_op_class(IR_ICMP) == IR_CLASS_COMPARE && ir_op_class(IR_RET) == IR_CLASS_TERM);
  CHECK(ir_op_flags(IR_CMPXCHG) == (IR_READS | IR_WRITES | IR_ATOMIC | IR_SCOPED | IR_CONDITIONAL));
  CHECK(ir_op_flags(IR_MUL) == (IR_NSWABLE | IR_COMMUTES) && ir_op_flags(IR_SHL) == IR_NSWABLE);
  CHECK(ir_op_class(IR_OP_COUNT) == IR_CLASS_VALUE); // out of range: no crash
}

static void test_columns_agree(void) {
  for (unsigned op = IR_NONE + 1; op < IR_OP_COUNT; op++) {
    const IrOpInfo *info = ir_op_info((IrOp)op);
    unsigned flags = info->flags;
    CHECK(info->step != IR_STEP_NONE && info->signature[0] && info->signature[1] == '=');
    CHECK(!(flags & IR_ATOMIC) || (flags & (IR_READS | IR_WRITES)) == (IR_READS | IR_WRITES));
    CHECK((flags & IR_LANES) == (info->step == IR_STEP_LANES ? IR_LANES : 0u));
    CHECK((flags & IR_ON_OBJECT) == (info->step == IR_STEP_OBJECT ? IR_ON_OBJECT : 0u));
    CHECK(!(flags & IR_GROUPS) || info->step == IR_STEP_COPIES);
    CHECK((info->step == IR_STEP_ACCESS) == (info->op_class == IR_CLASS_MEMORY));
    CHECK((info->step == IR_STEP_CALL) == (info->op_class == IR_CLASS_CALL));
    CHECK(!(flags & IR_COMMUTES) || strcmp(info->signature + 2, "TT") == 0); // operands of one type
    CHECK(!(flags & IR_FORKS) || info->op_class == IR_CLASS_TERM);
    CHECK(!(flags & IR_EXTENDS) || (flags & IR_RESIZES));
  }
}

static void test_constants(void) {
  Arena *arena = arena_open();
  IrModule *module = make_module(arena);
  IrFunction *f = ir_function_add(module, "f", NULL);
  int64_t value = 0;
  IrRef minus_one = ir_const_int(module, f, 32, -1);
  CHECK(minus_one == ir_const_int(module, f, 32, 4294967295));
  CHECK(ir_const_value(f, minus_one, &value) && value == -1);
  CHECK(ir_const_int(module, f, 64, -1) != minus_one);
  CHECK(ir_const_int(module, f, 1, -1) == ir_const_int(module, f, 1, 1));
  CHECK(ir_const_value(f, ir_const_int(module, f, 1, 1), &value) && value == 1);
  CHECK(ir_const_value(f, ir_const_int(module, f, 8, 200), &value) && value == -56);
  IrRef half = ir_const_typed(module, f, ir_type_float(16), -1, false);
  CHECK(f->consts.items[ir_ref_index(half)].bits == 0xffff);
  CHECK(!ir_const_value(f, half, &value));
  IrRef undef = ir_const_typed(module, f, ir_type_int(32), 5, true);
  CHECK(undef != ir_const_int(module, f, 32, 0) && !ir_const_value(f, undef, &value));
  CHECK(undef == ir_const_typed(module, f, ir_type_int(32), 6, true));
  CHECK(ir_const_typed(module, f, ir_type_ptr(0), 0, false) !=
        ir_const_typed(module, f, ir_type_ptr(3), 0, false));
  uint32_t before = f->consts.count;
  for (int64_t i = 0; i < 2000; i++)
    ir_const_int(module, f, 64, i * 7);
  for (int64_t i = 0; i < 2000; i++)
    ir_const_int(module, f, 64, i * 7);
  CHECK(f->consts.count == before + 2000);
  CHECK(!ir_const_value(f, IR_REF(IR_REF_PARAM, 0), &value) && !ir_const_value(f, 0, &value));
  arena_close(arena);
}

static void test_references(void) {
  Arena *arena = arena_open();
  IrModule *module = make_module(arena);
  IrFunction *f = ir_function_add(module, "_Z1fv", "f"), *g = ir_function_add(module, "g", NULL);
  vec_push(arena, &f->params, (IrParam){.name = "n", .type = ir_type_int(16)});
  vec_push(arena, &module->globals, (IrGlobal){.name = "tile", .space = IR_SPACE_SHARED});
  CHECK(ir_ref_type(module, f, IR_REF(IR_REF_PARAM, 0)).bits == 16);
  CHECK(ir_ref_type(module, f, IR_REF(IR_REF_PARAM, 1)).kind == IR_VOID);
  CHECK(ir_ref_type(module, f, IR_REF(IR_REF_GLOBAL, 0)).space == IR_SPACE_SHARED);
  CHECK(ir_ref_type(module, f, IR_REF(IR_REF_FUNC, 0)).kind == IR_PTR);
  CHECK(ir_ref_type(module, f, ir_const_int(module, f, 8, 1)).bytes == 1);
  CHECK(ir_ref_type(module, f, 0).kind == IR_VOID);
  CHECK(ir_find_function(module, "g") == g && ir_find_function(module, "_Z1fv") == f);
  CHECK(ir_find_function(module, "f") == NULL && ir_find_function(module, NULL) == NULL);
  CHECK_TEXT(g->display, "g");
  arena_close(arena);
}

static void test_instructions(void) {
  Arena *arena = arena_open();
  IrModule *module = make_module(arena);
  IrFunction *f = ir_function_add(module, "f", NULL);
  char name[] = "sum";
  IrRef ops[2] = {ir_const_int(module, f, 32, 1), ir_const_int(module, f, 32, 2)};
  CHECK(ir_block_add(module, f, "entry") == 0);
  IrRef sum = ir_inst_add(
      module, f,
      (IrInst){.op = IR_ADD, .type = ir_type_int(32), .op_count = 2, .ops = ops, .name = name, .block = 9});
  ops[0] = 0;
  name[0] = 'X';
  CHECK(ir_inst(f, sum)->ops[0] != 0 && ir_inst(f, sum)->block == 0);
  CHECK_TEXT(ir_inst(f, sum)->name, "sum");
  CHECK(ir_inst(f, ops[1]) == NULL);
  CHECK(ir_block_add(module, f, NULL) == 1);
  CHECK(ir_terminator(f, 1) == NULL);
  IrRef ret = ir_inst_add(module, f, (IrInst){.op = IR_RET, .op_count = 1, .ops = &sum});
  CHECK(ir_terminator(f, 1) == ir_inst(f, ret) && ir_inst(f, ret)->block == 1);
  CHECK(f->blocks.items[1].first == 1 && f->blocks.items[1].count == 1);
  arena_close(arena);
}

static void test_places(void) {
  Arena *arena = arena_open();
  IrModule *module = make_module(arena);
  char file[] = "a.cu";
  uint32_t first = ir_loc_add(module, (SrcLoc){.file = file, .line = 3});
  file[0] = 'b';
  CHECK(first == 1 && ir_loc_add(module, (SrcLoc){.file = "a.cu", .line = 3}) == 1);
  CHECK(ir_loc_add(module, (SrcLoc){.file = "a.cu", .line = 4}) == 2);
  CHECK_TEXT(ir_loc(module, 1)->file, "a.cu");
  CHECK_TEXT(ir_loc(module, 1)->function, "");
  CHECK(ir_loc(module, 0)->file == NULL && ir_loc(module, 99) == ir_loc(module, 0));
  arena_close(arena);
}

static jmp_buf bug_was_raised;
static _Noreturn void catch_bug(const char *file, int line, const char *message) {
  (void)file, (void)line, (void)message;
  longjmp(bug_was_raised, 1);
}

static void test_instruction_without_block(void) {
  Arena *arena = arena_open();
  IrModule *module = make_module(arena);
  IrFunction *f = ir_function_add(module, "f", NULL);
  bug_set_hook(catch_bug);
  if (setjmp(bug_was_raised) == 0) {
    ir_inst_add(module, f, (IrInst){.op = IR_RET});
    CHECK(!"an instruction in no block was taken");
  }
  bug_set_hook(NULL);
  CHECK(f->insts.count == 0);
  arena_close(arena);
}

// 50,000 instructions in 10,000 blocks: built, verified, printed and read back.
static void test_large_function(void) {
  Arena *arena = arena_open();
  IrModule *module = make_module(arena);
  IrFunction *f = ir_function_add(module, "large", NULL);
  vec_push(arena, &f->params, (IrParam){.name = "n", .type = ir_type_int(64)});
  IrRef sum = IR_REF(IR_REF_PARAM, 0), zero = ir_const_int(module, f, 64, 0);
  uint32_t block_count = 10000;
  for (uint32_t b = 0; b < block_count; b++) {
    ir_block_add(module, f, arena_printf(arena, "block%u", b));
    for (int64_t i = 0; i < 3; i++) {
      IrRef ops[2] = {sum, ir_const_int(module, f, 64, 3 * b + i)};
      sum =
          ir_inst_add(module, f, (IrInst){.op = IR_XOR, .type = ir_type_int(64), .op_count = 2, .ops = ops});
    }
    IrInst compare = {.op = IR_ICMP, .pred = IR_SLT, .type = ir_type_int(1), .op_count = 2};
    compare.ops = (IrRef[]){sum, zero};
    IrRef condition = ir_inst_add(module, f, compare);
    IrInst branch = {.op = IR_CONDBR, .op_count = 1, .ops = &condition, .block_count = 2};
    branch.blocks = (uint32_t[]){b + 1, block_count};
    ir_inst_add(module, f, branch);
  }
  ir_block_add(module, f, "exit");
  ir_inst_add(module, f, (IrInst){.op = IR_RET});
  DiagSink *sink = diag_sink_make(arena);
  CHECK(ir_verify(module, sink));
  StrBuf text = {.arena = arena}, again = {.arena = arena};
  ir_print(module, &text);
  const IrModule *read = ir_read(arena, module->strings, "large.ir", strbuf_text(&text), sink);
  if (CHECK(read != NULL)) ir_print(read, &again);
  CHECK(strcmp(strbuf_text(&again), strbuf_text(&text)) == 0);
  arena_close(arena);
}

int main(void) {
  test_operations();
  test_columns_agree();
  test_constants();
  test_references();
  test_instructions();
  test_places();
  test_instruction_without_block();
  test_large_function();
  return check_result();
}
