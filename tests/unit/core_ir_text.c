// The text form of the IR: what is printed reads back to the same module, whatever names and places it has,
// and text with a mistake is refused with the line of the mistake.
// SPDX-License-Identifier: Apache-2.0
#include "core/ir.h"
#include "tests/unit/check.h"

#include <stdlib.h>

typedef struct Fixture {
  Arena *arena;
  StrTable *strings;
  DiagSink *sink;
} Fixture;

static Fixture fixture_open(void) {
  Fixture fixture = {.arena = arena_open()};
  fixture.strings = str_table_make(fixture.arena);
  fixture.sink = diag_sink_make(fixture.arena);
  return fixture;
}

static const char *print(Fixture *fixture, const IrModule *module) {
  StrBuf out = {.arena = fixture->arena};
  ir_print(module, &out);
  return strbuf_text(&out);
}

static IrModule *read_text(Fixture *fixture, const char *text) {
  return ir_read(fixture->arena, fixture->strings, "test.ir", text, fixture->sink);
}

static char *read_path(Fixture *fixture, const char *path) {
  FILE *file = fopen(path, "rb");
  char *text = arena_alloc(fixture->arena, 1 << 20);
  if (!CHECK(file != NULL)) return text;
  CHECK(fread(text, 1, (1 << 20) - 1, file) > 0);
  fclose(file);
  return text;
}

static char *read_file(Fixture *fixture, const char *name) {
  return read_path(fixture, arena_printf(fixture->arena, "%s/ir/%s", HGRD_TESTS_DIR, name));
}

static void show_diags(const Fixture *fixture) {
  for (uint32_t i = 0; i < fixture->sink->diags.count; i++)
    fprintf(stderr, "line %u: %s\n", fixture->sink->diags.items[i].loc.line,
            fixture->sink->diags.items[i].message);
}

// ---- samples

// Comments and blank lines at the top are not printed.
static const char *skip_comments(const char *text) {
  while (text[0] == '/' || text[0] == '\n')
    text += strcspn(text, "\n") + 1;
  return text;
}

// The samples are written as the printer writes them.
static void test_sample(const char *name) {
  Fixture fixture = fixture_open();
  const char *text = read_file(&fixture, name);
  const IrModule *module = read_text(&fixture, text);
  if (!CHECK(module != NULL) || !CHECK(ir_verify(module, fixture.sink))) {
    show_diags(&fixture);
    return;
  }
  CHECK_TEXT(print(&fixture, module), skip_comments(text));
  arena_close(fixture.arena);
}

static void test_sample_has_every_operation(void) {
  Fixture fixture = fixture_open();
  const IrModule *module = read_text(&fixture, read_file(&fixture, "every_operation.ir"));
  bool seen[IR_OP_COUNT] = {false};
  for (uint32_t f = 0; module && f < module->functions.count; f++)
    for (uint32_t i = 0; i < module->functions.items[f]->insts.count; i++)
      seen[module->functions.items[f]->insts.items[i].op] = true;
  for (unsigned op = IR_NONE + 1; op < IR_OP_COUNT; op++)
    if (!CHECK(seen[op])) fprintf(stderr, "missing: %s\n", ir_op_name((IrOp)op));
  arena_close(fixture.arena);
}

// The page shows the sample as it is, and speaks of every operation.
static void test_documentation(void) {
  Fixture fixture = fixture_open();
  const char *page = read_path(&fixture, HGRD_TESTS_DIR "/../docs/ir.md");
  CHECK(strstr(page, read_file(&fixture, "reverse.ir")) != NULL);
  for (unsigned op = IR_NONE + 1; op < IR_OP_COUNT; op++)
    if (!CHECK(strstr(page, ir_op_name((IrOp)op)) != NULL))
      fprintf(stderr, "missing: %s\n", ir_op_name((IrOp)op));
  arena_close(fixture.arena);
}

// ---- what is read

