# For the scripts here: a scratch folder as working directory, and checks that count. Sourced, not run.
# SPDX-License-Identifier: Apache-2.0
set -uo pipefail
bash -n "$0" || exit 1 # a mistake in its syntax would end a script with status 0
work=$(mktemp -d)
failures=0
export HGRD_CACHE=off # a test of the cache has one of its own
finish() {
  cd / && rm -rf "$work"
  [[ $failures -eq 0 ]] || { echo "$failures failures"; exit 1; }
}
trap finish EXIT
cd "$work" || exit 1

# run COMMAND...: keeps $status and the files `out` and `err`. `seconds` are of processor time.
run() {
  status=0
  "$HGRD_ROOT/tests/limit" "${seconds:-300}" "$@" >out 2>err </dev/null || status=$?
}
complain() {
  failures=$((failures + 1))
  local depth=1 # the script itself may call it, or a check of this file does
  [[ ${BASH_SOURCE[1]} != "${BASH_SOURCE[0]}" ]] || depth=2
  echo "${BASH_SOURCE[depth]##*/}:${BASH_LINENO[depth - 1]}: $*"
  head -n 20 out err 2>/dev/null
}
status_is() { [[ $status -eq $1 ]] || complain "exit status $status instead of $1"; }
has() { grep -Eq -- "$2" "$1" || complain "'$1' has no line that matches: $2"; }
has_not() { ! grep -Eq -- "$2" "$1" || complain "'$1' has a line that matches: $2"; }
is_empty() { [[ ! -s $1 ]] || complain "'$1' is not empty"; }
same() { cmp -s "$1" "$2" || complain "'$1' and '$2' differ"; }
# known REASON CHECK...: the check fails for a known reason; if it passes, that is a failure too.
known() {
  local reason=$1 before=$failures
  shift
  "$@" >/dev/null
  if [[ $failures -eq $before ]]; then
    complain "unexpected success, not needed any more: $reason"
  else
    failures=$before
  fi
}

# For a script whose question is not clang: what was compiled once, and is unchanged, is not compiled again (tests/clang_once.c).
reuse_clang() {
  HGRD_ONCE_CLANG=${HGRD_CLANG:-${HGRD_CHECK%/*}/hgrd-clang}
  [[ -x $HGRD_ONCE_CLANG ]] || HGRD_ONCE_CLANG=$(sed -n 's/^HGRD_CLANG_PATH:FILEPATH=//p' "$HGRD_BUILD/CMakeCache.txt")
  export HGRD_ONCE_CLANG HGRD_ONCE=$work HGRD_CLANG=$HGRD_BUILD/tests/clang_once
  mkdir "$work/.once"
  [[ -x $HGRD_ONCE_CLANG ]] || complain "no clang in $HGRD_BUILD/CMakeCache.txt"
}

# Two small programs, one with a race and one without.
write_samples() {
  cat >racy.cu <<'CU'
__global__ void shift(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n)
    a[i] = a[i + 1];
}
int main() {
  float *d_a;
  cudaMalloc((void **)&d_a, 1024 * sizeof(float));
  shift<<<4, 256>>>(d_a, 1024);
  return 0;
}
CU
  sed 's/= a\[i + 1\]/= 2 * a[i]/' racy.cu >clean.cu
}
