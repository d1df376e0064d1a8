# More than one file: headers that are open and not saved, kernels in headers, files that make one program, and the compilation
# database, which is found by itself and may change underneath.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
source "$HGRD_ROOT/tests/cli/lsp.bash" || exit 1
write_samples
mkdir -p src/deep include other
printf '#pragma once\n#define OFF 0\n' >include/off.h
printf '#include "../../include/off.h"\n' | cat - racy.cu | sed 's/i + 1\]/i + OFF]/' >src/deep/uses.cu
sed 's/OFF 0/OFF 1/' include/off.h >off.text

# ---- a header's text counts as the editor holds it, for every file that includes it, and what was known is not shown any more
serve
begin '{}' '{"delay":0}'
open_file src/deep/uses.cu
await publishDiagnostics 'uses.cu"' '"diagnostics":\[\]'
open_file include/off.h
await publishDiagnostics 'uses.cu"' '"diagnostics":\[\]'
change_file include/off.h 2 off.text
request 2 textDocument/codeLens "{$(named src/deep/uses.cu)}"
await publishDiagnostics 'uses.cu"' 'races with'
await '"id":2,' && has message '"title":"racy under 1 launch"'
notify textDocument/didClose "{$(named include/off.h)}" # not saved: the disk's text counts again
await publishDiagnostics 'uses.cu"' '"diagnostics":\[\]'

# ---- a kernel in a header: told there, once, from the files that include it; by itself only if none does
printf '#pragma once\n__global__ void spread(int *a) {\n  a[threadIdx.x / 2] = threadIdx.x;\n}\n' >include/spread.cuh
for n in 1 2; do
  printf '#include "include/spread.cuh"\nvoid run(int *a) { spread<<<1, 64>>>(a); }\n' >user$n.cu
done
open_file include/spread.cuh
await publishDiagnostics 'spread.cuh"' 'races with'
open_file user1.cu
await publishDiagnostics 'spread.cuh"' 'launched here: spread<<<1, 64>>>'
open_file user2.cu
await publishDiagnostics 'user2.cu"'
request 3 textDocument/hover "$(at include/spread.cuh 1 20)"
await '"id":3,' && has message 'spread<<<1, 64>>>'
request 4 textDocument/definition "$(at include/spread.cuh 2 4)"
await '"id":4,' && has message 'spread.cuh'
grep '"textDocument/publishDiagnostics"' messages | grep 'spread.cuh"' | tail -n 1 >last
[[ $(grep -o 'inter-warp-race\|intra-warp-race' last | wc -l) -eq 1 ]] || complain 'one finding is told twice'
# What the launch says hangs on the file that has it: when the last one is closed, the header is on its own again.
notify textDocument/didClose "{$(named user1.cu)}"
await publishDiagnostics 'spread.cuh"' 'launched here: spread<<<1'
notify textDocument/didClose "{$(named user2.cu)}"
await publishDiagnostics 'spread.cuh"' '"diagnostics":\[\]'
await publishDiagnostics 'spread.cuh"' 'races with' && has_not message 'launched here: spread<<<1'
say_goodbye
status_is 0

# ---- files that make one program
printf '#include <cassert>\nvoid run(float *, int, int);\nvoid go(float *a, int n) { run(a, n, n); }\n' >main.cpp
cat >rows.cu <<'CU'
__global__ void scale(float *a, int width, int pitch) {
  int x = threadIdx.x, y = blockIdx.x;
  if (x < width)
    a[y * pitch + x] *= 2;
}
void run(float *a, int width, int pitch) { scale<<<64, 1024>>>(a, width, pitch); }
CU
serve
begin '{}'
open_file rows.cu
await publishDiagnostics 'rows.cu"' 'races with'
notify workspace/didChangeConfiguration '{"settings":{"hgrd":{"programFiles":["main.cpp"]}}}'
await publishDiagnostics 'rows.cu"'
has message 'races with' # anybody may call run()
printf 'void run(float *, int, int);\nint main() { float *a; cudaMalloc(&a, 65536); run(a, 16, 16); }\n' >main.cpp
sed -i '1i #include <cuda_runtime.h>' main.cpp
notify workspace/didChangeConfiguration '{"settings":{"hgrd":{"programFiles":["main.cpp"]}}}'
await publishDiagnostics 'rows.cu"' '"diagnostics":\[\]'
open_file main.cpp
await publishDiagnostics 'rows.cu"' '"diagnostics":\[\]'
sed 's/16, 16/16, 8/' main.cpp >text
change_file main.cpp 2 text
await publishDiagnostics 'rows.cu"' 'races with'
say_goodbye
status_is 0

