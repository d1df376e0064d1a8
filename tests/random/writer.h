// What the parts of make_kernels share: the state of the kernel that is being written.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_TESTS_RANDOM_WRITER_H
#define HGRD_TESTS_RANDOM_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define PUT(...) fprintf(w->out, __VA_ARGS__)

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
  uint32_t barriers; // of a hundred places in loops, how many have one
  bool inner;      // the counter that is meant is that of the innermost loop
  int budget;      // of statements
  bool is_short;   // a few statements, so that one that races does not hide the others
  int helper;      // device functions of this kernel
  bool is_uniform; // all threads of the block come here together
  bool is_warp_uniform;
  bool may_have_left; // some threads may have returned: their lanes give nothing
  bool draws;         // it uses what atomic operations return, which depends on the order of the threads
  bool waits;         // threads wait for what others write: its blocks run together
  const Block *block;
} Writer;

uint32_t writer_roll(Writer *w, uint32_t sides);
bool writer_chance(Writer *w, uint32_t percent);
void writer_number(Writer *w, int depth);
void writer_uniform_number(Writer *w, int depth); // the same for all threads of the block
void writer_condition(Writer *w, bool is_uniform);
void writer_store(Writer *w); // a statement

// Text with holes: %L a number, %U one that is uniform, %C 1 to 8, %K 0 to 3, %? a condition, %! a uniform one, %T threads of the
// block, %B mostly __syncthreads(), %W mostly __syncwarp(), %b __syncthreads() or nothing, %F mostly __threadfence(), %G mostly
// __threadfence_block(), %A mostly nothing, else the suffix of atomic operations of the block, %v a variable of its own (a new
// name for each text), %Y the counter of a loop around it, %k the number of the kernel, %S a store, @(x@|y@|z@) one of them.
void writer_fill(Writer *w, const char *text);

// A kernel of loops in loops (loops.c), first the device functions that it calls; one whose threads wait for each other (orders.c).
void writer_loop_functions(Writer *w);
void writer_loops(Writer *w);
void writer_order(Writer *w);

// How kernels are launched, and the program that tries them on the host (launches.c).
typedef struct Launches Launches;
Launches *launches_make(uint32_t kernels);
void launches_choose(Launches *of, Writer *w, uint32_t kernel);
void launches_put(const Launches *of, Writer *w);

// A group of statements in which threads of a block work together, where all of them come together (teams.c).
void writer_team(Writer *w);

#endif
