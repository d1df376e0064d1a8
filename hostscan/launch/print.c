// How does a launch context look to a reader? --dump=host, and the one-line description that reports cite.
// Soundness: no bearing on verdicts.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/launch/launch.h"
#include "core/bug.h"
#include "hostscan/contents.h"
#include "hostscan/syntax.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_expr(const ExprPool *pool, StrBuf *out, ExprRef ref) {
  if (ref)
    expr_print(pool, ref, true, out);
  else
    strbuf_add(out, "unknown");
}

static bool is_one(const ExprPool *pool, ExprRef ref) {
  int64_t value = 0;
  return expr_is_const(pool, ref, &value) && value == 1;
}

static void add_dim3(const ExprPool *pool, StrBuf *out, const ExprRef *dims) {
  uint32_t count = !is_one(pool, dims[2]) ? 3 : !is_one(pool, dims[1]) ? 2 : 1;
  if (count > 1) strbuf_add(out, "dim3(");
  for (uint32_t i = 0; i < count; i++) {
    if (i) strbuf_add(out, ", ");
    add_expr(pool, out, dims[i]);
  }
  if (count > 1) strbuf_add(out, ")");
}

static void add_target(const ExprPool *pool, StrBuf *out, const LaunchContext *launch,
                       const PointerTarget *target) {
  int64_t offset = 0;
  bool is_plain = expr_is_const(pool, target->offset, &offset);
  strbuf_add(out, launch->objects.items[target->object].name);
  if (is_plain && offset == 0) return;
  if (is_plain && offset < 0) {
    strbuf_printf(out, " - %lld", -(long long)offset);
    return;
  }
  strbuf_add(out, " + ");
  add_expr(pool, out, target->offset);
}

// A constant of type float or double, as short as it reads back.
static bool add_float(const ExprPool *pool, StrBuf *out, const ArgPiece *piece) {
  int64_t bits = 0;
  char text[40];
  if (!piece->is_float || piece->bytes < 4 || !expr_is_const(pool, piece->word, &bits)) return false;
  double value = 0;
  if (piece->bytes == 8) {
    memcpy(&value, &bits, sizeof value);
  } else {
    uint32_t word = (uint32_t)bits;
    float narrow = 0;
    memcpy(&narrow, &word, sizeof narrow);
    value = (double)narrow;
  }
  int digits = 1;
  do
    snprintf(text, sizeof text, "%.*g", digits, value);
  while (digits++ < 17 &&
         (piece->bytes == 8 ? strtod(text, NULL) != value : (double)strtof(text, NULL) != value));
  strbuf_add(out, text);
  if (!strpbrk(text, ".en")) strbuf_add(out, ".0"); // not for infinities
  return true;
}

// A pointer from outside may be null, which goes without saying.
static bool may_be_null_only(const LaunchContext *launch, const ArgPiece *piece) {
  if (piece->target_count != 2) return false;
  ObjectKind one = launch->objects.items[piece->targets[0].object].kind,
             two = launch->objects.items[piece->targets[1].object].kind;
  return launch->is_any && one == OBJECT_UNKNOWN && two == OBJECT_NULL;
}

static void add_piece(const ExprPool *pool, StrBuf *out, const LaunchContext *launch, const ArgPiece *piece) {
  if (piece->word && !add_float(pool, out, piece)) add_expr(pool, out, piece->word);
  uint32_t shown = may_be_null_only(launch, piece) ? 1 : piece->target_count;
  for (uint32_t i = 0; i < shown; i++) {
    bool is_last = i + 1 == shown;
    if (piece->targets[i].condition && !is_last) {
      add_expr(pool, out, piece->targets[i].condition);
      strbuf_add(out, " ? ");
    }
    add_target(pool, out, launch, &piece->targets[i]);
    if (!is_last) strbuf_add(out, " : ");
  }
}

const char *host_describe_piece(const ExprPool *pool, Arena *arena, const LaunchContext *launch,
                                const ArgPiece *piece) {
  ASSERT(launch);
  StrBuf out = {.arena = arena};
  add_piece(pool, &out, launch, piece);
  return strbuf_text(&out);
}

