// printf, assert, the heap and the memory functions of kernels. printf gets its arguments as clang packs them for a device: one behind
// the other, each aligned to its size.
// SPDX-License-Identifier: Apache-2.0
#include "rt/machine/library.h"
#include "rt/memory_map.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- printf

enum { SPEC_BYTES = 64 };

typedef struct Packed {
  const unsigned char *at;
  uint64_t offset;
} Packed;

static void take(Packed *packed, void *value, uint64_t bytes) {
  packed->offset = (packed->offset + bytes - 1) / bytes * bytes;
  memcpy(value, packed->at + packed->offset, bytes);
  packed->offset += bytes;
}

static int take_int(Packed *packed) {
  int value;
  take(packed, &value, sizeof value);
  return value;
}

// One conversion, whose text is spec, with its stars taken already.
static int print_one(Packed *packed, const char *spec, char conversion, bool is_long) {
  if (strchr("fFeEgGaA", conversion)) {
    double value;
    take(packed, &value, sizeof value);
    return printf(spec, value);
  }
  if (conversion == 's' || conversion == 'p') {
    void *value;
    take(packed, &value, sizeof value);
    return conversion == 's' ? printf(spec, value ? (const char *)value : "(null)") : printf(spec, value);
  }
  if (is_long) {
    long long value;
    take(packed, &value, sizeof value);
    return printf(spec, value);
  }
  return printf(spec, take_int(packed));
}

// From behind the percent sign to behind the conversion.
static const char *print_conversion(Packed *packed, const char *at) {
  char spec[SPEC_BYTES] = "%";
  size_t length = 1;
  bool is_long = false;
  for (; *at && !isalpha((unsigned char)*at) && length < SPEC_BYTES - 16; at++)
    if (*at == '*')
      length += (size_t)snprintf(spec + length, SPEC_BYTES - length, "%d", take_int(packed));
    else
      spec[length++] = *at;
  for (; *at && strchr("hlLqjzt", *at) && length < SPEC_BYTES - 4; at++) {
    is_long = is_long || strchr("lLqjzt", *at) != NULL;
    spec[length++] = *at;
  }
  if (!*at) return at;
  spec[length++] = *at;
  spec[length] = '\0';
  print_one(packed, spec, *at, is_long);
  return at + 1;
}

FUNCTION(int, device_vprintf, "vprintf", const char *format, const void *arguments) {
  Packed packed = {arguments, 0};
  access_step();
  for (const char *at = format; *at;) {
    if (*at != '%') {
      putchar(*at++);
    } else if (at[1] == '%') {
      putchar('%');
      at += 2;
    } else {
      at = print_conversion(&packed, at + 1);
    }
  }
  return 0;
}

// ---- ends

static void stop_here(void) {
  told_stop("stopped the launch (__trap, abort)");
  machine_stop(RT_TRAPPED);
}

FUNCTION(void, device_assertfail, "__assertfail", const char *text, const char *file, uint32_t line,
         const char *function, uint64_t size) {
  const Thread *thread = rt_machine.current;
  (void)size;
  fflush(stdout);
  fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file, line,
          function, thread->lane.block[0], thread->lane.block[1], thread->lane.block[2],
          thread->lane.thread[0], thread->lane.thread[1], thread->lane.thread[2], text);
  machine_stop(RT_ASSERTED);
}
FUNCTION(void, device_trap, "__trap", void) {
  stop_here();
}
FUNCTION(void, intrinsic_trap, "llvm.trap", void) {
  stop_here();
}
FUNCTION(void, device_abort, "abort", void) {
  stop_here();
}
FUNCTION(void, device_brkpt, "__brkpt", void) {
  access_step();
}

// ---- the heap

static void *heap_new(uint64_t bytes) {
  return rt_memory_new(RT_MEMORY_HEAP, bytes ? bytes : 1, "malloc in a kernel");
}
static void heap_drop(void *address) {
  sites_forget();
  if (address && rt_memory_drop(address, RT_MEMORY_HEAP) != RT_MEMORY_FREED) {
    told_stop("frees what is not from malloc in a kernel, or was freed before");
    machine_stop(RT_BAD_ADDRESS);
  }
}
FUNCTION(void *, device_malloc, "malloc", uint64_t bytes) {
  return heap_new(bytes);
}
FUNCTION(void *, device_calloc, "calloc", uint64_t count, uint64_t bytes) {
  return bytes && count > UINT64_MAX / bytes ? NULL : heap_new(count * bytes);
}
FUNCTION(void, device_free, "free", void *address) {
  heap_drop(address);
}
#define NEW(own, name)                                                                                       \
  FUNCTION(void *, own, name, uint64_t bytes) {                                                              \
    return heap_new(bytes);                                                                                  \
  }
#define DELETE(own, name)                                                                                    \
  FUNCTION(void, own, name, void *address) {                                                                 \
    heap_drop(address);                                                                                      \
  }
#define DELETE_SIZED(own, name)                                                                              \
  FUNCTION(void, own, name, void *address, uint64_t bytes) {                                                 \
    (void)bytes, heap_drop(address);                                                                         \
  }
NEW(device_new, "_Znwm")
NEW(device_new_array, "_Znam")
DELETE(device_delete, "_ZdlPv")
DELETE(device_delete_array, "_ZdaPv")
DELETE_SIZED(device_delete_sized, "_ZdlPvm")
DELETE_SIZED(device_delete_array_sized, "_ZdaPvm")

