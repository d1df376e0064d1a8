// Which blocks of a function are lowered, and along which edges does control reach them? All that can be
// reached from the entry; a block ends at a call that does not return, and an indirect branch leads nowhere
// (lower_inst.c makes it unknown). An exception is followed to its handler if control can get from there to
// the rest of the function or if the handler may launch something; a handler that only cleans up and passes
// the exception on tells nothing and is left out. Method: depth-first search along normal edges, then once
// more from each handler that matters, until none is left. Soundness: over-approximation of what can be
// reached, but for handlers left out, behind which nothing of this function runs.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower.h"
#include "core/bug.h"

#include <string.h>

typedef struct BlockSearch {
  Lower *lower;
  PtrMap seen;   // blocks to be lowered
  PtrMap normal; // those that are reached without an exception
  PtrMap noted;  // handlers in the list
  VEC(LLVMBasicBlockRef) work;
  VEC(LLVMBasicBlockRef) handlers; // landing pads of blocks seen
} BlockSearch;

static bool is_invoke(LLVMValueRef instruction) {
  return instruction && LLVMGetInstructionOpcode(instruction) == LLVMInvoke;
}

// The call in the block that does not return, or NULL.
static LLVMValueRef stop_in(const Lower *lower, LLVMBasicBlockRef block) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
    if (call_is(i) && call_stops(lower, i)) return i;
  return NULL;
}

// ---- edges

typedef struct Edges {
  LLVMValueRef last;         // terminator, or the call that does not return
  bool stops;                // the latter
  unsigned count;            // normal successors
  LLVMBasicBlockRef handler; // NULL: none
} Edges;

static Edges edges_of(const Lower *lower, LLVMBasicBlockRef block) {
  LLVMValueRef stop = stop_in(lower, block);
  Edges edges = {.last = stop ? stop : LLVMGetBasicBlockTerminator(block), .stops = stop != NULL};
  if (is_invoke(edges.last)) edges.handler = LLVMGetUnwindDest(edges.last);
  if (stop) return edges;
  if (is_invoke(edges.last))
    edges.count = 1;
  else if (LLVMIsABranchInst(edges.last) || LLVMIsASwitchInst(edges.last))
    edges.count = LLVMGetNumSuccessors(edges.last);
  return edges;
}

static LLVMBasicBlockRef edge_target(const Edges *edges, unsigned index) {
  return is_invoke(edges->last) ? LLVMGetNormalDest(edges->last) : LLVMGetSuccessor(edges->last, index);
}

bool edge_is_lowered(const Lower *lower, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  ASSERT(lower->request && lower->function);
  ASSERT(from);
  ASSERT(to);
  if (!ptr_map_get(&lower->blocks, from, NULL) || !ptr_map_get(&lower->blocks, to, NULL)) return false;
  return !ptr_map_get(&lower->early_ends, from, NULL) || edges_of(lower, from).handler == to;
}

// ---- handlers

// Could a kernel be launched behind this call?
static bool may_launch(const Lower *lower, LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (!LLVMIsAFunction(callee)) return true;
  const char *name = value_name(callee);
  if (strstr(name, "__device_stub__") || str_starts_with(name, "cudaLaunch") ||
      str_starts_with(name, "cuLaunch"))
    return true;
  return !LLVMIsDeclaration(callee) && !function_is_in_system(callee, lower->request->tools);
}

static bool has_launch(const Lower *lower, LLVMBasicBlockRef block) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
    if (call_is(i) && may_launch(lower, i)) return true;
  return false;
}

static bool leads_on(const Edges *edges) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(edges->last);
  return opcode == LLVMRet || opcode == LLVMIndirectBr;
}

// Does anything of interest come behind the handler?
static bool matters(const BlockSearch *search, LLVMBasicBlockRef handler) {
  Arena *scratch = search->lower->scratch;
  PtrMap visited = {.arena = scratch};
  VEC(LLVMBasicBlockRef) work = {0};
  vec_push(scratch, &work, handler);
  while (work.count > 0) {
    LLVMBasicBlockRef at = work.items[--work.count];
    if (ptr_map_get(&search->normal, at, NULL)) return true;
    if (ptr_map_get(&visited, at, NULL)) continue;
    ptr_map_put(&visited, at, 1);
    Edges edges = edges_of(search->lower, at);
    if (leads_on(&edges) || has_launch(search->lower, at)) return true;
    for (unsigned i = 0; i < edges.count; i++)
      vec_push(scratch, &work, edge_target(&edges, i));
    if (edges.handler) vec_push(scratch, &work, edges.handler);
  }
  return false;
}

// ---- the search

static void reach(BlockSearch *search, LLVMBasicBlockRef block) {
  if (ptr_map_get(&search->seen, block, NULL)) return;
  ptr_map_put(&search->seen, block, 1);
  vec_push(search->lower->scratch, &search->work, block);
}

static void follow(BlockSearch *search, bool is_normal) {
  Lower *lower = search->lower;
  while (search->work.count > 0) {
    LLVMBasicBlockRef at = search->work.items[--search->work.count];
    Edges edges = edges_of(lower, at);
    if (is_normal) ptr_map_put(&search->normal, at, 1);
    if (edges.stops) ptr_map_put(&lower->early_ends, at, 1);
    for (unsigned i = 0; i < edges.count; i++)
      reach(search, edge_target(&edges, i));
    if (!edges.handler || ptr_map_get(&search->noted, edges.handler, NULL)) continue;
    ptr_map_put(&search->noted, edges.handler, 1);
    vec_push(lower->scratch, &search->handlers, edges.handler);
  }
}

static bool follow_handlers(BlockSearch *search) {
  bool is_new = false;
  for (uint32_t i = 0; i < search->handlers.count; i++) {
    LLVMBasicBlockRef handler = search->handlers.items[i];
    if (ptr_map_get(&search->seen, handler, NULL) || !matters(search, handler)) continue;
    reach(search, handler);
    follow(search, false);
    is_new = true;
  }
  return is_new;
}

void lower_number_blocks(Lower *lower) {
  ASSERT(lower->request && lower->function);
  PtrMap empty = {.arena = lower->scratch};
  BlockSearch search = {.lower = lower, .seen = empty, .normal = empty, .noted = empty};
  reach(&search, LLVMGetEntryBasicBlock(lower->llvm_function));
  follow(&search, true);
  while (follow_handlers(&search))
    ;
  uint32_t count = 0;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(lower->llvm_function); b; b = LLVMGetNextBasicBlock(b))
    if (ptr_map_get(&search.seen, b, NULL)) ptr_map_put(&lower->blocks, b, count++);
}
