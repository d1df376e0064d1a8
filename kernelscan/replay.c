// Does the witness happen? Both threads are interpreted from kernel entry with the model's launch, and must
// make the two accesses on a common byte, after the same number of synchronisation points of the extent. If
// they do not, the model leaned on an over-approximated value; then all threads of that launch are run, in
// search of two that do collide. Soundness: a confirmed race happened in the IR; nothing else is called
// definite. Memory contents are never invented: a thread that needs them makes the race "possible".
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/internal.h"

#include <stdlib.h>

enum { STEP_LIMIT = 200000, SEARCH_THREADS = 2048, HIT_LIMIT = 20000 };

typedef struct Hit {
  uint32_t object;
  int64_t offset;
  uint32_t bytes;
  uint32_t interval; // synchronisation points of the extent passed before
  uint32_t thread;   // index of the thread in the run
  uint32_t side;     // 0, 1: which access
  // Asynchronous copies: still going on, and how many groups were committed behind it (-1: it is in none
  // yet).
  bool is_going_on;
  int32_t groups;
  uint32_t from, to; // numbers of the accesses of its thread between which it happens
} Hit;

typedef struct Replay {
  Scan *scan;
  const ReplayQuery *query;
  ExprEnv env;
  int64_t grid[3], block[3];
  uint32_t arg_count;
  InterpArg *args;
  uint32_t *global_objects;
  uint32_t first_private;
  uint32_t thread;         // being run
  uint32_t points_passed;  // by it: synchronisation points of the extent
  uint32_t named_passed;   // by it: barriers with a number that are no points
  uint32_t access_count;   // by it
  uint32_t partial_passed; // partial warp barriers that hold both threads
  uint32_t stopped_at;     // instruction at which the last run ended
  bool used_memory;        // contents of memory that the model chose were read
  VEC(Hit) hits;
} Replay;

