// What lies in a cell of host memory at a place of the program? A cell is an object, a byte offset and a
// width.
// Method: backwards from the place, over what each instruction writes (effects.c), through the dominator
// where the region between has no effects, into callees with bodies at calls, into the caller at the entry.
// At merges the values of the ways are combined, at loops loop.c is asked. Each (block, cell) is answered
// once.
// Soundness: a write that may meet the cell gives an unknown value. A host value that no visible write
// changed is the same value at every read (A9): library calls write only through the arguments that
// calls.c names, launches and copies only what they are given.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/value/value.h"
#include "core/bug.h"
#include "hostscan/objects.h"
#include "hostscan/names.h"
#include "hostscan/program.h"
#include "hostscan/syntax.h"
#include "hostscan/series.h"
#include "hostscan/terms.h"

#include <string.h>

static ExprRef cell_before(HostScan *scan, HostFrame *frame, uint32_t block, uint32_t limit, HostCell cell);

// ---- symbols of cells
HostKey host_cell_key(const HostFrame *frame, HostPlace place, uint32_t index, HostCell cell) {
  ASSERT(frame->function);
  ASSERT(host_function_has_inst(frame->function, index));
  // Places on entry and after a write do not depend on who asks, but for pointers (kernels.c).
  uint32_t kind = place == PLACE_START || place == PLACE_HEADER || cell.kind == IR_PTR ? cell.kind : 0;
  return (HostKey){{frame->id, index, cell.base, cell.offset, cell.bytes, (uint32_t)place * 16 + kind}};
}

static const char *cell_name(HostScan *scan, HostCell cell) {
  if (scan->name_frame && scan->named) return host_name_of_load(scan, scan->name_frame, scan->named);
  if (scan->name_frame && scan->namer) return host_name_of_content(scan, scan->name_frame, scan->namer);
  const char *base = host_object_of(scan, cell.base)->name;
  int64_t offset = 0;
  if (!expr_is_const(scan->pool, cell.offset, &offset)) return arena_printf(scan->arena, "%s[...]", base);
  return offset ? arena_printf(scan->arena, "%s[+%lld]", base, (long long)offset) : base;
}

// Which member a symbol is, is told by the first read that knows.
static void note_cell(HostScan *scan, ExprRef symbol, HostCellSymbol at, HostCell cell) {
  const HostReader *reader = &scan->reader;
  HostSym *sym = host_sym(scan, (uint32_t)expr_node(scan->pool, symbol)->value);
  int64_t offset = 0, asked = 0;
  if (sym->cell || !reader->function || cell.base != reader->base) return;
  if (!expr_is_const(scan->pool, cell.offset, &offset) || !expr_is_const(scan->pool, reader->offset, &asked))
    return;
  if (scan->cell_infos.count == 0) vec_push(scan->arena, &scan->cell_infos, (HostCellInfo){0});
  sym->cell = scan->cell_infos.count;
  HostCellInfo info = {.frame = at.frame, .place = at.place, .index = at.index, .base = cell.base};
  info.offset = offset;
  info.bytes = cell.bytes;
  info.kind = cell.kind;
  info.reader = reader->function;
  info.address = reader->address;
  info.behind = reader->behind + offset - asked; // a part of what is read lies further on
  vec_push(scan->arena, &scan->cell_infos, info);
}

// "load()"
static const char *call_text(HostScan *scan, const IrInst *inst) {
  size_t length = 0;
  const char *callee = host_callee_name(scan, inst);
  if (!callee) return "the function that is called there";
  const IrFunction *known = host_function_named(scan, 0, callee);
  if (known && known->display && *known->display) return arena_printf(scan->arena, "%s()", known->display);
  const char *base = host_base_name(callee, &length);
  return arena_printf(scan->arena, "%.*s()", (int)length, base);
}

