# --dump=smt writes each query with its answer, and the z3 program gives the same answers to what was written.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
type -p z3 >/dev/null || complain "no z3 program; ./dev installs Debian's package of that name"

# One run of z3 for all queries of a file. Where our budget was spent there is nothing to compare.
compare() { # compare LEAST FILE...: at least so many queries
  local least=$1
  shift
  run "$HGRD_CHECK" --dump=smt "$@"
  status_is 0
  awk '/^; goal /{ print "(reset)" } { print }' out >all.smt2
  sed -n 's/^; answer: //p' out >ours
  "$HGRD_ROOT/tests/limit" 300 z3 all.smt2 >theirs 2>&1
  paste -d' ' ours theirs | awk '!/^unknown/ && $1 != $NF' >different
  [[ $(wc -l <ours) -eq $(wc -l <theirs) ]] || complain "$*: $(wc -l <ours) answers, z3 gives $(wc -l <theirs)"
  is_empty different
  [[ $(grep -c '^sat\|^unsat' ours) -ge $least ]] || complain "$*: only $(wc -l <ours) queries"
  cat ours >>all_answers
}
compare 10 "$HGRD_ROOT"/examples/stencil_in_place_fixed.cu
compare 10 "$HGRD_ROOT"/examples/stencil_in_place.cu
compare 10 "$HGRD_ROOT"/tests/kernels/pitfall_18_launch_bounds.cu
compare 10 "$HGRD_ROOT"/tests/kernels/walsh_in_shared_memory.cu
has out '\(_ BitVec [0-9]+\)' # circuits too
has all_answers '^sat$'
has all_answers '^unsat$'
