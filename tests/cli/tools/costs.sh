# tests/costs: what tests cost is written, from a run or from ctest's log; what is not measured stays, what is gone goes, and a folder
# without tests does not empty the table.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
mkdir built empty
cat >built/CTestTestfile.cmake <<'CMAKE'
add_test(a.cheap "true")
add_test(b.dear "bash" "-c" "for ((i = 0; i < 150000; i++)); do :; done; [[ $HGRD_TEST_MARK == here ]]")
set_tests_properties(b.dear PROPERTIES ENVIRONMENT "HGRD_TEST_MARK=here" WORKING_DIRECTORY "/")
set_tests_properties(a.cheap PROPERTIES WORKING_DIRECTORY "/")
add_test(c.fails "false")
set_tests_properties(c.fails PROPERTIES WORKING_DIRECTORY "/")
add_test(forms.left_out "true")
set_tests_properties(forms.left_out PROPERTIES WORKING_DIRECTORY "/")
CMAKE
costs() { run "$HGRD_ROOT/tests/costs" --out costs.txt "$@"; }
printf '# old\na.cheap 9.0\nc.fails 5.0\nwas.there 7.0\n' >costs.txt
costs built --jobs 1 'a[.]' 'b[.]'
status_is 0 && has out '^2 tests measured, '
has costs.txt '^a\.cheap 0\.0$' && has costs.txt '^b\.dear [0-9]+\.[1-9]$' && has costs.txt '^c\.fails 5\.0$'
has_not costs.txt 'was\.there|forms'
costs built
status_is 1 && has out '^c\.fails failed$' && has costs.txt '^c\.fails 5\.0$' && has_not costs.txt forms
# Out of a log of ctest.
cat >log <<'LOG'
 1/4 Test #2: b.dear ...........................   Passed    3.26 sec
 2/4 Test #1: a.cheap ..........................***Failed    0.00 sec
some words of 3/4 Test #3
 3/4 Test #4: forms.left_out ...................   Passed   12.50 sec
 4/4 Test #3: c.fails ..........................***Skipped   0.01 sec
LOG
costs built --log log
status_is 1 && has out '^a\.cheap failed$' && has costs.txt '^b\.dear 3\.3$' && has costs.txt '^forms\.left_out 12\.5$'
has costs.txt '^c\.fails 5\.0$' && has costs.txt '^a\.cheap 0\.0$'
# Nothing to measure: the table stays.
cp costs.txt kept
for arguments in empty 'built nowhere' 'built --log costs.txt'; do
  # shellcheck disable=SC2086
  costs $arguments
  status_is 1 && has err 'costs\.txt stays as it is' && same kept costs.txt
done
