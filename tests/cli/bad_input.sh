# Whatever is given as input: a message that names it, the right exit status, and no crash.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
write_samples

run "$HGRD_CHECK"
status_is 2 && has err 'no input files'

run "$HGRD_CHECK" missing.cu
status_is 2 && has err 'missing\.cu' && is_empty out

mkdir folder.cu
run "$HGRD_CHECK" folder.cu
status_is 2 && has err 'folder\.cu'

: >empty.cu
run "$HGRD_CHECK" empty.cu
status_is 0 && has err 'no kernels'

printf 'int main() { return 0; }\n' >plain.cu
run "$HGRD_CHECK" plain.cu
status_is 0 && has err 'plain\.cu: no kernels'

printf '__global__ void k(int *a) {\n  a[0] = ;\n}\n' >broken.cu
run "$HGRD_CHECK" clean.cu broken.cu # one bad file makes the whole run bad
status_is 2 && has err 'error: broken\.cu does not compile' && has err 'broken\.cu:2:'

# A flag that clang itself refuses is left out with a warning; a right one is none.
run "$HGRD_CHECK" clean.cu -- -march=zen99
status_is 0 && has err "warning: flag '-march=zen99' is not handed to clang, which refuses it: unknown target CPU"
run env HGRD_CLANG_SECONDS=100 HGRD_CLANG_MIB=4000 "$HGRD_CHECK" clean.cu -- -march=x86-64
status_is 0 && is_empty err

