// Would clang read the same text again? It lists the files that it has read (-MD); they are known by what is
// in them. That does not tell of headers that are not there yet: a new file in an earlier folder of the
// search, or one that `__has_include` asks for, changes what is read without a change to any file of the
// list. So all names in lines that include or ask are taken from the text of those files, whether the lines
// count or not, with the ends of the names of the files themselves (for names that macros make); and it is
// kept which of them are in which of the folders: those that clang searches, and those of the files. Names in
// text that is not compiled are too many rather than too few.
//
// Soundness: what holds here reads the same; the time of day is the same in every run (clang.c). What cannot be
// known again is refused: a file whose time says that it may have changed while clang read it, `#embed`.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE // memmem
#include "frontend/inputs.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FOLDER_LISTED = 1, FOLDER_SHUT }; // may not be read, but files in it may
enum { FILE_LIMIT = 256 << 20, CLOCK_STEP_NANOSECONDS = 10000000, SECOND_NANOSECONDS = 1000000000 };

typedef struct KnownFile {
  Digest content;
  bool is_there, was_refused, is_scanned;
  struct timespec changed;
  VEC(const char *) names; // that its lines include or ask for
} KnownFile;

struct InputMemo {
  Arena *arena;
  const Overlay *overlay;
  StrTable *strings; // paths are compared by address
  Map files;         // by path: number in `known`
  VEC(KnownFile *) known;
  Map entries;  // by the numbers of folder and name: Entry
  Map listed;   // by path of folder: FOLDER_LISTED or FOLDER_SHUT
  Map numbers;  // by folder or name: its number
  Map presence; // by the numbers of both: Presence
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
static void add_name(InputMemo *memo, KnownFile *file, const char *start, const char *end) {
  if (end > start)
    vec_push(memo->arena, &file->names, str_intern_n(memo->strings, start, (size_t)(end - start)));
}

static const char *skip_blanks(const char *at) {
  while (*at == ' ' || *at == '\t')
    at++;
  return at;
}

// "x.h" or <x.h> at `at`.
static void take_name(InputMemo *memo, KnownFile *file, const char *at) {
  at = skip_blanks(at);
  if (*at != '"' && *at != '<') return;
  char close = *at == '<' ? '>' : '"';
  const char *end = ++at;
  while (*end && *end != '\n' && *end != close)
    end++;
  if (*end == close) add_name(memo, file, at, end);
}

static bool is_part_of_word(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

// `#` at the start of a line, and what it asks for.
static void scan_directive(InputMemo *memo, KnownFile *file, const char *at) {
  static const char *const words[] = {"include_next", "include", "import", "embed"};
  at = skip_blanks(at + 1);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    size_t length = strlen(words[i]);
    if (strncmp(at, words[i], length) != 0 || is_part_of_word(at[length])) continue;
    if (strcmp(words[i], "embed") == 0) file->was_refused = true;
    take_name(memo, file, at + length);
  }
}

static void scan_questions(InputMemo *memo, KnownFile *file, const char *text) {
  static const char word[] = "__has_include";
  for (const char *at = text; (at = strstr(at, word)) != NULL;) {
    at += sizeof word - 1;
    if (str_starts_with(at, "_next")) at += strlen("_next");
    at = skip_blanks(at);
    if (*at == '(') take_name(memo, file, at + 1);
  }
}

static void scan_text(InputMemo *memo, KnownFile *file, const char *text) {
  for (const char *line = text; line; line = strchr(line, '\n')) {
    line = skip_blanks(*line == '\n' ? line + 1 : line);
    if (*line == '#') scan_directive(memo, file, line);
  }
  scan_questions(memo, file, text);
}

// ---- files
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
    // What an overlay names is not written to while we run.
    if (place == path) file->changed = later(info.st_mtim, info.st_ctim);
    file->was_refused = memchr(text, 0, length) != NULL; // its lines end where they do not seem to
    if (is_scanned) scan_text(memo, file, text);
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

// A folder is no header, but is told of where one is looked for (mend.c).
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
  for (uint32_t i = 0; i < file->names.count; i++)
    add_asked(all, file->names.items[i]);
  add_own_folder(all, path);
  return true;
}

// For includes whose names macros make: how a file that was read is called from each folder.
static void add_own_names(Gathering *all) {
  Inputs *out = all->out;
  for (uint32_t i = 0; i < out->files.count; i++)
    for (uint32_t f = 0; f < out->folders.count; f++) {
      const char *folder = out->folders.items[f], *path = out->files.items[i].path;
      if (str_starts_with(path, folder) && path[strlen(folder)] == '/')
        add_asked(all, interned(all->memo, path + strlen(folder) + 1));
    }
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
    if (!str_starts_with(name, MEND_FOLDER "/") && !is_absent(all, name) && !add_file(all, name))
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

bool inputs_gather(const Trail *trail, const FrontendPaths *folders, InputMemo *memo, Inputs *out) {
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
  if (!is_told || !searches_hold(out)) return false;
  add_folder(&all, ".");
  add_own_names(&all);
  out->there = digest_of_presence(out, memo);
  return out->files.count > 0;
}

bool inputs_hold(const Inputs *inputs, InputMemo *memo) {
  for (uint32_t i = 0; i < inputs->files.count; i++) {
    bool is_there;
    Digest content = input_digest(memo, inputs->files.items[i].path, &is_there);
    if (!is_there || !digest_equal(content, inputs->files.items[i].content)) return false;
  }
  return digest_equal(digest_of_presence(inputs, memo), inputs->there) && searches_hold(inputs);
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

// ---- where clang looks
static const char *const *search_command(const char *const *compile, Arena *arena) {
  uint32_t count = 0;
  while (compile[count])
    count++;
  const char **out = arena_array(arena, count + 1u, const char *);
  for (uint32_t i = 0; i < count; i++)
    out[i] = strcmp(compile[i], "-c") == 0           ? "-E"
             : strcmp(compile[i], "-emit-llvm") == 0 ? "-v"
             : i + 1 == count                        ? "/dev/null"
                                                     : compile[i];
  return out;
}

// Lines between the two heads, and the folders that are passed over because they are not there or are others'
// twins (yet).
static void read_folders(const char *text, Arena *arena, FrontendPaths *out) {
  static const char missing[] = "ignoring nonexistent directory \"",
                    twin[] = "ignoring duplicate directory \"";
  bool is_list = false;
  for (const char *line = text; *line;) {
    size_t length = strcspn(line, "\n");
    if (length > sizeof missing && str_starts_with(line, missing))
      vec_push(arena, out, arena_strndup(arena, line + sizeof missing - 1, length - sizeof missing));
    else if (length > sizeof twin && str_starts_with(line, twin))
      vec_push(arena, out, arena_strndup(arena, line + sizeof twin - 1, length - sizeof twin));
    else if (is_list && line[0] == ' ')
      vec_push(arena, out, arena_strndup(arena, line + 1, length - 1));
    else
      is_list = str_starts_with(line, "#include ");
    line += length + (line[length] == '\n');
  }
}

bool inputs_search_folders(const char *const *compile, Arena *arena, FrontendPaths *out) {
  Process process = {.argv = search_command(compile, arena)};
  process.output.arena = process.errors.arena = arena;
  process_run_all(&process, 1, 1);
  if (process.start_error || process.exit_status != 0) return false;
  read_folders(strbuf_text(&process.errors), arena, out);
  return out->count > 0;
}
