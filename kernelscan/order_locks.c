// Does a lock keep two accesses apart? Possession begins on the edge where a compare-and-swap or an exchange
// is known to have returned the free value, and ends where the lock word is written again. Method: lockset
// (Savage et al., "Eraser", TOCS 1997) as must-held forward data flow, for the leader of a block and for the
// others; with scopes (Kamath, George and Basu, "ScoRD", ISCA 2020). That both threads hold the same lock is
// asked of the solver. Soundness: a lock counts only if every write of the kernel that may store its free
// value is made by who holds it, and if fences of sufficient scope lie on every way from taking it to the
// access and from the access to giving it back.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order.h"

// ---- which operations take locks
// ------------------------------------------------------------------------------------
static bool add_site(Order *order, const Access *access, int64_t free_value) {
  for (uint32_t i = 0; i < order->lock_count; i++)
    if (order->locks[i].access == access) return order->locks[i].free_value == free_value;
  SymValue address = frame_value(order->anyone, access->address);
  if (address.kind != SYM_POINTER || address.target_count != 1 || !access->is_natural) return false;
  if (order->lock_count == LOCK_LIMIT) {
    order->has_too_many_locks = true;
    return false;
  }
  order->locks[order->lock_count++] =
      (LockSite){.access = access, .free_value = free_value, .target = address.targets[0]};
  return true;
}

// May the write store this value, as far as the text says?
static bool may_store(Order *order, const Access *access, int64_t value) {
  Scan *scan = order->scan;
  int64_t stored = 0;
  if (order_stored_constant(scan, access, &stored)) return stored == value;
  const IrInst *inst = &scan->fn->insts.items[access->inst];
  if (inst->op != IR_CMPXCHG && inst->op != IR_STORE &&
      !(inst->op == IR_ATOMICRMW && inst->rmw == IR_RMW_XCHG))
    return true;
  SymValue word = frame_value(order->anyone, inst->ops[inst->op == IR_CMPXCHG ? 2 : 1]);
  if (word.kind != SYM_WORD) return true;
  uint8_t width = expr_width(scan->pool, word.word);
  Goal goal = {0};
  goal_add(scan, &goal, expr_eq(scan->pool, word.word, expr_const(scan->pool, width, value)), GOAL_CONFLICT,
           0);
  goal_add_view(scan, &goal, order->anyone->view);
  goal_add_launch(scan, &goal);
  return !order_cannot_hold(scan, &goal, "does it set the lock free");
}

// On this edge an operation returned a value that is not the one it stores: it took the lock.
static void find_site(Order *order, uint32_t from, uint32_t to) {
  Scan *scan = order->scan;
  EdgeTest test;
  int64_t returned = 0;
  if (!order_edge_test_in(order, -1, from, to, &test) || test.pred != IR_EQ) return;
  const IrInst *inst = ir_inst(scan->fn, test.value);
  if (!inst || !test.other || !ir_const_value(scan->fn, test.other, &returned)) return;
  bool is_exchange = inst->op == IR_ATOMICRMW && inst->rmw == IR_RMW_XCHG;
  if (inst->op != IR_CMPXCHG && !is_exchange) return;
  if (inst->op == IR_CMPXCHG) {
    int64_t expected = 0;
    if (!ir_const_value(scan->fn, inst->ops[1], &expected) || expected != returned) return;
  }
  const Access *access = order_access_of(scan, ir_ref_index(test.value));
  if (access && !may_store(order, access, returned)) add_site(order, access, returned);
}

// ---- data flow
// ------------------------------------------------------------------------------------------------------
// Never makes a taken lock free: leaves the value as it is, or stores another one.
static bool never_frees(Order *order, const Access *access, const LockSite *site) {
  return order_is_only_read(order->scan, access) ||
         (!site->is_token && !may_store(order, access, site->free_value));
}

static bool is_same_word(const Order *order, const Access *access, const Target *word) {
  SymValue address = frame_value(order->anyone, access->address);
  return address.kind == SYM_POINTER && address.target_count == 1 &&
         address.targets[0].object == word->object && address.targets[0].offset == word->offset &&
         address.targets[0].key == word->key;
}

// What one thread takes there, and what it writes here, are never one word.
static bool is_another_word(Order *order, const LockSite *taken, const Access *write) {
  Scan *scan = order->scan;
  SymValue address = frame_value(order->anyone, write->address);
  if (!taken->is_fixed || address.kind != SYM_POINTER || address.target_count != 1) return false;
  if (address.targets[0].object != taken->target.object || address.targets[0].key || taken->target.key)
    return false;
  Goal goal = {0};
  goal_add(scan, &goal, expr_eq(scan->pool, address.targets[0].offset, taken->target.offset), GOAL_CONFLICT,
           0);
  uint32_t block = scan->fn->insts.items[write->inst].block;
  goal_add(scan, &goal, order_block_condition(order->anyone, block), GOAL_CONTEXT, 0);
  goal_add_view(scan, &goal, order->anyone->view);
  goal_add_launch(scan, &goal);
  return order_cannot_hold(scan, &goal, "is it the lock that this thread has taken");
}

