// What the parts of make_kernels share: the state of the kernel that is being written.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_TESTS_RANDOM_WRITER_H
#define HGRD_TESTS_RANDOM_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct Block {
  const char *text;
  int threads;
  bool is_flat; // one dimension
} Block;

typedef struct Writer {
  uint64_t seed;
  FILE *out;
  int indent;
  int loops;       // loop variables in scope: i0, i1, ...
  int locals;      // local variables v0, v1, ...
  int budget;      // of statements
  bool is_short;   // a few statements, so that one that races does not hide the others
  int helper;      // device functions of this kernel
  bool is_uniform; // all threads of the block come here together
  bool is_warp_uniform;
  bool may_have_left; // some threads may have returned: their lanes give nothing
  bool draws;         // it uses what atomic operations return, which depends on the order of the threads
  const Block *block;
} Writer;

uint32_t writer_roll(Writer *w, uint32_t sides);
bool writer_chance(Writer *w, uint32_t percent);
void writer_number(Writer *w, int depth);
void writer_uniform_number(Writer *w, int depth); // the same for all threads of the block
void writer_condition(Writer *w, bool is_uniform);
void writer_store(Writer *w); // a statement

// A group of statements in which threads of a block work together, where all of them come together (teams.c).
void writer_team(Writer *w);

#endif
