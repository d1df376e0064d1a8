// Would clang read the same text again? It lists the files that it has read (-MD); they are known by what is
// in them. That does not tell of headers that are not there yet: a new file in an earlier folder of the
// search, or one that `__has_include` asks for, changes what is read without a change to any file of the
// list. So all names in lines that include or ask are taken from the text of those files, whether the lines
// count or not (asked.c), with the ends of the names of the files themselves (for includes of names that macros
// make: what these find is listed); and it is kept which of them are in which of the folders: those that clang
// searches, and those of the files. Names in text that is not compiled are too many rather than too few. Clang
// leaves out a folder that is another one of the search, and a file with `#pragma once` that is one it has read, by
// whatever path: so it is kept, too, which of the folders, and which of the files, are the same.
//
// Soundness: what holds here reads the same; the time of day is the same in every run (clang.c). What cannot be
// known again is refused: a file whose time says that it may have changed while clang read it, or have come into
// a folder where clang had looked before, `#embed`, and questions for a name that a macro makes. Not seen: a file
// that only a question found, and that is gone by the time clang has ended.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE // memmem
#include "frontend/inputs.h"
#include "frontend/fixup.h"
#include "core/bug.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FOLDER_LISTED = 1, FOLDER_SHUT }; // may not be read, but files in it may
enum { FILE_LIMIT = 256 << 20, CLOCK_STEP_NANOSECONDS = 10000000, SECOND_NANOSECONDS = 1000000000 };

typedef struct KnownFile {
  Digest content;
  bool is_there, was_refused, is_scanned;
  struct timespec changed;
  const char *identity;  // which file it is, whatever its path
  FrontendPaths names;   // that its lines include or ask for
  FrontendPaths words;   // of macros that ask
  FrontendPaths spelled; // words of names that go through macros
} KnownFile;

struct InputMemo {
  Arena *arena;
  const Overlay *overlay;
  StrTable *strings; // paths are compared by address
  Map files;         // by path: number in `known`
  VEC(KnownFile *) known;
  Map entries;    // by the numbers of folder and name: Entry
  Map listed;     // by path of folder: FOLDER_LISTED or FOLDER_SHUT
  Map numbers;    // by folder or name: its number
  Map presence;   // by the numbers of both: Presence
  Map macros;     // by name: 1, if any file defines it
  Map scanned;    // by the numbers of a file and of a macro that asks: 1, if it was looked for
  Map identities; // by folder: number of the folder that it is, whatever its path
};

InputMemo *input_memo_make(Arena *arena, const Overlay *overlay) {
  InputMemo *memo = arena_new(arena, InputMemo);
  memo->arena = arena;
  memo->overlay = overlay;
  memo->strings = str_table_make(arena);
  return memo;
}

static const char *interned(InputMemo *memo, const char *text) {
  return str_intern(memo->strings, text);
}

static uint64_t key_of(const void *address) {
  return (uint64_t)(uintptr_t)address;
}

// ---- names in the text
static void push_word(InputMemo *memo, FrontendPaths *list, const char *text) {
  vec_push(memo->arena, list, interned(memo, text));
}

// `#` at the start of a line, and what it asks for.
static void scan_directive(InputMemo *memo, KnownFile *file, const char *line) {
  static const char *const words[] = {"include_next", "include", "import", "embed"};
  const char *at = asked_directive(line), *end;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    size_t length = strlen(words[i]);
    if (strncmp(at, words[i], length) != 0 || isalnum((unsigned char)at[length]) || at[length] == '_')
      continue;
    if (strcmp(words[i], "embed") == 0) file->was_refused = true;
    const char *name = asked_header(at + length, &end);
    if (name) vec_push(memo->arena, &file->names, str_intern_n(memo->strings, name, (size_t)(end - name)));
  }
  const char *macro = asked_defined(line, &end);
  if (macro)
    map_set(memo->arena, &memo->macros, key_of(str_intern_n(memo->strings, macro, (size_t)(end - macro))), 1);
}

static void scan_questions(InputMemo *memo, KnownFile *file, const char *text, const char *word,
                           bool is_macro) {
  Asked asked = {0};
  asked_names(text, word, is_macro, memo->arena, &asked);
  for (uint32_t i = 0; i < asked.names.count; i++)
    push_word(memo, &file->names, asked.names.items[i]);
  for (uint32_t i = 0; i < asked.words.count; i++)
    push_word(memo, &file->words, asked.words.items[i]);
  for (uint32_t i = 0; i < asked.spelled.count; i++)
    push_word(memo, &file->spelled, asked.spelled.items[i]);
  if (asked.is_untold) file->was_refused = true;
}

