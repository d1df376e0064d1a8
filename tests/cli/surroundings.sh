# What is installed works, or says what to do, where the surroundings are not as usual: a place and files with blanks and commas in their
# names, no clang, no linker, no folder to write to, another locale.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
write_samples
unset HGRD_CACHE # the cache is one of those who want to write
export HOME=$work/home
mkdir home
place="$work/a place, far away"
run cmake --install "$HGRD_BUILD" --prefix "$place" --component Unspecified
status_is 0
check=$place/bin/hgrd-check run=$place/bin/hgrd-run
finds() { # what the two say of a program with a race
  run "$@" "$check" -q "$file"
  status_is 1 && is_empty err && has out "^${file//./\\.}:4:.* warning: "
  run "$@" "$run" "$file"
  status_is 1 && has err "^${file//./\\.}:4:.* warning: observed race"
}
mkdir 'my dir' && cp racy.cu 'my dir/my, file.cu'
file='my dir/my, file.cu' finds env
file=racy.cu
# Without what was precompiled is how it was installed just now; with it:
run "$check" --precompile
status_is 0 && is_empty err
finds env
# Nothing can be written but to where the report goes; nobody is at home; another language, and letters of no language.
mkdir 'tmp, of mine'
finds env "TMPDIR=$work/tmp, of mine"
finds env HOME=/proc XDG_CACHE_HOME=
finds env -u HOME
finds env LC_ALL=de_DE.ISO-8859-1
finds env LC_ALL=no_such LANG=neither
run env -i "$check" -q racy.cu
status_is 1 && is_empty err
cp racy.cu $'\xe4.cu'
run env LC_ALL=C "$check" -q $'\xe4.cu'
status_is 1
run env LC_ALL=C "$run" $'\xe4.cu'
status_is 1
run env TMPDIR="$work/none" "$run" racy.cu
status_is 2 && has err "^hgrd-run: error: no folder can be made in $work/none .*: set TMPDIR\$"
# No clang; one that is another program; a clang that finds no linker.
for program in "$check" "$run"; do
  run env HGRD_CLANG=$work/none/clang "$program" racy.cu
  status_is 2 && has err "^hgrd-(check|run): error: cannot run '$work/none/clang' .*: install clang [0-9]+ or set HGRD_CLANG"
  [[ $(wc -l <err) -eq 1 ]] || complain 'more than a line'
done
run env HGRD_CLANG=$work/none/clang "$check" --precompile
status_is 2 && has err 'install clang [0-9]+ or set HGRD_CLANG'
run env HGRD_CLANG=/bin/false "$run" racy.cu
status_is 2 && has err 'HGRD_CLANG|clang'
cat >clang <<SH
#!/bin/sh
exec "$(sed -n 's/^HGRD_CLANG_PATH:FILEPATH=//p' "$HGRD_BUILD/CMakeCache.txt")" --ld-path=$work/none/ld "\$@"
SH
chmod +x clang
run env HGRD_CLANG="$work/clang" "$run" racy.cu
status_is 2 && has err '^hgrd-run: error: .*linker.*binutils'
# The library that programs are linked with is gone.
mv "$place/lib/hgrd" "$place/lib/gone"
run "$run" racy.cu
status_is 2 && has err 'libhgrdrt\.a is not found beside hgrd-run or in \.\./lib/hgrd: install hgrd again'
