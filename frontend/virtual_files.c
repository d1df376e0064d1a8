// How does clang read texts that are not those of the disk? Through a virtual file system (-ivfsoverlay) that
// is described in a file in memory, so that nothing is left behind. Everything else here that looks at the
// text of a source asks source_text. Corrections (fixup.c) lie on top of it. Soundness: what is analysed, kept
// and shown is one text; what was kept is found by the text, wherever it lay.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE // memfd_create
#include "frontend/internal.h"
#include "core/bug.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int memory_file(const char *text, size_t length) {
  ASSERT(text);
  int file = memfd_create("hgrd", MFD_CLOEXEC);
  if (file >= 0 && write(file, text, length) == (ssize_t)length) return file;
  if (file >= 0) close(file);
  return -1;
}

const char *source_text(const Toolchain *tools, const char *path, size_t limit, Arena *arena,
                        size_t *length) {
  ASSERT(path);
  ASSERT(length);
  return regular_file_text(overlay_text_path(tools->overlay, path), limit, arena, length);
}

// False if the name cannot be written there.
static bool add_quoted(StrBuf *out, const char *name) {
  strbuf_add(out, "\"");
  for (const char *at = name; *at; at++) {
    if ((unsigned char)*at < ' ') return false;
    if (*at == '"' || *at == '\\') strbuf_add(out, "\\");
    strbuf_add_n(out, at, 1);
  }
  strbuf_add(out, "\"");
  return true;
}

static bool describe(const Overlay *overlay, StrBuf *out) {
  bool is_good = true;
  strbuf_add(out, "{\"version\": 0, \"case-sensitive\": true, \"use-external-names\": false, \"roots\": [\n");
  for (uint32_t i = 0; i < overlay->files.count; i++) {
    const OverlayFile *file = &overlay->files.items[i];
    strbuf_printf(out, "%s{\"type\": \"file\", \"name\": ", i ? ",\n" : "");
    is_good = add_quoted(out, file->path) && is_good;
    strbuf_add(out, ", \"external-contents\": ");
    is_good = add_quoted(out, file->text_path) && is_good;
    strbuf_add(out, "}");
  }
  strbuf_add(out, "]}\n");
  return is_good;
}

bool overlay_open(const FrontendOptions *options, Arena *arena, DiagSink *sink, Toolchain *tools) {
  StrBuf text = {.arena = arena};
  tools->overlay_descriptor = -1;
  if (!options->overlay || options->overlay->files.count == 0) return true;
  if (describe(options->overlay, &text)) tools->overlay_descriptor = memory_file(text.text, text.length);
  if (tools->overlay_descriptor < 0) {
    diag_report(
        sink, DIAG_ERROR, NULL,
        "texts that stand in for files cannot be handed to clang: give the files names without control "
        "characters");
    return false;
  }
  tools->overlay = options->overlay;
  tools->overlay_file = arena_printf(arena, "/proc/%ld/fd/%d", (long)getpid(), tools->overlay_descriptor);
  return true;
}

void overlay_close(Toolchain *tools) {
  if (tools->overlay_file) close(tools->overlay_descriptor);
  tools->overlay_file = NULL;
}
