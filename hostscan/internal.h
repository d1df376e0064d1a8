// What the files of the host scan share. The way of a module: model.c prepares functions, scan.c walks
// call chains from the roots, launch.c and arguments.c read one launch, facts.c collects what holds there.
// Values come from value.c (SSA), memory.c (cells of host memory), loop.c (header phis), path.c
// (conditions of edges), object.c (what pointers point to, and what may alias); calls.c knows the library.
//
// All values are expressions of one pool. A pointer is a 64-bit expression over the address symbols of
// objects, so that swapping, merging and substituting treat numbers and pointers alike; host_targets takes
// it apart again. A symbol is one unknown value: the one that its definition had when control was there
// last before the launch. That is the same instance for all users, since definitions dominate uses; what
// changes from one iteration of a loop to the next must not be used across its back edge, which loop.c
// sees to.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_HOSTSCAN_INTERNAL_H
#define HGRD_HOSTSCAN_INTERNAL_H

#include "core/bug.h"
#include "core/cfg.h"
#include "core/symeval.h"
#include "core/table.h"
#include "hostscan/hostscan.h"

typedef VEC(uint32_t) IndexList;

// ---- map.c: small tuples to a number
enum { HOST_KEY_WORDS = 6 };
typedef struct HostKey {
  uint32_t word[HOST_KEY_WORDS];
} HostKey;
typedef struct HostEntry {
  HostKey key;
  uint32_t value;
} HostEntry;
typedef struct HostMap {
  Arena *arena;
  Table table; // index into entries + 1
  VEC(HostEntry) entries;
} HostMap;
uint32_t host_map_get(const HostMap *map, HostKey key); // 0 if absent
void host_map_put(HostMap *map, HostKey key, uint32_t value);

// ---- calls.c: the library
typedef enum HostCallKind {
  CALL_UNKNOWN = 0, // may write all memory it can reach, and keep its arguments
  CALL_DEFINED,     // a function of the module with a body
  CALL_QUIET,       // writes nothing that the program reads back, keeps no argument
  CALL_WRITES,      // writes through the pointer arguments in `outputs`, keeps none
  CALL_WRITES_FAR,  // besides, any memory of the device and the heap, through what it was given earlier
  CALL_STOPS,       // does not return
  CALL_ASSUME,      // argument 0 holds
  CALL_PUSH,        // __cudaPushCallConfiguration
  CALL_STUB,        // __device_stub__K: the launch that the last push prepared
  CALL_LAUNCH,      // cudaLaunchKernel(f, grid, block, args, shared, stream)
  CALL_LAUNCH_COOPERATIVE,
  CALL_LAUNCH_EX,        // cudaLaunchKernelExC(config, f, args)
  CALL_LAUNCH_DRIVER,    // cuLaunchKernel(f, grid x, y, z, block x, y, z, shared, stream, args ...)
  CALL_LAUNCH_DRIVER_EX, // cuLaunchKernelEx(config, f, args, args in one piece)
  CALL_LAUNCH_BLIND,     // of some kernel, with arguments that are not looked for
  CALL_LAUNCH_NODE, // cudaGraphAddKernelNode(.., parameters), cudaGraphKernelNodeSetParams: launches later
  CALL_LAUNCH_ANY_NODE, // cudaGraphAddNode(.., parameters): the same, if the parameters say that it is a kernel
  CALL_ALLOCATE,        // *argument 0 = new object of argument `size` bytes
  CALL_ALLOCATE_PITCH,   // cudaMallocPitch(&p, &pitch, width, height)
  CALL_ALLOCATE_3D,      // cudaMalloc3D(cudaPitchedPtr *, cudaExtent)
  CALL_ALLOCATE_ARRAY,   // cudaMallocArray(&array, &format, width, height), with an extent: cudaMalloc3DArray
  CALL_NEW,              // result = new host object of argument `size` bytes
  CALL_NEW_ZEROED,       // calloc
  CALL_SYMBOL_ADDRESS,   // cudaGetSymbolAddress(&p, symbol)
  CALL_HOST_POINTER,     // cudaHostGetDevicePointer(&d, h, flags)
  CALL_COPY,             // cudaMemcpy*: argument 0 is the destination
  CALL_COPY_LINEAR,      // cudaMemcpy(destination, source, bytes, ...)
  CALL_COPY_SYMBOL,      // cudaMemcpyToSymbol(variable, source, bytes, offset, ...)
  CALL_COPY_FROM_SYMBOL, // cudaMemcpyFromSymbol(destination, variable, bytes, offset, ...)
  CALL_FILL,             // cudaMemset(destination, byte, bytes, ...)
  CALL_LIBRARY,          // __hgrd_contents_*(destination, elements, bytes of each, stream ...)
  CALL_COPY_PLAIN        // memcpy, memmove as a call: destination, source, bytes
} HostCallKind;

typedef struct HostCall {
  const char *name;
  HostCallKind kind;
  uint8_t size;     // ALLOCATE, NEW: index of the argument that is the size
  uint32_t outputs; // WRITES: bit i = argument i
  bool is_device;   // the object is device (or managed) memory
} HostCall;
#define HOST_CONTENTS_PREFIX "__hgrd_contents_"
// By mangled or C name; never NULL. Knows nothing of functions of the module.
const HostCall *host_call_by_name(const char *name);
// Does it call functions that the program has handed to MPI_Op_create, if it has?
bool host_call_may_run_program(const HostCall *call);
typedef enum HostCallClass {
  CLASS_UNKNOWN = 0,
  CLASS_DEFINED,
  CLASS_QUIET,     // writes nothing that exists already
  CLASS_OUTPUTS,   // writes through the arguments that host_call_outputs names
  CLASS_ALLOCATES, // writes the address of an object through its first argument, perhaps sizes besides
  CLASS_LAUNCHES
} HostCallClass;
HostCallClass host_call_class(HostCallKind kind);
bool host_call_is_launch(HostCallKind kind);      // but for those by a pointer to a stub
bool host_call_is_node(HostCallKind kind);        // puts a launch into a graph, or sets it anew
uint32_t host_call_outputs(const HostCall *call); // bit i = argument i
bool host_call_is_natural(const char *name);      // it gives numbers from 0 on
// The identifier in a C name or in a mangled name without scope ("_ZL10cudaMallocIfEiPPT_m" ->
// "cudaMalloc", 10).
const char *host_base_name(const char *name, size_t *length);
// The kernel a stub launches: both "__device_stub__K" with K mangled and clang's mangled stubs; NULL if it
// is none.
const char *host_stub_kernel(const char *name, Arena *arena);

// ---- model.c: functions
typedef enum HostTri { TRI_UNKNOWN = 0, TRI_NO, TRI_YES, TRI_BUSY } HostTri;

