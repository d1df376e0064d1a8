// What does an instruction that touches memory do? It is reported with its place if the memory is not
// private; the value that comes back is what is known of it. Soundness: what is read from memory that is not
// private is unknown unless the request says that it is known, or it is constant initial data. Atomic
// operations give unknown values. An access outside a private object has no meaning.
// SPDX-License-Identifier: Apache-2.0
#include "core/interp_internal.h"
#include "core/bug.h"

// More than this is not copied cell by cell: the destination becomes unknown.
enum { COPY_LIMIT = 1 << 20 };

typedef enum Reach { REACH_PLACE, REACH_SOMEWHERE, REACH_ANYWHERE, REACH_STOPPED } Reach;

// ---- where
static bool stop_unknown(Interp *run, Value v) {
  return interp_stop(run, v.cause == CAUSE_UNSUPPORTED ? INTERP_UNSUPPORTED : INTERP_NEEDS_MEMORY, v.source);
}

// An unknown place within a private object stops nothing: it is not an access that could race.
static Reach find_place(Interp *run, Value address, Place *place) {
  *place = (Place){address.object, address.word};
  if (address.kind == VALUE_POINTER) return REACH_PLACE;
  if (address.kind == VALUE_WORD) {
    interp_stop(run, address.word == 0 ? INTERP_UNDEFINED : INTERP_UNSUPPORTED, NO_INST);
    return REACH_STOPPED;
  }
  bool is_somewhere = address.kind == VALUE_UNKNOWN && address.has_object;
  if (is_somewhere && memory_is_private(run, address.object)) return REACH_SOMEWHERE;
  if (run->request->passes_unknown_accesses) return is_somewhere ? REACH_SOMEWHERE : REACH_ANYWHERE;
  stop_unknown(run, address);
  return REACH_STOPPED;
}

static bool report(Interp *run, Place place, uint32_t bytes, bool is_write) {
  if (run->team) return bytes == 0 || team_touch(run, place, bytes, is_write);
  if (bytes == 0 || !run->request->access) return true;
  InterpAccess access = {.inst = run->inst,
                         .object = place.object,
                         .offset = place.offset,
                         .bytes = bytes,
                         .barriers_block = run->barriers_block,
                         .barriers_grid = run->barriers_grid,
                         .barriers_warp = run->barriers_warp,
                         .barriers_partial = run->barriers_partial,
                         .after_opaque = run->after_opaque,
                         .is_write = is_write};
  return run->request->access(run->request->context, &access) || interp_stop(run, INTERP_DONE, NO_INST);
}

// Checks a known place and reports it.
static bool touch(Interp *run, Place place, uint32_t bytes, bool is_write) {
  if (!memory_is_private(run, place.object)) return report(run, place, bytes, is_write);
  return memory_in_bounds(run, place.object, place.offset, bytes) ||
         interp_stop(run, INTERP_UNDEFINED, NO_INST);
}

// ---- reading
// The constant variable whose initial data lies there; NULL: none.
static const IrGlobal *constant_at(const Interp *run, Place place, uint32_t bytes) {
  const InterpRequest *request = run->request;
  for (uint32_t i = 0; request->global_objects && i < run->module->globals.count; i++) {
    const IrGlobal *global = &run->module->globals.items[i];
    if (request->global_objects[i] != place.object || !global->is_constant || !global->data) continue;
    bool fits = place.offset >= 0 && (uint64_t)place.offset <= global->bytes &&
                bytes <= global->bytes - (uint64_t)place.offset;
    return fits ? global : NULL;
  }
  return NULL;
}

// Pointers in it are to variables; where only a part of one is read, or it is to a function, nothing is
// known.
static void read_constant(const Interp *run, const IrGlobal *global, uint64_t at, uint32_t bytes, Cell *out) {
  value_given_to_cells((InterpValue){.kind = INTERP_AGGREGATE, .bytes = global->data + at}, bytes, out);
  for (uint32_t i = 0; i < global->addresses.count; i++) {
    const IrAddress *address = &global->addresses.items[i];
    if (address->at + 8 <= at || address->at >= at + bytes) continue;
    bool is_whole = address->at >= at && address->at + 8 <= at + bytes;
    if (!is_whole || ir_ref_kind(address->target) != IR_REF_GLOBAL) {
      value_set_unknown(run, bytes, out);
      return;
    }
    InterpValue pointer = {.kind = INTERP_POINTER,
                           .object = run->request->global_objects[ir_ref_index(address->target)],
                           .word = address->offset};
    value_given_to_cells(pointer, 8, out + (address->at - at));
  }
}

void value_set_unknown(const Interp *run, uint32_t bytes, Cell *out) {
  ASSERT(out);
  for (uint32_t i = 0; i < bytes; i++)
    out[i] = (Cell){.kind = CELL_UNKNOWN, .cause = CAUSE_MEMORY, .object = run->inst};
}

