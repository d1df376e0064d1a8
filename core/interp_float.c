// What do floating-point operations and well-known pure functions give on concrete bits? Those of the host's
// C arithmetic on float and double. 16-bit words are half or bfloat, which the IR does not tell apart: only
// signs and comparisons are computed, the latter where both formats agree.
// Soundness: exact for the operations that IEEE 754 defines; exp, sin ... may differ from the device in the
// last place, and the device may contract a * b + c. What is not a number comes out in one canonical form.
// SPDX-License-Identifier: Apache-2.0
#include "core/interp_internal.h"
#include "core/bug.h"

#include "core/expr.h"

#include <math.h>
#include <string.h>

// ---- formats
static double decode_small(uint64_t bits, int exponent_bits, int fraction_bits) {
  int bias = (1 << (exponent_bits - 1)) - 1;
  int exponent = (int)(bits >> fraction_bits) & ((1 << exponent_bits) - 1);
  uint64_t fraction = bits & (((uint64_t)1 << fraction_bits) - 1);
  double sign = bits >> (exponent_bits + fraction_bits) & 1 ? -1.0 : 1.0;
  if (exponent == (1 << exponent_bits) - 1) return fraction ? (double)NAN : sign * (double)INFINITY;
  if (exponent == 0) return sign * ldexp((double)fraction, 1 - bias - fraction_bits);
  return sign * ldexp((double)(fraction + ((uint64_t)1 << fraction_bits)), exponent - bias - fraction_bits);
}

static double from_half(int64_t bits) {
  return decode_small((uint64_t)bits & 0xffff, 5, 10);
}
static double from_bfloat(int64_t bits) {
  return decode_small((uint64_t)bits & 0xffff, 8, 7);
}

static float to_float(int64_t bits) {
  uint32_t low = (uint32_t)(uint64_t)bits;
  float out;
  memcpy(&out, &low, sizeof out);
  return out;
}

static double decode(uint8_t bits, int64_t word) {
  double out;
  if (bits == 32) return (double)to_float(word);
  memcpy(&out, &word, sizeof out);
  return out;
}

static int64_t from_float(float value) {
  uint32_t bits = 0x7fffffff;
  if (!isnan(value)) memcpy(&bits, &value, sizeof bits);
  return (int64_t)bits;
}

static int64_t encode(uint8_t bits, double value) {
  int64_t out = 0x7fffffffffffffff;
  if (bits == 32) return from_float((float)value);
  if (!isnan(value)) memcpy(&out, &value, sizeof out);
  return out;
}

static bool is_computed(uint8_t bits) {
  return bits == 32 || bits == 64;
}

// ---- arithmetic
static double arith_double(IrOp op, double a, double b) {
  if (op == IR_FADD) return a + b;
  if (op == IR_FSUB) return a - b;
  if (op == IR_FMUL) return a * b;
  if (op == IR_FDIV) return a / b;
  BUG_UNLESS(op == IR_FREM);
  return fmod(a, b);
}

// Double has more than twice the digits of float and two to spare, so rounding twice rounds once (Figueroa,
// "When is double rounding innocuous?", 1995).
bool float_arith(IrOp op, uint8_t bits, int64_t a, int64_t b, int64_t *out) {
  ASSERT(op > IR_NONE && op < IR_OP_COUNT);
  ASSERT(bits == 16 || bits == 32 || bits == 64);
  ASSERT(out);
  if (op == IR_FNEG) {
    *out = (int64_t)((uint64_t)a ^ ((uint64_t)1 << (bits - 1)));
    return true;
  }
  if (!is_computed(bits)) return false;
  *out = encode(bits, arith_double(op, decode(bits, a), decode(bits, b)));
  return true;
}