typedef struct HostFunction {
  const IrFunction *ir;
  uint32_t index;                   // in IrModule.functions
  Cfg *cfg;                         // NULL until host_function_open
  uint32_t *effect_first, *effects; // by block: instructions that may write host memory, ascending
  uint32_t *fact_first,
      *facts;                 // by block: calls that say something (allocations, assumes, defined functions)
  uint32_t *use_first, *uses; // by instruction, then by parameter: instructions that use it
  uint8_t *quiet_region;      // by block: HostTri, no effect between its dominator and it
  uint8_t *quiet_loop;        // by loop
  uint8_t *param_captured;    // by parameter: HostTri
  uint8_t *param_kept;        // likewise, where calls without a body do not keep a whole object
  IndexList **param_captures; // by parameter: instructions that let it out; NULL until asked
  uint32_t *stamp, stamp_round; // by block: visited in this round of a walk
  IndexList returns;            // blocks that end in RET
  IndexList callers;            // functions with a direct call of this one
  HostTri has_effects;
  uint32_t size;              // with callees; 0: not counted yet
  bool is_stub, is_generated; // clang's registration code, stubs: not the user's
  bool is_constructor;        // runs before main
  bool reaches_launch;        // has a launch, or calls what has one
  bool has_launch;
  bool is_address_taken;
  bool gets_out;            // its address, to code that is not seen
  bool has_indirect;        // has calls through pointers that may come to a launch
  bool was_inlined;         // all or some of its calls were inlined: its text stands in another function
  bool is_root, wants_root; // has, needs a frame without a caller
  uint32_t chains;          // frames from which its launches were read
} HostFunction;

typedef struct HostCallee { // what a name of a callee means
  const char *name;
  const HostCall *call;
  HostFunction *function; // CALL_DEFINED
} HostCallee;

// ---- frames and symbols
typedef struct HostPhi { // a value that changes at the header of a loop: an SSA phi or a cell of memory
  ExprRef placeholder;   // symbol that stands for it until its form is known
  ExprRef init, next;    // on entry; at the end of an iteration, in terms of the placeholders
  ExprRef form;          // over the iteration number, once it is found
} HostPhi;

typedef struct HostLoop {
  ExprRef count; // iteration number; 0 until somebody asks
  uint32_t open; // evaluations in progress that may still find more phis of this loop
  bool is_prepared;
  VEC(HostPhi) pending; // evaluated, not yet classified
} HostLoop;

typedef struct HostFrame HostFrame;
struct HostFrame { // one activation on one call chain
  uint32_t id;
  HostFunction *function;
  HostFrame *parent;   // NULL: a root, whose parameters are unknown
  bool is_entry;       // of main
  bool is_before_main; // of the constructors of variables
  uint32_t call;       // instruction in the parent
  ExprRef condition;   // under which a call through a pointer comes here; 0: always
  IndexList *condition_facts;
  uint32_t depth;
  IndexList **fact_lists; // by instruction, then by block: facts that it adds; NULL until asked for
  uint32_t seen_from;     // block from which its facts are collected
  uint32_t *path_at;      // by block: its step on the way to the launch that is read, + 1; 0: none
  ExprRef *values;        // by instruction; 0: not evaluated
  ExprRef *params;
  uint8_t *busy; // by instruction: being evaluated
  HostLoop *loops;
};

// The content of a cell of memory at a place, where a symbol stands for it.
typedef enum HostPlace { PLACE_ENTRY, PLACE_START, PLACE_AFTER, PLACE_HEADER, PLACE_END } HostPlace;
typedef struct HostCellInfo {
  HostFrame *frame;
  HostPlace place;
  uint32_t index; // block, instruction or loop
  ExprRef base;
  int64_t offset;
  uint32_t bytes;
  uint8_t kind;               // IrTypeKind
  const HostFunction *reader; // the address in this function that it was read by, and how far behind
  IrRef address;
  int64_t behind;
} HostCellInfo;

typedef struct HostDoubt { // a call that may have written a cell
  HostFrame *frame;
  uint32_t inst;
  ExprRef base, offset; // the cell
  uint32_t bytes;
  uint8_t kind;
} HostDoubt;

typedef struct HostSym { // what the scan knows of a symbol beyond ExprSym
  HostFrame *frame;      // its value is one for each iteration of `loop` of this frame; NULL: one for all
  uint32_t loop;
  uint32_t object;  // it is the address of this object, 0 if not
  uint32_t holder;  // it is a content of this object, 0 if not
  uint32_t cell;    // and of this cell, at a fixed place: index into `cell_infos`, 0 if none
  uint32_t read_by; // content of memory of which nothing is known: the instruction of `frame` + 1; 0: none
  bool is_uninitialised; // content of memory that nobody wrote
  bool is_of_device;     // a property of the device whose limits are known
  bool is_overwritten;   // content of memory after a write that is not understood
  uint32_t doubt;        // likewise, by a call that may not have written it: index into `doubts`; 0: not so
  bool is_placeholder;   // may get a form
  bool is_of_element;    // what an element of memory holds, of which it is not said which one (contents.c)
  ExprRef by_element;    // the same as a function of the element; 0: not asked yet
  ExprRef cell_offset;   // content of memory: where in `holder`
  ExprRef before_loop; // of an element that changes in its loop: what it held before the first round; else 0
  ExprRef next;        // at the end of an iteration, if that is never less than the value itself; else 0
  ExprRef entering, coming_round; // a value that changes in its loop and has no form: on entry, and at the
                                  // end of an iteration; 0: it has one, or none is known
  uint32_t by_iteration;          // the same as a function of the iteration number, + 1; 0: not asked yet
  bool is_any_address;            // stands for an address whose object is not known yet: may be in any
  uint32_t round;                 // in which it was seen to matter for a launch
  uint32_t fact_count;            // so many facts speak of it
  uint32_t side_facts;            // the first link of those that hold wherever it occurs; 0: none
  uint32_t facts;                 // the first link of those on the way to the launch that is read; 0: none
  bool is_tested;                 // a fact on a way hangs on it alone
} HostSym;

typedef enum HostObjectKind {
  HOST_NOTHING = 0,
  HOST_LOCAL,           // an alloca
  HOST_GLOBAL,          // a variable of the host module
  HOST_HEAP,            // malloc, new
  HOST_DEVICE,          // cudaMalloc*
  HOST_DEVICE_VARIABLE, // from cudaGetSymbolAddress
  HOST_POINTER,         // what an unknown pointer points to
  HOST_FUNCTION_ADDRESS
} HostObjectKind;

typedef struct HostObject {
  HostObjectKind kind;
  const char *name;
  SrcLoc loc;
  ExprRef leaf;       // its address: a symbol, or a function of iteration numbers
  ExprRef size_bytes; // 0: unknown
  HostFrame *frame;   // where it is made, with
  uint32_t inst;      // the instruction (LOCAL, HEAP, DEVICE)
  uint32_t index;     // GLOBAL, FUNCTION_ADDRESS: number in the module
  bool is_zeroed, is_parameter;
  bool is_out_of_reach; // device memory that host code cannot write by itself
  bool is_copied;       // begins with what another object held (realloc)
  bool is_trusted;      // a call was taken to leave it alone (A9)
  IndexList captures;   // instructions of `frame` that let its address out of what is followed here
  IndexList ways_out;   // those that let it out to code that is not seen
  bool has_ways_out;    // which are listed
  uint8_t captured;     // HostTri
} HostObject;

