// Where is what earlier runs have found out? In files that are named by the digest of their key, in sixteen
// folders by its first digit. A file says again which key it is for, how long it is, and the digest of what it
// holds: one that was cut off, altered or put in another's place is as if it were not there, and is replaced.
// It is written beside its place and takes the name in the end, so that whoever looks meanwhile sees the old one,
// the new one or none; a run that is killed leaves at most a file that nobody reads, which is swept up later.
// There are no locks, no lists and no counters that could be wrong.
//
// Size: each of the sixteen folders has a part of the limit; who has added to one looks at it in the end, and
// takes out what was used longest ago until a fifth is free. "Used" is the time of the file, which a hit renews:
// a clock that was changed makes that order wrong, and nothing else.
//
// Soundness: the key is everything that the entry follows from, the exact program included. A folder of another
// user, or one that all may write to, is not used: who can write entries can write answers.
// SPDX-License-Identifier: Apache-2.0
#define _XOPEN_SOURCE 700
#include "cache/cache.h"
#include "core/bug.h"

#include "core/vec.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { FOLDERS = 16, STALE_SECONDS = 3600 };
static const uint64_t usual_limit = UINT64_C(4) << 30;
static const uint64_t entry_limit = UINT64_C(1) << 30;
static const char magic[8] = {'h', 'g', 'r', 'd', 'k', 'e', 'p', '1'};

typedef struct Header {
  char magic[8];
  Digest key, content;
  uint64_t length;
} Header;

struct Cache {
  Arena *arena;
  const char *folder;
  uint64_t limit_bytes;
  const char *version;
  size_t version_length;
  pthread_mutex_t mutex; // guards what follows
  CacheStats stats;
  bool is_touched[FOLDERS];
  uint32_t files_made;
  bool is_full; // nothing more is written in this run
};

// ---- the folder
static const char *usual_folder(Arena *arena) {
  const char *caches = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  struct stat info;
  if (caches && caches[0] == '/') return arena_printf(arena, "%s/hgrd", caches);
  // A home that is not there, as some services have it, is not to be made.
  bool has_home = home && home[0] == '/' && stat(home, &info) == 0 && S_ISDIR(info.st_mode);
  return has_home ? arena_printf(arena, "%s/.cache/hgrd", home) : NULL;
}

// The folder and those above it, as far as they are not there.
static bool make_folders(const char *path, Arena *arena) {
  char *part = arena_strdup(arena, path);
  for (char *slash = part; (slash = strchr(slash + 1, '/')) != NULL; *slash = '/') {
    *slash = '\0';
    if (mkdir(part, 0777) != 0 && errno != EEXIST) return false;
  }
  return mkdir(part, 0700) == 0 || errno == EEXIST;
}

static const char *folder_problem(const char *path, Arena *arena) {
  struct stat info;
  bool is_made = make_folders(path, arena);
  if (stat(path, &info) != 0)
    return arena_printf(arena, "cannot make the cache folder '%s': %s: name another one with --cache=DIR",
                        path, strerror(is_made ? errno : EACCES));
  if (!S_ISDIR(info.st_mode))
    return arena_printf(arena, "the cache '%s' is no folder: name a folder with --cache=DIR", path);
  if (info.st_uid != geteuid())
    return arena_printf(arena, "the cache folder '%s' belongs to another user: name one of your own", path);
  if (info.st_mode & S_IWOTH)
    return arena_printf(arena, "anybody may write to the cache folder '%s': take that right away (chmod o-w)",
                        path);
  return NULL;
}

Cache *cache_open(const CacheOptions *options, Arena *arena, const char **error) {
  ASSERT(error);
  const char *folder = options->folder ? options->folder : usual_folder(arena);
  *error = folder ? folder_problem(folder, arena) : "there is no home for a cache: name one with --cache=DIR";
  if (*error) return NULL;
  Cache *cache = arena_new(arena, Cache);
  *cache = (Cache){.arena = arena,
                   .folder = folder,
                   .limit_bytes = options->limit_bytes ? options->limit_bytes : usual_limit,
                   .version = options->version,
                   .version_length = options->version_length};
  ASSERT(cache->limit_bytes > 0 && cache->folder[0]);
  pthread_mutex_init(&cache->mutex, NULL);
  return cache;
}

