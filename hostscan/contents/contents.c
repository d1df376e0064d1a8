// What do arrays hold when a kernel starts? For what the kernel reads as integers, the host code is asked for
// the value of an element of which it is not said which one (elements.c). Method:
// cells.c walks back over copies, fills and stores as it does for any cell. A loop that stores to the array
// or launches kernels that do is not undone; some run of one of its stores wrote the element, or none did:
// functions of the element say which store it was and in which iterations (Skolem functions of "there is an
// iteration"), and what held there then is known of them: that the address is that of the element, and the
// conditions on the way to the store. Soundness: nothing is left out: stores of other widths, and whatever is
// not understood, give unknown values.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/contents/fill.h"
#include "core/bug.h"
#include "hostscan/facts.h"
#include "hostscan/objects.h"
#include "hostscan/kernels.h"
#include "hostscan/names.h"
#include "hostscan/program.h"
#include "hostscan/syntax.h"
#include "hostscan/series.h"
#include "hostscan/terms.h"
#include "hostscan/value.h"

#include <string.h>

enum { STORE_LIMIT = 16, CONDITION_LIMIT = 24 };

// Behind the calls that say of the store itself that it was in its array.
static uint32_t end_of_store(const IrFunction *ir, uint32_t store) {
  const IrBlock *block = &ir->blocks.items[ir->insts.items[store].block];
  uint32_t end = store;
  for (uint32_t i = store + 1; i < block->first + block->count; i++) {
    const IrInst *inst = &ir->insts.items[i];
    IrOpClass class = ir_op_class((IrOp)inst->op);
    bool is_computed = class == IR_CLASS_ARITH || class == IR_CLASS_COMPARE || class == IR_CLASS_CAST;
    bool is_said = inst->op == IR_CALL && inst->name && strcmp(inst->name, "__hgrd_in_array") == 0;
    if (is_said) end = i + 1;
    if (!is_said && !is_computed) break;
  }
  return end;
}

// What held at the store, and at the calls that led there from the loop.
static void keep_conditions(Fill *fill) {
  HostScan *scan = fill->scan;
  IndexList facts = {0};
  uint32_t kept = 0, inst = end_of_store(fill->store->frame->function->ir, fill->store->inst);
  for (HostFrame *at = fill->store->frame;; inst = at->call, at = at->parent) {
    host_facts_at(scan, at, inst, &facts);
    if (at == fill->frame) break;
  }
  for (uint32_t i = 0; i < facts.count && kept < CONDITION_LIMIT; i++) {
    bool varies = false;
    ExprRef condition = scan->facts.items[facts.items[i]].fact.condition;
    if (host_weight(scan, condition) > HOST_HEAVY / 4) continue;
    condition = fill_then(fill, condition, &varies);
    if (!varies || host_weight(scan, condition) > HOST_HEAVY / 4) continue;
    fill_keep(fill, condition);
    kept++;
  }
}

ExprRef host_unknown_element(HostScan *scan, HostCell cell, SrcLoc loc) {
  ASSERT(host_has_cell(scan, cell));
  uint8_t width = (uint8_t)(cell.bytes * 8);
  int64_t half = (int64_t)((uint64_t)1 << (width - 1));
  ExprSym info = {.name = host_object_of(scan, cell.base)->name,
                  .width = width,
                  .kind = SYM_HOST_VALUE,
                  .lo = width == 64 ? INT64_MIN : -half,
                  .hi = width == 64 ? INT64_MAX : half - 1,
                  .loc = loc};
  uint32_t func = 0;
  ExprRef value = host_function_of_element(scan, &info, &func);
  const char *writer = arena_printf(scan->arena, "the code at line %u", loc.line);
  host_note_origin(scan, (HostFuncOrigin){.func = func, .writer = writer});
  return value;
}

// The same place in each iteration: it is written once there was one.
static ExprRef covered_again(Fill *fill) {
  HostScan *scan = fill->scan;
  ExprPool *pool = scan->pool;
  ExprRef count = host_loop_count(scan, fill->frame, fill->loop),
          start = host_settle(scan, fill->store->offset);
  ExprRef last = expr_const(pool, 64, (int64_t)fill->store->bytes - fill->cell.bytes);
  if (fill->store->bytes < fill->cell.bytes || host_varies_in(scan, start, fill->frame, fill->loop) ||
      !fill_is_always_made(fill))
    return 0;
  last = host_add_offset(scan, start, last);
  ExprRef inside = expr_and(pool, expr_binary(pool, EXPR_SLE, 0, start, fill->cell.offset),
                            expr_binary(pool, EXPR_SLE, 0, fill->cell.offset, last));
  ExprRef none = expr_const(pool, expr_width(pool, count), 0);
  return expr_and(pool, expr_binary(pool, EXPR_SLT, 0, none, count), inside);
}

