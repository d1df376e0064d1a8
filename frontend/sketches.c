// Which of our own files stands for a header that is not there? Code for PyTorch is written against a library that a
// machine which only checks it seldom has, and whose headers take longer to read than all the rest. What launches hang on
// there (sizes of tensors, their memory, dispatch by type, checks) is in frontend/cuda/pytorch, and is taken for each
// header of the library that is not found. A file that does not compile with it is compiled with empty headers (fixup.c).
//
// Soundness: as with any header that is not there the verdicts lean on A14, and the run says so. The sketch makes memory
// where the library does, and leaves open what it does not know; what it takes for granted is in docs/assumptions.md.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/internal.h"
#include "core/bug.h"

static const Sketch pytorch = {.file = "pytorch/pytorch.h", .library = "PyTorch"};
static const struct {
  const char *prefix; // of the library's headers
  const Sketch *sketch;
} known[] = {
    {"ATen/", &pytorch}, {"c10/", &pytorch},      {"torch/", &pytorch},
    {"THC/", &pytorch},  {"pybind11/", &pytorch},
};

const Sketch *sketch_of_header(const MissingHeader *header) {
  ASSERT(header->plain);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (str_starts_with(header->plain, known[i].prefix)) return known[i].sketch;
  return NULL;
}
