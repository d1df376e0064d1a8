// Where does a std::vector keep its elements while it grows? Where it has kept them from the beginning: growing moves them to a
// larger piece of memory and changes none, and who holds an address in the smaller one may not use it any more. So on the host
// side a vector that elements are added to gets memory of unknown size when it is made, even an empty one; adding an element at
// the end puts it there, the way that moves all elements is left out, and `reserve` does nothing. The host scan then sees one
// array, which is filled one element after the other. Method: by the names that libstdc++ gives to these members, of vectors
// with std::allocator, in the linked program before any call is replaced by its body; what is not of that form stays as it is.
// Soundness: what elements hold, and how many there are, is the same; a capacity is an unknown number outside of the class. That
// an element has another address after its vector has grown is not seen; nobody may use the old one. A vector that is made without
// its constructor (constant zeros) has null for its memory, of which nothing is known.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/internal.h"
#include "core/bug.h"

#include <string.h>

typedef struct Member { // of a vector with std::allocator, or of its base
  LLVMValueRef function;
  const char *element; // its type
  const char *name;    // "push_back"
  bool is_of_base;
} Member;

typedef struct Growth {
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  LLVMTypeRef word, pointer;
  Arena *scratch;
  VEC(Member) members;
  VEC(const char *) growing; // types of elements
} Growth;

// ---- members
// The `T` of "CLASS<T, std::allocator<T> >::NAME", and the name.
static bool split_member(Growth *growth, const char *display, const char *class_name, Member *out) {
  size_t length = strlen(class_name);
  if (strncmp(display, class_name, length) != 0) return false;
  const char *element = display + length;
  for (const char *at = strstr(element, ", std::allocator<"); at; at = strstr(at + 1, ", std::allocator<")) {
    size_t bytes = (size_t)(at - element);
    const char *again = at + strlen(", std::allocator<"), *end = again + bytes;
    if (strlen(again) <= bytes || strncmp(element, again, bytes) != 0) continue;
    if (*end == ' ') end++;
    if (!str_starts_with(end, "> >::")) continue;
    out->element = arena_strndup(growth->scratch, element, bytes);
    out->name = end + strlen("> >::");
    return true;
  }
  return false;
}

static void note_member(Growth *growth, LLVMValueRef function) {
  const char *name = value_name(function);
  bool is_of_base = str_starts_with(name, "_ZNSt12_Vector_base");
  if (!is_of_base && !str_starts_with(name, "_ZNSt6vector") && !str_starts_with(name, "_ZNKSt6vector"))
    return;
  Member member = {.function = function, .is_of_base = is_of_base};
  const char *display = demangle(name, growth->scratch).display;
  if (split_member(growth, display, is_of_base ? "std::_Vector_base<" : "std::vector<", &member))
    vec_push(growth->scratch, &growth->members, member);
}

static bool is_growth(const Member *member) {
  return str_starts_with(member->name, "_M_realloc_insert") ||
         str_starts_with(member->name, "_M_realloc_append");
}

static bool is_growing(const Growth *growth, const Member *member) {
  for (uint32_t i = 0; i < growth->growing.count; i++)
    if (strcmp(growth->growing.items[i], member->element) == 0) return true;
  return false;
}

static void note_members(Growth *growth) {
  for (LLVMValueRef f = LLVMGetFirstFunction(growth->module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f)) note_member(growth, f);
  for (uint32_t i = 0; i < growth->members.count; i++) {
    const Member *member = &growth->members.items[i];
    if (is_growth(member) && !is_growing(growth, member))
      vec_push(growth->scratch, &growth->growing, member->element);
  }
}

// ---- memory
static LLVMValueRef call_of_word(const Growth *growth, const char *name, LLVMTypeRef result,
                                 LLVMValueRef argument) {
  LLVMTypeRef word = growth->word, type = LLVMFunctionType(result, &word, 1, 0);
  LLVMValueRef function = LLVMGetNamedFunction(growth->module, name);
  if (!function) function = LLVMAddFunction(growth->module, name, type);
  return LLVMBuildCall2(growth->builder, type, function, &argument, 1, "");
}

static LLVMValueRef any_number(const Growth *growth) {
  return call_of_word(growth, "__hgrd_contents_count", growth->word,
                      LLVMConstInt(growth->word, (uint64_t)INT64_MAX, 0));
}

static LLVMValueRef room(const Growth *growth) {
  return call_of_word(growth, "_Znwm", growth->pointer, any_number(growth));
}

static void place_at(const Growth *growth, LLVMValueRef before) {
  LLVMPositionBuilderBefore(growth->builder, before);
  LLVMSetCurrentDebugLocation2(growth->builder, LLVMInstructionGetDebugLoc(before));
}

