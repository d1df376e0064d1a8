// Who writes members of a class, and where does somebody else see what was written? For invariants.
// Method: every instruction that writes memory through an address that stands for a byte of the class is a
// writer: stores, copies, library calls that fill what they are given. From it, control is followed to where
// others may look: calls that may reach the object, returns, ends of other kinds (leaving.c), ends of rounds of loops, ways into and out of
// loops, and ways to merges behind which no other writer follows.
// Soundness: a relation that holds at all these places for the object just written holds for all objects
// whenever code that does not know how an object came about reads it: objects change in no other way (A13),
// and new ones count from their first write on. A member whose address is let out by itself is refused.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/invariants/invariants.h"
#include "core/bug.h"
#include "hostscan/objects.h"
#include "hostscan/program.h"
#include "hostscan/syntax.h"
#include "hostscan/value.h"

#include <string.h>

enum { ALL_BEHIND = 1 << 20, MOST_POINTS = 24, MOST_BLOCKS = 400 };

// ---- writers
typedef struct Search {
  HostScan *scan;
  HostFunction *function;
  const char *owner;
  HostWriters *writers;
} Search;

static void add_writer(const Search *s, uint32_t inst, IrRef address, int64_t length) {
  const HostMemberList *list = host_members_of(s->scan->members, s->function, address);
  for (uint32_t i = 0; i < list->count; i++) {
    HostWriter writer = {s->function, inst, address, s->owner, list->items[i].offset, length};
    if (strcmp(list->items[i].owner, s->owner) == 0) vec_push(s->scan->arena, s->writers, writer);
  }
}

static int64_t length_of(const IrFunction *ir, IrRef length) {
  int64_t bytes = 0;
  return ir_const_value(ir, length, &bytes) && bytes >= 0 && bytes < ALL_BEHIND ? bytes : ALL_BEHIND;
}

static void add_call(const Search *s, uint32_t index) {
  const IrInst *call = &s->function->ir->insts.items[index];
  const HostCall *known = host_call(s->scan, call, NULL);
  uint32_t count = host_argument_count(call);
  uint32_t outputs = known->kind == CALL_WRITES || known->kind == CALL_WRITES_FAR ? known->outputs : 0;
  int64_t length = outputs && known->size ? known->size : ALL_BEHIND;
  switch (known->kind) {
  case CALL_ALLOCATE:
  case CALL_ALLOCATE_ARRAY:
  case CALL_SYMBOL_ADDRESS:
  case CALL_HOST_POINTER: outputs = 1, length = 8; break;
  case CALL_ALLOCATE_PITCH: outputs = 3, length = 8; break;
  case CALL_ALLOCATE_3D: outputs = 1, length = 32; break;
  case CALL_COPY:
  case CALL_COPY_LINEAR:
  case CALL_COPY_ROWS:
  case CALL_COPY_FROM_SYMBOL:
  case CALL_LIBRARY:
  case CALL_FILL: outputs = 1; break;
  case CALL_COPY_PLAIN:
    outputs = 1;
    if (count > 2) length = length_of(s->function->ir, call->ops[2]);
    break;
  case CALL_COPY_SYMBOL: // into a device variable
  case CALL_UNKNOWN:
  case CALL_DEFINED:
  case CALL_QUIET:
  case CALL_WRITES:
  case CALL_WRITES_FAR:
  case CALL_STOPS:
  case CALL_ASSUME:
  case CALL_PUSH:
  case CALL_STUB:
  case CALL_LAUNCH:
  case CALL_LAUNCH_COOPERATIVE:
  case CALL_LAUNCH_EX:
  case CALL_LAUNCH_DRIVER:
  case CALL_LAUNCH_DRIVER_EX:
  case CALL_LAUNCH_BLIND:
  case CALL_LAUNCH_NODE:
  case CALL_LAUNCH_ANY_NODE:
  case CALL_NEW:
  case CALL_NEW_ZEROED: break;
  }
  for (uint32_t i = 0; i < count; i++)
    if (outputs >> (i < 31 ? i : 31) & 1) add_writer(s, index, call->ops[i], length);
}

