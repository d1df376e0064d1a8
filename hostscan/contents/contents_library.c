// What does a library of the toolkit leave in an element of an array? Sequences, sorted keys, values in
// another order, sums of prefixes, as thrust and cub document them. Method: the bundled declarations make
// these calls of one form each (frontend/cuda/hgrd_contents.h): so many elements from a place on. The number
// of an element among them is a function of the element. An order is an injective function of this number;
// sorted keys and sums of what is not negative are rising functions of it. Soundness: what is left is said
// only of elements of the width that the call writes; all else that the call may reach is unknown. What the
// library reads counts as written by somebody (A12), and sums do not wrap (A1).
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/contents.h"
#include "hostscan/objects.h"
#include "hostscan/names.h"
#include "hostscan/program.h"
#include "hostscan/syntax.h"
#include "hostscan/series.h"
#include "hostscan/terms.h"
#include "hostscan/value.h"

#include <string.h>

typedef struct Call {
  HostScan *scan;
  HostFrame *frame;
  uint32_t inst;
  HostCell cell;
  ExprRef to;     // offset of the first element in the object
  ExprRef apart;  // of the cell from it
  ExprRef length; // bytes
  ExprRef stream;
  ExprRef number; // of the element; 0: not made yet
  uint32_t func;  // that gives it
} Call;

static ExprRef argument(const Call *call, uint32_t index) {
  const IrInst *inst = &call->frame->function->ir->insts.items[call->inst];
  return host_settle(call->scan, host_value(call->scan, call->frame, inst->ops[index]));
}

static int64_t constant_argument(const Call *call, uint32_t index) {
  int64_t value = 0;
  return expr_is_const(call->scan->pool, argument(call, index), &value) ? value : -1;
}

static ExprRef constant(const Call *call, int64_t value) {
  return expr_const(call->scan->pool, 64, value);
}

static ExprRef scaled(const Call *call, ExprRef number, int64_t bytes) {
  ExprPool *pool = call->scan->pool;
  return expr_binary(pool, EXPR_MUL, EXPR_NSW, expr_resize_signed(pool, number, 64), constant(call, bytes));
}

// Is the cell one of the elements?
static ExprRef covers(const Call *call) {
  ExprPool *pool = call->scan->pool;
  ExprRef end = expr_binary(pool, EXPR_ADD, EXPR_ADDRESS, call->apart, constant(call, call->cell.bytes));
  return expr_and(pool, expr_binary(pool, EXPR_SLE, 0, constant(call, 0), call->apart),
                  expr_binary(pool, EXPR_SLE, 0, end, call->length));
}

static void keep(const Call *call, ExprRef condition) {
  ExprPool *pool = call->scan->pool;
  host_fill_fact(call->scan, call->func, expr_or(pool, expr_not(pool, covers(call)), condition));
}

static ExprRef number_of(Call *call) {
  if (call->number) return call->number;
  HostScan *scan = call->scan;
  const IrInst *inst = &call->frame->function->ir->insts.items[call->inst];
  uint8_t width = call->cell.bytes == 8 ? 64 : 32;
  ExprSym like = {.name = "i", .width = width, .kind = SYM_HOST_VALUE, .hi = INT32_MAX - 1};
  like.loc = host_loc(scan, call->frame, inst);
  call->number = host_function_of_element(scan, &like, &call->func);
  keep(call, expr_eq(scan->pool, scaled(call, call->number, call->cell.bytes), call->apart));
  HostKernelFill fill = {call->func, call->frame, call->inst, call->stream};
  vec_push(scan->arena, &scan->kernel_fills, fill);
  return call->number;
}

// ---- what is there before
typedef struct Source { // `value` is what element `scan->element` of the object holds
  ExprRef value, from;  // 0: not known; offset in the object
  int64_t bytes;
} Source;

static Source source_at(const Call *call, ExprRef address, int64_t bytes) {
  HostScan *scan = call->scan;
  HostTarget target;
  if (!host_is_cell_size((uint64_t)bytes) || !host_sole_target(scan, address, &target)) return (Source){0};
  HostCell cell = {target.leaf, host_element(scan), (uint32_t)bytes, IR_INT};
  ExprRef value = host_settle(scan, host_cell_before(scan, call->frame, call->inst, cell));
  bool is_short = host_weight(scan, value) <= HOST_HEAVY;
  value = is_short ? host_when_over(scan, value, call->frame, call->inst, call->stream) : 0;
  return (Source){value, target.offset, bytes};
}

static ExprRef source_value(const Call *call, const Source *source, ExprRef number) {
  ExprRef offset = host_add_offset(call->scan, source->from, scaled(call, number, source->bytes));
  return source->value ? host_at_element(call->scan, source->value, offset) : 0;
}

