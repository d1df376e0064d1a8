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
run "$HGRD_CHECK" broken.cu
status_is 2 && has err 'broken\.cu:2:' && has err 'error: '

run "$HGRD_CHECK" clean.cu broken.cu # one bad file makes the whole run bad
status_is 2 && has err 'broken\.cu:2:'

head -c 4000 "$HGRD_CHECK" >binary.cu
run "$HGRD_CHECK" binary.cu
status_is 2 && has err 'binary\.cu'

printf '__global__ void k(int *a) { a[0] = 1; \0 }' >nul.cu
run "$HGRD_CHECK" nul.cu
[[ $status -le 2 ]] || complain "exit status $status"

mkfifo pipe.cu
seconds=10 run "$HGRD_CHECK" pipe.cu
known 'a pipe is opened, and waited for' status_is 2

cp racy.cu 'with space & "quote".cu'
run "$HGRD_CHECK" 'with space & "quote".cu'
status_is 1 && has out 'with space & "quote"\.cu:4:'

cp racy.cu ./-dash.cu
run "$HGRD_CHECK" ./-dash.cu
status_is 1

printf '#include "not_there.h"\n__global__ void k() {}\n' >includes.cu
run "$HGRD_CHECK" includes.cu
status_is 2 && has err 'not_there\.h'

HGRD_CLANG=/nonexistent run "$HGRD_CHECK" clean.cu
status_is 2 && has err '/nonexistent' && has err 'HGRD_CLANG'

HGRD_CLANG=/bin/true run "$HGRD_CHECK" clean.cu
status_is 2 && has err 'HGRD_CLANG'

HGRD_CLANG=/bin/false run "$HGRD_CHECK" clean.cu
status_is 2 && has err 'HGRD_CLANG|/bin/false'
