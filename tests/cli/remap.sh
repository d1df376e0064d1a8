# Text that an editor has not saved: --remap-file=FILE=TEXT is FILE with the text of TEXT, for clang, for every line that is
# shown, for comments that say something, and for what is kept.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
write_samples
cp racy.cu as_saved.cu
mkdir sub
ln -s ../racy.cu sub/link.cu

# The report is that of a file which has the text.
run "$HGRD_CHECK" racy.cu
status_is 1 && cp out expected
mv racy.cu unsaved && cp clean.cu racy.cu
run "$HGRD_CHECK" racy.cu
status_is 0
for name in racy.cu ./racy.cu "$work/racy.cu" sub/../racy.cu; do
  run "$HGRD_CHECK" --remap-file="$name=unsaved" racy.cu
  status_is 1 && same out expected
done
run "$HGRD_CHECK" --remap-file=racy.cu=unsaved "$work/racy.cu"
status_is 1
run "$HGRD_CHECK" --remap-file=sub/link.cu=unsaved sub/link.cu
status_is 1 && has out 'a\[i\] = a\[i \+ 1\]'
run "$HGRD_CHECK" --remap-file=clean.cu=unsaved racy.cu
status_is 0 # another file's

# Lines, directives and comments are those of the text.
sed 's|a\[i + 1\];|& // hgrd-suppress(inter-block-race, inter-warp-race, intra-warp-race): meant|' unsaved >suppressed
run "$HGRD_CHECK" --remap-file=racy.cu=suppressed racy.cu
status_is 0 && has out '1 suppressed|suppressed'
echo '// in front' | cat - unsaved >lower
run "$HGRD_CHECK" --remap-file=racy.cu=lower racy.cu
status_is 1 && has out '^racy.cu:5:10: warning' && has out '^    5 \|     a\[i\] = a\[i \+ 1\];'

# A header, and one text beside another; a correction of the text lies on top.
printf '#include "off.h"\n' | cat - unsaved | sed 's/i + 1\]/i + OFF]/' >uses.cu
echo '#define OFF 0' >off.h && echo '#define OFF 1' >off.text
run "$HGRD_CHECK" uses.cu
status_is 0
run "$HGRD_CHECK" --remap-file=off.h=off.text uses.cu
status_is 1
run "$HGRD_CHECK" --remap-file=off.h=off.text --remap-file=uses.cu=clean.cu uses.cu
status_is 0
sed 's/<<</<< </' uses.cu >parted # what an editor did to a launch
run "$HGRD_CHECK" --remap-file=uses.cu=parted --remap-file=off.h=off.text uses.cu
status_is 1

# What is kept goes by the text, not by where it lay.
cp unsaved racy.cu && sleep 0.1 # a file that was changed while clang read it is not kept
run "$HGRD_CHECK" --cache=kept --cache-stats racy.cu
status_is 1 && cp out from_disk
run "$HGRD_CHECK" --cache=kept --cache-stats --remap-file=racy.cu=unsaved racy.cu
status_is 1 && same out from_disk && has err 'files: 1 of 1 found' && has err 'kernels: 1 of 1 found'
run "$HGRD_CHECK" --cache=kept --cache-stats --remap-file=racy.cu=clean.cu racy.cu
status_is 0 && has err 'files: 0 of 1 found'
run "$HGRD_CHECK" --cache=kept --cache-stats racy.cu
status_is 1 && same out from_disk && has err 'files: 0 of 1 found'

# What cannot be.
for wrong in racy.cu =unsaved racy.cu=; do
  run "$HGRD_CHECK" --remap-file="$wrong" racy.cu
  status_is 2 && has err "'$wrong' names no two files; write FILE=TEXT"
done
run "$HGRD_CHECK" --remap-file=gone.cu=unsaved racy.cu
status_is 2 && has err "cannot read 'gone.cu': No such file"
run "$HGRD_CHECK" --remap-file=racy.cu=gone racy.cu
status_is 2 && has err "cannot read 'gone': No such file"
cp racy.cu $'odd\nname.cu'
run "$HGRD_CHECK" --remap-file=$'odd\nname.cu=unsaved' racy.cu
status_is 2 && has err 'give the files names without control'
