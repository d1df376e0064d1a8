// Is an allocation held at two places, so that two pointers that are read back from memory may be one? Here and in launch/forks.c one question is
// asked: at how many places can the pointer of one allocation be when the kernel is launched? Two pointers out of memory that is not followed are apart only if each
// was put at one place and the two places differ; all else is an assumption (A2), against which the text speaks, or does not. Places are found here, and what is
// allocated by the function that puts it there; forks.c has what a function is given or has read, and how far apart two are. What copies bytes is looked for in
// launch/copied.c, whether two places are one in launch/one_element.c; launch/arguments.c puts them together.
// Method: each variable that a call of the allocator fills is followed through loads to where it is stored in memory that is no plain variable, by itself or as one of
// those that are chosen from (`c ? a : b`, several fills of the variable). What counts of a place is the member of its class, or the container whose method has given
// the address. Two pointers may be one if some allocation is stored at both their places, by two places of the text or, in one place, by a loop that does not allocate it
// anew; not where the two hang on one condition in opposite ways. An allocation is put away in doubt, as soon as others may read its variable. Likewise of what functions
// that the library calls back, and virtual ones, move from one place to another, perhaps over a third one, by stores or by copies of bytes, where they do not only exchange
// what the places hold; of a place that is not known it is taken to be any.
// What else the program's own functions store at such places is noted: where there is nothing, two pointers stay with A2.
// Soundness: in two ways it is a matter of trust. Functions of the library only hand on what they are given, each pointer once; and places of one kind are told apart from
// those of others by the class and the member, or the container, that the text names. How often an object of a function is copied is asked in launch/copied.c.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/objects/objects.h"
#include "hostscan/objects.h"
#include "core/bug.h"
#include "hostscan/names.h"
#include "hostscan/program.h"
#include "hostscan/terms.h"
#include "hostscan/syntax.h"

#include <string.h>

typedef struct Kept { // a store of what the allocation's variable holds
  const IrFunction *function;
  uint32_t slot; // the variable, an ALLOCA of the function; or the call that gives the allocation
  HostSpot at;
  const SrcLoc *loc;  // the user's own line
  bool is_repeated;   // by a loop that does not allocate
  uint32_t allocated; // instruction that has made it
  uint32_t choice;    // outermost PHI or SELECT that gives it or another one, outside of loops, + 1; 0: none
  uint32_t arm;       // of that
} Kept;

// A pointer that is moved from one place to another, so that it is at both.
typedef struct Moved {
  const HostFunction *by;
  HostSpot from, to;
  const SrcLoc *loc;
} Moved;

typedef VEC(HostSpot) Spots;

struct HostKept {
  VEC(Moved) moved; // by functions that code calls which is not seen
  IndexList
      called; // functions that are handed to one of a library, which may have them called from elsewhere
  VEC(Kept) stores;
  Spots others;   // of stores of other pointers by the program's own functions
  bool has_given; // some of these come from callers or calls, and not from memory
};

// ---- stores
static const IrInst *stripped(const IrFunction *ir, IrRef ref) {
  const IrInst *inst = ir_inst(ir, ref);
  while (inst && inst->op == IR_BITCAST)
    inst = ir_inst(ir, inst->ops[0]);
  return inst;
}

static const IrInst *root_of(const IrFunction *ir, IrRef address) {
  return ir_inst(ir, ir_address_base(ir, address));
}

static uint32_t global_of(const IrFunction *ir, IrRef address) {
  address = ir_address_base(ir, address);
  return ir_ref_kind(address) == IR_REF_GLOBAL ? ir_ref_index(address) + 1 : 0;
}

// `given`: what has given the address, a method or a member that is a pointer.
static uint32_t container_of(const IrFunction *ir, const IrInst *given) {
  const IrInst *object = NULL;
  if (given && given->op == IR_CALL && given->op_count) object = stripped(ir, given->ops[0]);
  if (given && given->op == IR_LOAD) object = root_of(ir, given->ops[0]);
  if (given && given->op == IR_LOAD && object && object->imm <= 8) return 0; // a variable that is a pointer
  return object && object->op == IR_ALLOCA ? (uint32_t)(object - ir->insts.items) + 1 : 0;
}

