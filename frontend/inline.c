// Which calls are replaced by their bodies? On the device all of them, but for recognised functions,
// recursion and what would grow without bound. On the host only what a launch context needs: functions on the
// way to a launch or to a call of the CUDA runtime, and small helpers (rounding division, getters,
// constructors), within a budget. The choice is made on the call graph, bottom up, with the size that a body
// has once its own calls are replaced; then LLVM's fixed pass lists run (simplify.c).
//
// Soundness: a call that stays is a call in the IR, unknown to the scanners.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/inline.h"
#include "core/bug.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum {
  SMALL_HELPER = 60,      // instructions of a helper that is always replaced on the host
  CONTAINER_HELPER = 500, // of a member of std::vector, whose size is to be seen
  HOST_BODY_LIMIT = 8000, // of one host function after replacement
  HOST_TOTAL = 300000,    // of a host module
  DEVICE_BODY_LIMIT = 100000,
  DEVICE_TOTAL = 2000000
};

// ---- attributes

static unsigned attribute_kind(const char *name) {
  return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

static void remove_attribute(LLVMValueRef function, const char *name) {
  LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute_kind(name));
}

void function_add_attribute(LLVMValueRef function, const char *name, uint64_t value) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(context, attribute_kind(name), value));
}

static void set_inlining(LLVMValueRef function, bool is_replaced) {
  remove_attribute(function, "noinline");
  remove_attribute(function, "optnone");
  remove_attribute(function, "alwaysinline");
  remove_attribute(function, "inlinehint");
  function_add_attribute(function, is_replaced ? "alwaysinline" : "noinline", 0);
}

// ---- names

bool is_launch_stub(const char *name) {
  return strstr(name, "__device_stub__") != NULL;
}

bool is_cuda_runtime(const char *name) {
  if (str_starts_with(name, "__cuda")) return true;
  return str_starts_with(name, "cuda") && isupper((unsigned char)name[4]);
}

// Launches, allocations, copies: a function that comes to one of them is worth seeing through.
static bool is_of_interest(const char *name) {
  static const char *const plain[] = {"cudaGetLastError", "cudaPeekAtLastError", "cudaGetErrorString",
                                      "cudaGetErrorName", "cudaDeviceReset"};
  if (is_launch_stub(name)) return true;
  if (!is_cuda_runtime(name) || str_starts_with(name, "cudaEvent")) return false;
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
    if (strcmp(name, plain[i]) == 0) return false;
  return true;
}

enum { PATH_LIMIT = 4096 };

// Where the function is defined, also as clang writes it (`*name`); clang leaves out what the path has in
// common with the folder it runs in.
static bool function_path(LLVMValueRef function, char whole[PATH_LIMIT], const char **name) {
  LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
  LLVMMetadataRef file = subprogram ? LLVMDIScopeGetFile(subprogram) : NULL;
  unsigned length = 0, directory_length = 0;
  *name = file ? LLVMDIFileGetFilename(file, &length) : NULL;
  if (!*name || !length) return false;
  const char *directory = **name == '/' ? NULL : LLVMDIFileGetDirectory(file, &directory_length);
  int written = directory && directory_length ? snprintf(whole, PATH_LIMIT, "%.*s/%.*s",
                                                         (int)directory_length, directory, (int)length, *name)
                                              : snprintf(whole, PATH_LIMIT, "%.*s", (int)length, *name);
  return written > 0 && written < PATH_LIMIT;
}

bool global_is_managed(LLVMValueRef global) {
  const char *section = LLVMGetSection(global);
  return section && strcmp(section, "hgrd_managed") == 0; // host_defines.h
}

bool function_is_in_system(LLVMValueRef function, const Toolchain *tools) {
  ASSERT(function);
  char whole[PATH_LIMIT];
  const char *name;
  return function_path(function, whole, &name) &&
         (path_is_system(tools, whole) || path_is_system(tools, name));
}

bool function_is_of_library(LLVMValueRef function, const Toolchain *tools) {
  ASSERT(function);
  char whole[PATH_LIMIT];
  const char *name;
  return function_path(function, whole, &name) && path_is_system(tools, whole) && strstr(whole, "/include/");
}

