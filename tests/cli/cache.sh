# What is kept from run to run changes no report, in no form; what is damaged, altered, foreign or of another build is as if it
# were not there; files are compiled again when what they read changed, or would be found elsewhere.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
unset HGRD_CACHE
export XDG_CACHE_HOME=$work/home
write_samples
mkdir first second
cat >first/width.h <<'CU'
#define WIDTH 1
CU
cat >uses.cu <<'CU'
#include "width.h"
#if __has_include("extra.h")
#include "extra.h"
#endif
#ifndef EXTRA
#define EXTRA 0
#endif
__global__ void put(int *a) { a[threadIdx.x * WIDTH + EXTRA * threadIdx.x] = threadIdx.x; }
int main() {
  int *a;
  cudaMalloc(&a, 4096 * sizeof(int));
  put<<<1, 256>>>(a);
}
CU
settle() { sleep 0.1; } # a file that was changed while clang read it is not kept

# check NAME ARGUMENT...: the report as NAME, what was found as NAME.found
check() {
  local name=$1
  shift
  run "$HGRD_CHECK" --cache-stats "$@"
  cp out "$name"
  grep '^cache:' err >"$name.found"
  grep -v '^cache:' err >"$name.said"
}
found() { has "$1.found" "cache: $2: $3 of $4 found"; }

# ---- the same report in every form, from nothing, from the cache and without one
settle
forms=(json sarif html gitlab junit)
for kept in cold warm off; do
  outputs=()
  for form in "${forms[@]}"; do outputs+=(--format="$form" -o "$kept.$form"); done
  [[ $kept != off ]] || outputs+=(--cache=off)
  check $kept.text --format=text "${outputs[@]}" -v racy.cu clean.cu
done
for form in text text.said "${forms[@]}"; do same cold.$form warm.$form && same cold.$form off.$form; done
[[ -s cold.html && -s cold.text ]] || complain 'there is no report'
found cold.text kernels 0 2
found warm.text kernels 2 2 && found warm.text programs 1 1 && found warm.text files 2 2
has off.text.found 'cache: off'
for stage in ir host kernel pairs goals; do
  check dump --dump=$stage racy.cu
  check dump.off --dump=$stage --cache=off racy.cu
  same dump dump.off
done

# ---- one file changed: it and its kernels
check plain racy.cu clean.cu # -v is another question
settle
sed 's/i + 1 < n/i + 1 <= n/' racy.cu >changed.cu && mv changed.cu racy.cu
settle
check touched racy.cu clean.cu
found touched files 1 2 && found touched kernels 1 2
check untouched --cache=off racy.cu clean.cu
same touched untouched
# Other options are another question.
check arch --arch=sm_60 racy.cu clean.cu
found arch kernels 0 2

# ---- back to a text that was checked before: nothing is compiled; with another header it is
cp racy.cu to_and_fro.cu && { printf '#include "step.h"\n'; sed 's/i + 1/i + STEP/g' to_and_fro.cu; } >first.text
sed 's/= d_a/= 0/; s/STEP/(2 * STEP)/g' first.text >second.text && echo '#define STEP 1' >step.h
turn() { cp "$1.text" to_and_fro.cu && settle && check "$2" to_and_fro.cu; }
turn first there
turn second other
turn first again
found again 'earlier texts' 1 1 && found again files 0 1 && found again programs 1 1 && found again kernels 1 1
same there again
turn second other_again # what was compiled last
found other_again files 1 1 && same other other_again
echo '#define STEP 3' >step.h
turn first anew
found anew 'earlier texts' 0 1 && found anew files 0 1
check anew.off --cache=off to_and_fro.cu
same anew anew.off

# ---- headers: changed, shadowed by one that was not there, asked for in vain before
settle
run "$HGRD_CHECK" uses.cu -- -Isecond -Ifirst
status_is 0
check header uses.cu -- -Isecond -Ifirst
found header kernels 1 1
echo '#define WIDTH 0' >second/width.h # in an earlier folder
settle
check shadowed uses.cu -- -Isecond -Ifirst
status_is 1 # all threads write one word
found shadowed files 0 1
check shadowed.off --cache=off uses.cu -- -Isecond -Ifirst
same shadowed shadowed.off
rm second/width.h
settle
check back uses.cu -- -Isecond -Ifirst
found back kernels 1 1
echo '#define EXTRA -1' >first/extra.h # all threads write one word
settle
check asked uses.cu -- -Isecond -Ifirst
found asked files 0 1
check asked.off --cache=off uses.cu -- -Isecond -Ifirst
same asked asked.off
! cmp -s asked back || complain 'a header that __has_include asks for changed nothing'
rm first/extra.h
echo '#define WIDTH 0' >first/width.h
settle
check rewritten uses.cu -- -Isecond -Ifirst
found rewritten files 0 1
same rewritten shadowed

