// Which passes of LLVM run, and in which order, to bring a module to one simple form? Fixed lists: each function is
// brought out of memory (sroa) before it is copied into others (inline.c says which), since what is copied is small
// then, and once more afterwards. The device list neither moves, merges, speculates nor drops an access (unused_reads.c;
// sroa<preserve-cfg>; sccp, which only folds constants, runs behind instsimplify where a branch is settled by one);
// the host list may, since accesses of the host are not checked.
//
// Soundness: what the lists must not do to accesses of the device is tested with each version of LLVM. Host functions
// that may write memory of the host keep that effect: where memory is shared with kernels, launches and
// synchronisation get no attributes. Branches on what nobody has set are frozen while passes settle branches.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/inline.h"
#include "frontend/lower.h"
#include "core/bug.h"
#include "frontend/llvm_before.h"

#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <string.h>

enum {
  ROUNDS_OF_POINTERS = 4, // functions passed to functions that pass them on
  ROUNDS_OF_INDICES = 4   // indices out of structs that have been taken apart by other indices
};

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

// A recognised barrier is not asked which object it is called for: one that holds the group need not stay in memory for that.
static void forget_groups(LLVMModuleRef module, const Toolchain *tools, Arena *scratch) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    const Recognition *known = LLVMCountParams(f) ? recognise_value(f, tools, true, scratch) : NULL;
    if (!known || known->kind != REC_BARRIER || known->operands) continue;
    for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use)) {
      LLVMValueRef call = LLVMGetUser(use);
      if (!LLVMIsACallInst(call) || LLVMGetCalledValue(call) != f) continue;
      for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, i));
        if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) LLVMSetOperand(call, i, LLVMConstNull(type));
      }
    }
  }
}

static bool inline_device(LLVMModuleRef module, const PtrMap *kernels, const Toolchain *tools, DiagSink *sink,
                          const char *path, Arena *scratch) {
  for (uint32_t round = 0; round < ROUNDS_OF_POINTERS; round++) {
    CallGraph graph = {.module = module, .tools = tools, .is_device = true, .scratch = scratch};
    inline_mark_functions(&graph, kernels);
    const char *passes =
        "globaldce,function(sroa<preserve-cfg>),always-inline,globaldce,function(sroa<preserve-cfg>)";
    if (!run_passes(module, round ? "always-inline,globaldce,function(sroa<preserve-cfg>)" : passes, path,
                    sink))
      return false;
    bool is_expanded = chosen_calls_expand(module);
    if (!inline_has_new_call(&graph) && !is_expanded) break;
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
  forget_groups(module, tools, scratch);
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
enum { MEMORY_HIDDEN_AND_ARGUMENTS = 15 };

// From then on each call of the runtime may come behind a function of the program.
static bool calls_back(const char *name) {
  static const char *const names[] = {
      "cudaLaunchHostFunc",         "cudaStreamAddCallback",          "cudaGraphAddHostNode",
      "cudaGraphHostNodeSetParams", "cudaGraphExecHostNodeSetParams", "cudaGraphAddNode",
      "cudaGraphNodeSetParams",     "cudaGraphExecNodeSetParams",     "cudaUserObjectCreate"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (str_starts_with(name, names[i])) return true;
  return false;
}

// A struct says where, or calls before it did.
static bool writes_elsewhere(const char *name) {
  return str_starts_with(name, "cudaGraph") || str_starts_with(name, "cudaMemcpy3D") ||
         str_starts_with(name, "cudaMemcpyBatch");
}

static bool shares_memory_with_kernels(LLVMModuleRef module) {
  static const char *const makers[] = {
      "cudaMallocManaged",        "cudaHostAlloc",        "cudaMallocHost", "cudaHostRegister",
      "cudaHostGetDevicePointer", "cudaMemPrefetchAsync", "cudaMemAdvise"};
  for (size_t i = 0; i < sizeof makers / sizeof *makers; i++) {
    LLVMValueRef maker = LLVMGetNamedFunction(module, makers[i]);
    if (maker && LLVMGetFirstUse(maker)) return true;
  }
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (calls_back(value_name(f)) && LLVMGetFirstUse(f)) return true;
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
    if (global_is_managed(g)) return true;
  return false;
}

static bool is_printing(const char *name) {
  static const char *const names[] = {"printf", "fprintf", "puts",   "putchar",      "fputs",
                                      "fputc",  "fflush",  "perror", "__assert_fail"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return true;
  return false;
}

// A launch may write whatever memory is the host's and the device's, and who made that may be out of view.
static void set_memory_effect(LLVMValueRef function, bool is_shared, const Toolchain *tools) {
  const char *name = value_name(function);
  bool is_users = LLVMGetSubprogram(function) && !function_is_in_system(function, tools);
  bool launches = is_launch_stub(name) || str_starts_with(name, "cudaLaunch"), prints = is_printing(name);
  if (is_users && !is_launch_stub(name)) return; // of the user's own under such a name
  if (!launches && !prints && !is_cuda_runtime(name)) return;
  if (!LLVMIsDeclaration(function) && !is_launch_stub(name)) return;
  function_add_attribute(function, "nounwind", 0);
  if (prints || !(launches || is_shared || writes_elsewhere(name)))
    function_add_attribute(function, "memory", MEMORY_HIDDEN_AND_ARGUMENTS);
}

// Each function of the C library may have set `errno` since it was last looked at.
static void error_number_is_anything(LLVMModuleRef module) {
  LLVMValueRef place = LLVMGetNamedFunction(module, "__errno_location");
  for (LLVMUseRef use = place ? LLVMGetFirstUse(place) : NULL; use; use = LLVMGetNextUse(use))
    for (LLVMUseRef at = LLVMGetFirstUse(LLVMGetUser(use)); at; at = LLVMGetNextUse(at)) {
      LLVMValueRef access = LLVMGetUser(at);
      if (LLVMIsALoadInst(access) || LLVMIsAStoreInst(access)) LLVMSetVolatile(access, 1);
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
    if (!is_launch_stub(caller) && !str_starts_with(caller, "__cuda_")) break;
  }
  return use;
}

static void note_launches(LLVMModuleRef module, Arena *scratch, LaunchPlaces *places) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    LLVMUseRef use = is_launch_stub(value_name(f)) ? launch_from(LLVMGetFirstUse(f)) : NULL;
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
  compiled_functions_are_calls(module);
  vectors_stay_in_place(module);
  orders_are_told(module);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    set_memory_effect(f, is_shared, tools);
  CallGraph graph = {.module = module, .tools = tools, .scratch = scratch};
  inline_mark_functions(&graph, &kernels);
  LaunchPlaces places = {0};
  bool is_done = run_passes(module, "globaldce", path, sink);
  note_launches(module, scratch, &places);
  is_done =
      is_done && run_passes(module, "function(sroa),always-inline,globaldce,function(sroa)", path, sink);
  error_number_is_anything(module); // pointers to it are told apart now
  is_done = is_done && run_passes(module, "function(early-cse<memssa>,simplifycfg,bdce)", path, sink);
  if (is_done) mark_folded(module, &places, scratch);
  arena_close(scratch);
  LLVMSetIsNewDbgInfoFormat(module, 0);
  return is_done;
}
