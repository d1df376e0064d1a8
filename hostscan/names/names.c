// What would the user call this value? Names of symbols, objects and fields for reports.
// Method: names of the debug information where the front end put them on instructions; names that clang
// invents for temporaries are dropped; fields and elements are spelled from the address computation.
// Soundness: no bearing on verdicts.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/names.h"
#include "core/bug.h"
#include "hostscan/program.h"
#include "hostscan/syntax.h"

#include <ctype.h>
#include <string.h>

enum { NAME_DEPTH = 6, NAME_LENGTH = 60 };

static const char *const invented[] = {
    "call",        "add",      "sub",     "mul",        "div",       "rem",      "conv",        "cmp",
    "tobool",      "arrayidx", "tmp",     "ref",        "agg",       "retval",   "cond",        "inc",
    "dec",         "idxprom",  "idx",     "incdec",     "shl",       "shr",      "and",         "or",
    "xor",         "not",      "neg",     "lnot",       "coerce",    "frombool", "exn",         "ehselector",
    "saved_stack", "vla",      "cleanup", "arraydecay", "arrayinit", "sel",      "call_",       "spec",
    "storedv",     "land",     "lor",     "bf",         "unused",    "undef",    "kernel_args", "grid_dim",
    "block_dim",   "result",   "vx",      "vy",         "vz"};

const char *host_clean_name(HostScan *scan, const char *name) {
  if (!name || !(isalpha((unsigned char)*name) || *name == '_')) return NULL;
  if (name[0] == '_' && name[1] == '_') return NULL; // of the library
  size_t length = strcspn(name, "."), stem = length;
  while (stem > 0 && isdigit((unsigned char)name[stem - 1]))
    stem--;
  for (size_t i = 0; i < sizeof invented / sizeof *invented; i++)
    if (strlen(invented[i]) == stem && strncmp(name, invented[i], stem) == 0) return NULL;
  return arena_strndup(scan->arena, name, length);
}

const char *host_display_name(const IrFunction *function) {
  ASSERT(function->name);
  return function->display && *function->display ? function->display : function->name;
}

static const char *value_name(HostScan *scan, const HostFrame *frame, IrRef ref, uint32_t depth);
static const char *content_name(HostScan *scan, const HostFrame *frame, IrRef ref, uint32_t depth);

static const char *shorten(HostScan *scan, const char *name) {
  if (strlen(name) <= NAME_LENGTH) return name;
  return arena_printf(scan->arena, "%.*s...", NAME_LENGTH - 3, name);
}

// "std::vector<int, std::allocator<int> >::size" -> "std::vector::size"
static const char *without_arguments(HostScan *scan, const char *name) {
  static const char inner[] = "__cxx11::";
  StrBuf plain = {.arena = scan->arena};
  uint32_t depth = 0;
  for (const char *at = name; *at; at++) {
    if (depth == 0 && str_starts_with(at, "operator")) { // operator<, operator->
      strbuf_printf(&plain, "%s", at);
      break;
    }
    if (str_starts_with(at, inner)) {
      at += sizeof inner - 2;
      continue;
    }
    depth += *at == '<';
    if (depth == 0) strbuf_printf(&plain, "%c", *at);
    if (*at == '>' && depth > 0) depth--;
  }
  return strbuf_text(&plain);
}

const char *host_name_of_callee(HostScan *scan, const IrInst *call) {
  ASSERT(call->op == IR_CALL);
  size_t length = 0;
  const char *callee = host_callee_name(scan, call);
  const IrFunction *known = callee ? host_function_named(scan, 0, callee) : NULL;
  if (known && known->display && *known->display) return without_arguments(scan, known->display);
  const char *base = callee ? host_base_name(callee, &length) : NULL;
  return base ? arena_printf(scan->arena, "%.*s", (int)length, base) : NULL;
}

static bool is_subscript(const char *callee) {
  return str_ends_with(callee, "operator[]");
}

static const char *call_name(HostScan *scan, const HostFrame *frame, const IrInst *inst, uint32_t depth) {
  const char *base = host_name_of_callee(scan, inst);
  if (!base) return "call()";
  if (str_starts_with(base, HOST_CONTENTS_PREFIX)) base += strlen(HOST_CONTENTS_PREFIX); // "count(n)"
  uint32_t count = host_argument_count(inst);
  const char *first = count > 0 ? value_name(scan, frame, inst->ops[0], depth - 1) : "";
  if (count > 1 && (strcmp(first, "value") == 0 || strcmp(first, "?") == 0)) first = "";
  if (count == 2 && *first && is_subscript(base)) return arena_printf(scan->arena, "%s[...]", first);
  const char *more = count > 1 ? *first ? ", ..." : "..." : "";
  return arena_printf(scan->arena, "%s(%s%s)", base, first, more);
}

