// What do kernels read through a texture object? The CUDA runtime on the CPU (rt/host) makes a description of it, whose address is the handle; the
// machine (rt/machine) reads texels by it, each as an access to the memory behind.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_RT_TEXTURE_H
#define HGRD_RT_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

typedef enum RtChannel { RT_CHANNEL_SIGNED, RT_CHANNEL_UNSIGNED, RT_CHANNEL_FLOAT } RtChannel;
typedef enum RtAddressing {
  RT_ADDRESS_WRAP,
  RT_ADDRESS_CLAMP,
  RT_ADDRESS_MIRROR,
  RT_ADDRESS_BORDER
} RtAddressing;

#define RT_TEXTURE_MARK UINT64_C(0x7465787475726521)

typedef struct RtTexture {
  uint64_t mark;       // RT_TEXTURE_MARK as long as the object lives; its memory stays readable
  const char *missing; // what it has that is not done here, in words; NULL: nothing
  const unsigned char *data;
  uint64_t size[3];               // in texels, or layers; 1 for a dimension that it does not have
  uint64_t element, pitch, slice; // bytes of a texel, from row to row, from layer to layer
  RtChannel channel;
  uint32_t channels, bits;    // bits of each
  bool is_flat;               // memory without a shape: an index is an integer, and what is outside is 0
  bool is_layered;            // the last dimension is of layers
  bool has_normal_places;     // places are parts of the size
  bool has_normal_values;     // integers stand for [0, 1] or [-1, 1]
  bool is_filtered;           // linearly
  RtAddressing addressing[3]; // of places outside
  float border[4];
} RtTexture;

#endif
