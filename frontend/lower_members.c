// Which member of a class stands at this offset? Debug information gives the type of the variable that a
// pointer is or points to; the member at a constant offset in it is found by walking its elements, through
// members and bases that are classes themselves ("dim.x"). Soundness: for reports only; where nothing is
// found the name that clang gave the address is taken.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower.h"
#include "core/bug.h"

#include <string.h>

enum {
  TYPE_BASE = 3,
  COMPOSITE_ELEMENTS = 4,
  OPERAND_LIMIT = 32,
  ELEMENT_LIMIT = 512,
  STEP_LIMIT = 16,
  DEPTH_LIMIT = 4
};
enum {
  TAG_ARRAY = 0x01,
  TAG_MEMBER = 0x0d,
  TAG_POINTER = 0x0f,
  TAG_REFERENCE = 0x10,
  TAG_INHERITANCE = 0x1c,
  TAG_RVALUE_REFERENCE = 0x42
};

// Operands of a node; 0 if there are too many.
static unsigned operands_of(const Lower *lower, LLVMMetadataRef node, unsigned limit,
                            LLVMValueRef *operands) {
  LLVMValueRef value = LLVMMetadataAsValue(lower->context, node);
  if (!LLVMIsAMDNode(value) || LLVMGetMDNodeNumOperands(value) > limit) return 0;
  unsigned count = LLVMGetMDNodeNumOperands(value);
  LLVMGetMDNodeOperands(value, operands);
  return count;
}

static LLVMMetadataRef child(const Lower *lower, LLVMMetadataRef node, unsigned index) {
  LLVMValueRef operands[OPERAND_LIMIT];
  unsigned count = operands_of(lower, node, OPERAND_LIMIT, operands);
  bool is_node = index < count && operands[index] && LLVMIsAMDNode(operands[index]);
  return is_node ? LLVMValueAsMetadata(operands[index]) : NULL;
}

// The class behind typedefs, qualifiers, and one pointer or reference; NULL if it is none.
static LLVMMetadataRef class_of(const Lower *lower, LLVMMetadataRef type) {
  for (int step = 0; type && step < STEP_LIMIT; step++) {
    if (LLVMGetMetadataKind(type) == LLVMDICompositeTypeMetadataKind) return type;
    if (LLVMGetMetadataKind(type) != LLVMDIDerivedTypeMetadataKind) return NULL;
    type = child(lower, type, TYPE_BASE);
  }
  return NULL;
}

static bool is_pointer(LLVMMetadataRef type) {
  if (LLVMGetMetadataKind(type) != LLVMDIDerivedTypeMetadataKind) return false;
  uint16_t tag = LLVMGetDINodeTag(type);
  return tag == TAG_POINTER || tag == TAG_REFERENCE || tag == TAG_RVALUE_REFERENCE;
}

// The element that holds the byte at `offset`, and where in it that is.
static LLVMMetadataRef element_at(const Lower *lower, LLVMMetadataRef class, uint64_t offset,
                                  uint64_t *rest) {
  LLVMValueRef elements[ELEMENT_LIMIT];
  LLVMMetadataRef list = child(lower, class, COMPOSITE_ELEMENTS);
  unsigned count = list ? operands_of(lower, list, ELEMENT_LIMIT, elements) : 0;
  for (unsigned i = 0; i < count; i++) {
    LLVMMetadataRef element = elements[i] ? LLVMValueAsMetadata(elements[i]) : NULL;
    if (!element || LLVMGetMetadataKind(element) != LLVMDIDerivedTypeMetadataKind) continue;
    uint16_t tag = LLVMGetDINodeTag(element);
    uint64_t start = LLVMDITypeGetOffsetInBits(element) / 8, bytes = LLVMDITypeGetSizeInBits(element) / 8;
    LLVMMetadataRef base = class_of(lower, element);
    if (tag == TAG_INHERITANCE && base) bytes = LLVMDITypeGetSizeInBits(base) / 8;
    bool is_here = (tag == TAG_MEMBER || tag == TAG_INHERITANCE) && offset >= start && offset - start < bytes;
    if (!is_here) continue;
    *rest = offset - start;
    return element;
  }
  return NULL;
}

