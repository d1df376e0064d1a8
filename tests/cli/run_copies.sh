# hgrd-run: asynchronous copies are made at the wait for them, and who touches one that is under way is told; copies that
# complete on a barrier object, and copies by PTX. Of each form one that is right, and its twin that does not wait.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
hgrd_run=$HGRD_BUILD/hgrd-run
cat >copies.cu <<'CU'
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cstdio>
#include <cstdlib>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;
template <bool Waits> __global__ void group(int *out, const int *in) {
  __shared__ int s[64];
  cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, s, in, sizeof s);
  if (Waits) cg::wait(block);
  else __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x];
}
template <bool Waits> __global__ void thread(int *out, const int *in) { // whose own copy it is
  __shared__ int s[64];
  __pipeline_memcpy_async(&s[63 - threadIdx.x], &in[threadIdx.x], sizeof(int));
  __pipeline_commit();
  if (Waits) __pipeline_wait_prior(0);
  out[63 - threadIdx.x] = s[63 - threadIdx.x];
}
template <bool Waits> __global__ void stages(int *out, const int *in) { // the newest group goes on
  __shared__ int s[2][64];
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  for (int i = 0; i < 2; i++) {
    pipe.producer_acquire();
    cuda::memcpy_async(&s[i][threadIdx.x], &in[threadIdx.x], sizeof(int), pipe);
    pipe.producer_commit();
  }
  pipe.consumer_wait();
  __syncthreads();
  out[threadIdx.x] = s[Waits ? 0 : 1][63 - threadIdx.x];
  pipe.consumer_wait();
}
template <bool Waits> __global__ void source(int *out, int *in) {
  __shared__ int s[64];
  __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], sizeof(int));
  __pipeline_commit();
  if (Waits) __pipeline_wait_prior(0);
  int old = in[threadIdx.x];
  in[threadIdx.x] = 0;
  __pipeline_wait_prior(0);
  in[threadIdx.x] = old;
  __syncthreads();
  out[threadIdx.x] = Waits ? s[63 - threadIdx.x] : 3 * (63 - (int)threadIdx.x);
}
template <bool Waits> __global__ void object(int *out, const int *in) {
  __shared__ int s[64];
  __shared__ cuda::barrier<cuda::thread_scope_block> full;
  if (threadIdx.x == 0) init(&full, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(cg::this_thread_block(), s, in, sizeof s, full);
  cuda::barrier<cuda::thread_scope_block>::arrival_token token = full.arrive();
  if (Waits) full.wait(std::move(token));
  out[threadIdx.x] = s[63 - threadIdx.x];
}
template <bool Waits> __global__ void ptx(int *out, const int *in) {
  __shared__ int s[64];
  unsigned to = (unsigned)__cvta_generic_to_shared(&s[threadIdx.x]);
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(in + threadIdx.x), "n"(4));
  asm volatile("cp.async.commit_group;");
  if (Waits) asm volatile("cp.async.wait_group 0;");
  asm volatile("bar.sync 0;");
  out[threadIdx.x] = s[63 - threadIdx.x];
}
int main() {
  int *in, *out, host[64], got[64], wrong = 0;
  for (int i = 0; i < 64; i++)
    host[i] = 3 * i;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  KERNEL<WAITS><<<1, 64>>>(out, in);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; i++)
    wrong += got[i] != host[63 - i];
  printf("%d wrong\n", wrong);
  return cudaGetLastError();
}
CU
for kernel in group thread stages source object ptx; do
  run "$hgrd_run" --all copies.cu -- "-DKERNEL=$kernel" -DWAITS=true
  status_is 0
  has out '^0 wrong$'
  has err ': 0 races'
  run "$hgrd_run" copies.cu -- "-DKERNEL=$kernel" -DWAITS=false
  status_is 1
  has err '^copies.cu:[0-9]+:[0-9]+: warning: observed race: .*-Wintra-(block|warp)-race'
  [[ $kernel == object ]] || has err 'the asynchronous copy is still under way: nothing has waited for it'
done
# Without an answer from a detector nothing is told, and the wait still has its effect.
run "$hgrd_run" --detector=none copies.cu -- -DKERNEL=group -DWAITS=true
status_is 0 && has out '^0 wrong$' && is_empty err

# A barrier object that is not arrived at often enough is a deadlock.
cat >stuck.cu <<'CU'
#include <cuda/barrier>
__global__ void stuck() {
  __shared__ cuda::barrier<cuda::thread_scope_block> full;
  if (threadIdx.x == 0) init(&full, MORE + blockDim.x);
  __syncthreads();
  full.arrive_and_wait();
}
int main() {
  stuck<<<1, 64>>>();
  return cudaDeviceSynchronize();
}
CU
run "$hgrd_run" stuck.cu -- -DMORE=0
status_is 0
run "$hgrd_run" stuck.cu -- -DMORE=1
has err '^stuck.cu:6:[0-9]+: warning: deadlock'
has err 'note: 64 threads wait here at a barrier object'

# Bundled headers that lie near the folder one works in are no text of the user's.
mkdir -p near/bin near/lib/hgrd near/share/hgrd near/work && cp "${HGRD_CHECK%/*}/hgrd-run" near/bin/
ln -s "$HGRD_BUILD"/libhgrdrt.{a,names} near/lib/hgrd/ && cp -r "$HGRD_ROOT/frontend/cuda" near/share/hgrd/
cat >near/work/group.cu <<'CU'
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
__global__ void group(const int *in, int *out) {
  __shared__ int copied[64];
  auto block = cooperative_groups::this_thread_block();
  cooperative_groups::memcpy_async(block, copied, in, sizeof copied);
  out[threadIdx.x] = copied[63 - threadIdx.x];
}
int main() {
  int *p;
  cudaMalloc(&p, 1024);
  group<<<1, 64>>>(p, p + 64);
  cudaDeviceSynchronize();
}
CU
cd near/work || exit 1
run ../bin/hgrd-run group.cu
status_is 1 && has err '^group\.cu:6:[0-9]+: warning: observed race' && has_not err 'share/hgrd/cuda'
cd "$work" || exit 1
