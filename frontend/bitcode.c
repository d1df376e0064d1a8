// How does the bitcode that clang wrote become one module per side? It is parsed into a context of our own;
// the host modules of all files are linked, so that callers in one file are seen for launches in another. Two
// strong definitions of one name (two programs in one run) are kept apart: the later one gets a suffix, in
// the host and the device module of its file alike, so that a stub still names its kernel. The same holds for
// static kernels and device variables of different files, which share a name without being the same.
// Soundness: a module that cannot be read or linked is an error, never an empty module.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/internal.h"
#include "core/bug.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Support.h>
#include <pthread.h>
#include <string.h>

const char *value_name(LLVMValueRef value) {
  ASSERT(value);
  size_t length = 0;
  const char *name = LLVMGetValueName2(value, &length);
  return name ? name : "";
}

static void collect_message(LLVMDiagnosticInfoRef info, void *context) {
  StrBuf *messages = context;
  if (LLVMGetDiagInfoSeverity(info) != LLVMDSError) return;
  char *text = LLVMGetDiagInfoDescription(info);
  if (messages->length) strbuf_add(messages, "; ");
  strbuf_add(messages, text);
  LLVMDisposeMessage(text);
}

// A module that breaks LLVM's rules, as by a function declared under the name of an intrinsic with another
// type, would end the process while it is read; it is to be read, and then asked about.
static void keep_reading(void) {
  static const char *const options[] = {"hgrd-check", "-disable-auto-upgrade-debug-info"};
  LLVMParseCommandLineOptions(sizeof options / sizeof *options, options, "");
}

// A program that mostly does without LLVM links it so that its constructors stand in a section of their own
// (cmake/Dependencies.cmake), which is empty but for this mark in others.
typedef void (*Constructor)(void);
static void construct_nothing(void) {}
static const Constructor mark __attribute__((section("hgrd_later"), used)) = construct_nothing;
extern const Constructor __start_hgrd_later[], __stop_hgrd_later[]; // names that the linker makes

static void start_llvm(void) {
  for (const Constructor *at = __start_hgrd_later; at < __stop_hgrd_later; at++)
    if (*at) (*at)();
  keep_reading();
}

// All that is asked of LLVM is asked in a context.
LLVMContextRef bitcode_context_open(StrBuf *messages) {
  static pthread_once_t is_set = PTHREAD_ONCE_INIT; // LLVM has one set of options for the process
  pthread_once(&is_set, start_llvm);
  LLVMContextRef context = LLVMContextCreate();
  LLVMContextSetDiscardValueNames(context, 0);
  LLVMContextSetDiagnosticHandler(context, collect_message, messages);
  return context;
}

static LLVMModuleRef valid_module(LLVMModuleRef module, const char *path, DiagSink *sink) {
  char *message = NULL;
  bool is_broken = LLVMVerifyModule(module, LLVMReturnStatusAction, &message);
  if (is_broken) {
    size_t length = strcspn(message, "\n"), name = length + (message[length] == '\n');
    diag_report(
        sink, DIAG_ERROR, NULL,
        "%s: LLVM refuses what it comes to (%.*s: %.*s): declare no function under a name of LLVM, as "
        "with asm(\"llvm. ...\")",
        path, (int)length, message, (int)strcspn(message + name, "\n"), message + name);
    LLVMDisposeModule(module);
    module = NULL;
  }
  LLVMDisposeMessage(message);
  return module;
}

LLVMModuleRef bitcode_read(LLVMContextRef context, const StrBuf *bytes, const char *path,
                           const StrBuf *messages, DiagSink *sink) {
  ASSERT(context);
  ASSERT(path);
  LLVMMemoryBufferRef buffer =
      LLVMCreateMemoryBufferWithMemoryRange(strbuf_text(bytes), bytes->length, path, 0);
  LLVMModuleRef module = NULL;
  bool failed = LLVMParseBitcodeInContext2(context, buffer, &module);
  LLVMDisposeMemoryBuffer(buffer);
  if (!failed) return valid_module(module, path, sink);
  diag_report(sink, DIAG_ERROR, NULL,
              "%s: the bitcode of clang cannot be read (%s): set HGRD_CLANG to a clang %d", path,
              strbuf_text(messages), HGRD_LLVM);
  return NULL;
}

