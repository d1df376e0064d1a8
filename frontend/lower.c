// How does a module of LLVM become a module of the IR? Globals and functions first, so that all can be
// referred to; then each body: the blocks that can be reached are numbered in the order of the module, each
// instruction is lowered where it stands, and references to what comes later are filled in at the end. A
// block ends at a call that does not return. Soundness: every reachable instruction is lowered to something
// (lower_inst.c, lower_call.c); none is dropped unless it has no effect.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower.h"

#include <string.h>

// ---- functions

static const char *param_name(const Lower *lower, LLVMValueRef param, uint32_t index) {
  const char *name = value_name(param);
  size_t length = strcspn(name, ".");
  if (length == 0) return arena_printf(lower->arena, "arg%u", index);
  return str_intern_n(lower->request->strings, name, length);
}

static LLVMAttributeRef param_attribute(LLVMValueRef function, uint32_t index, const char *name) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  return LLVMGetEnumAttributeAtIndex(function, index + 1, kind);
}

// clang names the words of a struct in registers "range.coerce", or "range.coerce0" and "range.coerce1". How
// their halves are called is read with the names of variables.
static void note_parts(const Lower *lower, LLVMValueRef param, IrParam *made) {
  if (!strstr(value_name(param), ".coerce") || made->type.kind != IR_INT || made->type.bits < 32) return;
  uint32_t start = str_ends_with(value_name(param), ".coerce1") ? 8 : 0;
  for (uint32_t i = 0; i < made->type.bits / 32; i++)
    made->halves[i] = str_intern(lower->request->strings,
                                 arena_printf(lower->module_scratch, "%s[+%u]", made->name, start + 4 * i));
}

static void add_params(Lower *lower, LLVMValueRef function, IrFunction *out) {
  for (uint32_t i = 0; i < LLVMCountParams(function); i++) {
    LLVMValueRef param = LLVMGetParam(function, i);
    LLVMAttributeRef byval = param_attribute(function, i, "byval");
    IrParam made = {.name = param_name(lower, param, i), .type = lower_type(lower, LLVMTypeOf(param))};
    if (byval) made.byval_bytes = type_bytes(lower, LLVMGetTypeAttributeValue(byval));
    made.is_restrict = param_attribute(function, i, "noalias") != NULL;
    made.is_result = param_attribute(function, i, "sret") != NULL;
    note_parts(lower, param, &made);
    vec_push(lower->arena, &out->params, made);
  }
}

// The kernel's own name in a stub's; device names need nothing.
static const char *function_name(const Lower *lower, LLVMValueRef function) {
  const char *kernel =
      lower->request->is_device ? NULL : stub_kernel_name(value_name(function), lower->module_scratch);
  if (!kernel) return str_intern(lower->request->strings, value_name(function));
  return str_intern(lower->request->strings,
                    arena_printf(lower->module_scratch, "__device_stub__%s", kernel));
}

static const char *function_display(const Lower *lower, LLVMValueRef function) {
  const char *kernel = stub_kernel_name(value_name(function), lower->module_scratch);
  Demangled name = demangle(kernel ? kernel : value_name(function), lower->module_scratch);
  // What converts a value of a header that is not there (fixup_stand_ins.c) has no name that the user has written.
  if (str_starts_with(name.display, "hgrd_missing::"))
    return str_intern(lower->request->strings, "something of a missing header");
  return str_intern(lower->request->strings, name.display);
}

// An alias is another name, and counts if that is in data.
static bool is_in_data(LLVMValueRef function, int depth) {
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool is_alias = LLVMIsAGlobalAlias(user) != NULL && depth > 0;
    if (is_alias ? is_in_data(user, depth - 1) : !LLVMIsAInstruction(user)) return true;
  }
  return false;
}

// "A const&, B const*, int": no pointer or reference to something else. Of C functions nothing is known.
static bool points_to_const(const char *arguments) {
  int depth = 0;
  for (const char *at = arguments; *at; at++) {
    depth += (*at == '<' || *at == '(') - (*at == '>' || *at == ')');
    bool is_pointer = depth == 0 && (*at == '&' || *at == '*');
    if (is_pointer && !(at - arguments >= 6 && memcmp(at - 6, " const", 6) == 0)) return false;
    if (*at == '(') return false; // of a function
  }
  return *arguments != 0;
}

