# No files are left behind, neither where it runs nor in the folder for temporary files.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
write_samples
printf 'broken' >broken.cu
mkdir temporary here && cp ./*.cu here && cd here || exit 1
for file in racy.cu clean.cu broken.cu; do
  TMPDIR=$work/temporary "$HGRD_ROOT/tests/limit" 300 "$HGRD_CHECK" "$file" >/dev/null 2>&1
done
cd "$work" || exit 1
[[ -z $(ls -A temporary) ]] || complain "left in TMPDIR: $(ls -A temporary)"
[[ $(ls -A here | tr '\n' ' ') == 'broken.cu clean.cu racy.cu ' ]] || complain "left here: $(ls -A here)"

# Interrupted while clang runs: nothing stays, and clang goes with it.
printf '#!/bin/sh\necho $$ >>%s/children\nexec sleep 7200\n' "$work" >slow && chmod +x slow
mkdir there && cp racy.cu there && cd there || exit 1
for signal in INT TERM KILL; do
  : >"$work/children"
  TMPDIR=$work/temporary HGRD_CLANG=$work/slow env --default-signal=INT "$HGRD_CHECK" racy.cu >/dev/null 2>&1 &
  pid=$!
  until [[ $(wc -l <"$work/children") -eq 2 ]]; do
    kill -0 "$pid" 2>/dev/null || { complain "it has ended before clang was started"; break; }
    sleep 0.1
  done
  kill -"$signal" "$pid" 2>/dev/null
  wait "$pid" 2>/dev/null
  for ((i = 0; i < 600; i++)); do # a minute, of which a busy machine takes a part
    alive=0
    while read -r left; do kill -0 "$left" 2>/dev/null && alive=1; done <"$work/children"
    [[ $alive -eq 0 ]] && break
    sleep 0.1
  done
  [[ $alive -eq 0 ]] && continue
  complain "clang outlives SIG$signal"
  xargs kill -KILL <"$work/children" 2>/dev/null
done
cd "$work" || exit 1
[[ -z $(ls -A temporary) ]] || complain "left in TMPDIR: $(ls -A temporary)"
[[ $(ls -A there) == racy.cu ]] || complain "left there: $(ls -A there)"
