// Which part of a program's expressions does a launch speak of? Those that can be reached from it and from
// the launches that it names, in the order in which the program made them: a launch that is read back is the
// same launch in a smaller pool. Who checks a kernel under what was read cannot see the rest of the program,
// so that the outcome is a function of these bytes, of the kernel's module and of the options.
//
// Invariant: operands of an expression were made before it, so their numbers are smaller. A reader holds the
// text to that, to the widths that constructors ask for, and to symbols and functions that are there.
// Soundness: nothing that a check looks at is left out, but for the launch's place among all of them, which
// only hostscan/ reads.
// SPDX-License-Identifier: Apache-2.0
#include "core/launch_codec.h"
#include "core/bug.h"

#include "core/expr_internal.h"

#include <stdlib.h>
#include <string.h>

typedef VEC(uint32_t) Numbers;

enum { NAMED_LIMIT = 200 }; // launches that come along with those listed

typedef struct Slice {
  Codec *codec;
  const ExprPool *pool;
  ExprPool *made;
  VEC(LaunchContext *) launches;
  uint32_t limit;                       // writing: of `launches`
  Numbers nodes, syms, funcs;           // writing: that are part of it, ascending
  uint32_t *node_of, *sym_of, *func_of; // writing: new number + 1 of an old one
  const uint32_t *refs;                 // reading: the pool's number of an old one
  uint32_t ref_count;
} Slice;

// ---- what can be reached
typedef void RefVisitor(Slice *slice, ExprRef *ref);
typedef void FuncVisitor(Slice *slice, uint32_t *func);

typedef struct Visit {
  RefVisitor *ref;
  FuncVisitor *func;
} Visit;

static void mark_func(Slice *slice, uint32_t *func) {
  if (slice->func_of[*func]) return;
  slice->func_of[*func] = 1;
  vec_push(slice->codec->arena, &slice->funcs, *func);
}

static void mark_ref(Slice *slice, ExprRef *ref) {
  if (!*ref || slice->node_of[*ref]) return;
  slice->node_of[*ref] = 1;
  vec_push(slice->codec->arena, &slice->nodes, *ref);
  ExprNode node = *expr_at(slice->pool, *ref);
  uint32_t number = (uint32_t)node.value;
  if (node.op == EXPR_SYM && !slice->sym_of[number]) {
    slice->sym_of[number] = 1;
    vec_push(slice->codec->arena, &slice->syms, number);
  }
  if (node.op == EXPR_APP) mark_func(slice, &number);
  mark_ref(slice, &node.a);
  mark_ref(slice, &node.b);
  mark_ref(slice, &node.c);
  for (uint32_t i = 0; i < node.arg_count; i++) {
    ExprRef arg = node.args[i];
    mark_ref(slice, &arg);
  }
}

// ---- the members of a launch, in order
// Both for what is coded and for what is marked: `visit` says what happens to an expression.
static void each_in_fact(Slice *slice, const Visit *visit, Fact *fact) {
  visit->ref(slice, &fact->condition);
}

static void each_in_piece(Slice *slice, const Visit *visit, ArgPiece *piece) {
  visit->ref(slice, &piece->word);
  for (uint32_t t = 0; t < piece->target_count; t++) {
    PointerTarget *target = (PointerTarget *)&piece->targets[t];
    visit->ref(slice, &target->condition);
    visit->ref(slice, &target->offset);
  }
}

static void each_in_args(Slice *slice, const Visit *visit, LaunchContext *launch) {
  for (uint32_t a = 0; a < launch->args.count; a++)
    for (uint32_t p = 0; p < launch->args.items[a].pieces.count; p++)
      each_in_piece(slice, visit, &launch->args.items[a].pieces.items[p]);
  for (uint32_t h = 0; h < launch->held.count; h++) {
    visit->ref(slice, &launch->held.items[h].element);
    each_in_piece(slice, visit, &launch->held.items[h].pointer);
  }
}

