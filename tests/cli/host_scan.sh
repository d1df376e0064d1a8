# What the host scan says of the programs in tests/host is what stands in them.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
for file in "$HGRD_ROOT"/tests/host/*.cu; do
  run "$HGRD_ROOT/tests/host/run" "$HGRD_CHECK" "$file"
  [[ $status -eq 0 ]] || complain "${file##*/}"
done