static void add_arg(const ExprPool *pool, StrBuf *out, const LaunchContext *launch, const LaunchArg *arg) {
  bool is_struct = arg->pieces.count != 1 || arg->pieces.items[0].offset != 0;
  if (is_struct) strbuf_add(out, "{");
  for (uint32_t i = 0; i < arg->pieces.count; i++) {
    if (i) strbuf_add(out, ", ");
    if (is_struct) strbuf_printf(out, "%u: ", arg->pieces.items[i].offset);
    add_piece(pool, out, launch, &arg->pieces.items[i]);
  }
  if (is_struct) strbuf_add(out, "}");
}

// A description names a launch; who wants to read all of a long expression has --dump=host.
enum { DESCRIBED_LENGTH = 120 };

static void shorten_from(StrBuf *out, size_t start) {
  static const char dots[] = "...";
  if (out->length - start <= DESCRIBED_LENGTH) return;
  size_t end = start + DESCRIBED_LENGTH - strlen(dots);
  while (((unsigned char)out->text[end] & 0xc0) == 0x80) // not in the middle of a letter
    end--;
  out->length = end;
  strbuf_add(out, dots);
}

const char *host_describe_launch(const ExprPool *pool, Arena *arena, const char *kernel,
                                 const LaunchContext *launch) {
  ASSERT(launch);
  StrBuf out = {.arena = arena};
  int64_t shared = 0;
  bool no_shared = launch->shared_bytes && expr_is_const(pool, launch->shared_bytes, &shared) && shared == 0;
  strbuf_printf(&out, "%s<<<", kernel);
  size_t start = out.length;
  add_dim3(pool, &out, launch->grid);
  shorten_from(&out, start);
  strbuf_add(&out, ", ");
  start = out.length;
  add_dim3(pool, &out, launch->block);
  shorten_from(&out, start);
  if (!no_shared && !launch->is_any) {
    strbuf_add(&out, ", ");
    add_expr(pool, &out, launch->shared_bytes);
  }
  strbuf_add(&out, ">>>(");
  for (uint32_t i = 0; i < launch->args.count; i++) {
    if (i) strbuf_add(&out, ", ");
    start = out.length;
    add_arg(pool, &out, launch, &launch->args.items[i]);
    shorten_from(&out, start);
  }
  strbuf_add(&out, ")");
  return strbuf_text(&out);
}

// ---- the whole context
static void add_place(StrBuf *out, const SrcLoc *loc) {
  if (!loc->file)
    strbuf_add(out, "?");
  else
    strbuf_printf(out, "%s:%u", loc->file, loc->line);
}

static void add_triple(const ExprPool *pool, StrBuf *out, const char *title, const ExprRef *dims) {
  strbuf_printf(out, "  %-8s(", title);
  for (uint32_t i = 0; i < 3; i++) {
    if (i) strbuf_add(out, ", ");
    add_expr(pool, out, dims[i]);
  }
  strbuf_add(out, ")\n");
}

static const char *object_kind(ObjectKind kind) {
  switch (kind) {
  case OBJECT_ALLOCATION: return "allocation";
  case OBJECT_UNKNOWN: return "unknown pointer";
  case OBJECT_GLOBAL: return "variable";
  case OBJECT_NULL: return "null";
  case OBJECT_NONE: break;
  }
  return "none";
}

static void add_object(const ExprPool *pool, StrBuf *out, const LaunchObject *object) {
  strbuf_printf(out, "  object  %s: %s", object->name, object_kind(object->kind));
  if (object->size_bytes) {
    strbuf_add(out, " of ");
    add_expr(pool, out, object->size_bytes);
    strbuf_add(out, " bytes");
  }
  if (object->loc.file) {
    strbuf_add(out, " at ");
    add_place(out, &object->loc);
  }
  if (object->computed_by) {
    strbuf_printf(out, "; perhaps written before by %s at ", object->computed_by);
    add_place(out, &object->computed_at);
  }
  strbuf_add(out, "\n");
}

enum { CONTENT_LINES = 8, CONTENT_LENGTH = 160 };

// "i(element) * 4" -> "i * 4": all values here are those of the element.
static void add_of_element(const ExprPool *pool, StrBuf *out, ExprRef ref) {
  static const char suffix[] = "(element)";
  StrBuf text = {.arena = out->arena}, plain = {.arena = out->arena};
  add_expr(pool, &text, ref);
  for (const char *at = strbuf_text(&text), *next; *at; at = next) {
    const char *found = strstr(at, suffix);
    size_t length = found ? (size_t)(found - at) : strlen(at);
    strbuf_printf(&plain, "%.*s", (int)length, at);
    next = at + length + (found ? sizeof suffix - 1 : 0);
  }
  bool is_long = plain.length > CONTENT_LENGTH; // nobody follows so long a choice
  strbuf_printf(out, "%.*s%s", CONTENT_LENGTH, strbuf_text(&plain), is_long ? "..." : "");
}

