// Which relations between members of a class hold for every object: capacity >= size, stride_ >= num_cols_?
// They are facts about contents of memory that the code on the way to a launch only reads.
// Method: for each launch, the symbols that stand for members of one object at one place give pairs of
// members; simple relations between them are candidates. Each writer of one of the two has to establish each
// candidate wherever others can look (writers.c), given what the candidates say of what it reads itself;
// those that fail are dropped, until none fails ("Houdini": Flanagan and Leino, FME 2001). That is a proof by
// induction over the steps of the program. Proofs are the caller's (HostScanOptions.prove).
// Soundness: given A13, that members are written by visible code only, by their names or as parts of copies,
// and that the arithmetic of sizes does not overflow (A1). What a function without a visible body leaves
// behind is taken to keep the relations. Objects in static memory count with their initial values.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/invariants/invariants.h"
#include "hostscan/invariants/obligations.h"
#include "core/finding.h"
#include "hostscan/contents.h"
#include "hostscan/facts.h"
#include "hostscan/objects.h"
#include "hostscan/names.h"
#include "hostscan/program.h"
#include "hostscan/syntax.h"
#include "hostscan/terms.h"
#include "hostscan/value.h"

#include <string.h>

enum { MOST_CLASSES = 64, MOST_PAIRS = 96 };

// ---- what symbols are
static const HostCellInfo *cell_of(HostScan *scan, uint32_t sym) {
  return &scan->cell_infos.items[host_sym(scan, sym)->cell];
}

// May code that does not know how the object came about look at it there? See also may_be_between. To read
// what nobody has written yet is another mistake.
static bool is_settled_place(HostScan *scan, const HostCellInfo *cell) {
  const HostObject *object = host_object_of(scan, cell->base);
  bool is_new = (object->kind == HOST_LOCAL || object->kind == HOST_HEAP) && !object->is_parameter;
  return cell->place != PLACE_ENTRY || !is_new;
}

// Behind a call that may come to any code, which finds the objects as they are to be.
static bool is_behind_code(HostScan *scan, const HostCellInfo *cell) {
  const IrInst *inst = &cell->frame->function->ir->insts.items[cell->index];
  if (cell->place != PLACE_AFTER || inst->op != IR_CALL) return false;
  HostCallKind kind = host_call(scan, inst, NULL)->kind;
  return kind == CALL_UNKNOWN || kind == CALL_DEFINED;
}

ClassWriters *invariant_writers_of(Search *s, const char *owner) {
  for (uint32_t i = 0; i < s->known.count; i++)
    if (strcmp(s->known.items[i].owner, owner) == 0) return &s->known.items[i];
  ClassWriters made = {.owner = owner, .writers = arena_new(s->scan->arena, HostWriters)};
  made.is_complete = host_writers_find(s->scan, owner, made.writers);
  vec_push(s->scan->arena, &s->known, made);
  return &vec_last(&s->known);
}

static const bool *between_of(Search *s, ClassWriters *known, HostFunction *function) {
  for (uint32_t i = 0; i < known->between.count; i++)
    if (known->between.items[i].function == function) return known->between.items[i].begins;
  HostFrame *frame = host_frame_make(s->scan, function, NULL, 0);
  Between made = {function, host_writers_between(s->scan, frame, known->writers)};
  vec_push(s->scan->arena, &known->between, made);
  return made.begins;
}

// Within a function that writes such members itself, at a merge or behind a copy to somewhere, one may have
// been written and the other not yet.
static bool may_be_between(Search *s, const HostCellInfo *cell, const char *owner) {
  bool is_after = cell->place == PLACE_AFTER;
  if (cell->place == PLACE_ENTRY || cell->place == PLACE_HEADER || is_behind_code(s->scan, cell))
    return false;
  ClassWriters *known = invariant_writers_of(s, owner);
  HostFunction *function = cell->frame->function;
  uint32_t block = is_after ? function->ir->insts.items[cell->index].block : cell->index;
  bool is_writer = false, is_here = false;
  for (uint32_t i = 0; i < known->writers->count; i++) {
    const HostWriter *writer = &known->writers->items[i];
    if (writer->function != function) continue;
    is_writer = true;
    bool is_before = cell->place == PLACE_END || (is_after && writer->inst <= cell->index);
    is_here |= is_before && function->ir->insts.items[writer->inst].block == block;
  }
  if (!is_writer || !known->is_complete) return !known->is_complete;
  return is_here || between_of(s, known, function)[block];
}

