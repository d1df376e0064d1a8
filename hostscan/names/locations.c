// Where in the user's source is an instruction, and whose text is it? A place with the chain of calls that led there.
// Method: the place of the instruction, those of the calls of its frame behind it; what stands in the text of a library
// is told by the user's call. Soundness: names and places only.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/names.h"
#include "core/bug.h"

#include <ctype.h>
#include <string.h>

static const SrcLoc *chain_loc(HostScan *scan, const HostFrame *frame) {
  if (!frame->parent) return NULL;
  const IrInst *call = &frame->parent->function->ir->insts.items[frame->call];
  return arena_copy(scan->arena, &(SrcLoc[]){host_loc(scan, frame->parent, call)}, sizeof(SrcLoc));
}

SrcLoc host_append_chain(HostScan *scan, SrcLoc loc, const SrcLoc *rest) {
  ASSERT(rest);
  if (!loc.inlined_at) {
    loc.inlined_at = rest;
    return loc;
  }
  SrcLoc outer = host_append_chain(scan, *loc.inlined_at, rest);
  loc.inlined_at = arena_copy(scan->arena, &outer, sizeof outer);
  return loc;
}

// "cudaMalloc", "cudaLaunchKernelExC_ptsz"; a user's cuda_copy or cudaF_copy is none.
static bool is_runtime_name(const char *name) {
  if (!str_starts_with(name, "cuda") || !isupper((unsigned char)name[4])) return false;
  const char *bar = strchr(name, '_');
  return !bar || strcmp(bar, "_ptsz") == 0;
}

// The text of the CUDA runtime's templates, of the standard library and of thrust and cub is not the user's.
bool host_is_library(const char *name) {
  return name && (is_runtime_name(name) || str_starts_with(name, "std::") || str_starts_with(name, "__") ||
                  str_starts_with(name, "thrust::") || str_starts_with(name, "cub::"));
}

bool host_is_run_unseen(const HostFunction *function) {
  ASSERT(!function || function->ir);
  return function && (function->gets_out || function->is_called_unseen ||
                      (function->ir->is_in_data && host_is_library(function->ir->display)));
}

SrcLoc host_loc(HostScan *scan, const HostFrame *frame, const IrInst *inst) {
  ASSERT(frame->function);
  ASSERT(ir_has_inst(frame->function->ir, inst));
  SrcLoc loc = *ir_loc(scan->module, inst->loc);
  const SrcLoc *rest = chain_loc(scan, frame);
  if (rest) loc = host_append_chain(scan, loc, rest);
  while (loc.inlined_at && host_is_library(loc.function))
    loc = *loc.inlined_at;
  return loc;
}