typedef struct HostFact {
  Fact fact;
  HostFrame *frame;
  uint32_t above;    // block of `frame` whose branch it is, CFG_NONE if none
  uint32_t loop;     // loop of `frame` that it speaks of once that is over, CFG_NONE if none
  bool is_closed;    // has no symbols
  uint32_t tested;   // a symbol that one part of a disjunction only tests; 0: none
  uint32_t kept;     // round in which it was found to matter
  bool is_of_before; // in that round: Fact
  uint32_t sym_count;
  const uint32_t *syms;    // that it speaks of
  bool is_linked, is_free; // on the way to the launch that is read; it hangs only on what it tests
  bool is_unasked;         // it is among the `unasked_facts`
  uint32_t order;          // its number there
} HostFact;

typedef struct HostFactLink { // the facts of a symbol that hold at the launch that is read, one after the
                              // other
  uint32_t fact, next;        // index of the next link, 0: none
  uint32_t sym;
  bool is_late; // made when something else came to speak of what the fact tests
} HostFactLink;

typedef struct HostFactStep { // of the way to the launch that is read
  HostFrame *frame;
  uint32_t block, inst;                // into the block, or (not CFG_NONE) in it past the call
  uint32_t links, facts, free, closed; // so many there were before
} HostFactStep;

// What holds of the function `func` for any element: it says which run of a loop wrote that element.
typedef struct HostFillFact {
  uint32_t func;
  ExprRef condition;
} HostFillFact;

enum { HOST_READS_POINTERS = 16 }; // beside the widths of integers

typedef struct HostKernelGlobal {
  const char *name;
  uint8_t reads;         // widths of the integers that are read: 1 | 2 | 4 | 8 bytes; HOST_READS_POINTERS
  bool has_strong_reads; // volatile or atomic: of flags and counters, as it may be
  bool is_written;
} HostKernelGlobal;

// What a kernel does to the memory behind its parameters and to variables.
typedef struct HostKernelUse {
  const IrFunction *kernel;
  const IrModule *module;
  bool writes_anything; // through pointers that do not come from parameters or variables
  bool writes_pointers; // or what may hold some: objects as a whole, addresses as numbers
  bool reads_pointers;  // from memory, not only out of parameters
  bool reads_textures, reads_hidden_textures; // hidden: by handles that are no parameters
  uint8_t *textures;                          // by parameter: holds such a handle
  uint8_t *writes;                            // by parameter: may write behind it
  uint8_t *stores; // by parameter: may write behind it what it has computed, not only count there
  uint8_t *reads;  // by parameter: widths like above
  VEC(HostKernelGlobal) globals;
  const Cfg *cfg; // NULL without a module
} HostKernelUse;

typedef struct HostLaunchRead { // a launch as it was read
  LaunchContext *context;
  HostFrame *frame;
  uint32_t inst;
  const IrFunction *kernel; // NULL: not among the modules
  bool is_deferred;         // host_is_deferred
} HostLaunchRead;

// A launch that wrote the element. What it left there is known where that launch is over.
typedef struct HostKernelFill {
  uint32_t func; // says whether the launch wrote the element
  HostFrame *frame;
  uint32_t inst;  // that it begins with
  ExprRef stream; // 0: not known
} HostKernelFill;

// What a launch counts in an array: by how much it raises the element, all threads together, or what a block
// counted that is stored there.
typedef struct HostTally {
  uint32_t func;
  HostFrame *frame;
  uint32_t inst;
  uint8_t kind; // HostCallKind
  ExprRef base; // of the array
  uint32_t bytes;
  uint32_t store; // of what each block counted in shared memory; CFG_NONE: the launch adds to the element
} HostTally;

// Numbers of a thread of which it is not said which one; by axis, and of iterations by depth.
typedef enum HostLaneNumber {
  HOST_LANE_THREAD,
  HOST_LANE_BLOCK = 3,
  HOST_LANE_WHOLE = 6,  // blockIdx * blockDim + threadIdx
  HOST_LANE_STRIDE = 9, // where a loop of steps of gridDim * blockDim from there has come to
  HOST_LANE_ROUND = 12,
  HOST_LANE_ROUNDS = 8,
  HOST_LANE_NUMBERS = HOST_LANE_ROUND + HOST_LANE_ROUNDS
} HostLaneNumber;

typedef struct HostMark { // what the walk with this number found at an expression
  uint32_t round;
  ExprRef result;
} HostMark;

typedef struct HostReader { // a read of memory: the address in the program, and the cell that it turned out
                            // to be
  const HostFunction *function; // NULL: no address is known
  IrRef address;
  int64_t behind; // so many bytes behind the address
  ExprRef base, offset;
} HostReader;

typedef struct HostTarget {
  ExprRef condition; // width 1
  ExprRef leaf;      // address of an object; 0: an absolute number
  ExprRef offset;    // width 64
} HostTarget;
typedef VEC(HostTarget) HostTargets;

typedef struct HostContents HostContents;
typedef struct HostMembers HostMembers;
typedef struct HostKept HostKept;
typedef struct HostLaunch {
  LaunchContext *context;
  IndexList syms; // contents of members among those that matter to it
} HostLaunch;

