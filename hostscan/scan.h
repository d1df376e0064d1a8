// Shared by all sub-rooms of the host scan: the state of one scan, and the words that all of them speak: calls, functions,
// activations, symbols, objects, facts, cells of memory. Functions stand at the door of their sub-room.
//
// All values are expressions of one pool. A pointer is a 64-bit expression over the address symbols of
// objects, so that swapping, merging and substituting treat numbers and pointers alike; host_targets takes
// it apart again. A symbol is one unknown value: the one that its definition had when control was there
// last before the launch. That is the same instance for all users, since definitions dominate uses; what
// changes from one iteration of a loop to the next must not be used across its back edge, which
// value/loop.c sees to.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_HOSTSCAN_SCAN_H
#define HGRD_HOSTSCAN_SCAN_H

#include "core/bug.h"
#include "core/cfg.h"
#include "core/symeval.h"
#include "core/table.h"
#include "hostscan/hostscan.h"

typedef VEC(uint32_t) IndexList;

// ---- small tuples to a number
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

// ---- calls
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
  CALL_COPY_ROWS,        // cudaMemcpy2D(destination, pitch, source, its pitch, width, height, ...)
  CALL_COPY_SYMBOL,      // cudaMemcpyToSymbol(variable, source, bytes, offset, ...)
  CALL_COPY_FROM_SYMBOL, // cudaMemcpyFromSymbol(destination, variable, bytes, offset, ...)
  CALL_FILL,             // cudaMemset(destination, byte, bytes, ...)
  CALL_LIBRARY,          // __hgrd_contents_*(destination, elements, bytes of each, stream ...)
  CALL_COPY_PLAIN        // memcpy, memmove as a call: destination, source, bytes
} HostCallKind;

typedef struct HostCall {
  const char *name;
  HostCallKind kind;
  // ALLOCATE, NEW: index of the argument that is the size; WRITES: bytes that it writes behind each of its
  // outputs at most, 0: any number; FILL: bytes of the number that it fills with.
  uint8_t size;
  uint32_t outputs; // WRITES: bit i = argument i
  bool is_device;   // the object is device (or managed) memory
} HostCall;

typedef enum HostCallClass {
  CLASS_UNKNOWN = 0,
  CLASS_DEFINED,
  CLASS_QUIET,     // writes nothing that exists already
  CLASS_OUTPUTS,   // writes through the arguments that host_call_outputs names
  CLASS_ALLOCATES, // writes the address of an object through its first argument, perhaps sizes besides
  CLASS_LAUNCHES
} HostCallClass;

// ---- functions
typedef enum HostTri { TRI_UNKNOWN = 0, TRI_NO, TRI_YES, TRI_BUSY } HostTri;

typedef enum HostDoing {
  HOST_CHANGES_DEVICE, // may leave another device current
  HOST_RECORDS_EVENT,
  HOST_DOES
} HostDoing;

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
  uint8_t *param_later;       // likewise, with calls that work later
  IndexList **param_captures; // by parameter: instructions that let it out; NULL until asked
  uint32_t *stamp, stamp_round; // by block: visited in this round of a walk
  IndexList returns;            // blocks that end in RET
  IndexList callers;            // functions with a direct call of this one
  HostTri has_effects;
  HostTri does[HOST_DOES];    // itself, or a function that it calls
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
  bool is_called_unseen;    // perhaps by a call through a pointer of which it is not seen what it calls
  uint32_t chains;          // frames from which its launches were read
} HostFunction;

