# --timeout, and a signal while files are compiled: reports are whole, say that they are incomplete, and are never clean.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
write_samples
printf '#!/bin/sh\nexec sleep 100\n' >slow && chmod +x slow

# Files that do not get read in time.
reports=(--format=text --format=json -o r.json --format=sarif -o r.sarif)
HGRD_CLANG=./slow run "$HGRD_CHECK" --timeout=1 "${reports[@]}" --write-baseline=list racy.cu clean.cu
status_is 2 && has out 'out of time \(--timeout\): this report is incomplete$' && has out '^0 kernels'
has err 'error: the 1 seconds of --timeout were over before the files were read: nothing was checked: racy\.cu, clean\.cu$'
has r.json '"complete": false' && has r.json '"path": "clean\.cu"' && has r.sarif '"executionSuccessful": false'
[[ ! -e list ]] || complain 'a baseline of nothing'
HGRD_CLANG=./slow run "$HGRD_CHECK" --timeout=1 --exit-zero racy.cu
status_is 2
! pgrep -f "$PWD/slow" >/dev/null || complain 'a compiler is left'

# A signal while files are read.
for signal in INT TERM; do
  rm -f r.json
  HGRD_CLANG=./slow "$HGRD_CHECK" "${reports[@]}" racy.cu clean.cu >out 2>err </dev/null &
  tool=$!
  until [[ $(pgrep -P "$tool" -c) -ge 2 ]] || ! kill -0 "$tool"; do sleep 0.1; done
  children=$(pgrep -P "$tool")
  kill "-$signal" "$tool"
  status=0
  wait "$tool" || status=$?
  status_is 130 && has out 'interrupted: this report is incomplete' && has r.json '"complete": false' && is_empty err
  sleep 0.2
  for child in $children; do # a zombie is not left by us
    ! grep -q '^State:[[:space:]]*[^Z[:space:]]' "/proc/$child/status" 2>/dev/null || complain 'a compiler is left'
  done
done

# Kernels that are not checked in time are named; what was checked is reported, and the status follows from it.
{
  echo '__global__ void easy(int *a) { a[threadIdx.x] = 1; }'
  echo '__global__ void racy(int *a) { a[0] = threadIdx.x; }'
  echo 'template <int N> __global__ void hard(int *a, int p, int q) {'
  echo '  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y + N;'
  for k in 1 2 3 4 5 6; do
    echo "  if (y > $k) a[(x * x * y + (2 * $k + 1) * y * p * x + q * x * y * y + $k) / (p + $k)] = y;"
  done
  echo '}'
  echo 'void run(int *a, int p, int q) {'
  echo '  easy<<<1, 64>>>(a);'
  for k in $(seq 60); do echo "  hard<$k><<<dim3(p, q), dim3(16, 16)>>>(a, p, q);"; done
  echo '}'
} >long.cu
seconds=3000
run "$HGRD_CHECK" -j2 --timeout=12 --format=text --format=json -o r.json long.cu
has out "note: kernel 'hard<[0-9]+>' is undecided: not checked: the time of --timeout was over \(and [0-9]+ more of this template; -v lists them\) \[undecided\]$"
has out 'out of time \(--timeout\)' && has_not out 'interrupted' && has r.json '"complete": false'
[[ $status -le 1 ]] || complain "exit status $status"
run "$HGRD_CHECK" --timeout=500 clean.cu # enough
status_is 0 && has_not out 'out of time'
for bad in 0 -1 x 1.5 '' 99999999999; do
  run "$HGRD_CHECK" "--timeout=$bad" clean.cu
  status_is 2 && has err '^hgrd-check: error: --timeout: .* is no number of seconds from 1 on$'
done
