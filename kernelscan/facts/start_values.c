// What does a word that threads wait for hold before anybody has stored to it? Method: what the host code
// says of the array (LaunchContent), choice by choice; where it does not say, and has not set the word in a way that is
// not followed (LaunchUntold), zero, as A11 has it, which is listed then. A variable with initial data that nobody is seen to overwrite holds those. Shared memory holds
// anything, until a thread of the block has set the word up before a barrier that stands before the wait.
// Soundness: beyond A11, that the set-up in shared memory reaches the very word is only asked in so far as it
// may touch it.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/facts/facts.h"
#include "kernelscan/proofs.h"

enum {
  CHOICE_DEPTH = 8,
  VALUE_TEXT = 60 // characters of a value that a reason shows
};

// Does it hang on something that is not known, such as whether an earlier kernel has stored there?
static bool is_open(const ExprPool *pool, ExprRef ref, int depth) {
  if (!ref) return false;
  const ExprNode *node = expr_node(pool, ref);
  return depth == CHOICE_DEPTH || node->op == EXPR_APP || is_open(pool, node->a, depth + 1) ||
         is_open(pool, node->b, depth + 1) || is_open(pool, node->c, depth + 1);
}

static bool is_zero(const ExprPool *pool, ExprRef value) {
  int64_t number = 1;
  return value && expr_is_const(pool, value, &number) && number == 0;
}

// Does the choice hang on whether a launch before has stored to the word? What it has left there is borne out by running it
// (witness/start_words.c), or no proof leans on it.
static bool hangs_on_launch(const ExprPool *pool, ExprRef condition) {
  const ExprNode *node = expr_node(pool, condition);
  if (node->op == EXPR_APP) return expr_func_info(pool, (uint32_t)node->value)->is_by_launch;
  return node->op == EXPR_EQ && (hangs_on_launch(pool, node->a) || hangs_on_launch(pool, node->b));
}

// The value with zero in place of what nobody is seen to have put there (A11); 0: it hangs on what is not known, and may be something else
// that is said. Numbers of the host are symbols.
static ExprRef tame(ExprPool *pool, ExprRef value, int depth) {
  const ExprNode node = *expr_node(pool, value);
  if (!is_open(pool, value, 0)) return value;
  if (depth == CHOICE_DEPTH) return 0;
  if (node.op == EXPR_APP) return expr_const(pool, expr_width(pool, value), 0);
  if (node.op != EXPR_ITE) {
    bool is_resized = node.op == EXPR_SEXT || node.op == EXPR_ZEXT || node.op == EXPR_TRUNC;
    return is_resized && is_zero(pool, tame(pool, node.a, depth + 1))
               ? expr_const(pool, expr_width(pool, value), 0)
               : 0;
  }
  ExprRef yes = tame(pool, node.b, depth + 1), no = tame(pool, node.c, depth + 1);
  if (no && yes != no && hangs_on_launch(pool, node.a)) return expr_const(pool, expr_width(pool, value), 0);
  if (!yes || !no || is_open(pool, node.a, 0)) return yes == no ? yes : 0;
  return expr_ite(pool, node.a, yes, no);
}

static bool has_initial_data(const Scan *scan, const Obj *object) {
  const IrGlobal *global = &scan->module->globals.items[object->index];
  for (uint64_t i = 0; global->data && i < global->bytes; i++)
    if (global->data[i]) return true;
  return global->addresses.count > 0;
}

bool start_values_in_data(const Scan *scan, const Obj *object, int64_t at, uint32_t bytes, int64_t *value) {
  ASSERT(object > scan->objects.items && object < scan->objects.items + scan->objects.count);
  ASSERT(value);
  const IrGlobal *global = &scan->module->globals.items[object->index];
  if (!global->data || at < 0 || bytes > 8 || (uint64_t)at + bytes > global->bytes) return false;
  for (uint32_t i = 0; i < global->addresses.count; i++)
    if (global->addresses.items[i].at < (uint64_t)at + bytes &&
        (uint64_t)at < global->addresses.items[i].at + 8)
      return false;
  uint64_t word = 0;
  for (uint32_t i = 0; i < bytes; i++)
    word |= (uint64_t)global->data[(uint64_t)at + i] << (8 * i);
  unsigned unused = 64 - 8 * bytes;
  *value = (int64_t)(word << unused) >> unused;
  return true;
}

