// A pixel for each thread, behind the way of a ray through a box: what the ray's floating-point conditions say at length does not matter to
// which pixel it is. ok; every second column shares a pixel (bad).
//@ verdict pixels_ok: race-free
//@ verdict pixels_bad: racy
//@ known-undecided pixels_bad: floating-point conditions at length outlast the budget
#include <cuda_runtime.h>

struct View {
  float rows[3][4];
};
__constant__ View view;

__device__ float along(const float *row, float x, float y) {
  return row[0] * x + row[1] * y - 2.0f * row[2] + row[3];
}

__device__ bool meets_box(float x, float y, float *near, float *far) {
  float length = rsqrtf(x * x + y * y + 4.0f);
  float dx = along(view.rows[0], x * length, y * length), dy = along(view.rows[1], x * length, y * length),
        dz = along(view.rows[2], x * length, y * length);
  float ax = (-1.0f - view.rows[0][3]) / dx, bx = (1.0f - view.rows[0][3]) / dx;
  float ay = (-1.0f - view.rows[1][3]) / dy, by = (1.0f - view.rows[1][3]) / dy;
  float az = (-1.0f - view.rows[2][3]) / dz, bz = (1.0f - view.rows[2][3]) / dz;
  *near = fmaxf(fmaxf(fminf(ax, bx), fminf(ay, by)), fmaxf(fminf(ax, bx), fminf(az, bz)));
  *far = fminf(fminf(fmaxf(ax, bx), fmaxf(ay, by)), fminf(fmaxf(ax, bx), fmaxf(az, bz)));
  return *far > *near;
}

template <unsigned share> __device__ void trace(float *pixels, unsigned w, unsigned h, float density) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float u = x / (float)w * 2.0f - 1.0f, v = y / (float)h * 2.0f - 1.0f, near, far, sum = 0.0f, last = 0.0f;
  if (x >= w || y >= h)
    return;
  if (!meets_box(u, v, &near, &far))
    return;
  if (near < 0.0f)
    near = 0.0f;
  for (int i = 0; i < 500; i++) {
    float sample = (near * u + density * v) * 0.5f, seen = i % 2 ? sample : last;
    sum = sum + seen * density * (1.0f - sum);
    last = sample;
    if (sum > 0.95f)
      break;
    near += 0.01f;
    if (near > far)
      break;
  }
  pixels[y * w + x / share] = sum;
}

__global__ void pixels_ok(float *pixels, unsigned w, unsigned h, float density) { trace<1>(pixels, w, h, density); } // expect-clean
__global__ void pixels_bad(float *pixels, unsigned w, unsigned h, float density) { trace<2>(pixels, w, h, density); }
