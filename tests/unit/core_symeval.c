// One instruction, four answers: native C arithmetic, the interpreter, symeval on symbols evaluated with
// expr_eval, and symeval on constants. All must agree, on random and on extreme values of every width.
// SPDX-License-Identifier: Apache-2.0
#include "core/symeval.h"

#include "core/interp.h"
#include "tests/unit/check.h"

#include <math.h>

typedef struct Lab {
  Arena *arena;
  IrModule *module;
  IrFunction *function;
  IrInst inst; // the one instruction; its operands are the parameters
  uint8_t param_widths[3];
} Lab;

typedef struct Seen {
  bool was_reached;
  int64_t offset;
} Seen;

static uint64_t next_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  uint64_t x = *state ^ (*state >> 29);
  return x * 0xbf58476d1ce4e5b9u ^ (x >> 32);
}

// Small, extreme and arbitrary words alike.
static int64_t pick_word(uint64_t *state, uint8_t width) {
  uint64_t r = next_random(state), kind = r >> 60;
  uint64_t sign = (uint64_t)1 << (width - 1);
  if (kind < 4) return expr_signed_reading((int64_t)(r % 20) - 10, width);
  if (kind < 6) return expr_signed_reading((int64_t)(sign + r % 5 - 2), width);
  if (kind < 8) return expr_signed_reading((int64_t)((uint64_t)1 << (r % width)), width);
  return expr_signed_reading((int64_t)r, width);
}

static IrRef param(uint32_t index) {
  return IR_REF(IR_REF_PARAM, index);
}

// void f(T a, U b, V c, pointer p) { load p + (i64)op(a, b, c) }
static Lab make_lab(IrInst inst, const IrType *operand_types) {
  Lab lab = {.arena = arena_open()};
  lab.module = ir_module_make(lab.arena, str_table_make(lab.arena), "lab", true);
  lab.function = ir_function_add(lab.module, "f", "f");
  IrRef ops[] = {param(0), param(1), param(2)};
  for (uint32_t i = 0; i < inst.op_count; i++) {
    vec_push(lab.arena, &lab.function->params, (IrParam){.name = "p", .type = operand_types[i]});
    lab.param_widths[i] = symeval_width(operand_types[i]);
  }
  vec_push(lab.arena, &lab.function->params, (IrParam){.name = "out", .type = ir_type_ptr(IR_SPACE_GLOBAL)});
  ir_block_add(lab.module, lab.function, "entry");
  inst.ops = ops;
  IrRef result = ir_inst_add(lab.module, lab.function, inst), wide = result;
  if (inst.type.kind == IR_FLOAT)
    wide = ir_inst_add(
        lab.module, lab.function,
        (IrInst){.op = IR_BITCAST, .type = ir_type_int(inst.type.bits), .op_count = 1, .ops = &result});
  IrRef narrow = wide;
  if (inst.type.bits < 64)
    wide = ir_inst_add(lab.module, lab.function,
                       (IrInst){.op = inst.type.bits == 1 ? IR_ZEXT : IR_SEXT,
                                .type = ir_type_int(64),
                                .op_count = 1,
                                .ops = &narrow});
  IrRef sum[] = {param(inst.op_count), wide};
  IrRef address =
      ir_inst_add(lab.module, lab.function,
                  (IrInst){.op = IR_PTRADD, .type = ir_type_ptr(IR_SPACE_GLOBAL), .op_count = 2, .ops = sum});
  ir_inst_add(lab.module, lab.function,
              (IrInst){.op = IR_LOAD, .type = ir_type_int(8), .op_count = 1, .ops = &address});
  ir_inst_add(lab.module, lab.function, (IrInst){.op = IR_RET});
  lab.inst = lab.function->insts.items[0];
  return lab;
}

static bool see(void *context, const InterpAccess *access) {
  *(Seen *)context = (Seen){true, access->offset};
  return true;
}

