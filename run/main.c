// hgrd-run: builds the user's CUDA program for this machine's processor and executes it under a race detector. What is built lies in a
// private folder that goes when the run is over, or is stopped.
// SPDX-License-Identifier: Apache-2.0
#include "run/internal.h"
#include "core/bug.h"

#include <errno.h>
#include <ftw.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STATUS_DONE = 0, STATUS_REFUSED = 2, STATUS_SIGNAL = 128 };

static int remove_one(const char *path, const struct stat *status, int flag, struct FTW *walk) {
  (void)status, (void)flag, (void)walk;
  return remove(path);
}

static void print_diags(const DiagSink *sink, bool is_verbose) {
  static const char *const names[] = {"note", "warning", "error"};
  for (uint32_t i = 0; i < sink->diags.count; i++) {
    const Diag *diag = &sink->diags.items[i];
    if (diag->severity == DIAG_NOTE && !is_verbose) continue;
    if (diag->loc.file)
      fprintf(stderr, "%s:%u:%u: %s: %s\n", diag->loc.file, diag->loc.line, diag->loc.column,
              names[diag->severity], diag->message);
    else
      fprintf(stderr, "hgrd-run: %s: %s\n", names[diag->severity], diag->message);
    if (diag->detail) fprintf(stderr, "%s%s", diag->detail, str_ends_with(diag->detail, "\n") ? "" : "\n");
  }
}

static int build_and_run(const RunOptions *options, const char *folder, Arena *arena) {
  DiagSink *sink = diag_sink_make(arena);
  bool is_kept = options->action == RUN_ACTION_BUILD;
  const char *out = !is_kept       ? arena_printf(arena, "%s/program", folder)
                    : options->out ? options->out
                                   : "a.out";
  bool is_built = build_program(options, folder, out, arena, sink);
  print_diags(sink, options->is_verbose);
  if (!is_built) return STATUS_REFUSED;
  return is_kept ? STATUS_DONE : start_program(options, out, folder, arena);
}

// ---- being stopped
static void find_stops(sigset_t *stops) {
  sigemptyset(stops);
  sigaddset(stops, SIGTERM);
  sigaddset(stops, SIGHUP);
}

// The program ends with its parent (rt/machine/run_launch.c).
static void *wait_for_stop(void *folder) {
  sigset_t stops;
  int number = 0;
  find_stops(&stops);
  while (sigwait(&stops, &number) != 0) {
  }
  (void)nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
  _exit(STATUS_SIGNAL + number);
}

// False: nobody waits, and a signal does what it does.
static bool watch_for_stop(char *folder) {
  sigset_t stops, before;
  pthread_t thread;
  find_stops(&stops);
  pthread_sigmask(SIG_BLOCK, &stops, &before);
  bool is_watched = pthread_create(&thread, NULL, wait_for_stop, folder) == 0;
  if (is_watched)
    pthread_detach(thread);
  else
    pthread_sigmask(SIG_SETMASK, &before, NULL);
  return is_watched;
}

static int act(const RunOptions *options, Arena *arena) {
  const char *base = getenv("TMPDIR");
  char *folder = arena_printf(arena, "%s/hgrd-run.XXXXXX", base && *base ? base : "/tmp");
  if (!mkdtemp(folder)) {
    fprintf(stderr, "hgrd-run: error: no folder can be made in %s (%s): set TMPDIR\n",
            base && *base ? base : "/tmp", strerror(errno));
    return STATUS_REFUSED;
  }
  signal(SIGINT, SIG_IGN); // the program gets it too; the folder is to go
  if (!watch_for_stop(folder)) fprintf(stderr, "hgrd-run: note: if it is stopped, %s stays there\n", folder);
  int status = build_and_run(options, folder, arena);
  (void)nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
  return status;
}

int main(int argc, char **argv) {
  ASSERT(argv);
  Arena *arena = arena_open();
  RunOptions options;
  const char *error = NULL;
  StrBuf text = {.arena = arena};
  int status = STATUS_DONE;
  if (!run_options_parse(argc, argv, arena, &options, &error)) {
    fprintf(stderr, "hgrd-run: error: %s\n", error);
    status = STATUS_REFUSED;
  } else if (options.action == RUN_ACTION_HELP || options.action == RUN_ACTION_VERSION) {
    if (options.action == RUN_ACTION_HELP)
      run_options_help(&text);
    else
      run_version(&text);
    status = fputs(strbuf_text(&text), stdout) >= 0 && fflush(stdout) == 0 ? STATUS_DONE : STATUS_REFUSED;
  } else {
    status = act(&options, arena);
  }
  arena_close(arena);
  return status;
}