// The elements that the store has written in all iterations that are over; 0 if they are not known so
// exactly.
static ExprRef covered(Fill *fill) {
  ExprPool *pool = fill->scan->pool;
  int64_t stride = 0, bytes = fill->store->bytes, word = fill->cell.bytes;
  ExprRef start = 0, count = host_loop_count(fill->scan, fill->frame, fill->loop);
  if (!fill_is_in_steps(fill, &start, &stride)) return fill->cell.kind == IR_PTR ? covered_again(fill) : 0;
  if (bytes != word && (stride < 0 || bytes % word != 0 || stride % word != 0)) return 0;
  ExprRef way = expr_binary(pool, EXPR_MUL, EXPR_NSW, expr_resize_signed(pool, count, 64),
                            expr_const(pool, 64, stride));
  ExprRef end = expr_binary(pool, EXPR_ADD, EXPR_ADDRESS, start, way), at = fill->cell.offset;
  bool is_up = stride > 0;
  ExprRef inside = expr_and(pool, expr_binary(pool, EXPR_SLE, 0, is_up ? start : at, is_up ? at : start),
                            expr_binary(pool, EXPR_SLT, 0, is_up ? at : end, is_up ? end : at));
  if (stride == bytes || -stride == bytes || (bytes != word && stride < bytes)) return inside;
  ExprRef rest = expr_binary(pool, EXPR_SREM, 0, expr_binary(pool, EXPR_SUB, EXPR_ADDRESS, at, start),
                             expr_const(pool, 64, stride));
  ExprRef last = expr_const(pool, 64, bytes - word);
  return expr_and(pool, inside,
                  bytes == word ? expr_eq(pool, rest, last) : expr_binary(pool, EXPR_SLE, 0, rest, last));
}

typedef struct FillStored { // by the stores of a loop, so far
  ExprRef value;            // of the element
  ExprRef any;              // one of them wrote it
  VEC(HostFillFact) covers; // elements that surely were written, with the function to keep that with
} FillStored;

static void start_fill(Fill *fill) {
  HostScan *scan = fill->scan;
  const HostFunction *function = fill->store->frame->function;
  SrcLoc loc = host_loc(scan, fill->store->frame, &function->ir->insts.items[fill->store->inst]);
  ExprSym truth = {.width = 8, .kind = SYM_HOST_VALUE, .lo = 0, .hi = 1, .loc = loc};
  truth.name = arena_printf(scan->arena, "written at line %u", loc.line);
  ExprRef flag = host_function_of_element(scan, &truth, &fill->anchor);
  fill->wrote = expr_eq(scan->pool, flag, expr_const(scan->pool, 8, 1));
}

// No function in it but these: others may be of what lay in memory in the round in hand.
static bool holds_only(const ExprPool *pool, ExprRef ref, const IndexList *funcs) {
  if (!ref) return true;
  ExprNode node = *expr_node(pool, ref);
  bool is_known = node.op != EXPR_APP;
  for (uint32_t i = 0; i < funcs->count && !is_known; i++)
    is_known = funcs->items[i] == (uint32_t)node.value;
  for (uint32_t i = 0; i < node.arg_count && is_known; i++)
    is_known = holds_only(pool, node.args[i], funcs);
  return is_known && holds_only(pool, node.a, funcs) && holds_only(pool, node.b, funcs) &&
         holds_only(pool, node.c, funcs);
}

static void add_store_of_launch(HostScan *scan, HostFrame *frame, uint32_t loop, HostCell cell,
                                const HostLaunchStore *store, FillStored *stored) {
  Fill fill = {.scan = scan, .frame = frame, .loop = loop, .cell = cell};
  fill.anchor = store->anchor;
  fill.wrote = store->wrote;
  bool varies = false, is_known = holds_only(scan->pool, store->value, &store->funcs);
  ExprRef value = is_known ? fill_then(&fill, store->value, &varies) : 0;
  if (!value || host_weight(scan, value) > HOST_HEAVY)
    value = host_unknown_element(scan, cell, expr_func_info(scan->pool, store->anchor)->loc);
  for (uint32_t i = 0; i < store->conditions.count; i++) {
    ExprRef condition = store->conditions.items[i];
    if (!holds_only(scan->pool, condition, &store->funcs)) continue;
    condition = fill_then(&fill, condition, &varies);
    if (host_weight(scan, condition) <= HOST_HEAVY / 4) fill_keep(&fill, condition);
  }
  stored->value = expr_ite(scan->pool, store->wrote, value, stored->value);
  stored->any = stored->any ? expr_or(scan->pool, stored->any, store->wrote) : store->wrote;
}

