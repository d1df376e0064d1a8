// Any text at all: the reader reads or refuses it with one error, the verifier judges what was read, and what
// is sound is printed, read again to the same text, and has a CFG.
// SPDX-License-Identifier: Apache-2.0
#include "core/bug.h"
#include "core/cfg.h"
#include "core/ir.h"

#include <string.h>

static void check_sound(const IrModule *module, Arena *arena, StrTable *strings, DiagSink *sink) {
  StrBuf first = {.arena = arena}, second = {.arena = arena};
  ir_print(module, &first);
  const IrModule *again = ir_read(arena, strings, "again.ir", strbuf_text(&first), sink);
  BUG_UNLESS(again != NULL);
  BUG_UNLESS(ir_verify(again, sink));
  ir_print(again, &second);
  BUG_UNLESS(strcmp(strbuf_text(&first), strbuf_text(&second)) == 0);
  for (uint32_t i = 0; i < module->functions.count; i++) {
    const Cfg *cfg = cfg_make(module->functions.items[i], arena);
    for (uint32_t b = 0; b < cfg->block_count; b++)
      BUG_UNLESS(cfg->rpo_number[b] == CFG_NONE || cfg_dominates(cfg, 0, b));
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Arena *arena = arena_open();
  StrTable *strings = str_table_make(arena);
  DiagSink *sink = diag_sink_make(arena);
  const char *text = arena_strndup(arena, (const char *)data, size);
  const IrModule *module = ir_read(arena, strings, "fuzz.ir", text, sink);
  BUG_UNLESS(sink->error_count == (module ? 0 : 1));
  if (module && ir_verify(module, sink)) check_sound(module, arena, strings, sink);
  arena_close(arena);
  return 0;
}
