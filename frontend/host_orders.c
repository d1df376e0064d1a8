// What do algorithms of the standard library that only put elements into another order leave behind? The same elements: so the
// body of `std::sort`, `stable_sort`, `reverse`, `shuffle` or `random_shuffle` over pointers to numbers, or iterators of a vector
// of them, becomes the call by which the host scan knows the same of thrust (frontend/cuda/hgrd_contents.h). Method: by name and
// template arguments, in the linked program before calls are replaced by bodies; comparisons are std::less or std::greater, else
// the body stays: what the user's own compares may write elsewhere. Soundness: as the standard says of each; an engine of random
// numbers that is given may hold anything afterwards.
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

typedef struct Order {
  LLVMValueRef function;
  const Number *element;
  int kind; // of the order, 0: any
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

// The kind of order that the comparison gives; -1: it is not known.
static int compared(const char *rest, int kind) {
  if (is_end(rest)) return kind;
  if (str_starts_with(rest, ", std::less<")) return kind;
  if (str_starts_with(rest, ", std::greater<")) return kind ? kind + 2 : 0;
  return -1;
}

static bool read_order(LLVMValueRef function, Arena *scratch, Order *out) {
  static const char *const sorts[] = {"std::sort<", "std::stable_sort<"}, *const others[] = {
                                                                              "std::reverse<",
                                                                              "std::random_shuffle<"};
  static const char shuffle[] = "std::shuffle<";
  if (!str_starts_with(value_name(function), "_ZSt")) return false;
  const char *name = demangle(value_name(function), scratch).display, *rest = NULL;
  *out = (Order){.function = function, .kind = -1};
  for (int i = 0; i < 2; i++) {
    bool is_sort = str_starts_with(name, sorts[i]), is_other = str_starts_with(name, others[i]);
    if (!is_sort && !is_other) continue;
    out->element = element_of(name + strlen(is_sort ? sorts[i] : others[i]), &rest);
    if (out->element && is_sort) out->kind = compared(rest, out->element->kind);
    if (out->element && is_other && is_end(rest)) out->kind = 0;
  }
  if (str_starts_with(name, shuffle)) {
    out->element = element_of(name + strlen(shuffle), &rest);
    out->has_engine = true;
    if (out->element) out->kind = 0;
  }
  return out->kind >= 0;
}

static bool has_iterators(const Order *order) {
  LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(order->function));
  uint32_t least = order->has_engine ? 3 : 2;
  if (LLVMGetTypeKind(result) != LLVMVoidTypeKind || LLVMCountParams(order->function) < least) return false;
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

static void call(LLVMBuilderRef builder, const Order *order, const char *name, uint32_t count,
                 LLVMValueRef *args) {
  LLVMModuleRef module = LLVMGetGlobalParent(order->function);
  LLVMTypeRef types[6];
  for (uint32_t i = 0; i < count; i++)
    types[i] = LLVMTypeOf(args[i]);
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(LLVMGetModuleContext(module)), types, count, 0);
  LLVMValueRef function = LLVMGetNamedFunction(module, name);
  if (!function) function = LLVMAddFunction(module, name, type);
  LLVMBuildCall2(builder, type, function, args, count, "");
}

static void replace(const Order *order) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(order->function));
  LLVMTypeRef word = LLVMInt64TypeInContext(context), pointer = LLVMPointerTypeInContext(context, 0);
  LLVMBuilderRef builder = function_rewrite(order->function);
  LLVMValueRef first = LLVMGetParam(order->function, 0), last = LLVMGetParam(order->function, 1);
  LLVMValueRef bytes = LLVMConstInt(word, order->element->bytes, 0);
  LLVMValueRef length = LLVMBuildSub(builder, LLVMBuildPtrToInt(builder, last, word, ""),
                                     LLVMBuildPtrToInt(builder, first, word, ""), "");
  LLVMValueRef args[6] = {first, LLVMBuildExactSDiv(builder, length, bytes, ""), bytes,
                          LLVMConstNull(pointer), first};
  args[5] = LLVMConstInt(LLVMInt32TypeInContext(context), (uint64_t)order->kind, 0);
  bool is_sorted = order->kind > 0;
  call(builder, order, is_sorted ? "__hgrd_contents_sort" : "__hgrd_contents_order", is_sorted ? 6 : 5, args);
  LLVMValueRef engine = order->has_engine ? LLVMGetParam(order->function, 2) : NULL;
  if (engine)
    call(builder, order, "_ZSt14__hgrd_draw_of", 1, &engine); // may write it, as a function of std may
  LLVMBuildRetVoid(builder);
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
