// What does the user call the memory that an access touches? "view->size.x", "params.rows[...]": the address
// is followed to the variable it starts from, with the offsets on the way; the debug type of that variable
// tells the members at these offsets. Indices that are no constants are dots. What has no member goes by the
// name of its object. Soundness: for reports only; where a step is not understood there is no name.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower.h"
#include "core/bug.h"

#include <string.h>

enum { STEP_LIMIT = 24, DEPTH_LIMIT = 12, STRIDE_LIMIT = 8, TEXT_LIMIT = 120 };

typedef struct Place {
  const char *text;     // of the variable, NULL: not known
  LLVMMetadataRef type; // of what lies there
  bool is_pointee;      // the text is that of a pointer to it
  int64_t offset;       // bytes behind it, besides
  uint32_t stride_count;
  uint64_t strides[STRIDE_LIMIT]; // unknown multiples of these
} Place;

static Place place_of_address(Lower *lower, LLVMValueRef address, int depth);

// ---- where an address starts

static Place variable_place(const char *name, LLVMMetadataRef type) {
  return (Place){.text = type ? name : NULL, .type = type};
}

// What a pointer points to, the pointer's value being named.
static Place pointee_place(Lower *lower, const char *name, LLVMMetadataRef type) {
  LLVMMetadataRef pointee = name && type ? lower_pointee_type(lower, type) : NULL;
  return (Place){.text = pointee ? name : NULL, .type = pointee, .is_pointee = true};
}

static void add_stride(Place *place, LLVMValueRef index, uint64_t bytes) {
  int64_t number;
  if (constant_number(index, &number))
    place->offset += number * (int64_t)bytes;
  else if (place->stride_count < STRIDE_LIMIT)
    place->strides[place->stride_count++] = bytes;
  else
    place->text = NULL;
}

static Place place_of_element(Lower *lower, LLVMValueRef gep, int depth) {
  Place place = place_of_address(lower, LLVMGetOperand(gep, 0), depth - 1);
  LLVMTypeRef at = LLVMGetGEPSourceElementType(gep);
  for (unsigned k = 1; place.text && k < (unsigned)LLVMGetNumOperands(gep); k++) {
    LLVMValueRef index = LLVMGetOperand(gep, k);
    int64_t number = 0;
    if (k == 1) {
      add_stride(&place, index, LLVMABISizeOfType(lower->layout, at));
    } else if (LLVMGetTypeKind(at) == LLVMStructTypeKind) {
      if (!constant_number(index, &number)) return (Place){0};
      place.offset += (int64_t)LLVMOffsetOfElement(lower->layout, at, (unsigned)number);
      at = LLVMStructGetTypeAtIndex(at, (unsigned)number);
    } else {
      at = LLVMGetElementType(at);
      add_stride(&place, index, LLVMABISizeOfType(lower->layout, at));
    }
  }
  return place;
}

static Place place_of_instruction(Lower *lower, LLVMValueRef address, int depth) {
  const char *own = lower_own_name_of(lower, address);
  LLVMMetadataRef type = lower_type_of_variable(lower, address);
  if (LLVMIsAAllocaInst(address)) return variable_place(own, type);
  if (own) return pointee_place(lower, own, type);
  if (LLVMIsALoadInst(address)) {
    const char *text = NULL;
    LLVMMetadataRef of = lower_place_text(lower, LLVMGetOperand(address, 0), 8, depth - 1, &text);
    if (text) return pointee_place(lower, text, of);
  }
  return (Place){0};
}

static Place place_of_address(Lower *lower, LLVMValueRef address, int depth) {
  bool is_expression = LLVMIsAConstantExpr(address) != NULL;
  LLVMOpcode opcode = is_expression                 ? LLVMGetConstOpcode(address)
                      : LLVMIsAInstruction(address) ? LLVMGetInstructionOpcode(address)
                                                    : LLVMRet;
  if (depth <= 0) return (Place){0};
  if (opcode == LLVMGetElementPtr) return place_of_element(lower, address, depth);
  if (opcode == LLVMAddrSpaceCast || opcode == LLVMBitCast)
    return place_of_address(lower, LLVMGetOperand(address, 0), depth - 1);
  if (LLVMIsAGlobalVariable(address)) {
    LLVMMetadataRef type = NULL;
    const char *name = lower_global_variable(lower, address, &type);
    return variable_place(name, type);
  }
  if (LLVMIsAArgument(address)) {
    const char *name = lower_own_name_of(lower, address);
    LLVMMetadataRef type = lower_type_of_variable(lower, address);
    return lower_byval_type(lower, address) ? variable_place(name, type) : pointee_place(lower, name, type);
  }
  return LLVMIsAInstruction(address) ? place_of_instruction(lower, address, depth) : (Place){0};
}

// ---- from the type to the member

// Takes the strides out that go over whole things of this size; whether there were any.
static bool take_strides(Place *place, uint64_t bytes) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < place->stride_count; i++)
    if (place->strides[i] % bytes != 0) place->strides[kept++] = place->strides[i];
  bool had_some = kept < place->stride_count;
  place->stride_count = kept;
  return had_some;
}

