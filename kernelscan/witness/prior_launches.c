// What has an array been left with by the kernels that the program has launched before this one? Method: they
// are run (core/team.h) on the numbers that the model gives the host, as far back as somebody asks: a byte
// holds what the last launch before wrote there, else what the one before that wrote, else what the host code
// says, else a chosen number, the same one for all who read it. A launch that the model's numbers do not lead
// to is none. Variables of the device are known by their names. Of a launch with many threads only those
// blocks are run that write what is asked for; where they write tells the first two blocks. The order is that
// of the program, each loop in its first round; if that is asked for, the last launch is in its second one.
// Soundness: nothing is proved from it; a run on chosen inputs is one of those that can be. What is not
// followed (a library, a block that ends at something unknown, a launch too large whose blocks add to common
// counters) makes what is known of them incomplete, and the caller is told.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/facts.h"
#include "kernelscan/memory.h"
#include "kernelscan/witness/prior_launches.h"

#include "core/table.h"
#include "core/team.h"

enum {
  LAUNCH_LIMIT = 8,
  WHOLE_GRID = 4096,
  WHOLE_CHAIN = 65536,
  TEAM_LIMIT = 1024,
  BLOCK_STEPS = 1000000,
  OWN_GLOBAL = 1 << 30
};

// ---- bytes
typedef enum ByteState { BYTE_KNOWN = 1, BYTE_UNKNOWN } ByteState;

typedef struct Byte {
  uint32_t leaf; // address of the object on the host; or a variable of the module
  uint8_t state, value;
  int64_t offset;
} Byte;

typedef struct Bytes {
  Table table;
  VEC(Byte) items;
} Bytes;

static uint32_t hash_of(uint32_t leaf, int64_t offset) {
  int64_t key[2] = {leaf, offset};
  return (uint32_t)str_hash(key, sizeof key, 0);
}

static Byte *byte_at(const Bytes *bytes, uint32_t leaf, int64_t offset) {
  uint32_t number = 0;
  for (TableLook look = table_look(&bytes->table, hash_of(leaf, offset));
       (number = table_next(&look)) != 0;) {
    Byte *byte = &bytes->items.items[number - 1];
    if (byte->leaf == leaf && byte->offset == offset) return byte;
  }
  return NULL;
}

static void byte_put(Arena *arena, Bytes *bytes, Byte byte) {
  Byte *place = byte_at(bytes, byte.leaf, byte.offset);
  if (place) {
    *place = byte;
    return;
  }
  vec_push(arena, &bytes->items, byte);
  table_add(arena, &bytes->table, hash_of(byte.leaf, byte.offset), bytes->items.count);
}

// ---- launches
// What a number of the interpreter stands for under a launch.
typedef struct Place {
  uint32_t leaf, object; // object of the launch; 0: a variable that the host does not name
  const IrGlobal *variable;
  const LaunchWriters *writers;
} Place;

typedef struct Begin { // of the bytes of one object that a block writes
  uint32_t leaf;
  int64_t block, least;
} Begin;

typedef struct PriorLaunch {
  PriorLaunches *prior;
  const LaunchContext *context;
  const IrFunction *fn;
  ReplayLaunch numbers;
  Bytes written;
  Map blocks; // that were run, by linear number
  VEC(Begin) begins;
  bool is_absent; // the program does not come there
  bool is_whole, is_incomplete, is_running;
  int64_t running; // block
} PriorLaunch;

struct PriorLaunches {
  PriorRequest request;
  Arena *arena;
  VEC(PriorLaunch *) launches;
  Bytes initial;
  uint64_t steps, random;
  bool is_incomplete;
};

static const LaunchContent *content_of(const LaunchContext *context, uint32_t object, uint32_t bytes) {
  for (uint32_t i = 0; i < context->contents.count; i++) {
    const LaunchContent *content = &context->contents.items[i];
    if (content->object == object && object && (!bytes || content->bytes == bytes)) return content;
  }
  return NULL;
}

static bool has_earlier_launch(const LaunchWriters *writers) {
  bool is_written = false;
  for (uint32_t w = 0; writers && w < writers->count; w++)
    is_written |= writers->items[w].is_earlier && writers->items[w].launch;
  return is_written;
}

