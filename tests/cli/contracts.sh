# Kernels that were written for other verifiers: contracts in the text, dimensions in comments.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1

cat >contract.cu <<'CU'
//pass
//--blockDim=64 --gridDim=[4,1]
#include <cuda.h>
__global__ void scale(int *a, int rows, int step) {
  __requires(step >= 64 & __implies(rows > 1, step % 2 == 0));
  __requires(__no_read(a));
  for (int i = 0; __invariant(i >= 0), __global_invariant(__write_implies(a, true)), i < rows; i++)
    a[(blockIdx.x * rows + i) * step + threadIdx.x] = threadIdx.x;
  __assert(a[0] == 0);
}
CU
for cuda in none "${CUDA_PATH:-none}"; do
  run "$HGRD_CHECK" --cuda-path="$cuda" contract.cu
  status_is 0 && has out '1 race-free' && has out 'checked as scale<<<dim3\(4, 1\), 64>>>|checked as scale<<<4, 64>>>'
  has err 'contract\.cu: has contracts for another verifier' && has err 'contract\.cu:2:1: note: .* dimensions of this comment'
done
# The requirement counts, and so do the dimensions: each twin is racy.
sed 's/step >= 64/step >= 63/' contract.cu >narrow.cu
run "$HGRD_CHECK" narrow.cu
status_is 1 && has out 'narrow\.cu:8:.* races with'
sed 's/blockDim=64/blockDim=65/' contract.cu >wide.cu
run "$HGRD_CHECK" wide.cu
status_is 1 && has out 'wide\.cu:8:.* races with'
run "$HGRD_CHECK" --block-dim=65 contract.cu # what the command line says comes first
status_is 1 && has out 'contract\.cu:8:.* races with'
# What claims nothing that is understood proves nothing, and a contradiction neither.
sed 's/step >= 64.*$/__read(a) \& !__read(a));/' contract.cu >claims.cu
run "$HGRD_CHECK" claims.cu
status_is 1 && has out 'claims\.cu:8:.* races with'

# Comments behind the first line of code, and those that are no dimensions.
sed '2d' contract.cu >later.cu && echo '//--blockDim=64' >>later.cu
run "$HGRD_CHECK" later.cu
status_is 1 && has_not err 'dimensions of this comment'
sed 's/blockDim=64/blockDim=many/; s/\[4,1\]/0/' contract.cu >odd.cu
run "$HGRD_CHECK" odd.cu
status_is 1 && has err "odd\.cu:2:1: warning: the comment's '--blockDim=many' is no dimension" && has err "'--gridDim=0' is no dimension"
sed 's/blockDim=64/blockDim=1024,2/' contract.cu >large.cu
run "$HGRD_CHECK" large.cu
has err "'--blockDim=1024,2' is no dimension"

# Where the host code says it, comments do not, and names of the program's own are its own.
cat >own.cu <<'CU'
//--blockDim=64
#define __requires(x) x
__global__ void fill(int *a) { __requires(a[threadIdx.x] = threadIdx.x); }
int main() {
  int *a;
  cudaMalloc((void **)&a, 4096);
  fill<<<1, 128>>>(a);
}
CU
run "$HGRD_CHECK" -v own.cu
status_is 0 && has out '1 race-free' && has_not err 'dimensions of this comment' && has_not err 'contracts'
