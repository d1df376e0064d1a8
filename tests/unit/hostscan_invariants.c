// Which relations between members of a class hold at every launch, asked of text: each writer has to keep them, wherever
// others may look. Claims are tried on small numbers, which tells these apart. Each text has a twin, one edit away, with
// the other answer.
// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/host_text.h"

enum { LOWEST = -2, HIGHEST = 3, MOST_SYMS = 6 };

typedef struct Trial {
  const ExprPool *pool;
  uint32_t count;
  const ExprRef *facts;
  ExprRef claim;
  uint32_t sym_count, syms[MOST_SYMS];
  bool has_more;
  int64_t *values; // by symbol of the pool
} Trial;

static void add_sym(void *context, uint32_t sym) {
  Trial *trial = context;
  for (uint32_t i = 0; i < trial->sym_count; i++)
    if (trial->syms[i] == sym) return;
  trial->has_more |= trial->sym_count == MOST_SYMS;
  if (!trial->has_more) trial->syms[trial->sym_count++] = sym;
}

static bool is_true(const Trial *trial, ExprRef ref) {
  ExprEnv env = {.sym_values = trial->values, .sym_count = expr_sym_count(trial->pool)};
  int64_t value = 0;
  return expr_eval(trial->pool, ref, &env, &value) == EXPR_EVAL_OK && value != 0;
}

// Do some numbers meet the facts, and not the claim?
static bool is_refuted(Trial *trial, uint32_t from) {
  if (from < trial->sym_count) {
    for (int64_t value = LOWEST; value <= HIGHEST; value++) {
      trial->values[trial->syms[from]] = value;
      if (is_refuted(trial, from + 1)) return true;
    }
    return false;
  }
  for (uint32_t i = 0; i < trial->count; i++)
    if (!is_true(trial, trial->facts[i])) return false;
  return !is_true(trial, trial->claim);
}

static bool prove(void *context, ExprPool *pool, uint32_t count, const ExprRef *facts, ExprRef claim) {
  (void)context;
  Arena *arena = arena_open();
  Trial trial = {.pool = pool, .count = count, .facts = facts, .claim = claim};
  trial.values = arena_array(arena, expr_sym_count(pool) + 1, int64_t);
  expr_each_sym(pool, claim, add_sym, &trial);
  for (uint32_t i = 0; i < count; i++)
    expr_each_sym(pool, facts[i], add_sym, &trial);
  bool is_proved = !trial.has_more && !is_refuted(&trial, 0);
  arena_close(arena);
  return is_proved;
}

// A function that launches with what two members of any object hold.
#define SHOW                                                                                                 \
  "func void &show(ptr %this) external {\n^entry:\n"                                                         \
  "  %s = ptradd ptr %this, 8 imm 8 of \"Rows\" member 1 name \".size\"\n"                                   \
  "  %size = load i32 %s imm 8 place \"this->size\" of \"Rows\"\n"                                           \
  "  %c = ptradd ptr %this, 12 imm 12 of \"Rows\" member 1 name \".capacity\"\n"                             \
  "  %capacity = load i32 %c imm 12 place \"this->capacity\" of \"Rows\"\n"                                  \
  "  %wide = zext i64 %capacity\n"                                                                           \
  "  %p = call i32 __cudaPushCallConfiguration(4294967297:i64, 1, 4294967328:i64, 1, 64:i64, null:ptr)\n"    \
  "  %no = icmp ne i32 %p, 0\n  condbr %no, ^end, ^go\n"                                                     \
  "^go:\n  call void __device_stub__k(%this, %size, %wide, %this) @5\n  br ^end\n^end:\n  ret\n}\n"

// The writer: `first` is stored in `capacity` where the number is larger than it (`when`), then the number in `size`.
#define GROW(when, kept)                                                                                     \
  "func void &grow(ptr %this, i32 %n) external {\n^entry:\n"                                                 \
  "  %c = ptradd ptr %this, 12 imm 12 of \"Rows\" member 1 name \".capacity\"\n"                             \
  "  %old = load i32 %c imm 12 place \"this->capacity\" of \"Rows\"\n"                                       \
  "  %more = icmp " when "\n  condbr %more, ^raise, ^set\n"                                                  \
  "^raise:\n  store i32 %c, %n imm 12 place \"this->capacity\" of \"Rows\"\n  br ^set\n"                     \
  "^set:\n  %s = ptradd ptr %this, 8 imm 8 of \"Rows\" member 1 name \".size\"\n"                            \
  "  store i32 %s, " kept " imm 8 place \"this->size\" of \"Rows\"\n  ret\n}\n"

#define HIDDEN "class \"Rows\" hidden 8 4 hidden 12 4\n"

// Is that said of the launch in `show`?
static bool is_said(const char *text, const char *what) {
  Fixture f = fixture_open();
  HostScanResult *result = scan(&f, text, (HostScanOptions){.prove = prove});
  bool is_found = false, is_there = false;
  for (uint32_t i = 0; result && i < result->launches.count; i++) {
    const char *launch = shown(&f, result, i);
    if (!strstr(launch, "this->size")) continue;
    is_there = true;
    is_found |= strstr(launch, what) != NULL;
  }
  CHECK(is_there);
  arena_close(f.arena);
  return is_found;
}

int main(void) {
  const char *kept = "[relation] this->size <= this->capacity";
  CHECK(is_said(HIDDEN SHOW GROW("sgt i32 %n, %old", "%n"), kept));
  CHECK(!is_said(HIDDEN SHOW GROW("slt i32 %n, %old", "%n"), kept));
  CHECK(!is_said(SHOW GROW("sgt i32 %n, %old", "%n"), kept)); // anybody may set them
  CHECK(is_said(HIDDEN SHOW GROW("sgt i32 %n, %old", "%old"), kept));
  return check_result();
}
