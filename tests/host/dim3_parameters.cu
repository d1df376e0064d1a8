// dim3 by value, by reference, and in a struct, into functions that stay functions (they call each other): x, y and z
// arrive by themselves.
#include <cstdio>

__global__ void k(float *d, int n) { d[n] = 0; }
struct Shape {
  dim3 grid, block;
  int n;
};
extern "C" void by_value(dim3 grid, dim3 block, float *d, int n) { k<<<grid, block>>>(d, n); }
static void by_reference(const dim3 &grid, dim3 &block, float *d, int n);
static void in_struct(const Shape &shape, float *d) {
  if (shape.n == 12345) by_reference(shape.grid, const_cast<dim3 &>(shape.block), d, 6);
  k<<<shape.grid, shape.block>>>(d, shape.n);
}
static void by_reference(const dim3 &grid, dim3 &block, float *d, int n) {
  if (n == 12345) {
    Shape shape = {grid, block, 3};
    in_struct(shape, d);
  }
  k<<<grid, block>>>(d, n);
}
void call_by_reference(float *d, int n) {
  dim3 grid((n + 15) / 16, 7), block(16, 4);
  by_reference(grid, block, d, n);
}
void call_in_struct(float *d, int n) {
  Shape shape = {dim3(n), dim3(64), 77};
  in_struct(shape, d);
}
void through_a_reference_that_is_changed(float *d, int n) {
  dim3 grid(n), block(32);
  dim3 &other = block;
  other.y = 2;
  k<<<grid, block>>>(d, 5);
}

//@ launch: k<<<dim3(grid.x, grid.y, grid.z), dim3(block.x, block.y, block.z)>>>(d, n)
//@ launch: k<<<dim3((n + 15) / 16, 7), dim3(16, 4)>>>(d, n)
//@ launch: k<<<n, 64>>>(d, 77)
//@ launch: k<<<n, dim3(32, 2)>>>(d, 5)
