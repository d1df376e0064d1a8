// The door of hostscan/objects/: what a pointer points to, and what may be the same memory.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_HOSTSCAN_OBJECTS_H
#define HGRD_HOSTSCAN_OBJECTS_H

#include "hostscan/scan.h"

// object.c
// All objects that `address` can point into; false if there are too many.
bool host_targets(HostScan *scan, ExprRef address, HostTargets *targets);
// The only one that is not null: nobody reads or writes through null.
bool host_sole_target(HostScan *scan, ExprRef address, HostTarget *target);
static inline ExprRef host_leaf(const HostScan *scan, uint32_t object) {
  return scan->objects.items[object].leaf;
}
HostObject *host_object_of(HostScan *scan, ExprRef leaf); // made (HOST_POINTER) if it is none yet
// The object that an instruction makes; `which` tells several of one instruction apart.
uint32_t host_site(HostScan *scan, HostFrame *frame, uint32_t inst, uint32_t which, HostObject info);
uint32_t host_fixed_object(HostScan *scan, HostObjectKind kind, uint32_t index); // globals, functions
// The object that an unknown pointer points to, made if there is none yet.
uint32_t host_pointer_object(HostScan *scan, ExprRef leaf, const char *name, SrcLoc loc);
ExprRef host_object_size(HostScan *scan, ExprRef leaf); // of this instance; 0 if unknown
// Can the two never be the same memory? 0: an absolute address.
bool host_leaves_distinct(HostScan *scan, ExprRef a, ExprRef b);
// Two pointers from outside of the files, of which no code in view makes one (A2).
bool host_are_from_outside(HostScan *scan, ExprRef one, ExprRef other);
bool host_is_address(HostScan *scan, ExprRef leaf);     // of an object that is known
bool host_is_any_address(HostScan *scan, ExprRef leaf); // it may be of any object
// May no access of the one type be to what one of the other wrote (IrTypeKind; IR_BYTES, IR_VOID: any)?
bool host_kinds_distinct(uint8_t a, uint8_t b);

// stored_twice.c
// Where in memory, as far as objects of one kind are concerned.
typedef struct HostSpot {
  const char *owner; // class; NULL: not known
  int64_t offset;    // in its object, or behind the address that a call has given
  const IrFunction *function;
  uint32_t container; // variable of the function whose method has given the address, + 1; 0: none
  uint32_t global;    // variable of the program, + 1; 0: none
  bool is_any;        // a place of which no more is known
} HostSpot;

// `access`: a load from the address or a store to it, which may know the class; NULL: none at hand.
HostSpot host_spot_of(const IrFunction *ir, const IrInst *access, IrRef address);
bool host_same_spot(const HostSpot *a, const HostSpot *b);
// Read back from memory: a symbol for a content of something, that nobody is seen to have put there.
bool host_read_back_at(HostScan *scan, ExprRef leaf, HostSpot *spot);
bool host_allocates(HostScan *scan,
                    const IrInst *inst); // does it put the address of a new object into a variable?
const HostFunction *host_function_among(HostScan *scan, const IrInst *call); // first that it is given; NULL
// Two pointers that were read back from memory: which allocation the program keeps at both their places, in
// words; NULL: none.
const char *host_kept_twice(HostScan *scan, ExprRef one, ExprRef other);
// Likewise, but is all that the program's own functions are seen to put at both places what they have just allocated?
bool host_are_kept(HostScan *scan, ExprRef one, ExprRef other);
// Does the program put the allocation into memory, other than into variables that are pointers? In doubt it does.
bool host_is_kept_somewhere(HostScan *scan, ExprRef leaf);

// guesses.c
// From here on the pointer that lies in memory when the loop comes round is taken to lead where the one leads that it is entered with.
void host_guess(HostScan *scan, ExprRef placeholder, ExprRef entering, HostLoopText loop);
void host_guess_comes_round(HostScan *scan, ExprRef placeholder, ExprRef next); // what a round leaves there
// Have all guesses held that were used? Adds the loops of those that have not.
bool host_guesses_hold(HostScan *scan, HostLoopTexts *broken);

// exchanged.c
// Is the store of a pointer one of those that only exchange what some places hold?
bool host_is_exchange(const IrModule *module, const IrFunction *ir, uint32_t store);

// origins.c
// The objects that a pointer can be which changes in a loop and has no form there, or is computed in bits,
// each under a condition of its own; false if it is no such pointer, or they are too many or not seen.
bool host_origins(HostScan *scan, ExprRef leaf, HostTargets *targets);
ExprRef host_with_origins(HostScan *scan, ExprRef address); // a choice between them in place of such pointers

#endif