static void find_effects(Order *order) {
  Scan *scan = order->scan;
  uint32_t count = scan->fn->insts.count + 1;
  order->takes = arena_array(scan->arena, count, uint64_t);
  order->ends = arena_array(scan->arena, count, uint64_t);
  order->may_end = arena_array(scan->arena, count, uint64_t);
  order->own_end = arena_array(scan->arena, count, uint64_t);
  for (uint32_t i = 0; i < scan->fn->insts.count; i++)
    if (ir_op_class((IrOp)scan->fn->insts.items[i].op) == IR_CLASS_CALL)
      order->may_end[i] = order->own_end[i] = UINT64_MAX;
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *access = &scan->accesses.items[a];
    for (uint32_t s = 0; s < order->lock_count; s++) {
      const LockSite *site = &order->locks[s];
      if (access == site->access) order->takes[access->inst] |= 1ull << s;
      if (access->kind == ACCESS_READ || access == site->access || never_frees(order, access, site)) continue;
      if (is_same_word(order, access, &site->target)) order->ends[access->inst] |= 1ull << s;
      if (!order_may_touch(order, access, &site->target, site->access->bytes)) continue;
      order->may_end[access->inst] |= 1ull << s;
      if (!is_another_word(order, site, access)) order->own_end[access->inst] |= 1ull << s;
    }
  }
}

static void pass_inst(const Order *order, uint32_t inst, bool is_must, LockSet *set) {
  uint64_t ends = order->takes[inst] | (is_must ? order->own_end[inst] : order->ends[inst]);
  set->held &= ~ends;
  set->pending = (set->pending & ~ends) | order->takes[inst];
}

static void pass_token_edge(const Order *order, const EdgeTest *test, LockSet *set) {
  for (uint32_t s = 0; s < order->lock_count; s++) {
    const EdgeTest *awaited = &order->locks[s].awaited;
    bool is_it = order->locks[s].is_token && test->value == awaited->value && test->pred == awaited->pred &&
                 test->other == awaited->other;
    if (is_it) set->held |= set->pending & 1ull << s;
  }
}

static void pass_edge(const Order *order, int class, uint32_t from, uint32_t to, LockSet *set) {
  EdgeTest test;
  int64_t returned = 0;
  if (!order_edge_test_in(order, class, from, to, &test)) return;
  pass_token_edge(order, &test, set);
  if (!test.other || !ir_const_value(order->scan->fn, test.other, &returned)) return;
  for (uint32_t s = 0; s < order->lock_count; s++) {
    const LockSite *site = &order->locks[s];
    if (site->is_token) continue;
    uint64_t bit = 1ull << s;
    if (test.value != IR_REF(IR_REF_INST, site->access->inst) || returned != site->free_value) continue;
    if (test.pred == IR_EQ) set->held |= set->pending & bit;
    if (test.pred == IR_EQ || test.pred == IR_NE) set->pending &= ~bit;
  }
}

static bool merge_into(LockSet *into, LockSet from, bool is_must) {
  LockSet old = *into;
  into->held = is_must ? into->held & from.held : into->held | from.held;
  into->pending = is_must ? into->pending & from.pending : into->pending | from.pending;
  return old.held != into->held || old.pending != into->pending;
}

static bool flow_through(Order *order, int class, uint32_t block, LockSet *sets, bool is_must) {
  const Scan *scan = order->scan;
  const Cfg *cfg = scan->cfg;
  LockSet set = sets[block];
  bool changed = false;
  const IrBlock *info = &scan->fn->blocks.items[block];
  for (uint32_t i = info->first; i < info->first + info->count; i++)
    pass_inst(order, i, is_must, &set);
  for (uint32_t s = cfg->succ_first[block]; s < cfg->succ_first[block + 1]; s++) {
    LockSet on_edge = set;
    if (!order->is_feasible[class][s]) continue;
    pass_edge(order, class, block, cfg->succs[s], &on_edge);
    changed |= merge_into(&sets[cfg->succs[s]], on_edge, is_must);
  }
  return changed;
}

static LockSet *flow(Order *order, int class, bool is_must) {
  const Cfg *cfg = order->scan->cfg;
  LockSet *sets = arena_array(order->scan->arena, cfg->block_count + 1, LockSet);
  for (uint32_t b = 1; b < cfg->block_count && is_must; b++)
    sets[b] = (LockSet){UINT64_MAX, UINT64_MAX};
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t n = 0; n < cfg->rpo_count; n++)
      if (order->is_reached[class][cfg->rpo[n]])
        changed |= flow_through(order, class, cfg->rpo[n], sets, is_must);
  }
  return sets;
}