// For what lies in other folders than headers.
static void scan_embeds(KnownFile *file, const char *text, Arena *scratch) {
  Asked asked = {0};
  asked_names(text, "__has_embed", false, scratch, &asked);
  if (asked.names.count > 0 || asked.words.count > 0 || asked.is_untold) file->was_refused = true;
}

static void scan_text(InputMemo *memo, KnownFile *file, const char *text, Arena *scratch) {
  if (strstr(text, "?\?/")) file->was_refused = true; // takes away ends of lines in some languages
  text = asked_lines(text, scratch);
  for (const char *line = text; line; line = strchr(line, '\n')) {
    line += *line == '\n';
    line += strspn(line, " \t\f\v");
    if (*line == '#') scan_directive(memo, file, line);
  }
  scan_questions(memo, file, text, "__has_include", false);
  scan_questions(memo, file, text, "__has_include_next", false);
  scan_embeds(file, text, scratch);
}

// ---- files
static const char *identity_of(InputMemo *memo, const struct stat *info) {
  char text[64];
  (void)snprintf(text, sizeof text, "%jx:%jx", (uintmax_t)info->st_dev, (uintmax_t)info->st_ino);
  return interned(memo, text);
}

static struct timespec later(struct timespec a, struct timespec b) {
  return a.tv_sec > b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec > b.tv_nsec) ? a : b;
}

static void read_known(InputMemo *memo, KnownFile *file, const char *path, bool is_scanned) {
  Arena *scratch = arena_open();
  struct stat info;
  size_t length;
  const char *place = overlay_text_path(memo->overlay, path);
  const char *text = stat(place, &info) == 0 ? regular_file_text(place, FILE_LIMIT, scratch, &length) : NULL;
  file->is_there = text != NULL;
  file->is_scanned = is_scanned;
  if (text) {
    file->content = digest_of(text, length);
    file->identity = identity_of(memo, &info);
    // What an overlay names is not written to while we run.
    if (place == path) file->changed = later(info.st_mtim, info.st_ctim);
    file->was_refused = memchr(text, 0, length) != NULL; // its lines end where they do not seem to
    if (is_scanned) scan_text(memo, file, text, scratch);
  }
  arena_close(scratch);
}

static const KnownFile *known_file(InputMemo *memo, const char *path, bool is_scanned) {
  path = interned(memo, path);
  uint32_t number = map_get(&memo->files, key_of(path));
  KnownFile *file = number ? memo->known.items[number - 1] : NULL;
  if (file && (file->is_scanned || !is_scanned)) return file;
  if (!file) {
    file = arena_new(memo->arena, KnownFile);
    vec_push(memo->arena, &memo->known, file);
    map_set(memo->arena, &memo->files, key_of(path), memo->known.count);
  }
  *file = (KnownFile){0};
  read_known(memo, file, path, is_scanned);
  return file;
}

Digest input_digest(InputMemo *memo, const char *path, bool *is_there) {
  ASSERT(path);
  const KnownFile *file = known_file(memo, path, false);
  *is_there = file->is_there;
  return file->content;
}

// ---- which names are in which folders
// By what the folders list, and not by asking for each name: headers include some hundred names, in a dozen
// folders each. What a list does not tell (links, folders that may not be read) is asked for.
typedef enum Entry { ENTRY_NONE = 0, ENTRY_FILE, ENTRY_FOLDER, ENTRY_TO_ASK } Entry;

static uint64_t number_of(InputMemo *memo, const char *text) {
  uint32_t number = map_get(&memo->numbers, key_of(text));
  if (number) return number;
  number = memo->numbers.entries.count + 1;
  map_set(memo->arena, &memo->numbers, key_of(text), number);
  return number;
}

static uint64_t pair_of(InputMemo *memo, const char *folder, const char *name) {
  return number_of(memo, folder) << 32 | number_of(memo, name);
}

static Entry entry_of(const struct dirent *at) {
  return at->d_type == DT_REG ? ENTRY_FILE : at->d_type == DT_DIR ? ENTRY_FOLDER : ENTRY_TO_ASK;
}

