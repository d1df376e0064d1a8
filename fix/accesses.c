// How can the access itself be changed so that it no longer races?
//
// A statement that updates a place (`x += e`, `x = x + e`, `x++`, `x = max(x, e)`) becomes an atomic operation; a
// plain store beside atomic operations an exchange, a plain read an addition of nothing. Where all threads
// store the same, one of them is enough. Where a fact of the host is missing, an assert before the launch says
// so: a claim, which the check takes for granted.
//
// Soundness: a candidate is nothing but a suggestion to check. What an atomic operation returns, and in which
// order additions of floats are made, is as open as it was in the race.
// SPDX-License-Identifier: Apache-2.0
#include "fix/internal.h"

#include <ctype.h>
#include <string.h>

// A plain statement that stores: `place mark value;`
typedef struct Store {
  const Source *source;
  uint32_t node;
  const char *place, *value; // value: NULL for ++ and --
  char mark;                 // '=', or '+' of "+=" and "++" ...
  bool is_step;              // ++ or --
} Store;

static const char *words_of(const Source *source, uint32_t first, uint32_t last, Arena *arena) {
  if (first > last) return "";
  return text_between(source, source->tokens.items[first].start, source->tokens.items[last].end, arena);
}

// Two marks with nothing between.
static bool are_joined(const Source *source, uint32_t token, const char *two) {
  const Token *tokens = source->tokens.items;
  return token + 1 < source->tokens.count && tokens[token].end == tokens[token + 1].start &&
         source->text[tokens[token].start] == two[0] && source->text[tokens[token + 1].start] == two[1];
}

static bool read_step(Store *store, const Node *node, Arena *arena) {
  for (int k = 0; k < 2; k++) {
    const char *two = k ? "--" : "++";
    bool is_prefix = are_joined(store->source, node->first, two);
    bool is_postfix = node->last >= node->first + 3 && are_joined(store->source, node->last - 2, two);
    if (!is_prefix && !is_postfix) continue;
    store->mark = *two;
    store->is_step = true;
    store->place = words_of(store->source, is_prefix ? node->first + 2 : node->first,
                            is_prefix ? node->last - 1 : node->last - 3, arena);
    return true;
  }
  return false;
}

static bool read_assignment(Store *store, const Node *node, Arena *arena) {
  const Source *source = store->source;
  for (uint32_t i = node->first + 1; i + 1 < node->last; i++) {
    if (source->tokens.items[i].mate > i) i = source->tokens.items[i].mate;
    char before = source->text[source->tokens.items[i].start - 1];
    if (!token_is(source, i, "=") || token_is(source, i + 1, "=") || strchr("=!<>*/%", before)) continue;
    bool has_operation = strchr("+-&|^", before) != NULL;
    store->mark = has_operation ? before : '=';
    store->place = words_of(source, node->first, i - 1 - has_operation, arena);
    store->value = words_of(source, i + 1, node->last - 1, arena);
    return true;
  }
  return false;
}

static bool read_store(Making *making, const SrcLoc *loc, Store *store) {
  Levels levels = making_levels(making, loc);
  if (levels.list.count == 0) return false;
  *store = (Store){.source = levels.list.items[0].source, .node = levels.list.items[0].node};
  const Node *node = &store->source->nodes.items[store->node];
  if (node->kind != NODE_PLAIN || !token_is(store->source, node->last, ";")) return false;
  return read_step(store, node, making->arena) || read_assignment(store, node, making->arena);
}

static void replace_statement(Making *making, Fix *fix, const Store *store, const char *text) {
  edit_replace(fix, store->source, node_start(store->source, store->node), node_end(store->source, store->node),
               text, making->arena);
}

// ---- updates
// Behind `text` and blanks at the start of what is at `at`; NULL if it does not start so.
static const char *behind(const char *at, const char *text) {
  for (; *text; text++) {
    while (isspace((unsigned char)*at))
      at++;
    if (isspace((unsigned char)*text)) continue;
    if (*at++ != *text) return NULL;
  }
  while (isspace((unsigned char)*at))
    at++;
  return at;
}

// `place + e`, `max(place, e)`: the operation and e. The marks of e bind no less than the operation itself.
static bool read_own_update(const Store *store, Arena *arena, char *mark, const char **value) {
  const char *rest = behind(store->value, store->place);
  static const char *const calls[] = {"max", "min", "::max", "::min", "std::max", "std::min"};
  if (rest && *rest && strchr("+-&|^", *rest) && rest[1] != rest[0]) {
    *mark = *rest;
    *value = rest + 1 + strspn(rest + 1, " \t");
    return strcspn(*value, "+-&|^?<>=,") == strlen(*value);
  }
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    rest = behind(store->value, arena_printf(arena, "%s(%s,", calls[i], store->place));
    size_t length = rest ? strlen(rest) : 0;
    if (length < 2 || rest[length - 1] != ')') continue;
    *mark = strstr(calls[i], "max") ? 'M' : 'm';
    *value = arena_strndup(arena, rest, length - 1);
    return true;
  }
  return false;
}