static void add_inst(const Search *s, uint32_t index) {
  const IrFunction *ir = s->function->ir;
  const IrInst *inst = &ir->insts.items[index];
  if (inst->op == IR_CALL) add_call(s, index);
  if (!ir_inst_writes_there(inst)) return;
  bool spans = ir_inst_is(inst, IR_SPANS);
  add_writer(s, index, inst->ops[0],
             spans ? length_of(ir, inst->ops[2]) : ir_ref_type(s->scan->module, ir, inst->ops[1]).bytes);
}

// In a closed program only what main, and what runs before it, can come to: what was inlined everywhere
// stands there by itself as well, with parameters that nobody gives.
static void mark_running(HostScan *scan, bool *is_running) {
  IndexList work = {0};
  for (uint32_t f = 0; f < scan->module->functions.count; f++) {
    const HostFunction *function = &scan->functions[f];
    bool is_named = function->is_address_taken || function->ir->is_in_data; // anything may call it
    bool is_start = !scan->options->has_main || function->is_constructor || is_named ||
                    strcmp(function->ir->name, "main") == 0;
    if (is_start) vec_push(scan->arena, &work, f);
  }
  while (work.count) {
    uint32_t f = work.items[--work.count];
    if (is_running[f]) continue;
    is_running[f] = true;
    for (uint32_t i = 0; i < scan->functions[f].ir->insts.count; i++) {
      HostFunction *callee = NULL;
      const IrInst *inst = &scan->functions[f].ir->insts.items[i];
      if (inst->op == IR_CALL) (void)host_call(scan, inst, &callee);
      if (callee) vec_push(scan->arena, &work, callee->index);
    }
  }
}

bool host_writers_find(HostScan *scan, const char *owner, HostWriters *writers) {
  ASSERT(owner);
  if (!scan->is_running) {
    scan->is_running = arena_array(scan->arena, scan->module->functions.count + 1u, bool);
    mark_running(scan, scan->is_running);
  }
  for (uint32_t f = 0; f < scan->module->functions.count; f++) {
    HostFunction *function = &scan->functions[f];
    if (function->ir->blocks.count == 0 || function->is_generated || !scan->is_running[f]) continue;
    host_function_open(scan, function);
    Search search = {scan, function, owner, writers};
    for (uint32_t i = 0; i < function->ir->insts.count; i++)
      if (function->cfg->rpo_number[function->ir->insts.items[i].block] != CFG_NONE) add_inst(&search, i);
  }
  return !host_members_is_vague(scan->members, owner) && !host_leaving(scan).jumps;
}

// ---- addresses of members that get out
// Does the address stand for the member, or for one that it is a part of?
static bool is_member(const HostScan *scan, const HostFunction *function, IrRef ref, const HostField *field) {
  const HostMemberList *list = host_members_of(scan->members, function, ref);
  int64_t from = field->is_part ? field->whole : field->offset; // who has the whole has its parts
  for (uint32_t i = 0; i < list->count; i++)
    if (list->items[i].offset >= from && list->items[i].offset <= field->offset &&
        strcmp(list->items[i].owner, field->owner) == 0)
      return true;
  return false;
}

static const IrClass *find_class(const HostScan *scan, const char *owner) {
  static const IrClass unknown = {.unseen = "(declaration)"};
  const IrClasses *classes = &scan->module->classes;
  for (uint32_t i = 0; i < classes->count; i++)
    if (strcmp(classes->items[i].name, owner) == 0) return &classes->items[i];
  return &unknown;
}

const char *host_class_unseen(const HostScan *scan, const char *owner) {
  ASSERT(owner);
  return find_class(scan, owner)->unseen;
}

bool host_class_hides(const HostScan *scan, const HostField *field) {
  const IrClass *class = find_class(scan, field->owner);
  for (uint32_t i = 0; i < class->hidden.count; i++) {
    const IrHidden *hidden = &class->hidden.items[i];
    if (field->offset >= 0 && hidden->at == (uint64_t)field->offset && hidden->bytes == field->bytes)
      return true;
  }
  return false;
}

