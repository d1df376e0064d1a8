// The door of kernelscan/kernel/: what the text of the kernel contains: accesses, synchronisation points,
// stretches between them.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_KERNEL_H
#define HGRD_KERNELSCAN_KERNEL_H

#include "kernelscan/scan.h"

typedef VEC(Cover) Covers;

// What the text of the kernel contains besides accesses and points.
typedef struct KernelText {
  Covers covers;          // barriers of a part; they may become more (scan_add_cover)
  bool has_elected;       // some lane of a warp is (elect.sync)
  bool has_conversions;   // from floating point to integers, or comparisons of floating-point values
  bool has_named_barrier; // orders some warps of the block: named.c asks which
  uint8_t *private_calls; // by instruction: a call that others see nothing of
  uint8_t *may_order;     // by block: it has a barrier or fence, or a half of a barrier
} KernelText;

// collect.c
void scan_collect(Scan *scan);
// Before scan_collect it contains nothing: facts of the launch, which are asked about then, speak of no instruction.
const KernelText *scan_text(const Scan *scan);
// A number that a thread makes of nothing but its place and the launch: the same in all rounds of loops.
bool scan_is_same_each_time(const Scan *scan, IrRef ref, int depth);
uint32_t scan_add_cover(Scan *scan, Cover cover); // 0: too many
void scan_cover_nobody(
    Scan *scan, uint32_t cover); // of which it turns out that it holds no two threads together for sure
bool scan_covers_block(const Scan *scan,
                       uint32_t covering);              // only such as hold threads of several warps together
void scan_grid_barrier(Scan *scan, const IrInst *inst); // has it a meaning under this launch?
// A ballot, any or all, of all lanes of the warp together: one answer for all of them.
bool scan_is_warp_vote(const Scan *scan, const IrInst *inst);
uint32_t scan_node_behind(const Scan *scan, uint32_t inst); // a barrier, or the wait of one

#endif