static void each_in_content(Slice *slice, const Visit *visit, LaunchContent *content) {
  visit->ref(slice, &content->element);
  visit->ref(slice, &content->value);
  visit->ref(slice, &content->is_written);
  for (uint32_t i = 0; i < content->conditions.count; i++)
    visit->ref(slice, &content->conditions.items[i]);
}

static void each_in_memory(Slice *slice, const Visit *visit, LaunchContext *launch) {
  for (uint32_t i = 0; i < launch->objects.count; i++) {
    visit->ref(slice, &launch->objects.items[i].size_bytes);
    visit->ref(slice, &launch->objects.items[i].leaf);
  }
  for (uint32_t i = 0; i < launch->contents.count; i++)
    each_in_content(slice, visit, &launch->contents.items[i]);
  for (uint32_t i = 0; i < launch->begun.count; i++)
    each_in_content(slice, visit, &launch->begun.items[i]);
  for (uint32_t i = 0; i < launch->histograms.count; i++) {
    LaunchHistogram *histogram = &launch->histograms.items[i];
    visit->func(slice, &histogram->func);
    if (!histogram->shared) continue;
    visit->func(slice, &histogram->of_block);
    visit->func(slice, &histogram->of_slot);
  }
}

static void each_in_launch(Slice *slice, const Visit *visit, LaunchContext *launch) {
  for (int i = 0; i < 3; i++) {
    visit->ref(slice, &launch->grid[i]);
    visit->ref(slice, &launch->block[i]);
    visit->ref(slice, &launch->cluster[i]);
  }
  visit->ref(slice, &launch->shared_bytes);
  each_in_args(slice, visit, launch);
  each_in_memory(slice, visit, launch);
  for (uint32_t i = 0; i < launch->doubts.count; i++) {
    visit->ref(slice, &launch->doubts.items[i].value);
    visit->ref(slice, &launch->doubts.items[i].before);
  }
  for (uint32_t i = 0; i < launch->facts.count; i++)
    each_in_fact(slice, visit, &launch->facts.items[i]);
  for (int i = 0; i < 6; i++)
    each_in_fact(slice, visit, &launch->dimensions[i]);
}

static uint32_t launch_number(const Slice *slice, const LaunchContext *launch) {
  uint32_t i = 0;
  while (i < slice->launches.count && slice->launches.items[i] != launch)
    i++;
  return i;
}

static void add_launch(Slice *slice, const LaunchContext *launch) {
  if (launch && slice->launches.count < slice->limit && launch_number(slice, launch) == slice->launches.count)
    vec_push(slice->codec->arena, &slice->launches, (LaunchContext *)launch);
}

static void add_writers(Slice *slice, const LaunchWriters *writers) {
  for (uint32_t w = 0; w < writers->count; w++)
    add_launch(slice, writers->items[w].launch);
}

static void add_named_launches(Slice *slice) {
  for (uint32_t l = 0; l < slice->launches.count; l++) { // more come while it goes on
    const LaunchContext *launch = slice->launches.items[l];
    for (uint32_t o = 0; o < launch->objects.count; o++)
      add_writers(slice, &launch->objects.items[o].writers);
    for (uint32_t v = 0; v < launch->variables.count; v++)
      add_writers(slice, &launch->variables.items[v].writers);
  }
}

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

// A number of its own for each, in the old order.
static void settle(Numbers *numbers, uint32_t *number_of) {
  if (numbers->count) qsort(numbers->items, numbers->count, sizeof *numbers->items, by_number);
  for (uint32_t i = 0; i < numbers->count; i++)
    number_of[numbers->items[i]] = i + 1;
}

