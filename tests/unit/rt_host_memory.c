// Objects of the device: each way of getting memory, what the map says of an address, and for each right use its wrong twin: freed
// twice, from inside, by the wrong call, too much of it.
// SPDX-License-Identifier: Apache-2.0
#include "check.h"
#include "rt_fake_machine.h"

#include <stdlib.h>

static uint64_t at(const void *ptr) {
  return (uint64_t)(uintptr_t)ptr;
}

static void test_free(void) {
  void *p = NULL, *q = NULL, *none = &none;
  CHECK_FINE(cudaMalloc(&p, 100));
  CHECK_FINE(cudaMalloc(&q, 100));
  CHECK(p && q && p != q && at(p) % 256 == 0);
  CHECK_FINE(cudaMalloc(&none, 0));
  CHECK(none == NULL);
  CHECK_FINE(cudaFree(NULL));
  CHECK_ERROR(cudaErrorInvalidValue, cudaFree((char *)q + 4));
  CHECK_FINE(cudaFree(q));
  CHECK_ERROR(cudaErrorInvalidValue, cudaFree(q));
  CHECK_ERROR(cudaErrorInvalidValue, cudaFreeHost(p));
  CHECK_ERROR(cudaErrorInvalidValue, cudaFree(&none));
  CHECK_FINE(cudaFree(p));
}

static void test_kinds(void) {
  void *managed = NULL, *pinned = NULL, *device = NULL;
  struct cudaPointerAttributes a;
  int local = 0;
  CHECK_FINE(cudaMallocManaged(&managed, 64, cudaMemAttachGlobal));
  CHECK_ERROR(cudaErrorInvalidValue, cudaMallocManaged(&managed, 64, 7));
  CHECK_FINE(cudaHostAlloc(&pinned, 64, cudaHostAllocMapped));
  CHECK_FINE(cudaHostGetDevicePointer(&device, pinned, 0));
  CHECK(device == pinned);
  CHECK_ERROR(cudaErrorInvalidValue, cudaHostGetDevicePointer(&device, managed, 0));
  CHECK_FINE(cudaPointerGetAttributes(&a, (char *)managed + 3));
  CHECK(a.type == cudaMemoryTypeManaged && a.devicePointer == (char *)managed + 3);
  CHECK_FINE(cudaPointerGetAttributes(&a, pinned));
  CHECK(a.type == cudaMemoryTypeHost);
  CHECK_FINE(cudaPointerGetAttributes(&a, &local));
  CHECK(a.type == cudaMemoryTypeUnregistered);
  CHECK_ERROR(cudaErrorInvalidValue, cudaFree(pinned));
  CHECK_FINE(cudaFreeHost(pinned));
  CHECK_FINE(cudaMemPrefetchAsync(managed, 64, 0, NULL));
  CHECK_ERROR(cudaErrorInvalidValue, cudaMemPrefetchAsync(managed, 65, 0, NULL));
  CHECK_ERROR(cudaErrorInvalidDevice, cudaMemPrefetchAsync(managed, 64, 1, NULL));
  CHECK_FINE(cudaFree(managed));
}

static void test_registered(void) {
  static int own[16];
  CHECK(!rt_memory_holds(at(own), 4));
  CHECK_FINE(cudaHostRegister(own, sizeof own, 0));
  CHECK(rt_memory_holds(at(own), sizeof own) && !rt_memory_holds(at(own), sizeof own + 1));
  CHECK_ERROR(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(own + 4, 4, 0));
  CHECK_ERROR(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(own + 4));
  CHECK_FINE(cudaHostUnregister(own));
  CHECK_ERROR(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(own));
  CHECK(!rt_memory_holds(at(own), 4));
}

static bool region_holds(uint64_t address, uint64_t bytes) {
  const RtMemory *object = rt_memory_region_object(rt_memory_region(), address);
  return object && object->is_live && address - object->address < object->bytes &&
         bytes <= object->bytes - (address - object->address);
}

