// With which numbers is the kernel run to replay a witness? Dimensions and arguments from the model, an
// object of the interpreter for each object of the launch, and the contents that the model chose for memory
// that the kernel only reads, or that the host put there. Soundness: what the model does not say is unknown.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/facts.h"
#include "kernelscan/memory.h"
#include "kernelscan/witness/replay.h"
#include "kernelscan/kernel.h"
#include "kernelscan/operations.h"

static bool value_in(const ReplayLaunch *launch, const ExprEnv *env, ExprRef ref, int64_t *value) {
  return ref && expr_eval(launch->scan->pool, ref, env, value) == EXPR_EVAL_OK;
}

bool replay_value(const ReplayLaunch *launch, ExprRef ref, int64_t *value) {
  ASSERT(!ref || scan_has_expr(launch->scan, ref));
  ASSERT(value);
  return value_in(launch, &launch->env, ref, value);
}

bool replay_triple(const ReplayLaunch *launch, const ExprRef *refs, int64_t *values) {
  for (int axis = 0; axis < 3; axis++)
    if (!replay_value(launch, refs[axis], &values[axis])) return false;
  return true;
}

static InterpValue piece_value(const ReplayLaunch *launch, const ExprEnv *env, const ArgPiece *piece) {
  InterpValue value = {.kind = INTERP_UNKNOWN};
  int64_t number = 0;
  if (value_in(launch, env, piece->word, &number)) return (InterpValue){.kind = INTERP_WORD, .word = number};
  for (uint32_t i = 0; i < piece->target_count; i++) {
    const PointerTarget *target = &piece->targets[i];
    int64_t holds = 1, offset = 0;
    if (target->condition && !value_in(launch, env, target->condition, &holds)) return value;
    if (!holds) continue;
    if (!target->object || !value_in(launch, env, target->offset, &offset)) return value;
    bool is_null = launch->context->objects.items[target->object].kind == OBJECT_NULL;
    return (InterpValue){
        .kind = is_null ? INTERP_WORD : INTERP_POINTER, .word = offset, .object = target->object};
  }
  return value;
}

// The model's numbers, with the offset for the symbol of the element.
static ExprEnv env_at(const ReplayLaunch *launch, ExprRef element, int64_t offset) {
  ExprEnv env = launch->env;
  uint32_t symbol = (uint32_t)expr_node(launch->scan->pool, element)->value;
  if (symbol >= launch->with_element_count) return env;
  launch->with_element[symbol] = offset;
  env.sym_values = launch->with_element;
  return env;
}

// Places between the pieces that the launch has: pointers that the kernel reads at computed places.
static void add_table(const ReplayLaunch *launch, uint32_t param, const LaunchHeld *held, InterpArg *arg) {
  const Scan *scan = launch->scan;
  uint64_t bytes = scan->fn->params.items[param].byval_bytes;
  VEC(InterpPiece) pieces = {0};
  uint32_t known = 0;
  for (uint32_t at = 0; at + 8 <= bytes; at += 8) {
    for (; known < arg->piece_count && arg->pieces[known].offset < at + 8; known++)
      vec_push(scan->arena, &pieces, arg->pieces[known]);
    const InterpPiece *last = pieces.count ? &vec_last(&pieces) : NULL;
    if (last && last->offset + last->bytes > at) continue;
    ExprEnv env = env_at(launch, held->element, at);
    vec_push(scan->arena, &pieces, ((InterpPiece){at, 8, piece_value(launch, &env, &held->pointer)}));
  }
  for (; known < arg->piece_count; known++)
    vec_push(scan->arena, &pieces, arg->pieces[known]);
  *arg = (InterpArg){pieces.count, pieces.items};
}

static void make_args(ReplayLaunch *launch) {
  Scan *scan = launch->scan;
  launch->arg_count = launch->context->args.count;
  launch->args = arena_array(scan->arena, launch->arg_count + 1, InterpArg);
  for (uint32_t a = 0; a < launch->arg_count; a++) {
    const LaunchArg *arg = &launch->context->args.items[a];
    InterpPiece *pieces = arena_array(scan->arena, arg->pieces.count + 1, InterpPiece);
    for (uint32_t p = 0; p < arg->pieces.count; p++)
      pieces[p] = (InterpPiece){arg->pieces.items[p].offset, arg->pieces.items[p].bytes,
                                piece_value(launch, &launch->env, &arg->pieces.items[p])};
    launch->args[a] = (InterpArg){arg->pieces.count, pieces};
  }
  for (uint32_t i = 0; i < launch->context->held.count; i++) {
    const LaunchHeld *held = &launch->context->held.items[i];
    if (held->parameter && held->parameter <= launch->arg_count && !held->untold)
      add_table(launch, held->parameter - 1, held, &launch->args[held->parameter - 1]);
  }
}

