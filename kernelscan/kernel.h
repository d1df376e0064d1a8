// The door of kernelscan/kernel/: what the text of the kernel contains: accesses, objects, synchronisation,
// the graph of barrier-free segments.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_KERNEL_H
#define HGRD_KERNELSCAN_KERNEL_H

#include "kernelscan/scan.h"

typedef enum TableKind { TABLE_NONE, TABLE_KNOWN, TABLE_UNKNOWN } TableKind;

typedef struct NodeWalk {
  Scan *scan;
  uint8_t *seen;   // by node: a way leads to its start
  uint32_t *stack; // nodes whose ways on are still to be followed
  uint32_t depth;
} NodeWalk;

// scan.c
void scan_collect(Scan *scan);
void scan_undecided(Scan *scan, uint32_t loc, const char *format, ...) __attribute__((format(printf, 3, 4)));
// The same; `is_of_budget`: other reasons are told before it.
void scan_leave_open(Scan *scan, uint32_t loc, bool is_of_budget, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// A number that a thread makes of nothing but its place and the launch: the same in all rounds of loops.
bool scan_is_same_each_time(const Scan *scan, IrRef ref, int depth);
uint32_t scan_add_cover(Scan *scan, Cover cover); // 0: too many
bool scan_covers_block(const Scan *scan,
                       uint32_t covering);              // only such as hold threads of several warps together
void scan_grid_barrier(Scan *scan, const IrInst *inst); // has it a meaning under this launch?
// A ballot, any or all, of all lanes of the warp together: one answer for all of them.
bool scan_is_warp_vote(const Scan *scan, const IrInst *inst);
uint32_t scan_node_behind(const Scan *scan, uint32_t inst); // a barrier, or the wait of one

// objects.c
uint32_t object_find(Scan *scan, ObjKind kind, uint32_t index, const char *name);
SymValue object_of_global(Scan *scan, uint32_t global);
SymValue object_of_param(Scan *scan, uint32_t param);
SymValue object_param_piece(Scan *scan, uint32_t param, int64_t offset, IrType type);
SymValue sym_value_word(ExprRef word);
SymValue sym_value_opaque(void);
void objects_mark_written(Scan *scan);
bool object_is_readonly(const Scan *scan, uint32_t object);
bool object_keeps_pointers(const Scan *scan, uint32_t object); // those in it are what they were at the launch
bool access_may_touch(const Scan *scan, uint32_t access, uint32_t object); // its address may lead there
// Are they at constant places of one variable, of which no byte is common to both?
bool access_is_apart(const Scan *scan, const Access *one, const Access *two);
bool access_is_same_place(const Scan *scan, const Access *one, const Access *two); // they start at one
int64_t object_alignment(const Scan *scan, uint32_t object); // its address is a multiple of this
bool object_is_in_parameter(const Scan *scan, IrRef address);
IrRef object_address_base(const Scan *scan, IrRef address);

// tables.c
TableKind table_kind(const Scan *scan, uint32_t object);
// For a known one: what the pointer at the slot points to; every object that one in it points to, false if
// there are others.
SymValue table_pointer(Scan *scan, const Target *slot);
// What is said of any element, whose offset is a symbol, of the one at the offset.
ExprRef table_at_element(const Scan *scan, ExprRef symbol, ExprRef said, ExprRef offset);
const LaunchHeld *table_held_in(const Scan *scan, uint32_t object); // NULL: nothing is known
// The pointer at the slot, as far as the host has put it there; else it leads elsewhere.
SymValue table_held(Scan *scan, const Target *slot, Target elsewhere);
ExprRef table_word(Scan *scan, const Target *place, uint32_t bytes); // an aligned number; 0: not known

// nodes.c
uint32_t node_of_inst(const Scan *scan, uint32_t inst);
NodeWalk node_walk(Scan *scan); // has seen nothing yet
void node_walk_visit(NodeWalk *walk, uint32_t node);
void node_walk_next(NodeWalk *walk, uint32_t node); // visits what comes after the node
// By node: all on the ways on from here; with `stops`, up to the next barriers of the block.
const uint8_t *node_reached_from(Scan *scan, uint32_t node, bool stops);
// The same up to the barriers that hold the couple together.
const uint8_t *node_stretch(Scan *scan, uint32_t node, Couple couple);
// Can both be between the same two barriers that hold threads together which are apart by the extent?
bool node_share_stretch(Scan *scan, Extent extent, uint32_t one, uint32_t other);
// cluster_kind.c
bool clusters_is_operation(const IrInst *inst); // of cluster scope
// Of the barriers of this scope, which hold together?
IrScope clusters_point_scope(const Scan *scan, IrScope scope);

// dimensions.c
// Does the kernel look along the axis of this dimension, or do its clusters lie along it?
bool launch_looks_along(const Scan *scan, int index);
bool launch_dimension_matters(const Scan *scan, int index); // of LaunchContext.dimensions
// Has the dimension any extent although the kernel, of which no launch is seen, never looks along it?
bool launch_extent_is_free(const Scan *scan, int index);

// allocations.c
bool heap_is_allocation(const Scan *scan, const IrInst *inst);
uint32_t heap_object(Scan *scan, uint32_t call);
// The memory is one for all threads of the block that hold a pointer to it.
bool heap_is_of_block(const Scan *scan, uint32_t object);

// points.c
// Does the barrier hold the couple together? What is said of more threads than two, or is kept, is asked of any
// couple that is so far apart (couple_of).
bool point_orders(const Point *point, Couple couple);
bool point_would_order(const Point *point, Couple couple); // if all came that it holds
// Barriers of a part of the block are for those who come to them.
bool point_is_of_all(const Point *point);

// operations.c
bool barriers_is_leaving(const IrInst *inst); // arrive_and_drop
bool arrivals_is_arrival(const IrInst *inst);
bool arrivals_is_wait(const IrInst *inst);
// Does the copy complete on a barrier object (and is so in no group)?
bool async_completes_on_object(const Scan *scan, const IrInst *copy);
// Is the copy done when the phase of a barrier object is complete?
bool async_is_of_object(const Scan *scan, const Access *access);
IrScope order_scope_needed(Extent extent);
IrScope order_scope_of(const Scan *scan, const Access *access); // as an operation on a lock or flag
bool order_is_strong(const Scan *scan, const Access *access);
// Does this write leave the value as it is (an atomic addition of 0, used as a read)?
bool order_is_only_read(const Scan *scan, const Access *access);
// The value that a write stores, if it is one constant.
bool order_stored_constant(const Scan *scan, const Access *access, int64_t *value);
bool order_is_used(const Scan *scan, uint32_t inst); // its result, by any instruction
const Access *order_access_of(const Scan *scan, uint32_t inst);
uint32_t order_line(const Scan *scan, uint32_t inst);

// reach.c
// The first block on the way to this one (in its loop) from which control always comes to it, in the same
// round.
uint32_t phases_head_of(const Scan *scan, uint32_t block);
bool order_reaches(const Scan *scan, uint32_t from, uint32_t to); // by at least one step
// Does control get from one to the other within one round of the loop?
bool order_reaches_in_round(const Scan *scan, uint32_t loop, uint32_t from, uint32_t to);
// The same between blocks, without coming to the block `avoided` (CFG_NONE: none).
bool order_block_reaches(const Scan *scan, uint32_t from, uint32_t to, uint32_t avoided);
// Every way to the second instruction has passed the first, which is another one.
bool order_dominates(const Scan *scan, uint32_t one, uint32_t two);

#endif
