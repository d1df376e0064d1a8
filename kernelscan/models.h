// The door of kernelscan/models/: what holds under the values that the solver has given.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_MODELS_H
#define HGRD_KERNELSCAN_MODELS_H

#include "solver/solver.h"

// Models of one question that the solver has given: what holds in one of them need not be asked.
enum { MODEL_LIMIT = 6 };

typedef struct Models {
  SolverAnswer items[MODEL_LIMIT];
  uint32_t count; // seen; the latest ones are kept
} Models;

// What the model says a function gives (ExprEnv.app); `context` is the SolverAnswer.
bool model_application(void *context, uint32_t func, uint32_t count, const int64_t *args, int64_t *result);
ExprEnv model_env(const SolverAnswer *answer); // as long as the answer lives
// The solver was asked for values that satisfy a goal: keeps them, if it had any.
void models_keep(Models *models, const SolverAnswer *answer);
bool models_satisfy(const ExprPool *pool, const Models *models, ExprRef condition); // does one that is kept?

#endif
