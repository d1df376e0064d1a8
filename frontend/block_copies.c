// Which copy of a value does each use get, once blocks of a function stand there several times?
// Method: which copy of a block comes behind which is read off the edges; a value that has several copies is
// looked for backwards from where it is used, with a phi where ways meet (Braun et al., "Simple and efficient
// construction of static single assignment form", CC 2013). Phis of one value are left out afterwards.
// Soundness: a use gets the copy that the same way through the old blocks would have given it.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/block_copies.h"

#include "core/bug.h"

#include <string.h>

enum { MOST_COPIES = 12, INST_LIMIT = 40000, KNOWN_DEPTH = 8 };
enum { CTX_FIRST, CTX_REST, CTX_COUNT };

typedef struct Copy {
  uint32_t block, ctx, round;
  uint32_t first_node;
  VEC(uint32_t) preds; // copies, each once
} Copy;

// A value of the new function: an operand that is no instruction, or a node.
typedef struct Value {
  bool is_node;
  uint32_t ref;
} Value;

typedef struct Node {
  uint32_t copy, inst;         // the old instruction; of an extra one: the value that it stands for
  bool is_extra, is_sum;       // a phi that ways meet in; a known value
  bool is_aliased, is_settled; // `alias` stands for it
  Value alias;
  Value *ops;
  uint32_t op_count, index; // in the new function
} Node;

typedef struct Writer {
  const BlockCopies *of;
  Arena *arena;
  uint32_t *number; // by block, context and round: copy + 1
  VEC(Copy) copies;
  VEC(Node) nodes;
  uint32_t *read; // by copy and old instruction: what it is at the head of the copy: node + 1, or value
  uint8_t *read_kind;
  uint32_t sums[BLOCK_COPIES_KNOWN]; // node + 1
  bool fails;
} Writer;

enum { READ_NONE, READ_NODE, READ_REF };

static const IrInst *old_inst(const Writer *w, uint32_t inst) {
  return &w->of->fn->insts.items[inst];
}

static bool is_in(const Writer *w, uint32_t loop, uint32_t block) {
  return loop != CFG_NONE && cfg_loop_contains(w->of->cfg, loop, block);
}

static bool is_inner(const Writer *w, uint32_t block) {
  return is_in(w, w->of->inner, block);
}

static bool is_copied(const Writer *w, uint32_t block) {
  return is_inner(w, block) || is_in(w, w->of->outer, block);
}

static uint32_t rounds_in(const Writer *w, uint32_t ctx) {
  return ctx == CTX_REST ? 1 : w->of->rounds;
}

// ---- which copies there are
static uint32_t *slot_of(Writer *w, uint32_t block, uint32_t ctx, uint32_t round) {
  return &w->number[((size_t)block * CTX_COUNT + ctx) * MOST_COPIES + round];
}

static Copy target_of(const Writer *w, const Copy *from, uint32_t block) {
  const Cfg *cfg = w->of->cfg;
  Copy to = {.block = block};
  bool is_outer = is_in(w, w->of->outer, block);
  if (is_outer) {
    bool begins = cfg->loops.items[w->of->outer].header == block;
    to.ctx = begins ? is_in(w, w->of->outer, from->block) ? CTX_REST : CTX_FIRST : from->ctx;
  }
  if (is_inner(w, block)) {
    bool begins = cfg->loops.items[w->of->inner].header == block;
    if (is_inner(w, from->block)) to.round = from->round + (begins ? 1 : 0);
  }
  return to;
}

// The test in this copy; -1: it is not in one.
static int test_in(const Writer *w, const Copy *copy) {
  if (!is_inner(w, copy->block)) return -1;
  return copy->round < rounds_in(w, copy->ctx);
}

// A truth value in the copy of the inner loop that is known by the test; -1: it is not.
static int truth_in(const Writer *w, const Copy *copy, IrRef ref, int depth) {
  int64_t value = 0;
  const IrInst *inst = ir_inst(w->of->fn, ref);
  if (ir_const_value(w->of->fn, ref, &value)) return (value & 1) != 0;
  if (!inst || depth == 0 || !is_inner(w, inst->block) || !is_inner(w, copy->block)) return -1;
  if (ir_ref_index(ref) == w->of->test) return test_in(w, copy);
  bool is_phi = inst->op == IR_PHI && inst->block != w->of->cfg->loops.items[w->of->inner].header;
  if (!is_phi && inst->op != IR_AND) return -1;
  int all = -2;
  for (uint32_t i = 0; i < inst->op_count; i++) {
    int one = truth_in(w, copy, inst->ops[i], depth - 1);
    if (inst->op == IR_AND && one == 0) return 0;
    all = all == -2 || all == one ? one : -1;
  }
  return all == -2 ? -1 : all;
}