static void add_held(const ExprPool *pool, StrBuf *out, const LaunchContext *launch, const LaunchHeld *held) {
  strbuf_printf(out, "  holds   %s: the pointer at offset `element` is ",
                held->object ? launch->objects.items[held->object].name : held->global);
  for (uint32_t i = 0; i < held->pointer.target_count; i++) {
    const PointerTarget *target = &held->pointer.targets[i];
    strbuf_printf(out, "%s%s", i ? ", or " : "",
                  target->object ? launch->objects.items[target->object].name : "another");
    if (!target->condition) continue;
    strbuf_add(out, " if ");
    add_of_element(pool, out, target->condition);
  }
  if (held->untold)
    strbuf_printf(out, "%swhat %s put there", held->pointer.target_count ? ", or " : "", held->untold);
  strbuf_add(out, "\n");
}

static void add_content(const ExprPool *pool, StrBuf *out, const LaunchContext *launch,
                        const LaunchContent *content) {
  const char *name = content->object ? launch->objects.items[content->object].name : content->global;
  strbuf_printf(out, "  holds   %s: %u bytes at offset `element` are ", name, content->bytes);
  add_of_element(pool, out, content->value);
  strbuf_add(out, "\n");
  uint32_t said = 0;
  for (uint32_t i = 0; i < content->conditions.count; i++) {
    if (expr_is_true(pool, content->conditions.items[i]) || said++ >= CONTENT_LINES) continue;
    strbuf_add(out, "            where ");
    add_of_element(pool, out, content->conditions.items[i]);
    strbuf_add(out, "\n");
  }
  if (said > CONTENT_LINES) strbuf_printf(out, "            and %u more conditions\n", said - CONTENT_LINES);
}

// Nobody reads on behind that.
enum { TEXT_LENGTH = 300 };

static void add_short(StrBuf *out, const char *text) {
  bool is_long = strlen(text) > TEXT_LENGTH;
  strbuf_printf(out, "%.*s%s", TEXT_LENGTH, text, is_long ? "..." : "");
}

// ---- what names stand for
typedef struct Names {
  const ExprPool *pool;
  StrBuf *out;
  HostMap seen;
} Names;

static void add_names(Names *names, ExprRef ref) {
  HostKey key = {{ref}};
  if (!ref || host_map_get(&names->seen, key)) return;
  host_map_put(&names->seen, key, 1);
  const ExprNode *node = expr_node(names->pool, ref);
  add_names(names, node->a);
  add_names(names, node->b);
  add_names(names, node->c);
  for (uint32_t i = 0; i < node->arg_count; i++)
    add_names(names, node->args[i]);
  const ExprName *name = expr_name(names->pool, ref);
  if (!name) return;
  StrBuf text = {.arena = names->out->arena};
  expr_print_in_full(names->pool, ref, &text);
  strbuf_printf(names->out, "  value   %s = ", name->name);
  add_short(names->out, strbuf_text(&text));
  if (name->loc.file) {
    strbuf_add(names->out, " (");
    add_place(names->out, &name->loc);
    strbuf_add(names->out, ")");
  }
  strbuf_add(names->out, "\n");
}

static void add_names_of_launch(Names *names, const LaunchContext *launch) {
  for (uint32_t i = 0; i < 3; i++) {
    add_names(names, launch->grid[i]);
    add_names(names, launch->cluster[i]);
    add_names(names, launch->block[i]);
  }
  add_names(names, launch->shared_bytes);
  for (uint32_t a = 0; a < launch->args.count; a++)
    for (uint32_t p = 0; p < launch->args.items[a].pieces.count; p++) {
      const ArgPiece *piece = &launch->args.items[a].pieces.items[p];
      add_names(names, piece->word);
      for (uint32_t t = 0; t < piece->target_count; t++) {
        add_names(names, piece->targets[t].condition);
        add_names(names, piece->targets[t].offset);
      }
    }
  for (uint32_t i = 1; i < launch->objects.count; i++)
    add_names(names, launch->objects.items[i].size_bytes);
  for (uint32_t i = 0; i < launch->facts.count; i++)
    add_names(names, launch->facts.items[i].condition);
}