struct HostScan {
  Arena *arena;
  ExprPool *pool;
  const IrModule *module;
  uint32_t device_count;
  const IrModule *const *device;
  const HostScanOptions *options;
  DiagSink *sink;
  HostScanResult *result;
  const HostContents *contents; // contents.def; no value at the end
  HostFunction *functions;      // by index in the module
  HostMap callees;              // hash of a name -> index into `called` + 1
  HostMap names;                // (hash of a name, module) -> index of the function + 1
  VEC(HostCallee) called;
  VEC(HostFrame *) frames;
  uint32_t frame_limit;
  uint64_t frame_slots;    // instructions of all frames together
  VEC(HostObject) objects; // [0] unused
  VEC(HostSym) syms;       // by symbol
  IndexList func_objects;  // by function of the pool: object whose address it gives, or 0
  HostMap cells;           // (frame, place, base, offset, bytes) -> value of a cell
  HostMap memo;            // other tables, told apart by word 0 (HostMemo)
  VEC(ExprRef) forms;      // by symbol: form of a placeholder, or 0
  VEC(HostMark) marks;     // by expression, for walks
  uint32_t mark_round;
  VEC(uint32_t) weights;                            // by expression: size as a tree
  VEC(uint8_t) holds;                               // by expression: HostTri, holds a placeholder
  uint32_t replacements;                            // how many placeholders got their form
  const HostFrame *name_frame;                      // what to call a cell that turns out to be unknown
  IrRef namer, named;                               // by the address of the load, or by the load
  VEC(HostFact) facts;                              // all that were found, for any launch
  VEC(HostFactLink) fact_links;                     // [0] unused
  VEC(HostFactStep) fact_path;                      // the way to the launch that is read
  IndexList linked_facts, free_facts, closed_facts; // on it, in order
  IndexList unasked_facts; // conditions of which it was not asked yet whether they contradict each other
  bool has_unfreed;        // a tested symbol has got another fact
  IndexList active_facts, fact_work; // of the launch that is read
  uint32_t fact_round;
  IndexList positive;           // by expression: the launch, by its round, for which 0 < it is known
  IndexList said;               // by expression: the launch, by its round, that has it as a fact
  VEC(HostDoubt) doubts;        // [0] unused
  VEC(HostCellInfo) cell_infos; // [0] unused
  HostReader reader;            // the read that is going on
  IndexList
      content_syms; // contents of members among the symbols that mattered when facts were collected last
  VEC(HostLaunch) launches; // that were read, with the symbols that matter to them
  bool *is_running;         // by function: can it come to be executed? NULL until asked
  HostKept *kept;           // kept.c; NULL until asked
  HostMembers *members;     // which bytes of which classes addresses are; NULL until asked
  VEC(HostFactLink)
  side_links;     // [0] unused; of facts that hold wherever their symbols occur: pitches, ranges of
                  // iteration numbers
  uint32_t depth; // of recursion
  uint32_t capture_depth, capture_lowest, capture_searches; // of the search for what lets an address out
  uint32_t instruction_count;                               // of the module
  uint32_t reads, read_steps; // of memory: in each other; blocks that the outermost has gone over
  uint64_t steps;             // that all have gone over
  ExprRef element;            // the number of a byte in an array, whichever it is: a symbol; 0: not made yet
  VEC(HostFillFact) fill_facts;
  IndexList uninitialised_funcs; // of an element: what nobody has written
  IndexList computed_funcs; // of an element: what a thread of the device made in ways that are not followed
  VEC(HostLaunchRead) all_launches;
  VEC(HostKernelFill) kernel_fills;
  VEC(HostTally) tallies;
  ExprRef lane_numbers[HOST_LANE_NUMBERS]; // HostLaneNumber; 0: not made yet
  uint32_t fill_depth;                     // launches whose stores are looked into, in each other
  VEC(const HostKernelUse *) kernel_uses;
  uint8_t *global_uses;     // by global: how its address is used (globals.c); NULL until asked for
  HostFrame *before_main;   // of the constructors of variables; NULL until asked for
  HostTri sets_clusters;    // may the program set the size of a kernel's clusters by a call?
  uint8_t *global_written;  // by global: HostTri, written by code that runs before main
  VEC(HostTargets) origins; // by MEMO_ORIGINS
};
typedef struct HostScan HostScan;

typedef enum HostMemo {
  MEMO_SETTLED = 1, // expression -> expression; with 1: the number of forms then
  MEMO_REACH,       // frame, dominator, block -> condition + 1
  MEMO_SITE,        // frame, instruction, which -> object
  MEMO_CHILD,       // frame, instruction -> frame + 1
  MEMO_PIECE,       // frame, instruction, offset, bytes -> expression
  MEMO_ADDRESS,     // kind, index -> object
  MEMO_LEAF,        // expression -> object
  MEMO_GROUP,       // hash of facts, first, count -> HostTri: do they contradict each other?
  MEMO_WAY,         // frame, block, predecessor -> symbol
  MEMO_ORIGINS,     // expression -> index into `origins` + 1
  MEMO_TOUCHED,     // frame, call, object, kind, element -> HostTri: may the called body write the object?
} HostMemo;

void host_model_build(HostScan *scan);
// A function of the host module (0) or of device module `module` - 1; NULL if there is none of that name.
const IrFunction *host_function_named(const HostScan *scan, uint32_t module, const char *name);
HostFunction *host_function_open(HostScan *scan,
                                 HostFunction *function);           // makes cfg, effects, uses; returns it
HostFunction *host_find_function(HostScan *scan, const char *name); // with a body; NULL if none
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

// ---- hostscan.c
// Frames for launches, and as many again for invariants: so many, or as many as have so many instructions.
enum { HOST_FRAMES = 4096, HOST_FRAME_SLOTS = 4 << 20 };
bool host_frame_is_above(const HostFrame *frame, const HostFrame *below); // or the same
HostFrame *host_frame_make(HostScan *scan, HostFunction *function, HostFrame *parent, uint32_t call);
// What a call through a pointer may come to: functions with a body whose address is known to somebody.
bool host_may_call(const HostScan *scan, const IrFunction *caller, const IrInst *call,
                   const HostFunction *callee);
// The frame of a defined callee, NULL if it is recursive, too deep, or there are too many.
HostFrame *host_frame_child(HostScan *scan, HostFrame *frame, uint32_t call);
HostFrame *host_frame_child_of(HostScan *scan, HostFrame *frame, uint32_t call, HostFunction *callee);

// ---- value.c
ExprRef host_value(HostScan *scan, HostFrame *frame, IrRef ref); // never 0; 64 bits for pointers
// `bytes` (1, 2, 4 or 8) at `offset` of a word or an aggregate.
ExprRef host_value_piece(HostScan *scan, HostFrame *frame, IrRef ref, uint32_t offset, uint32_t bytes);
// A new symbol for an unknown value; loop: the innermost loop of the frame in which it changes, CFG_NONE
// for none.
typedef struct HostUnknown {
  HostFrame *frame;
  uint32_t loop;
  uint8_t width;
  const char *name;
  SrcLoc loc;
  int64_t lo, hi; // both 0: whole range
  bool is_from_caller;
  const char *after; // ExprSym
} HostUnknown;
ExprRef host_unknown(HostScan *scan, HostUnknown unknown);
HostSym *host_sym(HostScan *scan, uint32_t sym);
// Of low + high, packed side by side at `bits`, the half that is asked for (the high one not shifted), or 0.
ExprRef host_packed_half(HostScan *scan, ExprRef word, uint32_t bits, bool want_high);
ExprRef host_bytes_of(HostScan *scan, ExprRef word, uint32_t offset, uint32_t bytes); // piece of a word
ExprRef host_narrowed(HostScan *scan, ExprRef word, uint8_t width); // truncation, through packed halves
bool host_is_library(const char *display_name); // of the CUDA runtime or the standard library
SrcLoc host_append_chain(HostScan *scan, SrcLoc loc, const SrcLoc *rest); // called at `rest`
SrcLoc host_loc(HostScan *scan, const HostFrame *frame,
                const IrInst *inst); // with the call chain of the frame

