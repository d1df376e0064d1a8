// What do floating-point operations and well-known pure functions give on concrete bits? Those of the host's
// C arithmetic on float and double. 16-bit words are half or bfloat, which the IR does not tell apart: a
// result counts only if both formats give the same bits. Soundness: exact for the operations IEEE 754
// defines; exp, sin ... may differ from the device in the last place, and the device may contract a * b + c.
// Not-a-number results are the device's canonical one. SPDX-License-Identifier: Apache-2.0
#include "core/interp_internal.h"

#include "core/expr.h"

#include <math.h>
#include <string.h>

// ---- formats
// -----------------------------------------------------------------------------------------------------
typedef enum Format { FORMAT_HALF, FORMAT_BFLOAT, FORMAT_FLOAT, FORMAT_DOUBLE } Format;

static double decode_small(uint64_t bits, int exponent_bits, int fraction_bits) {
  int bias = (1 << (exponent_bits - 1)) - 1;
  int exponent = (int)(bits >> fraction_bits) & ((1 << exponent_bits) - 1);
  uint64_t fraction = bits & (((uint64_t)1 << fraction_bits) - 1);
  double sign = bits >> (exponent_bits + fraction_bits) & 1 ? -1.0 : 1.0;
  if (exponent == (1 << exponent_bits) - 1) return fraction ? (double)NAN : sign * (double)INFINITY;
  if (exponent == 0) return sign * ldexp((double)fraction, 1 - bias - fraction_bits);
  return sign * ldexp((double)(fraction + ((uint64_t)1 << fraction_bits)), exponent - bias - fraction_bits);
}

// Round to nearest, ties to even.
static uint64_t encode_small(double value, int exponent_bits, int fraction_bits) {
  int bias = (1 << (exponent_bits - 1)) - 1, top = exponent_bits + fraction_bits;
  uint64_t sign = (uint64_t)(signbit(value) != 0) << top, infinity = (uint64_t)((1 << exponent_bits) - 1)
                                                                     << fraction_bits;
  if (isnan(value)) return ((uint64_t)1 << top) - 1;
  double magnitude = fabs(value);
  if (isinf(magnitude)) return sign | infinity;
  if (magnitude == 0) return sign;
  int exponent = 0;
  frexp(magnitude, &exponent);
  exponent -= 1; // magnitude = 1.x * 2^exponent
  if (exponent < 1 - bias) exponent = 1 - bias;
  uint64_t steps = (uint64_t)nearbyint(ldexp(magnitude, fraction_bits - exponent));
  // Adding lets a carry out of the fraction step the exponent, up to infinity.
  uint64_t bits = steps + ((uint64_t)(exponent + bias - 1) << fraction_bits);
  return sign | (bits >= infinity || exponent > bias ? infinity : bits);
}

static float to_float(int64_t bits) {
  uint32_t low = (uint32_t)(uint64_t)bits;
  float out;
  memcpy(&out, &low, sizeof out);
  return out;
}

static double decode(Format format, int64_t bits) {
  double out;
  switch (format) {
  case FORMAT_HALF: return decode_small((uint64_t)bits & 0xffff, 5, 10);
  case FORMAT_BFLOAT: return decode_small((uint64_t)bits & 0xffff, 8, 7);
  case FORMAT_FLOAT: return (double)to_float(bits);
  case FORMAT_DOUBLE: break;
  }
  memcpy(&out, &bits, sizeof out);
  return out;
}

static int64_t from_float(float value) {
  uint32_t bits = 0x7fffffff;
  if (!isnan(value)) memcpy(&bits, &value, sizeof bits);
  return (int64_t)bits;
}

static int64_t encode(Format format, double value) {
  int64_t out = 0x7fffffffffffffff;
  switch (format) {
  case FORMAT_HALF: return (int64_t)encode_small(value, 5, 10);
  case FORMAT_BFLOAT: return (int64_t)encode_small(value, 8, 7);
  case FORMAT_FLOAT: return from_float((float)value);
  case FORMAT_DOUBLE: break;
  }
  if (!isnan(value)) memcpy(&out, &value, sizeof out);
  return out;
}

static bool formats_of(uint8_t bits, Format *first, Format *last) {
  *first = bits == 16 ? FORMAT_HALF : bits == 32 ? FORMAT_FLOAT : FORMAT_DOUBLE;
  *last = bits == 16 ? FORMAT_BFLOAT : *first;
  return bits == 16 || bits == 32 || bits == 64;
}

// ---- arithmetic
// --------------------------------------------------------------------------------------------------
static double arith_double(IrOp op, double a, double b) {
  return op == IR_FADD   ? a + b
         : op == IR_FSUB ? a - b
         : op == IR_FMUL ? a * b
         : op == IR_FDIV ? a / b
                         : fmod(a, b);
}

// Double has more than twice the digits of the narrower formats and two to spare, so rounding twice rounds
// once (Figueroa, "When is double rounding innocuous?", 1995).
bool float_arith(IrOp op, uint8_t bits, int64_t a, int64_t b, int64_t *out) {
  if (op == IR_FNEG) {
    *out = (int64_t)((uint64_t)a ^ ((uint64_t)1 << (bits - 1)));
    return true;
  }
  Format first, last;
  if (!formats_of(bits, &first, &last)) return false;
  *out = encode(first, arith_double(op, decode(first, a), decode(first, b)));
  return encode(last, arith_double(op, decode(last, a), decode(last, b))) == *out;
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
  Format first, last;
  if (!formats_of(bits, &first, &last)) return false;
  *out = compare_double(pred, decode(first, a), decode(first, b));
  return compare_double(pred, decode(last, a), decode(last, b)) == (bool)*out;
}

