# A baseline goes on to know its findings when the text around them changes: comments, blanks, formatting, names of variables,
# moved code. What is done otherwise is new. Lists of the first version are read.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
reuse_clang
cat >base.cu <<'CU'
__global__ void blur(float *a, float *b, int n) {
  __shared__ float tile[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? a[i] : 0;
  if (i + 1 < n)
    b[i] = tile[(threadIdx.x + 1) % 64] + b[i + 1];
}
__global__ void other(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 2 < n)
    a[i] = a[i + 2];
}
void run(float *a, float *b) {
  blur<<<4, 64>>>(a, b, 256);
  other<<<4, 64>>>(a, 256);
}
CU
printf '%s\t%s\t%s\t%s\t%s\n' \
  92122773966201df269c11d4f1ac627a:0 intra-block-race base.cu blur tile \
  a5948b526f3d1ae33d18fab9543eea1c:0 inter-block-race base.cu blur b \
  d065953ad8123a7f505d2a2e6c04dd92:0 inter-block-race base.cu other a >first.list
run "$HGRD_CHECK" -q --write-baseline=second.list --format=json -o second.json --format=sarif -o second.sarif base.cu
status_is 1
has second.list '^# .*version 2' && has second.sarif '"hgrdFinding/v1": "92122773966201df269c11d4f1ac627a:0"'
cp base.cu before.cu

# known COUNT NEW SED...: of the edited text, COUNT findings are known, and there are new ones or none, by every baseline.
edit() {
  local known=$1 status=$2 base
  shift 2
  sed -E "$@" before.cu >base.cu
  ! cmp -s before.cu base.cu || complain "the edit $* does nothing"
  for base in ${bases:-second.list second.json second.sarif}; do
    run "$HGRD_CHECK" --baseline="$base" base.cu
    status_is "$status" && has out "^$known known from the baseline$"
    [[ $status -ne 0 ]] || has_not out 'stale-baseline'
  done
}
bases=first.list
edit 3 0 '1i\// a line more'
edit 1 1 's|% 64\]|% 64] /* round */|' # as it was: a line with a comment is another line
bases=
edit 3 0 's|% 64\].*|& // a comment|; s|b\[i\] =|b[ i ]  =|; s|tile\[th|tile[ /* here */ th|'
edit 3 0 's|    b\[i\] = |    b[i]\n        =\n      |; s|\(threadIdx.x \+ 1\)|(threadIdx.x\n        + 1)|; s/a\[i\] = a\[i \+ 2\]/a\n[i] = a[i\n + 2]/'
edit 3 0 's/\bi\b/index/g; s/tile/cache/g'
edit 3 0 's/\bb\b/result/g'
edit 3 0 -e '/^__global__ void blur/i\// moved\n\n\n' -e 's/^  if/\tif/'
awk '/^__global__ void other/ {o = 1} /^void run/ {o = 0; printf "%s", rest} o {print; next} /^__global__ void blur/ {b = 1} b {rest = rest $0 "\n"; if (/^}/) b = 0; next} {print}' \
  before.cu >moved
cp before.cu kept && cp moved before.cu
edit 3 0 '1i\// the kernels in the other order'
cp kept before.cu
# into a helper
edit 3 0 's/^__global__ void other/__device__ void step(float *p, int i) { p[i] = p[i + 2]; }\n&/; s/^    a\[i\] = a\[i \+ 2\];/    step(a, i);/'
# What is done otherwise is new: another distance, another way to write.
edit 2 1 's/\+ 2\];/+ 3];/; s/i \+ 2 </i + 3 </'
has out '^base\.cu:11:.* warning: ' && has out 'stale-baseline'
edit 2 1 's/^    a\[i\] = a/    a[i * 1] = a/'
# Of two with one print, the one that is there is told apart by its object.
sed 's/^  __shared__.*/&\n  __shared__ float second[64];/; s/^  tile\[threadIdx.x\] = .*/&\n  second[threadIdx.x] = 1;/; s/    b\[i\] = tile.*/&\n  b[i] += second[(threadIdx.x + 1) % 64];/' before.cu >base.cu
run "$HGRD_CHECK" --baseline=second.list base.cu
status_is 1 && has out "warning: .* 'second'" && has_not out "warning: .* 'tile'"
# The same list twice, and both versions at once.
cp before.cu base.cu
cat first.list second.list second.list >both.list
run "$HGRD_CHECK" --baseline=both.list base.cu
status_is 0 && has out '^3 known from the baseline$' && has_not out stale