// ---- arith.c
// Integer forms of what is computed through floating point: (int)ceil(n / 64.0). 0 if it is none of these.
ExprRef host_rounded_division(HostScan *scan, const HostFrame *frame, const IrInst *inst, ExprRef operand);
// Sums of multiples, gathered: 4 + (n - 1) * 4 is n * 4. For offsets of addresses.
ExprRef host_gather(HostScan *scan, ExprRef ref);
// ref == rest modulo the modulus, for all values; a modulus of 0: it is a constant.
void host_residue(HostScan *scan, ExprRef ref, uint64_t *modulus, uint64_t *rest);
ExprRef host_is_at(HostScan *scan, ExprRef offset,
                   int64_t at); // offset == at, said of the index where it can be
// Does the condition fix something to a constant: "n == 3", perhaps joined with others?
bool host_fixed_value(HostScan *scan, ExprRef condition, ExprRef *what, ExprRef *value);
// condition ? a : b, or just one of them where it covers the other: n == 0 ? 0 : n * 4.
ExprRef host_choose(HostScan *scan, ExprRef condition, ExprRef a, ExprRef b);

// ---- names.c
const char *host_clean_name(HostScan *scan, const char *name); // NULL if the name is none of the user's
const char *host_name_of_value(HostScan *scan, const HostFrame *frame,
                               IrRef ref); // "n", "m->rows"; never NULL
const char *host_name_of_content(HostScan *scan, const HostFrame *frame, IrRef address); // of what lies there
void host_note_name(HostScan *scan, ExprRef value, const char *name, bool is_of_loop, SrcLoc loc);
const char *host_name_of_load(HostScan *scan, const HostFrame *frame, IrRef load);
const char *host_name_of_allocation(HostScan *scan, const HostFrame *frame, const IrInst *call);
const char *host_display_name(const IrFunction *function);

// Among the kinds of cells: the pointer to an object's virtual functions, which only its constructors write.
enum { HOST_VIRTUAL_TABLE = 15 };

// ---- memory.c
typedef struct HostCell {
  ExprRef base;   // address of an object
  ExprRef offset; // bytes, width 64
  uint32_t bytes; // 1, 2, 4, 8
  uint8_t kind;   // IrTypeKind of the access that asks; IR_BYTES: any
} HostCell;
typedef struct HostAccess { // a read just before instruction `inst` of the frame
  HostFrame *frame;
  uint32_t inst;
  ExprRef address;
  uint32_t bytes;
  uint8_t kind;  // IrTypeKind
  bool is_whole; // what the load instruction `inst` gives
  IrRef namer;   // address to name an unknown value by, 0: none
  IrRef origin;  // address in `frame` that `address` lies `behind` bytes behind, 0: none
  int64_t behind;
  bool is_at_end; // read at the end of the block of `inst` on the way to block `next` instead
  uint32_t next;
} HostAccess;
ExprRef host_load(HostScan *scan, HostAccess access);

// What is in memory, where somebody knows more than that it was written: each is a row of contents.def, and who asks
// knows none of them by name.
typedef enum HostAbout {
  HOST_ABOUT_WRITE,   // what the instruction left in the cell, which it may have written
  HOST_ABOUT_MAIN,    // what the variable holds when main starts
  HOST_ABOUT_LAUNCH,  // what the launch left in the element
  HOST_ABOUT_LIBRARY, // likewise a call of a library that wrote the span
  HOST_ABOUT_LOOP     // what the element holds at the header of a loop that may write the array
} HostAbout;
typedef struct HostSpan {
  ExprRef apart, length; // of the cell from the first byte that is written; bytes
} HostSpan;
typedef struct HostQuestion {
  HostAbout about;
  HostFrame *frame;
  uint32_t index; // instruction, loop, or number of the variable
  HostCell cell;
  HostCallKind kind; // of the launch
  HostSpan span;
  ExprRef before; // what the element held before the loop
} HostQuestion;
struct HostContents { // a row; 0: it is not known
  HostAbout about;
  ExprRef (*value)(HostScan *scan, const HostQuestion *question);
};
// The first answer that is known, in the order of the table; else 0.
ExprRef host_ask(HostScan *scan, const HostQuestion *question);
#define HOST_CONTENTS(about, function) ExprRef function(HostScan *scan, const HostQuestion *question);
#include "hostscan/contents.def"
#undef HOST_CONTENTS
ExprRef host_cell_at_start(HostScan *scan, HostFrame *frame, uint32_t block, HostCell cell);
// At the end of `block`, on the way to `next` (CFG_NONE: out of the function).
ExprRef host_cell_at_end(HostScan *scan, HostFrame *frame, uint32_t block, uint32_t next, HostCell cell);
enum { HOST_MEMORY_DEPTH = 1200 }; // of reads in each other
static inline bool host_is_cell_size(uint64_t bytes) {
  return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}
// The value is of the cell after a call that may as well not have written it.
void host_note_doubt(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell, ExprRef value);
// What the cell of such a symbol held before that call; 0: it is none.
ExprRef host_before_doubt(HostScan *scan, uint32_t sym);
// What the instruction may have left in the cell; a symbol, if that is not known.
ExprRef host_after_write(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell);
// ---- effects.c
// What an instruction puts into the cell; 0: it leaves it as it is.
ExprRef host_effect(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell);
// A symbol for the cell at a place, always the same for the same (frame, place, cell).
typedef struct HostCellSymbol {
  HostFrame *frame;
  HostPlace place;
  uint32_t index; // block or instruction
  uint32_t loop;
} HostCellSymbol;
ExprRef host_cell_symbol(HostScan *scan, HostCellSymbol at, HostCell cell);
HostKey host_cell_key(const HostFrame *frame, HostPlace place, uint32_t index, HostCell cell);
bool host_cell_varies(HostScan *scan, HostCell cell, const HostFrame *frame, uint32_t loop);

// Is the instruction the one that makes the array of the element?
bool host_makes_array(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell);
// What the instruction may write is, or may be, the cell; no value is looked for.
bool host_touches(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell);
// Just before the instruction.
ExprRef host_cell_before(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell);
bool host_is_uninitialised(HostScan *scan, ExprRef ref); // a symbol for memory that nobody wrote

// ---- handles.c
enum { HOST_FOREIGN_KERNEL = 1 }; // in place of an address: of a kernel that is in none of the files
void host_textures_check(HostScan *scan, const IrFunction *kernel, const ExprRef *leaves,
                         LaunchContext *launch);

// ---- globals.c: variables of the program, in a whole program (A5)
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

// ---- table.c
ExprRef host_initial_word(HostScan *scan, const IrGlobal *table, HostCell cell); // 0: not known

// ---- contents.c: what arrays hold, by element
// Is the cell an element of which it is not said which one?
bool host_is_element(HostScan *scan, HostCell cell);
bool host_is_of_element(HostScan *scan, ExprRef ref); // is it another value for another element?
typedef struct HostLoopPlace {
  HostFrame *frame;
  uint32_t loop;
} HostLoopPlace;
// Is the array the same one in all rounds of the loop, and written in none?
bool host_is_steady(HostScan *scan, HostLoopPlace around, HostCell cell);
// ---- contents_read.c: the contents of what the kernel reads. leaves: by object of the launch.
typedef struct HostArguments HostArguments;
// The condition, of any element, with what is known of the functions in it and in the value.
ExprRef host_with_conditions(HostScan *scan, LaunchContext *launch, ExprRef condition, ExprRef value);
void host_contents_read(HostScan *scan, const HostArguments *from, const IrFunction *kernel,
                        const ExprRef *leaves, LaunchContext *launch);
