// Which byte of an object of which class does an address stand for? Memory has no types; the front end keeps
// the class where a member is named, and an address that is used to name members of a class in one place
// points to such an object in all others.
// Method: names of members, classes of locals and globals are the seeds. What they say goes backwards along
// constant steps, copies of pointers, merges and parameters to where the address comes from, and from there
// forwards to all that is made of it, but not back again: a helper that is given members of several classes
// does not mix them.
// Soundness: an address may stand for more than one class (what a function is given by different callers);
// all are listed. Through pointers in memory and from functions that return one nothing is followed: that no
// member is written through such a pointer without its name is assumption A13.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/program.h"
#include "core/bug.h"
#include "hostscan/syntax.h"

#include <string.h>

enum { MOST_MEMBERS = 6, FAR_AWAY = 4096 };

typedef struct Call {
  uint32_t function, inst;
} Call;
typedef VEC(Call) CallList;

typedef struct Step {
  uint32_t function;
  IrRef ref;
  HostMember member;
} Step;

struct HostMembers {
  HostScan *scan;
  uint32_t class_count;
  const char *const *classes;
  bool *is_vague; // by class
  HostMap known;  // (function, reference) -> index into `lists` + 1
  VEC(HostMemberList) lists;
  VEC(Step) work;
  CallList *calls_of;    // by function
  CallList *global_uses; // by global: instructions that mention it
};

static int class_index(const HostMembers *m, const char *owner) {
  for (uint32_t i = 0; owner && i < m->class_count; i++)
    if (strcmp(m->classes[i], owner) == 0) return (int)i;
  return -1;
}

static HostKey key_of(uint32_t function, IrRef ref) {
  if (ir_ref_kind(ref) == IR_REF_GLOBAL) function = UINT32_MAX; // one for all
  return (HostKey){{function, ref}};
}

const HostMemberList *host_members_of(const HostMembers *members, const HostFunction *function, IrRef ref) {
  ASSERT(ref != IR_REF_NONE);
  static const HostMemberList none = {0};
  uint32_t at = host_map_get(&members->known, key_of(function->index, ref));
  return at ? &members->lists.items[at - 1] : &none;
}

bool host_members_is_vague(const HostMembers *members, const char *owner) {
  ASSERT(owner);
  int class = class_index(members, owner);
  return class < 0 || members->is_vague[class];
}

// ---- what is known
static void say(HostMembers *m, uint32_t function, IrRef ref, HostMember member) {
  Arena *arena = m->scan->arena;
  IrRefKind kind = ir_ref_kind(ref);
  if (kind != IR_REF_INST && kind != IR_REF_PARAM && kind != IR_REF_GLOBAL) return;
  if (member.offset > FAR_AWAY || member.offset < -FAR_AWAY) return;
  HostKey key = key_of(function, ref);
  uint32_t at = host_map_get(&m->known, key);
  if (!at) {
    vec_push(arena, &m->lists, (HostMemberList){0});
    at = m->lists.count;
    host_map_put(&m->known, key, at);
  }
  HostMemberList *list = &m->lists.items[at - 1];
  for (uint32_t i = 0; i < list->count; i++) {
    HostMember *known = &list->items[i];
    if (known->offset != member.offset || known->owner != member.owner) continue;
    bool is_new = (member.is_used && !known->is_used) || (member.is_sure && !known->is_sure);
    known->is_used |= member.is_used;
    known->is_sure |= member.is_sure;
    if (is_new) vec_push(arena, &m->work, (Step){function, ref, *known});
    return;
  }
  if (list->count == MOST_MEMBERS) {
    m->is_vague[class_index(m, member.owner)] = true;
    return;
  }
  vec_push(arena, list, member);
  vec_push(arena, &m->work, (Step){function, ref, member});
}

static void say_at(HostMembers *m, const Step *from, IrRef ref, int64_t distance, bool is_used) {
  say(m, from->function, ref,
      (HostMember){from->member.owner, from->member.offset + distance, is_used, from->member.is_sure});
}

