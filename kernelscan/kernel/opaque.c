// What is it in inline PTX that is not followed, in words? Method: a table of instructions, by parts of their
// names. Only for the reason that the report gives: whatever the words, the text may do anything.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/kernel/kernel.h"

#include <string.h>

const char *opaque_asm(const char *text) {
  static const char *const texts[][2] = {
      {".async.bulk.tensor", "a copy by a tensor map: how much it copies, and where to, is said by the host"},
      {"tensormap.", "it changes a tensor map"},
      {"wgmma.",
       "a matrix product that goes on beside its warps and reads shared memory through descriptors"},
      {"tcgen05.", "an operation on tensor memory that goes on beside its thread"},
      {"st.async", "a store that completes on a barrier object"},
      {".multicast", "a copy to several blocks of a cluster"},
      {"multimem.", "an access to the memory of several devices"},
      {"clusterlaunchcontrol.", "it takes over the work of a cluster that has not started"},
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (strstr(text, texts[i][0])) return texts[i][1];
  return NULL;
}
