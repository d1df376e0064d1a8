# clang_once: what was compiled is not compiled again, with the same output, words and status; each change of what is asked is seen.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
cat >clang <<'SH'
#!/bin/sh
echo "asked $*" >>"$HGRD_ONCE/log"
[ "$STOPPED" != yes ] || kill -SEGV $$
cat *.cu && echo "words of $*" >&2
grep -q wrong *.cu && exit 3
exit 0
SH
chmod +x clang
export HGRD_ONCE=$work HGRD_ONCE_CLANG=$work/clang
mkdir .once sub
# asked COUNT ARGUMENT...: clang is run this many times, and says the same as by itself
asked() {
  local count=$1
  shift
  : >log
  run "$HGRD_BUILD/tests/clang_once" "$@"
  [[ $(wc -l <log) -eq $count ]] || complain "clang was run $(wc -l <log) times, not $count"
  cp out once.out && cp err once.err
  local once=$status
  run "$work/clang" "$@"
  same out once.out && same err once.err && status_is "$once"
}
compile=(-c -emit-llvm -o - -- a.cu)
echo 'one' >a.cu && echo 'header' >sub/b.h
asked 1 "${compile[@]}"
asked 0 "${compile[@]}"
# Another text, header, flag or folder is another question; the first text is the first question again.
echo 'two' >a.cu
asked 1 "${compile[@]}"
echo 'other' >sub/b.h
asked 1 "${compile[@]}"
echo 'wrong' >a.cu
asked 1 "${compile[@]}" && status_is 3
asked 0 "${compile[@]}" && status_is 3
asked 1 -DA "${compile[@]}"
CPATH=sub asked 1 "${compile[@]}"
echo 'one' >a.cu && echo 'header' >sub/b.h
asked 0 "${compile[@]}"
echo >sub/new.h # one that was not there
asked 1 "${compile[@]}"
# What else would go in or out is asked each time.
for more in -MD -E /proc/self/fd/4 -ivfsoverlay; do
  asked 1 $more "${compile[@]}"
  asked 1 $more "${compile[@]}"
done
asked 1 -emit-llvm -o - -
asked 1 -emit-llvm -o - -
asked 1 -emit-llvm -o file -- a.cu
asked 1 -emit-llvm -o file -- a.cu
# An end by a signal is passed on, and not kept.
export STOPPED=yes
asked 1 -DB "${compile[@]}" && status_is 139
unset STOPPED
asked 1 -DB "${compile[@]}" && status_is 0
