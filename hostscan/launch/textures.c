// Does the kernel read through a texture what it may write? Reads through a texture are no accesses (their values are
// unknown), since what a kernel writes itself it may not read in this way: CUDA leaves that undefined, barriers or not.
// Where it may write behind another argument what a handle of a texture is of, it is undecided.
// Soundness: a handle that is not followed is of other memory (A2).
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/launch/launch.h"
#include "core/bug.h"
#include "core/finding.h"
#include "hostscan/objects.h"
#include "hostscan/kernels.h"
#include "hostscan/terms.h"

// Behind an argument that may be the object where the condition holds.
static bool may_write(HostScan *scan, const HostKernelUse *use, const LaunchContext *launch, uint32_t object,
                      ExprRef condition) {
  for (uint32_t a = 0; a < launch->args.count; a++)
    for (uint32_t p = 0; use->writes[a] && p < launch->args.items[a].pieces.count; p++) {
      const ArgPiece *piece = &launch->args.items[a].pieces.items[p];
      for (uint32_t t = 0; t < piece->target_count; t++)
        if (piece->targets[t].object == object &&
            !(piece->targets[t].condition &&
              expr_is_false(scan->pool, expr_and(scan->pool, condition, piece->targets[t].condition))))
          return true;
    }
  return use->writes_anything;
}

// One handle: is it of an object of the launch that the kernel may write? false: it is not seen what it is of.
static bool check_handle(HostScan *scan, const HostKernelUse *use, ExprRef handle, const ExprRef *leaves,
                         LaunchContext *launch) {
  HostTargets targets = {0};
  if (!handle || !host_targets(scan, handle, &targets)) return false;
  bool is_seen = true;
  for (uint32_t t = 0; t < targets.count; t++) {
    ExprRef leaf = targets.items[t].leaf;
    is_seen &= leaf && host_object_of(scan, leaf)->kind != HOST_POINTER;
    for (uint32_t i = 1; leaf && i < launch->objects.count; i++)
      if (leaves[i] == leaf && may_write(scan, use, launch, i, host_settle(scan, targets.items[t].condition)))
        vec_push(scan->arena, &launch->undecided,
                 arena_printf(scan->arena, "the kernel may write '%s', which it reads through a texture",
                              launch->objects.items[i].name));
  }
  return is_seen;
}

void host_textures_check(HostScan *scan, const IrFunction *kernel, const ExprRef *leaves,
                         LaunchContext *launch) {
  ASSERT(launch);
  const HostKernelUse *use = host_kernel_use(scan, kernel);
  bool is_seen = !use->reads_hidden_textures;
  if (!use->reads_textures) return;
  for (uint32_t a = 0; a < launch->args.count && a < kernel->params.count; a++)
    for (uint32_t p = 0; use->textures[a] && p < launch->args.items[a].pieces.count; p++) {
      const ArgPiece *piece = &launch->args.items[a].pieces.items[p];
      if (piece->bytes == 8 && !piece->target_count)
        is_seen &= check_handle(scan, use, piece->word, leaves, launch);
    }
  if (!is_seen && launch->objects.count > 1) launch->assumptions |= ASSUME_NO_ALIAS;
}
