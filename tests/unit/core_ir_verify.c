// The verifier refuses each kind of broken module, one at a time, and takes the sound ones beside them.
// SPDX-License-Identifier: Apache-2.0
#include "core/ir.h"
#include "tests/unit/check.h"

typedef struct Fixture {
  Arena *arena;
  DiagSink *sink;
  IrModule *module;
} Fixture;

static Fixture fixture_open(const char *text) {
  Fixture fixture = {.arena = arena_open()};
  fixture.sink = diag_sink_make(fixture.arena);
  fixture.module = ir_read(fixture.arena, str_table_make(fixture.arena), "test.ir", text, fixture.sink);
  return fixture;
}

static void show_diags(const Fixture *fixture) {
  for (uint32_t i = 0; i < fixture->sink->diags.count; i++)
    fprintf(stderr, "  %s\n", fixture->sink->diags.items[i].message);
}

// NULL: the module must be sound; else some error must contain the text.
static void check_verdict(Fixture *fixture, const char *expected, const char *label) {
  bool sound = ir_verify(fixture->module, fixture->sink), found = false;
  for (uint32_t i = 0; expected && i < fixture->sink->diags.count; i++)
    found |= strstr(fixture->sink->diags.items[i].message, expected) != NULL;
  bool good = CHECK(sound == (fixture->sink->error_count == 0));
  good &= expected ? CHECK(!sound) && CHECK(found) : CHECK(sound);
  if (good) return;
  fprintf(stderr, "for: %s\nexpected: %s\ngot:\n", label, expected ? expected : "no error");
  show_diags(fixture);
}

// ---- broken as text

typedef struct Case {
  const char
      *body; // of a function, behind `^entry:` with `%n` i32, `%l` i64, `%f` f32, `%p` pointer, `%c` i1
  const char *message;
} Case;

#define THEN " condbr %c, ^a, ^b\n^a:\n"

