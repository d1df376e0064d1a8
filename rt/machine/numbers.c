// What do numbers of a launch stand for? A thread or block is counted along x, then y, then z; a place of the text is one of the image's.
// SPDX-License-Identifier: Apache-2.0
#include "rt/machine/internal.h"
#include "rt/contract.h"

void coordinates(const uint32_t size[3], uint32_t number, uint32_t out[3]) {
  RT_ASSERT(size[0] && size[1] && size[2]);
  RT_ASSERT(out);
  out[0] = number % size[0];
  out[1] = number / size[0] % size[1];
  out[2] = number / size[0] / size[1];
}

const RtPlace place_nowhere = {"", "", NULL, 0, 0};