static void mark_all(Slice *slice) {
  static const Visit marking = {mark_ref, mark_func};
  Arena *arena = slice->codec->arena;
  slice->node_of = arena_array(arena, slice->pool->count + 1u, uint32_t);
  slice->sym_of = arena_array(arena, slice->pool->syms.count + 1u, uint32_t);
  slice->func_of = arena_array(arena, slice->pool->funcs.count + 1u, uint32_t);
  for (uint32_t i = 0; i < slice->launches.count; i++)
    each_in_launch(slice, &marking, slice->launches.items[i]);
  settle(&slice->nodes, slice->node_of);
  settle(&slice->syms, slice->sym_of);
  settle(&slice->funcs, slice->func_of);
}

// ---- expressions
// A number below the limit, 0: none.
static void code_ref(Slice *slice, ExprRef *ref) {
  Codec *codec = slice->codec;
  uint64_t number = codec_number(codec, codec->is_writing ? slice->node_of[*ref] : 0);
  if (codec->is_writing) return;
  codec_expect(codec, number <= slice->ref_count);
  *ref = codec->has_failed || number == 0 ? 0 : slice->refs[number - 1];
}

static void code_func(Slice *slice, uint32_t *func) {
  Codec *codec = slice->codec;
  uint64_t number = codec_number(codec, codec->is_writing ? slice->func_of[*func] - 1u : 0);
  if (codec->is_writing) return;
  codec_expect(codec, number < slice->made->funcs.count);
  *func = codec->has_failed ? 0 : (uint32_t)number;
}

static bool is_width(uint8_t width) {
  return width == 1 || (width >= 8 && width <= 64);
}

static void code_sym(Codec *codec, ExprSym *sym) {
  CODE_NAME(codec, sym->name);
  CODE_ENUM(codec, sym->width, 65);
  CODE_ENUM(codec, sym->owner, OWNER_THREAD2 + 1);
  CODE_ENUM(codec, sym->kind, SYM_UNKNOWN + 1);
  CODE_ENUM(codec, sym->axis, 256);
  CODE_NUMBER(codec, sym->lo);
  CODE_NUMBER(codec, sym->hi);
  codec_loc(codec, &sym->loc);
  CODE_BOOL(codec, sym->is_from_caller);
  CODE_BOOL(codec, sym->is_nameless);
  CODE_TEXT(codec, sym->after);
  codec_expect(codec, is_width(sym->width) && sym->lo <= sym->hi);
}

static void code_function(Codec *codec, ExprFunc *func) {
  CODE_NAME(codec, func->name);
  CODE_ENUM(codec, func->width, 65);
  CODE_ENUM(codec, func->kind, SYM_UNKNOWN + 1);
  CODE_BOOL(codec, func->is_float);
  CODE_BOOL(codec, func->is_injective);
  CODE_BOOL(codec, func->is_monotone);
  CODE_BOOL(codec, func->is_by_launch);
  CODE_NUMBER(codec, func->lo);
  CODE_NUMBER(codec, func->hi);
  codec_loc(codec, &func->loc);
  codec_expect(codec, is_width(func->width) && func->lo <= func->hi);
}

static void code_symbols(Slice *slice) {
  Codec *codec = slice->codec;
  uint32_t count = codec_count(codec, slice->syms.count);
  for (uint32_t i = 0; i < count && !codec->has_failed; i++) {
    ExprSym sym = codec->is_writing ? slice->pool->syms.items[slice->syms.items[i]] : (ExprSym){0};
    code_sym(codec, &sym);
    if (slice->made) vec_push(slice->made->arena, &slice->made->syms, sym);
  }
  count = codec_count(codec, slice->funcs.count);
  for (uint32_t i = 0; i < count && !codec->has_failed; i++) {
    ExprFunc func = codec->is_writing ? slice->pool->funcs.items[slice->funcs.items[i]] : (ExprFunc){0};
    code_function(codec, &func);
    if (slice->made) vec_push(slice->made->arena, &slice->made->funcs, func);
  }
}

