// Blocks of a loop, and of one loop inside of it, copied so that the inner one is gone round a number of
// times and no further: by itself (no outer loop), or that often in the first round of the outer one, and
// once in each later round.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_FRONTEND_BLOCK_COPIES_H
#define HGRD_FRONTEND_BLOCK_COPIES_H

#include "core/cfg.h"

enum { BLOCK_COPIES_KNOWN = 16 };

typedef struct KnownValue { // in the one round of the inner loop in later rounds of the outer one:
  uint32_t phi;             // this phi of the inner header
  IrRef base;               // is this phi of the outer one, 0: none,
  int64_t constant;         // and this
} KnownValue;

typedef struct BlockCopies {
  IrModule *module;
  const IrFunction *fn;
  const Cfg *cfg;
  uint32_t inner, outer; // loops; outer: CFG_NONE
  uint32_t test;         // comparison in the inner loop: true in these rounds, and false behind them
  uint32_t rounds;
  KnownValue known[BLOCK_COPIES_KNOWN];
  uint32_t known_count;
  Arena *scratch;
} BlockCopies;

void block_copies_replace(BlockCopies *copies, uint32_t phi, IrRef base, int64_t constant);
// Writes the function anew; false, and nothing is changed: it would become too large, or the test does not
// end the loop by itself.
bool block_copies_make(BlockCopies *copies, IrFunction *fn);

#endif