static bool all_written(const Cell *cells, uint32_t bytes, bool *any) {
  uint32_t written = 0;
  for (uint32_t i = 0; i < bytes; i++)
    written += cells[i].kind != CELL_NONE;
  *any = written > 0;
  return written == bytes;
}

// `out` holds what the thread itself wrote.
static void read_outside(Interp *run, Place place, uint32_t bytes, Cell *out) {
  const InterpRequest *request = run->request;
  const IrGlobal *constant = constant_at(run, place, bytes);
  bool any_written = false;
  bool is_own = all_written(out, bytes, &any_written) && request->own_writes_stand;
  InterpValue given = {0};
  if (constant) {
    read_constant(run, constant, (uint64_t)place.offset, bytes, out);
  } else if (any_written) {
    if (!is_own) value_set_unknown(run, bytes, out);
  } else if (request->read && request->read(request->context, place.object, place.offset, bytes, &given) &&
             given.kind != INTERP_UNKNOWN) {
    value_given_to_cells(given, bytes, out);
  } else {
    value_set_unknown(run, bytes, out);
  }
}

static void read_cells(Interp *run, Place place, uint32_t bytes, Cell *out) {
  bool is_private = memory_is_private(run, place.object);
  if (run->team && !is_private) {
    const IrGlobal *constant = constant_at(run, place, bytes);
    if (constant)
      read_constant(run, constant, (uint64_t)place.offset, bytes, out);
    else
      team_read(run, place, bytes, out);
    return;
  }
  memory_read(run, place.object, place.offset, bytes, out);
  if (!is_private) read_outside(run, place, bytes, out);
}

static bool load(Interp *run, const IrInst *inst, const Value *v, Value *out) {
  Place place;
  Reach reach = find_place(run, v[0], &place);
  if (reach == REACH_STOPPED) return false;
  if (reach == REACH_PLACE && !touch(run, place, inst->type.bytes, false)) return false;
  if (reach != REACH_PLACE || inst->type.bytes > COPY_LIMIT) {
    *out = reach == REACH_PLACE ? value_opaque(run, 1, v) : value_poisoned(run, 1, v);
    return true;
  }
  Cell *cells = memory_buffer(run, inst->type.bytes);
  read_cells(run, place, inst->type.bytes, cells);
  *out = value_from_cells(run, cells, inst->type);
  return true;
}

// ---- writing
// A
// write whose extent within an object, or whose object, is not known.
static void write_somewhere(Interp *run, Reach reach, uint32_t object) {
  if (run->team)
    interp_stop(run, INTERP_UNSUPPORTED, NO_INST); // what the others read from now on is not known
  else if (reach == REACH_SOMEWHERE)
    memory_forget(run, object, CAUSE_MEMORY);
  else
    memory_forget_reachable(run, CAUSE_MEMORY);
}

// What is written to memory that others reach, they reach as well.
static void let_escape(Interp *run, uint32_t object, uint32_t bytes, const Cell *cells) {
  if (memory_is_private(run, object)) return;
  for (uint32_t i = 0; i < bytes; i++)
    if (cells[i].kind == CELL_POINTER) value_lose(run, value_pointer(cells[i].object, 0));
}

static void write_cells(Interp *run, Place place, uint32_t bytes, const Cell *cells) {
  let_escape(run, place.object, bytes, cells);
  if (run->team && !memory_is_private(run, place.object))
    team_write(run, place, bytes, cells);
  else
    memory_write(run, place.object, place.offset, bytes, cells);
}

static bool store(Interp *run, const IrInst *inst, const Value *v) {
  uint32_t bytes = ir_ref_type(run->module, run->function, inst->ops[1]).bytes;
  Place place;
  Reach reach = find_place(run, v[0], &place);
  if (reach == REACH_STOPPED) return false;
  if (reach == REACH_PLACE && !touch(run, place, bytes, true)) return false;
  if (reach != REACH_PLACE || bytes > COPY_LIMIT) {
    value_lose(run, v[1]);
    write_somewhere(run, reach == REACH_PLACE ? REACH_SOMEWHERE : reach, place.object);
    return true;
  }
  Cell *cells = memory_buffer(run, bytes);
  value_to_cells(run, v[1], bytes, cells);
  write_cells(run, place, bytes, cells);
  return true;
}

static bool atomic(Interp *run, const IrInst *inst, const Value *v, Value *out) {
  uint32_t bytes = ir_ref_type(run->module, run->function, inst->ops[1]).bytes;
  Place place;
  Reach reach = find_place(run, v[0], &place);
  if (reach == REACH_STOPPED) return false;
  for (uint32_t i = 1; i < inst->op_count; i++)
    value_lose(run, v[i]);
  *out = value_unknown(run, CAUSE_MEMORY);
  if (reach != REACH_PLACE) {
    write_somewhere(run, reach, place.object);
    return true;
  }
  if (!touch(run, place, bytes, true)) return false;
  if (run->team && !memory_is_private(run, place.object)) {
    *out = team_update(run, place, inst, v);
    return true;
  }
  Cell *cells = memory_buffer(run, bytes);
  value_set_unknown(run, bytes, cells);
  memory_write(run, place.object, place.offset, bytes, cells);
  return true;
}

