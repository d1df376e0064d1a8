# hgrd-run: algorithms of thrust and cub that the host side calls are run, over memory of the device and of the host, with functions that
# are the device's alone; one that is not there is told by name, and an end behind the vector's as the access that it is.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
hgrd_run=$HGRD_BUILD/hgrd-run
cat >thrust.cu <<'CU'
#include <cstdio>
#include <cstdlib>
#include <thrust/host_vector.h>
#include <thrust/device_vector.h>
#include <thrust/random.h>
#include <thrust/shuffle.h>
#include <thrust/sort.h>
#include <thrust/scan.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>
#include <thrust/copy.h>
#include <thrust/unique.h>
#include <thrust/sequence.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/functional.h>
struct Twice { __device__ int operator()(int x) const { return 2 * x; } };
#ifdef MORE
#define BEHIND 1
#else
#define BEHIND 0
#endif
int main() {
  int bad = 0;
  thrust::host_vector<int> h(1000);
  for (int i = 0; i < 1000; i++) h[i] = (i * 7919) % 1000;
  thrust::device_vector<int> d = h, v(1000), e(1000, 3);
  thrust::sequence(v.begin(), v.end());
  thrust::sort_by_key(d.begin(), d.end(), v.begin());
  for (int i = 0; i < 1000; i++) bad += d[i] != i || h[v[i]] != i;
  thrust::transform(d.begin(), d.end() + BEHIND, e.begin(), Twice());
  bad += thrust::reduce(e.begin(), e.end()) != 999000;
  thrust::exclusive_scan(d.begin(), d.end(), e.begin());
  bad += e[999] != 998 * 999 / 2;
  int *raw = thrust::raw_pointer_cast(d.data());
  thrust::sort(thrust::device, raw, raw + 1000, thrust::greater<int>());
  bad += d[0] != 999 || d[999] != 0;
  thrust::copy(d.begin(), d.end(), h.begin());
  bad += h[0] != 999;
  thrust::sort(h.begin(), h.end());
  bad += h[0] != 0;
  thrust::device_vector<int> u(10, 1); u[9] = 2;
  bad += thrust::unique(u.begin(), u.end()) - u.begin() != 2;
  u.resize(3, 9); bad += u.size() != 3 || u[1] != 2; 
  auto z = thrust::make_zip_iterator(thrust::make_tuple(d.begin(), e.begin()));
  thrust::sort(z, z + 1000);
  bad += d[5] != 5;
  bad += thrust::count_if(d.begin(), d.end(), [] __device__ (int x) { return x < 10; }) != 10;
#ifdef MISSING
  thrust::partition(d.begin(), d.end(), v.begin(), Twice());
#endif
  thrust::shuffle(h.begin(), h.end(), thrust::default_random_engine(7));
  bad += h[0] == 0 && h[1] == 1 && h[2] == 2;
  thrust::sort(h.begin(), h.end());
  bad += h[0] != 0 || h[999] != 999;
  printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
CU
cat >cub.cu <<'CU'
#include <cstdio>
#include <cub/cub.cuh>
struct Odd { __device__ bool operator()(int x) const { return x & 1; } };
int main() {
  const int n = 1000; int bad = 0;
  int *in, *out, *vals, *vout, *count; float *f, *fo;
  cudaMallocManaged(&in, n * 4); cudaMallocManaged(&out, n * 4); cudaMallocManaged(&vals, n * 4); cudaMallocManaged(&vout, n * 4); cudaMallocManaged(&count, 4);
  cudaMallocManaged(&f, n * 4); cudaMallocManaged(&fo, n * 4);
  for (int i = 0; i < n; i++) in[i] = (i * 7919) % n - 500, vals[i] = i, f[i] = in[i] * 0.5f;
  void *temp = nullptr; size_t bytes = 0, most = 0;
  for (int pass = 0; pass < 2; pass++) {
    bytes = 0; cub::DeviceReduce::Sum(temp, bytes, in, count, n); most = bytes > most ? bytes : most; if (pass) bad += *count != -500;
    cub::DeviceScan::ExclusiveSum(temp, bytes, vals, out, n); if (pass) bad += out[n - 1] != 998 * 999 / 2;
    cub::DeviceRadixSort::SortPairs(temp, bytes, in, out, vals, vout, n);
    if (pass) for (int i = 0; i < n; i++) bad += out[i] != i - 500 || in[vout[i]] != out[i];
    cub::DeviceRadixSort::SortKeysDescending(temp, bytes, f, fo, n); if (pass) bad += fo[0] != 249.5f || fo[n - 1] != -250.f;
    cub::DeviceSelect::If(temp, bytes, in, out, count, n, Odd()); if (pass) bad += *count != 500;
    cub::DeviceReduce::Max(temp, bytes, in, count, n); if (pass) bad += *count != 499;
    cub::DoubleBuffer<int> k(in, out); 
    cub::DeviceRadixSort::SortKeys(temp, bytes, k, n, 0, 32); if (pass) bad += k.Current()[0] != -500;
    if (!pass) cudaMalloc(&temp, bytes);
  }
  printf("%s %d\n", bad ? "FAIL" : "PASS", bad);
  return bad != 0;
}
CU
run "$hgrd_run" --all thrust.cu
status_is 0
has out '^PASS$'
has err ': 0 races'
run "$hgrd_run" thrust.cu -- -DMORE
has out '^FAIL$'
has err "reads 4 bytes out of bounds: 4 bytes right behind the end of 4000 bytes from cudaMalloc"
run "$hgrd_run" thrust.cu -- -DMISSING -include thrust/partition.h
status_is 2
has err 'the host side calls algorithms of thrust, cub or another library'
run "$hgrd_run" --all cub.cu
status_is 0
has out '^PASS 0$'
has err ': 0 races'
# Sorted ranges, stencils, scans by keys, parts: over memory of the device and of the host.
cat >ranges.cu <<'CU'
#include <cstdio>
#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/merge.h>
#include <thrust/partition.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/transform.h>
struct Odd { __host__ __device__ bool operator()(int x) const { return x & 1; } };
struct Even { __host__ __device__ bool operator()(int x) const { return !(x & 1); } };
struct Square { __host__ __device__ int operator()(int x) const { return x * x; } };
template <class V> void show(const char *name, const V &v, long n) {
  printf("%s", name);
  for (long i = 0; i < n; i++) printf(" %d", (int)v[i]);
  printf("\n");
}
template <template <class...> class Vector> void all() {
  int first[] = {1, 3, 3, 4, 8}, second[] = {3, 4, 5, 9}, keys[] = {1, 1, 2, 2, 2};
  Vector<int> a(first, first + 5), b(second, second + 4), k(keys, keys + 5), o(20), s(5, 1);
  s[2] = 0;
  show("merge", o, thrust::merge(a.begin(), a.end(), b.begin(), b.end(), o.begin()) - o.begin());
  show("union", o, thrust::set_union(a.begin(), a.end(), b.begin(), b.end(), o.begin()) - o.begin());
  show("difference", o, thrust::set_difference(a.begin(), a.end(), b.begin(), b.end(), o.begin()) - o.begin());
  show("intersection", o, thrust::set_intersection(a.begin(), a.end(), b.begin(), b.end(), o.begin()) - o.begin());
  show("lower", o, thrust::lower_bound(a.begin(), a.end(), b.begin(), b.end(), o.begin()) - o.begin());
  show("upper", o, thrust::upper_bound(a.begin(), a.end(), b.begin(), b.end(), o.begin()) - o.begin());
  show("search", o, thrust::binary_search(a.begin(), a.end(), b.begin(), b.end(), o.begin()) - o.begin());
  printf("one %ld %ld %d %d\n", (long)(thrust::lower_bound(a.begin(), a.end(), 3) - a.begin()), (long)(thrust::upper_bound(a.begin(), a.end(), 3) - a.begin()),
         thrust::binary_search(a.begin(), a.end(), 4), thrust::binary_search(a.begin(), a.end(), 5));
  show("inclusive", o, thrust::inclusive_scan_by_key(k.begin(), k.end(), a.begin(), o.begin()) - o.begin());
  show("exclusive", o, thrust::exclusive_scan_by_key(k.begin(), k.end(), a.begin(), o.begin(), 10) - o.begin());
  show("transformed", o, thrust::transform_inclusive_scan(a.begin(), a.end(), o.begin(), Square(), thrust::plus<int>()) - o.begin());
  show("from", o, thrust::transform_exclusive_scan(a.begin(), a.end(), o.begin(), Square(), 5, thrust::plus<int>()) - o.begin());
  thrust::fill(o.begin(), o.end(), 0);
  show("if", o, thrust::transform_if(a.begin(), a.end(), s.begin(), o.begin(), Square(), Odd()) - o.begin());
  show("removed", a, thrust::remove_if(a.begin(), a.end(), s.begin(), Odd()) - a.begin());
  Vector<int> c(first, first + 5);
  show("parts", c, (thrust::stable_partition(c.begin(), c.end(), Even()) - c.begin()) + 3);
  auto most = thrust::minmax_element(c.begin(), c.end());
  printf("most %d %d\n", (int)*most.first, (int)*most.second);
}
int main() {
  all<thrust::device_vector>();
  all<thrust::host_vector>();
}
CU
cat >once <<'TEXT'
merge 1 3 3 3 4 4 5 8 9
union 1 3 3 4 5 8 9
difference 1 3 8
intersection 3 4
lower 1 3 4 5
upper 3 4 4 5
search 1 1 0 0
one 1 3 1 0
inclusive 1 4 3 7 15
exclusive 10 11 10 13 17
transformed 1 10 19 35 99
from 5 6 15 24 40
if 1 9 0 16 64
removed 3
parts 4 8 1 3 3
most 1 8
TEXT
cat once once >wanted
run "$hgrd_run" --all ranges.cu
status_is 0
same out wanted
has err ': 0 races'
# An algorithm whose result the host reads cannot be noted for later: as CUDA has it, that ends the capture, and it is said. Without a result it can.
cat >captured.cu <<'CU'
#include <cstdio>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/reduce.h>
int main() {
  thrust::device_vector<int> v(100, 1);
  cudaStream_t s;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamCreate(&s);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
#ifdef RESULT
  printf("%d\n", thrust::reduce(thrust::cuda::par.on(s), v.begin(), v.end()));
#else
  thrust::fill(thrust::cuda::par_nosync.on(s), v.begin(), v.end(), 7);
#endif
  cudaStreamEndCapture(s, &graph);
  int before = v[5];
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, s);
  printf("%d %d\n", before, (int)v[5]);
}
CU
run "$hgrd_run" --all captured.cu
status_is 0
has out '^1 7$'
run "$hgrd_run" --all captured.cu -- -DRESULT
is_empty out
has err 'the host reads the result of an algorithm whose stream is being captured'
has err 'ended by signal 6'
