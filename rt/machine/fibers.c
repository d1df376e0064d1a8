// How does one host thread run many threads of a kernel? Each has a stack; a switch saves the registers that a called function must keep
// and takes the stack pointer of the other. Stacks are mapped, with a page below that may not be touched, and are kept for later
// threads: of a block without barriers all threads run on one.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "rt/machine/internal.h"
#include "rt/machine/state.h"
#include "rt/contract.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// The tops of the stacks are lines of the cache apart, each by a number of them that is odd: what is where mappings begin falls together.
enum {
  STACK_BYTES = 384 << 10,
  GUARD_BYTES = 4096,
  GUARDED_MOST = 16384,
  SHIFT_BYTES = 9 * 64,
  SHIFTS = 256
};

#if defined(__x86_64__)
__asm__(".text\n"
        ".globl hgrd_fiber_switch\n"
        ".type hgrd_fiber_switch,@function\n"
        "hgrd_fiber_switch:\n"
        "  pushq %rbp\n  pushq %rbx\n  pushq %r12\n  pushq %r13\n  pushq %r14\n  pushq %r15\n"
        "  movq %rsp, (%rdi)\n"
        "  movq %rsi, %rsp\n"
        "  popq %r15\n  popq %r14\n  popq %r13\n  popq %r12\n  popq %rbx\n  popq %rbp\n"
        "  ret\n"
        ".size hgrd_fiber_switch,.-hgrd_fiber_switch\n");
enum { SAVED_WORDS = 6 };
static void *first_frame(unsigned char *high, void (*body)(void)) {
  uint64_t *top = (uint64_t *)(void *)high - 1; // as if called: 8 bytes off 16
  *top = 0;
  *--top = (uint64_t)(uintptr_t)body;
  for (int i = 0; i < SAVED_WORDS; i++)
    *--top = 0;
  return top;
}
#elif defined(__aarch64__)
__asm__(".text\n"
        ".globl hgrd_fiber_switch\n"
        ".type hgrd_fiber_switch,%function\n"
        "hgrd_fiber_switch:\n"
        "  sub sp, sp, #160\n"
        "  stp x19, x20, [sp, #0]\n  stp x21, x22, [sp, #16]\n  stp x23, x24, [sp, #32]\n  stp x25, x26, "
        "[sp, #48]\n"
        "  stp x27, x28, [sp, #64]\n  stp x29, x30, [sp, #80]\n  stp d8, d9, [sp, #96]\n  stp d10, d11, [sp, "
        "#112]\n"
        "  stp d12, d13, [sp, #128]\n  stp d14, d15, [sp, #144]\n"
        "  mov x9, sp\n  str x9, [x0]\n  mov sp, x1\n"
        "  ldp x19, x20, [sp, #0]\n  ldp x21, x22, [sp, #16]\n  ldp x23, x24, [sp, #32]\n  ldp x25, x26, "
        "[sp, #48]\n"
        "  ldp x27, x28, [sp, #64]\n  ldp x29, x30, [sp, #80]\n  ldp d8, d9, [sp, #96]\n  ldp d10, d11, [sp, "
        "#112]\n"
        "  ldp d12, d13, [sp, #128]\n  ldp d14, d15, [sp, #144]\n"
        "  add sp, sp, #160\n  ret\n"
        ".size hgrd_fiber_switch,.-hgrd_fiber_switch\n");
enum { FRAME_WORDS = 20, LINK_WORD = 11 };
static void *first_frame(unsigned char *high, void (*body)(void)) {
  uint64_t *frame = (uint64_t *)(void *)high - FRAME_WORDS;
  memset(frame, 0, FRAME_WORDS * sizeof *frame);
  frame[LINK_WORD] = (uint64_t)(uintptr_t)body;
  return frame;
}
#else
#error "write a switch of stacks for this processor"
#endif

extern void hgrd_fiber_switch(void **from, void *to);

void fiber_switch(void **from, void *to) {
  RT_ASSERT(from && to);
  hgrd_fiber_switch(from, to);
}

static Fiber *make(void) {
  unsigned char *low =
      mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (low == MAP_FAILED) return NULL;
  Fiber *fiber = malloc(sizeof *fiber);
  if (!fiber) {
    munmap(low, STACK_BYTES);
    return NULL;
  }
  // Each guard is a mapping of its own, of which a process may have some ten thousands.
  if (machine_fibers.count++ < GUARDED_MOST) (void)mprotect(low, GUARD_BYTES, PROT_NONE);
  uint32_t shift = machine_fibers.count % SHIFTS * SHIFT_BYTES;
  *fiber = (Fiber){.low = low, .high = low + STACK_BYTES - shift};
  return fiber;
}

Fiber *fiber_take(void (*body)(void)) {
  RT_ASSERT(body);
  Fiber *fiber = machine_fibers.free;
  if (fiber)
    machine_fibers.free = fiber->next;
  else
    fiber = make();
  if (fiber) fiber->stack_pointer = first_frame(fiber->high, body);
  return fiber;
}

void fiber_give(Fiber *fiber) {
  RT_ASSERT(fiber);
  fiber->next = machine_fibers.free;
  machine_fibers.free = fiber;
}
