// How is a kernel launched? Grid, block, cluster and shared memory, and where the arguments stand.
// Method: the configuration of a push, the structs of the runtime and of the driver, the parameters of a node of a graph,
// each read by its layout. Soundness: unknown dimensions are symbols; what may say more is a reason to be undecided.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/contents.h"
#include "core/bug.h"
#include "hostscan/facts.h"
#include "hostscan/kernels.h"
#include "hostscan/program.h"
#include "hostscan/syntax.h"
#include "hostscan/terms.h"
#include "hostscan/value.h"

#include <string.h>

// ---- dimensions
typedef struct Reader {
  HostScan *scan;
  HostFrame *frame;
  const IrInst *call; // that carries the dimensions
  uint32_t inst;      // its index
  uint32_t next;      // operand to read
} Reader;

static ExprRef load_word(const Reader *r, ExprRef address, uint32_t offset, uint32_t bytes) {
  HostAccess access = {.frame = r->frame, .inst = r->inst, .bytes = bytes, .kind = IR_INT};
  access.address = host_add_offset(r->scan, address, expr_const(r->scan->pool, 64, offset));
  return host_settle(r->scan, host_load(r->scan, access));
}

// dim3 comes as {i64 x and y, i32 z}, as one aggregate, or as an address.
static void read_dim3(Reader *r, ExprRef *dims) {
  const IrFunction *ir = r->frame->function->ir;
  uint32_t count = host_argument_count(r->call);
  if (r->next >= count) return;
  IrRef first = r->call->ops[r->next++];
  IrType type = ir_ref_type(r->scan->module, ir, first);
  for (uint32_t i = 0; i < 3; i++) {
    if (type.kind == IR_PTR)
      dims[i] = load_word(r, host_value(r->scan, r->frame, first), i * 4, 4);
    else if (type.bytes >= 12)
      dims[i] = host_value_piece(r->scan, r->frame, first, i * 4, 4);
    else if (i < 2)
      dims[i] = host_value_piece(r->scan, r->frame, first, i * 4, 4);
    else if (r->next < count)
      dims[i] = host_value_piece(r->scan, r->frame, r->call->ops[r->next++], 0, 4);
    if (dims[i]) dims[i] = host_settle(r->scan, dims[i]);
  }
}

static ExprRef read_size(Reader *r) {
  if (r->next >= host_argument_count(r->call)) return 0;
  ExprRef size = host_value(r->scan, r->frame, r->call->ops[r->next++]);
  return host_settle(r->scan, expr_resize_unsigned(r->scan->pool, size, 64));
}

// cudaLaunchConfig_t: dim3 grid, dim3 block, size_t shared, stream, attributes (id, value of 64 bytes),
// their number.
enum {
  CONFIG_SHARED = 24,
  CONFIG_STREAM = 32,
  CONFIG_ATTRIBUTES = 40,
  CONFIG_COUNT = 48,
  ATTRIBUTE_BYTES = 72,
  ATTRIBUTE_VALUE = 8,
  ATTRIBUTE_LIMIT = 8
};

// cudaLaunchAttributeID. Those up to LAST_OLD say nothing of clusters but CLUSTER.
enum {
  ATTRIBUTE_COOPERATIVE = 2,
  ATTRIBUTE_CLUSTER = 4,
  ATTRIBUTE_EARLY = 6, // programmatic stream serialization
  ATTRIBUTE_LAST_OLD = 10,
  ATTRIBUTE_LAST = 14 // that is known
};

// false: it is not known what the attribute says of clusters.
static bool read_attribute(const Reader *r, ExprRef attribute, LaunchContext *launch) {
  ExprPool *pool = r->scan->pool;
  int64_t id = 0, value = 0;
  if (!expr_is_const(pool, load_word(r, attribute, 0, 4), &id)) return false;
  if (id == ATTRIBUTE_COOPERATIVE)
    launch->is_cooperative =
        expr_is_const(pool, load_word(r, attribute, ATTRIBUTE_VALUE, 4), &value) && value != 0;
  for (uint32_t i = 0; i < 3 && id == ATTRIBUTE_CLUSTER; i++)
    launch->cluster[i] = load_word(r, attribute, ATTRIBUTE_VALUE + i * 4, 4);
  return id <= ATTRIBUTE_LAST_OLD;
}

// May the kernel start before the one in front of it in its stream has ended?
static bool says_early(const Reader *r, ExprRef attribute) {
  int64_t id = 0, value = 0;
  if (!expr_is_const(r->scan->pool, load_word(r, attribute, 0, 4), &id) || id > ATTRIBUTE_LAST) return true;
  return id == ATTRIBUTE_EARLY &&
         !(expr_is_const(r->scan->pool, load_word(r, attribute, ATTRIBUTE_VALUE, 4), &value) && value == 0);
}

