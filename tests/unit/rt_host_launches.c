// Launches of every form, what they ask the machine for, and the launches that a device would not make; what a kernel that failed leaves
// behind; attributes of kernels and of the device.
// SPDX-License-Identifier: Apache-2.0
#include "check.h"
#include "rt_fake_machine.h"

static int *counter, amount = 5;
static void *arguments[] = {&counter, &amount};

// As clang makes it of kernel<<<grid, block, bytes>>>(counter, amount): the configuration, and the stub if that was taken.
static void chevrons(const void *stub, dim3 grid, dim3 block, size_t shared_bytes) {
  dim3 g, b;
  size_t bytes;
  cudaStream_t stream;
  if (__cudaPushCallConfiguration(grid, block, shared_bytes, NULL)) return;
  CHECK(__cudaPopCallConfiguration(&g, &b, &bytes, &stream) == cudaSuccess);
  (void)cudaLaunchKernel(stub, g, b, arguments, bytes, stream);
}

static cudaError_t launched(const void *stub, dim3 grid, dim3 block, size_t shared_bytes) {
  unsigned before = fake_launches;
  chevrons(stub, grid, block, shared_bytes);
  cudaError_t error = cudaGetLastError();
  CHECK((fake_launches == before + 1) == (error == cudaSuccess));
  return error;
}

static void test_forms(void) {
  const dim3 one = {1, 1, 1}, grid = {3, 2, 1}, block = {32, 4, 2};
  CHECK(launched(&fake_add_stub, grid, block, 100) == cudaSuccess);
  CHECK(*counter == 5 && fake_request.grid[0] == 3 && fake_request.grid[1] == 2 &&
        fake_request.block[2] == 2);
  CHECK(fake_request.dynamic_shared_bytes == 100 && !fake_request.is_cooperative &&
        fake_request.cluster[0] == 0);
  CHECK_FINE(cudaLaunchCooperativeKernel(&fake_add_stub, one, block, arguments, 0, NULL));
  CHECK(fake_request.is_cooperative && *counter == 10);
  cudaLaunchAttribute attributes[2] = {
      {.id = cudaLaunchAttributeClusterDimension, .val.clusterDim = {3, 1, 1}},
      {.id = cudaLaunchAttributeCooperative, .val.cooperative = 1}};
  cudaLaunchConfig_t config = {.gridDim = grid, .blockDim = block, .attrs = attributes, .numAttrs = 2};
  CHECK_FINE(cudaLaunchKernelExC(&config, &fake_add_stub, arguments));
  CHECK(fake_request.cluster[0] == 3 && fake_request.cluster[1] == 1 && fake_request.is_cooperative);
  attributes[0].val.clusterDim.x = 2; // of three blocks
  CHECK_ERROR(cudaErrorInvalidConfiguration, cudaLaunchKernelExC(&config, &fake_add_stub, arguments));
  attributes[0].id = cudaLaunchAttributeProgrammaticEvent;
  CHECK_ERROR(cudaErrorNotSupported, cudaLaunchKernelExC(&config, &fake_add_stub, arguments));
  cudaFunction_t function = NULL;
  CHECK_FINE(cudaGetFuncBySymbol(&function, &fake_add_stub));
  CHECK(cuLaunchKernel(function, 2, 1, 1, 64, 1, 1, 0, NULL, arguments, NULL) == CUDA_SUCCESS);
  CHECK(fake_request.grid[0] == 2 && fake_request.block[0] == 64 && *counter == 20);
  CHECK(cuLaunchKernel(function, 2, 1, 1, 64, 17, 1, 0, NULL, arguments, NULL) ==
        (CUresult)(int)cudaErrorInvalidConfiguration);
  (void)cudaGetLastError();
  dim3 g, b;
  size_t bytes;
  cudaStream_t stream;
  CHECK(__cudaPopCallConfiguration(&g, &b, &bytes, &stream) == cudaErrorMissingConfiguration);
  (void)cudaGetLastError();
}

static void test_shapes(void) {
  const dim3 one = {1, 1, 1}, full = {1024, 1, 1}, more = {1025, 1, 1}, flat = {1, 1, 65}, none = {0, 1, 1};
  const dim3 square = {32, 33, 1}, tall = {1, 65536, 1};
  CHECK(launched(&fake_add_stub, one, full, 0) == cudaSuccess);
  CHECK(launched(&fake_add_stub, one, more, 0) == cudaErrorInvalidConfiguration);
  CHECK(launched(&fake_add_stub, one, flat, 0) == cudaErrorInvalidConfiguration);
  CHECK(launched(&fake_add_stub, one, square, 0) == cudaErrorInvalidConfiguration);
  CHECK(launched(&fake_add_stub, none, one, 0) == cudaErrorInvalidConfiguration);
  CHECK(launched(&fake_add_stub, one, none, 0) == cudaErrorInvalidConfiguration);
  CHECK(launched(&fake_add_stub, tall, one, 0) == cudaErrorInvalidConfiguration);
  CHECK(launched(&fake_small_stub, one, (dim3){128, 1, 1}, 0) == cudaSuccess);
  CHECK(launched(&fake_small_stub, one, (dim3){129, 1, 1}, 0) == cudaErrorLaunchOutOfResources);
  CHECK(launched(&fake_lost_stub, one, one, 0) == cudaErrorInvalidDeviceFunction); // no machine code
  CHECK(launched(&one, one, one, 0) == cudaErrorInvalidDeviceFunction);            // no kernel
}

