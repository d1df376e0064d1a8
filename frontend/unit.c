// What of a compiled file do later steps need? The bitcode of its sides, the flags that it was compiled with
// in the end, what was mended or missing, and what is to be said of it. That is what the cache keeps of a
// file, and, behind a line that says which program wrote it, a unit (`hgrd-check -c`): files are linked,
// simplified and lowered when a program is checked, so that a program of units is the program of their
// sources.
//
// docs/units.md describes the form. Soundness: a unit that is cut off, altered or of another version of the
// program is refused whole. What stands in it is bitcode, which LLVM reads; who makes a unit up can make
// LLVM's reader fail, so units are for those who made them.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/loading.h"
#include "core/bug.h"

#include <string.h>

static const char unit_magic[] = "hgrd unit 1\n";

static void code_texts(Codec *codec, uint32_t *count, const char ***items) {
  VEC(const char *) list = {*items, *count, *count};
  CODE_ITEMS(codec, &list);
  for (uint32_t i = 0; i < list.count; i++)
    CODE_NAME(codec, list.items[i]);
  *count = list.count;
  *items = list.items;
}
#define CODE_TEXTS(codec, vec)                                                                               \
  do {                                                                                                       \
    code_texts((codec), &(vec)->count, &(vec)->items);                                                       \
    (vec)->capacity = (vec)->count;                                                                          \
  } while (0)

static void code_flags(Codec *codec, const Toolchain *tools, Unit *unit) {
  CompileFlags flags = codec->is_writing ? *unit->flags : (CompileFlags){0};
  if (codec->is_writing) flags.arch = clang_arch(tools, unit->flags);
  CODE_TEXTS(codec, &flags.args);
  CODE_ENUM(codec, flags.arch, 1000);
  CODE_BOOL(codec, flags.has_standard);
  CODE_ENUM(codec, flags.language, LANGUAGE_C + 1);
  if (codec->is_writing) return;
  unit->flags = arena_copy(codec->arena, &flags, sizeof flags);
}

// A side that could be done without is a process that failed.
static void code_side(Codec *codec, Process **side) {
  bool is_there = *side != NULL, is_good = process_succeeded(*side);
  CODE_BOOL(codec, is_there);
  if (!is_there) return;
  CODE_BOOL(codec, is_good);
  size_t length = codec->is_writing && is_good ? (*side)->output.length : 0;
  const char *output = codec->is_writing ? (*side)->output.text : NULL;
  const void *bytes = is_good ? codec_bytes(codec, output, &length) : NULL;
  if (codec->is_writing) return;
  if (!*side) *side = arena_new(codec->arena, Process);
  Process *process = *side;
  process->exit_status = is_good ? 0 : 1;
  process->is_done = true;
  process->output = (StrBuf){.arena = codec->arena};
  process->errors = (StrBuf){.arena = codec->arena};
  if (is_good) strbuf_add_n(&process->output, bytes, length);
}

static void mark_failed(Process *side) {
  if (!side) return;
  side->is_done = true;
  side->exit_status = 1;
}

static void code_end(Codec *codec, Process *side, bool *compiles) {
  CODE_BOOL(codec, *compiles);
  if (codec->is_writing || !side) return;
  side->is_done = true;
  side->exit_status = *compiles ? 0 : 1;
}

static void code_mended(Codec *codec, FixupResult *mended) {
  CODE_TEXTS(codec, &mended->device_launches);
  CODE_TEXTS(codec, &mended->left_out);
  CODE_TEXTS(codec, &mended->stand_ins);
  CODE_ITEMS(codec, &mended->doubts);
  for (uint32_t i = 0; i < mended->doubts.count; i++) {
    codec_loc(codec, &mended->doubts.items[i].loc);
    CODE_NAME(codec, mended->doubts.items[i].text);
    CODE_BOOL(codec, mended->doubts.items[i].is_of_budget);
  }
}

void unit_code(Codec *codec, const Toolchain *tools, Unit *unit) {
  CODE_NAME(codec, unit->path);
  CODE_ENUM(codec, unit->language, LANGUAGE_C + 1);
  CODE_BOOL(codec, unit->has_failed);
  CODE_BOOL(codec, unit->is_bare);
  code_flags(codec, tools, unit);
  if (unit->has_failed) {
    mark_failed(unit->host);
    mark_failed(unit->device);
  } else if (unit->is_bare) {
    code_end(codec, unit->host, &unit->host_compiles);
    code_end(codec, unit->device, &unit->device_compiles);
  } else {
    code_side(codec, &unit->host);
    code_side(codec, &unit->device);
  }
  code_mended(codec, &unit->mended);
  if (!unit->said) unit->said = diag_sink_make(codec->arena);
  diags_code(codec, unit->said, 0);
}

// ---- files
// The file that it was made of, as it was then: lines of it are shown, and comments in it are read.
static Digest source_digest(const char *path, bool *is_there) {
  Arena *scratch = arena_open();
  Digest digest = input_digest(input_memo_make(scratch, NULL), path, is_there);
  arena_close(scratch);
  return digest;
}

void unit_write(const Loading *loading, Unit *unit, StrBuf *out) {
  ASSERT(out);
  Codec codec = codec_writer(out->arena);
  bool is_there;
  Digest source = source_digest(unit->path, &is_there);
  (void)codec_text(&codec, loading->options->version);
  codec_digest(&codec, &source);
  unit_code(&codec, &loading->tools, unit);
  char check[DIGEST_TEXT];
  digest_text(digest_of(codec.out.text, codec.out.length), check);
  strbuf_add(out, unit_magic);
  strbuf_printf(out, "%s\n", check);
  strbuf_add_n(out, codec.out.text, codec.out.length);
}

static bool is_intact(const char *bytes, size_t length, size_t head) {
  char check[DIGEST_TEXT];
  digest_text(digest_of(bytes + head, length - head), check);
  return memcmp(bytes + strlen(unit_magic), check, DIGEST_TEXT - 1) == 0 && bytes[head - 1] == '\n';
}

static bool is_of_this_program(const Loading *loading, Codec *codec) {
  const char *version = NULL;
  CODE_NAME(codec, version);
  return !codec->has_failed && strcmp(version, loading->options->version) == 0;
}

bool unit_read(const Loading *loading, const char *bytes, size_t length, Unit *unit, const char **mistake) {
  ASSERT(bytes);
  ASSERT(mistake);
  const size_t head = strlen(unit_magic) + DIGEST_TEXT; // and the end of the line
  if (length < head || memcmp(bytes, unit_magic, strlen(unit_magic)) != 0) {
    *mistake = "is no unit of this version: make it with hgrd-check -c";
    return false;
  }
  if (!is_intact(bytes, length, head)) {
    *mistake = "was cut off or altered: make it again";
    return false;
  }
  Codec codec = codec_reader(loading->arena, NULL, bytes + head, length - head);
  if (!is_of_this_program(loading, &codec)) {
    *mistake = "was made by another version of hgrd-check: make it again";
    return false;
  }
  Digest source;
  bool is_there;
  codec_digest(&codec, &source);
  unit_code(&codec, &loading->tools, unit);
  if (!codec_is_whole(&codec) || !unit->host) { // so it is with what failed, and with parts of others
    *mistake = "is damaged: make it again";
    return false;
  }
  Digest now = source_digest(unit->path, &is_there);
  if (is_there && !digest_equal(now, source)) {
    *mistake =
        arena_printf(loading->arena, "is older than %s, which was changed since: make it again", unit->path);
    return false;
  }
  return true;
}
