// Sizes and shapes in variables of the program: threads that only look at their x write one element each.
//   shaped: set by the program's own constructors before main, from another variable, and by nothing else.
//           In the twins the constructor asks for the second axis (drawn), main sets it (turned), or a pointer does (aliased).
//   filled: memory of the host is filled through pointers out of an array, which may point anywhere but to the shape.
//           In the twin the shape's own address is among them.
//@ verdict shaped_ok: race-free
//@ verdict drawn_bad: racy
//@ verdict turned_bad: racy
//@ verdict aliased_bad: racy
//@ verdict filled_ok: race-free
//@ verdict filled_bad: racy
#include <cstdlib>
#include <cstring>

int width = 1 << 8;
dim3 shape(width / 4, 1, 1);
dim3 drawn(64, rand() % 4 + 1, 1);
dim3 turned(width / 4, 1, 1);
dim3 aliased(width / 4, 1, 1);
dim3 filled(width / 4, 1, 1);
dim3 pointed(width / 4, 1, 1);
dim3 *alias = &aliased;
void *parts[4], *others[4] = {&pointed, &pointed, &pointed, &pointed};

__global__ void shaped_ok(int *out) { // expect-clean
  out[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x + threadIdx.y;
}
__global__ void drawn_bad(int *out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x + threadIdx.y; // expect-race
}
__global__ void turned_bad(int *out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x + threadIdx.y; // expect-race
}
__global__ void aliased_bad(int *out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x + threadIdx.y; // expect-race
}
__global__ void filled_ok(int *out) { // expect-clean
  out[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x + threadIdx.y;
}
__global__ void filled_bad(int *out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x + threadIdx.y; // expect-race
}

int main(int argc, char **argv) {
  int *out = nullptr;
  cudaMalloc((void **)&out, 1 << 20);
  shaped_ok<<<16, shape>>>(out);
  drawn_bad<<<16, drawn>>>(out);
  turned.y = argc;
  turned_bad<<<16, turned>>>(out);
  alias->y = argc;
  aliased_bad<<<16, aliased>>>(out);
  for (int i = 0; i < 4; i++)
    cudaMallocHost(&parts[i], width);
  for (int i = 0; i < 4; i++)
    memset(parts[i], argc, width);
  filled_ok<<<16, filled>>>(out);
  memset(others[argc & 3], argc, sizeof pointed);
  filled_bad<<<16, pointed>>>(out);
  return 0;
}