// ---- memory

FUNCTION(void *, device_memcpy, "memcpy", void *to, const void *from, uint64_t bytes) {
  hgrd_copy(to, from, bytes, 0, 0);
  return to;
}
FUNCTION(void *, device_memmove, "memmove", void *to, const void *from, uint64_t bytes) {
  hgrd_copy(to, from, bytes, 0, 0);
  return to;
}
FUNCTION(void *, device_memset, "memset", void *to, int byte, uint64_t bytes) {
  hgrd_fill(to, (uint32_t)byte, bytes, 0, 0);
  return to;
}
FUNCTION(int, device_memcmp, "memcmp", const void *a, const void *b, uint64_t bytes) {
  for (uint64_t i = 0; i < bytes; i++) {
    hgrd_load((const char *)a + i, 1, 0, 0, NULL);
    hgrd_load((const char *)b + i, 1, 0, 0, NULL);
  }
  return memcmp(a, b, bytes);
}
FUNCTION(uint64_t, device_strlen, "strlen", const char *text) {
  uint64_t length = strlen(text);
  for (uint64_t i = 0; i <= length; i++)
    hgrd_load(text + i, 1, 0, 0, NULL);
  return length;
}

static uint32_t is_shared(const void *address) {
  return (uintptr_t)address - (uintptr_t)rt_machine.current->block->shared < rt_machine.shared_bytes;
}
static uint32_t is_local(const void *address) {
  const Fiber *fiber = rt_machine.current->fiber;
  return (const unsigned char *)address >= fiber->low && (const unsigned char *)address < fiber->high;
}
FUNCTION(uint32_t, device_is_shared, "__isShared", const void *address) {
  return is_shared(address);
}
FUNCTION(uint32_t, device_is_local, "__isLocal", const void *address) {
  return is_local(address);
}
FUNCTION(uint32_t, device_is_global, "__isGlobal", const void *address) {
  return !is_shared(address) && !is_local(address);
}

// ---- asynchronous copies (kernel_copies.c); bulk ones to global memory are made at once

FUNCTION(void, async_copy, "__hgrd_async_copy", void *to, const void *from, uint32_t bytes) {
  copy_begin(to, from, bytes, 0);
}
FUNCTION(void, async_bulk, "__hgrd_async_bulk", void *to, const void *from, uint32_t bytes) {
  hgrd_copy(to, from, bytes, 0, 0);
}
FUNCTION(void, async_commit, "__hgrd_async_commit", void) {
  copies_commit();
}
FUNCTION(void, async_wait, "__hgrd_async_wait", int left) {
  copies_await(left > 0 ? (uint32_t)left : 0);
}
FUNCTION(void, async_commit_stage, "__hgrd_async_commit_stage", uint32_t stages) {
  (void)stages;
  copies_commit();
}
FUNCTION(void, async_wait_oldest, "__hgrd_async_wait_oldest", int left) {
  copies_await(left > 0 ? (uint32_t)left : 0);
}
FUNCTION(void, pipeline_commit, "_Z17__pipeline_commitv", void) {
  copies_commit();
}
FUNCTION(void, pipeline_wait_prior, "_Z21__pipeline_wait_priorm", uint64_t left) {
  copies_await((uint32_t)left);
}
FUNCTION(void, pipeline_memcpy_async, "_Z23__pipeline_memcpy_asyncPvPKvmm", void *to, const void *from,
         uint64_t bytes, uint64_t zeros) {
  copy_begin(to, from, bytes, zeros);
}

// PTX names shared memory by 32 bits: the lower half of its address here.
static void *shared_at(uint32_t low) {
  uint64_t base = (uint64_t)(uintptr_t)rt_machine.current->block->shared;
  return (void *)(uintptr_t)(base + (uint32_t)(low - (uint32_t)base));
}
#define ASM_COPY(own, name)                                                                                  \
  FUNCTION(void, own, "asm_cp_async_" name "_3", uint32_t to, const void *from, uint32_t bytes) {            \
    copy_begin(shared_at(to), from, bytes, 0);                                                               \
  }                                                                                                          \
  FUNCTION(void, own##_zeros, "asm_cp_async_" name "_4", uint32_t to, const void *from, uint32_t bytes,      \
           uint32_t read) {                                                                                  \
    copy_begin(shared_at(to), from, bytes, read < bytes ? bytes - read : 0);                                 \
  }
ASM_COPY(asm_copy_ca, "ca_shared_global")
ASM_COPY(asm_copy_cg, "cg_shared_global")
ASM_COPY(asm_copy_ca_128, "ca_shared_global_L2_128B")
ASM_COPY(asm_copy_cg_128, "cg_shared_global_L2_128B")
ASM_COPY(asm_copy_ca_256, "ca_shared_global_L2_256B")
ASM_COPY(asm_copy_cg_256, "cg_shared_global_L2_256B")
FUNCTION(void, asm_commit, "asm_cp_async_commit_group_0", void) {
  copies_commit();
}
FUNCTION(void, asm_wait_group, "asm_cp_async_wait_group_1", uint32_t left) {
  copies_await(left);
}
FUNCTION(void, asm_wait_all, "asm_cp_async_wait_all_0", void) {
  copies_await_all();
}
