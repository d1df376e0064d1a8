# hgrd-run: what functions of CUDA give, on the device and on the host: mathematics of CUDA's own, floats of eight bits, reductions and scans
# of groups. A program's own function of such a name is the one that counts.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
hgrd_run=$HGRD_BUILD/hgrd-run
cat >own.cu <<'CU'
#include <cstdio>
#ifdef OWN
extern "C" float rsqrtf(float x) { return x + 100; }
#endif
__host__ __device__ void all(float *out, double *wide) {
  out[0] = rsqrtf(4.f), out[1] = rcbrtf(8.f), out[2] = sinpif(.5f), out[3] = normcdff(0.f), out[4] = rhypotf(3.f, 4.f);
  sincospif(1.f, &out[5], &out[6]);
  wide[0] = rsqrt(16.), wide[1] = erfinv(0.), wide[2] = cospi(1.), wide[3] = erfcx(0.);
}
__global__ void kernel(float *out, double *wide) {
  all(out, wide);
  wide[4] = norm4d(1, 1, 1, 1) + rnorm4df(2, 2, 2, 2);
}
int main() {
  float *out, own[7];
  double *wide, own_wide[4];
  cudaMallocManaged(&out, sizeof own);
  cudaMallocManaged(&wide, 40);
  kernel<<<1, 1>>>(out, wide);
  cudaDeviceSynchronize();
  all(own, own_wide);
  for (int i = 1; i < 7; i++) printf("%g %d ", out[i], out[i] == own[i]);
  for (int i = 0; i < 4; i++) printf("%.3g %d ", wide[i], wide[i] == own_wide[i]);
  printf("%g\nrsqrtf %g %g\n", wide[4], out[0], own[0]);
}
CU
run "$hgrd_run" --all own.cu
status_is 0
has out '^0.5 1 1 1 0.5 1 0.2 1 [0-9.e-]+ 1 -1 1 0.25 1 [0-9.e-]+ 1 -1 1 1 1 2.25$'
has out '^rsqrtf 0.5 0.5$'
run "$hgrd_run" --all own.cu -- -DOWN
status_is 0
has out '^rsqrtf 104 104$'

cat >fp8.cu <<'CU'
#include <cmath>
#include <cstdio>
#include <cuda_fp8.h>
template <class F, __nv_fp8_interpretation_t Kind> __host__ __device__ int wrong() {
  int count = 0;
  for (int i = 0; i < 256; i++) { // what has been read is written as it was, and what lies between two goes to the nearer one
    F f;
    f.__x = (unsigned char)i;
    float value = float(f), behind;
    if (isnan(value) || isinf(value)) continue;
    count += F(value).__x != i;
    f.__x = (unsigned char)(i + 1);
    behind = float(f);
    if (i % 128 == 127 || isnan(behind) || isinf(behind)) continue;
    count += F(value + (behind - value) * 0.49f).__x != i || F(value + (behind - value) * 0.51f).__x != i + 1;
    count += F((value + behind) / 2).__x != i + i % 2; // to even
  }
  return count;
}
__host__ __device__ void edges(float *out) {
  out[0] = float(__nv_fp8_e4m3(1e6f)), out[1] = float(__nv_fp8_e5m2(-1e6f)), out[2] = float(__nv_fp8_e4m3(1.f / 512));
  out[3] = __nv_cvt_float_to_fp8(1e6f, __NV_NOSAT, __NV_E4M3), out[4] = __nv_cvt_float_to_fp8(1e6f, __NV_NOSAT, __NV_E5M2);
  out[5] = __nv_cvt_float_to_fp8(NAN, __NV_SATFINITE, __NV_E4M3), out[6] = __nv_cvt_float_to_fp8(-INFINITY, __NV_SATFINITE, __NV_E5M2);
  out[7] = wrong<__nv_fp8_e4m3, __NV_E4M3>() + wrong<__nv_fp8_e5m2, __NV_E5M2>();
}
__global__ void kernel(float *out) { edges(out); }
int main() {
  float *out, own[8];
  cudaMallocManaged(&out, sizeof own);
  kernel<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  edges(own);
  for (int i = 0; i < 8; i++) printf("%g %g ", out[i], own[i]);
  printf("\n");
}
CU
run "$hgrd_run" --all fp8.cu
status_is 0
has out '^448 448 -57344 -57344 0.00195312 0.00195312 127 127 124 124 127 127 251 251 0 0 $'

cat >groups.cu <<'CU'
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
namespace cg = cooperative_groups;
struct Digits { __device__ int operator()(int a, int b) const { return a * 10 + b; } };
struct Most { __device__ int operator()(int a, int b) const { return a > b ? a : b; } };
__global__ void kernel(float *f, int *out) {
  cg::thread_block block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  auto two = cg::tiled_partition<2>(block);
  auto four = cg::tiled_partition<4>(block);
  int t = threadIdx.x;
  f[t] = cg::reduce(warp, t * 0.5f, cg::plus<float>());
  out[t] = cg::reduce(two, t, Digits()); // in the order of the ranks
  out[64 + t] = cg::inclusive_scan(four, t ^ 2, Most());
  out[128 + t] = cg::exclusive_scan(warp, 3);
  if (t % 3 == 1) {
    auto some = cg::coalesced_threads();
    out[192 + t] = cg::reduce(some, t, cg::plus<int>());
    out[256 + t] = (int)some.ballot(t < 10);
  }
#ifdef WIDE
  out[t] = cg::reduce(cg::tiled_partition<64>(block), t, cg::plus<int>());
#endif
}
int main() {
  float *f;
  int *out;
  cudaMallocManaged(&f, 256);
  cudaMallocManaged(&out, 320 * 4);
  kernel<<<1, 64>>>(f, out);
  cudaDeviceSynchronize();
  printf("%g %g %d %d %d %d %d %d %d\n", f[3], f[40], out[5], out[6], out[64 + 6], out[64 + 7], out[128 + 9], out[192 + 4], out[256 + 4]);
}
CU
run "$hgrd_run" --all groups.cu
status_is 0
has out '^248 760 45 67 7 7 27 176 7$'
run "$hgrd_run" --all groups.cu -- -DWIDE
status_is 2
has err "cannot be run \(called in 'kernel'\)"
