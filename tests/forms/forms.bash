# For the scripts here: the programs of all kinds that reports are made of, and the judges. Sourced, not run.
# ./dev test --forms installs the judges: packages of Debian, and those of package.json into $HGRD_BUILD/forms. Without
# a judge a script is skipped, unless HGRD_JUDGES=required.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
forms=$HGRD_ROOT/tests/forms judges=$HGRD_BUILD/forms/node_modules
export NODE_PATH=$judges DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1
need_judge() {
  command -v "$1" >/dev/null || [[ -e $1 ]] && return
  complain "'$1' is missing; ./dev test --forms installs it"
  [[ ${HGRD_JUDGES:-} != required ]] || exit 1
  failures=0
  exit 77 # CTest's "skipped"
}
# The Debian system that ./dev test --release makes; what needs one is skipped without.
system=$HGRD_BUILD/forms/root.tar
need_system() {
  [[ ! -s $system ]] || return 0
  echo "no system to install into: ./dev test --release makes one"
  exit 77
}

# One racy, one undecided, one clean, one broken, one with names and text that try to break out of the report.
write_programs() {
  write_samples
  cp "$HGRD_ROOT/examples/divergent_barrier.cu" .
  cat >undecided.cu <<'CU'
__global__ void odd(int *out) {
  asm volatile("some.unknown.instruction %0;" ::"r"(threadIdx.x) : "memory");
  out[threadIdx.x] = 1;
}
int main() {
  int *d;
  cudaMalloc((void **)&d, 4096);
  odd<<<1, 64>>>(d);
}
CU
  printf 'this is no program' >broken.cu
  local long
  long=$(printf 'T%.0s' {1..300})
  printf '%s\n' "template <class $long> struct $long$long {};" \
    '// <script>alert("out")</script> \xff\xfe &amp; ]]> <!-- -->' \
    "template <class T> __global__ void ${long}(T *héé) {" \
    '  héé[threadIdx.x / 2] = blockIdx.x; // "</pre><script>console.error(1)</script>" \x1b[31m <svg onload=alert(1)>' \
    '}' \
    'int main() {' \
    '  int *d;' \
    '  cudaMalloc((void **)&d, 4096);' \
    "  ${long}<int><<<4, 64>>>(d);" \
    '}' | sed $'s/\\\\xff\\\\xfe/\xff\xfe/; s/\\\\x1b/\x1b/' >'hos"tile <b>&'\''%20.cu'
}
programs=(racy undecided clean broken divergent_barrier 'hos"tile <b>&'\''%20')
# All forms of the report on one program: $1.json, $1.sarif, ...
write_reports() {
  write_report "$1" "./$1.cu"
}
write_report() {
  local name=$1
  shift
  run "$HGRD_CHECK" "$@" --format=text --format=json -o "$name.json" --format=sarif -o "$name.sarif" \
    --format=html -o "$name.html" --format=gitlab -o "$name.gitlab" --format=junit -o "$name.xml"
  cp out "$name.txt"
}
# A race that one barrier mends, for editors to show and to mend.
write_reverse() {
  cat >reverse.cu <<'CU'
__global__ void reverse(int *a) {
  __shared__ int tile[256];
  int t = threadIdx.x;
  tile[t] = a[blockIdx.x * 256 + t];
  a[blockIdx.x * 256 + t] = tile[255 - t];
}
int main() {
  int *d;
  cudaMalloc(&d, 1024 * sizeof(int));
  reverse<<<4, 256>>>(d);
}
CU
}
# After an editor has made the fix and saved it.
reverse_is_mended() {
  has reverse.cu '^  __syncthreads\(\);$'
  run "$HGRD_CHECK" reverse.cu
  status_is 0
}
