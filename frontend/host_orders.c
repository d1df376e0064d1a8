// What do algorithms of the standard library leave behind that put elements into another order, sum them up, or leave equal
// neighbours out? The body of `std::sort`, `stable_sort`, `reverse`, `rotate`, `shuffle`, `random_shuffle`, `unique`, `partial_sum`,
// `inclusive_scan` or `exclusive_scan` over pointers to numbers, or iterators of a vector of them, becomes the call by which the
// host scan knows the same of thrust (frontend/cuda/hgrd_contents.h). Method: by name and template arguments, in the linked program
// before calls are replaced by bodies. Comparisons are std::less or std::greater, or code of the program that only looks
// (looks_only.c), after which nothing is known of the order; else the body stays: what the user's own compares may write elsewhere.
// Soundness: as the standard says of each; an engine of random numbers that is given may hold anything afterwards.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/internal.h"
#include "core/bug.h"

#include <string.h>

typedef struct Number { // as the demangler calls it
  const char *name;
  uint32_t bytes;
  int kind; // __hgrd_contents_kind
} Number;

static const Number numbers[] = {
    {"int", 4, 1},       {"unsigned int", 4, 2},       {"long", 8, 1},          {"unsigned long", 8, 2},
    {"long long", 8, 1}, {"unsigned long long", 8, 2}, {"short", 2, 1},         {"unsigned short", 2, 2},
    {"char", 1, 1},      {"signed char", 1, 1},        {"unsigned char", 1, 2}, {"float", 4, 0},
    {"double", 8, 0},
};

typedef enum Leaves { LEAVES_ORDER, LEAVES_ROTATED, LEAVES_DISTINCT, LEAVES_SUMS, LEAVES_SUMS_BEFORE } Leaves;

typedef struct Order {
  LLVMValueRef function;
  const Number *element;
  Leaves leaves;
  int kind; // of the order, 0: any; -1: nothing is known
  bool has_engine;
} Order;

// ---- names
// Of "int*, std::less<int> >" or "__gnu_cxx::__normal_iterator<int*, std::vector<int, std::allocator<int> > > >" the number, and
// what follows the iterator.
static const Number *element_of(const char *text, const char **rest) {
  static const char iterator[] = "__gnu_cxx::__normal_iterator<";
  bool is_iterator = str_starts_with(text, iterator);
  if (is_iterator) text += strlen(iterator);
  const char *star = strchr(text, '*');
  if (!star) return NULL;
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    if (strlen(numbers[i].name) != (size_t)(star - text) ||
        strncmp(numbers[i].name, text, (size_t)(star - text)))
      continue;
    int depth = is_iterator;
    const char *at = star + 1;
    for (; *at && depth > 0; at++)
      depth += (*at == '<') - (*at == '>');
    if (is_iterator && !str_starts_with(star + 1, ", std::vector<")) return NULL;
    *rest = at;
    return &numbers[i];
  }
  return NULL;
}

static bool is_end(const char *rest) {
  while (*rest == ' ')
    rest++;
  return strcmp(rest, ">") == 0;
}

// ---- comparisons of the program
static bool is_of_library(const char *name) {
  static const char *const spaces[] = {"_ZSt", "_ZNSt", "_ZNKSt", "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx"};
  for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
    if (str_starts_with(name, spaces[i])) return true;
  return false;
}

static bool
is_runtime(const char *name) { // what a sort calls besides: memory to sort in, the end of the world
  static const char *const names[] = {"llvm.",  "_Znwm",  "_ZdlPv",
                                      "__gxx_", "__cxa_", "__clang_call_terminate"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (str_starts_with(name, names[i])) return true;
  return is_of_library(name);
}

enum { LIBRARY_LIMIT = 256 };

typedef struct Library { // the library's functions that a sort calls
  VEC(LLVMValueRef) functions;
  bool has_pointer; // the comparison is a pointer to a function
} Library;

static bool add_callee(Library *library, LLVMValueRef call, Arena *scratch) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (!LLVMIsAFunction(callee)) return library->has_pointer && !LLVMIsAInlineAsm(callee);
  const char *name = value_name(callee);
  if (LLVMIsDeclaration(callee)) return is_runtime(name);
  if (!is_of_library(name) && !is_runtime(name)) return function_only_looks(callee);
  for (uint32_t i = 0; i < library->functions.count; i++)
    if (library->functions.items[i] == callee) return true;
  vec_push(scratch, &library->functions, callee);
  return library->functions.count <= LIBRARY_LIMIT;
}