// The index of what lies at the place in a row of things of this size; the place is then within that thing.
static void add_index(StrBuf *text, Place *place, uint64_t bytes) {
  bool is_open = take_strides(place, bytes);
  if (is_open)
    strbuf_add(text, "[...]");
  else
    strbuf_printf(text, "[%lld]", (long long)(place->offset / (int64_t)bytes));
  place->offset %= (int64_t)bytes;
}

// The first step, from the variable; false if the place lies outside of it.
static bool begin_text(Lower *lower, StrBuf *text, Place *place, bool *is_arrow) {
  uint64_t bytes = lower_type_size(lower, place->type);
  strbuf_add(text, place->text);
  if (bytes == 0 || place->offset < 0) return false;
  bool is_beyond = (uint64_t)place->offset >= bytes;
  for (uint32_t i = 0; i < place->stride_count; i++)
    is_beyond |= place->strides[i] % bytes == 0;
  if (!place->is_pointee) return !is_beyond || lower_array_element(lower, place->type);
  *is_arrow = !is_beyond && lower_is_class(lower, place->type);
  if (!*is_arrow) add_index(text, place, bytes);
  return true;
}

LLVMMetadataRef lower_place_text(Lower *lower, LLVMValueRef address, uint32_t bytes, int depth,
                                 const char **out) {
  ASSERT(lower->request && lower->function);
  ASSERT(address);
  ASSERT(out);
  Place place = place_of_address(lower, address, depth);
  StrBuf text = {.arena = lower->scratch};
  bool is_arrow = false, is_base = false;
  if (!place.text || !begin_text(lower, &text, &place, &is_arrow)) return NULL;
  LLVMMetadataRef type = place.type;
  for (int step = 0; step < STEP_LIMIT; step++) {
    LLVMMetadataRef element = lower_array_element(lower, type);
    if (element) {
      uint64_t size = lower_type_size(lower, element);
      if (size == 0) return NULL;
      add_index(&text, &place, size);
      type = element;
      continue;
    }
    uint64_t rest = 0;
    const char *name = NULL;
    bool is_whole = !is_base && place.offset == 0 && lower_type_size(lower, type) <= bytes;
    LLVMMetadataRef member =
        is_whole ? NULL : lower_member(lower, type, (uint64_t)place.offset, &rest, &name);
    if (!member && place.stride_count > 0) return NULL; // an index that goes over members
    if (!member) break;
    if (name) strbuf_printf(&text, "%s%s", is_arrow ? "->" : ".", name);
    if (name) is_arrow = false;
    is_base = !name;
    place.offset = (int64_t)rest;
    type = member;
  }
  *out = strbuf_text(&text);
  return text.length <= TEXT_LIMIT ? type : NULL;
}

// In host code the names of addresses tell of members, but for the first one, whose address is that of the
// object: ".rows", to be read behind what the object is called.
static const char *first_member(Lower *lower, LLVMValueRef address) {
  LLVMMetadataRef type = LLVMIsAGetElementPtrInst(address) ? NULL : lower_type_of_variable(lower, address);
  const char *name = type ? lower_member_at(lower, type, 0) : NULL;
  if (!name || strncmp(name, "_M_", 3) == 0) return NULL;
  return str_intern(lower->request->strings, arena_printf(lower->scratch, ".%s", name));
}

// In host code, too, the whole name where all offsets are constants: "src->ne[0]". Other indices have names
// there that the host scan knows; the names in a library's classes say nothing.
static const char *host_place(Lower *lower, LLVMValueRef address, uint32_t bytes) {
  const char *text = NULL;
  bool is_whole = lower_place_text(lower, address, bytes, DEPTH_LIMIT, &text) && strpbrk(text, ".>[") &&
                  !strstr(text, "[...]") && !strstr(text, "_M_") && !strstr(text, "__");
  return is_whole ? str_intern(lower->request->strings, text) : first_member(lower, address);
}

const char *lower_access_place(Lower *lower, LLVMValueRef address, uint32_t bytes) {
  ASSERT(lower->request && lower->function);
  ASSERT(address);
  const char *text = NULL;
  bool is_of_global =
      LLVMIsAConstant(address) || (LLVMIsALoadInst(address) && LLVMIsAConstant(LLVMGetOperand(address, 0)));
  if (!lower->request->is_device && !is_of_global) return host_place(lower, address, bytes);
  if (!lower_place_text(lower, address, bytes, DEPTH_LIMIT, &text)) return NULL;
  bool has_member = strstr(text, "->") || strstr(text, "].") || text[strcspn(text, ".[")] == '.';
  return has_member ? str_intern(lower->request->strings, text) : NULL;
}

LLVMTypeRef lower_byval_type(const Lower *lower, LLVMValueRef argument) {
  ASSERT(lower->request && lower->function);
  ASSERT(argument);
  unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5), index = 1;
  for (LLVMValueRef p = LLVMGetFirstParam(lower->llvm_function); p && p != argument; p = LLVMGetNextParam(p))
    index++;
  LLVMAttributeRef found = LLVMGetEnumAttributeAtIndex(lower->llvm_function, index, kind);
  return found ? LLVMGetTypeAttributeValue(found) : NULL;
}