// Objects of the interpreter: launch objects by number, then the module's variables; extern __shared__ names
// are one.
static void number_globals(ReplayLaunch *launch) {
  Scan *scan = launch->scan;
  const LaunchContext *context = launch->context;
  uint32_t next = context->objects.count + 1, dynamic = 0;
  launch->global_objects = arena_array(scan->arena, scan->module->globals.count + 1, uint32_t);
  for (uint32_t g = 0; g < scan->module->globals.count; g++) {
    const IrGlobal *global = &scan->module->globals.items[g];
    if (global->is_dynamic_shared && dynamic) {
      launch->global_objects[g] = dynamic;
      continue;
    }
    launch->global_objects[g] = next++;
    if (global->is_dynamic_shared) dynamic = launch->global_objects[g];
    for (uint32_t o = 1; o < context->objects.count; o++)
      if (context->objects.items[o].kind == OBJECT_GLOBAL &&
          strcmp(context->objects.items[o].name, global->name) == 0)
        launch->global_objects[g] = o;
  }
  launch->first_private = next;
  int64_t blocks = launch->cluster[0] * launch->cluster[1] * launch->cluster[2];
  if (!clusters_has_mapa(scan) || clusters_kind(scan) < CLUSTERS_SINGLE || context != scan->launch ||
      blocks <= 0 || blocks > MOST_BLOCKS_OF_CLUSTER)
    return;
  launch->cluster_stride = next;
  launch->cluster_blocks = (uint32_t)blocks;
  launch->first_private = next * (launch->cluster_blocks + 1);
}

uint32_t replay_number_in_cluster(const ReplayLaunch *launch, const int64_t *block_idx, uint32_t object) {
  const int64_t *size = launch->cluster;
  bool is_shared = false;
  for (uint32_t g = 0; launch->cluster_stride && g < launch->scan->module->globals.count; g++)
    is_shared |= launch->global_objects[g] == object &&
                 launch->scan->module->globals.items[g].space == IR_SPACE_SHARED;
  if (!is_shared) return object;
  int64_t rank =
      block_idx[0] % size[0] + size[0] * (block_idx[1] % size[1] + size[1] * (block_idx[2] % size[2]));
  return object + (uint32_t)(rank + 1) * launch->cluster_stride;
}

bool replay_is_object(const ReplayLaunch *launch, uint32_t number, uint32_t object) {
  ASSERT(scan_has_object(launch->scan, object));
  const Obj *info = &launch->scan->objects.items[object];
  if (info->kind == OBJ_LAUNCH) return info->index == number;
  return info->kind == OBJ_GLOBAL && launch->global_objects[info->index] == number;
}

bool replay_initial(const ReplayLaunch *launch, uint32_t object, int64_t offset, uint32_t bytes,
                    InterpValue *value) {
  const Scan *scan = launch->scan;
  const LoadFuncs *functions = load_functions(scan);
  for (uint32_t i = 0; i < functions->count; i++) {
    const LoadFunc *read = &functions->items[i];
    if (read->bits != bytes * 8 || !replay_is_object(launch, object, read->object)) continue;
    int64_t word = 0;
    if (!model_application(launch->env.context, read->func, 1, &offset, &word)) continue;
    *value = (InterpValue){.kind = INTERP_WORD, .word = word};
    return true;
  }
  return false;
}

bool replay_content(const ReplayLaunch *launch, const LaunchContent *content, int64_t offset, int64_t *word) {
  ExprEnv env = env_at(launch, content->element, offset);
  return expr_eval(launch->scan->pool, content->value, &env, word) == EXPR_EVAL_OK;
}

bool replay_host_says(const ReplayLaunch *launch, uint32_t number, int64_t offset, uint32_t bytes,
                      int64_t *word) {
  const Scan *scan = launch->scan;
  for (uint32_t o = 0; o < scan->objects.count; o++) {
    if (!replay_is_object(launch, number, o)) continue;
    const LaunchContent *content = initial_contents_find(scan, &scan->objects.items[o], bytes);
    if (!content) return false;
    return replay_content(launch, content, offset, word);
  }
  return false;
}

// A pointer that the host has put there.
static bool told_pointer(const ReplayLaunch *launch, uint32_t number, int64_t offset, InterpValue *value) {
  const Scan *scan = launch->scan;
  for (uint32_t o = 1; o < scan->objects.count; o++) {
    const LaunchHeld *held = replay_is_object(launch, number, o) ? table_held_in(scan, o) : NULL;
    if (!held) continue;
    if (held->untold || !object_keeps_pointers(scan, o)) return false;
    ExprEnv env = env_at(launch, held->element, offset);
    *value = piece_value(launch, &env, &held->pointer);
    return value->kind != INTERP_UNKNOWN;
  }
  return false;
}