// ---- values of the model
// -----------------------------------------------------------------------------------------
static bool model_app(void *context, uint32_t func, uint32_t count, const int64_t *args, int64_t *result) {
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

static bool value_of(const Replay *replay, ExprRef ref, int64_t *value) {
  return ref && expr_eval(replay->scan->pool, ref, &replay->env, value) == EXPR_EVAL_OK;
}

static bool triple_of(const Replay *replay, const ExprRef *refs, int64_t *values) {
  for (int axis = 0; axis < 3; axis++)
    if (!value_of(replay, refs[axis], &values[axis])) return false;
  return true;
}

static InterpValue piece_value(const Replay *replay, const ArgPiece *piece) {
  InterpValue value = {.kind = INTERP_UNKNOWN};
  int64_t number = 0;
  if (piece->word && value_of(replay, piece->word, &number))
    return (InterpValue){.kind = INTERP_WORD, .word = number};
  for (uint32_t i = 0; i < piece->target_count; i++) {
    const PointerTarget *target = &piece->targets[i];
    int64_t holds = 1, offset = 0;
    if (target->condition && (!value_of(replay, target->condition, &holds) || !holds)) continue;
    if (!value_of(replay, target->offset, &offset)) return value;
    bool is_null = replay->scan->launch->objects.items[target->object].kind == OBJECT_NULL;
    return (InterpValue){
        .kind = is_null ? INTERP_WORD : INTERP_POINTER, .word = offset, .object = target->object};
  }
  return value;
}

static void make_args(Replay *replay) {
  Scan *scan = replay->scan;
  replay->arg_count = scan->launch->args.count;
  replay->args = arena_array(scan->arena, replay->arg_count + 1, InterpArg);
  for (uint32_t a = 0; a < replay->arg_count; a++) {
    const LaunchArg *arg = &scan->launch->args.items[a];
    InterpPiece *pieces = arena_array(scan->arena, arg->pieces.count + 1, InterpPiece);
    for (uint32_t p = 0; p < arg->pieces.count; p++)
      pieces[p] = (InterpPiece){arg->pieces.items[p].offset, arg->pieces.items[p].bytes,
                                piece_value(replay, &arg->pieces.items[p])};
    replay->args[a] = (InterpArg){arg->pieces.count, pieces};
  }
}

// Objects of the interpreter: launch objects by number, then the module's variables; extern __shared__ names
// are one.
static void number_globals(Replay *replay) {
  Scan *scan = replay->scan;
  uint32_t next = scan->launch->objects.count + 1, dynamic = 0;
  replay->global_objects = arena_array(scan->arena, scan->module->globals.count + 1, uint32_t);
  for (uint32_t g = 0; g < scan->module->globals.count; g++) {
    const IrGlobal *global = &scan->module->globals.items[g];
    if (global->is_dynamic_shared && dynamic) {
      replay->global_objects[g] = dynamic;
      continue;
    }
    replay->global_objects[g] = next++;
    if (global->is_dynamic_shared) dynamic = replay->global_objects[g];
    for (uint32_t o = 1; o < scan->launch->objects.count; o++)
      if (scan->launch->objects.items[o].kind == OBJECT_GLOBAL &&
          strcmp(scan->launch->objects.items[o].name, global->name) == 0)
        replay->global_objects[g] = o;
  }
  replay->first_private = next;
}

// ---- running
// -----------------------------------------------------------------------------------------------------
// Does the access, made between the two halves of a barrier of the extent, go on behind it?
static bool is_behind_arrival(const Replay *replay, const Access *access) {
  const Scan *scan = replay->scan;
  for (uint32_t i = 0; i < scan->carried.count; i++) {
    const Carried *carried = &scan->carried.items[i];
    if (carried->copy == access && carried->arrival &&
        point_orders(scan, &scan->points.items[carried->point], replay->query->extent))
      return true;
  }
  return false;
}

static bool on_access(void *context, const InterpAccess *access) {
  Replay *replay = context;
  Extent extent = replay->query->extent;
  // Partial barriers that hold both threads count; a named barrier may have ordered the two.
  uint32_t interval = replay->points_passed * 4096 +
                      (extent != EXTENT_INTER_BLOCK ? replay->partial_passed + replay->named_passed : 0);
  replay->access_count++;
  if (access->after_opaque) return true; // whatever was called may have synchronised
  for (uint32_t side = 0; side < 2; side++) {
    const Access *wanted = replay->query->accesses[side];
    if (wanted->inst != access->inst || (wanted->kind == ACCESS_READ) == access->is_write) continue;
    for (uint32_t later = 0;
         later < (is_behind_arrival(replay, wanted) ? 2 : 1) && replay->hits.count < HIT_LIMIT; later++)
      vec_push(replay->scan->arena, &replay->hits,
               (Hit){.object = access->object,
                     .offset = access->offset,
                     .bytes = access->bytes,
                     .interval = interval + later * 4096,
                     .thread = replay->thread,
                     .side = side,
                     .is_going_on = wanted->is_async,
                     .groups = -1,
                     .from = replay->access_count,
                     .to = replay->access_count});
  }
  return true;
}

// The copy is done here: it was made in every interval since its issue.
static void finish_copy(Replay *replay, uint32_t index) {
  Hit copy = replay->hits.items[index];
  replay->hits.items[index].is_going_on = copy.is_going_on = false;
  replay->hits.items[index].to = copy.to = replay->access_count;
  uint32_t last = replay->points_passed * 4096 + copy.interval % 4096;
  for (uint32_t i = copy.interval + 4096; i <= last && i <= copy.interval + 64 * 4096; i += 4096) {
    copy.interval = i;
    if (replay->hits.count < HIT_LIMIT) vec_push(replay->scan->arena, &replay->hits, copy);
  }
}

static void on_async(void *context, uint32_t inst, int64_t left) {
  Replay *replay = context;
  bool is_wait = replay->scan->fn->insts.items[inst].op == IR_ASYNCWAIT;
  for (uint32_t i = 0; i < replay->hits.count; i++) {
    Hit *hit = &replay->hits.items[i];
    bool is_of_group = !async_is_of_object(replay->scan, replay->query->accesses[hit->side]);
    if (!hit->is_going_on || hit->thread != replay->thread || !is_of_group) continue;
    if (!is_wait) hit->groups++;
    if (is_wait && hit->groups >= 0 && hit->groups >= left) finish_copy(replay, i);
  }
}

// The copies that belong to a barrier object are done behind its wait, if the thread had arrived behind them.
static void pass_object(Replay *replay, uint32_t inst, bool is_arrival) {
  bool is_pipeline = replay->scan->fn->insts.items[inst].op == IR_PIPELINE;
  uint32_t count = replay->hits.count;
  for (uint32_t i = 0; i < count; i++) {
    Hit *hit = &replay->hits.items[i];
    const Access *copy = replay->query->accesses[hit->side];
    if (!hit->is_going_on || hit->thread != replay->thread ||
        async_is_of_object(replay->scan, copy) == is_pipeline)
      continue;
    if (is_arrival)
      hit->groups = 0;
    else if (hit->groups >= 0)
      finish_copy(replay, i);
  }
}

static void finish_all(Replay *replay) {
  uint32_t count = replay->hits.count;
  for (uint32_t i = 0; i < count; i++)
    if (replay->hits.items[i].is_going_on) finish_copy(replay, i);
}

static bool on_sync(void *context, const InterpSync *sync) {
  Replay *replay = context;
  const Scan *scan = replay->scan;
  bool is_point = false;
  if (arrivals_meet_of(scan, sync->inst)) pass_object(replay, sync->inst, sync->kind == IR_BARRIER_ARRIVAL);
  for (uint32_t p = 1; p < scan->points.count; p++) {
    const Point *point = &scan->points.items[p];
    if (point->inst != sync->inst) continue;
    is_point = true;
    if (point->cover)
      replay->partial_passed += scan->covering >> (point->cover - 1) & 1;
    else
      replay->points_passed += point_orders(scan, point, replay->query->extent);
  }
  replay->named_passed += !is_point && sync->kind == IR_BARRIER_NAMED;
  return true;
}

static bool is_object(const Replay *replay, uint32_t number, uint32_t object) {
  const Obj *info = &replay->scan->objects.items[object];
  if (info->kind == OBJ_LAUNCH) return info->index == number;
  return info->kind == OBJ_GLOBAL && replay->global_objects[info->index] == number;
}

// Memory that the kernel only reads has the contents that the model chose for it.
static bool on_read(void *context, uint32_t object, int64_t offset, uint32_t bytes, InterpValue *value) {
  Replay *replay = context;
  const Scan *scan = replay->scan;
  for (uint32_t i = 0; i + 2 < scan->load_funcs.count; i += 3) {
    if (scan->load_funcs.items[i + 1] != bytes * 8 || !is_object(replay, object, scan->load_funcs.items[i]))
      continue;
    int64_t word = 0;
    if (!model_app(replay->env.context, scan->load_funcs.items[i + 2], 1, &offset, &word)) continue;
    *value = (InterpValue){.kind = INTERP_WORD, .word = word};
    replay->used_memory = true;
    return true;
  }
  return false;
}

static InterpStop run_thread(Replay *replay, const int64_t *block_idx, const int64_t *thread_idx,
                             uint32_t number, bool stops_at_unknown, Arena *scratch) {
  Scan *scan = replay->scan;
  InterpEnd end = {0};
  InterpRequest request = {.module = scan->module,
                           .kernel = scan->fn,
                           .arg_count = replay->arg_count,
                           .args = replay->args,
                           .global_objects = replay->global_objects,
                           .first_private_object = replay->first_private,
                           .step_limit = STEP_LIMIT,
                           .read = on_read,
                           .access = on_access,
                           .sync = on_sync,
                           .async = on_async,
                           .context = replay,
                           .end = &end,
                           .passes_unknown_accesses = !stops_at_unknown,
                           // What the model chose for memory and floats need not fit together; asked whether
                           // the thread depends on them, nothing of it is known.
                           .floats_are_unknown = stops_at_unknown};
  if (stops_at_unknown) request.read = NULL;
  for (int axis = 0; axis < 3; axis++) {
    request.thread.grid_dim[axis] = replay->grid[axis];
    request.thread.block_dim[axis] = replay->block[axis];
    request.thread.block_idx[axis] = block_idx[axis];
    request.thread.thread_idx[axis] = thread_idx[axis];
  }
  replay->thread = number;
  replay->named_passed = replay->partial_passed = replay->points_passed = replay->access_count = 0;
  InterpStop stop = interp_run(&request, scratch);
  replay->stopped_at = end.inst;
  finish_all(replay);
  return stop;
}

// One thread, whose own copy still goes on when it makes the other access.
static bool meets_itself(const Hit *a, const Hit *b) {
  return a->from < b->from && b->from <= a->to && a->object == b->object &&
         a->offset < b->offset + b->bytes && b->offset < a->offset + a->bytes;
}

static bool overlaps(const Hit *a, const Hit *b) {
  return a->object == b->object && a->interval == b->interval && a->offset < b->offset + b->bytes &&
         b->offset < a->offset + a->bytes;
}

static void set_address(Witness *witness, const Hit *a, const Hit *b) {
  witness->offset = a->offset > b->offset ? a->offset : b->offset;
}

// Does control or an address of one of the two threads depend on contents of memory that nobody knows?
static bool replay_needs_memory(Replay *replay, const Witness *witness) {
  bool needs = false;
  Arena *scratch = arena_open();
  for (uint32_t t = 0; t < 2; t++) {
    InterpStop stop =
        run_thread(replay, witness->threads[t].block_idx, witness->threads[t].thread_idx, t, true, scratch);
    needs |= stop == INTERP_NEEDS_MEMORY || stop == INTERP_UNSUPPORTED;
  }
  arena_close(scratch);
  return needs;
}

static void dump_replay(const Replay *replay, const InterpStop *stops) {
  StrBuf *out = replay->scan->request->options.dump_goals;
  if (!out) return;
  static const char *const names[] = {"done", "needs memory", "unsupported", "step limit", "undefined"};
  strbuf_printf(out, "  replay: first thread %s, second thread %s\n", names[stops[0]], names[stops[1]]);
  for (uint32_t i = 0; i < replay->hits.count && i < 16; i++) {
    const Hit *hit = &replay->hits.items[i];
    strbuf_printf(out, "    thread %u access %u: object %u byte %lld, interval %u\n", hit->thread, hit->side,
                  hit->object, (long long)hit->offset, hit->interval);
  }
}

static ReplayResult run_model_threads(Replay *replay, Witness *witness) {
  InterpStop stops[2];
  Arena *scratch = arena_open();
  for (uint32_t t = 0; t < 2; t++) {
    stops[t] =
        run_thread(replay, witness->threads[t].block_idx, witness->threads[t].thread_idx, t, false, scratch);
    uint32_t *undefined_at = replay->query->undefined_at;
    if (undefined_at) undefined_at[t] = stops[t] == INTERP_UNDEFINED ? replay->stopped_at : CFG_NONE;
  }
  arena_close(scratch);
  dump_replay(replay, stops);
  // Thread 0 makes access 0, thread 1 makes access 1; for one access both sides are recorded for both
  // threads.
  for (uint32_t i = 0; i < replay->hits.count; i++)
    for (uint32_t j = 0; j < replay->hits.count; j++) {
      const Hit *a = &replay->hits.items[i], *b = &replay->hits.items[j];
      bool is_own = replay->query->extent == EXTENT_COUNT && a->thread == b->thread;
      if (a->side != 0 || b->side != 1 || (is_own ? !meets_itself(a, b) : !overlaps(a, b))) continue;
      if (!is_own && (a->thread != 0 || b->thread != 1)) continue;
      set_address(witness, a, b);
      return REPLAY_CONFIRMED;
    }
  if (stops[0] == INTERP_STEP_LIMIT || stops[1] == INTERP_STEP_LIMIT) return REPLAY_IMPOSSIBLE;
  return replay_needs_memory(replay, witness) ? REPLAY_NEEDS_MEMORY : REPLAY_DIFFERS;
}

// ---- search in one launch
// ----------------------------------------------------------------------------------------
static int compare_hits(const void *x, const void *y) {
  const Hit *a = x, *b = y;
  if (a->object != b->object) return a->object < b->object ? -1 : 1;
  if (a->interval != b->interval) return a->interval < b->interval ? -1 : 1;
  if (a->offset != b->offset) return a->offset < b->offset ? -1 : 1;
  if (a->side != b->side) return a->side < b->side ? -1 : 1;
  return a->thread < b->thread ? -1 : a->thread > b->thread;
}

typedef struct RunThread {
  int64_t block_idx[3], thread_idx[3];
  int64_t linear;
} RunThread;

static bool extent_holds(const Replay *replay, const RunThread *a, const RunThread *b) {
  bool same_block = memcmp(a->block_idx, b->block_idx, sizeof a->block_idx) == 0;
  if (replay->query->extent == EXTENT_INTER_BLOCK) return !same_block;
  if (!same_block || a->linear == b->linear) return false;
  bool same_warp = a->linear / 32 == b->linear / 32;
  return same_warp == (replay->query->extent == EXTENT_INTRA_WARP);
}

static void fill_thread(WitnessThread *out, const RunThread *thread) {
  memcpy(out->block_idx, thread->block_idx, sizeof out->block_idx);
  memcpy(out->thread_idx, thread->thread_idx, sizeof out->thread_idx);
  out->warp = thread->linear / 32;
  out->lane = thread->linear % 32;
}

static bool search_collision(Replay *replay, const RunThread *threads, Witness *witness) {
  if (!replay->hits.count) return false;
  qsort(replay->hits.items, replay->hits.count, sizeof(Hit), compare_hits);
  for (uint32_t i = 0; i < replay->hits.count; i++) {
    const Hit *a = &replay->hits.items[i];
    for (uint32_t j = i + 1; j < replay->hits.count && j < i + 256; j++) {
      const Hit *b = &replay->hits.items[j];
      if (a->object != b->object || a->interval != b->interval || b->offset >= a->offset + a->bytes) break;
      if (a->side == b->side || !extent_holds(replay, &threads[a->thread], &threads[b->thread])) continue;
      const Hit *first = a->side == 0 ? a : b, *second = a->side == 0 ? b : a;
      fill_thread(&witness->threads[0], &threads[first->thread]);
      fill_thread(&witness->threads[1], &threads[second->thread]);
      set_address(witness, a, b);
      return true;
    }
  }
  return false;
}

static bool search_launch(Replay *replay, Witness *witness) {
  int64_t per_block = replay->block[0] * replay->block[1] * replay->block[2];
  int64_t blocks = replay->grid[0] * replay->grid[1] * replay->grid[2];
  if (per_block <= 0 || blocks <= 0 || per_block > 1024) return false;
  int64_t run_blocks = SEARCH_THREADS / per_block;
  if (run_blocks > blocks) run_blocks = blocks;
  RunThread *threads = arena_array(replay->scan->arena, (size_t)(run_blocks * per_block) + 1, RunThread);
  replay->hits.count = 0;
  Arena *scratch = arena_open();
  uint32_t count = 0;
  for (int64_t b = 0; b < run_blocks; b++) {
    for (int64_t t = 0; t < per_block; t++) {
      RunThread *thread = &threads[count];
      *thread = (RunThread){
          {b % replay->grid[0], b / replay->grid[0] % replay->grid[1], b / replay->grid[0] / replay->grid[1]},
          {t % replay->block[0], t / replay->block[0] % replay->block[1],
           t / replay->block[0] / replay->block[1]},
          t};
      InterpStop stop = run_thread(replay, thread->block_idx, thread->thread_idx, count, false, scratch);
      (void)stop; // what a thread did before it stopped has happened
      count++;
    }
  }
  arena_close(scratch);
  return search_collision(replay, threads, witness);
}

// ---- the witness
// -------------------------------------------------------------------------------------------------
static void add_value(Scan *scan, Witness *witness, const ExprSym *sym, int64_t value) {
  WitnessValue entry = {sym->name, value, sym->loc};
  if (sym->kind == SYM_HOST_VALUE) vec_push(scan->arena, &witness->values, entry);
  if (sym->kind == SYM_ITERATION && sym->owner != OWNER_THREAD2)
    vec_push(scan->arena, &witness->iterations[0], entry);
  if (sym->kind == SYM_ITERATION && sym->owner != OWNER_THREAD1)
    vec_push(scan->arena, &witness->iterations[1], entry);
  if (sym->kind == SYM_MEMORY) vec_push(scan->arena, &witness->memory, entry);
}

static void add_function_values(Scan *scan, const SolverAnswer *answer, const uint8_t *occurs,
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

// The numbers that the kernel is given, by the names of its parameters: what a reader of the kernel knows.
static bool add_arguments(Replay *replay, Witness *witness) {
  Scan *scan = replay->scan;
  for (uint32_t a = 0; a < scan->launch->args.count && a < scan->fn->params.count; a++) {
    const LaunchArg *arg = &scan->launch->args.items[a];
    const IrParam *param = &scan->fn->params.items[a];
    int64_t value = 0;
    if (arg->pieces.count != 1 || param->type.kind != IR_INT ||
        !value_of(replay, arg->pieces.items[0].word, &value))
      continue;
    WitnessValue entry = {param->name, value, *ir_loc(scan->module, scan->fn->loc)};
    vec_push(scan->arena, &witness->values, entry);
  }
  return witness->values.count > 0;
}

void witness_from_model(Scan *scan, const ReplayQuery *query, Witness *witness) {
  Replay replay = {.scan = scan, .query = query};
  replay.env = (ExprEnv){query->answer->sym_values, query->answer->sym_count, model_app,
                         (void *)(uintptr_t)query->answer};
  *witness = (Witness){0};
  triple_of(&replay, scan->launch->grid, witness->grid_dim);
  triple_of(&replay, scan->launch->block, witness->block_dim);
  for (int t = 0; t < 2; t++) {
    WitnessThread *thread = &witness->threads[t];
    triple_of(&replay, query->views[t]->block_idx, thread->block_idx);
    triple_of(&replay, query->views[t]->thread_idx, thread->thread_idx);
    value_of(&replay, query->views[t]->warp, &thread->warp);
    value_of(&replay, query->views[t]->lane, &thread->lane);
  }
  int64_t offsets[2] = {0, 0};
  if (value_of(&replay, query->offsets[0], &offsets[0]) && value_of(&replay, query->offsets[1], &offsets[1]))
    witness->offset = offsets[0] > offsets[1] ? offsets[0] : offsets[1];
  bool has_arguments = add_arguments(&replay, witness);
  const uint8_t *occurs = goal_occurrences(scan, query->goal);
  uint32_t count = expr_count(scan->pool);
  for (ExprRef ref = 1; ref <= count; ref++) {
    const ExprNode *node = expr_node(scan->pool, ref);
    if (node->op != EXPR_SYM || !occurs[ref] || (uint64_t)node->value >= query->answer->sym_count) continue;
    const ExprSym *sym = expr_sym_info(scan->pool, (uint32_t)node->value);
    // Results of calls have no name worth showing beside the arguments that they become.
    if (has_arguments && sym->kind == SYM_HOST_VALUE && strchr(sym->name, '(')) continue;
    add_value(scan, witness, sym, query->answer->sym_values[node->value]);
  }
  add_function_values(scan, query->answer, occurs, witness);
}

ReplayResult replay_check(Scan *scan, const ReplayQuery *query, Witness *witness) {
  witness_from_model(scan, query, witness);
  Replay replay = {.scan = scan, .query = query};
  replay.env = (ExprEnv){query->answer->sym_values, query->answer->sym_count, model_app,
                         (void *)(uintptr_t)query->answer};
  if (!triple_of(&replay, scan->launch->grid, replay.grid) ||
      !triple_of(&replay, scan->launch->block, replay.block))
    return REPLAY_IMPOSSIBLE;
  make_args(&replay);
  number_globals(&replay);
  ReplayResult result = run_model_threads(&replay, witness);
  bool may_search = query->extent != EXTENT_COUNT && !scan->covers.count;
  if ((result == REPLAY_DIFFERS || result == REPLAY_NEEDS_MEMORY) && may_search) {
    replay.used_memory = false;
    if (search_launch(&replay, witness)) {
      for (int t = 0; t < 2; t++)
        witness->iterations[t].count = 0; // they spoke of the model's threads
      witness->memory.count = 0;
      result = REPLAY_CONFIRMED;
    }
  }
  witness->is_replayed = result == REPLAY_CONFIRMED;
  // What leans on chosen contents of memory is possible, not definite.
  return result == REPLAY_CONFIRMED && replay.used_memory ? REPLAY_NEEDS_MEMORY : result;
}