// Of operands that are there: what the constructors ask for.
static bool is_formed(const Slice *slice, const ExprNode *node) {
  static const uint8_t counts[] = {0,
#define X(name, text, count) count,
                                   EXPR_OPS(X)
#undef X
  };
  const ExprPool *pool = slice->made;
  ExprRef operands[] = {node->a, node->b, node->c};
  bool is_good = is_width(node->width) && node->op != EXPR_NONE;
  for (unsigned i = 0; i < 3; i++)
    is_good &= (operands[i] != 0) == (i < counts[node->op]);
  if (!is_good) return false;
  uint8_t of_a = node->a ? expr_at(pool, node->a)->width : 0,
          of_b = node->b ? expr_at(pool, node->b)->width : 0;
  if (node->op == EXPR_CONST) return expr_signed_reading(node->value, node->width) == node->value;
  if (node->op == EXPR_SYM)
    return (uint64_t)node->value < pool->syms.count && pool->syms.items[node->value].width == node->width;
  if (node->op == EXPR_APP)
    return (uint64_t)node->value < pool->funcs.count && pool->funcs.items[node->value].width == node->width;
  if (node->op == EXPR_ITE)
    return of_a == 1 && of_b == node->width && expr_at(pool, node->c)->width == node->width;
  if (node->op >= EXPR_EQ && node->op <= EXPR_ULE) return of_a == of_b && node->width == 1;
  if (node->op == EXPR_ZEXT || node->op == EXPR_SEXT) return of_a <= node->width;
  if (node->op == EXPR_TRUNC) return of_a >= node->width;
  return of_a == node->width && (!node->b || of_b == node->width);
}

static const ExprRef *code_args(Slice *slice, const ExprNode *node, uint32_t count) {
  ExprRef *args = arena_array(slice->codec->arena, count + 1u, ExprRef);
  for (uint32_t i = 0; i < count; i++) {
    if (slice->codec->is_writing) args[i] = node->args[i];
    code_ref(slice, &args[i]);
    codec_expect(slice->codec, args[i] != 0);
  }
  return args;
}

// Values of symbols and functions are their numbers.
static int64_t new_value(const Slice *slice, const ExprNode *node) {
  if (node->op == EXPR_SYM) return (int64_t)slice->sym_of[node->value] - 1;
  if (node->op == EXPR_APP) return (int64_t)slice->func_of[node->value] - 1;
  return node->value;
}

static ExprNode code_node(Slice *slice, ExprNode node) {
  Codec *codec = slice->codec;
  CODE_ENUM(codec, node.op, EXPR_OP_COUNT);
  CODE_ENUM(codec, node.width, 65);
  CODE_ENUM(codec, node.flags, 8);
  int64_t value = codec->is_writing ? new_value(slice, &node) : 0;
  CODE_NUMBER(codec, value);
  if (!codec->is_writing) node.value = value;
  code_ref(slice, &node.a);
  code_ref(slice, &node.b);
  code_ref(slice, &node.c);
  uint32_t count = codec_count(codec, node.arg_count);
  const ExprRef *args = code_args(slice, &node, count);
  if (!codec->is_writing) {
    node.args = count ? args : NULL;
    node.arg_count = count;
  }
  return node;
}

static void code_node_name(Slice *slice, ExprRef ref) {
  Codec *codec = slice->codec;
  const ExprName *known = codec->is_writing ? expr_name(slice->pool, ref) : NULL;
  ExprName name = known ? *known : (ExprName){0};
  CODE_TEXT(codec, name.name);
  if (!name.name) return;
  codec_loc(codec, &name.loc);
  if (!codec->is_writing && !codec->has_failed) expr_set_name(slice->made, ref, name);
}

static void read_node(Slice *slice, uint32_t *refs) {
  ExprNode node = code_node(slice, (ExprNode){0});
  codec_expect(slice->codec, slice->codec->has_failed || is_formed(slice, &node));
  if (slice->codec->has_failed) return;
  refs[slice->ref_count++] = expr_intern(slice->made, node);
  code_node_name(slice, refs[slice->ref_count - 1]);
}

