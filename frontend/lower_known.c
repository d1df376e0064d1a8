// What does a recognised function of CUDA become (recognise.c)? Its operation, with what it needs to know from
// constant arguments; mathematics is PURE; what is called with too little to know stays a call of its name.
// Soundness: what an operation needs to know and is not constant (scope, order) is taken as the weakest.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/call_site.h"
#include "core/bug.h"

#include <stdlib.h>
#include <string.h>

bool call_has_attribute(LLVMValueRef call, LLVMValueRef callee, const char *name, uint64_t *value) {
  ASSERT(call && name);
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAttributeRef found = LLVMGetCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, kind);
  if (!found && callee && LLVMIsAFunction(callee))
    found = LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, kind);
  if (found && value) *value = LLVMGetEnumAttributeValue(found);
  return found != NULL;
}

// ---- helpers

static IrRef to_width(Lower *lower, IrRef ref, uint8_t bits) {
  return emit_op(lower, IR_ZEXT, ir_type_int(bits), 1, &ref);
}

IrRef call_length(Lower *lower, LLVMValueRef value, IrRef ref) {
  ASSERT(value && ref);
  return lower_type(lower, LLVMTypeOf(value)).bits < 64 ? to_width(lower, ref, 64) : ref;
}

// Order and scope as constant arguments; the weakest if they are not constant.
static void read_order_and_scope(const CallSite *site, uint32_t first, IrInst *inst) {
  int64_t order = IR_ORDER_RELAXED, scope = IR_SCOPE_THREAD;
  constant_number(call_arg(site, first), &order);
  constant_number(call_arg(site, first + 1), &scope);
  bool is_known = order >= 0 && order < IR_ORDER_COUNT && scope >= 0 && scope < IR_SCOPE_COUNT;
  inst->order = (uint8_t)(is_known ? order : IR_ORDER_RELAXED);
  inst->scope = (uint8_t)(is_known ? scope : IR_SCOPE_THREAD);
}

static bool is_number(IrType type) {
  return type.kind == IR_INT || type.kind == IR_FLOAT;
}

static IrRef emit_call(Lower *lower, const CallSite *site, const char *name) {
  IrInst inst = {.op = IR_CALL, .type = site->type, .name = name};
  uint64_t effect = UINT64_MAX;
  enum { WRITES_ANYTHING = 2 | 8 | 32 };
  bool has_effect = call_has_attribute(site->call, site->callee, "memory", &effect);
  if (has_effect && (effect & WRITES_ANYTHING) == 0) inst.flags = IR_FLAG_READONLY;
  IrRef *ops = arena_array(lower->scratch, site->count + 1, IrRef);
  uint32_t used = 0;
  for (uint32_t i = 0; i < site->count; i++)
    if (site->args[i]) ops[used++] = site->args[i];
  if (!name) ops[used++] = lower_value(lower, site->callee);
  return emit(lower, inst, used, ops);
}

// Under the name that the callee has in the IR, which for stubs is not that of LLVM.
IrRef emit_plain_call(Lower *lower, const CallSite *site) {
  uint32_t index;
  if (site->callee && ptr_map_get(&lower->functions, site->callee, &index))
    return emit_call(lower, site, lower->ir->functions.items[index - 1]->name);
  return emit_call(lower, site, *site->name ? site->name : NULL);
}

// ---- atomics

static bool names_unsigned(const CallSite *site, Arena *scratch) {
  return strstr(demangle(site->name, scratch).arguments, "unsigned") != NULL;
}

static bool is_largest_word(LLVMValueRef value) {
  int64_t number;
  return LLVMIsAConstantInt(value) && LLVMGetIntTypeWidth(LLVMTypeOf(value)) == 32 &&
         constant_number(value, &number) && (uint32_t)number == UINT32_MAX;
}

