// Which header does clang not find, and where may it lie? Who names a file without the flags of its build
// often leaves out the folders of its headers: they are looked for in the folder of the file that includes
// them and below it, then around its parents, up to the end of the project; the nearest folder with exactly
// one file of that name counts. Links and hidden folders are not followed, a folder with too much in it is
// not searched, nor one that others may write to. Soundness: it may be another header than the build's; the
// caller says which one is taken.
// SPDX-License-Identifier: Apache-2.0
#define _DEFAULT_SOURCE // d_type
#define _XOPEN_SOURCE 700
#include "frontend/internal.h"
#include "core/bug.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PARENT_LIMIT = 3, DEPTH_LIMIT = 6, ENTRY_LIMIT = 4096 };

static bool names_plain_file(const char *name) {
  return name[0] && name[0] != '/' && !strpbrk(name, "\"\\{}[],:") && !strstr(name, "..");
}

static const char *without_parents(const char *name) {
  while (str_starts_with(name, "../") || str_starts_with(name, "./"))
    name += strcspn(name, "/") + 1;
  return name;
}

void missing_header_complete(MissingHeader *header) {
  header->plain = without_parents(header->name);
}

bool missing_header_is_plain(const MissingHeader *header) {
  return names_plain_file(header->plain);
}

// "FILE:LINE:COLUMN: fatal error: 'NAME' file not found", below which clang shows the line.
bool missing_header_of(const Process *process, Arena *arena, MissingHeader *out) {
  ASSERT(out);
  static const char mark[] = ": fatal error: '";
  const char *text = strbuf_text(&process->errors);
  const char *at = process->exit_status > 0 ? strstr(text, mark) : NULL;
  *out = (MissingHeader){0};
  if (!at) return false;
  const char *start = at, *end = at;
  while (start > text && start[-1] != '\n')
    start--;
  for (int colons = 0; end > start && colons < 2; colons += *end == ':')
    end--;
  if (sscanf(end, ":%u:%u", &out->line, &out->column) != 2) return false;
  at += strlen(mark);
  size_t length = strcspn(at, "'\n");
  out->name = arena_strndup(arena, at, length);
  out->plain = without_parents(out->name);
  out->includer = arena_strndup(arena, start, (size_t)(end - start));
  return names_plain_file(out->plain) && str_starts_with(at + length, "' file not found");
}

// ---- looking for it

typedef struct Search {
  Arena *arena;
  const char *suffix; // "/NAME"
  uint32_t entries;   // seen so far
  uint32_t found_count;
  const char *found; // the path without the suffix
} Search;

static bool is_kind(const char *path, const struct dirent *entry, unsigned char type, mode_t mode) {
  struct stat info;
  if (entry->d_type != DT_UNKNOWN) return entry->d_type == type;
  return lstat(path, &info) == 0 && (info.st_mode & S_IFMT) == mode;
}

// False if there is too much. `beside` is a folder in it that has been searched, or NULL.
static bool search_below(Search *search, const char *folder, const char *beside, int depth) {
  DIR *dir = opendir(folder);
  bool is_complete = true;
  if (!dir) return true;
  for (struct dirent *entry; is_complete && (entry = readdir(dir)) != NULL;) {
    if (entry->d_name[0] == '.') continue;
    const char *path = arena_printf(search->arena, "%s/%s", folder, entry->d_name);
    is_complete = ++search->entries < ENTRY_LIMIT;
    if (is_kind(path, entry, DT_DIR, S_IFDIR)) {
      bool is_new = !beside || strcmp(beside, path) != 0;
      if (is_new && depth < DEPTH_LIMIT) is_complete &= search_below(search, path, NULL, depth + 1);
    } else if (str_ends_with(path, search->suffix) && is_kind(path, entry, DT_REG, S_IFREG)) {
      search->found = arena_strndup(search->arena, path, strlen(path) - strlen(search->suffix));
      search->found_count++;
    }
  }
  closedir(dir);
  return is_complete;
}

static const char *parent_of(const char *folder, Arena *arena) {
  const char *slash = strrchr(folder, '/');
  return slash && slash > folder ? arena_strndup(arena, folder, (size_t)(slash - folder)) : NULL;
}

// Not where others could lay a header, nor what is no project, as somebody's home.
static bool may_search(const char *folder) {
  struct stat info;
  const char *home = getenv("HOME");
  if (lstat(folder, &info) != 0 || (info.st_mode & S_IWOTH) || (home && strcmp(home, folder) == 0))
    return false;
  return info.st_uid == geteuid() || info.st_uid == 0;
}

const char *missing_header_folder(const MissingHeader *header, Arena *arena) {
  char *whole = realpath(header->includer, NULL);
  const char *folder = whole ? parent_of(whole, arena) : NULL, *beside = NULL;
  free(whole);
  Search search = {.arena = arena, .suffix = arena_printf(arena, "/%s", header->plain)};
  for (int level = 0; folder && level <= PARENT_LIMIT && may_search(folder); level++) {
    if (!search_below(&search, folder, beside, 0)) return NULL;
    if (search.found_count) return search.found_count == 1 ? search.found : NULL;
    if (access(arena_printf(arena, "%s/.git", folder), F_OK) == 0) return NULL; // the project ends here
    beside = folder;
    folder = parent_of(folder, arena);
  }
  return NULL;
}