typedef struct HostCallee { // what a name of a callee means
  const char *name;
  const HostCall *call;
  HostFunction *function;            // CALL_DEFINED
  const struct HostPrinter *printer; // prints by a format; NULL: it does not
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
  uint32_t piece;   // of what that instruction gives: where in it, in bytes
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
  ExprRef hangs_on;      // of a choice between what rounds of a loop did: what a round does; 0: it is none
  bool is_choice;        // which of several objects a pointer is that changes in a loop: origins.c
  uint32_t by_iteration; // the same as a function of the iteration number, + 1; 0: not asked yet
  uint32_t by_rising;    // likewise, as one that is known to rise
  uint32_t guess;        // where it leads, taken for granted until all has been read: index + 1; 0: none
  uint8_t place;         // content of memory: 1 + HostPlace, and which one
  HostFrame *place_frame;
  uint32_t place_index;
  bool is_misalignment; // the low bits of an address, of which nothing is known
  bool is_unfollowed; // where in an object an address is that the host computes in ways that are not followed
  bool is_any_address; // stands for an address whose object is not known yet: may be in any
  uint32_t round;      // in which it was seen to matter for a launch
  uint32_t fact_count; // so many facts speak of it
  uint32_t side_facts; // the first link of those that hold wherever it occurs; 0: none
  uint32_t facts;      // the first link of those on the way to the launch that is read; 0: none
  bool is_tested;      // a fact on a way hangs on it alone
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
  const HostFunction *given_to; // it is a parameter of this root
  bool is_out_of_reach;         // device memory that host code cannot write by itself
  bool is_constant;             // a variable in constant memory: nor does a kernel
  bool is_copied;               // begins with what another object held (realloc)
  bool is_trusted;              // a call was taken to leave it alone (A9)
  bool is_apart;                // a copy to other memory from outside was (A2)
  IndexList captures;           // instructions of `frame` that let its address out of what is followed here
  IndexList ways_out;           // those that let it out to code that is not seen
  IndexList ways_later;         // those that let it out to code that is not seen, or to calls that work later
  IndexList held_out;           // the calls among them that are given what holds it
  bool has_ways_out;            // which are listed
  bool has_ways_later;
  bool has_held_out;
  uint8_t captured; // HostTri
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

// A function of an element that stands for what a symbol was when the element was written, or for what code that is not followed put there.
typedef struct HostFuncOrigin {
  uint32_t func, sym; // sym: 0 if it is none
  const char *writer; // then who it was
} HostFuncOrigin;

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
  struct {
    bool writes_anything, writes_pointers; // likewise, but for what kernels do that it launches
  } own;
  bool reads_pointers;                        // from memory, not only out of parameters
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
  bool is_early;            // it may start before the launches in front of it are over
  ExprRef stream, behind;   // HostArguments
  uint32_t begins;          // likewise
} HostLaunchRead;

// A launch, a call of a library or a copy that wrote the element. What it left there is known where it is over.
typedef struct HostKernelFill {
  uint32_t func; // says whether it wrote the element; of a copy: stands for what it wrote (series/pending.c)
  HostFrame *frame;
  uint32_t inst;  // that it begins with
  ExprRef stream; // 0: not known
} HostKernelFill;

// What a launch counts in an array: by how much it raises the element, all threads together, or what a block
// counted that is stored there.
typedef struct HostHistogram {
  uint32_t func;
  HostFrame *frame;
  uint32_t inst;
  uint8_t kind; // HostCallKind
  ExprRef base; // of the array
  uint32_t bytes;
  uint32_t store; // of what each block counted in shared memory; CFG_NONE: the launch adds to the element
} HostHistogram;

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

// Among the kinds of cells: the pointer to an object's virtual functions, which only its constructors write.
enum { HOST_VIRTUAL_TABLE = 15 };

typedef struct HostCell {
  ExprRef base;   // address of an object
  ExprRef offset; // bytes, width 64
  uint32_t bytes; // 1, 2, 4, 8
  uint8_t kind;   // IrTypeKind of the access that asks; IR_BYTES: any
} HostCell;

typedef struct HostLoopPlace {
  HostFrame *frame;
  uint32_t loop;
} HostLoopPlace;

typedef struct HostLoopText { // in whichever activation
  uint32_t function, loop;
} HostLoopText;
typedef VEC(HostLoopText) HostLoopTexts;

typedef struct HostGuess {             // of a pointer that lies in memory at the header of a loop (guesses.c)
  ExprRef placeholder, entering, next; // next: 0: not known yet
  HostLoopText loop;
  bool is_used, is_checked;
} HostGuess;

