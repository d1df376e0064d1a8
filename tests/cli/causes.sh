#!/usr/bin/env bash
# The example of each cause does what --explain says: with its "-" lines it gives that cause, with its "+" lines nothing.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
grep -oE '^(CAUSE|SAME)\("[a-z-]+"' "$HGRD_ROOT/core/causes.def" | sed 's/.*("//; s/"//' >causes

# add SIGN FILE: the example in `out`, with the lines of the sign, to the file: its kernels in a namespace named after the cause.
add() {
  sed -n '/^```diff$/,/^```$/p' out | grep "^[ $1]" | cut -c3- >text
  grep '^#include' text >>"$2.head"
  { echo "namespace ${cause//-/_} {" && grep -v '^#include' text && echo '}'; } >>"$2.body"
}
while read -r cause; do
  run "$HGRD_CHECK" --explain="$cause"
  status_is 0
  has out '^```diff$'
  file=$(sed -n 's/^An example.* threads, for --memory-model=\(.*\):$/\1/p' out)
  add - "wrong_${file:-cuda}"
  add + "right_${file:-cuda}"
done <causes
for model in cuda scord; do
  for half in wrong right; do
    sort -u "${half}_$model.head" | cat - "${half}_$model.body" >"${half}_$model.cu"
    run "$HGRD_CHECK" --cuda-path=none --grid-dim 4 --block-dim 128 --memory-model=$model --format=json "${half}_$model.cu"
    awk -f "$HGRD_ROOT/tests/json_flat.awk" out >"$half.flat"
    # cause, kernel, for each finding; verdict, kernel, for each kernel
    awk -F'\t' '/^.findings\[[0-9]+\].cause\t/ {cause = $2} /^.findings\[[0-9]+\].kernel\t/ {print cause, $2}' "$half.flat" >>"$half.told"
    awk -F'\t' '/^.kernels\[[0-9]+\].name\t/ {name = $2} /^.kernels\[[0-9]+\].verdict\t/ {print $2, name}' "$half.flat" >>"$half.verdicts"
  done
done
while read -r cause; do
  has wrong.told "^$cause ${cause//-/_}::"
  has right.verdicts "^race-free ${cause//-/_}::"
done <causes
grep -v '^race-free ' right.verdicts && complain 'a mended example is not race-free'
true