// A declaration of a header of the system, or of the mathematics of the library, which compilers know without one.
static bool is_declared_by_system(const Lower *lower, LLVMValueRef function) {
  if (!LLVMIsDeclaration(function) || lower->request->is_device) return false;
  const Recognition *known = recognise_value(function, lower->request->tools, false, lower->module_scratch);
  return (known && known->kind == REC_PURE) || function_is_of_library(function, lower->request->tools);
}

static void declare_function(Lower *lower, LLVMValueRef function) {
  IrFunction *out =
      ir_function_add(lower->ir, function_name(lower, function), function_display(lower, function));
  out->is_declaration = LLVMIsDeclaration(function);
  out->takes_const = out->is_declaration && !lower->request->is_device &&
                     points_to_const(demangle(value_name(function), lower->module_scratch).arguments);
  out->returns_twice = !lower->request->is_device &&
                       LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                                                   LLVMGetEnumAttributeKindForName("returns_twice", 13));
  out->is_kernel = ptr_map_get(&lower->kernels, function, NULL);
  out->is_of_library = is_declared_by_system(lower, function) ||
                       (out->is_kernel && function_is_of_library(function, lower->request->tools));
  out->is_of_program = out->is_declaration && !lower->request->is_device && LLVMGetSubprogram(function) &&
                       !function_is_in_system(function, lower->request->tools);
  LLVMLinkage linkage = LLVMGetLinkage(function);
  out->is_external = linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage;
  out->is_in_data = is_in_data(function, 2);
  out->result = lower_type(lower, LLVMGetReturnType(LLVMGlobalGetValueType(function)));
  out->loc = lower_function_place(lower, function);
  if (!lower->request->is_device) lower_folded_places(lower, function, out);
  add_params(lower, function, out);
  ptr_map_put(&lower->functions, function, lower->ir->functions.count);
}

static bool is_recognised_on_device(const Lower *lower, LLVMValueRef function) {
  return lower->request->is_device && !LLVMIsDeclaration(function) &&
         recognise_value(function, lower->request->tools, true, lower->module_scratch);
}

static void declare_functions(Lower *lower) {
  for (LLVMValueRef f = LLVMGetFirstFunction(lower->request->module); f; f = LLVMGetNextFunction(f)) {
    bool is_unused = LLVMIsDeclaration(f) && !LLVMGetFirstUse(f);
    if (LLVMGetIntrinsicID(f) || is_unused || is_recognised_on_device(lower, f)) continue;
    declare_function(lower, f);
  }
}

// __launch_bounds__ stands in the same metadata as the kernel marks.
static void read_launch_bounds(Lower *lower) {
  static const char annotations[] = "nvvm.annotations";
  unsigned count = LLVMGetNamedMetadataNumOperands(lower->request->module, annotations);
  LLVMValueRef *nodes = arena_array(lower->module_scratch, count + 1, LLVMValueRef);
  if (count) LLVMGetNamedMetadataOperands(lower->request->module, annotations, nodes);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef operands[3];
    uint32_t index;
    if (LLVMGetMDNodeNumOperands(nodes[i]) != 3) continue;
    LLVMGetMDNodeOperands(nodes[i], operands);
    if (!operands[0] || !operands[1] || !operands[2] || !ptr_map_get(&lower->functions, operands[0], &index))
      continue;
    IrFunction *function = lower->ir->functions.items[index - 1];
    unsigned length = 0;
    const char *key = LLVMGetMDString(operands[1], &length);
    int64_t value;
    if (!key || !constant_number(operands[2], &value)) continue;
    uint32_t number = (uint32_t)value;
    if (length == 7 && memcmp(key, "maxntid", 7) == 0) function->max_threads = number;
    if (length == 8 && memcmp(key, "maxntid", 7) == 0) // maxntidx, y, z: the block has at most their product
      function->max_threads = function->max_threads ? function->max_threads * number : number;
    if (length == 7 && memcmp(key, "minctas", 7) == 0) function->min_blocks = number;
    if (length == 8 && memcmp(key, "minctasm", 8) == 0) function->min_blocks = number;
  }
}

// ---- the size of clusters
// An annotation of our headers (crt/host_defines.h): {function, string, file, line, numbers}.
static LLVMValueRef initial_of(LLVMValueRef address) {
  while (LLVMIsAConstantExpr(address))
    address = LLVMGetOperand(address, 0);
  return LLVMIsAGlobalVariable(address) ? LLVMGetInitializer(address) : NULL;
}

