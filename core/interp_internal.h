// Shared by the files of the interpreter only: values, byte cells, memory, and the state of one run.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CORE_INTERP_INTERNAL_H
#define HGRD_CORE_INTERP_INTERNAL_H

#include "core/interp.h"
#include "core/table.h"

// Why a value is unknown; when several causes meet, the larger one stands.
typedef enum Cause { CAUSE_MEMORY = 0, CAUSE_UNSUPPORTED } Cause;

#define NO_INST UINT32_MAX

// One byte of memory or of an aggregate.
typedef enum CellKind {
  CELL_NONE = 0, // never written
  CELL_UNKNOWN,
  CELL_BYTE,
  CELL_POINTER // byte number `byte` of the pointer (object, word)
} CellKind;

typedef struct Cell {
  uint8_t kind; // CellKind
  uint8_t byte;
  uint8_t cause;   // UNKNOWN
  uint32_t object; // POINTER; UNKNOWN: the instruction that lost it
  int64_t word;    // POINTER
} Cell;

typedef enum ValueKind {
  VALUE_UNKNOWN = 0,
  VALUE_WORD,    // signed reading; a truth value is 0 or 1; floats: their bits
  VALUE_POINTER, // object, and byte offset in `word`
  VALUE_BYTES    // type.bytes cells; NULL: all zero
} ValueKind;

typedef struct Value {
  uint8_t kind;    // ValueKind
  uint8_t cause;   // UNKNOWN
  bool has_object; // UNKNOWN: a pointer somewhere into `object`
  uint32_t object;
  uint32_t source; // UNKNOWN: the instruction that lost it, NO_INST if none
  int64_t word;
  const Cell *cells;
} Value;

// What is known of an object as a whole. Cells of a page older than `epoch` are unknown.
typedef struct ObjectState {
  uint32_t object;
  bool is_escaped; // private: other code or a pointer of unknown origin may reach it
  uint8_t cause;
  uint32_t source;
  uint32_t epoch;
  int64_t bytes; // private objects: size
} ObjectState;

#define PAGE_CELLS 32
typedef struct Page {
  uint32_t object;
  uint32_t epoch;
  int64_t index;
  Cell cells[PAGE_CELLS];
} Page;

typedef struct Interp {
  const InterpRequest *request;
  const IrModule *module;
  const IrFunction *function;
  Arena *arena;

  Value *params;  // by parameter
  Value *results; // by instruction
  Cell **slots;   // by instruction: where its aggregate result lies
  Value *phi_values;
  Cell **phi_slots;

  uint32_t inst;      // the instruction under way
  uint32_t block, at; // the next one: its block, its index
  uint32_t next_block;
  bool is_passing; // to the next block by ways that are not known
  bool is_stopped;
  InterpStop stop;
  uint32_t source;
  uint64_t steps;

  uint32_t barriers_block, barriers_grid, barriers_warp, barriers_partial;
  bool after_opaque;

  VEC(Page *) pages;
  Table page_table;          // index into pages + 1
  VEC(ObjectState) privates; // object first_private_object + index
  VEC(ObjectState) outside;  // other objects of which something is known
  ObjectState everything_outside;
  uint32_t clock; // epochs given out
  Cell *buffer;
  uint32_t buffer_size;

  struct Team *team; // the threads that run together with this one; NULL: it runs alone
  uint32_t number;   // in the team
} Interp;

// ---- interp.c
bool interp_stop(Interp *run, InterpStop stop, uint32_t source); // false, for `return interp_stop(...)`
void interp_begin(Interp *run);                                  // at the kernel's first instruction
void interp_next(Interp *run);               // executes one instruction, unless the thread is stopped
void interp_pass(Interp *run, Value result); // goes over one that others have executed
Value interp_operand(Interp *run, IrRef ref);
bool interp_is_shared(const Interp *run, uint32_t object); // whose addresses fit 32 bits

