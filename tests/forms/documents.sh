# Every form is what others expect of it: JSON by our schema, SARIF by its schema and the official validator (with the
# rules of GitHub), GitLab's and JUnit's by their schemas. The judges are shown that they can refuse, too.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/forms/forms.bash" || exit 1
multitool=$judges/@microsoft/sarif-multitool-linux
need_judge node && need_judge xmllint && need_judge "$multitool/Sarif.Multitool" && need_judge "$judges/ajv"
write_programs
for program in "${programs[@]}"; do write_reports "$program"; done
cp "$HGRD_ROOT/tests/kernels/order_misuse.cu" . && write_report misuse order_misuse.cu
# One run over several files, with all that can stand in a report: suppressed, known, stale.
sed '4s|$| // hgrd-suppress(inter-block-race, intra-warp-race): meant|' racy.cu >quiet.cu
run "$HGRD_CHECK" --write-baseline=base divergent_barrier.cu
printf '0123456789abcdef0123456789abcdef:0\tinter-block-race\tclean.cu\tk\ta\n' >>base
write_report many --baseline=base quiet.cu divergent_barrier.cu undecided.cu clean.cu
has many.sarif '"baselineState": "unchanged"' && has many.sarif '"kind": "inSource"'

judge() { # judge SCHEMA FILE...
  run node "$forms/validate.js" "$@"
}
check_sarif() { # check_sarif FILE...
  rm -f judged
  chmod u+x "$multitool/Sarif.Multitool"
  "$multitool/Sarif.Multitool" validate "$@" --rule-kind 'Sarif;Gh' --output judged --log ForceOverwrite >log 2>&1
  run node "$forms/multitool.js" judged log $#
}
judge "$HGRD_ROOT/docs/schema/hgrd-1.json" ./*.json
status_is 0 && is_empty out
judge "$multitool/sarif-2.1.0.json" ./*.sarif
status_is 0 && is_empty out
check_sarif ./*.sarif
status_is 0 && is_empty out
judge "$forms/gitlab.schema.json" ./*.gitlab
status_is 0 && is_empty out
run xmllint --noout --schema "$forms/junit.xsd" ./*.xml
status_is 0
for form in json sarif gitlab xml html; do
  [[ $(find . -name "*.$form" -size +0 | wc -l) -eq $((${#programs[@]} + 2)) ]] || complain "a report is missing: $form"
done

# What the documents say.
has racy.gitlab '"severity": "major"' && has racy.gitlab '"path": "racy.cu"'
has undecided.gitlab '"check_name": "undecided"' && has undecided.gitlab '"severity": "info"'
run cat clean.gitlab
has out '^\[\]$'
has racy.xml '<testcase name="shift" classname="./racy.cu"' && has racy.xml '<failure message="write to '
has undecided.xml '<skipped message="undecided: ' && has_not undecided.xml '<failure'
has clean.xml 'tests="1" failures="0" errors="0" skipped="0"' && has_not clean.xml '<(failure|skipped|error)'
has broken.xml '<error message=' && has broken.xml 'errors="1"'
has broken.sarif '"executionSuccessful": false' && has broken.sarif '"exitCode": 2'
has racy.sarif '"executionSuccessful": true' && has racy.sarif '"exitCode": 1'
has undecided.sarif '"id": "undecided"'
has divergent_barrier.sarif '"ruleId": "HGRD2001"'

# The judges can refuse.
for name in racy.json racy.sarif racy.gitlab; do cp $name spoilt.${name#racy.}; done
sed -i 's/"verdict": "racy"/"verdict": "fine"/' spoilt.json
judge "$HGRD_ROOT/docs/schema/hgrd-1.json" spoilt.json
status_is 1 && has out '/verdict must be equal'
sed -i '0,/"startLine": [0-9]*/s//"startLine": "four"/' spoilt.sarif
judge "$multitool/sarif-2.1.0.json" spoilt.sarif
status_is 1 && has out '/startLine must be integer'
sed '0,/"startLine": [0-9]*/s//"startLine": -4/' racy.sarif >spoilt.sarif
check_sarif ./spoilt.sarif
status_is 1
sed -i 's/"major"/"large"/' spoilt.gitlab
judge "$forms/gitlab.schema.json" spoilt.gitlab
status_is 1
sed 's/<failure message="[^"]*"/<failure/' racy.xml >spoilt.xml
run xmllint --noout --schema "$forms/junit.xsd" spoilt.xml
[[ $status -ne 0 ]] || complain 'xmllint accepts a failure without a message'
