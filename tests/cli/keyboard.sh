# What helps at the keyboard: text from standard input, slips of the finger, completion, languages, includes that are no
# files, templates that nothing instantiates.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
write_samples

# Standard input under a name; what the name's file holds does not count, nor need it be there.
piped() { # piped FILE ARGUMENTS...
  local text=$1
  shift
  status=0
  "$HGRD_ROOT/tests/limit" 300 "$HGRD_CHECK" "$@" <"$text" >out 2>err || status=$?
}
mkdir -p src && echo '#define STEP 1' >src/step.h
sed -e '1i #include "step.h"' -e 's/i + 1\]/i + STEP]/' racy.cu >text
piped text -q --assume-filename=src/new.cu -
status_is 1 && has out '^src/new\.cu:5:10: warning: ' && has out '^    5 \|     a\[i\] = a\[i \+ STEP\];$'
piped racy.cu -q -
status_is 1 && has out '^stdin\.cu:4:10: warning: '
piped clean.cu --assume-filename=racy.cu -
status_is 0 && has out '1 race-free'
piped racy.cu -q --assume-filename clean.cu -
status_is 1 && has out '^clean\.cu:4:10'
mkdir cache
for text in racy clean racy; do # what is not there is not kept under its name
  piped "$text.cu" -q --cache=cache --assume-filename=gone.cu -
  if [[ $text == racy ]]; then status_is 1; else status_is 0; fi
done
piped racy.cu --assume-filename=x.cu - -
status_is 2 && has err "'-' is named twice"
run "$HGRD_CHECK" --assume-filename=x.cu racy.cu
status_is 2 && has err "write '-' in place of the file"
run "$HGRD_CHECK" --assume-filename= -
status_is 2 && has err 'the file name is empty'
run "$HGRD_CHECK" --merge -
status_is 2 && has err 'not from standard input'
run "$HGRD_CHECK" - # nothing comes
status_is 0 && has err 'stdin\.cu: no kernels to check'

# A slip of the finger is recognised, and what is far from all names is not taken for one.
refused() { # refused PATTERN ARGUMENTS...
  local pattern=$1
  shift
  run "$HGRD_CHECK" "$@"
  status_is 2 && has err "$pattern" && is_empty out
  [[ $(wc -l <err) -eq 1 ]] || complain 'more than one line'
}
refused "did you mean '--format'\?" --fromat=json clean.cu
refused "did you mean '--format=sarif'\?" --sarif clean.cu
refused "did you mean '--suppressions'\?" --supress=x clean.cu
refused "did you mean '--baseline'\?" --basline x clean.cu
refused "unknown option '--xyz'; --help lists all" --xyz clean.cu
refused "did you mean 'missing-fence'\?" --explain=mising-fence
refused "did you mean 'intra-warp-race'\?" -Werror=intrawarp-race clean.cu
refused "unknown rule 'foo'; --explain lists all" -Wfoo clean.cu
run "$HGRD_CHECK" --explain
status_is 0 && cp out list
run "$HGRD_CHECK" --explain=list
same out list
run "$HGRD_CHECK" --explain warp-mask
status_is 0 && has out '^# warp-mask'

# Completion: each shell takes its script, which names every option and rule.
"$HGRD_CHECK" --help >help
for shell in bash zsh fish; do
  run "$HGRD_CHECK" --completion="$shell"
  status_is 0 && cp out "script.$shell"
  for option in $(grep -oE '^  (-[a-z], )?--[a-z-]+' help | grep -oE -- '--[a-z-]+'); do
    grep -Eq -- "(--| -l )${option#--}[^a-z]" "script.$shell" || complain "$shell: $option is not completed"
  done
  grep -q 'no-error=same-value-write' "script.$shell" || complain "$shell: rules are missing"
  ! command -v "$shell" >/dev/null || run "$shell" -n "script.$shell"
  status_is 0
done
refused "'tcsh' is none of bash, zsh, fish" --completion=tcsh
refused "'jsno' is none of text, json, .*; did you mean 'json'\?" --format=jsno a.cu
refused "'shared' is none of .*[^?]$" --overflow=shared a.cu
if command -v fish >/dev/null; then
  HOME=$work run fish -c 'source script.fish; complete -C "hgrd-check --format=sa"; complete -C "hgrd-check --explain missing-f"'
  has out '^--format=sarif' && has out '^missing-fence'
fi

# The language that the flags name, whatever the ending says.
cp racy.cu racy.inc && cp racy.cu racy.cpp
for flag in '-x cuda' '-xcuda' '-x cu'; do
  # shellcheck disable=SC2086
  run "$HGRD_CHECK" -q racy.cpp -- $flag
  status_is 1 && has out '^racy\.cpp:4:10: warning'
