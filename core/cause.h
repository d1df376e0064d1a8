// Why two accesses race, or what is wrong with a barrier or a lock: names that stay, and the rule of the
// memory model that each one leans on.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CORE_CAUSE_H
#define HGRD_CORE_CAUSE_H

#include <stdbool.h>
#include <stdint.h>

// docs/memory-model.md says where the three differ.
typedef enum MemoryModel { MEMORY_MODEL_CUDA, MEMORY_MODEL_PTX, MEMORY_MODEL_SCORD } MemoryModel;
enum { MEMORY_MODEL_COUNT = 3 };
const char *memory_model_name(MemoryModel model); // as in --memory-model=

typedef struct CauseInfo {
  const char *name, *wrong, *mend;
  const char *rule[MEMORY_MODEL_COUNT]; // by model
} CauseInfo;
typedef struct CauseExample {
  const char *cause, *options; // options: of hgrd-check, "" for none
  const char *text; // lines of the mistake begin with "-", those of the mend with "+", others with a blank
} CauseExample;
const CauseExample *cause_example(const char *name); // NULL: none
const CauseInfo *cause_find(const char *name);       // NULL: no such cause
const CauseInfo *cause_at(uint32_t index); // all of them, in the order of causes.def; NULL behind the last
// It says that nothing at all is there, or speaks for itself: the rule is no news.
bool cause_is_plain(const char *name);

#endif