// The place that the element had before.
static ExprRef place_before(Call *call, bool is_rising) {
  ExprPool *pool = call->scan->pool;
  ExprFunc info = {.name = "place before", .width = 64, .kind = SYM_HOST_VALUE, .hi = INT32_MAX - 1};
  info.is_injective = true;
  info.is_monotone = is_rising;
  ExprRef number = expr_resize_signed(pool, number_of(call), 64);
  ExprRef place = expr_app(pool, expr_new_func(pool, info), 1, &number);
  keep(call, expr_binary(pool, EXPR_SLT, 0, scaled(call, place, call->cell.bytes), call->length));
  return place;
}

// ---- the contracts
static ExprRef left_by_fill(Call *call) {
  return expr_resize_signed(call->scan->pool, argument(call, 4), (uint8_t)(call->cell.bytes * 8));
}

static ExprRef left_by_sequence(Call *call) {
  ExprPool *pool = call->scan->pool;
  uint8_t width = (uint8_t)(call->cell.bytes * 8);
  ExprRef number = expr_resize_signed(pool, number_of(call), width);
  ExprRef first = expr_resize_signed(pool, argument(call, 4), width);
  ExprRef step = expr_resize_signed(pool, argument(call, 5), width);
  return expr_binary(pool, EXPR_ADD, EXPR_NSW, first, expr_binary(pool, EXPR_MUL, EXPR_NSW, number, step));
}

static ExprRef left_by_copy(Call *call) {
  Source source = source_at(call, argument(call, 4), call->cell.bytes);
  return source_value(call, &source, number_of(call));
}

static ExprRef left_by_order(Call *call) {
  Source source = source_at(call, argument(call, 4), call->cell.bytes);
  return source_value(call, &source, place_before(call, false));
}

// As frontend/cuda/hgrd_contents.h numbers them.
enum { SORTED_SIGNED = 1, SORTED_UNSIGNED = 2, SORTED_DOWN_SIGNED = 3, SORTED_DOWN_UNSIGNED = 4 };

// A rising function of the place.
static ExprRef rising(Call *call, const char *name, uint8_t width, int64_t hi) {
  ExprFunc info = {.name = name, .width = width, .kind = SYM_HOST_VALUE, .is_monotone = true, .hi = hi};
  ExprRef number = number_of(call);
  return expr_app(call->scan->pool, expr_new_func(call->scan->pool, info), 1, &number);
}

// Keys without a sign are in the order of the same bits with the highest one turned round, read with a sign;
// a falling order is the rising one of the complements. The upper half of a key of 64 bits rises (falls) by
// itself: kernels that look for where one key ends often look at nothing else.
static ExprRef sorted_key(Call *call, uint8_t width, bool is_down, bool is_unsigned) {
  ExprPool *pool = call->scan->pool;
  if (is_unsigned && width < 64) {
    int64_t most = ((int64_t)1 << width) - 1;
    ExprRef key = rising(call, "sorted", 64, most);
    if (is_down) key = expr_binary(pool, EXPR_SUB, EXPR_NSW, constant(call, most), key);
    return expr_resize_signed(pool, key, width);
  }
  ExprRef key = rising(call, "sorted", width, 0);
  if (is_down) key = expr_binary(pool, EXPR_XOR, 0, key, expr_const(pool, width, -1));
  if (!is_unsigned) return key;
  key = expr_binary(pool, EXPR_XOR, 0, key, expr_const(pool, 64, INT64_MIN));
  ExprRef upper = rising(call, "upper half of sorted", 64, UINT32_MAX);
  if (is_down) upper = expr_binary(pool, EXPR_SUB, EXPR_NSW, constant(call, UINT32_MAX), upper);
  keep(call, expr_eq(pool, expr_binary(pool, EXPR_LSHR, 0, key, constant(call, 32)), upper));
  return key;
}

static ExprRef left_by_sort(Call *call) {
  HostScan *scan = call->scan;
  Source source = source_at(call, argument(call, 4), call->cell.bytes);
  ExprRef before = source_value(call, &source, place_before(call, false));
  int64_t kind = constant_argument(call, 5);
  uint8_t width = (uint8_t)(call->cell.bytes * 8);
  if (kind < SORTED_SIGNED || kind > SORTED_DOWN_UNSIGNED) return before;
  bool is_down = kind >= SORTED_DOWN_SIGNED,
       is_unsigned = kind == SORTED_UNSIGNED || kind == SORTED_DOWN_UNSIGNED;
  ExprRef key = sorted_key(call, width, is_down, is_unsigned);
  if (before) keep(call, expr_eq(scan->pool, key, before));
  return key;
}