static void list_folder(InputMemo *memo, const char *folder) {
  DIR *list = opendir(folder);
  bool is_shut = !list && errno != ENOENT && errno != ENOTDIR;
  for (const struct dirent *at; list && (at = readdir(list)) != NULL;)
    map_set(memo->arena, &memo->entries, pair_of(memo, folder, interned(memo, at->d_name)), entry_of(at));
  if (list) closedir(list);
  map_set(memo->arena, &memo->listed, key_of(folder), is_shut ? FOLDER_SHUT : FOLDER_LISTED);
}

// A folder is no header, but is told of where one is looked for (fixup.c).
typedef enum Presence { PRESENT_NOT = 1, PRESENT_FILE, PRESENT_FOLDER } Presence;

static Presence presence_of(const char *path) {
  struct stat info;
  if (stat(path, &info) != 0) return PRESENT_NOT;
  return S_ISDIR(info.st_mode) ? PRESENT_FOLDER : PRESENT_FILE;
}

static Entry find_entry(InputMemo *memo, const char *folder, const char *name) {
  if (!map_get(&memo->listed, key_of(folder))) list_folder(memo, folder);
  if (map_get(&memo->listed, key_of(folder)) == FOLDER_SHUT) return ENTRY_TO_ASK;
  return (Entry)map_get(&memo->entries, pair_of(memo, folder, name));
}

// `a/b.h` by the list of `folder`, then by that of `folder/a`.
static Presence looks_in(InputMemo *memo, const char *folder, const char *name) {
  for (;;) {
    size_t length = strcspn(name, "/");
    bool is_plain = length > 0 && name[0] != '.'; // not `..`, nor two slashes
    Entry entry =
        is_plain ? find_entry(memo, folder, str_intern_n(memo->strings, name, length)) : ENTRY_TO_ASK;
    if (entry == ENTRY_TO_ASK) return presence_of(arena_printf(memo->arena, "%s/%s", folder, name));
    if (!name[length])
      return entry == ENTRY_FILE ? PRESENT_FILE : entry == ENTRY_FOLDER ? PRESENT_FOLDER : PRESENT_NOT;
    if (entry != ENTRY_FOLDER) return PRESENT_NOT;
    folder = interned(memo, arena_printf(memo->arena, "%s/%.*s", folder, (int)length, name));
    name += length + 1;
  }
}

static const char *const *numbered(InputMemo *memo, uint32_t count, const char *const *texts,
                                   uint64_t *numbers) {
  const char **own = arena_array(memo->arena, count + 1u, const char *);
  for (uint32_t i = 0; i < count; i++) {
    own[i] = interned(memo, texts[i]);
    numbers[i] = number_of(memo, own[i]);
  }
  return own;
}

static uint32_t identity_of_folder(InputMemo *memo, const char *folder) {
  uint32_t known = map_get(&memo->identities, key_of(folder));
  if (known) return known;
  struct stat info;
  const char *identity = stat(folder, &info) == 0 ? identity_of(memo, &info) : "none";
  known = (uint32_t)number_of(memo, interned(memo, identity));
  map_set(memo->arena, &memo->identities, key_of(folder), known);
  return known;
}

// The first of the list that is the same, for each: what they are called on this disk does not matter.
static Digest digest_of_twins(const Inputs *inputs, InputMemo *memo) {
  Arena *scratch = arena_open();
  uint32_t folders = inputs->folders.count, count = folders + inputs->files.count;
  uint32_t *first = arena_array(scratch, count + 1u, uint32_t);
  Map seen = {0};
  for (uint32_t i = 0; i < count; i++) {
    uint64_t identity =
        i < folders
            ? identity_of_folder(memo, interned(memo, inputs->folders.items[i]))
            : number_of(memo, known_file(memo, inputs->files.items[i - folders].path, false)->identity);
    if (!map_get(&seen, identity)) map_set(scratch, &seen, identity, i + 1);
    first[i] = map_get(&seen, identity);
  }
  Digest digest = digest_of(first, count * sizeof *first);
  arena_close(scratch);
  return digest;
}

