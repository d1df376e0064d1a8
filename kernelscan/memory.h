// The door of kernelscan/memory/: the objects of the kernel, what is in them when it starts, and which of them
// an access may touch.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_MEMORY_H
#define HGRD_KERNELSCAN_MEMORY_H

#include "kernelscan/scan.h"

typedef enum TableKind { TABLE_NONE, TABLE_KNOWN, TABLE_UNKNOWN } TableKind;

// points_to.c
// The object of this kind and number (Obj.index), made when it is first asked for.
uint32_t object_find(Scan *scan, ObjKind kind, uint32_t index, const char *name);
// Its address; all dynamic shared memory is one object.
SymValue object_of_global(Scan *scan, uint32_t global);
// What the launch passes: a value; of a parameter that is passed as a whole, its address, or the piece that lies
// at the offset (opaque: no piece is just that).
SymValue object_of_param(Scan *scan, uint32_t param);
SymValue object_param_piece(Scan *scan, uint32_t param, int64_t offset, IrType type);
SymValue sym_value_word(ExprRef word); // 0: opaque
SymValue sym_value_opaque(void);
void objects_mark_written(Scan *scan); // which objects the kernel writes, and scan->reaches; once
// What the load may read from, one of scan->reaches; NULL: no load of memory. After objects_mark_written.
const Reach *objects_read_by(const Scan *scan, uint32_t load);
bool object_is_readonly(const Scan *scan, uint32_t object); // nobody writes it while the kernel runs
// Everything the load may read is memory that the kernel does not write.
bool object_is_readonly_at(const Scan *scan, uint32_t load);
bool object_keeps_pointers(const Scan *scan, uint32_t object); // those in it are what they were at the launch
bool access_may_touch(const Scan *scan, uint32_t access, uint32_t object); // its address may lead there
// Are they at constant places of one variable, of which no byte is common to both?
bool access_is_apart(const Scan *scan, const Access *one, const Access *two);
bool access_is_same_place(const Scan *scan, const Access *one, const Access *two); // they start at one
int64_t object_alignment(const Scan *scan, uint32_t object); // its address is a multiple of this
// Does the address lie in a parameter that is passed as a whole, and so is written by nobody?
bool object_is_in_parameter(const Scan *scan, IrRef address);
IrRef object_address_base(const Scan *scan, IrRef address); // the address without casts and offsets

// tables.c
// Does the variable hold pointers, and is it known from its initial data which (constant), or not?
TableKind table_kind(const Scan *scan, uint32_t object);
// For a known one: what the pointer at the slot points to.
SymValue table_pointer(Scan *scan, const Target *slot);
// What is said of any element, whose offset is a symbol, of the one at the offset.
ExprRef table_at_element(const Scan *scan, ExprRef symbol, ExprRef said, ExprRef offset);
const LaunchHeld *table_held_in(const Scan *scan, uint32_t object); // NULL: nothing is known
// The pointer at the slot, as far as the host has put it there; else it leads elsewhere.
SymValue table_held(Scan *scan, const Target *slot, Target elsewhere);
ExprRef table_word(Scan *scan, const Target *place, uint32_t bytes); // an aligned number; 0: not known

// allocations.c
bool allocations_is_allocation(const Scan *scan, const IrInst *inst);
bool allocations_is_call(const Scan *scan, const IrInst *inst); // or a release
uint32_t allocations_object(Scan *scan, uint32_t call);
// The memory is one for all threads of the block that hold a pointer to it.
bool allocations_is_of_block(const Scan *scan, uint32_t object);

#endif