static bool compare_double(IrPred pred, double a, double b) {
  bool unordered = isnan(a) || isnan(b);
  if (pred == IR_FFALSE || pred == IR_FTRUE) return pred == IR_FTRUE;
  if (pred == IR_FORD || pred == IR_FUNO) return unordered == (pred == IR_FUNO);
  if (unordered) return pred >= IR_FUNO;
  bool ordered_part = pred < IR_FUNO;
  IrPred plain = ordered_part ? pred : (IrPred)(pred - IR_FUEQ + IR_FOEQ);
  return plain == IR_FOEQ   ? a == b
         : plain == IR_FOGT ? a > b
         : plain == IR_FOGE ? a >= b
         : plain == IR_FOLT ? a < b
         : plain == IR_FOLE ? a <= b
                            : a != b;
}

bool float_compare(IrPred pred, uint8_t bits, int64_t a, int64_t b, int64_t *out) {
  ASSERT(pred > IR_PRED_NONE && pred < IR_PRED_COUNT);
  ASSERT(bits == 16 || bits == 32 || bits == 64);
  ASSERT(out);
  if (is_computed(bits)) {
    *out = compare_double(pred, decode(bits, a), decode(bits, b));
    return true;
  }
  *out = compare_double(pred, from_half(a), from_half(b));
  return bits == 16 && compare_double(pred, from_bfloat(a), from_bfloat(b)) == (bool)*out;
}

// ---- casts
static bool float_to_int(IrOp op, uint8_t bits, double value, int64_t *out) {
  double whole = trunc(value);
  double limit = ldexp(1.0, op == IR_FPTOSI ? bits - 1 : bits);
  double least = op == IR_FPTOSI ? -limit : 0.0;
  if (isnan(value) || whole < least || whole >= limit) return false;
  *out = op == IR_FPTOSI ? (int64_t)whole : (int64_t)(uint64_t)whole;
  return true;
}

// A 64-bit integer rounds straight to float: through double it could round twice.
static int64_t int_to_float(IrOp op, IrType from, uint8_t bits, int64_t word) {
  if (op == IR_UITOFP) {
    uint64_t number = expr_unsigned_reading(word, from.bits);
    return bits == 32 ? from_float((float)number) : encode(bits, (double)number);
  }
  int64_t number = from.bits == 1 ? -word : word;
  return bits == 32 ? from_float((float)number) : encode(bits, (double)number);
}

bool float_cast(IrOp op, IrType from, IrType to, int64_t a, int64_t *out) {
  ASSERT(op > IR_NONE && op < IR_OP_COUNT);
  ASSERT(out);
  if ((from.kind == IR_FLOAT && !is_computed(from.bits)) || (to.kind == IR_FLOAT && !is_computed(to.bits)))
    return false;
  if (ir_op_flags(op) & IR_TO_INTEGER) return float_to_int(op, to.bits, decode(from.bits, a), out);
  *out = op == IR_SITOFP || op == IR_UITOFP ? int_to_float(op, from, to.bits, a)
                                            : encode(to.bits, decode(from.bits, a));
  return true;
}

// ---- pure functions
typedef struct FloatFunction {
  const char *name;
  double (*one)(double);
  double (*two)(double, double);
} FloatFunction;

static double reciprocal_root(double x) {
  return 1 / sqrt(x);
}

static const FloatFunction float_functions[] = {
    {"sqrt", sqrt, NULL},
    {"fabs", fabs, NULL},
    {"floor", floor, NULL},
    {"ceil", ceil, NULL},
    {"trunc", trunc, NULL},
    {"round", round, NULL},
    {"rint", rint, NULL},
    {"nearbyint", nearbyint, NULL},
    {"roundeven", nearbyint, NULL},
    {"rsqrt", reciprocal_root, NULL},
    {"exp", exp, NULL},
    {"exp2", exp2, NULL},
    {"expm1", expm1, NULL},
    {"log", log, NULL},
    {"log2", log2, NULL},
    {"log10", log10, NULL},
    {"log1p", log1p, NULL},
    {"sin", sin, NULL},
    {"cos", cos, NULL},
    {"tan", tan, NULL},
    {"asin", asin, NULL},
    {"acos", acos, NULL},
    {"atan", atan, NULL},
    {"sinh", sinh, NULL},
    {"cosh", cosh, NULL},
    {"tanh", tanh, NULL},
    {"cbrt", cbrt, NULL},
    {"fmin", NULL, fmin},
    {"fmax", NULL, fmax},
    {"minnum", NULL, fmin},
    {"maxnum", NULL, fmax},
    {"fmod", NULL, fmod},
    {"pow", NULL, pow},
    {"atan2", NULL, atan2},
    {"hypot", NULL, hypot},
    {"copysign", NULL, copysign},
    {"fdim", NULL, fdim},
};

