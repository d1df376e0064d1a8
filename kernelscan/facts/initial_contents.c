// What does a load read from an array that the host filled? Method: what the launch says of any element of
// the array (LaunchContent) is said of the load's value, with its offset in place of the element; the facts
// are added to goals in which the value occurs. Soundness: only for memory that the kernel does not write,
// where a load is a function of its offset. That an element is written at all is known only where the load is
// executed (A12), and taken so only where the load can read one that is: what reads nothing but memory that
// nobody filled would be proved by there being no such thread.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/memory.h"
#include "kernelscan/facts/facts.h"

static bool is_of(const Scan *scan, const LaunchContent *content, const Obj *object, uint32_t bytes) {
  if (content->bytes != bytes) return false;
  if (content->object) return object->kind == OBJ_LAUNCH && content->object == object->index;
  if (content->parameter) return object->kind == OBJ_PARAM && content->parameter - 1 == object->index;
  return object->kind == OBJ_GLOBAL &&
         strcmp(content->global, scan->module->globals.items[object->index].name) == 0;
}

const LaunchContent *initial_contents_find(const Scan *scan, const Obj *object, uint32_t bytes) {
  ASSERT(object > scan->objects.items && object < scan->objects.items + scan->objects.count);
  for (uint32_t i = 0; i < scan->launch->contents.count; i++)
    if (is_of(scan, &scan->launch->contents.items[i], object, bytes)) return &scan->launch->contents.items[i];
  return NULL;
}

const LaunchContent *initial_contents_begun(const Scan *scan, const Obj *object, uint32_t bytes) {
  ASSERT(object > scan->objects.items && object < scan->objects.items + scan->objects.count);
  for (uint32_t i = 0; i < scan->launch->begun.count; i++)
    if (is_of(scan, &scan->launch->begun.items[i], object, bytes)) return &scan->launch->begun.items[i];
  return NULL;
}

ExprRef initial_contents_at(const Scan *scan, const LaunchContent *content, ExprRef said, ExprRef offset) {
  ASSERT(scan_has_expr(scan, said));
  ASSERT(scan_has_word(scan, offset, 64));
  return table_at_element(scan, content->element, said, offset);
}

bool initial_contents_are_told(const Scan *scan, const Obj *object, uint32_t bytes) {
  ASSERT(object > scan->objects.items && object < scan->objects.items + scan->objects.count);
  return initial_contents_find(scan, object, bytes) != NULL;
}

// Writes that cannot have been to the elements of an array that lie at such places (initial_contents.c).
typedef struct OtherMembers {
  uint32_t content;
  uint64_t modulus, rest; // of the offsets
  VEC(uint32_t) flags;    // functions that say whether a write was to the element
} OtherMembers;

typedef enum NotedPart { NOTED_VALUE = 1, NOTED_WRITTEN = 2 } NotedPart;

enum { NOT_FOUND_OUT_LIMIT = 2 };
enum { NOT_ASKED, HOLDS_TOGETHER, CONTRADICTS_ITSELF };

// What is kept of a scan.
typedef struct Kept {
  VEC(uint8_t) states;       // by content of the launch
  VEC(OtherMembers) members; // by content, and by the residue of the offset
  VEC(uint8_t) noted;        // by expression: which parts of it were looked at
  uint32_t not_found_out;    // how often it stayed open whether a load can read what was written
} Kept;

static Kept *kept_of(Scan *scan) {
  return SCAN_STATE_OF(scan, initial_contents, Kept);
}