// What a kernel before has counted or computed in ways that are not followed, the host code does not say.
static bool is_said(const LaunchContent *content) {
  return content && !content->is_counted && !content->is_computed;
}

// Likewise, of one place: what was counted may have been set to a number since.
static bool is_said_at(const Scan *scan, const LaunchContent *content, int64_t offset) {
  if (!content || is_said(content)) return content;
  ExprRef value = initial_contents_at(scan, content, content->value, expr_const(scan->pool, 64, offset));
  return expr_is_const(scan->pool, value, NULL);
}

static bool has_earlier_kernel(const LaunchContext *context, uint32_t object) {
  return !is_said(content_of(context, object, 0)) &&
         has_earlier_launch(&context->objects.items[object].writers);
}

bool prior_exists(const Scan *scan) {
  for (uint32_t i = 1; i < scan->launch->objects.count; i++)
    if (has_earlier_kernel(scan->launch, i)) return true;
  return false;
}

typedef struct LaunchList {
  VEC(const LaunchContext *) items;
} LaunchList;

static void list_before(Arena *arena, const LaunchContext *context, LaunchList *list) {
  for (uint32_t i = 1; i < context->objects.count; i++)
    for (uint32_t w = 0; w < context->objects.items[i].writers.count; w++) {
      const LaunchWriter *writer = &context->objects.items[i].writers.items[w];
      bool is_new = writer->launch && writer->is_earlier && list->items.count < LAUNCH_LIMIT;
      for (uint32_t k = 0; k < list->items.count; k++)
        is_new &= list->items.items[k] != writer->launch;
      if (is_new) vec_push(arena, &list->items, writer->launch);
    }
}

void prior_add_facts(Scan *scan, Goal *goal) {
  LaunchList list = {0};
  list_before(scan->arena, scan->launch, &list);
  for (uint32_t l = 0; l < list.items.count; l++) {
    list_before(scan->arena, list.items.items[l], &list);
    for (uint32_t f = 0; f < list.items.items[l]->facts.count; f++)
      goal_add(scan, goal, list.items.items[l]->facts.items[f].condition, GOAL_CONTEXT, 0);
  }
}

static int64_t thread_count(const int64_t *dim) {
  for (int axis = 0; axis < 3; axis++)
    if (dim[axis] <= 0 || dim[axis] > 1 << 20) return INT64_MAX / 4;
  return dim[0] * dim[1] * dim[2];
}

static bool has_threads(const ReplayLaunch *numbers) {
  for (int axis = 0; axis < 3; axis++)
    if (numbers->grid[axis] <= 0 || numbers->block[axis] <= 0) return false;
  return true;
}

// Does the program come to that launch on the model's numbers? It may stand in the other branch, or ask for
// no threads, which is an error and starts nothing. What cannot be told is taken to hold.
static bool takes_place(const Scan *scan, const ReplayLaunch *numbers) {
  const LaunchContext *context = numbers->context;
  for (uint32_t i = 0; i < context->facts.count; i++) {
    int64_t holds = 1;
    if (expr_eval(scan->pool, context->facts.items[i].condition, &numbers->env, &holds) == EXPR_EVAL_OK &&
        !holds)
      return false;
  }
  return has_threads(numbers);
}

static bool is_in_shared(const IrModule *module, const IrFunction *fn, IrRef address) {
  while (ir_ref_kind(address) == IR_REF_INST) {
    const IrInst *inst = &fn->insts.items[ir_ref_index(address)];
    if (inst->op != IR_PTRADD) return false;
    address = inst->ops[0];
  }
  return ir_ref_kind(address) == IR_REF_GLOBAL &&
         module->globals.items[ir_ref_index(address)].space == IR_SPACE_SHARED;
}

// Operations on common counters: what one block gets hangs on all others.
static bool has_common_counters(const IrModule *module, const IrFunction *fn) {
  for (uint32_t i = 0; i < fn->insts.count; i++) {
    const IrInst *inst = &fn->insts.items[i];
    bool is_atomic = ir_inst_is(inst, IR_ATOMIC);
    if (is_atomic && !is_in_shared(module, fn, inst->ops[0])) return true;
  }
  return false;
}