static IrRef emit_rmw(Lower *lower, const CallSite *site, IrInst inst, unsigned rmw) {
  IrRef value = site->args[1];
  inst.op = IR_ATOMICRMW;
  inst.type = lower_type(lower, LLVMTypeOf(call_arg(site, 1)));
  if (inst.type.kind == IR_FLOAT) {
    if (rmw == IR_RMW_SUB) value = emit_op(lower, IR_FNEG, inst.type, 1, &value);
    if (rmw == IR_RMW_ADD || rmw == IR_RMW_SUB) rmw = IR_RMW_FADD;
    if (rmw == IR_RMW_MAX) rmw = IR_RMW_FMAX;
    if (rmw == IR_RMW_MIN) rmw = IR_RMW_FMIN;
  } else if (rmw == IR_RMW_MAX && names_unsigned(site, lower->scratch)) {
    rmw = IR_RMW_UMAX;
  } else if (rmw == IR_RMW_MIN && names_unsigned(site, lower->scratch)) {
    rmw = IR_RMW_UMIN;
  } else if ((rmw == IR_RMW_INC || rmw == IR_RMW_DEC) && is_largest_word(call_arg(site, 1))) {
    rmw = rmw == IR_RMW_INC ? IR_RMW_ADD : IR_RMW_SUB; // wraps where the word does
    value = ir_const_int(lower->ir, lower->function, inst.type.bits, 1);
  }
  inst.rmw = (uint8_t)rmw;
  bool is_float_as_word = inst.type.kind == IR_INT && rmw >= IR_RMW_FADD;
  if (!is_float_as_word) return emit(lower, inst, 2, (IrRef[]){site->args[0], value});
  IrType word = inst.type;
  inst.type = ir_type_float(word.bits);
  value = emit_op(lower, IR_BITCAST, inst.type, 1, &value);
  IrRef old = emit(lower, inst, 2, (IrRef[]){site->args[0], value});
  return emit_op(lower, IR_BITCAST, word, 1, &old);
}

static IrRef lower_known_rmw(Lower *lower, const CallSite *site, const Recognition *known) {
  if (site->count < 2 || !is_number(lower_type(lower, LLVMTypeOf(call_arg(site, 1)))))
    return emit_plain_call(lower, site);
  const char *place =
      lower_access_place(lower, call_arg(site, 0), type_bytes(lower, LLVMTypeOf(call_arg(site, 1))));
  return emit_rmw(lower, site, (IrInst){.order = known->order, .scope = known->scope, .place = place},
                  known->detail);
}

static IrRef lower_given_rmw(Lower *lower, const CallSite *site) {
  int64_t rmw;
  IrInst inst = {0};
  if (site->count < 5 || !constant_number(call_arg(site, 2), &rmw) || rmw <= 0 || rmw >= IR_RMW_COUNT)
    return emit_plain_call(lower, site);
  read_order_and_scope(site, 3, &inst);
  return emit_rmw(lower, site, inst, (unsigned)rmw);
}

static IrRef lower_given_fadd(Lower *lower, const CallSite *site) {
  IrInst inst = {0};
  if (site->count < 4) return emit_plain_call(lower, site);
  read_order_and_scope(site, 2, &inst);
  return emit_rmw(lower, site, inst, IR_RMW_FADD);
}

static IrRef lower_known_cas(Lower *lower, const CallSite *site, const Recognition *known) {
  IrInst inst = {.op = IR_CMPXCHG, .order = known->order, .scope = known->scope};
  if (site->count < 3) return emit_plain_call(lower, site);
  if (known->kind == REC_GIVEN_CAS) {
    if (site->count < 6) return emit_plain_call(lower, site);
    read_order_and_scope(site, 3, &inst);
    int64_t failure = IR_ORDER_SEQ_CST;
    constant_number(call_arg(site, 5), &failure);
    if (!ir_order_acquires((unsigned)failure)) inst.flags |= IR_FLAG_WEAK_FAILURE;
  }
  inst.type = lower_type(lower, LLVMTypeOf(call_arg(site, 1)));
  inst.place = lower_access_place(lower, call_arg(site, 0), inst.type.bytes);
  return emit(lower, inst, 3, site->args);
}

// ---- loads and stores

static IrRef lower_known_load(Lower *lower, const CallSite *site, const Recognition *known) {
  IrInst inst = {.order = known->order, .scope = known->scope};
  if (site->count < 1 || site->type.kind == IR_VOID) return emit_plain_call(lower, site);
  if (known->kind == REC_GIVEN_LOAD) read_order_and_scope(site, 1, &inst);
  if (known->kind == REC_LOAD_READONLY) inst.flags = IR_FLAG_READONLY;
  inst.place = lower_access_place(lower, call_arg(site, 0), type_bytes(lower, LLVMTypeOf(site->call)));
  return emit_load(lower, LLVMTypeOf(site->call), site->args[0], inst);
}