static bool is_field(const HostScan *scan, const HostCellInfo *cell, const HostField *field) {
  const HostMemberList *list = host_members_of(scan->members, cell->reader, cell->address);
  for (uint32_t i = 0; i < list->count && cell->bytes == field->bytes; i++)
    if (list->items[i].is_sure && list->items[i].offset + cell->behind == field->offset &&
        strcmp(list->items[i].owner, field->owner) == 0)
      return true;
  return false;
}

// The symbol of another member of the same object at the same place; 0 if nobody asked for it.
static ExprRef neighbour(HostScan *scan, const HostCellInfo *cell, int64_t distance, uint32_t bytes) {
  HostCell other = {cell->base, expr_const(scan->pool, 64, cell->offset + distance), bytes, cell->kind};
  HostKey key = host_cell_key(cell->frame, cell->place, cell->index, other);
  key.word[5] |= 1u << 16;
  return host_map_get(&scan->cells, key);
}

// ---- relations
ExprRef invariant_relation(ExprPool *pool, const Candidate *c, ExprRef first, ExprRef second) {
  first = expr_resize_signed(pool, first, 64);
  if (second) second = expr_resize_signed(pool, second, 64);
  ExprRef number = expr_const(pool, 64, c->number), zero = expr_const(pool, 64, 0);
  switch (c->relation) {
  case AT_MOST: return expr_binary(pool, EXPR_SLE, 0, first, second);
  case AT_LEAST: return expr_binary(pool, EXPR_SLE, 0, second, first);
  case NOT_NEGATIVE: return expr_binary(pool, EXPR_SLE, 0, zero, first);
  case POSITIVE: return expr_binary(pool, EXPR_SLT, 0, zero, first);
  case CONSTANT: return expr_eq(pool, first, number);
  case CONSTANT_OR_ZERO: return expr_or(pool, expr_eq(pool, first, zero), expr_eq(pool, first, number));
  case MULTIPLE: return expr_eq(pool, expr_binary(pool, EXPR_SREM, 0, first, number), zero);
  }
  BUG("a relation that is none");
}

static void say_of_symbol(Search *s, uint32_t sym, uint32_t candidate, AssumedList *out) {
  HostScan *scan = s->scan;
  const Candidate *c = &s->candidates.items[candidate];
  const Pair *pair = &s->pairs.items[c->pair];
  const HostCellInfo *cell = cell_of(scan, sym);
  ExprRef second = 0;
  if (!is_field(scan, cell, &pair->first) || !is_settled_place(scan, cell)) return;
  if (may_be_between(s, cell, pair->first.owner)) return;
  if (pair->second.bytes) {
    second = neighbour(scan, cell, pair->second.offset - pair->first.offset, pair->second.bytes);
    if (!second) return;
  }
  ExprRef condition = invariant_relation(scan->pool, c, expr_sym(scan->pool, sym), second);
  if (!expr_is_true(scan->pool, condition)) vec_push(scan->arena, out, (Assumed){candidate, condition});
}

void invariant_say_of(Search *s, const IndexList *syms, AssumedList *out) {
  for (uint32_t c = 0; c < s->candidates.count; c++)
    for (uint32_t i = 0; i < syms->count && !s->candidates.items[c].is_dropped; i++)
      say_of_symbol(s, syms->items[i], c, out);
}

// ---- candidates
static void add_class(Search *s, const char *owner) {
  // The standard library keeps its own relations, through pointers.
  if (str_starts_with(owner, "std::") || str_starts_with(owner, "__gnu")) return;
  for (uint32_t i = 0; i < s->classes.count; i++)
    if (strcmp(s->classes.items[i], owner) == 0) return;
  if (s->classes.count < MOST_CLASSES) vec_push(s->scan->arena, &s->classes, owner);
}

