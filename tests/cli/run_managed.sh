# A __managed__ variable is one of both sides: what the host stores the kernel sees, and the other way round, also through a pointer. A
# __device__ variable (the twin) is not: what the host reads under its name is another one.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
cat >managed.cu <<'CU'
#include <cstdio>
__managed__ int counter = 3;
KIND float values[4];
__global__ void step(float *p) {
  counter += 1;
  p[1] = 7;
  values[2] = counter;
}
int main() {
  void *address = nullptr;
  float there[4];
  cudaGetSymbolAddress(&address, values);
  values[0] = 2;
  step<<<1, 1>>>((float *)address);
  cudaMemcpyFromSymbol(there, values, sizeof there);
  printf("%d %d %g %g %g\n", counter, address == (void *)values, there[0], there[1], there[2]);
  counter = 10;
  step<<<1, 1>>>((float *)address);
  cudaDeviceSynchronize();
  printf("%d %s\n", counter, cudaGetErrorString(cudaGetLastError()));
}
CU
run "$HGRD_BUILD/hgrd-run" managed.cu -- -DKIND=__managed__
status_is 0
has out '^4 1 2 7 4$'
has out '^11 no error$'
run "$HGRD_BUILD/hgrd-run" managed.cu -- -DKIND=__device__
status_is 0
has out '^4 0 0 7 4$'
has out '^11 no error$'
