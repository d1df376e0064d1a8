// Each thread computes one column of a field, in steps whose number hangs on what it has read, behind many conditions on numbers that it has computed. Where
// it reads and writes hangs on its numbers and on rounds alone.
// ok: a column for each thread. bad: the rows of one plane begin after 59 of 60 places.
//@ verdict weather_ok: race-free
//@ verdict weather_bad: racy
#include <cuda_runtime.h>
enum { WIDTH = 60, HEIGHT = 46, LEVELS = 12, PLANE = WIDTH * HEIGHT };

__device__ int steps_of(float speed, int least) {
  int steps = (int)truncf(speed * 10.f + .5f + .5f);
  return steps < least ? least : steps;
}

template <int ROW> __device__ void weather(float *heat, float *water, float *rain, float *ice, float *share, const float *fall, const float *melt) {
  int i = threadIdx.x + blockIdx.x * 8, j = threadIdx.y + blockIdx.y * 8;
  if (i >= WIDTH || j >= HEIGHT) return;
  int at = i + j * WIDTH, of_share = i + j * ROW, steps = 1, most = 1;
  float own[LEVELS], first = 0, second = 0, third = 0;
  for (int k = 0; k < LEVELS; k++)
    own[k] = water[at + PLANE * k];
  for (int time = 1; time <= 1; time++) {
    for (int k = LEVELS - 1; k >= 0; k--) {
      float x = fall[at + PLANE * k], y = melt[at + PLANE * k];
      int here = steps_of(x < y ? y : x, 1);
      if (most <= here) most = here;
      if (steps <= here) steps = here;
    }
    float part = 1.f / steps;
    for (int s = 1; s <= steps; s++)
      for (int k = LEVELS - 1; k >= 0; k--) {
        float down = own[k] * fall[at + PLANE * k] * part;
        if (s <= most) {
          own[k] = own[k] - down > 0 ? own[k] - down : 0;
          first = down;
          second = down * melt[at + PLANE * k];
        }
        heat[at + PLANE * k] += first;
        water[at + PLANE * k] = own[k];
      }
    int again = 1;
    for (int k = LEVELS - 1; k >= 0; k--)
      again = steps_of(melt[at + PLANE * k], again);
    for (int s = 1; s <= again; s++)
      for (int k = 0; k < LEVELS; k++) {
        third += melt[at + PLANE * k] * own[k];
        heat[at + PLANE * k] -= third;
      }
    if (first + second + third > 0.f) {
      ice[at] = (first + second + third) * 1000.f;
      rain[at] = (first + second + third) * 1000.f + rain[at];
    }
    if (second + third > 0.f) ice[at] += second;
    share[of_share] = at; // expect-race
    if (first + second + third > 0.f) share[of_share] = (second + third) / (ice[at] + 1e-12f); // expect-race
    for (int k = 0; k < LEVELS; k++) {
      float above = heat[at + PLANE * k] - 273.f;
      if (above > 0 && own[k] > 0) {
        heat[at + PLANE * k] = above;
        water[at + PLANE * k] += above;
      }
      if (above < -40 && water[at + PLANE * k] > 0) {
        water[at + PLANE * k] = 0;
        heat[at + PLANE * k] += .5f * above;
      }
    }
  }
}

__global__ void weather_ok(float *h, float *w, float *r, float *i, float *s, const float *f, const float *m) { // expect-clean
  weather<WIDTH>(h, w, r, i, s, f, m);
}
__global__ void weather_bad(float *h, float *w, float *r, float *i, float *s, const float *f, const float *m) {
  weather<WIDTH - 1>(h, w, r, i, s, f, m);
}

int main() {
  float *field[7];
  for (int i = 0; i < 7; i++)
    cudaMalloc(&field[i], PLANE * LEVELS * 4);
  weather_ok<<<dim3(8, 6), dim3(8, 8)>>>(field[0], field[1], field[2], field[3], field[4], field[5], field[6]);
  weather_bad<<<dim3(8, 6), dim3(8, 8)>>>(field[0], field[1], field[2], field[3], field[4], field[5], field[6]);
}
