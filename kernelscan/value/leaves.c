// What stands for a value without a closed form? A leaf: one symbol (or one application of a function, where
// all threads share it) for each instruction, thread (View) and iterations of the loops around; and one
// symbol for each private iteration number. Method: a table that all frames of a scan look in, so that two
// frames that speak of the same instance get the same leaf. Soundness: a leaf is any value of its width; it
// is the same for both threads only if divergence analysis says so and they are of one block; loads of what
// nobody writes any more are one leaf (final_words.c); leaves that
// started from different things are told apart by their origin.
// SPDX-License-Identifier: Apache-2.0
#include "core/table.h"
#include "kernelscan/value/value.h"
#include "kernelscan/memory.h"

enum { AROUND_LIMIT = 64, FUNCTION_OF_LEAF = 3 /* in place of a thread */ };

// The iterations of the loops from `loop` outwards.
static uint32_t iterations_around(Frame *frame, uint32_t loop, ExprRef *around) {
  uint32_t depth = 0;
  for (uint32_t l = loop; l != CFG_NONE && depth < AROUND_LIMIT - 1;
       l = frame->scan->cfg->loops.items[l].parent)
    around[depth++] = frame_iteration(frame, l);
  return depth;
}

// What is kept of a scan.
typedef struct Kept {
  Leaves leaves;
  Table table; // by all but the value: index + 1
} Kept;

static Kept *kept_of(const Scan *scan) {
  return SCAN_STATE_OF(scan, leaves, Kept);
}

const Leaves *leaves_all(const Scan *scan) {
  return &kept_of(scan)->leaves;
}

void leaves_add(Scan *scan, Leaf leaf) {
  ASSERT(scan_has_expr(scan, leaf.value) && (leaf.iterations || !leaf.count));
  vec_push(scan->arena, &kept_of(scan)->leaves, leaf);
}

static uint32_t leaf_hash(uint32_t key, uint32_t company, uint32_t thread, uint32_t depth,
                          const ExprRef *around) {
  uint32_t head[] = {key, company, thread, depth};
  return (uint32_t)str_hash(around, depth * sizeof(ExprRef), str_hash(head, sizeof head, 1));
}

static ExprRef find_leaf(const Frame *frame, uint32_t key, uint32_t thread, uint32_t depth,
                         const ExprRef *around) {
  const Scan *scan = frame->scan;
  const Kept *kept = kept_of(scan);
  uint32_t company = frame->view->company;
  TableLook look = table_look(&kept->table, leaf_hash(key, company, thread, depth, around));
  for (uint32_t number; (number = table_next(&look)) != 0;) {
    const Leaf *leaf = &kept->leaves.items[number - 1];
    if (leaf->inst == key && leaf->company == company && leaf->thread == thread && leaf->count == depth &&
        (depth == 0 || memcmp(leaf->iterations, around, depth * sizeof(ExprRef)) == 0))
      return leaf->value;
  }
  return 0;
}

static void keep_leaf(const Frame *frame, uint32_t key, uint32_t thread, uint32_t depth,
                      const ExprRef *around, ExprRef value) {
  Scan *scan = frame->scan;
  Kept *kept = kept_of(scan);
  vec_push(scan->arena, &kept->leaves,
           (Leaf){key, frame->view->company, thread, depth,
                  arena_copy(scan->arena, around, depth * sizeof(ExprRef)), value});
  uint32_t hash = leaf_hash(key, frame->view->company, thread, depth, around);
  table_add(scan->arena, &kept->table, hash, kept->leaves.count);
}

uint32_t loop_line(const Scan *scan, uint32_t loop) {
  BUG_UNLESS(loop < scan->cfg->loops.count);
  return ir_loc(scan->module, ir_terminator(scan->fn, scan->cfg->loops.items[loop].header)->loc)->line;
}

const char *iteration_name(Scan *scan, uint32_t loop) {
  ASSERT(scan_has_loop(scan, loop));
  return arena_printf(scan->arena, "iteration of the loop at line %u", loop_line(scan, loop));
}