bool replay_told(const ReplayLaunch *launch, uint32_t number, int64_t offset, uint32_t bytes,
                 InterpValue *value) {
  const Scan *scan = launch->scan;
  ReplayLaunch without_functions = *launch;
  without_functions.env.app = NULL;
  int64_t word = 0;
  if (bytes == 8 && told_pointer(&without_functions, number, offset, value)) return true;
  for (uint32_t o = 0; o < scan->objects.count; o++)
    if (replay_is_object(launch, number, o) && !object_is_readonly(scan, o)) return false;
  if (!replay_host_says(&without_functions, number, offset, bytes, &word)) return false;
  *value = (InterpValue){.kind = INTERP_WORD, .word = word};
  return true;
}

bool replay_is_given(const ReplayLaunch *launch, uint32_t number) {
  const LaunchContext *context = launch->context;
  return number >= context->objects.count || !context->objects.items[number].computed_by;
}

bool replay_make_launch(Scan *scan, const SolverAnswer *answer, ReplayLaunch *launch) {
  return replay_make_other(scan, scan->launch, answer, launch);
}

bool replay_make_other(Scan *scan, const LaunchContext *context, const SolverAnswer *answer,
                       ReplayLaunch *launch) {
  *launch = (ReplayLaunch){.scan = scan, .context = context, .env = model_env(answer)};
  if (!replay_triple(launch, context->grid, launch->grid) ||
      !replay_triple(launch, context->block, launch->block) ||
      (context->cluster[0] && !replay_triple(launch, context->cluster, launch->cluster)))
    return false;
  launch->with_element_count = answer->sym_count;
  launch->with_element = arena_copy(scan->arena, answer->sym_values, answer->sym_count * sizeof(int64_t));
  make_args(launch);
  number_globals(launch);
  return true;
}

InterpRequest replay_request(const ReplayLaunch *launch, const int64_t *block_idx,
                             const int64_t *thread_idx) {
  InterpRequest request = {.module = launch->scan->module,
                           .private_calls = scan_text(launch->scan)->private_calls,
                           .kernel = launch->scan->fn,
                           .arg_count = launch->arg_count,
                           .args = launch->args,
                           .global_objects = launch->global_objects,
                           .first_private_object = launch->first_private,
                           .cluster_stride = launch->cluster_stride,
                           .cluster_blocks = launch->cluster_blocks};
  for (int axis = 0; axis < 3; axis++) {
    request.thread.grid_dim[axis] = launch->grid[axis];
    request.thread.block_dim[axis] = launch->block[axis];
    request.thread.cluster_dim[axis] = launch->cluster[axis];
    request.thread.block_idx[axis] = block_idx[axis];
    request.thread.thread_idx[axis] = thread_idx[axis];
  }
  return request;
}

// ---- a small launch in place of a large one
enum { SMALL_BLOCKS = 3, SMALL_NUMBER = 1000, LARGE_NUMBER = 4096 };

static int64_t blocks_of(const ReplayLaunch *numbers) {
  return numbers->grid[0] * numbers->grid[1] * numbers->grid[2];
}

static void shrink_number(InterpValue *value, int64_t blocks, int64_t fewer) {
  if (value->kind != INTERP_WORD) return;
  if (value->word == blocks)
    value->word = fewer;
  else if (value->word > LARGE_NUMBER)
    value->word = SMALL_NUMBER;
}

void replay_make_small(ReplayLaunch *numbers) {
  ASSERT(numbers && numbers->scan);
  Arena *arena = numbers->scan->arena;
  int64_t blocks = blocks_of(numbers);
  for (int axis = 0, left = SMALL_BLOCKS; axis < 3; axis++) {
    if (numbers->grid[axis] > left) numbers->grid[axis] = left;
    if (numbers->grid[axis] > 1) left = 1;
  }
  InterpArg *args = arena_array(arena, numbers->arg_count + 1, InterpArg);
  for (uint32_t a = 0; a < numbers->arg_count; a++) {
    InterpPiece *pieces = arena_array(arena, numbers->args[a].piece_count + 1, InterpPiece);
    for (uint32_t p = 0; p < numbers->args[a].piece_count; p++) {
      pieces[p] = numbers->args[a].pieces[p];
      shrink_number(&pieces[p].value, blocks, blocks_of(numbers));
    }
    args[a] = (InterpArg){numbers->args[a].piece_count, pieces};
  }
  numbers->args = args;
}
