# The packages: Debian's has nothing that lintian complains of, is the same when it is made again, and works in a system that
# knows nothing else of hgrd, its CMake module, completion and precompiled declarations included; the archive works
# wherever it is unpacked; the source archive builds what says the same version.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/forms/forms.bash" || exit 1
need_judge lintian && need_judge zstd && need_judge dpkg-deb && need_judge cpack
write_samples
export SOURCE_DATE_EPOCH=1700000000
# Packed by gzip here, in a tenth of the time: xz makes nothing else of a package that lintian or dpkg look at.
run cpack -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip --config "$HGRD_BUILD/CPackConfig.cmake" -B "$work/made"
status_is 0
version=$("$HGRD_CHECK" --version | sed -n 's/^hgrd-check \([0-9.]*\) .*/\1/p')
package=$(echo "$work"/made/hgrd_"$version"-*.deb) archive=$(echo "$work"/made/hgrd-"$version"-*.tar.zst)
[[ -s $package && -s $archive ]] || complain "no package of version $version: $(ls made)"
run lintian --allow-root --fail-on=error,warning "$package"
status_is 0 && is_empty out
run cpack -G DEB -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip --config "$HGRD_BUILD/CPackConfig.cmake" -B "$work/again"
run cmp "$package" again/*.deb
status_is 0

# Nothing in them tells where they were built.
dpkg-deb -x "$package" files
mkdir elsewhere && tar -C elsewhere --zstd -xf "$archive"
for tree in files/usr elsewhere/*; do
  grep -rlF "$HGRD_ROOT" "$tree" >told && complain "the folder of the build is told by: $(cat told)"
  for file in bin/hgrd-{check,run,cc} lib/hgrd/{hgrd-clang,libhgrdrt.a,libhgrdrt.names} share/hgrd/{schema/hgrd-1.json,cuda/cuda_runtime.h} \
    share/doc/hgrd/docs/rules/lock-misuse.md share/cmake/HgrdCheck/HgrdCheck{,Config,ConfigVersion}.cmake \
    share/bash-completion/completions/hgrd-check share/zsh/vendor-completions/_hgrd-check share/fish/vendor_completions.d/hgrd-check.fish; do
    [[ -s $tree/$file ]] || complain "$tree: $file is missing"
  done
  [[ $(cd "$tree/share/man/man1" && echo *) =~ ^hgrd-cc\.1(\.gz)?\ hgrd-check\.1(\.gz)?\ hgrd-run\.1(\.gz)?$ ]] || complain "$tree: manuals are missing"
done
# What is declared to be needed is what the program asks for.
dpkg-deb -f "$package" Depends >depends
for library in clang-19 libz3-4 libjansson4 libc6 libstdc++6; do has depends "(^|, )${library//+/\\+}( |,|\$)"; done
# The judge can refuse.
dpkg-deb -R "$package" spoilt && rm spoilt/usr/share/doc/hgrd/copyright
dpkg-deb -Zxz -z0 -b spoilt spoilt.deb >/dev/null
run lintian --allow-root --fail-on=error,warning --tags no-copyright-file spoilt.deb
[[ $status -ne 0 ]] && has out no-copyright-file || complain "lintian accepts a package without a copyright"

# The archive, in a folder of its own; what it is for is not installed here.
cd elsewhere/* || exit 1
cp "$work"/{racy,clean}.cu .
run bin/hgrd-check racy.cu
status_is 1 && has out 'racy\.cu:4:.* warning: '
run bin/hgrd-check --version
status_is 0 && has out "^hgrd-check ${version//./\\.} "
run bin/hgrd-check --precompile
status_is 0 && is_empty err
cd "$work" || exit 1
# What is unpacked runs where it lies, in a folder with a blank in its name as well.
mkdir 'a place' && mv elsewhere/* files/usr 'a place'
for tree in 'a place'/*; do
  run "$tree/bin/hgrd-check" racy.cu
  status_is 1 && has out 'racy\.cu:4:.* warning: '
  run "$tree/bin/hgrd-run" racy.cu
  status_is 1 && has err '^racy\.cu:4:.* warning: observed race'
  run "$tree/bin/hgrd-run" --version
  status_is 0 && has out "^hgrd-run ${version//./\\.} "
  run "$tree/bin/hgrd-cc" --version
  status_is 0 && has out "^hgrd-cc ${version//./\\.} "
done

# A system of its own. It is Debian 12 with clang and the libraries; the package is all that is added.
need_system
root=$system
[[ $(id -u) -eq 0 ]] || { echo 'a system of its own needs root'; exit 77; }
mkdir root && tar -C root --exclude='./dev/*' -xf "$root"
mount -t proc proc root/proc || { echo 'nothing can be mounted here'; exit 77; }
trap 'umount "$work/root/proc"; finish' EXIT
cp "$package" root/tmp/hgrd.deb
cp racy.cu clean.cu "$HGRD_ROOT/examples/mirror_missing_assert.cu" root/tmp
inside() { # inside COMMAND LINE, as a user
  run chroot --userspec=1000:1000 root bash -c "cd /tmp && $1"
}
run chroot root dpkg -i /tmp/hgrd.deb
status_is 0 && is_empty err
inside 'hgrd-check racy.cu'
status_is 1 && has out '^racy\.cu:4:.* warning: write to .a. by thread'
inside 'hgrd-check --strict clean.cu'
status_is 0 && has out '1 race-free'
inside 'hgrd-check mirror_missing_assert.cu'
status_is 1 && has out 'would be race-free if rows == cols'
inside 'hgrd-run racy.cu'
status_is 1 && has err '^racy\.cu:4:.* warning: observed race'
inside 'hgrd-run --build -o clean clean.cu && ./clean'
status_is 0
inside 'hgrd-check -v clean.cu'
has err 'include-pch /usr/share/hgrd/cuda/precompiled/device-c\+\+17-sm_80\.pch'
[[ $(find root/var/cache/hgrd -name '*.pch' | wc -l) -eq 6 ]] || complain 'not all is precompiled'
inside 'for i in /usr/share/doc/hgrd/examples/*_fixed.cu; do hgrd-check -q $i || echo "$i fails"; done'
status_is 0 && is_empty out
# Another clang: what was precompiled is made anew.
find root/var/cache/hgrd -name '*.pch' -delete
run chroot root dpkg-trigger --by-package=clang-19 /usr/lib/llvm-19/bin/clang
run chroot root dpkg --triggers-only hgrd
status_is 0
[[ $(find root/var/cache/hgrd -name '*.pch' | wc -l) -eq 6 ]] || complain 'the trigger does not precompile'
# Taken away, nothing of it stays.
run chroot root dpkg -P hgrd
status_is 0
[[ ! -e root/usr/share/hgrd && ! -e root/var/cache/hgrd && ! -e root/usr/bin/hgrd-check && ! -e root/usr/lib/hgrd ]] || complain 'something stays'
