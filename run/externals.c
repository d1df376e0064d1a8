// What becomes of functions that have no text? Special registers are read from the lane, conversions of addresses are casts, __ldg is
// a load, mathematics that LLVM knows is its own; every other function of CUDA, and every intrinsic of NVVM, is one that the machine has under the same name behind a
// prefix (rt/machine/library_*.c). What it has is listed beside it, so that what it lacks is told before anything runs, with the
// first place that uses it.
// SPDX-License-Identifier: Apache-2.0
#include "run/internal.h"
#include "core/bug.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

// ---- what there is

static int by_text(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool library_read(Device *device, const char *path) {
  ASSERT(path);
  char line[1024];
  FILE *file = fopen(path, "r");
  if (!file) {
    diag_report(device->sink, DIAG_ERROR, NULL, "%s: %s: install hgrd again", path, strerror(errno));
    return false;
  }
  while (fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = '\0';
    if (has_prefix(line, RT_LIBRARY_PREFIX))
      vec_push(device->arena, &device->library,
               arena_strdup(device->arena, line + strlen(RT_LIBRARY_PREFIX)));
  }
  (void)fclose(file);
  if (device->library.count)
    qsort(device->library.items, device->library.count, sizeof *device->library.items, by_text);
  return true;
}

bool library_has(const Device *device, const char *name) {
  ASSERT(name[0]);
  return device->library.count && bsearch(&name, device->library.items, device->library.count,
                                          sizeof *device->library.items, by_text) != NULL;
}

// ---- special registers

typedef struct Register {
  const char *name;
  uint32_t field, index;
} Register;
static const Register registers[] = {
    {"tid.x", RT_FIELD_THREAD, 0},       {"tid.y", RT_FIELD_THREAD, 1},
    {"tid.z", RT_FIELD_THREAD, 2},       {"ctaid.x", RT_FIELD_BLOCK, 0},
    {"ctaid.y", RT_FIELD_BLOCK, 1},      {"ctaid.z", RT_FIELD_BLOCK, 2},
    {"ntid.x", RT_FIELD_BLOCK_SIZE, 0},  {"ntid.y", RT_FIELD_BLOCK_SIZE, 1},
    {"ntid.z", RT_FIELD_BLOCK_SIZE, 2},  {"nctaid.x", RT_FIELD_GRID_SIZE, 0},
    {"nctaid.y", RT_FIELD_GRID_SIZE, 1}, {"nctaid.z", RT_FIELD_GRID_SIZE, 2},
};

static const Register *register_of(const char *name) {
  static const char prefix[] = "llvm.nvvm.read.ptx.sreg.";
  for (size_t i = 0; has_prefix(name, prefix) && i < sizeof registers / sizeof *registers; i++)
    if (strcmp(name + strlen(prefix), registers[i].name) == 0) return &registers[i];
  return NULL;
}

LLVMValueRef library_register(Device *device, const char *name) {
  ASSERT(device && name);
  const Register *found = register_of(arena_printf(device->arena, "llvm.nvvm.read.ptx.sreg.%s", name));
  return found ? lane_word(device, found->field, found->index) : NULL;
}

// ---- calls

static bool is_call_of(LLVMValueRef user, LLVMValueRef function) {
  return LLVMIsACallInst(user) && LLVMGetCalledValue(user) == function;
}

static void replace(LLVMValueRef call, LLVMValueRef value) {
  LLVMReplaceAllUsesWith(call, value);
  LLVMInstructionEraseFromParent(call);
}

typedef LLVMValueRef Maker(Device *device, LLVMValueRef call, const char *name);

// Each call of the function becomes what `make` makes of it.
static void replace_calls(Device *device, LLVMValueRef function, Maker *make) {
  const char *name = arena_strdup(device->arena, value_text(function));
  for (LLVMUseRef use = LLVMGetFirstUse(function), next; use; use = next) {
    LLVMValueRef user = LLVMGetUser(use);
    next = LLVMGetNextUse(use);
    if (!is_call_of(user, function)) continue;
    LLVMPositionBuilderBefore(device->builder, user);
    replace(user, make(device, user, name));
  }
}

static LLVMValueRef make_register(Device *device, LLVMValueRef call, const char *name) {
  (void)call;
  const Register *found = register_of(name);
  return lane_word(device, found->field, found->index);
}

static LLVMValueRef make_cast(Device *device, LLVMValueRef call, const char *name) {
  (void)name;
  LLVMValueRef operand = LLVMGetOperand(call, 0);
  LLVMTypeRef from = LLVMTypeOf(operand), to = LLVMTypeOf(call);
  bool is_from = LLVMGetTypeKind(from) == LLVMPointerTypeKind,
       is_to = LLVMGetTypeKind(to) == LLVMPointerTypeKind;
  if (is_from && is_to)
    return LLVMGetPointerAddressSpace(from) == LLVMGetPointerAddressSpace(to)
               ? operand
               : LLVMBuildAddrSpaceCast(device->builder, operand, to, "cast");
  if (is_from) return LLVMBuildPtrToInt(device->builder, operand, to, "cast");
  if (is_to) return LLVMBuildIntToPtr(device->builder, operand, to, "cast");
  return LLVMBuildIntCast2(device->builder, operand, to, 0, "cast");
}

static LLVMValueRef make_load(Device *device, LLVMValueRef call, const char *name) {
  (void)name;
  LLVMValueRef load = LLVMBuildLoad2(device->builder, LLVMTypeOf(call), LLVMGetOperand(call, 0), "ldg");
  LLVMInstructionSetDebugLoc(load, LLVMInstructionGetDebugLoc(call));
  return load;
}

// "_Z4sqrtIiE...": a template of mathematics over integers or mixed types. Its function of double, if the machine has it.
static const char *double_function(Device *device, const char *name, char *text, size_t size) {
  if (!has_prefix(name, "_Z") || name[2] < '1' || name[2] > '9') return NULL;
  char *base;
  unsigned long length = strtoul(name + 2, &base, 10);
  if (length >= size || strlen(base) <= length || base[length] != 'I') return NULL;
  memcpy(text, base, length);
  text[length] = '\0';
  return library_has(device, text) ? text : NULL;
}

static bool is_number(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMIntegerTypeKind || kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

static bool is_widened(Device *device, LLVMValueRef function) {
  char text[64];
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  bool is_good = LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMDoubleTypeKind;
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    is_good = is_good && is_number(LLVMTypeOf(LLVMGetParam(function, i)));
  return is_good && double_function(device, value_text(function), text, sizeof text) != NULL;
}

// The letters of the template arguments say which integers have no sign.
static bool is_unsigned(const char *name, unsigned index) {
  const char *letters = strchr(name + 2, 'I');
  for (unsigned i = 0; letters && i <= index; i++)
    if (!letters[1 + i] || letters[1 + i] == 'E') return false;
  return letters && strchr("hjtmyb", letters[1 + index]) != NULL;
}

static LLVMValueRef as_double(Device *device, LLVMValueRef value, bool has_no_sign) {
  LLVMTypeRef wide = LLVMDoubleTypeInContext(device->context);
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
  if (kind == LLVMDoubleTypeKind) return value;
  if (kind == LLVMFloatTypeKind) return LLVMBuildFPExt(device->builder, value, wide, "wide");
  return has_no_sign ? LLVMBuildUIToFP(device->builder, value, wide, "wide")
                     : LLVMBuildSIToFP(device->builder, value, wide, "wide");
}

static LLVMValueRef make_widened(Device *device, LLVMValueRef call, const char *name) {
  enum { MOST = 4 };
  char text[64];
  LLVMTypeRef wide = LLVMDoubleTypeInContext(device->context), types[MOST] = {wide, wide, wide, wide};
  LLVMValueRef arguments[MOST];
  unsigned count = LLVMGetNumArgOperands(call) < MOST ? LLVMGetNumArgOperands(call) : MOST;
  for (unsigned i = 0; i < count; i++)
    arguments[i] = as_double(device, LLVMGetOperand(call, i), is_unsigned(name, i));
  const char *bound = arena_printf(device->arena, "%s%s", RT_LIBRARY_PREFIX,
                                   double_function(device, name, text, sizeof text));
  LLVMTypeRef type = LLVMFunctionType(wide, types, count, 0);
  LLVMValueRef function = LLVMGetNamedFunction(device->module, bound);
  if (!function) function = LLVMAddFunction(device->module, bound, type);
  return LLVMBuildCall2(device->builder, type, function, arguments, count, "");
}

// Mathematics that LLVM knows: it computes some of it in line, and what is constant before the run. Of double, and with an f of float.
static const char *intrinsic_of(const char *name, LLVMTypeRef type) {
  static const char *const known[][2] = {
      {"ceil", "llvm.ceil"},   {"copysign", "llvm.copysign"}, {"cos", "llvm.cos"},
      {"exp", "llvm.exp"},     {"exp2", "llvm.exp2"},         {"fabs", "llvm.fabs"},
      {"floor", "llvm.floor"}, {"fma", "llvm.fma"},           {"fmax", "llvm.maxnum"},
      {"fmin", "llvm.minnum"}, {"log", "llvm.log"},           {"log10", "llvm.log10"},
      {"log2", "llvm.log2"},   {"pow", "llvm.pow"},           {"rint", "llvm.rint"},
      {"round", "llvm.round"}, {"sin", "llvm.sin"},           {"sqrt", "llvm.sqrt"},
      {"trunc", "llvm.trunc"}};
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMGetReturnType(type));
  if (kind != LLVMFloatTypeKind && kind != LLVMDoubleTypeKind) return NULL;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    size_t length = strlen(known[i][0]);
    if (has_prefix(name, known[i][0]) && strcmp(name + length, kind == LLVMFloatTypeKind ? "f" : "") == 0)
      return known[i][1];
  }
  return NULL;
}