static Digest digest_of_presence(const Inputs *inputs, InputMemo *memo) {
  Arena *scratch = arena_open();
  uint32_t name_count = inputs->names.count, folder_count = inputs->folders.count;
  uint64_t *of_names = arena_array(scratch, name_count + 1u, uint64_t),
           *of_folders = arena_array(scratch, folder_count + 1u, uint64_t);
  const char *const *names = numbered(memo, name_count, inputs->names.items, of_names);
  const char *const *folders = numbered(memo, folder_count, inputs->folders.items, of_folders);
  size_t count = (size_t)name_count * (folder_count + 1u), at = 0;
  char *bits = arena_array(scratch, count + 1, char);
  for (uint32_t f = 0; f < folder_count; f++)
    for (uint32_t n = 0; n < name_count; n++) {
      uint64_t pair = of_folders[f] << 32 | of_names[n];
      uint32_t known = map_get(&memo->presence, pair);
      if (!known) {
        known = names[n][0] == '/' ? PRESENT_NOT : looks_in(memo, folders[f], names[n]);
        map_set(memo->arena, &memo->presence, pair, known);
      }
      bits[at++] = (char)known;
    }
  for (uint32_t n = 0; n < name_count; n++)
    bits[at++] = names[n][0] == '/' ? (char)presence_of(names[n]) : 0;
  Digest digest = digest_of(bits, count);
  arena_close(scratch);
  return digest;
}

static Digest digest_of_there(const Inputs *inputs, InputMemo *memo) {
  Digest both[] = {digest_of_presence(inputs, memo), digest_of_twins(inputs, memo)};
  return digest_of(both, sizeof both);
}

// ---- gathering
typedef struct Gathering {
  InputMemo *memo;
  Inputs *out;
  Map files, names, folders; // that are listed
  Map absent;                // names of headers that were not there
  struct timespec begun;
} Gathering;

static bool add_once(InputMemo *memo, Map *seen, const char *text) {
  if (map_get(seen, key_of(text))) return false;
  map_set(memo->arena, seen, key_of(text), 1);
  return true;
}

static void add_folder(Gathering *all, const char *path) {
  path = interned(all->memo, path);
  if (add_once(all->memo, &all->folders, path)) vec_push(all->memo->arena, &all->out->folders, path);
}

static void add_asked(Gathering *all, const char *name) {
  if (add_once(all->memo, &all->names, name)) vec_push(all->memo->arena, &all->out->names, name);
}

static void add_own_folder(Gathering *all, const char *path) {
  const char *slash = strrchr(path, '/');
  add_folder(all, slash ? arena_strndup(all->memo->arena, path, (size_t)(slash - path)) : ".");
}

static bool is_recent(struct timespec changed, struct timespec begun) {
  int64_t apart =
      (int64_t)(begun.tv_sec - changed.tv_sec) * SECOND_NANOSECONDS + (begun.tv_nsec - changed.tv_nsec);
  return apart < CLOCK_STEP_NANOSECONDS;
}

static bool add_file(Gathering *all, const char *path) {
  InputMemo *memo = all->memo;
  path = interned(memo, path);
  if (!add_once(memo, &all->files, path)) return true;
  const KnownFile *file = known_file(memo, path, true);
  if (!file->is_there || file->was_refused || is_recent(file->changed, all->begun)) return false;
  vec_push(memo->arena, &all->out->files, (InputFile){path, file->content});
  add_own_folder(all, path);
  return true;
}

static const char *without_dots(const char *path) {
  while (str_starts_with(path, "./"))
    path += 2;
  return path;
}

// clang leaves out the dots in the lists.
static const char *name_from(const char *folder, const char *path) {
  folder = without_dots(folder);
  path = without_dots(path);
  if (strcmp(folder, ".") == 0 || !*folder) return *path == '/' ? NULL : path;
  return str_starts_with(path, folder) && path[strlen(folder)] == '/' ? path + strlen(folder) + 1 : NULL;
}

// For includes whose names macros make: how a file that was read is called from each folder.
static void add_own_names(Gathering *all) {
  Inputs *out = all->out;
  for (uint32_t i = 0; i < out->files.count; i++)
    for (uint32_t f = 0; f < out->folders.count; f++) {
      const char *name = name_from(out->folders.items[f], out->files.items[i].path);
      if (name) add_asked(all, interned(all->memo, name));
    }
}

// ---- macros that ask
static void scan_again(InputMemo *memo, KnownFile *file, const char *path, const char *word) {
  uint64_t pair = pair_of(memo, interned(memo, path), word);
  if (map_get(&memo->scanned, pair)) return;
  map_set(memo->arena, &memo->scanned, pair, 1);
  Arena *scratch = arena_open();
  size_t length;
  const char *place = overlay_text_path(memo->overlay, path);
  const char *text = regular_file_text(place, FILE_LIMIT, scratch, &length);
  if (text && strstr(text = asked_lines(text, scratch), word))
    scan_questions(memo, file, text, word, true);
  else if (!text)
    file->was_refused = true;
  arena_close(scratch);
}

