// A machine for the tests of rt/host: two kernels and a variable, and a launch that calls the kernel once and notes what it was asked.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_TESTS_RT_FAKE_MACHINE_H
#define HGRD_TESTS_RT_FAKE_MACHINE_H

#include "rt/machine.h"
#include "rt/memory_map.h"
#include "cuda_runtime_api.h"
#include "cuda.h"

#include <string.h>

static RtRequest fake_request; // the last one
static unsigned fake_launches;
static RtOutcome fake_outcome; // of the next ones

static void fake_add(void *const *arguments) { // *p += n
  **(int **)arguments[0] += *(int *)arguments[1];
}
static const uint32_t fake_sizes[] = {8, 4};
static const RtKernel fake_kernels[] = {
    {.name = "_Z3addPii", .shown = "add", .argument_count = 2, .argument_bytes = fake_sizes, .run = fake_add},
    {.name = "_Z5smallPii",
     .shown = "small",
     .argument_count = 2,
     .argument_bytes = fake_sizes,
     .static_shared_bytes = 4096,
     .max_threads = 128,
     .run = fake_add}};
static int fake_table[4] = {1, 2, 3, 4};
static const RtVariable fake_variables[] = {{"table", 0, true, fake_table, sizeof fake_table}};

uint32_t rt_unit_of_fatbin(const void *wrapper) {
  (void)wrapper;
  return 0;
}
const RtKernel *rt_kernel_named(uint32_t unit, const char *name) {
  for (size_t i = 0; i < sizeof fake_kernels / sizeof *fake_kernels; i++)
    if (unit == 0 && strcmp(fake_kernels[i].name, name) == 0) return &fake_kernels[i];
  return NULL;
}
const RtVariable *rt_variable_named(uint32_t unit, const char *name) {
  return unit == 0 && strcmp(name, "table") == 0 ? fake_variables : NULL;
}
RtOutcome rt_launch(const RtRequest *request) {
  fake_request = *request;
  fake_launches++;
  if (fake_outcome == RT_RAN) request->kernel->run(request->arguments);
  return fake_outcome;
}
bool rt_is_in_kernel(void) {
  return false;
}

// What clang's constructor and stubs call.
void **__cudaRegisterFatBinary(void *wrapper);
int __cudaRegisterFunction(void **module, const char *stub, char *device_name, const char *name, int limit,
                           void *thread, void *block, void *block_dim, void *grid_dim, int *warp);
void __cudaRegisterVar(void **module, char *shadow, char *device_name, const char *name, int is_external,
                       size_t bytes, int is_constant, int is_global);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, void *stream);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes, void *stream);

static char fake_add_stub, fake_small_stub, fake_lost_stub, fake_table_shadow, fake_unused_shadow;

static inline void fake_register(void) {
  void **module = __cudaRegisterFatBinary(NULL);

  static char names[5][16] = {"_Z3addPii", "_Z5smallPii", "_Z4lostv", "table", "unused"};

  (void)__cudaRegisterFunction(module, &fake_add_stub, names[0], names[0], -1, NULL, NULL, NULL, NULL, NULL);
  (void)__cudaRegisterFunction(module, &fake_small_stub, names[1], names[1], -1, NULL, NULL, NULL, NULL,
                               NULL);
  (void)__cudaRegisterFunction(module, &fake_lost_stub, names[2], names[2], -1, NULL, NULL, NULL, NULL, NULL);
  __cudaRegisterVar(module, &fake_table_shadow, names[3], names[3], 0, sizeof fake_table, 1, 0);
  __cudaRegisterVar(module, &fake_unused_shadow, names[4], names[4], 0, 8, 0, 0);
}

// A call and the error it has to give, which has to be the last error too.
#define CHECK_ERROR(want, call) (CHECK((call) == (want)), CHECK(cudaGetLastError() == (want)))
#define CHECK_FINE(call) CHECK_ERROR(cudaSuccess, call)

#endif