static LLVMTypeRef byval_type(const CallSite *site, uint32_t index) {
  unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
  LLVMAttributeRef found = LLVMGetCallSiteEnumAttribute(site->call, index + 1, kind);
  return found ? LLVMGetTypeAttributeValue(found) : NULL;
}

static IrRef lower_known_store(Lower *lower, const CallSite *site, const Recognition *known) {
  IrInst inst = {.order = known->order, .scope = known->scope};
  if (site->count < 2) return emit_plain_call(lower, site);
  if (known->kind == REC_GIVEN_STORE) read_order_and_scope(site, 2, &inst);
  LLVMTypeRef copied = byval_type(site, 1);
  if (copied) {
    IrRef ops[] = {site->args[0], site->args[1], emit_int(lower, 64, type_bytes(lower, copied))};
    return emit_op(lower, IR_MEMCPY, ir_type_void(), 3, ops);
  }
  emit_store(lower, LLVMTypeOf(call_arg(site, 1)), site->args[0], site->args[1], inst);
  return 0;
}

// ---- synchronisation

IrRef lower_barrier_of_all(Lower *lower, IrRef number) {
  int64_t known;
  bool is_one = !number || ir_const_value(lower->function, number, &known);
  IrInst inst = {
      .op = IR_BARRIER, .scope = IR_SCOPE_BLOCK, .imm = is_one ? IR_BARRIER_SYNC : IR_BARRIER_NAMED};
  return emit(lower, inst, is_one ? 0 : 1, &number);
}

static IrRef lower_barrier(Lower *lower, const CallSite *site, const Recognition *known) {
  IrInst inst = {.op = IR_BARRIER, .scope = known->scope, .imm = known->detail, .type = site->type};
  inst.order = known->order;
  uint32_t count = known->operands < site->count ? known->operands : site->count;
  if (known->detail == IR_BARRIER_NAMED && count < 2)
    return lower_barrier_of_all(lower, count ? site->args[0] : 0);
  int64_t lanes;
  if (known->detail == IR_BARRIER_TILE && (count == 0 || !constant_number(call_arg(site, 0), &lanes))) {
    inst.imm = IR_BARRIER_COALESCED; // of a size that is not constant: covers nobody provably
  }
  IrRef *ops = site->args;
  IrRef all_lanes = emit_int(lower, 32, -1);
  if (known->scope == IR_SCOPE_WARP && known->detail == IR_BARRIER_SYNC && count == 0) {
    ops = &all_lanes;
    count = 1;
  }
  return emit(lower, inst, count, ops);
}

// "...tile_base<8u>::sync": eight lanes.
static IrRef lower_tile(Lower *lower, const CallSite *site) {
  const char *open = strchr(demangle(site->name, lower->scratch).display, '<');
  long lanes = open ? strtol(open + 1, NULL, 10) : 0;
  bool is_known = lanes > 0 && lanes <= 32;
  IrInst inst = {
      .op = IR_BARRIER, .scope = IR_SCOPE_WARP, .imm = is_known ? IR_BARRIER_TILE : IR_BARRIER_COALESCED};
  IrRef count = emit_int(lower, 32, lanes);
  return emit(lower, inst, is_known ? 1 : 0, &count);
}

static IrRef lower_known_fence(Lower *lower, const CallSite *site, const Recognition *known) {
  IrInst inst = {.op = IR_FENCE, .order = known->order, .scope = known->scope};
  if (known->kind == REC_GIVEN_FENCE) read_order_and_scope(site, 0, &inst);
  return emit(lower, inst, 0, NULL);
}