// Of several around it the largest: nobody is given any of it.
bool host_class_hides_whole(const HostScan *scan, HostField *field) {
  const IrClass *class = find_class(scan, field->owner);
  uint64_t end = (uint64_t)field->offset + field->bytes, most = field->bytes;
  for (uint32_t i = 0; i < class->hidden.count && field->offset >= 0; i++) {
    const IrHidden *hidden = &class->hidden.items[i];
    if (hidden->bytes <= most || hidden->at > (uint64_t)field->offset || hidden->at + hidden->bytes < end)
      continue;
    most = hidden->bytes;
    field->whole = (int64_t)hidden->at;
  }
  return most > field->bytes;
}

// The object of a member function that only looks, or what is const behind other parameters.
static bool takes_const(const HostScan *scan, const IrInst *call, uint32_t argument) {
  if (!call->name) return false;
  if (argument == 0 && str_starts_with(call->name, "_ZNK")) return true;
  const IrFunction *callee = host_function_named(scan, 0, call->name);
  return callee && callee->takes_const && (argument > 0 || !str_starts_with(call->name, "_ZN"));
}

static bool constructs(const char *mangled) { // or seems to
  return mangled && (strstr(mangled, "C1") || strstr(mangled, "C2"));
}

// Is an object of the class given to code that is not seen, and that may write to it? If only constructors
// are not seen, whoever is given an object cannot write to its private members, but for one that is called
// here.
static bool gives_object(HostScan *scan, const HostFunction *function, const IrInst *inst,
                         const HostField *field) {
  const IrClass *class = find_class(scan, field->owner);
  bool is_safe = field->is_private && (!class->unseen || class->constructs);
  if (inst->op != IR_CALL || host_call(scan, inst, NULL)->kind != CALL_UNKNOWN) return false;
  for (uint32_t i = 0; i < inst->op_count; i++) {
    const HostMemberList *list = host_members_of(scan->members, function, inst->ops[i]);
    for (uint32_t k = 0; k < list->count; k++)
      if (strcmp(list->items[k].owner, field->owner) == 0 && !takes_const(scan, inst, i) &&
          !(is_safe && !(i == 0 && constructs(inst->name))))
        return true;
  }
  return false;
}

static bool lets_out(HostScan *scan, const HostFunction *function, const IrInst *inst,
                     const HostField *field) {
  bool is_out = inst->op == IR_STORE || inst->op == IR_PTRTOINT || inst->op == IR_RET ||
                inst->op == IR_INSERT || inst->op == IR_CALL;
  if (!is_out) return false;
  if (inst->op == IR_CALL && host_call(scan, inst, NULL)->kind != CALL_UNKNOWN) return false;
  for (uint32_t i = inst->op == IR_STORE ? 1 : 0; i < inst->op_count; i++)
    if (is_member(scan, function, inst->ops[i], field)) return true;
  return false;
}

// What the offset is a multiple of, as its last step shows.
static int64_t step_of(const IrFunction *ir, IrRef offset) {
  const IrInst *inst = ir_inst(ir, offset);
  int64_t factor = 1;
  if (!inst || inst->op_count < 2 || !ir_const_value(ir, inst->ops[1], &factor)) return 1;
  if (inst->op == IR_MUL) return factor;
  return inst->op == IR_SHL && factor >= 0 && factor < 32 ? (int64_t)1 << factor : 1;
}

static bool is_written_through(const HostFunction *function, uint32_t index) {
  for (uint32_t i = function->use_first[index]; i < function->use_first[index + 1]; i++) {
    const IrInst *user = &function->ir->insts.items[function->uses[i]];
    if (user->op != IR_LOAD && user->op != IR_ICMP) return true;
  }
  return false;
}

// An address that goes through the object in steps which are shorter than it, from a member that is a number,
// and so no array: ((char *)this)[i] = 0. A part of another member may be one of an array's elements.
static bool goes_through(HostScan *scan, const HostFunction *function, uint32_t index, const HostField *field,
                         bool begins_with_number) {
  const IrFunction *ir = function->ir;
  const IrInst *inst = &ir->insts.items[index];
  int64_t step = 0;
  if (inst->op != IR_PTRADD || ir_const_value(ir, inst->ops[1], &step)) return false;
  const HostMemberList *list = host_members_of(scan->members, function, inst->ops[0]);
  for (uint32_t i = 0; i < list->count; i++) {
    int64_t from = list->items[i].offset;
    bool is_number =
        field->is_part ? from <= field->offset : from == field->offset || (from == 0 && begins_with_number);
    if (is_number && strcmp(list->items[i].owner, field->owner) == 0 &&
        step_of(ir, inst->ops[1]) < field->offset + field->bytes - from + field->is_part)
      return is_written_through(function, index);
  }
  return false;
}

