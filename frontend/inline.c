// Which calls are replaced by their bodies? On the device all of them, but for recognised functions,
// recursion and what would grow without bound. On the host only what a launch context needs: functions on the
// way to a launch or to a call of the CUDA runtime, and small helpers (rounding division, getters,
// constructors), within a budget. The choice is made on the call graph, bottom up, with the size that a body
// has once its own calls are replaced; then LLVM's fixed pass lists run. They bring each function out of
// memory (sroa) before it is copied into others, since what is copied is small then, and once more
// afterwards. The device list neither moves, merges, speculates nor drops an access (kept_reads.c;
// sroa<preserve-cfg>; sccp, which only folds constants, runs behind instsimplify where a branch is settled by
// one); the host list may, since accesses of the host are not checked. Soundness: a call that stays is a call
// in the IR, unknown to the scanners. Host functions that may write memory of the host keep that effect:
// where memory is shared with kernels, launches and synchronisation get no attributes.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/internal.h"
#include "core/bug.h"
#include "frontend/llvm_before.h"

#include <ctype.h>
#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <string.h>

enum {
  SMALL_HELPER = 60,      // instructions of a helper that is always replaced on the host
  CONTAINER_HELPER = 500, // of a member of std::vector, whose size is to be seen
  HOST_BODY_LIMIT = 8000, // of one host function after replacement
  HOST_TOTAL = 300000,    // of a host module
  DEVICE_BODY_LIMIT = 100000,
  DEVICE_TOTAL = 2000000,
  ROUNDS_OF_POINTERS = 4, // functions passed to functions that pass them on
  ROUNDS_OF_INDICES = 4   // indices out of structs that have been taken apart by other indices
};

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
  PtrMap index;
  VEC(CallNode) nodes;
  uint64_t body_limit;
} CallGraph;

// ---- attributes

static unsigned attribute_kind(const char *name) {
  return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

static void remove_attribute(LLVMValueRef function, const char *name) {
  LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute_kind(name));
}

static void add_attribute(LLVMValueRef function, const char *name, uint64_t value) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(context, attribute_kind(name), value));
}

static void set_inlining(LLVMValueRef function, bool is_replaced) {
  remove_attribute(function, "noinline");
  remove_attribute(function, "optnone");
  remove_attribute(function, "alwaysinline");
  remove_attribute(function, "inlinehint");
  add_attribute(function, is_replaced ? "alwaysinline" : "noinline", 0);
}

// ---- names

static bool is_stub(const char *name) {
  return strstr(name, "__device_stub__") != NULL;
}

static bool is_cuda_runtime(const char *name) {
  if (str_starts_with(name, "__cuda")) return true;
  return str_starts_with(name, "cuda") && isupper((unsigned char)name[4]);
}

