// Expressions over machine words: a hash-consed DAG. Equal structure means equal ExprRef, so identical
// questions are asked once and "same value" is often a comparison of two integers.
//
// Meaning. A node has a width w in bits: 1 for truth values (0 or 1), else 8..64. The value of a w-bit node
// is the integer of its SIGNED reading, in [-2^(w-1), 2^(w-1)), whatever C type it came from (DESIGN 5.6).
// Operations are those of LLVM on w-bit words, exact modulo 2^w; EXPR_NSW / EXPR_NUW on add, sub, mul, shl
// say that the program has no meaning if the signed / unsigned result wraps (so analyses may take the result
// to be the exact integer). EXPR_ADDRESS marks arithmetic that only forms an address (A1 covers it like NSW).
// Floating-point values are opaque words: APP nodes of pure functions ("fadd", "fmul", "sqrtf", ...) over
// their bits.
//
// Construction simplifies (constants folded exactly, neutral elements, pack/unpack of two 32-bit halves,
// casts of casts), so a printed expression is readable. Nodes are never freed before the pool. Not for
// concurrent use; expr_pool_clone gives each worker its own copy, in which all old refs stay valid.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CORE_EXPR_H
#define HGRD_CORE_EXPR_H

#include "core/arena.h"
#include "core/srcloc.h"
#include "core/str.h"
#include <stdbool.h>
#include <stdint.h>

typedef uint32_t ExprRef; // index into the pool; 0 = none (never a valid expression)

// X(enumerator, printed name, operand count; 0 = leaf or variable)
#define EXPR_OPS(X)                                                                                          \
  X(CONST, "const", 0) /* value: `value`                                             */                      \
  X(SYM, "sym", 0)     /* a symbol: index in `value`, see ExprSym                    */                      \
  X(APP, "app", 0)     /* uninterpreted function: index in `value`, operands in args */                      \
  X(ADD, "+", 2)                                                                                             \
  X(SUB, "-", 2)                                                                                             \
  X(MUL, "*", 2)                                                                                             \
  X(SDIV, "sdiv", 2) /* truncates; x/0 has no meaning                                */                      \
  X(SREM, "srem", 2)                                                                                         \
  X(UDIV, "udiv", 2)                                                                                         \
  X(UREM, "urem", 2)                                                                                         \
  X(SHL, "<<", 2) /* a count >= w has no meaning                                     */                      \
  X(LSHR, "lshr", 2)                                                                                         \
  X(ASHR, ">>", 2)                                                                                           \
  X(AND, "&", 2) /* width 1: logical and                                             */                      \
  X(OR, "|", 2)                                                                                              \
  X(XOR, "^", 2)                                                                                             \
  X(NOT, "!", 1) /* width 1 only                                                   */                        \
  X(ZEXT, "zext", 1)                                                                                         \
  X(SEXT, "sext", 1) /* of a truth value: 0 or -1                                    */                      \
  X(TRUNC, "trunc", 1)                                                                                       \
  X(EQ, "==", 2) /* results have width 1; operands have equal widths                 */                      \
  X(SLT, "<", 2)                                                                                             \
  X(SLE, "<=", 2)                                                                                            \
  X(ULT, "<u", 2)                                                                                            \
  X(ULE, "<=u", 2)                                                                                           \
  X(ITE, "ite", 3) /* operand 0 has width 1                                          */

typedef enum ExprOp {
  EXPR_NONE = 0,
#define X(name, text, arity) EXPR_##name,
  EXPR_OPS(X)
#undef X
      EXPR_OP_COUNT
} ExprOp;
// Operations that are alike, as labels of a switch: `case EXPR_COMPARISONS:`. A switch over operations has no default.
#define EXPR_COMPARISONS                                                                                     \
  EXPR_EQ:                                                                                                   \
  case EXPR_SLT:                                                                                             \
  case EXPR_SLE:                                                                                             \
  case EXPR_ULT:                                                                                             \
  case EXPR_ULE