# ---- the compilation database
printf '#ifdef SHIFT\n' | cat - racy.cu <(printf '#endif\n') >other/flags.cu
database() { printf '[{"directory":"%s","file":"other/flags.cu","command":"nvcc %s -c other/flags.cu"}]\n' "$work" "$1"; }
serve
begin '{"workspace":{"didChangeWatchedFiles":{"dynamicRegistration":true}}}'
await client/registerCapability 'compile_commands.json'
open_file other/flags.cu
await publishDiagnostics 'flags.cu"' '"diagnostics":\[\]'
mkdir build && database -DSHIFT >build/compile_commands.json
notify workspace/didChangeWatchedFiles '{"changes":[]}'
await publishDiagnostics 'flags.cu"' 'races with'
database -DNOTHING >compile_commands.json # nearer than build/
notify workspace/didChangeWatchedFiles '{"changes":[]}'
await publishDiagnostics 'flags.cu"' '"diagnostics":\[\]'
# Half written, by somebody who does not tell: seen when the file is saved, and again when it is whole.
printf '[{"directory":' >compile_commands.json
save_file other/flags.cu
await publishDiagnostics 'flags.cu"' 'this is no compilation database: make it again'
database -DSHIFT >compile_commands.json
save_file other/flags.cu
await publishDiagnostics 'flags.cu"' 'races with'
rm compile_commands.json
database -DNOTHING >build/compile_commands.json
save_file other/flags.cu
await publishDiagnostics 'flags.cu"' '"diagnostics":\[\]'
# The one that is chosen counts alone; one that is not there is told.
mkdir chosen && database -DSHIFT >chosen/compile_commands.json
notify workspace/didChangeConfiguration '{"settings":{"hgrd":{"buildPath":"chosen"}}}'
await publishDiagnostics 'flags.cu"' 'races with'
notify workspace/didChangeConfiguration '{"settings":{"hgrd":{"buildPath":"nowhere"}}}'
await publishDiagnostics 'flags.cu"' 'nowhere/compile_commands.json: No such file'
say_goodbye
status_is 0

# Another database while the check is still under way: that check stands for nothing.
real_clang=${HGRD_CLANG:-$(sed -n 's/^HGRD_CLANG_PATH:FILEPATH=//p' "$HGRD_BUILD/CMakeCache.txt")}
printf '#!/bin/sh\ntouch "%s/began"\nwhile [ -e "%s/hold" ]; do sleep 0.05; done\nexec "%s" "$@"\n' "$work" "$work" "$real_clang" >slow_clang
chmod +x slow_clang && touch hold
database -DNOTHING >build/compile_commands.json
HGRD_CLANG=$work/slow_clang serve
begin '{}'
open_file other/flags.cu
until [[ -e began ]] || ! kill -0 "$server_id"; do sleep 0.05; done
database -DSHIFT >build/compile_commands.json
save_file other/flags.cu
rm hold
await publishDiagnostics 'flags.cu"' 'races with'
say_goodbye
status_is 0

# ---- options of the command line and of the settings, flags for the compiler among them
serve -Werror -- -DSHIFT
begin '{}'
cp other/flags.cu alone.cu && rm -r build chosen
open_file alone.cu
await publishDiagnostics 'alone.cu"' 'races with' && has message '"severity":1'
notify workspace/didChangeConfiguration '{"settings":{"hgrd":{"arguments":["-Wno-error=inter-block-race","--docs-url=https://docs.example/hgrd","--","-DMORE"]}}}'
await publishDiagnostics 'alone.cu"' && has message '"severity":2'
say_goodbye
status_is 0

# ---- checked when saved, not before
serve
begin '{"textDocument":{"publishDiagnostics":{"codeDescriptionSupport":true}}}' '{"hgrd":{"checkOn":"save","arguments":["--docs-url=https://docs.example/hgrd"],"codeLens":false}}'
open_file clean.cu
await publishDiagnostics '"version":1'
change_file clean.cu 2 racy.cu
request 2 textDocument/hover "$(at clean.cu 0 18)"
await '"id":2,' && has message '"result":null' # nothing is known of this text
cp racy.cu clean.cu && save_file clean.cu
await publishDiagnostics '"version":2' 'races with'
has message '"href":"https://docs.example/hgrd/rules/inter-block-race.html"'
request 3 textDocument/codeLens "{$(named clean.cu)}"
await '"id":3,' && has message '"result":\[\]'
say_goodbye
status_is 0