HostSpot host_spot_of(const IrFunction *ir, const IrInst *access, IrRef address) {
  ASSERT(!access || ir_has_inst(ir, access));
  HostSpot spot = {.function = ir, .owner = access ? access->owner : NULL};
  const IrInst *inst = stripped(ir, address);
  if (spot.owner) spot.offset = access->imm;
  for (int64_t step = 0; !spot.owner && inst && inst->op == IR_PTRADD; inst = stripped(ir, inst->ops[0])) {
    spot.owner = inst->owner;
    if (!ir_const_value(ir, inst->ops[1], &step)) break;
    spot.offset = inst->owner ? spot.offset + inst->imm : spot.offset + step;
  }
  if (!spot.owner) spot.container = container_of(ir, root_of(ir, address));
  if (!spot.owner) spot.global = global_of(ir, address);
  return spot;
}

bool host_same_spot(const HostSpot *a, const HostSpot *b) {
  ASSERT(a->is_any || b->is_any || (a->function && b->function));
  if (a->is_any || b->is_any) return true;
  if (a->offset != b->offset || !a->owner != !b->owner) return false;
  if (a->owner) return strcmp(a->owner, b->owner) == 0;
  if (a->global && b->global) return a->global == b->global;
  return a->container == b->container && (!a->container || a->function == b->function);
}

// Another variable that holds just a pointer is followed by value; this is about objects and containers.
static bool is_plain_variable(const IrFunction *ir, IrRef address) {
  const IrInst *inst = stripped(ir, address);
  return inst && inst->op == IR_ALLOCA && !inst->owner && inst->imm <= 8;
}

static bool same_place(const SrcLoc *a, const SrcLoc *b) {
  if (!a || !b) return a == b;
  return a->line == b->line && a->column == b->column && a->file == b->file;
}

// The line of the store in the text that allocates, however deep in inlined calls it stands.
static const SrcLoc *line_beside(const SrcLoc *store, const SrcLoc *allocation) {
  const SrcLoc *line = store;
  for (const SrcLoc *scope = allocation; scope; scope = scope->inlined_at)
    for (line = store; line; line = line->inlined_at)
      if (same_place(line->inlined_at, scope->inlined_at)) return line;
  return store;
}

static bool loop_has(const Cfg *cfg, uint32_t loop, uint32_t block) {
  return loop != CFG_NONE && cfg_loop_contains(cfg, loop, block);
}

bool host_allocates(HostScan *scan, const IrInst *call) {
  ASSERT(call->op < IR_OP_COUNT);
  HostCallKind kind = call->op == IR_CALL ? host_call(scan, call, NULL)->kind : CALL_QUIET;
  return kind == CALL_ALLOCATE || kind == CALL_ALLOCATE_PITCH;
}

enum { FRESH_DEPTH = 4 };

static uint32_t filled_by(HostScan *scan, const IrFunction *ir, uint32_t slot, uint32_t depth);

// The instruction that has made the allocation which the value is: a call of the allocator, or of a function that returns what it has
// allocated; CFG_NONE: it is none, or may be something else.
static uint32_t made_by(HostScan *scan, const IrFunction *ir, IrRef ref, uint32_t depth) {
  const IrInst *value = stripped(ir, ref);
  HostFunction *callee = NULL;
  if (!value || depth == 0) return CFG_NONE;
  if (value->op == IR_LOAD) {
    const IrInst *slot = stripped(ir, value->ops[0]);
    bool is_slot = slot && slot->op == IR_ALLOCA;
    return is_slot ? filled_by(scan, ir, (uint32_t)(slot - ir->insts.items), depth - 1) : CFG_NONE;
  }
  if (value->op != IR_CALL || host_call(scan, value, &callee)->kind != CALL_DEFINED || !callee)
    return CFG_NONE;
  uint32_t returns = 0;
  for (uint32_t i = 0; i < callee->ir->insts.count; i++) {
    const IrInst *ret = &callee->ir->insts.items[i];
    if (ret->op != IR_RET) continue;
    if (!ret->op_count || made_by(scan, callee->ir, ret->ops[0], depth - 1) == CFG_NONE) return CFG_NONE;
    returns++;
  }
  return returns ? (uint32_t)(value - ir->insts.items) : CFG_NONE;
}

