# Code of the program that an algorithm of a library runs on the device is not checked, and no green light: it is told, and --strict returns 3.
# What runs on the host, or is the library's own, is not meant.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
reuse_clang

cat >handed.cu <<'CU'
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
struct Halves {
  int *a;
  __device__ void operator()(int i) const { a[i / 2] += i; }
};
__global__ void fill(int *a) { a[threadIdx.x] = threadIdx.x; }
int main() {
  int *a;
  cudaMalloc(&a, 4096);
  fill<<<1, 1024>>>(a);
  thrust::for_each(thrust::device, thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(1000),
                   [=] __device__(int i) { a[i / 2] += i; });
  thrust::for_each(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(1000), Halves{a});
}
CU
sed '/fill/d' handed.cu >no_kernel.cu
run "$HGRD_CHECK" --strict -q no_kernel.cu
status_is 3 && has err 'no_kernel\.cu:11:3: warning: the code that is handed to an algorithm of a library here' && has err 'no_kernel\.cu:13:3: warning'
run "$HGRD_CHECK" -q no_kernel.cu
status_is 0
run "$HGRD_CHECK" --strict --format=text --format=json -o r.json handed.cu # the kernel does not lean on it
status_is 3 && has out '^1 kernel: 1 race-free, 0 racy' && has r.json '^  "complete": false' && has_not r.json '"A14"'
sed -n '/"leftOut": \[/,/^  \]/p' r.json >gaps
has gaps 'not checked' && has gaps '"line": 13,'

cat >own.cu <<'CU'
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/transform.h>
#include <vector>
struct Pair {
  int x, y;
};
int main() {
  thrust::device_vector<int> a(1000), b(1000);
  thrust::transform(a.begin(), a.end(), b.begin(), b.begin(), thrust::plus<int>());
  thrust::device_vector<Pair> pairs(10);
  thrust::fill(pairs.begin(), pairs.end(), Pair{1, 2});
  std::vector<int> c(1000);
  thrust::for_each(thrust::host, c.begin(), c.end(), [](int &i) { i = 1; });
  thrust::for_each(c.begin(), c.end(), [](int &i) { i = 1; });
}
CU
run "$HGRD_CHECK" --strict -q own.cu
status_is 0 && has_not err 'not checked'
