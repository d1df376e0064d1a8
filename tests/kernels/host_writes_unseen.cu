// Numbers and pointers of the host that a call changes beside what it is asked for. rows: a copy whose struct says that it goes to a variable of the
// host. error: a function of mathematics that is given what it cannot take. sign: lgamma. letters: a stream whose class is the program's.
//@ verdict rows_bad: racy
//@ verdict error_bad: racy
//@ verdict sign_bad: racy
//@ verdict letters_bad: racy
//@ known-miss rows_bad: where a copy of three dimensions goes is not read out of its struct
//@ known-miss sign_bad: lgamma is taken to set no signgam
//@ known-miss letters_bad: output is taken to change nothing but its stream
#include <cuda_runtime.h>
#include <cerrno>
#include <cmath>
#include <ostream>
#include <streambuf>

__global__ void rows_bad(const float *in, float *out) {
  if (threadIdx.x < 255) out[threadIdx.x] = in[threadIdx.x + 1]; // expect-race[rows]
}
__global__ void error_bad(float *out, int stride) {
  out[threadIdx.x * stride] = threadIdx.x; // expect-race[error]
}
__global__ void sign_bad(float *out, int stride) {
  out[threadIdx.x * stride] = threadIdx.x; // expect-race[sign]
}
__global__ void letters_bad(float *out, int stride) {
  out[threadIdx.x * stride] = threadIdx.x; // expect-race[letters]
}

void rows(void) {
  float *at[2];
  cudaMalloc(&at[0], 1024);
  cudaMalloc(&at[1], 1024);
  cudaMemcpy3DParms copy = {0};
  copy.srcPtr = make_cudaPitchedPtr(&at[1], 8, 8, 1);
  copy.dstPtr = make_cudaPitchedPtr(&at[0], 8, 8, 1);
  copy.extent = make_cudaExtent(8, 1, 1);
  copy.kind = cudaMemcpyHostToHost;
  cudaMemcpy3D(&copy);
  rows_bad<<<1, 256>>>(at[0], at[1]);
}

int *sign_of_gamma, stride = 1;

struct Letters : std::streambuf {
  int overflow(int letter) override {
    stride = 0;
    return letter;
  }
};

int main(int argc, char **) {
  float *out;
  rows();
  cudaMalloc(&out, 4096);
  errno = 1;
  double result = log(-1.0 * argc);
  error_bad<<<1, 64>>>(out, errno == 1 ? 1 : 0);
  sign_of_gamma = &signgam;
  *sign_of_gamma = 2;
  result += lgamma(0.5 * argc);
  sign_bad<<<1, 64>>>(out, *sign_of_gamma - 1);
  Letters letters;
  std::ostream to(&letters);
  to << 'a';
  letters_bad<<<1, 64>>>(out, stride);
  return result > 0;
}
