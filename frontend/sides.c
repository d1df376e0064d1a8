// How are the host and the device side worked on at once? The device side gets a thread of its own with a
// large stack, as passes of LLVM recurse along what they read; the caller's thread does the host side. The
// two share nothing but what neither changes, and the table of strings, which has a lock: each has its
// context of LLVM, its messages and its arenas. Where no thread is to be had, one follows the other.
// Soundness: the answer does not depend on who is first, since messages are kept per side and are put
// together in a fixed order by side_close.
// SPDX-License-Identifier: Apache-2.0
#define _XOPEN_SOURCE 700 // sigaltstack
#include "frontend/internal.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

enum { STACK_BYTES = 256 << 20, HANDLER_STACK_BYTES = 64 << 10 };

void side_open(Side *side, Arena *owner) {
  *side = (Side){.scratch = arena_open(), .results = arena_open_within(owner)};
  side->sink = diag_sink_make(side->scratch);
  side->messages.arena = side->scratch;
}

void side_start(Side *side) {
  if (!side->context) side->context = bitcode_context_open(&side->messages);
}

void side_close(Side *side, bool is_left, DiagSink *sink) {
  for (uint32_t i = 0; i < side->sink->diags.count; i++)
    diag_pass_on(sink, &side->sink->diags.items[i]);
  if (side->context && is_left) LLVMContextSetDiagnosticHandler(side->context, NULL, NULL);
  if (side->context && !is_left) LLVMContextDispose(side->context);
  arena_close(side->scratch);
}

typedef struct Job {
  SideWork work;
  void *context;
} Job;

static void *device_main(void *context) {
  const Job *job = context;
  stack_t stack = {.ss_sp = malloc(HANDLER_STACK_BYTES), .ss_size = HANDLER_STACK_BYTES};
  if (stack.ss_sp) sigaltstack(&stack, NULL); // a handler of crashes needs one where the stack is full
  job->work(job->context, true);
  sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
  free(stack.ss_sp);
  return NULL;
}

void on_both_sides(SideWork work, void *context) {
  Job job = {work, context};
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, STACK_BYTES);
  bool is_parallel = pthread_create(&thread, &attributes, device_main, &job) == 0;
  pthread_attr_destroy(&attributes);
  work(context, false);
  if (is_parallel)
    pthread_join(thread, NULL);
  else
    work(context, true);
}
