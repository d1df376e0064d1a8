// Does a writer of two members establish a relation between them wherever others can look? An obligation is one write,
// or one call that may write, and the places behind it where the object can be seen; it is met if the relation is
// proved of the values that are there, given what the candidates say of what the writer read itself. Proofs are the
// caller's (HostScanOptions.prove). Soundness: a write that is not understood refuses the class; what a function
// without a visible body leaves behind is taken to keep the relations (A13).
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/invariants/obligations.h"
#include "hostscan/contents.h"
#include "hostscan/facts.h"
#include "hostscan/objects.h"
#include "hostscan/names.h"
#include "hostscan/program.h"
#include "hostscan/syntax.h"
#include "hostscan/terms.h"
#include "hostscan/value.h"

#include <string.h>

// ---- proofs
typedef VEC(ExprRef) FactList;
enum { MOST_CASES = 64 };

// A condition that the expression is told apart by; 0 if by none.
static ExprRef deciding_condition(HostScan *scan, ExprRef ref) {
  ExprNode node = *expr_node(scan->pool, ref);
  if (node.op == EXPR_ITE) return node.a;
  const ExprRef parts[] = {node.a, node.b, node.c};
  for (uint32_t i = 0; i < 3; i++) {
    ExprRef found = parts[i] ? deciding_condition(scan, parts[i]) : 0;
    if (found) return found;
  }
  return 0;
}

static bool holds_in_all_cases(Search *s, const FactList *facts, ExprRef claim, uint32_t *cases) {
  HostScan *scan = s->scan;
  if (expr_is_true(scan->pool, claim)) return true;
  if (++*cases > MOST_CASES) return false;
  ExprRef condition = deciding_condition(scan, claim);
  if (!condition)
    return scan->options->prove(scan->options->prove_context, scan->pool, facts->count, facts->items, claim);
  for (uint32_t side = 0; side < 2; side++) {
    FactList here = {0};
    ExprRef value = expr_bool(scan->pool, side == 0);
    bool is_possible = true;
    for (uint32_t i = 0; i < facts->count; i++) {
      ExprRef fact = host_replace(scan, facts->items[i], condition, value);
      is_possible &= !expr_is_false(scan->pool, fact);
      if (!expr_is_true(scan->pool, fact)) vec_push(scan->arena, &here, fact);
    }
    vec_push(scan->arena, &here, side == 0 ? condition : expr_not(scan->pool, condition));
    if (is_possible && !holds_in_all_cases(s, &here, host_replace(scan, claim, condition, value), cases))
      return false;
  }
  return true;
}

static bool is_met(Search *s, const Candidate *c, const Obligation *o) {
  HostScan *scan = s->scan;
  ExprRef claim = invariant_relation(scan->pool, c, o->first, o->second);
  if (expr_is_true(scan->pool, claim)) return true;
  if (o->is_heavy || expr_is_false(scan->pool, claim)) return false;
  FactList facts = {0};
  AssumedList assumed = {0};
  invariant_say_of(s, &o->syms, &assumed);
  for (uint32_t i = 0; i < o->facts.count; i++)
    vec_push(scan->arena, &facts, o->facts.items[i]);
  for (uint32_t i = 0; i < assumed.count; i++)
    vec_push(scan->arena, &facts, assumed.items[i].condition);
  uint32_t cases = 0;
  return holds_in_all_cases(s, &facts, claim, &cases);
}

// ---- obligations
static ExprRef read_field(HostScan *scan, HostFrame *frame, const HostWriter *writer,
                          const HostCheckpoint *point, const HostField *field) {
  int64_t behind = field->offset - writer->offset;
  ExprRef address = host_value(scan, frame, writer->address);
  HostAccess access = {.frame = frame,
                       .inst = point->inst,
                       .address = host_add_offset(scan, address, expr_const(scan->pool, 64, behind)),
                       .bytes = field->bytes,
                       .kind = IR_INT,
                       .origin = writer->address,
                       .behind = behind,
                       .is_at_end = point->next != CFG_NONE,
                       .next = point->next};
  return host_settle(scan, host_load(scan, access));
}

// A narrowed size is meant to be the same number (A1).
static void add_narrowings(HostScan *scan, ExprRef ref, Obligation *o) {
  ExprNode node = *expr_node(scan->pool, ref);
  if (node.op == EXPR_CONST || node.op == EXPR_SYM) return;
  if (node.op == EXPR_TRUNC && node.width >= 16) {
    ExprRef same =
        expr_eq(scan->pool, expr_resize_signed(scan->pool, ref, expr_width(scan->pool, node.a)), node.a);
    vec_push(scan->arena, &o->facts, same);
  }
  const ExprRef parts[] = {node.a, node.b, node.c};
  for (uint32_t i = 0; i < 3; i++)
    if (parts[i]) add_narrowings(scan, parts[i], o);
}

static void add_facts_at(HostScan *scan, HostFrame *frame, const HostCheckpoint *point, Obligation *o) {
  LaunchContext here = {.shared_bytes = o->first};
  here.grid[0] = o->second;
  host_facts_collect(scan, frame, point->inst, &here);
  for (uint32_t i = 0; i < here.facts.count; i++)
    vec_push(scan->arena, &o->facts, here.facts.items[i].condition);
  if (point->next != CFG_NONE)
    vec_push(scan->arena, &o->facts, host_edge_condition(scan, frame, point->block, point->next));
  for (uint32_t i = 0; i < scan->content_syms.count; i++)
    vec_push(scan->arena, &o->syms, scan->content_syms.items[i]);
}

