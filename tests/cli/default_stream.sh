# Whose default stream it is: one for each thread of the host is in order with no other stream, by whatever flag or text it is chosen.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
reuse_clang
program() { # STREAM of the launch that reads what another one computed
  cat <<CU
__global__ void reverse(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = n - 1 - i;
}
__global__ void scatter(int *a, const int *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[to[i]] = i;
}
int main() {
  int *a, *to;
  cudaStream_t stream;
  cudaMalloc(&a, 4000);
  cudaMalloc(&to, 4000);
  cudaStreamCreate(&stream);
  reverse<<<1, 256, 0, stream>>>(to, 256);
  scatter<<<1, 256, 0, $1>>>(a, to, 256);
  return 0;
}
CU
}
program 0 >default.cu
program stream >same.cu
ordered() { run "$HGRD_CHECK" "$@"; status_is 0; has out '^2 kernels: 2 race-free'; }
unordered() {
  run "$HGRD_CHECK" "$@"
  status_is 0
  has out "'scatter' is undecided: .* hangs on what 'to' holds, which kernel 'reverse' computes"
}

ordered default.cu
ordered default.cu -- -fgpu-default-stream=legacy
for flag in -DCUDA_API_PER_THREAD_DEFAULT_STREAM -DCUDA_API_PER_THREAD_DEFAULT_STREAM=1 -fgpu-default-stream=per-thread; do
  unordered default.cu -- "$flag"
  ordered same.cu -- "$flag"
done

# As a build says it.
mkdir build
command() { echo "[{\"directory\": \"$work\", \"file\": \"default.cu\", \"command\": \"$1 -c default.cu\"}]" >build/compile_commands.json; }
command 'nvcc --default-stream per-thread' && unordered -p build
command 'nvcc -default-stream=per-thread' && unordered -p build
command 'nvcc --default-stream legacy' && ordered -p build
command 'clang++ -fgpu-default-stream=per-thread' && unordered -p build

# In the text: in front of the headers in a file of the host's, for the whole program; nvcc has read them before the text of a .cu file.
printf '#define CUDA_API_PER_THREAD_DEFAULT_STREAM\n#include <cuda_runtime.h>\nint devices() { int n = 0; cudaGetDeviceCount(&n); return n; }\n' >host.cpp
unordered default.cu host.cpp
sed -i 1d host.cpp
ordered default.cu host.cpp
(printf '#define CUDA_API_PER_THREAD_DEFAULT_STREAM\n#include <cuda_runtime.h>\n'; program 0) >late.cu
ordered late.cu
