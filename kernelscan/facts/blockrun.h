// One run of all threads of a block from a basic block on, in which numbers that do not depend on memory are
// numbers, and all others are sums of ATOMS: what one thread read, compared or voted at one instruction.
// Shared by blockrun*.c, which make the run, and blocksums.c, which reads sums of prefixes off it.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_FACTS_BLOCKRUN_H
#define HGRD_KERNELSCAN_FACTS_BLOCKRUN_H

#include "core/table.h"
#include "kernelscan/facts.h"

typedef enum RunKind { RUN_NONE, RUN_NUMBER, RUN_SUM, RUN_POINTER, RUN_BITS, RUN_UNKNOWN } RunKind;

// factor times the atoms of one class of the threads [lo, hi)
typedef struct RunPiece {
  uint32_t atom_class;
  uint16_t lo, hi;
  int32_t factor;
} RunPiece;

typedef struct RunSum {
  int64_t constant;
  int64_t least, most; // the value lies between
  uint32_t count;
  const RunPiece *pieces; // ascending by class and thread, none empty
} RunSum;

typedef struct RunValue {
  uint8_t kind;              // RunKind
  uint32_t object;           // POINTER: 1 + the module's variable in shared memory, 0: other memory
  int64_t number;            // NUMBER; POINTER: offset; BITS: where `bits` has no sum
  bool is_somewhere;         // POINTER: the offset is not known
  const RunSum *sum;         // SUM
  const RunSum *const *bits; // BITS: 32 of them; NULL: the bit of `number`
} RunValue;

// An instruction that gives each thread an unknown value of its own.
typedef struct AtomClass {
  uint32_t inst;
  uint32_t visit; // 0: it is in no loop behind the start, or in one that was passed over
  bool is_vote;   // whether the value voted on is not zero
  int64_t lo, hi;
} AtomClass;

// The value of an instruction as one thread had it, in one round of the loop around it.
typedef struct Sample {
  uint32_t inst;
  uint16_t thread;
  uint32_t round; // of the innermost loop behind the start; 0 outside; CFG_NONE: any
  RunValue value;
} Sample;

typedef struct BlockRun {
  uint32_t start; // basic block
  VEC(AtomClass) classes;
  VEC(Sample) samples;
  uint8_t *is_missed;  // by instruction: may have been executed besides, in ways that were not followed
  VEC(uint32_t) stuck; // blocks whose branch could not be decided
  uint32_t *comers; // by block: it is exactly the threads below this number that come to it; CFG_NONE: others
  // blocksums.c
  uint32_t *func_of; // by class: sum + 1 in FactLists.sums
} BlockRun;

enum { RUN_THREADS = 1024, RUN_VISIT_OTHER = 1 << 20 /* in a loop in a loop behind the start */ };
// NULL: the block is too large, of unknown size, or of more axes with an unknown one.
BlockRun *blockrun_make(Scan *scan, uint32_t start);
// Values of the instruction are kept (BlockRun.samples).
bool blockrun_is_sampled(const Scan *scan, const IrInst *inst);
int64_t blockrun_threads(const Scan *scan); // 0: not known, or too many

// ---- blockrun_value.c
typedef struct Runner Runner; // what a run in progress needs for values
struct Runner {
  Scan *scan;
  Arena *arena; // of the run only
  BlockRun *run;
  Frame *any;        // a thread of any number: for ranges
  Table class_table; // by instruction, visit and vote: class + 1
  uint32_t *
      alike; // by instruction: 1 + 2 * the first one that gives the same number, + 1: or the contrary; 0: not asked
  int64_t dims[3];
};
RunValue run_number(int64_t number);
RunValue run_atom(Runner *runner, uint32_t inst, uint32_t thread, uint32_t visit, bool is_vote);
// An instruction that is made of nothing but its operands.
RunValue run_pure(Runner *runner, uint32_t inst, uint32_t thread, uint32_t visit, const RunValue *operands);
bool run_same(RunValue a, RunValue b);

#endif