// ---- blocks of memory
// The length of
// a copy; more than 2^32 bytes are not supported.
static Reach find_length(Interp *run, Value v, uint32_t *bytes) {
  if (v.kind == VALUE_WORD && v.word >= 0 && v.word <= UINT32_MAX) {
    *bytes = (uint32_t)v.word;
    return REACH_PLACE;
  }
  if (v.kind == VALUE_UNKNOWN && run->request->passes_unknown_accesses) return REACH_SOMEWHERE;
  if (v.kind == VALUE_UNKNOWN)
    stop_unknown(run, v);
  else
    interp_stop(run, INTERP_UNSUPPORTED, NO_INST);
  return REACH_STOPPED;
}

// Something of unknown extent, or too long to follow, is written.
static bool write_unfollowed(Interp *run, Value from, Reach reach, Place to) {
  value_lose(run, from);
  write_somewhere(run, reach == REACH_PLACE ? REACH_SOMEWHERE : reach, to.object);
  return true;
}

// What comes out of registers is read nowhere.
static Reach find_source(Interp *run, const IrInst *inst, Value address, Place *from) {
  bool has_source = ir_inst_has_source(run->module, run->function, inst);
  return has_source ? find_place(run, address, from) : REACH_SOMEWHERE;
}

// An asynchronous copy reads and writes at some time up to its wait: what it brings is not known.
static bool copy(Interp *run, const IrInst *inst, const Value *v) {
  Place to, from;
  uint32_t bytes = 0;
  Reach length = find_length(run, v[2], &bytes);
  if (length == REACH_STOPPED) return false;
  if (length == REACH_PLACE && bytes == 0) return true;
  bool is_on_object = ir_inst_is(inst, IR_ASYNC) && inst->op_count > 3 && !run->team;
  if (is_on_object && !interp_object_access(run, interp_operand(run, inst->ops[3]))) return false;
  Reach reach_from = find_source(run, inst, v[1], &from);
  if (reach_from == REACH_STOPPED) return false;
  if (length == REACH_PLACE && reach_from == REACH_PLACE && !touch(run, from, bytes, false)) return false;
  Reach reach_to = find_place(run, v[0], &to);
  if (reach_to == REACH_STOPPED) return false;
  if (length == REACH_PLACE && reach_to == REACH_PLACE && !touch(run, to, bytes, true)) return false;
  bool is_known = length == REACH_PLACE && reach_to == REACH_PLACE && bytes <= COPY_LIMIT;
  if (!is_known) return write_unfollowed(run, v[1], reach_to, to);
  Cell *cells = memory_buffer(run, bytes);
  if (reach_from == REACH_PLACE && inst->op == IR_MEMCPY) {
    read_cells(run, from, bytes, cells);
  } else {
    value_lose(run, v[1]);
    value_set_unknown(run, bytes, cells);
  }
  write_cells(run, to, bytes, cells);
  return true;
}

static bool fill(Interp *run, const Value *v) {
  Place to;
  uint32_t bytes = 0;
  Reach length = find_length(run, v[2], &bytes);
  if (length == REACH_STOPPED) return false;
  if (length == REACH_PLACE && bytes == 0) return true;
  Reach reach = find_place(run, v[0], &to);
  if (reach == REACH_STOPPED) return false;
  if (length == REACH_PLACE && reach == REACH_PLACE && !touch(run, to, bytes, true)) return false;
  if (length != REACH_PLACE || reach != REACH_PLACE || bytes > COPY_LIMIT)
    return write_unfollowed(run, v[1], reach, to);
  Cell *cells = memory_buffer(run, bytes);
  value_to_cells(run, v[1], 1, cells);
  for (uint32_t i = 1; i < bytes; i++)
    cells[i] = cells[0];
  write_cells(run, to, bytes, cells);
  return true;
}

bool interp_object_access(Interp *run, Value address) {
  if (address.kind != VALUE_POINTER || memory_is_private(run, address.object)) return true;
  return report(run, (Place){address.object, address.word}, 8, true);
}

bool interp_access(Interp *run, const IrInst *inst, const Value *v, Value *out) {
  ASSERT(ir_has_inst(run->function, inst));
  ASSERT(v);
  ASSERT(out);
  ASSERT(ir_op_step((IrOp)inst->op) == IR_STEP_ACCESS);
  bool reads = ir_inst_is(inst, IR_READS), writes = ir_inst_is(inst, IR_WRITES);
  if (ir_inst_is(inst, IR_ATOMIC)) return atomic(run, inst, v, out);
  if (ir_inst_is(inst, IR_SPANS)) return reads ? copy(run, inst, v) : fill(run, v);
  if (reads) return load(run, inst, v, out);
  if (writes) return store(run, inst, v);
  *out = value_pointer(memory_add_private(run, inst->imm < 0 ? 0 : (uint64_t)inst->imm), 0); // ALLOCA
  return true;
}
