// What are the low bits of an address, and what is it rounded down to a multiple of a power of two (a workspace that is split into aligned
// parts)? `x & -2^k` is x less its low bits, so the pointer stays in its object, and never moves by 2^k or more. Method: the low bits of
// the object's address are those of its allocation, which CUDA promises to be a multiple of 256, else an unknown number of their own.
// Soundness: exact, but for that number; a race that is not there if it is zero is possible, not definite (LaunchDoubt). What is not
// known to be an address stays what it is.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/value/value.h"
#include "core/bug.h"
#include "hostscan/objects.h"
#include "hostscan/syntax.h"
#include "hostscan/terms.h"

enum { MOST_BITS = 21, RUNTIME_BITS = 8 }; // of a large page; of what the runtime allocates

// The low `bits` of the object's address, as a word; 0: not known.
static ExprRef low_bits(HostScan *scan, ExprRef leaf, uint32_t bits) {
  if (!leaf) return expr_const(scan->pool, 64, 0);
  const HostObject *object = host_object_of(scan, leaf);
  uint32_t known = object->kind == HOST_DEVICE ? RUNTIME_BITS : 0;
  const ExprNode *node = expr_node(scan->pool, leaf);
  if (bits <= known) return expr_const(scan->pool, 64, 0);
  if (node->op != EXPR_SYM) return 0;
  const HostSym of = *host_sym(scan, (uint32_t)node->value);
  HostKey key = {{MEMO_LOW_BITS, leaf}};
  ExprRef units = host_map_get(&scan->memo, key);
  if (of.is_placeholder || of.is_any_address) return 0;
  if (!units) {
    HostUnknown unknown = {.frame = of.frame, .loop = of.loop, .width = 64, .loc = object->loc};
    unknown.name =
        arena_printf(scan->arena, known ? "address of %s / %u" : "address of %s", object->name, 1U << known);
    unknown.hi = ((int64_t)1 << (MOST_BITS - known)) - 1;
    units = host_unknown(scan, unknown);
    host_sym(scan, (uint32_t)expr_node(scan->pool, units)->value)->is_misalignment = true;
    host_map_put(&scan->memo, key, units);
  }
  return expr_binary(scan->pool, EXPR_MUL, EXPR_NSW, units, expr_const(scan->pool, 64, (int64_t)1 << known));
}

static ExprRef masked(HostScan *scan, const HostTarget *target, int64_t mask) {
  bool is_rounding = mask < 0;
  uint32_t bits = 0;
  for (uint64_t beyond = (uint64_t)(is_rounding ? ~mask : mask); beyond; beyond >>= 1)
    bits++;
  ExprRef low = low_bits(scan, target->leaf, bits);
  if (!low) return 0;
  ExprRef sum = host_add_offset(scan, low, target->offset);
  ExprRef kept = expr_binary(scan->pool, EXPR_AND, 0, sum, expr_const(scan->pool, 64, mask));
  if (!is_rounding || !target->leaf) return kept;
  return host_add_offset(scan, target->leaf, expr_binary(scan->pool, EXPR_SUB, EXPR_ADDRESS, kept, low));
}

void host_note_number_of(HostScan *scan, ExprRef pointer) {
  HostTargets targets = {0};
  if (!host_targets(scan, pointer, &targets)) return;
  for (uint32_t i = 0; i < targets.count; i++)
    if (targets.items[i].leaf)
      host_map_put(&scan->memo, (HostKey){{MEMO_IN_NUMBER, targets.items[i].leaf}}, 1);
}

static bool is_address(HostScan *scan, ExprRef leaf) {
  if (host_map_get(&scan->memo, (HostKey){{MEMO_IN_NUMBER, leaf}})) (void)host_object_of(scan, leaf);
  return host_is_address(scan, leaf);
}

static ExprRef masked_address(HostScan *scan, ExprRef address, int64_t mask) {
  HostTargets targets = {0};
  ExprRef value = 0;
  uint64_t low = (uint64_t)(mask < 0 ? ~mask : mask);
  bool is_cut = low && low < (1U << MOST_BITS) && (mask > 0 || (low & (low + 1)) == 0);
  if (!is_cut || !host_targets(scan, address, &targets)) return 0;
  for (uint32_t i = targets.count; i-- > 0;) {
    const HostTarget *target = &targets.items[i];
    if (target->leaf && !is_address(scan, target->leaf)) return 0;
    ExprRef here = masked(scan, target, mask);
    if (!here) return 0;
    value = value ? host_choose(scan, target->condition, here, value) : here;
  }
  return value;
}

// The power of two that the operation divides by, or multiplies with; 0: it does not.
static int64_t step_of(HostScan *scan, bool is_shift, ExprRef by) {
  int64_t value = 0;
  if (!expr_is_const(scan->pool, by, &value) || value < 0) return 0;
  if (is_shift) return value <= MOST_BITS ? (int64_t)1 << value : 0;
  return (value & (value - 1)) == 0 ? value : 0;
}

ExprRef host_rounded_address(HostScan *scan, const IrInst *inst, const ExprRef *operands) {
  ASSERT(inst);
  int64_t mask = 0;
  if (inst->type.kind != IR_INT || inst->type.bits != 64 || inst->op_count != 2) return 0;
  if (inst->op == IR_AND && expr_is_const(scan->pool, operands[1], &mask))
    return masked_address(scan, operands[0], mask);
  if (inst->op == IR_UREM && (mask = step_of(scan, false, operands[1])) > 0)
    return masked_address(scan, operands[0], mask - 1);
  if (inst->op != IR_MUL && inst->op != IR_SHL) return 0;
  ExprNode part = *expr_node(scan->pool, operands[0]);
  int64_t step = step_of(scan, inst->op == IR_SHL, operands[1]);
  bool is_part =
      part.op == EXPR_UDIV || part.op == EXPR_SDIV || part.op == EXPR_LSHR; // no address is negative
  return step && is_part && step == step_of(scan, part.op == EXPR_LSHR, part.b)
             ? masked_address(scan, part.a, -step)
             : 0;
}
