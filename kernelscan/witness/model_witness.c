// How is a model told as a witness? Launch, arguments, threads, iterations and contents of memory that the goal speaks
// of, with names that are told apart where two values have the same one. Soundness: says what the model says.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/witness/replay.h"
#include "kernelscan/memory.h"

#include <string.h>

// ---- the witness
static void add_value(Scan *scan, Witness *witness, const ExprSym *sym, int64_t value) {
  WitnessValue entry = {sym->name, value, sym->loc};
  if (sym->kind == SYM_HOST_VALUE) vec_push(scan->arena, &witness->values, entry);
  if (sym->kind == SYM_ITERATION && sym->owner != OWNER_THREAD2)
    vec_push(scan->arena, &witness->iterations[0], entry);
  if (sym->kind == SYM_ITERATION && sym->owner != OWNER_THREAD1)
    vec_push(scan->arena, &witness->iterations[1], entry);
  if (sym->kind == SYM_MEMORY) vec_push(scan->arena, &witness->memory, entry);
}

static void add_function_values(Scan *scan, const SolverAnswer *answer, const ExprSet *occurs,
                                Witness *witness) {
  for (uint32_t i = 0; i < answer->func_value_count; i++) {
    const SolverFuncValue *point = &answer->func_values[i];
    const ExprFunc *func = expr_func_info(scan->pool, point->func);
    if (func->kind != SYM_MEMORY || !occurs || point->arg_count < 1) continue;
    size_t length = strlen(func->name) - (str_ends_with(func->name, "[]") ? 2 : 0);
    int64_t bytes = func->width >= 8 ? func->width / 8 : 1;
    const char *name = arena_printf(scan->arena, "%s%.*s[%lld]", func->is_float ? "the bits of " : "",
                                    (int)length, func->name, (long long)(point->args[0] / bytes));
    vec_push(scan->arena, &witness->memory, (WitnessValue){name, point->result, func->loc});
  }
}

// ---- values of one name
typedef VEC(
    const char *) Origins; // by value of the witness: where it comes from; NULL: nowhere in particular

static const char *origin_of(Scan *scan, const ExprSym *sym) {
  if (sym->after) return arena_printf(scan->arena, "after %s at line %u", sym->after, sym->loc.line);
  return sym->loc.file ? arena_printf(scan->arena, "from line %u", sym->loc.line) : NULL;
}

static bool has_namesake(const Witness *witness, uint32_t index) {
  const WitnessValue *value = &witness->values.items[index];
  for (uint32_t i = 0; i < witness->values.count; i++) {
    const WitnessValue *other = &witness->values.items[i];
    if (other->value != value->value && strcmp(other->name, value->name) == 0) return true;
  }
  return false;
}

static void tell_apart(Scan *scan, const Origins *origins, Witness *witness) {
  const char **names = arena_array(scan->arena, witness->values.count + 1, const char *);
  for (uint32_t i = 0; i < witness->values.count; i++)
    if (origins->items[i] && has_namesake(witness, i))
      names[i] = arena_printf(scan->arena, "%s %s", witness->values.items[i].name, origins->items[i]);
  for (uint32_t i = 0; i < witness->values.count; i++)
    if (names[i]) witness->values.items[i].name = names[i];
}

// The numbers that the kernel is given, by the names of its parameters: what a reader of the kernel knows.
static bool add_arguments(const ReplayLaunch *launch, Witness *witness) {
  Scan *scan = launch->scan;
  for (uint32_t a = 0; a < scan->launch->args.count && a < scan->fn->params.count; a++) {
    const LaunchArg *arg = &scan->launch->args.items[a];
    const IrParam *param = &scan->fn->params.items[a];
    int64_t value = 0;
    if (arg->pieces.count != 1 || param->type.kind != IR_INT ||
        !replay_value(launch, arg->pieces.items[0].word, &value))
      continue;
    WitnessValue entry = {param->name, value, *ir_loc(scan->module, scan->fn->loc)};
    vec_push(scan->arena, &witness->values, entry);
  }
  return witness->values.count > 0;
}

// The address of an object: that it is not null is all that its number says.
static bool is_some_address(const Scan *scan, ExprRef ref, int64_t value) {
  for (uint32_t i = 1; value != 0 && i < scan->launch->objects.count; i++)
    if (scan->launch->objects.items[i].leaf == ref) return true;
  return false;
}

void witness_fill(Scan *scan, const ReplayQuery *query, Witness *witness, uint32_t *host_rounds) {
  ReplayLaunch launch = {.scan = scan};
  launch.env = model_env(query->answer);
  *witness = (Witness){0};
  replay_triple(&launch, scan->launch->grid, witness->grid_dim);
  replay_triple(&launch, scan->launch->block, witness->block_dim);
  for (int t = 0; t < 2; t++) {
    WitnessThread *thread = &witness->threads[t];
    replay_triple(&launch, query->views[t]->block_idx, thread->block_idx);
    replay_triple(&launch, query->views[t]->thread_idx, thread->thread_idx);
    replay_value(&launch, query->views[t]->warp, &thread->warp);
    replay_value(&launch, query->views[t]->lane, &thread->lane);
  }
  int64_t offsets[2] = {0, 0};
  if (replay_value(&launch, query->offsets[0], &offsets[0]) &&
      replay_value(&launch, query->offsets[1], &offsets[1]))
    witness->offset = offsets[0] > offsets[1] ? offsets[0] : offsets[1];
  bool has_arguments = add_arguments(&launch, witness);
  Origins origins = {0};
  for (uint32_t i = 0; i < witness->values.count; i++)
    vec_push(scan->arena, &origins, "in the kernel");
  const ExprSet *occurs = goal_occurrences(scan, query->goal);
  for (ExprRef ref = 0; (ref = expr_set_next(occurs, ref)) != 0;) {
    const ExprNode *node = expr_node(scan->pool, ref);
    if (node->op != EXPR_SYM || (uint64_t)node->value >= query->answer->sym_count) continue;
    const ExprSym *sym = expr_sym_info(scan->pool, (uint32_t)node->value);
    // Results of calls have no name worth showing beside the arguments that they become.
    if (has_arguments && sym->kind == SYM_HOST_VALUE && strchr(sym->name, '(')) continue;
    if (sym->is_nameless || is_some_address(scan, ref, query->answer->sym_values[node->value])) continue;
    add_value(scan, witness, sym, query->answer->sym_values[node->value]);
    if (origins.count < witness->values.count) vec_push(scan->arena, &origins, origin_of(scan, sym));
    for (int t = 0; t < 2 && node->value < scan->start.host_symbols; t++)
      host_rounds[t] = witness->iterations[t].count;
  }
  add_function_values(scan, query->answer, occurs, witness);
  tell_apart(scan, &origins, witness);
}

void witness_from_model(Scan *scan, const ReplayQuery *query, Witness *witness) {
  ASSERT(query->answer && witness);
  uint32_t host_rounds[2] = {0, 0};
  witness_fill(scan, query, witness, host_rounds);
}