// What a host loop comes round to begins with what was there before the loop: no zero, if that says
// otherwise.
static bool may_begin_at_zero(Scan *scan, const Target *word, uint32_t bytes) {
  const LaunchContent *begun = initial_contents_begun(scan, &scan->objects.items[word->object], bytes);
  ExprRef known = begun ? initial_contents_at(scan, begun, begun->value, word->offset) : 0;
  return !known || is_zero(scan->pool, tame(scan->pool, known, 0));
}

// Who of the host's code put an unknown number into the word; NULL: nobody.
static const char *set_untold(const Scan *scan, const Obj *object, uint32_t bytes, ExprRef known) {
  if (known && !is_open(scan->pool, known, 0)) return NULL;
  for (uint32_t i = 0; i < scan->launch->untold.count; i++) {
    const LaunchUntold *untold = &scan->launch->untold.items[i];
    bool is_here = untold->object
                       ? object->kind == OBJ_LAUNCH && object->index == untold->object
                       : object->kind == OBJ_GLOBAL &&
                             strcmp(scan->module->globals.items[object->index].name, untold->global) == 0;
    if (is_here && untold->bytes == bytes) return untold->who;
  }
  return NULL;
}

// What is kept of a scan.
typedef struct Kept {
  VEC(StartWord) words;
  const char *unknown;
} Kept;

static Kept *kept_of(const Scan *scan) {
  return SCAN_STATE_OF(scan, start_values, Kept);
}

// Keeps who has set the word or what it holds, if that is said: of the first such word of the kernel.
static void note_unknown(Scan *scan, const Target *word, uint32_t bytes, ExprRef value) {
  Kept *kept = kept_of(scan);
  const Obj *object = &scan->objects.items[word->object];
  const char *who = word->key || object->kind == OBJ_SHARED ? NULL : set_untold(scan, object, bytes, 0);
  StrBuf held = {.arena = scan->arena};
  if (value) expr_print(scan->pool, value, true, &held);
  const char *text = held.length > VALUE_TEXT ? "what the host code has put there" : strbuf_text(&held);
  if (!kept->unknown && (who || value))
    kept->unknown = arena_printf(scan->arena,
                                 who ? "'%s' need not be zero when the kernel starts, since %s sets it"
                                     : "'%s' need not be zero when the kernel starts, since it is %s",
                                 object->name, who ? who : text);
}

const char *start_values_unknown(const Scan *scan) {
  return kept_of(scan)->unknown;
}

// Does the condition on the word hold wherever the word is inside of its object (A7)?
static bool holds_inside(Scan *scan, const Obj *object, const Target *word, uint32_t bytes,
                         ExprRef condition) {
  ExprPool *pool = scan->pool;
  ExprRef size = object->kind == OBJ_LAUNCH ? scan->launch->objects.items[object->index].size_bytes : 0;
  if (!size || expr_width(pool, size) != 64) return false;
  ExprRef end = expr_binary(pool, EXPR_ADD, EXPR_NSW, word->offset, expr_const(pool, 64, bytes));
  Goal goal = {0};
  goal_add(scan, &goal, expr_not(pool, condition), GOAL_CONFLICT, 0);
  goal_add(scan, &goal, expr_binary(pool, EXPR_SLE, 0, expr_const(pool, 64, 0), word->offset), GOAL_CONTEXT,
           0);
  goal_add(scan, &goal, expr_binary(pool, EXPR_SLE, 0, end, size), GOAL_CONTEXT, 0);
  goal_add_launch(scan, &goal);
  SolverAnswer answer = goal_satisfiable(scan, &goal, "a word that the host has not set with the others");
  return proofs_is_refuted(scan, &answer);
}

// What is said of the words of the object, and not of what lies behind it.
static ExprRef tame_inside(Scan *scan, const Obj *object, const Target *word, uint32_t bytes, ExprRef known) {
  ExprRef value = tame(scan->pool, known, 0);
  for (int depth = 0; !value && depth < CHOICE_DEPTH; depth++) {
    const ExprNode node = *expr_node(scan->pool, known);
    if (node.op != EXPR_ITE || is_open(scan->pool, node.a, 0) ||
        !holds_inside(scan, object, word, bytes, node.a))
      break;
    known = node.b;
    value = tame(scan->pool, known, 0);
  }
  return value;
}

