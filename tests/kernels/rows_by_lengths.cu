// Rows of a table that the host lays out: each begins where the one before ends, and how long it is stands in another array. Whole rows
// (plain), rows that are longer than what is used of them (padded), and such as are shorter by one now and then (bad). shifted: lengths that
// stand one place off (bad).
//@ verdict fill<0>: race-free
//@ verdict fill<1>: race-free
//@ verdict mark<2>: racy
//@ verdict mark<3>: racy
#include <cstdlib>

__device__ void row(const long *first, const int *length, unsigned short *out, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= n) return;
  int begin = first[r], end = begin + length[r];
  for (int i = begin; i < end; i++)
    out[i] = r; // expect-race
}
template <int which> __global__ void fill(const long *first, const int *length, unsigned short *out, int n) { // expect-clean
  row(first, length, out, n);
}
template <int which> __global__ void mark(const long *first, const int *length, unsigned short *out, int n) {
  row(first, length, out, n);
}

template <int which> void lay_out(int n) {
  int *length = (int *)malloc((n + 1) * sizeof(int)), *d_length;
  long *first = (long *)malloc((n + 1) * sizeof(long)), *d_first;
  unsigned short *out;
  first[0] = 0;
  for (int i = 0; i < n; i++) {
    int used = rand() % 100;
    length[i] = used;
    first[i + 1] = first[i] + (which == 1 ? used / 16 * 16 + 16 : which == 2 ? used / 2 * 2 : used);
  }
  cudaMalloc(&d_length, (n + 1) * sizeof(int));
  cudaMalloc(&d_first, (n + 1) * sizeof(long));
  cudaMalloc(&out, (first[n] + 1) * sizeof(short));
  cudaMemcpy(d_length, length, n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(d_first, first, (n + 1) * sizeof(long), cudaMemcpyHostToDevice);
  if constexpr (which < 2)
    fill<which><<<(n + 127) / 128, 128>>>(d_first, d_length, out, n);
  else if constexpr (which == 2)
    mark<which><<<(n + 127) / 128, 128>>>(d_first, d_length, out, n);
  else
    mark<which><<<(n + 127) / 128, 128>>>(d_first, d_length + 1, out, n - 1);
}
int main(int argc, char **argv) {
  lay_out<0>(atoi(argv[1]));
  lay_out<1>(atoi(argv[1]));
  lay_out<2>(atoi(argv[1]));
  lay_out<3>(atoi(argv[1]));
}
