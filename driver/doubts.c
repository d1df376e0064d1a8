// Which kernels hang on what was not there when their files were read?
//
// A line that asks for a macro of a header that is not found may read otherwise in the build. That bears on
// the kernels of its file, on kernels that are launched by host code that was seen (the host sides are one
// program), on those that may have taken device functions from it, and on a kernel that several files define
// and that is checked once.
//
// Soundness: over-approximates; a kernel under any launch, of a file that takes nothing of others, is left.
// SPDX-License-Identifier: Apache-2.0
#include "driver/doubts.h"
#include "core/bug.h"

#include <string.h>

static bool defines(const IrModule *module, const IrFunction *kernel) {
  for (uint32_t i = 0; module && i < module->functions.count; i++)
    if (strcmp(module->functions.items[i]->name, kernel->name) == 0) return true;
  return false;
}

static bool takes_from_others(const Program *program, const IrModule *module) {
  for (uint32_t i = 0; i < program->units.count; i++)
    if (program->units.items[i].device == module) return program->units.items[i].is_linked;
  return true;
}

TaskDoubts doubts_of(const Program *program, const IrModule *module, const IrFunction *kernel,
                     const LaunchContext *launch, Arena *arena) {
  ASSERT(program && module && kernel);
  ASSERT(launch && arena);
  TaskDoubts out = {.has_gaps = program->has_gaps};
  for (uint32_t i = 0; i < program->units.count; i++) {
    const FrontendUnit *unit = &program->units.items[i];
    bool bears = unit->device == module || !launch->is_any || takes_from_others(program, module) ||
                 defines(unit->device, kernel);
    for (uint32_t k = 0; bears && k < unit->doubts.count; k++)
      vec_push(arena, &out.reasons, unit->doubts.items[k]);
  }
  return out;
}

static void add_reason(KernelResult *result, const UndecidedReason *reason, Arena *arena) {
  for (uint32_t i = 0; i < result->undecided.count; i++)
    if (result->undecided.items[i].loc.line == reason->loc.line &&
        strcmp(result->undecided.items[i].text, reason->text) == 0)
      return;
  vec_push(arena, &result->undecided, *reason);
}

void doubts_apply(const TaskDoubts *doubts, KernelResult *result, Arena *arena) {
  ASSERT(result);
  if (!doubts->has_gaps) return;
  result->assumptions |= ASSUME_INPUT;
  for (uint32_t i = 0; i < result->findings.count; i++)
    result->findings.items[i].assumptions |= ASSUME_INPUT;
  for (uint32_t i = 0; i < doubts->reasons.count; i++)
    add_reason(result, &doubts->reasons.items[i], arena);
  if (doubts->reasons.count && result->verdict != VERDICT_RACE) result->verdict = VERDICT_UNKNOWN;
}
