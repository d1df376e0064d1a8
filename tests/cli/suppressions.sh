# Living with findings: comments at the code, suppression files, baselines in three forms; what is stale is named.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
reuse_clang
cat >two.cu <<'CU'
__global__ void first(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n)
    a[i] = a[i + 1];
}
__global__ void second(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n)
    a[i] = a[i + 1];
}
int main() {
  float *d_a;
  cudaMalloc((void **)&d_a, 1024 * sizeof(float));
  first<<<4, 256>>>(d_a, 1024);
  second<<<4, 256>>>(d_a, 1024);
}
CU
check() { run "$HGRD_CHECK" "$@"; }
check two.cu
status_is 1 && has out '^two.cu:4:.* warning: ' && has out '^two.cu:9:.* warning: '

# Comments: on the line, on lines of their own before it, at the head of a kernel.
sed '4s|$| // hgrd-suppress(inter-block-race): a stencil in place|' two.cu >line.cu
check line.cu
status_is 1 && has_not out '^line.cu:4:' && has out '^line.cu:9:.* warning: ' && has out '^1 suppressed$'
sed '8a\    // hgrd-suppress(HGRD1001, intra-warp-race): meant\n    // to be so' two.cu >before.cu
check before.cu
status_is 1 && has out '^before.cu:4:.* warning: ' && has_not out '^before.cu:11:.* warning'
has out '^before.cu:9:8: note: no finding of intra-warp-race is left for this suppression: take it out \[stale-suppression\]$'
sed '5a\// hgrd-suppress(inter-block-race): all of it\ntemplate <class T>' two.cu | sed 's/second(float/second(T/; s/second<<</second<float><<</' >kernel.cu
check kernel.cu
status_is 1 && has out '^kernel.cu:4:' && has_not out '^kernel.cu:11:'
# What names another rule, none, or stands in a string covers nothing.
sed '4s|$| // hgrd-suppress(intra-block-race): no|' two.cu >other.cu
check other.cu
has out '^other.cu:4:.* warning: ' && has out '^other.cu:4:.* note: no finding of intra-block-race is left'
check -Wno-intra-block-race other.cu
has_not out 'stale-suppression'
check --kernel=second other.cu
has_not out 'stale-suppression'
sed '4s|$| // hgrd-suppress(inter-blok-race): no|' two.cu >misspelt.cu
check misspelt.cu
has out "^misspelt.cu:4:.* warning: " && has out "names no rule: 'inter-blok-race'; did you mean 'inter-block-race'"
sed '4s|^|    const char *s = "// hgrd-suppress(inter-block-race): no"; |' two.cu >string.cu
check string.cu
has out '^string.cu:4:.* warning: '

# A suppression file: rule, path glob, kernel glob, reason.
printf '# theirs\ninter-block-race two.cu sec* known upstream\n' >theirs
check --suppressions=theirs two.cu
status_is 1 && has out '^two.cu:4:' && has_not out '^two.cu:9:' && has out '^1 suppressed$'
printf '* *.cu * all of it\nHGRD1003 * * never there\n' >all
check --suppressions=theirs --suppressions=all two.cu
status_is 0 && has out '^2 suppressed$' && has out '^all:2:1: note: no finding is left .* \[stale-suppression\]$'
check --suppressions=all --format=json two.cu
has out '"suppressionKind": "file"' && has out '"suppression": "all of it"'
check --suppressions=all --format=sarif two.cu
has out '"kind": "external"' && has out '"justification": "all of it"'
check --format=sarif line.cu
has out '"kind": "inSource"' && has out '"justification": "a stencil in place"'
for bad in 'inter-block-race *.cu *' 'inter-blok-race * * why' 'just'; do
  printf '\n%s\n' "$bad" >bad
  check --suppressions=bad two.cu
  status_is 2 && has err 'error: bad:2: ' && has err 'RULE PATH-GLOB KERNEL-GLOB REASON'
done
check --suppressions=missing two.cu
status_is 2 && has err "cannot read the suppression file 'missing'"

# Baselines: what was found before is counted, not shown; a new finding is shown; what is gone is named.
check --write-baseline=list --format=json -o base.json --format=sarif -o base.sarif two.cu
status_is 1
cp two.cu old.cu
for base in list base.json base.sarif; do
  cp old.cu two.cu
  check --baseline=$base two.cu
  status_is 0 && has out '^2 known from the baseline$' && has_not out 'warning'
  check --baseline=$base --format=json two.cu
  has out '"suppressionKind": "baseline"' && has out '"known": 2'
  sed -i '1i\// a line more' two.cu
  check --baseline=$base two.cu
  status_is 0 && has_not out 'warning'
  sed -i 's/^}$/}\n/; 0,/= a\[i + 1\]/s//= a[i + 2]/' two.cu
  check --baseline=$base two.cu
  status_is 1 && has out '^two.cu:5:.* warning: ' && has out '^1 known from the baseline$'
  has out "^$base.* note: inter-block-race in 'first', two.cu is not found any more: .* \[stale-baseline\]$"
  check --baseline=$base --format=sarif two.cu
  has out '"baselineState": "new"' && has out '"baselineState": "unchanged"' && has out '"id": "stale-baseline"'
done
cp old.cu two.cu
printf '{"runs": [{"tool": {"driver": {"name": "other-tool"}}}]}' >foreign.sarif
printf '{"tool": ' >cut.json
printf 'hello\n' >text
printf '[]' >array.json
for bad in foreign.sarif cut.json text array.json . missing; do
  check --baseline=$bad two.cu
  status_is 2 && has err "error: .*$bad"
done
# A list made from a part must not pass for the whole.
printf 'broken' >broken.cu
check --write-baseline=partial two.cu broken.cu
status_is 2
[[ ! -e partial ]] || complain 'a baseline of a run that failed'

# By whatever name the file is given: a suppression that covers a finding is not stale, one that covers none is.
write_samples
sed '3a // hgrd-suppress(inter-block-race, inter-warp-race, intra-warp-race): meant' racy.cu >meant.cu
sed '3a // hgrd-suppress(inter-block-race): not needed' clean.cu >needless.cu
for name in meant.cu ./meant.cu "$work/meant.cu"; do
  run "$HGRD_CHECK" "$name"
  status_is 0
  [[ $(grep -c 'no finding of inter-block-race is left' out) -eq 0 ]] || complain "'$name': called stale"
  run "$HGRD_CHECK" "${name/meant/needless}"
  status_is 0
  [[ $(grep -c 'no finding of inter-block-race is left' out) -eq 1 ]] || complain "'$name': not called stale, or twice"
done
