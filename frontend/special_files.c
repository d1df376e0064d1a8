// Does a file include something that is no file? Opening a FIFO waits for its other end, and a device may
// give text without an end: clang would wait, or read, up to its limit. So the lines that include are
// followed from the file through its own headers, in the folders that the flags name, before clang is
// started; headers of the system are not read. The null device is an empty file to everybody.
//
// Over-approximation: a line that the preprocessor leaves out counts as well. Under-approximation: names that
// macros make are not followed; clang's limits are left for them.
// SPDX-License-Identifier: Apache-2.0
#define _XOPEN_SOURCE 700 // S_ISSOCK
#include "frontend/internal.h"
#include "core/bug.h"
#include "core/path.h"

#include "core/codec.h"

#include <string.h>
#include <sys/stat.h>

enum { HEADER_LIMIT = 16 << 20, HEADERS_LIMIT = 4096 };

typedef struct Included {
  const char *name; // as written
  bool is_quoted;   // "name", else <name>
  uint32_t line;
} Included;

struct SpecialMemo {
  Arena *arena;
  StrTable *strings;
  Map read; // by path and folders: 1
};

typedef struct Following {
  const Toolchain *tools;
  Arena *arena;
  SpecialMemo *memo;
  FrontendPaths folders; // that the flags name
  FrontendPaths headers; // that are still to be read
  SpecialFile *found;
} Following;

SpecialMemo *special_memo_make(Arena *arena) {
  SpecialMemo *memo = arena_new(arena, SpecialMemo);
  *memo = (SpecialMemo){.arena = arena, .strings = str_table_make(arena)};
  return memo;
}

static const char *word_for(mode_t mode) {
  if (S_ISFIFO(mode)) return "a FIFO";
  if (S_ISSOCK(mode)) return "a socket";
  return S_ISCHR(mode) || S_ISBLK(mode) ? "a device" : NULL;
}

static const char *skip_blanks(const char *at) {
  return at + strspn(at, " \t");
}

// `#include "name"` or <name> at the start of `line`.
static bool read_include(const char *line, Arena *arena, Included *out) {
  static const char *const words[] = {"include_next", "include", "import"};
  line = skip_blanks(line);
  if (*line != '#') return false;
  line = skip_blanks(line + 1);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    const char *at = str_starts_with(line, words[i]) ? skip_blanks(line + strlen(words[i])) : "";
    if (*at != '"' && *at != '<') continue;
    size_t length = strcspn(at + 1, *at == '"' ? "\"\n" : ">\n");
    if (length == 0 || at[1 + length] != (*at == '"' ? '"' : '>')) continue;
    out->is_quoted = *at == '"';
    out->name = arena_strndup(arena, at + 1, length);
    return true;
  }
  return false;
}

static void note_folders(Following *all, const CompileFlags *flags) {
  static const char *const joined[] = {"-I", "-isystem", "-iquote", "-idirafter"};
  for (uint32_t i = 0; i < flags->args.count; i++)
    for (size_t k = 0; k < sizeof joined / sizeof *joined; k++) {
      const char *arg = flags->args.items[i];
      if (!str_starts_with(arg, joined[k])) continue;
      const char *folder = arg + strlen(joined[k]);
      if (!*folder) folder = i + 1 < flags->args.count ? flags->args.items[i + 1] : "";
      if (*folder) vec_push(all->arena, &all->folders, folder);
      break;
    }
}

// True: it is there, and so it is what clang takes.
static bool take(Following *all, const char *path, const char *includer, const Included *included) {
  struct stat info;
  if (stat(path, &info) != 0 || S_ISDIR(info.st_mode)) return false;
  const char *word = word_for(info.st_mode);
  if (word && strcmp(path, "/dev/null") != 0)
    *all->found =
        (SpecialFile){.name = included->name, .kind = word, .includer = includer, .line = included->line};
  else if (!word && !path_is_system(all->tools, path) && all->headers.count < HEADERS_LIMIT)
    vec_push(all->arena, &all->headers, path);
  return true;
}

static void look_for(Following *all, const char *includer, const Included *included) {
  const char *slash = strrchr(includer, '/');
  const char *own = slash ? arena_strndup(all->arena, includer, (size_t)(slash + 1 - includer)) : "";
  if (included->name[0] == '/') {
    (void)take(all, included->name, includer, included);
    return;
  }
  if (included->is_quoted &&
      take(all, arena_printf(all->arena, "%s%s", own, included->name), includer, included))
    return;
  for (uint32_t i = 0; i < all->folders.count; i++)
    if (take(all, path_join(all->folders.items[i], included->name, all->arena), includer, included)) return;
}

static bool was_read(Following *all, const char *path) {
  StrBuf key = {.arena = all->arena};
  strbuf_add(&key, path);
  for (uint32_t i = 0; i < all->folders.count; i++)
    strbuf_printf(&key, "\n%s", all->folders.items[i]);
  uint64_t known = (uint64_t)(uintptr_t)str_intern(all->memo->strings, strbuf_text(&key));
  if (map_get(&all->memo->read, known)) return true;
  map_set(all->memo->arena, &all->memo->read, known, 1);
  return false;
}

static void read_header(Following *all, const char *path) {
  size_t length;
  if (was_read(all, path)) return;
  const char *text = source_text(all->tools, path, HEADER_LIMIT, all->arena, &length);
  Included included = {.line = 1};
  for (const char *line = text; line && *line && !all->found->name; included.line++) {
    if (read_include(line, all->arena, &included)) look_for(all, path, &included);
    line = strchr(line, '\n');
    line = line ? line + 1 : NULL;
  }
}

// What -include and -imacros name.
static void read_forced(Following *all, const CompileFlags *flags) {
  for (uint32_t i = 0; i + 1 < flags->args.count && !all->found->name; i++) {
    const char *arg = flags->args.items[i];
    Included included = {.name = flags->args.items[i + 1], .is_quoted = true};
    if (strcmp(arg, "-include") == 0 || strcmp(arg, "-imacros") == 0) look_for(all, "", &included);
  }
}

bool special_file_included(const Toolchain *tools, const CompileFlags *flags, const char *path,
                           SpecialMemo *memo, Arena *arena, SpecialFile *found) {
  ASSERT(path);
  ASSERT(found);
  Following all = {.tools = tools, .arena = arena, .memo = memo, .found = found};
  *found = (SpecialFile){0};
  note_folders(&all, flags);
  read_forced(&all, flags);
  vec_push(arena, &all.headers, path);
  for (uint32_t i = 0; i < all.headers.count && !found->name; i++)
    read_header(&all, all.headers.items[i]);
  return found->name != NULL;
}
