// Host code as text, scanned, for tests of what hostscan finds out about its launches: those of one kernel `k`, by a
// function `launch` that the text calls.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_TESTS_UNIT_HOST_TEXT_H
#define HGRD_TESTS_UNIT_HOST_TEXT_H

#include "hostscan/hostscan.h"
#include "tests/unit/check.h"

typedef struct Fixture {
  Arena *arena;
  StrTable *strings;
  DiagSink *sink;
  const IrModule *device;
} Fixture;

static const char device_text[] =
    "module device \"p.cu\" arch 80\n"
    "loc @1 \"p.cu\":1:1 in \"k\"\n"
    "func void &k(ptr %a, i32 %n, ptr %s byval 16) kernel external max_threads 256 @1 {\n"
    "^entry:\n"
    "  %t0 = load i32 %s\n"
    "  %t1 = ptradd ptr %s, 8:i64\n"
    "  %t2 = load ptr %t1\n"
    "  %t3 = sreg tid.x i32\n"
    "  %t4 = sreg ctaid.x i32\n"
    "  ret\n"
    "}\n";

// The end of a stub's text: it hands the array `%args` of addresses to the runtime.
#define STUB_LAUNCH(name)                                                                                    \
  "  %r = call i32 cudaLaunchKernel(&__device_stub__" name ", 0:i64, 0, 0:i64, 0, %args, 0:i64, null:ptr)\n" \
  "  ret\n}\n"
#define STUB_RUNTIME                                                                                         \
  "func i32 &cudaLaunchKernel(ptr %a, i64 %b, i32 %c, i64 %d, i32 %e, ptr %f, i64 %g, ptr %h) external "     \
  "declare\n"

static const char stubs_text[] =
    "func void &__device_stub__k(ptr %a, i32 %n, i64 %s0, ptr %s1) external {\n^entry:\n"
    "  %v0 = alloca ptr size 8\n  store ptr %v0, %a\n"
    "  %v1 = alloca ptr size 4\n  store i32 %v1, %n\n"
    "  %v2 = alloca ptr size 16\n  store i64 %v2, %s0\n  %high = ptradd ptr %v2, 8:i64\n  store ptr %high, "
    "%s1\n"
    "  %args = alloca ptr size 24\n  store ptr %args, %v0\n"
    "  %a1 = ptradd ptr %args, 8:i64\n  store ptr %a1, %v1\n"
    "  %a2 = ptradd ptr %args, 16:i64\n  store ptr %a2, %v2\n" STUB_LAUNCH("k") STUB_RUNTIME
    "func i32 &__cudaPushCallConfiguration(i64 %a, i32 %b, i64 %c, i32 %d, i64 %e, ptr %f) external "
    "declare\n";

// A function that launches with its parameter.
static const char launcher_text[] =
    "func void &launch(ptr %a, i32 %n) {\n"
    "^entry:\n"
    "  %t0 = zext i64 %n\n"
    "  %t1 = or i64 %t0, 4294967296:i64\n"
    "  %t2 = call i32 __cudaPushCallConfiguration(%t1, 1, 4294967328:i64, 1, 64:i64, null:ptr)\n"
    "  %t3 = icmp ne i32 %t2, 0\n"
    "  condbr %t3, ^end, ^go\n"
    "^go:\n"
    "  call void __device_stub__k(%a, %n, %t0, %a) @5\n"
    "  br ^end\n"
    "^end:\n"
    "  ret\n"
    "}\n";

static inline Fixture fixture_open(void) {
  Fixture f = {.arena = arena_open()};
  f.strings = str_table_make(f.arena);
  f.sink = diag_sink_make(f.arena);
  f.device = ir_read(f.arena, f.strings, "device.ir", device_text, f.sink);
  return f;
}

static inline HostScanResult *scan(Fixture *f, const char *functions, HostScanOptions options) {
  const char *text = arena_printf(
      f->arena,
      "module host \"p.cu\"\nloc @1 \"p.cu\":10:1 in \"main\"\nloc @2 \"p.cu\":11:1 in \"main\"\n"
      "loc @3 \"p.cu\":12:1 in \"main\"\nloc @4 \"p.cu\":5:3 in \"launch\" at \"p.cu\":13:1 in \"main\"\n"
      "loc @5 \"p.cu\":5:3 in \"launch\"\n%s%s%s",
      launcher_text, functions, stubs_text);
  IrModule *module = ir_read(f->arena, f->strings, "host.ir", text, f->sink);
  if (!CHECK(module && f->device && ir_verify(module, f->sink))) {
    fprintf(stderr, "%u: %s\n", f->sink->diags.items[0].loc.line, f->sink->diags.items[0].message);
    return NULL;
  }
  return hostscan_run(module, 1, &f->device, &options, f->arena, f->sink);
}

static inline const char *shown(Fixture *f, const HostScanResult *result, uint32_t index) {
  StrBuf out = {.arena = f->arena};
  hostscan_print(result->pool, result->launches.items[index], &out);
  return strbuf_text(&out);
}

#endif
