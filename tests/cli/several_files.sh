# Files given together are one program: what the caller in one file asserts is a fact for the launch in another.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
reuse_clang

cat >kernel.cu <<'CU'
#include "mirror.h"
__global__ void mirror_lower(float *a, int rows, int cols) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && col < row)
    a[col * cols + row] = a[row * cols + col];
}
void mirror(float *a, int rows, int cols) {
  mirror_lower<<<dim3((cols + 15) / 16, (rows + 15) / 16), dim3(16, 16)>>>(a, rows, cols);
}
CU
echo 'void mirror(float *a, int rows, int cols);' >mirror.h
cat >main.cpp <<'CU'
#include "mirror.h"
#include <cassert>
#include <cuda_runtime.h>
int main(int argc, char **argv) {
  int rows = argc, cols = argv[0][0];
  float *a;
  cudaMalloc((void **)&a, 1 << 20);
  assert(rows == cols);
  mirror(a, rows, cols);
  return 0;
}
CU
sed '/  assert/d' main.cpp >careless.cpp

run "$HGRD_CHECK" kernel.cu main.cpp
status_is 0 && has out '1 race-free'
run "$HGRD_CHECK" main.cpp kernel.cu
status_is 0 && has out '1 race-free'
run "$HGRD_CHECK" kernel.cu careless.cpp
status_is 1 && has out 'kernel\.cu:6:'
run "$HGRD_CHECK" kernel.cu # `mirror` is visible outside: its callers may pass anything
status_is 1 && has out 'kernel\.cu:6:'

# A file that does not compile, or is not there, is told; the others are analysed as if it had not been given, but who calls
# `mirror` is not wholly known then. One that compiles and calls nothing changes nothing.
echo 'int twice(int i) { return 2 * i; }' >twice.cpp
run "$HGRD_CHECK" kernel.cu main.cpp twice.cpp
status_is 0 && has out '1 race-free' && is_empty err
echo 'int twice(int i) { return 2 * j; }' >twice.cpp
run "$HGRD_CHECK" kernel.cu main.cpp twice.cpp
status_is 2 && has out 'kernel\.cu:6:' && has err 'error: twice\.cpp does not compile: use of undeclared'
echo '__global__ void fill(int *a) { a[threadIdx.x] = missing; }' >bad.cu
run "$HGRD_CHECK" --format=json bad.cu nowhere.cu kernel.cu
status_is 2 && has out '"verdict": "racy"' && has err 'bad\.cu does not compile' && has err 'nowhere\.cu: No such file'

# Device code of several files (-rdc): a function and a variable that another file defines.
cat >index.cuh <<'CU'
__device__ int index_of(int i);
extern __device__ int cells[256];
CU
cat >user.cu <<'CU'
#include "index.cuh"
__global__ void fill(int *a) {
  a[index_of(threadIdx.x)] = threadIdx.x;
}
__global__ void count() {
  cells[index_of(threadIdx.x)] = threadIdx.x;
}
void run(int *a) {
  fill<<<1, 64>>>(a);
  count<<<1, 64>>>();
}
CU
cat >index.cu <<'CU'
#include "index.cuh"
__device__ int cells[256];
static __device__ int half(int i) { return i * 2; }
__device__ int index_of(int i) { return half(i); }
__global__ void also(int *a) { a[index_of(threadIdx.x)] = 1; }
CU
sed 's|return i \* 2|return i / 2|' index.cu >shared_index.cu
run "$HGRD_CHECK" user.cu index.cu
status_is 0 && has out '^3 kernels: 3 race-free'
run "$HGRD_CHECK" index.cu user.cu
status_is 0 && has out '^3 kernels: 3 race-free'
run "$HGRD_CHECK" user.cu shared_index.cu
status_is 1 && has out "user\.cu:3:.*write to 'a' .*races with" && has out "user\.cu:6:.*write to 'cells' .*races with"
run "$HGRD_CHECK" user.cu # alone, the function may do anything
status_is 1 && has out "call of 'index_of', whose body is not visible"
mkdir build
entry() { printf '{"directory": "%s", "file": "%s", "command": "nvcc -rdc=true -arch=sm_80 -dc %s -o x.o"}' "$work" "$1" "$1"; }
echo "[$(entry user.cu), $(entry index.cu)]" >build/compile_commands.json
run "$HGRD_CHECK" -p build user.cu index.cu
status_is 0 && has out '^3 kernels: 3 race-free'