// Is there an element at all for which everything that is said holds together? What contradicts itself would
// prove anything.
bool initial_contents_are_consistent(Scan *scan, const LaunchContent *content) {
  uint32_t index = (uint32_t)(content - scan->launch->contents.items);
  BUG_UNLESS(index < scan->launch->contents.count);
  Kept *kept = kept_of(scan);
  while (kept->states.count <= index)
    vec_push(scan->arena, &kept->states, NOT_ASKED);
  if (kept->states.items[index] == NOT_ASKED) {
    Goal goal = {0};
    goal_add_launch(scan, &goal);
    if (content->is_written) goal_add(scan, &goal, content->is_written, GOAL_CONFLICT, 0);
    for (uint32_t i = 0; i < content->conditions.count; i++)
      goal_add(scan, &goal, content->conditions.items[i], GOAL_CONTEXT, 0);
    bool fails = goal.is_false || goal_refute(scan, &goal, "contents").verdict == VERDICT_SAFE;
    kept->states.items[index] = fails ? CONTRADICTS_ITSELF : HOLDS_TOGETHER;
  }
  return kept->states.items[index] == HOLDS_TOGETHER;
}

static bool is_noted(Scan *scan, ExprRef value, NotedPart part) {
  Kept *kept = kept_of(scan);
  while (kept->noted.count <= value)
    vec_push(scan->arena, &kept->noted, 0);
  bool was = kept->noted.items[value] & part;
  kept->noted.items[value] |= (uint8_t)part;
  return was;
}

// A load that is not executed may have any offset: what is said of elements says nothing of those before the
// array.
static ExprRef unless_before(Scan *scan, ExprRef offset, ExprRef condition) {
  int64_t lo = 0, hi = 0;
  expr_range(scan->pool, offset, &lo, &hi);
  if (lo >= 0) return condition;
  ExprRef zero = expr_const(scan->pool, expr_width(scan->pool, offset), 0);
  return expr_or(scan->pool, expr_binary(scan->pool, EXPR_SLT, 0, offset, zero), condition);
}

static void note(Scan *scan, const LaunchContent *content, ExprRef value, ExprRef condition) {
  if (expr_is_true(scan->pool, condition)) return;
  Invariant known = {.leaf = value, .condition = condition, .is_of_host = true, .tag = content->fact};
  vec_push(scan->arena, &scan->invariants, known);
}

// ---- writes that cannot have been to this place

// "The write at line 12 was to this element", and what has to hold if it was: conditions `x || !flag`. In an
// array of structs most writes are to other members than the one that is read.
enum { MANY_CONDITIONS = 24, MOST_FLAGS = 24 };
typedef struct Said {
  VEC(ExprRef) conditions; // [0]: the value, [1]: is it written at all, 0 if that is not known
} Said;

// offset == rest modulo the modulus, for all values; a modulus of 0: it is a constant.
static void residue(const Scan *scan, ExprRef offset, uint64_t *modulus, uint64_t *rest) {
  ExprNode node = *expr_node(scan->pool, offset);
  int64_t value = 0;
  *modulus = 1;
  *rest = 0;
  if (expr_is_const(scan->pool, offset, &value) && value >= 0) {
    *modulus = 0;
    *rest = (uint64_t)value;
  } else if (node.op == EXPR_MUL && expr_is_const(scan->pool, node.b, &value) && value > 0) {
    *modulus = (uint64_t)value;
  } else if (node.op == EXPR_ADD) {
    uint64_t a = 0, b = 0, x = 0, y = 0;
    residue(scan, node.a, &a, &x);
    residue(scan, node.b, &b, &y);
    while (b) {
      uint64_t next = a % b;
      a = b;
      b = next;
    }
    *modulus = a;
    *rest = a ? (x % a + y % a) % a : x + y;
  }
}

static ExprRef any_place(Scan *scan, uint64_t modulus, uint64_t rest) {
  ExprPool *pool = scan->pool;
  ExprRef last = expr_const(pool, 64, (int64_t)rest);
  if (modulus == 0) return last;
  ExprRef which = expr_new_sym(pool, (ExprSym){.name = "which", .width = 64, .kind = SYM_HOST_VALUE});
  ExprRef factor = expr_const(pool, 64, (int64_t)modulus);
  ExprRef start = expr_binary(pool, EXPR_MUL, EXPR_ADDRESS, which, factor);
  return expr_binary(pool, EXPR_ADD, EXPR_ADDRESS, start, last);
}