#define EXPR_RESIZES                                                                                         \
  EXPR_ZEXT:                                                                                                 \
  case EXPR_SEXT:                                                                                            \
  case EXPR_TRUNC
#define EXPR_ARITHMETIC                                                                                      \
  EXPR_ADD:                                                                                                  \
  case EXPR_SUB:                                                                                             \
  case EXPR_MUL:                                                                                             \
  case EXPR_SDIV:                                                                                            \
  case EXPR_SREM:                                                                                            \
  case EXPR_UDIV:                                                                                            \
  case EXPR_UREM:                                                                                            \
  case EXPR_SHL:                                                                                             \
  case EXPR_LSHR:                                                                                            \
  case EXPR_ASHR
#define EXPR_LEAVES                                                                                          \
  EXPR_NONE:                                                                                                 \
  case EXPR_CONST:                                                                                           \
  case EXPR_SYM:                                                                                             \
  case EXPR_APP:                                                                                             \
  case EXPR_OP_COUNT

typedef enum ExprFlag { EXPR_NSW = 1, EXPR_NUW = 2, EXPR_ADDRESS = 4 } ExprFlag;

// Whose value a symbol is. What is "uniform" is the same for both threads of a question.
typedef enum ExprOwner { OWNER_UNIFORM = 0, OWNER_THREAD1 = 1, OWNER_THREAD2 = 2 } ExprOwner;

// What a symbol stands for; used by reports and to choose small, round witness values.
typedef enum ExprSymKind {
  SYM_HOST_VALUE, // a value of host code: variable, result of a call, field
  SYM_GRID_DIM,   // gridDim.x/y/z    (axis 0..2 in `axis`)
  SYM_BLOCK_DIM,  // blockDim.x/y/z
  SYM_BLOCK_IDX,  // blockIdx.x/y/z of a thread
  SYM_THREAD_IDX, // threadIdx.x/y/z of a thread
  SYM_ITERATION,  // iteration number of a loop, from 0
  SYM_MEMORY,     // a value read from memory: makes a race "possible", not definite
  SYM_UNKNOWN     // any other value that was not understood: likewise
} ExprSymKind;

typedef struct ExprSym {
  const char *name; // as the user would write it: "rows", "threadIdx.x", "i"; need not be unique
  uint8_t width;
  uint8_t owner; // ExprOwner
  uint8_t kind;  // ExprSymKind
  uint8_t axis;
  int64_t lo,
      hi; // always lo <= value <= hi, in the signed reading; INT64_MIN/MAX of the width when nothing is known
  SrcLoc loc;          // where the value comes from; loc.file NULL: built in
  bool is_from_caller; // a parameter of a host function whose callers are not seen
  bool is_nameless;    // no variable, call or field: `name` is for dumps, and no witness tells it
  ExprRef word;        // an unknown that stands for it, as small and as known as it; 0: for none
  const char *after;   // "load()": what a variable holds after that call, at `loc`; NULL: something else
} ExprSym;

// An uninterpreted pure function: equal arguments, equal result. Loads of memory that nothing writes, opaque
// calls, floating-point operations.
typedef struct ExprFunc {
  const char *name;               // "idx[]", "fadd", "sqrtf"
  uint8_t width;                  // of the result
  uint8_t kind;                   // ExprSymKind: SYM_MEMORY for loads, SYM_UNKNOWN for the rest
  bool is_float;                  // the result is the bits of a floating-point value
  bool is_by_launch;              // whether an earlier launch has stored to the element
  bool is_injective, is_monotone; // facts about one-argument tables, in the signed reading; false = not known
  int64_t lo, hi;                 // range of the result
  SrcLoc loc;
} ExprFunc;

