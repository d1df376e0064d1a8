// What is this build made of? A program is built and watched by hgrd-run itself, the clang that compiles and the LLVM that was linked; a report
// of a wrong answer should name all three. The commit comes from the build (cmake/Commit.cmake).
// SPDX-License-Identifier: Apache-2.0
#include "run/internal.h"
#include "core/bug.h"
#include "core/version_commit.h"

void run_version(StrBuf *out) {
  ASSERT(out);
  const FrontendOptions as_usual = {0};
  strbuf_printf(out, "hgrd-run %s (commit %s)\n", HGRD_VERSION, HGRD_COMMIT);
  frontend_describe(&as_usual, out);
}
