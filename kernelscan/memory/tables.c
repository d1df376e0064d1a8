// What does a variable of the kernel's file hold from the start: pointers (`T *const table[2] = {a, b}`, and
// structs that are initialised with addresses), and numbers of small tables? Method: the initial data, as the
// front end read it; at an offset that is not known, a choice between all pointers in it, or null where none lies, or all words at
// multiples of their width (of a load inside the variable, A7, and aligned). Soundness: exact for variables
// that are constant in the program. One that the host or a kernel may change, or whose data is not known, is
// not read: its pointers may be the addresses of variables with names, so they are not taken for pointers
// from elsewhere (A8).
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/memory/memory.h"

enum {
  POINTER_LIMIT = 8,
  WORD_LIMIT = 32,
  DATA_LIMIT = 1 << 20 /* larger ones come without their data, which is zero for all but tables */
};

static const IrGlobal *global_of(const Scan *scan, uint32_t object) {
  const Obj *info = &scan->objects.items[object];
  return info->kind == OBJ_GLOBAL ? &scan->module->globals.items[info->index] : NULL;
}

TableKind table_kind(const Scan *scan, uint32_t object) {
  ASSERT(scan_has_object(scan, object));
  const IrGlobal *global = global_of(scan, object);
  if (!global) return TABLE_NONE;
  bool holds_pointers = global->addresses.count > 0;
  if (global->is_constant && global->data) return holds_pointers ? TABLE_KNOWN : TABLE_NONE;
  bool is_unknown = !global->data && !global->is_external && global->bytes <= DATA_LIMIT;
  return holds_pointers || is_unknown ? TABLE_UNKNOWN : TABLE_NONE;
}

static Target pointee(Scan *scan, const IrAddress *address) {
  Target target = object_of_global(scan, ir_ref_index(address->target)).targets[0];
  target.offset = expr_const(scan->pool, 64, address->offset);
  return target;
}

static ExprRef but_not(Scan *scan, ExprRef holds, ExprRef offset, uint64_t at) {
  ExprRef place = expr_const(scan->pool, 64, (int64_t)at);
  return expr_and(scan->pool, holds, expr_ne(scan->pool, offset, place));
}

// Null lies where neither an address lies nor a number. false: many numbers.
static bool null_elsewhere(Scan *scan, const IrGlobal *global, ExprRef offset, Target *target) {
  ExprRef holds = expr_bool(scan->pool, true);
  uint32_t numbers = 0;
  for (uint32_t i = 0; i < global->addresses.count; i++)
    holds = but_not(scan, holds, offset, global->addresses.items[i].at);
  for (uint64_t at = 0; at + 8 <= global->bytes; at += 8) {
    bool is_number = false;
    for (uint64_t i = at; i < at + 8; i++)
      is_number |= global->data[i] != 0;
    for (uint32_t i = 0; is_number && i < global->addresses.count; i++)
      is_number = global->addresses.items[i].at >= at + 8 || at >= global->addresses.items[i].at + 8;
    if (is_number && ++numbers > WORD_LIMIT) return false;
    if (is_number) holds = but_not(scan, holds, offset, at);
  }
  ExprRef zero = expr_const(scan->pool, 64, 0);
  *target = (Target){holds, object_find(scan, OBJ_NULL, 0, "a null pointer"), 0, zero};
  return true;
}

SymValue table_pointer(Scan *scan, const Target *slot) {
  ASSERT(scan_has_object(scan, slot->object) && table_kind(scan, slot->object) == TABLE_KNOWN);
  const IrGlobal *global = global_of(scan, slot->object);
  int64_t at = 0;
  bool is_exact = expr_is_const(scan->pool, slot->offset, &at);
  Target *targets = arena_array(scan->arena, POINTER_LIMIT + 1, Target);
  uint32_t count = 0;
  for (uint32_t i = 0; i < global->addresses.count; i++) {
    const IrAddress *address = &global->addresses.items[i];
    if (is_exact && address->at != (uint64_t)at) continue;
    if (ir_ref_kind(address->target) != IR_REF_GLOBAL || count == POINTER_LIMIT) return sym_value_opaque();
    targets[count] = pointee(scan, address);
    if (!is_exact)
      targets[count].condition =
          expr_eq(scan->pool, slot->offset, expr_const(scan->pool, 64, (int64_t)address->at));
    count++;
  }
  if (!count) return sym_value_opaque();
  if (!is_exact && !null_elsewhere(scan, global, slot->offset, &targets[count++])) return sym_value_opaque();
  return (SymValue){.kind = SYM_POINTER, .target_count = count, .targets = targets};
}

bool table_each(Scan *scan, uint32_t object, void (*visit)(void *context, uint32_t pointee), void *context) {
  ASSERT(scan_has_object(scan, object));
  const IrGlobal *global = global_of(scan, object);
  for (uint32_t i = 0; i < global->addresses.count; i++) {
    const IrAddress *address = &global->addresses.items[i];
    if (ir_ref_kind(address->target) != IR_REF_GLOBAL) return false;
    visit(context, object_of_global(scan, ir_ref_index(address->target)).targets[0].object);
  }
  return true;
}

