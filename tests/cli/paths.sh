# A file is shown under a path that opens it, wherever the command runs: relative, absolute, below the folder or not.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
write_samples
mkdir -p one/two elsewhere inc && mv racy.cu one/two/
cat >inc/all.h <<'CU'
__device__ void all(float *a) { a[threadIdx.x / 2] = threadIdx.x; }
CU
printf '#include "all.h"\n__global__ void k(float *a) { all(a); }\n' >header.cu
caret() { # caret FOLDER ARGUMENT...: the first line names a file that can be opened from there, and its text is shown
  cd "$work/$1" || exit 1
  shift
  run "$HGRD_CHECK" "$@"
  status_is 1
  local named
  named=$(sed -n '1s/:[0-9]*:[0-9]*: warning: .*//p' out)
  [[ -r $named ]] || complain "'$named' is no file here"
  has out '^ *[0-9]+ \| '
  cd "$work" || exit 1
}
caret . one/two/racy.cu
caret one ../one/two/racy.cu
caret one two/racy.cu
caret elsewhere ../one/two/racy.cu
caret elsewhere "$work/one/two/racy.cu"
caret one "$work/one/two/racy.cu"
caret one/two "$work/one/two/racy.cu"

caret elsewhere "$work/header.cu" -- "-I$work/inc"
caret inc ../header.cu -- -I.
