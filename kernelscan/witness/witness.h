// Shared by the files of kernelscan/witness/ only.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_WITNESS_WITNESS_H
#define HGRD_KERNELSCAN_WITNESS_WITNESS_H

#include "kernelscan/witness.h"

// A word of flags or counters, and what proofs take it to hold at the start.
typedef struct StartWord {
  uint32_t object, bytes;
  ExprRef offset, value;
  bool is_least;
} StartWord;

#endif