// How often a key comes in the rounds of a loop, which adds one to the element `before` + key of an array in each (contents/counts.c).
typedef struct HostKeyCount {
  uint32_t func; // of the key
  HostLoopPlace loop;
  HostCell cell;
  ExprRef key, test; // in a round of the loop; whether the round begins
  int64_t before;
} HostKeyCount;

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
typedef struct HostForks HostForks;
typedef struct HostArguments HostArguments;

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
  const HostArguments *launch_read; // of the launch whose arguments are read now; NULL: none is
  const HostContents *contents;     // contents.def; no value at the end
  HostFunction *functions;          // by index in the module
  HostMap callees;                  // hash of a name -> index into `called` + 1
  HostMap names;                    // (hash of a name, module) -> index of the function + 1
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
  IndexList element_syms;   // likewise contents at places that are no numbers
  VEC(HostLaunch) launches; // that were read, with the symbols that matter to them
  bool *is_running;         // by function: can it come to be executed? NULL until asked
  HostTri named_doing
      [HOST_DOES]; // does the program name a function that does it? Then `does` of its functions is known
  HostTri has_odd_streams, has_unseen_code; // waits.c
  HostTri has_files_left_out;               // globals.c
  HostKept *kept;                           // stored_twice.c; NULL until asked
  HostForks *forks;                         // forks.c; NULL until asked
  struct HostLeaving *leaving;              // leaving.c; NULL until asked
  HostMembers *members;                     // which bytes of which classes addresses are; NULL until asked
  VEC(HostFactLink)
  side_links;     // [0] unused; of facts that hold wherever their symbols occur: pitches, ranges of
                  // iteration numbers
  uint32_t depth; // of recursion
  uint32_t capture_depth, capture_lowest, capture_searches; // of the search for what lets an address out
  uint32_t instruction_count;                               // of the module
  uint32_t reads, read_steps; // of memory: in each other; blocks that the outermost has gone over
  uint64_t steps;             // that all have gone over
  VEC(HostGuess) guesses;
  HostLoopTexts unguessed; // loops for which a guess has not held
  bool guesses_allowed;
  uint32_t guess_depth;
  ExprRef element; // the number of a byte in an array, whichever it is: a symbol; 0: not made yet
  VEC(HostFillFact) fill_facts;
  VEC(HostFuncOrigin) func_origins;
  IndexList uninitialised_funcs; // of an element: what nobody has written
  IndexList computed_funcs; // of an element: what a thread of the device made in ways that are not followed
  VEC(HostLaunchRead) all_launches;
  VEC(HostKernelFill) kernel_fills;
  VEC(HostHistogram) histograms;
  VEC(HostKeyCount) key_counts;
  IndexList part_counts;                   // functions of an element: how often its key has come so far
  ExprRef lane_numbers[HOST_LANE_NUMBERS]; // HostLaneNumber; 0: not made yet
  uint32_t fill_depth;                     // launches whose stores are looked into, in each other
  VEC(const HostKernelUse *) kernel_uses;
  uint8_t *global_uses;      // by global: how its address is used (globals.c); NULL until asked for
  HostFrame *before_main;    // of the constructors of variables; NULL until asked for
  HostTri sets_clusters;     // may the program set the size of a kernel's clusters by a call?
  uint8_t *global_written;   // by global: HostTri, written by code that runs before main
  VEC(HostTargets) origins;  // by MEMO_ORIGINS
  VEC(IndexList *) ways_out; // by MEMO_WAYS_OUT; NULL: being looked for
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
  MEMO_WAYS_OUT,    // frame, object -> index into `ways_out` + 1
  MEMO_PENDING,     // function -> 1: it stands for what a copy wrote
  MEMO_COPY,        // frame, instruction, width -> such a function + 1
  MEMO_CHECKS,      // symbol -> 1: what its loop tests of it is among the facts
  MEMO_LOW_BITS,    // address of an object -> its low bits
  MEMO_IN_NUMBER,   // leaf of a pointer -> 1: it was made a number
  MEMO_BY_ROUNDS, // symbol, loop, frame -> function of the iteration numbers of that loop and those in it, + 1
  MEMO_READ,      // object, frame, place and kind of place, width -> function of where in the object, + 1
  MEMO_TOUCHED,   // frame, call, cell, function -> HostTri: may its body write the cell?
} HostMemo;

static inline bool host_is_cell_size(uint64_t bytes) {
  return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

// For assertions: what is handed on is of this scan, and of this activation.
static inline bool host_has_expr(const HostScan *scan, ExprRef ref) {
  return expr_is_of(scan->pool, ref);
}
static inline bool host_has_word(const HostScan *scan, ExprRef ref,
                                 uint8_t width) { // an expression of that width
  return expr_is_of(scan->pool, ref) && expr_width(scan->pool, ref) == width;
}
static inline bool host_has_cell(const HostScan *scan, HostCell cell) {
  return host_has_word(scan, cell.base, 64) && host_has_word(scan, cell.offset, 64) && cell.bytes > 0;
}
static inline bool host_function_has_inst(const HostFunction *function, uint32_t inst) {
  return inst < function->ir->insts.count;
}
static inline bool host_function_has_block(const HostFunction *function, uint32_t block) { // once it is open
  return function->cfg && block < function->cfg->block_count;
}
static inline bool host_function_has_loop(const HostFunction *function, uint32_t loop) {
  return function->cfg && loop < function->cfg->loops.count;
}

// The stores of a launch in a loop, by any round of it: of the round nothing is said, so values and
// conditions mention what changes in the loop. false: its stores are not understood.
typedef VEC(ExprRef) HostConditions;

#endif