ExprRef host_cell_symbol(HostScan *scan, HostCellSymbol at, HostCell cell) {
  ASSERT(host_has_cell(scan, cell));
  HostKey key = host_cell_key(at.frame, at.place, at.index, cell);
  key.word[5] |= 1u << 16; // apart from the values found for the same place
  ExprRef value = host_map_get(&scan->cells, key);
  if (value) {
    note_cell(scan, value, at, cell);
    return value;
  }
  HostUnknown unknown = {.frame = at.frame, .loop = at.loop, .width = (uint8_t)(cell.bytes * 8)};
  unknown.name = cell_name(scan, cell);
  if (at.place == PLACE_AFTER) {
    const IrInst *inst = &at.frame->function->ir->insts.items[at.index];
    unknown.loc = host_loc(scan, at.frame, inst);
    unknown.after = inst->op == IR_CALL ? call_text(scan, inst) : NULL;
  } else
    unknown.loc = *ir_loc(scan->module, at.frame->function->ir->loc);
  value = host_unknown(scan, unknown);
  HostObject *holder = host_object_of(scan, cell.base);
  HostSym *sym = host_sym(scan, (uint32_t)expr_node(scan->pool, value)->value);
  sym->holder = (uint32_t)(holder - scan->objects.items);
  sym->is_of_element = host_is_element(scan, cell);
  sym->cell_offset = cell.offset;
  sym->place = (uint8_t)(1 + at.place);
  sym->place_frame = at.frame;
  sym->place_index = at.index;
  note_cell(scan, value, at, cell);
  host_map_put(&scan->cells, key, value);
  return value;
}

ExprRef host_ask(HostScan *scan, const HostQuestion *question) {
  ExprRef value = 0;
  for (const HostContents *known = scan->contents; known->value && !value; known++)
    if (known->about == question->about) value = known->value(scan, question);
  return value;
}

ExprRef host_after_write(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  ASSERT(frame->function);
  ASSERT(host_function_has_inst(frame->function, inst));
  ASSERT(host_has_cell(scan, cell));
  uint32_t block = frame->function->ir->insts.items[inst].block;
  HostQuestion question = {.about = HOST_ABOUT_WRITE, .frame = frame, .index = inst, .cell = cell};
  ExprRef known = host_ask(scan, &question);
  if (known) return known;
  HostCellSymbol at = {frame, PLACE_AFTER, inst, frame->function->cfg->loop_of[block]};
  ExprRef symbol = host_cell_symbol(scan, at, cell);
  host_sym(scan, (uint32_t)expr_node(scan->pool, symbol)->value)->is_overwritten = true;
  return symbol;
}

// ---- calls that may have left a cell as it was
void host_note_doubt(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell, ExprRef value) {
  ASSERT(frame->function);
  ASSERT(host_function_has_inst(frame->function, inst));
  ASSERT(host_has_cell(scan, cell));
  ASSERT(expr_is_of(scan->pool, value));
  const ExprNode *node = expr_node(scan->pool, value);
  HostSym *sym = node->op == EXPR_SYM ? host_sym(scan, (uint32_t)node->value) : NULL;
  if (!sym || !sym->is_overwritten || sym->doubt) return;
  if (scan->doubts.count == 0) vec_push(scan->arena, &scan->doubts, (HostDoubt){0});
  sym->doubt = scan->doubts.count;
  HostDoubt doubt = {frame, inst, cell.base, cell.offset, cell.bytes, cell.kind};
  vec_push(scan->arena, &scan->doubts, doubt);
}

ExprRef host_before_doubt(HostScan *scan, uint32_t sym) {
  ASSERT(sym < expr_sym_count(scan->pool));
  uint32_t index = host_sym(scan, sym)->doubt;
  if (!index) return 0;
  HostDoubt doubt = scan->doubts.items[index];
  HostCell cell = {.base = doubt.base, .offset = doubt.offset, .bytes = doubt.bytes, .kind = doubt.kind};
  scan->read_steps = 0;
  return host_settle(scan, host_cell_before(scan, doubt.frame, doubt.inst, cell));
}

// ---- the walk
bool host_is_uninitialised(HostScan *scan, ExprRef ref) {
  ASSERT(expr_is_of(scan->pool, ref));
  const ExprNode *node = expr_node(scan->pool, ref);
  return node->op == EXPR_SYM && host_sym(scan, (uint32_t)node->value)->is_uninitialised;
}

// A variable of the device has its first value at the start of main.
static ExprRef initial_variable(HostScan *scan, HostFrame *frame, HostCell cell) {
  const HostObject *object = host_object_of(scan, cell.base);
  const char *name = scan->module->globals.items[object->index].name;
  for (uint32_t d = 0; frame->is_entry && host_is_element(scan, cell) && d < scan->device_count; d++) {
    const IrModule *device = scan->device[d];
    for (uint32_t i = 0; device && i < device->globals.count; i++) {
      const IrGlobal *global = &device->globals.items[i];
      if (strcmp(global->name, name) != 0) continue;
      ExprRef value = host_initial_word(scan, global, cell);
      if (value) return value;
    }
  }
  return host_cell_symbol(scan, (HostCellSymbol){frame, PLACE_ENTRY, 0, CFG_NONE}, cell);
}