// What is read off the host's text. `is_taken`: in part it is not said there, and zero is taken for it. False: it may be something else; where
// that is said, it is the value.
static bool look_at_start(Scan *scan, const Target *word, uint32_t bytes, StartValue *start, bool *is_taken) {
  ExprPool *pool = scan->pool;
  const Obj *object = &scan->objects.items[word->object];
  uint8_t width = (uint8_t)(8 * bytes);
  int64_t at = 0, value = 0;
  *start = (StartValue){expr_const(pool, width, 0), expr_bool(pool, true)};
  *is_taken = true;
  if (word->key || object->kind == OBJ_SHARED) return true;
  const LaunchContent *content = initial_contents_find(scan, object, bytes);
  ExprRef known = content ? initial_contents_at(scan, content, content->value, word->offset) : 0;
  *is_taken = !known || is_open(pool, known, 0);
  if (set_untold(scan, object, bytes, known)) return false;
  if (!content && !may_begin_at_zero(scan, word, bytes)) return false;
  if (!content && object->kind == OBJ_GLOBAL && has_initial_data(scan, object)) {
    if (!expr_is_const(pool, word->offset, &at) || !start_values_in_data(scan, object, at, bytes, &value))
      return false;
    start->value = expr_const(pool, width, value);
  }
  if (!content) return true;
  start->value = tame_inside(scan, object, word, bytes, known);
  if (!start->value) {
    start->value = known;
    return false;
  }
  for (uint32_t i = 0; i < content->conditions.count; i++)
    start->known = expr_and(pool, start->known,
                            initial_contents_at(scan, content, content->conditions.items[i], word->offset));
  return true;
}

bool start_values_look(Scan *scan, const Target *word, uint32_t bytes, StartValue *start) {
  ASSERT(scan_has_object(scan, word->object) && scan_has_word(scan, word->offset, 64));
  bool is_taken = false;
  return scan->objects.items[word->object].kind != OBJ_SHARED &&
         look_at_start(scan, word, bytes, start, &is_taken);
}

// `is_least`: the proof only needs that it is no less than the value.
static bool find_start(Scan *scan, const Target *word, uint32_t bytes, bool is_least, StartValue *start) {
  bool is_taken = false;
  bool is_array = !word->key && scan->objects.items[word->object].kind != OBJ_SHARED;
  if (!look_at_start(scan, word, bytes, start, &is_taken)) {
    note_unknown(scan, word, bytes, is_zero(scan->pool, start->value) ? 0 : start->value);
    return false;
  }
  bool is_left_out = scan->start.without_starts || (scan->start.without_exact_starts && !is_least);
  if (is_array && is_taken && is_left_out) return false;
  if (!is_array) scan->result->assumptions |= ASSUME_FLAGS_CLEAR;
  if (is_array && is_taken) start_values_note(scan, word, bytes, start->value, is_least);
  return true;
}

bool start_values_of(Scan *scan, const Target *word, uint32_t bytes, StartValue *start) {
  ASSERT(scan_has_object(scan, word->object) && scan_has_word(scan, word->offset, 64));
  return find_start(scan, word, bytes, false, start);
}

static bool starts_at_zero(Scan *scan, const Target *word, uint32_t bytes, bool is_least) {
  StartValue start;
  if (!find_start(scan, word, bytes, is_least, &start)) return false;
  if (is_zero(scan->pool, start.value)) return true;
  note_unknown(scan, word, bytes, start.value);
  return false;
}

bool start_values_are_zero(Scan *scan, const Target *word, uint32_t bytes) {
  ASSERT(scan_has_object(scan, word->object) && scan_has_word(scan, word->offset, 64));
  return starts_at_zero(scan, word, bytes, false);
}

bool start_values_are_not_negative(Scan *scan, const Target *word, uint32_t bytes) {
  ASSERT(scan_has_object(scan, word->object) && scan_has_word(scan, word->offset, 64));
  return starts_at_zero(scan, word, bytes, true);
}

const StartWord *start_values_noted(const Scan *scan, uint32_t *count) {
  ASSERT(count);
  *count = kept_of(scan)->words.count;
  return kept_of(scan)->words.items;
}

void start_values_note(Scan *scan, const Target *word, uint32_t bytes, ExprRef value, bool is_least) {
  ASSERT(scan_has_object(scan, word->object) && scan_has_word(scan, word->offset, 64));
  ASSERT(scan_has_expr(scan, value));
  Kept *kept = kept_of(scan);
  for (uint32_t i = 0; i < kept->words.count; i++) {
    StartWord *known = &kept->words.items[i];
    if (known->object != word->object || known->offset != word->offset || known->value != value) continue;
    known->is_least &= is_least;
    return;
  }
  vec_push(scan->arena, &kept->words, ((StartWord){word->object, bytes, word->offset, value, is_least}));
}
