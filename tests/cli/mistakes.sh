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

# What the host guarantees is told with -v; a long launch is cut.
{
  echo "__global__ void many(int *a$(printf ', int p%s' {1..60})) { a[0] = threadIdx.x; }"
  echo "void run(int *a, int n) { if (n > 0) many<<<n, 64>>>(a$(printf ', n + %s' {1..60})); }"
} >many.cu
run "$HGRD_CHECK" many.cu
has out 'launched here: many<<<n, 64>>>\(a, .* \.\.\.$' && has_not out ' respects '
run "$HGRD_CHECK" -v many.cu
has out 'launched here: many<<<n, 64>>>.*n \+ 60\)$' && has out ' respects '
