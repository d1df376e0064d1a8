// Runs one thread of a kernel on concrete values, to replay a witness: does this thread reach that access, at
// that address, after that many synchronisation points? Method: direct interpretation of the IR; memory is a
// byte map of what the thread itself wrote; a value read from memory that the thread did not write is
// "unknown" and poisons everything computed from it. Other threads are not run. Exact for integers, pointers
// and control flow. SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CORE_INTERP_H
#define HGRD_CORE_INTERP_H

#include "core/ir.h"

// A concrete pointer: (object, byte offset). Objects are numbered by the caller; private ones are made
// inside.
typedef struct InterpValue {
  enum { INTERP_UNKNOWN = 0, INTERP_WORD, INTERP_POINTER, INTERP_AGGREGATE } kind;
  int64_t word;         // WORD: signed reading, or the bits of a float. POINTER: byte offset in the object
  uint32_t object;      // POINTER
  const uint8_t *bytes; // AGGREGATE: type.bytes long, and
  const struct InterpPiece *pieces; // ... which of them are pointers or unknown, NULL if all plain
} InterpValue;

typedef struct InterpThread {
  int64_t grid_dim[3], block_dim[3], block_idx[3], thread_idx[3];
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
  bool is_write;
} InterpAccess;

typedef enum InterpStop {
  INTERP_DONE,         // the thread returned, or the callback asked to stop
  INTERP_NEEDS_MEMORY, // control or an address depends on memory contents
  INTERP_UNSUPPORTED,  // an operation that cannot be interpreted decides control or an address
  INTERP_STEP_LIMIT,
  INTERP_UNDEFINED // division by zero, signed overflow, unreachable
} InterpStop;

typedef struct InterpRequest {
  const IrModule *module;
  const IrFunction *kernel;
  InterpThread thread;
  uint32_t arg_count;
  const InterpArg *args;
  const uint32_t *global_objects; // object number of each IrModule global
  uint32_t first_private_object;  // allocas get numbers from here on; must be above all others
  uint64_t step_limit;
  // Contents of memory that the launch context knows; false: unknown. May be NULL.
  bool (*read)(void *context, uint32_t object, int64_t offset, uint32_t bytes, InterpValue *value);
  bool (*access)(void *context, const InterpAccess *access); // each access to non-private memory; false stops
  void *context;
} InterpRequest;

MUST_USE InterpStop interp_run(const InterpRequest *request, Arena *scratch);

#endif