static bool is_cluster_note(LLVMValueRef text) {
  static const char word[] = "hgrd.cluster_dims";
  size_t length = 0;
  if (!text || !LLVMIsConstantString(text)) return false;
  const char *bytes = LLVMGetAsString(text, &length);
  return length == sizeof word && memcmp(bytes, word, length) == 0;
}

// What is not a number that could be the size of a cluster makes it unknown.
static void read_cluster_size(LLVMValueRef numbers, uint32_t size[3]) {
  int count = numbers && LLVMIsAConstantStruct(numbers) ? LLVMGetNumOperands(numbers) : 0;
  bool is_known = count >= 1 && count <= 3;
  for (int i = 0; i < 3; i++) {
    int64_t value = 1;
    if (is_known && i < count) is_known = constant_number(LLVMGetOperand(numbers, (unsigned)i), &value);
    is_known &= value >= 1 && value < IR_CLUSTER_UNKNOWN;
    size[i] = (uint32_t)value;
  }
  for (int i = 0; i < 3 && !is_known; i++)
    size[i] = IR_CLUSTER_UNKNOWN;
}

static void read_cluster_sizes(Lower *lower) {
  LLVMValueRef all = LLVMGetNamedGlobal(lower->request->module, "llvm.global.annotations");
  LLVMValueRef list = all ? LLVMGetInitializer(all) : NULL;
  for (int i = 0; list && i < LLVMGetNumOperands(list); i++) {
    LLVMValueRef entry = LLVMGetOperand(list, (unsigned)i);
    uint32_t index;
    if (LLVMGetNumOperands(entry) != 5 || !is_cluster_note(initial_of(LLVMGetOperand(entry, 1)))) continue;
    LLVMValueRef function = LLVMGetOperand(entry, 0);
    while (LLVMIsAConstantExpr(function))
      function = LLVMGetOperand(function, 0);
    if (ptr_map_get(&lower->functions, function, &index))
      read_cluster_size(initial_of(LLVMGetOperand(entry, 4)), lower->ir->functions.items[index - 1]->cluster);
  }
}

// ---- bodies

static void lower_block(Lower *lower, LLVMBasicBlockRef block) {
  lower->ended = false;
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && !lower->ended; i = LLVMGetNextInstruction(i)) {
    lower->loc = lower_place(lower, i);
    lower_instruction(lower, i);
  }
}

static IrRef resolve(Lower *lower, IrRef ref, int depth) {
  if ((unsigned)ir_ref_kind(ref) != REF_PENDING) return ref;
  Pending pending = lower->pending.items[ir_ref_index(ref)];
  uint32_t found = 0;
  const PtrMap *map = pending.part ? &lower->second_parts : &lower->values;
  bool is_known = ptr_map_get(map, pending.value, &found) && depth < 64;
  if (is_known) return resolve(lower, found, depth + 1);
  return emit_undef(lower, lower_type(lower, LLVMTypeOf(pending.value)));
}

static void resolve_pending(Lower *lower) {
  for (uint32_t i = 0; i < lower->function->insts.count; i++) {
    const IrInst *inst = &lower->function->insts.items[i];
    for (uint32_t k = 0; k < inst->op_count; k++)
      if ((unsigned)ir_ref_kind(inst->ops[k]) == REF_PENDING)
        ((IrRef *)inst->ops)[k] = resolve(lower, inst->ops[k], 0);
  }
}

static bool is_named_by_its_work(const IrInst *inst) {
  return ir_inst_is(inst, IR_NAMED);
}

static const char *plain_variable_name(const Lower *lower, LLVMValueRef value) {
  const char *name = value_name(value);
  size_t length = strcspn(name, ".");
  return length ? str_intern_n(lower->request->strings, name, length) : NULL;
}

