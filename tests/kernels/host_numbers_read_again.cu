// Numbers that are read from one text more than once are one number: that a witness takes them for different ones is no run (possible), and likewise what a function of
// the library makes of numbers alone, such as how many characters it writes. Numbers of other texts, or of other places of one, may be any (definite).
//   scanned: n by atoi, the other by sscanf. parsed: both by atoi. other: from the next argument. pair: two numbers by one call. alone: nothing else is read from there.
//   printed: the length of what is printed of n.
//@ verdict scanned: racy
//@ verdict parsed: racy
//@ verdict other: racy
//@ verdict pair: racy
//@ verdict alone: racy
//@ verdict printed: racy
#include <cstdio>
#include <cstdlib>

__global__ void scanned(int *a, int w, int stride) { if (threadIdx.x < w) a[blockIdx.x * stride + threadIdx.x] = blockIdx.x; } // expect-race[inter-block, possible]
__global__ void parsed(int *a, int w, int stride) { if (threadIdx.x < w) a[blockIdx.x * stride + threadIdx.x] = blockIdx.x; }  // expect-race[inter-block, possible]
__global__ void other(int *a, int w, int stride) { if (threadIdx.x < w) a[blockIdx.x * stride + threadIdx.x] = blockIdx.x; }   // expect-race[inter-block, definite]
__global__ void pair(int *a, int w, int stride) { if (threadIdx.x < w) a[blockIdx.x * stride + threadIdx.x] = blockIdx.x; }    // expect-race[inter-block, definite]
__global__ void alone(int *a, int w, int stride) { if (threadIdx.x < w) a[blockIdx.x * stride + threadIdx.x] = blockIdx.x; }   // expect-race[inter-block, definite]
__global__ void printed(int *a, int w, int stride) { if (threadIdx.x < w) a[blockIdx.x * stride + threadIdx.x] = blockIdx.x; } // expect-race[inter-block, possible]

int main(int argc, char **argv) {
  char text[20];
  int *a, n = atoi(argv[1]), s, p, q;
  if (n < 1 || n > 1000) return 1;
  cudaMalloc(&a, 4u << 20);
  if (sscanf(argv[1], "%d", &s) != 1 || sscanf(argv[3], "%d,%d", &p, &q) != 2) return 1;
  scanned<<<10, n>>>(a, n, s);
  parsed<<<10, n>>>(a, n, atoi(argv[1]));
  other<<<10, n>>>(a, n, atoi(argv[2]));
  pair<<<10, p>>>(a, p, q);
  alone<<<10, 32>>>(a, 32, s);
  printed<<<10, n>>>(a, n, n + snprintf(text, sizeof text, "%d", n));
  return cudaDeviceSynchronize();
}