// What all that is put into the variable has made: one instruction.
static uint32_t filled_by(HostScan *scan, const IrFunction *ir, uint32_t slot, uint32_t depth) {
  uint32_t by = CFG_NONE;
  for (uint32_t i = 0; i < ir->insts.count; i++) {
    const IrInst *inst = &ir->insts.items[i], *to = inst->op_count ? stripped(ir, inst->ops[0]) : NULL;
    if (to != &ir->insts.items[slot]) continue;
    bool is_made = host_allocates(scan, inst);
    if (!is_made && inst->op != IR_STORE) continue;
    uint32_t here = is_made ? i : made_by(scan, ir, inst->ops[1], depth);
    if (here == CFG_NONE || (by != CFG_NONE && by != here)) return CFG_NONE;
    by = here;
  }
  return by;
}

// Null, or an address of the host's own memory.
static bool is_of_host(HostScan *scan, const IrFunction *ir, IrRef ref) {
  ref = ir_address_base(ir, ref);
  const IrInst *value = ir_inst(ir, ref);
  if (!value) return ir_ref_kind(ref) == IR_REF_CONST || ir_ref_kind(ref) == IR_REF_GLOBAL;
  if (value->op == IR_ALLOCA) return true;
  HostCallKind kind = value->op == IR_CALL ? host_call(scan, value, NULL)->kind : CALL_QUIET;
  return kind == CALL_NEW || kind == CALL_NEW_ZEROED;
}

// What comes to a function of the library by reference is stored by whoever calls it.
static void look_at_other(HostScan *scan, const IrFunction *ir, const IrInst *store) {
  bool is_pointer = ir_ref_type(scan->module, ir, store->ops[1]).kind == IR_PTR;
  if (!is_pointer || host_is_library(ir->display) || is_of_host(scan, ir, store->ops[1])) return;
  const IrInst *root = root_of(ir, store->ops[1]);
  scan->kept->has_given |= !root || root->op != IR_LOAD || is_plain_variable(ir, root->ops[0]);
  vec_push(scan->arena, &scan->kept->others, host_spot_of(ir, store, store->ops[0]));
}

// What is called from elsewhere, or through a table of virtual functions, is not followed to where its variables are read (elsewhere they are, and hold what is stored last).
static bool is_called_from_elsewhere(const HostKept *kept, const HostFunction *function) {
  bool is_handed = false;
  for (uint32_t i = 0; i < kept->called.count; i++)
    is_handed |= kept->called.items[i] == function->index;
  bool is_virtual = function->ir->is_in_data && !host_is_library(function->ir->display);
  return function->gets_out || function->is_called_unseen || is_handed || is_virtual;
}

static HostSpot spot_or_any(const IrFunction *ir, const IrInst *access, IrRef address) {
  HostSpot spot = host_spot_of(ir, access, address);
  spot.is_any = !spot.owner && !spot.global;
  return spot;
}

static void add_moved(HostScan *scan, const HostFunction *by, HostSpot from, HostSpot to,
                      const IrInst *inst) {
  if ((from.is_any || to.is_any) && host_is_library(by->ir->display)) return;
  vec_push(scan->arena, &scan->kept->moved, ((Moved){by, from, to, ir_loc(scan->module, inst->loc)}));
}

enum { MOVED_DEPTH = 6 };

// Each pointer out of memory that the value may be, or lead from.
static void look_at_moved_value(HostScan *scan, const HostFunction *function, const IrInst *store, IrRef ref,
                                uint32_t depth) {
  const IrFunction *ir = function->ir;
  const IrInst *value = root_of(ir, ref);
  if (!value || depth == 0) return;
  if (value->op == IR_LOAD)
    add_moved(scan, function, spot_or_any(ir, value, value->ops[0]), spot_or_any(ir, store, store->ops[0]),
              store);
  for (uint32_t i = 0; ir_inst_is(value, IR_CHOOSES) && i < value->op_count; i++)
    if (ir_ref_type(scan->module, ir, value->ops[i]).kind == IR_PTR)
      look_at_moved_value(scan, function, store, value->ops[i], depth - 1);
}

static void look_at_moved(HostScan *scan, const HostFunction *function, const IrInst *store) {
  bool is_pointer = ir_ref_type(scan->module, function->ir, store->ops[1]).kind == IR_PTR;
  uint32_t index = (uint32_t)(store - function->ir->insts.items);
  if (is_pointer && is_called_from_elsewhere(scan->kept, function) &&
      !host_is_exchange(scan->module, function->ir, index))
    look_at_moved_value(scan, function, store, store->ops[1], MOVED_DEPTH);
}