// What one thread of the class holds just before the instruction.
static uint64_t held_before(const Order *order, int class, uint32_t inst, bool is_must) {
  uint32_t block = order->scan->fn->insts.items[inst].block;
  if (!order->is_reached[class][block]) return 0;
  LockSet set = is_must ? order->must[class][block] : order->may[class][block];
  for (uint32_t i = order->scan->fn->blocks.items[block].first; i < inst; i++)
    pass_inst(order, i, is_must, &set);
  return set.held & ~order->dropped;
}

// ---- is it a lock at all
// --------------------------------------------------------------------------------------------
static bool inst_dominates(const Scan *scan, uint32_t a, uint32_t b) {
  uint32_t block_a = scan->fn->insts.items[a].block, block_b = scan->fn->insts.items[b].block;
  return block_a == block_b ? a < b : cfg_dominates(scan->cfg, block_a, block_b);
}

// Read at `inst`, is the address of the lock the one with which it was taken?
static bool address_stays(const Order *order, const LockSite *site, uint32_t inst) {
  return site->is_fixed || inst_dominates(order->scan, site->access->inst, inst);
}

static bool is_freed_by_holder(const Order *order, const LockSite *site, const Access *write) {
  uint32_t block = order->scan->fn->insts.items[write->inst].block;
  // It is enough that the word written is held, whichever of the array it is.
  for (int class = 0; class < CLASS_COUNT; class ++) {
    uint64_t held = held_before(order, class, write->inst, true);
    bool holds = false;
    for (uint32_t s = 0; s < order->lock_count; s++) {
      const LockSite *taken = &order->locks[s];
      holds |= (held >> s & 1) && taken->is_token == site->is_token &&
               (site->is_token || taken->free_value == site->free_value) &&
               is_same_word(order, write, &taken->target) && address_stays(order, taken, write->inst);
    }
    if (order->is_reached[class][block] && !holds) return false;
  }
  return true;
}

// Only threads of the block that makes the write use the words that it may be to.
static bool is_of_own_block(Order *order, const LockSite *site, const Access *write) {
  Scan *scan = order->scan;
  ExprPool *pool = scan->pool;
  SymValue address = frame_value(order->anyone_else, write->address);
  if (address.kind != SYM_POINTER || address.target_count != 1 || address.targets[0].key ||
      site->target.key || !write->is_natural || write->bytes != site->access->bytes)
    return false;
  Goal goal = {0};
  goal_add(scan, &goal, expr_eq(pool, address.targets[0].offset, site->target.offset), GOAL_CONTEXT, 0);
  ExprRef same = order_same_block(scan, order->anyone->view, order->anyone_else->view);
  goal_add(scan, &goal, expr_not(pool, same), GOAL_CONFLICT, 0);
  goal_add_view(scan, &goal, order->anyone->view);
  goal_add_view(scan, &goal, order->anyone_else->view);
  goal_add_launch(scan, &goal);
  return order_cannot_hold(scan, &goal, "another block's lock");
}

static void check_discipline(Order *order, LockSite *site) {
  const Scan *scan = order->scan;
  site->is_disciplined = !scan->has_opaque && !order->has_too_many_locks;
  uint64_t bit = 1ull << (site - order->locks);
  bool is_shared = scan->objects.items[site->target.object].kind == OBJ_SHARED;
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *write = &scan->accesses.items[a];
    if (write->kind == ACCESS_READ || !(order->may_end[write->inst] & bit)) continue;
    if ((is_shared || is_of_own_block(order, site, write)) && order_is_before_all(order, write, site->access))
      continue; // sets it up
    site->is_released = true;
    if (write->is_natural && write->bytes == site->access->bytes && is_freed_by_holder(order, site, write))
      continue;
    site->is_disciplined = false;
    site->breaking_inst = write->inst;
  }
}

void order_find_locks(Order *order) {
  const Cfg *cfg = order->scan->cfg;
  for (uint32_t b = 0; b < cfg->block_count; b++)
    for (uint32_t s = cfg->succ_first[b]; s < cfg->succ_first[b + 1]; s++)
      if (cfg->rpo_number[b] != CFG_NONE) find_site(order, b, cfg->succs[s]);
  order_find_tokens(order);
  if (!order->lock_count) return;
  for (uint32_t s = 0; s < order->lock_count; s++)
    order_classify_address(order->scan, &order->locks[s].target, &order->locks[s].is_fixed,
                           &order->locks[s].is_of_block);
  find_effects(order);
  for (int class = 0; class < CLASS_COUNT; class ++) {
    order->must[class] = flow(order, class, true);
    order->may[class] = flow(order, class, false);
  }
  for (uint32_t s = 0; s < order->lock_count; s++)
    check_discipline(order, &order->locks[s]);
  for (uint32_t s = 0; s < order->lock_count; s++) {
    LockSite *site = &order->locks[s];
    if (!site->is_token) continue;
    site->is_disciplined = site->is_disciplined && order_is_token(order, site);
    if (!site->is_disciplined) order->dropped |= 1ull << s;
  }
}

