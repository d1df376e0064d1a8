// Where does an instruction stand in the user's source, and what does the user call its value? Places come
// from debug locations with their inlining chain; innermost frames in our declarations, clang's or the
// system's headers are dropped, so that an access is shown where the user wrote it. Names come from
// llvm.dbg.value and llvm.dbg.declare: those of the function itself before those of inlined ones. Soundness:
// for reports only; nothing is decided by a place or a name.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower.h"
#include "core/bug.h"
#include "core/path.h"

#include <string.h>

// Positions in the operand lists of debug nodes, which have no accessors in LLVM-C.
enum {
  NODE_SCOPE = 1,
  VARIABLE_NAME = 1,
  VARIABLE_TYPE = 3,
  SUBPROGRAM_NAME = 2,
  SUBPROGRAM_LINKAGE_NAME = 3,
  TYPE_BASE = 3
};
enum { NODE_OPERANDS = 24 };

static LLVMValueRef node_operand(const Lower *lower, LLVMMetadataRef node, unsigned index) {
  LLVMValueRef operands[NODE_OPERANDS];
  LLVMValueRef value = LLVMMetadataAsValue(lower->context, node);
  if (!LLVMIsAMDNode(value)) return NULL;
  unsigned count = LLVMGetMDNodeNumOperands(value);
  if (index >= count || count > NODE_OPERANDS) return NULL;
  LLVMGetMDNodeOperands(value, operands);
  return operands[index];
}

static LLVMMetadataRef node_child(const Lower *lower, LLVMMetadataRef node, unsigned index) {
  LLVMValueRef operand = node_operand(lower, node, index);
  return operand && LLVMIsAMDNode(operand) ? LLVMValueAsMetadata(operand) : NULL;
}

static const char *node_string(const Lower *lower, LLVMMetadataRef node, unsigned index) {
  LLVMValueRef operand = node_operand(lower, node, index);
  unsigned length = 0;
  const char *text = operand && LLVMIsAMDString(operand) ? LLVMGetMDString(operand, &length) : NULL;
  return text && length ? str_intern_n(lower->request->strings, text, length) : NULL;
}

// ---- places

static LLVMMetadataRef subprogram_of(const Lower *lower, LLVMMetadataRef scope) {
  while (scope && LLVMGetMetadataKind(scope) != LLVMDISubprogramMetadataKind)
    scope = node_child(lower, scope, NODE_SCOPE);
  return scope;
}

static const char *subprogram_name(Lower *lower, LLVMMetadataRef subprogram) {
  uint32_t index;
  if (!subprogram) return "";
  if (ptr_map_get(&lower->scope_names, subprogram, &index)) return lower->names.items[index - 1];
  const char *mangled = node_string(lower, subprogram, SUBPROGRAM_LINKAGE_NAME);
  const char *name = node_string(lower, subprogram, SUBPROGRAM_NAME);
  if (mangled) {
    name = str_intern(lower->request->strings, demangle(mangled, lower->module_scratch).display);
  }
  vec_push(lower->module_scratch, &lower->names, name ? name : "");
  ptr_map_put(&lower->scope_names, subprogram, lower->names.count);
  return vec_last(&lower->names);
}

// clang splits a path at what it has in common with the folder it runs in: what is not below that folder was
// absolute, and is so again. Headers that are not the user's are known by the whole path, too.
static const char *path_of_file(const Lower *lower, LLVMMetadataRef file) {
  unsigned length = 0, directory_length = 0;
  const char *name = file ? LLVMDIFileGetFilename(file, &length) : NULL;
  if (!name || !length) return NULL;
  const char *directory = name[0] == '/' ? NULL : LLVMDIFileGetDirectory(file, &directory_length);
  if (!directory || !directory_length) return str_intern_n(lower->request->strings, name, length);
  const char *own = arena_strndup(lower->module_scratch, name, length);
  directory = arena_strndup(lower->module_scratch, directory, directory_length);
  const char *whole = path_join(directory, own, lower->module_scratch);
  if (path_is_system(lower->request->tools, whole) || !toolchain_runs_in(lower->request->tools, directory))
    return str_intern(lower->request->strings, whole);
  // A text that has only a name is an include to clang (clang_command), found in the folder ".".
  bool is_found = str_starts_with(own, "./");
  if (is_found && overlay_text_path(lower->request->tools->overlay, own + 2) != own + 2) own += 2;
  return str_intern(lower->request->strings, own);
}