static InterpStop interpret(const Lab *lab, const int64_t *words, int64_t *result) {
  InterpPiece pieces[4];
  InterpArg args[4];
  uint32_t count = lab->inst.op_count;
  for (uint32_t i = 0; i <= count; i++) {
    InterpValue pointer = {.kind = INTERP_POINTER, .object = 1};
    InterpValue value = i < count ? (InterpValue){.kind = INTERP_WORD, .word = words[i]} : pointer;
    pieces[i] = (InterpPiece){0, lab->function->params.items[i].type.bytes, value};
    args[i] = (InterpArg){1, &pieces[i]};
  }
  Seen seen = {0};
  InterpRequest request = {.module = lab->module,
                           .kernel = lab->function,
                           .arg_count = count + 1,
                           .args = args,
                           .first_private_object = 100,
                           .step_limit = 100,
                           .access = see,
                           .context = &seen};
  InterpStop stop = interp_run(&request, lab->arena);
  *result = seen.offset;
  if (stop == INTERP_DONE) CHECK(seen.was_reached);
  return stop;
}

// ---- native arithmetic
typedef struct Native {
  bool has_value; // false: no meaning
  int64_t value;
} Native;

#define NATIVE(bits, S, U)                                                                                   \
  static Native native##bits(IrOp op, int64_t wide_a, int64_t wide_b) {                                      \
    S a = (S)wide_a, b = (S)wide_b;                                                                          \
    U x = (U)wide_a, y = (U)wide_b;                                                                          \
    bool overflows = b == -1 && a == (S)((U)1 << (bits - 1));                                                \
    switch ((int)op) {                                                                                       \
    case IR_ADD: return (Native){true, (S)(U)(x + y)};                                                       \
    case IR_SUB: return (Native){true, (S)(U)(x - y)};                                                       \
    case IR_MUL: return (Native){true, (S)(U)((uint64_t)x * (uint64_t)y)};                                   \
    case IR_SDIV: return b == 0 || overflows ? (Native){0} : (Native){true, (S)(a / b)};                     \
    case IR_SREM: return b == 0 || overflows ? (Native){0} : (Native){true, (S)(a % b)};                     \
    case IR_UDIV: return b == 0 ? (Native){0} : (Native){true, (S)(U)(x / y)};                               \
    case IR_UREM: return b == 0 ? (Native){0} : (Native){true, (S)(U)(x % y)};                               \
    case IR_SHL: return y >= bits ? (Native){0} : (Native){true, (S)(U)((uint64_t)x << y)};                  \
    case IR_LSHR: return y >= bits ? (Native){0} : (Native){true, (S)(U)(x >> y)};                           \
    case IR_ASHR: return y >= bits ? (Native){0} : (Native){true, (S)(a >> y)};                              \
    case IR_AND: return (Native){true, (S)(x & y)};                                                          \
    case IR_OR: return (Native){true, (S)(x | y)};                                                           \
    case IR_XOR: return (Native){true, (S)(x ^ y)};                                                          \
    default: return (Native){0};                                                                             \
    }                                                                                                        \
  }                                                                                                          \
  static bool compare##bits(IrPred pred, int64_t wide_a, int64_t wide_b) {                                   \
    S a = (S)wide_a, b = (S)wide_b;                                                                          \
    U x = (U)wide_a, y = (U)wide_b;                                                                          \
    bool results[] = {a == b, a != b, a<b, a <= b, a> b, a >= b, x<y, x <= y, x> y, x >= y};                 \
    return results[pred - IR_EQ];                                                                            \
  }                                                                                                          \
  static bool wraps##bits(IrOp op, uint8_t flags, int64_t wide_a, int64_t wide_b) {                          \
    S s, a = (S)wide_a, b = (S)wide_b;                                                                       \
    U u, x = (U)wide_a, y = (U)wide_b;                                                                       \
    bool signed_wrap = false, unsigned_wrap = false;                                                         \
    if (op == IR_ADD)                                                                                        \
      signed_wrap = __builtin_add_overflow(a, b, &s), unsigned_wrap = __builtin_add_overflow(x, y, &u);      \
    if (op == IR_SUB)                                                                                        \
      signed_wrap = __builtin_sub_overflow(a, b, &s), unsigned_wrap = __builtin_sub_overflow(x, y, &u);      \
    if (op == IR_MUL)                                                                                        \
      signed_wrap = __builtin_mul_overflow(a, b, &s), unsigned_wrap = __builtin_mul_overflow(x, y, &u);      \
    if (op == IR_SHL && y < bits) {                                                                          \
      unsigned __int128 factor = (unsigned __int128)1 << y;                                                  \
      signed_wrap = __builtin_mul_overflow((__int128)a, (__int128)factor, &s);                               \
      unsigned_wrap = __builtin_mul_overflow((unsigned __int128)x, factor, &u);                              \
    }                                                                                                        \
    return (signed_wrap && (flags & IR_FLAG_NSW)) || (unsigned_wrap && (flags & IR_FLAG_NUW));               \
  }