static bool is_in_chain(const PriorRequest *request, const LaunchContext *context) {
  for (uint32_t i = 0; i < request->chain_count; i++)
    if (request->chain[i] == context) return true;
  return false;
}

// NULL: it cannot be run.
static PriorLaunch *launch_of(PriorLaunches *prior, const LaunchContext *context) {
  for (uint32_t i = 0; i < prior->launches.count; i++)
    if (prior->launches.items[i]->context == context)
      return prior->launches.items[i]->is_running ? NULL : prior->launches.items[i];
  Scan *scan = prior->request.scan;
  PriorLaunch *launch = arena_new(prior->arena, PriorLaunch);
  *launch = (PriorLaunch){.prior = prior, .context = context};
  launch->fn = ir_find_function(scan->module, context->kernel);
  if (!launch->fn || prior->launches.count >= LAUNCH_LIMIT ||
      !replay_make_other(scan, context, prior->request.answer, &launch->numbers))
    return NULL;
  bool is_sure = is_in_chain(&prior->request, context);
  if (is_sure && !has_threads(&launch->numbers)) return NULL;
  launch->is_absent = !is_sure && !takes_place(scan, &launch->numbers);
  if (prior->request.is_small) replay_make_small(&launch->numbers);
  int64_t blocks = thread_count(launch->numbers.grid), threads = thread_count(launch->numbers.block);
  int64_t whole = is_sure ? WHOLE_CHAIN : WHOLE_GRID;
  launch->is_whole = blocks <= whole && blocks * threads <= whole;
  bool is_large =
      threads > TEAM_LIMIT || (!launch->is_whole && has_common_counters(scan->module, launch->fn));
  if (is_large && !launch->is_absent) return NULL;
  vec_push(prior->arena, &prior->launches, launch);
  return launch;
}

// ---- what numbers of the interpreter stand for
static const LaunchWriters *writers_of_variable(const LaunchContext *context, const char *name) {
  for (uint32_t i = 0; i < context->variables.count; i++)
    if (strcmp(context->variables.items[i].name, name) == 0) return &context->variables.items[i].writers;
  return NULL;
}

// The variable that an object of the interpreter is; its index + 1, 0: none.
static uint32_t variable_at(const ReplayLaunch *launch, uint32_t number) {
  const IrModule *module = launch->scan->module;
  for (uint32_t g = 0; g < module->globals.count; g++)
    if (launch->global_objects[g] == number && module->globals.items[g].space != IR_SPACE_SHARED)
      return g + 1;
  return 0;
}

static Place place_at(const ReplayLaunch *launch, uint32_t number) {
  const LaunchContext *context = launch->context;
  uint32_t variable = variable_at(launch, number);
  Place place = {.object = number < context->objects.count ? number : 0};
  if (variable) {
    place.leaf = OWN_GLOBAL + variable - 1;
    place.variable = &launch->scan->module->globals.items[variable - 1];
    place.writers = writers_of_variable(context, place.variable->name);
  } else if (place.object) {
    place.leaf = context->objects.items[number].leaf;
    place.writers = &context->objects.items[number].writers;
  } else
    place.leaf = OWN_GLOBAL + launch->scan->module->globals.count + number; // of a block, or of the launch
  return place;
}

// ---- what is chosen
// Of a kind for each array: bits, small numbers, ascending ones with repetitions, zero, any.
static int64_t choose(PriorLaunches *prior, uint32_t leaf, int64_t index) {
  uint64_t key[2] = {leaf, (uint64_t)index};
  uint64_t random = str_hash(key, sizeof key, prior->request.seed + 1);
  // Each kind has its turn in five runs, in steps of each array's own, so that any kinds come together.
  uint64_t own = str_hash(&leaf, sizeof leaf, 2);
  uint64_t kind = (own + prior->request.seed * (1 + own / 8 % 4)) % 5;
  if (kind == 0) return (int64_t)(random >> 20 & 1);
  if (kind == 1) return (int64_t)(random >> 20) % (prior->request.seed % 2 ? 128 : 8);
  if (kind == 2) return index / 2;
  if (kind == 3) return 0;
  return (int64_t)random;
}

