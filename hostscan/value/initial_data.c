// What does the initial data of a variable hold, at an offset that is known or not?
// Method: bytes and addresses as the front end read them. At an offset that is not known, a choice between
// the elements that can lie there: those whose distance fits what the offset is a multiple of, so that member
// 1 of entry i is told from member 2 ("i == 0 ? first : second"). Soundness: exact for accesses inside the
// variable (A7) at multiples of the width where nothing is known of the offset. Whether the data is still
// that of the start is the caller's question.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/value/value.h"
#include "core/bug.h"
#include "hostscan/objects.h"
#include "hostscan/series.h"
#include "hostscan/terms.h"

// ---- what lies where
enum { TABLE_ELEMENTS = 128, TABLE_CHOICES = 24 };

static const IrAddress *address_at(const IrGlobal *table, uint64_t at, uint32_t bytes) {
  for (uint32_t i = 0; i < table->addresses.count; i++) {
    const IrAddress *address = &table->addresses.items[i];
    if (at < address->at + 8 && address->at < at + bytes) return address;
  }
  return NULL;
}

static ExprRef address_value(HostScan *scan, const IrAddress *address) {
  bool is_function = ir_ref_kind(address->target) == IR_REF_FUNC;
  uint32_t object = host_fixed_object(scan, is_function ? HOST_FUNCTION_ADDRESS : HOST_GLOBAL,
                                      ir_ref_index(address->target));
  return host_add_offset(scan, host_leaf(scan, object), expr_const(scan->pool, 64, address->offset));
}

static ExprRef word_at(HostScan *scan, const IrGlobal *table, uint64_t at, uint32_t bytes) {
  const IrAddress *address = address_at(table, at, bytes);
  if (address) return address->at == at && bytes == 8 ? address_value(scan, address) : 0;
  uint64_t word = 0;
  for (uint32_t i = 0; i < bytes; i++)
    word |= (uint64_t)table->data[at + i] << (8 * i);
  return expr_const(scan->pool, (uint8_t)(bytes * 8), (int64_t)word);
}

static bool may_lie_at(uint64_t at, uint32_t bytes, uint64_t modulus, uint64_t rest) {
  return modulus > 1 ? at % modulus == rest : at % bytes == 0;
}

static ExprRef word_somewhere(HostScan *scan, const IrGlobal *table, HostCell cell) {
  uint32_t count = 0, limit = host_is_element(scan, cell) ? TABLE_ELEMENTS : TABLE_CHOICES;
  uint64_t modulus = 0, rest = 0;
  ExprRef offset = host_settle(scan, cell.offset), value = 0;
  host_residue(scan, offset, &modulus, &rest);
  for (uint64_t at = table->bytes - cell.bytes + 1; at-- > 0;) {
    if (!may_lie_at(at, cell.bytes, modulus, rest)) continue;
    ExprRef here = word_at(scan, table, at, cell.bytes);
    if (!here || ++count > limit) return 0;
    value = value && here != value ? expr_ite(scan->pool, host_is_at(scan, offset, (int64_t)at), here, value)
                                   : here;
  }
  return value;
}

ExprRef host_initial_word(HostScan *scan, const IrGlobal *table, HostCell cell) {
  ASSERT(host_has_cell(scan, cell));
  int64_t at = 0;
  if (!table->data || table->is_external || table->bytes < cell.bytes) return 0;
  if (!expr_is_const(scan->pool, host_settle(scan, cell.offset), &at))
    return word_somewhere(scan, table, cell);
  if (at < 0 || (uint64_t)at > table->bytes - cell.bytes) return 0;
  return word_at(scan, table, (uint64_t)at, cell.bytes);
}