// One of several that it may be is such an address.
static void say_unsure(HostMembers *m, uint32_t function, IrRef ref, const HostMember *member) {
  say(m, function, ref, (HostMember){member->owner, member->offset, false, false});
}

// ---- the ways
static const IrFunction *ir_of(const HostMembers *m, uint32_t function) {
  return m->scan->functions[function].ir;
}

static void follow_definition(HostMembers *m, const Step *step) {
  const IrFunction *ir = ir_of(m, step->function);
  int64_t distance = 0;
  if (ir_ref_kind(step->ref) == IR_REF_PARAM) {
    const CallList *calls = &m->calls_of[step->function];
    for (uint32_t i = 0; i < calls->count; i++) {
      const IrInst *call = &ir_of(m, calls->items[i].function)->insts.items[calls->items[i].inst];
      if (ir_ref_index(step->ref) < host_argument_count(call))
        say(m, calls->items[i].function, call->ops[ir_ref_index(step->ref)], step->member);
    }
    return;
  }
  const IrInst *inst = ir_inst(ir, step->ref);
  if (!inst) return;
  if (inst->op == IR_PTRADD && ir_const_value(ir, inst->ops[1], &distance))
    say_at(m, step, inst->ops[0], -distance, true);
  if (inst->op == IR_BITCAST || inst->op == IR_PHI)
    for (uint32_t i = 0; i < inst->op_count; i++)
      say_at(m, step, inst->ops[i], 0, true);
  for (uint32_t i = 1; inst->op == IR_SELECT && i < 3; i++)
    say_at(m, step, inst->ops[i], 0, true);
}

static void follow_call(HostMembers *m, const Step *step, const IrInst *call) {
  HostFunction *callee = NULL;
  (void)host_call(m->scan, call, &callee);
  if (!callee) return;
  for (uint32_t i = 0; i < host_argument_count(call) && i < callee->ir->params.count; i++)
    if (call->ops[i] == step->ref) say_unsure(m, callee->index, IR_REF(IR_REF_PARAM, i), &step->member);
}

// Does a copy from or to that place move a whole object, so that there is one at the other end? A copy of a member does not: what it is copied
// from is no part of such an object. One that begins where the object does may be of its first member, if that is as long.
static bool copies_object(const HostMembers *m, const Step *step, const IrInst *copy) {
  int64_t length = 0;
  if (step->member.offset != 0) return false;
  if (!ir_const_value(ir_of(m, step->function), copy->ops[2], &length)) length = 0;
  const IrClasses *classes = &m->scan->module->classes;
  for (uint32_t i = 0; i < classes->count; i++) {
    const IrClass *class = &classes->items[i];
    if (strcmp(class->name, step->member.owner) != 0) continue;
    for (uint32_t k = 0; k < class->hidden.count && class->hidden.items[k].at == 0; k++)
      if (class->hidden.items[k].bytes >= (uint64_t)length) return false;
  }
  return true;
}

static void follow_use(HostMembers *m, const Step *step, uint32_t user) {
  const IrFunction *ir = ir_of(m, step->function);
  const IrInst *inst = &ir->insts.items[user];
  IrRef result = IR_REF(IR_REF_INST, user);
  int64_t distance = 0;
  if (inst->op == IR_PTRADD) {
    if (inst->ops[0] == step->ref && ir_const_value(ir, inst->ops[1], &distance))
      say_at(m, step, result, distance, false);
  } else if (ir_inst_is(inst, IR_CHOOSES)) {
    say_unsure(m, step->function, result, &step->member);
  } else if (ir_inst_is(inst, IR_SAME_OBJECT)) {
    say_at(m, step, result, 0, false);
  } else if (inst->op == IR_MEMCPY) {
    if (copies_object(m, step, inst))
      say_at(m, step, inst->ops[0] == step->ref ? inst->ops[1] : inst->ops[0], 0, false);
  } else if (inst->op == IR_CALL) {
    follow_call(m, step, inst);
  }
}