static int64_t call_fma(uint8_t bits, const int64_t *args) {
  if (bits == 32) return from_float(fmaf(to_float(args[0]), to_float(args[1]), to_float(args[2])));
  return encode(bits, fma(decode(bits, args[0]), decode(bits, args[1]), decode(bits, args[2])));
}

static bool float_function(const char *name, uint8_t bits, uint32_t count, const int64_t *args,
                           int64_t *out) {
  if (!is_computed(bits)) return false;
  if (count == 3 && (strcmp(name, "fma") == 0 || strcmp(name, "fmuladd") == 0)) {
    *out = call_fma(bits, args);
    return true;
  }
  for (size_t i = 0; i < sizeof float_functions / sizeof float_functions[0]; i++) {
    const FloatFunction *function = &float_functions[i];
    if (strcmp(function->name, name) != 0 || count != (function->one ? 1u : 2u)) continue;
    double a = decode(bits, args[0]);
    *out = encode(bits, function->one ? function->one(a) : function->two(a, decode(bits, args[1])));
    return true;
  }
  return false;
}

static uint64_t reverse_bits(uint64_t value, uint8_t bits) {
  uint64_t out = 0;
  for (uint8_t i = 0; i < bits; i++)
    out |= (value >> i & 1) << (bits - 1 - i);
  return out;
}

static uint64_t reverse_bytes(uint64_t value, uint8_t bits) {
  uint64_t out = 0;
  for (uint8_t i = 0; i < bits; i += 8)
    out |= (value >> i & 0xff) << (bits - 8 - i);
  return out;
}

static uint64_t leading_zeros(uint64_t value, uint8_t bits) {
  uint64_t count = 0;
  while (count < bits && !(value >> (bits - 1 - count) & 1))
    count++;
  return count;
}

static uint64_t trailing_zeros(uint64_t value, uint8_t bits) {
  uint64_t count = 0;
  while (count < bits && !(value >> count & 1))
    count++;
  return count;
}

static bool named(const char *name, const char *first, const char *second, const char *third) {
  return strcmp(name, first) == 0 || strcmp(name, second) == 0 || strcmp(name, third) == 0;
}

// One operand, read unsigned. The second operand of ctlz and cttz only says that zero does not occur.
static bool bit_function(const char *name, uint8_t bits, uint64_t a, int64_t *out) {
  if (named(name, "ctpop", "popc", "popcll"))
    *out = __builtin_popcountll(a);
  else if (named(name, "ctlz", "clz", "clzll"))
    *out = (int64_t)leading_zeros(a, bits);
  else if (strcmp(name, "cttz") == 0)
    *out = (int64_t)trailing_zeros(a, bits);
  else if (named(name, "ffs", "ffsll", "ffsl"))
    *out = a ? (int64_t)trailing_zeros(a, bits) + 1 : 0;
  else if (named(name, "bitreverse", "brev", "brevll"))
    *out = (int64_t)reverse_bits(a, bits);
  else if (strcmp(name, "bswap") == 0 && bits % 16 == 0)
    *out = (int64_t)reverse_bytes(a, bits);
  else
    return false;
  return true;
}

// llvm.fshl, llvm.fshr: a:b shifted, the count modulo the width.
static int64_t funnel_shift(bool left, uint8_t bits, const int64_t *args) {
  uint64_t high = expr_unsigned_reading(args[0], bits), low = expr_unsigned_reading(args[1], bits);
  unsigned count = (unsigned)(expr_unsigned_reading(args[2], bits) % bits);
  if (count == 0) return left ? args[0] : args[1];
  return (int64_t)(left ? high << count | low >> (bits - count) : high << (bits - count) | low >> count);
}

