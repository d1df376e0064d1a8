// In a program with main, functions are entered through their callers; what was inlined is not met again by itself.
#include <cassert>
#include <cstdlib>

__global__ void k(float *d, int n) { d[n] = 0; }
__global__ void unused(float *d, int n) { d[n] = 0; }

void run(float *d, int n) { k<<<n / 16, 16>>>(d, n); }
void never_called(float *d, int n) { unused<<<n, 8>>>(d, n); }
template <typename T> void templated(T *d, int n) { k<<<n / 32, 32>>>(d, n); }
static int callback(void *p) {
  k<<<1, 48>>>((float *)p, 3);
  return 0;
}
extern void register_callback(int (*f)(void *));

int main(int argc, char **argv) {
  float *d;
  int n = atoi(argv[1]);
  assert(n % 16 == 0);
  cudaMalloc(&d, n * sizeof(float));
  run(d, n);
  templated(d, n);
  register_callback(callback);
}

//@ launch: k<<<n / 16, 16>>>
//@ count: 1
//@ has: [assert] n % 16 == 0
//@ launch: unused<<<n, 8>>>
//@ count: 1
//@ lacks: [assert]
//@ launch: k<<<n / 32, 32>>>
//@ count: 1
//@ has: [assert] n % 16 == 0
//@ launch: k<<<1, 48>>>
//@ count: 1