static void code_nodes(Slice *slice) {
  Codec *codec = slice->codec;
  uint32_t count = codec_count(codec, slice->nodes.count);
  uint32_t *refs = codec->is_writing ? NULL : arena_array(codec->arena, count + 1u, uint32_t);
  slice->refs = refs;
  for (uint32_t i = 0; i < count && !codec->has_failed; i++) {
    if (refs) {
      read_node(slice, refs);
      continue;
    }
    (void)code_node(slice, *expr_at(slice->pool, slice->nodes.items[i]));
    code_node_name(slice, slice->nodes.items[i]);
  }
}

// ---- launches
static void code_ref_in(Slice *slice, ExprRef *ref) {
  ExprRef copy = *ref; // what is written is left alone
  code_ref(slice, &copy);
  if (!slice->codec->is_writing) *ref = copy;
}

static void code_fact(Slice *slice, Fact *fact) {
  Codec *codec = slice->codec;
  code_ref_in(slice, &fact->condition);
  CODE_ENUM(codec, fact->class, FACT_USER + 1);
  codec_loc(codec, &fact->loc);
  CODE_TEXT(codec, fact->text);
  CODE_BOOL(codec, fact->is_of_before);
}

static void code_targets(Slice *slice, ArgPiece *piece) {
  Codec *codec = slice->codec;
  uint32_t count = codec_count(codec, piece->target_count);
  PointerTarget *made = codec->is_writing ? NULL : arena_array(codec->arena, count + 1u, PointerTarget);
  for (uint32_t i = 0; i < count; i++) {
    PointerTarget target = made ? (PointerTarget){0} : piece->targets[i];
    code_ref(slice, &target.condition);
    CODE_NUMBER(codec, target.object);
    code_ref(slice, &target.offset);
    if (made) made[i] = target;
  }
  if (!made) return;
  piece->target_count = count;
  piece->targets = count ? made : NULL;
}

static void code_piece(Slice *slice, ArgPiece *piece) {
  Codec *codec = slice->codec;
  CODE_NUMBER(codec, piece->offset);
  CODE_NUMBER(codec, piece->bytes);
  code_ref_in(slice, &piece->word);
  CODE_BOOL(codec, piece->is_float);
  code_targets(slice, piece);
}

static void code_arg(Slice *slice, LaunchArg *arg) {
  CODE_ITEMS(slice->codec, &arg->pieces);
  for (uint32_t i = 0; i < arg->pieces.count; i++)
    code_piece(slice, &arg->pieces.items[i]);
}

static void code_held(Slice *slice, LaunchHeld *held) {
  Codec *codec = slice->codec;
  CODE_NUMBER(codec, held->object);
  CODE_TEXT(codec, held->global);
  CODE_NUMBER(codec, held->parameter);
  code_ref_in(slice, &held->element);
  code_piece(slice, &held->pointer);
  CODE_TEXT(codec, held->untold);
}

static void code_writer(Slice *slice, LaunchWriter *writer) {
  Codec *codec = slice->codec;
  uint64_t number = writer->launch && codec->is_writing ? launch_number(slice, writer->launch) + 1u : 0;
  bool is_left_out = codec->is_writing && number > slice->launches.count,
       is_any = writer->is_any || is_left_out;
  number = codec_number(codec, is_left_out ? 0 : number);
  CODE_BOOL(codec, writer->is_earlier);
  CODE_BOOL(codec, writer->in_round);
  CODE_BOOL(codec, writer->may_go_on);
  CODE_BOOL(codec, writer->stores);
  CODE_BOOL(codec, writer->is_first);
  CODE_BOOL(codec, writer->is_last);
  CODE_BOOL(codec, is_any);
  CODE_BOOL(codec, writer->may_meet);
  CODE_NUMBER(codec, writer->next);
  codec_expect(codec, number <= slice->launches.count);
  if (codec->is_writing) return;
  writer->is_any = is_any;
  writer->launch = number && !codec->has_failed ? slice->launches.items[number - 1] : NULL;
}