NATIVE(8, int8_t, uint8_t)
NATIVE(16, int16_t, uint16_t)
NATIVE(32, int32_t, uint32_t)
NATIVE(64, int64_t, uint64_t)

static Native native(IrOp op, uint8_t width, uint8_t flags, int64_t a, int64_t b) {
  bool wraps = width == 8    ? wraps8(op, flags, a, b)
               : width == 16 ? wraps16(op, flags, a, b)
               : width == 32 ? wraps32(op, flags, a, b)
                             : wraps64(op, flags, a, b);
  if (wraps) return (Native){0};
  return width == 8    ? native8(op, a, b)
         : width == 16 ? native16(op, a, b)
         : width == 32 ? native32(op, a, b)
                       : native64(op, a, b);
}

static bool native_compare(IrPred pred, uint8_t width, int64_t a, int64_t b) {
  return width == 8    ? compare8(pred, a, b)
         : width == 16 ? compare16(pred, a, b)
         : width == 32 ? compare32(pred, a, b)
                       : compare64(pred, a, b);
}

// ---- the comparison of the four answers
typedef struct Symbolic {
  ExprPool *pool;
  ExprRef on_symbols;
} Symbolic;

static Symbolic make_symbolic(const Lab *lab) {
  Symbolic s = {.pool = expr_pool_make(lab->arena)};
  ExprRef operands[3];
  for (uint32_t i = 0; i < lab->inst.op_count; i++)
    operands[i] = expr_new_sym(s.pool, (ExprSym){.name = "x", .width = lab->param_widths[i]});
  s.on_symbols = symeval_inst(s.pool, lab->module, lab->function, &lab->inst, operands);
  return s;
}

static void compare_symbolic(const Lab *lab, const Symbolic *s, const int64_t *words, Native want) {
  ExprEnv env = {.sym_values = words, .sym_count = lab->inst.op_count};
  int64_t value = 0;
  ExprEvalResult result = expr_eval(s->pool, s->on_symbols, &env, &value);
  CHECK((result == EXPR_EVAL_OK) == want.has_value);
  if (want.has_value) CHECK(value == want.value);
  ExprRef operands[3];
  for (uint32_t i = 0; i < lab->inst.op_count; i++)
    operands[i] = expr_const(s->pool, lab->param_widths[i], words[i]);
  ExprRef folded = symeval_inst(s->pool, lab->module, lab->function, &lab->inst, operands);
  if (want.has_value) CHECK(expr_is_const(s->pool, folded, &value) && value == want.value);
}