static const char *atomic_name(char mark) {
  switch (mark) {
  case '+': return "atomicAdd";
  case '-': return "atomicSub";
  case '&': return "atomicAnd";
  case '|': return "atomicOr";
  case '^': return "atomicXor";
  case 'M': return "atomicMax";
  case 'm': return "atomicMin";
  default: return NULL;
  }
}

// The statement as an atomic operation; NULL: it is no update. `is_negated`: x -= e as an addition, for types
// that have no subtraction.
static const char *as_update(Making *making, const Store *store, bool is_negated) {
  char mark = store->mark;
  const char *value = store->is_step ? "1" : store->value;
  if (mark == '=' && !read_own_update(store, making->arena, &mark, &value)) return NULL;
  const char *name = atomic_name(mark);
  if (!name || (is_negated && mark != '-')) return NULL;
  return is_negated ? arena_printf(making->arena, "atomicAdd(&%s, -(%s));", store->place, value)
                    : arena_printf(making->arena, "%s(&%s, %s);", name, store->place, value);
}

static const char *line_of(Making *making, const Store *store) {
  Level level = {store->source, store->node};
  return level_words(making, &level);
}

static void offer_updates(Making *making, const Store *stores, uint32_t count, bool is_negated) {
  Fix fix = {.title = "update by atomic operations"};
  for (uint32_t i = 0; i < count; i++) {
    const char *text = as_update(making, &stores[i], is_negated);
    if (!text) return;
    replace_statement(making, &fix, &stores[i], text);
    fix.title = count == 1 ? arena_printf(making->arena, "update by an atomic operation at %s",
                                          line_of(making, &stores[i]))
                           : fix.title;
  }
  making_offer(making, &fix);
}

void try_atomic_update(Making *making) {
  Store stores[2];
  uint32_t count = 0;
  for (int t = 0; t < 2; t++) {
    Store *store = &stores[count];
    if (!read_store(making, &making->finding->accesses[t].loc, store)) continue;
    bool is_known = count && stores[0].source == store->source && stores[0].node == store->node;
    count += !is_known;
  }
  for (int negated = 0; negated < 2; negated++) {
    for (uint32_t i = 0; i < count; i++)
      offer_updates(making, &stores[i], 1, negated);
    if (count == 2) offer_updates(making, stores, 2, negated);
  }
}

// ---- one access beside atomic operations
// Behind a name with its subscripts and members that begins at the token, and the stars before it.
static uint32_t expression_last(const Source *source, uint32_t token) {
  while (token_is(source, token, "*"))
    token++;
  if (token_is(source, token, "(")) token = source->tokens.items[token].mate;
  while (token + 1 < source->tokens.count) {
    if (token_is(source, token + 1, "["))
      token = source->tokens.items[token + 1].mate;
    else if (token_is(source, token + 1, ".") && source->tokens.items[token + 2].kind == TOKEN_WORD)
      token += 2;
    else if (are_joined(source, token + 1, "->"))
      token += 3;
    else
      break;
  }
  return token;
}

static uint32_t token_at(const Source *source, uint32_t offset) {
  for (uint32_t i = 0; i < source->tokens.count; i++)
    if (source->tokens.items[i].start >= offset) return i;
  return source->tokens.count;
}

static void offer_read(Making *making, const SrcLoc *loc) {
  const Source *source = making_source(making, loc->file);
  uint32_t offset = source ? source_offset(source, loc->line, loc->column) : UINT32_MAX;
  uint32_t first = offset == UINT32_MAX ? 0 : token_at(source, offset);
  if (offset == UINT32_MAX || first + 2 >= source->tokens.count) return;
  uint32_t last = expression_last(source, first);
  if (last < first || last >= source->tokens.count) return;
  Fix fix = {.title = arena_printf(making->arena, "read by an atomic operation at line %u", loc->line)};
  const char *text = arena_printf(making->arena, "atomicAdd(&%s, 0)", words_of(source, first, last, making->arena));
  edit_replace(&fix, source, source->tokens.items[first].start, source->tokens.items[last].end, text,
               making->arena);
  making_offer(making, &fix);
}

void try_atomic_access(Making *making) {
  for (int t = 0; t < 2; t++) {
    const FindingAccess *access = &making->finding->accesses[t];
    Store store;
    if (access->kind == ACCESS_READ) offer_read(making, &access->loc);
    if (access->kind != ACCESS_WRITE || !read_store(making, &access->loc, &store) || store.mark != '=') continue;
    Fix fix = {.title = arena_printf(making->arena, "store by an atomic operation at %s", line_of(making, &store))};
    replace_statement(making, &fix, &store,
                      arena_printf(making->arena, "atomicExch(&%s, %s);", store.place, store.value));
    making_offer(making, &fix);
  }
}

