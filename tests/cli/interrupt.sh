# Ctrl-C while the solver works: the report says what is known so far and that it is incomplete; exit status 130.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1

# One kernel that is decided at once, and more hard ones than can be done by the time of the signal.
{
  echo '__global__ void easy(int *a) { a[threadIdx.x] = 1; }'
  echo 'template <int N> __global__ void hard(int *a, int p, int q) {'
  echo '  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y + N;'
  for k in 1 2 3 4 5 6; do
    echo "  if (y > $k) a[(x * x * y + (2 * $k + 1) * y * p * x + q * x * y * y + $k) / (p + $k)] = y;"
  done
  echo '}'
  echo 'void run(int *a, int p, int q) {'
  echo '  easy<<<1, 64>>>(a);'
  for k in $(seq 40); do echo "  hard<$k><<<dim3(p, q), dim3(16, 16)>>>(a, p, q);"; done
  echo '}'
} >long.cu

# Hundredths of a second of processor time that the process has used.
ticks_of() {
  local fields
  read -r -a fields < <(sed 's/^.*) //' "/proc/$1/stat" 2>/dev/null)
  echo $((${fields[11]:-0} + ${fields[12]:-0}))
}

# interrupt SIGNAL ARGUMENTS...: the signal comes when the workers have worked for two seconds of processor time.
interrupt() {
  local signal=$1 tool tasks=0 begun
  shift
  "$HGRD_CHECK" -j4 "$@" long.cu >out 2>err </dev/null &
  tool=$!
  while kill -0 "$tool" 2>/dev/null; do # two threads of its own, one that waits for signals, four workers
    tasks=$(find "/proc/$tool/task" -mindepth 1 -maxdepth 1 2>/dev/null | wc -l)
    [[ $tasks -lt 7 ]] || break
    sleep 0.1
  done
  [[ $tasks -ge 7 ]] || complain "the workers never started"
  begun=$(ticks_of "$tool")
  while kill -0 "$tool" 2>/dev/null && [[ $(ticks_of "$tool") -lt $((begun + 200)) ]]; do sleep 0.1; done
  kill "-$signal" "$tool"
  status=0
  wait "$tool" || status=$?
}

interrupt INT
status_is 130
has out 'interrupted: this report is incomplete'
has out 'interrupted before it was checked'

interrupt TERM --format=json
status_is 130
has out '"complete": false'
has out '"verdict": "race-free"' # the easy one
has out 'interrupted before it was checked'
