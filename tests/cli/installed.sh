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
run bin/hgrd-check clean.cu
status_is 0
cd .. || exit 1