static bool has_counting(const LaunchContext *context, uint32_t leaf) {
  for (uint32_t i = 1; i < context->objects.count; i++) {
    const LaunchObject *info = &context->objects.items[i];
    for (uint32_t w = 0; info->leaf == leaf && w < info->writers.count; w++)
      if (info->writers.items[w].launch && !info->writers.items[w].stores) return true;
  }
  return false;
}

// Counters of which the host code says nothing begin at zero (A11).
static bool is_counter(const PriorLaunches *prior, uint32_t leaf) {
  bool is_counted = has_counting(prior->request.scan->launch, leaf);
  for (uint32_t i = 0; i < prior->launches.count && !is_counted; i++)
    is_counted = has_counting(prior->launches.items[i]->context, leaf);
  return is_counted;
}

// What the model says of memory that the last launch reads, or a chosen number.
static int64_t initial_word(PriorLaunches *prior, uint32_t leaf, int64_t offset, uint32_t bytes) {
  const LaunchContext *last = prior->request.scan->launch;
  for (uint32_t i = 1; i < last->objects.count; i++) {
    InterpValue value = {0};
    if (last->objects.items[i].leaf == leaf && !has_earlier_kernel(last, i) &&
        replay_initial(prior->request.launch, i, offset, bytes, &value))
      return value.word;
  }
  return is_counter(prior, leaf) ? 0 : choose(prior, leaf, offset / bytes);
}

// A variable holds its initial data, and zeros where there are none.
static bool read_initial_data(const IrGlobal *variable, int64_t at, uint8_t *value) {
  bool is_inside = at >= 0 && (uint64_t)at < variable->bytes;
  *value = variable->data && is_inside ? variable->data[at] : 0;
  for (uint32_t i = 0; i < variable->addresses.count; i++)
    is_inside &=
        at < (int64_t)variable->addresses.items[i].at || at >= (int64_t)variable->addresses.items[i].at + 8;
  return is_inside;
}

static bool is_taken(const PriorLaunches *prior, uint32_t leaf) {
  const PriorRequest *request = &prior->request;
  return request->taken_number && place_at(request->launch, request->taken_number).leaf == leaf;
}

static bool read_initial(PriorLaunches *prior, const Place *place, int64_t offset, uint32_t bytes,
                         uint32_t at, uint8_t *value) {
  uint32_t leaf = place->leaf;
  if (is_taken(prior, leaf)) {
    *value = (uint8_t)((uint64_t)prior->request.taken >> 8 * ((offset + at) % prior->request.taken_bytes));
    return true;
  }
  if (place->variable) return read_initial_data(place->variable, offset + at, value);
  const Byte *byte = byte_at(&prior->initial, leaf, offset + at);
  if (!byte) {
    uint64_t word = (uint64_t)initial_word(prior, leaf, offset, bytes);
    for (uint32_t i = 0; i < bytes; i++)
      if (!byte_at(&prior->initial, leaf, offset + i))
        byte_put(prior->arena, &prior->initial,
                 (Byte){leaf, BYTE_KNOWN, (uint8_t)(word >> 8 * i), offset + i});
    byte = byte_at(&prior->initial, leaf, offset + at);
  }
  *value = byte->value;
  return true;
}

// ---- running
static bool read_before(PriorLaunches *prior, const ReplayLaunch *launch, uint32_t number, int64_t offset,
                        uint32_t bytes, int64_t *word);

static bool read_written(const PriorLaunch *launch, uint32_t leaf, int64_t offset, uint32_t bytes,
                         int64_t *word) {
  uint64_t found = 0;
  for (uint32_t i = 0; i < bytes; i++) {
    const Byte *byte = byte_at(&launch->written, leaf, offset + i);
    if (!byte || byte->state != BYTE_KNOWN) return false;
    found |= (uint64_t)byte->value << 8 * i;
  }
  *word = bytes < 8 ? (int64_t)(found << (64 - 8 * bytes)) >> (64 - 8 * bytes) : (int64_t)found;
  return true;
}

