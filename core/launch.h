// What the host says about one launch of a kernel: the product of hostscan, the input of kernelscan.
// All expressions live in one ExprPool per program. Symbols are owned by nobody (OWNER_UNIFORM): a launch
// parameter is the same for all threads. One LaunchContext is one call chain with its own symbols and facts;
// contexts are alternatives and are never merged.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CORE_LAUNCH_H
#define HGRD_CORE_LAUNCH_H

#include "core/expr.h"
#include "core/vec.h"

typedef enum FactClass {
  FACT_ASSERT = 1, // 1 asserts and dominating branches of the host
  FACT_LAUNCH,     // 2 launch dimensions, shared size, __launch_bounds__
  FACT_RELATION, // 3 relations between values (values equal by construction need no fact: they share symbols)
  FACT_LOOP,     // 4 bounds of host loops
  FACT_ALLOCATION, // 5 sizes of allocations
  FACT_CONTENTS,   // what the host wrote into an array
  FACT_HARDWARE,   // limits of the machine: blockDim.z <= 64 ...
  FACT_USER        // --assume, --block-dim, annotation headers
} FactClass;

typedef struct Fact {
  ExprRef condition; // width 1; holds whenever the launch happens
  FactClass class;
  SrcLoc loc;        // loc.file NULL for hardware limits and the command line
  const char *text;  // for a reader: "rows == cols"
  bool is_of_before; // of what a variable held before a call that may have changed it (LaunchDoubt), alone
} Fact;

// What lies behind a pointer. Two pointers into different objects never overlap (for OBJECT_UNKNOWN that is
// the listed assumption A2); the same object with different offsets may.
typedef enum ObjectKind {
  OBJECT_NONE = 0,
  OBJECT_ALLOCATION, // cudaMalloc*, new[], vector ... : one (site, call chain, loop instance)
  OBJECT_UNKNOWN,    // a pointer the host scan cannot see the origin of (parameter of a visible function)
  OBJECT_GLOBAL,     // a __device__ or __constant__ variable: `name` is its mangled name
  OBJECT_NULL        // the null pointer: an access through it is no race
} ObjectKind;

// Somebody on the device who may have written an array before a launch.
typedef struct LaunchWriter {
  const struct LaunchContext *launch; // NULL: not a launch of the program's own kernels that was seen
  bool is_earlier; // it comes first, not only in a round before; false if that is not known
  bool in_round;   // a loop of the host may come by it between two rounds of the launch; it may be the launch
  bool may_go_on;  // it need not be over when the launch starts
  bool stores;     // a launch: it leaves what it has computed there, and does not only count
  bool is_first;   // on some way of the host it comes before all others that are listed with it,
  bool is_last;    // and on some way behind all others, before the launch
  bool is_any;     // it stands for launches that have not been told from each other
  bool may_meet;   // one of those that may come next, or the launch, may begin before it is over
  uint64_t next;   // of those that are listed with it, the ones that may come next: bit i = item i
} LaunchWriter;
typedef VEC(LaunchWriter) LaunchWriters; // the launches among them in the order of the program

// A variable of the device that launches have used before, or do in another round of a loop.
typedef struct LaunchVariable {
  const char *name; // mangled
  LaunchWriters writers;
} LaunchVariable;

typedef struct LaunchObject {
  ObjectKind kind;
  const char *name;   // as the user would say it: "d_out"
  ExprRef size_bytes; // width 64; 0 (none) if unknown
  SrcLoc loc;
  ExprRef leaf;            // its address on the host, the same in all launches of the program; 0: null
  const char *computed_by; // who on the device may have written it before: "kernel 'fill'"; NULL: nobody
  SrcLoc computed_at;
  bool is_of_library;    // a function of a toolkit's library is who did
  LaunchWriters writers; // all who may have, the launch itself in a loop included
} LaunchObject;

// One possible target of a pointer: under `condition` (0 = always) it is `object` + `offset` bytes (width
// 64).
typedef struct PointerTarget {
  ExprRef condition;
  uint32_t object; // index into LaunchContext.objects
  ExprRef offset;
} PointerTarget;

// A piece of an argument as it lies in parameter memory. A scalar is one piece at offset 0.
typedef struct ArgPiece {
  uint32_t offset, bytes;
  ExprRef word; // a number (floats: their bits), or 0 when it is a pointer
  bool is_float;
  uint32_t target_count; // a pointer: its possible targets; conditions exclude each other
  const PointerTarget *targets;
} ArgPiece;

// Which pointers lie in memory when the kernel starts, at any place of an object: at offset `element` (a symbol
// of width 64) lies `pointer`. Object 0 among its targets: it is not known what lies there (A8).
typedef struct LaunchHeld {
  uint32_t object;    // index into LaunchContext.objects; 0: the variable `global`, or a parameter
  const char *global; // mangled device name; of a parameter, what the kernel calls it
  uint32_t parameter; // 1 + the number of the parameter, passed by value, that it lies in; 0: it does not
  ExprRef element;
  ArgPiece pointer;
  const char *untold; // who may have put others there, in a way that is not followed; NULL: nobody
} LaunchHeld;