static bool same_text(const char *a, const char *b) {
  return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_locs(const SrcLoc *a, const SrcLoc *b) {
  for (; a && b; a = a->inlined_at, b = b->inlined_at)
    if (!same_text(a->file, b->file) || a->line != b->line || a->column != b->column ||
        !same_text(a->function, b->function))
      return false;
  return a == b;
}

static bool same_types(IrType a, IrType b) {
  return a.kind == b.kind && a.bits == b.bits && a.space == b.space && a.bytes == b.bytes;
}

static bool same_refs(const IrFunction *f, IrRef a, const IrFunction *g, IrRef b) {
  if (ir_ref_kind(a) != IR_REF_CONST || ir_ref_kind(b) != IR_REF_CONST) return a == b;
  const IrConst *x = &f->consts.items[ir_ref_index(a)], *y = &g->consts.items[ir_ref_index(b)];
  return same_types(x->type, y->type) && x->bits == y->bits && x->is_undef == y->is_undef;
}

static bool same_insts(const IrFunction *f, const IrInst *a, const IrFunction *g, const IrInst *b) {
  if (a->op != b->op || a->flags != b->flags || a->pred != b->pred || a->rmw != b->rmw ||
      a->order != b->order || a->scope != b->scope || a->op_count != b->op_count ||
      a->block_count != b->block_count || a->block != b->block || a->loc != b->loc ||
      !same_types(a->type, b->type) || a->imm != b->imm || !same_text(a->name, b->name))
    return false;
  for (uint32_t i = 0; i < a->op_count; i++)
    if (!same_refs(f, a->ops[i], g, b->ops[i])) return false;
  for (uint32_t i = 0; i < a->block_count; i++)
    if (a->blocks[i] != b->blocks[i] ||
        (a->op == IR_SWITCH && i && a->case_values[i - 1] != b->case_values[i - 1]))
      return false;
  return true;
}

static bool same_params(const IrParam *a, const IrParam *b) {
  return same_text(a->name, b->name) && same_types(a->type, b->type) && a->byval_bytes == b->byval_bytes &&
         a->is_restrict == b->is_restrict && a->is_unsigned == b->is_unsigned;
}

static bool same_functions(const IrFunction *f, const IrFunction *g) {
  bool same = same_text(f->name, g->name) && same_text(f->display, g->display) && f->loc == g->loc &&
              f->is_kernel == g->is_kernel && f->is_external == g->is_external &&
              f->is_declaration == g->is_declaration && f->max_threads == g->max_threads &&
              f->min_blocks == g->min_blocks && memcmp(f->cluster, g->cluster, sizeof f->cluster) == 0 &&
              same_types(f->result, g->result) && f->params.count == g->params.count &&
              f->blocks.count == g->blocks.count && f->insts.count == g->insts.count;
  for (uint32_t i = 0; same && i < f->params.count; i++)
    same = same_params(&f->params.items[i], &g->params.items[i]);
  for (uint32_t i = 0; same && i < f->blocks.count; i++)
    same = same_text(f->blocks.items[i].name, g->blocks.items[i].name) &&
           f->blocks.items[i].first == g->blocks.items[i].first &&
           f->blocks.items[i].count == g->blocks.items[i].count;
  for (uint32_t i = 0; same && i < f->insts.count; i++)
    same = same_insts(f, &f->insts.items[i], g, &g->insts.items[i]);
  return same;
}

static bool same_globals(const IrGlobal *a, const IrGlobal *b) {
  return same_text(a->name, b->name) && same_text(a->display, b->display) && a->space == b->space &&
         a->is_constant == b->is_constant && a->is_dynamic_shared == b->is_dynamic_shared &&
         a->is_external == b->is_external && a->is_static == b->is_static && a->bytes == b->bytes &&
         a->align == b->align && a->loc == b->loc && (a->data != NULL) == (b->data != NULL) &&
         (!a->data || memcmp(a->data, b->data, a->bytes) == 0);
}

static bool same_modules(const IrModule *a, const IrModule *b) {
  bool same = same_text(a->source, b->source) && a->is_device == b->is_device && a->arch == b->arch &&
              a->functions.count == b->functions.count && a->globals.count == b->globals.count &&
              a->locs.count == b->locs.count;
  for (uint32_t i = 0; same && i < a->locs.count; i++)
    same = same_locs(&a->locs.items[i], &b->locs.items[i]);
  for (uint32_t i = 0; same && i < a->globals.count; i++)
    same = same_globals(&a->globals.items[i], &b->globals.items[i]);
  for (uint32_t i = 0; same && i < a->functions.count; i++)
    same = same_functions(a->functions.items[i], b->functions.items[i]);
  return same;
}

static void check_round_trip(Fixture *fixture, const IrModule *module) {
  const char *text = print(fixture, module);
  const IrModule *again = read_text(fixture, text);
  if (!CHECK(again != NULL)) {
    show_diags(fixture);
    fputs(text, stderr);
    return;
  }
  CHECK(same_modules(module, again));
  CHECK_TEXT(print(fixture, again), text);
}

// Names that try to be something else: numbers, sigils, text that ends strings and lines, other encodings.
static const char *const hostile_names[] = {
    "",     "0",   "12",      "%12",      "x",    "x",      "a b",  "\"",         "\\",       "\n}\n",
    "//",   "p\t", "\x01",    "\xff\xfe", "none", "true",   "i32",  "ptr.shared", "entry:",   "#1",
    "-1",   "-",   "a-b",     "a.b$c",    "_",    "$",      "&x",   "@1",         "\xc3\xa9", "x\"y\\n",
    "func", "[x]", "declare", "zero",     "{",    "%s%n%d", "name", "0x10",       "X",        "a,b"};
enum { HOSTILE_COUNT = sizeof hostile_names / sizeof *hostile_names };

static void add_hostile_function(IrModule *module, uint32_t number) {
  Arena *arena = module->arena;
  IrFunction *f = ir_function_add(module, arena_printf(arena, "%s%u", hostile_names[number], number % 3),
                                  hostile_names[number]);
  f->result = ir_type_int(32);
  f->is_kernel = number % 2;
  for (uint32_t i = 0; i < HOSTILE_COUNT; i++)
    vec_push(arena, &f->params, (IrParam){.name = hostile_names[i], .type = ir_type_int(32)});
  vec_push(arena, &f->params, (IrParam){.name = NULL, .type = ir_type_int(32), .is_unsigned = true});
  for (uint32_t i = 0; i < HOSTILE_COUNT; i++) {
    ir_block_add(module, f, i % 5 ? hostile_names[i] : NULL);
    IrRef ops[2] = {IR_REF(IR_REF_PARAM, i), ir_const_int(module, f, 32, (int64_t)i - 5)};
    IrInst inst = {
        .op = IR_ADD, .type = ir_type_int(32), .op_count = 2, .ops = ops, .name = hostile_names[i]};
    IrRef sum = ir_inst_add(module, f, inst);
    inst = (IrInst){.op = IR_CALL, .op_count = 1, .ops = &sum, .name = hostile_names[i], .loc = 1 + i};
    ir_inst_add(module, f, inst);
    inst = (IrInst){.op = IR_UNDEF, .type = ir_type_ptr(3), .name = i % 2 ? "x" : "unique"};
    ir_inst_add(module, f, inst);
    uint32_t target = i + 1;
    inst = i + 1 < HOSTILE_COUNT ? (IrInst){.op = IR_BR, .block_count = 1, .blocks = &target}
                                 : (IrInst){.op = IR_RET, .op_count = 1, .ops = &sum};
    inst.name = hostile_names[i]; // has no result, but may have a name
    ir_inst_add(module, f, inst);
  }
}

static IrModule *make_hostile(Fixture *fixture) {
  IrModule *module = ir_module_make(fixture->arena, fixture->strings, "a \"b\"\n.cu", true);
  const SrcLoc *outer = NULL;
  for (uint32_t i = 0; i < HOSTILE_COUNT; i++) {
    SrcLoc loc = {hostile_names[i], i, 2 * i, hostile_names[HOSTILE_COUNT - 1 - i], i % 4 ? outer : NULL};
    CHECK(ir_loc_add(module, loc) == i + 1);
    outer = arena_copy(fixture->arena, &module->locs.items[i + 1], sizeof loc);
  }
  for (uint32_t i = 0; i < HOSTILE_COUNT; i++) {
    uint8_t *data = arena_alloc(fixture->arena, 4 * i + 1);
    for (uint32_t b = 0; b < 4 * i; b++)
      data[b] = (uint8_t)(b < 2 * i ? i : 17 * b);
    IrGlobal global = {
        .name = hostile_names[i], .display = hostile_names[i / 2], .space = (uint8_t)(i % 2 ? 1 : 4)};
    global.bytes = 4 * i;
    global.data = i % 3 ? data : NULL;
    global.is_constant = i % 2;
    global.is_external = i % 5 == 0;
    global.is_static = i % 7 == 0;
    global.align = i;
    global.loc = i;
    vec_push(fixture->arena, &module->globals, global);
  }
  for (uint32_t i = 0; i < HOSTILE_COUNT; i++)
    add_hostile_function(module, i);
  return module;
}

static void test_hostile_names(void) {
  Fixture fixture = fixture_open();
  check_round_trip(&fixture, make_hostile(&fixture));
  arena_close(fixture.arena);
}

static void test_host_module(void) {
  Fixture fixture = fixture_open();
  const IrModule *module = ir_module_make(fixture.arena, fixture.strings, NULL, false);
  CHECK_TEXT(print(&fixture, module), "module host none\n");
  check_round_trip(&fixture, module);
  arena_close(fixture.arena);
}

// By hand: short forms, comments, any order of attributes, results without a name.
static void test_hand_written(void) {
  Fixture fixture = fixture_open();
  const IrModule *module = read_text(&fixture, "// a comment\r\n\r\n"
                                               "module device \"x.cu\" // arch is not said\n"
                                               "func void &k(ptr %p) kernel {\n"
                                               "^entry: // first\n"
                                               "\n"
                                               "%t=sreg tid.x i32\n"
                                               "  atomicrmw add i32 %p,%t block relaxed name \"//\"\n"
                                               "  ret void\n"
                                               "  }\n");
  if (CHECK(module != NULL) && CHECK(ir_verify(module, fixture.sink)))
    CHECK_TEXT(print(&fixture, module), "module device \"x.cu\"\n"
                                        "\n"
                                        "func void &k(ptr %p) kernel {\n"
                                        "^entry:\n"
                                        "  %t = sreg tid.x i32\n"
                                        "  %1 = atomicrmw add i32 %p, %t relaxed block name \"//\"\n"
                                        "  ret\n"
                                        "}\n");
  show_diags(&fixture);
  arena_close(fixture.arena);
}

// ---- mistakes

typedef struct Mistake {
  const char *text;
  uint32_t line;
  const char *message; // a part of it
} Mistake;

#define IN_BODY(line) "module host \"x\"\nfunc void &f(i32 %a, ptr %p) {\n^entry:\n" line "\n ret\n}\n"

static const Mistake mistakes[] = {
    {"", 1, "expected 'module'"},
    {"modul host none", 1, "expected 'module'"},
    {"module gpu none", 1, "'device' or 'host'"},
    {"module host \"x", 1, "does not end on this line"},
    {"module host \"\\q\"", 1, "unknown escape"},
    {"module host \"\\x00\"", 1, "not 00"},
    {"module host none arch 99999999999", 1, "above 4294967295"},
    {"module host none arch 99999999999999999999999", 1, "too large"},
    {"module host none arch -1", 1, "expected a number"},
    {"module host none 7", 1, "end of the line"},
    {"module host none\nstrange", 2, "'loc', 'global', 'func', 'class' or 'address'"},
    {"module host none\nclass \"B\"\nclass \"A\"", 3, "classes come in order"},
    {"module host none\nclass \"A\" unseen", 2, "expected a string"},
    {"module host none\n\x01", 2, "unexpected character"},
    {"module host none\nloc @2 none:1:1", 2, "expected @1"},
    {"module host none\nloc @1 none:1", 2, "expected ':'"},
    {"module host none\nloc @1 none:1:1 at", 2, "expected a string"},
    {"module host none\nglobal tile shared", 2, "expected '$'"},
    {"module host none\nglobal $1 shared", 2, "expected number 0"},
    {"module host none\nglobal $a moon", 2, "address space"},
    {"module host none\nglobal $a shared big", 2, "unknown attribute"},
    {"module host none\nglobal $a shared @1", 2, "no such place"},
    {"module host none\nglobal $a shared\nglobal $a shared", 3, "defined twice"},
    {"module host none\nglobal $a shared size 4 = { 0102 }", 2, "less initial data"},
    {"module host none\nglobal $a shared size 1 = { 0102 }", 2, "more initial data"},
    {"module host none\nglobal $a generic size 8\naddress $a 0 = $a", 3, "no room for an address"},
    {"module host none\nglobal $a generic size 8 = { 00*8 }\naddress $a 1 = $a", 3, "no room for an address"},
    {"module host none\nglobal $a generic size 8 = { 00*8 }\naddress $a 0 = 5", 3, "a global or a function"},
    {"module host none\nglobal $a generic size 8 = { 00*8 }\naddress $a 0 = &f", 3, "'f' is not defined"},
    {"module host none\nglobal $a shared size 2 = { 010 }", 2, "hexadecimal"},
    {"module host none\nglobal $a shared size 2 = { 01", 2, "hexadecimal"},
    {"module host none\nglobal $a shared size 99999999999 = { 00*99999999999 }", 2, "too much"},
    {"module host none\nglobal $a shared size 8 = { 00*18446744073709551615 }", 2, "more initial data"},
    {"module host none\nfunc &f()", 2, "expected a type"},
    {"module host none\nfunc i7 &f()", 2, "expected a type"},
    {"module host none\nfunc bytes[x] &f()", 2, "expected a number"},
    {"module host none\nfunc void &f(i32)", 2, "expected '%'"},
    {"module host none\nfunc void &f(i32 %0)", 2, "expected %# and a number"},
    {"module host none\nfunc void &f(i32 %a, i32 %a)", 2, "defined twice"},
    {"module host none\nfunc void &f(i32 %a nice)", 2, "attribute of a parameter"},
    {"module host none\nfunc void &f() nice", 2, "attribute of a function"},
    {"module host none\nfunc void &f()\nfunc void &f()", 3, "defined twice"},
    {"module host none\nfunc void &f() {\n^e:\n ret\n", 5, "body does not end"},
    {"module host none\nfunc void &f() { ret }\n", 2, "end of the line"},
    {"module host none\nfunc void &f() {\n ret\n}\n", 3, "expected a block"},
    {"module host none\nfunc void &f() {\n^e:\n^e:\n}\n", 4, "defined twice"},
    {"module host none\nfunc void &f() {\n^1:\n}\n", 3, "expected number 0"},
    {"module host none\nfunc void &f() {\n^e\n}\n", 3, "expected ':'"},
    {IN_BODY("%a = undef i32"), 4, "defined twice"},
    {IN_BODY("%1 = undef i32"), 4, "expected number 0"},
    {IN_BODY("%#0 = undef i32"), 4, "a parameter is no result"},
    {IN_BODY("%x undef i32"), 4, "expected '='"},
    {IN_BODY("%x = fence"), 4, "no result"},
    {IN_BODY("multiply"), 4, "unknown operation"},
    {IN_BODY("none"), 4, "unknown operation"},
    {IN_BODY("%x = icmp i32 %a, 1"), 4, "unknown kind of icmp"},
    {IN_BODY("%x = icmp near i32 %a, 1"), 4, "unknown kind of icmp"},
    {IN_BODY("%x = add i32 %b, 1"), 4, "'b' is not defined"},
    {IN_BODY("%x = add i32 %7, 1"), 4, "there is no number 7"},
    {IN_BODY("%x = add i32 %#2, 1"), 4, "there is no number 2"},
    {IN_BODY("%x = add i32 %99999999999999999999, 1"), 4, "too large"},
    {IN_BODY("%x = add i32 %a, "), 4, "expected an operand"},
    {IN_BODY("%x = add i32 %a 1"), 4, "attribute or the end"},
    {IN_BODY("%x = add i32 %a, 4294967296"), 4, "does not fit"},
    {IN_BODY("%x = add i32 %a, -2147483649"), 4, "does not fit"},
    {IN_BODY("%x = add i64 0, -9223372036854775809"), 4, "too small"},
    {IN_BODY("%x = add i32 %a, 1:void"), 4, "needs a type"},
    {IN_BODY("%x = add i32 %a, 0x"), 4, "expected a digit"},
    {IN_BODY("%x = add i32 %a, 1b"), 4, "a letter in a number"},
    {IN_BODY("%x = add i32 %a, null"), 4, "needs another type"},
    {IN_BODY("%x = load i32 zero"), 4, "needs another type"},
    {IN_BODY("%x = load i32 $tile"), 4, "'tile' is not defined"},
    {IN_BODY("store ptr %p, &g"), 4, "'g' is not defined"},
    {IN_BODY("br ^exit"), 4, "'exit' is not defined"},
    {IN_BODY("br ^1"), 4, "there is no number 1"},
    {IN_BODY("switch i32 %a, ^entry, ^entry"), 4, "value of a case"},
    {IN_BODY("%x = phi i32 [%a ^entry]"), 4, "expected ','"},
    {IN_BODY("%x = phi i32 [%a, %a]"), 4, "expected a block"},
    {IN_BODY("call f()"), 4, "expected a type"},
    {IN_BODY("call void f(%a"), 4, "expected ')'"},
    {IN_BODY("call void f(%a,)"), 4, "expected an operand"},
    {IN_BODY("fence device @3"), 4, "no such place"},
    {IN_BODY("fence device pred big"), 4, "unknown predicate"},
    {IN_BODY("fence device rmw big"), 4, "unknown atomic"},
    {IN_BODY("fence device name x"), 4, "expected a string"},
    {IN_BODY("asyncwait pending"), 4, "expected a number"},
};

static void test_mistakes(void) {
  for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
    Fixture fixture = fixture_open();
    const Mistake *mistake = &mistakes[i];
    bool good = CHECK(read_text(&fixture, mistake->text) == NULL) && CHECK(fixture.sink->diags.count == 1);
    if (good) {
      const Diag *diag = &fixture.sink->diags.items[0];
      good = CHECK(diag->loc.line == mistake->line) &&
             CHECK(strstr(diag->message, mistake->message) != NULL) &&
             CHECK(diag->severity == DIAG_ERROR && diag->loc.column > 0);
      CHECK_TEXT(diag->loc.file, "test.ir");
    }
    if (!good) {
      fprintf(stderr, "for:\n%s\n", mistake->text);
      show_diags(&fixture);
    }
    arena_close(fixture.arena);
  }
}