static void add_class_of(Search *s, uint32_t sym) {
  const HostCellInfo *cell = cell_of(s->scan, sym);
  const HostFunction *reader = cell->reader;
  const IrInst *address = ir_inst(reader->ir, cell->address);
  if (!is_settled_place(s->scan, cell)) return;
  for (bool is_in = true; address && is_in; address = is_in ? ir_inst(reader->ir, address->ops[0]) : NULL) {
    if (address->owner)
      add_class(s, address->owner); // a member of a member is one of the class around it as well
    is_in = address->op == IR_PTRADD;
  }
  uint32_t slot = ir_ref_index(cell->address);
  if (ir_ref_kind(cell->address) == IR_REF_PARAM) slot += reader->ir->insts.count;
  if (ir_ref_kind(cell->address) == IR_REF_GLOBAL) return;
  for (uint32_t i = reader->use_first[slot]; i < reader->use_first[slot + 1]; i++) {
    const IrInst *user = &reader->ir->insts.items[reader->uses[i]];
    if (user->op == IR_LOAD && user->owner) add_class(s, user->owner);
  }
}

static bool same_field(const HostField *a, const HostField *b) {
  if (a->bytes != b->bytes || a->offset != b->offset) return false;
  return a->bytes == 0 || strcmp(a->owner, b->owner) == 0;
}

// Is the member a number of its own?
static void note_field(const IrInst *inst, HostField *field) {
  if (!inst->owner || strcmp(inst->owner, field->owner) != 0) return;
  if (inst->op == IR_LOAD && inst->imm == field->offset) field->is_number |= inst->type.kind == IR_INT;
  bool is_here = inst->op == IR_PTRADD && inst->imm == field->offset;
  unsigned number = is_here ? IR_MEMBER_NUMBER : field->offset == 0 ? IR_FIRST_NUMBER : 0;
  field->is_number |= (inst->member & number) != 0;
}

static bool stands_for(const Search *s, const HostFunction *function, IrRef address, const HostField *field) {
  const HostMemberList *list = host_members_of(s->scan->members, function, address);
  for (uint32_t i = 0; i < list->count; i++)
    if (list->items[i].offset == field->offset && strcmp(list->items[i].owner, field->owner) == 0)
      return true;
  return false;
}

// A part of a member that is a class itself is named as a member of that.
static void note_part(const Search *s, const HostFunction *function, uint32_t index, HostField *field) {
  const IrInst *inst = &function->ir->insts.items[index];
  if (!inst->owner || field->is_number) return;
  bool is_load = inst->op == IR_LOAD && inst->type.kind == IR_INT && inst->type.bytes == field->bytes;
  bool is_address = inst->op == IR_PTRADD;
  if (is_load || (is_address && inst->member & IR_FIRST_NUMBER && inst->imm != 0))
    field->is_number |= stands_for(s, function, inst->ops[0], field);
  if (is_address && inst->member & IR_MEMBER_NUMBER)
    field->is_number |= stands_for(s, function, IR_REF(IR_REF_INST, index), field);
}

static bool is_tractable(const Search *s, HostField *field) {
  for (uint32_t f = 0; f < s->scan->module->functions.count && field->bytes; f++) {
    const IrFunction *ir = s->scan->module->functions.items[f];
    for (uint32_t i = 0; i < ir->insts.count; i++)
      note_field(&ir->insts.items[i], field);
  }
  if (field->bytes == 0) return true;
  field->is_private = host_class_hides(s->scan, field);
  field->is_part = !field->is_number && host_class_hides_whole(s->scan, field);
  for (uint32_t f = 0; f < s->scan->module->functions.count && field->is_part; f++)
    for (uint32_t i = 0; i < s->scan->functions[f].ir->insts.count; i++)
      note_part(s, &s->scan->functions[f], i, field);
  field->is_private |= field->is_part;
  // Who else is there in a program that is not seen whole?
  bool is_hidden = field->is_private && !host_class_unseen(s->scan, field->owner);
  return field->is_number && (is_hidden || s->scan->options->has_main);
}

// Was nothing told of the two only for functions of their class that are not seen?
static bool would_be_hidden(Search *s, const Pair *pair) {
  const HostField *first = &pair->first, *second = &pair->second;
  return first->is_number && first->is_private &&
         (!second->bytes || (second->is_number && second->is_private)) &&
         host_class_unseen(s->scan, first->owner);
}

static void add_pair(Search *s, HostField first, HostField second) {
  Pair pair = {.first = first, .second = second};
  for (uint32_t i = 0; i < s->pairs.count; i++)
    if (same_field(&s->pairs.items[i].first, &first) && same_field(&s->pairs.items[i].second, &second))
      return;
  if (s->open_pairs >= MOST_PAIRS) return;
  uint32_t index = s->pairs.count;
  bool is_open = is_tractable(s, &pair.first);
  pair.is_refused = !is_tractable(s, &pair.second) || !is_open;
  pair.is_unseen = pair.is_refused && would_be_hidden(s, &pair);
  s->open_pairs += !pair.is_refused;
  vec_push(s->scan->arena, &s->pairs, pair);
  Relation from = second.bytes ? AT_MOST : NOT_NEGATIVE, to = second.bytes ? AT_LEAST : POSITIVE;
  for (Relation r = from; r <= to; r++)
    vec_push(s->scan->arena, &s->candidates, (Candidate){.pair = index, .relation = r});
}