static const char *file_name(const Lower *lower, LLVMMetadataRef scope) {
  return scope ? path_of_file(lower, LLVMDIScopeGetFile(scope)) : NULL;
}

static const SrcLoc *frame_of(Lower *lower, LLVMMetadataRef location) {
  uint32_t index;
  if (!location) return NULL;
  if (ptr_map_get(&lower->places, location, &index)) return lower->frames.items[index - 1];
  LLVMMetadataRef scope = LLVMDILocationGetScope(location);
  SrcLoc *loc = arena_new(lower->arena, SrcLoc);
  loc->file = file_name(lower, scope);
  loc->line = LLVMDILocationGetLine(location);
  loc->column = LLVMDILocationGetColumn(location);
  loc->function = subprogram_name(lower, subprogram_of(lower, scope));
  loc->inlined_at = frame_of(lower, LLVMDILocationGetInlinedAt(location));
  vec_push(lower->module_scratch, &lower->frames, loc);
  ptr_map_put(&lower->places, location, lower->frames.count);
  return loc;
}

// The innermost frame that a user would look at. A frame without a line says nothing either.
static const SrcLoc *user_frame(const Lower *lower, const SrcLoc *frame) {
  const SrcLoc *at = frame;
  while (at && at->inlined_at && (at->line == 0 || path_is_foreign(lower->request->tools, at->file)))
    at = at->inlined_at;
  if (at && path_is_foreign(lower->request->tools, at->file)) at = frame;
  return at && at->file && at->line ? at : NULL;
}

uint32_t lower_place(Lower *lower, LLVMValueRef instruction) {
  ASSERT(lower->request && lower->function);
  ASSERT(instruction);
  LLVMMetadataRef location = LLVMInstructionGetDebugLoc(instruction);
  uint32_t index = 0;
  if (!location || ptr_map_get(&lower->place_indices, location, &index)) return index;
  const SrcLoc *frame = user_frame(lower, frame_of(lower, location));
  if (frame) index = ir_loc_add(lower->ir, *frame);
  ptr_map_put(&lower->place_indices, location, index);
  return index;
}

static void add_folded_places(Lower *lower, LLVMMetadataRef places, IrFunction *out) {
  LLVMValueRef list = LLVMMetadataAsValue(lower->context, places);
  unsigned count = (unsigned)LLVMGetMDNodeNumOperands(list);
  LLVMValueRef *operands = arena_array(lower->module_scratch, count + 1u, LLVMValueRef);
  LLVMGetMDNodeOperands(list, operands);
  for (unsigned i = 0; i < count; i++) {
    const SrcLoc *frame = user_frame(lower, frame_of(lower, LLVMValueAsMetadata(operands[i])));
    if (frame) vec_push(lower->arena, &out->folded_launches, ir_loc_add(lower->ir, *frame));
  }
}

void lower_folded_places(Lower *lower, LLVMValueRef stub, IrFunction *out) {
  ASSERT(lower->request);
  ASSERT(stub);
  ASSERT(out);
  unsigned kind = LLVMGetMDKindIDInContext(lower->context, HGRD_FOLDED, strlen(HGRD_FOLDED));
  size_t count = 0;
  LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(stub, &count);
  for (unsigned i = 0; i < count; i++)
    if (LLVMValueMetadataEntriesGetKind(entries, i) == kind)
      add_folded_places(lower, LLVMValueMetadataEntriesGetMetadata(entries, i), out);
  if (entries) LLVMDisposeValueMetadataEntries(entries);
}

uint32_t lower_function_place(Lower *lower, LLVMValueRef function) {
  ASSERT(lower->request);
  ASSERT(function);
  LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
  if (!subprogram || !file_name(lower, subprogram)) return 0;
  SrcLoc loc = {.file = file_name(lower, subprogram), .line = LLVMDISubprogramGetLine(subprogram)};
  loc.function = subprogram_name(lower, subprogram);
  return ir_loc_add(lower->ir, loc);
}

