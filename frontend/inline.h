// The choice of the calls that are replaced by their bodies (inline.c), for the lists of passes (simplify.c).
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_FRONTEND_INLINE_H
#define HGRD_FRONTEND_INLINE_H

#include "frontend/internal.h"

typedef struct CallNode {
  LLVMValueRef function;
  uint32_t own; // instructions
  VEC(uint32_t) callees;
  bool is_blocked;  // never replaced
  bool is_wanted;   // calls something of interest itself
  bool is_replaced; // the decision
  uint8_t state;    // 0 new, 1 on the stack of the walk, 2 done
  uint64_t size;    // instructions once its calls are replaced
} CallNode;

typedef struct CallGraph {
  LLVMModuleRef module;
  const Toolchain *tools;
  bool is_device;
  Arena *scratch;
  PtrMap index; // function -> node
  VEC(CallNode) nodes;
  uint64_t body_limit;
} CallGraph;

// Of a graph with its first four fields: builds it, decides, and marks each function always or never to be replaced.
void inline_mark_functions(CallGraph *graph, const PtrMap *kernels);
// A function that was passed as an argument is known once what called it has been copied: so mark and copy again.
bool inline_has_new_call(const CallGraph *graph);

bool is_launch_stub(const char *name); // what a launch with <<<>>> calls on the host
bool is_cuda_runtime(const char *name);
void function_add_attribute(LLVMValueRef function, const char *name, uint64_t value);

#endif