// clang names the address of a member after it, with a number behind if another value has that name: the
// shortest name in the module is the member's.
static void note_member_names(Lower *lower, LLVMValueRef function) {
  uint32_t at = 0;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
      int64_t field = 0;
      LLVMTypeRef type = LLVMIsAGetElementPtrInst(i) ? LLVMGetGEPSourceElementType(i) : NULL;
      bool is_member = type && LLVMGetTypeKind(type) == LLVMStructTypeKind && LLVMGetNumOperands(i) == 3 &&
                       constant_number(LLVMGetOperand(i, 2), &field);
      if (!is_member || strcspn(value_name(i), ".") == 0) continue;
      if (!ptr_map_get(&lower->member_types, type, &at)) {
        vec_push(lower->module_scratch, &lower->member_names,
                 arena_array(lower->module_scratch, LLVMCountStructElementTypes(type) + 1u, LLVMValueRef));
        at = lower->member_names.count;
        ptr_map_put(&lower->member_types, type, at);
      }
      LLVMValueRef *known = &lower->member_names.items[at - 1][field];
      if (!*known || strcspn(value_name(i), ".") < strcspn(value_name(*known), ".")) *known = i;
    }
}

static const char *name_of_member(const Lower *lower, LLVMValueRef address) {
  uint32_t at = 0;
  int64_t field = 0;
  bool is_known = LLVMGetNumOperands(address) == 3 && constant_number(LLVMGetOperand(address, 2), &field) &&
                  ptr_map_get(&lower->member_types, LLVMGetGEPSourceElementType(address), &at);
  LLVMValueRef shortest = is_known ? lower->member_names.items[at - 1][field] : NULL;
  return plain_variable_name(lower, shortest ? shortest : address);
}

// The variable that points to an object, perhaps as one of many: `objects[i]`.
static LLVMValueRef object_of_member(LLVMValueRef object) {
  bool is_element = LLVMIsAGetElementPtrInst(object) && LLVMGetNumOperands(object) == 2;
  return is_element ? LLVMGetOperand(object, 0) : object;
}

// The member that debug information has at the offset of the address.
static const char *known_member(const Lower *lower, LLVMValueRef address, IrInst *inst) {
  LLVMMetadataRef type = lower_type_of_variable(lower, object_of_member(LLVMGetOperand(address, 0)));
  int64_t offset;
  bool is_plain =
      type && inst->op == IR_PTRADD && ir_const_value(lower->function, inst->ops[1], &offset) && offset >= 0;
  if (!is_plain) return NULL;
  return lower_member_at(lower, type, (uint64_t)offset);
}

// "[2]" for the address of an element of an array.
static const char *element_name(const Lower *lower, LLVMValueRef value) {
  int64_t first = 1, index = 0;
  bool is_plain =
      !lower->request->is_device && LLVMIsAGetElementPtrInst(value) && LLVMGetNumOperands(value) == 3 &&
      LLVMGetTypeKind(LLVMGetGEPSourceElementType(value)) == LLVMArrayTypeKind &&
      constant_number(LLVMGetOperand(value, 1), &first) && constant_number(LLVMGetOperand(value, 2), &index);
  if (!is_plain || first != 0) return NULL;
  return str_intern(lower->request->strings, arena_printf(lower->scratch, "[%lld]", (long long)index));
}

// ".steps[]" for an element of an array that is the first member: its address is that of the object, and no
// computation of it is left.
static const char *name_of_first_array(const Lower *lower, LLVMValueRef value) {
  int64_t index = 0;
  bool is_element = !lower->request->is_device && LLVMIsAGetElementPtrInst(value) &&
                    LLVMGetTypeKind(LLVMGetGEPSourceElementType(value)) == LLVMArrayTypeKind &&
                    !constant_number(LLVMGetOperand(value, (unsigned)LLVMGetNumOperands(value) - 1), &index);
  LLVMMetadataRef type =
      is_element ? lower_type_of_variable(lower, object_of_member(LLVMGetOperand(value, 0))) : NULL;
  const char *name = type ? lower_member_at(lower, type, 0) : NULL;
  if (!name || strncmp(name, "_M_", 3) == 0) return NULL;
  return str_intern(lower->request->strings, arena_printf(lower->scratch, ".%s[]", name));
}

// ".rows" for the address of a member, which clang names after it, with a number behind if another value has
// that name; host code is told to readers by such names.
static const char *member_name(const Lower *lower, LLVMValueRef value, IrInst *inst) {
  if (lower->request->is_device || !LLVMIsAGetElementPtrInst(value) || LLVMGetNumOperands(value) < 3)
    return NULL;
  if (LLVMGetTypeKind(LLVMGetGEPSourceElementType(value)) != LLVMStructTypeKind) return NULL;
  const char *name = known_member(lower, value, inst);
  if (!name) name = name_of_member(lower, value);
  if (!name || strncmp(name, "_M_", 3) == 0) return NULL;
  return str_intern(lower->request->strings, arena_printf(lower->scratch, ".%s", name));
}

