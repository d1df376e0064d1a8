// Two loops of the host go through the same keys: the first counts how often each comes, the second gives to each round the place of its
// key that is next (`for (e..) row[key[e] + 1]++; ... for (e..) place[e] = row[key[e]]++;`). How many come of each, and which round is
// which among those of its key? Method: a loop that does nothing to an array but add one to one element in each round
// leaves there what was there and a count, a function of the key; the function is the same one for all loops that are
// left only by the same test and compute the same key in each round. What such a loop finds in the element of a round is
// what lay there before the loop and the round's number among those of its key: below the count, and key and number
// together say which round it is.
// Soundness: exact, but for words that overflow (A1). Texts are compared, of what the same places of the program have
// read: keys that are written between the loops are others, and so are loops that are left in the middle.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/contents/fill.h"
#include "core/bug.h"
#include "hostscan/objects.h"
#include "hostscan/series.h"
#include "hostscan/terms.h"
#include "hostscan/value.h"

enum { DEPTH = 12 };

// ---- what is the same in a round of one loop and in the round of that number of another one
typedef struct Rounds {
  HostScan *scan;
  HostLoopPlace one, other;
} Rounds;

static bool same(const Rounds *rounds, ExprRef a, ExprRef b, int depth);

// Read at one place of the program in front of both loops.
static bool same_content(const Rounds *rounds, const HostSym *a, const HostSym *b, int depth) {
  bool is_content = a->holder && a->holder == b->holder && a->cell_offset && b->cell_offset;
  bool is_there = a->place && a->place == b->place && a->place_frame == b->place_frame &&
                  a->place_index == b->place_index;
  if (!is_content || !is_there || fill_is_read_in(a, rounds->one) || fill_is_read_in(a, rounds->other))
    return false;
  return same(rounds, a->cell_offset, b->cell_offset, depth - 1);
}

static bool same_symbol(const Rounds *rounds, ExprRef a, ExprRef b, int depth) {
  HostScan *scan = rounds->scan;
  const HostLoopPlace *one = &rounds->one, *other = &rounds->other;
  if (a == host_loop_count(scan, one->frame, one->loop))
    return b == host_loop_count(scan, other->frame, other->loop);
  uint32_t x = (uint32_t)expr_node(scan->pool, a)->value, y = (uint32_t)expr_node(scan->pool, b)->value;
  if (x == y)
    return !host_sym_varies(scan, x, one->frame, one->loop) &&
           !host_sym_varies(scan, x, other->frame, other->loop);
  const HostSym first = *host_sym(scan, x), second = *host_sym(scan, y);
  return expr_width(scan->pool, a) == expr_width(scan->pool, b) &&
         same_content(rounds, &first, &second, depth);
}

static bool same(const Rounds *rounds, ExprRef a, ExprRef b, int depth) {
  if (!a || !b || depth == 0) return a == b && !a;
  ExprNode x = *expr_node(rounds->scan->pool, a), y = *expr_node(rounds->scan->pool, b);
  if (x.op != y.op || x.width != y.width || x.arg_count != y.arg_count) return false;
  if (x.op == EXPR_SYM) return same_symbol(rounds, a, b, depth);
  if (x.value != y.value || x.arg_count) return false;
  return same(rounds, x.a, y.a, depth - 1) && same(rounds, x.b, y.b, depth - 1) &&
         same(rounds, x.c, y.c, depth - 1);
}

// ---- loops that count

// Whether a round begins, where the loop is left nowhere else; 0: not so.
static ExprRef test_of(HostScan *scan, HostLoopPlace loop) {
  const HostFunction *function = loop.frame->function;
  const Cfg *cfg = function->cfg;
  const CfgLoop *info = &cfg->loops.items[loop.loop];
  for (uint32_t i = 0; i < info->blocks.count; i++) {
    uint32_t at = info->blocks.items[i];
    for (uint32_t e = cfg->succ_first[at]; at != info->header && e < cfg->succ_first[at + 1]; e++)
      if (!cfg_loop_contains(cfg, loop.loop, cfg->succs[e])) return 0;
  }
  const IrInst *end = ir_terminator(function->ir, info->header);
  if (end->op != IR_CONDBR || !cfg_loop_contains(cfg, loop.loop, end->blocks[0]) ||
      cfg_loop_contains(cfg, loop.loop, end->blocks[1]))
    return 0;
  return host_settle(scan, host_value(scan, loop.frame, end->ops[0]));
}

