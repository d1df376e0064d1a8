// How is another program run, with our streams or with none? One call starts it and waits until it has ended and nobody writes to its
// streams any more.
// SPDX-License-Identifier: Apache-2.0
#include "core/process.h"
#include "core/bug.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void read_all(int from, StrBuf *output) {
  char bytes[4096];
  for (ssize_t got; (got = read(from, bytes, sizeof bytes)) != 0;) {
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) break;
    if (output->length < PROCESS_OUTPUT_MOST) strbuf_add_n(output, bytes, (size_t)got);
  }
}

static ProcessResult wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return (ProcessResult){.status = -1, .start_error = errno};
  if (WIFSIGNALED(status)) return (ProcessResult){.status = -1, .signal = WTERMSIG(status)};
  return (ProcessResult){.status = WEXITSTATUS(status)};
}

const char *process_beside(const char *name, Arena *arena) {
  ASSERT(name);
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  path[length > 0 ? length : 0] = '\0';
  char *slash = strrchr(path, '/');
  for (; slash && str_starts_with(name, "../"); name += strlen("../")) {
    *slash = '\0';
    slash = strrchr(path, '/');
  }
  return slash ? arena_printf(arena, "%.*s/%s", (int)(slash - path), path, name) : NULL;
}

const char *process_part(const char *name, int mode, Arena *arena) {
  ASSERT(name);
  const char *const places[] = {name, arena_printf(arena, "../lib/hgrd/%s", name)};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    const char *path = process_beside(places[i], arena);
    if (path && access(path, mode) == 0) return path;
  }
  return NULL;
}

ProcessResult process_run(const char *const *argv, const char *const *environment, StrBuf *output) {
  ASSERT(argv && argv[0]);
  int ends[2] = {-1, -1};
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t usual;
  pid_t child;
  if (output && pipe(ends) != 0) return (ProcessResult){.status = -1, .start_error = errno};
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  sigemptyset(&usual);
  sigaddset(&usual, SIGINT); // which we leave to it
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  if (output) {
    if (access("/dev/null", R_OK) == 0) // a bare folder as root has none
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
  }
  char *const *given = environment ? (char *const *)(uintptr_t)environment : environ;
  int error = posix_spawnp(&child, argv[0], &actions, &attributes, (char *const *)(uintptr_t)argv, given);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (output) close(ends[1]);
  if (output && error == 0) read_all(ends[0], output);
  if (output) close(ends[0]);
  return error ? (ProcessResult){.status = -1, .start_error = error} : wait_for(child);
}