# ---- headers asked for by names that are not plain, called by names of macros; folders and files that are others' twins: all that
# clang reads otherwise makes a race
mkdir names && cd names
tail='__global__ void k(int *o) { o[RACY ? 0 : threadIdx.x] = threadIdx.x; }
int main() { int *o; cudaMalloc(&o, 4096); k<<<1, 32>>>(o); }'
# asks NAME LINE...: a file whose lines ask for cfg.h
asks() { { printf '%s\n' "${@:2}" '#include "cfg.h"' '#else' '#define RACY 0' '#endif' "$tail"; } >"$1.cu"; }
# holds FILES ARGUMENT...: race-free, and then so many files are found
holds() {
  settle
  for _ in 1 2; do check held "${@:2}"; done
  status_is 0 && found held files "$1" 1
}
# turns ARGUMENT...: racy now, as without a cache
turns() {
  settle
  check turned "$@"
  status_is 1 && has_not turned.found 'files: 1 of 1'
  check turned.off --cache=off "$@"
  same turned turned.off
}
asks made '#define CONFIG "cfg.h"' '#if __has_include(CONFIG)'
asks split '#if defined(__has_include) && __has_include(/**/"cf\' 'g.h") // what __has_include finds'
asks handed '#define HAS(x) __has_include(x)' '#define HAS_ANY(...) HAS(__VA_ARGS__)' '#if HAS_ANY(<cfg.h>)'
asks other '#define HAS(x) __has_include(x)' '#define cfg cfg' '#if HAS(<cfg.h>)' # cfg may be anything
asks renamed '#define HAS __has_include' '#if HAS("cfg.h")'
for name in 'made 0' 'split 1' 'handed 1' 'other 0' 'renamed 0'; do holds ${name#* } ${name% *}.cu -- -I.; done
echo '#define RACY 1' >cfg.h
for name in made split handed; do turns $name.cu -- -I.; done
mkdir front behind && echo '#define RACY 0' >behind/named.h
printf '%s\n' '#define NAME <named.h>' '#include NAME' "$tail" >called.cu
holds 1 called.cu -- -I./front -I./behind
cp cfg.h front/named.h
turns called.cu -- -I./front -I./behind
ln -s front system && printf '#include <named.h>\n%s\n' "$tail" >called.cu
holds 1 called.cu -- -Ifront -Ibehind -isystem system # front is left out, as it is system
rm system && mkdir system && cp front/named.h system
turns called.cu -- -Ifront -Ibehind -isystem system
printf '%s\n' '#pragma once' '#ifdef SEEN' '#define RACY 1' '#endif' '#define SEEN' >once.h && ln once.h twice.h
printf '%s\n' '#include "once.h"' '#include "twice.h"' '#ifndef RACY' '#define RACY 0' '#endif' "$tail" >once.cu
holds 1 once.cu
cp once.h copy.h && mv copy.h twice.h
turns once.cu
cd ..

# ---- it is the same time on every day, whoever asks
cat >clock.cu <<'CU'
__global__ void put(int *a) { if (__TIME__[7] == '0' && __DATE__[0] == 'J') a[threadIdx.x] = 1; else a[0] = threadIdx.x; }
int main() {
  int *a;
  cudaMalloc(&a, 1024 * sizeof(int));
  put<<<1, 256>>>(a); // races on any other day than 1970-01-01
}
CU
settle
check day.1 clock.cu
status_is 0
check day.2 clock.cu
found day.2 files 1 1 && same day.1 day.2
SOURCE_DATE_EPOCH=1700000000 check day.3 clock.cu
same day.1 day.3
sed "s/== 'J'/== 'N'/" clock.cu >clock.new && mv clock.new clock.cu && settle
check day.4 clock.cu
status_is 1
# ---- what was mended, and what does not compile, is known again, with all that is said of it, until what its search has
# seen is otherwise: a header comes to lie in a folder named or around, a second one beside it, a folder of its name; it is changed
mkdir tree && cd tree
# known FILES ARGUMENT...: of so many files each is found, and the answer is that without a cache
known() {
  settle
  check known.1 "${@:2}"
  check known.2 "${@:2}"
  found known.2 files "$1" "$1" && same known.1 known.2 && same known.1.said known.2.said
  check known.off --cache=off "${@:2}"
  same known.1 known.off && same known.1.said known.off.said
}
# anew FILES ARGUMENT...: what was known is so no more, and known again
anew() {
  settle
  cp known.1.said before
  check anew "${@:2}"
  has_not anew.found "cache: files: $1 of $1 found"
  known "$@"
  same anew.said known.1.said
}
printf '%s\n' '#include "nowhere.h"' '__global__ void k(int *a) { a[threadIdx.x / HALF] = threadIdx.x; }' \
  'int main() { int *a; cudaMalloc(&a, 4096); k<<<1, 64>>>(a); }' | sed 's/HALF/WIDTH/' >gone.cu
known 1 gone.cu
has known.1.said "'nowhere.h' file not found"
mkdir -p near/folder && echo '#define WIDTH 1' >near/folder/nowhere.h
anew 1 gone.cu
has known.1.said 'near/folder/nowhere.h is taken' && has known.1 '0 racy'
echo '#define WIDTH 2' >near/folder/nowhere.h
anew 1 gone.cu
has known.1.said 'near/folder/nowhere.h is taken' && has known.1 '1 racy'
mkdir far && cp near/folder/nowhere.h far
anew 1 gone.cu
has known.1.said "'nowhere.h' file not found" # which of the two?
rm -r far && mkdir -p named
anew 1 gone.cu -- -Inamed
has known.1.said 'near/folder/nowhere.h is taken'
echo '#define WIDTH 1' >named/nowhere.h
anew 1 gone.cu -- -Inamed
has_not known.1.said 'nowhere.h' && has known.1 '0 racy'
rm -r near named
anew 1 gone.cu -- -Inamed
has known.1.said "'nowhere.h' file not found"
mkdir -p named && ln -s elsewhere.h named/nowhere.h
known 1 gone.cu -- -Inamed
echo '#define WIDTH 1' >named/elsewhere.h
anew 1 gone.cu -- -Inamed
has_not known.1.said 'nowhere.h'
sed 's/WIDTH/1/' gone.cu >empty.cu # it does without
rm -r named
known 1 empty.cu
has known.1.said "'nowhere.h' is not found and is left out" && has known.1 '0 racy'
mkdir nowhere.h
anew 1 empty.cu
has known.1.said "'nowhere.h' is a folder"
rmdir nowhere.h
anew 1 empty.cu
# Flags that clang refuses, contracts, spellings of nvcc's alone; and mistakes, of which one is mended.
known 1 empty.cu -- -std=c++99
has known.1.said "'-std=c\+\+99' is not handed to clang"
printf '%s\n' '__global__ void child(int *a) { a[threadIdx.x] = 1; }' '__global__ void parent(int *a) { child<<<1, 32>>>(a); }' \
  'int main() { int *a; cudaMalloc(&a, 4096); parent<<<1, 1>>>(a); }' >nested.cu
known 1 nested.cu
sed 's/a\[threadIdx.x\]/a[0]/' nested.cu >nested.new && mv nested.new nested.cu
anew 1 nested.cu
printf '%s\n' '#include "type.h"' '__global__ void k(Type *a) { a[threadIdx.x] = 1; }' >broken.cu
echo '// typedef int Type;' >type.h
known 1 broken.cu
has known.1.said "broken.cu does not compile: unknown type name 'Type'"
echo 'typedef int Type;' >type.h
anew 1 broken.cu
has known.1 '0 racy'
# A file that does not compile by itself is a part of another one only as long as that includes it.
echo '__global__ void p(int *a) { a[threadIdx.x] = N; }' >part.cu
printf '%s\n' '#define N 1' '#include "part.cu"' 'int main() { int *a; cudaMalloc(&a, 4096); p<<<1, 64>>>(a); }' >whole.cu
known 2 whole.cu part.cu
has known.1.said 'part.cu does not compile by itself, but whole.cu includes it' && has known.1 '0 racy'
sed 's/"part.cu"/"type.h"/' whole.cu >lone.cu && sed -i 's/p<<<.*>>>(a);//' lone.cu
known 2 lone.cu part.cu
has known.1.said "part.cu does not compile: use of undeclared identifier 'N'"
cp lone.cu whole.cu
anew 2 whole.cu part.cu
has known.1.said "part.cu does not compile: use of undeclared identifier 'N'"
cd ..

# ---- damage: each entry is cut, altered, emptied, put in another's place; the report stays, and the entry is made again
settle
check whole racy.cu
damage() { # HOW: what is done with each entry
  find home -type f -name '[0-9a-f]*' | sort >entries
  while read -r entry; do "$1" "$entry"; done <entries
  check damaged racy.cu
  same whole damaged && found damaged kernels 0 1 && found damaged files 0 1
  check again racy.cu
  same whole again && found again kernels 1 1 && found again files 1 1
}
cut_off() { truncate -s -7 "$1"; }
empty() { : >"$1"; }
alter() { [[ ! -s $1 ]] || printf 'x' | dd of="$1" bs=1 seek=$(($(stat -c %s "$1") - 3)) conv=notrunc status=none; }
lengthen() { echo more >>"$1"; }
for how in cut_off empty alter lengthen; do damage $how; done
find home -type f -name '[0-9a-f]*' | sort >entries
last=$(tail -n 1 entries)
while read -r entry; do [[ $entry == "$last" ]] || cp "$last" "$entry"; done <entries
check swapped racy.cu
same whole swapped
find home -type f -delete
while read -r entry; do mkdir -p "$entry"; done <entries # nothing can take that name
check blocked racy.cu
same whole blocked && has blocked.found 'could not be written to'
rm -rf home

# ---- killed at any moment, in the middle of others
for delay in 0.02 0.05 0.1 0.2 0.3 0.5; do
  "$HGRD_CHECK" racy.cu >/dev/null 2>&1 &
  killed=$!
  sleep $delay
  kill -9 $killed 2>/dev/null
  wait $killed 2>/dev/null
done
check after racy.cu
same whole after
# ---- eight at once, from nothing
rm -rf home
for i in {1..8}; do "$HGRD_CHECK" racy.cu >"many.$i" 2>&1 & done
wait
for i in {1..8}; do same whole "many.$i"; done
[[ -z $(find home -name 'new.*') ]] || complain 'something half-written was left'
check many racy.cu
same whole many && found many kernels 1 1

# ---- another build of the program (any library that it loads makes it one) finds nothing of this one, and spoils nothing
LD_PRELOAD=$(ls /lib/*/libdl.so.2 | head -n 1) ASAN_OPTIONS=verify_asan_link_order=0 check build racy.cu
same whole build && found build kernels 0 1 && found build files 0 1
check same_build racy.cu
same whole same_build && found same_build kernels 1 1

# ---- times of the files that are wrong change no answer
find home -type f -exec touch -d '2040-01-01' {} +
check future racy.cu
same whole future && found future kernels 1 1
find home -type f -exec touch -d '1980-01-01' {} +
check past racy.cu
same whole past && found past kernels 1 1

# ---- bounds: what was used longest ago goes first
run "$HGRD_CHECK" --cache=small --cache-size=1 clean.cu
dd if=/dev/zero of=pad bs=1024 count=80 status=none
for folder in small/{0..9} small/{a..f}; do # much more than each folder's part of a MiB, old, under names of entries
  mkdir -p "$folder"
  for i in 1 2 3; do cp pad "$folder/$(printf '%031x' $i)" && touch -d '2001-01-01' "$folder/$(printf '%031x' $i)"; done
done
folders=$(find small -name "$(printf '%031x' 1)" | wc -l)
run "$HGRD_CHECK" --cache=small --cache-size=1 racy.cu
[[ $(find small -name "$(printf '%031x' 1)" | wc -l) -lt $folders ]] || complain 'nothing was taken out'
run "$HGRD_CHECK" --cache=small --cache-stats --cache-size=1 racy.cu
has err 'kernels: 1 of 1 found'
has err 'of at most 1 MiB'
run "$HGRD_CHECK" --cache-stats --cache=small
status_is 0 && has out '^cache: small$' && has out 'entries'

# ---- folders that cannot be used
echo file >no_folder
run "$HGRD_CHECK" --cache=no_folder racy.cu
status_is 2 && has err "no_folder' is no folder"
mkdir open_to_all && chmod 777 open_to_all
run "$HGRD_CHECK" --cache=open_to_all racy.cu
status_is 2 && has err 'anybody may write'
XDG_CACHE_HOME=$work/no_folder run "$HGRD_CHECK" racy.cu # the user's own is done without
status_is 1 && same out whole
if [[ $(id -u) -eq 0 ]]; then
  mkdir foreign && chown 1 foreign
  run "$HGRD_CHECK" --cache=foreign racy.cu
  status_is 2 && has err 'belongs to another user'
  chmod 711 "$work"
  # As somebody else: a folder that may be read, not written; and a full one.
  if setpriv --reuid=12345 --clear-groups test -x "$HGRD_CHECK" 2>/dev/null; then
    cp -r home readonly && chown -R 12345 readonly && chmod -R a-w readonly
    run setpriv --reuid=12345 --clear-groups "$HGRD_CHECK" --cache=readonly --cache-stats racy.cu
    same out whole
    # A header that may not be read is no answer for the day when it may.
    mkdir -p shut/kept && cp uses.cu shut && echo '#define WIDTH 1' >shut/width.h && chown -R 12345 shut && chmod 000 shut/width.h
    chmod 700 shut/kept
    for i in 1 2; do run setpriv --reuid=12345 --clear-groups "$HGRD_CHECK" --cache=shut/kept --cache-stats shut/uses.cu; done
    status_is 2 && has err 'Permission denied' && has err 'files: 0 of 1 found'
    chmod 644 shut/width.h
    run setpriv --reuid=12345 --clear-groups "$HGRD_CHECK" --cache=shut/kept --cache-stats shut/uses.cu
    status_is 0
    mkdir empty_one && chown 12345 empty_one && chmod 500 empty_one
    run setpriv --reuid=12345 --clear-groups "$HGRD_CHECK" --cache=empty_one --cache-stats racy.cu
    same out whole && has err 'could not be written to'
  fi
  mkdir full
  if mount -t tmpfs -o size=8k,mode=700 tmpfs full 2>/dev/null; then
    run "$HGRD_CHECK" --cache=full --cache-stats racy.cu
    same out whole && has err 'could not be written to'
    run "$HGRD_CHECK" --cache=full racy.cu
    same out whole
    umount full
  fi
fi

# ---- a text that has changed: where clang looks is not asked again, and a header that comes to lie in front is seen all the same
mkdir front behind && echo '#define SHIFT 0' >behind/shift.h
printf '#include <shift.h>\n' | cat - racy.cu | sed 's/i + 1\]/i + SHIFT]/' >shifts.cu
settle
check shifted shifts.cu -- -Ifront -Ibehind
status_is 0
echo '// another text' >>shifts.cu && settle
check shifted shifts.cu -- -Ifront -Ibehind
status_is 0 && found shifted files 0 1
check shifted shifts.cu -- -Ifront -Ibehind
status_is 0 && found shifted files 1 1
echo '#define SHIFT 1' >front/shift.h && settle
check shifted shifts.cu -- -Ifront -Ibehind
status_is 1 && found shifted files 0 1

# ---- the same in a folder below, which is looked at by its list, and a link in it
mkdir -p front/part behind/part && echo '#define SHIFT 0' >behind/part/shift.h
sed 's,<shift.h>,<part/shift.h>,' shifts.cu >parts.cu
settle
check parts parts.cu -- -Ifront -Ibehind
status_is 0
check parts parts.cu -- -Ifront -Ibehind
status_is 0 && found parts files 1 1
ln -s ../shift.h front/part/shift.h && settle
check parts parts.cu -- -Ifront -Ibehind
status_is 1 && found parts files 0 1

# ---- what the host code says is not asked again, and counts as it would
cat >dead.cu <<'CU'
#include <cassert>
__global__ void fill(int *a, int n) { a[0] = n + threadIdx.x; }
void go(int *a, int n, int m) {
  assert(n > 10 && m > n);
  if (m < 5) fill<<<2, 32>>>(a, 1);
}
CU
settle
check dead dead.cu
status_is 0 && has dead '1 dead' && found dead 'answers for host code' 0 1
cp dead dead.first && check dead dead.cu
same dead dead.first && found dead 'answers for host code' 1 1
sed -i 's/m < 5/m > 5/' dead.cu && settle
check dead dead.cu
status_is 1 && has dead '1 racy'
sed -i 's/m > 5/m < 5/' dead.cu && settle
check dead dead.cu
same dead dead.first && found dead 'answers for host code' 1 1
for entry in $(find home -type f -size -200c); do printf X | dd of="$entry" bs=1 seek=60 conv=notrunc status=none; done # short ones: answers are among them
check dead dead.cu
same dead dead.first && found dead 'answers for host code' 0 1

# ---- a home that is not there is not made
run env -u XDG_CACHE_HOME HOME="$work/nowhere/at/all" "$HGRD_CHECK" --cache-stats racy.cu
same out whole && has err 'cache: off'
[[ ! -e nowhere ]] || complain 'a home was made'
