// What may a pointer point to, and which of those things does the kernel write?
// Method: flow-insensitive walk from addresses to their bases through pointer arithmetic, selects and phis.
// Soundness: over-approximates the set of objects; an address without a known base counts as able to write
// everything. Pointers read from memory name an object of their own for each slot they were read from
// (assumption A8).
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/memory/memory.h"
#include "kernelscan/operations.h"

SymValue sym_value_word(ExprRef word) {
  return (SymValue){.kind = word ? SYM_WORD : SYM_OPAQUE, .word = word};
}
SymValue sym_value_opaque(void) {
  return (SymValue){.kind = SYM_OPAQUE};
}

SymValue value_target(Scan *scan, Target target) {
  Target *targets = arena_copy(scan->arena, &target, sizeof target);
  return (SymValue){.kind = SYM_POINTER, .target_count = 1, .targets = targets};
}

enum { DYNAMIC_SHARED = 0x0fffffff }; // all extern __shared__ names are one object

uint32_t object_find(Scan *scan, ObjKind kind, uint32_t index, const char *name) {
  ASSERT(kind != OBJ_NONE);
  ASSERT((kind != OBJ_LOCAL && kind != OBJ_HEAP) || scan_has_inst(scan, index));
  ASSERT((kind != OBJ_GLOBAL && kind != OBJ_SHARED) || index == DYNAMIC_SHARED ||
         index < scan->module->globals.count);
  if (!scan->objects.count) vec_push(scan->arena, &scan->objects, (Obj){0});
  for (uint32_t i = 1; i < scan->objects.count; i++)
    if (scan->objects.items[i].kind == kind && scan->objects.items[i].index == index) return i;
  vec_push(scan->arena, &scan->objects, (Obj){.kind = kind, .index = index, .name = name ? name : "memory"});
  return scan->objects.count - 1;
}

SymValue object_of_global(Scan *scan, uint32_t global) {
  ASSERT(global < scan->module->globals.count);
  const IrGlobal *info = &scan->module->globals.items[global];
  bool is_shared = info->space == IR_SPACE_SHARED;
  uint32_t index = info->is_dynamic_shared ? DYNAMIC_SHARED : global;
  uint32_t object = object_find(scan, is_shared ? OBJ_SHARED : OBJ_GLOBAL, index, info->display);
  return value_target(scan, (Target){0, object, 0, expr_const(scan->pool, 64, 0)});
}

// A __device__ variable whose address the host passes is the same object as the variable.
uint32_t object_of_launch(Scan *scan, uint32_t index) {
  ASSERT(index < scan->launch->objects.count);
  const LaunchObject *info = &scan->launch->objects.items[index];
  if (info->kind == OBJECT_GLOBAL) {
    for (uint32_t g = 0; g < scan->module->globals.count; g++)
      if (strcmp(scan->module->globals.items[g].name, info->name) == 0)
        return object_find(scan, OBJ_GLOBAL, g, scan->module->globals.items[g].display);
  }
  if (info->kind == OBJECT_NULL) return object_find(scan, OBJ_NULL, 0, "a null pointer");
  uint32_t object = object_find(scan, OBJ_LAUNCH, index, info->name);
  scan->objects.items[object].is_unknown_origin = info->kind == OBJECT_UNKNOWN;
  return object;
}

static SymValue value_of_piece(Scan *scan, const ArgPiece *piece, IrType type) {
  if (!piece->target_count) {
    if (!piece->word || type.kind == IR_PTR) return sym_value_opaque();
    uint8_t width = symeval_width(type);
    return width == expr_width(scan->pool, piece->word) ? sym_value_word(piece->word) : sym_value_opaque();
  }
  if (type.kind != IR_PTR) return sym_value_opaque();
  Target *targets = arena_array(scan->arena, piece->target_count, Target);
  for (uint32_t i = 0; i < piece->target_count; i++) {
    const PointerTarget *from = &piece->targets[i];
    targets[i] = (Target){from->condition, object_of_launch(scan, from->object), 0, from->offset};
  }
  return (SymValue){.kind = SYM_POINTER, .target_count = piece->target_count, .targets = targets};
}