// Of several members it is not asked which ones.
static void look_at_copy(HostScan *scan, const HostFunction *function, const IrInst *copy) {
  const IrFunction *ir = function->ir;
  int64_t bytes = 0;
  bool is_one = ir_const_value(ir, copy->ops[2], &bytes) && bytes == 8;
  if (!is_called_from_elsewhere(scan->kept, function) || (bytes > 0 && bytes < 8)) return;
  HostSpot any = {.is_any = true};
  add_moved(scan, function, is_one ? spot_or_any(ir, NULL, copy->ops[1]) : any,
            is_one ? spot_or_any(ir, NULL, copy->ops[0]) : any, copy);
}

typedef struct Source {                  // an allocation that a value may be
  uint32_t slot, allocated, choice, arm; // as in Kept
} Source;

typedef struct Sources {
  HostFunction *function;
  VEC(Source) items;
  VEC(IrRef) seen;
  bool has_others; // it may be something else
} Sources;

enum { SOURCES_LIMIT = 32 };

static void find_sources(HostScan *scan, Sources *sources, IrRef ref, Source so_far);

// What the choice gives by one arm is at no time what another choice gives by another arm, where both hang on one condition.
static Source by_arm(const Sources *sources, const IrInst *choice, uint32_t arm, Source so_far) {
  const Cfg *cfg = sources->function->cfg;
  if (so_far.choice || cfg->loop_of[choice->block] != CFG_NONE) return so_far;
  so_far.choice = (uint32_t)(choice - cfg->function->insts.items) + 1;
  so_far.arm = arm;
  return so_far;
}

// The last instruction of the block that fills the variable, in front of `end`; CFG_NONE: none does.
static uint32_t last_fill(HostScan *scan, const IrFunction *ir, const IrInst *slot, const IrBlock *block,
                          uint32_t end) {
  for (uint32_t i = end; i-- > block->first;) {
    const IrInst *fill = &ir->insts.items[i];
    bool is_fill = fill->op_count && (fill->op == IR_STORE || host_allocates(scan, fill));
    if (is_fill && stripped(ir, fill->ops[0]) == slot) return i;
  }
  return CFG_NONE;
}

// What lies in the variable in front of the load: by the last that fills it, on each way that leads there.
static void find_in_variable(HostScan *scan, Sources *sources, const IrInst *load, Source so_far) {
  const IrFunction *ir = sources->function->ir;
  const Cfg *cfg = sources->function->cfg;
  const IrInst *slot = stripped(ir, load->ops[0]);
  bool *is_seen = arena_array(scan->arena, cfg->block_count, bool), is_filled = false;
  IndexList work = {0};
  so_far.slot = (uint32_t)(slot - ir->insts.items);
  vec_push(scan->arena, &work, load->block);
  for (uint32_t end = (uint32_t)(load - ir->insts.items); work.count; end = CFG_NONE) {
    uint32_t number = work.items[--work.count];
    const IrBlock *block = &ir->blocks.items[number];
    uint32_t fill = last_fill(scan, ir, slot, block, end == CFG_NONE ? block->first + block->count : end);
    is_filled |= fill != CFG_NONE;
    if (fill != CFG_NONE && ir->insts.items[fill].op == IR_STORE) {
      find_sources(scan, sources, ir->insts.items[fill].ops[1], so_far);
    } else if (fill != CFG_NONE) {
      so_far.allocated = fill;
      vec_push(scan->arena, &sources->items, so_far);
    }
    for (uint32_t p = cfg->pred_first[number]; p < cfg->pred_first[number + 1] && fill == CFG_NONE; p++) {
      if (!is_seen[cfg->preds[p]]) vec_push(scan->arena, &work, cfg->preds[p]);
      is_seen[cfg->preds[p]] = true;
    }
  }
  sources->has_others |= !is_filled;
}

// A value that comes by two arms is none of one.
static bool is_known_source(HostScan *scan, Sources *sources, const IrInst *value) {
  IrRef ref = IR_REF(IR_REF_INST, (uint32_t)(value - sources->function->ir->insts.items));
  bool is_known = false;
  for (uint32_t i = 0; i < sources->seen.count; i++)
    is_known |= sources->seen.items[i] == ref;
  for (uint32_t i = 0; is_known && i < sources->items.count; i++)
    sources->items.items[i].choice = 0;
  if (!is_known) vec_push(scan->arena, &sources->seen, ref);
  return is_known;
}