static bool begins_with_number(const HostScan *scan, const char *owner) {
  for (uint32_t f = 0; f < scan->module->functions.count; f++) {
    const IrFunction *ir = scan->module->functions.items[f];
    for (uint32_t i = 0; i < ir->insts.count; i++) {
      const IrInst *inst = &ir->insts.items[i];
      if ((inst->member & IR_FIRST_NUMBER) && inst->owner && strcmp(inst->owner, owner) == 0) return true;
    }
  }
  return false;
}

// The first member has the address of the whole object, which may go anywhere if its members are private and
// all functions that can name them are seen.
bool host_field_gets_out(HostScan *scan, const HostField *field) {
  bool is_hidden = field->is_private && !host_class_unseen(scan, field->owner);
  bool has_number = begins_with_number(scan, field->owner);
  for (uint32_t f = 0; f < scan->module->functions.count; f++) {
    const HostFunction *function = &scan->functions[f];
    if (function->is_generated) continue;
    for (uint32_t i = 0; i < function->ir->insts.count; i++) {
      const IrInst *inst = &function->ir->insts.items[i];
      if ((field->offset != 0 || field->is_part) && lets_out(scan, function, inst, field)) return true;
      if (!is_hidden && gives_object(scan, function, inst, field)) return true;
      if (goes_through(scan, function, i, field, has_number)) return true;
    }
  }
  return false;
}

// ---- where it is seen
typedef struct Way {
  HostScan *scan;
  HostFrame *frame;
  const HostWriter *writer;
  const HostWriters *writers;
  HostCheckpoints *points;
  IndexList work; // blocks
  uint32_t steps;
  bool *seen;    // by block
  HostCell cell; // the first byte written
} Way;

static bool is_observing(const Way *w, uint32_t index) {
  const IrInst *inst = &w->frame->function->ir->insts.items[index];
  if (inst->op == IR_RET) return true;
  if (inst->op == IR_UNREACHABLE) return host_leaving(w->scan).ends;
  if (inst->op != IR_CALL) return false;
  HostCallKind kind = host_call(w->scan, inst, NULL)->kind;
  if (kind != CALL_UNKNOWN && kind != CALL_DEFINED) return false;
  return !w->cell.base || host_call_reaches(w->scan, w->frame, index, w->cell);
}

static void add_point(const Way *w, HostCheckpoint point) {
  vec_push(w->scan->arena, w->points, point);
}

// Does another writer of the function follow at or below `block`?
static bool writer_follows(const Way *w, uint32_t block) {
  const HostFunction *function = w->frame->function;
  const Cfg *cfg = function->cfg;
  for (uint32_t i = 0; i < w->writers->count; i++) {
    const HostWriter *other = &w->writers->items[i];
    if (other->function != function) continue;
    uint32_t at = function->ir->insts.items[other->inst].block;
    if (cfg->rpo_number[at] >= cfg->rpo_number[block]) return true;
  }
  return false;
}

static uint32_t depth_of(const Cfg *cfg, uint32_t block) {
  uint32_t depth = 0;
  for (uint32_t loop = cfg->loop_of[block]; loop != CFG_NONE; loop = cfg->loops.items[loop].parent)
    depth++;
  return depth;
}

static void go_on(Way *w, uint32_t block, uint32_t next) {
  HostFunction *function = w->frame->function;
  const Cfg *cfg = function->cfg;
  uint32_t home = function->ir->insts.items[w->writer->inst].block;
  bool changes_loop = host_is_back_edge(cfg, block, next) || cfg->loop_of[block] != cfg->loop_of[next] ||
                      depth_of(cfg, block) != depth_of(cfg, next);
  bool is_over = !cfg_dominates(cfg, home, next) && !writer_follows(w, next);
  if (changes_loop || is_over) {
    add_point(w, (HostCheckpoint){
                     .inst = (uint32_t)(ir_terminator(function->ir, block) - function->ir->insts.items),
                     .block = block,
                     .next = next});
    return;
  }
  if (w->seen[next]) return;
  w->seen[next] = true;
  vec_push(w->scan->arena, &w->work, next);
}

