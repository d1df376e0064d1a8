// Where does the value of a parameter stand at a launch? In the memory that an array of addresses points to, or in
// operands of the call: a struct comes as one or two registers (x86-64 calling convention: at most 16 bytes), or in memory.
// Method: which operands make up a parameter is read off the stub, which stores them one by one where it tells the runtime
// to find them.
// Soundness: what is not found is 0, and unknown to who asks.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/contents/contents.h"
#include "core/bug.h"
#include "hostscan/program.h"
#include "hostscan/syntax.h"
#include "hostscan/terms.h"
#include "hostscan/value.h"

ExprRef host_source_read(HostScan *scan, const HostArguments *from, const HostSource *source, uint32_t offset,
                         IrType type) {
  ASSERT(from->frame);
  if (source->in_memory) {
    HostAccess access = {.frame = from->frame, .inst = from->inst, .bytes = type.bytes, .kind = type.kind};
    access.address = host_add_offset(scan, source->address, expr_const(scan->pool, 64, offset));
    return host_load(scan, access);
  }
  uint32_t which = offset >= 8 && source->register_count > 1 ? 1 : 0;
  if (which >= source->register_count || !source->registers[which]) return 0;
  return host_value_piece(scan, from->frame, source->registers[which], offset - which * 8, type.bytes);
}

// The array of addresses that a stub hands to the runtime; 0: not found.
static IrRef array_of_stub(HostScan *scan, const IrFunction *stub) {
  enum { ARRAY = 5 };
  for (uint32_t i = 0; i < stub->insts.count; i++) {
    const IrInst *call = &stub->insts.items[i];
    if (call->op == IR_CALL && host_call(scan, call, NULL)->kind == CALL_LAUNCH && call->op_count > ARRAY)
      return call->ops[ARRAY];
  }
  return 0;
}

// ---- operands: the stub stores what it is given where its array of addresses leads
typedef struct StubArray {
  const IrFunction *stub;
  IrRef array;
} StubArray;

// What the stub does; false: it is not seen.
static bool find_stub(HostScan *scan, const HostArguments *from, const IrFunction *kernel, StubArray *found) {
  const IrInst *call = &from->frame->function->ir->insts.items[from->inst];
  const char *name = call->name ? call->name : arena_printf(scan->arena, "__device_stub__%s", kernel->name);
  *found = (StubArray){.stub = host_function_named(scan, 0, name)};
  if (!found->stub || found->stub->params.count != host_argument_count(call)) return false;
  found->array = array_of_stub(scan, found->stub);
  return found->array != 0;
}

// What is stored at the offset from there, nearest to the begin; 0: nothing.
static IrRef stored_at(const IrFunction *stub, IrRef base, int64_t offset) {
  for (uint32_t i = 0; i < stub->insts.count; i++) {
    const IrInst *store = &stub->insts.items[i];
    int64_t at = 0;
    if (store->op == IR_STORE && ir_fixed_base(stub, store->ops[0], &at) == base && at == offset)
      return store->ops[1];
  }
  return 0;
}

// False: there is nothing that is understood. A class without members is not passed at all.
static bool source_in_stub(HostScan *scan, const HostArguments *from, const StubArray *of, uint32_t param,
                           HostSource *source) {
  const IrInst *call = &from->frame->function->ir->insts.items[from->inst];
  IrRef place = stored_at(of->stub, of->array, (int64_t)param * 8);
  *source = (HostSource){0};
  if (!place) return false;
  if (ir_ref_kind(place) == IR_REF_PARAM) {
    ExprRef address = host_value(scan, from->frame, call->ops[ir_ref_index(place)]);
    *source = (HostSource){.in_memory = true, .address = address};
    return true;
  }
  for (uint32_t i = 0; i < 2; i++) {
    IrRef value = stored_at(of->stub, place, (int64_t)i * 8);
    const IrInst *wider = ir_inst(of->stub, value);
    if (wider && wider->op == IR_ZEXT) value = wider->ops[0]; // a bool is a byte in memory
    if (!value || ir_ref_kind(value) != IR_REF_PARAM) continue;
    source->registers[i] = call->ops[ir_ref_index(value)];
    source->register_count = i + 1;
  }
  return source->register_count > 0;
}

bool host_operands_fit(HostScan *scan, const HostArguments *from, const IrFunction *kernel) {
  ASSERT(from->inst < from->frame->function->ir->insts.count);
  StubArray stub;
  return find_stub(scan, from, kernel, &stub);
}

bool host_source_in_operands(HostScan *scan, const HostArguments *from, const IrFunction *kernel,
                             uint32_t param, HostSource *source) {
  ASSERT(param < kernel->params.count);
  StubArray stub;
  return find_stub(scan, from, kernel, &stub) && source_in_stub(scan, from, &stub, param, source);
}

bool host_source_in_array(HostScan *scan, const HostArguments *from, uint32_t index, HostSource *source) {
  ASSERT(from->array);
  HostAccess access = {.frame = from->frame, .inst = from->inst, .bytes = 8, .kind = IR_PTR};
  access.address = host_add_offset(scan, from->array, expr_const(scan->pool, 64, (int64_t)index * 8));
  *source = (HostSource){.in_memory = true, .address = host_load(scan, access)};
  return true;
}

static bool find_source(HostScan *scan, const HostArguments *from, const IrFunction *kernel, uint32_t param,
                        HostSource *source) {
  if (from->in_array) return from->array && host_source_in_array(scan, from, param, source);
  return host_source_in_operands(scan, from, kernel, param, source);
}

ExprRef host_argument_address(HostScan *scan, const HostArguments *from, const IrFunction *kernel,
                              uint32_t param) {
  ASSERT(param < kernel->params.count);
  HostSource source = {0};
  return find_source(scan, from, kernel, param, &source) && source.in_memory ? source.address : 0;
}

ExprRef host_argument(HostScan *scan, const HostArguments *from, const IrFunction *kernel, uint32_t param,
                      uint32_t offset, IrType type) {
  ASSERT(param < kernel->params.count);
  HostSource source = {0};
  if (!find_source(scan, from, kernel, param, &source) || !host_is_cell_size(type.bytes)) return 0;
  ExprRef value = host_source_read(scan, from, &source, offset, type);
  uint8_t width = symeval_width(type);
  return value && width ? host_settle(scan, expr_resize_unsigned(scan->pool, value, width)) : 0;
}