# Two files that need nothing of each other stay apart: static functions and variables of one name are two.
printf 'static __device__ int at(int i) { return i; }\n__global__ void one(int *a) { a[at(threadIdx.x)] = 1; }\n' >one.cu
printf 'static __device__ int at(int i) { return i / 2; }\n__global__ void two(int *a) { a[at(threadIdx.x)] = threadIdx.x; }\n' >two.cu
run "$HGRD_CHECK" one.cu two.cu
status_is 1 && has out 'two\.cu:2:' && has_not out 'one\.cu:2:.*races? with'

# One that another one includes is checked there, with what is known of its callers. One that cannot be linked is told.
printf '#include "one.cu"\nint main() {\n  int *a;\n  cudaMalloc(&a, 256);\n  one<<<1, 64>>>(a);\n}\n' >includes.cu
sed -i 's/at(threadIdx.x)/at(threadIdx.x) * step/; s/int \*a)/int *a, int step)/' one.cu
sed -i 's/(a);/(a, 1);/' includes.cu
run "$HGRD_CHECK" one.cu includes.cu two.cu
status_is 1 && has err 'note: one\.cu is included by includes\.cu, which is given too' && has out '^2 kernels: 1 race-free, 1 racy'
echo "[{\"directory\": \"$work\", \"file\": \"two.cu\", \"command\": \"nvcc -Xcompiler -fshort-wchar -c two.cu\"}]" >build/compile_commands.json
run "$HGRD_CHECK" -p build one.cu includes.cu two.cu
status_is 2 && has err 'error: two\.cu: its host side cannot be linked .*wchar_size' && has out '^1 kernel: 1 race-free'

# A launch from the device by a macro of a header: one kernel has a race under such a launch alone.
printf '#define LAUNCH(kernel, blocks, threads, ...) kernel<<<blocks, threads>>>(__VA_ARGS__)\n' >launch.h
cat >macro.cu <<'CU'
#include "launch.h"
template <class T> __global__ void row(T *a, int step) { a[threadIdx.x * step] = threadIdx.x; }
__global__ void other(int *a, int step) { a[threadIdx.x * step] = threadIdx.x; }
__global__ void parent(int *a) { LAUNCH(row, 1, 32, a, 0); }
int main() {
  int *a;
  cudaMalloc(&a, 4096);
  LAUNCH(parent, 1, 1, a);
  LAUNCH(row, 1, 32, a, 1);
  LAUNCH(other, 1, 32, a, 1);
}
CU
run "$HGRD_CHECK" macro.cu
status_is 1 && has out 'macro\.cu:2:.*races with' && has_not out 'macro\.cu:3:.*races with'
has out "kernel 'parent' is undecided: launches a kernel from device code"