static void find_sources(HostScan *scan, Sources *sources, IrRef ref, Source so_far) {
  const IrFunction *ir = sources->function->ir;
  const IrInst *value = stripped(ir, ref);
  bool is_full = sources->seen.count >= SOURCES_LIMIT;
  sources->has_others |= is_full;
  if (is_full || (value && is_known_source(scan, sources, value))) return;
  if (value && value->op == IR_LOAD && is_plain_variable(ir, value->ops[0])) {
    find_in_variable(scan, sources, value, so_far);
    return;
  }
  uint32_t made = made_by(scan, ir, ref, FRESH_DEPTH);
  if (made != CFG_NONE) {
    so_far.slot = (uint32_t)(value - ir->insts.items);
    so_far.allocated = made;
    vec_push(scan->arena, &sources->items, so_far);
    return;
  }
  bool is_choice = value && ir_inst_is(value, IR_CHOOSES);
  sources->has_others |= !is_choice && !is_of_host(scan, ir, ref);
  for (uint32_t i = 0; is_choice && i < value->op_count; i++)
    if (ir_ref_type(scan->module, ir, value->ops[i]).kind == IR_PTR)
      find_sources(scan, sources, value->ops[i], by_arm(sources, value, i, so_far));
}

static void note_kept(HostScan *scan, const Sources *sources, const IrInst *store, const Source *source) {
  const IrFunction *ir = sources->function->ir;
  const Cfg *cfg = sources->function->cfg;
  const IrInst *allocation = &ir->insts.items[source->allocated];
  uint32_t loop = cfg->loop_of[store->block];
  Kept kept = {.function = ir, .slot = source->slot, .allocated = source->allocated};
  kept.at = host_spot_of(ir, store, store->ops[0]);
  kept.choice = source->choice;
  kept.arm = source->arm;
  kept.loc = line_beside(ir_loc(scan->module, store->loc), ir_loc(scan->module, allocation->loc));
  kept.is_repeated = loop != CFG_NONE && !loop_has(cfg, loop, allocation->block);
  vec_push(scan->arena, &scan->kept->stores, kept);
}

static void look_at_store(HostScan *scan, HostFunction *function, uint32_t index) {
  const IrFunction *ir = function->ir;
  const IrInst *store = &ir->insts.items[index];
  bool is_pointer = ir_ref_type(scan->module, ir, store->ops[1]).kind == IR_PTR;
  if (is_plain_variable(ir, store->ops[0])) return;
  Sources sources = {.function = host_function_open(scan, function)};
  if (is_pointer) find_sources(scan, &sources, store->ops[1], (Source){0});
  for (uint32_t i = 0; i < sources.items.count; i++)
    note_kept(scan, &sources, store, &sources.items.items[i]);
  if (sources.items.count && !sources.has_others) return;
  look_at_other(scan, ir, store);
  look_at_moved(scan, function, store);
}

const HostFunction *host_function_among(HostScan *scan, const IrInst *call) {
  ASSERT(call->op == IR_CALL);
  for (uint32_t i = 0; i < host_argument_count(call); i++)
    if (ir_ref_kind(call->ops[i]) == IR_REF_FUNC) return &scan->functions[ir_ref_index(call->ops[i])];
  return NULL;
}

static void note_called(HostScan *scan, const IrInst *call) {
  HostFunction *callee = NULL;
  const HostFunction *handed = host_function_among(scan, call);
  if (handed && host_call(scan, call, &callee)->kind == CALL_DEFINED && callee &&
      host_is_library(callee->ir->display))
    vec_push(scan->arena, &scan->kept->called, handed->index);
}

enum { VIRTUAL_DEPTH = 16 };

// A virtual function of the library whose text is here is called by what of it is not, with what is put into its object: std::thread runs a
// closure so. It is called from elsewhere, and so is what it calls, which may have been put in line.
static void note_called_by(HostScan *scan, const HostFunction *function, uint32_t depth) {
  vec_push(scan->arena, &scan->kept->called, function->index);
  for (uint32_t i = 0; depth && i < function->ir->insts.count; i++) {
    const IrInst *call = &function->ir->insts.items[i];
    HostFunction *callee = NULL;
    if (call->op != IR_CALL || host_call(scan, call, &callee)->kind != CALL_DEFINED || !callee) continue;
    note_called_by(scan, callee, host_is_library(callee->ir->display) ? depth - 1 : 0);
  }
}

