// Does CUDA source come out as the IR that it means? Small kernels go through the whole front end; then the
// IR is asked for the operations, flags, scopes and names that the source promises, and ir_verify for its
// form.
// SPDX-License-Identifier: Apache-2.0
#define _DEFAULT_SOURCE // mkdtemp
#include "frontend/frontend.h"
#include "tests/unit/check.h"

#include <stdlib.h>
#include <unistd.h>

typedef struct Loaded {
  Arena *arena;
  DiagSink *sink;
  Program program;
  bool is_loaded;
  char dir[64];
} Loaded;

static const char *write_file(Arena *arena, const char *dir, const char *name, const char *text) {
  const char *path = arena_printf(arena, "%s/%s", dir, name);
  FILE *file = fopen(path, "w");
  if (CHECK(file != NULL)) {
    fputs(text, file);
    fclose(file);
  }
  return path;
}

static Loaded load_source(const char *name, const char *text) {
  Loaded loaded = {.arena = arena_open(), .dir = "/tmp/hgrd-test-XXXXXX"};
  loaded.sink = diag_sink_make(loaded.arena);
  CHECK(mkdtemp(loaded.dir) != NULL);
  const char *path = write_file(loaded.arena, loaded.dir, name, text);
  FrontendOptions options = {0};
  loaded.is_loaded = frontend_load(&options, 1, &path, loaded.arena, str_table_make(loaded.arena),
                                   loaded.sink, &loaded.program);
  CHECK(loaded.is_loaded);
  for (uint32_t i = 0; i < loaded.sink->diags.count; i++)
    fprintf(stderr, "%s\n%s\n", loaded.sink->diags.items[i].message,
            loaded.sink->diags.items[i].detail ? loaded.sink->diags.items[i].detail : "");
  for (uint32_t i = 0; loaded.is_loaded && i < loaded.program.units.count; i++) {
    const FrontendUnit *unit = &loaded.program.units.items[i];
    if (unit->device) CHECK(ir_verify(unit->device, loaded.sink));
    if (unit->host) CHECK(ir_verify(unit->host, loaded.sink));
  }
  unlink(path);
  rmdir(loaded.dir);
  return loaded;
}

static const IrModule *device_of(const Loaded *loaded) {
  return loaded->is_loaded ? loaded->program.units.items[0].device : NULL;
}

static const IrModule *host_of(const Loaded *loaded) {
  return loaded->is_loaded ? loaded->program.units.items[0].host : NULL;
}

static const IrFunction *function_shown_as(const IrModule *module, const char *display) {
  for (uint32_t i = 0; module && i < module->functions.count; i++) {
    const IrFunction *function = module->functions.items[i];
    if (!function->is_declaration && strcmp(function->display, display) == 0) return function;
  }
  return NULL;
}

static uint32_t count_ops(const IrFunction *function, IrOp op) {
  uint32_t count = 0;
  for (uint32_t i = 0; function && i < function->insts.count; i++)
    count += function->insts.items[i].op == op;
  return count;
}

// The nth instruction of this operation.
static const IrInst *nth_op(const IrFunction *function, IrOp op, uint32_t n) {
  for (uint32_t i = 0; function && i < function->insts.count; i++)
    if (function->insts.items[i].op == op && n-- == 0) return &function->insts.items[i];
  return NULL;
}

static bool has_call(const IrFunction *function, const char *name) {
  for (uint32_t i = 0; function && i < function->insts.count; i++) {
    const IrInst *inst = &function->insts.items[i];
    if (inst->op == IR_CALL && inst->name && strcmp(inst->name, name) == 0) return true;
  }
  return false;
}

static uint32_t count_opaque(const IrFunction *function) {
  return count_ops(function, IR_CALL) + count_ops(function, IR_ASM) + count_ops(function, IR_UNKNOWN);
}

// ---- kernels

