#!/usr/bin/env bash
# With the headers of a toolkit, groups, atomics and shuffles mean the same as with the bundled declarations: every kernel gets the
# same verdict. Where no toolkit stands in the usual place there is nothing to compare.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
toolkit=${CUDA_HOME:-/usr/local/cuda}
[[ -r $toolkit/include/cooperative_groups.h ]] || exit 0

# verdicts FILE OPTION...: kernel and verdict, in `verdicts`
verdicts() {
  run "$HGRD_CHECK" --format=json "$@"
  awk -f "$HGRD_ROOT/tests/json_flat.awk" out |
    awk -F'\t' '/^.kernels\[[0-9]+\].name\t/ {name = $2} /^.kernels\[[0-9]+\].verdict\t/ {print name, $2}' >verdicts
}
# same_verdicts NAME OPTION...
same_verdicts() {
  local name=$1
  shift
  verdicts "$HGRD_ROOT/tests/kernels/$name.cu" --cuda-path=none "$@"
  mv verdicts bundled
  verdicts "$HGRD_ROOT/tests/kernels/$name.cu" --cuda-path="$toolkit" "$@"
  [[ -s bundled ]] || complain "$name: no verdicts"
  same bundled verdicts
}
same_verdicts groups_by_label
same_verdicts groups_of_tiles
same_verdicts groups_that_draw --kernel='^(coalesced_ok|last_ok|lane_bad)$'
same_verdicts order_masks --kernel=order
same_verdicts same_value_flag

# A file that needs more of the toolkit's groups than ours have gets all of them.
cat >own.cu <<'E2'
#include <cooperative_groups.h>
__global__ void own(int *out) {
  if (cooperative_groups::details::lanemask32_lt() == 0)
    out[blockIdx.x * 2 + threadIdx.x / 32] = 1;
}
int main() {
  int *out;
  cudaMalloc((void **)&out, 64);
  own<<<8, 64>>>(out);
}
E2
run "$HGRD_CHECK" --cuda-path="$toolkit" own.cu
status_is 0
has out "1 race-free"
has_not err "bundled declarations are used"