// ---- held by the block
// --------------------------------------------------------------------------------------------------
typedef enum Holding { HOLDS_NOT, HOLDS_PERHAPS, HOLDS } Holding;

// Does a thread of the class hold the lock from the begin of the node to its end?
static Holding held_in_node(const Order *order, int class, uint32_t s, const Node *node) {
  Holding worst = HOLDS;
  uint64_t bit = 1ull << s;
  for (int is_must = 0; is_must < 2; is_must++) {
    uint64_t held = held_before(order, class, node->first, is_must);
    for (uint32_t i = node->first; i < node->end; i++)
      held &= ~(order->takes[i] | (is_must ? order->may_end[i] : order->ends[i]));
    if (held & bit) continue;
    if (!is_must) return HOLDS_NOT;
    worst = HOLDS_PERHAPS;
  }
  return worst;
}

// Between the block barriers around the access, does the leader hold the lock all the time? Then the whole
// block holds it towards other blocks.
static Holding held_by_block(Order *order, uint32_t s, const Access *access) {
  const Scan *scan = order->scan;
  Holding worst = HOLDS;
  for (uint32_t p = 0; p < scan->points.count; p++) {
    const uint8_t *nodes = order_interval(order, p);
    if (!nodes || !nodes[access->node]) continue;
    if (p > 0 && worst == HOLDS && !order_leader_arrives(scan, &scan->points.items[p])) worst = HOLDS_PERHAPS;
    for (uint32_t n = 0; n < scan->nodes.count; n++) {
      const Node *node = &scan->nodes.items[n];
      if (!nodes[n] || !order->is_reached[CLASS_LEADER][node->block]) continue;
      Holding here = held_in_node(order, CLASS_LEADER, s, node);
      if (here < worst) worst = here;
    }
  }
  return worst == HOLDS && !order->locks[s].is_of_block ? HOLDS_PERHAPS : worst;
}

// Between the warp barriers around the access, do the first lanes hold the lock all the time? Then each warp
// holds it towards other warps. Only where a fence of any lane does for the warp.
static bool held_by_warp(Order *order, uint32_t s, const Access *access) {
  const Scan *scan = order->scan;
  if (!order->locks[s].is_of_block || scan->request->options.memory_model != MEMORY_MODEL_CUDA) return false;
  bool any = false;
  for (uint32_t p = 0; p < scan->points.count; p++) {
    const uint8_t *nodes = order_warp_interval(order, p);
    if (!nodes || !nodes[access->node]) continue;
    if (p == 0 || !order_leader_arrives(scan, &scan->points.items[p])) return false;
    any = true;
    for (uint32_t n = 0; n < scan->nodes.count; n++)
      for (int class = CLASS_LEADER; class <= CLASS_FIRST_LANES; class ++) {
        const Node *node = &scan->nodes.items[n];
        if (nodes[n] && order->is_reached[class][node->block] && held_in_node(order, class, s, node) != HOLDS)
          return false;
      }
  }
  return any;
}

// Could another thread than the leader have taken it and handed it on at a barrier of any kind?
static bool is_handed_on_otherwise(const Order *order, uint32_t s, const Access *access) {
  const Scan *scan = order->scan;
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    const IrInst *inst = &scan->fn->insts.items[i];
    if (!order_is_barrier(scan, i) || scan->cfg->rpo_number[inst->block] == CFG_NONE) continue;
    for (int class = 0; class < CLASS_COUNT; class ++) {
      bool is_known = class == CLASS_LEADER && inst->scope >= IR_SCOPE_BLOCK; // held_by_block answers
      if (is_known || !order->is_reached[class][inst->block]) continue;
      if ((held_before(order, class, i, false) >> s & 1) && order_reaches(scan, i, access->inst)) return true;
    }
  }
  return false;
}

// ---- the two accesses
// ---------------------------------------------------------------------------------------------------
typedef enum Strictness { WITH_FENCES, WITHOUT_FENCES, PERHAPS_HELD, STRICTNESS_COUNT } Strictness;

typedef struct Deficit {
  const char *cause, *text;
} Deficit;

typedef struct LockQuestion {
  Order *order;
  const OrderQuestion *question;
  uint64_t must[2][CLASS_COUNT], may[2][CLASS_COUNT]; // by thread
  uint64_t own[2][CLASS_COUNT];                       // those of `may` that the thread itself may have taken
  Deficit deficit;                                    // the first that was met
} LockQuestion;

