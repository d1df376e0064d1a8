# tests/figures must be able to fail: a figure that is off, a row that is gone, a row that has no figure.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1

source <(grep "^rooms=" "$HGRD_ROOT/tests/lint_borders")
for room in "${rooms[@]}"; do ln -s "$HGRD_ROOT/$room" "$room"; done
mkdir docs
page=docs/architecture.md
figures() { cp "$HGRD_ROOT/$page" "$page" && sed -i "$1" "$page" && run "$HGRD_ROOT/tests/figures" "$work"; }

figures '' && status_is 0 && is_empty out
figures 's/^\(| fields of `Scan` .*| \)[0-9]* |$/\11 |/'
status_is 1 && has out '^docs/architecture.md:  fields of `Scan` : 1 is [0-9]+ \(./dev figures\)$'
run "$HGRD_ROOT/tests/figures" "$work" --write
status_is 0 && run "$HGRD_ROOT/tests/figures" "$work" && status_is 0
figures '/^| `order\/` /d'
status_is 1 && has out '^docs/architecture.md: no row for `order/` kernelscan$'
figures 's/^\(| `order\/` .*| \)[0-9]* |$/\1many |/'
status_is 1 && has out '^docs/architecture.md: no figure: '
