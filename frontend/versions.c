// Which clang and which LLVM are these? clang is a program of the machine, found anew in each run, so it is
// asked; LLVM was linked. Soundness: no effect on verdicts.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/internal.h"
#include "core/bug.h"

#include <llvm-c/Core.h>
#include <string.h>

// "Debian clang version 19.1.7 (3~deb12u1)" holds the number behind "version".
const char *clang_ask_version(const char *clang, Arena *arena) {
  ASSERT(clang);
  const char *const argv[] = {clang, "--version", NULL};
  Process process = {.argv = argv, .output.arena = arena, .errors.arena = arena};
  process_run_all(&process, 1, 1);
  const char *at = strstr(strbuf_text(&process.output), "version ");
  if (process.exit_status != 0 || !at) return NULL;
  at += strlen("version ");
  size_t length = strspn(at, "0123456789.");
  return length > 0 ? arena_strndup(arena, at, length) : NULL;
}

void frontend_describe(const FrontendOptions *options, StrBuf *out) {
  ASSERT(out);
  const char *clang = compiler_find(options, out->arena), *version = clang_ask_version(clang, out->arena);
  unsigned major, minor, patch;
  LLVMGetVersion(&major, &minor, &patch);
  if (version)
    strbuf_printf(out, "clang %s (%s)\n", version, clang);
  else
    strbuf_printf(out, "clang: %s does not run: install clang %u, or let HGRD_CLANG name it\n", clang, major);
  strbuf_printf(out, "LLVM %u.%u.%u\n", major, minor, patch);
}
