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
# It knows nothing of the tree that it was built in: not even where its declarations are, when they are gone.
run env -u HGRD_CUDA_DIR moved/bin/hgrd-check racy.cu
status_is 1
mv moved/share/hgrd moved/share/gone
run env -u HGRD_CUDA_DIR moved/bin/hgrd-check racy.cu
status_is 2 && has err 'the CUDA declarations .* are not found beside the program: install hgrd again'
mv moved/share/gone moved/share/hgrd
[[ -s moved/share/hgrd/schema/hgrd-1.json && -s moved/share/man/man1/hgrd-check.1 ]] || complain 'schema or manual is missing'

# Completion by bash: options of the installed program, values, and files for the rest.
completion=$work/moved/share/bash-completion/completions/hgrd-check
cat >complete.bash <<'BASH'
source "$1"
shift
compopt() { echo "as $2"; }
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_hgrd_check "$1"
printf '%s\n' "${COMPREPLY[@]}"
BASH
completes() { run bash complete.bash "$completion" moved/bin/hgrd-check "$@" && status_is 0; }
moved/bin/hgrd-check --help >help
completes --mem
has out '^--memory-model=$'
for option in $(grep -oE '^  (-[a-z], )?--[a-z-]+' help | grep -oE -- '--[a-z-]+'); do
  completes "$option"
  has out "^$option=?\$"
done
completes --format = sa
has out '^sarif$' && has_not out '^text$'
completes --dump ''
for stage in $(sed -n 's/.*--dump=STAGE .*report: //p' help | tr -d ',' | sed 's/ or / /'); do has out "^$stage\$"; done
completes --format ''
for form in $(sed -n 's/.*--format=FORM  *//p' help | sed 's/;.*//; s/ (.*)//; s/,//g; s/ or / /'); do has out "^$form\$"; done
for list in $(grep -oE -- '--[a-z-]+=[a-z]+(\|[a-z]+)+' help); do
  completes "${list%%=*}" = ''
  for value in $(tr '|' ' ' <<<"${list#*=}"); do has out "^$value\$"; done
done
completes --explain inter-b
has out '^inter-block-race$'
completes --explain missing-f
has out '^missing-fence$'
completes -Werror=war
has out '^-Werror=warp-mask$'
completes clean
has out '^as default$'
completes -- -isy
has out '^as default$'
completes -p ''
has out '^as dirnames$'
