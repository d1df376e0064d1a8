# No files are left behind, neither where it runs nor in the folder for temporary files.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
write_samples
printf 'broken' >broken.cu
mkdir temporary here && cp ./*.cu here && cd here || exit 1
for file in racy.cu clean.cu broken.cu; do
  TMPDIR=$work/temporary timeout 100 "$HGRD_CHECK" "$file" >/dev/null 2>&1
done
cd "$work" || exit 1
[[ -z $(ls -A temporary) ]] || complain "left in TMPDIR: $(ls -A temporary)"
[[ $(ls -A here | tr '\n' ' ') == 'broken.cu clean.cu racy.cu ' ]] || complain "left here: $(ls -A here)"
