# A run in parts: together they are the whole run, in every form, byte for byte, with the same exit status; each kernel is in just
# one part; a part that is missing, there twice, cut off or of another run is an error.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
reuse_clang
write_samples
for i in {1..6}; do sed "s/shift/shift_$i/g" racy.cu; done | awk '/^int main/ { sub(/main/, "run_" ++n) } { print }' >many.cu
printf '%s\n' '#include "nowhere.h"' '__global__ void gap(int *a) { *a = 1; }' 'int main() { int *a; cudaMalloc(&a, 4); gap<<<1, 1>>>(a); }' >gap.cu
files=(many.cu racy.cu clean.cu gap.cu)
# parts N OPTION...
parts() {
  local count=$1 i
  shift
  rm -f part.*
  for ((i = 1; i <= count; i++)); do
    run "$HGRD_CHECK" --shard="$i/$count" --exit-zero --format=part -o "part.$i" --format=json -o "json.$i" "$@" "${files[@]}"
    status_is 0
  done
}
forms=(json sarif html gitlab junit)
outputs=()
for form in "${forms[@]}"; do outputs+=(--format="$form" -o "whole.$form"); done
run "$HGRD_CHECK" --format=text "${outputs[@]}" "${files[@]}"
cp out whole.text && cp err whole_err
of_whole=$status
for count in 1 3 5; do
  parts $count
  for form in text "${forms[@]}"; do
    run "$HGRD_CHECK" --format="$form" --merge part.*
    same out "whole.$form" && same err whole_err && status_is "$of_whole"
  done
done
# Each kernel in one part: their numbers add up.
[[ $(grep -c '"mangled"\|"verdict"' whole.json) -gt 0 ]] || complain 'no kernels in the reports'
[[ $(cat json.[1-5] | grep -c '"mangled"\|"verdict"') -eq $(grep -c '"mangled"\|"verdict"' whole.json) ]] ||
  complain "the parts have other numbers of lines of kernels: $(grep -c '"mangled"\|"verdict"' json.[1-5])"
# The order of the parts is of no account; levels, baselines and suppressions are the merge's.
run "$HGRD_CHECK" -v "${files[@]}"
grep -v 'clang' out >whole
run "$HGRD_CHECK" -v --merge part.5 part.3 part.1 part.2 part.4
grep -v 'clang' out >merged
same merged whole
for option in -Werror -Wno-inter-block-race --exit-zero --strict --write-baseline=base; do
  run "$HGRD_CHECK" "$option" "${files[@]}"
  cp out whole
  of_whole=$status
  [[ ! -e base ]] || mv base base_of_whole
  run "$HGRD_CHECK" "$option" --merge part.*
  same out whole && status_is "$of_whole"
done
same base base_of_whole

refused() { # PATTERN ARGUMENT...
  local pattern=$1
  shift
  run "$HGRD_CHECK" "$@"
  status_is 2 && has err "$pattern" && is_empty out
}
refused 'part 2 of 5 is missing: check it with --shard=2/5' --merge part.1 part.3 part.4 part.5
refused 'part 2 of 5 is there twice: part.2 and part.2' --merge part.[1-5] part.2
parts 2 && cp part.1 one && parts 2 --arch=sm_60 && cp part.1 old && cp one part.1
refused 'parts of different runs' --merge part.*
cp old part.1
refused 'was made with other options' --merge part.*
run "$HGRD_CHECK" --arch=sm_60 --merge part.*
status_is 1
for length in 0 5 30 60 1000; do
  head -c $length old >part.1
  refused 'part.1 (was cut off or altered|is no part of a run)' --arch=sm_60 --merge part.*
done
echo '{}' >part.1
refused 'part.1 is no part of a run' --merge part.*
refused "cannot read the part 'nowhere'" --merge nowhere
refused 'name the files' --merge
refused "'5/4' is no part" --shard=5/4 racy.cu
refused "'0/4' is no part" --shard=0/4 racy.cu
refused 'leave out --shard' --merge --shard=1/2 old
refused 'needs a file' --shard=1/2 --format=part racy.cu
run "$HGRD_CHECK" --shard=1/2 --write-baseline=part_base racy.cu
status_is 2 && has err 'baseline was not written'