// Truncated or with one byte changed, a module is read or refused, and what is read can be printed and read
// again.
static void test_damage(void) {
  Fixture fixture = fixture_open();
  const char *text = read_file(&fixture, "every_operation.ir");
  size_t length = strlen(text);
  uint64_t state = 1;
  uint32_t survivors = 0;
  for (size_t i = 0; i < length; i += 7) {
    ArenaMark mark = arena_mark(fixture.arena);
    Fixture inner = {fixture.arena, str_table_make(fixture.arena), diag_sink_make(fixture.arena)};
    char *copy = arena_strdup(fixture.arena, text);
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    copy[i] = i % 2 ? (char)0 : (char)(state >> 33);
    const IrModule *module = read_text(&inner, copy);
    CHECK((module != NULL) == (inner.sink->diags.count == 0));
    if (module && ir_verify(module, inner.sink)) {
      const char *first = print(&inner, module);
      const IrModule *again = read_text(&inner, first);
      if (CHECK(again != NULL)) CHECK_TEXT(print(&inner, again), first);
      survivors++;
    }
    arena_release(fixture.arena, mark);
  }
  CHECK(survivors > 10);
  arena_close(fixture.arena);
}

int main(void) {
  test_sample("saxpy.ir");
  test_sample("every_operation.ir");
  test_sample("reverse.ir");
  test_sample_has_every_operation();
  test_documentation();
  test_hostile_names();
  test_host_module();
  test_hand_written();
  test_mistakes();
  test_damage();
  return check_result();
}
