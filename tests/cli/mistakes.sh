# One mistake is told once: one missing barrier, one missing fact, one array; its other symptoms take a line each. What is certain
# comes first, and a finding fits on a screen.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1

warnings() { [[ $(grep -c ': warning: ' out) -eq $1 ]] || complain "$(grep -c ': warning: ' out) warnings instead of $1"; }
symptoms() { [[ $(grep -c 'note: the same mistake: ' out) -eq $1 ]] || complain "$(grep -c 'same mistake' out) symptoms instead of $1"; }

# Three arrays are exchanged over one barrier that is missing; the twin misses two barriers.
exchange() { # BETWEEN
  cat >exchange.cu <<CU
__global__ void exchange(int *out) {
  __shared__ int a[256], b[256], c[256];
  int t = threadIdx.x;
  a[t] = t;
  b[t] = 2 * t;
  $1
  int sum = a[255 - t] + b[255 - t];
  c[t] = sum;
  $2
  out[t] = c[255 - t];
}
int main() {
  int *out;
  cudaMalloc(&out, 1024);
  exchange<<<1, 256>>>(out);
}
CU
  run "$HGRD_CHECK" "${@:3}" exchange.cu
}
exchange ';' '__syncthreads();'
status_is 1
warnings 1
symptoms 1
has out '^exchange\.cu:4:.*-Wintra-block-race' && has out "^exchange\.cu:5:.* note: the same mistake: write to 'b'.*-Wintra-block-race"
exchange ';' ';'
warnings 2
symptoms 1
exchange ';' ';' -v
warnings 3
symptoms 0
exchange '__syncthreads();' '__syncthreads();'
status_is 0
warnings 0

# The other forms list every finding, and say which stands for it.
exchange ';' '__syncthreads();' --format=json
status_is 1
[[ $(grep -c '"ruleId"' out) -eq 2 ]] || complain "not two findings"
face=$(sed -nE 's/^ *"fingerprint": "([^"]+)".*/\1/p' out | head -n 1)
has out "\"sameMistakeAs\": \"$face\""

# Many arrays that one fact of the host code would keep apart.
{
  echo '__global__ void fill(int *a, int rows, int cols) {'
  echo '  int i = blockIdx.x * blockDim.x + threadIdx.x, j = threadIdx.y;'
  for ((k = 0; k < 12; k++)); do echo "  if (i < rows && j < cols) a[$k * 4096 + i * rows + j] = i;"; done
  echo '}'
  echo 'void run(int *a, int rows, int cols) { fill<<<1, dim3(16, 16)>>>(a, rows, cols); }'
} >fill.cu
run "$HGRD_CHECK" fill.cu
status_is 1
warnings 1
symptoms 6
has out 'note: and [0-9]+ more of the same mistake; -v lists them'
[[ $(wc -l <out) -le 24 ]] || complain "longer than a screen"

# What is certain comes before what is possible, wherever it stands.
cat >order.cu <<'CU'
__global__ void count(const int *key, int *table, int *sum) {
  table[key[threadIdx.x]] = threadIdx.x;
  sum[0] = threadIdx.x;
}
int main() {
  int *key, *table, *sum;
  cudaMalloc(&key, 1024);
  cudaMalloc(&table, 1024);
  cudaMalloc(&sum, 4);
  count<<<1, 256>>>(key, table, sum);
}
CU
run "$HGRD_CHECK" order.cu
status_is 1
[[ $(grep -n "warning: write to 'sum'" out | cut -d: -f1) -lt $(grep -n "warning: possible race: write to 'table'" out | cut -d: -f1) ]] ||
  complain "the possible race comes first"

# Of a pair that races at several distances, what is shown comes before what needs contents of memory: thread 7 gets into another block's row
# only by what base[] holds. In the twin it gets there whatever that is.
rows() { # INDEX
  cat >rows.cu <<CU
__global__ void rows(int *a, const int *base, int *out) {
  int t = threadIdx.x, row = blockIdx.x * 512;
  a[row + t] = t;
  out[blockIdx.x * 256 + t] = a[row + 255 - t + (t == 7 ? $1 : 0)];
}
int main() {
  int *a, *b, *o;
  cudaMalloc(&a, 1 << 20);
  cudaMalloc(&b, 256);
  cudaMalloc(&o, 1 << 20);
  rows<<<64, 256>>>(a, b, o);
}
CU
  run "$HGRD_CHECK" rows.cu
  status_is 1
  warnings 1
}
rows 'base[blockIdx.x]'
has out '^rows\.cu:3:14: warning: write to .*-Wintra-block-race' && has out 'note: the same accesses possibly also race between blocks, if base\[1\]'
rows '512'
has out '^rows\.cu:3:14: warning: write to .*-Winter-block-race' && has out 'note: the same accesses also race between warps'

