# Units: the report of units is the report of their sources, byte for byte; the same input makes the same unit; what is no
# unit, or not all of it, or older than its source, is told in one line. The launcher leaves the build as it is.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
reuse_clang
write_samples
mkdir -p include
echo '#define WIDTH 2' >include/width.h
cat >kernel.cu <<'CU'
//--blockDim=64
#include "width.h"
__device__ int shared_by_all[64];
__device__ int twice(int i);
__global__ void pairs(int *a, int step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i * step] = i;
  a[i * step + 1] = twice(i) * WIDTH;
}
__global__ void alone(int *a) { a[threadIdx.x / 2] = 1 + threadIdx.x; }
void launch(int *a, int step) { pairs<<<8, 128>>>(a, step); }
CU
cat >other.cu <<'CU'
__device__ int twice(int i) { return 2 * i; }
CU
cat >main.cpp <<'CU'
#include <cassert>
void launch(int *a, int step);
int *memory();
int main(int argc, char **) {
  assert(argc >= 2);
  launch(memory(), argc);
}
CU
printf '%s\n' '#include "config.h"' '#ifdef FAST' '#define N 2' '#else' '#define N 1' '#endif' \
  '__global__ void gap(int *a) { a[threadIdx.x * N] = 1; }' 'void run(int *a) { gap<<<1, 32>>>(a); }' >gap.cu
files=(kernel.cu other.cu main.cpp gap.cu racy.cu)
units=()
for file in "${files[@]}"; do
  run "$HGRD_CHECK" -c "$file" -o "$file.hgrd" -Iinclude
  status_is 0 && is_empty out
  cp "$file.hgrd" before
  run "$HGRD_CHECK" -c "$file" -o "$file.hgrd" -Iinclude
  same before "$file.hgrd"
  units+=("$file.hgrd")
done
# compare OPTION...: of sources and of units
compare() {
  run "$HGRD_CHECK" "$@" -Iinclude "${files[@]}"
  cp out of_sources && cp err err_of_sources
  local status_of_sources=$status
  run "$HGRD_CHECK" "$@" "${units[@]}"
  same out of_sources && same err err_of_sources && status_is "$status_of_sources"
}
compare
has out 'gap'
has of_sources 'alone'
for form in json sarif html gitlab junit; do compare --format=$form; done
for stage in ir host kernel pairs goals; do compare --dump=$stage; done
compare --strict
# One unit and a source together.
run "$HGRD_CHECK" kernel.cu.hgrd other.cu main.cpp.hgrd -Iinclude
cp out mixed
run "$HGRD_CHECK" kernel.cu other.cu main.cpp -Iinclude
same out mixed
# By itself a file says what it says.
run "$HGRD_CHECK" gap.cu
cp out alone && cp err alone_err
run "$HGRD_CHECK" gap.cu.hgrd
same out alone && same err alone_err

# ---- names, and what make is to know
run "$HGRD_CHECK" -c racy.cu
status_is 0 && [[ -s racy.hgrd ]] || complain 'no racy.hgrd'
run "$HGRD_CHECK" -c kernel.cu -MD -Iinclude
has kernel.d '^kernel.hgrd:' && has kernel.d '  include/width.h' && has kernel.d ' kernel.cu'
run "$HGRD_CHECK" -c kernel.cu -o a.hgrd -MF b.d -Iinclude
has b.d '^a.hgrd:'
rm kernel.hgrd kernel.d
run "$HGRD_CHECK" --cache="$work/kept" -c kernel.cu -MD -Iinclude
sleep 0.1 && cp kernel.hgrd first.hgrd
run "$HGRD_CHECK" --cache="$work/kept" -c kernel.cu -MD -Iinclude
run "$HGRD_CHECK" --cache="$work/kept" --cache-stats -c kernel.cu -MD -Iinclude
same kernel.hgrd first.hgrd && has kernel.d '  include/width.h' && has err 'units: 1 of 1 found'
run "$HGRD_CHECK" --cache="$work/kept" --cache-stats "${units[@]}"
cp out with_cache
run "$HGRD_CHECK" --cache="$work/kept" --cache-stats "${units[@]}"
same out with_cache && has err 'programs: 1 of 1 found'

# ---- bad input
refused() { # PATTERN FILE...
  local pattern=$1
  shift
  run "$HGRD_CHECK" "$@"
  status_is 2 && has err "$pattern"
  [[ $(grep -c 'error:' err) -eq 1 ]] || complain 'more than one line'
}
size=$(stat -c %s racy.hgrd)
for length in 0 1 11 12 44 45 60 $((size / 2)) $((size - 1)); do
  head -c "$length" racy.hgrd >cut.hgrd
  refused '^hgrd-check: error: cut.hgrd (was cut off or altered|is no unit of this version)' cut.hgrd
done
for at in 0 20 50 $((size / 2)) $((size - 1)); do
  cp racy.hgrd altered.hgrd
  printf '\377' | dd of=altered.hgrd bs=1 seek="$at" conv=notrunc status=none
  refused 'altered.hgrd (was cut off or altered|is no unit)' altered.hgrd
