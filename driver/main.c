// hgrd-check: reads the command line, runs the pipeline, turns its answer into an exit status.
//
// The pipeline runs on a thread with a large stack, because syntax and expressions are walked recursively and
// inputs may be deep. What goes wrong in the program itself ends in one message and status 4: through the bug
// hook, or, for signals such as SIGSEGV, through a handler that only writes and leaves.
//
// Soundness: no way out of here says "clean" but a pipeline that came to its end.
// SPDX-License-Identifier: Apache-2.0
#include "driver/completion.h"
#include "core/bug.h"
#include "driver/crash.h"
#include "driver/options.h"
#include "driver/pipeline.h"
#include "driver/project.h"
#include "driver/version.h"
#include "core/vec.h"
#include "lsp/lsp.h"
#include "report/report.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

enum { MAIN_STACK_BYTES = 256 << 20 };

typedef struct MainRun {
  const Options *options;
  sigset_t signals; // mask of the thread that runs the pipeline
  ExitStatus status;
} MainRun;

static void *pipeline_main(void *context) {
  MainRun *run = context;
  crash_guard_thread();
  pthread_sigmask(SIG_SETMASK, &run->signals, NULL);
  run->status = pipeline_run(run->options);
  return NULL;
}

// The first thread only waits. It must not be the one that gets an interrupt, or the process would end at
// once while the pipeline (driver/workers.c) is prepared to report what it knows.
static void block_interrupts(sigset_t *before) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, before);
}

static ExitStatus run_on_large_stack(const Options *options) {
  MainRun run = {.options = options, .status = STATUS_INTERNAL};
  block_interrupts(&run.signals);
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, MAIN_STACK_BYTES);
  if (pthread_create(&thread, &attributes, pipeline_main, &run) == 0)
    pthread_join(thread, NULL);
  else
    pipeline_main(&run); // a tight memory limit refuses the stack: ours has to do
  pthread_attr_destroy(&attributes);
  return run.status;
}

// Each question to the solver opens a context of 16 MiB: between two of them, memory stays with the process.
static void keep_freed_memory(void) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
#endif
}

static ExitStatus print_text(const StrBuf *text) {
  bool is_printed = fputs(strbuf_text(text), stdout) >= 0 && fflush(stdout) == 0;
  return is_printed ? STATUS_CLEAN : STATUS_INPUT;
}

// What the command line says besides counts for every check.
static ExitStatus serve_editor(char **argv, Arena *arena) {
  VEC(const char *) flags = {0};
  for (char **at = argv + 1; *at; at++)
    if (strcmp(*at, "--lsp") != 0 && strcmp(*at, "--stdio") != 0) vec_push(arena, &flags, *at);
  LspOptions lsp = {.input = STDIN_FILENO,
                    .output = STDOUT_FILENO,
                    .program = "/proc/self/exe", // as it was started, whatever lies there now
                    .version = HGRD_VERSION,
                    .flag_count = flags.count,
                    .flags = flags.items};
  return lsp_run(&lsp) == 0 ? STATUS_CLEAN : STATUS_FINDINGS;
}

static ExitStatus act(const Options *options, char **argv, Arena *arena) {
  StrBuf text = {.arena = arena};
  switch (options->action) {
  case ACTION_HELP: options_print_help(&text); return print_text(&text);
  case ACTION_VERSION: version_print(&text); return print_text(&text);
  case ACTION_LIST: report_explain_list(&text); return print_text(&text);
  case ACTION_DUMP_CONFIG: project_print(options, &text); return print_text(&text);
  case ACTION_COMPLETION: completion_print(options->shell, &text); return print_text(&text);
  case ACTION_EXPLAIN:
    if (options->explained)
      report_explain_cause(options->explained, &text);
    else
      strbuf_add(&text, report_explain(options->explain));
    return print_text(&text);
  case ACTION_LSP: return serve_editor(argv, arena);
  case ACTION_CHECK:
  case ACTION_COMPILE:
  case ACTION_CACHE_STATS:
  case ACTION_MERGE:
  case ACTION_PRECOMPILE: break;
  }
  return run_on_large_stack(options);
}

static ExitStatus refuse(const char *error) {
  fprintf(stderr, "hgrd-check: error: %s\n", error);
  return STATUS_INPUT;
}

int main(int argc, char **argv) {
  ASSERT(argv);
  crash_guard_process();
  keep_freed_memory();
  Arena *arena = arena_open();
  Options options;
  const char *error;
  ExitStatus status =
      options_parse(argc, argv, arena, &options, &error) ? act(&options, argv, arena) : refuse(error);
  arena_close(arena);
  return (int)status;
}