static bool on_read(void *context, uint32_t object, int64_t offset, uint32_t bytes, InterpValue *value) {
  PriorLaunch *launch = context;
  int64_t word = 0;
  if (bytes > 8 || (object >= launch->context->objects.count && !variable_at(&launch->numbers, object)))
    return false;
  if (!read_written(launch, place_at(&launch->numbers, object).leaf, offset, bytes, &word) &&
      !read_before(launch->prior, &launch->numbers, object, offset, bytes, &word))
    return false;
  *value = (InterpValue){.kind = INTERP_WORD, .word = word};
  return true;
}

// Those of one block stand together: each is run once.
static void note_begin(PriorLaunch *launch, uint32_t leaf, int64_t offset) {
  for (uint32_t i = launch->begins.count; i-- > 0 && launch->begins.items[i].block == launch->running;) {
    Begin *begin = &launch->begins.items[i];
    if (begin->leaf != leaf) continue;
    if (offset < begin->least) begin->least = offset;
    return;
  }
  vec_push(launch->prior->arena, &launch->begins, ((Begin){leaf, launch->running, offset}));
}

static void on_write(void *context, uint32_t object, int64_t offset, uint32_t bytes, const uint8_t *data) {
  PriorLaunch *launch = context;
  uint32_t leaf = place_at(&launch->numbers, object).leaf;
  if (!leaf) return;
  note_begin(launch, leaf, offset);
  for (uint32_t i = 0; i < bytes; i++)
    byte_put(launch->prior->arena, &launch->written,
             (Byte){leaf, data ? BYTE_KNOWN : BYTE_UNKNOWN, data ? data[i] : 0, offset + i});
}

static void on_race(void *context, const TeamRace *race) { // of another kernel, which is asked for elsewhere
  (void)context;
  (void)race;
}

static void place_block(const PriorLaunch *launch, int64_t number, InterpThread *threads) {
  const int64_t *grid = launch->numbers.grid, *block = launch->numbers.block;
  int64_t count = thread_count(block);
  for (int64_t t = 0; t < count; t++) {
    InterpThread *thread = &threads[t];
    *thread = (InterpThread){
        .block_idx = {number % grid[0], number / grid[0] % grid[1], number / grid[0] / grid[1]},
        .thread_idx = {t % block[0], t / block[0] % block[1], t / block[0] / block[1]}};
    memcpy(thread->grid_dim, grid, sizeof thread->grid_dim);
    memcpy(thread->block_dim, block, sizeof thread->block_dim);
    memcpy(thread->cluster_dim, launch->numbers.cluster, sizeof thread->cluster_dim);
  }
}

// Blocks [first, first + count) together.
static void run_blocks(PriorLaunch *launch, int64_t first, int64_t count) {
  PriorLaunches *prior = launch->prior;
  Arena *scratch = arena_open();
  int64_t size = thread_count(launch->numbers.block);
  InterpThread *threads = arena_array(scratch, size * count + 1, InterpThread);
  for (int64_t b = 0; b < count; b++)
    place_block(launch, first + b, threads + b * size);
  TeamRequest request = {.base = {.module = prior->request.scan->module,
                                  .kernel = launch->fn,
                                  .arg_count = launch->numbers.arg_count,
                                  .args = launch->numbers.args,
                                  .global_objects = launch->numbers.global_objects,
                                  .first_private_object = launch->numbers.first_private,
                                  .read = on_read,
                                  .chooses_any = true,
                                  .context = launch},
                         .thread_count = (uint32_t)(size * count),
                         .threads = threads,
                         .is_whole_grid = count == thread_count(launch->numbers.grid),
                         .rules = *memory_rules(MEMORY_MODEL_CUDA),
                         .in_step = true,
                         .step_limit = BLOCK_STEPS,
                         .race = on_race,
                         .wrote = on_write,
                         .context = launch,
                         .left_standing = &launch->is_incomplete};
  launch->running = first;
  launch->is_running = true;
  prior->steps += team_run(&request, scratch);
  launch->is_running = false;
  arena_close(scratch);
}

// False: there are no steps left to run another one.
static bool run_block(PriorLaunch *launch, int64_t number) {
  if (map_get(&launch->blocks, (uint64_t)number)) return true;
  map_set(launch->prior->arena, &launch->blocks, (uint64_t)number, 1);
  if (launch->prior->steps < launch->prior->request.step_limit) {
    run_blocks(launch, number, 1);
    return true;
  }
  launch->is_incomplete = true;
  return false;
}