static const Case cases[] = {
    {" ret", NULL},
    // terminators
    {" fence", "ends the block, but is no terminator"},
    {" ret\n fence\n ret", "in mid-block"},
    {" br ^a\n^a:\n br ^b\n^b:\n condbr %c, ^a, ^b", NULL},
    {" br ^entry", "entry has predecessors"},
    {" condbr %n, ^a, ^a\n^a:\n ret", "operand 0 has type i32"},
    {" condbr %c, ^a\n^a:\n ret", "1 targets"},
    {" br\n^a:\n ret", "0 targets"},
    {" ret i32 %n", "returns i32 instead of void"},
    {" unreachable ^a\n^a:\n ret", "1 targets"},
    {" switch i32 %n, ^a, 1 ^a, 2 ^a\n^a:\n ret", NULL},
    {" switch i32 %n, ^a, 1 ^a, 1 ^a\n^a:\n ret", "case value 1 occurs twice"},
    {" switch i32 %n, ^a, 4294967296 ^a\n^a:\n ret", "case value 4294967296 does not fit"},
    {" switch i32 %n\n^a:\n ret", "0 targets"},
    {" switch ptr %p, ^a\n^a:\n ret", "operand 0 has type ptr"},
    // types
    {" %x = add i32 %n, 1\n ret", NULL},
    {" %x = add i32 %n, %l\n ret", "operand 1 has type i64"},
    {" %x = add f32 %f, %f\n ret", "unexpected result type f32"},
    {" %x = fadd f32 %f, 1:i32\n ret", "operand 1 has type i32"},
    {" %x = fneg f32 %f, %f\n ret", "2 operands instead of 1"},
    {" %x = add ptr %p, %p\n ret", "unexpected result type ptr"},
    {" %x = icmp slt i32 %n, %l\n ret", "operand 1 has type i64"},
    {" %x = icmp slt f32 %f, %f\n ret", "operand 0 has type f32"},
    {" %x = icmp folt i32 %n, %n\n ret", "predicate"},
    {" %x = fcmp slt f32 %f, %f\n ret", "predicate"},
    {" %x = fcmp folt i32 %n, %n\n ret", "operand 0 has type i32"},
    {" %x = select i32 %c, %n, 1\n ret", NULL},
    {" %x = select i32 %n, %n, 1\n ret", "operand 0 has type i32"},
    {" %x = select i32 %c, %n, %l\n ret", "operand 2 has type i64"},
    {" %x = trunc i64 %n\n ret", "from i32 to i64"},
    {" %x = zext i32 %l\n ret", "from i64 to i32"},
    {" %x = sext i32 %n\n ret", "from i32 to i32"},
    {" %x = fpext f16 %f\n ret", "from f32 to f16"},
    {" %x = fptrunc f64 %f\n ret", "from f32 to f64"},
    {" %x = fptosi i32 %n\n ret", "operand 0 has type i32"},
    {" %x = sitofp f32 %f\n ret", "operand 0 has type f32"},
    {" %x = ptrtoint i64 %l\n ret", "operand 0 has type i64"},
    {" %x = inttoptr i64 %l\n ret", "unexpected result type i64"},
    {" %x = bitcast f32 %n\n %y = bitcast bytes[4] %x\n ret", NULL},
    {" %x = bitcast f32 %l\n ret", "from i64 to f32"},
    {" %x = ptradd ptr %p, 4\n ret", NULL},
    {" %x = ptradd ptr %p, %n\n ret", "operand 1 has type i32"},
    {" %x = ptradd ptr.shared %p, 4\n ret", "operand 0 has type ptr"},
    {" %x = extract i32 zero:bytes[8] at 4\n ret", NULL},
    {" %x = extract i32 zero:bytes[8] at 5\n ret", "4 bytes at 5 of 8"},
    {" %x = extract i32 zero:bytes[8] at -1\n ret", "4 bytes at -1 of 8"},
    {" %x = extract i32 %l at 0\n ret", "operand 0 has type i64"},
    {" %x = insert bytes[8] undef, %l at 1\n ret", "8 bytes at 1 of 8"},
    // memory
    {" %x = load i32 %l\n ret", "operand 0 has type i64"},
    {" store i32 %n, %p\n ret", "operand 0 has type i32"},
    {" store i32 %p\n ret", "1 operands instead of 2"},
    {" %x = alloca ptr size -1\n ret", "negative size"},
    {" %x = atomicrmw add f32 %p, %f\n ret", "operand 1 has type f32"},
    {" %x = atomicrmw fadd i32 %p, 1\n ret", "operand 1 has type i32"},
    {" %x = atomicrmw fadd bytes[4] %p, zero\n ret", NULL},
    {" %x = atomicrmw xchg f32 %p, %f\n ret", NULL},
    {" %x = atomicrmw add i64 %p, %n\n ret", "unexpected result type i64"},
    {" %x = cmpxchg i32 %p, %n, %l\n ret", "operand 2 has type i64"},
    {" memcpy %p, %n, 4\n ret", "operand 1 has type i32"},
    {" memset %p, %n, 4\n ret", "operand 1 has type i32"},
    {" asynccopy %p, %p\n ret", "2 operands instead of 3"},
    {" asynccopy %p, %p, 16, 8\n asynccopy bulk %p, %p, 16, %p\n ret", NULL},
    {" asynccopy part %p, %p, 16\n ret", NULL},
    {" asyncwait part pending 0\n ret", "flag 'part' on what it says nothing of"},
    {" fence multicast device seq_cst\n ret", "flag 'multicast' on what it says nothing of"},
    {" asyncreduce bulk %p, %n, 4, %p element 3 device rmw add\n ret", "elements of 3 bytes"},
    {" asyncreduce bulk %p, %n, 4, %p element 4 device\n ret", "unknown atomic operation 0"},
    {" asynccopy %p, %n, 16\n ret", "operand 1 has type i32"},
    {" asynccopy %p, %p, %p\n ret", "operand 2 has type ptr"},
    {" asynccopy %p, %p, 16, %f\n ret", "operand 3 has type f32"},
    {" asyncwait pending -1\n ret", "negative number of groups"},
    {" asyncwait %n pending 0\n ret", NULL},
    {" asyncwait %n pending 1\n ret", "said twice"},
    {" asyncwait %f pending 0\n ret", "no integer"},
    // synchronisation
    {" barrier sync block\n ret", NULL},
    {" barrier sync\n ret", "unexpected scope"},
    {" barrier sync warp\n ret", "number of operands"},
    {" barrier sync %n block\n ret", "number of operands"},
    {" barrier sync %f warp\n ret", "no integer"},
    {" barrier count %n block\n ret", "unexpected result type void"},
    {" %x = barrier sync i32 block\n ret", "unexpected result type i32"},
    {" %x = barrier any i32 %n warp\n ret", "unexpected scope"},
    {" barrier arrive 1 block\n ret", "number of operands"},
    {" barrier tile %n warp\n ret", "not constant"},
    {" barrier tile 8 block\n ret", "unexpected scope"},
    {" barrier arrival cluster\n barrier await cluster\n ret", NULL},
    {" barrier await warp\n ret", "unexpected scope"},
    {" %x = mbarrier arrive i64 %p, 1\n mbarrier arrive %p, 1\n mbarrier invalidate %p\n ret", NULL},
    {" mbarrier init %p\n ret", "1 operands instead of 2"},
    {" mbarrier invalidate %p, 1\n ret", "2 operands instead of 1"},
    {" mbarrier init %n, 1\n ret", "operand 0 is no pointer"},
    {" mbarrier init %p, %f\n ret", "operand 1 is no integer"},
    {" %x = mbarrier arrive i32 %p, 1\n ret", "unexpected result type i32"},
    {" mbarrier test %p, 1\n ret", "unexpected result type void"},
    {" %x = mbarrier wait i1 %p, 1\n ret", "unexpected result type i1"},
    {" pipeline init %p, 2\n pipeline wait %p\n ret", NULL},
    {" pipeline init %p\n ret", "1 operands instead of 2"},
    {" pipeline quit %n\n ret", "operand 0 is no pointer"},
    {" %x = shuffle f32 up(-1, %n, 1, 32)\n ret", "operand 1 has type i32"},
    {" %x = vote i32 (-1, %c)\n ret", "no name"},
    {" %x = pure i32 (%n)\n ret", "no name"},
    {" call void ()\n ret", "neither a name nor a pointer"},
    {" call void (%p, %n)\n ret", "neither a name nor a pointer"},
    {" call void (%n, %p)\n ret", NULL},
    // references
    {" %x = add i32 none, 1\n ret", "operand 0 is not defined"},
    {" store i32 %p, 1\n %x = zext i64 %0\n ret", "operand 0 is not defined"}, // no result
    {" %x = add i32 %y, 1\n %y = add i32 %x, 1\n ret", "not defined on every way"},
    {" %x = add i32 %x, 1\n ret", "not defined on every way"},
    {THEN " %x = add i32 %n, 1\n br ^b\n^b:\n %y = add i32 %x, 1\n ret", "not defined on every way"},
    {THEN " %x = add i32 %n, 1\n br ^d\n^b:\n br ^d\n^d:\n %y = phi i32 [%x, ^a], [1, ^b]\n ret", NULL},
    {" ret\n^dead:\n %x = add i32 %x, 1\n br ^dead", NULL},
    {" br ^b\n^dead:\n %x = add i32 %n, 1\n br ^b\n^b:\n %y = add i32 %x, 1\n ret",
     "not defined on every way"},
    // phis
    {THEN " br ^b\n^b:\n %x = phi i32 [1, ^entry], [2, ^a]\n ret", NULL},
    {THEN " br ^b\n^b:\n %x = phi i32 [1, ^entry]\n ret", "no value from block 1"},
    {THEN " br ^b\n^b:\n %x = phi i32 [2, ^a]\n ret", "block 1 and the predecessors"},
    {THEN " br ^b\n^b:\n %x = phi i32 [1, ^entry], [2, ^a], [3, ^b]\n ret", "block 2 and the predecessors"},
    {THEN " br ^b\n^b:\n %x = phi i32 [1, ^entry], [2, ^a], [3, ^a]\n ret", "two values from block 1"},
    {THEN " br ^b\n^b:\n %x = phi i32 [1, ^entry], [%l, ^a]\n ret", "operand 1 has type i64"},
    {THEN " br ^b\n^b:\n fence\n %x = phi i32 [1, ^entry], [2, ^a]\n ret", "behind other instructions"},
    {THEN " %y = add i32 %n, 1\n br ^b\n^b:\n %x = phi i32 [%y, ^entry], [2, ^a]\n ret",
     "does not reach the end"},
    {" switch i32 %n, ^a, 1 ^a\n^a:\n %x = phi i32 [%n, ^entry], [%n, ^entry]\n ret", NULL},
    {" switch i32 %n, ^a, 1 ^a\n^a:\n %x = phi i32 [%n, ^entry]\n ret", NULL},
    {" br ^a\n^a:\n %x = phi i32 [0, ^entry], [%x2, ^a]\n %x2 = add i32 %x, 1\n condbr %c, ^a, ^b\n^b:\n ret",
     NULL},
};