// __fns: the bit set in the mask that is number `offset` from `base` on, counted from 1, upwards or, if it is
// negative, downwards; 0: the base itself. All ones if there is none.
static bool nth_set(uint32_t mask, int64_t base, int64_t offset, int64_t *out) {
  if (base < 0 || base > 31) return false;
  int64_t step = offset < 0 ? -1 : 1, left = offset == 0 ? 1 : offset * step;
  *out = -1;
  for (int64_t at = base; at >= 0 && at <= 31; at += step) {
    left -= mask >> at & 1;
    if (left == 0) {
      *out = at;
      break;
    }
    if (offset == 0) break;
  }
  return true;
}

static bool int_function(const char *name, uint8_t bits, uint32_t count, const int64_t *args, int64_t *out) {
  int64_t a = args[0], b = count > 1 ? args[1] : 0;
  uint64_t ua = expr_unsigned_reading(a, bits), ub = expr_unsigned_reading(b, bits);
  if (count <= 2 && bit_function(name, bits, ua, out)) return true;
  bool is_least = a == expr_signed_reading((int64_t)((uint64_t)1 << (bits - 1)), bits);
  if (named(name, "abs", "labs", "llabs") && !is_least && bits > 1)
    *out = a < 0 ? -a : a;
  else if (count == 2 && strcmp(name, "smin") == 0)
    *out = a < b ? a : b;
  else if (count == 2 && strcmp(name, "smax") == 0)
    *out = a > b ? a : b;
  else if (count == 2 && strcmp(name, "umin") == 0)
    *out = ua < ub ? a : b;
  else if (count == 2 && strcmp(name, "umax") == 0)
    *out = ua > ub ? a : b;
  else if (count == 2 && bits == 32 && strcmp(name, "umulhi") == 0)
    *out = (int64_t)(ua * ub >> 32);
  else if (count == 2 && bits == 32 && strcmp(name, "mulhi") == 0)
    *out = (a * b) >> 32;
  else if (count == 3 && bits == 32 && strcmp(name, "fns") == 0)
    return nth_set((uint32_t)ua, args[1], args[2], out);
  else if (count == 3 && named(name, "fshl", "fshr", "fshl"))
    *out = funnel_shift(strcmp(name, "fshl") == 0, bits, args);
  else
    return false;
  return true;
}

// "llvm.sqrt.f32", "__nv_sqrtf", "sqrtf" -> "sqrt"; a final f is dropped for results of 32 bits. "__expf" and
// its like are fast approximations: of these only integer functions count.
static bool base_name(const char *name, bool is_float32, char *out, size_t size) {
  bool is_intrinsic = str_starts_with(name, "llvm.");
  if (is_intrinsic)
    name += strlen("llvm.");
  else if (str_starts_with(name, "__nv_"))
    name += strlen("__nv_");
  else if (str_starts_with(name, "__") && !is_float32)
    name += strlen("__");
  size_t length = is_intrinsic ? strcspn(name, ".") : strlen(name);
  if (length == 0 || length >= size) return false;
  memcpy(out, name, length);
  out[length] = '\0';
  if (is_float32 && length > 1 && out[length - 1] == 'f') out[length - 1] = '\0';
  return true;
}

static bool same_types(IrType result, uint32_t count, const IrType *types, uint8_t kind) {
  if (result.kind != kind || count == 0 || count > 3) return false;
  for (uint32_t i = 0; i < count; i++)
    if (types[i].kind != kind) return false;
  return true;
}

bool pure_call(const char *name, IrType result, uint32_t count, const IrType *types, const int64_t *args,
               int64_t *out) {
  ASSERT(out);
  char base[32];
  if (!name || !base_name(name, result.kind == IR_FLOAT && result.bits == 32, base, sizeof base))
    return false;
  if (same_types(result, count, types, IR_FLOAT) && types[0].bits == result.bits)
    return float_function(base, result.bits, count, args, out);
  if (same_types(result, count, types, IR_INT)) return int_function(base, types[0].bits, count, args, out);
  return false;
}
