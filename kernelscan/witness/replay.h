// Shared by what runs the kernel on a model's values: one thread after the other (replay.c), all together
// (schedule_search.c).
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_WITNESS_REPLAY_H
#define HGRD_KERNELSCAN_WITNESS_REPLAY_H

#include "kernelscan/witness.h"

#include "core/interp.h"

typedef struct ReplayLaunch {
  Scan *scan;
  const LaunchContext *context; // the kernel's own, or that of another kernel of the module
  ExprEnv env;
  int64_t *with_element; // the model's numbers of symbols, but for that of an element of an array
  uint32_t with_element_count;
  int64_t grid[3], block[3];
  int64_t cluster[3]; // 0: not known
  uint32_t arg_count;
  InterpArg *args;
  uint32_t *global_objects; // the interpreter's object for each variable of the module
  uint32_t first_private;
  uint32_t cluster_stride, cluster_blocks; // InterpRequest
} ReplayLaunch;

bool replay_value(const ReplayLaunch *launch, ExprRef ref, int64_t *value); // of 0: none
bool replay_triple(const ReplayLaunch *launch, const ExprRef *refs, int64_t *values);
// false: the model does not say how large the launch is.
bool replay_make_launch(Scan *scan, const SolverAnswer *answer, ReplayLaunch *launch);
bool replay_make_other(Scan *scan, const LaunchContext *context, const SolverAnswer *answer,
                       ReplayLaunch *launch);
// Few blocks and small numbers, in place of a large launch.
void replay_make_small(ReplayLaunch *numbers);
// One thread of it; without callbacks, limits and switches.
InterpRequest replay_request(const ReplayLaunch *launch, const int64_t *block_idx, const int64_t *thread_idx);
// Is that object of the interpreter this one of the kernel?
enum { MOST_BLOCKS_OF_CLUSTER = 64 };
// The number by which threads of other blocks of the cluster know a shared variable of the block; `object`
// itself if it is none.
uint32_t replay_number_in_cluster(const ReplayLaunch *launch, const int64_t *block_idx, uint32_t object);
bool replay_is_object(const ReplayLaunch *launch, uint32_t number, uint32_t object);
// What the model chose for memory that the kernel only reads.
bool replay_initial(const ReplayLaunch *launch, uint32_t object, int64_t offset, uint32_t bytes,
                    InterpValue *value);
// What the host put there, where that is a number under the model's launch.
bool replay_content(const ReplayLaunch *launch, const LaunchContent *content, int64_t offset, int64_t *word);
bool replay_host_says(const ReplayLaunch *launch, uint32_t number, int64_t offset, uint32_t bytes,
                      int64_t *word);
// The same, only if the kernel does not write it and the numbers of the launch are enough: no choice of the
// model's.
bool replay_told(const ReplayLaunch *launch, uint32_t number, int64_t offset, uint32_t bytes,
                 InterpValue *value);
bool replay_is_given(const ReplayLaunch *launch, uint32_t number); // no launch before has computed it

// model_witness.c: all that the model says; host_rounds: how many of each thread's iterations are those of host loops.
void witness_fill(Scan *scan, const ReplayQuery *query, Witness *witness, uint32_t *host_rounds);

#endif
