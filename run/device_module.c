// How do the device sides of all files become one module? They are linked after their kernels and variables got names of their own:
// a name of two files that is static, or defined twice, stands for two things, and the host side of each file asks by unit and name.
// Everything becomes internal, what nobody uses is dropped, and the module is made one of the host: kernels are functions,
// memory is that of the process. Sound for what is told only if the text stays as it was: LLVM's passes run before the accesses
// are marked only so far as they take locals out of memory.
// SPDX-License-Identifier: Apache-2.0
#include "run/internal.h"
#include "core/bug.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Comdat.h>
#include <llvm-c/Error.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <string.h>

static void collect_message(LLVMDiagnosticInfoRef info, void *context) {
  StrBuf *messages = context;
  if (LLVMGetDiagInfoSeverity(info) != LLVMDSError) return;
  char *text = LLVMGetDiagInfoDescription(info);
  strbuf_printf(messages, "%s%s", messages->length ? "; " : "", text);
  LLVMDisposeMessage(text);
}

void device_open(Device *device, Arena *arena, DiagSink *sink, const FrontendOptions *options) {
  ASSERT(device && arena && sink);
  ASSERT(options);
  *device = (Device){.arena = arena,
                     .sink = sink,
                     .options = options,
                     .strings = str_table_make(arena),
                     .messages = {.arena = arena}};
  device->context = LLVMContextCreate();
  LLVMContextSetDiscardValueNames(device->context, 0);
  LLVMContextSetDiagnosticHandler(device->context, collect_message, &device->messages);
  device->builder = LLVMCreateBuilderInContext(device->context);
}

void device_close(Device *device) {
  ASSERT(device);
  LLVMDisposeBuilder(device->builder);
  if (device->layout) LLVMDisposeTargetData(device->layout);
  if (device->module) LLVMDisposeModule(device->module);
  LLVMContextDispose(device->context);
}

bool device_passes(Device *device, const char *passes) {
  ASSERT(passes);
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(device->module, passes, NULL, options);
  LLVMDisposePassBuilderOptions(options);
  if (!error) return true;
  char *text = LLVMGetErrorMessage(error);
  diag_report(device->sink, DIAG_ERROR, NULL, "LLVM cannot work on the kernels: %s", text);
  LLVMDisposeErrorMessage(text);
  return false;
}

// ---- names

static LLVMValueRef find(LLVMModuleRef module, const char *name) {
  LLVMValueRef found = LLVMGetNamedFunction(module, name);
  return found ? found : LLVMGetNamedGlobal(module, name);
}

static bool is_merged(LLVMValueRef value) { // the same text in several files, by the rules of the language
  LLVMLinkage linkage = LLVMGetLinkage(value);
  return linkage == LLVMLinkOnceAnyLinkage || linkage == LLVMLinkOnceODRLinkage ||
         linkage == LLVMWeakAnyLinkage || linkage == LLVMWeakODRLinkage ||
         linkage == LLVMAvailableExternallyLinkage || linkage == LLVMCommonLinkage;
}

// The name that it is linked by.
static const char *own_name(Device *device, LLVMValueRef value, uint32_t unit, bool is_kept) {
  const char *name = arena_strdup(device->arena, value_text(value));
  if (LLVMGetLinkage(value) == LLVMPrivateLinkage || is_merged(value)) return name;
  bool is_internal = LLVMGetLinkage(value) == LLVMInternalLinkage;
  LLVMValueRef other = device->module ? find(device->module, name) : NULL;
  bool collides = other && !LLVMIsDeclaration(other);
  if (!(is_internal && is_kept) && !(collides && !is_internal)) return name;
  const char *linked = arena_printf(device->arena, "%s.unit%u", name, unit);
  LLVMSetValueName2(value, linked, strlen(linked));
  LLVMSetComdat(value, NULL); // which has the old name, and would be taken for the other one's
  if (is_internal) LLVMSetLinkage(value, LLVMExternalLinkage);
  return linked;
}

static DeviceKernel *kernel_of(Device *device, uint32_t unit, const char *name) {
  for (uint32_t i = 0; i < device->kernels.count; i++)
    if (device->kernels.items[i].unit == unit && strcmp(device->kernels.items[i].name, name) == 0)
      return &device->kernels.items[i];
  return NULL;
}