typedef struct ExprNode {
  uint8_t op;    // ExprOp
  uint8_t width; // bits of the result
  uint8_t flags; // ExprFlag
  uint8_t
      owners; // union of the owners of all symbols below: bit 0 = some THREAD1 symbol, bit 1 = some THREAD2
  uint32_t arg_count;
  ExprRef a, b, c;     // operands of ops with 1..3 operands
  uint8_t zeros;       // so many of its low bits are surely zero
  const ExprRef *args; // operands of APP
  int64_t value;       // CONST: value (signed reading); SYM, APP: index
} ExprNode;

typedef struct ExprPool ExprPool;

ExprPool *expr_pool_make(Arena *arena);
ExprPool *expr_pool_clone(const ExprPool *pool, Arena *arena); // strings are shared with the original
uint32_t expr_count(const ExprPool *pool);                     // refs are 1 .. expr_count

static inline bool expr_is_of(const ExprPool *pool, ExprRef ref) {
  return ref > 0 && ref <= expr_count(pool);
}
static inline bool expr_is_width(uint8_t width) {
  return width == 1 || (width >= 8 && width <= 64);
}

const ExprNode *expr_node(const ExprPool *pool, ExprRef ref); // valid until the next construction
uint32_t expr_sym_count(const ExprPool *pool);                // symbols are 0 .. count-1
const ExprSym *expr_sym_info(const ExprPool *pool, uint32_t sym);
void expr_sym_rename(ExprPool *pool, uint32_t sym,
                     const char *name); // for what is printed; nothing else changes
uint32_t expr_func_count(const ExprPool *pool);
const ExprFunc *expr_func_info(const ExprPool *pool, uint32_t func);

// Construction. Operand widths must agree (BUG otherwise). The result may be any equal expression.
ExprRef expr_const(ExprPool *pool, uint8_t width, int64_t value); // value is reduced to its signed reading
ExprRef expr_bool(ExprPool *pool, bool value);
ExprRef expr_new_sym(ExprPool *pool, ExprSym info); // always a new symbol; lo = hi = 0 means the whole range
ExprRef expr_sym(ExprPool *pool, uint32_t sym);
uint32_t expr_new_func(ExprPool *pool, ExprFunc info); // always a new function; lo = hi = 0: whole range
uint32_t expr_func_named(ExprPool *pool, const char *name,
                         uint8_t width); // the one pure function of that name
ExprRef expr_app(ExprPool *pool, uint32_t func, uint32_t count, const ExprRef *args);
ExprRef expr_unary(ExprPool *pool, ExprOp op, uint8_t width, ExprRef a); // NOT (width 1), ZEXT, SEXT, TRUNC
ExprRef expr_binary(ExprPool *pool, ExprOp op, uint8_t flags, ExprRef a, ExprRef b);
ExprRef expr_ite(ExprPool *pool, ExprRef condition, ExprRef then_value, ExprRef else_value);
ExprRef expr_not(ExprPool *pool, ExprRef a);
ExprRef expr_and(ExprPool *pool, ExprRef a, ExprRef b); // width 1
ExprRef expr_or(ExprPool *pool, ExprRef a, ExprRef b);  // width 1
ExprRef expr_eq(ExprPool *pool, ExprRef a, ExprRef b);
ExprRef expr_ne(ExprPool *pool, ExprRef a, ExprRef b);
// Sign- or zero-extends or truncates to `width`; the same width is the identity.
ExprRef expr_resize_signed(ExprPool *pool, ExprRef a, uint8_t width);
ExprRef expr_resize_unsigned(ExprPool *pool, ExprRef a, uint8_t width);

bool expr_is_const(const ExprPool *pool, ExprRef ref, int64_t *value); // value may be NULL
bool expr_is_true(const ExprPool *pool, ExprRef ref);
bool expr_is_false(const ExprPool *pool, ExprRef ref);
uint8_t expr_width(const ExprPool *pool, ExprRef ref);
static inline bool expr_is_division(const ExprNode *node) { // a quotient or a remainder
  return node->op >= EXPR_SDIV && node->op <= EXPR_UREM;
}