// A number that is added to an offset, in its text; *rest: the offset without it.
static int64_t number_in(ExprPool *pool, ExprRef offset, ExprRef *rest) {
  ExprNode node = *expr_node(pool, offset);
  int64_t by = 0, number = 0;
  *rest = offset;
  bool is_exact = node.flags & (EXPR_NSW | EXPR_ADDRESS) || node.width == 64;
  if (node.op == EXPR_SEXT) {
    number = number_in(pool, node.a, rest);
    *rest = expr_resize_signed(pool, *rest, node.width);
  } else if (node.op == EXPR_MUL && is_exact && expr_is_const(pool, node.b, &by) && by > 0 && by < 1 << 16) {
    number = number_in(pool, node.a, rest) * by;
    *rest = expr_binary(pool, EXPR_MUL, EXPR_NSW, *rest, node.b);
  } else if (node.op == EXPR_ADD && is_exact && expr_is_const(pool, node.b, &by) && by > INT32_MIN &&
             by < INT32_MAX) {
    number = number_in(pool, node.a, rest) + by;
  }
  return number;
}

static bool adds_one(HostScan *scan, const Fill *fill) {
  const FillStore *store = fill->store;
  int64_t amount = 0, apart = 1;
  if (!store->value || store->frame != fill->frame || store->bytes != fill->cell.bytes ||
      !fill_is_always_made(fill))
    return false;
  ExprNode sum = *expr_node(scan->pool, host_settle(scan, store->value));
  return sum.op == EXPR_ADD && sum.flags & EXPR_NSW && expr_is_const(scan->pool, sum.b, &amount) &&
         amount == 1 && fill_is_beside(fill, sum.a, &apart) && apart == 0;
}

static uint32_t same_count(HostScan *scan, const HostKeyCount *made) {
  for (uint32_t i = 0; i < scan->key_counts.count; i++) {
    const HostKeyCount *known = &scan->key_counts.items[i];
    Rounds rounds = {scan, known->loop, made->loop};
    if (expr_func_info(scan->pool, known->func)->width == made->cell.bytes * 8 &&
        same(&rounds, known->key, made->key, DEPTH) && same(&rounds, known->test, made->test, DEPTH))
      return known->func;
  }
  uint8_t width = (uint8_t)(made->cell.bytes * 8);
  ExprFunc info = {.name = "count", .width = width, .kind = SYM_HOST_VALUE, .hi = INT64_MAX >> (64 - width)};
  return expr_new_func(scan->pool, info);
}

// Keys that come are places in the array (A7).
static void keep_inside(HostScan *scan, const HostKeyCount *count) {
  ExprPool *pool = scan->pool;
  ExprRef size = host_object_size(scan, count->cell.base);
  if (!size) return;
  size = expr_resize_signed(pool, host_settle(scan, size), 64);
  ExprRef key = host_element(scan), number = expr_app(pool, count->func, 1, &key);
  ExprRef none = expr_const(pool, (uint8_t)(count->cell.bytes * 8), 0);
  ExprRef place = host_add_offset(scan, key, expr_const(pool, 64, count->before));
  ExprRef end = host_add_offset(scan, place, expr_const(pool, 64, count->cell.bytes));
  ExprRef inside = expr_and(pool, expr_binary(pool, EXPR_SLE, 0, expr_const(pool, 64, 0), place),
                            expr_binary(pool, EXPR_SLE, 0, end, size));
  host_fill_fact(scan, count->func, expr_or(pool, expr_binary(pool, EXPR_SLE, 0, number, none), inside));
}

