# A project file: found above the files, inherited, given up for what the command line says; nothing in it can run, write or
# turn an error away. Lists of files, and the files of a target.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
reuse_clang
mkdir -p top/src/deep top/lib && cd top || exit 1
write_samples
mv racy.cu src/ && cp src/racy.cu src/deep/ && mv clean.cu lib/
check() { run "$HGRD_CHECK" -q "$@"; }

# Options of the file, for files below its folder, wherever the run starts.
printf '# ours\n arch = sm_90   # the machine\nW = error=inter-block-race\nstrict\nfiles = src/*.cu\n' >.hgrd-check
check src/racy.cu
status_is 1 && has out '^src/racy\.cu:4:10: error: .*\[-Werror=inter-block-race\]$'
check src/deep/racy.cu
has out ' error: '
check # no name: those that it names
has out '^src/racy\.cu:4:10: error: '
(cd src/deep && run "$HGRD_CHECK" -q racy.cu && cp out ../../inner)
has inner '^racy\.cu:4:10: error: '
check -Wno-error -Wno-error=inter-block-race src/racy.cu # the command line wins
has out ' warning: '
check --config=off src/racy.cu
has out ' warning: '
run "$HGRD_CHECK" --dump-config --arch=sm_80 -DX=1 -Iinc src/racy.cu
status_is 0 && has out '^# project file: \.hgrd-check$' && has out '^arch = sm_80$' && has out '^W = error=inter-block-race$'
has out '^strict$' && has out '^D = X=1$' && has out '^I = inc$' && has out '^files = src/racy\.cu$'
# What is printed is a project file with the same meaning.
run "$HGRD_CHECK" --dump-config src/racy.cu
cp out dumped
run "$HGRD_CHECK" --dump-config --config=dumped
sed 1d out >again && sed 1d dumped >first
same again first
# The nearest counts, or inherits; for files of several folders, the nearest above all of them.
echo 'W = no-inter-block-race' >src/deep/.hgrd-check
check src/deep/racy.cu
status_is 0
check src/deep/racy.cu src/racy.cu
has out 'src/deep/racy\.cu.* error: '
printf 'inherit\narch = sm_70\n' >src/deep/.hgrd-check
run "$HGRD_CHECK" --dump-config src/deep/racy.cu
has out '^arch = sm_70$' && has out '^W = error=inter-block-race$'

# Paths are those of the file; suppressions and a baseline.
printf 'suppress = inter-block-race src/*.cu shift* it is a sample\n' >.hgrd-check
check --format=json src/racy.cu
status_is 0 && has out '"suppression": "it is a sample"'
(cd src && run "$HGRD_CHECK" -q racy.cu; [[ $status -eq 0 ]] || complain 'suppressed from here only')
printf '\nsuppress = inter-block-race src/*.cu\n' >.hgrd-check
check src/racy.cu
status_is 2 && has err '\.hgrd-check:2'
rm .hgrd-check
run "$HGRD_CHECK" -q --write-baseline=known src/racy.cu
echo 'baseline = known' >.hgrd-check
check src/racy.cu
status_is 0
printf 'suppressions = lib/meant\n' >.hgrd-check
printf 'inter-block-race * * meant\n' >lib/meant
check src/racy.cu
status_is 0

# What is wrong in it is told in one line, and nothing is checked.
wrong() { # wrong PATTERN LINE
  printf '\n%b\n' "$2" >.hgrd-check
  run "$HGRD_CHECK" src/racy.cu
  status_is 2 && is_empty out && has err "$1"
  [[ $(wc -l <err) -eq 1 ]] || complain "more than one line for $2"
}
wrong "^hgrd-check: error: \.hgrd-check:2: a project file cannot say 'archi'; did you mean 'arch'\?$" 'archi = sm_90'
wrong "\.hgrd-check:2: --arch: 'volta' is no architecture" 'arch = volta'
wrong "\.hgrd-check:2: 'arch' needs a value" arch
wrong "\.hgrd-check:2: 'strict' stands alone" 'strict = yes'
wrong "\.hgrd-check:2: .*unknown rule 'foo'" 'W = foo'
wrong 'no text of a project file' 'arch\000 = x'
# It comes with the code: nothing in it writes, runs, or makes the status better.
for line in 'output = pwned' 'o = pwned' 'write-baseline = pwned' 'cache = pwned' 'exit-zero' 'fix' 'dump = ir' 'format = json' \
  'remap-file = a=b' 'cuda-path = x' 'config = x' 'kernel = none' 'completion = bash' 'precompile' 'audit' 'flag = -fplugin=x'; do
  wrong "a project file cannot say '" "$line"
done
[[ ! -e pwned ]] || complain 'something was written'
printf 'D = X -fplugin=evil.so\nD = Y\nU = Z -o pwned\nI = -Xclang\nstd = c++17 -o pwned\n' >.hgrd-check
check src/racy.cu
[[ ! -e pwned && $status -ne 0 ]] || complain 'a flag went through'
rm .hgrd-check && mkfifo .hgrd-check
check src/racy.cu
status_is 1 # is none
run "$HGRD_CHECK" --config=.hgrd-check src/racy.cu
status_is 2 && has err "cannot read the project file '\.hgrd-check'"
rm .hgrd-check
run "$HGRD_CHECK" --config=missing src/racy.cu
status_is 2 && has err "cannot read the project file 'missing'"