// The last operand of LLVM's shuffles holds (32 - width) << 8 and, below, the last lane of a warp, for "up" the first: where
// others bound the exchange, or the width cuts no warp evenly, it is that of no width.
static IrRef shuffle_width(Lower *lower, const CallSite *site, bool is_up) {
  int64_t packed;
  bool is_const = constant_number(call_arg(site, 3), &packed);
  int64_t given = is_const ? 32 - (packed >> 8) : 32;
  bool cuts_evenly = given > 0 && given <= 32 && (given & (given - 1)) == 0;
  if (!cuts_evenly || (is_const && (packed & 31) != (is_up ? 0 : 31)))
    return emit_op(lower, IR_UNDEF, ir_type_int(32), 0, NULL);
  if (is_const) return emit_int(lower, 32, given);
  IrType type = ir_type_int(32);
  IrRef steps = emit_op(lower, IR_LSHR, type, 2, (IrRef[]){site->args[3], emit_int(lower, 32, 8)});
  return emit_op(lower, IR_SUB, type, 2, (IrRef[]){emit_int(lower, 32, 32), steps});
}

static IrRef lower_lane_exchange(Lower *lower, const CallSite *site, const Recognition *known) {
  IrInst inst = {.op = IR_SHUFFLE, .type = site->type, .name = known->text, .scope = IR_SCOPE_WARP};
  if (site->count < known->operands || !is_number(site->type))
    return emit_unknown(lower, site->name, site->call);
  if (known->operands == 3) {
    IrRef ops[] = {emit_int(lower, 32, -1), site->args[0], site->args[1], site->args[2]};
    return emit(lower, inst, 4, ops);
  }
  IrRef width = known->detail ? shuffle_width(lower, site, strcmp(known->text, "up") == 0) : site->args[3];
  return emit(lower, inst, 4, (IrRef[]){site->args[0], site->args[1], site->args[2], width});
}

static IrRef lower_vote(Lower *lower, const CallSite *site, const Recognition *known) {
  IrInst inst = {.op = IR_VOTE, .type = site->type, .name = known->text, .scope = IR_SCOPE_WARP};
  if (site->count < known->operands || !is_number(site->type))
    return emit_unknown(lower, site->name, site->call);
  if (known->operands == 0) return emit(lower, inst, 0, NULL);
  IrRef mask = known->operands == 1 ? emit_int(lower, 32, -1) : site->args[known->detail ? 1 : 0];
  IrRef value = known->operands == 1 || known->detail ? site->args[0] : site->args[1];
  if (known->detail) inst.name = arena_printf(lower->scratch, "reduce_%s", strrchr(site->name, '.') + 1);
  IrRef result = emit(lower, inst, 2, (IrRef[]){mask, value});
  if (site->count > 2 && strcmp(known->text, "match_all") == 0) { // and whether all are equal
    IrRef none = emit_int(lower, site->type.bits, 0);
    IrRef flag = to_width(lower, emit_icmp(lower, IR_NE, result, none), 32);
    emit(lower, (IrInst){.op = IR_STORE}, 2, (IrRef[]){site->args[2], flag});
  }
  return result;
}

// detail: flags of the instruction.
static IrRef lower_async_copy(Lower *lower, const CallSite *site, const Recognition *known) {
  if (site->count < known->operands) return emit_plain_call(lower, site);
  IrRef ops[] = {site->args[0], site->args[1], call_length(lower, call_arg(site, 2), site->args[2]), 0};
  bool is_number = known->operands == 4 && lower_type(lower, LLVMTypeOf(call_arg(site, 3))).kind == IR_INT;
  if (known->operands == 4)
    ops[3] = is_number ? call_length(lower, call_arg(site, 3), site->args[3]) : site->args[3];
  return emit(lower, (IrInst){.op = IR_ASYNCCOPY, .flags = known->detail}, known->operands, ops);
}

static IrRef lower_async_fill(Lower *lower, const CallSite *site) {
  int64_t zeros = 0;
  if (site->count < 3) return emit_plain_call(lower, site);
  IrRef length = call_length(lower, call_arg(site, 2), site->args[2]);
  IrRef ops[] = {site->args[0], site->args[1], length, 0};
  bool is_whole = site->count == 3 || (constant_number(call_arg(site, 3), &zeros) && zeros == 0);
  if (!is_whole)
    ops[3] = emit_op(lower, IR_SUB, ir_type_int(64), 2,
                     (IrRef[]){length, call_length(lower, call_arg(site, 3), site->args[3])});
  return emit_op(lower, IR_ASYNCCOPY, ir_type_void(), is_whole ? 3 : 4, ops);
}

