# Same input, same bytes: in two runs, with one worker and with four, in every format.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
write_samples
cp "$HGRD_ROOT"/examples/{reduction_missing_barrier,mirror_missing_assert,histogram_without_atomics}.cu .

formats=(text json sarif html gitlab junit)
for workers in 1 1 4; do
  outputs=()
  for format in "${formats[@]}"; do outputs+=("--format=$format" -o "this.$format"); done
  run "$HGRD_CHECK" "${outputs[@]}" -j$workers ./*.cu
  status_is 1
  for format in "${formats[@]}"; do
    [[ -e first.$format ]] || cp this.$format first.$format
    [[ -s this.$format ]] || complain "no $format"
    same first.$format this.$format
  done
done
for stage in ir host kernel sync pairs goals smt; do
  run "$HGRD_CHECK" --dump=$stage racy.cu
  status_is 0
  has out .
  cp out first.$stage
  run "$HGRD_CHECK" --dump=$stage racy.cu
  same first.$stage out
done
# What a goal took is shown only where --stats asks for it, for each of them.
run "$HGRD_CHECK" --dump=goals racy.cu
has_not out ' ms'
goals=$(grep -c '^goal ' out)
run "$HGRD_CHECK" --dump=goals --stats racy.cu
[[ $(grep -c '^  => .*; [0-9]* units, [0-9.]* ms' out) -eq $goals ]] || complain "not every goal says what it took"
