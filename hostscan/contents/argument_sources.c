// Where does the value of a parameter stand at a launch? In the memory that an array of addresses points to, or in
// operands of the call: a struct comes as one or two registers (x86-64 calling convention: at most 16 bytes), or in memory.
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
  if (which >= source->register_count) return 0;
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

// Is the operand the address of the argument? So it is for structs that lie in memory, and for those of any size
// that C++ does not copy by their bytes: then the stub hands on the address as it is.
static bool stub_takes_memory(HostScan *scan, const IrInst *call, uint32_t operand) {
  const IrFunction *stub = host_function_named(scan, 0, call->name);
  if (!stub || operand >= stub->params.count) return false;
  if (stub->params.items[operand].byval_bytes > 0) return true;
  IrRef array = array_of_stub(scan, stub);
  for (uint32_t i = 0; array && i < stub->insts.count; i++) {
    const IrInst *store = &stub->insts.items[i];
    if (store->op != IR_STORE || store->ops[1] != IR_REF(IR_REF_PARAM, operand)) continue;
    const IrInst *place = ir_inst(stub, store->ops[0]);
    if (store->ops[0] == array || (place && place->op == IR_PTRADD && place->ops[0] == array)) return true;
  }
  return false;
}

// Takes the operands that make up one parameter.
bool host_source_in_operands(HostScan *scan, const HostArguments *from, uint32_t byval, uint32_t *next,
                             HostSource *source) {
  ASSERT(from->inst < from->frame->function->ir->insts.count);
  const IrFunction *ir = from->frame->function->ir;
  const IrInst *call = &ir->insts.items[from->inst];
  uint32_t count = host_argument_count(call);
  if (*next >= count) return false;
  IrRef operand = call->ops[*next];
  IrType type = ir_ref_type(scan->module, ir, operand);
  if (byval && type.kind == IR_PTR && (byval > 16 || stub_takes_memory(scan, call, *next))) {
    *source = (HostSource){.in_memory = true, .address = host_value(scan, from->frame, operand)};
    (*next)++;
    return true;
  }
  if (byval == 1 && type.bytes != 1) return false; // an empty struct is not passed at all
  *source = (HostSource){.registers = {operand}, .register_count = 1};
  (*next)++;
  if (byval > 8 && type.bytes <= 8 && *next < count) {
    source->registers[source->register_count++] = call->ops[*next];
    (*next)++;
  }
  return true;
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
  bool found = from->in_array && from->array && host_source_in_array(scan, from, param, source);
  uint32_t next = 0;
  for (uint32_t i = 0; !from->in_array && i <= param; i++)
    found = host_source_in_operands(scan, from, kernel->params.items[i].byval_bytes, &next, source);
  return found;
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