static void test_cases(void) {
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[1024];
    snprintf(
        text, sizeof text,
        "module device none\nfunc void &f(i32 %%n, i64 %%l, f32 %%f, ptr %%p, i1 %%c) {\n^entry:\n%s\n}\n",
        cases[i].body);
    Fixture fixture = fixture_open(text);
    if (CHECK(fixture.module != NULL)) {
      check_verdict(&fixture, cases[i].message, cases[i].body);
    } else {
      fprintf(stderr, "%s\n", text);
      show_diags(&fixture);
    }
    arena_close(fixture.arena);
  }
}

static void test_modules(void) {
  static const Case modules[] = {
      {"module device none\nfunc void &f() declare", NULL},
      {"module device none\nfunc void &f()", "a declaration with blocks, or none"},
      {"module device none\nfunc void &f() declare {\n^e:\n ret\n}", "a declaration with blocks"},
      {"module device none\nfunc void &f() {\n^e:\n^f:\n ret\n}", "block 0 \"e\": empty"},
      {"module device none\nfunc void &0 \"f\"() declare\nfunc void &1 \"f\"() declare",
       "two functions named \"f\""},
      {"module device none\nglobal $a shared size 4 dynamic", "dynamic shared memory"},
      {"module device none\nglobal $a global dynamic", "dynamic shared memory"},
      {"module device none\nglobal $a shared dynamic", NULL},
      {"module device none\nfunc void &f(void %a) declare", "type of parameter 0"},
      {"module device none\nfunc void &f(i32 %a byval 4) declare", "parameter 0 by value"},
      {"module device none\nfunc i32 &f() {\n^e:\n ret\n}", "returns void instead of i32"},
      {"module device none\nfunc i32 &f() {\n^e:\n ret i32 1\n}", NULL},
  };
  for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
    Fixture fixture = fixture_open(modules[i].body);
    if (CHECK(fixture.module != NULL)) check_verdict(&fixture, modules[i].message, modules[i].body);
    arena_close(fixture.arena);
  }
}