// The function whose value at the offset the flag compares; UINT32_MAX if it is no flag of that place.
static uint32_t flag_func(const Scan *scan, ExprRef ref, ExprRef offset) {
  ExprNode node = *expr_node(scan->pool, ref);
  if (node.op != EXPR_EQ || !expr_is_const(scan->pool, node.b, NULL)) return UINT32_MAX;
  ExprNode app = *expr_node(scan->pool, node.a);
  bool is_here = app.op == EXPR_APP && app.arg_count == 1 && app.args[0] == offset;
  return is_here ? (uint32_t)app.value : UINT32_MAX;
}

// The flag whose negation is one of the parts; 0 if there is none.
static ExprRef flag_of(const Scan *scan, ExprRef condition, ExprRef offset) {
  ExprNode node = *expr_node(scan->pool, condition);
  if (node.op == EXPR_NOT && flag_func(scan, node.a, offset) != UINT32_MAX) return node.a;
  if (node.op != EXPR_OR) return 0;
  ExprRef found = flag_of(scan, node.a, offset);
  return found ? found : flag_of(scan, node.b, offset);
}

static bool is_refuted(Scan *scan, const Said *said, ExprRef flag, ExprRef offset) {
  Goal goal = {0};
  goal_add(scan, &goal, flag, GOAL_CONFLICT, 0);
  for (uint32_t i = 2; i < said->conditions.count; i++)
    if (flag_of(scan, said->conditions.items[i], offset) == flag)
      goal_add(scan, &goal, said->conditions.items[i], GOAL_CONTEXT, 0);
  return goal.is_false || goal_refute(scan, &goal, "element of another member").verdict == VERDICT_SAFE;
}

static Said said_plainly(Scan *scan, const LaunchContent *content, ExprRef offset) {
  Said said = {0};
  vec_push(scan->arena, &said.conditions, initial_contents_at(scan, content, content->value, offset));
  ExprRef written = content->is_written ? initial_contents_at(scan, content, content->is_written, offset) : 0;
  vec_push(scan->arena, &said.conditions, written);
  for (uint32_t i = 0; i < content->conditions.count; i++)
    vec_push(scan->arena, &said.conditions,
             initial_contents_at(scan, content, content->conditions.items[i], offset));
  return said;
}

static void find_others(Scan *scan, const LaunchContent *content, OtherMembers *others) {
  ExprRef place = any_place(scan, others->modulus, others->rest), asked[MOST_FLAGS];
  Said said = said_plainly(scan, content, place);
  uint32_t count = 0;
  for (uint32_t i = 2; i < said.conditions.count && count < MOST_FLAGS; i++) {
    ExprRef flag = flag_of(scan, said.conditions.items[i], place);
    bool is_new = flag != 0;
    for (uint32_t k = 0; k < count; k++)
      is_new &= asked[k] != flag;
    if (!is_new) continue;
    asked[count++] = flag;
    if (is_refuted(scan, &said, flag, place)) vec_push(scan->arena, &others->flags, flag);
  }
  for (uint32_t i = 0; i < others->flags.count; i++) {
    ExprNode flag = *expr_node(scan->pool, others->flags.items[i]);
    others->flags.items[i] = (uint32_t)expr_node(scan->pool, flag.a)->value;
  }
}

// Of all places with the same offset in their struct, asked once.
static const OtherMembers *other_members(Scan *scan, const LaunchContent *content, ExprRef offset) {
  Kept *kept = kept_of(scan);
  OtherMembers here = {.content = (uint32_t)(content - scan->launch->contents.items)};
  residue(scan, offset, &here.modulus, &here.rest);
  for (uint32_t i = 0; i < kept->members.count; i++) {
    const OtherMembers *known = &kept->members.items[i];
    if (known->content == here.content && known->modulus == here.modulus && known->rest == here.rest)
      return known;
  }
  if (here.modulus != 1) find_others(scan, content, &here);
  vec_push(scan->arena, &kept->members, here);
  return &vec_last(&kept->members);
}

