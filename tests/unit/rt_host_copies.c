// Copies and fills of every form, with their results; and for each a twin that goes one byte, row or layer too far, which gives an error
// and changes nothing.
// SPDX-License-Identifier: Apache-2.0
#include "check.h"
#include "rt_fake_machine.h"

static char from[64], back[64];

static void test_flat(void) {
  char *p = NULL;
  for (int i = 0; i < 64; i++)
    from[i] = (char)(i + 1);
  CHECK_FINE(cudaMalloc((void **)&p, 64));
  CHECK_FINE(cudaMemcpy(p, from, 64, cudaMemcpyHostToDevice));
  CHECK_FINE(cudaMemcpy(back, p, 64, cudaMemcpyDeviceToHost));
  CHECK(memcmp(from, back, 64) == 0);
  memset(back, 0, 64);
  CHECK_ERROR(cudaErrorInvalidValue, cudaMemcpy(back, p + 1, 64, cudaMemcpyDeviceToHost));
  CHECK_ERROR(cudaErrorInvalidValue, cudaMemcpy(p + 60, from, 5, cudaMemcpyDefault));
  CHECK(back[0] == 0);
  CHECK_ERROR(cudaErrorInvalidValue,
              cudaMemcpy(back, from, 64, cudaMemcpyDeviceToHost)); // no device's memory
  CHECK_ERROR(cudaErrorInvalidMemcpyDirection, cudaMemcpy(back, p, 64, (enum cudaMemcpyKind)9));
  CHECK_ERROR(cudaErrorInvalidValue, cudaMemcpy(NULL, p, 64, cudaMemcpyDeviceToHost));
  CHECK_FINE(cudaMemcpy(back, from, 64, cudaMemcpyHostToHost));
  CHECK_FINE(cudaMemcpy(NULL, NULL, 0, cudaMemcpyHostToDevice));
  CHECK_FINE(cudaMemcpyAsync(p + 32, p, 32, cudaMemcpyDeviceToDevice, NULL));
  CHECK(p[32] == 1);
  CHECK_FINE(cudaMemcpyPeer(p, 0, p + 32, 0, 8));
  CHECK_ERROR(cudaErrorInvalidDevice, cudaMemcpyPeer(p, 1, p + 32, 0, 8));
  CHECK_FINE(cudaMemset(p, 0x107, 64));
  CHECK(p[0] == 7 && p[63] == 7);
  CHECK_ERROR(cudaErrorInvalidValue, cudaMemset(p, 1, 65));
  CHECK_ERROR(cudaErrorInvalidValue, cudaMemset(back, 1, 4));
  CHECK(p[0] == 7);
  CHECK_FINE(cudaFree(p));
  CHECK_ERROR(cudaErrorInvalidValue, cudaMemcpy(back, p, 1, cudaMemcpyDeviceToHost)); // after its end
}

static void test_rows(void) {
  char *p = NULL;
  size_t pitch = 0;
  CHECK_FINE(cudaMallocPitch((void **)&p, &pitch, 8, 4));
  CHECK_FINE(cudaMemcpy2D(p, pitch, from, 16, 8, 4, cudaMemcpyHostToDevice));
  CHECK(p[0] == 1 && p[pitch] == 17 && p[3 * pitch + 7] == 56 && p[8] == 0);
  CHECK_ERROR(cudaErrorInvalidValue, cudaMemcpy2D(p, pitch, from, 16, 8, 5, cudaMemcpyHostToDevice));
  CHECK_ERROR(cudaErrorInvalidPitchValue, cudaMemcpy2D(p, pitch, from, 7, 8, 4, cudaMemcpyHostToDevice));
  CHECK_FINE(cudaMemset2D(p, pitch, 9, 4, 2));
  CHECK(p[3] == 9 && p[4] == 5 && p[pitch] == 9 && p[2 * pitch] == 33);
  CHECK_ERROR(cudaErrorInvalidValue, cudaMemset2D(p, pitch, 9, 4, 5));
  CHECK_FINE(cudaFree(p));
}

static void test_boxes(void) {
  struct cudaPitchedPtr box;
  struct cudaMemcpy3DParms parms = {
      .srcPtr = {from, 4, 4, 4}, .extent = {4, 4, 4}, .kind = cudaMemcpyHostToDevice};
  CHECK_FINE(cudaMalloc3D(&box, parms.extent));
  parms.dstPtr = box;
  CHECK_FINE(cudaMemcpy3D(&parms));
  CHECK(((char *)box.ptr)[3 * box.pitch * 4 + 3 * box.pitch + 3] == 64);
  parms.extent.depth = 5;
  CHECK_ERROR(cudaErrorInvalidValue, cudaMemcpy3D(&parms));
  parms.extent = (struct cudaExtent){2, 2, 2};
  parms.srcPos = (struct cudaPos){2, 2, 2};
  CHECK_FINE(cudaMemcpy3D(&parms));
  CHECK(*(char *)box.ptr == 43);
  CHECK_FINE(cudaMemset3D(box, 3, (struct cudaExtent){4, 4, 4}));
  CHECK(((char *)box.ptr)[15 * box.pitch + 3] == 3);
  CHECK_ERROR(cudaErrorInvalidValue, cudaMemset3D(box, 3, (struct cudaExtent){4, 4, 5}));
  CHECK_FINE(cudaFree(box.ptr));
}