SymValue object_param_piece(Scan *scan, uint32_t param, int64_t offset, IrType type) {
  ASSERT(param < scan->fn->params.count && offset >= 0);
  if (param >= scan->launch->args.count) return sym_value_opaque();
  const LaunchArg *arg = &scan->launch->args.items[param];
  for (uint32_t i = 0; i < arg->pieces.count; i++) {
    const ArgPiece *piece = &arg->pieces.items[i];
    if (piece->offset == offset && piece->bytes == type.bytes) return value_of_piece(scan, piece, type);
  }
  return sym_value_opaque();
}

SymValue object_of_param(Scan *scan, uint32_t param) {
  ASSERT(param < scan->fn->params.count);
  const IrParam *info = &scan->fn->params.items[param];
  if (info->byval_bytes) {
    uint32_t object = object_find(scan, OBJ_PARAM, param, info->name);
    return value_target(scan, (Target){0, object, 0, expr_const(scan->pool, 64, 0)});
  }
  SymValue value = object_param_piece(scan, param, 0, info->type);
  // In the kernel's text the object goes by the parameter's name; the first one stands for all.
  for (uint32_t i = 0; i < value.target_count; i++) {
    Obj *object = &scan->objects.items[value.targets[i].object];
    if (object->kind != OBJ_LAUNCH || object->is_named) continue;
    object->is_named = true;
    if (value.target_count == 1 && info->name && info->name[0]) object->name = info->name;
  }
  return value;
}

// What the hardware, or the allocation, gives at the least.
enum { COMMON_ALIGN = 16 };
int64_t object_alignment(const Scan *scan, uint32_t object) {
  ASSERT(scan_has_object(scan, object));
  const Obj *info = &scan->objects.items[object];
  if (info->kind == OBJ_LAUNCH)
    return scan->launch->objects.items[info->index].kind == OBJECT_ALLOCATION ? COMMON_ALIGN : 1;
  if (info->kind != OBJ_GLOBAL && info->kind != OBJ_SHARED) return 1;
  if (info->index == DYNAMIC_SHARED) return COMMON_ALIGN;
  uint32_t align = scan->module->globals.items[info->index].align;
  return align ? align : 1;
}

// The front end copies parameters that a kernel may write, so nothing writes to one that is passed as a whole.
bool object_is_in_parameter(const Scan *scan, IrRef address) {
  ASSERT(scan_has_ref(scan, address));
  IrRef base = object_address_base(scan, address);
  return ir_ref_kind(base) == IR_REF_PARAM && scan->fn->params.items[ir_ref_index(base)].byval_bytes > 0;
}

IrRef object_address_base(const Scan *scan, IrRef address) {
  ASSERT(scan_has_ref(scan, address));
  return ir_address_base(scan->fn, address);
}

// ---- what is written
typedef struct BaseWalk {
  Scan *scan;
  uint32_t *seen; // by instruction: number of the walk that was there last
  uint32_t number;
  VEC(uint32_t) objects;
  bool is_complete;
} BaseWalk;

static void walk_base(BaseWalk *walk, IrRef ref);

static void add_targets(BaseWalk *walk, SymValue value) {
  if (value.kind != SYM_POINTER) walk->is_complete = false;
  for (uint32_t i = 0; i < value.target_count; i++)
    vec_push(walk->scan->arena, &walk->objects, value.targets[i].object);
}

static void add_object(void *context, uint32_t object) {
  BaseWalk *walk = context;
  vec_push(walk->scan->arena, &walk->objects, object);
}

