// Two pointers out of an array of structs that a loop shifts: the host code may have put one into both (promised_bad: told, possible). The kernel declares
// one of them __restrict__, or both: then its own text says that they are not one (ok; A2, told beside the verdict). What the program is seen to hand on as
// both races all the same: one pointer twice (broken), one under a condition (kept). Two that are not declared so may be one, though a third one is
// (third_bad), and so may one in a struct (member_bad).
//@ verdict promised_ok: race-free
//@ leans promised_ok: A2
//@ verdict promised_bad: racy
//@ verdict written_ok: race-free
//@ leans written_ok: A2
//@ verdict read_ok: race-free
//@ leans read_ok: A2
//@ verdict third_bad: racy
//@ verdict member_bad: racy
//@ verdict broken_bad: racy
//@ verdict kept_bad: racy
#include <cuda_runtime.h>

struct State {
  float *real, *imag;
};

__device__ void shift(float *to, const float *from) {
  to[threadIdx.x] = from[(threadIdx.x + 1) % 64]; // expect-race[shift]
}
__global__ void promised_ok(float *__restrict__ to, const float *__restrict__ from) { shift(to, from); } // expect-clean
__global__ void promised_bad(float *to, const float *from) { shift(to, from); }
__global__ void written_ok(float *__restrict__ to, const float *from) { shift(to, from); } // expect-clean
__global__ void read_ok(float *to, const float *__restrict__ from) { shift(to, from); }    // expect-clean
__global__ void third_bad(float *to, const float *from, float *__restrict__ third) {
  shift(to, from);
  third[threadIdx.x] = 0;
}
__global__ void member_bad(State a, const State b) { shift(a.real, b.imag); }
__global__ void broken_bad(float *__restrict__ to, const float *__restrict__ from) { shift(to, from); }
__global__ void kept_bad(float *__restrict__ to, const float *__restrict__ from) { shift(to, from); }

int main(int argc, char **) {
  State a[4], two;
  float *third;
  for (int i = 0; i < 4; i++) {
    cudaMalloc((void **)&a[i].real, 64 * sizeof(float));
    cudaMalloc((void **)&a[i].imag, 64 * sizeof(float));
  }
  cudaMalloc((void **)&two.real, 64 * sizeof(float));
  cudaMalloc((void **)&third, 64 * sizeof(float));
  for (int t = 0; t < argc; t++) {
    State first = a[0];
    for (int i = 0; i < 3; i++)
      a[i] = a[i + 1];
    a[3] = first;
    promised_ok<<<1, 64>>>(a[0].real, a[1].imag);
    promised_bad<<<1, 64>>>(a[0].real, a[1].imag);
    written_ok<<<1, 64>>>(a[0].real, a[1].imag);
    read_ok<<<1, 64>>>(a[0].real, a[1].imag);
    third_bad<<<1, 64>>>(a[0].real, a[1].imag, third);
    member_bad<<<1, 64>>>(a[0], a[1]);
    broken_bad<<<1, 64>>>(a[0].real, a[0].real);
  }
  two.imag = argc > 1 ? two.real : a[0].imag;
  kept_bad<<<1, 64>>>(two.real, two.imag);
  return 0;
}