static void compare_all(const Lab *lab, const Symbolic *s, const int64_t *words, Native want) {
  int64_t value = 0;
  unsigned failures = check_failures;
  InterpStop stop = interpret(lab, words, &value);
  CHECK(stop == (want.has_value ? INTERP_DONE : INTERP_UNDEFINED));
  if (want.has_value) CHECK(value == want.value);
  if (s) compare_symbolic(lab, s, words, want);
  if (check_failures > failures)
    fprintf(stderr, "%s flags %u pred %u: (%lld, %lld, %lld) -> interpreter %lld, native %lld\n",
            ir_op_name((IrOp)lab->inst.op), lab->inst.flags, lab->inst.pred, (long long)words[0],
            (long long)words[1], (long long)words[2], (long long)value, (long long)want.value);
}

enum { ROUNDS = 60 };
static const uint8_t widths[] = {8, 16, 32, 64};

static void test_integer_arith(void) {
  static const IrOp ops[] = {IR_ADD, IR_SUB,  IR_MUL,  IR_SDIV, IR_UDIV, IR_SREM, IR_UREM,
                             IR_SHL, IR_LSHR, IR_ASHR, IR_AND,  IR_OR,   IR_XOR};
  uint64_t state = 7;
  for (size_t op = 0; op < sizeof ops / sizeof ops[0]; op++)
    for (int w = 0; w < 4; w++)
      for (uint8_t flags = 0; flags < 4; flags++) {
        if (flags && !(ir_op_flags(ops[op]) & IR_NSWABLE)) continue;
        IrType types[] = {ir_type_int(widths[w]), ir_type_int(widths[w])};
        Lab lab = make_lab((IrInst){.op = ops[op], .type = types[0], .flags = flags, .op_count = 2}, types);
        Symbolic symbolic = make_symbolic(&lab);
        for (int round = 0; round < ROUNDS; round++) {
          int64_t words[3] = {pick_word(&state, widths[w]), pick_word(&state, widths[w]), 0};
          compare_all(&lab, &symbolic, words, native(ops[op], widths[w], flags, words[0], words[1]));
        }
        arena_close(lab.arena);
      }
}

static void test_integer_compare(void) {
  uint64_t state = 11;
  for (int w = 0; w < 4; w++)
    for (uint8_t pred = IR_EQ; pred <= IR_UGE; pred++) {
      IrType types[] = {ir_type_int(widths[w]), ir_type_int(widths[w])};
      Lab lab = make_lab((IrInst){.op = IR_ICMP, .type = ir_type_int(1), .pred = pred, .op_count = 2}, types);
      Symbolic symbolic = make_symbolic(&lab);
      for (int round = 0; round < ROUNDS; round++) {
        int64_t words[3] = {pick_word(&state, widths[w]), pick_word(&state, widths[w]), 0};
        if (round % 8 == 0) words[1] = words[0];
        compare_all(&lab, &symbolic, words,
                    (Native){true, native_compare((IrPred)pred, widths[w], words[0], words[1])});
      }
      arena_close(lab.arena);
    }
}

// Truth values, all of them: arithmetic is modulo 2, and true is -1 in signed comparisons.
static void test_truth_values(void) {
  IrType types[] = {ir_type_int(1), ir_type_int(1)};
  static const IrOp ops[] = {IR_ADD, IR_SUB, IR_MUL, IR_AND, IR_OR, IR_XOR};
  for (int64_t a = 0; a < 2; a++)
    for (int64_t b = 0; b < 2; b++) {
      int64_t words[] = {a, b, 0}, results[] = {a ^ b, a ^ b, a & b, a & b, a | b, a ^ b};
      for (int i = 0; i < 6; i++) {
        Lab lab = make_lab((IrInst){.op = ops[i], .type = types[0], .op_count = 2}, types);
        Symbolic symbolic = make_symbolic(&lab);
        compare_all(&lab, &symbolic, words, (Native){true, results[i]});
        arena_close(lab.arena);
      }
      for (uint8_t pred = IR_EQ; pred <= IR_UGE; pred++) {
        bool is_signed = pred >= IR_SLT && pred <= IR_SGE;
        Lab lab = make_lab((IrInst){.op = IR_ICMP, .type = types[0], .pred = pred, .op_count = 2}, types);
        Symbolic symbolic = make_symbolic(&lab);
        bool want = native_compare((IrPred)pred, 8, is_signed ? -a : a, is_signed ? -b : b);
        compare_all(&lab, &symbolic, words, (Native){true, want});
        arena_close(lab.arena);
      }
    }
}