// One line of !nvvm.annotations: {function, "kernel", 1, "maxntidx", 256 ...}.
static void read_annotation(Device *device, uint32_t unit, LLVMValueRef node) {
  LLVMValueRef operands[32];
  int count = LLVMGetMDNodeNumOperands(node);
  if (count < 3 || count > 32) return;
  LLVMGetMDNodeOperands(node, operands);
  if (!operands[0] || !LLVMIsAFunction(operands[0]) || LLVMIsDeclaration(operands[0])) return;
  const char *name = value_text(operands[0]);
  for (int i = 1; i + 1 < count; i += 2) {
    unsigned length = 0;
    const char *key = operands[i] ? LLVMGetMDString(operands[i], &length) : NULL;
    if (!key || !operands[i + 1] || !LLVMIsAConstantInt(operands[i + 1])) continue;
    uint64_t value = LLVMConstIntGetZExtValue(operands[i + 1]);
    DeviceKernel *known = kernel_of(device, unit, name);
    if (length == strlen("kernel") && memcmp(key, "kernel", length) == 0 && value && !known)
      vec_push(device->arena, &device->kernels,
               (DeviceKernel){.unit = unit, .name = arena_strdup(device->arena, name)});
    if (length == strlen("maxntidx") && memcmp(key, "maxntidx", length) == 0 && known)
      known->max_threads = (uint32_t)value;
  }
}

static void find_kernels(Device *device, LLVMModuleRef module, uint32_t unit) {
  unsigned count = LLVMGetNamedMetadataNumOperands(module, "nvvm.annotations");
  LLVMValueRef *nodes = arena_array(device->arena, count + 1, LLVMValueRef);
  LLVMGetNamedMetadataOperands(module, "nvvm.annotations", nodes);
  for (int round = 0; round < 2; round++) // bounds may stand before what they bound
    for (unsigned i = 0; i < count; i++)
      read_annotation(device, unit, nodes[i]);
}

static void name_kernels(Device *device, LLVMModuleRef module, uint32_t unit) {
  for (uint32_t i = 0; i < device->kernels.count; i++) {
    DeviceKernel *kernel = &device->kernels.items[i];
    if (kernel->unit == unit)
      kernel->linked = own_name(device, LLVMGetNamedFunction(module, kernel->name), unit, true);
  }
}

enum { SPACE_SHARED = 3 };

static bool is_shared(LLVMValueRef global) {
  return LLVMGetPointerAddressSpace(LLVMTypeOf(global)) == SPACE_SHARED;
}

bool is_managed(LLVMValueRef global) { // as frontend/cuda/crt/host_defines.h marks them
  ASSERT(global);
  const char *section = LLVMGetSection(global);
  return section && strcmp(section, "hgrd_managed") == 0;
}

const char *managed_name(Device *device, LLVMValueRef global, uint32_t unit) {
  ASSERT(global);
  return arena_printf(device->arena, MANAGED_PREFIX "unit%u.%s", unit, value_text(global));
}

static const char *share_with_host(Device *device, LLVMValueRef global, uint32_t unit) {
  const char *linked = managed_name(device, global, unit);
  LLVMSetValueName2(global, linked, strlen(linked));
  LLVMSetLinkage(global, LLVMExternalLinkage);
  LLVMSetSection(global, "");
  return linked;
}

static void name_variables(Device *device, LLVMModuleRef module, uint32_t unit) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
    if (LLVMIsDeclaration(g) || LLVMGetLinkage(g) == LLVMPrivateLinkage || has_prefix(value_text(g), "llvm."))
      continue;
    const char *name = arena_strdup(device->arena, value_text(g));
    const char *linked =
        is_managed(g) ? share_with_host(device, g, unit) : own_name(device, g, unit, !is_shared(g));
    if (!is_shared(g)) vec_push(device->arena, &device->variables, (DeviceVariable){unit, name, linked});
  }
}

static void name_functions(Device *device, LLVMModuleRef module, uint32_t unit) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && !kernel_of(device, unit, value_text(f)))
      (void)own_name(device, f, unit, false);
}

