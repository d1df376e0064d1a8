# The recipes for continuous integration do what they say: their files are well-formed, and the commands in them run on a
# project with a race and on one without.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/forms/forms.bash" || exit 1
need_judge /usr/bin/python3 && need_judge pre-commit && need_judge xmllint
ci=$HGRD_ROOT/examples/ci
mkdir bin && ln -s "$HGRD_CHECK" bin/hgrd-check && export PATH=$work/bin:$PATH HOME=$work
field() { # field FILE EXPRESSION: of the YAML document `d`
  /usr/bin/python3 -c 'import sys, yaml; d = yaml.safe_load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$@"
}
passes_if_clean() { # the project is called $kind
  if [[ $kind == clean ]]; then status_is 0; elif [[ $status -eq 0 ]]; then complain 'a race passes'; fi
}
write_samples
for kind in racy clean; do
  git init -q "$kind" && cp $kind.cu "$kind" && git -C "$kind" add .
  git -C "$kind" -c user.name=t -c user.email=t@example.org commit -q -m first
done

# GitHub: the step that checks, with the report that the next one uploads.
workflow=$ci/github-actions.yml
field "$workflow" 'next(s for s in d["jobs"]["hgrd"]["steps"] if s.get("id") == "check")["run"]' >check.sh
sarif=$(field "$workflow" 'next(s for s in d["jobs"]["hgrd"]["steps"] if "upload-sarif" in s.get("uses", ""))["with"]["sarif_file"]')
[[ $(field "$workflow" 'd["permissions"]["security-events"]') == write ]] || complain 'the upload needs a permission'
for kind in racy clean; do
  cd "$work/$kind" || exit 1
  run bash -e "$work/check.sh" # as GitHub runs it
  passes_if_clean
  [[ -s $sarif ]] || complain "$kind: nothing to upload"
  cd "$work" || exit 1
done
has racy/hgrd.sarif '"uri": "racy.cu"'

# GitHub in parts: each job of the matrix in a clone of its own, as the runner checks it out; what they leave is brought together in
# another clone, whose report is that of one run.
matrix=$ci/github-matrix.yml
# step_of JOB KEY: what the step of that job that has the key says
step_of() { field "$matrix" "next(s['$2'] for s in d['jobs']['$1']['steps'] if '$2' in s)"; }
# uses JOB ACTION KEY: what the job hands to that action
uses() { field "$matrix" "next(s['with']['$3'] for s in d['jobs']['$1']['steps'] if '$2' in s.get('uses', ''))"; }
[[ $(field "$matrix" 'd["jobs"]["report"]["needs"]') == part ]] || complain 'the report does not wait for the parts'
[[ $(uses report download-artifact merge-multiple) == True ]] || complain 'the parts come into folders of their own'
mapfile -t parts < <(field "$matrix" '"\n".join(map(str, d["jobs"]["part"]["strategy"]["matrix"]["part"]))')
# filled TEXT: with the job's part put in
filled() { echo "${1//'${{ matrix.part }}'/$part}"; }
for kind in racy clean; do
  cp -r "$kind" "$kind.whole" && cp clean.cu "$kind.whole/second.cu" && sed -i 's/\<shift\>/push/g' "$kind.whole/second.cu"
  git -C "$kind.whole" add . && git -C "$kind.whole" -c user.name=t -c user.email=t@example.org commit -q -m second
  git clone -q "$kind.whole" "$kind.report"
  for part in "${parts[@]}"; do
    git clone -q "$kind.whole" "$kind.$part"
    cd "$kind.$part" || exit 1
    filled "$(step_of part run)" >"$work/part.sh"
    run bash -e "$work/part.sh"
    status_is 0
    cp "$(filled "$(uses part upload-artifact path)")" "../$kind.report" || complain "part $part leaves nothing"
    cd "$work" || exit 1
  done
  (cd "$kind.whole" && "$HGRD_CHECK" $(git ls-files '*.cu') >"$work/whole.text" 2>/dev/null)
  cd "$kind.report" || exit 1
  step_of report run >"$work/report.sh"
  run bash -e "$work/report.sh"
  passes_if_clean
  same out "$work/whole.text"
  cd "$work" || exit 1
done

# GitLab: the script, and the reports that it is said to leave.
recipe=$ci/gitlab-ci.yml
field "$recipe" '"\n".join(d["races"]["script"])' >script.sh
quality=$(field "$recipe" 'd["races"]["artifacts"]["reports"]["codequality"]')
junit=$(field "$recipe" 'd["races"]["artifacts"]["reports"]["junit"]')
page=$(field "$recipe" 'd["races"]["artifacts"]["paths"][0]')
for kind in racy clean; do
  cd "$work/$kind" || exit 1
  run bash -e "$work/script.sh"
  passes_if_clean
  [[ -s $quality && -s $page ]] || complain "$kind: reports are missing"
  run xmllint --noout --schema "$forms/junit.xsd" "$junit"
  status_is 0
  cd "$work" || exit 1
done

# pre-commit: the configuration to copy, in a project; and the hook that this repository offers.
run pre-commit validate-config "$ci/pre-commit-config.yaml"
status_is 0
run pre-commit validate-manifest "$HGRD_ROOT/.pre-commit-hooks.yaml"
status_is 0
for kind in racy clean; do
  cp "$ci/pre-commit-config.yaml" "$kind/.pre-commit-config.yaml"
  cd "$work/$kind" || exit 1
  git add .pre-commit-config.yaml && run pre-commit run --all-files
  passes_if_clean
  has out "data races in CUDA kernels\.+$([[ $kind == clean ]] && echo Passed || echo Failed)"
  cd "$work" || exit 1
done
git init -q offered && cp "$HGRD_ROOT/.pre-commit-hooks.yaml" offered && git -C offered add .
git -C offered -c user.name=t -c user.email=t@example.org commit -q -m first
cd racy || exit 1
run pre-commit try-repo "$work/offered" hgrd-check --all-files
[[ $status -ne 0 ]] || complain 'the hook passes a race'
has out 'racy.cu:4:.* warning: '