// ---- broken beyond what text can say

typedef void Damage(IrModule *module, IrFunction *f, IrInst *inst);

static void damage_op(IrModule *m, IrFunction *f, IrInst *i) {
  (void)m, (void)f, i->op = IR_OP_COUNT;
}
static void damage_op_none(IrModule *m, IrFunction *f, IrInst *i) {
  (void)m, (void)f, i->op = IR_NONE;
}
static void damage_pred(IrModule *m, IrFunction *f, IrInst *i) {
  (void)m, (void)f, i->pred = IR_PRED_COUNT;
}
static void damage_rmw(IrModule *m, IrFunction *f, IrInst *i) {
  (void)m, (void)f, i->rmw = IR_RMW_COUNT;
}
static void damage_order(IrModule *m, IrFunction *f, IrInst *i) {
  (void)m, (void)f, i->order = IR_ORDER_COUNT;
}
static void damage_scope(IrModule *m, IrFunction *f, IrInst *i) {
  (void)m, (void)f, i->scope = IR_SCOPE_COUNT;
}
static void damage_flags(IrModule *m, IrFunction *f, IrInst *i) {
  (void)m, (void)f, i->flags = IR_FLAG_PACKED;
}
static void damage_loc(IrModule *m, IrFunction *f, IrInst *i) {
  (void)f, i->loc = m->locs.count;
}
static void damage_type(IrModule *m, IrFunction *f, IrInst *i) {
  (void)m, (void)f, i->type.bytes = 8;
}
static void damage_bits(IrModule *m, IrFunction *f, IrInst *i) {
  (void)m, (void)f, i->type = ir_type_int(24);
}
static void damage_block(IrModule *m, IrFunction *f, IrInst *i) {
  (void)m, (void)f, i->block = 7;
}
static void damage_ops(IrModule *m, IrFunction *f, IrInst *i) {
  (void)m, (void)f, i->ops = NULL;
}
static void damage_ref(IrModule *m, IrFunction *f, IrInst *i) {
  (void)f;
  i->ops = arena_copy(m->arena, (IrRef[]){IR_REF(9, 0), IR_REF(9, 0)}, 2 * sizeof(IrRef));
}
static void damage_ref_index(IrModule *m, IrFunction *f, IrInst *i) {
  IrRef far = IR_REF(IR_REF_CONST, f->consts.count);
  i->ops = arena_copy(m->arena, (IrRef[]){far, far}, 2 * sizeof(IrRef));
}
static void damage_const(IrModule *m, IrFunction *f, IrInst *i) {
  (void)m, (void)i;
  f->consts.items[0].bits = INT64_C(1) << 40;
}
static void damage_truth(IrModule *m, IrFunction *f, IrInst *i) {
  (void)m, (void)i;
  f->consts.items[0] = (IrConst){.type = ir_type_int(1), .bits = -1};
}
static void damage_first(IrModule *m, IrFunction *f, IrInst *i) {
  (void)m, (void)i, f->blocks.items[0].first = 1;
}
static void damage_count(IrModule *m, IrFunction *f, IrInst *i) {
  (void)m, (void)i, f->blocks.items[0].count = 9;
}
static void damage_short(IrModule *m, IrFunction *f, IrInst *i) {
  (void)m, (void)i, f->insts.count++;
}
static void damage_target(IrModule *m, IrFunction *f, IrInst *i) {
  (void)f;
  i[1] = (IrInst){.op = IR_BR, .block_count = 1, .blocks = arena_copy(m->arena, &(uint32_t){1}, 4)};
}
static void damage_space(IrModule *m, IrFunction *f, IrInst *i) {
  (void)f, (void)i;
  vec_push(m->arena, &m->globals, (IrGlobal){.name = "g", .space = 2});
}
static void damage_sreg(IrModule *m, IrFunction *f, IrInst *i) {
  (void)m, (void)f;
  *i = (IrInst){.op = IR_SREG, .type = ir_type_int(32), .imm = IR_SREG_COUNT};
}
static void damage_barrier(IrModule *m, IrFunction *f, IrInst *i) {
  (void)m, (void)f;
  *i = (IrInst){.op = IR_BARRIER, .imm = IR_BARRIER_KIND_COUNT, .scope = IR_SCOPE_BLOCK};
}
static void damage_mbarrier(IrModule *m, IrFunction *f, IrInst *i) {
  (void)m, (void)f;
  *i = (IrInst){.op = IR_MBARRIER, .imm = IR_MBARRIER_KIND_COUNT};
}
static void damage_pipeline(IrModule *m, IrFunction *f, IrInst *i) {
  (void)m, (void)f;
  *i = (IrInst){.op = IR_PIPELINE, .imm = -1};
}
static void damage_atomic(IrModule *m, IrFunction *f, IrInst *i) {
  (void)m;
  IrRef ops[2] = {IR_REF(IR_REF_FUNC, 0), i->ops[1]};
  *i = (IrInst){
      .op = IR_ATOMICRMW, .type = i->type, .op_count = 2, .ops = arena_copy(m->arena, ops, sizeof ops)};
  (void)f;
}
static void damage_phi(IrModule *m, IrFunction *f, IrInst *i) {
  (void)m, (void)f;
  *i = (IrInst){.op = IR_PHI, .type = i->type, .op_count = 1, .ops = i->ops};
}
static void damage_cases(IrModule *m, IrFunction *f, IrInst *i) {
  (void)f;
  i[1] = (IrInst){.op = IR_SWITCH, .op_count = 1, .ops = i->ops, .block_count = 2};
  i[1].blocks = arena_copy(m->arena, (uint32_t[]){0, 0}, 2 * sizeof(uint32_t));
}
static void damage_locs(IrModule *m, IrFunction *f, IrInst *i) {
  (void)f, (void)i, m->locs.count = 0;
}
static void damage_name(IrModule *m, IrFunction *f, IrInst *i) {
  (void)m, (void)i, f->name = NULL;
}
static void damage_nothing(IrModule *m, IrFunction *f, IrInst *i) {
  (void)m, (void)f, (void)i;
}

