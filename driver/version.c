// What is this build made of? Answers hang on hgrd itself, on the clang that compiles, on the LLVM that was
// linked and on Z3; a report of a wrong answer should name all four. The commit comes from the build
// (cmake/Commit.cmake).
//
// Soundness: no effect on verdicts.
// SPDX-License-Identifier: Apache-2.0
#include "driver/version.h"
#include "core/bug.h"
#include "core/version_commit.h"
#include "frontend/frontend.h"
#include "report/report.h"
#include "solver/solver.h"

void version_print(StrBuf *out) {
  ASSERT(out);
  const FrontendOptions as_usual = {0};
  strbuf_printf(out, "hgrd-check %s (commit %s)\n", HGRD_VERSION, HGRD_COMMIT);
  frontend_describe(&as_usual, out);
  strbuf_printf(out, "Z3 %s\n", solver_version());
  strbuf_printf(out, "JSON schema %d\n", REPORT_JSON_SCHEMA);
}