// ---- one thread is enough
// Does every thread come to the statement? It stands in the body of the function, and nobody returns before.
static bool is_reached_by_all(const Source *source, uint32_t node) {
  uint32_t body = source->nodes.items[node].parent;
  if (body == NO_NODE || source->nodes.items[body].parent != NO_NODE) return false;
  for (uint32_t i = source->nodes.items[body].first; i < source->nodes.items[node].first; i++)
    if (token_is(source, i, "return") || token_is(source, i, "goto")) return false;
  return true;
}

void try_guard(Making *making) {
  static const char *const guards[] = {"threadIdx.x == 0", "threadIdx.x == 0 && threadIdx.y == 0",
                                       "blockIdx.x == 0 && threadIdx.x == 0"};
  Store store;
  const Finding *finding = making->finding;
  if (finding->rule != RULE_SAME_VALUE || !read_store(making, &finding->accesses[0].loc, &store) ||
      !is_reached_by_all(store.source, store.node))
    return;
  for (size_t i = 0; i < sizeof guards / sizeof *guards; i++) {
    Fix fix = {.title = arena_printf(making->arena, "let one thread store at %s", line_of(making, &store))};
    edit_guard(&fix, store.source, store.node, guards[i], making->arena);
    making_offer(making, &fix);
  }
}

// ---- threads beyond the end
// "gridDim.x * blockDim.x <= width" or "width == gridDim.x * blockDim.x": the axis and the limit.
static bool read_extent(Making *making, const char *fact, char *axis, const char **limit) {
  for (*axis = 'x'; *axis <= 'z'; ++*axis) {
    const char *product = arena_printf(making->arena, "gridDim.%c * blockDim.%c", *axis, *axis);
    const char *rest = behind(fact, arena_printf(making->arena, "%s <=", product));
    const char *equal = strstr(fact, " == ");
    if (rest) *limit = rest;
    if (!rest && equal && strcmp(equal + strlen(" == "), product) == 0)
      *limit = arena_strndup(making->arena, fact, (size_t)(equal - fact));
    else if (!rest)
      continue;
    return strcspn(*limit, "&|<>=") == strlen(*limit);
  }
  return false;
}

// The grid has more threads than there is work for: those beyond the limit are to leave the access alone.
void try_bound(Making *making) {
  const Finding *finding = making->finding;
  const char *facts[] = {finding->weaker_mend, finding->mend}, *limit;
  char axis;
  for (int i = 0; i < 2; i++) {
    if (!facts[i] || !read_extent(making, facts[i], &axis, &limit)) continue;
    Levels levels = making_levels(making, &finding->accesses[0].loc);
    if (levels.list.count == 0 || levels.list.items[0].source->nodes.items[levels.list.items[0].node].kind != NODE_PLAIN)
      return;
    const Level *level = &levels.list.items[0];
    Fix fix = {.title = arena_printf(making->arena, "leave out threads beyond %s at %s", limit,
                                     level_words(making, level))};
    edit_guard(&fix, level->source, level->node,
               arena_printf(making->arena, "blockIdx.%c * blockDim.%c + threadIdx.%c < %s", axis, axis, axis,
                            limit),
               making->arena);
    making_offer(making, &fix);
  }
}

// ---- what the host has to guarantee
static void include_assert(Making *making, Fix *fix, const Source *source) {
  if (strstr(source->text, "<cassert>") || strstr(source->text, "<assert.h>")) return;
  const char *first = source->text;
  if (!str_starts_with(first, "#include")) {
    const char *found = strstr(source->text, "\n#include");
    first = found ? found + 1 : source->text;
  }
  uint32_t at = (uint32_t)(first - source->text);
  edit_replace(fix, source, at, at, "#include <cassert>\n", making->arena);
}

void try_assert(Making *making) {
  const Finding *finding = making->finding;
  const char *facts[] = {finding->weaker_mend, finding->mend};
  Levels levels = making_levels(making, &finding->launch_loc);
  if (!finding->launch_loc.file || levels.list.count == 0) return;
  const Level *launch = &levels.list.items[0];
  for (int i = 0; i < 2; i++) {
    if (!facts[i] || strstr(facts[i], "Dim.") || launch->source->nodes.items[launch->node].kind == NODE_BLOCK) continue;
    Fix fix = {.title = arena_printf(making->arena, "assert before the launch at %s that %s",
                                     level_words(making, launch), facts[i]),
               .is_assumption = true};
    include_assert(making, &fix, launch->source);
    edit_before(&fix, launch->source, launch->node, arena_printf(making->arena, "assert(%s);", facts[i]),
                making->arena);
    making_offer(making, &fix);
  }
}