// Launches, allocations, copies: a function that comes to one of them is worth seeing through.
static bool is_of_interest(const char *name) {
  static const char *const plain[] = {"cudaGetLastError", "cudaPeekAtLastError", "cudaGetErrorString",
                                      "cudaGetErrorName", "cudaDeviceReset"};
  if (is_stub(name)) return true;
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
  if (!found || LLVMIsDeclaration(function)) return found;
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
  if (!graph->is_device) return is_stub(value_name(function)) || strcmp(value_name(function), "main") == 0;
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

static void mark_functions(CallGraph *graph, const PtrMap *kernels) {
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

// ---- passes

// Constructors often have two names for one body; a call by the second name would not be replaced.
static void resolve_aliases(LLVMModuleRef module) {
  for (LLVMValueRef a = LLVMGetFirstGlobalAlias(module); a; a = LLVMGetNextGlobalAlias(a)) {
    LLVMValueRef target = LLVMAliasGetAliasee(a);
    if (LLVMIsAFunction(target)) LLVMReplaceAllUsesWith(a, target);
  }
}

static bool run_passes(LLVMModuleRef module, const char *passes, const char *path, DiagSink *sink) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(module, passes, NULL, options);
  LLVMDisposePassBuilderOptions(options);
  if (!error) return true;
  char *message = LLVMGetErrorMessage(error);
  diag_report(sink, DIAG_ERROR, NULL, "%s: LLVM cannot run '%s': %s", path, passes, message);
  LLVMDisposeErrorMessage(message);
  return false;
}

// LLVM marks them in metadata; since 20, by their calling convention.
void kernels_of(LLVMModuleRef module, PtrMap *kernels) {
  ASSERT(module);
  static const char annotations[] = "nvvm.annotations";
  enum { PTX_KERNEL = 71 };
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (LLVMGetFunctionCallConv(f) == PTX_KERNEL) ptr_map_put(kernels, f, 1);
  unsigned count = LLVMGetNamedMetadataNumOperands(module, annotations);
  if (count == 0) return;
  LLVMValueRef *nodes = arena_array(kernels->arena, count, LLVMValueRef);
  LLVMGetNamedMetadataOperands(module, annotations, nodes);
  for (unsigned i = 0; i < count; i++) {
    unsigned parts = (unsigned)LLVMGetMDNodeNumOperands(nodes[i]);
    if (parts < 3) continue;
    LLVMValueRef *operands = arena_array(kernels->arena, parts, LLVMValueRef);
    LLVMGetMDNodeOperands(nodes[i], operands);
    unsigned length = 0;
    for (unsigned k = 1; operands[0] && k + 1 < parts; k += 2) {
      const char *key = operands[k] ? LLVMGetMDString(operands[k], &length) : NULL;
      if (key && length == 6 && memcmp(key, "kernel", 6) == 0) ptr_map_put(kernels, operands[0], 1);
    }
  }
}

// What was put into the struct where it is taken from; the value itself if that is not seen.
static LLVMValueRef taken_from_struct(LLVMValueRef value) {
  if (!LLVMIsAExtractValueInst(value) || LLVMGetNumIndices(value) != 1) return value;
  unsigned wanted = *LLVMGetIndices(value);
  LLVMValueRef from = LLVMGetOperand(value, 0);
  while (LLVMIsAInsertValueInst(from) && LLVMGetNumIndices(from) == 1) {
    if (*LLVMGetIndices(from) == wanted) return LLVMGetOperand(from, 1);
    from = LLVMGetOperand(from, 0);
  }
  return value;
}

// Is this value a constant once its operands are folded?
static bool folds_to_constant(LLVMValueRef value, int depth) {
  value = taken_from_struct(value);
  if (LLVMIsAConstant(value)) return true;
  if (depth == 0 || !LLVMIsAInstruction(value) || LLVMIsAPHINode(value) || call_is(value) ||
      LLVMIsALoadInst(value) || LLVMIsAAllocaInst(value))
    return false;
  for (int i = 0; i < LLVMGetNumOperands(value); i++)
    if (!folds_to_constant(LLVMGetOperand(value, (unsigned)i), depth - 1)) return false;
  return LLVMGetNumOperands(value) > 0;
}

static bool is_choice(LLVMValueRef last) {
  return LLVMIsASwitchInst(last) || (LLVMIsABranchInst(last) && LLVMIsConditional(last));
}

// A branch whose way is known: after inlining, what was an argument (the order of an atomic, a mode) is a
// constant.
static bool has_settled_branch(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
      LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
      if (is_choice(last) && folds_to_constant(LLVMGetOperand(last, 0), 12)) return true;
    }
  return false;
}

// What is asked of a variable that nobody has set may go either way, where LLVM would take the code behind it for
// code that is never reached: while its passes settle branches, choices are frozen.
static void freeze_choices(LLVMModuleRef module) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
      LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
      if (!is_choice(last)) continue;
      LLVMPositionBuilderBefore(builder, last);
      LLVMSetOperand(last, 0, LLVMBuildFreeze(builder, LLVMGetOperand(last, 0), ""));
    }
  LLVMDisposeBuilder(builder);
}

static void thaw_choices(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
      LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
      LLVMValueRef frozen = is_choice(last) ? LLVMGetOperand(last, 0) : NULL;
      if (!frozen || !LLVMIsAFreezeInst(frozen)) continue;
      LLVMReplaceAllUsesWith(frozen, LLVMGetOperand(frozen, 0));
      LLVMInstructionEraseFromParent(frozen);
    }
}

// A function that was passed as an argument is known once what called it has been copied.
static bool has_new_direct_call(const CallGraph *graph) {
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

static bool inline_device(LLVMModuleRef module, const PtrMap *kernels, const Toolchain *tools, DiagSink *sink,
                          const char *path, Arena *scratch) {
  for (uint32_t round = 0; round < ROUNDS_OF_POINTERS; round++) {
    CallGraph graph = {.module = module, .tools = tools, .is_device = true, .scratch = scratch};
    mark_functions(&graph, kernels);
    const char *passes =
        "globaldce,function(sroa<preserve-cfg>),always-inline,globaldce,function(sroa<preserve-cfg>)";
    if (!run_passes(module, round ? "always-inline,globaldce,function(sroa<preserve-cfg>)" : passes, path,
                    sink))
      return false;
    bool is_expanded = chosen_calls_expand(module);
    if (!has_new_direct_call(&graph) && !is_expanded) break;
  }
  return true;
}

static bool give_own_params(LLVMModuleRef module, const PtrMap *kernels) {
  bool changed = false;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    uint32_t unused;
    if (!ptr_map_get(kernels, f, &unused)) continue;
    changed |= own_params_share(module, f);
    changed |= own_params_copy(module, f);
  }
  return changed;
}

