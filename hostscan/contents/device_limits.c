// What does the runtime say of any device? Properties and attributes that are asked for, and launch shapes
// that it recommends: a warp has 32 lanes, a block at most 1024 threads, of multiprocessors there is at least
// one, and no device is older than those that the compiler has code for. Method: members of cudaDeviceProp and
// cudaFuncAttributes by name, attributes by number. Soundness: what the programming guide says of every compute
// capability that CUDA supports. That the call worked is assumed, as for allocations.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/contents.h"
#include "hostscan/names.h"
#include "hostscan/program.h"
#include "hostscan/syntax.h"
#include "hostscan/terms.h"
#include "hostscan/value.h"

#include <string.h>

typedef struct Property {
  const char *member; // of cudaDeviceProp
  int64_t attribute;  // of cudaDeviceGetAttribute; 0: none
  int64_t lo, hi;     // hi 0: no limit
} Property;

static const Property properties[] = {
    {".warpSize", 10, 32, 32},
    {".maxThreadsPerBlock", 1, 1, 1024},
    {".maxThreadsDim", 2, 1, 1024},
    {NULL, 3, 1, 1024},
    {NULL, 4, 1, 64},
    {".maxGridSize", 5, 1, 0},
    {NULL, 6, 1, 65535},
    {NULL, 7, 1, 65535},
    {".multiProcessorCount", 16, 1, 0},
    {".sharedMemPerBlock", 8, 1, 0},
    {".maxThreadsPerMultiProcessor", 39, 1, 0},
    {".regsPerBlock", 12, 1, 0},
    {".totalGlobalMem", 0, 1, 0},
    {".major", 75, 5, 0},      // of the oldest devices that CUDA 12 has code for
    {".ptxVersion", 0, 50, 0}, // of a kernel
    {".binaryVersion", 0, 50, 0},
};

enum { PROPERTIES = sizeof properties / sizeof *properties };

static const Property *property_read(const HostScan *scan) {
  const HostReader *reader = &scan->reader;
  const IrInst *member = reader->function ? ir_inst(reader->function->ir, reader->address) : NULL;
  for (uint32_t i = 0; member && member->name && i < PROPERTIES; i++)
    if (properties[i].member && strcmp(member->name, properties[i].member) == 0) return &properties[i];
  return NULL;
}

static const Property *attribute_read(HostScan *scan, HostFrame *frame, const IrInst *call) {
  int64_t number = 0;
  if (host_argument_count(call) < 2) return NULL;
  if (!expr_is_const(scan->pool, host_value(scan, frame, call->ops[1]), &number)) return NULL;
  for (uint32_t i = 0; i < PROPERTIES; i++)
    if (number > 0 && properties[i].attribute == number) return &properties[i];
  return NULL;
}

// cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, ...); a toolkit's headers show how they compute it.
static const Property *recommended(HostScan *scan, HostFrame *frame, const IrInst *call, HostCell cell) {
  static const Property blocks = {.lo = 1}, threads = {.lo = 1, .hi = 1024};
  ExprRef place = host_add_offset(scan, cell.base, cell.offset);
  if (host_argument_count(call) < 2) return NULL;
  if (host_settle(scan, host_value(scan, frame, call->ops[0])) == place) return &blocks;
  return host_settle(scan, host_value(scan, frame, call->ops[1])) == place ? &threads : NULL;
}

static const Property *property_of(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  size_t length = 0;
  const HostReader *reader = &scan->reader;
  const IrInst *call = &frame->function->ir->insts.items[inst];
  const char *callee = call->op == IR_CALL ? host_callee_name(scan, call) : NULL;
  const char *base = callee ? host_base_name(callee, &length) : "";
  bool is_whole = cell.base == reader->base && cell.offset == reader->offset && reader->behind == 0;
  if (str_starts_with(base, "cudaGetDeviceProperties") || str_starts_with(base, "cudaFuncGetAttributes"))
    return is_whole ? property_read(scan) : NULL;
  if (str_starts_with(base, "cudaDeviceGetAttribute")) return attribute_read(scan, frame, call);
  bool is_shape = strcmp(base, "__hgrd_max_potential_block_size") == 0; // what the bundled declarations call
  return is_shape ? recommended(scan, frame, call, cell) : NULL;
}

ExprRef host_device_property(HostScan *scan, const HostQuestion *question) {
  HostFrame *frame = question->frame;
  uint32_t inst = question->index;
  HostCell cell = question->cell;
  const Property *property = property_of(scan, frame, inst, cell);
  uint8_t width = (uint8_t)(cell.bytes * 8);
  if (!property || width < 32) return 0;
  if (property->lo == property->hi) return expr_const(scan->pool, width, property->lo);
  HostCellSymbol at = {frame, PLACE_AFTER, inst,
                       frame->function->cfg->loop_of[frame->function->ir->insts.items[inst].block]};
  ExprRef symbol = host_cell_symbol(scan, at, cell), lo = expr_const(scan->pool, width, property->lo);
  SrcLoc loc = host_loc(scan, frame, &frame->function->ir->insts.items[inst]);
  HostSym *sym = host_sym(scan, (uint32_t)expr_node(scan->pool, symbol)->value);
  if (sym->is_of_device) return symbol;
  sym->is_of_device = sym->is_overwritten = true;
  host_side_fact(scan, symbol, expr_binary(scan->pool, EXPR_SLE, 0, lo, symbol), FACT_HARDWARE, loc);
  if (!property->hi) return symbol;
  ExprRef hi = expr_const(scan->pool, width, property->hi);
  host_side_fact(scan, symbol, expr_binary(scan->pool, EXPR_SLE, 0, symbol, hi), FACT_HARDWARE, loc);
  return symbol;
}
