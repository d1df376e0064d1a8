# The HTML page of many findings: by kernel and by cause, links that lead somewhere, boxes that hide, folded symptoms.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
write_samples
for k in 1 2 3 4; do
  echo "__global__ void k$k(float *a, float *b, int *at, int n) {"
  echo "  int i = blockIdx.x * blockDim.x + threadIdx.x;"
  printf '  if (i + %d < n)\n    a[i] = a[i + %d];\n  b[at[i]] = i;\n  b[0] = 1;\n  b[1] = b[2];\n  b[2] = a[i + 1];\n}\n' $k $k
  echo "void r$k(float *a, float *b, int *at) { k$k<<<4, 64>>>(a, b, at, 256); }"
done >many.cu
run "$HGRD_CHECK" -q --format=html many.cu
status_is 1 && cp out page
count=$(grep -c '<article class="card' page)
[[ $count -gt 12 ]] || complain "only $count findings"
has page 'Findings by kernel' && has page 'Findings by cause' && has page '<li><code>k3</code>: <a href="#finding-'
has page 'id="hide-possible"' && has page 'class="card warning possible' && has page ' symptom" id='
has page '<details><summary>code, picture and witness</summary>' && has page '<td><code><a href="#finding-[0-9]+">k2</a>'
has_not page '<script'
# Each finding is listed once by kernel and once by cause, and every link leads to a place of the page.
sed -n '/Findings by kernel/,/<\/details>/p' page >kernels
[[ $(grep -o 'href="#finding-' kernels | wc -l) -eq $count ]] || complain 'a finding is not listed by its kernel'
grep -o 'href="#[^"]*"' page | sed 's/href="#/id="/' | sort -u | while read -r id; do grep -q "$id" page || echo "$id"; done >lost
is_empty lost
# One finding needs none of it.
run "$HGRD_CHECK" -q --format=html racy.cu
has_not out 'Findings by kernel' && has_not out 'id="hide-possible"' && has_not out 'code, picture and witness'
