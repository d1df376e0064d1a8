# Which rule orders two accesses, with the lines of its release and acquire: in JSON, with -v, and what --dump=sync lists.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1

cat >flag.cu <<'CU'
__device__ int ready;
__global__ void message(int *data) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    data[0] = 1;
    __threadfence();
    atomicExch(&ready, 1);
  }
  if (blockIdx.x == 1 && threadIdx.x == 0) {
    while (atomicAdd(&ready, 0) == 0);
    __threadfence();
    data[1] = data[0];
  }
}
int main() {
  int *data;
  cudaMalloc(&data, 4096);
  message<<<2, 32>>>(data);
}
CU
run "$HGRD_CHECK" --format=json flag.cu
status_is 0
tr -d ' \n' <out >flat
has flat '\{"rule":"flag","release":"6","acquire":"9","count":1,"pairs":\["411"\]\}'
run "$HGRD_CHECK" -v flag.cu
status_is 0
has out "flag\.cu:2:.* note: kernel 'message.*': ordered by flag, released at line 6, acquired at line 9: lines 4 with 11\$"
run "$HGRD_CHECK" flag.cu
has_not out 'ordered by'

# Its twin: the flag is set before the data, and nothing orders them.
sed '4d; s/^    atomicExch(&ready, 1);/&\n    data[0] = 1;/' flag.cu >early.cu
run "$HGRD_CHECK" --format=json early.cu
status_is 1 && has_not out '"rule": "flag"'

run "$HGRD_CHECK" --dump=sync flag.cu
status_is 0
cp out once
has out '^kernel message.* under message<<<2, 32>>>'
has out '^  class   leader of the block: strong operations at lines 6, 9$'
has out '^  word    ready, byte 0, 4 bytes: written at lines 6; read at lines 9$'
has out '^    at the start: 0$'
has out '^    at line 6: set to 1, once, by leaders only, device scope, where '
[[ $(grep -c '^    at line' out) -eq 1 ]] || complain 'the addition of 0 is a read, not a row of the table'
has out '^  wait    line 9 goes on where the value of ready, byte 0 != 0; ended by lines 6$'
run "$HGRD_CHECK" --dump=sync flag.cu
same out once

# A place in another file is named with it.
printf '__device__ void raise(int *word) {\n  __threadfence();\n  atomicExch(word, 1);\n}\n' >sync.h
sed 's/^__device__ int ready;/&\n#include "sync.h"/; s/^    atomicExch(&ready, 1);/    raise(\&ready);/' flag.cu >parts.cu
run "$HGRD_CHECK" --format=json parts.cu
status_is 0 && has out '"release": "(\./)?sync\.h:3"'

# Barriers and locks.
cat >both.cu <<'CU'
__device__ int word, sum;
__global__ void both(int *data) {
  __shared__ int part[64];
  part[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    while (atomicCAS(&word, 0, 1) != 0);
    __threadfence();
    sum += part[63];
    __threadfence();
    atomicExch(&word, 0);
  }
}
int main() {
  int *data;
  cudaMalloc(&data, 4096);
  both<<<8, 64>>>(data);
}
CU
run "$HGRD_CHECK" -v both.cu
status_is 0
has out 'ordered by barrier at line 5: lines 4 with 9$'
has out 'ordered by lock, released at line 11, acquired at line 7: lines 9 with 9$'
run "$HGRD_CHECK" --dump=sync both.cu
has out '^    at line 7: set, if it is as expected, to 1, by leaders only, device scope, where '
has out '^    at line 11: set to 0, once, by leaders only, device scope, where '
has out '^  barrier of the block at line 5$'
has out '^  lock    lock in word, byte 0: acquired at line 7; may be released at lines 11$'

# Each rule stands on the page on memory models.
grep -oE 'X\(ORDER_RULE_[A-Z_]+, "[a-z-]+"' "$HGRD_ROOT/core/order_rule.h" | sed 's/.*"\(.*\)"/\1/' >rules
[[ $(wc -l <rules) -gt 15 ]] || complain 'rules are not found in core/order_rule.h'
while read -r rule; do
  has "$HGRD_ROOT/docs/memory-model.md" "^\| \`$rule\` \|"
  has "$HGRD_ROOT/docs/schema/hgrd-1.json" "\"$rule\""
done <rules
# ... with a test, that is there, for each.
sed -n '/^## Rules/,/^## Locks/p' "$HGRD_ROOT/docs/memory-model.md" | grep '^| `' >rows
[[ $(wc -l <rows) -eq $(wc -l <rules) ]] || complain 'the page has other rules'
while read -r row; do
  tests=$(sed 's/.*| \(.*\) |$/\1/; s/[`,]//g' <<<"$row")
  [[ $tests == *.cu ]] || complain "no test: $row"
  for test in $tests; do
    [[ -e $HGRD_ROOT/tests/kernels/$test ]] || complain "docs/memory-model.md names tests/kernels/$test, which is not there"
  done
done <rows
# The forms of locks, flags and counters have a test each, too.
sed -n '/^## Locks/,/^## Causes/p' "$HGRD_ROOT/docs/memory-model.md" | grep '^| ' | grep -v '^| form ' >forms
[[ $(wc -l <forms) -gt 40 ]] || complain 'forms are not found in docs/memory-model.md'
while read -r row; do
  [[ $row == *'.cu` |' ]] || complain "no test: $row"
  for test in $(grep -oE '[a-z0-9_]+\.cu' <<<"$row"); do
    [[ -e $HGRD_ROOT/tests/kernels/$test ]] || complain "docs/memory-model.md names tests/kernels/$test, which is not there"
  done
done <forms