static KnownFile *listed_file(const Gathering *all, uint32_t i) {
  const char *path = interned(all->memo, all->out->files.items[i].path);
  return all->memo->known.items[map_get(&all->memo->files, key_of(path)) - 1];
}

// Each macro that asks is looked for in all files, which may define further ones.
static void add_handed_on(Gathering *all) {
  InputMemo *memo = all->memo;
  Map seen = {0};
  FrontendPaths words = {0};
  uint32_t looked_for = 0;
  do {
    for (uint32_t i = 0; i < all->out->files.count; i++) {
      KnownFile *file = listed_file(all, i);
      for (uint32_t w = 0; w < looked_for; w++)
        scan_again(memo, file, all->out->files.items[i].path, words.items[w]);
      for (uint32_t w = 0; w < file->words.count; w++)
        if (add_once(memo, &seen, file->words.items[w])) vec_push(memo->arena, &words, file->words.items[w]);
    }
    if (looked_for == words.count) return;
    looked_for = words.count;
  } while (true);
}

// `-DX=..`, `-D X=..`
static bool defines_word(const char *const *arg, const char *word) {
  if (!str_starts_with(arg[0], "-D")) return false;
  const char *name = arg[0][2] ? arg[0] + 2 : arg[1];
  return name && str_starts_with(name, word) &&
         (name[strlen(word)] == '=' || name[strlen(word)] == '(' || !name[strlen(word)]);
}

// Or a macro of the command or of clang's own that is no reserved word.
static bool may_be_macro(const Gathering *all, const Trail *trail, const char *word) {
  static const char *const own[] = {"linux", "unix", "i386"};
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    if (strcmp(word, own[i]) == 0) return true;
  for (uint32_t c = 0; c < trail->commands.count; c++)
    for (const char *const *arg = trail->commands.items[c]; *arg; arg++)
      if (defines_word(arg, word)) return true;
  return str_starts_with(word, "_") || map_get(&all->memo->macros, key_of(word));
}

static bool commands_ask(const Trail *trail) {
  for (uint32_t c = 0; c < trail->commands.count; c++)
    for (const char *const *arg = trail->commands.items[c]; *arg; arg++)
      if (strstr(*arg, "__has_include") || strstr(*arg, "__has_embed")) return true;
  return false;
}

// Can all be told that is asked for? Then their names are added.
static bool add_questions(Gathering *all, const Trail *trail) {
  add_handed_on(all);
  for (uint32_t i = 0; i < all->out->files.count; i++) {
    const KnownFile *file = listed_file(all, i);
    if (file->was_refused) return false;
    for (uint32_t w = 0; w < file->spelled.count; w++)
      if (may_be_macro(all, trail, file->spelled.items[w])) return false;
    for (uint32_t n = 0; n < file->names.count; n++)
      add_asked(all, file->names.items[n]);
  }
  return !commands_ask(trail);
}

// Behind the target, which may have a colon in it only if a blank follows that ends it.
static const char *behind_target(const char *list) {
  const char *colon = strstr(list, ": ");
  return colon ? colon + 1 : list;
}

static bool is_absent(Gathering *all, const char *path) {
  return map_get(&all->absent, key_of(interned(all->memo, path))) && presence_of(path) != PRESENT_FILE;
}

static bool add_list(Gathering *all, const char *list) {
  const char *at = behind_target(list);
  for (const char *name; (name = part_list_next(&at, all->memo->arena)) != NULL;)
    if (!str_starts_with(name, FIXUP_FOLDER "/") && !is_absent(all, name) && !add_file(all, name))
      return false;
  return true;
}

static void add_absent(Gathering *all, const Trail *trail) {
  for (uint32_t i = 0; i < trail->absent.count; i++) {
    const char *name = interned(all->memo, trail->absent.items[i]);
    (void)add_once(all->memo, &all->absent, name);
    add_asked(all, name);
  }
}

static bool searches_hold(const Inputs *inputs) {
  Arena *scratch = arena_open();
  bool hold = true;
  for (uint32_t i = 0; i < inputs->searches.count && hold; i++)
    hold = header_search_holds(&inputs->searches.items[i], scratch);
  arena_close(scratch);
  return hold;
}

