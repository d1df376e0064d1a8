# hgrd-clang is the installed clang as one program: what it makes and says is the same byte for byte, what it is not made for it hands over,
# and a clang that somebody names comes first.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
write_samples
own=${HGRD_CHECK%/*}/hgrd-clang
unset HGRD_CLANG
run "$HGRD_CHECK" --version
has out "^clang .* \\($own\\)\$"
real=$(sed -n 's/^HGRD_CLANG_PATH:FILEPATH=//p' "$HGRD_BUILD/CMakeCache.txt")
run env HGRD_CLANG="$real" "$HGRD_CHECK" --version
has out "^clang .* \\($real\\)\$"

# Bitcode of both sides, headers of C++ and mistakes in the text; what hgrd-check says of them.
printf '#include <cmath>\n__global__ void k(int *a) { __shared__ int s; s = a[0]; a[1] = s; }\nint main() {\n  int *a;\n  cudaMalloc(&a, 8);\n  k<<<(int)sqrt(4.0), 32>>>(a);\n}\n' >library.cu
printf '#include "nowhere.h"\n__global__ void k(int *a) { a[0] = ; }\nint main() { k<<<1, b>>>(0); }\n' >broken.cu
for file in library.cu broken.cu; do
  run "$HGRD_CHECK" -v --format=json "$file"
  cp out own.out && cp err own.err
  grep -F "$own -x cuda" own.err | sed 's/^[^/]*//' >commands
  [[ $(wc -l <commands) -ge 2 ]] || complain "$file: no commands are told with -v"
  sort -u commands | head -n 2 >few
  while read -r -a words; do
    "$own" "${words[@]:1}" >a 2>a.err
    own_status=$?
    "$real" "${words[@]:1}" >b 2>b.err
    [[ $own_status -eq $? ]] && cmp a b && cmp a.err b.err || complain "$file: another answer than clang's"
  done <few
  run env HGRD_CLANG="$real" "$HGRD_CHECK" -v --format=json "$file"
  sed "s|$real|$own|g" out >expected && same own.out expected
  sed "s|$real|$own|g" err >expected && same own.err expected
done
[[ -s a.err && ! -s a ]] || complain 'the mistakes of broken.cu are not told'

# Mistakes in the command itself.
run "$own" -c -emit-llvm --no-such-flag racy.cu -o -
status_is 1 && cp err own.err
run "$real" -c -emit-llvm --no-such-flag racy.cu -o -
same own.err err
# A program that takes too much: stopped and told by both in the same words.
run env HGRD_CLANG_MIB=60 "$HGRD_CHECK" library.cu
status_is 2 && has err 'clang (was stopped|.*memory)|too much'

# The text after preprocessing, where headers are looked for, what is included, of headers that are not there too.
printf '#include <stddef.h>\n#include "two.h"\nint one(void) { return TWO; }\n' >one.c
echo '#define TWO 2' >two.h
printf '#include "three.h"\n' >three.c
for what in '-E -o - one.c' '-M one.c' '-M -MG three.c' '-E -o - three.c'; do
  # shellcheck disable=SC2086
  run "$own" $what
  own_status=$status && cp out own.out && cp err own.err
  # shellcheck disable=SC2086
  run "$real" $what
  [[ $status -eq $own_status ]] && same own.out out && same own.err err
done
for clang in "$own" "$real"; do
  run "$clang" -E -v -o - -x cuda --cuda-device-only -nocudainc -nocudalib -Itwo -- /dev/null
  sed -n '/search starts here/,/^End of search/p' err >"${clang##*/}.places"
done
grep -q include "${own##*/}.places" && same "${own##*/}.places" "${real##*/}.places"

# Not its work: an object file, assembly.
for what in '-c -o one.o' '-S -o one.s' '-fsyntax-only'; do
  # shellcheck disable=SC2086
  run "$own" $what one.c
  status_is 0
done
[[ -s one.o && -s one.s ]] || complain 'what it handed over is not there'

# A program that lies without it runs the installed one.
mkdir -p alone/bin alone/share/hgrd && cp "$HGRD_CHECK" alone/bin/hgrd-check && ln -s "$HGRD_ROOT/frontend/cuda" alone/share/hgrd/cuda
run alone/bin/hgrd-check --version
has out "^clang .* \\($real\\)\$"
mkdir -p alone/lib/hgrd && cp "$own" alone/lib/hgrd/
run alone/bin/hgrd-check --version
has out "^clang .* \\($PWD/alone/lib/hgrd/hgrd-clang\\)\$"
