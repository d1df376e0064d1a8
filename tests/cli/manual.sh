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
run "$HGRD_CHECK" --explain=list
status_is 0
cp out list
[[ $(grep -c '^rule ' list) -eq $(wc -l <rules) ]] || complain 'the list has other rules'
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
# Every cause is explained and stands on the page on memory models; a finding names its rule under each model, in every form.
grep -oE '^(CAUSE|SAME)\("[a-z-]+"' "$HGRD_ROOT/core/causes.def" | sed 's/.*("//; s/"//' >causes
[[ $(grep -c '^cause ' list) -eq $(wc -l <causes) ]] || complain 'the list has other causes'
[[ $(wc -l <causes) -gt 20 ]] || complain 'causes are not found in core/causes.def'
while read -r cause; do
  run "$HGRD_CHECK" --explain="$cause"
  status_is 0 && has out "^# $cause " && has out '^The rule:' && has out '^To mend it: '
  has "$HGRD_ROOT/docs/memory-model.md" "^| .*\`$cause\`.* |"
done <causes
cat >told.cu <<'END'
__global__ void tell(volatile int *flag, int *data, int *out) {
  if (blockIdx.x == 0)
    data[threadIdx.x] = 1;
  __syncthreads();
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    __threadfence();
    *flag = 1;
  } else if (threadIdx.x == 0) {
    while (*flag == 0) {
    }
    out[blockIdx.x] = data[1];
  }
}
__global__ void count(int *lock, int *n) {
  if (threadIdx.x == 0) {
    while (atomicCAS_block(lock, 0, 1) != 0) {
    }
    __threadfence();
    n[blockIdx.x / 2]++;
    __threadfence();
    atomicExch(lock, 0);
  }
}
END
# The pattern that was found, and why it does not suffice.
run "$HGRD_CHECK" -q told.cu
has out 'note: no fence stands between the operation at line 9 that learns of others and the access at line 11$'
has out 'note: the operation at line 16, which takes the lock before the access at line [0-9]*, has block scope; the other access is in another block$'
has out 'note: the operation at line 16 has block scope; the other access is in another block$'
said=
for model in cuda ptx scord; do
  run "$HGRD_CHECK" -v --memory-model="$model" --kernel=tell --format=text --format=json -o json --format=sarif -o sarif told.cu
  status_is 1
  cp out text
  has json "\"memoryModel\": \"$model\"" && has sarif "\"memoryModel\": \"$model\""
  cause=$(sed -n 's/.*"cause": "\([a-z-]*\)".*/\1/p' json | sort | uniq | tail -n 1)
  rule=$(sed -n 's/.*"memoryRule": "\(.*\)",*$/\1/p' json | sort | uniq | tail -n 1)
  [[ -n $rule && $said != *"$rule"* ]] || complain "model $model: no rule of its own: $rule"
  has sarif "$rule"
  said+=$rule
  run "$HGRD_CHECK" --explain="$cause"
  has out "$rule"
  has text "note: rule $cause, memory model $model: $rule"
done
# Files that the pages name are there, and each supplier of facts about values has its row on the page that says why it holds.
check_pages() { # check_pages DIR: the pages there
  local page file
  for page in architecture soundness host-code assumptions memory-model barriers; do
    while read -r file; do
      [[ -e $HGRD_ROOT/$file || -e $HGRD_ROOT/kernelscan/$file ]] || complain "$page.md names $file, which is not there"
    done < <(grep -oE '`[a-z_]+/([a-z_]+/)?[a-z_0-9]+\.(c|h|cu|def)`' "$1/$page.md" | tr -d '`' | sort -u)
  done
}
check_pages "$HGRD_ROOT/docs"
mkdir pages && cp "$HGRD_ROOT/docs/"{architecture,soundness,host-code,assumptions,memory-model,barriers}.md pages
sed -i '1s/$/ `kernelscan\/facts\/not_there.c`/' pages/soundness.md
before=$failures
check_pages pages >/dev/null
[[ $failures -eq $((before + 1)) ]] && failures=$before || complain 'a file that is not there is not noticed'
grep -lE '^const ValueFacts [a-z_]+ = ' "$HGRD_ROOT"/kernelscan/facts/*.c | sed "s|^$HGRD_ROOT/||" >suppliers
[[ $(wc -l <suppliers) -gt 10 ]] || complain 'suppliers of facts are not found'
while read -r file; do
  grep -Eq "(\`$file\`|\`${file##*/}\`)" "$HGRD_ROOT/docs/soundness.md" || complain "docs/soundness.md has no row for $file"
done <suppliers