static uint32_t add_copy(Writer *w, Copy copy) {
  if (copy.round > rounds_in(w, copy.ctx)) {
    w->fails = true;
    return CFG_NONE;
  }
  uint32_t *slot = slot_of(w, copy.block, copy.ctx, copy.round);
  if (*slot) return *slot - 1;
  vec_push(w->arena, &w->copies, copy);
  *slot = w->copies.count;
  return *slot - 1;
}

// The way that is taken for certain at the end of the copy; CFG_NONE: any.
static uint32_t only_way(const Writer *w, const Copy *copy) {
  const IrInst *end = ir_terminator(w->of->fn, copy->block);
  if (end->op != IR_CONDBR) return CFG_NONE;
  int truth = truth_in(w, copy, end->ops[0], KNOWN_DEPTH);
  return truth < 0 ? CFG_NONE : end->blocks[truth ? 0 : 1];
}

static void add_pred(Writer *w, uint32_t to, uint32_t from) {
  Copy *copy = &w->copies.items[to];
  for (uint32_t i = 0; i < copy->preds.count; i++)
    if (copy->preds.items[i] == from) return;
  vec_push(w->arena, &copy->preds, from);
}

static void find_copies(Writer *w) {
  add_copy(w, (Copy){.block = 0});
  for (uint32_t c = 0; c < w->copies.count && !w->fails; c++) {
    const IrInst *end = ir_terminator(w->of->fn, w->copies.items[c].block);
    uint32_t only = only_way(w, &w->copies.items[c]);
    for (uint32_t t = 0; t < end->block_count && !w->fails; t++) {
      if (only != CFG_NONE && end->blocks[t] != only) continue;
      uint32_t to = add_copy(w, target_of(w, &w->copies.items[c], end->blocks[t]));
      if (to != CFG_NONE) add_pred(w, to, c);
    }
  }
}

static void make_nodes(Writer *w) {
  for (uint32_t c = 0; c < w->copies.count; c++) {
    const IrBlock *block = &w->of->fn->blocks.items[w->copies.items[c].block];
    w->copies.items[c].first_node = w->nodes.count;
    if (w->nodes.count + block->count > INST_LIMIT) w->fails = true;
    for (uint32_t i = block->first; i < block->first + block->count && !w->fails; i++)
      vec_push(w->arena, &w->nodes, (Node){.copy = c, .inst = i});
  }
}

// ---- values
static Value value_at_end(Writer *w, uint32_t inst, uint32_t copy);
static Value operand_at_end(Writer *w, IrRef ref, uint32_t copy);

static Value node_value(uint32_t node) {
  return (Value){true, node};
}

static IrRef phi_operand(const IrInst *phi, uint32_t block) {
  for (uint32_t i = 0; i < phi->op_count; i++)
    if (phi->blocks[i] == block) return phi->ops[i];
  BUG("a phi without a value from a predecessor");
}

// The copy of the instruction in this copy of its block; a phi with one way in is what comes in there.
static Value own_value(Writer *w, uint32_t inst, uint32_t copy) {
  const Copy *at = &w->copies.items[copy];
  uint32_t node = at->first_node + (inst - w->of->fn->blocks.items[at->block].first);
  if (old_inst(w, inst)->op != IR_PHI || at->preds.count != 1 || !is_copied(w, at->block))
    return node_value(node);
  if (!w->nodes.items[node].is_settled) {
    uint32_t from = at->preds.items[0];
    Value alias = operand_at_end(w, phi_operand(old_inst(w, inst), w->copies.items[from].block), from);
    w->nodes.items[node].is_settled = w->nodes.items[node].is_aliased = true;
    w->nodes.items[node].alias = alias;
  }
  return w->nodes.items[node].alias;
}