static LLVMValueRef make_intrinsic(Device *device, LLVMValueRef call, const char *name) {
  enum { MOST = 3 };
  LLVMValueRef arguments[MOST];
  LLVMTypeRef result = LLVMTypeOf(call);
  const char *known = intrinsic_of(name, LLVMGlobalGetValueType(LLVMGetCalledValue(call)));
  unsigned id = LLVMLookupIntrinsicID(known, strlen(known)), count = LLVMGetNumArgOperands(call);
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(device->module, id, &result, 1);
  for (unsigned i = 0; i < count && i < MOST; i++)
    arguments[i] = LLVMGetOperand(call, i);
  return LLVMBuildCall2(device->builder, LLVMGlobalGetValueType(function), function, arguments, count, "");
}

static Maker *maker_of(const char *name) {
  static const char *const casts[] = {"llvm.nvvm.ptr.", "__cvta_", "llvm.nvvm.bitcast."};
  if (register_of(name)) return make_register;
  for (size_t i = 0; i < sizeof casts / sizeof *casts; i++)
    if (has_prefix(name, casts[i]) && !strstr(name, "bitcast")) return make_cast;
  if (has_prefix(name, "_Z5__ldgP") || has_prefix(name, "llvm.nvvm.ldg.global") ||
      has_prefix(name, "llvm.nvvm.ldu.global"))
    return make_load;
  return NULL;
}

