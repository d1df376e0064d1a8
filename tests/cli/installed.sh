# The installed tool needs nothing of the source tree, and may be moved.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
write_samples

run cmake --install "$HGRD_BUILD" --prefix "$work/prefix"
status_is 0
mv prefix moved
cd moved || exit 1
cp ../racy.cu ../clean.cu .
run env -u HGRD_CUDA_DIR bin/hgrd-check -v racy.cu
status_is 1 && has out 'racy\.cu:4:'
has err "$work/moved/(bin/\.\./)?share/hgrd/cuda"
has_not err "$HGRD_ROOT/frontend/cuda"
has_not err 'include-pch' # was made for another place
cp out as_text
run bin/hgrd-check clean.cu
status_is 0
run bin/hgrd-check --precompile
status_is 0 && is_empty out && is_empty err
run bin/hgrd-check -v racy.cu
status_is 1 && same out as_text
has err "include-pch $work/moved/(bin/\.\./)?share/hgrd/cuda/precompiled/device-c\+\+17-sm_80\.pch"
run bin/hgrd-check -v clean.cu -- -D_GNU_SOURCE=1
status_is 0 && has_not err 'include-pch' # what our headers or the system's may ask for
echo '// newer' >>share/hgrd/cuda/driver_types.h
run bin/hgrd-check -v racy.cu
status_is 1 && same out as_text
has err 'include-pch' && has err 'include [^ ]*share/hgrd/cuda/hgrd_cuda_prefix\.h'
run bin/hgrd-check --precompile racy.cu
status_is 2 && has err "takes no file: 'racy\.cu'"
run bin/hgrd-check --precompile -- -fno-rtti
status_is 2 && has err 'takes --arch and -- -std= alone'
cd .. || exit 1