LLVMModuleRef bitcode_read_file(LLVMContextRef context, const char *path, DiagSink *sink) {
  ASSERT(context);
  ASSERT(path);
  LLVMMemoryBufferRef buffer = NULL;
  LLVMModuleRef module = NULL;
  char *message = NULL;
  if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message) ||
      LLVMParseIRInContext(context, buffer, &module, &message)) {
    diag_report(sink, DIAG_ERROR, NULL, "%s: cannot be read as LLVM %d bitcode or text: %s", path, HGRD_LLVM,
                message ? message : "no reason given");
    if (message) LLVMDisposeMessage(message);
    return NULL;
  }
  return module;
}

// ---- one name, one thing

static bool
is_merged_by_name(LLVMValueRef value) { // the same text in several files, by the rules of the language
  LLVMLinkage linkage = LLVMGetLinkage(value);
  return linkage == LLVMLinkOnceAnyLinkage || linkage == LLVMLinkOnceODRLinkage ||
         linkage == LLVMWeakAnyLinkage || linkage == LLVMWeakODRLinkage ||
         linkage == LLVMAvailableExternallyLinkage || linkage == LLVMAppendingLinkage ||
         linkage == LLVMCommonLinkage;
}

static LLVMValueRef find_by_name(LLVMModuleRef module, const char *name) {
  LLVMValueRef found = LLVMGetNamedFunction(module, name);
  return found ? found : LLVMGetNamedGlobal(module, name);
}

// The value of the device module that `host` stands for on the host: the kernel of a stub, a variable's own
// name.
static LLVMValueRef device_twin(LLVMValueRef host, LLVMModuleRef device, Arena *scratch) {
  if (!device) return NULL;
  const char *kernel = stub_kernel_name(value_name(host), scratch);
  if (kernel) return find_by_name(device, kernel);
  return LLVMIsAGlobalVariable(host) ? LLVMGetNamedGlobal(device, value_name(host)) : NULL;
}

static void rename_value(LLVMValueRef value, uint32_t unit, Arena *scratch) {
  const char *name = arena_printf(scratch, "%s.unit%u", value_name(value), unit + 1);
  LLVMSetValueName2(value, name, strlen(name));
}

// Is there anything in `program` that would be taken for `value`?
static bool collides(LLVMModuleRef program, LLVMValueRef value) {
  LLVMValueRef other = find_by_name(program, value_name(value));
  return other && !LLVMIsDeclaration(other) && !is_merged_by_name(other);
}

static void keep_apart(LLVMModuleRef program, LLVMValueRef value, LLVMModuleRef device, uint32_t unit,
                       Arena *scratch) {
  if (LLVMIsDeclaration(value) || is_merged_by_name(value) || LLVMGetLinkage(value) == LLVMPrivateLinkage)
    return;
  if (!collides(program, value)) return;
  LLVMValueRef twin = device_twin(value, device, scratch);
  if (LLVMGetLinkage(value) == LLVMInternalLinkage && !twin) return; // the linker renames it
  if (twin) rename_value(twin, unit, scratch);
  rename_value(value, unit, scratch);
}

// Variables of the device side that their own host side does not name: others of that name are not theirs.
void bitcode_keep_own(LLVMModuleRef host, LLVMModuleRef device, uint32_t unit, Arena *scratch) {
  enum { SPACE_SHARED = 3 };
  for (LLVMValueRef g = device ? LLVMGetFirstGlobal(device) : NULL; g; g = LLVMGetNextGlobal(g)) {
    bool is_static = !LLVMIsDeclaration(g) && LLVMGetLinkage(g) == LLVMInternalLinkage;
    bool is_shared = LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == SPACE_SHARED;
    if (is_static && !is_shared && (!host || !find_by_name(host, value_name(g))))
      rename_value(g, unit, scratch);
  }
}

bool bitcode_link(LLVMModuleRef program, LLVMModuleRef host, LLVMModuleRef device, uint32_t unit,
                  const char *path, const StrBuf *messages, Arena *scratch, DiagSink *sink) {
  ASSERT(program);
  ASSERT(host);
  ASSERT(path);
  for (LLVMValueRef f = LLVMGetFirstFunction(host); f; f = LLVMGetNextFunction(f))
    keep_apart(program, f, device, unit, scratch);
  for (LLVMValueRef g = LLVMGetFirstGlobal(host); g; g = LLVMGetNextGlobal(g))
    keep_apart(program, g, device, unit, scratch);
  if (!LLVMLinkModules2(program, host)) return true;
  diag_report(sink, DIAG_ERROR, NULL,
              "%s: its host side cannot be linked with the other files (%s): check it by itself", path,
              strbuf_text(messages));
  return false;
}
