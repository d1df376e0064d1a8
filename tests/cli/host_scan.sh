# What the host scan says of the programs in tests/host is what stands in them.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
for file in "$HGRD_ROOT"/tests/host/*.cu; do
  run "$HGRD_ROOT/tests/host/run" "$HGRD_CHECK" "$file"
  [[ $status -eq 0 ]] || complain "${file##*/}"
done

# A launch that two ways lead to is told of once.
cat >twice.cu <<'CU'
__global__ void fill(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
typedef void (*Kernel)(int *);
Kernel pick(int n);
__attribute__((noinline)) void start(int *a, int n) {
  Kernel kernel = pick(n);
  kernel<<<4, 64>>>(a);
}
int main(int argc, char **argv) {
  int *a;
  cudaMalloc((void **)&a, 4096);
  start(a, argc);
  start(a, argc + 1);
  fill<<<4, 64>>>(a);
}
CU
run "$HGRD_CHECK" --dump=host twice.cu
status_is 0
[[ $(cat out err | grep -c 'a pointer of unknown value') -eq 1 ]] || complain 'one launch, told of more or less than once'