static void code_writers(Slice *slice, LaunchWriters *writers) {
  CODE_ITEMS(slice->codec, writers);
  for (uint32_t i = 0; i < writers->count; i++)
    code_writer(slice, &writers->items[i]);
}

static void code_object(Slice *slice, LaunchObject *object) {
  Codec *codec = slice->codec;
  CODE_ENUM(codec, object->kind, OBJECT_NULL + 1);
  CODE_TEXT(codec, object->name);
  code_ref_in(slice, &object->size_bytes);
  codec_loc(codec, &object->loc);
  code_ref_in(slice, &object->leaf);
  CODE_TEXT(codec, object->computed_by);
  codec_loc(codec, &object->computed_at);
  CODE_BOOL(codec, object->is_of_library);
  code_writers(slice, &object->writers);
}

static void code_content(Slice *slice, LaunchContent *content) {
  Codec *codec = slice->codec;
  CODE_NUMBER(codec, content->object);
  CODE_TEXT(codec, content->global);
  CODE_NUMBER(codec, content->parameter);
  CODE_NUMBER(codec, content->bytes);
  code_ref_in(slice, &content->element);
  code_ref_in(slice, &content->value);
  code_ref_in(slice, &content->is_written);
  CODE_ITEMS(codec, &content->conditions);
  for (uint32_t i = 0; i < content->conditions.count; i++)
    code_ref_in(slice, &content->conditions.items[i]);
  CODE_BOOL(codec, content->is_counted);
  CODE_BOOL(codec, content->is_computed);
  CODE_BOOL(codec, content->is_of_threads);
  CODE_NUMBER(codec, content->fact);
}

static void code_func_in(Slice *slice, uint32_t *func) {
  uint32_t copy = *func;
  code_func(slice, &copy);
  if (!slice->codec->is_writing) *func = copy;
}

static void code_histogram(Slice *slice, LaunchHistogram *histogram) {
  Codec *codec = slice->codec;
  CODE_NUMBER(codec, histogram->object);
  CODE_NUMBER(codec, histogram->bytes);
  code_func_in(slice, &histogram->func);
  CODE_NUMBER(codec, histogram->apart);
  CODE_TEXT(codec, histogram->shared);
  CODE_NUMBER(codec, histogram->setting);
  if (!histogram->shared) return;
  code_func_in(slice, &histogram->of_block);
  code_func_in(slice, &histogram->of_slot);
}

static void code_untold(Codec *codec, LaunchUntold *untold) {
  CODE_NUMBER(codec, untold->object);
  CODE_TEXT(codec, untold->global);
  CODE_NUMBER(codec, untold->bytes);
  CODE_TEXT(codec, untold->who);
}

static void code_memory(Slice *slice, LaunchContext *launch) {
  Codec *codec = slice->codec;
  CODE_ITEMS(codec, &launch->objects);
  for (uint32_t i = 0; i < launch->objects.count; i++)
    code_object(slice, &launch->objects.items[i]);
  CODE_ITEMS(codec, &launch->held);
  for (uint32_t i = 0; i < launch->held.count; i++)
    code_held(slice, &launch->held.items[i]);
  CODE_ITEMS(codec, &launch->contents);
  for (uint32_t i = 0; i < launch->contents.count; i++)
    code_content(slice, &launch->contents.items[i]);
  CODE_ITEMS(codec, &launch->begun);
  for (uint32_t i = 0; i < launch->begun.count; i++)
    code_content(slice, &launch->begun.items[i]);
  CODE_ITEMS(codec, &launch->untold);
  for (uint32_t i = 0; i < launch->untold.count; i++)
    code_untold(codec, &launch->untold.items[i]);
  CODE_ITEMS(codec, &launch->histograms);
  for (uint32_t i = 0; i < launch->histograms.count; i++)
    code_histogram(slice, &launch->histograms.items[i]);
  CODE_ITEMS(codec, &launch->variables);
  for (uint32_t i = 0; i < launch->variables.count; i++) {
    CODE_TEXT(codec, launch->variables.items[i].name);
    code_writers(slice, &launch->variables.items[i].writers);
  }
}