static const struct {
  Damage *damage;
  const char *message;
} damages[] = {
    {damage_nothing, NULL},
    {damage_op, "unknown operation"},
    {damage_op_none, "unknown operation"},
    {damage_pred, "unknown predicate"},
    {damage_rmw, "unknown atomic operation"},
    {damage_order, "unknown order"},
    {damage_scope, "unknown scope"},
    {damage_flags, "flag 'packed'"},
    {damage_loc, "place out of range"},
    {damage_type, "unsound type"},
    {damage_bits, "unsound type"},
    {damage_block, "says block 7"},
    {damage_ops, "without a list"},
    {damage_ref, "operand 0 is not defined"},
    {damage_ref_index, "operand 0 is not defined"},
    {damage_const, "constant 0 does not fit"},
    {damage_truth, "constant 0 does not fit"},
    {damage_first, "do not follow"},
    {damage_count, "do not follow"},
    {damage_short, "instructions in no block"},
    {damage_target, "block out of range"},
    {damage_space, "unknown address space 2"},
    {damage_sreg, "unknown special register"},
    {damage_barrier, "unknown kind of barrier"},
    {damage_mbarrier, "unknown kind of mbarrier"},
    {damage_pipeline, "unknown kind of pipeline"},
    {damage_atomic, "unknown atomic operation 0"},
    {damage_phi, "values and blocks differ"},
    {damage_cases, "no case values"},
    {damage_locs, "no unknown place"},
    {damage_name, "without a name"},
};