static ExprRef left_by_keep(Call *call) {
  HostScan *scan = call->scan;
  Source source = source_at(call, argument(call, 0), call->cell.bytes);
  ExprRef before = source_value(call, &source, place_before(call, true));
  if (!before) return 0;
  ExprRef end = scaled(call, argument(call, 4), call->cell.bytes);
  ExprRef is_kept = expr_binary(scan->pool, EXPR_SLT, 0, call->apart, end);
  return expr_ite(scan->pool, is_kept, before, host_after_write(scan, call->frame, call->inst, call->cell));
}

// The number of the element, as another call of a library has it, in an expression of the element.
static bool is_number_of_element(const HostScan *scan, ExprRef ref) {
  const ExprNode *node = expr_node(scan->pool, ref);
  if (node->op == EXPR_SEXT || node->op == EXPR_ZEXT) node = expr_node(scan->pool, node->a);
  if (node->op != EXPR_APP || node->arg_count != 1 || node->args[0] != scan->element) return false;
  for (uint32_t i = 0; i < scan->kernel_fills.count; i++)
    if (scan->kernel_fills.items[i].func == (uint32_t)node->value) return true;
  return false;
}

// A value that never falls from one element to the next, as keys that were sorted: a rising function of the number of
// the element.
static bool rises(const HostScan *scan, ExprRef value, ExprFunc *info) {
  const ExprNode *node = expr_node(scan->pool, value);
  if (node->op == EXPR_TRUNC) node = expr_node(scan->pool, node->a);
  if (node->op != EXPR_APP || node->arg_count != 1) return false;
  *info = *expr_func_info(scan->pool, (uint32_t)node->value);
  return info->is_monotone && is_number_of_element(scan, node->args[0]);
}

enum { KNOWN_LIMIT = 16 };

// The condition for what the library reads: 1 or 0 where it surely holds or does not hold, else -1.
static int is_so_within(HostScan *scan, ExprRef within, ExprRef condition) {
  if (!within || !scan->options || !scan->options->prove) return -1;
  const HostScanOptions *options = scan->options;
  VEC(ExprRef) known = {0};
  vec_push(scan->arena, &known, within);
  for (uint32_t i = 0; i < scan->fill_facts.count && known.count < KNOWN_LIMIT; i++) {
    IndexList func = {0};
    vec_push(scan->arena, &func, scan->fill_facts.items[i].func);
    if (host_holds_func(scan->pool, condition, &func))
      vec_push(scan->arena, &known, scan->fill_facts.items[i].condition);
  }
  if (options->prove(options->prove_context, scan->pool, known.count, known.items, condition)) return 1;
  ExprRef negated = expr_not(scan->pool, condition);
  return options->prove(options->prove_context, scan->pool, known.count, known.items, negated) ? 0 : -1;
}

// The value without the cases that do not arise for what the library reads.
static ExprRef resolved(HostScan *scan, ExprRef within, ExprRef value) {
  ExprNode node = *expr_node(scan->pool, value);
  if (node.op != EXPR_ITE) return value;
  int is_so = is_so_within(scan, within, node.a);
  if (is_so >= 0) return resolved(scan, within, is_so ? node.b : node.c);
  return expr_ite(scan->pool, node.a, resolved(scan, within, node.b), resolved(scan, within, node.c));
}

// Whatever it is, if somebody wrote it, it is not negative.
static bool is_natural(HostScan *scan, ExprRef value) {
  ExprNode node = *expr_node(scan->pool, value);
  int64_t lo = 0, hi = 0;
  if (host_is_uninitialised(scan, value)) return true;
  if (node.op == EXPR_ITE) return is_natural(scan, node.b) && is_natural(scan, node.c);
  // Sums do not wrap (A1); what is added to memory that nobody has written may be anything.
  if (node.op == EXPR_ADD && node.flags & EXPR_NSW)
    return !host_is_uninitialised(scan, node.a) && !host_is_uninitialised(scan, node.b) &&
           is_natural(scan, node.a) && is_natural(scan, node.b);
  expr_range(scan->pool, value, &lo, &hi);
  return lo >= 0;
}

// The element is one of those that the library reads.
static ExprRef is_read(const Call *call, const Source *source) {
  ExprPool *pool = call->scan->pool;
  if (source->bytes != call->cell.bytes) return 0;
  ExprRef apart = host_gather(
      call->scan, expr_binary(pool, EXPR_SUB, EXPR_ADDRESS, host_element(call->scan), source->from));
  ExprRef end = expr_binary(pool, EXPR_ADD, EXPR_ADDRESS, apart, constant(call, source->bytes));
  return expr_and(pool, expr_binary(pool, EXPR_SLE, 0, constant(call, 0), apart),
                  expr_binary(pool, EXPR_SLE, 0, end, call->length));
}

// Sums of numbers without a sign that fill their word: in twice the width, as they do not wrap (A1).
static bool is_summed_wide(const Call *call, const Source *source) {
  return constant_argument(call, 6) == 2 && call->cell.bytes == 4 && source->bytes == 4;
}