static const char *fact_class(FactClass class) {
  switch (class) {
  case FACT_ASSERT: return "assert";
  case FACT_LAUNCH: return "launch";
  case FACT_RELATION: return "relation";
  case FACT_LOOP: return "loop";
  case FACT_ALLOCATION: return "allocation";
  case FACT_CONTENTS: return "contents";
  case FACT_HARDWARE: return "hardware";
  case FACT_USER: return "user";
  }
  return "?";
}

static void add_fact(StrBuf *out, const Fact *fact) {
  if (fact->is_of_before)
    strbuf_add(out, "  before  ");
  else
    strbuf_printf(out, "  fact    [%s] ", fact_class(fact->class));
  add_short(out, fact->text);
  if (fact->loc.file) {
    strbuf_add(out, " (");
    add_place(out, &fact->loc);
    strbuf_add(out, ")");
  }
  strbuf_add(out, "\n");
}

static void add_doubt(StrBuf *out, const LaunchDoubt *doubt) {
  if (doubt->text)
    strbuf_printf(out, "  doubt   whether %s (", doubt->name);
  else
    strbuf_printf(out, "  doubt   whether %s changes %s (", doubt->call, doubt->name);
  add_place(out, &doubt->loc);
  strbuf_add(out, ")\n");
}

void hostscan_print(const ExprPool *pool, const LaunchContext *launch, StrBuf *out) {
  ASSERT(launch);
  strbuf_add(out, launch->is_any ? "any launch" : "launch at ");
  if (!launch->is_any) add_place(out, &launch->loc);
  for (const SrcLoc *loc = launch->loc.inlined_at; loc; loc = loc->inlined_at) {
    strbuf_add(out, " from ");
    add_place(out, loc);
  }
  strbuf_printf(out, ": %s\n", launch->description);
  add_triple(pool, out, "grid", launch->grid);
  add_triple(pool, out, "block", launch->block);
  int64_t blocks = 1;
  bool is_one = true;
  for (uint32_t i = 0; i < 3; i++)
    is_one &= launch->cluster[i] && expr_is_const(pool, launch->cluster[i], &blocks) && blocks == 1;
  if (!launch->cluster[0] && !launch->is_any) strbuf_add(out, "  cluster unknown\n");
  if (launch->cluster[0] && !is_one) add_triple(pool, out, "cluster", launch->cluster);
  strbuf_add(out, "  shared  ");
  add_expr(pool, out, launch->shared_bytes);
  strbuf_add(out, launch->is_cooperative ? " bytes, cooperative\n" : " bytes\n");
  for (uint32_t i = 0; i < launch->args.count; i++) {
    strbuf_printf(out, "  arg %-4u", i);
    add_arg(pool, out, launch, &launch->args.items[i]);
    strbuf_add(out, "\n");
  }
  Names names = {.pool = pool, .out = out, .seen = {.arena = out->arena}};
  add_names_of_launch(&names, launch);
  for (uint32_t i = 1; i < launch->objects.count; i++)
    add_object(pool, out, &launch->objects.items[i]);
  for (uint32_t i = 0; i < launch->held.count; i++)
    add_held(pool, out, launch, &launch->held.items[i]);
  for (uint32_t i = 0; i < launch->contents.count; i++)
    add_content(pool, out, launch, &launch->contents.items[i]);
  for (uint32_t i = 0; i < launch->untold.count; i++) {
    const LaunchUntold *untold = &launch->untold.items[i];
    const char *name = untold->object ? launch->objects.items[untold->object].name : untold->global;
    strbuf_printf(out, "  holds   %s: some of its words of %u bytes are what %s put there\n", name,
                  untold->bytes, untold->who);
  }
  for (uint32_t i = 0; i < launch->facts.count; i++)
    add_fact(out, &launch->facts.items[i]);
  for (uint32_t i = 0; i < launch->doubts.count; i++)
    add_doubt(out, &launch->doubts.items[i]);
  for (uint32_t i = 0; i < launch->broken.count; i++)
    strbuf_printf(out, "  missing %s\n", launch->broken.items[i]);
  for (uint32_t i = 0; i < launch->undecided.count; i++)
    strbuf_printf(out, "  undecided: %s\n", launch->undecided.items[i]);
}