// Gives whether the kernel may start early.
static bool read_attributes(const Reader *r, ExprRef config, LaunchContext *launch) {
  ExprPool *pool = r->scan->pool;
  int64_t count = 0;
  host_clusters_set(pool, launch, NULL);
  bool is_known = expr_is_const(pool, load_word(r, config, CONFIG_COUNT, 4), &count) && count >= 0 &&
                  count <= ATTRIBUTE_LIMIT;
  ExprRef attributes = is_known && count ? load_word(r, config, CONFIG_ATTRIBUTES, 8) : 0;
  bool is_early = !is_known, has_clusters = is_known;
  for (int64_t i = 0; is_known && i < count; i++) {
    ExprRef at = host_add_offset(r->scan, attributes, expr_const(pool, 64, i * ATTRIBUTE_BYTES));
    has_clusters = has_clusters && read_attribute(r, at, launch);
    is_early |= says_early(r, at);
  }
  if (!has_clusters) host_clusters_forget(launch);
  return is_early;
}

static bool read_config(const Reader *r, HostCallKind kind, ExprRef config, LaunchContext *launch) {
  for (uint32_t i = 0; i < 3; i++) {
    launch->grid[i] = load_word(r, config, i * 4, 4);
    launch->block[i] = load_word(r, config, 12 + i * 4, 4);
  }
  uint32_t width = kind == CALL_LAUNCH_DRIVER_EX ? 4 : 8; // the rest lies alike in CUlaunchConfig
  launch->shared_bytes = expr_resize_unsigned(r->scan->pool, load_word(r, config, CONFIG_SHARED, width), 64);
  return read_attributes(r, config, launch);
}

static void unknown_dimensions(HostScan *scan, LaunchContext *launch) {
  static const char *const names[2][3] = {{"gridDim.x", "gridDim.y", "gridDim.z"},
                                          {"blockDim.x", "blockDim.y", "blockDim.z"}};
  for (uint32_t i = 0; i < 6; i++) {
    ExprRef *dim = i < 3 ? &launch->grid[i] : &launch->block[i - 3];
    if (*dim) continue;
    *dim = host_unknown(scan, (HostUnknown){.width = 32, .name = names[i / 3][i % 3], .loop = CFG_NONE});
  }
}

// ---- nodes of graphs
// cudaKernelNodeParams: function, dim3 grid, dim3 block, unsigned shared, arguments, arguments in one piece.
enum {
  NODE_GRID = 8,
  NODE_BLOCK = 20,
  NODE_SHARED = 32,
  NODE_ARGUMENTS = 40,
  NODE_EXTRA = 48,
  NODE_UNION = 16 // in cudaGraphNodeParams, behind the kind of the node, which is 0 for a kernel
};

// The address that is the last argument; 0: not found.
static ExprRef node_operand(const Reader *r) {
  uint32_t count = host_argument_count(r->call);
  return count ? host_value(r->scan, r->frame, r->call->ops[count - 1]) : 0;
}

// Where the parameters of a kernel stand; 0: not found.
static ExprRef node_address(const Reader *r, HostCallKind kind) {
  ExprRef node = node_operand(r);
  if (!node || kind == CALL_LAUNCH_NODE) return node;
  return expr_binary(r->scan->pool, EXPR_ADD, EXPR_ADDRESS, node, expr_const(r->scan->pool, 64, NODE_UNION));
}

bool host_node_starts_nothing(HostScan *scan, HostFrame *frame, uint32_t inst) {
  ASSERT(frame->function);
  ASSERT(host_function_has_inst(frame->function, inst));
  Reader r = {scan, frame, &frame->function->ir->insts.items[inst], inst, 0};
  ExprRef node = node_operand(&r);
  int64_t kind = 0;
  return node && expr_is_const(scan->pool, load_word(&r, node, 0, 4), &kind) && kind != 0;
}

ExprRef host_node_function(HostScan *scan, HostFrame *frame, uint32_t inst, HostCallKind kind) {
  ASSERT(frame->function);
  ASSERT(host_function_has_inst(frame->function, inst));
  ASSERT(kind <= CALL_COPY_PLAIN);
  Reader r = {scan, frame, &frame->function->ir->insts.items[inst], inst, 0};
  ExprRef node = node_address(&r, kind);
  return node ? load_word(&r, node, 0, 8) : 0;
}

// ---- the launch
static ExprRef read_stream(Reader *r) {
  if (r->next >= host_argument_count(r->call)) return 0;
  return host_settle(r->scan, host_value(r->scan, r->frame, r->call->ops[r->next++]));
}