static void follow(HostMembers *m, const Step *step) {
  const HostFunction *function = &m->scan->functions[step->function];
  uint32_t index = ir_ref_index(step->ref);
  if (ir_ref_kind(step->ref) == IR_REF_GLOBAL) {
    const CallList *uses = &m->global_uses[index];
    for (uint32_t i = 0; i < uses->count; i++)
      follow_use(m, &(Step){uses->items[i].function, step->ref, step->member}, uses->items[i].inst);
    return;
  }
  if (step->member.is_used) follow_definition(m, step);
  uint32_t slot = ir_ref_kind(step->ref) == IR_REF_PARAM ? function->ir->insts.count + index : index;
  for (uint32_t i = function->use_first[slot]; i < function->use_first[slot + 1]; i++)
    follow_use(m, step, function->uses[i]);
}

// ---- seeds
static void note_operands(HostMembers *m, uint32_t function, uint32_t index) {
  const IrInst *inst = &ir_of(m, function)->insts.items[index];
  for (uint32_t i = 0; i < inst->op_count; i++)
    if (ir_ref_kind(inst->ops[i]) == IR_REF_GLOBAL)
      vec_push(m->scan->arena, &m->global_uses[ir_ref_index(inst->ops[i])], (Call){function, index});
  HostFunction *callee = NULL;
  if (inst->op == IR_CALL) (void)host_call(m->scan, inst, &callee);
  if (callee) vec_push(m->scan->arena, &m->calls_of[callee->index], (Call){function, index});
}

static void read_seed(HostMembers *m, uint32_t function, uint32_t index) {
  const IrInst *inst = &ir_of(m, function)->insts.items[index];
  int class = class_index(m, inst->owner);
  if (class < 0) return;
  bool is_local = inst->op == IR_ALLOCA, is_access = inst->op == IR_LOAD || inst->op == IR_STORE;
  if (is_access) { // the address of the member
    say(m, function, inst->ops[0], (HostMember){m->classes[class], inst->imm, true, true});
    return;
  }
  say(m, function, IR_REF(IR_REF_INST, index),
      (HostMember){m->classes[class], is_local ? 0 : inst->imm, true, true});
}

static void read_seeds(HostMembers *m) {
  const IrModule *module = m->scan->module;
  for (uint32_t g = 0; g < module->globals.count; g++) {
    int class = class_index(m, module->globals.items[g].owner);
    if (class >= 0) say(m, 0, IR_REF(IR_REF_GLOBAL, g), (HostMember){m->classes[class], 0, true, true});
  }
  for (uint32_t f = 0; f < module->functions.count; f++)
    for (uint32_t i = 0; i < ir_of(m, f)->insts.count; i++)
      read_seed(m, f, i);
}

HostMembers *host_members_find(HostScan *scan, uint32_t class_count, const char *const *classes) {
  ASSERT(scan->functions && (!class_count || classes)); // after host_model_build
  HostMembers *m = arena_new(scan->arena, HostMembers);
  uint32_t functions = scan->module->functions.count;
  *m = (HostMembers){.scan = scan, .class_count = class_count, .classes = classes};
  m->known.arena = scan->arena;
  m->is_vague = arena_array(scan->arena, class_count + 1u, bool);
  m->calls_of = arena_array(scan->arena, functions + 1u, CallList);
  m->global_uses = arena_array(scan->arena, scan->module->globals.count + 1u, CallList);
  for (uint32_t f = 0; f < functions; f++) {
    if (ir_of(m, f)->blocks.count == 0) continue;
    host_function_open(scan, &scan->functions[f]);
    for (uint32_t i = 0; i < ir_of(m, f)->insts.count; i++)
      note_operands(m, f, i);
  }
  read_seeds(m);
  while (m->work.count) {
    Step step = m->work.items[--m->work.count];
    follow(m, &step);
  }
  return m;
}
