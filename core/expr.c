// How are expressions stored? As a hash-consed DAG: a node is made once, so equal refs mean equal structure
// (Filliatre and Conchon, "Type-Safe Modular Hash-Consing", 2006). Each node carries a range computed when it
// is made. Soundness: ranges over-approximate; NSW, NUW and ADDRESS arithmetic is taken not to leave its
// width (A1).
// SPDX-License-Identifier: Apache-2.0
#include "core/expr_internal.h"

#include "core/bug.h"

#include <stdlib.h>
#include <string.h>

ExprRange expr_width_range(uint8_t width) {
  ASSERT(expr_is_width(width));
  if (width == 1) return (ExprRange){0, 1};
  if (width >= 64) return (ExprRange){INT64_MIN, INT64_MAX};
  int64_t half = (int64_t)1 << (width - 1);
  return (ExprRange){-half, half - 1};
}

static ExprRef add_node(ExprPool *pool, ExprNode node, ExprRange range) {
  ExprRef ref = pool->count++;
  if (ref % EXPR_PAGE == 0) vec_push(pool->arena, &pool->pages, arena_new(pool->arena, ExprPage));
  ExprPage *page = pool->pages.items[ref / EXPR_PAGE];
  page->nodes[ref % EXPR_PAGE] = node;
  page->ranges[ref % EXPR_PAGE] = range;
  return ref;
}

ExprPool *expr_pool_make(Arena *arena) {
  ExprPool *pool = arena_new(arena, ExprPool);
  pool->arena = arena;
  add_node(pool, (ExprNode){0}, (ExprRange){0, 0});
  return pool;
}

ExprPool *expr_pool_clone(const ExprPool *pool, Arena *arena) {
  ExprPool *copy = arena_new(arena, ExprPool);
  copy->arena = arena;
  for (ExprRef ref = 0; ref < pool->count; ref++) {
    ExprNode node = *expr_at(pool, ref);
    if (node.op == EXPR_APP) node.args = arena_copy(arena, node.args, node.arg_count * sizeof(ExprRef));
    add_node(copy, node, expr_ref_range(pool, ref));
  }
  for (uint32_t i = 0; i < pool->syms.count; i++)
    vec_push(arena, &copy->syms, pool->syms.items[i]);
  for (uint32_t i = 0; i < pool->funcs.count; i++)
    vec_push(arena, &copy->funcs, pool->funcs.items[i]);
  for (uint32_t i = 0; i < pool->names.count; i++)
    expr_set_name(copy, pool->named.items[i], pool->names.items[i]);
  copy->table = table_copy(arena, &pool->table);
  copy->func_table = table_copy(arena, &pool->func_table);
  return copy;
}

uint32_t expr_count(const ExprPool *pool) {
  return pool->count - 1;
}

const ExprNode *expr_node(const ExprPool *pool, ExprRef ref) {
  BUG_UNLESS(ref > 0 && ref < pool->count);
  return expr_at(pool, ref);
}

uint32_t expr_sym_count(const ExprPool *pool) {
  return pool->syms.count;
}
const ExprSym *expr_sym_info(const ExprPool *pool, uint32_t sym) {
  BUG_UNLESS(sym < pool->syms.count);
  return &pool->syms.items[sym];
}
void expr_sym_rename(ExprPool *pool, uint32_t sym, const char *name) {
  ASSERT(name);
  BUG_UNLESS(sym < pool->syms.count);
  pool->syms.items[sym].name = name;
}
void expr_set_name(ExprPool *pool, ExprRef ref, ExprName name) {
  BUG_UNLESS(ref > 0 && ref < pool->count);
  if (!name.name || map_get(&pool->name_of, ref)) return;
  vec_push(pool->arena, &pool->names, name);
  vec_push(pool->arena, &pool->named, ref);
  map_set(pool->arena, &pool->name_of, ref, pool->names.count);
}
const ExprName *expr_name(const ExprPool *pool, ExprRef ref) {
  ASSERT(expr_is_of(pool, ref));
  uint32_t number = map_get(&pool->name_of, ref);
  return number ? &pool->names.items[number - 1] : NULL;
}
uint32_t expr_func_count(const ExprPool *pool) {
  return pool->funcs.count;
}
const ExprFunc *expr_func_info(const ExprPool *pool, uint32_t func) {
  BUG_UNLESS(func < pool->funcs.count);
  return &pool->funcs.items[func];
}
uint8_t expr_width(const ExprPool *pool, ExprRef ref) {
  ASSERT(expr_is_of(pool, ref));
  return expr_node(pool, ref)->width;
}

