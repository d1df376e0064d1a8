// What a kernel reads through a texture it may not write, barriers or not: CUDA leaves open what is read. linear, pitched: textures over memory that is
// written besides (bad), over other memory (ok). turns: two textures and two arrays that change places (ok). surface: a surface and a texture of one array (bad), of two
// (ok). places: two surfaces of one array, at other places of it (bad), of two arrays (ok). again: likewise, of one description that is used twice.
// named, managed: the kernel writes by its name the variable that the texture is of (bad), or another one (ok).
//@ verdict named_ok: race-free
//@ verdict named_bad: undecided
//@ verdict managed_ok: race-free
//@ verdict managed_bad: undecided
//@ verdict linear_ok: race-free
//@ leans linear_ok: !A2
//@ verdict linear_bad: undecided
//@ verdict pitched_ok: race-free
//@ verdict pitched_bad: undecided
//@ verdict turns_ok: race-free
//@ verdict surface_ok: race-free
//@ verdict surface_bad: undecided
//@ verdict places_ok: race-free
//@ verdict places_bad: racy
//@ verdict again_ok: race-free
//@ verdict again_bad: racy
#include <cuda_runtime.h>
#include <utility>

__global__ void linear_ok(float *o, cudaTextureObject_t t) { o[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x + 1); } // expect-clean
__global__ void linear_bad(float *o, cudaTextureObject_t t) { o[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x + 1); }
__global__ void pitched_ok(float *o, cudaTextureObject_t t) { o[threadIdx.x] = tex2D<float>(t, threadIdx.x + 1, 0); } // expect-clean
__global__ void pitched_bad(float *o, cudaTextureObject_t t) { o[threadIdx.x] = tex2D<float>(t, threadIdx.x + 1, 0); }
__global__ void turns_ok(float *o, cudaTextureObject_t t) { o[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x + 1); } // expect-clean
__global__ void surface_ok(cudaSurfaceObject_t s, cudaTextureObject_t t) { // expect-clean
  surf2Dwrite(tex2D<float>(t, threadIdx.x + 1, 0), s, threadIdx.x * 4, 0);
}
__global__ void surface_bad(cudaSurfaceObject_t s, cudaTextureObject_t t) {
  surf2Dwrite(tex2D<float>(t, threadIdx.x + 1, 0), s, threadIdx.x * 4, 0);
}
__global__ void places_ok(cudaSurfaceObject_t s, cudaSurfaceObject_t t) { // expect-clean
  surf2Dwrite(surf2Dread<float>(t, (63 - threadIdx.x) * 4, 0), s, threadIdx.x * 4, 0);
}
__global__ void places_bad(cudaSurfaceObject_t s, cudaSurfaceObject_t t) {
  surf2Dwrite(surf2Dread<float>(t, (63 - threadIdx.x) * 4, 0), s, threadIdx.x * 4, 0); // expect-race
}

__global__ void again_ok(cudaSurfaceObject_t s, cudaSurfaceObject_t t) { // expect-clean
  surf2Dwrite(surf2Dread<float>(t, (63 - threadIdx.x) * 4, 0), s, threadIdx.x * 4, 0);
}
__global__ void again_bad(cudaSurfaceObject_t s, cudaSurfaceObject_t t) {
  surf2Dwrite(surf2Dread<float>(t, (63 - threadIdx.x) * 4, 0), s, threadIdx.x * 4, 0); // expect-race
}

__device__ float shown[512], other[512];
__managed__ float managed[512];
__global__ void named_ok(cudaTextureObject_t t) { other[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x + 1); } // expect-clean
__global__ void named_bad(cudaTextureObject_t t) { shown[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x + 1); }
__global__ void managed_ok(cudaTextureObject_t t) { other[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x + 1); } // expect-clean
__global__ void managed_bad(cudaTextureObject_t t) { managed[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x + 1); }

static cudaTextureObject_t over(float *memory) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = 4096;
  cudaTextureDesc how = {};
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &resource, &how, nullptr);
  return texture;
}

static cudaTextureObject_t over_rows(float *memory) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = memory;
  resource.res.pitch2D.width = 32;
  resource.res.pitch2D.height = 32;
  resource.res.pitch2D.pitchInBytes = 128;
  cudaTextureDesc how = {};
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &resource, &how, nullptr);
  return texture;
}

static cudaTextureObject_t of(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how = {};
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &resource, &how, nullptr);
  return texture;
}

static cudaSurfaceObject_t surface_of(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface = 0;
  cudaCreateSurfaceObject(&surface, &resource);
  return surface;
}

int main() {
  float *a, *b;
  cudaMalloc((void **)&a, 4096);
  cudaMalloc((void **)&b, 4096);
  linear_ok<<<1, 64>>>(b, over(a));
  linear_bad<<<1, 64>>>(a, over(a));
  void *variable;
  cudaGetSymbolAddress(&variable, shown);
  named_ok<<<1, 64>>>(over((float *)variable));
  named_bad<<<1, 64>>>(over((float *)variable));
  managed_ok<<<1, 64>>>(over(managed));
  managed_bad<<<1, 64>>>(over(managed));
  pitched_ok<<<1, 64>>>(b, over_rows(a));
  pitched_bad<<<1, 64>>>(a, over_rows(a));
  float *from = a, *to = b;
  cudaTextureObject_t t_from = over(a), t_to = over(b);
  for (int i = 0; i < 8; i++) {
    turns_ok<<<1, 64>>>(to, t_from);
    std::swap(from, to);
    std::swap(t_from, t_to);
  }
  cudaArray_t x, y;
  cudaChannelFormatDesc channel = cudaCreateChannelDesc<float>();
  cudaMallocArray(&x, &channel, 64, 64, cudaArraySurfaceLoadStore);
  cudaMallocArray(&y, &channel, 64, 64, cudaArraySurfaceLoadStore);
  surface_ok<<<1, 64>>>(surface_of(x), of(y));
  surface_bad<<<1, 64>>>(surface_of(x), of(x));
  places_ok<<<1, 64>>>(surface_of(x), surface_of(y));
  places_bad<<<1, 64>>>(surface_of(x), surface_of(x));

  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = x;
  cudaSurfaceObject_t s, again, other;
  cudaCreateSurfaceObject(&s, &resource);
  cudaCreateSurfaceObject(&again, &resource);
  resource.res.array.array = y;
  cudaCreateSurfaceObject(&other, &resource);
  again_ok<<<1, 64>>>(s, other);
  again_bad<<<1, 64>>>(s, again);
}