static void test_plain_kernel(void) {
  Loaded loaded = load_source("plain.cu", "__device__ float twice(float x) { return 2 * x; }\n"
                                          "__global__ void scale(float *out, unsigned n, int row) {\n"
                                          "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                          "  if (i < n)\n"
                                          "    out[i + row] = twice(out[i]);\n"
                                          "}\n");
  const IrModule *module = device_of(&loaded);
  const IrFunction *kernel = function_shown_as(module, "scale");
  if (CHECK(kernel != NULL)) {
    CHECK(kernel->is_kernel);
    CHECK_TEXT(kernel->name, "_Z5scalePfji");
    CHECK_TEXT(kernel->params.items[2].name, "row");
    CHECK(kernel->params.items[1].is_unsigned && !kernel->params.items[2].is_unsigned);
    CHECK(count_ops(kernel, IR_LOAD) == 1 && count_ops(kernel, IR_STORE) == 1 && count_opaque(kernel) == 0);
    CHECK(count_ops(kernel, IR_SREG) == 3);
    const IrInst *store = nth_op(kernel, IR_STORE, 0);
    const SrcLoc *loc = ir_loc(module, store->loc);
    CHECK(loc->line == 5 && strcmp(loc->function, "scale") == 0);
    const IrInst *address = ir_inst(kernel, store->ops[0]);
    CHECK(address && address->op == IR_PTRADD && (address->flags & IR_FLAG_ADDRESS));
    const IrInst *multiply = nth_op(kernel, IR_MUL, 0);
    CHECK(ir_loc(module, multiply->loc)->line == 3); // not in clang's header of built-in variables
    const IrInst *index = nth_op(kernel, IR_ADD, 0);
    CHECK_TEXT(index->name, "i");
  }
  arena_close(loaded.arena);
}

static void test_inlined_place(void) {
  Loaded loaded = load_source("inlined.cu", "__device__ void put(int *p) { *p = 1; }\n"
                                            "__global__ void k(int *p) {\n"
                                            "  put(p);\n"
                                            "}\n");
  const IrModule *module = device_of(&loaded);
  const IrFunction *kernel = function_shown_as(module, "k");
  const IrInst *store = nth_op(kernel, IR_STORE, 0);
  if (CHECK(store != NULL)) {
    const SrcLoc *loc = ir_loc(module, store->loc);
    CHECK(loc->line == 1 && strcmp(loc->function, "put") == 0);
    CHECK(loc->inlined_at && loc->inlined_at->line == 3);
    CHECK(count_opaque(kernel) == 0);
    CHECK(!function_shown_as(module, "put")); // nothing calls it any more
  }
  arena_close(loaded.arena);
}

static void test_accesses_stay(void) {
  Loaded loaded = load_source("stay.cu", "__global__ void k(int *p, int *q, int a) {\n"
                                         "  int v = 0;\n"
                                         "  if (a) v = p[0];\n"
                                         "  *q = 0;\n"
                                         "  if (a > 2) *q = 1;\n"
                                         "  if (a > 3) *q = v + p[1] + p[1];\n"
                                         "}\n");
  const IrFunction *kernel = function_shown_as(device_of(&loaded), "k");
  CHECK(count_ops(kernel, IR_LOAD) == 3 && count_ops(kernel, IR_STORE) == 3);
  CHECK(count_ops(kernel, IR_CONDBR) == 3 && count_ops(kernel, IR_SELECT) == 0);
  arena_close(loaded.arena);
}

static void test_shared_and_constants(void) {
  Loaded loaded = load_source("memory.cu", "extern __shared__ float dynamic[];\n"
                                           "__constant__ int table[2] = {5, 7};\n"
                                           "template <class T, int N> __global__ void k(T *p) {\n"
                                           "  __shared__ T tile[N];\n"
                                           "  tile[threadIdx.x] = p[threadIdx.x];\n"
                                           "  __syncthreads();\n"
                                           "  dynamic[threadIdx.x] = tile[N - 1 - threadIdx.x] * table[1];\n"
                                           "}\n"
                                           "void run(float *p) { k<float, 32><<<1, 32, 128>>>(p); }\n");
  const IrModule *module = device_of(&loaded);
  const IrFunction *kernel = function_shown_as(module, "k<float, 32>");
  const IrInst *barrier = nth_op(kernel, IR_BARRIER, 0);
  CHECK(barrier && barrier->scope == IR_SCOPE_BLOCK && barrier->imm == IR_BARRIER_SYNC);
  bool has_tile = false, has_dynamic = false, has_table = false;
  for (uint32_t i = 0; module && i < module->globals.count; i++) {
    const IrGlobal *global = &module->globals.items[i];
    if (strcmp(global->display, "tile") == 0)
      has_tile = global->space == IR_SPACE_SHARED && global->bytes == 128;
    if (strcmp(global->display, "dynamic") == 0)
      has_dynamic = global->is_dynamic_shared && global->bytes == 0;
    if (strcmp(global->display, "table") == 0)
      has_table = global->space == IR_SPACE_CONSTANT && global->data && global->data[4] == 7;
  }
  CHECK(has_tile && has_dynamic && has_table);
  arena_close(loaded.arena);
}