static uint64_t held_at(Order *order, const Instance *instance, int class, Extent extent, bool is_must) {
  uint64_t held = held_before(order, class, instance->access->inst, is_must);
  for (uint32_t s = 0; s < order->lock_count; s++) {
    uint64_t bit = 1ull << s;
    Holding by_block = extent == EXTENT_INTER_BLOCK ? held_by_block(order, s, instance->access) : HOLDS_NOT;
    if (by_block == HOLDS || (!is_must && by_block == HOLDS_PERHAPS)) held |= bit;
    if (extent != EXTENT_INTRA_WARP && !(held & bit) && held_by_warp(order, s, instance->access)) held |= bit;
    if (!is_must && is_handed_on_otherwise(order, s, instance->access)) held |= bit;
  }
  return held;
}

// A part of the way from the one instruction to the other that needs a fence, and has none, or a narrow one;
// `pattern` says which part, of the lock at line %u.
static Deficit fence_deficit(const Scan *scan, IrScope needed, const char *missing, uint32_t from,
                             uint32_t to, const char *pattern) {
  uint32_t fence = order_narrow_fence(scan, from, to, needed);
  uint32_t lock = strcmp(missing, "missing-fence") == 0 ? to : from;
  const char *where = arena_printf(scan->arena, "%s at line %u", pattern, order_line(scan, lock));
  if (fence != CFG_NONE)
    return (Deficit){"insufficient-scope-fence",
                     arena_printf(scan->arena, "%s; the fence between it and the access, at line %u, has %s",
                                  where, order_line(scan, fence), order_narrow_words(needed))};
  return (Deficit){missing,
                   arena_printf(scan->arena, "%s; no fence stands between it and the access", where)};
}

static Deficit release_deficit(const Order *order, int class, const Access *release, uint32_t inst,
                               IrScope needed) {
  const Scan *scan = order->scan;
  IrScope scope = order_scope_of(scan, release);
  if (scope == IR_SCOPE_THREAD)
    return (Deficit){"plain-release",
                     arena_printf(scan->arena, "the lock is given back by a plain store at line %u",
                                  order_line(scan, release->inst))};
  if (scope < needed)
    return (Deficit){"insufficient-scope-lock",
                     arena_printf(scan->arena, "lock given back at line %u with %s",
                                  order_line(scan, release->inst), order_narrow_words(needed))};
  bool is_of_one = class == CLASS_LEADER && order_only_leader(order, release->inst);
  if (release->inst != inst && order_lacks_release(scan, inst, release->inst, needed, is_of_one))
    return fence_deficit(scan, needed, "missing-fence", inst, release->inst, "lock given back");
  return (Deficit){0};
}

// A third holder that gives the lock back by a store, not by an update of the word, passes on what it has
// heard only with a fence of its own.
static Deficit relay_deficit(const Order *order, const LockSite *site, IrScope needed) {
  const Scan *scan = order->scan;
  uint64_t bit = 1ull << (site - order->locks);
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *write = &scan->accesses.items[a];
    const IrInst *inst = &scan->fn->insts.items[write->inst];
    if (inst->op != IR_STORE || !(order->may_end[write->inst] & bit)) continue;
    uint64_t held = 0;
    for (int class = 0; class < CLASS_COUNT; class ++)
      held |= held_before(order, class, write->inst, true);
    for (uint32_t s = 0; s < order->lock_count; s++) {
      uint32_t take = order->locks[s].access->inst;
      if (!(held >> s & 1) || !is_same_word(order, write, &order->locks[s].target)) continue;
      if (!order_hands_on(scan, take, write->inst, needed))
        return fence_deficit(scan, needed, "missing-fence", take, write->inst,
                             "lock passed on by a third thread");
    }
  }
  return (Deficit){0};
}

// What keeps the lock from ordering this access with those of other holders; no cause: nothing.
static Deficit find_deficit(const Order *order, int class, const LockSite *site, uint32_t inst,
                            IrScope needed) {
  const Scan *scan = order->scan;
  if (order_scope_of(scan, site->access) < needed)
    return (Deficit){site->is_released ? "insufficient-scope-lock" : "insufficient-scope-atomic",
                     arena_printf(scan->arena, "lock acquired at line %u with %s",
                                  order_line(scan, site->access->inst), order_narrow_words(needed))};
  if (!site->is_released) return (Deficit){0}; // nobody else ever gets it: nothing needs to be ordered
  if (!order_acquires(scan, site->access->inst) &&
      order_lacks_fence(scan, site->access->inst, inst, needed, SIDE_ACQUIRE))
    return fence_deficit(scan, needed, "missing-acquire-fence", site->access->inst, inst, "lock acquired");
  uint64_t bit = 1ull << (site - order->locks);
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *release = &scan->accesses.items[a];
    if (release->kind == ACCESS_READ || !(order->may_end[release->inst] & bit) ||
        (release->inst != inst && !order_reaches(scan, inst, release->inst)))
      continue;
    Deficit deficit = release_deficit(order, class, release, inst, needed);
    if (deficit.cause) return deficit;
  }
  return relay_deficit(order, site, needed);
}