// What an array holds when the kernel starts, for any element of it: `bytes` bytes at offset `element` (a
// symbol of width 64 that stands for the offset of whichever element is asked for) are `value`.
typedef struct LaunchContent {
  uint32_t object;    // index into LaunchContext.objects; 0: the variable `global`, or a parameter
  const char *global; // mangled device name; of a parameter, what the kernel calls it
  uint32_t parameter; // 1 + the number of the parameter, passed by value, that it lies in; 0: it does not
  uint32_t bytes;
  ExprRef element;         // to be replaced by an offset in all that follows
  ExprRef value;           // width 8 * bytes
  ExprRef is_written;      // the host wrote the element; holds wherever it is read. 0: nothing is known
  VEC(ExprRef) conditions; // hold for any element: of functions of the element that stand in the value
  bool is_counted;         // made of counts that a launch made, of which nothing else is known
  bool is_computed;        // the device computed some of it, in ways that are not followed
  bool is_of_threads;      // numbers of threads or elements in it are taken not to wrap (A1)
  uint32_t fact; // index into LaunchContext.facts of its text; what is concluded from it leans on that
} LaunchContent;

// Host code whose text is seen put numbers into an array that the kernel reads, and it is not said which: no flag or
// counter there may be taken to be zero.
typedef struct LaunchUntold {
  uint32_t object;    // index into LaunchContext.objects; 0: the variable `global`
  const char *global; // mangled device name
  uint32_t bytes;     // of the words that were asked for
  const char *who;    // "'cudaMemset2D' at line 12"
} LaunchUntold;

// No more is drawn than was counted: all that the launch adds to a word of an array, at offset `o` of the
// object, is together at most func(o - apart), a function that stands in what is known of the array's
// contents. All that it does to the array is to add amounts that are not negative.
// Or of counters in shared memory that start at words of the array: then this is what a block adds to the
// counter that starts at the word at offset `o`, and `setting` stores that word to the counter, before all
// additions; no thread does anything else to the counters.
typedef struct LaunchHistogram {
  uint32_t object, bytes; // the array, the width of its words
  uint32_t func;
  int64_t apart;
  const char *shared; // mangled device name of the counters; NULL: they are the array's words
  uint32_t setting;   // instruction of the kernel
  // Then no two blocks, and no two counters of one, start at one word: the words at offset `o` belong to the
  // block with the number of_block(o - apart) along the first axis, to its counter at offset
  // of_slot(o - apart).
  uint32_t of_block, of_slot;
} LaunchHistogram;

// What a variable of the host holds after a call without a body that it was not given to: the call may know
// of it, and then it may have changed it. Or another choice of the solver's that need not be so in the
// program, such as two pointers being one, or a number that the program computes in ways that are not followed.
typedef struct LaunchDoubt {
  ExprRef value,
      before; // after the call (a symbol), before it; 0: it is some number that the program computes (a symbol,
              // or what a function gives that stands for one)
  const char *name, *call; // "height", "other()"
  SrcLoc loc;              // of the call
  const char *text;        // what has to be, as a sentence, where it is no call that is in doubt; NULL
} LaunchDoubt;

typedef struct LaunchArg {
  VEC(ArgPiece) pieces; // ascending offsets; bytes not covered are unknown
} LaunchArg;

typedef struct LaunchContext {
  uint32_t place;          // in the order of the program's launches; those in one loop: within a round
  const char *kernel;      // mangled device name
  const char *description; // "step<<<(n + 255) / 256, 256>>>(d_in, d_out, n)"
  SrcLoc loc; // the launch; inlined_at gives the call chain. loc.file NULL: no launch seen ("any launch")
  ExprRef grid[3], block[3]; // width 32
  ExprRef shared_bytes;      // dynamic shared memory; width 64; 0 = unknown
  ExprRef cluster[3];        // blocks of a cluster along each axis, width 32; 0: not known
  bool is_cooperative;
  unsigned assumptions; // ASSUME_* of finding.h that its expressions and facts lean on
  bool is_any;          // made up because the host code shows no launch
  bool is_guess;        // by a pointer of unknown value: this kernel is one that it may start
  VEC(LaunchArg) args;
  VEC(LaunchObject) objects; // [0] is unused
  VEC(LaunchHeld) held;      // of objects that the kernel reads pointers from, where something is known
  VEC(LaunchContent) contents;
  // Of arrays of which nothing is known, since a host loop comes round to the launch: what they held before
  // its first round. Without conditions.
  VEC(LaunchContent) begun;
  VEC(LaunchUntold) untold;
  VEC(LaunchHistogram) histograms;
  VEC(LaunchVariable) variables; // of those that the kernel itself uses
  VEC(LaunchDoubt) doubts;       // of symbols in all of this
  VEC(Fact) facts;               // path condition included; those of contents are plainly true by themselves
  // For a reader: "gridDim.x == (n + 15) / 16" for each dimension that is no plain number, and 0 for the
  // others; x, y, z of the grid, then of the block. The conditions are plainly true: grid and block hold the
  // values themselves.
  Fact dimensions[6];
  VEC(const char *) broken; // for a reader: relations that most code keeps, and who does not
  VEC(const char *)
  undecided; // reasons why this context is not fully understood; not empty: no proof from it
} LaunchContext;

#endif