static void test_shared(void) {
  const dim3 one = {1, 1, 1};
  CHECK(launched(&fake_small_stub, one, one, (48 << 10) - 4096) == cudaSuccess);
  CHECK(launched(&fake_small_stub, one, one, (48 << 10) - 4095) == cudaErrorInvalidValue);
  CHECK_FINE(cudaFuncSetAttribute(&fake_small_stub, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10));
  CHECK(launched(&fake_small_stub, one, one, 100 << 10) == cudaSuccess);
  CHECK(launched(&fake_small_stub, one, one, (100 << 10) + 1) == cudaErrorInvalidValue);
  CHECK_ERROR(cudaErrorInvalidValue,
              cudaFuncSetAttribute(&fake_small_stub, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 << 10));
  CHECK_FINE(cudaFuncSetAttribute(&fake_add_stub, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 << 10));
  struct cudaFuncAttributes a;
  CHECK_FINE(cudaFuncGetAttributes(&a, &fake_small_stub));
  CHECK(a.sharedSizeBytes == 4096 && a.maxThreadsPerBlock == 128 && a.maxDynamicSharedSizeBytes == 100 << 10);
  CHECK_ERROR(cudaErrorInvalidDeviceFunction, cudaFuncGetAttributes(&a, &a));
}

// The most blocks that a cooperative launch may have are those that occupancy counts.
static void test_occupancy(void) {
  const dim3 block = {1024, 1, 1};
  int blocks = 0, multiprocessors = 0;
  CHECK_FINE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &fake_add_stub, 1024, 0));
  CHECK_FINE(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  CHECK(blocks == 2 && multiprocessors > 0);
  dim3 fitting = {(unsigned)(blocks * multiprocessors), 1, 1}, more = {fitting.x + 1, 1, 1};
  CHECK_FINE(cudaLaunchCooperativeKernel(&fake_add_stub, fitting, block, arguments, 0, NULL));
  CHECK_ERROR(cudaErrorCooperativeLaunchTooLarge,
              cudaLaunchCooperativeKernel(&fake_add_stub, more, block, arguments, 0, NULL));
  CHECK(launched(&fake_add_stub, more, block, 0) == cudaSuccess);
  CHECK_FINE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &fake_add_stub, 32, 200 << 10));
  CHECK(blocks == 1);
  CHECK_FINE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &fake_small_stub, 256, 0));
  CHECK(blocks == 0); // beyond its launch bounds
  CHECK_ERROR(cudaErrorInvalidValue,
              cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &fake_add_stub, 0, 0));
}

static void test_device(void) {
  struct cudaDeviceProp prop;
  int value = 0;
  CHECK_FINE(cudaGetDeviceCount(&value));
  CHECK(value == 1);
  CHECK_FINE(cudaSetDevice(0));
  CHECK_ERROR(cudaErrorInvalidDevice, cudaSetDevice(1));
  CHECK_FINE(cudaGetDeviceProperties(&prop, 0));
  CHECK_FINE(cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, 0));
  CHECK(prop.maxThreadsPerBlock == value && prop.warpSize == 32 && prop.major == 9);
  CHECK_ERROR(cudaErrorInvalidDevice, cudaGetDeviceProperties(&prop, 1));
  CHECK_ERROR(cudaErrorInvalidValue, cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)9999, 0));
  size_t heap = 0;
  CHECK_FINE(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 26));
  CHECK_FINE(cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize));
  CHECK(heap == 1 << 26);
  CHECK_ERROR(cudaErrorUnsupportedLimit, cudaDeviceGetLimit(&heap, (enum cudaLimit)99));
  CHECK_TEXT(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress");
  CHECK_TEXT(cudaGetErrorString(cudaErrorIllegalAddress), "an illegal memory access was encountered");
  CHECK_TEXT(cudaGetErrorString((cudaError_t)12345), "unrecognized error code");
}

// An error of a kernel is given back by every call until the device is reset; that of a call is forgotten once it is read.
static void test_errors(void) {
  const dim3 one = {1, 1, 1};
  void *p = NULL;
  CHECK(cudaMalloc(NULL, 4) == cudaErrorInvalidValue && cudaPeekAtLastError() == cudaErrorInvalidValue);
  CHECK(cudaDeviceSynchronize() == cudaSuccess && cudaGetLastError() == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaSuccess);
  fake_outcome = RT_NO_MEMORY; // nothing was run: the device is as before
  chevrons(&fake_add_stub, one, one, 0);
  CHECK(cudaGetLastError() == cudaErrorLaunchOutOfResources && cudaDeviceSynchronize() == cudaSuccess);
  fake_outcome = RT_BAD_ADDRESS;
  chevrons(&fake_add_stub, one, one, 0);
  fake_outcome = RT_RAN;
  CHECK(cudaGetLastError() == cudaErrorIllegalAddress && cudaGetLastError() == cudaErrorIllegalAddress);
  CHECK(cudaMalloc(&p, 4) == cudaErrorIllegalAddress && cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  int before = *counter;
  chevrons(&fake_add_stub, one, one, 0);
  CHECK(*counter == before);
  CHECK(cudaDeviceReset() == cudaErrorIllegalAddress && cudaGetLastError() == cudaSuccess);
  CHECK(launched(&fake_add_stub, one, one, 0) == cudaSuccess);
}

int main(void) {
  fake_register();
  CHECK_FINE(cudaMallocManaged((void **)&counter, sizeof *counter, cudaMemAttachGlobal));
  test_forms();
  test_shapes();
  test_shared();
  test_occupancy();
  test_device();
  test_errors();
  return check_result();
}