// The index in `index * size`, for d[i].
static const char *index_name(HostScan *scan, const HostFrame *frame, IrRef offset, uint32_t depth) {
  const IrFunction *ir = frame->function->ir;
  int64_t bytes = 0;
  if (ir_const_value(ir, offset, &bytes)) return NULL;
  const IrInst *inst = ir_inst(ir, offset);
  while (inst && (ir_inst_is(inst, IR_EXTENDS) ||
                  ((inst->op == IR_MUL || inst->op == IR_SHL) && ir_const_value(ir, inst->ops[1], &bytes)))) {
    offset = inst->ops[0];
    inst = ir_inst(ir, offset);
  }
  return value_name(scan, frame, offset, depth);
}

// The variable that a value is stored in, directly or converted.
static const char *stored_name(HostScan *scan, const HostFrame *frame, IrRef ref, uint32_t depth) {
  const HostFunction *function = frame->function;
  uint32_t slot = ir_ref_index(ref);
  for (uint32_t i = function->use_first[slot]; i < function->use_first[slot + 1]; i++) {
    const IrInst *user = &function->ir->insts.items[function->uses[i]];
    const char *name = NULL;
    if (user->op == IR_STORE && user->ops[1] == ref) {
      const IrInst *place = ir_inst(function->ir, user->ops[0]);
      if (place && place->op == IR_ALLOCA) name = host_clean_name(scan, place->name);
    } else if (depth > 0 && ir_inst_is(user, IR_RESIZES)) {
      name = host_clean_name(scan, user->name);
      if (!name) name = stored_name(scan, frame, IR_REF(IR_REF_INST, function->uses[i]), depth - 1);
    }
    if (name) return name;
  }
  return NULL;
}

static bool is_place(const IrInst *inst, IrRef ref) { // an address inside a variable, not a pointer's value
  if (ir_ref_kind(ref) == IR_REF_GLOBAL) return true;
  return inst && (inst->op == IR_ALLOCA || inst->op == IR_PTRADD);
}

static const char *variable_name(HostScan *scan, const IrInst *alloca) {
  const char *name = host_clean_name(scan, alloca->name);
  return name ? name : "local";
}

// Has anybody the address of another element of it?
static bool is_array(const HostFunction *function, IrRef variable) {
  uint32_t slot = ir_ref_index(variable);
  for (uint32_t i = function->use_first[slot]; i < function->use_first[slot + 1]; i++) {
    const IrInst *user = &function->ir->insts.items[function->uses[i]];
    if (user->op == IR_PTRADD && user->ops[0] == variable && user->name && user->name[0] == '[') return true;
  }
  return false;
}

// The address of a member that is a class goes by the name of the first member in it, "last.x".
static const char *without_first(HostScan *scan, const IrInst *base, const char *whole) {
  bool is_class = base && base->op == IR_PTRADD && base->name && base->name[0] == '.' &&
                  !(base->member & IR_MEMBER_NUMBER) && strchr(base->name + 1, '.');
  const char *last = is_class ? strrchr(whole, '.') : NULL;
  return last ? arena_strndup(scan->arena, whole, (size_t)(last - whole)) : whole;
}

static const char *member_name(HostScan *scan, const HostFrame *frame, const IrInst *inst, uint32_t depth) {
  const IrFunction *ir = frame->function->ir;
  IrRef base = inst->ops[0];
  const IrInst *variable = ir_inst(ir, base);
  bool place = is_place(variable, base);
  const char *whole = place && variable && variable->op == IR_ALLOCA ? variable_name(scan, variable)
                      : place ? content_name(scan, frame, base, depth - 1)
                              : value_name(scan, frame, base, depth - 1);
  if (inst->name && inst->name[0] == '[') return arena_printf(scan->arena, "%s%s", whole, inst->name);
  const char *member = inst->name && inst->name[0] == '.' ? inst->name + 1 : NULL; // "dim.rows"
  const char *index = index_name(scan, frame, inst->ops[1], depth - 1);
  if (host_clean_name(scan, member)) {
    bool is_indexed = index && str_ends_with(member, "[]"); // "steps[]"
    whole =
        arena_printf(scan->arena, "%s%s%s", without_first(scan, variable, whole), place ? "." : "->", member);
    return is_indexed ? arena_printf(scan->arena, "%.*s[%s]", (int)strlen(whole) - 2, whole, index) : whole;
  }
  if (index) return arena_printf(scan->arena, "%s[%s]", whole, index);
  int64_t bytes = 0;
  if (!ir_const_value(ir, inst->ops[1], &bytes) || bytes == 0) return whole;
  return arena_printf(scan->arena, "%s[+%lld]", whole, (long long)bytes);
}

