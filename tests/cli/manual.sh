# The manual and the README name every option and every rule that --help names, and no form or rule that is not there.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
sed 's/\\&//g; s/ Ns = Ns / /g; s/ Ns //g' "$HGRD_ROOT/docs/hgrd-check.1" >manual
run "$HGRD_CHECK" --help
status_is 0
cp out help
grep -oE '^  (-[a-z], )?--?[a-z][a-z-]*' help | grep -oE -- '--?[a-z][a-z-]*' | sort -u >options
[[ $(wc -l <options) -gt 20 ]] || complain 'options are not found in --help'
while read -r option; do
  grep -Eq "^\.It .*(Fl |, )${option#-}( |,|\$|[A-Z])" manual || complain "the manual does not have $option"
done <options
grep -oE 'HGRD[0-9]{4}  [a-z-]+' help >rules
[[ $(wc -l <rules) -ge 5 ]] || complain 'rules are not found in --help'
while read -r id name; do
  has manual "^\.It $name \($id\)$"
  [[ -s $HGRD_ROOT/docs/rules/$name.md ]] || complain "docs/rules/$name.md is missing"
  run "$HGRD_CHECK" --explain="$name"
  status_is 0 && same out "$HGRD_ROOT/docs/rules/$name.md"
  run "$HGRD_CHECK" --explain="$id"
  status_is 0 && same out "$HGRD_ROOT/docs/rules/$name.md"
done <rules
run "$HGRD_CHECK" --explain=inter-blok-race
status_is 2 && has err "did you mean 'inter-block-race'"
[[ $(grep -c '^\.It .*(HGRD' manual) -eq $(wc -l <rules) ]] || complain 'the manual has other rules'
# Every form that the manual names can be written.
write_samples
for form in $(sed -n '/^\.It Fl -format/,/^\.El/s/^\.It Cm //p' manual); do
  run "$HGRD_CHECK" --format="$form" clean.cu
  status_is 0
  has "$HGRD_ROOT/README.md" "\`$form\`"
  has help "$form"
done