static ExprRef without_flags(Scan *scan, ExprRef ref, const OtherMembers *others, ExprRef offset) {
  ExprNode node = *expr_node(scan->pool, ref);
  uint32_t func = flag_func(scan, ref, offset);
  for (uint32_t i = 0; func != UINT32_MAX && i < others->flags.count; i++)
    if (others->flags.items[i] == func) return expr_bool(scan->pool, false);
  if (node.op != EXPR_NOT && node.op != EXPR_AND && node.op != EXPR_OR && node.op != EXPR_ITE) return ref;
  ExprRef a = without_flags(scan, node.a, others, offset);
  if (node.op == EXPR_NOT) return expr_not(scan->pool, a);
  ExprRef b = without_flags(scan, node.b, others, offset);
  if (node.op == EXPR_AND) return expr_and(scan->pool, a, b);
  if (node.op == EXPR_OR) return expr_or(scan->pool, a, b);
  return expr_ite(scan->pool, a, b, without_flags(scan, node.c, others, offset));
}

static Said said_at(Scan *scan, const LaunchContent *content, ExprRef offset) {
  Said said = said_plainly(scan, content, offset);
  if (said.conditions.count < MANY_CONDITIONS) return said;
  const OtherMembers *others = other_members(scan, content, offset);
  for (uint32_t i = 0; i < said.conditions.count; i++)
    if (said.conditions.items[i])
      said.conditions.items[i] = without_flags(scan, said.conditions.items[i], others, offset);
  return said;
}

void initial_contents_add_given(Scan *scan, Goal *goal, const LaunchContent *content, ExprRef value,
                                ExprRef offset) {
  ASSERT(scan_has_expr(scan, value));
  ASSERT(scan_has_word(scan, offset, 64));
  Said said = said_plainly(scan, content, offset);
  goal_add(scan, goal, expr_eq(scan->pool, value, said.conditions.items[0]), GOAL_CONTEXT, 0);
  for (uint32_t i = 2; i < said.conditions.count; i++)
    goal_add(scan, goal, said.conditions.items[i], GOAL_CONTEXT, 0);
  if (said.conditions.items[1]) goal_add(scan, goal, said.conditions.items[1], GOAL_CONTEXT, 0);
}

// Of bits that are made into numbers, equations say nothing to those who look at the shape of a computation.
static ExprRef contents_number(Scan *scan, const Target *target, uint32_t bytes) {
  const LaunchContent *content =
      target->key ? NULL : initial_contents_find(scan, &scan->objects.items[target->object], bytes);
  if (!content || !expr_is_const(scan->pool, target->offset, NULL) ||
      !initial_contents_are_consistent(scan, content))
    return 0;
  ExprRef value = initial_contents_at(scan, content, content->value, target->offset);
  return expr_is_const(scan->pool, value, NULL) ? value : 0;
}

// Can the load read anything that the host wrote? If nothing, it is of no use to say that it surely does. What was not found out
// of some loads is not asked of others: it must not cost what the pairs are to be asked with.
static bool may_be_written(Scan *scan, const Said *said) {
  Kept *kept = kept_of(scan);
  Goal goal = {0};
  if (kept->not_found_out == NOT_FOUND_OUT_LIMIT) return true;
  goal_add_launch(scan, &goal);
  goal_add(scan, &goal, said->conditions.items[1], GOAL_CONFLICT, 0);
  for (uint32_t i = 2; i < said->conditions.count; i++)
    goal_add(scan, &goal, said->conditions.items[i], GOAL_CONTEXT, 0);
  if (goal.is_false) return false;
  SolverAnswer answer = goal_refute(scan, &goal, "is any of it written");
  kept->not_found_out += answer.verdict == VERDICT_UNKNOWN;
  return answer.verdict != VERDICT_SAFE;
}

