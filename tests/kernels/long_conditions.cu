// What a thread tests on its way to a write may be long (here: floating point over the elements around it) and say nothing of
// where it writes. It is left out where the rest is enough, and counts where it is not.
//@ verdict normals_ok: race-free
//@ verdict only_ok: race-free
//@ verdict only_bad: racy
#include <cstdlib>

__device__ float3 operator-(float3 a, float3 b) { return make_float3(a.x - b.x, a.y - b.y, a.z - b.z); }
__device__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ float3 cross(float3 a, float3 b) {
  return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

__device__ float4 normal(const float3 *points, int idx, int width, int height) {
  float3 here = points[idx];
  if (isnan(here.z)) return make_float4(0, 0, 0, 0);
  int x = idx % width, y = idx / width;
  bool west = x > 1 && !isnan(points[idx - 1].z) && fabsf(points[idx - 1].z - here.z) < 200.f;
  bool east = x < width - 1 && !isnan(points[idx + 1].z) && fabsf(points[idx + 1].z - here.z) < 200.f;
  bool north = y > 1 && !isnan(points[idx - width].z) && fabsf(points[idx - width].z - here.z) < 200.f;
  bool south = y < height - 1 && !isnan(points[idx + width].z) && fabsf(points[idx + width].z - here.z) < 200.f;
  float3 across = here, down = here;
  if (west && east) across = points[idx + 1] - points[idx - 1];
  else if (west) across = here - points[idx - 1];
  else if (east) across = points[idx + 1] - here;
  else return make_float4(0, 0, 0, 1);
  if (south && north) down = points[idx - width] - points[idx + width];
  else if (south) down = here - points[idx + width];
  else if (north) down = points[idx - width] - here;
  else return make_float4(0, 0, 0, 1);
  float3 to = cross(across, down);
  if (dot(here, to) > 0) return make_float4(-to.x, -to.y, -to.z, 1);
  return make_float4(to.x, to.y, to.z, 0);
}

__global__ void normals_ok(const float3 *points, float4 *normals, int width, int height) { // expect-clean
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < width * height) normals[idx] = normal(points, idx, width, height);
}

#define SUM(k) (v[k] + v[k + 1] + v[k + 2] + v[k + 3] + v[k + 4] + v[k + 5] + v[k + 6] + v[k + 7])
#define SAME(k) ((SUM(k) > SUM(k + 8) && t == who) || (SUM(k + 16) == SUM(k + 24) && t == who))
#define SAME_4(k) (SAME(k) || SAME(k + 1) || SAME(k + 2) || SAME(k + 3))

// Each part of the long condition names one thread.
__global__ void only_ok(const int *v, int *out, int n) { // expect-clean
  int t = threadIdx.x, who = 5;
  if (SAME_4(0)) out[blockIdx.x] = t + n;
}

// The last one does not.
__global__ void only_bad(const int *v, int *out, int n) {
  int t = threadIdx.x, who = 5;
  if (SAME_4(0) || v[40] == 3) out[blockIdx.x] = t + n; // expect-race
}

int main(int argc, char **argv) {
  if (argc < 3) return 1;
  int width = atoi(argv[1]), height = atoi(argv[2]), n = width * height;
  if (width < 1 || height < 1) return 1;
  float3 *points;
  float4 *normals;
  int *v, *out;
  cudaMalloc(&points, n * sizeof(float3));
  cudaMalloc(&normals, n * sizeof(float4));
  cudaMalloc(&v, 64 * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  normals_ok<<<(n + 255) / 256, 256>>>(points, normals, width, height);
  only_ok<<<(n + 255) / 256, 256>>>(v, out, n);
  only_bad<<<(n + 255) / 256, 256>>>(v, out, n);
}