static int64_t native_cast(IrOp op, uint8_t from, uint8_t to, int64_t a) {
  uint64_t bits = from == 64 ? (uint64_t)a : (uint64_t)a & (((uint64_t)1 << from) - 1);
  if (op == IR_SEXT && from == 1) bits = a ? UINT64_MAX : 0;
  if (op == IR_SEXT && from == 8) bits = (uint64_t)(int64_t)(int8_t)a;
  if (op == IR_SEXT && from == 16) bits = (uint64_t)(int64_t)(int16_t)a;
  if (op == IR_SEXT && from == 32) bits = (uint64_t)(int64_t)(int32_t)a;
  if (to == 1) return (int64_t)(bits & 1);
  return to == 8 ? (int8_t)bits : to == 16 ? (int16_t)bits : to == 32 ? (int32_t)bits : (int64_t)bits;
}

static void test_integer_casts(void) {
  static const uint8_t all[] = {1, 8, 16, 32, 64};
  static const IrOp ops[] = {IR_TRUNC, IR_ZEXT, IR_SEXT, IR_PTRTOINT, IR_INTTOPTR};
  uint64_t state = 13;
  for (int op = 0; op < 5; op++)
    for (int from = 0; from < 5; from++)
      for (int to = 0; to < 5; to++) {
        if (op == 0 ? to >= from : op < 3 ? to <= from : op == 3 ? from < 4 || to == 0 : to < 4 || from == 0)
          continue;
        IrType types[] = {op == 3 ? ir_type_ptr(0) : ir_type_int(all[from])};
        IrType type = op == 4 ? ir_type_ptr(0) : ir_type_int(all[to]);
        Lab lab = make_lab((IrInst){.op = ops[op], .type = type, .op_count = 1}, types);
        Symbolic symbolic = make_symbolic(&lab);
        for (int round = 0; round < ROUNDS; round++) {
          int64_t words[3] = {pick_word(&state, all[from]), 0, 0};
          compare_all(&lab, &symbolic, words,
                      (Native){true, native_cast(ops[op], all[from], all[to], words[0])});
        }
        arena_close(lab.arena);
      }
}

static void test_select_and_functions(void) {
  uint64_t state = 17;
  static const char *const names[] = {"llvm.smin.i32", "llvm.smax.i32", "llvm.umin.i32", "llvm.umax.i32",
                                      "llvm.abs.i32"};
  IrType i32 = ir_type_int(32), types[] = {ir_type_int(1), i32, i32};
  for (int round = 0; round < ROUNDS; round++) {
    int64_t words[] = {round & 1, pick_word(&state, 32), pick_word(&state, 32)};
    Lab lab = make_lab((IrInst){.op = IR_SELECT, .type = i32, .op_count = 3}, types);
    Symbolic symbolic = make_symbolic(&lab);
    compare_all(&lab, &symbolic, words, (Native){true, words[0] ? words[1] : words[2]});
    arena_close(lab.arena);
    int64_t a = words[1], b = words[2];
    uint32_t x = (uint32_t)a, y = (uint32_t)b;
    int64_t results[] = {a < b ? a : b, a > b ? a : b, x < y ? a : b, x > y ? a : b, a < 0 ? -a : a};
    for (int i = 0; i < 5; i++) {
      if (i == 4 && a == INT32_MIN) continue;
      int64_t operands[] = {a, b, 0};
      lab = make_lab((IrInst){.op = IR_PURE, .name = names[i], .type = i32, .op_count = i == 4 ? 1 : 2},
                     types + 1);
      symbolic = make_symbolic(&lab);
      compare_all(&lab, &symbolic, operands, (Native){true, results[i]});
      arena_close(lab.arena);
    }
  }
}