// That the element has been written is known where the load is executed.
static void note_written(Frame *frame, uint32_t load, const LaunchContent *content, const Target *target,
                         ExprRef value, const Said *said) {
  Scan *scan = frame->scan;
  ExprRef is_written = said->conditions.items[1];
  // In another round than the one in hand the load may not have been executed, whatever its guard says.
  if (!is_written || frame->is_shifted) return;
  ExprRef executed = frame_exact_condition(frame, 0, scan->fn->insts.items[load].block);
  if (!executed || is_noted(scan, value, NOTED_WRITTEN) || !may_be_written(scan, said)) return;
  ExprRef filled = expr_or(scan->pool, expr_not(scan->pool, executed), is_written);
  note(scan, content, value, unless_before(scan, target->offset, filled));
  scan->result->assumptions |= ASSUME_FILLED;
}

// The condition with the load in place of what is computed. Only arithmetic and logic is gone through, not
// arguments of functions. Of a load that reads something else nothing is promised, not that it does not wrap.
static ExprRef with_load(ExprPool *pool, ExprRef ref, ExprRef computed, ExprRef load) {
  if (!ref || ref == computed) return ref ? load : 0;
  ExprNode node = *expr_node(pool, ref);
  ExprRef a = with_load(pool, node.a, computed, load), b = with_load(pool, node.b, computed, load),
          c = with_load(pool, node.c, computed, load);
  if (a == node.a && b == node.b && c == node.c) return ref;
  if (c) return expr_ite(pool, a, b, c);
  return b ? expr_binary(pool, (ExprOp)node.op, 0, a, b) : expr_unary(pool, (ExprOp)node.op, node.width, a);
}

// What is said of a value that is computed (`key ^ c`, whose upper half rises) is said of the load in its place,
// where that is what it reads: the kernel computes on with the load, and equal words are not yet equal terms
// to who looks at the shape of a computation. Otherwise nothing is said, which weakens a proof at most.
static void say_of_load(Scan *scan, Said *said, ExprRef value) {
  ExprPool *pool = scan->pool;
  ExprNode choice = *expr_node(pool, said->conditions.items[0]);
  bool is_chosen = choice.op == EXPR_ITE;
  ExprRef computed = is_chosen ? choice.b : said->conditions.items[0];
  ExprOp op = (ExprOp)expr_node(pool, computed)->op;
  if (op == EXPR_CONST || op == EXPR_SYM || op == EXPR_APP || op == EXPR_ITE) return;
  for (uint32_t i = 2; i < said->conditions.count; i++) {
    ExprRef known = with_load(pool, said->conditions.items[i], computed, value);
    if (known == said->conditions.items[i]) continue;
    said->conditions.items[i] = is_chosen ? expr_or(pool, expr_not(pool, choice.a), known) : known;
  }
}

static void initial_contents_note(Frame *frame, uint32_t load, const Target *target, ExprRef value) {
  Scan *scan = frame->scan;
  uint8_t width = expr_width(scan->pool, value);
  IrTypeKind kind = scan->fn->insts.items[load].type.kind;
  if (target->key || (kind != IR_INT && kind != IR_FLOAT)) return;
  const LaunchContent *content = initial_contents_find(scan, &scan->objects.items[target->object], width / 8);
  if (!content || !initial_contents_are_consistent(scan, content)) return;
  bool is_new = !is_noted(scan, value, NOTED_VALUE);
  bool asks_written =
      content->is_written && !frame->is_shifted && !(kept_of(scan)->noted.items[value] & NOTED_WRITTEN);
  if (!is_new && !asks_written) return;
  if (content->is_of_threads) scan->result->assumptions |= ASSUME_NO_OVERFLOW;
  Said said = said_at(scan, content, target->offset);
  ExprRef same = expr_eq(scan->pool, value, said.conditions.items[0]);
  if (is_new) note(scan, content, value, unless_before(scan, target->offset, same));
  say_of_load(scan, &said, value);
  for (uint32_t i = 2; is_new && i < said.conditions.count; i++)
    note(scan, content, value, unless_before(scan, target->offset, said.conditions.items[i]));
  note_written(frame, load, content, target, value, &said);
}

const ValueFacts initial_contents_facts = {.note_read = initial_contents_note, .number = contents_number};