static ExprRef cell_at_entry(HostScan *scan, HostFrame *frame, HostCell cell) {
  HostObject *object = host_object_of(scan, cell.base);
  uint8_t width = (uint8_t)(cell.bytes * 8);
  bool is_new = (object->kind == HOST_LOCAL || object->kind == HOST_HEAP ||
                 (object->kind == HOST_DEVICE && host_is_element(scan, cell))) &&
                !object->is_parameter;
  if (frame->parent && !(is_new && object->frame == frame)) {
    uint32_t block = frame->parent->function->ir->insts.items[frame->call].block;
    return cell_before(scan, frame->parent, block, frame->call, cell);
  }
  if (is_new && object->is_zeroed) return expr_const(scan->pool, width, 0);
  if (object->kind == HOST_DEVICE_VARIABLE) return initial_variable(scan, frame, cell);
  if (object->kind == HOST_GLOBAL) {
    const IrGlobal *global = &scan->module->globals.items[object->index];
    bool is_set = host_is_set_before_main(scan, object->index);
    bool keeps_initial =
        host_is_constant_global(scan, object->index) || frame->is_before_main || (frame->is_entry && !is_set);
    ExprRef word = keeps_initial ? host_initial_word(scan, global, cell) : 0;
    HostQuestion question = {.about = HOST_ABOUT_MAIN, .frame = frame, .index = object->index, .cell = cell};
    if (!word && frame->is_entry && is_set) word = host_ask(scan, &question);
    if (word) return word;
  }
  ExprRef value = host_cell_symbol(scan, (HostCellSymbol){frame, PLACE_ENTRY, 0, CFG_NONE}, cell);
  host_sym(scan, (uint32_t)expr_node(scan->pool, value)->value)->is_uninitialised =
      is_new && !object->is_copied;
  return value;
}

// A long choice between values of which one is unknown says no more than that it is unknown.
static bool is_worthless(HostScan *scan, const HostWays *ways, ExprRef value) {
  bool has_unknown = false;
  for (uint32_t i = 0; i < ways->count; i++) {
    const ExprNode *node = expr_node(scan->pool, ways->values[i]);
    if (node->op == EXPR_SYM) has_unknown |= host_sym(scan, (uint32_t)node->value)->is_overwritten;
  }
  return has_unknown && host_weight(scan, value) > 24;
}

static ExprRef merged_cell(HostScan *scan, HostFrame *frame, uint32_t block, HostCell cell) {
  const Cfg *cfg = frame->function->cfg;
  HostKey key = host_cell_key(frame, PLACE_START, block, cell);
  ExprRef value = host_map_get(&scan->cells, key);
  if (value) return value;
  HostCellSymbol at = {frame, PLACE_START, block, cfg->loop_of[block]};
  bool is_irregular = !cfg->is_reducible || scan->depth > HOST_MEMORY_DEPTH;
  HostWays ways = {.frame = frame, .block = block, .dominator = cfg->idom[block]};
  if (!is_irregular && host_ways_in(frame, block, false, &ways)) {
    scan->depth++;
    for (uint32_t i = 0; i < ways.count; i++)
      ways.values[i] = host_cell_at_end(scan, frame, ways.preds[i], block, cell);
    value = host_merge(scan, &ways);
    if (value && is_worthless(scan, &ways, value)) value = 0;
    scan->depth--;
  }
  if (!value) value = host_cell_symbol(scan, at, cell);
  host_map_put(&scan->cells, key, value);
  return value;
}

// The cell at the start of `block`, after what the walk found out by going through it; 0: go on at *above.
static ExprRef cell_at_start(HostScan *scan, HostFrame *frame, uint32_t block, HostCell cell,
                             uint32_t *above) {
  HostFunction *function = frame->function;
  const Cfg *cfg = function->cfg;
  uint32_t loop = host_loop_with_header(cfg, block);
  if (loop != CFG_NONE) return host_loop_cell(scan, frame, loop, cell);
  if (cfg->rpo_number[block] == 0) return cell_at_entry(scan, frame, cell);
  *above = host_sole_pred(cfg, block);
  if (*above == CFG_NONE && cfg->is_reducible && host_region_is_quiet(scan, function, block))
    *above = cfg->idom[block];
  return *above == CFG_NONE ? merged_cell(scan, frame, block, cell) : 0;
}

typedef struct Onward { // where control went from a block
  uint32_t next;        // CFG_NONE: out of the function
  bool is_edge;         // at once, not over blocks between
} Onward;

