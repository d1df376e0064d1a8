// What does one launch start, and how? Kernel, dimensions, shared memory, arguments, facts: one context
// for each kernel that the launch may start.
// Method: `k<<<...>>>` is a push of the configuration and a call of the stub; the push is the nearest one
// up the dominator tree. The others take a function, the dimensions and an array of addresses of
// arguments. Kernel pointers are expressions over the addresses of stubs, each possible one under its
// condition; where the expression is too large or goes back an iteration, the stubs that flow into it, each
// at any time. Soundness: unknown dimensions are symbols. A kernel pointer whose value is unknown may be any
// stub that takes such arguments; these contexts are undecided.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/internal.h"

#include <string.h>

enum { PUSH_BLOCKS = 64 };

// ---- finding
// Is the launch on the side of the branch behind the push where the push went well?
static bool leads_to(const HostFunction *function, uint32_t push, uint32_t launch) {
  const IrFunction *ir = function->ir;
  const IrInst *last = ir_terminator(ir, ir->insts.items[push].block);
  const IrInst *test = last->op == IR_CONDBR ? ir_inst(ir, last->ops[0]) : NULL;
  if (!test || test->op != IR_ICMP || test->ops[0] != IR_REF(IR_REF_INST, push)) return true;
  uint32_t good = last->blocks[test->pred == IR_EQ ? 0 : 1];
  return cfg_edge_dominates(function->cfg, ir->insts.items[push].block, good, ir->insts.items[launch].block);
}

// The push whose configuration a stub call uses; NULL if another launch took it, or none is near.
static const IrInst *find_push(HostScan *scan, HostFunction *function, uint32_t launch) {
  const IrFunction *ir = host_function_open(scan, function)->ir;
  const Cfg *cfg = function->cfg;
  uint32_t block = ir->insts.items[launch].block, end = launch;
  if (cfg->rpo_number[block] == CFG_NONE) return NULL;
  for (uint32_t steps = 0; steps < PUSH_BLOCKS; steps++) {
    for (uint32_t i = end; i-- > ir->blocks.items[block].first;) {
      const IrInst *inst = &ir->insts.items[i];
      if (inst->op != IR_CALL) continue;
      HostCallKind kind = host_call(scan, inst, NULL)->kind;
      if (kind == CALL_PUSH) return leads_to(function, i, launch) ? inst : NULL;
      if (kind == CALL_STUB) return NULL;
    }
    if (cfg->idom[block] == block) return NULL;
    block = cfg->idom[block];
    end = ir->blocks.items[block].first + ir->blocks.items[block].count;
  }
  return NULL;
}

// Is there a stub behind the call that uses the same configuration? Then the call gives it an argument:
// k<<<grid, block>>>(f()).
static bool stub_follows(HostScan *scan, HostFunction *function, uint32_t index, const IrInst *push) {
  const IrFunction *ir = function->ir;
  uint32_t block = ir->insts.items[index].block;
  for (uint32_t i = 0; i < ir->insts.count; i++) {
    const IrInst *inst = &ir->insts.items[i];
    if (inst->op != IR_CALL || host_call(scan, inst, NULL)->kind != CALL_STUB) continue;
    bool is_behind = inst->block == block ? i > index : cfg_dominates(function->cfg, block, inst->block);
    if (is_behind && find_push(scan, function, i) == push) return true;
  }
  return false;
}

bool host_is_launch(HostScan *scan, HostFunction *function, uint32_t index, HostCallKind *kind) {
  const IrInst *inst = &function->ir->insts.items[index];
  *kind = host_call(scan, inst, NULL)->kind;
  if (host_call_is_launch(*kind)) return true;
  if (host_callee_name(scan, inst) || !function->has_launch || inst->type.kind != IR_VOID) return false;
  const IrInst *push = find_push(scan, function, index);
  if (!push || stub_follows(scan, function, index, push)) return false;
  *kind = CALL_STUB;
  return true;
}

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
enum { ATTRIBUTE_COOPERATIVE = 2, ATTRIBUTE_CLUSTER = 4, ATTRIBUTE_LAST_OLD = 10 };

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