# What a build includes from elsewhere is not shown unless it is source; what lies in the project is.
mkdir elsewhere project
printf 'secret words\n' | tee elsewhere/passwords project/words >elsewhere/words.h
echo 'int word;' | tee project/clean.cu >project/again.cu
cd project || exit 1
including() { # HEADER FILE ...
  local entries='' files=()
  for (( ; $# > 1; )); do
    entries+="${entries:+, }{\"directory\": \"$PWD\", \"file\": \"$2\", \"command\": \"nvcc -include $1 -c $2\"}"
    files+=("$2") && shift 2
  done
  echo "[$entries]" >compile_commands.json
  run "$HGRD_CHECK" -p . "${files[@]}"
  status_is 2
}
including ../elsewhere/passwords clean.cu
has err 'not shown, since .*passwords lies outside the build' && has_not err 'secret'
including ../elsewhere/words.h clean.cu words again.cu
for file in elsewhere/words.h project/words; do has err "/$file:1:1: error: unknown type name 'secret'"; done
[[ $(grep -c '1 . secret words' err) -eq 4 ]] || complain 'the lines are not shown'
cd .. || exit 1

# A function under the name of an intrinsic, with another type: LLVM's matter, said in one line.
printf '__device__ void g(int) asm("llvm.nvvm.barrier0");\n__global__ void k() { g(1); }\n' >intrinsic.cu
run "$HGRD_CHECK" intrinsic.cu
status_is 2 && has err 'error: intrinsic\.cu: LLVM refuses .*llvm\.nvvm\.barrier0.*declare no function' && is_empty out
[[ $(wc -l <err) -eq 1 ]] || complain "more than one line"

# A spelling that is corrected where nothing else is wrong is not the one that is told.
cat >aligned.cu <<'CU'
__global__ void k(int *v) {
  __shared__ alignas(16) int s[32];
  s[threadIdx.x] = 1;
  v[threadIdx.x] = s[0] + undeclared;
}
CU
run "$HGRD_CHECK" aligned.cu
status_is 2 && has err "aligned.cu does not compile: use of undeclared identifier 'undeclared'" && has err 'an attribute list cannot appear here'
[[ $(tail -n 1 err) == *'2 errors generated'* ]] || complain 'the count is not the last line'
# Part of another file that is given, too: checked there. Without that file, it is a file that does not compile.
printf '__global__ void part_ok(T *a) { a[threadIdx.x] = 1; }\n__global__ void part_bad(T *a) { a[0] = threadIdx.x; }\n' >part.cu
printf 'typedef int T;\n#include "part.cu"\nint main() {\n  int *a;\n  cudaMalloc(&a, 128);\n  part_ok<<<1, 32>>>(a);\n  part_bad<<<1, 32>>>(a);\n}\n' >whole.cu
run "$HGRD_CHECK" part.cu whole.cu
status_is 1 && has err 'note: part\.cu does not compile by itself, but whole\.cu includes it' && has out 'part\.cu:2:.*race' && has out '^2 kernels: 1 race-free, 1 racy'
run "$HGRD_CHECK" part.cu clean.cu
status_is 2 && has err 'error: part\.cu does not compile'

# Code that is there for nvcc alone.
printf '#ifdef __NVCC__\n__global__ void k(int *a) { a[0] = threadIdx.x; }\n#endif\nint main() {\n  int *a;\n  cudaMalloc(&a, 8);\n  k<<<1, 2>>>(a);\n}\n' >nvcc.cu
run "$HGRD_CHECK" --cuda-path=none nvcc.cu
status_is 1 && has err 'note: nvcc\.cu: compiles only where __NVCC__ is defined'

# What nvcc includes of the C library by itself, for a file that includes nothing.
printf '__global__ void k(int *a) { a[0] = threadIdx.x; }\nint main() {\n  struct timespec start;\n  clock_gettime(CLOCK_MONOTONIC, &start);\n  fprintf(stderr, "%%f", clock() / (double)CLOCKS_PER_SEC);\n  int *a;\n  cudaMalloc(&a, 8);\n  k<<<1, 2>>>(a);\n}\n' >library_free.cu
run "$HGRD_CHECK" --cuda-path=none library_free.cu
status_is 1 && has out 'library_free\.cu:1:.*race'

# Host code that needs a header of a library that is not there is left out, kernels that need it are an error.
cat >library.cu <<'CU'
#include <hgrd_no_such_library.h>
namespace app {
static Library_Handle handle[LIBRARY_HANDLES];
__global__ void rows_ok(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
__global__ void rows_bad(int *a, int step) {
  a[threadIdx.x * step] = threadIdx.x;
}
}
static void start(int *a) { app::rows_bad<<<1, 32>>>(a, 1); }
int main(int argc, char **argv) {
  int places[LIBRARY_PLACES];
  library_start(&argc, &argv, "}", places);
  int *a;
  cudaMalloc(&a, 4096);
  start(a);
}
CU
run "$HGRD_CHECK" library.cu
status_is 1 && has err 'hgrd_no_such_library\.h.* is not found' && has err '2 declarations or functions of the host .* are left out'
has out 'library\.cu:6:' && has out '^2 kernels: 1 race-free \(1 if what was left out does not matter\), 1 racy'
sed 's/threadIdx\.x \* step/library_row(step)/' library.cu >library_kernel.cu
run "$HGRD_CHECK" library_kernel.cu
status_is 2 && has err 'library_kernel\.cu does not compile'

# A header whose folder was not named: the nearest folder with one of that name counts; of two on one level neither does.
mkdir -p app/src/deep app/include/parts app/other
printf '#include "step.h"\n#include <parts/row.h>\n__global__ void k(int *a) { a[ROW(threadIdx.x) * STEP] = threadIdx.x; }\n' >app/src/k.cu
printf '#define STEP 0\n' >app/src/deep/step.h
printf '#define STEP 1\n' >app/other/step.h
printf '#define ROW(i) (i)\n' >app/include/parts/row.h
run "$HGRD_CHECK" app/src/k.cu
status_is 1 && has err "^app/src/k\.cu:1:10: warning: 'step\.h' is not found in the folders named, .*/app/src/deep/step\.h is taken"
has err "'parts/row\.h' is not found in the folders named, .*/app/include/parts/row\.h is taken"
run "$HGRD_CHECK" app/src/k.cu -- -Iapp/other -Iapp/include
status_is 0 && is_empty err
mkdir app/src/more && cp app/other/step.h app/src/more
run "$HGRD_CHECK" app/src/k.cu
status_is 2 && has err "app/src/k\.cu does not compile: 'step\.h' file not found"
ln -s "$PWD/app/include" app/src/linked && rm -r app/src/more app/include/parts # what is missing is named, not what was found
run "$HGRD_CHECK" app/src/k.cu
status_is 2 && has err "app/src/k\.cu does not compile: 'parts/row\.h' file not found"

# MPI and OpenMP without their libraries. What the program does in a reduction, if anything, is not known.
cat >ranks.cu <<'CU'
#include "mpi.h"
#include <omp.h>
__global__ void rows(int *a, int step) { a[threadIdx.x * step] = threadIdx.x; }
int step, total;
void own(void *in, void *out, int *n, MPI_Datatype *type) { *(int *)out = *n; }
int main(int argc, char **argv) {
  int rank, *a;
  MPI_Op op = MPI_SUM;
  MPI_Init(&argc, &argv);
  // here
  step = 1 + omp_get_thread_num() * 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Allreduce(&rank, &total, 1, MPI_INT, op, MPI_COMM_WORLD);
  cudaMalloc(&a, 4096);
  rows<<<1, 32>>>(a, step);
  MPI_Finalize();
}
CU
sed 's|// here|MPI_Op_create(own, 1, \&op);|' ranks.cu >ranks_own.cu
sed 's|rank, &total|rank, \&step|' ranks.cu >ranks_step.cu
run "$HGRD_CHECK" ranks.cu
status_is 0 && is_empty err
for file in ranks_own ranks_step; do
  run "$HGRD_CHECK" $file.cu
  status_is 1 && has out "$file\.cu:3:"
done
mkdir real && printf '#error the real one\n' >real/mpi.h
run "$HGRD_CHECK" --cuda-path=none ranks.cu -- -isystem real
status_is 2 && has err 'error: the real one'

# A toolkit that does not work: the bundled declarations serve, and what is shown is the user's own mistake.
mkdir -p toolkit/include
printf '#error this toolkit is broken\n' >toolkit/include/cuda_runtime.h
run "$HGRD_CHECK" --cuda-path=toolkit clean.cu broken.cu
status_is 2 && has err 'note: clean\.cu: does not compile with the headers of toolkit: the bundled declarations are used'
has out '^1 kernel: 1 race-free' && has err 'broken\.cu:2:' && has_not err 'toolkit/include'

head -c 4000 "$HGRD_CHECK" >binary.cu
run "$HGRD_CHECK" binary.cu
status_is 2 && has err 'binary\.cu'

printf '__global__ void k(int *a) { a[0] = 1; \0 }' >nul.cu
run "$HGRD_CHECK" nul.cu
[[ $status -le 2 ]] || complain "exit status $status"

mkfifo pipe.cu
run "$HGRD_CHECK" pipe.cu
status_is 2 && has err 'pipe\.cu is no regular file'

HGRD_CLANG=/nonexistent run "$HGRD_CHECK" clean.cu
status_is 2 && has err '/nonexistent' && has err 'HGRD_CLANG'

HGRD_CLANG=/bin/true run "$HGRD_CHECK" clean.cu
status_is 2 && has err 'HGRD_CLANG'

HGRD_CLANG=/bin/false run "$HGRD_CHECK" clean.cu
status_is 2 && has err 'HGRD_CLANG|/bin/false'

# ---- sources that are hard to read

printf '// caf\xe9 \xff\n' | cat - racy.cu >latin.cu
for file in 'with space & "quote".cu' ./-dash.cu $'caf\xe9.cu'; do cp racy.cu "$file"; done
awk 'BEGIN { for (i = 0; i < 130000; i++) print "// " i " is a line of a file of ten million bytes, made by a program for a test" }' >large.cu
cat racy.cu >>large.cu
[[ $(wc -c <large.cu) -gt 10000000 ]] || complain 'the large file is too small'
run "$HGRD_CHECK" latin.cu 'with space & "quote".cu' ./-dash.cu $'caf\xe9.cu' large.cu --format=text --format=json -o report.json
status_is 1 && has out '^5 kernels: 0 race-free, 5 racy'
has report.json '"line": 5,' && has report.json '"line": 130004,'
has out 'latin\.cu:5:' && has out 'with space & "quote"\.cu:4:' && has out '^\./-dash\.cu:4:' && has out 'large\.cu:130004:'

printf '__global__ void k(int *a) { a[threadIdx.x] = 1; }\n\0\0\n' >zeros.cu
mkdir deep
for ((i = 1; i < 190; i++)); do echo "#include \"$((i + 1)).h\"" >"deep/$i.h"; done
echo '#define VALUE 7' >deep/190.h
printf '#include "deep/1.h"\n__global__ void k(int *a) { a[threadIdx.x] = VALUE; }\n' >deep.cu
run "$HGRD_CHECK" zeros.cu deep.cu
status_is 0 && has out '2 race-free'
echo '#include "1.h"' >deep/190.h
run "$HGRD_CHECK" deep.cu
status_is 2 && has err 'nested too deeply'

awk 'BEGIN { printf "__device__ int f(int a) { return "; for (i = 0; i < 20000; i++) printf "("; print "a" }' >brackets.cu
run "$HGRD_CHECK" brackets.cu
status_is 2 && has err 'brackets\.cu'

# ---- databases that are hard to read

mkdir -p base/sub
cp racy.cu base
database() { printf '%s' "$1" >base/compile_commands.json; }
one_file() { printf '[{"directory": "%s", "file": "racy.cu", "command": "nvcc %s -c racy.cu"}]' "$work/base" "$1"; }

database "$(one_file '-O2')"
run "$HGRD_CHECK" -p base base/racy.cu
status_is 1 && has_not err 'racy\.cu is not in'
for text in '' '{' '[{' '[] []' '{"file": "racy.cu"}' '7' '[{"directory": "/", "file": "a\u0000b", "command": "nvcc a"}]' \
  '[{"directory": "/", "file": "a.cu", "arguments": ["nvcc",]}]'; do
  database "$text"
  run "$HGRD_CHECK" -p base base/racy.cu
  status_is 2 && has err 'compile_commands\.json:[0-9]+:[0-9]+: .*make it again'
done
while IFS='|' read -r text mistake; do
  database "[{\"directory\": \"/\", \"file\": \"a.cu\", \"command\": \"nvcc a.cu\"}, $text]"
  run "$HGRD_CHECK" -p base base/racy.cu
  status_is 2 && has err "compile_commands\\.json: entry 2: $mistake: .*make it again"
done <<'TEXT'
{"file": "racy.cu"}|it has no "directory"
{"directory": "/"}|it has no "file"
{"directory": "/", "file": 7}|"file" is no string
{"directory": "/", "file": "a.cu"}|it has neither "command" nor "arguments"
{"directory": "/", "file": "a.cu", "arguments": ["nvcc", 7]}|"arguments" is no list of strings
{"directory": "/", "file": "a.cu", "arguments": "nvcc a.cu"}|"arguments" is no list of strings
[]|it is no object
TEXT
awk 'BEGIN { for (i = 0; i < 100000; i++) printf "[" }' >base/compile_commands.json
run "$HGRD_CHECK" -p base base/racy.cu
status_is 2 && has err 'compile_commands\.json:1:'
awk 'BEGIN { printf "[{\"more\": "; for (i = 0; i < 100000; i++) printf "[" }' >base/compile_commands.json
run "$HGRD_CHECK" -p base base/racy.cu
status_is 2 && has err 'maximum parsing depth'
rm base/compile_commands.json && mkfifo base/compile_commands.json
run "$HGRD_CHECK" -p base base/racy.cu
status_is 2 && has err 'compile_commands\.json: Not a regular file'
rm base/compile_commands.json
run "$HGRD_CHECK" -p base base/racy.cu
status_is 2 && has err 'CMAKE_EXPORT_COMPILE_COMMANDS'

# Its folder is gone: the paths in it lead nowhere, and the file is said not to be in it.
printf '[{"directory": "%s", "file": "racy.cu", "command": "nvcc -Iinc -c racy.cu"}]' "$work/gone" >base/compile_commands.json
run "$HGRD_CHECK" -p base base/racy.cu
status_is 1 && has err 'base/racy\.cu is not in base/compile_commands\.json'

# Options files that name themselves, many times over, lie elsewhere, or are no files.
awk 'BEGIN { print "-DA"; for (i = 0; i < 2000; i++) print "--options-file self.txt" }' >base/self.txt
echo '-DSECRET' >secret.txt
ln -s ../secret.txt base/link.txt
mkfifo base/pipe.txt
echo '-DINSIDE' >base/sub/flags.rsp
# with_flags FLAGS...: one program of small files, each built with one of the FLAGS.
with_flags() {
  local entries='' files=() flag
  for flag in "$@"; do
    local name=${#files[@]}.cu
    echo "int number_${#files[@]};" >"base/$name"
    entries+="${entries:+, }{\"directory\": \"$work/base\", \"file\": \"$name\", \"command\": \"nvcc $flag -c $name\"}"
    files+=("base/$name")
  done
  database "[$entries]"
  run "$HGRD_CHECK" -v -p base "${files[@]}"
  status_is 0
  grep -E '^hgrd-check: note: [^ ]*clang' err >commands
  [[ $(grep -c ' -c ' commands) -eq $((2 * $#)) ]] || complain 'not every file is compiled'
}
with_flags '--options-file self.txt' '--options-file ../secret.txt -optf sub/../../secret.txt' '--options-file link.txt' \
  '--options-file pipe.txt @pipe.txt' '@sub/flags.rsp'
has err 'options file .*self\.txt is left out' && has err 'pipe\.txt is left out \(is no regular file\)'
has err 'secret\.txt is left out \(lies outside the build\)' && has err 'link\.txt is left out \(lies outside the build\)'
has_not err 'SECRET' && has commands ' -DINSIDE '

# What could load code into clang or write files does not reach it.
with_flags -fplugin=evil.so '-Xclang -load -Xclang evil.so' -fpass-plugin=evil.so -B/evil '-Xcompiler -fplugin=evil.so' \
  '-specs=evil' '-mllvm -load=evil.so' '--config=evil' '-wrapper evil'
has_not commands 'evil'

# ---- compilers that fail

printf '#!/bin/sh\nkill -SEGV $$\n' >crash && chmod +x crash
HGRD_CLANG=$work/crash run "$HGRD_CHECK" clean.cu
status_is 2 && has err 'stopped by signal 11'
printf '#!/bin/sh\nprintf BC\n' >halfway && chmod +x halfway
HGRD_CLANG=$work/halfway run "$HGRD_CHECK" clean.cu
status_is 2 && has err 'bitcode of clang cannot be read'

# ---- sources that would take clang too long, or too much memory

echo 'constexpr long spin(long n) { long s = 0; for (long i = 0; i < n; i++) s += i ^ s; return s; }' >slow.cu
echo '__global__ void k(long *p) { constexpr long v = spin(1L << 40); p[threadIdx.x] = v; }' >>slow.cu
mkdir temporary
export TMPDIR=$work/temporary
run env HGRD_CLANG_SECONDS=1 "$HGRD_CHECK" slow.cu -- -fconstexpr-steps=2000000000
status_is 2 && has err 'clang was stopped by signal (9|24) on slow\.cu: too much time'
{
  echo '#define A(x) x x x x x x x x x x'
  echo '#define B(x) A(A(A(x)))'
  echo '__global__ void k(int *p) { B(B(B(p[threadIdx.x] += 1;))) }'
} >huge.cu
run env HGRD_CLANG_MIB=300 "$HGRD_CHECK" huge.cu
status_is 2 && has err 'clang was stopped by signal 6 on huge\.cu: too much memory' && has_not err 'Stack dump'
[[ -z $(ls -A temporary) ]] || complain "left in TMPDIR: $(ls -A temporary)"