static void look_at_function(HostScan *scan, HostFunction *function) {
  for (uint32_t i = 0; i < function->ir->insts.count; i++) {
    const IrInst *inst = &function->ir->insts.items[i];
    if (inst->op == IR_STORE) look_at_store(scan, function, i);
    if (inst->op == IR_MEMCPY) look_at_copy(scan, function, inst);
  }
}

enum { MOVED_LIMIT = 200 };

// From one place to another one over a third.
static void close_moved(HostScan *scan) {
  for (uint32_t i = 0; i < scan->kept->moved.count; i++)
    for (uint32_t k = 0; k < i && scan->kept->moved.count < MOVED_LIMIT; k++)
      for (int turn = 0; turn < 2; turn++) {
        Moved one = scan->kept->moved.items[turn ? i : k], two = scan->kept->moved.items[turn ? k : i];
        if (one.to.is_any || two.from.is_any || !host_same_spot(&one.to, &two.from)) continue;
        Moved over = {two.by, one.from, two.to, two.loc};
        bool is_known = host_same_spot(&one.from, &two.to);
        for (uint32_t m = 0; m < scan->kept->moved.count && !is_known; m++)
          is_known = host_same_spot(&scan->kept->moved.items[m].from, &over.from) &&
                     host_same_spot(&scan->kept->moved.items[m].to, &over.to);
        if (!is_known) vec_push(scan->arena, &scan->kept->moved, over);
      }
}

static void find_kept(HostScan *scan) {
  scan->kept = arena_new(scan->arena, struct HostKept);
  for (uint32_t f = 0; f < scan->module->functions.count; f++)
    for (uint32_t i = 0; i < scan->functions[f].ir->insts.count; i++)
      if (scan->functions[f].ir->insts.items[i].op == IR_CALL)
        note_called(scan, &scan->functions[f].ir->insts.items[i]);
  for (uint32_t f = 0; f < scan->module->functions.count; f++)
    if (scan->functions[f].ir->is_in_data && host_is_library(scan->functions[f].ir->display))
      note_called_by(scan, &scan->functions[f], VIRTUAL_DEPTH);
  for (uint32_t f = 0; f < scan->module->functions.count; f++)
    if (scan->module->functions.items[f]->blocks.count && !scan->functions[f].is_generated)
      look_at_function(scan, &scan->functions[f]);
  close_moved(scan);
}

// ---- two pointers
// Given by two choices of which one gives it only where the other gives something else.
static bool are_opposed(const Kept *a, const Kept *b) {
  if (!a->choice || !b->choice || a->is_repeated || b->is_repeated || a->arm == b->arm) return false;
  const IrInst *one = &a->function->insts.items[a->choice - 1],
               *other = &b->function->insts.items[b->choice - 1];
  if (one->op != other->op) return false;
  return one->op == IR_PHI ? one->block == other->block : one->ops[0] == other->ops[0];
}

static bool are_two_places(const Kept *a, const Kept *b) {
  if (a->allocated != b->allocated || are_opposed(a, b)) return false;
  return !host_same_spot(&a->at, &b->at) || a->is_repeated || !same_place(a->loc, b->loc);
}

static const IrInst *load_from(const IrFunction *ir, IrRef address) {
  for (uint32_t i = 0; i < ir->insts.count; i++)
    if (ir->insts.items[i].op == IR_LOAD && ir->insts.items[i].ops[0] == address) return &ir->insts.items[i];
  return NULL;
}

// Where the only store, or the only ones of a loop, put what nobody has given a name to.
static bool put_at(HostScan *scan, const HostSym *sym, HostSpot *spot) {
  const HostFunction *function = sym->place_frame->function;
  const IrFunction *ir = function->ir;
  bool is_after = sym->place == 1 + PLACE_AFTER, is_found = false;
  if (!is_after && sym->place != 1 + PLACE_HEADER) return false;
  for (uint32_t i = is_after ? sym->place_index : 0; i < ir->insts.count; i++) {
    const IrInst *store = &ir->insts.items[i];
    bool is_there = is_after || cfg_loop_contains(function->cfg, sym->place_index, store->block);
    if (is_there && store->op == IR_STORE && !store->owner && !is_plain_variable(ir, store->ops[0]) &&
        ir_ref_type(scan->module, ir, store->ops[1]).kind == IR_PTR) {
      HostSpot here = host_spot_of(ir, store, store->ops[0]);
      if (is_found && !host_same_spot(&here, spot)) return false;
      if (!here.owner) *spot = here;
      is_found |= !here.owner;
    }
    if (is_after) break;
  }
  return is_found;
}