uint32_t lower_global_place(Lower *lower, LLVMValueRef global) {
  ASSERT(lower->request);
  ASSERT(global);
  size_t count = 0;
  uint32_t index = 0;
  LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(global, &count);
  for (unsigned i = 0; i < count && !index; i++) {
    LLVMMetadataRef node = LLVMValueMetadataEntriesGetMetadata(entries, i);
    if (LLVMGetMetadataKind(node) != LLVMDIGlobalVariableExpressionMetadataKind) continue;
    LLVMMetadataRef variable = LLVMDIGlobalVariableExpressionGetVariable(node);
    LLVMMetadataRef file = variable ? LLVMDIVariableGetFile(variable) : NULL;
    const char *name = path_of_file(lower, file);
    if (!name) continue;
    SrcLoc loc = {.file = name, .function = ""};
    loc.line = LLVMDIVariableGetLine(variable);
    index = ir_loc_add(lower->ir, loc);
  }
  if (entries) LLVMDisposeValueMetadataEntries(entries);
  return index;
}

// ---- names of variables

// Typedefs and qualifiers lead to the basic type, whose name says "unsigned".
static bool type_is_unsigned(const Lower *lower, LLVMMetadataRef type) {
  for (int depth = 0; type && depth < 16; depth++) {
    if (LLVMGetMetadataKind(type) == LLVMDIBasicTypeMetadataKind) {
      size_t length = 0;
      const char *name = LLVMDITypeGetName(type, &length);
      return name && length >= 8 && memcmp(name, "unsigned", 8) == 0;
    }
    uint16_t tag = LLVMGetDINodeTag(type);
    enum { TAG_POINTER = 0x0f, TAG_REFERENCE = 0x10, TAG_RVALUE_REFERENCE = 0x42 };
    if (LLVMGetMetadataKind(type) != LLVMDIDerivedTypeMetadataKind || tag == TAG_POINTER ||
        tag == TAG_REFERENCE || tag == TAG_RVALUE_REFERENCE)
      return false;
    type = node_child(lower, type, TYPE_BASE);
  }
  return false;
}

static void note_parameter(Lower *lower, LLVMValueRef value, LLVMMetadataRef variable) {
  for (uint32_t i = 0; i < lower->function->params.count; i++)
    if (LLVMGetParam(lower->llvm_function, i) == value)
      lower->function->params.items[i].is_unsigned =
          type_is_unsigned(lower, node_child(lower, variable, VARIABLE_TYPE));
}

// A struct that came in registers has its variable in parts: its members' names are those of the halves.
static void note_halves(Lower *lower, LLVMMetadataRef variable) {
  const char *name = node_string(lower, variable, VARIABLE_NAME);
  LLVMMetadataRef type = node_child(lower, variable, VARIABLE_TYPE);
  for (uint32_t i = 0; name && type && i < lower->function->params.count; i++) {
    IrParam *param = &lower->function->params.items[i];
    uint64_t start = str_ends_with(value_name(LLVMGetParam(lower->llvm_function, i)), ".coerce1") ? 8 : 0;
    for (uint64_t half = 0; half < 2 && param->halves[half] && strcmp(param->name, name) == 0; half++) {
      const char *member = lower_member_at(lower, type, start + half * 4);
      if (!member) continue;
      param->halves[half] =
          str_intern(lower->request->strings, arena_printf(lower->module_scratch, "%s.%s", name, member));
    }
  }
}

// A name of the function's own replaces one from an inlined function, and stays.
static void note_name(Lower *lower, LLVMValueRef value, LLVMMetadataRef variable, bool is_inlined) {
  const char *name = node_string(lower, variable, VARIABLE_NAME);
  uint32_t index;
  if (!name) return;
  bool is_known = ptr_map_get(&lower->value_names, value, &index);
  enum { INLINED = 1u << 31 };
  if (is_known && (is_inlined || !(index & INLINED))) return;
  vec_push(lower->module_scratch, &lower->names, name);
  ptr_map_put(&lower->value_names, value, lower->names.count | (is_inlined ? INLINED : 0u));
}

// The empty expression, of which there is one in a context: the variable is the value, not a part or what it
// points to.
static LLVMMetadataRef plain_expression(const Lower *lower) {
  LLVMDIBuilderRef builder = LLVMCreateDIBuilderDisallowUnresolved(lower->request->module);
  LLVMMetadataRef expression = LLVMDIBuilderCreateExpression(builder, NULL, 0);
  LLVMDisposeDIBuilder(builder);
  return expression;
}