// A sound range of the signed reading from the ranges of the symbols (no facts). Arithmetic marked
// NSW/ADDRESS is taken not to wrap; anything else that could wrap widens to the whole range of its width.
void expr_range(ExprPool *pool, ExprRef ref, int64_t *lo, int64_t *hi);

// Replaces symbols: map[sym] is the expression for symbol `sym`, 0 or sym >= map_count keeps it. Widths must
// agree.
ExprRef expr_substitute(ExprPool *pool, ExprRef ref, const ExprRef *map, uint32_t map_count);
// Replaces each expression from[i] by to[i], of the same width; what stands in to[i] is left as it is.
ExprRef expr_replace(ExprPool *pool, ExprRef ref, const ExprRef *from, const ExprRef *to, uint32_t count);
// Calls visit(context, sym) once for each symbol in `ref`, each in ascending order.
void expr_each_sym(const ExprPool *pool, ExprRef ref, void (*visit)(void *context, uint32_t sym),
                   void *context);
unsigned expr_sym_kinds(const ExprPool *pool, ExprRef ref); // of those in `ref`: a bit for each ExprSymKind

// Values for evaluation. `app` is asked for the value of an uninterpreted function; return false for
// "unknown".
typedef struct ExprEnv {
  const int64_t *sym_values; // by symbol; signed readings
  uint32_t sym_count;        // symbols beyond have no value
  bool (*app)(void *context, uint32_t func, uint32_t count, const int64_t *args, int64_t *result);
  void *context;
} ExprEnv;

typedef enum ExprEvalResult {
  EXPR_EVAL_OK,
  EXPR_EVAL_UNKNOWN,  // a symbol or function without a value
  EXPR_EVAL_OVERFLOW, // NSW, NUW or ADDRESS arithmetic left its range: the program has no meaning here
  EXPR_EVAL_UNDEFINED // division by zero, shift count out of range
} ExprEvalResult;
// Exact modulo 2^w. Operands of ITE, AND, OR that do not matter are not evaluated.
ExprEvalResult expr_eval(const ExprPool *pool, ExprRef ref, const ExprEnv *env, int64_t *value);
// Several evaluations, one after the other, in environments of which each knows what those before it know, and at most
// more: what has a value keeps it, and is not evaluated again. Zero-initialised is the begin of a series.
typedef struct ExprSeries {
  uint32_t first, last; // stamps
} ExprSeries;
ExprEvalResult expr_eval_next(const ExprPool *pool, ExprRef ref, const ExprEnv *env, ExprSeries *series,
                              int64_t *value);
// One operation on constants: what folding and interpretation share. flags as in the node. `b` for unary ops
// is 0; from_width is the operand's width (differs from width for casts and compares).
ExprEvalResult expr_fold(ExprOp op, uint8_t flags, uint8_t width, uint8_t from_width, int64_t a, int64_t b,
                         int64_t *value);
int64_t expr_signed_reading(int64_t value, uint8_t width); // reduces to the signed reading of width bits
uint64_t expr_unsigned_reading(int64_t value, uint8_t width);

// What the program calls a value that is long to spell out: "rows" for `1 < argc ? atoi(argv[1]) : 100`. The
// first name stays. For what is printed `brief`; nothing else changes.
typedef struct ExprName {
  const char *name;
  SrcLoc loc;
} ExprName;
void expr_set_name(ExprPool *pool, ExprRef ref, ExprName name);
const ExprName *expr_name(const ExprPool *pool, ExprRef ref); // NULL: it has none

// C-like text: "rows == cols", "(width + 15) / 16". Casts that do not matter to a reader are left out when
// `brief`, and what has a name goes by it.
void expr_print(const ExprPool *pool, ExprRef ref, bool brief, StrBuf *out);
void expr_print_in_full(const ExprPool *pool, ExprRef ref, StrBuf *out); // brief, but not its own name

#endif
