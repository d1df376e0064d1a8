// What does a kernel synchronise with, as far as it is understood? For --dump=sync: its barriers, the classes
// of threads, the words of strong operations with the lines that write and read them, locks, waits, numbered
// barriers and phases of barrier objects. Lines come in the order of the text, so equal input gives equal
// output. Soundness: no effect on verdicts; only what is printed is asked for earlier than without it.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/top.h"
#include "kernelscan/facts.h"
#include "kernelscan/graph.h"
#include "kernelscan/operations.h"
#include "kernelscan/order/order.h"
#include "kernelscan/phases/phases.h"

#include <stdlib.h>

static StrBuf *out_of(const Scan *scan) {
  return scan->request->options.dump_sync;
}

// ---- lines
typedef VEC(uint32_t) Lines;

static int compare_lines(const void *left, const void *right) {
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

static void put_lines(StrBuf *out, const char *words, Lines *lines) {
  if (!lines->count) return;
  qsort(lines->items, lines->count, sizeof *lines->items, compare_lines);
  strbuf_printf(out, "%s", words);
  for (uint32_t i = 0; i < lines->count; i++)
    if (i == 0 || lines->items[i] != lines->items[i - 1])
      strbuf_printf(out, "%s%u", i ? ", " : " ", lines->items[i]);
}

static void put_word(Scan *scan, const Target *target) {
  const Obj *object = &scan->objects.items[target->object];
  StrBuf text = {.arena = scan->arena};
  expr_print(scan->pool, target->offset, true, &text);
  strbuf_printf(out_of(scan), "%s, byte %s", object->name && object->name[0] ? object->name : "memory",
                strbuf_text(&text));
}

// ---- parts
static void put_points(const Scan *scan) {
  static const char *const scopes[] = {"thread", "warp", "block", "cluster", "grid", "system"};
  for (uint32_t p = 1; p < scan->points.count; p++) {
    const Point *point = &scan->points.items[p];
    strbuf_printf(out_of(scan), "  barrier of the %s at line %u%s%s\n", scopes[point->scope],
                  operation_line(scan, point->inst), point->cover ? ", for a part of it" : "",
                  point->is_divergent ? ", which some go round" : "");
  }
}

static bool is_word(const Scan *scan, const Access *access) {
  return operation_is_strong(scan, access) && !access->is_of_object;
}

static void put_classes(const Order *order) {
  static const char *const names[CLASS_COUNT] = {"leader of the block", "first lanes of warps",
                                                 "other threads"};
  const Scan *scan = order->scan;
  for (int class = 0; class < CLASS_COUNT; class ++) {
    Lines lines = {0};
    for (uint32_t a = 0; a < scan->accesses.count; a++) {
      const Access *access = &scan->accesses.items[a];
      if (is_word(scan, access) && order->is_reached[class][scan->fn->insts.items[access->inst].block])
        vec_push(scan->arena, &lines, operation_line(scan, access->inst));
    }
    strbuf_printf(out_of(scan), "  class   %s:", names[class]);
    put_lines(out_of(scan), " strong operations at lines", &lines);
    strbuf_add(out_of(scan), lines.count ? "\n" : " no strong operation\n");
  }
}

// The one target of an access, as one thread sees it; NULL: there are several, or none that is understood.
static const Target *target_of(const Order *order, const Access *access) {
  SymValue address = frame_value(order->anyone, access->address);
  return address.kind == SYM_POINTER && address.target_count == 1 ? &address.targets[0] : NULL;
}

// "at line 6: set to 1, once, by leaders only, device scope, if ..."
static void put_write(const Order *order, const WordWrite *write) {
  static const char *const kinds[] = {[WRITE_SET] = "set to",
                                      [WRITE_SWAP] = "set, if it is as expected, to",
                                      [WRITE_ADD] = "more by",
                                      [WRITE_WRAP] = "more by 1, and 0 behind",
                                      [WRITE_OR] = "or with",
                                      [WRITE_AND] = "and with",
                                      [WRITE_EXTREME] = "the larger or smaller of it and"};
  static const char *const scopes[] = {
      [IR_SCOPE_THREAD] = "plain",        [IR_SCOPE_WARP] = "warp scope",
      [IR_SCOPE_BLOCK] = "block scope",   [IR_SCOPE_CLUSTER] = "cluster scope",
      [IR_SCOPE_DEVICE] = "device scope", [IR_SCOPE_SYSTEM] = "system scope"};
  Scan *scan = order->scan;
  StrBuf *out = out_of(scan);
  strbuf_printf(out, "    at line %u: ", operation_line(scan, write->access->inst));
  if (write->kind == WRITE_OTHER)
    strbuf_add(out, "anything");
  else if (write->is_constant)
    strbuf_printf(out, "%s %lld", kinds[write->kind], (long long)write->constant);
  else
    strbuf_printf(out, "%s a value that is computed", kinds[write->kind]);
  strbuf_printf(out, "%s%s%s%s, %s", order_write_is(write, WRITE_FITS) ? "" : ", not the word as a whole",
                order_write_is(write, WRITE_IS_TO_IT) ? "" : ", if it is this word",
                order_write_is(write, WRITE_IS_ONCE) ? ", once" : "",
                order_write_is(write, WRITE_BY_LEADERS) ? ", by leaders only" : "", scopes[write->scope]);
  ExprRef guard = meeting_block_condition(order->anyone, scan->fn->insts.items[write->access->inst].block);
  StrBuf text = {.arena = scan->arena};
  expr_print(scan->pool, guard, true, &text);
  if (!expr_is_true(scan->pool, guard)) strbuf_printf(out, ", where %s", strbuf_text(&text));
  strbuf_add(out, "\n");
}

static void put_start(Scan *scan, const SyncWord *word) {
  StartValue start;
  StrBuf text = {.arena = scan->arena};
  if (!start_values_look(scan, &word->target, word->bytes, &start)) return;
  expr_print(scan->pool, start.value, true, &text);
  strbuf_printf(out_of(scan), "    at the start: %s\n", strbuf_text(&text));
}

static void put_words(Order *order) {
  Scan *scan = order->scan;
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *first = &scan->accesses.items[a];
    const Target *word = is_word(scan, first) ? target_of(order, first) : NULL;
    if (!word) continue;
    Lines lines[2] = {{0}, {0}};
    bool is_known = false;
    for (uint32_t b = 0; b < scan->accesses.count && !is_known; b++) {
      const Access *access = &scan->accesses.items[b];
      const Target *target = is_word(scan, access) ? target_of(order, access) : NULL;
      if (!target || !order_is_same_target(target, word)) continue;
      is_known = b < a;
      bool is_write = access->kind != ACCESS_READ && !operation_is_only_read(scan, access);
      vec_push(scan->arena, &lines[is_write], operation_line(scan, access->inst));
    }
    if (is_known) continue;
    strbuf_add(out_of(scan), "  word    ");
    put_word(scan, word);
    strbuf_printf(out_of(scan), ", %u bytes:", first->bytes);
    put_lines(out_of(scan), " written at lines", &lines[1]);
    put_lines(out_of(scan), lines[1].count ? "; read at lines" : " read at lines", &lines[0]);
    strbuf_add(out_of(scan), "\n");
    const SyncWord *table = order_word(order, word, first->bytes);
    put_start(scan, table);
    for (uint32_t w = 0; w < table->count; w++)
      put_write(order, &table->writes[w]);
  }
}

