# Input that was not there is no green light: every form says so, --strict returns 3, and a kernel whose file asks for a
# macro that may stand in a header that was not found is undecided.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
reuse_clang
write_samples

# With FAST, which only the header defines, all threads write one word; without it each has its own.
cat >tests.cu <<'CU'
#include "config.h"
__global__ void fill(int *a) {
#ifdef FAST
  a[0] = threadIdx.x;
#else
  a[blockIdx.x * blockDim.x + threadIdx.x] = 1;
#endif
}
int main() {
  int *a;
  cudaMalloc(&a, 1024 * sizeof(int));
  fill<<<4, 256>>>(a);
}
CU
sed '/FAST/,/else/d; /endif/d' tests.cu >asks_nothing.cu
mkdir .there && echo "#define FAST 1" >.there/config.h # hidden, or it would be found

run "$HGRD_CHECK" --strict -q tests.cu
status_is 3 && has err "^tests\.cu:1:10: warning: 'config\.h' is not found and is left out"
has out "tests\.cu:3:8: note: kernel 'fill' is undecided: this line asks for 'FAST', which the header 'config\.h' that was not found \(tests\.cu:1\) may define"
run "$HGRD_CHECK" tests.cu -- -I.there
status_is 1 && is_empty err
run "$HGRD_CHECK" tests.cu -- -I.there -UFAST -include .there/config.h # a flag may name the header
status_is 1
: >.there/config.h
run "$HGRD_CHECK" --strict tests.cu -- -I.there
status_is 0 && is_empty err && has_not out 'left out'

# ---- what the compiler says itself is no question to a header: its builtins, and the macro of one of its flags

sed 's/#ifdef FAST/#if !__has_builtin(__builtin_expect) || defined(_DEBUG)/' tests.cu >asks_compiler.cu
rm .there/config.h
run "$HGRD_CHECK" asks_compiler.cu
status_is 0 && has_not out 'this line asks for'
sed -i 's/_DEBUG/_DEBUGGED/' asks_compiler.cu
run "$HGRD_CHECK" asks_compiler.cu
has out "this line asks for '_DEBUGGED'"
: >.there/config.h

# ---- a file that asks for nothing of it: race-free, under an assumption that every form tells

all=(--format=text --format=json -o r.json --format=junit -o r.xml --format=gitlab -o r.gitlab --format=sarif -o r.sarif --format=html -o r.html)
run "$HGRD_CHECK" --strict "${all[@]}" asks_nothing.cu
status_is 3 && has err "warning: 'config\.h' is not found"
has out "note: race-free only if what was not there .* \[A14\]: 'fill'"
has out '^1 kernel: 1 race-free \(1 if what was left out does not matter\), 0 racy'
has r.json '^  "complete": false' && has r.json '"provisional": true' && has r.json '^        "A14"' && has r.json '"provisional": 1'
sed -n '/"leftOut": \[/,/^  \]/p' r.json >gaps
has gaps "'config\.h' is not found" && has gaps '"line": 1,'
has r.xml 'tests="1" failures="0" errors="0" skipped="1"' && has r.xml '<skipped message=.*race-free only if .*config\.h'
has r.gitlab '"check_name": "provisional"' && has r.gitlab 'race-free only if .*config\.h'
has r.sarif '"id": "provisional"' && has r.sarif 'race-free only if .*config\.h' && has r.sarif '"exitCode": 3'
has r.html 'class="open"><b>1</b><span>only if what was left out' && has r.html 'race-free only if .*config\.h'
run "$HGRD_CHECK" -v -q asks_nothing.cu
status_is 0 && has out "note: race-free only if what was not there .* \[A14\]: 'fill'" && has err "warning: 'config\.h'"
run "$HGRD_CHECK" --strict --format=junit --format=json -o report.json clean.cu # the twin: all is there
status_is 0 && has out 'skipped="0"' && has report.json '^  "complete": true' && has_not report.json 'A14|provisional": true'

# ---- what asks, and what does not

# A guard against a second inclusion is no question; a default that looks like one is.
printf '// parts\n#ifndef PARTS_H\n#define PARTS_H\nconst int parts = 4;\n#endif // PARTS_H\n' >guarded.h
printf '#ifndef PARTS\n#define PARTS 4\n#endif\nconst int more_parts = PARTS;\n' >default.h
printf '#ifndef WIDE_H\n#define WIDE_H\n#ifdef WIDE\n#endif\n#endif\n' >wide.h
cat >asks.cu <<'CU'
#ifdef NO_EARLY
#endif
#define NO_KNOWN 8
#define BY_WAY OTHER
#include "config.h"
#if WIDTH > 4
#endif
#if 1 && \
  !defined(HEIGHT)