// What an access would be told.
static void test_words(void) {
  char text[256];
  void *p = NULL;
  RtMemory object;
  CHECK_FINE(cudaMalloc(&p, 400));
  CHECK(region_holds(at(p) + 396, 4) && rt_memory_holds(at(p) + 396, 4));
  CHECK(!region_holds(at(p) + 397, 4) && !rt_memory_holds(at(p) + 397, 4));
  CHECK(!rt_memory_tell(at(p), 400, text, sizeof text));
  CHECK(rt_memory_tell(at(p) + 400, 4, text, sizeof text) &&
        strstr(text, "4 bytes right behind the end of 400 bytes from cudaMalloc"));
  CHECK(rt_memory_tell(at(p) + 398, 4, text, sizeof text) &&
        strstr(text, "4 bytes at byte 398 of 400 bytes from cudaMalloc"));
  CHECK(rt_memory_tell(at(p) + 516, 8, text, sizeof text) && strstr(text, "116 bytes behind the end"));
  CHECK(rt_memory_tell(8, 4, text, sizeof text) && strstr(text, "a null pointer"));
  CHECK(rt_memory_tell(at(text), 4, text, sizeof text) && strstr(text, "belong to no object of the device"));
  CHECK(rt_memory_find(at(p) + 399, &object) && object.bytes == 400 && object.is_live);
  CHECK(!rt_memory_find(at(p) + 400, &object));
  ((char *)p)[7] = 1;
  CHECK_FINE(cudaFree(p));
  CHECK(rt_memory_find(at(p) + 7, &object) && !object.is_live);
  CHECK(!region_holds(at(p), 4));
  CHECK(rt_memory_tell(at(p), 4, text, sizeof text) && strstr(text, "which was freed"));
}

// Fresh memory is zero, also where another object has been; addresses are not used again.
static void test_fresh(void) {
  char *first = NULL, *second = NULL;
  CHECK_FINE(cudaMalloc((void **)&first, 10000));
  memset(first, 1, 10000);
  CHECK_FINE(cudaFree(first));
  CHECK_FINE(cudaMalloc((void **)&second, 10000));
  CHECK(second != first && second[0] == 0 && second[9999] == 0);
  CHECK_FINE(cudaFree(second));
}

static void test_sizes(void) {
  size_t left = 0, total = 0, pitch = 0, after = 0;
  void *p = NULL;
  struct cudaPitchedPtr box;
  CHECK_FINE(cudaMemGetInfo(&left, &total));
  CHECK(left == total && total == 1 << 30); // as the environment says
  CHECK_ERROR(cudaErrorMemoryAllocation, cudaMalloc(&p, total + 1));
  CHECK(p == NULL);
  CHECK_ERROR(cudaErrorMemoryAllocation, cudaMallocPitch(&p, &pitch, SIZE_MAX - 5, 4));
  CHECK_FINE(cudaMallocPitch(&p, &pitch, 100, 7));
  CHECK(pitch == 512 && rt_memory_holds(at(p), 7 * 512) && !rt_memory_holds(at(p), 7 * 512 + 1));
  CHECK_FINE(cudaMemGetInfo(&after, NULL));
  CHECK(after == total - 7 * 512);
  CHECK_FINE(cudaFree(p));
  CHECK_FINE(cudaMalloc3D(&box, (struct cudaExtent){10, 3, 2}));
  CHECK(box.pitch == 512 && box.xsize == 10 && box.ysize == 3 && rt_memory_holds(at(box.ptr), 6 * 512));
  CHECK_FINE(cudaFree(box.ptr));
}

static void test_pools(void) {
  cudaMemPool_t pool = NULL, usual = NULL;
  struct cudaMemPoolProps props = {.allocType = cudaMemAllocationTypePinned};
  void *p = NULL;
  unsigned long long threshold = 77, got = 0;
  CHECK_FINE(cudaDeviceGetDefaultMemPool(&usual, 0));
  CHECK_FINE(cudaMemPoolCreate(&pool, &props));
  CHECK_FINE(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  CHECK_FINE(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &got));
  CHECK(got == 77 && pool != usual);
  CHECK_FINE(cudaMallocFromPoolAsync(&p, 64, pool, NULL));
  CHECK_FINE(cudaFreeAsync(p, NULL));
  CHECK_ERROR(cudaErrorInvalidValue, cudaFreeAsync(p, NULL));
  CHECK_FINE(cudaMemPoolDestroy(pool));
  CHECK_ERROR(cudaErrorInvalidValue, cudaMallocFromPoolAsync(&p, 64, pool, NULL));
  CHECK_ERROR(cudaErrorInvalidValue, cudaMemPoolDestroy(usual));
}

int main(void) {
  (void)setenv("HGRD_RUN_MEMORY", "0x40000000", 1);
  test_free();
  test_kinds();
  test_registered();
  test_words();
  test_fresh();
  test_sizes();
  test_pools();
  return check_result();
}