const char *cache_folder(const Cache *cache) {
  ASSERT(cache->folder);
  return cache->folder;
}

// ---- names
static Digest whole_key(const Cache *cache, CacheKind kind, Digest key, Arena *arena) {
  ASSERT((unsigned)kind < CACHE_KINDS);
  StrBuf text = {.arena = arena};
  strbuf_printf(&text, "%d %016" PRIx64 "%016" PRIx64 " ", (int)kind, key.high, key.low);
  strbuf_add_n(&text, cache->version, cache->version_length);
  return digest_of(text.text, text.length);
}

static const char *folder_path(const Cache *cache, unsigned number, Arena *arena) {
  return arena_printf(arena, "%s/%x", cache->folder, number);
}

static unsigned folder_of(Digest key) {
  return (unsigned)(key.high >> 60);
}

static const char *entry_path(const Cache *cache, Digest key, Arena *arena) {
  char text[DIGEST_TEXT];
  digest_text(key, text);
  return arena_printf(arena, "%s/%s", folder_path(cache, folder_of(key), arena), text + 1);
}

// ---- reading
static bool read_all(int file, void *into, size_t length) {
  for (size_t done = 0; done < length;) {
    ssize_t got = read(file, (char *)into + done, length - done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    done += (size_t)got;
  }
  return true;
}

static const void *read_entry(int file, Digest key, Arena *arena, size_t *length) {
  Header header;
  struct stat info;
  if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode) || info.st_uid != geteuid()) return NULL;
  if (!read_all(file, &header, sizeof header) || memcmp(header.magic, magic, sizeof magic) != 0 ||
      !digest_equal(header.key, key) || header.length > entry_limit ||
      (uint64_t)info.st_size != sizeof header + header.length)
    return NULL;
  ASSERT(header.length <= entry_limit);
  *length = (size_t)header.length;
  void *bytes = arena_alloc(arena, *length + 1);
  return read_all(file, bytes, *length) && digest_equal(digest_of(bytes, *length), header.content) ? bytes
                                                                                                   : NULL;
}

static void count(Cache *cache, CacheKind kind, bool is_found) {
  pthread_mutex_lock(&cache->mutex);
  (is_found ? cache->stats.found : cache->stats.missed)[kind]++;
  pthread_mutex_unlock(&cache->mutex);
}

const void *cache_get(Cache *cache, CacheKind kind, Digest key, Arena *arena, size_t *length) {
  ASSERT(length);
  Digest whole = whole_key(cache, kind, key, arena);
  int file = open(entry_path(cache, whole, arena), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  const void *bytes = file >= 0 ? read_entry(file, whole, arena, length) : NULL;
  if (bytes) (void)futimens(file, NULL); // used just now; where that is not allowed, it goes sooner
  if (file >= 0) close(file);
  count(cache, kind, bytes != NULL);
  return bytes;
}

void cache_unfit(Cache *cache, CacheKind kind) {
  pthread_mutex_lock(&cache->mutex);
  ASSERT(cache->stats.found[kind] > 0); // by the cache_get whose answer did not fit
  cache->stats.found[kind]--;
  cache->stats.missed[kind]++;
  pthread_mutex_unlock(&cache->mutex);
}

// ---- writing
static bool write_all(int file, const void *from, size_t length) {
  for (size_t done = 0; done < length;) {
    ssize_t put = write(file, (const char *)from + done, length - done);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    done += (size_t)put;
  }
  return true;
}

static bool write_entry(const char *path, const Header *header, const void *bytes, size_t length) {
  int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) return false;
  bool is_written = write_all(file, header, sizeof *header) && write_all(file, bytes, length);
  return close(file) == 0 && is_written;
}

static bool may_write(Cache *cache, Digest key, uint32_t *number) {
  pthread_mutex_lock(&cache->mutex);
  bool may = !cache->is_full;
  cache->is_touched[folder_of(key)] |= may;
  *number = cache->files_made++;
  pthread_mutex_unlock(&cache->mutex);
  return may;
}

static void note_refused(Cache *cache) {
  pthread_mutex_lock(&cache->mutex);
  cache->is_full = true; // a full disk or a folder without rights will refuse the next one as well
  cache->stats.refused++;
  pthread_mutex_unlock(&cache->mutex);
}

