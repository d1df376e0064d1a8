# Forms of output: a line as compilers write it, documents that parse, a file that is whole or not there.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
write_samples

run "$HGRD_CHECK" racy.cu
has out '^racy\.cu:4:[0-9]+: warning: .* \[-Winter-block-race\]$'
has out '^racy\.cu:[0-9]+:[0-9]+: note: '
has out '\^'
has_not out $'\033'
run "$HGRD_CHECK" --color=always racy.cu
has out $'\033'
run "$HGRD_CHECK" -Werror=inter-block-race racy.cu
has out '^racy\.cu:4:[0-9]+: error: .* \[-Werror=inter-block-race\]$'
run "$HGRD_CHECK" -q clean.cu
status_is 0 && is_empty out && is_empty err

for format in json sarif; do
  run "$HGRD_CHECK" --format=$format racy.cu
  cp out plain.$format
  awk -f "$HGRD_ROOT/tests/json_flat.awk" plain.$format >flat.$format || complain "$format does not parse"
  run "$HGRD_CHECK" --format=$format -o file.$format racy.cu
  status_is 1 && is_empty out && same plain.$format file.$format
  run "$HGRD_CHECK" --format=$format missing.cu
  status_is 2
  awk -f "$HGRD_ROOT/tests/json_flat.awk" out >flat || complain "$format of a failure does not parse"
done
has flat.json $'^\\.kernels\\[0\\]\\.name\tshift'
has flat.json $'^\\.kernels\\[0\\]\\.verdict\tracy$'
has flat.json $'^\\.findings\\[0\\]\\.ruleId\tHGRD100[123]$'
has flat.json $'^\\.findings\\[0\\]\\.accesses\\[1\\]\\.line\t4$'
has flat.sarif $'^\\.version\t2\\.1\\.0$'
has flat.sarif $'^\\.runs\\[0\\]\\.results\\[0\\]\\.ruleId\tHGRD100[123]$'

run "$HGRD_CHECK" -o no/such/folder/report racy.cu
status_is 2 && has err 'no/such/folder/report'
run "$HGRD_CHECK" -o /dev/full racy.cu
status_is 2 && has err '/dev/full'
echo keep >kept && mkdir locked && cp kept locked/report
run "$HGRD_CHECK" -o locked/report missing.cu
status_is 2 && same kept locked/report
run bash -c '"$0" racy.cu >/dev/full' "$HGRD_CHECK"
status_is 2