static void test_arrays(void) {
  struct cudaChannelFormatDesc bytes = {8, 0, 0, 0, cudaChannelFormatKindUnsigned}, got,
                               odd = {3, 0, 0, 0, 0};
  cudaArray_t array = NULL;
  CHECK_FINE(cudaMallocArray(&array, &bytes, 8, 4, 0));
  CHECK_ERROR(cudaErrorInvalidChannelDescriptor, cudaMallocArray(&array, &odd, 8, 4, 0));
  CHECK_FINE(cudaMemcpyToArray(array, 0, 0, from, 32, cudaMemcpyHostToDevice));
  CHECK_ERROR(cudaErrorInvalidValue, cudaMemcpyToArray(array, 1, 0, from, 32, cudaMemcpyHostToDevice));
  CHECK_FINE(cudaMemcpy2DFromArray(back, 2, array, 2, 1, 2, 3, cudaMemcpyDeviceToHost));
  CHECK(back[0] == 11 && back[2] == 19 && back[5] == 28);
  CHECK_ERROR(cudaErrorInvalidValue,
              cudaMemcpy2DFromArray(back, 2, array, 7, 1, 2, 3, cudaMemcpyDeviceToHost));
  CHECK_FINE(cudaGetChannelDesc(&got, array));
  CHECK(got.x == 8 && got.y == 0);
  struct cudaMemcpy3DParms parms = {.srcArray = array,
                                    .srcPos = {0, 3, 0},
                                    .dstPtr = {back, 8, 8, 1},
                                    .extent = {8, 1, 1},
                                    .kind = cudaMemcpyDeviceToHost};
  CHECK_FINE(cudaMemcpy3D(&parms));
  CHECK(back[0] == 25);
  parms.srcPos.y = 4;
  CHECK_ERROR(cudaErrorInvalidValue, cudaMemcpy3D(&parms));
  struct cudaResourceDesc resource = {.resType = cudaResourceTypeArray, .res.array.array = array};
  struct cudaTextureDesc desc = {.readMode = cudaReadModeElementType};
  cudaTextureObject_t texture = 0;
  CHECK_FINE(cudaCreateTextureObject(&texture, &resource, &desc, NULL));
  CHECK_FINE(cudaDestroyTextureObject(texture));
  CHECK_ERROR(cudaErrorInvalidValue, cudaDestroyTextureObject(texture));
  CHECK_FINE(cudaFreeArray(array));
  CHECK_ERROR(cudaErrorInvalidResourceHandle, cudaFreeArray(array));
  CHECK_ERROR(cudaErrorInvalidResourceHandle, cudaCreateTextureObject(&texture, &resource, &desc, NULL));
}

static void test_levels(void) {
  struct cudaChannelFormatDesc words = {32, 32, 0, 0, cudaChannelFormatKindFloat};
  cudaMipmappedArray_t mipmap = NULL;
  cudaArray_t level = NULL;
  struct cudaExtent extent;
  CHECK_FINE(cudaMallocMipmappedArray(&mipmap, &words, (struct cudaExtent){16, 4, 0}, 4, 0));
  CHECK_FINE(cudaGetMipmappedArrayLevel(&level, mipmap, 3));
  CHECK_FINE(cudaArrayGetInfo(NULL, &extent, NULL, level));
  CHECK(extent.width == 2 && extent.height == 1);
  CHECK_ERROR(cudaErrorInvalidValue, cudaGetMipmappedArrayLevel(&level, mipmap, 4));
  CHECK_ERROR(cudaErrorInvalidValue, cudaFreeArray(level));
  CHECK_FINE(cudaFreeMipmappedArray(mipmap));
  CHECK_ERROR(cudaErrorInvalidResourceHandle, cudaFreeMipmappedArray(mipmap));
}

static void test_symbols(void) {
  int values[4] = {9, 8, 7, 6}, got[4] = {0};
  size_t bytes = 0;
  void *address = NULL;
  fake_register();
  CHECK_FINE(cudaGetSymbolSize(&bytes, &fake_table_shadow));
  CHECK_FINE(cudaGetSymbolAddress(&address, &fake_table_shadow));
  CHECK(bytes == 16 && address == fake_table);
  CHECK_FINE(cudaMemcpyFromSymbol(got, &fake_table_shadow, 16, 0, cudaMemcpyDeviceToHost));
  CHECK(got[3] == 4);
  CHECK_FINE(cudaMemcpyToSymbol(&fake_table_shadow, values, 8, 8, cudaMemcpyHostToDevice));
  CHECK(fake_table[1] == 2 && fake_table[2] == 9 && fake_table[3] == 8);
  CHECK_ERROR(cudaErrorInvalidValue,
              cudaMemcpyToSymbol(&fake_table_shadow, values, 8, 9, cudaMemcpyHostToDevice));
  CHECK_ERROR(cudaErrorInvalidValue,
              cudaMemcpyFromSymbol(got, &fake_table_shadow, 17, 0, cudaMemcpyDeviceToHost));
  CHECK_ERROR(cudaErrorInvalidSymbol, cudaMemcpyToSymbol(values, values, 4, 0, cudaMemcpyHostToDevice));
  CHECK_ERROR(cudaErrorInvalidMemcpyDirection,
              cudaMemcpyToSymbol(&fake_table_shadow, values, 4, 0, cudaMemcpyDeviceToHost));
  // no device code has it, and it holds what it is given all the same
  CHECK_FINE(cudaMemcpyToSymbol(&fake_unused_shadow, values, 8, 0, cudaMemcpyHostToDevice));
  CHECK_FINE(cudaMemcpyFromSymbol(got, &fake_unused_shadow, 8, 0, cudaMemcpyDeviceToHost));
  CHECK(got[0] == 9 && got[1] == 8);
}

int main(void) {
  test_flat();
  test_rows();
  test_boxes();
  test_arrays();
  test_levels();
  test_symbols();
  return check_result();
}
