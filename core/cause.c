// Which causes are there, and which rule of the memory model does each one lean on? Two tables (causes.def,
// cause_examples.def).
// Soundness: no bearing on verdicts.
// SPDX-License-Identifier: Apache-2.0
#include "core/cause.h"

#include "core/bug.h"

#include <string.h>

static const CauseInfo causes[] = {
#define CAUSE(name, wrong, cuda, ptx, scord, mend)                                                           \
  {name, wrong, mend, {[MEMORY_MODEL_CUDA] = cuda, [MEMORY_MODEL_PTX] = ptx, [MEMORY_MODEL_SCORD] = scord}},
#define SAME(name, wrong, rule, mend) CAUSE(name, wrong, rule, rule, rule, mend)
#include "core/causes.def"
};

static const CauseExample examples[] = {
#define EXAMPLE(name, options, text) {name, options, text},
#include "core/cause_examples.def"
};

const CauseExample *cause_example(const char *name) {
  ASSERT(name);
  for (uint32_t i = 0; i < sizeof examples / sizeof *examples; i++)
    if (strcmp(examples[i].cause, name) == 0) return &examples[i];
  return NULL;
}

const char *memory_model_name(MemoryModel model) {
  switch (model) {
  case MEMORY_MODEL_CUDA: return "cuda";
  case MEMORY_MODEL_PTX: return "ptx";
  case MEMORY_MODEL_SCORD: return "scord";
  }
  BUG("no such memory model: %d", (int)model);
}

const CauseInfo *cause_at(uint32_t index) {
  return index < sizeof causes / sizeof *causes ? &causes[index] : NULL;
}

const CauseInfo *cause_find(const char *name) {
  ASSERT(name);
  for (uint32_t i = 0; i < sizeof causes / sizeof *causes; i++)
    if (strcmp(causes[i].name, name) == 0) return &causes[i];
  return NULL;
}

bool cause_is_plain(const char *name) {
  ASSERT(name);
  static const char *const plain[] = {"missing-barrier",     "missing-warp-barrier", "no-synchronisation",
                                      "divergent-barrier",   "left-before-barrier",  "not-cooperative",
                                      "mask-without-caller", "named-lane-missing",   "too-many-expected"};
  for (uint32_t i = 0; i < sizeof plain / sizeof *plain; i++)
    if (strcmp(plain[i], name) == 0) return true;
  return false;
}
