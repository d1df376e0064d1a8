# The output that the README shows is what the command prints, but for numbers: one race has many witnesses.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
awk '/^```text$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$HGRD_ROOT/README.md" >shown
[[ -s shown ]] || complain "README.md shows no output"
mkdir examples && cp "$HGRD_ROOT/examples/reduction_missing_barrier.cu" examples
run "$HGRD_CHECK" examples/reduction_missing_barrier.cu
status_is 1
sed -i -E 's/[0-9]+/N/g; s/ +\^/ ^/' shown out
same shown out
# Its links, and those of the page for contributors, lead to files.
for page in README.md CONTRIBUTING.md; do
  while read -r link; do
    [[ -e $HGRD_ROOT/${link%%#*} ]] || complain "$page links to what is not there: $link"
  done < <(sed 's/`[^`]*`//g' "$HGRD_ROOT/$page" | grep -oE '\]\([^)]+\)' | sed 's/^](//; s/)$//' | grep -v '^[a-z]*:')
done