static void run_whole(PriorLaunch *launch) {
  int64_t blocks = thread_count(launch->numbers.grid);
  if (launch->blocks.entries.count) return;
  if (blocks * thread_count(launch->numbers.block) <= TEAM_LIMIT) {
    map_set(launch->prior->arena, &launch->blocks, 0, 1);
    run_blocks(launch, 0, blocks);
    return;
  }
  for (int64_t b = 0; b < blocks && run_block(launch, b);)
    b++;
}

static const Begin *begin_of(const PriorLaunch *launch, uint32_t leaf, int64_t block) {
  for (uint32_t i = 0; i < launch->begins.count; i++)
    if (launch->begins.items[i].leaf == leaf && launch->begins.items[i].block == block)
      return &launch->begins.items[i];
  return NULL;
}

// The block that writes there, if blocks write as far from each other as the first two do.
static void run_where(PriorLaunch *launch, uint32_t leaf, int64_t offset) {
  run_block(launch, 0);
  run_block(launch, 1);
  const Begin *first = begin_of(launch, leaf, 0), *second = begin_of(launch, leaf, 1);
  if (!first || !second || second->least <= first->least || offset < first->least) return;
  int64_t block = (offset - first->least) / (second->least - first->least);
  if (block < thread_count(launch->numbers.grid)) run_block(launch, block);
}

typedef enum Answer { NOT_WRITTEN, WRITTEN, CANNOT_TELL } Answer;

static Answer read_after(PriorLaunch *launch, uint32_t leaf, int64_t offset, uint8_t *value) {
  if (launch->is_absent) return NOT_WRITTEN;
  const Byte *byte = byte_at(&launch->written, leaf, offset);
  if (!byte) {
    if (launch->is_whole)
      run_whole(launch);
    else
      run_where(launch, leaf, offset);
    byte = byte_at(&launch->written, leaf, offset);
  }
  if (byte && byte->state == BYTE_KNOWN) {
    *value = byte->value;
    return WRITTEN;
  }
  return byte || launch->is_incomplete || !launch->is_whole ? CANNOT_TELL : NOT_WRITTEN;
}

// Of the last launch only what the model's numbers make of it: there, what nobody says is chosen by who asks.
static bool said_at(const PriorLaunches *prior, const ReplayLaunch *launch, const LaunchContent *content,
                    int64_t offset, int64_t *word) {
  const PriorRequest *request = &prior->request;
  if (request->host_says && launch != request->launch)
    return request->host_says(request->context, content, offset, word);
  return replay_content(request->launch, content, offset, word);
}

// What the host code says that the object held when a launch before began, which has not written there.
static bool read_said(PriorLaunches *prior, const PriorLaunch *launch, uint32_t leaf, int64_t offset,
                      uint32_t bytes, uint32_t at, uint8_t *value) {
  int64_t word = 0;
  for (uint32_t i = 1; i < launch->context->objects.count; i++) {
    const LaunchContent *content =
        place_at(&launch->numbers, i).leaf == leaf ? content_of(launch->context, i, bytes) : NULL;
    if (!content || !said_at(prior, &launch->numbers, content, offset, &word)) continue;
    *value = (uint8_t)((uint64_t)word >> 8 * at);
    return true;
  }
  return false;
}

// Those that come before a launch, the nearest last: in the rounds before, and then in the same round.
typedef enum When { BEFORE_LOOP, IN_ROUND_BEFORE, IN_SAME_ROUND, WHEN_COUNT } When;

static When when_of(const LaunchWriter *writer) {
  return !writer->is_earlier ? IN_ROUND_BEFORE : writer->in_round ? IN_SAME_ROUND : BEFORE_LOOP;
}

typedef enum Told { TOLD_NOT, TOLD_BYTE, TOLD_UNKNOWN } Told;

typedef struct Wanted { // the byte `at` of a word of so many bytes
  const Place *place;
  int64_t offset;
  uint32_t bytes, at;
} Wanted;