// The members that two symbols of one object are, if they are of one class.
static void add_pairs_of(Search *s, const HostCellInfo *a, const HostCellInfo *b) {
  const HostMemberList *of_a = host_members_of(s->scan->members, a->reader, a->address);
  const HostMemberList *of_b = host_members_of(s->scan->members, b->reader, b->address);
  for (uint32_t i = 0; i < of_a->count; i++) {
    HostField first = {.owner = of_a->items[i].owner, .bytes = a->bytes};
    first.offset = of_a->items[i].offset + a->behind;
    if (a == b) {
      add_pair(s, first, (HostField){.owner = first.owner});
      continue;
    }
    for (uint32_t k = 0; k < of_b->count; k++) {
      HostField second = {.owner = of_b->items[k].owner, .bytes = b->bytes};
      second.offset = of_b->items[k].offset + b->behind;
      bool is_same = first.owner == second.owner && second.offset - first.offset == b->offset - a->offset;
      if (is_same && first.offset < second.offset) add_pair(s, first, second);
    }
  }
}

// By what is read there; whether the member is an integer is asked of it.
static bool may_be_number(const HostCellInfo *cell) {
  return cell->bytes >= 4 && (cell->kind == IR_INT || cell->kind == IR_BYTES);
}

// Relations of single members come first: there may be too many pairs of them.
static void add_pairs(Search *s, const IndexList *syms, bool of_one) {
  for (uint32_t i = 0; i < syms->count; i++) {
    const HostCellInfo *a = cell_of(s->scan, syms->items[i]);
    if (!is_settled_place(s->scan, a) || !may_be_number(a)) continue;
    for (uint32_t k = 0; k < syms->count; k++) {
      const HostCellInfo *b = cell_of(s->scan, syms->items[k]);
      bool is_same =
          a->frame == b->frame && a->place == b->place && a->index == b->index && a->base == b->base;
      if (is_same && (a == b) == of_one && may_be_number(b)) add_pairs_of(s, a, b);
    }
  }
}

// ---- objects in static memory
static ExprRef initial_value(Search *s, const IrGlobal *global, uint64_t start, const HostField *field) {
  uint64_t at = start + (uint64_t)field->offset, word = 0;
  if (at + field->bytes > global->bytes) return 0;
  for (uint32_t i = 0; i < field->bytes; i++)
    word |= (uint64_t)global->data[at + i] << (8 * i);
  return expr_const(s->scan->pool, (uint8_t)(field->bytes * 8), (int64_t)word);
}

static void read_element(Search *s, uint32_t p, const IrGlobal *global, uint64_t start) {
  const Pair *pair = &s->pairs.items[p];
  ExprRef first = initial_value(s, global, start, &pair->first);
  ExprRef second = pair->second.bytes ? initial_value(s, global, start, &pair->second) : 0;
  if (!first || (!second && pair->second.bytes)) return;
  s->pairs.items[p].writers++; // the compiler
  obligations_add_value(s, p, first, second);
}

// A member that is an address in some element: no number to compare.
static bool holds_address(const IrGlobal *global, uint64_t step, const Pair *pair) {
  const HostField *fields[] = {&pair->first, &pair->second};
  for (uint32_t i = 0; i < global->addresses.count && step; i++)
    for (uint32_t k = 0; k < 2; k++) {
      int64_t at = (int64_t)(global->addresses.items[i].at % step);
      if (fields[k]->bytes && at < fields[k]->offset + fields[k]->bytes && fields[k]->offset < at + 8)
        return true;
    }
  return false;
}