bool device_add(Device *device, uint32_t unit, const StrBuf *bitcode, const char *path) {
  ASSERT(path);
  LLVMMemoryBufferRef buffer =
      LLVMCreateMemoryBufferWithMemoryRange(strbuf_text(bitcode), bitcode->length, path, 0);
  LLVMModuleRef module = NULL;
  bool failed = LLVMParseBitcodeInContext2(device->context, buffer, &module);
  LLVMDisposeMemoryBuffer(buffer);
  if (failed) {
    diag_report(device->sink, DIAG_ERROR, NULL, "%s: the bitcode of clang cannot be read (%s)", path,
                strbuf_text(&device->messages));
    return false;
  }
  find_kernels(device, module, unit);
  name_kernels(device, module, unit);
  name_variables(device, module, unit);
  name_functions(device, module, unit);
  if (!device->module) {
    device->module = module;
    return true;
  }
  if (!LLVMLinkModules2(device->module, module)) return true;
  diag_report(device->sink, DIAG_ERROR, NULL,
              "%s: its device side cannot be linked with the other files (%s)", path,
              strbuf_text(&device->messages));
  return false;
}

// ---- one module of the host

static void forget_target(LLVMValueRef function) {
  static const char *const names[] = {"target-cpu", "target-features", "tune-cpu"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    LLVMRemoveStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, names[i],
                                     (unsigned)strlen(names[i]));
}

static bool is_kernel_name(const Device *device, const char *name) {
  for (uint32_t i = 0; i < device->kernels.count; i++)
    if (strcmp(device->kernels.items[i].linked, name) == 0) return true;
  return false;
}

static bool is_variable_name(const Device *device, const char *name) {
  for (uint32_t i = 0; i < device->variables.count; i++)
    if (strcmp(device->variables.items[i].linked, name) == 0) return true;
  return false;
}

static void close_names(Device *device, bool keeps_entries) {
  for (LLVMValueRef f = LLVMGetFirstFunction(device->module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f)) continue;
    forget_target(f);
    bool is_entry = keeps_entries && is_kernel_name(device, value_text(f));
    LLVMSetLinkage(f, is_entry ? LLVMExternalLinkage : LLVMInternalLinkage);
    LLVMSetComdat(f, NULL);
    LLVMSetFunctionCallConv(f, LLVMCCallConv);
  }
  for (LLVMValueRef g = LLVMGetFirstGlobal(device->module); g; g = LLVMGetNextGlobal(g))
    if (!LLVMIsDeclaration(g) && !has_prefix(value_text(g), "llvm.") &&
        LLVMGetLinkage(g) != LLVMPrivateLinkage) {
      bool is_entry = has_prefix(value_text(g), MANAGED_PREFIX) ||
                      (keeps_entries && is_variable_name(device, value_text(g)));
      LLVMSetLinkage(g, is_entry ? LLVMExternalLinkage : LLVMInternalLinkage);
      LLVMSetComdat(g, NULL);
    }
}

// What clang says is used is kept for tools that see names; here kernels and variables are kept by the table of the program, and what else
// is taken apart later may not be named there any more.
static void forget_used(Device *device) {
  static const char *const names[] = {"llvm.used", "llvm.compiler.used"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    LLVMValueRef list = LLVMGetNamedGlobal(device->module, names[i]);
    if (list) LLVMDeleteGlobal(list);
  }
}

static void become_native(Device *device) {
  forget_used(device);
  LLVMSetTarget(device->module, device->host_triple);
  LLVMSetDataLayout(device->module, device->host_layout);
  device->layout = LLVMCreateTargetData(device->host_layout);
  close_names(device, true);
}

static bool write_out(Device *device, const char *path) {
  LLVMStripModuleDebugInfo(device->module);
  if (LLVMWriteBitcodeToFile(device->module, path) == 0) return true;
  diag_report(device->sink, DIAG_ERROR, NULL, "cannot write %s: is there room?", path);
  return false;
}

bool device_finish(Device *device, const char *proofs, const char *out_path) {
  ASSERT(out_path);
  if (!device->module) device->module = LLVMModuleCreateWithNameInContext("none", device->context);
  become_native(device);
  if (!device_passes(device, "always-inline,function(sroa,instsimplify,simplifycfg),cgscc(inline),globaldce,"
                             "function(sroa,instsimplify,simplifycfg)"))
    return false;
  lane_declare(device); // nobody uses it yet: it would have been dropped
  if (!library_bind(device)) return false;
  proofs_read(device, proofs);
  watch_accesses(device);
  shared_place(device);
  image_write(device);
  close_names(device, false);
  LLVMSetLinkage(LLVMGetNamedGlobal(device->module, "hgrd_image"), LLVMExternalLinkage);
  return write_out(device, out_path);
}