static const char *kind_of_lock(const LockSite *site) {
  if (site->is_turn) return "turn";
  if (site->is_shared) return "lock for readers";
  if (site->is_counted) return "lock that is counted up";
  return site->bits ? "lock in bits of a word" : site->is_opened ? "lock taken at the start" : "lock";
}

static void put_locks(const Order *order) {
  Scan *scan = order->scan;
  StrBuf *out = out_of(scan);
  for (uint32_t s = 0; s < order->lock_count; s++) {
    const LockSite *site = &order->locks[s];
    if (order->dropped >> s & 1) continue;
    Lines ends = {0};
    for (uint32_t i = 0; i < scan->fn->insts.count; i++)
      if (order->may_end[i] >> s & 1) vec_push(scan->arena, &ends, operation_line(scan, i));
    strbuf_printf(out, "  lock    %s in ", kind_of_lock(site));
    put_word(scan, &site->target);
    strbuf_printf(out, ": %s at line %u", site->is_turn ? "awaited" : "acquired",
                  operation_line(scan, site->access->inst));
    put_lines(out, site->is_turn ? "; passed on at lines" : "; may be released at lines", &ends);
    if (!site->is_disciplined && site->breaking_inst)
      strbuf_printf(out, "; no lock, because of line %u", operation_line(scan, site->breaking_inst));
    else if (!site->is_disciplined)
      strbuf_add(out, "; no lock: others write its word");
    strbuf_add(out, "\n");
  }
}

