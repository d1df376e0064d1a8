// The door of hostscan/program/: what the text of the host program contains: calls, functions and what is done in them,
// classes and their members, the kernels that are launched and what they do to what they are given; activations, places,
// names.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_HOSTSCAN_PROGRAM_H
#define HGRD_HOSTSCAN_PROGRAM_H

#include "hostscan/scan.h"

#define HOST_CONTENTS_PREFIX "__hgrd_contents_"

// map.c
uint32_t host_map_get(const HostMap *map, HostKey key); // 0 if absent
void host_map_put(HostMap *map, HostKey key, uint32_t value);

// calls.c
HostCallClass host_call_class(HostCallKind kind);
bool host_call_is_node(HostCallKind kind);        // puts a launch into a graph, or sets it anew
uint32_t host_call_outputs(const HostCall *call); // bit i = argument i
bool host_gives_variable(const char *name);       // the address of a variable of the device, by its name
bool host_call_is_natural(const char *name);      // it gives numbers from 0 on
// The identifier in a C name or in a mangled name without scope ("_ZL10cudaMallocIfEiPPT_m" ->
// "cudaMalloc", 10).
const char *host_base_name(const char *name, size_t *length);
// The kernel a stub launches: both "__device_stub__K" with K mangled and clang's mangled stubs; NULL if it
// is none.
const char *host_stub_kernel(const char *name, Arena *arena);

// kernels.c
const HostKernelUse *host_kernel_use(HostScan *scan, const IrFunction *kernel); // made once

// kernel_params.c
// Sizes of the integers that the kernel reads out of the parameter itself at places that it computes.
uint8_t host_reads_table(const IrFunction *kernel, uint32_t param);
typedef struct HostPiece {
  uint32_t offset;
  IrType type;
  const char *place; // what the kernel calls it, "params.rows[1]"; NULL if it has no name
} HostPiece;
typedef VEC(HostPiece) HostPieces;
// What a kernel reads of a parameter passed by value, ascending, without overlaps.
void host_kernel_pieces(Arena *arena, const IrFunction *kernel, uint32_t param, HostPieces *pieces);
// Does the kernel compare this parameter, or what may be it, with null? Then it may be null, if nothing is
// known of it.
bool host_tests_null(const IrFunction *kernel, uint32_t param);
const IrFunction *host_find_kernel(const HostScan *scan, const char *name);

// model.c
void host_model_build(HostScan *scan);
// A function of the host module (0) or of device module `module` - 1; NULL if there is none of that name.
const IrFunction *host_function_named(const HostScan *scan, uint32_t module, const char *name);
HostFunction *host_function_open(HostScan *scan,
                                 HostFunction *function); // makes cfg, effects, uses; returns it
// What a call is; `inst` is a CALL. *callee is set for CALL_DEFINED.
const HostCall *host_call(HostScan *scan, const IrInst *inst, HostFunction **callee);
const char *host_callee_name(const HostScan *scan, const IrInst *inst); // NULL: called through a pointer
uint32_t host_function_size(HostScan *scan, HostFunction *function); // instructions, with all that it calls
bool host_function_has_effects(HostScan *scan, HostFunction *function);
bool host_region_is_quiet(HostScan *scan, HostFunction *function, uint32_t block);
bool host_loop_is_quiet(HostFunction *function, uint32_t loop);
bool host_is_back_edge(const Cfg *cfg, uint32_t from, uint32_t to);
uint32_t host_sole_pred(const Cfg *cfg, uint32_t block); // the only reachable predecessor, or CFG_NONE
// A block that ends with a call whose exceptions are caught: what the call leaves behind when it comes back
// holds only where the edge to `normal` was taken. False if the block ends otherwise.
typedef struct HostCallEnd {
  uint32_t call, normal;
} HostCallEnd;
bool host_way_of_call(const IrFunction *ir, uint32_t block, HostCallEnd *end);
// Does every way to `block` pass an edge from `from` to `to`? Several equal edges (cases of a switch) count
// together.
bool host_edges_dominate(const Cfg *cfg, uint32_t from, uint32_t to, uint32_t block);
uint32_t host_argument_count(const IrInst *call); // without the callee value
// What a call through a pointer may come to: functions with a body whose address is known to somebody.
bool host_may_call(const HostScan *scan, const IrFunction *caller, const IrInst *call,
                   const HostFunction *callee);