// ---- hash-consing
static uint64_t mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ (hash >> 32);
}

static uint32_t node_hash(const ExprNode *node) {
  uint64_t hash = mix(0, ((uint64_t)node->op << 16) | ((uint64_t)node->width << 8) | node->flags);
  hash = mix(hash, ((uint64_t)node->a << 32) | node->b);
  hash = mix(mix(hash, node->c), (uint64_t)node->value);
  for (uint32_t i = 0; i < node->arg_count; i++)
    hash = mix(hash, node->args[i]);
  return (uint32_t)(hash ^ (hash >> 32));
}

static bool node_equal(const ExprNode *x, const ExprNode *y) {
  return x->op == y->op && x->width == y->width && x->flags == y->flags && x->a == y->a && x->b == y->b &&
         x->c == y->c && x->value == y->value && x->arg_count == y->arg_count &&
         (x->arg_count == 0 || memcmp(x->args, y->args, x->arg_count * sizeof(ExprRef)) == 0);
}

static uint8_t node_owners(const ExprPool *pool, const ExprNode *node) {
  if (node->op == EXPR_SYM) {
    uint8_t owner = pool->syms.items[node->value].owner;
    return owner == OWNER_THREAD1 ? 1 : owner == OWNER_THREAD2 ? 2 : 0;
  }
  unsigned owners = 0;
  ExprRef operands[] = {node->a, node->b, node->c};
  for (int i = 0; i < 3; i++)
    if (operands[i]) owners |= expr_at(pool, operands[i])->owners;
  for (uint32_t i = 0; i < node->arg_count; i++)
    owners |= expr_at(pool, node->args[i])->owners;
  return (uint8_t)owners;
}

static uint8_t node_zeros(const ExprPool *pool, const ExprNode *node) {
  if (node->op == EXPR_CONST)
    return node->value ? (uint8_t)__builtin_ctzll((uint64_t)node->value) : node->width;
  if (node->op != EXPR_MUL && node->op != EXPR_ADD && node->op != EXPR_SUB) return 0;
  unsigned a = expr_at(pool, node->a)->zeros, b = expr_at(pool, node->b)->zeros;
  if (node->op != EXPR_MUL) return (uint8_t)(a < b ? a : b);
  return (uint8_t)(a + b < node->width ? a + b : node->width);
}

ExprRef expr_intern(ExprPool *pool, ExprNode node) {
  uint32_t hash = node_hash(&node);
  TableLook look = table_look(&pool->table, hash);
  for (ExprRef known; (known = table_next(&look)) != 0;)
    if (node_equal(expr_at(pool, known), &node)) return known;
  if (node.arg_count) node.args = arena_copy(pool->arena, node.args, node.arg_count * sizeof(ExprRef));
  node.owners = node_owners(pool, &node);
  node.zeros = node_zeros(pool, &node);
  ExprRange range = expr_node_range(pool, &node);
  ExprRef ref = add_node(pool, node, range);
  table_add(pool->arena, &pool->table, hash, ref);
  return ref;
}

// ---- leaves and functions
static void fill_range(uint8_t width, int64_t *lo, int64_t *hi) {
  if (*lo != 0 || *hi != 0) return;
  ExprRange range = expr_width_range(width);
  *lo = range.lo;
  *hi = range.hi;
}

ExprRef expr_new_sym(ExprPool *pool, ExprSym info) {
  ASSERT(expr_is_width(info.width) && info.owner <= OWNER_THREAD2 && info.kind <= SYM_UNKNOWN);
  if (!info.name) info.name = "?";
  fill_range(info.width, &info.lo, &info.hi);
  vec_push(pool->arena, &pool->syms, info);
  return expr_sym(pool, pool->syms.count - 1);
}

ExprRef expr_sym(ExprPool *pool, uint32_t sym) {
  BUG_UNLESS(sym < pool->syms.count);
  return expr_intern(pool, (ExprNode){.op = EXPR_SYM, .width = pool->syms.items[sym].width, .value = sym});
}

static uint32_t func_hash(const ExprFunc *func) {
  return (uint32_t)str_hash(func->name, strlen(func->name), func->width);
}