ExprRef iteration_new(Scan *scan, uint32_t loop, const char *name, uint8_t owner, int64_t lo) {
  ASSERT(scan_has_loop(scan, loop));
  ASSERT(name);
  ASSERT(owner <= OWNER_THREAD2);
  return expr_new_sym(
      scan->pool,
      (ExprSym){
          .name = name,
          .width = 32,
          .owner = owner,
          .kind = SYM_ITERATION,
          .lo = lo,
          .hi = INT32_MAX - 1,
          .loc = *ir_loc(scan->module, ir_terminator(scan->fn, scan->cfg->loops.items[loop].header)->loc)});
}

// One symbol for each thread and key, whichever frame asks. Loops and instructions share the table of leaves.
static ExprRef iteration_symbol(const Frame *frame, uint32_t loop, uint32_t key, bool is_shared,
                                uint32_t depth, const ExprRef *around) {
  Scan *scan = frame->scan;
  uint32_t thread = is_shared ? 0 : frame->view->thread;
  ExprRef symbol = find_leaf(frame, key, thread, depth, around);
  if (symbol) return symbol;
  const char *name = iteration_name(scan, loop);
  symbol = iteration_new(scan, loop, name, is_shared ? OWNER_UNIFORM : frame->view->owner, 0);
  keep_leaf(frame, key, thread, depth, around, symbol);
  return symbol;
}

ExprRef frame_iteration(Frame *frame, uint32_t loop) {
  ASSERT(frame->view);
  BUG_UNLESS(loop < frame->scan->cfg->loops.count);
  if (frame->iteration[loop]) return frame->iteration[loop];
  Scan *scan = frame->scan;
  ExprRef around[AROUND_LIMIT];
  uint32_t depth = iterations_around(frame, scan->cfg->loops.items[loop].parent, around);
  return frame->iteration[loop] =
             iteration_symbol(frame, loop, scan->fn->insts.count + loop, false, depth, around);
}

ExprRef frame_last_iteration(Frame *frame, uint32_t loop) {
  ASSERT(frame->view);
  ASSERT(scan_has_loop(frame->scan, loop));
  Scan *scan = frame->scan;
  ExprRef around[AROUND_LIMIT];
  uint32_t depth = iterations_around(frame, scan->cfg->loops.items[loop].parent, around);
  return iteration_symbol(frame, loop, scan->fn->insts.count + loop, true, depth, around);
}

ExprRef frame_round(Frame *frame, uint32_t loop, ExprRef iteration, bool is_shared) {
  ASSERT(frame->view);
  ASSERT(scan_has_word(frame->scan, iteration, 32));
  BUG_UNLESS(loop < frame->scan->cfg->loops.count);
  Scan *scan = frame->scan;
  ExprRef around[AROUND_LIMIT];
  uint32_t depth = iterations_around(frame, scan->cfg->loops.items[loop].parent, around);
  around[depth++] = iteration;
  uint32_t key = scan->fn->insts.count + 2 * scan->cfg->loops.count + loop;
  return iteration_symbol(frame, loop, key, is_shared, depth, around);
}

// As a user would call it, without the line.
static const char *name_of(const Scan *scan, uint32_t index) {
  const IrInst *inst = &scan->fn->insts.items[index];
  bool is_load = inst->op == IR_LOAD, is_old = ir_inst_is(inst, IR_ATOMIC);
  if (inst->name && inst->op != IR_CALL) return inst->name;
  if (!is_load && !is_old) return "value";
  const Reach *reach = NULL;
  for (uint32_t a = 0; a < scan->accesses.count && !reach; a++)
    if (scan->accesses.items[a].inst == index) reach = &scan->reaches[a];
  const char *object =
      reach && reach->count == 1 && reach->is_complete ? scan->objects.items[reach->objects[0]].name : NULL;
  if (!object) return is_load ? "value read" : "old value";
  return is_load ? arena_printf(scan->arena, "value of '%s' read", object)
                 : arena_printf(scan->arena, "old value of '%s'", object);
}

// The interval that suppliers know of it; [0, 0]: any value.
static void find_range(const Frame *frame, uint32_t index, ExprSym *symbol) {
  const ValueFacts *const *s = frame->view->is_of_ranges ? NULL : frame->scan->start.suppliers;
  for (; s && *s; s++)
    if ((*s)->range && (*s)->range(frame->scan, index, &symbol->lo, &symbol->hi)) return;
  symbol->lo = symbol->hi = 0;
}