bool host_read_back_at(HostScan *scan, ExprRef leaf, HostSpot *spot) {
  ASSERT(host_has_word(scan, leaf, 64) && spot);
  const ExprNode *node = expr_node(scan->pool, leaf);
  const HostObject *object = host_object_of(scan, leaf);
  if (node->op != EXPR_SYM || object->kind != HOST_POINTER || object->is_parameter) return false;
  const HostSym *sym = host_sym(scan, (uint32_t)node->value);
  if (sym->read_by) {
    const IrFunction *ir = sym->frame->function->ir;
    const IrInst *load = &ir->insts.items[sym->read_by - 1];
    if (load->op == IR_LOAD) *spot = host_spot_of(ir, load, load->ops[0]);
    return load->op == IR_LOAD;
  }
  if (sym->place && !sym->cell) return put_at(scan, sym, spot);
  const HostCellInfo *info = sym->cell ? &scan->cell_infos.items[sym->cell] : NULL;
  if (!info || !info->reader) return false;
  *spot = host_spot_of(info->reader->ir, load_from(info->reader->ir, info->address), info->address);
  spot->offset += info->behind;
  return true;
}

static const char *two_places(HostScan *scan, const char *name, const SrcLoc *a, const SrcLoc *b) {
  const char *second = a->line == b->line ? "" : arena_printf(scan->arena, " and %u", b->line);
  return arena_printf(scan->arena, "%s, which is kept at two places (%s:%u%s)", name, a->file ? a->file : "?",
                      a->line, second);
}

// Is the function handed to a call from where control comes to the one that has left the pointer, or to that? In doubt it is.
static bool is_handed_by_then(HostScan *scan, const HostFunction *moving, ExprRef leaf) {
  const HostSym *sym = host_sym(scan, (uint32_t)expr_node(scan->pool, leaf)->value);
  if (sym->place != 1 + PLACE_AFTER) return true;
  HostFunction *function = sym->place_frame->function;
  bool is_handed = false;
  for (uint32_t i = 0; i < function->ir->insts.count; i++) {
    const IrInst *call = &function->ir->insts.items[i];
    if (call->op != IR_CALL || host_function_among(scan, call) != moving) continue;
    is_handed = true;
    if (i == sym->place_index || host_comes_behind(scan, function, &i, 1, sym->place_index)) return true;
  }
  return !is_handed; // elsewhere
}

static const char *moved_between(HostScan *scan, ExprRef leaf, const HostSpot *one, const HostSpot *other) {
  for (uint32_t i = 0; i < scan->kept->moved.count; i++) {
    const Moved *moved = &scan->kept->moved.items[i];
    if (!is_handed_by_then(scan, moved->by, leaf)) continue;
    if ((host_same_spot(&moved->from, one) && host_same_spot(&moved->to, other)) ||
        (host_same_spot(&moved->from, other) && host_same_spot(&moved->to, one)))
      return two_places(scan, "a pointer", moved->loc, moved->loc);
  }
  return NULL;
}

const char *host_kept_twice(HostScan *scan, ExprRef one, ExprRef other) {
  ASSERT(expr_is_of(scan->pool, one));
  ASSERT(expr_is_of(scan->pool, other));
  HostSpot spots[2];
  if (one == other || !host_read_back_at(scan, one, &spots[0]) || !host_read_back_at(scan, other, &spots[1]))
    return NULL;
  if (!scan->kept) find_kept(scan);
  for (uint32_t i = 0; i < scan->kept->stores.count; i++)
    for (uint32_t k = 0; k < scan->kept->stores.count; k++) {
      const Kept *a = &scan->kept->stores.items[i], *b = &scan->kept->stores.items[k];
      if (a->function != b->function || a->slot != b->slot || !host_same_spot(&a->at, &spots[0]) ||
          !host_same_spot(&b->at, &spots[1]) || !are_two_places(a, b))
        continue;
      const char *name = a->function->insts.items[a->slot].name;
      return two_places(scan, name ? arena_printf(scan->arena, "'%s'", name) : "one allocation", a->loc,
                        b->loc);
    }
  return moved_between(scan, one, &spots[0], &spots[1]);
}