static IrRef lower_async_wait(Lower *lower, const CallSite *site, const Recognition *known) {
  int64_t left = 0;
  uint8_t flags = (uint8_t)known->detail;
  if (known->operands == 0) emit(lower, (IrInst){.op = IR_ASYNCCOMMIT}, 0, NULL); // all, in a group or not
  if (known->operands > 0 && site->count < 1) return emit_unknown(lower, site->name, site->call);
  if (known->operands > 0 && !ir_const_value(lower->function, site->args[0], &left))
    return emit(lower, (IrInst){.op = IR_ASYNCWAIT, .flags = flags}, 1, site->args);
  return emit(lower, (IrInst){.op = IR_ASYNCWAIT, .flags = flags, .imm = left > 0 ? left : 0}, 0, NULL);
}

// ---- objects in memory

static IrRef to_i32(Lower *lower, const CallSite *site, uint32_t index) {
  IrType type = lower_type(lower, LLVMTypeOf(call_arg(site, index)));
  int64_t number;
  if (constant_number(call_arg(site, index), &number)) return emit_int(lower, 32, number);
  if (type.bits == 32) return site->args[index];
  IrOp op = type.bits > 32 ? IR_TRUNC : IR_ZEXT;
  return emit_op(lower, op, ir_type_int(32), 1, &site->args[index]);
}

static IrRef lower_mbarrier(Lower *lower, const CallSite *site, const Recognition *known) {
  IrMbarrierKind kind = (IrMbarrierKind)known->detail;
  IrInst inst = {
      .op = IR_MBARRIER, .imm = kind, .type = site->type, .order = known->order, .scope = known->scope};
  bool has_number = known->operands > 1;
  bool has_token = kind == IR_MBARRIER_TEST || kind == IR_MBARRIER_WAIT;
  bool counts_itself = known->operands == 2 && site->count == 1; // the intrinsics that arrive once
  if (site->count < 1 || (site->count < known->operands && !counts_itself))
    return emit_plain_call(lower, site);
  if (known->operands == 4) read_order_and_scope(site, 2, &inst);
  IrRef ops[2] = {site->args[0]};
  if (has_number)
    ops[1] = counts_itself ? emit_int(lower, 32, 1) : has_token ? site->args[1] : to_i32(lower, site, 1);
  return emit(lower, inst, has_number ? 2 : 1, ops);
}

static IrRef lower_pipeline(Lower *lower, const CallSite *site, const Recognition *known) {
  if (site->count < known->operands) return emit_plain_call(lower, site);
  IrRef ops[4] = {site->args[0]};
  for (uint32_t i = 1; i < known->operands; i++)
    ops[i] = to_i32(lower, site, i);
  return emit(lower, (IrInst){.op = IR_PIPELINE, .imm = known->detail}, known->operands, ops);
}

// ---- values

// Functions such as sincosf(x, &s, &c): each pointer receives a function of the other arguments.
static bool has_results_behind_pointers(const char *name) {
  return strstr(name, "sincos") || strstr(name, "frexp") || strstr(name, "modf") || strstr(name, "remquo");
}

// A function that is not rounded as its name says has a name of its own.
const char *call_name_as_rounded(Lower *lower, const CallSite *site, const char *name) {
  bool is_root = strcmp(name, "sqrt") == 0 || strcmp(name, "sqrtf") == 0 || strcmp(name, "fmodf") == 0 ||
                 strstr(name, ".sqrt.");
  return lower_is_approximate(site->call, is_root) ? arena_printf(lower->scratch, "approximate.%s", name)
                                                   : name;
}

