// The door of hostscan/program/: what the host program contains: functions and what is done in them, who calls whom, the
// activations of a function, variables, classes and their members.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_HOSTSCAN_PROGRAM_H
#define HGRD_HOSTSCAN_PROGRAM_H

#include "hostscan/scan.h"

// model.c
// Finds all functions, who calls whom, what is done to variables; once, before all else.
void host_model_build(HostScan *scan);
// A function of the host module (0) or of device module `module` - 1; NULL if there is none of that name.
const IrFunction *host_function_named(const HostScan *scan, uint32_t module, const char *name);
HostFunction *host_function_open(HostScan *scan,
                                 HostFunction *function); // makes cfg, effects, uses; returns it
// What a call is; `inst` is a CALL. *callee is set for CALL_DEFINED.
const HostCall *host_call(HostScan *scan, const IrInst *inst, HostFunction **callee);
const char *host_callee_name(const HostScan *scan, const IrInst *inst); // NULL: called through a pointer
uint32_t host_function_size(HostScan *scan, HostFunction *function); // instructions, with all that it calls
// May it, or what it calls, do more than compute: write memory, launch, call what is not seen?
bool host_function_has_effects(HostScan *scan, HostFunction *function);
// Is nothing of that kind done between the block's dominator and the block; in the loop?
bool host_region_is_quiet(HostScan *scan, HostFunction *function, uint32_t block);
bool host_loop_is_quiet(HostFunction *function, uint32_t loop);
// What a call through a pointer may come to: functions with a body whose address is known to somebody.
bool host_may_call(const HostScan *scan, const IrFunction *caller, const IrInst *call,
                   const HostFunction *callee);

// members.c
typedef struct HostMember { // a byte of an object of a class
  const char *owner;
  int64_t offset;
  bool is_used; // the code uses the address as such; else it only came from where it is one
  bool is_sure; // it always stands for that; else it may be one of several addresses
} HostMember;
typedef VEC(HostMember) HostMemberList;
// What addresses stand for, as far as some code says so by a name, for the classes asked about.
HostMembers *host_members_find(HostScan *scan, uint32_t class_count, const char *const *classes);
// What the address stands for; empty: nothing is said of it.
const HostMemberList *host_members_of(const HostMembers *members, const HostFunction *function, IrRef ref);
bool host_members_is_vague(const HostMembers *members, const char *owner); // not all could be followed

// sized_calls.c
enum { HOST_NO_ARGUMENT = 255 };
typedef struct HostSizedCall {
  const char *name;
  uint16_t sizes;                  // bit i: argument i is one
  uint8_t width, pitch, old_pitch; // of a row and from row to row; HOST_NO_ARGUMENT: there is none
  uint8_t extent, others;          // argument that is a cudaExtent, beside so many others,
  uint8_t behind;                  // or a pointer to a struct with one, so many bytes behind its start
} HostSizedCall;
const HostSizedCall *host_sized_call(HostScan *scan, const IrInst *inst); // NULL: no size is an argument
bool host_is_sized_allocation(HostCallKind kind);

// captures.c
bool host_is_captured(HostScan *scan,
                      HostObject *object); // could unknown code know its address, at any time?
// ... before control is at `inst`, or because that is a call which is given local memory that holds it?
bool host_is_captured_before(HostScan *scan, HostObject *object, const HostFrame *frame, uint32_t inst);
// Has a variable's address been given to code that is not seen, or to calls that work later, before `inst` or there?
bool host_is_handed_before(HostScan *scan, HostObject *object, const HostFrame *frame, uint32_t inst);
// Can control come to `inst` of the function from one of these instructions?
bool host_comes_behind(HostScan *scan, HostFunction *function, const uint32_t *from, uint32_t count,
                       uint32_t inst);
// Does the object come in by a parameter of the root, and has the code below it not let its address out
// before `inst`? Then a call that is not given it has nothing to do with it (A9).
bool host_is_unrelated_call(HostScan *scan, HostObject *object, const HostFrame *frame, uint32_t inst);

// activations.c
// Frames for launches, and as many again for invariants: so many, or as many as have so many instructions.
enum { HOST_FRAMES = 4096, HOST_FRAME_SLOTS = 4 << 20 };
bool host_frame_is_above(const HostFrame *frame, const HostFrame *below); // or the same
// One more activation: of `function`, called at `call` of the parent (NULL: it is a root).
HostFrame *host_frame_make(HostScan *scan, HostFunction *function, HostFrame *parent, uint32_t call);
// The frame of a defined callee, NULL if it is recursive, too deep, or there are too many.
HostFrame *host_frame_child_of(HostScan *scan, HostFrame *frame, uint32_t call, HostFunction *callee);
static inline HostFrame *host_frame_child(HostScan *scan, HostFrame *frame, uint32_t call) {
  HostFunction *callee = NULL;
  (void)host_call(scan, &frame->function->ir->insts.items[call], &callee);
  return host_frame_child_of(scan, frame, call, callee);
}

// globals.c
// Are there files of the program which are not among those given?
bool host_has_files_left_out(HostScan *scan);
// Constant, or nothing but its content is used.
bool host_is_constant_global(HostScan *scan, uint32_t index);
// Nothing, or not the instruction `by`, changes it once main has started; the frame is not of what runs before.
bool host_is_settled_global(HostScan *scan, const HostFrame *frame, const IrInst *by, uint32_t index);
// No pointer points to it that is not made from its name on the spot.
bool host_is_unaliased_global(HostScan *scan, uint32_t index);
// Host code may write the variable itself, as it may one that is managed.
bool host_writes_as_its_own(HostScan *scan, uint32_t index);
// Does code that runs before main (constructors of variables) mention it?
bool host_is_set_before_main(HostScan *scan, uint32_t index);
// The only thing that runs before main: the constructors of one file, in their order; NULL: there is more, or none.
HostFunction *host_only_constructor(HostScan *scan);

#endif