static void test_synchronisation(void) {
  Loaded loaded = load_source(
      "sync.cu",
      "__global__ void k(int *g, unsigned *u, float *f, volatile int *v, const int *__restrict__ r) {\n"
      "  atomicAdd(g, 1); atomicMax(u, 3u); atomicMin(g, 3); atomicAdd_block(f, 1.0f); atomicCAS(g, 1, 2);\n"
      "  __threadfence(); __syncwarp(3); v[1] = v[0]; f[1] = __ldg(r);\n"
      "  g[1] = __syncthreads_or(g[2]) + __shfl_down_sync(0xffffffffu, g[3], 2) + __any_sync(15, g[4]);\n"
      "}\n");
  const IrFunction *kernel = function_shown_as(device_of(&loaded), "k");
  CHECK(count_opaque(kernel) == 0 && count_ops(kernel, IR_ATOMICRMW) == 4);
  const IrInst *add = nth_op(kernel, IR_ATOMICRMW, 0), *max = nth_op(kernel, IR_ATOMICRMW, 1);
  const IrInst *min = nth_op(kernel, IR_ATOMICRMW, 2), *block = nth_op(kernel, IR_ATOMICRMW, 3);
  if (CHECK(add && max && min && block)) {
    CHECK(add->rmw == IR_RMW_ADD && add->order == IR_ORDER_RELAXED && add->scope == IR_SCOPE_DEVICE);
    CHECK(max->rmw == IR_RMW_UMAX && min->rmw == IR_RMW_MIN);
    CHECK(block->rmw == IR_RMW_FADD && block->scope == IR_SCOPE_BLOCK);
  }
  CHECK(count_ops(kernel, IR_CMPXCHG) == 1 && count_ops(kernel, IR_FENCE) == 1);
  CHECK(count_ops(kernel, IR_SHUFFLE) == 1 && count_ops(kernel, IR_VOTE) == 1);
  const IrInst *warp = nth_op(kernel, IR_BARRIER, 0), *any = nth_op(kernel, IR_BARRIER, 1);
  CHECK(warp && warp->scope == IR_SCOPE_WARP && any && any->imm == IR_BARRIER_REDUCE_OR);
  const IrInst *seen = nth_op(kernel, IR_LOAD, 0), *hinted = nth_op(kernel, IR_LOAD, 1);
  CHECK(seen && seen->order == IR_ORDER_VOLATILE && hinted && (hinted->flags & IR_FLAG_READONLY));
  arena_close(loaded.arena);
}

