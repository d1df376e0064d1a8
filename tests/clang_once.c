// What would clang say, where it has been asked the same before? For scripts that check the same few files again and again
// (`reuse_clang` of tests/cli/lib.bash): most of what a run on a small file costs is clang's start. A compilation is answered as the
// first time, with the same output, words and exit status. The question is the whole command line, the folder, what the environment
// adds to the search path, and names and contents of every source and header below $HGRD_ONCE, so that clang sees each change. Where
// anything else goes in or out (a list of dependencies, an overlay, a file that is written, standard input), clang itself is asked, and
// what a signal ended is not kept. Not for scripts about clang itself, limits, the time of day, or headers with other endings.
// usage: HGRD_CLANG=clang_once HGRD_ONCE=FOLDER HGRD_ONCE_CLANG=CLANG, and then hgrd-check
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE // fts, and asprintf, which says it when memory is out
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xxhash.h>

static void give_up(const char *what) {
  fprintf(stderr, "clang_once: %s: %s\n", what, strerror(errno));
  exit(70);
}

// Only what writes bitcode to standard output, and reads nothing but files.
static bool is_simple(int argc, char **argv) {
  bool is_to_output = false;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "-o") == 0 && i + 1 < argc) is_to_output = strcmp(argv[i + 1], "-") == 0;
    if (strstr(argv[i], "/proc/") || strstr(argv[i], "overlay") || strncmp(argv[i], "-M", 2) == 0)
      return false;
    if (strcmp(argv[i], "-E") == 0) return false;
  }
  return is_to_output && strcmp(argv[argc - 1], "-") != 0;
}

static void hash_text(XXH3_state_t *state, const char *text) {
  XXH3_128bits_update(state, text ? text : "(none)", text ? strlen(text) + 1 : 7);
}

static void hash_file(XXH3_state_t *state, const char *path) {
  char block[65536];
  int fd = open(path, O_RDONLY | O_NONBLOCK);
  ssize_t length = -1;
  hash_text(state, path);
  while (fd >= 0 && (length = read(fd, block, sizeof block)) > 0)
    XXH3_128bits_update(state, block, (size_t)length);
  hash_text(state, length == 0 ? "end" : strerror(errno));
  if (fd >= 0) close(fd);
}

static bool is_source(const char *name) {
  static const char *const endings[] = {".cu", ".cuh", ".h", ".hpp", ".c", ".cc", ".cpp", ".cxx", ".inc"};
  const char *dot = strrchr(name, '.');
  for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
    if (strcmp(dot, endings[i]) == 0) return true;
  return false;
}

static int by_name(const FTSENT **a, const FTSENT **b) {
  return strcmp((*a)->fts_name, (*b)->fts_name);
}

static void hash_sources(XXH3_state_t *state, char *folder) {
  char *const folders[] = {folder, NULL};
  FTS *walk = fts_open(folders, FTS_PHYSICAL | FTS_NOCHDIR, by_name);
  if (!walk) give_up(folder);
  for (FTSENT *entry; (entry = fts_read(walk));) {
    if (entry->fts_info == FTS_D && strcmp(entry->fts_name, ".once") == 0) fts_set(walk, entry, FTS_SKIP);
    bool is_file = entry->fts_info == FTS_F || entry->fts_info == FTS_SL;
    if (is_file && is_source(entry->fts_name)) hash_file(state, entry->fts_path);
  }
  fts_close(walk);
}

static XXH128_hash_t question(int argc, char **argv, char *folder) {
  static const char *const variables[] = {"PWD", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"};
  XXH3_state_t *state = XXH3_createState();
  char *here = getcwd(NULL, 0);
  if (!state) give_up("XXH3_createState");
  XXH3_128bits_reset(state);
  for (int i = 1; i < argc; i++)
    hash_text(state, argv[i]);
  hash_text(state, here);
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
    hash_text(state, getenv(variables[i]));
  hash_sources(state, folder);
  XXH128_hash_t hash = XXH3_128bits_digest(state);
  XXH3_freeState(state);
  free(here);
  return hash;
}

static char *joined(const char *stem, const char *ending) {
  char *path;
  if (asprintf(&path, "%s%s", stem, ending) < 0) give_up("asprintf");
  return path;
}

static int to_file(const char *stem, const char *ending) {
  char *path = joined(stem, ending);
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (fd < 0) give_up(path);
  free(path);
  return fd;
}

// Exit status of clang, whose output and words are in files. It ends with this process, and this one by the same signal.
static int ask(const char *clang, char **argv, const char *stem) {
  int out = to_file(stem, ".out"), err = to_file(stem, ".err"), status;
  pid_t child = fork();
  if (child < 0) give_up("fork");
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    execv(clang, argv);
    give_up(clang);
  }
  close(out);
  close(err);
  if (waitpid(child, &status, 0) < 0) give_up("waitpid");
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  signal(WTERMSIG(status), SIG_DFL);
  raise(WTERMSIG(status));
  return 128 + WTERMSIG(status);
}

static void keep(const char *from, const char *to, const char *ending) {
  char *source = joined(from, ending), *target = joined(to, ending);
  if (rename(source, target) != 0) give_up(target);
  free(source);
  free(target);
}

static void show(const char *stem, const char *ending, int to) {
  char block[65536], *path = joined(stem, ending);
  int fd = open(path, O_RDONLY);
  if (fd < 0) give_up(path);
  for (ssize_t length; (length = read(fd, block, sizeof block)) > 0;)
    for (ssize_t done = 0, step; done < length; done += step)
      if ((step = write(to, block + done, (size_t)(length - done))) <= 0) give_up("write");
  close(fd);
  free(path);
}

int main(int argc, char **argv) {
  char *clang = getenv("HGRD_ONCE_CLANG"), *folder = getenv("HGRD_ONCE");
  if (!clang || !folder) {
    errno = EINVAL;
    give_up("HGRD_ONCE and HGRD_ONCE_CLANG are wanted");
  }
  argv[0] = clang;
  if (!is_simple(argc, argv)) {
    execv(clang, argv);
    give_up(clang);
  }
  XXH128_hash_t hash = question(argc, argv, folder);
  char *stem, *fresh;
  if (asprintf(&stem, "%s/.once/%016llx%016llx", folder, (unsigned long long)hash.high64,
               (unsigned long long)hash.low64) < 0 ||
      asprintf(&fresh, "%s.%ld", stem, (long)getpid()) < 0)
    give_up("asprintf");
  char *status_path = joined(stem, ".status");
  FILE *file = fopen(status_path, "r");
  int status;
  if (!file) {
    status = ask(clang, argv, fresh);
    dprintf(to_file(fresh, ".status"), "%d\n", status);
    keep(fresh, stem, ".out");
    keep(fresh, stem, ".err");
    keep(fresh, stem, ".status"); // last: it says that the others are there
  } else if (fscanf(file, "%d", &status) != 1) {
    give_up(status_path);
  }
  show(stem, ".err", STDERR_FILENO);
  show(stem, ".out", STDOUT_FILENO);
  return status;
}