// From instruction `from` of the block to its end, or to where somebody looks.
static void cross(Way *w, uint32_t block, uint32_t from) {
  const IrFunction *ir = w->frame->function->ir;
  const Cfg *cfg = w->frame->function->cfg;
  for (uint32_t i = from; i < ir->blocks.items[block].first + ir->blocks.items[block].count; i++)
    if (is_observing(w, i)) {
      add_point(w, (HostCheckpoint){.inst = i, .block = block, .next = CFG_NONE});
      return;
    }
  for (uint32_t e = cfg->succ_first[block]; e < cfg->succ_first[block + 1]; e++)
    go_on(w, block, cfg->succs[e]);
}

static Way start_way(HostScan *scan, HostFrame *frame, const HostWriter *writer) {
  HostTargets targets = {0};
  Way way = {.scan = scan, .frame = frame, .writer = writer};
  if (host_targets(scan, host_value(scan, frame, writer->address), &targets) && targets.count == 1)
    way.cell = (HostCell){targets.items[0].leaf, targets.items[0].offset, 1, IR_BYTES};
  return way;
}

bool host_checkpoint_here(HostScan *scan, HostFrame *frame, const HostWriter *writer, HostCheckpoint *point) {
  ASSERT(frame->function);
  const IrFunction *ir = frame->function->ir;
  Way way = start_way(scan, frame, writer);
  uint32_t last = (uint32_t)(ir_terminator(ir, ir->insts.items[writer->inst].block) - ir->insts.items);
  *point = (HostCheckpoint){.inst = last, .block = ir->insts.items[writer->inst].block, .next = CFG_NONE};
  for (uint32_t i = writer->inst + 1; i < last; i++)
    if (is_observing(&way, i)) return false;
  return true;
}

// `seen`: by block, those that begin on the way.
static bool follow_writer(Way *way, bool *seen) {
  HostFunction *function = way->frame->function;
  if (!function->cfg->is_reducible) return false;
  way->seen = seen;
  uint32_t block = function->ir->insts.items[way->writer->inst].block;
  // A call that may end in an exception leaves an unknown part of its writes: only its good end is followed.
  cross(way, block, way->writer->inst + 1);
  while (way->work.count && way->points->count <= MOST_POINTS && way->steps++ < MOST_BLOCKS) {
    uint32_t at = way->work.items[--way->work.count];
    cross(way, at, function->ir->blocks.items[at].first);
  }
  return way->work.count == 0 && way->points->count <= MOST_POINTS;
}

bool host_checkpoints_find(HostScan *scan, HostFrame *frame, const HostWriter *writer,
                           const HostWriters *writers, HostCheckpoints *points) {
  ASSERT(frame->function);
  Way way = start_way(scan, frame, writer);
  way.writers = writers;
  way.points = points;
  return follow_writer(&way, arena_array(scan->arena, frame->function->ir->blocks.count + 1u, bool));
}

bool *host_writers_between(HostScan *scan, HostFrame *frame, const HostWriters *writers) {
  ASSERT(frame->function);
  const IrFunction *ir = frame->function->ir;
  bool *between = arena_array(scan->arena, ir->blocks.count + 1u, bool), is_known = true;
  for (uint32_t i = 0; i < writers->count && is_known; i++) {
    HostCheckpoints points = {0};
    if (writers->items[i].function != frame->function) continue;
    Way way = start_way(scan, frame, &writers->items[i]);
    way.writers = writers;
    way.points = &points;
    bool *seen = arena_array(scan->arena, ir->blocks.count + 1u, bool);
    is_known = follow_writer(&way, seen);
    for (uint32_t b = 0; b < ir->blocks.count; b++)
      between[b] |= seen[b];
  }
  for (uint32_t b = 0; b < ir->blocks.count; b++)
    between[b] |= !is_known;
  return between;
}