// ---- what the host has put there
const LaunchHeld *table_held_in(const Scan *scan, uint32_t object) {
  ASSERT(scan_has_object(scan, object));
  const Obj *info = &scan->objects.items[object];
  const IrGlobal *global = global_of(scan, object);
  for (uint32_t i = 0; i < scan->launch->held.count; i++) {
    const LaunchHeld *held = &scan->launch->held.items[i];
    const LaunchObject *at = &scan->launch->objects.items[held->object];
    const char *name = !held->object ? held->global : at->kind == OBJECT_GLOBAL ? at->name : NULL;
    if (held->parameter && info->kind == OBJ_PARAM && info->index == held->parameter - 1) return held;
    bool is_named = !held->parameter && name && global && strcmp(global->name, name) == 0;
    if (is_named || (held->object && info->kind == OBJ_LAUNCH && info->index == held->object)) return held;
  }
  return NULL;
}

ExprRef table_at_element(const Scan *scan, ExprRef symbol, ExprRef said, ExprRef offset) {
  ASSERT(scan_has_expr(scan, symbol));
  ASSERT(scan_has_expr(scan, said));
  ASSERT(scan_has_word(scan, offset, 64));
  return expr_replace(scan->pool, said, &symbol, &offset, 1);
}

// Who may have put others there. What a launch that is seen passes by value is never from elsewhere.
static const char *untold_by(const Scan *scan, uint32_t object, const LaunchHeld *held) {
  if (held) return held->untold;
  bool is_passed = scan->objects.items[object].kind == OBJ_PARAM && !scan->launch->is_any;
  return is_passed ? "code before the launch" : NULL;
}

SymValue table_held(Scan *scan, const Target *slot, Target elsewhere) {
  ASSERT(scan_has_object(scan, slot->object) && scan_has_object(scan, elsewhere.object));
  const LaunchHeld *held = table_held_in(scan, slot->object);
  if (untold_by(scan, slot->object, held)) return sym_value_opaque();
  if (!held) {
    scan->objects.items[elsewhere.object].is_met = true;
    return value_target(scan, elsewhere);
  }
  Target *targets = arena_array(scan->arena, held->pointer.target_count, Target);
  uint32_t count = 0;
  for (uint32_t i = 0; i < held->pointer.target_count; i++) {
    const PointerTarget *from = &held->pointer.targets[i];
    Target target = elsewhere;
    bool is_known = from->object != 0;
    if (is_known)
      target = (Target){0, object_of_launch(scan, from->object), 0,
                        table_at_element(scan, held->element, from->offset, slot->offset)};
    target.condition =
        from->condition ? table_at_element(scan, held->element, from->condition, slot->offset) : 0;
    if (target.condition && expr_is_false(scan->pool, target.condition)) continue;
    if (target.condition && expr_is_true(scan->pool, target.condition)) target.condition = 0;
    scan->objects.items[target.object].is_met |= !is_known;
    targets[count++] = target;
  }
  return (SymValue){.kind = SYM_POINTER, .target_count = count, .targets = targets};
}

const char *table_each_held(Scan *scan, uint32_t object, void (*visit)(void *context, uint32_t pointee),
                            void *context) {
  ASSERT(scan_has_object(scan, object));
  const LaunchHeld *held = table_held_in(scan, object);
  for (uint32_t i = 0; held && i < held->pointer.target_count; i++)
    if (held->pointer.targets[i].object)
      visit(context, object_of_launch(scan, held->pointer.targets[i].object));
  return untold_by(scan, object, held);
}

// ---- words
static bool word_at(const IrGlobal *global, uint64_t at, uint32_t bytes, int64_t *word) {
  for (uint32_t i = 0; i < global->addresses.count; i++)
    if (global->addresses.items[i].at < at + bytes && at < global->addresses.items[i].at + 8) return false;
  uint64_t bits = 0;
  for (uint32_t i = 0; i < bytes; i++)
    bits |= (uint64_t)global->data[at + i] << (8 * i);
  unsigned unused = 64 - 8 * bytes;
  *word = (int64_t)(bits << unused) >> unused;
  return true;
}

ExprRef table_word(Scan *scan, const Target *place, uint32_t bytes) {
  ASSERT(scan_has_object(scan, place->object) && scan_has_word(scan, place->offset, 64));
  const IrGlobal *global = global_of(scan, place->object);
  if (!global || !global->is_constant || !global->data || bytes > 8 || global->bytes < bytes) return 0;
  ExprPool *pool = scan->pool;
  uint8_t width = (uint8_t)(8 * bytes);
  int64_t at = 0, word = 0;
  if (expr_is_const(pool, place->offset, &at)) {
    bool is_inside = at >= 0 && (uint64_t)at <= global->bytes - bytes;
    return is_inside && word_at(global, (uint64_t)at, bytes, &word) ? expr_const(pool, width, word) : 0;
  }
  if (global->bytes / bytes > WORD_LIMIT) return 0;
  ExprRef value = 0;
  for (uint64_t i = global->bytes / bytes; i-- > 0;) {
    if (!word_at(global, i * bytes, bytes, &word)) return 0;
    ExprRef here = expr_const(pool, width, word);
    ExprRef is_here = expr_eq(pool, place->offset, expr_const(pool, 64, (int64_t)(i * bytes)));
    value = value ? expr_ite(pool, is_here, here, value) : here;
  }
  return value;
}