uint32_t expr_new_func(ExprPool *pool, ExprFunc info) {
  ASSERT(expr_is_width(info.width));
  if (!info.name) info.name = "?";
  fill_range(info.width, &info.lo, &info.hi);
  vec_push(pool->arena, &pool->funcs, info);
  table_add(pool->arena, &pool->func_table, func_hash(&info), pool->funcs.count);
  return pool->funcs.count - 1;
}

// Of what counts the bits of a word, or says which of them it is; 0: it is neither.
static int64_t most_bits(const char *name) {
  static const char *const of_words[] = {"__popc", "__clz", "__ffs"};
  for (size_t i = 0; i < sizeof of_words / sizeof *of_words; i++) {
    size_t length = strlen(of_words[i]);
    if (strncmp(name, of_words[i], length) != 0) continue;
    if (!name[length]) return 32;
    if (strcmp(name + length, "ll.64") == 0) return 64; // with the width of what it is given (symeval.c)
  }
  return 0;
}

uint32_t expr_func_named(ExprPool *pool, const char *name, uint8_t width) {
  ASSERT(name);
  ASSERT(expr_is_width(width));
  uint32_t hash = func_hash(&(ExprFunc){.name = name, .width = width}), known; // plus 1
  TableLook look = table_look(&pool->func_table, hash);
  while ((known = table_next(&look)) != 0) {
    const ExprFunc *func = &pool->funcs.items[known - 1];
    if (func->kind == SYM_UNKNOWN && func->width == width && strcmp(func->name, name) == 0) return known - 1;
  }
  return expr_new_func(pool, (ExprFunc){.name = arena_strdup(pool->arena, name),
                                        .width = width,
                                        .kind = SYM_UNKNOWN,
                                        .hi = most_bits(name)});
}

ExprRef expr_app(ExprPool *pool, uint32_t func, uint32_t count, const ExprRef *args) {
  BUG_UNLESS(func < pool->funcs.count);
  return expr_intern(pool, (ExprNode){.op = EXPR_APP,
                                      .width = pool->funcs.items[func].width,
                                      .value = func,
                                      .arg_count = count,
                                      .args = args});
}

ExprRef expr_const(ExprPool *pool, uint8_t width, int64_t value) {
  ASSERT(expr_is_width(width));
  return expr_intern(
      pool, (ExprNode){.op = EXPR_CONST, .width = width, .value = expr_signed_reading(value, width)});
}

ExprRef expr_bool(ExprPool *pool, bool value) {
  return expr_const(pool, 1, value);
}

bool expr_is_const(const ExprPool *pool, ExprRef ref, int64_t *value) {
  ASSERT(expr_is_of(pool, ref));
  const ExprNode *node = expr_node(pool, ref);
  if (node->op != EXPR_CONST) return false;
  if (value) *value = node->value;
  return true;
}

bool expr_is_true(const ExprPool *pool, ExprRef ref) {
  ASSERT(expr_is_of(pool, ref));
  const ExprNode *node = expr_node(pool, ref);
  return node->op == EXPR_CONST && node->width == 1 && node->value == 1;
}

bool expr_is_false(const ExprPool *pool, ExprRef ref) {
  ASSERT(expr_is_of(pool, ref));
  const ExprNode *node = expr_node(pool, ref);
  return node->op == EXPR_CONST && node->width == 1 && node->value == 0;
}

void expr_range(ExprPool *pool, ExprRef ref, int64_t *lo, int64_t *hi) {
  ASSERT(expr_is_of(pool, ref));
  ASSERT(lo);
  ASSERT(hi);
  expr_node(pool, ref); // checks the ref
  *lo = expr_ref_range(pool, ref).lo;
  *hi = expr_ref_range(pool, ref).hi;
}

// ---- walks
enum { FEW_ARGS = 4 };
// The memo costs what a walk visits, not what the pool holds; it is scratch, not state.
static void start_walk(ExprPool *pool) {
  if (++pool->walk_stamp != 0) return;
  for (uint32_t p = 0; p < pool->pages.count; p++) // wrapped: forget all
    if (pool->pages.items[p]->walk) memset(pool->pages.items[p]->walk, 0, EXPR_PAGE * sizeof(ExprWalkMemo));
  pool->walk_stamp = 1;
}

