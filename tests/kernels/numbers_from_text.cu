// Pointers in members of an object whose address has been given away, and numbers out of text: std::stof calls strtof through a
// pointer, which writes where it is told and nowhere else. text_ok: the pointers stay what they are. unknown_leans: the function is
// not seen, and may know the object: that the pointers are two allocations is an assumption then.
//@ verdict text_ok: race-free
//@ leans text_ok: !A2
//@ verdict unknown_leans: race-free
//@ leans unknown_leans: A2
#include <cuda_runtime.h>
#include <cstdlib>
#include <string>

__device__ void move(const float *in, float *out, float sum) {
  int i = threadIdx.x;
  if (i + 1 < 64)
    out[i] = in[i + 1] + sum;
}
__global__ void text_ok(const float *in, float *out, float sum) { move(in, out, sum); } // expect-clean
__global__ void unknown_leans(const float *in, float *out, float sum) { move(in, out, sum); } // expect-clean

extern float (*number)(const char *, char **);
struct Net {
  float *in, *out;
  int layers;
};
void know(Net *);

// As std::stof is made.
__attribute__((noinline)) float parse(float (*convert)(const char *, char **), const char *text) {
  char *end;
  float value = convert(text, &end);
  return end == text ? 0 : value;
}

void by_text(const std::string &text) {
  Net net;
  know(&net);
  cudaMallocManaged(&net.in, 64 * sizeof(float));
  cudaMallocManaged(&net.out, 64 * sizeof(float));
  float sum = 0;
  for (int k = 0; k < net.layers; k++)
    sum += std::stof(text) + parse(strtof, text.c_str());
  text_ok<<<1, 64>>>(net.in, net.out, sum);
}
void by_unknown(const std::string &text) {
  Net net;
  know(&net);
  cudaMallocManaged(&net.in, 64 * sizeof(float));
  cudaMallocManaged(&net.out, 64 * sizeof(float));
  float sum = 0;
  for (int k = 0; k < net.layers; k++)
    sum += parse(number, text.c_str());
  unknown_leans<<<1, 64>>>(net.in, net.out, sum);
}

int main(int argc, char **argv) {
  by_text(argv[1]);
  by_unknown(argv[1]);
}