static LLVMMetadataRef operand_metadata(LLVMValueRef call, unsigned index) {
  LLVMValueRef operand = LLVMGetOperand(call, index);
  bool is_metadata = operand && LLVMGetValueKind(operand) == LLVMMetadataAsValueValueKind;
  return is_metadata ? LLVMValueAsMetadata(operand) : NULL;
}

static void read_marker(Lower *lower, LLVMValueRef call, LLVMMetadataRef plain) {
  const char *name = value_name(LLVMGetCalledValue(call));
  bool is_value = strcmp(name, "llvm.dbg.value") == 0;
  if (!is_value && strcmp(name, "llvm.dbg.declare") != 0) return;
  LLVMMetadataRef variable = operand_metadata(call, 1), at = LLVMInstructionGetDebugLoc(call);
  if (variable && !(at && LLVMDILocationGetInlinedAt(at))) note_halves(lower, variable);
  if (!variable || operand_metadata(call, 2) != plain) return;
  LLVMValueRef value = NULL;
  if (LLVMGetMDNodeNumOperands(LLVMGetOperand(call, 0)) != 1) return;
  LLVMGetMDNodeOperands(LLVMGetOperand(call, 0), &value);
  if (!value || !(LLVMIsAInstruction(value) || LLVMIsAArgument(value))) return;
  LLVMMetadataRef location = LLVMInstructionGetDebugLoc(call);
  bool is_inlined = location && LLVMDILocationGetInlinedAt(location);
  if (LLVMIsAArgument(value) && !is_inlined) note_parameter(lower, value, variable);
  note_name(lower, value, variable, is_inlined);
  LLVMMetadataRef type = node_child(lower, variable, VARIABLE_TYPE);
  if (!type || ptr_map_get(&lower->value_types, value, NULL)) return;
  vec_push(lower->scratch, &lower->types, type);
  ptr_map_put(&lower->value_types, value, lower->types.count);
}

LLVMMetadataRef lower_type_of_variable(const Lower *lower, LLVMValueRef value) {
  ASSERT(lower->request && lower->function);
  ASSERT(value);
  uint32_t index;
  return ptr_map_get(&lower->value_types, value, &index) ? lower->types.items[index - 1] : NULL;
}

void lower_read_names(Lower *lower) {
  ASSERT(lower->request && lower->function);
  LLVMMetadataRef plain = plain_expression(lower);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(lower->llvm_function); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
      if (LLVMIsACallInst(i) && LLVMIsAFunction(LLVMGetCalledValue(i))) read_marker(lower, i, plain);
}

const char *lower_name_of(const Lower *lower, LLVMValueRef value) {
  ASSERT(lower->request && lower->function);
  ASSERT(value);
  uint32_t index;
  if (!ptr_map_get(&lower->value_names, value, &index)) return NULL;
  return lower->names.items[(index & ~(1u << 31)) - 1];
}

const char *lower_own_name_of(const Lower *lower, LLVMValueRef value) {
  ASSERT(lower->request && lower->function);
  ASSERT(value);
  uint32_t index;
  bool is_own = ptr_map_get(&lower->value_names, value, &index) && !(index & (1u << 31));
  return is_own ? lower->names.items[index - 1] : NULL;
}

const char *lower_global_variable(const Lower *lower, LLVMValueRef global, LLVMMetadataRef *type) {
  ASSERT(lower->request && lower->function);
  ASSERT(global);
  size_t count = 0;
  const char *name = NULL;
  LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(global, &count);
  for (unsigned i = 0; i < count && !name; i++) {
    LLVMMetadataRef node = LLVMValueMetadataEntriesGetMetadata(entries, i);
    if (LLVMGetMetadataKind(node) != LLVMDIGlobalVariableExpressionMetadataKind) continue;
    LLVMMetadataRef variable = LLVMDIGlobalVariableExpressionGetVariable(node);
    name = variable ? node_string(lower, variable, VARIABLE_NAME) : NULL;
    *type = variable ? node_child(lower, variable, VARIABLE_TYPE) : NULL;
  }
  if (entries) LLVMDisposeValueMetadataEntries(entries);
  return name;
}