// Nodes made on the way have numbers beyond the memo; only those there were before are visited.
static ExprRef substitute(ExprPool *pool, ExprRef ref, const ExprRef *map, uint32_t map_count) {
  ExprWalkMemo *memo = expr_walk_memo(pool, ref);
  if (memo->stamp == pool->walk_stamp) return memo->result;
  ExprNode node = *expr_at(pool, ref); // a copy: construction moves the array
  ExprRef result = ref;
  ExprRef a = node.a ? substitute(pool, node.a, map, map_count) : 0;
  ExprRef b = node.b ? substitute(pool, node.b, map, map_count) : 0;
  ExprRef c = node.c ? substitute(pool, node.c, map, map_count) : 0;
  if (node.op == EXPR_SYM) {
    if ((uint64_t)node.value < map_count && map[node.value]) result = map[node.value];
    BUG_UNLESS(expr_width(pool, result) == node.width);
  } else if (node.op == EXPR_APP) {
    ExprRef few[FEW_ARGS],
        *args = node.arg_count <= FEW_ARGS ? few : arena_array(pool->arena, node.arg_count, ExprRef);
    for (uint32_t i = 0; i < node.arg_count; i++)
      args[i] = substitute(pool, node.args[i], map, map_count);
    result = expr_app(pool, (uint32_t)node.value, node.arg_count, args);
  } else if (node.op == EXPR_ITE) {
    result = expr_ite(pool, a, b, c);
  } else if (node.b) {
    result = a == node.a && b == node.b ? ref : expr_binary(pool, (ExprOp)node.op, node.flags, a, b);
  } else if (node.a) {
    result = a == node.a ? ref : expr_unary(pool, (ExprOp)node.op, node.width, a);
  }
  *memo = (ExprWalkMemo){pool->walk_stamp, result};
  return result;
}

ExprRef expr_substitute(ExprPool *pool, ExprRef ref, const ExprRef *map, uint32_t map_count) {
  ASSERT(expr_is_of(pool, ref));
  start_walk(pool);
  return substitute(pool, ref, map, map_count);
}

ExprRef expr_replace(ExprPool *pool, ExprRef ref, const ExprRef *from, const ExprRef *to, uint32_t count) {
  ASSERT(expr_is_of(pool, ref));
  start_walk(pool);
  for (uint32_t i = 0; i < count; i++) {
    BUG_UNLESS(expr_width(pool, from[i]) == expr_width(pool, to[i]));
    *expr_walk_memo(pool, from[i]) = (ExprWalkMemo){pool->walk_stamp, to[i]};
  }
  return substitute(pool, ref, NULL, 0);
}

typedef VEC(uint32_t) SymList;

static void collect_syms(ExprPool *pool, ExprRef ref, Arena *scratch, SymList *syms) {
  if (!ref || expr_walk_memo(pool, ref)->stamp == pool->walk_stamp) return;
  expr_walk_memo(pool, ref)->stamp = pool->walk_stamp;
  const ExprNode *node = expr_at(pool, ref);
  if (node->op == EXPR_SYM) vec_push(scratch, syms, (uint32_t)node->value);
  collect_syms(pool, node->a, scratch, syms);
  collect_syms(pool, node->b, scratch, syms);
  collect_syms(pool, node->c, scratch, syms);
  for (uint32_t i = 0; i < node->arg_count; i++)
    collect_syms(pool, node->args[i], scratch, syms);
}

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

void expr_each_sym(const ExprPool *pool, ExprRef ref, void (*visit)(void *context, uint32_t sym),
                   void *context) {
  ASSERT(expr_is_of(pool, ref));
  Arena *scratch = arena_open();
  SymList syms = {0};
  start_walk((ExprPool *)pool);
  collect_syms((ExprPool *)pool, ref, scratch, &syms);
  if (syms.count) qsort(syms.items, syms.count, sizeof *syms.items, by_number);
  for (uint32_t i = 0; i < syms.count; i++)
    visit(context, syms.items[i]);
  arena_close(scratch);
}

typedef struct SymKinds {
  const ExprPool *pool;
  unsigned kinds;
} SymKinds;

static void add_kind(void *context, uint32_t sym) {
  SymKinds *found = context;
  found->kinds |= 1u << expr_sym_info(found->pool, sym)->kind;
}

unsigned expr_sym_kinds(const ExprPool *pool, ExprRef ref) {
  ASSERT(expr_is_of(pool, ref));
  SymKinds found = {pool, 0};
  expr_each_sym(pool, ref, add_kind, &found);
  return found.kinds;
}