// A call that ends `block` and may have led on by an exception: nobody knows how far it got. 0: it came back, or leaves the cell as it
// is.
static ExprRef after_exception(HostScan *scan, HostFrame *frame, uint32_t block, Onward onward,
                               HostCell cell) {
  HostCallEnd end;
  HostFunction *callee = NULL;
  const HostFunction *function = frame->function;
  if (!host_way_of_call(function->ir, block, &end)) return 0;
  if (onward.is_edge && onward.next == end.normal) return 0;
  (void)host_call(scan, &function->ir->insts.items[end.call], &callee);
  if (!callee || !host_function_has_effects(scan, callee)) return 0; // others leave the same on both ways
  if (host_edges_dominate(function->cfg, block, end.normal, onward.next)) return 0;
  return host_call_reaches(scan, frame, end.call, cell) ? host_after_write(scan, frame, end.call, cell) : 0;
}

enum { REMEMBER_EVERY = 16, REMEMBERED = 64 };

// Long ways are remembered now and then, so that the next one ends soon.
// One read goes back over so many blocks; over few once all reads together have gone over many times the
// program, and for an element that may lie anywhere. What lies further back is unknown.
enum { FAR = 20000, NEAR = 64, HERE = 4, STEPS_PER_INSTRUCTION = 2, STEPS_AT_LEAST = 50000 };

// An element at a place that is unknown or changes in a loop, behind a pointer that does not belong to the
// program.
static bool is_anywhere(HostScan *scan, HostCell cell) {
  const HostObject *object = host_object_of(scan, cell.base);
  if (object->kind != HOST_POINTER) return false;
  if (!expr_is_const(scan->pool, cell.offset, NULL)) return true;
  const ExprNode *leaf = expr_node(scan->pool, cell.base);
  const HostSym *sym = leaf->op == EXPR_SYM ? host_sym(scan, (uint32_t)leaf->value) : NULL;
  return !sym || sym->is_placeholder || sym->frame != NULL;
}

static uint32_t reach_of(HostScan *scan, HostCell cell) {
  uint64_t enough = STEPS_AT_LEAST + (uint64_t)scan->instruction_count * STEPS_PER_INSTRUCTION;
  if (is_anywhere(scan, cell)) return HERE;
  return scan->steps > enough ? NEAR : FAR;
}

static ExprRef far_value(HostScan *scan, HostFrame *frame, uint32_t block, HostCell cell) {
  HostCellSymbol at = {frame, PLACE_END, block, frame->function->cfg->loop_of[block]};
  return host_cell_symbol(scan, at, cell);
}

// An array begins where it is made: what was written before, wherever that is, was not to it.
static ExprRef made_here(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  if (!host_makes_array(scan, frame, inst, cell)) return 0;
  const HostObject *object = host_object_of(scan, cell.base);
  if (object->is_zeroed) return expr_const(scan->pool, (uint8_t)(cell.bytes * 8), 0);
  bool is_copied = object->is_copied;
  ExprRef value = host_cell_symbol(scan, (HostCellSymbol){frame, PLACE_ENTRY, 0, CFG_NONE}, cell);
  host_sym(scan, (uint32_t)expr_node(scan->pool, value)->value)->is_uninitialised = !is_copied;
  return value;
}

static ExprRef effect(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  ExprRef made = made_here(scan, frame, inst, cell);
  return made ? made : host_effect(scan, frame, inst, cell);
}

static ExprRef cell_between(HostScan *scan, HostFrame *frame, uint32_t block, uint32_t limit, uint32_t next,
                            HostCell cell) {
  const HostFunction *function = frame->function;
  uint32_t passed[REMEMBERED], count = 0, reach = reach_of(scan, cell);
  Onward onward = {next, true};
  ExprRef value = 0;
  for (uint32_t steps = 1; !value; steps++) {
    scan->steps++;
    if (++scan->read_steps > reach) value = far_value(scan, frame, block, cell);
    if (onward.next != CFG_NONE) value = after_exception(scan, frame, block, onward, cell);
    for (uint32_t e = function->effect_first[block + 1]; !value && e-- > function->effect_first[block];)
      if (function->effects[e] < limit) value = effect(scan, frame, function->effects[e], cell);
    if (value) break;
    value = host_map_get(&scan->cells, host_cell_key(frame, PLACE_START, block, cell));
    if (value) break;
    if (steps % REMEMBER_EVERY == 0 && count < REMEMBERED) passed[count++] = block;
    uint32_t above = CFG_NONE;
    value = cell_at_start(scan, frame, block, cell, &above);
    onward = (Onward){block, host_sole_pred(function->cfg, block) == above};
    block = above;
    limit = UINT32_MAX;
  }
  for (uint32_t i = 0; i < count; i++)
    host_map_put(&scan->cells, host_cell_key(frame, PLACE_START, passed[i], cell), value);
  return value;
}