static void read_global(Search *s, const IrGlobal *global) {
  for (uint32_t p = 0; p < s->pairs.count; p++) {
    Pair *pair = &s->pairs.items[p];
    bool is_about = global->owner && strcmp(global->owner, pair->first.owner) == 0;
    if (!is_about || global->is_external) continue;
    uint64_t step = global->owner_bytes ? global->owner_bytes : global->bytes;
    bool is_readable = global->data && step && global->bytes / step <= MOST_OBLIGATIONS;
    pair->is_refused |= !is_readable || pair->first.offset < 0 || holds_address(global, step, pair);
    for (uint64_t at = 0; !pair->is_refused && at + step <= global->bytes; at += step)
      read_element(s, p, global, at);
  }
}

static void add_zero(Search *s, uint32_t p) {
  ExprRef zero = expr_const(s->scan->pool, 64, 0);
  obligations_add_value(s, p, zero, s->pairs.items[p].second.bytes ? zero : 0);
}

// In a library, objects may come from constructors that nothing here calls; those make members zero if
// nothing else.
static void read_zeroed_heap(Search *s) {
  const HostScan *scan = s->scan;
  for (uint32_t f = 0; f < scan->module->functions.count; f++)
    for (uint32_t i = 0; i < scan->functions[f].ir->insts.count; i++) {
      const IrInst *inst = &scan->functions[f].ir->insts.items[i];
      if (inst->op != IR_CALL || host_call(s->scan, inst, NULL)->kind != CALL_NEW_ZEROED) continue;
      const HostMemberList *list =
          host_members_of(scan->members, &scan->functions[f], IR_REF(IR_REF_INST, i));
      for (uint32_t p = 0; p < s->pairs.count; p++)
        for (uint32_t k = 0; k < list->count; k++)
          if (strcmp(list->items[k].owner, s->pairs.items[p].first.owner) == 0) add_zero(s, p);
    }
  for (uint32_t p = 0; p < s->pairs.count && !scan->options->has_main; p++)
    add_zero(s, p);
}

// ---- constants and multiples
// Low bits that are zero, whatever the symbols are.
static uint32_t zero_bits(ExprPool *pool, ExprRef ref, uint32_t depth) {
  ExprNode node = *expr_node(pool, ref);
  int64_t value = 0;
  uint32_t zeros = 0;
  if (expr_is_const(pool, ref, &value)) {
    for (; value && !(value & 1) && zeros < 63; value >>= 1)
      zeros++;
    return value ? zeros : 64;
  }
  if (depth == 0 || !node.a) return 0;
  uint32_t a = node.op == EXPR_ITE ? 64 : zero_bits(pool, node.a, depth - 1);
  uint32_t b = node.b ? zero_bits(pool, node.b, depth - 1) : 0;
  switch ((ExprOp)node.op) {
  case EXPR_ADD:
  case EXPR_SUB:
  case EXPR_OR: return a < b ? a : b;
  case EXPR_AND: return a > b ? a : b;
  case EXPR_MUL: return a + b < 64 ? a + b : 64;
  case EXPR_RESIZES: return a;
  case EXPR_SHL:
    return expr_is_const(pool, node.b, &value) && value >= 0 && value < 64 ? a + (uint32_t)value : a;
  case EXPR_ITE: a = zero_bits(pool, node.c, depth - 1); return a < b ? a : b;
  case EXPR_SDIV: // of these nothing is known
  case EXPR_SREM:
  case EXPR_UDIV:
  case EXPR_UREM:
  case EXPR_LSHR:
  case EXPR_ASHR:
  case EXPR_XOR:
  case EXPR_NOT:
  case EXPR_COMPARISONS:
  case EXPR_LEAVES: break;
  }
  return 0;
}

static bool is_kept_value(const Search *s, const Obligation *o) { // the member as it was before
  const ExprNode *node = expr_node(s->scan->pool, o->first);
  if (node->op != EXPR_SYM || !host_sym(s->scan, (uint32_t)node->value)->cell) return false;
  return is_field(s->scan, cell_of(s->scan, (uint32_t)node->value), &s->pairs.items[o->pair].first);
}

typedef struct Numbers { // what is common to the values of a member
  uint32_t seen, zeros;
  bool is_constant, has_zero; // but for zeros
  int64_t number;
} Numbers;

static void note_number(const Search *s, const Obligation *o, Numbers *n) {
  int64_t number = 0;
  if (is_kept_value(s, o)) return;
  uint32_t zeros = zero_bits(s->scan->pool, o->first, 8);
  n->zeros = zeros < n->zeros ? zeros : n->zeros;
  bool is_constant = expr_is_const(s->scan->pool, o->first, &number);
  bool is_zero = is_constant && number == 0;
  n->has_zero |= is_zero;
  n->is_constant &= is_constant && (is_zero || n->number == 0 || number == n->number);
  if (!is_zero) n->number = number;
  n->seen++;
}