// ---- casts
// ------------------------------------------------------------------------------------------------------- Out
// of range the result has no meaning in C and saturates on the device: not computed.
static bool float_to_int(IrOp op, uint8_t bits, double value, int64_t *out) {
  double whole = trunc(value);
  double limit = ldexp(1.0, op == IR_FPTOSI ? bits - 1 : bits);
  double least = op == IR_FPTOSI ? -limit : 0.0;
  if (isnan(value) || whole < least || whole >= limit) return false;
  *out = op == IR_FPTOSI ? (int64_t)whole : (int64_t)(uint64_t)whole;
  return true;
}

// A 64-bit integer rounds straight to the format: through double it could round twice.
static int64_t int_to_float(IrOp op, IrType from, Format format, int64_t word) {
  if (op == IR_UITOFP) {
    uint64_t value = expr_unsigned_reading(word, from.bits);
    return format == FORMAT_FLOAT ? from_float((float)value) : encode(format, (double)value);
  }
  int64_t value = from.bits == 1 ? -word : word;
  return format == FORMAT_FLOAT ? from_float((float)value) : encode(format, (double)value);
}

static bool cast_in_format(IrOp op, IrType from, IrType to, Format format, int64_t word, int64_t *out) {
  if (op == IR_SITOFP || op == IR_UITOFP) {
    bool through_double = format == FORMAT_HALF || format == FORMAT_BFLOAT;
    int64_t limit = (int64_t)1 << 53; // what double holds exactly
    bool fits = word < limit && word > -limit && !(op == IR_UITOFP && from.bits == 64 && word < 0);
    *out = int_to_float(op, from, format, word);
    return fits || !through_double;
  }
  if (op == IR_FPTOSI || op == IR_FPTOUI)
    return to.kind == IR_INT && float_to_int(op, to.bits, decode(format, word), out);
  if (op != IR_FPTRUNC && op != IR_FPEXT) return false;
  Format wide = op == IR_FPEXT ? (to.bits == 32 ? FORMAT_FLOAT : FORMAT_DOUBLE)
                               : (from.bits == 32 ? FORMAT_FLOAT : FORMAT_DOUBLE);
  *out = op == IR_FPEXT ? encode(wide, decode(format, word)) : encode(format, decode(wide, word));
  return true;
}

bool float_cast(IrOp op, IrType from, IrType to, int64_t a, int64_t *out) {
  bool by_result = op == IR_SITOFP || op == IR_UITOFP || op == IR_FPTRUNC;
  Format first, last;
  int64_t other = 0;
  if (!formats_of(by_result ? to.bits : from.bits, &first, &last)) return false;
  return cast_in_format(op, from, to, first, a, out) && cast_in_format(op, from, to, last, a, &other) &&
         other == *out;
}

// ---- pure functions
// ----------------------------------------------------------------------------------------------
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

static bool call_float(const FloatFunction *function, Format format, const int64_t *args, int64_t *out) {
  double a = decode(format, args[0]);
  *out = encode(format, function->one ? function->one(a) : function->two(a, decode(format, args[1])));
  return true;
}

static bool call_fma(Format format, const int64_t *args, int64_t *out) {
  if (format == FORMAT_FLOAT) {
    *out = from_float(fmaf(to_float(args[0]), to_float(args[1]), to_float(args[2])));
    return true;
  }
  if (format != FORMAT_DOUBLE) return false;
  *out = encode(format, fma(decode(format, args[0]), decode(format, args[1]), decode(format, args[2])));
  return true;
}

static bool float_function(const char *name, IrType result, uint32_t count, const int64_t *args,
                           int64_t *out) {
  Format format, last;
  if (!formats_of(result.bits, &format, &last) || format != last) return false;
  if (count == 3 && (strcmp(name, "fma") == 0 || strcmp(name, "fmuladd") == 0))
    return call_fma(format, args, out);
  for (size_t i = 0; i < sizeof float_functions / sizeof float_functions[0]; i++) {
    const FloatFunction *function = &float_functions[i];
    if (strcmp(function->name, name) == 0 && count == (function->one ? 1u : 2u))
      return call_float(function, format, args, out);
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
  else if (count == 3 && named(name, "fshl", "fshr", "fshl"))
    *out = funnel_shift(strcmp(name, "fshl") == 0, bits, args);
  else
    return false;
  return true;
}

// "llvm.sqrt.f32", "__nv_sqrtf", "sqrtf" -> "sqrt"; a final f is dropped for results of 32 bits.
static bool base_name(const char *name, bool is_float32, char *out, size_t size) {
  static const char *const prefixes[] = {"llvm.", "__nv_", "__"};
  for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
    if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0) {
      // "__expf" and its like are fast approximations: only integer functions are named so exactly.
      if (is_float32 && i == 2) return false;
      name += strlen(prefixes[i]);
    }
  size_t length = strcspn(name, ".");
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
  char base[32];
  if (!name || !base_name(name, result.kind == IR_FLOAT && result.bits == 32, base, sizeof base))
    return false;
  if (same_types(result, count, types, IR_FLOAT) && types[0].bits == result.bits)
    return float_function(base, result, count, args, out);
  if (same_types(result, count, types, IR_INT)) return int_function(base, types[0].bits, count, args, out);
  return false;
}