done
run "$HGRD_CHECK" racy.cpp
status_is 2 && has err "racy\.cpp does not compile: .*'__global__'; its ending is one of C\+\+: pass '-- -x cuda' if it is CUDA"
sed 's/float/flaot/' racy.cu >slip.cpp
run "$HGRD_CHECK" slip.cpp -- -x cuda
status_is 2 && has err 'slip\.cpp does not compile: .*; correct it, or pass the flags of your build'
run "$HGRD_CHECK" -q racy.inc -- -x fortran
status_is 1 && has err "flag '-x fortran' is not handed to clang: write cuda, c\+\+ or c"

# A FIFO would be waited for, a device read without an end: both are told at once, wherever they are included.
mkfifo fifo && mkdir -p inc && ln -s "$work/fifo" inc/pipe.h
printf '#include <pipe.h>\n' >inc/outer.h
for include in '"fifo"' "<$work/fifo>" '<outer.h>' '"/dev/zero"'; do
  { echo "# include $include"; cat racy.cu; } >special.cu
  run timeout 600 "$HGRD_CHECK" -q -Iinc special.cu
  status_is 2
  has err "error: '.*' is a (FIFO|device) and no file: write what it gives to a file, and include that"
done
has err '^special\.cu:1:1: error'
run timeout 600 "$HGRD_CHECK" -q racy.cu -- -include fifo
status_is 2 && has err "racy\.cu: 'fifo' is a FIFO"
{ echo '#include "/dev/null"'; cat racy.cu; } >special.cu
run "$HGRD_CHECK" -q special.cu
status_is 1
run "$HGRD_CHECK" -q racy.cu special.cu -- -Iinc # others are checked
status_is 1
{ echo '#include "fifo"'; cat racy.cu; } >special.cu
run "$HGRD_CHECK" -q clean.cu special.cu
status_is 2

# Templates without an instance are named; one with an instance, a specialisation and a declaration are not.
cat >templates.cu <<'CU'
template <class T> __global__ void declared(T *a);
// template <class T> __global__ void in_comment(T *a) {}
template <class T, int N = (3 < 4)>
__global__ __launch_bounds__(N * 64) void
lost(T *a) { a[threadIdx.x] = 0; }
template <class T> __global__ void used(T *a) { a[threadIdx.x + blockIdx.x * blockDim.x] = 0; }
template <> __global__ void used<float>(float *a) { a[threadIdx.x + blockIdx.x * blockDim.x] = 1; }
void run(int *p) { used<<<1, 32>>>(p); }
namespace deep { template <class T> static __global__ void lost_too(T *a) { a[0] = T{'{'}; } }
CU
run "$HGRD_CHECK" templates.cu
status_is 0
has err "^templates\.cu:5:1: note: kernel template 'lost' is never instantiated: not checked$"
has err "^templates\.cu:9:[0-9]*: note: kernel template 'lost_too' is never"
[[ $(grep -c 'never instantiated' err) -eq 2 ]] || complain 'other templates are named'
sed '/used/d' templates.cu >only.cu
run "$HGRD_CHECK" only.cu
status_is 0 && has err "'lost' is never instantiated" && has_not err 'no kernels to check'
run "$HGRD_CHECK" --kernel=too only.cu
has_not err "'lost' is never" && has err "'lost_too' is never"
run "$HGRD_CHECK" -q only.cu
is_empty err

# Every finding says how to mend it, and why with -v, or names where that is explained.
cat >fence.cu <<'CU'
__global__ void tell(volatile int *flag, int *data, int *out) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    data[0] = 1;
    *flag = 1;
  } else if (threadIdx.x == 0) {
    while (*flag == 0) {
    }
    __threadfence();
    out[blockIdx.x] = data[0];
  }
}
void go(int *flag, int *data, int *out) { tell<<<4, 32>>>(flag, data, out); }
CU
run "$HGRD_CHECK" -q fence.cu
status_is 1 && has out 'note: hint: put __threadfence.* \(why: --explain=missing-fence\)$' && has_not out 'note: rule '
run "$HGRD_CHECK" -q -v fence.cu
has out 'note: rule missing-fence, memory model cuda: ' && has out 'note: hint: .*order$'
cat >grid.cu <<'CU'
#include <cooperative_groups.h>
__global__ void all(int *a) { a[blockIdx.x] = 1; cooperative_groups::this_grid().sync(); }
void go(int *a) { all<<<4, 32>>>(a); }
CU
run "$HGRD_CHECK" -q grid.cu
has out '\[-Wgrid-barrier-launch\]' && has out 'note: hint: launch by cudaLaunchCooperativeKernel'
