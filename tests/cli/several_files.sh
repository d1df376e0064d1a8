# Files given together are one program: what the caller in one file asserts is a fact for the launch in another.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1

cat >kernel.cu <<'CU'
#include "mirror.h"
__global__ void mirror_lower(float *a, int rows, int cols) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && col < row)
    a[col * cols + row] = a[row * cols + col];
}
void mirror(float *a, int rows, int cols) {
  mirror_lower<<<dim3((cols + 15) / 16, (rows + 15) / 16), dim3(16, 16)>>>(a, rows, cols);
}
CU
echo 'void mirror(float *a, int rows, int cols);' >mirror.h
cat >main.cpp <<'CU'
#include "mirror.h"
#include <cassert>
#include <cuda_runtime.h>
int main(int argc, char **argv) {
  int rows = argc, cols = argv[0][0];
  float *a;
  cudaMalloc((void **)&a, 1 << 20);
  assert(rows == cols);
  mirror(a, rows, cols);
  return 0;
}
CU
sed '/  assert/d' main.cpp >careless.cpp

run "$HGRD_CHECK" kernel.cu main.cpp
status_is 0 && has out '1 race-free'
run "$HGRD_CHECK" main.cpp kernel.cu
status_is 0 && has out '1 race-free'
run "$HGRD_CHECK" kernel.cu careless.cpp
status_is 1 && has out 'kernel\.cu:6:'
run "$HGRD_CHECK" kernel.cu # `mirror` is visible outside: its callers may pass anything
status_is 1 && has out 'kernel\.cu:6:'