# A class in three files: its constructor and what sets its members in one, the launch in another, the caller's assert in
# a third. Without the file of the setters the relation between the members is not known, nor with one that breaks it.
cat >matrix.h <<'CU'
class Matrix {
public:
  Matrix(int rows, int cols);
  void widen(int cols);
  int rows() const;
  int cols() const;
  void mirror();

private:
  int rows_, cols_, stride_;
  float *data_;
};
CU
cat >matrix.cpp <<'CU'
#include "matrix.h"
#include <cuda_runtime.h>
Matrix::Matrix(int rows, int cols) : rows_(rows), cols_(cols), stride_((cols + 31) / 32 * 32), data_(nullptr) {
  cudaMalloc((void **)&data_, sizeof(float) * rows_ * stride_);
}
void Matrix::widen(int cols) {
  if (cols <= stride_) cols_ = cols;
}
int Matrix::rows() const { return rows_; }
int Matrix::cols() const { return cols_; }
CU
sed 's|if (cols <= stride_) ||' matrix.cpp >careless_matrix.cpp
cat >launch.cu <<'CU'
#include "matrix.h"
__global__ void mirror_lower(float *a, int rows, int stride) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && col < row)
    a[col * stride + row] = a[row * stride + col];
}
void Matrix::mirror() {
  mirror_lower<<<dim3((cols_ + 15) / 16, (rows_ + 15) / 16), dim3(16, 16)>>>(data_, rows_, stride_);
}
CU
cat >square.cpp <<'CU'
#include "matrix.h"
#include <cassert>
#include <cstdlib>
static void mirror(Matrix *m) {
  assert(m->rows() == m->cols());
  m->mirror();
}
int main(int argc, char **argv) {
  static Matrix *all[8];
  for (int i = 0; i < 8; i++) {
    all[i] = new Matrix(atoi(argv[1]), atoi(argv[2]));
    all[i]->widen(atoi(argv[3]));
  }
  mirror(all[argc % 8]);
  return 0;
}
CU
run "$HGRD_CHECK" -v launch.cu matrix.cpp square.cpp
status_is 0 && has out '1 race-free' && has out 'needs .*cols_ == .*rows_, from square\.cpp:5 \[assert\]' &&
  has out 'needs .*cols_ <= .*stride_, from matrix\.cpp:[0-9]+ \[relation\]'
run "$HGRD_CHECK" launch.cu careless_matrix.cpp square.cpp
status_is 1 && has out 'launch\.cu:6:.*write to' && has out 'would be race-free if'
run "$HGRD_CHECK" launch.cu square.cpp
status_is 1 && has out 'launch\.cu:6:.*write to'
sed '/assert(/d' square.cpp >careless_square.cpp
run "$HGRD_CHECK" launch.cu matrix.cpp careless_square.cpp
status_is 1 && has out 'launch\.cu:6:.*write to'

# Static variables of one name: what the host sets in one file says nothing of another file's, which its own host code does not name.
for file in set:64 own:1; do
  cat >"${file%:*}.cu" <<CU
static __constant__ int off = ${file#*:};
__global__ void k_${file%:*}(int *out) {
  int t = threadIdx.x;
  out[t] = t;
  if (t < 32)
    out[t + off] += 1;
}
CU
done
echo 'void go_set(int *o) { int v = 64; cudaMemcpyToSymbol(off, &v, sizeof v); k_set<<<1, 64>>>(o); }' >>set.cu
echo 'void go_own(int *o) { k_own<<<1, 64>>>(o); }' >>own.cu
echo 'void go_set(int *), go_own(int *); int main() { int *o; cudaMalloc((void **)&o, 4096); go_set(o); go_own(o); }' >both.cu
for order in 'set.cu own.cu' 'own.cu set.cu'; do
  # shellcheck disable=SC2086 # two words
  run "$HGRD_CHECK" $order both.cu
  status_is 1 && has out 'own\.cu:[46]:.*write to' && has out '1 race-free, 1 racy'
done

# Host code in old C, which gcc still takes: definitions without types, calls of what is not declared. An argument of
# another type than the parameter's is not known.
cat >rows.cu <<'CU'
__global__ void rows(int *out, long width) { out[blockIdx.x * width + threadIdx.x] = threadIdx.x; }
extern "C" void launch_rows(int width) {
  int *out;
  cudaMalloc((void **)&out, 1 << 20);
  rows<<<4, 1024>>>(out, width);
}
CU
cat >old.c <<'C'
static twice(n) { return 2 * n; }
main(argc, argv) int argc; char **argv; {
  launch_rows(twice(512));
  return 0;
}
C
run "$HGRD_CHECK" rows.cu old.c
status_is 0 && has out '1 race-free'
sed -i 's/twice(512)/twice(511)/' old.c
run "$HGRD_CHECK" rows.cu old.c
status_is 1 && has out 'rows\.cu:1:.*write to'
cat >>rows.cu <<'CU'
extern "C" void launch_wide(long width) { launch_rows(width); }
CU
sed -i 's/launch_rows(twice(511))/launch_wide(1024)/' old.c
run "$HGRD_CHECK" rows.cu old.c
status_is 1 && has out "'width' comes from callers of 'launch_wide'"