// min(int, int), not std::min(const int &, const int &) or something of the same name.
static bool takes_two_integers(LLVMValueRef function) {
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  if (LLVMCountParams(function) != 2 || LLVMIsFunctionVarArg(type)) return false;
  for (unsigned i = 0; i < 2; i++)
    if (LLVMTypeOf(LLVMGetParam(function, i)) != LLVMGetReturnType(type)) return false;
  return LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMIntegerTypeKind;
}

// An atomic or a shuffle of pairs and other classes is made of those of numbers: its body says how.
static bool is_of_a_class(LLVMValueRef function, RecogniseKind kind) {
  if (kind != REC_RMW && kind != REC_CAS && kind != REC_SHUFFLE) return false;
  LLVMTypeKind result = LLVMGetTypeKind(LLVMGetReturnType(LLVMGlobalGetValueType(function)));
  bool takes_class = LLVMCountParams(function) > 1 &&
                     LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(function, 1))) == LLVMPointerTypeKind;
  return takes_class || result == LLVMStructTypeKind || result == LLVMArrayTypeKind;
}

const Recognition *recognise_value(LLVMValueRef function, const Toolchain *tools, bool is_device,
                                   Arena *scratch) {
  ASSERT(function);
  ArenaMark mark = arena_mark(scratch);
  Demangled name = demangle(value_name(function), scratch);
  const Recognition *found = recognise_function(&name, is_device);
  arena_release(scratch, mark);
  if (found && found->kind == REC_MINMAX && !takes_two_integers(function)) return NULL;
  if (!found) return NULL;
  // Mathematics of C is known by its name; an overload of it is the program's own, unless a header of the system declares it.
  bool may_be_own = !is_device && found->kind == REC_PURE && str_starts_with(value_name(function), "_Z");
  if (LLVMIsDeclaration(function))
    return may_be_own && !function_is_in_system(function, tools) ? NULL : found;
  if (recognition_needs_declaration(found->kind) || is_of_a_class(function, found->kind)) return NULL;
  return function_is_in_system(function, tools) ? found : NULL;
}

// ---- the call graph

bool call_is(LLVMValueRef instruction) {
  ASSERT(instruction);
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  return opcode == LLVMCall || opcode == LLVMInvoke || opcode == LLVMCallBr;
}

static void note_call(CallGraph *graph, CallNode *node, LLVMValueRef instruction) {
  LLVMValueRef callee = LLVMGetCalledValue(instruction);
  if (!callee || !LLVMIsAFunction(callee)) return;
  uint32_t index;
  if (!graph->is_device && is_of_interest(value_name(callee))) node->is_wanted = true;
  if (ptr_map_get(&graph->index, callee, &index)) vec_push(graph->scratch, &node->callees, index);
}

static void read_body(CallGraph *graph, CallNode *node) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(node->function); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
      node->own++;
      if (call_is(i)) note_call(graph, node, i);
    }
}

static bool is_blocked(const CallGraph *graph, LLVMValueRef function, const PtrMap *kernels) {
  if (!graph->is_device)
    return is_launch_stub(value_name(function)) || strcmp(value_name(function), "main") == 0;
  return ptr_map_get(kernels, function, NULL) ||
         recognise_value(function, graph->tools, graph->is_device, graph->scratch) != NULL;
}

static void build_graph(CallGraph *graph, const PtrMap *kernels) {
  graph->index.arena = graph->scratch;
  for (LLVMValueRef f = LLVMGetFirstFunction(graph->module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f)) continue;
    ptr_map_put(&graph->index, f, graph->nodes.count);
    vec_push(graph->scratch, &graph->nodes,
             (CallNode){.function = f, .is_blocked = is_blocked(graph, f, kernels)});
  }
  for (uint32_t i = 0; i < graph->nodes.count; i++)
    read_body(graph, &graph->nodes.items[i]);
}

// A walk along calls of any depth: the stack is explicit.
typedef struct Frame {
  uint32_t node, next;
} Frame;