static Told ask_writers(PriorLaunches *prior, const Wanted *wanted, When when, uint8_t *value) {
  const LaunchWriters *writers = wanted->place->writers;
  for (uint32_t w = writers ? writers->count : 0; w-- > 0;) {
    if (when_of(&writers->items[w]) != when) continue;
    const LaunchContext *writer = writers->items[w].launch;
    PriorLaunch *launch = writer ? launch_of(prior, writer) : NULL;
    uint32_t leaf = wanted->place->leaf;
    Answer answer = launch ? read_after(launch, leaf, wanted->offset + wanted->at, value) : CANNOT_TELL;
    if (answer != NOT_WRITTEN) return answer == WRITTEN ? TOLD_BYTE : TOLD_UNKNOWN;
    if (read_said(prior, launch, leaf, wanted->offset, wanted->bytes, wanted->at, value)) return TOLD_BYTE;
  }
  return TOLD_NOT;
}

// The launches in front of it in the chain; all of them, before the last launch.
static uint32_t place_in_chain(const PriorLaunches *prior, const ReplayLaunch *launch) {
  uint32_t place = 0;
  while (place < prior->request.chain_count && prior->request.chain[place] != launch->context)
    place++;
  return launch == prior->request.launch ? prior->request.chain_count : place;
}

static bool read_byte_in_chain(PriorLaunches *prior, const ReplayLaunch *launch, const Wanted *wanted,
                               uint8_t *value) {
  for (uint32_t i = place_in_chain(prior, launch); i-- > 0;) {
    PriorLaunch *before = launch_of(prior, prior->request.chain[i]);
    Answer answer =
        before ? read_after(before, wanted->place->leaf, wanted->offset + wanted->at, value) : CANNOT_TELL;
    if (answer != NOT_WRITTEN) return answer == WRITTEN;
  }
  return read_initial(prior, wanted->place, wanted->offset, wanted->bytes, wanted->at, value);
}

static bool is_of_chain(const PriorLaunches *prior, uint32_t leaf) {
  return prior->request.chain_count && is_taken(prior, leaf);
}

static bool read_byte(PriorLaunches *prior, const ReplayLaunch *launch, const Wanted *wanted,
                      uint8_t *value) {
  if (is_of_chain(prior, wanted->place->leaf)) return read_byte_in_chain(prior, launch, wanted, value);
  bool is_later_round = prior->request.is_again && launch == prior->request.launch;
  for (int when = WHEN_COUNT; when-- > 0;) {
    if (when == IN_ROUND_BEFORE && !is_later_round) continue;
    Told told = ask_writers(prior, wanted, (When)when, value);
    if (told != TOLD_NOT) return told == TOLD_BYTE;
  }
  if (prior->request.is_filled && !wanted->place->variable && has_earlier_launch(wanted->place->writers))
    return false;
  return read_initial(prior, wanted->place, wanted->offset, wanted->bytes, wanted->at, value);
}

static bool read_before(PriorLaunches *prior, const ReplayLaunch *launch, uint32_t number, int64_t offset,
                        uint32_t bytes, int64_t *word) {
  uint64_t found = 0;
  Place place = place_at(launch, number);
  Wanted wanted = {&place, offset, bytes, 0};
  bool has_place = place.leaf && bytes && bytes <= 8, is_known = has_place;
  bool is_last_of_chain = is_of_chain(prior, place.leaf) && launch == prior->request.launch;
  const LaunchContent *content = has_place && place.object && !is_last_of_chain
                                     ? content_of(launch->context, place.object, bytes)
                                     : NULL;
  bool is_left = has_earlier_launch(place.writers) && !is_said_at(prior->request.scan, content, offset);
  if (content && !is_left && said_at(prior, launch, content, offset, word)) return true;
  if (place.object && content_of(launch->context, place.object, 0) && !has_earlier_launch(place.writers) &&
      !is_of_chain(prior, place.leaf))
    is_known = false;
  for (; wanted.at < bytes && is_known; wanted.at++) {
    uint8_t value = 0;
    is_known = read_byte(prior, launch, &wanted, &value);
    found |= (uint64_t)value << 8 * wanted.at;
  }
  if (is_known) *word = bytes < 8 ? (int64_t)(found << (64 - 8 * bytes)) >> (64 - 8 * bytes) : (int64_t)found;
  prior->is_incomplete |= !is_known;
  return is_known;
}