// Allocations are stored at such places, and nothing else is by the program's own functions.
static bool is_kept_at(const HostKept *kept, const HostSpot *spot) {
  bool is_kept = false;
  for (uint32_t i = 0; i < kept->others.count; i++)
    if (host_same_spot(&kept->others.items[i], spot)) return false;
  for (uint32_t i = 0; i < kept->stores.count; i++)
    is_kept |= host_same_spot(&kept->stores.items[i].at, spot);
  return is_kept;
}

bool host_is_put_by_others(HostScan *scan, ExprRef leaf) {
  HostSpot spot;
  if (!host_read_back_at(scan, leaf, &spot)) return true;
  if (!scan->kept) find_kept(scan);
  for (uint32_t i = 0; i < scan->kept->others.count; i++)
    if (host_same_spot(&scan->kept->others.items[i], &spot)) return true;
  return false;
}

bool host_are_kept(HostScan *scan, ExprRef one, ExprRef other) {
  ASSERT(host_has_word(scan, one, 64) && host_has_word(scan, other, 64));
  HostSpot spots[2];
  if (!host_read_back_at(scan, one, &spots[0]) || !host_read_back_at(scan, other, &spots[1])) return false;
  if (!scan->kept) find_kept(scan);
  return is_kept_at(scan->kept, &spots[0]) && is_kept_at(scan->kept, &spots[1]);
}

// Its address is written to a variable that holds nothing else.
static bool is_made_for_variable(HostScan *scan, const HostObject *object) {
  const IrFunction *ir = object->frame->function->ir;
  const IrInst *call = &ir->insts.items[object->inst];
  return host_allocates(scan, call) && call->op_count && is_plain_variable(ir, call->ops[0]);
}

enum { VARIABLES_DEPTH = 4 };

// Others may read the variable, or another one that is given what lies in it, or a place behind that: its address is kept, or handed to a
// function that may put away what it finds there.
static bool is_seen_by_others(HostScan *scan, const IrFunction *ir, const IrInst *slot, uint32_t depth) {
  IrRef ref = IR_REF(IR_REF_INST, (uint32_t)(slot - ir->insts.items));
  for (uint32_t i = 0; i < ir->insts.count; i++) {
    const IrInst *inst = &ir->insts.items[i];
    for (uint32_t k = 0; k < inst->op_count; k++) {
      bool is_accessed =
          k == 0 && (inst->op == IR_LOAD || inst->op == IR_STORE || host_allocates(scan, inst));
      if (inst->ops[k] == ref && !is_accessed) return true;
    }
    if (inst->op != IR_STORE || !depth || !is_plain_variable(ir, inst->ops[0])) continue;
    const IrInst *value = root_of(ir, inst->ops[1]);
    bool is_given = value && value->op == IR_LOAD && stripped(ir, value->ops[0]) == slot;
    const IrInst *to = stripped(ir, inst->ops[0]);
    if (is_given && to != slot && is_seen_by_others(scan, ir, to, depth - 1)) return true;
  }
  return false;
}

bool host_is_kept_somewhere(HostScan *scan, ExprRef leaf) {
  ASSERT(host_has_word(scan, leaf, 64));
  const HostObject *object = host_object_of(scan, leaf);
  if (object->kind != HOST_DEVICE || !object->frame || !is_made_for_variable(scan, object)) return true;
  const IrFunction *made = object->frame->function->ir;
  if (is_seen_by_others(scan, made, stripped(made, made->insts.items[object->inst].ops[0]), VARIABLES_DEPTH))
    return true;
  if (!scan->kept) find_kept(scan);
  if (scan->kept->has_given) return true;
  uint32_t inst = object->inst;
  for (const HostFrame *frame = object->frame; frame; inst = frame->call, frame = frame->parent)
    for (uint32_t i = 0; i < scan->kept->stores.count; i++)
      if (scan->kept->stores.items[i].function == frame->function->ir &&
          scan->kept->stores.items[i].allocated == inst)
        return true;
  return false;
}