static void test_inline_assembly(void) {
  Loaded loaded = load_source(
      "asm.cu", "__global__ void k(int *g, int n) {\n"
                "  int x, lane;\n"
                "  asm volatile(\"bar.sync 0;\");\n"
                "  asm volatile(\"ld.acquire.gpu.global.s32 %0, [%1];\" : \"=r\"(x) : \"l\"(g));\n"
                "  asm volatile(\"st.release.cta.s32 [%0+4], %1;\" :: \"l\"(g), \"r\"(x));\n"
                "  asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(lane));\n"
                "  asm(\"{ .reg .u32 t; add.u32 t, %1, 1; mov.u32 %0, t; }\" : \"=r\"(x) : \"r\"(n));\n"
                "  g[lane] = x;\n"
                "  asm volatile(\"without_acquire.of [%0];\" :: \"l\"(g));\n"
                "}\n");
  const IrFunction *kernel = function_shown_as(device_of(&loaded), "k");
  const IrInst *load = nth_op(kernel, IR_LOAD, 0), *store = nth_op(kernel, IR_STORE, 0);
  CHECK(load && load->order == IR_ORDER_ACQUIRE && load->scope == IR_SCOPE_DEVICE);
  CHECK(store && store->order == IR_ORDER_RELEASE && store->scope == IR_SCOPE_BLOCK);
  CHECK(count_ops(kernel, IR_BARRIER) == 1 && count_ops(kernel, IR_PURE) == 0 &&
        count_ops(kernel, IR_ASM) == 1);
  const IrInst *lane = nth_op(kernel, IR_SREG, 0);
  CHECK(lane && lane->imm == IR_SREG_LANEID);
  arena_close(loaded.arena);
}

static void test_own_function_of_a_known_name(void) {
  Loaded loaded = load_source("own.cu", "struct Wide { long a, b; };\n"
                                        "__device__ void atomicAdd(Wide *p, long v) { p->a += v; }\n"
                                        "__global__ void k(Wide *p) { atomicAdd(p, 1); }\n");
  const IrFunction *kernel = function_shown_as(device_of(&loaded), "k");
  CHECK(count_ops(kernel, IR_ATOMICRMW) == 0 && count_ops(kernel, IR_LOAD) == 1 &&
        count_ops(kernel, IR_STORE) == 1);
  arena_close(loaded.arena);
}

static void test_stops_and_drops(void) {
  Loaded loaded = load_source("stop.cu", "#include <cassert>\n#include <cstdio>\n"
                                         "__global__ void k(int *p, int n) {\n"
                                         "  assert(n > 0);\n"
                                         "  printf(\"%d\\n\", n);\n"
                                         "  if (n == 3) __trap();\n"
                                         "  int x = 0;\n"
                                         "  switch (n) { case 1: case 2: x = 4; break; case 9: x = 5; }\n"
                                         "  p[0] = x;\n"
                                         "}\n");
  const IrFunction *kernel = function_shown_as(device_of(&loaded), "k");
  CHECK(count_opaque(kernel) == 0 && count_ops(kernel, IR_UNREACHABLE) == 2);
  const IrInst *choice = nth_op(kernel, IR_SWITCH, 0);
  CHECK(choice && choice->block_count == 4 && choice->case_values[2] == 9);
  arena_close(loaded.arena);
}

static void test_struct_parameter(void) {
  Loaded loaded = load_source(
      "struct.cu",
      "struct Odd { char tag; short three[3]; int bits : 3; double d; };\n"
      "__launch_bounds__(128, 2) __cluster_dims__(4, 2) __global__ void k(Odd by_value, Odd *out) {\n"
      "  out[threadIdx.x] = by_value; out[0].bits = 2;\n"
      "}\n");
  const IrFunction *kernel = function_shown_as(device_of(&loaded), "k");
  if (CHECK(kernel != NULL)) {
    CHECK(kernel->params.items[0].byval_bytes == 24 && kernel->params.items[0].type.kind == IR_PTR);
    CHECK(kernel->max_threads == 128 && kernel->min_blocks == 2);
    CHECK(kernel->cluster[0] == 4 && kernel->cluster[1] == 2 && kernel->cluster[2] == 1);
    CHECK(count_ops(kernel, IR_MEMCPY) == 1 && count_opaque(kernel) == 0);
  }
  arena_close(loaded.arena);
}

// ---- host

