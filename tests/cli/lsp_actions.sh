# What the language server offers to do about a finding: each edit is made, and the text is checked again.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
source "$HGRD_ROOT/tests/cli/lsp.bash" || exit 1
write_samples
cat >scale.cu <<'CU'
__global__ void scale(float *a, int width, int pitch, int rows) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < width && y < rows)
    a[y * pitch + x] *= 2; // é
}
void run(float *a, int w, int p, int r) {
  scale<<<dim3((w + 127) / 128, r), 128>>>(a, w, p, r);
}
CU
able='{"textDocument":{"codeAction":{"codeActionLiteralSupport":{"codeActionKind":{"valueSet":["quickfix"]}}}},"workspace":{"workspaceEdit":{"documentChanges":true}}}'
actions_at() { # actions_at ID FILE LINE [CONTEXT]
  request "$1" textDocument/codeAction "{$(named "$2"),\"range\":{\"start\":{\"line\":$3,\"character\":4},\"end\":{\"line\":$3,\"character\":5}},\"context\":{${4:-\"diagnostics\":[]}}}"
  await "\"id\":$1,"
}
# make TITLE FILE: the action of that title in `message`, applied to FILE; what it inserts stands on whole lines or behind "{".
make() {
  python3 - "$1" "$2" <<'PY'
import json, sys
title, path = sys.argv[1:]
action = [a for a in json.load(open("message"))["result"] if title in a["title"]][0]
lines = open(path, encoding="utf-8").read().split("\n")
changes = action["edit"]["documentChanges"]
assert len(changes) == 1 and changes[0]["textDocument"]["uri"].endswith("/" + path), changes
for edit in sorted(changes[0]["edits"], key=lambda e: (e["range"]["start"]["line"], e["range"]["start"]["character"]), reverse=True):
    start, end = edit["range"]["start"], edit["range"]["end"]
    assert start["line"] == end["line"]
    line = lines[start["line"]]
    lines[start["line"]] = line[:start["character"]] + edit["newText"] + line[end["character"]:]
open(path, "w", encoding="utf-8").write("\n".join(lines))
PY
}

serve
begin "$able" '{"delay":0}'
has message '"codeActionKinds":\["quickfix"\]'
open_file scale.cu 7
await publishDiagnostics 'races with' && has message 'would be race-free if width == pitch \(width <= pitch is enough\)'
actions_at 2 scale.cu 3
has message '"version":7' && has message 'assert that width <= pitch' && has message 'assert that width == pitch'
has message 'this is meant: suppress' && has message 'hgrd-suppress\([a-z-]+\): TODO: say why'
for title in 'width <= pitch' 'width == pitch'; do
  cp scale.cu kept.cu
  make "$title" scale.cu
  run "$HGRD_CHECK" scale.cu
  status_is 0 && has out '1 race-free'
  run head -n 4 scale.cu
  has out '^#include <cassert>$' && has out '^  assert\(width .= pitch\);$'
  mv kept.cu scale.cu
done
cp scale.cu kept.cu
make 'this is meant' scale.cu
run "$HGRD_CHECK" scale.cu
status_is 0 && has out 'suppressed'
has scale.cu '^    // hgrd-suppress\('
mv kept.cu scale.cu

# What is proved to mend it is looked for once nothing else is to be done, and comes first; of the newest text alone.
cat >reverse.cu <<'CU'
__global__ void reverse(int *a) {
  __shared__ int tile[256];
  int t = threadIdx.x;
  tile[t] = a[blockIdx.x * 256 + t];
  a[blockIdx.x * 256 + t] = tile[255 - t];
}
int main() {
  int *d;
  cudaMalloc(&d, 1024 * sizeof(int));
  reverse<<<4, 256>>>(d);
}
CU
echo '// in front' | cat - reverse.cu >lower
open_file reverse.cu
await publishDiagnostics 'reverse.cu"' 'races with'
change_file reverse.cu 2 lower
await publishDiagnostics 'reverse.cu"' '"version":2'
await window/logMessage 'reverse.cu: fixes were looked for'
cp lower reverse.cu
actions_at 9 reverse.cu 4
has message '"title":"hgrd: insert __syncthreads\(\) before line 6","kind":"quickfix"[^]]*"version":2' && has message '"isPreferred":true'
make 'insert __syncthreads' reverse.cu
run "$HGRD_CHECK" reverse.cu
status_is 0 && has reverse.cu '^  __syncthreads\(\);$'
open_file racy.cu # which no barrier mends
await window/logMessage 'racy.cu: fixes were looked for'
actions_at 10 racy.cu 3
has message 'hgrd-suppress' && has_not message isPreferred
notify textDocument/didClose "{$(named racy.cu)}"

# Where nothing is wrong, for another kind of action, and for a text that is not checked yet there is none.
actions_at 3 scale.cu 1
has message '"result":\[\]'
actions_at 4 scale.cu 3 '"diagnostics":[],"only":["refactor"]'
has message '"result":\[\]'
actions_at 5 scale.cu 3 '"diagnostics":[],"only":["quickfix"]'
has message 'hgrd-suppress'
sed 's/dim3((w/dim3((w + 0/' scale.cu >newer
change_file scale.cu 8 newer
actions_at 6 scale.cu 3
has message '"result":\[\]'
await publishDiagnostics '"version":8'

# Without a fact that would do, there is only the comment.
open_file racy.cu
await publishDiagnostics 'racy.cu' 'races with'
actions_at 7 racy.cu 3
has message 'hgrd-suppress' && has_not message 'assert'
# A header that has assert already is not included twice.
sed '1i #include <assert.h>' scale.cu >with.cu
open_file with.cu
await publishDiagnostics 'with.cu' 'races with'
actions_at 8 with.cu 4
has message 'assert\(width <= pitch\)' && has_not message 'cassert'
say_goodbye
status_is 0

# An editor that takes no edits of versions gets plain ones; one that takes commands alone gets none.
serve
begin '{"textDocument":{"codeAction":{"codeActionLiteralSupport":{"codeActionKind":{"valueSet":["quickfix"]}}}}}' '{"fixes":false}'
open_file scale.cu
await publishDiagnostics 'races with'
actions_at 2 scale.cu 3
has message '"changes":\{"file:' && has_not message documentChanges
say_goodbye
serve
begin '{}'
open_file scale.cu
await publishDiagnostics 'races with'
actions_at 2 scale.cu 3
has message '"result":\[\]'
say_goodbye
status_is 0