#endif
#if 0
#ifdef NO_SKIPPED
#endif
#elif defined DEPTH
#endif
#ifndef BLOCK
#define BLOCK 4 // if the header has none
#endif
#if BLOCK > 2 && BY_WAY > 2 && NO_KNOWN > 2
#endif
#define HALVED HALF
#if HALVED
#endif
#define NO_OWN 8
#if NO_OWN > 4
#endif
#if defined(__CUDA_ARCH__) || defined(_WIN32)
#endif
// #ifdef NO_COMMENT
const char *text = "NO_STRING";
#include "default.h"
#include "guarded.h"
#include "guarded.h"
#include "wide.h"
#include <cstdio>
CU
sed -n '/^__global__/,$p' asks_nothing.cu >>asks.cu
run "$HGRD_CHECK" -v --strict asks.cu
status_is 3
for name in WIDTH HEIGHT DEPTH BLOCK OTHER HALF PARTS WIDE; do has out "is undecided: this line asks for '$name'"; done
[[ $(grep -c 'this line asks for' out) -eq 8 ]] || complain 'others are asked for'

# ---- other things that are left out

run "$HGRD_CHECK" -q --strict clean.cu -- -Qmystery
status_is 3 && has err "warning: flag '-Qmystery' is not handed to clang: it is not known here" && has out '\[A14\]'
run "$HGRD_CHECK" -q --strict clean.cu -- -fplugin=evil.so
status_is 3 && has err 'could load code or write files' && has out '\[A14\]'
run "$HGRD_CHECK" -q --strict clean.cu -- -march=zen99
status_is 3 && has err 'which clang|which refuses it' && has out '\[A14\]'
run "$HGRD_CHECK" -q --strict clean.cu -- -O3 -Wall -lm -fopenmp # mean nothing here
status_is 0 && is_empty err && is_empty out

# The body of a host function, a declaration.
cat >library.cu <<'CU'
#include <hgrd_no_such_library.h>
static Library_Handle handle[LIBRARY_HANDLES];
__global__ void fill(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
void start(int *a) {
  library_start();
  int library_places[LIBRARY_PLACES];
  fill<<<1, 32>>>(a);
}
CU
run "$HGRD_CHECK" -q --strict library.cu
status_is 3 && has err 'warning: library\.cu: 2 declarations or functions of the host \(library\.cu:2, library\.cu:4\) need it and are left out'
has out "\[A14\]: 'fill'"
sed '/Library\|library/d' library.cu >own.cu
run "$HGRD_CHECK" -q --strict own.cu
status_is 0

# Host code that does not compile, a file that does not: the other file's kernel is no sure thing.
sed 's/fill<<</int wrong = ; fill<<</' own.cu >host_broken.cu
run "$HGRD_CHECK" -q --strict host_broken.cu
[[ $status -ge 2 ]] || complain "exit status $status"
printf '__global__ void k(int *a) {\n  a[0] = ;\n}\n' >broken.cu
run "$HGRD_CHECK" --strict clean.cu broken.cu
status_is 2 && has out "race-free only if .*\[A14\]: 'shift'" && has out '1 race-free \(1 if what was left out'

# A file that is not in the database has flags that are not known.
echo "[{\"directory\": \"$PWD\", \"file\": \"clean.cu\", \"command\": \"nvcc -c clean.cu\"}]" >compile_commands.json
run "$HGRD_CHECK" -q --strict -p . own.cu
status_is 3 && has err 'warning: own\.cu is not in' && has out '\[A14\]'
run "$HGRD_CHECK" -q --strict -p . clean.cu
status_is 0

# A header that is a folder, in a line and by a flag: one line each.
mkdir -p folder.h .there/deep.h
sed 's/config/folder/' asks_nothing.cu >of_folder.cu
sed 's/config/deep/' asks_nothing.cu >of_deep.cu
run "$HGRD_CHECK" -q of_folder.cu
status_is 0 && has err "^of_folder\.cu:1:10: warning: 'folder\.h' is a folder, no header, and is left out: name a header$"
run "$HGRD_CHECK" -q of_deep.cu -- -I.there
status_is 0 && has err "^of_deep\.cu:1:10: warning: 'deep\.h' is a folder, no header"
run "$HGRD_CHECK" -q clean.cu -- -include folder.h
status_is 0 && has err "warning: 'folder\.h' is a folder, no header" && [[ $(wc -l <err) -eq 1 ]] || complain 'more than one line'

# One file's question is not another's: a kernel that takes nothing of it and has no launch is decided.
printf '#include "config.h"\n#ifdef FAST\n#endif\n__global__ void other(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 2; }\n' >other.cu
sed '/^void start/,$d' own.cu >alone.cu
run "$HGRD_CHECK" alone.cu other.cu
status_is 0 && has out "'other' is undecided: this line" && has_not out "'fill' is undecided" && has out "\[A14\]: 'fill'"
run "$HGRD_CHECK" clean.cu other.cu # the host side of the other file may launch it, too
status_is 0 && has out "'other' is undecided: this line" && has out "'shift' is undecided: this line"