// Pointers that the kernel itself has put into its own or into shared memory, or into what it allocated.
static void walk_kept(BaseWalk *walk, uint32_t slot) {
  const Scan *scan = walk->scan;
  Obj kept = scan->objects.items[slot], *object = &kept;
  bool is_heap = object->kind == OBJ_HEAP;
  if (object->kind != OBJ_LOCAL && object->kind != OBJ_SHARED && !is_heap) return;
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    const IrInst *inst = &scan->fn->insts.items[i];
    if (is_heap && ir_inst_is(inst, IR_COPIES)) walk->is_complete = false;
    if (inst->op != IR_STORE || ir_ref_type(scan->module, scan->fn, inst->ops[1]).kind != IR_PTR) continue;
    IrRef base = object_address_base(scan, inst->ops[0]);
    bool is_own = object->kind == OBJ_LOCAL && base == IR_REF(IR_REF_INST, object->index);
    bool is_shared = object->kind == OBJ_SHARED && ir_ref_kind(base) == IR_REF_GLOBAL;
    if (is_own || is_shared || is_heap) walk_base(walk, inst->ops[1]);
  }
}

// Pointers that lie in memory when the kernel starts: those that are known, and one from elsewhere for the slot.
static void walk_held(BaseWalk *walk, const IrInst *load, uint32_t slot) {
  Scan *scan = walk->scan;
  const char *untold = table_each_held(scan, slot, add_object, walk);
  if (untold) {
    walk->is_complete = false;
    scan_undecided(scan, load->loc, "pointers in '%s' are put there by %s, which is not followed",
                   scan->objects.items[slot].name, untold);
  }
  vec_push(scan->arena, &walk->objects, object_find(scan, OBJ_LOADED, slot, scan->objects.items[slot].name));
  scan->objects.items[vec_last(&walk->objects)].slot_object = slot;
}

// Any pointer in a parameter struct, and what else lies there where the place is computed.
static void walk_parameter(BaseWalk *walk, const IrInst *load, uint32_t slot) {
  const Scan *scan = walk->scan;
  uint32_t param = scan->objects.items[slot].index;
  int64_t offset = 0;
  if (param >= scan->launch->args.count) {
    walk->is_complete = false;
    return;
  }
  const LaunchArg *arg = &scan->launch->args.items[param];
  for (uint32_t p = 0; p < arg->pieces.count; p++)
    if (arg->pieces.items[p].target_count)
      add_targets(walk, value_of_piece(walk->scan, &arg->pieces.items[p], ir_type_ptr(0)));
  if (ir_ref_kind(ir_fixed_base(scan->fn, load->ops[0], &offset)) != IR_REF_PARAM)
    walk_held(walk, load, slot);
}

// A pointer that was loaded: from a parameter struct, from memory the pointees of that memory.
static void walk_loaded(BaseWalk *walk, const IrInst *load) {
  Scan *scan = walk->scan;
  BaseWalk slots = {.scan = scan, .seen = walk->seen, .number = walk->number, .is_complete = true};
  walk_base(&slots, load->ops[0]);
  walk->is_complete &= slots.is_complete;
  for (uint32_t i = 0; i < slots.objects.count; i++) {
    uint32_t slot = slots.objects.items[i];
    TableKind table = table_kind(scan, slot);
    if (table != TABLE_NONE) {
      walk->is_complete &= table == TABLE_KNOWN && table_each(scan, slot, add_object, walk);
      continue;
    }
    walk_kept(walk, slot);
    if (scan->objects.items[slot].kind == OBJ_PARAM)
      walk_parameter(walk, load, slot);
    else
      walk_held(walk, load, slot);
  }
}

// The pointer that a number was made from (addresses.c); false: none is seen.
static bool walk_number(BaseWalk *walk, IrRef ref, int depth) {
  const IrInst *inst = ir_inst(walk->scan->fn, ref);
  if (!inst || depth == 0) return false;
  if (inst->op == IR_PTRTOINT) {
    walk_base(walk, inst->ops[0]);
    return true;
  }
  if (inst->op == IR_SUB || inst->op == IR_AND) return walk_number(walk, inst->ops[0], depth - 1);
  if (inst->op != IR_ADD) return false;
  bool is_left = walk_number(walk, inst->ops[0], depth - 1);
  return walk_number(walk, inst->ops[1], depth - 1) || is_left;
}

