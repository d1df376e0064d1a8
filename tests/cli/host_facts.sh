# Facts of the host are told with their class and place, where a proof needs them and where a witness respects them; the
# one that is missing is named, in each form of the report.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
cat >main.cu <<'CU'
#include <cassert>
#include <cstdlib>
__global__ void mirror(float *a, int rows, int cols, float by) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < row)
    a[col * cols + row] = by * a[row * cols + col];
}
int main(int argc, char **argv) {
  int rows = atoi(argv[1]), cols = atoi(argv[2]);
  float *a;
  cudaMalloc((void **)&a, sizeof(float) * rows * cols);
  // here
  dim3 block(16, 16), grid((cols + 15) / 16, (rows + 15) / 16);
  mirror<<<grid, block>>>(a, rows, cols, 0.25f);
  return 0;
}
CU
sed 's|// here|assert(rows == cols);|' main.cu >checked.cu

run "$HGRD_CHECK" -v checked.cu
status_is 0
has out 'checked.cu:12:.*the proof needs rows == cols, from checked.cu:12 \[assert\]'
has out 'checked.cu:14:.*the proof needs gridDim.x == .*\(cols \+ 15\) / 16, from checked.cu:14 \[launch\]'
has out 'mirror<<<.*>>>\(a, rows, cols, 0.25\)'
has_not out 'would be race-free'
run "$HGRD_CHECK" --format=json checked.cu
awk -f "$HGRD_ROOT/tests/json_flat.awk" out >flat
has flat 'launches\[0\]\.facts\[[0-9]+\]\.text	rows == cols$'
has flat 'launches\[0\]\.facts\[[0-9]+\]\.class	assert$'
has flat 'launches\[0\]\.facts\[[0-9]+\]\.line	12$'
has flat 'launches\[0\]\.facts\[[0-9]+\]\.text	gridDim.y == \(rows \+ 15\) / 16$'

run "$HGRD_CHECK" -v main.cu
status_is 1
has out 'main.cu:14:.*respects gridDim.x == \(cols \+ 15\) / 16, from main.cu:14 \[launch\]'
has out 'main.cu:6:.*note: would be race-free if rows == cols \(rows <= cols is enough\)$'
run "$HGRD_CHECK" --format=json main.cu
awk -f "$HGRD_ROOT/tests/json_flat.awk" out >flat
has flat 'findings\[0\]\.missingFact\.condition	rows == cols$'
has flat 'findings\[0\]\.missingFact\.weaker	rows <= cols$'
has flat 'findings\[0\]\.missingFact\.enoughFor	kernel$'
run "$HGRD_CHECK" --format=sarif main.cu
has out '"missingFact": "rows == cols"'

# Who on the device wrote the index array, at its place; nobody did before `given_bad` and `too_late_bad`.
cp "$HGRD_ROOT/tests/kernels/computed_indices.cu" .
run "$HGRD_CHECK" computed_indices.cu
status_is 1
grep 'hangs on what .* holds, which' out >said
[[ $(wc -l <said) -eq 2 ]] || complain "not two arrays that the device computed"
has said "'after_kernel' is undecided: .* whether two threads meet hangs on what 'ranks' holds, which kernel 'rank' computes"
has said "'after_library' is undecided: .* hangs on what 'sorted' holds, which 'sort_permutation' computes"
run "$HGRD_CHECK" --dump=host computed_indices.cu
has out "object  ranks: allocation of n \* 4 bytes at .*; perhaps written before by kernel 'rank' at computed_indices.cu:75$"

# Elements of arrays, in classes too, go by their index; a variable that is none by its name.
cat >elements.cu <<'CU'
struct Buffers { int count; int *row[2]; };
__global__ void copy(int *a, int *b, int *c, int *d) { a[threadIdx.x] = b[threadIdx.x] + c[0] + d[0]; }
int main() {
  int *ways[2], *one;
  Buffers buffers;
  cudaMalloc(&ways[0], 400);
  cudaMalloc(&ways[1], 400);
  cudaMalloc(&one, 400);
  cudaMalloc(&buffers.row[1], 400);
  copy<<<1, 32>>>(ways[0], ways[1], one, buffers.row[1]);
}
CU
run "$HGRD_CHECK" --dump=host elements.cu
for name in '0   ways\[0\]' '1   ways\[1\]' '2   one' '3   buffers\.row\[1\]'; do has out "arg $name\$"; done

# A value that only callers know: told whose callers these are, unless they are among the files.
cat >library.cu <<'CU'
__global__ void shift(float *a, int stride) { a[blockIdx.x * stride + threadIdx.x] = blockIdx.x; }
void shift_all(float *a, int stride) { shift<<<8, 128>>>(a, stride); }
CU
cat >caller.cu <<'CU'
void shift_all(float *a, int stride);
int main(int argc, char **argv) {
  float *a;
  cudaMalloc((void **)&a, 65536);
  shift_all(a, argc);
}
CU
run "$HGRD_CHECK" library.cu
status_is 1
has out "note: 'stride' comes from callers of 'shift_all', which are not among the files"
run "$HGRD_CHECK" library.cu caller.cu
status_is 1
has_not out 'which are not among the files'