static void read_attributes(const Reader *r, ExprRef config, LaunchContext *launch) {
  ExprPool *pool = r->scan->pool;
  int64_t count = 0;
  host_clusters_set(pool, launch, NULL);
  bool is_known = expr_is_const(pool, load_word(r, config, CONFIG_COUNT, 4), &count) && count >= 0 &&
                  count <= ATTRIBUTE_LIMIT;
  ExprRef attributes = is_known && count ? load_word(r, config, CONFIG_ATTRIBUTES, 8) : 0;
  for (int64_t i = 0; is_known && i < count; i++) {
    ExprRef at = host_add_offset(r->scan, attributes, expr_const(pool, 64, i * ATTRIBUTE_BYTES));
    is_known = read_attribute(r, at, launch);
  }
  if (!is_known) host_clusters_forget(launch);
}

static void read_config(const Reader *r, HostCallKind kind, ExprRef config, LaunchContext *launch) {
  for (uint32_t i = 0; i < 3; i++) {
    launch->grid[i] = load_word(r, config, i * 4, 4);
    launch->block[i] = load_word(r, config, 12 + i * 4, 4);
  }
  uint32_t width = kind == CALL_LAUNCH_DRIVER_EX ? 4 : 8; // the rest lies alike in CUlaunchConfig
  launch->shared_bytes = expr_resize_unsigned(r->scan->pool, load_word(r, config, CONFIG_SHARED, width), 64);
  read_attributes(r, config, launch);
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

// ---- kernels
typedef struct Start { // one kernel that the launch may start
  const char *kernel;
  ExprRef condition;
  const char *undecided;
} Start;
typedef VEC(Start) StartList;

static bool add_starts(HostScan *scan, ExprRef pointer, StartList *starts) {
  HostTargets targets = {0};
  if (!host_targets(scan, pointer, &targets)) return false;
  for (uint32_t i = 0; i < targets.count; i++) {
    const HostTarget *target = &targets.items[i];
    if (!target->leaf) continue; // a null pointer starts nothing
    const HostObject *object = host_object_of(scan, target->leaf);
    if (object->kind != HOST_FUNCTION_ADDRESS) return false;
    const char *kernel = host_stub_kernel(scan->module->functions.items[object->index]->name, scan->arena);
    if (!kernel) return false;
    vec_push(scan->arena, starts, (Start){.kernel = kernel, .condition = target->condition});
  }
  return starts->count > 0;
}

// All functions that a pointer can be, through merges, choices and arguments, where their conditions are too
// many or hang on the iteration before. False if it may be something else.
typedef struct Walk {
  HostScan *scan;
  IndexList functions;
  HostMap seen; // (frame, reference)
} Walk;

static bool collect_functions(Walk *walk, HostFrame *frame, IrRef ref);

// A pointer from a constant table: any of the functions in it.
static bool collect_table(Walk *walk, HostFrame *frame, const IrInst *load) {
  HostScan *scan = walk->scan;
  HostTargets targets = {0};
  if (!host_targets(scan, host_value(scan, frame, load->ops[0]), &targets)) return false;
  for (uint32_t i = 0; i < targets.count; i++) {
    if (!targets.items[i].leaf) continue;
    const HostObject *object = host_object_of(scan, targets.items[i].leaf);
    if (object->kind != HOST_GLOBAL) return false;
    const IrGlobal *table = &scan->module->globals.items[object->index];
    uint32_t known = walk->functions.count;
    if (!host_is_constant_global(scan, object->index) || !table->data) return false;
    for (uint32_t k = 0; k < table->addresses.count; k++)
      if (ir_ref_kind(table->addresses.items[k].target) == IR_REF_FUNC)
        vec_push(scan->arena, &walk->functions, ir_ref_index(table->addresses.items[k].target));
    if (walk->functions.count == known) return false;
  }
  return true;
}

static bool collect_operands(Walk *walk, HostFrame *frame, const IrInst *inst) {
  for (uint32_t i = inst->op == IR_SELECT ? 1 : 0; i < inst->op_count; i++)
    if (!collect_functions(walk, frame, inst->ops[i])) return false;
  return true;
}

static bool collect_functions(Walk *walk, HostFrame *frame, IrRef ref) {
  const IrFunction *ir = frame->function->ir;
  HostKey key = {{frame->id, ref}};
  if (host_map_get(&walk->seen, key)) return true;
  host_map_put(&walk->seen, key, 1);
  switch (ir_ref_kind(ref)) {
  case IR_REF_FUNC: vec_push(walk->scan->arena, &walk->functions, ir_ref_index(ref)); return true;
  case IR_REF_CONST: return true; // null or undefined: nothing is launched through it
  case IR_REF_PARAM: {
    if (!frame->parent) return false;
    const IrInst *call = &frame->parent->function->ir->insts.items[frame->call];
    uint32_t index = ir_ref_index(ref);
    return index < host_argument_count(call) && collect_functions(walk, frame->parent, call->ops[index]);
  }
  case IR_REF_INST: {
    const IrInst *inst = ir_inst(ir, ref);
    if (inst->op == IR_LOAD) return collect_table(walk, frame, inst);
    bool is_passed_on = inst->op == IR_PHI || inst->op == IR_SELECT || inst->op == IR_BITCAST;
    return is_passed_on && collect_operands(walk, frame, inst);
  }
  case IR_REF_NONE:
  case IR_REF_GLOBAL: break;
  }
  return false;
}

static bool add_possible_starts(HostScan *scan, HostFrame *frame, IrRef pointer, StartList *starts) {
  Walk walk = {.scan = scan, .seen = {.arena = scan->arena}};
  starts->count = 0;
  if (!collect_functions(&walk, frame, pointer)) return false;
  for (uint32_t i = 0; i < walk.functions.count; i++) {
    const char *name = scan->module->functions.items[walk.functions.items[i]]->name;
    const char *kernel = host_stub_kernel(name, scan->arena);
    if (!kernel) return false;
    bool is_known = false;
    for (uint32_t k = 0; k < starts->count; k++)
      is_known |= strcmp(starts->items[k].kernel, kernel) == 0;
    if (!is_known)
      vec_push(scan->arena, starts, (Start){.kernel = kernel, .condition = expr_bool(scan->pool, true)});
  }
  return starts->count > 0;
}

// Could a stub of this type be called with these operands?
static bool fits_call(const HostScan *scan, const HostFrame *frame, const IrInst *call,
                      const IrFunction *stub) {
  uint32_t count = host_argument_count(call);
  if (stub->params.count != count) return false;
  for (uint32_t i = 0; i < count; i++) {
    IrType type = ir_ref_type(scan->module, frame->function->ir, call->ops[i]);
    if (type.kind != stub->params.items[i].type.kind || type.bytes != stub->params.items[i].type.bytes)
      return false;
  }
  return true;
}

// It may name a kernel by its text.
static bool is_of_driver(HostCallKind kind) {
  return kind == CALL_LAUNCH_DRIVER || kind == CALL_LAUNCH_DRIVER_EX || kind == CALL_LAUNCH_BLIND;
}

// The operand that says what is launched.
static uint32_t function_operand(HostCallKind kind, const IrInst *call) {
  if (kind == CALL_STUB) return call->op_count - 1u;
  return kind == CALL_LAUNCH_EX || kind == CALL_LAUNCH_DRIVER_EX ? 1 : 0;
}

static void add_all_starts(HostScan *scan, const HostFrame *frame, const IrInst *call, HostCallKind kind,
                           StartList *starts) {
  SrcLoc loc = host_loc(scan, frame, call);
  // A node may be of a kernel whose launch was captured.
  bool is_stub_call = kind == CALL_STUB, is_by_name = is_of_driver(kind) || host_call_is_node(kind);
  starts->count = 0;
  for (uint32_t i = 0; i < scan->module->functions.count; i++) {
    const IrFunction *stub = scan->functions[i].ir;
    bool has_address = is_by_name || scan->functions[i].is_address_taken || stub->is_in_data ||
                       !scan->options || !scan->options->has_main; // else another file may take it
    if (!scan->functions[i].is_stub || !has_address) continue;
    if (is_stub_call && !fits_call(scan, frame, call, stub)) continue;
    const char *kernel = host_stub_kernel(stub->name, scan->arena);
    if (!kernel) continue;
    vec_push(scan->arena, starts,
             (Start){kernel, expr_bool(scan->pool, true),
                     "the kernel of this launch is a pointer of unknown value"});
  }
  if (starts->count == 0)
    diag_report(scan->sink, DIAG_NOTE, &loc,
                "this launch starts a kernel through a pointer of unknown value");
}

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

static bool is_no_kernel_node(const Reader *r) {
  ExprRef node = node_operand(r);
  int64_t kind = 0;
  return node && expr_is_const(r->scan->pool, load_word(r, node, 0, 4), &kind) && kind != 0;
}

static void add_started_by_node(HostScan *scan, HostFrame *frame, uint32_t inst, HostCallKind kind,
                                StartList *starts) {
  const IrInst *call = &frame->function->ir->insts.items[inst];
  Reader r = {scan, frame, call, inst, 0};
  if (kind == CALL_LAUNCH_ANY_NODE && is_no_kernel_node(&r)) return;
  ExprRef node = node_address(&r, kind);
  if (!node || !add_starts(scan, load_word(&r, node, 0, 8), starts))
    add_all_starts(scan, frame, call, kind, starts);
}

static void find_starts(HostScan *scan, HostFrame *frame, uint32_t inst, HostCallKind kind,
                        StartList *starts) {
  const IrInst *call = &frame->function->ir->insts.items[inst];
  const char *name = kind == CALL_STUB ? host_callee_name(scan, call) : NULL;
  if (name) {
    const char *kernel = host_stub_kernel(name, scan->arena);
    vec_push(scan->arena, starts,
             (Start){.kernel = kernel ? kernel : name, .condition = expr_bool(scan->pool, true)});
    return;
  }
  if (host_call_is_node(kind)) {
    add_started_by_node(scan, frame, inst, kind, starts);
    return;
  }
  int64_t foreign = 0;
  uint32_t operand = function_operand(kind, call);
  bool is_there = operand < call->op_count && kind != CALL_LAUNCH_BLIND;
  if (is_there && is_of_driver(kind) &&
      expr_is_const(scan->pool, host_value(scan, frame, call->ops[operand]), &foreign))
    return;
  if (!is_there || (!add_starts(scan, host_value(scan, frame, call->ops[operand]), starts) &&
                    !add_possible_starts(scan, frame, call->ops[operand], starts)))
    add_all_starts(scan, frame, call, kind, starts);
}

const IrFunction *host_launched_kernel(HostScan *scan, HostFrame *frame, uint32_t inst, HostCallKind kind) {
  const IrInst *call = &frame->function->ir->insts.items[inst];
  const char *name = kind == CALL_STUB ? host_callee_name(scan, call) : NULL;
  StartList starts = {0};
  if (name) {
    const char *kernel = host_stub_kernel(name, scan->arena);
    return host_find_kernel(scan, kernel ? kernel : name);
  }
  uint32_t operand = kind == CALL_STUB ? 0 : function_operand(kind, call);
  if (kind == CALL_STUB || kind == CALL_LAUNCH_BLIND || host_call_is_node(kind) || operand >= call->op_count)
    return NULL;
  if (!add_starts(scan, host_value(scan, frame, call->ops[operand]), &starts) || starts.count != 1)
    return NULL;
  return host_find_kernel(scan, starts.items[0].kernel);
}

// ---- one context
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
  const IrInst *call = &frame->function->ir->insts.items[inst];
  Reader r = {scan, frame, call, inst, 1};
  *arguments = (HostArguments){.frame = frame, .inst = inst, .begins = inst};
  if (!host_call_is_node(kind)) host_clusters_set(scan->pool, launch, NULL); // a node may be given a size
  if (kind == CALL_LAUNCH_EX || kind == CALL_LAUNCH_DRIVER_EX) {
    read_config(&r, kind, host_value(scan, frame, call->ops[0]), launch);
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
    r.call = find_push(scan, frame->function, inst);
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
  unknown_dimensions(scan, launch);
}

static void add_start_fact(HostScan *scan, const Start *start, LaunchContext *launch) {
  ExprRef condition = host_settle(scan, start->condition);
  if (expr_is_true(scan->pool, condition)) return;
  Fact fact = {.condition = condition, .class = FACT_ASSERT, .loc = launch->loc};
  fact.text = host_text(scan->pool, scan->arena, condition);
  vec_push(scan->arena, &launch->facts, fact);
}

// What the dimensions say, in words; their expressions are used themselves.
static void describe_dimensions(HostScan *scan, LaunchContext *launch) {
  static const char *const names[] = {"gridDim", "blockDim"};
  for (int i = 0; i < 6; i++) {
    ExprRef dim = i < 3 ? launch->grid[i] : launch->block[i - 3];
    if (expr_is_const(scan->pool, dim, NULL)) continue;
    Fact *fact = &launch->dimensions[i];
    *fact = (Fact){.condition = expr_bool(scan->pool, true), .class = FACT_LAUNCH, .loc = launch->loc};
    fact->text = arena_printf(scan->arena, "%s.%c == %s", names[i / 3], 'x' + i % 3,
                              host_text(scan->pool, scan->arena, dim));
  }
}

void host_launch_finish(HostScan *scan, LaunchContext *launch, const IrFunction *kernel) {
  describe_dimensions(scan, launch);
  host_facts_hardware(scan->pool, scan->arena, launch, kernel ? kernel->max_threads : 0);
  host_clusters_settle(scan, launch, kernel);
  const char *name = kernel ? host_display_name(kernel) : launch->kernel;
  launch->description = host_describe_launch(scan->pool, scan->arena, name, launch);
}

static void read_one(HostScan *scan, HostFrame *frame, uint32_t inst, HostCallKind kind, const Start *start) {
  LaunchContext *launch = arena_new(scan->arena, LaunchContext);
  HostArguments arguments;
  const IrFunction *kernel = host_find_kernel(scan, start->kernel);
  launch->kernel = start->kernel;
  launch->loc = host_loc(scan, frame, &frame->function->ir->insts.items[inst]);
  launch->is_guess = start->undecided != NULL;
  if (start->undecided) vec_push(scan->arena, &launch->undecided, start->undecided);
  host_launch_shape(scan, frame, inst, kind, launch, &arguments);
  if (arguments.in_array && !arguments.array)
    vec_push(scan->arena, &launch->undecided, "the arguments of this launch were not found");
  else
    host_arguments_read(scan, &arguments, kernel, launch);
  bool is_deferred = host_is_deferred(scan, frame, inst, arguments.stream);
  if (launch->undecided.count == 0 && !is_deferred) host_tallies_read(scan, frame, inst, kind, launch);
  add_start_fact(scan, start, launch);
  host_facts_collect(scan, frame, inst, launch);
  HostLaunch read = {.context = launch};
  for (uint32_t i = 0; i < scan->content_syms.count; i++)
    vec_push(scan->arena, &read.syms, scan->content_syms.items[i]);
  if (read.syms.count) vec_push(scan->arena, &scan->launches, read);
  host_launch_finish(scan, launch, kernel);
  vec_push(scan->arena, &scan->result->launches, launch);
  vec_push(scan->arena, &scan->all_launches, (HostLaunchRead){launch, frame, inst, kernel, is_deferred});
}

void host_launch_read(HostScan *scan, HostFrame *frame, uint32_t inst, HostCallKind kind) {
  StartList starts = {0};
  find_starts(scan, frame, inst, kind, &starts);
  for (uint32_t i = 0; i < starts.count; i++)
    read_one(scan, frame, inst, kind, &starts.items[i]);
}
