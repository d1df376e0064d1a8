# How often is clang asked about a file that does not compile? Once for each side, if what is wrong stands in the user's
# own text; with other headers only where these may mend it. Headers that are not there are met all at once.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1

real=${HGRD_CLANG:-/usr/lib/llvm-19/bin/clang-19}
[[ -x $real ]] || real=$(command -v clang-19)
cat >counted <<SH
#!/bin/sh
echo "\$*" >>'$work/runs'
exec '$real' "\$@"
SH
chmod +x counted
check() { # FILE: at most $most runs
  : >runs
  HGRD_CLANG=$work/counted run "$HGRD_CHECK" --cuda-path=none "$1"
}
most() { [[ $(wc -l <runs) -le $1 ]] || complain "$(wc -l <runs) runs of clang instead of $1 at most"; }

write_samples
check clean.cu
status_is 0 && most 2

sed 's/d_a, 1024);/d_a, 1024)/' clean.cu >bracket.cu
check bracket.cu
status_is 2 && has err "bracket.cu does not compile: expected ';' after expression" && most 3

sed 's/\[i\] = 2/[j] = 2/' clean.cu >letter.cu
check letter.cu
status_is 2 && has err "undeclared identifier 'j'" && most 3

sed 's/float \*d_a/flaot *d_a/' clean.cu >name.cu
check name.cu
status_is 2 && has err "unknown type name 'flaot'" && most 4

# A call of ours that is misspelt: the note at the one that was meant is no sign that other headers have it.
sed 's/cudaMalloc(/cudaMaloc(/' clean.cu >call.cu
check call.cu
status_is 2 && has err "undeclared identifier 'cudaMaloc'" && most 4

# A member that a class of the file itself does not have.
{ printf 'struct Pair { float first, second; };\n__device__ float sum(Pair p) { return p.frst + p.second; }\n' && cat clean.cu; } >member.cu
check member.cu
status_is 2 && has err "no member named 'frst' in 'Pair'" && most 4

# A name that a header does have: the file compiles with it.
sed 's/return 0/return strcasestr("a", "b") != 0/' clean.cu >library.cu
check library.cu
status_is 0 && has out '1 race-free'

# What only nvcc reads is still read as nvcc does.
sed '1i #ifdef __NVCC__\n#define END ;\n#endif' clean.cu | sed 's/d_a, 1024);/d_a, 1024) END/' >nvcc.cu
check nvcc.cu
status_is 0 && has out '1 race-free'

# 14 headers that are not there, and one.
for ((i = 1; i <= 14; i++)); do echo "#include \"parts/part$i.h\""; done | cat - clean.cu >many.cu
check many.cu
status_is 0 && has out '1 race-free' && most 12
for ((i = 1; i <= 14; i++)); do has err "many.cu:$i:10: warning: 'parts/part$i.h' is not found and is left out"; done
# One of those behind the first lies somewhere, and brings in another that is not there.
mkdir -p below/parts
echo '#include "last.h"' >below/parts/part9.h
check many.cu
status_is 0 && most 16
has err "'parts/part9.h' is not found in the folders named, .*/below/parts/part9.h is taken"
has err "below/parts/part9.h:1:10: warning: 'last.h' is not found and is left out"

# A header that is not there, of which a kernel needs something: a toolkit that has neither is not tried. One that has it is.
sed 's/a\[i\] = 2/a[i] = half_of(2)/; 1i #include <halves.h>' clean.cu >needs.cu
mkdir -p .toolkit/include && echo '#error not this one' >.toolkit/include/cuda_runtime.h
toolkit_run() { # FILE
  : >runs
  HGRD_CLANG=$work/counted run env CUDA_PATH="$work/.toolkit" "$HGRD_CHECK" "$1"
}
toolkit_run needs.cu
status_is 2 && has err "needs.cu does not compile: 'halves.h' file not found" && most 8
grep -q -- "--cuda-path=$work/.toolkit" runs && complain 'the toolkit was tried'
echo '// half_of' >.toolkit/include/other.h
toolkit_run needs.cu
grep -q -- "--cuda-path=$work/.toolkit" runs || complain 'a toolkit that has the name was not tried'
rm .toolkit/include/other.h && touch .toolkit/include/halves.h
toolkit_run needs.cu
grep -q -- "--cuda-path=$work/.toolkit" runs || complain 'a toolkit that has the header was not tried'
# A spelling that only nvcc takes, beside a mistake.
printf '__global__ void k(int *v) {\n  __shared__ alignas(16) int s[32];\n  v[threadIdx.x] = s[0] + undeclared;\n}\n' >spelled.cu
toolkit_run spelled.cu
status_is 2 && has err "undeclared identifier 'undeclared'" && most 6