static void name_instructions(Lower *lower) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(lower->llvm_function); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
      uint32_t ref;
      if (!ptr_map_get(&lower->values, i, &ref) || ir_ref_kind(ref) != IR_REF_INST) continue;
      IrInst *inst = &lower->function->insts.items[ir_ref_index(ref)];
      // A call has the name of what it calls: the variable that its result is kept in is told besides.
      if (inst->op == IR_CALL && !lower->request->is_device) inst->place = lower_name_of(lower, i);
      if (inst->name || is_named_by_its_work(inst)) continue;
      inst->name = inst->op == IR_PTRADD ? member_name(lower, i, inst) : NULL;
      if (!inst->name && inst->op == IR_PTRADD) inst->name = element_name(lower, i);
      if (!inst->name && inst->op == IR_PTRADD) inst->name = name_of_first_array(lower, i);
      if (!inst->name) inst->name = lower_name_of(lower, i);
      if (!inst->name && LLVMIsAAllocaInst(i)) inst->name = plain_variable_name(lower, i);
    }
}

static void begin_function(Lower *lower, LLVMValueRef function, IrFunction *out) {
  lower->llvm_function = function;
  lower->function = out;
  PtrMap empty = {.arena = lower->scratch};
  lower->values = lower->second_parts = lower->value_names = lower->blocks = lower->early_ends = empty;
  lower->value_types = empty;
  lower->types.items = NULL;
  lower->types.count = lower->types.capacity = 0;
  lower->pending.items = NULL;
  lower->pending.count = lower->pending.capacity = 0;
  for (uint32_t i = 0; i < LLVMCountParams(function); i++)
    lower_set(lower, LLVMGetParam(function, i), IR_REF(IR_REF_PARAM, i));
}

static void lower_body(Lower *lower, LLVMValueRef function, IrFunction *out) {
  ArenaMark mark = arena_mark(lower->scratch);
  begin_function(lower, function, out);
  lower_read_names(lower);
  lower_number_blocks(lower);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
    if (!ptr_map_get(&lower->blocks, b, NULL)) continue;
    uint32_t index = ir_block_add(lower->ir, out, LLVMGetBasicBlockName(b));
    lower->loc = 0;
    if (index == 0) lower_function_constants(lower);
    lower_block(lower, b);
  }
  resolve_pending(lower);
  name_instructions(lower);
  if (lower->request->is_device) wait_loops_settle(lower->ir, out, lower->arena);
  if (lower->request->is_device) {
    whole_words_settle(lower->ir, out);
    handles_settle(out);
  }
  if (lower->request->is_device) stage_loops_settle(lower->ir, out);
  arena_release(lower->scratch, mark);
}

IrModule *lower_module(const LowerRequest *request) {
  Lower lower = {
      .request = request, .arena = request->arena, .scratch = arena_open(), .module_scratch = arena_open()};
  Arena *maps = lower.module_scratch;
  lower.layout = LLVMGetModuleDataLayout(request->module);
  lower.context = LLVMGetModuleContext(request->module);
  lower.ir = ir_module_make(request->arena, request->strings, str_intern(request->strings, request->path),
                            request->is_device);
  lower.ir->arch = request->is_device ? request->arch : 0;
  if (request->classes) lower.ir->classes = *request->classes;
  PtrMap empty = {.arena = maps};
  lower.functions = lower.globals = lower.kernels = lower.places = lower.place_indices = lower.scope_names =
      lower.member_types = empty;
  kernels_of(request->module, &lower.kernels);
  lower_globals(&lower);
  declare_functions(&lower);
  lower_initial_data(&lower);
  read_launch_bounds(&lower);
  read_cluster_sizes(&lower);
  for (LLVMValueRef f = LLVMGetFirstFunction(request->module); f && !request->is_device;
       f = LLVMGetNextFunction(f))
    note_member_names(&lower, f);
  for (LLVMValueRef f = LLVMGetFirstFunction(request->module); f; f = LLVMGetNextFunction(f)) {
    uint32_t index;
    bool is_body = !LLVMIsDeclaration(f) && ptr_map_get(&lower.functions, f, &index);
    if (is_body) lower_body(&lower, f, lower.ir->functions.items[index - 1]);
  }
  arena_close(lower.scratch);
  arena_close(lower.module_scratch);
  return lower.ir;
}
