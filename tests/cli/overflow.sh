# --overflow=check: index arithmetic that the host bounds is shown to stay in its width; else the report says what not.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
grid() { # grid FACT: a kernel over w * h elements, and what the host knows of them
  cat <<CU
#include <cassert>
__global__ void add(int *a, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) a[y * w + x] = x;
}
void run(int *a, int w, int h) {
  assert($1);
  add<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(a, w, h);
}
CU
}
grid 'w > 0 && h > 0 && (long long)w * h <= 1 << 24' >bounded.cu
grid 'w > 0 && h > 0 && (long long)w * h <= 1LL << 34' >large.cu

for file in bounded large; do
  run "$HGRD_CHECK" -v $file.cu
  status_is 0
  has out 'overflow \[A1\]'
  has_not out 'not shown'
  run "$HGRD_CHECK" -v --overflow=assume $file.cu
  has out 'overflow \[A1\]'
done

run "$HGRD_CHECK" -v --overflow=check bounded.cu
status_is 0
has out 'is race-free'
has_not out '\[A1\]'

run "$HGRD_CHECK" -v --overflow=check large.cu
status_is 0
has out 'is race-free'
has out "kernel 'add': not shown to stay in its width \[A1\]: .*, in 32 bits"
has out 'overflow \[A1\]'
run "$HGRD_CHECK" --format=json --overflow=check large.cu
has out '"overflow": ".*, in 32 bits"'

run "$HGRD_CHECK" --overflow=maybe large.cu
status_is 2
has err "--overflow: 'maybe' is none of assume, check"
run "$HGRD_CHECK" --help
has out '--overflow=assume\|check'
