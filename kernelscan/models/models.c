// What holds under the values of an answer? Models of one question are kept, the latest ones: what holds in
// one of them need not be asked. Soundness: a model says that something can be, never that it cannot.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/models.h"
#include "core/bug.h"

bool model_application(void *context, uint32_t func, uint32_t count, const int64_t *args, int64_t *result) {
  ASSERT(context && result);
  const SolverAnswer *answer = context;
  for (uint32_t i = 0; i < answer->func_value_count; i++) {
    const SolverFuncValue *value = &answer->func_values[i];
    if (value->func != func || value->arg_count != count) continue;
    bool same = true;
    for (uint32_t a = 0; a < count; a++)
      same &= value->args[a] == args[a];
    if (!same) continue;
    *result = value->result;
    return true;
  }
  return false;
}

ExprEnv model_env(const SolverAnswer *answer) {
  ASSERT(answer->sym_values || !answer->sym_count);
  return (ExprEnv){answer->sym_values, answer->sym_count, model_application, (void *)(uintptr_t)answer};
}

void models_keep(Models *models, const SolverAnswer *answer) {
  ASSERT(answer->sym_values || !answer->sym_count);
  if (answer->verdict == VERDICT_RACE && answer->sym_values)
    models->items[models->count++ % MODEL_LIMIT] = *answer;
}

bool models_satisfy(const ExprPool *pool, const Models *models, ExprRef condition) {
  ASSERT(expr_is_of(pool, condition));
  for (uint32_t m = 0; m < models->count && m < MODEL_LIMIT; m++) {
    ExprEnv env = model_env(&models->items[m]);
    int64_t holds = 0;
    if (expr_eval(pool, condition, &env, &holds) == EXPR_EVAL_OK && holds) return true;
  }
  return false;
}