static void note_extra(const Reader *r, ExprRef extra, LaunchContext *launch) {
  int64_t value = 0;
  if (!extra || (expr_is_const(r->scan->pool, extra, &value) && value == 0)) return;
  vec_push(r->scan->arena, &launch->undecided, "the arguments of this launch may be given in one piece");
}

static void read_node(const Reader *r, HostCallKind kind, LaunchContext *launch, HostArguments *arguments) {
  arguments->in_array = true;
  ExprRef node = node_address(r, kind);
  if (!node) return;
  for (uint32_t i = 0; i < 3; i++) {
    launch->grid[i] = load_word(r, node, NODE_GRID + i * 4, 4);
    launch->block[i] = load_word(r, node, NODE_BLOCK + i * 4, 4);
  }
  launch->shared_bytes = expr_resize_unsigned(r->scan->pool, load_word(r, node, NODE_SHARED, 4), 64);
  arguments->array = load_word(r, node, NODE_ARGUMENTS, 8);
  note_extra(r, load_word(r, node, NODE_EXTRA, 8), launch);
}

static ExprRef driver_word(const Reader *r, uint32_t operand) {
  if (operand >= host_argument_count(r->call)) return 0;
  return host_settle(r->scan, host_value(r->scan, r->frame, r->call->ops[operand]));
}

static void read_driver(const Reader *r, LaunchContext *launch, HostArguments *arguments) {
  for (uint32_t i = 0; i < 3; i++) {
    launch->grid[i] = driver_word(r, 1 + i);
    launch->block[i] = driver_word(r, 4 + i);
  }
  ExprRef shared = driver_word(r, 7);
  launch->shared_bytes = shared ? expr_resize_unsigned(r->scan->pool, shared, 64) : 0;
  arguments->in_array = true;
  arguments->stream = driver_word(r, 8);
  arguments->array = driver_word(r, 9);
  launch->is_cooperative = strcmp(host_callee_name(r->scan, r->call), "cuLaunchCooperativeKernel") == 0;
  note_extra(r, driver_word(r, 10), launch);
}

void host_launch_shape(HostScan *scan, HostFrame *frame, uint32_t inst, HostCallKind kind,
                       LaunchContext *launch, HostArguments *arguments) {
  ASSERT(frame->function);
  ASSERT(host_function_has_inst(frame->function, inst));
  ASSERT(kind <= CALL_COPY_PLAIN);
  ASSERT(launch);
  const IrInst *call = &frame->function->ir->insts.items[inst];
  Reader r = {scan, frame, call, inst, 1};
  *arguments = (HostArguments){.frame = frame, .inst = inst, .begins = inst};
  if (!host_call_is_node(kind)) host_clusters_set(scan->pool, launch, NULL); // a node may be given a size
  if (kind == CALL_LAUNCH_EX || kind == CALL_LAUNCH_DRIVER_EX) {
    arguments->is_early = read_config(&r, kind, host_value(scan, frame, call->ops[0]), launch);
    arguments->in_array = true;
    arguments->array = call->op_count > 2 ? host_value(scan, frame, call->ops[2]) : 0;
    arguments->stream = load_word(&r, host_value(scan, frame, call->ops[0]), CONFIG_STREAM, 8);
    if (kind == CALL_LAUNCH_DRIVER_EX) note_extra(&r, driver_word(&r, 3), launch);
  } else if (kind == CALL_LAUNCH_BLIND) {
    arguments->in_array = true; // somewhere
  } else if (host_call_is_node(kind)) {
    read_node(&r, kind, launch, arguments);
  } else if (kind == CALL_LAUNCH_DRIVER) {
    read_driver(&r, launch, arguments);
  } else if (kind == CALL_STUB) {
    r.call = host_find_push(scan, frame->function, inst);
    r.next = 0;
    if (r.call) {
      arguments->begins = r.inst = (uint32_t)(r.call - frame->function->ir->insts.items);
      read_dim3(&r, launch->grid);
      read_dim3(&r, launch->block);
      launch->shared_bytes = read_size(&r);
      arguments->stream = read_stream(&r);
    } else {
      vec_push(scan->arena, &launch->undecided, "the configuration of this launch was not found");
    }
  } else {
    read_dim3(&r, launch->grid);
    read_dim3(&r, launch->block);
    arguments->in_array = true;
    if (r.next < call->op_count) arguments->array = host_value(scan, frame, call->ops[r.next++]);
    launch->shared_bytes = read_size(&r);
    arguments->stream = read_stream(&r);
    launch->is_cooperative = kind == CALL_LAUNCH_COOPERATIVE;
  }
  arguments->behind = arguments->is_early ? 0 : arguments->stream;
  unknown_dimensions(scan, launch);
}
