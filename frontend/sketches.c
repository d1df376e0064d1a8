// Which of our own files stands for a header that is not there? Code for PyTorch is written against a library that a
// machine which only checks it seldom has, and whose headers take longer to read than all the rest. What launches hang on
// there (sizes of tensors, their memory, dispatch by type, checks) is in frontend/cuda/pytorch, and is taken for each
// header of the library that is not found. A file that does not compile with it is compiled with empty headers (fixup.c).
//
// Soundness: as with any header that is not there the verdicts lean on A14, and the run says so. The sketch makes memory
// where the library does, and says of what the library computes only what is true of every tensor.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/internal.h"
#include "core/bug.h"

static const struct {
  const char *prefix, *file, *library;
} sketches[] = {
    {"ATen/", "pytorch/pytorch.h", "PyTorch"},     {"c10/", "pytorch/pytorch.h", "PyTorch"},
    {"torch/", "pytorch/pytorch.h", "PyTorch"},    {"THC/", "pytorch/pytorch.h", "PyTorch"},
    {"pybind11/", "pytorch/pytorch.h", "PyTorch"},
};
enum { SKETCHES = sizeof sketches / sizeof *sketches };

static size_t sketch_at(const MissingHeader *header) {
  size_t i = 0;
  while (i < SKETCHES && !str_starts_with(header->name, sketches[i].prefix))
    i++;
  return i;
}

const char *sketch_of_header(const Toolchain *tools, const MissingHeader *header, Arena *arena) {
  ASSERT(header->name);
  size_t i = sketch_at(header);
  return i < SKETCHES ? arena_printf(arena, "%s/%s", tools->cuda_dir, sketches[i].file) : NULL;
}

const char *sketch_library(const MissingHeader *header) {
  size_t i = sketch_at(header);
  ASSERT(i < SKETCHES);
  return sketches[i].library;
}
