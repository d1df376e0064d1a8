// What if a kernel touches what is no memory? The fault is caught on a stack of its own, told with kernel, thread and the last access that
// was seen, and the launch ends with an error, as on a device. Faults of the host side are none of ours.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "rt/machine/internal.h"
#include "rt/machine/state.h"

#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>

enum { OWN_STACK = 64 << 10 };

static void resume_in_scheduler(void) {
  machine_stop(RT_BAD_ADDRESS);
}

static void on_fault(int number, siginfo_t *info, void *context) {
  (void)info, (void)context;
  if (!rt_machine.current) {
    signal(number, SIG_DFL); // it comes again when we return
    return;
  }
  told_fault(number == SIGFPE   ? "divides an integer by zero, here or soon after"
             : number == SIGILL ? "comes to where it cannot go on, here or soon after"
                                : "accesses what is no memory, here or soon after");
  sigset_t mask;
  sigemptyset(&mask);
  sigaddset(&mask, number);
  sigprocmask(SIG_UNBLOCK, &mask, NULL);
  resume_in_scheduler(); // the stack of the fault is left as it is: nobody goes on there
}

void crash_watch(bool is_on) {
  if (!machine_guard.stack) machine_guard.stack = malloc(OWN_STACK);
  if (!machine_guard.stack) return;
  if (!is_on) {
    sigaction(SIGSEGV, &machine_guard.segv, NULL), sigaction(SIGBUS, &machine_guard.bus, NULL);
    sigaction(SIGFPE, &machine_guard.fpe, NULL), sigaction(SIGILL, &machine_guard.ill, NULL);
    sigaltstack(&machine_guard.before, NULL);
    return;
  }
  stack_t own = {.ss_sp = machine_guard.stack, .ss_size = OWN_STACK};
  struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigaltstack(&own, &machine_guard.before);
  sigaction(SIGSEGV, &action, &machine_guard.segv), sigaction(SIGBUS, &action, &machine_guard.bus);
  sigaction(SIGFPE, &action, &machine_guard.fpe), sigaction(SIGILL, &action, &machine_guard.ill);
}