// ---- interp_value.c: values and cells
Value value_unknown(const Interp *run, Cause cause);
Value value_word(IrType type, int64_t word);
Value value_pointer(uint32_t object, int64_t offset);
// Unknown because an operand is; pointers among the operands escape.
Value value_poisoned(Interp *run, uint32_t count, const Value *operands);
Value value_opaque(Interp *run, uint32_t count, const Value *operands); // the same, and unsupported
void value_lose(Interp *run, Value value);
bool value_same(Value a, Value b);
void value_to_cells(Interp *run, Value value, uint32_t bytes, Cell *out);
Value value_from_cells(Interp *run, const Cell *cells, IrType type); // aggregates borrow `cells`
void value_given_to_cells(InterpValue given, uint32_t bytes, Cell *out);

// ---- interp_op.c: operations without memory or control
// false: the run was stopped. `v` are the
// operands.
bool interp_arith(Interp *run, const IrInst *inst, const Value *v, Value *out);
bool interp_compare(Interp *run, const IrInst *inst, const Value *v, Value *out);
bool interp_cast(Interp *run, const IrInst *inst, const Value *v, Value *out);
Value interp_pointer_add(Interp *run, Value base, Value offset);
Value interp_special_register(Interp *run, const IrInst *inst);
uint32_t interp_lanes_of_warp(const Interp *run); // mask of the lanes that the thread's warp has

// ---- interp_float.c
// false:
// unknown.
bool float_arith(IrOp op, uint8_t bits, int64_t a, int64_t b, int64_t *out);
bool float_compare(IrPred pred, uint8_t bits, int64_t a, int64_t b, int64_t *out);
bool float_cast(IrOp op, IrType from, IrType to, int64_t a, int64_t *out);
// The function `name` of words of the given types.
bool pure_call(const char *name, IrType result, uint32_t count, const IrType *types, const int64_t *args,
               int64_t *out);

// ---- interp_memory.c
bool memory_is_private(const Interp *run, uint32_t object);
uint32_t memory_add_private(Interp *run, uint64_t bytes);
ObjectState *memory_private(Interp *run, uint32_t object);
bool memory_in_bounds(Interp *run, uint32_t object, int64_t offset, uint64_t bytes);
void memory_read(Interp *run, uint32_t object, int64_t offset, uint32_t bytes, Cell *out);
void memory_write(Interp *run, uint32_t object, int64_t offset, uint32_t bytes, const Cell *cells);
void memory_forget(Interp *run, uint32_t object, Cause cause); // the whole object becomes unknown
void memory_forget_escaped(Interp *run, Cause cause);          // private objects alone
void memory_forget_reachable(Interp *run, Cause cause); // escaped private objects and all that is not private
void memory_forget_all(Interp *run, Cause cause);       // of private objects, who knows them is unknown, too
Cell *memory_buffer(Interp *run, uint32_t cells);       // reused by the next call

// ---- interp_access.c: loads, stores, copies
bool interp_access(Interp *run, const IrInst *inst, const Value *v, Value *out);
bool interp_object_access(Interp *run, Value address); // an operation on the barrier object there
void value_set_unknown(const Interp *run, uint32_t bytes, Cell *out);

// ---- interp_rmw.c
// What the atomic operation (ATOMICRMW, CMPXCHG) leaves in a word that held `old`; v: its operands.
Value interp_rmw(Interp *run, const IrInst *inst, Value old, const Value *v);

// ---- team_memory.c: memory that a team shares
typedef struct Place {
  uint32_t object;
  int64_t offset;
} Place;
// Notes the access; false: the run is over.
bool team_touch(Interp *run, Place place, uint32_t bytes, bool is_write);
void team_read(Interp *run, Place place, uint32_t bytes, Cell *out);
void team_write(Interp *run, Place place, uint32_t bytes, const Cell *cells);
Value team_update(Interp *run, Place place, const IrInst *inst, const Value *v); // the old value

#endif
