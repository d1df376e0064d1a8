# What each form of the report looks like for a program with a race, an undecided one, a clean one and a broken one, line
# by line. Numbers are masked, because one race has many witnesses; what is the same in all reports (the style sheet, the
# pages of the rules) is left out. HGRD_BLESS=1 in the environment writes the files anew.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
golden=$HGRD_ROOT/tests/golden/forms
write_samples
cat >undecided.cu <<'CU'
__global__ void odd(int *out) {
  asm volatile("some.unknown.instruction %0;" ::"r"(threadIdx.x) : "memory");
  out[threadIdx.x] = 1;
}
int main() {
  int *d;
  cudaMalloc((void **)&d, 4096);
  odd<<<1, 64>>>(d);
}
CU
printf '__global__ void broken(int *p) {\n  *p = undeclared;\n}\n' >broken.cu

mask() {
  sed -E '/^<style>$/,/^<\/style>$/d; /^<section id="rules">$/,/^<\/section>$/d; s/[0-9a-f]{32}:[0-9]+/FINGERPRINT/g; s/"fingerprint": "[0-9a-f]{16}"/"fingerprint": "HASH"/
    s/ d="[^"]*"/ d="PATH"/g; s/ *\^~*$/ ^/; s/-?[0-9]+/N/g; s|file://[^"]*/|file://FOLDER/|' "$1" |
    awk '/^      "tool": \{$/ { skip = 1 } !skip { print } /^      \},?$/ { skip = 0 }' # of SARIF: the rules
}
for program in racy undecided clean broken; do
  run "$HGRD_CHECK" --format=text --format=json -o $program.json --format=sarif -o $program.sarif \
    --format=html -o $program.html --format=gitlab -o $program.gitlab --format=junit -o $program.xml $program.cu
  cat err out >$program.txt
  for form in txt json sarif html gitlab xml; do
    mask $program.$form >masked
    [[ -s masked ]] || complain "$program.$form is empty"
    [[ -z ${HGRD_BLESS:-} ]] || { mkdir -p "$golden" && cp masked "$golden/$program.$form"; }
    diff -u "$golden/$program.$form" masked >difference || { complain "$program.$form is not as expected" && cat difference; }
  done
done
