// Classes with a name beside their arrays: what the library does to strings and streams changes no pointer of the program.
// joined: a name that is put together (ok); the arrays are one (bad). read: from files of that name, in a loop that also fills a list (ok, bad).
// copied: a stride out of a buffer that a string copies its letters to (bad), or does not (ok).
// told: the name goes to a stream (ok), behind it code that is not seen is given the object (bad).
//@ verdict copied_ok: race-free
//@ verdict copied_bad: racy
//@ verdict joined_ok: race-free
//@ verdict joined_bad: racy
//@ verdict read_ok: race-free
//@ verdict read_bad: racy
//@ verdict told_ok: race-free
//@ verdict told_bad: racy
#include <fstream>
#include <iostream>
#include <string>
#include <vector>
__device__ void shift(float *y, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i + 1]; // expect-race[shift]
}
__global__ void joined_ok(float *y, const float *x, int n) { shift(y, x, n); } // expect-clean
__global__ void joined_bad(float *y, const float *x, int n) { shift(y, x, n); }
__global__ void read_ok(float *y, const float *x, int n) { shift(y, x, n); } // expect-clean
__global__ void read_bad(float *y, const float *x, int n) { shift(y, x, n); }
__global__ void told_ok(float *y, const float *x, int n) { shift(y, x, n); } // expect-clean
__global__ void told_bad(float *y, const float *x, int n) { shift(y, x, n); }
__global__ void copied_ok(int *a, int stride) { // expect-clean
  a[threadIdx.x * stride] = threadIdx.x;
}
__global__ void copied_bad(int *a, int stride) {
  a[threadIdx.x * stride] = threadIdx.x; // expect-race
}

struct Layer {
  std::string name;
  int n;
  float *x, *y;
  std::vector<float *> weights;
  Layer(const std::string &base, int n) : n(n) {
    name = base + "/" + std::to_string(n);
    cudaMalloc(&x, (n + 1) * sizeof(float));
    cudaMalloc(&y, n * sizeof(float));
    name += ".layer";
  }
};
struct Loaded {
  std::string name;
  int n;
  float *x, *y, *z;
  std::vector<float *> weights;
  Loaded(const std::string &base, int n) : n(n) {
    name = base;
    cudaMalloc(&x, (n + 1) * sizeof(float));
    cudaMalloc(&y, n * sizeof(float));
    for (int l = 0; l < n / 100; l++) {
      std::string file = name + ".weights";
      float *w;
      cudaMalloc(&w, 4096);
      weights.push_back(w);
    }
    z = x;
  }
};
void adapt(Layer *layer, float *other);

void copied(const std::string &text, int *a) {
  char digits[2] = {'1', 0};
  copied_ok<<<1, 64>>>(a, digits[0] - '0');
  text.copy(digits, 1);
  copied_bad<<<1, 64>>>(a, digits[0] - '0');
}

int main(int argc, char **argv) {
  int *numbers;
  cudaMalloc(&numbers, 1 << 20);
  copied(argv[1], numbers);
  Layer layer(argv[1], 1000);
  joined_ok<<<4, 256>>>(layer.y, layer.x, layer.n);
  joined_bad<<<4, 256>>>(layer.x, layer.x, layer.n);
  Loaded loaded(argv[1], 1000);
  read_ok<<<4, 256>>>(loaded.y, loaded.x, loaded.n);
  read_bad<<<4, 256>>>(loaded.z, loaded.x, loaded.n);
  Layer told(argv[2], 1000);
  std::cout << told.name << told.n << std::endl;
  told_ok<<<4, 256>>>(told.y, told.x, told.n);
  adapt(&told, told.x);
  told_bad<<<4, 256>>>(told.y, told.x, told.n);
  cudaDeviceSynchronize();
}
