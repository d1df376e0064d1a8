// What kernels get pointers to: allocations by site, chain and iteration, offsets, arrays of pointers, swaps.
#include <cstdlib>
#include <utility>

__device__ float table[256];
__global__ void two(float *a, float *b, int n) { a[n] = b[n]; }
__global__ void one(float *a) { a[0] = 0; }
__global__ void three(float *a, float *b, float *c) { a[0] = b[0] + c[0]; }

static float *make(int n) {
  float *p;
  cudaMalloc(&p, n * sizeof(float));
  return p;
}

struct Buffers {
  float *in, *out;
  int n;
};

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  float *x = make(n), *y = make(n);
  two<<<1, 32>>>(x, y, 1);
  two<<<1, 32>>>(x, x + n, 2);
  two<<<1, 32>>>(x, nullptr, 3);

  float *d[4];
  for (int i = 0; i < 4; i++) cudaMalloc(&d[i], n * sizeof(float));
  two<<<1, 32>>>(d[0], d[1], 4);
  for (int i = 0; i < 3; i++) two<<<1, 32>>>(d[i], d[i + 1], 5);
  int cur = 0;
  for (int t = 0; t < n; t++) {
    two<<<1, 32>>>(d[cur], d[1 - cur], 6);
    cur = 1 - cur;
  }

  Buffers buf;
  buf.n = n;
  cudaMalloc(&buf.in, n * sizeof(float));
  cudaMalloc(&buf.out, n * sizeof(float));
  for (int t = 0; t < n; t++) {
    two<<<1, 32>>>(buf.in, buf.out, 7);
    std::swap(buf.in, buf.out);
  }

  float *src = x, *dst = y;
  for (int t = 0; t < n; t++) {
    two<<<1, 32>>>(src, dst, 8);
    float *tmp = src;
    src = dst;
    dst = tmp;
  }
  two<<<1, 32>>>(src, dst, 9);

  float *t0 = make(1), *t1 = make(2), *t2 = make(3);
  for (int t = 0; t < n; t++) {
    three<<<1, 32>>>(t0, t1, t2);
    float *s = t0;
    t0 = t1;
    t1 = t2;
    t2 = s;
  }

  float *dev_table, *h, *mapped;
  cudaGetSymbolAddress((void **)&dev_table, table);
  one<<<1, 1>>>(dev_table + 4);
  cudaHostAlloc((void **)&h, 64, 0);
  cudaHostGetDevicePointer((void **)&mapped, h, 0);
  one<<<1, 2>>>(mapped);
  one<<<1, 3>>>(n > 3 ? x : y);
  return 0;
}

//@ launch: two<<<1, 32>>>(x, y, 1)
//@ has: object  x: allocation of n * 4 bytes
//@ launch: , 2)
//@ has: arg 1   x + n * 4
//@ launch: , 3)
//@ has: arg 1   null
//@ launch: two<<<1, 32>>>(d[0], d[1], 4)
//@ lacks: unknown pointer
//@ lacks: undecided:
//@ launch: two<<<1, 32>>>(d[i], d[i + 1], 5)
//@ lacks: unknown pointer
//@ launch: two<<<1, 32>>>(d[t & 1], 
//@ has: arg 1   d[1 - (t & 1)]
//@ lacks: unknown pointer
//@ launch: , 7)
//@ has: arg 0   (t & 1) == 0 ? buf : buf.out
//@ has: arg 1   (t & 1) == 0 ? buf.out : buf
//@ launch: , 8)
//@ has: arg 0   (t & 1) == 0 ? x : y
//@ launch: , 9)
//@ has: arg 0   (t & 1) == 0 ? x : y
//@ launch: three<<<
//@ has: t % 3 == 0 ? t0 : t % 3 == 1 ? t1 : t2
//@ launch: one<<<1, 1>>>
//@ has: arg 0   table + 16
//@ has: object  table: variable
//@ launch: one<<<1, 2>>>
//@ has: arg 0   h
//@ launch: one<<<1, 3>>>
//@ has: arg 0   3 < n ? x : y