// Whoever makes the access under this lock never gives it back afterwards: what is given back later has been
// taken anew.
static bool is_kept(const Order *order, uint32_t s, uint32_t inst) {
  const Scan *scan = order->scan;
  uint32_t count = scan->fn->insts.count;
  uint8_t *gives = arena_array(scan->arena, count + 1, uint8_t),
          *takes = arena_array(scan->arena, count + 1, uint8_t);
  for (uint32_t i = 0; i < count; i++) {
    takes[i] = order->takes[i] >> s & 1;
    gives[i] = !takes[i] && (order->may_end[i] >> s & 1);
  }
  OrderWalk walk = {.from = inst, .wanted = gives, .avoided = takes};
  return !gives[inst] && !order_walks(order, &walk);
}

// One of the two threads only ever gets it: nothing needs to be ordered.
static bool is_claim(const LockQuestion *ask, uint32_t s) {
  const LockSite *site = &ask->order->locks[s];
  IrScope needed = order_scope_needed(ask->question->extent);
  return !site->is_token && order_scope_of(ask->order->scan, site->access) >= needed &&
         is_kept(ask->order, s, ask->question->instances[0]->access->inst) &&
         is_kept(ask->order, s, ask->question->instances[1]->access->inst);
}

static bool counts(LockQuestion *ask, int thread, int class, uint32_t s, Strictness strictness) {
  Order *order = ask->order;
  const LockSite *site = &order->locks[s];
  uint32_t inst = ask->question->instances[thread]->access->inst;
  uint64_t held = strictness == PERHAPS_HELD ? ask->may[thread][class] : ask->must[thread][class];
  if (!(held >> s & 1)) return false;
  if (strictness == PERHAPS_HELD) return true;
  if (!site->is_disciplined || !address_stays(order, site, inst)) return false;
  if (strictness == WITHOUT_FENCES) return true;
  if (is_claim(ask, s)) return true;
  Deficit deficit = find_deficit(order, class, site, inst, order_scope_needed(ask->question->extent));
  if (deficit.cause && !ask->deficit.cause) ask->deficit = deficit;
  return deficit.cause == NULL;
}

// Condition that the locks are not one word.
static ExprRef locks_differ(LockQuestion *ask, const LockSite *one, const LockSite *two) {
  ExprPool *pool = ask->order->scan->pool;
  const OrderQuestion *question = ask->question;
  const Obj *objects = ask->order->scan->objects.items;
  SymValue p = frame_value(question->instances[0]->frame, one->access->address),
           q = frame_value(question->instances[1]->frame, two->access->address);
  ExprRef differ = expr_bool(pool, true);
  if (p.kind != SYM_POINTER || q.kind != SYM_POINTER || p.target_count != 1 || q.target_count != 1)
    return differ;
  const Target *a = &p.targets[0], *b = &q.targets[0];
  bool is_per_block = objects[a->object].kind == OBJ_SHARED && question->extent == EXTENT_INTER_BLOCK;
  if (a->object != b->object || is_per_block || one->is_token != two->is_token ||
      (!one->is_token && one->free_value != two->free_value))
    return differ;
  differ = expr_not(pool, expr_eq(pool, a->offset, b->offset));
  if (a->key && b->key) differ = expr_or(pool, differ, expr_not(pool, expr_eq(pool, a->key, b->key)));
  return differ;
}

// Two lanes for both of which the first lane of their warp holds the lock are not kept apart by it.
static bool is_one_holder(const LockQuestion *ask, int one, int two, uint32_t s, uint32_t t) {
  const Order *order = ask->order;
  uint32_t block = order->scan->fn->insts.items[order->locks[s].access->inst].block;
  return !order->is_reached[CLASS_OTHERS][block] && ask->question->extent == EXTENT_INTRA_WARP && s == t &&
         !(ask->own[0][one] >> s & 1) && !(ask->own[1][two] >> t & 1);
}

// Condition that no lock that counts is held by both.
static ExprRef not_excluded(LockQuestion *ask, int one, int two, Strictness strictness) {
  ExprPool *pool = ask->order->scan->pool;
  ExprRef open = expr_bool(pool, true);
  for (uint32_t s = 0; s < ask->order->lock_count; s++)
    for (uint32_t t = 0; t < ask->order->lock_count; t++)
      if (counts(ask, 0, one, s, strictness) && counts(ask, 1, two, t, strictness) &&
          !is_one_holder(ask, one, two, s, t))
        open = expr_and(pool, open, locks_differ(ask, &ask->order->locks[s], &ask->order->locks[t]));
  return open;
}