// Code of the program that the function calls, directly or by others of the library, only looks.
static bool calls_only_look(LLVMValueRef function, bool has_pointer, Arena *scratch) {
  Library library = {.has_pointer = has_pointer};
  vec_push(scratch, &library.functions, function);
  for (uint32_t f = 0; f < library.functions.count; f++)
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(library.functions.items[f]); b;
         b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
        if ((LLVMIsACallInst(i) || LLVMIsAInvokeInst(i)) && !add_callee(&library, i, scratch)) return false;
  return true;
}

// Whoever calls the sort gives it the address of a function that only looks.
static bool is_given_what_looks(LLVMValueRef sort) {
  for (LLVMUseRef use = LLVMGetFirstUse(sort); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef call = LLVMGetUser(use);
    bool is_call = LLVMIsACallInst(call) || LLVMIsAInvokeInst(call);
    if (!is_call || LLVMGetCalledValue(call) != sort || LLVMGetNumArgOperands(call) != 3) return false;
    LLVMValueRef given = LLVMGetOperand(call, 2);
    if (!LLVMIsAFunction(given) || !function_only_looks(given)) return false;
  }
  return true;
}

static bool compares_only(LLVMValueRef sort, const char *rest, Arena *scratch) {
  bool has_pointer = str_starts_with(rest, ", bool (*)(");
  return (!has_pointer || is_given_what_looks(sort)) && calls_only_look(sort, has_pointer, scratch);
}

// The kind of order that the comparison gives; -1: it is not known what it does.
static int compared(LLVMValueRef sort, const char *rest, int kind, Arena *scratch) {
  if (is_end(rest)) return kind;
  if (str_starts_with(rest, ", std::less<")) return kind;
  if (str_starts_with(rest, ", std::greater<")) return kind ? kind + 2 : 0;
  return compares_only(sort, rest, scratch) ? 0 : -1;
}

// ---- what it is
// Sums of one kind of integer, which do not wrap (A1): short ones easily do. Exclusive ones are given the first sum, of that kind too.
static void read_sums(const char *name, Order *out) {
  static const char *const inclusive[] = {"std::partial_sum<", "std::inclusive_scan<"};
  static const char exclusive[] = "std::exclusive_scan<";
  const char *types = NULL, *rest = NULL, *after = NULL;
  bool is_exclusive = str_starts_with(name, exclusive);
  if (is_exclusive) types = name + strlen(exclusive);
  for (int i = 0; i < 2; i++)
    if (str_starts_with(name, inclusive[i])) types = name + strlen(inclusive[i]);
  if (!types) return;
  out->element = element_of(types, &rest);
  if (!out->element || !out->element->kind || out->element->bytes < 4 || !str_starts_with(rest, ", ") ||
      element_of(rest + 2, &after) != out->element)
    return;
  size_t length = strlen(out->element->name);
  if (is_exclusive && (!str_starts_with(after, ", ") || strncmp(after + 2, out->element->name, length) != 0))
    return;
  if (!is_end(is_exclusive ? after + 2 + length : after)) return;
  out->leaves = is_exclusive ? LEAVES_SUMS_BEFORE : LEAVES_SUMS;
  out->kind = 0;
}

static void read_distinct(const char *name, Order *out) {
  static const char unique[] = "std::unique<";
  const char *rest = NULL;
  if (!str_starts_with(name, unique)) return;
  out->element = element_of(name + strlen(unique), &rest);
  if (!out->element || !is_end(rest)) return;
  out->leaves = LEAVES_DISTINCT;
  out->kind = 0;
}

static void read_rotated(const char *name, Order *out) {
  static const char rotate[] = "std::_V2::rotate<";
  const char *rest = NULL;
  if (!str_starts_with(name, rotate)) return;
  out->element = element_of(name + strlen(rotate), &rest);
  if (!out->element || !is_end(rest)) return;
  out->leaves = LEAVES_ROTATED;
  out->kind = 0;
}