static void test_host_launch(void) {
  Loaded loaded = load_source("host.cu", "#include <cassert>\n"
                                         "namespace ns1 { __global__ void k(int *p, int n) { p[n] = n; } }\n"
                                         "static int div_up(int a, int b) { return (a + b - 1) / b; }\n"
                                         "static void run(int *p, int n) {\n"
                                         "  assert(n % 4 == 0);\n"
                                         "  ns1::k<<<div_up(n, 256), dim3(256)>>>(p, n);\n"
                                         "}\n"
                                         "int main(int argc, char **argv) {\n"
                                         "  int *p; cudaMalloc(&p, argc * sizeof(int)); run(p, argc);\n"
                                         "}\n");
  const IrFunction *main_function = function_shown_as(host_of(&loaded), "main");
  CHECK(loaded.program.has_main);
  CHECK(has_call(main_function, "__device_stub___ZN3ns11kEPii"));
  CHECK(has_call(main_function, "__cudaPushCallConfiguration"));
  CHECK(has_call(main_function, "cudaMalloc") && has_call(main_function, "__assert_fail"));
  CHECK(count_ops(main_function, IR_SDIV) == 1); // div_up is replaced by its body
  CHECK(ir_find_function(host_of(&loaded), "__device_stub___ZN3ns11kEPii") != NULL);
  CHECK(device_of(&loaded) && ir_find_function(device_of(&loaded), "_ZN3ns11kEPii") != NULL);
  arena_close(loaded.arena);
}

static void test_plain_file(void) {
  Loaded loaded = load_source("plain.cpp", "#include <cuda_runtime.h>\n"
                                           "int size() { float *p; return cudaMalloc((void **)&p, 64); }\n");
  CHECK(device_of(&loaded) == NULL && has_call(function_shown_as(host_of(&loaded), "size"), "cudaMalloc"));
  arena_close(loaded.arena);
}

static void test_lower_file(void) {
  Arena *arena = arena_open();
  DiagSink *sink = diag_sink_make(arena);
  char dir[] = "/tmp/hgrd-test-XXXXXX";
  CHECK(mkdtemp(dir) != NULL);
  const char *path = write_file(arena, dir, "odd.ll",
                                "define i24 @f(ptr %p, i24 %a, i128 %w) {\n"
                                "  %x = load i24, ptr %p\n"
                                "  %y = add i24 %x, %a\n"
                                "  %c = icmp slt i24 %y, 0\n"
                                "  %s = select i1 %c, i24 %y, i24 -1\n"
                                "  %h = lshr i128 %w, 64\n"
                                "  %t = trunc i128 %h to i24\n"
                                "  %r = sdiv i24 %s, %t\n"
                                "  store i24 %r, ptr %p\n"
                                "  ret i24 %r\n"
                                "}\n");
  IrModule *module = NULL;
  CHECK(frontend_lower_file(path, false, arena, str_table_make(arena), sink, &module));
  if (CHECK(module != NULL)) {
    CHECK(ir_verify(module, sink));
    const IrFunction *function = ir_find_function(module, "f");
    const IrInst *load = nth_op(function, IR_LOAD, 0);
    CHECK(load && load->type.bytes == 3); // not the fourth byte
    CHECK(count_ops(function, IR_ASHR) >= 2 && count_opaque(function) == 0);
  }
  CHECK(!frontend_lower_file("/nonexistent/file.bc", true, arena, str_table_make(arena), sink, &module));
  CHECK(sink->error_count == 1);
  unlink(path);
  rmdir(dir);
  arena_close(arena);
}

static void test_assembly_of_lanes(void) {
  Loaded loaded = load_source(
      "lanes.cu",
      "__global__ void k(int *g, int n) {\n"
      "  int x, y;\n"
      "  asm(\"{ .reg .u32 t; mov.u32 t, %%laneid; add.u32 %0, t, 1; }\" : \"=r\"(x));\n"
      "  asm(\"{ .reg .u32 %%r; mov.u32 %%r, %1; add.u32 %0, %%r, 1; }\" : \"=r\"(y) : \"r\"(n));\n"
      "  asm volatile(\"@p bar.sync 0;\");\n"
      "  g[x] = y;\n"
      "}\n");
  const IrFunction *kernel = function_shown_as(device_of(&loaded), "k");
  CHECK(count_ops(kernel, IR_SREG) == 1); // the first is no function of its operands: it has none
  CHECK(count_ops(kernel, IR_PURE) == 0 && count_ops(kernel, IR_UNDEF) == 0);
  CHECK(count_ops(kernel, IR_BARRIER) == 0 &&
        count_ops(kernel, IR_ASM) == 1); // under a predicate it may not happen
  arena_close(loaded.arena);
}