static ExprRef cell_before(HostScan *scan, HostFrame *frame, uint32_t block, uint32_t limit, HostCell cell) {
  return cell_between(scan, frame, block, limit, CFG_NONE, cell);
}

ExprRef host_cell_at_end(HostScan *scan, HostFrame *frame, uint32_t block, uint32_t next, HostCell cell) {
  ASSERT(frame->function);
  ASSERT(host_function_has_block(frame->function, block));
  ASSERT(host_has_cell(scan, cell));
  return cell_between(scan, frame, block, UINT32_MAX, next, cell);
}

ExprRef host_cell_at_start(HostScan *scan, HostFrame *frame, uint32_t block, HostCell cell) {
  ASSERT(frame->function);
  ASSERT(host_function_has_block(frame->function, block));
  ASSERT(host_has_cell(scan, cell));
  return cell_before(scan, frame, block, 0, cell);
}

ExprRef host_cell_before(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  ASSERT(frame->function);
  ASSERT(host_function_has_inst(frame->function, inst));
  ASSERT(host_has_cell(scan, cell));
  return cell_before(scan, frame, frame->function->ir->insts.items[inst].block, inst, cell);
}

// ---- reads
static ExprRef unknown_read(HostScan *scan, const HostAccess *access) {
  const HostFrame *frame = access->frame;
  const IrInst *inst = &frame->function->ir->insts.items[access->inst];
  const char *name = access->namer ? host_name_of_content(scan, frame, access->namer) : "memory";
  if (access->is_whole) name = host_name_of_load(scan, frame, IR_REF(IR_REF_INST, access->inst));
  ExprRef value = host_unknown(scan, (HostUnknown){.frame = access->frame,
                                                   .loop = frame->function->cfg->loop_of[inst->block],
                                                   .width = (uint8_t)(access->bytes * 8),
                                                   .name = name,
                                                   .loc = host_loc(scan, frame, inst)});
  host_sym(scan, (uint32_t)expr_node(scan->pool, value)->value)->read_by = access->inst + 1;
  return value;
}

static ExprRef read_targets(HostScan *scan, const HostAccess *access, const HostTargets *targets) {
  uint32_t block = access->frame->function->ir->insts.items[access->inst].block;
  ExprRef result = 0;
  for (uint32_t i = targets->count; i-- > 0;) {
    const HostTarget *target = &targets->items[i];
    if (!target->leaf) continue; // nobody reads through null
    HostCell cell = {target->leaf, target->offset, access->bytes, access->kind};
    (void)host_object_of(scan, cell.base);
    scan->reader.base = cell.base;
    scan->reader.offset = cell.offset;
    ExprRef value = access->is_at_end ? host_cell_at_end(scan, access->frame, block, access->next, cell)
                                      : cell_before(scan, access->frame, block, access->inst, cell);
    result = result ? expr_ite(scan->pool, target->condition, value, result) : value;
  }
  return result;
}

ExprRef host_load(HostScan *scan, HostAccess access) {
  ASSERT(host_function_has_inst(access.frame->function, access.inst));
  ASSERT(host_has_word(scan, access.address, 64));
  HostTargets targets = {0};
  if (!host_is_cell_size(access.bytes)) {
    access.bytes = 8;
    return unknown_read(scan, &access);
  }
  const HostFrame *outer_frame = scan->name_frame;
  uint32_t outer_steps = scan->read_steps;
  if (scan->reads++ == 0) scan->read_steps = 0;
  IrRef outer = scan->namer, outer_named = scan->named;
  HostReader outer_reader = scan->reader;
  scan->reader = (HostReader){.address = access.namer ? access.namer : access.origin};
  scan->reader.behind = access.namer ? 0 : access.behind;
  scan->reader.function = scan->reader.address ? access.frame->function : NULL;
  // Names inside the library are worse than that of the user's load that led there.
  if (access.namer && !(outer_frame && host_is_library(access.frame->function->ir->display))) {
    scan->name_frame = access.frame;
    scan->namer = access.namer;
    scan->named = access.is_whole ? IR_REF(IR_REF_INST, access.inst) : 0;
  }
  ExprRef value = host_targets(scan, access.address, &targets) ? read_targets(scan, &access, &targets) : 0;
  if (!value) value = unknown_read(scan, &access);
  if (--scan->reads > 0 && scan->read_steps < outer_steps) scan->read_steps = outer_steps;
  scan->name_frame = outer_frame;
  scan->namer = outer;
  scan->named = outer_named;
  scan->reader = outer_reader;
  return value;
}