static ExprRef left_by_scan(Call *call) {
  HostScan *scan = call->scan;
  ExprPool *pool = scan->pool;
  uint8_t width = (uint8_t)(call->cell.bytes * 8), sum_width = width;
  Source source = source_at(call, argument(call, 4), constant_argument(call, 5));
  int64_t is_inclusive = constant_argument(call, 7);
  if (!source.value || is_inclusive < 0) return 0;
  ExprFunc info = {.name = "sum", .kind = SYM_HOST_VALUE, .is_monotone = true};
  if (!is_natural(scan, source.value)) source.value = resolved(scan, is_read(call, &source), source.value);
  if (!is_natural(scan, source.value)) {
    if (!is_summed_wide(call, &source)) return 0;
    sum_width = 64;
    info.hi = UINT32_MAX;
  }
  ExprRef number = number_of(call), added = source_value(call, &source, number);
  if (!added) return 0;
  added = constant_argument(call, 6) == 2 ? expr_resize_unsigned(pool, added, sum_width)
                                          : expr_resize_signed(pool, added, sum_width);
  info.width = sum_width;
  uint32_t func = expr_new_func(pool, info);
  uint8_t bits = expr_width(pool, number);
  ExprRef later = expr_binary(pool, EXPR_ADD, EXPR_NSW, number, expr_const(pool, bits, 1));
  ExprRef none = expr_const(pool, bits, 0);
  ExprRef sum = expr_app(pool, func, 1, &number), next = expr_app(pool, func, 1, &later);
  ExprRef first = argument(call, 8);
  first = sum_width > width ? expr_resize_unsigned(pool, expr_resize_signed(pool, first, width), sum_width)
                            : expr_resize_signed(pool, first, width);
  keep(call, expr_eq(pool, expr_app(pool, func, 1, &none), first));
  keep(call, expr_eq(pool, next, expr_binary(pool, EXPR_ADD, EXPR_NSW, sum, added)));
  return expr_resize_signed(pool, is_inclusive ? next : sum, width);
}

// Of numbers that do not fall, those whose neighbours differ rise: no two are equal.
static ExprRef left_by_distinct(Call *call) {
  HostScan *scan = call->scan;
  ExprPool *pool = scan->pool;
  ExprFunc info;
  Source source = source_at(call, argument(call, 0), call->cell.bytes);
  if (source.value) source.value = resolved(scan, is_read(call, &source), source.value);
  if (!source.value || !rises(scan, source.value, &info)) return left_by_keep(call);
  ExprRef before = source_value(call, &source, place_before(call, true)), number = number_of(call);
  info.name = "distinct";
  info.is_injective = true;
  ExprRef value = expr_app(pool, expr_new_func(pool, info), 1, &number);
  value = expr_resize_signed(pool, value, (uint8_t)(call->cell.bytes * 8));
  ExprRef end = scaled(call, argument(call, 4), call->cell.bytes);
  ExprRef is_kept = expr_binary(pool, EXPR_SLT, 0, call->apart, end);
  keep(call, expr_or(pool, expr_not(pool, is_kept), expr_eq(pool, value, before)));
  return expr_ite(pool, is_kept, value, host_after_write(scan, call->frame, call->inst, call->cell));
}

typedef struct Contract {
  const char *name;
  ExprRef (*left)(Call *call); // NULL: anything
  uint32_t arguments;
} Contract;

static const Contract contracts[] = {
    {"any", NULL, 5},          {"fill", left_by_fill, 5},   {"sequence", left_by_sequence, 6},
    {"copy", left_by_copy, 5}, {"order", left_by_order, 5}, {"sort", left_by_sort, 6},
    {"keep", left_by_keep, 5}, {"scan", left_by_scan, 9},   {"distinct", left_by_distinct, 5},
};

static const Contract *contract_of(const char *name) {
  name += strlen(HOST_CONTENTS_PREFIX);
  for (uint32_t i = 0; i < sizeof contracts / sizeof *contracts; i++)
    if (strcmp(contracts[i].name, name) == 0) return &contracts[i];
  return contracts;
}

ExprRef host_element_of_library(HostScan *scan, const HostQuestion *question) {
  const IrInst *at = &question->frame->function->ir->insts.items[question->index];
  const Contract *contract = contract_of(host_callee_name(scan, at));
  Call call = {.scan = scan, .frame = question->frame, .inst = question->index, .cell = question->cell};
  call.apart = question->span.apart;
  if (!contract->left || host_argument_count(at) < contract->arguments || scan->fill_depth > 3) return 0;
  call.length = question->span.length;
  call.stream = argument(&call, 3);
  if (constant_argument(&call, 2) != call.cell.bytes) return 0;
  scan->fill_depth++;
  ExprRef value = contract->left(&call);
  scan->fill_depth--;
  return value && host_weight(scan, value) <= HOST_HEAVY ? value : 0;
}
