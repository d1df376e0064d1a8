// Which sizes are in use at a call, and what does that say of the numbers in them? A successful allocation
// has a positive size; copies, fills and host memory may have size 0, but none that is negative; rows of a
// copy in two dimensions are no longer than their pitch. Method: sized_calls.c has the functions whose arguments
// are sizes. What is said of a product is said of its factors, through changes of width: what is meant is a
// number of elements, not one that came round through 2^32. So is a launch that covers a product of numbers,
// `(n * rows * columns + 255) / 256` blocks; where these may be one though the product is none, `(n * rows - 1) / 256 + 1`, what is said of
// the factors is said if the product is positive, which the kernel may test. Soundness: calls are taken to succeed, and a product that is a
// size, or is covered by a launch, to have factors of one sign (A6).
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/facts/facts.h"
#include "core/bug.h"
#include "hostscan/program.h"
#include "hostscan/syntax.h"
#include "hostscan/terms.h"
#include "hostscan/value.h"

// ---- what is said
typedef struct Said {
  HostScan *scan; // NULL: of a launch
  ExprPool *pool;
  Arena *arena;
  HostConditions *out;
} Said;

static void say_order(const Said *said, ExprOp op, ExprRef a, ExprRef b) {
  vec_push(said->arena, said->out, expr_binary(said->pool, op, 0, a, b));
}

// The factors of `size` are positive (EXPR_SLT) or not negative (EXPR_SLE).
static void say_factors(const Said *said, ExprOp op, ExprRef size) {
  ExprNode node = *expr_node(said->pool, size);
  if (node.op == EXPR_MUL) {
    say_factors(said, op, node.a);
    say_factors(said, op, node.b);
  } else if (node.op == EXPR_SEXT || node.op == EXPR_ZEXT || node.op == EXPR_TRUNC) {
    say_factors(said, op, node.a);
  } else if (node.op != EXPR_CONST && node.width > 1) {
    say_order(said, op, expr_const(said->pool, node.width, 0), size);
  }
}

// ---- launches
static bool is_smaller(const ExprPool *pool, const ExprNode *choice) {
  ExprNode test = *expr_node(pool, choice->a);
  bool is_order = test.op == EXPR_SLT || test.op == EXPR_SLE || test.op == EXPR_ULT || test.op == EXPR_ULE;
  return is_order && test.a == choice->b && test.b == choice->c;
}

// sum / divisor is at least one: so is what is less than the divisor short of the sum.
static void say_divided(const Said *said, ExprRef sum, ExprRef divisor) {
  ExprPool *pool = said->pool;
  ExprNode node = *expr_node(pool, sum),
           more = *expr_node(pool, expr_binary(pool, EXPR_SUB, 0, sum, divisor));
  int64_t number = 0, added = 0, rest = 0;
  bool is_number = expr_is_const(pool, divisor, &number) && number > 0;
  bool is_short = node.op == EXPR_ADD && expr_is_const(pool, node.b, &added) && added < number;
  if (is_number && node.op == EXPR_MUL) say_factors(said, EXPR_SLT, sum);
  if (is_number && is_short) say_factors(said, EXPR_SLT, node.a);
  if (!is_number && more.op == EXPR_ADD && expr_is_const(pool, more.b, &rest) && rest < 0)
    say_factors(said, EXPR_SLT, more.a);
}

// As many threads or blocks are launched, that is to say at least one: `(x + 255) / 256` and the like are
// positive if x is, and the smaller of two numbers if both are.
static void say_count(const Said *said, ExprRef count) {
  ExprPool *pool = said->pool;
  ExprNode node = *expr_node(pool, count);
  if (node.op == EXPR_ITE && is_smaller(pool, &node)) {
    say_count(said, node.b);
    say_count(said, node.c);
  }
  if (node.op == EXPR_SEXT || node.op == EXPR_ZEXT || node.op == EXPR_TRUNC) say_count(said, node.a);
  if (node.op == EXPR_MUL) say_factors(said, EXPR_SLT, count);
  if (node.op == EXPR_SDIV || node.op == EXPR_UDIV) say_divided(said, node.a, node.b);
}

// Of a product: if it is positive, so are its factors.
static void say_one_sign(const Said *said, ExprRef product) {
  ExprPool *pool = said->pool;
  HostConditions factors = {0};
  Said inner = *said;
  inner.out = &factors;
  say_factors(&inner, EXPR_SLT, product);
  ExprRef all = expr_bool(pool, true), zero = expr_const(pool, expr_width(pool, product), 0);
  for (uint32_t i = 0; i < factors.count; i++)
    all = expr_and(pool, all, factors.items[i]);
  ExprRef fact = expr_or(pool, expr_binary(pool, EXPR_SLE, 0, product, zero), all);
  bool is_new = factors.count > 1;
  for (uint32_t i = 0; i < said->out->count; i++)
    is_new &= said->out->items[i] != fact;
  if (is_new) vec_push(said->arena, said->out, fact);
}

