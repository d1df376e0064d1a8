// Any bytes as what the cache and parts of a run hold: they read or they fail, within memory that is linear in their length,
// and what reads is well formed enough to be written again.
// SPDX-License-Identifier: Apache-2.0
#include "core/bug.h"
#include "core/ir_codec.h"
#include "core/launch_codec.h"

static void as_module(Arena *arena, const uint8_t *data, size_t size) {
  Codec in = codec_reader(arena, str_table_make(arena), data, size), out = codec_writer(arena);
  IrModule *module = ir_code(&in, NULL);
  if (!module || !codec_is_whole(&in)) return;
  DiagSink *sink = diag_sink_make(arena);
  bool is_sound = ir_verify(module, sink);
  (void)ir_code(&out, module);
  BUG_UNLESS(!is_sound || out.out.length > 0);
}

// A launch, and a result for it behind that.
static void as_part(Arena *arena, const uint8_t *data, size_t size) {
  Codec in = codec_reader(arena, NULL, data, size), out = codec_writer(arena);
  ExprPool *pool;
  LaunchList list;
  if (!launches_read(&in, &pool, &list) || list.count == 0) return;
  KernelResult result = {0};
  result_code(&in, list.items[0], &result);
  launches_write(&out, pool, list);
  if (!in.has_failed) result_code(&out, list.items[0], &result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  Arena *arena = arena_open();
  if (data[0] & 1)
    as_module(arena, data + 1, size - 1);
  else
    as_part(arena, data + 1, size - 1);
  BUG_UNLESS(arena_bytes(arena) < ((size_t)8 << 20) + size * 4096);
  arena_close(arena);
  return 0;
}
