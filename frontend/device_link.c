// What does a device function or variable do that another file defines? With relocatable device code (-rdc) a
// file declares what another one has. Each device module that has such a declaration in use gets a copy of
// the modules that define it, and of those that these need in turn, without their kernels; then everything is
// inlined as if it stood in one file. Files that need nothing of each other stay apart, since without -rdc
// each is a device program of its own: two variables of one name are then two variables. Soundness: what is
// defined nowhere stays a call, or a variable of unknown size.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/internal.h"
#include "core/bug.h"

#include <llvm-c/Linker.h>
#include <string.h>

enum { SHARED_SPACE = 3 };

typedef struct DeviceLink {
  uint32_t count;
  LLVMModuleRef *originals; // NULL: no device side
  LLVMModuleRef made;       // the one under way, NULL until something is linked into it
  bool *is_linked;          // which originals are in it
  Arena *scratch;
} DeviceLink;

// ---- what is missing

static bool defines(LLVMValueRef value) {
  return value && !LLVMIsDeclaration(value) && LLVMGetLinkage(value) != LLVMInternalLinkage &&
         LLVMGetLinkage(value) != LLVMPrivateLinkage;
}

static bool is_needed(LLVMValueRef value) {
  return LLVMIsDeclaration(value) && LLVMGetFirstUse(value) != NULL;
}

// The file that defines it, or `count`.
static uint32_t definer_of(const DeviceLink *link, const char *name, bool is_function) {
  for (uint32_t i = 0; i < link->count; i++) {
    LLVMModuleRef module = link->originals[i];
    if (!module || link->is_linked[i]) continue;
    if (defines(is_function ? LLVMGetNamedFunction(module, name) : LLVMGetNamedGlobal(module, name)))
      return i;
  }
  return link->count;
}

static uint32_t find_needed(const DeviceLink *link, LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    uint32_t definer =
        is_needed(f) && !LLVMGetIntrinsicID(f) ? definer_of(link, value_name(f), true) : link->count;
    if (definer < link->count) return definer;
  }
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
    bool is_dynamic = LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == SHARED_SPACE;
    uint32_t definer = is_needed(g) && !is_dynamic ? definer_of(link, value_name(g), false) : link->count;
    if (definer < link->count) return definer;
  }
  return link->count;
}

// ---- linking

static void drop_kernels(LLVMModuleRef module, Arena *scratch) {
  PtrMap kernels = {.arena = scratch};
  kernels_of(module, &kernels);
  for (LLVMValueRef f = LLVMGetFirstFunction(module), next; f; f = next) {
    next = LLVMGetNextFunction(f);
    if (!ptr_map_get(&kernels, f, NULL)) continue;
    LLVMReplaceAllUsesWith(f, LLVMGetUndef(LLVMTypeOf(f)));
    LLVMDeleteFunction(f);
  }
}

static bool is_strong(LLVMValueRef value) {
  LLVMLinkage linkage = LLVMGetLinkage(value);
  return value && !LLVMIsDeclaration(value) && linkage == LLVMExternalLinkage;
}

// A name that both define belongs to the file at hand.
static void keep_own_names(LLVMModuleRef into, LLVMModuleRef other) {
  for (LLVMValueRef f = LLVMGetFirstFunction(other); f; f = LLVMGetNextFunction(f)) {
    LLVMValueRef own = LLVMGetNamedFunction(into, value_name(f));
    if (is_strong(f) && own && is_strong(own)) LLVMSetLinkage(f, LLVMInternalLinkage);
  }
  for (LLVMValueRef g = LLVMGetFirstGlobal(other); g; g = LLVMGetNextGlobal(g)) {
    LLVMValueRef own = LLVMGetNamedGlobal(into, value_name(g));
    if (is_strong(g) && own && is_strong(own)) LLVMSetLinkage(g, LLVMInternalLinkage);
  }
}

static bool link_one(DeviceLink *link, uint32_t unit) {
  LLVMModuleRef copy = LLVMCloneModule(link->originals[unit]);
  link->is_linked[unit] = true;
  drop_kernels(copy, link->scratch);
  keep_own_names(link->made, copy);
  return !LLVMLinkModules2(link->made, copy);
}

void device_link(uint32_t count, LLVMModuleRef *modules, const char *const *paths, const StrBuf *messages,
                 Arena *scratch, DiagSink *sink) {
  ASSERT(paths);
  DeviceLink link = {.count = count, .originals = modules, .scratch = scratch};
  LLVMModuleRef *made = arena_array(scratch, count + 1, LLVMModuleRef);
  for (uint32_t i = 0; i < count; i++) {
    bool is_done = true;
    if (!modules[i]) continue;
    link.is_linked = arena_array(scratch, count, bool);
    link.is_linked[i] = true;
    link.made = NULL;
    for (uint32_t needed;
         is_done && (needed = find_needed(&link, link.made ? link.made : modules[i])) < count;) {
      if (!link.made) link.made = LLVMCloneModule(modules[i]);
      is_done = link_one(&link, needed);
      if (!is_done)
        diag_report(
            sink, DIAG_ERROR, NULL,
            "%s: its device side cannot be linked with that of %s (%s): what it calls there is not seen",
            paths[i], paths[needed], strbuf_text(messages));
    }
    if (is_done)
      made[i] = link.made;
    else if (link.made)
      LLVMDisposeModule(link.made);
  }
  for (uint32_t i = 0; i < count; i++) {
    if (!made[i]) continue;
    LLVMDisposeModule(modules[i]);
    modules[i] = made[i];
  }
}