// ---- what others ask
PriorLaunches *prior_open(const PriorRequest *request, Arena *arena) {
  PriorLaunches *prior = arena_new(arena, PriorLaunches);
  *prior = (PriorLaunches){.request = *request, .arena = arena};
  return prior;
}

bool prior_read(PriorLaunches *prior, uint32_t object, int64_t offset, uint32_t bytes, int64_t *word) {
  ASSERT(bytes > 0);
  return read_before(prior, prior->request.launch, object, offset, bytes, word);
}

bool prior_places_in_chain(PriorLaunches *prior, uint32_t object, uint32_t bytes, PriorPlaces *places) {
  uint32_t leaf = place_at(prior->request.launch, object).leaf;
  for (uint32_t i = 0; i < prior->request.chain_count; i++) {
    PriorLaunch *launch = launch_of(prior, prior->request.chain[i]);
    if (!launch || !launch->is_whole) return false;
    run_whole(launch);
    if (launch->is_incomplete) return false;
    for (uint32_t b = 0; b < launch->written.items.count; b++) {
      const Byte *byte = &launch->written.items.items[b];
      int64_t at = byte->offset - byte->offset % bytes;
      bool is_same = places->offsets.count && vec_last(&places->offsets) == at;
      if (byte->leaf == leaf && !is_same) vec_push(prior->arena, &places->offsets, at);
    }
  }
  return true;
}

uint32_t prior_writer_in_chain(PriorLaunches *prior, uint32_t object, int64_t offset) {
  Place place = place_at(prior->request.launch, object);
  for (uint32_t i = prior->request.chain_count; i-- > 0;) {
    PriorLaunch *launch = launch_of(prior, prior->request.chain[i]);
    uint8_t value = 0;
    if (!launch || read_after(launch, place.leaf, offset, &value) != NOT_WRITTEN) return i;
  }
  return prior->request.chain_count;
}

uint32_t prior_number(const ReplayLaunch *launch, const Obj *object) {
  ASSERT(object > launch->scan->objects.items &&
         object < launch->scan->objects.items + launch->scan->objects.count);
  return object->kind == OBJ_GLOBAL ? launch->global_objects[object->index] : object->index;
}

const LaunchWriters *prior_writers(const Scan *scan, const Obj *object) {
  ASSERT(object > scan->objects.items && object < scan->objects.items + scan->objects.count);
  const LaunchContext *launch = scan->launch;
  if (object->kind == OBJ_GLOBAL)
    return writers_of_variable(launch, scan->module->globals.items[object->index].name);
  return object->kind == OBJ_LAUNCH ? &launch->objects.items[object->index].writers : NULL;
}

bool prior_is_incomplete(const PriorLaunches *prior) {
  return prior->is_incomplete;
}

uint64_t prior_steps(const PriorLaunches *prior) {
  return prior->steps;
}

// The array, if the device wrote it before in ways that are not followed; else NULL.
const LaunchObject *prior_computed_object(const Scan *scan, const Obj *object) {
  ASSERT(object > scan->objects.items && object < scan->objects.items + scan->objects.count);
  if (object->kind != OBJ_LAUNCH) return NULL;
  for (uint32_t c = 0; c < scan->launch->contents.count; c++) {
    const LaunchContent *content = &scan->launch->contents.items[c];
    if (content->object == object->index && !content->is_counted && !content->is_computed) return NULL;
  }
  const LaunchObject *info = &scan->launch->objects.items[object->index];
  return info->computed_by ? info : NULL;
}

bool prior_computes_starts(const Scan *scan, uint32_t object) {
  ASSERT(scan_has_object(scan, object));
  const LaunchObject *info = prior_computed_object(scan, &scan->objects.items[object]);
  bool has_start = false, is_counted = true;
  for (uint32_t w = 0; info && w < info->writers.count; w++)
    has_start |= info->writers.items[w].is_earlier && info->writers.items[w].stores;
  for (uint32_t a = 0; a < scan->accesses.count && has_start && is_counted; a++) {
    bool is_write = scan->accesses.items[a].kind != ACCESS_READ && access_may_touch(scan, a, object);
    is_counted = !is_write || scan->fn->insts.items[scan->accesses.items[a].inst].op == IR_ATOMICRMW;
  }
  return has_start && is_counted;
}
