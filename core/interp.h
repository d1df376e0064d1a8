// Runs one thread of a kernel on concrete values, to replay a witness: does this thread reach that access, at
// that address, after that many synchronisation points? Method: direct interpretation of the IR; memory is a
// byte map of what the thread itself wrote; a value read from memory that the thread did not write is
// "unknown" and poisons everything computed from it. Other threads are not run. Exact for integers, pointers
// and control flow; results of floating-point operations are those of the host's C arithmetic (no
// contraction, no flush to zero).
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CORE_INTERP_H
#define HGRD_CORE_INTERP_H

#include "core/ir.h"

// A concrete pointer: (object, byte offset). Objects are numbered by the caller; private ones are made
// inside. The null pointer is the WORD 0.
typedef struct InterpValue {
  enum { INTERP_UNKNOWN = 0, INTERP_WORD, INTERP_POINTER, INTERP_AGGREGATE } kind;
  int64_t word;         // WORD: signed reading, or the bits of a float. POINTER: byte offset in the object
  uint32_t object;      // POINTER
  const uint8_t *bytes; // AGGREGATE: type.bytes long, and
  const struct InterpPiece *pieces; // ... which of them are pointers or unknown, NULL if all plain
  uint32_t piece_count;
} InterpValue;

typedef struct InterpThread {
  int64_t grid_dim[3], block_dim[3], block_idx[3], thread_idx[3];
  int64_t cluster_dim[3]; // 0: not known
  int64_t elected;        // the lane of its warp that is elected
} InterpThread;

// A parameter passed by value as a struct is a list of pieces.
typedef struct InterpPiece {
  uint32_t offset, bytes;
  InterpValue value;
} InterpPiece;

typedef struct InterpArg {
  uint32_t piece_count; // a scalar or pointer is one piece at offset 0
  const InterpPiece *pieces;
} InterpArg;

typedef struct InterpAccess {
  uint32_t inst; // index of the instruction
  uint32_t object;
  int64_t offset; // bytes
  uint32_t bytes;
  uint32_t barriers_block; // block barriers passed before (grid barriers count too)
  uint32_t barriers_grid;
  uint32_t barriers_warp; // warp barriers passed before (block and grid barriers count too)
  // Barriers passed before that cover a part of their warp or block only, or lanes not known; in none of the
  // above.
  uint32_t barriers_partial;
  bool after_opaque; // a call, asm or unknown operation was passed: it may have synchronised, counts may be
                     // too low
  bool is_write;
} InterpAccess;

// A barrier that the thread has just passed; of a barrier object the arrival (kind ARRIVAL) and the wait
// (AWAIT).
typedef struct InterpSync {
  uint32_t inst;
  uint8_t kind;    // IrBarrierKind
  uint8_t scope;   // IrScope
  bool is_partial; // counted in barriers_partial only
  bool group_known;
  int64_t group; // WARP SYNC: lane mask; TILE: lanes of a tile; NAMED: barrier number
} InterpSync;

typedef enum InterpStop {
  INTERP_DONE,         // the thread returned, or a callback asked to stop
  INTERP_NEEDS_MEMORY, // control or an address depends on contents of memory, other threads, or undefined
                       // values
  INTERP_UNSUPPORTED,  // an operation that cannot be interpreted decides control or an address
  INTERP_STEP_LIMIT,
  INTERP_UNDEFINED // division by zero, signed overflow, unreachable, access at null or outside a private
                   // object
} InterpStop;

// Where and why the run ended.
typedef struct InterpEnd {
  uint32_t inst;   // the instruction that it ended at
  bool has_source; // NEEDS_MEMORY, UNSUPPORTED: the value that was missing was lost at ...
  uint32_t source; // ... this instruction (a load, a call ...)
  uint64_t steps;
  uint32_t barriers_block, barriers_grid, barriers_warp, barriers_partial;
} InterpEnd;

// For a branch of which the condition is unknown: where its ways meet again, if they all do, and the blocks
// between. The thread goes on there; what the blocks between compute or write is unknown from then on.
typedef struct InterpJoin {
  uint32_t block;         // UINT32_MAX: there is none, or the way between matters; the run stops
  const uint8_t *between; // by block
} InterpJoin;

typedef struct InterpRequest {
  const IrModule *module;
  const IrFunction *kernel;
  InterpThread thread;
  uint32_t arg_count;
  const InterpArg *args;
  const uint32_t *global_objects; // object number of each IrModule global
  uint32_t first_private_object;  // allocas get numbers from here on; must be above all others
  // Shared memory of other blocks of the cluster: object number of the block with rank r is that of the own
  // one and (r + 1) * cluster_stride, below first_private_object. 0: an access to it is one at an unknown
  // place.
  uint32_t cluster_stride, cluster_blocks;
  uint64_t step_limit;
  // Contents of memory that the launch context knows; false: unknown. May be NULL. Not asked about bytes that
  // the thread itself may have written. That no other thread writes them is for the callback to know.
  // Constant initial data of the module (IrGlobal.data of an is_constant global) is known without it.
  bool (*read)(void *context, uint32_t object, int64_t offset, uint32_t bytes, InterpValue *value);
  // Each access to memory that is not private; false stops. May be NULL.
  bool (*access)(void *context, const InterpAccess *access);
  // Each barrier passed; false stops. May be NULL.
  bool (*sync)(void *context, const InterpSync *sync);
  // Each commit of asynchronous copies and wait for them; `left`: groups that may be left under way, -1:
  // unknown. May be NULL.
  void (*async)(void *context, uint32_t inst, int64_t left);
  // Each way taken from one block to another; to the first one from UINT32_MAX. May be NULL.
  void (*edge)(void *context, uint32_t from, uint32_t to);
  void *context;
  // Memory that is not private and that the thread wrote reads back as written (else it is unknown, since
  // another thread may have overwritten it).
  bool own_writes_stand;
  // An access whose address is unknown is passed over, not reported: a load gives an unknown value, after a
  // store all that it could reach is unknown. Else such an access stops the run.
  bool passes_unknown_accesses;
  // Results of floating-point operations and casts to floating point are unknown (cause: unsupported), since
  // rounding on the device may differ.
  bool floats_are_unknown;
  // Pure functions by the name of __hgrd_pure_any_*, of which each value is right (where a library keeps what is its own),
  // give 0: the run is one of those that can be. Else their results are unknown.
  bool chooses_any;
  // By block; NULL: the run stops at each branch of which the condition is unknown. What lies between is not
  // told to the callbacks, and is taken to come to an end.
  const InterpJoin *joins;
  // By instruction: a call that touches no memory but what the thread alone has. NULL: nothing is known.
  const uint8_t *private_calls;
  InterpEnd *end; // filled if not NULL
} InterpRequest;

// Memory taken from `scratch` is given back before the return: callbacks must not allocate from it.
MUST_USE InterpStop interp_run(const InterpRequest *request, Arena *scratch);

#endif
