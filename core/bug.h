// What happens when the program itself is wrong: one hook, so that tests can catch it and libraries never
// exit.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CORE_BUG_H
#define HGRD_CORE_BUG_H

// Called with the place and the message; must not return. The default writes both to stderr and aborts.
typedef void (*BugHook)(const char *file, int line, const char *message);

// Not for use while other threads run. NULL restores the default.
void bug_set_hook(BugHook hook);
_Noreturn void bug_raise(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#ifdef __FILE_NAME__ // without the folder that it was built in
#define BUG(...) bug_raise(__FILE_NAME__, __LINE__, __VA_ARGS__)
#else
#define BUG(...) bug_raise(__FILE__, __LINE__, __VA_ARGS__)
#endif
// What must hold for answers to be right: looked at in every build.
#define BUG_UNLESS(condition) ((condition) ? (void)0 : BUG("assertion failed: %s", #condition))
// What a contract says, for whoever reads it: looked at in the builds that check (those under the sanitizers),
// read by the compiler alone in the others, which it costs nothing.
#ifdef NDEBUG
#define ASSERT(condition) ((void)(0 && (condition)))
#else
#define ASSERT(condition) BUG_UNLESS(condition)
#endif

#endif
