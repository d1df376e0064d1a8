# The CMake module, installed: a target that checks another one with its own flags. The project needs no CUDA compiler:
# clang compiles its CUDA file as C++ would be, and nothing has to be built for the check.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
run cmake --install "$HGRD_BUILD" --prefix "$work/prefix"
status_is 0
mkdir -p project/src project/include && cd project || exit 1
echo '#define WIDTH 2' >include/width.h
cat >src/kernel.cu <<'CU'
#include "width.h"
__global__ void pairs(int *a, int step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i * step] = i;
  a[i * step + SECOND] = WIDTH;
}
void launch(int *a, int step) {
  pairs<<<8, 128>>>(a, step);
}
CU
cat >src/main.cpp <<'CU'
#include <cassert>
void launch(int *a, int step);
int *memory();
void run(int *a, int step) {
  assert(step >= 2);
  launch(a, step);
}
int main(int argc, char **) {
  run(memory(), argc);
}
CU
cat >CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(app LANGUAGES CXX)
find_package(HgrdCheck REQUIRED)
enable_testing()
add_executable(app src/main.cpp src/kernel.cu)
set_source_files_properties(src/kernel.cu PROPERTIES LANGUAGE CXX COMPILE_OPTIONS "-x;cuda")
target_include_directories(app PRIVATE include)
target_compile_definitions(app PRIVATE SECOND=${SECOND})
hgrd_check(app FORMATS sarif html OPTIONS -Wintra-warp-race TEST ${MORE})
CMAKE
configure() { # configure OPTION...
  rm -rf build
  run cmake -S . -B build -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_CXX_COMPILER="${HGRD_CLANG:-clang++-19}" "$@"
}
# The assert in the other file makes it race-free: both sources were given, with the flags of the build.
configure -DSECOND=1
status_is 0
run cmake --build build --target hgrd-app
status_is 0 && has out '1 kernel: 1 race-free'
[[ -s build/hgrd-app.sarif && -s build/hgrd-app.html ]] || complain 'the reports are missing'
run ctest --test-dir build
status_is 0 && has out 'hgrd-app .*Passed'
# One more place makes it racy: the target fails, and shows why; the reports are there all the same.
configure -DSECOND=2
run cmake --build build --target hgrd-app
[[ $status -ne 0 ]] || complain 'the target passes in spite of a race'
has out '^src/kernel.cu:[45]:.* warning: .* \[-Wint'
has build/hgrd-app.sarif '"ruleId": "HGRD100'
run ctest --test-dir build
[[ $status -ne 0 ]] || complain 'the test passes in spite of a race'
# Versions: before 1.0, those of one minor number go together.
ask_for() { # ask_for VERSION
  mkdir -p asks
  printf 'cmake_minimum_required(VERSION 3.25)\nproject(asks LANGUAGES NONE)\nfind_package(HgrdCheck %s REQUIRED)\n' "$1" >asks/CMakeLists.txt
  rm -rf asks/build
  run cmake -S asks -B asks/build -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix"
}
version=$("$HGRD_CHECK" --version | sed -n 's/^hgrd-check \([0-9.]*\) .*/\1/p')
IFS=. read -r major minor patch <<<"$version"
for fits in "$major.$minor" "$version"; do
  ask_for "$fits"
  status_is 0
done
for other in "$major.$((minor + 1))" "$major.$minor.$((patch + 1))" $((major + 1)).0; do
  ask_for "$other"
  [[ $status -ne 0 ]] || complain "version $other is taken for $version"
  has err 'requested version'
done

# Known findings, and those that are meant to be.
printf '* kernel.cu pairs meant\n' >meant
configure -DSECOND=2 -DMORE='SUPPRESSIONS;meant'
run cmake --build build --target hgrd-app
status_is 0 && has out 'suppressed'
run "$HGRD_CHECK" -p build --write-baseline=known src/main.cpp src/kernel.cu
configure -DSECOND=2 -DMORE='BASELINE;known;ALL;OUTPUT_DIR;reports/of'
run cmake --build build --target hgrd-app
status_is 0 && has out 'known from the baseline'
[[ -s build/reports/of/hgrd-app.html ]] || complain 'no report in OUTPUT_DIR'
# What is wrong is said while configuring.
for wrong in 'FORMATS;pdf' 'BASELIN;known' 'NAME'; do
  configure -DSECOND=1 -DMORE="$wrong"
  [[ $status -ne 0 ]] || complain "accepted: $wrong"
  has err 'hgrd_check\(app\): '
done
# Units: the launcher leaves them beside the objects while the target is built, and the check reads them. A program in the place of
# ccache makes the objects, since there need be no CUDA compiler.
cd .. && mkdir -p fake && cat >fake/ccache <<'SH'
#!/bin/sh
while [ $# -gt 1 ]; do
  [ "$1" != -o ] || : >"$2"
  shift
done
SH
chmod +x fake/ccache
sed -i 's/^add_executable(app /add_library(app OBJECT /; s/^hgrd_check.*/hgrd_check(app UNITS)/' project/CMakeLists.txt
cd project || exit 1
export HGRD_CHECK=$work/prefix/bin/hgrd-check # units are read by the version that made them
configure -DSECOND=1 -DCMAKE_CXX_COMPILER_LAUNCHER="$work/prefix/bin/hgrd-cc;$work/fake/ccache"
status_is 0
run cmake --build build --target hgrd-app
status_is 0 && has out '1 kernel: 1 race-free'
[[ -s $(find build -name 'kernel.cu.o.hgrd') ]] || complain 'no unit beside the object'
touch src/kernel.cu && sed -i 's/i \* step + SECOND/i * step + 2 * SECOND/' src/kernel.cu # made again when it is built again
run cmake --build build --target hgrd-app
[[ $status -ne 0 ]] || complain 'the target passes in spite of a race'
has out '^src/kernel.cu:[45]:.* warning: .* \[-Wint|^.*/src/kernel.cu:[45]:.* warning: .* \[-Wint'