// ---- exchanges
static bool holds_what_was_at(HostScan *scan, HostFrame *frame, uint32_t loop, ExprRef value, HostCell cell,
                              ExprRef offset) {
  int64_t apart = 1;
  value = host_settle(scan, value);
  ExprNode node = *expr_node(scan->pool, value);
  if (node.op != EXPR_SYM) return false;
  const HostSym *sym = host_sym(scan, (uint32_t)node.value);
  if (!fill_is_at_header(scan, (HostLoopPlace){frame, loop}, (uint32_t)node.value, cell)) return false;
  ExprRef distance = expr_binary(scan->pool, EXPR_SUB, EXPR_ADDRESS, offset, sym->cell_offset);
  return expr_is_const(scan->pool, host_gather(scan, host_settle(scan, distance)), &apart) && apart == 0;
}

// Two stores that put into each other's place what was there at the start of the iteration: whatever the
// places are, the array holds the same values afterwards, in another order. What the element holds then; 0:
// it is no exchange.
static ExprRef exchanged(HostScan *scan, HostFrame *frame, uint32_t loop, HostCell cell, const FillStore *one,
                         const FillStore *two, ExprRef before) {
  ExprPool *pool = scan->pool;
  const IrFunction *ir = one->frame->function->ir;
  if (cell.offset != scan->element || one->frame != two->frame || !one->value || !two->value ||
      one->bytes != cell.bytes || two->bytes != cell.bytes ||
      ir->insts.items[one->inst].block != ir->insts.items[two->inst].block)
    return 0;
  if (!holds_what_was_at(scan, frame, loop, one->value, cell, two->offset) ||
      !holds_what_was_at(scan, frame, loop, two->value, cell, one->offset))
    return 0;
  uint32_t func =
      expr_new_func(pool, (ExprFunc){.name = "place before",
                                     .width = 64,
                                     .kind = SYM_HOST_VALUE,
                                     .is_injective = true,
                                     .lo = 0,
                                     .hi = (int64_t)1 << 48,
                                     .loc = host_loc(scan, one->frame, &ir->insts.items[one->inst])});
  ExprRef place = expr_app(pool, func, 1, &scan->element), size = host_object_size(scan, cell.base);
  if (size) { // both places are in the array (A7), so it is mapped to itself
    ExprRef bytes = expr_const(pool, 64, cell.bytes);
    size = expr_resize_signed(pool, host_settle(scan, size), 64);
    ExprRef inside = expr_binary(pool, EXPR_SLE, 0, host_add_offset(scan, scan->element, bytes), size);
    ExprRef stays = expr_binary(pool, EXPR_SLE, 0, host_add_offset(scan, place, bytes), size);
    host_fill_fact(scan, func, expr_or(pool, expr_not(pool, inside), stays));
  }
  return host_at_element(scan, before, place);
}

// ---- the loop
static bool find_place(HostScan *scan, HostFrame *frame, const IrInst *store, HostCell cell,
                       ExprRef *offset) {
  HostTarget target;
  if (store->op != IR_STORE || !host_sole_target(scan, host_value(scan, frame, store->ops[0]), &target))
    return false;
  *offset = target.offset;
  return target.leaf == cell.base;
}

static bool add_stores(HostScan *scan, HostFrame *frame, uint32_t inst, uint32_t top, HostCell cell,
                       FillStores *list);

static bool add_stores_of_block(HostScan *scan, HostFrame *frame, uint32_t block, uint32_t top, HostCell cell,
                                FillStores *list) {
  const HostFunction *function = frame->function;
  for (uint32_t e = function->effect_first[block]; e < function->effect_first[block + 1]; e++) {
    uint32_t inst = function->effects[e];
    if (!add_stores(scan, frame, inst, top == CFG_NONE ? inst : top, cell, list)) return false;
  }
  return true;
}

// All stores to the array that the instruction makes; false if there are others that are not understood.
static bool add_stores_of_call(HostScan *scan, HostFrame *frame, uint32_t inst, uint32_t top, HostCell cell,
                               FillStores *list) {
  HostFunction *callee = NULL;
  HostCallKind kind = host_call(scan, &frame->function->ir->insts.items[inst], &callee)->kind;
  if (kind == CALL_DEFINED) {
    HostFrame *child = host_frame_child(scan, frame, inst); // there is one: it was gone through
    for (uint32_t b = 0; child && b < child->function->ir->blocks.count; b++)
      if (!add_stores_of_block(scan, child, b, top, cell, list)) return false;
    return child != NULL;
  }
  bool is_launch = host_call_class(kind) == CLASS_LAUNCHES ||
                   (kind == CALL_UNKNOWN && host_is_launch(scan, frame->function, inst, &kind));
  return is_launch && cell.offset == scan->element && list->device.count < STORE_LIMIT &&
         host_stores_of_launch(scan, frame, inst, kind, cell, list->loop, &list->device);
}