done
refused 'gone.hgrd: No such file' gone.hgrd
cp racy.cu text.hgrd
refused 'text.hgrd is no unit of this version' text.hgrd
# Of another build of the program: any library that it loads makes it one.
LD_PRELOAD=$(ls /lib/*/libdl.so.2 | head -n 1) ASAN_OPTIONS=verify_asan_link_order=0 run "$HGRD_CHECK" racy.hgrd
status_is 2 && has err 'racy.hgrd was made by another version of hgrd-check'
# The others are checked all the same.
run "$HGRD_CHECK" cut.hgrd kernel.cu.hgrd
status_is 2 && has out '2 kernels'
sed 's/i + 1 < n/i + 2 < n/' racy.cu >changed && mv changed racy.cu
refused 'racy.hgrd is older than racy.cu, which was changed since' racy.hgrd
refused 'No such file' -c gone.cu
refused 'name just one' -c kernel.cu other.cu
refused 'leave out --format' -c kernel.cu --format=json -o x --format=html -o y
refused 'they go with -c' -MD kernel.cu
echo 'int main() { return undeclared; }' >broken.cu
run "$HGRD_CHECK" -c broken.cu -o broken.hgrd
status_is 2 && has err 'undeclared' && [[ ! -e broken.hgrd ]] || complain 'a unit of a broken file'
run "$HGRD_CHECK" -c other.cu -o nowhere/other.hgrd
status_is 2 && has err 'nowhere'
write_samples

# ---- the launcher
cat >cc <<'SH'
#!/bin/sh
echo "compiler: $*"
echo "to stderr" >&2
for last; do :; done
case $last in *fail*) exit 7 ;; esac
: >"${HGRD_TEST_OBJECT:-object}"
SH
chmod +x cc
export HGRD_CHECK
run "$HGRD_ROOT/driver/hgrd-cc" ./cc -Iinclude -c -o build.o kernel.cu
status_is 0 && has out '^compiler: -Iinclude -c -o build.o kernel.cu$' && has err '^to stderr$'
[[ $(wc -l <out) -eq 1 && $(wc -l <err) -eq 1 ]] || complain 'the launcher says something itself'
run "$HGRD_CHECK" build.o.hgrd other.cu main.cpp
cp out launched
run "$HGRD_CHECK" -Iinclude kernel.cu other.cu main.cpp
same out launched
# nvcc's spellings, a name with a blank and a quote, several sources at once
mkdir -p 'a "b'
cp other.cu 'a "b/other.cu'
run "$HGRD_ROOT/driver/hgrd-cc" ./cc -gencode arch=compute_80,code=sm_80 -Xcompiler -Wall,-O2 -dc 'a "b/other.cu' -o 'a "b/o.o'
status_is 0 && [[ -s 'a "b/o.o.hgrd' ]] || complain 'no unit of a file with an odd name'
run "$HGRD_ROOT/driver/hgrd-cc" ./cc racy.cu other.cu -o app
[[ -s app-racy.cu.hgrd && -s app-other.cu.hgrd ]] || complain 'no units of a command with two sources'
# What fails: the compiler, as it does; we, silently; nothing is left of an older unit.
run "$HGRD_ROOT/driver/hgrd-cc" ./cc -c fail.cu
status_is 7 && [[ ! -e fail.o.hgrd ]] || complain 'a unit of what failed'
cp racy.hgrd broken.o.hgrd
HGRD_CC_LOG=log run "$HGRD_ROOT/driver/hgrd-cc" ./cc -c broken.cu
status_is 0 && has log undeclared && [[ ! -e broken.o.hgrd ]] || complain 'an old unit of a broken file'
HGRD_CHECK=/nowhere/hgrd-check PATH=/usr/bin:/bin run "$HGRD_ROOT/driver/hgrd-cc" ./cc -c racy.cu -o none.o
status_is 0 && [[ ! -e none.o.hgrd ]] || complain 'a unit out of nothing'
HGRD_CC=off run "$HGRD_ROOT/driver/hgrd-cc" ./cc -c racy.cu -o off.o
status_is 0 && [[ ! -e off.o.hgrd ]] || complain 'off, and still a unit'
run "$HGRD_ROOT/driver/hgrd-cc" ./cc a.o b.o -o app2
status_is 0
run "$HGRD_ROOT/driver/hgrd-cc" ./cc -E racy.cu -o racy.i
[[ ! -e racy.i.hgrd ]] || complain 'a unit of preprocessing'
run "$HGRD_ROOT/driver/hgrd-cc"
status_is 2

# ---- nvcc itself, where it is
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
if [[ -x $nvcc ]]; then
  run "$HGRD_ROOT/driver/hgrd-cc" "$nvcc" -arch=sm_80 -c racy.cu -o real.o
  status_is 0 && [[ -s real.o && -s real.o.hgrd ]] || complain 'no unit beside what nvcc has made'
  run "$HGRD_CHECK" real.o.hgrd
  cp out launched && status_is 1
  run "$HGRD_CHECK" --arch=sm_80 racy.cu
  same out launched
fi
