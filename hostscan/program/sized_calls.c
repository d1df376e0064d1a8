// Which functions take sizes, and in which of their arguments? One line for each.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/program/program.h"
#include "core/bug.h"
#include "hostscan/syntax.h"

#include <string.h>

#define SIZES(name, sizes)                                                                                   \
  { name, sizes, HOST_NO_ARGUMENT, HOST_NO_ARGUMENT, HOST_NO_ARGUMENT, HOST_NO_ARGUMENT, 0, 0 }
#define ROWS(name, sizes, width, pitch, old)                                                                 \
  { name, sizes, width, pitch, old, HOST_NO_ARGUMENT, 0, 0 }
#define EXTENT(name, at, others, behind)                                                                     \
  { name, 0, HOST_NO_ARGUMENT, HOST_NO_ARGUMENT, HOST_NO_ARGUMENT, at, others, behind }

// clang-format off
static const HostSizedCall sized_calls[] = {
  SIZES("cudaMemcpy", 1 << 2),
  SIZES("cudaMemcpyAsync", 1 << 2),
  SIZES("cudaMemcpyPeer", 1 << 4),
  SIZES("cudaMemcpyPeerAsync", 1 << 4),
  SIZES("cudaMemcpyToSymbol", 1 << 2 | 1 << 3),
  SIZES("cudaMemcpyToSymbolAsync", 1 << 2 | 1 << 3),
  SIZES("cudaMemcpyFromSymbol", 1 << 2 | 1 << 3),
  SIZES("cudaMemcpyFromSymbolAsync", 1 << 2 | 1 << 3),
  SIZES("cudaMemcpyToArray", 1 << 4),
  SIZES("cudaMemcpyToArrayAsync", 1 << 4),
  SIZES("cudaMemcpyFromArray", 1 << 4),
  SIZES("cudaMemcpyFromArrayAsync", 1 << 4),
  SIZES("cudaMemset", 1 << 2),
  SIZES("cudaMemsetAsync", 1 << 2),
  SIZES("cudaMemPrefetchAsync", 1 << 1),
  SIZES("cudaHostRegister", 1 << 1),
  ROWS("cudaMemcpy2D", 1 << 4 | 1 << 5, 4, 1, 3),
  ROWS("cudaMemcpy2DAsync", 1 << 4 | 1 << 5, 4, 1, 3),
  ROWS("cudaMemcpy2DToArray", 1 << 5 | 1 << 6, 5, 4, HOST_NO_ARGUMENT),
  ROWS("cudaMemcpy2DToArrayAsync", 1 << 5 | 1 << 6, 5, 4, HOST_NO_ARGUMENT),
  ROWS("cudaMemcpy2DFromArray", 1 << 5 | 1 << 6, 5, 1, HOST_NO_ARGUMENT),
  ROWS("cudaMemcpy2DFromArrayAsync", 1 << 5 | 1 << 6, 5, 1, HOST_NO_ARGUMENT),
  ROWS("cudaMemset2D", 1 << 3 | 1 << 4, 3, 1, HOST_NO_ARGUMENT),
  ROWS("cudaMemset2DAsync", 1 << 3 | 1 << 4, 3, 1, HOST_NO_ARGUMENT),
  EXTENT("cudaMemset3D", 2, 2, 0),
  EXTENT("cudaMemset3DAsync", 2, 3, 0),
  EXTENT("cudaMemcpy3D", 0, 0, 128), // cudaMemcpy3DParms.extent
  EXTENT("cudaMemcpy3DAsync", 0, 0, 128),
  EXTENT("cudaMemcpy3DPeer", 0, 0, 144), // cudaMemcpy3DPeerParms.extent
  EXTENT("cudaMemcpy3DPeerAsync", 0, 0, 144),
  SIZES("malloc", 1 << 0),
  SIZES("calloc", 1 << 0 | 1 << 1),
  SIZES("realloc", 1 << 1),
  SIZES("aligned_alloc", 1 << 1),
  SIZES("memalign", 1 << 1),
  SIZES("_Znwm", 1 << 0),
  SIZES("_Znam", 1 << 0),
  SIZES("_ZnwmSt11align_val_t", 1 << 0),
  SIZES("_ZnamSt11align_val_t", 1 << 0),
  SIZES("_ZnwmRKSt9nothrow_t", 1 << 0),
  SIZES("_ZnamRKSt9nothrow_t", 1 << 0),
  SIZES("memcpy", 1 << 2),
  SIZES("memmove", 1 << 2),
  SIZES("memset", 1 << 2),
  SIZES("fread", 1 << 1 | 1 << 2),
  SIZES("fwrite", 1 << 1 | 1 << 2),
};

// clang-format on
static const HostSizedCall plain_copy = SIZES("", 1 << 2);

const HostSizedCall *host_sized_call(HostScan *scan, const IrInst *inst) {
  ASSERT(inst->op < IR_OP_COUNT);
  if (ir_inst_is(inst, IR_SPANS)) return ir_ref_kind(inst->ops[2]) == IR_REF_CONST ? NULL : &plain_copy;
  const char *name = inst->op == IR_CALL ? host_callee_name(scan, inst) : NULL;
  if (!name || host_call(scan, inst, NULL)->kind == CALL_DEFINED) return NULL;
  size_t length = 0;
  const char *base = host_base_name(name, &length);
  bool is_cuda = strncmp(base, "cuda", 4) == 0;
  for (uint32_t i = 0; i < sizeof sized_calls / sizeof *sized_calls; i++) {
    const char *known = sized_calls[i].name;
    bool is_it = strncmp(base, known, length) == 0 && known[length] == '\0';
    if (strcmp(name, known) == 0 || (is_cuda && is_it)) return &sized_calls[i];
  }
  return NULL;
}

bool host_is_sized_allocation(HostCallKind kind) {
  ASSERT(kind <= CALL_COPY_PLAIN);
  return kind == CALL_ALLOCATE || kind == CALL_ALLOCATE_PITCH || kind == CALL_ALLOCATE_3D ||
         kind == CALL_ALLOCATE_ARRAY;
}

bool host_uses_sizes(HostScan *scan, const IrInst *inst) {
  bool is_allocating = inst->op == IR_CALL && host_is_sized_allocation(host_call(scan, inst, NULL)->kind);
  return is_allocating || host_sized_call(scan, inst) != NULL;
}