ExprRef host_element(HostScan *scan); // the symbol
// With the unknown values of the element as functions of it.
ExprRef host_by_elements(HostScan *scan, ExprRef ref);
// What is said of the element, said of another one.
ExprRef host_at_element(HostScan *scan, ExprRef ref, ExprRef element);
// An unknown function of the element, like the symbol. Its value for the element, and the function.
ExprRef host_function_of_element(HostScan *scan, const ExprSym *like, uint32_t *func);
ExprFunc host_function_like(const ExprSym *sym);
ExprRef host_unknown_element(HostScan *scan, HostCell cell, SrcLoc loc); // whatever it holds
// "Is `offset`, to which a word of `bytes` is written, where the element lies?": the same place, or, for
// another width, overlapping.
ExprRef host_is_at_element(HostScan *scan, ExprRef offset, uint32_t bytes, HostCell cell);
bool host_holds_func(const ExprPool *pool, ExprRef ref, const IndexList *funcs); // one of them
void host_fill_fact(HostScan *scan, uint32_t func, ExprRef condition);

// ---- contents_idle.c: leaves out of what is said of arrays what says nothing.
void host_contents_drop_idle(HostScan *scan, LaunchContext *launch);

// ---- tallies.c: what a launch draws from counters that start at sums of what an earlier one counted.
// For a launch whose arguments and contents have been read.
void host_tallies_read(HostScan *scan, HostFrame *frame, uint32_t inst, HostCallKind kind,
                       LaunchContext *launch);

// ---- contents_kernel.c: what a launch leaves in an element
// The stores of a launch in a loop, by any round of it: of the round nothing is said, so values and
// conditions mention what changes in the loop. false: its stores are not understood.
typedef VEC(ExprRef) HostConditions;
typedef struct HostLaunchStore {
  uint32_t anchor;           // function that conditions are kept with
  ExprRef wrote;             // the store wrote the element
  ExprRef value;             // that it put there
  HostConditions conditions; // what holds then
  IndexList funcs;           // that say which thread it was
} HostLaunchStore;
typedef VEC(HostLaunchStore) HostLaunchStores;
bool host_stores_of_launch(HostScan *scan, HostFrame *frame, uint32_t inst, HostCallKind kind, HostCell cell,
                           HostLoopPlace around, HostLaunchStores *out);
const HostKernelUse *host_kernel_use(HostScan *scan, const IrFunction *kernel); // made once

// ---- computed.c
void host_computed_add(HostScan *scan); // to the objects of all launches: who else wrote them before

// ---- streams.c
// Are all launches that left something of what `value` says over when the operation at `inst` begins, which
// is put into `stream` (0: not known)?
bool host_fills_are_over(HostScan *scan, ExprRef value, HostFrame *frame, uint32_t inst, ExprRef stream);
// May what is put into the stream become part of a graph, which runs at another time than the call?
bool host_may_be_captured(HostScan *scan, ExprRef stream);
bool host_is_default_stream(HostScan *scan, ExprRef stream); // 0, or cudaStreamLegacy
// Is the launch at `inst`, into `stream` (0: not known), put into a graph, or may it be? Then it is made later, any
// number of times.
bool host_is_deferred(HostScan *scan, const HostFrame *frame, uint32_t inst, ExprRef stream);

// ---- allocate.c
uint32_t host_allocation(HostScan *scan, HostFrame *frame, uint32_t inst); // object of ALLOCATE*
typedef struct HostPitch {
  ExprRef pitch, width, height, depth; // bytes, rows; 64 bits; depth 0 for 2D
} HostPitch;
HostPitch host_pitch(HostScan *scan, HostFrame *frame, uint32_t inst); // of ALLOCATE_PITCH, ALLOCATE_3D
HostPitch host_image(HostScan *scan, HostFrame *frame, uint32_t inst); // of ALLOCATE_ARRAY; no pitch
typedef struct HostExtent { // a cudaExtent is argument `at` of a call that has `others` besides
  uint32_t at, others;
} HostExtent;
// Width (part 0), height or depth; 0 if it is not found.
ExprRef host_extent_part(HostScan *scan, HostFrame *frame, uint32_t inst, HostExtent extent, uint32_t part);
// The 64 bits so many bytes behind what argument `at` points to; 0 if that is no pointer.
ExprRef host_word_behind(HostScan *scan, HostFrame *frame, uint32_t inst, uint32_t at, uint32_t behind);

// ---- sizes.c
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
bool host_uses_sizes(HostScan *scan, const IrInst *inst);
// What holds of the sizes that an instruction uses, once it has been executed.
void host_sizes_say(HostScan *scan, HostFrame *frame, uint32_t inst, HostConditions *out);
// What is said of the numbers in a dimension of a launch.
void host_sizes_say_count(ExprPool *pool, Arena *arena, ExprRef count, HostConditions *out);

// ---- term.c

// An expression that is written out longer than this helps nobody: a symbol of its own takes its place.
enum { HOST_HEAVY = 400 };
uint32_t host_weight(HostScan *scan, ExprRef ref);         // size, written out as a tree
typedef bool (*HostSymVisit)(void *context, uint32_t sym); // false: enough
void host_each_sym(HostScan *scan, ExprRef ref, HostSymVisit visit, void *context); // each once
bool host_mentions(HostScan *scan, ExprRef ref, uint32_t sym);
ExprRef host_at_iteration(HostScan *scan, ExprRef ref, ExprRef count,
                          ExprRef iteration); // count := iteration
ExprRef host_replace(HostScan *scan, ExprRef ref, ExprRef what, ExprRef by);
void host_make_placeholder(HostScan *scan, ExprRef symbol); // before it is used
void host_set_form(HostScan *scan, ExprRef placeholder, ExprRef form);
ExprRef host_settle(HostScan *scan, ExprRef ref); // with all forms of placeholders found so far

// ---- loop.c
uint32_t host_loop_with_header(const Cfg *cfg, uint32_t block);          // CFG_NONE if it is no header
void host_loop_prepare(HostScan *scan, HostFrame *frame, uint32_t loop); // values of its phis
ExprRef host_loop_cell(HostScan *scan, HostFrame *frame, uint32_t loop, HostCell cell);
ExprRef host_loop_count(HostScan *scan, HostFrame *frame, uint32_t loop);
// A variable of a loop; where it has no place of its own, that of the loop's test.
SrcLoc host_loop_loc(HostScan *scan, const HostFrame *frame, uint32_t loop, const IrInst *phi);
bool host_sym_varies(const HostScan *scan, uint32_t sym, const HostFrame *frame, uint32_t loop);
bool host_varies_in(HostScan *scan, ExprRef ref, const HostFrame *frame, uint32_t loop);
// Does `ref` change in the loop in no way but through its iteration number?
bool host_depends_only_on_count(HostScan *scan, ExprRef ref, const HostFrame *frame, uint32_t loop);

