// A class keeps a pitch that is no less than its columns: the constructor asks for it, resize() raises it. By which way resize() went is more than
// is followed here, so that a pitch that is too small is a guess (possible): that two threads stay inside of their object with the guess, and do not
// with the true number, says nothing of which one it is. Where resize() does not raise it, the race is definite.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>
#include <stdexcept>
#include <stdlib.h>

template <bool RAISES> class Matrix {
  float *data = nullptr;
  int rows, columns, pitch;

public:
  Matrix(int r, int c, int p) : rows(r), columns(c), pitch(p) {
    if (p < c) throw std::invalid_argument("pitch");
    cudaMalloc(&data, (size_t)r * p * sizeof(float));
  }
  void resize(int r, int c) {
    if (RAISES && c > pitch) pitch = c;
    columns = c;
    rows = r;
  }
  float *begin() const { return data; }
  int height() const { return rows; }
  int width() const { return columns; }
  int stride() const { return pitch; }
};

//@ verdict guessed_ok: race-free
//@ known-false-alarm guessed_ok: which of two numbers a method leaves, each of which comes out of a choice, is not followed
__global__ void guessed_ok(float *data, int columns, int pitch) { // expect-clean
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < columns) data[(size_t)blockIdx.y * pitch + x] += x;
}

//@ verdict plain_bad: racy
__global__ void plain_bad(float *data, int columns, int pitch) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < columns) data[(size_t)blockIdx.y * pitch + x] += x; // expect-race{{ definite }}
}

static int number(char **text, int i) {
  return text[i] ? atoi(text[i]) : 0;
}

int main(int argc, char **argv) {
  Matrix<true> raised(number(argv, 1), number(argv, 2), number(argv, 3));
  raised.resize(number(argv, 4), number(argv, 5));
  if (raised.height() >= 1 && raised.width() >= 1)
    guessed_ok<<<dim3((raised.width() + 63) / 64, raised.height()), 64>>>(raised.begin(), raised.width(), raised.stride());
  Matrix<false> left(atoi(argv[1]), atoi(argv[2]), atoi(argv[3]));
  left.resize(atoi(argv[4]), atoi(argv[5]));
  if (left.height() >= 1 && left.width() >= 1)
    plain_bad<<<dim3((left.width() + 63) / 64, left.height()), 64>>>(left.begin(), left.width(), left.stride());
  return cudaDeviceSynchronize();
}
