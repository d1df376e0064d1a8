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