// "dim.x", NULL if no member begins there.
static const char *path_at(const Lower *lower, LLVMMetadataRef class, uint64_t offset, int depth) {
  uint64_t rest = 0;
  LLVMMetadataRef element = depth > 0 ? element_at(lower, class, offset, &rest) : NULL;
  if (!element) return NULL;
  size_t length = 0;
  const char *name = LLVMDITypeGetName(element, &length);
  LLVMMetadataRef type = child(lower, element, TYPE_BASE);
  LLVMMetadataRef inner = type && !is_pointer(type) ? class_of(lower, type) : NULL;
  const char *more = inner ? path_at(lower, inner, rest, depth - 1) : NULL;
  if (LLVMGetDINodeTag(element) == TAG_INHERITANCE || !name || length == 0) return more;
  const char *own = arena_strndup(lower->module_scratch, name, length);
  if (more) return arena_printf(lower->module_scratch, "%s.%s", own, more);
  return rest == 0 ? own : NULL;
}

const char *lower_member_at(const Lower *lower, LLVMMetadataRef variable_type, uint64_t offset) {
  ASSERT(lower->request && lower->function);
  ASSERT(variable_type);
  LLVMMetadataRef class = class_of(lower, variable_type);
  return class ? path_at(lower, class, offset, DEPTH_LIMIT) : NULL;
}

// ---- single steps

// Without typedefs, qualifiers and the like.
static LLVMMetadataRef plain_type(const Lower *lower, LLVMMetadataRef type) {
  for (int step = 0; type && step < STEP_LIMIT; step++) {
    if (LLVMGetMetadataKind(type) != LLVMDIDerivedTypeMetadataKind || is_pointer(type)) return type;
    type = child(lower, type, TYPE_BASE);
  }
  return NULL;
}

LLVMMetadataRef lower_pointee_type(const Lower *lower, LLVMMetadataRef type) {
  ASSERT(lower->request && lower->function);
  type = plain_type(lower, type);
  return type && is_pointer(type) ? child(lower, type, TYPE_BASE) : NULL;
}

LLVMMetadataRef lower_array_element(const Lower *lower, LLVMMetadataRef type) {
  ASSERT(lower->request && lower->function);
  type = plain_type(lower, type);
  bool is_array = type && LLVMGetMetadataKind(type) == LLVMDICompositeTypeMetadataKind &&
                  LLVMGetDINodeTag(type) == TAG_ARRAY;
  return is_array ? child(lower, type, TYPE_BASE) : NULL;
}

bool lower_is_class(const Lower *lower, LLVMMetadataRef type) {
  ASSERT(lower->request && lower->function);
  type = plain_type(lower, type);
  return type && LLVMGetMetadataKind(type) == LLVMDICompositeTypeMetadataKind &&
         LLVMGetDINodeTag(type) != TAG_ARRAY;
}

uint64_t lower_type_size(const Lower *lower, LLVMMetadataRef type) {
  ASSERT(lower->request && lower->function);
  type = plain_type(lower, type);
  return type ? LLVMDITypeGetSizeInBits(type) / 8 : 0;
}

LLVMMetadataRef lower_member(Lower *lower, LLVMMetadataRef type, uint64_t offset, uint64_t *rest,
                             const char **name) {
  ASSERT(lower->request && lower->function);
  ASSERT(type);
  ASSERT(name);
  if (!lower_is_class(lower, type)) return NULL;
  LLVMMetadataRef element = element_at(lower, plain_type(lower, type), offset, rest);
  if (!element) return NULL;
  size_t length = 0;
  const char *text = LLVMDITypeGetName(element, &length);
  bool is_base = LLVMGetDINodeTag(element) == TAG_INHERITANCE || !text || length == 0;
  *name = is_base ? NULL : arena_strndup(lower->scratch, text, length);
  return child(lower, element, TYPE_BASE);
}