static bool read_order(LLVMValueRef function, Arena *scratch, Order *out) {
  static const char *const sorts[] = {"std::sort<", "std::stable_sort<"}, *const others[] = {
                                                                              "std::reverse<",
                                                                              "std::random_shuffle<"};
  static const char shuffle[] = "std::shuffle<";
  if (!str_starts_with(value_name(function), "_ZSt") && !str_starts_with(value_name(function), "_ZNSt3_V2"))
    return false;
  const char *name = demangle(value_name(function), scratch).display, *rest = NULL;
  *out = (Order){.function = function, .kind = -1};
  for (int i = 0; i < 2; i++) {
    bool is_sort = str_starts_with(name, sorts[i]), is_other = str_starts_with(name, others[i]);
    if (!is_sort && !is_other) continue;
    out->element = element_of(name + strlen(is_sort ? sorts[i] : others[i]), &rest);
    if (out->element && is_sort) out->kind = compared(function, rest, out->element->kind, scratch);
    if (out->element && is_other && is_end(rest)) out->kind = 0;
  }
  if (str_starts_with(name, shuffle)) {
    out->element = element_of(name + strlen(shuffle), &rest);
    out->has_engine = true;
    if (out->element) out->kind = 0;
  }
  read_sums(name, out);
  read_rotated(name, out);
  read_distinct(name, out);
  return out->kind >= 0;
}

static bool has_iterators(const Order *order) {
  LLVMTypeKind result = LLVMGetTypeKind(LLVMGetReturnType(LLVMGlobalGetValueType(order->function)));
  bool has_sums = order->leaves == LEAVES_SUMS || order->leaves == LEAVES_SUMS_BEFORE;
  uint32_t least = order->has_engine || has_sums || order->leaves == LEAVES_ROTATED ? 3 : 2;
  if (result != (order->leaves == LEAVES_ORDER ? LLVMVoidTypeKind : LLVMPointerTypeKind) ||
      LLVMCountParams(order->function) < least + (order->leaves == LEAVES_SUMS_BEFORE))
    return false;
  for (uint32_t i = 0; i < least; i++)
    if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(order->function, i))) != LLVMPointerTypeKind) return false;
  return true;
}

// ---- bodies
LLVMBuilderRef function_rewrite(LLVMValueRef function) {
  ASSERT(!LLVMIsDeclaration(function));
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMMetadataRef place = NULL;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && !place; i = LLVMGetNextInstruction(i))
      place = LLVMInstructionGetDebugLoc(i);
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
  LLVMPositionBuilderAtEnd(builder, LLVMInsertBasicBlockInContext(context, entry, "instead"));
  LLVMSetCurrentDebugLocation2(builder, place);
  return builder;
}

enum { MOST_ARGUMENTS = 9 };

static LLVMValueRef call(LLVMBuilderRef builder, const Order *order, const char *name, LLVMTypeRef result,
                         uint32_t count, LLVMValueRef *args) {
  LLVMModuleRef module = LLVMGetGlobalParent(order->function);
  LLVMTypeRef types[MOST_ARGUMENTS];
  for (uint32_t i = 0; i < count; i++)
    types[i] = LLVMTypeOf(args[i]);
  LLVMTypeRef type = LLVMFunctionType(result, types, count, 0);
  LLVMValueRef function = LLVMGetNamedFunction(module, name);
  if (!function) function = LLVMAddFunction(module, name, type);
  return LLVMBuildCall2(builder, type, function, args, count, "");
}

typedef struct Body {
  const Order *order;
  LLVMBuilderRef builder;
  LLVMContextRef context;
  LLVMTypeRef word, nothing;
  LLVMValueRef args[MOST_ARGUMENTS]; // of the call that says what is left: first the place, then how many
} Body;

static LLVMValueRef place_behind(const Body *body, LLVMValueRef count) {
  LLVMValueRef bytes = LLVMBuildNSWMul(body->builder, count, body->args[2], "");
  return LLVMBuildInBoundsGEP2(body->builder, LLVMInt8TypeInContext(body->context), body->args[0], &bytes, 1,
                               "");
}