// ---- names

// Intrinsics that LLVM knows on every machine.
static bool is_general(const char *name) {
  return has_prefix(name, "llvm.") && !has_prefix(name, "llvm.nvvm.") && strcmp(name, "llvm.trap") != 0;
}

static const char *readable(Device *device, const char *name) {
  int status = 0;
  char *text = __cxa_demangle(name, NULL, NULL, &status);
  const char *copy = arena_strdup(device->arena, status == 0 && text ? text : name);
  free(text);
  return copy;
}

static LLVMValueRef first_call(LLVMValueRef function) {
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
    if (LLVMIsAInstruction(LLVMGetUser(use))) return LLVMGetUser(use);
  return NULL;
}

static void report_missing(Device *device, LLVMValueRef function) {
  LLVMValueRef call = first_call(function);
  uint32_t number = call ? place_of(device, call) : 0;
  SrcLoc at = {0};
  if (number)
    at = (SrcLoc){.file = device->places.items[number].file,
                  .line = device->places.items[number].line,
                  .column = device->places.items[number].column};
  const char *caller =
      call ? function_text(device, LLVMGetBasicBlockParent(LLVMGetInstructionParent(call))) : "a table";
  diag_report(
      device->sink, DIAG_ERROR, number ? &at : NULL,
      "'%s' cannot be run (called in '%s'): hgrd-run has no code for it; hgrd-check reads such kernels",
      readable(device, value_text(function)), caller);
}

// Arguments that nvptx passes by value in memory are addresses to the machine.
static void pass_addresses(LLVMValueRef value, LLVMValueRef function) {
  unsigned kind = LLVMGetEnumAttributeKindForName("byval", strlen("byval"));
  for (unsigned i = 1; i <= LLVMCountParams(function); i++) {
    if (LLVMIsACallInst(value))
      LLVMRemoveCallSiteEnumAttribute(value, i, kind);
    else
      LLVMRemoveEnumAttributeAtIndex(value, i, kind);
  }
}

static bool bind(Device *device, LLVMValueRef function) {
  const char *name = arena_strdup(device->arena, value_text(function));
  if (!library_has(device, name)) {
    report_missing(device, function);
    return false;
  }
  const char *bound = arena_printf(device->arena, "%s%s", RT_LIBRARY_PREFIX, name);
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  LLVMValueRef found = LLVMGetNamedFunction(device->module, bound);
  if (!found) found = LLVMAddFunction(device->module, bound, type);
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
    if (is_call_of(LLVMGetUser(use), function)) pass_addresses(LLVMGetUser(use), function);
  LLVMReplaceAllUsesWith(function, found);
  return true;
}

static bool is_bound(const char *name) {
  return has_prefix(name, RT_LIBRARY_PREFIX) || strcmp(name, "hgrd_lane") == 0;
}

bool library_bind(Device *device) {
  ASSERT(device && device->module);
  bool is_good = assembly_bind(device);
  for (LLVMValueRef f = LLVMGetFirstFunction(device->module), next; f; f = next) {
    next = LLVMGetNextFunction(f);
    if (!LLVMIsDeclaration(f) || is_general(value_text(f)) || is_bound(value_text(f))) continue;
    Maker *make = is_widened(device, f)                                    ? make_widened
                  : intrinsic_of(value_text(f), LLVMGlobalGetValueType(f)) ? make_intrinsic
                                                                           : maker_of(value_text(f));
    if (make) replace_calls(device, f, make);
    if (LLVMGetFirstUse(f) && !bind(device, f)) is_good = false;
    if (!LLVMGetFirstUse(f)) LLVMDeleteFunction(f);
  }
  return is_good;
}
