# hgrd-run: what it cannot build or run is told before anything runs, by name, with status 2.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
hgrd_run=$HGRD_BUILD/hgrd-run
refused() { # refused PATTERN ARGUMENT...: one line says why
  local pattern=$1
  shift
  run "$hgrd_run" "$@"
  status_is 2
  is_empty out
  has err "$pattern"
}
for option in '' --nonsense --schedules=0 --schedules=x --timeout=-1 --replay=backwards --arch=80; do
  refused '^hgrd-run: error: .*--help' ${option:+"$option"}
done
refused 'is for --build' -o x a.cu
refused 'leave out --schedules' --replay=1 --schedules=2 a.cu
refused 'nowhere.cu' nowhere.cu
run "$hgrd_run" --help
status_is 0 && has out 'The program is executed' && is_empty err
run "$hgrd_run" --version
status_is 0 && has out '^hgrd-run [0-9]'

echo 'int main() { return undeclared; }' >broken.cu
refused 'broken.cu:1.*undeclared' broken.cu
cat >no_main.cu <<'CU'
#include <mma.h>
__global__ void known(int *a) { a[threadIdx.x] = 1; }
#ifdef UNKNOWN
__global__ void unknown(half *a) {
  nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, half, nvcuda::wmma::row_major> f;
  nvcuda::wmma::load_matrix_sync(f, a, 16);
  a[0] = f.x[0];
  asm volatile("foo.bar.u32 %0;" ::"r"(3));
}
#endif
#ifdef MAIN
extern "C" void elsewhere();
int main() {
#ifdef ELSEWHERE
  elsewhere();
#endif
  known<<<1, 1>>>(nullptr);
}
#endif
CU
refused 'no file defines main' no_main.cu
refused "^no_main.cu:[67]:[0-9]+: error: '__hgrd_.*' cannot be run \(called in 'unknown'\)" no_main.cu -- -DUNKNOWN -DMAIN
has err '^no_main.cu:8:[0-9]+: error: PTX assembly cannot be run: "foo.bar'
refused "'elsewhere' is called by the host side, and no file or library given has it" no_main.cu -- -DMAIN -DELSEWHERE
run "$hgrd_run" --detector=nobody no_main.cu -- -DMAIN
status_is 2 && has err "no detector 'nobody': there are clocks"
run "$hgrd_run" --build -o program no_main.cu -- -DMAIN
status_is 0
for wrong in nonsense schedule=sideways timeout=soon colour=red; do
  HGRD_RUN=$wrong run ./program
  status_is 2 && has err '^hgrd-run: error: HGRD_RUN: '
done
# A null pointer is no object.
run ./program
status_is 1 && has err "error: thread .* of 'known' writes 4 bytes out of bounds"