static void add_number_candidates(Search *s, uint32_t p) {
  Numbers n = {.zeros = 64, .is_constant = true};
  if (s->pairs.items[p].second.bytes || s->pairs.items[p].is_refused) return;
  for (uint32_t i = 0; i < s->duties.count; i++) {
    Duty *duty = &s->duties.items[i];
    if (duty->pair != p) continue;
    if (duty->frame && !duty->has_early) obligations_look_early(s, duty);
    if (!duty->early.count && duty->frame && !duty->has_late) obligations_look_late(s, duty);
    const Obligations *at = duty->early.count ? &duty->early : &duty->late;
    for (uint32_t k = 0; k < at->count; k++)
      note_number(s, &at->items[k], &n);
  }
  Candidate c = {.pair = p, .relation = CONSTANT, .number = n.number};
  if (n.has_zero && n.number) c.relation = CONSTANT_OR_ZERO;
  if (n.seen && n.is_constant) vec_push(s->scan->arena, &s->candidates, c);
  c = (Candidate){.pair = p, .relation = MULTIPLE, .number = (int64_t)1 << (n.zeros < 12 ? n.zeros : 12)};
  if (n.seen && !n.is_constant && n.zeros) vec_push(s->scan->arena, &s->candidates, c);
}

// ---- what is left
static bool is_met_everywhere(Search *s, const Candidate *c) {
  for (uint32_t i = 0; i < s->duties.count; i++)
    if (s->duties.items[i].pair == c->pair && !obligations_are_met(s, c, &s->duties.items[i])) return false;
  return true;
}

static void drop_what_fails(Search *s) {
  for (uint32_t i = 0; i < s->candidates.count; i++) {
    const Pair *pair = &s->pairs.items[s->candidates.items[i].pair];
    s->candidates.items[i].is_dropped |= pair->is_refused || pair->writers == 0; // written in unseen ways
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < s->candidates.count; i++) {
      Candidate *c = &s->candidates.items[i];
      if (c->is_dropped || is_met_everywhere(s, c)) continue;
      c->is_dropped = changed = true;
    }
  }
}

// ---- facts
static void add_to_launch(Search *s, const HostLaunch *launch) {
  AssumedList said = {0};
  invariant_say_of(s, &launch->syms, &said);
  for (uint32_t i = 0; i < said.count; i++) {
    Fact fact = {.condition = said.items[i].condition, .class = FACT_RELATION};
    fact.loc = s->pairs.items[s->candidates.items[said.items[i].candidate].pair].loc;
    fact.text = host_text(s->scan->pool, s->scan->arena, fact.condition);
    vec_push(s->scan->arena, &launch->context->facts, fact);
    launch->context->assumptions |= ASSUME_MEMBERS | ASSUME_NO_OVERFLOW;
  }
}

// What only functions of a class leave in a member is no choice of whoever calls them, in a program that is not there whole.
static void add_doubt(Search *s, const HostLaunch *launch, const Pair *pair, uint32_t sym) {
  HostScan *scan = s->scan;
  const HostCellInfo *cell = cell_of(scan, sym);
  if (!is_field(scan, cell, &pair->first) || !is_settled_place(scan, cell)) return;
  const ExprSym *info = expr_sym_info(scan->pool, sym);
  LaunchDoubt doubt = {.value = expr_sym(scan->pool, sym), .name = info->name, .loc = info->loc};
  doubt.text = arena_printf(
      scan->arena,
      "only if the functions of '%s' leave such a number in '%s' for some caller whose text is not here",
      pair->first.owner, info->name);
  vec_push(scan->arena, &launch->context->doubts, doubt);
}

static void add_doubts(Search *s, const HostLaunch *launch) {
  for (uint32_t p = 0; p < s->pairs.count; p++) {
    const Pair *pair = &s->pairs.items[p];
    for (uint32_t i = 0; pair->is_kept_in && !pair->second.bytes && i < launch->syms.count; i++)
      add_doubt(s, launch, pair, launch->syms.items[i]);
  }
}