static const char *content_name(HostScan *scan, const HostFrame *frame, IrRef ref, uint32_t depth) {
  const IrInst *inst = ir_inst(frame->function->ir, ref);
  if (ir_ref_kind(ref) == IR_REF_GLOBAL) {
    const IrGlobal *global = &scan->module->globals.items[ir_ref_index(ref)];
    return global->display ? global->display : global->name;
  }
  if (depth == 0) return "?";
  if (inst && inst->op == IR_ALLOCA)
    return arena_printf(scan->arena, "%s%s", variable_name(scan, inst),
                        is_array(frame->function, ref) ? "[0]" : "");
  if (inst && inst->op == IR_PTRADD) return member_name(scan, frame, inst, depth);
  const char *name = value_name(scan, frame, ref, depth - 1), *callee = NULL;
  if (inst && inst->op == IR_CALL) callee = host_name_of_callee(scan, inst);
  return callee && is_subscript(callee) ? name : arena_printf(scan->arena, "*%s", name); // a reference
}

// The content of an address, for which the front end knows the whole name, or the first member there.
static const char *loaded_name(HostScan *scan, const HostFrame *frame, const IrInst *load, uint32_t depth) {
  IrRef address = load->ops[0];
  const IrInst *at = ir_inst(frame->function->ir, address);
  int64_t bytes = 0;
  bool is_element = at && at->op == IR_PTRADD && !at->name && !at->owner && load->type.bytes &&
                    ir_const_value(frame->function->ir, at->ops[1], &bytes) && bytes > 0 &&
                    bytes % load->type.bytes == 0 &&
                    !is_place(ir_inst(frame->function->ir, at->ops[0]), at->ops[0]);
  if (is_element && depth > 0)
    return arena_printf(scan->arena, "%s[%lld]", value_name(scan, frame, at->ops[0], depth - 1),
                        (long long)(bytes / load->type.bytes));
  if (!load->place || depth == 0) return content_name(scan, frame, address, depth);
  if (load->place[0] != '.') return load->place;
  bool place = is_place(ir_inst(frame->function->ir, address), address);
  const char *whole =
      place ? content_name(scan, frame, address, depth) : value_name(scan, frame, address, depth);
  return arena_printf(scan->arena, "%s%s%s", whole, place ? "." : "->", load->place + 1);
}

// "argv[1]": pointers that lie side by side.
static const char *pointer_in_array(HostScan *scan, const HostFrame *frame, const IrInst *load,
                                    uint32_t depth) {
  const IrInst *address = ir_inst(frame->function->ir, load->ops[0]);
  int64_t bytes = 0;
  if (load->type.kind != IR_PTR || !address || address->op != IR_PTRADD || address->name) return NULL;
  if (!ir_const_value(frame->function->ir, address->ops[1], &bytes) || bytes <= 0 || bytes % 8) return NULL;
  IrRef base = address->ops[0];
  if (is_place(ir_inst(frame->function->ir, base), base)) return NULL;
  return arena_printf(scan->arena, "%s[%lld]", value_name(scan, frame, base, depth - 1),
                      (long long)bytes / 8);
}

// "1 - current", "(i + 1) * width"; NULL where an operand has no name.
static const char *computed_name(HostScan *scan, const HostFrame *frame, const IrInst *inst, uint32_t depth) {
  char sign = inst->op == IR_ADD ? '+' : inst->op == IR_SUB ? '-' : inst->op == IR_MUL ? '*' : 0;
  if (!sign || depth < 2) return NULL;
  const char *names[2];
  for (uint32_t i = 0; i < 2; i++) {
    names[i] = value_name(scan, frame, inst->ops[i], depth - 2);
    if (strcmp(names[i], "value") == 0 || strchr(names[i], '?')) return NULL;
    bool is_sum = strchr(names[i], ' ') && (sign == '*' || (sign == '-' && i == 1));
    if (is_sum) names[i] = arena_printf(scan->arena, "(%s)", names[i]);
  }
  return arena_printf(scan->arena, "%s %c %s", names[0], sign, names[1]);
}

