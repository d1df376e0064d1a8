// C's names for the mathematics of floats by way of `std::`, in device code: places that are the threads' own, and one that several share.
//@ verdict own: race-free
//@ verdict shared_one: racy
#include <cmath>

__global__ void own(float *p) { // expect-clean
  int i = threadIdx.x;
  p[(int)std::fmaxf((float)i, 0.0f)] = std::hypotf(p[i], 1.0f);
}

__global__ void shared_one(float *p) {
  int i = threadIdx.x;
  p[(int)std::fminf((float)i, 5.0f)] = (float)i; // expect-race
}

int main() {
  float *p;
  cudaMalloc(&p, 256 * sizeof *p);
  own<<<1, 256>>>(p);
  shared_one<<<1, 256>>>(p);
}