static void leave_order(Body *body) {
  const Order *order = body->order;
  bool is_sorted = order->kind > 0;
  body->args[4] = body->args[0];
  body->args[5] = LLVMConstInt(LLVMInt32TypeInContext(body->context), (uint64_t)order->kind, 0);
  call(body->builder, order, is_sorted ? "__hgrd_contents_sort" : "__hgrd_contents_order", body->nothing,
       is_sorted ? 6 : 5, body->args);
  LLVMValueRef engine = order->has_engine ? LLVMGetParam(order->function, 2) : NULL;
  if (engine) // may write it, as a function of std may
    call(body->builder, order, "_ZSt14__hgrd_draw_of", body->nothing, 1, &engine);
  LLVMBuildRetVoid(body->builder);
}

// Where the first element has come to.
static void leave_rotated(Body *body) {
  LLVMValueRef middle = LLVMGetParam(body->order->function, 1), last = LLVMGetParam(body->order->function, 2);
  body->args[4] = body->args[0];
  call(body->builder, body->order, "__hgrd_contents_order", body->nothing, 5, body->args);
  LLVMValueRef bytes = LLVMBuildSub(body->builder, LLVMBuildPtrToInt(body->builder, last, body->word, ""),
                                    LLVMBuildPtrToInt(body->builder, middle, body->word, ""), "");
  LLVMBuildRet(body->builder,
               place_behind(body, LLVMBuildExactSDiv(body->builder, bytes, body->args[2], "")));
}

static void leave_distinct(Body *body) {
  LLVMValueRef most = body->args[1];
  LLVMValueRef kept = call(body->builder, body->order, "__hgrd_contents_count", body->word, 1, &most);
  body->args[4] = kept;
  call(body->builder, body->order, "__hgrd_contents_distinct", body->nothing, 5, body->args);
  LLVMBuildRet(body->builder, place_behind(body, kept));
}

static void leave_sums(Body *body) {
  const Order *order = body->order;
  LLVMTypeRef number = LLVMInt32TypeInContext(body->context);
  bool is_inclusive = order->leaves == LEAVES_SUMS;
  LLVMValueRef first = LLVMConstNull(body->word);
  if (!is_inclusive)
    first = LLVMBuildIntCast2(body->builder, LLVMGetParam(order->function, 3), body->word,
                              order->element->kind == 1, "");
  body->args[4] = body->args[0];
  body->args[0] = LLVMGetParam(order->function, 2);
  body->args[5] = body->args[2];
  body->args[6] = LLVMConstInt(number, (uint64_t)order->element->kind, 0);
  body->args[7] = LLVMConstInt(number, is_inclusive, 0);
  body->args[8] = first;
  call(body->builder, order, "__hgrd_contents_scan", body->nothing, 9, body->args);
  LLVMBuildRet(body->builder, place_behind(body, body->args[1]));
}

static void replace(const Order *order) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(order->function));
  LLVMTypeRef word = LLVMInt64TypeInContext(context), pointer = LLVMPointerTypeInContext(context, 0);
  LLVMBuilderRef builder = function_rewrite(order->function);
  LLVMValueRef first = LLVMGetParam(order->function, 0);
  LLVMValueRef last = LLVMGetParam(order->function, order->leaves == LEAVES_ROTATED ? 2 : 1);
  LLVMValueRef bytes = LLVMConstInt(word, order->element->bytes, 0);
  LLVMValueRef length = LLVMBuildSub(builder, LLVMBuildPtrToInt(builder, last, word, ""),
                                     LLVMBuildPtrToInt(builder, first, word, ""), "");
  Body body = {order, builder, context, word, LLVMVoidTypeInContext(context), {first}};
  body.args[1] = LLVMBuildExactSDiv(builder, length, bytes, "");
  body.args[2] = bytes;
  body.args[3] = LLVMConstNull(pointer);
  if (order->leaves == LEAVES_ORDER)
    leave_order(&body);
  else if (order->leaves == LEAVES_ROTATED)
    leave_rotated(&body);
  else if (order->leaves == LEAVES_DISTINCT)
    leave_distinct(&body);
  else
    leave_sums(&body);
  LLVMDisposeBuilder(builder);
}

void orders_are_told(LLVMModuleRef module) {
  ASSERT(module);
  Arena *scratch = arena_open();
  VEC(Order) orders = {0};
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    Order order;
    if (!LLVMIsDeclaration(f) && read_order(f, scratch, &order) && has_iterators(&order))
      vec_push(scratch, &orders, order);
  }
  for (uint32_t i = 0; i < orders.count; i++)
    replace(&orders.items[i]);
  arena_close(scratch);
}
