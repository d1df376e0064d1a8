// A struct with a pointer is put into a vector twice: a local object is trusted to be copied once (objects/stored_twice.c).
// The twin puts two structs there.
//@ verdict reversed: racy
//@ known-miss reversed: both elements of the vector are copies of one local struct, by way of an initialiser list
//@ verdict apart: race-free
#include <vector>

struct Part {
  float *data = nullptr;
  long sizes[6];
};

static Part make(long n) {
  Part part;
  float *memory;
  cudaMalloc(&memory, sizeof(float) * n);
  part.data = memory;
  part.sizes[0] = n;
  return part;
}

__global__ void reversed(const float *from, float *to, int n) { // no race is found
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[n - 1 - i];
}

__global__ void apart(const float *from, float *to, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[n - 1 - i];
}

std::vector<Part> both(const Part &x, const Part &y) {
  return {x, y};
}

int main() {
  Part x = make(100), y = make(100);
  std::vector<Part> v = both(x, x), w = both(x, y);
  reversed<<<1, 128>>>(v[0].data, v[1].data, 100);
  apart<<<1, 128>>>(w[0].data, w[1].data, 100);
}