static Value undefined(Writer *w, IrType type) {
  return (Value){false, ir_const_typed(w->of->module, (IrFunction *)w->of->fn, type, 0, true)};
}

static void keep_read(Writer *w, uint32_t inst, uint32_t copy, Value value) {
  size_t at = (size_t)copy * w->of->fn->insts.count + inst;
  w->read[at] = value.ref;
  w->read_kind[at] = value.is_node ? READ_NODE : READ_REF;
}

static Value value_at_start(Writer *w, uint32_t inst, uint32_t copy) {
  size_t at = (size_t)copy * w->of->fn->insts.count + inst;
  if (w->read_kind[at] != READ_NONE) return (Value){w->read_kind[at] == READ_NODE, w->read[at]};
  const Copy here = w->copies.items[copy];
  if (here.preds.count == 0) return undefined(w, old_inst(w, inst)->type);
  if (here.preds.count == 1) {
    Value value = value_at_end(w, inst, here.preds.items[0]);
    keep_read(w, inst, copy, value);
    return value;
  }
  uint32_t node = w->nodes.count;
  vec_push(w->arena, &w->nodes, (Node){.copy = copy, .inst = inst, .is_extra = true});
  keep_read(w, inst, copy, node_value(node));
  Value *ops = arena_array(w->arena, here.preds.count, Value);
  for (uint32_t p = 0; p < here.preds.count; p++)
    ops[p] = value_at_end(w, inst, here.preds.items[p]);
  w->nodes.items[node].ops = ops;
  w->nodes.items[node].op_count = here.preds.count;
  return node_value(node);
}

static Value value_at_end(Writer *w, uint32_t inst, uint32_t copy) {
  if (w->copies.items[copy].block == old_inst(w, inst)->block) return own_value(w, inst, copy);
  return value_at_start(w, inst, copy);
}

static Value truth_value(Writer *w, int truth) {
  return (Value){false, ir_const_int(w->of->module, (IrFunction *)w->of->fn, 1, truth)};
}

static Value operand_at_end(Writer *w, IrRef ref, uint32_t copy) {
  if (ir_ref_kind(ref) != IR_REF_INST) return (Value){false, ref};
  uint32_t inst = ir_ref_index(ref), block = old_inst(w, inst)->block;
  if (inst == w->of->test && is_inner(w, w->copies.items[copy].block))
    return truth_value(w, test_in(w, &w->copies.items[copy]));
  if (is_copied(w, block)) return value_at_end(w, inst, copy);
  uint32_t *slot = slot_of(w, block, 0, 0);
  return *slot ? own_value(w, inst, *slot - 1) : undefined(w, old_inst(w, inst)->type);
}

// What the phi is known to be in the one round of later rounds of the outer loop.
static bool known_value(Writer *w, uint32_t inst, uint32_t copy, Value *value) {
  const Copy *at = &w->copies.items[copy];
  if (!is_inner(w, at->block) || at->ctx != CTX_REST || at->round != 0 || w->of->outer == CFG_NONE)
    return false;
  for (uint32_t k = 0; k < w->of->known_count; k++) {
    const KnownValue *known = &w->of->known[k];
    if (known->phi != inst) continue;
    IrType type = old_inst(w, inst)->type;
    Value constant = {false,
                      ir_const_int(w->of->module, (IrFunction *)w->of->fn, type.bits, known->constant)};
    *value = constant;
    if (!known->base) return true;
    uint32_t header = *slot_of(w, w->of->cfg->loops.items[w->of->inner].header, CTX_REST, 0) - 1;
    if (!w->sums[k]) {
      Value *ops = arena_array(w->arena, 2, Value);
      ops[0] = value_at_start(w, ir_ref_index(known->base), header);
      ops[1] = constant;
      vec_push(w->arena, &w->nodes,
               (Node){.copy = header, .inst = inst, .is_sum = true, .ops = ops, .op_count = 2});
      w->sums[k] = w->nodes.count;
    }
    *value = node_value(w->sums[k] - 1);
    return true;
  }
  return false;
}

static Value operand_in(Writer *w, IrRef ref, uint32_t copy) {
  Value known;
  if (ir_ref_kind(ref) == IR_REF_INST && known_value(w, ir_ref_index(ref), copy, &known)) return known;
  return operand_at_end(w, ref, copy);
}