void cache_put(Cache *cache, CacheKind kind, Digest key, const void *bytes, size_t length) {
  ASSERT(bytes || !length);
  Arena *scratch = arena_open();
  Digest whole = whole_key(cache, kind, key, scratch);
  uint32_t number;
  if (length <= entry_limit && may_write(cache, whole, &number)) {
    const char *folder = folder_path(cache, folder_of(whole), scratch);
    const char *path = entry_path(cache, whole, scratch);
    const char *beside = arena_printf(scratch, "%s/new.%ld.%u", folder, (long)getpid(), number);
    Header header = {.key = whole, .content = digest_of(bytes, length), .length = length};
    memcpy(header.magic, magic, sizeof magic);
    (void)mkdir(folder, 0700);
    (void)unlink(beside); // of a process of the same number that was killed
    bool is_kept = write_entry(beside, &header, bytes, length) && rename(beside, path) == 0;
    if (!is_kept) {
      (void)unlink(beside);
      note_refused(cache);
    }
  }
  arena_close(scratch);
}

// ---- bounds
typedef struct Entry {
  const char *name;
  struct timespec used;
  uint64_t bytes;
} Entry;

typedef struct Folder {
  VEC(Entry) entries;
  uint64_t bytes;
} Folder;

static bool is_stale(const char *name, const struct stat *info) {
  return strncmp(name, "new.", 4) == 0 && time(NULL) - info->st_mtime > STALE_SECONDS;
}

static Folder look_at(int folder, DIR *list, Arena *arena) {
  Folder out = {0};
  struct stat info;
  for (const struct dirent *at; (at = readdir(list)) != NULL;) {
    if (at->d_name[0] == '.' || fstatat(folder, at->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (is_stale(at->d_name, &info)) (void)unlinkat(folder, at->d_name, 0);
    if (strlen(at->d_name) != DIGEST_TEXT - 2) continue;
    Entry entry = {arena_strdup(arena, at->d_name), info.st_mtim, (uint64_t)info.st_size};
    vec_push(arena, &out.entries, entry);
    out.bytes += entry.bytes;
  }
  return out;
}

static int by_use(const void *a, const void *b) {
  const Entry *x = a, *y = b;
  if (x->used.tv_sec != y->used.tv_sec) return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
  if (x->used.tv_nsec != y->used.tv_nsec) return x->used.tv_nsec < y->used.tv_nsec ? -1 : 1;
  return strcmp(x->name, y->name);
}

static void take_out_oldest(int folder, Folder *all, uint64_t limit) {
  ASSERT(all->bytes > limit && all->entries.count > 0);
  qsort(all->entries.items, all->entries.count, sizeof *all->entries.items, by_use);
  for (uint32_t i = 0; i < all->entries.count && all->bytes > limit / 5 * 4; i++)
    if (unlinkat(folder, all->entries.items[i].name, 0) == 0) all->bytes -= all->entries.items[i].bytes;
}

// Counts what is there, and bounds it if asked to.
static void sweep(const Cache *cache, unsigned number, bool is_bounded, CacheStats *stats) {
  Arena *scratch = arena_open();
  DIR *list = opendir(folder_path(cache, number, scratch));
  if (list) {
    Folder all = look_at(dirfd(list), list, scratch);
    uint64_t limit = cache->limit_bytes / FOLDERS;
    if (is_bounded && all.bytes > limit) take_out_oldest(dirfd(list), &all, limit);
    stats->entries += all.entries.count;
    stats->bytes += all.bytes;
    closedir(list);
  }
  arena_close(scratch);
}

void cache_close(Cache *cache) {
  if (!cache) return;
  CacheStats unheard = {0};
  for (unsigned i = 0; i < FOLDERS; i++)
    if (cache->is_touched[i]) sweep(cache, i, true, &unheard);
  pthread_mutex_destroy(&cache->mutex);
}

CacheStats cache_stats(Cache *cache) {
  ASSERT(cache->limit_bytes && cache->folder);
  pthread_mutex_lock(&cache->mutex);
  CacheStats stats = cache->stats;
  pthread_mutex_unlock(&cache->mutex);
  stats.entries = stats.bytes = 0;
  for (unsigned i = 0; i < FOLDERS; i++)
    sweep(cache, i, false, &stats);
  stats.limit_bytes = cache->limit_bytes;
  return stats;
}
