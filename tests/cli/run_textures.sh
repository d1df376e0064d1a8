# hgrd-run: what texture objects give: points and weighed ones, places outside, parts of the size, formats, layers, memory of the program; a read
# is an access, so that a race with it is told, and so is a read through what is no texture.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
hgrd_run=$HGRD_BUILD/hgrd-run
cat >textures.cu <<'CU'
#include <cstdio>
#include <cstring>
static float *got;
static cudaTextureObject_t object(cudaResourceDesc r, bool filtered = false, bool parts = false,
                                  cudaTextureAddressMode mode = cudaAddressModeClamp, bool values = false) {
  cudaTextureDesc d;
  memset(&d, 0, sizeof d);
  for (int i = 0; i < 3; i++) d.addressMode[i] = mode;
  d.filterMode = filtered ? cudaFilterModeLinear : cudaFilterModePoint;
  d.normalizedCoords = parts;
  d.readMode = values ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  d.borderColor[0] = -7;
  cudaTextureObject_t t = 0;
  if (cudaCreateTextureObject(&t, &r, &d, nullptr) != cudaSuccess) printf("no texture\n");
  return t;
}
template <class T> cudaResourceDesc array(const T *from, int w, int h) {
  cudaResourceDesc r;
  memset(&r, 0, sizeof r);
  cudaChannelFormatDesc c = cudaCreateChannelDesc<T>();
  r.resType = cudaResourceTypeArray;
  cudaMallocArray(&r.res.array.array, &c, w, h);
  cudaMemcpy2DToArray(r.res.array.array, 0, 0, from, w * sizeof(T), w * sizeof(T), h, cudaMemcpyHostToDevice);
  return r;
}
static cudaResourceDesc linear(void *from, size_t bytes) {
  cudaResourceDesc r;
  memset(&r, 0, sizeof r);
  r.resType = cudaResourceTypeLinear;
  r.res.linear.devPtr = from;
  r.res.linear.desc = cudaCreateChannelDesc<float>();
  r.res.linear.sizeInBytes = bytes;
  return r;
}
__global__ void plane(float *out, cudaTextureObject_t t, float x, float y) { *out = tex2D<float>(t, x, y); }
__global__ void color(float *out, cudaTextureObject_t t, float x, float y) {
  float4 c = tex2D<float4>(t, x, y);
  *out = c.x * 1000 + c.y * 100 + c.z * 10 + c.w;
}
__global__ void bytes(float *out, cudaTextureObject_t t) {
  uchar4 c = tex2D<uchar4>(t, 1.5f, 0.5f);
  *out = c.x * 8 + c.y * 4 + c.z * 2 + c.w;
}
__global__ void gather(float *out, cudaTextureObject_t t, float x, float y) {
  float4 c = tex2Dgather<float4>(t, x, y);
  *out = c.x * 1000000 + c.y * 10000 + c.z * 100 + c.w;
}
__global__ void flat(float *out, cudaTextureObject_t t, int i) { *out = tex1Dfetch<float>(t, i); }
__global__ void box(float *out, cudaTextureObject_t t) { *out = tex3D<float>(t, 1, 1, 1) * 100 + tex3D<float>(t, 0, 1.5f, 0.5f); }
__global__ void layer(float *out, cudaTextureObject_t t) { *out = tex2DLayered<float>(t, 1, 0, 1) * 100 + tex2DLayered<float>(t, 0, 0, 9); }
__global__ void while_written(float *p, float *out, cudaTextureObject_t t) {
  p[threadIdx.x] = 1; // at: write
#ifdef WAITS
  __syncthreads();
#endif
  out[threadIdx.x] = tex1Dfetch<float>(t, 63 - threadIdx.x); // at: read
}
template <class K, class... A> void say(K kernel, A... a) {
  kernel<<<1, 1>>>(got, a...);
  cudaDeviceSynchronize();
  printf("%g ", *got);
}
int main(int argc, char **) {
  cudaMallocManaged(&got, 4096);
  float ten[12];
  for (int i = 0; i < 12; i++) ten[i] = i % 4 + 10 * (i / 4);
  cudaResourceDesc r = array(ten, 4, 3);
  say(plane, object(r), 2.9f, 1.1f);                                   // 12
  say(plane, object(r), 99.f, -5.f);                                   // 3
  say(plane, object(r, false, false, cudaAddressModeBorder), 4.f, 0.f); // -7
  say(plane, object(r, false, true, cudaAddressModeWrap), 1.25f, -0.9f / 3); // 21: column 5, row -1
  say(plane, object(r, false, true, cudaAddressModeMirror), 1.1f, 0.1f); // 3
  say(plane, object(r, true), 1.5f, 1.5f);                             // 11
  say(plane, object(r, true), 2.f, 1.25f);                             // 9: between 1 and 2 at rows 0.75
  say(plane, object(r, true), 0.f, 0.f);                               // 0
  say(gather, object(r), 2.f, 1.f);                                    // 11 12 2 1
  printf("\n");
  uchar4 c[2] = {{1, 2, 3, 4}, {255, 51, 0, 102}};
  say(bytes, object(array(c, 2, 1)));                                          // 2040 + 204 + 0 + 102
  say(color, object(array(c, 2, 1), false, false, cudaAddressModeClamp, true), 1.f, 0.f); // 1000 + 20 + 0.4
  short s[2] = {-32768, 32767};
  say(plane, object(array(s, 2, 1), true, false, cudaAddressModeClamp, true), 0.5f, 0.f); // -1
  printf("\n");
  float *memory;
  cudaMalloc(&memory, 256);
  cudaMemcpy(memory, ten, sizeof ten, cudaMemcpyHostToDevice);
  say(flat, object(linear(memory, 48)), 7);  // 13
  say(flat, object(linear(memory, 48)), 12); // 0
  cudaResourceDesc p = linear(memory, 48);
  p.resType = cudaResourceTypePitch2D;
  p.res.pitch2D = {memory, cudaCreateChannelDesc<float>(), 3, 2, 16};
  say(plane, object(p), 2.f, 1.f); // 12
  say(plane, object(p), 3.f, 1.f); // 12: three wide
  printf("\n");
  for (int layered = 0; layered < 2; layered++) {
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    cudaMemcpy3DParms copy;
    memset(&copy, 0, sizeof copy);
    memset(&r, 0, sizeof r);
    r.resType = cudaResourceTypeArray;
    cudaMalloc3DArray(&r.res.array.array, &f, make_cudaExtent(2, 2, 3), layered ? cudaArrayLayered : 0);
    copy.srcPtr = make_cudaPitchedPtr(ten, 8, 2, 2);
    copy.dstArray = r.res.array.array;
    copy.extent = make_cudaExtent(2, 2, 3);
    copy.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&copy);
    layered ? say(layer, object(r)) : say(box, object(r)); // 11, 2; 11, 20
  }
  printf("\n");
  cudaTextureObject_t t = object(linear(memory, 256));
  while_written<<<1, 64>>>(memory, got, t);
  if (argc > 1) cudaDestroyTextureObject(t);
  if (argc > 1) flat<<<1, 1>>>(got, t, 0);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
CU
read=$(grep -n 'at: read' textures.cu | cut -d: -f1)
write=$(grep -n 'at: write' textures.cu | cut -d: -f1)
run "$hgrd_run" --all textures.cu -- -DWAITS
status_is 0
has out '^12 3 -7 21 3 11 9 0 1.11202e\+07 $'
has out '^2346 1020.4 -1 $'
has out '^13 0 12 12 $'
has out '^1302 1120 $'
has out '^cudaSuccess$'
has err ': 0 races'
run "$hgrd_run" --all textures.cu
status_is 1
has err "^textures.cu:($read|$write):.* race"
has out '^cudaSuccess$'
run "$hgrd_run" --all textures.cu -- -DWAITS --- gone
status_is 1
has out '^cudaErrorIllegalAddress$'
has err 'reads through what is no texture object, or no longer'
