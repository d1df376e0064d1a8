// How are several compilers run at once, and what do they say? fork and exec with a pipe for each of output
// and errors, drained by one poll loop; results never touch the disk, so nothing is left behind however we
// end. Children get limits of time and memory, no input, and die with us. Soundness: a child that was
// killed, limited or never started has no exit status 0 and is reported by the caller.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE // pipe2, prctl, memfd_create
#include "frontend/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
  CPU_SECONDS = 300,
  MEMORY_MIB = 16 * 1024,
  PARALLEL_LIMIT = 16,
  EXTRA_DESCRIPTOR = 3,
  LIST_DESCRIPTOR = 4
};
#define LIST_FILE "/proc/self/fd/4"
enum { LIST_LIMIT = 16 << 20 };
enum { WALL_FACTOR = 3 }; // a child that only waits uses no processor time

// Of one child: what HGRD_CLANG_SECONDS and HGRD_CLANG_MIB say, if they are numbers.
typedef struct Limits {
  rlim_t cpu_seconds, memory_bytes;
  double wall_seconds;
  char **environment;
} Limits;

typedef struct Running {
  Process *process;
  pid_t pid;
  int output, errors, start; // read ends, -1 once closed
  int list;                  // file in memory for the names of what is read; -1: none
} Running;

typedef struct Ends {
  int pipes[3][2]; // output, errors, start
  int list;
  const char *const *argv;
} Ends;

double process_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static rlim_t limit_from(const char *variable, rlim_t otherwise) {
  const char *text = getenv(variable);
  char *end = NULL;
  long number = text ? strtol(text, &end, 10) : 0;
  return number > 0 && number < 1L << 30 && *end == '\0' ? (rlim_t)number : otherwise;
}

// A clang that is out of memory is not to start a symbolizer for its stack, whose files may stay behind. It takes tens of MiB and gives none of it
// back before its end, so that glibc gets them for it in few and large pages: a quarter of its time is page faults where these are expensive.
static const char *const for_children[] = {
    "LLVM_DISABLE_SYMBOLIZATION=1",
    "GLIBC_TUNABLES=glibc.malloc.hugetlb=1:glibc.malloc.top_pad=33554432:"
    "glibc.malloc.trim_threshold=1073741824:glibc.malloc.mmap_threshold=1073741824"};

// What the user has set stays.
static char **environment_of_children(Arena *arena) {
  enum { MORE = sizeof for_children / sizeof *for_children };
  size_t count = 0;
  while (environ[count])
    count++;
  char **copy = arena_array(arena, count + MORE + 1, char *);
  memcpy(copy, environ, count * sizeof *copy);
  for (size_t i = 0; i < MORE; i++) {
    const char *name = arena_strndup(arena, for_children[i], strcspn(for_children[i], "="));
    if (!getenv(name)) copy[count++] = arena_printf(arena, "%s", for_children[i]);
  }
  return copy;
}

static Limits limits_of_children(Arena *arena) {
  rlim_t seconds = limit_from("HGRD_CLANG_SECONDS", CPU_SECONDS);
  return (Limits){seconds, limit_from("HGRD_CLANG_MIB", MEMORY_MIB) << 20, (double)seconds * WALL_FACTOR,
                  environment_of_children(arena)};
}

// A descriptor of its own in the child, where no other one is in its way.
static void hand_down(int file, int as) {
  if (file == as)
    fcntl(as, F_SETFD, 0);
  else
    dup2(file, as);
}

static int out_of_the_way(int file) {
  return file >= 0 && file <= LIST_DESCRIPTOR ? fcntl(file, F_DUPFD_CLOEXEC, LIST_DESCRIPTOR + 1) : file;
}

// In the child: only async-signal-safe calls between fork and exec.
static _Noreturn void become(const Process *process, const Limits *limits, const Ends *ends) {
  struct rlimit cpu = {limits->cpu_seconds, limits->cpu_seconds + 5};
  struct rlimit memory = {limits->memory_bytes, limits->memory_bytes}, core = {0, 0};
  setrlimit(RLIMIT_CPU, &cpu);
  setrlimit(RLIMIT_AS, &memory);
  setrlimit(RLIMIT_CORE, &core);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  int start = out_of_the_way(ends->pipes[2][1]), list = out_of_the_way(ends->list);
  int null = open("/dev/null", O_RDONLY);
  if (null >= 0) dup2(null, STDIN_FILENO);
  dup2(ends->pipes[0][1], STDOUT_FILENO);
  dup2(ends->pipes[1][1], STDERR_FILENO);
  if (process->extra_file > 0) hand_down(process->extra_file, EXTRA_DESCRIPTOR);
  if (list >= 0) hand_down(list, LIST_DESCRIPTOR);
  execvpe(ends->argv[0], (char *const *)ends->argv, limits->environment);
  int reason = errno;
  ssize_t written = write(start, &reason, sizeof reason);
  (void)written;
  _exit(127);
}

static void close_all(Ends *ends) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 2; j++)
      if (ends->pipes[i][j] >= 0) close(ends->pipes[i][j]);
  if (ends->list >= 0) close(ends->list);
}

// The command, and that clang is to write down what it reads.
static const char *const *listing_command(const Process *process) {
  Arena *arena = process->output.arena;
  uint32_t count = 0;
  static const char *const more[] = {"-MD", "-MF", LIST_FILE};
  while (process->argv[count])
    count++;
  const char **argv = arena_array(arena, count + 4u, const char *);
  argv[0] = process->argv[0];
  memcpy(argv + 1, more, sizeof more);
  memcpy(argv + 4, process->argv + 1, (count - 1u) * sizeof *argv);
  return argv;
}