static ExprRef class_condition(LockQuestion *ask, int thread, int class) {
  const View *view = ask->question->instances[thread]->frame->view;
  return order_class_condition(ask->order->scan, view, class);
}

static ExprRef open_condition(LockQuestion *ask, Strictness strictness) {
  Order *order = ask->order;
  ExprPool *pool = order->scan->pool;
  ExprRef open = expr_bool(pool, false), first = 0;
  bool is_same = true;
  for (int one = 0; one < CLASS_COUNT; one++)
    for (int two = 0; two < CLASS_COUNT; two++) {
      const IrInst *insts = order->scan->fn->insts.items;
      if (!order->is_reached[one][insts[ask->question->instances[0]->access->inst].block] ||
          !order->is_reached[two][insts[ask->question->instances[1]->access->inst].block])
        continue;
      ExprRef here = not_excluded(ask, one, two, strictness);
      ExprRef who = expr_and(pool, class_condition(ask, 0, one), class_condition(ask, 1, two));
      open = expr_or(pool, open, expr_and(pool, who, here));
      is_same &= !first || first == here;
      first = here;
    }
  return is_same && first ? first : open; // who they are does not matter
}

// A model of its own is only there if something was added to the goal.
static SolverAnswer ask_open(LockQuestion *ask, Strictness strictness) {
  Scan *scan = ask->order->scan;
  ExprRef open = open_condition(ask, strictness);
  if (expr_is_false(scan->pool, open)) return (SolverAnswer){.verdict = VERDICT_SAFE};
  if (expr_is_true(scan->pool, open)) return (SolverAnswer){.verdict = VERDICT_RACE};
  Goal goal = order_copy_goal(scan, ask->question->goal);
  goal_add(scan, &goal, open, GOAL_CONFLICT, 0);
  SolverAnswer answer =
      goal_decide(scan, &goal, arena_printf(scan->arena, "%s, not under one lock", ask->question->name));
  if (answer.verdict == VERDICT_DEAD) answer.verdict = VERDICT_SAFE;
  order_is_refuted(scan, &answer);
  return answer;
}

static const SolverAnswer *keep_model(const LockQuestion *ask, const SolverAnswer *answer) {
  return answer->sym_values ? arena_copy(ask->order->scan->arena, answer, sizeof *answer) : NULL;
}

// Whoever makes the access holds a lock: the line where one is acquired; 0: not so.
static uint32_t line_of_lock(const LockQuestion *ask, int thread) {
  const Order *order = ask->order;
  uint32_t block = order->scan->fn->insts.items[ask->question->instances[thread]->access->inst].block;
  uint64_t disciplined = 0, held = 0;
  for (uint32_t s = 0; s < order->lock_count; s++)
    disciplined |= (uint64_t)order->locks[s].is_disciplined << s;
  for (int class = 0; class < CLASS_COUNT; class ++) {
    if (!order->is_reached[class][block]) continue;
    uint64_t of_class = ask->must[thread][class] & disciplined;
    if (!of_class) return 0;
    held |= of_class;
  }
  for (uint32_t s = 0; s < order->lock_count; s++)
    if (held >> s & 1) return order_line(order->scan, order->locks[s].access->inst);
  return 0;
}

// Do accesses elsewhere in the kernel touch the same object under a lock?
static bool object_is_locked_elsewhere(Order *order, uint32_t object) {
  const Scan *scan = order->scan;
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *access = &scan->accesses.items[a];
    SymValue address = frame_value(order->anyone, access->address);
    for (uint32_t i = 0; i < address.target_count; i++)
      if (address.targets[i].object == object && access->kind != ACCESS_ATOMIC &&
          held_before(order, CLASS_LEADER, access->inst, true))
        return true;
  }
  return false;
}

static const char *first_broken(const LockQuestion *ask) {
  const Order *order = ask->order;
  for (uint32_t s = 0; s < order->lock_count; s++) {
    uint64_t held = 0;
    for (int class = 0; class < CLASS_COUNT; class ++)
      held |= ask->may[0][class] | ask->may[1][class];
    const LockSite *site = &order->locks[s];
    if (!(held >> s & 1) || site->is_disciplined) continue;
    if (!site->breaking_inst) break;
    return arena_printf(
        order->scan->arena,
        "the word taken as a lock at line %u is also written at line %u, perhaps without holding it",
        order_line(order->scan, site->access->inst), order_line(order->scan, site->breaking_inst));
  }
  return "whether both threads hold one lock there depends on the way";
}

