# The Containerfile: it is well-formed, and the image that it makes of the package checks a file, builds and runs a program as an
# ordinary user, and is not larger than promised. The base image is a Debian system made here, so that no registry of images is asked.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/forms/forms.bash" || exit 1
lint=$judges/.bin/dockerfile-utils
need_judge node && need_judge "$lint"
run "$lint" lint "$HGRD_ROOT/Containerfile"
status_is 0 && is_empty out
printf 'FROM\nRUNN true\n' >spoilt
run "$lint" lint spoilt
[[ $status -ne 0 ]] || complain 'the linter accepts anything'

need_system && need_judge buildah
root=$system
[[ $(id -u) -eq 0 ]] || { echo 'buildah needs root here'; exit 77; }
write_samples
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER
box() { run buildah --root "$work/store" --runroot "$work/run" "$@"; }
trap 'buildah --root "$work/store" --runroot "$work/run" rm --all >/dev/null 2>&1; finish' EXIT
for STORAGE_DRIVER in overlay vfs; do # the second one works everywhere, and copies everything
  box from --name base scratch
  [[ $status -ne 0 ]] || break
  rm -rf store run
done
[[ $status -eq 0 ]] || { echo "buildah does not run here: $(tail -n 1 err)"; exit 77; }
box mount base
mount=$(<out)
tar -C "$mount" --exclude='./dev/*' -xf "$root"
box umount base
box commit base localhost/debian-of-the-test
status_is 0
mkdir -p context/cmake/package context/build/package
cp "$HGRD_ROOT"/{Containerfile,.containerignore} context
cp "$HGRD_ROOT/cmake/package/slim" context/cmake/package
run cpack -G DEB --config "$HGRD_BUILD/CPackConfig.cmake" -B "$work/made"
cp made/*.deb context/build/package
box build --pull-never --build-arg BASE=localhost/debian-of-the-test -t localhost/hgrd context
status_is 0
box inspect --type image --format '{{.OCIv1.Config.User}} {{.OCIv1.Config.Entrypoint}} {{.OCIv1.Config.WorkingDir}}' localhost/hgrd
has out '^hgrd \[hgrd-check\] /work$'
box from --name tried localhost/hgrd
status_is 0
box copy tried racy.cu clean.cu /work/
box run tried -- id -un
has out '^hgrd$'
box run tried -- hgrd-check racy.cu
status_is 1 && has out '^racy\.cu:4:.* warning: '
box run tried -- hgrd-check --strict -v clean.cu
status_is 0 && has out '1 race-free' && has err 'include-pch'
# hgrd-run: clang, the linker and the libraries are there.
cat >run.cu <<'CU'
#include <cmath>
#include <iostream>
#include <string>
__global__ void shift(float *a) { a[threadIdx.x] = a[(threadIdx.x + 1) % 64]; }
int main(int argc, char **argv) {
  float *d;
  cudaMalloc(&d, 256);
  if (argc > 1) shift<<<1, 64>>>(d);
  std::cout << std::string("root ") << std::sqrt(16.0 * argc) << std::endl;
}
CU
box copy tried run.cu /work/
box run tried -- hgrd-run run.cu
status_is 0 && has out '^root 4$'
box run tried -- hgrd-run run.cu --- racy
status_is 1 && has out '^root 5' && has err '^run\.cu:4:.* warning: observed race'
for program in check run cc; do
  box run tried -- "hgrd-$program" --version
  status_is 0 && has out "^hgrd-$program [0-9]"
done
box run tried -- sh -c 'test -s /usr/share/man/man1/hgrd-run.1.gz && test -s /usr/share/doc/hgrd/copyright'
status_is 0
# Its size, unpacked: docs/lab/packages.md.
box mount tried
size=$(du -sx --apparent-size --block-size=1000000 "$(<out)" | cut -f1)
echo "an image of $size MB"
[[ $size -lt 400 ]] || complain "an image of $size MB"
box umount tried
