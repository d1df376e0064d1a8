// Shared by start_words.c, and left_by.c, which looks into the kernels that it runs.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_WITNESS_LEFT_BY_H
#define HGRD_KERNELSCAN_WITNESS_LEFT_BY_H

#include "kernelscan/witness/prior_launches.h"

typedef enum LeftOn { LEFT_ON_RUN, LEFT_ON_SIZE, LEFT_ON_CONTENTS } LeftOn;

typedef struct LeftBy {
  LeftOn on;
  bool reads_word; // it also hangs on what the launch found there
} LeftBy;

// On what does it hang what the launch leaves in the words of an object of this scan? `is_sampled`: runs had other sizes than
// those of the launch, of which one element (an array) or the only word is asked.
LeftBy left_by(const Scan *scan, const LaunchContext *launch, const Obj *object, bool is_sampled);
bool left_by_fixed_sizes(const Scan *scan, const LaunchContext *launch); // grid and block are constants

#endif
