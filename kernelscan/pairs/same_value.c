// Do two writes provably put the same value into every byte that both of them touch? Then no byte of the
// result depends on who is last (but a barrier object that is set up a second time is undefined, whatever the count:
// PTX ISA, mbarrier.init). Method: what a write puts down is a word (a store), one byte over and over
// (memset), or what stands somewhere else (memcpy, as large vectors and structs are assigned). Two words of
// one width are the same if no values that fulfil the conditions of the race make them differ, and some do that make them equal; so are two
// copies out of one object that the kernel does not write, if they move it by the same distance; words of
// different widths, and filled bytes, if they are one byte over and over. Soundness: a store of its natural
// width is aligned (else the program has no meaning), so that two of one width that touch are at one place;
// for others that is asked for as well.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/pairs/pairs.h"
#include "kernelscan/facts.h"

typedef enum WrittenKind {
  WRITTEN_UNKNOWN,
  WRITTEN_WORD,
  WRITTEN_POINTER,
  WRITTEN_FILL,
  WRITTEN_COPY
} WrittenKind;
typedef struct Written {
  WrittenKind kind;
  ExprRef word;     // WORD; FILL: the byte
  SymValue pointer; // POINTER
  Target source;    // COPY
} Written;

// The place that is copied from. An array of the thread's own that was only filled from a constant variable
// stands for that.
static bool find_source(const Instance *instance, const IrInst *copy, Target *source) {
  Scan *scan = instance->frame->scan;
  SymValue address = frame_value(instance->frame, copy->ops[1]);
  if (address.kind != SYM_POINTER || address.target_count != 1) return false;
  *source = address.targets[0];
  if (source->condition || source->key) return false;
  Obj object = scan->objects.items[source->object];
  uint32_t table = object.kind == OBJ_LOCAL ? locals_only_table(scan, object.index) : 0;
  if (table) {
    source->object = table;
    object = scan->objects.items[table];
  }
  bool is_of_all = object.kind == OBJ_LAUNCH || object.kind == OBJ_GLOBAL || object.kind == OBJ_PARAM;
  return is_of_all && !object.is_written && !object.is_volatile && !object.is_unknown_origin;
}

static Written written_by(const Instance *instance) {
  const IrFunction *fn = instance->frame->scan->fn;
  const IrInst *inst = &fn->insts.items[instance->access->inst];
  Written written = {0};
  if (instance->access->kind != ACCESS_WRITE || instance->access->is_async) return written;
  if (inst->op == IR_STORE || inst->op == IR_MEMSET) {
    SymValue value = frame_value(instance->frame, inst->ops[1]);
    if (inst->op == IR_STORE && value.kind == SYM_POINTER) {
      written.kind = WRITTEN_POINTER;
      written.pointer = value;
    }
    if (value.kind != SYM_WORD) return written;
    written.kind = inst->op == IR_MEMSET ? WRITTEN_FILL : WRITTEN_WORD;
    written.word = value.word;
  } else if (inst->op == IR_MEMCPY && find_source(instance, inst, &written.source)) {
    written.kind = WRITTEN_COPY;
  }
  return written;
}

// One byte over and over: the byte, 0 to 255; else -1.
static int repeated_byte(const ExprPool *pool, const Written *written) {
  int64_t value = 0;
  bool is_word = written->kind == WRITTEN_WORD || written->kind == WRITTEN_FILL;
  if (!is_word || !expr_is_const(pool, written->word, &value)) return -1;
  int byte = (int)(value & 0xff);
  for (int shift = 0; shift < expr_width(pool, written->word); shift += 8)
    if ((int)((uint64_t)value >> shift & 0xff) != byte) return -1;
  return byte;
}

static ExprRef apart(ExprPool *pool, const Target *one, const Target *two) {
  return expr_ne(pool, one->offset, two->offset);
}

// Is a pointer to the object, at one offset, the same in both threads?
static bool is_one_for_both(const Question *question, const Target *target) {
  const Scan *scan = question->pairs->scan;
  const Obj *object = &scan->objects.items[target->object];
  if (target->key || object->is_unknown_origin) return false;
  if (object->kind == OBJ_SHARED) return !extent_is_between_blocks(question->meeting->graph->couple.extent);
  return object->kind == OBJ_LAUNCH || object->kind == OBJ_GLOBAL || object->kind == OBJ_PARAM;
}

