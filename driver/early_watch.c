// What does a user see who interrupts the front end, or whose time is over in it? Compilers run, or LLVM
// works on a module, and neither can be asked to stop. So a thread waits for the signal or the end of the
// time, writes the report of a run that has checked nothing, and ends the process; the compilers die with it.
// Signals are blocked in every other thread and in the compilers, which would otherwise be told as failures
// first. Behind the front end, workers.c waits for signals itself.
//
// Soundness: that report has no kernel in it, and its status is never that of a clean run.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE // sigtimedwait
#include "driver/early_watch.h"
#include "core/bug.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct EarlyWatch {
  pthread_t thread;
  pthread_mutex_t mutex; // guards what follows
  bool is_over, is_taken;
  double deadline;
  sigset_t signals, before;
  int (*report)(void *context, bool is_out_of_time);
  void *context;
};

// Seconds; at least 0.
static double time_left(double deadline) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  double left = deadline - (double)now.tv_sec - (double)now.tv_nsec * 1e-9;
  return left > 0 ? left : 0;
}

// The number of the signal; 0: the time is over.
static int wait_for_event(const EarlyWatch *watch) {
  enum { LONG = 1 << 20, NANOSECONDS = 1000000000 };
  for (;;) {
    double left = watch->deadline > 0 ? time_left(watch->deadline) : LONG;
    if (left > LONG) left = LONG;
    struct timespec wait = {.tv_sec = (time_t)left,
                            .tv_nsec = (long)((left - (double)(time_t)left) * NANOSECONDS)};
    int number = sigtimedwait(&watch->signals, NULL, &wait);
    if (number > 0) return number;
    if (errno == EAGAIN && watch->deadline > 0 && time_left(watch->deadline) <= 0) return 0;
  }
}

static void *watch_main(void *context) {
  EarlyWatch *watch = context;
  int number = wait_for_event(watch);
  pthread_mutex_lock(&watch->mutex);
  watch->is_taken = !watch->is_over;
  bool is_taken = watch->is_taken;
  pthread_mutex_unlock(&watch->mutex);
  if (is_taken) _exit(watch->report(watch->context, number == 0));
  if (number) kill(getpid(), number); // for who waits next
  return NULL;
}

EarlyWatch *early_watch_begin(double deadline, int (*report)(void *context, bool is_out_of_time),
                              void *context) {
  ASSERT(report);
  ASSERT(deadline >= 0); // 0: there is none
  EarlyWatch *watch = malloc(sizeof *watch);
  if (!watch) BUG("out of memory");
  *watch = (EarlyWatch){.deadline = deadline, .report = report, .context = context};
  pthread_mutex_init(&watch->mutex, NULL);
  sigemptyset(&watch->signals);
  sigaddset(&watch->signals, SIGINT);
  sigaddset(&watch->signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &watch->signals, &watch->before);
  if (pthread_create(&watch->thread, NULL, watch_main, watch) != 0) BUG("cannot start a thread");
  return watch;
}

void early_watch_end(EarlyWatch *watch) {
  ASSERT(watch);
  if (!watch) return;
  pthread_mutex_lock(&watch->mutex);
  watch->is_over = true;
  bool is_taken = watch->is_taken;
  pthread_mutex_unlock(&watch->mutex);
  while (is_taken)
    pause();                     // the process is about to end
  pthread_cancel(watch->thread); // sigtimedwait is a cancellation point
  pthread_join(watch->thread, NULL);
  pthread_sigmask(SIG_SETMASK, &watch->before, NULL);
  pthread_mutex_destroy(&watch->mutex);
  free(watch);
}