enum { NUMBER_DEPTH = 8 };

static void walk_base(BaseWalk *walk, IrRef ref) {
  Scan *scan = walk->scan;
  if (ir_ref_kind(ref) == IR_REF_PARAM) return add_targets(walk, object_of_param(scan, ir_ref_index(ref)));
  if (ir_ref_kind(ref) == IR_REF_GLOBAL) return add_targets(walk, object_of_global(scan, ir_ref_index(ref)));
  if (ir_ref_kind(ref) == IR_REF_CONST) return; // null: an access through it is no race
  const IrInst *inst = ir_inst(scan->fn, ref);
  if (!inst) {
    walk->is_complete = false;
    return;
  }
  if (walk->seen[ir_ref_index(ref)] == walk->number) return;
  walk->seen[ir_ref_index(ref)] = walk->number;
  if (ir_inst_is(inst, IR_SAME_OBJECT)) return walk_base(walk, inst->ops[0]);
  if (inst->op == IR_SELECT) {
    walk_base(walk, inst->ops[1]);
    return walk_base(walk, inst->ops[2]);
  }
  if (inst->op == IR_PHI) {
    for (uint32_t i = 0; i < inst->op_count; i++)
      walk_base(walk, inst->ops[i]);
    return;
  }
  if (inst->op == IR_ALLOCA) {
    vec_push(scan->arena, &walk->objects, object_find(scan, OBJ_LOCAL, ir_ref_index(ref), inst->name));
    return;
  }
  if (allocations_is_allocation(scan, inst)) {
    vec_push(scan->arena, &walk->objects, allocations_object(scan, ir_ref_index(ref)));
    return;
  }
  if (inst->op == IR_LOAD) return walk_loaded(walk, inst);
  if (inst->op == IR_INTTOPTR && walk_number(walk, inst->ops[0], NUMBER_DEPTH)) return;
  walk->is_complete = false;
}

// What is kept of a scan.
typedef struct Kept {
  const Reach **read_by; // by instruction, for loads
} Kept;

static Kept *kept_of(const Scan *scan) {
  return SCAN_STATE_OF(scan, points_to, Kept);
}

const Reach *objects_read_by(const Scan *scan, uint32_t load) {
  BUG_UNLESS(load < scan->fn->insts.count);
  return kept_of(scan)->read_by[load];
}

void objects_mark_written(Scan *scan) {
  ASSERT(scan->points.count && !scan->reaches); // after scan_collect, once
  object_find(scan, OBJ_NULL, 0, "a null pointer");
  bool writes_anything = scan->has_opaque;
  uint32_t *seen = arena_array(scan->arena, scan->fn->insts.count + 1, uint32_t);
  scan->reaches = arena_array(scan->arena, scan->accesses.count + 1, Reach);
  const Reach **read_by = arena_array(scan->arena, scan->fn->insts.count + 1, const Reach *);
  kept_of(scan)->read_by = read_by;
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *access = &scan->accesses.items[a];
    const IrInst *inst = &scan->fn->insts.items[access->inst];
    BaseWalk walk = {.scan = scan, .seen = seen, .number = a + 1, .is_complete = true};
    walk_base(&walk, access->address);
    scan->reaches[a] = (Reach){walk.objects.count, walk.objects.items, walk.is_complete};
    if (inst->op == IR_LOAD) read_by[access->inst] = &scan->reaches[a];
    for (uint32_t i = 0; i < walk.objects.count; i++) {
      Obj *object = &scan->objects.items[walk.objects.items[i]];
      allocations_check_access(scan, access, walk.objects.items[i]);
      if (access->kind != ACCESS_READ) object->is_written = true;
      object->gets_pointers |=
          access->kind != ACCESS_READ && ir_may_write_address(scan->module, scan->fn, inst);
      if (access->kind != ACCESS_READ &&
          object->kind == OBJ_PARAM) // what is read there is what the launch gave
        scan_undecided(scan, inst->loc, "writes '%s', which the kernel is given by value", object->name);
      if (inst->order != IR_ORDER_PLAIN) object->is_volatile = true;
    }
    if (!walk.is_complete && access->kind != ACCESS_READ) writes_anything = true;
  }
  if (!writes_anything) return;
  // Objects that appear later are marked by object_is_readonly through has_opaque.
  scan->has_opaque = true;
}

