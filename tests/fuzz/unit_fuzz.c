// Any bytes as a unit: it reads or it is refused. What clang and files would say is made up here.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/loading.h"

#include <string.h>

uint32_t clang_arch(const Toolchain *tools, const CompileFlags *flags) {
  (void)tools;
  return flags->arch;
}

bool process_succeeded(const Process *process) {
  return process && process->start_error == 0 && process->exit_status == 0;
}

InputMemo *input_memo_make(Arena *arena, const Overlay *overlay) {
  (void)arena;
  (void)overlay;
  return NULL;
}

Digest input_digest(InputMemo *memo, const char *path, bool *is_there) {
  (void)memo;
  (void)path;
  *is_there = false;
  return (Digest){0, 0};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// As it is, and as the content of a unit that is intact and of this version.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Arena *arena = arena_open();
  const FrontendOptions options = {.version = "1"};
  Loading loading = {.options = &options, .arena = arena, .scratch = arena, .sink = diag_sink_make(arena)};
  const char *mistake = NULL;
  Unit unit = {0};
  bool is_read = unit_read(&loading, (const char *)data, size, &unit, &mistake);
  BUG_UNLESS(is_read == (mistake == NULL));
  Unit made = {0};
  Codec in = codec_reader(arena, NULL, data, size), out = codec_writer(arena);
  unit_code(&in, &loading.tools, &made);
  if (codec_is_whole(&in)) unit_code(&out, &loading.tools, &made);
  arena_close(arena);
  return 0;
}