// ---- floating point
static int64_t float_bits(float x) {
  int32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static int64_t double_bits(double x) {
  int64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static float pick_float(uint64_t *state) {
  uint64_t r = next_random(state), kind = r >> 60;
  if (kind == 0) return (float)NAN;
  if (kind == 1) return r & 1 ? (float)INFINITY : -(float)INFINITY;
  if (kind == 2) return r & 1 ? 0.0f : -0.0f;
  if (kind < 8) return (float)((int64_t)(r % 200) - 100) / 4;
  uint32_t bits = (uint32_t)r;
  float out;
  memcpy(&out, &bits, sizeof out);
  return out;
}

static double native_float(IrOp op, double a, double b) {
  return op == IR_FADD   ? a + b
         : op == IR_FSUB ? a - b
         : op == IR_FMUL ? a * b
         : op == IR_FDIV ? a / b
         : op == IR_FREM ? fmod(a, b)
                         : -a;
}

static float native_float32(IrOp op, float a, float b) {
  return op == IR_FADD   ? a + b
         : op == IR_FSUB ? a - b
         : op == IR_FMUL ? a * b
         : op == IR_FDIV ? a / b
         : op == IR_FREM ? fmodf(a, b)
                         : -a;
}

static void test_float_arith(void) {
  uint64_t state = 19;
  for (IrOp op = IR_FADD; op <= IR_FNEG; op++)
    for (int is_double = 0; is_double < 2; is_double++) {
      IrType type = ir_type_float(is_double ? 64 : 32), types[] = {type, type};
      Lab lab = make_lab((IrInst){.op = (uint8_t)op, .type = type, .op_count = op == IR_FNEG ? 1 : 2}, types);
      for (int round = 0; round < 4 * ROUNDS; round++) {
        float a = pick_float(&state), b = pick_float(&state);
        double c = (double)a * 1.1, d = (double)b;
        int64_t words[3] = {is_double ? double_bits(c) : float_bits(a),
                            is_double ? double_bits(d) : float_bits(b), 0};
        int64_t want = is_double ? double_bits(native_float(op, c, d)) : float_bits(native_float32(op, a, b));
        double result = is_double ? native_float(op, c, d) : (double)native_float32(op, a, b);
        if (isnan(result)) continue; // which one is the device's choice
        compare_all(&lab, NULL, words, (Native){true, want});
      }
      arena_close(lab.arena);
    }
}

static bool native_fcmp(IrPred pred, float a, float b) {
  bool unordered = isnan(a) || isnan(b);
  bool ordered[] = {false, a == b, a > b, a >= b, a < b, a <= b, a != b && !unordered, !unordered};
  return pred < IR_FUNO     ? ordered[pred - IR_FFALSE]
         : pred == IR_FUNO  ? unordered
         : pred == IR_FTRUE ? true
                            : unordered || ordered[pred - IR_FUNO];
}

// The functions that symeval leaves, on bits.
static bool apply(void *context, uint32_t func, uint32_t count, const int64_t *args, int64_t *result) {
  const char *name = expr_func_info(context, func)->name;
  int32_t low[] = {(int32_t)args[0], (int32_t)args[1]};
  float x[2];
  memcpy(x, low, sizeof x);
  IrPred pred = strcmp(name, "fcmp_olt32") == 0   ? IR_FOLT
                : strcmp(name, "fcmp_ole32") == 0 ? IR_FOLE
                : strcmp(name, "fcmp_oeq32") == 0 ? IR_FOEQ
                : strcmp(name, "fcmp_one32") == 0 ? IR_FONE
                                                  : IR_FUNO;
  if (pred == IR_FUNO) CHECK_TEXT(name, "fcmp_uno32");
  *result = native_fcmp(pred, x[0], x[1]);
  return count == 2;
}

static void test_float_compare(void) {
  uint64_t state = 23;
  IrType types[] = {ir_type_float(32), ir_type_float(32)};
  for (uint8_t pred = IR_FFALSE; pred <= IR_FTRUE; pred++) {
    Lab lab = make_lab((IrInst){.op = IR_FCMP, .type = ir_type_int(1), .pred = pred, .op_count = 2}, types);
    Symbolic symbolic = make_symbolic(&lab);
    for (int round = 0; round < 3 * ROUNDS; round++) {
      float a = pick_float(&state), b = round % 5 == 0 ? a : pick_float(&state);
      int64_t words[3] = {float_bits(a), float_bits(b), 0}, value = 0;
      bool want = native_fcmp((IrPred)pred, a, b);
      compare_all(&lab, NULL, words, (Native){true, want});
      ExprEnv env = {.sym_values = words, .sym_count = 2, .app = apply, .context = symbolic.pool};
      CHECK(expr_eval(symbolic.pool, symbolic.on_symbols, &env, &value) == EXPR_EVAL_OK && value == want);
    }
    arena_close(lab.arena);
  }
}

static void check_cast(IrOp op, IrType from, IrType to, int64_t word, Native want) {
  Lab lab = make_lab((IrInst){.op = (uint8_t)op, .type = to, .op_count = 1}, &from);
  int64_t words[3] = {word, 0, 0}, value = 0;
  if (want.has_value)
    compare_all(&lab, NULL, words, want);
  else
    CHECK(interpret(&lab, words, &value) == INTERP_UNSUPPORTED);
  arena_close(lab.arena);
}

static void test_float_casts(void) {
  uint64_t state = 29;
  IrType f32 = ir_type_float(32), f64 = ir_type_float(64), i32 = ir_type_int(32), i64 = ir_type_int(64);
  for (int round = 0; round < ROUNDS; round++) {
    int64_t a = pick_word(&state, 64), b = pick_word(&state, 32);
    float x = pick_float(&state);
    check_cast(IR_SITOFP, i64, f32, a, (Native){true, float_bits((float)a)});
    check_cast(IR_UITOFP, i64, f32, a, (Native){true, float_bits((float)(uint64_t)a)});
    check_cast(IR_SITOFP, i64, f64, a, (Native){true, double_bits((double)a)});
    check_cast(IR_UITOFP, i32, f64, b, (Native){true, double_bits((double)(uint32_t)b)});
    check_cast(IR_SITOFP, i32, f32, b, (Native){true, float_bits((float)(int32_t)b)});
    if (!isnan(x)) {
      double wide = (double)x * 1.0000001;
      check_cast(IR_FPEXT, f32, f64, float_bits(x), (Native){true, double_bits((double)x)});
      check_cast(IR_FPTRUNC, f64, f32, double_bits(wide), (Native){true, float_bits((float)wide)});
    }
    bool fits = x > -2147483648.0f && x < 2147483648.0f;
    check_cast(IR_FPTOSI, f32, i32, float_bits(x), (Native){fits, fits ? (int32_t)x : 0});
    bool fits_unsigned = x > -1.0f && x < 4294967296.0f;
    check_cast(IR_FPTOUI, f32, i32, float_bits(x),
               (Native){fits_unsigned, fits_unsigned ? (int32_t)(uint32_t)x : 0});
  }
  check_cast(IR_SITOFP, ir_type_int(1), f32, 1, (Native){true, float_bits(-1.0f)});
  check_cast(IR_UITOFP, ir_type_int(1), f32, 1, (Native){true, float_bits(1.0f)});
}

// ---- canonical forms
static ExprRef build(ExprPool *pool, IrInst inst, const IrType *types, ExprRef a, ExprRef b) {
  Lab lab = make_lab(inst, types);
  ExprRef operands[] = {a, b, 0};
  ExprRef result = symeval_inst(pool, lab.module, lab.function, &lab.inst, operands);
  arena_close(lab.arena);
  return result;
}

static void test_canonical_forms(void) {
  Arena *arena = arena_open();
  ExprPool *pool = expr_pool_make(arena);
  IrType f32 = ir_type_float(32), i64 = ir_type_int(64), i32 = ir_type_int(32), i1 = ir_type_int(1);
  IrType floats[] = {f32, f32};
  ExprRef a = expr_new_sym(pool, (ExprSym){.name = "a", .width = 32}),
          b = expr_new_sym(pool, (ExprSym){.name = "b", .width = 32});
  IrInst add = {.op = IR_FADD, .type = f32, .op_count = 2}, sub = {.op = IR_FSUB, .type = f32, .op_count = 2};
  CHECK(build(pool, add, floats, a, b) == build(pool, add, floats, b, a));
  CHECK(build(pool, sub, floats, a, b) != build(pool, sub, floats, b, a));
  CHECK(expr_node(pool, build(pool, add, floats, a, b))->op == EXPR_APP);
  CHECK_TEXT(expr_func_info(pool, (uint32_t)expr_node(pool, build(pool, add, floats, a, b))->value)->name,
             "fadd32");
  IrInst less = {.op = IR_FCMP, .pred = IR_FOLT, .type = i1, .op_count = 2}, more = less, not_less = less;
  more.pred = IR_FOGT;
  not_less.pred = IR_FUGE;
  CHECK(build(pool, less, floats, a, b) == build(pool, more, floats, b, a));
  CHECK(build(pool, not_less, floats, a, b) == expr_not(pool, build(pool, less, floats, a, b)));
  // The float of an integer does not depend on the width that held it, nor of a positive one on the sign of
  // its type.
  IrInst convert = {.op = IR_SITOFP, .type = f32, .op_count = 1}, convert_unsigned = convert;
  convert_unsigned.op = IR_UITOFP;
  ExprRef n = expr_new_sym(pool, (ExprSym){.name = "n", .width = 32, .lo = 0, .hi = 1000});
  ExprRef of_narrow = build(pool, convert, &i32, n, 0),
          of_wide = build(pool, convert, &i64, expr_resize_signed(pool, n, 64), 0);
  CHECK(of_narrow != 0 && of_narrow == of_wide);
  CHECK(of_narrow == build(pool, convert_unsigned, &i32, n, 0));
  CHECK(build(pool, convert, &i32, a, 0) != build(pool, convert_unsigned, &i32, a, 0));
  // Address arithmetic keeps its mark, and what is no word has no expression.
  IrInst address = {.op = IR_MUL, .flags = IR_FLAG_ADDRESS, .type = i32, .op_count = 2};
  IrType words[] = {i32, i32}, bytes = ir_type_bytes(8);
  CHECK(expr_node(pool, build(pool, address, words, a, b))->flags == EXPR_ADDRESS);
  CHECK(build(pool, address, words, a, 0) == 0);
  CHECK(build(pool, (IrInst){.op = IR_BITCAST, .type = i64, .op_count = 1}, &bytes, a, 0) == 0);
  CHECK(build(pool, (IrInst){.op = IR_PURE, .type = f32, .name = "sqrtf", .op_count = 1}, floats, a, 0) != 0);
  CHECK(symeval_const(pool, &(IrConst){.type = i32, .bits = -3}) == expr_const(pool, 32, -3));
  CHECK(symeval_const(pool, &(IrConst){.type = i32, .is_undef = true}) == 0);
  CHECK(symeval_const(pool, &(IrConst){.type = ir_type_ptr(0)}) == 0);
  arena_close(arena);
}

int main(void) {
  test_integer_arith();
  test_integer_compare();
  test_truth_values();
  test_integer_casts();
  test_select_and_functions();
  test_float_arith();
  test_float_compare();
  test_float_casts();
  test_canonical_forms();
  return check_result();
}