static void test_values_of_structs(void) {
  Loaded loaded = load_source("pair.cu", "struct Pair { int a; float b; };\n"
                                         "__device__ Pair make(int a) { Pair p = {a, 1.0f}; return p; }\n"
                                         "__global__ void k(int *g, int n) { g[make(n + 1).a] = 2; }\n");
  const IrFunction *kernel = function_shown_as(device_of(&loaded), "k");
  const IrInst *widened = nth_op(kernel, IR_SEXT, 0);
  CHECK(widened && ir_inst(kernel, widened->ops[0]) && ir_inst(kernel, widened->ops[0])->op == IR_ADD);
  arena_close(loaded.arena);
}

static void test_settled_branch(void) {
  Loaded loaded = load_source("settled.cu",
                              "__device__ void add(int *p, int mode) {\n"
                              "  switch (mode) { case 0: p[0] += 1; break; case 1: atomicAdd(p, 1); break;\n"
                              "                  default: p[1] = 3; }\n"
                              "}\n"
                              "__global__ void k(int *p) { add(p, 1); }\n");
  const IrFunction *kernel = function_shown_as(device_of(&loaded), "k");
  CHECK(count_ops(kernel, IR_ATOMICRMW) == 1 && count_ops(kernel, IR_STORE) == 0 &&
        count_ops(kernel, IR_SWITCH) == 0);
  arena_close(loaded.arena);
}

static void test_recursion(void) {
  Loaded loaded =
      load_source("fib.cu", "__device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }\n"
                            "__global__ void k(int *p) { p[0] = fib(p[1]); }\n");
  CHECK(has_call(function_shown_as(device_of(&loaded), "k"), "_Z3fibi"));
  arena_close(loaded.arena);
}

static void test_vector_size(void) {
  Loaded loaded = load_source("vector.cu", "#include <vector>\n"
                                           "__global__ void k(float *p, int n) { p[n] = 1; }\n"
                                           "void run(int n) {\n"
                                           "  std::vector<float> h(n); float *d;\n"
                                           "  cudaMalloc(&d, h.size() * sizeof(float));\n"
                                           "  k<<<1, 1>>>(d, h.size());\n"
                                           "}\n");
  const IrFunction *run = function_shown_as(host_of(&loaded), "run");
  CHECK(has_call(run, "_Znwm") && !has_call(run, "_ZNSt6vectorIfSaIfEEC2EmRKS0_"));
  arena_close(loaded.arena);
}

static void test_duplicate_names_in_scopes(void) {
  Loaded loaded = load_source(
      "names.cu", "namespace { template <class T> struct Op { T v; }; }\n"
                  "namespace n17 { template <class T> __global__ void k(T *p, Op<T> o) { p[0] = o.v; } }\n"
                  "extern \"C\" __global__ void plain(int *p) { p[0] = 1; }\n"
                  "void run(int *p) { n17::k<int><<<1, 1>>>(p, Op<int>{3}); plain<<<1, 1>>>(p); }\n");
  const IrModule *device = device_of(&loaded), *host = host_of(&loaded);
  const IrFunction *kernel = function_shown_as(device, "n17::k<int>"), *run = function_shown_as(host, "run");
  if (CHECK(kernel != NULL))
    CHECK(has_call(run, arena_printf(loaded.arena, "__device_stub__%s", kernel->name)));
  CHECK(has_call(run, "__device_stub__plain"));
  arena_close(loaded.arena);
}

int main(void) {
  test_plain_kernel();
  test_inlined_place();
  test_accesses_stay();
  test_shared_and_constants();
  test_synchronisation();
  test_inline_assembly();
  test_own_function_of_a_known_name();
  test_stops_and_drops();
  test_struct_parameter();
  test_host_launch();
  test_plain_file();
  test_lower_file();
  test_assembly_of_lanes();
  test_values_of_structs();
  test_settled_branch();
  test_recursion();
  test_vector_size();
  test_duplicate_names_in_scopes();
  return check_result();
}