static ExprRef pointers_differ(const Question *question, const SymValue *one, const SymValue *two) {
  ExprPool *pool = question->pairs->scan->pool;
  ExprRef truth = expr_bool(pool, true), agree = expr_bool(pool, false), differ = agree;
  for (uint32_t i = 0; i < one->target_count; i++)
    for (uint32_t k = 0; k < two->target_count; k++) {
      const Target *first = &one->targets[i], *second = &two->targets[k];
      ExprRef both = expr_and(pool, first->condition ? first->condition : truth,
                              second->condition ? second->condition : truth);
      bool is_one = first->object == second->object && is_one_for_both(question, first) &&
                    is_one_for_both(question, second);
      ExprRef beside = is_one ? apart(pool, first, second) : truth;
      differ = expr_or(pool, differ, expr_and(pool, both, beside));
      agree = expr_or(pool, agree, expr_and(pool, both, expr_not(pool, beside)));
    }
  return expr_or(pool, differ, expr_not(pool, agree));
}

// A condition without which the two put down the same; 0: none is known.
static ExprRef differ(const Question *question, const Written *one, const Written *two) {
  ExprPool *pool = question->pairs->scan->pool;
  if (one->kind == WRITTEN_UNKNOWN || two->kind == WRITTEN_UNKNOWN) return 0;
  int byte = repeated_byte(pool, one);
  if (byte >= 0 && repeated_byte(pool, two) == byte) return expr_bool(pool, false);
  if (one->kind != two->kind) return 0;
  if (one->kind == WRITTEN_COPY) {
    if (one->source.object != two->source.object) return 0;
    ExprRef first = expr_binary(pool, EXPR_SUB, EXPR_ADDRESS, one->source.offset, question->first->offset);
    ExprRef second = expr_binary(pool, EXPR_SUB, EXPR_ADDRESS, two->source.offset, question->second->offset);
    return expr_ne(pool, first, second);
  }
  bool is_aligned =
      one->kind == WRITTEN_FILL || (question->one->access->is_natural && question->two->access->is_natural);
  if (one->kind == WRITTEN_POINTER) {
    ExprRef pointers = pointers_differ(question, &one->pointer, &two->pointer);
    return is_aligned ? pointers : expr_or(pool, pointers, apart(pool, question->first, question->second));
  }
  if (expr_width(pool, one->word) != expr_width(pool, two->word)) return 0;
  ExprRef values = expr_node(pool, one->word)->owners == 0 && one->word == two->word
                       ? expr_bool(pool, false)
                       : expr_ne(pool, one->word, two->word);
  return is_aligned ? values : expr_or(pool, values, apart(pool, question->first, question->second));
}

static Verdict ask(const Question *question, const Goal *goal, ExprRef condition, const char *name) {
  Scan *scan = question->pairs->scan;
  Goal asked = goal_copy(scan, goal);
  goal_add(scan, &asked, condition, GOAL_CONFLICT, 0);
  votes_add(scan, &asked, question->meeting->graph->couple.extent, question->one->frame,
            question->two->frame); // of the values that are stored
  return goal_look(scan, &asked, false, name).verdict;
}

bool same_value_is_proved(const Question *question, const Goal *goal, const char *name) {
  ASSERT(name);
  Scan *scan = question->pairs->scan;
  const Written one = written_by(question->one), two = written_by(question->two);
  ExprRef condition = differ(question, &one, &two);
  if (!condition) return false;
  if (expr_is_false(scan->pool, condition)) return true;
  if (ask(question, goal, condition, arena_printf(scan->arena, "%s, different values", name)) != VERDICT_SAFE)
    return false;
  // What is said of the values may contradict the race itself (one was never stored, A12): nothing follows from that.
  return ask(question, goal, expr_not(scan->pool, condition),
             arena_printf(scan->arena, "%s, equal values", name)) == VERDICT_RACE;
}
