# A kernel of which no launch is given, as in an editor or before a commit: any number of blocks and threads along x.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
cat >kernels.cu <<'CU'
__global__ void add_bad(int *p, int v) { p[0] += v; }
__global__ void add_ok(int *p, int v) {
  if (threadIdx.x == 0 && blockIdx.x == 0) p[0] += v;
}
__global__ void row_bad(int *p, int v) { p[threadIdx.x] += v; }
__global__ void flat_ok(int *p) {
  int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  p[(size_t)block * (blockDim.x * blockDim.y * blockDim.z) + thread] = 1;
}
CU
all=(--format=text --format=json -o r.json --format=junit -o r.xml --format=gitlab -o r.gitlab --format=sarif -o r.sarif --format=html -o r.html)
run "$HGRD_CHECK" "${all[@]}" kernels.cu
status_is 1 && is_empty err && has out '^4 kernels: 2 race-free, 2 racy, 0 undecided'
has out "^kernels\.cu:1:[0-9]+: warning: possible race: .*'p' .* of block \(1,0,0\) \[-Winter-block-race\]"
has out "^kernels\.cu:5:[0-9]+: warning: possible race: .*'p' .* of block \(1,0,0\) \[-Winter-block-race\]"
has out "^kernels\.cu:5:.*note: no launch of 'row_bad' is among the files, and it never looks along gridDim\.x: .* --grid-dim"
has out '^kernels\.cu:5:.*note: would be race-free if gridDim\.x == 1'
has out "^hgrd-check: note: race-free only if a launch that is not visible.* axes y and z .* \[A10\]: 'add_ok'\$"
has r.json '"any": true' && has r.json '"id": "A10"' && has r.json '"condition": "gridDim\.x == 1"'
has r.xml 'tests="4" failures="2" errors="0" skipped="0"' && has r.gitlab '"severity": "minor"'
has r.sarif '"missingFact": "gridDim\.x == 1"' && has r.html 'axes y and z .*\(A10\)'

# Said otherwise: by the size, by a comment, by the file with the launch.
run "$HGRD_CHECK" --grid-dim=1 --kernel=row_bad kernels.cu
status_is 0 && has out '1 race-free'
run "$HGRD_CHECK" --grid-dim=2 --kernel=row_bad kernels.cu
status_is 1
run "$HGRD_CHECK" --grid-dim=1 --block-dim=1 --kernel=add_bad kernels.cu
status_is 0
(echo '//--gridDim=1 --blockDim=1' && cat kernels.cu) >said.cu
run "$HGRD_CHECK" said.cu
status_is 0 && has out '4 race-free'
for blocks in 1 2; do
  printf '__global__ void row_bad(int *p, int v);\nint main() {\n  int *p;\n  cudaMalloc(&p, 4096);\n  row_bad<<<%d, 256>>>(p, 1);\n}\n' $blocks >main.cu
  run "$HGRD_CHECK" --kernel=row_bad main.cu kernels.cu
  status_is $((blocks - 1)) && has_not out 'A10|no launch of'
done
# A wrapper whose callers are not given is no launch that is seen whole.
(cat kernels.cu && printf 'void start(int *p, int blocks, int threads) { row_bad<<<blocks, threads>>>(p, 1); }\n') >wrapper.cu
run "$HGRD_CHECK" --kernel=row_bad wrapper.cu
status_is 1 && has out "note: 'blocks'.* from callers of 'start'"
run "$HGRD_CHECK" -q --kernel=add_ok kernels.cu
status_is 0 && is_empty out
