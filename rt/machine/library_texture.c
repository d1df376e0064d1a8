// What does a read of a texture give? As the CUDA programming guide says ("Texture Fetching"): the texel that a place lies in, or those around it,
// weighed by the distance in steps of 1/256. Each texel that is read is an access of the thread, so bounds and detectors hold for it.
// Departs from a device: a channel that the texels do not have is 0, and 1 for the fourth; there is one level and no sRGB, which is told.
// SPDX-License-Identifier: Apache-2.0
#include "rt/machine/library.h"
#include "rt/texture.h"

#include <math.h>
#include <string.h>

enum { GATHER = -1 }; // in place of a layer: four texels of one channel, which z is
static const double far_away = 1099511627776.0;

// Indices outside become ones inside, or -1 for the border.
static int64_t index_inside(const RtTexture *texture, int axis, int64_t index) {
  int64_t size = (int64_t)texture->size[axis];
  if (index >= 0 && index < size) return index;
  RtAddressing how = texture->addressing[axis];
  if (texture->is_flat || how == RT_ADDRESS_BORDER) return -1;
  if (how == RT_ADDRESS_CLAMP || !texture->has_normal_places) return index < 0 ? 0 : size - 1;
  int64_t period = how == RT_ADDRESS_MIRROR ? 2 * size : size, rest = (index % period + period) % period;
  return rest < size ? rest : period - 1 - rest;
}

static double decoded(const RtTexture *texture, const unsigned char *at) {
  uint64_t word = 0;
  memcpy(&word, at, texture->bits / 8);
  if (texture->channel == RT_CHANNEL_FLOAT) {
    float wide;
    _Float16 half;
    memcpy(&wide, &word, sizeof wide), memcpy(&half, &word, sizeof half);
    return texture->bits == 16 ? (double)half : (double)wide;
  }
  uint32_t unused = 64 - texture->bits;
  bool is_signed = texture->channel == RT_CHANNEL_SIGNED;
  double value = is_signed ? (double)((int64_t)(word << unused) >> unused) : (double)word;
  if (!texture->has_normal_values) return value;
  value /= (double)((UINT64_C(1) << (texture->bits - is_signed)) - 1);
  return value < -1 ? -1 : value;
}

static double texel(const RtTexture *texture, const int64_t place[3], uint32_t channel) {
  uint64_t inside[3];
  if (channel >= texture->channels) return channel == 3;
  for (int i = 0; i < 3; i++) {
    int64_t index = index_inside(texture, i, place[i]);
    if (index < 0) return texture->is_flat ? 0 : (double)texture->border[channel];
    inside[i] = (uint64_t)index;
  }
  const unsigned char *at = texture->data + inside[2] * texture->slice + inside[1] * texture->pitch +
                            inside[0] * texture->element + (uint64_t)channel * (texture->bits / 8);
  hgrd_load(at, texture->bits / 8, 0, 0, NULL);
  return decoded(texture, at);
}

// In texels. No number is 0, and what is far away stays outside.
static double scaled(const RtTexture *texture, int axis, double place) {
  if (texture->has_normal_places) place *= (double)texture->size[axis];
  if (isnan(place)) return 0;
  return place < -far_away ? -far_away : place > far_away ? far_away : place;
}

typedef struct Corner {
  int64_t index[3];
  double weight[3]; // of the texel behind it, along each axis
} Corner;

static Corner corner_of(const RtTexture *texture, const double at[3], bool is_between) {
  Corner corner = {{0}, {0}};
  int axes = texture->is_layered ? 2 : 3;
  for (int i = 0; i < axes; i++) {
    if (texture->size[i] == 1 && i > 0) continue; // it does not have this one
    double place = scaled(texture, i, at[i]) - (is_between ? 0.5 : 0);
    corner.index[i] = (int64_t)floor(place);
    corner.weight[i] = is_between ? nearbyint((place - floor(place)) * 256) / 256 : 0;
  }
  return corner;
}

static void set_layer(const RtTexture *texture, Corner *corner, int layer) {
  int64_t last = (int64_t)texture->size[2] - 1;
  if (texture->is_layered) corner->index[2] = layer < 0 ? 0 : layer > last ? last : layer;
}

static double filtered(const RtTexture *texture, const Corner *corner, uint32_t channel) {
  double sum = 0;
  for (int i = 0; i < 8; i++) {
    double weight = 1;
    int64_t place[3];
    for (int axis = 0; axis < 3; axis++) {
      bool is_behind = i >> axis & 1;
      weight *= is_behind ? corner->weight[axis] : 1 - corner->weight[axis];
      place[axis] = corner->index[axis] + is_behind;
    }
    if (weight != 0) sum += weight * texel(texture, place, channel);
  }
  return sum;
}

static double gathered(const RtTexture *texture, const double at[3], uint32_t number) {
  static const int64_t beside[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
  Corner corner = corner_of(texture, (const double[3]){at[0], at[1], 0}, true);
  int64_t place[3] = {corner.index[0] + beside[number % 4][0], corner.index[1] + beside[number % 4][1], 0};
  return texel(texture, place, (uint32_t)at[2]);
}

static const RtTexture *texture_of(uint64_t handle) {
  const RtTexture *texture = (const RtTexture *)(uintptr_t)handle;
  if (texture && handle % _Alignof(RtTexture) == 0 && texture->mark == RT_TEXTURE_MARK) {
    if (!texture->missing) return texture;
    told_stop(texture->missing);
  } else {
    told_fault("reads through what is no texture object, or no longer [-Wout-of-bounds]");
  }
  machine_stop(RT_BAD_ADDRESS);
}

FUNCTION(double, texture_read, "__hgrd_pure_texture", uint64_t handle, double x, double y, double z,
         int layer, int channel) {
  const RtTexture *texture = texture_of(handle);
  const double at[3] = {x, y, z};
  if (layer == GATHER) return gathered(texture, at, (uint32_t)channel);
  Corner corner = corner_of(texture, at, texture->is_filtered);
  set_layer(texture, &corner, layer);
  return texture->is_filtered ? filtered(texture, &corner, (uint32_t)channel)
                              : texel(texture, corner.index, (uint32_t)channel);
}