static bool touches(const HostWriter *writer, const HostField *field) {
  return field->bytes && writer->offset < field->offset + field->bytes &&
         field->offset < writer->offset + writer->length;
}

static SrcLoc writer_loc(HostScan *scan, const Duty *duty) {
  return host_loc(scan, duty->frame, &duty->frame->function->ir->insts.items[duty->writer->inst]);
}

static Obligation look_at_point(Search *s, const Duty *duty, const HostCheckpoint *point) {
  HostScan *scan = s->scan;
  Pair *pair = &s->pairs.items[duty->pair];
  Obligation o = {.pair = duty->pair};
  o.first = read_field(scan, duty->frame, duty->writer, point, &pair->first);
  if (pair->second.bytes) o.second = read_field(scan, duty->frame, duty->writer, point, &pair->second);
  o.is_heavy = host_weight(scan, o.first) + host_weight(scan, o.second) > HOST_HEAVY;
  bool is_plain =
      expr_is_const(scan->pool, o.first, NULL) && (!o.second || expr_is_const(scan->pool, o.second, NULL));
  if (is_plain || o.is_heavy) return o;
  add_facts_at(scan, duty->frame, point, &o);
  add_narrowings(scan, o.first, &o);
  if (o.second) add_narrowings(scan, o.second, &o);
  if (!pair->loc.file) pair->loc = writer_loc(scan, duty);
  return o;
}

void obligations_look_early(Search *s, Duty *duty) {
  HostCheckpoint point;
  duty->has_early = true;
  if (!host_checkpoint_here(s->scan, duty->frame, duty->writer, &point)) return;
  vec_push(s->scan->arena, &duty->early, look_at_point(s, duty, &point));
}

void obligations_look_late(Search *s, Duty *duty) {
  HostCheckpoints points = {0};
  Pair *pair = &s->pairs.items[duty->pair];
  duty->has_late = true;
  pair->is_refused |= !host_checkpoints_find(s->scan, duty->frame, duty->writer, duty->writers, &points) ||
                      (pair->obligations += points.count) > MOST_OBLIGATIONS;
  for (uint32_t i = 0; i < points.count && !pair->is_refused; i++)
    vec_push(s->scan->arena, &duty->late, look_at_point(s, duty, &points.items[i]));
}

bool obligations_are_met(Search *s, const Candidate *c, Duty *duty) {
  if (duty->frame && !duty->has_early) obligations_look_early(s, duty);
  if (duty->early.count && is_met(s, c, &duty->early.items[0])) return true;
  if (duty->frame && !duty->has_late) obligations_look_late(s, duty);
  if (s->pairs.items[duty->pair].is_refused) return false;
  for (uint32_t i = 0; i < duty->late.count; i++)
    if (!is_met(s, c, &duty->late.items[i])) return false;
  return true;
}

static void try_duty(Search *s, Candidate *c, Duty *duty) {
  if (obligations_are_met(s, c, duty)) {
    c->kept++;
    return;
  }
  c->is_dropped = true;
  if (duty->frame) c->breaker = writer_loc(s->scan, duty);
}

// What fails now fails for good: it will be given less to assume.
static void add_duty(Search *s, Duty duty) {
  Pair *pair = &s->pairs.items[duty.pair];
  bool is_open = false;
  for (uint32_t i = 0; i < s->candidates.count; i++) {
    Candidate *c = &s->candidates.items[i];
    if (c->pair == duty.pair && !c->is_dropped) try_duty(s, c, &duty);
    is_open |= c->pair == duty.pair && !c->is_dropped;
  }
  // What is said of one member alone may be found later, from all values.
  pair->is_refused |= !is_open && pair->second.bytes;
  vec_push(s->scan->arena, &s->duties, duty);
}

void obligations_add_value(Search *s, uint32_t pair, ExprRef first, ExprRef second) {
  Duty duty = {.pair = pair};
  vec_push(s->scan->arena, &duty.late, (Obligation){.pair = pair, .first = first, .second = second});
  add_duty(s, duty);
}

static void read_writer(Search *s, HostFrame *frame, const HostWriter *writer, const HostWriters *writers) {
  for (uint32_t p = 0; p < s->pairs.count; p++) {
    Pair *pair = &s->pairs.items[p];
    bool is_about = strcmp(pair->first.owner, writer->owner) == 0 &&
                    (touches(writer, &pair->first) || touches(writer, &pair->second));
    pair->writers += is_about;
    if (is_about && !pair->is_refused)
      add_duty(s, (Duty){.pair = p, .frame = frame, .writer = writer, .writers = writers});
  }
}

static void refuse_class(Search *s, const char *owner) {
  for (uint32_t p = 0; p < s->pairs.count; p++)
    s->pairs.items[p].is_refused |= strcmp(s->pairs.items[p].first.owner, owner) == 0;
}

void obligations_read_writers(Search *s, const char *owner) {
  const ClassWriters *known = invariant_writers_of(s, owner);
  const HostWriters *writers = known->writers;
  HostFrame *frame = NULL;
  if (!known->is_complete) refuse_class(s, owner);
  for (uint32_t i = 0; i < writers->count; i++) {
    const HostWriter *writer = &writers->items[i];
    if (!frame || frame->function != writer->function)
      frame = host_frame_make(s->scan, writer->function, NULL, 0);
    read_writer(s, frame, writer, writers);
  }
}
