// Does an array stay as it is, over all rounds of a loop of the host? Method: whatever the blocks of the loop do to memory is asked whether it
// touches the array. Soundness: what is not known touches it.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/contents/contents.h"
#include "hostscan/series.h"
#include "hostscan/value.h"

bool host_is_steady(HostScan *scan, HostLoopPlace around, HostCell cell) {
  ASSERT(host_has_cell(scan, cell));
  const HostFunction *function = around.frame->function;
  const CfgLoop *info = &function->cfg->loops.items[around.loop];
  if (host_varies_in(scan, cell.base, around.frame, around.loop)) return false;
  for (uint32_t i = 0; i < info->blocks.count; i++) {
    uint32_t block = info->blocks.items[i];
    for (uint32_t e = function->effect_first[block]; e < function->effect_first[block + 1]; e++)
      if (host_touches(scan, around.frame, function->effects[e], cell)) return false;
  }
  return true;
}