// ---- operands of all
static void fill_node(Writer *w, uint32_t node) {
  uint32_t copy = w->nodes.items[node].copy;
  const IrInst *inst = old_inst(w, w->nodes.items[node].inst);
  const Copy at = w->copies.items[copy];
  bool is_phi = inst->op == IR_PHI;
  uint32_t count = is_phi ? at.preds.count : inst->op_count;
  Value *ops = arena_array(w->arena, count + 1, Value);
  if (is_phi && own_value(w, w->nodes.items[node].inst, copy).ref != node) return; // one way in
  for (uint32_t i = 0; i < count; i++)
    ops[i] = is_phi ? operand_at_end(w, phi_operand(inst, w->copies.items[at.preds.items[i]].block),
                                     at.preds.items[i])
                    : operand_in(w, inst->ops[i], copy);
  w->nodes.items[node].ops = ops;
  w->nodes.items[node].op_count = count;
}

static Value settled(const Writer *w, Value value) {
  while (value.is_node && w->nodes.items[value.ref].is_aliased)
    value = w->nodes.items[value.ref].alias;
  return value;
}

static bool same_value(Value a, Value b) {
  return a.is_node == b.is_node && a.ref == b.ref;
}

// Phis that ways meet in and that bring one value only.
static void drop_phis(Writer *w) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t n = 0; n < w->nodes.count; n++) {
      Node *node = &w->nodes.items[n];
      Value one = node_value(n);
      bool is_one = node->is_extra && !node->is_aliased;
      for (uint32_t i = 0; i < node->op_count && is_one; i++) {
        Value op = settled(w, node->ops[i]);
        if (same_value(op, node_value(n)) || same_value(op, one)) continue;
        is_one = same_value(one, node_value(n));
        one = op;
      }
      if (!is_one || same_value(one, node_value(n))) continue;
      node->is_aliased = changed = true;
      node->alias = one;
    }
  }
}

// ---- writing
typedef struct Order {
  uint32_t *copies; // the new blocks
  uint32_t *place;  // by copy: its new block
} Order;

static Order order_copies(Writer *w) {
  Order order = {arena_array(w->arena, w->copies.count, uint32_t),
                 arena_array(w->arena, w->copies.count, uint32_t)};
  uint32_t count = 0;
  size_t slots = (size_t)w->of->cfg->block_count * CTX_COUNT * MOST_COPIES;
  for (size_t s = 0; s < slots; s++) {
    if (!w->number[s]) continue;
    order.place[w->number[s] - 1] = count;
    order.copies[count++] = w->number[s] - 1;
  }
  return order;
}

static bool stands_first(const Writer *w, const Node *node) {
  return node->is_extra || (!node->is_sum && old_inst(w, node->inst)->op == IR_PHI);
}

// The nodes of a copy in the order in which they are to stand: phis, known values, the rest.
static void list_nodes(Writer *w, uint32_t copy, uint32_t *list, uint32_t *count) {
  const Copy *at = &w->copies.items[copy];
  uint32_t size = w->of->fn->blocks.items[at->block].count;
  *count = 0;
  for (int pass = 0; pass < 3; pass++)
    for (uint32_t n = 0; n < w->nodes.count; n++) {
      const Node *node = &w->nodes.items[n];
      bool is_own = n >= at->first_node && n < at->first_node + size;
      if (node->copy != copy || node->is_aliased || (!is_own && !node->is_extra && !node->is_sum)) continue;
      int place = stands_first(w, node) ? 0 : node->is_sum ? 1 : 2;
      if (place == pass) list[(*count)++] = n;
    }
}

static IrRef new_ref(const Writer *w, Value value) {
  value = settled(w, value);
  return value.is_node ? IR_REF(IR_REF_INST, w->nodes.items[value.ref].index) : value.ref;
}

// What is said of the sum that the phi goes round by holds of all of its values.
static uint8_t step_flags(const Writer *w, const IrInst *phi) {
  for (uint32_t i = 0; i < phi->op_count; i++) {
    const IrInst *sum = ir_inst(w->of->fn, phi->ops[i]);
    if (sum && sum->op == IR_ADD) return sum->flags & (IR_FLAG_NSW | IR_FLAG_NUW);
  }
  return 0;
}

