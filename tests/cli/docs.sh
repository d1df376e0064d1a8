# The commands in the documentation do what it shows: each page in a folder of its own, from top to bottom. What is shown that is
# wrong is noticed.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
command -v python3 >/dev/null || { complain 'python3 is not there'; exit 1; }
export HGRD_PREFIX=$work/prefix PATH=$work/bin:$PATH
mkdir bin && ln -s "$HGRD_CHECK" "$HGRD_BUILD/hgrd-run" bin
run cmake --install "$HGRD_BUILD" --prefix "$HGRD_PREFIX" --component Unspecified
status_is 0
reuse_clang
pages=()
while read -r page; do
  mkdir "${page//\//-}"
  pages+=("$HGRD_ROOT/docs/$page" "${page//\//-}")
done < <(cd "$HGRD_ROOT/docs" && find . -name '*.md' | sed 's|^\./||' | sort)
run "$HGRD_ROOT/tests/docs/run" "${pages[@]}"
status_is 0
commands=$(awk '/: [0-9]+ commands$/ { sum += $(NF - 1) } END { print sum + 0 }' out)
[[ $commands -ge 12 ]] || complain "only $commands commands are run"

# The runner: what it must notice.
try() { # try TEXT: as a page
  printf '%b' "$1" >page.md
  rm -rf tried && mkdir tried
  run "$HGRD_ROOT/tests/docs/run" page.md tried
}
file='```text title="a/b"\none\ntwo\n```\n'
try "$file"'```console\n$ cat a/b\none\ntwo\n$ echo "x 12 y"\nx 7 y\n```\n'
status_is 0 && has out '2 commands'
try "$file"'```console\n$ cat a/b\n...\ntwo\n$ cat a/b; echo three\non...\n...\n$ echo \\\n  four\nfour\n```\n'
status_is 0 && has out '3 commands'
try "$file"'```diff title="a/b"\n one\n-two\n+2\n```\n```console\n$ grep -c two a/b\n0\n```\n'
status_is 0
for wrong in '```console\n$ cat a/b\none\n```\n' '```console\n$ cat a/b\none\ntwo\nthree\n```\n' '```console\n$ cat a/b\n```\n' \
  '```diff title="a/b"\n-three\n+four\n```\n' '```\nhgrd-check x.cu\n```\n' '```console\n$ true\n'; do
  try "$file$wrong"
  status_is 1
done
try "$file"
status_is 77
