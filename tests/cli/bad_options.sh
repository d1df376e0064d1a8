# A mistake on the command line ends in one line that names it, and status 2; nothing is analysed.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
write_samples

refused() { # refused PATTERN ARGUMENTS...
  local pattern=$1
  shift
  run "$HGRD_CHECK" "$@"
  status_is 2
  has err "$pattern"
  is_empty out
  [[ $(wc -l <err) -le 2 ]] || complain "more than two lines for $*"
}

refused "unknown option '--no-such-thing'" --no-such-thing clean.cu
refused "did you mean '--format'" --formt=json clean.cu
refused "after '--'" -isystem include clean.cu
refused '--format' --format=xml clean.cu
refused '--format needs an argument' --format
refused '--grid-dim' --grid-dim=0 clean.cu
refused '--grid-dim' --grid-dim=1,2,3,4 clean.cu
refused '--block-dim' --block-dim=1025 clean.cu
refused '--block-dim' --block-dim=x clean.cu
refused '--arch' --arch=volta clean.cu
refused '-j' -j0 clean.cu
refused '-j' -jmany clean.cu
refused 'unknown rule' -Wno-such-rule clean.cu
refused 'unknown rule' --explain=no-such-rule
refused '--dump' --dump=everything clean.cu
refused 'no argument' --strict=yes clean.cu
refused '--kernel' '--kernel=(' clean.cu

# What people give to a compiler directly is taken directly: header, macro and standard decide here.
mkdir -p include
echo '#define SHIFT (STEP)' >include/shift.h
sed -e '1i #include <shift.h>\n#if __cplusplus < 202002L\n#error old\n#endif' -e 's/a\[i + 1\]/a[i + SHIFT]/' racy.cu >flags.cu
run "$HGRD_CHECK" -q -Iinclude -I . -DSTEP=1 -U NOT_HERE -std=c++20 flags.cu
status_is 1
run "$HGRD_CHECK" -q -I include -D STEP=0 --std=c++20 flags.cu
status_is 0
refused '-I needs an argument' flags.cu -I