static void write_node(Writer *w, const Order *order, IrFunction *to, uint32_t n) {
  const Node *node = &w->nodes.items[n];
  const Copy *at = &w->copies.items[node->copy];
  IrInst inst = *old_inst(w, node->inst);
  IrRef *ops = arena_array(w->arena, node->op_count + 1, IrRef);
  for (uint32_t i = 0; i < node->op_count; i++)
    ops[i] = new_ref(w, node->ops[i]);
  uint32_t blocks_count = stands_first(w, node) ? at->preds.count : inst.block_count;
  uint32_t *blocks = arena_array(w->arena, blocks_count + 1, uint32_t);
  if (node->is_sum) {
    inst.flags = step_flags(w, &inst);
    inst.op = IR_ADD;
    inst.block_count = 0;
    blocks_count = 0;
  } else if (stands_first(w, node)) {
    if (node->is_extra) inst = (IrInst){.op = IR_PHI, .type = inst.type, .loc = inst.loc, .name = inst.name};
    for (uint32_t i = 0; i < blocks_count; i++)
      blocks[i] = order->place[at->preds.items[i]];
  } else {
    uint32_t only = inst.op == IR_CONDBR ? only_way(w, at) : CFG_NONE;
    for (uint32_t i = 0; i < blocks_count; i++) {
      if (only != CFG_NONE && inst.blocks[i] != only) continue;
      Copy target = target_of(w, at, inst.blocks[i]);
      blocks[i] = order->place[*slot_of(w, target.block, target.ctx, target.round) - 1];
      if (only != CFG_NONE) blocks[0] = blocks[i];
    }
    if (only != CFG_NONE) {
      inst = (IrInst){.op = IR_BR, .type = inst.type, .loc = inst.loc};
      blocks_count = 1;
    }
  }
  inst.op_count = inst.op == IR_BR ? 0 : (uint16_t)node->op_count;
  inst.ops = ops;
  inst.block_count = (uint16_t)blocks_count;
  inst.blocks = blocks;
  ir_inst_add(w->of->module, to, inst);
}

static void write_function(Writer *w, IrFunction *fn) {
  Order order = order_copies(w);
  uint32_t *list = arena_array(w->arena, w->nodes.count + 1, uint32_t), count = 0, index = 0;
  for (uint32_t b = 0; b < w->copies.count; b++) {
    list_nodes(w, order.copies[b], list, &count);
    for (uint32_t i = 0; i < count; i++)
      w->nodes.items[list[i]].index = index++;
  }
  IrFunction made = *fn;
  memset(&made.blocks, 0, sizeof made.blocks);
  memset(&made.insts, 0, sizeof made.insts);
  for (uint32_t b = 0; b < w->copies.count; b++) {
    list_nodes(w, order.copies[b], list, &count);
    ir_block_add(w->of->module, &made, fn->blocks.items[w->copies.items[order.copies[b]].block].name);
    for (uint32_t i = 0; i < count; i++)
      write_node(w, &order, &made, list[i]);
  }
  *fn = made;
}

void block_copies_replace(BlockCopies *copies, uint32_t phi, IrRef base, int64_t constant) {
  if (copies->known_count < BLOCK_COPIES_KNOWN)
    copies->known[copies->known_count++] = (KnownValue){phi, base, constant};
}

bool block_copies_make(BlockCopies *copies, IrFunction *fn) {
  Writer w = {.of = copies, .arena = copies->scratch};
  if (copies->rounds + 2 > MOST_COPIES) return false;
  w.number = arena_array(w.arena, (size_t)copies->cfg->block_count * CTX_COUNT * MOST_COPIES + 1, uint32_t);
  find_copies(&w);
  if (!w.fails) make_nodes(&w);
  if (w.fails) return false;
  size_t reads = (size_t)w.copies.count * fn->insts.count + 1;
  w.read = arena_array(w.arena, reads, uint32_t);
  w.read_kind = arena_array(w.arena, reads, uint8_t);
  for (uint32_t n = 0, count = w.nodes.count; n < count; n++)
    fill_node(&w, n);
  drop_phis(&w);
  write_function(&w, fn);
  return true;
}