static ExprRef make_leaf(Frame *frame, uint32_t index, bool is_shared, uint32_t depth,
                         const ExprRef *around) {
  Scan *scan = frame->scan;
  const IrInst *inst = &scan->fn->insts.items[index];
  uint8_t width = symeval_width(inst->type);
  const SrcLoc *loc = ir_loc(scan->module, inst->loc);
  bool from_memory = inst->op == IR_LOAD || ir_inst_is(inst, IR_ATOMIC);
  const char *name = arena_printf(scan->arena, "%s at line %u", name_of(scan, index), loc->line);
  ExprSymKind kind = from_memory ? SYM_MEMORY : SYM_UNKNOWN;
  if (!is_shared || depth == 0) {
    ExprSym symbol = {.name = name,
                      .width = width,
                      .kind = (uint8_t)kind,
                      .loc = *loc,
                      .owner = is_shared ? OWNER_UNIFORM : frame->view->owner};
    find_range(frame, index, &symbol);
    return expr_new_sym(scan->pool, symbol);
  }
  // The same function for all iterations; its first application is kept under its arity.
  ExprRef arity = depth, first = find_leaf(frame, index, FUNCTION_OF_LEAF, 1, &arity);
  if (first) return expr_app(scan->pool, (uint32_t)expr_node(scan->pool, first)->value, depth, around);
  uint32_t func =
      expr_new_func(scan->pool, (ExprFunc){.name = name, .width = width, .kind = (uint8_t)kind, .loc = *loc});
  first = expr_app(scan->pool, func, depth, around);
  keep_leaf(frame, index, FUNCTION_OF_LEAF, 1, &arity, first);
  return first;
}

// The first load of the same word, of those that read what nobody writes any more; CFG_NONE: it is no such load.
static uint32_t first_of_word(const Scan *scan, uint32_t index) {
  return scan->alike.final_words && scan->alike.final_words[index] ? scan->alike.final_words[index] - 1
                                                                   : CFG_NONE;
}

// `origin`: what the value was made from, where facts about the leaf speak of it (0: none). The same
// instruction in the same iteration has another value if it started from another one, as after an earlier
// loop that was left sooner.
static ExprRef leaf_value(Frame *frame, uint32_t index, ExprRef origin) {
  Scan *scan = frame->scan;
  const IrInst *inst = &scan->fn->insts.items[index];
  if (!symeval_width(inst->type)) return 0;
  ExprRef around[AROUND_LIMIT];
  uint32_t first = first_of_word(scan, index); // reads the same in all rounds
  if (first != CFG_NONE) index = first;
  uint32_t depth = first != CFG_NONE ? 0 : iterations_around(frame, scan->cfg->loop_of[inst->block], around);
  if (origin) around[depth++] = origin;
  bool is_shared = frame_leaf_is_shared(frame, index);
  uint32_t thread = is_shared ? 0 : frame->view->thread;
  ExprRef value = find_leaf(frame, index, thread, depth, around);
  if (value) return value;
  value = make_leaf(frame, index, is_shared, depth, around);
  keep_leaf(frame, index, thread, depth, around, value);
  return value;
}

bool frame_leaf_is_shared(const Frame *frame, uint32_t index) {
  ASSERT(frame->view);
  ASSERT(scan_has_inst(frame->scan, index));
  return frame->scan->alike.is_uniform[index] && !extent_is_between_blocks(frame->view->extent);
}

SymValue frame_leaf(Frame *frame, uint32_t index, ExprRef origin) {
  ASSERT(frame->view);
  ASSERT(!origin || scan_has_expr(frame->scan, origin));
  BUG_UNLESS(index < frame->scan->fn->insts.count);
  ExprRef value = leaf_value(frame, index, origin);
  for (const ValueFacts *const *s = frame->scan->start.suppliers; s && *s; s++)
    if ((*s)->note && ((*s)->is_of_third || !frame->view->is_third)) (*s)->note(frame, index, value);
  return sym_value_word(value);
}