static bool open_ends(Process *process, Ends *ends) {
  *ends = (Ends){{{-1, -1}, {-1, -1}, {-1, -1}}, -1, process->argv};
  for (int i = 0; i < 3; i++)
    if (pipe2(ends->pipes[i], O_CLOEXEC) != 0) return false;
  if (process->wants_list) ends->list = memfd_create("list", MFD_CLOEXEC); // without one there is no list
  if (ends->list >= 0) ends->argv = listing_command(process);
  return true;
}

static bool start_process(Process *process, const Limits *limits, Running *running) {
  Ends ends;
  bool is_open = open_ends(process, &ends);
  process->started = process_clock();
  clock_gettime(CLOCK_REALTIME, &process->begun);
  pid_t pid = is_open ? fork() : -1;
  if (pid == 0) become(process, limits, &ends);
  if (pid < 0) {
    process->start_error = errno;
    close_all(&ends);
    return false;
  }
  for (int i = 0; i < 3; i++)
    close(ends.pipes[i][1]);
  *running = (Running){process, pid, ends.pipes[0][0], ends.pipes[1][0], ends.pipes[2][0], ends.list};
  return true;
}

// Reads what is there; closes at the end.
static void drain(int *end, StrBuf *into) {
  char buffer[65536];
  ssize_t got = read(*end, buffer, sizeof buffer);
  if (got > 0) {
    strbuf_add_n(into, buffer, (size_t)got);
  } else if (got == 0 || errno != EINTR) {
    close(*end);
    *end = -1;
  }
}

static const char *read_list(int file, Arena *arena) {
  StrBuf text = {.arena = arena};
  char buffer[65536];
  ssize_t got = lseek(file, 0, SEEK_SET) == 0 ? 1 : -1;
  while (got > 0 && text.length < LIST_LIMIT && (got = read(file, buffer, sizeof buffer)) > 0)
    strbuf_add_n(&text, buffer, (size_t)got);
  return got == 0 && text.length ? text.text : NULL;
}

static void finish(Running *running) {
  Process *process = running->process;
  if (running->list >= 0) {
    process->list = read_list(running->list, process->output.arena);
    close(running->list);
  }
  int reason = 0, status = 0;
  if (read(running->start, &reason, sizeof reason) == (ssize_t)sizeof reason) process->start_error = reason;
  close(running->start);
  pid_t got;
  do
    got = waitpid(running->pid, &status, 0);
  while (got < 0 && errno == EINTR);
  process->ended = process_clock();
  if (got < 0 || process->start_error) return;
  if (WIFEXITED(status)) process->exit_status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) process->signal = WTERMSIG(status);
}

static double deadline_of(const Process *process) {
  return process->started + process->wall_seconds;
}

// A child that waits for something that never comes uses no CPU time: it is ended by the clock.
static void end_overdue(Running *running, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (process_clock() >= deadline_of(running[i].process)) kill(running[i].pid, SIGKILL);
}

static int milliseconds_left(const Running *running, uint32_t count) {
  double least = (double)CPU_SECONDS * WALL_FACTOR;
  for (uint32_t i = 0; i < count; i++) {
    double left = deadline_of(running[i].process) - process_clock();
    if (left < least) least = left;
  }
  return least > 0 ? (int)(least * 1000) + 1 : 100; // it is dead already, and its pipes are about to close
}

static void wait_for_output(Running *running, uint32_t count) {
  struct pollfd polls[2 * PARALLEL_LIMIT];
  for (uint32_t i = 0; i < count; i++) {
    polls[2 * i] = (struct pollfd){.fd = running[i].output, .events = POLLIN};
    polls[2 * i + 1] = (struct pollfd){.fd = running[i].errors, .events = POLLIN};
  }
  end_overdue(running, count);
  if (poll(polls, 2 * count, milliseconds_left(running, count)) < 0) return;
  for (uint32_t i = 0; i < count; i++) {
    if (polls[2 * i].revents) drain(&running[i].output, &running[i].process->output);
    if (polls[2 * i + 1].revents) drain(&running[i].errors, &running[i].process->errors);
  }
}

void process_run_all(Process *processes, uint32_t count, uint32_t parallel) {
  process_run_all_told(processes, count, parallel, NULL, NULL);
}

void process_run_all_told(Process *processes, uint32_t count, uint32_t parallel,
                          void (*told)(void *context, uint32_t done, uint32_t count), void *context) {
  Running running[PARALLEL_LIMIT];
  uint32_t active = 0, next = 0;
  if (parallel > PARALLEL_LIMIT) parallel = PARALLEL_LIMIT;
  Arena *arena = arena_open();
  const Limits limits = limits_of_children(arena);
  for (uint32_t i = 0; i < count; i++) {
    if (processes[i].is_done) continue;
    processes[i].exit_status = -1;
    if (processes[i].wall_seconds <= 0) processes[i].wall_seconds = limits.wall_seconds;
  }
  while (next < count || active > 0) {
    while (next < count && active < parallel) {
      if (!processes[next].is_done && start_process(&processes[next], &limits, &running[active])) active++;
      next++;
    }
    if (active == 0) continue;
    wait_for_output(running, active);
    for (uint32_t i = 0; i < active;) {
      if (running[i].output >= 0 || running[i].errors >= 0) {
        i++;
      } else {
        finish(&running[i]);
        running[i] = running[--active];
        if (told) told(context, next - active, count);
      }
    }
  }
  arena_close(arena);
}