static bool add_stores(HostScan *scan, HostFrame *frame, uint32_t inst, uint32_t top, HostCell cell,
                       FillStores *list) {
  if (!host_touches(scan, frame, inst, cell)) return true;
  const IrInst *store = &frame->function->ir->insts.items[inst];
  FillStore found = {.frame = frame, .inst = inst, .top = top};
  HostCopied copied;
  if (list->host.count < STORE_LIMIT && host_copied_pointers(scan, frame, inst, cell, &copied)) {
    found.offset = copied.offset;
    found.value = copied.value;
    found.bytes = copied.bytes;
    vec_push(scan->arena, &list->host, found);
    return true;
  }
  if (store->op == IR_CALL) return add_stores_of_call(scan, frame, inst, top, cell, list);
  if (!find_place(scan, frame, store, cell, &found.offset) || list->host.count == STORE_LIMIT) return false;
  found.bytes = ir_ref_type(scan->module, frame->function->ir, store->ops[1]).bytes;
  if (found.bytes == cell.bytes) found.value = host_value_piece(scan, frame, store->ops[1], 0, found.bytes);
  vec_push(scan->arena, &list->host, found);
  return true;
}

bool fill_list_stores(HostScan *scan, HostCell cell, FillStores *stores) {
  ASSERT(host_has_cell(scan, cell));
  HostFrame *frame = stores->loop.frame;
  const CfgLoop *info = &frame->function->cfg->loops.items[stores->loop.loop];
  for (uint32_t i = 0; i < info->blocks.count; i++)
    if (!add_stores_of_block(scan, frame, info->blocks.items[i], CFG_NONE, cell, stores)) return false;
  return true;
}

// What the store put into the element, if it was the last one to write it.
static void add_store(HostScan *scan, HostFrame *frame, uint32_t loop, HostCell cell, const FillStore *store,
                      bool is_only, FillStored *stored) {
  Fill fill = {.scan = scan, .frame = frame, .loop = loop, .cell = cell, .store = store};
  bool varies = false;
  start_fill(&fill);
  host_note_copy(scan, store->frame, store->inst, fill.anchor, (HostLoopPlace){frame, loop});
  bool is_of_element = is_only && cell.offset == scan->element;
  fill.before = is_of_element ? stored->value : 0;
  fill_note_naturals(&fill);
  ExprRef count = fill_count(&fill);
  if (count) {
    stored->value = count;
    return;
  }
  ExprRef value = is_of_element ? fill_running_sum(&fill, &stored->value) : 0;
  if (!value) value = fill_counted(&fill);
  ExprRef now = store->value;
  if (now && cell.kind == IR_PTR) now = host_with_origins(scan, now);
  if (!value && now) value = fill_then(&fill, now, &varies);
  if (!value || host_weight(scan, value) > HOST_HEAVY)
    value = host_unknown_element(
        scan, cell, host_loc(scan, store->frame, &store->frame->function->ir->insts.items[store->inst]));
  fill_keep(&fill, host_is_at_element(scan, fill_then(&fill, store->offset, &varies), store->bytes, cell));
  keep_conditions(&fill);
  fill_keep_marks(&fill);
  stored->value = expr_ite(scan->pool, fill.wrote, value, stored->value);
  stored->any = stored->any ? expr_or(scan->pool, stored->any, fill.wrote) : fill.wrote;
  ExprRef covers = covered(&fill);
  if (covers) vec_push(scan->arena, &stored->covers, (HostFillFact){fill.anchor, covers});
}

ExprRef host_element_of_loop(HostScan *scan, const HostQuestion *question) {
  HostFrame *frame = question->frame;
  uint32_t loop = question->index;
  HostCell cell = question->cell;
  ExprRef before = question->before;
  FillStored stored = {.value = before};
  FillStores stores = {.loop = {frame, loop}};
  if (!fill_list_stores(scan, cell, &stores)) return 0;
  const FillStore *host = stores.host.items;
  uint32_t count = stores.host.count;
  bool is_of_host = stores.device.count == 0;
  ExprRef value =
      is_of_host && count == 2 ? exchanged(scan, frame, loop, cell, &host[0], &host[1], before) : 0;
  if (value) return value;
  for (uint32_t i = 0; i < count; i++)
    add_store(scan, frame, loop, cell, &host[i], is_of_host && count == 1, &stored);
  for (uint32_t i = 0; i < stores.device.count; i++)
    add_store_of_launch(scan, frame, loop, cell, &stores.device.items[i], &stored);
  for (uint32_t i = 0; i < stored.covers.count; i++) {
    HostFillFact known = stored.covers.items[i];
    ExprRef is_beside = expr_not(scan->pool, known.condition);
    host_fill_fact(scan, known.func, expr_or(scan->pool, is_beside, stored.any));
  }
  return stored.value;
}