// Is it start + stride * count, where start does not change in the loop?
bool host_split_affine(HostScan *scan, ExprRef offset, ExprRef count, ExprRef *start, int64_t *stride);

// ---- form.c: closed forms of header phis
void host_classify(HostScan *scan, HostFrame *frame, uint32_t loop);

// ---- loop_facts.c: what is known of values of a loop that have no closed form
// Of those that are pending when the loop's values have been classified.
void host_note_loop_facts(HostScan *scan, HostFrame *frame, uint32_t loop);
// Is it `base` and something that is never negative, added without leaving the word?
bool host_is_at_least(HostScan *scan, ExprRef ref, ExprRef base);

// ---- path.c
ExprRef host_edge_condition(HostScan *scan, HostFrame *frame, uint32_t from, uint32_t to);
bool host_leaves_loop(const Cfg *cfg, uint32_t above, uint32_t block); // from within one to behind it
// Condition to come from `dominator` to `block`; 0 if the region between is too large.
ExprRef host_reach_condition(HostScan *scan, HostFrame *frame, uint32_t dominator, uint32_t block);
ExprRef host_and(HostScan *scan, ExprRef a, ExprRef b); // without what the other side implies
ExprRef host_or(HostScan *scan, ExprRef a, ExprRef b);  // with (a & b) | (a & !b) = a
// Values that come in from `preds` of `block`: one expression, or 0 if it would be too large.
typedef struct HostWays {
  HostFrame *frame;
  uint32_t dominator, block; // all ways come from the dominator and end in the block
  uint32_t count;
  uint32_t preds[64];
  ExprRef values[64];
} HostWays;
ExprRef host_merge(HostScan *scan, const HostWays *ways);
// The predecessors of `block` for which `is_back` says whether the edge is a back edge; false if too many.
bool host_ways_in(HostFrame *frame, uint32_t block, bool is_back, HostWays *ways);

// ---- object.c
enum { HOST_TARGET_LIMIT = 16 };
// All objects that `address` can point into; false if there are too many.
bool host_targets(HostScan *scan, ExprRef address, HostTargets *targets);
// ---- kept.c
// Two pointers that were read back from memory: which allocation the program keeps at both their places, in
// words; NULL: none.
const char *host_kept_twice(HostScan *scan, ExprRef one, ExprRef other);
// ---- origins.c
// The objects that a pointer can be which changes in a loop and has no form there, or is computed in bits,
// each under a condition of its own; false if it is no such pointer, or they are too many or not seen.
bool host_origins(HostScan *scan, ExprRef leaf, HostTargets *targets);
// The only one that is not null: nobody reads or writes through null.
bool host_sole_target(HostScan *scan, ExprRef address, HostTarget *target);
// The functions that a call through a pointer may come to, by their addresses; false if it may be others.
bool host_called_functions(HostScan *scan, HostFrame *frame, uint32_t inst, HostTargets *targets);
static inline ExprRef host_leaf(const HostScan *scan, uint32_t object) {
  return scan->objects.items[object].leaf;
}
HostObject *host_object_of(HostScan *scan, ExprRef leaf); // made (HOST_POINTER) if it is none yet
// The object that an instruction makes; `which` tells several of one instruction apart.
uint32_t host_site(HostScan *scan, HostFrame *frame, uint32_t inst, uint32_t which, HostObject info);
uint32_t host_fixed_object(HostScan *scan, HostObjectKind kind, uint32_t index); // globals, functions
uint32_t host_pointer_object(HostScan *scan, ExprRef leaf, const char *name, SrcLoc loc);
ExprRef host_object_size(HostScan *scan, ExprRef leaf); // of this instance; 0 if unknown
// Can the two never be the same memory? Types are those of the accesses (IrTypeKind; IR_BYTES: any).
bool host_leaves_distinct(HostScan *scan, ExprRef a, ExprRef b);
bool host_is_any_address(HostScan *scan, ExprRef leaf);
bool host_kinds_distinct(uint8_t a, uint8_t b);
// Does the function let the address out that is in `slot` (an instruction, or behind them a parameter)?
bool host_lets_out(HostScan *scan, HostFunction *function, uint32_t slot);
bool host_is_captured(HostScan *scan,
                      HostObject *object); // could unknown code know its address, at any time?
bool host_is_captured_before(HostScan *scan, HostObject *object, const HostFrame *frame, uint32_t inst);
// Does the object come in by a parameter of the root, and has the code below it not let its address out
// before `inst`? Then a call that is not given it has nothing to do with it (A9).
bool host_is_unrelated_call(HostScan *scan, HostObject *object, const HostFrame *frame, uint32_t inst);
ExprRef host_add_offset(HostScan *scan, ExprRef base, ExprRef offset);

// ---- members.c
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

// ---- invariant.c, writers.c
typedef struct HostField {
  const char *owner;
  int64_t offset;
  uint32_t bytes;
  bool is_number, is_private; // an integer by itself; only code of the class can name it
} HostField;
typedef struct HostWriter { // an instruction that may write bytes [offset, offset + length) of an object
  HostFunction *function;
  uint32_t inst;
  IrRef address; // of the first byte
  const char *owner;
  int64_t offset, length;
} HostWriter;
typedef VEC(HostWriter) HostWriters;
typedef struct HostCheckpoint { // where what was written can be seen by others
  uint32_t inst;                // just before this one
  uint32_t block;               // or at the end of this block, on the way to `next`
  uint32_t next;                // CFG_NONE: before `inst`
} HostCheckpoint;
typedef VEC(HostCheckpoint) HostCheckpoints;
// All writers of the class, in order; false if a member may be written by code that cannot be followed.
bool host_writers_find(HostScan *scan, const char *owner, HostWriters *writers);
bool host_field_gets_out(HostScan *scan, const HostField *field); // its address, to code that may keep it
// A function of the class that may write to its members, and whose text is not seen; NULL if there is none.
const char *host_class_unseen(const HostScan *scan, const char *owner);
bool host_class_hides(const HostScan *scan, const HostField *field); // as one of its private members
// The end of the writer's block, if nothing that could look stands before it.
bool host_checkpoint_here(HostScan *scan, HostFrame *frame, const HostWriter *writer, HostCheckpoint *point);
// Where what the writer leaves behind is to be looked at; false if there are too many places.
bool host_checkpoints_find(HostScan *scan, HostFrame *frame, const HostWriter *writer,
                           const HostWriters *writers, HostCheckpoints *points);
// By block of the frame's function: may it begin after a write of one of them and before the next checkpoint?
bool *host_writers_between(HostScan *scan, HostFrame *frame, const HostWriters *writers);
void host_invariants_add(HostScan *scan); // to all launches