static IrRef lower_pure(Lower *lower, const CallSite *site) {
  const char *name = recognise_name_of_library(demangle(site->name, lower->scratch).base);
  IrRef *ops = arena_array(lower->scratch, site->count + 1, IrRef);
  uint32_t used = 0;
  for (uint32_t i = 0; i < site->count; i++) {
    bool is_pointer = lower_type(lower, LLVMTypeOf(call_arg(site, i))).kind == IR_PTR;
    bool is_question = str_starts_with(name, "__is") || str_starts_with(name, "__nvvm_is");
    bool is_text = is_pointer && str_starts_with(name, "nan"); // nan("") reads a string that nobody writes
    if (is_text) continue;
    if (is_pointer && !is_question && !has_results_behind_pointers(name)) return emit_plain_call(lower, site);
    if (!is_pointer || is_question) ops[used++] = site->args[i];
  }
  IrType first = site->count ? lower_type(lower, LLVMTypeOf(call_arg(site, 0))) : site->type;
  bool is_int = strstr(name, "frexp") || strstr(name, "remquo");
  for (uint32_t i = 0; has_results_behind_pointers(name) && i < site->count; i++) {
    if (lower_type(lower, LLVMTypeOf(call_arg(site, i))).kind != IR_PTR) continue;
    const char *part = arena_printf(lower->scratch, "%s.%u", name, i);
    IrRef value = emit_pure(lower, part, is_int ? ir_type_int(32) : first, used, ops);
    emit(lower, (IrInst){.op = IR_STORE}, 2, (IrRef[]){site->args[i], value});
  }
  if (site->type.kind == IR_VOID) return 0;
  return emit_pure(lower, call_name_as_rounded(lower, site, name), site->type, used, ops);
}

static IrRef lower_mul24(Lower *lower, const CallSite *site, bool is_unsigned) {
  IrRef ops[2];
  for (int i = 0; i < 2; i++) {
    IrRef shift = emit_int(lower, 32, is_unsigned ? 0xffffff : 8);
    IrRef first =
        emit_op(lower, is_unsigned ? IR_AND : IR_SHL, site->type, 2, (IrRef[]){site->args[i], shift});
    ops[i] = is_unsigned ? first : emit_op(lower, IR_ASHR, site->type, 2, (IrRef[]){first, shift});
  }
  return emit_op(lower, IR_MUL, site->type, 2, ops);
}

IrRef lower_min_max(Lower *lower, const CallSite *site, IrPred pred) {
  if (pred == IR_SLT && names_unsigned(site, lower->scratch)) pred = IR_ULT;
  if (pred == IR_SGT && names_unsigned(site, lower->scratch)) pred = IR_UGT;
  if (site->type.kind != IR_INT) return emit_pure(lower, site->name, site->type, 2, site->args);
  IrRef first = emit_icmp(lower, pred, site->args[0], site->args[1]);
  return emit_op(lower, IR_SELECT, site->type, 3, (IrRef[]){first, site->args[0], site->args[1]});
}

IrRef lower_abs(Lower *lower, const CallSite *site) {
  if (site->type.kind != IR_INT) return emit_pure(lower, "fabs", site->type, 1, site->args);
  IrRef zero = emit_int(lower, site->type.bits, 0);
  IrRef is_negative = emit_icmp(lower, IR_SLT, site->args[0], zero);
  IrRef negated = emit_op(lower, IR_SUB, site->type, 2, (IrRef[]){zero, site->args[0]});
  return emit_op(lower, IR_SELECT, site->type, 3, (IrRef[]){is_negative, negated, site->args[0]});
}

static IrRef lower_address_change(Lower *lower, const CallSite *site) {
  LLVMTypeRef from = LLVMTypeOf(call_arg(site, 0)), to = LLVMTypeOf(site->call);
  bool from_pointer = LLVMGetTypeKind(from) == LLVMPointerTypeKind,
       to_pointer = LLVMGetTypeKind(to) == LLVMPointerTypeKind;
  LLVMOpcode opcode = from_pointer && !to_pointer   ? LLVMPtrToInt
                      : !from_pointer && to_pointer ? LLVMIntToPtr
                                                    : LLVMBitCast;
  return lower_cast(lower, opcode, from, to, site->args[0]);
}

static IrRef lower_sreg(Lower *lower, const CallSite *site, const Recognition *known) {
  IrInst inst = {.op = IR_SREG, .type = site->type, .imm = known->detail};
  static const char prefix[] = "llvm.nvvm.read.ptx.sreg.";
  bool is_unlisted = known->detail == IR_SREG_OTHER && str_starts_with(site->name, prefix);
  IrRef mask = is_unlisted ? lower_lane_mask(lower, site->name + strlen(prefix)) : 0;
  if (mask) return mask;
  if (known->detail == IR_SREG_OTHER) inst.name = site->name;
  return emit(lower, inst, 0, NULL);
}