// std::vector and what fills it: seen through, "vector(n)" and "size()" are the same number.
static bool is_container_helper(const char *name) {
  static const char *const prefixes[] = {"_ZNSt6vectorI", "_ZNKSt6vectorI", "_ZNSt12_Vector_baseI",
                                         "_ZNSt15__new_allocatorI", "_ZNSt16allocator_traitsI"};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (str_starts_with(name, prefixes[i])) return true;
  bool is_std = str_starts_with(name, "_ZSt") || str_starts_with(name, "_ZNSt");
  return is_std && (strstr(name, "fill_n") || strstr(name, "uninitialized_") || strstr(name, "__fill_a"));
}

static void decide(const CallGraph *graph, CallNode *node) {
  node->size = node->own;
  for (uint32_t i = 0; i < node->callees.count; i++) {
    const CallNode *callee = &graph->nodes.items[node->callees.items[i]];
    if (callee->is_wanted && callee->state == 2) node->is_wanted = true;
    if (callee->is_replaced && callee->state == 2) node->size += callee->size;
  }
  uint64_t helper = is_container_helper(value_name(node->function)) ? CONTAINER_HELPER : SMALL_HELPER;
  bool is_useful = graph->is_device || node->is_wanted || node->size <= helper;
  node->is_replaced = !node->is_blocked && is_useful && node->size <= graph->body_limit;
  node->state = 2;
}

static void walk_from(CallGraph *graph, uint32_t root) {
  VEC(Frame) stack = {0};
  vec_push(graph->scratch, &stack, (Frame){root, 0});
  graph->nodes.items[root].state = 1;
  while (stack.count > 0) {
    Frame *top = &vec_last(&stack);
    CallNode *node = &graph->nodes.items[top->node];
    if (top->next == node->callees.count) {
      decide(graph, node);
      stack.count--;
      continue;
    }
    uint32_t callee = node->callees.items[top->next++];
    CallNode *next = &graph->nodes.items[callee];
    if (next->state == 1) next->is_blocked = true; // recursion
    if (next->state == 0) {
      next->state = 1;
      vec_push(graph->scratch, &stack, (Frame){callee, 0});
    }
  }
}

// The instructions that the whole module will have.
static uint64_t choose(CallGraph *graph, uint64_t body_limit) {
  graph->body_limit = body_limit;
  for (uint32_t i = 0; i < graph->nodes.count; i++)
    graph->nodes.items[i].state = 0;
  for (uint32_t i = 0; i < graph->nodes.count; i++)
    if (graph->nodes.items[i].state == 0) walk_from(graph, i);
  uint64_t total = 0;
  for (uint32_t i = 0; i < graph->nodes.count; i++) {
    const CallNode *node = &graph->nodes.items[i];
    bool stays =
        !node->is_replaced || (!graph->is_device && LLVMGetLinkage(node->function) == LLVMExternalLinkage);
    if (stays) total += node->size;
  }
  return total;
}

void inline_mark_functions(CallGraph *graph, const PtrMap *kernels) {
  uint64_t limit = graph->is_device ? DEVICE_BODY_LIMIT : HOST_BODY_LIMIT;
  uint64_t total = graph->is_device ? DEVICE_TOTAL : HOST_TOTAL;
  build_graph(graph, kernels);
  while (choose(graph, limit) > total && limit > SMALL_HELPER)
    limit /= 2;
  for (uint32_t i = 0; i < graph->nodes.count; i++) {
    const CallNode *node = &graph->nodes.items[i];
    set_inlining(node->function, node->is_replaced);
    if (graph->is_device && !ptr_map_get(kernels, node->function, NULL))
      LLVMSetLinkage(node->function, LLVMInternalLinkage); // goes once nothing calls it
  }
}

// A function that was passed as an argument is known once what called it has been copied.
bool inline_has_new_call(const CallGraph *graph) {
  for (LLVMValueRef f = LLVMGetFirstFunction(graph->module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
        uint32_t node;
        LLVMValueRef callee = call_is(i) ? LLVMGetCalledValue(i) : NULL;
        if (callee && ptr_map_get(&graph->index, callee, &node) && graph->nodes.items[node].is_replaced)
          return true;
      }
  return false;
}