// The count is made once for each loop and array.
static HostKeyCount count_of(HostScan *scan, HostKeyCount made) {
  for (uint32_t i = 0; i < scan->key_counts.count; i++) {
    const HostKeyCount *known = &scan->key_counts.items[i];
    if (known->loop.frame == made.loop.frame && known->loop.loop == made.loop.loop &&
        known->cell.base == made.cell.base && known->cell.bytes == made.cell.bytes &&
        known->key == made.key && known->before == made.before && known->test == made.test)
      return *known;
  }
  made.func = same_count(scan, &made);
  vec_push(scan->arena, &scan->key_counts, made);
  keep_inside(scan, &made);
  return made;
}

static bool read_counting(HostScan *scan, HostLoopPlace loop, HostCell cell, const FillStore **store,
                          HostKeyCount *out) {
  FillStores *stores = arena_new(scan->arena, FillStores);
  stores->loop = loop;
  if (!fill_list_stores(scan, cell, stores) || stores->host.count != 1 || stores->device.count) return false;
  Fill fill = {
      .scan = scan, .frame = loop.frame, .loop = loop.loop, .cell = cell, .store = stores->host.items};
  HostKeyCount made = {.loop = loop, .cell = cell};
  made.test = adds_one(scan, &fill) ? test_of(scan, loop) : 0;
  if (!made.test) return false;
  made.before = number_in(scan->pool, host_gather(scan, host_settle(scan, fill.store->offset)), &made.key);
  *out = count_of(scan, made);
  *store = fill.store;
  return true;
}

static ExprRef count_at(HostScan *scan, const HostKeyCount *count, ExprRef place) {
  ExprRef key = host_add_offset(scan, place, expr_const(scan->pool, 64, -count->before));
  return expr_app(scan->pool, count->func, 1, &key);
}

// What was there and the count. What nobody has written may have been anything, but nobody reads it (A12).
static ExprRef with_count(HostScan *scan, ExprRef before, ExprRef count) {
  ExprPool *pool = scan->pool;
  ExprNode node = *expr_node(pool, before);
  if (host_is_uninitialised(scan, before)) return before;
  if (node.op != EXPR_ITE) return expr_binary(pool, EXPR_ADD, EXPR_NSW, before, count);
  return expr_ite(pool, node.a, with_count(scan, node.b, count), with_count(scan, node.c, count));
}

// In a round, what has come so far; all, where the loop is left.
static ExprRef count_so_far(HostScan *scan, const HostKeyCount *count, ExprRef place) {
  ExprPool *pool = scan->pool;
  ExprRef all = count_at(scan, count, place);
  ExprFunc info = *expr_func_info(pool, count->func);
  info.name = "count so far";
  uint32_t func = expr_new_func(pool, info);
  ExprRef part = expr_app(pool, func, 1, &place);
  vec_push(scan->arena, &scan->part_counts, func);
  host_fill_fact(scan, func, expr_binary(pool, EXPR_SLE, 0, part, all));
  host_fill_fact(scan, func, expr_or(pool, count->test, expr_eq(pool, part, all)));
  return part;
}

ExprRef fill_count(const Fill *fill) {
  HostScan *scan = fill->scan;
  const FillStore *store = NULL;
  HostKeyCount count;
  HostLoopPlace loop = {fill->frame, fill->loop};
  if (!fill->before || !read_counting(scan, loop, fill->cell, &store, &count)) return 0;
  return with_count(scan, fill->before, count_so_far(scan, &count, fill->cell.offset));
}

// ---- the number of a round among those of its key

// What the array holds on entry to the loop; 0: there are several ways in.
static ExprRef before_loop(HostScan *scan, HostLoopPlace loop, HostCell cell) {
  const Cfg *cfg = loop.frame->function->cfg;
  uint32_t header = cfg->loops.items[loop.loop].header, from = CFG_NONE;
  for (uint32_t e = cfg->pred_first[header]; e < cfg->pred_first[header + 1]; e++) {
    if (cfg_loop_contains(cfg, loop.loop, cfg->preds[e])) continue;
    if (from != CFG_NONE) return 0;
    from = cfg->preds[e];
  }
  return from == CFG_NONE ? 0 : host_settle(scan, host_cell_at_end(scan, loop.frame, from, header, cell));
}