bool object_is_readonly(const Scan *scan, uint32_t object) {
  ASSERT(scan_has_object(scan, object));
  const Obj *info = &scan->objects.items[object];
  if (info->kind == OBJ_PARAM) return true;
  if (info->kind == OBJ_GLOBAL) {
    const IrGlobal *global = &scan->module->globals.items[info->index];
    if (global->is_constant || global->space == IR_SPACE_CONSTANT) return true;
  }
  if (info->kind == OBJ_LOCAL || info->kind == OBJ_SHARED || info->kind == OBJ_HEAP) return false;
  return !scan->has_opaque && !info->is_written && !info->is_volatile;
}

bool object_is_readonly_at(const Scan *scan, uint32_t load) {
  ASSERT(scan_has_inst(scan, load));
  const Reach *reach = objects_read_by(scan, load);
  if (!reach || !reach->is_complete) return false;
  for (uint32_t i = 0; i < reach->count; i++)
    if (!object_is_readonly(scan, reach->objects[i])) return false;
  return true;
}

bool object_keeps_pointers(const Scan *scan, uint32_t object) {
  ASSERT(scan_has_object(scan, object));
  const Obj *info = &scan->objects.items[object];
  bool is_given = info->kind == OBJ_LAUNCH || info->kind == OBJ_GLOBAL || info->kind == OBJ_LOADED;
  return object_is_readonly(scan, object) ||
         (is_given && !scan->has_opaque && !info->gets_pointers && !info->is_volatile);
}

bool access_may_touch(const Scan *scan, uint32_t access, uint32_t object) {
  ASSERT(access < scan->accesses.count);
  ASSERT(scan_has_object(scan, object));
  const Reach *reach = &scan->reaches[access];
  for (uint32_t i = 0; i < reach->count; i++)
    if (reach->objects[i] == object) return true;
  return !reach->is_complete;
}

static bool find_bytes(const Scan *scan, const Access *access, int64_t *bytes) {
  *bytes = access->bytes;
  return access->bytes || (ir_const_value(scan->fn, access->length, bytes) && *bytes >= 0);
}

bool access_is_apart(const Scan *scan, const Access *one, const Access *two) {
  ASSERT(scan_has_access(scan, one));
  ASSERT(scan_has_access(scan, two));
  int64_t starts[2] = {0}, bytes[2] = {0}, ends[2] = {0};
  IrRef base = ir_fixed_base(scan->fn, one->address, &starts[0]);
  // The same variable, and so the same place for all who name it: what an instruction gives may change.
  bool is_one =
      ir_ref_kind(base) == IR_REF_GLOBAL && base == ir_fixed_base(scan->fn, two->address, &starts[1]);
  if (!is_one || !find_bytes(scan, one, &bytes[0]) || !find_bytes(scan, two, &bytes[1])) return false;
  for (int i = 0; i < 2; i++)
    if (__builtin_add_overflow(starts[i], bytes[i], &ends[i])) return false;
  return ends[0] <= starts[1] || ends[1] <= starts[0];
}

bool access_is_same_place(const Scan *scan, const Access *one, const Access *two) {
  ASSERT(scan_has_access(scan, one));
  ASSERT(scan_has_access(scan, two));
  int64_t starts[2] = {0};
  IrRef base = ir_fixed_base(scan->fn, one->address, &starts[0]);
  return ir_ref_kind(base) == IR_REF_GLOBAL && base == ir_fixed_base(scan->fn, two->address, &starts[1]) &&
         starts[0] == starts[1];
}