// ---- launch.c, arguments.c

// Is this call a launch? Indirect calls count if a push that no stub used comes before.
bool host_is_launch(HostScan *scan, HostFunction *function, uint32_t inst, HostCallKind *kind);
// The push whose configuration a stub call uses; NULL if another launch took it, or none is near.
const IrInst *host_find_push(HostScan *scan, HostFunction *function, uint32_t launch);
typedef struct HostStart { // one kernel that the launch may start
  const char *kernel;
  ExprRef condition;
  const char *undecided;
} HostStart;
typedef VEC(HostStart) HostStarts;
// Those that the pointer is seen to be; false if it may be something else.
bool host_starts_add(HostScan *scan, ExprRef pointer, HostStarts *starts);
uint32_t host_launch_operand(HostCallKind kind, const IrInst *call); // that says what is launched
// The one kernel that it starts; NULL: not known, or one of several.
const IrFunction *host_launched_kernel(HostScan *scan, HostFrame *frame, uint32_t inst, HostCallKind kind);
// Grid, block and shared memory of a launch, and where its arguments are.
void host_launch_shape(HostScan *scan, HostFrame *frame, uint32_t inst, HostCallKind kind,
                       LaunchContext *launch, HostArguments *arguments);
// Of a call that makes a node of a graph: is it none of a kernel; the function in its parameters, 0: not found.
bool host_node_starts_nothing(HostScan *scan, HostFrame *frame, uint32_t inst);
ExprRef host_node_function(HostScan *scan, HostFrame *frame, uint32_t inst, HostCallKind kind);
// Adds one context for each kernel the launch may start.
void host_launch_read(HostScan *scan, HostFrame *frame, uint32_t inst, HostCallKind kind);

struct HostArguments { // where the values of the arguments stand
  HostFrame *frame;
  uint32_t inst; // the launch
  bool in_array; // their addresses are in the array at `array`; else they are the operands of the call
  ExprRef array;
  ExprRef stream;  // of the launch; 0: not found
  uint32_t begins; // instruction that the launch begins with: its configuration
};
// `kernel` may be NULL: then every operand is taken for a parameter.
void host_arguments_read(HostScan *scan, const HostArguments *from, const IrFunction *kernel,
                         LaunchContext *launch);
// `type` at byte `offset` of a parameter; 0 if it was not found.
ExprRef host_argument(HostScan *scan, const HostArguments *from, const IrFunction *kernel, uint32_t param,
                      uint32_t offset, IrType type);
// Where the bytes of a parameter that is passed by value lie at the launch; 0: in registers, or not found.
ExprRef host_argument_address(HostScan *scan, const HostArguments *from, const IrFunction *kernel,
                              uint32_t param);
typedef struct HostSource { // of one parameter
  bool in_memory;
  ExprRef address;
  IrRef registers[2]; // at bytes 0 and 8
  uint32_t register_count;
} HostSource;
// Takes the operands that make up one parameter, from *next on; false if there are none.
bool host_source_in_operands(HostScan *scan, const HostArguments *from, uint32_t byval, uint32_t *next,
                             HostSource *source);
bool host_source_in_array(HostScan *scan, const HostArguments *from, uint32_t index, HostSource *source);
// What stands at the offset; 0: nothing.
ExprRef host_source_read(HostScan *scan, const HostArguments *from, const HostSource *source, uint32_t offset,
                         IrType type);
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
// "step<<<(n + 255) / 256, 256>>>(d_in, d_out, n)"
const char *host_describe_launch(const ExprPool *pool, Arena *arena, const char *kernel,
                                 const LaunchContext *launch);
// "d_in + n * 4", "k & 1 == 0 ? a : b", "n"
const char *host_describe_piece(const ExprPool *pool, Arena *arena, const LaunchContext *launch,
                                const ArgPiece *piece);

// From values that are known, one for each parameter: 64 bits and an address for a pointer.
void host_arguments_given(HostScan *scan, const IrFunction *kernel, const ExprRef *values,
                          LaunchContext *launch);
// Limits of the machine, the words for the dimensions and the description, when all else is there.
void host_launch_finish(HostScan *scan, LaunchContext *launch, const IrFunction *kernel);

// ---- children.c: launches in device code
#define HGRD_CHILD "__hgrd_child"                     // frontend/cuda/hgrd_launch.h
#define HGRD_HIDDEN_CHILD "__hgrd_launch_from_device" // its kernel has no name there
void host_children_add(HostScan *scan);

// ---- fact_store.c
typedef struct HostFactPlace { // where the facts that are being added come from
  HostScan *scan;
  IndexList *list;
  HostFrame *frame;
  uint32_t above; // the block whose branch they are, CFG_NONE if none
  uint32_t loop;  // a loop that they speak of when it is over, CFG_NONE if none
} HostFactPlace;
void host_fact_add(const HostFactPlace *place, ExprRef condition, FactClass class, SrcLoc loc);
// A fact that holds wherever its symbols occur. If it is what is known of one symbol, `about` is that: it
// counts where that symbol does. 0: where any of its symbols does.
void host_side_fact(HostScan *scan, ExprRef about, ExprRef condition, FactClass class, SrcLoc loc);
// What held when control was at the instruction, as far as its own function says (indices of scan->facts).
void host_facts_at(HostScan *scan, HostFrame *frame, uint32_t inst, IndexList *out);
// What holds after the call, after the step into the block from its dominator, after the call through a
// pointer.
const IndexList *host_facts_of_call(HostScan *scan, HostFrame *frame, uint32_t inst);
const IndexList *host_facts_of_step(HostScan *scan, HostFrame *frame, uint32_t block);
const IndexList *host_facts_of_frame(HostScan *scan, HostFrame *frame);
// The instruction of `block` from which on nothing is sure to be over on the way to `next` below it.
uint32_t host_facts_limit(const HostFrame *frame, uint32_t block, uint32_t next);
// ---- relevant.c: those that say something of a launch
void host_facts_collect(HostScan *scan, HostFrame *frame, uint32_t inst, LaunchContext *launch);
// Could a call of unknown code change the cell?
bool host_call_reaches(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell);
// Limits of the machine and of __launch_bounds__ (max_threads, 0: none).
void host_facts_hardware(ExprPool *pool, Arena *arena, LaunchContext *launch, uint32_t max_threads);
const char *host_text(const ExprPool *pool, Arena *arena, ExprRef ref);
// ---- clusters.c
void host_clusters_set(ExprPool *pool, LaunchContext *launch, const uint32_t *size); // NULL: of one block
void host_clusters_forget(LaunchContext *launch);
// What the kernel itself says of the size, and what follows from a size that is known.
void host_clusters_of_kernel(ExprPool *pool, Arena *arena, LaunchContext *launch, const IrFunction *kernel);
// The same behind all that the host says.
void host_clusters_settle(HostScan *scan, LaunchContext *launch, const IrFunction *kernel);

#endif