static OrderAnswer answer_open(LockQuestion *ask, const SolverAnswer *model) {
  OrderAnswer answer = {.witness = keep_model(ask, model)};
  const Instance *const *instances = ask->question->instances;
  if (instances[0]->access->kind == ACCESS_ATOMIC || instances[1]->access->kind == ACCESS_ATOMIC)
    return answer; // the atomic operation says more
  uint32_t one = line_of_lock(ask, 0), two = line_of_lock(ask, 1);
  Arena *arena = ask->order->scan->arena;
  if (one && two) {
    answer.cause = "different-locks";
    answer.text = arena_printf(
        arena,
        one == two ? "both accesses are made under a lock acquired at line %u, but each under another one"
                   : "each access is made under a lock, acquired at line %u and at line %u, but not under "
                     "the same one",
        one, two);
  } else if (one || two) {
    uint32_t bare = instances[one ? 1 : 0]->access->inst;
    answer.cause = "unlocked-access";
    answer.text = arena_printf(
        arena, "one access is made under the lock acquired at line %u, the other one, at line %u, is not",
        one ? one : two, order_line(ask->order->scan, bare));
  } else if (object_is_locked_elsewhere(ask->order, ask->question->targets[0]->object)) {
    answer.cause = "unlocked-access";
    answer.text = "other accesses to this memory are made under a lock, these two are not";
  }
  return answer;
}

OrderAnswer order_by_locks(Order *order, const OrderQuestion *question) {
  LockQuestion ask = {.order = order, .question = question};
  if (!order->lock_count) return (OrderAnswer){0};
  for (int t = 0; t < 2; t++)
    for (int class = 0; class < CLASS_COUNT; class ++) {
      ask.must[t][class] = held_at(order, question->instances[t], class, question->extent, true);
      ask.may[t][class] = held_at(order, question->instances[t], class, question->extent, false);
      ask.own[t][class] = held_before(order, class, question->instances[t]->access->inst, false);
    }
  SolverAnswer models[STRICTNESS_COUNT];
  for (int strictness = 0; strictness < STRICTNESS_COUNT; strictness++) {
    models[strictness] = ask_open(&ask, (Strictness)strictness);
    Verdict verdict = models[strictness].verdict;
    if (verdict == VERDICT_UNKNOWN)
      return (OrderAnswer){.text = "could not decide whether both threads hold the same lock"};
    if (verdict == VERDICT_RACE) continue;
    if (strictness == WITH_FENCES) return (OrderAnswer){.verdict = ORDER_PROTECTED};
    if (strictness == PERHAPS_HELD) return (OrderAnswer){.text = first_broken(&ask)};
    return (OrderAnswer){.verdict = ORDER_UNPROTECTED,
                         .cause = ask.deficit.cause,
                         .text = ask.deficit.text,
                         .witness = keep_model(&ask, &models[WITH_FENCES])};
  }
  return answer_open(&ask, &models[WITHOUT_FENCES]);
}

// ---- misuse
// ----------------------------------------------------------------------------------------------------
bool order_holds_word(const Order *order, const Access *access, uint32_t *held) {
  uint32_t block = order->scan->fn->insts.items[access->inst].block;
  bool any = false;
  for (int class = 0; class < CLASS_COUNT; class ++) {
    if (!order->is_reached[class][block]) continue;
    uint64_t locks = held_before(order, class, access->inst, true);
    bool holds = false;
    for (uint32_t s = 0; s < order->lock_count; s++) {
      const LockSite *site = &order->locks[s];
      if (!(locks >> s & 1) || !site->is_fixed || !is_same_word(order, access, &site->target)) continue;
      holds = true;
      *held = site->access->inst;
    }
    if (!holds) return false;
    any = true;
  }
  return any;
}

bool order_gives_back(const Order *order, const LockSite *site, uint32_t inst) {
  return order->ends[inst] >> (site - order->locks) & 1;
}

bool order_may_hold(Order *order, const LockSite *site, const Access *write) {
  const Scan *scan = order->scan;
  for (uint32_t s = 0; s < order->lock_count; s++) {
    if (!order_may_touch(order, order->locks[s].access, &site->target, site->access->bytes)) continue;
    bool is_other = is_another_word(order, &order->locks[s], write);
    for (int class = 0; class < CLASS_COUNT; class ++) {
      if (!is_other && (held_before(order, class, write->inst, false) >> s & 1)) return true;
      for (uint32_t i = 0; i < scan->fn->insts.count; i++) // handed on at a barrier
        if (order_is_barrier(scan, i) && (held_before(order, class, i, false) >> s & 1)) return true;
    }
  }
  bool is_shared = scan->objects.items[site->target.object].kind == OBJ_SHARED;
  return is_shared && order_is_before_all(order, write, site->access); // sets it up
}

bool order_must_hold_at(const Order *order, uint32_t lock, uint32_t inst) {
  uint32_t block = order->scan->fn->insts.items[inst].block;
  bool any = false;
  for (int class = 0; class < CLASS_COUNT; class ++) {
    if (!order->is_reached[class][block]) continue;
    if (!(held_before(order, class, inst, true) >> lock & 1)) return false;
    any = true;
  }
  return any;
}