bool simplify_device(LLVMModuleRef module, const Toolchain *tools, DiagSink *sink, const char *path) {
  ASSERT(module);
  ASSERT(path);
  Arena *scratch = arena_open();
  PtrMap kernels = {.arena = scratch};
  kernels_of(module, &kernels);
  resolve_aliases(module);
  reads_keep(module);
  bool is_done = inline_device(module, &kernels, tools, sink, path, scratch);
  for (uint32_t round = 0; is_done && round < ROUNDS_OF_INDICES && constant_indices(module); round++)
    is_done = run_passes(module, "function(sroa<preserve-cfg>)", path, sink);
  if (is_done && give_own_params(module, &kernels))
    is_done = run_passes(module, "function(sroa<preserve-cfg>)", path, sink);
  if (is_done && has_settled_branch(module)) {
    freeze_choices(module);
    is_done = run_passes(module, "function(instsimplify,sccp)", path, sink);
    thaw_choices(module);
  }
  reads_release(module);
  arena_close(scratch);
  LLVMSetIsNewDbgInfoFormat(module, 0);
  return is_done;
}

// ---- loops with more than one entry

static bool has_computed_jump(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
      LLVMOpcode last = LLVMGetInstructionOpcode(LLVMGetBasicBlockTerminator(b));
      if (last != LLVMBr && last != LLVMSwitch && last != LLVMRet && last != LLVMUnreachable) return true;
    }
  return false;
}

// New branches get the places of those that lead to them, for what is said of them.
static void place_branches(LLVMModuleRef module) {
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
      for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
        LLVMMetadataRef place = LLVMInstructionGetDebugLoc(last);
        for (unsigned s = 0; place && s < LLVMGetNumSuccessors(last); s++) {
          LLVMValueRef next = LLVMGetBasicBlockTerminator(LLVMGetSuccessor(last, s));
          if (LLVMInstructionGetDebugLoc(next)) continue;
          LLVMInstructionSetDebugLoc(next, place);
          is_new = true;
        }
      }
  }
}

// The pass that gives a loop one entry knows branches with two ways only.
bool simplify_loops(LLVMModuleRef module, DiagSink *sink, const char *path) {
  ASSERT(module);
  ASSERT(path);
  if (has_computed_jump(module)) return false;
  bool is_done = run_passes(module, "function(lower-switch,fix-irreducible)", path, sink);
  place_branches(module);
  LLVMSetIsNewDbgInfoFormat(module, 0);
  return is_done;
}

// ---- what host functions do to memory

// Two bits each for memory behind arguments, memory not otherwise visible, other memory: 1 read, 2 write.
enum { MEMORY_HIDDEN = 12, MEMORY_HIDDEN_AND_READ = 13, MEMORY_HIDDEN_AND_ARGUMENTS = 15 };

static bool shares_memory_with_kernels(LLVMModuleRef module) {
  static const char *const makers[] = {
      "cudaMallocManaged",        "cudaHostAlloc",        "cudaMallocHost", "cudaHostRegister",
      "cudaHostGetDevicePointer", "cudaMemPrefetchAsync", "cudaMemAdvise",  "cudaLaunchHostFunc",
      "cudaStreamAddCallback"};
  for (size_t i = 0; i < sizeof makers / sizeof *makers; i++) {
    LLVMValueRef maker = LLVMGetNamedFunction(module, makers[i]);
    if (maker && LLVMGetFirstUse(maker)) return true;
  }
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
    if (str_ends_with(value_name(g), ".managed")) return true;
  return false;
}

static bool is_printing(const char *name) {
  static const char *const names[] = {"printf", "fprintf", "puts",   "putchar",      "fputs",
                                      "fputc",  "fflush",  "perror", "__assert_fail"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return true;
  return false;
}

static void set_memory_effect(LLVMValueRef function, bool is_shared, const Toolchain *tools) {
  const char *name = value_name(function);
  uint64_t effect;
  bool is_users = LLVMGetSubprogram(function) && !function_is_in_system(function, tools);
  if (is_users && !is_stub(name)) return; // of the user's own under such a name
  if (is_stub(name)) {
    effect = MEMORY_HIDDEN;
  } else if (is_cuda_runtime(name)) {
    effect = str_starts_with(name, "cudaLaunch") ? MEMORY_HIDDEN_AND_READ : MEMORY_HIDDEN_AND_ARGUMENTS;
  } else if (is_printing(name)) {
    effect = MEMORY_HIDDEN_AND_ARGUMENTS;
    is_shared = false;
  } else {
    return;
  }
  if (LLVMIsDeclaration(function) || is_stub(name)) {
    add_attribute(function, "nounwind", 0);
    if (!is_shared) add_attribute(function, "memory", effect);
  }
}

// ---- launches that are folded away

typedef struct LaunchPlace {
  const char *stub;
  LLVMMetadataRef location;
  bool is_call; // else its address is used there
} LaunchPlace;
typedef VEC(LaunchPlace) LaunchPlaces;

// What the program does with a stub, other than the code that registers it.
static LLVMUseRef launch_from(LLVMUseRef use) {
  for (; use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAInstruction(user)) continue;
    const char *caller = value_name(LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)));
    if (!is_stub(caller) && !str_starts_with(caller, "__cuda_")) break;
  }
  return use;
}