// Or a folder on the way to it: what is moved to a place is younger there.
static bool has_come(const char *folder, const char *name, struct timespec begun, Arena *scratch) {
  struct stat info;
  for (const char *end = strchr(name, '/'); true; end = strchr(end + 1, '/')) {
    int length = (int)(end ? (size_t)(end - name) : strlen(name));
    const char *path = arena_printf(scratch, "%s/%.*s", folder, length, name);
    if (lstat(path, &info) == 0 && is_recent(info.st_ctim, begun)) return true;
    if (!end) return false;
  }
}

// Asked of what is there: clang may have looked for it before it was.
static bool any_has_come(const Gathering *all) {
  const Inputs *inputs = all->out;
  Arena *scratch = arena_open();
  uint32_t name_count = inputs->names.count, folder_count = inputs->folders.count;
  uint64_t *of_names = arena_array(scratch, name_count + 1u, uint64_t),
           *of_folders = arena_array(scratch, folder_count + 1u, uint64_t);
  const char *const *names = numbered(all->memo, name_count, inputs->names.items, of_names);
  const char *const *folders = numbered(all->memo, folder_count, inputs->folders.items, of_folders);
  bool has = false;
  for (uint32_t f = 0; f < folder_count && !has; f++)
    for (uint32_t n = 0; n < name_count && !has; n++)
      if (map_get(&all->memo->presence, of_folders[f] << 32 | of_names[n]) > PRESENT_NOT)
        has = has_come(folders[f], names[n], all->begun, scratch);
  arena_close(scratch);
  return has;
}

bool inputs_gather(const Trail *trail, const FrontendPaths *folders, InputMemo *memo, Inputs *out) {
  ASSERT(out);
  *out = (Inputs){0};
  Gathering all = {.memo = memo, .out = out, .begun = trail->begun};
  bool is_told = true;
  for (uint32_t i = 0; i < folders->count; i++)
    add_folder(&all, folders->items[i]);
  add_absent(&all, trail);
  for (uint32_t i = 0; i < trail->lists.count && is_told; i++)
    is_told = add_list(&all, trail->lists.items[i]);
  for (uint32_t i = 0; i < trail->wide_lists.count && is_told; i++)
    is_told = add_list(&all, trail->wide_lists.items[i]);
  for (uint32_t i = 0; i < trail->searches.count; i++)
    vec_push(memo->arena, &out->searches, trail->searches.items[i]);
  if (!is_told || !searches_hold(out) || !add_questions(&all, trail)) return false;
  add_folder(&all, ".");
  add_own_names(&all);
  out->there = digest_of_there(out, memo);
  return out->files.count > 0 && !any_has_come(&all);
}

bool inputs_hold(const Inputs *inputs, InputMemo *memo) {
  for (uint32_t i = 0; i < inputs->files.count; i++) {
    bool is_there;
    Digest content = input_digest(memo, inputs->files.items[i].path, &is_there);
    if (!is_there || !digest_equal(content, inputs->files.items[i].content)) return false;
  }
  return digest_equal(digest_of_there(inputs, memo), inputs->there) && searches_hold(inputs);
}

static void code_folder(Codec *codec, const char **folder) {
  bool is_there = *folder != NULL;
  CODE_BOOL(codec, is_there);
  if (is_there) CODE_NAME(codec, *folder);
}

void inputs_code(Codec *codec, Inputs *inputs) {
  CODE_ITEMS(codec, &inputs->files);
  for (uint32_t i = 0; i < inputs->files.count; i++) {
    CODE_NAME(codec, inputs->files.items[i].path);
    codec_digest(codec, &inputs->files.items[i].content);
  }
  CODE_ITEMS(codec, &inputs->names);
  for (uint32_t i = 0; i < inputs->names.count; i++)
    CODE_NAME(codec, inputs->names.items[i]);
  CODE_ITEMS(codec, &inputs->folders);
  for (uint32_t i = 0; i < inputs->folders.count; i++)
    CODE_NAME(codec, inputs->folders.items[i]);
  CODE_ITEMS(codec, &inputs->searches);
  for (uint32_t i = 0; i < inputs->searches.count; i++) {
    CODE_NAME(codec, inputs->searches.items[i].includer);
    CODE_NAME(codec, inputs->searches.items[i].plain);
    code_folder(codec, &inputs->searches.items[i].folder);
  }
  codec_digest(codec, &inputs->there);
}