// members.c
typedef struct HostMember { // a byte of an object of a class
  const char *owner;
  int64_t offset;
  bool is_used; // the code uses the address as such; else it only came from where it is one
} HostMember;
typedef VEC(HostMember) HostMemberList;
// What addresses stand for, as far as some code says so by a name, for the classes asked about.
HostMembers *host_members_find(HostScan *scan, uint32_t class_count, const char *const *classes);
const HostMemberList *host_members_of(const HostMembers *members, const HostFunction *function, IrRef ref);
bool host_members_is_vague(const HostMembers *members, const char *owner); // not all could be followed

// names.c
const char *host_clean_name(HostScan *scan, const char *name); // NULL if the name is none of the user's
const char *host_name_of_value(HostScan *scan, const HostFrame *frame,
                               IrRef ref); // "n", "m->rows"; never NULL
const char *host_name_of_content(HostScan *scan, const HostFrame *frame, IrRef address); // of what lies there
void host_note_name(HostScan *scan, ExprRef value, const char *name, bool is_of_loop, SrcLoc loc);
const char *host_name_of_load(HostScan *scan, const HostFrame *frame, IrRef load);
const char *host_name_of_allocation(HostScan *scan, const HostFrame *frame, const IrInst *call);
const char *host_display_name(const IrFunction *function);

// locations.c
bool host_is_library(const char *display_name); // of the CUDA runtime or the standard library
SrcLoc host_append_chain(HostScan *scan, SrcLoc loc, const SrcLoc *rest); // called at `rest`
SrcLoc host_loc(HostScan *scan, const HostFrame *frame,
                const IrInst *inst); // with the call chain of the frame

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
bool host_is_captured_before(HostScan *scan, HostObject *object, const HostFrame *frame, uint32_t inst);
// Does the object come in by a parameter of the root, and has the code below it not let its address out
// before `inst`? Then a call that is not given it has nothing to do with it (A9).
bool host_is_unrelated_call(HostScan *scan, HostObject *object, const HostFrame *frame, uint32_t inst);

// frames.c
// Frames for launches, and as many again for invariants: so many, or as many as have so many instructions.
enum { HOST_FRAMES = 4096, HOST_FRAME_SLOTS = 4 << 20 };
bool host_frame_is_above(const HostFrame *frame, const HostFrame *below); // or the same
HostFrame *host_frame_make(HostScan *scan, HostFunction *function, HostFrame *parent, uint32_t call);
// The frame of a defined callee, NULL if it is recursive, too deep, or there are too many.
HostFrame *host_frame_child(HostScan *scan, HostFrame *frame, uint32_t call);
HostFrame *host_frame_child_of(HostScan *scan, HostFrame *frame, uint32_t call, HostFunction *callee);

// globals.c
// Constant, or nothing but its content is used.
bool host_is_constant_global(HostScan *scan, uint32_t index);
// Nothing changes it once main has started; the frame is not of what runs before.
bool host_is_settled_global(HostScan *scan, const HostFrame *frame, uint32_t index);
// No pointer points to it that is not made from its name on the spot.
bool host_is_unaliased_global(HostScan *scan, uint32_t index);
// Host code may write the variable itself, as it may one that is managed.
bool host_writes_as_its_own(HostScan *scan, uint32_t index);
// Does code that runs before main (constructors of variables) mention it?
bool host_is_set_before_main(HostScan *scan, uint32_t index);
// The only thing that runs before main: the constructors of one file, in their order; NULL: there is more, or none.
HostFunction *host_only_constructor(HostScan *scan);

// launch_calls.c
// Is this call a launch? Indirect calls count if a push that no stub used comes before.
bool host_is_launch(HostScan *scan, HostFunction *function, uint32_t inst, HostCallKind *kind);
// The push whose configuration a stub call uses; NULL if another launch took it, or none is near.
const IrInst *host_find_push(HostScan *scan, HostFunction *function, uint32_t launch);

// deferred.c
// May what is put into the stream become part of a graph, which runs at another time than the call?
bool host_may_be_captured(HostScan *scan, ExprRef stream);
bool host_is_default_stream(HostScan *scan, ExprRef stream); // 0, or cudaStreamLegacy
// Is the launch at `inst`, into `stream` (0: not known), put into a graph, or may it be? Then it is made later, any
// number of times.
bool host_is_deferred(HostScan *scan, const HostFrame *frame, uint32_t inst, ExprRef stream);

// variables.c
// The host's module with the variables of the device that have to be followed and that its text does not mention.
const IrModule *host_with_variables(Arena *arena, const IrModule *host, uint32_t count,
                                    const IrModule *const *device);

#endif
