// What does a variable hold when main starts? What the constructor that alone sets it left there.
// Method: memory at the end of that constructor, in a frame of its own. Soundness: of several constructors, in files
// whose order is not defined, nothing is known.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/contents.h"
#include "hostscan/program.h"
#include "hostscan/terms.h"
#include "hostscan/value.h"

ExprRef host_global_at_main(HostScan *scan, const HostQuestion *question) {
  HostFunction *function = host_only_constructor(scan);
  if (!function || !host_is_unaliased_global(scan, question->index) || scan->depth > HOST_MEMORY_DEPTH)
    return 0;
  if (!scan->before_main) {
    scan->before_main = host_frame_make(scan, function, NULL, 0);
    scan->before_main->is_before_main = true;
  }
  if (function->returns.count != 1) return 0;
  uint32_t end = function->returns.items[0];
  ExprRef value = host_cell_at_end(scan, scan->before_main, end, CFG_NONE, question->cell);
  return value ? host_settle(scan, value) : 0;
}