static ExprRef new_function(HostScan *scan, ExprFunc info, uint32_t count, const ExprRef *args) {
  info.kind = SYM_HOST_VALUE;
  return expr_app(scan->pool, expr_new_func(scan->pool, info), count, args);
}

ExprRef fill_number(Fill *fill, uint32_t symbol) {
  HostScan *scan = fill->scan;
  ExprPool *pool = scan->pool;
  const HostSym sym = *host_sym(scan, symbol);
  uint8_t width = expr_sym_info(pool, symbol)->width;
  HostLoopPlace loop = {fill->frame, fill->loop};
  if (!sym.holder || width < 32 || !sym.cell_offset) return 0;
  HostCell cell = {scan->objects.items[sym.holder].leaf, host_element(scan), width / 8, IR_INT};
  HostKeyCount count;
  const FillStore *store = NULL;
  int64_t apart = 1;
  if (!fill_is_at_header(scan, loop, symbol, cell) || !read_counting(scan, loop, cell, &store, &count))
    return 0;
  ExprRef distance = expr_binary(pool, EXPR_SUB, EXPR_ADDRESS, sym.cell_offset, store->offset);
  ExprRef before = before_loop(scan, loop, cell);
  if (!expr_is_const(pool, host_gather(scan, host_settle(scan, distance)), &apart) || apart != 0 || !before ||
      host_weight(scan, before) > HOST_HEAVY)
    return 0;
  bool varies = false;
  ExprRef place = fill_then(fill, sym.cell_offset, &varies),
          round = fill_then(fill, host_loop_count(scan, loop.frame, loop.loop), &varies);
  ExprFunc of_round = {
      .name = "number among those of its key", .width = width, .hi = INT64_MAX >> (64 - width)};
  ExprRef number = new_function(scan, of_round, 1, &round), pair[] = {place, number};
  ExprFunc of_pair = {.name = "round", .width = expr_width(pool, round)};
  fill_keep(fill, expr_binary(pool, EXPR_SLT, 0, number, count_at(scan, &count, place)));
  fill_keep(fill, expr_eq(pool, new_function(scan, of_pair, 2, pair), round));
  fill_keep(fill, expr_binary(pool, EXPR_SLE, 0, expr_const(pool, 64, 0), place)); // in the array (A7)
  // What is said of sums speaks of two elements side by side: the next one is mentioned.
  ExprFunc of_next = {.name = "next", .width = width};
  ExprRef next = host_add_offset(scan, place, expr_const(pool, 64, cell.bytes));
  fill_keep(fill, expr_eq(pool, new_function(scan, of_next, 1, &place), host_at_element(scan, before, next)));
  ExprRef begin = host_at_element(scan, before, place);
  return expr_binary(pool, EXPR_ADD, EXPR_NSW, begin, number);
}

// Does the value say how often a key has come?
static bool is_counted(const HostScan *scan, ExprRef value) {
  return host_holds_func(scan->pool, value, &scan->part_counts);
}

ExprRef fill_counted_before(Fill *fill, uint32_t symbol) {
  HostScan *scan = fill->scan;
  const HostSym sym = *host_sym(scan, symbol);
  uint8_t width = expr_sym_info(scan->pool, symbol)->width;
  if (!sym.holder || !sym.place || !sym.cell_offset || width < 32) return 0;
  HostCell cell = {scan->objects.items[sym.holder].leaf, host_element(scan), width / 8, IR_INT};
  if (cell.base == fill->cell.base || fill_is_read_in(&sym, (HostLoopPlace){fill->frame, fill->loop}))
    return 0;
  ExprRef there = fill_content(scan, &sym, cell);
  bool varies = false;
  if (!there || host_weight(scan, there) > HOST_HEAVY / 4 || !is_counted(scan, there)) return 0;
  return host_at_element(scan, there, fill_then(fill, sym.cell_offset, &varies));
}
