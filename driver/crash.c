// What does the user see when the program itself is wrong?
//
// One line that says so, where, and what to do. BUG() comes through the hook; crashes of ours or of a library
// come as signals, whose handler uses nothing but write and _exit. Under the sanitizers their own reports are
// better.
//
// Soundness: the status is 4, which no caller can take for an answer about a kernel.
// SPDX-License-Identifier: Apache-2.0
#define _XOPEN_SOURCE 700 // beyond plain POSIX: sigaltstack, realpath
#include "driver/crash.h"
#include "driver/options.h"
#include "core/bug.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REQUEST                                                                                              \
  "hgrd-check: this is a mistake in hgrd-check, not in your program; please report it with the input\n"

static void report_bug(const char *file, int line, const char *message) {
  char text[2000];
  int length =
      snprintf(text, sizeof text, "hgrd-check: internal error: %s:%d: %s\n" REQUEST, file, line, message);
  size_t count = length < (int)sizeof text ? (size_t)length : sizeof text - 1;
  if (length > 0 && write(STDERR_FILENO, text, count) < 0) _exit(STATUS_INTERNAL);
  _exit(STATUS_INTERNAL);
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define HAS_SANITIZER 1
#endif

#ifdef HAS_SANITIZER
static void guard_signals(void) {}
void crash_guard_thread(void) {}
#else

static void put(const char *text) {
  if (write(STDERR_FILENO, text, strlen(text)) < 0) return;
}

static void on_crash(int number) {
  put("hgrd-check: internal error: ");
  put(number == SIGSEGV   ? "invalid memory access, or the stack is full"
      : number == SIGABRT ? "aborted"
      : number == SIGFPE  ? "arithmetic exception"
                          : "crash");
  put("\n" REQUEST);
  _exit(STATUS_INTERNAL);
}

static void guard_signals(void) {
  static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK};
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
    sigaction(signals[i], &action, NULL);
  crash_guard_thread();
}

enum { HANDLER_STACK_BYTES = 64 << 10 };

// Never given back: threads end with the process, or are few.
void crash_guard_thread(void) {
  stack_t stack = {.ss_sp = malloc(HANDLER_STACK_BYTES), .ss_size = HANDLER_STACK_BYTES};
  if (stack.ss_sp) sigaltstack(&stack, NULL);
}
#endif

void crash_guard_process(void) {
  bug_set_hook(report_bug);
  guard_signals();
}
