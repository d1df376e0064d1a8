// What a kernel is checked under, to bytes and back: a launch, those it leans on (who wrote its arrays
// before), and the expressions of all of them, and nothing else of the program.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CORE_LAUNCH_CODEC_H
#define HGRD_CORE_LAUNCH_CODEC_H

#include "core/codec.h"
#include "core/finding.h"

typedef struct LaunchList {
  uint32_t count;
  LaunchContext *const *items;
} LaunchList;

// Writes the launches of `list` and those that they name, with what they need of `pool`. Expressions, symbols
// and functions keep their order, and lose their numbers. Of more than some hundred launches that are named
// one by the other, the farthest are left out: who names them then names a writer that was not seen.
void launches_write(Codec *codec, const ExprPool *pool, LaunchList list);
// As they were written, in a pool of their own (*pool): the first `count` are those that were listed, others
// follow that these name. False if it cannot be.
MUST_USE bool launches_read(Codec *codec, ExprPool **pool, LaunchList *list);

// Facts of the launch are written by their number in it. When reading, `result` is filled in for `launch`.
void result_code(Codec *codec, const LaunchContext *launch, KernelResult *result);

#endif