// What a launch covers in any other way, `(n * rows - 1) / 256 + 1` blocks or the root of that, may be less than one: the kernel has to ask.
static void say_covered(const Said *said, ExprRef count) {
  ExprNode node = *expr_node(said->pool, count);
  bool is_quotient = node.op == EXPR_SDIV || node.op == EXPR_UDIV;
  bool is_widened = node.op == EXPR_SEXT || node.op == EXPR_ZEXT || node.op == EXPR_TRUNC;
  if (node.op == EXPR_MUL) say_one_sign(said, count);
  if (is_quotient || is_widened || node.op == EXPR_ADD || node.op == EXPR_SUB) say_covered(said, node.a);
  if (node.op == EXPR_ADD) say_covered(said, node.b);
  if (node.op == EXPR_ITE) {
    say_covered(said, node.b);
    say_covered(said, node.c);
  }
  if (node.op != EXPR_APP || expr_func_info(said->pool, (uint32_t)node.value)->kind != SYM_UNKNOWN) return;
  for (uint32_t i = 0; i < node.arg_count; i++) // of arithmetic, not where in an array something is read
    say_covered(said, node.args[i]);
}

void host_sizes_say_count(ExprPool *pool, Arena *arena, ExprRef count, HostConditions *out) {
  ASSERT(expr_is_of(pool, count));
  Said said = {.pool = pool, .arena = arena, .out = out};
  uint32_t before = out->count;
  say_count(&said, count);
  if (out->count == before) say_covered(&said, count);
}

static void say_positive(const Said *said, ExprRef size) {
  if (size) say_factors(said, EXPR_SLT, host_settle(said->scan, size));
}

static void say_natural(const Said *said, ExprRef size) {
  if (size) say_factors(said, EXPR_SLE, host_settle(said->scan, size));
}

// `new int[n]` asks for all there is where n * 4 does not fit.
static ExprRef without_overflow(HostScan *scan, ExprRef size) {
  ExprNode node = *expr_node(scan->pool, size);
  int64_t most = 0;
  return node.op == EXPR_ITE && expr_is_const(scan->pool, node.b, &most) && most == -1 ? node.c : size;
}

// ---- calls
static ExprRef argument(HostScan *scan, HostFrame *frame, uint32_t inst, uint32_t index) {
  const IrInst *call = &frame->function->ir->insts.items[inst];
  uint32_t count = call->op == IR_CALL ? host_argument_count(call) : call->op_count;
  if (index >= count || ir_ref_type(scan->module, frame->function->ir, call->ops[index]).kind != IR_INT)
    return 0;
  return host_settle(scan, host_value(scan, frame, call->ops[index]));
}

static void say_rows(const Said *said, ExprRef width, ExprRef pitch) {
  ExprPool *pool = said->pool;
  if (width && pitch)
    say_order(said, EXPR_SLE, expr_resize_unsigned(pool, width, 64), expr_resize_unsigned(pool, pitch, 64));
}

static void say_extent(const Said *said, HostFrame *frame, uint32_t inst, const HostSizedCall *call) {
  for (uint32_t part = 0; part < 3; part++) {
    ExprRef size = 0;
    if (call->behind == 0)
      size = host_extent_part(said->scan, frame, inst, (HostExtent){call->extent, call->others}, part);
    else
      size = host_word_behind(said->scan, frame, inst, call->extent, call->behind + part * 8u);
    say_natural(said, size);
  }
}

static void say_call(const Said *said, HostFrame *frame, uint32_t inst, const HostSizedCall *call) {
  HostScan *scan = said->scan;
  for (uint32_t i = 0; i < 16; i++) {
    ExprRef size = call->sizes >> i & 1 ? argument(scan, frame, inst, i) : 0;
    if (size) say_natural(said, without_overflow(scan, size));
  }
  if (call->width != HOST_NO_ARGUMENT) {
    ExprRef width = argument(scan, frame, inst, call->width);
    say_rows(said, width, argument(scan, frame, inst, call->pitch));
    say_rows(said, width, argument(scan, frame, inst, call->old_pitch));
  }
  if (call->extent != HOST_NO_ARGUMENT) say_extent(said, frame, inst, call);
}

// Height and depth are 0 where the array has fewer dimensions.
static void say_allocation(const Said *said, HostFrame *frame, uint32_t inst, HostCallKind kind) {
  if (kind == CALL_ALLOCATE_ARRAY) {
    HostPitch image = host_image(said->scan, frame, inst);
    say_positive(said, image.width);
    say_natural(said, image.height);
    say_natural(said, image.depth);
    return;
  }
  uint32_t object = host_allocation(said->scan, frame, inst);
  if (kind == CALL_ALLOCATE) {
    say_positive(said, said->scan->objects.items[object].size_bytes);
    return;
  }
  HostPitch made = host_pitch(said->scan, frame, inst);
  say_positive(said, made.width);
  say_positive(said, made.height);
  say_positive(said, made.depth);
}

void host_sizes_say(HostScan *scan, HostFrame *frame, uint32_t inst, HostConditions *out) {
  ASSERT(frame->function);
  ASSERT(host_function_has_inst(frame->function, inst));
  const IrInst *call = &frame->function->ir->insts.items[inst];
  Said said = {scan, scan->pool, scan->arena, out};
  HostCallKind kind = call->op == IR_CALL ? host_call(scan, call, NULL)->kind : CALL_QUIET;
  const HostSizedCall *sized = host_sized_call(scan, call);
  if (host_is_sized_allocation(kind))
    say_allocation(&said, frame, inst, kind);
  else if (sized)
    say_call(&said, frame, inst, sized);
}