static void code_words(Slice *slice, LaunchContext *launch) {
  Codec *codec = slice->codec;
  for (int i = 0; i < 3; i++) {
    code_ref_in(slice, &launch->grid[i]);
    code_ref_in(slice, &launch->block[i]);
    code_ref_in(slice, &launch->cluster[i]);
  }
  code_ref_in(slice, &launch->shared_bytes);
  CODE_ITEMS(codec, &launch->broken);
  for (uint32_t i = 0; i < launch->broken.count; i++)
    CODE_TEXT(codec, launch->broken.items[i]);
  CODE_ITEMS(codec, &launch->undecided);
  for (uint32_t i = 0; i < launch->undecided.count; i++)
    CODE_NAME(codec, launch->undecided.items[i]);
}

static void code_facts(Slice *slice, LaunchContext *launch) {
  Codec *codec = slice->codec;
  CODE_ITEMS(codec, &launch->doubts);
  for (uint32_t i = 0; i < launch->doubts.count; i++) {
    LaunchDoubt *doubt = &launch->doubts.items[i];
    code_ref_in(slice, &doubt->value);
    code_ref_in(slice, &doubt->before);
    CODE_TEXT(codec, doubt->name);
    CODE_TEXT(codec, doubt->call);
    codec_loc(codec, &doubt->loc);
    CODE_TEXT(codec, doubt->text);
  }
  CODE_ITEMS(codec, &launch->facts);
  for (uint32_t i = 0; i < launch->facts.count; i++)
    code_fact(slice, &launch->facts.items[i]);
  for (int i = 0; i < 6; i++)
    code_fact(slice, &launch->dimensions[i]);
}

static void code_launch(Slice *slice, LaunchContext *launch) {
  Codec *codec = slice->codec;
  CODE_TEXT(codec, launch->kernel);
  CODE_TEXT(codec, launch->description);
  codec_loc(codec, &launch->loc);
  CODE_BOOL(codec, launch->is_cooperative);
  CODE_NUMBER(codec, launch->assumptions);
  CODE_BOOL(codec, launch->is_any);
  CODE_BOOL(codec, launch->is_guess);
  CODE_ITEMS(codec, &launch->args);
  for (uint32_t i = 0; i < launch->args.count; i++)
    code_arg(slice, &launch->args.items[i]);
  code_words(slice, launch);
  code_memory(slice, launch);
  code_facts(slice, launch);
}

static void code_launches(Slice *slice) {
  code_symbols(slice);
  code_nodes(slice);
  for (uint32_t i = 0; i < slice->launches.count; i++)
    code_launch(slice, slice->launches.items[i]);
}

void launches_write(Codec *codec, const ExprPool *pool, LaunchList list) {
  ASSERT(codec->is_writing && (list.items || !list.count));
  Slice slice = {.codec = codec, .pool = pool};
  for (uint32_t i = 0; i < list.count; i++)
    vec_push(codec->arena, &slice.launches, list.items[i]);
  slice.limit = list.count + NAMED_LIMIT;
  add_named_launches(&slice);
  mark_all(&slice);
  (void)codec_count(codec, list.count);
  (void)codec_count(codec, slice.launches.count);
  code_launches(&slice);
}

bool launches_read(Codec *codec, ExprPool **pool, LaunchList *list) {
  ASSERT(!codec->is_writing);
  Slice slice = {.codec = codec, .made = expr_pool_make(codec->arena)};
  uint32_t listed = codec_count(codec, 0), count = codec_count(codec, 0);
  codec_expect(codec, listed <= count);
  for (uint32_t i = 0; i < count; i++)
    vec_push(codec->arena, &slice.launches, arena_new(codec->arena, LaunchContext));
  code_launches(&slice);
  *pool = slice.made;
  *list = (LaunchList){codec->has_failed ? 0 : listed, slice.launches.items};
  return !codec->has_failed;
}