// Where all but few writers keep a relation, a reader may want to know who does not.
static void add_broken(Search *s, const HostLaunch *launch) {
  HostScan *scan = s->scan;
  AssumedList said = {0};
  for (uint32_t c = 0; c < s->candidates.count; c++) {
    const Candidate *candidate = &s->candidates.items[c];
    const Pair *pair = &s->pairs.items[candidate->pair];
    bool is_telling = candidate->is_dropped && candidate->kept * 2 >= pair->writers &&
                      candidate->breaker.file && pair->second.bytes;
    for (uint32_t i = 0; is_telling && i < launch->syms.count; i++)
      say_of_symbol(s, launch->syms.items[i], c, &said);
  }
  for (uint32_t i = 0; i < said.count; i++) {
    const SrcLoc *loc = &s->candidates.items[said.items[i].candidate].breaker;
    const char *text = host_text(scan->pool, scan->arena, said.items[i].condition);
    text = arena_printf(scan->arena, "%s: not where %s writes (%s:%u)", text,
                        loc->function && *loc->function ? loc->function : "code", loc->file, loc->line);
    vec_push(scan->arena, &launch->context->broken, text);
  }
}

// Of a class with functions that are not seen nothing is told; a reader may want to know why.
static void add_unseen(Search *s, const HostLaunch *launch) {
  HostScan *scan = s->scan;
  for (uint32_t k = 0; k < s->classes.count; k++) {
    const char *unseen = host_class_unseen(scan, s->classes.items[k]);
    bool is_about = false;
    for (uint32_t p = 0; unseen && p < s->pairs.count && !is_about; p++) {
      const Pair *pair = &s->pairs.items[p];
      if (!pair->is_unseen || strcmp(pair->first.owner, s->classes.items[k]) != 0) continue;
      for (uint32_t i = 0; i < launch->syms.count && !is_about; i++)
        is_about = is_field(scan, cell_of(scan, launch->syms.items[i]), &pair->first);
    }
    if (is_about)
      vec_push(scan->arena, &launch->context->broken,
               arena_printf(scan->arena, "relations between members of %s: the text of its '%s' is not here",
                            s->classes.items[k], unseen));
  }
}

void host_invariants_add(HostScan *scan) {
  ASSERT(scan->result); // after the walk over the program
  Search s = {.scan = scan};
  if (!scan->options || !scan->options->prove) return;
  scan->frame_limit = scan->frames.count + HOST_FRAMES;
  scan->frame_slots = 0;
  scan->steps = 0;
  for (uint32_t i = 0; i < scan->launches.count; i++)
    for (uint32_t k = 0; k < scan->launches.items[i].syms.count; k++)
      add_class_of(&s, scan->launches.items[i].syms.items[k]);
  if (s.classes.count == 0) return;
  scan->members = host_members_find(scan, s.classes.count, s.classes.items);
  for (uint32_t i = 0; i < scan->launches.count; i++)
    add_pairs(&s, &scan->launches.items[i].syms, true);
  for (uint32_t i = 0; i < scan->launches.count; i++)
    add_pairs(&s, &scan->launches.items[i].syms, false);
  for (uint32_t p = 0; p < s.pairs.count; p++) {
    Pair *pair = &s.pairs.items[p];
    bool gets_out = host_field_gets_out(scan, &pair->first) ||
                    (pair->second.bytes && host_field_gets_out(scan, &pair->second));
    pair->is_kept_in = pair->first.is_private && !gets_out && !scan->options->has_main;
    pair->is_refused |= gets_out;
    pair->is_unseen |= gets_out && would_be_hidden(&s, pair);
  }
  for (uint32_t i = 0; i < s.classes.count; i++)
    obligations_read_writers(&s, s.classes.items[i]);
  for (uint32_t i = 0; i < scan->module->globals.count; i++)
    read_global(&s, &scan->module->globals.items[i]);
  read_zeroed_heap(&s);
  for (uint32_t p = 0; p < s.pairs.count; p++)
    add_number_candidates(&s, p);
  drop_what_fails(&s);
  for (uint32_t i = 0; i < scan->launches.count; i++)
    add_to_launch(&s, &scan->launches.items[i]);
  for (uint32_t i = 0; i < scan->launches.count; i++)
    add_doubts(&s, &scan->launches.items[i]);
  for (uint32_t i = 0; i < scan->launches.count; i++)
    add_broken(&s, &scan->launches.items[i]);
  for (uint32_t i = 0; i < scan->launches.count; i++)
    add_unseen(&s, &scan->launches.items[i]);
}