// Null, which a constructor stores as the begin and the end of an empty vector, becomes memory of its own.
static void make_room(const Growth *growth, LLVMValueRef constructor) {
  LLVMValueRef memory = NULL;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(constructor); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
      if (!LLVMIsAStoreInst(i) || !LLVMIsAConstantPointerNull(LLVMGetOperand(i, 0))) continue;
      place_at(growth, i);
      if (!memory) memory = room(growth);
      LLVMSetOperand(i, 0, memory);
    }
}

static void replace_body(Growth *growth, LLVMValueRef function) {
  LLVMBuilderRef other = growth->builder;
  growth->builder = function_rewrite(function);
  LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(function));
  if (LLVMGetTypeKind(result) == LLVMVoidTypeKind)
    LLVMBuildRetVoid(growth->builder);
  else
    LLVMBuildRet(growth->builder, room(growth));
  LLVMDisposeBuilder(growth->builder);
  growth->builder = other;
}

// ---- growing
static bool is_terminator(LLVMValueRef inst) {
  return inst == LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(inst));
}

// The branch that alone leads to the block.
static LLVMValueRef branch_to(LLVMBasicBlockRef block) {
  LLVMValueRef only = NULL;
  for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (only || !LLVMIsABranchInst(user) || !LLVMIsConditional(user)) return NULL;
    only = user;
  }
  return only;
}

// The way that calls `grow` is not gone.
static void stay_in_place(const Growth *growth, LLVMValueRef grow) {
  VEC(LLVMValueRef) calls = {0};
  for (LLVMUseRef use = LLVMGetFirstUse(grow); use; use = LLVMGetNextUse(use))
    if (call_is(LLVMGetUser(use))) vec_push(growth->scratch, &calls, LLVMGetUser(use));
  for (uint32_t i = 0; i < calls.count; i++) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(calls.items[i]);
    LLVMValueRef caller = LLVMGetBasicBlockParent(block), branch = branch_to(block);
    bool is_adding = false;
    for (uint32_t m = 0; m < growth->members.count && !is_adding; m++) {
      const Member *member = &growth->members.items[m];
      is_adding = member->function == caller && (str_starts_with(member->name, "push_back") ||
                                                 str_starts_with(member->name, "emplace_back"));
    }
    if (!is_adding || !branch) continue;
    LLVMBasicBlockRef other = LLVMGetSuccessor(branch, LLVMGetSuccessor(branch, 0) == block);
    place_at(growth, branch);
    LLVMBuildBr(growth->builder, other);
    LLVMInstructionEraseFromParent(branch);
  }
}

// Who asks a vector for its capacity is given a number.
static void hide_capacity(const Growth *growth, LLVMValueRef capacity) {
  VEC(LLVMValueRef) calls = {0};
  for (LLVMUseRef use = LLVMGetFirstUse(capacity); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef call = LLVMGetUser(use);
    if (!LLVMIsACallInst(call) || is_terminator(call)) continue;
    const char *caller = value_name(LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)));
    if (!str_starts_with(caller, "_ZNSt6vector")) vec_push(growth->scratch, &calls, call);
  }
  for (uint32_t i = 0; i < calls.count; i++) {
    place_at(growth, calls.items[i]);
    LLVMReplaceAllUsesWith(calls.items[i], any_number(growth));
  }
}

static void settle_member(Growth *growth, const Member *member) {
  if (member->is_of_base) {
    if (str_starts_with(member->name, "_Vector_impl_data::_Vector_impl_data"))
      make_room(growth, member->function);
    if (strcmp(member->name, "_M_allocate") == 0) replace_body(growth, member->function);
    return;
  }
  if (is_growth(member)) stay_in_place(growth, member->function);
  if (strcmp(member->name, "reserve") == 0) replace_body(growth, member->function);
  if (strcmp(member->name, "capacity") == 0) hide_capacity(growth, member->function);
}

void vectors_stay_in_place(LLVMModuleRef module) {
  ASSERT(module);
  LLVMContextRef context = LLVMGetModuleContext(module);
  Growth growth = {.module = module, .scratch = arena_open()};
  note_members(&growth);
  growth.builder = LLVMCreateBuilderInContext(context);
  growth.word = LLVMInt64TypeInContext(context);
  growth.pointer = LLVMPointerTypeInContext(context, 0);
  for (uint32_t i = 0; i < growth.members.count; i++)
    if (is_growing(&growth, &growth.members.items[i])) settle_member(&growth, &growth.members.items[i]);
  LLVMDisposeBuilder(growth.builder);
  arena_close(growth.scratch);
}
