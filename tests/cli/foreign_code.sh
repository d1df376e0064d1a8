# Findings in code of others, from the bundled headers, a toolkit's or -isystem folders, stand at the user's call.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
mkdir -p theirs/deep
cat >theirs/deep/put.h <<'CU'
#include "detail.h"
template <class T> __device__ void put(T *to, T value) {
  put_one(to, value);
}
CU
cat >theirs/deep/detail.h <<'CU'
template <class T> __device__ void put_one(T *to, T value) {
  *to = value;
}
CU
cat >user.cu <<'CU'
#include <deep/put.h>
#include <cooperative_groups.h>
__device__ void mine(int *out) {
  put(out + threadIdx.x / 2, (int)threadIdx.x);
}
__global__ void through(int *out) {
  mine(out);
}
int main() {
  int *d;
  cudaMalloc((void **)&d, 4096);
  through<<<1, 64>>>(d);
}
CU
run "$HGRD_CHECK" user.cu -- -isystem theirs
status_is 1
has out '^user.cu:4:3: warning: write to .out. ' && has out "^user.cu:7:3: note: in 'mine', called here"
has_not out 'theirs/'
run "$HGRD_CHECK" --format=json user.cu -- -isystem theirs/
has out '"file": "user.cu"' && has_not out '"file": "theirs'
# A folder of one's own is not foreign: the finding stands where the access is, with the calls that lead there.
run "$HGRD_CHECK" user.cu -- -Itheirs
status_is 1
has out '^theirs/deep/detail.h:2:7: warning: ' && has out "^user.cu:4:3: note: in 'put<int>', called here"
# A kernel of the others has no call of the user's around its accesses.
cat >theirs/kernel.h <<'CU'
__global__ void theirs(int *out) {
  out[threadIdx.x / 2] = threadIdx.x;
}
CU
cat >launch.cu <<'CU'
#include <kernel.h>
int main() {
  int *d;
  cudaMalloc((void **)&d, 4096);
  theirs<<<1, 64>>>(d);
}
CU
run "$HGRD_CHECK" launch.cu -- -isystem theirs
status_is 1 && has out '^theirs/kernel.h:2:24: warning: ' && has out '^launch.cu:5:3: note: launched here'

# Kernels in the headers of a toolkit are the library's: they are checked only if chosen. The twin lies elsewhere.
mkdir -p toolkit/include/lib app/include/lib
touch toolkit/include/cuda_runtime.h
printf 'template <class T> __global__ void fill(T *a) { a[threadIdx.x / 2] = threadIdx.x; }\n' | tee toolkit/include/lib/fill.cuh >app/include/lib/fill.cuh
printf '#include <lib/fill.cuh>\n__global__ void own(int *a) { a[threadIdx.x] = 1; }\nint main() {\n  int *a;\n  cudaMalloc(&a, 4096);\n  own<<<1, 64>>>(a);\n  fill<<<1, 64>>>(a);\n}\n' >uses.cu
CUDA_PATH=$PWD/toolkit run "$HGRD_CHECK" uses.cu -- -Itoolkit/include
status_is 0 && has err 'note: 1 kernel of libraries' && has out '^1 kernel: 1 race-free'
CUDA_PATH=$PWD/toolkit run "$HGRD_CHECK" --kernel=fill uses.cu -- -Itoolkit/include
status_is 1 && has out '^1 kernel: 0 race-free, 1 racy'
CUDA_PATH=$PWD/toolkit run "$HGRD_CHECK" uses.cu -- -Iapp/include
status_is 1 && is_empty err && has out '^2 kernels: 1 race-free, 1 racy'