static const char *relation_of(IrPred pred) {
  static const char *const relations[] = {
      [IR_EQ] = "==",  [IR_NE] = "!=", [IR_SLT] = "<",  [IR_SLE] = "<=", [IR_SGT] = ">",
      [IR_SGE] = ">=", [IR_ULT] = "<", [IR_ULE] = "<=", [IR_UGT] = ">",  [IR_UGE] = ">="};
  return pred > IR_PRED_NONE && pred <= IR_UGE ? relations[pred] : "compared with";
}

static void put_signals(Order *order) {
  Scan *scan = order->scan;
  StrBuf *out = out_of(scan);
  for (uint32_t s = 0; s < order->signal_count; s++) {
    const Signal *signal = &order->signals[s];
    int64_t value = 0;
    strbuf_printf(out, "  %s  line %u goes on where the value of ", signal->is_ticket ? "draw  " : "wait  ",
                  operation_line(scan, signal->read->inst));
    put_word(scan, &signal->target);
    if (!signal->test.other || ir_const_value(scan->fn, signal->test.other, &value))
      strbuf_printf(out, " %s %lld", relation_of(signal->test.pred), (long long)value);
    else
      strbuf_printf(out, " %s one that is computed", relation_of(signal->test.pred));
    bool is_of_warp = signal->handed == HANDED_SHUFFLED;
    if (is_of_warp || signal->handed == HANDED_STORED)
      strbuf_printf(out, "; told to %s by line %u",
                    signal->is_own ? "nobody else"
                    : is_of_warp   ? "the warp"
                                   : "the block",
                    operation_line(scan, signal->handed_by));
    if (signal->change) strbuf_add(out, "; starts a generation");
    Lines ends = {0};
    const SyncWord *word = order_word_of(order, signal);
    for (uint32_t w = 0; w < word->count && !signal->is_ticket; w++)
      if (order_may_end(order, signal, &word->writes[w]))
        vec_push(scan->arena, &ends, operation_line(scan, word->writes[w].access->inst));
    put_lines(out, "; ended by lines", &ends);
    strbuf_add(out, "\n");
  }
}

static void put_named(const Scan *scan) {
  const NamedBarriers *all_named = named_all(scan);
  for (uint32_t i = 0; i < all_named->count; i++) {
    const Named *named = &all_named->items[i];
    strbuf_printf(out_of(scan), "  barrier number %lld of %lld threads at line %u, %s\n",
                  (long long)named->number, (long long)named->count, operation_line(scan, named->inst),
                  named->waits ? "waits" : "arrives only");
  }
}

static void put_phases(Scan *scan) {
  static const char *const kinds[] = {"arrival", "wait", "bytes", "copy"};
  bool has_objects = arrivals_all(scan)->count || named_all(scan)->count;
  const Phases *phases = has_objects ? phases_get(scan) : NULL;
  for (uint32_t c = 0; phases && c < phases->channels.count; c++) {
    const Channel *channel = &phases->channels.items[c];
    const Obj *object = &scan->objects.items[channel->object];
    if (channel->is_named)
      strbuf_printf(out_of(scan), "  phases  of the barrier with number %lld", (long long)channel->base);
    else
      strbuf_printf(out_of(scan), "  phases  of %s, byte %lld, %lld in turn",
                    object->name && object->name[0] ? object->name : "memory", (long long)channel->base,
                    (long long)channel->period);
    strbuf_printf(out_of(scan), ", %lld arrivals each%s\n", (long long)channel->expected,
                  channel->is_broken ? ", not followed" : "");
    for (uint32_t e = 0; e < phases->events.count; e++) {
      const Event *event = &phases->events.items[e];
      if (event->channel != c) continue;
      strbuf_printf(out_of(scan), "    %-7s at line %u", kinds[event->kind],
                    operation_line(scan, event->inst));
      if (event->loop == CFG_NONE)
        strbuf_printf(out_of(scan), ", once, for phase %lld\n", (long long)event->form.shift);
      else
        strbuf_printf(out_of(scan), ", in round k for phase (k + %lld) / %lld + %lld\n",
                      (long long)event->form.turn, (long long)channel->period, (long long)event->form.shift);
    }
  }
}

void dump_sync(Scan *scan) {
  ASSERT(points_know_divergent(scan)); // after divergence_find
  if (!out_of(scan)) return;
  strbuf_printf(out_of(scan), "kernel %s under %s\n", scan->fn->display,
                scan->launch->description ? scan->launch->description : "any launch");
  put_points(scan);
  put_named(scan);
  put_phases(scan);
  Order *order = order_get(scan);
  put_classes(order);
  put_words(order);
  put_locks(order);
  put_signals(order);
}