static IrRef lower_cluster(Lower *lower, const CallSite *site) {
  static const char *const prefixes[] = {"llvm.nvvm.read.ptx.sreg.", "__hgrd_"};
  const char *name = site->name;
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (str_starts_with(name, prefixes[i])) name += strlen(prefixes[i]);
  IrRef number = lower_cluster_number(lower, name);
  return number ? number
                : emit(lower,
                       (IrInst){.op = IR_SREG, .type = site->type, .imm = IR_SREG_OTHER, .name = site->name},
                       0, NULL);
}

static IrRef lower_library_copy(Lower *lower, const CallSite *site, IrOp op) {
  if (site->count < 3) return emit_plain_call(lower, site);
  IrRef second = site->args[1];
  int64_t byte;
  if (op == IR_MEMSET)
    second = constant_number(call_arg(site, 1), &byte) ? emit_int(lower, 8, byte)
                                                       : emit_op(lower, IR_TRUNC, ir_type_int(8), 1, &second);
  IrRef ops[] = {site->args[0], second, call_length(lower, call_arg(site, 2), site->args[2])};
  emit_op(lower, op, ir_type_void(), 3, ops);
  return site->type.kind == IR_VOID ? 0 : site->args[0];
}

// ---- recognised functions

IrRef lower_recognised(Lower *lower, const CallSite *site, const Recognition *known) {
  ASSERT(site->call && (site->args || !site->count));
  switch (known->kind) {
  case REC_BARRIER: return lower_barrier(lower, site, known);
  case REC_TILE: return lower_tile(lower, site);
  case REC_FENCE:
  case REC_GIVEN_FENCE: return lower_known_fence(lower, site, known);
  case REC_RMW: return lower_known_rmw(lower, site, known);
  case REC_GIVEN_RMW: return lower_given_rmw(lower, site);
  case REC_GIVEN_FADD: return lower_given_fadd(lower, site);
  case REC_CAS:
  case REC_GIVEN_CAS: return lower_known_cas(lower, site, known);
  case REC_LOAD:
  case REC_LOAD_READONLY:
  case REC_GIVEN_LOAD: return lower_known_load(lower, site, known);
  case REC_STORE:
  case REC_GIVEN_STORE: return lower_known_store(lower, site, known);
  case REC_SHUFFLE: return lower_lane_exchange(lower, site, known);
  case REC_VOTE: return lower_vote(lower, site, known);
  case REC_SREG: return lower_sreg(lower, site, known);
  case REC_CLUSTER: return lower_cluster(lower, site);
  case REC_MAPA: return emit_pure(lower, "mapa", site->type, 2, site->args);
  case REC_PURE: return lower_pure(lower, site);
  case REC_BITS: return emit_op(lower, IR_BITCAST, site->type, 1, site->args);
  case REC_ADDRESS: return lower_address_change(lower, site);
  case REC_MUL24: return lower_mul24(lower, site, known->detail);
  case REC_MINMAX: return lower_min_max(lower, site, (IrPred)known->detail);
  case REC_ABS: return lower_abs(lower, site);
  case REC_MEMCPY: return lower_library_copy(lower, site, IR_MEMCPY);
  case REC_MEMSET: return lower_library_copy(lower, site, IR_MEMSET);
  case REC_ASYNC_COPY: return lower_async_copy(lower, site, known);
  case REC_ASYNC_FILL: return lower_async_fill(lower, site);
  case REC_ASYNC_COMMIT:
    return emit_op(lower, IR_ASYNCCOMMIT, ir_type_void(), known->operands && site->count ? 1 : 0, site->args);
  case REC_ASYNC_WAIT: return lower_async_wait(lower, site, known);
  case REC_MBARRIER: return lower_mbarrier(lower, site, known);
  case REC_PIPELINE: return lower_pipeline(lower, site, known);
  case REC_NONE:
  case REC_DROP:
  case REC_STOP:
  case REC_EXIT: break;
  }
  return site->type.kind == IR_VOID ? 0 : emit_op(lower, IR_UNDEF, site->type, 0, NULL);
}