static void note_launches(LLVMModuleRef module, Arena *scratch, LaunchPlaces *places) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    LLVMUseRef use = is_stub(value_name(f)) ? launch_from(LLVMGetFirstUse(f)) : NULL;
    for (; use; use = launch_from(LLVMGetNextUse(use))) {
      LLVMValueRef user = LLVMGetUser(use);
      LLVMMetadataRef location = LLVMInstructionGetDebugLoc(user);
      bool is_call = (LLVMIsACallInst(user) || LLVMIsAInvokeInst(user)) && LLVMGetCalledValue(user) == f;
      if (location)
        vec_push(scratch, places, (LaunchPlace){arena_strdup(scratch, value_name(f)), location, is_call});
    }
  }
}

// Places of one stub are told apart by line and column alone: launches in copies of a function, and those of
// instances of a template, count as one, and one that may have been merged with another as any.
static bool may_be_at(LLVMMetadataRef left, LLVMMetadataRef place) {
  if (!left || LLVMDILocationGetLine(left) == 0) return true;
  return LLVMDILocationGetLine(left) == LLVMDILocationGetLine(place) &&
         LLVMDILocationGetColumn(left) == LLVMDILocationGetColumn(place);
}

// Addresses are computed wherever it suits: they count as one.
static bool is_left(LLVMValueRef stub, const LaunchPlace *place) {
  LLVMUseRef use = launch_from(LLVMGetFirstUse(stub));
  for (; use; use = launch_from(LLVMGetNextUse(use)))
    if (!place->is_call || may_be_at(LLVMInstructionGetDebugLoc(LLVMGetUser(use)), place->location))
      return true;
  return false;
}

typedef VEC(LLVMMetadataRef) Locations;

static bool is_listed(const Locations *list, LLVMMetadataRef place) {
  for (uint32_t i = 0; i < list->count; i++)
    if (may_be_at(list->items[i], place)) return true;
  return false;
}

// Simplifying leaves out what the conditions on the way exclude. The stub keeps the places, so that these
// launches can be called dead, and the kernel not one that nobody launches here.
static void mark_folded(LLVMModuleRef module, const LaunchPlaces *places, Arena *scratch) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  unsigned kind = LLVMGetMDKindIDInContext(context, HGRD_FOLDED, strlen(HGRD_FOLDED));
  for (uint32_t first = 0, end = 0; first < places->count; first = end) { // those of one stub
    LLVMValueRef stub = LLVMGetNamedFunction(module, places->items[first].stub);
    Locations gone = {0};
    for (; end < places->count && strcmp(places->items[end].stub, places->items[first].stub) == 0; end++) {
      const LaunchPlace *place = &places->items[end];
      bool is_gone = stub && !is_listed(&gone, place->location) && !is_left(stub, place);
      if (is_gone) vec_push(scratch, &gone, place->location);
    }
    if (gone.count) LLVMGlobalSetMetadata(stub, kind, LLVMMDNodeInContext2(context, gone.items, gone.count));
  }
}

bool simplify_host(LLVMModuleRef module, const Toolchain *tools, DiagSink *sink, const char *path) {
  ASSERT(module);
  ASSERT(path);
  Arena *scratch = arena_open();
  PtrMap kernels = {.arena = scratch};
  bool is_shared = shares_memory_with_kernels(module);
  resolve_aliases(module);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    set_memory_effect(f, is_shared, tools);
  CallGraph graph = {.module = module, .tools = tools, .scratch = scratch};
  mark_functions(&graph, &kernels);
  LaunchPlaces places = {0};
  bool is_done = run_passes(module, "globaldce", path, sink);
  note_launches(module, scratch, &places);
  is_done = is_done &&
            run_passes(module,
                       "function(sroa),always-inline,globaldce,function(sroa,early-cse<memssa>,simplifycfg)",
                       path, sink);
  if (is_done) mark_folded(module, &places, scratch);
  arena_close(scratch);
  LLVMSetIsNewDbgInfoFormat(module, 0);
  return is_done;
}