# Lists of files, by lines and by NUL, with names that look like options.
cp src/racy.cu ./-W.cu
printf 'lib/clean.cu\n\nsrc/racy.cu\n' >list
run "$HGRD_CHECK" --files-from=list
status_is 1 && has out '^2 kernels: 1 race-free, 1 racy'
printf '%s\0' ./-W.cu lib/clean.cu | "$HGRD_CHECK" --files-from=- >out 2>err
status=$? && status_is 1 && has out '^\./-W\.cu:4:10: warning' && has out '^2 kernels'
echo 'strict' >.hgrd-check
printf '%s\0' ./-W.cu lib/clean.cu | "$HGRD_CHECK" --files-from - >out 2>err
status=$? && status_is 1 && has out '^2 kernels'
rm .hgrd-check
run "$HGRD_CHECK" --files-from=/dev/null
status_is 2
run "$HGRD_CHECK" --files-from=missing
status_is 2 && has err "cannot read 'missing'"
: >empty && run "$HGRD_CHECK" --files-from=empty
status_is 2 && has err 'names no files'

# The files of a target, host code too: the size that the launch has stands in main.cpp.
cat >kernel.cu <<'CU'
__global__ void step(float *a, int distance) { a[threadIdx.x] = 2 * a[threadIdx.x + distance]; }
void launch(float *a, int distance) { step<<<1, 32>>>(a, distance); }
CU
cat >main.cpp <<'CU'
void launch(float *a, int distance);
int main(int argc, char **argv) { launch((float *)argv, 0); }
CU
entry() { printf '{"directory": "%s", "file": "%s", "command": "c++ -o CMakeFiles/%s.dir/%s.o -c %s"}' "$PWD" "$2" "$1" "$2" "$2"; }
echo "[$(entry app kernel.cu), $(entry app main.cpp), $(entry tool src/racy.cu)]" >compile_commands.json
run "$HGRD_CHECK" -q -p . --target=app
status_is 0
run "$HGRD_CHECK" -q -p . kernel.cu
status_is 1
run "$HGRD_CHECK" -q -p . --target=tool
status_is 1 && has out '^src/racy\.cu'
# The same where the object stands in "output", in "arguments", and in other forms of the option; an output that is elsewhere
# is no target's, whatever the command says.
object() { echo "CMakeFiles/$1.dir/$2.o"; }
form() { printf '{"directory": "%s", "file": "%s", %s}' "$PWD" "$2" "$3"; }
words() { printf '"arguments": ["c++", %s, "-c", "%s"]' "$1" "$2"; }
line() { printf '"command": "c++ %s -c %s"' "$1" "$2"; }
for how in output words glued long; do
  for part in app:kernel.cu app:main.cpp tool:src/racy.cu; do
    name=${part%:*} file=${part#*:}
    case $how in
      output) form "$name" "$file" "$(line '' "$file"), \"output\": \"$(object "$name" "$file")\"" ;;
      words) form "$name" "$file" "$(words "\"-o\", \"$(object "$name" "$file")\"" "$file")" ;;
      glued) form "$name" "$file" "$(words "\"-o$(object "$name" "$file")\"" "$file")" ;;
      long) form "$name" "$file" "$(line "--output-file $(object "$name" "$file")" "$file")" ;;
    esac
  done | sed 's/}{/}, {/g; s/^/[/; s/$/]/' >compile_commands.json
  run "$HGRD_CHECK" -q -p . --target=app
  status_is 0
  run "$HGRD_CHECK" -q -p . --target=tool
  status_is 1 && has out '^src/racy\.cu'
done
form app kernel.cu "$(line "-o $(object app kernel.cu)" kernel.cu), \"output\": \"elsewhere.o\"" | sed 's/^/[/; s/$/]/' >compile_commands.json
run "$HGRD_CHECK" -p . --target=app
status_is 2 && has err "has no files of a target 'app'$"
sed 's/"elsewhere.o"/7/' compile_commands.json >number && mv number compile_commands.json
run "$HGRD_CHECK" -p . --target=app
status_is 2 && has err '"output" is no string'
echo "[$(entry app kernel.cu), $(entry app main.cpp), $(entry tool src/racy.cu)]" >compile_commands.json
run "$HGRD_CHECK" -p . --target=ap
status_is 2 && has err "has no files of a target 'ap': it has app, tool$"
run "$HGRD_CHECK" --target=app kernel.cu
status_is 2 && has err 'it goes with -p DIR'
printf 'p = .\ntarget = app\n' >.hgrd-check
run "$HGRD_CHECK" -q
status_is 0
run "$HGRD_CHECK" -q src/racy.cu
status_is 1
