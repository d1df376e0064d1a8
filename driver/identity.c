// Which program is this, exactly? Two builds of one version may answer differently, and so may one build with
// two versions of a library. The linker puts a digest of what it has linked into each program and library
// (its build id); those of all that is loaded are this program's identity. What has none is known by its
// name, size and time.
//
// Soundness: what is kept from run to run, and units, count only for the identity that wrote them.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE // dl_iterate_phdr
#include "driver/identity.h"

#include "core/digest.h"
#include "core/str.h"

#include <elf.h>
#include <inttypes.h>
#include <link.h>
#include <string.h>
#include <sys/stat.h>

static size_t padded(size_t bytes) {
  return (bytes + 3) & ~(size_t)3;
}

static bool add_build_id(StrBuf *out, const char *notes, size_t length) {
  while (length >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    memcpy(&note, notes, sizeof note);
    size_t name = sizeof note, content = name + padded(note.n_namesz), size = content + padded(note.n_descsz);
    if (size > length) return false;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(notes + name, "GNU", 4) == 0) {
      strbuf_add_n(out, notes + content, note.n_descsz);
      return true;
    }
    notes += size;
    length -= size;
  }
  return false;
}

static void add_file(StrBuf *out, const char *path) {
  struct stat info;
  if (stat(path[0] ? path : "/proc/self/exe", &info) != 0) return;
  strbuf_printf(out, "%s %" PRIu64 " %jd.%09ld", path, (uint64_t)info.st_size, (intmax_t)info.st_mtim.tv_sec,
                info.st_mtim.tv_nsec);
}

static int add_loaded(struct dl_phdr_info *loaded, size_t size, void *context) {
  StrBuf *out = context;
  bool is_known = false;
  (void)size;
  for (int i = 0; i < loaded->dlpi_phnum && !is_known; i++) {
    const ElfW(Phdr) *part = &loaded->dlpi_phdr[i];
    if (part->p_type != PT_NOTE) continue;
    is_known = add_build_id(out, (const char *)(loaded->dlpi_addr + part->p_vaddr), part->p_memsz);
  }
  if (!is_known) add_file(out, loaded->dlpi_name);
  strbuf_add_n(out, "\n", 1);
  return 0;
}

const char *identity_version(Arena *arena) {
  StrBuf all = {.arena = arena};
  char text[DIGEST_TEXT];
  (void)dl_iterate_phdr(add_loaded, &all);
  digest_text(digest_of(all.text, all.length), text);
  return arena_printf(arena, "%s %s", HGRD_VERSION, text);
}
