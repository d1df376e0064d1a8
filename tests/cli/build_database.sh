# -p takes flags from compile_commands.json as nvcc is called in it; `--` hands flags over; -DNDEBUG leaves asserts alone.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
mkdir include
echo '#define STEP 2' >include/step.h
cat >k.cu <<'CU'
#include <cassert>
#include "step.h"
__global__ void pairs(int *a, int step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i * step] = i;
  a[i * step + 1] = WIDTH;
}
void run(int *a, int step) {
  assert(step >= STEP);
  pairs<<<8, 128>>>(a, step);
}
int main(int argc, char **) {
  int *a;
  cudaMalloc((void **)&a, 1 << 20);
  run(a, argc);
  return 0;
}
CU
run "$HGRD_CHECK" k.cu # the header is found, what the build defines is not
status_is 2 && has err 'WIDTH'
run "$HGRD_CHECK" k.cu -- -Iinclude -DWIDTH=4 -DNDEBUG
status_is 0

mkdir build
cat >build/compile_commands.json <<JSON
[{"directory": "$work", "file": "k.cu", "command":
  "ccache nvcc -forward-unknown-to-host-compiler -Iinclude -DWIDTH=4 -DNDEBUG -gencode arch=compute_80,code=sm_80 --expt-relaxed-constexpr -O3 -Xcompiler -Wall,-fPIC -std=c++17 -x cu -dc k.cu -o k.o"}]
JSON
run "$HGRD_CHECK" -p build k.cu
status_is 0 && has out '1 race-free'

# Without a name: all CUDA files of the build, once each; no others.
printf '__global__ void other(int *a) { a[0] = threadIdx.x; }\n' >other.cu
printf '#error no CUDA\n' >host.cpp
entry=$(sed 's/^\[//; s/\]$//' build/compile_commands.json)
cat >build/compile_commands.json <<JSON
[$entry,
 {"directory": "$work", "file": "host.cpp", "command": "c++ -c host.cpp"},
 {"directory": "$work", "file": "other.cu", "command": "nvcc -c other.cu"},
 {"directory": "$work/build", "file": "../other.cu", "command": "nvcc -G -c ../other.cu"}]
JSON
run "$HGRD_CHECK" -p build
status_is 1 && has out '^2 kernels: 1 race-free, 1 racy' && has out '^other\.cu:1:'
mv other.cu kept.cu # since the build was made; the rest of it is analysed
run "$HGRD_CHECK" -p build
status_is 2 && has out '^1 kernel: 1 race-free' && has err 'error: other\.cu: No such file'
mv kept.cu other.cu
echo "[{\"directory\": \"$work\", \"file\": \"host.cpp\", \"command\": \"c++ -c host.cpp\"}]" >build/compile_commands.json
run "$HGRD_CHECK" -p build
status_is 2 && has err 'build/compile_commands\.json names no CUDA files: name the files to check'

# Fast floating point, as nvcc and clang are told to: a quotient may be rounded otherwise, so that two threads may come to one element.
cat >quotients.cu <<'CU'
__global__ void k(int *a) { a[(int)((float)(threadIdx.x * 41u) / 41.0f)] = threadIdx.x; }
int main() {
  int *a;
  cudaMalloc(&a, 4096);
  k<<<1, 64>>>(a);
}
CU
compiled_by() { # COMMAND STATUS
  echo "[{\"directory\": \"$work\", \"file\": \"quotients.cu\", \"command\": \"$1 -c quotients.cu\"}]" >build/compile_commands.json
  run "$HGRD_CHECK" -p build quotients.cu
  status_is "$2"
}
for flags in '' --prec-div=true '-ftz false' --fmad=true; do compiled_by "nvcc $flags" 0; done
for flags in -use_fast_math --prec-div=false '-prec-div false'; do compiled_by "nvcc $flags" 1; done
for flags in '' -O3; do compiled_by "clang++ $flags" 0; done
for flags in -Ofast -ffast-math -freciprocal-math; do compiled_by "clang++ $flags" 1; done

echo '[{' >build/compile_commands.json
run "$HGRD_CHECK" -p build k.cu
status_is 2 && has err 'compile_commands\.json'
run "$HGRD_CHECK" -p nowhere k.cu
status_is 2 && has err 'nowhere'
