# A sketch of PyTorch stands for its headers where they are not there: launches of an extension are read, and the run says
# so. What the sketch lacks leaves out the host code that needs it; the headers themselves come first where they are found.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
reuse_clang

cat >twice.cu <<'CU'
#include <torch/extension.h>
__global__ void twice(const float *x, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * x[i];
}
at::Tensor doubled(const at::Tensor &x) {
  auto out = torch::empty({x.numel()}, x.options());
  int n = x.numel();
  twice<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), out.data_ptr<float>(), n);
  return out;
}
CU
run "$HGRD_CHECK" --strict twice.cu
status_is 3
has err "warning: 'torch/extension\.h' is not found, a sketch of PyTorch is taken: name its folder with -- -I"
has out '^1 kernel: 1 race-free \(1 if' && has_not out 'no launch of kernel'
run "$HGRD_CHECK" --format=json twice.cu
status_is 0 && has out '"complete": false' && has out "a sketch of PyTorch"

# The twin: the memory of a view is that of its tensor.
sed 's/torch::empty.*options())/x.t()/; s/2 \* x\[i\]/2 * x[n - 1 - i]/' twice.cu >view.cu
run "$HGRD_CHECK" view.cu
status_is 1 && has out "^1 kernel: 0 race-free, 1 racy"

# A name that it does not have.
sed 's/return out;/return torch::no_such_function(out).no_such_member();/' twice.cu >lacking.cu
run "$HGRD_CHECK" --strict lacking.cu
status_is 3 && has out '^1 kernel: 1 race-free \(1 if' && has err "'no_such_function'"
sed 's/return out;/return out.no_such_member();/' twice.cu >member.cu
run "$HGRD_CHECK" --strict member.cu
status_is 3 && has err 'member\.cu: 1 declaration or function of the host .* needs it and is left out'
has out 'no launch of kernel .twice. is visible'

# What kernels need beyond it cannot be left out.
sed 's/2 \* x\[i\]/at::no_such_function(x[i])/' twice.cu >device.cu
run "$HGRD_CHECK" device.cu
status_is 2 && has err "'torch/extension\.h' file not found"

# The library's own header, in its folder.
mkdir -p library/torch
printf '#include <initializer_list>\nnamespace at { struct Tensor { template <class T> T *data_ptr() const; int numel() const; int options() const; }; }
namespace torch { at::Tensor empty(std::initializer_list<long>, int); }\n' >library/torch/extension.h
sed 's/{x\.numel()}/{1}/' twice.cu >own.cu
run "$HGRD_CHECK" own.cu -- -Ilibrary
has_not err 'sketch' && has out '^1 kernel: '