static const char *value_name(HostScan *scan, const HostFrame *frame, IrRef ref, uint32_t depth) {
  const IrFunction *ir = frame->function->ir;
  const IrInst *inst = ir_inst(ir, ref);
  int64_t value = 0;
  if (ir_const_value(ir, ref, &value)) return arena_printf(scan->arena, "%lld", (long long)value);
  if (ir_ref_kind(ref) == IR_REF_PARAM) {
    const char *name = ir->params.items[ir_ref_index(ref)].name;
    return name ? name : "param";
  }
  if (ir_ref_kind(ref) == IR_REF_GLOBAL) return content_name(scan, frame, ref, depth);
  if (!inst || depth == 0) return "value";
  if (inst->op == IR_UNDEF && inst->type.bits == 1) return "no_exception"; // which way a call went on
  const char *name = host_clean_name(scan, inst->op == IR_CALL ? NULL : inst->name);
  if (!name && inst->op != IR_PTRADD && inst->op != IR_LOAD) name = stored_name(scan, frame, ref, 2);
  if (!name && inst->op == IR_CALL && inst->type.kind == IR_PTR) name = host_clean_name(scan, inst->place);
  if (inst->op == IR_CALL) return name ? name : call_name(scan, frame, inst, depth);
  if (name && inst->op != IR_PTRADD) return name;
  const char *element = inst->op == IR_LOAD ? pointer_in_array(scan, frame, inst, depth) : NULL;
  if (element) return element;
  if (inst->op == IR_LOAD) return loaded_name(scan, frame, inst, depth - 1);
  if (inst->op == IR_PTRADD || inst->op == IR_ALLOCA) return content_name(scan, frame, ref, depth);
  if (ir_inst_is(inst, IR_RESIZES)) return value_name(scan, frame, inst->ops[0], depth - 1);
  const char *computed = computed_name(scan, frame, inst, depth);
  return computed ? computed : "value";
}

const char *host_name_of_value(HostScan *scan, const HostFrame *frame, IrRef ref) {
  ASSERT(frame->function);
  ASSERT(ir_ref_is_of(scan->module, frame->function->ir, ref));
  return shorten(scan, value_name(scan, frame, ref, NAME_DEPTH));
}

const char *host_name_of_content(HostScan *scan, const HostFrame *frame, IrRef address) {
  ASSERT(frame->function);
  ASSERT(ir_ref_is_of(scan->module, frame->function->ir, address));
  return shorten(scan, content_name(scan, frame, address, NAME_DEPTH));
}

static bool is_variable(const char *name) { // "n", "m->rows"
  for (const char *at = name; *at; at++)
    if (!isalnum((unsigned char)*at) && !strchr("_.->", *at)) return false;
  return isalpha((unsigned char)*name) || *name == '_';
}

// Choices, what is computed through floating point, and variables of loops in terms of the iteration number
// are told by the variable that holds them.
void host_note_name(HostScan *scan, ExprRef value, const char *name, bool is_of_loop, SrcLoc loc) {
  ASSERT(expr_is_of(scan->pool, value));
  ExprNode node = *expr_node(scan->pool, value);
  bool is_long = node.op == EXPR_ITE || is_of_loop;
  if (node.op == EXPR_APP)
    is_long = str_starts_with(expr_func_info(scan->pool, (uint32_t)node.value)->name, "fpto");
  if (!is_long || node.width < 8 || !name || !is_variable(name) || strcmp(name, "value") == 0) return;
  expr_set_name(scan->pool, value, (ExprName){name, loc});
}

// What was loaded: by its place where that has a name, else by the variable that it goes to.
const char *host_name_of_load(HostScan *scan, const HostFrame *frame, IrRef load) {
  ASSERT(frame->function);
  ASSERT(ir_ref_is_of(scan->module, frame->function->ir, load));
  const IrInst *inst = ir_inst(frame->function->ir, load);
  const char *place = shorten(scan, loaded_name(scan, frame, inst, NAME_DEPTH));
  if (place[0] != '*' && !strchr(place, '+')) return place;
  const char *name = host_clean_name(scan, inst->name);
  if (!name) name = stored_name(scan, frame, load, 2);
  return name && place[0] == '*' ? name : place;
}

// Inside a function that was inlined the variable has a name of that function; who called it says it
// better.
const char *host_name_of_allocation(HostScan *scan, const HostFrame *frame, const IrInst *call) {
  ASSERT(frame->function);
  ASSERT(ir_has_inst(frame->function->ir, call));
  const HostFunction *function = frame->function;
  uint32_t slot = ir_ref_index(call->ops[0]);
  bool is_inlined = host_loc(scan, frame, call).inlined_at != NULL;
  if (!is_inlined || ir_ref_kind(call->ops[0]) != IR_REF_INST)
    return host_name_of_content(scan, frame, call->ops[0]);
  for (uint32_t i = function->use_first[slot]; i < function->use_first[slot + 1]; i++) {
    const IrInst *user = &function->ir->insts.items[function->uses[i]];
    const char *name = user->op == IR_LOAD ? host_clean_name(scan, user->name) : NULL;
    if (name) return name;
  }
  return host_name_of_content(scan, frame, call->ops[0]);
}