# Of two that need contents, the one between blocks is far-fetched if it needs an index that leaves the block's row; in the twin the blocks have
# no rows. Its fix is that of the race within the block: the far-fetched one was told before.
row_of() { # STRIDE
  cat >row_of.cu <<CU
__global__ void row_of(float *logits, float *losses, const int *targets, int n) {
  int at = targets[blockIdx.x];
  if (threadIdx.x == 0) losses[blockIdx.x] = logits[blockIdx.x * $1 + at];
  for (int i = threadIdx.x; i < n; i += blockDim.x) logits[blockIdx.x * $1 + i] = 0.f;
}
int main() {
  float *a, *b;
  int *t;
  cudaMalloc(&a, 64 * 4096);
  cudaMalloc(&b, 256);
  cudaMalloc(&t, 256);
  row_of<<<64, 256>>>(a, b, t, 1024);
}
CU
  run "$HGRD_CHECK" --suggest-fixes row_of.cu
  status_is 1
}
row_of n
has out '^row_of\.cu:4:.* warning: possible race: .*-Wintra-block-race' && has out 'possibly also race between blocks, if targets\[0\] = 1024'
has out 'proved fix: insert __syncthreads\(\) before line 4'
row_of 0
has out '^row_of\.cu:4:.* warning: possible race: .*-Winter-block-race' && has_not out 'proved fix'

# What the host guarantees is told with -v; a long launch is cut.
{
  echo "__global__ void many(int *a$(printf ', int p%s' {1..60})) { a[0] = threadIdx.x; }"
  echo "void run(int *a, int n) { if (n > 0) many<<<n, 64>>>(a$(printf ', n + %s' {1..60})); }"
} >many.cu
run "$HGRD_CHECK" many.cu
has out 'launched here: many<<<n, 64>>>\(a, .* \.\.\.$' && has_not out ' respects '
run "$HGRD_CHECK" -v many.cu
has out 'launched here: many<<<n, 64>>>.*n \+ 60\)$' && has out ' respects '

# Two arrays that are filled on neighbouring lines with one index that is wrong; the twin fills them in two places.
sums() { # BETWEEN VALUE
  printf '%s\n' '__global__ void sums(int *a, int *b) {' '  int w = threadIdx.x / 2;' "  a[w] = $2;" "$1" "  b[w] = 3 * ($2);" '}' \
    'int main() { int *a, *b; cudaMalloc(&a, 1024); cudaMalloc(&b, 1024); sums<<<1, 256>>>(a, b); }' | sed '/^$/d' >sums.cu
  run "$HGRD_CHECK" sums.cu
}
sums '' threadIdx.x
warnings 1
symptoms 1
sums '  __syncthreads();' threadIdx.x
warnings 2
symptoms 0
# All store one value: a remark, and once.
sums '' 7
warnings 0
symptoms 1
status_is 0

# Where one member of a struct races, another one that all store alike is no finding of its own.
cat >point.cu <<'CU'
struct Point { int x, y; };
__global__ void point(Point *p, int n) {
  Point one = {n, (int)threadIdx.x};
  p[threadIdx.x / 2] = one;
}
int main() { Point *p; cudaMalloc(&p, 1024); point<<<1, 128>>>(p, 3); }
CU
run "$HGRD_CHECK" point.cu
warnings 1
symptoms 1
has out "the same mistake: write to 'p\[...\]\.x' .* the same value as"

# What is undecided in all instances of a template takes a line for one of them.
cat >instances.cu <<'CU'
template <int N> __global__ void fill(int *a) {
  asm("unknown.thing %0;" : : "r"(N));
  a[threadIdx.x] = N;
}
int main(int argc, char **argv) {
  int *a;
  cudaMalloc(&a, 1024);
  fill<1><<<1, 32>>>(a);
  fill<2><<<1, 32>>>(a);
  if (argc < 0 && argc > 5) fill<3><<<1, 32>>>(a);
}
CU
run "$HGRD_CHECK" instances.cu
[[ $(grep -c 'is undecided' out) -eq 1 ]] || complain "not one reason"
has out "'fill<1>' is undecided: .*and 1 more of this template"
has out "'fill<3>' is never launched from here"
run "$HGRD_CHECK" -v instances.cu
[[ $(grep -c 'is undecided' out) -eq 2 ]] || complain "not two reasons"