static void test_damages(void) {
  for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
    Fixture fixture =
        fixture_open("module device none\nfunc void &f() {\n^e:\n %x = add i32 1, 2\n ret\n}\n");
    if (!CHECK(fixture.module != NULL)) return;
    IrFunction *f = fixture.module->functions.items[0];
    damages[i].damage(fixture.module, f, &f->insts.items[0]);
    check_verdict(&fixture, damages[i].message, "damage");
    arena_close(fixture.arena);
  }
}

// Errors name function, block and instruction, stand at the instruction's place, and are bounded in number.
static void test_messages(void) {
  Fixture fixture = fixture_open("module device none\nloc @1 \"a.cu\":7:3\nfunc void &f() {\n^head:\n"
                                 " br ^next\n^next:\n %x = trunc i64 1:i32 @1\n ret\n}\n");
  CHECK(!ir_verify(fixture.module, fixture.sink));
  if (CHECK(fixture.sink->diags.count == 1)) {
    CHECK_TEXT(fixture.sink->diags.items[0].message,
               "broken IR: function \"f\", block 1 \"next\", instruction 1 (trunc): from i32 to i64");
    CHECK(fixture.sink->diags.items[0].loc.line == 7);
  }
  arena_close(fixture.arena);
  StrBuf text = {.arena = arena_open()};
  strbuf_add(&text, "module device none\nfunc void &f() {\n^e:\n");
  for (int i = 0; i < 100; i++)
    strbuf_add(&text, " store i32 1\n");
  strbuf_add(&text, " ret\n}\n");
  fixture = fixture_open(strbuf_text(&text));
  CHECK(!ir_verify(fixture.module, fixture.sink));
  CHECK(fixture.sink->diags.count == 21);
  CHECK_TEXT(vec_last(&fixture.sink->diags).message, "broken IR: 80 more errors");
  arena_close(fixture.arena);
  arena_close(text.arena);
}

int main(void) {
  test_cases();
  test_modules();
  test_damages();
  test_messages();
  return check_result();
}
